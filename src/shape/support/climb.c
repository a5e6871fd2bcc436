// SPDX-License-Identifier: MIT
// Climbing along the edges of a polytope.
//
// A vertex from which no edge leads up is the farthest if the polytope is exactly convex and products are exact.
// Neither is: the corners of a facet are off its plane by up to r, and products are rounded (counted into r). So near a
// facet that the direction is normal to, several vertices may have no higher neighbour.
//
// Let u be one, and w a corner of one of its facets. Up to r, w - u is a sum of the two edges of the facet at u with
// factors >= 0, so w is higher by no more than r, unless a multiple of -r is hidden in one of the edges: w higher by r
// means that an edge goes down by no more than r |edge|/|w - u|. With l the least distance of two vertices and L the
// extent, everything that leads to the farthest vertex is therefore within a slack of 2 r (1 + L/l) of u, and is
// connected with it by edges inside of the slack: the vertices above any plane are connected in the graph of a convex
// polytope. All of those are visited, and the first of the highest is taken. A slack that is too large to be of use (a
// crowd of vertices on a facet that is not quite plane) sends every question to the scan.
#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "shape/support/support.h"

static double product_at(const crm_polytope *p, int v, carom_vec3 d) {
    return (d.x * p->x[v] + d.y * p->y[v]) + d.z * p->z[v];
}

// ---- the start table: the unit cube's six faces, each with a square grid

static int cell_of_direction(carom_vec3 d) {
    double ax = fabs(d.x), ay = fabs(d.y), az = fabs(d.z);
    int axis = ax >= ay ? (ax >= az ? 0 : 2) : (ay >= az ? 1 : 2);
    double along = axis == 0 ? d.x : axis == 1 ? d.y : d.z, u = axis == 0 ? d.y : d.x, v = axis == 2 ? d.y : d.z;
    if (along == 0.0) return 0;
    double scale = 0.5 * CRM_START_GRID / fabs(along);
    int column = (int)(u * scale + 0.5 * CRM_START_GRID), row = (int)(v * scale + 0.5 * CRM_START_GRID);
    column = column < CRM_START_GRID ? column : CRM_START_GRID - 1;
    row = row < CRM_START_GRID ? row : CRM_START_GRID - 1;
    return ((2 * axis + (along < 0.0)) * CRM_START_GRID + row) * CRM_START_GRID + column;
}

static carom_vec3 direction_of_cell(int cell) {
    int column = cell % CRM_START_GRID, row = cell / CRM_START_GRID % CRM_START_GRID;
    int face = cell / (CRM_START_GRID * CRM_START_GRID), axis = face / 2;
    double along = face % 2 ? -1.0 : 1.0;
    double u = (2 * column + 1.0) / CRM_START_GRID - 1.0, v = (2 * row + 1.0) / CRM_START_GRID - 1.0;
    return axis == 0 ? crm_vec3(along, u, v) : axis == 1 ? crm_vec3(u, along, v) : crm_vec3(u, v, along);
}

static bool build_starts(crm_arena *arena, crm_polytope *polytope) {
    polytope->start = NULL;
    if (polytope->vertex_count < CRM_CLIMB_COLD_FROM) return true;
    int *start = CRM_ARENA_ARRAY(arena, int, CRM_START_CELLS);
    if (start == NULL) return false;
    for (int cell = 0; cell < CRM_START_CELLS; cell++)
        start[cell] = crm_support_scan(polytope, direction_of_cell(cell));
    polytope->start = start;
    return true;
}

// ---- how far from the top ties must be looked for

typedef struct ranked_vertex {
    double rank;
    int vertex;
} ranked_vertex;

static int compare_ranks(const void *a, const void *b) {
    const ranked_vertex *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->vertex - y->vertex;
}

// The least distance of two vertices: near in space, near along any direction.
static bool least_distance(const crm_polytope *p, crm_arena *scratch, double *least) {
    const carom_vec3 generic = {0.5393618, 0.6180340, 0.5717492}; // of length 1, nearly
    ranked_vertex *order = CRM_ARENA_ARRAY(scratch, ranked_vertex, p->vertex_count);
    if (order == NULL) return false;
    for (int i = 0; i < p->vertex_count; i++) order[i] = (ranked_vertex){crm_dot(generic, p->vertex[i]), i};
    qsort(order, (size_t)p->vertex_count, sizeof *order, compare_ranks);
    *least = HUGE_VAL;
    for (int i = 0; i < p->vertex_count; i++)
        for (int j = i + 1; j < p->vertex_count && order[j].rank - order[i].rank <= 1.001 * *least; j++)
            *least = fmin(*least, crm_distance(p->vertex[order[i].vertex], p->vertex[order[j].vertex]));
    return true;
}

// The most that a facet's corner is below its plane, rounding of products included.
static double roughness(const crm_polytope *p) {
    double most = 0.0;
    for (int f = 0; f < p->facet_count; f++)
        for (int k = p->facet_start[f]; k < p->facet_start[f + 1]; k++)
            most = fmax(most, p->offset[f] - crm_dot(p->normal[f], p->vertex[p->facet_vertex[k]]));
    const double rounding_of_product = 4.0 * 0x1p-53;
    return most + rounding_of_product * p->farthest;
}

bool crm_build_climb(crm_arena *arena, crm_arena *scratch, crm_polytope *p) {
    const double most_slack = 1e-6; // of the extent; beyond, ties would be long to look for, and the scan is as good
    double least;
    if (!least_distance(p, scratch, &least)) return false;
    p->slack = 2.0 * roughness(p) * (1.0 + p->extent / least);
    if (!(p->slack <= most_slack * p->extent)) p->slack = HUGE_VAL;
    return build_starts(arena, p);
}

// ---- climbing

static int break_ties(const crm_polytope *p, carom_vec3 d, int top, double slack) {
    enum { MOST = 48 };
    int list[MOST], count = 1, best = top;
    list[0] = top;
    double highest = product_at(p, top, d), least = highest - slack;
    for (int i = 0; i < count; i++) {
        for (int n = p->neighbour_start[list[i]]; n < p->neighbour_start[list[i] + 1]; n++) {
            int v = p->neighbour[n];
            double product = product_at(p, v, d);
            if (product < least) continue;
            int known = 0;
            while (known < count && list[known] != v) known++;
            if (known < count) continue;
            if (count == MOST) return crm_support_scan(p, d);
            list[count++] = v;
            if (product > highest || (product == highest && v < best)) {
                highest = product;
                best = v;
            }
        }
    }
    return best;
}

// The vertex from which no edge leads up, and the largest product of its neighbours.
static inline int climb(const crm_polytope *p, carom_vec3 d, int start, double *highest, double *second) {
    CRM_ASSERT(start < p->vertex_count);
    int top = start >= 0 ? start : p->start != NULL ? p->start[cell_of_direction(d)] : 0;
    *highest = product_at(p, top, d);
    for (;;) {
        int from = top;
        *second = -HUGE_VAL;
        for (int n = p->neighbour_start[from]; n < p->neighbour_start[from + 1]; n++) {
            double product = product_at(p, p->neighbour[n], d);
            if (product > *highest) {
                *highest = product;
                top = p->neighbour[n];
            } else if (product > *second) {
                *second = product;
            }
        }
        if (top == from) return top;
    }
}

int crm_support_climb(const crm_polytope *p, carom_vec3 d, int start) {
    if (!(p->slack < HUGE_VAL)) return crm_support_scan(p, d);
    double slack = p->slack * (fabs(d.x) + fabs(d.y) + fabs(d.z)); // the sum bounds the length of d from above
    double highest, second;
    int top = climb(p, d, start, &highest, &second);
    return second < highest - slack ? top : break_ties(p, d, top, slack);
}

int crm_support_near(const crm_polytope *p, carom_vec3 d, int start) {
    if (!(p->slack < HUGE_VAL)) return crm_support_scan(p, d);
    double highest, second;
    return climb(p, d, start, &highest, &second);
}

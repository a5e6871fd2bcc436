// SPDX-License-Identifier: MIT
#include "shape/support.h"

#include <math.h>

#include "math/vec3.h"
#include "shape/shape.h"

// Measured by `carom bench support_function` (filled in below).
enum { CLIMB_COLD_FROM = 256, CLIMB_WARM_FROM = 64 };

static double product_at(const crm_polytope *p, int v, carom_vec3 d) {
    return (d.x * p->x[v] + d.y * p->y[v]) + d.z * p->z[v];
}

static int scan(const crm_polytope *p, carom_vec3 d) {
    return p->kernels->scan(p->padded_count, p->x, p->y, p->z, d);
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

bool crm_build_starts(crm_arena *arena, crm_polytope *polytope) {
    polytope->start = NULL;
    if (polytope->vertex_count < CLIMB_COLD_FROM) return true;
    int *start = CRM_ARENA_ARRAY(arena, int, CRM_START_CELLS);
    if (start == NULL) return false;
    for (int cell = 0; cell < CRM_START_CELLS; cell++) start[cell] = scan(polytope, direction_of_cell(cell));
    polytope->start = start;
    return true;
}

// ---- climbing

// A vertex from which no edge leads up is the farthest if the polytope is exactly convex and products are exact.
// Neither is: facets are plane to `tolerance` only, and products are rounded, so that around a facet that the
// direction is normal to, many vertices have no higher neighbour. But all vertices within `slack` of the farthest are
// connected by edges among themselves: those whose exact product is at least any given value are (the graph of a convex
// polytope above a plane is connected), and the slack covers the difference. So they are all visited.
//
// Falls back on the scan when they are more than fit in here.
static int settle_ties(const crm_polytope *p, carom_vec3 d, int top, double slack) {
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
            if (count == MOST) return scan(p, d);
            list[count++] = v;
            if (product > highest || (product == highest && v < best)) {
                highest = product;
                best = v;
            }
        }
    }
    return best;
}

int crm_support_climb(const crm_polytope *p, carom_vec3 d, int start) {
    // Twice the tolerance, by which a facet's corners may be off its plane on either side, and twice the rounding of a
    // product of three terms; |d.x| + |d.y| + |d.z| bounds the length of d from above.
    const double rounding = 4.0 * 0x1p-53;
    double slack = 2.0 * (p->tolerance + rounding * p->farthest) * (fabs(d.x) + fabs(d.y) + fabs(d.z));
    int top = start >= 0 ? start : p->start != NULL ? p->start[cell_of_direction(d)] : 0;
    double highest = product_at(p, top, d);
    for (;;) {
        int from = top;
        double second = -HUGE_VAL; // the largest product of a neighbour that is not the top
        for (int n = p->neighbour_start[from]; n < p->neighbour_start[from + 1]; n++) {
            double product = product_at(p, p->neighbour[n], d);
            if (product > highest) {
                highest = product;
                top = p->neighbour[n];
            } else if (product > second) {
                second = product;
            }
        }
        if (top != from) continue;
        return second < highest - slack ? top : settle_ties(p, d, top, slack);
    }
}

int crm_support_vertex(const crm_polytope *p, carom_vec3 d, int start) {
    int least = start >= 0 ? CLIMB_WARM_FROM : CLIMB_COLD_FROM;
    return p->vertex_count < least ? scan(p, d) : crm_support_climb(p, d, start);
}

// ---- all kinds

carom_vec3 crm_support(const carom_shape *shape, carom_vec3 d, int *vertex) {
    int guess = vertex != NULL ? *vertex : -1;
    if (vertex != NULL) *vertex = -1;
    carom_vec3 unit;
    switch (shape->kind) {
    case CAROM_SHAPE_SPHERE:
        crm_normalise(d, &unit);
        return crm_scale(shape->radius, unit);
    case CAROM_SHAPE_ELLIPSOID: {
        // A^2 d / |A d|, A = diag(half-axes): MATH (Q n)/h(n).
        carom_vec3 stretched = crm_vec3_mul(shape->half_axes, d);
        crm_normalise(stretched, &unit);
        return crm_vec3_mul(shape->half_axes, unit);
    }
    case CAROM_SHAPE_CAPSULE:
        crm_normalise(d, &unit);
        unit = crm_scale(shape->radius, unit);
        unit.z += d.z > 0.0 ? shape->half_length : -shape->half_length;
        return unit;
    case CAROM_SHAPE_BOX:
    case CAROM_SHAPE_POLYTOPE: {
        int found = crm_support_vertex(&shape->polytope, d, guess);
        if (vertex != NULL) *vertex = found;
        return shape->polytope.vertex[found];
    }
    default:
        CRM_ASSERT(!"a convex shape");
        return crm_vec3_zero();
    }
}

// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "step/flex/surface/surface_body.h"

// ---- bounds

void crm_surface_place(const crm_flex_surfaces *all, const crm_motion *motions, crm_surface *s) {
    s->low = s->high = motions[s->nodes[0]].x;
    s->speed = 0.0;
    s->gridded = -1.0;
    if (s->sight > CRM_SURFACE_MOST_MARKS) {
        memset(s->seen, 0, (size_t)s->edge_count * sizeof *s->seen);
        s->sight = 0;
    }
    for (int i = 0; i < s->node_count; i++) {
        int b = s->nodes[i];
        s->low = crm_lower_corner(s->low, motions[b].x);
        s->high = crm_upper_corner(s->high, motions[b].x);
        s->speed = fmax(s->speed, crm_length(crm_motion_velocity(&all->model->bodies.items[b], &motions[b])));
    }
}

bool crm_surface_is_apart(const crm_surface *s, carom_vec3 low, carom_vec3 high, double margin) {
    return low.x > s->high.x + margin || low.y > s->high.y + margin || low.z > s->high.z + margin ||
           high.x < s->low.x - margin || high.y < s->low.y - margin || high.z < s->low.z - margin;
}

// ---- normals

static double angle_at(carom_vec3 at, carom_vec3 a, carom_vec3 b) {
    carom_vec3 u = crm_sub(a, at), v = crm_sub(b, at);
    return atan2(crm_length(crm_cross(u, v)), crm_dot(u, v));
}

static void find_normals(crm_flex_surfaces *all, const crm_motion *motions, crm_surface *s) {
    for (int i = 0; i < s->node_count; i++) all->normal[s->nodes[i]] = crm_vec3_zero();
    for (int t = 0; t < s->triangle_count; t++) {
        crm_surface_triangle *of = &s->triangles[t];
        carom_vec3 x[3] = {motions[of->node[0]].x, motions[of->node[1]].x, motions[of->node[2]].x};
        (void)crm_normalise(crm_cross(crm_sub(x[1], x[0]), crm_sub(x[2], x[0])), &of->normal);
        for (int k = 0; k < 3; k++) {
            carom_vec3 *to = &all->normal[of->node[k]];
            *to = crm_madd(*to, angle_at(x[k], x[(k + 1) % 3], x[(k + 2) % 3]), of->normal);
        }
    }
}

static void find_sharp_edges(const crm_motion *motions, crm_surface *s) {
    s->sharp_count = 0;
    for (int e = 0; e < s->edge_count; e++) {
        const crm_surface_edge *edge = &s->edges[e];
        carom_vec3 along = crm_sub(motions[edge->node[1]].x, motions[edge->node[0]].x);
        carom_vec3 left = s->triangles[edge->triangle[0]].normal, right = s->triangles[edge->triangle[1]].normal;
        s->is_sharp[e] = crm_edge_is_sharp(left, crm_cross(left, along), right);
        if (s->is_sharp[e]) s->sharp[s->sharp_count++] = e;
    }
}

// ---- the grid

static int cell_along(double at, double origin, double cell, int count) {
    double k = floor((at - origin) / cell);
    return k < 0.0 ? 0 : k >= count ? count - 1 : (int)k;
}

typedef struct cell_range {
    int low[3], high[3];
} cell_range;

static cell_range range_of(const crm_surface *s, carom_vec3 low, carom_vec3 high) {
    return (cell_range){
        {cell_along(low.x, s->origin.x, s->cell, s->cells[0]), cell_along(low.y, s->origin.y, s->cell, s->cells[1]),
         cell_along(low.z, s->origin.z, s->cell, s->cells[2])},
        {cell_along(high.x, s->origin.x, s->cell, s->cells[0]), cell_along(high.y, s->origin.y, s->cell, s->cells[1]),
         cell_along(high.z, s->origin.z, s->cell, s->cells[2])}};
}

static cell_range range_of_triangle(const crm_surface *s, const crm_motion *motions, int t, double margin) {
    const int *node = s->triangles[t].node;
    carom_vec3 a = motions[node[0]].x, b = motions[node[1]].x, c = motions[node[2]].x;
    carom_vec3 room = crm_vec3(margin, margin, margin);
    return range_of(s, crm_sub(crm_lower_corner(a, crm_lower_corner(b, c)), room),
                    crm_add(crm_upper_corner(a, crm_upper_corner(b, c)), room));
}

static int cell_number(const crm_surface *s, int x, int y, int z) {
    return (z * s->cells[1] + y) * s->cells[0] + x;
}

// Counts the triangles of every cell, or lists them.
static void fill_cells(crm_surface *s, const crm_motion *motions, double margin, bool list) {
    for (int t = 0; t < s->triangle_count; t++) {
        cell_range r = range_of_triangle(s, motions, t, margin);
        for (int z = r.low[2]; z <= r.high[2]; z++)
            for (int y = r.low[1]; y <= r.high[1]; y++)
                for (int x = r.low[0]; x <= r.high[0]; x++) {
                    int cell = cell_number(s, x, y, z);
                    if (list)
                        s->cell_list[s->cell_start[cell]++] = t;
                    else
                        s->cell_start[cell + 1]++;
                }
    }
}

static int lay_cells(crm_surface *s, double margin) {
    enum { MOST_CELLS = 64 };
    s->cell = fmax(s->edge, margin);
    carom_vec3 size = crm_sub(s->high, s->low);
    double longest = crm_max_component(size) + 2.0 * margin;
    if (longest > MOST_CELLS * s->cell) s->cell = longest / MOST_CELLS;
    s->origin = crm_sub(s->low, crm_vec3(margin, margin, margin));
    const double sizes[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; k++) s->cells[k] = 1 + (int)floor((sizes[k] + 2.0 * margin) / s->cell);
    return s->cells[0] * s->cells[1] * s->cells[2];
}

bool crm_surface_grid(crm_flex_surfaces *all, const crm_motion *motions, double margin, crm_surface *s) {
    if (margin <= s->gridded) return true;
    find_normals(all, motions, s);
    find_sharp_edges(motions, s);
    int count = lay_cells(s, margin);
    s->cell_start = CRM_ARENA_ZEROED(&all->arena, int, (ptrdiff_t)count + 1);
    if (s->cell_start == NULL) return false;
    fill_cells(s, motions, margin, false);
    for (int c = 0; c < count; c++) s->cell_start[c + 1] += s->cell_start[c];
    s->cell_list = CRM_ARENA_ARRAY(&all->arena, int, s->cell_start[count]);
    if (s->cell_list == NULL) return false;
    fill_cells(s, motions, margin, true);
    memmove(s->cell_start + 1, s->cell_start, sizeof *s->cell_start * (size_t)count);
    s->cell_start[0] = 0;
    s->gridded = margin;
    return true;
}

int crm_surface_triangles_at(const crm_surface *s, carom_vec3 x, const int **list) {
    cell_range at = range_of(s, x, x);
    int cell = cell_number(s, at.low[0], at.low[1], at.low[2]);
    *list = s->cell_list + s->cell_start[cell];
    return s->cell_start[cell + 1] - s->cell_start[cell];
}

// ---- edges near a straight way

// The share of the way that is inside of the grid along one axis.
static void clip(double from, double way, double low, double high, double share[2]) {
    double a = (low - from) / way, b = (high - from) / way;
    if (way == 0.0) {
        if (from < low || from > high) share[1] = -INFINITY;
        return;
    }
    share[0] = fmax(share[0], fmin(a, b));
    share[1] = fmin(share[1], fmax(a, b));
}

static void take_edges(crm_surface *s, int cell, int *count) {
    for (int i = s->cell_start[cell]; i < s->cell_start[cell + 1]; i++)
        for (int k = 0; k < 3; k++) {
            int e = s->triangles[s->cell_list[i]].edge[k];
            if (s->seen[e] == s->sight) continue;
            s->seen[e] = s->sight;
            s->near[(*count)++] = e;
        }
}

int crm_surface_edges_near(crm_surface *s, carom_vec3 from, carom_vec3 to) {
    double share[2] = {0.0, 1.0};
    carom_vec3 way = crm_sub(to, from);
    clip(from.x, way.x, s->origin.x, s->origin.x + s->cell * s->cells[0], share);
    clip(from.y, way.y, s->origin.y, s->origin.y + s->cell * s->cells[1], share);
    clip(from.z, way.z, s->origin.z, s->origin.z + s->cell * s->cells[2], share);
    int count = 0;
    s->sight++;
    if (!(share[0] <= share[1])) return 0;
    // In pieces of a cell, so that what is diagonal does not see all of its box.
    int pieces = 1 + (int)((share[1] - share[0]) * crm_length(way) / s->cell);
    for (int i = 0; i < pieces; i++) {
        double step = (share[1] - share[0]) / pieces, begin = share[0] + i * step;
        carom_vec3 a = crm_madd(from, begin, way), b = crm_madd(from, begin + step, way);
        cell_range r = range_of(s, crm_lower_corner(a, b), crm_upper_corner(a, b));
        for (int z = r.low[2]; z <= r.high[2]; z++)
            for (int y = r.low[1]; y <= r.high[1]; y++)
                for (int x = r.low[0]; x <= r.high[0]; x++) take_edges(s, cell_number(s, x, y, z), &count);
    }
    return count;
}

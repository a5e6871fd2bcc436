// SPDX-License-Identifier: MIT
#include "step/flex/flex_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "shape/shape.h"

// Nearer than this share of an edge a point has no direction of its own: the surface's normal is taken.
static const double nearest_share = 1e-4;
// A neighbour on a point's own surface that is nearer to the triangle by more than this share of its distance keeps the
// point from being the one that touches.
static const double cone_share = 0.2;
// What points may move beyond what their velocities say, in edges; and how far away contacts are looked for at most.
static const double room_share = 0.05, farthest_share = 2.0;
static const double speed_slack = 1.5;
// Deeper than this share of an edge a point is not pushed: it would not be known out of which side.
static const double deepest_share = 0.5;

typedef struct triangle {
    int node[3];      // bodies of the model
    int neighbour[3]; // triangle beyond the edge from node k to node k + 1
    carom_vec3 normal;
} triangle;

struct crm_surface {
    const crm_flex *flex;
    int triangle_count, node_count;
    triangle *triangles; // (triangle_count)
    int *nodes;          // bodies at the surface, ascending (node_count)
    int *first;          // of a node's neighbours on the surface (node_count + 1)
    int *neighbours;     // bodies
    double edge;         // mean, m
    // Where it is.
    carom_vec3 low, high;
    double speed; // of its fastest node, m/s
    // Triangles by cells of a grid.
    bool gridded;
    int cells[3];
    double cell;
    carom_vec3 origin;
    int *cell_start, *cell_list;
};

// ---- once

typedef struct half_edge {
    int low, high, triangle, side;
} half_edge;

static int by_nodes(const void *a, const void *b) {
    const half_edge *x = a, *y = b;
    if (x->low != y->low) return x->low < y->low ? -1 : 1;
    if (x->high != y->high) return x->high < y->high ? -1 : 1;
    return (x->triangle > y->triangle) - (x->triangle < y->triangle);
}

// Triangles, what lies beyond their edges, and which nodes neighbour each other: every edge has two triangles.
static bool make_surface(const crm_flex *flex, crm_arena *arena, crm_arena *scratch, int *place, crm_surface *out) {
    int count;
    const carom_mesh_triangle *given = carom_mesh_surface(flex->def.mesh, &count);
    *out = (crm_surface){.flex = flex, .triangle_count = count};
    out->edge = carom_mesh_get_quality(flex->def.mesh).mean_edge;
    out->triangles = CRM_ARENA_ZEROED(arena, triangle, count);
    out->nodes = CRM_ARENA_ARRAY(arena, int, flex->node_count);
    out->first = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)flex->node_count + 1);
    out->neighbours = CRM_ARENA_ARRAY(arena, int, 3 * (ptrdiff_t)count);
    half_edge *edges = CRM_ARENA_ARRAY(scratch, half_edge, 3 * (ptrdiff_t)count);
    if (crm_arena_refused(arena) || edges == NULL) return false;
    for (int n = 0; n < flex->node_count; n++) place[n] = -1;
    for (int t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) {
            int a = given[t].node[k], b = given[t].node[(k + 1) % 3];
            out->triangles[t].node[k] = flex->first_body + a;
            out->triangles[t].neighbour[k] = t;
            place[a] = 0;
            edges[3 * t + k] = (half_edge){a < b ? a : b, a < b ? b : a, t, k};
        }
    for (int n = 0; n < flex->node_count; n++) {
        if (place[n] < 0) continue;
        place[n] = out->node_count;
        out->nodes[out->node_count++] = flex->first_body + n;
    }
    // Each edge stands there twice, once a triangle; its two nodes neighbour each other.
    qsort(edges, (size_t)(3 * count), sizeof *edges, by_nodes);
    for (int e = 0; e + 1 < 3 * count; e++) {
        if (edges[e].low != edges[e + 1].low || edges[e].high != edges[e + 1].high) continue;
        out->triangles[edges[e].triangle].neighbour[edges[e].side] = edges[e + 1].triangle;
        out->triangles[edges[e + 1].triangle].neighbour[edges[e + 1].side] = edges[e].triangle;
    }
    for (int t = 0; t < count; t++)
        for (int k = 0; k < 3; k++) out->first[place[given[t].node[k]] + 1]++;
    for (int n = 0; n < out->node_count; n++) out->first[n + 1] += out->first[n];
    int *next = CRM_ARENA_ARRAY(scratch, int, out->node_count);
    if (next == NULL) return false;
    memcpy(next, out->first, sizeof *next * (size_t)out->node_count);
    // Around a closed surface the nodes after it in its triangles are all its neighbours.
    for (int t = 0; t < count; t++)
        for (int k = 0; k < 3; k++)
            out->neighbours[next[place[given[t].node[k]]]++] = flex->first_body + given[t].node[(k + 1) % 3];
    return true;
}

carom_status crm_flex_surfaces_create(carom_state *state, crm_flex_surfaces *out, carom_error *error) {
    const carom_model *model = state->model;
    *out = (crm_flex_surfaces){.model = model, .count = model->flexes.count};
    crm_arena_init(&out->arena, &model->allocator);
    out->surfaces = CRM_ARENA_ZEROED(&state->arena, crm_surface, out->count);
    out->normal = CRM_ARENA_ZEROED(&state->arena, carom_vec3, model->bodies.count);
    out->stamp = CRM_ARENA_ZEROED(&state->arena, int, model->bodies.count);
    bool made = !crm_arena_refused(&state->arena);
    for (int f = 0; made && f < out->count; f++) {
        int *place = CRM_ARENA_ARRAY(&out->arena, int, model->flexes.items[f].node_count);
        made = place != NULL &&
               make_surface(&model->flexes.items[f], &state->arena, &out->arena, place, &out->surfaces[f]);
    }
    crm_arena_reset(&out->arena);
    return made ? CAROM_OK : crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for surfaces of flexible bodies");
}

void crm_flex_surfaces_release(crm_flex_surfaces *surfaces) {
    if (surfaces->model == NULL) return;
    CRM_ARRAY_FREE(&surfaces->model->allocator, &surfaces->found);
    crm_arena_free(&surfaces->arena);
}

// ---- where surfaces are

static carom_vec3 lower(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(fmin(a.x, b.x), fmin(a.y, b.y), fmin(a.z, b.z));
}

static carom_vec3 upper(carom_vec3 a, carom_vec3 b) {
    return crm_vec3(fmax(a.x, b.x), fmax(a.y, b.y), fmax(a.z, b.z));
}

static double angle_at(carom_vec3 at, carom_vec3 a, carom_vec3 b) {
    carom_vec3 u = crm_sub(a, at), v = crm_sub(b, at);
    return atan2(crm_length(crm_cross(u, v)), crm_dot(u, v));
}

static void place_surface(crm_flex_surfaces *all, const crm_motion *motions, crm_surface *s) {
    s->low = s->high = motions[s->nodes[0]].x;
    s->speed = 0.0;
    s->gridded = false;
    for (int i = 0; i < s->node_count; i++) {
        int b = s->nodes[i];
        s->low = lower(s->low, motions[b].x);
        s->high = upper(s->high, motions[b].x);
        s->speed = fmax(s->speed, crm_length(crm_motion_velocity(&all->model->bodies.items[b], &motions[b])));
    }
}

static void find_normals(crm_flex_surfaces *all, const crm_motion *motions, crm_surface *s) {
    for (int i = 0; i < s->node_count; i++) all->normal[s->nodes[i]] = crm_vec3_zero();
    for (int t = 0; t < s->triangle_count; t++) {
        triangle *of = &s->triangles[t];
        carom_vec3 x[3] = {motions[of->node[0]].x, motions[of->node[1]].x, motions[of->node[2]].x};
        (void)crm_normalise(crm_cross(crm_sub(x[1], x[0]), crm_sub(x[2], x[0])), &of->normal);
        for (int k = 0; k < 3; k++) {
            carom_vec3 *to = &all->normal[of->node[k]];
            *to = crm_madd(*to, angle_at(x[k], x[(k + 1) % 3], x[(k + 2) % 3]), of->normal);
        }
    }
}

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
    return range_of(s, crm_sub(lower(a, lower(b, c)), room), crm_add(upper(a, upper(b, c)), room));
}

// Every triangle in all cells that it is within `margin` of: a point looks into its own cell only.
static bool make_grid(crm_flex_surfaces *all, const crm_motion *motions, double margin, crm_surface *s) {
    enum { MOST_CELLS = 64 };
    find_normals(all, motions, s);
    s->cell = fmax(s->edge, margin);
    carom_vec3 size = crm_sub(s->high, s->low);
    double longest = crm_max_component(size) + 2.0 * margin;
    if (longest > MOST_CELLS * s->cell) s->cell = longest / MOST_CELLS;
    s->origin = crm_sub(s->low, crm_vec3(margin, margin, margin));
    const double sizes[3] = {size.x, size.y, size.z};
    for (int k = 0; k < 3; k++) s->cells[k] = 1 + (int)floor((sizes[k] + 2.0 * margin) / s->cell);
    int count = s->cells[0] * s->cells[1] * s->cells[2];
    s->cell_start = CRM_ARENA_ZEROED(&all->arena, int, (ptrdiff_t)count + 1);
    if (s->cell_start == NULL) return false;
    for (int round = 0; round < 2; round++) {
        for (int t = 0; t < s->triangle_count; t++) {
            cell_range r = range_of_triangle(s, motions, t, margin);
            for (int z = r.low[2]; z <= r.high[2]; z++)
                for (int y = r.low[1]; y <= r.high[1]; y++)
                    for (int x = r.low[0]; x <= r.high[0]; x++) {
                        int cell = (z * s->cells[1] + y) * s->cells[0] + x;
                        if (round == 0)
                            s->cell_start[cell + 1]++;
                        else
                            s->cell_list[s->cell_start[cell]++] = t;
                    }
        }
        if (round == 1) break;
        for (int c = 0; c < count; c++) s->cell_start[c + 1] += s->cell_start[c];
        s->cell_list = CRM_ARENA_ARRAY(&all->arena, int, s->cell_start[count]);
        if (s->cell_list == NULL) return false;
    }
    memmove(s->cell_start + 1, s->cell_start, sizeof *s->cell_start * (size_t)count);
    s->cell_start[0] = 0;
    s->gridded = true;
    return true;
}

// ---- a point and a triangle

typedef struct nearest {
    double square; // of the distance, m^2
    int triangle;
    double weight[3];
} nearest;

// Barycentric coordinates of the nearest point, by the region that the point is in.
static void closest_on(carom_vec3 p, carom_vec3 a, carom_vec3 b, carom_vec3 c, double w[3]) {
    carom_vec3 ab = crm_sub(b, a), ac = crm_sub(c, a), ap = crm_sub(p, a), bp = crm_sub(p, b), cp = crm_sub(p, c);
    double d1 = crm_dot(ab, ap), d2 = crm_dot(ac, ap), d3 = crm_dot(ab, bp), d4 = crm_dot(ac, bp);
    double d5 = crm_dot(ab, cp), d6 = crm_dot(ac, cp);
    double va = d3 * d6 - d5 * d4, vb = d5 * d2 - d1 * d6, vc = d1 * d4 - d3 * d2;
    w[0] = w[1] = w[2] = 0.0;
    if (d1 <= 0.0 && d2 <= 0.0) {
        w[0] = 1.0;
    } else if (d3 >= 0.0 && d4 <= d3) {
        w[1] = 1.0;
    } else if (d6 >= 0.0 && d5 <= d6) {
        w[2] = 1.0;
    } else if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) {
        w[1] = d1 / (d1 - d3), w[0] = 1.0 - w[1];
    } else if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) {
        w[2] = d2 / (d2 - d6), w[0] = 1.0 - w[2];
    } else if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) {
        w[2] = (d4 - d3) / ((d4 - d3) + (d5 - d6)), w[1] = 1.0 - w[2];
    } else {
        double sum = va + vb + vc;
        w[1] = vb / sum, w[2] = vc / sum, w[0] = 1.0 - w[1] - w[2];
    }
}

// The surface's normal at the nearest point: of the face, both faces at an edge, all around a node.
static carom_vec3 normal_at(const crm_flex_surfaces *all, const crm_surface *s, const nearest *at) {
    const triangle *t = &s->triangles[at->triangle];
    int positive = 0, node = 0, zero = 0;
    for (int k = 0; k < 3; k++) {
        if (at->weight[k] > 0.0)
            positive++, node = k;
        else
            zero = k;
    }
    if (positive == 1) return all->normal[t->node[node]];
    if (positive == 2) return crm_add(t->normal, s->triangles[t->neighbour[(zero + 1) % 3]].normal);
    return t->normal;
}

static bool is_stamped(const crm_flex_surfaces *all, const triangle *t) {
    return all->stamp[t->node[0]] == all->stamped || all->stamp[t->node[1]] == all->stamped ||
           all->stamp[t->node[2]] == all->stamped;
}

static nearest find_nearest(const crm_flex_surfaces *all, const crm_surface *s, const crm_motion *motions, carom_vec3 p,
                            double margin) {
    nearest best = {.square = margin * margin, .triangle = -1};
    if (p.x < s->low.x - margin || p.y < s->low.y - margin || p.z < s->low.z - margin || p.x > s->high.x + margin ||
        p.y > s->high.y + margin || p.z > s->high.z + margin)
        return best;
    cell_range at = range_of(s, p, p);
    int cell = (at.low[2] * s->cells[1] + at.low[1]) * s->cells[0] + at.low[0];
    for (int i = s->cell_start[cell]; i < s->cell_start[cell + 1]; i++) {
        const triangle *t = &s->triangles[s->cell_list[i]];
        if (is_stamped(all, t)) continue;
        carom_vec3 a = motions[t->node[0]].x, b = motions[t->node[1]].x, c = motions[t->node[2]].x;
        nearest here = {.triangle = s->cell_list[i]};
        closest_on(p, a, b, c, here.weight);
        carom_vec3 q = crm_madd(crm_madd(crm_scale(here.weight[0], a), here.weight[1], b), here.weight[2], c);
        here.square = crm_length_squared(crm_sub(p, q));
        if (here.square < best.square) best = here;
    }
    return best;
}

// ---- contacts

// Who touches: a node, or a corner of a rigid body.
typedef struct toucher {
    int body;
    carom_vec3 point;
    double skin;
    int neighbour_count;
    const carom_vec3 *neighbours; // of the point on its own surface
    double friction;
} toucher;

// Of several points of a surface that are near a face the one that sticks out touches it, or a face would catch those
// behind it from the side.
static bool sticks_out(const toucher *who, carom_vec3 normal) {
    for (int i = 0; i < who->neighbour_count; i++) {
        carom_vec3 e = crm_sub(who->neighbours[i], who->point);
        if (-crm_dot(e, normal) > cone_share * crm_length(e)) return false;
    }
    return true;
}

// Gradients of barycentric coordinates. False: the triangle is flat.
static bool find_gradients(const carom_vec3 x[3], carom_vec3 gradient[3], carom_vec3 *area) {
    *area = crm_cross(crm_sub(x[1], x[0]), crm_sub(x[2], x[0]));
    double square = crm_length_squared(*area);
    for (int k = 0; k < 3; k++)
        gradient[k] = crm_scale(1.0 / square, crm_cross(*area, crm_sub(x[(k + 2) % 3], x[(k + 1) % 3])));
    return square > 0.0;
}

// What friction has to lean by, the point being so far off the triangle along the normal.
static void set_lean(crm_surface_contact *contact, const carom_vec3 x[3], double distance) {
    static const double steepest = 0.1; // the normal of an edge or a node may be far from the face's
    carom_vec3 gradient[3], area, n = contact->direction[0];
    if (!find_gradients(x, gradient, &area)) return;
    double along = crm_dot(n, area);
    if (!(fabs(along) > steepest * crm_length(area))) return;
    for (int k = 0; k < 2; k++) {
        carom_vec3 t = contact->direction[1 + k];
        carom_vec3 shift = crm_scale(distance, crm_madd(t, -crm_dot(t, area) / along, n));
        for (int e = 0; e < 3; e++) contact->lean[1 + e][k] = crm_dot(gradient[e], shift);
    }
}

static bool touch(crm_flex_surfaces *all, const crm_surface *s, const crm_motion *motions, const toucher *who,
                  double margin) {
    nearest at = find_nearest(all, s, motions, who->point, margin + who->skin + s->flex->def.skin);
    if (at.triangle < 0) return true;
    const triangle *t = &s->triangles[at.triangle];
    carom_vec3 q = crm_vec3_zero(), surface, n;
    for (int k = 0; k < 3; k++) q = crm_madd(q, at.weight[k], motions[t->node[k]].x);
    if (!(crm_normalise(normal_at(all, s, &at), &surface) > 0.0)) return true;
    carom_vec3 away = crm_sub(who->point, q);
    double side = crm_dot(away, surface), distance = crm_normalise(crm_scale(side < 0.0 ? -1.0 : 1.0, away), &n);
    const carom_vec3 x[3] = {motions[t->node[0]].x, motions[t->node[1]].x, motions[t->node[2]].x};
    if (distance < nearest_share * s->edge) {
        // From where the normal through the point meets the triangle's plane.
        carom_vec3 gradient[3], area;
        n = surface;
        if (!find_gradients(x, gradient, &area)) return true;
        double off = crm_dot(away, area) / crm_dot(n, area);
        carom_vec3 shift = crm_sub(away, crm_scale(off, n));
        for (int k = 0; k < 3; k++) at.weight[k] += crm_dot(gradient[k], shift);
        away = crm_scale(off, n);
    }
    double gap = (side < 0.0 ? -distance : distance) - who->skin - s->flex->def.skin;
    if (gap > margin || !sticks_out(who, n)) return true;
    if (gap < -deepest_share * s->edge) {
        all->deepest = fmax(all->deepest, -gap / s->edge);
        return true;
    }
    crm_surface_contact contact = {.body = {who->body, t->node[0], t->node[1], t->node[2]},
                                   .weight = {1.0, -at.weight[0], -at.weight[1], -at.weight[2]},
                                   .point = who->point,
                                   .direction = {n},
                                   .gap = gap,
                                   .size = s->edge,
                                   .friction = who->friction};
    crm_tangents(n, &contact.direction[1], &contact.direction[2]);
    set_lean(&contact, x, crm_dot(away, n));
    return CRM_ARRAY_PUSH(&all->model->allocator, &all->found, contact);
}

static double margin_of(double speed, double step, double edge) {
    return fmin(speed_slack * speed * step + room_share * edge, farthest_share * edge);
}

static bool are_apart(carom_vec3 low, carom_vec3 high, const crm_surface *s, double margin) {
    return low.x > s->high.x + margin || low.y > s->high.y + margin || low.z > s->high.z + margin ||
           high.x < s->low.x - margin || high.y < s->low.y - margin || high.z < s->low.z - margin;
}

static bool meet(uint32_t groups, uint32_t meets, const carom_flex_def *other) {
    return (groups & other->meets) != 0 && (other->groups & meets) != 0;
}

static double friction_of(const carom_model *model, carom_material a, carom_material b) {
    double friction = 0.0, restitution;
    (void)carom_model_get_material_pair(model, a, b, &friction, &restitution, NULL);
    return friction;
}

// Marks a node and two rings of neighbours around it, which it cannot touch.
static void stamp_rings(crm_flex_surfaces *all, const crm_surface *s, const int *place, int node, int rings) {
    all->stamp[node] = all->stamped;
    int i = place[node];
    for (int k = s->first[i]; rings > 0 && k < s->first[i + 1]; k++)
        stamp_rings(all, s, place, s->neighbours[k], rings - 1);
}

enum { MOST_NEIGHBOURS = 64, RINGS = 2 };

static bool nodes_on(crm_flex_surfaces *all, const crm_surface *p, const crm_surface *q, const crm_motion *motions,
                     double margin) {
    int *place = CRM_ARENA_ARRAY(&all->arena, int, all->model->bodies.count);
    carom_vec3 neighbours[MOST_NEIGHBOURS];
    if (place == NULL) return false;
    for (int i = 0; i < p->node_count; i++) place[p->nodes[i]] = i;
    for (int i = 0; i < p->node_count; i++) {
        int count = p->first[i + 1] - p->first[i];
        toucher who = {.body = p->nodes[i],
                       .point = motions[p->nodes[i]].x,
                       .skin = p->flex->def.skin,
                       .neighbour_count = count < MOST_NEIGHBOURS ? count : MOST_NEIGHBOURS,
                       .neighbours = neighbours,
                       .friction = friction_of(all->model, p->flex->def.material, q->flex->def.material)};
        for (int k = 0; k < who.neighbour_count; k++) neighbours[k] = motions[p->neighbours[p->first[i] + k]].x;
        all->stamped++;
        if (p == q) stamp_rings(all, p, place, p->nodes[i], RINGS);
        if (!touch(all, q, motions, &who, margin)) return false;
    }
    return true;
}

static bool find_pair(crm_flex_surfaces *all, crm_surface *p, crm_surface *q, const crm_motion *motions, double step) {
    if (p == q ? !p->flex->def.self_contact : !meet(p->flex->def.groups, p->flex->def.meets, &q->flex->def))
        return true;
    double edge = fmax(p->edge, q->edge), margin = margin_of(p->speed + q->speed, step, edge);
    double reach = margin + p->flex->def.skin + q->flex->def.skin;
    if (are_apart(p->low, p->high, q, reach)) return true;
    // One grid of the farthest that anything is looked for, for all that come near.
    double most = farthest_share * edge + p->flex->def.skin + q->flex->def.skin;
    if (!p->gridded && !make_grid(all, motions, most, p)) return false;
    if (!q->gridded && !make_grid(all, motions, most, q)) return false;
    if (!nodes_on(all, p, q, motions, margin)) return false;
    return p == q || nodes_on(all, q, p, motions, margin);
}

// ---- corners of polytopes

static bool corners_on(crm_flex_surfaces *all, int body, const crm_polytope *polytope, const carom_pose *pose,
                       const crm_surface *s, const crm_motion *motions, double margin) {
    const crm_body *of = &all->model->bodies.items[body];
    double friction = friction_of(all->model, of->def.material, s->flex->def.material);
    for (int v = 0; v < polytope->vertex_count; v++) {
        carom_vec3 neighbours[MOST_NEIGHBOURS];
        toucher who = {.body = body,
                       .point = crm_add(pose->position, crm_quat_rotate(pose->attitude, polytope->vertex[v])),
                       .neighbours = neighbours,
                       .friction = friction};
        for (int e = 0; e < polytope->edge_count && who.neighbour_count < MOST_NEIGHBOURS; e++) {
            const int32_t *ends = polytope->edge[e].vertices;
            if (ends[0] != v && ends[1] != v) continue;
            carom_vec3 other = polytope->vertex[ends[0] == v ? ends[1] : ends[0]];
            neighbours[who.neighbour_count++] = crm_add(pose->position, crm_quat_rotate(pose->attitude, other));
        }
        if (!touch(all, s, motions, &who, margin)) return false;
    }
    return true;
}

static bool find_corners(crm_flex_surfaces *all, crm_surface *s, const crm_motion *motions, double step) {
    const carom_model *model = all->model;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->def.shape.index < 0 || !meet(body->def.groups, body->def.meets, &s->flex->def)) continue;
        const carom_shape *shape = model->shapes.items[body->def.shape.index].shape;
        if (shape->polytope.vertex_count == 0) continue;
        carom_body_state at = crm_motion_to_body_state(body, &motions[b]);
        carom_pose pose = {at.position, at.attitude};
        double fastest = crm_length(at.velocity) + shape->farthest * crm_length(at.spin);
        double margin = margin_of(s->speed + fastest, step, s->edge), reach = shape->farthest + margin;
        carom_vec3 room = crm_vec3(reach, reach, reach);
        if (are_apart(crm_sub(at.position, room), crm_add(at.position, room), s, s->flex->def.skin)) continue;
        if (!s->gridded && !make_grid(all, motions, farthest_share * s->edge + s->flex->def.skin, s)) return false;
        all->stamped++;
        if (!corners_on(all, b, &shape->polytope, &pose, s, motions, margin)) return false;
    }
    return true;
}

// ---- all

carom_status crm_flex_surfaces_find(crm_flex_surfaces *all, const crm_motion *motions, double step,
                                    carom_error *error) {
    all->found.count = 0;
    all->deepest = 0.0;
    crm_arena_reset(&all->arena);
    bool made = true;
    for (int f = 0; f < all->count; f++) place_surface(all, motions, &all->surfaces[f]);
    for (int f = 0; made && f < all->count; f++) {
        for (int g = 0; made && g <= f; g++) made = find_pair(all, &all->surfaces[f], &all->surfaces[g], motions, step);
        if (made) made = find_corners(all, &all->surfaces[f], motions, step);
    }
    return made ? CAROM_OK : crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for contacts of flexible bodies");
}

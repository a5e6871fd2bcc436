// SPDX-License-Identifier: MIT
// Crowds: many bodies of one shape at about one place, where every pair overlaps. Their pairs are not even listed, as
// they would fill the memory; they are put on a cubic lattice about their place, whose points are farther apart than
// the bodies are large, nearest points first.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/start/start.h"

// Bodies of fewer are moved apart by their contacts.
enum { LEAST_CROWD = 16 };
// Bodies in one cell of a grid this wide, of their in-radius, all overlap.
static const double cell_width = 0.5;
// And of compounds, which have no in-radius, of their bounding radius.
static const double least_width = 1e-3;
// Coordinates in cells beyond this have no neighbours to tell apart.
static const double farthest_cell = 1e15;
// Of the largest diameter: the lattice's spacing.
static const double spacing = 1.0 + 1e-6;

typedef struct place {
    int shape, body;
    bool planar;
    double cell[3];
} place;

static int compare_places(const void *first, const void *second) {
    const place *a = first, *b = second;
    if (a->shape != b->shape) return a->shape < b->shape ? -1 : 1;
    if (a->planar != b->planar) return a->planar < b->planar ? -1 : 1;
    for (int k = 0; k < 3; k++)
        if (a->cell[k] != b->cell[k]) return a->cell[k] < b->cell[k] ? -1 : 1;
    return a->body < b->body ? -1 : a->body > b->body;
}

static bool is_same_place(const place *a, const place *b) {
    return a->shape == b->shape && a->planar == b->planar && a->cell[0] == b->cell[0] && a->cell[1] == b->cell[1] &&
           a->cell[2] == b->cell[2];
}

static bool is_jointed(const carom_model *model, int body) {
    for (int j = 0; j < model->joints.count; j++)
        if (model->joints.items[j].a.body == body || model->joints.items[j].b.body == body) return true;
    return false;
}

static carom_vec3 shape_centre(const crm_body *body, const carom_shape *shape, const crm_motion *motion) {
    carom_body_state own = crm_motion_to_body_state(body, motion);
    return crm_add(own.position, crm_quat_rotate(own.attitude, carom_shape_centre(shape)));
}

// Bodies that may be put elsewhere, with their cells.
static int list_places(const carom_model *model, const crm_motion *motions, place *out) {
    int count = 0;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind == CAROM_BODY_FIXED || body->def.shape.index < 0) continue;
        const carom_shape *shape = carom_model_get_shape(model, body->def.shape);
        double width =
            cell_width * fmax(carom_shape_in_radius(shape), least_width * carom_shape_bounding_radius(shape));
        carom_vec3 centre = shape_centre(body, shape, &motions[b]);
        const double at[3] = {centre.x / width, centre.y / width, centre.z / width};
        if (!(width > 0.0 && fabs(at[0]) + fabs(at[1]) + fabs(at[2]) < farthest_cell)) continue;
        out[count++] = (place){.shape = body->def.shape.index,
                               .body = b,
                               .planar = body->kind == CAROM_BODY_PLANAR,
                               .cell = {floor(at[0] + 0.5), floor(at[1] + 0.5), floor(at[2] + 0.5)}};
    }
    return count;
}

static bool meets(const carom_model *model, const place *a, const place *b) {
    return carom_model_bodies_meet(model, (carom_body){a->body}, (carom_body){b->body});
}

// Moves those that meet the first one and the one before, and are in no joint, to the front; how many they are. Pairs
// are too many to ask of all.
static int keep_those_that_meet(const carom_model *model, place *crowd, int count) {
    int kept = 0;
    for (int i = 0; i < count; i++) {
        if (is_jointed(model, crowd[i].body)) continue;
        bool met = kept == 0 || (meets(model, &crowd[0], &crowd[i]) && meets(model, &crowd[kept - 1], &crowd[i]));
        if (met) crowd[kept++] = crowd[i];
    }
    return kept;
}

// ---- the lattice

typedef struct lattice_point {
    int x, y, z;
} lattice_point;

static int compare_points(const void *first, const void *second) {
    const lattice_point *a = first, *b = second;
    int from_a = a->x * a->x + a->y * a->y + a->z * a->z, from_b = b->x * b->x + b->y * b->y + b->z * b->z;
    if (from_a != from_b) return from_a < from_b ? -1 : 1;
    if (a->x != b->x) return a->x < b->x ? -1 : 1;
    if (a->y != b->y) return a->y < b->y ? -1 : 1;
    return a->z < b->z ? -1 : a->z > b->z;
}

// At least `count` points of a cube or a square about the origin, nearest first.
static lattice_point *list_points(crm_arena *arena, int count, bool planar) {
    int half = 0;
    while (pow(2.0 * half + 1.0, planar ? 2.0 : 3.0) < count) half++;
    int side = 2 * half + 1, all = planar ? side * side : side * side * side;
    lattice_point *points = CRM_ARENA_ARRAY(arena, lattice_point, all);
    if (points == NULL) return NULL;
    for (int i = 0; i < all; i++)
        points[i] = (lattice_point){i % side - half, i / side % side - half, planar ? 0 : i / (side * side) - half};
    qsort(points, (size_t)all, sizeof *points, compare_points);
    return points;
}

// Farthest point of a body from its centre of mass.
static double extent_of(const crm_body *body, const carom_shape *shape) {
    return 0.5 * body->size + crm_distance(carom_shape_centre(shape), body->centre);
}

// The centre of mass of the crowd stays where it is.
static bool spread(crm_start *start, const place *crowd, int count, crm_motion *motions) {
    const carom_model *model = start->model;
    const lattice_point *points = list_points(&start->arena, count, crowd[0].planar);
    if (points == NULL) return false;
    double width = 0.0, mass = 0.0;
    carom_vec3 centre = crm_vec3_zero(), shift = crm_vec3_zero();
    for (int i = 0; i < count; i++) {
        const crm_body *body = &model->bodies.items[crowd[i].body];
        const carom_vec3 at = crm_vec3(points[i].x, points[i].y, points[i].z);
        width = fmax(width, 2.0 * spacing * extent_of(body, carom_model_get_shape(model, body->def.shape)));
        mass += body->mass;
        centre = crm_madd(centre, body->mass, motions[crowd[i].body].x);
        shift = crm_madd(shift, body->mass, at);
    }
    carom_vec3 origin = crm_scale(1.0 / mass, crm_madd(centre, -width, shift));
    for (int i = 0; i < count; i++) {
        const carom_vec3 at = crm_vec3(points[i].x, points[i].y, points[i].z);
        motions[crowd[i].body].x = crm_madd(origin, width, at);
    }
    return true;
}

// ---- crowds

// False: its first two do not overlap.
static bool note_crowd(const crm_start *start, const place *crowd, int count, const crm_motion *motions,
                       crm_deepest *found) {
    int a = crowd[0].body, b = crowd[1].body;
    carom_view view_a = crm_body_view(start->model, a, &motions[a]),
               view_b = crm_body_view(start->model, b, &motions[b]);
    carom_gap_witness gap;
    if (carom_gap_find(&view_a, &view_b, NULL, NULL, &gap, NULL) != CAROM_OK || gap.gap >= 0.0) return false;
    double share = -gap.gap / crm_pair_size(start->model, a, b);
    found->pairs += (int64_t)count * (count - 1) / 2;
    if (share > found->share) *found = (crm_deepest){share, -gap.gap, a, b, found->pairs};
    return true;
}

carom_status crm_start_crowds(crm_start *start, crm_motion *motions, bool move, crm_deepest *found,
                              carom_error *error) {
    *found = (crm_deepest){.a = -1, .b = -1};
    if (start->proxy_count < LEAST_CROWD) return CAROM_OK;
    place *places = CRM_ARENA_ARRAY(&start->arena, place, start->proxy_count);
    if (places == NULL) return crm_fail_memory(error, "places of bodies", (size_t)start->proxy_count * sizeof *places);
    int count = list_places(start->model, motions, places);
    qsort(places, (size_t)count, sizeof *places, compare_places);
    for (int i = 0, end; i < count; i = end) {
        for (end = i + 1; end < count && is_same_place(&places[i], &places[end]);) end++;
        if (end - i < LEAST_CROWD) continue;
        int crowd = keep_those_that_meet(start->model, places + i, end - i);
        if (crowd < LEAST_CROWD || !note_crowd(start, places + i, crowd, motions, found)) continue;
        if (move && !spread(start, places + i, crowd, motions))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory to move %d bodies apart", crowd);
    }
    return CAROM_OK;
}

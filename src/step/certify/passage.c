// SPDX-License-Identifier: MIT
#include "step/certify/passage.h"

#include <math.h>

#include "base/forest.h"
#include "carom/distance.h"
#include "model/proxies.h"
#include "shape/shape.h"
#include "step/certify/accounts.h"
#include "step/contacts/contact_step.h"

// A way that comes closer to the other body than this share of the own in-radius leads into it; what rests on the other
// one or slides along it stays at 1.
static const double leads_into = 0.9;

static const carom_shape *shape_of(const carom_model *model, int body) {
    int shape = model->bodies.items[body].def.shape.index;
    return shape >= 0 ? model->shapes.items[shape].shape : NULL;
}

static bool is_bounded(const carom_shape *shape) {
    return shape->kind != CAROM_SHAPE_HALF_SPACE && shape->kind != CAROM_SHAPE_CONTAINER;
}

// A convex piece of a body: a part of a compound, as the middle of a ring is no part of it, or the whole.
typedef struct piece {
    const carom_shape *shape;
    carom_pose pose; // in the body's frame
} piece;

static int piece_count(const carom_shape *shape) {
    return shape->kind == CAROM_SHAPE_COMPOUND ? shape->part_count : 1;
}

static piece piece_of(const carom_shape *shape, int number) {
    if (shape->kind != CAROM_SHAPE_COMPOUND) return (piece){shape, {crm_vec3_zero(), crm_quat_identity()}};
    return (piece){shape->part[number].shape, shape->part[number].pose};
}

static carom_pose pose_at(const carom_model *model, int body, const piece *of, const crm_motion *motions) {
    carom_body_state own = crm_motion_to_body_state(&model->bodies.items[body], &motions[body]);
    return (carom_pose){crm_add(own.position, crm_quat_rotate(own.attitude, of->pose.position)),
                        crm_quat_mul(own.attitude, of->pose.attitude)};
}

// Where the centre of a piece is.
static carom_vec3 centre_at(const carom_model *model, int body, const piece *of, const crm_motion *motions) {
    carom_pose pose = pose_at(model, body, of, motions);
    return crm_add(pose.position, crm_quat_rotate(pose.attitude, of->shape->centre));
}

// The end of b's way as a sees it, which rotates and moves itself, in the world where a is at the start.
static carom_vec3 seen_from(const crm_motion *from, const crm_motion *to, int a, carom_vec3 point) {
    carom_vec3 own = crm_quat_rotate_inverse(to[a].q, crm_sub(point, to[a].x));
    return crm_add(from[a].x, crm_quat_rotate(from[a].q, own));
}

static double gap_to(const carom_view *a, int count, const carom_vec3 *points) {
    carom_view hull = carom_view_of_vertices(count, points);
    carom_gap_witness gap;
    return carom_gap_find(a, &hull, NULL, NULL, &gap, NULL) == CAROM_OK ? gap.gap : INFINITY;
}

static void check_pieces(const carom_model *model, carom_state *state, int a, const piece *in_a, int b,
                         const piece *in_b) {
    const carom_shape *of_a = in_a->shape, *of_b = in_b->shape;
    carom_vec3 way[2] = {centre_at(model, b, in_b, state->motions),
                         seen_from(state->motions, state->next, a, centre_at(model, b, in_b, state->next))};
    double length = crm_length(crm_sub(way[1], way[0])), thickness = of_a->in_radius + of_b->in_radius;
    if (!(length > thickness)) return;
    carom_vec3 middle = crm_scale(0.5, crm_add(way[0], way[1])), to = centre_at(model, a, in_a, state->motions);
    if (crm_length(crm_sub(middle, to)) > 0.5 * length + of_a->bounding_radius + of_b->in_radius) return;
    carom_view view = carom_view_of(of_a, pose_at(model, a, in_a, state->motions));
    double closest = gap_to(&view, 2, way);
    if (closest < leads_into * of_b->in_radius) crm_finding_raise(state, CAROM_RULE_WAY, length / thickness, a, b);
    if (closest < 0.0 && gap_to(&view, 1, way) > 0.0 && gap_to(&view, 1, way + 1) > 0.0)
        crm_finding_count(state, CAROM_RULE_PASSED_THROUGH, a, b);
}

static void check_pair(const carom_model *model, carom_state *state, int a, int b) {
    const carom_shape *of_a = shape_of(model, a), *of_b = shape_of(model, b);
    if (!carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b})) return;
    for (int i = 0; i < piece_count(of_a); i++) {
        piece in_a = piece_of(of_a, i);
        for (int k = 0; k < piece_count(of_b); k++) {
            piece in_b = piece_of(of_b, k);
            check_pieces(model, state, a, &in_a, b, &in_b);
        }
    }
}

// Whether a piece of the body makes at least half of a way that is longer than it and the thinnest of all are thick: of
// two that meet one does.
static bool is_fast(const carom_model *model, const carom_state *state, int body) {
    const carom_shape *shape = shape_of(model, body);
    const crm_motion *from = &state->motions[body], *to = &state->next[body];
    double way = crm_length(crm_sub(to->x, from->x)), least = crm_shape_thinnest(shape) + state->accounts.thinnest;
    if (shape->kind != CAROM_SHAPE_COMPOUND) return way > 0.5 * least;
    return way + crm_quat_angle(from->q, to->q) * shape->bounding_radius > 0.5 * least; // no chord is longer
}

// Ways are compared with the thinnest body first: as a rule nothing is that fast.
static void check_ways(const carom_model *model, carom_state *state) {
    for (int b = 0; b < model->bodies.count; b++) {
        const carom_shape *shape = shape_of(model, b);
        if (shape == NULL || !is_bounded(shape) || !crm_body_moves(model, b) || !is_fast(model, state, b)) continue;
        for (int a = 0; a < model->bodies.count; a++)
            if (a != b && shape_of(model, a) != NULL && is_bounded(shape_of(model, a))) {
                check_pair(model, state, a, b);
                check_pair(model, state, b, a);
            }
    }
}

// ---- methods without contact

static bool pieces_inside_each_other(const carom_model *model, const carom_state *state, int a, const piece *in_a,
                                     int b, const piece *in_b) {
    carom_vec3 centre_a = centre_at(model, a, in_a, state->next), centre_b = centre_at(model, b, in_b, state->next);
    if (is_bounded(in_a->shape) && is_bounded(in_b->shape))
        return crm_length(crm_sub(centre_a, centre_b)) < in_a->shape->in_radius + in_b->shape->in_radius;
    bool floor_a = in_a->shape->kind == CAROM_SHAPE_HALF_SPACE, floor_b = in_b->shape->kind == CAROM_SHAPE_HALF_SPACE;
    const piece *other = floor_a ? in_b : in_a;
    if ((!floor_a && !floor_b) || !is_bounded(other->shape)) return false;
    int floor = floor_a ? a : b;
    carom_view view = crm_body_view(model, floor, &state->next[floor]);
    return gap_to(&view, 1, floor_a ? &centre_b : &centre_a) < other->shape->in_radius * (1.0 - 1e-9);
}

static bool inside_each_other(const carom_model *model, const carom_state *state, int a, int b) {
    const carom_shape *of_a = shape_of(model, a), *of_b = shape_of(model, b);
    for (int i = 0; i < piece_count(of_a); i++) {
        piece in_a = piece_of(of_a, i);
        for (int k = 0; k < piece_count(of_b); k++) {
            piece in_b = piece_of(of_b, k);
            if (pieces_inside_each_other(model, state, a, &in_a, b, &in_b)) return true;
        }
    }
    return false;
}

static void check_ghosts(const carom_model *model, carom_state *state) {
    for (int a = 0; a < model->bodies.count; a++) {
        if (shape_of(model, a) == NULL) continue;
        for (int b = a + 1; b < model->bodies.count; b++) {
            if (shape_of(model, b) == NULL || (!crm_body_moves(model, a) && !crm_body_moves(model, b))) continue;
            bool together = crm_forest_root(state->accounts.root, a) == crm_forest_root(state->accounts.root, b);
            if (together || !carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b})) continue;
            if (inside_each_other(model, state, a, b)) crm_finding_count(state, CAROM_RULE_NO_CONTACT, a, b);
        }
    }
}

// All pairs are looked at: of many bodies not in every step.
enum { MOST_BODIES_EVERY_STEP = 64, STEPS_BETWEEN = 16 };

void crm_passage_check(const carom_model *model, carom_state *state, bool has_contact) {
    if (model->shaped_count < 2) return;
    if (has_contact) {
        check_ways(model, state);
        return;
    }
    if (model->shaped_count <= MOST_BODIES_EVERY_STEP || state->step_count % STEPS_BETWEEN == 0)
        check_ghosts(model, state);
}

// SPDX-License-Identifier: MIT
// Least gaps of avoided pairs, at nodes and between them: there centres of mass move on lines and bodies rotate at
// constant spin from one attitude to the next, and the least gap on the way is proved (distance/toi/least_gap.h).
//
// Bodies that touch where they are told to, at a node where both poses are asked or at a planned contact, are excepted
// there and in both intervals beside it: of these it counts that they do not overlap. What stays in touch from a node
// on (sticky) rolls between nodes; that is told, and bounded by nothing.
#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "control/certificate/plan_facts.h"
#include "distance/toi/least_gap.h"
#include "math/so3.h"

// Of the plan's unit of length: how far a proved gap is below one that was seen, at most.
static const double accuracy = 1e-10;
// Queries for each pair of parts in an interval.
enum { MOST_QUERIES = 20000 };

// ---- pairs

static const carom_shape *shape_of(const crm_plan_facts *f, int body) {
    return body < 0 ? NULL : carom_model_get_shape(f->model, crm_fact_body(f, body)->def.shape);
}

typedef struct pairs {
    carom_plan_pair *item;
    int count;
} pairs;

static bool can_be_measured(const crm_plan_facts *f, carom_body a, carom_body b) {
    return shape_of(f, a.index) != NULL && shape_of(f, b.index) != NULL &&
           (crm_fact_moves(f, a.index) || crm_fact_moves(f, b.index));
}

static carom_status find_pairs(const crm_plan_facts *f, crm_arena *arena, pairs *out, carom_error *error) {
    ptrdiff_t most = (ptrdiff_t)f->bodies * f->bodies / 2 + f->def->avoid.pair_count;
    *out = (pairs){CRM_ARENA_ARRAY(arena, carom_plan_pair, most), 0};
    if (out->item == NULL) return crm_fail_memory(error, "pairs of a plan", sizeof *out->item * (size_t)most);
    for (int i = 0; i < f->def->avoid.pair_count; i++) {
        carom_plan_pair pair = f->def->avoid.pair[i];
        if (can_be_measured(f, pair.a, pair.b)) out->item[out->count++] = pair;
    }
    for (int a = 0; f->def->avoid.pair_count == 0 && a < f->bodies; a++) {
        for (int b = a + 1; b < f->bodies; b++) {
            carom_plan_pair pair = {{a}, {b}};
            if (can_be_measured(f, pair.a, pair.b) && carom_model_bodies_meet(f->model, pair.a, pair.b))
                out->item[out->count++] = pair;
        }
    }
    return CAROM_OK;
}

// ---- where they may touch

typedef enum touching {
    APART,
    TOUCHES, // there and not for longer
    STAYS    // in touch
} touching;

static touching planned(const crm_plan_facts *f, const carom_plan_pair *pair, int node) {
    touching found = APART;
    for (int i = 0; i < f->def->contact_count; i++) {
        const carom_plan_contact *c = &f->def->contact[i];
        bool these = (c->a.index == pair->a.index && c->b.index == pair->b.index) ||
                     (c->a.index == pair->b.index && c->b.index == pair->a.index);
        if (!these) continue;
        if (c->node == node && found == APART) found = TOUCHES;
        if (c->sticky && node >= c->node) found = STAYS;
    }
    return found;
}

static carom_view view_of(const crm_plan_facts *f, int node, int body) {
    const crm_motion *at = &f->at[crm_fact_at(f, node, body)];
    carom_quat attitude = crm_quat_normalised(crm_quat_mul(at->q, crm_quat_conjugate(crm_fact_body(f, body)->frame)));
    carom_vec3 arm = crm_quat_rotate(attitude, crm_fact_body(f, body)->centre);
    return carom_view_of(shape_of(f, body), (carom_pose){crm_sub(at->x, arm), attitude});
}

static carom_status gap_at(const crm_plan_facts *f, const carom_plan_pair *pair, int node, double *gap,
                           carom_error *error) {
    carom_view a = view_of(f, node, pair->a.index), b = view_of(f, node, pair->b.index);
    carom_gap_witness witness;
    carom_status status = carom_gap_find(&a, &b, NULL, NULL, &witness, error);
    *gap = witness.gap;
    return status;
}

// Told by the poses that are asked, or by a contact.
static touching touches(const crm_plan_facts *f, const carom_plan_pair *pair, int node, double gap) {
    touching contact = planned(f, pair, node);
    if (contact != APART) return contact;
    bool near = gap < f->def->avoid.margin;
    return near && crm_pose_is_asked(f, node, pair->a.index, pair->b.index) ? TOUCHES : APART;
}

// ---- the way of an interval

static crm_way way_of(const crm_plan_facts *f, int interval, int body) {
    const crm_motion *from = &f->at[crm_fact_at(f, interval, body)], *to = &f->at[crm_fact_at(f, interval + 1, body)];
    carom_quat rotation = crm_quat_mul(to->q, crm_quat_conjugate(from->q));
    if (rotation.w < 0.0) rotation = crm_quat_negate(rotation);
    crm_way way = {.view = view_of(f, interval, body), .pivot = from->x};
    if (!crm_fact_moves(f, body)) return way;
    way.motion.velocity = crm_sub(to->x, from->x);
    way.motion.spin = crm_so3_log(crm_quat_normalised(rotation));
    return way;
}

static void note(crm_plan_nearest *nearest, const carom_plan_pair *pair, double gap, double time) {
    if (gap < nearest->gap) *nearest = (crm_plan_nearest){gap, pair->a, pair->b, time};
}

// What there is of an interval for one pair.
static carom_status check_way(crm_plan_facts *f, const carom_plan_pair *pair, int k, touching kind,
                              carom_error *error) {
    crm_plan_nearest *nearest = kind == APART     ? &f->out->in_interval[k]
                                : kind == TOUCHES ? &f->out->touch
                                                  : &f->out->rolling;
    crm_way a = way_of(f, k, pair->a.index), b = way_of(f, k, pair->b.index);
    // No nearer than what is known already need it be told.
    const crm_least_gap_options options = {1.0, accuracy * f->length, nearest->gap, MOST_QUERIES};
    crm_least_gap found;
    carom_status status = crm_least_gap_find(&a, &b, &options, &found, error);
    if (status == CAROM_OK) note(nearest, pair, found.gap, found.time);
    return status;
}

// ---- all of it

// At a node: the gap, and whether the pair touches there.
static carom_status check_node(crm_plan_facts *f, const carom_plan_pair *pair, int node, touching *kind,
                               carom_error *error) {
    double gap;
    carom_status status = gap_at(f, pair, node, &gap, error);
    if (status != CAROM_OK) return status;
    *kind = touches(f, pair, node, gap);
    note(*kind == APART ? &f->out->at_node[node] : &f->out->touch, pair, gap, 0.0);
    return CAROM_OK;
}

static touching of_interval(touching from, touching to) {
    if (from == STAYS && to == STAYS) return STAYS;
    return from == APART && to == APART ? APART : TOUCHES;
}

static carom_status check_pair(crm_plan_facts *f, const carom_plan_pair *pair, carom_error *error) {
    touching from = APART, to = APART;
    carom_status status = check_node(f, pair, 0, &from, error);
    for (int k = 0; k < f->intervals && status == CAROM_OK; k++, from = to) {
        if (crm_interrupted(&f->model->interrupt)) return crm_fail_interrupted(error);
        status = check_node(f, pair, k + 1, &to, error);
        if (status == CAROM_OK) status = check_way(f, pair, k, of_interval(from, to), error);
    }
    return status;
}

static double least_of(const crm_plan_nearest *nearest, int count) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = fmin(least, nearest[i].gap);
    return least;
}

carom_status crm_check_gaps(crm_plan_facts *f, crm_arena *arena, carom_error *error) {
    crm_plan_findings *out = f->out;
    const crm_plan_nearest nowhere = {INFINITY, {-1}, {-1}, 0.0};
    for (int k = 0; k <= f->intervals; k++) out->at_node[k] = nowhere;
    for (int k = 0; k < f->intervals; k++) out->in_interval[k] = nowhere;
    out->touch = out->rolling = (crm_plan_nearest){0.0, {-1}, {-1}, 0.0};
    pairs list = {NULL, 0};
    carom_status status = f->def->avoid.on ? find_pairs(f, arena, &list, error) : CAROM_OK;
    for (int i = 0; i < list.count && status == CAROM_OK; i++) status = check_pair(f, &list.item[i], error);
    out->certificate.margin = f->def->avoid.margin;
    out->certificate.gap_at_nodes = least_of(out->at_node, f->intervals + 1);
    out->certificate.gap_between = least_of(out->in_interval, f->intervals);
    return status;
}

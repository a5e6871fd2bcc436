// SPDX-License-Identifier: MIT
// A plan as data, for recordings, pages and runs: poses and velocities of body frames, controls as what acts on bodies.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "control/motion/control_wrench.h"
#include "control/plan/plan_solve.h"
#include "control/rows/touch/avoid.h"
#include "model/mechanism/joint_projection.h"

typedef struct telling {
    const carom_plan *plan;
    const crm_plan_trial *trial;
    crm_arena *arena;
    carom_plan_data *out;
} telling;

// ---- controls

static void tell_controls(telling *t) {
    const carom_plan_def *def = &t->plan->def;
    carom_plan_control *control = CRM_ARENA_ARRAY(t->arena, carom_plan_control, def->control_count);
    t->out->control = control;
    t->out->control_count = def->control_count;
    for (int i = 0; i < def->control_count && control != NULL; i++) {
        const carom_control_def *from = &def->control[i];
        crm_control_numbers numbers = crm_control_numbers_of(t->plan->model, from);
        bool motor = from->kind == CAROM_CONTROL_MOTOR;
        control[i] = (carom_plan_control){.kind = from->kind,
                                          .body = motor ? (carom_body){-1} : from->body,
                                          .joint = motor ? from->joint : -1,
                                          .in_body_axes = from->in_body_axes && !motor,
                                          .first = t->out->number_count,
                                          .size = numbers.forces + numbers.torques,
                                          .force_count = numbers.forces,
                                          .force_limit = from->force_limit,
                                          .torque_limit = from->torque_limit};
        t->out->number_count += control[i].size;
    }
}

// How many wrenches the controls make in an interval; into `out` unless that is NULL.
static int wrenches_of(const telling *t, const double *number, carom_body_wrench *out) {
    int count = 0;
    for (int i = 0; i < t->out->control_count; i++) {
        carom_body_wrench own[2];
        int made = crm_control_wrenches(t->plan->model, &t->plan->def.control[i], number, own);
        for (int k = 0; k < made && out != NULL; k++) out[count + k] = own[k];
        count += made;
        number += t->out->control[i].size;
    }
    return count;
}

static void tell_wrenches(telling *t) {
    carom_plan_data *d = t->out;
    d->wrench_count = wrenches_of(t, d->value, NULL);
    carom_body_wrench *wrench =
        CRM_ARENA_ZEROED(t->arena, carom_body_wrench, (ptrdiff_t)d->interval_count * d->wrench_count);
    d->wrench = wrench;
    for (int k = 0; k < d->interval_count && wrench != NULL; k++)
        wrenches_of(t, d->value + (ptrdiff_t)k * d->number_count, wrench + (ptrdiff_t)k * d->wrench_count);
}

// ---- motion

// Momenta at a node after impulses there; at the start those that the plan begins with. Joints are left to the
// projection below: all that they exchange at a node is along what they block.
static crm_vec6 momenta_at(const telling *t, int node, int body) {
    const crm_node_momenta *n = &t->trial->nodes;
    ptrdiff_t at = (ptrdiff_t)node * t->trial->motion.body_count + body;
    if (node == 0) return crm_vec6_of(n->before[at], n->spin_before[at]);
    return crm_vec6_of(n->after[at], n->spin_after[at]);
}

static void place_at(const telling *t, const crm_plan_motion *m, int node, crm_motion *motions) {
    const carom_model *model = t->plan->model;
    for (int b = 0; b < m->body_count; b++) {
        ptrdiff_t at = (ptrdiff_t)node * m->body_count + b;
        const crm_body *body = &model->bodies.items[b];
        motions[b] =
            (crm_motion){.x = m->position[at], .q = crm_quat_mul(crm_quat_from_mat3(m->attitude[at]), body->frame)};
        if (m != &t->trial->motion || !crm_body_moves(model, b)) continue;
        crm_vec6 momenta = momenta_at(t, node, b);
        motions[b].p = momenta.linear;
        motions[b].l = momenta.angular;
    }
}

static carom_body_state state_of(const telling *t, int body, const crm_motion *motion) {
    const crm_body *b = &t->plan->model->bodies.items[body];
    carom_body_state state = crm_motion_to_body_state(b, motion);
    if (b->kind == CAROM_BODY_POINT) state.spin = crm_vec3_zero();
    return state;
}

static carom_status tell_motion(telling *t, carom_error *error) {
    const crm_plan_motion *m = &t->trial->motion;
    carom_plan_data *d = t->out;
    d->interval_count = m->interval_count;
    ptrdiff_t nodes = m->interval_count + 1;
    double *time = CRM_ARENA_ARRAY(t->arena, double, nodes);
    carom_body_state *told = CRM_ARENA_ARRAY(t->arena, carom_body_state, nodes * m->body_count);
    crm_motion *motions = CRM_ARENA_ARRAY(t->arena, crm_motion, m->body_count);
    crm_joint_projection *joints = CRM_ARENA_ZEROED(t->arena, crm_joint_projection, 1);
    if (crm_arena_refused(t->arena)) return crm_fail_memory(error, "the data of a plan", sizeof *told);
    bool joined = t->plan->model->joints.count > 0;
    carom_status status = joined ? crm_joint_projection_create(t->plan->model, t->arena, joints, error) : CAROM_OK;
    for (int k = 0; k < nodes && status == CAROM_OK; k++) {
        time[k] = k == 0 ? 0.0 : time[k - 1] + m->length[k - 1];
        place_at(t, m, k, motions);
        if (joined) crm_joint_projection_slow(joints, motions);
        for (int b = 0; b < m->body_count; b++) told[k * m->body_count + b] = state_of(t, b, &motions[b]);
    }
    d->time = time;
    d->motion = told;
    d->value = m->control;
    return status;
}

static carom_status tell_guess(telling *t, carom_error *error) {
    crm_plan_motion m;
    crm_node_momenta nodes;
    carom_status status = crm_plan_motion_read(&t->trial->draft, t->trial->guess, t->arena, &m, &nodes, error);
    if (status != CAROM_OK) return status;
    ptrdiff_t poses = (ptrdiff_t)(m.interval_count + 1) * m.body_count;
    carom_pose *guess = CRM_ARENA_ARRAY(t->arena, carom_pose, poses);
    crm_motion *motions = CRM_ARENA_ARRAY(t->arena, crm_motion, m.body_count);
    if (crm_arena_refused(t->arena)) return crm_fail_memory(error, "the guess of a plan", sizeof *guess);
    for (int k = 0; k <= m.interval_count; k++) {
        place_at(t, &m, k, motions);
        for (int b = 0; b < m.body_count; b++) {
            carom_body_state state = state_of(t, b, &motions[b]);
            guess[k * m.body_count + b] = (carom_pose){state.position, state.attitude};
        }
    }
    t->out->guess = guess;
    t->out->guess_value = m.control;
    return CAROM_OK;
}

// ---- what was proved

static const carom_plan_nearest *tell_nearest(const telling *t, const crm_plan_nearest *from, int count) {
    carom_plan_nearest *to = CRM_ARENA_ARRAY(t->arena, carom_plan_nearest, count);
    for (int i = 0; i < count && to != NULL; i++) to[i] = (carom_plan_nearest){from[i].gap, from[i].a, from[i].b};
    return to;
}

static void tell_impulses(telling *t) {
    const crm_plan_motion *m = &t->trial->motion;
    carom_plan_impulse *impulse = CRM_ARENA_ARRAY(t->arena, carom_plan_impulse, m->impulse_count);
    t->out->impulse = impulse;
    for (int i = 0; i < m->impulse_count && impulse != NULL; i++) {
        const crm_plan_impulse *from = &m->impulse[i];
        if (from->joint >= 0) continue;
        // Of a motion they are on the first body, of data on the second.
        impulse[t->out->impulse_count++] = (carom_plan_impulse){.node = from->node,
                                                                .contact = from->contact,
                                                                .a = from->a,
                                                                .b = from->b,
                                                                .point = from->point,
                                                                .impulse = crm_negate(from->impulse),
                                                                .couple = crm_negate(from->couple)};
    }
}

static int part_number(const crm_avoided *avoided, const crm_convex_part *part) {
    return (int)(part - &avoided->parts.part[avoided->parts.first[part->body]]);
}

static carom_plan_plane plane_of(const telling *t, const crm_avoiding_plane *plane) {
    const crm_draft *draft = &t->trial->draft;
    const crm_avoided_pair *pair = &draft->avoided->pair[plane->pair];
    int last = draft->intervals - 1;
    carom_plan_plane told = {.interval = plane->at < last ? plane->at : last,
                             .a = {pair->a->body},
                             .b = {pair->b->body},
                             .part_a = part_number(draft->avoided, pair->a),
                             .part_b = part_number(draft->avoided, pair->b),
                             .normal = pair->a->normal,
                             .offset = pair->a->offset};
    if (plane->unknown < 0) return told; // a half-space's own
    const double *z = t->trial->point.z + plane->unknown;
    double size = crm_normalise(crm_vec3(z[0], z[1], z[2]), &told.normal); // 1 to the tolerance
    told.offset = z[3] * draft->units.length / size;
    return told;
}

static void tell_planes(telling *t) {
    const crm_avoided *avoided = t->trial->draft.avoided;
    int most = avoided != NULL ? avoided->places * avoided->pair_count : 0, active = 0;
    for (int i = 0; i < most; i++) active += avoided->plane[i].active;
    carom_plan_plane *plane = CRM_ARENA_ARRAY(t->arena, carom_plan_plane, active);
    t->out->plane = plane;
    for (int i = 0; i < most && plane != NULL; i++)
        if (avoided->plane[i].active) plane[t->out->plane_count++] = plane_of(t, &avoided->plane[i]);
}

static carom_status tell_all(telling *t, carom_error *error) {
    const crm_plan_findings *found = &t->plan->findings;
    carom_status status = tell_motion(t, error);
    if (status == CAROM_OK) status = tell_guess(t, error);
    if (status != CAROM_OK) return status;
    tell_wrenches(t);
    t->out->consistency = found->consistency;
    t->out->at_node = tell_nearest(t, found->at_node, t->out->interval_count + 1);
    t->out->between = tell_nearest(t, found->in_interval, t->out->interval_count);
    tell_impulses(t);
    tell_planes(t);
    return CAROM_OK;
}

carom_status carom_plan_get_data(carom_plan *plan, carom_plan_data *out, carom_error *error) {
    CRM_NEED(plan, error);
    CRM_NEED(out, error);
    crm_arena_free(&plan->told); // also forgets that memory was refused before
    *out = (carom_plan_data){.outcome = carom_plan_get_outcome(plan),
                             .reason = carom_plan_reason(plan),
                             .certificate = carom_plan_get_certificate(plan),
                             .solve_count = plan->solves.count,
                             .solve = plan->solves.items,
                             .body_count = plan->model->bodies.count};
    telling t = {plan, &plan->best, &plan->told, out};
    tell_controls(&t);
    carom_status status = CAROM_OK;
    if (plan->certified && crm_plan_keeps_rows(&plan->best) && !crm_arena_refused(&plan->told))
        status = tell_all(&t, error);
    if (status == CAROM_OK && crm_arena_refused(&plan->told))
        status = crm_fail_memory(error, "the data of a plan", sizeof *out);
    return status;
}

// SPDX-License-Identifier: MIT
#include "support/control/simulated_plan.h"

#include <math.h>
#include <string.h>

#include "carom/step.h"
#include "control/motion/control_wrench.h"
#include "math/quat.h"
#include "model/motion.h"
#include "support/harness/check.h"

enum { MOST_IMPULSES = 512 };

void simulated_plan_begin(simulated_plan *plan, carom_model *model, int intervals, double time) {
    memset(plan, 0, sizeof *plan);
    plan->model = model;
    plan->def = (carom_plan_def){.struct_size = sizeof(carom_plan_def), .intervals = intervals, .time = time};
    plan->def.avoid.between_nodes = true;
    plan->def.control = plan->control;
    plan->def.condition = plan->condition;
    plan->def.contact = plan->contact;
    plan->def.avoid.pair = plan->pair;
    crm_arena_init(&plan->arena, NULL);
}

carom_control_def *simulated_plan_control(simulated_plan *plan, carom_control_kind kind) {
    carom_control_def *control = &plan->control[plan->def.control_count++];
    *control = (carom_control_def){.kind = kind,
                                   .force = true,
                                   .torque = true,
                                   .force_limit = INFINITY,
                                   .torque_limit = INFINITY,
                                   .force_weight = 1.0,
                                   .torque_weight = 1.0};
    return control;
}

carom_plan_condition *simulated_plan_condition(simulated_plan *plan, int node, carom_body body) {
    carom_plan_condition *condition = &plan->condition[plan->def.condition_count++];
    *condition = (carom_plan_condition){.node = node, .body = body, .relative_to = CAROM_WORLD};
    return condition;
}

carom_plan_contact *simulated_plan_contact(simulated_plan *plan, int node, carom_body a, carom_body b) {
    carom_plan_contact *contact = &plan->contact[plan->def.contact_count++];
    *contact = (carom_plan_contact){.node = node, .a = a, .b = b};
    return contact;
}

void simulated_plan_lay_out(simulated_plan *plan) {
    crm_plan_motion *m = &plan->motion;
    crm_arena *arena = &plan->arena;
    CHECK_INT(carom_model_freeze(plan->model, NULL), CAROM_OK);
    int bodies = carom_model_body_count(plan->model), intervals = plan->def.intervals;
    ptrdiff_t poses = (ptrdiff_t)bodies * (intervals + 1);
    *m = (crm_plan_motion){.body_count = bodies, .interval_count = intervals};
    for (int c = 0; c < plan->def.control_count; c++) {
        crm_control_numbers numbers = crm_control_numbers_of(plan->model, &plan->control[c]);
        m->control_number_count += numbers.forces + numbers.torques;
    }
    m->length = CRM_ARENA_ZEROED(arena, double, intervals);
    m->position = CRM_ARENA_ZEROED(arena, carom_vec3, poses);
    m->attitude = CRM_ARENA_ZEROED(arena, carom_mat3, poses);
    carom_vec3 **vectors[] = {&m->momentum,     &m->spin_momentum,     &m->momentum_start, &m->spin_momentum_start,
                              &m->momentum_end, &m->spin_momentum_end, &m->force,          &m->torque};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, carom_vec3, 2 * poses);
    m->control = CRM_ARENA_ZEROED(arena, double, (ptrdiff_t)m->control_number_count *intervals);
    m->impulse = CRM_ARENA_ZEROED(arena, crm_plan_impulse, MOST_IMPULSES);
    if (crm_arena_refused(arena)) fail_msg("no memory");
    for (int k = 0; k < intervals; k++) m->length[k] = plan->def.time / intervals;
}

void simulated_plan_push(simulated_plan *plan, crm_plan_impulse impulse) {
    if (plan->motion.impulse_count == MOST_IMPULSES) fail_msg("too many impulses");
    plan->motion.impulse[plan->motion.impulse_count++] = impulse;
}

// ---- the run

static void take_poses(simulated_plan *plan, const carom_state *state, int node) {
    for (int b = 0; b < plan->motion.body_count; b++) {
        carom_body_state at;
        CHECK_INT(carom_state_get_body(state, (carom_body){b}, &at, NULL), CAROM_OK);
        int i = node * plan->motion.body_count + b;
        plan->motion.attitude[i] = crm_quat_to_mat3(at.attitude);
        plan->motion.position[i] =
            crm_add(at.position, crm_mat3_apply(plan->motion.attitude[i], plan->model->bodies.items[b].centre));
    }
}

static void take_momenta(simulated_plan *plan, const carom_state *state, carom_vec3 *p, carom_vec3 *l) {
    for (int b = 0; b < plan->motion.body_count; b++) {
        const crm_body *body = &plan->model->bodies.items[b];
        carom_body_state at;
        CHECK_INT(carom_state_get_body(state, (carom_body){b}, &at, NULL), CAROM_OK);
        crm_motion m = crm_motion_from_body_state(body, &at);
        p[b] = m.p, l[b] = m.l;
    }
}

// h p = m dx, h l = sum E d x d': of planar bodies what rotates about z.
static void take_interval(simulated_plan *plan, int k) {
    crm_plan_motion *m = &plan->motion;
    double per_step = 1.0 / m->length[k];
    for (int b = 0; b < m->body_count; b++) {
        const crm_body *body = &plan->model->bodies.items[b];
        int here = k * m->body_count + b, there = here + m->body_count;
        if (body->kind == CAROM_BODY_FIXED) continue;
        m->momentum[here] = crm_scale(body->mass * per_step, crm_sub(m->position[there], m->position[here]));
        if (body->kind == CAROM_BODY_POINT) continue;
        carom_mat3 frame = crm_quat_to_mat3(body->frame);
        carom_mat3 d = crm_mat3_mul(m->attitude[here], frame), to = crm_mat3_mul(m->attitude[there], frame);
        carom_vec3 j = body->inertia;
        double half = 0.5 * (j.x + j.y + j.z);
        carom_vec3 e = crm_vec3(half - j.x, half - j.y, half - j.z), sum;
        if (body->kind == CAROM_BODY_PLANAR) e = crm_vec3(0.5 * j.z, 0.5 * j.z, 0.5 * j.z);
        sum = crm_scale(e.x, crm_cross(d.x, to.x));
        sum = crm_madd(sum, e.y, crm_cross(d.y, to.y));
        sum = crm_madd(sum, e.z, crm_cross(d.z, to.z));
        if (body->kind == CAROM_BODY_PLANAR) sum.x = sum.y = 0.0;
        m->spin_momentum[here] = crm_scale(per_step, sum);
    }
}

static void take_forces(simulated_plan *plan, int k, const carom_body_wrench *wrench, int count) {
    crm_plan_motion *m = &plan->motion;
    for (int i = 0; i < count; i++) {
        int b = wrench[i].body.index;
        for (int end = 0; end < 2; end++) {
            int at = 2 * (k * m->body_count + b) + end;
            const carom_mat3 *attitude = &m->attitude[(k + end) * m->body_count + b];
            crm_vec6 w = crm_control_wrench_at(plan->model, &wrench[i], attitude);
            m->force[at] = crm_add(m->force[at], w.linear);
            m->torque[at] = crm_add(m->torque[at], w.angular);
        }
    }
}

static int wrenches_of(const simulated_plan *plan, int k, carom_body_wrench *wrench) {
    const double *number = plan->motion.control + (ptrdiff_t)k * plan->motion.control_number_count;
    int count = 0;
    for (int c = 0; c < plan->def.control_count; c++) {
        crm_control_numbers numbers = crm_control_numbers_of(plan->model, &plan->control[c]);
        count += crm_control_wrenches(plan->model, &plan->control[c], number, wrench + count);
        number += numbers.forces + numbers.torques;
    }
    return count;
}

static void apply(const simulated_plan *plan, carom_state *state, int first) {
    for (int i = first; i < plan->motion.impulse_count; i++) {
        const crm_plan_impulse *impulse = &plan->motion.impulse[i];
        const carom_body end[2] = {impulse->a, impulse->b};
        for (int e = 0; e < 2; e++) {
            if (end[e].index < 0 || plan->model->bodies.items[end[e].index].kind == CAROM_BODY_FIXED) continue;
            double sign = e == 0 ? 1.0 : -1.0;
            carom_vec3 centre = plan->motion.position[impulse->node * plan->motion.body_count + end[e].index];
            carom_vec3 moment = crm_cross(crm_sub(impulse->point, centre), impulse->impulse);
            carom_vec3 couple = crm_scale(sign, crm_add(impulse->couple, moment));
            CHECK_INT(carom_state_apply_impulse(state, end[e], crm_scale(sign, impulse->impulse), couple, NULL),
                      CAROM_OK);
        }
    }
}

// ---- joints

// What comes to a body at a node beside its joints: momenta on both sides, forces of both intervals, gravity.
static crm_vec6 left_over(const simulated_plan *plan, int node, int b) {
    const crm_plan_motion *m = &plan->motion;
    const crm_body *body = &plan->model->bodies.items[b];
    crm_vec6 before = crm_vec6_of(m->momentum_start[b], m->spin_momentum_start[b]);
    crm_vec6 after = crm_vec6_of(m->momentum_end[b], m->spin_momentum_end[b]);
    for (int end = 0; end < 2; end++) {
        int k = node - 1 + end, between = k * m->body_count + b, at = 2 * between + 1 - end;
        if (k < 0 || k >= m->interval_count) continue;
        carom_vec3 force = crm_madd(m->force[at], body->mass, plan->model->gravity);
        crm_vec6 half = crm_vec6_scale(0.5 * m->length[k], crm_vec6_of(force, m->torque[at]));
        crm_vec6 momenta = crm_vec6_of(m->momentum[between], m->spin_momentum[between]);
        if (end == 0) before = crm_vec6_add(momenta, half);
        if (end == 1) after = crm_vec6_sub(momenta, half);
    }
    return crm_vec6_sub(after, before);
}

// The child's balance tells what its joint does, once the joints beyond it are known.
static void find_joint_impulses(simulated_plan *plan, int node) {
    crm_plan_motion *m = &plan->motion;
    for (int j = carom_model_joint_count(plan->model) - 1; j >= 0; j--) {
        carom_joint_def def;
        CHECK_INT(carom_model_get_joint(plan->model, (carom_joint){j}, &def, NULL), CAROM_OK);
        int b = def.b.index, at = node * m->body_count + b;
        crm_vec6 needed = left_over(plan, node, b);
        for (int i = 0; i < m->impulse_count; i++) {
            const crm_plan_impulse *other = &m->impulse[i];
            if (other->node != node || (other->a.index != b && other->b.index != b)) continue;
            carom_vec3 moment = crm_cross(crm_sub(other->point, m->position[at]), other->impulse);
            crm_vec6 taken = crm_vec6_of(other->impulse, crm_add(other->couple, moment));
            needed = crm_vec6_madd(needed, other->a.index == b ? -1.0 : 1.0, taken);
        }
        carom_vec3 arm = crm_mat3_apply(m->attitude[at], crm_sub(def.point_b, plan->model->bodies.items[b].centre));
        carom_vec3 couple = crm_sub(needed.angular, crm_cross(arm, needed.linear));
        simulated_plan_push(plan, (crm_plan_impulse){.node = node,
                                                     .a = def.a,
                                                     .b = def.b,
                                                     .point = crm_add(m->position[at], arm),
                                                     .impulse = crm_negate(needed.linear),
                                                     .couple = crm_negate(couple),
                                                     .joint = j,
                                                     .contact = -1});
    }
}

void simulated_plan_run(simulated_plan *plan, simulated_impulses *impulses) {
    crm_plan_motion *m = &plan->motion;
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_VARIATIONAL;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    if (carom_state_create(plan->model, &method, &state, &error) != CAROM_OK) fail_msg("%s", error.text);
    take_poses(plan, state, 0);
    take_momenta(plan, state, m->momentum_start, m->spin_momentum_start);
    for (int k = 0; k < m->interval_count; k++) {
        carom_body_wrench wrench[2 * SIMULATED_MOST];
        int first = m->impulse_count, count = wrenches_of(plan, k, wrench);
        if (impulses != NULL) impulses(plan, state, k);
        apply(plan, state, first);
        const carom_input input = {.body_wrench_count = count, .body_wrench = wrench};
        carom_step_report report;
        CHECK_INT(carom_step_by(plan->model, state, &input, m->length[k], &report, NULL), CAROM_OK);
        if (report.outcome != CAROM_STEP_GOOD || report.substeps != 1) fail_msg("%s", report.text);
        take_poses(plan, state, k + 1);
        take_interval(plan, k);
        take_forces(plan, k, wrench, count);
    }
    int first = m->impulse_count;
    if (impulses != NULL) impulses(plan, state, m->interval_count);
    apply(plan, state, first);
    take_momenta(plan, state, m->momentum_end, m->spin_momentum_end);
    for (int node = 0; node <= m->interval_count; node++) find_joint_impulses(plan, node);
    carom_state_destroy(state);
}

void simulated_plan_end(simulated_plan *plan) {
    crm_arena_free(&plan->arena);
    carom_model_destroy(plan->model);
}

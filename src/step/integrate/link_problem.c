// SPDX-License-Identifier: MIT
#include "step/integrate/link_problem.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "step/method.h"

static double moment_of(const crm_body *body, bool strict) {
    carom_vec3 moments = body->inertia;
    if (body->kind == CAROM_BODY_POINT) return 1.0;
    if (body->kind == CAROM_BODY_PLANAR) return moments.z;
    return strict ? fmin(moments.x, fmin(moments.y, moments.z)) : fmax(moments.x, fmax(moments.y, moments.z));
}

bool crm_link_problem_create(const carom_model *model, int sum_count, bool strict, crm_arena *arena,
                             crm_link_problem *problem) {
    int links = model->graph.link_count;
    *problem = (crm_link_problem){.model = model, .strict = strict};
    problem->block = CRM_ARENA_ARRAY(arena, crm_error_block, 3 * (ptrdiff_t)links);
    problem->body = CRM_ARENA_ARRAY(arena, int, links);
    problem->rotation = CRM_ARENA_ARRAY(arena, int, links);
    if (crm_arena_refused(arena)) return false;
    for (int i = 0; i < links; i++) problem->body[i] = model->graph.link[i].body;
    crm_link_problem_choose(problem, problem->body, links, sum_count);
    return true;
}

void crm_link_problem_choose(crm_link_problem *problem, const int *bodies, int count, int sum_count) {
    int rotations = 0;
    for (int i = 0; i < count; i++) {
        const crm_body *body = &problem->model->bodies.items[bodies[i]];
        problem->body[i] = bodies[i];
        problem->rotation[i] = body->kind != CAROM_BODY_POINT ? rotations++ : -1;
        problem->block[i] = (crm_error_block){3, 1.0, 0.0};
        problem->block[count + 2 * i] = (crm_error_block){3, body->mass, 0.0};
        problem->block[count + 2 * i + 1] = (crm_error_block){3, moment_of(body, problem->strict), 0.0};
    }
    problem->link_count = count;
    problem->ivp.rotation_count = rotations;
    problem->ivp.position_count = 3 * count;
    problem->ivp.velocity_count = 6 * count;
    problem->ivp.sum_count = sum_count;
    problem->ivp.error_block_count = 3 * count;
    problem->ivp.error_block = problem->block;
}

// ---- the state

static double *positions(const crm_link_problem *problem, const double *y) {
    return (double *)y + 4 * (ptrdiff_t)problem->ivp.rotation_count;
}

static double *momenta(const crm_link_problem *problem, const double *y) {
    return positions(problem, y) + problem->ivp.position_count;
}

double *crm_link_problem_sums(const crm_link_problem *problem, double *y) {
    return momenta(problem, y) + problem->ivp.velocity_count;
}

void crm_link_problem_unpack(const crm_link_problem *problem, const double *y, crm_motion *motions) {
    for (int i = 0; i < problem->link_count; i++) {
        crm_motion *to = &motions[problem->body[i]];
        if (problem->rotation[i] >= 0) memcpy(&to->q, y + 4 * (ptrdiff_t)problem->rotation[i], sizeof to->q);
        memcpy(&to->x, positions(problem, y) + 3 * (ptrdiff_t)i, sizeof to->x);
        memcpy(&to->p, momenta(problem, y) + 6 * (ptrdiff_t)i, sizeof to->p);
        memcpy(&to->l, momenta(problem, y) + 6 * (ptrdiff_t)i + 3, sizeof to->l);
    }
}

void crm_link_problem_pack(const crm_link_problem *problem, const crm_motion *motions, double *y) {
    for (int i = 0; i < problem->link_count; i++) {
        const crm_motion *from = &motions[problem->body[i]];
        if (problem->rotation[i] >= 0) memcpy(y + 4 * (ptrdiff_t)problem->rotation[i], &from->q, sizeof from->q);
        memcpy(positions(problem, y) + 3 * (ptrdiff_t)i, &from->x, sizeof from->x);
        memcpy(momenta(problem, y) + 6 * (ptrdiff_t)i, &from->p, sizeof from->p);
        memcpy(momenta(problem, y) + 6 * (ptrdiff_t)i + 3, &from->l, sizeof from->l);
    }
}

// ---- the rate

static void put(double *to, carom_vec3 v) {
    to[0] = v.x, to[1] = v.y, to[2] = v.z;
}

static double *forces(const crm_link_problem *problem, double *rate) {
    return rate + 3 * (ptrdiff_t)problem->ivp.rotation_count + problem->ivp.position_count;
}

void crm_link_problem_drift(const crm_link_problem *problem, const crm_motion *motions, double *rate) {
    double *velocity = rate + 3 * (ptrdiff_t)problem->ivp.rotation_count;
    for (int i = 0; i < problem->link_count; i++) {
        int b = problem->body[i];
        const crm_body *body = &problem->model->bodies.items[b];
        if (problem->rotation[i] >= 0)
            put(rate + 3 * (ptrdiff_t)problem->rotation[i], crm_motion_spin(body, &motions[b]));
        put(velocity + 3 * (ptrdiff_t)i, crm_motion_velocity(body, &motions[b]));
    }
}

void crm_link_problem_put_force(const crm_link_problem *problem, int link, crm_vec6 force, double *rate) {
    put(forces(problem, rate) + 6 * (ptrdiff_t)link, force.linear);
    put(forces(problem, rate) + 6 * (ptrdiff_t)link + 3, force.angular);
}

double *crm_link_problem_sum_rates(const crm_link_problem *problem, double *rate) {
    return forces(problem, rate) + problem->ivp.velocity_count;
}

crm_answer crm_integrated_answer(const carom_model *model, const crm_callback_answer *answer, double time,
                                 carom_step_report *report) {
    if (answer->answer == 0 && !answer->not_finite) return CRM_ANSWER_GOOD;
    crm_step_callback_refused(model, answer, time, report);
    return answer->answer > 0 ? CRM_ANSWER_SMALLER : CRM_ANSWER_STOP;
}

crm_answer crm_integrated_forces(const carom_state *state, double time, const crm_motion *motions,
                                 const crm_joint_config *configs, const carom_input *input, crm_vec6 *wrench,
                                 crm_vec6 *active, carom_step_report *report) {
    crm_callback_answer answer =
        crm_forces_evaluate(state->model, time, motions, configs, input, wrench, active, state->passive);
    return crm_integrated_answer(state->model, &answer, time, report);
}

void crm_motion_displace(crm_motion *motion, crm_vec6 by, bool rotates) {
    motion->x = crm_add(motion->x, by.linear);
    if (!rotates) return;
    carom_vec3 own = crm_quat_rotate_inverse(motion->q, motion->l);
    motion->q = crm_quat_normalised(crm_quat_mul(crm_so3_exp(by.angular), motion->q));
    motion->l = crm_quat_rotate(motion->q, own);
}

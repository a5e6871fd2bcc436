// SPDX-License-Identifier: MIT
// Substeps of a step: how the members move between collisions, and how they answer impulses. Coupled bodies by the
// equations of trees, others each by itself.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/exact/exact.h"
#include "step/integrate/follower_impulse.h"
#include "step/integrate/isolated_body.h"

// ---- forces

// Links of the coupled are given all forces of theirs, and every other body that forces act on is a part by itself.
carom_status crm_exact_prepare_forces(crm_exact *x, carom_error *error) {
    crm_arena *arena = &x->state->arena;
    int bodies = x->model->bodies.count;
    if (!crm_model_has_unpaired_forces(x->model)) return CAROM_OK;
    carom_status status = crm_model_parts_create(x->model, x->coupled, arena, &x->parts, error);
    if (status != CAROM_OK) return status;
    x->forced = CRM_ARENA_ZEROED(arena, crm_forced_body, x->parts.count);
    x->state->told_work = CRM_ARENA_ZEROED(arena, crm_told_work, bodies);
    int *part = CRM_ARENA_ARRAY(arena, int, bodies), *number = CRM_ARENA_ARRAY(arena, int, bodies);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "exact", sizeof(crm_vec6) * (size_t)bodies);
    for (int k = 0; k < x->parts.count && status == CAROM_OK; k++)
        status = crm_forced_body_create(&x->parts.part[k].model, arena, &x->forced[k], error);
    for (int b = 0; b < bodies; b++) {
        part[b] = x->coupled[b] ? 0 : -1;
        number[b] = b;
    }
    crm_model_part coupled = {.model = x->trees};
    memset(&coupled.model.drags, 0, sizeof coupled.model.drags);
    memset(&coupled.model.wrenches, 0, sizeof coupled.model.wrenches);
    memset(&coupled.model.callbacks, 0, sizeof coupled.model.callbacks);
    memset(&coupled.model.fields, 0, sizeof coupled.model.fields);
    if (!crm_model_parts_add_forces(x->model, part, number, arena, &coupled, 1))
        return crm_fail_memory(error, "exact", sizeof(crm_vec6) * (size_t)bodies);
    x->trees = coupled.model;
    return status;
}

static crm_forced_body *forced_body(const crm_exact *x, int b) {
    return x->forced != NULL && x->parts.of_body[b] >= 0 ? &x->forced[x->parts.of_body[b]] : NULL;
}

// Gravity and the input.
static crm_vec6 pushed(const crm_exact *x, int b) {
    const crm_body *body = &x->model->bodies.items[b];
    crm_vec6 gravity = crm_vec6_of(crm_scale(body->mass, x->model->gravity), crm_vec3_zero());
    return crm_wrench_projected(body->kind, crm_vec6_add(x->state->active[b], gravity));
}

static bool flow_isolated(crm_exact *x, int b, double s, carom_step_report *report) {
    const crm_body *body = &x->model->bodies.items[b];
    const crm_follower *followers = x->state->followers;
    crm_isolated_report isolated;
    crm_vec6 half = crm_vec6_scale(0.5 * s, pushed(x, b)), start = half;
    crm_forced_body *forced = forced_body(x, b);
    if (followers != NULL) start = crm_vec6_add(half, crm_follow_half(followers, body, b, x->motions[b].q, s));
    x->before[b] = start;
    x->after[b] = half;
    if (forced != NULL) {
        double time = carom_state_time(x->state) + x->done;
        if (!crm_forced_body_step(forced, &x->motions[b], start, half, time, s, &x->state->method, &x->trial[b],
                                  &isolated))
            return false;
        x->before[b] = crm_vec6_add(start, forced->before);
        x->after[b] = crm_vec6_add(half, forced->after);
    } else if (!crm_isolated_step(body, &x->motions[b], start, half, s, x->state->method.iteration_limit, &x->trial[b],
                                  &isolated)) {
        return false;
    }
    if (followers != NULL) {
        crm_vec6 end = crm_follow_half(followers, body, b, x->trial[b].q, s);
        x->after[b] = crm_vec6_add(x->after[b], end);
        x->trial[b].p = crm_add(x->trial[b].p, end.linear);
        x->trial[b].l = crm_add(x->trial[b].l, end.angular);
    }
    report->residual = fmax(report->residual, isolated.residual);
    return true;
}

static bool flow_coupled(crm_exact *x, double s, carom_step_report *report) {
    crm_tree_newton_report newton;
    crm_tree_external external = {.input = x->input,
                                  .active = x->state->active,
                                  .time = carom_state_time(x->state) + x->done,
                                  .followers = x->state->followers};
    if (!crm_tree_substep_make(&x->substep, &x->state->method, x->motions, x->configs, &external, s, &newton))
        return false;
    report->residual = fmax(report->residual, newton.residual);
    x->trial = x->substep.motions;
    return true;
}

static bool flow_members(crm_exact *x, double s, carom_step_report *report) {
    if (x->moves_coupled && !flow_coupled(x, s, report)) return false;
    for (int i = 0; i < x->member_count; i++)
        if (!x->coupled[x->member[i]] && !flow_isolated(x, x->member[i], s, report)) return false;
    return true;
}

bool crm_exact_flow(crm_exact *x, double s, carom_step_report *report) {
    report->iterations++;
    return flow_members(x, s, report);
}

bool crm_exact_flow_pair(crm_exact *x, const crm_exact_pair *pair, double s, carom_step_report *report) {
    report->iterations++;
    if (x->moves_coupled) return flow_members(x, s, report);
    return flow_isolated(x, pair->a, s, report) && flow_isolated(x, pair->b, s, report);
}

// A wrench about the centre of mass, as one about where that was at the start of the step.
static void add_push(crm_exact *x, int b, const crm_motion *at, crm_vec6 impulse) {
    carom_vec3 back = crm_sub(x->state->motions[b].x, at->x);
    x->balance.pushed[b] = crm_vec6_add(x->balance.pushed[b], crm_force_shift(impulse, back));
    x->state->impulse_size[b].linear += crm_length(impulse.linear);
    x->state->impulse_size[b].angular += crm_length(impulse.angular) + crm_length(back) * crm_length(impulse.linear);
}

// What goes with the input's followers, which the ledger has by mean velocities.
static void take_followers(crm_exact *x, int b, double s) {
    const crm_follower *followers = x->state->followers;
    const crm_body *body = &x->model->bodies.items[b];
    if (followers == NULL) return;
    crm_vec6 both = crm_vec6_add(crm_follow_half(followers, body, b, x->motions[b].q, s),
                                 crm_follow_half(followers, body, b, x->trial[b].q, s));
    x->balance.driven[b] = crm_vec6_add(x->balance.driven[b], both);
}

// The work of forces in the substep.
static void take_work(crm_exact *x) {
    crm_told_work *told = x->state->told_work;
    for (int i = 0; told != NULL && i < x->member_count; i++) {
        int b = x->member[i];
        crm_forced_body *forced = forced_body(x, b);
        if (!x->coupled[b] && forced == NULL) continue;
        crm_discrete_forces *forces = forced != NULL ? &forced->forces : &x->substep.newton.equations.forces;
        int own = forced != NULL ? 0 : b;
        if (!forces->any) continue;
        forces->work[own] = (crm_told_work){0.0, 0.0};
        crm_discrete_forces_add_work(forces, own);
        told[b].passive += forces->work[own].passive;
        told[b].active += forces->work[own].active;
    }
}

static void take_coupled(crm_exact *x) {
    crm_tree_balance_add(&x->balance, &x->substep, x->state->motions, x->motions);
    crm_motion *motions = x->motions;
    crm_joint_config *configs = x->configs;
    x->motions = x->substep.motions;
    x->configs = x->substep.configs;
    x->substep.motions = motions;
    x->substep.configs = configs;
    // The trial is where it was: others may be on theirs next.
    memcpy(motions, x->motions, (size_t)x->model->bodies.count * sizeof *motions);
    x->trial = motions;
}

void crm_exact_take(crm_exact *x, double s) {
    if (x->state->method.exact.jump == CAROM_JUMP_DISCRETE) x->last_energy = crm_exact_trial_energy(x, s);
    for (int i = 0; i < x->member_count; i++) x->travelled[x->member[i]] += crm_exact_travel(x, x->member[i]);
    for (int i = 0; i < x->member_count; i++) {
        int b = x->member[i];
        if (x->coupled[b]) continue;
        add_push(x, b, &x->motions[b], x->before[b]);
        add_push(x, b, &x->trial[b], x->after[b]);
        take_followers(x, b, s);
        if (!x->moves_coupled) x->motions[b] = x->trial[b];
    }
    take_work(x);
    if (x->moves_coupled) take_coupled(x);
}

double crm_exact_trial_energy(const crm_exact *x, double s) {
    crm_interval interval = {x->motions, x->trial, s};
    double energy =
        crm_discrete_energy(x->model, &interval, x->configs, x->moves_coupled ? x->substep.configs : x->configs);
    for (int i = 0; i < x->member_count; i++) {
        const crm_forced_body *forced = forced_body(x, x->member[i]);
        if (forced != NULL) energy += crm_discrete_forces_energy(&forced->forces);
    }
    return x->moves_coupled ? energy + crm_discrete_forces_energy(&x->substep.newton.equations.forces) : energy;
}

double crm_exact_member_energy(const crm_exact *x, double s) {
    crm_interval interval = {x->motions, x->trial, s};
    double energy = x->moves_coupled ? crm_discrete_coupling_energy(x->model, &interval, x->configs) : 0.0;
    for (int i = 0; i < x->member_count; i++) energy += crm_discrete_body_energy(x->model, x->member[i], &interval);
    return energy;
}

// ---- response to impulses

bool crm_exact_respond_begin(crm_exact *x) {
    return !x->moves_coupled || crm_null_space_at(&x->space, x->motions);
}

static bool is_fixed(const crm_exact *x, int body) {
    return x->model->bodies.items[body].kind == CAROM_BODY_FIXED;
}

// Adds an impulse along the touch of a pair to `given`.
static void give(crm_exact *x, const crm_exact_pair *pair, double impulse) {
    const int ends[] = {pair->a, pair->b};
    for (int e = 0; e < 2; e++) {
        int b = ends[e];
        if (is_fixed(x, b)) continue;
        carom_vec3 force = crm_scale(e == 0 ? -impulse : impulse, pair->now.normal);
        crm_vec6 wrench = crm_vec6_of(force, crm_cross(crm_sub(pair->now.point, x->motions[b].x), force));
        x->given[b] = crm_vec6_add(x->given[b], crm_wrench_projected(x->model->bodies.items[b].kind, wrench));
    }
}

static crm_vec6 isolated_twist(const crm_exact *x, int b) {
    const crm_body *body = &x->model->bodies.items[b];
    crm_motion m = {.q = x->motions[b].q, .p = x->given[b].linear, .l = x->given[b].angular};
    if (is_fixed(x, b)) return crm_vec6_zero();
    carom_vec3 spin = body->kind == CAROM_BODY_POINT ? crm_vec3_zero() : crm_motion_spin(body, &m);
    return crm_vec6_of(crm_motion_velocity(body, &m), spin);
}

void crm_exact_respond(crm_exact *x, const crm_exact_pair *pair, crm_vec6 *answer) {
    memset(x->given, 0, (size_t)x->model->bodies.count * sizeof *x->given);
    give(x, pair, 1.0);
    if (x->moves_coupled)
        crm_null_space_twists(&x->space, x->given, answer);
    else
        memset(answer, 0, (size_t)x->model->bodies.count * sizeof *answer);
    if (!x->coupled[pair->a]) answer[pair->a] = isolated_twist(x, pair->a);
    if (!x->coupled[pair->b]) answer[pair->b] = isolated_twist(x, pair->b);
}

// What joints took: momenta gained less impulses given. Those of the ground come from outside.
static void add_reactions(crm_exact *x) {
    const crm_joint_graph *graph = &x->trees.graph;
    crm_null_space_multipliers(&x->space, x->given, x->gained, x->joint_impulse);
    for (int j = 0; j < x->model->joints.count; j++)
        x->balance.reaction[j] = crm_vec6_add(x->balance.reaction[j], x->joint_impulse[j]);
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        if (link->joint < 0 || link->parent >= 0) continue;
        crm_vec6 on_child =
            link->reversed ? crm_vec6_negate(x->joint_impulse[link->joint]) : x->joint_impulse[link->joint];
        on_child = crm_force_shift(on_child, crm_negate(x->space.start[i].child_arm));
        add_push(x, link->body, &x->motions[link->body], on_child);
    }
}

// An impulse times the velocity that it acts on.
static double power_of(const crm_body *body, const crm_motion *m, const crm_vec6 *impulse) {
    double linear = crm_dot(crm_motion_velocity(body, m), impulse->linear);
    return body->kind == CAROM_BODY_POINT ? linear : linear + crm_dot(crm_motion_spin(body, m), impulse->angular);
}

void crm_exact_apply_impulses(crm_exact *x) {
    memset(x->given, 0, (size_t)x->model->bodies.count * sizeof *x->given);
    for (int k = 0; k < x->hits.count; k++) give(x, &x->pairs.items[x->hits.items[k]], x->impulse.items[k]);
    for (int i = 0; i < x->member_count; i++) {
        int b = x->member[i];
        const crm_body *body = &x->model->bodies.items[b];
        crm_motion *m = &x->motions[b];
        if (is_fixed(x, b)) continue;
        x->gained[b] = x->given[b];
        if (x->coupled[b])
            x->gained[b] = crm_vec6_of(crm_scale(body->mass, x->answer[b].linear),
                                       crm_motion_angular_momentum(body, m->q, x->answer[b].angular));
        if (x->coupled[b] || crm_length_squared(x->given[b].linear) > 0.0) x->deflected[b] = true;
        double before = power_of(body, m, &x->gained[b]);
        m->p = crm_add(m->p, x->gained[b].linear);
        m->l = crm_add(m->l, x->gained[b].angular);
        double work = 0.5 * (before + power_of(body, m, &x->gained[b]));
        crm_ledger_add(x->state, b, -1, CRM_LINE_IMPACTS, work);
        x->impulse_energy += work;
        add_push(x, b, m, x->given[b]);
    }
    if (x->moves_coupled) add_reactions(x);
}

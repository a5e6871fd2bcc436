// SPDX-License-Identifier: MIT
#include "step/variational/variational_group.h"

#include "base/fail.h"
#include "step/integrate/follower_impulse.h"
#include "step/variational/variational_tree.h"

static int coordinate_count(const carom_model *model) {
    int count = 0;
    for (int j = 0; j < model->joints.count; j++) count += model->joints.items[j].free;
    return count;
}

carom_status crm_variational_group_create(carom_state *whole, const crm_model_part *part, crm_variational_group *out,
                                          carom_error *error) {
    crm_arena *arena = &whole->arena;
    int bodies = part->model.bodies.count, joints = part->model.joints.count;
    out->part = part;
    out->jointed = joints > 0;
    out->coupled = crm_model_part_is_coupled(part);
    carom_state *state = &out->state;
    *state = (carom_state){.model = &part->model,
                           .whole = &part->model,
                           .method = whole->method,
                           .interruption.asked = crm_state_interrupt(whole)};
    state->motions = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    state->next = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    state->impulse = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    state->active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    state->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, joints);
    state->reaction = CRM_ARENA_ZEROED(arena, crm_vec6, joints);
    out->before = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    out->after = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    out->follower = CRM_ARENA_ZEROED(arena, crm_follower, bodies);
    out->motor = CRM_ARENA_ZEROED(arena, carom_motor_input, coordinate_count(&part->model));
    if (crm_arena_refused(arena))
        return crm_fail_memory(error, "a group of bodies", sizeof(crm_motion) * (size_t)bodies);
    carom_status status = out->jointed   ? crm_variational_tree_prepare(state, arena, &out->tree, error)
                          : out->coupled ? crm_coupling_prepare(state, arena, &out->coupling, error)
                                         : crm_forced_body_create(&part->model, arena, &out->forced, error);
    if (status != CAROM_OK) return status;
    out->forces = out->jointed   ? crm_variational_tree_forces(out->tree)
                  : out->coupled ? &out->coupling.forces
                                 : &out->forced.forces;
    return CAROM_OK;
}

static void gather_impulses(const crm_model_part *part, const crm_vec6 *from, crm_vec6 *to) {
    for (int b = 0; from != NULL && b < part->model.bodies.count; b++) to[b] = from[part->body[b]];
}

static void gather(const carom_state *whole, const crm_explicit_impulse *explicit_impulse,
                   crm_variational_group *group) {
    const crm_model_part *part = group->part;
    carom_state *state = &group->state;
    state->step_count = whole->step_count;
    state->clock = whole->clock;
    state->method.step = whole->method.step;
    state->followers = whole->followers != NULL ? group->follower : NULL;
    atomic_store(&state->interruption.happened, false);
    for (int b = 0; b < part->model.bodies.count; b++) {
        state->motions[b] = whole->motions[part->body[b]];
        state->active[b] = whole->active[part->body[b]];
        if (whole->followers != NULL) group->follower[b] = whole->followers[part->body[b]];
    }
    for (int j = 0; j < part->model.joints.count; j++) {
        state->configs[j] = whole->configs[part->joint[j]];
        state->reaction[j] = whole->reaction[part->joint[j]];
    }
    gather_impulses(part, explicit_impulse->before, group->before);
    gather_impulses(part, explicit_impulse->after, group->after);
}

// Motors of the part's joints: both lists ascend.
static carom_input gather_input(const carom_input *input, crm_variational_group *group) {
    carom_input own = *input;
    own.motor = group->motor;
    own.motor_count = own.wrench_count = own.body_wrench_count = 0; // wrenches are in state->active and followers
    own.wrench = NULL;
    own.body_wrench = NULL;
    for (int i = 0, j = 0; i < input->motor_count; i++) {
        while (j < group->part->model.joints.count && group->part->joint[j] < input->motor[i].joint.index) j++;
        if (j == group->part->model.joints.count) break;
        if (group->part->joint[j] != input->motor[i].joint.index) continue;
        group->motor[own.motor_count] = input->motor[i];
        group->motor[own.motor_count++].joint.index = j;
    }
    return own;
}

// What cannot move has copies in several groups, and stays as it is.
static void scatter(const crm_variational_group *group, carom_state *whole) {
    const crm_model_part *part = group->part;
    for (int b = 0; b < part->moving; b++) {
        whole->next[part->body[b]] = group->state.next[b];
        whole->impulse[part->body[b]] = group->state.impulse[b];
        whole->active[part->body[b]] = group->state.active[b];
        if (group->forces->any) whole->told_work[part->body[b]] = group->forces->work[b];
    }
    for (int j = 0; j < part->model.joints.count; j++) whole->reaction[part->joint[j]] = group->state.reaction[j];
}

// The one body of a group that nothing couples.
static void move_forced(crm_variational_group *group, const crm_explicit_impulse *given, carom_step_report *report) {
    carom_state *state = &group->state;
    const crm_body *body = &group->part->model.bodies.items[0];
    double h = state->method.step;
    crm_vec6 weight = crm_vec6_of(crm_scale(body->mass, group->part->model.gravity), crm_vec3_zero());
    crm_vec6 half = crm_vec6_scale(0.5 * h, crm_wrench_projected(body->kind, crm_vec6_add(state->active[0], weight)));
    crm_vec6 before = given->before != NULL ? crm_vec6_add(given->before[0], half) : half;
    crm_vec6 after = given->after != NULL ? crm_vec6_add(given->after[0], half) : half;
    if (state->followers != NULL)
        before = crm_vec6_add(before, crm_follow_half(state->followers, body, 0, state->motions[0].q, h));
    crm_isolated_report made;
    if (!crm_forced_body_step(&group->forced, state->motions, before, after, carom_state_time(state), h, &state->method,
                              state->next, &made)) {
        crm_forced_body_refuse(&group->forced, &state->method, &made, report);
        return;
    }
    crm_discrete_forces_add_work(&group->forced.forces, 0);
    state->impulse[0] =
        crm_vec6_add(crm_vec6_add(before, after), crm_vec6_add(group->forced.before, group->forced.after));
    state->active[0] = crm_vec6_scale(h, state->active[0]);
    crm_follow_to_end(state, 0);
    report->iterations = made.iterations;
    report->residual = made.residual;
}

void crm_variational_group_move(carom_state *whole, crm_variational_group *group, const carom_input *input,
                                const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    const carom_model *model = &group->part->model;
    gather(whole, explicit_impulse, group);
    crm_explicit_impulse own = {.before = explicit_impulse->before != NULL ? group->before : NULL,
                                .after = explicit_impulse->after != NULL ? group->after : NULL};
    carom_input own_input;
    if (input != NULL) own_input = gather_input(input, group);
    crm_discrete_forces_clear_work(group->forces);
    if (group->jointed)
        crm_variational_tree_advance(model, &group->state, group->tree, input != NULL ? &own_input : NULL, &own,
                                     report);
    else if (group->coupled)
        crm_coupling_advance(model, &group->state, &group->coupling, &own, report);
    else
        move_forced(group, &own, report);
    if (report->body.index >= 0) report->body.index = group->part->body[report->body.index];
    report->residual_body.index = group->part->body[0];
    if (report->outcome != CAROM_STEP_IMPOSSIBLE) scatter(group, whole);
}

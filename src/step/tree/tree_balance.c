// SPDX-License-Identifier: MIT
#include "step/tree/tree_balance.h"

#include <string.h>

#include "base/fail.h"
#include "step/integrate/follower_impulse.h"

carom_status crm_tree_balance_create(const carom_model *model, crm_arena *arena, crm_tree_balance *balance,
                                     carom_error *error) {
    balance->pushed = CRM_ARENA_ARRAY(arena, crm_vec6, model->bodies.count);
    balance->driven = CRM_ARENA_ARRAY(arena, crm_vec6, model->bodies.count);
    balance->reaction = CRM_ARENA_ARRAY(arena, crm_vec6, model->joints.count);
    if (!crm_arena_refused(arena)) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for the impulses on %d bodies",
                    model->bodies.count);
}

void crm_tree_balance_begin(const carom_model *model, crm_tree_balance *balance) {
    memset(balance->pushed, 0, (size_t)model->bodies.count * sizeof *balance->pushed);
    memset(balance->driven, 0, (size_t)model->bodies.count * sizeof *balance->driven);
    memset(balance->reaction, 0, (size_t)model->joints.count * sizeof *balance->reaction);
}

// One end of a substep.
typedef struct substep_end {
    const crm_tree_equations *equations;
    const crm_motion *first, *motions; // at the start of the step, and here
    const crm_vec6 *external;          // impulses of gravity, the input and what is given (by link)
    const crm_vec6 *taken;             // from the parents (by link)
    const crm_vec6 *pull;              // less the forces of pairs and spring-only joints (by link)
    const crm_vec6 *column;            // of the motion subspaces (by coordinate)
} substep_end;

// What acts from outside, of which the ground's joints are a part: half of the forces at each end.
static void push(crm_tree_balance *balance, const substep_end *end, int i) {
    const crm_tree_equations *e = end->equations;
    const crm_tree_link *link = &e->model->graph.link[i];
    crm_vec6 wrench = crm_vec6_madd(end->external[i], -0.5 * e->h, end->pull[i]);
    if (link->joint >= 0 && link->parent < 0) wrench = crm_vec6_add(wrench, end->taken[i]);
    carom_vec3 back = crm_sub(end->first[link->body].x, end->motions[link->body].x);
    balance->pushed[link->body] = crm_vec6_add(balance->pushed[link->body], crm_force_shift(wrench, back));
}

static void drive(crm_tree_balance *balance, const substep_end *end, int i, carom_vec3 parent_arm,
                  carom_vec3 child_arm) {
    const crm_tree_equations *e = end->equations;
    const crm_tree_link *link = &e->model->graph.link[i];
    const crm_joint *joint = &e->model->joints.items[link->joint];
    crm_vec6 child = crm_tree_driven_child(joint, end->column + link->first, e->active_drive + link->first, 0.5 * e->h);
    crm_vec6 *sum = &balance->driven[link->body];
    *sum = crm_vec6_add(*sum, crm_force_shift(child, crm_negate(child_arm)));
    if (link->parent < 0) return;
    sum = &balance->driven[e->model->graph.link[link->parent].body];
    *sum = crm_vec6_sub(*sum, crm_force_shift(child, crm_negate(parent_arm)));
}

// Dampers and motors of a spring-only joint, half at each end.
static void drive_spring_only(crm_tree_balance *balance, const crm_tree_equations *e,
                              const crm_tree_spring_only *spring_only) {
    const crm_joint *joint = &e->model->joints.items[spring_only->joint];
    for (int end = 0; end < 2; end++) {
        int body = end == 0 ? joint->a.body : joint->b.body;
        if (spring_only->link[end] < 0) continue;
        crm_vec6 sum =
            crm_vec6_add(crm_tree_spring_only_wrench(spring_only->before, spring_only->drive.active, joint->free, end),
                         crm_tree_spring_only_wrench(spring_only->after, spring_only->drive.active, joint->free, end));
        balance->driven[body] = crm_vec6_madd(balance->driven[body], 0.5 * e->h, sum);
    }
}

// Forces of the input that go with the body, half at each end.
static void add_followers(crm_tree_balance *balance, const substep_end *end, int i) {
    const crm_tree_equations *e = end->equations;
    int b = e->model->graph.link[i].body;
    crm_vec6 half = crm_follow_half(e->followers, &e->model->bodies.items[b], b, end->motions[b].q, e->h);
    balance->driven[b] = crm_vec6_add(balance->driven[b], half);
}

void crm_tree_balance_add(crm_tree_balance *balance, const crm_tree_substep *substep, const crm_motion *first,
                          const crm_motion *from) {
    const crm_tree_equations *e = &substep->newton.equations;
    const carom_model *model = e->model;
    const substep_end start = {e, first, from, e->pushed, e->taken, e->pull, e->system.left};
    const substep_end end = {
        e, first, substep->motions, e->pushed_after, substep->taken_after, e->pull_after, e->system.right};
    for (int i = 0; i < model->graph.link_count; i++) {
        push(balance, &start, i);
        push(balance, &end, i);
        if (e->followers != NULL) {
            add_followers(balance, &start, i);
            add_followers(balance, &end, i);
        }
        int joint = model->graph.link[i].joint;
        if (joint < 0 || !model->joints.items[joint].driven) continue;
        drive(balance, &start, i, e->start[i].parent_arm, e->start[i].child_arm);
        drive(balance, &end, i, e->move[i].parent_arm, e->move[i].child_arm);
    }
    for (int l = 0; l < e->spring_only_count; l++) drive_spring_only(balance, e, &e->spring_only[l]);
    for (int j = 0; j < model->joints.count; j++)
        balance->reaction[j] = crm_vec6_madd(balance->reaction[j], e->h, substep->joint_wrench[j]);
}

void crm_tree_balance_finish(const crm_tree_balance *balance, carom_state *state) {
    const carom_model *model = state->model;
    double step = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        carom_vec3 middle = crm_scale(0.5, crm_sub(state->next[b].x, state->motions[b].x));
        state->impulse[b] = crm_force_shift(balance->pushed[b], middle);
        state->active[b] = crm_vec6_madd(balance->driven[b], step, state->active[b]);
    }
    for (int j = 0; j < model->joints.count; j++) state->reaction[j] = crm_vec6_scale(1.0 / step, balance->reaction[j]);
}

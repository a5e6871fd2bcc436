// SPDX-License-Identifier: MIT
#include "step/certify/momentum_balance.h"

#include <math.h>
#include <string.h>

#include "base/forest.h"
#include "math/order.h"
#include "model/body_groups.h"

// What is no number, as of infinite terms, balances nothing.
static double relative(const crm_balance *b) {
    double off = crm_length(b->sum), share = off == 0.0 ? 0.0 : off / b->size;
    return isnan(share) ? INFINITY : share;
}

static double rotating_speed(const carom_model *model, const crm_motion *motions, int body, carom_vec3 arm) {
    if (body < 0) return 0.0;
    const crm_body *of = &model->bodies.items[body];
    bool rotates = of->kind == CAROM_BODY_FREE || of->kind == CAROM_BODY_PLANAR;
    return rotates ? crm_length(arm) * crm_length(crm_motion_spin(of, &motions[body])) : 0.0;
}

// The velocity of a body in a tree is that of its parent and what both rotate about the joint: roundings of these count
// where its momentum itself passes through zero.
static void add_rotations_of_trees(const carom_model *model, const crm_motion *motions, crm_momentum_balance *of) {
    for (int i = 0; i < model->graph.link_count; i++) {
        const crm_tree_link *link = &model->graph.link[i];
        if (link->joint < 0) continue;
        const crm_joint *joint = &model->joints.items[link->joint];
        crm_joint_pose place = crm_joint_evaluate(joint, motions);
        double speed = rotating_speed(model, motions, joint->a.body, place.arm_a) +
                       rotating_speed(model, motions, joint->b.body, place.arm_b);
        double momentum = model->bodies.items[link->body].mass * speed;
        of[link->body].linear.size += momentum;
        of[link->body].angular.size += crm_length(motions[link->body].x) * momentum;
    }
}

static void join(crm_balance *total, const crm_balance *part) {
    total->sum = crm_add(total->sum, part->sum);
    total->size += part->size;
}

// Bodies that touched in the step, beside those that are joined anyway; all of them with what comes from outside as one
// sum.
static int *find_groups(const carom_model *model, const carom_state *state, bool whole) {
    int bodies = model->bodies.count, *group = state->groups;
    if (!whole && state->contact_table.count == 0) return state->joined;
    memcpy(group, state->joined, (size_t)bodies * sizeof *group);
    int a = -1, b = -1; // contacts of two bodies follow each other
    for (int c = 0; !whole && c < state->contact_table.count; c++) {
        const carom_contact_state *contact = &state->contact_table.items[c];
        if (contact->a.index == a && contact->b.index == b) continue;
        a = contact->a.index, b = contact->b.index;
        crm_body_groups_join(model, group, a, b);
    }
    for (int i = 0; whole && i < bodies; i++) group[i] = 0;
    return group;
}

// Leaves the sums of a group at its lowest body, in the order of the bodies.
static void sum_groups(const carom_model *model, int *group, crm_momentum_balance *of) {
    for (int b = 0; b < model->bodies.count; b++) {
        // The plane of a planar body bears moments about the axes in it, such as those of a joint between two heights:
        // what it gives is nobody's impulse. The group is balanced about the plane's normal alone then.
        of[b].planar = model->bodies.items[b].kind == CAROM_BODY_PLANAR;
        int lowest = crm_forest_root(group, b);
        if (lowest == b) continue;
        join(&of[lowest].linear, &of[b].linear);
        join(&of[lowest].angular, &of[b].angular);
        of[lowest].planar |= of[b].planar;
    }
}

static void subtract(crm_balance *b, carom_vec3 v) {
    b->sum = crm_sub(b->sum, v);
    b->size += crm_length(v);
}

static void add_external(const crm_external_balance *external, crm_momentum_balance *to) {
    subtract(&to->linear, external->impulse);
    subtract(&to->angular, external->moment);
    to->linear.size += external->impulse_size;
    to->angular.size += external->moment_size;
}

double crm_momentum_worst(const carom_model *model, const carom_state *state, const crm_external_balance *external,
                          int *body) {
    double worst = 0.0;
    *body = -1;
    crm_momentum_balance *of = state->balances;
    if (model->bodies.count == 0) return 0.0;
    if (external != NULL && state->externals == NULL) add_external(external, &of[0]);
    for (int b = 0; state->externals != NULL && b < model->bodies.count; b++)
        add_external(&state->externals[b], &of[b]);
    add_rotations_of_trees(model, state->next, of);
    int *group = find_groups(model, state, external != NULL && state->externals == NULL);
    sum_groups(model, group, of);
    for (int b = 0; b < model->bodies.count; b++) {
        if (group[b] != b) continue;
        if (of[b].planar) of[b].angular.sum.x = of[b].angular.sum.y = 0.0;
        double own = crm_larger(relative(&of[b].linear), relative(&of[b].angular));
        if (own <= worst) continue;
        worst = own;
        *body = b;
    }
    return worst;
}

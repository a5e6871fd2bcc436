// SPDX-License-Identifier: MIT
// A step of `variational` with joints, in one substep or, where the whole step would be unstable or has no solution, in
// substeps of half, a quarter ... of its length, each a step of the same scheme.
#include "step/variational/variational_tree.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/tree/tree_balance.h"
#include "step/tree/tree_rate.h"

// Substeps are not shorter than 2^-10 of the step.
enum { MOST_DIVISIONS = 10, MOST_SUBSTEPS = 1 << MOST_DIVISIONS };

// Length of a substep times the fastest rate of crm_tree_fastest_rate, by the forces before it, and by those that were
// found in it. The scheme is unstable beyond 2; below 1 the energy of a whipping chain stays within some per cent.
static const double expected_phase = 1.2, largest_phase = 1.0;

static const double half_rotation = 3.14159265358979323846;

typedef struct variational_tree {
    crm_tree_substep substep;
    crm_tree_balance balance;
    // At the end of the substeps made so far:
    crm_motion *motions;       // (body_count)
    crm_joint_config *configs; // (joint_count)
    crm_vec6 *joint_wrench;    // in the last substep (joint_count)
    crm_rate_link *links;      // (by link)
} variational_tree;

carom_status crm_variational_tree_prepare(const carom_state *state, crm_arena *arena, void **core, carom_error *error) {
    const carom_model *model = state->model;
    variational_tree *tree = CRM_ARENA_ZEROED(arena, variational_tree, 1);
    if (tree == NULL) return crm_fail_memory(error, "variational", sizeof *tree);
    carom_status status = crm_tree_substep_create(model, arena, &tree->substep, error);
    if (status == CAROM_OK) status = crm_tree_balance_create(model, arena, &tree->balance, error);
    if (status != CAROM_OK) return status;
    tree->motions = CRM_ARENA_ZEROED(arena, crm_motion, model->bodies.count);
    tree->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, model->joints.count);
    tree->joint_wrench = CRM_ARENA_ZEROED(arena, crm_vec6, model->joints.count);
    tree->links = CRM_ARENA_ARRAY(arena, crm_rate_link, model->graph.link_count);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for %d bodies and %d joints",
                        model->bodies.count, model->joints.count);
    tree->substep.newton.interrupt = crm_state_interrupt(state);
    crm_rate_links_fill(model, tree->links);
    *core = tree;
    return CAROM_OK;
}

crm_discrete_forces *crm_variational_tree_forces(void *core) {
    variational_tree *tree = core;
    return &tree->substep.newton.equations.forces;
}

// A callback did not answer well: then there is nothing else to say. Else false.
static bool refuse_answer(const variational_tree *tree, carom_step_report *report) {
    const crm_discrete_forces *forces = &tree->substep.newton.equations.forces;
    if (!forces->any || forces->answer.body < 0) return false;
    crm_discrete_forces_refuse(forces, report);
    return true;
}

static void refuse_substep(const carom_model *model, const carom_state *state, const crm_tree_newton_report *newton,
                           carom_step_report *report) {
    int body = model->graph.link[newton->link].body;
    if (newton->too_far)
        crm_step_impossible(model, body, report,
                            "would rotate by more than 90 degrees even in 1/%d of the step after t = %g s; make "
                            "method.step of %g s smaller",
                            MOST_SUBSTEPS, carom_state_time(state), state->method.step);
    else
        crm_step_impossible(model, body, report,
                            "and what it is joined to have no step after t = %g s: Newton's method ended at a residual "
                            "of %.1e even for 1/%d of it; make method.step of %g s smaller",
                            carom_state_time(state), newton->residual, MOST_SUBSTEPS, state->method.step);
}

static void refuse_whole(const carom_model *model, const carom_state *state, const crm_tree_newton_report *newton,
                         carom_step_report *report) {
    crm_step_impossible(
        model, model->graph.link[newton->link].body, report, "%s after t = %g s; make method.step of %g s smaller",
        newton->too_far ? "would rotate by more than 90 degrees in the step" : "and what it is joined to have no step",
        carom_state_time(state), state->method.step);
}

// Angles are told from poses to within a whole revolution only.
static void refuse_whole_rotations(const carom_model *model, const carom_state *state, const variational_tree *tree,
                                   carom_step_report *report) {
    for (int j = 0; j < model->joints.count; j++) {
        for (int k = 0; k < 2; k++) {
            double rotation = fabs(tree->configs[j].angle[k] - state->configs[j].angle[k]);
            if (rotation < half_rotation) continue;
            const crm_joint *joint = &model->joints.items[j];
            char name[CRM_BODY_TEXT];
            crm_step_impossible(
                model, joint->b.body >= 0 ? joint->b.body : joint->a.body, report,
                "rotates by %.3g rad about %s in the step after t = %g s, and half a revolution is the most; "
                "make method.step of %g s smaller",
                rotation, crm_joint_text(model, j, name), carom_state_time(state), state->method.step);
            return;
        }
    }
}

static double length_of(const carom_state *state, int substeps) {
    return state->method.step * substeps / MOST_SUBSTEPS;
}

static double fastest_rate(const variational_tree *tree, const carom_model *model, const crm_motion *motions,
                           const crm_vec6 *joint_wrench) {
    return crm_tree_fastest_rate(tree->links, model->graph.link_count, motions, joint_wrench);
}

// The longest substep, in shortest ones, that is expected to be stable and ends where substeps of its length do.
static int choose_length(const variational_tree *tree, const carom_state *state, int made) {
    double rate = fastest_rate(tree, state->model, tree->motions, tree->joint_wrench);
    int length = MOST_SUBSTEPS;
    while (length > 1 && (made % length != 0 || length_of(state, length) * rate > expected_phase)) length /= 2;
    return length;
}

// The fastest rate in a substep, the same for the substep that leads back.
static double substep_rate(const variational_tree *tree, const carom_model *model) {
    return fmax(fastest_rate(tree, model, tree->motions, tree->substep.joint_wrench),
                fastest_rate(tree, model, tree->substep.motions, tree->substep.joint_wrench));
}

// Makes the longest substep of at most `length` that has a solution and was stable. Returns its length; 0 if there is
// none.
static int make_substep(variational_tree *tree, const carom_state *state, const carom_input *input, int begin,
                        int length, carom_step_report *report) {
    for (; length >= 1; length /= 2) {
        crm_tree_newton_report newton;
        double h = length_of(state, length);
        const crm_tree_external external = {.input = input,
                                            .active = state->active,
                                            .time = carom_state_time(state) + length_of(state, begin),
                                            .followers = state->followers};
        bool made =
            crm_tree_substep_make(&tree->substep, &state->method, tree->motions, tree->configs, &external, h, &newton);
        report->iterations += newton.iterations;
        if (!made && length == 1 && !refuse_answer(tree, report)) refuse_substep(state->model, state, &newton, report);
        if (!made) continue;
        if (length > 1 && !(h * substep_rate(tree, state->model) <= largest_phase)) continue;
        report->residual = fmax(report->residual, newton.residual);
        return length;
    }
    return 0;
}

// The same for the whole step or nothing.
static int make_whole(variational_tree *tree, const carom_state *state, const carom_input *input,
                      const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    crm_tree_newton_report newton;
    const crm_tree_external external = {
        input,           state->active, explicit_impulse->before, explicit_impulse->after, carom_state_time(state),
        state->followers};
    bool made = crm_tree_substep_make(&tree->substep, &state->method, tree->motions, tree->configs, &external,
                                      state->method.step, &newton);
    report->iterations += newton.iterations;
    if (!made) {
        if (!refuse_answer(tree, report)) refuse_whole(state->model, state, &newton, report);
        return 0;
    }
    report->residual = fmax(report->residual, newton.residual);
    return MOST_SUBSTEPS;
}

// The substep becomes one of those made; what it leaves behind is exchanged, not copied.
static void take_substep(variational_tree *tree) {
    crm_motion *motions = tree->motions;
    crm_joint_config *configs = tree->configs;
    crm_vec6 *joint_wrench = tree->joint_wrench;
    tree->motions = tree->substep.motions;
    tree->configs = tree->substep.configs;
    tree->joint_wrench = tree->substep.joint_wrench;
    tree->substep.motions = motions;
    tree->substep.configs = configs;
    tree->substep.joint_wrench = joint_wrench;
}

void crm_variational_tree_advance(const carom_model *model, carom_state *state, void *core, const carom_input *input,
                                  const crm_explicit_impulse *explicit_impulse, carom_step_report *report) {
    variational_tree *tree = core;
    // An explicit impulse belongs to the whole step.
    bool whole = explicit_impulse->before != NULL || state->method.variational.whole_steps;
    memcpy(tree->motions, state->motions, (size_t)model->bodies.count * sizeof *tree->motions);
    memcpy(tree->configs, state->configs, (size_t)model->joints.count * sizeof *tree->configs);
    memcpy(tree->joint_wrench, state->reaction, (size_t)model->joints.count * sizeof *tree->joint_wrench);
    crm_tree_balance_begin(model, &tree->balance);
    report->substeps = 0;
    for (int made = 0; made < MOST_SUBSTEPS;) {
        int length = whole ? make_whole(tree, state, input, explicit_impulse, report)
                           : make_substep(tree, state, input, made, choose_length(tree, state, made), report);
        if (length == 0) return;
        crm_tree_balance_add(&tree->balance, &tree->substep, state->motions, tree->motions);
        crm_tree_substep_add_work(&tree->substep);
        take_substep(tree);
        made += length;
        report->substeps++;
    }
    refuse_whole_rotations(model, state, tree, report);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    memcpy(state->next, tree->motions, (size_t)model->bodies.count * sizeof *state->next);
    crm_tree_balance_finish(&tree->balance, state);
}

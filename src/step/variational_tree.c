// SPDX-License-Identifier: MIT
// A step of `variational` with joints, in one part or, where the equations of the whole step have no solution, in parts
// of half, a quarter ... of its length, each a step of the same scheme.
//
// Joints push twice in each part: at its start, so that P(q_k)^T (p- - p_k) = 0, and at its end, where p+ is replaced
// by M P nu with P^T M P nu = P^T p+, so that the twists that are reported satisfy the joints' velocity constraints.
// Both impulses together are what a joint bears, and what the certificate balances.
#include "step/variational_tree.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/evaluate.h"
#include "step/tree_newton.h"

// Parts are not shorter than 2^-10 of the step.
enum { MOST_DIVISIONS = 10, MOST_PARTS = 1 << MOST_DIVISIONS };

static const double half_turn = 3.14159265358979323846;

typedef struct variational_tree {
    crm_tree_newton newton;
    crm_joint_config *configs; // at the end of the parts made so far (joint_count)
    crm_motion *motions;       // the same (body_count)
    crm_vec6 *plus;            // p+, then the impulse that a link takes from its parent at the end (by link)
    double *rate;              // nu, or the half of the joints' forces that acts at the end (by coordinate)
    // Impulses since the start of the step:
    crm_vec6 *pushed;   // on bodies but of joints between them, moments about where their centres of mass were then
                        // (body_count)
    crm_vec6 *reaction; // of joints on b about B's origin (joint_count)
    crm_vec6 *driven;   // of dampers and motors of joints on bodies, about their centres of mass (body_count)
} variational_tree;

// ---- what a part leaves behind

// Adds a wrench about a centre of mass that has moved by `reach` since the start of the step.
static void push(crm_vec6 *sum, crm_vec6 wrench, carom_vec3 reach) {
    *sum = crm_vec6_add(*sum, crm_force_shift(wrench, crm_negate(reach)));
}

// One end of the part.
typedef struct part_end {
    const carom_model *model;
    const crm_motion *first;   // the step's start: reaches are from there
    const crm_motion *motions; // at this end
    const crm_vec6 *taken;     // impulses that links take from their parents
    const crm_vec6 *column;    // of the motion subspaces
    const double *drive;       // forces on coordinates
    double half;               // h/2: the impulse of a force
} part_end;

static carom_vec3 reach_of(const part_end *end, int body) {
    return crm_sub(end->motions[body].x, end->first[body].x);
}

// Wrench on the child about B's origin of forces on the coordinates of its joint.
static crm_vec6 driven_child(const crm_joint *joint, const crm_vec6 *column, const double *force, double factor) {
    crm_vec6 sum = crm_vec6_zero();
    for (int k = 0; k < joint->free; k++) {
        if (k < joint->linear->free)
            sum.linear = crm_madd(sum.linear, factor * force[k], column[k].linear);
        else
            sum.angular = crm_madd(sum.angular, factor * force[k], column[k].angular);
    }
    return sum;
}

static void push_joint(variational_tree *tree, const part_end *end, int i, carom_vec3 child_arm) {
    const crm_tree_link *link = &end->model->graph.link[i];
    const crm_joint *joint = &end->model->joints.items[link->joint];
    crm_vec6 taken = end->taken[i];
    if (link->parent < 0) push(&tree->pushed[link->body], taken, reach_of(end, link->body));
    // On the child; what acts on the coordinates is not borne by the joint.
    crm_vec6 borne = crm_force_shift(taken, child_arm);
    if (joint->driven)
        borne =
            crm_vec6_sub(borne, driven_child(joint, end->column + link->first, end->drive + link->first, end->half));
    tree->reaction[link->joint] = crm_vec6_madd(tree->reaction[link->joint], link->reversed ? -1.0 : 1.0, borne);
}

// Impulses of dampers and motors, for the work they do.
static void push_active(variational_tree *tree, const part_end *end, const double *active, int i, carom_vec3 parent_arm,
                        carom_vec3 child_arm) {
    const crm_tree_link *link = &end->model->graph.link[i];
    const crm_joint *joint = &end->model->joints.items[link->joint];
    crm_vec6 child = driven_child(joint, end->column + link->first, active + link->first, end->half);
    crm_vec6 *sum = &tree->driven[link->body];
    *sum = crm_vec6_add(*sum, crm_force_shift(child, crm_negate(child_arm)));
    if (link->parent < 0) return;
    sum = &tree->driven[end->model->graph.link[link->parent].body];
    *sum = crm_vec6_sub(*sum, crm_force_shift(child, crm_negate(parent_arm)));
}

// Forces from outside and of pairs at one end: half of them each.
static void push_forces(variational_tree *tree, const part_end *end, const crm_vec6 *pull) {
    const crm_tree_equations *e = &tree->newton.equations;
    for (int i = 0; i < end->model->graph.link_count; i++) {
        int body = end->model->graph.link[i].body;
        crm_vec6 wrench = crm_vec6_scale(end->half, crm_vec6_sub(e->outside[i], pull[i]));
        push(&tree->pushed[body], wrench, reach_of(end, body));
    }
}

static void push_end(variational_tree *tree, const part_end *end, const crm_vec6 *pull, bool at_start) {
    const crm_tree_equations *e = &tree->newton.equations;
    push_forces(tree, end, pull);
    for (int i = 0; i < end->model->graph.link_count; i++) {
        int joint = end->model->graph.link[i].joint;
        if (joint < 0) continue;
        carom_vec3 parent_arm = at_start ? e->start[i].parent_arm : e->move[i].parent_arm;
        carom_vec3 child_arm = at_start ? e->start[i].child_arm : e->move[i].child_arm;
        push_joint(tree, end, i, child_arm);
        if (end->model->joints.items[joint].driven) push_active(tree, end, e->active_drive, i, parent_arm, child_arm);
    }
}

// ---- the end of a part

static void set_masses(const carom_model *model, const crm_motion *motions, crm_mat6 *block) {
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        const crm_body *body = &model->bodies.items[b];
        crm_inertia inertia = {body->mass, crm_vec3_zero(), crm_body_inertia(body, motions[b].q)};
        block[i] = crm_inertia_to_mat6(&inertia);
    }
}

// Momenta M P nu from p+, and the impulses of the joints that make them of it.
static bool project_momenta(const carom_model *model, variational_tree *tree, crm_motion *motions) {
    crm_tree_equations *e = &tree->newton.equations;
    crm_tree_system system = e->system; // both null spaces at the end
    system.left = system.right;
    system.left_arm = system.right_arm;
    double half = 0.5 * e->h;
    for (int i = 0; i < model->graph.link_count; i++)
        tree->plus[i] = crm_vec6_madd(e->kinetic[i], half, crm_vec6_sub(e->outside[i], e->pull_after[i]));
    for (int k = 0; k < model->graph.free_count; k++) tree->rate[k] = half * e->drive_after[k];
    memset(system.joint_block, 0, (size_t)system.square[model->graph.link_count] * sizeof *system.joint_block);
    set_masses(model, motions, system.block);
    if (!crm_tree_factor(&system)) return false;
    crm_vec6 *twist = tree->newton.twist;
    crm_tree_solve(&system, tree->plus, tree->rate, tree->rate, twist);
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        const crm_body *body = &model->bodies.items[b];
        motions[b].p = crm_scale(body->mass, twist[i].linear);
        motions[b].l = crm_motion_angular_momentum(body, motions[b].q, twist[i].angular);
        tree->plus[i] = crm_vec6_sub(crm_vec6_of(motions[b].p, motions[b].l), tree->plus[i]);
    }
    crm_tree_gather(&model->graph, system.right_arm, tree->plus, tree->plus);
    return true;
}

// Makes a part of length h from `from` to state->next; false, with the report of its iteration, if it has no solution.
static bool make_part(const carom_model *model, carom_state *state, variational_tree *tree, const crm_motion *from,
                      const carom_input *input, double h, crm_tree_newton_report *report) {
    crm_tree_equations *e = &tree->newton.equations;
    crm_tree_equations_begin(e, from, tree->configs, input, state->active, h);
    if (!crm_tree_newton_solve(&tree->newton, state->method.tolerance, state->method.iteration_limit, report))
        return false;
    part_end start = {.model = model,
                      .first = state->motions,
                      .motions = from,
                      .taken = e->taken,
                      .column = e->system.left,
                      .drive = e->drive,
                      .half = 0.5 * h};
    memcpy(state->next, from, (size_t)model->bodies.count * sizeof *from);
    crm_tree_put(model, tree->newton.change, tree->configs, state->next);
    if (!project_momenta(model, tree, state->next)) return false;
    part_end end = start;
    end.motions = state->next;
    end.taken = tree->plus;
    end.column = e->system.right;
    end.drive = e->drive_after;
    push_end(tree, &start, e->pull, true);
    push_end(tree, &end, e->pull_after, false);
    return true;
}

// ---- the step

static void begin_sums(const carom_model *model, carom_state *state, variational_tree *tree) {
    memset(tree->pushed, 0, (size_t)model->bodies.count * sizeof *tree->pushed);
    memset(tree->driven, 0, (size_t)model->bodies.count * sizeof *tree->driven);
    memset(tree->reaction, 0, (size_t)model->joints.count * sizeof *tree->reaction);
    memcpy(tree->configs, state->configs, (size_t)model->joints.count * sizeof *tree->configs);
    memcpy(state->next, state->motions, (size_t)model->bodies.count * sizeof *state->next);
}

static void finish_sums(const carom_model *model, carom_state *state, const variational_tree *tree) {
    double step = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        carom_vec3 middle = crm_scale(0.5, crm_sub(state->next[b].x, state->motions[b].x));
        state->impulse[b] = crm_force_shift(tree->pushed[b], middle);
        state->active[b] = crm_vec6_madd(tree->driven[b], step, state->active[b]);
    }
    for (int j = 0; j < model->joints.count; j++) state->reaction[j] = crm_vec6_scale(1.0 / step, tree->reaction[j]);
}

static void refuse_part(const carom_model *model, const carom_state *state, const crm_tree_newton_report *newton,
                        carom_step_report *report) {
    int body = model->graph.link[newton->link].body;
    if (newton->too_far)
        crm_step_impossible(model, body, report,
                            "would turn by more than 90 degrees even in 1/%d of the step after t = %g s; make "
                            "method.step of %g s smaller",
                            MOST_PARTS, carom_state_time(state), state->method.step);
    else
        crm_step_impossible(model, body, report,
                            "and what it is joined to have no step after t = %g s: Newton's method ended at a residual "
                            "of %.1e even for 1/%d of it; make method.step of %g s smaller",
                            carom_state_time(state), newton->residual, MOST_PARTS, state->method.step);
}

// Angles are told from poses to within a whole turn only.
static void refuse_whole_turns(const carom_model *model, const carom_state *state, const variational_tree *tree,
                               carom_step_report *report) {
    for (int j = 0; j < model->joints.count; j++) {
        for (int k = 0; k < 2; k++) {
            double turn = fabs(tree->configs[j].angle[k] - state->configs[j].angle[k]);
            if (turn < half_turn) continue;
            const crm_joint *joint = &model->joints.items[j];
            char name[CRM_BODY_TEXT];
            crm_step_impossible(model, joint->b.body >= 0 ? joint->b.body : joint->a.body, report,
                                "turns by %.3g rad about %s in the step after t = %g s, and half a turn is the most; "
                                "make method.step of %g s smaller",
                                turn, crm_joint_text(model, j, name), carom_state_time(state), state->method.step);
            return;
        }
    }
}

void crm_variational_tree_advance(const carom_model *model, carom_state *state, const carom_input *input,
                                  carom_step_report *report) {
    variational_tree *tree = state->method_data;
    begin_sums(model, state, tree);
    const crm_motion *from = state->motions;
    int made = 0, length = MOST_PARTS; // in shortest parts
    report->parts = 0;
    while (made < MOST_PARTS) {
        crm_tree_newton_report newton;
        double h = state->method.step * length / MOST_PARTS;
        bool found = make_part(model, state, tree, from, input, h, &newton);
        report->iterations += newton.iterations;
        if (!found && length == 1) {
            refuse_part(model, state, &newton, report);
            return;
        }
        if (!found) {
            length /= 2;
            continue;
        }
        report->residual = fmax(report->residual, newton.residual);
        report->parts++;
        made += length;
        if (made == MOST_PARTS) break;
        memcpy(tree->motions, state->next, (size_t)model->bodies.count * sizeof *tree->motions);
        from = tree->motions;
        if (made % (2 * length) == 0) length *= 2; // the trouble may be over
    }
    refuse_whole_turns(model, state, tree, report);
    if (report->outcome != CAROM_STEP_IMPOSSIBLE) finish_sums(model, state, tree);
}

carom_status crm_variational_tree_prepare(carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    variational_tree *tree = CRM_ARENA_ZEROED(arena, variational_tree, 1);
    if (tree == NULL) return crm_fail_memory(error, "variational", sizeof *tree);
    carom_status status = crm_tree_newton_create(model, arena, &tree->newton, error);
    if (status != CAROM_OK) return status;
    tree->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, model->joints.count);
    tree->motions = CRM_ARENA_ZEROED(arena, crm_motion, model->bodies.count);
    tree->plus = CRM_ARENA_ARRAY(arena, crm_vec6, model->graph.link_count);
    tree->rate = CRM_ARENA_ARRAY(arena, double, model->graph.free_count);
    tree->pushed = CRM_ARENA_ARRAY(arena, crm_vec6, model->bodies.count);
    tree->reaction = CRM_ARENA_ARRAY(arena, crm_vec6, model->joints.count);
    tree->driven = CRM_ARENA_ARRAY(arena, crm_vec6, model->bodies.count);
    if (tree->configs == NULL || tree->motions == NULL || tree->plus == NULL || tree->rate == NULL ||
        tree->pushed == NULL || tree->reaction == NULL || tree->driven == NULL)
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for %d bodies and %d joints",
                        model->bodies.count, model->joints.count);
    state->method_data = tree;
    return CAROM_OK;
}

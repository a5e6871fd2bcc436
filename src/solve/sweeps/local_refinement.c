// SPDX-License-Identifier: MIT
#include "solve/sweeps/local_refinement.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "solve/incidence.h"
#include "solve/residual.h"

// A group is in trouble that is wrong by this share of the worst one, and by this share of the tolerance.
static const double share_of_worst = 0.2, share_of_tolerance = 0.3;
// A sub-problem has at most so many groups, and at most this share of all: larger ones are left alone.
enum { MOST_GROUPS = 200 };
static const double most_share = 0.5;
// It is solved to this share of the tolerance, with this share of the work: what is hard by itself is better left
// to steps for the whole.
static const double tighter = 0.3, work_for_sub_problems = 0.1;

typedef struct sub_problem_finder {
    const crm_operator *op;
    double *velocity, *relative; // of the impulses
    int *leader;                 // of a node: one of its sub-problem's nodes; -1 for nodes in no trouble
    int *sub_problem_of;         // of a group: the leader of its sub-problem, or -1 (group_count)
    int *node_number;            // in the present sub-problem, or -1 (node_count)
} sub_problem_finder;

static int lead(int *leader, int node) {
    while (leader[node] != node) node = leader[node] = leader[leader[node]];
    return node;
}

static void join(int *leader, int a, int b) {
    int first = lead(leader, a), second = lead(leader, b);
    if (first < second)
        leader[second] = first;
    else
        leader[first] = second;
}

static bool take_finder(sub_problem_finder *f, const crm_operator *op, crm_arena *arena) {
    *f = (sub_problem_finder){.op = op};
    f->velocity = CRM_ARENA_ARRAY(arena, double, op->velocity_count);
    f->relative = CRM_ARENA_ARRAY(arena, double, op->row_count);
    f->leader = CRM_ARENA_ARRAY(arena, int, op->node_count);
    f->sub_problem_of = CRM_ARENA_ARRAY(arena, int, op->group_count);
    f->node_number = CRM_ARENA_ARRAY(arena, int, op->node_count);
    return f->velocity && f->relative && f->leader && f->sub_problem_of && f->node_number;
}

// Fills leader and sub_problem_of.
static void find(sub_problem_finder *f, double tolerance, const double *r) {
    const crm_operator *op = f->op;
    double worst = 0.0;
    for (int g = 0; g < op->group_count; g++) worst = fmax(worst, crm_residual_of_group(op, g, r, f->relative));
    double enough = fmax(share_of_worst * worst, share_of_tolerance * tolerance);
    for (int n = 0; n < op->node_count; n++) f->leader[n] = f->node_number[n] = -1;
    for (int g = 0; g < op->group_count; g++) {
        if (!(crm_residual_of_group(op, g, r, f->relative) > enough)) continue;
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++)
            if (f->leader[op->incidence_node[k]] < 0) f->leader[op->incidence_node[k]] = op->incidence_node[k];
    }
    for (int g = 0; g < op->group_count; g++) {
        f->sub_problem_of[g] = -1;
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int node = op->incidence_node[k];
            if (f->leader[node] < 0) continue;
            if (f->sub_problem_of[g] >= 0) join(f->leader, f->sub_problem_of[g], node);
            f->sub_problem_of[g] = node;
        }
    }
    for (int g = 0; g < op->group_count; g++)
        if (f->sub_problem_of[g] >= 0) f->sub_problem_of[g] = lead(f->leader, f->sub_problem_of[g]);
}

typedef struct local_problem {
    carom_problem problem;
    int *group; // of the operator (group_count)
    int rows;
    double *impulse;
} local_problem;

// Velocities that the nodes would have without the sub-problem's own impulses.
static void release(const sub_problem_finder *f, int g, const double *r, carom_problem_node *nodes) {
    const crm_operator *op = f->op;
    for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
        carom_problem_node *node = &nodes[f->node_number[op->incidence_node[k]]];
        double change[CAROM_NODE_SIZE] = {0.0};
        crm_incidence_add_columns(op->groups[g].rows, node->size, op->response + op->incidence_at[k],
                                  r + op->row_start[g], change);
        for (int i = 0; i < node->size; i++) node->free[i] -= change[i];
    }
}

// No groups when it is too large.
static bool pose(sub_problem_finder *f, int sub_problem, const double *r, crm_arena *arena, local_problem *out) {
    const crm_operator *op = f->op;
    int groups = 0, rows = 0, entries = 0, nodes = 0;
    for (int g = 0; g < op->group_count; g++) {
        if (f->sub_problem_of[g] != sub_problem) continue;
        groups++;
        rows += op->groups[g].rows;
        entries += op->incidence_start[g + 1] - op->incidence_start[g];
    }
    *out = (local_problem){.rows = rows};
    if (groups > MOST_GROUPS || groups > most_share * op->group_count) return true;
    carom_row_group *group = CRM_ARENA_ARRAY(arena, carom_row_group, groups);
    carom_problem_node *node = CRM_ARENA_ARRAY(arena, carom_problem_node, entries);
    carom_entry *entry = CRM_ARENA_ARRAY(arena, carom_entry, entries);
    int *node_of = CRM_ARENA_ARRAY(arena, int, entries);
    double *offset = CRM_ARENA_ARRAY(arena, double, rows), *compliance = CRM_ARENA_ARRAY(arena, double, rows);
    out->group = CRM_ARENA_ARRAY(arena, int, groups);
    out->impulse = CRM_ARENA_ARRAY(arena, double, rows);
    if (!group || !node || !entry || !node_of || !offset || !compliance || !out->group || !out->impulse) return false;
    groups = rows = entries = 0;
    for (int g = 0; g < op->group_count; g++) {
        if (f->sub_problem_of[g] != sub_problem) continue;
        int first = op->row_start[g], count = op->groups[g].rows;
        size_t bytes = sizeof(double) * (size_t)count;
        memcpy(offset + rows, op->offset + first, bytes);
        memcpy(compliance + rows, op->compliance + first, bytes);
        memcpy(out->impulse + rows, r + first, bytes);
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int n = op->incidence_node[k], at = op->velocity_start[n], size = op->velocity_start[n + 1] - at;
            if (f->node_number[n] < 0) {
                f->node_number[n] = nodes;
                node_of[nodes] = n;
                node[nodes] = (carom_problem_node){.size = size};
                memcpy(node[nodes].mass, op->mass + op->mass_start[n], sizeof(double) * (size_t)(size * size));
                memcpy(node[nodes].free, f->velocity + at, sizeof(double) * (size_t)size);
                nodes++;
            }
            entry[entries] = (carom_entry){.group = groups, .node = f->node_number[n]};
            memcpy(entry[entries].rows, op->jacobian + op->incidence_at[k], sizeof(double) * (size_t)(count * size));
            entries++;
        }
        out->group[groups] = g;
        group[groups++] = op->groups[g];
        rows += count;
        release(f, g, r, node);
    }
    for (int n = 0; n < nodes; n++) f->node_number[node_of[n]] = -1;
    out->problem = (carom_problem){.form = CAROM_FORM_BODIES,
                                   .group_count = groups,
                                   .groups = group,
                                   .offset = offset,
                                   .compliance = compliance,
                                   .node_count = nodes,
                                   .nodes = node,
                                   .entry_count = entries,
                                   .entries = entry};
    return true;
}

// Solves it and puts its impulses back, and its velocities, so that the next one sees them.
static carom_status solve(sub_problem_finder *f, const carom_solve_options *options, local_problem *sub_problem,
                          crm_arena *arena, double *r, crm_stage *report, carom_error *error) {
    const crm_operator *op = f->op;
    crm_layout layout;
    crm_operator small;
    carom_status status = crm_problem_lay_out(&sub_problem->problem, arena, &layout, error);
    if (status == CAROM_OK) status = crm_operator_build(&sub_problem->problem, &layout, NULL, arena, &small, error);
    crm_stage stage = {0};
    if (status == CAROM_OK) status = crm_solve_auto(&small, options, arena, sub_problem->impulse, &stage, error);
    if (status != CAROM_OK) return status;
    report->iterations += stage.iterations;
    report->factorizations += stage.factorizations;
    report->work += stage.work;
    for (int k = 0, row = 0; k < sub_problem->problem.group_count; k++) {
        int g = sub_problem->group[k], rows = op->groups[g].rows;
        double change[CAROM_GROUP_ROWS], *impulse = r + op->row_start[g];
        for (int i = 0; i < rows; i++, row++) {
            change[i] = sub_problem->impulse[row] - impulse[i];
            impulse[i] = sub_problem->impulse[row];
        }
        for (int l = op->incidence_start[g]; l < op->incidence_start[g + 1]; l++) {
            int at = op->velocity_start[op->incidence_node[l]],
                size = op->velocity_start[op->incidence_node[l] + 1] - at;
            crm_incidence_add_columns(rows, size, op->response + op->incidence_at[l], change, f->velocity + at);
        }
    }
    return CAROM_OK;
}

carom_status crm_refine_locally(const crm_operator *op, const carom_solve_options *options, double speed,
                                crm_arena *arena, double *impulse, int *sub_problems, crm_stage *report,
                                carom_error *error) {
    sub_problem_finder finder;
    *sub_problems = 0;
    crm_mark mark = crm_arena_mark(arena);
    double *work = CRM_ARENA_ARRAY(arena, double, crm_operator_work(op));
    if (work == NULL || !take_finder(&finder, op, arena)) return crm_fail_memory(error, "local refinement", 0);
    crm_operator_velocity(op, impulse, work, finder.velocity);
    crm_operator_relative(op, impulse, work, finder.relative);
    find(&finder, options->tolerance * speed, impulse);
    carom_solve_options own = *options;
    own.warm = true;
    own.tolerance = tighter * options->tolerance;
    own.velocity_scale = speed;
    carom_status status = CAROM_OK;
    for (int n = 0; n < op->node_count && status == CAROM_OK; n++) {
        if (finder.leader[n] != n || report->work >= options->work) continue;
        crm_mark inner = crm_arena_mark(arena);
        local_problem sub_problem;
        if (!pose(&finder, n, impulse, arena, &sub_problem)) return crm_fail_memory(error, "a sub-problem", 0);
        double price = CRM_EVALUATION_WORK * sub_problem.problem.group_count, left = options->work - report->work;
        if (sub_problem.problem.group_count > 0 && price <= left) {
            report->work += price;
            own.work = fmin(work_for_sub_problems * options->work, left - price);
            status = solve(&finder, &own, &sub_problem, arena, impulse, report, error);
            ++*sub_problems;
        }
        crm_arena_release(arena, inner);
    }
    crm_arena_release(arena, mark);
    return status;
}

// SPDX-License-Identifier: MIT
#include "step/contacts/step_problem.h"

#include "step/contacts/problem_body.h"

bool crm_step_problem_create(const carom_model *model, crm_arena *arena, crm_step_problem *problem) {
    problem->model = model;
    problem->node_of = CRM_ARENA_ARRAY(arena, int, model->bodies.count);
    problem->body_of = CRM_ARENA_ARRAY(arena, int, model->bodies.count);
    return !crm_arena_refused(arena);
}

void crm_step_problem_release(crm_step_problem *problem) {
    if (problem->model == NULL) return;
    const carom_allocator *allocator = &problem->model->allocator;
    CRM_ARRAY_FREE(allocator, &problem->nodes);
    CRM_ARRAY_FREE(allocator, &problem->groups);
    CRM_ARRAY_FREE(allocator, &problem->entries);
    CRM_ARRAY_FREE(allocator, &problem->offset);
    CRM_ARRAY_FREE(allocator, &problem->compliance);
    CRM_ARRAY_FREE(allocator, &problem->impulse);
}

void crm_step_problem_clear(crm_step_problem *problem) {
    problem->groups.count = problem->entries.count = problem->offset.count = problem->impulse.count = 0;
    problem->compliance.count = 0;
    problem->compliant = false;
}

bool crm_step_problem_begin(crm_step_problem *problem, const crm_motion *motions, const crm_vec6 *free) {
    const carom_model *model = problem->model;
    crm_step_problem_clear(problem);
    problem->nodes.count = 0;
    if (!CRM_ARRAY_RESERVE(&model->allocator, &problem->nodes, model->bodies.count)) return false;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        problem->node_of[b] = body->kind == CAROM_BODY_FIXED ? -1 : problem->nodes.count;
        if (body->kind == CAROM_BODY_FIXED) continue;
        problem->body_of[problem->nodes.count] = b;
        crm_problem_body_fill(body, &motions[b], free[b], &problem->nodes.items[problem->nodes.count++]);
    }
    return true;
}

bool crm_step_problem_add_group(crm_step_problem *problem, carom_row_group group, const double *offset,
                                const double *guess) {
    const carom_allocator *allocator = &problem->model->allocator;
    if (!CRM_ARRAY_PUSH(allocator, &problem->groups, group)) return false;
    for (int k = 0; k < group.rows; k++) {
        if (!CRM_ARRAY_PUSH(allocator, &problem->offset, offset[k])) return false;
        if (!CRM_ARRAY_PUSH(allocator, &problem->compliance, 0.0)) return false;
        if (!CRM_ARRAY_PUSH(allocator, &problem->impulse, guess[k])) return false;
    }
    return true;
}

void crm_step_problem_soften(crm_step_problem *problem, const double *compliance) {
    int rows = problem->groups.items[problem->groups.count - 1].rows, first = problem->compliance.count - rows;
    for (int k = 0; k < rows; k++) {
        problem->compliance.items[first + k] = compliance[k];
        problem->compliant |= compliance[k] > 0.0;
    }
}

bool crm_step_problem_add_entry(crm_step_problem *problem, int body, const crm_vec6 *row) {
    if (body < 0 || problem->node_of[body] < 0) return true;
    if (!CRM_ARRAY_RESERVE(&problem->model->allocator, &problem->entries, (ptrdiff_t)problem->entries.count + 1))
        return false;
    carom_entry *entry = &problem->entries.items[problem->entries.count++];
    carom_body_kind kind = problem->model->bodies.items[body].kind;
    entry->group = problem->groups.count - 1;
    entry->node = problem->node_of[body];
    int rows = problem->groups.items[entry->group].rows;
    for (int k = 0; k < rows; k++) crm_problem_body_pack(kind, row[k], entry->rows + k * crm_problem_body_size(kind));
    return true;
}

bool crm_step_problem_add_pair(crm_step_problem *problem, carom_row_group group, const double *offset,
                               const double *guess, int a, const crm_vec6 *on_a, int b, const crm_vec6 *on_b) {
    return crm_step_problem_add_group(problem, group, offset, guess) && crm_step_problem_add_entry(problem, a, on_a) &&
           crm_step_problem_add_entry(problem, b, on_b);
}

bool crm_step_problem_add_contact(crm_step_problem *problem, const crm_contact_site *site, const crm_motion *motions,
                                  double friction, bool relaxed, double offset, const double guess[3]) {
    crm_vec6 on_a[3], on_b[3];
    crm_contact_rows(site, motions, on_a, on_b);
    const double offsets[3] = {offset, 0.0, 0.0};
    carom_row_group group = {.law = CAROM_LAW_CONE, .rows = 3, .friction = friction, .relaxed = relaxed};
    if (friction == 0.0) group = (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1};
    return crm_step_problem_add_pair(problem, group, offsets, guess, site->a, on_a, site->b, on_b);
}

// Angular rows are made lengths by `size`: solvers measure all rows of a problem together, and what they find must not
// depend on the unit of length.
bool crm_step_problem_add_joint(crm_step_problem *problem, const crm_joint *joint, const crm_motion *motions,
                                double size, bool close, const double guess[6]) {
    if (joint->rows == 0) return true;
    crm_joint_pose pose = crm_joint_evaluate(joint, motions);
    double residual[6];
    crm_joint_row rows[6];
    crm_vec6 on_a[6], on_b[6];
    crm_joint_rows(joint, &pose, residual, rows);
    for (int k = 0; k < joint->rows; k++) {
        bool rotates = crm_length_squared(rows[k].b.linear) == 0.0;
        double scale = rotates ? size : 1.0;
        residual[k] = close ? scale * residual[k] : 0.0;
        on_a[k] = crm_vec6_scale(scale, rows[k].a), on_b[k] = crm_vec6_scale(scale, rows[k].b);
    }
    carom_row_group group = {.law = CAROM_LAW_EQUALITY, .rows = joint->rows};
    return crm_step_problem_add_pair(problem, group, residual, guess, joint->a.body, on_a, joint->b.body, on_b);
}

carom_problem crm_step_problem_view(const crm_step_problem *problem) {
    return (carom_problem){.form = CAROM_FORM_BODIES,
                           .group_count = problem->groups.count,
                           .groups = problem->groups.items,
                           .offset = problem->offset.items,
                           .compliance = problem->compliant ? problem->compliance.items : NULL,
                           .node_count = problem->nodes.count,
                           .nodes = problem->nodes.items,
                           .entry_count = problem->entries.count,
                           .entries = problem->entries.items};
}

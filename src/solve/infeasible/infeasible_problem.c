// SPDX-License-Identifier: MIT
#include "solve/infeasible/infeasible_problem.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

carom_row_group crm_recession_group(const carom_row_group *group) {
    carom_row_group out = *group;
    if (group->law == CAROM_LAW_BOX) {
        if (isfinite(group->lower)) out.lower = 0.0;
        if (isfinite(group->upper)) out.upper = 0.0;
    }
    if (group->law == CAROM_LAW_CONE && !group->relaxed) out.friction = 0.0;
    return out;
}

bool crm_row_is_rigid(const crm_operator *op, int g, int i) {
    const double *compliance = op->compliance + op->row_start[g];
    return !(compliance[i] > 0.0) && !(op->groups[g].law == CAROM_LAW_CONE && compliance[0] > 0.0);
}

typedef struct arrays {
    carom_row_group *groups;
    double *offset, *jacobian, *response, *delassus;
} arrays;

static bool take_arrays(const crm_operator *op, crm_arena *arena, arrays *p, crm_infeasible_problem *out) {
    bool nodes = op->form != CAROM_FORM_DELASSUS;
    ptrdiff_t incidences = nodes ? op->incidence_at[op->incidence_count] : 0;
    p->groups = CRM_ARENA_ARRAY(arena, carom_row_group, op->group_count);
    p->offset = CRM_ARENA_ARRAY(arena, double, op->row_count);
    p->jacobian = CRM_ARENA_ARRAY(arena, double, incidences);
    p->response = CRM_ARENA_ARRAY(arena, double, incidences);
    p->delassus = CRM_ARENA_ARRAY(arena, double, nodes ? 0 : op->delassus.starts[op->row_count]);
    out->compliance = CRM_ARENA_ARRAY(arena, double, op->row_count);
    out->block = CRM_ARENA_ARRAY(arena, double, op->block_start[op->group_count]);
    out->scale = CRM_ARENA_ARRAY(arena, double, op->group_count);
    out->free = CRM_ARENA_ARRAY(arena, double, op->velocity_count);
    out->q = CRM_ARENA_ARRAY(arena, double, op->row_count);
    out->work = CRM_ARENA_ARRAY(arena, double, nodes ? 3 * (ptrdiff_t)op->velocity_count : op->row_count);
    return p->groups && p->offset && p->jacobian && p->response && p->delassus && out->compliance && out->block &&
           out->scale && out->free && out->q && out->work;
}

static void fill_groups(const crm_operator *op, double softness, arrays *p, crm_infeasible_problem *out) {
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows, first = op->row_start[g];
        const double *from = op->block + op->block_start[g];
        double *block = out->block + op->block_start[g], soft = softness * op->scale[g];
        p->groups[g] = crm_recession_group(&op->groups[g]);
        out->scale[g] = 0.0;
        for (int i = 0; i < rows; i++) {
            bool rigid = crm_row_is_rigid(op, g, i);
            p->offset[first + i] = rigid ? op->offset[first + i] : 0.0;
            out->compliance[first + i] = soft;
            for (int j = 0; j < rows; j++)
                block[i * rows + j] = rigid && crm_row_is_rigid(op, g, j) ? from[i * rows + j] : 0.0;
            block[i * rows + i] += soft;
            out->scale[g] += fabs(block[i * rows + i]) / rows;
        }
    }
}

static void fill_incidences(const crm_operator *op, arrays *p) {
    for (int g = 0; g < op->group_count; g++)
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int size = (op->incidence_at[k + 1] - op->incidence_at[k]) / op->groups[g].rows;
            for (int m = op->incidence_at[k]; m < op->incidence_at[k + 1]; m++) {
                bool rigid = crm_row_is_rigid(op, g, (m - op->incidence_at[k]) / size);
                p->jacobian[m] = rigid ? op->jacobian[m] : 0.0;
                if (op->response != NULL) p->response[m] = rigid ? op->response[m] : 0.0;
            }
        }
}

// `rigid` (rows) is scratch: 1 for rigid rows, 0 for others.
static void fill_delassus(const crm_operator *op, double *rigid, arrays *p) {
    const crm_csr *w = &op->delassus;
    for (int g = 0; g < op->group_count; g++)
        for (int i = 0; i < op->groups[g].rows; i++) rigid[op->row_start[g] + i] = crm_row_is_rigid(op, g, i);
    for (int i = 0; i < op->row_count; i++)
        for (int k = w->starts[i]; k < w->starts[i + 1]; k++)
            p->delassus[k] = rigid[i] * rigid[w->columns[k]] * w->values[k];
}

static void set_free_rows(crm_infeasible_problem *problem) {
    const crm_operator *op = &problem->op;
    crm_operator_rows(op, problem->free, problem->q);
    for (int i = 0; i < op->row_count; i++) problem->q[i] += op->offset[i];
}

carom_status crm_infeasible_problem_build(const crm_operator *from, double softness, crm_arena *arena,
                                          crm_infeasible_problem *out, carom_error *error) {
    arrays p;
    if (!take_arrays(from, arena, &p, out)) return crm_fail_memory(error, "a proof", 0);
    fill_groups(from, softness, &p, out);
    out->inverse_mass = from->scale;
    out->op = *from;
    out->op.groups = p.groups;
    out->op.offset = p.offset;
    out->op.compliance = out->compliance;
    out->op.block = out->block;
    out->op.scale = out->scale;
    out->op.q = out->q;
    if (from->form == CAROM_FORM_DELASSUS) {
        fill_delassus(from, out->work, &p);
        out->op.delassus.values = p.delassus;
        out->op.offset = out->q; // the same for this form, and moved together
        memcpy(out->q, p.offset, sizeof(double) * (size_t)from->row_count);
        return CAROM_OK;
    }
    fill_incidences(from, &p);
    out->op.jacobian = p.jacobian;
    if (from->response != NULL) out->op.response = p.response;
    out->op.free = out->free;
    memcpy(out->free, from->free, sizeof(double) * (size_t)from->velocity_count);
    set_free_rows(out);
    return CAROM_OK;
}

double crm_infeasible_problem_violation(const crm_infeasible_problem *problem, const double *r) {
    const crm_operator *op = &problem->op;
    double sum = 0.0;
    for (int g = 0; g < op->group_count; g++)
        for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++)
            sum += op->compliance[i] * r[i] * op->compliance[i] * r[i] / problem->inverse_mass[g];
    return sqrt(sum);
}

static void harden(crm_infeasible_problem *problem, double factor) {
    const crm_operator *op = &problem->op;
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        double *compliance = problem->compliance + op->row_start[g], less = (1.0 - factor) * compliance[0];
        for (int i = 0; i < rows; i++) {
            problem->block[op->block_start[g] + i * (rows + 1)] -= less;
            compliance[i] -= less;
        }
        problem->scale[g] -= less;
    }
}

void crm_infeasible_problem_move(crm_infeasible_problem *problem, const double *r, double factor) {
    const crm_operator *op = &problem->op;
    if (op->form == CAROM_FORM_DELASSUS) {
        crm_operator_multiply(op, r, NULL, problem->work);
        for (int i = 0; i < op->row_count; i++) problem->q[i] += problem->work[i];
    } else {
        double *moved = problem->work + 2 * op->velocity_count;
        crm_operator_velocity(op, r, problem->work, moved);
        memcpy(problem->free, moved, sizeof(double) * (size_t)op->velocity_count);
        set_free_rows(problem);
    }
    harden(problem, factor);
}

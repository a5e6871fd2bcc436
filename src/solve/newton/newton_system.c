// SPDX-License-Identifier: MIT
// Set-up of the Newton systems: scaled rows, and the products with H, M and W that the methods need.
#include "solve/newton/newton_system.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/dense/dense_cholesky.h"
#include "solve/incidence.h"
#include "solve/newton/newton_assembly.h"

static bool take_numbers(crm_newton_system *s, crm_arena *arena) {
    const crm_operator *op = s->op;
    double **by_row[] = {&s->scale, &s->offset, &s->law_rest, &s->change_r, &s->change_u};
    for (size_t i = 0; i < sizeof by_row / sizeof by_row[0]; i++)
        if (!(*by_row[i] = CRM_ARENA_ZEROED(arena, double, op->row_count))) return false;
    s->node_size = CRM_ARENA_ARRAY(arena, int, op->node_count);
    s->momentum_rest = CRM_ARENA_ARRAY(arena, double, op->velocity_count);
    s->change_v = CRM_ARENA_ARRAY(arena, double, op->velocity_count);
    s->law = CRM_ARENA_ZEROED(arena, crm_newton_law, op->group_count);
    s->block = CRM_ARENA_ARRAY(arena, crm_newton_block, op->group_count);
    s->jacobian =
        CRM_ARENA_ARRAY(arena, double, s->form == CRM_NEWTON_DELASSUS ? 0 : op->incidence_at[op->incidence_count]);
    int numbers = 0;
    for (int g = 0; g < op->group_count; g++) numbers += crm_newton_block_size(op->groups[g].rows);
    double *block = CRM_ARENA_ZEROED(arena, double, numbers);
    if (!s->node_size || !s->momentum_rest || !s->change_v || !s->law || !s->block || !block || !s->jacobian)
        return false;
    for (int g = 0; g < op->group_count; g++) {
        s->block[g] = crm_newton_block_place(op->groups[g].rows, block);
        block += crm_newton_block_size(op->groups[g].rows);
    }
    for (int n = 0; n < op->node_count; n++) s->node_size[n] = op->velocity_start[n + 1] - op->velocity_start[n];
    return true;
}

// Cones become the standard one, and the mean diagonal of W_ii + C_ii becomes 1.
static void set_scale(crm_newton_system *s, const double *weight) {
    const crm_operator *op = s->op;
    for (int g = 0; g < op->group_count; g++) {
        const carom_row_group *group = &op->groups[g];
        double *scale = s->scale + op->row_start[g], mean = 0.0;
        const double *block = op->block + op->block_start[g];
        bool cone = group->law == CAROM_LAW_CONE && group->friction > 0.0;
        for (int i = 0; i < group->rows; i++) {
            scale[i] = cone && i == 0 ? group->friction : 1.0;
            mean += block[i * (group->rows + 1)] / (scale[i] * scale[i] * group->rows);
        }
        if (group->law == CAROM_LAW_CONE && !cone) mean = block[0];
        double sigma = mean > 0.0 ? sqrt(mean) : 1.0;
        if (weight != NULL) sigma *= weight[g];
        for (int i = 0; i < group->rows; i++) scale[i] *= sigma;
    }
}

static void set_laws(crm_newton_system *s) {
    const crm_operator *op = s->op;
    for (int g = 0; g < op->group_count; g++) {
        const carom_row_group *group = &op->groups[g];
        const double *scale = s->scale + op->row_start[g];
        crm_newton_law *law = &s->law[g];
        *law = (crm_newton_law){.law = group->law, .rows = group->rows};
        law->frictionless = group->law == CAROM_LAW_CONE && !(group->friction > 0.0);
        law->shift = group->law == CAROM_LAW_CONE && !group->relaxed ? 1.0 : 0.0;
        law->lower = group->lower * scale[0], law->upper = group->upper * scale[0];
        for (int i = 0; i < group->rows; i++) {
            int row = op->row_start[g] + i;
            law->compliance[i] = op->compliance[row] / (scale[i] * scale[i]);
            if (law->compliance[i] > 0.0) law->compliant = true;
            s->offset[row] = (s->form == CRM_NEWTON_DELASSUS ? op->q[row] : op->offset[row]) / scale[i];
        }
    }
}

static void set_jacobian(crm_newton_system *s) {
    const crm_operator *op = s->op;
    for (int g = 0; g < op->group_count; g++)
        for (int e = op->incidence_start[g]; e < op->incidence_start[g + 1]; e++) {
            int size = s->node_size[op->incidence_node[e]], at = op->incidence_at[e];
            for (int i = 0; i < op->groups[g].rows; i++)
                for (int j = 0; j < size; j++)
                    s->jacobian[at + i * size + j] = op->jacobian[at + i * size + j] / s->scale[op->row_start[g] + i];
        }
}

void crm_newton_rescale(crm_newton_system *s, const double *weight) {
    set_scale(s, weight);
    set_laws(s);
    if (s->form == CRM_NEWTON_DELASSUS)
        crm_newton_fill_delassus(s);
    else
        set_jacobian(s);
}

carom_status crm_newton_create(const crm_operator *op, carom_interrupt interrupt, crm_arena *arena, crm_arena *scratch,
                               crm_newton_system *s, carom_error *error) {
    *s =
        (crm_newton_system){.op = op, .form = op->form == CAROM_FORM_BODIES ? CRM_NEWTON_REDUCED : CRM_NEWTON_DELASSUS};
    s->given = op->delassus;
    if (!take_numbers(s, arena)) return crm_fail_memory(error, "a Newton system", 0);
    carom_status status = CAROM_OK;
    if (op->form == CAROM_FORM_MOBILITY) status = crm_operator_form_delassus(op, arena, &s->given, error);
    if (status == CAROM_OK) status = crm_newton_analyse(s, interrupt, arena, scratch, error);
    if (status != CAROM_OK) return status;
    crm_newton_rescale(s, NULL);
    return CAROM_OK;
}

static void add_relative(const crm_newton_system *s, const double *v, double *u) {
    const crm_operator *op = s->op;
    for (int g = 0; g < op->group_count; g++)
        for (int e = op->incidence_start[g]; e < op->incidence_start[g + 1]; e++) {
            int size = s->node_size[op->incidence_node[e]];
            crm_incidence_add_rows(op->groups[g].rows, size, s->jacobian + op->incidence_at[e],
                                   v + op->velocity_start[op->incidence_node[e]], u + op->row_start[g]);
        }
}

void crm_newton_add_push(const crm_newton_system *s, const double *r, double *force) {
    const crm_operator *op = s->op;
    for (int g = 0; g < op->group_count; g++)
        for (int e = op->incidence_start[g]; e < op->incidence_start[g + 1]; e++) {
            int size = s->node_size[op->incidence_node[e]];
            crm_incidence_add_columns(op->groups[g].rows, size, s->jacobian + op->incidence_at[e], r + op->row_start[g],
                                      force + op->velocity_start[op->incidence_node[e]]);
        }
}

void crm_newton_relative(const crm_newton_system *s, const double *v, const double *r, double *u) {
    size_t bytes = sizeof(double) * (size_t)s->op->row_count;
    if (s->form == CRM_NEWTON_DELASSUS) {
        crm_block_matrix_apply(&s->delassus, r, u);
        for (int i = 0; i < s->op->row_count; i++) u[i] += s->offset[i];
        return;
    }
    memcpy(u, s->offset, bytes);
    add_relative(s, v, u);
}

void crm_newton_relative_change(const crm_newton_system *s, const double *dv, const double *dr, double *du) {
    if (s->form == CRM_NEWTON_DELASSUS) {
        crm_block_matrix_apply(&s->delassus, dr, du);
        return;
    }
    memset(du, 0, sizeof(double) * (size_t)s->op->row_count);
    add_relative(s, dv, du);
}

void crm_newton_subtract_mass(const crm_newton_system *s, const double *v, double *force) {
    for (int n = 0; n < s->op->node_count; n++) {
        int size = s->node_size[n], first = s->op->velocity_start[n];
        const double *mass = s->op->mass + s->op->mass_start[n];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) force[first + i] -= mass[i * size + j] * v[first + j];
    }
}

void crm_newton_velocity(const crm_newton_system *s, const double *r, double *v) {
    if (s->form == CRM_NEWTON_DELASSUS) return;
    memset(v, 0, sizeof(double) * (size_t)s->op->velocity_count);
    crm_newton_add_push(s, r, v);
    crm_operator_divide_mass(s->op, v);
    for (int i = 0; i < s->op->velocity_count; i++) v[i] += s->op->free[i];
}

void crm_newton_momentum(const crm_newton_system *s, const double *v, const double *r, double *rest) {
    if (s->form == CRM_NEWTON_DELASSUS) return;
    // M (v_free - v) + H r
    for (int i = 0; i < s->op->velocity_count; i++) s->change_v[i] = v[i] - s->op->free[i];
    memset(rest, 0, sizeof(double) * (size_t)s->op->velocity_count);
    crm_newton_add_push(s, r, rest);
    crm_newton_subtract_mass(s, s->change_v, rest);
}

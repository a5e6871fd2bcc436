// SPDX-License-Identifier: MIT
// Set-up of the Newton systems: scaled rows, patterns, and the products with H, M and W that the methods need.
#include "solve/newton_system.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/dense_cholesky.h"
#include "solve/newton_assembly.h"

enum { N = CAROM_NODE_SIZE };

static carom_status no_memory(carom_error *error) {
    return crm_fail_memory(error, "a Newton system", 0);
}

static bool take_rows(crm_newton_system *s, crm_arena *arena) {
    const carom_problem *p = s->problem;
    s->row_start = CRM_ARENA_ARRAY(arena, int, p->group_count + 1);
    s->node_start = CRM_ARENA_ARRAY(arena, int, p->node_count + 1);
    s->entry_start = CRM_ARENA_ZEROED(arena, int, p->group_count + 2);
    s->entry_of = CRM_ARENA_ARRAY(arena, int, p->entry_count);
    if (!s->row_start || !s->node_start || !s->entry_start || !s->entry_of) return false;
    s->row_start[0] = s->node_start[0] = 0;
    for (int g = 0; g < p->group_count; g++) s->row_start[g + 1] = s->row_start[g] + p->groups[g].rows;
    for (int n = 0; n < p->node_count; n++) s->node_start[n + 1] = s->node_start[n] + p->nodes[n].size;
    s->rows = s->row_start[p->group_count];
    s->velocities = s->node_start[p->node_count];
    // By counting: entry_start is shifted by one place while the lists are filled.
    for (int e = 0; e < p->entry_count; e++) s->entry_start[p->entries[e].group + 2]++;
    for (int g = 0; g < p->group_count; g++) s->entry_start[g + 2] += s->entry_start[g + 1];
    for (int e = 0; e < p->entry_count; e++) s->entry_of[s->entry_start[p->entries[e].group + 1]++] = e;
    return true;
}

static bool take_numbers(crm_newton_system *s, crm_arena *arena) {
    const carom_problem *p = s->problem;
    double **by_row[] = {&s->inverse, &s->scale, &s->offset, &s->law_rest, &s->change_r, &s->change_u};
    for (size_t i = 0; i < sizeof by_row / sizeof by_row[0]; i++)
        if (!(*by_row[i] = CRM_ARENA_ZEROED(arena, double, s->rows))) return false;
    s->momentum_rest = CRM_ARENA_ARRAY(arena, double, s->velocities);
    s->change_v = CRM_ARENA_ARRAY(arena, double, s->velocities);
    s->law = CRM_ARENA_ZEROED(arena, crm_newton_law, p->group_count);
    s->block = CRM_ARENA_ZEROED(arena, crm_newton_block, p->group_count);
    s->jacobian = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)p->entry_count * N * N);
    s->mass_factor = CRM_ARENA_ARRAY(arena, double, (ptrdiff_t)p->node_count * N * N);
    return s->momentum_rest && s->change_v && s->law && s->block && s->jacobian && s->mass_factor;
}

static void factor_masses(crm_newton_system *s) {
    for (int n = 0; n < s->problem->node_count; n++) {
        const carom_node *node = &s->problem->nodes[n];
        double *l = s->mass_factor + (ptrdiff_t)n * N * N;
        memcpy(l, node->mass, sizeof(double) * (size_t)(node->size * node->size));
        crm_cholesky_factor(node->size, l, node->size);
    }
}

// The diagonal of W.
static void set_inverse(crm_newton_system *s) {
    const carom_problem *p = s->problem;
    if (s->form == CRM_NEWTON_DELASSUS) {
        for (int i = 0; i < s->rows; i++)
            for (int k = p->delassus.start[i]; k < p->delassus.start[i + 1]; k++)
                if (p->delassus.column[k] == i) s->inverse[i] = p->delassus.value[k];
        return;
    }
    for (int e = 0; e < p->entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int size = p->nodes[entry->node].size, first = s->row_start[entry->group];
        for (int i = 0; i < p->groups[entry->group].rows; i++) {
            double x[N], sum = 0.0;
            memcpy(x, entry->rows + i * size, sizeof(double) * (size_t)size);
            crm_cholesky_solve_lower(size, s->mass_factor + (ptrdiff_t)entry->node * N * N, size, x);
            for (int j = 0; j < size; j++) sum += x[j] * x[j];
            s->inverse[first + i] += sum;
        }
    }
}

static void set_scale(crm_newton_system *s, const double *weight) {
    const carom_problem *p = s->problem;
    for (int g = 0; g < p->group_count; g++) {
        const carom_group *group = &p->groups[g];
        double *scale = s->scale + s->row_start[g], *inverse = s->inverse + s->row_start[g], mean = 0.0;
        bool cone = group->law == CAROM_LAW_CONE && group->friction > 0.0;
        for (int i = 0; i < group->rows; i++) {
            scale[i] = cone && i == 0 ? group->friction : 1.0;
            mean += inverse[i] / (scale[i] * scale[i] * group->rows);
        }
        if (group->law == CAROM_LAW_CONE && !cone) mean = inverse[0];
        double sigma = mean > 0.0 ? sqrt(mean) : 1.0;
        if (weight != NULL) sigma *= weight[g];
        for (int i = 0; i < group->rows; i++) scale[i] *= sigma;
    }
}

static void set_laws(crm_newton_system *s) {
    const carom_problem *p = s->problem;
    for (int g = 0; g < p->group_count; g++) {
        const carom_group *group = &p->groups[g];
        const double *scale = s->scale + s->row_start[g];
        crm_newton_law *law = &s->law[g];
        *law = (crm_newton_law){.law = group->law, .rows = group->rows};
        law->frictionless = group->law == CAROM_LAW_CONE && !(group->friction > 0.0);
        law->exact = group->law == CAROM_LAW_CONE && !group->relaxed;
        law->lower = group->lower * scale[0], law->upper = group->upper * scale[0];
        for (int i = 0; i < group->rows; i++) {
            int row = s->row_start[g] + i;
            if (p->compliance != NULL) law->compliance[i] = p->compliance[row] / (scale[i] * scale[i]);
            if (law->compliance[i] > 0.0) law->compliant = true;
            s->offset[row] = p->offset[row] / scale[i];
        }
    }
}

static void set_jacobian(crm_newton_system *s) {
    const carom_problem *p = s->problem;
    for (int e = 0; e < p->entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int size = p->nodes[entry->node].size;
        double *h = s->jacobian + (ptrdiff_t)e * N * N;
        const double *scale = s->scale + s->row_start[entry->group];
        for (int i = 0; i < p->groups[entry->group].rows; i++)
            for (int j = 0; j < size; j++) h[i * size + j] = entry->rows[i * size + j] / scale[i];
    }
}

void crm_newton_rescale(crm_newton_system *s, const double *weight) {
    set_scale(s, weight);
    set_laws(s);
    if (s->form == CRM_NEWTON_DELASSUS) crm_newton_fill_delassus(s);
    else set_jacobian(s);
}

carom_status crm_newton_create(const carom_problem *problem, crm_newton_form form, crm_arena *arena, crm_arena *scratch,
                               crm_newton_system *s, carom_error *error) {
    *s = (crm_newton_system){.problem = problem, .form = form};
    if (!take_rows(s, arena) || !take_numbers(s, arena)) return no_memory(error);
    factor_masses(s);
    set_inverse(s);
    carom_status status = crm_newton_analyse(s, arena, scratch, error);
    if (status != CAROM_OK) return status;
    crm_newton_rescale(s, NULL);
    return CAROM_OK;
}

// y += H'^T v, and y += H' r below: by entries, in their order.
static void add_relative(const crm_newton_system *s, const double *v, double *u) {
    const carom_problem *p = s->problem;
    for (int e = 0; e < p->entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int size = p->nodes[entry->node].size;
        const double *h = s->jacobian + (ptrdiff_t)e * N * N, *x = v + s->node_start[entry->node];
        double *y = u + s->row_start[entry->group];
        for (int i = 0; i < p->groups[entry->group].rows; i++)
            for (int j = 0; j < size; j++) y[i] += h[i * size + j] * x[j];
    }
}

static void add_push(const crm_newton_system *s, const double *r, double *force) {
    const carom_problem *p = s->problem;
    for (int e = 0; e < p->entry_count; e++) {
        const carom_entry *entry = &p->entries[e];
        int size = p->nodes[entry->node].size;
        const double *h = s->jacobian + (ptrdiff_t)e * N * N, *x = r + s->row_start[entry->group];
        double *y = force + s->node_start[entry->node];
        for (int i = 0; i < p->groups[entry->group].rows; i++)
            for (int j = 0; j < size; j++) y[j] += h[i * size + j] * x[i];
    }
}

void crm_newton_relative(const crm_newton_system *s, const double *v, const double *r, double *u) {
    if (s->form == CRM_NEWTON_DELASSUS) {
        crm_block_matrix_apply(&s->delassus, r, u);
        for (int i = 0; i < s->rows; i++) u[i] += s->offset[i];
        return;
    }
    memcpy(u, s->offset, sizeof(double) * (size_t)s->rows);
    add_relative(s, v, u);
}

void crm_newton_relative_change(const crm_newton_system *s, const double *dv, const double *dr, double *du) {
    if (s->form == CRM_NEWTON_DELASSUS) {
        crm_block_matrix_apply(&s->delassus, dr, du);
        return;
    }
    memset(du, 0, sizeof(double) * (size_t)s->rows);
    add_relative(s, dv, du);
}

void crm_newton_add_push(const crm_newton_system *s, const double *r, double *force) {
    add_push(s, r, force);
}

void crm_newton_subtract_mass(const crm_newton_system *s, const double *v, double *force) {
    for (int n = 0; n < s->problem->node_count; n++) {
        const carom_node *node = &s->problem->nodes[n];
        const double *x = v + s->node_start[n];
        double *y = force + s->node_start[n];
        for (int i = 0; i < node->size; i++)
            for (int j = 0; j < node->size; j++) y[i] -= node->mass[i * node->size + j] * x[j];
    }
}

void crm_newton_velocity(const crm_newton_system *s, const double *r, double *v) {
    memset(v, 0, sizeof(double) * (size_t)s->velocities);
    add_push(s, r, v);
    for (int n = 0; n < s->problem->node_count; n++) {
        const carom_node *node = &s->problem->nodes[n];
        double *x = v + s->node_start[n];
        crm_cholesky_solve(node->size, s->mass_factor + (ptrdiff_t)n * N * N, node->size, 1, x, node->size);
        for (int i = 0; i < node->size; i++) x[i] += node->free[i];
    }
}

void crm_newton_momentum(const crm_newton_system *s, const double *v, const double *r, double *rest) {
    if (s->form == CRM_NEWTON_DELASSUS) return;
    // M (v_free - v) + H r
    for (int n = 0; n < s->problem->node_count; n++)
        for (int i = 0; i < s->problem->nodes[n].size; i++) {
            int k = s->node_start[n] + i;
            s->change_v[k] = v[k] - s->problem->nodes[n].free[i];
        }
    memset(rest, 0, sizeof(double) * (size_t)s->velocities);
    add_push(s, r, rest);
    crm_newton_subtract_mass(s, s->change_v, rest);
}

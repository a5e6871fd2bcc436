// SPDX-License-Identifier: MIT
#include "support/problem/contact_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"

contact_problem *contact_problem_create(void) {
    contact_problem *p = calloc(1, sizeof *p);
    p->problem = (carom_problem){
        .form = CAROM_FORM_BODIES, .groups = p->groups, .offset = p->offset, .nodes = p->nodes, .entries = p->entries};
    return p;
}

void contact_problem_destroy(contact_problem *p) {
    if (p == NULL) return;
    free(p->start);
    free(p->column);
    free(p->value);
    free(p);
}

int add_node(contact_problem *p, int size, const double *mass, const double *free_velocity) {
    carom_problem_node *node = &p->nodes[p->problem.node_count];
    node->size = size;
    memcpy(node->mass, mass, sizeof(double) * (size_t)(size * size));
    memcpy(node->free, free_velocity, sizeof(double) * (size_t)size);
    p->velocities += size;
    return p->problem.node_count++;
}

int add_body(contact_problem *p, double mass, double inertia, carom_vec3 velocity, carom_vec3 spin) {
    double matrix[36] = {0};
    for (int i = 0; i < 6; i++) matrix[7 * i] = i < 3 ? mass : inertia;
    double free_velocity[6] = {velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z};
    return add_node(p, 6, matrix, free_velocity);
}

int add_group(contact_problem *p, carom_row_group group) {
    p->groups[p->problem.group_count] = group;
    p->rows += group.rows;
    return p->problem.group_count++;
}

void add_entry(contact_problem *p, int group, int node, const double *rows) {
    carom_entry *entry = &p->entries[p->problem.entry_count++];
    entry->group = group;
    entry->node = node;
    memcpy(entry->rows, rows, sizeof(double) * (size_t)(p->groups[group].rows * p->nodes[node].size));
}

int add_contact(contact_problem *p, int a, int b, carom_vec3 lever_a, carom_vec3 lever_b, carom_vec3 normal,
                double mu) {
    int group = add_group(p, (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = mu});
    carom_vec3 axes[3] = {normal};
    crm_tangents(normal, &axes[1], &axes[2]);
    const int body[2] = {a, b};
    const carom_vec3 lever[2] = {lever_a, lever_b};
    for (int k = 0; k < 2; k++) {
        double rows[18], sign = k == 0 ? -1.0 : 1.0;
        if (body[k] < 0) continue;
        for (int i = 0; i < 3; i++) {
            carom_vec3 rotation = crm_cross(lever[k], axes[i]);
            double row[6] = {axes[i].x, axes[i].y, axes[i].z, rotation.x, rotation.y, rotation.z};
            for (int j = 0; j < 6; j++) rows[6 * i + j] = sign * row[j];
        }
        add_entry(p, group, body[k], rows);
    }
    return group;
}

// Gaussian elimination with pivoting; a and b are destroyed, x is left in b.
static void eliminate(int n, double *a, double *b) {
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) best = fabs(a[i * n + k]) > fabs(a[best * n + k]) ? i : best;
        for (int j = 0; j < n; j++) {
            double kept = a[k * n + j];
            a[k * n + j] = a[best * n + j];
            a[best * n + j] = kept;
        }
        double kept = b[k];
        b[k] = b[best];
        b[best] = kept;
        for (int i = k + 1; i < n; i++) {
            double factor = a[i * n + k] / a[k * n + k];
            for (int j = k; j < n; j++) a[i * n + j] -= factor * a[k * n + j];
            b[i] -= factor * b[k];
        }
    }
    for (int k = n - 1; k >= 0; k--) {
        for (int j = k + 1; j < n; j++) b[k] -= a[k * n + j] * b[j];
        b[k] /= a[k * n + k];
    }
}

double *dense_delassus(const carom_problem *problem) {
    int rows = carom_problem_row_count(problem), first[PROBLEM_MOST];
    double *w = calloc((size_t)(rows * rows) + 1, sizeof *w);
    for (int g = 0, row = 0; g < problem->group_count; g++) {
        first[g] = row;
        row += problem->groups[g].rows;
    }
    for (int e = 0; e < problem->entry_count; e++) {
        for (int f = 0; f < problem->entry_count; f++) {
            const carom_entry *x = &problem->entries[e], *y = &problem->entries[f];
            if (x->node != y->node) continue;
            const carom_problem_node *node = &problem->nodes[x->node];
            for (int j = 0; j < problem->groups[y->group].rows; j++) {
                double mass[36], column[6];
                memcpy(mass, node->mass, sizeof(double) * (size_t)(node->size * node->size));
                memcpy(column, y->rows + j * node->size, sizeof(double) * (size_t)node->size);
                eliminate(node->size, mass, column);
                for (int i = 0; i < problem->groups[x->group].rows; i++) {
                    for (int k = 0; k < node->size; k++)
                        w[(first[x->group] + i) * rows + first[y->group] + j] +=
                            x->rows[i * node->size + k] * column[k];
                }
            }
        }
    }
    return w;
}

contact_problem *delassus_problem(int rows, const double *w, const double *q) {
    contact_problem *p = contact_problem_create();
    p->problem.form = CAROM_FORM_DELASSUS;
    p->start = malloc(sizeof(int) * ((size_t)rows + 1));
    p->column = malloc(sizeof(int) * ((size_t)(rows * rows) + 1));
    p->value = malloc(sizeof(double) * ((size_t)(rows * rows) + 1));
    for (int i = 0; i <= rows; i++) p->start[i] = i * rows;
    for (int k = 0; k < rows * rows; k++) {
        p->column[k] = k % rows;
        p->value[k] = w[k];
    }
    memcpy(p->offset, q, sizeof(double) * (size_t)rows);
    p->problem.delassus = (carom_sparse){rows, rows, p->start, p->column, p->value};
    return p;
}

contact_problem *as_delassus(const contact_problem *from) {
    double *w = dense_delassus(&from->problem), q[PROBLEM_MOST * CAROM_GROUP_ROWS];
    int first[PROBLEM_MOST];
    memcpy(q, from->offset, sizeof(double) * (size_t)from->rows);
    for (int g = 0, row = 0; g < from->problem.group_count; g++) {
        first[g] = row;
        row += from->groups[g].rows;
    }
    for (int e = 0; e < from->problem.entry_count; e++) {
        const carom_entry *entry = &from->entries[e];
        const carom_problem_node *node = &from->nodes[entry->node];
        for (int i = 0; i < from->groups[entry->group].rows; i++) {
            for (int k = 0; k < node->size; k++)
                q[first[entry->group] + i] += entry->rows[i * node->size + k] * node->free[k];
        }
    }
    contact_problem *p = delassus_problem(from->rows, w, q);
    for (int g = 0; g < from->problem.group_count; g++) add_group(p, from->groups[g]);
    memcpy(p->compliance, from->compliance, sizeof p->compliance);
    if (from->problem.compliance != NULL) p->problem.compliance = p->compliance;
    free(w);
    return p;
}

static carom_row_group random_group(sampler *s) {
    switch (crm_random_below(s, 6)) {
    case 0:
        return (carom_row_group){.law = CAROM_LAW_EQUALITY, .rows = 1 + (int)crm_random_below(s, 6)};
    case 1:
        return (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1};
    case 2:
        return (carom_row_group){
            .law = CAROM_LAW_BOX, .rows = 1, .lower = sample_between(s, -2, 0), .upper = sample_between(s, 0, 2)};
    case 3:
        return (carom_row_group){.law = CAROM_LAW_CONE, .rows = 2, .friction = sample_between(s, 0, 1)};
    case 4:
        return (carom_row_group){
            .law = CAROM_LAW_CONE, .rows = 3, .friction = sample_between(s, 0, 1), .relaxed = true};
    default:
        return (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = sample_between(s, 0, 1)};
    }
}

contact_problem *random_problem(sampler *s, int nodes, int groups) {
    contact_problem *p = contact_problem_create();
    for (int n = 0; n < nodes; n++) {
        int size = 1 + (int)crm_random_below(s, 6);
        double root[36], mass[36], free_velocity[6];
        for (int k = 0; k < 36; k++) root[k] = sample_between(s, -1, 1);
        for (int i = 0; i < size; i++) {
            free_velocity[i] = sample_between(s, -1, 1);
            for (int j = 0; j < size; j++) {
                mass[i * size + j] = i == j ? 1.0 : 0.0;
                for (int k = 0; k < size; k++) mass[i * size + j] += root[i * 6 + k] * root[j * 6 + k];
            }
        }
        add_node(p, size, mass, free_velocity);
    }
    for (int g = 0; g < groups; g++) {
        int row = p->rows, group = add_group(p, random_group(s));
        for (int i = row; i < p->rows; i++) {
            p->offset[i] = sample_between(s, -1, 1);
            p->compliance[i] = crm_random_below(s, 4) == 0 ? sample_between(s, 0, 0.5) : 0.0;
        }
        int first = (int)crm_random_below(s, (uint64_t)nodes), second = (int)crm_random_below(s, (uint64_t)nodes);
        for (int k = 0; k < (first == second ? 1 : 2); k++) {
            double rows[36];
            for (int i = 0; i < 36; i++) rows[i] = sample_between(s, -1, 1);
            add_entry(p, group, k == 0 ? first : second, rows);
        }
    }
    p->problem.compliance = p->compliance;
    return p;
}

contact_problem *box_tower(int boxes, double mu, double ratio, carom_vec3 push) {
    const double step = 0.01, gravity = 9.81;
    contact_problem *p = contact_problem_create();
    double mass = 1.0;
    for (int n = 0; n < boxes; n++, mass *= ratio) { // cubes with edges of 1 m
        carom_vec3 velocity = {0, 0, -gravity * step};
        add_body(p, mass, mass / 6.0, n == boxes - 1 ? crm_add(velocity, push) : velocity, crm_vec3_zero());
        for (int corner = 0; corner < 4; corner++) {
            double x = corner % 2 == 0 ? -0.5 : 0.5, y = corner / 2 == 0 ? -0.5 : 0.5;
            add_contact(p, n - 1, n, crm_vec3(x, y, 0.5), crm_vec3(x, y, -0.5), crm_vec3(0, 0, 1), mu);
        }
    }
    return p;
}

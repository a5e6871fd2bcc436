// SPDX-License-Identifier: MIT
#include "support/problem/contact_stacks.h"

#include <math.h>
#include <stdlib.h>

#include "support/harness/sample.h"

static const double gravity_step = 9.81 * 0.01;

// Rows of one contact on one box: velocity of its point along the three axes. `side` is +1 or -1.
static void fill_entry(carom_entry *entry, const double arm[3], double axes[3][3], double side) {
    for (int i = 0; i < 3; i++) {
        const double *a = axes[i];
        double moment[3] = {arm[1] * a[2] - arm[2] * a[1], arm[2] * a[0] - arm[0] * a[2],
                            arm[0] * a[1] - arm[1] * a[0]};
        for (int j = 0; j < 3; j++) {
            entry->rows[i * 6 + j] = side * a[j];
            entry->rows[i * 6 + 3 + j] = side * moment[j];
        }
    }
}

typedef struct face {
    int below, above; // boxes, below may be -1 for the ground
    double centre[3];
    int normal;     // axis
    double half[2]; // extent along the two axes after the normal
} face;

static void add_face(contact_stack *stack, const stack_def *def, sampler *s, double (*position)[3], const face *f) {
    double axes[3][3] = {{0}};
    for (int i = 0; i < 3; i++) axes[i][(f->normal + i) % 3] = 1.0;
    for (int i = 0; i < def->per_edge; i++)
        for (int j = 0; j < def->per_edge; j++) {
            double at[3] = {f->centre[0], f->centre[1], f->centre[2]};
            double x = def->per_edge > 1 ? 2.0 * i / (def->per_edge - 1) - 1.0 : 0.0;
            double y = def->per_edge > 1 ? 2.0 * j / (def->per_edge - 1) - 1.0 : 0.0;
            at[(f->normal + 1) % 3] += x * f->half[0];
            at[(f->normal + 2) % 3] += y * f->half[1];
            int group = stack->problem.group_count++;
            double mu = def->mixed ? sample_between(s, 0.0, def->friction) : def->friction;
            stack->groups[group] =
                (carom_row_group){.law = CAROM_LAW_CONE, .rows = 3, .friction = mu, .relaxed = def->relaxed};
            for (int side = 0; side < 2; side++) {
                int box = side == 0 ? f->above : f->below;
                if (box < 0) continue;
                double arm[3];
                for (int k = 0; k < 3; k++) arm[k] = at[k] - position[box][k];
                carom_entry *entry = &stack->entries[stack->problem.entry_count++];
                *entry = (carom_entry){.group = group, .node = box};
                fill_entry(entry, arm, axes, side == 0 ? 1.0 : -1.0);
            }
        }
}

static double mass_of(const stack_def *def, sampler *s, int layer) {
    double top = def->size[2] > 1 ? (double)layer / (def->size[2] - 1) : 0.5;
    double share = def->heavy_on_top ? top : sample_between(s, 0.0, 1.0);
    return pow(def->ratio, share - 0.5);
}

contact_stack stack_create(const stack_def *def) {
    int nx = def->size[0], ny = def->size[1], nz = def->size[2], count = nx * ny * nz;
    size_t faces = (size_t)count * 5, contacts = faces * (size_t)(def->per_edge * def->per_edge);
    contact_stack stack = {.groups = calloc(contacts, sizeof(carom_row_group)),
                           .nodes = calloc((size_t)count, sizeof(carom_problem_node)),
                           .entries = calloc(contacts * 2, sizeof(carom_entry)),
                           .offset = calloc(contacts * 3, sizeof(double))};
    double(*position)[3] = calloc((size_t)count, sizeof *position);
    if (!stack.groups || !stack.nodes || !stack.entries || !stack.offset || !position) abort();
    sampler s = {.seed = def->seed};
    for (int z = 0, b = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++, b++) {
                double shift = def->staggered && z % 2 == 1 ? 0.5 : 0.0, m = mass_of(def, &s, z);
                position[b][0] = x + shift, position[b][1] = y, position[b][2] = z;
                carom_problem_node *node = &stack.nodes[b];
                node->size = 6;
                for (int i = 0; i < 6; i++) {
                    node->mass[i * 7] = i < 3 ? m : m / 6.0;
                    node->free[i] = sample_between(&s, -def->push, def->push);
                }
                node->free[0] += gravity_step * sin(def->tilt);
                node->free[2] -= gravity_step * cos(def->tilt);
            }
    for (int z = 0, b = 0; z < nz; z++)
        for (int y = 0; y < ny; y++)
            for (int x = 0; x < nx; x++, b++) {
                const double *p = position[b];
                if (z == 0) {
                    add_face(&stack, def, &s, position, &(face){-1, b, {p[0], p[1], p[2] - 0.5}, 2, {0.5, 0.5}});
                } else if (!def->staggered) {
                    add_face(&stack, def, &s, position,
                             &(face){b - nx * ny, b, {p[0], p[1], p[2] - 0.5}, 2, {0.5, 0.5}});
                } else { // half of each of the two boxes below, as far as they exist
                    for (int side = -1; side <= 1; side += 2) {
                        int below = z % 2 == 1 ? (side < 0 ? x : x + 1) : (side < 0 ? x - 1 : x);
                        if (below < 0 || below >= nx) continue;
                        int index = (z - 1) * nx * ny + y * nx + below;
                        add_face(&stack, def, &s, position,
                                 &(face){index, b, {p[0] + 0.25 * side, p[1], p[2] - 0.5}, 2, {0.25, 0.5}});
                    }
                }
                if (def->sideways && x > 0)
                    add_face(&stack, def, &s, position, &(face){b - 1, b, {p[0] - 0.5, p[1], p[2]}, 0, {0.5, 0.5}});
                if (def->sideways && y > 0)
                    add_face(&stack, def, &s, position, &(face){b - nx, b, {p[0], p[1] - 0.5, p[2]}, 1, {0.5, 0.5}});
            }
    free(position);
    stack.problem.form = CAROM_FORM_BODIES;
    stack.problem.groups = stack.groups;
    stack.problem.offset = stack.offset;
    stack.problem.nodes = stack.nodes;
    stack.problem.node_count = count;
    stack.problem.entries = stack.entries;
    stack.rows = 3 * stack.problem.group_count;
    return stack;
}

void stack_destroy(contact_stack *stack) {
    free(stack->groups);
    free(stack->nodes);
    free(stack->entries);
    free(stack->offset);
    *stack = (contact_stack){0};
}

// SPDX-License-Identifier: MIT
#include "solve/coupled/coupled_mass.h"

#include <string.h>

#include "base/fail.h"
#include "math/block/block_inverse.h"
#include "math/block/block_order.h"

void crm_coupled_mass_init(crm_coupled_mass *mass, const carom_allocator *allocator) {
    *mass = (crm_coupled_mass){0};
    crm_arena_init(&mass->pattern, allocator);
    crm_arena_init(&mass->touched_arena, allocator);
    crm_arena_init(&mass->scratch, allocator);
}

void crm_coupled_mass_free(crm_coupled_mass *mass) {
    crm_arena_free(&mass->pattern);
    crm_arena_free(&mass->touched_arena);
    crm_arena_free(&mass->scratch);
}

// Approximate minimum degree, with the late nodes moved to the end.
static carom_status order_nodes(crm_coupled_mass *mass, const crm_block_graph *graph, const bool *late, int *order,
                                crm_arena *arena, carom_error *error) {
    crm_block_adjacency adjacency;
    crm_block_order plain;
    carom_status status = crm_block_adjacency_create(graph, arena, &adjacency, error);
    if (status == CAROM_OK)
        status = crm_block_order_create(graph, &adjacency, NULL, arena, &mass->scratch, &plain, error);
    if (status != CAROM_OK) return status;
    int next = 0;
    for (int last = 0; last < 2; last++)
        for (int k = 0; k < graph->node_count; k++)
            if (late[plain.order[k]] == (last == 1)) order[next++] = plain.order[k];
    return CAROM_OK;
}

carom_status crm_coupled_mass_analyse(crm_coupled_mass *mass, const crm_block_graph *graph, const bool *late,
                                      carom_error *error) {
    mass->factored = false;
    mass->touched_count = mass->inverse_size = 0;
    crm_arena_reset(&mass->pattern);
    carom_status status = crm_block_graph_check(graph, &mass->scratch, error);
    if (status != CAROM_OK) return status;
    int *order = CRM_ARENA_ARRAY(&mass->pattern, int, graph->node_count);
    mass->first = CRM_ARENA_ARRAY(&mass->pattern, int, graph->node_count);
    mass->touched = CRM_ARENA_ARRAY(&mass->pattern, int, graph->node_count);
    if (order == NULL || mass->first == NULL || mass->touched == NULL)
        return crm_fail_memory(error, "a mass", sizeof(int) * (size_t)graph->node_count);
    status = order_nodes(mass, graph, late, order, &mass->pattern, error);
    if (status == CAROM_OK)
        status = crm_block_analyse(graph, order, &mass->pattern, &mass->scratch, &mass->symbolic, error);
    if (status == CAROM_OK)
        status = crm_block_factor_create(&mass->symbolic, CRM_BLOCK_CHOLESKY, &mass->pattern, &mass->factor, error);
    if (status != CAROM_OK) return status;
    mass->work = CRM_ARENA_ARRAY(&mass->pattern, double, crm_block_factor_solve_scratch(&mass->factor));
    return mass->work != NULL ? CAROM_OK : crm_fail_memory(error, "a mass", 0);
}

bool crm_coupled_mass_factor(crm_coupled_mass *mass, const crm_block_matrix *matrix) {
    crm_block_factor_report report;
    crm_block_factor_compute(&mass->factor, matrix, &report);
    mass->factored = report.finite && report.left_out == 0;
    mass->touched_count = mass->inverse_size = 0;
    for (int n = 0; n < mass->symbolic.node_count; n++) mass->first[n] = -1;
    return mass->factored;
}

static int size_of(const crm_coupled_mass *mass, const int *position, int node) {
    return mass->symbolic.size[position[node]];
}

carom_status crm_coupled_mass_touch(crm_coupled_mass *mass, int count, const int *nodes, carom_error *error) {
    bool fresh = false;
    for (int k = 0; k < count; k++) {
        if (mass->first[nodes[k]] >= 0) continue;
        mass->first[nodes[k]] = 0;
        mass->touched[mass->touched_count++] = nodes[k];
        fresh = true;
    }
    if (!fresh) return CAROM_OK;
    crm_mark mark = crm_arena_mark(&mass->scratch);
    int *position = CRM_ARENA_ARRAY(&mass->scratch, int, mass->symbolic.node_count);
    if (position == NULL) return crm_fail_memory(error, "the inverse of a mass", 0);
    for (int k = 0; k < mass->symbolic.node_count; k++) position[mass->symbolic.order[k]] = k;
    mass->inverse_size = 0;
    for (int k = 0; k < mass->touched_count; k++) {
        mass->first[mass->touched[k]] = mass->inverse_size;
        mass->inverse_size += size_of(mass, position, mass->touched[k]);
    }
    crm_arena_release(&mass->scratch, mark);
    crm_arena_reset(&mass->touched_arena);
    ptrdiff_t numbers = (ptrdiff_t)mass->inverse_size * mass->inverse_size;
    mass->inverse = CRM_ARENA_ARRAY(&mass->touched_arena, double, numbers);
    mass->inversions++;
    if (mass->inverse == NULL) return crm_fail_memory(error, "the inverse of a mass", sizeof(double) * (size_t)numbers);
    return crm_block_inverse_between(&mass->factor, mass->touched_count, mass->touched, &mass->scratch, mass->inverse,
                                     error);
}

void crm_coupled_mass_divide(const crm_coupled_mass *mass, double *x) {
    crm_block_factor_solve(&mass->factor, 1, x, mass->symbolic.scalar_count, mass->work);
}

// SPDX-License-Identifier: MIT
#include "worlds/pile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"

typedef struct close_pair {
    double distance;
    crm_block_edge edge;
} close_pair;

static int compare_pairs(const void *a, const void *b) {
    const close_pair *x = a, *y = b;
    if (x->distance != y->distance) return x->distance < y->distance ? -1 : 1;
    if (x->edge.row != y->edge.row) return x->edge.row - y->edge.row;
    return x->edge.column - y->edge.column;
}

static void *or_exit(void *memory) {
    if (memory == NULL) {
        fprintf(stderr, "carom: no memory for the benchmark's matrix\n");
        exit(3);
    }
    return memory;
}

static crm_block_graph close_pairs_graph(int body_count, int contact_count, crm_random *random, crm_arena *arena) {
    int side = (int)ceil(cbrt((double)body_count));
    carom_vec3 *place = or_exit(CRM_ARENA_ARRAY(arena, carom_vec3, body_count));
    const double shake = 0.2;
    for (int i = 0; i < body_count; i++) {
        place[i].x = i % side + crm_random_between(random, -shake, shake);
        place[i].y = i / side % side + crm_random_between(random, -shake, shake);
        place[i].z = i / side / side + crm_random_between(random, -shake, shake);
    }
    ptrdiff_t pair_total = (ptrdiff_t)body_count * (body_count - 1) / 2, pair_count = 0;
    close_pair *pairs = or_exit(CRM_ARENA_ARRAY(arena, close_pair, pair_total));
    for (int i = 0; i < body_count; i++)
        for (int j = 0; j < i; j++) {
            double x = place[i].x - place[j].x, y = place[i].y - place[j].y, z = place[i].z - place[j].z;
            pairs[pair_count++] = (close_pair){sqrt(x * x + y * y + z * z), {i, j}};
        }
    qsort(pairs, (size_t)pair_count, sizeof *pairs, compare_pairs);
    if (contact_count > pair_count) contact_count = (int)pair_count;

    int *size = or_exit(CRM_ARENA_ARRAY(arena, int, body_count));
    crm_block_edge *edges = or_exit(CRM_ARENA_ARRAY(arena, crm_block_edge, contact_count));
    for (int i = 0; i < body_count; i++) size[i] = 6;
    for (int e = 0; e < contact_count; e++) edges[e] = pairs[e].edge;
    return (crm_block_graph){body_count, size, contact_count, edges};
}

// block += J_a^T C J_b with J: 3 x 6, C: 3 x 3, all column-major
static void add_contact(const double *j_a, const double *c, const double *j_b, double *block) {
    for (int column = 0; column < 6; column++)
        for (int row = 0; row < 6; row++)
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++)
                    block[row + 6 * column] += j_a[p + 3 * row] * c[p + 3 * q] * j_b[q + 3 * column];
}

crm_block_matrix bench_pile_matrix(int body_count, int contact_count, bool symmetric, uint64_t seed, crm_arena *arena) {
    crm_random random = {.seed = seed};
    crm_block_graph graph = close_pairs_graph(body_count, contact_count, &random, arena);
    crm_block_matrix matrix;
    if (crm_block_matrix_create(&graph, symmetric, arena, &matrix, NULL) != CAROM_OK) or_exit(NULL);
    for (int i = 0; i < body_count; i++)
        for (int k = 0; k < 6; k++)
            matrix.diagonal[matrix.node_block[i] + 7 * k] = crm_random_between(&random, 0.5, 2.0);
    for (int e = 0; e < graph.edge_count; e++) {
        double j_row[18], j_column[18], c[9] = {0};
        for (int k = 0; k < 18; k++) j_row[k] = crm_random_normal(&random);
        for (int k = 0; k < 18; k++) j_column[k] = crm_random_normal(&random);
        for (int k = 0; k < 3; k++) c[4 * k] = crm_random_between(&random, 0.5, 5.0);
        if (!symmetric) c[6] = 0.5 * c[0], c[3] = -0.4 * c[0]; // a sliding contact: its normal part sees the slip
        int row = graph.edge[e].row, column = graph.edge[e].column;
        add_contact(j_row, c, j_row, matrix.diagonal + matrix.node_block[row]);
        add_contact(j_column, c, j_column, matrix.diagonal + matrix.node_block[column]);
        add_contact(j_row, c, j_column, matrix.edges + matrix.edge_block[e]);
        if (!symmetric) add_contact(j_column, c, j_row, matrix.mirror + matrix.edge_block[e]);
    }
    return matrix;
}

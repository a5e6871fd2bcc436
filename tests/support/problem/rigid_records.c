// SPDX-License-Identifier: MIT
#include "support/problem/rigid_records.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { LANES = CRM_RIGID_LANES, STRIDE = CRM_RIGID_STRIDE };

static void *take(size_t count, size_t size) {
    size_t bytes = (count * size + 63) / 64 * 64 + 64;
    void *memory = aligned_alloc(64, bytes);
    if (memory == NULL) abort();
    memset(memory, 0, bytes);
    return memory;
}

// L of M = L L^T.
static void factor(int n, const double *mass, double l[36]) {
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = mass[i * n + j];
            for (int k = 0; k < j; k++) sum -= l[6 * i + k] * l[6 * j + k];
            l[6 * i + j] = i == j ? sqrt(sum) : sum / l[6 * j + j];
        }
}

// row <- row L^-T, that is, L x = row.
static void scale_row(int n, const double l[36], const double *row, double x[6]) {
    memset(x, 0, 6 * sizeof *x);
    for (int i = 0; i < n; i++) {
        double sum = row[i];
        for (int k = 0; k < i; k++) sum -= l[6 * i + k] * x[k];
        x[i] = sum / l[6 * i + i];
    }
}

typedef struct group_rows {
    int a, b;                    // slots
    double row_a[36], row_b[36]; // in scaled velocities
    double own[36];
} group_rows;

static bool gather_rows(const carom_problem *p, double (*l)[36], int group, group_rows *out) {
    *out = (group_rows){0};
    int rows = p->groups[group].rows, found = 0;
    for (int e = 0; e < p->entry_count; e++) {
        if (p->entries[e].group != group) continue;
        int node = p->entries[e].node, size = p->nodes[node].size;
        if (found == 2) return false;
        *(found == 0 ? &out->a : &out->b) = node + 1;
        double *to = found == 0 ? out->row_a : out->row_b;
        for (int i = 0; i < rows; i++) scale_row(size, l[node], p->entries[e].rows + i * size, to + 6 * i);
        found++;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < rows; j++)
            for (int k = 0; k < 6; k++)
                out->own[i * rows + j] +=
                    out->row_a[6 * i + k] * out->row_a[6 * j + k] + out->row_b[6 * i + k] * out->row_b[6 * j + k];
    return true;
}

// A lane of the first batch that holds neither body, among the last few.
static int find_lane(rigid_island *island, const group_rows *rows) {
    int first = island->batch_count > 64 ? island->batch_count - 64 : 0;
    for (int k = first; k < island->batch_count; k++) {
        crm_rigid_batch *batch = &island->system.batch[k];
        int free = -1;
        bool taken = false;
        for (int l = LANES - 1; l >= 0; l--) {
            if (batch->contact[l] < 0) {
                free = l;
                continue;
            }
            taken |= rows->a != 0 && (batch->a[l] == rows->a || batch->b[l] == rows->a);
            taken |= rows->b != 0 && (batch->a[l] == rows->b || batch->b[l] == rows->b);
        }
        if (!taken && free >= 0) return k * LANES + free;
    }
    int k = island->batch_count++;
    for (int l = 0; l < LANES; l++) island->system.batch[k].contact[l] = -1, island->system.batch[k].scale[l] = 1.0;
    return k * LANES;
}

static void set_contact(rigid_island *island, int group, const group_rows *g) {
    const carom_problem *p = island->problem;
    int place = find_lane(island, g), l = place % LANES, rows = p->groups[group].rows;
    crm_rigid_batch *b = &island->system.batch[place / LANES];
    for (int k = 0; k < 6 * rows; k++) b->row_a[k][l] = g->row_a[k], b->row_b[k][l] = g->row_b[k];
    b->a[l] = g->a, b->b[l] = g->b, b->contact[l] = group;
    b->offset[l] = p->offset[island->row_start[group]];
    b->friction[l] = p->groups[group].law == CAROM_LAW_CONE ? p->groups[group].friction : 0.0;
    const double *w = g->own;
    b->scale[l] = 0.0;
    for (int i = 0; i < rows; i++) b->scale[l] += w[i * (rows + 1)] / rows;
    b->normal[l] = w[0];
    b->normal_inverse[l] = w[0] > 0.0 ? 1.0 / w[0] : 0.0;
    if (rows == 3) {
        b->lean[0][l] = w[3], b->lean[1][l] = w[6];
        b->schur[0][l] = w[4] - w[3] * w[3] * b->normal_inverse[l];
        b->schur[1][l] = w[5] - w[3] * w[6] * b->normal_inverse[l];
        b->schur[2][l] = w[8] - w[6] * w[6] * b->normal_inverse[l];
    }
    island->place[group] = place;
}

static void set_block(rigid_island *island, int group, const group_rows *g) {
    const carom_problem *p = island->problem;
    int number = island->members.block_count++;
    crm_rigid_rows *rows = &island->system.rows[number];
    *rows = (crm_rigid_rows){.law = p->groups[group].law,
                             .rows = p->groups[group].rows,
                             .a = g->a,
                             .b = g->b,
                             .block = group,
                             .lower = p->groups[group].lower,
                             .upper = p->groups[group].upper};
    memcpy(rows->row_a, g->row_a, sizeof rows->row_a);
    memcpy(rows->row_b, g->row_b, sizeof rows->row_b);
    memcpy(rows->own, g->own, sizeof rows->own);
    for (int i = 0; i < rows->rows; i++) rows->offset[i] = p->offset[island->row_start[group] + i];
    island->place[group] = -1 - number;
}

static void list_members(rigid_island *island) {
    int groups = island->problem->group_count, nodes = island->problem->node_count;
    int *lane = take((size_t)groups, sizeof *lane), *rows = take((size_t)groups, sizeof *rows);
    int *slots = take((size_t)nodes, sizeof *slots);
    for (int g = 0; g < groups; g++)
        if (island->place[g] >= 0) lane[island->members.contact_count++] = island->place[g];
    for (int i = 0; i < island->members.block_count; i++) rows[i] = i;
    for (int n = 0; n < nodes; n++) slots[n] = n + 1;
    island->members.body_count = nodes;
    island->members.lane = lane, island->members.rows = rows, island->members.slots = slots;
}

bool rigid_island_create(const carom_problem *p, rigid_island *island) {
    *island = (rigid_island){.problem = p};
    size_t groups = (size_t)p->group_count, nodes = (size_t)p->node_count;
    double(*l)[36] = take(nodes, sizeof *l), *free_velocity = take((nodes + 1) * STRIDE, sizeof(double));
    island->system.batch = take(groups, sizeof(crm_rigid_batch));
    island->system.rows = take(groups, sizeof(crm_rigid_rows));
    island->system.z = take((nodes + 1) * STRIDE, sizeof(double));
    island->system.free = free_velocity;
    island->system.slot_count = p->node_count + 1;
    island->place = take(groups, sizeof(int));
    island->row_start = take(groups + 1, sizeof(int));
    for (int n = 0; n < p->node_count; n++) {
        int size = p->nodes[n].size;
        factor(size, p->nodes[n].mass, l[n]);
        for (int i = 0; i < size; i++)
            for (int k = i; k < size; k++) free_velocity[STRIDE * (n + 1) + i] += l[n][6 * k + i] * p->nodes[n].free[k];
    }
    bool known = p->form == CAROM_FORM_BODIES && p->compliance == NULL;
    for (int g = 0; g < p->group_count && known; g++) {
        group_rows rows;
        island->row_start[g + 1] = island->row_start[g] + p->groups[g].rows;
        known = gather_rows(p, l, g, &rows);
        bool cone = p->groups[g].law == CAROM_LAW_CONE;
        if (cone && (p->groups[g].rows != 3 || !(p->groups[g].friction > 0.0))) known = false;
        if (cone) island->system.relaxed = p->groups[g].relaxed;
        if (!known) break;
        if (cone || p->groups[g].law == CAROM_LAW_UNILATERAL)
            set_contact(island, g, &rows);
        else
            set_block(island, g, &rows);
    }
    free(l);
    list_members(island);
    island->rows = island->row_start[p->group_count];
    if (!known) rigid_island_destroy(island);
    return known;
}

void rigid_island_destroy(rigid_island *island) {
    free(island->system.batch);
    free(island->system.rows);
    free(island->system.z);
    free((double *)island->system.free);
    free(island->place);
    free(island->row_start);
    free((int *)island->members.lane);
    free((int *)island->members.rows);
    free((int *)island->members.slots);
    *island = (rigid_island){0};
}

static void add_impulse(const double *row, double impulse, double *z) {
    for (int k = 0; k < 6; k++) z[k] += row[k] * impulse;
}

void rigid_island_set(rigid_island *island, const double *impulse) {
    const carom_problem *p = island->problem;
    double *z = island->system.z;
    memcpy(z, island->system.free, sizeof *z * STRIDE * (size_t)island->system.slot_count);
    for (int g = 0; g < p->group_count; g++)
        for (int i = 0; i < p->groups[g].rows; i++) {
            double r = impulse[island->row_start[g] + i], row_a[6], row_b[6];
            int place = island->place[g], l = place % LANES;
            if (place < 0) {
                crm_rigid_rows *rows = &island->system.rows[-1 - place];
                rows->impulse[i] = r;
                add_impulse(rows->row_a + 6 * i, r, z + STRIDE * rows->a);
                add_impulse(rows->row_b + 6 * i, r, z + STRIDE * rows->b);
                continue;
            }
            crm_rigid_batch *b = &island->system.batch[place / LANES];
            b->impulse[i][l] = r;
            for (int k = 0; k < 6; k++) row_a[k] = b->row_a[6 * i + k][l], row_b[k] = b->row_b[6 * i + k][l];
            add_impulse(row_a, r, z + STRIDE * b->a[l]);
            add_impulse(row_b, r, z + STRIDE * b->b[l]);
        }
}

void rigid_island_get(const rigid_island *island, double *impulse) {
    const carom_problem *p = island->problem;
    for (int g = 0; g < p->group_count; g++)
        for (int i = 0; i < p->groups[g].rows; i++) {
            int place = island->place[g];
            impulse[island->row_start[g] + i] = place < 0
                                                    ? island->system.rows[-1 - place].impulse[i]
                                                    : island->system.batch[place / LANES].impulse[i][place % LANES];
        }
}

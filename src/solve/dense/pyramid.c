// SPDX-License-Identifier: MIT
#include "solve/dense/pyramid.h"

#include <math.h>

#include "base/fail.h"
#include "math/dense/dense.h"

static const double full_circle = 6.28318530717958647693;

// How many unknowns a group has of each kind, in the order in which they are numbered.
typedef struct shares {
    int first, further, multipliers;
} shares;

static bool is_free(const carom_row_group *group) {
    return group->law == CAROM_LAW_EQUALITY ||
           (group->law == CAROM_LAW_BOX && isinf(group->lower) && isinf(group->upper));
}

static int sides_of(const carom_row_group *group, int sides) {
    if (group->law != CAROM_LAW_CONE || group->friction == 0.0) return 0;
    return group->rows == 2 ? 2 : sides;
}

static shares shares_of(const carom_row_group *group, int sides) {
    if (is_free(group)) return (shares){group->rows, group->rows, 0};
    if (group->law == CAROM_LAW_BOX) return (shares){1, 0, isfinite(group->lower) && isfinite(group->upper)};
    int k = sides_of(group, sides);
    if (k == 0) return (shares){1, 0, 0};
    return group->relaxed ? (shares){0, k, 0} : (shares){1, k, 1};
}

// Where the next unknown of each kind goes, and where a group's rows start.
typedef struct builder {
    crm_pyramid *pyramid;
    double *matrix, *offset;
    shares next;
    int row, sides;
} builder;

static int add(builder *b, int *next, int row, int rows, double along0, double along1, double along2) {
    b->pyramid->unknowns[*next] = (crm_pyramid_unknown){row, rows, {along0, along1, along2}};
    return (*next)++;
}

static double *entry(builder *b, int i, int j) {
    return b->matrix + (ptrdiff_t)i * b->pyramid->lcp.size + j;
}

static void add_free(builder *b, int rows) {
    for (int i = 0; i < rows; i++) {
        add(b, &b->next.first, b->row + i, 1, 1.0, 0.0, 0.0);
        add(b, &b->next.further, b->row + i, 1, -1.0, 0.0, 0.0);
    }
}

// Counted from the lower bound up, or where there is none from the upper one down.
static void add_box(builder *b, const carom_row_group *group) {
    bool up = isfinite(group->lower);
    b->pyramid->base[b->row] = up ? group->lower : group->upper;
    int force = add(b, &b->next.first, b->row, 1, up ? 1.0 : -1.0, 0.0, 0.0);
    if (!up || !isfinite(group->upper)) return;
    int bound = add(b, &b->next.multipliers, b->row, 0, 0.0, 0.0, 0.0);
    *entry(b, force, bound) = 1.0;
    *entry(b, bound, force) = -1.0;
    b->offset[bound] = group->upper - group->lower;
}

static void add_cone(builder *b, const carom_row_group *group) {
    int k = sides_of(group, b->sides), normal = -1, coupling = -1;
    if (k == 0 || !group->relaxed) normal = add(b, &b->next.first, b->row, 1, 1.0, 0.0, 0.0);
    if (k == 0) return;
    if (!group->relaxed) {
        coupling = add(b, &b->next.multipliers, b->row, 0, 0.0, 0.0, 0.0);
        *entry(b, coupling, normal) = group->friction;
    }
    for (int j = 0; j < k; j++) {
        double x = k == 2 ? 1.0 - 2.0 * j : cos(full_circle * j / k), y = k == 2 ? 0.0 : sin(full_circle * j / k);
        double mu = group->friction;
        if (group->relaxed) {
            add(b, &b->next.further, b->row, group->rows, 1.0, mu * x, mu * y);
            continue;
        }
        int beta = add(b, &b->next.further, b->row, group->rows, 0.0, x, y);
        *entry(b, beta, coupling) = 1.0;
        *entry(b, coupling, beta) = -1.0;
    }
}

// The impulses' block of the matrix, direction_i.W direction_j, and of the offset, direction_i.(q + W base).
static void fill_impulses(builder *b, const double *w, const double *q) {
    const crm_pyramid *p = b->pyramid;
    for (int i = 0; i < p->lcp.size; i++) {
        const crm_pyramid_unknown *left = &p->unknowns[i];
        for (int s = 0; s < left->rows; s++) {
            const double *row = w + (ptrdiff_t)(left->row + s) * p->rows;
            b->offset[i] += left->along[s] * (q[left->row + s] + crm_dense_dot(p->rows, row, p->base));
            for (int j = 0; j < p->lcp.size; j++) {
                const crm_pyramid_unknown *right = &p->unknowns[j];
                double sum = 0.0;
                for (int t = 0; t < right->rows; t++) sum += row[right->row + t] * right->along[t];
                *entry(b, i, j) += left->along[s] * sum;
            }
        }
    }
}

long long crm_pyramid_size(int group_count, const carom_row_group *groups, int sides) {
    long long size = 0;
    for (int g = 0; g < group_count; g++) {
        shares share = shares_of(&groups[g], sides);
        size += share.first + share.further + share.multipliers;
    }
    return size;
}

carom_status crm_pyramid_build(int group_count, const carom_row_group *groups, const double *w, const double *q,
                               int sides, crm_arena *arena, crm_pyramid *out, carom_error *error) {
    if (sides < 4 || sides % 2 != 0)
        return crm_refuse(error, "a pyramid of %d sides: it needs an even number from 4 on", sides);
    long long first = 0, further = 0, rows = 0, size = crm_pyramid_size(group_count, groups, sides);
    for (int g = 0; g < group_count; g++) {
        shares share = shares_of(&groups[g], sides);
        first += share.first;
        further += share.further;
        rows += groups[g].rows;
    }
    if (size > 20000) return crm_fail(error, CAROM_ERR_TOO_LARGE, "pyramids with %lld unknowns are too large", size);
    *out = (crm_pyramid){.rows = (int)rows, .lcp = {.size = (int)size}};
    builder b = {.pyramid = out,
                 .matrix = CRM_ARENA_ZEROED(arena, double, size *size),
                 .offset = CRM_ARENA_ZEROED(arena, double, size),
                 .next = {0, (int)first, (int)(first + further)},
                 .sides = sides};
    out->unknowns = CRM_ARENA_ARRAY(arena, crm_pyramid_unknown, size);
    out->base = CRM_ARENA_ZEROED(arena, double, rows);
    out->lcp.matrix = b.matrix;
    out->lcp.offset = b.offset;
    if (b.matrix == NULL || b.offset == NULL || out->unknowns == NULL || out->base == NULL)
        return crm_fail_memory(error, "the pyramids of a contact problem", (size_t)(size * size) * sizeof(double));
    for (int g = 0; g < group_count; b.row += groups[g++].rows) {
        if (is_free(&groups[g]))
            add_free(&b, groups[g].rows);
        else if (groups[g].law == CAROM_LAW_BOX)
            add_box(&b, &groups[g]);
        else
            add_cone(&b, &groups[g]); // a unilateral row is a cone without sides
    }
    fill_impulses(&b, w, q);
    return CAROM_OK;
}

void crm_pyramid_impulse(const crm_pyramid *pyramid, const double *z, double *r) {
    for (int i = 0; i < pyramid->rows; i++) r[i] = pyramid->base[i];
    for (int j = 0; j < pyramid->lcp.size; j++) {
        const crm_pyramid_unknown *unknown = &pyramid->unknowns[j];
        for (int s = 0; s < unknown->rows; s++) r[unknown->row + s] += z[j] * unknown->along[s];
    }
}

// SPDX-License-Identifier: MIT
// The largest natural rate, by Lanczos' method on M^-1/2 K M^-1/2.
//
// Its vectors are not orthogonalised again: what rounding brings back are copies of the largest eigenvalue, which is
// all that is wanted. The eigenvalue of the tridiagonal matrix is never above the true one, and an eigenvalue is
// within its residual, which the last component of the eigenvector tells.
#include "flex/element/element_rates.h"

#include <float.h>

#include "base/fail.h"
#include "base/random.h"
#include "math/dense/dense.h"

static void scale_block(double *block, double factor) {
    for (int i = 0; i < 9; i++) block[i] *= factor;
}

carom_status crm_elastic_scaled_stiffness(const crm_elastic *elastic, crm_node_view position, const bool *held,
                                          crm_arena *arena, crm_block_matrix *out, carom_error *error) {
    const crm_block_graph *graph = &elastic->graph;
    carom_status status = crm_block_matrix_create(graph, true, arena, out, error);
    if (status != CAROM_OK) return status;
    crm_elastic_add_stiffness(elastic, position, 1.0, 0.0, false, (crm_elastic_place){out, 0, 0});
    for (int n = 0; n < graph->node_count; n++)
        scale_block(out->diagonal + out->node_block[n], held != NULL && held[n] ? 0.0 : 1.0 / elastic->mass[n]);
    for (int e = 0; e < graph->edge_count; e++) {
        int a = graph->edge[e].row, b = graph->edge[e].column;
        bool left_out = held != NULL && (held[a] || held[b]);
        scale_block(out->edges + out->edge_block[e], left_out ? 0.0 : 1.0 / sqrt(elastic->mass[a] * elastic->mass[b]));
    }
    return CAROM_OK;
}

void crm_elastic_random_vector(const crm_elastic *elastic, const bool *held, unsigned seed, double *out) {
    crm_random random = {.seed = seed};
    for (int n = 0; n < elastic->mesh->node_count; n++)
        for (int i = 0; i < 3; i++) {
            double value = crm_random_between(&random, -1.0, 1.0);
            out[3 * n + i] = held != NULL && held[n] ? 0.0 : value;
        }
}

// Diagonal and off-diagonal of the tridiagonal matrix; off[k] couples k and k + 1.
typedef struct tridiagonal {
    int size;
    double *diagonal, *off;
} tridiagonal;

// Whether all eigenvalues are below `shift`: all pivots of T - shift are negative.
static bool all_below(const tridiagonal *t, double shift) {
    double pivot = t->diagonal[0] - shift;
    for (int k = 1; pivot < 0.0 && k < t->size; k++)
        pivot = t->diagonal[k] - shift - t->off[k - 1] * t->off[k - 1] / pivot;
    return pivot < 0.0;
}

// By bisection between the largest eigenvalue of a smaller matrix and Gershgorin's bound.
static double largest_eigenvalue(const tridiagonal *t, double known) {
    double low = known, high = known;
    for (int k = 0; k < t->size; k++) {
        double reach = t->diagonal[k] + (k > 0 ? t->off[k - 1] : 0.0) + (k + 1 < t->size ? t->off[k] : 0.0);
        high = reach > high ? reach : high;
    }
    high += 4.0 * DBL_EPSILON * fabs(high);
    for (int i = 0; i < 64 && high - low > 2.0 * DBL_EPSILON * fabs(high); i++) {
        double middle = 0.5 * (low + high);
        if (all_below(t, middle))
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

// The last component of the unit eigenvector of `value`: by pivots from above and from below that meet where the vector
// is large, as either alone loses a component that is small.
static double last_component(const tridiagonal *t, double value, double *above, double *below) {
    int last = t->size - 1, meet = 0;
    above[0] = t->diagonal[0] - value;
    below[last] = t->diagonal[last] - value;
    for (int k = 1; k <= last; k++) above[k] = t->diagonal[k] - value - t->off[k - 1] * t->off[k - 1] / above[k - 1];
    for (int k = last; k > 0; k--) below[k - 1] = t->diagonal[k - 1] - value - t->off[k - 1] * t->off[k - 1] / below[k];
    double least = INFINITY;
    for (int k = 0; k <= last; k++) {
        double pivot = fabs(above[k] + below[k] - (t->diagonal[k] - value));
        if (pivot < least) least = pivot, meet = k;
    }
    double component = 1.0, sum = 1.0;
    for (int k = meet - 1; k >= 0; k--) {
        component *= -t->off[k] / above[k];
        sum += component * component;
    }
    component = 1.0;
    for (int k = meet; k < last; k++) {
        component *= -t->off[k] / below[k + 1];
        sum += component * component;
    }
    return fabs(component) / sqrt(sum);
}

typedef struct lanczos {
    const crm_block_matrix *matrix;
    int size;
    double *now, *before, *next;
    tridiagonal t;
    double *above, *below; // pivots
} lanczos;

// One step: a row of T more. Returns what couples it to the next one.
static double extend(lanczos *l, double coupling) {
    int size = l->size;
    crm_block_matrix_apply(l->matrix, l->now, l->next);
    crm_dense_add_scaled(size, -coupling, l->before, l->next);
    double own = crm_dense_dot(size, l->now, l->next);
    crm_dense_add_scaled(size, -own, l->now, l->next);
    double rest = crm_dense_norm2(size, l->next);
    l->t.diagonal[l->t.size++] = own;
    l->t.off[l->t.size - 1] = rest;
    double *spare = l->before;
    l->before = l->now;
    l->now = l->next;
    l->next = spare;
    for (int i = 0; rest > 0.0 && i < size; i++) l->now[i] /= rest;
    return rest;
}

enum { MOST_STEPS = 2000, STEPS_BETWEEN_LOOKS = 4 };

static double find_largest(lanczos *l, double accuracy) {
    double norm = crm_dense_norm2(l->size, l->now), coupling = 0.0, residual = 0.0;
    if (norm == 0.0) return 0.0;
    for (int i = 0; i < l->size; i++) l->now[i] /= norm;
    coupling = extend(l, coupling);
    double found = l->t.diagonal[0];
    for (int step = 2; coupling > 0.0 && step <= MOST_STEPS; step++) {
        coupling = extend(l, coupling);
        if (step % STEPS_BETWEEN_LOOKS != 0 && coupling > 0.0) continue;
        found = largest_eigenvalue(&l->t, found);
        residual = coupling * last_component(&l->t, found, l->above, l->below);
        if (residual <= accuracy * fabs(found)) return found;
    }
    return found + residual; // on the safe side
}

carom_status crm_elastic_largest_rate(const crm_elastic *elastic, crm_node_view position, const bool *held,
                                      double accuracy, crm_arena *scratch, double *rate, carom_error *error) {
    int size = 3 * elastic->mesh->node_count;
    crm_mark mark = crm_arena_mark(scratch);
    crm_block_matrix matrix;
    carom_status status = crm_elastic_scaled_stiffness(elastic, position, held, scratch, &matrix, error);
    double *vectors = CRM_ARENA_ZEROED(scratch, double, 3 * (ptrdiff_t)size);
    double *steps = CRM_ARENA_ARRAY(scratch, double, 4 * MOST_STEPS);
    *rate = 0.0;
    if (status == CAROM_OK && (vectors == NULL || steps == NULL))
        status = crm_fail_memory(error, "the largest natural rate", 3 * (size_t)size * sizeof *vectors);
    if (status == CAROM_OK) {
        lanczos l = {.matrix = &matrix, .size = size};
        l.above = steps + 2 * MOST_STEPS;
        l.below = l.above + MOST_STEPS;
        l.now = vectors;
        l.before = vectors + size;
        l.next = l.before + size;
        l.t = (tridiagonal){0, steps, steps + MOST_STEPS};
        crm_elastic_random_vector(elastic, held, 1, l.now);
        double value = find_largest(&l, accuracy);
        if (value > 0.0) *rate = sqrt(value);
    }
    crm_arena_release(scratch, mark);
    return status;
}

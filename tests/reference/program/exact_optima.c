// SPDX-License-Identifier: MIT
// No search, hence nothing to go wrong: every triangle of differences that the line goes through gives a t, the least
// is the value; every two planes of differences through the pierced point give an alpha, those that support all others
// count; every set of up to four corners gives weights, the only and positive ones count.
#include "reference/program/exact_optima.h"

#include <stdlib.h>
#include <string.h>

enum { DIFFERENCES_MAX = EXACT_CORNERS_MAX * EXACT_CORNERS_MAX, ROWS = 5, CHOSEN_MAX = 4 };

typedef struct difference_points {
    int count;
    exact_vector z[DIFFERENCES_MAX];
} difference_points;

static bool same(exact_vector p, exact_vector q) {
    return p.x == q.x && p.y == q.y && p.z == q.z;
}

static bool is_zero(exact_vector p) {
    return p.x == 0 && p.y == 0 && p.z == 0;
}

static void add_point(exact_vector z, difference_points *out) {
    for (int k = 0; k < out->count; k++)
        if (same(out->z[k], z)) return;
    out->z[out->count++] = z;
}

// The least t at which t c is in a triangle of differences.
static bool find_value(const difference_points *d, exact_vector c, fraction *value) {
    int n = d->count;
    exact_int *side = calloc((size_t)n * (size_t)n, sizeof *side); // c.(z_i x z_j)
    if (side == NULL) abort();
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) side[i * n + j] = exact_dot(c, exact_cross(d->z[i], d->z[j]));
    bool found = false;
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            for (int k = j + 1; k < n; k++) {
                exact_int p = side[i * n + j], q = side[j * n + k], r = side[k * n + i];
                bool positive = p >= 0 && q >= 0 && r >= 0, negative = p <= 0 && q <= 0 && r <= 0;
                if (positive == negative) continue; // outside, or a triangle that is seen from its side
                exact_int height = exact_dot(d->z[i], exact_cross(d->z[j], d->z[k]));
                fraction t = fraction_of(height, exact_sum(exact_sum(p, q), r));
                if (!found || fraction_minus(t, *value).above < 0) *value = t;
                found = true;
            }
    free(side);
    return found;
}

// Differences as seen from the pierced point, of any length.
static difference_points seen_from(const difference_points *d, fraction t, exact_vector c) {
    difference_points out = {.count = d->count};
    for (int k = 0; k < d->count; k++)
        out.z[k] = exact_shortest(exact_minus(exact_times(t.below, d->z[k]), exact_times(t.above, c)));
    return out;
}

static bool supports(const difference_points *arms, exact_vector n) {
    for (int k = 0; k < arms->count; k++)
        if (exact_dot(n, arms->z[k]) < 0) return false;
    return true;
}

static void keep_alpha(exact_vector n, exact_int along, exact_optima *out) {
    for (int e = 0; e < out->alpha_count; e++)
        if (same(out->alpha[e], n)) return;
    if (out->alpha_count == EXACT_ALPHAS_MAX) abort();
    out->along[out->alpha_count] = along;
    out->alpha[out->alpha_count++] = n;
}

static void find_alphas(const difference_points *arms, exact_vector c, exact_optima *out) {
    for (int i = 0; i < arms->count; i++)
        for (int j = i + 1; j < arms->count; j++) {
            exact_vector n = exact_shortest(exact_cross(arms->z[i], arms->z[j]));
            exact_int along = exact_dot(n, c);
            if (along < 0) n = exact_times(-1, n);
            if (along != 0 && supports(arms, n)) keep_alpha(n, along < 0 ? -along : along, out);
        }
}

// A corner may have weight when one of its differences lies in the planes of all alphas.
static bool is_active(const exact_optima *o, exact_vector z, exact_vector c) {
    exact_vector arm = exact_minus(exact_times(o->value.below, z), exact_times(o->value.above, c));
    for (int e = 0; e < o->alpha_count; e++)
        if (exact_dot(o->alpha[e], arm) != 0) return false;
    return true;
}

// The five equations of chosen corners: the means' difference is t c, the sums are 1.
typedef struct equations {
    int count;
    fraction row[ROWS][CHOSEN_MAX + 1]; // the last column is the right-hand side
} equations;

static void set_column(equations *e, int column, exact_vector p, int side) {
    const exact_int entry[ROWS] = {p.x, p.y, p.z, side == 0, side == 1};
    for (int r = 0; r < ROWS; r++) e->row[r][column] = fraction_of(entry[r], 1);
}

// Gauss's elimination. True when there is one solution and it is positive; it is then in the last column.
static bool solve(equations *e) {
    for (int k = 0; k < e->count; k++) {
        int pivot = k;
        while (pivot < ROWS && e->row[pivot][k].above == 0) pivot++;
        if (pivot == ROWS) return false; // the columns depend on each other
        for (int i = 0; i <= e->count; i++) {
            fraction moved = e->row[k][i];
            e->row[k][i] = e->row[pivot][i];
            e->row[pivot][i] = moved;
        }
        for (int r = 0; r < ROWS; r++) {
            if (r == k || e->row[r][k].above == 0) continue;
            fraction times = fraction_over(e->row[r][k], e->row[k][k]);
            for (int i = k; i <= e->count; i++)
                e->row[r][i] = fraction_minus(e->row[r][i], fraction_times(times, e->row[k][i]));
        }
    }
    for (int r = e->count; r < ROWS; r++)
        if (e->row[r][e->count].above != 0) return false;
    for (int k = 0; k < e->count; k++) {
        e->row[k][e->count] = fraction_over(e->row[k][e->count], e->row[k][k]);
        if (e->row[k][e->count].above <= 0) return false;
    }
    return true;
}

typedef struct weight_search {
    int count_a, count; // columns: active corners of A, then of B
    int corner[2 * EXACT_CORNERS_MAX];
    exact_vector point[2 * EXACT_CORNERS_MAX]; // those of A reversed
    exact_vector c;
    exact_optima *out;
} weight_search;

static void try_set(const weight_search *s, int chosen_count, const int *chosen) {
    exact_optima *out = s->out;
    equations e = {.count = chosen_count};
    for (int k = 0; k < chosen_count; k++) set_column(&e, k, s->point[chosen[k]], chosen[k] < s->count_a ? 0 : 1);
    const exact_int c[3] = {s->c.x, s->c.y, s->c.z};
    for (int r = 0; r < ROWS; r++)
        e.row[r][chosen_count] = r < 3 ? fraction_times(out->value, fraction_of(c[r], 1)) : fraction_of(1, 1);
    if (!solve(&e)) return;
    if (out->weights_count == EXACT_WEIGHTS_MAX) abort();
    exact_weights *w = &out->weights[out->weights_count++];
    for (int k = 0; k < EXACT_CORNERS_MAX; k++) w->a[k] = w->b[k] = fraction_of(0, 1);
    for (int k = 0; k < chosen_count; k++) {
        fraction *of = chosen[k] < s->count_a ? w->a : w->b;
        of[s->corner[chosen[k]]] = e.row[k][chosen_count];
    }
}

static void try_sets(const weight_search *s, int chosen_count, int *chosen) {
    if (chosen_count > 0) try_set(s, chosen_count, chosen);
    if (chosen_count == CHOSEN_MAX) return; // active differences lie in a plane: five columns depend on each other
    for (int k = chosen_count > 0 ? chosen[chosen_count - 1] + 1 : 0; k < s->count; k++) {
        chosen[chosen_count] = k;
        try_sets(s, chosen_count + 1, chosen);
    }
}

void exact_optima_find(int count_a, const exact_vector *a, int count_b, const exact_vector *b, exact_vector c,
                       exact_optima *out) {
    difference_points *d = calloc(2, sizeof *d);
    weight_search *s = calloc(1, sizeof *s);
    if (d == NULL || s == NULL || count_a > EXACT_CORNERS_MAX || count_b > EXACT_CORNERS_MAX || is_zero(c)) abort();
    memset(out, 0, sizeof *out);
    for (int i = 0; i < count_a; i++)
        for (int j = 0; j < count_b; j++) add_point(exact_minus(b[j], a[i]), &d[0]);
    out->meets = find_value(&d[0], c, &out->value);
    if (out->meets) {
        d[1] = seen_from(&d[0], out->value, c);
        find_alphas(&d[1], c, out);
        *s = (weight_search){.c = c, .out = out};
        bool active_a[EXACT_CORNERS_MAX] = {false}, active_b[EXACT_CORNERS_MAX] = {false};
        for (int i = 0; i < count_a; i++)
            for (int j = 0; j < count_b; j++)
                if (is_active(out, exact_minus(b[j], a[i]), c)) active_a[i] = active_b[j] = true;
        for (int i = 0; i < count_a; i++) {
            if (!active_a[i]) continue;
            s->corner[s->count] = i;
            s->point[s->count++] = exact_times(-1, a[i]);
        }
        out->active_a = s->count_a = s->count;
        for (int j = 0; j < count_b; j++) {
            if (!active_b[j]) continue;
            s->corner[s->count] = j;
            s->point[s->count++] = b[j];
        }
        out->active_b = s->count - s->count_a;
        int chosen[CHOSEN_MAX];
        try_sets(s, 0, chosen);
    }
    free(s);
    free(d);
}

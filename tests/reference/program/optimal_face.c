// SPDX-License-Identifier: MIT
#include "reference/program/optimal_face.h"

#include <stdlib.h>
#include <string.h>

#include "reference/program/least_norm.h"

enum { DIMENSION_MAX = 3 };

static bool is_free(const linear_program *p, int j) {
    return p->is_free != NULL && p->is_free[j];
}

// The largest x_j among the optimal ones tells whether j carries; every other column seen positive on the way does too.
static void find_carriers(const linear_program *p, const lp_solution *solution, optimal_face *face) {
    wide *matrix = wide_zeros(p->rows * p->columns), *cost = wide_zeros(p->columns);
    bool free_column[LP_COLUMNS_MAX];
    int name[LP_COLUMNS_MAX], count = 0;
    for (int j = 0; j < p->columns; j++) {
        face->carries[j] = is_free(p, j) || solution->x[j] > face->tolerance.weight;
        if (!is_free(p, j) && solution->reduced[j] > face->tolerance.slack) continue;
        memcpy(matrix + p->rows * count, p->matrix + p->rows * j, (size_t)p->rows * sizeof(wide));
        free_column[count] = is_free(p, j);
        name[count++] = j;
    }
    linear_program active = {p->rows, count, matrix, p->rhs, cost, free_column};
    lp_solution *farthest = calloc(1, sizeof *farthest);
    if (farthest == NULL) abort();
    for (int k = 0; k < count; k++) {
        if (face->carries[name[k]]) continue;
        cost[k] = -1.0L;
        lp_solve(&active, farthest);
        cost[k] = 0.0L;
        if (farthest->status == LP_UNBOUNDED) face->carries[name[k]] = true;
        if (farthest->status != LP_OPTIMAL) continue;
        for (int i = 0; i < count; i++)
            if (farthest->x[i] > face->tolerance.weight) face->carries[name[i]] = true;
    }
    free(farthest);
    free(cost);
    free(matrix);
}

// y with A_j^T y = c_j for every column that carries.
static affine_set active_equations(const linear_program *p, const optimal_face *face) {
    int count = 0, k = 0;
    for (int j = 0; j < p->columns; j++) count += face->carries[j];
    wide *a = wide_zeros(count * p->rows), *b = wide_zeros(count);
    for (int j = 0; j < p->columns; j++) {
        if (!face->carries[j]) continue;
        for (int r = 0; r < p->rows; r++) a[k + count * r] = p->matrix[r + p->rows * j];
        b[k++] = p->cost[j];
    }
    affine_set set = affine_set_solve(count, p->rows, a, b, face->tolerance.rank);
    free(a);
    free(b);
    return set;
}

// The face in coordinates u of its affine hull, g u <= h, and the squared norm |p + m u|^2 to be made least.
typedef struct face_search {
    int dimension, constraints;
    const affine_set *hull;
    wide *g, *h; // by rows (constraints x dimension)
    wide square[DIMENSION_MAX * DIMENSION_MAX], linear[DIMENSION_MAX], constant;
    wide tolerance;
    wide best_square, best[DIMENSION_MAX];
    optimal_face *extremes; // NULL when only the least norm is wanted
} face_search;

static void write_point(const face_search *s, const wide *u, wide *y) {
    for (int r = 0; r < s->hull->space; r++) {
        y[r] = s->hull->point[r];
        for (int k = 0; k < s->dimension; k++) y[r] += s->hull->directions[r + s->hull->space * k] * u[k];
    }
}

static bool is_inside(const face_search *s, const wide *u) {
    for (int c = 0; c < s->constraints; c++) {
        wide rest = -s->h[c];
        for (int k = 0; k < s->dimension; k++) rest += s->g[c * s->dimension + k] * u[k];
        if (rest > s->tolerance) return false;
    }
    return true;
}

static void keep_extreme(face_search *s, const wide *u) {
    optimal_face *face = s->extremes;
    wide y[LP_ROWS_MAX];
    if (face->extreme_count < 0) return;
    write_point(s, u, y);
    for (int e = 0; e < face->extreme_count; e++) {
        wide gap = 0.0L, size = 1.0L;
        for (int r = 0; r < s->hull->space; r++) {
            gap = fmaxl(gap, fabsl(y[r] - face->extreme[e][r]));
            size = fmaxl(size, fabsl(y[r]));
        }
        if (gap <= 1e-7L * size) return;
    }
    if (face->extreme_count == FACE_EXTREMES_MAX) {
        face->extreme_count = -1;
        return;
    }
    memcpy(face->extreme[face->extreme_count++], y, sizeof y);
}

// The minimiser with the chosen constraints as equations: [S G^T; G 0] (u, multiplier) = (-l, h).
static bool solve_with(const face_search *s, int chosen_count, const int *chosen, wide *u) {
    int d = s->dimension, n = d + chosen_count;
    wide a[4 * DIMENSION_MAX * DIMENSION_MAX] = {0}, b[2 * DIMENSION_MAX], x[2 * DIMENSION_MAX];
    for (int i = 0; i < d; i++) {
        b[i] = -s->linear[i];
        for (int k = 0; k < d; k++) a[i + n * k] = s->square[i + d * k];
    }
    for (int c = 0; c < chosen_count; c++) {
        b[d + c] = s->h[chosen[c]];
        for (int k = 0; k < d; k++) a[d + c + n * k] = a[k + n * (d + c)] = s->g[chosen[c] * d + k];
    }
    if (!wide_solve(n, a, false, b, 1e-10L, x)) return false;
    memcpy(u, x, (size_t)d * sizeof(wide));
    return true;
}

// Every set of at most `dimension` constraints: the point of least norm is the minimiser on one of them, and the
// extreme points are what full sets leave. No cleverness, hence nothing to cycle or stall.
static void try_sets(face_search *s, int chosen_count, int *chosen) {
    wide u[DIMENSION_MAX];
    if (solve_with(s, chosen_count, chosen, u) && is_inside(s, u)) {
        wide square = s->constant;
        for (int i = 0; i < s->dimension; i++) {
            square += 2.0L * s->linear[i] * u[i];
            for (int k = 0; k < s->dimension; k++) square += u[i] * s->square[i + s->dimension * k] * u[k];
        }
        if (square < s->best_square) {
            s->best_square = square;
            memcpy(s->best, u, sizeof u);
        }
        if (chosen_count == s->dimension && s->extremes != NULL) keep_extreme(s, u);
    }
    if (chosen_count == s->dimension || chosen_count == DIMENSION_MAX) return;
    for (int c = chosen_count > 0 ? chosen[chosen_count - 1] + 1 : 0; c < s->constraints; c++) {
        chosen[chosen_count] = c;
        try_sets(s, chosen_count + 1, chosen);
    }
}

// Fills the norm |W (point + directions u)|^2.
static void set_norm(face_search *s, int count, const wide *w) {
    int d = s->dimension, rows = s->hull->space;
    for (int i = 0; i < count; i++) {
        wide p = 0.0L, m[DIMENSION_MAX] = {0};
        for (int r = 0; r < rows; r++) {
            p += w[i + count * r] * s->hull->point[r];
            for (int k = 0; k < d; k++) m[k] += w[i + count * r] * s->hull->directions[r + rows * k];
        }
        s->constant += p * p;
        for (int k = 0; k < d; k++) {
            s->linear[k] += p * m[k];
            for (int l = 0; l < d; l++) s->square[k + d * l] += m[k] * m[l];
        }
    }
}

static void search(face_search *s, const linear_program *p, const optimal_face *face, const affine_set *hull) {
    int d = s->dimension, chosen[DIMENSION_MAX] = {0};
    s->hull = hull;
    s->tolerance = 0.1L * face->tolerance.slack;
    s->best_square = INFINITY;
    s->g = wide_zeros(p->columns * (d > 0 ? d : 1));
    s->h = wide_zeros(p->columns);
    for (int j = 0; j < p->columns; j++) {
        if (face->carries[j]) continue;
        int c = s->constraints++;
        s->h[c] = p->cost[j];
        for (int r = 0; r < p->rows; r++) {
            wide entry = p->matrix[r + p->rows * j];
            s->h[c] -= entry * hull->point[r];
            for (int k = 0; k < d; k++) s->g[c * d + k] += entry * hull->directions[r + p->rows * k];
        }
    }
    try_sets(s, 0, chosen);
    free(s->g);
    free(s->h);
}

static void identity(int n, wide *w) {
    for (int k = 0; k < n * n; k++) w[k] = k % (n + 1) == 0 ? 1.0L : 0.0L;
}

void optimal_face_find(const linear_program *program, const lp_solution *solution, face_tolerance tolerance,
                       optimal_face *face) {
    memset(face, 0, sizeof *face);
    face->tolerance = tolerance;
    find_carriers(program, solution, face);
    affine_set hull = active_equations(program, face);
    int carriers = 0;
    for (int j = 0; j < program->columns; j++) carriers += face->carries[j];
    face->x_dimension = carriers - hull.rank;
    face->y_dimension = program->rows - hull.rank;
    if (face->y_dimension > DIMENSION_MAX) {
        face->extreme_count = -1;
    } else if (face->y_dimension == 0) {
        face->extreme_count = 1;
        memcpy(face->extreme[0], solution->y, sizeof solution->y);
    } else {
        wide w[LP_ROWS_MAX * LP_ROWS_MAX];
        identity(program->rows, w);
        face_search s = {.dimension = face->y_dimension, .hull = &hull, .extremes = face};
        set_norm(&s, program->rows, w);
        search(&s, program, face, &hull);
    }
    affine_set_free(&hull);
}

bool optimal_face_least_y(const linear_program *program, const optimal_face *face, int count, const wide *w, wide *y,
                          wide *plain) {
    if (face->y_dimension > DIMENSION_MAX) return false;
    affine_set hull = active_equations(program, face);
    face_search s = {.dimension = face->y_dimension, .hull = &hull};
    set_norm(&s, count, w);
    wide u[DIMENSION_MAX];
    if (plain != NULL && solve_with(&s, 0, NULL, u)) write_point(&s, u, plain);
    search(&s, program, face, &hull);
    bool found = s.best_square < INFINITY;
    if (found) write_point(&s, s.best, y);
    affine_set_free(&hull);
    return found;
}

// Combinations of the rows in which no free variable is left, as columns of the result.
static affine_set rows_without_free(const linear_program *p) {
    int count = 0, k = 0;
    for (int j = 0; j < p->columns; j++) count += is_free(p, j);
    wide *a = wide_zeros(count * p->rows), *b = wide_zeros(count);
    for (int j = 0; j < p->columns; j++) {
        if (!is_free(p, j)) continue;
        for (int r = 0; r < p->rows; r++) a[k + count * r] = p->matrix[r + p->rows * j];
        k++;
    }
    affine_set set = affine_set_solve(count, p->rows, a, b, 1e-12L);
    free(a);
    free(b);
    return set;
}

// The free variables for given others, in the least squares sense.
static void fill_free(const linear_program *p, wide *x) {
    int count = 0, name[LP_COLUMNS_MAX];
    for (int j = 0; j < p->columns; j++)
        if (is_free(p, j)) name[count++] = j;
    if (count == 0) return;
    wide *normal = wide_zeros(count * count), *b = wide_zeros(count), *value = wide_zeros(count);
    for (int r = 0; r < p->rows; r++) {
        wide rest = p->rhs[r];
        for (int j = 0; j < p->columns; j++)
            if (!is_free(p, j)) rest -= p->matrix[r + p->rows * j] * x[j];
        for (int i = 0; i < count; i++) {
            b[i] += p->matrix[r + p->rows * name[i]] * rest;
            for (int k = 0; k < count; k++)
                normal[i + count * k] += p->matrix[r + p->rows * name[i]] * p->matrix[r + p->rows * name[k]];
        }
    }
    if (wide_solve(count, normal, false, b, 1e-25L, value))
        for (int i = 0; i < count; i++) x[name[i]] = value[i];
    free(normal);
    free(b);
    free(value);
}

bool optimal_face_least_x(const linear_program *program, const optimal_face *face, wide *x, wide *plain) {
    affine_set mixes = rows_without_free(program);
    int rows = program->rows - mixes.rank, count = 0, name[LP_COLUMNS_MAX];
    for (int j = 0; j < program->columns; j++)
        if (face->carries[j] && !is_free(program, j)) name[count++] = j;
    wide *a = wide_zeros(rows * count), *b = wide_zeros(rows), *found = wide_zeros(count), *bare = wide_zeros(count);
    for (int i = 0; i < rows; i++)
        for (int r = 0; r < program->rows; r++) {
            wide mix = mixes.directions[r + program->rows * i];
            b[i] += mix * program->rhs[r];
            for (int k = 0; k < count; k++) a[i + rows * k] += mix * program->matrix[r + program->rows * name[k]];
        }
    bool done = least_norm_nonnegative(rows, count, a, b, face->tolerance.rank, found, bare);
    memset(x, 0, (size_t)program->columns * sizeof(wide));
    for (int k = 0; k < count; k++) x[name[k]] = found[k];
    fill_free(program, x);
    if (plain != NULL) {
        memset(plain, 0, (size_t)program->columns * sizeof(wide));
        for (int k = 0; k < count; k++) plain[name[k]] = bare[k];
        fill_free(program, plain);
    }
    free(a);
    free(b);
    free(found);
    free(bare);
    affine_set_free(&mixes);
    return done;
}

// SPDX-License-Identifier: MIT
// Solved as its dual: the least t with t beta in K1 - K2, a program of five rows whose multipliers are (-alpha, a1,
// -a2).
#include "reference/program/ssh_program.h"

#include <stdlib.h>
#include <string.h>

#include "reference/program/optimal_face.h"

enum { ROWS = 5 };

typedef struct ssh_data {
    int count1, count2, columns;
    const double *k1, *k2;
    wide3 beta;
    // Coordinates are taken from this origin and in units of this size, the largest distance of a vertex from the mean
    // of its body: far and small pairs lose no digits, and tolerances are plain numbers.
    wide3 origin;
    wide size;
    wide *matrix, *cost, rhs[ROWS];
    bool *is_free;
} ssh_data;

static wide3 mean_of(int count, const double *vertices) {
    wide3 sum = {0, 0, 0};
    for (int i = 0; i < count; i++) sum = wide3_add(sum, wide3_read(vertices + 3 * i));
    return wide3_scale(1.0L / count, sum);
}

static wide radius_of(int count, const double *vertices) {
    wide3 mean = mean_of(count, vertices);
    wide radius = 0.0L;
    for (int i = 0; i < count; i++) radius = fmaxl(radius, wide3_norm(wide3_sub(wide3_read(vertices + 3 * i), mean)));
    return radius;
}

bool ssh_mean_direction(int count1, const double *k1, int count2, const double *k2, double *beta, double *distance) {
    wide3 c = wide3_sub(mean_of(count1, k1), mean_of(count2, k2));
    *distance = (double)wide3_norm(c);
    if (*distance <= 1e-12L * fmaxl(radius_of(count1, k1), radius_of(count2, k2))) return false;
    wide3_write(wide3_unit(c), beta);
    return true;
}

static void set_column(ssh_data *d, int column, wide3 a, wide first, wide second) {
    wide *entry = d->matrix + ROWS * column;
    entry[0] = a.x;
    entry[1] = a.y;
    entry[2] = a.z;
    entry[3] = first;
    entry[4] = second;
}

static wide3 vertex(const ssh_data *d, int column) {
    const double *p = column < d->count1 ? d->k1 + 3 * column : d->k2 + 3 * (column - d->count1);
    return wide3_scale(1.0L / d->size, wide3_sub(wide3_read(p), d->origin));
}

static ssh_data build(int count1, const double *k1, int count2, const double *k2, const double *beta) {
    ssh_data d = {.count1 = count1, .count2 = count2, .columns = count1 + count2 + 1, .k1 = k1, .k2 = k2};
    d.beta = wide3_read(beta);
    d.origin = wide3_scale(0.5L, wide3_add(mean_of(count1, k1), mean_of(count2, k2)));
    d.size = fmaxl(radius_of(count1, k1), radius_of(count2, k2));
    d.matrix = wide_zeros(ROWS * d.columns);
    d.cost = wide_zeros(d.columns);
    d.is_free = calloc((size_t)d.columns, sizeof(bool));
    if (d.is_free == NULL || count1 > SSH_VERTICES_MAX || count2 > SSH_VERTICES_MAX) abort();
    for (int i = 0; i < count1; i++) set_column(&d, i, vertex(&d, i), 1.0L, 0.0L);
    for (int j = count1; j < count1 + count2; j++) set_column(&d, j, wide3_scale(-1.0L, vertex(&d, j)), 0.0L, 1.0L);
    set_column(&d, d.columns - 1, wide3_scale(-1.0L, d.beta), 0.0L, 0.0L);
    d.cost[d.columns - 1] = 1.0L;
    d.is_free[d.columns - 1] = true;
    d.rhs[3] = d.rhs[4] = 1.0L;
    return d;
}

static wide3 alpha_of(const wide *y) {
    return (wide3){-y[0], -y[1], -y[2]};
}

// alpha with its best a1 and a2, in the world's units; gives a1 - a2 in the program's.
static wide write_plane(const ssh_data *d, wide3 alpha, ssh_result *result) {
    wide a1 = INFINITY, a2 = -INFINITY, base = wide3_dot(alpha, d->origin);
    for (int k = 0; k < d->count1; k++) a1 = fminl(a1, wide3_dot(alpha, vertex(d, k)));
    for (int k = d->count1; k < d->count1 + d->count2; k++) a2 = fmaxl(a2, wide3_dot(alpha, vertex(d, k)));
    wide3_write(alpha, result->alpha);
    result->a1 = (double)(d->size * a1 + base);
    result->a2 = (double)(d->size * a2 + base);
    return a1 - a2;
}

static void write_weights(const ssh_data *d, const wide *x, wide value, ssh_result *result) {
    wide3 p1 = {0, 0, 0}, p2 = {0, 0, 0};
    for (int k = 0; k < d->count1 + d->count2; k++) {
        bool first = k < d->count1;
        wide3 *p = first ? &p1 : &p2;
        *p = wide3_along(*p, x[k], vertex(d, k));
        if (first)
            result->dual1[k] = (double)x[k];
        else
            result->dual2[k - d->count1] = (double)x[k];
    }
    result->point_residual = (double)(d->size * wide3_norm(wide3_along(wide3_sub(p1, p2), -value, d->beta)));
    wide3_write(wide3_along(d->origin, d->size, p1), result->point1);
    wide3_write(wide3_along(d->origin, d->size, p2), result->point2);
}

static void write_gradient(const ssh_data *d, wide3 alpha, wide value, ssh_result *result) {
    wide3 mean1 = mean_of(d->count1, d->k1), mean2 = mean_of(d->count2, d->k2);
    wide3 unit = wide3_unit(d->beta), c = wide3_sub(mean1, mean2);
    // beta = c/|c|: d beta = (1 - beta beta^T) dc/|c|, and the multiplier of <beta,alpha> = 1 is the value.
    wide3 across = wide3_along(alpha, -wide3_dot(unit, alpha), unit);
    wide3 shift = wide3_along(alpha, -value * d->size / wide3_norm(c), across);
    wide3_write(alpha, result->by_shift_fixed_beta);
    wide3_write(shift, result->by_shift);
    wide3 arm1 = wide3_sub(wide3_read(result->point1), mean1), arm2 = wide3_sub(wide3_read(result->point2), mean2);
    wide3_write(wide3_cross(arm1, alpha), result->by_turn1);
    wide3_write(wide3_cross(alpha, arm2), result->by_turn2);
}

// The rows of (alpha, a1, a2) about the world's origin as functions of the program's y = (-alpha, a1, -a2).
static void full_norm(const ssh_data *d, wide *w) {
    memset(w, 0, sizeof(wide) * ROWS * ROWS);
    for (int i = 0; i < 3; i++) w[i + ROWS * i] = -1.0L;
    const wide origin[3] = {d->origin.x, d->origin.y, d->origin.z};
    for (int i = 0; i < 3; i++) w[3 + ROWS * i] = w[4 + ROWS * i] = -origin[i];
    w[3 + ROWS * 3] = d->size;
    w[4 + ROWS * 4] = -d->size;
}

static bool write_least_full(const ssh_data *d, const linear_program *program, const optimal_face *face,
                             ssh_result *result) {
    wide w[ROWS * ROWS], y[LP_ROWS_MAX], plain[LP_ROWS_MAX], gap = 0.0L;
    full_norm(d, w);
    if (!optimal_face_least_y(program, face, ROWS, w, y, plain)) return false;
    for (int i = 0; i < ROWS; i++) {
        wide sum = 0.0L;
        for (int r = 0; r < ROWS; r++) sum += w[i + ROWS * r] * y[r];
        result->least_full[i] = (double)sum;
        gap = fmaxl(gap, fabsl(y[i] - plain[i]));
    }
    result->plain_primal_inside = gap <= 1e-7L;
    return true;
}

// Everything that needs the optimal faces.
static bool write_faces(const ssh_data *d, const linear_program *program, const lp_solution *solution,
                        ssh_result *result) {
    optimal_face *face = calloc(1, sizeof *face);
    wide x[LP_COLUMNS_MAX], plain[LP_COLUMNS_MAX], y[LP_ROWS_MAX];
    if (face == NULL) abort();
    optimal_face_find(program, solution, (face_tolerance){1e-9L, 1e-9L, 1e-9L}, face);
    result->alpha_unique = face->y_dimension == 0;
    result->dual_unique = face->x_dimension == 0;
    for (int k = 0; k < d->count1; k++) result->active1[k] = face->carries[k];
    for (int k = 0; k < d->count2; k++) result->active2[k] = face->carries[d->count1 + k];
    result->extreme_count = face->extreme_count;
    for (int e = 0; e < face->extreme_count; e++) wide3_write(alpha_of(face->extreme[e]), result->alpha_extreme[e]);

    const wide alpha_only[3 * ROWS] = {[0] = 1, [4] = 1, [8] = 1};
    memcpy(y, solution->y, sizeof y);
    memcpy(x, solution->x, sizeof x);
    bool done = write_least_full(d, program, face, result);
    if (!result->alpha_unique) done = optimal_face_least_y(program, face, 3, alpha_only, y, NULL) && done;
    result->plain_dual_nonnegative = true;
    if (!result->dual_unique) {
        done = optimal_face_least_x(program, face, x, plain) && done;
        for (int k = 0; k < d->count1 + d->count2; k++)
            if (plain[k] < -1e-9L) result->plain_dual_nonnegative = false;
    }
    wide3 alpha = alpha_of(y);
    result->dual_gap = (double)(d->size * fabsl(write_plane(d, alpha, result) - solution->value));
    write_weights(d, x, solution->value, result);
    write_gradient(d, alpha, solution->value, result);
    free(face);
    return done;
}

static lp_solution *solve(const ssh_data *d, linear_program *program) {
    *program = (linear_program){ROWS, d->columns, d->matrix, d->rhs, d->cost, d->is_free};
    lp_solution *solution = calloc(1, sizeof *solution);
    if (solution == NULL) abort();
    lp_solve(program, solution);
    return solution;
}

static void free_data(ssh_data *d) {
    free(d->is_free);
    free(d->cost);
    free(d->matrix);
}

void ssh_program_solve(int count1, const double *k1, int count2, const double *k2, const double *beta,
                       ssh_result *result) {
    ssh_data d = build(count1, k1, count2, k2, beta);
    linear_program program;
    lp_solution *solution = solve(&d, &program);
    memset(result, 0, sizeof *result);
    result->status = SSH_FAILED;
    if (solution->status == LP_OPTIMAL) {
        result->value = (double)(d.size * solution->value);
        result->status = write_faces(&d, &program, solution, result) ? SSH_OPTIMAL : SSH_FAILED;
    } else if (solution->status == LP_INFEASIBLE) {
        write_plane(&d, wide3_unit(alpha_of(solution->y)), result);
        result->status = SSH_UNBOUNDED;
    }
    free(solution);
    free_data(&d);
}

void ssh_program_basis(int count1, const double *k1, int count2, const double *k2, const double *beta,
                       ssh_basis *basis) {
    ssh_data d = build(count1, k1, count2, k2, beta);
    linear_program program;
    lp_solution *solution = solve(&d, &program);
    memset(basis, 0, sizeof *basis);
    basis->status = solution->status == LP_OPTIMAL      ? SSH_OPTIMAL
                    : solution->status == LP_INFEASIBLE ? SSH_UNBOUNDED
                                                        : SSH_FAILED;
    if (basis->status == SSH_OPTIMAL) {
        basis->value = (double)(d.size * solution->value);
        wide3_write(alpha_of(solution->y), basis->alpha);
        for (int i = 0; i < count1; i++) basis->dual1[i] = (double)solution->x[i];
        for (int j = 0; j < count2; j++) basis->dual2[j] = (double)solution->x[count1 + j];
    }
    free(solution);
    free_data(&d);
}

// SPDX-License-Identifier: MIT
// Solved as its dual: multipliers l >= 0 with sum l R a = 0 and sum l b <= 1, four rows whose own multipliers are (x,
// -t).
#include "reference/program/ratio_program.h"

#include <stdlib.h>
#include <string.h>

#include "reference/program/optimal_face.h"

enum { ROWS = 4 };

typedef struct ratio_data {
    const ratio_body *body[2];
    // Every facet is divided by its b, lengths are in units of the largest b/|a|: tolerances are plain numbers.
    wide3 origin, centre[2]; // centres about the origin, which is in their middle
    int columns;
    wide *matrix, *cost, rhs[ROWS];
    wide size; // that unit
} ratio_data;

static int body_of(const ratio_data *d, int column) {
    return column < d->body[0]->facets ? 0 : 1;
}

static int facet_of(const ratio_data *d, int column) {
    return column < d->body[0]->facets ? column : column - d->body[0]->facets;
}

static wide3 normal_of(const ratio_data *d, int column) {
    const wide *a = d->matrix + ROWS * column;
    return (wide3){a[0], a[1], a[2]};
}

static ratio_data build(const ratio_body *body1, const ratio_body *body2) {
    ratio_data d = {.body = {body1, body2}, .columns = body1->facets + body2->facets + 1};
    wide3 x1 = wide3_read(body1->position), x2 = wide3_read(body2->position);
    for (int side = 0; side < 2; side++)
        for (int f = 0; f < d.body[side]->facets; f++)
            d.size = fmaxl(d.size, d.body[side]->offsets[f] / wide3_norm(wide3_read(d.body[side]->normals + 3 * f)));
    d.origin = wide3_scale(0.5L, wide3_add(x1, x2));
    d.centre[0] = wide3_scale(0.5L / d.size, wide3_sub(x1, x2));
    d.centre[1] = wide3_scale(-1.0L, d.centre[0]);
    d.matrix = wide_zeros(ROWS * d.columns);
    d.cost = wide_zeros(d.columns);
    d.rhs[3] = 1.0L;
    if (body1->facets > RATIO_FACETS_MAX || body2->facets > RATIO_FACETS_MAX) abort();
    for (int k = 0; k < d.columns - 1; k++) {
        const ratio_body *body = d.body[body_of(&d, k)];
        int f = facet_of(&d, k);
        wide3 a = wide_rotate(wide_rotation_of(body->attitude), wide3_read(body->normals + 3 * f));
        a = wide3_scale(d.size / body->offsets[f], a);
        const wide column[ROWS] = {a.x, a.y, a.z, 1.0L};
        memcpy(d.matrix + ROWS * k, column, sizeof column);
        d.cost[k] = wide3_dot(a, d.centre[body_of(&d, k)]);
    }
    d.matrix[ROWS * (d.columns - 1) + 3] = 1.0L; // what is left of sum l b <= 1: positive when t = 0
    return d;
}

static void write_result(const ratio_data *d, wide3 witness, wide r, const wide *l, ratio_result *result) {
    wide3 force[2] = {{0, 0, 0}, {0, 0, 0}}, torque[2] = {{0, 0, 0}, {0, 0, 0}};
    wide violation = 0.0L, sum = l[d->columns - 1];
    for (int k = 0; k < d->columns - 1; k++) {
        int side = body_of(d, k);
        wide3 a = normal_of(d, k), arm = wide3_sub(witness, d->centre[side]);
        int f = facet_of(d, k);
        violation = fmaxl(violation, wide3_dot(a, arm) - r);
        sum += l[k];
        force[side] = wide3_along(force[side], l[k], a);
        torque[side] = wide3_along(torque[side], l[k], wide3_cross(a, arm));
        (side == 0 ? result->multipliers1 : result->multipliers2)[f] = (double)(l[k] / d->body[side]->offsets[f]);
    }
    violation = fmaxl(violation, wide3_norm(wide3_add(force[0], force[1])));
    result->residual = (double)fmaxl(violation, fabsl(sum - 1.0L));
    result->r = (double)r;
    result->rho = (double)((r - 1.0L) / r);
    wide3_write(wide3_along(d->origin, d->size, witness), result->witness);
    wide3_write(wide3_scale(-1.0L / d->size, force[0]), result->by_shift);
    wide3_write(torque[0], result->by_turn1);
    wide3_write(torque[1], result->by_turn2);
}

static bool write_faces(const ratio_data *d, const linear_program *program, const lp_solution *solution,
                        ratio_result *result) {
    optimal_face *face = calloc(1, sizeof *face);
    const wide point_only[3 * ROWS] = {[0] = 1, [4] = 1, [8] = 1};
    wide y[LP_ROWS_MAX], l[LP_COLUMNS_MAX];
    if (face == NULL) abort();
    optimal_face_find(program, solution, (face_tolerance){1e-9L, 1e-9L, 1e-9L}, face);
    result->witness_unique = face->y_dimension == 0;
    result->multipliers_unique = face->x_dimension == 0;
    for (int k = 0; k < d->columns - 1; k++)
        (body_of(d, k) == 0 ? result->active1 : result->active2)[facet_of(d, k)] = face->carries[k];
    memcpy(y, solution->y, sizeof y);
    memcpy(l, solution->x, sizeof l);
    bool done = true;
    if (!result->witness_unique) done = optimal_face_least_y(program, face, 3, point_only, y, NULL);
    if (!result->multipliers_unique) done = optimal_face_least_x(program, face, l, NULL) && done;
    write_result(d, (wide3){y[0], y[1], y[2]}, -solution->value, l, result);
    free(face);
    return done;
}

// Every multiplier of a common centre is optimal and none means anything: the facets there are not active at t = 0.
static void write_coincident(const ratio_data *d, ratio_result *result) {
    result->solved = true;
    result->rho = -INFINITY;
    result->witness_unique = true;
    wide3_write(d->origin, result->witness);
}

void ratio_program_solve(const ratio_body *body1, const ratio_body *body2, ratio_result *result) {
    ratio_data d = build(body1, body2);
    memset(result, 0, sizeof *result);
    if (wide3_norm(d.centre[0]) == 0.0L) {
        write_coincident(&d, result);
    } else {
        linear_program program = {ROWS, d.columns, d.matrix, d.rhs, d.cost, NULL};
        lp_solution *solution = calloc(1, sizeof *solution);
        if (solution == NULL) abort();
        lp_solve(&program, solution);
        if (solution->status == LP_OPTIMAL) result->solved = write_faces(&d, &program, solution, result);
        free(solution);
    }
    free(d.matrix);
    free(d.cost);
}

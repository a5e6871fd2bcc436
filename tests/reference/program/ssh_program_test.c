// SPDX-License-Identifier: MIT
// The slow supporting hyperplane program against stored cases.
#include "reference/program/ssh_program.h"

#include <stdlib.h>
#include <string.h>

#include "reference/motion/case_check.h"
#include "reference/motion/oracle.h"
#include "reference/polytope/separating_axes.h"

typedef struct worst_errors {
    double value, alpha, dual, points, degenerate, gradient, distance;
    int optimal, unbounded, undefined, several_alphas, several_duals;
} worst_errors;

static double coordinates_size(int count, const double *values) {
    double size = 1.0;
    for (int i = 0; i < count; i++) size = fmax(size, fabs(values[i]));
    return size;
}

// Every stored extreme alpha is found and every found one is stored.
static double extremes_gap(const json_t *expected, const ssh_result *r) {
    double wanted[3 * SSH_EXTREMES_MAX], worst = 0.0;
    int count = oracle_numbers(expected, "alpha_extreme", wanted, 3 * SSH_EXTREMES_MAX) / 3;
    if (count != r->extreme_count) return (double)NAN;
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < count; i++) {
            double nearest = INFINITY;
            for (int j = 0; j < count; j++) {
                const double *a = side == 0 ? wanted + 3 * i : r->alpha_extreme[i];
                const double *b = side == 0 ? r->alpha_extreme[j] : wanted + 3 * j;
                nearest = fmin(nearest, fmax(fabs(a[0] - b[0]), fmax(fabs(a[1] - b[1]), fabs(a[2] - b[2]))));
            }
            note_error(&worst, nearest);
        }
    return worst;
}

static bool same_actives(const json_t *expected, const char *name, const bool *active, int count) {
    double wanted[SSH_VERTICES_MAX];
    int listed = oracle_numbers(expected, name, wanted, SSH_VERTICES_MAX), found = 0;
    for (int i = 0; i < count; i++) found += active[i];
    for (int i = 0; i < listed; i++)
        if (!active[(int)wanted[i]]) return false;
    return listed == found;
}

static void check_degenerate(const oracle_case *c, const ssh_result *r, double tolerance, worst_errors *worst) {
    const json_t *e = c->expected;
    if (!r->alpha_unique) {
        double extremes = extremes_gap(e, r), full = oracle_gap(e, "primal_min_norm_full", r->least_full, 5);
        worst->several_alphas++;
        note_error(&worst->degenerate, fmax(extremes, full));
        check_error(c->id, "extreme alphas", extremes, tolerance);
        check_error(c->id, "least (alpha, a1, a2)", full, tolerance);
        if (r->plain_primal_inside != oracle_bool(e, "pinv_primal_inside"))
            check_error(c->id, "Moore-Penrose primal inside", 1.0, 0.0);
    }
    if (!r->dual_unique) {
        worst->several_duals++;
        if (r->plain_dual_nonnegative != oracle_bool(e, "pinv_dual_nonnegative"))
            check_error(c->id, "Moore-Penrose dual nonnegative", 1.0, 0.0);
    }
}

static void negate(const double *a, double *b) {
    for (int i = 0; i < 3; i++) b[i] = -a[i];
}

// The file has derivatives of g = -value.
static void check_gradient(const oracle_case *c, const ssh_result *r, double tolerance, worst_errors *worst) {
    const json_t *g = json_object_get(c->expected, "gradient");
    if (g == NULL) return;
    double a[3], error = 0.0;
    negate(r->by_shift_fixed_beta, a);
    note_error(&error, oracle_gap(g, "dg_dx1_fixed_beta", a, 3));
    note_error(&error, oracle_gap(g, "dg_dx2_fixed_beta", r->by_shift_fixed_beta, 3));
    negate(r->by_turn1, a);
    note_error(&error, oracle_gap(g, "dg_dtheta1", a, 3));
    negate(r->by_turn2, a);
    note_error(&error, oracle_gap(g, "dg_dtheta2", a, 3));
    if (oracle_has(g, "dg_dx1")) {
        negate(r->by_shift, a);
        note_error(&error, oracle_gap(g, "dg_dx1", a, 3));
        note_error(&error, oracle_gap(g, "dg_dx2", r->by_shift, 3));
    }
    note_error(&worst->gradient, error);
    check_error(c->id, "gradient", error, tolerance);
}

static void check_optimal(const json_t *file, const oracle_case *c, const ssh_result *r, int count1, int count2,
                          double size, worst_errors *worst) {
    const json_t *e = c->expected;
    bool degenerate = oracle_bool(e, "degenerate");
    double loose = oracle_tolerance(file, "degenerate_alpha_dual");
    double value = fabs(-r->value - oracle_number(e, "g"));
    double alpha = oracle_gap(e, "alpha", r->alpha, 3);
    double dual = fmax(oracle_gap(e, "dual1", r->dual1, count1), oracle_gap(e, "dual2", r->dual2, count2));
    double points = fmax(oracle_gap(e, "point1", r->point1, 3), oracle_gap(e, "point2", r->point2, 3));
    points = fmax(points, fmax(fabs(r->a1 - oracle_number(e, "a1")), fabs(r->a2 - oracle_number(e, "a2"))));
    worst->optimal++;
    note_error(&worst->value, value);
    note_error(degenerate ? &worst->degenerate : &worst->alpha, alpha);
    note_error(degenerate ? &worst->degenerate : &worst->dual, dual);
    note_error(degenerate ? &worst->degenerate : &worst->points, points);
    check_error(c->id, "g", value, size * oracle_tolerance(file, "g"));
    check_error(c->id, "alpha", alpha, degenerate ? loose : oracle_tolerance(file, "alpha"));
    check_error(c->id, "duals", dual, degenerate ? loose : oracle_tolerance(file, "dual"));
    check_error(c->id, "points and offsets", points, size * (degenerate ? loose : oracle_tolerance(file, "points")));
    check_error(c->id, "dual gap", r->dual_gap, 1e-13 * size);
    check_error(c->id, "point residual", r->point_residual, 1e-13 * size);
    if (r->alpha_unique != oracle_bool(e, "alpha_unique") || r->dual_unique != oracle_bool(e, "dual_unique"))
        check_error(c->id, "uniqueness", 1.0, 0.0);
    if (!same_actives(e, "active1", r->active1, count1) || !same_actives(e, "active2", r->active2, count2))
        check_error(c->id, "active vertices", 1.0, 0.0);
    check_degenerate(c, r, loose, worst);
    check_gradient(c, r, oracle_tolerance(file, "gradient"), worst);
}

static void check_case(const json_t *file, const oracle_case *c, worst_errors *worst) {
    double k1[3 * SSH_VERTICES_MAX], k2[3 * SSH_VERTICES_MAX], beta[3];
    int count1 = oracle_numbers(c->input, "K1", k1, 3 * SSH_VERTICES_MAX) / 3;
    int count2 = oracle_numbers(c->input, "K2", k2, 3 * SSH_VERTICES_MAX) / 3;
    double size = fmax(coordinates_size(3 * count1, k1), coordinates_size(3 * count2, k2));
    const char *status = oracle_text(c->expected, "lp_status");
    axes_result axes;
    if (!CHECK(separating_axes_distance(count1, k1, count2, k2, &axes))) fprintf(stderr, "%s\n", c->id);
    double distance = fabs(axes.distance - oracle_number(c->expected, "h"));
    note_error(&worst->distance, distance);
    check_error(c->id, "h", distance, size * oracle_tolerance(file, "h"));
    if (strcmp(status, "beta_undefined") == 0) {
        double length;
        CHECK(!ssh_mean_direction(count1, k1, count2, k2, beta, &length));
        worst->undefined++;
        return;
    }
    ssh_result *r = calloc(1, sizeof *r);
    assert_non_null(r);
    CHECK_INT(oracle_numbers(c->input, "beta", beta, 3), 3);
    ssh_program_solve(count1, k1, count2, k2, beta, r);
    if (strcmp(status, "unbounded") == 0) {
        CHECK_INT(r->status, SSH_UNBOUNDED);
        CHECK(r->a1 > r->a2);
        CHECK(r->a1 - r->a2 <= axes.distance + 1e-12 * size);
        worst->unbounded++;
    } else if (CHECK_INT(r->status, SSH_OPTIMAL)) {
        check_optimal(file, c, r, count1, count2, size, worst);
    }
    free(r);
}

TEST(stored_cases_agree) {
    json_t *file = oracle_open("ssh.json");
    worst_errors worst = {0};
    int count = oracle_count(file);
    for (int i = 0; i < count; i++) {
        oracle_case c = oracle_at(file, i);
        check_case(file, &c, &worst);
    }
    CHECK_INT(worst.optimal + worst.unbounded + worst.undefined, count);
    CHECK(worst.optimal > 0 && worst.unbounded > 0 && worst.undefined > 0);
    CHECK(worst.several_alphas > 0 && worst.several_duals > 0);
    print_message(
        "%d cases: %d optimal (%d with several alphas, %d with several duals), %d unbounded, %d without beta\n", count,
        worst.optimal, worst.several_alphas, worst.several_duals, worst.unbounded, worst.undefined);
    print_message("worst: g %.2g, alpha %.2g, duals %.2g, points %.2g, gradient %.2g, degenerate %.2g, h %.2g\n",
                  worst.value, worst.alpha, worst.dual, worst.points, worst.gradient, worst.degenerate, worst.distance);
    json_decref(file);
}

TEST_MAIN(CASE(stored_cases_agree))

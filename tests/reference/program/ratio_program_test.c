// SPDX-License-Identifier: MIT
// The slow ratio metric against stored cases and the true distance.
#include "reference/program/ratio_program.h"

#include <stdlib.h>
#include <string.h>

#include "reference/motion/case_check.h"
#include "reference/motion/oracle.h"
#include "reference/polytope/hull.h"
#include "reference/polytope/polytope_cases.h"
#include "reference/polytope/separating_axes.h"

enum { VERTICES_MAX = 64 };

// Below this the sign of a distance is rounding.
static const double touching = 1e-12;

typedef struct placed_body {
    double normals[3 * RATIO_FACETS_MAX], offsets[RATIO_FACETS_MAX], position[3], attitude[4];
    double vertices[3 * VERTICES_MAX]; // in the world
    int vertex_count;
    ratio_body body;
} placed_body;

typedef struct worst_errors {
    double ratio, depth, witness, multipliers, gradient, distance, residual;
    int full, degenerate, coincident;
} worst_errors;

static placed_body *read_body(const json_t *input, const char *number) {
    char a[8] = "A", b[8] = "b", x[8] = "x", q[8] = "q", v[16] = "vertices";
    char *names[] = {a, b, x, q, v};
    for (int i = 0; i < 5; i++) strcat(names[i], number);
    placed_body *p = calloc(1, sizeof *p);
    assert_non_null(p);
    int facets = oracle_numbers(input, b, p->offsets, RATIO_FACETS_MAX);
    CHECK_INT(oracle_numbers(input, a, p->normals, 3 * RATIO_FACETS_MAX), 3 * facets);
    CHECK_INT(oracle_numbers(input, x, p->position, 3), 3);
    CHECK_INT(oracle_numbers(input, q, p->attitude, 4), 4);
    p->vertex_count = oracle_numbers(input, v, p->vertices, 3 * VERTICES_MAX) / 3;
    wide_rotation r = wide_rotation_of(p->attitude);
    for (int i = 0; i < p->vertex_count; i++)
        wide3_write(wide3_add(wide3_read(p->position), wide_rotate(r, wide3_read(p->vertices + 3 * i))),
                    p->vertices + 3 * i);
    p->body = (ratio_body){facets, p->normals, p->offsets, p->position, p->attitude};
    return p;
}

// The stored active facets and their multipliers, against all of ours.
static double multiplier_gap(const json_t *expected, const char *active_name, const char *name, int facets,
                             const bool *active, const double *got) {
    double index[RATIO_FACETS_MAX], value[RATIO_FACETS_MAX], wanted[RATIO_FACETS_MAX] = {0}, gap = 0.0;
    int count = oracle_numbers(expected, active_name, index, RATIO_FACETS_MAX), found = 0;
    if (oracle_numbers(expected, name, value, RATIO_FACETS_MAX) != count) return (double)NAN;
    for (int i = 0; i < count; i++) {
        if (!active[(int)index[i]]) return (double)NAN;
        wanted[(int)index[i]] = value[i];
    }
    for (int f = 0; f < facets; f++) {
        found += active[f];
        note_error(&gap, fabs(got[f] - wanted[f]));
    }
    return found == count ? gap : (double)NAN;
}

static double gradient_gap(const json_t *e, const ratio_result *r) {
    double error = 0.0, minus[3];
    for (int i = 0; i < 3; i++) minus[i] = -r->by_shift[i];
    note_error(&error, oracle_gap(e, "dr_dx1", r->by_shift, 3));
    note_error(&error, oracle_gap(e, "dr_dx2", minus, 3));
    note_error(&error, oracle_gap(e, "dr_dtheta1", r->by_turn1, 3));
    note_error(&error, oracle_gap(e, "dr_dtheta2", r->by_turn2, 3));
    return error;
}

static void check_distance(const json_t *file, const oracle_case *c, const placed_body *p1, const placed_body *p2,
                           worst_errors *worst) {
    axes_result axes;
    if (!CHECK(separating_axes_distance(p1->vertex_count, p1->vertices, p2->vertex_count, p2->vertices, &axes)))
        fprintf(stderr, "%s\n", c->id);
    double s = oracle_number(c->expected, "s");
    case_error(c->id, "s", fabs(fabs(axes.distance) - s), oracle_tolerance(file, "s") * fmax(1.0, s), &worst->distance);
    if (s > touching)
        check_error(c->id, "overlapping", (axes.distance < 0.0) == oracle_bool(c->expected, "overlapping") ? 0.0 : 1.0,
                    0.0);
}

static void check_bounds(const oracle_case *c, const placed_body *p1, const placed_body *p2, const ratio_result *r) {
    double square = 0.0;
    for (int i = 0; i < 3; i++) square += pow(p1->position[i] - p2->position[i], 2.0);
    check_error(c->id, "D", fabs(sqrt(square) - oracle_number(c->expected, "D")), 1e-13 * fmax(1.0, sqrt(square)));
    if (!oracle_has(c->expected, "bound")) return;
    double bound = oracle_number(c->expected, "bound"), slack = 1e-12;
    if (oracle_number(c->expected, "s") <= touching) return;
    if (oracle_bool(c->expected, "overlapping"))
        CHECK(r->rho <= bound + slack);
    else
        CHECK(bound <= r->rho + slack);
}

static void check_case(const json_t *file, const oracle_case *c, worst_errors *worst) {
    const json_t *e = c->expected;
    placed_body *p1 = read_body(c->input, "1"), *p2 = read_body(c->input, "2");
    ratio_result *r = calloc(1, sizeof *r);
    assert_non_null(r);
    ratio_program_solve(&p1->body, &p2->body, r);
    CHECK(r->solved);
    double ratio = oracle_number(e, "r");
    case_error(c->id, "r", fabs(r->r - ratio), oracle_tolerance(file, "r") * fmax(1.0, ratio), &worst->ratio);
    if (oracle_has(e, "rho")) {
        double rho = oracle_number(e, "rho");
        case_error(c->id, "rho", fabs(r->rho - rho), oracle_tolerance(file, "rho") * fmax(1.0, fabs(rho)),
                   &worst->depth);
        case_error(c->id, "residual", r->residual, 1e-12, &worst->residual);
    } else {
        CHECK(r->r == 0.0 && r->rho == -INFINITY);
        worst->coincident++;
    }
    if (oracle_has(e, "witness")) {
        double multipliers =
            fmax(multiplier_gap(e, "active1", "multipliers1", p1->body.facets, r->active1, r->multipliers1),
                 multiplier_gap(e, "active2", "multipliers2", p2->body.facets, r->active2, r->multipliers2));
        case_error(c->id, "witness", oracle_gap(e, "witness", r->witness, 3), oracle_tolerance(file, "witness"),
                   &worst->witness);
        case_error(c->id, "multipliers", multipliers, oracle_tolerance(file, "witness"), &worst->multipliers);
        case_error(c->id, "gradient", gradient_gap(e, r), oracle_tolerance(file, "gradient"), &worst->gradient);
        CHECK(r->witness_unique && r->multipliers_unique);
        worst->full++;
    } else {
        worst->degenerate++;
    }
    check_distance(file, c, p1, p2, worst);
    check_bounds(c, p1, p2, r);
    free(p1);
    free(p2);
    free(r);
}

TEST(stored_cases_agree) {
    json_t *file = oracle_open("ratio_metric.json");
    worst_errors worst = {0};
    int count = oracle_count(file);
    for (int i = 0; i < count; i++) {
        oracle_case c = oracle_at(file, i);
        check_case(file, &c, &worst);
    }
    CHECK_INT(worst.full + worst.degenerate, count);
    CHECK(worst.full > 0 && worst.degenerate > 0 && worst.coincident > 0);
    print_message("%d cases: %d with everything, %d degenerate, %d of these with coincident centres\n", count,
                  worst.full, worst.degenerate, worst.coincident);
    print_message("worst: r %.2g, rho %.2g, witness %.2g, multipliers %.2g, gradient %.2g, s %.2g, residual %.2g\n",
                  worst.ratio, worst.depth, worst.witness, worst.multipliers, worst.gradient, worst.distance,
                  worst.residual);
    json_decref(file);
}

// Facets of a polytope about the mean of its vertices, with unit normals, and the radius of the largest ball about it.
static ratio_body half_spaces(const polytope *p, double *normals, double *offsets, double *position, double *radius) {
    static const double upright[4] = {1, 0, 0, 0};
    hull h;
    CHECK(hull_build(p->count, p->vertices, 1e-12L, &h));
    wide3_write(h.centre, position);
    *radius = INFINITY;
    for (int f = 0; f < h.facet_count; f++) {
        wide3_write(h.facet[f].normal, normals + 3 * f);
        offsets[f] = (double)(h.facet[f].offset - wide3_dot(h.facet[f].normal, wide3_read(position)));
        *radius = fmin(*radius, offsets[f]);
    }
    return (ratio_body){h.facet_count, normals, offsets, position, upright};
}

// docs/math.md [R] (4) and (5) with the sum w of the in-radii about the centres for the allowed penetration: s/D <= rho
// <= s/w apart, -s/(r w) <= rho <= -s/D overlapping. Swapped bodies have the same r and the opposite gradient.
TEST(depth_is_equivalent_to_the_distance) {
    sampler s = {.seed = 7};
    double worst = 0.0;
    int apart = 0;
    for (int i = 0; i < 200; i++) {
        polytope k1 = sample_polytope(&s, 4 + i % 9, 0.6), k2 = sample_polytope(&s, 4 + i % 13, 0.6);
        double n1[3 * HULL_FACETS_MAX], n2[3 * HULL_FACETS_MAX], b1[HULL_FACETS_MAX], b2[HULL_FACETS_MAX], x1[3], x2[3];
        double w1, w2, square = 0.0;
        ratio_body body1 = half_spaces(&k1, n1, b1, x1, &w1), body2 = half_spaces(&k2, n2, b2, x2, &w2);
        ratio_result r, swapped;
        axes_result axes;
        ratio_program_solve(&body1, &body2, &r);
        ratio_program_solve(&body2, &body1, &swapped);
        CHECK(separating_axes_distance(k1.count, k1.vertices, k2.count, k2.vertices, &axes));
        for (int k = 0; k < 3; k++) square += (x1[k] - x2[k]) * (x1[k] - x2[k]);
        double h = axes.distance, loose = h > 0.0 ? h / (w1 + w2) : h / (r.r * (w1 + w2)), tight = h / sqrt(square);
        CHECK(fmin(loose, tight) - 1e-13 <= r.rho && r.rho <= fmax(loose, tight) + 1e-13);
        CHECK(fabs(tight) <= fabs(loose) + 1e-13);
        apart += h > 0.0;
        note_error(&worst, fmax(fabs(r.r - swapped.r), gap3(r.witness, swapped.witness)));
        for (int k = 0; k < 3; k++) note_error(&worst, fabs(r.by_shift[k] + swapped.by_shift[k]));
        note_error(&worst, r.residual);
    }
    CHECK(apart > 40 && apart < 160);
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("%d of 200 apart, worst %.2g\n", apart, worst);
}

TEST_MAIN(CASE(stored_cases_agree), CASE(depth_is_equivalent_to_the_distance))

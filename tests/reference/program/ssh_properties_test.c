// SPDX-License-Identifier: MIT
// What must hold for every pair: bounds, the identity with the ratio metric, invariances, derivatives.
#include "reference/program/ssh_program.h"

#include <string.h>

#include "reference/motion/case_check.h"
#include "reference/polytope/hull.h"
#include "reference/polytope/polytope_cases.h"
#include "reference/polytope/separating_axes.h"
#include "reference/program/ratio_program.h"

typedef struct random_pair {
    polytope k1, k2;
    double beta[3], distance; // from the vertex means
} random_pair;

static random_pair sample_pair(sampler *s, int i) {
    random_pair p = {.k1 = sample_polytope(s, 4 + i % 9, 0.6), .k2 = sample_polytope(s, 4 + i % 13, 0.6)};
    CHECK(ssh_mean_direction(p.k1.count, p.k1.vertices, p.k2.count, p.k2.vertices, p.beta, &p.distance));
    return p;
}

static void solve(const polytope *k1, const polytope *k2, const double *beta, ssh_result *r) {
    ssh_program_solve(k1->count, k1->vertices, k2->count, k2->vertices, beta, r);
}

static void solve_by_means(const polytope *k1, const polytope *k2, ssh_result *r) {
    double beta[3], distance;
    CHECK(ssh_mean_direction(k1->count, k1->vertices, k2->count, k2->vertices, beta, &distance));
    solve(k1, k2, beta, r);
}

TEST(optimum_is_certified_and_bounds_the_distance) {
    sampler s = {.seed = 1};
    int apart = 0;
    double worst = 0.0;
    for (int i = 0; i < 400; i++) {
        random_pair p = sample_pair(&s, i);
        ssh_result r;
        axes_result axes;
        solve(&p.k1, &p.k2, p.beta, &r);
        CHECK_INT(r.status, SSH_OPTIMAL);
        CHECK(separating_axes_distance(p.k1.count, p.k1.vertices, p.k2.count, p.k2.vertices, &axes));
        note_error(&worst, fmax(r.dual_gap, r.point_residual));
        wide3 alpha = wide3_read(r.alpha);
        double length = (double)wide3_norm(alpha), plane = r.value / length, h = axes.distance;
        CHECK(length >= 1.0 - 1e-15);
        CHECK(r.value > 0.0 ? plane <= h + 1e-14 && h <= r.value + 1e-14 : plane <= h + 1e-14 && h <= 1e-14);
        if (r.value < 0.0) CHECK(r.value <= plane + 1e-14);
        apart += r.value > 0.0;
        CHECK((r.value > 0.0) == (h > 0.0) || fabs(h) < 1e-12);
    }
    CHECK(apart > 80 && apart < 350);
    CHECK_NEAR(worst, 0.0, 1e-15);
    print_message("%d of 400 apart, worst gap or residual %.2g\n", apart, worst);
}

// The body's half-spaces about the mean of its vertices, scaled to b = 1.
static ratio_body half_spaces(const polytope *p, double *normals, double *offsets, double *position) {
    static const double upright[4] = {1, 0, 0, 0};
    hull h;
    CHECK(hull_build(p->count, p->vertices, 1e-12L, &h));
    wide3_write(h.centre, position);
    for (int f = 0; f < h.facet_count; f++) {
        wide extent = h.facet[f].offset - wide3_dot(h.facet[f].normal, wide3_read(position));
        wide3_write(wide3_scale(1.0L / extent, h.facet[f].normal), normals + 3 * f);
        offsets[f] = 1.0;
    }
    return (ratio_body){h.facet_count, normals, offsets, position, upright};
}

// Vertices against half-spaces: SSH optimum = D rho, with the same witness up to the scaling, and the same normal.
TEST(optimum_is_the_ratio_depth_times_the_centre_distance) {
    sampler s = {.seed = 2};
    double worst = 0.0, worst_gradient = 0.0;
    for (int i = 0; i < 200; i++) {
        random_pair p = sample_pair(&s, i);
        double n1[3 * HULL_FACETS_MAX], n2[3 * HULL_FACETS_MAX], b1[HULL_FACETS_MAX], b2[HULL_FACETS_MAX], x1[3], x2[3];
        ratio_body body1 = half_spaces(&p.k1, n1, b1, x1), body2 = half_spaces(&p.k2, n2, b2, x2);
        ssh_result r;
        ratio_result ratio;
        solve(&p.k1, &p.k2, p.beta, &r);
        ratio_program_solve(&body1, &body2, &ratio);
        CHECK(ratio.solved);
        // Half-spaces rounded to double: an error of 1e-16 times the shape's aspect.
        note_error(&worst, fabs(r.value - p.distance * ratio.rho));
        // drho/dx_1 = (1 - rho) alpha/D and drho = dr/r^2
        for (int k = 0; k < 3 && r.alpha_unique && r.dual_unique; k++)
            note_error(&worst_gradient,
                       fabs(ratio.by_shift[k] / (ratio.r * ratio.r) - (1.0 - ratio.rho) * r.alpha[k] / p.distance));
    }
    CHECK_NEAR(worst, 0.0, 1e-13);
    CHECK_NEAR(worst_gradient, 0.0, 1e-10);
    print_message("worst value %.2g, gradient %.2g\n", worst, worst_gradient);
}

TEST(swapping_and_moving_both_changes_nothing) {
    sampler s = {.seed = 3};
    double worst = 0.0;
    for (int i = 0; i < 200; i++) {
        random_pair p = sample_pair(&s, i);
        carom_quat q = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 2.0);
        const double rotation[4] = {q.w, q.x, q.y, q.z}, back[3] = {-p.beta[0], -p.beta[1], -p.beta[2]};
        wide3 origin = {0, 0, 0}, to = {shift.x, shift.y, shift.z};
        polytope far1 = move_polytope(&p.k1, rotation, origin, to), far2 = move_polytope(&p.k2, rotation, origin, to);
        ssh_result r, swapped, far;
        solve(&p.k1, &p.k2, p.beta, &r);
        solve(&p.k2, &p.k1, back, &swapped);
        solve_by_means(&far1, &far2, &far);
        double alpha[3], rotated[3];
        for (int k = 0; k < 3; k++) alpha[k] = -swapped.alpha[k];
        wide3_write(wide_rotate(wide_rotation_of(rotation), wide3_read(r.alpha)), rotated);
        note_error(&worst, fmax(fabs(r.value - swapped.value), fabs(r.value - far.value)));
        note_error(&worst,
                   1e-2 * fmax(gap3(alpha, r.alpha), gap3(rotated, far.alpha))); // steep facets magnify rounding
        note_error(&worst, gap3(r.point1, swapped.point2));
        for (int v = 0; v < p.k1.count; v++) CHECK(r.active1[v] == swapped.active2[v]);
    }
    CHECK_NEAR(worst, 0.0, 1e-13);
    print_message("worst %.2g\n", worst);
}

// Bodies of a micrometre or a thousand kilometres: the same answer in other units, and the same verdict on uniqueness.
TEST(size_changes_nothing) {
    sampler s = {.seed = 7};
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        random_pair p = i == 0 ? (random_pair){.k1 = make_box(0, 0, 1.5, 1, 1, 1), .k2 = make_box(0, 0, 0, 1, 1, 1)}
                               : sample_pair(&s, i);
        double scale = ldexp(1.0, i % 2 == 0 ? -20 : 20);
        polytope k1 = p.k1, k2 = p.k2;
        ssh_result r, scaled;
        for (int k = 0; k < 3 * k1.count; k++) k1.vertices[k] *= scale;
        for (int k = 0; k < 3 * k2.count; k++) k2.vertices[k] *= scale;
        solve_by_means(&p.k1, &p.k2, &r);
        solve_by_means(&k1, &k2, &scaled);
        CHECK(r.alpha_unique == scaled.alpha_unique && r.dual_unique == scaled.dual_unique);
        note_error(&worst, fabs(r.value - scaled.value / scale));
        note_error(&worst, gap3(r.alpha, scaled.alpha));
        note_error(&worst, gap3(r.dual1, scaled.dual1));
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
    print_message("worst %.2g\n", worst);
}

// A pair with no other basis near: every inactive vertex and every weight well away from zero.
static bool is_sturdy(const random_pair *p, const ssh_result *r) {
    if (!r->alpha_unique || !r->dual_unique) return false;
    for (int side = 0; side < 2; side++) {
        const polytope *k = side == 0 ? &p->k1 : &p->k2;
        for (int v = 0; v < k->count; v++) {
            double dual = side == 0 ? r->dual1[v] : r->dual2[v];
            double height = (double)wide3_dot(wide3_read(r->alpha), wide3_read(k->vertices + 3 * v));
            double slack = side == 0 ? height - r->a1 : r->a2 - height;
            if (fmax(dual, slack) < 1e-3) return false;
        }
    }
    return true;
}

TEST(gradients_are_differences) {
    sampler s = {.seed = 4};
    const double step = 1e-5;
    double worst = 0.0;
    int checked = 0;
    for (int i = 0; i < 200; i++) {
        random_pair p = sample_pair(&s, i);
        ssh_result r, high, low;
        solve(&p.k1, &p.k2, p.beta, &r);
        if (!is_sturdy(&p, &r)) continue;
        checked++;
        for (int axis = 0; axis < 3; axis++) {
            double unit[3] = {axis == 0, axis == 1, axis == 2};
            wide3 e = wide3_read(unit);
            for (int what = 0; what < 3; what++) { // shift K1, rotate K1, rotate K2
                polytope moved[2];
                for (int sign = 0; sign < 2; sign++) {
                    double amount = sign == 0 ? step : -step;
                    double q[4] = {1, 0, 0, 0};
                    q[1 + axis] = what == 0 ? 0.0 : tan(0.5 * amount);
                    const polytope *k = what == 2 ? &p.k2 : &p.k1;
                    wide3 shift = wide3_scale(what == 0 ? amount : 0.0, e);
                    moved[sign] = move_polytope(k, q, polytope_mean(k), shift);
                }
                solve_by_means(what == 2 ? &p.k1 : &moved[0], what == 2 ? &moved[0] : &p.k2, &high);
                solve_by_means(what == 2 ? &p.k1 : &moved[1], what == 2 ? &moved[1] : &p.k2, &low);
                const double *gradient = what == 0 ? r.by_shift : what == 1 ? r.by_turn1 : r.by_turn2;
                double scale = 1.0 + fabs(gradient[axis]) + (double)wide3_norm(wide3_read(r.alpha));
                note_error(&worst, fabs((high.value - low.value) / (2.0 * step) - gradient[axis]) / scale);
            }
        }
    }
    // Rounding 1e-16/step = 1e-11; the second differences step^2 = 1e-10 times third derivatives, which steep facets
    // raise.
    CHECK(checked > 100);
    CHECK_NEAR(worst, 0.0, 1e-6);
    print_message("%d pairs, worst %.2g\n", checked, worst);
}

// beta <- alpha/|alpha| on overlapping bodies never makes the depth larger.
TEST(rotating_beta_to_the_normal_is_monotone_on_overlap) {
    sampler s = {.seed = 5};
    int overlapping = 0, global = 0;
    for (int i = 0; i < 300; i++) {
        random_pair p = sample_pair(&s, i);
        ssh_result r;
        axes_result axes;
        solve(&p.k1, &p.k2, p.beta, &r);
        if (!(r.value < -1e-6)) continue;
        overlapping++;
        for (int pass = 0; pass < 20; pass++) {
            double length = (double)wide3_norm(wide3_read(r.alpha)), beta[3], before = r.value / length;
            for (int k = 0; k < 3; k++) beta[k] = r.alpha[k] / length;
            solve(&p.k1, &p.k2, beta, &r);
            CHECK_INT(r.status, SSH_OPTIMAL);
            CHECK(r.value >= before - 1e-13);
        }
        CHECK(separating_axes_distance(p.k1.count, p.k1.vertices, p.k2.count, p.k2.vertices, &axes));
        CHECK(r.value <= axes.distance + 1e-13);
        global += r.value > axes.distance - 1e-9;
    }
    CHECK(overlapping > 100 && global > overlapping / 2);
    print_message("%d overlapping, ended in the least translation of all in %d\n", overlapping, global);
}

// A line that misses the difference body: the certificate separates the bodies and is normal to the line.
TEST(lines_that_miss_give_separating_directions) {
    sampler s = {.seed = 6};
    int missed = 0;
    for (int i = 0; i < 300; i++) {
        random_pair p = sample_pair(&s, i);
        carom_vec3 u = sample_unit(&s);
        const double beta[3] = {u.x, u.y, u.z};
        ssh_result r;
        axes_result axes;
        solve(&p.k1, &p.k2, beta, &r);
        CHECK(r.status != SSH_FAILED);
        if (r.status != SSH_UNBOUNDED) continue;
        missed++;
        CHECK(separating_axes_distance(p.k1.count, p.k1.vertices, p.k2.count, p.k2.vertices, &axes));
        CHECK(r.a1 > r.a2 && r.a1 - r.a2 <= axes.distance + 1e-14);
        CHECK_NEAR((double)wide3_dot(wide3_read(r.alpha), wide3_read(beta)), 0.0, 1e-14);
    }
    CHECK(missed > 30);
    print_message("%d of 300 lines miss\n", missed);
}

// A cube on a cube, shifted: the weights of least norm are symmetric about the middle of the common square.
TEST(face_on_face_weights_are_symmetric) {
    polytope below = make_box(0, 0, 0, 1, 1, 1), above = make_box(0, 0, 1.75, 1, 1, 1);
    ssh_result r;
    solve_by_means(&above, &below, &r);
    CHECK_NEAR(r.value, -0.25, 1e-16);
    CHECK(r.alpha_unique && !r.dual_unique && r.plain_dual_nonnegative);
    for (int v = 0; v < 4; v++) {
        CHECK_NEAR(r.dual1[v], 0.25, 1e-16);
        CHECK_NEAR(r.dual2[v + 4], 0.25, 1e-16);
        CHECK(r.active1[v] && !r.active1[v + 4] && r.active2[v + 4] && !r.active2[v]);
    }
}

TEST_MAIN(CASE(optimum_is_certified_and_bounds_the_distance),
          CASE(optimum_is_the_ratio_depth_times_the_centre_distance), CASE(swapping_and_moving_both_changes_nothing),
          CASE(gradients_are_differences), CASE(rotating_beta_to_the_normal_is_monotone_on_overlap),
          CASE(lines_that_miss_give_separating_directions), CASE(face_on_face_weights_are_symmetric),
          CASE(size_changes_nothing))

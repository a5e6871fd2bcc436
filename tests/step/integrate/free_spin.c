// SPDX-License-Identifier: MIT
// The free spin: the equation that defines it, put back with the rotation of so3.h; and what is left where a body
// rotates by too much.
#include "step/integrate/free_spin.h"

#include <math.h>

#include "math/so3.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

// A free body of these principal moments, kg m^2.
static crm_body free_body(carom_vec3 inertia) {
    return (crm_body){.kind = CAROM_BODY_FREE,
                      .inertia = inertia,
                      .inverse_inertia = crm_vec3(1.0 / inertia.x, 1.0 / inertia.y, 1.0 / inertia.z)};
}

// Of bodies with the axes' second moments 1, `b` and `c`: every inertia that a body can have.
static crm_body shaped_body(double size, double b, double c) {
    return free_body(crm_vec3(size * (b + c), size * (c + 1.0), size * (1.0 + b)));
}

// |w - I_w(exp(h w / 2) q)^-1 L| / |w|
static double wrong_by(const crm_body *body, carom_quat q, carom_vec3 l, double step, carom_vec3 w) {
    crm_motion middle = {.q = crm_quat_mul(crm_so3_exp(crm_scale(0.5 * step, w)), q), .l = l};
    return crm_distance(w, crm_motion_spin(body, &middle)) / crm_length(w);
}

// Rotations by 1e-9 to 0.5 rad a step of plates, needles and nearly round bodies, from milligrams to tons.
TEST(the_spin_is_right_in_the_middle_of_the_step) {
    sampler s = {.seed = 31};
    double worst = 0.0;
    for (int i = 0; i < 20000; i++) {
        double size = pow(10.0, sample_between(&s, -15.0, 6.0)), step = pow(10.0, sample_between(&s, -5.0, -1.0));
        crm_body body =
            shaped_body(size, pow(10.0, sample_between(&s, -2.0, 0.0)), pow(10.0, sample_between(&s, -2.0, 0.0)));
        carom_quat q = sample_attitude(&s);
        double angle = pow(10.0, sample_between(&s, -9.0, log10(0.5)));
        carom_vec3 l = crm_motion_angular_momentum(&body, q, crm_scale(angle / step, sample_unit(&s)));
        carom_vec3 w = crm_free_spin(&body, 0.0, q, l, step);
        worst = fmax(worst, wrong_by(&body, q, l, step, w));
        CHECK(crm_length(w) * step < 10.0 * angle * sqrt(crm_max_component(body.inertia) / (size * 0.02)));
    }
    CHECK(worst < 1e-13);
}

// Half a revolution a step and more: about the momentum, so that the energy stays what it is.
TEST(without_a_near_solution_it_is_along_the_momentum) {
    crm_body body = shaped_body(1.0, 0.5, 0.1);
    sampler s = {.seed = 32};
    int along = 0;
    for (int i = 0; i < 200; i++) {
        carom_quat q = sample_attitude(&s);
        crm_motion start = {.q = q, .l = crm_scale(50.0, sample_unit(&s))}, end = start;
        carom_vec3 w = crm_free_spin(&body, 0.0, q, start.l, 1.0);
        bool parallel = crm_length(crm_cross(w, start.l)) <= 1e-14 * crm_length(w) * crm_length(start.l);
        along += parallel;
        CHECK(parallel || wrong_by(&body, q, start.l, 1.0, w) < 1e-12);
        end.q = crm_quat_step(q, w, 1.0);
        double before = crm_motion_kinetic_energy(&body, &start), after = crm_motion_kinetic_energy(&body, &end);
        CHECK(after <= 1.0101 * before);
        if (parallel) CHECK_NEAR(after, before, 1e-12 * before);
    }
    CHECK(along > 0);
}

// No impulse leads to a spin that makes energy, however uneven the body is.
TEST(after_impulses_no_rotation_makes_energy) {
    sampler s = {.seed = 33};
    int bounded = 0;
    for (int i = 0; i < 2000; i++) {
        crm_body body = shaped_body(1.0, 0.5, pow(10.0, sample_between(&s, -9.0, -0.5)));
        crm_motion start = {.q = sample_attitude(&s), .l = sample_unit(&s)}, end = start;
        carom_vec3 w = crm_scale(sample_between(&s, 0.0, 100.0), sample_unit(&s));
        carom_vec3 taken = crm_bounded_spin(&body, start.q, start.l, w, 1.0);
        bounded += crm_distance(taken, w) > 0.0;
        if (crm_length(w) < 1.0) CHECK_NEAR(crm_distance(taken, w), 0.0, 0.0);
        end.q = crm_quat_step(start.q, taken, 1.0);
        double before = crm_motion_kinetic_energy(&body, &start), after = crm_motion_kinetic_energy(&body, &end);
        if (crm_length(w) > 1.0) CHECK(after <= 1.0101 * before);
    }
    CHECK(bounded > 100);
}

// Angular drag leaves (I + h d) w = L of a body that rotates about a principal axis.
TEST(drag_is_taken_with_the_spin_that_it_leaves) {
    crm_body block = shaped_body(1.0, 0.5, 0.1);
    carom_quat q = crm_quat_identity();
    for (double drag = 0.01; drag < 1e7; drag *= 10.0)
        CHECK_NEAR(crm_free_spin(&block, drag, q, crm_vec3(3.0, 0.0, 0.0), 0.1).x, 3.0 / (block.inertia.x + drag),
                   1e-14 * 3.0 / (block.inertia.x + drag));
}

TEST(round_bodies_and_bodies_at_rest_ask_for_no_iteration) {
    crm_body ball = free_body(crm_vec3(2.0, 2.0, 2.0)), block = shaped_body(1.0, 0.5, 0.1);
    carom_quat q = crm_quat_identity();
    CHECK_NEAR(crm_free_spin(&ball, 0.0, q, crm_vec3(4.0, 0.0, 0.0), 1.0).x, 2.0, 0.0);
    CHECK_NEAR(crm_length(crm_free_spin(&block, 0.0, q, crm_vec3_zero(), 1.0)), 0.0, 0.0);
}

TEST_MAIN(CASE(the_spin_is_right_in_the_middle_of_the_step), CASE(without_a_near_solution_it_is_along_the_momentum),
          CASE(after_impulses_no_rotation_makes_energy), CASE(drag_is_taken_with_the_spin_that_it_leaves),
          CASE(round_bodies_and_bodies_at_rest_ask_for_no_iteration))

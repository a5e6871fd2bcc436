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
        carom_vec3 w = crm_free_spin(&body, q, l, step);
        worst = fmax(worst, wrong_by(&body, q, l, step, w));
        CHECK(crm_length(w) * step < 10.0 * angle * sqrt(crm_max_component(body.inertia) / (size * 0.02)));
    }
    CHECK(worst < 1e-13);
}

// Half a revolution a step and more: the spin of the start, so that the energy is that of the momentum.
TEST(without_a_near_solution_it_is_the_spin_of_the_start) {
    crm_body body = shaped_body(1.0, 0.5, 0.1);
    sampler s = {.seed = 32};
    int starts = 0;
    for (int i = 0; i < 200; i++) {
        carom_quat q = sample_attitude(&s);
        crm_motion start = {.q = q, .l = crm_scale(50.0, sample_unit(&s))};
        carom_vec3 w = crm_free_spin(&body, q, start.l, 1.0);
        bool first = crm_distance(w, crm_motion_spin(&body, &start)) <= 1e-14 * crm_length(w);
        starts += first;
        CHECK(first || wrong_by(&body, q, start.l, 1.0, w) < 1e-12);
    }
    CHECK(starts > 0);
}

TEST(round_bodies_and_bodies_at_rest_ask_for_no_iteration) {
    crm_body ball = free_body(crm_vec3(2.0, 2.0, 2.0)), block = shaped_body(1.0, 0.5, 0.1);
    carom_quat q = crm_quat_identity();
    CHECK_NEAR(crm_free_spin(&ball, q, crm_vec3(4.0, 0.0, 0.0), 1.0).x, 2.0, 0.0);
    CHECK_NEAR(crm_length(crm_free_spin(&block, q, crm_vec3_zero(), 1.0)), 0.0, 0.0);
}

TEST_MAIN(CASE(the_spin_is_right_in_the_middle_of_the_step), CASE(without_a_near_solution_it_is_the_spin_of_the_start),
          CASE(round_bodies_and_bodies_at_rest_ask_for_no_iteration))

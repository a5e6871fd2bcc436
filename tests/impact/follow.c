// SPDX-License-Identifier: MIT
// Friction followed through an impact, against the slow integration in the normal impulse itself.
#include "reference/motion/impact_path.h"

#include "math/mat3.h"
#include "support/harness/check.h"
#include "support/problem/collision.h"

static bool check_against_reference(const carom_impact *impact, carom_impact_law law, double tolerance,
                                    impact_path *path) {
    carom_impact_result r = resolved(impact, law);
    *path = impact_path_follow(impact, law);
    carom_vec3 impulse = {(double)path->impulse.x, (double)path->impulse.y, (double)path->impulse.z};
    carom_vec3 velocity = {(double)path->velocity.x, (double)path->velocity.y, (double)path->velocity.z};
    double size = crm_length(impulse), speed = crm_length(impact->velocity) + crm_length(velocity);
    carom_impact_phase last = r.phases[r.phase_count - 1];
    return CHECK(crm_distance(r.impulse, impulse) <= tolerance * size) &
           CHECK(crm_distance(r.velocity, velocity) <= tolerance * speed) &
           CHECK_NEAR(r.normal_work, (double)path->work, tolerance * size * speed) &
           CHECK_NEAR(r.compression.normal_impulse, (double)path->first_normal, tolerance * size) &
           CHECK_INT(last == CAROM_IMPACT_PHASE_STICK, path->sticks);
}

TEST(slip_that_curves_agrees_with_the_slow_integration) {
    sampler s = {.seed = 11};
    int sticks = 0;
    for (int i = 0; i < 120; i++) {
        carom_impact impact = sample_impact(&s);
        if (impact.friction == 0.0) continue;
        impact_path path;
        if (!check_against_reference(&impact, (carom_impact_law)(i % 3), 1e-12, &path)) return;
        sticks += path.sticks;
    }
    CHECK(sticks > 10);
}

TEST(much_slip_that_curves_agrees_with_the_slow_integration) {
    sampler s = {.seed = 12};
    for (int i = 0; i < 400; i++) {
        carom_impact impact = sample_impact(&s);
        if (impact.friction == 0.0) continue;
        impact_path path;
        if (!check_against_reference(&impact, (carom_impact_law)(i % 3), 1e-11, &path)) return;
    }
}

// K = [1 0 b; 0 1 0; b 0 1], slip across b: it rotates towards b, dv/dp = 1 - mu b.s becomes negative, and restitution,
// hardly begun, is a compression again.
static carom_impact twice_compressed(void) {
    return (carom_impact){.matrix = {{1.0, 0.0, 0.9}, {0.0, 1.0, 0.0}, {0.9, 0.0, 1.0}},
                          .normal = {0.0, 0.0, 1.0},
                          .velocity = {-0.03, 1.0, -0.2},
                          .friction = 2.4,
                          .restitution = 0.8};
}

TEST(a_second_compression_pays_into_the_account) {
    carom_impact impact = twice_compressed();
    for (int law = 0; law < CAROM_IMPACT_LAW_ALGEBRAIC; law++) {
        impact_path path;
        check_against_reference(&impact, (carom_impact_law)law, 1e-13, &path);
        CHECK_INT(path.compressions, law == CAROM_IMPACT_LAW_NEWTON ? 1 : 2);
        carom_impact_result r = resolved(&impact, (carom_impact_law)law);
        CHECK(normal_velocity(&impact, r.velocity) > 0.0);
        CHECK(law == CAROM_IMPACT_LAW_NEWTON || !r.gains_energy);
    }
    carom_impact_result r = resolved(&impact, CAROM_IMPACT_LAW_POISSON);
    CHECK(r.normal_impulse > 1.001 * (1.0 + impact.restitution) * r.compression.normal_impulse);
}

// Sliding off: the direction s solves b - mu A s = l s, l > 0; slip is along it.
TEST(slip_resumes_along_the_critical_direction) {
    carom_impact impact = {.matrix = {{2.0, 0.3, 1.2}, {0.3, 1.0, -0.4}, {1.2, -0.4, 1.5}},
                           .normal = {0.0, 0.0, 1.0},
                           .velocity = {0.0, 0.0, -1.0},
                           .friction = 0.2,
                           .restitution = 0.5};
    for (int law = 0; law < CAROM_IMPACT_LAW_ALGEBRAIC; law++) {
        carom_impact_result r = resolved(&impact, (carom_impact_law)law);
        impact_path path;
        check_against_reference(&impact, (carom_impact_law)law, 1e-14, &path);
        CHECK(path.slides_off);
        CHECK_INT(r.phase_count, 1);
        CHECK_INT(r.phases[0], CAROM_IMPACT_PHASE_SLIDE_OFF);
        CHECK(r.place == CAROM_CONE_BOUNDARY);
        CHECK_NEAR(r.impulse.x * r.velocity.y - r.impulse.y * r.velocity.x, 0.0, 1e-15);
        CHECK(r.impulse.x * r.velocity.x + r.impulse.y * r.velocity.y < 0.0);
    }
    impact.friction = 2.0; // above |A^-1 b|: it sticks
    carom_impact_result r = resolved(&impact, CAROM_IMPACT_LAW_STRONGE);
    CHECK_INT(r.phases[0], CAROM_IMPACT_PHASE_STICK);
    CHECK(r.sticks && r.place == CAROM_CONE_INSIDE);
}

// Slip that comes to within 1e-9 of a stop and goes off again: in t it is nothing special.
TEST(slip_that_nearly_stops_is_followed_round_the_corner) {
    carom_impact impact = {.matrix = {{1.0, 0.0, 0.8}, {0.0, 1.0, 0.0}, {0.8, 0.0, 1.0}},
                           .normal = {0.0, 0.0, 1.0},
                           .friction = 0.3,
                           .restitution = 0.9};
    for (double miss = 1e-1; miss > 1e-10; miss *= 0.1) {
        impact.velocity = (carom_vec3){-0.5, miss, -1.0};
        impact_path path;
        check_against_reference(&impact, CAROM_IMPACT_LAW_STRONGE, 1e-12, &path);
    }
}

TEST_MAIN(CASE(slip_that_curves_agrees_with_the_slow_integration),
          LONG_CASE(much_slip_that_curves_agrees_with_the_slow_integration),
          CASE(a_second_compression_pays_into_the_account), CASE(slip_resumes_along_the_critical_direction),
          CASE(slip_that_nearly_stops_is_followed_round_the_corner))

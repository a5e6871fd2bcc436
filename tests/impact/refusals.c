// SPDX-License-Identifier: MIT
// What is refused, with which sentence; and that names go both ways.
#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "support/harness/check.h"
#include "support/problem/collision.h"

static carom_impact good_impact(void) {
    return (carom_impact){.matrix = crm_mat3_identity(), .normal = {0.0, 0.0, 1.0}, .velocity = {1.0, 0.0, -1.0}};
}

static void check_impact_refused(const carom_impact *impact, int law, const char *sentence) {
    carom_impact_result r;
    carom_error error = {.text = ""};
    CHECK_INT(carom_impact_resolve(impact, (carom_impact_law)law, &r, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, sentence);
    CHECK_INT(carom_impact_resolve(impact, (carom_impact_law)law, &r, NULL), CAROM_ERR_BAD_INPUT);
}

TEST(impacts_that_are_none_are_refused) {
    carom_impact impact = good_impact();
    check_impact_refused(&impact, 4, "no law number 4");
    check_impact_refused(&impact, -1, "no law number -1");
    impact.friction = -0.1;
    check_impact_refused(&impact, 0, "friction is -0.1, must be at least 0");
    impact.friction = NAN;
    check_impact_refused(&impact, 0, "friction is");
    impact = good_impact();
    impact.restitution = 1.5;
    check_impact_refused(&impact, 1, "restitution is 1.5, must be in 0 to 1");
    impact = good_impact();
    impact.tangential = -2.0;
    check_impact_refused(&impact, 2, "tangential restitution is -2, must be in -1 to 1");
    impact = good_impact();
    impact.normal = crm_vec3_zero();
    check_impact_refused(&impact, 3, "the normal is (0, 0, 0), must be finite and not zero");
    impact = good_impact();
    impact.velocity.y = INFINITY;
    check_impact_refused(&impact, 0, "the velocity is");
    impact = good_impact();
    impact.matrix.x.y = NAN;
    check_impact_refused(&impact, 0, "not finite");
    impact.matrix.x.y = 0.1;
    check_impact_refused(&impact, 0, "must be symmetric");
    impact.matrix = crm_mat3_diagonal(crm_vec3(1.0, -1.0, 1.0));
    check_impact_refused(&impact, 0, "the eigenvalue -1");
    impact.matrix = crm_mat3_diagonal(crm_vec3(1.0, 1.0, 0.0));
    check_impact_refused(&impact, 0, "lets nothing move along the normal");
}

static carom_impact_pair good_pair(void) {
    carom_impact_body body = {.mass = 1.0, .inertia = crm_mat3_identity(), .velocity = {0.0, 0.0, -1.0}};
    return (carom_impact_pair){.a = {.fixed = true}, .b = body, .normal = {0.0, 0.0, 1.0}};
}

static void check_pair_refused(const carom_impact_pair *pair, const char *sentence) {
    carom_impact_pair_result r;
    carom_error error = {.text = ""};
    CHECK_INT(carom_impact_resolve_pair(pair, CAROM_IMPACT_LAW_STRONGE, &r, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, sentence);
}

TEST(bodies_that_are_none_are_refused) {
    carom_impact_pair pair = good_pair();
    pair.b.mass = 0.0;
    check_pair_refused(&pair, "body b: the mass is 0 kg, must be positive");
    pair.b.mass = NAN;
    check_pair_refused(&pair, "body b: the mass is");
    pair = good_pair();
    pair.b.inertia = crm_mat3_diagonal(crm_vec3(1.0, 1.0, 3.0));
    check_pair_refused(&pair, "no body's greatest exceeds the sum");
    pair.b.inertia = crm_mat3_diagonal(crm_vec3(1.0, 1.0, -1.0));
    check_pair_refused(&pair, "principal moment -1 kg m^2, all must be positive");
    pair.b.inertia = crm_mat3_identity();
    pair.b.inertia.x.y = 0.5;
    check_pair_refused(&pair, "not symmetric");
    pair.b.inertia.x.y = NAN;
    check_pair_refused(&pair, "not finite");
    pair = good_pair();
    pair.b.spin.x = NAN;
    check_pair_refused(&pair, "centre, velocity and spin must be finite");
    pair = good_pair();
    pair.point.x = INFINITY;
    check_pair_refused(&pair, "the point of contact is");
    pair = good_pair();
    pair.b.fixed = true;
    check_pair_refused(&pair, "both bodies are fixed");
}

// A wall that moves gives energy; the work is that of the velocities at the point.
TEST(a_moving_wall_is_a_wall) {
    carom_impact_pair pair = good_pair();
    pair.a.velocity.z = 2.0;
    pair.restitution = 1.0;
    carom_impact_pair_result r;
    CHECK_INT(carom_impact_resolve_pair(&pair, CAROM_IMPACT_LAW_POISSON, &r, NULL), CAROM_OK);
    CHECK_NEAR(r.velocity_b.z, 5.0, 1e-14);
    CHECK_NEAR(r.velocity_a.z, 2.0, 0.0);
    CHECK_NEAR(r.result.work, 0.0, 1e-14);
    CHECK_NEAR(r.energy_after - r.energy_before, 12.0, 1e-13);
}

TEST(laws_have_names) {
    for (int i = 0; i < CAROM_IMPACT_LAW_COUNT; i++) {
        carom_impact_law found;
        CHECK(carom_impact_law_find(carom_impact_law_name((carom_impact_law)i), &found));
        CHECK_INT(found, i);
    }
    carom_impact_law none;
    CHECK(!carom_impact_law_find("hertz", &none) && !carom_impact_law_find(NULL, &none));
    CHECK_TEXT(carom_impact_law_name(CAROM_IMPACT_LAW_COUNT), "?");
    CHECK_TEXT(carom_cone_place_name(CAROM_CONE_BOUNDARY), "boundary");
    CHECK_TEXT(carom_impact_phase_name(CAROM_IMPACT_PHASE_SLIDE_OFF), "slide_off");
}

TEST_MAIN(CASE(impacts_that_are_none_are_refused), CASE(bodies_that_are_none_are_refused),
          CASE(a_moving_wall_is_a_wall), CASE(laws_have_names))

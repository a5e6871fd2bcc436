// SPDX-License-Identifier: MIT
// What must hold for every collision, whatever the law: random ones.
#include "math/mat3.h"
#include "math/quat.h"
#include "support/harness/check.h"
#include "support/problem/collision.h"

enum { some = 4000, many = 100000 };

// The size of the energies that are about: |j| (|u-| + |u+|)/2.
static double energy_scale(const carom_impact *impact, const carom_impact_result *r) {
    return 0.5 * crm_length(r->impulse) * (crm_length(impact->velocity) + crm_length(r->velocity));
}

// The impulse is in the cone, pushes, and is what moves u.
static bool check_impulse(const carom_impact *impact, const carom_impact_result *r) {
    double normal = crm_dot(impact->normal, r->impulse), speed = crm_length(impact->velocity);
    double across = crm_length(crm_madd(r->impulse, -normal, impact->normal));
    carom_vec3 after = crm_add(impact->velocity, crm_mat3_apply(impact->matrix, r->impulse));
    double moved = speed + crm_length(crm_mat3_apply(impact->matrix, r->impulse));
    return CHECK(normal > 0.0) & CHECK(across <= impact->friction * normal + 1e-12 * crm_length(r->impulse)) &
           CHECK(r->cone_ratio <= 1.0 + 1e-12) & CHECK_NEAR(normal, r->normal_impulse, 1e-14 * crm_length(r->impulse)) &
           CHECK(crm_distance(after, r->velocity) <= 1e-13 * moved) &
           CHECK_NEAR(r->work, 0.5 * crm_dot(r->impulse, crm_add(impact->velocity, r->velocity)),
                      1e-13 * energy_scale(impact, r));
}

// What each law says of the end.
static bool check_law_end(const carom_impact *impact, carom_impact_law law, const carom_impact_result *r) {
    double e = impact->restitution, before = normal_velocity(impact, impact->velocity);
    double after = normal_velocity(impact, r->velocity), speed = crm_length(impact->velocity);
    const carom_impact_stage *c = &r->compression;
    switch (law) {
    case CAROM_IMPACT_LAW_POISSON:
        // More than one compression pays in more than the first.
        return CHECK(r->normal_impulse >= (1.0 + e) * c->normal_impulse * (1.0 - 1e-13)) &
               CHECK(after > -1e-12 * speed);
    case CAROM_IMPACT_LAW_STRONGE:
        return CHECK(r->normal_work <= (1.0 - e * e - 1e-12) * c->normal_work) & CHECK(after > -1e-12 * speed);
    default:
        return CHECK_NEAR(after, -e * before, 1e-11 * speed);
    }
}

// Of the algebraic law what is not friction's is what an impact without friction takes.
static bool check_friction(const carom_impact *impact, carom_impact_law law, const carom_impact_result *r) {
    double scale = energy_scale(impact, r), e = impact->restitution;
    if (law != CAROM_IMPACT_LAW_ALGEBRAIC) return CHECK(r->friction_work <= 1e-12 * scale);
    double before = normal_velocity(impact, impact->velocity);
    double softness = crm_dot(impact->normal, crm_mat3_apply(impact->matrix, impact->normal));
    double normal = -0.5 * (1.0 - e * e) * before * before / softness;
    return CHECK(r->friction_work <= 0.0) & CHECK_NEAR(r->work, normal + r->friction_work, 1e-11 * scale);
}

static int check_collisions(uint64_t seed, int count) {
    sampler s = {.seed = seed};
    int gains = 0;
    for (int i = 0; i < count; i++) {
        carom_impact impact = sample_impact(&s);
        for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
            carom_impact_result r = resolved(&impact, (carom_impact_law)law);
            bool good = check_impulse(&impact, &r) & check_law_end(&impact, (carom_impact_law)law, &r) &
                        check_friction(&impact, (carom_impact_law)law, &r);
            if (law == CAROM_IMPACT_LAW_NEWTON)
                gains += r.gains_energy;
            else
                good = good & CHECK(r.work <= 1e-12 * energy_scale(&impact, &r)) & CHECK(!r.gains_energy);
            if (!good) return gains;
        }
    }
    return gains;
}

TEST(every_impulse_is_in_the_cone_and_only_newtons_gain_energy) {
    CHECK(check_collisions(1, some) > 0);
}

TEST(a_hundred_thousand_impulses_are_in_the_cone_and_only_newtons_gain_energy) {
    CHECK(check_collisions(2, many) > 0);
}

TEST(momenta_are_kept_and_energies_follow_the_work) {
    sampler s = {.seed = 3};
    for (int i = 0; i < some; i++) {
        carom_impact_pair pair = sample_collision(&s);
        carom_impact_pair_result r;
        if (!CHECK(carom_impact_resolve_pair(&pair, (carom_impact_law)(i % 4), &r, NULL) == CAROM_OK)) return;
        double energy = r.energy_before + r.energy_after;
        CHECK_NEAR(r.energy_after - r.energy_before, r.result.work, 1e-12 * energy);
        if (pair.a.fixed) {
            CHECK(crm_distance(r.velocity_a, pair.a.velocity) == 0.0 && crm_distance(r.spin_a, pair.a.spin) == 0.0);
            continue;
        }
        carom_vec3 linear = crm_add(crm_scale(pair.a.mass, crm_sub(r.velocity_a, pair.a.velocity)),
                                    crm_scale(pair.b.mass, crm_sub(r.velocity_b, pair.b.velocity)));
        carom_vec3 angular_a = crm_mat3_apply(pair.a.inertia, crm_sub(r.spin_a, pair.a.spin));
        carom_vec3 angular_b = crm_mat3_apply(pair.b.inertia, crm_sub(r.spin_b, pair.b.spin));
        carom_vec3 orbit_a = crm_cross(pair.a.centre, crm_sub(r.velocity_a, pair.a.velocity));
        carom_vec3 orbit_b = crm_cross(pair.b.centre, crm_sub(r.velocity_b, pair.b.velocity));
        carom_vec3 angular = crm_add(crm_add(angular_a, angular_b),
                                     crm_add(crm_scale(pair.a.mass, orbit_a), crm_scale(pair.b.mass, orbit_b)));
        // A velocity of size 1 carries its rounding times the mass.
        double rounding =
            2e-15 * (pair.a.mass + pair.b.mass) * (10.0 + crm_length(r.velocity_a) + crm_length(r.velocity_b));
        CHECK(crm_length(linear) <= rounding);
        double angular_size = crm_mat3_norm(pair.a.inertia) * (5.0 + crm_length(r.spin_a)) +
                              crm_mat3_norm(pair.b.inertia) * (5.0 + crm_length(r.spin_b));
        if (!CHECK(crm_length(angular) <= 4.0 * rounding + 1e-14 * angular_size)) return;
    }
}

TEST(without_friction_all_laws_agree) {
    sampler s = {.seed = 4};
    for (int i = 0; i < some; i++) {
        carom_impact impact = sample_impact(&s);
        impact.friction = 0.0;
        double inverse = crm_dot(impact.normal, crm_mat3_apply(impact.matrix, impact.normal));
        double size = -(1.0 + impact.restitution) * normal_velocity(&impact, impact.velocity) / inverse;
        // Both n.u and n.K n are differences of larger numbers.
        double rounding = 1e-14 * (crm_mat3_norm(impact.matrix) * size + crm_length(impact.velocity)) / inverse;
        for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
            carom_impact_result r = resolved(&impact, (carom_impact_law)law);
            if (!CHECK(crm_distance(r.impulse, crm_scale(size, impact.normal)) <= rounding)) return;
            CHECK(r.place == CAROM_CONE_NORMAL);
        }
    }
}

// The same collision seen from turned axes, in other units of mass and time.
TEST(axes_and_units_do_not_matter) {
    sampler s = {.seed = 5};
    for (int i = 0; i < some; i++) {
        carom_impact impact = sample_impact(&s), turned = impact;
        carom_mat3 rotation = crm_quat_to_mat3(sample_attitude(&s));
        double mass = exp(sample_between(&s, -30.0, 30.0)), speed = exp(sample_between(&s, -30.0, 30.0));
        turned.matrix = crm_mat3_scale(1.0 / mass, crm_congruence(rotation, impact.matrix));
        turned.normal = crm_scale(3.0, crm_mat3_apply(rotation, impact.normal));
        turned.velocity = crm_scale(speed, crm_mat3_apply(rotation, impact.velocity));
        for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
            carom_impact_result r = resolved(&impact, (carom_impact_law)law);
            carom_impact_result t = resolved(&turned, (carom_impact_law)law);
            carom_vec3 wanted = crm_scale(mass * speed, crm_mat3_apply(rotation, r.impulse));
            if (!CHECK(crm_distance(t.impulse, wanted) <= 1e-10 * crm_length(wanted))) return;
        }
    }
}

// P_I and P_II - P_I are orthogonal in K, so that the energy of the algebraic law is (e^2 - 1)/2 P_I.K P_I +
// ((kappa - 1)^2 - 1)/2 D.K D, D = P_II - P_I: a loss for 0 <= kappa <= 2.
TEST(the_energy_of_the_algebraic_law_is_a_sum_of_two_losses) {
    sampler s = {.seed = 6};
    for (int i = 0; i < some; i++) {
        carom_impact impact = sample_impact(&s);
        carom_impact_result r = resolved(&impact, CAROM_IMPACT_LAW_ALGEBRAIC);
        carom_vec3 d = crm_sub(r.plastic_sticking, r.plastic_sliding);
        double e = impact.restitution, k = r.kappa - 1.0;
        double normal = crm_dot(r.plastic_sliding, crm_mat3_apply(impact.matrix, r.plastic_sliding));
        double across = crm_dot(d, crm_mat3_apply(impact.matrix, d));
        CHECK(r.kappa >= 0.0 && r.kappa <= 1.0 + impact.tangential);
        double wanted = 0.5 * (e * e - 1.0) * normal + 0.5 * (k * k - 1.0) * across;
        if (!CHECK_NEAR(r.work, wanted, 1e-11 * (normal + across))) return;
    }
}

// du/dp = K c with c the gradient of h(u) = n.u - mu |u_t|, a concave function: a gradient flow in the metric of K^-1.
// So h never falls, and two impacts that differ in u- only never get further apart. Seen here at the end of
// compression: an impact that begins there, with mu as before, has not more to lose.
TEST(poissons_impulse_is_bounded_by_concavity) {
    sampler s = {.seed = 7};
    for (int i = 0; i < some; i++) {
        carom_impact impact = sample_impact(&s);
        carom_impact_result r = resolved(&impact, CAROM_IMPACT_LAW_POISSON);
        carom_vec3 at = crm_add(impact.velocity, crm_mat3_apply(impact.matrix, r.compression.impulse));
        double slip = crm_length(crm_madd(at, -normal_velocity(&impact, at), impact.normal));
        // h at the end of compression is -mu |slip|: the mean of a concave h over the impact is not above it.
        double bound = -impact.friction * slip * r.normal_impulse;
        if (!CHECK(r.work <= bound + 1e-12 * energy_scale(&impact, &r))) return;
    }
}

TEST(points_that_part_or_rest_get_no_impulse) {
    sampler s = {.seed = 8};
    carom_impact impact = sample_impact(&s);
    carom_vec3 across = crm_any_normal(impact.normal);
    const double speeds[] = {0.0, 1e-300, 1.0};
    for (int i = 0; i < 3; i++)
        for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
            impact.velocity = crm_scale(speeds[i], impact.normal);
            carom_impact_result r = resolved(&impact, (carom_impact_law)law);
            CHECK(crm_length(r.impulse) == 0.0 && r.place == CAROM_CONE_NONE && r.sticks && r.work == 0.0);
            CHECK(crm_distance(r.velocity, impact.velocity) == 0.0);
            impact.velocity = crm_madd(impact.velocity, 2.0, across);
            r = resolved(&impact, (carom_impact_law)law);
            // Rounding of n.t decides whether they approach; then the impulse is of that size.
            CHECK(crm_length(r.impulse) <= 1e-14 && !r.sticks);
        }
}

// A grazing impact loses nothing to the cut between sliding and approach: it only slides, and its impulse is that of a
// straight line.
TEST(grazing_impacts_slide) {
    sampler s = {.seed = 9};
    for (int i = 0; i < 200; i++) {
        carom_impact impact = sample_impact(&s);
        impact.friction = 0.1;
        carom_vec3 t = crm_any_normal(impact.normal);
        impact.velocity = crm_madd(crm_scale(-1e-9, impact.normal), 1.0, t);
        carom_vec3 way = crm_madd(impact.normal, -impact.friction, t);
        double slope = crm_dot(impact.normal, crm_mat3_apply(impact.matrix, way));
        if (slope < 0.1 / 3.0) continue; // jammed, or nearly so: the way is not short
        double size = -(1.0 + impact.restitution) * normal_velocity(&impact, impact.velocity) / slope;
        for (int law = 0; law < CAROM_IMPACT_LAW_ALGEBRAIC; law++) {
            carom_impact_result r = resolved(&impact, (carom_impact_law)law);
            CHECK(r.place == CAROM_CONE_BOUNDARY);
            if (!CHECK(crm_distance(r.impulse, crm_scale(size, way)) <= 1e-6 * size)) return;
        }
    }
}

// Matrices whose eigenvalues spread over six decades, friction over ten: jams, sharp corners, slip that hardly stops.
TEST(extreme_matrices_and_friction_are_followed_to_the_end) {
    sampler s = {.seed = 10};
    for (int i = 0; i < some; i++) {
        carom_mat3 axes = crm_quat_to_mat3(sample_attitude(&s));
        carom_vec3 values = {exp(sample_between(&s, -14.0, 0.0)), exp(sample_between(&s, -14.0, 0.0)), 1.0};
        carom_impact impact = {.matrix = crm_congruence_diagonal(axes, values),
                               .normal = sample_unit(&s),
                               .velocity = sample_vec3(&s, 1.0),
                               .friction = exp(sample_between(&s, -12.0, 12.0)),
                               .restitution = sample_between(&s, 0.0, 1.0)};
        if (normal_velocity(&impact, impact.velocity) > 0.0) impact.normal = crm_negate(impact.normal);
        carom_impact_law law = (carom_impact_law)(i % CAROM_IMPACT_LAW_ALGEBRAIC);
        carom_impact_result r = resolved(&impact, law);
        bool good = CHECK(!r.unfinished) & CHECK(r.cone_ratio <= 1.0 + 1e-12) &
                    CHECK(normal_velocity(&impact, r.velocity) > -1e-9 * crm_length(impact.velocity)) &
                    CHECK(law == CAROM_IMPACT_LAW_NEWTON || !r.gains_energy);
        if (!good) return;
    }
}

TEST_MAIN(CASE(every_impulse_is_in_the_cone_and_only_newtons_gain_energy),
          LONG_CASE(a_hundred_thousand_impulses_are_in_the_cone_and_only_newtons_gain_energy),
          CASE(momenta_are_kept_and_energies_follow_the_work), CASE(without_friction_all_laws_agree),
          CASE(axes_and_units_do_not_matter), CASE(the_energy_of_the_algebraic_law_is_a_sum_of_two_losses),
          CASE(poissons_impulse_is_bounded_by_concavity), CASE(points_that_part_or_rest_get_no_impulse),
          CASE(grazing_impacts_slide), CASE(extreme_matrices_and_friction_are_followed_to_the_end))

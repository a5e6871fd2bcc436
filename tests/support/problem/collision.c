// SPDX-License-Identifier: MIT
#include "support/problem/collision.h"

#include "math/mat3.h"
#include "math/quat.h"
#include "support/harness/check.h"

// A box of uniform density, rotated at random; edges over a factor of 20, masses over one of 50.
static carom_impact_body sample_body(sampler *s) {
    double mass = exp(sample_between(s, -2.0, 2.0)), x = exp(sample_between(s, -2.0, 1.0));
    double y = exp(sample_between(s, -2.0, 1.0)), z = exp(sample_between(s, -2.0, 1.0));
    carom_vec3 moments = {mass / 12.0 * (y * y + z * z), mass / 12.0 * (x * x + z * z), mass / 12.0 * (x * x + y * y)};
    carom_mat3 axes = crm_quat_to_mat3(sample_attitude(s));
    carom_vec3 half = {0.5 * x, 0.5 * y, 0.5 * z}, place = crm_vec3_mul(half, sample_vec3(s, 1.0));
    return (carom_impact_body){.mass = mass,
                               .inertia = crm_congruence_diagonal(axes, moments),
                               .centre = crm_mat3_apply(axes, place), // the origin is a point inside
                               .velocity = sample_vec3(s, 3.0),
                               .spin = sample_vec3(s, 3.0)};
}

carom_impact_pair sample_collision(sampler *s) {
    carom_impact_pair pair = {.a = sample_body(s),
                              .b = sample_body(s),
                              .normal = sample_unit(s),
                              .friction = exp(sample_between(s, -3.0, 2.0)),
                              .restitution = sample_between(s, 0.0, 1.0),
                              .tangential = sample_between(s, -1.0, 1.0)};
    int special = (int)sample_between(s, 0.0, 15.0);
    pair.a.fixed = sample_between(s, 0.0, 3.0) < 1.0;
    if (pair.a.fixed) pair.a.velocity = pair.a.spin = crm_vec3_zero();
    if (special == 0) pair.friction = 0.0;
    if (special == 1) pair.restitution = 0.0;
    if (special == 2) pair.restitution = 1.0;
    carom_impact impact;
    carom_error error;
    if (!CHECK(carom_impact_of_pair(&pair, &impact, &error) == CAROM_OK)) return pair;
    if (normal_velocity(&impact, impact.velocity) > 0.0) pair.normal = crm_negate(pair.normal);
    return pair;
}

carom_impact sample_impact(sampler *s) {
    carom_impact_pair pair = sample_collision(s);
    carom_impact impact = {.friction = 0.0};
    carom_error error;
    CHECK(carom_impact_of_pair(&pair, &impact, &error) == CAROM_OK);
    return impact;
}

carom_impact_result resolved(const carom_impact *impact, carom_impact_law law) {
    carom_impact_result result = {.phase_count = 0};
    carom_error error = {.text = ""};
    carom_status status = carom_impact_resolve(impact, law, &result, &error);
    if (!CHECK_INT(status, CAROM_OK)) CHECK_TEXT(error.text, "");
    return result;
}

// SPDX-License-Identifier: MIT
// Two bodies that collide: their collision matrix, and what an impulse does to them (docs/math.md 7.1).
#include <math.h>

#include "base/fail.h"
#include "carom/impact.h"
#include "math/eigen3.h"
#include "math/mat3.h"

// How far an inertia may be from symmetric, and from the triangle inequality of its moments, of the largest moment.
static const double inertia_tolerance = 1e-9;

static carom_status check_inertia(carom_mat3 inertia, const char *name, carom_error *error) {
    if (!crm_mat3_finite(inertia))
        return crm_refuse(error, "body %s: the inertia has an entry that is not finite", name);
    double size = crm_mat3_norm(inertia);
    if (crm_mat3_norm(crm_mat3_sub(inertia, crm_mat3_transpose(inertia))) > inertia_tolerance * size)
        return crm_refuse(error, "body %s: the inertia is not symmetric", name);
    carom_vec3 moments;
    carom_mat3 axes;
    (void)crm_eigen3(inertia, &moments, &axes);
    if (!(moments.x > 0.0))
        return crm_refuse(error, "body %s: the inertia has the principal moment %g kg m^2, all must be positive", name,
                          moments.x);
    if (moments.z > (moments.x + moments.y) * (1.0 + inertia_tolerance))
        return crm_refuse(
            error,
            "body %s: the principal moments are %g, %g and %g kg m^2, and no body's greatest exceeds the sum of the "
            "other two",
            name, moments.x, moments.y, moments.z);
    return CAROM_OK;
}

static carom_status check_body(const carom_impact_body *body, const char *name, carom_error *error) {
    if (!crm_vec3_finite(body->velocity) || !crm_vec3_finite(body->spin) || !crm_vec3_finite(body->centre))
        return crm_refuse(error, "body %s: centre, velocity and spin must be finite", name);
    if (body->fixed) return CAROM_OK;
    if (!(body->mass > 0.0) || !isfinite(body->mass))
        return crm_refuse(error, "body %s: the mass is %g kg, must be positive and finite", name, body->mass);
    return check_inertia(body->inertia, name, error);
}

// I^-1 v. The inertia is positive definite, so that the solution exists.
static carom_vec3 spin_of(carom_mat3 inertia, carom_vec3 momentum) {
    carom_vec3 spin;
    (void)crm_mat3_solve(inertia, momentum, &spin);
    return spin;
}

// 1/m - [r]x I^-1 [r]x, by columns: the velocity that a unit impulse gives the point; made exactly symmetric.
static carom_mat3 body_matrix(const carom_impact_body *body, carom_vec3 point) {
    if (body->fixed) return crm_mat3_zero();
    carom_mat3 inverse;
    (void)crm_mat3_inverse(body->inertia, &inverse);
    carom_mat3 turned = crm_congruence(crm_skew(crm_sub(point, body->centre)), inverse);
    double push = 1.0 / body->mass;
    return crm_mat3_add(crm_mat3_diagonal(crm_vec3(push, push, push)), turned);
}

static carom_vec3 point_velocity(const carom_impact_body *body, carom_vec3 point) {
    return crm_add(body->velocity, crm_cross(body->spin, crm_sub(point, body->centre)));
}

carom_status carom_impact_of_pair(const carom_impact_pair *pair, carom_impact *out, carom_error *error) {
    CRM_NEED(pair, error);
    CRM_NEED(out, error);
    carom_status status = check_body(&pair->a, "a", error);
    if (status == CAROM_OK) status = check_body(&pair->b, "b", error);
    if (status != CAROM_OK) return status;
    if (pair->a.fixed && pair->b.fixed) return crm_refuse(error, "both bodies are fixed: let one of them move");
    if (!crm_vec3_finite(pair->point))
        return crm_refuse(error, "the point of contact is (%g, %g, %g), must be finite", pair->point.x, pair->point.y,
                          pair->point.z);
    *out = (carom_impact){
        .matrix = crm_mat3_add(body_matrix(&pair->a, pair->point), body_matrix(&pair->b, pair->point)),
        .normal = pair->normal,
        .velocity = crm_sub(point_velocity(&pair->b, pair->point), point_velocity(&pair->a, pair->point)),
        .friction = pair->friction,
        .restitution = pair->restitution,
        .tangential = pair->tangential,
    };
    return CAROM_OK;
}

void carom_impact_apply(carom_impact_body *body, carom_vec3 point, carom_vec3 impulse) {
    if (body->fixed) return;
    carom_vec3 moment = crm_cross(crm_sub(point, body->centre), impulse);
    body->velocity = crm_madd(body->velocity, 1.0 / body->mass, impulse);
    body->spin = crm_add(body->spin, spin_of(body->inertia, moment));
}

double carom_impact_body_energy(const carom_impact_body *body) {
    if (body->fixed) return 0.0;
    double rotating = crm_dot(body->spin, crm_mat3_apply(body->inertia, body->spin));
    return 0.5 * (body->mass * crm_length_squared(body->velocity) + rotating);
}

carom_status carom_impact_resolve_pair(const carom_impact_pair *pair, carom_impact_law law,
                                       carom_impact_pair_result *out, carom_error *error) {
    CRM_NEED(pair, error);
    CRM_NEED(out, error);
    carom_impact impact;
    carom_impact_result result;
    carom_status status = carom_impact_of_pair(pair, &impact, error);
    if (status == CAROM_OK) status = carom_impact_resolve(&impact, law, &result, error);
    if (status != CAROM_OK) return status;
    carom_impact_body a = pair->a, b = pair->b;
    carom_impact_apply(&a, pair->point, crm_negate(result.impulse));
    carom_impact_apply(&b, pair->point, result.impulse);
    *out = (carom_impact_pair_result){
        .result = result,
        .velocity_a = a.velocity,
        .spin_a = a.spin,
        .velocity_b = b.velocity,
        .spin_b = b.spin,
        .energy_before = carom_impact_body_energy(&pair->a) + carom_impact_body_energy(&pair->b),
        .energy_after = carom_impact_body_energy(&a) + carom_impact_body_energy(&b),
    };
    return CAROM_OK;
}

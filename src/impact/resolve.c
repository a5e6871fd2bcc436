// SPDX-License-Identifier: MIT
// One impact: what is refused, the units in which the laws work, and the result in those of the caller.
#include <math.h>

#include "base/fail.h"
#include "impact/follow.h"
#include "math/eigen3.h"

// How far K may be from symmetric and positive semidefinite, of its largest entry: more than the rounding of a long
// mechanism, less than any mistake.
static const double matrix_tolerance = 1e-9;
// n.K n below this share of K's largest entry is rounding: nothing can move along the normal.
static const double immovable_share = 1e-14;
// What of the cone's boundary, of no slip and of no work is left to rounding.
static const double boundary_share = 1e-12, slip_share = 1e-12, work_share = 1e-12, normal_share = 1e-14;

static carom_status refuse_coefficient(carom_error *error, const char *name, double value, const char *range) {
    return crm_refuse(error, "impact: the coefficient of %s is %g, must be %s", name, value, range);
}

static carom_status check_matrix(const carom_impact *impact, carom_vec3 normal, carom_error *error) {
    carom_mat3 k = impact->matrix;
    if (!crm_mat3_finite(k)) return crm_refuse(error, "impact: the collision matrix has an entry that is not finite");
    double size = crm_mat3_norm(k);
    double skew = crm_mat3_norm(crm_mat3_sub(k, crm_mat3_transpose(k)));
    if (skew > matrix_tolerance * size)
        return crm_refuse(
            error, "impact: the collision matrix differs from its transpose by %.2g of its size, must be symmetric",
            skew / size);
    carom_vec3 values;
    carom_mat3 axes;
    (void)crm_eigen3(k, &values, &axes);
    if (values.x < -matrix_tolerance * size)
        return crm_refuse(error, "impact: the collision matrix has the eigenvalue %g, none may be negative", values.x);
    if (!(crm_dot(normal, crm_mat3_apply(k, normal)) > immovable_share * size))
        return crm_refuse(error,
                          "impact: the collision matrix lets nothing move along the normal, n.K n must be positive");
    return CAROM_OK;
}

static carom_status check(const carom_impact *impact, carom_impact_law law, carom_vec3 *normal, carom_error *error) {
    if (law < 0 || law >= CAROM_IMPACT_LAW_COUNT)
        return crm_refuse(error, "impact: there is no law number %d", (int)law);
    if (!(impact->friction >= 0.0) || !isfinite(impact->friction))
        return refuse_coefficient(error, "friction", impact->friction, "at least 0 and finite");
    if (!(impact->restitution >= 0.0 && impact->restitution <= 1.0))
        return refuse_coefficient(error, "restitution", impact->restitution, "in 0 to 1");
    if (!(impact->tangential >= -1.0 && impact->tangential <= 1.0))
        return refuse_coefficient(error, "tangential restitution", impact->tangential, "in -1 to 1");
    if (crm_normalise(impact->normal, normal) == 0.0)
        return crm_refuse(error, "impact: the normal is (%g, %g, %g), must be finite and not zero", impact->normal.x,
                          impact->normal.y, impact->normal.z);
    if (!crm_vec3_finite(impact->velocity))
        return crm_refuse(error, "impact: the velocity is (%g, %g, %g), must be finite", impact->velocity.x,
                          impact->velocity.y, impact->velocity.z);
    return check_matrix(impact, *normal, error);
}

// The axes and units in which the laws work: n.K n = 1, |u-| = 1, z is the normal.
typedef struct scaled {
    carom_mat3 axes, matrix;
    carom_vec3 velocity;
    double speed, impulse, work; // one unit of each
} scaled;

static scaled scale(const carom_impact *impact, carom_vec3 normal) {
    scaled s = {.axes = crm_frame_from_normal(normal)};
    carom_mat3 k = crm_congruence(crm_mat3_transpose(s.axes), impact->matrix);
    s.matrix = crm_mat3_scale(1.0 / k.z.z, k);
    s.speed = crm_normalise(crm_mat3_apply_t(s.axes, impact->velocity), &s.velocity);
    s.impulse = s.speed / k.z.z;
    s.work = s.impulse * s.speed;
    return s;
}

static carom_vec3 to_world(const scaled *s, carom_vec3 impulse) {
    return crm_scale(s->impulse, crm_mat3_apply(s->axes, impulse));
}

static carom_impact_stage stage_of(const scaled *s, const crm_impact_state *state) {
    carom_vec3 impulse = {state->impulse.x, state->impulse.y, state->normal};
    return (carom_impact_stage){to_world(s, impulse), s->impulse * state->normal, s->work * state->work};
}

// Returns the impulse in the scaled axes.
static carom_vec3 resolve_followed(const scaled *s, const carom_impact *impact, carom_impact_law law,
                                   carom_impact_result *out) {
    crm_friction friction = {.a_xx = s->matrix.x.x,
                             .a_xy = s->matrix.x.y,
                             .a_yy = s->matrix.y.y,
                             .b = {s->matrix.z.x, s->matrix.z.y},
                             .mu = impact->friction};
    crm_impact_state start = {.slip = {s->velocity.x, s->velocity.y}, .approach = s->velocity.z};
    crm_followed followed;
    crm_impact_follow(&friction, start, law, impact->restitution, &followed);
    out->normal_work = s->work * followed.end.work;
    out->compression = stage_of(s, &followed.compression);
    out->phase_count = followed.phase_count;
    for (int i = 0; i < followed.phase_count; i++) out->phases[i] = followed.phases[i];
    out->wedged = followed.wedged;
    out->unfinished = followed.unfinished;
    return (carom_vec3){followed.end.impulse.x, followed.end.impulse.y, followed.end.normal};
}

static carom_vec3 resolve_algebraic(const scaled *s, const carom_impact *impact, carom_impact_result *out) {
    crm_algebraic found;
    crm_impact_algebraic(s->matrix, s->velocity, impact->friction, impact->restitution, impact->tangential, &found);
    out->plastic_sliding = to_world(s, found.plastic_sliding);
    out->plastic_sticking = to_world(s, found.plastic_sticking);
    out->predicted = to_world(s, found.predicted);
    out->kappa = found.kappa;
    // P_I and D = P_II - P_I are at right angles in the metric of K: the works of (1 + e) P_I and kappa D add up.
    carom_vec3 difference = crm_sub(found.plastic_sticking, found.plastic_sliding);
    double stopped = fmax(0.0, crm_dot(difference, crm_mat3_apply(s->matrix, difference)));
    out->friction_work = -s->work * found.kappa * (1.0 - 0.5 * found.kappa) * stopped;
    return found.impulse;
}

static carom_cone_place place_of(carom_vec3 impulse, double ratio) {
    if (ratio == 0.0 || hypot(impulse.x, impulse.y) <= normal_share * impulse.z) return CAROM_CONE_NORMAL;
    return ratio >= 1.0 - boundary_share ? CAROM_CONE_BOUNDARY : CAROM_CONE_INSIDE;
}

static void write_result(const scaled *s, const carom_impact *impact, carom_vec3 impulse, carom_impact_result *out) {
    carom_vec3 after = crm_add(s->velocity, crm_mat3_apply(s->matrix, impulse));
    double across = hypot(impulse.x, impulse.y), limit = impact->friction * impulse.z;
    out->impulse = to_world(s, impulse);
    out->velocity = crm_scale(s->speed, crm_mat3_apply(s->axes, after));
    out->normal_impulse = s->impulse * impulse.z;
    out->cone_ratio = limit > 0.0 ? across / limit : 0.0;
    out->place = place_of(impulse, out->cone_ratio);
    out->sticks = hypot(after.x, after.y) <= slip_share;
    double work = 0.5 * crm_dot(impulse, crm_add(s->velocity, after));
    out->work = s->work * work;
    out->gains_energy = work > work_share * 0.5 * crm_length(impulse) * (1.0 + crm_length(after));
}

carom_status carom_impact_resolve(const carom_impact *impact, carom_impact_law law, carom_impact_result *out,
                                  carom_error *error) {
    CRM_NEED(impact, error);
    CRM_NEED(out, error);
    carom_vec3 normal = crm_vec3_zero();
    carom_status status = check(impact, law, &normal, error);
    if (status != CAROM_OK) return status;
    scaled s = scale(impact, normal);
    *out =
        (carom_impact_result){.velocity = impact->velocity, .sticks = hypot(s.velocity.x, s.velocity.y) <= slip_share};
    if (!(s.velocity.z < 0.0)) return CAROM_OK;
    carom_vec3 impulse =
        law == CAROM_IMPACT_LAW_ALGEBRAIC ? resolve_algebraic(&s, impact, out) : resolve_followed(&s, impact, law, out);
    write_result(&s, impact, impulse, out);
    if (law != CAROM_IMPACT_LAW_ALGEBRAIC) out->friction_work = out->work - out->normal_work;
    return CAROM_OK;
}

// SPDX-License-Identifier: MIT
// Newton's method in the six unknowns of a step, displacement d and rotation (s, a), world axes:
//   m d/h - p - before - B(d, a) = 0,   2/h (s J a + a x J a) - l - before - B(d, a) = 0,
// B the discrete forces' share at the start. Corrections are small rotations from the left.
#include "step/forced/forced_body.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense_lu.h"
#include "step/integrate/moser_veselov.h"
#include "step/method.h"

// Newton's error after a correction of relative size d is of the size d^2: below this it is less than a rounding.
static const double last_correction = 1e-9;
// Of a place, relative to its size.
static const double place_rounding = 1e-15;
// A correction is shortened by halves so often where the equations are not nearer to being solved after it.
enum { MOST_HALVINGS = 10 };

typedef struct iteration {
    crm_forced_body *forced;
    const crm_motion *from;
    crm_vec6 before; // given
    double h;
    carom_mat3 inertia;
    carom_vec3 displacement;
    carom_quat rotation;
    double residual[6], matrix[36];
    double relative; // residual, beyond roundings of places
    double merit;    // squares of the residual by inverse masses; INFINITY: no forces there
    double blur[2];  // what roundings of the place make of force and moment
} iteration;

carom_status crm_forced_body_create(const carom_model *model, crm_arena *arena, crm_forced_body *forced,
                                    carom_error *error) {
    *forced = (crm_forced_body){.body = &model->bodies.items[0]};
    return crm_discrete_forces_create(model, arena, &forced->forces, error);
}

static double share(double off, double blur, double size) {
    return off > blur ? (off - blur) / size : 0.0;
}

static void evaluate(iteration *it) {
    const crm_body *body = it->forced->body;
    crm_discrete_forces *forces = &it->forced->forces;
    crm_discrete_forces_place(forces, 0, it->displacement, it->rotation);
    it->merit = it->relative = INFINITY;
    if (!crm_discrete_forces_evaluate(forces)) return;
    crm_vec6 own = crm_discrete_forces_before(forces, 0);
    crm_vec6 kinetic = crm_vec6_of(forces->middle[0].p, forces->middle[0].l);
    crm_vec6 taken = crm_vec6_add(crm_vec6_of(it->from->p, it->from->l), it->before);
    crm_vec6 off = crm_vec6_sub(crm_vec6_sub(kinetic, taken), own);
    const double r[6] = {off.linear.x, off.linear.y, off.linear.z, off.angular.x, off.angular.y, off.angular.z};
    for (int k = 0; k < 6; k++) it->residual[k] = crm_kind_admits(body->kind, k) ? r[k] : 0.0;
    crm_vec6 projected = crm_wrench_projected(body->kind, off);
    double linear = crm_length(projected.linear), angular = crm_length(projected.angular);
    double force = crm_length(kinetic.linear) + crm_length(taken.linear) + crm_length(own.linear);
    double moment = crm_length(kinetic.angular) + crm_length(taken.angular) + crm_length(own.angular);
    it->relative = fmax(share(linear, it->blur[0], force), share(angular, it->blur[1], moment));
    it->merit = body->inverse_mass * linear * linear + crm_max_component(body->inverse_inertia) * angular * angular;
    if (!isfinite(it->merit)) it->merit = it->relative = INFINITY;
}

static void add_to_matrix(iteration *it, int first, carom_mat3 m) {
    const carom_vec3 columns[3] = {m.x, m.y, m.z};
    for (int j = 0; j < 3; j++) {
        double *out = it->matrix + first + 6 * (first + j);
        out[0] += columns[j].x, out[1] += columns[j].y, out[2] += columns[j].z;
    }
}

static void differentiate(iteration *it) {
    const crm_body *body = it->forced->body;
    crm_discrete_forces_differentiate(&it->forced->forces);
    const double *forces = crm_discrete_forces_block(&it->forced->forces, 0);
    double place = crm_length(it->from->x), sums[2] = {0.0, 0.0};
    for (int k = 0; k < 36; k++) {
        it->matrix[k] = -forces[k];
        if (k < 18) sums[k % 6 / 3] += fabs(forces[k]);
    }
    for (int i = 0; i < 2; i++) it->blur[i] = place_rounding * place * sums[i];
    add_to_matrix(it, 0, crm_mat3_scale(body->mass / it->h, crm_mat3_identity()));
    add_to_matrix(it, 3, crm_kinetic_slope(it->inertia, it->rotation, it->h));
    for (int k = 0; k < 6; k++) {
        if (crm_kind_admits(body->kind, k)) continue;
        for (int j = 0; j < 6; j++) it->matrix[k + 6 * j] = j == k ? 1.0 : 0.0;
    }
}

// Less a share of the correction. False: the body rotates too far.
static bool go(iteration *it, const iteration *start, const double *correction, double part) {
    carom_vec3 rotate = crm_scale(-0.5 * part, crm_vec3(correction[3], correction[4], correction[5]));
    carom_quat small = crm_quat_normalised((carom_quat){1.0, rotate.x, rotate.y, rotate.z});
    it->displacement = crm_madd(start->displacement, -part, crm_vec3(correction[0], correction[1], correction[2]));
    it->rotation = crm_quat_normalised(crm_quat_mul(small, start->rotation));
    carom_vec3 a = crm_quat_vector(it->rotation);
    return it->rotation.w > 0.0 && crm_length(a) <= CRM_LARGEST_HALF_ROTATION;
}

// One correction. *last: it was small against what it corrected. False: none leads nearer.
static bool correct(iteration *it, double tolerance, bool *last) {
    double correction[6];
    int pivots[6];
    differentiate(it);
    memcpy(correction, it->residual, sizeof correction);
    crm_lu_factor(6, it->matrix, 6, pivots);
    crm_lu_solve(6, it->matrix, 6, pivots, 1, correction, 6);
    const iteration start = *it;
    double part = 1.0;
    for (int halving = 0; halving <= MOST_HALVINGS; halving++, part *= 0.5) {
        it->forced->too_far = !go(it, &start, correction, part);
        if (it->forced->too_far) continue;
        evaluate(it);
        if (!(it->merit < start.merit) && !(it->relative <= tolerance)) continue;
        double moved = crm_length(crm_vec3(correction[0], correction[1], correction[2]));
        double rotated = 0.5 * crm_length(crm_vec3(correction[3], correction[4], correction[5]));
        *last = halving == 0 && moved <= last_correction * crm_length(it->displacement) &&
                rotated <= last_correction * crm_length(crm_quat_vector(it->rotation));
        return true;
    }
    return false;
}

// The motion that goes on as it is, within what can be.
static void guess(iteration *it) {
    const crm_body *body = it->forced->body;
    crm_motion at = *it->from;
    at.p = crm_add(at.p, it->before.linear);
    at.l = crm_add(at.l, it->before.angular);
    carom_vec3 a = crm_scale(0.5 * it->h, crm_motion_spin(body, &at));
    double size = crm_length(a), most = 0.9 * CRM_LARGEST_HALF_ROTATION;
    if (body->kind == CAROM_BODY_POINT) a = crm_vec3_zero();
    if (size > most) a = crm_scale(most / size, a);
    it->displacement = crm_scale(it->h, crm_motion_velocity(body, &at));
    it->rotation = (carom_quat){sqrt(1.0 - crm_length_squared(a)), a.x, a.y, a.z};
}

static bool solve(iteration *it, const carom_method_def *method, crm_isolated_report *report) {
    guess(it);
    evaluate(it);
    for (bool last = false; !last;) {
        double before = it->relative;
        report->residual = it->relative;
        if (report->iterations == method->iteration_limit || !isfinite(it->merit)) return false;
        if (!correct(it, method->tolerance, &last)) return it->relative <= method->tolerance;
        report->iterations++;
        report->residual = it->relative;
        // Derivatives by differences are good to some digits only; and of what stands still corrections are roundings.
        if (it->relative > method->tolerance) last = last && it->relative >= 0.5 * before;
        if (it->relative <= method->tolerance && it->relative >= 0.5 * before) last = true;
    }
    return true;
}

bool crm_forced_body_step(crm_forced_body *forced, const crm_motion *from, crm_vec6 before, crm_vec6 after, double time,
                          double h, const carom_method_def *method, crm_motion *to, crm_isolated_report *report) {
    const crm_body *body = forced->body;
    const crm_motion start = *from;
    iteration it = {
        .forced = forced, .from = &start, .before = before, .h = h, .inertia = crm_body_inertia(body, from->q)};
    *report = (crm_isolated_report){0};
    forced->too_far = false;
    crm_discrete_forces_begin(&forced->forces, &start, time, h);
    if (!solve(&it, method, report)) return false;
    forced->before = crm_discrete_forces_before(&forced->forces, 0);
    forced->after = crm_discrete_forces_after(&forced->forces, 0);
    crm_vec6 all = crm_vec6_add(crm_vec6_add(before, after), crm_vec6_add(forced->before, forced->after));
    to->x = crm_add(start.x, it.displacement);
    carom_vec3 a = crm_quat_vector(it.rotation);
    to->q = body->kind == CAROM_BODY_POINT ? start.q : crm_isolated_rotated(start.q, it.rotation.w, a);
    to->p = crm_add(start.p, all.linear);
    to->l = crm_add(start.l, all.angular);
    return true;
}

void crm_forced_body_refuse(const crm_forced_body *forced, const carom_method_def *method,
                            const crm_isolated_report *last, carom_step_report *report) {
    const carom_model *model = forced->forces.model;
    double time = forced->forces.time;
    if (forced->forces.answer.body >= 0)
        crm_discrete_forces_refuse(&forced->forces, report);
    else if (forced->too_far)
        crm_step_impossible(model, 0, report,
                            "would rotate by more than 90 degrees in the step after t = %g s; make method.step of %g s "
                            "smaller",
                            time, method->step);
    else
        crm_step_impossible(model, 0, report,
                            "and the forces on it have no step after t = %g s: Newton's method ended at a residual of "
                            "%.1e after %d iterations; make method.step of %g s smaller",
                            time, last->residual, last->iterations, method->step);
}

// SPDX-License-Identifier: MIT
// Which powers of the step the errors have:
//
// variational  The discrete Lagrangian does not change when its two arguments are exchanged and the step changes its
//              sign. So the map of (configuration, momentum) over one step is its own adjoint, and the error at a fixed
//              time has even powers of the step only: power 2. Velocities and energies are smooth functions of both.
// euler        A one-step method of order 1 whose increment is smooth in state and step: all powers, power 1. The
//              half-acceleration term makes the local error of the position of third order, but the velocity it is
//              made from has one of second order: no power drops out.
// multiplier,  With dp54 the error follows the tolerances, not the step: runs with tolerances a hundred times smaller
// reduced,     each are compared. The difference of two runs is the error of the former; the latter's is smaller by as
// impulse      much as the last difference is smaller than the one before it. Power 0. `impulse` finds its events, so
//              that these runs see smooth motions only.
#include "verify/trajectory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "math/so3.h"
#include "verify/extrapolate.h"

// How a sample is laid out: the states of the bodies, angles and rates of hinges, energy, momentum.
enum {
    BODY_NUMBERS = 13,
    ATTITUDE_AT = 3,
    JOINT_NUMBERS = 2,
    OTHER_NUMBERS = 7,
    FIRST_STEPS = 4,
    MOST_STEPS = 1 << 16
};
static_assert(sizeof(carom_body_state) == BODY_NUMBERS * sizeof(double), "a body's state is 13 numbers");
static_assert(offsetof(carom_body_state, attitude) == ATTITUDE_AT * sizeof(double), "an attitude follows a position");
static_assert(sizeof(carom_momentum) == 6 * sizeof(double), "momenta are 6 numbers");

// Runs go on until this share of the tolerance is met.
static const double good_enough = 0.01;

static const double full_rotation = 6.283185307179586; // rad

// Of methods that control their error: relative, below the last one steps are made by rounding.
enum { TOLERANCES = 4 };
static const int most_substeps = 1000000; // of an interval between samples
static const double tolerances[TOLERANCES] = {1e-8, 1e-10, 1e-12, 1e-14};

static int sample_numbers(const crm_trajectory *t) {
    return BODY_NUMBERS * carom_model_body_count(t->model) + JOINT_NUMBERS * carom_model_joint_count(t->model) +
           OTHER_NUMBERS;
}

static void keep_sample(const carom_state *state, double *values) {
    int bodies = carom_model_body_count(carom_state_model(state));
    for (int b = 0; b < bodies; b++) {
        carom_body_state body;
        if (carom_state_get_body(state, (carom_body){b}, &body, NULL) != CAROM_OK) continue;
        memcpy(values + (ptrdiff_t)BODY_NUMBERS * b, &body, sizeof body);
    }
    carom_energy energy = carom_state_energy(state);
    carom_momentum momentum = carom_state_momentum(state);
    double *others = values + (ptrdiff_t)BODY_NUMBERS * bodies;
    for (int j = 0; j < carom_model_joint_count(carom_state_model(state)); j++, others += JOINT_NUMBERS) {
        carom_joint_def def;
        carom_joint_state joint;
        others[0] = others[1] = 0.0;
        // No other coordinate is asked for, and rotation vectors jump half a rotation from zero.
        if (carom_model_get_joint(carom_state_model(state), (carom_joint){j}, &def, NULL) != CAROM_OK ||
            def.kind != CAROM_JOINT_HINGE || carom_state_get_joint(state, (carom_joint){j}, &joint, NULL) != CAROM_OK)
            continue;
        others[0] = joint.coordinate[0];
        others[1] = joint.rate[0];
    }
    others[0] = energy.kinetic + energy.potential;
    memcpy(others + 1, &momentum, sizeof momentum);
}

// Steps through one interval of `length` from the state in `values`, or from the initial one, and puts the new state
// there. False, with t->obstacle, when a step is impossible or breaks its contract.
static bool run_interval(crm_trajectory *t, bool first, double length, int steps, double *values, carom_status *status,
                         carom_error *error) {
    carom_method_def def = carom_method_def_default();
    def.method = t->method;
    if (t->relative_tolerance > 0.0) {
        def.relative_tolerance = t->relative_tolerance;
        def.absolute_tolerance = t->relative_tolerance;
        def.substep_limit = most_substeps;
    }
    if (length > 0.0) def.step = length / steps;
    carom_state *state;
    *status = carom_state_create(t->model, &def, &state, error);
    if (*status != CAROM_OK) return false;
    for (int b = 0; !first && *status == CAROM_OK && b < carom_model_body_count(t->model); b++) {
        carom_body_state body;
        memcpy(&body, values + (ptrdiff_t)BODY_NUMBERS * b, sizeof body);
        *status = carom_state_set_body(state, (carom_body){b}, &body, error);
    }
    bool good = *status == CAROM_OK;
    for (int i = 0; good && length > 0.0 && i < steps; i++) {
        carom_step_report report;
        *status = carom_step(t->model, state, NULL, &report, error);
        good = *status == CAROM_OK && report.outcome == CAROM_STEP_GOOD;
        if (*status == CAROM_OK && !good) snprintf(t->obstacle, sizeof t->obstacle, "%s", report.text);
        // A step in substeps has the error of shorter ones, which is in no series with those of the others.
        if (!good || t->power == 0 || report.substeps <= 1) continue;
        good = false;
        snprintf(t->obstacle, sizeof t->obstacle, "a step of %g s has to be made in %d substeps", def.step,
                 report.substeps);
    }
    if (good) keep_sample(state, values);
    carom_state_destroy(state);
    return good;
}

static bool run(crm_trajectory *t, int steps, double *values, carom_status *status, carom_error *error) {
    ptrdiff_t numbers = sample_numbers(t);
    double *sample = values;
    for (int i = 0; i < t->sample_count; i++, sample += numbers) {
        if (i > 0) memcpy(sample, sample - numbers, (size_t)numbers * sizeof *sample);
        double length = i > 0 ? t->time[i] - t->time[i - 1] : t->time[i];
        if (!run_interval(t, i == 0, length, steps, sample, status, error)) return false;
    }
    return true;
}

// ---- differences of runs

static carom_quat attitude_at(const double *body) {
    carom_quat attitude;
    memcpy(&attitude, body + ATTITUDE_AT, sizeof attitude);
    return attitude;
}

// What is compared and extrapolated are differences to the finest run: of attitudes the rotation vector from one to the
// other, of angles what is left without full rotations, so that neither the sign of a quaternion nor a rotation more or
// less counts.
static void subtract(const crm_trajectory *t, const double *run, const double *finest, double *difference) {
    int bodies = carom_model_body_count(t->model), joints = carom_model_joint_count(t->model);
    for (int sample = 0; sample < t->sample_count; sample++) {
        ptrdiff_t at = (ptrdiff_t)sample * sample_numbers(t), end = at + sample_numbers(t);
        for (ptrdiff_t i = at; i < end; i++) difference[i] = run[i] - finest[i];
        for (int b = 0; b < bodies; b++, at += BODY_NUMBERS) {
            carom_quat own = attitude_at(run + at), other = attitude_at(finest + at);
            carom_vec3 rotation = crm_so3_log(crm_quat_mul(own, crm_quat_conjugate(other)));
            const double vector[4] = {0.0, rotation.x, rotation.y, rotation.z};
            memcpy(difference + at + ATTITUDE_AT, vector, sizeof vector);
        }
        for (int j = 0; j < joints; j++, at += JOINT_NUMBERS) difference[at] = remainder(difference[at], full_rotation);
    }
}

static void add(const crm_trajectory *t, const double *finest, const double *difference, double *values) {
    int bodies = carom_model_body_count(t->model);
    for (int sample = 0; sample < t->sample_count; sample++) {
        ptrdiff_t at = (ptrdiff_t)sample * sample_numbers(t), end = at + sample_numbers(t);
        for (ptrdiff_t i = at; i < end; i++) values[i] = finest[i] + difference[i];
        for (int b = 0; b < bodies; b++, at += BODY_NUMBERS) {
            carom_vec3 rotation = crm_quat_vector(attitude_at(difference + at));
            carom_quat attitude = crm_quat_mul(crm_so3_exp(rotation), attitude_at(finest + at));
            memcpy(values + at + ATTITUDE_AT, &attitude, sizeof attitude);
        }
    }
}

// ---- smaller tolerances

// `difference` is room for the numbers of a run.
static double largest_difference(const crm_trajectory *t, const double *run, const double *finer, double *difference) {
    double largest = 0.0;
    ptrdiff_t count = (ptrdiff_t)t->sample_count * sample_numbers(t);
    subtract(t, run, finer, difference);
    for (ptrdiff_t i = 0; i < count; i++)
        if (!(fabs(difference[i]) <= largest)) largest = fabs(difference[i]); // NaN stays
    return largest;
}

// Runs with smaller and smaller tolerances until the last one is good enough.
static carom_status find_by_tolerances(crm_trajectory *t, crm_arena *arena, carom_error *error) {
    ptrdiff_t count = (ptrdiff_t)t->sample_count * sample_numbers(t);
    double *last = CRM_ARENA_ARRAY(arena, double, count), *values = CRM_ARENA_ARRAY(arena, double, count);
    double *room = CRM_ARENA_ARRAY(arena, double, count);
    if (last == NULL || values == NULL || room == NULL)
        return crm_fail_memory(error, "samples", (size_t)count * sizeof *values);
    carom_status status = CAROM_OK;
    double before = INFINITY;
    t->estimate = INFINITY;
    for (int i = 0; i < TOLERANCES; i++) {
        t->relative_tolerance = tolerances[i];
        if (!run(t, 1, values, &status, error)) return status;
        t->values = values;
        if (i > 0) {
            double difference = largest_difference(t, last, values, room);
            double shrinks = isfinite(before) && before > 0.0 ? fmin(1.0, difference / before) : 1.0;
            t->estimate = difference * shrinks;
            before = difference;
        }
        if (t->estimate <= good_enough * t->tolerance) return CAROM_OK;
        double *spare = last;
        last = values;
        values = spare;
    }
    if (!(t->estimate <= t->tolerance))
        snprintf(t->obstacle, sizeof t->obstacle, "the run with a tolerance of %.0e has an error of about %.1e",
                 t->relative_tolerance, t->estimate);
    return CAROM_OK;
}

// ---- extrapolation

typedef struct levels {
    double *run[CRM_MOST_LEVELS];        // as they came
    double *difference[CRM_MOST_LEVELS]; // to the finest, and from there on the extrapolation's
    double *values;                      // the limit
    ptrdiff_t count;                     // of numbers in each
} levels;

static carom_status make_room(levels *l, int level, crm_arena *arena, carom_error *error) {
    if (level == 0) l->values = CRM_ARENA_ARRAY(arena, double, l->count);
    l->run[level] = CRM_ARENA_ARRAY(arena, double, l->count);
    l->difference[level] = CRM_ARENA_ARRAY(arena, double, l->count);
    if (l->values != NULL && l->run[level] != NULL && l->difference[level] != NULL) return CAROM_OK;
    return crm_fail_memory(error, "samples", (size_t)l->count * sizeof *l->values);
}

static void extrapolate(crm_trajectory *t, levels *l, int finest) {
    crm_extrapolation extrapolation = {.power = t->power, .count = (int)l->count};
    for (int k = 0; k <= finest; k++) {
        subtract(t, l->run[k], l->run[finest], l->difference[k]);
        extrapolation.table[k] = l->difference[k];
        t->estimate = crm_extrapolation_advance(&extrapolation);
    }
    add(t, l->run[finest], l->difference[finest], l->values);
    t->values = l->values;
}

carom_status crm_trajectory_find(crm_trajectory *t, crm_arena *arena, carom_error *error) {
    if (t->power == 0) return find_by_tolerances(t, arena, error);
    levels l = {.count = (ptrdiff_t)t->sample_count * sample_numbers(t)};
    int level = 0;
    t->estimate = INFINITY;
    carom_status status = CAROM_OK;
    for (int steps = FIRST_STEPS; steps <= MOST_STEPS && level < CRM_MOST_LEVELS; steps *= 2) {
        if (make_room(&l, level, arena, error) != CAROM_OK) return CAROM_ERR_NO_MEMORY;
        t->obstacle[0] = '\0';
        if (!run(t, steps, l.run[level], &status, error)) {
            if (status != CAROM_OK) return status;
            // A first step that is too large is no fault: begin with a smaller one.
            if (level == 0) continue;
            return CAROM_OK;
        }
        double before = t->estimate;
        extrapolate(t, &l, level++);
        // The estimate is of the row before the last, and shrinks faster with every row. Roundings grow with the number
        // of steps: none is made that need not be.
        double next = isfinite(before) ? t->estimate * (t->estimate / before) : INFINITY;
        if (t->estimate <= t->tolerance && next <= good_enough * t->tolerance) return CAROM_OK;
    }
    if (t->obstacle[0] == '\0' && !(t->estimate <= t->tolerance))
        snprintf(t->obstacle, sizeof t->obstacle, "extrapolation over %d halvings of the step ends at an error of %.1e",
                 level, t->estimate);
    return CAROM_OK;
}

// ---- what was found

carom_body_state crm_trajectory_body(const crm_trajectory *t, int sample, int body) {
    carom_body_state state;
    const double *values = t->values + (ptrdiff_t)sample * sample_numbers(t);
    memcpy(&state, values + (ptrdiff_t)BODY_NUMBERS * body, sizeof state);
    return state;
}

void crm_trajectory_hinge(const crm_trajectory *t, int sample, int joint, double *angle, double *rate) {
    const double *values = t->values + (ptrdiff_t)sample * sample_numbers(t) +
                           (ptrdiff_t)BODY_NUMBERS * carom_model_body_count(t->model) +
                           (ptrdiff_t)JOINT_NUMBERS * joint;
    *angle = values[0];
    *rate = values[1];
}

double crm_trajectory_energy(const crm_trajectory *t, int sample) {
    return t->values[(ptrdiff_t)(sample + 1) * sample_numbers(t) - OTHER_NUMBERS];
}

carom_momentum crm_trajectory_momentum(const crm_trajectory *t, int sample) {
    carom_momentum momentum;
    memcpy(&momentum, t->values + (ptrdiff_t)(sample + 1) * sample_numbers(t) - OTHER_NUMBERS + 1, sizeof momentum);
    return momentum;
}

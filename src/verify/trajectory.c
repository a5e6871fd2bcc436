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
// reduced      each are compared, and the difference to the last but one is the estimate. Power 0.
#include "verify/trajectory.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "verify/extrapolate.h"

// How a sample is laid out: the states of the bodies, angles and rates of joints, energy, momentum.
enum { BODY_NUMBERS = 13, JOINT_NUMBERS = 2, OTHER_NUMBERS = 7, FIRST_STEPS = 4, MOST_STEPS = 1 << 16 };
static_assert(sizeof(carom_body_state) == BODY_NUMBERS * sizeof(double), "a body's state is 13 numbers");
static_assert(sizeof(carom_momentum) == 6 * sizeof(double), "momenta are 6 numbers");

// The estimate is of the row before the last: once it is this share of the tolerance, the result is far better.
static const double good_enough = 0.01;

// Of methods that control their error.
static const double first_tolerance = 1e-8, last_tolerance = 1e-15;

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
        carom_joint_state joint;
        if (carom_state_get_joint(state, (carom_joint){j}, &joint, NULL) != CAROM_OK) continue;
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

// Runs with smaller and smaller tolerances until two of them agree.
static carom_status find_by_tolerances(crm_trajectory *t, crm_arena *arena, carom_error *error) {
    ptrdiff_t count = (ptrdiff_t)t->sample_count * sample_numbers(t);
    double *last = CRM_ARENA_ARRAY(arena, double, count), *values = CRM_ARENA_ARRAY(arena, double, count);
    if (last == NULL || values == NULL) return crm_fail_memory(error, "samples", (size_t)count * sizeof *values);
    carom_status status = CAROM_OK;
    bool first = true;
    for (t->relative_tolerance = first_tolerance; t->relative_tolerance >= last_tolerance;
         t->relative_tolerance *= 0.01, first = false) {
        if (!run(t, 1, values, &status, error)) return status;
        t->estimate = first ? INFINITY : 0.0;
        for (ptrdiff_t i = 0; i < count && !first; i++) t->estimate = fmax(t->estimate, fabs(values[i] - last[i]));
        t->values = values;
        if (t->estimate <= good_enough * t->tolerance) return CAROM_OK;
        double *spare = last;
        last = values;
        values = spare;
    }
    if (!(t->estimate <= t->tolerance))
        snprintf(t->obstacle, sizeof t->obstacle, "runs with tolerances down to %.0e differ by %.1e", last_tolerance,
                 t->estimate);
    return CAROM_OK;
}

carom_status crm_trajectory_find(crm_trajectory *t, crm_arena *arena, carom_error *error) {
    if (t->power == 0) return find_by_tolerances(t, arena, error);
    ptrdiff_t count = (ptrdiff_t)t->sample_count * sample_numbers(t);
    crm_extrapolation extrapolation = {.power = t->power, .count = (int)count};
    t->estimate = INFINITY;
    carom_status status = CAROM_OK;
    for (int steps = FIRST_STEPS; steps <= MOST_STEPS && extrapolation.levels < CRM_MOST_LEVELS; steps *= 2) {
        double *values = CRM_ARENA_ARRAY(arena, double, count);
        if (values == NULL) return crm_fail_memory(error, "samples", (size_t)count * sizeof *values);
        extrapolation.table[extrapolation.levels] = values;
        t->obstacle[0] = '\0';
        if (!run(t, steps, values, &status, error)) {
            if (status != CAROM_OK) return status;
            // A first step that is too large is no fault: begin with a smaller one.
            if (extrapolation.levels == 0) continue;
            return CAROM_OK;
        }
        t->estimate = crm_extrapolation_advance(&extrapolation);
        t->values = values;
        if (t->estimate <= good_enough * t->tolerance) return CAROM_OK;
    }
    if (t->obstacle[0] == '\0' && !(t->estimate <= t->tolerance))
        snprintf(t->obstacle, sizeof t->obstacle, "extrapolation over %d halvings of the step ends at an error of %.1e",
                 extrapolation.levels, t->estimate);
    return CAROM_OK;
}

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

// SPDX-License-Identifier: MIT
// Integrators on small problems with attitudes: orders, tolerances, events, and where they give up.
#include "step/integrate/integrator.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "support/harness/check.h"

// A free top: one attitude, the angular momentum L in body axes as velocity, time as a position, its square as a sum.
typedef struct top {
    carom_vec3 moments;
    int evaluations;
    double refuse_after; // s: asks for smaller steps beyond it
    // Events of the test below: time since the last one.
    double event_time[8];
    int event_count;
} top;

static crm_answer top_rate(void *context, double time, const double *y, double *rate) {
    top *t = context;
    t->evaluations++;
    if (time > t->refuse_after) return CRM_ANSWER_SMALLER;
    carom_quat q;
    memcpy(&q, y, sizeof q);
    carom_vec3 l = crm_vec3(y[5], y[6], y[7]);
    carom_vec3 w = crm_vec3(l.x / t->moments.x, l.y / t->moments.y, l.z / t->moments.z);
    carom_vec3 spin = crm_quat_rotate(q, w), l_rate = crm_cross(l, w);
    const double all[8] = {spin.x, spin.y, spin.z, 1.0, l_rate.x, l_rate.y, l_rate.z, 2.0 * y[4]};
    memcpy(rate, all, sizeof all);
    return CRM_ANSWER_GOOD;
}

static void top_drift(void *context, const double *y, double *rate) {
    double all[8];
    top_rate(context, -INFINITY, y, all);
    memcpy(rate, all, 4 * sizeof *all);
}

static const crm_error_block error_blocks[] = {{1, 1.0, 0.0}, {3, 1.0, 0.0}};

static crm_ivp top_problem(top *t) {
    return (crm_ivp){.rotation_count = 1,
                     .position_count = 1,
                     .velocity_count = 3,
                     .sum_count = 1,
                     .error_block_count = 2,
                     .error_block = error_blocks,
                     .context = t,
                     .rate = top_rate,
                     .drift = top_drift};
}

enum { SIZE = 9 };
static const double start[SIZE] = {0.8, 0.0, 0.6, 0.0, 0.0, 1.0, -1.4, 3.5, 0.0};

typedef struct outcome {
    double y[SIZE];
    crm_integration last;
    double substep;
    int evaluations;
} outcome;

static outcome integrate(const crm_ivp *problem, const carom_method_def *def, double length, int steps,
                         const double *from) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_integrator integrator;
    outcome out = {.substep = 0.0};
    memcpy(out.y, from, sizeof out.y);
    int before = ((top *)problem->context)->evaluations;
    if (CHECK_INT(crm_integrator_create(problem, def, &arena, &integrator, NULL), CAROM_OK)) {
        for (int i = 0; i < steps; i++) {
            out.last = crm_integrate(&integrator, i * length / steps, length / steps, &out.substep, out.y);
            if (out.last.end != CRM_INTEGRATION_GOOD) break;
        }
    }
    crm_arena_free(&arena);
    out.evaluations = ((top *)problem->context)->evaluations - before;
    return out;
}

static double attitude_gap(const outcome *a, const outcome *b) {
    carom_quat p, q;
    memcpy(&p, a->y, sizeof p);
    memcpy(&q, b->y, sizeof q);
    return crm_quat_angle(p, q);
}

static carom_method_def with(carom_integrator integrator, double tolerance) {
    carom_method_def def = carom_method_def_default();
    def.integrator = integrator;
    def.relative_tolerance = def.absolute_tolerance = tolerance;
    return def;
}

static const top asymmetric = {.moments = {1.0, 2.0, 2.5}, .refuse_after = INFINITY};

// log2 of the ratio of two errors of halved steps: the order, up to terms of the next.
TEST(attitudes_keep_the_order_of_the_integrator) {
    static const struct {
        carom_integrator integrator;
        int steps;
        double order, slack;
    } methods[] = {{CAROM_INTEGRATOR_EULER, 4000, 1.0, 0.05}, {CAROM_INTEGRATOR_RK4, 100, 4.0, 0.1}};
    top t = asymmetric;
    crm_ivp problem = top_problem(&t);
    carom_method_def precise = with(CAROM_INTEGRATOR_DP54, 1e-14);
    outcome exact = integrate(&problem, &precise, 4.0, 4, start);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        carom_method_def def = with(methods[i].integrator, 1e-3);
        outcome coarse = integrate(&problem, &def, 4.0, methods[i].steps, start);
        outcome fine = integrate(&problem, &def, 4.0, 2 * methods[i].steps, start);
        double order = log2(attitude_gap(&coarse, &exact) / attitude_gap(&fine, &exact));
        CHECK_NEAR(order, methods[i].order, methods[i].slack);
        double l_order = log2(fabs(coarse.y[6] - exact.y[6]) / fabs(fine.y[6] - exact.y[6]));
        CHECK_NEAR(l_order, methods[i].order, methods[i].slack);
    }
}

// L in the world is kept by the exact motion, whatever the tolerance made of the attitude alone.
TEST(dp54_keeps_its_tolerances) {
    top t = asymmetric;
    crm_ivp problem = top_problem(&t);
    carom_method_def precise = with(CAROM_INTEGRATOR_DP54, 1e-14);
    outcome exact = integrate(&problem, &precise, 4.0, 1, start);
    carom_quat q0, q1;
    memcpy(&q0, start, sizeof q0);
    memcpy(&q1, exact.y, sizeof q1);
    carom_vec3 l0 = crm_quat_rotate(q0, crm_vec3(start[5], start[6], start[7]));
    carom_vec3 l1 = crm_quat_rotate(q1, crm_vec3(exact.y[5], exact.y[6], exact.y[7]));
    CHECK_NEAR(crm_length(crm_sub(l1, l0)), 0.0, 1e-11);
    CHECK_NEAR(exact.y[8], 16.0, 1e-12); // the sum: the integral of 2 t
    int last = 0;
    for (double tolerance = 1e-5; tolerance > 1e-12; tolerance *= 0.1) {
        carom_method_def def = with(CAROM_INTEGRATOR_DP54, tolerance);
        outcome run = integrate(&problem, &def, 4.0, 1, start);
        // Errors of some tens of substeps add up; this top is not sensitive.
        CHECK(attitude_gap(&run, &exact) < 200.0 * tolerance);
        CHECK(run.evaluations > last);
        // Ten times smaller errors of order 5: 1.58 times the work.
        if (last > 0) CHECK(run.evaluations < 2.2 * last);
        last = run.evaluations;
    }
}

TEST(a_constant_spin_is_exact) {
    const double spinning[SIZE] = {1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0};
    for (int i = 0; i < CAROM_INTEGRATOR_COUNT; i++) {
        top t = asymmetric;
        crm_ivp problem = top_problem(&t);
        carom_method_def def = with((carom_integrator)i, 1e-6);
        outcome run = integrate(&problem, &def, 1.0, 1, spinning);
        CHECK_NEAR(run.y[0], cos(1.0), 1e-15);
        CHECK_NEAR(run.y[3], sin(1.0), 1e-15);
    }
}

// The rate at the end of a substep is that at the start of the next: 6 evaluations each, and one more.
TEST(dp54_evaluates_six_times_a_substep) {
    top t = asymmetric;
    crm_ivp problem = top_problem(&t);
    carom_method_def def = with(CAROM_INTEGRATOR_DP54, 1e-8);
    outcome run = integrate(&problem, &def, 4.0, 1, start);
    CHECK(run.last.substeps > 10);
    CHECK_INT(run.evaluations, 6 * (run.last.substeps + run.last.rejected) + 1);
    CHECK(run.substep > 0.0 && run.substep < 4.0);
}

// ---- events: at t = 0.3 and at every 0.7 s after it, known in closed form

static double clock_margin(void *context, double time, const double *y) {
    const top *t = context;
    (void)time;
    return (0.3 + 0.7 * t->event_count - y[4]) / 1e-12;
}

static crm_answer clock_event(void *context, double time, double *y) {
    top *t = context;
    if (y[4] > 0.29 + 0.7 * t->event_count && t->event_count < 8) t->event_time[t->event_count++] = time;
    return CRM_ANSWER_GOOD;
}

TEST(events_are_found_inside_a_step) {
    for (int i = 0; i < CAROM_INTEGRATOR_COUNT; i++) {
        top t = asymmetric;
        crm_ivp problem = top_problem(&t);
        problem.margin = clock_margin;
        problem.event = clock_event;
        carom_method_def def = with((carom_integrator)i, 1e-9);
        outcome run = integrate(&problem, &def, 2.0, 1, start);
        CHECK_INT(run.last.end, CRM_INTEGRATION_GOOD);
        CHECK_INT(run.last.events, 3);
        CHECK_INT(t.event_count, 3);
        for (int k = 0; k < t.event_count; k++) CHECK_NEAR(t.event_time[k], 0.3 + 0.7 * k, 2e-12);
        CHECK_NEAR(run.y[4], 2.0, 1e-14);
    }
}

static double always_passed(void *context, double time, const double *y) {
    (void)context, (void)time, (void)y;
    return -2.0;
}

static crm_answer nothing(void *context, double time, double *y) {
    (void)context, (void)time, (void)y;
    return CRM_ANSWER_GOOD;
}

// ---- giving up

TEST(what_cannot_be_done_is_said) {
    top t = asymmetric;
    crm_ivp problem = top_problem(&t);
    carom_step_report report = {.outcome = CAROM_STEP_GOOD};
    carom_method_def def = with(CAROM_INTEGRATOR_DP54, 1e-12);
    def.substep_limit = 10;
    outcome run = integrate(&problem, &def, 4.0, 1, start);
    CHECK_INT(run.last.end, CRM_INTEGRATION_SUBSTEPS);
    CHECK_INT(run.last.substeps + run.last.rejected, 10);
    crm_integration_report(&def, &run.last, &report);
    CHECK_INT(report.outcome, CAROM_STEP_IMPOSSIBLE);
    CHECK_CONTAINS(report.text, "needs more than 10 substeps");

    t.refuse_after = 1.0;
    def = with(CAROM_INTEGRATOR_DP54, 1e-9);
    run = integrate(&problem, &def, 4.0, 1, start);
    CHECK_INT(run.last.end, CRM_INTEGRATION_TOO_SMALL);
    CHECK_NEAR(run.last.reached, 1.0, 1e-12);
    crm_integration_report(&def, &run.last, &report);
    CHECK_CONTAINS(report.text, "no substep is small enough");
    def = with(CAROM_INTEGRATOR_RK4, 1e-9);
    run = integrate(&problem, &def, 4.0, 1, start);
    CHECK_INT(run.last.end, CRM_INTEGRATION_STOPPED);

    t = asymmetric;
    problem.margin = always_passed;
    problem.event = nothing;
    run = integrate(&problem, &def, 4.0, 1, start);
    CHECK_INT(run.last.end, CRM_INTEGRATION_MANY_EVENTS);
    crm_integration_report(&def, &run.last, &report);
    CHECK_CONTAINS(report.text, "met 1000 limits and motor changes");
}

TEST_MAIN(CASE(attitudes_keep_the_order_of_the_integrator), CASE(dp54_keeps_its_tolerances),
          CASE(a_constant_spin_is_exact), CASE(dp54_evaluates_six_times_a_substep),
          CASE(events_are_found_inside_a_step), CASE(what_cannot_be_done_is_said))

// SPDX-License-Identifier: MIT
// Mechanisms under `variational` against reference trajectories, extrapolated over halved steps, and the order of
// convergence on its own.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "reference/motion/oracle.h"
#include "support/harness/check.h"
#include "support/model/world.h"
#include "verify/extrapolate.h"

enum { MOST_BODIES = 5, BODY_NUMBERS = 13, NUMBERS = MOST_BODIES * BODY_NUMBERS };

static carom_vec3 unit(carom_vec3 v) {
    return crm_scale(1.0 / crm_length(v), v);
}

static carom_vec3 read_vec3(const json_t *object, const char *name) {
    double v[3] = {NAN, NAN, NAN};
    CHECK_INT(oracle_numbers(object, name, v, 3), 3);
    return crm_vec3(v[0], v[1], v[2]);
}

static carom_quat read_quat(const json_t *object, const char *name) {
    double v[4] = {NAN, NAN, NAN, NAN};
    CHECK_INT(oracle_numbers(object, name, v, 4), 4);
    return (carom_quat){v[0], v[1], v[2], v[3]};
}

// The moments of a body. Those of the double pendulums are no body's, one is larger than the sum of the other two; but
// all their hinges are parallel, and then only the moment about the common axis counts: that of a ball does.
static carom_vec3 moments_of(const json_t *body, bool parallel) {
    double m[9];
    CHECK_INT(oracle_numbers(body, "inertia_body", m, 9), 9);
    carom_vec3 moments = crm_vec3(m[0], m[4], m[8]);
    if (!parallel) return moments;
    carom_vec3 axis = unit(read_vec3(body, "axis_in_parent"));
    double about = crm_dot(axis, crm_vec3_mul(moments, axis));
    return crm_vec3(about, about, about);
}

static void add_joint(carom_model *model, const json_t *body, int index) {
    const char *kind = oracle_text(body, "joint");
    if (strcmp(kind, "free") == 0) return;
    carom_joint_def def = carom_joint_def_default();
    bool hinge = strcmp(kind, "revolute") == 0;
    def.kind = hinge ? CAROM_JOINT_HINGE : CAROM_JOINT_BALL;
    def.a = (carom_body){(int)oracle_number(body, "parent")};
    def.b = (carom_body){index};
    def.point_a = read_vec3(body, "joint_in_parent");
    def.point_b = read_vec3(body, "joint_in_child");
    if (hinge) { // the axis in the child follows from the attitudes at the start
        carom_vec3 axis = unit(read_vec3(body, "axis_in_parent"));
        carom_quat parent = crm_quat_identity();
        carom_body_def other;
        if (def.a.index >= 0) {
            CHECK_INT(carom_model_get_body(model, def.a, &other, NULL), CAROM_OK);
            parent = other.attitude;
        }
        carom_vec3 in_child = crm_quat_rotate_inverse(read_quat(body, "q"), crm_quat_rotate(parent, axis));
        def.attitude_a = crm_quat_between(crm_vec3(0.0, 0.0, 1.0), axis);
        def.attitude_b = crm_quat_between(crm_vec3(0.0, 0.0, 1.0), unit(in_child));
    }
    carom_error error = {.text = ""};
    if (carom_model_add_joint(model, &def, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
}

static carom_model *build(const json_t *input) {
    carom_model *model = world_model(read_vec3(input, "gravity"), 0.0);
    const json_t *bodies = json_object_get(input, "bodies");
    bool parallel = strcmp(oracle_text(input, "system"), "double_pendulum_revolute") == 0;
    for (int b = 0; b < (int)json_array_size(bodies); b++) {
        const json_t *body = json_array_get(bodies, (size_t)b);
        carom_body_def def = world_body_def(oracle_number(body, "mass"), moments_of(body, parallel));
        def.position = read_vec3(body, "x");
        def.attitude = read_quat(body, "q");
        def.velocity = read_vec3(body, "v");
        def.spin = read_vec3(body, "w");
        world_add(model, &def);
        add_joint(model, body, b);
    }
    return model;
}

// The states of all bodies at the end of a run in `steps` steps.
static void run(const carom_model *model, double time, int steps, double *numbers) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_VARIATIONAL;
    def.step = time / steps;
    carom_state *state;
    carom_error error = {.text = ""};
    if (!CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_OK)) return;
    for (int i = 0; i < steps; i++) {
        carom_step_report report = world_run(state, 1);
        CHECK_INT(report.substeps, 1);
    }
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_state body = world_body(state, b);
        memcpy(numbers + BODY_NUMBERS * b, &body, sizeof body);
    }
    carom_state_destroy(state);
}

static double sample_error(const json_t *sample, const double *numbers) {
    const json_t *bodies = json_object_get(sample, "bodies");
    double worst = 0.0;
    for (int b = 0; b < (int)json_array_size(bodies); b++) {
        const json_t *wanted = json_array_get(bodies, (size_t)b);
        carom_body_state got;
        memcpy(&got, numbers + BODY_NUMBERS * b, sizeof got);
        carom_quat q = crm_quat_same_side(got.attitude, read_quat(wanted, "q"));
        const double attitude[4] = {q.w, q.x, q.y, q.z};
        worst = fmax(worst, oracle_gap(wanted, "x", &got.position.x, 3));
        worst = fmax(worst, oracle_gap(wanted, "v", &got.velocity.x, 3));
        worst = fmax(worst, oracle_gap(wanted, "w", &got.spin.x, 3));
        worst = fmax(worst, oracle_gap(wanted, "q", attitude, 4));
    }
    return worst;
}

// The last sample, from runs with 400, 800 ... steps a second and even powers of the step.
static void check_case(const oracle_case *c, double tolerance) {
    enum { LEVELS = 6 };
    carom_model *model = build(c->input);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    const json_t *samples = json_object_get(c->expected, "samples");
    const json_t *last = json_array_get(samples, json_array_size(samples) - 1);
    double time = oracle_number(last, "t");
    static double table[LEVELS][NUMBERS];
    crm_extrapolation extrapolation = {.power = 2, .count = BODY_NUMBERS * carom_model_body_count(model)};
    int steps = (int)ceil(400.0 * time);
    double plain[2] = {0.0, 0.0};
    for (int level = 0; level < LEVELS; level++) {
        extrapolation.table[level] = table[level];
        run(model, time, steps << level, table[level]);
        if (level < 2) plain[level] = sample_error(last, table[level]);
        crm_extrapolation_advance(&extrapolation);
    }
    double error = sample_error(last, table[LEVELS - 1]);
    if (!CHECK(error <= tolerance)) CHECK_TEXT(c->id, "");
    CHECK_NEAR(error, 0.0, tolerance);
    CHECK_NEAR(log2(plain[0] / plain[1]), 2.0, 0.2);
    carom_model_destroy(model);
}

TEST(reference_mechanisms_are_met) {
    json_t *oracle = oracle_open("dynamics.json");
    int met = 0;
    for (int i = 0; i < oracle_count(oracle); i++) {
        oracle_case c = oracle_at(oracle, i);
        const char *system = oracle_text(c.input, "system");
        if (strcmp(system, "heavy_symmetric_top") != 0 && strcmp(system, "double_pendulum_revolute") != 0 &&
            strncmp(system, "chain_", 6) != 0)
            continue;
        check_case(&c, oracle_tolerance(oracle, "samples"));
        met++;
    }
    CHECK(met > 0);
    json_decref(oracle);
}

TEST_MAIN(CASE(reference_mechanisms_are_met))

// SPDX-License-Identifier: MIT
// What a certificate says of bodies that rest, against the residual of the same impulses at contacts that are looked
// for anew: never less. CAROM_STEPS=n makes n steps in place of the few of the suite; 100,000 are
//
//     CAROM_STEPS=100000 build/tests/test_step_resting
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "support/problem/table_residual.h"

enum { most_bodies = 12, most_contacts = 400, steps_a_scene = 200, steps_to_rest = 150 };
static const double step = 1.0 / 240.0;
static const carom_vec3 gravity = {0.0, 0.0, -9.81};

static int wanted_steps(int few) {
    const char *given = getenv("CAROM_STEPS");
    return given != NULL ? atoi(given) : few;
}

// ---- random towers

// Boxes on each other, each a little smaller and beside the middle of the one below it, in one to three towers.
static carom_model *random_towers(sampler *s) {
    carom_model *model = world_model(gravity, 0.0);
    carom_material material = touching_material(model, sample_between(s, 0.3, 0.9), 0.0);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    int towers = 1 + (int)sample_between(s, 0.0, 2.999), left = most_bodies - 2;
    for (int t = 0; t < towers; t++) {
        double side = sample_between(s, 0.3, 0.6), height = 0.0, angle = sample_between(s, 0.0, 1.5);
        int floors = 1 + (int)sample_between(s, 0.0, 3.999);
        for (int i = 0; i < floors && left > 0; i++, left--) {
            double thick = side * sample_between(s, 0.3, 1.0);
            carom_body_def def =
                touching_def(model, touching_box(model, side, side, thick), material, sample_between(s, 0.5, 20.0),
                             crm_vec3(2.0 * t, 0.0, height + 0.5 * thick));
            def.position.x += 0.1 * side * sample_between(s, -1.0, 1.0);
            def.position.y += 0.1 * side * sample_between(s, -1.0, 1.0);
            def.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), angle);
            world_add(model, &def);
            height += thick;
            side *= sample_between(s, 0.8, 1.0);
            angle += sample_between(s, -0.3, 0.3);
        }
    }
    return model;
}

// A push on one body, mostly far below what moves it: 1e-10 to 1e-3 of its weight.
static carom_wrench random_push(sampler *s, const carom_model *model) {
    int count = carom_model_body_count(model), body = 1 + (int)sample_between(s, 0.0, count - 1.001);
    carom_body_def def;
    CHECK_INT(carom_model_get_body(model, (carom_body){body}, &def, NULL), CAROM_OK);
    double size = def.mass * 9.81 * pow(10.0, sample_between(s, -10.0, -3.0));
    return (carom_wrench){{body}, crm_scale(size, sample_unit(s)), crm_scale(0.2 * size, sample_unit(s))};
}

// ---- a step, twice

typedef struct twin {
    carom_model *model;
    carom_state *state;   // whose certificates are looked at
    carom_state *another; // put to the same poses, it looks for contacts anew
    crm_rigid_solver *evaluator;
    double closest; // the largest share that a residual was of what the certificate said
    int reused;     // steps without a solution
} twin;

static int contacts_of(const carom_state *state, carom_contact_state *out) {
    int count;
    const carom_contact_state *table = carom_state_contacts(state, &count);
    CHECK(count <= most_contacts);
    for (int i = 0; i < count && i < most_contacts; i++) out[i] = table[i];
    return count < most_contacts ? count : most_contacts;
}

static void look_anew(twin *t, const carom_body_state *before, const carom_input *input) {
    carom_step_report report;
    for (int b = 1; b < carom_model_body_count(t->model); b++)
        CHECK_INT(carom_state_set_body(t->another, (carom_body){b}, &before[b], NULL), CAROM_OK);
    CHECK_INT(carom_step(t->model, t->another, input, &report, NULL), CAROM_OK);
}

// What rounding and the rotation within a step, which free velocities here do without, make of a residual.
static const double rounding = 1e-8;

static bool check_step(twin *t, const carom_wrench *push) {
    carom_body_state before[most_bodies];
    static carom_contact_state found[most_contacts], taken[most_contacts];
    for (int b = 0; b < carom_model_body_count(t->model); b++) before[b] = world_body(t->state, b);
    carom_input input = {.wrench_count = push != NULL, .wrench = push};
    carom_step_report report;
    CHECK_INT(carom_step(t->model, t->state, &input, &report, NULL), CAROM_OK);
    look_anew(t, before, &input);
    table_step of = {.model = t->model,
                     .step = step,
                     .gravity = gravity,
                     .before = before,
                     .push = push,
                     .push_count = push != NULL,
                     .found = found,
                     .found_count = contacts_of(t->another, found),
                     .taken = taken,
                     .taken_count = contacts_of(t->state, taken)};
    table_verdict truth = table_residual(t->evaluator, &of);
    t->closest = fmax(t->closest, truth.residual / fmax(report.residual, rounding));
    t->reused += report.iterations == 0;
    if (CHECK_INT(truth.lost, 0) && CHECK(truth.residual <= report.residual * (1.0 + 1e-6) + rounding)) return true;
    fprintf(stderr, "step %lld: residual %g, the certificate says %g\n", (long long)report.step, truth.residual,
            report.residual);
    return false;
}

static void check_scene(uint64_t seed, int steps, const carom_lcp_def *settings, double *closest, int *reused) {
    sampler s = {.seed = seed};
    twin t = {.model = random_towers(&s)};
    carom_method_def method = carom_method_def_default();
    method.step = step;
    method.lcp = *settings;
    t.state = touching_state(t.model, &method);
    t.another = touching_state(t.model, &method);
    CHECK_INT(crm_rigid_solver_create(NULL, &t.evaluator, NULL), CAROM_OK);
    world_run(t.state, steps_to_rest);
    for (int i = 0; i < steps; i++) {
        bool pushed = sample_between(&s, 0.0, 1.0) < 0.1;
        carom_wrench push = random_push(&s, t.model);
        if (check_step(&t, pushed ? &push : NULL)) continue;
        fprintf(stderr, "scene %d\n", (int)seed);
        break;
    }
    *closest = fmax(*closest, t.closest);
    *reused += t.reused;
    crm_rigid_solver_destroy(t.evaluator);
    carom_state_destroy(t.another);
    world_destroy(t.state);
}

TEST(certificates_of_resting_bodies_are_never_too_good) {
    carom_lcp_def settings = carom_method_def_default().lcp;
    int steps = wanted_steps(2000), reused = 0;
    double closest = 0.0;
    for (int i = 0; i < steps; i += steps_a_scene)
        check_scene((uint64_t)(i / steps_a_scene), steps_a_scene, &settings, &closest, &reused);
    if (getenv("CAROM_STEPS") != NULL)
        printf("%d steps, %d without a solution; residuals were %.3f of what certificates say at most\n", steps, reused,
               closest);
    // Steps are found at rest and at work, and a certificate that were half of the truth would be noticed.
    CHECK(reused > steps / 10 && reused < steps);
    CHECK(closest > 0.5);
}

TEST_MAIN(CASE(certificates_of_resting_bodies_are_never_too_good))

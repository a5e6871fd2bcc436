// SPDX-License-Identifier: MIT
// What the scenes of elastic collisions must show under the method exact.
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/check.h"

typedef struct run {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
    carom_momentum start;
    double energy;
    double energy_change, linear_change, angular_change; // the largest from the start on
    int collisions;
} run;

static run begin(const char *name, double step, const char *jump) {
    char file[512], text[2][64];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    snprintf(text[0], sizeof text[0], "method.step=%.17g", step);
    snprintf(text[1], sizeof text[1], "method.exact={\"jump\": \"%s\"}", jump);
    const char *overrides[] = {"method.name=exact", text[0], text[1]};
    run r = {0};
    carom_error error = {.text = ""};
    carom_scene_source source = {.file = file, .override_count = 3, .overrides = overrides};
    if (carom_scene_read(&source, NULL, &r.scene, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    r.model = carom_scene_model(r.scene);
    CHECK_INT(carom_state_create(r.model, carom_scene_method(r.scene), &r.state, &error), CAROM_OK);
    carom_energy energy = carom_state_energy(r.state);
    r.energy = energy.kinetic + energy.potential;
    r.start = carom_state_momentum(r.state);
    return r;
}

static void go(run *r, int steps) {
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(r->model, r->state, NULL, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) {
            CHECK_TEXT(report.text, "");
            return;
        }
        double energy = report.energy.kinetic + report.energy.potential;
        r->energy_change = fmax(r->energy_change, fabs(energy - r->energy));
        r->linear_change = fmax(r->linear_change, crm_distance(report.momentum.linear, r->start.linear));
        r->angular_change = fmax(r->angular_change, crm_distance(report.momentum.angular, r->start.angular));
        r->collisions += report.contacts;
    }
}

static void end(run *r) {
    carom_state_destroy(r->state);
    carom_scene_destroy(r->scene);
}

static carom_body_state body(const run *r, int index) {
    carom_body_state state = {0};
    CHECK_INT(carom_state_get_body(r->state, (carom_body){index}, &state, NULL), CAROM_OK);
    return state;
}

static void check_cradle(const char *name, const char *jump, const double wanted[5]) {
    run r = begin(name, 0.01, jump);
    go(&r, 600);
    for (int b = 0; b < 5; b++) {
        CHECK_NEAR(crm_distance(body(&r, b).velocity, crm_vec3(wanted[b], 0.0, 0.0)), 0.0, 1e-8);
        CHECK_NEAR(crm_length(body(&r, b).spin), 0.0, 1e-9);
    }
    CHECK_NEAR(r.energy_change, 0.0, 1e-10);
    CHECK_NEAR(r.linear_change, 0.0, 1e-10);
    CHECK_NEAR(r.angular_change, 0.0, 1e-10);
    end(&r);
}

TEST(the_end_cubes_leave_the_cradles) {
    static const double one[] = {0.0, 0.0, 0.0, 0.0, 0.105}, two[] = {-0.105, 0.0, 0.0, 0.0, 0.105};
    static const char *const jumps[] = {"hamiltonian", "discrete"};
    for (int j = 0; j < 2; j++) {
        check_cradle("cradle-1", jumps[j], one);
        check_cradle("cradle-2", jumps[j], two);
    }
}

TEST(the_metronome_has_no_other_turn) {
    run r = begin("metronome", 0.015, "hamiltonian");
    go(&r, 200);
    CHECK(r.collisions >= 2);
    // Both turn about y only.
    for (int b = 0; b < 2; b++) {
        CHECK_NEAR(body(&r, b).spin.x, 0.0, 1e-9);
        CHECK_NEAR(body(&r, b).spin.z, 0.0, 1e-9);
    }
    CHECK_NEAR(r.linear_change, 0.0, 1e-10);
    CHECK_NEAR(r.angular_change, 0.0, 1e-10);
    // That of variational steps with joints between the collisions.
    CHECK_NEAR(r.energy_change, 0.0, 1e-4 * r.energy);
    end(&r);
}

TEST(what_falls_keeps_its_energy_and_its_angular_momentum_about_the_vertical) {
    static const char *const names[] = {"falling-cube", "falling-polyhedra"};
    for (int i = 0; i < 2; i++) {
        run r = begin(names[i], 1e-3, "hamiltonian");
        go(&r, 1000);
        CHECK(r.collisions >= 2);
        CHECK_NEAR(r.energy_change, 0.0, 1e-12 * r.energy);
        CHECK_NEAR(carom_state_momentum(r.state).angular.z, r.start.angular.z, 1e-12);
        end(&r);
    }
}

// The energy is that of the variational scheme with charges: an error of the second order, without drift.
TEST(hexagonal_prisms_go_through_their_collisions) {
    static const char *const names[] = {"hexagonal-prisms-2", "hexagonal-prisms"};
    static const int steps[] = {80, 40};
    for (int i = 0; i < 2; i++) {
        run r = begin(names[i], 0.01, "hamiltonian");
        go(&r, steps[i]);
        CHECK(r.collisions >= 2);
        CHECK_NEAR(r.energy_change, 0.0, 1e-4 * fabs(r.energy));
        CHECK_NEAR(r.linear_change, 0.0, 1e-14);
        CHECK_NEAR(r.angular_change, 0.0, 1e-14);
        end(&r);
    }
}

TEST_MAIN(CASE(the_end_cubes_leave_the_cradles), CASE(the_metronome_has_no_other_turn),
          CASE(what_falls_keeps_its_energy_and_its_angular_momentum_about_the_vertical),
          CASE(hexagonal_prisms_go_through_their_collisions))

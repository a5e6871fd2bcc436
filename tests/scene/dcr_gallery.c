// SPDX-License-Identifier: MIT
// What the scenes of collisions must show under the method dcr.
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
    double unexplained;                   // largest change of the energy beyond projections and impacts
    double projected_energy;              // the largest by projections
    carom_vec3 projected;                 // angular momentum that projections have added
    double linear_change, angular_change; // the largest, of the latter beyond projections
    int collisions;                       // steps with contact
} run;

static run begin(const char *name, double step) {
    char file[512], text[64];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    snprintf(text, sizeof text, "method.step=%.17g", step);
    const char *overrides[] = {"method.name=dcr", text};
    run r = {0};
    carom_error error = {.text = ""};
    carom_scene_source source = {.file = file, .override_count = 2, .overrides = overrides};
    if (carom_scene_read(&source, NULL, &r.scene, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    r.model = carom_scene_model(r.scene);
    CHECK_INT(carom_state_create(r.model, carom_scene_method(r.scene), &r.state, &error), CAROM_OK);
    carom_energy energy = carom_state_energy(r.state);
    r.energy = energy.kinetic + energy.potential;
    r.start = carom_state_momentum(r.state);
    return r;
}

static void go(run *r, int steps) {
    double explained = r->energy;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(r->model, r->state, NULL, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) {
            CHECK_TEXT(report.text, "");
            return;
        }
        CHECK(report.infeasibility < 1e-9);
        r->projected_energy = fmax(r->projected_energy, fabs(report.projection_energy));
        explained += report.projection_energy + report.impact_energy;
        r->projected = crm_add(r->projected, report.projection_momentum);
        double energy = report.energy.kinetic + report.energy.potential;
        carom_vec3 turned = crm_sub(crm_sub(report.momentum.angular, r->start.angular), r->projected);
        r->unexplained = fmax(r->unexplained, fabs(energy - explained));
        r->linear_change = fmax(r->linear_change, crm_distance(report.momentum.linear, r->start.linear));
        r->angular_change = fmax(r->angular_change, crm_length(turned));
        r->collisions += report.contacts > 0;
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

// Velocities along x; nothing moves otherwise.
static void check_row(const run *r, int count, const double *wanted) {
    for (int b = 0; b < count; b++) {
        CHECK_NEAR(crm_distance(body(r, b).velocity, crm_vec3(wanted[b], 0.0, 0.0)), 0.0, 1e-9);
        CHECK_NEAR(crm_length(body(r, b).spin), 0.0, 1e-9);
    }
    CHECK_NEAR(r->unexplained, 0.0, 1e-12);
    CHECK_NEAR(r->linear_change, 0.0, 1e-10);
    CHECK_NEAR(r->angular_change, 0.0, 1e-10);
}

TEST(the_end_cubes_leave_the_cradles) {
    static const double one[] = {0.0, 0.0, 0.0, 0.0, 0.105}, two[] = {-0.105, 0.0, 0.0, 0.0, 0.105};
    run r = begin("cradle-1", 0.015);
    go(&r, 400);
    check_row(&r, 5, one);
    end(&r);
    r = begin("cradle-2", 0.015);
    go(&r, 333);
    check_row(&r, 5, two);
    end(&r);
}

TEST(plastic_cubes_move_on_together_or_stop) {
    static const double wanted[] = {0.25, 0.25, 0.0, 0.0};
    run r = begin("plastic-cubes", 0.01);
    go(&r, 200);
    check_row(&r, 4, wanted);
    end(&r);
}

TEST(the_metronome_has_no_other_turn) {
    run r = begin("metronome", 0.015);
    go(&r, 200);
    CHECK(r.collisions >= 2);
    // Both turn about y only.
    for (int b = 0; b < 2; b++) {
        CHECK_NEAR(body(&r, b).spin.x, 0.0, 1e-9);
        CHECK_NEAR(body(&r, b).spin.z, 0.0, 1e-9);
    }
    CHECK_NEAR(r.linear_change, 0.0, 1e-10);
    CHECK_NEAR(r.angular_change, 0.0, 1e-10);
    // That of variational steps with joints between the collisions: where they happen it is kept.
    CHECK_NEAR(r.projected_energy, 0.0, 1e-12);
    CHECK_NEAR(r.unexplained, 0.0, 1e-4 * r.energy);
    end(&r);
}

TEST(what_falls_changes_by_what_projections_do) {
    static const char *const names[] = {"falling-cube", "falling-polyhedra"};
    for (int i = 0; i < 2; i++) {
        run r = begin(names[i], 1e-3);
        go(&r, 1000);
        CHECK(r.collisions >= 2);
        CHECK_NEAR(r.unexplained, 0.0, 1e-12 * r.energy);
        double turned = carom_state_momentum(r.state).angular.z - r.start.angular.z;
        CHECK_NEAR(turned, r.projected.z, 1e-12);
        end(&r);
    }
}

TEST(the_cube_settles) {
    run r = begin("cube-settles", 1e-3);
    go(&r, 2000);
    CHECK_NEAR(body(&r, 1).position.z, 0.1, 1e-9);
    carom_vec3 place = body(&r, 1).position;
    go(&r, 500);
    CHECK_NEAR(crm_length(body(&r, 1).velocity), 0.0, 1e-8);
    CHECK_NEAR(crm_length(body(&r, 1).spin), 0.0, 1e-7);
    CHECK_NEAR(crm_distance(body(&r, 1).position, place), 0.0, 1e-8);
    end(&r);
}

// Neighbours stand two in-radii apart, 0.2 sqrt 3 m, and all move as one.
TEST(the_prisms_assemble_a_flower_and_stay) {
    run r = begin("hexagonal-prisms-settle", 0.01);
    go(&r, 200);
    carom_body_state centre = body(&r, 0);
    for (int b = 1; b < 7; b++) {
        carom_body_state petal = body(&r, b);
        carom_vec3 arm = crm_sub(petal.position, centre.position);
        carom_vec3 carried = crm_add(centre.velocity, crm_cross(centre.spin, arm));
        CHECK_NEAR(crm_length(arm), 0.2 * sqrt(3.0), 1e-3);
        CHECK_NEAR(crm_distance(petal.velocity, carried), 0.0, 1e-5);
        CHECK_NEAR(crm_distance(petal.spin, centre.spin), 0.0, 1e-5);
    }
    CHECK_NEAR(r.linear_change, 0.0, 1e-14);
    CHECK_NEAR(r.angular_change, 0.0, 1e-14);
    CHECK_NEAR(r.unexplained, 0.0, 1e-6 * fabs(r.energy));
    end(&r);
}

TEST_MAIN(CASE(the_end_cubes_leave_the_cradles), CASE(plastic_cubes_move_on_together_or_stop),
          CASE(the_metronome_has_no_other_turn), CASE(what_falls_changes_by_what_projections_do),
          CASE(the_cube_settles), CASE(the_prisms_assemble_a_flower_and_stay))

// SPDX-License-Identifier: MIT
// What the scenes with ellipsoids claim of themselves.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/quat.h"
#include "support/harness/check.h"

#define SCENES CAROM_SOURCE_DIR "/scenes/"

typedef struct run {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
    double step;
    double overlap; // largest share of a body's size so far
    double residual;
    int contacts; // summed over the steps
} run;

// `step` 0: the scene's own.
static run begin(const char *name, double step, int override_count, const char *const *overrides) {
    char file[512];
    snprintf(file, sizeof file, SCENES "%s.json", name);
    run r = {0};
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = override_count;
    source.overrides = overrides;
    if (!CHECK_INT(carom_scene_read(&source, NULL, &r.scene, NULL, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    r.model = carom_scene_model(r.scene);
    carom_method_def method = *carom_scene_method(r.scene);
    CHECK_INT(method.method, CAROM_METHOD_LCP);
    if (step > 0.0) method.step = step;
    r.step = method.step;
    CHECK_INT(carom_state_create(r.model, &method, &r.state, &error), CAROM_OK);
    return r;
}

static bool go(run *r, int steps) {
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(r->model, r->state, NULL, &report, NULL), CAROM_OK);
        if (!CHECK_INT(report.outcome, CAROM_STEP_GOOD)) {
            CHECK_TEXT(report.text, "");
            return false;
        }
        r->overlap = fmax(r->overlap, report.infeasibility);
        r->residual = fmax(r->residual, report.residual);
        r->contacts += report.contacts;
    }
    return true;
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

static carom_vec3 half_axes(const run *r, int index) {
    carom_body_def def;
    carom_shape_def shape;
    CHECK_INT(carom_model_get_body(r->model, (carom_body){index}, &def, NULL), CAROM_OK);
    carom_shape_get_def(carom_model_get_shape(r->model, def.shape), &shape);
    CHECK_INT(shape.kind, CAROM_SHAPE_ELLIPSOID);
    return shape.ellipsoid.half_axes;
}

// ---- orders

enum { RUNS = 4, QUANTITIES = 4 };

// Largest differences of position, attitude, velocity and spin over all bodies.
static void widen(const run *a, const run *b, double difference[QUANTITIES]) {
    for (int i = 0; i < carom_model_body_count(a->model); i++) {
        carom_body_state x = body(a, i), y = body(b, i);
        const double now[QUANTITIES] = {crm_distance(x.position, y.position), crm_quat_angle(x.attitude, y.attitude),
                                        crm_distance(x.velocity, y.velocity), crm_distance(x.spin, y.spin)};
        for (int q = 0; q < QUANTITIES; q++) difference[q] = fmax(difference[q], now[q]);
    }
}

// Orders of the last halving, from runs with steps h, h/2, h/4, h/8: as `carom converge` finds them.
static void orders_of(const char *name, int steps, int override_count, const char *const *overrides,
                      double order[QUANTITIES]) {
    run r[RUNS];
    double difference[RUNS - 1][QUANTITIES] = {{0}};
    for (int k = 0; k < RUNS; k++) {
        r[k] = begin(name, 0.0, 0, NULL);
        double step = r[k].step / (1 << k);
        end(&r[k]);
        r[k] = begin(name, step, override_count, overrides);
    }
    for (int i = 0; i < steps; i++) {
        for (int k = 0; k < RUNS; k++) go(&r[k], 1 << k);
        for (int k = 0; k + 1 < RUNS; k++) widen(&r[k], &r[k + 1], difference[k]);
    }
    for (int q = 0; q < QUANTITIES; q++) order[q] = log2(difference[RUNS - 3][q] / difference[RUNS - 2][q]);
    for (int k = 0; k < RUNS; k++) {
        CHECK(r[k].contacts > 0);
        end(&r[k]);
    }
}

TEST(three_ellipsoids_converge_with_order_1) {
    double order[QUANTITIES];
    orders_of("three-ellipsoids", 200, 0, NULL, order);
    CHECK_NEAR(order[0], 1.0, 0.05);
    CHECK_NEAR(order[1], 1.0, 0.05);
    CHECK_NEAR(order[3], 1.0, 0.1);
    // Without friction only vertical velocities change, and the first-order part of their error is small.
    CHECK(order[2] > 0.9);
}

TEST(two_in_a_sphere_converge_with_order_1_whatever_the_friction) {
    const char *overrides[] = {"materials.glass.friction=0.4", "method.lcp.friction=cone"};
    for (int count = 0; count <= 2; count++) {
        double order[QUANTITIES];
        orders_of("two-in-a-sphere", 100, count, overrides, order);
        for (int q = 0; q < QUANTITIES; q++) CHECK_NEAR(order[q], 1.0, 0.1);
    }
}

// ---- where bodies may be

// How far the points of an ellipsoid are from the origin at most, from many of them.
static double farthest(const run *r, int index) {
    carom_body_state at = body(r, index);
    carom_vec3 a = half_axes(r, index);
    double most = 0.0;
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 80; j++) {
            double polar = (i + 0.5) * acos(-1.0) / 40.0, rotation = j * acos(-1.0) / 40.0;
            carom_vec3 on_sphere = {sin(polar) * cos(rotation), sin(polar) * sin(rotation), cos(polar)};
            carom_vec3 point = crm_add(at.position, crm_quat_rotate(at.attitude, crm_vec3_mul(a, on_sphere)));
            most = fmax(most, crm_length(point));
        }
    }
    return most;
}

// They hit the glass, hit each other and swing on. The inside of a sphere curves away from the step's straight
// motion: bodies get into it by what is quadratic in the step.
TEST(nothing_leaves_the_sphere) {
    const char *friction[] = {"materials.glass.friction=0.4"};
    for (int count = 0; count < 2; count++) {
        double overlap[2];
        for (int k = 0; k < 2; k++) {
            run r = begin("two-in-a-sphere", 0.004 / (1 << k), count, friction);
            for (int i = 0; i < 25; i++) {
                go(&r, 10 << k);
                CHECK(farthest(&r, 1) < 1.001 && farthest(&r, 2) < 1.001);
            }
            overlap[k] = r.overlap;
            end(&r);
        }
        CHECK(overlap[0] < 2e-3);
        CHECK_NEAR(log2(overlap[0] / overlap[1]), 2.0, 0.2);
    }
}

// The lowest point of an ellipsoid has the height z - |a . (R^T e_z)|.
static double lowest(const run *r, int index) {
    carom_body_state at = body(r, index);
    carom_vec3 down = crm_quat_rotate(crm_quat_conjugate(at.attitude), crm_vec3(0.0, 0.0, 1.0));
    return at.position.z - crm_length(crm_vec3_mul(half_axes(r, index), down));
}

TEST(a_dropped_ellipsoid_falls_by_its_parabola_and_stays_above_the_plane) {
    double overlap[3];
    for (int k = 0; k < 3; k++) {
        double step = 0.1 / (1 << k);
        run r = begin("ellipsoid-drop", step, 0, NULL);
        carom_quat attitude = body(&r, 1).attitude;
        go(&r, 6 << k);
        CHECK_NEAR(body(&r, 1).position.z, 3.0 - 0.5 * 9.81 * 0.6 * 0.6, 1e-12); // whatever the step
        CHECK_NEAR(body(&r, 1).velocity.z, -9.81 * 0.6, 1e-12);
        CHECK_NEAR(crm_quat_angle(body(&r, 1).attitude, attitude), 0.0, 1e-7);
        double deepest = 0.0;
        for (int i = 0; i < 44 << k; i++) {
            go(&r, 1);
            deepest = fmin(deepest, lowest(&r, 1));
        }
        CHECK(r.contacts > 20);
        CHECK_NEAR(-deepest / 2.0, r.overlap, 1e-9); // its size is 2 m
        overlap[k] = r.overlap;
        end(&r);
    }
    // What rotates so far that rows would leave more than 2 % is looked at midway; the rest is of order 2.
    CHECK(overlap[0] < 0.02 && overlap[1] < 0.02 && overlap[2] < 0.01);
}

TEST(a_lattice_of_ellipsoids_ends_above_the_plane) {
    double overlap[2];
    for (int k = 0; k < 2; k++) {
        run r = begin("ellipsoid-lattice", 0.1 / (1 << k), 0, NULL);
        CHECK_INT(carom_model_body_count(r.model), 28);
        go(&r, 30 << k);
        for (int b = 1; b <= 27; b++) CHECK(lowest(&r, b) > -0.4 / (1 << k));
        CHECK(r.residual <= 1e-8);
        overlap[k] = r.overlap;
        end(&r);
    }
    CHECK(overlap[0] < 0.25 && overlap[1] < 0.7 * overlap[0]);
}

TEST(ellipsoids_for_the_table_are_solved_to_the_tolerance) {
    const char *few[] = {"bodies[1].repeat.lattice.total=11"}, *short_line[] = {"bodies[1].repeat.lattice.count[0]=10"};
    run falling = begin("ellipsoid-scaling", 0.0, 1, few), line = begin("ellipsoid-line", 0.0, 1, short_line);
    CHECK_INT(carom_model_body_count(falling.model), 12);
    CHECK_INT(carom_model_body_count(line.model), 11);
    go(&falling, 60);
    go(&line, 60);
    CHECK(falling.residual <= 1e-8 && line.residual <= 1e-8);
    CHECK(falling.overlap < 0.03 && line.overlap < 1e-3);
    CHECK(falling.contacts > 200 && line.contacts > 1000);
    end(&falling);
    end(&line);
}

// ---- a fluid

enum { SUSPENDED = 4, FORCES = 6 * SUSPENDED };

// The scene's matrix, read by other means.
static bool read_matrix(double matrix[FORCES * FORCES]) {
    FILE *file = fopen(SCENES "mobility-suspension.txt", "r");
    if (!CHECK(file != NULL)) return false;
    char line[4096];
    int count = 0;
    while (fgets(line, sizeof line, file) != NULL) {
        if (line[0] == '#') continue;
        char *at = line, *next;
        for (double x; x = strtod(at, &next), next != at; at = next)
            if (count < FORCES * FORCES) matrix[count++] = x;
    }
    fclose(file);
    return CHECK_INT(count, FORCES * FORCES);
}

static void add_to(double *force, carom_vec3 push, carom_vec3 arm) {
    carom_vec3 torque = crm_cross(arm, push);
    const double more[6] = {push.x, push.y, push.z, torque.x, torque.y, torque.z};
    for (int i = 0; i < 6; i++) force[i] += more[i];
}

// Weights and contact forces of the last step, about the centres at its start.
static void forces_of(const run *r, const carom_vec3 centre[SUSPENDED + 1], double force[FORCES]) {
    for (int i = 0; i < FORCES; i++) force[i] = 0.0;
    for (int b = 1; b <= SUSPENDED; b++) {
        carom_body_def def;
        CHECK_INT(carom_model_get_body(r->model, (carom_body){b}, &def, NULL), CAROM_OK);
        add_to(force + 6 * (b - 1), crm_vec3(0.0, 0.0, -9.81 * def.mass), crm_vec3_zero());
    }
    int count;
    const carom_contact_state *contact = carom_state_contacts(r->state, &count);
    for (int c = 0; c < count; c++) {
        carom_vec3 push = crm_scale(contact[c].normal_impulse / r->step, contact[c].normal), point = contact[c].point;
        int a = contact[c].a.index, b = contact[c].b.index;
        if (a > 0) add_to(force + 6 * (a - 1), crm_scale(-1.0, push), crm_sub(point, centre[a]));
        if (b > 0) add_to(force + 6 * (b - 1), push, crm_sub(point, centre[b]));
    }
}

// Largest difference of a velocity or spin to the matrix times the forces, over the terms of that product.
static double mismatch(const run *r, const double *matrix, const double *force) {
    double worst = 0.0;
    for (int v = 0; v < 2 * SUSPENDED; v++) {
        carom_body_state at = body(r, 1 + v / 2);
        double product[3], size = 0.0;
        for (int i = 0; i < 3; i++) {
            const double *row = matrix + (ptrdiff_t)FORCES * (3 * v + i);
            product[i] = 0.0;
            for (int j = 0; j < FORCES; j++) product[i] += row[j] * force[j], size += fabs(row[j] * force[j]);
        }
        carom_vec3 wanted = {product[0], product[1], product[2]};
        worst = fmax(worst, crm_distance(v % 2 == 0 ? at.velocity : at.spin, wanted) / size);
    }
    return worst;
}

TEST(a_suspension_moves_as_its_mobility_says) {
    double matrix[FORCES * FORCES], force[FORCES], worst = 0.0;
    if (!read_matrix(matrix)) return;
    run r = begin("mobility-suspension", 0.004, 0, NULL);
    for (int i = 0; i < 500; i++) {
        carom_vec3 centre[SUSPENDED + 1];
        for (int b = 1; b <= SUSPENDED; b++) centre[b] = body(&r, b).position;
        if (!go(&r, 1)) break;
        forces_of(&r, centre, force);
        worst = fmax(worst, mismatch(&r, matrix, force));
    }
    CHECK(worst < 1e-12);
    CHECK(r.overlap < 1e-4);
    // The light ones bear the heavy one.
    int count, pairs = 0;
    const carom_contact_state *contact = carom_state_contacts(r.state, &count);
    for (int c = 0; c < count; c++) pairs += contact[c].a.index > 0 && contact[c].normal_impulse > 0.0;
    CHECK(pairs > 0);
    end(&r);
}

TEST_MAIN(CASE(three_ellipsoids_converge_with_order_1),
          CASE(two_in_a_sphere_converge_with_order_1_whatever_the_friction), CASE(nothing_leaves_the_sphere),
          CASE(a_dropped_ellipsoid_falls_by_its_parabola_and_stays_above_the_plane),
          CASE(a_lattice_of_ellipsoids_ends_above_the_plane),
          CASE(ellipsoids_for_the_table_are_solved_to_the_tolerance), CASE(a_suspension_moves_as_its_mobility_says))

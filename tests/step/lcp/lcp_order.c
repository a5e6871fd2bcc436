// SPDX-License-Identifier: MIT
// The order of convergence of the method lcp, against reference trajectories of bodies that touch a plane: a sphere
// that slides until it rolls, a block on an incline, ellipsoids that roll without slip. Those of a thin disc are left
// out: its edge is a circle, which none of our shapes has.
#include <math.h>
#include <string.h>

#include "math/quat.h"
#include "reference/motion/oracle.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"

enum { POSITION, ATTITUDE, VELOCITY, SPIN, QUANTITIES, FIRST_STEPS = 128, HALVINGS = 4, NEIGHBOURS = 3 };

// Errors below this are rounding: the quantity is exact whatever the step, as are velocities under constant forces.
static const double exact = 1e-9;

static const carom_vec3 origin = {0.0, 0.0, 0.0};

static carom_vec3 vec3_of(const json_t *object, const char *name) {
    double x[3] = {NAN, NAN, NAN};
    oracle_numbers(object, name, x, 3);
    return crm_vec3(x[0], x[1], x[2]);
}

static carom_quat quat_of(const json_t *object, const char *name) {
    double q[4] = {NAN, NAN, NAN, NAN};
    oracle_numbers(object, name, q, 4);
    return (carom_quat){q[0], q[1], q[2], q[3]};
}

// ---- the systems: models whose second body moves on the plane z = 0, and what their samples say of it

static void add_on_plane(carom_model *model, const json_t *input, carom_model_shape shape, carom_material material) {
    carom_body_def def = touching_def(model, shape, material, oracle_number(input, "mass"), vec3_of(input, "x"));
    if (oracle_has(input, "q")) def.attitude = quat_of(input, "q");
    def.velocity = vec3_of(input, "v");
    def.spin = vec3_of(input, "w");
    world_add(model, &def);
}

static carom_model *build_sphere(const json_t *input) {
    carom_model *model = world_model(vec3_of(input, "gravity"), 0.0);
    carom_material material = touching_material(model, oracle_number(input, "mu"), 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    add_on_plane(model, input, touching_sphere(model, oracle_number(input, "radius")), material);
    return model;
}

// Friction as large as needed.
static carom_model *build_rolling(const json_t *input) {
    double a[3] = {0.0, 0.0, 0.0};
    oracle_numbers(json_object_get(input, "shape"), "semi_axes", a, 3);
    carom_model *model = world_model(vec3_of(input, "gravity"), 0.0);
    carom_material material = touching_material(model, 10.0, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    add_on_plane(model, input, touching_ellipsoid(model, a[0], a[1], a[2]), material);
    return model;
}

// x is up the slope; gravity is tilted instead of the plane. So flat that it cannot tip.
static carom_model *build_block(const json_t *input) {
    double angle = oracle_number(input, "incline_angle"), g = oracle_number(input, "gravity");
    carom_model *model = world_model(crm_vec3(-g * sin(angle), 0.0, -g * cos(angle)), 0.0);
    carom_material material = touching_material(model, oracle_number(input, "mu"), 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    carom_body_def def = touching_def(model, touching_box(model, 0.5, 0.5, 0.1), material, oracle_number(input, "mass"),
                                      crm_vec3(0.0, 0.0, 0.05));
    def.velocity = crm_vec3(oracle_number(input, "speed_up_slope"), 0.0, 0.0);
    world_add(model, &def);
    return model;
}

static carom_body_state sample_of_body(const json_t *sample, carom_body_state got) {
    carom_body_state wanted = got; // what the file does not tell is not compared
    wanted.position = vec3_of(sample, "x");
    wanted.velocity = vec3_of(sample, "v");
    if (oracle_has(sample, "q")) wanted.attitude = quat_of(sample, "q");
    wanted.spin = vec3_of(sample, "w");
    return wanted;
}

static carom_body_state sample_of_block(const json_t *sample, carom_body_state got) {
    (void)got;
    return (carom_body_state){.position = {oracle_number(sample, "s"), 0.0, 0.05},
                              .attitude = crm_quat_identity(),
                              .velocity = {oracle_number(sample, "v"), 0.0, 0.0}};
}

typedef struct contact_system {
    const char *name;
    carom_model *(*build)(const json_t *input);
    carom_body_state (*wanted)(const json_t *sample, carom_body_state got);
} contact_system;

static const contact_system systems[] = {
    {"sphere_sliding_rolling", build_sphere, sample_of_body},
    {"block_on_incline", build_block, sample_of_block},
    {"rolling_without_slip", build_rolling, sample_of_body},
};

// ---- errors

// Widens the errors by those of a run to the time of the sample.
static void add_errors(const contact_system *system, const oracle_case *c, const json_t *sample, int steps,
                       double error[QUANTITIES]) {
    carom_method_def method = touching_method(oracle_number(sample, "t") / steps, 1e-11);
    carom_state *state = touching_state(system->build(c->input), &method);
    world_run(state, steps);
    carom_body_state got = world_body(state, 1), wanted = system->wanted(sample, got);
    error[POSITION] = fmax(error[POSITION], crm_distance(got.position, wanted.position));
    error[ATTITUDE] = fmax(error[ATTITUDE], crm_quat_angle(got.attitude, wanted.attitude));
    error[VELOCITY] = fmax(error[VELOCITY], crm_distance(got.velocity, wanted.velocity));
    error[SPIN] = fmax(error[SPIN], crm_distance(got.spin, wanted.spin));
    world_destroy(state);
}

// Over the samples in the middle and at the end. A slip ends somewhere inside of a step, and the error depends on
// where: the largest of a few neighbouring steps does not.
static void errors_of(const contact_system *system, const oracle_case *c, int steps, double error[QUANTITIES]) {
    const json_t *samples = json_object_get(c->expected, "samples");
    size_t count = json_array_size(samples);
    for (int q = 0; q < QUANTITIES; q++) error[q] = 0.0;
    for (int i = 0; i < NEIGHBOURS; i++) {
        add_errors(system, c, json_array_get(samples, count / 2), steps + i * steps / 16, error);
        add_errors(system, c, json_array_get(samples, count - 1), steps + i * steps / 16, error);
    }
}

static void check_orders(const contact_system *system, const oracle_case *c) {
    double coarse[QUANTITIES], fine[QUANTITIES];
    errors_of(system, c, FIRST_STEPS, coarse);
    errors_of(system, c, FIRST_STEPS << HALVINGS, fine);
    for (int q = 0; q < QUANTITIES; q++) {
        if (fine[q] > exact) CHECK(log2(coarse[q] / fine[q]) / HALVINGS > 0.9);
        CHECK(fine[q] < 0.05);
    }
}

static int check_system(const contact_system *system) {
    int measured = 0;
    json_t *oracle = oracle_open("dynamics.json");
    for (int i = 0; i < oracle_count(oracle); i++) {
        oracle_case c = oracle_at(oracle, i);
        if (strcmp(oracle_text(c.input, "system"), system->name) != 0) continue;
        if (strcmp(oracle_text(json_object_get(c.input, "shape"), "kind"), "thin_disc") == 0) continue;
        check_orders(system, &c);
        measured++;
    }
    json_decref(oracle);
    return measured;
}

TEST(a_sphere_that_slides_until_it_rolls_converges_with_order_1) {
    CHECK(check_system(&systems[0]) > 0);
}

TEST(a_block_on_an_incline_converges_with_order_1) {
    CHECK(check_system(&systems[1]) > 0);
}

TEST(ellipsoids_that_roll_converge_with_order_1) {
    CHECK(check_system(&systems[2]) > 0);
}

TEST_MAIN(CASE(a_sphere_that_slides_until_it_rolls_converges_with_order_1),
          CASE(a_block_on_an_incline_converges_with_order_1), CASE(ellipsoids_that_roll_converge_with_order_1))

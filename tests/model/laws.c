// SPDX-License-Identifier: MIT
// Pair laws, fields and functions of several bodies: closed forms, forces as gradients of the energies, grids, shadows,
// and what is refused.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/random.h"
#include "carom/force.h"
#include "math/quat.h"
#include "model/field/grid.h"
#include "model/field/pair_laws.h"
#include "support/harness/check.h"
#include "support/model/world.h"

// Two points on the x axis, the first at 0.
static carom_model *two_points(double distance) {
    carom_model *model = world_model(crm_vec3_zero(), 2.0);
    for (int i = 0; i < 2; i++) {
        carom_body_def def = carom_body_def_default();
        def.kind = CAROM_BODY_POINT;
        def.mass = 1.0 + i;
        def.position = crm_vec3(i * distance, 0.0, 0.0);
        world_add(model, &def);
    }
    return model;
}

static carom_pair_def pair_of(carom_pair_law law) {
    carom_pair_def def = carom_pair_def_default();
    def.a.index = 0, def.b.index = 1;
    def.law = law;
    return def;
}

// What drives the second point away from the first, and the energy: both as a step of euler tells them.
static double force_at(const carom_pair_def *def, double distance, double *energy) {
    carom_error error = {.text = ""};
    carom_model *model = two_points(distance);
    CHECK(carom_model_add_pair(model, def, &error) == CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, 0.125);
    *energy = carom_state_energy(state).potential;
    world_run(state, 1);
    double force = 2.0 * world_body(state, 1).velocity.x / 0.125;
    CHECK_NEAR(force, -world_body(state, 0).velocity.x / 0.125, 1e-13 * fmax(1.0, fabs(force)));
    world_destroy(state);
    return force;
}

// The force is minus the slope of the energy; both are those given.
static void check_law(const carom_pair_def *def, double distance, double force, double energy) {
    double at, near, far, d = 1e-5 * distance;
    CHECK_NEAR(force_at(def, distance, &at), force, 1e-12 * fmax(1.0, fabs(force)));
    CHECK_NEAR(at, energy, 1e-12 * fmax(1.0, fabs(energy)));
    force_at(def, distance - d, &near), force_at(def, distance + d, &far);
    CHECK_NEAR((near - far) / (2.0 * d), force, 1e-7 * fmax(1.0, fabs(force)));
}

TEST(laws_have_their_forces_and_energies) {
    carom_pair_def spring = pair_of(CAROM_PAIR_LAW_SPRING), charge = pair_of(CAROM_PAIR_LAW_CHARGE);
    spring.stiffness = 3.0, spring.rest_length = 0.5;
    check_law(&spring, 2.0, -4.5, 3.375);
    charge.charge_a = 3.0, charge.charge_b = -0.5; // the constant is 2
    check_law(&charge, 2.0, -0.75, -1.5);
    carom_pair_def power = pair_of(CAROM_PAIR_LAW_POWER);
    power.repulsion = 12.0, power.repulsion_exponent = 3.0, power.attraction = 5.0, power.attraction_exponent = 2.0;
    check_law(&power, 2.0, 12.0 / 8.0 - 5.0 / 4.0, 12.0 / 2.0 / 4.0 - 5.0 / 2.0);
    power.repulsion_exponent = 1.0, power.attraction_exponent = 0.0; // a logarithm, a constant force
    check_law(&power, 2.0, 6.0 - 5.0, -12.0 * log(2.0) + 5.0 * 2.0);
    power.repulsion_exponent = 0.5, power.attraction = 0.0;
    check_law(&power, 4.0, 6.0, -2.0 * 12.0 * 2.0);
}

TEST(tables_are_interpolated_and_integrated_exactly) {
    const double distance[] = {1.0, 2.0, 4.0}, force[] = {4.0, -2.0, 0.0};
    carom_pair_def table = pair_of(CAROM_PAIR_LAW_TABLE);
    table.count = 3, table.distance = distance, table.force = force;
    check_law(&table, 1.5, 1.0, -2.0 - 0.25); // trapezia, from the last point inwards
    check_law(&table, 3.0, -1.0, -0.5);
    check_law(&table, 0.5, 4.0, -2.0 + 1.0 + 2.0); // nearer than the first point
    check_law(&table, 9.0, 0.0, 0.0);              // farther than the last one
    table.smooth = true;
    double energy, at_point = force_at(&table, 2.0, &energy);
    CHECK_NEAR(at_point, -2.0, 1e-13);
    // Between points it does not leave their forces, and its energy is its integral.
    double sum = 0.0, last = 0.0;
    for (int i = 0; i <= 60; i++) {
        double d = 4.0 - 0.05 * i, u, f = force_at(&table, d, &u);
        CHECK(d > 2.0 ? f <= 0.0 && f >= -2.0 : f >= -2.0 && f <= 4.0);
        if (i > 0) sum += 0.05 * 0.5 * (f + last);
        CHECK_NEAR(u, sum, 3e-3);
        last = f;
    }
}

TEST(smooth_tables_have_a_continuous_slope) {
    const double distance[] = {0.5, 1.0, 1.3, 2.0, 4.0, 5.0}, force[] = {4.0, 1.0, 0.5, -2.0, -1.0, 3.0};
    union {
        crm_table_law law;
        char room[sizeof(crm_table_law) + 6 * sizeof(crm_table_cell)];
    } table;
    memset(&table, 0, sizeof table);
    table.law.count = 6;
    for (int i = 0; i < 6; i++) table.law.cell[i] = (crm_table_cell){.at = distance[i], .force = {force[i]}};
    crm_table_law_finish(&table.law, true);
    for (int i = 1; i < 5; i++) {
        crm_radial_value before = crm_table_law_evaluate(&table.law, distance[i] * (1.0 - 1e-12));
        crm_radial_value after = crm_table_law_evaluate(&table.law, distance[i] * (1.0 + 1e-12));
        CHECK_NEAR(before.slope, after.slope, 1e-9);
        CHECK_NEAR(before.bend, after.bend, 1e-9);
        CHECK_NEAR(before.energy, after.energy, 1e-9);
    }
}

// ---- grids

static carom_vec3 any_vector(crm_random *random) {
    return crm_vec3(crm_random_normal(random), crm_random_normal(random), crm_random_normal(random));
}

static crm_grid grid_of(int x, int y, int z, const carom_vec3 *force, const double *energy) {
    return (crm_grid){{-1.0, 2.0, 0.5}, {0.3, 0.7, 1.1}, {x, y, z}, force, NULL, energy};
}

static carom_vec3 node_at(const crm_grid *grid, int i, int j, int k) {
    return crm_add(grid->origin, crm_vec3_mul(grid->spacing, crm_vec3(i, j, k)));
}

static carom_vec3 any_place(const crm_grid *grid, crm_random *random) {
    double s[3];
    for (int k = 0; k < 3; k++) s[k] = crm_random_between(random, 0.0, grid->count[k] - 1.0);
    return crm_add(grid->origin, crm_vec3_mul(grid->spacing, crm_vec3(s[0], s[1], s[2])));
}

TEST(a_linear_field_is_exact) {
    enum { X = 5, Y = 4, Z = 3 };
    carom_vec3 force[X * Y * Z];
    crm_random random = {.seed = 7};
    carom_mat3 slope = {any_vector(&random), any_vector(&random), any_vector(&random)}, gradient;
    crm_grid grid = grid_of(X, Y, Z, force, NULL);
    for (int k = 0; k < Z; k++)
        for (int j = 0; j < Y; j++)
            for (int i = 0; i < X; i++)
                force[i + X * (j + Y * k)] = crm_add(crm_vec3(1, 2, 3), crm_mat3_apply(slope, node_at(&grid, i, j, k)));
    double worst = 0.0;
    for (int n = 0; n < 1000; n++) {
        carom_vec3 at = any_place(&grid, &random);
        carom_vec3 expected = crm_add(crm_vec3(1, 2, 3), crm_mat3_apply(slope, at));
        worst =
            fmax(worst, crm_distance(crm_grid_vector(&grid, force, at, &gradient), expected) / crm_length(expected));
    }
    printf("linear field: off by %.1e\n", worst);
    CHECK(worst < 1e-13);
    // In the plane: one node along z, on which nothing depends.
    grid.count[2] = 1;
    carom_vec3 at = crm_vec3(-0.6, 2.2, 77.0), flat = crm_vec3(at.x, at.y, grid.origin.z);
    carom_vec3 expected = crm_add(crm_vec3(1, 2, 3), crm_mat3_apply(slope, flat));
    CHECK(crm_distance(crm_grid_vector(&grid, force, at, &gradient), expected) < 1e-13 * crm_length(expected));
    // Outside it is that of the surface.
    carom_vec3 out = crm_grid_vector(&grid, force, crm_vec3(-9.0, 2.2, 0.0), &gradient);
    CHECK(crm_distance(out, crm_grid_vector(&grid, force, crm_vec3(-1.0, 2.2, 0.0), &gradient)) == 0.0);
}

TEST(quadratic_energies_are_exact_and_forces_are_their_gradients) {
    enum { X = 5, Y = 3, Z = 4 };
    double energy[X * Y * Z];
    crm_random random = {.seed = 8};
    carom_mat3 s = crm_mat3_columns(crm_vec3(1.0, 0.3, -0.4), crm_vec3(0.3, 0.0, 0.8), crm_vec3(-0.4, 0.8, -2.0));
    crm_grid grid = grid_of(X, Y, Z, NULL, energy);
    for (int k = 0; k < Z; k++)
        for (int j = 0; j < Y; j++)
            for (int i = 0; i < X; i++) {
                carom_vec3 at = node_at(&grid, i, j, k);
                energy[i + X * (j + Y * k)] = 0.5 * crm_dot(at, crm_mat3_apply(s, at)) + at.y;
            }
    for (int n = 0; n < 1000; n++) {
        carom_vec3 at = any_place(&grid, &random);
        crm_pair_potential_value v = crm_grid_energy(&grid, at);
        carom_vec3 gradient = crm_add(crm_mat3_apply(s, at), crm_vec3(0, 1, 0));
        CHECK_NEAR(v.energy, 0.5 * crm_dot(at, crm_mat3_apply(s, at)) + at.y, 1e-12);
        CHECK(crm_distance(v.gradient, gradient) < 1e-12);
        CHECK(crm_mat3_norm(crm_mat3_sub(v.hessian, s)) < 1e-11);
    }
    // Of any energies, inside and outside.
    for (int i = 0; i < X * Y * Z; i++) energy[i] = crm_random_normal(&random);
    for (int n = 0; n < 300; n++) {
        carom_vec3 at = crm_madd(any_place(&grid, &random), 0.5, any_vector(&random));
        crm_pair_potential_value v = crm_grid_energy(&grid, at);
        const double d = 1e-5;
        carom_vec3 slope;
        slope.x = crm_grid_energy(&grid, crm_add(at, crm_vec3(d, 0, 0))).energy;
        slope.x = (slope.x - crm_grid_energy(&grid, crm_sub(at, crm_vec3(d, 0, 0))).energy) / (2.0 * d);
        slope.y = crm_grid_energy(&grid, crm_add(at, crm_vec3(0, d, 0))).energy;
        slope.y = (slope.y - crm_grid_energy(&grid, crm_sub(at, crm_vec3(0, d, 0))).energy) / (2.0 * d);
        slope.z = crm_grid_energy(&grid, crm_add(at, crm_vec3(0, 0, d))).energy;
        slope.z = (slope.z - crm_grid_energy(&grid, crm_sub(at, crm_vec3(0, 0, d))).energy) / (2.0 * d);
        CHECK(crm_distance(slope, v.gradient) < 1e-3 * fmax(1.0, crm_length(v.gradient)));
    }
}

// ---- light

static double pushed_at(carom_vec3 position) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_POINT;
    def.position = position;
    carom_sunlight_def light = carom_sunlight_def_default();
    light.body = world_add(model, &def);
    light.direction = crm_vec3(-2.0, 0.0, 0.0);
    light.pressure = 4.0, light.area = 0.5, light.reflectivity = 0.3;
    light.centre = crm_vec3(10.0, 0.0, 0.0);
    light.shadow_radius = 3.0;
    CHECK(carom_model_add_sunlight(model, &light, NULL) == CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, 1.0);
    carom_step_report report = world_run(state, 1);
    double push = -world_body(state, 0).velocity.x;
    CHECK(report.ledger.passive == 0.0);
    CHECK((report.ledger.active > 0.0) == (push > 0.0));
    world_destroy(state);
    return push;
}

TEST(light_pushes_but_in_the_shadow) {
    CHECK_NEAR(pushed_at(crm_vec3(40.0, 0.0, 0.0)), 4.0 * 0.5 * 1.3, 1e-15); // before the sphere
    CHECK_NEAR(pushed_at(crm_vec3(-40.0, 2.2, 2.1)), 2.6, 1e-15);            // beside the cylinder
    CHECK(pushed_at(crm_vec3(-40.0, 2.1, 2.1)) == 0.0);
    CHECK(pushed_at(crm_vec3(9.0, 0.0, 0.0)) == 0.0);
}

// ---- functions of several bodies

// A spring between the first and the second, on both; told as energy where the user wants it.
static int opposite_forces(void *user, carom_system *system) {
    carom_force_sample a = carom_system_sample(system, 0), b = carom_system_sample(system, 1);
    carom_vec3 apart = crm_sub(a.position, b.position);
    carom_force_value value = {.force = crm_scale(-3.0, apart), .conservative = *(const bool *)user};
    value.energy = 1.5 * crm_dot(apart, apart);
    carom_system_apply(system, 0, &value);
    value.force = crm_negate(value.force);
    value.energy = 0.0;
    carom_system_apply(system, 1, &value);
    carom_system_apply(system, 2, &value); // is not in the list
    return 0;
}

// Three points, of which the last is not in the list.
static carom_state *opposed(bool *conservative, carom_method method, double step) {
    carom_model *model = two_points(2.0);
    carom_body_def far = carom_body_def_default();
    far.kind = CAROM_BODY_POINT;
    far.position = crm_vec3(0.0, 50.0, 0.0);
    far.velocity = crm_vec3(0.25, 0.0, 0.0);
    world_add(model, &far);
    const carom_body list[] = {{0}, {1}};
    carom_system_callback_def def = carom_system_callback_def_default();
    def.count = 2;
    def.body = list;
    def.function = opposite_forces;
    def.user = conservative;
    carom_error error = {.text = ""};
    CHECK(carom_model_add_system_callback(model, &def, &error) == CAROM_OK);
    return world_state(model, method, step);
}

TEST(a_function_of_two_bodies_keeps_their_momentum_and_its_energy) {
    const carom_method methods[] = {CAROM_METHOD_EULER, CAROM_METHOD_MULTIPLIER, CAROM_METHOD_REDUCED,
                                    CAROM_METHOD_LCP,   CAROM_METHOD_IMPULSE,    CAROM_METHOD_PENALTY};
    for (size_t m = 0; m < sizeof methods / sizeof methods[0]; m++) {
        for (int told = 0; told < 2; told++) {
            bool conservative = told != 0;
            carom_state *state = opposed(&conservative, methods[m], 0.001);
            CHECK_NEAR(carom_state_energy(state).potential, conservative ? 6.0 : 0.0, 1e-15);
            double work = 0.0, start = carom_state_energy(state).kinetic;
            for (int i = 0; i < 100; i++) {
                carom_step_report report = world_run(state, 1);
                carom_vec3 sum = crm_madd(world_body(state, 0).velocity, 2.0, world_body(state, 1).velocity);
                CHECK(crm_length(sum) < 1e-15);
                CHECK(report.momentum_balance < 1e-12);
                work += conservative ? report.ledger.conservative : report.ledger.active;
            }
            CHECK_NEAR(work, carom_state_energy(state).kinetic - start, 0.02);
            CHECK(world_body(state, 2).velocity.x == 0.25);
            CHECK(carom_state_island(state, (carom_body){1}) == 0);
            world_destroy(state);
        }
    }
}

static int refusing(void *user, carom_system *system) {
    (void)system;
    return *(const int *)user;
}

static int without_numbers(void *user, carom_system *system) {
    (void)user;
    carom_force_value value = {.force = {NAN, 0.0, 0.0}};
    carom_system_apply(system, 1, &value);
    return 0;
}

static void check_report(carom_system_function *function, void *user, const char *sentence) {
    carom_model *model = two_points(1.0);
    carom_system_callback_def def = carom_system_callback_def_default();
    def.function = function;
    def.user = user;
    CHECK(carom_model_add_system_callback(model, &def, NULL) == CAROM_OK);
    carom_state *state = world_state(model, CAROM_METHOD_EULER, 0.5);
    carom_step_report report;
    CHECK(carom_step(carom_state_model(state), state, NULL, &report, NULL) == CAROM_OK);
    CHECK(report.outcome == CAROM_STEP_IMPOSSIBLE);
    CHECK_TEXT(report.text, sentence);
    world_destroy(state);
}

TEST(functions_of_several_bodies_can_refuse) {
    int smaller = 1;
    check_report(refusing, &smaller,
                 "body 0 has a force callback that answered 1 at t = 0 s: it asks for a smaller step; make method.step "
                 "smaller");
    check_report(without_numbers, NULL,
                 "body 1 has a force callback that gave a force or torque that is not finite at t = 0 s; mend the "
                 "callback");
}

// ---- what is refused

typedef carom_status add_function(carom_model *model, carom_error *error);

#define ADD(name, kind, ...)                                                          \
    static carom_status name(carom_model *model, carom_error *error) {                \
        carom_##kind##_def def = carom_##kind##_def_default();                        \
        const double some[] = {1.0, 3.0}, down[] = {3.0, 1.0}, below[] = {-1.0, 2.0}; \
        const carom_vec3 force[] = {{1, 0, 0}, {NAN, 0, 0}};                          \
        const carom_body twice[] = {{1}, {1}};                                        \
        (void)some, (void)down, (void)below, (void)force, (void)twice;                \
        __VA_ARGS__;                                                                  \
        return carom_model_add_##kind(model, &def, error);                            \
    }
ADD(pair_itself, pair, def.a.index = def.b.index = 0)
ADD(pair_nobody, pair, def.a.index = 0, def.b.index = 7)
ADD(pair_point, pair, def.a.index = 0, def.b.index = 1, def.point_b.x = 1.0)
ADD(pair_law, pair, def.a.index = 0, def.law = (carom_pair_law)9)
ADD(pair_spring, pair, def.a.index = 0, def.stiffness = -1.0)
ADD(pair_charge, pair, def.a.index = 0, def.law = CAROM_PAIR_LAW_CHARGE, def.charge_b = NAN)
ADD(pair_exponent, pair, def.a.index = 0, def.law = CAROM_PAIR_LAW_POWER, def.repulsion_exponent = -1.0)
ADD(pair_short, pair, def.a.index = 0, def.law = CAROM_PAIR_LAW_TABLE, def.count = 1)
ADD(pair_down, pair, def.a.index = 0, def.law = CAROM_PAIR_LAW_TABLE, def.count = 2, def.distance = down,
    def.force = some)
ADD(pair_below, pair, def.a.index = 0, def.law = CAROM_PAIR_LAW_TABLE, def.count = 2, def.distance = below,
    def.force = some)
ADD(central_world, central, def.mu = 1.0)
ADD(central_mu, central, def.body.index = 0, def.mu = -1.0)
ADD(central_radius, central, def.body.index = 0, def.j2 = 0.1)
ADD(central_axis, central, def.body.index = 0, def.axis.z = 0.0)
ADD(central_extended, central, def.body.index = 0, def.extended = true)
ADD(air_scale, atmosphere, def.body.index = 0, def.scale_height = 0.0)
ADD(air_density, atmosphere, def.body.index = 0, def.density = -1.0)
ADD(light_mirror, sunlight, def.body.index = 0, def.reflectivity = 1.5)
ADD(grid_count, grid, def.body.index = 0, def.count[1] = 0, def.energy = some)
ADD(grid_nothing, grid, def.body.index = 0)
ADD(grid_both, grid, def.body.index = 0, def.force = force, def.energy = some)
ADD(grid_torque, grid, def.body.index = 0, def.torque = force, def.energy = some)
ADD(grid_value, grid, def.body.index = 0, def.count[0] = 2, def.force = force)
ADD(grid_spacing, grid, def.body.index = 0, def.spacing.y = 0.0, def.energy = some)
ADD(system_missing, system_callback, def.count = 0)
ADD(system_twice, system_callback, def.function = without_numbers, def.count = 2, def.body = twice)
ADD(system_many, system_callback, def.function = without_numbers, def.count = 9, def.body = twice)
ADD(system_count, system_callback, def.function = without_numbers, def.count = 2)

static const struct {
    add_function *add;
    const char *sentence;
} refusals[] = {
    {pair_itself, "pair: both points are on the same body; take two different ones"},
    {pair_nobody, "pair: there is no body 7; the model has 2 bodies"},
    {pair_point, "pair: point_b is (1, 0, 0) m, but body 1 is a point: forces act at its origin"},
    {pair_law, "pair: 9 is no law; take one of carom_pair_law"},
    {pair_spring, "spring: stiffness is -1, must be finite and not negative"},
    {pair_charge, "pair: charge_b is nan, must be finite"},
    {pair_exponent, "pair: repulsion_exponent is -1, must be from 0 to 100"},
    {pair_short, "pair: a table of 1 points, must have 2 to 10000000, each a distance and a force"},
    {pair_down, "pair: point 1 of the table is at 1 m, not farther than the one before it, at 3 m; sort the points by "
                "their distances, each once"},
    {pair_below, "pair: point 0 of the table is at distance -1 m, which is below 0"},
    {central_world, "central: there is no body -1; the model has 2 bodies"},
    {central_mu, "central: mu is -1, must be finite and not negative"},
    {central_radius, "central: j2 is 0.1 without a radius that it refers to; give one"},
    {central_axis, "central: axis is (0, 0, 0), must be finite and not zero"},
    {central_extended, "central: body 0 is not free, and its moments of inertia are not known; leave out extended"},
    {air_scale, "atmosphere: scale_height is 0, must be finite and positive"},
    {air_density, "atmosphere: density is -1, must be finite and not negative"},
    {light_mirror, "sunlight: reflectivity is 1.5, must be from 0 to 1"},
    {grid_count, "grid: 1 x 0 x 1 nodes, must be at least 1 along each direction and at most 100000000"},
    {grid_nothing, "grid: needs either forces or energies of its nodes, and has none"},
    {grid_both, "grid: needs either forces or energies of its nodes, not both"},
    {grid_torque, "grid: has torques beside energies; they go with forces"},
    {grid_value, "grid: the value of node 1 is not finite"},
    {grid_spacing, "grid: spacing is 0, must be finite and positive"},
    {system_missing, "system callback: the function is missing"},
    {system_twice, "system callback: body 1 is twice in the list; name each once"},
    {system_many, "system callback: the list has 9 bodies, must have at least 1 and at most the 2 of the model; all of "
                  "them without a list"},
    {system_count, "system callback: count is 2 without a list; leave it out, or give the list"},
};

TEST(what_is_impossible_is_refused_with_a_sentence) {
    carom_model *model = two_points(1.0);
    for (size_t i = 0; i < sizeof refusals / sizeof refusals[0]; i++) {
        carom_error error = {.text = ""};
        CHECK(refusals[i].add(model, &error) == CAROM_ERR_BAD_INPUT);
        CHECK_TEXT(error.text, refusals[i].sentence);
    }
    carom_error error;
    carom_body_def fixed = carom_body_def_default();
    fixed.kind = CAROM_BODY_FIXED;
    carom_central_def central = carom_central_def_default();
    central.body = world_add(model, &fixed);
    CHECK(carom_model_add_central(model, &central, &error) == CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "central: body 2 is fixed, so that nothing moves it");
    carom_model_destroy(model);
    carom_model_def def = carom_model_def_default();
    def.reference_frame = CAROM_FRAME_HILL;
    CHECK(carom_model_create(&def, &model, &error) == CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "mean_motion is 0 rad/s, must be positive and finite in Hill's frame");
}

TEST_MAIN(CASE(laws_have_their_forces_and_energies), CASE(tables_are_interpolated_and_integrated_exactly),
          CASE(smooth_tables_have_a_continuous_slope), CASE(a_linear_field_is_exact),
          CASE(quadratic_energies_are_exact_and_forces_are_their_gradients), CASE(light_pushes_but_in_the_shadow),
          CASE(a_function_of_two_bodies_keeps_their_momentum_and_its_energy),
          CASE(functions_of_several_bodies_can_refuse), CASE(what_is_impossible_is_refused_with_a_sentence))

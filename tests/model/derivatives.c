// SPDX-License-Identifier: MIT
// Derivative blocks of every force field against central differences of the forces.
#include "model/force/derivatives.h"

#include <math.h>

#include "base/random.h"
#include "math/so3.h"
#include "model/force/evaluate.h"
#include "model/model_state.h"
#include "support/harness/check.h"

enum { BODIES = 5 };

// A force that depends on everything it is given.
static int curious_force(void *user, const carom_force_sample *s, carom_force_value *value) {
    (void)user;
    carom_vec3 axis = crm_quat_rotate(s->attitude, crm_vec3(0.3, -0.2, 1.0));
    value->force = crm_add(crm_scale(-2.0, crm_cross(s->position, axis)), crm_scale(0.5 + s->time, s->velocity));
    value->torque = crm_add(crm_cross(s->spin, s->position), crm_scale(0.7, axis));
    return 0;
}

static carom_vec3 vector(crm_random *random) {
    return crm_vec3(crm_random_normal(random), crm_random_normal(random), crm_random_normal(random));
}

static carom_model *make_model_in(carom_reference_frame frame, crm_random *random) {
    carom_model *model;
    carom_model_def def = carom_model_def_default();
    def.reference_frame = frame;
    def.mean_motion = frame == CAROM_FRAME_HILL ? 0.6 : 0.0;
    def.coulomb_constant = 3.0;
    assert_int_equal(carom_model_create(&def, &model, NULL), CAROM_OK);
    const carom_body_kind kinds[BODIES] = {CAROM_BODY_FREE, CAROM_BODY_FREE, CAROM_BODY_PLANAR, CAROM_BODY_POINT,
                                           CAROM_BODY_FIXED};
    for (int b = 0; b < BODIES; b++) {
        carom_body_def body = carom_body_def_default();
        body.kind = kinds[b];
        body.mass = crm_random_between(random, 0.5, 2.0);
        body.inertia = crm_congruence_diagonal(crm_quat_to_mat3(crm_random_rotation(random)), crm_vec3(1.0, 1.3, 1.9));
        body.position = crm_add(vector(random), crm_vec3(3.0 * b, 0.0, 0.0));
        if (kinds[b] == CAROM_BODY_FREE) {
            body.attitude = crm_random_rotation(random);
            body.centre = vector(random);
            body.spin = vector(random);
        }
        if (kinds[b] != CAROM_BODY_FIXED) body.velocity = vector(random);
        if (kinds[b] == CAROM_BODY_PLANAR) {
            body.velocity.z = body.position.z = 0.0;
            body.spin = crm_vec3(0.0, 0.0, 1.5);
        }
        assert_int_equal(carom_model_add_body(model, &body, NULL, NULL), CAROM_OK);
    }
    return model;
}

static carom_model *make_model(crm_random *random) {
    return make_model_in(CAROM_FRAME_INERTIAL, random);
}

static void add_springs(carom_model *model, double damping, crm_random *random) {
    const int ends[][2] = {{0, 1}, {1, 0}, {1, 2}, {3, 2}, {2, -1}, {-1, 0}, {4, 1}, {0, 3}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        carom_spring_def spring = {.struct_size = sizeof(carom_spring_def),
                                   .a = {ends[i][0]},
                                   .b = {ends[i][1]},
                                   .point_a = ends[i][0] == 3 ? crm_vec3_zero() : vector(random),
                                   .point_b = ends[i][1] == 3 ? crm_vec3_zero() : vector(random),
                                   .stiffness = crm_random_between(random, 1.0, 9.0),
                                   .damping = damping,
                                   .rest_length = i % 2 == 0 ? 0.8 : 0.0};
        assert_int_equal(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    }
}

// The wrenches of all bodies when component k of body b is changed: 0 ... 5 pose, 6 ... 11 velocity.
static void varied_forces(const carom_model *model, const crm_motion *motions, int b, int k, double change,
                          crm_vec6 *wrench) {
    crm_motion varied[BODIES];
    crm_vec6 active[BODIES], passive[BODIES];
    for (int i = 0; i < BODIES; i++) varied[i] = motions[i];
    const crm_body *body = &model->bodies.items[b];
    carom_vec3 spin = crm_motion_spin(body, &motions[b]);
    double unit[12] = {0};
    unit[k] = change;
    varied[b].x = crm_add(varied[b].x, crm_vec3(unit[0], unit[1], unit[2]));
    varied[b].q = crm_quat_mul(crm_so3_exp(crm_vec3(unit[3], unit[4], unit[5])), varied[b].q);
    varied[b].p = crm_madd(varied[b].p, body->mass, crm_vec3(unit[6], unit[7], unit[8]));
    varied[b].l = crm_motion_angular_momentum(body, varied[b].q, crm_add(spin, crm_vec3(unit[9], unit[10], unit[11])));
    crm_forces_evaluate(model, 0.4, varied, NULL, NULL, wrench, active, passive);
}

static double entry(const crm_block_matrix *m, int row_body, int column_body, int row, int column) {
    if (row_body == column_body) return m->diagonal[m->node_block[row_body] + row + 6 * column];
    for (int e = 0; e < m->graph.edge_count; e++) {
        if (m->graph.edge[e].row == row_body && m->graph.edge[e].column == column_body)
            return m->edges[m->edge_block[e] + row + 6 * column];
        if (m->graph.edge[e].row == column_body && m->graph.edge[e].column == row_body)
            return m->mirror[m->edge_block[e] + row + 6 * column];
    }
    return 0.0;
}

static double component(crm_vec6 w, int k) {
    return k < 3 ? crm_component(w.linear, k) : crm_component(w.angular, k - 3);
}

// Compares every entry in which body b varies and can: a planar body's spin about x means nothing.
static void check_model(carom_model *model, bool differenced) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    assert_int_equal(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EULER;
    carom_state *state;
    assert_int_equal(carom_state_create(model, &method, &state, NULL), CAROM_OK);
    crm_force_derivatives derivatives;
    assert_int_equal(crm_force_derivatives_create(model, &arena, &derivatives, NULL), CAROM_OK);
    crm_force_derivatives_evaluate(model, 0.4, state->motions, &derivatives);
    CHECK(derivatives.differenced == differenced);
    const double change = 1e-5; // truncation about 1e-10 of third derivatives, rounding about 1e-11 of the forces
    for (int b = 0; b < BODIES; b++) {
        for (int k = 0; k < 12; k++) {
            if (!crm_kind_admits(model->bodies.items[b].kind, k % 6)) continue;
            crm_vec6 plus[BODIES], minus[BODIES];
            varied_forces(model, state->motions, b, k, change, plus);
            varied_forces(model, state->motions, b, k, -change, minus);
            for (int i = 0; i < BODIES; i++) {
                crm_vec6 slope = crm_vec6_scale(0.5 / change, crm_vec6_sub(plus[i], minus[i]));
                for (int j = 0; j < 6; j++)
                    CHECK_NEAR(entry(k < 6 ? &derivatives.stiffness : &derivatives.damping, i, b, j, k % 6),
                               component(slope, j), 2e-7);
            }
        }
    }
    carom_state_destroy(state);
    carom_model_destroy(model);
    crm_arena_free(&arena);
}

TEST(springs) {
    crm_random random = {.seed = 41};
    carom_model *model = make_model(&random);
    add_springs(model, 0.0, &random);
    check_model(model, false);
}

TEST(dampers) {
    crm_random random = {.seed = 42};
    carom_model *model = make_model(&random);
    add_springs(model, 0.7, &random);
    check_model(model, false);
}

TEST(charges_and_magnets) {
    crm_random random = {.seed = 43};
    carom_model *model = make_model(&random);
    for (int b = -1; b < BODIES; b++) {
        carom_charge_def charge = {
            sizeof(carom_charge_def), {b}, b == 3 ? crm_vec3_zero() : vector(&random), crm_random_normal(&random)};
        assert_int_equal(carom_model_add_charge(model, &charge, NULL), CAROM_OK);
    }
    carom_magnet_def magnet = {sizeof(carom_magnet_def), {1}, vector(&random), vector(&random), 0.5, 1.4};
    assert_int_equal(carom_model_add_magnet(model, &magnet, NULL), CAROM_OK);
    check_model(model, false);
}

TEST(drag_and_wrenches) {
    crm_random random = {.seed = 44};
    carom_model *model = make_model(&random);
    for (int b = 0; b < BODIES; b++) {
        carom_drag_def drag = {sizeof(carom_drag_def), {b}, 0.3 + b, 0.2, 0.1};
        assert_int_equal(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
        carom_wrench_def wrench = {
            sizeof(carom_wrench_def), {b},  b == 3 ? crm_vec3_zero() : vector(&random), vector(&random),
            vector(&random),          false};
        assert_int_equal(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
        wrench.in_body_axes = true;
        assert_int_equal(carom_model_add_wrench(model, &wrench, NULL), CAROM_OK);
    }
    check_model(model, false);
}

TEST(callbacks_are_differenced_and_say_so) {
    crm_random random = {.seed = 45};
    carom_model *model = make_model(&random);
    for (int b = 0; b < BODIES; b++) {
        carom_callback_def callback = {sizeof(carom_callback_def), {b}, curious_force, NULL};
        assert_int_equal(carom_model_add_callback(model, &callback, NULL), CAROM_OK);
    }
    check_model(model, true);
}

// Of every body on every other: each feels the others and its own motion.
static int mutual_force(void *user, carom_system *system) {
    int count = carom_system_body_count(system);
    double strength = *(const double *)user;
    for (int i = 0; i < count; i++) {
        carom_force_sample own = carom_system_sample(system, i);
        carom_force_value value = {.conservative = i % 2 == 0};
        value.torque = crm_scale(0.3 * strength, crm_cross(own.spin, own.velocity));
        for (int j = 0; j < count; j++) {
            carom_force_sample other = carom_system_sample(system, j);
            carom_vec3 axis = crm_quat_rotate(other.attitude, crm_vec3(0.3, -0.2, 1.0));
            value.force = crm_add(value.force, crm_cross(axis, crm_sub(other.velocity, own.position)));
            value.torque = crm_madd(value.torque, strength + carom_system_time(system), other.spin);
        }
        carom_system_apply(system, i, &value);
    }
    return 0;
}

TEST(system_callbacks_have_blocks_between_all_bodies_of_their_list) {
    crm_random random = {.seed = 46};
    carom_model *model = make_model(&random);
    add_springs(model, 0.0, &random);
    const carom_body some[] = {{3}, {0}, {2}};
    static double strengths[2] = {0.7, -0.4};
    carom_system_callback_def all = carom_system_callback_def_default();
    all.function = mutual_force;
    all.user = &strengths[0];
    assert_int_equal(carom_model_add_system_callback(model, &all, NULL), CAROM_OK);
    carom_system_callback_def listed = all;
    listed.user = &strengths[1];
    listed.body = some;
    listed.count = 3;
    assert_int_equal(carom_model_add_system_callback(model, &listed, NULL), CAROM_OK);
    check_model(model, true);
}

TEST(laws_of_pairs) {
    crm_random random = {.seed = 47};
    carom_model *model = make_model(&random);
    const double distance[] = {0.5, 1.0, 2.5, 4.0, 9.0, 20.0}, force[] = {3.0, -1.0, 2.0, 2.5, -4.0, 0.0};
    for (int a = 0; a < BODIES; a++) {
        for (int law = 0; law < CAROM_PAIR_LAW_COUNT + 1; law++) {
            carom_pair_def pair = carom_pair_def_default();
            pair.a.index = a;
            pair.b.index = a == 0 ? -1 : (a + law) % BODIES == a ? -1 : (a + law) % BODIES;
            if (a != 3) pair.point_a = vector(&random);
            if (pair.b.index != 3) pair.point_b = vector(&random);
            pair.law = law < CAROM_PAIR_LAW_COUNT ? (carom_pair_law)law : CAROM_PAIR_LAW_TABLE;
            pair.stiffness = 2.0, pair.rest_length = 0.4;
            pair.charge_a = 1.2, pair.charge_b = -0.7;
            pair.repulsion = 1.7, pair.repulsion_exponent = 3.5, pair.attraction = 0.9, pair.attraction_exponent = 1.0;
            pair.count = 6, pair.distance = distance, pair.force = force, pair.smooth = law == CAROM_PAIR_LAW_COUNT;
            assert_int_equal(carom_model_add_pair(model, &pair, NULL), CAROM_OK);
        }
    }
    check_model(model, false);
}

TEST(central_gravity_with_oblateness_and_extension) {
    crm_random random = {.seed = 48};
    carom_model *model = make_model(&random);
    for (int b = 0; b < 4; b++) {
        carom_central_def central = carom_central_def_default();
        central.body.index = b;
        central.centre = crm_vec3(-4.0, 2.0, 3.0);
        central.mu = 9.0;
        central.j2 = 0.3;
        central.radius = 2.0;
        central.axis = vector(&random);
        central.extended = b < 2;
        assert_int_equal(carom_model_add_central(model, &central, NULL), CAROM_OK);
    }
    check_model(model, false);
}

TEST(atmosphere_light_and_grids) {
    crm_random random = {.seed = 49};
    carom_model *model = make_model(&random);
    enum { NODES = 5 * 4 * 3 };
    carom_vec3 force[NODES + 3];
    double energy[NODES];
    for (int i = 0; i < NODES + 3; i++) force[i] = vector(&random);
    for (int i = 0; i < NODES; i++) energy[i] = crm_random_normal(&random);
    for (int b = 0; b < 4; b++) {
        carom_atmosphere_def air = carom_atmosphere_def_default();
        air.body.index = b;
        air.centre = crm_vec3(-4.0, 2.0, 3.0);
        air.radius = 5.0, air.density = 0.4, air.scale_height = 3.0, air.drag_area = 1.1;
        air.rotation = vector(&random);
        assert_int_equal(carom_model_add_atmosphere(model, &air, NULL), CAROM_OK);
        carom_sunlight_def light = carom_sunlight_def_default();
        light.body.index = b;
        light.pressure = 2.0, light.area = 0.3;
        assert_int_equal(carom_model_add_sunlight(model, &light, NULL), CAROM_OK);
        carom_grid_def grid = carom_grid_def_default();
        grid.body.index = b;
        grid.origin = crm_vec3(-1.0, -2.5, -1.5);
        grid.spacing = crm_vec3(2.1, 1.7, 1.3); // some bodies are outside
        grid.count[0] = 5, grid.count[1] = 4, grid.count[2] = 3;
        grid.force = force;
        grid.torque = b % 2 == 0 ? &force[3] : NULL; // others of the same numbers
        assert_int_equal(carom_model_add_grid(model, &grid, NULL), CAROM_OK);
        grid.force = grid.torque = NULL, grid.energy = energy;
        assert_int_equal(carom_model_add_grid(model, &grid, NULL), CAROM_OK);
    }
    check_model(model, false);
}

TEST(hills_frame) {
    crm_random random = {.seed = 50};
    carom_model *model = make_model_in(CAROM_FRAME_HILL, &random);
    check_model(model, false);
}

TEST_MAIN(CASE(system_callbacks_have_blocks_between_all_bodies_of_their_list), CASE(laws_of_pairs),
          CASE(central_gravity_with_oblateness_and_extension), CASE(atmosphere_light_and_grids), CASE(hills_frame),
          CASE(springs), CASE(dampers), CASE(charges_and_magnets), CASE(drag_and_wrenches),
          CASE(callbacks_are_differenced_and_say_so))

// SPDX-License-Identifier: MIT
// Flexible bodies in a model and in its states: nodes as bodies, what is refused, fields, stiffness, derivatives.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "carom/tools.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "model/force/derivatives.h"
#include "model/force/evaluate.h"
#include "model/model_state.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static const carom_vec3 edges = {0.2, 0.2, 0.2};
enum { NODES = 27 }; // of a cube of two cells an edge

static carom_method_def newmark(double step) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_NEWMARK;
    def.step = step;
    return def;
}

// ---- nodes are bodies

TEST(nodes_are_bodies) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -2.0), 0.0);
    carom_body_def rigid = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    rigid.name = "top";
    world_add(model, &rigid);
    carom_flex_def def = flexible_soft();
    const int32_t fixed[] = {0, 4};
    def.name = "cube", def.fixed = fixed, def.fixed_count = 2;
    def.position = crm_vec3(1.0, 2.0, 3.0);
    def.velocity = crm_vec3(0.5, 0.0, 0.0);
    def.spin = crm_vec3(0.0, 0.0, 2.0);
    carom_flex flex = flexible_box(model, edges, 2, 1, &def), found = {-1};
    CHECK_INT(carom_model_flex_count(model), 1);
    CHECK_TEXT(carom_model_flex_name(model, flex), "cube");
    CHECK(carom_model_find_flex(model, "cube", &found) && found.index == flex.index);
    CHECK(!carom_model_find_flex(model, "top", &found));
    CHECK_INT(carom_model_body_count(model), 1 + NODES);
    CHECK_INT(carom_model_flex_node(model, flex, 3).index, 4);
    CHECK_INT(carom_model_flex_node(model, flex, NODES).index, -1);
    int node = -1;
    CHECK_INT(carom_model_body_flex(model, (carom_body){11}, &node).index, 0);
    CHECK_INT(node, 10);
    CHECK_INT(carom_model_body_flex(model, (carom_body){0}, &node).index, -1);
    CHECK_INT(carom_model_flex_def(model, flex)->fixed[1], 4);
    double mass = 0.0;
    for (int n = 0; n < NODES; n++) {
        carom_body_def body;
        carom_model_get_body(model, carom_model_flex_node(model, flex, n), &body, NULL);
        bool held = n == 0 || n == 4;
        CHECK_INT(body.kind, held ? CAROM_BODY_FIXED : CAROM_BODY_POINT);
        mass += body.mass;
        carom_vec3 arm = crm_sub(body.position, def.position);
        carom_vec3 velocity = crm_add(def.velocity, crm_cross(def.spin, arm));
        CHECK_NEAR(crm_length(crm_sub(body.velocity, held ? crm_vec3_zero() : velocity)), 0.0, 1e-15);
    }
    CHECK_NEAR(mass, 270.0 * 0.008, 1e-14);
    carom_method_def method = newmark(1e-3);
    carom_state *state = flexible_state(model, &method);
    carom_error error = {.text = ""};
    carom_body_state wrong = world_body(state, 6);
    wrong.spin = crm_vec3(1.0, 0.0, 0.0);
    CHECK_INT(carom_state_set_body(state, (carom_body){6}, &wrong, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "node 5 of 'cube'");
    CHECK_INT(carom_state_island(state, (carom_body){9}), 2); // of the first node that moves
    CHECK_INT(carom_state_island(state, (carom_body){0}), 0);
    world_destroy(state);
}

// ---- what is refused

typedef void change(carom_flex_def *def);

static const int32_t out_of_range[] = {3, NODES};
static const int32_t two[] = {1, 2};
static const carom_flex_attachment to_top = {{0}, 2, two}, to_point = {{1}, 2, two}, to_nobody = {{77}, 2, two};

static void no_mesh(carom_flex_def *def) {
    def->mesh = NULL;
}
static void soft(carom_flex_def *def) {
    def->elastic.mu = -1.0;
}
static void mirrored(carom_flex_def *def) {
    def->stretch.x.x = -1.0;
}
static void lost(carom_flex_def *def) {
    def->position.x = NAN;
}
static void fast(carom_flex_def *def) {
    def->velocity.x = 1e160;
}
static void beyond(carom_flex_def *def) {
    def->fixed = out_of_range, def->fixed_count = 2;
}
static void twice(carom_flex_def *def) {
    def->fixed = two, def->fixed_count = 2;
    def->attachments = &to_top, def->attachment_count = 1;
}
static void on_point(carom_flex_def *def) {
    def->attachments = &to_point, def->attachment_count = 1;
}
static void on_nobody(carom_flex_def *def) {
    def->attachments = &to_nobody, def->attachment_count = 1;
}
static void no_material(carom_flex_def *def) {
    def->material.index = 3;
}
static void thick(carom_flex_def *def) {
    def->skin = -1.0;
}
static void named(carom_flex_def *def) {
    def->name = "top";
}

TEST(broken_definitions_are_refused_with_a_sentence) {
    static const struct {
        change *change;
        const char *sentence;
    } broken[] = {{no_mesh, "it has no mesh"},
                  {soft, "mu"},
                  {mirrored, "stretch has the determinant -1"},
                  {lost, "position is (nan"},
                  {fast, "too much to compute with"},
                  {beyond, "fixed: there is no node 27; the mesh has 27"},
                  {twice, "node 1 is held by the world and by body 'top'"},
                  {on_point, "is a point body"},
                  {on_nobody, "there is no body 77"},
                  {no_material, "there is no material 3"},
                  {thick, "skin is -1 m"},
                  {named, "there is a body of that name already"}};
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_body_def rigid = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    rigid.name = "top";
    world_add(model, &rigid);
    rigid.name = NULL, rigid.kind = CAROM_BODY_POINT;
    world_add(model, &rigid);
    carom_mesh *mesh = NULL;
    const int cells[3] = {2, 2, 2};
    carom_mesh_create_box(edges, cells, 1, NULL, &mesh, NULL);
    for (size_t i = 0; i < sizeof broken / sizeof broken[0]; i++) {
        carom_error error = {.text = ""};
        carom_flex_def def = flexible_soft();
        def.name = "cube";
        def.mesh = mesh;
        broken[i].change(&def);
        CHECK_INT(carom_model_add_flex(model, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, broken[i].sentence);
        CHECK_INT(carom_model_body_count(model), 2);
        CHECK_INT(carom_model_flex_count(model), 0);
    }
    carom_flex_def def = flexible_soft();
    def.name = "cube", def.mesh = mesh;
    CHECK_INT(carom_model_add_flex(model, &def, NULL, NULL), CAROM_OK);
    carom_error error = {.text = ""};
    CHECK_INT(carom_model_add_flex(model, &def, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "flexible body 'cube': there is a flexible body of that name already");
    rigid.name = "cube";
    CHECK_INT(carom_model_add_body(model, &rigid, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "body 'cube': there is a flexible body of that name already");
    carom_mesh_destroy(mesh);
    carom_model_destroy(model);
}

TEST(refused_memory_leaves_the_model_as_it_was) {
    carom_mesh *mesh = NULL;
    const int cells[3] = {2, 2, 2};
    carom_mesh_create_box(edges, cells, 1, NULL, &mesh, NULL);
    bool done = false;
    for (long long call = 1; !done; call++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_model_def model_def = carom_model_def_default();
        model_def.allocator = &hook;
        carom_model *model = NULL;
        CHECK_INT(carom_model_create(&model_def, &model, NULL), CAROM_OK);
        carom_flex_def def = flexible_soft();
        def.name = "cube", def.mesh = mesh;
        probe.refused_call = probe.calls + call;
        carom_status status = carom_model_add_flex(model, &def, NULL, NULL);
        done = status == CAROM_OK;
        if (!done) {
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            CHECK_INT(carom_model_body_count(model), 0);
            probe.refused_call = 0;
            CHECK_INT(carom_model_add_flex(model, &def, NULL, NULL), CAROM_OK);
        }
        carom_model_destroy(model);
        CHECK_INT(probe.live_blocks, 0);
        CHECK(call < 100);
    }
    carom_mesh_destroy(mesh);
}

TEST(methods_without_them_refuse_by_name) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    flexible_box(model, edges, 1, 1, NULL);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_error error = {.text = ""};
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_EULER;
    CHECK_INT(carom_method_supports(model, &method, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "the method euler has no flexible bodies");
    CHECK_CONTAINS(error.text, "variational");
    CHECK_CONTAINS(error.text, "newmark");
    carom_model_destroy(model);
}

// ---- nodes of a state

TEST(nodes_are_set_and_got_as_a_whole) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = flexible_soft();
    const int32_t fixed[] = {26};
    def.name = "cube", def.fixed = fixed, def.fixed_count = 1;
    carom_flex flex = flexible_box(model, edges, 2, 1, &def);
    carom_method_def method = newmark(1e-3);
    carom_state *state = flexible_state(model, &method);
    carom_vec3 x[NODES], v[NODES], back[NODES];
    CHECK_INT(carom_state_get_nodes(state, flex, x, v, NULL), CAROM_OK);
    for (int n = 0; n < NODES - 1; n++) {
        x[n] = crm_madd(x[n], 1e-3 * n, crm_vec3(0.3, -0.2, 0.1));
        v[n] = crm_vec3(0.1 * n, 0.0, -0.2);
    }
    CHECK_INT(carom_state_set_nodes(state, flex, x, v, NULL), CAROM_OK);
    CHECK_INT(carom_state_get_nodes(state, flex, back, NULL, NULL), CAROM_OK);
    CHECK(memcmp(back, x, sizeof x) == 0);
    CHECK_NEAR(world_body(state, 7).velocity.x, 0.7, 1e-15);
    carom_error error = {.text = ""};
    uint64_t hash = carom_state_hash(state);
    x[26].x += 1e-3;
    CHECK_INT(carom_state_set_nodes(state, flex, x, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "set nodes: node 26 of 'cube' is fixed");
    x[26].x -= 1e-3, x[13] = crm_vec3(1.0, 1.0, 1.0);
    carom_state_get_nodes(state, flex, back, NULL, NULL);
    x[26] = back[26];
    CHECK_INT(carom_state_set_nodes(state, flex, x, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "which is turned inside out there");
    v[4].y = NAN;
    CHECK_INT(carom_state_set_nodes(state, flex, NULL, v, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "node 4 of 'cube' would get a number that is not finite");
    CHECK(carom_state_hash(state) == hash);
    CHECK_INT(carom_state_get_nodes(state, (carom_flex){5}, x, v, &error), CAROM_ERR_BAD_INPUT);
    world_destroy(state);
}

// Uniform stretch s of a turned cube: J = s, von Mises mu (s^2 - 1)/s, the ends s - 1 times half an edge from where
// they would be at rest.
TEST(fields_have_their_closed_forms) {
    double s = 1.3;
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_flex_def def = flexible_soft();
    def.stretch.x.x = s;
    def.attitude = (carom_quat){0.8, 0.0, 0.6, 0.0};
    def.position = crm_vec3(3.0, -2.0, 1.0);
    carom_flex flex = flexible_box(model, edges, 2, 2, &def);
    carom_method_def method = newmark(1e-4);
    carom_state *state = flexible_state(model, &method);
    double field[125];
    int nodes = carom_mesh_node_count(carom_model_flex_def(model, flex)->mesh);
    if (!CHECK(nodes > NODES && nodes <= 125)) return;
    CHECK_INT(carom_flex_field(state, flex, CAROM_FLEX_FIELD_DETERMINANT, field, NULL), CAROM_OK);
    for (int n = 0; n < nodes; n++) CHECK_NEAR(field[n], s, 1e-13);
    CHECK_INT(carom_flex_field(state, flex, CAROM_FLEX_FIELD_VON_MISES, field, NULL), CAROM_OK);
    for (int n = 0; n < nodes; n++) CHECK_NEAR(field[n], 5e3 * (s * s - 1.0) / s, 1e-8);
    CHECK_INT(carom_flex_field(state, flex, CAROM_FLEX_FIELD_DISPLACEMENT, field, NULL), CAROM_OK);
    const carom_vec3 *rest = carom_mesh_nodes(carom_model_flex_def(model, flex)->mesh);
    for (int n = 0; n < nodes; n++) CHECK_NEAR(field[n], (s - 1.0) * fabs(rest[n].x), 1e-13);
    // Energy: W V with the law's own formula.
    double l = log(s), w = 2.5e3 * (s * s - 1.0) - 5e3 * l + 5e3 * l * l;
    CHECK_NEAR(carom_state_energy(state).potential, w * 0.008, 1e-11);
    world_destroy(state);
}

// ---- forces and their derivatives

static carom_state *deformed_state(double viscosity) {
    carom_model *model = world_model(crm_vec3(0.1, 0.0, -1.0), 0.0);
    carom_body_def rigid = world_body_def(1.0, crm_vec3(1.0, 1.0, 1.0));
    world_add(model, &rigid);
    carom_flex_def def = flexible_soft();
    def.elastic.viscosity = viscosity;
    def.stretch = (carom_mat3){{1.2, 0.1, 0.0}, {0.0, 0.9, 0.2}, {-0.1, 0.0, 1.1}};
    const int32_t fixed[] = {3};
    def.fixed = fixed, def.fixed_count = 1;
    carom_flex flex = flexible_box(model, edges, 1, 1, &def);
    carom_spring_def spring = carom_spring_def_default(); // shares an edge of the graph
    spring.a = carom_model_flex_node(model, flex, 0);
    spring.b = carom_model_flex_node(model, flex, 1);
    spring.stiffness = 50.0;
    CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
    carom_method_def method = newmark(1e-4);
    return flexible_state(model, &method);
}

static void wrenches(const carom_state *state, const crm_motion *motions, crm_vec6 *out) {
    crm_vec6 active[16], passive[16];
    crm_callback_answer answer =
        crm_forces_evaluate(state->model, 0.0, motions, state->configs, NULL, out, active, passive);
    CHECK_INT(answer.body, -1);
}

// Columns of a node's three directions: of poses, or of velocities.
static void check_columns(const carom_state *state, const crm_block_matrix *matrix, bool velocities) {
    enum { BODIES = 9 };
    crm_motion motions[BODIES];
    double unit[6 * BODIES] = {0}, column[6 * BODIES], step = 1e-6;
    for (int b = 0; b < BODIES; b++) motions[b] = state->motions[b];
    for (int b = 1; b < BODIES; b++) {
        if (!crm_body_moves(state->model, b)) continue;
        for (int k = 0; k < 3; k++) {
            crm_vec6 plus[16], minus[16];
            double change = velocities ? step * state->model->bodies.items[b].mass : step;
            for (int sign = -1; sign <= 1; sign += 2) {
                carom_vec3 *at = velocities ? &motions[b].p : &motions[b].x, before = *at;
                *at = crm_with_component(*at, k, crm_component(*at, k) + sign * change);
                wrenches(state, motions, sign < 0 ? minus : plus);
                *at = before;
            }
            unit[6 * b + k] = 1.0;
            crm_block_matrix_apply(matrix, unit, column);
            unit[6 * b + k] = 0.0;
            for (int row = 0; row < BODIES; row++) {
                carom_vec3 slope = crm_scale(0.5 / step, crm_sub(plus[row].linear, minus[row].linear));
                carom_vec3 got = crm_vec3(column[6 * row], column[6 * row + 1], column[6 * row + 2]);
                CHECK_NEAR(crm_length(crm_sub(slope, got)), 0.0, 1e-4);
            }
        }
    }
}

TEST(derivatives_are_those_of_the_forces) {
    for (int viscous = 0; viscous <= 1; viscous++) {
        carom_state *state = deformed_state(viscous ? 0.01 : 0.0);
        crm_arena arena;
        crm_arena_init(&arena, NULL);
        crm_force_derivatives slopes;
        CHECK_INT(crm_force_derivatives_create(state->model, &arena, &slopes, NULL), CAROM_OK);
        crm_force_derivatives_evaluate(state->model, 0.0, state->motions, &slopes);
        check_columns(state, &slopes.stiffness, false);
        if (viscous) check_columns(state, &slopes.damping, true);
        crm_arena_free(&arena);
        world_destroy(state);
    }
}

// Rows times a translation vanish; each is minus the derivative of the forces that the mesh has.
TEST(stiffness_is_that_of_the_mesh) {
    carom_state *state = deformed_state(0.0);
    int64_t count = 0;
    int start[25], *column;
    double *value;
    CHECK_INT(carom_flex_stiffness(state, (carom_flex){0}, &count, NULL, NULL, NULL, NULL), CAROM_OK);
    column = malloc((size_t)count * sizeof *column);
    value = malloc((size_t)count * sizeof *value);
    CHECK_INT(carom_flex_stiffness(state, (carom_flex){0}, &count, start, column, value, NULL), CAROM_OK);
    CHECK_INT(start[24], count);
    for (int row = 0; row < 24; row++) {
        double sum[3] = {0.0}, largest = 0.0;
        for (int i = start[row]; i < start[row + 1]; i++) {
            sum[column[i] % 3] += value[i];
            largest = fmax(largest, fabs(value[i]));
        }
        for (int k = 0; k < 3; k++) CHECK_NEAR(sum[k], 0.0, 1e-12 * largest);
    }
    free(column), free(value);
    world_destroy(state);
}

// A state of another material does not fit.
TEST(saved_states_know_the_material) {
    carom_method_def method = newmark(1e-4);
    carom_state *state[2];
    for (int k = 0; k < 2; k++) {
        carom_model *model = world_model(crm_vec3_zero(), 0.0);
        carom_flex_def def = flexible_soft();
        def.elastic.mu += k;
        flexible_box(model, edges, 1, 1, &def);
        state[k] = flexible_state(model, &method);
    }
    size_t size = carom_state_size(state[0]);
    void *bytes = malloc(size);
    carom_state_save(state[0], bytes);
    CHECK_INT(carom_state_load(state[0], bytes, size, NULL), CAROM_OK);
    CHECK(carom_state_load(state[1], bytes, size, NULL) != CAROM_OK);
    free(bytes);
    world_destroy(state[0]);
    world_destroy(state[1]);
}

TEST_MAIN(CASE(nodes_are_bodies), CASE(broken_definitions_are_refused_with_a_sentence),
          CASE(refused_memory_leaves_the_model_as_it_was), CASE(methods_without_them_refuse_by_name),
          CASE(nodes_are_set_and_got_as_a_whole), CASE(fields_have_their_closed_forms),
          CASE(derivatives_are_those_of_the_forces), CASE(stiffness_is_that_of_the_mesh),
          CASE(saved_states_know_the_material))

// SPDX-License-Identifier: MIT
// Which flexible bodies touch under newmark: themselves where they are asked to, others where groups meet.
#include "step/flex/soft_impact.h"
#include "support/geometry/touching.h"

// Two prongs of a fork, 0.02 m apart, that are thrown at each other.
static carom_state *fork(bool self_contact) {
    carom_mesh *box = NULL, *mesh = NULL;
    const int cells[3] = {5, 4, 2};
    carom_error error = {.text = ""};
    carom_mesh_create_box(crm_vec3(0.1, 0.16, 0.04), cells, 1, NULL, &box, NULL);
    const carom_vec3 *node = carom_mesh_nodes(box);
    const int32_t *element = carom_mesh_elements(box);
    static int32_t kept[4 * 400];
    static carom_vec3 used[200];
    int number[200], count = 0, nodes = 0;
    for (int i = 0; i < 200; i++) number[i] = -1;
    for (int e = 0; e < carom_mesh_element_count(box); e++) {
        double x = 0.0, y = 0.0;
        for (int k = 0; k < 4; k++) x += 0.25 * node[element[4 * e + k]].x, y += 0.25 * node[element[4 * e + k]].y;
        if (fabs(x) < 0.01 && y > -0.04) continue;
        for (int k = 0; k < 4; k++) {
            int from = element[4 * e + k];
            if (number[from] < 0) used[number[from] = nodes++] = node[from];
            kept[4 * count + k] = number[from];
        }
        count++;
    }
    carom_mesh_def def = carom_mesh_def_default();
    def.node_count = nodes;
    def.nodes = used;
    def.element_count = count;
    def.elements = kept;
    if (carom_mesh_create(&def, NULL, &mesh, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_model *model = world_model(origin, 0.0);
    carom_flex_def soft = at(origin, origin);
    soft.mesh = mesh;
    soft.self_contact = self_contact;
    carom_flex flex = {-1};
    if (carom_model_add_flex(model, &soft, &flex, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_method_def method = steps_of(1e-4, 500.0);
    carom_state *state = flexible_state(model, &method);
    static carom_vec3 x[200], v[200];
    carom_state_get_nodes(state, flex, x, v, NULL);
    for (int i = 0; i < nodes; i++)
        v[i].x = x[i].y > -0.04 ? -12.0 * (x[i].y + 0.04) * (x[i].x > 0.0 ? 1.0 : -1.0) : 0.0;
    if (carom_state_set_nodes(state, flex, x, v, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_mesh_destroy(box);
    carom_mesh_destroy(mesh);
    return state;
}

// How far prongs have got into each other: the least distance of the tips.
static double least_distance_of_prongs(carom_state *state, int *touching) {
    double least = INFINITY;
    *touching = 0;
    static carom_vec3 x[200], start[200];
    int nodes = state->model->bodies.count;
    carom_state_get_nodes(state, (carom_flex){0}, start, NULL, NULL);
    for (int i = 0; i < 400; i++) {
        *touching += world_run(state, 1).contacts > 0;
        carom_state_get_nodes(state, (carom_flex){0}, x, NULL, NULL);
        double left = -INFINITY, right = INFINITY;
        for (int n = 0; n < nodes; n++) {
            if (start[n].y < 0.07) continue;
            if (start[n].x < 0.0) left = fmax(left, x[n].x);
            if (start[n].x > 0.0) right = fmin(right, x[n].x);
        }
        least = fmin(least, right - left);
    }
    return least;
}

TEST(a_body_touches_itself_where_it_is_asked_to) {
    int touching;
    carom_state *state = fork(false);
    CHECK(least_distance_of_prongs(state, &touching) < -1e-2); // through each other
    CHECK_INT(touching, 0);
    world_destroy(state);
    state = fork(true);
    carom_momentum before = carom_state_momentum(state);
    CHECK(least_distance_of_prongs(state, &touching) > -4e-3);
    CHECK(touching > 20);
    check_momenta(state, &before, 1e-13);
    world_destroy(state);
}

TEST(groups_that_do_not_meet_pass_through_each_other) {
    carom_model *model = world_model(origin, 0.0);
    carom_material material = touching_material(model, 0.0, 1.0);
    carom_body_def floor = touching_def(model, touching_floor(model), material, 0.0, crm_vec3(0.0, 0.0, -0.02));
    floor.groups = 4;
    world_add(model, &floor);
    carom_flex_def one = at(crm_vec3(-0.04, 0.0, 0.0), crm_vec3(0.1, 0.0, 0.0)),
                   other = at(crm_vec3(0.04, 0.0, 0.0), origin);
    one.groups = 1, one.meets = 1;
    other.groups = 2, other.meets = 2;
    flexible_box(model, cube, 2, 1, &one);
    flexible_box(model, cube, 2, 1, &other);
    carom_method_def def = steps_of(2e-4, 100.0);
    carom_state *state = flexible_state(model, &def);
    CHECK_INT(run_impact(state, 20).touching, 0);
    world_destroy(state);
}

TEST_MAIN(CASE(a_body_touches_itself_where_it_is_asked_to), CASE(groups_that_do_not_meet_pass_through_each_other))

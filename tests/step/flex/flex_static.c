// SPDX-License-Identifier: MIT
// Static solutions against theory that is no finite elements: a cantilever of Timoshenko's, a sphere of Hertz's on a
// layer.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/carom.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

// ---- a cantilever under its weight

static const double pi = 3.14159265358979324, gravity = 9.81, young = 2e7, density = 1000.0, edge = 0.1;

// Of a square bar of length 1 m clamped at one end, with Cowper's factor of shear: w / (8 E I) + w / (2 k G A), m.
static double deflection_by_timoshenko(double poisson) {
    double area = edge * edge, load = density * gravity * area, inertia = area * area / 12.0;
    double shear_factor = 10.0 * (1.0 + poisson) / (12.0 + 11.0 * poisson),
           shear_modulus = young / 2.0 / (1.0 + poisson);
    return load / (8.0 * young * inertia) + load / (2.0 * shear_factor * shear_modulus * area);
}

// How far the free end hangs down: of a scene at its start, or after steps of so many seconds.
static double deflection_of_scene(int order, int across, double poisson, double step, int steps) {
    char text[1024];
    snprintf(
        text, sizeof text,
        "{\"carom\": 1, \"method\": {\"name\": \"lcp\", \"step\": %g, \"lcp\": {\"tolerance\": 1e-10}},"
        "\"materials\": {\"gum\": {\"elastic\": {\"young\": %g, \"poisson\": %g, \"density\": %g}}},"
        "\"flexible\": [{\"name\": \"bar\", \"material\": \"gum\", \"start\": \"%s\", \"mesh\": {\"kind\": \"box\","
        "\"size\": [1, %g, %g], \"cells\": [%d, %d, %d], \"order\": %d},"
        "\"fixed\": {\"plane\": {\"normal\": [-1, 0, 0], \"offset\": 0.5}}}]}",
        step, young, poisson, density, steps == 0 ? "equilibrium" : "rest", edge, edge, 10 * across, across, across,
        order);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    CHECK_INT(carom_scene_read(&source, NULL, &scene, NULL, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    if (scene == NULL) return NAN;
    const carom_model *model = carom_scene_model(scene);
    const carom_mesh *mesh = carom_model_flex_def(model, (carom_flex){0})->mesh;
    CHECK_INT(carom_state_create(model, carom_scene_method(scene), &state, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    if (state != NULL) (void)world_run(state, steps);
    carom_vec3 place[500];
    double sum = 0.0;
    int ends = 0, count = carom_mesh_node_count(mesh);
    CHECK(count <= 500);
    CHECK_INT(carom_state_get_nodes(state, (carom_flex){0}, place, NULL, &error), CAROM_OK);
    for (int n = 0; n < count; n++) {
        carom_vec3 rest = carom_mesh_nodes(mesh)[n];
        if (!(rest.x > 0.499)) continue;
        sum += rest.z - place[n].z;
        ends++;
    }
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return sum / ends;
}

// Ten cells of elements with 10 nodes, one across, have 0.97 of the deflection; of those with 4 two across have 0.67.
TEST(a_bar_of_ten_node_elements_bends_as_theory_says) {
    double wanted = deflection_by_timoshenko(0.3);
    CHECK_NEAR(deflection_of_scene(2, 1, 0.3, 1e-2, 0) / wanted, 1.0, 0.04);
    CHECK_NEAR(deflection_of_scene(2, 1, 0.3, 1e5, 4) / wanted, 1.0, 0.04);
    CHECK_NEAR(deflection_of_scene(1, 2, 0.3, 1e-2, 0) / wanted, 0.67, 0.01);
    CHECK_NEAR(deflection_of_scene(2, 1, 0.45, 1e-2, 0) / deflection_by_timoshenko(0.45), 0.91, 0.01);
}

// ---- a sphere on a block

// From -1 to 1, denser where it is small: steps grow by the same factor.
static double graded(int i, int half, double factor) {
    double share = (pow(factor, abs(i)) - 1.0) / (pow(factor, half) - 1.0);
    return i < 0 ? -share : share;
}

// A block from z = -depth to 0, with small cells at the middle of its top; elements of 10 nodes with straight edges.
static carom_mesh *graded_block(double half_width, double depth, double factor) {
    enum { HALF = 6 };
    static const int edge_of[6][2] = {{0, 1}, {1, 2}, {0, 2}, {0, 3}, {1, 3}, {2, 3}};
    carom_mesh *box = NULL, *mesh = NULL;
    carom_error error = {.text = ""};
    const int cells[3] = {2 * HALF, 2 * HALF, HALF};
    CHECK_INT(carom_mesh_create_box(crm_vec3(2.0 * HALF, 2.0 * HALF, HALF), cells, 2, NULL, &box, &error), CAROM_OK);
    int count = carom_mesh_node_count(box);
    const int32_t *elements = carom_mesh_elements(box);
    carom_vec3 *nodes = malloc((size_t)count * sizeof *nodes);
    for (int n = 0; n < count; n++) {
        carom_vec3 at = carom_mesh_nodes(box)[n];
        nodes[n] = crm_vec3(half_width * graded((int)lround(at.x), HALF, factor),
                            half_width * graded((int)lround(at.y), HALF, factor),
                            depth * graded((int)lround(at.z - 0.5 * HALF), HALF, factor));
    }
    for (int e = 0; e < carom_mesh_element_count(box); e++)
        for (int k = 0; k < 6; k++) {
            const int32_t *node = &elements[10 * e];
            nodes[node[4 + k]] = crm_scale(0.5, crm_add(nodes[node[edge_of[k][0]]], nodes[node[edge_of[k][1]]]));
        }
    carom_mesh_def def = carom_mesh_def_default();
    def.order = 2;
    def.nodes = nodes, def.node_count = count;
    def.elements = elements, def.element_count = carom_mesh_element_count(box);
    CHECK_INT(carom_mesh_create(&def, NULL, &mesh, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    free(nodes);
    carom_mesh_destroy(box);
    return mesh;
}

// Hertz's force of a rigid sphere without friction, times what a layer on a rigid base adds (Dimitriadis et al. 2002).
static double force_of_hertz(double modulus, double poisson, double radius, double depth, double thickness) {
    double hertz = 4.0 / 3.0 * modulus / (1.0 - poisson * poisson) * sqrt(radius) * pow(depth, 1.5);
    double x = sqrt(radius * depth) / thickness;
    double a = -(1.2876 - 1.4678 * poisson + 1.3442 * poisson * poisson) / (1.0 - poisson);
    double b = (0.6387 - 1.0277 * poisson + 1.5164 * poisson * poisson) / (1.0 - poisson);
    double layer = 1.0 - 2.0 * a / pi * x + 4.0 * a * a / (pi * pi) * x * x -
                   8.0 / pow(pi, 3) * (pow(a, 3) + 4.0 * pi * pi / 15.0 * b) * pow(x, 3) +
                   16.0 * a / pow(pi, 4) * (pow(a, 3) + 3.0 * pi * pi / 5.0 * b) * pow(x, 4);
    return hertz * layer;
}

TEST(a_sphere_is_pressed_into_a_block_by_the_force_of_hertz) {
    const double modulus = 1e6, poisson = 0.3, radius = 1.0, depth = 0.0064, thickness = 0.5, huge_step = 1e4;
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_material_def smooth = carom_material_def_default();
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    carom_body_def body = carom_body_def_default();
    carom_flex_def def = carom_flex_def_default();
    smooth.friction = 0.0;
    shape.sphere.radius = radius;
    body.kind = CAROM_BODY_FIXED;
    body.position.z = radius - depth;
    CHECK_INT(carom_model_add_material(model, &smooth, &body.material, NULL), CAROM_OK);
    CHECK_INT(carom_model_add_shape(model, "sphere", &shape, &body.shape, NULL), CAROM_OK);
    (void)world_add(model, &body);
    def.mesh = graded_block(0.6, thickness, 1.5);
    def.material = body.material;
    carom_elastic_from_young(modulus, poisson, &def.elastic.lambda, &def.elastic.mu);
    int32_t fixed[700];
    def.fixed = fixed;
    def.fixed_count = carom_mesh_nodes_beyond(def.mesh, crm_vec3(0.0, 0.0, -1.0), thickness - 1e-6, fixed);
    CHECK(def.fixed_count <= 700);
    CHECK_INT(carom_model_add_flex(model, &def, NULL, NULL), CAROM_OK);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_LCP;
    method.step = huge_step;
    method.lcp.tolerance = 1e-8;
    carom_state *state = flexible_state(model, &method);
    (void)world_run(state, 3);
    int count;
    double force = 0.0;
    const carom_contact_state *table = carom_state_contacts(state, &count);
    for (int i = 0; i < count; i++) force += table[i].normal_impulse * fabs(table[i].normal.z) / huge_step;
    printf("%d nodes touch, force over Hertz's %.4f\n", count,
           force / force_of_hertz(modulus, poisson, radius, depth, thickness));
    CHECK_NEAR(force / force_of_hertz(modulus, poisson, radius, depth, thickness), 1.0, 0.03);
    carom_mesh_destroy((carom_mesh *)def.mesh);
    world_destroy(state);
}

TEST_MAIN(CASE(a_bar_of_ten_node_elements_bends_as_theory_says),
          LONG_CASE(a_sphere_is_pressed_into_a_block_by_the_force_of_hertz))

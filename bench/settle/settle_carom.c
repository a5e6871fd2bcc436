// SPDX-License-Identifier: MIT
#include "settle/settle_carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "carom/shape.h"

static void require(carom_status status, const carom_error *error) {
    if (status == CAROM_OK) return;
    fprintf(stderr, "carom: %s\n", error->text);
    exit(3);
}

static carom_model_shape add_shape(carom_model *model, const carom_shape_def *def) {
    carom_error error;
    carom_model_shape shape = {-1};
    require(carom_model_add_shape(model, NULL, def, &shape, &error), &error);
    return shape;
}

// All bodies of a scene have the same shape.
static carom_model_shape add_body_shape(carom_model *model, const bench_settle_body *body) {
    carom_shape_def def = carom_shape_def_default(body->is_box ? CAROM_SHAPE_BOX : CAROM_SHAPE_ELLIPSOID);
    carom_vec3 half = body->half;
    if (body->is_box)
        def.box.size = (carom_vec3){2.0 * half.x, 2.0 * half.y, 2.0 * half.z};
    else
        def.ellipsoid.half_axes = half;
    return add_shape(model, &def);
}

static void add_body(carom_model *model, carom_model_shape shape, carom_material material,
                     const bench_settle_body *body) {
    carom_error error;
    carom_body_def def = carom_body_def_default();
    def.mass = body->mass;
    def.inertia.x.x = body->inertia.x;
    def.inertia.y.y = body->inertia.y;
    def.inertia.z.z = body->inertia.z;
    def.position = body->start.position;
    def.attitude = body->start.attitude;
    def.shape = shape;
    def.material = material;
    require(carom_model_add_body(model, &def, NULL, &error), &error);
}

// Bodies are where normal.x > offset.
static void add_plane(carom_model *model, carom_material material, carom_vec3 normal, double offset) {
    carom_error error;
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    shape.half_space = (carom_half_space){normal, offset};
    carom_body_def def = carom_body_def_default();
    def.kind = CAROM_BODY_FIXED;
    def.shape = add_shape(model, &shape);
    def.material = material;
    require(carom_model_add_body(model, &def, NULL, &error), &error);
}

carom_model *bench_settle_carom_model(const bench_settle_scene *scene) {
    carom_model *model;
    carom_error error;
    carom_model_def def = carom_model_def_default();
    def.gravity = (carom_vec3){0.0, 0.0, -BENCH_SETTLE_GRAVITY};
    require(carom_model_create(&def, &model, &error), &error);
    carom_material_def material_def = carom_material_def_default();
    carom_material material;
    material_def.friction = BENCH_SETTLE_FRICTION;
    material_def.restitution = 0.0;
    require(carom_model_add_material(model, &material_def, &material, &error), &error);
    carom_model_shape shape = add_body_shape(model, &scene->bodies[0]);
    for (int i = 0; i < scene->count; i++) add_body(model, shape, material, &scene->bodies[i]);
    add_plane(model, material, (carom_vec3){0.0, 0.0, 1.0}, 0.0);
    static const carom_vec3 inward[] = {{1.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, -1.0, 0.0}};
    for (int i = 0; i < 4 && scene->walls > 0.0; i++) add_plane(model, material, inward[i], -scene->walls);
    require(carom_model_freeze(model, &error), &error);
    return model;
}

bench_settle_carom bench_settle_carom_make(const bench_settle_scene *scene, const carom_lcp_def *settings) {
    bench_settle_carom carom = {.model = bench_settle_carom_model(scene)};
    carom_error error;
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_LCP;
    method.step = BENCH_SETTLE_STEP;
    method.lcp = *settings;
    require(carom_state_create(carom.model, &method, &carom.state, &error), &error);
    return carom;
}

void bench_settle_carom_free(bench_settle_carom *carom) {
    carom_state_destroy(carom->state);
    carom_model_destroy(carom->model);
}

// Clocks within a step cost some microseconds: only one step in so many is made with them.
enum { STEPS_PER_PHASES = 4 };

static void add_phases(bench_settle_carom *carom) {
    carom_step_phases step = carom_state_phases(carom->state);
    carom->phases.steps += step.steps;
    carom->phases.total += step.total;
    carom->phases.certificate += step.certificate;
}

bool bench_settle_carom_step(void *engine) {
    bench_settle_carom *carom = engine;
    carom_error error;
    carom_state_time_phases(carom->state, carom->made++ % STEPS_PER_PHASES == 0);
    require(carom_step(carom->model, carom->state, NULL, &carom->report, &error), &error);
    add_phases(carom);
    carom->broken_steps += carom->report.outcome == CAROM_STEP_BROKEN;
    carom->residual = fmax(carom->residual, carom->report.residual);
    carom->iterations += carom->report.iterations;
    return carom->report.outcome != CAROM_STEP_IMPOSSIBLE;
}

void bench_settle_carom_read(void *engine, int body, bench_settle_state *out) {
    carom_error error;
    carom_body_state state;
    require(carom_state_get_body(((bench_settle_carom *)engine)->state, (carom_body){body}, &state, &error), &error);
    *out = (bench_settle_state){{state.position, state.attitude}, state.velocity, state.spin};
}

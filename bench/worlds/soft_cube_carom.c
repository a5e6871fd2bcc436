// SPDX-License-Identifier: MIT
#include "worlds/soft_cube_carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double tolerance = 1e-8;

static void require(carom_status status, const carom_error *error) {
    if (status == CAROM_OK) return;
    fprintf(stderr, "carom: %s\n", error->text);
    exit(3);
}

static void add_floor(carom_model *model, carom_material gel) {
    carom_error error;
    carom_shape_def half_space = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_body_def body = carom_body_def_default();
    require(carom_model_add_shape(model, NULL, &half_space, &body.shape, &error), &error);
    body.kind = CAROM_BODY_FIXED;
    body.material = gel;
    require(carom_model_add_body(model, &body, NULL, &error), &error);
}

bench_cube_carom bench_cube_carom_make(const bench_cube *cube) {
    bench_cube_carom out = {0};
    carom_error error;
    carom_model_def def = carom_model_def_default();
    def.gravity = (carom_vec3){0.0, 0.0, -BENCH_CUBE_GRAVITY};
    require(carom_model_create(&def, &out.model, &error), &error);
    carom_material_def material = carom_material_def_default();
    carom_material gel;
    material.friction = BENCH_CUBE_FRICTION;
    require(carom_model_add_material(out.model, &material, &gel, &error), &error);
    add_floor(out.model, gel);
    carom_flex_def flex = carom_flex_def_default();
    flex.mesh = cube->mesh;
    flex.elastic = cube->elastic;
    flex.position = cube->position;
    flex.attitude = cube->attitude;
    flex.material = gel;
    require(carom_model_add_flex(out.model, &flex, &out.flex, &error), &error);
    require(carom_model_freeze(out.model, &error), &error);
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_LCP;
    method.step = BENCH_CUBE_STEP;
    method.lcp.tolerance = tolerance;
    require(carom_state_create(out.model, &method, &out.state, &error), &error);
    return out;
}

void bench_cube_carom_free(bench_cube_carom *cube) {
    carom_state_destroy(cube->state);
    carom_model_destroy(cube->model);
}

void bench_cube_carom_step(void *engine) {
    bench_cube_carom *cube = engine;
    carom_error error;
    require(carom_step(cube->model, cube->state, NULL, &cube->report, &error), &error);
    cube->residual = fmax(cube->residual, cube->report.residual);
    cube->iterations += cube->report.iterations;
    cube->broken_steps += cube->report.outcome != CAROM_STEP_GOOD;
}

void bench_cube_carom_read(void *engine, carom_vec3 *positions, carom_vec3 *velocities) {
    bench_cube_carom *cube = engine;
    carom_error error;
    require(carom_state_get_nodes(cube->state, cube->flex, positions, velocities, &error), &error);
}

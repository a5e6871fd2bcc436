// SPDX-License-Identifier: MIT
#include "worlds/chain_carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void require(carom_status status, const carom_error *error) {
    if (status == CAROM_OK) return;
    fprintf(stderr, "carom: %s\n", error->text);
    exit(3);
}

// All links have the same attitude: their x axes, rotated from the world's about its y axis, point along the chain.
static void add_link(carom_model *model, int index, carom_quat attitude, carom_vec3 along) {
    carom_error error;
    carom_body_def body = carom_body_def_default();
    double centre = (index + 0.5) * BENCH_LINK_LENGTH;
    body.mass = BENCH_LINK_MASS;
    body.inertia.x.x = bench_link_inertia[0];
    body.inertia.y.y = bench_link_inertia[1];
    body.inertia.z.z = bench_link_inertia[2];
    body.position = (carom_vec3){centre * along.x, 0.0, centre * along.z};
    body.attitude = attitude;
    require(carom_model_add_body(model, &body, NULL, &error), &error);
    carom_joint_def joint = carom_joint_def_default();
    joint.kind = CAROM_JOINT_BALL;
    joint.a = (carom_body){index - 1}; // -1 is the world
    joint.b = (carom_body){index};
    if (index > 0) joint.point_a.x = 0.5 * BENCH_LINK_LENGTH;
    joint.point_b.x = -0.5 * BENCH_LINK_LENGTH;
    require(carom_model_add_joint(model, &joint, NULL, &error), &error);
}

bool bench_chain_carom_make(int links, double angle, const carom_method_def *method, bench_chain_carom *out,
                            carom_error *error) {
    *out = (bench_chain_carom){.model = NULL};
    carom_model_def def = carom_model_def_default();
    def.gravity = (carom_vec3){0.0, 0.0, -BENCH_CHAIN_GRAVITY};
    require(carom_model_create(&def, &out->model, error), error);
    double rotation = 0.5 * acos(-1.0) - angle;
    carom_quat attitude = {cos(0.5 * rotation), 0.0, sin(0.5 * rotation), 0.0};
    for (int i = 0; i < links; i++) add_link(out->model, i, attitude, (carom_vec3){cos(rotation), 0.0, -sin(rotation)});
    require(carom_model_freeze(out->model, error), error);
    carom_status status = carom_state_create(out->model, method, &out->state, error);
    if (status == CAROM_OK) return true;
    if (status != CAROM_ERR_UNSUPPORTED) require(status, error);
    bench_chain_carom_free(out);
    return false;
}

void bench_chain_carom_free(bench_chain_carom *chain) {
    carom_state_destroy(chain->state);
    carom_model_destroy(chain->model);
}

bool bench_chain_carom_step(void *engine) {
    bench_chain_carom *chain = engine;
    carom_error error;
    require(carom_step(chain->model, chain->state, NULL, &chain->report, &error), &error);
    chain->broken_steps += chain->report.outcome == CAROM_STEP_BROKEN;
    return chain->report.outcome != CAROM_STEP_IMPOSSIBLE;
}

void bench_chain_carom_read(void *engine, int link, bench_link *out) {
    carom_error error;
    carom_body_state body;
    require(carom_state_get_body(((bench_chain_carom *)engine)->state, (carom_body){link}, &body, &error), &error);
    *out = (bench_link){.position = {body.position.x, body.position.y, body.position.z},
                        .attitude = {body.attitude.w, body.attitude.x, body.attitude.y, body.attitude.z},
                        .velocity = {body.velocity.x, body.velocity.y, body.velocity.z},
                        .spin = {body.spin.x, body.spin.y, body.spin.z}};
}

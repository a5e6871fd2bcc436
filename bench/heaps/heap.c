// SPDX-License-Identifier: MIT
#include "heaps/heap.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "model/force/evaluate.h"
#include "model/model_state.h"
#include "settle/settle_carom.h"

static const char *const settle_names[] = {"pile", "wall", "ellipsoids"};

void *bench_heap_memory(size_t count, size_t size) {
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        fprintf(stderr, "carom: no memory for the benchmark's heap\n");
        exit(3);
    }
    return memory;
}

// ---- bodies and joints

static bool is_diagonal(carom_mat3 m) {
    double largest = fmax(m.x.x, fmax(m.y.y, m.z.z)), off = fmax(fabs(m.y.x), fmax(fabs(m.z.x), fabs(m.z.y)));
    return off <= 1e-12 * largest;
}

static bench_heap_body body_of(const carom_model *model, int index) {
    const crm_body *own = &model->bodies.items[index];
    bool moves = own->kind != CAROM_BODY_FIXED;
    bench_heap_body body = {.moves = moves,
                            .mass = moves ? own->mass : 0.0,
                            .inertia = own->inertia,
                            .in_body = {own->centre, own->frame},
                            .shape = carom_model_get_shape(model, own->def.shape)};
    if (!moves) body.in_body = (carom_pose){crm_vec3_zero(), crm_quat_identity()};
    if (moves && is_diagonal(own->def.inertia)) {
        carom_mat3 i = own->def.inertia;
        body.in_body.attitude = crm_quat_identity();
        body.inertia = crm_vec3(i.x.x, i.y.y, i.z.z);
    }
    carom_material m = own->def.material;
    carom_model_get_material_pair(model, m, m, &body.friction, &body.restitution, NULL);
    return body;
}

static carom_vec3 in_inertial_frame(const bench_heap *heap, int body, carom_vec3 at) {
    if (body < 0) return at;
    carom_pose frame = heap->bodies[body].in_body;
    return crm_quat_rotate_inverse(frame.attitude, crm_sub(at, frame.position));
}

static bench_heap_joint joint_of(const bench_heap *heap, int index) {
    const carom_joint_def *def = &heap->model->joints.items[index].def;
    int a = def->a.index, b = def->b.index;
    return (bench_heap_joint){a, b, in_inertial_frame(heap, a, def->point_a), in_inertial_frame(heap, b, def->point_b)};
}

static bool has_counterpart(const carom_shape *shape) {
    return shape == NULL || carom_shape_get_kind(shape) != CAROM_SHAPE_CONTAINER;
}

static bool is_common(const carom_model *model) {
    for (int i = 0; i < model->bodies.count; i++) {
        const crm_body *body = &model->bodies.items[i];
        if (body->kind == CAROM_BODY_PLANAR || body->kind == CAROM_BODY_POINT) return false;
        if (!has_counterpart(carom_model_get_shape(model, body->def.shape))) return false;
    }
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (joint->rows != 3 || joint->def.linear_free != 0 || joint->driven || joint->def.bodies_touch) return false;
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *c = &joint->def.coordinate[k];
            if (c->lower > -INFINITY || c->upper < INFINITY) return false;
        }
    }
    return model->mobility.kind == CAROM_MOBILITY_NONE && model->filter == NULL;
}

static void list_bodies(bench_heap *heap) {
    const carom_model *model = heap->model;
    heap->gravity = model->gravity;
    heap->forced = model->drags.count + model->springs.count + model->charges.count + model->wrenches.count +
                       model->callbacks.count + model->system_callbacks.count + model->laws.count +
                       model->fields.count >
                   0;
    heap->common = is_common(model);
    heap->body_count = model->bodies.count;
    heap->joint_count = model->joints.count;
    heap->bodies = bench_heap_memory((size_t)heap->body_count, sizeof *heap->bodies);
    heap->start = bench_heap_memory((size_t)heap->body_count, sizeof *heap->start);
    heap->joints = bench_heap_memory((size_t)heap->joint_count, sizeof *heap->joints);
    for (int i = 0; i < heap->body_count; i++) {
        const carom_body_def *def = &model->bodies.items[i].def;
        carom_body_state own = {def->position, def->attitude, def->velocity, def->spin};
        heap->bodies[i] = body_of(model, i);
        heap->start[i] = bench_heap_state_of(&heap->bodies[i], &own);
    }
    for (int j = 0; j < heap->joint_count; j++) heap->joints[j] = joint_of(heap, j);
}

// ---- open and close

static bool open_settling(const char *source, bench_heap *out) {
    static bench_settle_scene scene;
    if (!bench_settle_make(source, &scene)) return false;
    snprintf(out->name, sizeof out->name, "%s", source);
    out->made = bench_settle_carom_model(&scene);
    out->model = out->made;
    out->method = carom_method_def_default();
    out->method.step = BENCH_SETTLE_STEP;
    out->steps = scene.steps;
    list_bodies(out);
    return true;
}

bool bench_heap_open_scene(const carom_scene_source *source, const carom_allocator *allocator, bench_heap *out) {
    carom_error error;
    *out = (bench_heap){.scene = NULL};
    if (carom_scene_read(source, allocator, &out->scene, NULL, &error) != CAROM_OK) {
        fprintf(stderr, "carom: %s\n", error.text);
        return false;
    }
    out->model = carom_scene_model(out->scene);
    out->method = *carom_scene_method(out->scene);
    out->steps = (int)lround(carom_scene_until(out->scene) / out->method.step);
    snprintf(out->name, sizeof out->name, "%s", carom_scene_name(out->scene));
    list_bodies(out);
    return true;
}

bool bench_heap_open(const char *source, bench_heap *out) {
    *out = (bench_heap){.scene = NULL};
    for (size_t i = 0; i < sizeof settle_names / sizeof settle_names[0]; i++)
        if (strcmp(source, settle_names[i]) == 0) return open_settling(source, out);
    carom_scene_source file = carom_scene_source_default();
    file.file = source;
    return bench_heap_open_scene(&file, NULL, out);
}

void bench_heap_close(bench_heap *heap) {
    free(heap->bodies);
    free(heap->joints);
    free(heap->start);
    carom_scene_destroy(heap->scene);
    carom_model_destroy(heap->made);
}

// ---- frames

bench_heap_state bench_heap_state_of(const bench_heap_body *body, const carom_body_state *own) {
    carom_vec3 arm = crm_quat_rotate(own->attitude, body->in_body.position);
    return (bench_heap_state){
        .pose = {crm_add(own->position, arm), crm_quat_mul(own->attitude, body->in_body.attitude)},
        .velocity = crm_add(own->velocity, crm_cross(own->spin, arm)),
        .spin = own->spin};
}

carom_pose bench_heap_body_pose(const bench_heap_body *body, const bench_heap_state *state) {
    carom_quat attitude = crm_quat_mul(state->pose.attitude, crm_quat_conjugate(body->in_body.attitude));
    attitude = crm_quat_normalised(attitude);
    return (carom_pose){crm_sub(state->pose.position, crm_quat_rotate(attitude, body->in_body.position)), attitude};
}

// ---- forces

void bench_heap_forces(const bench_heap *heap, double time, const bench_heap_state *states, carom_wrench *out) {
    size_t count = (size_t)heap->body_count;
    crm_motion *motions = bench_heap_memory(count, sizeof *motions);
    crm_vec6 *wrench = bench_heap_memory(count, sizeof *wrench), *active = bench_heap_memory(count, sizeof *active);
    crm_vec6 *passive = bench_heap_memory(count, sizeof *passive);
    crm_joint_config *configs = bench_heap_memory((size_t)heap->joint_count, sizeof *configs);
    for (int i = 0; i < heap->body_count; i++) {
        const crm_body *own = &heap->model->bodies.items[i];
        carom_pose pose = bench_heap_body_pose(&heap->bodies[i], &states[i]);
        carom_vec3 arm = crm_sub(pose.position, states[i].pose.position);
        carom_body_state state = {pose.position, pose.attitude,
                                  crm_add(states[i].velocity, crm_cross(states[i].spin, arm)), states[i].spin};
        motions[i] = crm_motion_from_body_state(own, &state);
    }
    crm_forces_evaluate(heap->model, time, motions, configs, NULL, wrench, active, passive);
    for (int i = 0; i < heap->body_count; i++) {
        carom_vec3 weight = crm_scale(heap->bodies[i].mass, heap->gravity);
        out[i] = (carom_wrench){{i}, crm_sub(wrench[i].linear, weight), wrench[i].angular};
    }
    free(motions), free(wrench), free(active), free(passive), free(configs);
}

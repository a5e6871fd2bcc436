// SPDX-License-Identifier: MIT
#include "verdict/independent/physics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/forest.h"
#include "math/quat.h"
#include "support/harness/check.h"

bool has_contact_springs(carom_method method) {
    return method == CAROM_METHOD_PENALTY || method == CAROM_METHOD_POTENTIAL || method == CAROM_METHOD_NEWMARK;
}

pair_material material_of(const followed_run *run, const physics *p, const carom_contact_state *contact) {
    pair_material m = {0};
    carom_model_get_material_pair(run->model, p->body[contact->a.index].material, p->body[contact->b.index].material,
                                  &m.friction, &m.restitution, NULL);
    return m;
}

bool can_move(const physics *p, int body) {
    return body >= 0 && p->body[body].kind != CAROM_BODY_FIXED;
}

carom_vec3 place_of(const carom_body_state *frame, int body, carom_vec3 point) {
    if (body < 0) return point;
    return crm_add(frame[body].position, crm_quat_rotate(frame[body].attitude, point));
}

carom_vec3 centre_of(const physics *p, const carom_body_state *frame, int body) {
    return place_of(frame, body, p->body[body].centre);
}

carom_vec3 velocity_at(const carom_body_state *frame, int body, carom_vec3 place) {
    if (body < 0) return crm_vec3_zero();
    carom_vec3 arm = crm_sub(place, frame[body].position);
    return crm_add(frame[body].velocity, crm_cross(frame[body].spin, arm));
}

carom_vec3 centre_velocity_of(const physics *p, const carom_body_state *frame, int body) {
    return velocity_at(frame, body, centre_of(p, frame, body));
}

static double size_of(const carom_model *model, const carom_body_def *body) {
    double gyration = body->kind == CAROM_BODY_POINT ? 0.0 : sqrt(0.5 * crm_mat3_trace(body->inertia) / body->mass);
    const carom_shape *shape = carom_model_get_shape(model, body->shape);
    double radius = shape != NULL ? carom_shape_bounding_radius(shape) : INFINITY;
    return isfinite(radius) ? 2.0 * radius : 2.0 * gyration;
}

static carom_vec3 vector_of(const json_t *object, const char *key) {
    const json_t *v = json_object_get(object, key);
    return crm_vec3(json_number_value(json_array_get(v, 0)), json_number_value(json_array_get(v, 1)),
                    json_number_value(json_array_get(v, 2)));
}

static double number_of(const json_t *object, const char *key) {
    return json_number_value(json_object_get(object, key));
}

static int body_of(const followed_run *run, const json_t *object, const char *key) {
    return carom_model_find_body(run->model, json_string_value(json_object_get(object, key))).index;
}

static void add_charge(physics *p, int body, carom_vec3 point, double charge) {
    p->charge[p->charge_count++] = (physics_charge){body, point, charge};
}

static void add_force(physics *p, const followed_run *run, const json_t *force) {
    const char *kind = json_string_value(json_object_get(force, "kind"));
    if (strcmp(kind, "drag") == 0) {
        p->dissipates = true;
    } else if (strcmp(kind, "spring") == 0) {
        p->spring[p->spring_count++] = (physics_spring){body_of(run, force, "a"),      body_of(run, force, "b"),
                                                        vector_of(force, "point_a"),   vector_of(force, "point_b"),
                                                        number_of(force, "stiffness"), number_of(force, "rest_length")};
        p->dissipates = p->dissipates || number_of(force, "damping") > 0.0;
    } else if (strcmp(kind, "charge") == 0) {
        add_charge(p, body_of(run, force, "body"), vector_of(force, "point"), number_of(force, "charge"));
    } else if (strcmp(kind, "magnet") == 0) {
        carom_vec3 axis, centre = vector_of(force, "centre");
        crm_normalise(vector_of(force, "axis"), &axis);
        double half = 0.5 * number_of(force, "length"), strength = number_of(force, "strength");
        add_charge(p, body_of(run, force, "body"), crm_madd(centre, half, axis), strength);
        add_charge(p, body_of(run, force, "body"), crm_madd(centre, -half, axis), -strength);
    } else {
        p->wrench[p->wrench_count++] =
            (physics_wrench){body_of(run, force, "body"), vector_of(force, "point"), vector_of(force, "force"),
                             vector_of(force, "torque"), json_is_true(json_object_get(force, "in_body_axes"))};
        p->driven = true;
    }
}

static void read_text(physics *p, const followed_run *run) {
    json_t *scene = json_loads(carom_scene_resolved(run->scene), 0, NULL);
    assert_non_null(scene);
    p->gravity = vector_of(scene, "gravity");
    p->coulomb = number_of(scene, "coulomb_constant");
    const char *mobility = json_string_value(json_object_get(json_object_get(scene, "mobility"), "kind"));
    p->fluid = mobility != NULL && strcmp(mobility, "none") != 0;
    const json_t *forces = json_object_get(scene, "forces");
    size_t count = json_array_size(forces) + 1;
    p->spring = calloc(count, sizeof *p->spring);
    p->charge = calloc(2 * count, sizeof *p->charge);
    p->wrench = calloc(count, sizeof *p->wrench);
    for (size_t i = 0; i + 1 < count; i++) add_force(p, run, json_array_get(forces, i));
    json_decref(scene);
}

static void read_joint(physics *p, const followed_run *run, int i) {
    carom_joint_def *joint = &p->joint[i];
    assert_int_equal(carom_model_get_joint(run->model, (carom_joint){i}, joint, NULL), CAROM_OK);
    int count = carom_model_joint_coordinate_count(run->model, (carom_joint){i});
    for (int k = 0; k < count; k++) {
        const carom_coordinate_def *q = &joint->coordinate[k];
        carom_motor_kind motor = q->motor.kind;
        p->driven = p->driven || motor != CAROM_MOTOR_NONE;
        p->dissipates = p->dissipates || q->damping > 0.0 || isfinite(q->lower) || isfinite(q->upper) ||
                        motor == CAROM_MOTOR_VELOCITY || (motor == CAROM_MOTOR_POSITION && q->motor.damping > 0.0);
    }
}

static void tie(const physics *p, int *parent, int a, int b) {
    if (can_move(p, a) && can_move(p, b)) crm_forest_join(parent, a, b);
}

static void find_islands(physics *p, const followed_run *run) {
    int *parent = calloc((size_t)run->bodies + 1, sizeof *parent);
    assert_non_null(parent);
    for (int i = 0; i < run->bodies; i++) parent[i] = i;
    for (int i = 0; i < run->joints; i++) tie(p, parent, p->joint[i].a.index, p->joint[i].b.index);
    for (int i = 0; i < p->spring_count; i++) tie(p, parent, p->spring[i].a, p->spring[i].b);
    for (int i = 0; i < p->charge_count; i++)
        for (int k = 0; k < i; k++) tie(p, parent, p->charge[i].body, p->charge[k].body);
    for (int i = 1; p->fluid && i < run->bodies; i++) tie(p, parent, 0, i);
    for (int64_t i = 0; i < run->contact_end[run->frames - 1]; i++) {
        const carom_contact_state *c = &run->contact[i];
        if (c->normal_impulse != 0.0) tie(p, parent, c->a.index, c->b.index);
    }
    int *number = calloc((size_t)run->bodies + 1, sizeof *number);
    for (int i = 0; i < run->bodies; i++) number[i] = -1;
    for (int i = 0; i < run->bodies; i++) {
        p->island[i] = -1;
        if (!can_move(p, i)) continue;
        int root = crm_forest_root(parent, i);
        if (number[root] < 0) number[root] = p->island_count++;
        p->island[i] = number[root];
    }
    free(number);
    free(parent);
}

physics physics_of(const followed_run *run) {
    physics p = {.body = calloc((size_t)run->bodies + 1, sizeof *p.body),
                 .size = calloc((size_t)run->bodies + 1, sizeof *p.size),
                 .island = calloc((size_t)run->bodies + 1, sizeof *p.island),
                 .joint = calloc((size_t)run->joints + 1, sizeof *p.joint)};
    for (int i = 0; i < run->bodies; i++) {
        assert_int_equal(carom_model_get_body(run->model, (carom_body){i}, &p.body[i], NULL), CAROM_OK);
        p.size[i] = size_of(run->model, &p.body[i]);
    }
    read_text(&p, run);
    for (int i = 0; i < run->joints; i++) read_joint(&p, run, i);
    find_islands(&p, run);
    return p;
}

void physics_free(physics *p) {
    free(p->body);
    free(p->size);
    free(p->island);
    free(p->joint);
    free(p->spring);
    free(p->charge);
    free(p->wrench);
    *p = (physics){0};
}

// SPDX-License-Identifier: MIT
#include "support/model/random_tree.h"

#include <math.h>

#include "math/so3.h"
#include "model/joint/joint.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

typedef struct pose {
    carom_vec3 position;
    carom_quat attitude;
} pose;

static int sample_int(sampler *s, int count) {
    return (int)sample_between(s, 0.0, count);
}

// A frame at `point`, rotated by `rotation`, in something at `at`; and what has such a frame at `frame`.
static pose frame_of(pose at, carom_vec3 point, carom_quat rotation) {
    return (pose){crm_add(at.position, crm_quat_rotate(at.attitude, point)), crm_quat_mul(at.attitude, rotation)};
}

static pose owner_of(pose frame, carom_vec3 point, carom_quat rotation) {
    carom_quat attitude = crm_quat_normalised(crm_quat_mul(frame.attitude, crm_quat_conjugate(rotation)));
    return (pose){crm_sub(frame.position, crm_quat_rotate(attitude, point)), attitude};
}

// Coordinates of moderate size: in the middle of what charts can do.
static crm_joint_relation random_relation(sampler *s, const carom_joint_def *def) {
    crm_joint_config config = {.rotation = crm_quat_identity()};
    crm_joint_relation relation;
    for (int k = 0; k < def->linear_free; k++) config.slide[k] = sample_between(s, -0.5, 0.5);
    for (int k = 0; k < 2; k++) config.angle[k] = sample_between(s, -1.2, 1.2);
    config.rotation = crm_so3_exp(sample_vec3(s, 0.8));
    crm_joint_linear_components[def->linear_free]->from_config(&config, &relation);
    crm_joint_angular_components[def->angular_free]->from_config(&config, &relation);
    return relation;
}

static pose place_child(const carom_joint_def *def, const crm_joint_relation *relation, pose parent, bool reversed) {
    if (!reversed) {
        pose a = frame_of(parent, def->point_a, def->attitude_a);
        return owner_of(frame_of(a, relation->offset, relation->rotation), def->point_b, def->attitude_b);
    }
    pose b = frame_of(parent, def->point_b, def->attitude_b);
    return owner_of(owner_of(b, relation->offset, relation->rotation), def->point_a, def->attitude_a);
}

static carom_body_def random_body(sampler *s, carom_body_kind kind) {
    carom_body_def def = carom_body_def_default();
    def.kind = kind;
    def.mass = sample_between(s, 0.5, 2.0);
    carom_vec3 moments = {sample_between(s, 0.2, 0.3), sample_between(s, 0.2, 0.3), sample_between(s, 0.2, 0.3)};
    bool free = kind == CAROM_BODY_FREE;
    def.inertia =
        free ? crm_congruence_diagonal(crm_quat_to_mat3(sample_attitude(s)), moments) : crm_mat3_diagonal(moments);
    if (free) def.centre = sample_vec3(s, 0.2);
    def.velocity = sample_vec3(s, 1.0);
    if (kind == CAROM_BODY_PLANAR) def.velocity.z = 0.0;
    def.spin = free ? sample_vec3(s, 2.0) : crm_vec3_zero();
    if (kind == CAROM_BODY_PLANAR) def.spin.z = sample_between(s, -2.0, 2.0);
    return def;
}

static void drive(sampler *s, carom_coordinate_def *coordinate) {
    coordinate->stiffness = sample_between(s, 0.0, 5.0);
    coordinate->rest = sample_between(s, -0.5, 0.5);
    coordinate->damping = sample_between(s, 0.0, 0.5);
    coordinate->motor.kind = (carom_motor_kind)sample_int(s, 3); // none, force, position
    coordinate->motor.force = sample_between(s, -1.0, 1.0);
    coordinate->motor.stiffness = sample_between(s, 0.0, 3.0);
    coordinate->motor.target = sample_between(s, -0.5, 0.5);
}

// A limit at the present value of a coordinate, or a motor; rotation vectors are as good as angles.
static void bound(sampler *s, const carom_joint_def *def, const crm_joint_relation *relation, int k,
                  carom_coordinate_def *coordinate) {
    if (sample_int(s, 2) == 0) {
        coordinate->motor.kind = CAROM_MOTOR_VELOCITY;
        coordinate->motor.target_rate = sample_between(s, -0.5, 0.5);
        if (sample_int(s, 2) == 0) coordinate->motor.max_force = sample_between(s, 0.5, 5.0);
        return;
    }
    crm_joint_config config = {.rotation = crm_quat_identity()};
    crm_joint_linear_components[def->linear_free]->to_config(relation, &config);
    crm_joint_angular_components[def->angular_free]->to_config(relation, &config);
    int rotation = k - def->linear_free;
    double value = rotation < 0             ? config.slide[k]
                   : def->angular_free == 3 ? crm_component(crm_so3_log(config.rotation), rotation)
                                            : config.angle[rotation];
    if (sample_int(s, 2) == 0)
        coordinate->lower = value;
    else
        coordinate->upper = value;
}

// A joint of a planar body to the ground or another one: a hinge about z, or a slider in the plane.
static carom_joint_def planar_joint(sampler *s) {
    carom_joint_def def = carom_joint_def_default();
    const carom_vec3 z = {0.0, 0.0, 1.0};
    def.attitude_a = crm_quat_from_axis_angle(z, sample_between(s, -2.0, 2.0));
    if (sample_int(s, 2) == 0) {
        def.angular_free = 1;
    } else {
        def.linear_free = 1;
        def.attitude_a = crm_quat_mul(def.attitude_a, crm_quat_between(z, crm_vec3(1.0, 0.0, 0.0)));
    }
    def.attitude_b = crm_quat_mul(crm_quat_from_axis_angle(z, sample_between(s, -2.0, 2.0)), def.attitude_a);
    def.point_a = sample_vec3(s, 0.4);
    def.point_b = sample_vec3(s, 0.4);
    def.point_a.z = def.point_b.z = 0.0;
    return def;
}

// A joint of a free body, or of a point at its origin, which must be b where it slides.
static carom_joint_def free_joint(sampler *s, bool is_point, bool *reversed) {
    enum { SORTS = 15 }; // all that block something
    carom_joint_def def = carom_joint_def_default();
    int sort = sample_int(s, SORTS);
    def.linear_free = is_point ? sort % 3 : sort / 4;
    def.angular_free = is_point ? 3 : sort % 4;
    if (is_point && def.linear_free > 0) *reversed = false;
    def.point_a = sample_vec3(s, 0.4);
    def.point_b = sample_vec3(s, 0.4);
    def.attitude_a = sample_attitude(s);
    def.attitude_b = sample_attitude(s);
    if (is_point && *reversed) def.point_a = crm_vec3_zero(), def.attitude_a = crm_quat_identity();
    if (is_point && !*reversed) def.point_b = crm_vec3_zero(), def.attitude_b = crm_quat_identity();
    return def;
}

// Hangs one more body on one of `count` bodies or the ground. Its pose goes to poses[count].
static void hang(sampler *s, const random_tree_def *def, carom_model *model, pose *poses, carom_body_kind *kinds,
                 int count) {
    int choice = def->all_kinds ? sample_int(s, 6) : 0;
    carom_body_kind kind = choice == 4 ? CAROM_BODY_PLANAR : choice == 5 ? CAROM_BODY_POINT : CAROM_BODY_FREE;
    carom_body_def body = random_body(s, kind);
    int parent = def->floating ? sample_int(s, count) : sample_int(s, count + 1) - 1;
    while (parent >= 0 && kinds[parent] != CAROM_BODY_FREE &&
           !(kinds[parent] == CAROM_BODY_PLANAR && kind != CAROM_BODY_POINT))
        parent--;
    if (kind == CAROM_BODY_PLANAR && parent >= 0 && kinds[parent] != CAROM_BODY_PLANAR) parent = -1;
    bool reversed = sample_int(s, 2) == 1;
    bool planar = kind == CAROM_BODY_PLANAR;
    carom_joint_def joint = planar ? planar_joint(s) : free_joint(s, kind == CAROM_BODY_POINT, &reversed);
    crm_joint_relation relation = random_relation(s, &joint);
    pose at = {crm_vec3_zero(), crm_quat_identity()};
    if (parent >= 0) at = poses[parent];
    poses[count] = place_child(&joint, &relation, at, reversed);
    kinds[count] = kind;
    if (planar) poses[count].position.z = at.position.z;
    if (kind == CAROM_BODY_POINT) poses[count].attitude = crm_quat_identity();
    body.position = poses[count].position;
    body.attitude = poses[count].attitude;
    carom_body self = world_add(model, &body), other = {parent};
    joint.a = reversed ? self : other;
    joint.b = reversed ? other : self;
    int coordinates = joint.linear_free + (kind == CAROM_BODY_POINT ? 0 : joint.angular_free);
    for (int k = 0; k < coordinates; k++) {
        if (def->driven) drive(s, &joint.coordinate[k]);
        if (def->bounded && sample_int(s, 4) == 0) bound(s, &joint, &relation, k, &joint.coordinate[k]);
    }
    joints_add(model, &joint);
}

static void add_forces(sampler *s, carom_model *model, int bodies) {
    for (int i = 0; i + 3 < bodies; i += 4) {
        carom_spring_def spring = carom_spring_def_default();
        spring.a.index = i;
        spring.b.index = i + 3;
        spring.stiffness = sample_between(s, 0.5, 5.0);
        spring.damping = 0.1;
        carom_drag_def drag = carom_drag_def_default();
        drag.body.index = i + 1;
        drag.linear = 0.2;
        drag.angular = 0.1;
        CHECK_INT(carom_model_add_spring(model, &spring, NULL), CAROM_OK);
        CHECK_INT(carom_model_add_drag(model, &drag, NULL), CAROM_OK);
    }
}

carom_model *random_tree(sampler *s, const random_tree_def *def) {
    enum { MOST = 64 };
    pose poses[MOST] = {{{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}};
    carom_body_kind kinds[MOST];
    assert_true(def->links <= MOST);
    carom_model *model = world_model(def->floating ? crm_vec3_zero() : crm_vec3(0.5, -2.0, -9.0), 0.0);
    for (int i = 0; i < def->links; i++) {
        if (i > 0 || !def->floating) {
            hang(s, def, model, poses, kinds, i);
            continue;
        }
        carom_body_def body = random_body(s, CAROM_BODY_FREE);
        world_add(model, &body);
        kinds[0] = CAROM_BODY_FREE;
    }
    if (def->driven) add_forces(s, model, def->links);
    return model;
}

// SPDX-License-Identifier: MIT
// Adding a joint: defaults, what is refused, and its frames in principal axes.
#include <math.h>

#include "base/fail.h"
#include "model/joint/joint.h"
#include "model/joint/joint_switch.h"

carom_coordinate_def carom_coordinate_def_default(void) {
    return (carom_coordinate_def){.lower = -INFINITY, .upper = INFINITY, .motor = {.max_force = INFINITY}};
}

carom_joint_def carom_joint_def_default(void) {
    carom_joint_def def = {.struct_size = sizeof def,
                           .kind = CAROM_JOINT_MIX,
                           .a = {-1},
                           .b = {-1},
                           .attitude_a = {1.0, 0.0, 0.0, 0.0},
                           .attitude_b = {1.0, 0.0, 0.0, 0.0},
                           .latch = {.speed = INFINITY},
                           .break_force = INFINITY,
                           .break_moment = INFINITY};
    for (int k = 0; k < CAROM_JOINT_MOST_COORDINATES; k++) def.coordinate[k] = carom_coordinate_def_default();
    return def;
}

carom_joint_placing carom_joint_placing_default(void) {
    return (carom_joint_placing){.struct_size = sizeof(carom_joint_placing), .axis = {0.0, 0.0, 1.0}};
}

const char *crm_joint_text(const carom_model *model, int joint, char text[CRM_BODY_TEXT]) {
    int number = model->joint_numbers != NULL ? model->joint_numbers[joint] : joint;
    return crm_item_text("joint", carom_model_joint_name(model, (carom_joint){joint}), number, text);
}

static carom_body_kind kind_of(const carom_model *model, carom_body body) {
    return body.index < 0 ? CAROM_BODY_FIXED : model->bodies.items[body.index].kind;
}

// ---- placing

static carom_status check_bodies(const carom_model *model, const carom_joint_def *def, const char *joint,
                                 carom_error *error) {
    carom_status status = crm_model_check_body(model, def->a, true, joint, error);
    if (status == CAROM_OK) status = crm_model_check_body(model, def->b, true, joint, error);
    if (status != CAROM_OK) return status;
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    crm_body_text(model, def->a.index, a);
    crm_body_text(model, def->b.index, b);
    if (def->a.index == def->b.index)
        return crm_refuse(error, "%s: both sides are %s; join two different bodies", joint, a);
    if (kind_of(model, def->a) == CAROM_BODY_FIXED && kind_of(model, def->b) == CAROM_BODY_FIXED)
        return crm_refuse(error, "%s: neither %s nor %s can move; join one that can", joint, a, b);
    return CAROM_OK;
}

// The world's point and attitude in a body's own frame at its initial pose.
static void seen_from(const carom_model *model, carom_body body, carom_vec3 point, carom_quat attitude,
                      carom_vec3 *own_point, carom_quat *own_attitude) {
    *own_point = point;
    *own_attitude = attitude;
    if (body.index < 0) return;
    const carom_body_def *def = &model->bodies.items[body.index].def;
    // A mass point has one point only; assembly says when it is elsewhere.
    *own_point = crm_vec3_zero();
    if (def->kind != CAROM_BODY_POINT)
        *own_point = crm_quat_rotate_inverse(def->attitude, crm_sub(point, def->position));
    *own_attitude = crm_quat_mul(crm_quat_conjugate(def->attitude), attitude);
}

carom_status carom_model_place_joint(const carom_model *model, const carom_joint_placing *placing, carom_joint_def *def,
                                     carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(placing, error);
    CRM_NEED(def, error);
    carom_status status = CRM_CHECK_STRUCT(placing, carom_joint_placing, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(def, carom_joint_def, error);
    if (status == CAROM_OK) status = check_bodies(model, def, "place joint", error);
    if (status != CAROM_OK) return status;
    carom_mat3 axes;
    carom_vec3 p = placing->point, z = placing->axis, x = placing->x;
    if (!crm_vec3_finite(p))
        return crm_refuse(error, "place joint: point is (%g, %g, %g) m, must be finite", p.x, p.y, p.z);
    if (crm_normalise(z, &axes.z) == 0.0)
        return crm_refuse(error, "place joint: axis is (%g, %g, %g), must be finite and not zero", z.x, z.y, z.z);
    if (!crm_vec3_finite(x)) return crm_refuse(error, "place joint: x is (%g, %g, %g), must be finite", x.x, x.y, x.z);
    if (!crm_frame_from_axes(z, x, &axes))
        return crm_refuse(error, "place joint: x is along the axis; give one across it");
    carom_quat attitude = crm_quat_from_mat3(axes);
    seen_from(model, def->a, p, attitude, &def->point_a, &def->attitude_a);
    seen_from(model, def->b, p, attitude, &def->point_b, &def->attitude_b);
    return CAROM_OK;
}

// ---- what is refused

static carom_status check_side(const carom_model *model, const char *joint, char side, carom_body body,
                               carom_vec3 point, carom_quat attitude, carom_error *error) {
    carom_quat unit;
    if (!crm_vec3_finite(point))
        return crm_refuse(error, "%s: point_%c is (%g, %g, %g) m, must be finite", joint, side, point.x, point.y,
                          point.z);
    if (!crm_quat_normalise(attitude, &unit))
        return crm_refuse(error, "%s: attitude_%c is (%g, %g, %g, %g), must be finite and not zero", joint, side,
                          attitude.w, attitude.x, attitude.y, attitude.z);
    if (kind_of(model, body) == CAROM_BODY_POINT && crm_length(point) > 0.0)
        return crm_refuse(error,
                          "%s: point_%c is (%g, %g, %g) m, but its body is a mass point: it is joined at its origin",
                          joint, side, point.x, point.y, point.z);
    return CAROM_OK;
}

static carom_status check_kind(const carom_model *model, const char *joint, const carom_joint_def *def,
                               carom_error *error) {
    if ((int)def->kind < 0 || def->kind >= CAROM_JOINT_KIND_COUNT)
        return crm_refuse(error, "%s: %d is no kind of joint", joint, (int)def->kind);
    if (def->linear_free < 0 || def->linear_free > 3 || def->angular_free < 0 || def->angular_free > 3)
        return crm_refuse(error, "%s: linear_free is %d and angular_free %d, both must be 0, 1, 2 or 3", joint,
                          def->linear_free, def->angular_free);
    bool distance = def->kind == CAROM_JOINT_DISTANCE;
    if (distance && (!(def->length > 0.0) || !isfinite(def->length)))
        return crm_refuse(error, "%s: length is %g m, must be positive and finite (for none at all use a ball joint)",
                          joint, def->length);
    if (!distance && def->length != 0.0)
        return crm_refuse(error, "%s: length is %g m, but only a distance joint has one", joint, def->length);
    bool point_a = kind_of(model, def->a) == CAROM_BODY_POINT, point_b = kind_of(model, def->b) == CAROM_BODY_POINT;
    if ((point_a || point_b) && def->angular_free != 3)
        return crm_refuse(error, "%s: a mass point has no attitude to hold; use angular_free 3, such as a ball joint",
                          joint);
    if (point_a && !distance && (def->linear_free == 1 || def->linear_free == 2))
        return crm_refuse(error, "%s: body a is a mass point, which carries no line or plane; exchange a and b", joint);
    return CAROM_OK;
}

static bool is_size(double value) {
    return value >= 0.0 && isfinite(value);
}

static carom_status check_motor(const char *joint, int k, const carom_motor_def *motor, carom_error *error) {
    if ((int)motor->kind < 0 || motor->kind >= CAROM_MOTOR_KIND_COUNT)
        return crm_refuse(error, "%s: coordinate %d: %d is no kind of motor", joint, k, (int)motor->kind);
    if (!isfinite(motor->target) || !isfinite(motor->target_rate) || !isfinite(motor->force))
        return crm_refuse(error,
                          "%s: coordinate %d: the motor has target %g, target_rate %g, force %g, all must be finite",
                          joint, k, motor->target, motor->target_rate, motor->force);
    if (!is_size(motor->stiffness) || !is_size(motor->damping))
        return crm_refuse(
            error, "%s: coordinate %d: the motor has stiffness %g and damping %g, must be finite and not negative",
            joint, k, motor->stiffness, motor->damping);
    if (!(motor->max_force >= 0.0))
        return crm_refuse(error, "%s: coordinate %d: max_force is %g, must not be negative", joint, k,
                          motor->max_force);
    return CAROM_OK;
}

static carom_status check_coordinate(const char *joint, int k, const carom_coordinate_def *c, carom_error *error) {
    if (!(c->lower < c->upper))
        return crm_refuse(error, "%s: coordinate %d: its limits are %g and %g, the lower must be the smaller", joint, k,
                          c->lower, c->upper);
    if (!is_size(c->stiffness) || !is_size(c->damping))
        return crm_refuse(error, "%s: coordinate %d: stiffness is %g and damping %g, must be finite and not negative",
                          joint, k, c->stiffness, c->damping);
    if (!isfinite(c->rest))
        return crm_refuse(error, "%s: coordinate %d: rest is %g, must be finite", joint, k, c->rest);
    return check_motor(joint, k, &c->motor, error);
}

static bool is_plain(const carom_coordinate_def *c) {
    return c->lower == -INFINITY && c->upper == INFINITY && c->stiffness == 0.0 && c->damping == 0.0 &&
           c->motor.kind == CAROM_MOTOR_NONE;
}

static carom_status check_coordinates(const char *text, const crm_joint *joint, carom_error *error) {
    for (int k = 0; k < CAROM_JOINT_MOST_COORDINATES; k++) {
        const carom_coordinate_def *c = &joint->def.coordinate[k];
        if (k >= joint->free && !is_plain(c))
            return crm_refuse(
                error, "%s: coordinate %d has a limit, spring, damper or motor, but the joint has %d coordinates", text,
                k, joint->free);
        carom_status status = k < joint->free ? check_coordinate(text, k, c, error) : CAROM_OK;
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

// ---- adding

static crm_joint_side side_of(const carom_model *model, carom_body body, carom_vec3 point, carom_quat attitude) {
    crm_point own = crm_model_point(model, body, point);
    if (body.index < 0) return (crm_joint_side){-1, own.at, attitude};
    carom_quat frame = model->bodies.items[body.index].frame;
    return (crm_joint_side){body.index, own.at, crm_quat_mul(crm_quat_conjugate(frame), attitude)};
}

static crm_joint compose(const carom_model *model, const carom_joint_def *def) {
    crm_joint joint = {.def = *def};
    joint.def.attitude_a = crm_quat_normalised(def->attitude_a);
    joint.def.attitude_b = crm_quat_normalised(def->attitude_b);
    joint.a = side_of(model, def->a, def->point_a, joint.def.attitude_a);
    joint.b = side_of(model, def->b, def->point_b, joint.def.attitude_b);
    bool distance = def->kind == CAROM_JOINT_DISTANCE;
    bool point = kind_of(model, def->a) == CAROM_BODY_POINT || kind_of(model, def->b) == CAROM_BODY_POINT;
    joint.linear = distance ? &crm_joint_distance : crm_joint_linear_components[def->linear_free];
    joint.angular = distance || point ? &crm_joint_no_rotation : crm_joint_angular_components[def->angular_free];
    joint.rows = joint.linear->blocked + joint.angular->blocked;
    joint.free = joint.linear->free + joint.angular->free;
    for (int k = 0; k < joint.free; k++) {
        const carom_coordinate_def *c = &def->coordinate[k];
        joint.driven |= c->stiffness > 0.0 || c->damping > 0.0 || c->motor.kind != CAROM_MOTOR_NONE;
    }
    return joint;
}

carom_status carom_model_add_joint(carom_model *model, const carom_joint_def *given, carom_joint *out,
                                   carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(given, carom_joint_def, error);
    if (status != CAROM_OK) return status;
    int index = model->joints.count;
    carom_joint_def def = *given;
    char text[CRM_BODY_TEXT];
    status = crm_names_check(&model->joint_names, "joint", def.name, index, text, error);
    if (status != CAROM_OK) return status;
    if (def.kind != CAROM_JOINT_MIX) carom_joint_kind_free(def.kind, &def.linear_free, &def.angular_free);
    status = check_bodies(model, &def, text, error);
    if (status == CAROM_OK) status = check_kind(model, text, &def, error);
    if (status == CAROM_OK) status = check_side(model, text, 'a', def.a, def.point_a, def.attitude_a, error);
    if (status == CAROM_OK) status = check_side(model, text, 'b', def.b, def.point_b, def.attitude_b, error);
    if (status != CAROM_OK) return status;
    crm_joint joint = compose(model, &def);
    status = check_coordinates(text, &joint, error);
    if (status == CAROM_OK) status = crm_joint_check_switch(model, text, &joint, error);
    if (status != CAROM_OK) return status;
    // Room first, so that nothing can fail once the name is in the table.
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->joints, (ptrdiff_t)index + 1))
        return crm_fail_memory(error, "joints", ((size_t)index + 1) * sizeof joint);
    status = crm_names_add(&model->allocator, &model->joint_names, &joint.def.name, index, error);
    if (status != CAROM_OK) return status;
    (void)CRM_ARRAY_PUSH(&model->allocator, &model->joints, joint);
    model->switching_count += crm_joint_switches(&joint);
    if (out != NULL) *out = (carom_joint){index};
    return CAROM_OK;
}

// ---- accessors

static bool is_joint(const carom_model *model, carom_joint joint) {
    return joint.index >= 0 && joint.index < model->joints.count;
}

int carom_model_joint_count(const carom_model *model) {
    return model->joints.count;
}

const char *carom_model_joint_name(const carom_model *model, carom_joint joint) {
    return is_joint(model, joint) ? model->joints.items[joint.index].def.name : NULL;
}

carom_joint carom_model_find_joint(const carom_model *model, const char *name) {
    return (carom_joint){crm_names_find(&model->joint_names, name)};
}

carom_status crm_model_check_joint(const carom_model *model, carom_joint joint, const char *what, carom_error *error) {
    if (is_joint(model, joint)) return CAROM_OK;
    return crm_refuse(error, "%s: there is no joint %d; the model has %d joints", what, joint.index,
                      model->joints.count);
}

carom_status carom_model_get_joint(const carom_model *model, carom_joint joint, carom_joint_def *out,
                                   carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(out, error);
    carom_status status = crm_model_check_joint(model, joint, "get joint", error);
    if (status == CAROM_OK) *out = model->joints.items[joint.index].def;
    return status;
}

bool carom_model_joint_switches(const carom_model *model, carom_joint joint) {
    return is_joint(model, joint) && crm_joint_switches(&model->joints.items[joint.index]);
}

int carom_model_joint_coordinate_count(const carom_model *model, carom_joint joint) {
    return is_joint(model, joint) ? model->joints.items[joint.index].free : 0;
}

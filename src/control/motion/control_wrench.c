// SPDX-License-Identifier: MIT
#include "control/motion/control_wrench.h"

#include "math/quat.h"

crm_control_numbers crm_control_numbers_of(const carom_model *model, const carom_control_def *c) {
    switch (c->kind) {
    case CAROM_CONTROL_WRENCH: {
        bool point = model->bodies.items[c->body.index].kind == CAROM_BODY_POINT;
        return (crm_control_numbers){c->force ? 3 : 0, c->torque && !point ? 3 : 0};
    }
    case CAROM_CONTROL_FORCE:
        return (crm_control_numbers){3, 0};
    case CAROM_CONTROL_THRUSTER:
        return (crm_control_numbers){1, 0};
    default: {
        const carom_joint_def *joint = &model->joints.items[c->joint].def;
        if (joint->linear_free == 1) return (crm_control_numbers){1, 0};
        return (crm_control_numbers){0, joint->angular_free == 1 ? 1 : 3};
    }
    }
}

static carom_vec3 vector_of(const double *number) {
    return crm_vec3(number[0], number[1], number[2]);
}

// ---- motors

// One body of a joint: where B's origin or A's is in it, and which way the joint's axis points, in its frame.
typedef struct joint_end {
    carom_body body;
    carom_vec3 point, axis;
    bool moves;
} joint_end;

static joint_end end_of(const carom_model *model, carom_body body, carom_vec3 point, carom_quat attitude) {
    carom_vec3 z = crm_vec3(0.0, 0.0, 1.0);
    return (joint_end){body, point, crm_quat_rotate(attitude, z), crm_body_moves(model, body.index)};
}

// A wrench of a size along the axis on one end; `other` is the end that the reaction is on.
static carom_body_wrench along_axis(const carom_model *model, const joint_end *end, const joint_end *other, double size,
                                    bool is_force) {
    bool own = other->moves;
    carom_vec3 axis = own ? end->axis : other->axis;
    if (!own && other->body.index >= 0)
        axis = crm_quat_rotate(model->bodies.items[other->body.index].def.attitude, axis);
    carom_vec3 vector = crm_scale(size, axis), none = crm_vec3_zero();
    return (carom_body_wrench){.body = end->body,
                               .point = end->point,
                               .force = is_force ? vector : none,
                               .torque = is_force ? none : vector,
                               .in_body_axes = own};
}

static int motor_wrenches(const carom_model *model, const carom_control_def *c, const double *number,
                          carom_body_wrench out[2]) {
    const carom_joint_def *joint = &model->joints.items[c->joint].def;
    const joint_end end[2] = {end_of(model, joint->a, joint->point_a, joint->attitude_a),
                              end_of(model, joint->b, joint->point_b, joint->attitude_b)};
    bool slides = joint->linear_free == 1, one = slides || joint->angular_free == 1;
    int count = 0;
    for (int i = 0; i < 2; i++) {
        double sign = i == 0 ? -1.0 : 1.0;
        if (!end[i].moves) continue;
        out[count++] = one ? along_axis(model, &end[i], &end[1 - i], sign * number[0], slides)
                           : (carom_body_wrench){.body = end[i].body, .torque = crm_scale(sign, vector_of(number))};
    }
    return count;
}

// ---- all

int crm_control_wrenches(const carom_model *model, const carom_control_def *c, const double *number,
                         carom_body_wrench out[2]) {
    if (c->kind == CAROM_CONTROL_MOTOR) return motor_wrenches(model, c, number, out);
    crm_control_numbers numbers = crm_control_numbers_of(model, c);
    carom_body_wrench w = {.body = c->body, .point = c->point, .in_body_axes = c->in_body_axes};
    if (c->kind == CAROM_CONTROL_WRENCH) w.point = model->bodies.items[c->body.index].centre;
    if (c->kind == CAROM_CONTROL_THRUSTER) {
        carom_vec3 along;
        (void)crm_normalise(c->direction, &along);
        w.force = crm_scale(number[0], along);
        w.in_body_axes = true;
    } else if (numbers.forces == 3) {
        w.force = vector_of(number);
    }
    if (numbers.torques == 3) w.torque = vector_of(number + numbers.forces);
    out[0] = w;
    return 1;
}

crm_vec6 crm_control_wrench_at(const carom_model *model, const carom_body_wrench *w, const carom_mat3 *attitude) {
    carom_vec3 force = w->in_body_axes ? crm_mat3_apply(*attitude, w->force) : w->force;
    carom_vec3 torque = w->in_body_axes ? crm_mat3_apply(*attitude, w->torque) : w->torque;
    carom_vec3 arm = crm_mat3_apply(*attitude, crm_sub(w->point, model->bodies.items[w->body.index].centre));
    return crm_vec6_of(force, crm_add(torque, crm_cross(arm, force)));
}

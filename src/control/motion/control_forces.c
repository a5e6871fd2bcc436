// SPDX-License-Identifier: MIT
// What controls do to bodies, from their definitions alone: rows/controls.c has the same as rows of a program.
#include "control/motion/motion_read.h"

typedef struct pushed {
    const carom_model *model;
    const crm_motion *pose;
    crm_vec6 *wrench;
} pushed;

static void add(const pushed *p, int body, carom_vec3 force, carom_vec3 torque) {
    if (crm_body_moves(p->model, body)) p->wrench[body] = crm_vec6_add(p->wrench[body], crm_vec6_of(force, torque));
}

static carom_quat body_axes(const pushed *p, int body) {
    if (body < 0) return crm_quat_identity();
    return crm_quat_mul(p->pose[body].q, crm_quat_conjugate(p->model->bodies.items[body].frame));
}

static carom_vec3 arm_of(const pushed *p, carom_body body, carom_vec3 point) {
    return crm_quat_rotate(p->pose[body.index].q, crm_model_point(p->model, body, point).at);
}

static carom_vec3 three(const double *u) {
    return crm_vec3(u[0], u[1], u[2]);
}

static int push_by_body(const pushed *p, const carom_control_def *c, const double *u) {
    int body = c->body.index;
    carom_quat axes = c->in_body_axes || c->kind == CAROM_CONTROL_THRUSTER ? body_axes(p, body) : crm_quat_identity();
    if (c->kind == CAROM_CONTROL_WRENCH) {
        bool torques = c->torque && p->model->bodies.items[body].kind != CAROM_BODY_POINT;
        carom_vec3 force = c->force ? three(u) : crm_vec3_zero();
        carom_vec3 torque = torques ? three(u + (c->force ? 3 : 0)) : crm_vec3_zero();
        add(p, body, crm_quat_rotate(axes, force), crm_quat_rotate(axes, torque));
        return (c->force ? 3 : 0) + (torques ? 3 : 0);
    }
    carom_vec3 arm = arm_of(p, c->body, c->point), force;
    bool thruster = c->kind == CAROM_CONTROL_THRUSTER;
    if (thruster) {
        carom_vec3 axis;
        (void)crm_normalise(c->direction, &axis);
        force = crm_scale(u[0], axis);
    } else {
        force = three(u);
    }
    force = crm_quat_rotate(axes, force);
    add(p, body, force, crm_cross(arm, force));
    return thruster ? 1 : 3;
}

static int push_by_motor(const pushed *p, const carom_joint_def *joint, const double *u) {
    int a = joint->a.index, b = joint->b.index;
    carom_quat axes = crm_quat_mul(body_axes(p, a), joint->attitude_a);
    carom_vec3 axis = crm_quat_rotate(axes, crm_vec3(0.0, 0.0, 1.0)), zero = crm_vec3_zero();
    if (joint->linear_free == 1) {
        carom_vec3 force = crm_scale(u[0], axis), arm_b = zero, at = joint->point_b;
        if (b >= 0) {
            arm_b = arm_of(p, joint->b, joint->point_b);
            at = crm_add(p->pose[b].x, arm_b);
        }
        add(p, b, force, crm_cross(arm_b, force));
        if (a >= 0) add(p, a, crm_negate(force), crm_cross(force, crm_sub(at, p->pose[a].x)));
        return 1;
    }
    bool hinge = joint->angular_free == 1;
    carom_vec3 torque = hinge ? crm_scale(u[0], axis) : three(u);
    add(p, b, zero, torque);
    add(p, a, zero, crm_negate(torque));
    return hinge ? 1 : 3;
}

void crm_control_forces(const carom_model *model, const carom_plan_def *def, const double *number,
                        const crm_motion *pose, crm_vec6 *wrench) {
    pushed p = {model, pose, wrench};
    for (int b = 0; b < model->bodies.count; b++) wrench[b] = crm_vec6_zero();
    for (int i = 0; i < def->control_count; i++) {
        const carom_control_def *c = &def->control[i];
        if (c->kind == CAROM_CONTROL_MOTOR) {
            number += push_by_motor(&p, &model->joints.items[c->joint].def, number);
        } else {
            number += push_by_body(&p, c, number);
        }
    }
}

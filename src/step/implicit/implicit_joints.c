// SPDX-License-Identifier: MIT
// Springs, dampers and position motors of joints by the force at the end of the step (docs/math.md 13.2):
//
//   r = h (-k (s + h u - rest) - d u + kp (target - s - h u) + kd (target_rate - u) + force)
//
// A motor with a bound has a row of its own. Springs act by the rows of values, dampers and motors by those of rates,
// which are the same but for three free angles.
#include <math.h>

#include "step/implicit/implicit.h"

crm_joint_coordinates crm_joint_coordinates_of(const crm_joint *joint, const carom_state *state, int index) {
    crm_joint_coordinates out;
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    crm_joint_values(joint, &state->configs[index], out.value);
    crm_joint_value_rows(joint, &pose, out.value_row);
    crm_joint_rate_rows(joint, &pose, out.rate_row);
    return out;
}

static crm_force_rows no_force(const crm_joint *joint) {
    return (crm_force_rows){.a = joint->a.body, .b = joint->b.body, .most = INFINITY};
}

static crm_force_row *row_of(crm_force_rows *rows, const crm_joint_row *along) {
    crm_force_row *row = &rows->row[0];
    rows->count = 1;
    row->on_a = along->a, row->on_b = along->b;
    return row;
}

static void add_spring(const carom_coordinate_def *c, double value, double h, crm_force_row *row) {
    row->impulse -= h * c->stiffness * (value - c->rest);
    row->slope += h * h * c->stiffness;
}

static void add_damper(const carom_coordinate_def *c, double h, crm_force_row *row) {
    row->damping += h * c->damping;
    row->slope += h * c->damping;
}

static void add_motor(const carom_motor_def *motor, double value, double h, crm_force_row *row) {
    row->drive = h * (motor->stiffness * (motor->target - value) + motor->damping * motor->target_rate + motor->force);
    row->drive_slope = h * motor->damping + h * h * motor->stiffness;
    row->impulse += row->drive;
    row->slope += row->drive_slope;
}

void crm_coordinate_forces(const crm_joint *joint, const crm_joint_coordinates *coordinates, int coordinate,
                           const carom_motor_def *motor, double step, crm_force_rows out[CRM_COORDINATE_FORCES]) {
    const carom_coordinate_def *c = &joint->def.coordinate[coordinate];
    const crm_joint_row *by_value = &coordinates->value_row[coordinate], *by_rate = &coordinates->rate_row[coordinate];
    double value = coordinates->value[coordinate];
    bool same = joint->angular->free != 3 || coordinate < joint->linear->free;
    for (int i = 0; i < CRM_COORDINATE_FORCES; i++) out[i] = no_force(joint);
    crm_force_rows *spring = &out[0], *damper = same ? &out[0] : &out[1], *bounded = &out[2];
    if (c->stiffness > 0.0) add_spring(c, value, step, row_of(spring, by_value));
    if (c->damping > 0.0) add_damper(c, step, row_of(damper, by_rate));
    if (!crm_motor_has_gains(motor)) return;
    if (motor->max_force < INFINITY) {
        add_motor(motor, value, step, row_of(bounded, by_rate));
        bounded->most = step * motor->max_force;
    } else {
        add_motor(motor, value, step, row_of(damper, by_rate));
    }
}

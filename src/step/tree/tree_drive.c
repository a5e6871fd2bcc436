// SPDX-License-Identifier: MIT
#include "step/tree/tree_drive.h"

#include <math.h>
#include <string.h>

#include "math/so3.h"
#include "step/tree/tree_kinematics.h"

// Of a value, relative to its size.
static const double value_rounding = 1e-15;

// How the active force of a coordinate changes with its value and rate: nothing where the motor is at its bound.
typedef struct active_slope {
    double value, rate;
} active_slope;

static active_slope slope_of(const carom_coordinate_def *coordinate, const carom_motor_def *motor, double value,
                             double rate) {
    active_slope slope = {0.0, -coordinate->damping};
    if (motor->kind != CAROM_MOTOR_POSITION) return slope;
    double force =
        motor->stiffness * (motor->target - value) + motor->damping * (motor->target_rate - rate) + motor->force;
    if (fabs(force) > motor->max_force) return slope;
    slope.value -= motor->stiffness;
    slope.rate -= motor->damping;
    return slope;
}

// The rotation vector of the same attitude as r that is nearest to `near`: r itself, or the longer way round.
static carom_vec3 nearest_vector(carom_vec3 r, carom_vec3 near) {
    static const double full_rotation = 6.283185307179586;
    double length = crm_length(r);
    if (length == 0.0) return r;
    carom_vec3 other = crm_scale((length - full_rotation) / length, r);
    return crm_distance(other, near) < crm_distance(r, near) ? other : r;
}

// Three free angles at both ends.
typedef struct rotation_ends {
    carom_mat3 before, after; // rates of the rotation vector by the relative spin
    carom_mat3 rate;          // d (mean spin times h) / d w
} rotation_ends;

static double entry(const carom_mat3 *m, int row, int column) {
    return crm_mat3_get(*m, row, column);
}

// slope[row, column] of the block of the rotation: 1/2 J_before^T K J_after for springs, and the active forces' own.
static void add_rotation(const rotation_ends *ends, const double *spring, const double *stiffness,
                         const active_slope *slope, double h, int first, int size, crm_joint_drive *drive) {
    for (int row = 0; row < 3; row++) {
        double before = 0.0, after = 0.0;
        for (int k = 0; k < 3; k++) {
            before += entry(&ends->before, k, row) * spring[k];
            after += entry(&ends->after, k, row) * spring[k];
        }
        drive->before[first + row] += before;
        drive->after[first + row] += after;
        for (int column = 0; column < 3; column++) {
            double sum = 0.5 * slope[row].value * entry(&ends->after, row, column) +
                         slope[row].rate / h * entry(&ends->rate, row, column);
            for (int k = 0; k < 3; k++)
                sum -= 0.5 * entry(&ends->before, k, row) * stiffness[k] * entry(&ends->after, k, column);
            drive->slope[first + row + size * (first + column)] += sum;
        }
    }
}

void crm_joint_drive_evaluate(const carom_model *model, int index, const carom_input *input,
                              const crm_joint_config *config, const crm_joint_config *change, double h,
                              crm_joint_drive *drive) {
    const crm_joint *joint = &model->joints.items[index];
    memset(drive, 0, sizeof *drive);
    crm_joint_config after = crm_joint_config_after(config, change);
    double start[6], end[6], step[6];
    crm_joint_values(joint, config, start);
    crm_joint_values(joint, &after, end);
    crm_joint_values(joint, change, step);
    int rotation = joint->angular->free == 3 ? joint->linear->free : joint->free;
    rotation_ends ends = {.rate = crm_mat3_identity()};
    if (rotation < joint->free) {
        carom_vec3 from = crm_vec3(start[rotation], start[rotation + 1], start[rotation + 2]);
        carom_vec3 to = nearest_vector(crm_vec3(end[rotation], end[rotation + 1], end[rotation + 2]), from);
        for (int k = 0; k < 3; k++) end[rotation + k] = crm_component(to, k);
        ends.before = crm_dexp_left_inverse(from);
        ends.after = crm_dexp_left_inverse(to);
        ends.rate = crm_dexp_left_inverse(crm_vec3(step[rotation], step[rotation + 1], step[rotation + 2]));
    }
    double spring[6], stiffness[6];
    active_slope slope[6];
    for (int k = 0; k < joint->free; k++) {
        const carom_coordinate_def *coordinate = &joint->def.coordinate[k];
        carom_motor_def motor = crm_joint_motor(model, index, k, input);
        double value = 0.5 * (start[k] + end[k]), rate = step[k] / h;
        crm_coordinate_force force = crm_joint_coordinate_force(coordinate, &motor, value, rate);
        spring[k] = force.spring;
        stiffness[k] = coordinate->stiffness;
        slope[k] = slope_of(coordinate, &motor, value, rate);
        drive->blur[k] = value_rounding * (stiffness[k] - slope[k].value) * (fabs(start[k]) + fabs(end[k]));
        drive->active[k] = force.active;
        drive->before[k] = drive->after[k] = force.active + (k < rotation ? force.spring : 0.0);
        if (k < rotation) drive->slope[k + joint->free * k] = 0.5 * (slope[k].value - stiffness[k]) + slope[k].rate / h;
    }
    if (rotation < joint->free)
        add_rotation(&ends, spring + rotation, stiffness + rotation, slope + rotation, h, rotation, joint->free, drive);
}

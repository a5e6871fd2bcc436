// SPDX-License-Identifier: MIT
// Springs, dampers and motors of joints, by coordinate, and what they do to the bodies.
#include <math.h>

#include "model/force/evaluate.h"
#include "model/joint/joint.h"

static double clamp(double value, double bound) {
    return fmax(-bound, fmin(bound, value));
}

carom_motor_def crm_joint_motor(const carom_model *model, int joint, int coordinate, const carom_input *input) {
    carom_motor_def motor = model->joints.items[joint].def.coordinate[coordinate].motor;
    if (input == NULL || motor.kind == CAROM_MOTOR_NONE) return motor;
    // Entries are in order: halve the range that may hold this one.
    int low = 0, high = input->motor_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        const carom_motor_input *entry = &input->motor[middle];
        bool before = entry->joint.index < joint || (entry->joint.index == joint && entry->coordinate < coordinate);
        if (before)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == input->motor_count) return motor;
    const carom_motor_input *entry = &input->motor[low];
    if (entry->joint.index != joint || entry->coordinate != coordinate) return motor;
    motor.target = entry->target;
    motor.target_rate = entry->target_rate;
    motor.force = entry->force;
    return motor;
}

bool crm_motor_has_gains(const carom_motor_def *motor) {
    return motor->kind == CAROM_MOTOR_POSITION && (motor->stiffness > 0.0 || motor->damping > 0.0);
}

bool crm_coordinate_is_stiff(const carom_coordinate_def *coordinate) {
    return coordinate->stiffness > 0.0 || coordinate->damping > 0.0 || crm_motor_has_gains(&coordinate->motor);
}

static double motor_force(const carom_motor_def *motor, double value, double rate) {
    switch (motor->kind) {
    case CAROM_MOTOR_FORCE:
        return clamp(motor->force, motor->max_force);
    case CAROM_MOTOR_POSITION:
        return clamp(motor->stiffness * (motor->target - value) + motor->damping * (motor->target_rate - rate) +
                         motor->force,
                     motor->max_force);
    default:
        return 0.0;
    }
}

crm_coordinate_force crm_joint_coordinate_force(const carom_coordinate_def *coordinate, const carom_motor_def *motor,
                                                double value, double rate) {
    double stretch = value - coordinate->rest;
    return (crm_coordinate_force){.spring = -coordinate->stiffness * stretch,
                                  .energy = 0.5 * coordinate->stiffness * stretch * stretch,
                                  .active = motor_force(motor, value, rate) - coordinate->damping * rate,
                                  .passive = -coordinate->damping * rate};
}

static void act(const crm_joint *joint, const crm_joint_row *row, double force, crm_vec6 *wrench) {
    if (joint->a.body >= 0) wrench[joint->a.body] = crm_vec6_madd(wrench[joint->a.body], force, row->a);
    if (joint->b.body >= 0) wrench[joint->b.body] = crm_vec6_madd(wrench[joint->b.body], force, row->b);
}

void crm_joints_add_forces(const carom_model *model, const crm_motion *motions, const crm_joint_config *configs,
                           const carom_input *input, crm_vec6 *wrench, crm_vec6 *active, crm_vec6 *passive) {
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!joint->driven) continue;
        crm_joint_pose pose = crm_joint_evaluate(joint, motions);
        crm_joint_twists twists = crm_joint_twists_of(model, joint, motions);
        crm_joint_config config = crm_joint_config_of(joint, &pose, &configs[j]);
        double value[6], rate[6];
        crm_joint_row value_row[6], rate_row[6];
        crm_joint_values(joint, &config, value);
        crm_joint_rates(joint, &pose, &twists, rate);
        crm_joint_value_rows(joint, &pose, value_row);
        crm_joint_rate_rows(joint, &pose, rate_row);
        for (int k = 0; k < joint->free; k++) {
            carom_motor_def motor = crm_joint_motor(model, j, k, input);
            crm_coordinate_force force =
                crm_joint_coordinate_force(&joint->def.coordinate[k], &motor, value[k], rate[k]);
            act(joint, &value_row[k], force.spring, wrench);
            act(joint, &rate_row[k], force.active, active);
            act(joint, &rate_row[k], force.passive, passive);
        }
    }
}

static bool is_given(const carom_motor_def *motor) {
    return motor->kind == CAROM_MOTOR_FORCE || (motor->kind == CAROM_MOTOR_POSITION && !crm_motor_has_gains(motor));
}

void crm_joints_add_given_forces(const carom_model *model, const crm_motion *motions, const carom_input *input,
                                 crm_vec6 *active) {
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!joint->driven) continue;
        crm_joint_pose pose = crm_joint_evaluate(joint, motions);
        crm_joint_row rate_row[6];
        crm_joint_rate_rows(joint, &pose, rate_row);
        for (int k = 0; k < joint->free; k++) {
            carom_motor_def motor = crm_joint_motor(model, j, k, input);
            if (is_given(&motor)) act(joint, &rate_row[k], motor_force(&motor, 0.0, 0.0), active);
        }
    }
}

double crm_joints_energy(const carom_model *model, const crm_motion *motions, const crm_joint_config *configs,
                         double *of_body, size_t stride) {
    double energy = 0.0;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!joint->driven) continue;
        crm_joint_pose pose = crm_joint_evaluate(joint, motions);
        crm_joint_config config = crm_joint_config_of(joint, &pose, &configs[j]);
        double value[6];
        crm_joint_values(joint, &config, value);
        for (int k = 0; k < joint->free; k++) {
            double stretch = value[k] - joint->def.coordinate[k].rest;
            double one = 0.5 * joint->def.coordinate[k].stiffness * stretch * stretch;
            energy += one;
            crm_energy_add_to_body(model, joint->a.body, joint->b.body, one, of_body, stride);
        }
    }
    return energy;
}

void crm_joints_remember(const carom_model *model, const crm_motion *motions, crm_joint_config *configs) {
    for (int j = 0; j < model->joints.count; j++) {
        crm_joint_pose pose = crm_joint_evaluate(&model->joints.items[j], motions);
        configs[j] = crm_joint_config_of(&model->joints.items[j], &pose, &configs[j]);
    }
}

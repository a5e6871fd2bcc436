// SPDX-License-Identifier: MIT
#include "model/joint/joint_limits.h"

#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "model/mechanism/joint_gaps.h"

// Share of the system's size, or rad, that a coordinate may be beyond a limit: more than events leave, less than anyone
// would see.
static const double most_beyond = 1e-8;

// What coordinates are rounded to, and the share of the way of a step by which a motor may go beyond a limit, which no
// step is solved to.
static const double rounding = 1e-12, most_of_way = 1e-9;

static bool is_linear(const carom_model *model, crm_limited_coordinate at) {
    return at.coordinate < model->joints.items[at.joint].linear->free;
}

static const carom_coordinate_def *limits_of(const carom_model *model, crm_limited_coordinate at) {
    return &model->joints.items[at.joint].def.coordinate[at.coordinate];
}

bool crm_beyond_limit(const carom_model *model, crm_limited_coordinate at, double size) {
    double slack = most_beyond * (is_linear(model, at) ? size : 1.0);
    const carom_coordinate_def *limits = limits_of(model, at);
    return at.value < limits->lower - slack || at.value > limits->upper + slack;
}

void crm_beyond_limit_text(const carom_model *model, crm_limited_coordinate at, char *out, size_t size) {
    const carom_coordinate_def *limits = limits_of(model, at);
    bool below = at.value < limits->lower;
    const char *unit = is_linear(model, at) ? "m" : "rad";
    double limit = below ? limits->lower : limits->upper;
    char name[CRM_BODY_TEXT];
    snprintf(
        out, size,
        "%s: coordinate %d is %s by %.6g %s, at %.6g %s instead of %.6g %s; start the bodies within the limits, or "
        "move the limit",
        crm_joint_text(model, at.joint, name), at.coordinate,
        below ? "below its lower limit" : "beyond its upper limit", below ? limit - at.value : at.value - limit, unit,
        at.value, unit, limit, unit);
}

carom_status crm_joints_check_limits(const carom_model *model, const crm_motion *motions,
                                     const crm_joint_config *configs, carom_error *error) {
    if (model->joints.count == 0) return CAROM_OK;
    double size = crm_joints_size(model, motions);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        double value[6];
        crm_joint_values(joint, &configs[j], value);
        for (int k = 0; k < joint->free; k++) {
            crm_limited_coordinate at = {j, k, value[k]};
            if (!crm_beyond_limit(model, at, size)) continue;
            char text[CAROM_ERROR_TEXT_SIZE];
            crm_beyond_limit_text(model, at, text, sizeof text);
            return crm_refuse(error, "%s", text);
        }
    }
    return CAROM_OK;
}

// ---- motors

void crm_stopped_motor_text(const carom_model *model, int joint, int coordinate, double rate, double limit, char *out,
                            size_t size) {
    const char *unit = is_linear(model, (crm_limited_coordinate){joint, coordinate, 0.0}) ? "m" : "rad";
    char name[CRM_BODY_TEXT], what[64] = "a limit or another joint";
    if (!isnan(limit)) snprintf(what, sizeof what, "its limit of %g %s", limit, unit);
    snprintf(out, size,
             "%s: coordinate %d has a motor of unlimited force that cannot keep the rate %g %s/s: %s forbids it; give "
             "the motor a max_force, or a target_rate that can be kept",
             crm_joint_text(model, joint, name), coordinate, rate, unit, what);
}

// A coordinate whose value grows at its rate: of two and three angles the limits are of other rows than the motors.
static bool grows_at_rate(const crm_joint *joint, int coordinate) {
    return coordinate < joint->linear->free || joint->angular->free == 1;
}

bool crm_joints_stop_motor(const carom_model *model, const crm_joint_config *configs, const carom_input *input,
                           double step, char *out, size_t size) {
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *c = &joint->def.coordinate[k];
            if (c->motor.kind != CAROM_MOTOR_VELOCITY || !grows_at_rate(joint, k)) continue;
            carom_motor_def motor = crm_joint_motor(model, j, k, input);
            double value[6], rate = motor.target_rate, limit = rate > 0.0 ? c->upper : c->lower;
            if (rate == 0.0 || isinf(limit) || motor.max_force < INFINITY) continue;
            crm_joint_values(joint, &configs[j], value);
            double beyond = value[k] + step * rate - limit;
            double slack = rounding * (fabs(value[k]) + fabs(limit)) + most_of_way * step * fabs(rate);
            if (!((rate > 0.0 ? beyond : -beyond) > slack)) continue;
            crm_stopped_motor_text(model, j, k, rate, limit, out, size);
            return true;
        }
    }
    return false;
}

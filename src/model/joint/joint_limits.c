// SPDX-License-Identifier: MIT
#include "model/joint/joint_limits.h"

#include <stdio.h>

#include "base/fail.h"
#include "model/mechanism/joint_gaps.h"

// Share of the system's size, or rad, that a coordinate may be beyond a limit: more than events leave, less than anyone
// would see.
static const double most_beyond = 1e-8;

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

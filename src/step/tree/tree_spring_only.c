// SPDX-License-Identifier: MIT
#include "step/tree/tree_spring_only.h"

bool crm_tree_is_spring_only(const carom_model *model, int joint) {
    return model->joints.items[joint].rows == 0 && model->joints.items[joint].driven;
}

void crm_tree_spring_only_evaluate(const carom_model *model, const carom_input *input, const crm_joint_config *config,
                                   const crm_motion *from, const crm_motion *to, double h,
                                   crm_tree_spring_only *spring_only) {
    const crm_joint *joint = &model->joints.items[spring_only->joint];
    crm_joint_pose before = crm_joint_evaluate(joint, from), after = crm_joint_evaluate(joint, to);
    crm_joint_config start = crm_joint_config_of(joint, &before, config);
    crm_joint_config end = crm_joint_config_of(joint, &after, config);
    crm_joint_config change = {.rotation = crm_quat_mul(end.rotation, crm_quat_conjugate(start.rotation))};
    for (int k = 0; k < 3; k++) change.slide[k] = end.slide[k] - start.slide[k];
    crm_joint_drive_evaluate(model, spring_only->joint, input, &start, &change, h, &spring_only->drive);
    crm_joint_rate_rows(joint, &before, spring_only->before);
    crm_joint_rate_rows(joint, &after, spring_only->after);
}

static crm_vec6 side(const crm_joint_row *row, int end) {
    return end == 0 ? row->a : row->b;
}

crm_vec6 crm_tree_spring_only_wrench(const crm_joint_row row[6], const double *force, int free, int end) {
    crm_vec6 sum = crm_vec6_zero();
    for (int k = 0; k < free; k++) sum = crm_vec6_madd(sum, force[k], side(&row[k], end));
    return sum;
}

crm_vec6 crm_tree_spring_only_slope(const crm_tree_spring_only *spring_only, int free, int end, int by,
                                    crm_vec6 twist) {
    crm_vec6 sum = crm_vec6_zero();
    for (int j = 0; j < free; j++) {
        double rate = crm_vec6_dot(side(&spring_only->after[j], by), twist);
        for (int k = 0; k < free; k++)
            sum = crm_vec6_madd(sum, spring_only->drive.slope[k + free * j] * rate, side(&spring_only->before[k], end));
    }
    return sum;
}

// SPDX-License-Identifier: MIT
// Rows of joints, limits and velocity motors as the problem of a step has them. Angular ones are made lengths by
// lcp->arm: solvers measure all rows of an island together, and what they find must not depend on the unit of length.
#include "step/lcp/lcp.h"

static double blocked_scale(const crm_lcp *lcp, const crm_joint *joint, int row) {
    return row < joint->linear->blocked ? 1.0 : crm_lcp_arm(lcp, joint);
}

double crm_lcp_coordinate_scale(const crm_lcp *lcp, const crm_joint *joint, int coordinate) {
    return coordinate < joint->linear->free ? 1.0 : crm_lcp_arm(lcp, joint);
}

static void stretch(double scale, crm_joint_row *row) {
    row->a = crm_vec6_scale(scale, row->a);
    row->b = crm_vec6_scale(scale, row->b);
}

void crm_lcp_joint_rows(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose, double residual[6],
                        crm_joint_row row[6]) {
    crm_joint_rows(joint, pose, residual, row);
    for (int k = 0; k < joint->rows; k++) {
        double scale = blocked_scale(lcp, joint, k);
        residual[k] *= scale;
        stretch(scale, &row[k]);
    }
}

void crm_lcp_value_rows(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]) {
    crm_joint_value_rows(joint, pose, row);
    for (int k = 0; k < joint->free; k++) stretch(crm_lcp_coordinate_scale(lcp, joint, k), &row[k]);
}

void crm_lcp_rate_rows(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]) {
    crm_joint_rate_rows(joint, pose, row);
    for (int k = 0; k < joint->free; k++) stretch(crm_lcp_coordinate_scale(lcp, joint, k), &row[k]);
}

crm_vec6 crm_lcp_joint_impulse(const crm_lcp *lcp, const crm_joint *joint, const crm_joint_pose *pose,
                               const double *impulse) {
    double multiplier[6];
    for (int k = 0; k < joint->rows; k++) multiplier[k] = blocked_scale(lcp, joint, k) * impulse[k];
    return crm_joint_reaction(joint, pose, multiplier);
}

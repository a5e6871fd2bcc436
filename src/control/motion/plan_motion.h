// SPDX-License-Identifier: MIT
/// @file
/// What a plan says of the motion, free of how it was solved: poses at nodes, momenta and forces of intervals,
/// impulses. SI units, world axes; positions are of centres of mass, attitudes those of the body frames.
#ifndef CRM_CONTROL_PLAN_MOTION_H
#define CRM_CONTROL_PLAN_MOTION_H

#include "carom/plan.h"

/// An impulse between two bodies at a node: of a joint, or of a planned contact.
typedef struct crm_plan_impulse {
    int32_t node;
    carom_body a, b;    ///< +impulse on a, -impulse on b.
    carom_vec3 point;   ///< World, m.
    carom_vec3 impulse; ///< N s
    carom_vec3 couple;  ///< N m s, on a; - on b.
    int32_t joint;      ///< -1: of contact `contact`.
    int32_t contact;
} crm_plan_impulse;

typedef struct crm_plan_motion {
    int body_count, interval_count;       ///< Bodies of the model, fixed ones as well.
    double *length;                       ///< Of intervals, s. (interval_count)
    carom_vec3 *position;                 ///< [node * body_count + body]
    carom_mat3 *attitude;                 ///< Columns are directors d_1, d_2, d_3 of the body frame. Likewise.
    carom_vec3 *momentum, *spin_momentum; ///< p, l of intervals: [interval * body_count + body]
    carom_vec3 *momentum_start, *spin_momentum_start; ///< P_0, L_0 (body_count)
    carom_vec3 *momentum_end, *spin_momentum_end;     ///< P_K, L_K
    carom_vec3 *force;  ///< Of the controls (not gravity), N: [interval * body_count + body]*2 + end; both nodes.
    carom_vec3 *torque; ///< About the centre of mass with the directors of that node, N m. Likewise.
    double *control;    ///< [interval * control_number_count + number]
    int control_number_count;
    int impulse_count;
    crm_plan_impulse *impulse; ///< In the order of their nodes.
} crm_plan_motion;

#endif

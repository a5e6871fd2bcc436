// SPDX-License-Identifier: MIT
#include "model/mechanism/joint_gaps.h"

#include <float.h>
#include <math.h>

static carom_vec3 side_origin(const crm_joint_side *side, const crm_motion *motions) {
    return crm_point_position((crm_point){side->body, side->at}, motions);
}

double crm_mechanism_size(const carom_model *model, const crm_motion *motions, int mechanism) {
    const crm_joint_graph *graph = &model->graph;
    carom_vec3 low = crm_vec3(INFINITY, INFINITY, INFINITY), high = crm_negate(low);
    double gyration = 0.0;
    for (int i = graph->mechanism_start[mechanism]; i < graph->mechanism_start[mechanism + 1]; i++) {
        const crm_joint *joint = &model->joints.items[graph->mechanism_joint[i]];
        const crm_joint_side *side[2] = {&joint->a, &joint->b};
        for (int s = 0; s < 2; s++) {
            carom_vec3 origin = side_origin(side[s], motions);
            carom_vec3 centre = side[s]->body >= 0 ? motions[side[s]->body].x : origin;
            low = crm_vec3_min(low, crm_vec3_min(origin, centre));
            high = crm_vec3_max(high, crm_vec3_max(origin, centre));
            if (side[s]->body >= 0) gyration = fmax(gyration, crm_body_gyration(&model->bodies.items[side[s]->body]));
        }
    }
    double size = fmax(crm_length(crm_sub(high, low)), gyration);
    return size > 0.0 ? size : 1.0;
}

double crm_joints_size(const carom_model *model, const crm_motion *motions) {
    double largest = 0.0;
    for (int k = 0; k < model->graph.mechanism_count; k++)
        largest = fmax(largest, crm_mechanism_size(model, motions, k));
    return largest > 0.0 ? largest : 1.0;
}

static crm_worst_joint worst_of(const carom_model *model, const crm_motion *motions, int mechanism) {
    const crm_joint_graph *graph = &model->graph;
    crm_worst_joint worst = {.joint = -1, .share = -1.0, .size = crm_mechanism_size(model, motions, mechanism)};
    for (int i = graph->mechanism_start[mechanism]; i < graph->mechanism_start[mechanism + 1]; i++) {
        int j = graph->mechanism_joint[i];
        crm_joint_pose pose = crm_joint_evaluate(&model->joints.items[j], motions);
        double linear, angular;
        crm_joint_drift(&model->joints.items[j], &pose, &linear, &angular);
        double share = fmax(linear / worst.size, angular);
        if (share > worst.share) worst = (crm_worst_joint){j, linear, angular, share, worst.size};
    }
    return worst;
}

crm_worst_joint crm_joints_worst(const carom_model *model, const crm_motion *motions) {
    crm_worst_joint worst = {.joint = -1, .share = -1.0, .size = 1.0};
    for (int k = 0; k < model->graph.mechanism_count; k++) {
        crm_worst_joint own = worst_of(model, motions, k);
        if (own.share > worst.share) worst = own;
    }
    return worst;
}

// A velocity at the joint, counting a spin by the size of the system too: rows are displacements or rotations.
static double speed_of(crm_vec6 twist, carom_vec3 arm, double size) {
    return crm_length(twist.linear) + crm_length(twist.angular) * (size + crm_length(arm));
}

static void add_mechanism(const carom_model *model, const crm_motion *motions, int mechanism, double share,
                          crm_joint_gaps *gaps) {
    const crm_joint_graph *graph = &model->graph;
    crm_worst_joint own = worst_of(model, motions, mechanism);
    double farthest = 0.0, blocked = 0.0, speed = 0.0;
    for (int i = graph->mechanism_start[mechanism]; i < graph->mechanism_start[mechanism + 1]; i++) {
        const crm_joint *joint = &model->joints.items[graph->mechanism_joint[i]];
        crm_joint_pose pose = crm_joint_evaluate(joint, motions);
        crm_joint_twists t = crm_joint_twists_of(model, joint, motions);
        double residual[6], linear, angular;
        crm_joint_row row[6];
        crm_joint_drift(joint, &pose, &linear, &angular);
        gaps->linear = fmax(gaps->linear, linear);
        gaps->angular = fmax(gaps->angular, angular);
        crm_joint_rows(joint, &pose, residual, row);
        for (int k = 0; k < joint->rows; k++) {
            double rate = fabs(crm_joint_row_rate(&row[k], &t));
            gaps->velocity = fmax(gaps->velocity, rate);
            blocked = fmax(blocked, k < joint->linear->blocked ? rate : own.size * rate);
        }
        speed = fmax(speed, fmax(speed_of(t.a, pose.arm_a, own.size), speed_of(t.b, pose.arm_b, own.size)));
        farthest = fmax(farthest, crm_length(side_origin(&joint->a, motions)));
    }
    double enough = share + 4.0 * DBL_EPSILON * farthest / own.size;
    if (gaps->worst.joint < 0 || own.share * gaps->enough > gaps->worst.share * enough) {
        gaps->worst = own;
        gaps->enough = enough;
    }
    gaps->velocity_share = fmax(gaps->velocity_share, speed > 0.0 ? blocked / speed : 0.0);
}

crm_joint_gaps crm_joint_gaps_of(const carom_model *model, const crm_motion *motions, double share) {
    crm_joint_gaps gaps = {.worst = {.joint = -1}, .enough = share};
    for (int k = 0; k < model->graph.mechanism_count; k++) add_mechanism(model, motions, k, share, &gaps);
    return gaps;
}

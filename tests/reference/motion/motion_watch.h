// SPDX-License-Identifier: MIT
// Watches a plan's motion go by: poses between nodes by formulas of its own in long double, and for every two convex
// parts a direction that proves that they are apart, the planes of both along it computed in long double. The library's
// normal is no more than where to look for that direction.
#ifndef TEST_REFERENCE_MOTION_WATCH_H
#define TEST_REFERENCE_MOTION_WATCH_H

#include "control/motion/plan_motion.h"

typedef struct motion_watch {
    double gap; // the least that was proved at any moment, m: negative where no direction separates them
    carom_body a, b;
    int interval;
    double share; // of the interval
    long moments; // pairs of parts that were looked at
} motion_watch;

// `moments` times an interval, all pairs of the plan, or all that can have contacts. Bodies are polytopes, boxes,
// balls, capsules, compounds of these, and half-spaces that do not move. What is farther apart than `enough` is left
// out.
motion_watch watch_motion(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                          int moments, double enough);

#endif

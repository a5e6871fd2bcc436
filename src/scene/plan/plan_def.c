// SPDX-License-Identifier: MIT
// The defaults of what is asked of plans: here, as scenes are read without a solver.
#include "carom/plan.h"

#include <math.h>

carom_plan_def carom_plan_def_default(void) {
    return (carom_plan_def){.struct_size = sizeof(carom_plan_def),
                            .avoid = {.between_nodes = true},
                            .discover = {.hand_over = true},
                            .levels = 1,
                            .starts = 1,
                            .tolerance = 1e-8};
}

carom_control_def carom_control_def_default(void) {
    return (carom_control_def){.body = {-1},
                               .joint = -1,
                               .force = true,
                               .torque = true,
                               .force_limit = INFINITY,
                               .torque_limit = INFINITY,
                               .force_weight = 1.0,
                               .torque_weight = 1.0};
}

carom_plan_condition carom_plan_condition_default(void) {
    return (carom_plan_condition){.node = -1,
                                  .body = {-1},
                                  .attitude = {1.0, 0.0, 0.0, 0.0},
                                  .relative_to = CAROM_WORLD,
                                  .box_low = {-INFINITY, -INFINITY, -INFINITY},
                                  .box_high = {INFINITY, INFINITY, INFINITY}};
}

carom_plan_contact carom_plan_contact_default(void) {
    return (carom_plan_contact){.node = -1, .a = {-1}, .b = {-1}};
}

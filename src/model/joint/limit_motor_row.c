// SPDX-License-Identifier: MIT
#include "model/joint/limit_motor_row.h"

#include <math.h>

int crm_limit_motor_rows_list(const carom_model *model, crm_limit_motor_row *limit_motor) {
    int count = 0;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *c = &joint->def.coordinate[k];
            bool has[2] = {c->lower > -INFINITY || c->upper < INFINITY, c->motor.kind == CAROM_MOTOR_VELOCITY};
            for (int motor = 0; motor < 2; motor++) {
                if (!has[motor]) continue;
                if (limit_motor != NULL)
                    limit_motor[count] = (crm_limit_motor_row){.joint = j, .coordinate = k, .is_motor = motor};
                count++;
            }
        }
    }
    return count;
}

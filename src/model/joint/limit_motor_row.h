// SPDX-License-Identifier: MIT
// Limits and velocity motors of joints, as rows that methods may hold.
#ifndef CRM_MODEL_LIMIT_MOTOR_ROW_H
#define CRM_MODEL_LIMIT_MOTOR_ROW_H

#include "model/model.h"

// A limit or a velocity motor of a coordinate, as a row beside what the joint blocks.
typedef struct crm_limit_motor_row {
    int joint, coordinate;
    bool is_motor; // else a limit
    int row;       // of the method's own rows
    bool on;
} crm_limit_motor_row;

// Those of a model by joint, then coordinate, a limit before a motor: how many, and unless `limit_motor` is NULL which.
int crm_limit_motor_rows_list(const carom_model *model, crm_limit_motor_row *limit_motor);

#endif

// SPDX-License-Identifier: MIT
// A collision as a row of its table.
#ifndef CRM_RECORD_COLLISION_ROW_H
#define CRM_RECORD_COLLISION_ROW_H

#include "carom/step.h"
#include "record/file/table_row.h"

// Its columns after the number, and how many values that makes with it.
#define CRM_COLLISION_COLUMNS                                                                           \
    "step INTEGER NOT NULL, time REAL, a INTEGER NOT NULL, b INTEGER NOT NULL, x REAL, y REAL, z REAL," \
    " nx REAL, ny REAL, nz REAL, jx REAL, jy REAL, jz REAL, approach REAL, separation REAL,"            \
    " energy_before REAL, energy_jump REAL"

void crm_collision_put(const carom_collision *collision, crm_row *row);
void crm_collision_get(carom_collision *collision, crm_row *row);

// What any collision of any run is: numbers that are finite, a normal of length one, two bodies of so many.
bool crm_collision_plausible(const carom_collision *collision, int64_t body_count);

#endif

// SPDX-License-Identifier: MIT
// What impulses of rows bring into the system from outside: momentum from the ground, work of motors.
#include "step/impulse/impulse_fixed.h"

void crm_impulse_add_ground(const carom_model *model, const carom_state *state, crm_lcp *rows,
                            double (*external)[CRM_EXTERNAL_NUMBERS]) {
    for (int b = 0; b < model->bodies.count; b++) rows->twist[b] = crm_vec6_zero();
    crm_lcp_add_ground_impulses(model, rows, rows->twist);
    for (int b = 0; b < model->bodies.count; b++)
        crm_external_add(external[b], state->motions[b].x, 1.0, rows->twist[b]);
}

double crm_impulse_motor_work(const crm_vec6 *start, const crm_vec6 *end, crm_lcp *rows) {
    const crm_vec6 *twist[2] = {start, end};
    double work = 0.0;
    for (int i = 0; i < 2; i++) {
        crm_lcp_row_velocities(twist[i], rows);
        int row = crm_lcp_contact_rows(rows);
        for (int k = 0; k < rows->problem.blocks.count; row += rows->problem.blocks.items[k++].rows) {
            if (rows->problem.blocks.items[k].law != CAROM_LAW_BOX) continue;
            work += 0.5 * rows->problem.impulse.items[row] * rows->velocity.items[row];
        }
    }
    return work;
}

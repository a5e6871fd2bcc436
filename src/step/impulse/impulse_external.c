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

void crm_impulse_add_motor_work(const carom_model *model, const crm_vec6 *start, const crm_vec6 *end, crm_lcp *rows,
                                double (*external)[CRM_EXTERNAL_NUMBERS]) {
    const crm_vec6 *twist[2] = {start, end};
    for (int i = 0; i < 2; i++) {
        crm_lcp_row_velocities(twist[i], rows);
        int row = crm_lcp_contact_rows(rows);
        for (int k = 0; k < rows->problem.force_blocks; row += rows->problem.blocks.items[k++].rows) {
            const crm_rigid_block *block = &rows->problem.blocks.items[k];
            if (block->law != CAROM_LAW_BOX) continue;
            int a = crm_lcp_body_at(rows, block->a),
                body = crm_body_moves(model, a) ? a : crm_lcp_body_at(rows, block->b);
            double work = 0.5 * rows->problem.impulse.items[row] * rows->velocity.items[row];
            if (crm_body_moves(model, body)) crm_external_add_work(external[body], work);
        }
    }
}

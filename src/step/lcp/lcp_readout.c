// SPDX-License-Identifier: MIT
// What a solved step says: the table of contacts, the work of friction, the reactions of joints.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "contact/contact_set.h"
#include "model/joint/joint.h"
#include "step/lcp/lcp.h"

// A slip no larger than what the step is solved to, `noise`, counts as none.
static carom_contact_status status_of(double normal_impulse, const double *slip, double noise) {
    if (!(normal_impulse > 0.0)) return CAROM_CONTACT_STATUS_APART;
    return sqrt(slip[0] * slip[0] + slip[1] * slip[1]) > noise ? CAROM_CONTACT_STATUS_SLIDES
                                                               : CAROM_CONTACT_STATUS_STICKS;
}

static bool read_contact(carom_state *state, const crm_lcp *lcp, int c, carom_step_report *report) {
    static const double none[3] = {0.0, 0.0, 0.0};
    const double *r = lcp->problem.impulse.items + 3 * (ptrdiff_t)c, *at = lcp->velocity.items + 3 * (ptrdiff_t)c;
    bool rough = lcp->problem.contacts.items[c].friction > 0.0; // what is smooth slips freely: of no account
    const double u[3] = {at[0], rough ? at[1] : 0.0, rough ? at[2] : 0.0};
    carom_contact_status status = status_of(r[0], u + 1, crm_lcp_slip_noise(lcp, c));
    if (!crm_contact_table_add(state, &lcp->contacts.sites.items[c], r, u, status)) return false;
    const double *before = lcp->two_phases ? lcp->compression.items + 3 * (ptrdiff_t)c : none;
    if (status == CAROM_CONTACT_STATUS_SLIDES)
        report->friction_work += (r[1] - before[1]) * u[1] + (r[2] - before[2]) * u[2];
    return true;
}

// The next line of the step before that is of what rests, as it was then: contacts of what rests stand in the same
// order in every list.
static bool keep_line(carom_state *state, const crm_lcp *lcp, int *line) {
    const carom_contact_state *lines = lcp->former.items;
    while (*line < lcp->former.count &&
           !(crm_rests(&lcp->rest, lines[*line].a.index) && crm_rests(&lcp->rest, lines[*line].b.index)))
        ++*line;
    CRM_ASSERT(*line < lcp->former.count);
    return CRM_ARRAY_PUSH(&state->model->allocator, &state->contact_table, lines[(*line)++]);
}

static bool read_contacts(carom_state *state, crm_lcp *lcp, carom_step_report *report) {
    int count = state->contact_list.count, sites = lcp->contacts.sites.count, line = 0;
    bool same = sites == 0 && state->contact_table.count == count; // all of them rest, and did so
    report->contacts = count;
    if (same) return true;
    crm_contact_table former = lcp->former;
    lcp->former = state->contact_table;
    state->contact_table = former;
    state->contact_table.count = 0;
    for (int c = 0, site = 0; c < count; c++) {
        bool rests = site == sites || lcp->contacts.listed.items[site] != c;
        if (!(rests ? keep_line(state, lcp, &line) : read_contact(state, lcp, site++, report))) return false;
    }
    return true;
}

void crm_lcp_store(const carom_state *state, const crm_lcp *lcp) {
    for (int c = 0; lcp->contacts.proxy_count > 0 && c < lcp->contacts.listed.count; c++) {
        double guess[3];
        crm_lcp_next_guess(lcp, c, guess);
        crm_contact_set_remember(state->contact_set, 1, &lcp->contacts.listed.items[c], guess);
    }
}

// Of a row's impulse on b, about B's origin.
static crm_vec6 about_origin(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_row *row,
                             double force) {
    // What acts on the world or a fixed body is the opposite of what acts on the other one.
    (void)joint;
    return crm_force_shift(crm_vec6_scale(force, row->b), pose->arm_b);
}

static void read_joints(const carom_model *model, carom_state *state, const crm_lcp *lcp) {
    const double *r = crm_lcp_block_impulses(lcp), *limit_motor = r != NULL ? r + lcp->problem.joint_rows : NULL;
    double per_step = 1.0 / state->method.step;
    for (int j = 0; j < model->joints.count; r += model->joints.items[j++].rows) {
        const crm_joint *joint = &model->joints.items[j];
        crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
        crm_vec6 sum = crm_vec6_scale(per_step, crm_lcp_joint_impulse(lcp, joint, &pose, r));
        crm_joint_row value_row[6], rate_row[6];
        crm_lcp_value_rows(lcp, joint, &pose, value_row);
        crm_lcp_rate_rows(lcp, joint, &pose, rate_row);
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *c = &joint->def.coordinate[k];
            if (c->lower > -INFINITY)
                sum = crm_vec6_add(sum, about_origin(joint, &pose, &value_row[k], per_step * *limit_motor++));
            if (c->upper < INFINITY)
                sum = crm_vec6_add(sum, about_origin(joint, &pose, &value_row[k], -per_step * *limit_motor++));
            if (c->motor.kind == CAROM_MOTOR_VELOCITY)
                sum = crm_vec6_add(sum, about_origin(joint, &pose, &rate_row[k], per_step * *limit_motor++));
        }
        state->reaction[j] = sum;
    }
}

static void keep_impulses(crm_lcp *lcp) {
    size_t rows = (size_t)(lcp->row_impulse_count - lcp->force_slots);
    if (rows > 0) memcpy(lcp->row_impulse, crm_lcp_block_impulses(lcp), rows * sizeof(double));
    if (lcp->problem.forces.count > 0) crm_lcp_keep_forces(lcp, lcp->problem.impulse.items + crm_lcp_force_row(lcp));
}

bool crm_lcp_read_out(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report) {
    if (model->joints.count > 0) read_joints(model, state, lcp);
    keep_impulses(lcp);
    return read_contacts(state, lcp, report);
}

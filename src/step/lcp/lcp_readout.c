// SPDX-License-Identifier: MIT
// What a solved step says: the table of contacts, the work of friction, the reactions of joints.
#include <math.h>
#include <string.h>

#include "contact/contact_set.h"
#include "model/joint/joint.h"
#include "step/lcp/lcp.h"

// A slip no larger than what the step is solved to, `noise`, counts as none.
static carom_contact_status status_of(double normal_impulse, const double *slip, double noise) {
    if (!(normal_impulse > 0.0)) return CAROM_CONTACT_STATUS_APART;
    return hypot(slip[0], slip[1]) > noise ? CAROM_CONTACT_STATUS_SLIDES : CAROM_CONTACT_STATUS_STICKS;
}

static void read_contact(const crm_lcp *lcp, const carom_contact *contact, const carom_row_group *group,
                         const double *r, const double *u, double noise, carom_contact_state *out) {
    bool cone = group->rows == 3;
    memset(out, 0, sizeof *out); // what lies between the members too
    out->a.index = lcp->proxies[contact->a].id;
    out->b.index = lcp->proxies[contact->b].id;
    out->point = crm_scale(0.5, crm_add(contact->point_a, contact->point_b));
    out->normal = contact->normal;
    out->tangent = contact->tangent;
    out->gap = contact->gap;
    out->friction = group->friction;
    out->normal_impulse = r[0];
    out->normal_velocity = u[0];
    for (int k = 0; k < 2 && cone; k++) {
        out->tangent_impulse[k] = r[1 + k];
        out->slip[k] = u[1 + k];
    }
    out->status = status_of(r[0], out->slip, noise);
}

static bool read_contacts(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report) {
    int count = state->contact_list.count, first = lcp->layout.joint_groups + lcp->layout.limit_motor_groups;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &state->contact_table, count)) return false;
    int row = lcp->layout.joint_rows + lcp->layout.limit_motor_rows;
    for (int c = 0; c < count; c++) {
        const carom_row_group *group = &lcp->groups.items[first + c];
        const double *r = lcp->impulse.items + row, *u = lcp->velocity.items + row;
        carom_contact_state *out = &state->contact_table.items[c];
        read_contact(lcp, &state->contact_list.items[c], group, r, u, crm_lcp_slip_noise(lcp), out);
        double kept[3] = {out->normal_impulse, out->tangent_impulse[0], out->tangent_impulse[1]};
        static const double none[3] = {0.0, 0.0, 0.0};
        const double *first = lcp->two_phases ? lcp->compression.items + row : none;
        if (out->status == CAROM_CONTACT_STATUS_SLIDES)
            report->friction_work += (kept[1] - first[1]) * out->slip[0] + (kept[2] - first[2]) * out->slip[1];
        row += group->rows;
    }
    report->contacts = count;
    return true;
}

bool crm_lcp_store(const carom_model *model, carom_state *state, crm_lcp *lcp) {
    int count = state->contact_list.count, first = lcp->layout.joint_groups + lcp->layout.limit_motor_groups;
    if (lcp->proxy_count == 0) return true;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->stored, 3 * (ptrdiff_t)count)) return false;
    const double *r = lcp->impulse.items + lcp->layout.joint_rows + lcp->layout.limit_motor_rows;
    for (int c = 0; c < count; c++) {
        int rows = lcp->groups.items[first + c].rows;
        double *to = lcp->stored.items + 3 * (ptrdiff_t)c;
        for (int k = 0; k < 3; k++) to[k] = k < rows ? r[k] : 0.0;
        r += rows;
    }
    crm_contact_set_remember(state->contact_set, lcp->stored.items);
    return true;
}

// Of a row's impulse on b, about B's origin.
static crm_vec6 about_origin(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_row *row,
                             double force) {
    // What acts on the world or a fixed body is the opposite of what acts on the other one.
    (void)joint;
    return crm_force_shift(crm_vec6_scale(force, row->b), pose->arm_b);
}

static void read_joints(const carom_model *model, carom_state *state, const crm_lcp *lcp) {
    const double *r = lcp->impulse.items, *limit_motor = r + lcp->layout.joint_rows;
    double per_step = 1.0 / state->method.step;
    for (int j = 0; j < model->joints.count; j++) {
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
        r += joint->rows;
    }
    if (state->row_impulse_count > 0)
        memcpy(state->row_impulse, lcp->impulse.items, (size_t)state->row_impulse_count * sizeof *state->row_impulse);
}

bool crm_lcp_read_out(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report) {
    if (model->joints.count > 0) read_joints(model, state, lcp);
    return read_contacts(model, state, lcp, report);
}

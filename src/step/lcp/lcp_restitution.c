// SPDX-License-Identifier: MIT
// Poisson's restitution in the time-stepping sense: a phase of compression, then one of restitution.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/lcp/lcp.h"

static double normal_velocity(const carom_contact *contact, const crm_motion *motions, int a, int b, crm_vec6 twist_a,
                              crm_vec6 twist_b) {
    carom_vec3 point = crm_scale(0.5, crm_add(contact->point_a, contact->point_b));
    carom_vec3 at_a = crm_add(twist_a.linear, crm_cross(twist_a.angular, crm_sub(point, motions[a].x)));
    carom_vec3 at_b = crm_add(twist_b.linear, crm_cross(twist_b.angular, crm_sub(point, motions[b].x)));
    return crm_dot(contact->normal, crm_sub(at_b, at_a));
}

static crm_vec6 twist_before(const carom_model *model, const carom_state *state, int body) {
    const crm_body *of = &model->bodies.items[body];
    return crm_vec6_of(crm_motion_velocity(of, &state->motions[body]), crm_motion_spin(of, &state->motions[body]));
}

// How much of a contact's impulse came from running into it, rather than from forces that press on it in this step: the
// share of the approach that was there before them. An approach below what the step is solved to is none: what rests
// stays at rest.
static double impact_share(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                           const carom_contact *contact, int a, int b) {
    crm_vec6 at_a = twist_before(model, state, a), at_b = twist_before(model, state, b);
    double before = normal_velocity(contact, state->motions, a, b, at_a, at_b);
    double free = normal_velocity(contact, state->motions, a, b, lcp->free[a], lcp->free[b]);
    if (!(before < -lcp->noise)) return 0.0;
    return free < before ? before / free : 1.0;
}

// Of the first phase, with the velocities at its end.
static double friction_work(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    crm_lcp_solved_velocities(model, state, lcp);
    double work = 0.0;
    int row = 0;
    for (int k = 0; k < lcp->groups.count; row += lcp->groups.items[k++].rows) {
        const double *r = lcp->impulse.items + row, *u = lcp->velocity.items + row;
        if (lcp->groups.items[k].law == CAROM_LAW_CONE && hypot(u[1], u[2]) > crm_lcp_slip_noise(lcp))
            work += r[1] * u[1] + r[2] * u[2];
    }
    return work;
}

carom_status crm_lcp_restitute(const carom_model *model, carom_state *state, crm_lcp *lcp, carom_step_report *report,
                               carom_error *error) {
    int rows = lcp->impulse.count, first = lcp->layout.joint_groups + lcp->layout.limit_motor_groups;
    if (rows == 0) return CAROM_OK; // nothing that could rebound
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->compression, rows))
        return crm_fail_memory(error, "impulses", (size_t)rows * sizeof(double));
    double *impulse = lcp->impulse.items, *kept = lcp->compression.items;
    memcpy(kept, impulse, (size_t)rows * sizeof *kept);
    bool any = false;
    int row = lcp->layout.joint_rows + lcp->layout.limit_motor_rows;
    for (int c = 0; c < state->contact_list.count; row += lcp->groups.items[first + c++].rows) {
        const carom_contact *contact = &state->contact_list.items[c];
        int a = (int)lcp->proxies[contact->a].id, b = (int)lcp->proxies[contact->b].id;
        double friction, restitution = 0.0;
        (void)carom_model_get_material_pair(model, model->bodies.items[a].def.material,
                                            model->bodies.items[b].def.material, &friction, &restitution, NULL);
        if (restitution == 0.0 || !(impulse[row] > 0.0)) continue;
        double more = restitution * impact_share(model, state, lcp, contact, a, b) * impulse[row];
        kept[row] += more;
        any |= more > 0.0;
    }
    if (!any) return CAROM_OK;
    lcp->two_phases = true;
    report->friction_work = friction_work(model, state, lcp);
    // The second problem starts where all that was kept leads to.
    memcpy(impulse, kept, (size_t)rows * sizeof *kept);
    crm_lcp_shift_free(model, state, lcp);
    memset(impulse, 0, (size_t)rows * sizeof *impulse);
    carom_status status = crm_lcp_solve(state, lcp, report, error);
    for (int i = 0; i < rows; i++) impulse[i] += kept[i];
    return status;
}

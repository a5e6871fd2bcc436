// SPDX-License-Identifier: MIT
// Rows of contacts of surfaces (step/flex/surface): a point against the three nodes of a triangle, an edge against an
// edge.
#include <math.h>
#include <string.h>

#include "model/force/evaluate.h"
#include "step/lcp/flexible/lcp_flex.h"

// ---- rows

// The direction in which an end is pushed, and about the centre of mass of what can rotate.
static void set_row(const carom_model *model, const carom_state *state, const crm_surface_contact *contact, int end,
                    crm_vec6 row[3]) {
    int body = contact->body[end];
    bool rotates =
        model->bodies.items[body].kind == CAROM_BODY_FREE || model->bodies.items[body].kind == CAROM_BODY_PLANAR;
    carom_vec3 arm = rotates ? crm_sub(contact->point, state->motions[body].x) : crm_vec3_zero();
    for (int k = 0; k < 3; k++) {
        carom_vec3 d = crm_surface_row(contact, end, k);
        row[k] = crm_vec6_of(d, crm_cross(arm, d));
    }
}

// Beside the normal velocity: what of a gap may be gone through, or of an overlap is undone.
static double offset_of(const carom_state *state, const crm_lcp *lcp, double gap) {
    double h = state->method.step;
    return gap > 0.0 ? gap / h : fmax(lcp->def.gamma * gap / h, -lcp->def.push_out);
}

bool crm_lcp_flex_add_surfaces(const carom_state *state, crm_lcp *lcp) {
    crm_surface_contacts *found = &lcp->flex->surfaces.found;
    for (int c = 0; c < found->count; c++) {
        const crm_surface_contact *contact = &found->items[c];
        bool relaxed = lcp->def.friction == CAROM_FRICTION_RELAXED;
        carom_row_group group = {.law = CAROM_LAW_CONE, .rows = 3, .friction = contact->friction, .relaxed = relaxed};
        const double offset[3] = {offset_of(state, lcp, contact->gap), 0.0, 0.0};
        if (!crm_step_problem_add_group(&lcp->general, group, offset, contact->impulse)) return false;
        for (int e = 0; e < CRM_SURFACE_ENDS && contact->body[e] >= 0; e++) {
            crm_vec6 row[3];
            set_row(state->model, state, contact, e, row);
            if (!crm_step_problem_add_entry(&lcp->general, contact->body[e], row)) return false;
        }
    }
    return true;
}

void crm_lcp_flex_take_surfaces(crm_lcp *lcp) {
    crm_surface_contacts *found = &lcp->flex->surfaces.found;
    const double *from = CRM_ARRAY_FROM(&lcp->general.impulse, lcp->general.impulse.count - 3 * found->count);
    for (int c = 0; c < found->count; c++, from += 3) memcpy(found->items[c].impulse, from, 3 * sizeof *from);
}

static carom_vec3 force_of(const crm_surface_contact *contact) {
    carom_vec3 force = crm_scale(contact->impulse[0], contact->direction[0]);
    return crm_madd(crm_madd(force, contact->impulse[1], contact->direction[1]), contact->impulse[2],
                    contact->direction[2]);
}

void crm_lcp_flex_add_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    const crm_surface_contacts *found = &lcp->flex->surfaces.found;
    for (int c = 0; c < found->count; c++) {
        const crm_surface_contact *contact = &found->items[c];
        for (int e = 0; e < CRM_SURFACE_ENDS; e++) {
            int body = contact->body[e];
            if (!crm_body_moves(model, body)) continue;
            carom_vec3 share = crm_vec3_zero();
            for (int k = 0; k < 3; k++) share = crm_madd(share, contact->impulse[k], crm_surface_row(contact, e, k));
            carom_vec3 arm = crm_sub(contact->point, lcp->flex->bodies.motions[body].x);
            crm_vec6 on =
                crm_wrench_projected(model->bodies.items[body].kind, crm_vec6_of(share, crm_cross(arm, share)));
            wrench[body] = crm_vec6_add(wrench[body], on);
        }
    }
}

// u - offset, by the twists of all bodies.
static void surface_velocity(const carom_state *state, const crm_surface_contact *contact, const crm_vec6 *twist,
                             double u[3]) {
    u[0] = u[1] = u[2] = 0.0;
    for (int e = 0; e < CRM_SURFACE_ENDS && contact->body[e] >= 0; e++) {
        crm_vec6 row[3];
        set_row(state->model, state, contact, e, row);
        for (int k = 0; k < 3; k++) u[k] += crm_vec6_dot(row[k], twist[contact->body[e]]);
    }
}

// ---- what comes of them

// A slip of less than so many times what velocities may be wrong by is none (lcp_slip.c).
static double slip_noise(const crm_lcp *lcp, const crm_surface_contact *contact) {
    static const double share = 4.0;
    double noise = 0.0;
    for (int e = 0; e < CRM_SURFACE_ENDS && contact->body[e] >= 0; e++) {
        int slot = lcp->problem.slot_of[contact->body[e]];
        if (slot >= 0) noise = fmax(noise, lcp->noise[slot]);
    }
    return share * noise;
}

bool crm_lcp_flex_drop_friction(const carom_state *state, crm_lcp *lcp, const crm_vec6 *twist) {
    crm_surface_contacts *found = &lcp->flex->surfaces.found;
    bool dropped = false;
    for (int c = 0; c < found->count; c++) {
        double u[3], *r = found->items[c].impulse;
        surface_velocity(state, &found->items[c], twist, u);
        if (!(r[1] * u[1] + r[2] * u[2] > 0.0) || hypot(u[1], u[2]) <= slip_noise(lcp, &found->items[c])) continue;
        r[1] = r[2] = 0.0;
        dropped = true;
    }
    return dropped;
}

bool crm_lcp_flex_read_contacts(carom_state *state, crm_lcp *lcp, carom_step_report *report) {
    crm_lcp_flex *flex = lcp->flex;
    const crm_flex_implicit *bodies = &flex->bodies;
    const crm_surface_contacts *found = &flex->surfaces.found;
    crm_overlaps overlaps = {0};
    for (int n = 0; n < bodies->node_count; n++) flex->pushed[n] = crm_vec3_zero();
    for (int c = 0; c < found->count; c++) {
        const crm_surface_contact *contact = &found->items[c];
        const double *r = contact->impulse;
        int node = bodies->node_of[contact->body[0]];
        double u[3];
        surface_velocity(state, contact, lcp->motion.free, u);
        bool slides = hypot(u[1], u[2]) > slip_noise(lcp, contact) && contact->friction > 0.0;
        carom_contact_status status = !(r[0] > 0.0) ? CAROM_CONTACT_STATUS_APART
                                      : slides      ? CAROM_CONTACT_STATUS_SLIDES
                                                    : CAROM_CONTACT_STATUS_STICKS;
        if (status == CAROM_CONTACT_STATUS_SLIDES) report->friction_work += r[1] * u[1] + r[2] * u[2];
        // Of each side the end that bears most.
        int least = 0, most = 0;
        for (int e = 1; e < CRM_SURFACE_ENDS; e++) {
            if (contact->weight[e] < contact->weight[least]) least = e;
            if (contact->weight[e] > contact->weight[most]) most = e;
        }
        crm_contact_site site = {.a = contact->body[least],
                                 .b = contact->body[most],
                                 .gap = contact->gap,
                                 .point = contact->point,
                                 .size = contact->size,
                                 .friction = contact->friction};
        memcpy(site.direction, contact->direction, sizeof site.direction);
        if (!crm_contact_table_add(state, &site, r, u, status)) return false;
        crm_overlaps_add(&overlaps, fmax(-contact->gap, 0.0) / contact->size);
        if (node >= 0 && !contact->of_edges) flex->pushed[node] = crm_add(flex->pushed[node], force_of(contact));
    }
    report->contacts += found->count;
    report->infeasibility = fmax(report->infeasibility, fmax(overlaps.largest, flex->surfaces.deepest));
    return true;
}

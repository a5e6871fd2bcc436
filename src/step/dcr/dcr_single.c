// SPDX-License-Identifier: MIT
// Contacts that are hit alone: the split of the momentum is that of the algebraic law with e_t = 0 (docs/math.md
// 7.4, 10.7), -p_norm = J^T P_I and -p_slide = J^T (P_II - P_I), and its impulse that of impact/, by the inverse mass
// that the contact sees: of two free bodies, or of the trees that they hang in.
#include <string.h>

#include "carom/impact.h"
#include "step/contacts/problem_body.h"
#include "step/dcr/dcr.h"

// The trees that a contact moves; -1: none.
static void trees_of(const crm_dcr *dcr, const crm_contact_site *site, int tree[2]) {
    const int ends[] = {site->a, site->b};
    for (int e = 0; e < 2; e++)
        tree[e] = dcr->model->bodies.items[ends[e]].kind == CAROM_BODY_FIXED ? -1 : dcr->tree[ends[e]];
    if (tree[1] == tree[0]) tree[1] = -1;
}

// How many contacts that are hit move each tree.
static void count_hits(crm_dcr *dcr) {
    for (int b = 0; b < dcr->model->bodies.count; b++) dcr->trees[b].hits = 0;
    for (int i = 0; i < dcr->hits.count; i++) {
        const crm_contact_site *site = &dcr->found.sites.items[dcr->hits.items[i]];
        int tree[2];
        trees_of(dcr, site, tree);
        for (int e = 0; e < 2; e++)
            if (tree[e] >= 0) dcr->trees[tree[e]].hits++;
    }
}

static bool is_single(const crm_dcr *dcr, const crm_contact_site *site) {
    int tree[2];
    trees_of(dcr, site, tree);
    for (int e = 0; e < 2; e++)
        if (tree[e] >= 0 && dcr->trees[tree[e]].hits > 1) return false;
    return true;
}

// Velocities of the contact's bodies that the impulses `on_a`, `on_b` lead to.
static void respond(crm_dcr *dcr, const crm_contact_site *site, crm_vec6 on_a, crm_vec6 on_b, crm_vec6 answer[2]) {
    const carom_model *model = dcr->model;
    const int ends[] = {site->a, site->b};
    const crm_vec6 given[] = {on_a, on_b};
    bool jointed = model->joints.count > 0;
    if (jointed) memset(dcr->momenta, 0, (size_t)model->bodies.count * sizeof *dcr->momenta);
    for (int e = 0; e < 2; e++) {
        const crm_body *body = &model->bodies.items[ends[e]];
        crm_vec6 projected = crm_wrench_projected(body->kind, given[e]);
        crm_motion m = {.q = dcr->state->next[ends[e]].q, .p = projected.linear, .l = projected.angular};
        answer[e] = crm_vec6_zero();
        if (body->kind == CAROM_BODY_FIXED) continue;
        if (jointed)
            dcr->momenta[ends[e]] = projected;
        else
            answer[e] = crm_vec6_of(crm_motion_velocity(body, &m), crm_motion_spin(body, &m));
    }
    if (!jointed) return;
    crm_null_space_twists(&dcr->space, dcr->momenta, dcr->smooth);
    for (int e = 0; e < 2; e++) answer[e] = dcr->smooth[ends[e]];
}

// In the axes of the contact: normal and tangents.
static carom_impact impact_of(crm_dcr *dcr, const crm_contact_site *site, double e) {
    crm_vec6 on_a[3], on_b[3];
    double u[3], k[3][3];
    crm_contact_rows(site, dcr->state->next, on_a, on_b);
    crm_dcr_contact_velocity(dcr, site, dcr->twist, u);
    for (int j = 0; j < 3; j++) {
        crm_vec6 answer[2];
        respond(dcr, site, on_a[j], on_b[j], answer);
        for (int i = 0; i < 3; i++) k[j][i] = crm_vec6_dot(on_a[i], answer[0]) + crm_vec6_dot(on_b[i], answer[1]);
    }
    carom_mat3 matrix = crm_mat3_columns(crm_vec3(k[0][0], k[0][1], k[0][2]), crm_vec3(k[1][0], k[1][1], k[1][2]),
                                         crm_vec3(k[2][0], k[2][1], k[2][2]));
    return (carom_impact){.matrix = crm_mat3_scale(0.5, crm_mat3_add(matrix, crm_mat3_transpose(matrix))),
                          .normal = crm_vec3(1.0, 0.0, 0.0),
                          .velocity = crm_vec3(u[0], u[1], u[2]),
                          .friction = site->friction,
                          .restitution = e};
}

void crm_dcr_resolve_singles(crm_dcr *dcr, bool elastic, carom_step_report *report) {
    int left = 0;
    count_hits(dcr);
    for (int i = 0; i < dcr->hits.count; i++) {
        int c = dcr->hits.items[i];
        const crm_contact_site *site = &dcr->found.sites.items[c];
        carom_impact_result result;
        bool single = is_single(dcr, site);
        if (single && !crm_dcr_approaches(dcr, c)) continue;
        if (single) {
            carom_impact impact = impact_of(dcr, site, elastic ? site->restitution : 0.0);
            // Refused where joints let nothing move along the normal: that is for the problem of all others.
            single = carom_impact_resolve(&impact, CAROM_IMPACT_LAW_ALGEBRAIC, &result, NULL) == CAROM_OK;
        }
        if (!single) {
            dcr->hits.items[left++] = c;
            continue;
        }
        crm_dcr_give(dcr, c, (const double[3]){result.impulse.x, result.impulse.y, result.impulse.z});
        report->friction_work += result.friction_work;
    }
    dcr->hits.count = left;
}

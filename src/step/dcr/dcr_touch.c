// SPDX-License-Identifier: MIT
// Bodies that come to touch each other within a step are hit there and then: at the poses, with the normals and with
// the momenta of the touch, and fly on from it (docs/math.md 10.7). Neither energy nor angular momentum knows of the
// step then, and what no friction holds gets no spin.
//
// Touches are taken one after the other in time, each with all that hangs together with it there. Only bodies that
// overlap where their flights end are looked at; and bodies that joints, springs or charges couple are left to the
// projection, as what lasts is.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "step/certify/accounts.h"
#include "step/dcr/dcr.h"

// In one step. What still overlaps then is for the projection.
enum { MOST_TOUCHES = 200 };

static bool flies(const crm_dcr *dcr, int body) {
    return !dcr->trees[dcr->tree[body]].coupled;
}

// The first touch of two bodies that overlap where the flights end; INFINITY: none.
static double first_touch(const crm_dcr *dcr, int pair[2]) {
    double first = INFINITY;
    int checked[2] = {-1, -1};
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        if (!(site->gap < -CRM_DCR_OVERLAP * site->size) || (site->a == checked[0] && site->b == checked[1])) continue;
        checked[0] = site->a, checked[1] = site->b;
        if (!flies(dcr, site->a) || !flies(dcr, site->b)) continue;
        double time = crm_dcr_touch_time(dcr, site->a, site->b);
        if (!(time < first)) continue;
        first = time;
        pair[0] = site->a, pair[1] = site->b;
    }
    return first;
}

// All bodies where they are at a time; coupled ones stay where the step ends.
static void go_to(crm_dcr *dcr, double time) {
    for (int b = 0; b < dcr->model->bodies.count; b++)
        if (flies(dcr, b)) crm_dcr_fly(dcr, b, time, &dcr->state->next[b]);
}

// Leaves aside all contacts that no chain of touching bodies leads to from the pair, and those of coupled ones.
static bool choose(crm_dcr *dcr, const int pair[2]) {
    if (!CRM_ARRAY_RESIZE(&dcr->model->allocator, &dcr->aside, dcr->found.found_count)) return false;
    for (int b = 0; b < dcr->model->bodies.count; b++) dcr->cluster[b] = b;
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        bool touch = site->gap <= CRM_DCR_TOUCH * site->size && flies(dcr, site->a) && flies(dcr, site->b);
        dcr->aside.items[c] = !touch;
        if (touch && crm_body_moves(dcr->model, site->a) && crm_body_moves(dcr->model, site->b))
            crm_forest_join(dcr->cluster, site->a, site->b);
    }
    int root = crm_forest_root(dcr->cluster, crm_body_moves(dcr->model, pair[0]) ? pair[0] : pair[1]);
    for (int c = 0; c < dcr->found.found_count; c++) {
        const crm_contact_site *site = &dcr->found.sites.items[c];
        int body = crm_body_moves(dcr->model, site->a) ? site->a : site->b;
        dcr->aside.items[c] |= crm_forest_root(dcr->cluster, body) != root;
    }
    return true;
}

// What flights give to a body, and what contacts give: moments about the origin.
void crm_dcr_push(crm_dcr *dcr, int b, carom_vec3 place, crm_vec6 impulse) {
    crm_dcr_flight *flight = &dcr->flight[b];
    flight->pushed = crm_vec6_add(flight->pushed, crm_force_shift(impulse, crm_negate(place)));
    dcr->state->impulse_size[b].linear += crm_length(impulse.linear);
    dcr->state->impulse_size[b].angular += crm_length(impulse.angular) + crm_length(place) * crm_length(impulse.linear);
}

// Only what does not cancel between two bodies that move, as in dcr_balance.c.
static void add_contact(crm_dcr *dcr, const crm_contact_site *site, const double j[3]) {
    carom_vec3 on_b = crm_madd(crm_scale(j[2], site->direction[2]), j[1], site->direction[1]);
    on_b = crm_madd(on_b, j[0], site->direction[0]);
    const int ends[] = {site->a, site->b};
    bool inside = crm_body_moves(dcr->model, site->a) && crm_body_moves(dcr->model, site->b);
    for (int e = 0; e < 2; e++) {
        const crm_motion *m = &dcr->state->next[ends[e]];
        carom_vec3 force = e == 0 ? crm_negate(on_b) : on_b;
        crm_vec6 wrench = crm_vec6_of(force, crm_cross(crm_sub(site->point, m->x), force));
        crm_vec6 projected = crm_wrench_projected(dcr->model->bodies.items[ends[e]].kind, wrench);
        if (!crm_body_moves(dcr->model, ends[e])) continue;
        crm_dcr_push(dcr, ends[e], m->x, inside ? crm_vec6_sub(projected, wrench) : projected);
    }
}

// Bodies that were given something fly on from here.
static void fly_on(crm_dcr *dcr, double time) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        crm_dcr_flight *flight = &dcr->flight[b];
        if (crm_length_squared(dcr->jump[b].linear) + crm_length_squared(dcr->jump[b].angular) == 0.0) continue;
        if (!flight->hit && dcr->state->told_work != NULL) dcr->state->told_work[b] = (crm_told_work){0.0, 0.0};
        crm_dcr_tell_flight(dcr, b, time);
        flight->hit = true;
        flight->from = time;
        flight->start = dcr->state->next[b];
        crm_dcr_fly(dcr, b, dcr->state->method.step, &dcr->made[b]);
    }
}

// Impacts at a touch, and all that is said of them. *any: there was one.
static carom_status hit(crm_dcr *dcr, double time, bool *any, carom_step_report *report, carom_error *error) {
    memset(dcr->jump, 0, (size_t)dcr->model->bodies.count * sizeof *dcr->jump);
    if (dcr->model->joints.count > 0 && !crm_null_space_at(&dcr->space, dcr->state->next))
        return crm_refuse(error, "the masses of jointed bodies are singular");
    carom_status status = crm_dcr_impact(dcr, CRM_DCR_AT_TOUCH, report, error);
    if (status != CAROM_OK) return status;
    crm_dcr_twists(dcr, dcr->state->next, dcr->twist);
    crm_dcr_add_impact_work(dcr);
    *any = false;
    for (int c = 0; c < dcr->found.found_count; c++) {
        const double *impulse = dcr->total.items + 3 * (ptrdiff_t)c;
        if (dcr->aside.items[c] || !(impulse[0] > 0.0)) continue;
        *any = true;
        add_contact(dcr, &dcr->found.sites.items[c], impulse);
        if (!crm_dcr_keep_contact(dcr, c))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the table of contacts");
    }
    fly_on(dcr, time);
    return CAROM_OK;
}

// The certificate lets impulses act in the middle of a body's way.
static void balance(crm_dcr *dcr) {
    for (int b = 0; b < dcr->model->bodies.count; b++) {
        const crm_dcr_flight *flight = &dcr->flight[b];
        if (!flight->hit) continue;
        crm_dcr_tell_flight(dcr, b, dcr->state->method.step);
        carom_vec3 middle = crm_scale(0.5, crm_add(dcr->state->motions[b].x, dcr->made[b].x));
        dcr->state->impulse[b] = crm_force_shift(flight->pushed, middle);
    }
}

carom_status crm_dcr_hit_touches(crm_dcr *dcr, carom_step_report *report, carom_error *error) {
    size_t bodies = (size_t)dcr->model->bodies.count;
    bool any = true;
    crm_dcr_take_off(dcr);
    carom_status status = crm_dcr_detect(dcr, error);
    for (int i = 0; i < MOST_TOUCHES && status == CAROM_OK && any && !crm_dcr_is_spent(dcr); i++) {
        int pair[2] = {-1, -1};
        double time = first_touch(dcr, pair);
        if (isinf(time)) break;
        go_to(dcr, time);
        status = crm_dcr_detect(dcr, error);
        if (status != CAROM_OK) return status;
        if (!choose(dcr, pair)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for an impact");
        status = hit(dcr, time, &any, report, error);
        dcr->aside.count = 0;
        if (status != CAROM_OK) return status;
        memcpy(dcr->state->next, dcr->made, bodies * sizeof *dcr->made);
        status = crm_dcr_detect(dcr, error);
    }
    memset(dcr->jump, 0, bodies * sizeof *dcr->jump);
    balance(dcr);
    report->contacts = dcr->state->contact_table.count;
    return status;
}

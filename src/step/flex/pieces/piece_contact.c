// SPDX-License-Identifier: MIT
#include "step/flex/pieces/piece_contact.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/contacts/contact_step.h"

// Newton's method knows no slopes of the potential between pieces: beyond explicit steps it would not get anywhere.
static carom_status refuse_implicit(const carom_state *state, const crm_pieces *pieces, carom_error *error) {
    char name[CRM_BODY_TEXT];
    for (int a = 0; a < pieces->flex_count; a++)
        for (int b = a; b < pieces->owner_count; b++) {
            if (!crm_piece_owners_meet(state->model, pieces, a, b)) continue;
            return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                            "method.potential.beta is %g: only the explicit member of newmark, with 0, has contacts of "
                            "flexible bodies, and %s can touch something; make it 0, take the method lcp, or let it "
                            "meet nothing by \"meets\": []",
                            state->method.potential.beta, crm_flex_text(state->model, pieces->owner[a].flex, name));
        }
    return CAROM_OK;
}

carom_status crm_piece_contact_prepare(carom_state *state, crm_piece_contact *contact, carom_error *error) {
    const carom_model *model = state->model;
    if (model->flexes.count == 0) return CAROM_OK;
    if (state->method.potential.contact_substeps > 1)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "method.potential.contact_substeps is %d: groups of flexible bodies in contact have no "
                        "substeps of their own; make it 1 and method.step smaller",
                        state->method.potential.contact_substeps);
    carom_status status = crm_pieces_create(model, &state->arena, &contact->pieces, error);
    if (status == CAROM_OK && state->method.potential.beta > 0.0)
        status = refuse_implicit(state, &contact->pieces, error);
    if (status != CAROM_OK) return status;
    contact->node_sum = CRM_ARENA_ZEROED(&state->arena, double, model->bodies.count);
    for (int i = 0; i < 2; i++)
        contact->found[i].place = CRM_ARENA_ZEROED(&state->arena, crm_piece_place, model->bodies.count);
    if (crm_arena_refused(&state->arena))
        return crm_fail_memory(error, "contacts of pieces", (size_t)model->bodies.count * sizeof(crm_piece_place));
    return CAROM_OK;
}

void crm_piece_contact_release(const carom_state *state, crm_piece_contact *contact) {
    for (int i = 0; i < 2; i++) crm_piece_touches_release(&state->model->allocator, &contact->found[i].touches);
}

// ---- what is kept

static bool is_there(const crm_piece_place *place, const crm_motion *m) {
    return memcmp(&place->x, &m->x, sizeof m->x) == 0 && memcmp(&place->q, &m->q, sizeof m->q) == 0;
}

// The kept overlaps of these motions; -1: none are.
static int known_for(const carom_model *model, const crm_piece_contact *contact, const crm_motion *motions) {
    for (int i = 0; i < 2; i++) {
        const crm_piece_found *found = &contact->found[i];
        int b = 0;
        while (found->known && b < model->bodies.count && is_there(&found->place[b], &motions[b])) b++;
        if (found->known && b == model->bodies.count) return i;
    }
    return -1;
}

static carom_status find(carom_state *state, crm_piece_contact *contact, const crm_motion *motions,
                         crm_piece_touches **out, carom_error *error) {
    int known = known_for(state->model, contact, motions);
    contact->last = known >= 0 ? known : 1 - contact->last;
    crm_piece_found *found = &contact->found[contact->last];
    *out = &found->touches;
    if (known >= 0) return CAROM_OK;
    found->known = false;
    carom_status status = crm_piece_touches_find(state, &contact->pieces, motions, &found->touches, error);
    if (status != CAROM_OK) return status;
    for (int b = 0; b < state->model->bodies.count; b++)
        found->place[b] = (crm_piece_place){motions[b].x, motions[b].q};
    found->known = true;
    return CAROM_OK;
}

// ---- forces

static double rate_of(const carom_model *model, const crm_touch_row *row, int count, const crm_motion *motions) {
    double rate = 0.0;
    for (int i = 0; i < count; i++) rate += crm_vec6_dot(row[i].row, crm_twist_of(model, motions, row[i].body));
    return rate;
}

static void add_rows(const carom_model *model, const crm_touch_row *row, int count, double scale, crm_vec6 *sum) {
    for (int i = 0; i < count; i++) {
        int b = row[i].body;
        crm_vec6 one = crm_wrench_projected(model->bodies.items[b].kind, crm_vec6_scale(scale, row[i].row));
        sum[b] = crm_vec6_add(sum[b], one);
    }
}

carom_status crm_piece_contact_forces(carom_state *state, crm_piece_contact *contact, const crm_motion *motions,
                                      crm_vec6 *wrench, crm_vec6 *damped, carom_error *error) {
    const carom_model *model = state->model;
    crm_piece_touches *touches;
    if (contact->pieces.piece_count == 0) return CAROM_OK;
    carom_status status = find(state, contact, motions, &touches, error);
    if (status != CAROM_OK) return status;
    double damping = state->method.potential.damping, half = 0.5 * state->method.step;
    for (int i = 0; i < touches->list.count; i++) {
        crm_piece_touch *touch = &touches->list.items[i];
        const crm_touch_row *row = &touches->rows.items[touch->first_row];
        touch->force = -touch->stiffness * touch->value;
        if (damping > 0.0) { // a contact never pulls
            double extra = fmax(-touch->force, -damping * rate_of(model, row, touch->row_count, motions));
            add_rows(model, row, touch->row_count, half * extra, damped);
            touch->force += extra;
        }
        add_rows(model, row, touch->row_count, touch->force, wrench);
    }
    return CAROM_OK;
}

// ---- how stiff it is

static double weighted_size(const carom_model *model, const crm_touch_row *row) {
    const crm_body *body = &model->bodies.items[row->body];
    double angular = crm_max_component(body->inverse_inertia);
    return sqrt(body->inverse_mass * crm_length_squared(row->row.linear) +
                angular * crm_length_squared(row->row.angular));
}

// With the rows g of all overlaps over the roots of the masses, the stiffness is sum C g g^T, whose eigenvalues are
// those of the matrix sqrt(C_p C_q) g_p.g_q: none is above max over p of sum over q of C_q |g_p| |g_q|, body by body.
double crm_piece_contact_rate_square(const carom_state *state, crm_piece_contact *contact) {
    const carom_model *model = state->model;
    const crm_piece_touches *touches = &contact->found[contact->last].touches;
    double largest = 0.0;
    if (contact->pieces.piece_count == 0 || touches->list.count == 0) return 0.0;
    memset(contact->node_sum, 0, (size_t)model->bodies.count * sizeof *contact->node_sum);
    for (int i = 0; i < touches->list.count; i++) {
        const crm_piece_touch *touch = &touches->list.items[i];
        const crm_touch_row *row = &touches->rows.items[touch->first_row];
        for (int k = 0; k < touch->row_count; k++)
            contact->node_sum[row[k].body] += touch->stiffness * weighted_size(model, &row[k]);
    }
    for (int i = 0; i < touches->list.count; i++) {
        const crm_piece_touch *touch = &touches->list.items[i];
        const crm_touch_row *row = &touches->rows.items[touch->first_row];
        double sum = 0.0;
        for (int k = 0; k < touch->row_count; k++)
            sum += weighted_size(model, &row[k]) * contact->node_sum[row[k].body];
        largest = fmax(largest, sum);
    }
    return largest;
}

// ---- energy, and what is said

double crm_piece_contact_energy(const carom_state *state, const crm_piece_contact *contact, const crm_motion *motions,
                                double *of_body, size_t stride) {
    const carom_model *model = state->model;
    if (contact->pieces.piece_count == 0) return 0.0;
    int known = known_for(model, contact, motions);
    if (known >= 0) return crm_piece_touches_energy(model, &contact->found[known].touches, of_body, stride);
    crm_piece_touches touches = {.list = {0}};
    bool found = crm_piece_touches_find(state, &contact->pieces, motions, &touches, NULL) == CAROM_OK;
    double energy = found ? crm_piece_touches_energy(model, &touches, of_body, stride) : INFINITY;
    crm_piece_touches_release(&model->allocator, &touches);
    return energy;
}

static bool tell_touch(carom_state *state, const crm_pieces *pieces, const crm_piece_touches *touches,
                       const crm_piece_touch *touch, crm_overlaps *overlaps) {
    const crm_piece_owner *a = &pieces->owner[touch->couple.owner_a], *b = &pieces->owner[touch->couple.owner_b];
    crm_overlaps_add(overlaps, -touch->plane_gap / fmin(a->size, b->size));
    crm_accounts_join(state, touch->body_a, touch->body_b);
    // The rows of a sum to -(alpha + mean), whose length times the force is what b is pushed by.
    carom_vec3 push = crm_vec3_zero();
    for (int i = 0; i < touch->row_count; i++) {
        const crm_touch_row *row = &touches->rows.items[touch->first_row + i];
        bool of_a = i < pieces->piece[touch->couple.a].count;
        if (of_a) push = crm_sub(push, row->row.linear);
    }
    const crm_contact_point at = {touch->value, touch->normal, touch->point};
    crm_contact_site site = crm_contact_site_at(touch->body_a, touch->body_b, &at);
    const double impulse[3] = {state->method.step * touch->force * crm_length(push)}, velocity[3] = {0.0};
    return !(impulse[0] > 0.0) || crm_contact_table_add(state, &site, impulse, velocity, CAROM_CONTACT_STATUS_SLIDES);
}

bool crm_piece_contact_read_out(carom_state *state, crm_piece_contact *contact, const crm_motion *motions,
                                carom_step_report *report) {
    if (contact->pieces.piece_count == 0) return true;
    int known = known_for(state->model, contact, motions);
    if (known < 0) return true; // forces were asked for there
    const crm_piece_touches *touches = &contact->found[known].touches;
    crm_overlaps overlaps = {report->infeasibility, report->mean_infeasibility * state->near_pairs, state->near_pairs};
    for (int i = 0; i < touches->list.count; i++)
        if (!tell_touch(state, &contact->pieces, touches, &touches->list.items[i], &overlaps)) return false;
    crm_overlaps_report(&overlaps, report);
    state->near_pairs = overlaps.pairs;
    report->contacts = state->contact_table.count;
    return true;
}

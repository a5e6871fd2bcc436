// SPDX-License-Identifier: MIT
#include "step/integrate/free_flight.h"

#include <string.h>

// Beyond this many a flight begins anew: n and n / 2 are no longer exact.
static const int64_t most_steps = INT64_C(1) << 52;

static bool start_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    const crm_flight_start *start = item;
    return crm_vec3_finite(start->x) && crm_vec3_finite(start->p) && start->steps >= -1 && start->steps <= most_steps;
}

bool crm_free_flight_create(carom_state *state, crm_free_flight *flight) {
    int bodies = state->model->bodies.count;
    flight->start = CRM_ARENA_ZEROED(&state->arena, crm_flight_start, bodies);
    flight->next = CRM_ARENA_ZEROED(&state->arena, crm_flight_start, bodies);
    flight->unforced = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    flight->flies = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    flight->held = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    if (crm_arena_refused(&state->arena)) return false;
    // Forces of the input come and go: they are looked at in every step.
    for (int b = 0; b < bodies; b++)
        flight->unforced[b] = crm_body_moves(state->model, b) && state->model->bodies.items[b].acting == 0u;
    crm_state_keep(
        state, (crm_kept){"flights", flight->start, bodies, sizeof *flight->start, start_fits, .of_contacts = false});
    state->impulse_midway = flight->flies;
    return true;
}

static bool is_pushed(const crm_vec6 *active) {
    return crm_length_squared(active->linear) + crm_length_squared(active->angular) != 0.0;
}

static bool is_at(const crm_flight_start *start, const crm_motion *now) {
    return memcmp(&start->x, &now->x, sizeof now->x) == 0 && memcmp(&start->p, &now->p, sizeof now->p) == 0;
}

// What has been held and was then moved from outside is thrown anew.
void crm_free_flight_begin(const carom_state *state, crm_free_flight *flight) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        bool held = flight->start[b].steps < 0 && is_at(&flight->start[b], &state->motions[b]);
        flight->flies[b] = flight->unforced[b] && !held && !is_pushed(&state->active[b]);
        flight->held[b] = held;
    }
}

// x and p after so many steps.
static crm_flight_start after(const crm_flight_start *start, int64_t steps, double h, double inverse_mass,
                              carom_vec3 impulse) {
    double n = (double)steps;
    return (crm_flight_start){crm_madd(start->x, n * h * inverse_mass, crm_madd(start->p, 0.5 * n, impulse)),
                              crm_madd(start->p, n, impulse), steps};
}

// The flight goes on where it led to; what was moved from outside begins another one.
void crm_free_flight_move(const carom_model *model, carom_state *state, crm_free_flight *flight, int body,
                          carom_vec3 impulse) {
    crm_flight_start *next = &flight->next[body];
    double h = state->method.step, inverse_mass = model->bodies.items[body].inverse_mass;
    *next = flight->start[body];
    crm_flight_start led = after(next, next->steps, h, inverse_mass, impulse);
    bool goes_on = next->steps > 0 && next->steps < most_steps && is_at(&led, &state->motions[body]);
    if (!goes_on) *next = (crm_flight_start){state->motions[body].x, state->motions[body].p, 0};
    crm_flight_start leads = after(next, ++next->steps, h, inverse_mass, impulse);
    state->next[body].x = leads.x;
    state->next[body].p = leads.p;
}

bool crm_free_flight_rebound(const carom_model *model, carom_state *state, crm_free_flight *flight, int body,
                             carom_vec3 hit, carom_vec3 impulse) {
    flight->flies[body] = flight->unforced[body] && !is_pushed(&state->active[body]);
    if (!flight->flies[body]) return false;
    crm_flight_start *next = &flight->next[body];
    *next = (crm_flight_start){state->motions[body].x, crm_add(state->motions[body].p, hit), 1};
    crm_flight_start leads = after(next, 1, state->method.step, model->bodies.items[body].inverse_mass, impulse);
    state->next[body].x = leads.x;
    state->next[body].p = leads.p;
    return true;
}

void crm_free_flight_end(const carom_state *state, crm_free_flight *flight) {
    for (int b = 0; b < state->model->bodies.count; b++)
        if (flight->unforced[b] && !flight->flies[b])
            flight->next[b] = (crm_flight_start){state->next[b].x, state->next[b].p, flight->held[b] ? -1 : 0};
}

void crm_free_flight_accept(const carom_state *state, crm_free_flight *flight) {
    if (state->model->bodies.count > 0)
        memcpy(flight->start, flight->next, (size_t)state->model->bodies.count * sizeof *flight->start);
}

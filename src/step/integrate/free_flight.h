// SPDX-License-Identifier: MIT
// Bodies that nothing but gravity has acted on since they were thrown (docs/math.md 2.3): they move by the parabola
//
//   p = p0 + n h m g,   x = x0 + n h (p0 + n h m g / 2) / m
//
// from where the flight began, n steps ago. So places and momenta are exact to rounding at any step and after any
// number of steps: a sum of equal impulses would round the same way each time. What has been held moves by x + h v+
// from then on: that is a parabola too, and what a hit lifts, h v+, belongs to it. A rebound begins a flight:
// its speed is made for that, in the same step where hits come before forces, as in `impulse`.
#ifndef CRM_STEP_FREE_FLIGHT_H
#define CRM_STEP_FREE_FLIGHT_H

#include "model/model_state.h"

// Where a flight began. Saved as bytes: no padding.
typedef struct crm_flight_start {
    carom_vec3 x, p; // of a body that has been held: at the end of the last step
    int64_t steps;   // flown since; 0: it has rebounded; -1: it has been held
} crm_flight_start;

typedef struct crm_free_flight {
    crm_flight_start *start; // kept with the state (body_count)
    crm_flight_start *next;  // the same after a step that may still fail (body_count)
    bool *unforced;          // nothing of the model acts on the body but gravity, and it has no joint (body_count)
    bool *flies;             // in this step (body_count)
    bool *held;              // by more than rebounds, now or in the last step (body_count)
} crm_free_flight;

// From the state's arena, with what a state keeps; the certificate takes impulses of what flies in the middle of its
// way. False: no memory.
bool crm_free_flight_create(carom_state *state, crm_free_flight *flight);

// Forces have led to state->active: what may fly does, until it is told that something holds it.
void crm_free_flight_begin(const carom_state *state, crm_free_flight *flight);
static inline void crm_free_flight_hold(crm_free_flight *flight, int body) {
    flight->flies[body] = false;
    flight->held[body] = true;
}
// A body that only rebounds in this step flies from the next one on.
static inline void crm_free_flight_bounce(crm_free_flight *flight, int body) {
    flight->flies[body] = false;
}

// Momentum and place of a body that flies into state->next, by `impulse`, that of gravity in a step.
void crm_free_flight_move(const carom_model *model, carom_state *state, crm_free_flight *flight, int body,
                          carom_vec3 impulse);

// The same of a body that is given the momentum `hit` where the step begins, and flies from there. False: it does not.
bool crm_free_flight_rebound(const carom_model *model, carom_state *state, crm_free_flight *flight, int body,
                             carom_vec3 hit, carom_vec3 impulse);

// The step is as it shall be: state->next is where bodies end.
void crm_free_flight_end(const carom_state *state, crm_free_flight *flight);
// It was made.
void crm_free_flight_accept(const carom_state *state, crm_free_flight *flight);

#endif

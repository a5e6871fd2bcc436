// SPDX-License-Identifier: MIT
// `newmark`: the explicit member of Newmark's family, beta = 0 and gamma = 1/2, with contact by the potential C/2 t^2:
//   x+ = x + h v + h^2/2 a,   v+ = v + h/2 (a + a+),
// a from the forces at the nodes. Rotations take half of the torque's impulse before and half after a turn by the
// Moser-Veselov equation, so that momenta are kept as `potential` keeps them. Order 2; stable while h is below
// 2 sqrt(m/C), for two bodies of reduced mass m.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/evaluate.h"
#include "step/potential.h"
#include "step/variational.h"

typedef struct newmark {
    crm_contact_potential contact; // first: potential has the same
    crm_coupling apart;            // no body is coupled: forces are explicit
    crm_vec6 *before, *after;      // impulses at both ends (body_count)
} newmark;

static carom_status prepare(carom_state *state, carom_error *error) {
    int bodies = state->model->bodies.count;
    newmark *n = CRM_ARENA_ZEROED(&state->arena, newmark, 1);
    if (n == NULL) return crm_fail_memory(error, "newmark", sizeof *n);
    state->method_data = n;
    n->before = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    n->after = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    n->apart.slot = CRM_ARENA_ARRAY(&state->arena, int, bodies);
    if (n->before == NULL || n->after == NULL || n->apart.slot == NULL)
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for newmark with %d bodies", bodies);
    for (int b = 0; b < bodies; b++) n->apart.slot[b] = -1;
    return crm_contact_potential_prepare(state, &n->contact, error);
}

static void release(carom_state *state) {
    newmark *n = state->method_data;
    if (n != NULL) crm_overlap_release(state, &n->contact.overlap);
}

// Half of the impulses of all forces at these poses; false with a report when there are none.
static bool find_impulses(const carom_model *model, carom_state *state, newmark *n, const crm_motion *motions,
                          double time, const carom_input *input, crm_vec6 *impulse, carom_step_report *report) {
    double half = 0.5 * state->method.step;
    carom_error error = {.text = ""};
    crm_overlap *overlap = &n->contact.overlap;
    crm_forces_evaluate(model, time, motions, state->configs, input, impulse, state->active);
    if (crm_overlap_evaluate(state, motions, false, overlap, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return false;
    }
    for (int i = 0; i < overlap->pieces.count; i++) {
        crm_piece *piece = &overlap->pieces.items[i];
        piece->impulse = n->contact.stiffness * fmax(0.0, -piece->value); // N, yet
    }
    crm_overlap_add_impulses(model, overlap, impulse);
    for (int b = 0; b < model->bodies.count; b++) impulse[b] = crm_vec6_scale(half, impulse[b]);
    for (int i = 0; i < overlap->pieces.count; i++) overlap->pieces.items[i].impulse *= 2.0 * half;
    return true;
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    newmark *n = state->method_data;
    carom_error error = {.text = ""};
    double time = carom_state_time(state);
    if (crm_contact_potential_begin(state, &n->contact, &error) != CAROM_OK) {
        crm_contact_potential_stop(report, &error);
        return;
    }
    if (!find_impulses(model, state, n, state->motions, time, input, n->before, report)) return;
    memset(n->after, 0, (size_t)model->bodies.count * sizeof *n->after);
    const crm_kick kick = {n->before, n->after, true};
    crm_variational_move_bodies(model, state, &n->apart, &kick, report);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) return;
    if (!find_impulses(model, state, n, state->next, time + state->method.step, input, n->after, report)) return;
    for (int b = 0; b < model->bodies.count; b++) {
        crm_motion *next = &state->next[b];
        crm_vec6 before = n->before[b], after = n->after[b];
        next->p = crm_add(next->p, after.linear);
        next->l = crm_add(next->l, after.angular);
        // The certificate takes impulses to act in the middle, these act at the ends.
        carom_vec3 lever = crm_scale(0.5, crm_sub(next->x, state->motions[b].x));
        state->impulse[b] = crm_vec6_add(before, after);
        carom_vec3 moment = crm_cross(lever, crm_sub(after.linear, before.linear));
        state->impulse[b].angular = crm_add(state->impulse[b].angular, moment);
        state->active[b] = crm_vec6_scale(state->method.step, state->active[b]);
    }
    crm_contact_potential_finish(state, &n->contact, report);
}

const crm_method crm_method_newmark = {.name = "newmark",
                                       .features = CRM_FEATURE_WRENCH | CRM_FEATURE_CONTACT,
                                       .prepare = prepare,
                                       .release = release,
                                       .advance = advance};

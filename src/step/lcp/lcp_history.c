// SPDX-License-Identifier: MIT
// What the steps before say of the next one: which bodies rest, and whether overlaps stay as they are.
//
// Rest is a matter of motion, not of impulses that happen to be good: a domino that begins to topple has these too. A
// contact that presses moves by the slip or approach of its points, or by the rotation of one body against the other;
// what gravity does in a step is the measure of both.
#include <math.h>
#include <string.h>

#include "model/mechanism/joint_gaps.h"
#include "model/saved/saved_check.h"
#include "step/lcp/lcp.h"

// Steps that a body has to be slow for; it stays at rest up to so many times the speed.
enum { STEPS_TO_REST = 8 };
static const double leaving_share = 2.0;

// What rests and is not solved that far is solved to a tenth of what moves is solved to for so many steps, and then
// tried again: its impulses hardly change, and work would be spent on them in every step for nothing.
enum { STEPS_TO_LEAVE = 56 };
static const double share_of_moving = 0.1;

// Unmet steps whose overlap has not become smaller, after which something may stand against undoing it. Smaller: by
// more than this share, as what is being undone is by far.
enum { STEPS_TO_DOUBT = 20 };
static const double shrinking_share = 0.99;
// Shares of a body's size that are not worth a doubt.
static const double small_overlap = 1e-4;

static bool slow_steps_fit(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    int32_t steps = *(const int32_t *)item;
    return steps >= 0 && steps <= STEPS_TO_REST + STEPS_TO_LEAVE;
}

static bool unmet_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept, (void)index;
    const crm_lcp_unmet *unmet = item;
    return unmet->least >= 0.0 && unmet->steps >= 0 && unmet->steps <= CRM_MOST_STEPS;
}

bool crm_lcp_history_take(carom_state *state, crm_lcp *lcp) {
    int bodies = state->model->bodies.count;
    lcp->history.slow_steps = CRM_ARENA_ZEROED(&state->arena, int32_t, bodies);
    lcp->history.unmet = CRM_ARENA_ZEROED(&state->arena, crm_lcp_unmet, 1);
    lcp->history.fastest = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    lcp->history.resting = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    lcp->history.touches = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    if (crm_arena_refused(&state->arena)) return false;
    crm_state_keep(state, (crm_kept){"slow steps", lcp->history.slow_steps, bodies, sizeof *lcp->history.slow_steps,
                                     slow_steps_fit, .of_contacts = false});
    crm_state_keep(state, (crm_kept){"unmet steps", lcp->history.unmet, 1, sizeof *lcp->history.unmet, unmet_fits,
                                     .of_contacts = false});
    return true;
}

void crm_lcp_history_begin(const carom_state *state, crm_lcp *lcp) {
    if (state->contacts_known || lcp->contacts.proxy_count == 0) return;
    // What is given without a velocity is at rest until it moves: it must not creep while that is found out. What has
    // joints hangs or is pulled.
    for (int b = 0; b < state->model->bodies.count; b++) {
        const crm_motion *m = &state->motions[b];
        bool jointed = lcp->glide.model != NULL && lcp->glide.mechanism_of[b] >= 0;
        bool still = !jointed && crm_length_squared(m->p) == 0.0 && crm_length_squared(m->l) == 0.0;
        lcp->history.slow_steps[b] = still ? STEPS_TO_REST : 0;
    }
    *lcp->history.unmet = (crm_lcp_unmet){0};
}

// ---- rest

bool crm_lcp_rests(const crm_lcp *lcp, int body) {
    return lcp->history.slow_steps[body] >= STEPS_TO_REST;
}

const double *crm_lcp_resting(crm_lcp *lcp) {
    crm_lcp_aim aim = crm_lcp_aim_of(&lcp->def);
    double between = share_of_moving * aim.moving;
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        int32_t steps = lcp->history.slow_steps[lcp->problem.body_of[s]];
        lcp->history.resting[s] = steps < STEPS_TO_REST ? 0.0 : steps > STEPS_TO_REST ? between : aim.resting;
    }
    return lcp->history.resting;
}

// ---- the next guess

// Impulses that were found tell of two things: what the bodies weigh, which is the same in the next step, and what
// undid the errors of velocities and gaps, which is not. Taken over as they are they undo errors that are gone. For a
// motion whose error sweeps leave the share s of, with velocity v, unbalanced impulse a and gap g, all as velocities,
//
//   c = -(1 - s)(v + a + g),   v' = v + a + c,   a' = a + k c,   g' = g + v',
//
// which grows from step to step for s > 0.5 with k = 1, and for s > 0.86 with k = 0.15. So what rests learns its
// weights by and by, where it is left to sweeps; what moves has other ones in every step.
static const double learnt_share = 0.15;

static bool learns(const crm_lcp *lcp, int c) {
    const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
    const int *body_of = lcp->problem.body_of;
    return lcp->by_islands && !lcp->two_phases &&
           lcp->solved.island[lcp->solved.island_of_contact[c]].contacts >= CRM_RIGID_LARGE_AT_REST &&
           (contact->a < 0 || crm_lcp_rests(lcp, body_of[contact->a])) &&
           (contact->b < 0 || crm_lcp_rests(lcp, body_of[contact->b]));
}

void crm_lcp_next_guess(const crm_lcp *lcp, int contact, double guess[3]) {
    const double *found = lcp->problem.impulse.items + 3 * (ptrdiff_t)contact;
    memcpy(guess, found, 3 * sizeof *guess);
    if (!learns(lcp, contact)) return;
    const double *before = lcp->guess.items + 3 * (ptrdiff_t)contact;
    if (!(before[0] > 0.0)) return; // nothing is known of what is new
    for (int m = 0; m < 3; m++) guess[m] = before[m] + learnt_share * (found[m] - before[m]);
}

// Of the body in a slot; nothing where there is none.
static crm_vec6 twist_of(const crm_lcp *lcp, int slot) {
    return slot >= 0 ? lcp->motion.free[lcp->problem.body_of[slot]] : crm_vec6_zero();
}

static void note(crm_lcp *lcp, int slot, double speed) {
    if (slot < 0) return;
    double *fastest = &lcp->history.fastest[lcp->problem.body_of[slot]];
    *fastest = fmax(*fastest, speed);
}

static void note_contacts(crm_lcp *lcp) {
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        if (!(lcp->problem.impulse.items[3 * (ptrdiff_t)c] > 0.0)) continue;
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        const double *u = lcp->velocity.items + 3 * (ptrdiff_t)c;
        double spin = crm_distance(twist_of(lcp, contact->a).angular, twist_of(lcp, contact->b).angular);
        double speed = fmax(sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]), lcp->contacts.sites.items[c].size * spin);
        note(lcp, contact->a, speed);
        note(lcp, contact->b, speed);
    }
}

static void note_joints(const carom_model *model, crm_lcp *lcp) {
    for (int j = 0, i = 0; j < model->joints.count; j++) {
        if (model->joints.items[j].rows == 0) continue;
        const crm_rigid_block *block = &lcp->problem.blocks.items[i++];
        crm_vec6 a = twist_of(lcp, block->a), b = twist_of(lcp, block->b);
        double speed = fmax(crm_distance(a.linear, b.linear), lcp->arm[j] * crm_distance(a.angular, b.angular));
        note(lcp, block->a, speed);
        note(lcp, block->b, speed);
    }
}

// A body that nothing holds does not rest.
static void note_rest(const carom_state *state, crm_lcp *lcp) {
    double slow = crm_length(state->model->gravity) * state->method.step;
    for (int b = 0; b < state->model->bodies.count; b++) lcp->history.fastest[b] = -1.0;
    note_contacts(lcp);
    note_joints(state->model, lcp);
    for (int b = 0; b < state->model->bodies.count; b++) {
        if (crm_rests(&lcp->rest, b)) continue; // as it was
        double speed = lcp->history.fastest[b];
        int32_t *steps = &lcp->history.slow_steps[b];
        if (speed < 0.0 || !(speed <= (*steps >= STEPS_TO_REST ? leaving_share * slow : slow)))
            *steps = 0;
        else if (*steps < STEPS_TO_REST)
            ++*steps;
        else if (*steps > STEPS_TO_REST)
            --*steps;
    }
}

static void leave_unmet(crm_lcp *lcp) {
    double resting = crm_lcp_aim_of(&lcp->def).resting;
    for (int c = 0; lcp->by_islands && c < lcp->problem.contacts.count; c++) {
        const crm_rigid_island *island = &lcp->solved.island[lcp->solved.island_of_contact[c]];
        if (island->met || island->tolerance != resting) continue;
        const crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
        int slot = contact->a >= 0 ? contact->a : contact->b;
        int32_t *steps = &lcp->history.slow_steps[lcp->problem.body_of[slot]];
        if (*steps >= STEPS_TO_REST) *steps = STEPS_TO_REST + STEPS_TO_LEAVE;
    }
}

// ---- overlaps that stay

bool crm_lcp_in_doubt(const carom_state *state, const crm_lcp *lcp) {
    return state->step_count == 0 || lcp->history.unmet->steps >= STEPS_TO_DOUBT || crm_lcp_aim_of(&lcp->def).generous;
}

static void note_overlap(const carom_state *state, crm_lcp *lcp) {
    crm_lcp_unmet *unmet = lcp->history.unmet;
    double worst = lcp->overlap;
    if (lcp->missed && state->model->joints.count > 0) {
        worst = fmax(worst, crm_joints_worst(state->model, state->motions).share);
    }
    if (lcp->left_open)
        *unmet = (crm_lcp_unmet){.least = worst, .steps = STEPS_TO_DOUBT}; // and is looked at again until it is undone
    else if (!lcp->missed || worst < small_overlap)
        *unmet = (crm_lcp_unmet){0};
    else if (unmet->steps == 0 || worst < shrinking_share * unmet->least)
        *unmet = (crm_lcp_unmet){.least = worst, .steps = 1};
    else
        unmet->steps++;
}

void crm_lcp_history_note(const carom_state *state, crm_lcp *lcp) {
    note_rest(state, lcp);
    leave_unmet(lcp);
    note_overlap(state, lcp);
}

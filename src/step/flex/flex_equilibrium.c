// SPDX-License-Identifier: MIT
// A step so long that inertia counts for nothing is the static solution (docs/math.md 15.8).
#include "step/flex/flex_equilibrium.h"

#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"

static const double huge_step = 1e5; // s
static const double tolerance = 1e-12;
enum { MOST_ITERATIONS = 200, MOST_HALVINGS = 20 };

static bool settles(const crm_flex *flex) {
    return flex->def.start == CAROM_FLEX_START_EQUILIBRIUM;
}

// What is carried by bodies, and what does not settle, stays.
static void hold(crm_flex_implicit *f) {
    for (int p = 0; p < f->part_count; p++) {
        crm_flex_part *part = &f->parts[p];
        const crm_flex *flex = part->flex;
        for (int n = 0; n < flex->node_count && !settles(flex); n++) f->fixed[part->first_node + n] = true;
        for (int i = 0; i < flex->attachment_count; i++) f->fixed[f->node_of[flex->attachment[i].node]] = true;
        part->held = false;
        for (int n = 0; n < flex->node_count; n++) part->held |= f->fixed[part->first_node + n];
    }
}

static carom_status check_held(const carom_model *model, const crm_flex_implicit *f, carom_error *error) {
    for (int p = 0; p < f->part_count; p++) {
        char name[CRM_BODY_TEXT];
        if (f->parts[p].held) continue;
        return crm_refuse(error,
                          "%s: nothing holds it, so that it cannot begin in equilibrium; fix some of its nodes, "
                          "or let it begin at rest",
                          crm_flex_text(model, p, name));
    }
    return CAROM_OK;
}

static bool is_solved(const crm_flex_sums *sums) {
    return sums->possible && (sums->residual <= tolerance || sums->residual <= 2.0 * sums->floor);
}

// One step of Newton's method, halved until less is missing or the potential falls. *moved: it was made.
static carom_status improve(crm_flex_implicit *f, const bool *touched, const carom_vec3 *none, carom_vec3 *v,
                            carom_vec3 *next, carom_vec3 *trial, crm_flex_sums *at, bool *moved, carom_error *error) {
    carom_status status = crm_flex_implicit_factor(f, touched, error);
    if (status != CAROM_OK) return status;
    crm_flex_implicit_free(f, v, next);
    double share = 1.0;
    *moved = false;
    for (int halved = 0; halved < MOST_HALVINGS && !*moved; halved++, share *= 0.5) {
        crm_flex_implicit_go(f, v, next, share, trial);
        crm_flex_sums sums = crm_flex_implicit_evaluate(f, trial, none);
        *moved = sums.possible && (sums.missing < at->missing || sums.potential < at->potential || is_solved(&sums));
        if (*moved) *at = sums;
    }
    if (*moved) memcpy(v, trial, (size_t)f->node_count * sizeof *v);
    return CAROM_OK;
}

static carom_status solve(carom_state *state, crm_flex_implicit *f, crm_arena *arena, carom_error *error) {
    const carom_model *model = state->model;
    int bodies = model->bodies.count, nodes = f->node_count;
    crm_vec6 *given = CRM_ARENA_ZEROED(arena, crm_vec6, bodies), *active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    crm_vec6 *passive = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    carom_vec3 *v = CRM_ARENA_ZEROED(arena, carom_vec3, nodes), *next = CRM_ARENA_ZEROED(arena, carom_vec3, nodes);
    carom_vec3 *trial = CRM_ARENA_ZEROED(arena, carom_vec3, nodes), *none = CRM_ARENA_ZEROED(arena, carom_vec3, nodes);
    bool *touched = CRM_ARENA_ZEROED(arena, bool, nodes);
    if (crm_arena_refused(arena)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a static solution");
    crm_callback_answer answer = crm_given_forces_evaluate(model, 0.0, state->motions, NULL, given, active, passive);
    if (answer.body >= 0) return crm_refuse(error, "a force callback refused to be asked for the start");
    for (int b = 0; b < bodies; b++) given[b] = crm_vec6_scale(huge_step, given[b]);
    hold(f);
    crm_flex_implicit_begin(f, state->motions, huge_step, given);
    for (int n = 0; n < nodes; n++) f->v0[n] = crm_vec3_zero();
    carom_status status = check_held(model, f, error);
    crm_flex_sums at = crm_flex_implicit_evaluate(f, v, none);
    bool moved = true;
    for (int i = 0; status == CAROM_OK && moved && i < MOST_ITERATIONS && !is_solved(&at); i++)
        status = improve(f, touched, none, v, next, trial, &at, &moved, error);
    if (status != CAROM_OK) return status;
    if (!is_solved(&at))
        return crm_refuse(error,
                          "no equilibrium was found for flexible bodies to begin in, after a residual of %.1e; let "
                          "them begin at rest, or make loads smaller",
                          at.residual);
    for (int n = 0; n < nodes; n++) {
        crm_motion *motion = &state->motions[f->body_of[n]];
        if (!f->fixed[n]) motion->x = crm_madd(motion->x, huge_step, v[n]);
    }
    return CAROM_OK;
}

carom_status crm_flex_settle(carom_state *state, carom_error *error) {
    bool any = false;
    for (int f = 0; f < state->model->flexes.count; f++) any |= settles(&state->model->flexes.items[f]);
    if (!any) return CAROM_OK;
    crm_arena arena;
    crm_flex_implicit implicit;
    crm_arena_init(&arena, &state->model->allocator);
    carom_status status = crm_flex_implicit_create(state->model, &arena, &implicit, error);
    if (status == CAROM_OK) status = solve(state, &implicit, &arena, error);
    crm_flex_implicit_release(&implicit);
    crm_arena_free(&arena);
    return status;
}

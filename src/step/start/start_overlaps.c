// SPDX-License-Identifier: MIT
// What is done about overlaps at the start, and what is said about it.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "step/start/start.h"

// "'x' and 'y' overlap at the start by 0.1 m" of the deepest pair, and how many there are.
static int say_overlap(const carom_model *model, const crm_deepest *found, char *text, size_t room) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT], others[64] = "";
    if (found->pairs > 1) snprintf(others, sizeof others, ", the most of %" PRId64 " pairs that do so", found->pairs);
    return snprintf(text, room, "%s and %s overlap at the start by %.3g m%s", crm_body_text(model, found->a, a),
                    crm_body_text(model, found->b, b), found->depth, others);
}

static carom_status refuse(const carom_model *model, const crm_deepest *found, carom_error *error) {
    char text[400];
    say_overlap(model, found, text, sizeof text);
    return crm_refuse(error,
                      "%s; start_overlaps is \"refuse\": move them apart, or take \"project\", which does so, or "
                      "\"keep\"",
                      text);
}

static void measure_moves(const carom_model *model, const crm_motion *before, const crm_motion *after,
                          carom_start_report *report) {
    for (int b = 0; b < model->bodies.count; b++) {
        double moved = crm_distance(before[b].x, after[b].x);
        report->rotated = fmax(report->rotated, crm_quat_angle(before[b].q, after[b].q));
        if (!(moved > report->moved)) continue;
        report->moved = moved;
        report->moved_most.index = b;
    }
}

// What was moved, and what is left.
static void say_moved(const carom_model *model, const crm_deepest *left, int used, carom_start_report *report) {
    char body[CRM_BODY_TEXT], other[CRM_BODY_TEXT];
    size_t room = sizeof report->text;
    if (report->moved > 0.0 && used < (int)room)
        used += snprintf(report->text + used, room - (size_t)used,
                         ": bodies were moved apart by up to %.3g m (%s) and %.3g rad, without a velocity",
                         report->moved, crm_body_text(model, report->moved_most.index, body), report->rotated);
    if (left->pairs == 0 || used >= (int)room) return;
    snprintf(report->text + used, room - (size_t)used,
             "; no way was found to part all: %s and %s still overlap by %.3g m, one of %" PRId64
             " pairs, and the run goes on with that",
             crm_body_text(model, left->a, body), crm_body_text(model, left->b, other), left->depth, left->pairs);
}

// Joints that have rotated block other velocities; what was said of closing them stays.
static carom_status take_blocked_velocities(carom_state *state, carom_error *error) {
    const carom_assembly closed = state->assembly;
    carom_status status = carom_state_assemble(state, error);
    state->assembly = closed;
    return status;
}

static carom_status project(crm_start *start, const crm_motion *before, int used, carom_error *error) {
    carom_state *state = start->state;
    const carom_model *model = start->model;
    carom_start_report *report = &state->start;
    crm_deepest left;
    carom_status status = crm_start_project(start, &report->rounds, &left, error);
    if (status == CAROM_OK && model->joints.count > 0) status = take_blocked_velocities(state, error);
    if (status != CAROM_OK) return status;
    measure_moves(model, before, state->motions, report);
    report->left_pairs = left.pairs;
    report->left_a.index = left.a, report->left_b.index = left.b;
    report->left_overlap = left.depth;
    say_moved(model, &left, used, report);
    return CAROM_OK;
}

// All overlaps; with `move` crowds are dissolved.
static carom_status find(crm_start *start, bool move, crm_deepest *found, carom_error *error) {
    crm_motion *motions = start->state->motions;
    carom_status status = crm_start_crowds(start, motions, move, found, error);
    if (status != CAROM_OK || (found->pairs > 0 && !move)) return status;
    status = crm_start_find(start, motions, 0.0, error);
    // Bodies that the contact set does not take are the method's to say.
    if (status == CAROM_ERR_BAD_INPUT) return CAROM_OK;
    if (status != CAROM_OK) return status;
    crm_deepest others = crm_start_deepest(start, CRM_START_OVERLAPPING);
    int64_t pairs = found->pairs + others.pairs;
    if (others.share > found->share) *found = others;
    found->pairs = pairs;
    return CAROM_OK;
}

static carom_status treat(crm_start *start, bool touches, carom_error *error) {
    const carom_model *model = start->model;
    carom_state *state = start->state;
    carom_start_report *report = &state->start;
    size_t bytes = (size_t)model->bodies.count * sizeof *state->motions;
    crm_motion *before = CRM_ARENA_ARRAY(&start->arena, crm_motion, model->bodies.count);
    if (before == NULL) return crm_fail_memory(error, "poses at the start", bytes);
    memcpy(before, state->motions, bytes);
    bool move = touches && model->start_overlaps == CAROM_START_PROJECT;
    crm_deepest found;
    carom_status status = find(start, move, &found, error);
    if (status != CAROM_OK || found.pairs == 0) return status;
    // A crowd that stays where it is: its contacts are the first step's to find.
    if (touches && !move && (double)found.pairs > model->limits.contacts)
        return crm_fail(error, CAROM_ERR_TOO_LARGE,
                        "%lld pairs of bodies overlap at the start, and the limit of contacts is %.0f; put them apart, "
                        "or allow it by "
                        "--limit contacts=%lld",
                        (long long)found.pairs, model->limits.contacts, (long long)found.pairs);
    if (touches && model->start_overlaps == CAROM_START_REFUSE) return refuse(model, &found, error);
    report->pairs = report->left_pairs = found.pairs;
    report->a.index = report->left_a.index = found.a;
    report->b.index = report->left_b.index = found.b;
    report->overlap = report->left_overlap = found.depth;
    int used = say_overlap(model, &found, report->text, sizeof report->text);
    if (move) return project(start, before, used, error);
    if (used < (int)sizeof report->text)
        snprintf(report->text + used, sizeof report->text - (size_t)used, ": %s",
                 touches ? "start_overlaps is \"keep\", so that the method undoes it"
                         : "the method knows no contacts, and nothing was moved");
    return CAROM_OK;
}

carom_status crm_start_overlaps(carom_state *state, bool touches, carom_error *error) {
    const carom_body none = {-1};
    state->start = (carom_start_report){.a = none, .b = none, .moved_most = none, .left_a = none, .left_b = none};
    crm_start start;
    carom_error why; // not all that fails on the way fails in the end
    carom_status status = crm_start_create(state, &start, &why);
    if (status == CAROM_OK) status = treat(&start, touches, &why);
    if (status != CAROM_OK && error != NULL) *error = why;
    crm_start_release(&start);
    return status;
}

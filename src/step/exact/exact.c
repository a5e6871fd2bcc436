// SPDX-License-Identifier: MIT
#include "step/exact/exact.h"
#include "step/certify/accounts.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "model/proxies.h"
#include "step/contacts/collision_list.h"

// How often pairs are looked for in a step: farther each time that a body has got farther than they were looked for.
enum { MOST_ROUNDS = 40 };
// An overlap of more than this share of the smaller body's size is none that the method leaves itself.
static const double largest_overlap = 1e-9;

// Of the jump in the discrete energy: how often it is matched to the length of the substep that follows, to this share
// of the rest of the step.
enum { MOST_MATCHES = 30 };
static const double match_tolerance = 1e-12;

// ---- making and releasing

static carom_status no_memory(carom_error *error, const carom_model *model) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "exact: no memory for %d bodies", model->bodies.count);
}

static void note_coupled(crm_exact *x, int body) {
    if (body < 0 || x->model->bodies.items[body].kind == CAROM_BODY_FIXED) return;
    x->coupled[body] = x->any_coupled = true;
}

static void find_coupled(crm_exact *x) {
    for (int j = 0; j < x->model->joints.count; j++) {
        note_coupled(x, x->model->joints.items[j].a.body);
        note_coupled(x, x->model->joints.items[j].b.body);
    }
    for (int p = 0; p < x->model->pair_potentials.count; p++) {
        note_coupled(x, x->model->pair_potentials.items[p].a.body);
        note_coupled(x, x->model->pair_potentials.items[p].b.body);
    }
    for (int c = 0; c < x->model->system_callbacks.count; c++) {
        const crm_system_callback *callback = &x->model->system_callbacks.items[c];
        for (int i = 0; i < callback->count; i++) note_coupled(x, callback->body[i]);
    }
}

static carom_status prepare(carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    int bodies = model->bodies.count;
    crm_exact *x = CRM_ARENA_ZEROED(arena, crm_exact, 1);
    if (x == NULL) return no_memory(error, model);
    state->method_data = x;
    x->model = model;
    x->state = state;
    state->tells_collisions = true;
    x->follower = CRM_ARENA_ZEROED(arena, crm_follower, bodies);
    x->coupled = CRM_ARENA_ZEROED(arena, bool, bodies);
    x->motions = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    x->trial = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    x->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, model->joints.count);
    x->travelled = CRM_ARENA_ZEROED(arena, double, bodies);
    x->moved = CRM_ARENA_ZEROED(arena, double, bodies);
    x->deflected = CRM_ARENA_ZEROED(arena, bool, bodies);
    x->middle = CRM_ARENA_ZEROED(arena, carom_pose, bodies);
    x->bend = CRM_ARENA_ZEROED(arena, double, bodies);
    x->least = CRM_ARENA_ZEROED(arena, double, bodies);
    x->margin = CRM_ARENA_ZEROED(arena, double, bodies);
    x->before = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    x->after = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    x->given = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    x->gained = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    x->joint_impulse = CRM_ARENA_ZEROED(arena, crm_vec6, model->joints.count);
    x->answer = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    x->cluster = CRM_ARENA_ARRAY(arena, int, bodies);
    x->next = CRM_ARENA_ARRAY(arena, int, bodies);
    x->first_pair = CRM_ARENA_ARRAY(arena, int, bodies);
    x->member = CRM_ARENA_ARRAY(arena, int, bodies);
    state->impulse_size = CRM_ARENA_ZEROED(arena, crm_impulse_size, bodies);
    if (crm_arena_refused(arena)) return no_memory(error, model);
    carom_status status = crm_tree_balance_create(model, arena, &x->balance, error);
    find_coupled(x);
    x->trees = *model;
    if (!crm_joint_graph_of(model, x->coupled, arena, &x->trees.graph)) return no_memory(error, model);
    if (status == CAROM_OK) status = crm_exact_prepare_forces(x, error);
    if (status == CAROM_OK && x->any_coupled) status = crm_tree_substep_create(&x->trees, arena, &x->substep, error);
    if (status == CAROM_OK && x->any_coupled) status = crm_null_space_create(&x->trees, arena, &x->space, error);
    x->substep.newton.interrupt = crm_state_interrupt(state);
    carom_contact_options options = crm_contact_options(state);
    options.measure = CAROM_MEASURE_GAP; // it is asked only who may touch
    return status == CAROM_OK ? crm_contact_step_create(state, &options, true, &x->found, error) : status;
}

static void release(carom_state *state) {
    crm_exact *x = state->method_data;
    const carom_allocator *allocator = &state->model->allocator;
    if (x == NULL) return;
    crm_model_parts_release(&x->parts);
    CRM_ARRAY_FREE(allocator, &x->pairs);
    CRM_ARRAY_FREE(allocator, &x->mine);
    CRM_ARRAY_FREE(allocator, &x->hits);
    CRM_ARRAY_FREE(allocator, &x->answers);
    CRM_ARRAY_FREE(allocator, &x->matrix);
    CRM_ARRAY_FREE(allocator, &x->impulse);
    crm_contact_step_release(&x->found);
}

// ---- what cannot be done

static void refuse_overlap(const crm_exact *x, const crm_exact_pair *pair, carom_step_report *report) {
    char other[CRM_BODY_TEXT], able[64];
    crm_step_impossible(x->model, pair->a, report,
                        "and %s overlap by %.2g m at t = %g s, and exact starts from bodies that do not; move them "
                        "apart, or take %s",
                        crm_body_text(x->model, pair->b, other), -pair->now.gap, carom_state_time(x->state),
                        crm_contact_alternatives(x->model, CAROM_METHOD_EXACT, able, sizeof able));
}

// `pair` is one of those that collide, or touch and part, again and again.
static void refuse_impacts(const crm_exact *x, int pair, double done, carom_step_report *report) {
    const crm_exact_pair *last = &x->pairs.items[pair];
    char other[CRM_BODY_TEXT], able[64];
    crm_step_impossible(
        x->model, last->a, report,
        "and %s, or what they touch, collide more than %d times (method.exact.event_limit) by t = %.9g s: "
        "contact that lasts, which exact does not follow; take %s",
        crm_body_text(x->model, last->b, other), x->state->method.exact.event_limit, carom_state_time(x->state) + done,
        crm_contact_alternatives(x->model, CAROM_METHOD_EXACT, able, sizeof able));
}

// ---- the step

static void refuse_memory(crm_exact *x, const char *what, carom_step_report *report) {
    crm_fail(&x->error, CAROM_ERR_NO_MEMORY, "no memory for %s", what);
    crm_contacts_failed("exact", &x->error, report);
}

// All pairs of the cluster where it starts; false when two overlap.
static bool measure_start(crm_exact *x, carom_step_report *report) {
    for (int i = 0; i < x->mine.count; i++) {
        crm_exact_pair *pair = &x->pairs.items[x->mine.items[i]];
        if (crm_state_interrupted(x->state)) return false;
        pair->now = crm_exact_measure(x, pair, x->motions);
        pair->expect_anew = true;
        if (pair->now.gap >= -largest_overlap * pair->size) continue;
        if (isnan(pair->now.gap))
            crm_contacts_failed("exact", &x->error, report);
        else
            refuse_overlap(x, pair, report);
        return false;
    }
    return true;
}

static void take_substep(crm_exact *x, double s) {
    crm_exact_take(x, s);
    for (int i = 0; i < x->member_count; i++) x->deflected[x->member[i]] = false;
    for (int i = 0; i < x->mine.count; i++) {
        crm_exact_pair *pair = &x->pairs.items[x->mine.items[i]];
        pair->now = pair->trial;
        pair->expected -= s;
        pair->expect_anew = !(pair->expected > 0.0);
    }
}

// All jumps where the last substep has ended. 1: there were some, 0: none, -1: they are refused.
static int jump_all(crm_exact *x, double done, int *hits, carom_step_report *report) {
    int jumped = 1, any = 0;
    while (jumped == 1 && *hits <= x->state->method.exact.event_limit) {
        jumped = crm_exact_jump(x);
        if (jumped == 1) *hits += x->hits.count;
        if (jumped == 1) any = 1;
    }
    if (jumped == -1) refuse_memory(x, "an impact", report);
    if (jumped == -2) crm_contacts_refuse("exact", "masses are singular at an impact", report);
    if (jumped == 1) refuse_impacts(x, x->hits.items[0], done, report);
    return jumped == 0 ? any : -1;
}

// The substep after a jump in the discrete energy: how long it is depends on the jump, and the jump on how long it is.
static double next_matched_substep(crm_exact *x, double rest, carom_step_report *report) {
    double s = crm_exact_next_substep(x, rest, report);
    for (int i = 0; i < MOST_MATCHES && s > 0.0; i++) {
        double length = s;
        bool matched = crm_exact_match_energy(x, length, report);
        s = crm_exact_next_substep(x, rest, report);
        if (!matched || fabs(s - length) <= match_tolerance * rest) return s;
    }
    return s;
}

// One cluster from the start of the step to its end.
static bool move_cluster(crm_exact *x, carom_step_report *report) {
    double step = x->state->method.step, rest = step;
    int hits = 0;
    if (!measure_start(x, report)) return false;
    for (int substeps = 0; rest > 0.0; substeps++) {
        double discrete = x->last_energy;
        x->impulse_energy = 0.0;
        x->done = step - rest;
        x->first_collision = x->state->collisions.count;
        int jumped = jump_all(x, x->done, &hits, report);
        if (jumped < 0) return false;
        bool match = jumped == 1 && x->state->method.exact.jump == CAROM_JUMP_DISCRETE && !isnan(x->last_energy);
        double s = match ? next_matched_substep(x, rest, report) : crm_exact_next_substep(x, rest, report);
        if (s == 0.0) return false;
        if (substeps > 2 * x->state->method.exact.event_limit) {
            refuse_impacts(x, x->mine.items[0], x->done, report);
            return false;
        }
        bool last = !(s < rest);
        if (last) report->discrete_energy += crm_exact_member_energy(x, s);
        take_substep(x, s);
        if (substeps > 0) report->substeps++; // the first one of a cluster is no cut
        if (s < CRM_EXACT_LEAST_MATCHED * step) x->last_energy = NAN;
        bool matched = match && !isnan(x->last_energy);
        if (matched) crm_exact_tell_jump(x, x->last_energy - discrete);
        report->impact_energy += matched ? x->last_energy - discrete : x->impulse_energy;
        rest = last ? 0.0 : rest - s;
    }
    return true;
}

static void begin(crm_exact *x) {
    carom_state *state = x->state;
    memcpy(x->motions, state->motions, (size_t)x->model->bodies.count * sizeof *x->motions);
    memcpy(x->configs, state->configs, (size_t)x->model->joints.count * sizeof *x->configs);
    memcpy(x->trial, state->motions, (size_t)x->model->bodies.count * sizeof *x->trial);
    memset(x->deflected, 0, (size_t)x->model->bodies.count * sizeof *x->deflected);
    memset(x->travelled, 0, (size_t)x->model->bodies.count * sizeof *x->travelled);
    memset(state->impulse_size, 0, (size_t)x->model->bodies.count * sizeof *state->impulse_size);
    if (state->told_work != NULL)
        memset(state->told_work, 0, (size_t)x->model->bodies.count * sizeof *state->told_work);
    crm_tree_balance_begin(x->model, &x->balance);
    state->contact_table.count = 0;
    state->collisions.count = 0;
}

// Whether a body got farther than contacts were looked for: then it may have passed through another one.
static bool out_of_margin(crm_exact *x) {
    bool out = false;
    for (int b = 0; b < x->model->bodies.count; b++) {
        if (!(x->travelled[b] > x->margin[b])) continue;
        x->least[b] = 2.0 * x->travelled[b];
        out = true;
    }
    return out && x->found.proxy_count > 0;
}

static bool move_all(crm_exact *x, carom_step_report *report) {
    begin(x);
    crm_accounts_begin(x->state); // attempts are made anew
    report->substeps = 1;
    report->iterations = 0;
    report->residual = report->impact_energy = report->discrete_energy = 0.0;
    if (crm_exact_find_pairs(x) != CAROM_OK) {
        crm_contacts_failed("exact", &x->error, report);
        return false;
    }
    for (int b = 0; b < x->model->bodies.count; b++) {
        if (x->cluster[b] != b) continue;
        if (!crm_exact_enter_cluster(x, b)) {
            refuse_memory(x, "pairs", report);
            return false;
        }
        if (!move_cluster(x, report)) return false;
    }
    return true;
}

static void read_out(crm_exact *x, carom_step_report *report) {
    carom_state *state = x->state;
    memcpy(state->next, x->motions, (size_t)x->model->bodies.count * sizeof *state->next);
    crm_tree_balance_finish(&x->balance, state);
    report->contacts = state->contact_table.count;
    crm_collisions_sort(state);
    crm_overlaps overlaps = {0};
    for (int p = 0; p < x->pairs.count; p++)
        crm_overlaps_add(&overlaps, fmax(0.0, -x->pairs.items[p].now.gap / x->pairs.items[p].size));
    crm_overlaps_report(&overlaps, report);
}

typedef struct attempt {
    crm_exact *exact;
    carom_step_report *report;
} attempt;

static carom_status make_attempt(void *context, int round, carom_error *error) {
    const attempt *at = context;
    (void)round, (void)error; // the report says why there is no step
    crm_exact *x = at->exact;
    crm_input_wrenches(x->model, x->input, x->state->active);
    bool follows = crm_input_followers(x->model, x->input, x->follower, x->state->active);
    x->state->followers = follows ? x->follower : NULL;
    return move_all(at->exact, at->report) ? CAROM_OK : CAROM_ERR_BAD_INPUT;
}

static carom_status get_beyond(void *context, bool *beyond, carom_error *error) {
    const attempt *at = context;
    (void)error;
    *beyond = out_of_margin(at->exact);
    return CAROM_OK;
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_exact *x = state->method_data;
    double fall = crm_length(model->gravity) * state->method.step * state->method.step;
    x->input = input;
    for (int b = 0; b < model->bodies.count; b++) x->least[b] = fall;
    attempt at = {x, report};
    const crm_attempts attempts = {MOST_ROUNDS, make_attempt, get_beyond, &at};
    bool covered;
    if (crm_attempts_make(&attempts, &covered, &x->error) != CAROM_OK) return;
    if (covered)
        read_out(x, report);
    else
        crm_contacts_refuse("exact", "bodies get farther in every attempt at the step; make method.step smaller",
                            report);
}

const crm_method crm_method_exact = {.name = "exact",
                                     .settings = "exact",
                                     .features = CRM_UNPAIRED_FEATURES | CRM_FEATURE_JOINT | CRM_FEATURE_JOINT_SPRING |
                                                 CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_CONTACT |
                                                 CRM_FEATURE_SWITCH,
                                     .variant_key = "exact.jump",
                                     .prepare = prepare,
                                     .release = release,
                                     .advance = advance};

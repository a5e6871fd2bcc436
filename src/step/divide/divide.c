// SPDX-License-Identifier: MIT
#include "step/divide/divide.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "model/force/evaluate.h"
#include "model/proxies.h"
#include "step/certify/accounts.h"

// Times that groups are made anew, as bodies have got farther than was thought; then all are one group.
enum { MOST_ROUNDS = 4 };

// Of a group's weight over the size of its bodies, in the scale of its energy: what rests has no other.
static const double share_of_weight = 1e-3;

int crm_divide_most(const carom_method_def *def) {
    switch (def->method) {
    case CAROM_METHOD_POTENTIAL:
    case CAROM_METHOD_NEWMARK:
        return def->potential.contact_substeps;
    case CAROM_METHOD_DCR:
        return def->dcr.contact_substeps;
    default:
        return 1;
    }
}

static double radius_of(const carom_model *model, int b) {
    const crm_body *body = &model->bodies.items[b];
    if (body->def.shape.index < 0 || !crm_body_moves(model, b)) return 0.0;
    const carom_shape *shape = carom_model_get_shape(model, body->def.shape);
    return carom_shape_bounding_radius(shape) + crm_distance(carom_shape_centre(shape), body->centre);
}

static bool take_memory(carom_state *state, crm_divide *divide) {
    int bodies = state->model->bodies.count, joints = state->model->joints.count;
    crm_arena *arena = &state->arena;
    divide->only = CRM_ARENA_ZEROED(arena, bool, bodies);
    divide->group = CRM_ARENA_ARRAY(arena, int, bodies);
    divide->touches = CRM_ARENA_ZEROED(arena, bool, bodies);
    double **numbers[] = {&divide->margin, &divide->least, &divide->radius};
    for (int i = 0; i < 3; i++) *numbers[i] = CRM_ARENA_ZEROED(arena, double, bodies);
    divide->ahead = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    divide->now = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    divide->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, joints);
    crm_vec6 **vectors[] = {&divide->impulse, &divide->active, &divide->passive, &divide->contact_active};
    for (int i = 0; i < 4; i++) *vectors[i] = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    divide->told = CRM_ARENA_ZEROED(arena, crm_told_work, bodies);
    divide->size = CRM_ARENA_ZEROED(arena, crm_impulse_size, bodies);
    divide->reaction = CRM_ARENA_ZEROED(arena, crm_vec6, joints);
    divide->first_reaction = CRM_ARENA_ZEROED(arena, crm_vec6, joints);
    divide->line = crm_arena_take_zeroed(arena, bodies, sizeof *divide->line);
    return !crm_arena_refused(arena);
}

carom_status crm_divide_create(carom_state *state, carom_error *error) {
    const carom_method_def *def = &state->method;
    int most = crm_divide_most(def);
    if (most <= 1) return CAROM_OK;
    crm_divide *divide = CRM_ARENA_ZEROED(&state->arena, crm_divide, 1);
    if (divide == NULL || !take_memory(state, divide)) return crm_fail_memory(error, "substeps", sizeof *divide);
    divide->most = most;
    divide->tolerance = def->method == CAROM_METHOD_DCR ? def->dcr.contact_tolerance : def->potential.contact_tolerance;
    for (int b = 0; b < state->model->bodies.count; b++) divide->radius[b] = radius_of(state->model, b);
    state->divide = divide;
    carom_contact_options options = crm_contact_options(state);
    return crm_contact_step_create(state, &options, false, &divide->found, error);
}

void crm_divide_release(carom_state *state) {
    if (state->divide == NULL) return;
    crm_contact_step_release(&state->divide->found);
    CRM_ARRAY_FREE(&state->model->allocator, &state->divide->rows);
}

// ---- what a pass adds to the step

static void add_report(const carom_step_report *own, carom_step_report *to) {
    if (own->iterations > to->iterations) to->iterations = own->iterations;
    if (own->fallbacks > to->fallbacks) to->fallbacks = own->fallbacks;
    if (to->residual_body.index < 0 || own->residual > to->residual) {
        to->residual = own->residual;
        to->residual_body = own->residual_body;
        to->solver = own->solver;
    }
    to->friction_work += own->friction_work;
    to->projection_energy += own->projection_energy;
    to->projection_momentum = crm_add(to->projection_momentum, own->projection_momentum);
    to->impact_energy += own->impact_energy;
    if (to->outcome != CAROM_STEP_GOOD || (own->outcome == CAROM_STEP_GOOD && own->text[0] == '\0')) return;
    to->outcome = own->outcome;
    to->body = own->body;
    memcpy(to->text, own->text, sizeof to->text);
}

// Impulses act in the middle of the way of a substep; their moments are about where the body began.
static void add_impulses(const carom_state *state, crm_divide *divide) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        if (!divide->only[b]) continue;
        crm_vec6 impulse = state->impulse[b];
        carom_vec3 middle = crm_scale(0.5, crm_add(divide->now[b].x, state->next[b].x));
        carom_vec3 arm = crm_sub(middle, divide->start[b].x);
        divide->impulse[b] = crm_vec6_add(divide->impulse[b], crm_force_shift(impulse, crm_negate(arm)));
        divide->active[b] = crm_vec6_add(divide->active[b], state->active[b]);
        divide->passive[b] = crm_vec6_add(divide->passive[b], state->passive[b]);
        if (state->contact_active != NULL)
            divide->contact_active[b] = crm_vec6_add(divide->contact_active[b], state->contact_active[b]);
        if (state->told_work != NULL) {
            divide->told[b].passive += state->told_work[b].passive;
            divide->told[b].active += state->told_work[b].active;
        }
        divide->size[b].linear += crm_length(impulse.linear);
        divide->size[b].angular += crm_length(impulse.angular) + crm_length(arm) * crm_length(impulse.linear);
        if (state->impulse_size == NULL) continue;
        divide->size[b].linear += state->impulse_size[b].linear;
        divide->size[b].angular += state->impulse_size[b].angular;
    }
}

static bool is_of_pass(const crm_divide *divide, const crm_joint *joint) {
    return (joint->a.body >= 0 && divide->only[joint->a.body]) || (joint->b.body >= 0 && divide->only[joint->b.body]);
}

static bool add_pass(carom_state *state, crm_divide *divide, int count) {
    const carom_model *model = state->model;
    const crm_contact_table *table = &state->contact_table;
    add_impulses(state, divide);
    for (int j = 0; j < model->joints.count; j++)
        if (is_of_pass(divide, &model->joints.items[j]))
            divide->reaction[j] = crm_vec6_madd(divide->reaction[j], 1.0 / count, state->reaction[j]);
    int rows = divide->rows.count;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &divide->rows, rows + table->count)) return false;
    if (table->count > 0) memcpy(divide->rows.items + rows, table->items, (size_t)table->count * sizeof *table->items);
    return true;
}

// ---- a group by so many substeps

// What a trial can be taken back to.
typedef struct mark {
    carom_step_report total;
    crm_overlaps overlaps;
    int rows;
} mark;

static mark begin_trial(const carom_state *state, crm_divide *divide) {
    size_t bodies = (size_t)state->model->bodies.count;
    memcpy(divide->line, state->accounts.line, bodies * sizeof *divide->line);
    return (mark){divide->total, divide->overlaps, divide->rows.count};
}

static void take_back(carom_state *state, crm_divide *divide, const mark *to) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        if (!divide->only[b]) continue;
        divide->impulse[b] = divide->active[b] = divide->passive[b] = divide->contact_active[b] = crm_vec6_zero();
        divide->size[b] = (crm_impulse_size){0.0, 0.0};
        divide->told[b] = (crm_told_work){0.0, 0.0};
        divide->now[b] = divide->start[b];
    }
    for (int j = 0; j < state->model->joints.count; j++) {
        if (!is_of_pass(divide, &state->model->joints.items[j])) continue;
        divide->reaction[j] = crm_vec6_zero();
        state->configs[j] = divide->configs[j];
    }
    memcpy(state->accounts.line, divide->line, (size_t)state->model->bodies.count * sizeof *divide->line);
    divide->total = to->total;
    divide->overlaps = to->overlaps;
    divide->rows.count = to->rows;
}

static void add_overlaps(const carom_state *state, const carom_step_report *own, crm_overlaps *overlaps) {
    overlaps->largest = fmax(overlaps->largest, own->infeasibility);
    overlaps->sum += own->mean_infeasibility * state->near_pairs;
    overlaps->pairs += state->near_pairs;
}

// One of `count` substeps, from divide->now to there. False: there is none, as the report says.
static bool make_substep(const crm_method *method, carom_state *state, const carom_input *input, int count, bool last) {
    crm_divide *divide = state->divide;
    const carom_model *model = state->model;
    carom_step_report own = {.outcome = CAROM_STEP_GOOD, .substeps = 1, .residual_body = {-1}, .body = {-1}};
    if (model->joints.count > 0)
        memcpy(state->reaction, divide->first_reaction, (size_t)model->joints.count * sizeof *state->reaction);
    state->near_pairs = 0;
    method->advance(model, state, input, &own);
    add_report(&own, &divide->total);
    if (own.substeps * count > divide->total.substeps) divide->total.substeps = own.substeps * count;
    if (own.outcome == CAROM_STEP_IMPOSSIBLE || crm_state_interrupted(state)) return false;
    if (last) add_overlaps(state, &own, &divide->overlaps);
    if (!add_pass(state, divide, count)) {
        crm_step_impossible(model, -1, &divide->total, "has no memory for the contacts of its substeps");
        divide->total.no_memory = true;
        return false;
    }
    for (int b = 0; b < model->bodies.count; b++)
        if (divide->only[b]) divide->now[b] = state->next[b];
    crm_joints_remember(model, divide->now, state->configs);
    return true;
}

// Bodies of the pass, from where they begin. *beyond: some got farther than was thought.
static bool make_substeps(const crm_method *method, carom_state *state, const carom_input *input, int count,
                          bool *beyond) {
    crm_divide *divide = state->divide;
    double whole = state->method.step;
    crm_step_clock clock = state->clock;
    bool good = true;
    state->motions = divide->now;
    state->method.step = whole / count;
    for (int i = 0; i < count && good; i++) {
        state->clock.since = clock.since + whole * i / count;
        good = make_substep(method, state, input, count, i + 1 == count);
        for (int b = 0; b < state->model->bodies.count && good; b++)
            if (divide->only[b]) *beyond |= crm_divide_went_beyond(divide, b, &divide->now[b]);
    }
    state->motions = divide->start;
    state->method.step = whole;
    state->clock = clock;
    return good;
}

// ---- how many

// Energies of what moves in the pass. `weight`: 1e-3 of m g times the size, which counts as one.
typedef struct pass_energy {
    double kinetic, potential, stored, weight;
} pass_energy;

static pass_energy energy_of(const carom_state *state, const crm_motion *motions) {
    const carom_model *model = state->model;
    const crm_divide *divide = state->divide;
    pass_energy energy = {0};
    for (int b = 0; b < model->bodies.count; b++) {
        if (!divide->only[b]) continue;
        const crm_body *body = &model->bodies.items[b];
        energy.kinetic += crm_motion_kinetic_energy(body, &motions[b]);
        energy.potential -= body->mass * crm_dot(model->gravity, crm_sub(motions[b].x, divide->start[b].x));
        energy.weight += share_of_weight * body->mass * crm_length(model->gravity) * divide->radius[b];
    }
    double time = carom_state_time(state);
    if (crm_model_is_coupled(model))
        energy.potential += crm_coupling_energy(model, time, motions, state->configs, NULL, 0);
    if (state->stored_energy != NULL) energy.stored = state->stored_energy(state, motions, NULL, 0);
    return energy;
}

// Whether the group's energy changed by more in the step than its contacts have taken, against the tolerance.
static bool has_error(const carom_state *state, const pass_energy *before, double impacts) {
    const crm_divide *divide = state->divide;
    pass_energy after = energy_of(state, divide->now);
    double change = after.kinetic + after.potential + after.stored - before->kinetic - before->potential -
                    before->stored - (divide->total.impact_energy - impacts);
    double scale = fmax(before->kinetic + before->stored, after.kinetic + after.stored) + before->weight;
    return !(fabs(change) <= divide->tolerance * scale);
}

// By as many substeps as its energy asks for.
static bool move_group(const crm_method *method, carom_state *state, const carom_input *input, bool *beyond) {
    crm_divide *divide = state->divide;
    bool tries = divide->tolerance > 0.0;
    pass_energy before = tries ? energy_of(state, divide->start) : (pass_energy){0};
    for (int count = tries ? 1 : divide->most;; count = count < divide->most / 2 ? 2 * count : divide->most) {
        mark begun = begin_trial(state, divide);
        bool went = false, good = make_substeps(method, state, input, count, &went);
        bool last = count == divide->most || went || crm_state_interrupted(state);
        if (last || (good && !has_error(state, &before, begun.total.impact_energy))) {
            *beyond |= went;
            return good;
        }
        take_back(state, divide, &begun);
    }
}

// ---- the step

static void begin(carom_state *state, const carom_step_report *report) {
    crm_divide *divide = state->divide;
    size_t bodies = (size_t)state->model->bodies.count, joints = (size_t)state->model->joints.count;
    divide->total = *report;
    divide->overlaps = (crm_overlaps){0};
    divide->rows.count = 0;
    memcpy(divide->now, divide->start, bodies * sizeof *divide->now);
    crm_vec6 *vectors[] = {divide->impulse, divide->active, divide->passive, divide->contact_active};
    for (int i = 0; i < 4; i++) memset(vectors[i], 0, bodies * sizeof *vectors[i]);
    memset(divide->size, 0, bodies * sizeof *divide->size);
    memset(divide->told, 0, bodies * sizeof *divide->told);
    if (joints == 0) return;
    memset(divide->reaction, 0, joints * sizeof *divide->reaction);
    memcpy(state->configs, divide->configs, joints * sizeof *divide->configs);
}

// What does not touch by one step, then group after group.
static bool move_all(const crm_method *method, carom_state *state, const carom_input *input, bool *beyond) {
    crm_divide *divide = state->divide;
    const carom_model *model = state->model;
    bool good = true, any = false;
    for (int b = 0; b < model->bodies.count; b++) {
        divide->only[b] = crm_body_moves(model, b) && !divide->touches[crm_forest_root(divide->group, b)];
        any |= divide->only[b];
    }
    if (any) good = make_substeps(method, state, input, 1, beyond);
    for (int r = 0; r < model->bodies.count && good && !*beyond; r++) {
        if (crm_forest_root(divide->group, r) != r || !divide->touches[r]) continue;
        for (int b = 0; b < model->bodies.count; b++)
            divide->only[b] = crm_body_moves(model, b) && crm_forest_root(divide->group, b) == r;
        good = move_group(method, state, input, beyond);
    }
    return good;
}

// The state as if the method had made one step.
static bool finish(carom_state *state, crm_divide *divide) {
    const carom_model *model = state->model;
    crm_contact_table *table = &state->contact_table;
    for (int b = 0; b < model->bodies.count; b++) {
        carom_vec3 arm = crm_scale(0.5, crm_sub(divide->now[b].x, divide->start[b].x));
        state->next[b] = divide->now[b];
        state->impulse[b] = crm_force_shift(divide->impulse[b], arm);
        state->active[b] = divide->active[b];
        state->passive[b] = divide->passive[b];
        if (state->contact_active != NULL) state->contact_active[b] = divide->contact_active[b];
        if (state->impulse_size != NULL) state->impulse_size[b] = divide->size[b];
        if (state->told_work != NULL) state->told_work[b] = divide->told[b];
    }
    size_t joints = (size_t)model->joints.count;
    if (joints > 0) memcpy(state->reaction, divide->reaction, joints * sizeof *divide->reaction);
    if (joints > 0) memcpy(state->configs, divide->configs, joints * sizeof *divide->configs);
    if (!CRM_ARRAY_RESIZE(&model->allocator, table, divide->rows.count)) return false;
    if (table->count > 0) memcpy(table->items, divide->rows.items, (size_t)table->count * sizeof *table->items);
    divide->total.contacts = table->count;
    crm_overlaps_report(&divide->overlaps, &divide->total);
    return true;
}

static void advance_groups(const crm_method *method, carom_state *state, const carom_input *input,
                           carom_step_report *report) {
    crm_divide *divide = state->divide;
    bool good = false, beyond = true;
    for (int round = 0; beyond && round <= MOST_ROUNDS; round++) {
        carom_error error = {.text = ""};
        bool any = false;
        if (crm_divide_find_groups(state, divide, &any, &error) != CAROM_OK) {
            crm_contacts_failed("contacts", &error, report);
            return;
        }
        if (round == MOST_ROUNDS) crm_divide_join_all(state->model, divide);
        crm_accounts_begin(state);
        begin(state, report);
        beyond = false;
        good = move_all(method, state, input, &beyond);
        if (!good || round == MOST_ROUNDS) break;
    }
    if (good && !finish(state, divide)) {
        crm_step_impossible(state->model, -1, &divide->total, "has no memory for the contacts of its substeps");
        divide->total.no_memory = true;
    }
    *report = divide->total;
}

void crm_divide_advance(const crm_method *method, carom_state *state, const carom_input *input,
                        carom_step_report *report) {
    crm_divide *divide = state->divide;
    size_t bodies = (size_t)state->model->bodies.count, joints = (size_t)state->model->joints.count;
    divide->start = state->motions;
    memset(divide->least, 0, bodies * sizeof *divide->least);
    if (joints > 0) memcpy(divide->configs, state->configs, joints * sizeof *divide->configs);
    if (joints > 0) memcpy(divide->first_reaction, state->reaction, joints * sizeof *divide->first_reaction);
    state->only = divide->only;
    advance_groups(method, state, input, report);
    state->only = NULL;
    if (report->outcome != CAROM_STEP_IMPOSSIBLE || joints == 0) return;
    memcpy(state->configs, divide->configs, joints * sizeof *divide->configs);
    memcpy(state->reaction, divide->first_reaction, joints * sizeof *divide->first_reaction);
}

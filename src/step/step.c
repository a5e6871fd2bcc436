// SPDX-License-Identifier: MIT
// The table of methods, the making of states, and the step itself.
#include "carom/tools.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/body_groups.h"
#include "model/force/evaluate.h"
#include "model/joint/joint_limits.h"
#include "model/proxies.h"
#include "step/certify/accounts.h"
#include "step/certify/rates.h"
#include "step/divide/divide.h"
#include "step/method.h"
#include "step/settings.h"
#include "step/start/start.h"
#include "step/switch/remake.h"
#include "step/switch/switch.h"

// Lengths of steps that differ by less than this share are the same: they may come from a division.
static const double same_length = 1e-9;

static const crm_method *const methods[CAROM_METHOD_COUNT] = {
    [CAROM_METHOD_VARIATIONAL] = &crm_method_variational,
    [CAROM_METHOD_EULER] = &crm_method_euler,
    [CAROM_METHOD_MULTIPLIER] = &crm_method_multiplier,
    [CAROM_METHOD_REDUCED] = &crm_method_reduced,
    [CAROM_METHOD_LCP] = &crm_method_lcp,
    [CAROM_METHOD_IMPULSE] = &crm_method_impulse,
    [CAROM_METHOD_PENALTY] = &crm_method_penalty,
    [CAROM_METHOD_POTENTIAL] = &crm_method_potential,
    [CAROM_METHOD_NEWMARK] = &crm_method_newmark,
    [CAROM_METHOD_EXACT] = &crm_method_exact,
    [CAROM_METHOD_DCR] = &crm_method_dcr,
};

static bool is_method(carom_method method) {
    return (int)method >= 0 && method < CAROM_METHOD_COUNT;
}

const char *carom_method_name(carom_method method) {
    return is_method(method) ? methods[method]->name : "?";
}

const char *carom_method_variant_key(carom_method method) {
    return is_method(method) ? methods[method]->variant_key : NULL;
}

const char *carom_method_settings(carom_method method) {
    return is_method(method) ? methods[method]->settings : NULL;
}

bool carom_method_has_contact(carom_method method) {
    return is_method(method) && (methods[method]->features & CRM_FEATURE_CONTACT) != 0;
}

bool carom_method_has_materials(carom_method method) {
    return is_method(method) && (methods[method]->features & CRM_FEATURE_MATERIAL) != 0;
}

bool carom_method_find(const char *name, carom_method *out) {
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) {
        if (strcmp(methods[i]->name, name) != 0) continue;
        *out = (carom_method)i;
        return true;
    }
    return false;
}

carom_contract carom_method_contract(const carom_method_def *def) {
    // The momentum balance holds to this share of the momenta; no joint is open by more than this share of the jointed
    // system's size, or this many rad.
    carom_contract contract = {
        .momentum_balance = 1e-12, .joint_drift = 1e-8, .residual = fmin(def->tolerance, CRM_COARSEST_EQUATIONS)};
    // Of methods with integrators: the share that the tolerances of dp54 allow, however loose they are; with a step
    // that nobody controls, what steps that are far too long make of it.
    if (is_method(def->method) && methods[def->method]->keeps_external_balance)
        contract.momentum_balance = def->integrator == CAROM_INTEGRATOR_DP54
                                        ? fmin(fmax(contract.momentum_balance, 10.0 * def->relative_tolerance), 1e-6)
                                        : 1e-2;
    if (is_method(def->method) && methods[def->method]->contract != NULL)
        methods[def->method]->contract(def, &contract);
    return contract;
}

bool carom_method_is_adaptive(const carom_method_def *def) {
    if (def->method == CAROM_METHOD_IMPULSE) return def->impulse.variant != CAROM_IMPULSE_FIXED;
    bool integrates = def->method == CAROM_METHOD_MULTIPLIER || def->method == CAROM_METHOD_REDUCED;
    return integrates && def->integrator == CAROM_INTEGRATOR_DP54;
}

static const struct {
    crm_feature feature;
    const char *text;
} feature_texts[] = {{CRM_FEATURE_DRAG, "drag"},
                     {CRM_FEATURE_DAMPER, "springs with damping"},
                     {CRM_FEATURE_WRENCH, "constant wrenches"},
                     {CRM_FEATURE_CALLBACK, "force callbacks"},
                     {CRM_FEATURE_FIELD, "fields of force without a potential"},
                     {CRM_FEATURE_JOINT, "joints"},
                     {CRM_FEATURE_LOOP, NULL}, // by the joint that needs it
                     {CRM_FEATURE_LIMIT, "joint limits"},
                     {CRM_FEATURE_JOINT_SPRING, "springs in joints"},
                     {CRM_FEATURE_JOINT_DAMPER, "dampers in joints"},
                     {CRM_FEATURE_MOTOR, "force and position motors"},
                     {CRM_FEATURE_VELOCITY_MOTOR, "velocity motors"},
                     {CRM_FEATURE_MOBILITY, "a mobility in place of inertia"},
                     {CRM_FEATURE_CONTAINER, "containers"},
                     {CRM_FEATURE_SWITCH, "joints that open and close"}};

static const unsigned joint_features = CRM_FEATURE_LOOP | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING |
                                       CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR |
                                       CRM_FEATURE_SWITCH;

// A limit or a velocity motor, which is a row wherever it acts.
static bool holds_coordinate(const carom_model *model, int joint) {
    for (int k = 0; k < model->joints.items[joint].free; k++) {
        const carom_coordinate_def *coordinate = &model->joints.items[joint].def.coordinate[k];
        bool limited = coordinate->lower > -INFINITY || coordinate->upper < INFINITY;
        if (limited || coordinate->motor.kind == CAROM_MOTOR_VELOCITY) return true;
    }
    return false;
}

// What a model needs CRM_FEATURE_LOOP for, with the first joint that does. Not all of it is a loop to who wrote the
// scene: a distance joint hangs in no tree, nor does a joint that blocks nothing but holds a coordinate.
static void loop_text(const carom_model *model, char *out, size_t size) {
    int first[3] = {-1, -1, -1}; // a loop, a distance, a joint that blocks nothing
    static const char *const texts[] = {"joints that close loops", "distance joints",
                                        "limits and velocity motors of joints that block nothing"};
    for (int j = model->joints.count - 1; j >= 0; j--) {
        const crm_joint *joint = &model->joints.items[j];
        if (model->graph.in_tree[j]) continue;
        if (joint->rows > 0)
            first[joint->def.kind == CAROM_JOINT_DISTANCE] = j;
        else if (holds_coordinate(model, j))
            first[2] = j;
    }
    int kind = first[0] >= 0 ? 0 : first[1] >= 0 ? 1 : 2;
    char name[CRM_BODY_TEXT];
    snprintf(out, size, "%s (%.70s)", texts[kind], crm_joint_text(model, first[kind], name));
}

static unsigned features_of_joints(const carom_model *model) {
    unsigned features =
        (model->joints.count > 0 ? CRM_FEATURE_JOINT : 0u) | (model->graph.closing_count > 0 ? CRM_FEATURE_LOOP : 0u);
    for (int j = 0; j < model->joints.count; j++) {
        for (int k = 0; k < model->joints.items[j].free; k++) {
            const carom_coordinate_def *coordinate = &model->joints.items[j].def.coordinate[k];
            carom_motor_kind motor = coordinate->motor.kind;
            bool limited = coordinate->lower > -INFINITY || coordinate->upper < INFINITY;
            bool holds = limited || motor == CAROM_MOTOR_VELOCITY;
            features |= (holds && !model->graph.in_tree[j] ? CRM_FEATURE_LOOP : 0u) |
                        (limited ? CRM_FEATURE_LIMIT : 0u) |
                        (coordinate->stiffness > 0.0 ? CRM_FEATURE_JOINT_SPRING : 0u) |
                        (coordinate->damping > 0.0 ? CRM_FEATURE_JOINT_DAMPER : 0u) |
                        (motor == CAROM_MOTOR_FORCE || motor == CAROM_MOTOR_POSITION ? CRM_FEATURE_MOTOR : 0u) |
                        (motor == CAROM_MOTOR_VELOCITY ? CRM_FEATURE_VELOCITY_MOTOR : 0u);
        }
    }
    return features;
}

static bool has_container(const carom_model *model) {
    for (int b = 0; b < model->bodies.count; b++) {
        const carom_shape *shape = carom_model_get_shape(model, model->bodies.items[b].def.shape);
        if (shape != NULL && carom_shape_get_kind(shape) == CAROM_SHAPE_CONTAINER) return true;
    }
    return false;
}

static unsigned features_of(const carom_model *model) {
    return (has_container(model) ? CRM_FEATURE_CONTAINER : 0u) | (model->drags.count > 0 ? CRM_FEATURE_DRAG : 0u) |
           (model->damper_count > 0 ? CRM_FEATURE_DAMPER : 0u) | (model->wrenches.count > 0 ? CRM_FEATURE_WRENCH : 0u) |
           (model->callbacks.count + model->system_callbacks.count > 0 ? CRM_FEATURE_CALLBACK : 0u) |
           (model->fields.count > 0 ? CRM_FEATURE_FIELD : 0u) |
           (model->mobility.kind != CAROM_MOBILITY_NONE ? CRM_FEATURE_MOBILITY : 0u) |
           (model->switching_count > 0 ? CRM_FEATURE_SWITCH : 0u) | features_of_joints(model);
}

// What of the features that a model asks for this method lacks.
static unsigned lacking_of(int method, unsigned wanted) {
    unsigned features = methods[method]->features;
    if ((features & CRM_FEATURE_CONTACT) == 0) features |= CRM_FEATURE_CONTAINER; // bodies pass through those as well
    return wanted & ~features;
}

carom_status carom_method_supports(const carom_model *model, const carom_method_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_method_def, error);
    if (status == CAROM_OK) status = crm_settings_check(def, error);
    if (status != CAROM_OK) return status;
    unsigned wanted = features_of(model), missing = lacking_of(def->method, wanted);
    if (missing == 0) return CAROM_OK;
    if (missing & CRM_FEATURE_JOINT) missing &= ~joint_features; // of what it has not there is nothing more to say
    char lacking[512] = "", able[128] = "";
    for (size_t i = 0; i < sizeof feature_texts / sizeof feature_texts[0]; i++) {
        if (!(missing & feature_texts[i].feature)) continue;
        if (lacking[0] != '\0') strcat(lacking, ", ");
        if (feature_texts[i].feature == CRM_FEATURE_LOOP)
            loop_text(model, lacking + strlen(lacking), sizeof lacking - strlen(lacking));
        else
            strcat(lacking, feature_texts[i].text);
    }
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) {
        if (lacking_of(i, wanted) != 0) continue;
        if (able[0] != '\0') strcat(able, ", ");
        strcat(able, methods[i]->name);
    }
    return crm_fail(error, CAROM_ERR_UNSUPPORTED, "the method %s has no %s; methods that have all this model needs: %s",
                    methods[def->method]->name, lacking, able[0] != '\0' ? able : "none yet");
}

const char *crm_contact_alternatives(const carom_model *model, carom_method method, char *text, size_t size) {
    unsigned wanted = features_of(model) | CRM_FEATURE_CONTACT;
    size_t used = 0;
    snprintf(text, size, "none yet");
    for (int i = 0; i < CAROM_METHOD_COUNT && used < size; i++)
        if (i != (int)method && (wanted & ~methods[i]->features) == 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", methods[i]->name);
    return text;
}

bool crm_state_take_memory(carom_state *state) {
    int bodies = state->model->bodies.count;
    // Zeroed: every byte of a motion is hashed and saved.
    state->motions = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    state->next = CRM_ARENA_ZEROED(&state->arena, crm_motion, bodies);
    state->start_centre = CRM_ARENA_ZEROED(&state->arena, carom_vec3, bodies);
    state->impulse = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->active = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->passive = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    state->balances = CRM_ARENA_ZEROED(&state->arena, crm_momentum_balance, bodies);
    state->joined = CRM_ARENA_ARRAY(&state->arena, int, bodies);
    state->groups = CRM_ARENA_ARRAY(&state->arena, int, bodies);
    state->configs = CRM_ARENA_ZEROED(&state->arena, crm_joint_config, state->model->joints.count);
    state->reaction = CRM_ARENA_ZEROED(&state->arena, crm_vec6, 2 * (ptrdiff_t)state->model->joints.count);
    if (state->reaction != NULL) state->end_reaction = state->reaction + state->model->joints.count;
    state->slots = crm_arena_take(&state->arena, crm_pool_slots_bytes(bodies, CRM_BODY_GRAIN, CRM_BODY_SLOT));
    if (crm_arena_refused(&state->arena)) return false;
    crm_body_groups(state->model, state->joined);
    return true;
}

static carom_status make_plan(carom_state *state, const carom_method_def *def, carom_error *error) {
    if (!crm_step_plan_create(def, &state->lasting, &state->plan))
        return crm_fail_memory(error, "steps that vary", (size_t)def->piece_count * sizeof *def->piece);
    state->method.piece = state->plan.piece;
    state->clock.step = crm_step_plan_next(&state->plan, 0.0);
    return CAROM_OK;
}

static carom_status set_initial_motions(carom_state *state, carom_error *error) {
    for (int b = 0; b < state->model->bodies.count; b++)
        state->motions[b] = crm_motion_initial(&state->model->bodies.items[b]);
    // Angles start within half a revolution of zero: the configurations are zero yet.
    carom_status status = carom_state_assemble(state, error);
    if (status != CAROM_OK) return status;
    return crm_joints_check_limits(state->model, state->motions, state->configs, error);
}

// As they are after the method was prepared, which may have made a choice that was left to it.
static carom_status list_settings(carom_state *state, carom_error *error) {
    const char *group = methods[state->method.method]->settings;
    state->setting_count = crm_settings_list(&state->method, group, NULL);
    state->settings = CRM_ARENA_ARRAY(&state->arena, crm_setting_value, state->setting_count);
    if (state->settings == NULL) return crm_fail_memory(error, "settings", sizeof *state->settings);
    crm_settings_list(&state->method, group, state->settings);
    return CAROM_OK;
}

carom_status crm_state_prepare(carom_state *state, carom_error *error) {
    const crm_method *method = methods[state->method.method];
    carom_status status = method->prepare != NULL ? method->prepare(state, error) : CAROM_OK;
    if (status != CAROM_OK) return status;
    if (method->keeps_external_balance && state->externals == NULL) crm_accounts_join_driven(state);
    status = crm_divide_create(state, error);
    if (status == CAROM_OK) status = list_settings(state, error);
    if (status != CAROM_OK) return status;
    state->contract = carom_method_contract(&state->method);
    crm_rates_prepare(state);
    return CAROM_OK;
}

void crm_state_release_method(carom_state *state) {
    const crm_method *method = methods[state->method.method];
    if (method->release != NULL) method->release(state);
    crm_divide_release(state);
}

static void note_start(carom_state *state) {
    const carom_start_report *start = &state->start;
    if (start->pairs == 0) return;
    double share = start->overlap / crm_pair_size(state->model, start->a.index, start->b.index);
    crm_finding_raise(state, CAROM_RULE_START_OVERLAP, share, start->a.index, start->b.index);
}

carom_status carom_state_create(const carom_model *model, const carom_method_def *def, carom_state **out,
                                carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    CRM_NEED(out, error);
    *out = NULL;
    if (!model->frozen)
        return crm_fail(error, CAROM_ERR_FROZEN, "the model must be frozen before a state can be made of it");
    carom_status status = carom_method_supports(model, def, error);
    if (status != CAROM_OK) return status;
    carom_state *state = model->allocator.allocate(model->allocator.user, sizeof *state);
    if (state == NULL) return crm_fail_memory(error, "state", sizeof *state);
    *state = (carom_state){.model = model, .whole = model, .method = *def, .interruption.asked = model->interrupt};
    state->method.piece = NULL; // the plan has them
    crm_arena_init(&state->arena, &model->allocator);
    state->arena.frugal = true; // arrays of bodies, taken once
    crm_arena_init(&state->lasting, &model->allocator);
    if (model->switching_count > 0) status = crm_switches_create(state, error);
    if (status == CAROM_OK && !crm_state_take_memory(state))
        status = crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a state of %d bodies", model->bodies.count);
    if (status == CAROM_OK) status = make_plan(state, def, error);
    if (status == CAROM_OK && def->threads > 1)
        status = crm_pool_create(&model->allocator, def->threads, &state->pool, error);
    if (status == CAROM_OK && !crm_accounts_create(state))
        status = crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the accounts of %d bodies", model->bodies.count);
    if (status == CAROM_OK) status = set_initial_motions(state, error);
    if (status == CAROM_OK) status = crm_start_overlaps(state, carom_method_has_contact(def->method), error);
    if (status == CAROM_OK) note_start(state);
    if (status == CAROM_OK && state->switches != NULL && model->bodies.count > 0)
        memcpy(state->switches->base, state->motions, (size_t)model->bodies.count * sizeof *state->motions);
    if (status == CAROM_OK) status = crm_state_prepare(state, error);
    if (status != CAROM_OK) {
        carom_state_destroy(state);
        return status;
    }
    state->method.step = state->clock.step; // of the first step
    crm_rates_check(state->model, state, state->motions);
    state->method.step = state->plan.step;
    *out = state;
    return CAROM_OK;
}

void carom_state_destroy(carom_state *state) {
    if (state == NULL) return;
    carom_allocator allocator = state->model->allocator;
    crm_state_release_method(state);
    carom_contact_set_destroy(state->contact_set);
    CRM_ARRAY_FREE(&allocator, &state->loaded);
    CRM_ARRAY_FREE(&allocator, &state->contact_table);
    CRM_ARRAY_FREE(&allocator, &state->collisions);
    crm_pool_destroy(state->pool);
    crm_arena_free(&state->arena);
    crm_arena_free(&state->lasting);
    crm_switches_destroy(state);
    allocator.release(allocator.user, state, sizeof *state);
}

void crm_step_impossible(const carom_model *model, int body, carom_step_report *report, const char *format, ...) {
    char name[CRM_BODY_TEXT];
    report->outcome = CAROM_STEP_IMPOSSIBLE;
    report->body = (carom_body){body};
    int used = snprintf(report->text, sizeof report->text, "%s ", crm_body_text(model, body, name));
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(report->text + used, sizeof report->text - (size_t)used, format, arguments);
    va_end(arguments);
}

void crm_step_callback_refused(const carom_model *model, const crm_callback_answer *answer, double time,
                               carom_step_report *report) {
    if (answer->not_finite)
        crm_step_impossible(model, answer->body, report,
                            "has a force callback that gave a force or torque that is not finite at t = %g s; mend the "
                            "callback",
                            time);
    else
        crm_step_impossible(
            model, answer->body, report, "has a force callback that answered %d at t = %g s: %s", answer->answer, time,
            answer->answer > 0 ? "it asks for a smaller step; make method.step smaller" : "it asks to stop");
}

static carom_status check_motors(const carom_model *model, const carom_input *input, carom_error *error) {
    for (int i = 0; i < input->motor_count; i++) {
        const carom_motor_input *motor = &input->motor[i], *last = i > 0 ? motor - 1 : NULL;
        carom_status status = crm_model_check_joint(model, motor->joint, "input motor", error);
        if (status != CAROM_OK) return status;
        const crm_joint *joint = &model->joints.items[motor->joint.index];
        char text[CRM_BODY_TEXT];
        crm_joint_text(model, motor->joint.index, text);
        if (motor->coordinate < 0 || motor->coordinate >= joint->free)
            return crm_refuse(error, "input motor %d: %s has no coordinate %d; it has %d", i, text, motor->coordinate,
                              joint->free);
        if (joint->def.coordinate[motor->coordinate].motor.kind == CAROM_MOTOR_NONE)
            return crm_refuse(error, "input motor %d: coordinate %d of %s has no motor; give it one in the model", i,
                              motor->coordinate, text);
        if (!isfinite(motor->target) || !isfinite(motor->target_rate) || !isfinite(motor->force))
            return crm_refuse(error, "input motor %d: target, target_rate and force must be finite", i);
        if (last != NULL && (last->joint.index > motor->joint.index ||
                             (last->joint.index == motor->joint.index && last->coordinate >= motor->coordinate)))
            return crm_refuse(
                error, "input motor %d: entries must be in ascending order of joint, then coordinate, each once", i);
    }
    return CAROM_OK;
}

static carom_status check_input(const carom_model *model, const carom_input *input, carom_error *error) {
    for (int i = 0; input != NULL && i < input->wrench_count; i++) {
        const carom_wrench *wrench = &input->wrench[i];
        carom_status status = crm_model_check_body(model, wrench->body, false, "input wrench", error);
        if (status != CAROM_OK) return status;
        if (!crm_vec3_finite(wrench->force) || !crm_vec3_finite(wrench->torque))
            return crm_refuse(error, "input wrench %d: force and torque must be finite", i);
    }
    if (input == NULL) return CAROM_OK;
    carom_status status = check_motors(model, input, error);
    return status == CAROM_OK ? crm_switches_check_input(model, input, error) : status;
}

// A step that leads to numbers that are not finite is no step.
static void refuse_unless_finite(const carom_model *model, const carom_state *state, carom_step_report *report) {
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_motion *m = &state->next[b];
        const char *quantity = !crm_vec3_finite(m->x)                                         ? "position"
                               : !crm_vec3_finite(crm_quat_vector(m->q)) || !isfinite(m->q.w) ? "attitude"
                               : !crm_vec3_finite(m->p)                                       ? "momentum"
                               : !crm_vec3_finite(m->l)                                       ? "angular momentum"
                                                                                              : NULL;
        if (quantity == NULL) continue;
        crm_step_impossible(model, b, report,
                            "would have no finite %s after t = %g s: the motion runs away, most likely because the "
                            "step of %g s is too large; make method.step smaller",
                            quantity, carom_state_time(state), state->method.step);
        return;
    }
}

carom_status carom_state_write_problem(const carom_state *state, const char *path, carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(path, error);
    const crm_method *method = methods[state->method.method];
    if (method->dump_problem != NULL) return method->dump_problem(state, path, error);
    return crm_fail(error, CAROM_ERR_UNSUPPORTED, "the method %s solves no contact problem that could be written",
                    method->name);
}

static void make_step(const carom_model *model, carom_state *state, const carom_input *input,
                      carom_step_report *report) {
    *report = (carom_step_report){.outcome = CAROM_STEP_GOOD, .substeps = 1, .residual_body = {-1}, .body = {-1}};
    const crm_method *method = methods[state->method.method];
    size_t reactions = (size_t)model->joints.count * sizeof *state->reaction;
    crm_accounts_begin(state);
    state->collisions.count = 0;
    if (state->divide != NULL)
        crm_divide_advance(method, state, input, report);
    else
        method->advance(model, state, input, report);
    // What solvers left undone is no step.
    if (atomic_load(&state->interruption.happened)) crm_step_impossible(model, -1, report, "the step was interrupted");
    if (report->outcome != CAROM_STEP_IMPOSSIBLE) refuse_unless_finite(model, state, report);
    if (report->outcome == CAROM_STEP_IMPOSSIBLE) {
        // Both are the same after every step of such a method.
        if (!method->keeps_external_balance && reactions > 0) memcpy(state->reaction, state->end_reaction, reactions);
        state->contacts_known = false; // the list may be that of where the step would have led
        state->collisions.count = 0;
        report->time = carom_state_time(state);
        report->step = state->step_count;
        if (atomic_load(&state->interruption.happened)) return;
        report->energy = carom_state_energy(state);
        report->momentum = carom_state_momentum(state);
        return;
    }
    if (!method->keeps_external_balance && reactions > 0) memcpy(state->end_reaction, state->reaction, reactions);
    double start = crm_phase_begin(&state->phases);
    crm_certify(model, state, method, report);
    crm_phase_end(&state->phases, start, &state->phases.sum.certificate);
    if (atomic_load(&state->interruption.happened)) { // what was found is no certificate
        state->contacts_known = false;
        return;
    }
    for (int b = 0; b < model->bodies.count; b++) state->start_centre[b] = state->motions[b].x;
    crm_motion *finished = state->next;
    state->next = state->motions;
    state->motions = finished;
    crm_joints_remember(model, state->motions, state->configs);
    if (method->accept != NULL) method->accept(state);
    crm_clock_advance(&state->clock, state->step_count, state->method.step);
    state->step_count++;
    report->time = carom_state_time(state);
    report->step = state->step_count;
}

// Contacts whose stiffness is that of the longest step are not stiffer because one step is shorter: energy would come
// from nowhere.
static bool has_proposed_stiffness(const carom_state *state) {
    const carom_method_def *def = &state->method;
    if (state->model->shaped_count == 0) return false;
    if (def->method == CAROM_METHOD_PENALTY) return def->penalty.stiffness == 0.0;
    return (def->method == CAROM_METHOD_POTENTIAL || def->method == CAROM_METHOD_NEWMARK) &&
           def->potential.stiffness == 0.0;
}

static carom_status check_length(const carom_state *state, double h, carom_error *error) {
    double time = carom_state_time(state), longest = state->plan.longest;
    if (!(h > 0.0) || !isfinite(h))
        return crm_refuse(error, "step: a length of %g s; it must be positive and finite", h);
    if (!(time + h > time))
        return crm_refuse(error, "step: %g s does not move a time of %g s; give a longer one", h, time);
    if (h <= longest * (1.0 + same_length) || !has_proposed_stiffness(state)) return CAROM_OK;
    return crm_refuse(error,
                      "step: %g s is longer than %g s, the longest of the method, which the stiffness of contacts was "
                      "proposed for; make method.step that long, or give method.%s.stiffness",
                      h, longest, methods[state->method.method]->settings);
}

// A step of length h; what lasts longer than a step is made for the length that the method has between steps.
static void make_step_of(carom_state *state, const carom_input *input, double h, carom_step_report *report) {
    state->method.step = h;
    make_step(state->model, state, input, report);
    state->method.step = state->plan.step;
}

// What the joints do comes first: a step that was not made has not switched them either.
static carom_status make_switching_step(carom_state *state, const carom_input *input, double h,
                                        carom_step_report *report, carom_error *error) {
    crm_switching switching;
    carom_error why;
    carom_status status = crm_switches_begin(state, input, &switching, &why);
    if (status == CAROM_ERR_NO_MEMORY) { // as of a step that finds none on its way
        *report = (carom_step_report){.residual_body = {-1}, .body = {-1}, .no_memory = true};
        crm_step_impossible(state->whole, -1, report, "has no memory to open and close joints: %.180s", why.text);
        report->time = carom_state_time(state);
        report->step = state->step_count;
        report->energy = carom_state_energy(state);
        report->momentum = carom_state_momentum(state);
        return CAROM_OK;
    }
    if (status != CAROM_OK) {
        if (error != NULL) *error = why;
        return status;
    }
    carom_input closed;
    make_step_of(state, crm_switches_input(state, input, &closed), h, report);
    bool made = report->outcome != CAROM_STEP_IMPOSSIBLE && !atomic_load(&state->interruption.happened);
    crm_switches_end(state, &switching, made, report);
    return CAROM_OK;
}

static carom_status step_by(const carom_model *model, carom_state *state, const carom_input *input, double h,
                            carom_step_report *report, carom_error *error) {
    if (model != state->whole) return crm_refuse(error, "step: the state belongs to another model");
    carom_status status = check_input(model, input, error);
    if (status == CAROM_OK) status = check_length(state, h, error);
    if (status != CAROM_OK) return status;
    double start = crm_phase_begin(&state->phases);
    atomic_store(&state->interruption.happened, false);
    state->interruption.stepping = true;
    if (state->switches != NULL)
        status = make_switching_step(state, input, h, report, error);
    else
        make_step_of(state, input, h, report);
    state->interruption.stepping = false;
    if (status != CAROM_OK) return status;
    if (atomic_load(&state->interruption.happened)) {
        report->no_memory = false; // whatever ended it early
        return crm_fail_interrupted(error);
    }
    crm_phase_end(&state->phases, start, &state->phases.sum.total);
    state->phases.sum.steps += state->phases.on;
    return CAROM_OK;
}

carom_status carom_step(const carom_model *model, carom_state *state, const carom_input *input,
                        carom_step_report *report, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(state, error);
    CRM_NEED(report, error);
    return step_by(model, state, input, carom_state_next_step(state), report, error);
}

carom_status carom_step_by(const carom_model *model, carom_state *state, const carom_input *input, double h,
                           carom_step_report *report, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(state, error);
    CRM_NEED(report, error);
    return step_by(model, state, input, h, report, error);
}

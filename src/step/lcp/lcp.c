// SPDX-License-Identifier: MIT
#include "step/lcp/lcp.h"

#include <math.h>

#include "base/fail.h"
#include "step/lcp/flexible/lcp_flex.h"
#include "step/method.h"

static bool in_fluid(const carom_model *model) {
    return model->mobility.kind != CAROM_MOBILITY_NONE;
}

// ---- making and releasing

// Bounds on the residual of impulses that are taken over are for masses and for round cones, relative to gravity.
static bool can_rest(const carom_state *state) {
    const carom_lcp_def *def = &state->method.lcp;
    return def->rest && state->model->flexes.count == 0 && !in_fluid(state->model) &&
           def->friction != CAROM_FRICTION_PYRAMID && def->restitution != CAROM_RESTITUTION_POISSON &&
           def->solver == CAROM_SOLVER_AUTO && crm_length(state->model->gravity) > 0.0;
}

static carom_status prepare(carom_state *state, carom_error *error) {
    crm_lcp *lcp = NULL;
    carom_status status = crm_lcp_check_theta(state, state->method.lcp.theta, error);
    if (status != CAROM_OK) return status;
    status = crm_lcp_create(state, &state->method.lcp, &lcp, error);
    state->method_data = lcp;
    if (status == CAROM_OK && state->model->joints.count > 0 && lcp->def.gamma > 0.0 && lcp->flex == NULL)
        status = crm_glide_create(state, lcp->def.push_out, INFINITY, &lcp->glide, error);
    if (status != CAROM_OK || !can_rest(state)) return status;
    if (!crm_rest_create(state, &lcp->rest)) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for what rests");
    lcp->contacts.resting = lcp->rest.resting;
    lcp->contacts.awake = &lcp->rest.awake;
    return CAROM_OK;
}

static void release(carom_state *state) {
    crm_lcp_destroy(state->model, state->method_data);
}

// ---- the step

static void move(const carom_model *model, carom_state *state, crm_lcp *lcp) {
    if (in_fluid(model)) {
        crm_lcp_fluid_move(model, state, lcp);
    } else {
        if (lcp->flex == NULL) crm_lcp_find_flying(state, lcp);
        crm_velocity_step_move(model, state, &lcp->motion);
        if (lcp->flex == NULL)
            crm_free_flight_end(state, &lcp->flight);
        else
            crm_lcp_flex_place(state, lcp);
    }
    if (!lcp->by_islands) crm_lcp_row_velocities(lcp->motion.free, lcp);
}

// Work of forces that are taken at the end of the step.
static void tell_force_work(const carom_model *model, carom_state *state, const crm_lcp *lcp) {
    crm_force_work work = crm_lcp_force_work(model, state, lcp, NULL);
    state->spent += work.active + work.passive;
    for (int b = 0; state->drag != NULL && b < model->bodies.count; b++) {
        double lost = crm_drag_work(state, b, crm_twist_of(model, state->motions, b), lcp->motion.free[b]);
        crm_ledger_add(state, b, -1, CRM_LINE_PASSIVE, lost);
        state->spent += lost;
    }
}

static int most_attempts(const carom_model *model) {
    return in_fluid(model) ? 1 : CRM_MOST_ATTEMPTS;
}

// An attempt at the step.
typedef struct attempt {
    const carom_model *model;
    carom_state *state;
    const carom_input *input;
    crm_lcp *lcp;
    carom_step_report *report;
} attempt;

// Impulses for the contacts that are listed. `solved`: those of the contacts that were listed before are there.
static carom_status find_impulses(const attempt *at, int round, bool solved, carom_error *error) {
    const carom_model *model = at->model;
    carom_step_report *report = at->report;
    crm_lcp *lcp = at->lcp;
    if (!crm_lcp_build(model, at->state, at->input, lcp))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    int phases = lcp->def.restitution == CAROM_RESTITUTION_POISSON ? 2 : 1;
    crm_lcp_allow_work(model, lcp, phases * (most_attempts(model) - round));
    if (solved && crm_lcp_still_solved(model, at->state, lcp)) return CAROM_OK;
    // What was said of a problem with fewer contacts counts no more.
    report->residual = 0.0;
    report->residual_body = (carom_body){-1};
    lcp->missed = lcp->left_open = false;
    report->outcome = CAROM_STEP_GOOD;
    report->text[0] = '\0';
    carom_status status = lcp->flex == NULL ? crm_lcp_solve_impacts(model, at->state, lcp, true, report, error)
                                            : crm_lcp_flex_solve(at->state, lcp, round > 0, report, error);
    if (status != CAROM_OK) return status;
    // By the contacts' points, so that both momenta are kept to rounding: changes of scaled velocities are rounded to
    // these.
    for (int b = 0; b < model->bodies.count; b++) lcp->motion.change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, lcp->motion.change);
    if (lcp->flex != NULL) crm_lcp_flex_changes(at->state, lcp);
    return CAROM_OK;
}

// What has contacts with bodies that are awake is awake; what has woken needs its contacts where it is now.
static carom_status wake_neighbours(const attempt *at, carom_error *error) {
    crm_lcp *lcp = at->lcp;
    carom_status status = CAROM_OK;
    while (status == CAROM_OK && crm_rest_wake_neighbours(&lcp->contacts, &at->state->contact_list, &lcp->rest))
        status = crm_contact_list_renew(at->state, &lcp->contacts, error);
    return status;
}

static carom_status make_attempt(void *context, int round, carom_error *error) {
    const attempt *at = context;
    // The two phases of Poisson's law are not told apart by the sum that is kept of their impulses.
    bool kept = at->lcp->def.restitution != CAROM_RESTITUTION_POISSON && at->model->joints.count == 0 &&
                at->lcp->force_slots == 0 && at->lcp->contacts.midway.count == 0 && at->lcp->flex == NULL &&
                !crm_lcp_is_lean(at->model, at->lcp); // whose guesses cost no more to evaluate
    carom_status status = wake_neighbours(at, error);
    if (status == CAROM_OK) status = find_impulses(at, round, round > 0 && kept, error);
    for (int i = 0; status == CAROM_OK && i < CRM_MOST_BRAKES; i++) {
        if (!crm_lcp_brake_springs(at->model, at->state, at->lcp)) break;
        status = find_impulses(at, round, false, error);
    }
    if (status != CAROM_OK) return status;
    crm_rest_take(&at->lcp->rest, at->lcp->motion.change);
    crm_lcp_store(at->state, at->lcp);
    return CAROM_OK;
}

// Contacts of fast bodies are those of their way already, and rays are no gaps.
static carom_status look_midway(void *context, bool *again, carom_error *error) {
    const attempt *at = context;
    if (at->lcp->def.continuous || at->lcp->def.measure == CAROM_MEASURE_RAY || at->lcp->flex != NULL) return CAROM_OK;
    if (crm_lcp_look_midway(at->state, at->lcp, again)) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for contacts of the middle of a step");
}

static crm_rest_scale rest_scale(const carom_state *state, const crm_lcp *lcp) {
    return (crm_rest_scale){.step = state->method.step,
                            .gravity = crm_lcp_velocity_scale(state),
                            .tolerance = crm_lcp_aim_of(&lcp->def).resting};
}

// What was solved may be the last that has to be solved for a while; but not where overlaps were left as they are.
static bool come_to_rest(const carom_state *state, crm_lcp *lcp, const carom_step_report *report) {
    if (!lcp->by_islands || report->outcome != CAROM_STEP_GOOD || report->text[0] != '\0') return true;
    const crm_rest_solved solved = {.count = lcp->problem.contacts.count,
                                    .contacts = lcp->problem.contacts.items,
                                    .bodies = lcp->problem.bodies.items,
                                    .body_of = lcp->problem.body_of,
                                    .sites = lcp->contacts.sites.items,
                                    .impulse = lcp->problem.impulse.items,
                                    .report = &lcp->solved,
                                    .gamma = lcp->def.gamma,
                                    .push_out = lcp->def.push_out,
                                    .barrier = lcp->def.barrier};
    return crm_rest_enter(state, &lcp->motion, &solved, &lcp->rest);
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_lcp *lcp = state->method_data;
    carom_error error;
    attempt at = {model, state, input, lcp, report};
    const crm_attempts attempts = {
        .most = most_attempts(model), .attempt = make_attempt, .beyond = look_midway, .context = &at};
    if (crm_lcp_motor_is_stopped(model, state, input, report)) return;
    if (!crm_velocity_step_begin(model, state, input, &lcp->motion, report)) return;
    if (in_fluid(model)) crm_lcp_fluid_free(model, state, lcp);
    crm_lcp_brakes_begin(model, &lcp->brakes);
    lcp->noise_tolerance = crm_lcp_aim_of(&lcp->def).resting;
    lcp->work = lcp->work_allowed = lcp->work_kept = 0.0;
    state->spent = 0.0;
    crm_lcp_history_begin(state, lcp);
    crm_rest_begin(state, &lcp->motion, lcp->contacts.margin, rest_scale(state, lcp), &lcp->rest);
    carom_status status = lcp->flex != NULL ? crm_lcp_flex_begin(state, lcp, &error) : CAROM_OK;
    if (status == CAROM_OK)
        status = crm_contact_list_resolve(state, &lcp->contacts, lcp->motion.change, &attempts, &error);
    if (status == CAROM_OK) {
        move(model, state, lcp);
        if (in_fluid(model))
            crm_lcp_add_motor_impulses(model, lcp, state->active);
        else
            crm_lcp_add_block_work(model, state, lcp, NULL), crm_lcp_add_motor_work(model, state, lcp);
        tell_force_work(model, state, lcp);
        if (lcp->flex != NULL) {
            crm_lcp_flex_row_velocities(lcp);
            crm_lcp_flex_read_out(state, lcp, report);
        }
        crm_lcp_note_residual(lcp->rest.bound, lcp->rest.bound_body, report);
        if (!crm_lcp_read_out(model, state, lcp, report) ||
            (lcp->flex != NULL && !crm_lcp_flex_read_contacts(state, lcp, report)))
            status = crm_fail(&error, CAROM_ERR_NO_MEMORY, "no memory for the table of contacts");
    }
    if (status == CAROM_OK) {
        if (!in_fluid(model)) crm_lcp_glide(model, state, input, lcp, report);
        if (!come_to_rest(state, lcp, report))
            status = crm_fail(&error, CAROM_ERR_NO_MEMORY, "no memory for what rests");
        crm_limited_impacts_tell(state, &lcp->limits.limited, report);
    }
    if (status == CAROM_OK)
        status = crm_contact_list_look_ahead(state, &lcp->contacts, lcp->motion.explicit_impulse, report, &error);
    lcp->overlap = report->infeasibility;
    state->work = (carom_step_work){lcp->work, lcp->work_allowed};
    if (status != CAROM_OK) crm_contacts_failed("contacts", &error, report);
}

static void accept(carom_state *state) {
    crm_lcp *lcp = state->method_data;
    crm_lcp_history_note(state, lcp);
    crm_free_flight_accept(state, &lcp->flight);
}

static carom_status dump_problem(const carom_state *state, const char *path, carom_error *error) {
    return crm_lcp_dump(state, state->method_data, path, error);
}

static void contract(const carom_method_def *def, carom_contract *contract) {
    contract->residual = crm_lcp_promised_residual(&def->lcp);
    if (!(def->lcp.gamma > 0.0)) contract->joint_drift = 0.05; // joints are left to drift
}

const crm_method crm_method_lcp = {
    .name = "lcp",
    .settings = "lcp",
    .contract = contract,
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD |
                CRM_FEATURE_JOINT | CRM_FEATURE_LOOP | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING |
                CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR | CRM_FEATURE_MOBILITY |
                CRM_FEATURE_CONTACT | CRM_FEATURE_MATERIAL | CRM_FEATURE_CONTAINER | CRM_FEATURE_SWITCH |
                CRM_FEATURE_FLEX | CRM_FEATURE_ATTACHED,
    .works_by_table = true,
    .impulses_first = true,
    .prepare = prepare,
    .release = release,
    .advance = advance,
    .accept = accept,
    .dump_problem = dump_problem,
};

// SPDX-License-Identifier: MIT
// The step itself: what it is asked for, the method's part, its certificate.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/divide/divide.h"
#include "step/method.h"
#include "step/switch/switch.h"

// Lengths of steps that differ by less than this share are the same: they may come from a division.
static const double same_length = 1e-9;

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
    if (answer->inverted)
        crm_step_impossible(model, answer->body, report,
                            "is in element %d, which is turned inside out at t = %g s and has no energy there; make "
                            "method.step smaller, the mesh coarser there, or take the elastic model corotated",
                            answer->element, time);
    else if (answer->not_finite)
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
    for (int i = 0; i < input->body_wrench_count; i++) {
        const carom_body_wrench *wrench = &input->body_wrench[i];
        carom_status status = crm_model_check_body(model, wrench->body, false, "input body wrench", error);
        if (status != CAROM_OK) return status;
        if (!crm_vec3_finite(wrench->point) || !crm_vec3_finite(wrench->force) || !crm_vec3_finite(wrench->torque))
            return crm_refuse(error, "input body wrench %d: point, force and torque must be finite", i);
    }
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
    const crm_method *method = crm_method_of(state);
    if (method->dump_problem != NULL) return method->dump_problem(state, path, error);
    return crm_fail(error, CAROM_ERR_UNSUPPORTED, "the method %s solves no contact problem that could be written",
                    method->name);
}

static void make_step(const carom_model *model, carom_state *state, const carom_input *input,
                      carom_step_report *report) {
    *report = (carom_step_report){.outcome = CAROM_STEP_GOOD,
                                  .substeps = 1,
                                  .determinant_flex = -1,
                                  .determinant_element = -1,
                                  .residual_body = {-1},
                                  .body = {-1}};
    const crm_method *method = crm_method_of(state);
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
    double time = crm_clock_time(&state->clock, state->step_count), longest = state->plan.longest;
    if (time + h > time && h <= longest) return CAROM_OK;
    if (!(h > 0.0) || !isfinite(h))
        return crm_refuse(error, "step: a length of %g s; it must be positive and finite", h);
    if (!(time + h > time))
        return crm_refuse(error, "step: %g s does not move a time of %g s; give a longer one", h, time);
    if (h <= longest * (1.0 + same_length) || !has_proposed_stiffness(state)) return CAROM_OK;
    return crm_refuse(error,
                      "step: %g s is longer than %g s, the longest of the method, which the stiffness of contacts was "
                      "proposed for; make method.step that long, or give method.%s.stiffness",
                      h, longest, crm_method_of(state)->settings);
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
    double h = state->plan.count == 0 ? state->plan.step : carom_state_next_step(state);
    return step_by(model, state, input, h, report, error);
}

carom_status carom_step_by(const carom_model *model, carom_state *state, const carom_input *input, double h,
                           carom_step_report *report, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(state, error);
    CRM_NEED(report, error);
    return step_by(model, state, input, h, report, error);
}

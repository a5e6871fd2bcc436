// SPDX-License-Identifier: MIT
// Which joints switch, and what that does to the state and to the step's report.
#include "step/switch/switch.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/certify/joint_open.h"

// Share of what a joint holds, or rad, up to which a command closes one without a latch: as when a state is made.
static const double closed_by_command = 1e-3;

// ---- the input

carom_status crm_switches_check_input(const carom_model *model, const carom_input *input, carom_error *error) {
    for (int i = 0; i < input->switch_count; i++) {
        const carom_joint_switch *s = &input->joint_switch[i];
        carom_status status = crm_model_check_joint(model, s->joint, "input joint_switch", error);
        if (status != CAROM_OK) return status;
        char text[CRM_BODY_TEXT];
        crm_joint_text(model, s->joint.index, text);
        if (!crm_joint_switches(&model->joints.items[s->joint.index]))
            return crm_refuse(error,
                              "input joint_switch %d: %s does not open and close; give it a latch, a load that breaks "
                              "it, or by_command",
                              i, text);
        if (i > 0 && input->joint_switch[i - 1].joint.index >= s->joint.index)
            return crm_refuse(error, "input joint_switch %d: entries must be in ascending order of joint, each once",
                              i);
    }
    return CAROM_OK;
}

static const carom_joint_switch *command_for(const carom_input *input, int joint) {
    for (int i = 0; input != NULL && i < input->switch_count; i++)
        if (input->joint_switch[i].joint.index == joint) return &input->joint_switch[i];
    return NULL;
}

const carom_input *crm_switches_input(carom_state *state, const carom_input *input, carom_input *out) {
    crm_switches *s = state->switches;
    if (input == NULL || input->motor_count == 0) return input;
    s->motors.count = 0;
    for (int i = 0; i < input->motor_count; i++) {
        carom_motor_input motor = input->motor[i];
        motor.joint.index = s->closed->number_of[motor.joint.index];
        if (motor.joint.index >= 0) s->motors.items[s->motors.count++] = motor;
    }
    *out = *input;
    out->motor_count = s->motors.count;
    out->motor = s->motors.items;
    return out;
}

// ---- opening

// The larger of the mean over the last step and what it ended with.
static void find_load(const carom_state *state, int number, carom_joint_event *event) {
    const crm_vec6 *mean = &state->reaction[number], *end = &state->end_reaction[number];
    event->force = fmax(crm_length(mean->linear), crm_length(end->linear));
    event->moment = fmax(crm_length(mean->angular), crm_length(end->angular));
}

static carom_joint_event event_of(const carom_state *state, int joint) {
    return (carom_joint_event){.joint = {joint}, .time = carom_state_time(state), .step = state->step_count};
}

static void open_joint(carom_state *state, int joint, const carom_joint_switch *command) {
    crm_switches *s = state->switches;
    const carom_joint_def *def = &state->whole->joints.items[joint].def;
    carom_joint_event event = event_of(state, joint);
    find_load(state, s->closed->number_of[joint], &event);
    bool asked = command != NULL && !command->close;
    if (!asked && !(event.force > def->break_force) && !(event.moment > def->break_moment)) return;
    event.reason = asked                            ? CAROM_SWITCH_COMMAND
                   : event.force > def->break_force ? CAROM_SWITCH_FORCE
                                                    : CAROM_SWITCH_MOMENT;
    s->next[joint] = (crm_joint_switch){.status = CRM_SWITCH_SPENT};
    s->events.items[s->events.count++] = event;
}

// ---- closing

// A sticky joint is where the bodies touch.
static void place(carom_state *state, int joint, const crm_latch_gap *gap) {
    const crm_joint *of = &state->whole->joints.items[joint];
    crm_joint_switch *at = &state->switches->next[joint];
    if (!of->def.latch.sticky) return;
    const crm_motion *a = &state->switches->next_base[of->a.body], *b = &state->switches->next_base[of->b.body];
    at->at_a = crm_quat_rotate_inverse(a->q, crm_sub(gap->point, a->x));
    at->at_b = crm_quat_rotate_inverse(b->q, crm_sub(gap->point, b->x));
}

static bool may_close(const carom_state *state, const crm_joint *joint, const crm_latch_gap *gap) {
    if (joint->def.latch.on) return crm_latch_meets(joint, gap);
    crm_joint_pose pose = crm_joint_evaluate(joint, state->switches->next_base);
    double size = crm_joint_held_size(state->whole, joint, crm_length(pose.arm_a), crm_length(pose.arm_b));
    return gap->distance <= closed_by_command * size && gap->angle <= closed_by_command && !gap->beyond;
}

static carom_status close_joint(carom_state *state, int joint, const crm_latch_gap *gap, bool asked,
                                crm_switching *switching, carom_error *error) {
    crm_switches *s = state->switches;
    carom_joint_event event = event_of(state, joint);
    event.reason = asked ? CAROM_SWITCH_COMMAND : CAROM_SWITCH_LATCH;
    event.distance = gap->distance;
    event.angle = gap->angle;
    event.speed = gap->speed;
    place(state, joint, gap);
    carom_error why;
    carom_status status = crm_switch_close(state, joint, &event, &switching->momentum_balance, &why);
    event.closed = status == CAROM_OK;
    event.failed = status == CAROM_ERR_BAD_INPUT;
    if (event.failed && !asked) { // it goes on open, until its frames have parted and meet again
        s->next[joint] = (crm_joint_switch){.status = CRM_SWITCH_SPENT};
        status = CAROM_OK;
    }
    if (status != CAROM_OK) {
        if (error != NULL) *error = why;
        return status;
    }
    switching->impact += event.impact_energy;
    switching->projection += event.projection_energy;
    s->events.items[s->events.count++] = event;
    return CAROM_OK;
}

static carom_status try_closing(carom_state *state, int joint, const carom_joint_switch *command,
                                crm_switching *switching, carom_error *error) {
    crm_switches *s = state->switches;
    const crm_joint *of = &state->whole->joints.items[joint];
    bool asked = command != NULL && command->close;
    if (!asked && !of->def.latch.on) return CAROM_OK;
    crm_latch_gap gap =
        crm_latch_gap_of(state->whole, of, s->next_base, state->contact_table.items, state->contact_table.count);
    if (asked && !may_close(state, of, &gap)) {
        char text[CRM_BODY_TEXT];
        return crm_refuse(error, "input joint_switch: %s cannot close: it is %.3g m and %.3g rad apart%s",
                          crm_joint_text(state->whole, joint, text), gap.distance, gap.angle,
                          gap.beyond ? " and beyond a limit" : "");
    }
    if (!asked) {
        bool meets = crm_latch_meets(of, &gap);
        if (!meets) s->next[joint].status = CRM_SWITCH_OPEN;
        bool waits = s->next[joint].status == CRM_SWITCH_SPENT || gap.speed > of->def.latch.speed;
        if (!meets || waits) return CAROM_OK;
    }
    return close_joint(state, joint, &gap, asked, switching, error);
}

// ---- the step

static bool sets_differ(const carom_state *state) {
    const crm_switches *s = state->switches;
    for (int j = 0; j < state->whole->joints.count; j++)
        if ((s->joint[j].status == CRM_SWITCH_CLOSED) != (s->next[j].status == CRM_SWITCH_CLOSED)) return true;
    return false;
}

static double potential_energy(const carom_state *state, const crm_motion *motions) {
    return crm_energy(state->model, carom_state_time(state), motions, state->configs).potential;
}

static carom_status remake(carom_state *state, crm_switching *switching, carom_error *error) {
    crm_switches *s = state->switches;
    double start = potential_energy(state, state->motions), moved = potential_energy(state, s->next_base);
    carom_status status = s->calls->remake(state, &switching->former, error);
    if (status != CAROM_OK) return status;
    double now = potential_energy(state, state->motions);
    switching->springs = now - moved;
    switching->potential = now - start;
    for (int i = 0; i < s->events.count; i++) {
        const carom_joint_event *event = &s->events.items[i];
        const crm_joint *joint = &state->whole->joints.items[event->joint.index];
        if (event->closed)
            crm_accounts_add_closing(state, joint->a.body, joint->b.body, event->impact_energy,
                                     event->projection_energy);
    }
    return CAROM_OK;
}

carom_status crm_switches_begin(carom_state *state, const carom_input *input, crm_switching *switching,
                                carom_error *error) {
    crm_switches *s = state->switches;
    int joints = state->whole->joints.count;
    size_t bodies = (size_t)state->whole->bodies.count;
    *switching = (crm_switching){0};
    s->events.count = 0;
    memcpy(s->next, s->joint, (size_t)joints * sizeof *s->next);
    memcpy(s->next_base, state->motions, bodies * sizeof *s->next_base);
    for (int j = 0; j < joints; j++)
        if (s->joint[j].status == CRM_SWITCH_CLOSED && crm_joint_switches(&state->whole->joints.items[j]))
            open_joint(state, j, command_for(input, j));
    for (int j = 0; j < joints; j++) {
        if (s->joint[j].status == CRM_SWITCH_CLOSED) continue;
        carom_status status = try_closing(state, j, command_for(input, j), switching, error);
        if (status != CAROM_OK) return status;
    }
    return sets_differ(state) ? remake(state, switching, error) : CAROM_OK;
}

static void tell(const crm_switching *switching, carom_step_report *report) {
    report->ledger.impacts += switching->impact;
    report->ledger.projection += switching->projection;
    report->ledger.active += switching->springs;
    report->ledger.conservative -= switching->potential;
    report->energy_balance += switching->impact + switching->projection;
    report->momentum_balance = fmax(report->momentum_balance, switching->momentum_balance);
}

void crm_switches_end(carom_state *state, crm_switching *switching, bool made, carom_step_report *report) {
    crm_switches *s = state->switches;
    if (switching->former != NULL) {
        if (made)
            s->calls->keep(state, switching->former);
        else
            s->calls->undo(state, switching->former);
    } else if (made) {
        memcpy(s->joint, s->next, (size_t)state->whole->joints.count * sizeof *s->joint);
    }
    if (made) {
        tell(switching, report);
        return;
    }
    s->events.count = 0;
    if (switching->former == NULL || atomic_load(&state->interruption.happened)) return;
    report->energy = carom_state_energy(state);
    report->momentum = carom_state_momentum(state);
}

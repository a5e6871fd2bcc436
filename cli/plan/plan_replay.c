// SPDX-License-Identifier: MIT
#include "plan/plan_replay.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "verb/verb.h"

int begin_plan_replay(const char *path, plan_replay *out) {
    *out = (plan_replay){.recording = NULL};
    carom_error error;
    if (carom_recording_open(path, &out->recording, &error) != CAROM_OK) return refuse_error(&error);
    out->plan = carom_recording_plan(out->recording);
    if (out->plan == NULL) return refuse("%s: is of a run, and has no plan; 'carom plan' makes one", path);
    if (out->plan->interval_count == 0)
        return refuse("%s: there is no motion in it: the plan is %s%s%s", path,
                      carom_plan_outcome_name(out->plan->outcome), out->plan->reason[0] != '\0' ? ": " : "",
                      out->plan->reason);
    return EXIT_GOOD;
}

void end_plan_replay(plan_replay *replay) {
    carom_recording_close(replay->recording);
    free(replay->piece);
    *replay = (plan_replay){.recording = NULL};
}

double plan_replay_end(const plan_replay *replay) {
    return replay->plan->time[replay->plan->interval_count];
}

int plan_replay_method(plan_replay *replay, const text_list *overrides, carom_method_def *method) {
    const carom_plan_data *plan = replay->plan;
    bool own = true;
    for (int i = 0; i < overrides->count; i++) own &= strncmp(overrides->items[i], "method.", 7) != 0;
    replay->piece = calloc((size_t)plan->interval_count, sizeof *replay->piece);
    if (replay->piece == NULL) return refuse_memory("the steps of the plan");
    for (int k = 0; k < plan->interval_count; k++) {
        double length = plan->time[k + 1] - plan->time[k];
        replay->piece[k] = (carom_step_piece){plan->time[k + 1], own ? length : fmin(length, method->step)};
    }
    if (own) {
        method->method = CAROM_METHOD_VARIATIONAL;
        method->variational.whole_steps = true; // as the plan has them
        method->step = replay->piece[plan->interval_count - 1].step;
    }
    method->piece = replay->piece;
    method->piece_count = plan->interval_count;
    replay->contacts = carom_method_has_contact(method->method);
    return EXIT_GOOD;
}

carom_status plan_replay_input(const plan_replay *replay, carom_state *state, carom_input *out, carom_error *error) {
    const carom_plan_data *plan = replay->plan;
    double time = carom_state_time(state), step = carom_state_next_step(state);
    int interval = carom_plan_interval_at(plan, time + 0.5 * step);
    *out = carom_plan_input(plan, interval);
    bool begins = interval >= 0 && fabs(time - plan->time[interval]) < 0.25 * step;
    return begins && !replay->contacts ? carom_plan_apply_impulses(plan, interval, state, error) : CAROM_OK;
}

// ---- what came of it

static double distance_of(carom_vec3 a, carom_vec3 b) {
    return sqrt((a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z));
}

static double angle_of(carom_quat a, carom_quat b) {
    double w = a.w * b.w + a.x * b.x + a.y * b.y + a.z * b.z;
    carom_vec3 v = {a.w * b.x - a.x * b.w - a.y * b.z + a.z * b.y, a.w * b.y + a.x * b.z - a.y * b.w - a.z * b.x,
                    a.w * b.z - a.x * b.y + a.y * b.x - a.z * b.w};
    return 2.0 * atan2(sqrt(v.x * v.x + v.y * v.y + v.z * v.z), fabs(w));
}

bool plan_replay_difference(const carom_recording *recording, double *distance, double *angle) {
    const carom_plan_data *plan = carom_recording_plan(recording);
    carom_recording_info info;
    if (plan == NULL || plan->interval_count == 0 || carom_recording_get_info(recording, &info, NULL) != CAROM_OK)
        return false;
    int last = plan->interval_count;
    double slack = 1e-6 * (plan->time[last] - plan->time[last - 1]), time;
    carom_body_state *bodies = malloc(((size_t)info.body_count + 1) * sizeof *bodies);
    bool there = bodies != NULL && fabs(info.time - plan->time[last]) <= slack &&
                 carom_recording_get_frame(recording, info.frame_count - 1, &time, NULL, bodies, NULL) == CAROM_OK;
    *distance = *angle = 0.0;
    for (int b = 0; there && b < plan->body_count; b++) {
        const carom_body_state *planned = &plan->motion[(ptrdiff_t)last * plan->body_count + b];
        *distance = fmax(*distance, distance_of(bodies[b].position, planned->position));
        *angle = fmax(*angle, angle_of(bodies[b].attitude, planned->attitude));
    }
    free(bodies);
    return there;
}

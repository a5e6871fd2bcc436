// SPDX-License-Identifier: MIT
#include "model/saved/saved_switches.h"

#include <string.h>

#include "base/fail.h"
#include "base/hash.h"
#include "model/saved/saved_check.h"

static size_t joints_size(const carom_state *state) {
    return (size_t)state->whole->joints.count * sizeof(crm_joint_switch);
}

static size_t base_size(const carom_state *state) {
    return (size_t)state->whole->bodies.count * sizeof(crm_motion);
}

size_t crm_saved_switches_size(const carom_state *state) {
    return state->switches != NULL ? joints_size(state) + base_size(state) : 0;
}

unsigned char *crm_saved_switches_put(const carom_state *state, unsigned char *to) {
    if (state->switches == NULL) return to;
    memcpy(to, state->switches->joint, joints_size(state));
    memcpy(to + joints_size(state), state->switches->base, base_size(state));
    return to + crm_saved_switches_size(state);
}

uint64_t crm_saved_switches_hash(uint64_t hash, const carom_state *state) {
    if (state->switches == NULL) return hash;
    hash = crm_hash(hash, state->switches->joint, joints_size(state));
    return crm_hash(hash, state->switches->base, base_size(state));
}

static bool joint_fits(const carom_state *state, int index) {
    const crm_joint *joint = &state->whole->joints.items[index];
    const crm_joint_switch *at = &state->switches->next[index];
    if (at->status < 0 || at->status >= CRM_SWITCH_STATUS_COUNT) return false;
    if (at->status != CRM_SWITCH_CLOSED && !crm_joint_switches(joint)) return false;
    return crm_vec3_finite(at->at_a) && crm_vec3_finite(at->at_b);
}

// A joint that closes what this method cannot close is refused by the remake.
static carom_status check_next(const carom_state *state, carom_error *error) {
    const crm_switches *s = state->switches;
    for (int j = 0; j < state->whole->joints.count; j++)
        if (!joint_fits(state, j))
            return crm_refuse(error,
                              "saved state: its contents are damaged: joint %d cannot be open or closed that way", j);
    const crm_kept base = {"motions",       s->next_base,        state->whole->bodies.count, sizeof *s->next_base,
                           crm_motion_fits, .of_contacts = false};
    int bad = 0;
    if (crm_kept_fits(state, &base, s->next_base, &bad)) return CAROM_OK;
    return crm_refuse(error, "saved state: its contents are damaged: number %d of its motions cannot be", bad);
}

static carom_status go_over(carom_state *state, crm_former **former, carom_error *error) {
    const crm_switches *s = state->switches;
    bool same =
        memcmp(s->joint, s->next, joints_size(state)) == 0 && memcmp(s->base, s->next_base, base_size(state)) == 0;
    return same ? CAROM_OK : s->calls->remake(state, former, error);
}

carom_status crm_saved_switches_take(carom_state *state, const unsigned char *from, crm_former **former,
                                     carom_error *error) {
    *former = NULL;
    if (state->switches == NULL) return CAROM_OK;
    memcpy(state->switches->next, from, joints_size(state));
    memcpy(state->switches->next_base, from + joints_size(state), base_size(state));
    carom_status status = check_next(state, error);
    return status == CAROM_OK ? go_over(state, former, error) : status;
}

carom_status crm_saved_switches_follow(const carom_state *from, carom_state *to, crm_former **former,
                                       carom_error *error) {
    *former = NULL;
    if (to->switches == NULL || from == to) return CAROM_OK;
    memcpy(to->switches->next, from->switches->joint, joints_size(to));
    memcpy(to->switches->next_base, from->switches->base, base_size(to));
    return go_over(to, former, error);
}

void crm_saved_switches_end(carom_state *state, crm_former *former, bool good) {
    if (former == NULL) return;
    if (good)
        state->switches->calls->keep(state, former);
    else
        state->switches->calls->undo(state, former);
}

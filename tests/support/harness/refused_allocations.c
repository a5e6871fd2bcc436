// SPDX-License-Identifier: MIT
#include "support/harness/refused_allocations.h"

#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

enum { STEPS = 20, MOST_TRIES = 30, MOST_CALLS = 1000 };

// With the n-th call after the making of the model refused; whether there was one.
static bool run_refused(const carom_method_def *method, model_maker *make, bool variant, int n, uint64_t whole) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_model *model = make(&hook, variant);
    probe.refused_call = probe.calls + n;
    carom_state *state = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_state_create(model, method, &state, &error);
    if (status != CAROM_OK) CHECK(status == CAROM_ERR_NO_MEMORY && error.text[0] != '\0' && state == NULL);
    for (int made = 0, tries = 0; state != NULL && made < STEPS && tries < MOST_TRIES; tries++) {
        carom_step_report report;
        CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) CHECK(report.no_memory), CHECK_CONTAINS(report.text, "memory");
        if (report.outcome == CAROM_STEP_GOOD) made++;
    }
    bool refused = probe.calls >= probe.refused_call;
    if (state != NULL) CHECK(carom_state_hash(state) == whole);
    carom_state_destroy(state);
    carom_model_destroy(model);
    CHECK_INT(probe.live_blocks, 0);
    return refused;
}

void check_refused_allocations(const carom_method_def *method, model_maker *make, bool variant) {
    carom_state *state = touching_state(make(NULL, variant), method);
    world_run(state, STEPS);
    uint64_t whole = carom_state_hash(state);
    world_destroy(state);
    int n = 1;
    while (n < MOST_CALLS && run_refused(method, make, variant, n, whole)) n++;
    CHECK(n > 1 && n < MOST_CALLS);
}

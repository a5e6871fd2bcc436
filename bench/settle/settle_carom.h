// SPDX-License-Identifier: MIT
// Bodies that settle, as a carom model and state. A call that should not fail and does ends the program.
#ifndef BENCH_SUPPORT_SETTLE_CAROM_H
#define BENCH_SUPPORT_SETTLE_CAROM_H

#include "carom/tools.h"
#include "settle/settle.h"

typedef struct bench_settle_carom {
    carom_model *model;
    carom_state *state;
    carom_step_report report; // of the last step
    int broken_steps;         // that missed their contract
    double residual;          // largest of all steps
    int iterations;           // of all steps
    int made;                 // steps
    carom_step_phases phases; // summed over some of the steps
} bench_settle_carom;

// The frozen model alone; the caller destroys it. The bodies have the numbers of the scene.
carom_model *bench_settle_carom_model(const bench_settle_scene *scene);
bench_settle_carom bench_settle_carom_make(const bench_settle_scene *scene, const carom_lcp_def *settings);
void bench_settle_carom_free(bench_settle_carom *carom);

// As bench_settle_engine takes them.
bool bench_settle_carom_step(void *engine);
void bench_settle_carom_read(void *engine, int body, bench_settle_state *out);

#endif

// SPDX-License-Identifier: MIT
// The chain as a model of carom's, of any length.
#ifndef BENCH_SUPPORT_CHAIN_CAROM_H
#define BENCH_SUPPORT_CHAIN_CAROM_H

#include "carom/step.h"
#include "worlds/chain.h"

typedef struct bench_chain_carom {
    carom_model *model;
    carom_state *state;
    carom_step_report report; // of the last step
    int64_t broken_steps;     // whose contract did not hold
} bench_chain_carom;

// A straight chain that leaves the world's origin `angle` rad above straight down: pi/2 is level. False, with the
// sentence, when the method cannot run it; a failure of any other kind ends the program.
bool bench_chain_carom_make(int links, double angle, const carom_method_def *method, bench_chain_carom *out,
                            carom_error *error);
void bench_chain_carom_free(bench_chain_carom *chain);

// As bench_chain_engine wants it; `engine` is a bench_chain_carom.
bool bench_chain_carom_step(void *engine);
void bench_chain_carom_read(void *engine, int link, bench_link *out);

#endif

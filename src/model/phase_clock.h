// SPDX-License-Identifier: MIT
// Processor time that the phases of steps take. Off until somebody asks (carom_state_time_phases): then a phase costs
// two readings of a clock, else a comparison. No result depends on it.
#ifndef CRM_MODEL_PHASE_CLOCK_H
#define CRM_MODEL_PHASE_CLOCK_H

#include "base/clock.h"
#include "carom/tools.h"

typedef struct crm_phase_clock {
    bool on;
    carom_step_phases sum;
} crm_phase_clock;

// The start of a phase, s; 0 while the clock is off.
static inline double crm_phase_begin(const crm_phase_clock *clock) {
    return clock->on ? crm_clock_thread_seconds() : 0.0;
}

// The end of the phase that began at `start`: a member of clock->sum gets what it took.
static inline void crm_phase_end(const crm_phase_clock *clock, double start, double *seconds) {
    if (clock->on) *seconds += crm_clock_thread_seconds() - start;
}

#endif

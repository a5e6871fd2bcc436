// SPDX-License-Identifier: MIT
// Steps that vary: pieces of time, each gone through in equal steps, and where in time a state is.
//
// Nothing is summed up from step to step: time is that at which steps of the present length began, and their number
// times the length. So steps of one length give times that are the same to the bit, whether they are asked for as such
// or by a list.
#ifndef CRM_MODEL_STEP_PLAN_H
#define CRM_MODEL_STEP_PLAN_H

#include "base/arena.h"
#include "carom/step.h"

// Pieces that a method may have.
enum { CRM_MOST_PIECES = 1000000 };

// Saved as bytes: no padding.
typedef struct crm_step_clock {
    double since;        // s: where steps of this length began
    int64_t since_count; // steps made until then
    double step;         // s: the length of the last step, or of the first when none was made
} crm_step_clock;

typedef struct crm_step_plan {
    const carom_step_piece *piece; // with the length of their equal steps (count)
    int count;
    double step;    // after the last piece, s
    double longest; // of all, s
} crm_step_plan;

// Refuses pieces that are out of order or out of range.
carom_status crm_step_plan_check(const carom_method_def *def, carom_error *error);

// From the arena. False: no memory.
bool crm_step_plan_create(const carom_method_def *def, crm_arena *arena, crm_step_plan *out);

// The length of the step that begins at this time, s.
double crm_step_plan_next(const crm_step_plan *plan, double time);

// Of what is hashed and saved: 0 without pieces.
uint64_t crm_step_plan_hash(const crm_step_plan *plan);

static inline double crm_clock_time(const crm_step_clock *clock, int64_t step_count) {
    return clock->since + (double)(step_count - clock->since_count) * clock->step;
}

// Whether a saved state can say that of its time.
bool crm_clock_fits(const crm_step_plan *plan, const crm_step_clock *clock, int64_t step_count);

// A step of this length begins; `step_count` were made before.
void crm_clock_advance(crm_step_clock *clock, int64_t step_count, double step);

#endif

// SPDX-License-Identifier: MIT
// What is known of a run at a checkpoint: kept up step by step, written with the checkpoint, read without the rest.
#ifndef CRM_RECORD_RECORD_SUMMARY_H
#define CRM_RECORD_RECORD_SUMMARY_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "math/vec3.h"
#include "record/file/table_row.h"
#include "record/run/record_run.h"

typedef struct crm_summary {
    int64_t step;
    double time;
    uint64_t hash;
    bool finished;
    bool extra_frame; // the last frame is there only because the run ended: a run that goes on drops it
    int64_t frame_count;
    int64_t broken_steps, first_broken_step;
    double largest_momentum_balance, largest_residual, largest_joint_drift;
    double first_energy, last_energy, largest_energy_change;
    int64_t most_iterations;
    int64_t divided_steps, most_substeps;
    int64_t most_contacts, fallback_steps;
    double largest_infeasibility, infeasibility_sum; // the sum is of the means of the steps
    double largest_friction_work;
    double projection_energy_sum, largest_projection_energy;
    carom_vec3 projection_momentum_sum;
    double largest_projection_momentum;
    double impact_energy_sum, largest_impact_energy;
    uint64_t state_digest; // of the bytes of the saved state
    char first_broken_text[256];
    char end_text[256];
} crm_summary;

// A value that is no number is the worst of all.
static inline void crm_raise(double *largest, double value) {
    if (!(value <= *largest)) *largest = isnan(value) ? INFINITY : value;
}

void crm_summary_start(crm_summary *summary, const carom_state *state);
void crm_summary_note_broken(crm_summary *summary, const carom_step_report *report);

static inline void crm_summary_add(crm_summary *summary, const carom_step_report *report) {
    summary->step = report->step;
    summary->time = report->time;
    crm_raise(&summary->largest_momentum_balance, report->momentum_balance);
    crm_raise(&summary->largest_residual, report->residual);
    crm_raise(&summary->largest_joint_drift, report->joint_drift);
    summary->last_energy = report->energy.kinetic + report->energy.potential;
    crm_raise(&summary->largest_energy_change, fabs(summary->last_energy - summary->first_energy));
    if (report->iterations > summary->most_iterations) summary->most_iterations = report->iterations;
    if (report->substeps > 1) summary->divided_steps++;
    if (report->substeps > summary->most_substeps) summary->most_substeps = report->substeps;
    if (report->contacts > summary->most_contacts) summary->most_contacts = report->contacts;
    crm_raise(&summary->largest_infeasibility, report->infeasibility);
    summary->infeasibility_sum += report->mean_infeasibility;
    crm_raise(&summary->largest_friction_work, report->friction_work);
    if (report->fallbacks > 0) summary->fallback_steps++;
    summary->projection_energy_sum += report->projection_energy;
    crm_raise(&summary->largest_projection_energy, fabs(report->projection_energy));
    summary->projection_momentum_sum = crm_add(summary->projection_momentum_sum, report->projection_momentum);
    crm_raise(&summary->largest_projection_momentum, crm_length(report->projection_momentum));
    summary->impact_energy_sum += report->impact_energy;
    crm_raise(&summary->largest_impact_energy, report->impact_energy);
    if (report->outcome != CAROM_STEP_GOOD) crm_summary_note_broken(summary, report);
}

// All columns of a checkpoint before `digest` and `state`, in the order of the table, which is that of the digest.
void crm_summary_put(const crm_summary *summary, crm_row *row);
void crm_summary_get(crm_summary *summary, int format, crm_row *row);

// The summary of the last checkpoint.
carom_status crm_summary_read_last(sqlite3 *database, const char *path, const crm_run *run, crm_summary *out,
                                   carom_error *error);

// Could these counts be those of a checkpoint of this run?
bool crm_summary_plausible(const crm_summary *summary, const crm_run *run);

#endif

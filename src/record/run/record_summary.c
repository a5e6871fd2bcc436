// SPDX-License-Identifier: MIT
#include "record/run/record_summary.h"

#include <stdio.h>

#include "record/file/database.h"

void crm_summary_start(crm_summary *summary, const carom_state *state) {
    carom_energy energy = carom_state_energy(state);
    *summary = (crm_summary){
        .step = carom_state_step_count(state),
        .time = carom_state_time(state),
        .first_broken_step = -1,
        .first_energy = energy.kinetic + energy.potential,
        .last_energy = energy.kinetic + energy.potential,
    };
}

void crm_summary_note_broken(crm_summary *summary, const carom_step_report *report) {
    if (summary->broken_steps++ > 0) return;
    summary->first_broken_step = report->step;
    snprintf(summary->first_broken_text, sizeof summary->first_broken_text, "%.*s", (int)sizeof report->text - 1,
             report->text);
}

void crm_summary_put(const crm_summary *summary, crm_row *row) {
    crm_row_put_int(row, summary->step);
    crm_row_put_real(row, summary->time);
    crm_row_put_int(row, (int64_t)summary->hash);
    crm_row_put_int(row, summary->finished);
    crm_row_put_text(row, summary->end_text);
    crm_row_put_int(row, summary->frame_count);
    crm_row_put_int(row, summary->extra_frame);
    crm_row_put_int(row, summary->broken_steps);
    crm_row_put_int(row, summary->first_broken_step);
    crm_row_put_text(row, summary->first_broken_text);
    crm_row_put_real(row, summary->largest_momentum_balance);
    crm_row_put_real(row, summary->largest_residual);
    crm_row_put_real(row, summary->first_energy);
    crm_row_put_real(row, summary->last_energy);
    crm_row_put_real(row, summary->largest_energy_change);
    crm_row_put_int(row, summary->most_iterations);
    crm_row_put_real(row, summary->largest_joint_drift);
    crm_row_put_int(row, summary->divided_steps);
    crm_row_put_int(row, summary->most_substeps);
    crm_row_put_int(row, summary->most_contacts);
    crm_row_put_real(row, summary->largest_infeasibility);
    crm_row_put_real(row, summary->infeasibility_sum);
    crm_row_put_real(row, summary->largest_friction_work);
    crm_row_put_int(row, summary->fallback_steps);
    crm_row_put_real(row, summary->projection_energy_sum);
    crm_row_put_real(row, summary->largest_projection_energy);
    crm_row_put_real(row, summary->projection_momentum_sum.x);
    crm_row_put_real(row, summary->projection_momentum_sum.y);
    crm_row_put_real(row, summary->projection_momentum_sum.z);
    crm_row_put_real(row, summary->largest_projection_momentum);
    crm_row_put_real(row, summary->impact_energy_sum);
    crm_row_put_real(row, summary->largest_impact_energy);
    crm_row_put_int(row, (int64_t)summary->state_digest);
}

void crm_summary_get(crm_summary *summary, int format, crm_row *row) {
    summary->step = crm_row_get_int(row);
    summary->time = crm_row_get_real(row);
    summary->hash = (uint64_t)crm_row_get_int(row);
    summary->finished = crm_row_get_int(row) != 0;
    snprintf(summary->end_text, sizeof summary->end_text, "%s", crm_row_get_text(row));
    summary->frame_count = crm_row_get_int(row);
    summary->extra_frame = crm_row_get_int(row) != 0;
    summary->broken_steps = crm_row_get_int(row);
    summary->first_broken_step = crm_row_get_int(row);
    snprintf(summary->first_broken_text, sizeof summary->first_broken_text, "%s", crm_row_get_text(row));
    summary->largest_momentum_balance = crm_row_get_real(row);
    summary->largest_residual = crm_row_get_real(row);
    summary->first_energy = crm_row_get_real(row);
    summary->last_energy = crm_row_get_real(row);
    summary->largest_energy_change = crm_row_get_real(row);
    summary->most_iterations = crm_row_get_int(row);
    summary->largest_joint_drift = format >= 2 ? crm_row_get_real(row) : 0.0;
    summary->divided_steps = format >= 2 ? crm_row_get_int(row) : 0;
    summary->most_substeps = format >= 2 ? crm_row_get_int(row) : 1;
    summary->most_contacts = format >= 3 ? crm_row_get_int(row) : 0;
    summary->largest_infeasibility = format >= 3 ? crm_row_get_real(row) : 0.0;
    summary->infeasibility_sum = format >= 3 ? crm_row_get_real(row) : 0.0;
    summary->largest_friction_work = format >= 3 ? crm_row_get_real(row) : 0.0;
    summary->fallback_steps = format >= 3 ? crm_row_get_int(row) : 0;
    summary->projection_energy_sum = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->largest_projection_energy = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->projection_momentum_sum.x = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->projection_momentum_sum.y = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->projection_momentum_sum.z = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->largest_projection_momentum = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->impact_energy_sum = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->largest_impact_energy = format >= 4 ? crm_row_get_real(row) : 0.0;
    summary->state_digest = (uint64_t)crm_row_get_int(row);
}

bool crm_summary_plausible(const crm_summary *summary, const crm_run *run) {
    return summary->step >= run->first_step && summary->frame_count >= 1 &&
           summary->frame_count - 1 <= summary->step - run->first_step;
}

carom_status crm_summary_read_last(sqlite3 *database, const char *path, const crm_run *run, crm_summary *out,
                                   carom_error *error) {
    sqlite3_stmt *statement;
    carom_status status =
        crm_database_prepare(database, path, "SELECT * FROM checkpoints ORDER BY step DESC LIMIT 1", &statement, error);
    if (status != CAROM_OK) return status;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        crm_row row = crm_row_read(statement);
        crm_summary_get(out, run->format, &row);
        if (!crm_row_sound(&row) || !crm_summary_plausible(out, run))
            status = crm_database_damaged(path, "its last checkpoint is not what was written", error);
    } else if (code == SQLITE_DONE) {
        status = crm_database_damaged(path, "it has no checkpoint", error);
    } else {
        status = crm_database_fail(database, code, path, error);
    }
    sqlite3_finalize(statement);
    return status;
}

// SPDX-License-Identifier: MIT
#include "control/guess/guess_forces.h"

#include "base/fail.h"

static void note(const crm_program *program, int32_t first, int count, uint8_t kind, uint8_t *force) {
    for (int i = 0; i < count; i++)
        if (program->lower[first + i] != program->upper[first + i]) force[first + i] = kind;
}

carom_status crm_force_rows_find(const crm_draft *draft, const crm_program *program, crm_arena *arena,
                                 crm_force_rows *out, carom_error *error) {
    int nodes = draft->intervals + 1, joints = draft->model->joints.count;
    *out = (crm_force_rows){.nodes = nodes};
    out->start = CRM_ARENA_ARRAY(arena, int, nodes + 1);
    out->row = CRM_ARENA_ARRAY(arena, int, 6 * (ptrdiff_t)nodes * draft->moving_count);
    out->force = CRM_ARENA_ZEROED(arena, uint8_t, program->unknown_count);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "the guess of a plan", (size_t)program->unknown_count);
    int count = 0;
    for (int node = 0; node < nodes; node++) {
        out->start[node] = count;
        for (int i = 0; i < 6 * draft->moving_count; i++) {
            int32_t row = draft->balance[6 * node * draft->moving_count + i];
            if (row >= 0) out->row[count++] = row;
        }
        for (int j = 0; j < joints; j++)
            note(program, draft->impulse[node * joints + j], draft->impulse_size[j], CRM_FORCE_IMPULSE, out->force);
        if (node < draft->intervals)
            note(program, draft->control[node], draft->control_numbers, CRM_FORCE_CONTROL, out->force);
    }
    out->start[nodes] = count;
    return CAROM_OK;
}

// SPDX-License-Identifier: MIT
#include "control/program/relax.h"

#include <math.h>

#include "base/fail.h"
#include "control/program/builder.h"

static void copy_program(const crm_program *p, const bool *soft_unknown, double share, crm_program_builder *b) {
    for (int i = 0; i < p->unknown_count; i++) {
        bool soft = soft_unknown[i] && p->lower[i] != p->upper[i];
        (void)crm_program_add_unknown(b, soft ? -INFINITY : p->lower[i], soft ? INFINITY : p->upper[i],
                                      p->unknown_place[i]);
    }
    for (int r = 0; r < p->row_count; r++)
        (void)crm_program_add_row(b, p->row_lower[r], p->row_upper[r], p->row_place[r]);
    for (int64_t t = 0; t < p->term_count; t++) {
        const crm_program_term *term = &p->term[t];
        double coefficient = term->row < 0 ? share * term->coefficient : term->coefficient;
        int factors = 0;
        while (factors < CRM_PROGRAM_FACTORS && term->factor[factors] >= 0) factors++;
        if (factors == 0) {
            crm_program_add_constant(b, term->row, coefficient);
        } else {
            crm_program_add_term(b, term->row, coefficient, factors, term->factor);
        }
    }
    for (int k = 0; k < p->block_count; k++) crm_program_add_block(b, &p->block[k]);
}

// value + below - above: two slacks, each as dear as the other.
static int32_t add_slacks(crm_program_builder *b, int32_t row, crm_place place) {
    int32_t below = crm_program_add_unknown(b, 0.0, INFINITY, place);
    int32_t above = crm_program_add_unknown(b, 0.0, INFINITY, place);
    CRM_ADD_TERM(b, row, 1.0, below);
    CRM_ADD_TERM(b, row, -1.0, above);
    CRM_ADD_TERM(b, CRM_OBJECTIVE, 1.0, below);
    CRM_ADD_TERM(b, CRM_OBJECTIVE, 1.0, above);
    return below;
}

carom_status crm_program_relax(const crm_program *p, const bool *soft_row, const bool *soft_unknown, double share,
                               crm_arena *arena, crm_relaxed *out, carom_error *error) {
    crm_program_builder b;
    out->row_slack = CRM_ARENA_ARRAY(arena, int32_t, p->row_count);
    out->unknown_slack = CRM_ARENA_ARRAY(arena, int32_t, p->unknown_count);
    if (crm_arena_refused(arena))
        return crm_fail_memory(error, "an elastic program", sizeof(int32_t) * (size_t)p->row_count);
    crm_program_begin(&b, &arena->allocator);
    copy_program(p, soft_unknown, share, &b);
    for (int r = 0; r < p->row_count; r++) out->row_slack[r] = soft_row[r] ? add_slacks(&b, r, p->row_place[r]) : -1;
    for (int i = 0; i < p->unknown_count; i++) {
        bool bounded = isfinite(p->lower[i]) || isfinite(p->upper[i]);
        out->unknown_slack[i] = -1;
        if (!soft_unknown[i] || !bounded || p->lower[i] == p->upper[i]) continue;
        int32_t row = crm_program_add_row(&b, p->lower[i], p->upper[i], p->unknown_place[i]);
        CRM_ADD_TERM(&b, row, 1.0, i);
        out->unknown_slack[i] = add_slacks(&b, row, p->unknown_place[i]);
    }
    carom_status status = crm_program_finish(&b, arena, &out->program, error);
    crm_program_discard(&b);
    return status;
}

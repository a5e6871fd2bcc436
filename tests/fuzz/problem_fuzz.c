// SPDX-License-Identifier: MIT
// Any bytes as a problem file (`carom solve`); what is small is solved by every solver and written back.
#include <stdlib.h>

#include "carom/carom.h"
#include "fuzz/limits.h"
#include "fuzz/reading.h"

static void solve_dense(const carom_dense_lcp *lcp, double *z) {
    static const carom_solver solvers[] = {CAROM_SOLVER_AUTO, CAROM_SOLVER_LEMKE, CAROM_SOLVER_MIN_MAP};
    for (int i = 0; i < 3; i++) {
        carom_dense_lcp_report report;
        carom_error error = {.text = ""};
        carom_status status = carom_dense_lcp_solve(lcp, solvers[i], 1e-8, NULL, z, NULL, &report, &error);
        FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    }
}

static void solve_contacts(const carom_problem *problem, double *impulse) {
    carom_solver_state *state = NULL;
    if (carom_solver_state_create(NULL, &state, NULL) != CAROM_OK) return;
    for (int s = 0; s < CAROM_SOLVER_COUNT; s++) {
        carom_solve_options options = carom_solve_options_default();
        options.solver = (carom_solver)s;
        carom_solve_report report;
        carom_error error = {.text = ""};
        carom_status status = carom_solve(state, problem, &options, impulse, NULL, &report, &error);
        FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    }
    carom_solver_state_destroy(state);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_reading r;
    fuzz_reading_begin(&r, data, size);
    r.has_messages = false;
    carom_stored_problem *stored = NULL;
    carom_status status = carom_problem_read(fuzz_file(data, size), &r.allocator, &stored, &r.error);
    fuzz_reading_check(&r, status, stored != NULL);
    if (stored != NULL) {
        int rows = stored->lcp != NULL ? stored->lcp->size : carom_problem_row_count(&stored->problem);
        double *impulse = rows <= FUZZ_ROWS ? calloc((size_t)rows + 1, sizeof *impulse) : NULL;
        if (impulse != NULL && stored->lcp != NULL) solve_dense(stored->lcp, impulse);
        if (impulse != NULL && stored->lcp == NULL) solve_contacts(&stored->problem, impulse);
        free(impulse);
    }
    carom_stored_problem_destroy(stored);
    fuzz_reading_end(&r);
    return 0;
}

// SPDX-License-Identifier: MIT
// What solvers made of a problem, as one object.
#include "base/json.h"
#include "solve/solve_report.h"

static void put_contact(jsonl_writer *json, const carom_solve_report *r) {
    jsonl_number(json, "residual", r->residual.residual);
    jsonl_number(json, "velocity", r->residual.velocity);
    jsonl_number(json, "energy", r->residual.energy);
    jsonl_number(json, "floor", r->residual.floor);
    jsonl_int(json, "worst_group", r->residual.worst_group);
    jsonl_int(json, "iterations", r->iterations);
    jsonl_int(json, "factorizations", r->factorizations);
    jsonl_text(json, "finished_by", carom_solver_name(r->solver));
    jsonl_text(json, "tried", r->tried);
}

static void put_dense(jsonl_writer *json, const carom_dense_lcp_report *r) {
    jsonl_number(json, "residual", r->relative);
    jsonl_number(json, "as_given", r->residual);
    jsonl_int(json, "pivots", r->pivots);
    jsonl_int(json, "steps", r->steps);
    jsonl_int(json, "cases", r->cases);
    jsonl_text(json, "finished_by", carom_solver_name(r->solver));
}

static void put_run(jsonl_writer *json, const solve_result *result, carom_solver solver, const solver_run *run) {
    jsonl_open(json, NULL);
    jsonl_text(json, "solver", carom_solver_name(solver));
    jsonl_text(json, "outcome", outcome_words(result, run));
    if (run->verdict >= RUN_UNSUPPORTED) {
        jsonl_text(json, "error", run->error.text);
    } else {
        if (is_dense(result))
            put_dense(json, &run->dense);
        else
            put_contact(json, &run->contact);
        jsonl_number(json, "seconds", run->seconds);
    }
    jsonl_close(json);
}

void print_result_object(const solve_plan *plan, const solve_result *result) {
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_text(&json, "file", result->file);
    if (result->stored == NULL) {
        jsonl_text(&json, "outcome", result->error.status == CAROM_ERR_UNSUPPORTED ? "not supported" : "not usable");
        jsonl_text(&json, "error", result->error.text);
        jsonl_end(&json);
        return;
    }
    jsonl_text(&json, "name", result->stored->name);
    jsonl_text(&json, "kind", is_dense(result) ? "lcp" : "contact");
    jsonl_int(&json, "rows", result->rows);
    if (!is_dense(result)) {
        jsonl_int(&json, "groups", result->stored->problem.group_count);
        if (result->best_run >= 0)
            jsonl_int(&json, "islands", result->runs[result->best_run].contact.islands);
        else
            jsonl_null(&json, "islands");
    }
    jsonl_number(&json, "tolerance", plan->options.tolerance);
    jsonl_open_list(&json, "runs");
    for (int i = 0; i < plan->solver_count; i++) put_run(&json, result, plan->solvers[i], &result->runs[i]);
    jsonl_close_list(&json);
    jsonl_end(&json);
}

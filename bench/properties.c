// SPDX-License-Identifier: MIT
// The properties of distances that `make test` checks, over many more pairs: the worst error of each, beside what is
// allowed. Proofs and invariance are checked on all pairs; the gradients, 50 queries each, and the reference programs,
// which are a thousand times slower than the kernel, on a share of them.
#include <stdio.h>

#include "properties/properties.h"
#include "support/report.h"

static const long long pairs = 10000000;
static const property_run runs[] = {
    {check_proofs, 1}, {check_invariance, 10}, {check_gradients, 100}, {check_references, 500}};

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    bench_print_heading(json, "properties: worst over random pairs of bodies; error: the share that was skipped");
    property_tally tally = property_tally_empty();
    properties_run(1, pairs, sizeof runs / sizeof runs[0], runs, &tally);
    bool held = true;
    for (int i = 0; i < PROPERTY_COUNT; i++) {
        const property *p = &tally.of[i];
        bench_row row = bench_row_of("properties", p->name, p->unit);
        row.carom = p->worst;
        row.target_kind = BENCH_VALUE_AT_MOST;
        row.target = p->target;
        row.error = (double)p->skipped / (double)(p->checked + p->skipped);
        bench_print_row(json, &row);
        if (!json) printf("    %lld checks, worst at pair %llu\n", p->checked, (unsigned long long)p->worst_pair);
        held = held && property_holds(p);
    }
    return held ? 0 : 1;
}

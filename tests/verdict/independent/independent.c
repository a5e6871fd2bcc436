// SPDX-License-Identifier: MIT
#include "verdict/independent/independent.h"

#include <math.h>
#include <stddef.h>

#include "math/vec3.h"

// Verdicts have bounds of the same size. Definitions differ in detail, so that a tenth is no matter.
static const double margin = 1.1;

void find(finding *f, const char *what, double value, double bound) {
    if (value <= margin * bound) return;
    bool worse = f->what == NULL || (!isnan(f->value) && !(value / bound <= f->value / f->bound));
    if (worse) *f = (finding){what, value, bound};
}

void find_not_finite(const followed_run *run, finding *f) {
    for (int64_t i = 0; i < run->frames * run->bodies; i++) {
        const carom_body_state *b = &run->body[i];
        double sum = crm_length(b->position) + crm_length(b->velocity) + crm_length(b->spin);
        if (!isfinite(sum)) find(f, "a number that is none", NAN, 0.0);
    }
}

finding find_wrong(const followed_run *run) {
    finding f = {0};
    if (run->refused) return f;
    find_not_finite(run, &f);
    if (f.what != NULL) return f;
    physics p = physics_of(run);
    find_energy(run, &p, &f);
    find_open_joints(run, &p, &f);
    find_overlaps(run, &p, &f);
    find_passes(run, &p, &f);
    find_friction(run, &p, &f);
    find_rebounds(run, &p, &f);
    find_unexplained(run, &p, &f);
    find_smooth_spin(run, &p, &f);
    physics_free(&p);
    return f;
}

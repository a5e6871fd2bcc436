// SPDX-License-Identifier: MIT
// Two runs of a scene at different steps, compared at their ends.
#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "verdict/independent/independent.h"

static const double share = 0.02; // of way, size and energy

static double way_of(const followed_run *run, const physics *p, int body) {
    double way = 0.0;
    for (int64_t i = 1; i < run->frames; i++)
        way += crm_distance(centre_of(p, frame_of(run, i), body), centre_of(p, frame_of(run, i - 1), body));
    return way;
}

double difference_at_end(const followed_run *run, const followed_run *finer) {
    if (finer->refused || finer->ended_early || run->ended_early) return INFINITY;
    physics p = physics_of(run), q = physics_of(finer);
    const carom_body_state *end = frame_of(run, run->frames - 1), *other = frame_of(finer, finer->frames - 1);
    double *longest = calloc((size_t)q.island_count + 1, sizeof *longest), worst = 0.0;
    for (int i = 0; i < run->bodies; i++)
        if (can_move(&q, i)) longest[q.island[i]] = fmax(longest[q.island[i]], way_of(finer, &q, i));
    for (int i = 0; i < run->bodies; i++) {
        if (!can_move(&q, i)) continue;
        double apart = crm_distance(centre_of(&p, end, i), centre_of(&q, other, i));
        if (apart > 0.0) worst = fmax(worst, apart / (share * (longest[q.island[i]] + p.size[i])));
        if (isnan(apart)) worst = INFINITY;
    }
    // Contacts may have tied other islands together; the energy of all is compared then.
    double *scale, *last, *other_scale, *other_last, s = 0.0, change = 0.0;
    energy_scales(run, &p, &scale, &last);
    energy_scales(finer, &q, &other_scale, &other_last);
    for (int k = 0; k < p.island_count; k++) s += scale[k], change += last[k];
    for (int k = 0; k < q.island_count; k++) change -= other_last[k];
    if (s > 0.0) worst = fmax(worst, fabs(change) / (share * s));
    free(scale), free(last), free(other_scale), free(other_last);
    free(longest), physics_free(&p), physics_free(&q);
    return worst;
}

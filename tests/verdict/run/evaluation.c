// SPDX-License-Identifier: MIT
#include "verdict/run/evaluation.h"

#include <stdio.h>

#include "math/vec3.h"

// Overlaps of so many bodies are looked for among all pairs: too long for what they tell.
enum { most_bodies = 150 };

// Whether something that begins at rest, and should stay there, has left.
static bool has_left(const verdict_case *c, const followed_run *run) {
    for (int64_t i = 0; c->stays > 0.0 && i < run->frames; i++)
        for (int k = 0; k < run->bodies; k++) {
            const carom_body_state *first = &frame_of(run, 0)[k], *now = &frame_of(run, i)[k];
            bool at_rest = crm_length(first->velocity) == 0.0;
            if (at_rest && !(crm_distance(first->position, now->position) <= c->stays)) return true;
        }
    return false;
}

static evaluation evaluate(const verdict_case *c, followed_run *run) {
    *run = follow(c, 1.0, true);
    evaluation e = {.colour = run->verdict.colour, .refused = run->refused, .seconds = run->seconds};
    snprintf(e.sentence, sizeof e.sentence, "%s", run->verdict.sentence);
    if (!run->refused && run->bodies <= most_bodies) e.found = find_wrong(run);
    if (!run->refused && c->allowed > 0.0)
        e.end_error = crm_distance(frame_of(run, run->frames - 1)[0].position, c->end) / c->allowed;
    e.wrong = e.found.what != NULL || (!run->refused && has_left(c, run));
    return e;
}

evaluation evaluate_wrong(const verdict_case *c) {
    followed_run run;
    evaluation e = evaluate(c, &run);
    if (e.colour != CAROM_COLOUR_GREEN) {
        e.outcome = OUTCOME_SEEN;
    } else if (e.found.what != NULL) {
        e.outcome = OUTCOME_MISSED;
    } else {
        followed_run finer = follow(c, 0.5, false);
        e.difference = difference_at_end(&run, &finer);
        e.outcome = e.difference > 1.0 ? OUTCOME_TRUNCATION : e.wrong ? OUTCOME_MISSED : OUTCOME_AGREED;
        followed_run_free(&finer);
    }
    followed_run_free(&run);
    return e;
}

evaluation evaluate_right(const verdict_case *c) {
    followed_run run;
    evaluation e = evaluate(c, &run);
    e.outcome = e.colour == CAROM_COLOUR_GREEN ? OUTCOME_AGREED : OUTCOME_SEEN;
    followed_run_free(&run);
    return e;
}

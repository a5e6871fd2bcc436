// SPDX-License-Identifier: MIT
#include "verdict/run/evaluation.h"

#include <stdio.h>

#include "math/vec3.h"

// Overlaps of so many bodies are looked for among all pairs: too long for what they tell.
enum { most_bodies = 150 };

static evaluation evaluate(const verdict_case *c, followed_run *run) {
    *run = follow(c, 1.0, true);
    evaluation e = {.colour = run->verdict.colour, .refused = run->refused, .seconds = run->seconds};
    snprintf(e.sentence, sizeof e.sentence, "%s", run->verdict.sentence);
    if (!run->refused && run->bodies <= most_bodies) e.found = find_wrong(run);
    if (!run->refused && c->allowed > 0.0)
        e.end_error = crm_distance(frame_of(run, run->frames - 1)[0].position, c->end) / c->allowed;
    e.wrong = c->known_wrong || e.found.what != NULL;
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
        e.outcome = e.difference > 1.0 ? OUTCOME_TRUNCATION : c->known_wrong ? OUTCOME_MISSED : OUTCOME_AGREED;
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

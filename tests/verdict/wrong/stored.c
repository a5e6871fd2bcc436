// SPDX-License-Identifier: MIT
// Stored scenes that were seen to be wrong under the method that they name: tests/data/verdict/wrong, each with its
// exact answer in its description where it is not plain. Under other methods they are doubtful.
#include <stdio.h>

#include "support/harness/check.h"
#include "support/scene/scene_file.h"
#include "verdict/run/verdict_case.h"

typedef struct stored_scene {
    const char *kind, *name, *method, *others;
    double until; // s; 0: as the scene has it
} stored_scene;

static const stored_scene stored[] = {
    {"chain", "chain-100-m-lcp", "lcp", "* -impulse -multiplier", 0},
    {"chain", "chain-5-links-lcp", "lcp", "* -impulse -multiplier", 0},
    {"chain", "chain-mm-lcp", "lcp", "* -impulse -multiplier -reduced", 0},
    {"chain", "lcp-chain-heavy-end", "lcp", "* -impulse -multiplier", 0},
    {"charge", "lcp-charges-1e-12", "lcp", "*", 0},
    {"charge", "lcp-eccentric-orbit", "lcp", "*", 0},
    {"charge", "orbit-near-lcp", "lcp", "*", 0},
    {"charge", "orbit-near-newmark", "newmark", "*", 0},
    {"creep", "dcr-creep", "dcr", "*", 0},
    {"creep", "slope-0.31-penalty", "penalty", "*", 5},
    {"creep", "slope-10ms-dcr", "dcr", "*", 0},
    {"damper", "dashpot-600-lcp", "lcp", "*", 0},
    {"damper", "dashpot-grams-lcp", "lcp", "*", 0},
    {"damper", "lcp-angular-drag", "lcp", "*", 0},
    {"damper", "lcp-dashpot", "lcp", "*", 0},
    {"damper", "lcp-drag-1e6", "lcp", "*", 0},
    {"elastic", "dcr-elastic-ball", "dcr", "*", 40},
    {"elastic", "elastic-ball-impulse", "impulse", "*", 0},
    {"elastic", "elastic-ball-lcp", "lcp", "*", 0},
    {"elastic", "lcp-elastic-gas", "lcp", "* -impulse", 3},
    {"fluid", "lcp-stokes-spring", "lcp", "*", 0},
    {"friction", "dcr-cone", "dcr", "*", 0},
    {"friction", "lcp-relaxed-floats", "lcp", "*", 0},
    {"friction", "pyramid-4-lcp", "lcp", "*", 0},
    {"friction", "pyramid-8-lcp", "lcp", "*", 0},
    {"ghost", "ghost-boxes-euler", "euler multiplier", "", 0},
    {"ghost", "ghost-boxes-reduced", "reduced", "", 0},
    {"ghost", "variational-pass-through", "variational", "", 0},
    {"gyro", "lcp-flat-inertia", "lcp", "* -impulse", 0},
    {"gyro", "lcp-tumbling", "lcp", "*", 0},
    {"gyro", "tumble-60-euler", "euler", "*", 0},
    {"gyro", "tumble-600-lcp", "lcp", "*", 0},
    {"hinge", "hinge-50-lcp", "lcp", "*", 0},
    {"hinge", "hinge-mm-1000-lcp", "lcp", "*", 0},
    {"hinge", "lcp-hinge-100rad", "lcp", "*", 0},
    {"hinge", "lcp-hinge-400rad", "lcp", "*", 0},
    {"impact", "impact-newton-30-lcp", "lcp", "*", 0},
    {"impact", "impact-newton-45-impulse", "impulse", "*", 0},
    {"impact", "impact-poisson-45-lcp", "lcp", "*", 0},
    {"impact", "lcp-poisson-rod", "lcp", "*", 0},
    {"limit", "lcp-limit-outside", "lcp", "*", 0},
    {"limit", "start-motorlim", "lcp", "* -impulse", 0},
    {"motor", "lcp-crank-motor", "lcp", "*", 0},
    {"motor", "lcp-position-motor", "lcp", "*", 0},
    {"motor", "servo-2e5-lcp", "lcp", "*", 0},
    {"motor", "servo-damping-lcp", "lcp", "*", 0},
    {"rebound", "penalty-rod", "penalty", "*", 0},
    {"rebound", "tip-45-penalty", "penalty", "*", 0},
    {"rebound", "tip-70-penalty", "penalty", "*", 0},
    {"scale", "tower-1e4-lcp", "lcp", "* -impulse", 0},
    {"scale", "tower-300-lcp", "lcp", "* -impulse", 0},
    {"scale", "tower-ball-0", "lcp", "* -impulse", 0},
    {"scale", "tower-ball-1000", "lcp", "* -impulse", 0},
    {"soft", "soft-potential", "potential", "*", 0},
    {"spin", "dcr-frictionless-spin", "dcr", "*", 0},
    {"spin", "smooth-0.1-dcr", "dcr", "*", 0},
    {"spin", "smooth-fast-dcr", "dcr", "*", 0},
    {"spring", "lcp-spring-2e5", "lcp", "*", 0},
    {"spring", "spring-2e5-euler", "euler", "*", 0},
    {"spring", "spring-3e5-lcp", "lcp", "*", 0},
    {"stabilisation", "multiplier-baumgarte-0", "multiplier", "*", 0},
    {"start", "inside-balls-lcp", "lcp", "*", 0},
    {"start", "inside-boxes-mm-lcp", "lcp", "*", 0},
    {"start", "lcp-deep", "lcp", "*", 0},
    {"start", "lcp-needle", "lcp", "*", 0},
    {"start", "lcp-overlap-100", "lcp", "* -potential -penalty -impulse", 0},
    {"start", "lcp-same-spot-10", "lcp", "*", 0},
    {"start", "start-dead", "lcp", "* -impulse", 0},
    {"start", "start-huge", "lcp", "*", 0},
    {"start", "start-impossible", "lcp", "*", 0},
    {"start", "start-overlap", "lcp", "*", 0},
    {"start", "start-same", "lcp", "*", 0},
    {"step", "drop-0.2s-dcr", "dcr", "*", 0},
    {"step", "lcp-pendulum-step-0.2", "lcp", "*", 0},
    {"step", "multiplier-rk4-step-0.4", "multiplier", "*", 0},
    {"step", "pendulum-0.1-impulse", "impulse", "*", 0},
    {"step", "pendulum-0.1-lcp", "lcp", "*", 0},
    {"tolerance", "multiplier-tolerance-0.9", "multiplier", "*", 0},
    {"tunnel", "bullet-100-penalty", "penalty", "*", 0},
    {"tunnel", "bullet-400-impulse", "impulse", "*", 0},
    {"tunnel", "impulse-bullet-plate", "impulse", "*", 0},
    {"tunnel", "impulse-step-1s", "impulse", "*", 0},
    {"tunnel", "penalty-bullet-plate", "penalty", "*", 0},
};

void add_wrong_files(case_list *list) {
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/tests/data/verdict/wrong/%s.json", stored[i].name);
        char *text = read_test_file(path, NULL);
        assert_non_null(text);
        int first = list->count;
        add_wrong(list, stored[i].name, stored[i].kind, stored[i].method, stored[i].others, text);
        for (int k = first; k < list->count; k++) list->of[k].until = stored[i].until;
    }
}

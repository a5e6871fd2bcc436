// SPDX-License-Identifier: MIT
// Stored scenes that were seen to be wrong under the method that they name: tests/data/verdict/wrong, each with its
// exact answer in its description where it is not plain. Under other methods they are doubtful.
#include <stdio.h>

#include "support/harness/check.h"
#include "support/scene/scene_file.h"
#include "verdict/run/verdict_case.h"

typedef struct stored_scene {
    const char *kind, *name, *methods;
    double until; // s; 0: as the scene has it
    double stays; // as of verdict_case
} stored_scene;

static const stored_scene stored[] = {
    {"chain", "chain-100-m-lcp", "* -impulse -multiplier", 0, 0},
    {"chain", "chain-5-links-lcp", "* -impulse -multiplier", 0, 0},
    {"chain", "chain-mm-lcp", "* -impulse -multiplier -reduced", 0, 0},
    {"chain", "lcp-chain-heavy-end", "* -impulse -multiplier", 0, 0},
    {"charge", "lcp-charges-1e-12", "*", 0, 0},
    {"charge", "lcp-eccentric-orbit", "*", 0, 0},
    {"charge", "orbit-near-lcp", "*", 0, 0},
    {"charge", "orbit-near-newmark", "*", 0, 0},
    {"creep", "dcr-creep", "lcp impulse dcr penalty", 0, 0.01},
    {"creep", "slope-0.31-penalty", "lcp impulse dcr penalty", 5, 0.005},
    {"creep", "slope-10ms-dcr", "lcp impulse dcr penalty", 0, 0.01},
    {"damper", "dashpot-600-lcp", "*", 0, 0},
    {"damper", "dashpot-grams-lcp", "*", 0, 0},
    {"damper", "lcp-angular-drag", "*", 0, 0},
    {"damper", "lcp-dashpot", "*", 0, 0},
    {"damper", "lcp-drag-1e6", "*", 0, 0},
    {"elastic", "dcr-elastic-ball", "*", 40, 0},
    {"elastic", "elastic-ball-impulse", "*", 0, 0},
    {"elastic", "elastic-ball-lcp", "*", 0, 0},
    {"elastic", "lcp-elastic-gas", "* -impulse", 3, 0},
    {"fluid", "lcp-stokes-spring", "*", 0, 0},
    {"friction", "dcr-cone", "*", 0, 0},
    {"friction", "lcp-relaxed-floats", "*", 0, 0},
    {"friction", "pyramid-4-lcp", "*", 0, 0},
    {"friction", "pyramid-8-lcp", "*", 0, 0},
    {"ghost", "ghost-boxes-euler", "euler multiplier", 0, 0},
    {"ghost", "ghost-boxes-reduced", "reduced", 0, 0},
    {"ghost", "variational-pass-through", "variational", 0, 0},
    {"gyro", "lcp-flat-inertia", "* -impulse", 0, 0},
    {"gyro", "lcp-tumbling", "*", 0, 0},
    {"gyro", "tumble-60-euler", "*", 0, 0},
    {"gyro", "tumble-600-lcp", "*", 0, 0},
    {"hinge", "hinge-50-lcp", "*", 0, 0},
    {"hinge", "hinge-mm-1000-lcp", "*", 0, 0},
    {"hinge", "lcp-hinge-100rad", "*", 0, 0},
    {"hinge", "lcp-hinge-400rad", "*", 0, 0},
    {"impact", "impact-newton-30-lcp", "*", 0, 0},
    {"impact", "impact-newton-45-impulse", "*", 0, 0},
    {"impact", "impact-poisson-45-lcp", "*", 0, 0},
    {"impact", "lcp-poisson-rod", "*", 0, 0},
    {"limit", "lcp-limit-outside", "*", 0, 0},
    {"limit", "start-motorlim", "* -impulse", 0, 0},
    {"motor", "lcp-crank-motor", "*", 0, 0},
    {"motor", "lcp-position-motor", "*", 0, 0},
    {"motor", "servo-2e5-lcp", "*", 0, 0},
    {"motor", "servo-damping-lcp", "*", 0, 0},
    {"rebound", "penalty-rod", "*", 0, 0},
    {"rebound", "tip-45-penalty", "*", 0, 0},
    {"rebound", "tip-70-penalty", "*", 0, 0},
    {"scale", "tower-1e4-lcp", "lcp dcr penalty", 0, 0.02},
    {"scale", "tower-300-lcp", "lcp dcr penalty", 0, 0.02},
    {"scale", "tower-ball-0", "lcp dcr penalty", 0, 0.02},
    {"scale", "tower-ball-1000", "lcp dcr penalty", 0, 0.02},
    {"soft", "soft-potential", "*", 0, 0},
    {"spin", "dcr-frictionless-spin", "*", 0, 0},
    {"spin", "smooth-0.1-dcr", "*", 0, 0},
    {"spin", "smooth-fast-dcr", "*", 0, 0},
    {"spring", "lcp-spring-2e5", "*", 0, 0},
    {"spring", "spring-2e5-euler", "*", 0, 0},
    {"spring", "spring-3e5-lcp", "*", 0, 0},
    {"stabilisation", "multiplier-baumgarte-0", "*", 0, 0},
    {"stabilisation", "multiplier-baumgarte-euler", "multiplier", 0, 0},
    {"start", "inside-balls-lcp", "*", 0, 0},
    {"start", "inside-boxes-mm-lcp", "*", 0, 0},
    {"start", "lcp-deep", "*", 0, 0},
    {"start", "lcp-needle", "*", 0, 0},
    {"start", "lcp-overlap-100", "* -potential -penalty -impulse", 0, 0},
    {"start", "lcp-same-spot-10", "*", 0, 0},
    {"start", "start-dead", "* -impulse", 0, 0},
    {"start", "start-huge", "*", 0, 0},
    {"start", "start-impossible", "*", 0, 0},
    {"start", "start-overlap", "*", 0, 0},
    {"start", "start-same", "*", 0, 0},
    {"step", "drop-0.2s-dcr", "*", 0, 0},
    {"step", "lcp-pendulum-step-0.2", "*", 0, 0},
    {"step", "multiplier-rk4-step-0.4", "*", 0, 0},
    {"step", "pendulum-0.1-impulse", "*", 0, 0},
    {"step", "pendulum-0.1-lcp", "*", 0, 0},
    {"tolerance", "multiplier-tolerance-0.9", "*", 0, 0},
    {"tunnel", "bullet-100-penalty", "*", 0, 0},
    {"tunnel", "bullet-400-impulse", "*", 0, 0},
    {"tunnel", "impulse-bullet-plate", "*", 0, 0},
    {"tunnel", "impulse-step-1s", "*", 0, 0},
    {"tunnel", "penalty-bullet-plate", "*", 0, 0},
};

void add_wrong_files(case_list *list) {
    for (size_t i = 0; i < sizeof stored / sizeof stored[0]; i++) {
        char path[512];
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/tests/data/verdict/wrong/%s.json", stored[i].name);
        char *text = read_test_file(path, NULL);
        assert_non_null(text);
        int first = list->count;
        add_wrong(list, stored[i].name, stored[i].kind, stored[i].methods, text);
        for (int k = first; k < list->count; k++) {
            list->of[k].until = stored[i].until;
            list->of[k].stays = stored[i].stays;
        }
    }
}

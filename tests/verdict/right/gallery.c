// SPDX-License-Identifier: MIT
// The gallery under the methods that its scenes name, and everyday heaps: right as they stand, long runs cut short.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/scene/scene_file.h"
#include "verdict/run/verdict_case.h"

static const struct {
    const char *name, *method;
    double until; // s; 0: as the scene has it
} gallery[] = {
    {"air-table", "lcp", 0},
    {"arch", "lcp", 10},
    {"balance", "lcp", 0},
    {"brazil-nut", "lcp", 0.2},
    {"card-house", "lcp", 10},
    {"contact-three-ways", "lcp", 0},
    {"cradle-1", "potential", 0},
    {"cradle-2", "potential", 0},
    {"cube-settles", "dcr", 0},
    {"dice", "lcp", 0},
    {"dominoes", "lcp", 3},
    {"ellipsoid-drop", "lcp", 0},
    {"ellipsoid-lattice", "lcp", 0},
    {"ellipsoid-line", "lcp", 0},
    {"ellipsoid-scaling", "lcp", 0},
    {"falling-cube", "potential", 0},
    {"falling-polyhedra", "potential", 0},
    {"five-link-chain", "multiplier", 0},
    {"formation", "variational", 0},
    {"formation-hill", "reduced", 0},
    {"four-bar", "multiplier", 0},
    {"granular-column", "lcp", 0.1},
    {"heavy-top", "multiplier", 0},
    {"hexagonal-prisms", "exact", 0},
    {"hexagonal-prisms-2", "exact", 0},
    {"hexagonal-prisms-settle", "dcr", 1},
    {"hexagons-2d", "newmark", 0},
    {"hexagons-2d-charged", "newmark", 10},
    {"joint-zoo", "multiplier", 5},
    {"metronome", "potential", 0},
    {"mobility-suspension", "lcp", 0},
    {"plastic-cubes", "dcr", 0},
    {"projectile-drag", "euler", 0},
    {"pyramid", "lcp", 2},
    {"setup", "lcp", 0},
    {"stiff-arm", "lcp", 0},
    {"tangential-sphere", "lcp", 0},
    {"three-ellipsoids", "lcp", 0},
    {"tree-and-loop", "multiplier", 0},
    {"tumbling-block", "variational", 20},
    {"two-blocks", "multiplier", 0},
    {"two-charges", "variational", 0},
    {"two-in-a-sphere", "lcp", 0},
    {"two-link-planar", "multiplier", 0},
};

static const char *const heaps[] = {"bricks",    "cards",   "cubes",  "dominoes", "galton",
                                    "hourglass", "magnets", "rubble", "sledges"};

static void add_scene(case_list *list, const char *folder, const char *name, const char *kind, const char *method,
                      double until) {
    char path[512];
    snprintf(path, sizeof path, CAROM_SOURCE_DIR "/%s/%s.json", folder, name);
    char *text = read_test_file(path, NULL);
    assert_non_null(text);
    add_right(list, name, kind, method, text);
    verdict_case *c = &list->of[list->count - 1];
    c->until = until;
    snprintf(c->file, sizeof c->file, "%s", path);
}

void add_gallery(case_list *list) {
    for (size_t i = 0; i < sizeof gallery / sizeof gallery[0]; i++)
        add_scene(list, "scenes", gallery[i].name, "gallery", gallery[i].method, gallery[i].until);
    for (size_t i = 0; i < sizeof heaps / sizeof heaps[0]; i++)
        add_scene(list, "tests/data/heaps", heaps[i], "heaps", "lcp", 0.6);
}

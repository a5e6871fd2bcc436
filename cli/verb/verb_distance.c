// SPDX-License-Identifier: MIT
// How far two shapes are from each other, by every measure.
#include "pair/distance_report.h"
#include "verb/verb.h"

typedef struct distance_options {
    const char *direction;
    bool json;
} distance_options;

static const option distance_table[] = {
    {.name = "--direction",
     .kind = OPTION_TEXT,
     .offset = offsetof(distance_options, direction),
     .value = "X,Y,Z",
     .help = "of the ray, from A to B; without it the ray looks from centre to centre"},
    {.name = "--json", .offset = offsetof(distance_options, json), .help = "one object"},
    {.name = NULL},
};

static int run_distance(int argument_count, char **arguments) {
    distance_options options = {0};
    int words = read_options("distance", distance_table, argument_count, arguments, &options);
    if (words < 0) return EXIT_BAD_INPUT;
    pair_input pair;
    distance_report report = {.features = NULL};
    int code = read_pair(words, arguments, options.direction, &pair);
    if (code == EXIT_GOOD) code = find_distances(&pair, &report);
    if (code == EXIT_GOOD && options.json) print_distances_object(&report);
    if (code == EXIT_GOOD && !options.json) print_distances(&report);
    free_distances(&report);
    free_pair(&pair);
    return code;
}

const verb verb_distance = {
    .name = "distance",
    .group = GROUP_STUDY,
    .arguments = "PAIR | SHAPE SHAPE [--direction X,Y,Z] [--json]",
    .summary = "how far two shapes are from each other, by every measure",
    .help = "PAIR is a file (docs/distance.md), SHAPE is KIND:SIZES, with @X,Y,Z or @X,Y,Z,QW,QX,QY,QZ after it for\n"
            "a place other than the origin, such as 'carom distance box:1,1,1 sphere:0.5@2,0,0'. Lengths in metres:\n"
            "  sphere:RADIUS                ellipsoid:A,B,C (half-axes)   box:X,Y,Z (edges)\n"
            "  capsule:RADIUS,LENGTH        tetrahedron:EDGE              container:RADIUS\n"
            "  pyramid:SIDES,RADIUS,HEIGHT  prism:SIDES,RADIUS,HEIGHT     half-space:NX,NY,NZ,OFFSET",
    .options = distance_table,
    .run = run_distance,
};

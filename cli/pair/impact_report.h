// SPDX-License-Identifier: MIT
// One collision under every law: found, as text, as an object.
#ifndef CLI_IMPACT_REPORT_H
#define CLI_IMPACT_REPORT_H

#include "carom/tools.h"

typedef struct impact_report {
    carom_scene_impact collision;
    carom_impact impact;
    carom_impact_pair_result law[CAROM_IMPACT_LAW_COUNT];
} impact_report;

// Reads the file and resolves it. Returns an exit code, after a sentence when it is not EXIT_GOOD.
int find_impacts(const char *file, impact_report *out);
void print_impacts(const impact_report *report);
void print_impacts_object(const impact_report *report);

#endif

// SPDX-License-Identifier: MIT
// Names of laws, places and phases.
#include <string.h>

#include "carom/impact.h"

static const char *const law_names[] = {
    [CAROM_IMPACT_LAW_NEWTON] = "newton",
    [CAROM_IMPACT_LAW_POISSON] = "poisson",
    [CAROM_IMPACT_LAW_STRONGE] = "stronge",
    [CAROM_IMPACT_LAW_ALGEBRAIC] = "algebraic",
};

static const char *const place_names[] = {
    [CAROM_CONE_NONE] = "none",
    [CAROM_CONE_NORMAL] = "normal",
    [CAROM_CONE_INSIDE] = "inside",
    [CAROM_CONE_BOUNDARY] = "boundary",
};

static const char *const phase_names[] = {
    [CAROM_IMPACT_PHASE_FRICTIONLESS] = "frictionless",
    [CAROM_IMPACT_PHASE_SLIDE] = "slide",
    [CAROM_IMPACT_PHASE_STICK] = "stick",
    [CAROM_IMPACT_PHASE_SLIDE_OFF] = "slide_off",
};

static const char *name_of(const char *const *names, int count, int index) {
    return index >= 0 && index < count ? names[index] : "?";
}

const char *carom_impact_law_name(carom_impact_law law) {
    return name_of(law_names, CAROM_IMPACT_LAW_COUNT, (int)law);
}

const char *carom_cone_place_name(carom_cone_place place) {
    return name_of(place_names, CAROM_CONE_PLACE_COUNT, (int)place);
}

const char *carom_impact_phase_name(carom_impact_phase phase) {
    return name_of(phase_names, CAROM_IMPACT_PHASE_COUNT, (int)phase);
}

bool carom_impact_law_find(const char *name, carom_impact_law *out) {
    for (int i = 0; i < CAROM_IMPACT_LAW_COUNT; i++)
        if (name != NULL && strcmp(law_names[i], name) == 0) {
            *out = (carom_impact_law)i;
            return true;
        }
    return false;
}

// SPDX-License-Identifier: MIT
// One collision, under every law.
#include "pair/impact_report.h"

#include "run/scene_input.h"
#include "verb/verb.h"

int find_impacts(const char *file, impact_report *out) {
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    carom_scene_messages *messages = NULL;
    carom_error error = {.status = CAROM_OK};
    if (carom_scene_read_impact(&source, NULL, &out->collision, &messages, &error) != CAROM_OK)
        return refuse_messages(messages, &error);
    carom_scene_messages_destroy(messages);
    const carom_impact_pair *pair = &out->collision.pair;
    if (carom_impact_of_pair(pair, &out->impact, &error) != CAROM_OK) return refuse_error(&error);
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++)
        if (carom_impact_resolve_pair(pair, (carom_impact_law)law, &out->law[law], &error) != CAROM_OK)
            return refuse_error(&error);
    return EXIT_GOOD;
}

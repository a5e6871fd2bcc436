// SPDX-License-Identifier: MIT
// Any bytes as a collision (`carom impact`), under every law.
#include <stdlib.h>

#include "carom/carom.h"
#include "carom/tools.h"
#include "fuzz/fuzz.h"
#include "fuzz/limits.h"
#include "support/harness/bounded_allocator.h"

static void resolve(const carom_impact_pair *pair) {
    carom_error error = {.text = ""};
    carom_impact impact;
    if (carom_impact_of_pair(pair, &impact, &error) != CAROM_OK) {
        FUZZ_CHECK(error.text[0] != '\0');
        return;
    }
    for (int law = 0; law < CAROM_IMPACT_LAW_COUNT; law++) {
        carom_impact_pair_result result;
        error.text[0] = '\0';
        carom_status status = carom_impact_resolve_pair(pair, (carom_impact_law)law, &result, &error);
        FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = fuzz_text(data, size);
    bounded_allocator bounds = {.most = FUZZ_BYTES};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_scene_impact collision;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    carom_status status = carom_scene_read_impact(&source, &allocator, &collision, &messages, &error);
    FUZZ_CHECK((status == CAROM_OK) == (error.text[0] == '\0'));
    FUZZ_CHECK(status != CAROM_ERR_BAD_INPUT || messages->count > 0);
    if (status == CAROM_OK) resolve(&collision.pair);
    carom_scene_messages_destroy(messages);
    FUZZ_CHECK(bounds.used == 0);
    free(text);
    return 0;
}

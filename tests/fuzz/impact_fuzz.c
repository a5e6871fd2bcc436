// SPDX-License-Identifier: MIT
// Any bytes as a collision (`carom impact`), under every law.
#include "carom/carom.h"
#include "carom/tools.h"
#include "fuzz/reading.h"

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
    fuzz_reading r;
    fuzz_reading_begin(&r, data, size);
    carom_scene_impact collision;
    carom_status status = carom_scene_read_impact(&r.source, &r.allocator, &collision, &r.messages, &r.error);
    fuzz_reading_check(&r, status, status == CAROM_OK);
    if (status == CAROM_OK) resolve(&collision.pair);
    fuzz_reading_end(&r);
    return 0;
}

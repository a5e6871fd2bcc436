// SPDX-License-Identifier: MIT
#include "fuzz/reading.h"

#include <stdlib.h>

#include "fuzz/limits.h"

void fuzz_reading_begin(fuzz_reading *reading, const uint8_t *data, size_t size) {
    *reading = (fuzz_reading){
        .text = fuzz_text(data, size), .bounds = {.most = FUZZ_BYTES}, .has_messages = true, .error = {.text = ""}};
    reading->allocator = bounded_allocator_hook(&reading->bounds);
    reading->source = carom_scene_source_default();
    reading->source.text = reading->text;
}

void fuzz_reading_check(const fuzz_reading *reading, carom_status status, bool made) {
    FUZZ_CHECK((status == CAROM_OK) == made);
    FUZZ_CHECK((status == CAROM_OK) == (reading->error.text[0] == '\0'));
    FUZZ_CHECK(status != CAROM_ERR_BAD_INPUT || !reading->has_messages ||
               (reading->messages != NULL && reading->messages->count > 0));
}

void fuzz_reading_end(fuzz_reading *reading) {
    carom_scene_messages_destroy(reading->messages);
    FUZZ_CHECK(reading->bounds.used == 0);
    free(reading->text);
}

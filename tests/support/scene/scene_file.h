// SPDX-License-Identifier: MIT
// Files of the source tree for tests of scenes.
#ifndef TEST_SUPPORT_SCENE_FILE_H
#define TEST_SUPPORT_SCENE_FILE_H

#include "carom/scene.h"

// The bytes of a file, with a zero after them, to be freed; NULL when it cannot be read. `size` may be NULL.
char *read_test_file(const char *path, size_t *size);

// The messages of a reading, one a line, "line: path: text", to be freed. Warnings start with "warning ", messages of
// overrides have "--set" for their line.
char *messages_as_text(const carom_scene_messages *messages);

#endif

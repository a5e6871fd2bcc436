// SPDX-License-Identifier: MIT
// A scene given as text, and its state: read and made without a word, or a failed test with the sentence.
#ifndef TEST_SUPPORT_TEXT_SCENE_H
#define TEST_SUPPORT_TEXT_SCENE_H

#include "carom/carom.h"

typedef struct text_scene {
    carom_scene *scene;
    const carom_model *model;
    carom_state *state;
} text_scene;

// `overrides`, up to NULL, may be NULL.
text_scene text_scene_begin(const char *text, const char *const *overrides);
// A step that is called for and made.
carom_step_report text_scene_step(const text_scene *s);
void text_scene_end(text_scene *s);

#endif

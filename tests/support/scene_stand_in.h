// SPDX-License-Identifier: MIT
#ifndef TEST_SUPPORT_SCENE_STAND_IN_H
#define TEST_SUPPORT_SCENE_STAND_IN_H

#include "carom/scene.h"

struct carom_scene {
    const carom_model *model;
    const char *text;
    double until;
};

#endif

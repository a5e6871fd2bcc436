// SPDX-License-Identifier: MIT
#include "support/scene_stand_in.h"

const carom_model *carom_scene_model(const carom_scene *scene) {
    return scene->model;
}
double carom_scene_until(const carom_scene *scene) {
    return scene->until;
}
const char *carom_scene_resolved(const carom_scene *scene) {
    return scene->text;
}

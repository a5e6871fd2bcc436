// SPDX-License-Identifier: MIT
// The flexible bodies that a repeated one stands for, made when they are needed, as bodies are.
#include "scene/flexible/flexible.h"

carom_flex_def crm_scene_flex_instance(const crm_scene_flex *flex, int instance, char name[CRM_SCENE_INSTANCE_NAME]) {
    carom_flex_def def = flex->def;
    carom_body_def like = carom_body_def_default();
    like.name = def.name;
    like.position = def.position, like.attitude = def.attitude;
    like.velocity = def.velocity, like.spin = def.spin;
    crm_scene_place_instance(&flex->repeat, instance, &like, name);
    def.name = name;
    def.position = like.position, def.attitude = like.attitude;
    def.velocity = like.velocity, def.spin = like.spin;
    return def;
}

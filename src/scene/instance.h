// SPDX-License-Identifier: MIT
// The bodies that a repeated body stands for. None is stored: each is made when it is needed, from the body and its
// number alone, so that the same scene gives the same bits in any order.
#ifndef CRM_SCENE_INSTANCE_H
#define CRM_SCENE_INSTANCE_H

#include "scene/scene_data.h"

enum { CRM_SCENE_INSTANCE_NAME = 128 };

// Number `instance` of a body, in 0 ... count - 1. `name` is room for its name; def.name points there.
carom_body_def crm_scene_instance(const crm_scene_body *body, int instance, char name[CRM_SCENE_INSTANCE_NAME]);

// Number `n` of a joint, in 0 ... count - 1: points, attitudes and length filled in, ids left as they are. `name` is
// room for its name.
carom_joint_def crm_scene_joint_instance(const crm_scene_data *data, const crm_scene_joint *joint, int n,
                                         char name[CRM_SCENE_INSTANCE_NAME]);

// The part of it that a repeat makes: name, pose and motion of `def`, which has those of the first.
void crm_scene_place_instance(const crm_scene_repeat *repeat, int instance, carom_body_def *def,
                              char name[CRM_SCENE_INSTANCE_NAME]);

// Which instance of its body the n-th force or joint means.
int crm_scene_target_instance(crm_scene_target target, int n);

// "ball-3" parted into the size of "ball" and 3; false when it does not end in a number.
bool crm_scene_split_name(const char *name, size_t size, size_t *stem, int *number);

// Whether the name is that of one body of a repeated one, such as "ball-3".
bool crm_scene_find_repeated(const crm_scene_data *data, const char *name, crm_scene_target *out);

#endif

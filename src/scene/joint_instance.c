// SPDX-License-Identifier: MIT
// The joints that a joint of a scene stands for, with their frames. None is stored: each is made when it is needed, the
// same bits every time.
#include <stdio.h>

#include "math/quat.h"
#include "scene/flexible/flexible.h"

// A body's own frame at the start.
typedef struct start_frame {
    carom_vec3 position;
    carom_quat attitude;
    bool is_point;
} start_frame;

int crm_scene_target_instance(crm_scene_target target, int n) {
    return target.instance >= 0 ? target.instance : n;
}

static start_frame frame_of(const crm_scene_data *data, crm_scene_target target, int n) {
    start_frame world = {crm_vec3_zero(), crm_quat_identity(), false};
    if (target.nodes != NULL) return (start_frame){crm_scene_node_start(data, target, n), crm_quat_identity(), true};
    if (target.body < 0) return world;
    char name[CRM_SCENE_INSTANCE_NAME];
    carom_body_def def = crm_scene_instance(&data->body[target.body], crm_scene_target_instance(target, n), name);
    return (start_frame){def.position, crm_quat_normalised(def.attitude), def.kind == CAROM_BODY_POINT};
}

static carom_vec3 to_world(const start_frame *frame, carom_vec3 point) {
    return crm_add(frame->position, crm_quat_rotate(frame->attitude, point));
}

// A mass point is joined at its origin, wherever the other side is.
static carom_vec3 to_own(const start_frame *frame, carom_vec3 point) {
    return frame->is_point ? crm_vec3_zero()
                           : crm_quat_rotate_inverse(frame->attitude, crm_sub(point, frame->position));
}

static void find_points(const crm_scene_joint *joint, const start_frame *a, const start_frame *b,
                        carom_joint_def *def) {
    if (def->kind == CAROM_JOINT_DISTANCE || (!joint->point && joint->point_a == joint->point_b)) return;
    carom_vec3 point = joint->point     ? joint->placing.point
                       : joint->point_a ? to_world(a, def->point_a)
                                        : to_world(b, def->point_b);
    if (!joint->point_a) def->point_a = to_own(a, point);
    if (!joint->point_b) def->point_b = to_own(b, point);
}

static void find_attitudes(const crm_scene_joint *joint, const start_frame *a, const start_frame *b,
                           carom_joint_def *def) {
    if (joint->attitude_a && joint->attitude_b) return;
    carom_mat3 axes;
    (void)crm_frame_from_axes(joint->placing.axis, joint->placing.x, &axes); // checked when it was read
    carom_quat world = joint->attitude_a   ? crm_quat_mul(a->attitude, crm_quat_normalised(def->attitude_a))
                       : joint->attitude_b ? crm_quat_mul(b->attitude, crm_quat_normalised(def->attitude_b))
                                           : crm_quat_from_mat3(axes);
    if (!joint->attitude_a) def->attitude_a = crm_quat_mul(crm_quat_conjugate(a->attitude), world);
    if (!joint->attitude_b) def->attitude_b = crm_quat_mul(crm_quat_conjugate(b->attitude), world);
}

carom_joint_def crm_scene_joint_instance(const crm_scene_data *data, const crm_scene_joint *joint, int n,
                                         char name[CRM_SCENE_INSTANCE_NAME]) {
    carom_joint_def def = joint->def;
    if (joint->count == 1)
        snprintf(name, CRM_SCENE_INSTANCE_NAME, "%s", def.name);
    else
        snprintf(name, CRM_SCENE_INSTANCE_NAME, "%s-%d", def.name, n);
    def.name = name;
    start_frame a = frame_of(data, joint->a, n), b = frame_of(data, joint->b, joint->chain ? n + 1 : n);
    if (def.latch.sticky) return def; // it is where the bodies will touch
    find_points(joint, &a, &b, &def);
    find_attitudes(joint, &a, &b, &def);
    if (def.kind == CAROM_JOINT_DISTANCE && !joint->length)
        def.length = crm_distance(to_world(&a, def.point_a), to_world(&b, def.point_b));
    return def;
}

// SPDX-License-Identifier: MIT
#include "model/force/follower.h"

#include <string.h>

#include "model/force/evaluate.h"

// sum (R a) x f = vec(A), A = R sum a f^T: components of the cross product are differences of A's entries.
static carom_vec3 moment_of(carom_mat3 rotation, carom_mat3 lever) {
    carom_mat3 a = crm_mat3_mul(rotation, lever);
    return crm_vec3(a.z.y - a.y.z, a.x.z - a.z.x, a.y.x - a.x.y);
}

static void add(const carom_model *model, const carom_body_wrench *wrench, crm_follower *to, crm_vec6 *constant) {
    const crm_body *body = &model->bodies.items[wrench->body.index];
    carom_vec3 arm = crm_model_point(model, wrench->body, wrench->point).at;
    if (!wrench->in_body_axes) {
        to->lever = crm_mat3_add(to->lever, crm_outer(arm, wrench->force));
        *constant =
            crm_vec6_add(*constant, crm_wrench_projected(body->kind, crm_vec6_of(wrench->force, wrench->torque)));
        return;
    }
    carom_vec3 force = crm_quat_rotate_inverse(body->frame, wrench->force);
    carom_vec3 torque = crm_quat_rotate_inverse(body->frame, wrench->torque);
    to->force = crm_add(to->force, force);
    to->torque = crm_add(to->torque, crm_add(torque, crm_cross(arm, force)));
}

bool crm_input_followers(const carom_model *model, const carom_input *input, crm_follower *follower,
                         crm_vec6 *constant) {
    if (input == NULL || input->body_wrench_count == 0) return false;
    memset(follower, 0, (size_t)model->bodies.count * sizeof *follower);
    for (int i = 0; i < input->body_wrench_count; i++) {
        int b = input->body_wrench[i].body.index;
        add(model, &input->body_wrench[i], &follower[b], &constant[b]);
    }
    return true;
}

crm_vec6 crm_follower_at(const crm_follower *f, carom_body_kind kind, carom_quat q) {
    carom_mat3 rotation = crm_quat_to_mat3(q);
    carom_vec3 torque = crm_add(crm_mat3_apply(rotation, f->torque), moment_of(rotation, f->lever));
    return crm_wrench_projected(kind, crm_vec6_of(crm_mat3_apply(rotation, f->force), torque));
}

crm_vec6 crm_body_wrench_at(const carom_model *model, const carom_body_wrench *wrench, const crm_motion *motion) {
    carom_vec3 arm = crm_quat_rotate(motion->q, crm_model_point(model, wrench->body, wrench->point).at);
    carom_quat axes = crm_quat_identity();
    if (wrench->in_body_axes)
        axes = crm_quat_mul(motion->q, crm_quat_conjugate(model->bodies.items[wrench->body.index].frame));
    carom_vec3 force = crm_quat_rotate(axes, wrench->force), torque = crm_quat_rotate(axes, wrench->torque);
    return crm_vec6_of(force, crm_add(torque, crm_cross(arm, force)));
}

// SPDX-License-Identifier: MIT
// What the input's forces at points of a body, and those in its axes, come to at an attitude: of the wrench of a
// carom_body_wrench all that rotates with the body. What does not, forces along axes of the world through the centre of
// mass and torques about them, is constant.
#ifndef CRM_MODEL_FOLLOWER_H
#define CRM_MODEL_FOLLOWER_H

#include "math/spatial.h"
#include "model/motion.h"

typedef struct crm_follower {
    carom_vec3 force, torque; // about the centre of mass, principal axes
    carom_mat3 lever;         // sum of arm f^T: arms in principal axes, forces f along axes of the world
} crm_follower;

// The input's followers, summed up by body (body_count); its constant parts are added to `constant`. False, with
// nothing written: there are none.
bool crm_input_followers(const carom_model *model, const carom_input *input, crm_follower *follower,
                         crm_vec6 *constant);

// The wrench about the centre of mass at an attitude of the principal frame, projected on what the kind can do.
crm_vec6 crm_follower_at(const crm_follower *follower, carom_body_kind kind, carom_quat q);

// The whole wrench of one body wrench about the centre of mass at a motion.
crm_vec6 crm_body_wrench_at(const carom_model *model, const carom_body_wrench *wrench, const crm_motion *motion);

#endif

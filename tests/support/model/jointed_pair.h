// SPDX-License-Identifier: MIT
// Two random bodies and a joint between them, for tests.
#ifndef TEST_SUPPORT_JOINTED_PAIR_H
#define TEST_SUPPORT_JOINTED_PAIR_H

#include "model/joint/joint.h"
#include "support/harness/sample.h"

// Every joint there is, by number: linear_free * 4 + angular_free, then the distance joint.
enum { JOINT_SORTS = 17 };
carom_joint_def sorted_joint_def(int sort);

typedef enum pair_world { PAIR_BOTH_MOVE, PAIR_A_IS_WORLD, PAIR_B_IS_WORLD } pair_world;

// An open model of two free bodies at random poses, with random inertia and centres of mass, and the joint between
// random frames in them.
carom_model *jointed_pair(sampler *s, const carom_joint_def *def, pair_world world);

// The joint as it is inside.
const crm_joint *pair_joint(const carom_model *model);

// Random poses (not closed) and twists, of both bodies; a body that is the world's stands there as well, unused.
void pair_poses(sampler *s, crm_motion motions[2]);
crm_joint_twists pair_twists(sampler *s, const crm_joint *joint);

// The poses a time later, at constant twists.
void pair_at(const crm_joint *joint, const crm_motion from[2], const crm_joint_twists *twists, double time,
             crm_motion to[2]);

// Random coordinates of moderate size.
crm_joint_config pair_config(sampler *s, const crm_joint *joint);

#endif

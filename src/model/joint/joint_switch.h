// SPDX-License-Identifier: MIT
// Joints that open and close: which do, what of their definitions is refused, how far an open one is from closing.
#ifndef CRM_MODEL_JOINT_SWITCH_H
#define CRM_MODEL_JOINT_SWITCH_H

#include "model/joint/joint.h"

bool crm_joint_switches(const crm_joint *joint);

// Refuses a latch or a load that the joint cannot have. `text` begins the sentence.
carom_status crm_joint_check_switch(const carom_model *model, const char *text, const crm_joint *joint,
                                    carom_error *error);

typedef enum crm_switch_status {
    CRM_SWITCH_OPEN,   // a latch closes it
    CRM_SWITCH_CLOSED, // as every joint that does not switch is for good
    CRM_SWITCH_SPENT,  // it has opened: its frames must part before the latch closes it
    CRM_SWITCH_STATUS_COUNT
} crm_switch_status;

// What a state knows of a joint of its model.
typedef struct crm_joint_switch {
    int64_t status;        // of crm_switch_status
    carom_vec3 at_a, at_b; // of sticky joints: their frames in a and b, as crm_joint_side has them; zero before
} crm_joint_switch;

crm_joint_switch crm_joint_switch_initial(const crm_joint *joint);

// The joint as it is in this state: a sticky one where it was made.
crm_joint crm_joint_placed(const crm_joint *joint, const crm_joint_switch *at);

// How far an open joint is from closed.
typedef struct crm_latch_gap {
    double distance, angle; // errors of what it blocks, m and rad; of sticky ones the gap of the shapes, and 0
    double speed;           // blocked velocity of B's origin, m/s
    bool beyond;            // a coordinate is beyond a limit
    bool touches;           // of sticky ones: the last step had an impulse between the bodies
    carom_vec3 point;       // of sticky ones, halfway between the shapes, world
} crm_latch_gap;

// `motions` of all bodies; the table of contacts of the last step.
crm_latch_gap crm_latch_gap_of(const carom_model *model, const crm_joint *joint, const crm_motion *motions,
                               const carom_contact_state *contacts, int contact_count);

// Whether the frames have met, but for their speed.
bool crm_latch_meets(const crm_joint *joint, const crm_latch_gap *gap);

#endif

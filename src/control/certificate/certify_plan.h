// SPDX-License-Identifier: MIT
// The certificate of a plan: what its motion keeps, found from the motion, the model and what was asked alone. Nothing
// of the program that was solved is looked at, nor of its solver.
//
// The room certificate/: a crm_plan_motion enters, the public certificate leaves, with the worst of everything by name;
// plan/ calls it. plan_facts.h has what all checks need; motion_check.c the rows once more in SI units, asked_check.c
// what was asked, momentum_check.c the totals, gap_check.c gaps at nodes and between them, touch_check.c contacts,
// replay.h runs of the plan.
#ifndef CRM_CONTROL_CERTIFY_PLAN_H
#define CRM_CONTROL_CERTIFY_PLAN_H

#include "base/arena.h"
#include "control/motion/plan_motion.h"

// What a motion must keep, row by row: a name for every kind.
typedef enum crm_plan_law {
    CRM_LAW_MOMENTUM,         // h p = m (x' - x)
    CRM_LAW_SPIN,             // h l = sum E d x d'
    CRM_LAW_BALANCE,          // of momentum at a node
    CRM_LAW_SPIN_BALANCE,     // of angular momentum
    CRM_LAW_DIRECTORS,        // orthonormal
    CRM_LAW_PLACE,            // what is fixed stays, what is planar stays in its plane
    CRM_LAW_JOINT,            // closed
    CRM_LAW_JOINT_LIMIT,      // coordinates within their limits
    CRM_LAW_JOINT_IMPULSE,    // nothing along what the joint leaves free
    CRM_LAW_CONTROL,          // forces are those of the controls' numbers
    CRM_LAW_POSITION,         // asked of a node
    CRM_LAW_ATTITUDE,         //
    CRM_LAW_VELOCITY,         //
    CRM_LAW_ANGULAR_VELOCITY, //
    CRM_LAW_BOX,              //
    CRM_LAW_DIRECTION,        //
    CRM_LAW_TIME,             //
    CRM_LAW_TOUCH,            // bodies that shall touch do, with the impulse that is asked
    CRM_LAW_COUNT
} crm_plan_law;

typedef struct crm_plan_violation {
    crm_plan_law law;
    carom_body a, b; // {-1}: none
    int item;        // joint, control, condition or contact; -1: none
    int node;        // or interval, of momenta and controls
    double value;    // SI
    double share;    // of the plan's unit
} crm_plan_violation;

// Two bodies, where they are nearest.
typedef struct crm_plan_nearest {
    double gap; // m; INFINITY: no pair
    carom_body a, b;
    double time; // of the interval, 0 to 1
} crm_plan_nearest;

// What was found beyond the public certificate; arrays are the arena's.
typedef struct crm_plan_findings {
    carom_plan_certificate certificate; // what this room knows of it; the rest is 0, `strict` false
    crm_plan_violation worst[CRM_LAW_COUNT], worst_of_all;
    crm_plan_nearest *at_node;     // of avoided pairs that need not touch there (nodes)
    crm_plan_nearest *in_interval; // likewise between nodes (intervals)
    crm_plan_nearest touch;        // the deepest overlap of pairs that touch, where they may not
    crm_plan_nearest rolling;      // the same between nodes of pairs that stay in touch, of which nothing is promised
    double *consistency;           // by interval, then of the last node, relative (nodes)
    double *replay;                // difference of a run at the plan's step (nodes)
    int limit_control, limit_interval, rotation_body, rotation_interval, cone_contact, product_contact;
    int replay_node, replay_substeps; // largest number that a run divided its steps into
    char replay_text[256];            // why there is no run; "" where there is one
    char text[512]; // the first contract that does not hold (carom_plan_lines), in a sentence; "" where all do
} crm_plan_findings;

// `motion` is one of the model, at the intervals of `def`. Fails without memory, when it was interrupted, and for
// numbers that are not finite.
carom_status crm_certify_plan(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                              crm_arena *arena, crm_plan_findings *out, carom_error *error);

#endif

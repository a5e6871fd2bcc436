// SPDX-License-Identifier: MIT
// What each file of this folder adds to a plan's program.
#ifndef CRM_CONTROL_PLAN_PIECES_H
#define CRM_CONTROL_PLAN_PIECES_H

#include "control/rows/form.h"

// ---- dynamics.c: momenta of intervals, balances of nodes, directors (docs/math.md 16.1)

void crm_dynamics_add(crm_draft *draft);

// Half the impulse of all forces of an interval at one of its nodes (end 0: the first) to the balances of all bodies,
// six rows a slot, of which those of CRM_NO_ROW are left out.
void crm_add_interval_forces(crm_draft *draft, int interval, int end, double sign, const int32_t *balance);

// tr R_k^T R_k+1, times a coefficient, to a row.
void crm_add_trace(crm_draft *draft, int32_t row, double coefficient, int interval, int body);

// ---- controls.c

void crm_controls_number(crm_draft *draft); // offsets and sizes
int32_t crm_controls_add_unknowns(crm_draft *draft, int interval);
void crm_controls_add_forces(crm_draft *draft, int interval, int end, double sign, const int32_t *balance);
void crm_controls_add_effort(crm_draft *draft);

// ---- plan_fields.c: constant wrenches and pair potentials of the model

carom_status crm_fields_add_unknowns(crm_draft *draft, carom_error *error); // and their own rows
void crm_fields_add_forces(crm_draft *draft, int interval, int end, double sign, const int32_t *balance);

// ---- plan_joints.c: rows that keep joints closed and within their limits, impulses in the balances

void crm_joints_add(crm_draft *draft);

// What a joint leaves free, with what follows from its kind and bodies: of a distance joint and of points.
typedef struct crm_joint_def_view {
    double distance; // m; 0: not of this kind
    int linear_free, angular_free;
} crm_joint_def_view;
crm_joint_def_view crm_joint_view(const crm_joint *joint);

// ---- ends.c: what is asked of bodies at nodes

struct crm_asked {
    bool position, attitude, velocity, spin; // given, absolutely
    bool relative_position, relative_attitude, together;
    bool fixed_position, fixed_attitude; // the unknowns are
    bool box;
    int relative_to;
    carom_vec3 x, v, w;       // of the body's origin, SI
    carom_quat q;             // principal axes to world, or to the other body's principal axes
    carom_vec3 seen;          // relative: the body's origin, in the other body's axes, m
    carom_vec3 low, high;     // of the box
    int32_t velocity_unknown; // v of the root's centre of mass, then w, of bodies that move together; -1: none
    int32_t spin_unknown;     // w where it is free but counts; -1: none
    int root;                 // body whose velocity that is
    int direction_count;
    struct {
        carom_vec3 axis, toward; // unit: principal axes, world
        double least;
    } direction[3];
};

static inline const crm_asked *crm_asked_at(const crm_draft *draft, int node, int slot) {
    return draft->asked[node * draft->moving_count + slot];
}

carom_status crm_ends_prepare(crm_draft *draft, carom_error *error);
void crm_ends_add(crm_draft *draft);

// Whether the momentum balance (part 0) or that of angular momentum (part 1) holds at a node: not where the velocity is
// free at an end.
bool crm_balance_holds(const crm_draft *draft, int node, int slot, int part);
// The momentum and angular momentum that are asked of a body at node 0 or K, times `sign`, to six rows.
void crm_ends_add_momenta(crm_draft *draft, int node, int slot, double sign, const int32_t *row);
// sign R J R^T w to three rows.
void crm_add_angular_momentum(crm_draft *draft, int node, int body, double sign, const crm_form3 *w,
                              const int32_t row[3]);
// How a body moves at a node, as far as something is asked of that: `velocity` at the point `at`, and spin. False where
// it is free.
typedef struct crm_asked_twist {
    crm_form3 velocity, at, spin;
} crm_asked_twist;
bool crm_ends_twist(const crm_draft *draft, int node, int body, crm_asked_twist *out);
// Whether the pose of one of the two is given at the node as the other one sees it: their joints need no rows there.
bool crm_seen_pose_is_given(const crm_draft *draft, int node, int a, int b);

// ---- objective.c

void crm_objective_add(crm_draft *draft);

#endif

// SPDX-License-Identifier: MIT
// Forces that are taken at the end of the step, as rows and masses beside those of joints and contacts (docs/math.md
// 13.1): springs, dampers and position motors of joints, springs and dampers between bodies, drag.
//
//   r = b - A u      impulse of a force along a row, u the row's velocity at the end of the step,
//                    A = h damping + h^2 stiffness, clamped where the force has a bound
//
//   enters    a model at the motions of the start of a step, the input
//   leaves    rows (crm_force_rows), what drag adds to the masses (crm_body_drag)
//   callers   step/lcp, and with it impulse with fixed steps
//
// In place of what crm_forces_evaluate_explicit leaves out.
#ifndef CRM_STEP_IMPLICIT_H
#define CRM_STEP_IMPLICIT_H

#include "model/joint/joint.h"
#include "model/model_state.h"

// One row, in its own unit: m/s and N s, or rad/s and N m s.
typedef struct crm_force_row {
    crm_vec6 on_a, on_b;       // of both bodies' velocities
    double impulse, slope;     // b and A
    double damping;            // of r is of dampers: -damping u
    double drive, drive_slope; // of r is of motors: drive - drive_slope u
} crm_force_row;

// Rows of one force on two bodies, or on one and the world.
typedef struct crm_force_rows {
    int a, b; // bodies; -1: the world
    int count;
    double most; // |r| of a row that is alone, at most; INFINITY: any
    crm_force_row row[3];
} crm_force_rows;

// ---- implicit_joints.c

enum { CRM_COORDINATE_FORCES = 3 };

// The coordinates of a joint, as they are at the start of the step.
typedef struct crm_joint_coordinates {
    double value[6];
    crm_joint_row value_row[6], rate_row[6];
} crm_joint_coordinates;

crm_joint_coordinates crm_joint_coordinates_of(const crm_joint *joint, const carom_state *state, int index);

// Forces of a stiff coordinate, each of one row; those that are not there have a count of 0.
void crm_coordinate_forces(const crm_joint *joint, const crm_joint_coordinates *coordinates, int coordinate,
                           const carom_motor_def *motor, double step, crm_force_rows out[CRM_COORDINATE_FORCES]);

// ---- implicit_springs.c

// What is taken for a spring that would make energy, as bodies rotate in the step: nothing; rows that take what the
// rotation of its arms gives to first order; rows that take more than it can give.
typedef enum crm_spring_brake { CRM_BRAKE_NONE, CRM_BRAKE_ARMS, CRM_BRAKE_ALL } crm_spring_brake;

// The rows of a spring with a brake: between the points, about the axes of either body.
enum { CRM_SPRING_FORCES = 3 };
void crm_spring_forces(const crm_spring *spring, const crm_motion *motions, crm_spring_brake brake, double step,
                       crm_force_rows out[CRM_SPRING_FORCES]);

double crm_spring_energy(const crm_spring *spring, carom_vec3 a, carom_vec3 b);

// ---- implicit_drag.c

// 1 / (m + h D) from 1 / m; the same of all three moments.
static inline double crm_damped_inverse(double inverse, double drag) {
    return inverse / (1.0 + drag * inverse);
}
static inline carom_vec3 crm_damped_inverses(const crm_body *body, const crm_body_drag *drag) {
    carom_vec3 i = body->inverse_inertia;
    return crm_vec3(crm_damped_inverse(i.x, drag->angular), crm_damped_inverse(i.y, drag->angular),
                    crm_damped_inverse(i.z, drag->angular));
}
// state->drag, unless the model has none or is in a fluid. False: no memory.
bool crm_drags_create(carom_state *state);
// What drag adds to the masses in this step.
void crm_drags_begin(carom_state *state);
// The impulse of drag on a body that has this velocity at the end of the step, kept for its work; zero without any.
crm_vec6 crm_drag_impulse(const carom_model *model, carom_state *state, int body, crm_vec6 twist);
// Of the last impulse, between these velocities: never above 0.
double crm_drag_work(const carom_state *state, int body, crm_vec6 before, crm_vec6 after);
// In a fluid, where there are no masses: drag of the centre of mass and of the spin as rows.
void crm_drag_rows(const carom_model *model, const carom_drag_def *drag, const crm_motion *motions, double step,
                   crm_force_rows out[2]);

#endif

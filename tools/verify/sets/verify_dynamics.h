// SPDX-License-Identifier: MIT
// What the checks of reference trajectories share.
//
// verify/sets: one case of a reference file and its tolerances enter, the library is asked for the same numbers, a
// verdict leaves. verify.c calls the set that the file names.
#ifndef VERIFY_DYNAMICS_H
#define VERIFY_DYNAMICS_H

#include "verify/checker.h"
#include "verify/trajectory.h"

enum { CRM_WHERE_SIZE = 64 };

// One case: its input, its model, its motion.
typedef struct crm_dynamics_case {
    crm_reference *reference;
    const crm_case *what;
    crm_verdict *verdict;
    double tolerance;
    const json_t *samples;
    int sample_count; // that are compared: the first ones
    carom_model *model;
    crm_trajectory trajectory;
    double least_normal, largest_ratio; // N, 1: force of a plane and its friction at the samples so far
} crm_dynamics_case;

// False, with the reference's status, when there is none.
bool crm_dynamics_create_model(crm_dynamics_case *c, carom_vec3 gravity, double coulomb_constant);
carom_body crm_dynamics_add_body(crm_dynamics_case *c, const carom_body_def *def);

// Checks a vector at a time, and one that the sample has under `key`.
void crm_dynamics_check_vec3(crm_dynamics_case *c, const char *key, double time, carom_vec3 got, carom_vec3 wanted);
void crm_dynamics_compare_vec3(crm_dynamics_case *c, const json_t *sample, const char *where, const char *key,
                               double time, carom_vec3 got);

// Bodies with `joint` free, ball or revolute to their parents, and what a sample says of them.
void crm_dynamics_build_bodies(crm_dynamics_case *c);
// The same for bodies whose hinges have one axis in the world.
void crm_dynamics_build_plane_chain(crm_dynamics_case *c);
void crm_dynamics_compare_bodies(crm_dynamics_case *c, const json_t *sample, const char *where, int index);
// The same, with angles and rates of joints and the momenta that the case says are kept.
void crm_dynamics_compare_jointed(crm_dynamics_case *c, const json_t *sample, const char *where, int index);

// The largest difference of a component, of the nearer of the two signs.
double crm_dynamics_attitude_error(carom_quat got, carom_quat wanted);

// One body on a plane, frictionless but for `friction`.
void crm_dynamics_add_on_plane(crm_dynamics_case *c, const carom_shape_def *shape, const carom_body_def *body,
                               carom_vec3 normal, double friction, double restitution);
void crm_dynamics_build_bouncing_ball(crm_dynamics_case *c);
void crm_dynamics_build_sliding_sphere(crm_dynamics_case *c);
void crm_dynamics_build_block_on_incline(crm_dynamics_case *c);
void crm_dynamics_build_rolling(crm_dynamics_case *c);
void crm_dynamics_compare_bouncing_ball(crm_dynamics_case *c, const json_t *sample, const char *where, int index);
void crm_dynamics_compare_sliding_sphere(crm_dynamics_case *c, const json_t *sample, const char *where, int index);
void crm_dynamics_compare_block(crm_dynamics_case *c, const json_t *sample, const char *where, int index);
void crm_dynamics_compare_rolling(crm_dynamics_case *c, const json_t *sample, const char *where, int index);

#endif

// SPDX-License-Identifier: MIT
// What acts in a scene, read from its resolved text and its model: for energies by formulas of their own, which share
// nothing with those of the library.
#ifndef TEST_VERDICT_PHYSICS_H
#define TEST_VERDICT_PHYSICS_H

#include "verdict/run/followed_run.h"

typedef struct physics_spring {
    int a, b; // -1: the world
    carom_vec3 point_a, point_b;
    double stiffness, rest_length;
} physics_spring;

typedef struct physics_charge {
    int body; // -1: the world
    carom_vec3 point;
    double charge;
} physics_charge;

typedef struct physics_wrench {
    int body;
    carom_vec3 point, force, torque;
    bool in_body_axes;
} physics_wrench;

typedef struct physics {
    carom_vec3 gravity;
    double coulomb;
    bool fluid;      // velocities are forces times a mobility: there is no kinetic energy
    bool dissipates; // drag, dampers, or joints with limits or velocity motors: energy may be lost
    bool driven;     // motors or wrenches
    carom_body_def *body;
    double *size; // of each body, m: what it measures across, or twice its radius of gyration
    carom_joint_def *joint;
    int spring_count, charge_count, wrench_count;
    physics_spring *spring;
    physics_charge *charge; // a magnet is two of them
    physics_wrench *wrench;
    int *island; // of each body: what springs, charges, joints or contacts tie together. -1: it cannot move
    int island_count;
} physics;

physics physics_of(const followed_run *run);
void physics_free(physics *p);

// Whether bodies that touch overlap, and have energy in that.
bool has_contact_springs(carom_method method);

// Of the two bodies of a contact.
typedef struct pair_material {
    double friction, restitution;
} pair_material;
pair_material material_of(const followed_run *run, const physics *p, const carom_contact_state *contact);

bool can_move(const physics *p, int body);
carom_vec3 centre_of(const physics *p, const carom_body_state *frame, int body);          // of mass, world, m
carom_vec3 centre_velocity_of(const physics *p, const carom_body_state *frame, int body); // m/s
// A point of a body that is given in its frame; of the world (-1) the point itself.
carom_vec3 place_of(const carom_body_state *frame, int body, carom_vec3 point);
// Velocity of the body at a place of the world; zero for the world.
carom_vec3 velocity_at(const carom_body_state *frame, int body, carom_vec3 place);

#endif

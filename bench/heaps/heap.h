// SPDX-License-Identifier: MIT
// Heaps of bodies in contact, as every engine is given them: a scene, and what it is made of in plain numbers.
//
// A scene file or the name of a world of bench/settle enters; bodies with their masses, shapes and first states leave,
// then, step by step, what an engine has made of them: overlaps by exact distances and the residual of its own contacts
// and impulses, by the same code for all.
#ifndef BENCH_HEAPS_HEAP_H
#define BENCH_HEAPS_HEAP_H

#include <stdbool.h>

#include "carom/scene.h"

#ifdef __cplusplus
extern "C" {
#endif

// A body by its *inertial frame*: origin at the centre of mass, axes in which the inertia is diagonal; the body's own
// axes wherever these do.
typedef struct bench_heap_body {
    bool moves;
    double mass;              // kg; 0 when it does not move
    carom_vec3 inertia;       // kg m^2
    carom_pose in_body;       // the inertial frame seen from the body's
    const carom_shape *shape; // in the body's frame; NULL: none
    double friction, restitution;
} bench_heap_body;

typedef struct bench_heap_state {
    carom_pose pose;           // of the inertial frame
    carom_vec3 velocity, spin; // of the centre of mass; world axes
} bench_heap_state;

// Both bodies keep this point in common. Other joints have no counterpart among the engines.
typedef struct bench_heap_joint {
    int a, b;              // -1: the world
    carom_vec3 at_a, at_b; // from the origins of the inertial frames, in their axes; of the world the point itself
} bench_heap_joint;

typedef struct bench_heap {
    char name[64];
    carom_scene *scene; // NULL: the model is our own
    carom_model *made;  // NULL: the model is the scene's
    const carom_model *model;
    carom_method_def method;
    int steps; // as the scene asks for, or as many as it takes to come to rest
    carom_vec3 gravity;
    bool forced; // there are forces beside gravity
    bool common; // every engine has all that is in it: free and fixed bodies, no containers, no other joints
    int body_count, joint_count;
    bench_heap_body *bodies;
    bench_heap_joint *joints;
    bench_heap_state *start; // (body_count)
} bench_heap;

// A path of a scene, or "pile", "wall", "ellipsoids". False with a sentence on standard error.
bool bench_heap_open(const char *source, bench_heap *out);
// A scene's file with overrides, in memory of this allocator.
bool bench_heap_open_scene(const carom_scene_source *source, const carom_allocator *allocator, bench_heap *out);
void bench_heap_close(bench_heap *heap);

// From the body's own frame to its inertial frame, and back.
bench_heap_state bench_heap_state_of(const bench_heap_body *body, const carom_body_state *own);
carom_pose bench_heap_body_pose(const bench_heap_body *body, const bench_heap_state *state);

// Forces and torques beside gravity, about the centres of mass, by carom's own formulas (body_count).
void bench_heap_forces(const bench_heap *heap, double time, const bench_heap_state *states, carom_wrench *out);

// ---- what an engine has made of a step

// Impulses act on b, their opposites on a.
typedef struct bench_heap_contact {
    int a, b;
    carom_vec3 point_a, point_b; // where they act on each, when the step began
    carom_vec3 direction[3];     // normal from a to b, two tangents
    double gap;                  // when the step began, m
    double friction;
    double offset;     // u = normal velocity + offset >= 0 is what the engine asks for, m/s
    double impulse[3]; // N s
} bench_heap_contact;

typedef struct bench_heap_joint_impulse {
    carom_vec3 point_a, point_b, impulse; // as of a contact
    carom_vec3 offset;                    // velocity of b's point against a's + offset = 0
} bench_heap_joint_impulse;

typedef struct bench_heap_view {
    const bench_heap_state *before;   // (body_count)
    bench_heap_state *after;          // (body_count)
    carom_vec3 *velocity, *spin;      // with which the step was made (body_count)
    bench_heap_joint_impulse *joints; // (joint_count)
    int contact_count, contact_room;
    bench_heap_contact *contacts;
} bench_heap_view;

// Room for one more contact.
bench_heap_contact *bench_heap_add_contact(bench_heap_view *view);

// The residual of docs/math.md 6.6, in the larger of both norms: the largest over the islands, each relative to its own
// scale. From masses, points, impulses and the velocities of the step alone.
double bench_heap_residual(const bench_heap *heap, const bench_heap_view *view);

// Largest overlap of two bodies relative to the size of the smaller one, by the exact signed distances of all pairs.
typedef struct bench_heap_overlaps bench_heap_overlaps;
bench_heap_overlaps *bench_heap_overlaps_create(const bench_heap *heap);
void bench_heap_overlaps_destroy(bench_heap_overlaps *overlaps);
double bench_heap_overlap(bench_heap_overlaps *overlaps, const bench_heap_state *states);

// Memory, or the end of the program.
void *bench_heap_memory(size_t count, size_t size);

#ifdef __cplusplus
}
#endif

#endif

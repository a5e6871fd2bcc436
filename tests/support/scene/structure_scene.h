// SPDX-License-Identifier: MIT
// Random models for the methods that keep the structure of mechanics: few bodies of every shape, kind, size and mass
// that fly at each other, alone or in a room, with gravity, springs, charges and trees of joints.
#ifndef TEST_SUPPORT_STRUCTURE_SCENE_H
#define TEST_SUPPORT_STRUCTURE_SCENE_H

#include "support/scene/random_scene.h"

// What a scene has; sizes and times are its own choice, by the seed.
typedef struct structure_scene_def {
    uint64_t seed;
    bool gravity;       // along -z
    bool room;          // a floor z >= 0, in every other scene with walls around; frictionless unless `materials`
    bool pairs;         // springs and charges between bodies, and mass points
    bool joints;        // trees of ball joints, hinges, sliders and universal joints
    bool grounded;      // some trees hang on the world
    bool drives;        // with joints: rigid ones too, and limits and velocity motors
    bool materials;     // friction and restitution; otherwise no friction and restitution 1
    scene_guests first; // bodies that are added before all others
    int length, mass;   // all lengths and masses are given in units of 2^length m and 2^mass kg, times in seconds
} structure_scene_def;

typedef struct structure_scene {
    carom_model *model; // open
    double length;      // of the largest bodies, m
    double time;        // in which bodies get as far as their size, s
    double lightest;    // kg
    bool planar;        // bodies are planar
    bool outside;       // gravity, fixed bodies or joints to the world
} structure_scene;

structure_scene structure_scene_make(const structure_scene_def *def);

#endif

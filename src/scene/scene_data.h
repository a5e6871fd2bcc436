// SPDX-License-Identifier: MIT
// A scene as plain data, between the tree it is read from and the model it becomes.
//
// Strings belong to the tree. An item with `good` false has been reported; whatever would build on it is left out
// without a further word.
#ifndef CRM_SCENE_SCENE_DATA_H
#define CRM_SCENE_SCENE_DATA_H

#include <stdint.h>

#include "carom/flex.h"
#include "carom/force.h"
#include "carom/mobility.h"
#include "carom/scene.h"
#include "scene/members.h"
#include "scene/scene_names.h"

// Bodies, forces, and pairs of charges a scene may have once repeats are written out.
enum { CRM_SCENE_MOST_ITEMS = 10000000 };

// Kinds of mobility that a scene can have, and bodies that a matrix can couple.
enum { CRM_SCENE_MOBILITY_COUNT = CAROM_MOBILITY_MATRIX + 1, CRM_SCENE_MOST_MOBILE = 5000 };

typedef struct crm_scene_material {
    carom_material_def def;
    carom_elastic_def elastic;
    carom_material id; // in the model
    bool is_elastic;   // flexible bodies can be of it
    bool good, used;
} crm_scene_material;

typedef struct crm_scene_material_pair {
    int a, b; // materials
    double friction, restitution;
    bool good;
} crm_scene_material_pair;

typedef struct crm_scene_shape {
    const char *name;
    carom_shape_def def;  // its arrays on the arena
    bool has_mass;        // it is bounded:
    carom_mass unit;      // at density 1
    double extent;        // from the frame's origin, m; of static geometry the distance of their surface
    carom_model_shape id; // in the model
    bool good, used;
} crm_scene_shape;

// Groups of bodies; their numbers are the bits of carom_body_def. The first one is `default`.
enum { CRM_SCENE_MOST_GROUPS = 32 };

typedef struct crm_scene_groups {
    const char *name[CRM_SCENE_MOST_GROUPS];
    int count;
    uint32_t inhabited; // bits: some body is in it
} crm_scene_groups;

typedef enum crm_scene_repeat_kind { CRM_SCENE_ONCE, CRM_SCENE_LATTICE, CRM_SCENE_RANDOM } crm_scene_repeat_kind;

typedef struct crm_scene_repeat {
    crm_scene_repeat_kind kind;
    int lattice[3];
    carom_vec3 spacing; // m
    uint64_t seed;
    carom_vec3 low, high; // m
    bool attitude;
    double speed; // m/s
    double spin;  // rad/s
} crm_scene_repeat;

typedef struct crm_scene_body {
    carom_body_def def; // of the first, or what the repeats start from; its name without a number
    int shape;          // -1: none
    int material;       // -1: none
    crm_scene_repeat repeat;
    int count; // 1, or how often it is repeated
    int first; // index in the model of the first; -1 when it is not there
    bool mass_given, inertia_given, good;
} crm_scene_body;

// Nodes of a flexible body.
typedef struct crm_scene_nodes {
    int flex; // index into flexible bodies
    int count;
    const int32_t *node; // ascending (count)
} crm_scene_nodes;

// Who a force acts on: the world, one body, all of a repeated one, or nodes of flexible ones.
typedef struct crm_scene_target {
    int body;                     // index into bodies; -1: the world, or nodes
    int instance;                 // of a repeated body, flexible or not; -1: all of them
    const crm_scene_nodes *nodes; // NULL: none
} crm_scene_target;

typedef enum crm_scene_mesh_kind {
    CRM_SCENE_MESH_BOX,
    CRM_SCENE_MESH_FILE,
    CRM_SCENE_MESH_GIVEN,
    CRM_SCENE_MESH_COUNT
} crm_scene_mesh_kind;

// The mesh of a flexible body, and what its resolved text needs of where it came from.
typedef struct crm_scene_mesh {
    crm_scene_mesh_kind kind;
    int order;
    carom_vec3 size; // of a box, m
    int cells[3];
    carom_mesh *made; // NULL when it is wrong; crm_scene_forget_meshes destroys it
} crm_scene_mesh;

typedef struct crm_scene_flex {
    carom_flex_def def; // of the first, or what the repeats start from; its name without a number
    crm_scene_mesh mesh;
    int material; // -1: none
    crm_scene_repeat repeat;
    int count;                         // 1, or how often it is repeated
    const crm_scene_target *holder;    // bodies that its nodes are attached to (def.attachment_count)
    carom_flex_attachment *attachment; // those of one repeat; ids are filled when the model is built
    int first;                         // index in the model of the first
    bool good;
} crm_scene_flex;

// A force on nodes, which share it by the area of the surface that is theirs.
typedef struct crm_scene_load {
    carom_vec3 force;    // N, world axes
    const double *share; // of each node of the set
} crm_scene_load;

typedef enum crm_scene_force_kind {
    CRM_SCENE_DRAG,
    CRM_SCENE_SPRING,
    CRM_SCENE_CHARGE,
    CRM_SCENE_MAGNET,
    CRM_SCENE_WRENCH,
    CRM_SCENE_PAIR,
    CRM_SCENE_CENTRAL,
    CRM_SCENE_ATMOSPHERE,
    CRM_SCENE_SUNLIGHT,
    CRM_SCENE_FIELD,
    CRM_SCENE_LOAD,
    CRM_SCENE_FORCE_COUNT
} crm_scene_force_kind;

typedef struct crm_scene_force {
    crm_scene_force_kind kind;
    crm_scene_target a, b; // b: of springs and pairs only
    union {
        carom_drag_def drag;
        carom_spring_def spring;
        carom_charge_def charge;
        carom_magnet_def magnet;
        carom_wrench_def wrench;
        carom_pair_def pair; // lists of tables and grids on the arena
        carom_central_def central;
        carom_atmosphere_def atmosphere;
        carom_sunlight_def sunlight;
        carom_grid_def grid;
        crm_scene_load load;
    } def;     // the ids in it are filled when the model is built
    int count; // how many forces of the model, or loads, it becomes
    bool good;
} crm_scene_force;

// Where the frames of a joint come from; what is not given follows from the bodies' initial poses.
typedef struct crm_scene_joint {
    carom_joint_def def;   // its name without a number; ids, points and attitudes as far as they are given
    crm_scene_target a, b; // of a chain both the same repeated body: each of it is joined to the next
    bool chain;
    bool point, point_a, point_b; // given
    bool attitude_a, attitude_b;  // given
    bool length;                  // given
    carom_joint_placing placing;  // world point, axis and x
    int count;                    // how many joints of the model it becomes
    bool good;
} crm_scene_joint;

typedef struct crm_scene_plan crm_scene_plan; // scene/plan/scene_plan.h

typedef struct crm_scene_data {
    const char *name, *description;
    carom_method_def method;
    bool method_good;
    double until, frame_rate;
    bool record_contacts;
    carom_model_def model;
    carom_mobility_def mobility; // its matrix on the arena
    bool mobility_good;
    int material_count, pair_count, shape_count, body_count, flex_count, force_count, joint_count;
    crm_scene_material *material;
    crm_scene_material_pair *pair;
    crm_scene_shape *shape;
    crm_scene_body *body;
    crm_scene_flex *flex;
    crm_scene_force *force;
    crm_scene_joint *joint;
    crm_scene_names material_names, shape_names, body_names, flex_names;
    crm_scene_groups groups;
    crm_scene_plan *plan; // NULL: none
} crm_scene_data;

extern const char *const crm_scene_force_words[CRM_SCENE_FORCE_COUNT];
extern const char *const crm_scene_law_words[CAROM_PAIR_LAW_COUNT];
extern const char *const crm_scene_frame_words[CAROM_FRAME_COUNT];
extern const char *const crm_scene_rule_words[CAROM_COMBINE_COUNT];
extern const char *const crm_scene_start_words[CAROM_START_COUNT];
extern const char *const crm_scene_motor_words[CAROM_MOTOR_KIND_COUNT];
extern const char *const crm_scene_mobility_words[CRM_SCENE_MOBILITY_COUNT];

// Whether a force is between two bodies.
static inline bool crm_scene_force_has_ends(crm_scene_force_kind kind) {
    return kind == CRM_SCENE_SPRING || kind == CRM_SCENE_PAIR;
}

// The numbers that a force has, by its kind and law.
const crm_member *crm_scene_force_members(const crm_scene_force *force);

// Those of coordinates of joints, their motors, and latches.
extern const crm_member crm_scene_coordinate_members[], crm_scene_motor_members[], crm_scene_latch_members[];

#endif

// SPDX-License-Identifier: MIT
// The inside of a model: what there is, before anything moves, and what is known of it when it is frozen.
//
// Definitions enter through carom/model.h and carom/joint.h; forces, energies, rows of joints and proxies of contact
// leave, for the methods of step/, which alone call this folder. Its sub-folders: joint/ has one joint, mechanism/ all
// of them together, flex/ flexible bodies, force/ what acts on bodies. Bodies are kept by their principal frame: origin
// at the centre of mass, axes along the principal axes of inertia; the offset to the user's body frame stands beside
// it.
#ifndef CRM_MODEL_MODEL_H
#define CRM_MODEL_MODEL_H

#include <math.h>

#include "base/array.h"
#include "carom/force.h"
#include "carom/joint.h"
#include "carom/mobility.h"
#include "carom/model.h"
#include "model/flex/flex.h"
#include "model/mechanism/joint_graph.h"
#include "model/model_names.h"

typedef struct crm_body {
    carom_body_kind kind;
    double mass, inverse_mass; // kg, 1/kg; the inverse is 0 for a fixed body
    carom_vec3 inertia,
        inverse_inertia;     // principal; 0 where the body cannot rotate. Planar: z, about the world's z axis
    carom_vec3 centre;       // of mass, in the body frame
    carom_quat frame;        // principal axes to body axes
    double size;             // diameter of the ball about the shape's centre, m; 0 without a shape
    unsigned acting;         // kinds of forces that act on it, made by freezing: see force/acting.h
    int flex;                // flexible body that it is a node of; -1: none
    const carom_shape *ball; // of a node at the surface of that: what touches, its skin; NULL: nothing
    carom_body_def def;      // as given, attitude normalised, name our own copy
} crm_body;

// A point fixed in a body, or in the world.
typedef struct crm_point {
    int body;      // -1: the world
    carom_vec3 at; // from the centre of mass, in principal axes; of the world: the point itself
} crm_point;

static inline bool crm_same_point(const crm_point *p, const crm_point *q) {
    return p->body == q->body && p->at.x == q->at.x && p->at.y == q->at.y && p->at.z == q->at.z;
}

typedef struct crm_spring {
    crm_point a, b;
    double stiffness, damping, rest_length;
} crm_spring;

typedef struct crm_charge {
    crm_point point;
    double charge;
} crm_charge;

// The numbers of laws that need more than two: field/pair_laws.h, field/grid.h.
typedef struct crm_power_law crm_power_law;
typedef struct crm_table_law crm_table_law;
typedef struct crm_central_law crm_central_law;
typedef struct crm_grid crm_grid;

// A pair potential: of two points, depending on the vector between them; that of a field has the world as b.
typedef struct crm_pair_potential {
    crm_point a, b;
    enum {
        CRM_PAIR_POTENTIAL_SPRING,
        CRM_PAIR_POTENTIAL_CHARGES,
        CRM_PAIR_POTENTIAL_POWER,
        CRM_PAIR_POTENTIAL_TABLE,
        CRM_PAIR_POTENTIAL_CENTRAL, // gravity of a centre
        CRM_PAIR_POTENTIAL_TIDAL,   // of Hill's frame
        CRM_PAIR_POTENTIAL_GRID     // energies on a grid
    } kind;
    double strength;    // spring: stiffness, N/m; charges: coulomb_constant * charge * charge, N m^2; central: mu times
                        // mass, N m^2; tidal: mass times n^2, N/m; grid: 1
    double rest_length; // spring, m
    union {
        const crm_power_law *power;
        const crm_table_law *table;
        const crm_central_law *central;
        const crm_grid *grid;
    } law; // the model's own (crm_model_own)
} crm_pair_potential;

// A force on one body without a potential: field/field.h.
typedef struct crm_field {
    enum { CRM_FIELD_ATMOSPHERE, CRM_FIELD_SUNLIGHT, CRM_FIELD_GRID, CRM_FIELD_CORIOLIS } kind;
    int body; // one that moves
    union {
        carom_atmosphere_def atmosphere;
        carom_sunlight_def sunlight; // its direction a unit vector
        const crm_grid *grid;
        double mean_motion; // Coriolis, rad/s
    } of;
} crm_field;

typedef struct crm_system_callback {
    carom_system_callback_def def;
    int count;
    const int *body; // (count)
} crm_system_callback;

// Memory that lives as long as the model.
typedef struct crm_owned {
    void *memory;
    size_t bytes;
} crm_owned;

typedef struct crm_wrench {
    crm_point point;
    carom_vec3 force, torque; // in world axes, or in principal axes of the body
    bool in_body_axes;
} crm_wrench;

// A joint's frame in one of its bodies.
typedef struct crm_joint_side {
    int body;            // -1: the world
    carom_vec3 at;       // its origin from the centre of mass, in principal axes; of the world: the point itself
    carom_quat rotation; // its axes to principal axes; of the world: to the world's
} crm_joint_side;

typedef struct crm_joint {
    crm_joint_side a, b;
    const struct crm_joint_component *linear,
        *angular;        // how B's origin and B's attitude may move: see joint_component.h
    int rows;            // motions blocked, 0 ... 6
    int free;            // coordinates, 0 ... 6
    bool driven;         // a coordinate has a spring, a damper or a motor
    carom_joint_def def; // as given, attitudes normalised, free counts filled in, name ours
} crm_joint;

typedef struct crm_model_shape {
    const char *name; // NULL or ours
    carom_shape *shape;
} crm_model_shape;

typedef struct crm_material {
    carom_material_def def;
} crm_material;

typedef struct crm_material_pair {
    int a, b; // a <= b
    double friction, restitution;
} crm_material_pair;

// What bodies have in place of inertia: see carom/mobility.h.
typedef struct crm_mobility {
    carom_mobility_kind kind;
    double viscosity; // Pa s
    int size;         // of the matrix
    CRM_ARRAY(double) matrix;
    carom_mobility_function *function;
    void *user;
} crm_mobility;

struct carom_model {
    carom_allocator allocator;
    carom_vec3 gravity;
    double coulomb_constant;
    carom_combination friction_rule, restitution_rule;
    carom_start_overlaps start_overlaps;
    double mean_motion; // of Hill's frame, rad/s; 0: the frame is inertial
    carom_limits limits;
    carom_interrupt interrupt;
    bool frozen;
    crm_names body_names, material_names, joint_names, shape_names, flex_names;
    CRM_ARRAY(crm_body) bodies;
    crm_flex_array flexes;
    crm_arena flex_memory; // of what these have
    CRM_ARRAY(crm_model_shape) shapes;
    int shaped_count;          // bodies with a shape
    carom_pair_filter *filter; // NULL: none
    void *filter_user;
    CRM_ARRAY(crm_material) materials;
    CRM_ARRAY(crm_material_pair) material_pairs;
    CRM_ARRAY(carom_drag_def) drags;
    CRM_ARRAY(crm_spring) springs;
    CRM_ARRAY(crm_charge) charges;
    CRM_ARRAY(crm_wrench) wrenches;
    CRM_ARRAY(carom_callback_def) callbacks;
    CRM_ARRAY(crm_system_callback) system_callbacks;
    CRM_ARRAY(crm_pair_potential) laws; // pairs and fields with a potential, as given
    CRM_ARRAY(crm_field) fields;        // as given; freezing adds what the frame does to each body
    CRM_ARRAY(crm_owned) owned;
    const crm_grid *last_grid; // that was added; NULL: none
    CRM_ARRAY(crm_joint) joints;
    int switching_count; // joints that can open and close
    CRM_ARRAY(crm_pair_potential)
    pair_potentials; // made by freezing: every spring, every two charges on different bodies, laws, what the frame does
    int damper_count; // springs with damping
    crm_mobility mobility;
    crm_joint_graph graph; // made by freezing
    const int *body_numbers,
        *joint_numbers; // of a part (model_part.h): what bodies and joints are called by in messages; NULL: their own
    CRM_ARRAY(uint64_t)
    excluded; // made by freezing: pairs of bodies that their joints keep from touching, see collision_filter.c
};

// The world (-1) and fixed bodies do not.
static inline bool crm_body_moves(const carom_model *model, int body) {
    return body >= 0 && model->bodies.items[body].kind != CAROM_BODY_FIXED;
}

// Radius of gyration about the axis of the largest moment, m; 0 of what cannot rotate.
static inline double crm_body_gyration(const crm_body *body) {
    double largest = fmax(body->inertia.x, fmax(body->inertia.y, body->inertia.z));
    return largest > 0.0 ? sqrt(largest * body->inverse_mass) : 0.0;
}

// The diameter of the ball about its shape, else twice that radius, m; of static geometry infinite.
static inline double crm_body_extent(const crm_body *body) {
    return body->size > 0.0 ? body->size : 2.0 * crm_body_gyration(body);
}

// How a body is called in messages: "body 'name'", "body 7" or "node 17 of 'cube'". `text` is scratch for it.
const char *crm_body_text(const carom_model *model, int body, char text[CRM_BODY_TEXT]);

// The same for a joint: "joint 'name'" or "joint 7".
const char *crm_joint_text(const carom_model *model, int joint, char text[CRM_BODY_TEXT]);

// Refuses an id that names no joint. `what` begins the sentence.
carom_status crm_model_check_joint(const carom_model *model, carom_joint joint, const char *what, carom_error *error);

// CAROM_ERR_FROZEN with a sentence once the model is frozen.
carom_status crm_model_check_open(const carom_model *model, carom_error *error);

// Refuses an id that names neither a body of the model nor, where allowed, the world. `what` begins the sentence.
carom_status crm_model_check_body(const carom_model *model, carom_body body, bool world_allowed, const char *what,
                                  carom_error *error);

// Refuses velocities and spins that a body of this kind cannot have. `body` begins the sentence.
carom_status crm_body_check_kind(const char *body, carom_body_kind kind, carom_vec3 velocity, carom_vec3 spin,
                                 carom_error *error);

// Refuses a velocity and a spin that give the body an energy whose sums and squares numbers cannot hold.
carom_status crm_body_check_energy(const char *text, const crm_body *body, carom_vec3 velocity, carom_vec3 spin,
                                   carom_error *error);

// Refuses a shape that the model does not have, or that a body of this kind cannot have. `body` begins the sentence.
carom_status crm_model_check_shape(const carom_model *model, const char *body, carom_body_kind kind,
                                   carom_model_shape shape, carom_error *error);

// Memory that the model gives back when it is destroyed, zeroed; NULL without any.
void *crm_model_own(carom_model *model, size_t bytes);

// Fills `excluded` from the joints: from those that can open only when they are `closed`. Without memory it is left
// empty.
carom_status crm_model_exclude_jointed(carom_model *model, bool closed, carom_error *error);

// The point of a body given in its body frame.
crm_point crm_model_point(const carom_model *model, carom_body body, carom_vec3 in_body_frame);

#endif

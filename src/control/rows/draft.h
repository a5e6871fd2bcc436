// SPDX-License-Identifier: MIT
// A plan's program in the making: which unknown is where, and the rows that the pieces of this folder add.
//
// The room rows/: a frozen model and a checked carom_plan_def enter, a crm_program leaves; plan/ calls it, guess/ and
// motion/ read the layout. One file an idea: layout.c unknowns, dynamics.c momenta and balances, plan_joints.c joints,
// controls.c what drives, plan_fields.c potentials, ends.c what is asked at nodes. All numbers of a program are in the
// plan's units; bodies are seen by their centre of mass and principal axes, as in crm_motion, so that E is diagonal.
#ifndef CRM_CONTROL_DRAFT_H
#define CRM_CONTROL_DRAFT_H

#include "carom/plan.h"
#include "control/program/builder.h"
#include "model/motion.h"

// What unknowns of order 1 are made of.
typedef struct crm_plan_units {
    double length, time, mass; // m, s, kg
    double force, torque;      // N, N m
    double momentum, spin;     // N s, N m s
    double effort;             // N^2 s: of the objective
} crm_plan_units;

// Which row it is, for sentences: `a`, `b` are bodies (-1: the world, or none), `item` a joint, condition or pair.
typedef enum crm_row_kind {
    CRM_ROW_MOMENTUM, // h p = m dx, of an interval
    CRM_ROW_SPIN,     // h l = sum of E d x d'
    CRM_ROW_BALANCE,  // of momentum at a node
    CRM_ROW_SPIN_BALANCE,
    CRM_ROW_DIRECTORS,  // orthonormal
    CRM_ROW_JOINT,      // closed
    CRM_ROW_JOINT_RATE, // velocities that it blocks, at an end
    CRM_ROW_JOINT_LIMIT,
    CRM_ROW_POSITION, // asked of a node
    CRM_ROW_ATTITUDE,
    CRM_ROW_VELOCITY,
    CRM_ROW_ANGULAR_VELOCITY,
    CRM_ROW_BOX,
    CRM_ROW_DIRECTION,
    CRM_ROW_FIELD_PLACE, // between the points of a potential, in the middle of an interval
    CRM_ROW_FIELD,       // a force is that of its potential
    CRM_ROW_TIME,
    CRM_ROW_PLANE,    // |alpha| = 1, of a plane between two bodies in an interval
    CRM_ROW_GAP,      // on its side of the plane
    CRM_ROW_BULGE,    // how far vertices bulge over their chords
    CRM_ROW_ROTATION, // in an interval
    CRM_ROW_TWIST,    // momenta at an inner node are those of velocities there
    CRM_ROW_TOUCH,    // its gap
    CRM_ROW_PRODUCT,  // of impulse and gap, or velocity
    CRM_ROW_REBOUND,  // restitution
    CRM_ROW_CONE,     // friction
    CRM_ROW_IMPULSE,  // the least of it
    CRM_ROW_STICK,    // a corner stays
} crm_row_kind;

typedef struct crm_row_name {
    int32_t kind, a, b, item, node;
} crm_row_name;

// What is asked of a body at a node, all conditions together.
typedef struct crm_asked crm_asked;

// Pairs that keep apart, and planes between them: rows/avoid.h.
typedef struct crm_avoided crm_avoided;

// Planned contacts: rows/planned_contacts.h.
typedef struct crm_planned crm_planned;

typedef struct crm_draft {
    const carom_model *model;
    const carom_plan_def *def;
    bool soft_ends;   // what is asked after the start is rows alone, and fixes nothing: for elastic programs
    int intervals;    // K; conditions and way points are those of `def` at this many
    crm_arena *arena; // of what lives as long as the program
    crm_program_builder builder;
    CRM_ARRAY(crm_row_name) names; // by row, while it is written
    const crm_row_name *row_name;  // the same afterwards (row_count)

    crm_plan_units units;
    crm_motion *start; // at node 0 where nothing else is asked, SI (body_count)
    carom_quat *axes;  // of directors to principal axes: planar bodies' are the world's at the start (body_count)
    int moving_count;
    int *slot; // by body, -1 where it does not move (body_count)
    int *body; // by slot (moving_count)

    int arc_count;  // of intervals that have one length together
    int *arc;       // by interval (intervals)
    int32_t *scale; // sigma, by arc (arc_count)

    int32_t *pose;     // x, then directors of free and planar bodies [node * moving_count + slot]
    int32_t *momentum; // p, then l [interval * moving_count + slot]
    int32_t *control;  // the first number [interval]
    int32_t *impulse;  // of joints: forces, then couples [node * joint_count + joint]
    int32_t *balance;  // rows: 3 of momentum, 3 of angular momentum, or CRM_NO_ROW [(node * moving_count + slot) * 6]
    int *control_offset, *control_size; // by control (control_count)
    int control_numbers;                // in an interval
    int *impulse_size;                  // by joint (joint_count)
    crm_asked **asked;                  // [node * moving_count + slot], NULL before ends are known
    crm_avoided *avoided;               // NULL: nothing is
    crm_planned *planned;               // NULL: no contact is
    crm_row_name contradiction;         // of a row that what is given breaks by itself
    double broken_by;                   // how much, in the plan's units; 0: none
    int32_t *field;                     // place of potentials, then force [interval * pair_potential_count + pair]
} crm_draft;

// ---- layout.c

// Nodes at which intervals begin to have another length, ascending, none of them the first or the last.
typedef struct crm_arc_ends {
    int count;
    const int *node; // (count)
} crm_arc_ends;

// Units, bodies, arcs, all unknowns but those that pieces add for themselves, and which of them are given. `start` must
// live as long as the draft.
carom_status crm_draft_begin(const carom_model *model, const carom_plan_def *def, int intervals, crm_arc_ends arcs,
                             bool soft_ends, crm_motion *start, crm_arena *arena, crm_draft *draft, carom_error *error);
void crm_draft_end(crm_draft *draft); // what lies beside the arena

// The whole program: all pieces in their order. Before, `avoided` and `planned` may be set.
carom_status crm_draft_write(crm_draft *draft, crm_program *program, carom_error *error);

crm_plan_units crm_plan_units_of(const carom_model *model, const carom_plan_def *def, const crm_motion *start);

int32_t crm_draft_row(crm_draft *draft, double lower, double upper, crm_place place, crm_row_name name);
// Takes the row that was added last away again if none of its terms, which begin at `terms`, has an unknown: what is
// given keeps it, or contradicts itself.
void crm_draft_drop_constant_row(crm_draft *draft, int terms);

static inline const crm_body *crm_draft_body(const crm_draft *draft, int body) {
    return &draft->model->bodies.items[body];
}
static inline bool crm_has_directors(const crm_body *body) {
    return body->kind == CAROM_BODY_FREE || body->kind == CAROM_BODY_PLANAR;
}
// E = tr(J)/2 1 - J in principal axes, kg m^2; of planar bodies what rotates in their plane alone.
static inline carom_vec3 crm_director_inertia(const crm_body *body) {
    carom_vec3 j = body->inertia;
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.5 * j.z, 0.5 * j.z, 0.0);
    double half = 0.5 * (j.x + j.y + j.z);
    return crm_vec3(half - j.x, half - j.y, half - j.z);
}
static inline crm_place crm_node_place(int node) {
    return (crm_place){CRM_PLACE_NODE, node, 0};
}
static inline crm_place crm_interval_place(int interval) {
    return (crm_place){CRM_PLACE_INTERVAL, interval, 0};
}
static inline bool crm_is_fixed(const crm_draft *draft, int32_t unknown) {
    return draft->builder.lower.items[unknown] == draft->builder.upper.items[unknown];
}
void crm_draft_fix(crm_draft *draft, int32_t unknown, double value);

// "joint 'elbow' of body 'arm' and body 'hand' at node 3": what the row is about.
enum { CRM_ROW_TEXT = 256 };
const char *crm_row_text(const crm_draft *draft, const crm_row_name *name, char text[CRM_ROW_TEXT]);
// What a violation of 1 of this row is in SI units, and their name.
double crm_row_unit(const crm_draft *draft, const crm_row_name *name, const char **unit);

#endif

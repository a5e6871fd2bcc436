// SPDX-License-Identifier: MIT
// What every check of a plan's motion begins from: poses as the model keeps them, impulses of all forces at the nodes,
// units; and the list of what is violated most.
#ifndef CRM_CONTROL_PLAN_FACTS_H
#define CRM_CONTROL_PLAN_FACTS_H

#include "control/certificate/certify_plan.h"
#include "math/spatial.h"
#include "model/motion.h"

typedef struct crm_plan_facts {
    const carom_model *model;
    const carom_plan_def *def;
    const crm_plan_motion *motion;
    int bodies, intervals;
    double length, time, mass; // the plan's units: of the largest body, the whole, of the lightest body
    crm_motion *start;         // what the model begins with (bodies)
    carom_mat3 *axes;          // principal directors [node * bodies + body]
    crm_motion *at;            // poses alone: nearest rotations [node * bodies + body]
    crm_vec6 *push;    // half the impulses of all forces, about centres of mass [(interval * bodies + body) * 2 + end]
    crm_vec6 *impulse; // of joints and contacts [node * bodies + body]
    crm_plan_findings *out;
} crm_plan_facts;

carom_status crm_plan_facts_of(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                               crm_arena *arena, crm_plan_findings *out, crm_plan_facts *facts, carom_error *error);

static inline int crm_fact_at(const crm_plan_facts *f, int node, int body) {
    return node * f->bodies + body;
}
static inline const crm_body *crm_fact_body(const crm_plan_facts *f, int body) {
    return &f->model->bodies.items[body];
}
static inline bool crm_fact_moves(const crm_plan_facts *f, int body) {
    return crm_body_moves(f->model, body);
}
static inline crm_vec6 crm_fact_push(const crm_plan_facts *f, int interval, int end, int body) {
    return f->push[2 * (interval * f->bodies + body) + end];
}
// Where the origin of the body's frame is.
carom_vec3 crm_fact_origin(const crm_plan_facts *f, int node, int body);

// Momenta of a body at a node, before its impulses there and after them.
crm_vec6 crm_fact_momenta_before(const crm_plan_facts *f, int node, int body);
crm_vec6 crm_fact_momenta_after(const crm_plan_facts *f, int node, int body);
// Velocity of the centre of mass and spin with these momenta.
crm_vec6 crm_fact_twist(const crm_plan_facts *f, int node, int body, crm_vec6 momenta);

// The node of a condition: of those counted from the end the last one.
static inline int crm_fact_node(const crm_plan_facts *f, int node) {
    return node < 0 ? f->intervals : node;
}

// Notes that a law is off by `value`, of which `unit` is 1 in the plan's units.
void crm_violation_note(crm_plan_facts *f, crm_plan_violation violation, double unit);
// A sentence about it: which row, whose, where, by how much.
void crm_violation_text(const carom_model *model, const crm_plan_violation *violation, char *text, size_t size);

// ---- the checks, in this order

void crm_check_motion(crm_plan_facts *facts);                                // motion_check.c
void crm_check_asked(crm_plan_facts *facts);                                 // asked_check.c
bool crm_pose_is_asked(const crm_plan_facts *facts, int node, int a, int b); // both, or one seen from the other
void crm_check_momentum(crm_plan_facts *facts);                              // momentum_check.c
void crm_check_limits(crm_plan_facts *facts);                                // limit_check.c, with effort and rotations
void crm_check_touches(crm_plan_facts *facts);                               // touch_check.c
carom_status crm_check_gaps(crm_plan_facts *facts, crm_arena *arena, carom_error *error); // gap_check.c

#endif

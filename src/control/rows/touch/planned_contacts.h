// SPDX-License-Identifier: MIT
// Planned contacts (docs/math.md 16.9): what touches at the nodes where two arcs meet, and with which impulses.
#ifndef CRM_CONTROL_PLANNED_CONTACTS_H
#define CRM_CONTROL_PLANNED_CONTACTS_H

#include "control/rows/draft.h"
#include "control/rows/touch/convex_parts.h"

enum { CRM_PYRAMID = 4 }; // directions of friction

// One contact. `a` is the half-space if there is one, so that it is not always the definition's first body.
typedef struct crm_planned_contact {
    int index;   // of the definition
    int node;    // of this level
    bool at_end; // they touch at the last node, and exchange nothing
    bool sticky; // a corner of b stays where it is from the node on
    bool single; // one vertex each: no choice of what touches
    const crm_convex_part *a, *b;
    double restitution, friction, least; // the last: impulse, plan's units
    int corner;                          // of b, of sticky ones

    int32_t plane;          // alpha, then o unless single; -1: the half-space's own
    int32_t push_a, push_b; // impulses of vertices, or weights; -1: none
    int32_t slip;           // of each vertex of b: CRM_PYRAMID impulses, then the speed of sliding; -1: no friction
    int32_t hold;           // sticky: impulses of nodes, three each, from the node on; -1: none
} crm_planned_contact;

// A row lambda g <= epsilon, or |lambda psi| <= epsilon.
typedef struct crm_product_row {
    int32_t row;
    bool both_sides;
} crm_product_row;

struct crm_planned {
    crm_convex_parts parts;
    int count;
    crm_planned_contact *contact; // in the order of their nodes
    int32_t *twist;               // of a body at a contact's node: before, then after, v and w each; -1: none
                                  // [contact * moving_count + slot]; contacts at one node share them
    int product_count, product_room;
    crm_product_row *product;
};

// NULL in `*out` where no contact is planned. Nodes are at `intervals`.
carom_status crm_planned_create(const carom_model *model, const carom_plan_def *def, int intervals,
                                const crm_plan_units *units, const crm_motion *start, crm_arena *arena,
                                crm_planned **out, carom_error *error);

// The inner nodes at which contacts are planned: there arcs end. `node` has room for all contacts.
crm_arc_ends crm_planned_arcs(const carom_plan_def *def, int intervals, int *node);

// Whether the two bodies touch at a node because that is planned.
bool crm_planned_touches(const carom_plan_def *def, int intervals, int node, int a, int b);

// Adds unknowns and rows; called when balances are there.
void crm_planned_add(crm_draft *draft);
bool crm_planned_has_choices(const crm_planned *planned); // products that are to become small
void crm_planned_relax(const crm_planned *planned, double epsilon, crm_program *program);

#endif

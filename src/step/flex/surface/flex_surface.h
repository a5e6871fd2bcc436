// SPDX-License-Identifier: MIT
// Contacts of the surfaces of flexible bodies (docs/math.md 15.9): with each other, with themselves, and with the
// corners and edges of polytopes. A point, a node or a corner, touches a triangle, or an edge another edge; every node
// bears its barycentric share.
//
// The room surface/: positions and velocities of nodes and poses of rigid bodies enter; contacts leave: whose they are,
// point, normal, gap. Called by lcp.
#ifndef CRM_STEP_FLEX_SURFACE_H
#define CRM_STEP_FLEX_SURFACE_H

#include "base/array.h"
#include "model/model_state.h"

enum { CRM_SURFACE_ENDS = 4 };

// The ends of one side, a point or an edge, are pushed along the normal; those of the other one, a triangle, an edge or
// a rigid body, back.
typedef struct crm_surface_contact {
    int body[CRM_SURFACE_ENDS];       // of the model; -1: there is no such end
    double weight[CRM_SURFACE_ENDS];  // barycentric coordinates of the first side's ends, minus those of the other's
    double lean[CRM_SURFACE_ENDS][2]; // of tangents: what of the normal an end is pushed along beside
    carom_vec3 point;                 // on the first side, m: where what is rigid is pushed
    carom_vec3 direction[3];          // normal, from the other side to the first, and two tangents, unit
    double gap;                       // m, less both skins
    double size;                      // of an edge, m
    double friction;
    bool of_edges;
    double impulse[3]; // N s, along the directions
} crm_surface_contact;

typedef CRM_ARRAY(crm_surface_contact) crm_surface_contacts;

typedef struct crm_surface crm_surface; // of one flexible body

typedef struct crm_flex_surfaces {
    const carom_model *model;
    int count;
    crm_surface *surfaces; // (count)
    crm_arena arena;       // scratch of a search
    crm_surface_contacts found;
    double deepest; // of what is too deep to be pushed: how deep, as a share of an edge
    // Scratch of nodes (bodies of the model).
    carom_vec3 *normal;         // by angles
    int *place;                 // among those of their surface
    int *stamp, stamped;        // those that are marked have this number
    int *met, pair;             // those that touch the other surface of this pair,
    carom_vec3 *contact_normal; // and along which normal
} crm_flex_surfaces;

// To be released, whatever the status.
carom_status crm_flex_surfaces_create(carom_state *state, crm_flex_surfaces *out, carom_error *error);
void crm_flex_surfaces_release(crm_flex_surfaces *surfaces);

// The direction in which an end is pushed by an impulse of 1 along a direction of the contact. Both sides are a way
// along the normal apart, so that friction at both would be a couple: `lean` takes that off, as forces along the normal
// on nodes of a side. So momenta are kept, and rows have the velocity of a point that rotates with it.
static inline carom_vec3 crm_surface_row(const crm_surface_contact *contact, int end, int k) {
    carom_vec3 row = crm_scale(contact->weight[end], contact->direction[k]);
    return k > 0 ? crm_madd(row, contact->lean[end][k - 1], contact->direction[0]) : row;
}

// Finds all contacts that a step of that length can bring about from these motions, into `found`, without impulses.
carom_status crm_flex_surfaces_find(crm_flex_surfaces *surfaces, const crm_motion *motions, double step,
                                    carom_error *error);

#endif

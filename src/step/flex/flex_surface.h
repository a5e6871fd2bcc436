// SPDX-License-Identifier: MIT
// Contacts of the surfaces of flexible bodies (docs/math.md 15.9): with each other, with themselves, and with the
// corners of polytopes. What touches is a point, a node or a corner; what it touches a triangle, each of whose nodes
// bears its barycentric share.
//
//   enters    positions and velocities of nodes, poses of rigid bodies
//   leaves    contacts: whose they are, point, normal, gap
//   callers   lcp
#ifndef CRM_STEP_FLEX_SURFACE_H
#define CRM_STEP_FLEX_SURFACE_H

#include "base/array.h"
#include "model/model_state.h"

enum { CRM_SURFACE_ENDS = 4 };

// The point is end 0, and is pushed along the normal; the nodes of the triangle are pushed back.
typedef struct crm_surface_contact {
    int body[CRM_SURFACE_ENDS];       // of the model
    double weight[CRM_SURFACE_ENDS];  // 1 of the point; minus the barycentric coordinates of the triangle's nodes
    double lean[CRM_SURFACE_ENDS][2]; // of tangents: what of the normal an end is pushed along beside
    carom_vec3 point;                 // where both are pushed: the node or corner, m
    carom_vec3 direction[3];          // normal, from the triangle to the point, and two tangents, unit
    double gap;                       // m, less both skins
    double size;                      // of an edge, m
    double friction;
    double impulse[3]; // N s, along the directions
} crm_surface_contact;

typedef CRM_ARRAY(crm_surface_contact) crm_surface_contacts;

typedef struct crm_surface crm_surface; // of one flexible body

typedef struct crm_flex_surfaces {
    const carom_model *model;
    int count;
    crm_surface *surfaces; // (count)
    carom_vec3 *normal;    // of nodes, by angles: scratch (bodies of the model)
    int *stamp;            // scratch (bodies of the model)
    int stamped;
    crm_arena arena; // scratch of a search
    crm_surface_contacts found;
    double deepest; // of points that are too deep to be pushed: how deep, as a share of an edge
} crm_flex_surfaces;

// To be released, whatever the status.
carom_status crm_flex_surfaces_create(carom_state *state, crm_flex_surfaces *out, carom_error *error);
void crm_flex_surfaces_release(crm_flex_surfaces *surfaces);

// The direction in which an end is pushed by an impulse of 1 along a direction of the contact. The point is a way along
// the normal off the triangle, so that friction at both would be a couple: `lean` takes that off, as forces along the
// normal on the triangle's nodes. So momenta are kept, and rows have the velocity of a point that rotates with the
// triangle.
static inline carom_vec3 crm_surface_row(const crm_surface_contact *contact, int end, int k) {
    carom_vec3 row = crm_scale(contact->weight[end], contact->direction[k]);
    return k > 0 ? crm_madd(row, contact->lean[end][k - 1], contact->direction[0]) : row;
}

// Finds all contacts that a step of that length can bring about from these motions, into `found`, without impulses.
carom_status crm_flex_surfaces_find(crm_flex_surfaces *surfaces, const crm_motion *motions, double step,
                                    carom_error *error);

#endif

// SPDX-License-Identifier: MIT
// What meets by its box: the definition that every search must agree with.
#ifndef CRM_CONTACT_BROAD_PHASE_RULES_H
#define CRM_CONTACT_BROAD_PHASE_RULES_H

#include "contact/item.h"
#include "distance/side.h"

// A half-space or container, ready to be asked about many boxes.
typedef struct crm_static_bound {
    bool container;
    double normal[3]; // half-space: unit but for rounding, to the free side
    double origin[3]; // a point of the plane; the centre of the container
    double radius;    // container, m
    double margin;    // of the proxy, m; may be infinite
    double slack;     // per metre of the box's distance from the origin
} crm_static_bound;

static inline bool crm_is_static_geometry(const carom_view *view) {
    carom_shape_kind kind = crm_view_kind(view);
    return kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER;
}

crm_static_bound crm_static_bound_of(const carom_view *view, double margin);

// Whether a box comes within the margin of the surface or beyond it. Rounding included, a box that holds another one
// never meets less than that: a box about many boxes that does not meet tells that none of them does.
bool crm_meets_static_geometry(const crm_static_bound *bound, const crm_box *box);

#endif

// SPDX-License-Identifier: MIT
// carom_features_find for callers who have the ray already.
//
// The room features/: two polytopes and their centre ray enter; the list of feature contacts leaves (corners on facets,
// edges on edges), each once. Called by carom_features_find, and by contact/narrow/manifold_features.c for every pair
// of polytopes near each other.
#ifndef CRM_DISTANCE_FEATURES_H
#define CRM_DISTANCE_FEATURES_H

#include "carom/features.h"
#include "distance/side.h"

// Feature contacts of two sides with polytopes, with valid options and any optimal ray of the same sides that looks
// from centre to centre. Returns how many there are; the first `capacity` of them are written.
int crm_list_features(const crm_side *a, const crm_side *b, const carom_ray_witness *ray,
                      const carom_feature_options *options, int capacity, carom_feature_contact *out);

// A box in the world, made ready for many questions.
typedef struct crm_posed_box {
    carom_vec3 position; // of its middle, world
    carom_vec3 half;     // of its edges, m
    carom_vec3 axis[3];  // unit, at right angles to rounding, world
    double size;         // no point is farther from the middle, m
    double plane_to;     // facets are plane to this, m
    carom_vec3 centre;   // where it is seen from, own frame, when that is not the middle
    bool has_centre;
} crm_posed_box;

// Whether crm_pose_box can take a view: a box, seen from a point inside of it.
bool crm_is_box(const carom_view *view);
// The view's pose has been checked (crm_check_view).
crm_posed_box crm_pose_box(const carom_view *view);
// Axes of an attitude that may be off from length 1 by 1e-9: unit and at right angles to rounding, world.
void crm_axes_of(carom_quat attitude, carom_vec3 axis[3]);

// A plane between two boxes: along `normal` they are `gap` apart, and so apart at least that far.
typedef struct crm_box_plane {
    carom_vec3 normal; // unit, from A to B, world
    double gap;        // m; negative: the boxes overlap along it
    double value;      // of the centre ray, m: no less than the gap of the boxes. Infinite: not asked for.
} crm_box_plane;

// Most feature contacts that two boxes can have: 8 corners on the 3 facets towards them, both ways, and all edges with
// all.
enum { CRM_MOST_BOX_FEATURES = 2 * 8 * 3 + 12 * 12 };

// carom_features_find for two boxes, with valid options. Without a ray: the boxes' own axes and those across their
// edges tell its value.
//
// First asks whether an axis has them farther apart than `near`, m. Then it returns false, with that axis in `plane`
// and no feature contacts. Otherwise returns true: `count` gets how many there are, the first `capacity` of them are
// written, and `plane` is that of the centre ray: of all planes the one with the largest gap over the distance of the
// centres along it, which is negative if and only if the boxes overlap. With an infinite `near` they are always
// listed. At least as large as the gap_tolerance, `near` hides none but those of boxes that are farther apart than
// it, which no step within the tolerance brings together.
bool crm_list_box_features(const crm_posed_box *a, const crm_posed_box *b, double near,
                           const carom_feature_options *options, int capacity, carom_feature_contact *out, int *count,
                           crm_box_plane *plane);

#endif

// SPDX-License-Identifier: MIT
// The searches behind carom_ray_find and carom_gap_find, one per family of pairs. Each fills its witness completely,
// in the world frame, reads `cache` as a start and leaves the next one there. None fails.
#ifndef CRM_DISTANCE_MEASURE_H
#define CRM_DISTANCE_MEASURE_H

#include "distance/side.h"

// CAROM_OK, or a sentence about why carom_gap_find cannot be asked about these views (find_gap.c).
carom_status crm_check_pair(const carom_view *a, const carom_view *b, carom_error *error);

// ---- cores with or without balls around them

// Both sides sharp (centre_ray_body.h). `beta` is a unit vector from A to B; the line along it may miss. outcome,
// value, plane_gap, beta, alpha, normal, points, touches (basis solution), accuracy and supports are set; the callers
// know the rest.
void crm_sharp_ray(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                   carom_ray_witness *out);
// The same for two boxes or polytopes seen from their own centres, straight from the views, with the rest that the
// callers know; ties not broken. False when it is not that simple.
bool crm_plain_ray(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_ray_witness *out);
// The same for carom_gap_find.
void crm_plain_gap(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_gap_witness *out);
// Sharp sides or balls around cores (core_gap_body.h).
void crm_core_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out);

// The same where both cores are points or segments (segments.c).
void crm_segment_gap(const crm_side *a, const crm_side *b, carom_gap_witness *out);

// ---- with something round (round_ray.c, round_gap.c)

// At least one side not sharp: Newton with active vertices on the plane <alpha, beta> = 1.
void crm_round_ray(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                   carom_ray_witness *out);
// One side an ellipsoid, the other one not: the same on the unit sphere.
void crm_round_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out);

// Each side one point with a ball or an ellipsoid about it (ellipsoid_gap.c).
void crm_ellipsoid_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out);
// Whether crm_ellipsoid_gap is for it.
static inline bool crm_is_round_point(const crm_side *side) {
    return side->vertex_count == 1 && side->roundness != CRM_SHARP;
}

// ---- points

// Weights are rounded, and a search may end where they are good to 1e-12: half of what the points are then off being
// `apart` from each other is put on either of them, which moves it by no more along its surface, and far less across.
static inline void crm_align_points(carom_vec3 apart, carom_vec3 *point_a, carom_vec3 *point_b) {
    carom_vec3 off = crm_sub(crm_sub(*point_b, *point_a), apart);
    *point_a = crm_madd(*point_a, 0.5, off);
    *point_b = crm_madd(*point_b, -0.5, off);
}

// ---- tie breaking (tie_breaking.c)

// From any optimal answer, its touches ascending and with positive weights, to the alpha and the weights of least norm,
// with the flags that say whether these were unique, and the points that belong to them. What differs by less than 1e-9
// of a body's size counts as equal (CRM_ACTIVE_TOLERANCE); the points stay in the supporting planes, and so are off the
// vertices' weighted means by no more than that. Only sharp sides have several alphas: otherwise it is kept.
void crm_break_ray_ties(const crm_side *a, const crm_side *b, carom_ray_witness *ray);
// The same for the points of a gap, with `normal` kept.
void crm_break_gap_ties(const crm_side *a, const crm_side *b, carom_gap_witness *gap);

#endif

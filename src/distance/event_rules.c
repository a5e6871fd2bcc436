// SPDX-License-Identifier: MIT
#include "distance/event_rules.h"

#include "shape/support.h"

// The guest's least value of normal.y; `guess` is a vertex near it.
static double guest_low(const crm_event_frame *frame, carom_vec3 normal, int guess) {
    carom_vec3 down = crm_negate(crm_mat3_apply_t(frame->turn, normal));
    int lowest = crm_support_vertex(frame->guest, down, guess);
    return crm_dot(normal, frame->shift) - crm_dot(down, frame->guest->vertex[lowest]);
}

static double owner_high(const crm_event_frame *frame, carom_vec3 normal, int guess) {
    return crm_dot(normal, frame->owner->vertex[crm_support_vertex(frame->owner, normal, guess)]);
}

// The rule of rho without the supports: phi = t n.beta to the tolerance. Sets `along`.
static bool gap_fits(const crm_event_frame *frame, crm_met *met) {
    met->along = crm_dot(met->normal, frame->towards);
    return met->along > 0.0 && fabs(met->gap - frame->limits.value * met->along) <= frame->limits.tolerance;
}

static double square_distance_to_segment(carom_vec3 arm, carom_vec3 side, double square_length) {
    double at = crm_dot(arm, side) / square_length;
    at = at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
    return crm_length_squared(crm_madd(arm, -at, side));
}

// Whether `point`, of the facet's plane, is within `reach` of the facet.
static bool in_facet(const crm_polytope *p, int facet, carom_vec3 point, double reach) {
    const int *vertex = p->facet_vertex + p->facet_start[facet];
    int count = p->facet_start[facet + 1] - p->facet_start[facet];
    double nearest = INFINITY; // square of the distance to a side that the point is beyond
    carom_vec3 last = p->vertex[vertex[count - 1]];
    for (int i = 0; i < count; i++) {
        carom_vec3 next = p->vertex[vertex[i]], side = crm_sub(next, last), arm = crm_sub(point, last);
        double inward = crm_dot(p->normal[facet], crm_cross(side, arm)); // times the side's length
        last = next;
        if (inward >= 0.0) continue;
        double square_length = crm_length_squared(side);
        if (inward * inward > reach * reach * square_length) return false;
        double square = square_distance_to_segment(arm, side, square_length);
        nearest = square < nearest ? square : nearest;
    }
    return nearest == INFINITY || nearest <= reach * reach;
}

bool crm_corner_meets_facet(const crm_event_frame *frame, int corner, int facet, crm_met *out) {
    const crm_polytope *owner = frame->owner;
    double offset = owner->offset[facet]; // the owner's support value: the facet has no lift of its own
    out->normal = owner->normal[facet];
    out->point = crm_guest_vertex(frame, corner);
    out->gap = crm_dot(out->normal, out->point) - offset;
    out->guest_at = out->owner_at = 0.0;
    if (!gap_fits(frame, out)) return false;
    if (!in_facet(owner, facet, crm_madd(out->point, -out->gap, out->normal), frame->limits.reach)) return false;
    return out->gap - (guest_low(frame, out->normal, corner) - offset) <= frame->limits.tolerance;
}

// Whether a point at `at` (0 ... 1 between the ends) is within `reach` of the edge.
static bool on_edge(double at, double square_length, double reach) {
    double beyond = at < 0.0 ? -at : at > 1.0 ? at - 1.0 : 0.0;
    return beyond * beyond * square_length <= reach * reach;
}

bool crm_edges_meet(const crm_event_frame *frame, int guest_edge, int owner_edge, crm_met *out) {
    const int *g = frame->guest->edge[guest_edge].vertices, *o = frame->owner->edge[owner_edge].vertices;
    carom_vec3 guest = crm_guest_vertex(frame, g[0]), owner = frame->owner->vertex[o[0]];
    carom_vec3 along_guest =
        crm_mat3_apply(frame->turn, crm_sub(frame->guest->vertex[g[1]], frame->guest->vertex[g[0]]));
    carom_vec3 along_owner = crm_sub(frame->owner->vertex[o[1]], owner);
    carom_vec3 across = crm_cross(along_guest, along_owner);
    double square = crm_length_squared(across);
    double square_guest = crm_length_squared(along_guest), square_owner = crm_length_squared(along_owner);
    if (!(square >= frame->limits.square_sine * square_guest * square_owner)) return false;

    // guest + s along_guest = owner + r along_owner + gap n
    carom_vec3 apart = crm_sub(owner, guest);
    double s = crm_dot(crm_cross(apart, along_owner), across) / square;
    double r = crm_dot(crm_cross(apart, along_guest), across) / square;
    double reach = frame->limits.reach;
    if (!on_edge(s, square_guest, reach) || !on_edge(r, square_owner, reach)) return false;

    double length = sqrt(square);
    out->normal = crm_scale(crm_dot(across, frame->towards) < 0.0 ? -1.0 / length : 1.0 / length, across);
    out->gap = -crm_dot(out->normal, apart);
    if (!gap_fits(frame, out)) return false;
    double pair_gap = guest_low(frame, out->normal, g[0]) - owner_high(frame, out->normal, o[0]);
    if (out->gap - pair_gap > frame->limits.tolerance) return false;
    out->point = crm_madd(guest, s, along_guest);
    out->guest_at = s * sqrt(square_guest);
    out->owner_at = r * sqrt(square_owner);
    return true;
}

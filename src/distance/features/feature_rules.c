// SPDX-License-Identifier: MIT
#include "distance/features/feature_rules.h"

#include "shape/support/support.h"

// ---- lifts

// How far a body extends over a point along a unit vector; `guess` is a vertex near the farthest.
static double lift_over(const crm_polytope *p, carom_vec3 point, carom_vec3 up, int guess) {
    return crm_dot(up, crm_sub(p->vertex[crm_support_vertex(p, up, guess)], point));
}

// Sine of the steepest way up from an edge into the solid, 0 when there is none: in one of its facets, or along `up`
// itself where that points into the solid. `up` is unit, normal to the edge.
static double edge_slope(const crm_polytope *p, int edge, carom_vec3 up) {
    const carom_edge *e = &p->edge[edge];
    carom_vec3 left = p->normal[e->facets[0]], right = p->normal[e->facets[1]], along;
    if (crm_dot(up, left) < 0.0 && crm_dot(up, right) < 0.0) return 1.0;
    crm_normalise(crm_sub(p->vertex[e->vertices[1]], p->vertex[e->vertices[0]]), &along);
    double in_left = crm_dot(up, crm_cross(left, along)), in_right = crm_dot(up, crm_cross(along, right));
    double steeper = in_left > in_right ? in_left : in_right;
    return steeper > 0.0 ? steeper : 0.0;
}

static double slope_along(carom_vec3 way, carom_vec3 up) {
    carom_vec3 unit;
    crm_normalise(way, &unit);
    return crm_dot(up, unit);
}

// The same within one facet, from its corner `at`, by place in its ring.
static double facet_slope(const crm_polytope *p, int facet, int at, carom_vec3 up) {
    int start = p->facet_start[facet], count = p->facet_start[facet + 1] - start;
    carom_vec3 corner = p->vertex[p->facet_vertex[start + at]], m = p->normal[facet];
    carom_vec3 next = crm_sub(p->vertex[p->facet_vertex[start + (at + 1) % count]], corner);
    carom_vec3 last = crm_sub(p->vertex[p->facet_vertex[start + (at + count - 1) % count]], corner);
    carom_vec3 steepest = crm_madd(up, -crm_dot(up, m), m);
    if (crm_dot(m, crm_cross(next, steepest)) >= 0.0 && crm_dot(m, crm_cross(steepest, last)) >= 0.0)
        return crm_length(steepest);
    double a = slope_along(next, up), b = slope_along(last, up);
    return a > b ? a : b;
}

// The same from a corner.
static double corner_slope(const crm_polytope *p, int corner, carom_vec3 up) {
    double steepest = 0.0;
    bool inside = true;
    for (int facet = 0; facet < p->facet_count; facet++)
        for (int i = p->facet_start[facet]; i < p->facet_start[facet + 1]; i++) {
            if (p->facet_vertex[i] != corner) continue;
            double slope = facet_slope(p, facet, i - p->facet_start[facet], up);
            steepest = slope > steepest ? slope : steepest;
            inside = inside && crm_dot(up, p->normal[facet]) < 0.0;
        }
    return inside ? 1.0 : steepest;
}

static double smaller(double a, double b) {
    return a < b ? a : b;
}

// ---- rules

// The rule of rho: phi = t n.beta to the tolerance. Sets `along`.
static bool gap_fits(const crm_feature_frame *frame, crm_met *met) {
    met->along = crm_dot(met->normal, frame->towards);
    return met->along > 0.0 && fabs(met->gap - frame->limits.value * met->along) <= frame->limits.tolerance;
}

static double square_distance_to_segment(carom_vec3 arm, carom_vec3 side, double square_length) {
    double at = crm_dot(arm, side) / square_length;
    at = at < 0.0 ? 0.0 : at > 1.0 ? 1.0 : at;
    return crm_length_squared(crm_madd(arm, -at, side));
}

// Whether `point`, of the facet's plane, is within `margin` of the facet.
static bool in_facet(const crm_polytope *p, int facet, carom_vec3 point, double margin) {
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
        if (inward * inward > margin * margin * square_length) return false;
        double square = square_distance_to_segment(arm, side, square_length);
        nearest = square < nearest ? square : nearest;
    }
    return nearest == INFINITY || nearest <= margin * margin;
}

bool crm_corner_meets_facet(const crm_feature_frame *frame, int corner, int facet, crm_met *out) {
    const crm_polytope *owner = frame->owner;
    out->normal = owner->normal[facet];
    out->point = crm_guest_vertex(frame, corner);
    out->gap = crm_dot(out->normal, out->point) - owner->offset[facet];
    out->guest_at = out->owner_at = 0.0;
    if (!gap_fits(frame, out)) return false;
    if (!in_facet(owner, facet, crm_madd(out->point, -out->gap, out->normal), frame->limits.margin)) return false;
    // The facet is in the owner's support plane and has no lift of its own.
    carom_vec3 down = crm_negate(crm_mat3_apply_t(frame->rotation, out->normal));
    double lift = lift_over(frame->guest, frame->guest->vertex[corner], down, corner);
    return lift <= frame->limits.tolerance ||
           frame->owner_size * corner_slope(frame->guest, corner, down) <= frame->limits.tolerance;
}

// Whether a point at `at` (0 ... 1 between the ends) is within `margin` of the edge.
static bool on_edge(double at, double square_length, double margin) {
    double beyond = at < 0.0 ? -at : at > 1.0 ? at - 1.0 : 0.0;
    return beyond * beyond * square_length <= margin * margin;
}

crm_guest_edge crm_guest_edge_of(const crm_feature_frame *frame, int edge) {
    const int *ends = frame->guest->edge[edge].vertices;
    carom_vec3 along = crm_sub(frame->guest->vertex[ends[1]], frame->guest->vertex[ends[0]]);
    double square = crm_length_squared(along);
    return (crm_guest_edge){.number = edge,
                            .point = crm_guest_vertex(frame, ends[0]),
                            .along = crm_mat3_apply(frame->rotation, along),
                            .square = square,
                            .beyond = frame->limits.margin / sqrt(square)};
}

static bool edges_are_low(const crm_feature_frame *frame, int guest_edge, int owner_edge, carom_vec3 normal) {
    const crm_polytope *guest = frame->guest, *owner = frame->owner;
    int g = guest->edge[guest_edge].vertices[0], o = owner->edge[owner_edge].vertices[0];
    carom_vec3 down = crm_negate(crm_mat3_apply_t(frame->rotation, normal));
    double guest_lift = lift_over(guest, guest->vertex[g], down, g);
    double owner_lift = lift_over(owner, owner->vertex[o], normal, o);
    if (guest_lift + owner_lift <= frame->limits.tolerance) return true;
    return smaller(guest_lift, frame->owner_size * edge_slope(guest, guest_edge, down)) +
               smaller(owner_lift, frame->guest_size * edge_slope(owner, owner_edge, normal)) <=
           frame->limits.tolerance;
}

bool crm_edges_meet(const crm_feature_frame *frame, const crm_guest_edge *guest, int owner_edge, crm_met *out) {
    const int *o = frame->owner->edge[owner_edge].vertices;
    carom_vec3 owner = frame->owner->vertex[o[0]], along_owner = crm_sub(frame->owner->vertex[o[1]], owner);
    carom_vec3 across = crm_cross(guest->along, along_owner);
    double square = crm_length_squared(across), square_owner = crm_length_squared(along_owner);
    if (!(square >= frame->limits.square_sine * guest->square * square_owner)) return false;

    // guest + s along = owner + r along_owner + gap n
    carom_vec3 apart = crm_sub(owner, guest->point);
    double s = crm_dot(crm_cross(apart, along_owner), across) / square;
    double r = crm_dot(crm_cross(apart, guest->along), across) / square;
    double margin = frame->limits.margin;
    if (!on_edge(s, guest->square, margin) || !on_edge(r, square_owner, margin)) return false;

    double length = sqrt(square);
    out->normal = crm_scale(crm_dot(across, frame->towards) < 0.0 ? -1.0 / length : 1.0 / length, across);
    out->gap = -crm_dot(out->normal, apart);
    if (!gap_fits(frame, out) || !edges_are_low(frame, guest->number, owner_edge, out->normal)) return false;
    out->point = crm_madd(guest->point, s, guest->along);
    out->guest_at = s * sqrt(guest->square);
    out->owner_at = r * sqrt(square_owner);
    return true;
}

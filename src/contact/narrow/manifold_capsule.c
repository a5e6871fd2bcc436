// SPDX-License-Identifier: MIT
// Capsules: a segment, the *core*, with a ball around it. Where two cores, or a core and a facet or edge, run nearly
// parallel, the nearest points alone let the capsule rock: within one step it can come down anywhere along the stretch
// in which both lie over each other. The gap along the stretch is convex, nearly linear, so that its two ends, each
// with its own true gap and normal, hold it.
//
//   capsule, capsule   the ends of either core, each over its nearest point of the other core, where that is inside of
//                      it, or the two ends are nearest to each other; and the crossing where the cores cross
//   capsule, polytope  over every facet that the capsule is in front of, the ends of the stretch of its core that lies
//                      over the facet; where it lies over an edge, as two capsules, the edge being one without a ball
//
// Every one is a distance of points of both bodies, so none is smaller than the gap of the pair; those within the
// margin are listed. None appears or goes but at the limit of the margin, or where it meets another one.
#include <math.h>

#include "contact/narrow/manifold.h"
#include "distance/side.h"

// Shares of a core this near to 0 or 1 are an end of it; normals this near are one, and segments parallel, rad.
static const double end_share = 1e-9, same_normal = 1e-6, parallel = 1e-6;
// Least cosine to the normal of the gap at which the capsule is in front of a facet: rounding must not decide.
static const double facing = 1e-9;

// Numbers of contacts: the crossing or nearest points, the ends of A and B, and two a facet.
enum { AT_NEAREST = 0, AT_ENDS_OF_A = 1, AT_ENDS_OF_B = 3, AT_FACETS = 5 };

typedef struct segment {
    carom_vec3 end[2]; // world
    double radius;     // of the ball around it
} segment;

typedef struct rows {
    crm_manifold *m;
    int first;     // place of the first of them in the list
    double lowest; // of the gaps that were listed
} rows;

static rows rows_of(crm_manifold *m) {
    return (rows){.m = m, .first = m->out->count, .lowest = INFINITY};
}

static bool put_row(rows *r, int number, double gap, carom_vec3 normal, carom_vec3 point_a, carom_vec3 point_b) {
    if (!(gap <= r->m->margin)) return true;
    r->lowest = fmin(r->lowest, gap);
    return crm_put_contact(r->m, CAROM_CONTACT_KIND_NEAREST, number, 0, gap, normal, point_a, point_b);
}

static bool put_witness(rows *r, const carom_gap_witness *w) {
    return put_row(r, AT_NEAREST, w->gap, w->normal, w->point_a, w->point_b);
}

// ---- two segments

// Where on a segment the nearest point to `p` is: 0 ... 1.
static double foot(const segment *s, carom_vec3 p) {
    carom_vec3 along = crm_sub(s->end[1], s->end[0]);
    double at = crm_dot(crm_sub(p, s->end[0]), along) / crm_length_squared(along);
    return at < end_share ? 0.0 : at > 1.0 - end_share ? 1.0 : at;
}

static carom_vec3 place_on(const segment *s, double at) {
    return at == 1.0 ? s->end[1] : crm_madd(s->end[0], at, crm_sub(s->end[1], s->end[0]));
}

// An end of `own` over the other segment. Two ends that are nearest to each other are listed as that of A.
static bool put_end(rows *r, const segment *own, int end, const segment *other, bool own_is_a) {
    double at = foot(other, own->end[end]);
    if (at == 0.0 || at == 1.0) {
        bool nearest_to_each_other = foot(own, other->end[(int)at]) == end;
        if (!own_is_a || !nearest_to_each_other) return true;
    }
    carom_vec3 across = crm_sub(place_on(other, at), own->end[end]), towards_other;
    double distance = crm_normalise(across, &towards_other);
    if (distance <= r->m->rounding) return true; // without a direction: the nearest points have one
    carom_vec3 of_own = crm_madd(own->end[end], own->radius, towards_other);
    double gap = distance - own->radius - other->radius;
    carom_vec3 of_other = crm_madd(of_own, gap, towards_other);
    if (own_is_a) return put_row(r, AT_ENDS_OF_A + end, gap, towards_other, of_own, of_other);
    return put_row(r, AT_ENDS_OF_B + end, gap, crm_negate(towards_other), of_other, of_own);
}

// Of parallel segments the ends tell all, and any point between is as near.
static bool are_parallel(const segment *a, const segment *b) {
    carom_vec3 u = crm_sub(a->end[1], a->end[0]), v = crm_sub(b->end[1], b->end[0]);
    double square = crm_length_squared(u) * crm_length_squared(v);
    return crm_length_squared(crm_cross(u, v)) <= parallel * parallel * square;
}

static bool put_segments(rows *r, const segment *a, const segment *b, const carom_gap_witness *w) {
    bool cross = w->a.vertex_count == 2 && w->b.vertex_count == 2 && !are_parallel(a, b);
    if (cross && !put_witness(r, w)) return false;
    for (int end = 0; end < 2; end++)
        if (!put_end(r, a, end, b, true)) return false;
    for (int end = 0; end < 2; end++)
        if (!put_end(r, b, end, a, false)) return false;
    return true;
}

static segment core_of(const crm_side *side) {
    return (segment){
        .end = {crm_add(side->centre, crm_core_arm(side, 0)), crm_add(side->centre, crm_core_arm(side, 1))},
        .radius = side->radius};
}

// The nearest points, unless a contact with their gap is there; they come first in the order.
static bool put_missing(rows *r, const carom_gap_witness *w) {
    if (r->lowest <= w->gap + r->m->rounding) return true;
    if (!put_witness(r, w)) return false;
    carom_contact *list = r->m->out->items, nearest = list[r->m->out->count - 1];
    for (int i = r->m->out->count - 1; i > r->first; i--) list[i] = list[i - 1];
    list[r->first] = nearest;
    return true;
}

static bool find_nearest(crm_manifold *m, carom_gap_witness *w) {
    const carom_distance_options quick = {.struct_size = sizeof(carom_distance_options), .any_solution = true};
    (void)carom_gap_find(&m->a->view, &m->b->view, &quick, crm_cache_of(m), w, NULL);
    if (w->gap <= m->margin) return true;
    crm_remember_apart(m, w->normal);
    return false;
}

bool crm_contacts_of_capsules(crm_manifold *m) {
    carom_gap_witness w;
    if (!find_nearest(m, &w)) return true;
    crm_side side_a, side_b;
    crm_side_of(&m->a->view, 0, CRM_FROM_INSIDE, &side_a);
    crm_side_of(&m->b->view, 0, CRM_FROM_INSIDE, &side_b);
    segment a = core_of(&side_a), b = core_of(&side_b);
    rows r = rows_of(m);
    return put_segments(&r, &a, &b, &w) && put_missing(&r, &w);
}

// ---- a segment over a polytope

typedef struct over {
    crm_side capsule, polytope;
    bool capsule_is_a;
    carom_vec3 start, along; // of the core, frame of the polytope
    carom_vec3 outward;      // to the capsule along the normal of the gap, frame of the polytope
} over;

// The stretch of the core that is over a facet. False: there is none.
static bool clip(const over *o, int facet, double slack, double stretch[2]) {
    const crm_polytope *p = o->polytope.polytope;
    const int *ring = p->facet_vertex + p->facet_start[facet];
    int count = p->facet_start[facet + 1] - p->facet_start[facet];
    stretch[0] = 0.0;
    stretch[1] = 1.0;
    for (int i = 0; i < count; i++) {
        carom_vec3 from = p->vertex[ring[i]], side = crm_sub(p->vertex[ring[(i + 1) % count]], from), inward;
        crm_normalise(crm_cross(p->normal[facet], side), &inward);
        double start = crm_dot(inward, crm_sub(o->start, from)), rate = crm_dot(inward, o->along);
        double end = start + rate;
        if (start < -slack && end < -slack) return false;
        if (start < -slack)
            stretch[0] = fmax(stretch[0], fmin(1.0, -start / rate));
        else if (end < -slack)
            stretch[1] = fmin(stretch[1], fmax(0.0, -start / rate));
    }
    return stretch[0] <= stretch[1];
}

static bool put_over_facet(rows *r, const over *o, int facet, double least_gap) {
    const crm_polytope *p = o->polytope.polytope;
    carom_vec3 n = p->normal[facet];
    double radius = o->capsule.radius, start = crm_dot(n, o->start) - p->offset[facet] - radius;
    double rate = crm_dot(n, o->along), stretch[2];
    if (fmin(start, start + rate) > r->m->margin || fmax(start, start + rate) < least_gap) return true;
    if (!clip(o, facet, r->m->rounding, stretch)) return true;
    carom_vec3 outward = crm_mat3_apply(o->polytope.rotation, n);
    for (int end = 0; end < 2; end++) {
        double gap = start + stretch[end] * rate;
        if (gap < least_gap || (end == 1 && stretch[1] - stretch[0] <= end_share)) continue;
        carom_vec3 on_core = crm_madd(o->start, stretch[end], o->along);
        carom_vec3 point = crm_mat3_apply(o->polytope.rotation, crm_madd(on_core, -radius, n));
        point = crm_add(o->polytope.position, point);
        carom_vec3 below = crm_madd(point, -gap, outward);
        int number = AT_FACETS + 2 * facet + end;
        if (!(o->capsule_is_a ? put_row(r, number, gap, crm_negate(outward), point, below)
                              : put_row(r, number, gap, outward, below, point)))
            return false;
    }
    return true;
}

// Whether the normal of the gap is that of a facet; otherwise an edge or corner is nearest.
static bool faces_facet(const over *o) {
    const crm_polytope *p = o->polytope.polytope;
    for (int i = 0; i < p->facet_count; i++)
        if (crm_length_squared(crm_sub(p->normal[i], o->outward)) <= same_normal * same_normal) return true;
    return false;
}

static bool put_over_edge(rows *r, const over *o, const carom_touch *touch, const carom_gap_witness *w) {
    segment core = core_of(&o->capsule), edge = {.radius = 0.0};
    for (int i = 0; i < 2; i++)
        edge.end[i] = crm_add(o->polytope.centre, crm_core_arm(&o->polytope, touch->vertices[i]));
    return o->capsule_is_a ? put_segments(r, &core, &edge, w) : put_segments(r, &edge, &core, w);
}

static bool put_over_facets(rows *r, const over *o, double least_gap) {
    const crm_polytope *p = o->polytope.polytope;
    for (int i = 0; i < p->facet_count; i++)
        if (crm_dot(p->normal[i], o->outward) > facing && !put_over_facet(r, o, i, least_gap)) return false;
    return true;
}

bool crm_contacts_of_capsule_on_polytope(crm_manifold *m) {
    carom_gap_witness w;
    if (!find_nearest(m, &w)) return true;
    over o;
    o.capsule_is_a = crm_view_kind(&m->a->view) == CAROM_SHAPE_CAPSULE;
    crm_side_of(o.capsule_is_a ? &m->a->view : &m->b->view, 0, CRM_FROM_INSIDE, &o.capsule);
    crm_side_of(o.capsule_is_a ? &m->b->view : &m->a->view, 0, CRM_FROM_INSIDE, &o.polytope);
    carom_vec3 shift = crm_sub(o.capsule.position, o.polytope.position), axis = o.capsule.rotation.z;
    double half = o.capsule.vertex[1].z;
    o.start = crm_mat3_apply_t(o.polytope.rotation, crm_madd(shift, -half, axis));
    o.along = crm_mat3_apply_t(o.polytope.rotation, crm_scale(2.0 * half, axis));
    o.outward = crm_mat3_apply_t(o.polytope.rotation, o.capsule_is_a ? crm_negate(w.normal) : w.normal);
    rows r = rows_of(m);
    const carom_touch *touch = o.capsule_is_a ? &w.b : &w.a;
    bool on_edge = touch->vertex_count == 2 && !faces_facet(&o);
    if (on_edge && !put_over_edge(&r, &o, touch, &w)) return false;
    if (!put_over_facets(&r, &o, fmin(0.0, w.gap) - m->rounding)) return false;
    return put_missing(&r, &w);
}

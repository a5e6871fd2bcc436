// SPDX-License-Identifier: MIT
// Lists feature contacts: few features are near enough to be tried, and what is one contact is listed once.
//
// Which are near follows from the rules (feature_rules.h) without knowing the contact's normal. Let n1 be the ray's
// normal, s1 its plane gap, and a, b its points, b - a = t beta.
//   facets     A facet's own normal n is deficient by at least the depth of its body's ray point under its plane, since
//              psi <= n.(b - a) - depth. A contact allows so much (crm_most_deficient).
//   corners,   All of A is below the plane of n1, and B above it by s1. A contact's points p and p + phi n are within
//   edges      `margin` of them, so that p is below A's plane by at most phi n.n1 - s1 + margin, and |phi| <= |t| +
//              tolerance. B likewise.
#include "distance/features/features.h"

#include "distance/features/edge_block.h"
#include "shape/support/support.h"

typedef struct near_features {
    crm_near_set vertices, edges, facets;
} near_features;

typedef struct feature_list {
    const crm_side *side[2];
    double centre_distance;
    crm_feature_frame frame[2]; // of B, of A: the first has A's corners on B's facets and all edges
    near_features near[2];      // of A, of B
    int capacity, count;
    carom_feature_contact *out;
} feature_list;

// ---- what is near

static void find_near(const crm_polytope *p, carom_vec3 outward, double thickness, carom_vec3 ray_point,
                      carom_vec3 towards, double depth, near_features *near) {
    double highest = crm_dot(outward, p->vertex[crm_support_vertex(p, outward, -1)]);
    CRM_NEAR_FILL(&near->vertices, p->vertex_count, i, highest - crm_dot(outward, p->vertex[i]) <= thickness);
    CRM_NEAR_FILL(&near->edges, p->edge_count, i,
                  crm_near_has(&near->vertices, p->edge[i].vertices[0]) |
                      crm_near_has(&near->vertices, p->edge[i].vertices[1]));
    CRM_NEAR_FILL(&near->facets, p->facet_count, i,
                  (crm_dot(p->normal[i], towards) > 0.0) & (p->offset[i] - crm_dot(p->normal[i], ray_point) <= depth));
}

static crm_feature_limits limits_of(const crm_side *a, const crm_side *b, const carom_ray_witness *ray,
                                    const carom_feature_options *options) {
    double far = crm_max_component(crm_vec3_max(crm_vec3_abs(a->position), crm_vec3_abs(b->position)));
    double plane_to = a->polytope->tolerance + b->polytope->tolerance;
    return crm_feature_limits_of(options, a->size + b->size, far, plane_to, ray->value, ray->accuracy);
}

static crm_feature_frame frame_of(const crm_side *owner, const crm_side *guest, carom_vec3 towards,
                                  const crm_feature_limits *limits) {
    return (crm_feature_frame){
        .owner = owner->polytope,
        .guest = guest->polytope,
        .rotation = crm_mat3_mul_tn(owner->rotation, guest->rotation),
        .shift = crm_mat3_apply_t(owner->rotation, crm_sub(guest->position, owner->position)),
        .towards = crm_mat3_apply_t(owner->rotation, towards),
        .owner_size = owner->size,
        .guest_size = guest->size,
        .limits = *limits,
    };
}

// ---- one contact, listed once

// Whether a corner of B on a facet of A is a corner of A on a facet of B: that one is listed.
static bool corner_is_listed(const feature_list *list, int facet, const crm_met *met) {
    const crm_feature_frame *on_b = &list->frame[0], *on_a = &list->frame[1];
    const crm_polytope *a = on_a->owner, *b = on_b->owner;
    double place = on_a->limits.place;
    carom_vec3 foot = crm_madd(met->point, -met->gap, met->normal);
    for (int i = a->facet_start[facet]; i < a->facet_start[facet + 1]; i++) {
        int corner = a->facet_vertex[i];
        if (crm_length_squared(crm_sub(a->vertex[corner], foot)) > place * place) continue;
        const crm_near_set *facets = &list->near[1].facets;
        for (int j = crm_near_next(facets, 0); j < b->facet_count; j = crm_near_next(facets, j + 1)) {
            carom_vec3 inward = crm_negate(crm_mat3_apply(on_a->rotation, b->normal[j]));
            crm_met other;
            if (crm_same_normal(inward, met->normal) && crm_corner_meets_facet(on_b, corner, j, &other)) return true;
        }
    }
    return false;
}

// The end of an edge that a crossing is at, or -1.
static int end_at(const crm_polytope *p, int edge, double at, double place) {
    const int *v = p->edge[edge].vertices;
    if (fabs(at) <= place) return v[0];
    return fabs(at - crm_distance(p->vertex[v[0]], p->vertex[v[1]])) <= place ? v[1] : -1;
}

// The other edge of a facet at one of its corners.
static int other_edge(const crm_polytope *p, int facet, int corner, int edge) {
    int start = p->facet_start[facet], count = p->facet_start[facet + 1] - start, i = 0;
    while (p->facet_vertex[start + i] != corner) i++;
    int from = p->facet_edge[start + i], to = p->facet_edge[start + (i + count - 1) % count];
    return from == edge ? to : from;
}

// Whether edges that cross at an end of the owner's edge are a contact that is listed elsewhere. `on_guest` has the
// roles exchanged. Such a crossing has the normal of a facet of one body that is parallel to the edge of the other.
static bool crossing_is_listed(const crm_feature_frame *on_owner, const crm_feature_frame *on_guest, int guest_edge,
                               int owner_edge, const crm_met *met) {
    double place = on_owner->limits.place;
    int end = end_at(on_owner->owner, owner_edge, met->owner_at, place);
    if (end < 0) return false;
    crm_met other;
    for (int i = 0; i < 2; i++) {
        // The end as a corner on the guest's facet.
        int facet = on_owner->guest->edge[guest_edge].facets[i];
        carom_vec3 inward = crm_negate(crm_mat3_apply(on_owner->rotation, on_owner->guest->normal[facet]));
        if (crm_same_normal(inward, met->normal) && crm_corner_meets_facet(on_guest, end, facet, &other)) return true;
    }
    for (int i = 0; i < 2; i++) {
        // The guest's edge through a corner of the owner's facet, which it leaves by two of its edges.
        int facet = on_owner->owner->edge[owner_edge].facets[i];
        if (!crm_same_normal(on_owner->owner->normal[facet], met->normal)) continue;
        int edge = other_edge(on_owner->owner, facet, end, owner_edge);
        if (edge > owner_edge) continue;
        crm_guest_edge guest = crm_guest_edge_of(on_owner, guest_edge);
        if (crm_edges_meet(on_owner, &guest, edge, &other) && crm_distance(other.point, met->point) <= place)
            return true;
    }
    return false;
}

static bool edges_are_listed(const feature_list *list, int edge_a, int edge_b, const crm_met *met) {
    const crm_feature_frame *on_b = &list->frame[0], *on_a = &list->frame[1];
    if (crossing_is_listed(on_b, on_a, edge_a, edge_b, met)) return true;
    carom_vec3 foot = crm_madd(met->point, -met->gap, met->normal); // of B, in B's frame
    crm_met swapped = {.gap = met->gap,
                       .along = met->along,
                       .normal = crm_negate(crm_mat3_apply(on_a->rotation, met->normal)),
                       .point = crm_add(crm_mat3_apply(on_a->rotation, foot), on_a->shift),
                       .guest_at = met->owner_at,
                       .owner_at = met->guest_at};
    return crossing_is_listed(on_a, on_b, edge_b, edge_a, &swapped);
}

// ---- the list

static void put_feature(feature_list *list, carom_feature_contact_kind kind, int feature_a, int feature_b,
                        const crm_met *met) {
    if (list->count < list->capacity) {
        bool owner_is_a = kind == CAROM_FEATURE_CONTACT_CORNER_B;
        const crm_side *owner = list->side[owner_is_a ? 0 : 1];
        carom_vec3 normal = crm_mat3_apply(owner->rotation, met->normal);
        carom_vec3 guest_point = crm_add(owner->position, crm_mat3_apply(owner->rotation, met->point));
        carom_vec3 owner_point = crm_madd(guest_point, -met->gap, normal);
        list->out[list->count] = (carom_feature_contact){
            .kind = kind,
            .feature_a = feature_a,
            .feature_b = feature_b,
            .gap = met->gap,
            .rho = met->gap / (list->centre_distance * met->along),
            .normal = owner_is_a ? normal : crm_negate(normal),
            .point_a = owner_is_a ? owner_point : guest_point,
            .point_b = owner_is_a ? guest_point : owner_point,
        };
    }
    list->count++;
}

static void list_corners_of_a(feature_list *list) {
    const crm_near_set *corners = &list->near[0].vertices, *facets = &list->near[1].facets;
    for (int i = crm_near_next(corners, 0); i < corners->count; i = crm_near_next(corners, i + 1))
        for (int j = crm_near_next(facets, 0); j < facets->count; j = crm_near_next(facets, j + 1)) {
            crm_met met;
            if (crm_corner_meets_facet(&list->frame[0], i, j, &met))
                put_feature(list, CAROM_FEATURE_CONTACT_CORNER_A, i, j, &met);
        }
}

static void list_corners_of_b(feature_list *list) {
    const crm_near_set *facets = &list->near[0].facets, *corners = &list->near[1].vertices;
    for (int i = crm_near_next(facets, 0); i < facets->count; i = crm_near_next(facets, i + 1))
        for (int j = crm_near_next(corners, 0); j < corners->count; j = crm_near_next(corners, j + 1)) {
            crm_met met;
            if (crm_corner_meets_facet(&list->frame[1], j, i, &met) && !corner_is_listed(list, i, &met))
                put_feature(list, CAROM_FEATURE_CONTACT_CORNER_B, i, j, &met);
        }
}

static void list_crossings(feature_list *list, const crm_guest_edge *edge_of_a, crm_edge_block *of_b) {
    crm_edge_block_measure(&list->frame[0], edge_of_a, of_b);
    for (int i = 0; i < of_b->count; i++) {
        if (of_b->excess[i] > 0.0) continue;
        crm_met met;
        int edge_a = edge_of_a->number, edge_b = of_b->number[i];
        if (crm_edges_meet(&list->frame[0], edge_of_a, edge_b, &met) && !edges_are_listed(list, edge_a, edge_b, &met))
            put_feature(list, CAROM_FEATURE_CONTACT_EDGES, edge_a, edge_b, &met);
    }
}

static void list_edges(feature_list *list) {
    const crm_near_set *of_a = &list->near[0].edges, *of_b = &list->near[1].edges;
    crm_edge_block block;
    int first_end = crm_edge_block_fill(&list->frame[0], of_b, 0, &block);
    for (int i = crm_near_next(of_a, 0); i < of_a->count; i = crm_near_next(of_a, i + 1)) {
        crm_guest_edge edge = crm_guest_edge_of(&list->frame[0], i);
        // Usually one block holds them all, and stays; the order asks for all of B's edges after each of A's.
        if (first_end == of_b->count) {
            list_crossings(list, &edge, &block);
            continue;
        }
        for (int from = 0; from < of_b->count;) {
            from = crm_edge_block_fill(&list->frame[0], of_b, from, &block);
            list_crossings(list, &edge, &block);
        }
    }
}

int crm_list_features(const crm_side *a, const crm_side *b, const carom_ray_witness *ray,
                      const carom_feature_options *options, int capacity, carom_feature_contact *out) {
    CRM_ASSERT(a->polytope != NULL && b->polytope != NULL && ray->outcome != CAROM_RAY_MISSES);
    feature_list list; // large: what is not needed is left alone
    list.side[0] = a;
    list.side[1] = b;
    list.centre_distance = ray->centre_distance;
    list.capacity = capacity;
    list.count = 0;
    list.out = out;
    crm_feature_limits limits = limits_of(a, b, ray, options);
    carom_vec3 back = crm_negate(ray->beta);
    list.frame[0] = frame_of(b, a, back, &limits);
    list.frame[1] = frame_of(a, b, ray->beta, &limits);
    double thickness = fabs(ray->value) - ray->plane_gap + limits.tolerance + 2.0 * limits.margin + limits.rounding;
    find_near(a->polytope, crm_mat3_apply_t(a->rotation, ray->normal), thickness,
              crm_mat3_apply_t(a->rotation, crm_sub(ray->point_a, a->position)), list.frame[1].towards,
              crm_most_deficient(a->size, b->size, &limits), &list.near[0]);
    find_near(b->polytope, crm_mat3_apply_t(b->rotation, crm_negate(ray->normal)), thickness,
              crm_mat3_apply_t(b->rotation, crm_sub(ray->point_b, b->position)), list.frame[0].towards,
              crm_most_deficient(b->size, a->size, &limits), &list.near[1]);
    list_corners_of_a(&list);
    list_corners_of_b(&list);
    list_edges(&list);
    return list.count;
}

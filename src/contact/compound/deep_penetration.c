// SPDX-License-Identifier: MIT
// A body that is deep inside may have contacts with inner walls only, as each part by itself is left fastest through
// them. An overlapping contact that is inside is *held* by one that stays at the body's lowest point along its normal
// when all of the part is behind the plane of that one: keeping the body before the plane keeps it out of the part. One
// that is not held is replaced by the shortest way out of its part through a facet that is not inside, over which the
// body's lowest point lies. Deeper than a floor is thick, or in round parts, a body may find none: such
// contacts stay as they are, with the normals of single parts.
#include "contact/compound/deep_penetration.h"

#include <math.h>

static crm_way_out find_way_out(const crm_part_list *parts, int own, const crm_side *body) {
    const crm_side *part = &parts->side[own];
    crm_way_out best = {.depth = INFINITY};
    int facets = part->polytope != NULL ? part->polytope->facet_count : 0;
    for (int f = 0; f < facets; f++) {
        carom_vec3 n = crm_mat3_apply(part->rotation, part->polytope->normal[f]);
        carom_vec3 corner[CRM_FACE_CORNERS], lowest;
        crm_part_face(body, crm_negate(n), corner, &lowest);
        double depth = part->polytope->offset[f] - crm_dot(n, crm_sub(lowest, part->position));
        if (depth <= crm_known_height(part, lowest)) return (crm_way_out){.depth = 0.0};
        carom_vec3 x = crm_madd(lowest, depth, n);
        if (depth < best.depth && crm_part_holds(part, x, CRM_JOINED * part->size) &&
            !(crm_is_covered_at_all(parts, own, x, n) && crm_is_covered_about(parts, own, x, n)))
            best = (crm_way_out){.depth = depth, .normal = n, .on_part = x, .on_body = lowest};
    }
    return best;
}

// The two sides of a contact, seen from one of them, a compound.
typedef struct inside_view {
    const crm_part_list *compound, *other;
    int part, other_part; // places in these lists
} inside_view;

static inside_view seen_from_inside(const crm_part_list *a, const crm_part_list *b, const carom_contact *contact,
                                    bool of_a) {
    int place_a = crm_part_place(a, contact->part_a), place_b = crm_part_place(b, contact->part_b);
    return (inside_view){of_a ? a : b, of_a ? b : a, of_a ? place_a : place_b, of_a ? place_b : place_a};
}

// Whether a contact that stays, of the same part of the other body, holds contact i out of the compound A or B.
static bool is_held(const crm_part_list *a, const crm_part_list *b, int i, int count, const carom_contact *contacts,
                    bool of_a, const bool *stays) {
    inside_view at = seen_from_inside(a, b, &contacts[i], of_a);
    const crm_side *part = &at.compound->side[at.part];
    const crm_side *body = at.other->side != NULL ? &at.other->side[at.other_part] : NULL;
    for (int k = 0; k < count; k++) {
        bool same = of_a ? contacts[k].part_b == contacts[i].part_b : contacts[k].part_a == contacts[i].part_a;
        if (!same || !stays[k]) continue;
        carom_vec3 n = of_a ? contacts[k].normal : crm_negate(contacts[k].normal);
        carom_vec3 x = of_a ? contacts[k].point_a : contacts[k].point_b;
        carom_vec3 y = of_a ? contacts[k].point_b : contacts[k].point_a;
        bool deepest = body == NULL || crm_part_beyond(body, y, crm_negate(n)) <= CRM_JOINED * body->size;
        if (deepest && crm_part_beyond(part, x, n) <= CRM_JOINED * part->size) return true;
    }
    return false;
}

static bool is_held_by_any(const crm_part_list *a, const crm_part_list *b, int i, int count,
                           const carom_contact *contacts, const unsigned char *inside, const bool *stays) {
    return ((inside[i] & CRM_INSIDE_A) && is_held(a, b, i, count, contacts, true, stays)) ||
           ((inside[i] & CRM_INSIDE_B) && is_held(a, b, i, count, contacts, false, stays));
}

// The shorter way, of a contact that is inside of both.
static crm_way_out shortest_way(const crm_part_list *a, const crm_part_list *b, const carom_contact *contact,
                                unsigned char inside) {
    crm_way_out best = {.depth = INFINITY};
    for (int of_a = 1; of_a >= 0; of_a--) {
        inside_view at = seen_from_inside(a, b, contact, of_a);
        if (!(inside & (of_a ? CRM_INSIDE_A : CRM_INSIDE_B)) || at.other->side == NULL) continue;
        crm_way_out way = find_way_out(at.compound, at.part, &at.other->side[at.other_part]);
        way.out_of_a = of_a;
        if (way.depth < best.depth) best = way;
    }
    return best;
}

static void take_way_out(const crm_way_out *way, carom_contact *contact) {
    contact->kind = CAROM_CONTACT_KIND_NEAREST;
    contact->feature_a = contact->feature_b = 0;
    contact->gap = -way->depth;
    contact->normal = way->out_of_a ? way->normal : crm_negate(way->normal);
    contact->point_a = way->out_of_a ? way->on_part : way->on_body;
    contact->point_b = way->out_of_a ? way->on_body : way->on_part;
}

void crm_resolve_penetration(const crm_part_list *a, const crm_part_list *b, int count, carom_contact *contacts,
                             const unsigned char *inside, bool *stays, crm_way_out *ways) {
    for (int i = 0; i < count; i++) {
        ways[i].depth = 0.0;
        if (stays[i] || contacts[i].gap >= 0.0 || is_held_by_any(a, b, i, count, contacts, inside, stays)) continue;
        ways[i] = shortest_way(a, b, &contacts[i], inside[i]);
    }
    for (;;) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (ways[i].depth > 0.0 && (next < 0 || ways[i].depth < ways[next].depth)) next = i;
        if (next < 0) return;
        if (!is_held_by_any(a, b, next, count, contacts, inside, stays)) {
            if (ways[next].depth < INFINITY) take_way_out(&ways[next], &contacts[next]);
            stays[next] = true;
        }
        ways[next].depth = 0.0;
    }
}

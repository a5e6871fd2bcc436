// SPDX-License-Identifier: MIT
// A body that has sunk in may have contacts with inner walls only, as each part by itself is left fastest through them.
// An overlapping contact that is inside is *held* by one that stays at the body's lowest point along its normal when
// all of the part is behind the plane of that one: keeping the body before the plane keeps it out of the part. One that
// is not held is replaced by the shortest way out of its part through a facet that is not inside, over which the body's
// lowest point lies. Sunk in deeper than a floor is thick, or into round parts, a body may find none: such contacts
// stay as they are, with the normals of single parts.
#include "contact/sunk.h"

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

// Makes the contact that of the way out of the compound (`compound_is_a`: A).
static void take_way_out(const crm_way_out *way, bool compound_is_a, carom_contact *contact) {
    contact->kind = CAROM_CONTACT_NEAREST;
    contact->feature_a = contact->feature_b = 0;
    contact->gap = -way->depth;
    contact->normal = compound_is_a ? way->normal : crm_negate(way->normal);
    contact->point_a = compound_is_a ? way->on_part : way->on_body;
    contact->point_b = compound_is_a ? way->on_body : way->on_part;
}

// The two sides of a contact, seen from the compound that it is inside of.
typedef struct inside_view {
    const crm_part_list *compound, *other;
    int part, other_part; // places in these lists
} inside_view;

static inside_view seen_from_inside(const crm_part_list *a, const crm_part_list *b, const carom_contact *contact,
                                    crm_fate fate) {
    bool is_a = fate == CRM_INSIDE_A;
    int place_a = crm_part_place(a, contact->part_a), place_b = crm_part_place(b, contact->part_b);
    return (inside_view){is_a ? a : b, is_a ? b : a, is_a ? place_a : place_b, is_a ? place_b : place_a};
}

// Whether a contact that stays, of the same part of the other body, holds this one, which is inside.
static bool is_held(const crm_part_list *a, const crm_part_list *b, int i, int count, const carom_contact *contacts,
                    const crm_fate *fates, const crm_fate *after) {
    bool is_a = fates[i] == CRM_INSIDE_A;
    inside_view at = seen_from_inside(a, b, &contacts[i], fates[i]);
    const crm_side *part = &at.compound->side[at.part];
    const crm_side *body = at.other->side != NULL ? &at.other->side[at.other_part] : NULL;
    for (int k = 0; k < count; k++) {
        bool same = is_a ? contacts[k].part_b == contacts[i].part_b : contacts[k].part_a == contacts[i].part_a;
        if (!same || after[k] != CRM_STAYS) continue;
        carom_vec3 n = is_a ? contacts[k].normal : crm_negate(contacts[k].normal);
        carom_vec3 x = is_a ? contacts[k].point_a : contacts[k].point_b;
        carom_vec3 y = is_a ? contacts[k].point_b : contacts[k].point_a;
        bool deepest = body == NULL || crm_part_beyond(body, y, crm_negate(n)) <= CRM_JOINED * body->size;
        if (deepest && crm_part_beyond(part, x, n) <= CRM_JOINED * part->size) return true;
    }
    return false;
}

void crm_lift_out(const crm_part_list *a, const crm_part_list *b, int count, carom_contact *contacts,
                  const crm_fate *fates, crm_fate *after, crm_way_out *ways) {
    for (int i = 0; i < count; i++) {
        ways[i].depth = 0.0;
        if (fates[i] == CRM_STAYS || contacts[i].gap >= 0.0 || is_held(a, b, i, count, contacts, fates, after))
            continue;
        inside_view at = seen_from_inside(a, b, &contacts[i], fates[i]);
        ways[i].depth = INFINITY;
        if (at.other->side != NULL) ways[i] = find_way_out(at.compound, at.part, &at.other->side[at.other_part]);
    }
    for (;;) {
        int next = -1;
        for (int i = 0; i < count; i++)
            if (ways[i].depth > 0.0 && (next < 0 || ways[i].depth < ways[next].depth)) next = i;
        if (next < 0) return;
        if (!is_held(a, b, next, count, contacts, fates, after)) {
            bool found = ways[next].depth < INFINITY;
            if (found) take_way_out(&ways[next], fates[next] == CRM_INSIDE_A, &contacts[next]);
            after[next] = found ? CRM_STAYS : CRM_LEFT_AS_IT_IS;
        }
        ways[next].depth = 0.0;
    }
}

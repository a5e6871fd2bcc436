// SPDX-License-Identifier: MIT
// Where parts of a compound meet, each of them has faces and edges that the whole does not have. A contact there, at x
// on part p with the outward normal n, is a contact with the whole only if n is a normal of the whole at x or, in the
// limit, next to x. For convex parts that can be told exactly:
//
//   A sibling q *covers* (x, n) when it holds x and n is none of its normals there: x in q, max over q of n.y > n.x.
//   Going from x along n leads into q, or q stands in the way on one side.
//   The contact is inside when all of p's face with this normal next to x, F = {y in p: n.y largest}, is covered.
//
// So the tilted normals on the edges between two tiles of a floor go (F is the edge, the neighbour covers it), and
// those of their side walls (F is the wall), while in a corner that looks inward both normals stay (F is the floor, the
// wall covers no more than its rim), as do real edges and steps. A step lower than CRM_JOINED of the size is none.
//
// At x only siblings that the broad phase has listed for the two proxies are asked. That is enough: a contact at x with
// another body's part o matters only if o can get to x in the step. If q holds x, o then gets to q, so that the pair q,
// o is listed. Next to x that need not be so, and where no listed sibling covers, all are looked through: at rims only.
//
// Deep penetration: deep_penetration.c.
#include "contact/compound/internal_edges.h"

#include <math.h>

#include "contact/compound/deep_penetration.h"

// A contact may lie beside its face, by what the bodies can slide: it is about the nearest point of the part.
static carom_vec3 nearest_in(const crm_part_list *parts, int own, carom_vec3 x) {
    const crm_side *part = &parts->side[own];
    if (crm_part_holds(part, x, CRM_JOINED * part->size)) return x;
    carom_view point = carom_view_of_vertices(1, &x);
    carom_gap_witness gap;
    carom_status status = carom_gap_find(&parts->all[parts->part[own]].view, &point, NULL, NULL, &gap, NULL);
    return status == CAROM_OK ? gap.point_a : x;
}

// A nearly active contact may have a normal that is none of its part at x, as the part extends farther along it: that
// of an edge which tilts out of its two facets. It is about the normals of the part there that are next to it.
static carom_vec3 normal_in(const crm_side *part, carom_vec3 x, carom_vec3 n) {
    if (part->polytope == NULL || crm_part_beyond(part, x, n) <= crm_known_height(part, x)) return n;
    carom_vec3 at = crm_mat3_apply_t(part->rotation, crm_sub(x, part->position));
    carom_vec3 local = crm_mat3_apply_t(part->rotation, n), sum = crm_vec3_zero(), nearest = crm_vec3_zero(), unit;
    double most = -INFINITY;
    for (int f = 0; f < part->polytope->facet_count; f++) {
        carom_vec3 facet = part->polytope->normal[f];
        if (crm_dot(facet, at) < part->polytope->offset[f] - CRM_JOINED * part->size) continue;
        sum = crm_add(sum, facet);
        if (crm_dot(facet, local) > most) most = crm_dot(facet, local), nearest = facet;
    }
    return crm_normalise(crm_madd(nearest, CRM_NEXT_TO, sum), &unit) > 0.0 ? crm_mat3_apply(part->rotation, unit) : n;
}

static bool is_inside(const crm_part_list *parts, int part, carom_vec3 x, carom_vec3 n) {
    int own = crm_part_place(parts, part);
    x = nearest_in(parts, own, x);
    n = normal_in(&parts->side[own], x, n);
    return crm_is_covered(parts, own, x, n) && crm_is_covered_about(parts, own, x, n);
}

static unsigned char inside_of(const crm_part_list *a, const crm_part_list *b, const carom_contact *contact) {
    bool in_a = a->count > 1 && is_inside(a, contact->part_a, contact->point_a, contact->normal);
    bool in_b = b->count > 1 && is_inside(b, contact->part_b, contact->point_b, crm_negate(contact->normal));
    return (unsigned char)((in_a ? CRM_INSIDE_A : 0) | (in_b ? CRM_INSIDE_B : 0));
}

// Whether a contact that stays is of the same part of A (`of_a`) or B as contact i.
static bool has_other(int i, int count, const carom_contact *contacts, bool of_a, const bool *stays) {
    for (int k = 0; k < count; k++) {
        bool same = of_a ? contacts[k].part_a == contacts[i].part_a : contacts[k].part_b == contacts[i].part_b;
        if (same && stays[k]) return true;
    }
    return false;
}

// Nearest points always leave one contact that is not inside, those of the nearest parts. Points of the centre ray,
// whose normals are those of single parts, may not: a part all of whose contacts are inside of the other body keeps
// them. `kept` starts as a copy of `stays`.
static void leave_some(int count, const carom_contact *contacts, const unsigned char *inside, const bool *stays,
                       bool *kept) {
    for (int i = 0; i < count; i++) {
        if (stays[i]) continue;
        bool alone_b = (inside[i] & CRM_INSIDE_A) && !has_other(i, count, contacts, false, stays);
        bool alone_a = (inside[i] & CRM_INSIDE_B) && !has_other(i, count, contacts, true, stays);
        kept[i] = alone_a || alone_b;
    }
}

int crm_remove_internal_edges(const crm_item *items, int pair_count, const crm_item_pair *pairs, bool by_ray, int count,
                              carom_contact *contacts, crm_arena *scratch) {
    if (pair_count < 2 || count < 1) return count;
    crm_mark mark = crm_arena_mark(scratch);
    crm_part_list a, b;
    unsigned char *inside = CRM_ARENA_ARRAY(scratch, unsigned char, count);
    bool *stays = CRM_ARENA_ARRAY(scratch, bool, count), *kept = CRM_ARENA_ARRAY(scratch, bool, count);
    crm_way_out *ways = CRM_ARENA_ARRAY(scratch, crm_way_out, count);
    int left = -1;
    if (inside != NULL && stays != NULL && kept != NULL && ways != NULL &&
        crm_list_parts(items, pair_count, pairs, false, scratch, &a) &&
        crm_list_parts(items, pair_count, pairs, true, scratch, &b)) {
        for (int i = 0; i < count; i++) {
            inside[i] = inside_of(&a, &b, &contacts[i]);
            stays[i] = inside[i] == CRM_INSIDE_NONE;
        }
        crm_resolve_penetration(&a, &b, count, contacts, inside, stays, ways);
        for (int i = 0; i < count; i++) kept[i] = stays[i];
        if (by_ray) leave_some(count, contacts, inside, stays, kept);
        left = 0;
        for (int i = 0; i < count; i++)
            if (kept[i]) contacts[left++] = contacts[i];
        if (left == 0) left = count; // a list without contacts would say that the two cannot touch
    }
    crm_arena_release(scratch, mark);
    return left;
}

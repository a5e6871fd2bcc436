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
// What has sunk in deep: sunk.c.
#include "contact/seams.h"

#include <math.h>

#include "contact/sunk.h"

// An event may lie beside its face, by what the bodies can slide: it is about the nearest point of the part.
static carom_vec3 nearest_in(const crm_part_list *parts, int own, carom_vec3 x) {
    const crm_side *part = &parts->side[own];
    if (crm_part_holds(part, x, CRM_JOINED * part->size)) return x;
    carom_view point = carom_view_of_vertices(1, &x);
    carom_gap_witness gap;
    carom_status status = carom_find_gap(&parts->all[parts->part[own]].view, &point, NULL, NULL, &gap, NULL);
    return status == CAROM_OK ? gap.point_a : x;
}

// A nearly active event may have a normal that is none of its part at x, as the part reaches farther along it: that of
// an edge which turns out of its two facets. It is about the normals of the part there that are next to it.
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

static crm_fate fate_of(const crm_part_list *a, const crm_part_list *b, const carom_contact *contact) {
    if (a->count > 1 && is_inside(a, contact->part_a, contact->point_a, contact->normal)) return CRM_INSIDE_A;
    carom_vec3 back = crm_negate(contact->normal);
    if (b->count > 1 && is_inside(b, contact->part_b, contact->point_b, back)) return CRM_INSIDE_B;
    return CRM_STAYS;
}

// No part of the other body is left without contacts: of one all of whose contacts are inside they stay. Nearest points
// always leave one; points of the centre ray, whose normals are those of single parts, may not.
static void leave_some(int count, const carom_contact *contacts, const crm_fate *fates, crm_fate *after) {
    for (int i = 0; i < count; i++) {
        if (fates[i] == CRM_STAYS || after[i] != fates[i]) continue;
        bool left = false;
        for (int k = 0; k < count && !left; k++) {
            bool same = fates[i] == CRM_INSIDE_A ? contacts[k].part_b == contacts[i].part_b
                                                 : contacts[k].part_a == contacts[i].part_a;
            left = same && after[k] != CRM_INSIDE_A && after[k] != CRM_INSIDE_B && after[k] != CRM_ALONE;
        }
        if (!left) after[i] = CRM_ALONE;
    }
}

int crm_drop_seams(const crm_item *items, int pair_count, const crm_item_pair *pairs, int count,
                   carom_contact *contacts, crm_arena *scratch) {
    if (pair_count < 2 || count == 0) return count;
    crm_mark mark = crm_arena_mark(scratch);
    crm_part_list a, b;
    crm_fate *fates = CRM_ARENA_ARRAY(scratch, crm_fate, count), *after = CRM_ARENA_ARRAY(scratch, crm_fate, count);
    crm_way_out *ways = CRM_ARENA_ARRAY(scratch, crm_way_out, count);
    int left = -1;
    if (fates != NULL && after != NULL && ways != NULL &&
        crm_list_parts(items, pair_count, pairs, false, scratch, &a) &&
        crm_list_parts(items, pair_count, pairs, true, scratch, &b)) {
        bool lost = false, some = false;
        for (int i = 0; i < count; i++) {
            fates[i] = after[i] = fate_of(&a, &b, &contacts[i]);
            some |= fates[i] != CRM_STAYS;
            lost |= fates[i] != CRM_STAYS && contacts[i].gap < 0.0;
        }
        if (lost) crm_lift_out(&a, &b, count, contacts, fates, after, ways);
        if (some) leave_some(count, contacts, fates, after);
        left = 0;
        for (int i = 0; i < count; i++)
            if (after[i] != CRM_INSIDE_A && after[i] != CRM_INSIDE_B) contacts[left++] = contacts[i];
    }
    crm_arena_release(scratch, mark);
    return left;
}

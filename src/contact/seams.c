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
// wall covers no more than its rim), as do real edges and steps. A step lower than `joined` of the size is none.
//
// At x only siblings that the broad phase has listed for the two proxies are asked. That is enough: a contact at x with
// another body's part o matters only if o can get to x in the step. If q holds x, o then gets to q, so that the pair q,
// o is listed. Next to x that need not be so, and where no listed sibling covers, all are looked through: at rims only.
//
// A body that has sunk in may have contacts with inner walls only, as each part by itself is left fastest through them.
// An overlapping contact that is inside is *held* by one that stays when all of its part is behind the plane of that
// one: keeping the body before the plane keeps it out of the part. One that is not held is replaced by the shortest way
// out of its part through a facet that is not inside, over which the body's lowest point lies. Sunk in deeper than a
// floor is thick, or into round parts, a body may find none: such contacts stay as they are, with the normals of single
// parts.
#include "contact/seams.h"

#include <math.h>
#include <string.h>

#include "distance/side.h"

// Of the smaller part's size: parts this near to each other are joined. Far above rounding, far below any real step.
static const double joined = 1e-6;
// Of the size: to which heights along a normal are known; what a tilt of 1e-12 makes of them.
static const double known_height = 1e-12;
// Of rounding of places far from the origin, relative to them.
static const double rounding = 1e-15;
// How far "next to x" is, as a share of the way to a corner of the face.
static const double next_to = 1e-3;

enum { FACE_CORNERS = 16 }; // of a face that are looked at; more are rare, and lie between others

// One side of the pairs: the listed parts of one proxy.
typedef struct listed {
    int count;
    int *part;           // ascending
    crm_side *side;      // (count) NULL: unbounded
    const crm_item *all; // the items of all of its parts, listed or not
    int all_count;
} listed;

// ---- one part

static bool holds(const crm_side *part, carom_vec3 x, double slack) {
    carom_vec3 off = crm_sub(x, part->centre);
    if (crm_length_squared(off) > (part->size + slack) * (part->size + slack)) return false;
    carom_vec3 local = crm_mat3_apply_t(part->rotation, crm_sub(x, part->position));
    if (part->polytope != NULL) {
        for (int f = 0; f < part->polytope->facet_count; f++)
            if (crm_dot(part->polytope->normal[f], local) > part->polytope->offset[f] + slack) return false;
        return true;
    }
    if (part->roundness == CRM_ELLIPSOID) {
        carom_vec3 a = part->half_axes, unit = crm_vec3(local.x / a.x, local.y / a.y, local.z / a.z);
        return crm_length(unit) <= 1.0 + slack / fmin(a.x, fmin(a.y, a.z));
    }
    double half_length = part->vertex_count == 2 ? part->vertex[1].z : 0.0; // of a capsule's axis
    local.z -= fmin(fmax(local.z, -half_length), half_length);
    return crm_length(local) <= part->radius + slack;
}

// How much farther along the unit vector n the part reaches than x, m.
static double reaches_beyond(const crm_side *part, carom_vec3 x, carom_vec3 n) {
    int vertex = crm_core_support(part, n, -1);
    return crm_dot(n, crm_core_arm(part, vertex)) + crm_round_support(part, n, NULL) +
           crm_dot(n, crm_sub(part->centre, x));
}

// The corners of the part's face that is farthest along n (one point of what is round), and their mean.
static int face_along(const crm_side *part, carom_vec3 n, carom_vec3 corner[FACE_CORNERS], carom_vec3 *mean) {
    carom_vec3 round;
    (void)crm_round_support(part, n, &round);
    double highest = crm_dot(n, crm_core_arm(part, crm_core_support(part, n, -1)));
    carom_vec3 sum = crm_vec3_zero();
    int count = 0, all = 0;
    for (int i = 0; i < part->vertex_count; i++) {
        carom_vec3 arm = crm_core_arm(part, i);
        if (crm_dot(n, arm) < highest - known_height * part->size) continue;
        carom_vec3 place = crm_add(part->centre, crm_add(arm, round));
        if (count < FACE_CORNERS) corner[count++] = place;
        sum = crm_add(sum, place);
        all++;
    }
    *mean = crm_scale(1.0 / all, sum);
    return count;
}

// ---- the siblings

static bool covers(const crm_side *sibling, double own_size, carom_vec3 x, carom_vec3 n) {
    if (!holds(sibling, x, joined * fmin(own_size, sibling->size))) return false;
    return reaches_beyond(sibling, x, n) > known_height * sibling->size + rounding * crm_length(x);
}

static bool is_covered(const listed *parts, int own, carom_vec3 x, carom_vec3 n) {
    for (int k = 0; k < parts->count; k++)
        if (k != own && covers(&parts->side[k], parts->side[own].size, x, n)) return true;
    return false;
}

// The same by all siblings.
static bool is_covered_at_all(const listed *parts, int own, carom_vec3 x, carom_vec3 n) {
    if (is_covered(parts, own, x, n)) return true;
    for (int k = 0; k < parts->all_count; k++) {
        const carom_shape *shape = parts->all[k].view.shape;
        double most = shape->bounding_radius + crm_length(shape->centre), size = parts->side[own].size;
        carom_vec3 off = crm_sub(x, parts->all[k].view.pose.position);
        if (k == parts->part[own] || crm_length_squared(off) > (most + joined * size) * (most + joined * size))
            continue;
        crm_side sibling;
        crm_side_of(&parts->all[k].view, 0, CRM_FROM_INSIDE, &sibling);
        if (covers(&sibling, size, x, n)) return true;
    }
    return false;
}

static carom_vec3 towards(carom_vec3 x, carom_vec3 corner) {
    return crm_madd(x, next_to, crm_sub(corner, x));
}

// Whether all of the part's face about x, which is covered, is covered along n: next to x on the way to the middle of
// the face, to its corners and to the middles between them.
static bool is_covered_about(const listed *parts, int own, carom_vec3 x, carom_vec3 n) {
    carom_vec3 corner[FACE_CORNERS], mean;
    int count = face_along(&parts->side[own], n, corner, &mean);
    if (!is_covered_at_all(parts, own, towards(x, mean), n)) return false;
    for (int i = 0; i < count; i++) {
        if (!is_covered_at_all(parts, own, towards(x, corner[i]), n)) return false;
        for (int k = i + 1; k < count; k++) {
            carom_vec3 middle = crm_scale(0.5, crm_add(corner[i], corner[k]));
            if (!is_covered_at_all(parts, own, towards(x, middle), n)) return false;
        }
    }
    return true;
}

// ---- lists of parts

// The number of the first listed part that is not below this one.
static int place_of(const listed *parts, int part) {
    int low = 0, high = parts->count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (parts->part[middle] < part)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert_part(listed *parts, int part) {
    int place = place_of(parts, part);
    if (place < parts->count && parts->part[place] == part) return;
    memmove(parts->part + place + 1, parts->part + place, (size_t)(parts->count - place) * sizeof *parts->part);
    parts->part[place] = part;
    parts->count++;
}

static bool is_unbounded(const carom_view *view) {
    return crm_view_kind(view) == CAROM_SHAPE_HALF_SPACE || crm_view_kind(view) == CAROM_SHAPE_CONTAINER;
}

// False: no memory.
static bool list_parts(const crm_item *items, int pair_count, const crm_item_pair *pairs, bool of_b, crm_arena *scratch,
                       listed *out) {
    int number = of_b ? pairs[0].b : pairs[0].a;
    *out = (listed){.part = CRM_ARENA_ARRAY(scratch, int, pair_count)};
    if (out->part == NULL) return false;
    for (int i = 0; i < pair_count; i++) insert_part(out, items[of_b ? pairs[i].b : pairs[i].a].part);
    if (is_unbounded(&items[number].view)) return true;
    out->side = CRM_ARENA_ARRAY(scratch, crm_side, out->count);
    if (out->side == NULL) return false;
    out->all = &items[number - items[number].part]; // parts of a proxy stand one after the other
    out->all_count = crm_part_count(&items[number].proxy->view);
    for (int k = 0; k < out->count; k++) crm_side_of(&out->all[out->part[k]].view, 0, CRM_FROM_INSIDE, &out->side[k]);
    return true;
}

// ---- what has sunk in

// The shortest way of `body` out of a part through a facet that is not inside: outward normal, points on both, depth.
typedef struct way_out {
    double depth; // m; infinite: none; 0: the body is not in the part, but beyond one of its facets
    carom_vec3 normal, on_part, on_body;
} way_out;

static way_out find_way_out(const listed *parts, int own, const crm_side *body) {
    const crm_side *part = &parts->side[own];
    way_out best = {.depth = INFINITY};
    int facets = part->polytope != NULL ? part->polytope->facet_count : 0;
    for (int f = 0; f < facets; f++) {
        carom_vec3 n = crm_mat3_apply(part->rotation, part->polytope->normal[f]);
        carom_vec3 corner[FACE_CORNERS], lowest;
        face_along(body, crm_negate(n), corner, &lowest);
        double depth = part->polytope->offset[f] - crm_dot(n, crm_sub(lowest, part->position));
        if (depth <= joined * part->size) return (way_out){.depth = 0.0};
        carom_vec3 x = crm_madd(lowest, depth, n);
        if (depth < best.depth && holds(part, x, joined * part->size) &&
            !(is_covered_at_all(parts, own, x, n) && is_covered_about(parts, own, x, n)))
            best = (way_out){.depth = depth, .normal = n, .on_part = x, .on_body = lowest};
    }
    return best;
}

// Makes the contact that of the way out of the compound (`compound_is_a`: A).
static void take_way_out(const way_out *way, bool compound_is_a, carom_contact *contact) {
    contact->kind = CAROM_CONTACT_NEAREST;
    contact->feature_a = contact->feature_b = 0;
    contact->gap = -way->depth;
    contact->normal = compound_is_a ? way->normal : crm_negate(way->normal);
    contact->point_a = compound_is_a ? way->on_part : way->on_body;
    contact->point_b = compound_is_a ? way->on_body : way->on_part;
}

typedef enum fate { STAYS, INSIDE_A, INSIDE_B, LEFT_AS_IT_IS } fate;

// The two sides of a contact, seen from the compound that it is inside of.
typedef struct inside_view {
    const listed *compound, *other;
    int part, other_part; // places in these lists
} inside_view;

static inside_view seen_from_inside(const listed *a, const listed *b, const carom_contact *contact, fate fate) {
    bool is_a = fate == INSIDE_A;
    int place_a = place_of(a, contact->part_a), place_b = place_of(b, contact->part_b);
    return (inside_view){is_a ? a : b, is_a ? b : a, is_a ? place_a : place_b, is_a ? place_b : place_a};
}

// Whether a contact that stays, of the same part of the other body, holds this one, which is inside.
static bool is_held(const listed *a, const listed *b, int i, int count, const carom_contact *contacts,
                    const fate *fates, const fate *after) {
    bool is_a = fates[i] == INSIDE_A;
    inside_view at = seen_from_inside(a, b, &contacts[i], fates[i]);
    const crm_side *part = &at.compound->side[at.part];
    for (int k = 0; k < count; k++) {
        bool same = is_a ? contacts[k].part_b == contacts[i].part_b : contacts[k].part_a == contacts[i].part_a;
        if (!same || after[k] != STAYS) continue;
        carom_vec3 n = is_a ? contacts[k].normal : crm_negate(contacts[k].normal);
        carom_vec3 x = is_a ? contacts[k].point_a : contacts[k].point_b;
        if (reaches_beyond(part, x, n) <= joined * part->size) return true;
    }
    return false;
}

// Makes overlapping contacts that nothing holds ways out, the shortest first, as it may hold the others. `after` starts
// as a copy of `fates`; `ways` is scratch.
static void lift_out(const listed *a, const listed *b, int count, carom_contact *contacts, const fate *fates,
                     fate *after, way_out *ways) {
    for (int i = 0; i < count; i++) {
        ways[i].depth = 0.0;
        if (fates[i] == STAYS || contacts[i].gap >= 0.0 || is_held(a, b, i, count, contacts, fates, after)) continue;
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
            if (found) take_way_out(&ways[next], fates[next] == INSIDE_A, &contacts[next]);
            after[next] = found ? STAYS : LEFT_AS_IT_IS;
        }
        ways[next].depth = 0.0;
    }
}

// ---- all contacts of two proxies

// An event may lie beside its face, by what the bodies can slide: it is about the nearest point of the part.
static carom_vec3 nearest_in(const listed *parts, int own, carom_vec3 x) {
    const crm_side *part = &parts->side[own];
    if (holds(part, x, joined * part->size)) return x;
    carom_view point = carom_view_of_vertices(1, &x);
    carom_gap_witness gap;
    carom_status status = carom_find_gap(&parts->all[parts->part[own]].view, &point, NULL, NULL, &gap, NULL);
    return status == CAROM_OK ? gap.point_a : x;
}

static bool is_inside(const listed *parts, int part, carom_vec3 x, carom_vec3 n) {
    int own = place_of(parts, part);
    x = nearest_in(parts, own, x);
    return is_covered(parts, own, x, n) && is_covered_about(parts, own, x, n);
}

static fate fate_of(const listed *a, const listed *b, const carom_contact *contact) {
    if (a->count > 1 && is_inside(a, contact->part_a, contact->point_a, contact->normal)) return INSIDE_A;
    carom_vec3 back = crm_negate(contact->normal);
    if (b->count > 1 && is_inside(b, contact->part_b, contact->point_b, back)) return INSIDE_B;
    return STAYS;
}

int crm_drop_seams(const crm_item *items, int pair_count, const crm_item_pair *pairs, int count,
                   carom_contact *contacts, crm_arena *scratch) {
    if (pair_count < 2 || count == 0) return count;
    crm_mark mark = crm_arena_mark(scratch);
    listed a, b;
    fate *fates = CRM_ARENA_ARRAY(scratch, fate, count), *after = CRM_ARENA_ARRAY(scratch, fate, count);
    way_out *ways = CRM_ARENA_ARRAY(scratch, way_out, count);
    int left = -1;
    if (fates != NULL && after != NULL && ways != NULL && list_parts(items, pair_count, pairs, false, scratch, &a) &&
        list_parts(items, pair_count, pairs, true, scratch, &b)) {
        bool lost = false;
        for (int i = 0; i < count; i++) {
            fates[i] = after[i] = fate_of(&a, &b, &contacts[i]);
            lost |= fates[i] != STAYS && contacts[i].gap < 0.0;
        }
        if (lost) lift_out(&a, &b, count, contacts, fates, after, ways);
        left = 0;
        for (int i = 0; i < count; i++)
            if (after[i] == STAYS || after[i] == LEFT_AS_IT_IS) contacts[left++] = contacts[i];
    }
    crm_arena_release(scratch, mark);
    return left;
}

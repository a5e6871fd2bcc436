// SPDX-License-Identifier: MIT
#include "contact/compound/internal_cover.h"

#include <math.h>
#include <string.h>

// ---- one part

bool crm_part_holds(const crm_side *part, carom_vec3 x, double slack) {
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

double crm_part_beyond(const crm_side *part, carom_vec3 x, carom_vec3 n) {
    int vertex = crm_core_support(part, n, -1);
    return crm_dot(n, crm_core_arm(part, vertex)) + crm_round_support(part, n, NULL) +
           crm_dot(n, crm_sub(part->centre, x));
}

int crm_part_face(const crm_side *part, carom_vec3 n, carom_vec3 corner[CRM_FACE_CORNERS], carom_vec3 *mean) {
    carom_vec3 round;
    (void)crm_round_support(part, n, &round);
    double highest = crm_dot(n, crm_core_arm(part, crm_core_support(part, n, -1)));
    carom_vec3 sum = crm_vec3_zero();
    int count = 0, all = 0;
    for (int i = 0; i < part->vertex_count; i++) {
        carom_vec3 arm = crm_core_arm(part, i);
        if (crm_dot(n, arm) < highest - CRM_KNOWN_HEIGHT * part->size) continue;
        carom_vec3 place = crm_add(part->centre, crm_add(arm, round));
        if (count < CRM_FACE_CORNERS) corner[count++] = place;
        sum = crm_add(sum, place);
        all++;
    }
    *mean = crm_scale(1.0 / all, sum);
    return count;
}

// ---- the siblings

static bool covers(const crm_side *sibling, double own_size, carom_vec3 x, carom_vec3 n) {
    if (!crm_part_holds(sibling, x, CRM_JOINED * fmin(own_size, sibling->size))) return false;
    return crm_part_beyond(sibling, x, n) > crm_known_height(sibling, x);
}

bool crm_is_covered(const crm_part_list *parts, int own, carom_vec3 x, carom_vec3 n) {
    for (int k = 0; k < parts->count; k++)
        if (k != own && covers(&parts->side[k], parts->side[own].size, x, n)) return true;
    return false;
}

bool crm_is_covered_at_all(const crm_part_list *parts, int own, carom_vec3 x, carom_vec3 n) {
    if (crm_is_covered(parts, own, x, n)) return true;
    for (int k = 0; k < parts->all_count; k++) {
        const carom_shape *shape = parts->all[k].view.shape;
        double most = shape->bounding_radius + crm_length(shape->centre), size = parts->side[own].size;
        carom_vec3 off = crm_sub(x, parts->all[k].view.pose.position);
        if (k == parts->part[own] || crm_length_squared(off) > (most + CRM_JOINED * size) * (most + CRM_JOINED * size))
            continue;
        crm_side sibling;
        crm_side_of(&parts->all[k].view, 0, CRM_FROM_INSIDE, &sibling);
        if (covers(&sibling, size, x, n)) return true;
    }
    return false;
}

static carom_vec3 towards(carom_vec3 x, carom_vec3 corner) {
    return crm_madd(x, CRM_NEXT_TO, crm_sub(corner, x));
}

bool crm_is_covered_about(const crm_part_list *parts, int own, carom_vec3 x, carom_vec3 n) {
    carom_vec3 corner[CRM_FACE_CORNERS], mean;
    int count = crm_part_face(&parts->side[own], n, corner, &mean);
    if (!crm_is_covered_at_all(parts, own, towards(x, mean), n)) return false;
    for (int i = 0; i < count; i++) {
        if (!crm_is_covered_at_all(parts, own, towards(x, corner[i]), n)) return false;
        for (int k = i + 1; k < count; k++) {
            carom_vec3 middle = crm_scale(0.5, crm_add(corner[i], corner[k]));
            if (!crm_is_covered_at_all(parts, own, towards(x, middle), n)) return false;
        }
    }
    return true;
}

// ---- lists of parts

int crm_part_place(const crm_part_list *parts, int part) {
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

static void insert_part(crm_part_list *parts, int part) {
    int place = crm_part_place(parts, part);
    if (place < parts->count && parts->part[place] == part) return;
    memmove(parts->part + place + 1, parts->part + place, (size_t)(parts->count - place) * sizeof *parts->part);
    parts->part[place] = part;
    parts->count++;
}

static bool is_unbounded(const carom_view *view) {
    return crm_view_kind(view) == CAROM_SHAPE_HALF_SPACE || crm_view_kind(view) == CAROM_SHAPE_CONTAINER;
}

bool crm_list_parts(const crm_item *items, int pair_count, const crm_item_pair *pairs, bool of_b, crm_arena *scratch,
                    crm_part_list *out) {
    int number = of_b ? pairs[0].b : pairs[0].a;
    *out = (crm_part_list){.part = CRM_ARENA_ARRAY(scratch, int, pair_count)};
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

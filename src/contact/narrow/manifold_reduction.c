// SPDX-License-Identifier: MIT
// Which contacts are taken together: of those that are left the nearest one, and all whose normals are near to its own.
#include "contact/narrow/manifold_reduction.h"

#include <math.h>

#include "math/mat3.h"

enum { FEW = 64 }; // contacts that need no scratch

// |n - m|^2 of unit vectors that are 2.5 degrees apart: (2 sin 1.25 deg)^2.
static const double same_normal_square = 0.0019035;
static const double same_place = 1e-9;  // of the size
static const double same_gap = 1e-12;   // of the size
static const double least_depth = 1e-4; // of the size

// ---- points

// Of several in one place the one with the least gap stays, of equal gaps the first.
static void find_places(crm_support *s, int count, double gap_rounding) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        int k = 0;
        for (; k < left; k++) {
            const carom_vec3 *other = &s->point[s->place[k]];
            if (fabs(s->point[i].x - other->x) <= s->rounding && fabs(s->point[i].y - other->y) <= s->rounding) break;
        }
        if (k == left)
            s->place[left++] = i;
        else if (s->point[i].z < s->point[s->place[k]].z - gap_rounding)
            s->place[k] = i;
    }
    s->place_count = left;
}

bool crm_keep_support_points(int count, const carom_vec3 *points, double size, bool twins_only, crm_arena *scratch,
                             bool *keep) {
    crm_mark mark = crm_arena_mark(scratch);
    int few[2 * FEW], *numbers = few;
    double few_shortfalls[FEW], *shortfall = few_shortfalls;
    if (count > FEW) {
        numbers = CRM_ARENA_ARRAY(scratch, int, 2 * (ptrdiff_t)count);
        shortfall = CRM_ARENA_ARRAY(scratch, double, count);
    }
    bool enough = numbers != NULL && shortfall != NULL;
    if (enough) {
        crm_support s = {.point = points,
                         .keep = keep,
                         .place = numbers,
                         .outline = numbers + count,
                         .shortfall = shortfall,
                         .rounding = same_place * size,
                         .depth = least_depth * size};
        find_places(&s, count, same_gap * size);
        bool all = twins_only || s.place_count < 3;
        for (int i = 0; i < count; i++) keep[i] = false;
        for (int k = 0; all && k < s.place_count; k++) keep[s.place[k]] = true;
        if (!all) {
            crm_find_support_outline(&s);
            crm_keep_what_is_below(&s);
        }
    }
    crm_arena_release(scratch, mark);
    return enough;
}

// ---- contacts

static bool have_same_normal(carom_vec3 a, carom_vec3 b) {
    return crm_length_squared(crm_sub(a, b)) <= same_normal_square;
}

// Lists of bodies in no particular attitudes.
static bool have_all_other_normals(int count, const carom_contact *contacts) {
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (have_same_normal(contacts[i].normal, contacts[k].normal)) return false;
    return true;
}

static carom_vec3 middle_of(const carom_contact *contact) {
    return crm_scale(0.5, crm_add(contact->point_a, contact->point_b));
}

// One of two opposite normals, so that it does not matter which body is A.
static carom_vec3 upward(carom_vec3 n) {
    bool up = n.z != 0.0 ? n.z > 0.0 : n.y != 0.0 ? n.y > 0.0 : n.x > 0.0;
    return up ? n : crm_negate(n);
}

// Whether a contact comes before another one as that whose normal the others are compared with: it is nearer, or as
// near and first along a direction that is no axis of anything.
static bool comes_first(const carom_contact *one, const carom_contact *other, double gap_rounding) {
    const carom_vec3 direction = {0.48, 0.36, 0.8};
    if (fabs(one->gap - other->gap) > gap_rounding) return one->gap < other->gap;
    return crm_dot(direction, middle_of(one)) > crm_dot(direction, middle_of(other));
}

typedef struct group {
    int count;
    int *member;
    carom_vec3 *point;
} group;

// Those of the contacts that are not done and along about the normal of contact `first`; they are done then.
static void gather(int count, const carom_contact *contacts, int first, bool *done, group *g) {
    carom_mat3 frame = crm_frame_from_normal(upward(contacts[first].normal));
    carom_vec3 origin = middle_of(&contacts[first]);
    g->count = 0;
    for (int k = 0; k < count; k++) {
        if (done[k] || !have_same_normal(contacts[k].normal, contacts[first].normal)) continue;
        carom_vec3 arm = crm_sub(middle_of(&contacts[k]), origin);
        g->point[g->count] = crm_vec3(crm_dot(arm, frame.x), crm_dot(arm, frame.y), contacts[k].gap);
        g->member[g->count++] = k;
        done[k] = true;
    }
}

static int first_of(int count, const carom_contact *contacts, const bool *done, double gap_rounding) {
    int first = -1;
    for (int i = 0; i < count; i++)
        if (!done[i] && (first < 0 || comes_first(&contacts[i], &contacts[first], gap_rounding))) first = i;
    return first;
}

int crm_reduce_manifold(int count, carom_contact *contacts, double size, bool twins_only, crm_arena *scratch) {
    if (count < 2 || (count <= 4 && have_all_other_normals(count, contacts))) return count;

    crm_mark mark = crm_arena_mark(scratch);
    bool few_kept[FEW], few_done[FEW], few_keep[FEW], *kept = few_kept, *done = few_done, *keep = few_keep;
    carom_vec3 few_points[FEW];
    int few_members[FEW];
    group g = {.member = few_members, .point = few_points};
    if (count > FEW) {
        kept = CRM_ARENA_ARRAY(scratch, bool, count);
        done = CRM_ARENA_ARRAY(scratch, bool, count);
        keep = CRM_ARENA_ARRAY(scratch, bool, count);
        g.point = CRM_ARENA_ARRAY(scratch, carom_vec3, count);
        g.member = CRM_ARENA_ARRAY(scratch, int, count);
    }
    bool enough = kept != NULL && done != NULL && keep != NULL && g.point != NULL && g.member != NULL;
    for (int i = 0; enough && i < count; i++)
        kept[i] = true, done[i] = contacts[i].kind == CAROM_CONTACT_KIND_CONTINUOUS;

    for (int first; enough && (first = first_of(count, contacts, done, same_gap * size)) >= 0;) {
        gather(count, contacts, first, done, &g);
        if (g.count < 2) continue;
        enough = crm_keep_support_points(g.count, g.point, size, twins_only, scratch, keep);
        for (int k = 0; enough && k < g.count; k++) kept[g.member[k]] = keep[k];
    }

    int left = 0;
    for (int i = 0; enough && i < count; i++) {
        if (!kept[i]) continue;
        if (left != i) contacts[left] = contacts[i];
        left++;
    }
    crm_arena_release(scratch, mark);
    return enough ? left : -1;
}

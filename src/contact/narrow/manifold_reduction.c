// SPDX-License-Identifier: MIT
#include "contact/narrow/manifold_reduction.h"

#include <string.h>

#include "math/mat3.h"

enum {
    FEW = 64,        // contacts that need no scratch
    FEW_NORMALS = 4, // that are compared one by one
};

static const double same_normal = 1e-9; // rad

static bool have_same_normal(carom_vec3 a, carom_vec3 b) {
    return crm_length_squared(crm_sub(a, b)) <= same_normal * same_normal;
}

// Nearly all lists of bodies in no particular attitudes.
static bool have_all_other_normals(int count, const carom_contact *contacts) {
    for (int i = 1; i < count; i++)
        for (int k = 0; k < i; k++)
            if (have_same_normal(contacts[i].normal, contacts[k].normal)) return false;
    return true;
}

int crm_reduce_manifold(int count, carom_contact *contacts, double size, bool twins_only, crm_arena *scratch) {
    if (count < 2 || (count <= FEW_NORMALS && have_all_other_normals(count, contacts))) return count;

    crm_mark mark = crm_arena_mark(scratch);
    bool few_kept[FEW], few_done[FEW], few_keep[FEW], *kept = few_kept, *done = few_done, *keep = few_keep;
    carom_vec3 few_points[FEW], *points = few_points;
    int few_members[FEW], *members = few_members;
    if (count > FEW) {
        kept = CRM_ARENA_ARRAY(scratch, bool, count);
        done = CRM_ARENA_ARRAY(scratch, bool, count);
        keep = CRM_ARENA_ARRAY(scratch, bool, count);
        points = CRM_ARENA_ARRAY(scratch, carom_vec3, count);
        members = CRM_ARENA_ARRAY(scratch, int, count);
    }
    bool enough = kept != NULL && done != NULL && keep != NULL && points != NULL && members != NULL;
    for (int i = 0; enough && i < count; i++)
        kept[i] = true, done[i] = contacts[i].kind == CAROM_CONTACT_KIND_CONTINUOUS;

    for (int i = 0; enough && i < count; i++) {
        if (done[i]) continue;
        // All with the normal of the first one that is left, over its plane.
        carom_mat3 frame = crm_frame_from_normal(contacts[i].normal);
        carom_vec3 origin = contacts[i].point_a;
        int m = 0;
        for (int k = i; k < count; k++) {
            if (done[k] || !have_same_normal(contacts[k].normal, contacts[i].normal)) continue;
            carom_vec3 arm = crm_sub(contacts[k].point_a, origin);
            points[m] = crm_vec3(crm_dot(arm, frame.x), crm_dot(arm, frame.y), contacts[k].gap);
            members[m++] = k;
            done[k] = true;
        }
        if (m < 2) continue;
        enough = crm_keep_lower_hull(m, points, size, twins_only, scratch, keep);
        for (int k = 0; enough && k < m; k++) kept[members[k]] = keep[k];
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

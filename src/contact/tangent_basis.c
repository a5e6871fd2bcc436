// SPDX-License-Identifier: MIT
// The tangent of a fresh contact is a function of its normal in A's axes, so that it rotates with the pair. Later it is
// carried along with A and moved by the least rotation that takes the old normal to the new one: it rotates no more
// about the normal than A does.
#include "contact/tangent_basis.h"

#include <math.h>
#include <string.h>

#include "distance/side.h"
#include "math/quat.h"

// A former contact is near when it is within this share of the smaller body's size, on A or on B (a body that slides
// keeps its corners, one that rolls does not), and its normal within half a radian: beyond, its impulse is of no use.
static const double near_share = 0.05;
static const double near_cosine = 0.87;

// Below this cosine between old and new normal the least rotation is no longer well determined: a new tangent is made.
static const double least_rotation_cosine = -0.5;

double crm_proxy_size(const carom_view *view) {
    if (view->shape != NULL) return view->shape->bounding_radius;
    crm_side side;
    crm_side_of(view, 0, CRM_FROM_INSIDE, &side);
    return side.size;
}

int crm_compare_contacts(const carom_contact *a, const carom_contact *b) {
    int order = crm_compare_int(a->part_a, b->part_a);
    if (order == 0) order = crm_compare_int(a->part_b, b->part_b);
    if (order == 0) order = crm_compare_int((int32_t)a->kind, (int32_t)b->kind);
    if (order == 0) order = crm_compare_int(a->feature_a, b->feature_a);
    return order != 0 ? order : crm_compare_int(a->feature_b, b->feature_b);
}

// ---- tangents

// `t`, which is unit and normal to the unit vector `n` up to what an attitude may be off, made so to rounding: one step
// of Newton's method for 1/|t|, whose error is the square of that.
static carom_vec3 square_to(carom_vec3 t, carom_vec3 n) {
    t = crm_madd(t, -crm_dot(t, n), n);
    return crm_scale(1.5 - 0.5 * crm_length_squared(t), t);
}

// The least rotation that takes unit vector `from` to `to`, applied to a unit vector `v` that is normal to `from`. It
// is the reflection across `from` followed by that across the bisector of the two; the first one leaves v as it is.
static carom_vec3 rotated_from_to(carom_vec3 from, carom_vec3 to, carom_vec3 v) {
    return crm_madd(v, -crm_dot(to, v) / (1.0 + crm_dot(from, to)), crm_add(from, to));
}

// How a proxy has moved since the former update: points and vectors of then as they are now.
typedef struct moved {
    carom_mat3 rotation;
    carom_vec3 then, now; // positions, world, m
} moved;

static inline moved moved_since(const carom_pose *then, const carom_pose *now) {
    return (moved){crm_quat_to_mat3(crm_quat_mul(now->attitude, crm_quat_conjugate(then->attitude))), then->position,
                   now->position};
}

static carom_vec3 moved_point(const moved *m, carom_vec3 point) {
    return crm_add(m->now, crm_mat3_apply(m->rotation, crm_sub(point, m->then)));
}

static carom_vec3 fresh_tangent(carom_vec3 normal, carom_quat attitude_a) {
    carom_vec3 t = crm_any_normal(crm_quat_rotate_inverse(attitude_a, normal));
    return square_to(crm_quat_rotate(attitude_a, t), normal);
}

static inline carom_vec3 next_tangent(carom_vec3 normal, carom_quat attitude_a, const moved *a,
                                      const carom_contact *old) {
    carom_vec3 from = crm_mat3_apply(a->rotation, old->normal);
    if (crm_dot(from, normal) <= least_rotation_cosine) return fresh_tangent(normal, attitude_a);
    return square_to(rotated_from_to(from, normal, crm_mat3_apply(a->rotation, old->tangent)), normal);
}

// ---- which is which

// The free former contact nearest to this one, or -1. Of equally near ones the first.
static int nearest_old(const carom_contact *contact, const crm_former *former, const bool *taken, const moved *a,
                       const moved *b, double nearness) {
    double least = nearness * nearness;
    int best = -1;
    for (int k = 0; k < former->count; k++) {
        const carom_contact *old = &former->contacts[k];
        if (taken[k] || crm_dot(contact->normal, crm_mat3_apply(a->rotation, old->normal)) < near_cosine) continue;
        double on_a = crm_length_squared(crm_sub(contact->point_a, moved_point(a, old->point_a)));
        double on_b = crm_length_squared(crm_sub(contact->point_b, moved_point(b, old->point_b)));
        double square = on_a < on_b ? on_a : on_b;
        if (square < least) least = square, best = k;
    }
    return best;
}

static inline void take_from(carom_contact *contact, carom_quat attitude_a, const moved *a, const carom_contact *old) {
    contact->fresh = false;
    contact->tangent = next_tangent(contact->normal, attitude_a, a, old);
    memcpy(contact->impulse, old->impulse, sizeof contact->impulse);
}

enum { FEW = 64 }; // former contacts whose marks need no scratch

// The same contacts, by a walk along both lists. Gives how many there are; the others are fresh.
static inline int take_same(int count, carom_contact *contacts, const crm_former *former, carom_quat attitude_a,
                            const moved *a, bool *taken) {
    int same = 0, found = 0;
    for (int i = 0; i < count; i++) {
        carom_contact *contact = &contacts[i];
        int order = 1;
        while (same < former->count && (order = crm_compare_contacts(contact, &former->contacts[same])) > 0) same++;
        contact->fresh = same == former->count || order != 0;
        if (contact->fresh) continue;
        take_from(contact, attitude_a, a, &former->contacts[same]);
        taken[same++] = true;
        found++;
    }
    return found;
}

bool crm_take_over(int count, carom_contact *contacts, const crm_former *former, const carom_pose *pose_a,
                   const carom_pose *pose_b, double size, crm_arena *scratch) {
    carom_quat attitude_a = pose_a->attitude;
    moved a;
    crm_mark mark = crm_arena_mark(scratch);
    bool few[FEW], *taken = few;
    if (former->count > FEW) taken = CRM_ARENA_ARRAY(scratch, bool, former->count);
    if (taken == NULL) return false;
    if (former->count > 0) {
        memset(taken, 0, (size_t)former->count * sizeof *taken);
        a = moved_since(crm_former_pose(former->cache, former->id_a, former->rank_a), pose_a);
    }
    int found = take_same(count, contacts, former, attitude_a, &a, taken);
    if (found < count) {
        bool some = found < former->count;
        moved b;
        if (some) b = moved_since(crm_former_pose(former->cache, former->id_b, former->rank_b), pose_b);
        for (int i = 0; i < count; i++) {
            carom_contact *contact = &contacts[i];
            if (!contact->fresh) continue;
            int k = some ? nearest_old(contact, former, taken, &a, &b, near_share * size) : -1;
            if (k >= 0) {
                taken[k] = true;
                take_from(contact, attitude_a, &a, &former->contacts[k]);
                continue;
            }
            contact->tangent = fresh_tangent(contact->normal, attitude_a);
            memset(contact->impulse, 0, sizeof contact->impulse);
        }
    }
    crm_arena_release(scratch, mark);
    return true;
}

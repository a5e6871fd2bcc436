// SPDX-License-Identifier: MIT
// The tangent of a fresh contact is a function of its normal in A's axes, so that it turns with the pair. Later it is
// carried along in A's axes and turned by the least rotation that takes the old normal to the new one: it turns no more
// about the normal than A does.
#include "contact/frames.h"

#include <math.h>
#include <string.h>

#include "distance/side.h"
#include "math/quat.h"

// A former contact is near when it is within this share of the smaller body's size, on A or on B (a body that slides
// keeps its corners, one that rolls does not), and its normal within half a radian: beyond, its impulse is of no use.
static const double near_share = 0.05;
static const double near_cosine = 0.87;

// Below this cosine between old and new normal the least rotation is no longer well determined: a new tangent is made.
static const double least_turn_cosine = -0.5;

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

static int compare_with_old(const carom_contact *a, const crm_old_contact *b) {
    int order = crm_compare_int(a->part_a, b->part_a);
    if (order == 0) order = crm_compare_int(a->part_b, b->part_b);
    if (order == 0) order = crm_compare_int((int32_t)a->kind, b->kind);
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

// The least rotation that takes unit vector `from` to `to`, applied to `v` (Rodrigues, without an angle).
static carom_vec3 turn_with(carom_vec3 from, carom_vec3 to, carom_vec3 v) {
    carom_vec3 w = crm_cross(from, to), wv = crm_cross(w, v);
    return crm_madd(crm_add(v, wv), 1.0 / (1.0 + crm_dot(from, to)), crm_cross(w, wv));
}

static carom_vec3 tangent_of(carom_vec3 normal, const carom_mat3 *rotation_a, const crm_old_contact *old) {
    carom_vec3 n = crm_mat3_apply_t(*rotation_a, normal);
    carom_vec3 t;
    if (old != NULL && crm_dot(n, old->normal) > least_turn_cosine)
        t = turn_with(old->normal, n, old->tangent);
    else
        t = crm_any_normal(n);
    return square_to(crm_mat3_apply(*rotation_a, t), normal);
}

// ---- which is which

static carom_vec3 seen_from(const crm_frame *frame, carom_vec3 point) {
    return crm_mat3_apply_t(frame->rotation, crm_sub(point, frame->position));
}

crm_frame crm_frame_of(const carom_proxy *proxy) {
    return (crm_frame){crm_quat_to_mat3(proxy->view.pose.attitude), proxy->view.pose.position};
}

// The free former contact nearest to this one, or -1. Of equally near ones the first.
static int nearest_old(const carom_contact *contact, int old_count, const crm_old_contact *old, const bool *taken,
                       const crm_frame *frame_a, const crm_frame *frame_b, double nearness) {
    carom_vec3 point_a = seen_from(frame_a, contact->point_a), point_b = seen_from(frame_b, contact->point_b);
    carom_vec3 normal = crm_mat3_apply_t(frame_a->rotation, contact->normal);
    double least = nearness * nearness;
    int best = -1;
    for (int k = 0; k < old_count; k++) {
        if (taken[k] || crm_dot(normal, old[k].normal) < near_cosine) continue;
        double on_a = crm_length_squared(crm_sub(point_a, old[k].point_a));
        double on_b = crm_length_squared(crm_sub(point_b, old[k].point_b));
        double square = on_a < on_b ? on_a : on_b;
        if (square < least) least = square, best = k;
    }
    return best;
}

enum { FEW = 64 }; // former contacts whose marks need no scratch

bool crm_take_over(int count, carom_contact *contacts, int old_count, const crm_old_contact *old,
                   const carom_proxy *proxy_a, const carom_proxy *proxy_b, crm_arena *scratch) {
    crm_frame frame_a = crm_frame_of(proxy_a), frame_b = crm_frame_of(proxy_b);
    crm_mark mark = crm_arena_mark(scratch);
    bool few[FEW], *taken = few;
    if (old_count > FEW) taken = CRM_ARENA_ARRAY(scratch, bool, old_count);
    if (taken == NULL) return false;
    if (old_count > 0) memset(taken, 0, (size_t)old_count * sizeof *taken);

    int same = 0, found = 0; // a walk along both lists; fresh: still without a former one
    for (int i = 0; i < count; i++) {
        carom_contact *contact = &contacts[i];
        while (same < old_count && compare_with_old(contact, &old[same]) > 0) same++;
        contact->fresh = same == old_count || compare_with_old(contact, &old[same]) != 0;
        const crm_old_contact *former = contact->fresh ? NULL : &old[same];
        contact->tangent = tangent_of(contact->normal, &frame_a.rotation, former);
        memset(contact->impulse, 0, sizeof contact->impulse);
        if (former == NULL) continue;
        memcpy(contact->impulse, former->impulse, sizeof contact->impulse);
        taken[same++] = true;
        found++;
    }
    if (found < count && found < old_count) {
        double nearness = near_share * fmin(crm_proxy_size(&proxy_a->view), crm_proxy_size(&proxy_b->view));
        for (int i = 0; i < count; i++) {
            carom_contact *contact = &contacts[i];
            if (!contact->fresh) continue;
            int k = nearest_old(contact, old_count, old, taken, &frame_a, &frame_b, nearness);
            if (k < 0) continue;
            taken[k] = true;
            contact->fresh = false;
            contact->tangent = tangent_of(contact->normal, &frame_a.rotation, &old[k]);
            memcpy(contact->impulse, old[k].impulse, sizeof contact->impulse);
        }
    }
    crm_arena_release(scratch, mark);
    return true;
}

crm_old_contact crm_remember(const carom_contact *contact, const crm_frame *frame_a, const crm_frame *frame_b) {
    return (crm_old_contact){
        .part_a = contact->part_a,
        .part_b = contact->part_b,
        .kind = (int32_t)contact->kind,
        .feature_a = contact->feature_a,
        .feature_b = contact->feature_b,
        .normal = crm_mat3_apply_t(frame_a->rotation, contact->normal),
        .tangent = crm_mat3_apply_t(frame_a->rotation, contact->tangent),
        .point_a = seen_from(frame_a, contact->point_a),
        .point_b = seen_from(frame_b, contact->point_b),
        .impulse = {contact->impulse[0], contact->impulse[1], contact->impulse[2]},
    };
}

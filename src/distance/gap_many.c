// SPDX-License-Identifier: MIT
// The gaps of many pairs. Pairs with an ellipsoid wait until there are enough for one group of lanes; all others are
// measured at once. The answer of a pair does not depend on its neighbours.
#include <stddef.h>

#include "base/fail.h"
#include "distance/ellipsoid_gap.h"
#include "distance/ellipsoid_lanes.h"
#include "distance/measure.h"
#include "math/quat.h"

typedef struct batch {
    const carom_view *a, *b;
    carom_distance_cache *caches; // or NULL
    carom_gap_witness *out;
    const crm_ellipsoid_kernels *kernels;
    int waiting;
    int pair[CRM_ELLIPSOID_LANES]; // (waiting)
    crm_ellipsoid_group group;
} batch;

static bool is_round(const carom_view *view) {
    return view->shape != NULL &&
           (view->shape->kind == CAROM_SHAPE_ELLIPSOID || view->shape->kind == CAROM_SHAPE_SPHERE);
}

static bool suits_lanes(const carom_view *a, const carom_view *b) {
    return is_round(a) && is_round(b) &&
           (a->shape->kind == CAROM_SHAPE_ELLIPSOID || b->shape->kind == CAROM_SHAPE_ELLIPSOID);
}

// As ellipsoid_gap.c has it: a ball needs no attitude.
static void put_solid(const carom_view *view, int lane, double attitude[4][CRM_ELLIPSOID_LANES],
                      double half_axes[3][CRM_ELLIPSOID_LANES]) {
    bool ball = view->shape->kind == CAROM_SHAPE_SPHERE;
    carom_quat q = ball ? crm_quat_identity() : view->pose.attitude;
    double r = view->shape->radius;
    carom_vec3 size = ball ? crm_vec3(r, r, r) : view->shape->half_axes;
    attitude[0][lane] = q.w, attitude[1][lane] = q.x, attitude[2][lane] = q.y, attitude[3][lane] = q.z;
    half_axes[0][lane] = size.x, half_axes[1][lane] = size.y, half_axes[2][lane] = size.z;
}

static void put_vec3(carom_vec3 v, int lane, double at[3][CRM_ELLIPSOID_LANES]) {
    at[0][lane] = v.x, at[1][lane] = v.y, at[2][lane] = v.z;
}

static carom_vec3 get_vec3(const double at[3][CRM_ELLIPSOID_LANES], int lane) {
    return crm_vec3(at[0][lane], at[1][lane], at[2][lane]);
}

static crm_ellipsoid ellipsoid_of_view(const carom_view *view) {
    double r = view->shape->radius;
    if (view->shape->kind == CAROM_SHAPE_SPHERE)
        return crm_ellipsoid_of(view->pose.position, crm_vec3(r, r, r), crm_mat3_identity());
    return crm_ellipsoid_of(view->pose.position, view->shape->half_axes, crm_quat_to_mat3(view->pose.attitude));
}

static void take_answer(const batch *m, const crm_ellipsoid_answers *answers, int lane, bool proved) {
    int i = m->pair[lane];
    crm_ellipsoid_witness w;
    carom_vec3 normal = get_vec3(answers->normal, lane);
    if (proved) {
        w = (crm_ellipsoid_witness){
            .gap = answers->gap[lane],
            .normal = normal,
            .point_a = crm_add(m->a[i].pose.position, get_vec3(answers->arm_a, lane)),
            .point_b = crm_sub(m->b[i].pose.position, get_vec3(answers->arm_b, lane)),
            .normal_unique = true,
            .global = true,
            .accuracy = answers->accuracy[lane],
        };
    } else {
        crm_ellipsoid a = ellipsoid_of_view(&m->a[i]), b = ellipsoid_of_view(&m->b[i]);
        w = crm_ellipsoid_search(&a, &b, normal);
    }
    w.supports += (int)answers->supports[lane];
    crm_write_ellipsoid_gap(&w, m->caches != NULL ? &m->caches[i] : NULL, &m->out[i]);
}

// Measures the pairs that wait. Lanes without a pair hold what was there before.
static void measure_waiting(batch *m) {
    if (m->waiting == 0) return;
    crm_ellipsoid_answers answers;
    unsigned proved = m->kernels->find(&m->group, &answers);
    for (int lane = 0; lane < m->waiting; lane++) take_answer(m, &answers, lane, proved >> lane & 1);
    m->waiting = 0;
}

static carom_status add_pair(batch *m, int i, carom_error *error) {
    const carom_view *a = &m->a[i], *b = &m->b[i];
    carom_status status = crm_check_view(a, "A", error);
    if (status == CAROM_OK) status = crm_check_view(b, "B", error);
    if (status != CAROM_OK) return status;
    int lane = m->waiting++;
    m->pair[lane] = i;
    put_vec3(crm_sub(b->pose.position, a->pose.position), lane, m->group.d);
    put_solid(a, lane, m->group.attitude_a, m->group.half_axes_a);
    put_solid(b, lane, m->group.attitude_b, m->group.half_axes_b);
    put_vec3(m->caches != NULL ? m->caches[i].gap_normal : crm_vec3_zero(), lane, m->group.start);
    if (m->waiting == CRM_ELLIPSOID_LANES) measure_waiting(m);
    return CAROM_OK;
}

carom_status carom_find_gaps(int count, const carom_view *a, const carom_view *b, const carom_distance_options *options,
                             carom_distance_cache *caches, carom_gap_witness *out, carom_error *error) {
    batch m = {.a = a, .b = b, .caches = caches, .out = out, .kernels = crm_ellipsoid_kernels_best()};
    carom_error reason;
    for (int i = 0; i < count; i++) {
        carom_status status;
        if (suits_lanes(&a[i], &b[i]))
            status = add_pair(&m, i, &reason);
        else
            status = carom_find_gap(&a[i], &b[i], options, caches != NULL ? &caches[i] : NULL, &out[i], &reason);
        if (status == CAROM_OK) continue;
        measure_waiting(&m);
        out[i] = (carom_gap_witness){0};
        return crm_fail(error, status, "pair %d: %s", i, reason.text);
    }
    measure_waiting(&m);
    return CAROM_OK;
}

// SPDX-License-Identifier: MIT
#include "distance/round/round_lanes.h"

#include "math/quat.h"

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

static crm_ellipsoid_witness answer_of(const crm_round_lanes *l, const crm_ellipsoid_answers *answers, int lane,
                                       bool proved) {
    carom_vec3 normal = get_vec3(answers->normal, lane);
    crm_ellipsoid_witness w;
    if (proved) {
        w = (crm_ellipsoid_witness){
            .gap = answers->gap[lane],
            .normal = normal,
            .point_a = crm_add(l->a[lane]->pose.position, get_vec3(answers->arm_a, lane)),
            .point_b = crm_sub(l->b[lane]->pose.position, get_vec3(answers->arm_b, lane)),
            .normal_unique = true,
            .global = true,
            .accuracy = answers->accuracy[lane],
        };
    } else {
        crm_ellipsoid a = ellipsoid_of_view(l->a[lane]), b = ellipsoid_of_view(l->b[lane]);
        w = crm_ellipsoid_search(&a, &b, normal);
    }
    w.supports += (int)answers->supports[lane];
    return w;
}

void crm_round_lanes_begin(crm_round_lanes *lanes,
                           void (*take)(void *user, int pair, const crm_ellipsoid_witness *witness), void *user) {
    lanes->kernels = crm_ellipsoid_kernels_best();
    lanes->take = take;
    lanes->user = user;
    lanes->waiting = 0;
}

// Lanes without a pair get a copy of the first.
static void fill_lanes(crm_round_lanes *l) {
    double(*row)[CRM_ELLIPSOID_LANES] = (double(*)[CRM_ELLIPSOID_LANES]) & l->batch;
    for (size_t i = 0; i < sizeof l->batch / sizeof *row; i++)
        for (int lane = l->waiting; lane < CRM_ELLIPSOID_LANES; lane++) row[i][lane] = row[i][0];
}

void crm_round_lanes_end(crm_round_lanes *l) {
    if (l->waiting == 0) return;
    fill_lanes(l);
    crm_ellipsoid_answers answers;
    unsigned proved = l->kernels->find(&l->batch, &answers);
    for (int lane = 0; lane < l->waiting; lane++) {
        crm_ellipsoid_witness w = answer_of(l, &answers, lane, proved >> lane & 1);
        l->take(l->user, l->pair[lane], &w);
    }
    l->waiting = 0;
}

void crm_round_lanes_add(crm_round_lanes *l, int pair, const carom_view *a, const carom_view *b, carom_vec3 start) {
    int lane = l->waiting++;
    l->pair[lane] = pair;
    l->a[lane] = a;
    l->b[lane] = b;
    put_vec3(crm_sub(b->pose.position, a->pose.position), lane, l->batch.d);
    put_solid(a, lane, l->batch.attitude_a, l->batch.half_axes_a);
    put_solid(b, lane, l->batch.attitude_b, l->batch.half_axes_b);
    put_vec3(start, lane, l->batch.start);
    if (l->waiting == CRM_ELLIPSOID_LANES) crm_round_lanes_end(l);
}

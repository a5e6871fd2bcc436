// SPDX-License-Identifier: MIT
// libccd: two tests of overlap, two depths. It has no distance, and nothing that starts from the last answer.
#include <ccd/ccd.h>
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/narrow.h"

// What the support functions get.
typedef struct body {
    const bench_solid *solid;
    carom_mat3 rotation;
    carom_vec3 position;
} body;

typedef struct library {
    ccd_t ccd;
    body *a, *b; // of every pair
} library;

static carom_vec3 to_body(const body *of, const ccd_vec3_t *d) {
    return crm_mat3_apply_t(of->rotation, crm_vec3(d->v[0], d->v[1], d->v[2]));
}

static void to_world(const body *of, carom_vec3 local, ccd_vec3_t *out) {
    carom_vec3 p = crm_add(of->position, crm_mat3_apply(of->rotation, local));
    ccdVec3Set(out, p.x, p.y, p.z);
}

static void support_hull(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const body *of = object;
    carom_vec3 d = to_body(of, direction);
    const carom_vec3 *best = NULL;
    double most = -INFINITY;
    for (int i = 0; i < of->solid->vertex_count; i++) {
        double height = crm_dot(d, of->solid->vertices[i]);
        if (height > most) most = height, best = &of->solid->vertices[i];
    }
    to_world(of, *best, out);
}

static void support_box(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const body *of = object;
    carom_vec3 d = to_body(of, direction), half = of->solid->half;
    to_world(of, crm_vec3(copysign(half.x, d.x), copysign(half.y, d.y), copysign(half.z, d.z)), out);
}

static void support_ellipsoid(const void *object, const ccd_vec3_t *direction, ccd_vec3_t *out) {
    const body *of = object;
    carom_vec3 stretched = crm_vec3_mul(of->solid->half, to_body(of, direction));
    to_world(of, crm_scale(1.0 / crm_length(stretched), crm_vec3_mul(of->solid->half, stretched)), out);
}

static void centre(const void *object, ccd_vec3_t *out) {
    to_world(object, crm_vec3_zero(), out);
}

static void test_gjk(void *context, int first, int count, double *gaps) {
    const library *l = context;
    for (int i = 0; i < count; i++)
        gaps[i] = ccdGJKIntersect(&l->a[first + i], &l->b[first + i], &l->ccd) ? -INFINITY : INFINITY;
}

static void test_mpr(void *context, int first, int count, double *gaps) {
    const library *l = context;
    for (int i = 0; i < count; i++)
        gaps[i] = ccdMPRIntersect(&l->a[first + i], &l->b[first + i], &l->ccd) ? -INFINITY : INFINITY;
}

static void depth_gjk(void *context, int first, int count, double *gaps) {
    const library *l = context;
    for (int i = 0; i < count; i++) {
        ccd_real_t depth;
        ccd_vec3_t direction, point;
        int outcome = ccdGJKPenetration(&l->a[first + i], &l->b[first + i], &l->ccd, &depth, &direction, &point);
        gaps[i] = outcome == 0 ? -depth : NAN;
    }
}

static void depth_mpr(void *context, int first, int count, double *gaps) {
    const library *l = context;
    for (int i = 0; i < count; i++) {
        ccd_real_t depth;
        ccd_vec3_t direction, point;
        int outcome = ccdMPRPenetration(&l->a[first + i], &l->b[first + i], &l->ccd, &depth, &direction, &point);
        gaps[i] = outcome == 0 ? -depth : NAN;
    }
}

static body body_of(const bench_solid *solid, const carom_pose *pose) {
    return (body){solid, crm_quat_to_mat3(pose->attitude), pose->position};
}

static void *make(const bench_pair_set *set) {
    library *l = calloc(1, sizeof *l);
    CCD_INIT(&l->ccd);
    bench_solid_kind kind = set->solids[0].kind;
    l->ccd.support1 = kind == BENCH_HULL ? support_hull : kind == BENCH_BOX ? support_box : support_ellipsoid;
    l->ccd.support2 = l->ccd.support1;
    l->ccd.center1 = l->ccd.center2 = centre;
    l->ccd.max_iterations = 500;
    l->ccd.epa_tolerance = l->ccd.mpr_tolerance = set->tolerance;
    l->a = calloc((size_t)set->pair_count, sizeof *l->a);
    l->b = calloc((size_t)set->pair_count, sizeof *l->b);
    for (int i = 0; i < set->pair_count; i++) {
        const bench_pair *pair = &set->pairs[i];
        l->a[i] = body_of(&set->solids[pair->a], &pair->pose_a);
        l->b[i] = body_of(&set->solids[pair->b], &pair->pose_b);
    }
    return l;
}

static const bench_narrow_method methods[] = {
    {"GJK, yes or no", test_gjk, NULL, BENCH_APART, false},
    {"MPR, yes or no", test_mpr, NULL, BENCH_APART, false},
    {"GJK and EPA", depth_gjk, NULL, BENCH_OVERLAPPING, false},
    {"MPR", depth_mpr, NULL, BENCH_OVERLAPPING, false},
};

int main(int argc, char **argv) {
    return bench_narrow_peer(argc, argv, methods, 4, make);
}

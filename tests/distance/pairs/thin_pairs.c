// SPDX-License-Identifier: MIT
// Thin boxes and prisms that share an axis or a plane, as hulls of points, some far from the origin: their facets are
// seen through triangles of every thinness. The gap must be right to what the witness says, against every axis that two
// differences of vertices have in common, in long double; and the points must be apart by the gap along the normal.
#include <float.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "carom/distance.h"
#include "math/quat.h"
#include "math/vec3.h"
#include "reference/polytope/convex_body.h"
#include "support/harness/check.h"

// m: how far points may be off the weighted means of the vertices where vertices count as lying in a face (1e-9).
static const double most_outside = 2e-8;

enum { MOST_POINTS = 32, MOST_AXES = MOST_POINTS * MOST_POINTS };

typedef struct body {
    int count;
    carom_vec3 point[MOST_POINTS];
} body;

// ---- the reference: the largest gap of planes

typedef struct long_vec3 {
    long double x, y, z;
} long_vec3;

static long_vec3 long_sub(carom_vec3 a, carom_vec3 b) {
    return (long_vec3){(long double)a.x - b.x, (long double)a.y - b.y, (long double)a.z - b.z};
}

static long_vec3 long_cross(long_vec3 a, long_vec3 b) {
    return (long_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static long double long_dot(long_vec3 a, long_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Largest or least of n.(x - origin), as `sign` is 1 or -1.
static long double extreme(const body *of, long_vec3 n, carom_vec3 origin, int sign) {
    long double best = -INFINITY;
    for (int i = 0; i < of->count; i++) best = fmaxl(best, sign * long_dot(n, long_sub(of->point[i], origin)));
    return sign * best;
}

static int differences(const body *of, long_vec3 *out) {
    int count = 0;
    for (int i = 0; i < of->count; i++)
        for (int k = 0; k < i; k++) out[count++] = long_sub(of->point[i], of->point[k]);
    return count;
}

// Of overlapping bodies: one of the axes is that of the facet of the difference that is nearest.
static long double gap_of_planes(const body *a, const body *b) {
    static long_vec3 edge[MOST_AXES];
    int count = differences(a, edge);
    count += differences(b, edge + count);
    carom_vec3 origin = a->point[0];
    long double best = -INFINITY;
    for (int i = 0; i < count; i++)
        for (int k = 0; k < i; k++) {
            long_vec3 n = long_cross(edge[i], edge[k]);
            long double square = long_dot(n, n), sides = long_dot(edge[i], edge[i]) * long_dot(edge[k], edge[k]);
            if (!(square > 1e-24L * sides)) continue;
            long double ab = extreme(b, n, origin, -1) - extreme(a, n, origin, 1);
            long double ba = extreme(a, n, origin, -1) - extreme(b, n, origin, 1);
            best = fmaxl(best, fmaxl(ab, ba) / sqrtl(square));
        }
    return best;
}

// ---- bodies

static double thinness(crm_random *r) {
    return pow(10.0, crm_random_between(r, -5.0, 0.3));
}

// A box, or a prism of `sides` sides, about the origin; the first coordinate runs along its axis.
static body make_body(crm_random *r) {
    body out = {.count = 0};
    int sides = crm_random_below(r, 3) == 0 ? 3 + (int)crm_random_below(r, 6) : 4;
    double length = thinness(r), wide = thinness(r), high = sides == 4 ? thinness(r) : wide;
    for (int i = 0; i < sides; i++) {
        double angle = 6.283185307179586 * (i + 0.5) / sides;
        for (int end = -1; end <= 1; end += 2)
            out.point[out.count++] = crm_vec3(0.5 * end * length, wide * cos(angle), high * sin(angle));
    }
    return out;
}

static void place(body *of, carom_quat attitude, carom_vec3 shift) {
    for (int i = 0; i < of->count; i++) of->point[i] = crm_add(crm_quat_rotate(attitude, of->point[i]), shift);
}

static double reach(const body *of, carom_vec3 along) {
    double best = 0.0;
    for (int i = 0; i < of->count; i++) best = fmax(best, crm_dot(along, of->point[i]));
    return best;
}

// Two bodies along an axis of the first: rotated alike, about the axis by any angle, or anyhow, and shifted aside.
static void make_pair(crm_random *r, body *a, body *b) {
    static const double gaps[] = {-0.3, -0.1, -1e-2, -1e-4, -1e-6, 1e-6, 1e-3, 0.1};
    *a = make_body(r);
    *b = make_body(r);
    static const carom_vec3 axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    carom_vec3 axis = axes[crm_random_below(r, 3)];
    uint64_t how = crm_random_below(r, 4);
    carom_quat own = crm_quat_identity();
    double half = crm_random_between(r, 0.0, 3.0);
    if (how == 1) own = (carom_quat){cos(half), sin(half) * axis.x, sin(half) * axis.y, sin(half) * axis.z};
    if (how == 2) own = crm_random_rotation(r);
    place(b, own, crm_vec3_zero());
    double gap = gaps[crm_random_below(r, 8)];
    carom_vec3 shift = crm_scale(reach(a, axis) + reach(b, crm_negate(axis)) + gap, axis);
    if (crm_random_below(r, 2) == 0)
        shift = crm_add(shift, crm_scale(0.1 * crm_random_uniform(r), crm_random_direction(r)));
    place(b, crm_quat_identity(), shift);
    carom_quat attitude = crm_random_rotation(r);
    carom_vec3 away = crm_random_below(r, 2) == 0 ? crm_vec3_zero() : crm_vec3(43.0, 55.0, -51.0);
    place(a, attitude, away);
    place(b, attitude, away);
}

// What rounding of the points' coordinates may leave between them.
static double rounding_of(const body *a, const body *b) {
    double largest = 0.0;
    for (int i = 0; i < a->count; i++) largest = fmax(largest, crm_max_component(crm_vec3_abs(a->point[i])));
    for (int i = 0; i < b->count; i++) largest = fmax(largest, crm_max_component(crm_vec3_abs(b->point[i])));
    return 4.0 * DBL_EPSILON * largest;
}

static double off_chord(carom_vec3 from, carom_vec3 to, double length, carom_vec3 along) {
    return crm_max_component(crm_vec3_abs(crm_sub(crm_sub(to, from), crm_scale(length, along))));
}

// Whatever the pair: the gap is that of planes to what is said, the points belong to it, and lie on their bodies.
static bool check_pair(const body *a, const body *b, double *error) {
    carom_view view_a = carom_view_of_vertices(a->count, a->point), view_b = carom_view_of_vertices(b->count, b->point);
    carom_gap_witness gap;
    carom_ray_witness ray;
    bool good = CHECK_INT(carom_gap_find(&view_a, &view_b, NULL, NULL, &gap, NULL), CAROM_OK);
    good &= CHECK_INT(carom_ray_find(&view_a, &view_b, NULL, NULL, &ray, NULL), CAROM_OK);
    double rounding = rounding_of(a, b);
    long_vec3 n = {gap.normal.x, gap.normal.y, gap.normal.z};
    long double along_normal = extreme(b, n, a->point[0], -1) - extreme(a, n, a->point[0], 1);
    good &= CHECK_NEAR((double)(along_normal / sqrtl(long_dot(n, n)) - gap.gap), 0.0, gap.accuracy);
    *error = gap.gap < 0.0 ? (double)fabsl(gap.gap - gap_of_planes(a, b)) : 0.0;
    good &= CHECK_NEAR(*error, 0.0, gap.accuracy);
    good &= CHECK_NEAR(off_chord(gap.point_a, gap.point_b, gap.gap, gap.normal), 0.0, rounding);
    proof of_gap = prove_gap(&view_a, &view_b, &gap);
    good &= CHECK_NEAR(fmax(of_gap.a, of_gap.b), 0.0, most_outside);
    // A ray that finds no triangle says so by its accuracy.
    if (ray.outcome != CAROM_RAY_MEETS || ray.accuracy > 1e-9) return good;
    good &= CHECK_NEAR(off_chord(ray.point_a, ray.point_b, ray.value, ray.beta), 0.0, rounding);
    proof of_ray = prove_ray(&view_a, &view_b, &ray);
    return good & CHECK_NEAR(fmax(of_ray.a, of_ray.b), 0.0, most_outside);
}

static void check_random(int pairs, uint32_t stream) {
    crm_random r = {.seed = 22, .stream = stream};
    double worst = 0.0;
    int overlaps = 0;
    for (int i = 0; i < pairs; i++) {
        body a, b;
        make_pair(&r, &a, &b);
        double error;
        if (!check_pair(&a, &b, &error)) fprintf(stderr, "pair %d of stream %u\n", i, stream);
        overlaps += error > 0.0;
        worst = fmax(worst, error);
    }
    CHECK(overlaps > pairs / 8);
    CHECK(worst <= 1e-13); // it is not only said, it is small
}

TEST(gaps_of_thin_pairs_are_as_good_as_they_say) {
    check_random(300, 1);
}

TEST(gaps_of_many_thin_pairs_are_as_good_as_they_say) {
    check_random(5000, 2);
}

// ---- pairs that were once off: by 1.3e-13 where 6e-15 was said, and with points 8.9e-10 aside

static body read_body(const json_t *tree, const char *key) {
    const json_t *list = json_object_get(json_object_get(tree, key), "vertices");
    body out = {.count = (int)json_array_size(list)};
    for (int i = 0; i < out.count; i++) {
        const json_t *p = json_array_get(list, (size_t)i);
        out.point[i] = crm_vec3(json_number_value(json_array_get(p, 0)), json_number_value(json_array_get(p, 1)),
                                json_number_value(json_array_get(p, 2)));
    }
    return out;
}

TEST(stored_pairs_are_as_good_as_they_say) {
    static const char *const names[] = {"thin-boxes-far-away", "thin-plates", "plate-in-prism", "nearly-parallel-edge"};
    for (int i = 0; i < 4; i++) {
        char path[4096];
        snprintf(path, sizeof path, "%s/tests/data/pairs/%s.json", CAROM_SOURCE_DIR, names[i]);
        json_t *tree = json_load_file(path, 0, NULL);
        if (!CHECK(tree != NULL)) continue;
        body a = read_body(tree, "a"), b = read_body(tree, "b");
        json_decref(tree);
        CHECK(a.count >= 8 && b.count >= 6);
        // As they are, the other way round, and with every point moved by a few roundings.
        crm_random r = {.seed = 7, .stream = (uint32_t)i};
        for (int k = 0; k < 8; k++) {
            double error;
            bool good = check_pair(&a, &b, &error);
            good = check_pair(&b, &a, &error) && good;
            if (!good) fprintf(stderr, "%s, variation %d\n", names[i], k);
            double most = k < 4 ? 1e-15 : 1e-10;
            for (int j = 0; j < a.count; j++) a.point[j] = crm_madd(a.point[j], most, crm_random_direction(&r));
            for (int j = 0; j < b.count; j++) b.point[j] = crm_madd(b.point[j], most, crm_random_direction(&r));
        }
    }
}

TEST_MAIN(CASE(gaps_of_thin_pairs_are_as_good_as_they_say), LONG_CASE(gaps_of_many_thin_pairs_are_as_good_as_they_say),
          CASE(stored_pairs_are_as_good_as_they_say))

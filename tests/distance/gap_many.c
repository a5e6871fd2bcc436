// SPDX-License-Identifier: MIT
// Many gaps at once: the bits of single gaps, whatever the neighbours and the instruction set.
#include <stdlib.h>
#include <string.h>

#include "carom/distance.h"
#include "distance/ellipsoid/ellipsoid_lanes.h"
#include "math/quat.h"
#include "reference/ellipsoid/ellipsoid_cases.h"

static carom_shape *make(carom_shape_def def) {
    carom_shape *shape;
    carom_error error;
    if (!CHECK(carom_shape_create(&def, NULL, &shape, &error) == CAROM_OK)) fprintf(stderr, "%s\n", error.text);
    return shape;
}

static carom_shape *make_ellipsoid(double a, double b, double c) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    def.ellipsoid.half_axes = crm_vec3(a, b, c);
    return make(def);
}

static carom_shape *make_sphere(double radius) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = radius;
    return make(def);
}

enum { SHAPES = 8, PAIRS = 1000 };

typedef struct crowd {
    carom_shape *shape[SHAPES];
    carom_view a[PAIRS], b[PAIRS];
    carom_gap_witness single[PAIRS], many[PAIRS];
    carom_distance_cache cache_single[PAIRS], cache_many[PAIRS];
} crowd;

// Pairs near each other, of `count` shapes from number `first` on: four ellipsoids, two balls, a box, a capsule.
static crowd *make_crowd(uint64_t seed, int first, int count) {
    sampler s = {.seed = seed};
    crowd *c = calloc(1, sizeof *c);
    c->shape[0] = make_ellipsoid(0.5, 0.35, 0.25);
    c->shape[1] = make_ellipsoid(0.9, 0.1, 0.1);
    c->shape[2] = make_ellipsoid(0.02, 1.0, 1.0);
    c->shape[3] = make_ellipsoid(0.4, 0.4, 0.4);
    c->shape[4] = make_sphere(0.3);
    c->shape[5] = make_sphere(0.7);
    c->shape[6] = make(carom_shape_def_default(CAROM_SHAPE_BOX));
    c->shape[7] = make(carom_shape_def_default(CAROM_SHAPE_CAPSULE));
    for (int i = 0; i < PAIRS; i++) {
        const carom_shape *one = c->shape[first + (int)sample_between(&s, 0, count)];
        const carom_shape *other = c->shape[first + (int)sample_between(&s, 0, count)];
        carom_pose pose_a = {sample_vec3(&s, 1.0), sample_attitude(&s)};
        carom_pose pose_b = {sample_vec3(&s, 1.0), sample_attitude(&s)};
        if (i % 50 == 0) pose_b.position = pose_a.position;
        c->a[i] = carom_view_of(one, pose_a);
        c->b[i] = carom_view_of(other, pose_b);
    }
    return c;
}

static void free_crowd(crowd *c) {
    for (int i = 0; i < SHAPES; i++) carom_shape_destroy(c->shape[i]);
    free(c);
}

static void measure_singly(crowd *c, bool cached) {
    for (int i = 0; i < PAIRS; i++)
        CHECK(carom_gap_find(&c->a[i], &c->b[i], NULL, cached ? &c->cache_single[i] : NULL, &c->single[i], NULL) ==
              CAROM_OK);
}

static bool same_bits(const void *x, const void *y, size_t size) {
    return memcmp(x, y, size) == 0;
}

static bool same_touch(const carom_touch *x, const carom_touch *y) {
    size_t count = (size_t)x->vertex_count;
    return x->part == y->part && x->vertex_count == y->vertex_count &&
           same_bits(x->vertices, y->vertices, count * sizeof x->vertices[0]) &&
           same_bits(x->weights, y->weights, count * sizeof x->weights[0]);
}

static bool same_witnesses(int count, const carom_gap_witness *x, const carom_gap_witness *y) {
    for (int i = 0; i < count; i++) {
        if (!same_bits(&x[i], &y[i], offsetof(carom_gap_witness, a)) || !same_touch(&x[i].a, &y[i].a) ||
            !same_touch(&x[i].b, &y[i].b) || x[i].normal_unique != y[i].normal_unique ||
            x[i].points_unique != y[i].points_unique || x[i].global != y[i].global ||
            !same_bits(&x[i].accuracy, &y[i].accuracy, sizeof x[i].accuracy) || x[i].supports != y[i].supports)
            return false;
    }
    return true;
}

TEST(gaps_at_once_have_the_bits_of_single_ones) {
    const int ranges[][2] = {{0, 1}, {0, 4}, {0, 6}, {0, 8}, {4, 4}};
    for (int k = 0; k < 5; k++) {
        crowd *c = make_crowd(71 + (unsigned)k, ranges[k][0], ranges[k][1]);
        measure_singly(c, true);
        carom_error error;
        CHECK(carom_gaps_find(PAIRS, c->a, c->b, NULL, c->cache_many, c->many, &error) == CAROM_OK);
        CHECK(same_witnesses(PAIRS, c->single, c->many));
        for (int i = 0; i < PAIRS; i++)
            CHECK(same_bits(&c->cache_single[i].gap_normal, &c->cache_many[i].gap_normal, sizeof(carom_vec3)));
        // Again from the caches.
        measure_singly(c, true);
        CHECK(carom_gaps_find(PAIRS, c->a, c->b, NULL, c->cache_many, c->many, &error) == CAROM_OK);
        CHECK(same_witnesses(PAIRS, c->single, c->many));
        free_crowd(c);
    }
}

TEST(any_number_of_pairs_is_measured) {
    crowd *c = make_crowd(81, 0, 6);
    for (int i = 0; i < PAIRS; i += 7) c->a[i].shape = c->b[i].shape = c->shape[6 + i % 2]; // between them others
    measure_singly(c, false);
    for (int count = 0; count < 40; count++) {
        memset(c->many, 0, sizeof c->many);
        int first = 20 * count;
        CHECK(carom_gaps_find(count, c->a + first, c->b + first, NULL, NULL, c->many, NULL) == CAROM_OK);
        CHECK(same_witnesses(count, c->single + first, c->many));
        CHECK_INT(c->many[count].supports, 0); // and no more than that
    }
    free_crowd(c);
}

TEST(pair_that_fails_is_named) {
    crowd *c = make_crowd(82, 0, 4);
    measure_singly(c, false);
    carom_error error;
    c->b[13].pose.position.y = NAN;
    CHECK_INT(carom_gaps_find(PAIRS, c->a, c->b, NULL, NULL, c->many, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "pair 13: view B: pose.position");
    CHECK(same_witnesses(13, c->single, c->many));
    CHECK_INT(c->many[13].supports, 0);
    CHECK_INT(c->many[14].supports, 0);
    c->a[2].shape = c->shape[6];
    c->a[2].pose.attitude.w += 0.1;
    CHECK_INT(carom_gaps_find(PAIRS, c->a, c->b, NULL, NULL, c->many, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "pair 2: view A: pose.attitude");
    CHECK_INT(carom_gaps_find(PAIRS, c->a, c->b, NULL, NULL, c->many, NULL), CAROM_ERR_BAD_INPUT);
    free_crowd(c);
}

TEST(cache_saves_steps_and_changes_nothing) {
    crowd *c = make_crowd(83, 0, 1);
    CHECK(carom_gaps_find(PAIRS, c->a, c->b, NULL, c->cache_many, c->single, NULL) == CAROM_OK);
    CHECK(carom_gaps_find(PAIRS, c->a, c->b, NULL, c->cache_many, c->many, NULL) == CAROM_OK);
    int cold = 0, warm = 0;
    for (int i = 0; i < PAIRS; i++) {
        CHECK_NEAR(c->many[i].gap, c->single[i].gap, 1e-14);
        cold += c->single[i].supports;
        warm += c->many[i].supports;
    }
    CHECK(2 * warm < cold + 2 * PAIRS);
    free_crowd(c);
}

TEST(balls_have_the_closed_form) {
    crowd *c = make_crowd(84, 3, 3);
    for (int i = 0; i < PAIRS; i++) {
        c->a[i].shape = c->shape[i % 2 == 0 ? 4 : 3]; // a ball as such, and as an ellipsoid
        c->b[i].shape = c->shape[i % 3 == 0 ? 5 : 3];
    }
    CHECK(carom_gaps_find(PAIRS, c->a, c->b, NULL, NULL, c->many, NULL) == CAROM_OK);
    for (int i = 0; i < PAIRS; i++) {
        double radii = carom_shape_in_radius(c->a[i].shape) + carom_shape_in_radius(c->b[i].shape);
        carom_vec3 d = crm_sub(c->b[i].pose.position, c->a[i].pose.position), n;
        double distance = crm_normalise(d, &n);
        const carom_gap_witness *w = &c->many[i];
        CHECK_NEAR(w->gap, distance - radii, 1e-15);
        CHECK(w->global && w->points_unique && w->normal_unique == (distance > 0.0));
        if (distance > 0.0) CHECK_NEAR(crm_distance(w->normal, n), 0.0, 1e-15);
        CHECK_NEAR(crm_length(w->normal), 1.0, 1e-15);
        carom_vec3 across = crm_sub(w->point_b, w->point_a);
        CHECK_NEAR(crm_distance(across, crm_scale(w->gap, w->normal)), 0.0, 4e-15);
        CHECK(w->a.vertex_count == 1 && w->a.vertices[0] == 0 && w->a.weights[0] == 1.0);
        CHECK(w->b.vertex_count == 1 && w->b.vertices[0] == 0 && w->b.weights[0] == 1.0);
    }
    free_crowd(c);
}

static carom_view view_of(const ellipsoid *e) {
    carom_quat q = crm_quat_normalised((carom_quat){e->attitude[0], e->attitude[1], e->attitude[2], e->attitude[3]});
    return carom_view_of(make_ellipsoid(e->axes[0], e->axes[1], e->axes[2]),
                         (carom_pose){{e->centre[0], e->centre[1], e->centre[2]}, q});
}

TEST(stored_pairs_agree) {
    json_t *file = oracle_open("ellipsoid_ellipsoid.json");
    int count = oracle_count(file);
    carom_view *a = calloc((size_t)count, sizeof *a), *b = calloc((size_t)count, sizeof *b);
    carom_gap_witness *w = calloc((size_t)count, sizeof *w);
    for (int i = 0; i < count; i++) {
        ellipsoid e1 = read_ellipsoid(oracle_at(file, i).input, "c1", "a1", "q1");
        ellipsoid e2 = read_ellipsoid(oracle_at(file, i).input, "c2", "a2", "q2");
        a[i] = view_of(&e1);
        b[i] = view_of(&e2);
    }
    CHECK(carom_gaps_find(count, a, b, NULL, NULL, w, NULL) == CAROM_OK);
    for (int i = 0; i < count; i++) {
        oracle_case c = oracle_at(file, i);
        double radius_a = carom_shape_bounding_radius(a[i].shape), radius_b = carom_shape_bounding_radius(b[i].shape);
        double distance = crm_distance(a[i].pose.position, b[i].pose.position);
        double size = fmax(fmax(1.0, distance), fmax(radius_a, radius_b));
        double known = oracle_number(c.expected, "distance");
        check_error(c.id, "gap", fabs(w[i].gap - known), size * oracle_tolerance(file, "distance"));
        check_error(c.id, "gap by its own word", fabs(w[i].gap - known), w[i].accuracy + 1e-15 * size);
        if (!CHECK(w[i].normal_unique == oracle_bool(c.expected, "normal_unique"))) fprintf(stderr, "%s\n", c.id);
        carom_shape_destroy((carom_shape *)a[i].shape);
        carom_shape_destroy((carom_shape *)b[i].shape);
    }
    free(a);
    free(b);
    free(w);
    json_decref(file);
}

// ---- instruction sets

typedef struct lane_input {
    carom_vec3 d, half_axes_a, half_axes_b, start;
    carom_quat attitude_a, attitude_b;
} lane_input;

static lane_input sample_lane(sampler *s) {
    double unit = pow(10.0, sample_between(s, -9.0, 9.0)), ratio = pow(10.0, sample_between(s, 0.0, 3.0));
    lane_input in = {
        .d = sample_vec3(s, 2.0 * unit), .attitude_a = sample_attitude(s), .attitude_b = sample_attitude(s)};
    in.half_axes_a = crm_vec3(unit, unit / sample_between(s, 1.0, ratio), unit / sample_between(s, 1.0, ratio));
    in.half_axes_b = crm_vec3(unit, unit / sample_between(s, 1.0, ratio), unit / sample_between(s, 1.0, ratio));
    if (sample_between(s, 0.0, 1.0) < 0.3) in.start = sample_unit(s);
    if (sample_between(s, 0.0, 1.0) < 0.02) in.d = crm_vec3_zero();
    return in;
}

static void put(double at[][CRM_ELLIPSOID_LANES], int lane, int count, const double *values) {
    for (int k = 0; k < count; k++) at[k][lane] = values[k];
}

static void put_lane(crm_ellipsoid_batch *group, int lane, const lane_input *in) {
    put(group->d, lane, 3, &in->d.x);
    put(group->attitude_a, lane, 4, &in->attitude_a.w);
    put(group->attitude_b, lane, 4, &in->attitude_b.w);
    put(group->half_axes_a, lane, 3, &in->half_axes_a.x);
    put(group->half_axes_b, lane, 3, &in->half_axes_b.x);
    put(group->start, lane, 3, &in->start.x);
}

// The answers are 12 rows of lanes.
enum { ROWS = sizeof(crm_ellipsoid_answers) / sizeof(double) / CRM_ELLIPSOID_LANES };

static void check_lane(const crm_ellipsoid_answers *x, int i, const crm_ellipsoid_answers *y, int j) {
    const double *of_x = (const double *)x, *of_y = (const double *)y;
    for (int row = 0; row < ROWS; row++)
        CHECK(memcmp(of_x + row * CRM_ELLIPSOID_LANES + i, of_y + row * CRM_ELLIPSOID_LANES + j, sizeof(double)) == 0);
}

TEST(instruction_sets_and_lanes_give_the_same_bits) {
    sampler s = {.seed = 85};
    int proved = 0, all = 0;
    for (int round = 0; round < 2000; round++) {
        lane_input in[CRM_ELLIPSOID_LANES];
        crm_ellipsoid_batch group, rotated;
        int rotation = round % CRM_ELLIPSOID_LANES;
        for (int i = 0; i < CRM_ELLIPSOID_LANES; i++) {
            in[i] = sample_lane(&s);
            put_lane(&group, i, &in[i]);
            put_lane(&rotated, (i + rotation) % CRM_ELLIPSOID_LANES, &in[i]);
        }
        crm_ellipsoid_answers reference;
        unsigned bits = crm_ellipsoid_kernels_variant(0)->find(&group, &reference);
        for (int v = 0; crm_ellipsoid_kernels_variant(v) != NULL; v++) {
            crm_ellipsoid_answers same, other;
            unsigned same_bits = crm_ellipsoid_kernels_variant(v)->find(&group, &same);
            unsigned other_bits = crm_ellipsoid_kernels_variant(v)->find(&rotated, &other);
            CHECK_INT(same_bits, bits);
            for (int i = 0; i < CRM_ELLIPSOID_LANES; i++) {
                int j = (i + rotation) % CRM_ELLIPSOID_LANES;
                CHECK_INT(other_bits >> j & 1, bits >> i & 1);
                all++;
                if ((bits >> i & 1) == 0) continue;
                proved++;
                check_lane(&reference, i, &same, i);
                check_lane(&reference, i, &other, j);
            }
        }
    }
    CHECK(2 * proved > all);
}

TEST_MAIN(CASE(gaps_at_once_have_the_bits_of_single_ones), CASE(any_number_of_pairs_is_measured),
          CASE(pair_that_fails_is_named), CASE(cache_saves_steps_and_changes_nothing), CASE(balls_have_the_closed_form),
          CASE(stored_pairs_agree), CASE(instruction_sets_and_lanes_give_the_same_bits))

// SPDX-License-Identifier: MIT
// What a caller may rely on beside the numbers: no allocation, any threads, sentences for bad input; and warm starts
// and balls in cases that once went wrong.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "math/quat.h"
#include "properties/pairs.h"
#include "reference/polytope/convex_body.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

// ---- allocations; the linker leads every call of the library here

static int allocations;
void *__real_malloc(size_t size);
void *__real_calloc(size_t count, size_t size);
void *__real_realloc(void *block, size_t size);
void *__wrap_malloc(size_t size);
void *__wrap_calloc(size_t count, size_t size);
void *__wrap_realloc(void *block, size_t size);

void *__wrap_malloc(size_t size) {
    allocations++;
    return __real_malloc(size);
}

void *__wrap_calloc(size_t count, size_t size) {
    allocations++;
    return __real_calloc(count, size);
}

void *__wrap_realloc(void *block, size_t size) {
    allocations++;
    return __real_realloc(block, size);
}

typedef struct answers {
    carom_status ray_status, gap_status;
    carom_ray_witness ray;
    carom_gap_witness gap;
    carom_pose_gradient by_ray, by_gap;
} answers;

static void ask(const distance_pair *pair, answers *out) {
    const carom_view *a = &pair->view[0], *b = &pair->view[1];
    memset(out, 0, sizeof *out);
    carom_distance_cache cache = {0};
    out->ray_status = carom_ray_find(a, b, NULL, &cache, &out->ray, NULL);
    out->gap_status = carom_gap_find(a, b, NULL, &cache, &out->gap, NULL);
    if (out->ray_status == CAROM_OK) carom_ray_gradient(a, b, &out->ray, &out->by_ray, NULL);
    carom_gap_gradient(a, b, &out->gap, &out->by_gap);
}

enum { PAIRS = PAIR_BATCH };

TEST(queries_allocate_nothing) {
    pair_batch *batch = malloc(sizeof *batch);
    assert_non_null(batch);
    allocations = 0;
    pair_batch_make(5, 2, batch);
    CHECK(allocations > PAIR_BODIES / 2); // the count sees the library
    int before = allocations;
    for (int i = 0; i < PAIRS; i++) {
        distance_pair pair = pair_of(batch, i);
        answers w;
        ask(&pair, &w);
    }
    CHECK_INT(allocations, before);
    pair_batch_free(batch);
    free(batch);
}

// ---- threads

typedef struct shared_work {
    const distance_pair *pair;
    answers *out;
} shared_work;

static void ask_some(void *context, int begin, int end, int worker) {
    (void)worker;
    shared_work *work = context;
    for (int i = begin; i < end; i++) ask(&work->pair[i], &work->out[i]);
}

static bool same_vector(carom_vec3 a, carom_vec3 b) {
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool same_answers(const answers *a, const answers *b) {
    return a->ray_status == b->ray_status && a->gap_status == b->gap_status &&
           memcmp(&a->ray.value, &b->ray.value, sizeof a->ray.value) == 0 && same_vector(a->ray.alpha, b->ray.alpha) &&
           same_vector(a->ray.point_a, b->ray.point_a) && same_vector(a->ray.point_b, b->ray.point_b) &&
           a->ray.supports == b->ray.supports && memcmp(&a->gap.gap, &b->gap.gap, sizeof a->gap.gap) == 0 &&
           same_vector(a->gap.normal, b->gap.normal) && same_vector(a->gap.point_a, b->gap.point_a) &&
           same_vector(a->gap.point_b, b->gap.point_b) && a->gap.supports == b->gap.supports &&
           same_vector(a->by_ray.rotation_a, b->by_ray.rotation_a) &&
           same_vector(a->by_gap.rotation_b, b->by_gap.rotation_b);
}

TEST(threads_share_shapes_and_get_the_same_bits) {
    pair_batch *batch = malloc(sizeof *batch);
    distance_pair *pair = malloc(PAIRS * sizeof *pair);
    answers *alone = malloc(PAIRS * sizeof *alone), *together = malloc(PAIRS * sizeof *together);
    assert_true(batch != NULL && pair != NULL && alone != NULL && together != NULL);
    pair_batch_make(6, 0, batch);
    for (int i = 0; i < PAIRS; i++) pair[i] = pair_of(batch, i);
    shared_work first = {pair, alone}, second = {pair, together};
    ask_some(&first, 0, PAIRS, 0);
    crm_pool *pool;
    carom_error error = {0};
    if (crm_pool_create(NULL, 4, &pool, &error) != CAROM_OK) fail_msg("%s", error.text);
    for (int round = 0; round < 5; round++) {
        crm_pool_for(pool, PAIRS, 7, ask_some, &second);
        int different = 0;
        for (int i = 0; i < PAIRS; i++) different += !same_answers(&alone[i], &together[i]);
        CHECK_INT(different, 0);
    }
    crm_pool_destroy(pool);
    pair_batch_free(batch);
    free(batch);
    free(pair);
    free(alone);
    free(together);
}

// ---- bad input

static void check_refusal(const carom_view *a, const carom_view *b, const char *view, const char *field) {
    carom_ray_witness ray;
    carom_gap_witness gap;
    carom_error error = {0};
    CHECK_INT(carom_ray_find(a, b, NULL, NULL, &ray, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, view);
    CHECK_CONTAINS(error.text, field);
    error.text[0] = '\0';
    CHECK_INT(carom_gap_find(a, b, NULL, NULL, &gap, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, view);
    CHECK_CONTAINS(error.text, field);
}

TEST(input_out_of_range_is_refused_by_name) {
    const double bad[] = {NAN, INFINITY, -INFINITY, 1.001e9, -1e200};
    carom_shape *shape = box_of(1.0, 1.0, 1.0);
    carom_view good = place(shape, 0.0, 0.0, 2.0);
    carom_vec3 points[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 5; i++) {
        for (int axis = 0; axis < 3; axis++) {
            carom_view view = place(shape, 0.0, 0.0, 0.0);
            view.pose.position = crm_with_component(view.pose.position, axis, bad[i]);
            check_refusal(&view, &good, "view A", "pose.position");
            check_refusal(&good, &view, "view B", "pose.position");
            view = place(shape, 0.0, 0.0, 0.0);
            view.has_centre = true;
            view.centre = crm_with_component(view.centre, axis, bad[i]);
            check_refusal(&good, &view, "view B", "centre");
            carom_vec3 kept = points[2];
            points[2] = crm_with_component(kept, axis, bad[i]);
            view = carom_view_of_vertices(4, points);
            check_refusal(&view, &good, "view A", "vertices[2]");
            check_refusal(&good, &view, "view B", "vertices[2]");
            points[2] = kept;
        }
        carom_view view = place(shape, 0.0, 0.0, 0.0);
        view.pose.attitude.y = bad[i];
        check_refusal(&view, &good, "view A", "pose.attitude");
    }
    carom_view view = place(shape, 0.0, 0.0, 0.0), none = carom_view_of_vertices(0, points);
    view.pose.attitude = (carom_quat){0.0, 0.0, 0.0, 0.0};
    check_refusal(&good, &view, "view B", "pose.attitude");
    view.pose.attitude = (carom_quat){1.0 + 1e-8, 0.0, 0.0, 0.0};
    check_refusal(&good, &view, "view B", "pose.attitude");
    check_refusal(&none, &good, "view A", "vertices");
    carom_shape_destroy(shape);
    // Shapes beyond 1e-9 ... 1e9 m are refused when they are made.
    const double sizes[] = {0.9e-9, 1.1e9, NAN, -1.0, 0.0};
    for (int i = 0; i < 5; i++) {
        carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
        def.sphere.radius = sizes[i];
        carom_error error = {0};
        CHECK_INT(carom_shape_create(&def, NULL, &shape, &error), CAROM_ERR_BAD_INPUT);
        CHECK_CONTAINS(error.text, "sphere.radius");
        CHECK(shape == NULL);
    }
}

// ---- cases that once went wrong

// Deep inside, the simplex of the last query may pass close by the centre: that is no nearest point.
TEST(warm_start_inside_is_not_taken_for_touching) {
    carom_shape *outer = named_polytope(CAROM_POLYTOPE_PYRAMID, 10, 1.0, 1.0), *inner = sphere_of(1e-4);
    sampler s = {.seed = 221};
    for (int i = 0; i < 20000; i++) {
        carom_vec3 near = crm_scale(pow(10.0, sample_between(&s, -14.0, -6.0)), sample_unit(&s));
        carom_view a = place(outer, 0.0, 0.0, 0.0), b = place(inner, near.x, near.y, near.z);
        carom_distance_cache cache = {.gap_count = 1 + i % 3};
        for (int k = 0; k < 3; k++) cache.gap[k][0] = (int)crm_random_below(&s, 11);
        carom_gap_witness warm, cold;
        carom_gap_find(&a, &b, NULL, &cache, &warm, NULL);
        carom_gap_find(&a, &b, NULL, NULL, &cold, NULL);
        if (!CHECK_NEAR(warm.gap, cold.gap, 1e-13)) break;
    }
    carom_shape_destroy(outer);
    carom_shape_destroy(inner);
}

// A ball a million times larger than the core of the difference must not hide it.
TEST(small_body_in_a_large_ball_has_its_depth) {
    const double r = 100.0;
    carom_shape *ball = sphere_of(r), *capsule = capsule_of(r, 0.2);
    carom_shape *small[] = {named_polytope(CAROM_POLYTOPE_TETRAHEDRON, 0, 1e-6, 0.0), box_of(1e-6, 1e-6, 1e-6)};
    sampler s = {.seed = 222};
    for (int i = 0; i < 2000; i++) {
        carom_shape *large = i % 4 < 2 ? ball : capsule;
        carom_vec3 offset = crm_scale(1e-6 * pow(10.0, sample_between(&s, -2.0, 1.0)), sample_unit(&s));
        carom_view a = sample_view(&s, large, crm_vec3_zero()), b = sample_view(&s, small[i % 2], offset);
        if (i % 3 == 0) a.pose.attitude = b.pose.attitude = crm_quat_identity();
        carom_gap_witness w, swapped;
        carom_gap_find(&a, &b, NULL, NULL, &w, NULL);
        carom_gap_find(&b, &a, NULL, NULL, &swapped, NULL);
        CHECK_NEAR(w.gap, swapped.gap, 1e-12 * r);
        if (!CHECK(proof_defect(prove_gap(&a, &b, &w)) <= 1e-9 * r)) break;
    }
    carom_shape_destroy(ball);
    carom_shape_destroy(capsule);
    carom_shape_destroy(small[0]);
    carom_shape_destroy(small[1]);
}

// Nearly on the axis of a long capsule the normal is across it to rounding, not to rounding over the distance.
TEST(ball_near_a_capsules_axis_is_pushed_across) {
    carom_shape *capsule = capsule_of(1.0, 100.0), *ball = sphere_of(0.01);
    sampler s = {.seed = 223};
    for (int i = 0; i < 1000; i++) {
        carom_view a = sample_view(&s, capsule, sample_vec3(&s, 10.0)), b = sample_view(&s, ball, crm_vec3_zero());
        carom_vec3 axis = crm_quat_rotate(a.pose.attitude, crm_vec3(0.0, 0.0, 1.0));
        b.pose.position = crm_madd(a.pose.position, sample_between(&s, -49.0, 49.0), axis);
        b.pose.position = crm_madd(b.pose.position, pow(10.0, sample_between(&s, -12.0, 0.0)), sample_unit(&s));
        carom_gap_witness w;
        carom_gap_find(&a, &b, NULL, NULL, &w, NULL);
        CHECK_NEAR(crm_dot(w.normal, axis), 0.0, 1e-14);
        CHECK(proof_defect(prove_gap(&a, &b, &w)) <= 1e-13 * 100.0);
    }
    carom_shape_destroy(capsule);
    carom_shape_destroy(ball);
}

// Far away, the accuracy is that of the coordinates, however small the body is.
TEST(accuracy_of_a_far_round_body_counts_the_distance) {
    carom_shape *capsule = capsule_of(1e-3, 1e-3), *box = box_of(1e-3, 1e-3, 1e-3);
    sampler s = {.seed = 224};
    for (int i = 0; i < 500; i++) {
        carom_view a = sample_view(&s, box, crm_vec3_zero());
        carom_view b = sample_view(&s, capsule, crm_scale(1e4, sample_unit(&s)));
        carom_ray_witness ray;
        carom_ray_find(&a, &b, NULL, NULL, &ray, NULL);
        CHECK(prove_ray(&a, &b, &ray).value <= ray.accuracy);
    }
    carom_shape_destroy(capsule);
    carom_shape_destroy(box);
}

// A remembered normal across the ray, by rounding on its right side, is no start for a climb.
TEST(warm_start_at_the_horizon_is_not_believed) {
    carom_shape *first[] = {ellipsoid_of(0.3, 1.0, 0.2), capsule_of(0.2, 1.0)}, *box = box_of(1.0, 0.5, 0.7);
    sampler s = {.seed = 225};
    for (int i = 0; i < 4000; i++) {
        carom_view a = sample_view(&s, first[i % 2], crm_vec3_zero()), b = sample_view(&s, box, sample_unit(&s));
        carom_ray_witness warm, cold;
        carom_ray_find(&a, &b, NULL, NULL, &cold, NULL);
        carom_distance_cache cache = {.ray_count = 1};
        cache.ray_normal = crm_madd(crm_any_normal(cold.beta), pow(10.0, sample_between(&s, -18.0, -1.0)), cold.beta);
        carom_ray_find(&a, &b, NULL, &cache, &warm, NULL);
        if (!CHECK_NEAR(warm.value, cold.value, 1e-13 * crm_length(cold.alpha))) break;
    }
    carom_shape_destroy(first[0]);
    carom_shape_destroy(first[1]);
    carom_shape_destroy(box);
}

// Two of the three corners of the first triangle were the same one, and its area rounding, negative both ways round:
// the walk flipped it over and over.
TEST(triangle_of_two_corners_ends_the_walk) {
    const carom_vec3 first[6] = {
        {-0x1.061c19a89eccep+1, 0x1.74c907024ca12p-2, 0x1.5e406f69e7608p+0},
        {-0x1.6f7e095112e3dp-1, -0x1.f99d5c0e2dddp-7, 0x1.68d403929fa3fp-1},
        {-0x1.71bb8e19f262ap-1, 0x1.58b67b19247d9p-1, 0x1.09a6163e14f5p+1},
        {-0x1.0706fdb4e0ff6p+1, 0x1.42ff9316002eap-3, 0x1.78c97aa5a0b07p+0},
        {-0x1.732999821badep-1, -0x1.c62d4adc23cf9p-3, 0x1.9de61a0a1243ep-1},
        {-0x1.75671e4afb2cap-1, 0x1.de233ba4a8824p-2, 0x1.16ea9bdbf19dp+1},
    };
    const carom_vec3 second[4] = {
        {-0x1.469d9a5091e06p+6, 0x1.3524f87c12368p+5, 0x1.7b48d6ff410b4p+4},
        {-0x1.42e31b0f3252fp+6, 0x1.3bc0554728bep+5, 0x1.6b968a2a567d4p+4},
        {-0x1.468570a80c136p+6, 0x1.41cfd22aab49cp+5, 0x1.7c79b5611dbd4p+4},
        {-0x1.492eca090f9fp+6, 0x1.3c0266ffe92c9p+5, 0x1.68973bb359fdcp+4},
    };
    carom_view a = carom_view_of_vertices(6, first), b = carom_view_of_vertices(4, second);
    carom_ray_witness ray;
    CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
    CHECK(proof_defect(prove_ray(&a, &b, &ray)) <= 1e-12);
}

TEST_MAIN(CASE(queries_allocate_nothing), CASE(threads_share_shapes_and_get_the_same_bits),
          CASE(input_out_of_range_is_refused_by_name), CASE(warm_start_inside_is_not_taken_for_touching),
          CASE(small_body_in_a_large_ball_has_its_depth), CASE(ball_near_a_capsules_axis_is_pushed_across),
          CASE(accuracy_of_a_far_round_body_counts_the_distance), CASE(warm_start_at_the_horizon_is_not_believed),
          CASE(triangle_of_two_corners_ends_the_walk))

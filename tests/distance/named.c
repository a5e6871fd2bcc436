// SPDX-License-Identifier: MIT
// Pairs that one can name, with answers that one can write down: ties, coincidences and thin bodies. Each stands
// upright and in rotated frames. Feature contacts of the same stacks: features.c.
#include <math.h>

#include "carom/features.h"
#include "math/quat.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

static const double tolerance = 1e-12;

// Both answers of a pair, as it stands in its own frame: whatever the attitude in which it is asked about.
typedef struct answers {
    carom_ray_witness ray;
    carom_gap_witness gap;
} answers;

static carom_vec3 back(carom_quat rotation, carom_vec3 shift, carom_vec3 point) {
    return crm_quat_rotate(crm_quat_conjugate(rotation), crm_sub(point, shift));
}

static answers ask(const carom_view *a, const carom_view *b, carom_quat rotation, carom_vec3 shift) {
    carom_view there_a = moved_view(*a, rotation, shift), there_b = moved_view(*b, rotation, shift);
    answers w;
    carom_error error = {0};
    carom_status status = carom_ray_find(&there_a, &there_b, NULL, NULL, &w.ray, &error);
    if (status == CAROM_OK) status = carom_gap_find(&there_a, &there_b, NULL, NULL, &w.gap, &error);
    if (status != CAROM_OK) fail_msg("%s", error.text);
    w.ray.alpha = back(rotation, crm_vec3_zero(), w.ray.alpha);
    w.ray.normal = back(rotation, crm_vec3_zero(), w.ray.normal);
    w.ray.point_a = back(rotation, shift, w.ray.point_a);
    w.ray.point_b = back(rotation, shift, w.ray.point_b);
    w.gap.normal = back(rotation, crm_vec3_zero(), w.gap.normal);
    w.gap.point_a = back(rotation, shift, w.gap.point_a);
    w.gap.point_b = back(rotation, shift, w.gap.point_b);
    return w;
}

// Upright first, then anyhow.
enum { FRAMES = 8 };
static void frame(sampler *s, int i, carom_quat *rotation, carom_vec3 *shift) {
    *rotation = i == 0 ? crm_quat_identity() : sample_attitude(s);
    *shift = i == 0 ? crm_vec3_zero() : sample_vec3(s, 2.0);
}

static void check_vector(carom_vec3 got, double x, double y, double z) {
    CHECK_NEAR(crm_distance(got, crm_vec3(x, y, z)), 0.0, tolerance);
}

static void check_weights(const carom_touch *touch, int count) {
    CHECK_INT(touch->vertex_count, count);
    for (int i = 0; i < touch->vertex_count && i < CAROM_TOUCH_VERTICES; i++)
        CHECK_NEAR(touch->weights[i], 1.0 / count, 1e-9); // ties are told to this
}

// A unit cube and another one whose centre is at `d` times `along`, from its symmetry axis; `corners` of each meet.
static void check_cubes(carom_vec3 along, double touching, int corners) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    sampler s = {.seed = 211};
    carom_vec3 n;
    double length = crm_normalise(along, &n);
    const double offsets[] = {-0.25, -1e-3, 0.0, 1e-3, 0.25};
    for (int i = 0; i < FRAMES * 5; i++) {
        carom_quat rotation;
        carom_vec3 shift;
        frame(&s, i / 5, &rotation, &shift);
        double share = touching + offsets[i % 5];
        carom_view a = place(cube, 0.0, 0.0, 0.0);
        carom_view b = place(cube, share * along.x, share * along.y, share * along.z);
        answers w = ask(&a, &b, rotation, shift);
        CHECK_NEAR(w.ray.value, offsets[i % 5] * length, tolerance);
        check_vector(w.ray.alpha, n.x, n.y, n.z);
        check_weights(&w.ray.a, corners);
        check_weights(&w.ray.b, corners);
        CHECK(w.ray.alpha_unique == (corners == 4));
        CHECK_NEAR(w.ray.rho, offsets[i % 5] / share, tolerance);
        // The nearest points are those of the axis; the least translation is along a single face's normal.
        CHECK_NEAR(w.gap.gap, offsets[i % 5] >= 0.0 ? offsets[i % 5] * length : offsets[i % 5], tolerance);
        if (offsets[i % 5] > 0.0) check_vector(w.gap.normal, n.x, n.y, n.z);
    }
    carom_shape_destroy(cube);
}

TEST(aligned_cubes_corner_to_corner_answer_along_the_diagonal) {
    check_cubes(crm_vec3(1.0, 1.0, 1.0), 1.0, 1);
}

TEST(aligned_cubes_edge_to_edge_answer_along_the_bisector) {
    check_cubes(crm_vec3(1.0, 0.0, 1.0), 1.0, 2);
    check_cubes(crm_vec3(0.0, -1.0, 1.0), 1.0, 2);
}

TEST(aligned_cubes_face_to_face_answer_along_the_axis) {
    check_cubes(crm_vec3(0.0, 0.0, 1.0), 1.0, 4);
    check_cubes(crm_vec3(-1.0, 0.0, 0.0), 1.0, 4);
}

TEST(exactly_stacked_cubes_touch_in_the_middle) {
    carom_shape *cube = box_of(1.0, 1.0, 1.0);
    carom_view below = place(cube, 0.0, 0.0, 0.0), above = place(cube, 0.0, 0.0, 1.0);
    answers w = ask(&below, &above, crm_quat_identity(), crm_vec3_zero());
    CHECK(w.ray.value == 0.0 && w.gap.gap == 0.0);
    check_vector(w.ray.point_a, 0.0, 0.0, 0.5);
    check_vector(w.ray.point_b, 0.0, 0.0, 0.5);
    check_vector(w.gap.point_a, 0.0, 0.0, 0.5);
    check_vector(w.gap.point_b, 0.0, 0.0, 0.5);
    check_vector(w.gap.normal, 0.0, 0.0, 1.0);
    check_weights(&w.gap.a, 4);
    check_weights(&w.gap.b, 4);
    carom_vec3 point;
    CHECK_TEXT(carom_collision_type_name(carom_collision_of(&below, &above, &w.ray, &point)), "facet-facet");
    check_vector(point, 0.0, 0.0, 0.5);
    carom_shape_destroy(cube);
}

TEST(coincident_centres_have_a_depth_and_no_direction) {
    carom_shape *shape[] = {box_of(1.0, 2.0, 3.0), sphere_of(0.5), ellipsoid_of(0.5, 1.0, 1.5), capsule_of(0.5, 1.0)};
    for (int i = 0; i < 4; i++) {
        carom_view a = place(shape[i], 0.0, 0.0, 0.0);
        answers w = ask(&a, &a, crm_quat_identity(), crm_vec3_zero());
        CHECK_INT(w.ray.outcome, CAROM_RAY_NO_DIRECTION);
        CHECK(w.ray.rho == -INFINITY && w.ray.ratio == 0.0 && w.ray.centre_distance == 0.0 && !w.ray.beta_moves);
        // All are 1 wide along x, where the ray looks and the way out is shortest.
        CHECK_NEAR(w.ray.value, -1.0, tolerance);
        CHECK_NEAR(w.gap.gap, -1.0, tolerance);
        CHECK_NEAR(fabs(w.gap.normal.z), 0.0, 1e-6);
        // After a query along z the direction is remembered.
        carom_distance_cache cache = {0};
        carom_view b = place(shape[i], 0.0, 0.0, 2.0);
        carom_ray_witness ray;
        CHECK_INT(carom_ray_find(&a, &b, NULL, &cache, &ray, NULL), CAROM_OK);
        CHECK_INT(carom_ray_find(&a, &a, NULL, &cache, &ray, NULL), CAROM_OK);
        check_vector(ray.beta, 0.0, 0.0, 1.0);
        CHECK_NEAR(ray.value, i == 0 || i == 2 ? -3.0 : i == 1 ? -1.0 : -2.0, tolerance);
    }
    for (int i = 0; i < 4; i++) carom_shape_destroy(shape[i]);
}

// An octahedron stands with its lowest corner on the middle of a cube's edge.
TEST(corner_on_an_edge_answers_along_the_bisector) {
    const double r = sqrt(0.5);
    carom_vec3 octahedron[6];
    for (int i = 0; i < 6; i++) octahedron[i] = crm_with_component(crm_vec3_zero(), i / 2, i % 2 ? 1.0 : -1.0);
    carom_shape *cube = box_of(1.0, 1.0, 1.0), *top = polytope_of_points(6, octahedron);
    carom_view a = place(cube, 0.0, 0.0, 0.0), b = place(top, 0.5 + r, 0.0, 0.5 + r);
    b.pose.attitude = crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), 0.25 * 3.14159265358979323846);
    sampler s = {.seed = 212};
    for (int i = 0; i < FRAMES; i++) {
        carom_quat rotation;
        carom_vec3 shift;
        frame(&s, i, &rotation, &shift);
        answers w = ask(&a, &b, rotation, shift);
        CHECK_NEAR(w.ray.value, 0.0, tolerance);
        CHECK(!w.ray.alpha_unique);
        check_vector(w.ray.normal, r, 0.0, r);
        check_vector(w.ray.point_a, 0.5, 0.0, 0.5);
        check_vector(w.ray.point_b, 0.5, 0.0, 0.5);
        check_weights(&w.ray.a, 2);
        check_weights(&w.ray.b, 1);
        CHECK_NEAR(w.gap.gap, 0.0, tolerance);
    }
    carom_shape_destroy(cube);
    carom_shape_destroy(top);
}

// A needle of length 2 upright over a disc of radius 1, both 0.002 thick: apart, on it, through it.
static void check_needle(carom_shape *disc, carom_shape *needle) {
    sampler s = {.seed = 213};
    const double heights[] = {5.0, 1.5, 1.001 + 1e-6, 1.001, 1.001 - 1e-6, 0.9};
    for (int i = 0; i < FRAMES * 6; i++) {
        carom_quat rotation;
        carom_vec3 shift;
        frame(&s, i / 6, &rotation, &shift);
        double height = heights[i % 6];
        carom_view a = place(disc, 0.0, 0.0, 0.0), b = place(needle, 0.0, 0.0, height);
        answers w = ask(&a, &b, rotation, shift);
        CHECK_NEAR(w.ray.value, height - 1.001, tolerance);
        CHECK_NEAR(w.gap.gap, height - 1.001, tolerance);
        CHECK_NEAR(crm_distance(w.ray.normal, crm_vec3(0.0, 0.0, 1.0)), 0.0, 1e-8);
        CHECK_NEAR(crm_distance(w.gap.normal, crm_vec3(0.0, 0.0, 1.0)), 0.0, 1e-8);
    }
    carom_shape_destroy(disc);
    carom_shape_destroy(needle);
}

TEST(needle_over_a_disc_of_ellipsoids) {
    check_needle(ellipsoid_of(1.0, 1.0, 1e-3), ellipsoid_of(1e-3, 1e-3, 1.0));
}

TEST(needle_over_a_disc_of_polytopes) {
    check_needle(named_polytope(CAROM_POLYTOPE_PRISM, 24, 1.0, 2e-3), box_of(2e-3, 2e-3, 2.0));
    check_needle(named_polytope(CAROM_POLYTOPE_PRISM, 24, 1.0, 2e-3),
                 named_polytope(CAROM_POLYTOPE_PRISM, 6, 1e-3, 2.0));
}

// The needle's point, not its end, over the disc's rim: a corner of a long thin pyramid beside a flat prism.
TEST(needle_beside_a_disc_points_at_the_rim) {
    carom_shape *disc = named_polytope(CAROM_POLYTOPE_PRISM, 4, 1.0, 2e-3), *needle = box_of(2.0, 2e-3, 2e-3);
    // The prism's first corner is on +x: the needle's end, a square as high as the disc, faces its upright edge.
    carom_view a = place(disc, 0.0, 0.0, 0.0), b = place(needle, 2.0 + 1e-4, 0.0, 0.0);
    answers w = ask(&a, &b, crm_quat_identity(), crm_vec3_zero());
    CHECK_NEAR(w.gap.gap, 1e-4, tolerance);
    check_vector(w.gap.normal, 1.0, 0.0, 0.0);
    check_vector(w.gap.point_a, 1.0, 0.0, 0.0);
    check_weights(&w.gap.a, 2);
    check_weights(&w.gap.b, 4);
    CHECK_NEAR(w.ray.value, 1e-4, tolerance);
    carom_shape_destroy(disc);
    carom_shape_destroy(needle);
}

TEST_MAIN(CASE(aligned_cubes_corner_to_corner_answer_along_the_diagonal),
          CASE(aligned_cubes_edge_to_edge_answer_along_the_bisector),
          CASE(aligned_cubes_face_to_face_answer_along_the_axis), CASE(exactly_stacked_cubes_touch_in_the_middle),
          CASE(coincident_centres_have_a_depth_and_no_direction), CASE(corner_on_an_edge_answers_along_the_bisector),
          CASE(needle_over_a_disc_of_ellipsoids), CASE(needle_over_a_disc_of_polytopes),
          CASE(needle_beside_a_disc_points_at_the_rim))

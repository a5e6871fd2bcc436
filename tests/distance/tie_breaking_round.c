// SPDX-License-Identifier: MIT
// Ties where something is round: closed forms, all basis solutions, symmetry, and what must not change.
#include <stdlib.h>

#include "distance/measure.h"
#include "math/quat.h"
#include "reference/motion/case_check.h"
#include "reference/polytope/convex_body.h"
#include "support/geometry/convex_shapes.h"
#include "support/geometry/polytopes.h"

static const carom_quat upright = {1.0, 0.0, 0.0, 0.0};

static carom_quat rotated_about(carom_vec3 axis, double angle) {
    return crm_quat_from_axis_angle(axis, angle);
}

static carom_view at(const carom_shape *shape, carom_vec3 position, carom_quat attitude) {
    return carom_view_of(shape, (carom_pose){position, attitude});
}

// Both measures of a pair in both orders, the whole rotated and shifted; points and normals rotated back.
typedef struct answers {
    carom_ray_witness ray[2];
    carom_gap_witness gap[2];
} answers;

static void swap_touches(carom_touch *a, carom_touch *b, carom_vec3 *point_a, carom_vec3 *point_b, carom_vec3 *normal) {
    carom_touch touch = *a;
    carom_vec3 point = *point_a;
    *a = *b, *b = touch;
    *point_a = *point_b, *point_b = point;
    *normal = crm_negate(*normal);
}

// `direction` from A to B, or NULL.
static answers ask(sampler *s, carom_view a, carom_view b, const carom_vec3 *direction) {
    carom_quat rotation = sample_attitude(s), back = crm_quat_conjugate(rotation);
    carom_vec3 shift = sample_vec3(s, 2.0);
    a = moved_view(a, rotation, shift);
    b = moved_view(b, rotation, shift);
    answers out;
    for (int k = 0; k < 2; k++) {
        carom_ray_witness *ray = &out.ray[k];
        carom_gap_witness *gap = &out.gap[k];
        carom_distance_options options = carom_distance_options_default();
        options.has_direction = direction != NULL;
        if (direction != NULL)
            options.direction = crm_scale(k == 0 ? 1.0 : -1.0, crm_quat_rotate(rotation, *direction));
        CHECK_INT(carom_ray_find(k == 0 ? &a : &b, k == 0 ? &b : &a, &options, NULL, ray, NULL), CAROM_OK);
        CHECK_INT(carom_gap_find(k == 0 ? &a : &b, k == 0 ? &b : &a, NULL, NULL, gap, NULL), CAROM_OK);
        CHECK_INT(ray->outcome, CAROM_RAY_MEETS);
        if (k == 1) {
            swap_touches(&ray->a, &ray->b, &ray->point_a, &ray->point_b, &ray->normal);
            swap_touches(&gap->a, &gap->b, &gap->point_a, &gap->point_b, &gap->normal);
        }
        carom_vec3 *rotated[] = {&ray->point_a, &ray->point_b, &gap->point_a,
                                 &gap->point_b, &ray->normal,  &gap->normal};
        for (int i = 0; i < 6; i++)
            *rotated[i] = crm_quat_rotate(back, i < 4 ? crm_sub(*rotated[i], shift) : *rotated[i]);
    }
    return out;
}

static void check_even(const char *name, const carom_touch *touch, int count) {
    CHECK_INT(touch->vertex_count, count);
    for (int i = 0; i < touch->vertex_count && i < CAROM_TOUCH_VERTICES; i++)
        check_error(name, "weight", fabs(touch->weights[i] - 1.0 / count), 1e-12);
}

// ---- over the middle

typedef struct middle_case {
    const char *name;
    const carom_shape *shape; // over a box of edges 2, 3, 2 about the origin
    carom_vec3 position;
    carom_quat attitude;
    carom_vec3 point_a, point_b, normal; // of the gap
    int count_a, count_b;
    bool weights_unique, points_unique;
} middle_case;

static void check_middle(const middle_case *c, const carom_shape *box, sampler *s) {
    answers w = ask(s, at(box, crm_vec3_zero(), upright), at(c->shape, c->position, c->attitude), &c->normal);
    for (int k = 0; k < 2; k++) {
        check_even(c->name, &w.ray[k].a, c->count_a);
        check_even(c->name, &w.ray[k].b, c->count_b);
        check_even(c->name, &w.gap[k].a, c->count_a);
        check_even(c->name, &w.gap[k].b, c->count_b);
        check_error(c->name, "normal", crm_distance(w.gap[k].normal, c->normal), 1e-13);
        check_error(c->name, "ray's normal", crm_distance(w.ray[k].normal, c->normal), 1e-13);
        check_error(c->name, "point A", crm_distance(w.gap[k].point_a, c->point_a), 1e-12);
        check_error(c->name, "point B", crm_distance(w.gap[k].point_b, c->point_b), 1e-12);
        check_error(c->name, "ray's point A", crm_distance(w.ray[k].point_a, c->point_a), 1e-12);
        check_error(c->name, "ray's point B", crm_distance(w.ray[k].point_b, c->point_b), 1e-12);
        if (!CHECK(w.ray[k].alpha_unique && w.gap[k].normal_unique) |
            !CHECK(w.ray[k].weights_unique == c->weights_unique) | !CHECK(w.gap[k].points_unique == c->points_unique))
            fprintf(stderr, "%s, order %d\n", c->name, k);
    }
}

TEST(round_bodies_over_the_middle_have_even_weights) {
    sampler s = {.seed = 110};
    const double quarter = acos(0.0), h = sqrt(0.5);
    const carom_vec3 x = {1, 0, 0}, z = {0, 0, 1}, slope = {h, 0, h};
    carom_shape *box = box_of(2, 3, 2), *ball = sphere_of(0.5), *capsule = capsule_of(0.5, 1.0);
    carom_shape *egg = ellipsoid_of(0.3, 0.4, 0.5);
    const carom_quat lying = rotated_about(crm_vec3(0, 1, 0), quarter), along = rotated_about(x, quarter);
    const carom_quat spun = rotated_about(z, 0.7);
    const middle_case cases[] = {
        {"ball on face", ball, {0, 0, 2}, upright, {0, 0, 1}, {0, 0, 1.5}, z, 4, 1, false, true},
        {"ball in face", ball, {0, 0, 1.3}, upright, {0, 0, 1}, {0, 0, 0.8}, z, 4, 1, false, true},
        {"egg on face", egg, {0, 0, 2}, spun, {0, 0, 1}, {0, 0, 1.5}, z, 4, 1, false, true},
        {"egg in face", egg, {0, 0, 1.4}, spun, {0, 0, 1}, {0, 0, 0.9}, z, 4, 1, false, true},
        {"capsule upright on face", capsule, {0, 0, 3}, spun, {0, 0, 1}, {0, 0, 2}, z, 4, 1, false, true},
        {"capsule lying on face", capsule, {0, 0, 2}, lying, {0, 0, 1}, {0, 0, 1.5}, z, 4, 2, false, false},
        {"capsule lying askew",
         capsule,
         {0, 0, 2},
         crm_quat_mul(spun, lying),
         {0, 0, 1},
         {0, 0, 1.5},
         z,
         4,
         2,
         false,
         false},
        {"ball on edge",
         ball,
         {1 + h, 0, 1 + h},
         upright,
         {1, 0, 1},
         {1 + 0.5 * h, 0, 1 + 0.5 * h},
         slope,
         2,
         1,
         true,
         true},
        {"capsule along edge",
         capsule,
         {1 + h, 0, 1 + h},
         along,
         {1, 0, 1},
         {1 + 0.5 * h, 0, 1 + 0.5 * h},
         slope,
         2,
         2,
         false,
         false},
        {"ball on corner",
         ball,
         {1 + h, 1.5, 1 + h},
         upright,
         {1, 1.5, 1},
         {1 + 0.5 * h, 1.5, 1 + 0.5 * h},
         slope,
         1,
         1,
         true,
         true},
    };
    for (int i = 0; i < 20; i++)
        for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) check_middle(&cases[k], box, &s);
    carom_shape_destroy(box);
    carom_shape_destroy(ball);
    carom_shape_destroy(capsule);
    carom_shape_destroy(egg);
}

// Two capsules side by side share the half of their sides; crossed ones have one pair of points.
TEST(parallel_capsules_touch_in_the_middle_of_what_they_share) {
    sampler s = {.seed = 111};
    carom_shape *capsule = capsule_of(0.5, 2.0);
    const carom_vec3 x = {1, 0, 0};
    for (int i = 0; i < 20; i++) {
        answers w = ask(&s, at(capsule, crm_vec3_zero(), upright), at(capsule, crm_vec3(2, 0, 1), upright), &x);
        answers crossed =
            ask(&s, at(capsule, crm_vec3_zero(), upright), at(capsule, crm_vec3(2, 0, 0), rotated_about(x, 1.0)), &x);
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(crm_distance(w.ray[k].point_a, crm_vec3(0.5, 0, 0.5)), 0.0, 1e-13);
            CHECK_NEAR(crm_distance(w.ray[k].point_b, crm_vec3(1.5, 0, 0.5)), 0.0, 1e-13);
            CHECK(!w.ray[k].weights_unique && w.ray[k].alpha_unique && !w.gap[k].points_unique);
            CHECK(crossed.ray[k].weights_unique && crossed.gap[k].points_unique);
        }
    }
    carom_shape_destroy(capsule);
}

// ---- least norm

// Over a rectangle with half edges a and b the weights at (x, y) are (1 +- x/a +- y/b)/4 while none is negative.
TEST(weights_on_a_rectangle_have_their_closed_form) {
    sampler s = {.seed = 112};
    const double a = 3.0, b = 2.0;
    carom_shape *box = box_of(2.0 * a, 2.0 * b, 2.0);
    for (int i = 0; i < 200; i++) {
        double u = sample_between(&s, -1.0, 1.0), v = sample_between(&s, -1.0, 1.0) * (1.0 - fabs(u));
        carom_shape *shape = sample_shape(&s, i % 2 == 0 ? CAROM_SHAPE_ELLIPSOID : CAROM_SHAPE_SPHERE, 1.0, 10.0);
        carom_view body = at(shape, crm_vec3_zero(), sample_attitude(&s));
        crm_side side;
        crm_side_of(&body, 0, CRM_FROM_INSIDE, &side);
        carom_vec3 lowest;
        crm_round_support(&side, crm_vec3(0, 0, -1), &lowest);
        body.pose.position = crm_sub(crm_vec3(a * u, b * v, 1.2), lowest);
        const carom_vec3 z = {0, 0, 1};
        answers w = ask(&s, at(box, crm_vec3_zero(), upright), body, &z);
        for (int k = 0; k < 2; k++) {
            CHECK_NEAR(w.gap[k].gap, 0.2, 1e-13);
            CHECK(w.gap[k].points_unique && !w.ray[k].weights_unique);
            const carom_touch *touches[] = {&w.ray[k].a, &w.gap[k].a};
            for (int m = 0; m < 2; m++) {
                if (!CHECK_INT(touches[m]->vertex_count, 4)) continue;
                for (int c = 0; c < 4; c++) { // corners are numbered by bits: x, y, z
                    int corner = touches[m]->vertices[c];
                    double wanted = 0.25 * (1.0 + (corner & 1 ? u : -u) + (corner & 2 ? v : -v));
                    CHECK_NEAR(touches[m]->weights[c], wanted, 1e-12);
                }
            }
            CHECK_NEAR(crm_distance(w.ray[k].point_a, crm_vec3(a * u, b * v, 1.0)), 0.0, 1e-12);
            CHECK_NEAR(crm_distance(w.gap[k].point_a, crm_vec3(a * u, b * v, 1.0)), 0.0, 1e-12);
        }
        carom_shape_destroy(shape);
    }
    carom_shape_destroy(box);
}

// w has the least norm of all weights with its mean when w.v >= w.w for every basis solution v: every triangle of
// corners around the point.
static void check_least(const carom_shape *prism, const double *w, carom_vec3 point) {
    const carom_vec3 *vertex = carom_shape_vertices(prism);
    int count = carom_shape_vertex_count(prism), triangles = 0;
    double square = 0.0;
    for (int i = 0; i < count; i++) square += w[i] * w[i];
    for (int i = 0; i < count; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k < j; k++) {
                if (vertex[i].z < 0.0 || vertex[j].z < 0.0 || vertex[k].z < 0.0) continue;
                carom_vec3 p = crm_sub(vertex[i], point), q = crm_sub(vertex[j], point), r = crm_sub(vertex[k], point);
                double share[3] = {q.x * r.y - q.y * r.x, r.x * p.y - r.y * p.x, p.x * q.y - p.y * q.x};
                double area = share[0] + share[1] + share[2];
                for (int m = 0; m < 3; m++) share[m] /= area;
                if (!(share[0] >= 0.0 && share[1] >= 0.0 && share[2] >= 0.0)) continue;
                CHECK(share[0] * w[i] + share[1] * w[j] + share[2] * w[k] >= square - 1e-12);
                triangles++;
            }
    CHECK(triangles > 0);
}

TEST(no_basis_solution_leads_to_shorter_weights) {
    enum { SIDES = 12 };
    sampler s = {.seed = 113};
    carom_shape *prism = named_polytope(CAROM_POLYTOPE_PRISM, SIDES, 1.0, 1.0);
    for (int i = 0; i < 200; i++) {
        carom_shape *shape = sample_shape(&s, i % 2 == 0 ? CAROM_SHAPE_ELLIPSOID : CAROM_SHAPE_SPHERE, 0.5, 5.0);
        carom_vec3 position = crm_vec3(sample_between(&s, -0.6, 0.6), sample_between(&s, -0.6, 0.6), 1.3);
        carom_view a = at(prism, crm_vec3_zero(), upright), b = at(shape, position, sample_attitude(&s));
        carom_ray_witness ray;
        double w[2 * SIDES], sum = 0.0;
        CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
        carom_ray_weights(&a, &b, &ray, w, NULL);
        carom_vec3 mean = crm_vec3_zero();
        for (int v = 0; v < 2 * SIDES; v++) {
            sum += w[v];
            mean = crm_madd(mean, w[v], carom_shape_vertices(prism)[v]);
        }
        CHECK_NEAR(sum, 1.0, 1e-12);
        CHECK_NEAR(crm_distance(mean, ray.point_a), 0.0, 1e-12);
        if (ray.normal.z > 1.0 - 1e-12) {
            CHECK(!ray.weights_unique);
            check_least(prism, w, ray.point_a);
        }
        carom_shape_destroy(shape);
    }
    carom_shape_destroy(prism);
}

// ---- many vertices

TEST(ball_on_a_face_of_many_corners_has_even_weights) {
    enum { SIDES = 50 };
    sampler s = {.seed = 114};
    carom_shape *prism = named_polytope(CAROM_POLYTOPE_PRISM, SIDES, 1.0, 1.0);
    carom_shape *round[] = {sphere_of(0.5), ellipsoid_of(0.2, 0.3, 0.5)};
    for (int i = 0; i < 20; i++) {
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 2.0);
        carom_view a = moved_view(at(prism, crm_vec3_zero(), upright), rotation, shift);
        carom_view b = moved_view(at(round[i % 2], crm_vec3(0.0, 0.0, 1.5), upright), rotation, shift);
        carom_ray_witness ray;
        double w[2 * SIDES];
        CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
        CHECK_INT(ray.a.vertex_count, SIDES);
        CHECK(!ray.weights_unique);
        carom_ray_weights(&a, &b, &ray, w, NULL);
        for (int v = 0; v < 2 * SIDES; v++)
            CHECK_NEAR(w[v], carom_shape_vertices(prism)[v].z > 0.0 ? 1.0 / SIDES : 0.0, 1e-12);
    }
    carom_shape_destroy(prism);
    carom_shape_destroy(round[0]);
    carom_shape_destroy(round[1]);
}

// Loose points: more on an edge than a touch can list, and on a face whose first ones lie on a line.
TEST(ball_on_points_in_a_row_has_even_weights) {
    enum { ROW = 13, COUNT = ROW * 9 + 1 };
    sampler s = {.seed = 115};
    carom_shape *ball = sphere_of(0.5);
    carom_vec3 v[COUNT];
    for (int i = 0; i < 20; i++) {
        bool on_edge = i % 2 == 0;
        carom_quat rotation = sample_attitude(&s);
        for (int k = 0; k < COUNT - 1; k++) // a plate, from y = 0 backwards, and a point below
            v[k] = crm_quat_rotate(rotation, crm_vec3(0.25 * (k % ROW - 6), -0.25 * (k / ROW), 0.0));
        v[COUNT - 1] = crm_quat_rotate(rotation, crm_vec3(0.0, -1.0, -1.0));
        carom_vec3 place = on_edge ? crm_vec3(0.0, 1.0, 1.0) : crm_vec3(0.0, -1.0, 1.0);
        carom_view a = carom_view_of_vertices(COUNT, v), b = at(ball, crm_quat_rotate(rotation, place), upright);
        carom_distance_options options = carom_distance_options_default();
        options.has_direction = true;
        options.direction = crm_quat_rotate(rotation, on_edge ? crm_vec3(0.0, 1.0, 1.0) : crm_vec3(0.0, 0.0, 1.0));
        carom_ray_witness ray;
        double w[COUNT];
        CHECK_INT(carom_ray_find(&a, &b, &options, NULL, &ray, NULL), CAROM_OK);
        int count = on_edge ? ROW : COUNT - 1;
        CHECK_INT(ray.a.vertex_count, count);
        CHECK(!ray.weights_unique && ray.alpha_unique);
        carom_ray_weights(&a, &b, &ray, w, NULL);
        for (int k = 0; k < COUNT; k++) CHECK_NEAR(w[k], k < count ? 1.0 / count : 0.0, 1e-12);
        CHECK_NEAR(crm_distance(ray.point_a, crm_quat_rotate(rotation, crm_vec3(0.0, on_edge ? 0.0 : -1.0, 0.0))), 0.0,
                   1e-12);
    }
    carom_shape_destroy(ball);
}

// ---- what must not change

static const carom_shape_kind kinds[] = {CAROM_SHAPE_SPHERE, CAROM_SHAPE_ELLIPSOID, CAROM_SHAPE_CAPSULE,
                                         CAROM_SHAPE_BOX, CAROM_SHAPE_POLYTOPE};
enum { KINDS = 5, ROUND_KINDS = 3 };

static bool same_touch(const carom_touch *p, const carom_touch *q) {
    bool same = p->vertex_count == q->vertex_count;
    for (int i = 0; same && i < p->vertex_count; i++)
        same = p->vertices[i] == q->vertices[i] && p->weights[i] == q->weights[i];
    return same;
}

// Answers with their ties broken are proved like those they come from; where these were unique they are left alone.
TEST(broken_ties_are_proved_and_unique_answers_left_alone) {
    sampler s = {.seed = 116};
    carom_distance_options any = carom_distance_options_default();
    any.any_solution = true;
    int several = 0, unique = 0;
    for (int i = 0; i < 1500; i++) {
        carom_shape *first = sample_shape(&s, kinds[i % ROUND_KINDS], 1.0, 5.0);
        carom_shape *second = sample_shape(&s, kinds[i / ROUND_KINDS % KINDS], 1.0, 5.0);
        carom_view a = sample_view(&s, first, crm_vec3_zero()), b = sample_view(&s, second, sample_vec3(&s, 1.5));
        double size = 1.0 + carom_shape_bounding_radius(first) + carom_shape_bounding_radius(second);
        carom_ray_witness ray, plain_ray;
        carom_gap_witness gap, plain_gap;
        CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
        CHECK_INT(carom_ray_find(&a, &b, &any, NULL, &plain_ray, NULL), CAROM_OK);
        CHECK_INT(carom_gap_find(&a, &b, NULL, NULL, &gap, NULL), CAROM_OK);
        CHECK_INT(carom_gap_find(&a, &b, &any, NULL, &plain_gap, NULL), CAROM_OK);
        CHECK(ray.value == plain_ray.value && crm_distance(ray.alpha, plain_ray.alpha) == 0.0);
        CHECK(gap.gap == plain_gap.gap && crm_distance(gap.normal, plain_gap.normal) == 0.0);
        bool good = CHECK_NEAR(proof_defect(prove_ray(&a, &b, &ray)), 0.0, 1e-12 * size * crm_length(ray.alpha));
        good &= CHECK_NEAR(proof_defect(prove_gap(&a, &b, &gap)), 0.0, 1e-12 * size);
        if (ray.weights_unique) good &= CHECK(same_touch(&ray.a, &plain_ray.a) && same_touch(&ray.b, &plain_ray.b));
        if (!good) fprintf(stderr, "pair %d\n", i);
        several += !ray.weights_unique;
        unique += ray.weights_unique;
        carom_shape_destroy(first);
        carom_shape_destroy(second);
    }
    CHECK(several > 50 && unique > 500); // boxes have faces of four
}

// Aligned pairs on a grid, in which ties are frequent, and the same pairs rotated and shifted.
TEST(flags_and_points_of_aligned_pairs_do_not_depend_on_the_frame) {
    enum { SHAPES = 7, SOFT = 3, ROTATIONS = 5 };
    sampler s = {.seed = 118};
    const double h = sqrt(0.5);
    const carom_quat rotations[ROTATIONS] = {upright, {h, h, 0, 0}, {h, 0, h, 0}, {h, 0, 0, h}, {0.5, 0.5, 0.5, 0.5}};
    carom_shape *shapes[SHAPES] = {sphere_of(0.5),
                                   ellipsoid_of(0.5, 0.25, 0.75),
                                   capsule_of(0.25, 1.0),
                                   box_of(2, 2, 2),
                                   box_of(2, 1, 0.5),
                                   named_polytope(CAROM_POLYTOPE_PRISM, 6, 1.0, 1.0),
                                   named_polytope(CAROM_POLYTOPE_PRISM, 12, 1.0, 1.0)};
    int pairs = 0, ray_ties = 0, gap_ties = 0;
    for (int i = 0; i < 1000; i++) {
        carom_view a = place(shapes[i % SOFT], 0, 0, 0), b = place(shapes[i / SOFT % SHAPES], 0, 0, 0);
        a.pose.attitude = rotations[(int)sample_between(&s, 0, ROTATIONS)];
        b.pose.attitude = rotations[(int)sample_between(&s, 0, ROTATIONS)];
        for (int k = 0; k < 3; k++)
            b.pose.position =
                crm_with_component(b.pose.position, k, 0.25 * floor(sample_between(&s, k == 2 ? 2.0 : -4.0, 9.0)));
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 shift = sample_vec3(&s, 2.0);
        carom_view c = moved_view(a, rotation, shift), d = moved_view(b, rotation, shift);
        carom_ray_witness ray, moved_ray;
        carom_gap_witness gap, moved_gap;
        CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
        CHECK_INT(carom_ray_find(&c, &d, NULL, NULL, &moved_ray, NULL), CAROM_OK);
        CHECK_INT(carom_gap_find(&a, &b, NULL, NULL, &gap, NULL), CAROM_OK);
        CHECK_INT(carom_gap_find(&c, &d, NULL, NULL, &moved_gap, NULL), CAROM_OK);
        bool good = CHECK(moved_ray.weights_unique == ray.weights_unique);
        carom_vec3 wanted = crm_add(shift, crm_quat_rotate(rotation, ray.point_a));
        good &= CHECK_NEAR(crm_distance(moved_ray.point_a, wanted), 0.0, 1e-10);
        // Of several shortest ways out of an overlap each may have found another one.
        if (crm_distance(moved_gap.normal, crm_quat_rotate(rotation, gap.normal)) < 1e-6) {
            wanted = crm_add(shift, crm_quat_rotate(rotation, gap.point_a));
            good &= CHECK(moved_gap.points_unique == gap.points_unique);
            good &= CHECK_NEAR(crm_distance(moved_gap.point_a, wanted), 0.0, 1e-7); // flat maxima of overlaps
        }
        if (!good) fprintf(stderr, "pair %d\n", i);
        ray_ties += !ray.weights_unique;
        gap_ties += !gap.points_unique;
        pairs++;
    }
    CHECK(ray_ties > pairs / 10 && gap_ties > pairs / 30);
    for (int i = 0; i < SHAPES; i++) carom_shape_destroy(shapes[i]);
}

// A face askew by less than what ties are told by: the middle of it, exact points, and the gap of the highest corner.
TEST(nearly_level_faces_keep_exact_gaps_and_points) {
    sampler s = {.seed = 117};
    carom_shape *capsule = capsule_of(0.5, 1.0), *box = box_of(2, 2, 2);
    carom_distance_options any = carom_distance_options_default();
    any.any_solution = true;
    const carom_quat lying = rotated_about(crm_vec3(0, 1, 0), acos(0.0));
    for (int i = 0; i < 50; i++) {
        double askew = pow(10.0, sample_between(&s, -14.0, -9.7));
        carom_quat tilt = rotated_about(crm_vec3(0, 1, 0), askew), rotation = sample_attitude(&s);
        carom_view a = moved_view(at(box, crm_vec3_zero(), upright), rotation, crm_vec3(1, 2, 3));
        carom_view b =
            moved_view(at(capsule, crm_vec3(0, 0, 2), crm_quat_mul(tilt, lying)), rotation, crm_vec3(1, 2, 3));
        carom_gap_witness gap, plain;
        CHECK_INT(carom_gap_find(&a, &b, NULL, NULL, &gap, NULL), CAROM_OK);
        CHECK_INT(carom_gap_find(&a, &b, &any, NULL, &plain, NULL), CAROM_OK);
        CHECK(gap.gap == plain.gap);
        CHECK_NEAR(gap.gap, 0.5 - 0.5 * askew, 1e-14);
        CHECK(!gap.points_unique);
        check_even("capsule", &gap.b, 2);
        carom_vec3 wanted = crm_add(crm_vec3(1, 2, 3), crm_quat_rotate(rotation, crm_vec3(0, 0, 1)));
        CHECK_NEAR(crm_distance(gap.point_a, wanted), 0.0, 1e-9);
        carom_vec3 chord = crm_sub(gap.point_b, gap.point_a);
        CHECK_NEAR(crm_distance(chord, crm_scale(gap.gap, gap.normal)), 0.0, 1e-13);
    }
    carom_shape_destroy(capsule);
    carom_shape_destroy(box);
}

TEST_MAIN(CASE(round_bodies_over_the_middle_have_even_weights),
          CASE(parallel_capsules_touch_in_the_middle_of_what_they_share),
          CASE(weights_on_a_rectangle_have_their_closed_form), CASE(no_basis_solution_leads_to_shorter_weights),
          CASE(ball_on_a_face_of_many_corners_has_even_weights), CASE(ball_on_points_in_a_row_has_even_weights),
          CASE(broken_ties_are_proved_and_unique_answers_left_alone),
          CASE(flags_and_points_of_aligned_pairs_do_not_depend_on_the_frame),
          CASE(nearly_level_faces_keep_exact_gaps_and_points))

// SPDX-License-Identifier: MIT
// Gradients against central differences of the simplex method's value, and against what a motion of both must leave.
#include <stdlib.h>
#include <string.h>

#include "distance/measure.h"
#include "math/quat.h"
#include "reference/motion/case_check.h"
#include "reference/polytope/polytope_cases.h"
#include "reference/polytope/separating_axes.h"
#include "reference/program/ssh_program.h"

// Differences of the value: rounding 1e-16/step = 1e-11, and step^2 = 1e-10 times third derivatives.
static const double step = 1e-5, allowed = 1e-7;

static carom_vec3 vector(const double *v) {
    return crm_vec3(v[0], v[1], v[2]);
}

// A body with corners of its own, at a pose and seen from a centre.
typedef struct body {
    int count;
    carom_vec3 vertex[SAMPLE_VERTICES_MAX];
    carom_view view;
} body;

// The pose's position is nowhere near the body, so that rotating about it moves the body far.
static void sample_body(sampler *s, int count, bool own_centre, body *out) {
    polytope p = sample_polytope(s, count, 0.5);
    out->count = count;
    carom_vec3 mean = crm_vec3_zero();
    for (int i = 0; i < count; i++) {
        out->vertex[i] = vector(p.vertices + 3 * i);
        mean = crm_madd(mean, 1.0 / count, out->vertex[i]);
    }
    out->view = carom_view_of_vertices(count, out->vertex);
    out->view.pose = (carom_pose){sample_vec3(s, 0.7), sample_attitude(s)};
    out->view.has_centre = own_centre;
    out->view.centre = crm_add(mean, sample_vec3(s, 0.02));
}

static void place(const body *b, double *k) {
    for (int i = 0; i < b->count; i++) {
        carom_vec3 v = crm_add(b->view.pose.position, crm_quat_rotate(b->view.pose.attitude, b->vertex[i]));
        memcpy(k + 3 * i, &v, sizeof v);
    }
}

static carom_vec3 centre_of(const body *b) {
    crm_side side;
    crm_side_of(&b->view, 0, CRM_FROM_VIEW, &side);
    return side.centre;
}

// Solves the program along `given`, or from centre to centre.
static void solve(const body *a, const body *b, const double *given, double *beta, double *distance, ssh_result *r) {
    double k1[3 * SAMPLE_VERTICES_MAX], k2[3 * SAMPLE_VERTICES_MAX];
    place(a, k2);
    place(b, k1);
    carom_vec3 direction;
    *distance = crm_normalise(crm_sub(centre_of(b), centre_of(a)), &direction);
    memcpy(beta, &direction, sizeof direction);
    if (given != NULL) memcpy(beta, given, 3 * sizeof(double));
    ssh_program_solve(b->count, k1, a->count, k2, beta, r);
}

// A pair with no other basis near: every inactive vertex and every weight well away from zero.
static bool is_sturdy(const body *k, const double *dual, const ssh_result *r, bool first) {
    for (int v = 0; v < k->count; v++) {
        carom_vec3 x = crm_add(k->view.pose.position, crm_quat_rotate(k->view.pose.attitude, k->vertex[v]));
        double height = crm_dot(vector(r->alpha), x), slack = first ? height - r->a1 : r->a2 - height;
        if (fmax(dual[v], slack) < 1e-3) return false;
    }
    return true;
}

static carom_touch touch_of(int count, const double *weights) {
    carom_touch touch = {0};
    for (int i = 0; i < count; i++) {
        if (!(weights[i] > 1e-9)) continue;
        touch.vertices[touch.vertex_count] = i;
        touch.weights[touch.vertex_count++] = weights[i];
    }
    return touch;
}

// The witness that belongs to a solution of the program.
static carom_ray_witness witness_of(const body *a, const body *b, const double *beta, double distance, bool given,
                                    const ssh_result *r) {
    carom_ray_witness ray = {.value = r->value, .centre_distance = distance, .beta_moves = !given};
    ray.beta = vector(beta);
    ray.alpha = vector(r->alpha);
    crm_normalise(ray.alpha, &ray.normal);
    ray.rho = given ? (double)NAN : r->value / distance;
    ray.ratio = given ? (double)NAN : distance / (distance - r->value);
    ray.point_a = vector(r->point2);
    ray.point_b = vector(r->point1);
    ray.a = touch_of(a->count, r->dual2);
    ray.b = touch_of(b->count, r->dual1);
    return ray;
}

// A small motion of a pose: a shift along an axis (0 to 2) or a rotation about it (3 to 5), about the pose's position.
static carom_pose moved(carom_pose pose, int way, double amount) {
    carom_vec3 e = crm_with_component(crm_vec3_zero(), way % 3, amount);
    if (way < 3) return (carom_pose){crm_add(pose.position, e), pose.attitude};
    carom_quat rotation = crm_quat_normalised((carom_quat){1.0, 0.5 * e.x, 0.5 * e.y, 0.5 * e.z});
    return (carom_pose){pose.position, crm_quat_mul(rotation, pose.attitude)};
}

static double entry(const carom_pose_gradient *g, bool of_a, int way) {
    carom_vec3 v = way < 3 ? (of_a ? g->translation_a : g->translation_b) : (of_a ? g->rotation_a : g->rotation_b);
    return crm_component(v, way % 3);
}

// A motion of both bodies as one changes nothing: forces and torques about the origin add to zero.
static double imbalance(const carom_view *a, const carom_view *b, const carom_pose_gradient *g) {
    carom_vec3 force = crm_add(g->translation_a, g->translation_b);
    carom_vec3 torque = crm_add(crm_add(g->rotation_a, crm_cross(a->pose.position, g->translation_a)),
                                crm_add(g->rotation_b, crm_cross(b->pose.position, g->translation_b)));
    return fmax(crm_length(force), crm_length(torque));
}

static void check_pair(body *a, body *b, const double *given, double *worst) {
    ssh_result *r = calloc(1, sizeof *r), *high = calloc(1, sizeof *high), *low = calloc(1, sizeof *low);
    assert_true(r != NULL && high != NULL && low != NULL);
    double beta[3], distance, unused[3], far, near;
    solve(a, b, given, beta, &distance, r);
    if (r->status == SSH_OPTIMAL && r->alpha_unique && r->dual_unique && is_sturdy(b, r->dual1, r, true) &&
        is_sturdy(a, r->dual2, r, false)) {
        carom_ray_witness ray = witness_of(a, b, beta, distance, given != NULL, r);
        carom_pose_gradient value, rho;
        carom_ray_gradient(&a->view, &b->view, &ray, &value, &rho);
        if (given == NULL) {
            CHECK_NEAR(imbalance(&a->view, &b->view, &value), 0.0, 1e-13 * crm_length(ray.alpha));
            CHECK_NEAR(imbalance(&a->view, &b->view, &rho), 0.0, 1e-13 * crm_length(ray.alpha) / distance);
        }
        for (int k = 0; k < 12; k++) {
            body *which = k < 6 ? a : b;
            carom_pose pose = which->view.pose;
            which->view.pose = moved(pose, k % 6, step);
            solve(a, b, given, unused, &far, high);
            which->view.pose = moved(pose, k % 6, -step);
            solve(a, b, given, unused, &near, low);
            which->view.pose = pose;
            double scale = 1.0 + crm_length(ray.alpha) * crm_length(ray.alpha);
            double by_value = (high->value - low->value) / (2.0 * step);
            note_error(worst, fabs(by_value - entry(&value, k < 6, k % 6)) / scale);
            double by_rho = (high->value / far - low->value / near) / (2.0 * step);
            if (given == NULL) note_error(worst, distance * fabs(by_rho - entry(&rho, k < 6, k % 6)) / scale);
        }
    }
    free(r);
    free(high);
    free(low);
}

TEST(ray_gradients_are_differences) {
    sampler s = {.seed = 91};
    double worst = 0.0;
    for (int i = 0; i < 150; i++) {
        body a, b;
        sample_body(&s, 4 + i % 9, i % 3 == 0, &a);
        sample_body(&s, 4 + i % 13, i % 2 == 0, &b);
        check_pair(&a, &b, NULL, &worst);
    }
    CHECK_NEAR(worst, 0.0, allowed);
    CHECK(worst > 0.0);
    print_message("worst %.2g\n", worst);
}

TEST(gradients_along_a_given_direction_are_differences) {
    sampler s = {.seed = 92};
    double worst = 0.0;
    for (int i = 0; i < 80; i++) {
        body a, b;
        sample_body(&s, 4 + i % 9, false, &a);
        sample_body(&s, 4 + i % 13, false, &b);
        carom_vec3 line, u = sample_unit(&s);
        crm_normalise(crm_sub(centre_of(&b), centre_of(&a)), &line);
        crm_normalise(crm_madd(line, 0.4, u), &line);
        const double given[3] = {line.x, line.y, line.z};
        check_pair(&a, &b, given, &worst);
    }
    CHECK_NEAR(worst, 0.0, allowed);
    CHECK(worst > 0.0);
    print_message("worst %.2g\n", worst);
}

// Vertices of the world, centres at their means.
TEST(vertex_gradients_are_differences) {
    sampler s = {.seed = 93};
    double worst = 0.0;
    int checked = 0;
    for (int i = 0; i < 40; i++) {
        body pair[2], *a = &pair[0], *b = &pair[1];
        ssh_result *r = calloc(1, sizeof *r), *high = calloc(1, sizeof *high), *low = calloc(1, sizeof *low);
        assert_true(r != NULL && high != NULL && low != NULL);
        for (int k = 0; k < 2; k++) {
            sample_body(&s, 4 + i % 5, false, &pair[k]);
            pair[k].view.pose = (carom_pose){{0, 0, 0}, {1, 0, 0, 0}};
            carom_vec3 shift = sample_vec3(&s, 0.7);
            for (int v = 0; v < pair[k].count; v++) pair[k].vertex[v] = crm_add(pair[k].vertex[v], shift);
        }
        double beta[3], distance, unused[3], length;
        solve(a, b, NULL, beta, &distance, r);
        bool sturdy = r->status == SSH_OPTIMAL && r->alpha_unique && r->dual_unique &&
                      is_sturdy(b, r->dual1, r, true) && is_sturdy(a, r->dual2, r, false);
        checked += sturdy;
        carom_vec3 gradient[2][SAMPLE_VERTICES_MAX];
        carom_ray_witness ray = witness_of(a, b, beta, distance, false, r);
        if (sturdy) carom_ray_vertex_gradient(&a->view, &b->view, &ray, gradient[0], gradient[1]);
        for (int k = 0; k < 6 * a->count && sturdy; k++) {
            int side = k % 2, v = k / 2 % a->count, axis = k / (2 * a->count);
            carom_vec3 *x = &pair[side].vertex[v], kept = *x, e = crm_with_component(crm_vec3_zero(), axis, step);
            *x = crm_add(kept, e);
            solve(a, b, NULL, unused, &length, high);
            *x = crm_sub(kept, e);
            solve(a, b, NULL, unused, &length, low);
            *x = kept;
            double difference = (high->value - low->value) / (2.0 * step);
            note_error(&worst, fabs(difference - crm_component(gradient[side][v], axis)) /
                                   (1.0 + crm_length(ray.alpha) * crm_length(ray.alpha)));
        }
        free(r);
        free(high);
        free(low);
    }
    CHECK(checked > 15);
    CHECK_NEAR(worst, 0.0, allowed);
    print_message("%d pairs, worst %.2g\n", checked, worst);
}

// ---- half-spaces, by hand

// The value of a half-space {n.y <= offset} and a body's corners along `d`, with its witness; the half-space is A, or B
// when `second`. `d` NULL: along the half-space's own normal.
static carom_ray_witness plane_ray(const carom_view *plane, const body *k, bool second, const carom_vec3 *d) {
    carom_vec3 n = crm_quat_rotate(plane->pose.attitude, crm_vec3(0.0, 0.0, 1.0)); // towards the free side
    double least = INFINITY;
    carom_vec3 lowest = crm_vec3_zero();
    int which = 0;
    for (int v = 0; v < k->count; v++) {
        carom_vec3 x = crm_add(k->view.pose.position, crm_quat_rotate(k->view.pose.attitude, k->vertex[v]));
        double height = crm_dot(n, crm_sub(x, plane->pose.position)) - 0.3;
        if (height < least) {
            least = height;
            lowest = x;
            which = v;
        }
    }
    carom_ray_witness ray = {.rho = (double)NAN, .ratio = (double)NAN, .beta_moves = d == NULL};
    ray.normal = second ? crm_negate(n) : n;
    ray.beta = d == NULL ? ray.normal : *d;
    double slope = crm_dot(ray.normal, ray.beta);
    ray.alpha = crm_scale(1.0 / slope, ray.normal);
    ray.value = least / slope;
    carom_touch touch = {.vertex_count = 1, .vertices = {which}, .weights = {1.0}};
    if (second) {
        ray.point_a = lowest;
        ray.point_b = crm_madd(lowest, ray.value, ray.beta);
        ray.a = touch;
    } else {
        ray.point_b = lowest;
        ray.point_a = crm_madd(lowest, -ray.value, ray.beta);
        ray.b = touch;
    }
    return ray;
}

TEST(half_space_gradients_are_differences) {
    sampler s = {.seed = 94};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space.offset = 0.3;
    carom_shape *floor = NULL;
    CHECK_INT(carom_shape_create(&def, NULL, &floor, NULL), CAROM_OK);
    double worst = 0.0;
    for (int i = 0; i < 60; i++) {
        bool second = i % 2 == 1, given = i % 3 == 0;
        body k;
        sample_body(&s, 6, false, &k);
        carom_view plane = carom_view_of(floor, (carom_pose){sample_vec3(&s, 1.0), sample_attitude(&s)});
        carom_vec3 n = crm_quat_rotate(plane.pose.attitude, crm_vec3(0.0, 0.0, second ? -1.0 : 1.0)), d;
        crm_normalise(crm_madd(n, 0.5, sample_unit(&s)), &d);
        const carom_vec3 *along = given ? &d : NULL;
        carom_ray_witness ray = plane_ray(&plane, &k, second, along);
        const carom_view *a = second ? &k.view : &plane, *b = second ? &plane : &k.view;
        carom_pose_gradient value, rho;
        carom_ray_gradient(a, b, &ray, &value, &rho);
        CHECK_NEAR(crm_length(rho.translation_a) + crm_length(rho.rotation_b), 0.0, 0.0);
        if (!given) CHECK_NEAR(imbalance(a, b, &value), 0.0, 1e-14);
        for (int w = 0; w < 12; w++) {
            carom_view *moving = (w < 6) == second ? &k.view : &plane;
            carom_pose pose = moving->pose;
            moving->pose = moved(pose, w % 6, step);
            double high = plane_ray(&plane, &k, second, along).value;
            moving->pose = moved(pose, w % 6, -step);
            double low = plane_ray(&plane, &k, second, along).value;
            moving->pose = pose;
            note_error(&worst, fabs((high - low) / (2.0 * step) - entry(&value, w < 6, w % 6)));
        }
    }
    CHECK_NEAR(worst, 0.0, 1e-8);
    print_message("worst %.2g\n", worst);
    carom_shape_destroy(floor);
}

// ---- gaps

static double distance_of(const body *a, const body *b) {
    double k1[3 * SAMPLE_VERTICES_MAX], k2[3 * SAMPLE_VERTICES_MAX];
    axes_result axes;
    place(a, k2);
    place(b, k1);
    CHECK(separating_axes_distance(b->count, k1, a->count, k2, &axes));
    return axes.distance;
}

// Apart: the nearest points of bodies with corners at random change smoothly, but for a few pairs.
TEST(gap_gradients_are_differences) {
    sampler s = {.seed = 95};
    int near = 0, count = 0;
    for (int i = 0; i < 40; i++) {
        body a, b;
        sample_body(&s, 6, false, &a);
        sample_body(&s, 8, false, &b);
        b.view.pose.position = crm_add(b.view.pose.position, crm_scale(2.5, sample_unit(&s)));
        carom_gap_witness gap;
        CHECK_INT(carom_gap_find(&a.view, &b.view, NULL, NULL, &gap, NULL), CAROM_OK);
        if (!(gap.gap > 0.05)) continue;
        CHECK_NEAR(gap.gap, distance_of(&a, &b), 1e-13);
        carom_pose_gradient g;
        carom_gap_gradient(&a.view, &b.view, &gap, &g);
        CHECK_NEAR(imbalance(&a.view, &b.view, &g), 0.0, 1e-13);
        for (int k = 0; k < 12; k++) {
            body *which = k < 6 ? &a : &b;
            carom_pose pose = which->view.pose;
            which->view.pose = moved(pose, k % 6, step);
            double high = distance_of(&a, &b);
            which->view.pose = moved(pose, k % 6, -step);
            double low = distance_of(&a, &b);
            which->view.pose = pose;
            count++;
            near += fabs((high - low) / (2.0 * step) - entry(&g, k < 6, k % 6)) < 1e-7;
        }
    }
    CHECK(count > 100);
    CHECK(near >= count - count / 50);
    print_message("%d of %d\n", near, count);
}

// ---- rays without a gradient, and coincident centres

TEST(missing_rays_have_no_gradient_and_coincident_centres_that_of_a_fixed_beta) {
    sampler s = {.seed = 96};
    body a, b;
    sample_body(&s, 8, false, &a);
    sample_body(&s, 8, false, &b);
    carom_pose_gradient value, rho;
    carom_ray_witness ray = {.outcome = CAROM_RAY_MISSES, .normal = {1, 0, 0}, .rho = (double)NAN, .beta_moves = true};
    carom_ray_gradient(&a.view, &b.view, &ray, &value, &rho);
    CHECK_NEAR(crm_length(value.translation_b) + crm_length(value.rotation_a) + crm_length(rho.translation_a), 0.0,
               0.0);
    carom_vec3 gradient[8];
    carom_ray_vertex_gradient(&a.view, &b.view, &ray, NULL, gradient);
    for (int i = 0; i < 8; i++) CHECK_NEAR(crm_length(gradient[i]), 0.0, 0.0);
    ray = (carom_ray_witness){.outcome = CAROM_RAY_NO_DIRECTION, .value = -1.0, .rho = -INFINITY, .beta_moves = false};
    ray.beta = crm_vec3(1.0, 0.0, 0.0);
    ray.alpha = crm_vec3(1.0, 0.5, 0.0);
    carom_ray_gradient(&a.view, &b.view, &ray, &value, &rho);
    CHECK_NEAR(crm_distance(value.translation_b, ray.alpha), 0.0, 0.0);
    CHECK_NEAR(crm_length(rho.translation_b), 0.0, 0.0);
}

TEST_MAIN(CASE(ray_gradients_are_differences), CASE(gradients_along_a_given_direction_are_differences),
          CASE(vertex_gradients_are_differences), CASE(half_space_gradients_are_differences),
          CASE(gap_gradients_are_differences),
          CASE(missing_rays_have_no_gradient_and_coincident_centres_that_of_a_fixed_beta))

// SPDX-License-Identifier: MIT
// Ties against stored cases, the simplex method with all its optimal solutions, closed forms and invariances.
#include <stdlib.h>
#include <string.h>

#include "distance/measure.h"
#include "math/quat.h"
#include "reference/motion/case_check.h"
#include "reference/motion/oracle.h"
#include "reference/polytope/polytope_cases.h"
#include "reference/program/ssh_program.h"
#include "support/geometry/polytopes.h"

enum { VERTICES_MAX = SSH_VERTICES_MAX };

static carom_vec3 vector(const double *v) {
    return crm_vec3(v[0], v[1], v[2]);
}

// A ray with its ties broken with its weights in full.
typedef struct tied_ray {
    carom_ray_witness ray;
    double a[VERTICES_MAX], b[VERTICES_MAX];
} tied_ray;

static carom_touch touch_of(int count, const double *weights, carom_vec3 *mean, const crm_side *side) {
    carom_touch touch = {0};
    *mean = side->centre;
    for (int i = 0; i < count; i++) {
        if (!(weights[i] > 0.0)) continue;
        touch.vertices[touch.vertex_count] = i;
        touch.weights[touch.vertex_count++] = weights[i];
        *mean = crm_madd(*mean, weights[i], crm_core_arm(side, i));
    }
    return touch;
}

// Weights as a search leaves them, rounded and from a line that passes by at a small distance.
static void disturb(sampler *s, int count, double *weights) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        if (weights[i] > 0.0) weights[i] = fmax(weights[i] + sample_between(s, -3e-15, 3e-15), 0.0);
        sum += weights[i];
    }
    for (int i = 0; i < count; i++) weights[i] /= sum;
}

// Breaks the ties of the optimum at which the simplex method stops. K1 of the program is our B, K2 our A. `beta` is a
// unit vector.
static bool tie_basis(const carom_view *a, const carom_view *b, const double *k2, const double *k1, const double *beta,
                      sampler *noise, tied_ray *out) {
    ssh_basis *basis = calloc(1, sizeof *basis);
    assert_non_null(basis);
    memset(out, 0, sizeof *out);
    carom_ray_witness *ray = &out->ray;
    crm_side side_a, side_b;
    crm_side_of(a, 0, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, 0, CRM_FROM_VIEW, &side_b);
    ssh_program_basis(side_b.vertex_count, k1, side_a.vertex_count, k2, beta, basis);
    bool optimal = basis->status == SSH_OPTIMAL;
    if (optimal) {
        if (noise != NULL) {
            disturb(noise, side_a.vertex_count, basis->dual2);
            disturb(noise, side_b.vertex_count, basis->dual1);
        }
        ray->value = basis->value;
        ray->beta = vector(beta);
        ray->alpha = vector(basis->alpha);
        crm_normalise(ray->alpha, &ray->normal);
        ray->plane_gap = ray->value / crm_length(ray->alpha);
        ray->a = touch_of(side_a.vertex_count, basis->dual2, &ray->point_a, &side_a);
        ray->b = touch_of(side_b.vertex_count, basis->dual1, &ray->point_b, &side_b);
        crm_break_ray_ties(&side_a, &side_b, ray);
        carom_ray_weights(a, b, ray, out->a, out->b);
    }
    free(basis);
    return optimal;
}

// Sums of the weights, points from them, and what else belongs together.
static void check_consistent(const char *id, const carom_view *a, const carom_view *b, const tied_ray *s, double size) {
    const carom_ray_witness *ray = &s->ray;
    for (int k = 0; k < 2; k++) {
        const carom_view *view = k == 0 ? a : b;
        const carom_touch *touch = k == 0 ? &ray->a : &ray->b;
        const double *w = k == 0 ? s->a : s->b;
        const carom_vec3 *vertex = view->shape != NULL ? carom_shape_vertices(view->shape) : view->vertices;
        int count = view->shape != NULL ? carom_shape_vertex_count(view->shape) : view->vertex_count, positive = 0;
        carom_vec3 mean = crm_vec3_zero();
        double sum = 0.0;
        for (int v = 0; v < count; v++) {
            sum += w[v];
            mean = crm_madd(mean, w[v], vertex[v]);
            if (w[v] > 0.0 && positive < CAROM_TOUCH_VERTICES) {
                CHECK_INT(touch->vertices[positive], v);
                CHECK_NEAR(touch->weights[positive], w[v], 1e-12);
            }
            positive += w[v] > 0.0;
        }
        mean = crm_add(view->pose.position, crm_quat_rotate(view->pose.attitude, mean));
        CHECK_INT(touch->vertex_count, positive);
        check_error(id, "sum of weights", fabs(sum - 1.0), 1e-12);
        check_error(id, "mean", crm_distance(mean, k == 0 ? ray->point_a : ray->point_b), 1e-11 * size);
    }
    carom_vec3 gap = crm_madd(crm_sub(ray->point_b, ray->point_a), -ray->value, ray->beta);
    check_error(id, "points on the ray", crm_length(gap), 1e-11 * size);
    check_error(id, "alpha on beta", fabs(crm_dot(ray->alpha, ray->beta) - 1.0), 1e-11 * crm_length(ray->alpha));
    CHECK_NEAR(ray->plane_gap * crm_length(ray->alpha), ray->value, 1e-13 * size * crm_length(ray->alpha));
}

typedef struct worst_errors {
    double alpha, dual, points, degenerate;
    int cases, several_alphas, several_duals;
} worst_errors;

static double weights_gap(const double *got, const double *wanted, int count) {
    double worst = 0.0;
    for (int i = 0; i < count; i++) note_error(&worst, fabs(got[i] - wanted[i]));
    return worst;
}

// K1 of the program is our B, K2 our A.
static void check_against(const char *id, const tied_ray *s, const ssh_result *r, int count_a, int count_b, double size,
                          double tolerance, worst_errors *worst) {
    const carom_ray_witness *ray = &s->ray;
    bool degenerate = !r->alpha_unique || !r->dual_unique;
    double alpha = crm_distance(ray->alpha, vector(r->alpha)) / crm_length(ray->alpha);
    double dual = fmax(weights_gap(s->a, r->dual2, count_a), weights_gap(s->b, r->dual1, count_b));
    double points =
        fmax(crm_distance(ray->point_a, vector(r->point2)), crm_distance(ray->point_b, vector(r->point1))) / size;
    worst->cases++;
    worst->several_alphas += !r->alpha_unique;
    worst->several_duals += !r->dual_unique;
    case_error(id, "alpha", alpha, tolerance, degenerate ? &worst->degenerate : &worst->alpha);
    case_error(id, "weights", dual, tolerance, degenerate ? &worst->degenerate : &worst->dual);
    case_error(id, "points", points, tolerance, degenerate ? &worst->degenerate : &worst->points);
    if (ray->alpha_unique != r->alpha_unique) check_error(id, "alpha_unique", 1.0, 0.0);
    if (ray->weights_unique != r->dual_unique) check_error(id, "weights_unique", 1.0, 0.0);
}

static void print_worst(const worst_errors *w) {
    print_message("%d cases, %d with several alphas, %d with several weights\n", w->cases, w->several_alphas,
                  w->several_duals);
    print_message("worst: alpha %.2g, weights %.2g, points %.2g, degenerate %.2g\n", w->alpha, w->dual, w->points,
                  w->degenerate);
}

// ---- stored cases

static void compare_stored(const json_t *file, const oracle_case *c, const tied_ray *s, int count_a, int count_b,
                           double size, worst_errors *worst) {
    const json_t *e = c->expected;
    bool degenerate = oracle_bool(e, "degenerate");
    double loose = oracle_tolerance(file, "degenerate_alpha_dual");
    const double alpha[3] = {s->ray.alpha.x, s->ray.alpha.y, s->ray.alpha.z};
    const double point1[3] = {s->ray.point_b.x, s->ray.point_b.y, s->ray.point_b.z};
    const double point2[3] = {s->ray.point_a.x, s->ray.point_a.y, s->ray.point_a.z};
    double dual = fmax(oracle_gap(e, "dual1", s->b, count_b), oracle_gap(e, "dual2", s->a, count_a));
    double points = fmax(oracle_gap(e, "point1", point1, 3), oracle_gap(e, "point2", point2, 3));
    worst->cases++;
    worst->several_alphas += !s->ray.alpha_unique;
    worst->several_duals += !s->ray.weights_unique;
    case_error(c->id, "alpha", oracle_gap(e, "alpha", alpha, 3), degenerate ? loose : oracle_tolerance(file, "alpha"),
               degenerate ? &worst->degenerate : &worst->alpha);
    case_error(c->id, "weights", dual, degenerate ? loose : oracle_tolerance(file, "dual"),
               degenerate ? &worst->degenerate : &worst->dual);
    case_error(c->id, "points", points, size * (degenerate ? loose : oracle_tolerance(file, "points")),
               degenerate ? &worst->degenerate : &worst->points);
    if (s->ray.alpha_unique != oracle_bool(e, "alpha_unique")) check_error(c->id, "alpha_unique", 1.0, 0.0);
    if (s->ray.weights_unique != oracle_bool(e, "dual_unique")) check_error(c->id, "weights_unique", 1.0, 0.0);
}

// From the basis of the simplex method and from the triangle of the ray.
static void check_stored(const json_t *file, const oracle_case *c, sampler *noise, worst_errors *worst) {
    if (strcmp(oracle_text(c->expected, "lp_status"), "optimal") != 0) return;
    double k1[3 * VERTICES_MAX], k2[3 * VERTICES_MAX], beta[3], size = 1.0;
    carom_vec3 vertex_a[VERTICES_MAX], vertex_b[VERTICES_MAX];
    int count_b = oracle_numbers(c->input, "K1", k1, 3 * VERTICES_MAX) / 3;
    int count_a = oracle_numbers(c->input, "K2", k2, 3 * VERTICES_MAX) / 3;
    CHECK_INT(oracle_numbers(c->input, "beta", beta, 3), 3);
    for (int i = 0; i < count_a; i++) vertex_a[i] = vector(k2 + 3 * i);
    for (int i = 0; i < count_b; i++) vertex_b[i] = vector(k1 + 3 * i);
    for (int i = 0; i < 3 * count_a; i++) size = fmax(size, fabs(k2[i]));
    for (int i = 0; i < 3 * count_b; i++) size = fmax(size, fabs(k1[i]));
    carom_view a = carom_view_of_vertices(count_a, vertex_a), b = carom_view_of_vertices(count_b, vertex_b);
    tied_ray s;
    if (CHECK(tie_basis(&a, &b, k2, k1, beta, noise, &s))) {
        check_consistent(c->id, &a, &b, &s, size);
        compare_stored(file, c, &s, count_a, count_b, size, worst);
    }
    carom_distance_options options = carom_distance_options_default();
    options.has_direction = true;
    options.direction = vector(beta);
    CHECK_INT(carom_ray_find(&a, &b, &options, NULL, &s.ray, NULL), CAROM_OK);
    if (!CHECK_INT(s.ray.outcome, CAROM_RAY_MEETS)) return;
    carom_ray_weights(&a, &b, &s.ray, s.a, s.b);
    check_consistent(c->id, &a, &b, &s, size);
    compare_stored(file, c, &s, count_a, count_b, size, worst);
}

TEST(stored_cases_agree) {
    json_t *file = oracle_open("ssh.json");
    worst_errors worst = {0};
    sampler noise = {.seed = 80};
    for (int i = 0; i < oracle_count(file); i++) {
        oracle_case c = oracle_at(file, i);
        check_stored(file, &c, i % 2 == 0 ? NULL : &noise, &worst);
    }
    CHECK(worst.several_alphas > 0 && worst.several_duals > 0);
    print_worst(&worst);
    json_decref(file);
}

// ---- symmetric pairs against the simplex method

// Solids whose corners, edges and faces are aligned: what ties are made of. All corners on a grid of quarters.
enum {
    SOLID_BOX,
    SOLID_SLAB,
    SOLID_OCTAHEDRON,
    SOLID_PYRAMID,
    SOLID_PRISM,
    SOLID_TETRAHEDRON,
    SOLID_TWINS,
    SOLID_GRID,
    SOLIDS
};

static int make_solid(int kind, carom_vec3 *v) {
    int count = 0;
    if (kind == SOLID_OCTAHEDRON) {
        for (int k = 0; k < 6; k++) v[count++] = crm_with_component(crm_vec3_zero(), k / 2, k % 2 == 0 ? 1.0 : -1.0);
    } else if (kind == SOLID_PYRAMID) {
        for (int k = 0; k < 4; k++) v[count++] = crm_vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, -0.5);
        v[count++] = crm_vec3(0.0, 0.0, 1.0);
    } else if (kind == SOLID_PRISM) {
        static const double corner[6][2] = {{1, 0}, {0.5, 1}, {-0.5, 1}, {-1, 0}, {-0.5, -1}, {0.5, -1}};
        for (int k = 0; k < 12; k++) v[count++] = crm_vec3(corner[k % 6][0], corner[k % 6][1], k < 6 ? -0.5 : 0.5);
    } else if (kind == SOLID_TETRAHEDRON) {
        static const double corner[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};
        for (int k = 0; k < 4; k++) v[count++] = vector(corner[k]);
    } else if (kind == SOLID_GRID) { // points on faces and edges that are no corners
        for (int k = 0; k < 27; k++)
            if (k != 13) v[count++] = crm_vec3(k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0);
    } else {
        double z = kind == SOLID_SLAB ? 0.25 : 1.0;
        for (int k = 0; k < 8; k++) v[count++] = crm_vec3(k & 1 ? 1.0 : -1.0, k & 2 ? 1.0 : -1.0, k & 4 ? z : -z);
        if (kind == SOLID_TWINS) // some corners are there twice, one three times
            for (int k = 0; k < 4; k++) v[count++] = v[k == 0 ? 1 : k];
    }
    return count;
}

typedef struct vertex_pair {
    int count_a, count_b;
    carom_vec3 a[VERTICES_MAX], b[VERTICES_MAX];
    double k1[3 * VERTICES_MAX], k2[3 * VERTICES_MAX]; // the same for the program
} vertex_pair;

static double quarter(sampler *s, double far) {
    return 0.25 * floor(sample_between(s, -4.0 * far, 4.0 * far + 1.0));
}

static void number_pair(vertex_pair *p) {
    for (int i = 0; i < p->count_a; i++) memcpy(p->k2 + 3 * i, &p->a[i], 3 * sizeof(double));
    for (int i = 0; i < p->count_b; i++) memcpy(p->k1 + 3 * i, &p->b[i], 3 * sizeof(double));
}

// Both solids rotated by right angles, shifted along a coarse grid; then, if asked, both rotated at random.
static void sample_symmetric(sampler *s, bool rotated, double scale, vertex_pair *p) {
    const double h = sqrt(0.5);
    const carom_quat quarters[3] = {{1, 0, 0, 0}, {h, h, 0, 0}, {h, 0, h, 0}};
    int kind_a = (int)sample_between(s, 0, SOLIDS), kind_b = (int)sample_between(s, 0, SOLIDS);
    p->count_a = make_solid(kind_a, p->a);
    p->count_b = make_solid(kind_b, p->b);
    carom_mat3 rotation = crm_quat_to_mat3(quarters[(int)sample_between(s, 0, 3)]);
    bool straight = sample_between(s, 0, 1) < 0.5;
    carom_vec3 shift = crm_vec3(straight ? 0.0 : quarter(s, 1.0), straight ? 0.0 : quarter(s, 1.0), quarter(s, 2.0));
    if (shift.z == 0.0) shift.z = 0.25;
    carom_mat3 all = crm_mat3_identity();
    carom_vec3 place = crm_vec3_zero();
    if (rotated) {
        all = crm_quat_to_mat3(sample_attitude(s));
        place = sample_vec3(s, 3.0);
    }
    for (int i = 0; i < p->count_a; i++) p->a[i] = crm_scale(scale, crm_add(place, crm_mat3_apply(all, p->a[i])));
    for (int i = 0; i < p->count_b; i++) {
        carom_vec3 v = crm_add(shift, crm_mat3_apply(rotation, p->b[i]));
        p->b[i] = crm_scale(scale, crm_add(place, crm_mat3_apply(all, v)));
    }
    number_pair(p);
}

static void check_symmetric(int cases, bool rotated, unsigned seed) {
    sampler s = {.seed = seed};
    worst_errors worst = {0};
    ssh_result *r = calloc(1, sizeof *r);
    vertex_pair *p = calloc(1, sizeof *p);
    assert_non_null(r);
    assert_non_null(p);
    for (int i = 0; i < cases; i++) {
        sample_symmetric(&s, rotated, 1.0, p);
        double beta[3], distance;
        if (!ssh_mean_direction(p->count_b, p->k1, p->count_a, p->k2, beta, &distance)) continue;
        ssh_program_solve(p->count_b, p->k1, p->count_a, p->k2, beta, r);
        carom_view a = carom_view_of_vertices(p->count_a, p->a), b = carom_view_of_vertices(p->count_b, p->b);
        tied_ray ray;
        char id[32];
        snprintf(id, sizeof id, "pair %d", i);
        if (!CHECK_INT(r->status, SSH_OPTIMAL)) continue;
        if (!CHECK(tie_basis(&a, &b, p->k2, p->k1, beta, i % 2 == 0 ? NULL : &s, &ray))) continue;
        check_consistent(id, &a, &b, &ray, 8.0);
        check_against(id, &ray, r, p->count_a, p->count_b, 4.0, 1e-10, &worst);
    }
    CHECK(worst.several_alphas > cases / 20 && worst.several_duals > cases / 4);
    print_worst(&worst);
    free(p);
    free(r);
}

TEST(aligned_pairs_agree_with_the_simplex_method) {
    check_symmetric(150, false, 81);
}

TEST(rotated_aligned_pairs_agree_with_the_simplex_method) {
    check_symmetric(150, true, 82);
}

TEST(many_aligned_pairs_agree_with_the_simplex_method) {
    check_symmetric(1500, false, 83);
    check_symmetric(1500, true, 84);
}

// The same for shapes at poses, where neighbours in the graph tell what is active.
static carom_shape *sample_shape(sampler *s) {
    carom_vec3 v[VERTICES_MAX];
    int kind = (int)sample_between(s, 0, SOLID_TWINS + 1);
    if (kind == SOLID_TWINS) return named_polytope(CAROM_POLYTOPE_PRISM, 12, 1.0, 1.0); // too many to look at them all
    return polytope_of_points(make_solid(kind, v), v);
}

static int place_vertices(const carom_view *view, double *k) {
    const carom_vec3 *vertex = carom_shape_vertices(view->shape);
    int count = carom_shape_vertex_count(view->shape);
    for (int i = 0; i < count; i++) {
        carom_vec3 v = crm_add(view->pose.position, crm_quat_rotate(view->pose.attitude, vertex[i]));
        memcpy(k + 3 * i, &v, sizeof v);
    }
    return count;
}

static void check_shapes(int cases, bool tilted, unsigned seed) {
    sampler s = {.seed = seed};
    worst_errors worst = {0};
    ssh_result *r = calloc(1, sizeof *r);
    assert_non_null(r);
    for (int i = 0; i < cases; i++) {
        carom_shape *shape_a = sample_shape(&s), *shape_b = sample_shape(&s);
        carom_quat all = sample_attitude(&s), own = tilted ? sample_attitude(&s) : (carom_quat){1, 0, 0, 0};
        carom_vec3 place = sample_vec3(&s, 3.0);
        carom_vec3 shift = crm_vec3(0.0, quarter(&s, 1.0), 0.25 + fabs(quarter(&s, 2.0)));
        if (tilted) shift = sample_vec3(&s, 1.5);
        carom_view a = carom_view_of(shape_a, (carom_pose){place, all});
        carom_view b =
            carom_view_of(shape_b, (carom_pose){crm_add(place, crm_quat_rotate(all, shift)), crm_quat_mul(all, own)});
        double k1[3 * VERTICES_MAX], k2[3 * VERTICES_MAX], beta[3], distance;
        int count_a = place_vertices(&a, k2), count_b = place_vertices(&b, k1);
        tied_ray ray;
        char id[32];
        snprintf(id, sizeof id, "shapes %d", i);
        if (ssh_mean_direction(count_b, k1, count_a, k2, beta, &distance)) {
            ssh_program_solve(count_b, k1, count_a, k2, beta, r);
            CHECK_INT(r->status, SSH_OPTIMAL);
            CHECK(tie_basis(&a, &b, k2, k1, beta, &s, &ray));
            check_consistent(id, &a, &b, &ray, 8.0);
            check_against(id, &ray, r, count_a, count_b, 4.0, 1e-10, &worst);
        }
        carom_shape_destroy(shape_a);
        carom_shape_destroy(shape_b);
    }
    if (tilted)
        CHECK_INT(worst.several_alphas, 0); // a corner on a face of four has several weights
    else
        CHECK(worst.several_alphas > cases / 50 && worst.several_duals > cases / 4);
    print_worst(&worst);
    free(r);
}

TEST(shapes_agree_with_the_simplex_method) {
    check_shapes(100, false, 85);
    check_shapes(100, true, 86);
}

// Through the public function, from whatever triangle the search stops at.
TEST(cast_rays_agree_with_the_simplex_method) {
    sampler s = {.seed = 98};
    worst_errors worst = {0};
    ssh_result *r = calloc(1, sizeof *r);
    vertex_pair *p = calloc(1, sizeof *p);
    assert_non_null(r);
    assert_non_null(p);
    for (int i = 0; i < 200; i++) {
        sample_symmetric(&s, i % 2 == 0, 1.0, p);
        double beta[3], distance;
        if (!ssh_mean_direction(p->count_b, p->k1, p->count_a, p->k2, beta, &distance)) continue;
        ssh_program_solve(p->count_b, p->k1, p->count_a, p->k2, beta, r);
        carom_view a = carom_view_of_vertices(p->count_a, p->a), b = carom_view_of_vertices(p->count_b, p->b);
        tied_ray ray;
        char id[32];
        snprintf(id, sizeof id, "cast %d", i);
        CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray.ray, NULL), CAROM_OK);
        if (!CHECK_INT(ray.ray.outcome, CAROM_RAY_MEETS)) continue;
        carom_ray_weights(&a, &b, &ray.ray, ray.a, ray.b);
        check_consistent(id, &a, &b, &ray, 8.0);
        check_against(id, &ray, r, p->count_a, p->count_b, 4.0, 1e-10, &worst);
    }
    print_worst(&worst);
    free(p);
    free(r);
}

// Pairs that are symmetric to anything between rounding and a hundredth of a millimetre per metre: whatever counts as a
// tie, the answer stays optimal to the 1e-9 that ties are told by, and no longer than the one that it came from.
TEST(near_ties_stay_optimal) {
    sampler s = {.seed = 100};
    vertex_pair *p = calloc(1, sizeof *p);
    ssh_basis *basis = calloc(1, sizeof *basis);
    assert_non_null(p);
    assert_non_null(basis);
    double worst_points = 0.0, worst_slack = 0.0;
    for (int i = 0; i < 300; i++) {
        sample_symmetric(&s, true, 1.0, p);
        double noise = pow(10.0, sample_between(&s, -16.0, -5.0)), beta[3], distance;
        for (int k = 0; k < p->count_a; k++) p->a[k] = crm_add(p->a[k], sample_vec3(&s, noise));
        for (int k = 0; k < p->count_b; k++) p->b[k] = crm_add(p->b[k], sample_vec3(&s, noise));
        number_pair(p);
        if (!ssh_mean_direction(p->count_b, p->k1, p->count_a, p->k2, beta, &distance)) continue;
        carom_view a = carom_view_of_vertices(p->count_a, p->a), b = carom_view_of_vertices(p->count_b, p->b);
        tied_ray ray;
        if (!CHECK(tie_basis(&a, &b, p->k2, p->k1, beta, NULL, &ray))) continue;
        ssh_program_basis(p->count_b, p->k1, p->count_a, p->k2, beta, basis);
        double length = crm_length(ray.ray.alpha), low = INFINITY, high = -INFINITY;
        CHECK(length <= (1.0 + 1e-9) * crm_length(vector(basis->alpha)));
        for (int k = 0; k < p->count_a; k++) high = fmax(high, crm_dot(ray.ray.alpha, p->a[k]));
        for (int k = 0; k < p->count_b; k++) low = fmin(low, crm_dot(ray.ray.alpha, p->b[k]));
        note_error(&worst_slack, fabs(low - high - ray.ray.value) / length);
        carom_vec3 gap = crm_sub(ray.ray.point_b, ray.ray.point_a);
        note_error(&worst_points, crm_length(crm_madd(gap, -ray.ray.value, ray.ray.beta)));
    }
    CHECK_NEAR(worst_points, 0.0, 1e-8); // sizes are about 2
    CHECK_NEAR(worst_slack, 0.0, 1e-8);
    print_message("worst points %.2g, slack %.2g\n", worst_points, worst_slack);
    free(basis);
    free(p);
}

// ---- large faces

// A prism of `sides` sides about z, from z = 0 upwards, without structure: first the lower, then the upper corners.
static void make_prism(int sides, double radius, double rotation, carom_vec3 place, carom_vec3 *v) {
    for (int i = 0; i < sides; i++) {
        double angle = 2.0 * acos(-1.0) * (i + rotation) / sides;
        v[i] = crm_add(place, crm_vec3(radius * cos(angle), radius * sin(angle), 0.0));
        v[sides + i] = crm_add(v[i], crm_vec3(0.0, 0.0, 1.0));
    }
}

TEST(many_sided_faces_agree_with_the_simplex_method) {
    enum { SIDES = 20 };
    worst_errors worst = {0};
    sampler s = {.seed = 87};
    ssh_result *r = calloc(1, sizeof *r);
    vertex_pair *p = calloc(1, sizeof *p);
    assert_non_null(r);
    assert_non_null(p);
    for (int i = 0; i < 6; i++) {
        p->count_a = p->count_b = 2 * SIDES;
        make_prism(SIDES, 1.0, 0.0, crm_vec3_zero(), p->a);
        make_prism(SIDES, i < 3 ? 1.0 : 0.2, 0.5 * (i % 2), crm_vec3(0.4 * i, 0.1 * i, 1.0 - 0.125 * i), p->b);
        number_pair(p);
        double beta[3], distance;
        carom_view a = carom_view_of_vertices(p->count_a, p->a), b = carom_view_of_vertices(p->count_b, p->b);
        tied_ray ray;
        CHECK(ssh_mean_direction(p->count_b, p->k1, p->count_a, p->k2, beta, &distance));
        ssh_program_solve(p->count_b, p->k1, p->count_a, p->k2, beta, r);
        CHECK_INT(r->status, SSH_OPTIMAL);
        CHECK(tie_basis(&a, &b, p->k2, p->k1, beta, &s, &ray));
        char id[32];
        snprintf(id, sizeof id, "prisms %d", i);
        check_consistent(id, &a, &b, &ray, 4.0);
        check_against(id, &ray, r, p->count_a, p->count_b, 2.0, 1e-10, &worst);
    }
    CHECK_INT(worst.several_duals, 6);
    print_worst(&worst);
    free(p);
    free(r);
}

// A thousand corners each, more than any list holds. Upright on each other: one weight for all, whatever the scale. The
// start is one corner of each, or three pairs.
TEST(thousand_sided_faces_have_even_weights) {
    enum { SIDES = 1000 };
    carom_vec3 *v = calloc(4 * SIDES, sizeof *v);
    double *w = calloc(4 * SIDES, sizeof *w);
    assert_non_null(v);
    assert_non_null(w);
    for (int k = -6; k <= 6; k += 3) {
        double unit = pow(10.0, k);
        make_prism(SIDES, 1.0, 0.0, crm_vec3_zero(), v);
        make_prism(SIDES, 0.5, 0.0, crm_vec3(0.0, 0.0, 1.25), v + 2 * SIDES);
        for (int i = 0; i < 4 * SIDES; i++) v[i] = crm_scale(unit, v[i]);
        carom_view a = carom_view_of_vertices(2 * SIDES, v), b = carom_view_of_vertices(2 * SIDES, v + 2 * SIDES);
        crm_side side_a, side_b;
        crm_side_of(&a, 0, CRM_FROM_VIEW, &side_a);
        crm_side_of(&b, 0, CRM_FROM_VIEW, &side_b);
        carom_ray_witness ray = {.value = 0.25 * unit, .beta = {0, 0, 1}, .alpha = {0, 0, 1}, .normal = {0, 0, 1}};
        ray.a = (carom_touch){.vertex_count = 2, .vertices = {SIDES, SIDES + SIDES / 2}, .weights = {0.5, 0.5}};
        ray.b = (carom_touch){.vertex_count = 2, .vertices = {0, SIDES / 2}, .weights = {0.5, 0.5}};
        crm_break_ray_ties(&side_a, &side_b, &ray);
        CHECK(ray.alpha_unique && !ray.weights_unique);
        CHECK_INT(ray.a.vertex_count, SIDES);
        CHECK_INT(ray.b.vertices[7], 7);
        CHECK_NEAR(crm_distance(ray.point_b, crm_vec3(0.0, 0.0, 1.25 * unit)), 0.0, 1e-14 * unit);
        carom_ray_weights(&a, &b, &ray, w, w + 2 * SIDES);
        for (int i = 0; i < SIDES; i++) {
            CHECK_NEAR(w[SIDES + i], 1e-3, 1e-14);
            CHECK_NEAR(w[2 * SIDES + i], 1e-3, 1e-14);
            CHECK(w[i] == 0.0 && w[3 * SIDES + i] == 0.0);
        }
    }
    free(w);
    free(v);
}

// Over a half-space the weights of a face of many corners are told as well.
TEST(many_sided_face_on_a_half_space_has_even_weights) {
    enum { SIDES = 50 };
    sampler s = {.seed = 99};
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    carom_shape *floor = NULL, *prism = named_polytope(CAROM_POLYTOPE_PRISM, SIDES, 1.0, 1.0);
    CHECK_INT(carom_shape_create(&def, NULL, &floor, NULL), CAROM_OK);
    for (int i = 0; i < 10; i++) {
        carom_quat rotation = sample_attitude(&s);
        carom_vec3 up = crm_quat_rotate(rotation, crm_vec3(0, 0, 1));
        carom_view a = carom_view_of(floor, (carom_pose){{0, 0, 0}, rotation});
        carom_view b = carom_view_of(prism, (carom_pose){crm_scale(0.75, up), rotation});
        carom_ray_witness ray;
        double w[2 * SIDES];
        CHECK_INT(carom_ray_find(&a, &b, NULL, NULL, &ray, NULL), CAROM_OK);
        CHECK_INT(ray.b.vertex_count, SIDES);
        carom_ray_weights(&a, &b, &ray, NULL, w);
        for (int v = 0; v < 2 * SIDES; v++)
            CHECK_NEAR(w[v], carom_shape_vertices(prism)[v].z < 0.0 ? 1.0 / SIDES : 0.0, 1e-15);
    }
    carom_shape_destroy(floor);
    carom_shape_destroy(prism);
}

// ---- sizes, order, bodies of different size

// The order of the vertices and the unit of length change nothing.
TEST(order_and_unit_change_nothing) {
    sampler s = {.seed = 88};
    vertex_pair *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
    assert_non_null(p);
    assert_non_null(q);
    double worst = 0.0;
    for (int i = 0; i < 100; i++) {
        sample_symmetric(&s, i % 2 == 0, 1.0, p);
        double beta[3], distance, scale = ldexp(1.0, i % 4 < 2 ? -20 : 20);
        *q = *p;
        int order_a[VERTICES_MAX], order_b[VERTICES_MAX];
        for (int k = 0; k < p->count_a; k++) order_a[k] = (7 * k + i) % p->count_a;
        for (int k = 0; k < p->count_b; k++) order_b[k] = (11 * k + i) % p->count_b;
        if (p->count_a % 7 == 0 || p->count_b % 11 == 0) continue; // no permutation
        for (int k = 0; k < p->count_a; k++) q->a[k] = crm_scale(scale, p->a[order_a[k]]);
        for (int k = 0; k < p->count_b; k++) q->b[k] = crm_scale(scale, p->b[order_b[k]]);
        number_pair(q);
        if (!ssh_mean_direction(p->count_b, p->k1, p->count_a, p->k2, beta, &distance)) continue;
        carom_view a = carom_view_of_vertices(p->count_a, p->a), b = carom_view_of_vertices(p->count_b, p->b);
        carom_view c = carom_view_of_vertices(q->count_a, q->a), d = carom_view_of_vertices(q->count_b, q->b);
        tied_ray one, two;
        CHECK(tie_basis(&a, &b, p->k2, p->k1, beta, &s, &one));
        CHECK(tie_basis(&c, &d, q->k2, q->k1, beta, &s, &two));
        CHECK(one.ray.alpha_unique == two.ray.alpha_unique && one.ray.weights_unique == two.ray.weights_unique);
        note_error(&worst, crm_distance(one.ray.alpha, two.ray.alpha));
        note_error(&worst, crm_distance(one.ray.point_a, crm_scale(1.0 / scale, two.ray.point_a)));
        for (int k = 0; k < p->count_a; k++) note_error(&worst, fabs(two.a[k] - one.a[order_a[k]]));
        for (int k = 0; k < p->count_b; k++) note_error(&worst, fabs(two.b[k] - one.b[order_b[k]]));
    }
    CHECK_NEAR(worst, 0.0, 1e-12);
    print_message("worst %.2g\n", worst);
    free(q);
    free(p);
}

// A small box on the face or the edge of one a thousand times its size, away from the middle.
TEST(small_on_large_agrees_with_the_simplex_method) {
    worst_errors worst = {0};
    sampler s = {.seed = 89};
    ssh_result *r = calloc(1, sizeof *r);
    vertex_pair *p = calloc(1, sizeof *p);
    assert_non_null(r);
    assert_non_null(p);
    for (int i = 0; i < 40; i++) {
        carom_mat3 rotation = crm_quat_to_mat3(sample_attitude(&s));
        bool on_edge = i % 2 == 1;
        p->count_a = make_solid(SOLID_BOX, p->a);
        p->count_b = make_solid(SOLID_BOX, p->b);
        const double h = sqrt(0.5);
        carom_mat3 tip = crm_quat_to_mat3((carom_quat){cos(0.3926990816987241), sin(0.3926990816987241), 0, 0});
        carom_vec3 shift = crm_vec3(0.3, on_edge ? 0.0 : -0.4, on_edge ? 2.0 * h + 0.001 : 1.001);
        for (int k = 0; k < 8; k++) {
            if (on_edge) p->a[k] = crm_mat3_apply(tip, p->a[k]);
            p->a[k] = crm_mat3_apply(rotation, p->a[k]);
            p->b[k] = crm_mat3_apply(rotation, crm_madd(shift, 1e-3, p->b[k]));
        }
        number_pair(p);
        carom_vec3 up = crm_mat3_apply(rotation, crm_vec3(0.0, 0.0, 1.0));
        const double beta[3] = {up.x, up.y, up.z}; // a line that meets the small one off its middle
        carom_view a = carom_view_of_vertices(8, p->a), b = carom_view_of_vertices(8, p->b);
        tied_ray ray;
        char id[32];
        snprintf(id, sizeof id, "small %d", i);
        ssh_program_solve(8, p->k1, 8, p->k2, beta, r);
        CHECK_INT(r->status, SSH_OPTIMAL);
        CHECK(tie_basis(&a, &b, p->k2, p->k1, beta, NULL, &ray));
        check_consistent(id, &a, &b, &ray, 3.0);
        check_against(id, &ray, r, 8, 8, 3.0, 1e-9, &worst);
    }
    print_worst(&worst);
    free(p);
    free(r);
}

TEST_MAIN(CASE(stored_cases_agree), CASE(cast_rays_agree_with_the_simplex_method),
          CASE(aligned_pairs_agree_with_the_simplex_method), CASE(rotated_aligned_pairs_agree_with_the_simplex_method),
          CASE(shapes_agree_with_the_simplex_method), CASE(near_ties_stay_optimal),
          CASE(many_sided_faces_agree_with_the_simplex_method), CASE(thousand_sided_faces_have_even_weights),
          CASE(many_sided_face_on_a_half_space_has_even_weights), CASE(order_and_unit_change_nothing),
          CASE(small_on_large_agrees_with_the_simplex_method),
          LONG_CASE(many_aligned_pairs_agree_with_the_simplex_method))

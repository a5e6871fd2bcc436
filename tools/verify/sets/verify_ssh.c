// SPDX-License-Identifier: MIT
// The supporting hyperplane of two polytopes, and their Euclidean distance. The file's K2 is our A and its K1 our B:
// its alpha points from K2 to K1, and its g is minus our value (docs/math.md 3.1).
#include <math.h>
#include <string.h>

#include "carom/distance.h"
#include "verify/sets/verify_ssh_ties.h"

typedef struct tolerances {
    double g, h, gradient, alpha, dual, points; // those of lengths are already scaled with the size of the pair
    double degenerate;                          // of alpha and duals where they are not unique
} tolerances;

// What the file gives, and what carom finds.
typedef struct ssh_case {
    crm_reference *reference;
    crm_arena *arena;
    crm_verdict *verdict;
    const json_t *input, *expected;
    int count1, count2;
    const carom_vec3 *k1, *k2;
    carom_view a, b;
    double size; // largest coordinate, at least 1 m
    tolerances tolerance;
    bool has_beta; // some beta was given that does not follow from the means
    carom_vec3 beta;
} ssh_case;

static double largest_coordinate(int count, const carom_vec3 *points) {
    double size = 0.0;
    for (int i = 0; i < count; i++) size = fmax(size, crm_max_component(crm_vec3_abs(points[i])));
    return size;
}

static carom_vec3 mean(int count, const carom_vec3 *points) {
    carom_vec3 sum = crm_vec3_zero();
    for (int i = 0; i < count; i++) sum = crm_add(sum, points[i]);
    return crm_scale(1.0 / count, sum);
}

// The smallest of <d, x> over the points.
static double least_along(int count, const carom_vec3 *points, carom_vec3 d) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = fmin(least, crm_dot(d, points[i]));
    return least;
}

static bool read_case(ssh_case *c, const json_t *tolerance) {
    crm_reference *r = c->reference;
    c->k1 = crm_reference_points(r, c->input, "input", "K1", c->arena, &c->count1);
    c->k2 = crm_reference_points(r, c->input, "input", "K2", c->arena, &c->count2);
    c->size = fmax(1.0, fmax(largest_coordinate(c->count1, c->k1), largest_coordinate(c->count2, c->k2)));
    c->tolerance = (tolerances){
        .g = c->size * crm_reference_positive(r, tolerance, "tolerance", "g"),
        .h = c->size * crm_reference_positive(r, tolerance, "tolerance", "h"),
        .gradient = crm_reference_positive(r, tolerance, "tolerance", "gradient"),
        .alpha = crm_reference_positive(r, tolerance, "tolerance", "alpha"),
        .dual = crm_reference_positive(r, tolerance, "tolerance", "dual"),
        .points = c->size * crm_reference_positive(r, tolerance, "tolerance", "points"),
        .degenerate = crm_reference_positive(r, tolerance, "tolerance", "degenerate_alpha_dual"),
    };
    static const char *const given[] = {"given_beta", "unbounded", "wrong_way_beta"};
    const char *situation = crm_reference_text(r, c->input, "input", "situation");
    for (size_t i = 0; i < sizeof given / sizeof given[0]; i++) c->has_beta |= strcmp(situation, given[i]) == 0;
    if (c->has_beta || crm_reference_has(c->input, "beta")) c->beta = crm_reference_vec3(r, c->input, "input", "beta");
    c->a = carom_view_of_vertices(c->count2, c->k2);
    c->b = carom_view_of_vertices(c->count1, c->k1);
    return r->status == CAROM_OK;
}

// ---- the Euclidean distance

static void check_gap(ssh_case *c) {
    carom_gap_witness gap;
    carom_error error;
    double h = crm_reference_number(c->reference, c->expected, "expected", "h");
    if (carom_gap_find(&c->a, &c->b, NULL, NULL, &gap, &error) != CAROM_OK) {
        crm_check_obstacle(c->verdict, c->tolerance.h, "h", error.text);
        return;
    }
    crm_check_error(c->verdict, fabs(gap.gap - h), c->tolerance.h, "h");
    // The normal proves it: the gap between the supporting planes.
    double planes = least_along(c->count1, c->k1, gap.normal) + least_along(c->count2, c->k2, crm_negate(gap.normal));
    crm_check_error(c->verdict, fabs(planes - h), c->tolerance.h, "h along its normal");
    crm_check_vec3(c->verdict, c->tolerance.points, "points of h", crm_sub(gap.point_b, gap.point_a),
                   crm_scale(h, gap.normal));
}

// ---- the program

static bool is_listed(const double *list, int count, int vertex) {
    for (int i = 0; i < count; i++)
        if (list[i] == vertex) return true;
    return false;
}

// The vertices on the plane <d, x> = offset. The file lists those that every optimal alpha has there; where there are
// several, ours, the shortest, may have more. A vertex with a weight is always among them.
static void check_active(ssh_case *c, const char *key, int count, const carom_vec3 *points, carom_vec3 d,
                         const double *weights, bool alpha_unique, double tolerance) {
    int listed;
    const double *list = crm_reference_numbers(c->reference, c->expected, "expected", key, c->arena, &listed);
    double least = least_along(count, points, d);
    for (int i = 0; i < count && c->reference->status == CAROM_OK; i++) {
        // An error of alpha moves the plane by as much as its vertices are far.
        bool touches = crm_dot(d, points[i]) - least <= c->size * tolerance, wanted = is_listed(list, listed, i);
        if (touches == wanted || (touches && !alpha_unique && weights[i] <= tolerance)) continue;
        crm_check_obstacle(c->verdict, tolerance, key,
                           wanted ? "a vertex that should be active is not" : "a vertex is active that should not be");
    }
}

static void check_weights(ssh_case *c, const char *key, int count, const double *got, double tolerance) {
    int listed;
    const double *wanted = crm_reference_numbers(c->reference, c->expected, "expected", key, c->arena, &listed);
    if (c->reference->status != CAROM_OK) return;
    if (listed != count) {
        crm_reference_fail(c->reference, "expected.%s has %d entries for %d vertices", key, listed, count);
        return;
    }
    double error = 0.0;
    for (int i = 0; i < count; i++) error = isnan(got[i]) ? INFINITY : fmax(error, fabs(got[i] - wanted[i]));
    crm_check_error(c->verdict, error, tolerance, "%s", key);
}

// The file rotates bodies about the means of their vertices, carom about the origin of their frame, here that of the
// world: rotating about m is rotating about the origin and moving by -(theta x m).
static carom_vec3 about_mean(carom_vec3 by_rotation, carom_vec3 by_shift, int count, const carom_vec3 *points) {
    return crm_sub(by_rotation, crm_cross(mean(count, points), by_shift));
}

// The file has derivatives of g = -value.
static void check_derivative(ssh_case *c, const json_t *gradient, const char *key, carom_vec3 got) {
    carom_vec3 wanted = crm_reference_vec3(c->reference, gradient, "expected.gradient", key);
    crm_check_vec3(c->verdict, c->tolerance.gradient, key, crm_negate(got), wanted);
}

static void check_gradient(ssh_case *c, const carom_ray_witness *ray) {
    const json_t *gradient = crm_reference_object(c->reference, c->expected, "expected", "gradient");
    carom_pose_gradient by;
    carom_ray_gradient(&c->a, &c->b, ray, &by, NULL);
    if (ray->beta_moves) {
        check_derivative(c, gradient, "dg_dx1", by.translation_b);
        check_derivative(c, gradient, "dg_dx2", by.translation_a);
    }
    check_derivative(c, gradient, "dg_dtheta1", about_mean(by.rotation_b, by.translation_b, c->count1, c->k1));
    check_derivative(c, gradient, "dg_dtheta2", about_mean(by.rotation_a, by.translation_a, c->count2, c->k2));
    // The same with beta held.
    carom_distance_options options = carom_distance_options_default();
    options.has_direction = true;
    options.direction = c->beta;
    carom_ray_witness held;
    carom_error error;
    if (carom_ray_find(&c->a, &c->b, &options, NULL, &held, &error) != CAROM_OK) {
        crm_check_obstacle(c->verdict, c->tolerance.gradient, "dg_dx1_fixed_beta", error.text);
        return;
    }
    carom_ray_gradient(&c->a, &c->b, &held, &by, NULL);
    check_derivative(c, gradient, "dg_dx1_fixed_beta", by.translation_b);
    check_derivative(c, gradient, "dg_dx2_fixed_beta", by.translation_a);
}

static void check_optimum(ssh_case *c, const carom_ray_witness *ray) {
    crm_reference *r = c->reference;
    const json_t *e = c->expected;
    bool alpha_unique = crm_reference_bool(r, e, "expected", "alpha_unique");
    bool dual_unique = crm_reference_bool(r, e, "expected", "dual_unique");
    double degenerate = alpha_unique && dual_unique ? 0.0 : c->tolerance.degenerate;
    double alpha = fmax(c->tolerance.alpha, degenerate), dual = fmax(c->tolerance.dual, degenerate);
    double points = fmax(c->tolerance.points, c->size * degenerate);
    double *weights1 = CRM_ARENA_ARRAY(c->arena, double, c->count1);
    double *weights2 = CRM_ARENA_ARRAY(c->arena, double, c->count2);
    if (weights1 == NULL || weights2 == NULL)
        crm_reference_refuse_memory(r, "weights", (size_t)(c->count1 + c->count2) * sizeof *weights1);
    if (r->status != CAROM_OK) return;
    carom_ray_weights(&c->a, &c->b, ray, weights2, weights1);

    crm_check_error(c->verdict, fabs(-ray->value - crm_reference_number(r, e, "expected", "g")), c->tolerance.g, "g");
    crm_check_vec3(c->verdict, c->tolerance.alpha, "beta", ray->beta, c->beta);
    crm_check_flag(c->verdict, "alpha_unique", ray->alpha_unique, alpha_unique);
    crm_check_flag(c->verdict, "dual_unique", ray->weights_unique, dual_unique);
    crm_check_vec3(c->verdict, alpha, "alpha", ray->alpha, crm_reference_vec3(r, e, "expected", "alpha"));
    double a1 = least_along(c->count1, c->k1, ray->alpha), a2 = -least_along(c->count2, c->k2, crm_negate(ray->alpha));
    crm_check_error(c->verdict, fabs(a1 - crm_reference_number(r, e, "expected", "a1")), points, "a1");
    crm_check_error(c->verdict, fabs(a2 - crm_reference_number(r, e, "expected", "a2")), points, "a2");
    check_weights(c, "dual1", c->count1, weights1, dual);
    check_weights(c, "dual2", c->count2, weights2, dual);
    crm_check_vec3(c->verdict, points, "point1", ray->point_b, crm_reference_vec3(r, e, "expected", "point1"));
    crm_check_vec3(c->verdict, points, "point2", ray->point_a, crm_reference_vec3(r, e, "expected", "point2"));
    check_active(c, "active1", c->count1, c->k1, ray->alpha, weights1, alpha_unique, alpha);
    check_active(c, "active2", c->count2, c->k2, crm_negate(ray->alpha), weights2, alpha_unique, alpha);
    if (crm_reference_has(e, "gradient")) check_gradient(c, ray);
    if (crm_reference_has(e, "degenerate"))
        crm_check_flag(c->verdict, "degenerate", !(ray->alpha_unique && ray->weights_unique),
                       crm_reference_bool(r, e, "expected", "degenerate"));
    crm_ssh_ties ties = {r,     c->arena,  c->verdict, e,        c->count1, c->count2, c->k1,
                         c->k2, ray->beta, ray,        weights1, weights2,  c->size,   c->tolerance.degenerate};
    crm_verify_ssh_ties(&ties);
}

static void check_ray(ssh_case *c) {
    static const struct {
        const char *name;
        carom_ray_outcome outcome;
    } outcomes[] = {
        {"optimal", CAROM_RAY_MEETS}, {"unbounded", CAROM_RAY_MISSES}, {"beta_undefined", CAROM_RAY_NO_DIRECTION}};
    const char *status = crm_reference_text(c->reference, c->expected, "expected", "lp_status");
    carom_distance_options options = carom_distance_options_default();
    options.has_direction = c->has_beta;
    options.direction = c->beta;
    carom_ray_witness ray;
    carom_error error;
    if (carom_ray_find(&c->a, &c->b, &options, NULL, &ray, &error) != CAROM_OK) {
        crm_check_obstacle(c->verdict, c->tolerance.g, "lp_status", error.text);
        return;
    }
    for (size_t i = 0; i < sizeof outcomes / sizeof outcomes[0]; i++)
        if (ray.outcome == outcomes[i].outcome && strcmp(status, outcomes[i].name) != 0) {
            crm_check_obstacle(c->verdict, c->tolerance.g, "lp_status", outcomes[i].name);
            return;
        }
    if (ray.outcome == CAROM_RAY_MEETS) check_optimum(c, &ray);
    // A ray that misses proves the bodies apart by its normal.
    if (ray.outcome == CAROM_RAY_MISSES &&
        !(least_along(c->count1, c->k1, ray.normal) + least_along(c->count2, c->k2, crm_negate(ray.normal)) > 0.0))
        crm_check_obstacle(c->verdict, c->tolerance.g, "lp_status", "the normal does not separate");
}

void crm_verify_ssh(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    ssh_case c = {
        .reference = reference, .arena = &arena, .verdict = verdict, .input = what->input, .expected = what->expected};
    if (read_case(&c, what->tolerance)) {
        check_gap(&c);
        check_ray(&c);
    }
    crm_arena_free(&arena);
}

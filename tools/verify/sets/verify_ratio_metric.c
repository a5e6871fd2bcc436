// SPDX-License-Identifier: MIT
// The growth ratio of two polytopes that are given by half-spaces, about the origins of their frames. The file's body 2
// is our A and its body 1 our B, as with the supporting hyperplane.
#include <math.h>
#include <stdio.h>

#include "carom/distance.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "verify/checker.h"

typedef struct ratio_body {
    const char *number; // "1" or "2": the ending of its fields
    int count;          // of half-spaces
    const carom_half_space *half_space;
    carom_shape *shape;
    carom_view view;
    carom_mat3 rotation;
} ratio_body;

typedef struct ratio_case {
    crm_reference *reference;
    crm_arena *arena;
    crm_verdict *verdict;
    const json_t *expected, *tolerance;
    ratio_body body1, body2;
    carom_ray_witness ray;
    carom_gap_witness gap;
} ratio_case;

enum { KEY_SIZE = 32 };

static const char *key_of(const ratio_body *body, const char *stem, char key[KEY_SIZE]) {
    snprintf(key, KEY_SIZE, "%s%s", stem, body->number);
    return key;
}

static void read_body(ratio_case *c, const json_t *input, const carom_allocator *allocator, ratio_body *body) {
    crm_reference *r = c->reference;
    char key[KEY_SIZE];
    int rows, offsets;
    const carom_vec3 *normal = crm_reference_points(r, input, "input", key_of(body, "A", key), c->arena, &rows);
    const double *offset = crm_reference_numbers(r, input, "input", key_of(body, "b", key), c->arena, &offsets);
    carom_pose pose = {crm_reference_vec3(r, input, "input", key_of(body, "x", key)),
                       crm_reference_quat(r, input, "input", key_of(body, "q", key))};
    if (rows != offsets)
        crm_reference_fail(r, "input.A%s has %d rows, input.b%s %d entries", body->number, rows, body->number, offsets);
    carom_half_space *list = CRM_ARENA_ARRAY(c->arena, carom_half_space, rows);
    if (list == NULL) crm_reference_refuse_memory(r, "half-spaces", (size_t)rows * sizeof *list);
    if (r->status != CAROM_OK) return;
    for (int i = 0; i < rows; i++) list[i] = (carom_half_space){normal[i], offset[i]};
    body->count = rows;
    body->half_space = list;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_HALF_SPACES;
    def.polytope.half_space_count = rows;
    def.polytope.half_spaces = list;
    carom_error error;
    if (carom_shape_create(&def, allocator, &body->shape, &error) != CAROM_OK) crm_reference_refuse(r, &error);
    body->view = carom_view_of(body->shape, pose);
    body->view.has_centre = true; // the origin
    body->rotation = crm_quat_to_mat3(pose.attitude);
}

// Relative to the value, or to 1 where that is larger, as the file asks.
static double tolerance_of(ratio_case *c, const char *key, double value) {
    return crm_reference_positive(c->reference, c->tolerance, "tolerance", key) * fmax(1.0, fabs(value));
}

static double expected_number(ratio_case *c, const char *key) {
    return crm_reference_number(c->reference, c->expected, "expected", key);
}

static double size_of(carom_vec3 v) {
    return crm_max_component(crm_vec3_abs(v));
}

// ---- numbers that every case has

static void check_distance(ratio_case *c) {
    double s = expected_number(c, "s"), distance = expected_number(c, "D"), tolerance = tolerance_of(c, "s", s);
    bool overlapping = crm_reference_bool(c->reference, c->expected, "expected", "overlapping");
    // Below the tolerance the sign is rounding.
    double got = s > tolerance ? c->gap.gap : fabs(c->gap.gap), wanted = s > tolerance && overlapping ? -s : s;
    crm_check_error(c->verdict, fabs(got - wanted), tolerance, "s");
    crm_check_error(c->verdict, fabs(c->ray.centre_distance - distance), tolerance_of(c, "s", distance), "D");
    if (!crm_reference_has(c->expected, "bound")) return;
    double bound = expected_number(c, "bound");
    crm_check_error(c->verdict, fabs(copysign(c->gap.gap, bound) / c->ray.centre_distance - bound),
                    tolerance_of(c, "s", bound), "bound");
    // Apart bound <= rho, overlapping rho <= bound: |bound| <= |rho| in either case.
    double excess = fabs(c->gap.gap) / c->ray.centre_distance - fabs(c->ray.rho);
    crm_check_error(c->verdict, fmax(0.0, excess), tolerance_of(c, "rho", bound), "bound beyond rho");
}

static void check_ratio(ratio_case *c) {
    double r = expected_number(c, "r");
    crm_check_error(c->verdict, fabs(c->ray.ratio - r), tolerance_of(c, "r", r), "r");
    if (crm_reference_has(c->expected, "rho")) {
        double rho = expected_number(c, "rho");
        crm_check_error(c->verdict, fabs(c->ray.rho - rho), tolerance_of(c, "rho", rho), "rho");
    } else if (c->ray.outcome != CAROM_RAY_NO_DIRECTION || c->ray.rho != -INFINITY) {
        crm_check_obstacle(c->verdict, 1.0, "rho", "is finite for coincident centres");
    }
}

// ---- what only regular cases have

// The facets on which the ray's point lies, found in the file's half-spaces; and the feature that carom names must lie
// in just those.
static void check_active(ratio_case *c, const ratio_body *body, carom_vec3 point, const carom_touch *touch) {
    char key[KEY_SIZE];
    int listed;
    const double *list =
        crm_reference_numbers(c->reference, c->expected, "expected", key_of(body, "active", key), c->arena, &listed);
    carom_vec3 y = crm_mat3_apply_t(body->rotation, crm_sub(point, body->view.pose.position));
    double near = tolerance_of(c, "witness", size_of(y));
    int found = 0, number = -1;
    const int *facet_of = carom_shape_input_map(body->shape, NULL);
    carom_feature_kind feature = carom_touch_feature(body->shape, touch, &number);
    for (int i = 0; i < listed && c->reference->status == CAROM_OK; i++) {
        int row = (int)list[i];
        if (!(row >= 0 && row < body->count)) {
            crm_reference_fail(c->reference, "expected.%s[%d] is %g, and there are %d facets", key, i, list[i],
                               body->count);
            return;
        }
        carom_facet facet = {.vertex_count = 0};
        carom_edge edge = {.facets = {-1, -1}};
        bool on_it = false;
        if (feature == CAROM_FEATURE_KIND_FACET) on_it = facet_of[row] == number;
        if (feature == CAROM_FEATURE_KIND_EDGE && carom_shape_get_edge(body->shape, number, &edge, NULL) == CAROM_OK)
            on_it = edge.facets[0] == facet_of[row] || edge.facets[1] == facet_of[row];
        if (feature == CAROM_FEATURE_KIND_VERTEX &&
            carom_shape_get_facet(body->shape, facet_of[row], &facet, NULL) == CAROM_OK)
            for (int v = 0; v < facet.vertex_count; v++) on_it |= facet.vertices[v] == number;
        if (!on_it) crm_check_obstacle(c->verdict, 1.0, key, "the feature lies in another facet");
    }
    for (int i = 0; i < body->count; i++) {
        carom_half_space h = body->half_space[i];
        if (!(h.offset - crm_dot(h.normal, y) <= near * crm_length(h.normal))) continue;
        found++;
        bool wanted = false;
        for (int j = 0; j < listed; j++) wanted |= list[j] == i;
        if (!wanted) crm_check_obstacle(c->verdict, near, key, "a facet is active that should not be");
    }
    if (found != listed) crm_check_obstacle(c->verdict, near, key, "a facet that should be active is not");
}

// The multipliers make of body 1's active normals the common normal -alpha r / D, and of body 2's the opposite.
static void check_multipliers(ratio_case *c, const ratio_body *body, double sign) {
    char key[KEY_SIZE];
    int active_count, count;
    const double *active = crm_reference_numbers(c->reference, c->expected, "expected", key_of(body, "active", key),
                                                 c->arena, &active_count);
    const double *multiplier = crm_reference_numbers(c->reference, c->expected, "expected",
                                                     key_of(body, "multipliers", key), c->arena, &count);
    if (c->reference->status != CAROM_OK) return;
    if (count != active_count) {
        crm_reference_fail(c->reference, "expected.%s has %d entries for %d facets", key, count, active_count);
        return;
    }
    carom_vec3 wanted = crm_vec3_zero();
    for (int i = 0; i < count; i++) wanted = crm_madd(wanted, multiplier[i], body->half_space[(int)active[i]].normal);
    wanted = crm_mat3_apply(body->rotation, wanted);
    carom_vec3 got = crm_scale(sign * c->ray.ratio / c->ray.centre_distance, c->ray.alpha);
    crm_check_vec3(c->verdict, tolerance_of(c, "gradient", size_of(wanted)), key, got, wanted);
}

static void check_derivative(ratio_case *c, const char *key, carom_vec3 by_rho) {
    carom_vec3 wanted = crm_reference_vec3(c->reference, c->expected, "expected", key);
    double r = c->ray.ratio; // d r = r^2 d rho
    crm_check_vec3(c->verdict, tolerance_of(c, "gradient", size_of(wanted)), key, crm_scale(r * r, by_rho), wanted);
}

static void check_regular(ratio_case *c) {
    const carom_ray_witness *ray = &c->ray;
    carom_vec3 x1 = c->body1.view.pose.position, x2 = c->body2.view.pose.position;
    carom_vec3 wanted = crm_reference_vec3(c->reference, c->expected, "expected", "witness");
    double tolerance = tolerance_of(c, "witness", size_of(wanted));
    // Where both bodies meet once they have grown: each of the ray's points has moved away from its centre.
    crm_check_vec3(c->verdict, tolerance, "witness of 1", crm_madd(x1, ray->ratio, crm_sub(ray->point_b, x1)), wanted);
    crm_check_vec3(c->verdict, tolerance, "witness of 2", crm_madd(x2, ray->ratio, crm_sub(ray->point_a, x2)), wanted);
    check_active(c, &c->body1, ray->point_b, &ray->b);
    check_active(c, &c->body2, ray->point_a, &ray->a);
    check_multipliers(c, &c->body1, -1.0);
    check_multipliers(c, &c->body2, 1.0);
    carom_pose_gradient value, rho;
    carom_ray_gradient(&c->body2.view, &c->body1.view, ray, &value, &rho);
    check_derivative(c, "dr_dx1", rho.translation_b);
    check_derivative(c, "dr_dx2", rho.translation_a);
    check_derivative(c, "dr_dtheta1", rho.rotation_b);
    check_derivative(c, "dr_dtheta2", rho.rotation_a);
}

static void check_case(ratio_case *c) {
    carom_error error;
    const carom_view *a = &c->body2.view, *b = &c->body1.view;
    if (carom_ray_find(a, b, NULL, NULL, &c->ray, &error) != CAROM_OK ||
        carom_gap_find(a, b, NULL, NULL, &c->gap, &error) != CAROM_OK) {
        crm_check_obstacle(c->verdict, 1.0, "r", error.text);
        return;
    }
    check_ratio(c);
    check_distance(c);
    if (!crm_reference_bool(c->reference, c->expected, "expected", "degenerate")) check_regular(c);
}

void crm_verify_ratio_metric(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    ratio_case c = {.reference = reference,
                    .arena = &arena,
                    .verdict = verdict,
                    .expected = what->expected,
                    .tolerance = what->tolerance,
                    .body1 = {.number = "1"},
                    .body2 = {.number = "2"}};
    read_body(&c, what->input, what->allocator, &c.body1);
    read_body(&c, what->input, what->allocator, &c.body2);
    if (reference->status == CAROM_OK) check_case(&c);
    carom_shape_destroy(c.body1.shape);
    carom_shape_destroy(c.body2.shape);
    crm_arena_free(&arena);
}

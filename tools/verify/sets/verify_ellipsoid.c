// SPDX-License-Identifier: MIT
// Gaps of ellipsoids: to each other, over a plane, and inside a sphere (docs/math.md 4).
#include <math.h>
#include <string.h>

#include "carom/distance.h"
#include "math/quat.h"
#include "verify/checker.h"

// Two shapes made for one case. In the file's terms: body 1 is A; the plane is A and the ellipsoid B; the ellipsoid is
// A and the sphere around it B.
typedef struct ellipsoid_case {
    crm_reference *reference;
    crm_verdict *verdict;
    const json_t *input, *expected;
    carom_shape *shape_a, *shape_b;
    carom_view a, b;
    double size;                     // largest half-axis, radius or centre distance, at least 1 m
    double distance, points, normal; // tolerances
} ellipsoid_case;

static carom_shape *make(ellipsoid_case *c, const carom_shape_def *def, const carom_allocator *allocator) {
    carom_shape *shape = NULL;
    carom_error error;
    if (c->reference->status == CAROM_OK && carom_shape_create(def, allocator, &shape, &error) != CAROM_OK)
        crm_reference_refuse(c->reference, &error);
    return shape;
}

// The ellipsoid whose centre, half-axes and attitude have these keys.
static carom_shape *read_ellipsoid(ellipsoid_case *c, const char *centre, const char *axes, const char *attitude,
                                   const carom_allocator *allocator, carom_view *view) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    def.ellipsoid.half_axes = crm_reference_vec3(c->reference, c->input, "input", axes);
    carom_pose pose = {crm_reference_vec3(c->reference, c->input, "input", centre),
                       crm_reference_quat(c->reference, c->input, "input", attitude)};
    carom_shape *shape = make(c, &def, allocator);
    *view = carom_view_of(shape, pose);
    c->size = fmax(c->size, crm_max_component(def.ellipsoid.half_axes));
    return shape;
}

// The tolerances, once the size is known.
static void read_tolerances(ellipsoid_case *c, const json_t *tolerance) {
    c->distance = c->size * crm_reference_positive(c->reference, tolerance, "tolerance", "distance");
    c->points = c->size * crm_reference_positive(c->reference, tolerance, "tolerance", "points");
    c->normal = crm_reference_positive(c->reference, tolerance, "tolerance", "normal");
}

static double expected_number(ellipsoid_case *c, const char *key) {
    return crm_reference_number(c->reference, c->expected, "expected", key);
}

static void check_vec3(ellipsoid_case *c, const char *key, double tolerance, carom_vec3 got) {
    crm_check_vec3(c->verdict, tolerance, key, got, crm_reference_vec3(c->reference, c->expected, "expected", key));
}

static bool find_gap(ellipsoid_case *c, carom_gap_witness *gap) {
    carom_error error;
    if (c->reference->status != CAROM_OK) return false;
    if (carom_gap_find(&c->a, &c->b, NULL, NULL, gap, &error) != CAROM_OK) {
        crm_check_obstacle(c->verdict, c->distance, "distance", error.text);
        return false;
    }
    crm_check_error(c->verdict, fabs(gap->gap - expected_number(c, "distance")), c->distance, "distance");
    return true;
}

static void end(ellipsoid_case *c) {
    carom_shape_destroy(c->shape_a);
    carom_shape_destroy(c->shape_b);
}

// ---- two ellipsoids

// What rounding of the data does to normal and points: relative to the size, times the sensitivity that the file has.
static const double rounding = 1e-14;

void crm_verify_ellipsoid_ellipsoid(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    ellipsoid_case c = {reference, verdict, what->input, what->expected, .size = 1.0};
    c.shape_a = read_ellipsoid(&c, "c1", "a1", "q1", what->allocator, &c.a);
    c.shape_b = read_ellipsoid(&c, "c2", "a2", "q2", what->allocator, &c.b);
    c.size = fmax(c.size, crm_distance(c.a.pose.position, c.b.pose.position));
    read_tolerances(&c, what->tolerance);
    carom_gap_witness gap;
    if (find_gap(&c, &gap)) {
        bool unique = crm_reference_bool(reference, c.expected, "expected", "normal_unique");
        crm_check_flag(verdict, "normal_unique", gap.normal_unique, unique);
        if (unique) {
            double lost = rounding * c.size;
            double points = fmax(c.points, lost * expected_number(&c, "point_sensitivity"));
            check_vec3(&c, "normal", fmax(c.normal, lost * expected_number(&c, "normal_sensitivity")), gap.normal);
            check_vec3(&c, "point1", points, gap.point_a);
            check_vec3(&c, "point2", points, gap.point_b);
        }
    }
    end(&c);
}

// ---- over a plane

void crm_verify_ellipsoid_plane(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    ellipsoid_case c = {reference, verdict, what->input, what->expected, .size = 1.0};
    carom_shape_def plane = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    plane.half_space.normal = crm_reference_vec3(reference, c.input, "input", "plane_normal");
    plane.half_space.offset = crm_reference_number(reference, c.input, "input", "plane_offset");
    c.shape_a = make(&c, &plane, what->allocator);
    c.a = carom_view_of(c.shape_a, (carom_pose){.attitude = crm_quat_identity()});
    c.shape_b = read_ellipsoid(&c, "c", "a", "q", what->allocator, &c.b);
    c.size = fmax(c.size, fabs(crm_dot(plane.half_space.normal, c.b.pose.position) - plane.half_space.offset));
    read_tolerances(&c, what->tolerance);
    carom_gap_witness gap;
    if (find_gap(&c, &gap)) {
        crm_check_vec3(verdict, c.normal, "plane_normal", gap.normal, plane.half_space.normal);
        check_vec3(&c, "point", c.points, gap.point_b);
        check_vec3(&c, "plane_point", c.points, gap.point_a);
    }
    end(&c);
}

// ---- inside a sphere

// The farthest point y of an ellipsoid from d, both in its axes: y - d + multiplier y / a^2 = 0. How far from zero, as
// a length.
static double stationarity(carom_vec3 y, carom_vec3 d, carom_vec3 a, double multiplier) {
    carom_vec3 pull = crm_vec3(y.x / (a.x * a.x), y.y / (a.y * a.y), y.z / (a.z * a.z));
    return crm_length(crm_madd(crm_sub(y, d), multiplier, pull));
}

static void check_farthest(ellipsoid_case *c, const carom_gap_witness *gap, carom_vec3 centre, double radius) {
    bool unique = strcmp(crm_reference_text(c->reference, c->expected, "expected", "family"), "unique") == 0;
    crm_check_error(c->verdict, fabs(radius - gap->gap - expected_number(c, "farthest")), c->distance, "farthest");
    crm_check_flag(c->verdict, "unique", gap->normal_unique, unique);
    if (crm_reference_has(c->expected, "unique"))
        crm_check_flag(c->verdict, "unique", gap->normal_unique,
                       crm_reference_bool(c->reference, c->expected, "expected", "unique"));
    if (gap->normal_unique != unique) return; // nothing else compares
    carom_shape_def def;
    carom_shape_get_def(c->shape_a, &def);
    carom_vec3 a = def.ellipsoid.half_axes;
    carom_vec3 y = crm_quat_rotate_inverse(c->a.pose.attitude, crm_sub(gap->point_a, c->a.pose.position));
    carom_vec3 d = crm_quat_rotate_inverse(c->a.pose.attitude, crm_sub(centre, c->a.pose.position));
    if (unique) {
        check_vec3(c, "point", c->points, gap->point_a);
        check_vec3(c, "outward_normal", c->normal, gap->normal);
        check_vec3(c, "sphere_point", c->points, gap->point_b);
        // An error of the point counts |multiplier| / a^2 times.
        double least = fmin(a.x, fmin(a.y, a.z)), multiplier = expected_number(c, "multiplier");
        crm_check_error(c->verdict, stationarity(y, d, a, multiplier),
                        c->points * fmax(1.0, fabs(multiplier) / (least * least)), "multiplier");
    } else {
        // Any of the farthest points is right: on the ellipsoid, and as far from the centre as the file's.
        carom_vec3 one = crm_reference_vec3(c->reference, c->expected, "expected", "one_point");
        crm_check_error(c->verdict, fabs(crm_distance(gap->point_a, centre) - crm_distance(one, centre)), c->points,
                        "one_point");
        crm_check_error(c->verdict, fabs(crm_length(crm_vec3(y.x / a.x, y.y / a.y, y.z / a.z)) - 1.0), c->normal,
                        "one_point on the ellipsoid");
    }
}

void crm_verify_ellipsoid_in_sphere(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    ellipsoid_case c = {reference, verdict, what->input, what->expected, .size = 1.0};
    c.shape_a = read_ellipsoid(&c, "c", "a", "q", what->allocator, &c.a);
    carom_shape_def around = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
    around.container.radius = crm_reference_positive(reference, c.input, "input", "sphere_radius");
    carom_vec3 centre = crm_reference_vec3(reference, c.input, "input", "sphere_centre");
    c.shape_b = make(&c, &around, what->allocator);
    c.b = carom_view_of(c.shape_b, (carom_pose){centre, crm_quat_identity()});
    c.size = fmax(c.size, fmax(around.container.radius, crm_distance(centre, c.a.pose.position)));
    read_tolerances(&c, what->tolerance);
    carom_gap_witness gap;
    if (find_gap(&c, &gap)) check_farthest(&c, &gap, centre, around.container.radius);
    end(&c);
}

// SPDX-License-Identifier: MIT
// The measures of a pair as a table for people.
#include <math.h>
#include <stdio.h>

#include "base/text.h"
#include "pair/distance_report.h"

enum { SHOWN_VECTOR = 64 };

static double largest(carom_vec3 v) {
    return fmax(fabs(v.x), fmax(fabs(v.y), fabs(v.z)));
}

// Rounding must not look like information: components up to `nothing` are shown as zero.
static const char *vector_above(double nothing, carom_vec3 v, char shown[SHOWN_VECTOR]) {
    double c[3] = {v.x, v.y, v.z};
    for (int i = 0; i < 3; i++)
        if (fabs(c[i]) <= nothing) c[i] = 0.0;
    snprintf(shown, SHOWN_VECTOR, "(%.9g, %.9g, %.9g)", c[0], c[1], c[2]);
    return shown;
}

static const double rounding = 1e-15;

static const char *vector(carom_vec3 v, char shown[SHOWN_VECTOR]) {
    return vector_above(rounding * largest(v), v, shown);
}

// ---- who

static void print_shape(const carom_view *view) {
    char shown[SHOWN_VECTOR];
    if (view->shape == NULL) {
        printf("%d vertices", view->vertex_count);
        return;
    }
    carom_shape_def def;
    carom_shape_get_def(view->shape, &def);
    printf("%s", carom_shape_kind_name(def.kind));
    switch (def.kind) {
    case CAROM_SHAPE_SPHERE:
        printf(", radius %g m", def.sphere.radius);
        break;
    case CAROM_SHAPE_ELLIPSOID:
        printf(", half-axes %s m", vector(def.ellipsoid.half_axes, shown));
        break;
    case CAROM_SHAPE_BOX:
        printf(", edges %s m", vector(def.box.size, shown));
        break;
    case CAROM_SHAPE_CAPSULE:
        printf(", radius %g m, length %g m", def.capsule.radius, def.capsule.length);
        break;
    case CAROM_SHAPE_HALF_SPACE:
        printf(", normal %s, offset %g m", vector(def.half_space.normal, shown), def.half_space.offset);
        break;
    case CAROM_SHAPE_CONTAINER:
        printf(", radius %g m", def.container.radius);
        break;
    default:
        printf(" of %d vertices", carom_shape_vertex_count(view->shape));
    }
}

static void print_side(const char *name, const carom_view *view) {
    char shown[SHOWN_VECTOR];
    carom_quat q = view->pose.attitude;
    printf("%s  ", name);
    print_shape(view);
    printf(", at %s", vector(view->pose.position, shown));
    if (fabs(q.w) < 1.0) printf(", attitude (%.9g, %.9g, %.9g, %.9g)", q.w, q.x, q.y, q.z);
    fputc('\n', stdout);
}

// ---- where

// The feature, and of what has vertices those that carry the point, with their weights.
static void print_touch(const carom_view *view, const carom_touch *touch) {
    bool has_vertices = view->shape == NULL || carom_shape_vertex_count(view->shape) > 0;
    if (view->shape != NULL) {
        int number = -1;
        printf("  %s", feature_word(carom_touch_feature(view->shape, touch, &number)));
        if (number >= 0) printf(" %d", number);
    }
    if (!has_vertices) return;
    printf(view->shape == NULL ? "  vertices" : ", vertices");
    int listed = touch->vertex_count < CAROM_TOUCH_VERTICES ? touch->vertex_count : CAROM_TOUCH_VERTICES;
    for (int i = 0; i < listed; i++) printf(" %d (%.6g)", touch->vertices[i], touch->weights[i]);
    if (listed < touch->vertex_count) printf(" and %d more", touch->vertex_count - listed);
}

static void print_point(const char *name, carom_vec3 point, const carom_view *view, const carom_touch *touch) {
    char shown[SHOWN_VECTOR];
    printf("  point of %s   %s", name, vector(point, shown));
    print_touch(view, touch);
    fputc('\n', stdout);
}

static void print_vector(const char *name, carom_vec3 v) {
    char shown[SHOWN_VECTOR];
    printf("  %-12s %s\n", name, vector(v, shown));
}

static void print_gradient(const char *name, const carom_pose_gradient *by) {
    char shown[SHOWN_VECTOR];
    const struct {
        const char *name;
        carom_vec3 by;
    } rows[] = {{"A moves", by->translation_a},
                {"A rotates", by->rotation_a},
                {"B moves", by->translation_b},
                {"B rotates", by->rotation_b}};
    double nothing = 0.0;
    for (int i = 0; i < 4; i++) nothing = fmax(nothing, rounding * largest(rows[i].by));
    printf("\nhow %s changes\n", name);
    for (int i = 0; i < 4; i++) printf("  %-12s %s\n", rows[i].name, vector_above(nothing, rows[i].by, shown));
}

// ---- how far

static void print_measure(const char *name, double value, const char *unit, const char *meaning) {
    char shown[32];
    snprintf(shown, sizeof shown, "%.12g%s", value == 0.0 ? 0.0 : value, unit);
    printf("%-14s %-22s %s\n", name, shown, meaning);
}

static void print_measures(const distance_report *report) {
    bool apart = report->gap.gap >= 0.0;
    print_measure("gap", report->gap.gap, " m",
                  apart ? "between the nearest points" : "minus the shortest translation that separates");
    if (report->ray_status != CAROM_OK || report->ray.outcome == CAROM_RAY_MISSES) return;
    print_measure("plane gap", report->ray.plane_gap, " m", "between the planes that the ray finds");
    print_measure("ray value", report->ray.value, " m", "how far B can move along -beta until they touch");
    if (isnan(report->ray.ratio)) return;
    print_measure("centres", report->ray.centre_distance, " m", "from centre to centre");
    print_measure("ratio", report->ray.ratio, "", "growth about the centres at which they touch");
    print_measure("rho", report->ray.rho, "", "(ratio - 1) / ratio");
}

static void print_gap(const distance_report *report) {
    const carom_gap_witness *gap = &report->gap;
    printf("\nthe gap, known to %.1g m\n", gap->accuracy);
    print_vector("normal", gap->normal);
    print_point("A", gap->point_a, &report->a, &gap->a);
    print_point("B", gap->point_b, &report->b, &gap->b);
    if (!gap->normal_unique) puts("  several normals are equally good; one of them is shown");
    if (!gap->points_unique) puts("  several points are equally good; those with the most even weights are shown");
    if (!gap->global) puts("  it is not proved that no shorter translation separates");
}

// How many answers the others are mixtures of; the machine form has them.
static void print_optima(const distance_report *report) {
    const carom_ray_optima *optima = &report->optima;
    if (!report->ray.alpha_unique)
        printf("  all optimal normals are mixtures of %d%s\n", optima->alpha_count,
               optima->alphas_all ? "" : " and more that are not listed");
    if (!report->ray.weights_unique)
        printf("  all optimal weights are mixtures of %d%s\n", optima->weighting_count,
               optima->weightings_all ? "" : " and more that are not listed");
}

static void print_ray(const distance_report *report) {
    const carom_ray_witness *ray = &report->ray;
    if (ray->outcome == CAROM_RAY_MISSES) {
        puts("\nthe ray misses: moved along this direction, B never touches A; they are apart");
        print_vector("normal", ray->normal);
        return;
    }
    printf("\nthe ray, its value known to %.1g m\n", ray->accuracy);
    print_vector("beta", ray->beta);
    print_vector("alpha", ray->alpha);
    print_point("A", ray->point_a, &report->a, &ray->a);
    print_point("B", ray->point_b, &report->b, &ray->b);
    if (ray->outcome == CAROM_RAY_NO_DIRECTION)
        puts("  the centres coincide and no direction is given: any direction is as good as this beta");
    if (!ray->beta_moves && ray->value * report->gap.gap < 0.0)
        puts("  along this direction the sign of the value does not tell whether they overlap; that of the gap does");
    if (!ray->alpha_unique) puts("  several normals are equally good; the one of least length is shown");
    if (!ray->weights_unique) puts("  several points are equally good; those with the most even weights are shown");
    print_optima(report);
    if (!ray->alpha_unique || !ray->weights_unique) puts("  its gradients are one choice of several, too");
}

static void print_feature(const carom_feature_contact *feature) {
    char normal[SHOWN_VECTOR], point[SHOWN_VECTOR];
    switch (feature->kind) {
    case CAROM_FEATURE_CONTACT_CORNER_A:
        printf("  vertex %d of A on facet %d of B", feature->feature_a, feature->feature_b);
        break;
    case CAROM_FEATURE_CONTACT_CORNER_B:
        printf("  vertex %d of B on facet %d of A", feature->feature_b, feature->feature_a);
        break;
    case CAROM_FEATURE_CONTACT_EDGES:
        printf("  edge %d of A on edge %d of B", feature->feature_a, feature->feature_b);
        break;
    }
    printf(": gap %.9g m, normal %s, at %s\n", feature->gap == 0.0 ? 0.0 : feature->gap,
           vector(feature->normal, normal), vector(feature->point_a, point));
}

static void print_features(const distance_report *report) {
    char shown[SHOWN_VECTOR];
    printf("\nthe ray meets %s, at %s\n", carom_collision_type_name(report->collision), vector(report->contact, shown));
    for (int i = 0; i < report->feature_count; i++) print_feature(&report->features[i]);
}

void print_distances(const distance_report *report) {
    print_side("A", &report->a);
    print_side("B", &report->b);
    printf("\n%s\n", verdict_of(&report->gap));
    print_measures(report);
    print_gap(report);
    bool meets = report->ray_status == CAROM_OK && report->ray.outcome != CAROM_RAY_MISSES;
    if (report->ray_status == CAROM_OK) {
        print_ray(report);
    } else {
        fputs("\nthere is no ray: ", stdout);
        print_clean(stdout, report->ray_error.text);
        fputc('\n', stdout);
    }
    print_gradient("the gap", &report->gap_gradient);
    if (meets) print_gradient("the ray value", &report->value_gradient);
    if (meets && isfinite(report->ray.rho)) print_gradient("rho", &report->rho_gradient);
    if (report->has_features) print_features(report);
}

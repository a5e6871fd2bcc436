// SPDX-License-Identifier: MIT
// Polytopes from their definitions, the named ones included; centre and radii.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "shape/shape.h"
#include "shape/solids.h"

enum { MOST_SIDES = 100000, WHERE_SIZE = 160 };

// Corner k of a regular polygon of n corners on the unit circle, the first at (1, 0). Reduced to the first eighth of
// the circle in integers, so that the polygon has its symmetries to the bit.
static void polygon_corner(int k, int n, double *x, double *y) {
    const double right_angle = 1.57079632679489661923;
    long long quarters = 4LL * k / n, rest = 4LL * k - quarters * n; // angle = (quarters + rest / n) right angles
    double c, s;
    if (2 * rest == n) {
        c = s = sqrt(0.5);
    } else if (2 * rest < n) {
        double angle = right_angle * (double)rest / n;
        c = cos(angle), s = sin(angle);
    } else {
        double angle = right_angle * (double)(n - rest) / n;
        c = sin(angle), s = cos(angle);
    }
    *x = quarters == 0 ? c : quarters == 1 ? -s : quarters == 2 ? -c : s;
    *y = quarters == 0 ? s : quarters == 1 ? c : quarters == 2 ? -s : -c;
}

static carom_status check_polygon(const carom_polytope_def *def, const char *prefix, carom_error *error) {
    if (def->sides < 3 || def->sides > MOST_SIDES)
        return crm_refuse(error, "%spolytope.sides is %d, must be between 3 and %d", prefix, def->sides, MOST_SIDES);
    carom_status status = crm_check_size(prefix, "polytope.radius", def->radius, error);
    return status == CAROM_OK ? crm_check_size(prefix, "polytope.height", def->height, error) : status;
}

static int fill_ring(const carom_polytope_def *def, double z, carom_vec3 *corner) {
    for (int k = 0; k < def->sides; k++) {
        double x, y;
        polygon_corner(k, def->sides, &x, &y);
        corner[k] = crm_vec3(def->radius * x, def->radius * y, z);
    }
    return def->sides;
}

// The corners of a named polytope, on the scratch arena.
static carom_status fill_named(const carom_polytope_def *def, const char *prefix, crm_arena *scratch, int *count,
                               carom_vec3 **corner, carom_error *error) {
    bool tetrahedron = def->form == CAROM_POLYTOPE_TETRAHEDRON;
    carom_status status =
        tetrahedron ? crm_check_size(prefix, "polytope.edge", def->edge, error) : check_polygon(def, prefix, error);
    if (status != CAROM_OK) return status;
    *corner = CRM_ARENA_ARRAY(scratch, carom_vec3, tetrahedron ? 4 : 2 * (ptrdiff_t)def->sides);
    if (*corner == NULL) return crm_fail_memory(error, "corners of a polytope", sizeof **corner);
    if (tetrahedron) {
        double h = def->edge / sqrt(8.0); // edges are diagonals of the faces of a cube of edge 2h
        (*corner)[0] = crm_vec3(h, h, h);
        (*corner)[1] = crm_vec3(h, -h, -h);
        (*corner)[2] = crm_vec3(-h, h, -h);
        (*corner)[3] = crm_vec3(-h, -h, h);
        *count = 4;
    } else if (def->form == CAROM_POLYTOPE_PYRAMID) {
        *count = fill_ring(def, -0.25 * def->height, *corner);
        (*corner)[(*count)++] = crm_vec3(0.0, 0.0, 0.75 * def->height);
    } else {
        *count = fill_ring(def, -0.5 * def->height, *corner);
        *count += fill_ring(def, 0.5 * def->height, *corner + *count);
    }
    return CAROM_OK;
}

void crm_measure_polytope(carom_shape *shape) {
    const crm_polytope *p = &shape->polytope;
    shape->unit = crm_solid_polytope(p);
    shape->centre = shape->unit.centre;
    if (shape->centre_choice == CAROM_CENTRE_VERTEX_MEAN) {
        carom_vec3 sum = crm_vec3_zero();
        for (int i = 0; i < p->vertex_count; i++) sum = crm_add(sum, p->vertex[i]);
        shape->centre = crm_scale(1.0 / p->vertex_count, sum);
    }
    shape->bounding_radius = 0.0;
    for (int i = 0; i < p->vertex_count; i++)
        shape->bounding_radius = fmax(shape->bounding_radius, crm_distance(p->vertex[i], shape->centre));
    shape->in_radius = HUGE_VAL;
    for (int f = 0; f < p->facet_count; f++)
        shape->in_radius = fmin(shape->in_radius, p->offset[f] - crm_dot(p->normal[f], shape->centre));
}

carom_status crm_make_polytope(const carom_polytope_def *def, const char *prefix, crm_arena *scratch,
                               carom_shape *shape, carom_error *error) {
    char where[WHERE_SIZE];
    crm_polytope *out = &shape->polytope;
    carom_status status = CAROM_OK;
    if ((unsigned)def->centre > CAROM_CENTRE_OF_MASS)
        return crm_refuse(error, "%spolytope.centre is %d, must be one of carom_polytope_centre", prefix,
                          (int)def->centre);
    if ((unsigned)def->form >= CAROM_POLYTOPE_FORM_COUNT)
        return crm_refuse(error, "%spolytope.form is %d, must be one of carom_polytope_form", prefix, (int)def->form);
    if (def->form == CAROM_POLYTOPE_HALF_SPACES) {
        snprintf(where, sizeof where, "%spolytope.half_spaces", prefix);
        status = crm_polytope_of_half_spaces(def->half_space_count, def->half_spaces, where, &shape->arena, scratch,
                                             out, error);
    } else {
        int count = def->vertex_count;
        const carom_vec3 *points = def->vertices;
        bool named = def->form != CAROM_POLYTOPE_VERTICES;
        if (named) {
            carom_vec3 *corner = NULL;
            status = fill_named(def, prefix, scratch, &count, &corner, error);
            points = corner;
        }
        snprintf(where, sizeof where, "%spolytope%s", prefix, named ? "" : ".vertices");
        if (status == CAROM_OK)
            status = crm_polytope_of_points(count, points, CAROM_SHAPE_LEAST_ASPECT, where, &shape->arena, scratch, out,
                                            NULL, error);
        if (status == CAROM_OK && named) {
            out->input = NULL;
            out->input_count = 0;
        }
    }
    shape->centre_choice = def->centre;
    if (status == CAROM_OK) crm_measure_polytope(shape);
    return status;
}

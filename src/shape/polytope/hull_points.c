// SPDX-License-Identifier: MIT
// Polytopes from points: what is refused, duplicates, thickness, then the hull.
#include <stdlib.h>

#include "base/fail.h"
#include "math/vec3.h"
#include "shape/polytope/polytope_build.h"

const double crm_most_distance = 1e6;

// Relative to the extent: to this, the corners of a facet lie in one plane, and points that are closer are one point.
// The first is four digits above what copies of exact solids deviate after a rotation (1e-16), and keeps planes and
// vertices the same solid to the digits that contacts are known to. Clusters of points that are a few times further
// apart than that make facets so narrow that rounding decides where they look, and no hull is convex; then the next
// coarser one is tried.
static const double flatness[] = {1e-12, 1e-11, 1e-10, 1e-9, 1e-8};
enum { FLATNESS_COUNT = sizeof flatness / sizeof flatness[0] };
// Far from the origin the rounding of the coordinates themselves is larger.
static const double roundings_of_coordinates = 8.0 * 0x1p-53;

// Points on their way to a hull. The copies are moved to the origin and scaled by a power of two to an extent between
// 1/2 and 1, so that nothing below depends on units.
typedef struct cloud {
    const char *where;
    int count;
    const carom_vec3 *points;
    carom_vec3 middle;       // of the bounding box
    double extent, farthest; // largest side of the box, largest |coordinate|, m
    double scale;            // power of two
    double tolerance;        // of the copies
    carom_vec3 *copy;        // (count)
    int *same;               // (count) the lowest point that is the same one
    int distinct_count;
    int *distinct;             // (distinct_count) those that are their own lowest, ascending
    carom_vec3 *distinct_copy; // (distinct_count)
} cloud;

static carom_status check_points(cloud *c, carom_error *error) {
    if (c->points == NULL && c->count > 0)
        return crm_refuse(error, "%s is NULL, must be an array of %d points", c->where, c->count);
    if (c->count < 4)
        return crm_refuse(error, "%s: %d %s given, a solid needs at least 4", c->where, c->count,
                          c->count == 1 ? "point is" : "points are");
    carom_vec3 low = c->points[0], high = low;
    for (int i = 0; i < c->count; i++) {
        carom_vec3 p = c->points[i];
        if (!crm_vec3_finite(p) || !(crm_max_component(crm_vec3_abs(p)) <= CAROM_SHAPE_MOST_SIZE))
            return crm_refuse(error, "%s[%d] is (%g, %g, %g) m, must be finite and within %g m", c->where, i, p.x, p.y,
                              p.z, CAROM_SHAPE_MOST_SIZE);
        low = crm_vec3_min(low, p);
        high = crm_vec3_max(high, p);
    }
    c->middle = crm_madd(low, 0.5, crm_sub(high, low));
    c->extent = crm_max_component(crm_sub(high, low));
    c->farthest = crm_max_component(crm_vec3_max(crm_vec3_abs(low), crm_vec3_abs(high)));
    int exponent;
    (void)frexp(c->extent, &exponent);
    c->scale = ldexp(1.0, -exponent);
    if (c->extent == 0.0)
        return crm_refuse(error, "%s: all %d points are (%g, %g, %g) m; a solid needs 4 different ones", c->where,
                          c->count, low.x, low.y, low.z);
    if (!(c->extent >= CAROM_SHAPE_LEAST_SIZE && c->extent <= CAROM_SHAPE_MOST_SIZE))
        return crm_refuse(error, "%s: the points span %g m, must span %g to %g m", c->where, c->extent,
                          CAROM_SHAPE_LEAST_SIZE, CAROM_SHAPE_MOST_SIZE);
    if (!(c->farthest <= crm_most_distance * c->extent))
        return crm_refuse(
            error,
            "%s: the points span %g m but are %g m from the origin, which leaves them too few digits; move "
            "the frame nearer",
            c->where, c->extent, c->farthest);
    return CAROM_OK;
}

// ---- duplicates

typedef struct ranked_point {
    double rank;
    int point;
} ranked_point;

static int compare_ranks(const void *a, const void *b) {
    const ranked_point *x = a, *y = b;
    if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
    return x->point - y->point;
}

// Sorted along a direction in which points of grids do not coincide, duplicates are next to each other. The first met
// of a cluster leads it, those within the tolerance of a leader follow.
static bool find_duplicates(cloud *c, crm_arena *scratch) {
    const carom_vec3 generic = {0.5393618, 0.6180340, 0.5717492}; // of length 1, nearly
    const double nearby = 1.5 * c->tolerance;
    ranked_point *order = CRM_ARENA_ARRAY(scratch, ranked_point, c->count);
    int *lowest = CRM_ARENA_ARRAY(scratch, int, c->count);
    c->copy = CRM_ARENA_ARRAY(scratch, carom_vec3, c->count);
    c->same = CRM_ARENA_ARRAY(scratch, int, c->count);
    if (order == NULL || lowest == NULL || c->copy == NULL || c->same == NULL) return false;
    for (int i = 0; i < c->count; i++) {
        c->copy[i] = crm_scale(c->scale, crm_sub(c->points[i], c->middle));
        order[i] = (ranked_point){crm_dot(generic, c->copy[i]), i};
        lowest[i] = -1;
    }
    qsort(order, (size_t)c->count, sizeof *order, compare_ranks);
    for (int i = 0; i < c->count; i++) {
        int point = order[i].point;
        c->same[point] = point;
        for (int j = i - 1; j >= 0 && order[i].rank - order[j].rank <= nearby; j--) {
            int other = order[j].point;
            if (c->same[other] != other || crm_distance(c->copy[point], c->copy[other]) > c->tolerance) continue;
            c->same[point] = other;
            break;
        }
    }
    for (int i = 0; i < c->count; i++) {
        int leader = c->same[i];
        if (lowest[leader] < 0) lowest[leader] = i;
        c->same[i] = lowest[leader];
    }
    return true;
}

static bool list_distinct(cloud *c, crm_arena *scratch) {
    c->distinct = CRM_ARENA_ARRAY(scratch, int, c->count);
    c->distinct_copy = CRM_ARENA_ARRAY(scratch, carom_vec3, c->count);
    if (c->distinct == NULL || c->distinct_copy == NULL) return false;
    c->distinct_count = 0;
    for (int i = 0; i < c->count; i++) {
        if (c->same[i] != i) continue;
        c->distinct_copy[c->distinct_count] = c->copy[i];
        c->distinct[c->distinct_count++] = i;
    }
    return true;
}

// ---- thickness

// The point with the largest length(p - from, along): 0 for the distance from a point, 1 from a line, 2 from a plane.
static int farthest_from(const cloud *c, carom_vec3 from, carom_vec3 along, int dimension, double *distance) {
    int best = 0;
    *distance = -1.0;
    for (int i = 0; i < c->distinct_count; i++) {
        carom_vec3 arm = crm_sub(c->distinct_copy[i], from);
        double d = dimension == 0   ? crm_length(arm)
                   : dimension == 1 ? crm_length(crm_cross(along, arm))
                                    : fabs(crm_dot(along, arm));
        if (d > *distance) {
            *distance = d;
            best = i;
        }
    }
    return best;
}

// How far the points extend across the plane of a large triangle among them: at least the width of their hull, and
// never more than a few times that.
static crm_flatness find_thickness(const cloud *c) {
    double length, height, distance;
    carom_vec3 a = c->distinct_copy[farthest_from(c, crm_vec3_zero(), crm_vec3_zero(), 0, &distance)], along, normal;
    carom_vec3 b = c->distinct_copy[farthest_from(c, a, crm_vec3_zero(), 0, &length)];
    crm_normalise(crm_sub(b, a), &along);
    carom_vec3 corner = c->distinct_copy[farthest_from(c, a, along, 1, &height)];
    if (crm_normalise(crm_cross(along, crm_sub(corner, a)), &normal) == 0.0) normal = crm_any_normal(along);
    double low = 0.0, high = 0.0;
    for (int i = 0; i < c->distinct_count; i++) {
        double side = crm_dot(normal, crm_sub(c->distinct_copy[i], a));
        low = fmin(low, side);
        high = fmax(high, side);
    }
    // Points along a line have no plane; what they are thick is their distance from the line.
    return (crm_flatness){.thickness = fmin(high - low, height) / c->scale, .normal = normal};
}

// ---- the hull

// qhull with its options in turn, and with each of its answers coplanar facets joined: to the tolerance, if that fails
// to what is hardly more than rounding, or not at all.
static crm_hull_outcome find_facets(const cloud *c, bool strict, crm_arena *scratch, crm_polygons *out,
                                    char sentence[CAROM_ERROR_TEXT_SIZE]) {
    const double joins[] = {c->tolerance, 0.01 * c->tolerance, -1.0};
    enum { ATTEMPTS = 3, JOINS = sizeof joins / sizeof joins[0] };
    crm_hull_outcome outcome = CRM_HULL_FAILED;
    for (int attempt = 0; attempt < ATTEMPTS && outcome == CRM_HULL_FAILED; attempt++) {
        crm_polygons raw;
        outcome = crm_qhull(c->distinct_count, c->distinct_copy, attempt, scratch, &raw, sentence);
        if (outcome != CRM_HULL_GOOD) continue;
        outcome = CRM_HULL_FAILED;
        for (int k = 0; k < JOINS && outcome == CRM_HULL_FAILED; k++) {
            crm_joining how = {c->tolerance, joins[k], strict};
            outcome = crm_join_coplanar(&raw, c->distinct_count, c->distinct_copy, &how, scratch, out);
        }
    }
    return outcome;
}

// Numbers the points that are corners and builds the polytope on them.
static bool build(const cloud *c, crm_polygons *facets, crm_arena *arena, crm_arena *scratch, crm_polytope *out) {
    int *number = CRM_ARENA_ARRAY(scratch, int, c->count), *input = CRM_ARENA_ARRAY(arena, int, c->count);
    carom_vec3 *vertices = CRM_ARENA_ARRAY(scratch, carom_vec3, c->distinct_count);
    if (number == NULL || input == NULL || vertices == NULL) return false;
    for (int i = 0; i < c->count; i++) number[i] = -1;
    for (int k = 0; k < facets->start[facets->count]; k++) number[c->distinct[facets->corner[k]]] = 0;
    int count = 0;
    for (int i = 0; i < c->count; i++) {
        if (number[i] < 0) continue;
        vertices[count] = c->points[i];
        number[i] = count++;
    }
    for (int k = 0; k < facets->start[facets->count]; k++) facets->corner[k] = number[c->distinct[facets->corner[k]]];
    for (int i = 0; i < c->count; i++) input[i] = number[c->same[i]];
    if (!crm_build_polytope(facets, count, vertices, arena, scratch, out)) return false;
    out->tolerance = c->tolerance / c->scale;
    out->input_count = c->count;
    out->input = input;
    return true;
}

// Finds what is a point and whether they are thick enough, at the tolerance of the cloud.
static carom_status check_cloud(cloud *c, double least_aspect, crm_arena *scratch, crm_flatness *flat,
                                carom_error *error) {
    if (!find_duplicates(c, scratch) || !list_distinct(c, scratch))
        return crm_fail_memory(error, "points of a polytope", (size_t)c->count * sizeof(carom_vec3));
    if (c->distinct_count < 4)
        return crm_refuse(error, "%s: only %d of the %d points are different, a solid needs 4", c->where,
                          c->distinct_count, c->count);
    *flat = find_thickness(c);
    flat->flat = !(flat->thickness >= least_aspect * c->extent);
    if (!flat->flat) return CAROM_OK;
    return crm_refuse(
        error, "%s: the points span %g m but are only %g m thick; a solid must be at least %g of its extent thick",
        c->where, c->extent, flat->thickness, least_aspect);
}

static carom_status make_hull(cloud *c, double least_aspect, crm_arena *arena, crm_arena *scratch, crm_polytope *out,
                              crm_flatness *flat, carom_error *error) {
    crm_polygons facets;
    char sentence[CAROM_ERROR_TEXT_SIZE] = "";
    crm_hull_outcome outcome = CRM_HULL_FAILED;
    for (int level = 0; level < FLATNESS_COUNT && outcome == CRM_HULL_FAILED; level++) {
        c->tolerance = c->scale * (flatness[level] * c->extent + roundings_of_coordinates * c->farthest);
        carom_status status = check_cloud(c, least_aspect, scratch, flat, error);
        if (status != CAROM_OK) return status;
        outcome = find_facets(c, true, scratch, &facets, sentence);
        if (outcome == CRM_HULL_FAILED) outcome = find_facets(c, false, scratch, &facets, sentence);
    }
    if (outcome == CRM_HULL_FAILED)
        return crm_refuse(error,
                          "%s: no hull can be computed of these %d points, some nearly coincide; leave out points that "
                          "are closer than %g m%s%.300s",
                          c->where, c->count, c->tolerance / c->scale, sentence[0] != '\0' ? ": " : "", sentence);
    if (outcome == CRM_HULL_NO_MEMORY || !build(c, &facets, arena, scratch, out))
        return crm_fail_memory(error, "polytope", (size_t)c->distinct_count * sizeof(crm_polytope));
    return CAROM_OK;
}

carom_status crm_polytope_of_points(int count, const carom_vec3 *points, double least_aspect, const char *where,
                                    crm_arena *arena, crm_arena *scratch, crm_polytope *out, crm_flatness *flat,
                                    carom_error *error) {
    cloud c = {.where = where, .count = count, .points = points};
    crm_flatness ignored;
    if (flat == NULL) flat = &ignored;
    *flat = (crm_flatness){0};
    carom_status status = check_points(&c, error);
    if (status != CAROM_OK) return status;
    crm_mark mark = crm_arena_mark(scratch);
    status = make_hull(&c, least_aspect, arena, scratch, out, flat, error);
    crm_arena_release(scratch, mark);
    return status;
}

// SPDX-License-Identifier: MIT
// Polytopes from half-spaces, by duality. Seen from an interior point c, the half-space n.y <= d becomes the point
// n / (d - n.c); facets of the hull of these points are the vertices of the polytope, its vertices are the half-spaces
// that are not redundant, and the polytope is bounded if the hull has c inside. Only the combinatorics are taken from
// there: a vertex is computed from planes through it. Then the hull of the vertices is made, so that there is one way
// to build a polytope.
#include <math.h>

#include "base/fail.h"
#include "math/mat3.h"
#include "shape/polytope/inscribed_ball.h"
#include "shape/polytope/polytope.h"

// The dual points have length at most 1. A vertex of the polytope that is further than this many radii of the inscribed
// ball is taken to be at infinity; solids that are allowed have none beyond some 1e6.
static const double most_radii = 1e8;
// The dual of a solid that is as thin as allowed is about as thin; what is much thinner belongs to an endless prism.
static const double least_dual_aspect = 1e-8;
// Less than this part of the largest offset is no radius, but rounding.
static const double least_radius = 1e-12;
// Cosine above which a facet and a half-space are the same plane; they share a vertex already.
static const double same_plane_cosine = 1.0 - 1e-6;

typedef struct half_space_set {
    const char *where;
    int count;
    carom_vec3 *normal; // (count) unit
    double *offset;     // (count) from the centre of the ball, after find_interior, m
    crm_ball ball;
    crm_polytope dual;
    int *half_space; // (vertices of the dual) the first that is this vertex
} half_space_set;

static carom_status read_half_spaces(const carom_half_space *in, crm_arena *scratch, half_space_set *set,
                                     carom_error *error) {
    if (in == NULL && set->count > 0)
        return crm_refuse(error, "%s is NULL, must be an array of %d half-spaces", set->where, set->count);
    if (set->count < 4)
        return crm_refuse(error, "%s: %d %s given, a solid needs at least 4", set->where, set->count,
                          set->count == 1 ? "is" : "are");
    set->normal = CRM_ARENA_ARRAY(scratch, carom_vec3, set->count);
    set->offset = CRM_ARENA_ARRAY(scratch, double, set->count);
    if (set->normal == NULL || set->offset == NULL)
        return crm_fail_memory(error, "half-spaces", (size_t)set->count * sizeof(carom_half_space));
    for (int i = 0; i < set->count; i++) {
        carom_vec3 n = in[i].normal;
        double length = crm_normalise(n, &set->normal[i]);
        if (length == 0.0)
            return crm_refuse(error, "%s[%d].normal is (%g, %g, %g), must be finite and have a direction", set->where,
                              i, n.x, n.y, n.z);
        set->offset[i] = in[i].offset / length;
        if (!(fabs(set->offset[i]) <= CAROM_SHAPE_MOST_SIZE))
            return crm_refuse(error, "%s[%d].offset puts the plane %g m from the origin, must be within %g m",
                              set->where, i, set->offset[i], CAROM_SHAPE_MOST_SIZE);
    }
    return CAROM_OK;
}

static carom_status refuse_endless(const half_space_set *set, carom_vec3 along, carom_error *error) {
    return crm_refuse(error,
                      "%s do not close: what they have in common has no end along (%.3g, %.3g, %.3g); add one there",
                      set->where, along.x, along.y, along.z);
}

static carom_status find_interior(half_space_set *set, carom_error *error) {
    double largest = 0.0;
    for (int i = 0; i < set->count; i++) largest = fmax(largest, fabs(set->offset[i]));
    if (largest == 0.0)
        return crm_refuse(error, "%s: all planes pass through the origin, which leaves a point or something endless",
                          set->where);
    set->ball = crm_inscribed_ball(set->count, set->normal, set->offset, most_radii * largest);
    if (set->ball.endless) {
        carom_vec3 along;
        crm_normalise(set->ball.centre, &along);
        return refuse_endless(set, along, error);
    }
    if (set->ball.radius < -least_radius * largest)
        return crm_refuse(error, "%s have nothing in common: every point is outside of one of them by %g m or more",
                          set->where, -set->ball.radius);
    if (!(set->ball.radius > least_radius * largest))
        return crm_refuse(error, "%s have no volume in common: no ball of %g m fits into all of them", set->where,
                          least_radius * largest);
    for (int i = 0; i < set->count; i++) set->offset[i] -= crm_dot(set->normal[i], set->ball.centre);
    return CAROM_OK;
}

static carom_status make_dual(half_space_set *set, crm_arena *scratch, crm_arena *deeper, carom_error *error) {
    carom_vec3 *point = CRM_ARENA_ARRAY(scratch, carom_vec3, set->count);
    set->half_space = CRM_ARENA_ARRAY(scratch, int, set->count);
    if (point == NULL || set->half_space == NULL)
        return crm_fail_memory(error, "dual of half-spaces", (size_t)set->count * sizeof *point);
    for (int i = 0; i < set->count; i++) point[i] = crm_scale(set->ball.radius / set->offset[i], set->normal[i]);
    crm_flatness flatness;
    carom_error refusal;
    carom_status status = crm_polytope_of_points(set->count, point, least_dual_aspect, set->where, scratch, deeper,
                                                 &set->dual, &flatness, &refusal);
    if (status == CAROM_ERR_NO_MEMORY) return crm_fail(error, status, "%s", refusal.text);
    if (status != CAROM_OK) {
        // All dual points in a plane, or fewer than four: the polytope is endless across that plane.
        carom_vec3 along = flatness.flat ? flatness.normal : crm_vec3_zero();
        if (!flatness.flat) crm_normalise(crm_cross(point[0], point[1]), &along);
        return refuse_endless(set, along, error);
    }
    for (int f = 0; f < set->dual.facet_count; f++)
        if (!(set->dual.offset[f] * most_radii >= 1.0)) return refuse_endless(set, set->dual.normal[f], error);
    for (int i = set->count - 1; i >= 0; i--)
        if (set->dual.input[i] >= 0) set->half_space[set->dual.input[i]] = i;
    return CAROM_OK;
}

// The point where the planes of a dual facet meet: three of them that are well apart decide.
static bool meet(const half_space_set *set, int facet, carom_vec3 *point) {
    const int *corner = set->dual.facet_vertex + set->dual.facet_start[facet];
    int count = set->dual.facet_start[facet + 1] - set->dual.facet_start[facet], second = 0, third = 0;
    int first = set->half_space[corner[0]];
    carom_vec3 across = crm_vec3_zero();
    double best = -1.0;
    for (int k = 1; k < count; k++) {
        carom_vec3 product = crm_cross(set->normal[first], set->normal[set->half_space[corner[k]]]);
        if (crm_length(product) <= best) continue;
        best = crm_length(product);
        second = set->half_space[corner[k]];
        across = product;
    }
    best = -1.0;
    for (int k = 1; k < count; k++) {
        double volume = fabs(crm_dot(across, set->normal[set->half_space[corner[k]]]));
        if (volume <= best) continue;
        best = volume;
        third = set->half_space[corner[k]];
    }
    carom_mat3 rows = crm_mat3_transpose(crm_mat3_columns(set->normal[first], set->normal[second], set->normal[third]));
    carom_vec3 right = {set->offset[first], set->offset[second], set->offset[third]}, arm;
    if (!crm_mat3_solve(rows, right, &arm)) return false;
    *point = crm_add(set->ball.centre, arm);
    return true;
}

// Which facet each half-space became. A facet looks for its own among those through its first vertex.
static bool map_input(const half_space_set *set, crm_arena *arena, crm_arena *scratch, crm_polytope *out) {
    int *input = CRM_ARENA_ARRAY(arena, int, set->count),
        *dual_facet = CRM_ARENA_ARRAY(scratch, int, out->vertex_count);
    if (input == NULL || dual_facet == NULL) return false;
    for (int j = out->input_count - 1; j >= 0; j--)
        if (out->input[j] >= 0) dual_facet[out->input[j]] = j;
    for (int i = 0; i < set->count; i++) input[i] = -1;
    for (int f = 0; f < out->facet_count; f++) {
        int seen = dual_facet[out->facet_vertex[out->facet_start[f]]], best = -1;
        double cosine = same_plane_cosine;
        for (int k = set->dual.facet_start[seen]; k < set->dual.facet_start[seen + 1]; k++) {
            int i = set->half_space[set->dual.facet_vertex[k]];
            if (crm_dot(set->normal[i], out->normal[f]) <= cosine) continue;
            cosine = crm_dot(set->normal[i], out->normal[f]);
            best = i;
        }
        if (best >= 0) input[best] = f;
    }
    // A half-space that was given twice is the same facet twice.
    for (int i = 0; i < set->count; i++)
        if (set->dual.input[i] >= 0) input[i] = input[set->half_space[set->dual.input[i]]];
    out->input_count = set->count;
    out->input = input;
    return true;
}

static carom_status make_primal(half_space_set *set, crm_arena *arena, crm_arena *scratch, crm_arena *deeper,
                                crm_polytope *out, carom_error *error) {
    carom_vec3 *vertex = CRM_ARENA_ARRAY(scratch, carom_vec3, set->dual.facet_count);
    if (vertex == NULL) return crm_fail_memory(error, "vertices", (size_t)set->dual.facet_count * sizeof *vertex);
    for (int f = 0; f < set->dual.facet_count; f++)
        if (!meet(set, f, &vertex[f])) return refuse_endless(set, set->dual.normal[f], error);
    carom_status status = crm_polytope_of_points(set->dual.facet_count, vertex, CAROM_SHAPE_LEAST_ASPECT, set->where,
                                                 arena, deeper, out, NULL, error);
    if (status != CAROM_OK) return status;
    return map_input(set, arena, scratch, out)
               ? CAROM_OK
               : crm_fail_memory(error, "half-spaces", (size_t)set->count * sizeof(int));
}

carom_status crm_polytope_of_half_spaces(int count, const carom_half_space *half_spaces, const char *where,
                                         crm_arena *arena, crm_arena *scratch, crm_polytope *out, carom_error *error) {
    half_space_set set = {.where = where, .count = count};
    // The hulls on the way take scratch of their own, as what they leave behind is scratch here.
    crm_arena deeper;
    crm_arena_init(&deeper, &scratch->allocator);
    crm_mark mark = crm_arena_mark(scratch);
    carom_status status = read_half_spaces(half_spaces, scratch, &set, error);
    if (status == CAROM_OK) status = find_interior(&set, error);
    if (status == CAROM_OK) status = make_dual(&set, scratch, &deeper, error);
    if (status == CAROM_OK) status = make_primal(&set, arena, scratch, &deeper, out, error);
    crm_arena_release(scratch, mark);
    crm_arena_free(&deeper);
    return status;
}

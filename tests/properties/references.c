// SPDX-License-Identifier: MIT
// The kernel against slow algorithms that share nothing with it: the supporting-hyperplane program by the simplex
// method, the ratio metric's program by its half-spaces, the gap by enumeration of features.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "properties/properties.h"
#include "reference/polytope/separating_axes.h"
#include "reference/program/ratio_program.h"
#include "reference/program/ssh_program.h"

enum { MOST_VERTICES = 64 };

typedef struct half_spaces {
    ratio_body body;
    double normals[3 * RATIO_FACETS_MAX], offsets[RATIO_FACETS_MAX], position[3], attitude[4];
} half_spaces;

static void write_vec3(carom_vec3 v, double *out) {
    out[0] = v.x, out[1] = v.y, out[2] = v.z;
}

// Facets about the view's centre. Vertices without a shape get one for the moment; false when they have no volume.
static bool half_spaces_of(const carom_view *view, half_spaces *out) {
    carom_shape *made = NULL;
    const carom_shape *shape = view->shape;
    if (shape == NULL) {
        carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
        def.polytope.vertex_count = view->vertex_count;
        def.polytope.vertices = view->vertices;
        if (carom_shape_create(&def, NULL, &made, NULL) != CAROM_OK) return false;
        shape = made;
    }
    carom_vec3 centre = pair_centre(view);
    carom_quat q = view->pose.attitude;
    carom_vec3 local = crm_quat_rotate(crm_quat_conjugate(q), crm_sub(centre, view->pose.position));
    int count = carom_shape_facet_count(shape);
    bool fits = count <= RATIO_FACETS_MAX;
    for (int f = 0; f < count && fits; f++) {
        carom_facet facet;
        carom_shape_get_facet(shape, f, &facet, NULL);
        write_vec3(facet.normal, out->normals + 3 * f);
        out->offsets[f] = facet.offset - crm_dot(facet.normal, local);
        fits = fits && out->offsets[f] > 0.0;
    }
    write_vec3(centre, out->position);
    out->attitude[0] = q.w, out->attitude[1] = q.x, out->attitude[2] = q.y, out->attitude[3] = q.z;
    out->body = (ratio_body){count, out->normals, out->offsets, out->position, out->attitude};
    carom_shape_destroy(made);
    return fits;
}

// The optimum, in the program's own words: K1 is B.
static void compare_rays(const distance_pair *pair, int count[2], double *const vertex[2], property_tally *tally) {
    const carom_view *a = &pair->view[0], *b = &pair->view[1];
    carom_ray_witness ray;
    if (!ask_ray(pair, a, b, NULL, NULL, tally, &ray)) return;
    double scale = pair_scale(pair, &ray), beta[3];
    write_vec3(ray.beta, beta);
    ssh_basis *basis = malloc(sizeof *basis);
    ratio_result *ratio = malloc(sizeof *ratio);
    half_spaces *h = malloc(2 * sizeof *h);
    if (basis == NULL || ratio == NULL || h == NULL) abort();
    ssh_program_basis(count[1], vertex[1], count[0], vertex[0], beta, basis);
    bool solved = basis->status == SSH_OPTIMAL;
    property_note(tally, PROPERTY_SSH, pair->number, solved ? fabs(ray.value - basis->value) / scale : INFINITY);
    // Between nearer centres the two programs would look along different lines, by rounding of the centres.
    bool apart = ray.centre_distance > 1e-3 * scale;
    if (apart && half_spaces_of(a, &h[0]) && half_spaces_of(b, &h[1])) {
        ratio_program_solve(&h[0].body, &h[1].body, ratio);
        double value = ray.centre_distance * ratio->rho;
        if (ratio->solved)
            property_note(tally, PROPERTY_RATIO, pair->number, fabs(ray.value - value) / scale);
        else
            property_skip(tally, PROPERTY_RATIO);
        if (ratio->solved && solved)
            property_note(tally, PROPERTY_IDENTITY, pair->number,
                          fabs(basis->value - value) / (scale * crm_length(ray.alpha)));
    }
    free(basis);
    free(ratio);
    free(h);
}

static void compare_gaps(const distance_pair *pair, int count[2], double *const vertex[2], property_tally *tally) {
    const carom_view *a = &pair->view[0], *b = &pair->view[1];
    carom_gap_witness gap;
    axes_result axes;
    if (!ask_gap(pair, a, b, NULL, NULL, tally, &gap)) return;
    if (!separating_axes_distance(count[0], vertex[0], count[1], vertex[1], &axes)) return; // flat
    double scale = pair->sizes + crm_distance(pair_centre(a), pair_centre(b));
    property_note(tally, PROPERTY_AXES, pair->number, fabs(gap.gap - axes.distance) / scale);
}

void check_references(const distance_pair *pair, property_tally *tally) {
    if (!pair->sharp) return;
    carom_vec3 points[MOST_VERTICES];
    double plain[2][3 * MOST_VERTICES];
    int count[2];
    for (int k = 0; k < 2; k++) {
        count[k] = pair_vertices(&pair->view[k], MOST_VERTICES, points);
        if (count[k] == 0) return;
        for (int i = 0; i < count[k]; i++) write_vec3(points[i], plain[k] + 3 * i);
    }
    double *const vertex[2] = {plain[0], plain[1]};
    compare_rays(pair, count, vertex, tally);
    compare_gaps(pair, count, vertex, tally);
}

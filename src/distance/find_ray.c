// SPDX-License-Identifier: MIT
// The centre ray of any pair: which direction, which parts, which search.
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "base/fail.h"
#include "distance/measure.h"

// Centres closer than this share of the sizes and coordinates have no direction between them.
static const double coincident = 1e-14;

static bool is_compound(const carom_view *view) {
    return view->shape != NULL && view->shape->kind == CAROM_SHAPE_COMPOUND;
}

static int part_count(const carom_view *view) {
    return is_compound(view) ? view->shape->part_count : 1;
}

// The ray of two convex sides along `out->beta`.
static void cast_pair(const crm_side *a, const crm_side *b, bool settle, carom_distance_cache *cache,
                      carom_ray_witness *out) {
    crm_sharp_ray(a, b, out->beta, cache, out);
    (void)settle;
}

// Where to look: a direction that is given, from centre to centre, or the last one where the centres coincide.
static void choose_direction(const crm_side *a, const crm_side *b, const carom_distance_options *options,
                             const carom_distance_cache *cache, carom_ray_witness *out) {
    carom_vec3 c = crm_sub(b->centre, a->centre);
    out->centre_distance = crm_normalise(c, &out->beta);
    out->beta_moves = true;
    out->outcome = CAROM_RAY_MEETS;
    if (options != NULL && options->has_direction) {
        crm_normalise(options->direction, &out->beta);
        out->beta_moves = false;
        return;
    }
    double scale =
        a->size + b->size + crm_max_component(crm_vec3_abs(a->centre)) + crm_max_component(crm_vec3_abs(b->centre));
    if (out->centre_distance > coincident * scale) return;
    out->outcome = CAROM_RAY_NO_DIRECTION;
    out->beta_moves = false;
    bool known = cache != NULL && crm_length_squared(cache->ray_normal) > 0.5;
    out->beta = known ? cache->ray_normal : crm_vec3(1.0, 0.0, 0.0);
}

static void fill_ratio(carom_ray_witness *out, carom_ray_outcome direction) {
    out->ratio = out->rho = NAN;
    if (out->outcome == CAROM_RAY_MISSES) return;
    if (direction == CAROM_RAY_NO_DIRECTION) {
        out->outcome = direction;
        out->ratio = 0.0;
        out->rho = -INFINITY;
    } else if (out->beta_moves) {
        out->rho = out->value / out->centre_distance;
        out->ratio = out->centre_distance / (out->centre_distance - out->value);
    }
}

static carom_status check_direction(const carom_distance_options *options, carom_error *error) {
    if (options == NULL || !options->has_direction) return CAROM_OK;
    carom_vec3 unit, d = options->direction;
    if (crm_normalise(d, &unit) > 0.0) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_BAD_INPUT, "direction is (%g, %g, %g), must be finite and not zero", d.x, d.y,
                    d.z);
}

// The ray of part `i` of A and part `j` of B.
static void look(const carom_view *a, int i, const carom_view *b, int j, const carom_distance_options *options,
                 carom_distance_cache *cache, carom_ray_witness *out) {
    crm_side side_a, side_b;
    crm_side_of(a, i, CRM_FROM_VIEW, &side_a);
    crm_side_of(b, j, CRM_FROM_VIEW, &side_b);
    choose_direction(&side_a, &side_b, options, cache, out);
    carom_ray_outcome direction = out->outcome;
    cast_pair(&side_a, &side_b, options == NULL || !options->any_solution, cache, out);
    fill_ratio(out, direction);
    out->a.part = i;
    out->b.part = j;
}

// Of the parts' rays the one with the smallest value; one that misses only if all do.
static void look_at_parts(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                          carom_ray_witness *out) {
    int count_a = part_count(a), count_b = part_count(b);
    look(a, 0, b, 0, options, NULL, out);
    for (int k = 1; k < count_a * count_b; k++) {
        carom_ray_witness found;
        look(a, k / count_b, b, k % count_b, options, NULL, &found);
        if (found.outcome == CAROM_RAY_MISSES) continue;
        if (out->outcome == CAROM_RAY_MISSES || found.value < out->value) *out = found;
    }
}

carom_status carom_find_ray(const carom_view *a, const carom_view *b, const carom_distance_options *options,
                            carom_distance_cache *cache, carom_ray_witness *out, carom_error *error) {
    carom_status status = crm_check_view(a, "A", error);
    if (status == CAROM_OK) status = crm_check_view(b, "B", error);
    if (status == CAROM_OK) status = check_direction(options, error);
    if (status != CAROM_OK) {
        *out = (carom_ray_witness){0};
        return status;
    }
    if (is_compound(a) || is_compound(b))
        look_at_parts(a, b, options, out);
    else
        look(a, 0, b, 0, options, cache, out);
    return CAROM_OK;
}

// SPDX-License-Identifier: MIT
// The centre ray where something is round: F(n) / n.beta is climbed (round_climb.h). With a round part the function is
// strictly concave on n.beta = 1: there is one alpha, and the stationary point is it.
#include <float.h>
#include <math.h>
#include <stddef.h>

#include "distance/measure.h"
#include "distance/round/round_climb.h"

static void set_miss(carom_vec3 normal, carom_ray_witness *out) {
    out->outcome = CAROM_RAY_MISSES;
    crm_normalise(normal, &out->normal);
}

static bool is_one_ball(const crm_side *side) {
    return side->vertex_count == 1 && side->roundness != CRM_ELLIPSOID;
}

// A ball of radius r about z = c_perp + b - a, without z's part along beta: the line leaves it where
// |z_perp - t beta| = r.
static void meet_balls(const crm_round_problem *p, crm_round_summit *at) {
    crm_round_piece piece = {.arm_a = crm_core_arm(p->a, 0), .arm_b = crm_core_arm(p->b, 0), .weight = 1.0};
    carom_vec3 z = crm_add(p->offset, crm_sub(piece.arm_b, piece.arm_a));
    double along = crm_dot(z, p->beta), r = p->radius;
    carom_vec3 across = crm_madd(z, -along, p->beta);
    double aside = crm_length(across);
    *at = (crm_round_summit){.piece = {piece}, .count = 1, .misses = !(aside < r), .n = across};
    if (at->misses) return;
    double deep = sqrt((r - aside) * (r + aside));
    at->n = crm_scale(1.0 / r, crm_madd(across, deep, p->beta));
    at->value = along - deep;
    at->round_a = crm_scale(p->a->radius, at->n);
    at->round_b = crm_scale(p->b->radius, at->n);
}

// A direction nearer to the horizon of n.beta > 0 than this is no start: F/n.beta is nothing but rounding there.
static const double least_cosine = 1e-4;

// From the last direction, or from M^-1 beta, which is exact for a single ellipsoid against a point.
static void start(const crm_round_problem *p, carom_distance_cache *cache, crm_round_summit *at) {
    if (cache != NULL && crm_dot(cache->ray_normal, p->beta) > least_cosine) {
        at->n = cache->ray_normal;
        crm_round_read_pairs(p, cache->ray_count, cache->ray, at);
    } else {
        at->n = crm_mat3_apply(p->chart, crm_mat3_apply_t(p->chart, p->beta));
        at->count = 0;
    }
}

void crm_round_ray(const crm_side *a, const crm_side *b, carom_vec3 beta, carom_distance_cache *cache,
                   carom_ray_witness *out) {
    out->beta = beta;
    out->alpha_unique = out->weights_unique = true;
    crm_round_problem p = crm_round_problem_of(a, b, &beta);
    crm_round_summit at;
    if (is_one_ball(a) && is_one_ball(b)) {
        meet_balls(&p, &at);
    } else {
        start(&p, cache, &at);
        crm_round_climb(&p, &at);
    }
    out->supports = p.supports;
    if (at.misses) {
        set_miss(at.n, out);
        return;
    }
    out->outcome = CAROM_RAY_MEETS;
    double along = crm_dot(crm_sub(b->centre, a->centre), beta);
    out->value = along + at.value;
    out->alpha = crm_scale(1.0 / crm_dot(at.n, beta), at.n);
    double length = crm_normalise(out->alpha, &out->normal);
    out->plane_gap = out->value / length;
    crm_round_points(&p, &at, &out->point_a, &out->point_b, &out->a, &out->b);
    // With x the difference of the points, F(best alpha) <= best alpha.x, and alpha.x - value is alpha.residual.
    out->accuracy = length * (at.residual + p.slack) + 4.0 * DBL_EPSILON * fabs(along);
    if (cache == NULL) return;
    cache->ray_normal = out->normal;
    cache->ray_count = crm_round_write_pairs(&at, cache->ray);
}

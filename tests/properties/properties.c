// SPDX-License-Identifier: MIT
#include "properties/properties.h"

#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"

#define PROPERTY_ROW(id, n, u, t) [id] = {.name = n, .unit = u, .target = t},
property_tally property_tally_empty(void) {
    return (property_tally){.of = {PROPERTY_LIST(PROPERTY_ROW)}};
}
#undef PROPERTY_ROW

bool property_holds(const property *p) {
    return p->checked > 0 && p->skipped <= p->checked && p->worst <= p->target;
}

void properties_run(uint64_t seed, long long pairs, int run_count, const property_run *runs, property_tally *tally) {
    pair_batch *batch = malloc(sizeof *batch);
    if (batch == NULL) abort();
    for (long long first = 0; first < pairs; first += PAIR_BATCH) {
        pair_batch_make(seed, (uint64_t)(first / PAIR_BATCH), batch);
        for (int i = 0; i < PAIR_BATCH && first + i < pairs; i++) {
            bool wanted = false;
            for (int k = 0; k < run_count; k++) wanted = wanted || (first + i) % runs[k].stride == 0;
            if (!wanted) continue;
            distance_pair pair = pair_of(batch, i);
            for (int k = 0; k < run_count; k++)
                if ((first + i) % runs[k].stride == 0) runs[k].check(&pair, tally);
        }
        pair_batch_free(batch);
    }
    free(batch);
}

double pair_scale(const distance_pair *pair, const carom_ray_witness *ray) {
    return pair->sizes + (isfinite(ray->centre_distance) ? ray->centre_distance : fabs(ray->value));
}

bool has_ray(const distance_pair *pair) {
    return pair->body[0]->kind != PAIR_CONTAINER && pair->body[1]->kind != PAIR_CONTAINER;
}

bool has_ellipsoid(const distance_pair *pair) {
    for (int k = 0; k < 2; k++)
        if (pair->body[k]->kind == PAIR_ELLIPSOID || pair->body[k]->kind == PAIR_COMPOUND) return true;
    return false;
}

// ---- nothing that is not finite

static bool is_finite(carom_vec3 v) {
    return isfinite(v.x) && isfinite(v.y) && isfinite(v.z);
}

static bool touch_is_sound(const carom_touch *touch) {
    bool sound = touch->vertex_count >= 0;
    for (int i = 0; i < touch->vertex_count && i < CAROM_TOUCH_VERTICES; i++)
        sound = sound && touch->weights[i] > 0.0 && touch->weights[i] <= 1.0 + 1e-12 && touch->vertices[i] >= 0;
    return sound;
}

static bool ray_is_sound(const carom_ray_witness *r) {
    bool coincident = r->outcome == CAROM_RAY_NO_DIRECTION, meets = r->outcome == CAROM_RAY_MEETS;
    bool rho = isfinite(r->rho) || (coincident && r->rho < 0.0) || isnan(r->centre_distance) || !r->beta_moves;
    bool ratio = !isinf(r->ratio) || r->rho == 1.0; // flat bodies of vertices may never touch, however they grow
    return (meets || coincident) && isfinite(r->value) && isfinite(r->plane_gap) && rho && ratio &&
           is_finite(r->beta) && is_finite(r->alpha) && is_finite(r->normal) && is_finite(r->point_a) &&
           is_finite(r->point_b) && touch_is_sound(&r->a) && touch_is_sound(&r->b) && r->accuracy >= 0.0 &&
           isfinite(r->accuracy) && r->supports >= 0;
}

static bool gap_is_sound(const carom_gap_witness *g) {
    return isfinite(g->gap) && is_finite(g->normal) && fabs(crm_length(g->normal) - 1.0) < 1e-12 &&
           is_finite(g->point_a) && is_finite(g->point_b) && touch_is_sound(&g->a) && touch_is_sound(&g->b) &&
           g->accuracy >= 0.0 && isfinite(g->accuracy) && g->supports >= 0;
}

bool ask_ray(const distance_pair *pair, const carom_view *a, const carom_view *b, const carom_distance_options *options,
             carom_distance_cache *cache, property_tally *tally, carom_ray_witness *out) {
    bool answered = carom_ray_find(a, b, options, cache, out, NULL) == CAROM_OK, sound = ray_is_sound(out);
    // The centre of a compound may lie outside of all its parts, and the line of centres too.
    bool compound = pair->body[0]->kind == PAIR_COMPOUND || pair->body[1]->kind == PAIR_COMPOUND;
    bool misses = compound && out->outcome == CAROM_RAY_MISSES;
    property_note(tally, PROPERTY_FINITE, pair->number, !(answered && (sound || misses)));
    return answered && sound;
}

bool ask_gap(const distance_pair *pair, const carom_view *a, const carom_view *b, const carom_distance_options *options,
             carom_distance_cache *cache, property_tally *tally, carom_gap_witness *out) {
    bool sound = carom_gap_find(a, b, options, cache, out, NULL) == CAROM_OK && gap_is_sound(out);
    property_note(tally, PROPERTY_FINITE, pair->number, !sound);
    return sound;
}

// SPDX-License-Identifier: MIT
#include "exact/pair_source.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "carom/shape.h"
#include "math/quat.h"
#include "reference/ellipsoid/ellipsoid_brute.h"
#include "reference/polytope/feature_scan.h"

// Starts of the search for the highest of an ellipsoid pair's maxima, besides the axes of both and the line of centres,
// which alone find it for half-axes of 1:2: 200 starts found no higher one in 2000 overlapping pairs.
enum { ELLIPSOID_STARTS = 8 };

struct bench_pair_source {
    bench_pair_recipe recipe;
    bench_solid *solids;
    scan_body *bodies;     // of the solids, for exact values; ellipsoids have none
    double *inner, *outer; // radii of balls about the origin inside and around them, m
};

// ---- solids

static bool list_facets(const carom_shape *shape, bench_solid *solid) {
    carom_facet facet;
    solid->facet_count = carom_shape_facet_count(shape);
    for (int f = 0; f < solid->facet_count; f++) {
        if (carom_shape_get_facet(shape, f, &facet, NULL) != CAROM_OK) return false;
        solid->facet_numbers += 1 + facet.vertex_count;
    }
    int *next = solid->facets = malloc((size_t)solid->facet_numbers * sizeof *solid->facets);
    for (int f = 0; f < solid->facet_count && next != NULL; f++) {
        carom_shape_get_facet(shape, f, &facet, NULL);
        *next++ = facet.vertex_count;
        for (int i = 0; i < facet.vertex_count; i++) *next++ = facet.vertices[i];
    }
    return next != NULL;
}

// The vertices and facets of the shape. The facets come from carom; what is exact checks that they are the hull's.
static bool take_surface(const carom_shape_def *def, bench_solid *solid) {
    carom_shape *shape;
    if (carom_shape_create(def, NULL, &shape, NULL) != CAROM_OK) return false;
    solid->vertex_count = carom_shape_vertex_count(shape);
    solid->vertices = malloc((size_t)solid->vertex_count * sizeof *solid->vertices);
    bool good = solid->vertices != NULL && list_facets(shape, solid);
    for (int i = 0; i < solid->vertex_count && good; i++) solid->vertices[i] = carom_shape_vertices(shape)[i];
    carom_shape_destroy(shape);
    return good;
}

static bool make_hull(int vertex_count, crm_random *random, bench_solid *solid) {
    carom_vec3 *points = malloc((size_t)vertex_count * sizeof *points), mean = crm_vec3_zero();
    if (points == NULL) return false;
    for (int i = 0; i < vertex_count; i++) {
        points[i] = crm_random_direction(random);
        mean = crm_madd(mean, 1.0 / vertex_count, points[i]);
    }
    for (int i = 0; i < vertex_count; i++) points[i] = crm_sub(points[i], mean);
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = vertex_count;
    def.polytope.vertices = points;
    bool good = take_surface(&def, solid);
    free(points);
    return good;
}

static bool make_box(crm_random *random, bench_solid *solid) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size.x = crm_random_between(random, 0.5, 1.5);
    def.box.size.y = crm_random_between(random, 0.5, 1.5);
    def.box.size.z = crm_random_between(random, 0.5, 1.5);
    solid->half = crm_scale(0.5, def.box.size);
    return take_surface(&def, solid);
}

static bool make_solid(const bench_pair_recipe *recipe, int number, bench_solid *solid, scan_body *body) {
    crm_random random = {.seed = (uint64_t)(1000 * recipe->kind + recipe->vertex_count), .stream = (uint32_t)number};
    *solid = (bench_solid){.kind = recipe->kind};
    if (recipe->kind == BENCH_ELLIPSOID) {
        solid->half = (carom_vec3){0.5, 0.35, 0.25};
        return true;
    }
    bool good = recipe->kind == BENCH_BOX ? make_box(&random, solid) : make_hull(recipe->vertex_count, &random, solid);
    return good && scan_body_make(solid->vertex_count, &solid->vertices[0].x, solid->facet_count, solid->facets, body);
}

static void fill_radii(const bench_solid *solid, const scan_body *body, double *inner, double *outer) {
    if (solid->kind == BENCH_ELLIPSOID) {
        *inner = fmin(solid->half.x, fmin(solid->half.y, solid->half.z));
        *outer = crm_max_component(solid->half);
        return;
    }
    *inner = INFINITY;
    *outer = 0.0;
    for (int v = 0; v < body->vertex_count; v++) *outer = fmax(*outer, (double)wide3_norm(body->vertex[v]));
    for (int f = 0; f < body->facet_count; f++) {
        wide3 corner = body->vertex[body->facets[body->facet_start[f]]];
        *inner = fmin(*inner, (double)wide3_dot(body->normal[f], corner));
    }
}

bench_pair_source *bench_source_make(const bench_pair_recipe *recipe) {
    bench_pair_source *source = calloc(1, sizeof *source);
    if (source == NULL) return NULL;
    source->recipe = *recipe;
    source->solids = calloc((size_t)recipe->solid_count, sizeof *source->solids);
    source->bodies = calloc((size_t)recipe->solid_count, sizeof *source->bodies);
    source->inner = calloc((size_t)recipe->solid_count, sizeof *source->inner);
    source->outer = calloc((size_t)recipe->solid_count, sizeof *source->outer);
    bool good = source->solids != NULL && source->bodies != NULL && source->inner != NULL && source->outer != NULL;
    for (int i = 0; i < recipe->solid_count && good; i++) {
        good = make_solid(recipe, i, &source->solids[i], &source->bodies[i]);
        if (good) fill_radii(&source->solids[i], &source->bodies[i], &source->inner[i], &source->outer[i]);
    }
    if (good) return source;
    bench_source_free(source);
    return NULL;
}

void bench_source_free(bench_pair_source *source) {
    for (int i = 0; i < source->recipe.solid_count && source->bodies != NULL && source->solids != NULL; i++) {
        scan_body_free(&source->bodies[i]);
        free(source->solids[i].vertices);
        free(source->solids[i].facets);
    }
    free(source->bodies);
    free(source->solids);
    free(source->inner);
    free(source->outer);
    free(source);
}

// ---- exact values

static ellipsoid ellipsoid_of(const bench_solid *solid, const carom_pose *pose) {
    carom_vec3 p = pose->position, a = solid->half;
    carom_quat q = pose->attitude;
    return (ellipsoid){{p.x, p.y, p.z}, {a.x, a.y, a.z}, {q.w, q.x, q.y, q.z}};
}

// The signed distance when B has been moved by t along -beta is convex in t and falls: Newton's method is apart after
// its first step, where there is one maximum only, and comes down to the zero from there.
static void find_exact_ellipsoids(const bench_pair_source *source, bench_pair *pair, carom_vec3 *normal) {
    ellipsoid a = ellipsoid_of(&source->solids[pair->a], &pair->pose_a);
    ellipsoid b = ellipsoid_of(&source->solids[pair->b], &pair->pose_b);
    ellipsoid_result r;
    ellipsoid_brute_distance(&a, &b, ELLIPSOID_STARTS, &r);
    pair->gap = r.distance;
    *normal = (carom_vec3){r.normal[0], r.normal[1], r.normal[2]};
    carom_vec3 beta, step = *normal;
    crm_normalise(crm_sub(pair->pose_b.position, pair->pose_a.position), &beta);
    pair->ray = 0.0;
    for (int i = 0; i < 12; i++) {
        pair->ray += r.distance / crm_dot(step, beta);
        carom_vec3 moved = crm_madd(pair->pose_b.position, -pair->ray, beta);
        b.centre[0] = moved.x, b.centre[1] = moved.y, b.centre[2] = moved.z;
        ellipsoid_brute_distance(&a, &b, 0, &r);
        step = (carom_vec3){r.normal[0], r.normal[1], r.normal[2]};
        if (fabs(r.distance) < 1e-16) break;
    }
}

static scan_body placed(const bench_pair_source *source, int solid, const carom_pose *pose) {
    const double attitude[4] = {pose->attitude.w, pose->attitude.x, pose->attitude.y, pose->attitude.z};
    return scan_body_place(&source->bodies[solid], attitude, &pose->position.x);
}

static void find_exact_polytopes(const bench_pair_source *source, bench_pair *pair, carom_vec3 *normal) {
    scan_body a = placed(source, pair->a, &pair->pose_a), b = placed(source, pair->b, &pair->pose_b);
    scan_result r = scan_measure(&a, &b);
    pair->gap = r.distance;
    pair->ray = r.ray;
    *normal = (carom_vec3){r.normal[0], r.normal[1], r.normal[2]};
    scan_body_free(&a);
    scan_body_free(&b);
}

static void find_exact(const bench_pair_source *source, bench_pair *pair, carom_vec3 *normal) {
    if (source->recipe.kind == BENCH_ELLIPSOID)
        find_exact_ellipsoids(source, pair, normal);
    else
        find_exact_polytopes(source, pair, normal);
}

// ---- pairs

static bench_pair draw_pair(const bench_pair_recipe *recipe, crm_random *random) {
    bench_pair pair = {.a = (int)crm_random_below(random, (uint64_t)recipe->solid_count),
                       .b = (int)crm_random_below(random, (uint64_t)recipe->solid_count)};
    pair.pose_a.attitude = crm_random_rotation(random);
    pair.pose_b.attitude = crm_random_rotation(random);
    pair.pose_a.position = crm_random_direction(random);
    double low = recipe->touching - recipe->spread, high = recipe->touching + recipe->spread;
    double distance = crm_random_between(random, low, high);
    pair.pose_b.position = crm_madd(pair.pose_a.position, distance, crm_random_direction(random));
    return pair;
}

// From the balls around and inside of the solids: whether a pair is surely in this state.
static bool surely_in_state(const bench_pair_source *source, const bench_pair *pair, bench_pair_state state) {
    double distance = crm_distance(pair->pose_a.position, pair->pose_b.position);
    if (state == BENCH_OVERLAPPING) return distance < source->inner[pair->a] + source->inner[pair->b];
    return distance > source->outer[pair->a] + source->outer[pair->b];
}

// Fills in the exact values when they are wanted. False when the pair is not in this state, or may not be.
static bool exact_state(const bench_pair_source *source, bench_pair *pair, bench_pair_state state, bool exact,
                        carom_vec3 *normal) {
    pair->gap = pair->ray = NAN;
    if (!exact) return surely_in_state(source, pair, state);
    find_exact(source, pair, normal);
    return state == BENCH_OVERLAPPING ? pair->gap < 0.0 : pair->gap > 0.0;
}

// One pair, or the steps of a track, `stride` apart. False when it is not, or does not stay, in this state.
static bool fill_track(const bench_pair_source *source, bench_pair_state state, bool exact, int steps, int stride,
                       crm_random *random, bench_pair *pairs) {
    bench_pair start = draw_pair(&source->recipe, random);
    carom_vec3 along = crm_random_direction(random), about = crm_random_direction(random), normal;
    for (int k = 0; k < steps; k++) {
        bench_pair *pair = &pairs[k * stride];
        *pair = start;
        pair->pose_b.position = crm_madd(start.pose_b.position, k * BENCH_TRACK_STEP, along);
        pair->pose_b.attitude = crm_quat_step(start.pose_b.attitude, about, k * BENCH_TRACK_STEP);
        if (!exact_state(source, pair, state, exact, &normal)) return false;
        if (state != BENCH_TOUCHING) continue;
        pair->pose_b.position = crm_madd(pair->pose_b.position, -pair->gap, normal);
        find_exact(source, pair, &normal);
    }
    return true;
}

bench_pair_set bench_source_draw(bench_pair_source *source, bench_pair_state state, bool moving) {
    const bench_pair_recipe *recipe = &source->recipe;
    int steps = moving ? BENCH_TRACK_STEPS : 1, tracks = moving ? recipe->track_count : recipe->pair_count;
    int checked = moving ? recipe->track_count * recipe->checked_count / recipe->pair_count : recipe->checked_count;
    if (state == BENCH_TOUCHING) tracks = checked;
    bench_pair_set set = {.state = state,
                          .solid_count = recipe->solid_count,
                          .pair_count = tracks * steps,
                          .track_count = moving ? tracks : 0,
                          .solids = source->solids};
    set.pairs = calloc((size_t)set.pair_count, sizeof *set.pairs);
    if (set.pairs == NULL) return (bench_pair_set){0};
    crm_random random = {.seed = (uint64_t)(1000 * recipe->kind + recipe->vertex_count),
                         .stream = UINT32_MAX - (uint32_t)(2 * state + moving)};
    for (int t = 0; t < tracks;) t += fill_track(source, state, t < checked, steps, tracks, &random, &set.pairs[t]);
    return set;
}

// SPDX-License-Identifier: MIT
#include "overlap/overlap_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/random.h"
#include "carom/distance.h"
#include "math/quat.h"
#include "overlap/counted_ray.h"
#include "support/report.h"
#include "support/timing.h"

enum { SHAPES = 16, PAIRS = 200, ROUNDS = 5 };

// Hulls of points that are uniform on a sphere, 1 m wide, and the distance of the centres at which they touch in the
// mean, m; 0 vertices: cubes.
static const struct solids {
    const char *name;
    int vertex_count;
    double touching;
} solids[] = {{"4 vertices", 4, 0.47},    {"boxes", 0, 1.25},        {"8 vertices", 8, 0.68},
              {"16 vertices", 16, 0.82},  {"32 vertices", 32, 0.89}, {"64 vertices", 64, 0.94},
              {"128 vertices", 128, 0.97}};
enum { KINDS = sizeof solids / sizeof solids[0] };

// A warm pair has moved by this since it was measured last, m and rad, as in the other rows of the benchmark.
static const double moved = 0.005;

// The signs of values nearer to zero than this are rounding, m.
static const double touching = 1e-12;

static void stop(const char *why, int code) {
    fprintf(stderr, "carom: %s\n", why);
    exit(code);
}

static void *room(size_t count, size_t size) {
    void *memory = calloc(count, size);
    if (memory == NULL) stop("no memory for the pairs", 3);
    return memory;
}

// ---- solids

typedef struct solid {
    carom_shape *shape;
    int triangle_count;
    int (*triangles)[3];
} solid;

static carom_shape *make_shape(const struct solids *of, crm_random *random) {
    carom_vec3 points[128];
    carom_shape_def def = carom_shape_def_default(of->vertex_count > 0 ? CAROM_SHAPE_POLYTOPE : CAROM_SHAPE_BOX);
    if (of->vertex_count > 0) {
        carom_vec3 sum = crm_vec3_zero();
        for (int i = 0; i < of->vertex_count; i++) {
            points[i] = crm_scale(0.5, crm_random_direction(random));
            sum = crm_add(sum, points[i]);
        }
        for (int i = 0; i < of->vertex_count; i++) points[i] = crm_madd(points[i], -1.0 / of->vertex_count, sum);
        def.polytope.vertex_count = of->vertex_count;
        def.polytope.vertices = points;
    } else {
        def.box.size = (carom_vec3){1.0, 1.0, 1.0};
    }
    carom_shape *shape;
    carom_error error;
    if (carom_shape_create(&def, NULL, &shape, &error) != CAROM_OK) stop(error.text, 3);
    return shape;
}

static solid make_solid(const struct solids *of, crm_random *random) {
    solid s = {.shape = make_shape(of, random)};
    int facets = carom_shape_facet_count(s.shape);
    s.triangles = room(2 * (size_t)carom_shape_vertex_count(s.shape), sizeof *s.triangles); // there are 2 v - 4
    for (int f = 0; f < facets; f++) {
        carom_facet facet;
        if (carom_shape_get_facet(s.shape, f, &facet, NULL) != CAROM_OK) continue; // there is one
        for (int k = 2; k < facet.vertex_count; k++) {
            int *t = s.triangles[s.triangle_count++];
            t[0] = facet.vertices[0], t[1] = facet.vertices[k - 1], t[2] = facet.vertices[k];
        }
    }
    return s;
}

// ---- pairs

typedef struct pair {
    const solid *of[2];
    carom_pose pose[2], before[2]; // where they are, and were measured last
} pair;

static pair draw_pair(const struct solids *of, const solid *list, crm_random *random) {
    pair p;
    for (int k = 0; k < 2; k++) {
        p.of[k] = &list[crm_random_below(random, SHAPES)];
        p.before[k].attitude = crm_random_rotation(random);
        p.before[k].position = crm_vec3_zero();
    }
    double distance = of->touching * crm_random_between(random, 0.7, 1.3);
    p.before[1].position = crm_scale(distance, crm_random_direction(random));
    p.pose[0] = p.pose[1] = p.before[0];
    p.pose[1].position = crm_madd(p.before[1].position, moved, crm_random_direction(random));
    carom_quat rotation = crm_quat_from_axis_angle(crm_random_direction(random), moved);
    p.pose[1].attitude = crm_quat_normalised(crm_quat_mul(rotation, p.before[1].attitude));
    return p;
}

static carom_view view_of(const solid *s, const carom_pose *pose) {
    carom_view view = carom_view_of(s->shape, *pose);
    view.has_centre = true; // the origin of the frame, which is the mean of the vertices
    return view;
}

static bench_surface surface_of(const solid *s, const carom_pose *pose) {
    size_t vertices = (size_t)carom_shape_vertex_count(s->shape), triangles = (size_t)s->triangle_count;
    return (bench_surface){.vertex_count = (int)vertices,
                           .triangle_count = s->triangle_count,
                           .vertices = carom_shape_vertices(s->shape),
                           .triangles = (const int(*)[3])s->triangles,
                           .rotation = crm_quat_to_mat3(pose->attitude),
                           .position = pose->position,
                           .world = room(vertices, sizeof(carom_vec3)),
                           .normal = room(triangles, sizeof(carom_vec3)),
                           .offset = room(triangles, sizeof(double))};
}

static void free_surface(bench_surface *s) {
    free(s->world);
    free(s->normal);
    free(s->offset);
}

// ---- counts

// Means over the pairs of one state.
typedef struct sums {
    int pairs;
    double vertices, triangles; // of one body
    double triangle_pairs;
    double simplices, cold, warm; // operations
    double formula_simplices, formula_program;
    double simplices_seconds, cold_seconds, warm_seconds;
} sums;

static carom_ray_witness ray_of(const pair *p, const carom_pose pose[2], carom_distance_cache *cache) {
    carom_distance_options options = carom_distance_options_default();
    options.any_solution = true;
    carom_view a = view_of(p->of[0], &pose[0]), b = view_of(p->of[1], &pose[1]);
    carom_ray_witness ray;
    carom_error error;
    if (carom_ray_find(&a, &b, &options, cache, &ray, &error) != CAROM_OK) stop(error.text, 3);
    return ray;
}

// Of the thesis's estimates: 30 a pair of triangles, and 2 (vertices of both + 1)^3.
static void add_formulas(const bench_surface *a, const bench_surface *b, sums *to) {
    double columns = a->vertex_count + b->vertex_count + 1, pairs = (double)a->triangle_count * b->triangle_count;
    to->pairs++;
    to->vertices += 0.5 * (a->vertex_count + b->vertex_count);
    to->triangles += 0.5 * (a->triangle_count + b->triangle_count);
    to->triangle_pairs += pairs;
    to->formula_simplices += 30.0 * pairs;
    to->formula_program += 2.0 * columns * columns * columns;
}

// The answers of both tests, and that of carom's own search; they must be the same.
static bool count_pair(const pair *p, bool *overlapping, sums *to) {
    bench_surface a = surface_of(p->of[0], &p->pose[0]), b = surface_of(p->of[1], &p->pose[1]);
    bench_surface before_b = b;
    before_b.rotation = crm_quat_to_mat3(p->before[1].attitude);
    before_b.position = p->before[1].position;
    int64_t simplices = 0, cold = 0, warm = 0, before = 0;
    bench_basis basis = {.known = false}, none = {.known = false};
    bool overlap = bench_simplices_overlap(&a, &b, &simplices);
    bench_counted_ray(&a, &before_b, &basis, &before);
    double again = bench_counted_ray(&a, &b, &basis, &warm), value = bench_counted_ray(&a, &b, &none, &cold);
    carom_ray_witness ray = ray_of(p, p->pose, NULL);
    *overlapping = ray.value < 0.0;
    sums *state = &to[*overlapping];
    add_formulas(&a, &b, state);
    state->simplices += (double)simplices;
    state->cold += (double)cold;
    state->warm += (double)warm;
    free_surface(&a);
    free_surface(&b);
    bool same = fabs(value - ray.value) <= 1e-12 && fabs(again - ray.value) <= 1e-12;
    return same && (overlap == *overlapping || fabs(ray.value) <= touching);
}

// ---- times

static double time_simplices(const pair *pairs, const bool *chosen, int count) {
    double times[ROUNDS];
    bench_surface *s = room(2 * PAIRS, sizeof *s);
    for (int i = 0; i < 2 * PAIRS; i++) s[i] = surface_of(pairs[i / 2].of[i % 2], &pairs[i / 2].pose[i % 2]);
    for (int round = 0; round < ROUNDS; round++) {
        double start = crm_clock_thread_seconds();
        for (int i = 0; i < PAIRS; i++)
            if (chosen[i]) (void)bench_simplices_overlap(&s[2 * i], &s[2 * i + 1], NULL);
        times[round] = (crm_clock_thread_seconds() - start) / count;
    }
    for (int i = 0; i < 2 * PAIRS; i++) free_surface(&s[i]);
    free(s);
    return bench_median(times, ROUNDS);
}

static double time_rays(const pair *pairs, const bool *chosen, int count, bool warm) {
    double times[ROUNDS];
    carom_distance_cache *caches = room(PAIRS, sizeof *caches);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < PAIRS; i++) {
            caches[i] = (carom_distance_cache){0};
            if (warm && chosen[i]) (void)ray_of(&pairs[i], pairs[i].before, &caches[i]);
        }
        double start = crm_clock_thread_seconds();
        for (int i = 0; i < PAIRS; i++)
            if (chosen[i]) (void)ray_of(&pairs[i], pairs[i].pose, &caches[i]);
        times[round] = (crm_clock_thread_seconds() - start) / count;
    }
    free(caches);
    return bench_median(times, ROUNDS);
}

// ---- rows

static void print_row(bool json, const char *bench, const char *name, const char *unit, double ray, double simplices) {
    bench_row row = bench_row_of(bench, name, unit);
    row.carom = ray;
    row.peer = "overlapping simplices";
    row.peer_value = simplices;
    bench_print_row(json, &row);
}

static void print_state(bool json, const char *bench, const struct solids *of, bool overlapping, const sums *s) {
    char name[96];
    const char *state = overlapping ? "overlapping" : "apart";
    double n = s->pairs;
    snprintf(name, sizeof name, "%s, %s: operations, cold", of->name, state);
    print_row(json, bench, name, "flops", s->cold / n, s->simplices / n);
    snprintf(name, sizeof name, "%s, %s: operations, warm", of->name, state);
    print_row(json, bench, name, "flops", s->warm / n, s->simplices / n);
    snprintf(name, sizeof name, "%s, %s: the document's estimate", of->name, state);
    print_row(json, bench, name, "flops", s->formula_program / n, s->formula_simplices / n);
    snprintf(name, sizeof name, "%s, %s: time, cold", of->name, state);
    print_row(json, bench, name, "ns", 1e9 * s->cold_seconds, 1e9 * s->simplices_seconds);
    snprintf(name, sizeof name, "%s, %s: time, warm", of->name, state);
    print_row(json, bench, name, "ns", 1e9 * s->warm_seconds, 1e9 * s->simplices_seconds);
    if (json) return;
    printf("    %d pairs, %.1f vertices and %.1f triangles a body, %.1f flops a pair of triangles\n", s->pairs,
           s->vertices / n, s->triangles / n, s->simplices / s->triangle_pairs);
}

static void print_solids(bool json, const char *bench, const struct solids *of) {
    crm_random random = {.seed = 2272};
    solid list[SHAPES];
    for (int i = 0; i < SHAPES; i++) list[i] = make_solid(of, &random);
    pair *pairs = room(PAIRS, sizeof *pairs);
    bool chosen[2][PAIRS] = {{false}};
    sums of_state[2] = {{0}};
    int wrong = 0;
    for (int i = 0; i < PAIRS; i++) {
        bool overlapping;
        pairs[i] = draw_pair(of, list, &random);
        if (!count_pair(&pairs[i], &overlapping, of_state)) wrong++;
        chosen[overlapping][i] = true;
    }
    for (int k = 0; k < 2; k++) {
        sums *s = &of_state[k];
        if (s->pairs == 0) stop("no pair of a state: mend the distances at which solids touch", 3);
        s->simplices_seconds = time_simplices(pairs, chosen[k], s->pairs);
        s->cold_seconds = time_rays(pairs, chosen[k], s->pairs, false);
        s->warm_seconds = time_rays(pairs, chosen[k], s->pairs, true);
        print_state(json, bench, of, k == 1, s);
    }
    free(pairs);
    for (int i = 0; i < SHAPES; i++) {
        carom_shape_destroy(list[i].shape);
        free(list[i].triangles);
    }
    if (wrong == 0) return;
    fprintf(stderr, "carom: %s: %d of %d pairs have other answers by the other test\n", of->name, wrong, PAIRS);
    exit(1);
}

void bench_print_overlaps(bool json, const char *bench) {
    bench_print_heading(json, "do two polytopes overlap: the centre ray beside overlapping oriented simplices");
    for (int k = 0; k < KINDS; k++) print_solids(json, bench, &solids[k]);
}

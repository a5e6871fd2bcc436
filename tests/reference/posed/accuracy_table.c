// SPDX-License-Identifier: MIT
#include "reference/posed/accuracy_table.h"

#include <math.h>
#include <stddef.h>

#include "reference/polytope/convex_body.h"

const accuracy_placement accuracy_placements[ACCURACY_PLACEMENTS] = {
    {"2 mm apart", 0.002},
    {"touching", 0.0},
    {"2 mm deep", -0.002},
};

const char *const accuracy_quantities[2][ACCURACY_QUANTITIES] = {
    [POSED_GAP] = {"gap", "normal", "points", "gradient"},
    [POSED_RAY] = {"value", "alpha", "points", "gradient"},
};

// ---- shapes

enum { HULL_VERTICES = 20 };
// In the order of the kinds: capsule, box, tetrahedron, polytope.
enum { FIRST_WITH_EDGES = 2, KINDS_WITH_EDGES = 4 };

typedef struct recipe {
    const char *name;
    carom_shape_def def[2];
} recipe;

static carom_shape_def sphere_of(double radius) {
    return (carom_shape_def){
        .struct_size = sizeof(carom_shape_def), .kind = CAROM_SHAPE_SPHERE, .sphere.radius = radius};
}

static carom_shape_def ellipsoid_of(double x, double y, double z) {
    return (carom_shape_def){
        .struct_size = sizeof(carom_shape_def), .kind = CAROM_SHAPE_ELLIPSOID, .ellipsoid.half_axes = {x, y, z}};
}

static carom_shape_def box_of(double x, double y, double z) {
    return (carom_shape_def){.struct_size = sizeof(carom_shape_def), .kind = CAROM_SHAPE_BOX, .box.size = {x, y, z}};
}

static carom_shape_def capsule_of(double radius, double length) {
    return (carom_shape_def){
        .struct_size = sizeof(carom_shape_def), .kind = CAROM_SHAPE_CAPSULE, .capsule = {radius, length}};
}

static carom_shape_def tetrahedron_of(double edge) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_TETRAHEDRON;
    def.polytope.edge = edge;
    return def;
}

// All points on an ellipsoid, hence all extreme.
static carom_shape_def hull_of(uint64_t seed, carom_vec3 half_axes, carom_vec3 points[HULL_VERTICES]) {
    sampler s = {.seed = seed};
    for (int i = 0; i < HULL_VERTICES; i++) {
        carom_vec3 u = sample_unit(&s);
        points[i] = (carom_vec3){half_axes.x * u.x, half_axes.y * u.y, half_axes.z * u.z};
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.vertex_count = HULL_VERTICES;
    def.polytope.vertices = points;
    return def;
}

static carom_shape_def half_space_of(carom_vec3 normal, double offset) {
    return (carom_shape_def){
        .struct_size = sizeof(carom_shape_def), .kind = CAROM_SHAPE_HALF_SPACE, .half_space = {normal, offset}};
}

static carom_shape_def container_of(double radius) {
    return (carom_shape_def){
        .struct_size = sizeof(carom_shape_def), .kind = CAROM_SHAPE_CONTAINER, .container.radius = radius};
}

static carom_compound_part part_of(const carom_shape_def *def, double x, double y, double z, carom_quat attitude) {
    return (carom_compound_part){.shape = def, .pose = {{x, y, z}, attitude}, .density = 1.0};
}

bool accuracy_kinds_create(accuracy_kind kinds[ACCURACY_KINDS], carom_error *error) {
    carom_vec3 points[2][HULL_VERTICES];
    // A mallet: its head an ellipsoid or a box, its handle a capsule, with something round or sharp at the end.
    carom_shape_def head[2] = {box_of(0.07, 0.12, 0.06), ellipsoid_of(0.035, 0.06, 0.03)};
    carom_shape_def handle = capsule_of(0.015, 0.12), end[2] = {sphere_of(0.025), tetrahedron_of(0.07)};
    carom_quat along_x = {0.6, 0.0, 0.8, 0.0}, rotated = {0.9, 0.3, -0.2, 0.3};
    carom_compound_part parts[2][3];
    for (int k = 0; k < 2; k++) {
        parts[k][0] = part_of(&head[k], 0.06, 0.0, 0.0, rotated);
        parts[k][1] = part_of(&handle, 0.0, 0.0, 0.0, along_x);
        parts[k][2] = part_of(&end[k], -0.07, 0.01, 0.02, rotated);
    }
    carom_shape_def mallet = {.struct_size = sizeof(carom_shape_def),
                              .kind = CAROM_SHAPE_COMPOUND,
                              .compound = {3, parts[0]}},
                    club = mallet;
    club.compound.parts = parts[1];
    const recipe recipes[ACCURACY_KINDS] = {
        {"sphere", {sphere_of(0.1), sphere_of(0.08)}},
        {"ellipsoid", {ellipsoid_of(0.1, 0.07, 0.05), ellipsoid_of(0.06, 0.1, 0.08)}},
        {"capsule", {capsule_of(0.05, 0.1), capsule_of(0.03, 0.14)}},
        {"box", {box_of(0.2, 0.15, 0.1), box_of(0.08, 0.2, 0.12)}},
        {"tetrahedron", {tetrahedron_of(0.2), tetrahedron_of(0.17)}},
        {"polytope",
         {hull_of(1, (carom_vec3){0.1, 0.1, 0.1}, points[0]), hull_of(2, (carom_vec3){0.1, 0.08, 0.06}, points[1])}},
        {"compound", {mallet, club}},
        {"half-space", {half_space_of((carom_vec3){0.0, 0.0, 1.0}, 0.0), half_space_of((carom_vec3){1, 2, -3}, 0.05)}},
        {"container", {container_of(0.3), container_of(0.5)}},
    };
    for (int i = 0; i < ACCURACY_KINDS; i++) kinds[i] = (accuracy_kind){.name = recipes[i].name};
    for (int i = 0; i < 2 * ACCURACY_KINDS; i++) {
        carom_status status = carom_shape_create(&recipes[i / 2].def[i % 2], NULL, &kinds[i / 2].shape[i % 2], error);
        if (status == CAROM_OK) continue;
        accuracy_kinds_destroy(kinds);
        return false;
    }
    return true;
}

void accuracy_kinds_destroy(accuracy_kind kinds[ACCURACY_KINDS]) {
    for (int i = 0; i < 2 * ACCURACY_KINDS; i++) carom_shape_destroy(kinds[i / 2].shape[i % 2]);
}

bool accuracy_has(int first, int second, posed_measure measure) {
    bool contained = second == ACCURACY_KINDS - 1;
    return first <= second && first < ACCURACY_BOUNDED && !(contained && measure == POSED_RAY);
}

// ---- errors

static double off(carom_vec3 got, wide3 wanted) {
    return (double)wide3_norm(wide3_sub((wide3){got.x, got.y, got.z}, wanted));
}

static double off_gradient(const carom_pose_gradient *got, const posed_gradient *wanted, double scale) {
    double translation =
        fmax(off(got->translation_a, wanted->translation_a), off(got->translation_b, wanted->translation_b));
    double rotation = fmax(off(got->rotation_a, wanted->rotation_a), off(got->rotation_b, wanted->rotation_b));
    return fmax(translation, rotation / ACCURACY_SIZE) / scale;
}

static bool is_finite(const carom_pose_gradient *g) {
    return isfinite(g->translation_a.x + g->translation_a.y + g->translation_a.z) &&
           isfinite(g->rotation_a.x + g->rotation_a.y + g->rotation_a.z) &&
           isfinite(g->translation_b.x + g->translation_b.y + g->translation_b.z) &&
           isfinite(g->rotation_b.x + g->rotation_b.y + g->rotation_b.z);
}

static void note(double error, double *worst) {
    if (!(error <= *worst)) *worst = isfinite(error) ? error : INFINITY;
}

static void note_all(const posed_pair *p, double value, carom_vec3 slope, carom_vec3 point_a, carom_vec3 point_b,
                     const carom_pose_gradient *gradient, accuracy_errors *e) {
    double scale = (double)wide3_norm(p->slope); // of alpha, which grows when the ray grazes
    note(fabs(value - p->value) / ACCURACY_SIZE, &e->worst[0]);
    note(off(slope, p->slope) / scale, &e->worst[1]);
    note(fmax(off(point_a, p->point_a), off(point_b, p->point_b)) / ACCURACY_SIZE, &e->worst[2]);
    note(is_finite(gradient) ? off_gradient(gradient, &p->gradient, scale) : INFINITY, &e->worst[3]);
}

static void note_failure(accuracy_errors *e) {
    for (int q = 0; q < ACCURACY_QUANTITIES; q++) e->worst[q] = INFINITY;
}

static void note_gap(const posed_pair *p, const carom_gap_witness *w, accuracy_errors *e) {
    carom_pose_gradient gradient;
    carom_gap_gradient(&p->a, &p->b, w, &gradient);
    note_all(p, w->gap, w->normal, w->point_a, w->point_b, &gradient, e);
}

static void note_ray(const posed_pair *p, const carom_ray_witness *w, accuracy_errors *e) {
    carom_pose_gradient gradient;
    carom_ray_gradient(&p->a, &p->b, w, &gradient, NULL);
    note_all(p, w->value, w->alpha, w->point_a, w->point_b, &gradient, e);
}

static void ask(const posed_pair *p, posed_measure measure, const carom_distance_options *options,
                carom_distance_cache *cache, accuracy_errors *e) {
    carom_gap_witness gap;
    carom_ray_witness ray;
    carom_status status;
    if (measure == POSED_GAP) {
        status = carom_gap_find(&p->a, &p->b, options, cache, &gap, NULL);
        note_gap(p, &gap, e);
    } else {
        status = carom_ray_find(&p->a, &p->b, options, cache, &ray, NULL);
        note_ray(p, &ray, e);
    }
    if (status != CAROM_OK) note_failure(e);
}

accuracy_errors accuracy_measure(const carom_shape *first, const carom_shape *second, posed_measure measure,
                                 double value, int poses, uint64_t seed) {
    enum { GROUP = 50 };
    accuracy_errors e = {.poses = poses};
    sampler s = {.seed = seed};
    carom_distance_options any = carom_distance_options_default();
    any.any_solution = true;
    for (int done = 0; done < poses;) {
        posed_pair pair[GROUP];
        carom_view a[GROUP], b[GROUP];
        carom_gap_witness many[GROUP];
        int count = poses - done < GROUP ? poses - done : GROUP;
        for (int i = 0; i < count; i++) {
            carom_distance_cache cache = {0};
            e.passed_over += posed_pair_draw(&s, first, second, measure, value, &pair[i]);
            ask(&pair[i], measure, NULL, &cache, &e);
            ask(&pair[i], measure, NULL, &cache, &e);
            ask(&pair[i], measure, &any, NULL, &e);
            a[i] = pair[i].a;
            b[i] = pair[i].b;
        }
        done += count;
        if (measure == POSED_RAY) continue;
        if (carom_gaps_find(count, a, b, NULL, NULL, many, NULL) != CAROM_OK) note_failure(&e);
        for (int i = 0; i < count; i++) note_gap(&pair[i], &many[i], &e);
    }
    return e;
}

// ---- ties

// The contact row of a gap has a unit normal; alpha is at least as long.
static bool is_row(const carom_pose_gradient *g, posed_measure measure) {
    carom_vec3 b = g->translation_b;
    double length = sqrt(b.x * b.x + b.y * b.y + b.z * b.z);
    return is_finite(g) && length >= 1.0 - ACCURACY_BOUND && (measure == POSED_RAY || length <= 1.0 + ACCURACY_BOUND);
}

static void ask_tie(const posed_tie *t, posed_measure measure, accuracy_tie_errors *e) {
    carom_gap_witness gap;
    carom_ray_witness ray;
    carom_pose_gradient gradient;
    carom_status status;
    if (measure == POSED_GAP) {
        status = carom_gap_find(&t->a, &t->b, NULL, NULL, &gap, NULL);
        carom_gap_gradient(&t->a, &t->b, &gap, &gradient);
        note(fabs(gap.gap) / ACCURACY_SIZE, &e->value);
        note(proof_defect(prove_gap(&t->a, &t->b, &gap)) / ACCURACY_SIZE, &e->proof);
    } else {
        status = carom_ray_find(&t->a, &t->b, NULL, NULL, &ray, NULL);
        carom_ray_gradient(&t->a, &t->b, &ray, &gradient, NULL);
        note(fabs(ray.value) / ACCURACY_SIZE, &e->value);
        note(proof_defect(prove_ray(&t->a, &t->b, &ray)) / ACCURACY_SIZE, &e->proof);
    }
    if (status != CAROM_OK || !is_row(&gradient, measure)) e->broken++;
}

accuracy_tie_errors accuracy_measure_tie(const accuracy_kind kinds[ACCURACY_KINDS], int tie, posed_measure measure,
                                         int poses, uint64_t seed) {
    accuracy_tie_errors e = {.poses = poses};
    sampler s = {.seed = seed};
    for (int done = 0; done < poses;) {
        const accuracy_kind *first = &kinds[FIRST_WITH_EDGES + crm_random_below(&s, KINDS_WITH_EDGES)];
        const accuracy_kind *second = &kinds[FIRST_WITH_EDGES + crm_random_below(&s, KINDS_WITH_EDGES)];
        posed_tie t;
        if (!posed_tie_draw(&s, first->shape[0], second->shape[1], tie, &t)) continue;
        ask_tie(&t, measure, &e);
        done++;
    }
    return e;
}

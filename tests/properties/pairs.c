// SPDX-License-Identifier: MIT
#include "properties/pairs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"

static carom_shape *make(const carom_shape_def *def) {
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(def, NULL, &shape, &error) == CAROM_OK) return shape;
    fprintf(stderr, "carom: a random shape was refused: %s\n", error.text);
    exit(3);
}

// ---- bodies

// The largest is `size`, the others are down to 1/aspect of it.
static carom_vec3 sample_sizes(sampler *s, double size, double aspect) {
    double x = pow(aspect, -sample_between(s, 0.0, 1.0)), y = pow(aspect, -sample_between(s, 0.0, 1.0));
    carom_vec3 v = {x, y, pow(aspect, -sample_between(s, 0.0, 1.0))};
    return crm_scale(size / crm_max_component(v), v);
}

// On an ellipsoid, so that all are vertices, or in it.
static int sample_points_of(sampler *s, carom_vec3 sizes, int least, bool inside, carom_vec3 *points) {
    int count = least + (int)crm_random_below(s, (uint64_t)(PAIR_POINTS - least + 1));
    for (int i = 0; i < count; i++) {
        double r = inside ? cbrt(sample_between(s, 0.0, 1.0)) : 1.0;
        points[i] = crm_scale(r, crm_vec3_mul(sizes, sample_unit(s)));
    }
    return count;
}

static carom_shape *make_hull(sampler *s, carom_vec3 sizes, carom_vec3 *points) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    // A corner of a box in every octant, so that the solid has volume.
    def.polytope.vertex_count = sample_points_of(s, sizes, 8, crm_random_below(s, 2) == 0, points);
    for (int i = 0; i < 4; i++)
        points[i] = crm_vec3_mul(sizes, crm_vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i % 3 == 0 ? 0.5 : -0.5));
    def.polytope.vertices = points;
    def.polytope.centre = crm_random_below(s, 2) == 0 ? CAROM_CENTRE_VERTEX_MEAN : CAROM_CENTRE_OF_MASS;
    return make(&def);
}

// Planes that touch an ellipsoid, with those of a box around it.
static carom_shape *make_half_spaces(sampler *s, carom_vec3 sizes) {
    enum { MOST = 24 };
    carom_half_space half_space[MOST];
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    def.polytope.form = CAROM_POLYTOPE_HALF_SPACES;
    def.polytope.half_space_count = 6 + (int)crm_random_below(s, MOST - 5);
    def.polytope.half_spaces = half_space;
    for (int i = 0; i < def.polytope.half_space_count; i++) {
        carom_vec3 u = sample_unit(s);
        if (i < 6) u = crm_with_component(crm_vec3_zero(), i % 3, i < 3 ? 1.0 : -1.0);
        carom_vec3 n = crm_vec3(u.x / sizes.x, u.y / sizes.y, u.z / sizes.z);
        half_space[i] = (carom_half_space){n, 1.0};
    }
    // A few of a thousand sets of long solids are refused; without their last planes they are not.
    carom_shape *shape = NULL;
    while (def.polytope.half_space_count > 6 && carom_shape_create(&def, NULL, &shape, NULL) != CAROM_OK)
        def.polytope.half_space_count--;
    return shape != NULL ? shape : make(&def);
}

static carom_shape *make_compound(sampler *s, carom_vec3 sizes) {
    carom_shape_def part[3] = {carom_shape_def_default(CAROM_SHAPE_BOX), carom_shape_def_default(CAROM_SHAPE_SPHERE),
                               carom_shape_def_default(CAROM_SHAPE_ELLIPSOID)};
    carom_compound_part placed[3];
    part[0].box.size = sizes;
    part[1].sphere.radius = 0.5 * sizes.x;
    part[2].ellipsoid.half_axes = sizes;
    for (int i = 0; i < 3; i++) {
        placed[i] = carom_compound_part_default();
        placed[i].shape = &part[i];
        placed[i].pose = (carom_pose){crm_vec3_mul(sizes, sample_unit(s)), sample_attitude(s)};
    }
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    def.compound.part_count = 2 + (int)crm_random_below(s, 2);
    def.compound.parts = placed;
    return make(&def);
}

static carom_shape *make_shape(sampler *s, pair_body_kind kind, carom_vec3 sizes, carom_vec3 *points) {
    carom_shape_def def;
    double largest = crm_max_component(sizes);
    switch (kind) {
    case PAIR_SPHERE:
        def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
        def.sphere.radius = largest;
        return make(&def);
    case PAIR_ELLIPSOID:
        def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
        def.ellipsoid.half_axes = sizes;
        return make(&def);
    case PAIR_CAPSULE:
        def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
        def.capsule.radius = sizes.x * largest / fmax(sizes.x, sizes.y);
        def.capsule.length = sizes.y * largest / fmax(sizes.x, sizes.y);
        return make(&def);
    case PAIR_BOX:
        def = carom_shape_def_default(CAROM_SHAPE_BOX);
        def.box.size = sizes;
        return make(&def);
    case PAIR_HULL:
        return make_hull(s, sizes, points);
    case PAIR_HALF_SPACES:
        return make_half_spaces(s, sizes);
    case PAIR_COMPOUND:
        return make_compound(s, sizes);
    case PAIR_PLANE:
        def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
        def.half_space.normal = sample_unit(s);
        def.half_space.offset = sample_between(s, -1.0, 1.0) * sizes.x;
        return make(&def);
    case PAIR_CONTAINER:
        def = carom_shape_def_default(CAROM_SHAPE_CONTAINER);
        def.container.radius = 3.0 * sizes.x;
        return make(&def);
    default:
        def = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
        def.polytope.form = kind == PAIR_TETRAHEDRON ? CAROM_POLYTOPE_TETRAHEDRON
                            : kind == PAIR_PYRAMID   ? CAROM_POLYTOPE_PYRAMID
                                                     : CAROM_POLYTOPE_PRISM;
        def.polytope.edge = largest;
        def.polytope.radius = sizes.x * largest / fmax(sizes.x, sizes.y);
        def.polytope.height = sizes.y * largest / fmax(sizes.x, sizes.y);
        def.polytope.sides = 3 + (int)crm_random_below(s, 10);
        return make(&def);
    }
}

static void make_vertices(sampler *s, carom_vec3 sizes, pair_body *out) {
    out->vertex_count = sample_points_of(s, sizes, 4, true, out->vertex);
    uint64_t flat = crm_random_below(s, 12);
    if (flat < 3) out->vertex_count = 1 + (int)flat;
    carom_vec3 mean = crm_vec3_zero();
    for (int i = 0; i < out->vertex_count; i++) mean = crm_madd(mean, 1.0 / out->vertex_count, out->vertex[i]);
    out->radius = 0.0;
    for (int i = 0; i < out->vertex_count; i++) out->radius = fmax(out->radius, crm_distance(out->vertex[i], mean));
    if (out->vertex_count == 1) out->radius = crm_max_component(sizes);
}

static void make_body(sampler *s, pair_body_kind kind, double size, double aspect, pair_body *out) {
    carom_vec3 sizes = sample_sizes(s, size, aspect);
    out->kind = kind;
    out->shape = NULL;
    if (kind == PAIR_VERTICES) {
        make_vertices(s, sizes, out);
        return;
    }
    out->shape = make_shape(s, kind, sizes, out->vertex);
    out->vertex_count = carom_shape_vertex_count(out->shape);
    bool unbounded = kind == PAIR_PLANE || kind == PAIR_CONTAINER;
    out->radius = unbounded ? sizes.x : carom_shape_bounding_radius(out->shape);
}

// ---- batches

static bool is_ordinary(uint64_t batch) {
    return batch % 2 == 0;
}

void pair_batch_make(uint64_t seed, uint64_t number, pair_batch *out) {
    sampler s = {.seed = seed, .stream = (uint32_t)(2 * number)};
    out->seed = seed;
    out->number = number;
    bool ordinary = is_ordinary(number), mixed = number % 4 == 3;
    double base = ordinary ? 0.5 : pow(10.0, sample_between(&s, -6.0, mixed ? 0.0 : 6.0));
    for (int i = 0; i < PAIR_BODIES; i++) {
        double size = base * pow(ordinary ? 10.0 : mixed ? 1e6 : 1.0, sample_between(&s, 0.0, 1.0));
        make_body(&s, (pair_body_kind)(i % PAIR_KINDS), size, ordinary ? 10.0 : 1000.0, &out->body[i]);
    }
}

void pair_batch_free(pair_batch *batch) {
    for (int i = 0; i < PAIR_BODIES; i++) carom_shape_destroy(batch->body[i].shape);
}

// ---- views

carom_vec3 pair_centre(const carom_view *view) {
    carom_vec3 local = crm_vec3_zero();
    if (view->has_centre) {
        local = view->centre;
    } else if (view->shape != NULL) {
        local = carom_shape_centre(view->shape);
    } else {
        for (int i = 0; i < view->vertex_count; i++)
            local = crm_madd(local, 1.0 / view->vertex_count, view->vertices[i]);
    }
    return crm_add(view->pose.position, crm_quat_rotate(view->pose.attitude, local));
}

int pair_vertices(const carom_view *view, int room, carom_vec3 *out) {
    int count = view->shape != NULL ? carom_shape_vertex_count(view->shape) : view->vertex_count;
    const carom_vec3 *vertex = view->shape != NULL ? carom_shape_vertices(view->shape) : view->vertices;
    if (count > room) return 0;
    for (int i = 0; i < count; i++)
        out[i] = crm_add(view->pose.position, crm_quat_rotate(view->pose.attitude, vertex[i]));
    return count;
}

static carom_quat right_angles(sampler *s) {
    const double r = sqrt(0.5);
    carom_quat q = crm_quat_identity();
    const carom_quat rotation[3] = {{r, r, 0, 0}, {r, 0, r, 0}, {r, 0, 0, r}};
    for (int i = 0; i < 3; i++)
        if (crm_random_below(s, 2) == 0) q = crm_quat_mul(rotation[i], q);
    return crm_quat_normalised(q);
}

static carom_view view_of(sampler *s, const pair_body *body, bool aligned) {
    carom_pose pose = {crm_vec3_zero(), aligned ? right_angles(s) : sample_attitude(s)};
    carom_view view = body->shape != NULL ? carom_view_of(body->shape, pose)
                                          : carom_view_of_vertices(body->vertex_count, body->vertex);
    view.pose = pose;
    // Another interior point for an eighth of the bodies with corners.
    if (crm_random_below(s, 8) == 0 && body->shape != NULL && body->vertex_count > 0) {
        const carom_vec3 *vertex = carom_shape_vertices(body->shape);
        carom_vec3 c = carom_shape_centre(body->shape);
        view.centre = crm_madd(c, 0.3, crm_sub(vertex[crm_random_below(s, (uint64_t)body->vertex_count)], c));
        view.has_centre = true;
    }
    return view;
}

static void shift_by(carom_view *view, carom_vec3 shift) {
    view->pose.position = crm_add(view->pose.position, shift);
}

static bool is_unbounded(const pair_body *body) {
    return body->kind == PAIR_PLANE || body->kind == PAIR_CONTAINER;
}

// Two planes are none; nor are points, segments and triangles, whose difference may have no inside for a ray to enter.
static bool is_a_pair(const pair_body *a, const pair_body *b) {
    if (is_unbounded(a) && is_unbounded(b)) return false;
    return a->kind != PAIR_VERTICES || b->kind != PAIR_VERTICES || a->vertex_count > 3 || b->vertex_count > 3;
}

// Moves B along the line of centres until the ray's value is `value`; the second time takes rounding away.
static void bring_to(double value, carom_view *a, carom_view *b) {
    for (int i = 0; i < 2; i++) {
        carom_ray_witness ray;
        if (carom_ray_find(a, b, NULL, NULL, &ray, NULL) != CAROM_OK || ray.outcome != CAROM_RAY_MEETS) return;
        shift_by(b, crm_scale(value - ray.value, ray.beta));
    }
}

distance_pair pair_of(const pair_batch *batch, int index) {
    distance_pair p = {.number = batch->number * PAIR_BATCH + (uint64_t)index, .ordinary = is_ordinary(batch->number)};
    sampler s = {.seed = batch->seed, .stream = (uint32_t)(2 * batch->number + 1), .index = 64 * (uint64_t)index};
    p.body[0] = &batch->body[crm_random_below(&s, PAIR_BODIES)];
    do p.body[1] = &batch->body[crm_random_below(&s, PAIR_BODIES)];
    while (!is_a_pair(p.body[0], p.body[1]));
    uint64_t place = crm_random_below(&s, 50);
    p.place = place == 0 ? PAIR_COINCIDENT : place <= 10 ? PAIR_NEAR : (pair_place)(place % PAIR_PLACES);
    double r[2] = {p.body[0]->radius, p.body[1]->radius}, small = fmin(r[0], r[1]);
    p.sizes = r[0] + r[1];
    for (int k = 0; k < 2; k++) p.view[k] = view_of(&s, p.body[k], p.place == PAIR_ALIGNED);
    bool surrounded = is_unbounded(p.body[0]) || is_unbounded(p.body[1]);
    bool compound = p.body[0]->kind == PAIR_COMPOUND || p.body[1]->kind == PAIR_COMPOUND;
    p.convex = !surrounded && !compound;
    p.sharp = p.convex;
    for (int k = 0; k < 2; k++) p.sharp = p.sharp && p.body[k]->kind >= PAIR_BOX;

    // Both centres at the origin first.
    for (int k = 0; k < 2; k++) shift_by(&p.view[k], crm_negate(pair_centre(&p.view[k])));
    carom_vec3 u = sample_unit(&s);
    double exponent = sample_between(&s, 0.0, 1.0);
    double distance = p.sizes * sample_between(&s, 0.0, 1.2);
    if (p.place == PAIR_FAR) distance = p.sizes * pow(100.0, exponent);
    if (p.place == PAIR_DEEP) distance = small * pow(1e-8, exponent);
    if (p.place == PAIR_COINCIDENT) distance = 0.0;
    shift_by(&p.view[1], crm_scale(distance, u));
    if (p.place == PAIR_ALIGNED) {
        // Multiples of half of a size along the axes, so that faces, edges and corners meet.
        carom_vec3 steps =
            crm_vec3((double)crm_random_below(&s, 3), (double)crm_random_below(&s, 3), (double)crm_random_below(&s, 3));
        shift_by(&p.view[1], crm_sub(crm_scale(0.5 * small, steps), crm_scale(distance, u)));
    }
    double value = 0.01 * small * pow(1e-10, exponent) * (crm_random_below(&s, 2) == 0 ? 1.0 : -1.0);
    if (p.convex && (p.place == PAIR_TOUCHING || p.place == PAIR_SHALLOW))
        bring_to(p.place == PAIR_TOUCHING ? 0.0 : value, &p.view[0], &p.view[1]);
    // The pair somewhere near the origin.
    carom_vec3 shift = crm_scale(p.sizes, sample_unit(&s));
    for (int k = 0; k < 2; k++) shift_by(&p.view[k], shift);
    return p;
}

// SPDX-License-Identifier: MIT
#include "worlds/bed_packing.h"

#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "carom/distance.h"
#include "math/quat.h"

enum { N = BENCH_CELL_BODIES, MOST_NEIGHBOURS = 100 * N, SWEEPS = 200, MOST_DEEP = N / 100, SWEEPS_OF_LIST = 10 };

static const double first_packing = 0.3; // loose enough that pushing alone undoes the random start
// Of the density, once at the end, for bodies of one size: turns clearances into overlaps that are as slight.
static const double closing = 0.02;
static const double pressing = 1.03; // of the density, each time
// Bodies are pushed apart until they are this far from each other, over the smallest body's diameter: what is pushed to
// touch exactly comes there in infinitely many sweeps only.
static const double clearance = 0.002;
// An overlap, over the smaller body's diameter, that does not count as touching any more. A cell is jammed when sweeps
// leave more than MOST_DEEP of them.
static const double deep = 0.01;
// By how much more than touching two may be apart to be listed as neighbours, over the smallest body's diameter.
static const double list_margin = 0.2;
static const double least_aspect = 0.6; // of the half axes or edges of one body

typedef struct packing {
    bench_cell *cell;
    carom_shape *shapes[N], *floor, *lid;
    double mass[N], inertia[N], radius[N]; // of density 1; the inertia of a ball that is about as large
    double height;                         // of the lid, m
    int neighbour_count;
    int neighbours[MOST_NEIGHBOURS][2]; // pairs that are near enough to meet soon
} packing;

// ---- what is packed

static double volume_of(const bench_bed_body *body) {
    double block = body->half.x * body->half.y * body->half.z;
    return body->is_box ? 8.0 * block : 4.0 / 3.0 * acos(-1.0) * block;
}

// Diameters are uniform in their logarithm.
static void draw_body(const bench_bed_recipe *recipe, crm_random *random, bench_bed_body *body) {
    body->is_box = crm_random_uniform(random) < recipe->box_share;
    double diameter = recipe->smallest * pow(recipe->ratio, crm_random_uniform(random));
    carom_vec3 half = {1.0, crm_random_between(random, least_aspect, 1.0),
                       crm_random_between(random, least_aspect, 1.0)};
    body->half = crm_scale(0.5 * diameter / (body->is_box ? crm_length(half) : 1.0), half);
    body->rest.position.x = crm_random_uniform(random);
    body->rest.position.y = crm_random_uniform(random);
    body->rest.position.z = crm_random_uniform(random);
    body->rest.attitude = crm_random_rotation(random);
}

static carom_shape *plane(double up) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.half_space.normal.z = up;
    carom_shape *shape = NULL;
    carom_shape_create(&def, NULL, &shape, NULL);
    return shape;
}

static bool start_packing(const bench_bed_recipe *recipe, packing *p) {
    crm_random random = {.seed = (uint64_t)(1000.0 * recipe->box_share + recipe->ratio)};
    double volume = 0.0;
    bool good = (p->floor = plane(1.0)) != NULL && (p->lid = plane(-1.0)) != NULL;
    for (int i = 0; i < N && good; i++) {
        bench_bed_body *body = &p->cell->bodies[i];
        draw_body(recipe, &random, body);
        good = (p->shapes[i] = bench_bed_shape(body)) != NULL;
        p->mass[i] = volume_of(body);
        p->inertia[i] = 0.2 * p->mass[i] * crm_length_squared(body->half);
        p->radius[i] = bench_bed_radius(body);
        volume += p->mass[i];
    }
    double side = cbrt(volume / first_packing);
    p->cell->length = p->cell->width = p->height = side;
    p->cell->packing = first_packing;
    for (int i = 0; i < N; i++) p->cell->bodies[i].rest.position = crm_scale(side, p->cell->bodies[i].rest.position);
    return good;
}

// ---- pressing

// Pushes the point `at` of a body by an impulse: mass times metres.
static void push(packing *p, int i, carom_vec3 at, carom_vec3 impulse) {
    carom_pose *pose = &p->cell->bodies[i].rest;
    carom_vec3 rotation = crm_cross(crm_sub(at, pose->position), impulse);
    pose->position = crm_madd(pose->position, 1.0 / p->mass[i], impulse);
    pose->attitude = crm_quat_step(pose->attitude, rotation, 1.0 / p->inertia[i]);
}

// How far a unit impulse along n at a point moves it along n.
static double softness(const packing *p, int i, carom_vec3 at, carom_vec3 n) {
    carom_vec3 arm = crm_cross(crm_sub(at, p->cell->bodies[i].rest.position), n);
    return 1.0 / p->mass[i] + crm_length_squared(arm) / p->inertia[i];
}

// How far the two must be pushed, m; not above 0 when they are clear of each other.
static double push_needed(const packing *p, const carom_view *a, const carom_view *b, carom_gap_witness *w) {
    const carom_distance_options quick = {.struct_size = sizeof(carom_distance_options), .any_solution = true};
    if (carom_gap_find(a, b, &quick, NULL, w, NULL) != CAROM_OK) return 0.0;
    return clearance * p->cell->smallest - w->gap;
}

static double shift(double distance, double period) {
    return period * round(distance / period);
}

// From B to its image that is nearest to A: the one that counts. False when the balls around both, grown by `margin`
// together, do not meet.
static bool find_image(const packing *p, int a, int b, double margin, carom_vec3 *image) {
    carom_vec3 between = crm_sub(p->cell->bodies[a].rest.position, p->cell->bodies[b].rest.position);
    *image = crm_vec3(shift(between.x, p->cell->length), shift(between.y, p->cell->width), 0.0);
    double near = p->radius[a] + p->radius[b] + margin;
    return crm_length_squared(crm_sub(between, *image)) < near * near;
}

static void list_neighbours(packing *p) {
    carom_vec3 image;
    p->neighbour_count = 0;
    for (int a = 0; a < N; a++)
        for (int b = a + 1; b < N; b++)
            if (find_image(p, a, b, list_margin * p->cell->smallest, &image) && p->neighbour_count < MOST_NEIGHBOURS) {
                p->neighbours[p->neighbour_count][0] = a;
                p->neighbours[p->neighbour_count++][1] = b;
            }
}

// Whether they overlapped deeply.
static bool part_bodies(packing *p, int a, int b) {
    carom_vec3 image;
    if (!find_image(p, a, b, clearance * p->cell->smallest, &image)) return false;
    const carom_pose *pose_a = &p->cell->bodies[a].rest, *pose_b = &p->cell->bodies[b].rest;
    carom_view view_a = carom_view_of(p->shapes[a], *pose_a), view_b = carom_view_of(p->shapes[b], *pose_b);
    view_b.pose.position = crm_add(view_b.pose.position, image);
    carom_gap_witness w;
    double needed = push_needed(p, &view_a, &view_b, &w);
    if (needed <= 0.0) return false;
    carom_vec3 at_b = crm_sub(w.point_b, image);
    carom_vec3 impulse =
        crm_scale(needed / (softness(p, a, w.point_a, w.normal) + softness(p, b, at_b, w.normal)), w.normal);
    push(p, a, w.point_a, crm_negate(impulse));
    push(p, b, at_b, impulse);
    return w.gap < -deep * 2.0 * fmin(p->radius[a], p->radius[b]);
}

// `up` is 1 for the floor and -1 for the lid.
static bool part_from_plane(packing *p, int i, const carom_shape *shape, double up, double height) {
    const carom_pose *pose = &p->cell->bodies[i].rest;
    if (up * (pose->position.z - height) >= p->radius[i] + clearance * p->cell->smallest) return false;
    carom_view plane_view = carom_view_of(shape, (carom_pose){{0.0, 0.0, height}, crm_quat_identity()});
    carom_view view = carom_view_of(p->shapes[i], *pose);
    carom_gap_witness w;
    double needed = push_needed(p, &plane_view, &view, &w);
    if (needed <= 0.0) return false;
    push(p, i, w.point_b, crm_scale(needed / softness(p, i, w.point_b, w.normal), w.normal));
    return w.gap < -deep * 2.0 * p->radius[i];
}

// One pass over all pairs; how many overlapped deeply.
static int sweep(packing *p) {
    int count = 0;
    for (int i = 0; i < N; i++) {
        count += part_from_plane(p, i, p->floor, 1.0, 0.0);
        count += part_from_plane(p, i, p->lid, -1.0, p->height);
    }
    for (int k = 0; k < p->neighbour_count; k++) count += part_bodies(p, p->neighbours[k][0], p->neighbours[k][1]);
    return count;
}

static void press(packing *p, double times) {
    double factor = cbrt(1.0 / times);
    for (int i = 0; i < N; i++) p->cell->bodies[i].rest.position = crm_scale(factor, p->cell->bodies[i].rest.position);
    p->cell->length *= factor;
    p->cell->width *= factor;
    p->height *= factor;
    p->cell->packing *= times;
}

// False when the cell is jammed.
static bool relax(packing *p) {
    int count = N;
    for (int s = 0; s < SWEEPS && count > MOST_DEEP; s++) {
        if (s % SWEEPS_OF_LIST == 0) list_neighbours(p);
        count = sweep(p);
    }
    return count <= MOST_DEEP;
}

// The last cell that was not jammed, closed.
static bool press_until_jammed(double ratio, packing *p) {
    bench_cell *last = malloc(sizeof *last);
    if (last == NULL) return false;
    *last = *p->cell;
    while (relax(p)) {
        *last = *p->cell;
        press(p, pressing);
    }
    *p->cell = *last;
    press(p, 1.0 + closing / ratio);
    free(last);
    return true;
}

static void free_packing(packing *p) {
    for (int i = 0; i < N; i++) carom_shape_destroy(p->shapes[i]);
    carom_shape_destroy(p->floor);
    carom_shape_destroy(p->lid);
    free(p);
}

// ---- bricks

// Courses of 10 by 10 bricks, every second one shifted by half a brick. Joints at the sides are as wide as bricks
// shake, so that they open and close.
static void lay_bricks(const bench_bed_recipe *recipe, bench_cell *cell) {
    enum { ACROSS = 10 };
    const carom_vec3 half =
        crm_scale(0.5 * recipe->smallest / crm_length(crm_vec3(1.0, 0.5, 0.4)), crm_vec3(1.0, 0.5, 0.4));
    const double joint = 0.002 * recipe->smallest;
    double length = 2.0 * half.x + joint, width = 2.0 * half.y + joint;
    for (int i = 0; i < N; i++) {
        int course = i / (ACROSS * ACROSS), row = i / ACROSS % ACROSS, column = i % ACROSS;
        carom_vec3 place = {(column + 0.5 * (course % 2)) * length, (row + 0.5 * (course / 2 % 2)) * width,
                            (2 * course + 1) * half.z};
        cell->bodies[i] = (bench_bed_body){.is_box = true, .half = half, .rest = {place, crm_quat_identity()}};
    }
    cell->length = ACROSS * length;
    cell->width = ACROSS * width;
    cell->packing = 4.0 * half.x * half.y / (length * width);
}

bool bench_cell_make(const bench_bed_recipe *recipe, bench_cell *cell) {
    *cell = (bench_cell){.smallest = recipe->smallest};
    if (recipe->bricks) {
        lay_bricks(recipe, cell);
        return true;
    }
    packing *p = calloc(1, sizeof *p);
    if (p == NULL) return false;
    p->cell = cell;
    bool good = start_packing(recipe, p);
    good = good && press_until_jammed(recipe->ratio, p);
    free_packing(p);
    return good;
}

// ---- beds

static const double gravity = 9.81;
// Of the speed sqrt(gravity * smallest).
static const double drift_share = 0.03;
// Of the smallest body's diameter: how far a body shakes, and how far its farthest point nods.
static const double shake_share = 0.002;
static const double least_rate = 30.0, most_rate = 90.0; // rad/s: periods of 17 to 50 steps

static void give_motion(double smallest, crm_random *random, bench_bed_body *body) {
    body->shake = crm_scale(shake_share * smallest, crm_random_direction(random));
    body->nod = crm_scale(shake_share * smallest / bench_bed_radius(body), crm_random_direction(random));
    body->rate = crm_random_between(random, least_rate, most_rate);
    body->phase = crm_random_between(random, 0.0, 2.0 * acos(-1.0));
}

bench_bed bench_bed_of(const bench_cell *cell, int columns, int rows) {
    bench_bed bed = {.bodies = malloc((size_t)(columns * rows) * sizeof cell->bodies)};
    if (bed.bodies == NULL) return bed;
    double speed = drift_share * sqrt(gravity * cell->smallest);
    bed.drift = crm_vec3(0.8 * speed, 0.6 * speed, 0.0);
    crm_random random = {.seed = 1};
    for (int tile = 0; tile < columns * rows; tile++)
        for (int i = 0; i < N; i++) {
            bench_bed_body *body = &bed.bodies[bed.count++];
            *body = cell->bodies[i];
            body->rest.position.x += tile % columns * cell->length;
            body->rest.position.y += tile / columns * cell->width;
            give_motion(cell->smallest, &random, body);
        }
    return bed;
}

// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "settle/settle.h"

typedef struct placed {
    const bench_settle_body *body;
    carom_vec3 position;
    carom_mat3 axes; // columns
    double radius;   // no point of the body is farther from its position
} placed;

static double component(carom_vec3 v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : v.z;
}

static carom_vec3 axis_of(const placed *p, int i) {
    return i == 0 ? p->axes.x : i == 1 ? p->axes.y : p->axes.z;
}

// In the axes of the body.
static carom_vec3 inwards(const placed *p, carom_vec3 v) {
    return crm_vec3(crm_dot(p->axes.x, v), crm_dot(p->axes.y, v), crm_dot(p->axes.z, v));
}

// How far the body extends from its position along a unit vector.
static double extent_along(const placed *p, carom_vec3 direction) {
    carom_vec3 d = inwards(p, direction), half = p->body->half;
    if (p->body->is_box) return fabs(d.x) * half.x + fabs(d.y) * half.y + fabs(d.z) * half.z;
    return crm_length(crm_vec3(d.x * half.x, d.y * half.y, d.z * half.z));
}

// ---- boxes: the overlap along the separating axis with the least

// Edges that are this near to parallel, by the sine of their angle, separate no better than faces.
static const double parallel_sine = 1e-6;

// False when the boxes are apart along this direction.
static bool overlap_along(const placed *a, const placed *b, carom_vec3 direction, double *least) {
    double length = crm_length(direction);
    if (length < parallel_sine) return true;
    carom_vec3 unit = crm_scale(1.0 / length, direction);
    double overlap =
        extent_along(a, unit) + extent_along(b, unit) - fabs(crm_dot(unit, crm_sub(b->position, a->position)));
    *least = fmin(*least, overlap);
    return overlap > 0.0;
}

static double box_overlap(const placed *a, const placed *b) {
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        if (!overlap_along(a, b, axis_of(a, i), &least) || !overlap_along(a, b, axis_of(b, i), &least)) return 0.0;
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            if (!overlap_along(a, b, crm_cross(axis_of(a, i), axis_of(b, j)), &least)) return 0.0;
        }
    }
    return least;
}

// ---- ellipsoids: the largest n.(b - a) - extent of a - extent of b over unit vectors n, by gradient ascent

// The gap is off by the square of the slope where the ascent ends, over a curvature of about 1 m.
static const double flat = 1e-8;
enum { ASCENTS = 400, HALVINGS = 40 };

static carom_vec3 farthest(const placed *p, carom_vec3 n) {
    carom_vec3 d = inwards(p, n), half = p->body->half;
    carom_vec3 arm = crm_vec3(half.x * half.x * d.x, half.y * half.y * d.y, half.z * half.z * d.z);
    arm = crm_scale(1.0 / sqrt(crm_dot(d, arm)), arm);
    return crm_add(crm_scale(arm.x, p->axes.x), crm_add(crm_scale(arm.y, p->axes.y), crm_scale(arm.z, p->axes.z)));
}

static double gap_along(const placed *a, const placed *b, carom_vec3 n, carom_vec3 *gradient) {
    *gradient = crm_sub(crm_sub(b->position, a->position), crm_add(farthest(a, n), farthest(b, n)));
    return crm_dot(n, *gradient);
}

static carom_vec3 unit_of(carom_vec3 v) {
    return crm_scale(1.0 / crm_length(v), v);
}

// The normal of the ellipsoid that is scaled so that it goes through the point `along` from its centre.
static carom_vec3 level_normal(const placed *p, carom_vec3 along) {
    carom_vec3 d = inwards(p, along), half = p->body->half;
    d = crm_vec3(d.x / (half.x * half.x), d.y / (half.y * half.y), d.z / (half.z * half.z));
    return unit_of(crm_add(crm_scale(d.x, p->axes.x), crm_add(crm_scale(d.y, p->axes.y), crm_scale(d.z, p->axes.z))));
}

static double ellipsoid_overlap(const placed *a, const placed *b) {
    carom_vec3 between = crm_sub(b->position, a->position);
    carom_vec3 normal_a = level_normal(a, between), normal_b = level_normal(b, between);
    carom_vec3 starts[] = {unit_of(between), normal_a, normal_b, unit_of(crm_add(normal_a, normal_b))};
    carom_vec3 n = starts[0], slope = crm_vec3_zero(), ahead_slope;
    double gap = -INFINITY, step = 1.0;
    for (int i = 0; i < 4; i++) {
        double here = gap_along(a, b, starts[i], &ahead_slope);
        if (here > gap) gap = here, n = starts[i], slope = ahead_slope;
    }
    for (int i = 0; i < ASCENTS && gap <= 0.0; i++) {
        carom_vec3 along = crm_madd(slope, -crm_dot(slope, n), n);
        double steep = crm_length(along), ahead_gap = -INFINITY;
        if (steep < flat) break;
        carom_vec3 ahead = n;
        int halvings = 0;
        for (; halvings < HALVINGS; halvings++, step *= 0.5) {
            ahead = unit_of(crm_madd(n, step, along));
            ahead_gap = gap_along(a, b, ahead, &ahead_slope);
            if (ahead_gap >= gap + 1e-4 * step * steep * steep) break;
        }
        if (halvings == HALVINGS) break;
        n = ahead, gap = ahead_gap, slope = ahead_slope;
        step *= 1.7;
    }
    return fmax(-gap, 0.0);
}

// ---- all

static placed place(const bench_settle_body *body, const bench_settle_state *state) {
    carom_vec3 half = body->half;
    return (placed){.body = body,
                    .position = state->pose.position,
                    .axes = crm_quat_to_mat3(crm_quat_normalised(state->pose.attitude)),
                    .radius = body->is_box ? crm_length(half) : fmax(half.x, fmax(half.y, half.z))};
}

static double overlap_with_planes(const bench_settle_scene *scene, const placed *p) {
    double most = extent_along(p, crm_vec3(0.0, 0.0, -1.0)) - p->position.z;
    for (int i = 0; i < 2 && scene->walls > 0.0; i++) {
        carom_vec3 out = crm_vec3(i == 0, i == 1, 0.0);
        most = fmax(most, extent_along(p, out) + fabs(component(p->position, i)) - scene->walls);
    }
    return most;
}

static int compare_lowest(const void *a, const void *b) {
    const placed *p = a, *q = b;
    double x = p->position.x - p->radius, y = q->position.x - q->radius;
    return (x > y) - (x < y);
}

double bench_settle_overlap(const bench_settle_scene *scene, const bench_settle_state *states) {
    placed list[BENCH_SETTLE_BODIES];
    double most = 0.0;
    for (int i = 0; i < scene->count; i++) {
        list[i] = place(&scene->bodies[i], &states[i]);
        most = fmax(most, overlap_with_planes(scene, &list[i]));
    }
    qsort(list, (size_t)scene->count, sizeof list[0], compare_lowest);
    for (int i = 0; i < scene->count; i++) {
        for (int j = i + 1; j < scene->count; j++) {
            const placed *a = &list[i], *b = &list[j];
            if (b->position.x - b->radius > a->position.x + a->radius) break;
            double distance = crm_distance(a->position, b->position);
            if (distance > a->radius + b->radius) continue;
            // Bodies that lie exactly in each other have no direction between them.
            if (distance == 0.0) return INFINITY;
            most = fmax(most, a->body->is_box ? box_overlap(a, b) : ellipsoid_overlap(a, b));
        }
    }
    return most;
}

double bench_settle_kinetic_energy(const bench_settle_scene *scene, const bench_settle_state *states) {
    double energy = 0.0;
    for (int i = 0; i < scene->count; i++) {
        const bench_settle_body *body = &scene->bodies[i];
        placed p = place(body, &states[i]);
        carom_vec3 v = states[i].velocity, w = inwards(&p, states[i].spin);
        energy += 0.5 * body->mass * crm_dot(v, v) +
                  0.5 * (body->inertia.x * w.x * w.x + body->inertia.y * w.y * w.y + body->inertia.z * w.z * w.z);
    }
    return energy;
}

double bench_settle_displacement(const bench_settle_scene *scene, const bench_settle_state *states) {
    double most = 0.0;
    for (int i = 0; i < scene->count; i++)
        most = fmax(most, crm_distance(states[i].pose.position, scene->bodies[i].start.position));
    return most;
}

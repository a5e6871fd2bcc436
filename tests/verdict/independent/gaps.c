// SPDX-License-Identifier: MIT
// Overlaps of all pairs that could meet, and centres that went through a body between two frames, from poses.
#include <math.h>

#include "carom/distance.h"
#include "math/quat.h"
#include "verdict/independent/independent.h"

static const double most_overlap = 0.05;       // of the smaller body's size
static const double most_start_overlap = 1e-4; // the same, at the start
enum { most_frames = 400 };                    // that overlaps are looked for in

static carom_view view_of(const followed_run *run, const physics *p, const carom_body_state *frame, int body) {
    const carom_shape *shape = carom_model_get_shape(run->model, p->body[body].shape);
    return carom_view_of(shape, (carom_pose){frame[body].position, frame[body].attitude});
}

static double radius_of(const carom_view *v) {
    return carom_shape_bounding_radius(v->shape);
}

static bool too_far(const carom_view *a, const carom_view *b) {
    carom_vec3 ca = crm_add(a->pose.position, crm_quat_rotate(a->pose.attitude, carom_shape_centre(a->shape)));
    carom_vec3 cb = crm_add(b->pose.position, crm_quat_rotate(b->pose.attitude, carom_shape_centre(b->shape)));
    double radius = radius_of(a) + radius_of(b);
    return isfinite(radius) && crm_distance(ca, cb) > radius;
}

static double smaller_size(const physics *p, int a, int b) {
    double size = INFINITY;
    if (can_move(p, a)) size = p->size[a];
    if (can_move(p, b)) size = fmin(size, p->size[b]);
    return size;
}

// Methods without contact are for mechanisms, whose bodies may be inside each other.
static bool can_meet(const followed_run *run, const physics *p, int a, int b) {
    bool one_mechanism = p->island[a] >= 0 && p->island[a] == p->island[b];
    return carom_model_bodies_meet(run->model, (carom_body){a}, (carom_body){b}) &&
           (carom_method_has_contact(run->method->method) || !one_mechanism);
}

void find_overlaps(const followed_run *run, const physics *p, finding *f) {
    int64_t stride = 1 + run->frames / most_frames;
    for (int a = 0; a < run->bodies; a++)
        for (int b = a + 1; b < run->bodies; b++) {
            if (!can_meet(run, p, a, b)) continue;
            for (int64_t i = 0; i < run->frames; i += stride) {
                carom_view va = view_of(run, p, frame_of(run, i), a), vb = view_of(run, p, frame_of(run, i), b);
                carom_gap_witness gap;
                if (too_far(&va, &vb) || carom_gap_find(&va, &vb, NULL, NULL, &gap, NULL) != CAROM_OK) continue;
                double overlap = -gap.gap / smaller_size(p, a, b);
                find(f, "overlap, of the smaller size", overlap, most_overlap);
                if (i == 0 && !has_contact_springs(run->method->method))
                    find(f, "overlap at the start, of the smaller size", overlap, most_start_overlap);
            }
        }
}

// A shape at rest in its own frame, and the way of a point in that frame over a step.
static double gap_of_way(const carom_shape *shape, carom_vec3 from, carom_vec3 to, int points) {
    carom_view still = carom_view_of(shape, (carom_pose){.attitude = {1, 0, 0, 0}});
    carom_vec3 way[2] = {from, to};
    carom_view moving = carom_view_of_vertices(points, way);
    carom_gap_witness gap;
    return carom_gap_find(&still, &moving, NULL, NULL, &gap, NULL) == CAROM_OK ? gap.gap : INFINITY;
}

static carom_vec3 seen_from(const carom_body_state *body, carom_vec3 place) {
    return crm_quat_rotate_inverse(body->attitude, crm_sub(place, body->position));
}

static bool went_through(const carom_shape *shape, carom_vec3 from, carom_vec3 to) {
    double radius = carom_shape_bounding_radius(shape), way = crm_distance(from, to);
    if (!isfinite(radius) || way <= carom_shape_in_radius(shape)) return false;
    if (crm_distance(from, carom_shape_centre(shape)) > radius + way) return false;
    return gap_of_way(shape, from, to, 2) < 0.0 && gap_of_way(shape, from, from, 1) > 0.0 &&
           gap_of_way(shape, to, to, 1) > 0.0;
}

void find_passes(const followed_run *run, const physics *p, finding *f) {
    for (int a = 0; a < run->bodies; a++)
        for (int b = 0; b < run->bodies; b++) {
            if (!can_move(p, a) || !can_meet(run, p, a, b)) continue;
            const carom_shape *shape = carom_model_get_shape(run->model, p->body[b].shape);
            for (int64_t i = 1; i < run->frames; i++) {
                const carom_body_state *before = frame_of(run, i - 1), *after = frame_of(run, i);
                carom_vec3 from = seen_from(&before[b], centre_of(p, before, a));
                carom_vec3 to = seen_from(&after[b], centre_of(p, after, a));
                if (went_through(shape, from, to)) find(f, "steps in which a body went through another", 1.0, 0.5);
            }
        }
}

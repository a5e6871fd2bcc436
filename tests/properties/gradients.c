// SPDX-License-Identifier: MIT
// Gradients against central differences. Value and gap are smooth while the same vertices carry the answer; a pair for
// which they change within the steps, or with several answers, is skipped.
#include <math.h>

#include "math/quat.h"
#include "properties/properties.h"

// Of the sizes, and rad. Rounding: 1e-15/step = 1e-9; step^2 = 1e-12 times third derivatives, which go with the square
// of the curvature: 1e4 for an aspect of 10.
static const double step = 1e-6;
// Nearer to a kink than this, of the scale: centres that coincide, bodies that touch.
static const double kink = 0.03;

static carom_pose moved(carom_pose pose, int way, double length) {
    carom_vec3 e = crm_with_component(crm_vec3_zero(), way % 3, way < 3 ? step * length : step);
    if (way < 3) return (carom_pose){crm_add(pose.position, e), pose.attitude};
    carom_quat rotation = crm_quat_normalised((carom_quat){1.0, 0.5 * e.x, 0.5 * e.y, 0.5 * e.z});
    return (carom_pose){pose.position, crm_quat_mul(rotation, pose.attitude)};
}

static double entry(const carom_pose_gradient *g, bool of_a, int way) {
    carom_vec3 v = way < 3 ? (of_a ? g->translation_a : g->translation_b) : (of_a ? g->rotation_a : g->rotation_b);
    return crm_component(v, way % 3);
}

static bool same_vertices(const carom_touch *a, const carom_touch *b) {
    if (a->part != b->part || a->vertex_count != b->vertex_count) return false;
    for (int i = 0; i < a->vertex_count && i < CAROM_TOUCH_VERTICES; i++)
        if (a->vertices[i] != b->vertices[i]) return false;
    return true;
}

// What is differenced, at the pair or near it.
typedef struct sample_values {
    bool looked, measured;
    carom_ray_witness ray;
    carom_gap_witness gap;
} sample_values;

static sample_values values_at(const distance_pair *pair, const carom_view view[2], property_tally *tally) {
    sample_values v;
    v.looked = has_ray(pair) && ask_ray(pair, &view[0], &view[1], NULL, NULL, tally, &v.ray);
    v.measured = ask_gap(pair, &view[0], &view[1], NULL, NULL, tally, &v.gap);
    return v;
}

static bool same_ray_basis(const sample_values *a, const sample_values *b) {
    return b->looked && same_vertices(&a->ray.a, &b->ray.a) && same_vertices(&a->ray.b, &b->ray.b);
}

static bool same_gap_basis(const sample_values *a, const sample_values *b) {
    return b->measured && same_vertices(&a->gap.a, &b->gap.a) && same_vertices(&a->gap.b, &b->gap.b) &&
           crm_dot(a->gap.normal, b->gap.normal) > 0.99; // not another of several maxima
}

// Without the balls of spheres and capsules: where their cores touch, the gap has a kink.
static double core_gap(const distance_pair *pair, double gap) {
    for (int k = 0; k < 2; k++) {
        carom_shape_def def;
        if (pair->body[k]->shape == NULL) continue;
        carom_shape_get_def(pair->body[k]->shape, &def);
        if (def.kind == CAROM_SHAPE_SPHERE) gap += def.sphere.radius;
        if (def.kind == CAROM_SHAPE_CAPSULE) gap += def.capsule.radius;
    }
    return gap;
}

static void note_or_skip(property_tally *tally, property_id id, uint64_t pair, bool kept, double error) {
    if (kept)
        property_note(tally, id, pair, error);
    else
        property_skip(tally, id);
}

static void check_poses(const distance_pair *pair, property_tally *tally) {
    carom_view view[2] = {pair->view[0], pair->view[1]};
    sample_values here = values_at(pair, view, tally);
    bool has_rho = here.looked && isfinite(here.ray.rho);
    double length = pair->sizes, scale = length + fabs(here.gap.gap);
    if (here.looked) scale = pair_scale(pair, &here.ray);
    bool ray_kept =
        here.looked && here.ray.outcome == CAROM_RAY_MEETS && here.ray.alpha_unique && here.ray.weights_unique;
    if (has_rho) ray_kept = ray_kept && here.ray.centre_distance > kink * scale;
    bool gap_kept = here.measured && here.gap.normal_unique && here.gap.points_unique;
    gap_kept = gap_kept && fabs(here.gap.gap) > kink * length && fabs(core_gap(pair, here.gap.gap)) > kink * length;
    if (!has_ray(pair)) // the middle of a container is one
        gap_kept = gap_kept && crm_distance(pair_centre(&view[0]), pair_centre(&view[1])) > kink * length;
    double ray_error = 0.0, rho_error = 0.0, gap_error = 0.0;
    carom_pose_gradient by_ray = {0}, by_rho = {0}, by_gap = {0};
    if (here.looked) carom_ray_gradient(&view[0], &view[1], &here.ray, &by_ray, has_rho ? &by_rho : NULL);
    if (here.measured) carom_gap_gradient(&view[0], &view[1], &here.gap, &by_gap);
    // A steep plane rotates fast along the body: differences go with the square of alpha.
    double steep = here.looked ? 1.0 + crm_length_squared(here.ray.alpha) : 1.0;
    for (int k = 0; k < 12 && (ray_kept || gap_kept); k++) {
        sample_values at[2];
        for (int sign = 0; sign < 2; sign++) {
            carom_view there[2] = {view[0], view[1]};
            there[k / 6].pose = moved(view[k / 6].pose, k % 6, sign == 0 ? length : -length);
            if (k % 6 >= 3 && sign == 1) { // back by the same rotation
                carom_quat q = there[k / 6].pose.attitude, p = view[k / 6].pose.attitude;
                carom_quat rotation = crm_quat_mul(q, crm_quat_conjugate(p));
                there[k / 6].pose.attitude = crm_quat_normalised(crm_quat_mul(crm_quat_conjugate(rotation), p));
            }
            at[sign] = values_at(pair, there, tally);
            ray_kept = ray_kept && same_ray_basis(&here, &at[sign]);
            gap_kept = gap_kept && same_gap_basis(&here, &at[sign]);
        }
        double across = k % 6 < 3 ? 2.0 * step * length : 2.0 * step, unit = (k % 6 < 3 ? 1.0 : scale) * steep;
        if (ray_kept) {
            double slope = (at[0].ray.value - at[1].ray.value) / across;
            ray_error = fmax(ray_error, fabs(slope - entry(&by_ray, k < 6, k % 6)) / unit);
        }
        if (ray_kept && has_rho) {
            double slope = (at[0].ray.rho - at[1].ray.rho) / across;
            double error = here.ray.centre_distance * fabs(slope - entry(&by_rho, k < 6, k % 6));
            rho_error = fmax(rho_error, error / (unit * (1.0 + fabs(here.ray.rho))));
        }
        if (gap_kept) {
            double slope = (at[0].gap.gap - at[1].gap.gap) / across;
            gap_error = fmax(gap_error, fabs(slope - entry(&by_gap, k < 6, k % 6)) / (k % 6 < 3 ? 1.0 : scale));
        }
    }
    if (here.looked) note_or_skip(tally, PROPERTY_RAY_GRADIENT, pair->number, ray_kept, ray_error);
    if (has_rho) note_or_skip(tally, PROPERTY_RHO_GRADIENT, pair->number, ray_kept, rho_error);
    note_or_skip(tally, PROPERTY_GAP_GRADIENT, pair->number, gap_kept, gap_error);
}

// The same bodies as vertices of the world; three of each are moved.
static void check_vertices(const distance_pair *pair, property_tally *tally) {
    enum { MOST = 64, TRIED = 3 };
    carom_vec3 vertex[2][MOST], gradient[2][MOST];
    carom_view view[2];
    for (int k = 0; k < 2; k++) {
        int count = pair_vertices(&pair->view[k], MOST, vertex[k]);
        if (count == 0) return;
        view[k] = carom_view_of_vertices(count, vertex[k]);
    }
    sample_values here = {.measured = false}, at[2];
    here.looked = ask_ray(pair, &view[0], &view[1], NULL, NULL, tally, &here.ray);
    if (!here.looked) return;
    double scale = pair_scale(pair, &here.ray), h = step * pair->sizes, error = 0.0;
    bool kept = here.ray.alpha_unique && here.ray.weights_unique && here.ray.centre_distance > kink * scale;
    if (kept) carom_ray_vertex_gradient(&view[0], &view[1], &here.ray, gradient[0], gradient[1]);
    double steep = 1.0 + crm_length_squared(here.ray.alpha);
    for (int trial = 0; trial < 2 * TRIED * 3 && kept; trial++) {
        int k = trial % 2, axis = trial / 2 % 3;
        // Those that carry weight first, then others.
        const carom_touch *touch = k == 0 ? &here.ray.a : &here.ray.b;
        int which = trial / 6, v = which < touch->vertex_count ? touch->vertices[which] : which % view[k].vertex_count;
        carom_vec3 there = vertex[k][v];
        for (int sign = 0; sign < 2; sign++) {
            double x = crm_component(there, axis) + (sign == 0 ? h : -h);
            vertex[k][v] = crm_with_component(there, axis, x);
            at[sign].looked = ask_ray(pair, &view[0], &view[1], NULL, NULL, tally, &at[sign].ray);
            kept = kept && same_ray_basis(&here, &at[sign]);
        }
        vertex[k][v] = there;
        double slope = (at[0].ray.value - at[1].ray.value) / (2.0 * h);
        if (kept) error = fmax(error, fabs(slope - crm_component(gradient[k][v], axis)) / steep);
    }
    note_or_skip(tally, PROPERTY_VERTEX_GRADIENT, pair->number, kept, error);
}

void check_gradients(const distance_pair *pair, property_tally *tally) {
    if (!pair->ordinary) return;
    check_poses(pair, tally);
    if (pair->sharp) check_vertices(pair, tally);
}

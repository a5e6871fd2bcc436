// SPDX-License-Identifier: MIT
#include "step/flex/pieces/piece_touch.h"

#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "distance/side.h"
#include "model/force/evaluate.h"
#include "step/contacts/contact_step.h"
#include "step/potential/overlap.h"

// A ray whose value is known no better than this share of the distance of the centres has found nothing: of elements
// that are flat to rounding.
static const double worst_accuracy = 1e-9;

void crm_piece_touches_release(const carom_allocator *allocator, crm_piece_touches *touches) {
    CRM_ARRAY_FREE(allocator, &touches->list);
    CRM_ARRAY_FREE(allocator, &touches->rows);
    CRM_ARRAY_FREE(allocator, &touches->vertex_a);
    CRM_ARRAY_FREE(allocator, &touches->vertex_b);
    CRM_ARRAY_FREE(allocator, &touches->weight_a);
    CRM_ARRAY_FREE(allocator, &touches->weight_b);
    crm_piece_search_release(allocator, &touches->search);
}

// What is asked about one couple.
typedef struct couple_views {
    const carom_model *model;
    const crm_pieces *pieces;
    const crm_piece_couple *couple;
    const crm_motion *motions;
    carom_view a, b;
} couple_views;

static const int32_t *nodes_of(const crm_pieces *pieces, int piece) {
    return pieces->node + pieces->piece[piece].first;
}

static carom_view view_of_piece(const crm_pieces *pieces, int piece, const crm_motion *motions, carom_vec3 *vertex) {
    const int32_t *node = nodes_of(pieces, piece);
    int count = pieces->piece[piece].count;
    for (int i = 0; i < count; i++) vertex[i] = motions[node[i]].x;
    return carom_view_of_vertices(count, vertex);
}

// Whether the ray has found an overlap that can be trusted. Centres that coincide have no direction between them: the
// couple that any other would leave over is no part of a potential.
static bool overlaps(const carom_ray_witness *ray) {
    if (ray->outcome != CAROM_RAY_MEETS || !(ray->value < 0.0)) return false;
    return !(ray->accuracy > worst_accuracy * ray->centre_distance); // over a half-space there is no distance
}

// ---- rows

// Weights of nodes on one plane within 1e-9 count as lying in it, so that their mean is off the witness point by as
// much; the couple that this would leave is a loss of angular momentum in every step. The least change of the weights
// that puts the mean there: along x - c, c the mean of the nodes, by the inverse of sum (x - c)(x - c)^T.
static void close_weights(int count, const carom_vec3 *x, carom_vec3 point, double *weight) {
    carom_vec3 c = crm_vec3_zero(), off = crm_sub(point, x[0]);
    double sum = 0.0;
    for (int i = 0; i < count; i++) c = crm_madd(c, 1.0 / count, crm_sub(x[i], x[0])), sum += weight[i];
    carom_mat3 scatter = crm_mat3_zero(), inverse;
    for (int i = 0; i < count; i++) {
        carom_vec3 arm = crm_sub(crm_sub(x[i], x[0]), c);
        weight[i] /= sum;
        off = crm_madd(off, -weight[i], crm_sub(x[i], x[0]));
        scatter.x = crm_madd(scatter.x, arm.x, arm);
        scatter.y = crm_madd(scatter.y, arm.y, arm);
        scatter.z = crm_madd(scatter.z, arm.z, arm);
    }
    if (!crm_mat3_inverse(scatter, &inverse)) return; // a flat piece has no room for it
    carom_vec3 along = crm_mat3_apply(inverse, off);
    for (int i = 0; i < count; i++) weight[i] += crm_dot(along, crm_sub(crm_sub(x[i], x[0]), c));
}

static int heaviest_of(int count, const double *weight) {
    int best = 0;
    for (int i = 1; i < count; i++)
        if (weight[i] > weight[best]) best = i;
    return best;
}

// sign (w_i alpha + mean / count) for every node; returns the body of the node with the largest weight, -1 for want of
// memory.
static int push_nodes(const couple_views *views, int piece, double sign, carom_vec3 alpha, carom_vec3 mean,
                      const double *weight, crm_piece_touches *out) {
    const int32_t *node = nodes_of(views->pieces, piece);
    int count = views->pieces->piece[piece].count;
    for (int i = 0; i < count; i++) {
        carom_vec3 row = crm_madd(crm_scale(sign / count, mean), sign * weight[i], alpha);
        if (!CRM_ARRAY_PUSH(&views->model->allocator, &out->rows,
                            (crm_touch_row){node[i], crm_vec6_of(row, crm_vec3_zero())}))
            return -1;
    }
    return node[heaviest_of(count, weight)];
}

static int push_body(const couple_views *views, int body, const carom_ray_witness *ray, crm_piece_touches *out) {
    carom_pose_gradient by;
    carom_ray_gradient(&views->a, &views->b, ray, &by, NULL);
    // Gradients are about the origin of the body's frame, rows about its centre of mass.
    carom_vec3 arm = crm_sub(views->b.pose.position, views->motions[body].x);
    crm_vec6 row = crm_vec6_of(by.translation_b, crm_add(by.rotation_b, crm_cross(arm, by.translation_b)));
    return CRM_ARRAY_PUSH(&views->model->allocator, &out->rows, (crm_touch_row){body, row}) ? body : -1;
}

// False: no memory.
static bool push_touch(const carom_state *state, const couple_views *views, const carom_ray_witness *ray,
                       crm_piece_touches *out) {
    const crm_piece_couple *couple = views->couple;
    const crm_piece_owner *owner_a = &views->pieces->owner[couple->owner_a],
                          *owner_b = &views->pieces->owner[couple->owner_b];
    bool moves = ray->beta_moves && isfinite(ray->rho); // over a half-space it does not
    carom_vec3 mean = moves ? crm_scale(-ray->rho, crm_sub(ray->alpha, ray->beta)) : crm_vec3_zero();
    crm_piece_touch touch = {.couple = *couple,
                             .first_row = out->rows.count,
                             .value = ray->value,
                             .plane_gap = ray->plane_gap,
                             .stiffness = crm_stiffness_of_masses(state, 1.0 / owner_a->mass, 1.0 / owner_b->mass),
                             .normal = ray->normal,
                             .point = crm_scale(0.5, crm_add(ray->point_a, ray->point_b))};
    double *weight_a = out->weight_a.items, *weight_b = out->weight_b.items;
    carom_ray_weights(&views->a, &views->b, ray, weight_a, couple->b >= 0 ? weight_b : NULL);
    close_weights(views->a.vertex_count, views->a.vertices, ray->point_a, weight_a);
    touch.body_a = push_nodes(views, couple->a, -1.0, ray->alpha, mean, weight_a, out);
    if (couple->b >= 0) {
        close_weights(views->b.vertex_count, views->b.vertices, ray->point_b, weight_b);
        touch.body_b = push_nodes(views, couple->b, 1.0, ray->alpha, mean, weight_b, out);
    } else {
        touch.body_b = push_body(views, owner_b->body, ray, out);
    }
    touch.row_count = out->rows.count - touch.first_row;
    return touch.body_a >= 0 && touch.body_b >= 0 && CRM_ARRAY_PUSH(&state->model->allocator, &out->list, touch);
}

// ---- all couples

// Most pairs of boxes that meet are of pieces that do not: these are told by any answer of the ray.
static carom_status look_at(const carom_state *state, const couple_views *views, crm_piece_touches *out,
                            carom_error *error) {
    carom_ray_witness ray;
    carom_distance_options options = carom_distance_options_default();
    options.any_solution = true;
    carom_status status = carom_ray_find(&views->a, &views->b, &options, NULL, &ray, error);
    if (status != CAROM_OK || !overlaps(&ray)) return status;
    status = carom_ray_find(&views->a, &views->b, NULL, NULL, &ray, error);
    if (status != CAROM_OK || !overlaps(&ray)) return status;
    return push_touch(state, views, &ray, out) ? CAROM_OK
                                               : crm_fail_memory(error, "contacts of pieces", sizeof(crm_piece_touch));
}

static bool reserve(const carom_allocator *allocator, const crm_pieces *pieces, crm_piece_touches *out) {
    out->list.count = out->rows.count = 0;
    return CRM_ARRAY_RESIZE(allocator, &out->vertex_a, pieces->most_nodes) &&
           CRM_ARRAY_RESIZE(allocator, &out->vertex_b, pieces->most_nodes) &&
           CRM_ARRAY_RESIZE(allocator, &out->weight_a, pieces->most_nodes) &&
           CRM_ARRAY_RESIZE(allocator, &out->weight_b, pieces->most_nodes);
}

carom_status crm_piece_touches_find(const carom_state *state, const crm_pieces *pieces, const crm_motion *motions,
                                    crm_piece_touches *out, carom_error *error) {
    const carom_model *model = state->model;
    if (!reserve(&model->allocator, pieces, out) || !crm_piece_search_update(model, pieces, motions, &out->search))
        return crm_fail_memory(error, "contacts of pieces", sizeof(crm_piece_couple));
    couple_views views = {.model = model, .pieces = pieces, .motions = motions};
    int last_a = -1;
    for (int i = 0; i < out->search.couples.count; i++) {
        views.couple = &out->search.couples.items[i];
        if (i % 1024 == 0 && crm_state_interrupted(state)) return crm_fail_interrupted(error);
        if (views.couple->a != last_a)
            views.a = view_of_piece(pieces, last_a = views.couple->a, motions, out->vertex_a.items);
        int body = pieces->owner[views.couple->owner_b].body;
        views.b = views.couple->b >= 0 ? view_of_piece(pieces, views.couple->b, motions, out->vertex_b.items)
                                       : crm_body_view(model, body, &motions[body]);
        carom_status status = look_at(state, &views, out, error);
        if (status != CAROM_OK) return status;
    }
    return CAROM_OK;
}

double crm_piece_touches_energy(const carom_model *model, const crm_piece_touches *touches, double *of_body,
                                size_t stride) {
    double energy = 0.0;
    for (int i = 0; i < touches->list.count; i++) {
        const crm_piece_touch *touch = &touches->list.items[i];
        double one = 0.5 * touch->stiffness * touch->value * touch->value;
        energy += one;
        crm_energy_add_to_body(model, touch->body_a, touch->body_b, one, of_body, stride);
    }
    return energy;
}

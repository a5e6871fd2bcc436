// SPDX-License-Identifier: MIT
#include "step/potential/overlap.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/force/evaluate.h"
#include "model/proxies.h"
#include "shape/shape.h"
#include "step/certify/accounts.h"
#include "step/potential/overlap_pieces.h"

// By how much bodies may get faster within a step than they were expected to.
static const double margin_slack = 2.0;

// Pieces of a pair that are followed at most.
enum { MOST_FOLLOWED = 12 };

// Rows that differ by less than this share are the same.
static const double same_row = 1e-9;

carom_status crm_overlap_create(carom_state *state, crm_overlap *overlap, carom_error *error) {
    carom_contact_options options = crm_contact_options(state);
    options.measure = CAROM_MEASURE_RAY;
    return crm_contact_step_create(state, &options, false, &overlap->found, error);
}

void crm_overlap_release(const carom_state *state, crm_overlap *overlap) {
    const carom_allocator *allocator = &state->model->allocator;
    crm_contact_step_release(&overlap->found);
    CRM_ARRAY_FREE(allocator, &overlap->pairs);
    CRM_ARRAY_FREE(allocator, &overlap->pieces);
    CRM_ARRAY_FREE(allocator, &overlap->former);
}

// ---- what counts

static const carom_shape *compound_of(const carom_state *state, int body) {
    int index = state->model->bodies.items[body].def.shape.index;
    const carom_shape *shape = index >= 0 ? state->model->shapes.items[index].shape : NULL;
    bool counts = state->method.potential.all_parts && shape != NULL && shape->kind == CAROM_SHAPE_COMPOUND;
    return counts ? shape : NULL;
}

int crm_overlap_first_part(const carom_state *state, int body) {
    return compound_of(state, body) != NULL ? 0 : -1;
}

int crm_overlap_last_part(const carom_state *state, int body) {
    const carom_shape *compound = compound_of(state, body);
    return compound != NULL ? compound->part_count - 1 : -1;
}

static carom_view view_of_part(const carom_view *view, int part) {
    if (part < 0) return *view;
    const crm_part *of = &view->shape->part[part];
    carom_pose pose = {crm_add(view->pose.position, crm_quat_rotate(view->pose.attitude, of->pose.position)),
                       crm_quat_mul(view->pose.attitude, of->pose.attitude)};
    return carom_view_of(of->shape, pose);
}

carom_view crm_overlap_view(const carom_model *model, int body, int part, const crm_motion *motion) {
    carom_view view = crm_body_view(model, body, motion);
    return view_of_part(&view, part);
}

static carom_view view_a_of(const carom_model *model, const crm_overlap_pair *pair, const crm_motion *motions) {
    return crm_overlap_view(model, pair->a, pair->part_a, &motions[pair->a]);
}

static carom_view view_b_of(const carom_model *model, const crm_overlap_pair *pair, const crm_motion *motions) {
    return crm_overlap_view(model, pair->b, pair->part_b, &motions[pair->b]);
}

// Two bodies, or every two of their parts.
static bool push_pairs(const carom_state *state, int a, int b, crm_overlap *overlap) {
    for (int i = crm_overlap_first_part(state, a); i <= crm_overlap_last_part(state, a); i++)
        for (int k = crm_overlap_first_part(state, b); k <= crm_overlap_last_part(state, b); k++) {
            // The cache is empty: what it remembers from another step would change the last digits.
            crm_overlap_pair pair = {
                .a = a, .b = b, .part_a = i, .part_b = k, .stiffness = crm_pair_stiffness(state, a, b)};
            if (!CRM_ARRAY_PUSH(&state->model->allocator, &overlap->pairs, pair)) return false;
        }
    return true;
}

carom_status crm_overlap_find_pairs(const carom_state *state, const crm_motion *ahead, crm_overlap *overlap,
                                    carom_error *error) {
    crm_contact_step *found = &overlap->found;
    overlap->pairs.count = overlap->pieces.count = 0;
    if (state->divide != NULL) crm_contact_step_choose_moving(state, found);
    crm_contact_step_expect(found, ahead, state->method.step, margin_slack);
    carom_status status = crm_contact_step_find(found, error);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < found->found_count; i = crm_contact_step_next_pair(found, i + 1))
        if (!push_pairs(state, crm_contact_body_a(found, &found->found[i]), crm_contact_body_b(found, &found->found[i]),
                        overlap))
            return crm_fail_memory(error, "pairs", sizeof(crm_overlap_pair));
    return CAROM_OK;
}

// ---- pieces of all pairs

static bool is_among(const crm_piece *piece, const crm_piece *others, int count) {
    for (int i = 0; i < count; i++)
        if (memcmp(piece->vertex, others[i].vertex, sizeof piece->vertex) == 0) return true;
    return false;
}

// Whether a piece pushes like one that the list has of the same pair: two triangles of one plane.
static bool pushes_like_another(const crm_piece *piece, const crm_piece_list *pieces) {
    double size = crm_length(piece->row_b.linear), rotation = crm_length(piece->row_b.angular);
    for (int i = pieces->count - 1; i >= 0 && pieces->items[i].pair == piece->pair; i--) {
        crm_vec6 off = crm_vec6_sub(piece->row_b, pieces->items[i].row_b);
        if (crm_length(off.linear) <= same_row * size && crm_length(off.angular) <= same_row * rotation) return true;
    }
    return false;
}

// The pieces of one pair that are followed, what the ray has just found included; how many.
static int gather_followed(const carom_view *a, const carom_view *b, int index, const crm_overlap *overlap,
                           const crm_piece *former, int former_count, crm_piece kept[MOST_FOLLOWED]) {
    crm_piece fresh[CAROM_TOUCH_VERTICES];
    int count = 0, news = crm_pieces_of_ray(a, b, &overlap->pairs.items[index], fresh);
    for (int i = 0; i < former_count; i++)
        if (former[i].followed) kept[count++] = former[i];
    for (int i = 0; i < news && count < MOST_FOLLOWED; i++) {
        fresh[i].pair = index;
        if (!is_among(&fresh[i], kept, count)) kept[count++] = fresh[i];
    }
    return count;
}

// The pieces of one pair at these motions: those that are followed or, without any, what the ray finds. A ray between
// several corners stands for their mean, which is not as deep as the deepest: it is no piece beside theirs. `former`
// are the pair's pieces of the last evaluation.
static bool push_pieces(const carom_state *state, const crm_motion *motions, bool remember, int index,
                        const crm_piece *former, int former_count, crm_overlap *overlap) {
    const carom_allocator *allocator = &state->model->allocator;
    const crm_overlap_pair *pair = &overlap->pairs.items[index];
    carom_view a = view_a_of(state->model, pair, motions), b = view_b_of(state->model, pair, motions);
    crm_piece kept[MOST_FOLLOWED];
    int count = remember ? gather_followed(&a, &b, index, overlap, former, former_count, kept) : 0, pushed = 0;
    for (int i = 0; i < count; i++) {
        if (!crm_piece_follow(&a, &b, pair, motions, &kept[i])) continue;
        if (pushes_like_another(&kept[i], &overlap->pieces)) continue;
        if (!CRM_ARRAY_PUSH(allocator, &overlap->pieces, kept[i])) return false;
        pushed++;
    }
    if (pushed > 0) return true;
    crm_piece found = {.pair = index};
    if (former_count > 0 && !former[0].followed) found.impulse = former[0].impulse;
    crm_piece_set(&a, &b, pair, motions, &pair->ray, &found);
    return CRM_ARRAY_PUSH(allocator, &overlap->pieces, found);
}

carom_status crm_overlap_evaluate(const carom_state *state, const crm_motion *motions, bool remember,
                                  crm_overlap *overlap, carom_error *error) {
    crm_piece_list former = overlap->pieces;
    overlap->pieces = overlap->former;
    overlap->former = former;
    overlap->pieces.count = 0;
    for (int p = 0, first = 0; p < overlap->pairs.count; p++) {
        crm_overlap_pair *pair = &overlap->pairs.items[p];
        carom_view a = view_a_of(state->model, pair, motions), b = view_b_of(state->model, pair, motions);
        if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
        carom_status status = carom_ray_find(&a, &b, NULL, &pair->cache, &pair->ray, error);
        if (status != CAROM_OK) return status;
        int last = first;
        while (last < former.count && former.items[last].pair == p) last++;
        if (!push_pieces(state, motions, remember, p, CRM_ARRAY_FROM(&former, first), last - first, overlap))
            return crm_fail_memory(error, "pieces of contacts", sizeof(crm_piece));
        first = last;
    }
    return CAROM_OK;
}

void crm_overlap_add_impulses(const carom_model *model, const crm_overlap *overlap, crm_vec6 *impulse) {
    for (int i = 0; i < overlap->pieces.count; i++) {
        const crm_piece *piece = &overlap->pieces.items[i];
        if (piece->impulse == 0.0) continue;
        int a = overlap->pairs.items[piece->pair].a, b = overlap->pairs.items[piece->pair].b;
        crm_vec6 on_a = crm_vec6_scale(piece->impulse, piece->row_a),
                 on_b = crm_vec6_scale(piece->impulse, piece->row_b);
        impulse[a] = crm_vec6_add(impulse[a], crm_wrench_projected(model->bodies.items[a].kind, on_a));
        impulse[b] = crm_vec6_add(impulse[b], crm_wrench_projected(model->bodies.items[b].kind, on_b));
    }
}

// ---- energy

static double radius_of(const carom_model *model, int body) {
    return model->shapes.items[model->bodies.items[body].def.shape.index].shape->bounding_radius;
}

// Spheres that hold the shapes are apart.
static bool far_apart(const carom_model *model, int a, int b, const carom_view *view_a, const carom_view *view_b) {
    carom_vec3 centre_a = crm_add(view_a->pose.position, crm_quat_rotate(view_a->pose.attitude, view_a->shape->centre));
    carom_vec3 centre_b = crm_add(view_b->pose.position, crm_quat_rotate(view_b->pose.attitude, view_b->shape->centre));
    return crm_distance(centre_a, centre_b) > radius_of(model, a) + radius_of(model, b);
}

double crm_overlap_energy_found(const crm_overlap *overlap) {
    double energy = 0.0;
    for (int p = 0; p < overlap->pairs.count; p++) {
        const crm_overlap_pair *pair = &overlap->pairs.items[p];
        if (pair->ray.outcome == CAROM_RAY_MISSES || !(pair->ray.value < 0.0)) continue;
        energy += 0.5 * pair->stiffness * pair->ray.value * pair->ray.value;
    }
    return energy;
}

// Of two bodies, or of every two parts of them.
static double energy_of_pair(const carom_state *state, int a, int b, const carom_view *body_a,
                             const carom_view *body_b) {
    double energy = 0.0;
    for (int i = crm_overlap_first_part(state, a); i <= crm_overlap_last_part(state, a); i++)
        for (int k = crm_overlap_first_part(state, b); k <= crm_overlap_last_part(state, b); k++) {
            carom_view view_a = view_of_part(body_a, i), view_b = view_of_part(body_b, k);
            carom_ray_witness ray;
            if (carom_ray_find(&view_a, &view_b, NULL, NULL, &ray, NULL) != CAROM_OK) continue;
            if (ray.outcome == CAROM_RAY_MISSES || !(ray.value < 0.0)) continue;
            energy += 0.5 * crm_pair_stiffness(state, a, b) * ray.value * ray.value;
        }
    return energy;
}

double crm_overlap_energy(const carom_state *state, const crm_motion *motions, double *of_body, size_t stride) {
    const carom_model *model = state->model;
    double energy = 0.0;
    for (int a = 0; a < model->bodies.count; a++) {
        if (model->bodies.items[a].def.shape.index < 0) continue;
        if (state->interruption.stepping && crm_state_interrupted(state)) break;
        carom_view view_a = crm_body_view(model, a, &motions[a]);
        for (int b = a + 1; b < model->bodies.count; b++) {
            if (!carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b})) continue;
            carom_view view_b = crm_body_view(model, b, &motions[b]);
            if (crm_state_stays(state, a) && crm_state_stays(state, b)) continue;
            if (far_apart(model, a, b, &view_a, &view_b)) continue;
            double one = energy_of_pair(state, a, b, &view_a, &view_b);
            if (one == 0.0) continue;
            energy += one;
            crm_energy_add_to_body(model, a, b, one, of_body, stride);
        }
    }
    return energy;
}

// ---- what is said of a step

bool crm_overlap_read_out(carom_state *state, const crm_motion *motions, crm_overlap *overlap,
                          carom_step_report *report) {
    const carom_model *model = state->model;
    state->contact_table.count = 0;
    crm_overlaps overlaps = {0};
    for (int p = 0; p < overlap->pairs.count; p++) {
        crm_overlap_pair *pair = &overlap->pairs.items[p];
        carom_view a = view_a_of(model, pair, motions), b = view_b_of(model, pair, motions);
        carom_ray_witness ray;
        bool overlaps_now = carom_ray_find(&a, &b, NULL, &pair->cache, &ray, NULL) == CAROM_OK &&
                            ray.outcome != CAROM_RAY_MISSES && ray.value < 0.0;
        if (overlaps_now) crm_accounts_join(state, pair->a, pair->b);
        crm_overlaps_add(&overlaps, overlaps_now ? -ray.plane_gap / crm_pair_size(model, pair->a, pair->b) : 0.0);
    }
    crm_overlaps_report(&overlaps, report);
    state->near_pairs = overlaps.pairs;
    for (int i = 0; i < overlap->pieces.count; i++) {
        const crm_piece *piece = &overlap->pieces.items[i];
        if (!(piece->impulse > 0.0)) continue;
        const crm_overlap_pair *pair = &overlap->pairs.items[piece->pair];
        double size = crm_length(piece->row_b.linear);
        const crm_contact_point at = {piece->value, crm_scale(1.0 / size, piece->row_b.linear), pair->ray.point_b};
        crm_contact_site site = crm_contact_site_at(pair->a, pair->b, &at);
        const double impulse[3] = {piece->impulse * size}, velocity[3] = {0.0};
        if (!crm_contact_table_add(state, &site, impulse, velocity, CAROM_CONTACT_STATUS_SLIDES)) return false;
    }
    report->contacts = state->contact_table.count;
    return true;
}

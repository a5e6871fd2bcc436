// SPDX-License-Identifier: MIT
#include "step/flex/pieces/piece_search.h"

#include <math.h>

#include "distance/static_geometry.h"
#include "step/contacts/contact_step.h"

void crm_piece_search_release(const carom_allocator *allocator, crm_piece_search *search) {
    CRM_ARRAY_FREE(allocator, &search->owner_box);
    CRM_ARRAY_FREE(allocator, &search->piece_box);
    CRM_ARRAY_FREE(allocator, &search->boxed);
    CRM_ARRAY_FREE(allocator, &search->owners);
    CRM_ARRAY_FREE(allocator, &search->list_a);
    CRM_ARRAY_FREE(allocator, &search->list_b);
    CRM_ARRAY_FREE(allocator, &search->couples);
}

// ---- boxes

static crm_box no_box(void) {
    return (crm_box){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
}

static void grow_by_point(crm_box *box, carom_vec3 x) {
    const double at[3] = {x.x, x.y, x.z};
    for (int k = 0; k < 3; k++) {
        box->low[k] = at[k] < box->low[k] ? at[k] : box->low[k];
        box->high[k] = at[k] > box->high[k] ? at[k] : box->high[k];
    }
}

static bool boxes_meet(const crm_box *a, const crm_box *b) {
    bool meet = true;
    for (int k = 0; k < 3; k++) meet &= (a->low[k] <= b->high[k]) & (b->low[k] <= a->high[k]);
    return meet;
}

// A convex part's points that are farthest along all axes.
static void grow_by_side(crm_box *box, const crm_side *side) {
    static const carom_vec3 axes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for (int k = 0; k < 6; k++) {
        carom_vec3 round;
        crm_round_support(side, axes[k], &round);
        carom_vec3 arm = crm_core_arm(side, crm_core_support(side, axes[k], -1));
        grow_by_point(box, crm_add(crm_add(side->centre, arm), round));
    }
}

// Of a half-space: all of space.
static crm_box box_of_shape(const carom_model *model, int body, const crm_motion *motion) {
    carom_view view = crm_body_view(model, body, motion);
    crm_box box = no_box();
    if (view.shape->kind == CAROM_SHAPE_HALF_SPACE)
        return (crm_box){{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    for (int part = 0; part < crm_part_count(&view); part++) {
        crm_side side;
        crm_side_of(&view, part, CRM_FROM_INSIDE, &side);
        grow_by_side(&box, &side);
    }
    return box;
}

static crm_box box_of_nodes(const int32_t *node, int count, const crm_motion *motions) {
    crm_box box = no_box();
    for (int k = 0; k < count; k++) grow_by_point(&box, motions[node[k]].x);
    return box;
}

static crm_box box_of_flex(const crm_flex *flex, const crm_motion *motions) {
    crm_box box = no_box();
    for (int b = flex->first_body; b < flex->first_body + flex->node_count; b++) grow_by_point(&box, motions[b].x);
    return box;
}

static void box_pieces(const crm_pieces *pieces, int owner, const crm_motion *motions, crm_piece_search *search) {
    if (search->boxed.items[owner]) return;
    const crm_piece_owner *of = &pieces->owner[owner];
    for (int p = of->first; p < of->first + of->count; p++)
        search->piece_box.items[p] =
            box_of_nodes(pieces->node + pieces->piece[p].first, pieces->piece[p].count, motions);
    search->boxed.items[owner] = true;
}

// ---- sweeps

static bool comes_before(crm_sweep_entry a, crm_sweep_entry b) {
    return a.low < b.low || (a.low == b.low && a.which < b.which);
}

// In place: Shell's sort with the gaps of Ciura, "Best increments for the average case of shellsort" (2001). The C
// library's takes memory of its own.
static void sort_entries(crm_sweep_list *list) {
    static const int gaps[] = {3905, 1750, 701, 301, 132, 57, 23, 10, 4, 1};
    for (size_t g = 0; g < sizeof gaps / sizeof gaps[0]; g++)
        for (int i = gaps[g]; i < list->count; i++) {
            crm_sweep_entry moved = list->items[i];
            int k = i;
            for (; k >= gaps[g] && comes_before(moved, list->items[k - gaps[g]]); k -= gaps[g])
                list->items[k] = list->items[k - gaps[g]];
            list->items[k] = moved;
        }
}

// The longest side of the box.
static int longest_axis(const crm_box *box) {
    double x = box->high[0] - box->low[0], y = box->high[1] - box->low[1], z = box->high[2] - box->low[2];
    return x >= y && x >= z ? 0 : y >= z ? 1 : 2;
}

// The pieces of an owner that meet this box, in order along the axis.
static bool list_pieces(const carom_allocator *allocator, const crm_pieces *pieces, int owner, const crm_box *within,
                        int axis, const crm_piece_search *search, crm_sweep_list *list) {
    const crm_piece_owner *of = &pieces->owner[owner];
    list->count = 0;
    for (int p = of->first; p < of->first + of->count; p++) {
        const crm_box *box = &search->piece_box.items[p];
        if (!boxes_meet(box, within)) continue;
        if (!CRM_ARRAY_PUSH(allocator, list, (crm_sweep_entry){box->low[axis], p})) return false;
    }
    sort_entries(list);
    return true;
}

// What a pair of owners needs while its couples are found.
typedef struct owner_pair {
    const carom_model *model;
    const crm_pieces *pieces;
    crm_piece_search *search;
    int a, b;
} owner_pair;

static bool push_couple(const owner_pair *pair, int a, int b) {
    return CRM_ARRAY_PUSH(&pair->model->allocator, &pair->search->couples, (crm_piece_couple){pair->a, pair->b, a, b});
}

static bool share_a_node(const crm_pieces *pieces, int a, int b) {
    const crm_piece_nodes *one = &pieces->piece[a], *other = &pieces->piece[b];
    for (int i = 0; i < one->count; i++)
        for (int k = 0; k < other->count; k++)
            if (pieces->node[one->first + i] == pieces->node[other->first + k]) return true;
    return false;
}

// Entries of `list` from `from` on that begin before the box ends: each may meet it.
static bool sweep_one(const owner_pair *pair, int piece, const crm_sweep_list *list, int from, int axis,
                      bool piece_is_a) {
    const crm_box *boxes = pair->search->piece_box.items, *box = &boxes[piece];
    for (int k = from; k < list->count && list->items[k].low <= box->high[axis]; k++) {
        int other = list->items[k].which;
        if (!boxes_meet(box, &boxes[other])) continue;
        if (pair->a == pair->b && share_a_node(pair->pieces, piece, other)) continue;
        if (!push_couple(pair, piece_is_a ? piece : other, piece_is_a ? other : piece)) return false;
    }
    return true;
}

static bool find_between_flexes(const owner_pair *pair, const crm_motion *motions) {
    crm_piece_search *search = pair->search;
    const carom_allocator *allocator = &pair->model->allocator;
    const crm_box *box_a = &search->owner_box.items[pair->a], *box_b = &search->owner_box.items[pair->b];
    crm_box within;
    for (int k = 0; k < 3; k++) {
        within.low[k] = fmax(box_a->low[k], box_b->low[k]);
        within.high[k] = fmin(box_a->high[k], box_b->high[k]);
    }
    int axis = longest_axis(&within);
    box_pieces(pair->pieces, pair->a, motions, search);
    box_pieces(pair->pieces, pair->b, motions, search);
    crm_sweep_list *a = &search->list_a, *b = &search->list_b;
    if (!list_pieces(allocator, pair->pieces, pair->a, &within, axis, search, a)) return false;
    if (pair->a == pair->b) {
        for (int i = 0; i < a->count; i++)
            if (!sweep_one(pair, a->items[i].which, a, i + 1, axis, true)) return false;
        return true;
    }
    if (!list_pieces(allocator, pair->pieces, pair->b, &within, axis, search, b)) return false;
    for (int i = 0, k = 0; i < a->count && k < b->count;) {
        bool a_begins = a->items[i].low <= b->items[k].low;
        if (!sweep_one(pair, a_begins ? a->items[i].which : b->items[k].which, a_begins ? b : a, a_begins ? k : i, axis,
                       a_begins))
            return false;
        if (a_begins)
            i++;
        else
            k++;
    }
    return true;
}

// The least of normal.x over a box.
static double lowest_of(const crm_box *box, carom_vec3 normal) {
    const double n[3] = {normal.x, normal.y, normal.z};
    double sum = 0.0;
    for (int k = 0; k < 3; k++) sum += n[k] * (n[k] > 0.0 ? box->low[k] : box->high[k]);
    return sum;
}

// Pieces in the box of a shape, or with a corner of their box below the plane of a half-space.
static bool find_on_shape(const owner_pair *pair, const crm_motion *motions) {
    crm_piece_search *search = pair->search;
    const crm_piece_owner *of = &pair->pieces->owner[pair->a];
    int body = pair->pieces->owner[pair->b].body;
    carom_view view = crm_body_view(pair->model, body, &motions[body]);
    bool plane = view.shape->kind == CAROM_SHAPE_HALF_SPACE;
    crm_static_geometry half_space = {.radius = 0.0};
    if (plane) half_space = crm_static_geometry_of(view.shape, &view.pose, false);
    double height = crm_dot(half_space.normal, half_space.origin);
    if (plane && lowest_of(&search->owner_box.items[pair->a], half_space.normal) > height) return true;
    box_pieces(pair->pieces, pair->a, motions, search);
    for (int p = of->first; p < of->first + of->count; p++) {
        const crm_box *box = &search->piece_box.items[p];
        bool near =
            plane ? lowest_of(box, half_space.normal) <= height : boxes_meet(box, &search->owner_box.items[pair->b]);
        if (near && !push_couple(pair, p, -1)) return false;
    }
    return true;
}

// ---- owners

static bool prepare(const carom_model *model, const crm_pieces *pieces, const crm_motion *motions,
                    crm_piece_search *search) {
    const carom_allocator *allocator = &model->allocator;
    search->couples.count = search->owners.count = 0;
    if (!CRM_ARRAY_RESIZE(allocator, &search->owner_box, pieces->owner_count) ||
        !CRM_ARRAY_RESIZE(allocator, &search->boxed, pieces->owner_count) ||
        !CRM_ARRAY_RESIZE(allocator, &search->piece_box, pieces->piece_count))
        return false;
    for (int i = 0; i < pieces->owner_count; i++) {
        const crm_piece_owner *owner = &pieces->owner[i];
        search->boxed.items[i] = false;
        search->owner_box.items[i] = owner->flex >= 0 ? box_of_flex(&model->flexes.items[owner->flex], motions)
                                                      : box_of_shape(model, owner->body, &motions[owner->body]);
        if (!CRM_ARRAY_PUSH(allocator, &search->owners, (crm_sweep_entry){search->owner_box.items[i].low[0], i}))
            return false;
    }
    sort_entries(&search->owners);
    return true;
}

// `one` and `other` have boxes that meet: in the order of their numbers, which puts what is flexible first.
static bool find_between(const carom_model *model, const crm_pieces *pieces, const crm_motion *motions, int one,
                         int other, crm_piece_search *search) {
    owner_pair pair = {model, pieces, search, one < other ? one : other, one < other ? other : one};
    if (pair.a >= pieces->flex_count || !crm_piece_owners_meet(model, pieces, pair.a, pair.b)) return true;
    return pair.b < pieces->flex_count ? find_between_flexes(&pair, motions) : find_on_shape(&pair, motions);
}

bool crm_piece_search_update(const carom_model *model, const crm_pieces *pieces, const crm_motion *motions,
                             crm_piece_search *search) {
    if (!prepare(model, pieces, motions, search)) return false;
    const crm_box *boxes = search->owner_box.items;
    for (int i = 0; i < search->owners.count; i++) {
        int one = search->owners.items[i].which;
        if (one < pieces->flex_count && !find_between(model, pieces, motions, one, one, search)) return false;
        for (int k = i + 1; k < search->owners.count; k++) {
            int other = search->owners.items[k].which;
            if (search->owners.items[k].low > boxes[one].high[0]) break;
            if (!boxes_meet(&boxes[one], &boxes[other])) continue;
            if (!find_between(model, pieces, motions, one, other, search)) return false;
        }
    }
    return true;
}

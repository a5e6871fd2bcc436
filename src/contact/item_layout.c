// SPDX-License-Identifier: MIT
#include "contact/item_layout.h"

#include "contact/narrow/separating_axis_cache.h"
#include "contact/tangent_basis.h"
#include "distance/side.h"
#include "math/quat.h"

// ---- ranks

typedef struct named_place {
    int32_t id, place;
} named_place;

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

// One pass of a radix sort of `from` into `to`, by the digit above `shift`.
static void sort_by_digit(int count, const named_place *from, int shift, named_place *to) {
    int start[DIGITS] = {0}, sum = 0;
    for (int i = 0; i < count; i++) start[(from[i].id >> shift) & (DIGITS - 1)]++;
    for (int d = 0; d < DIGITS; d++) {
        int here = start[d];
        start[d] = sum;
        sum += here;
    }
    for (int i = 0; i < count; i++) to[start[(from[i].id >> shift) & (DIGITS - 1)]++] = from[i];
}

static bool rank_places(int count, const carom_proxy *proxies, crm_arena *arena, int32_t *place) {
    bool ascending = true;
    int32_t most = 0;
    for (int i = 0; i < count; i++) {
        ascending = ascending && (i == 0 || proxies[i - 1].id < proxies[i].id);
        most = proxies[i].id > most ? proxies[i].id : most;
        place[i] = i;
    }
    if (ascending) return true;
    crm_mark mark = crm_arena_mark(arena);
    named_place *from = CRM_ARENA_ARRAY(arena, named_place, count), *to = CRM_ARENA_ARRAY(arena, named_place, count);
    if (from == NULL || to == NULL) return false;
    for (int i = 0; i < count; i++) from[i] = (named_place){proxies[i].id, i};
    for (int shift = 0; shift < 31 && most >> shift > 0; shift += DIGIT_BITS) {
        sort_by_digit(count, from, shift, to);
        named_place *swap = from;
        from = to;
        to = swap;
    }
    for (int i = 0; i < count; i++) place[i] = from[i].place;
    crm_arena_release(arena, mark);
    return true;
}

// ---- items

bool crm_item_layout_of(int count, const carom_proxy *proxies, crm_arena *arena, crm_item_layout *out) {
    int32_t *place = CRM_ARENA_ARRAY(arena, int32_t, count), *first = CRM_ARENA_ARRAY(arena, int32_t, count + 1);
    if (place == NULL || first == NULL || !rank_places(count, proxies, arena, place)) return false;
    int64_t items = 0;
    for (int i = 0; i < count; i++) {
        if (i + CRM_PROXIES_AHEAD < count) crm_fetch_shape(proxies[place[i + CRM_PROXIES_AHEAD]].view.shape);
        first[i] = (int32_t)items;
        items += crm_part_count(&proxies[place[i]].view);
        if (items > INT32_MAX / 2) return false; // more than memory has, and sums with blocks stay in range
    }
    first[count] = (int32_t)items;
    int32_t *rank = CRM_ARENA_ARRAY(arena, int32_t, items);
    if (rank == NULL) return false;
    for (int i = 0; i < count; i++)
        for (int k = first[i]; k < first[i + 1]; k++) rank[k] = i;
    *out = (crm_item_layout){proxies, count, (int)items, place, first, rank};
    return true;
}

// A part's pose is composed as quaternions; distances compose matrices. The two differ by rounding, and by as much as
// the attitude is off from length 1: both are in the slack of boxes (item_box.c).
static carom_view part_view(const carom_view *view, int number) {
    const crm_part *part = &view->shape->part[number];
    carom_quat attitude = view->pose.attitude;
    carom_vec3 arm = crm_quat_rotate(attitude, part->pose.position);
    carom_pose pose = {crm_add(view->pose.position, arm), crm_quat_mul(attitude, part->pose.attitude)};
    return carom_view_of(part->shape, pose);
}

void crm_make_item_ready(crm_item *item) {
    const carom_view *view = &item->view;
    item->id = item->proxy->id;
    item->kind = crm_view_kind(view);
    item->size = crm_proxy_size(&item->proxy->view);
    item->extent = crm_view_extent(view);
    item->margin = item->proxy->margin;
    item->is_box = item->kind == CAROM_SHAPE_BOX && crm_is_box(view);
    if (item->kind == CAROM_SHAPE_BOX || item->kind == CAROM_SHAPE_ELLIPSOID)
        item->posed = crm_pose_box(view);
    else
        item->posed.position = view->pose.position;
}

void crm_layout_item(const crm_item_layout *layout, int item, crm_item *out) {
    int rank = layout->rank[item];
    out->rank = rank;
    out->place = layout->place[rank];
    out->proxy = &layout->proxies[out->place];
    out->part = item - layout->first[rank];
    out->view = out->proxy->view;
    if (crm_view_kind(&out->view) == CAROM_SHAPE_COMPOUND) out->view = part_view(&out->view, out->part);
    crm_make_item_ready(out);
}

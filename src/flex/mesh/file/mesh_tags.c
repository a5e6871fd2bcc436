// SPDX-License-Identifier: MIT
// Numbers that files give to nodes, which may leave out any of them.
#include "flex/mesh/file/mesh_draft.h"

// Rows of 16 bits, the highest first; the sign turned, so that negative ones come first.
enum { COLUMNS = 4, BOUND = 1 << 16 };

static const int32_t *sort(int count, const int64_t *tag, crm_arena *scratch) {
    int32_t *row = CRM_ARENA_ARRAY(scratch, int32_t, (ptrdiff_t)COLUMNS * count);
    if (row == NULL) return NULL;
    for (int i = 0; i < count; i++) {
        uint64_t bits = (uint64_t)tag[i] ^ (UINT64_C(1) << 63);
        for (int c = 0; c < COLUMNS; c++) row[(ptrdiff_t)COLUMNS * i + c] = (int32_t)(bits >> (48 - 16 * c) & 0xffff);
    }
    return crm_mesh_sort_rows(count, COLUMNS, row, BOUND, scratch);
}

bool crm_mesh_tags_sort(int count, const int64_t *tag, crm_arena *scratch, crm_mesh_tags *out) {
    int64_t *sorted = CRM_ARENA_ARRAY(scratch, int64_t, count);
    int32_t *index = CRM_ARENA_ARRAY(scratch, int32_t, count);
    if (sorted == NULL || index == NULL) return false;
    bool ascends = true;
    for (int i = 1; i < count; i++) ascends &= tag[i - 1] <= tag[i];
    crm_mark mark = crm_arena_mark(scratch);
    const int32_t *order = ascends ? NULL : sort(count, tag, scratch);
    if (!ascends && order == NULL) return false;
    for (int i = 0; i < count; i++) {
        index[i] = ascends ? i : order[i];
        sorted[i] = tag[index[i]];
    }
    crm_arena_release(scratch, mark);
    *out = (crm_mesh_tags){count, sorted, index};
    return true;
}

int crm_mesh_tags_find(const crm_mesh_tags *tags, int64_t tag) {
    if (tags->count == 0 || tag < tags->tag[0] || tag > tags->tag[tags->count - 1]) return -1;
    uint64_t guess = (uint64_t)tag - (uint64_t)tags->tag[0]; // right where none is left out
    if (guess < (uint64_t)tags->count && tags->tag[guess] == tag) return tags->index[guess];
    int first = 0, last = tags->count;
    while (first < last) {
        int middle = first + (last - first) / 2;
        if (tags->tag[middle] < tag)
            first = middle + 1;
        else
            last = middle;
    }
    return first < tags->count && tags->tag[first] == tag ? tags->index[first] : -1;
}

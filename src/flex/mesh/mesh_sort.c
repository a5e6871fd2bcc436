// SPDX-License-Identifier: MIT
// Rows of numbers in ascending order, by counting: as many passes over the rows as they have columns, whatever is in
// them, so that no input makes it slow.
#include <string.h>

#include "flex/mesh/mesh_build.h"

// Orders `from` by one column into `to`; equal numbers stay in their order.
static void pass(int count, int columns, const int32_t *rows, int column, int bound, int32_t *start,
                 const int32_t *from, int32_t *to) {
    memset(start, 0, ((size_t)bound + 1) * sizeof *start);
    for (int i = 0; i < count; i++) start[rows[(ptrdiff_t)columns * i + column] + 1]++;
    for (int value = 0; value < bound; value++) start[value + 1] += start[value];
    for (int i = 0; i < count; i++) to[start[rows[(ptrdiff_t)columns * from[i] + column]]++] = from[i];
}

int32_t *crm_mesh_sort_rows(int count, int columns, const int32_t *rows, int bound, crm_arena *scratch) {
    int32_t *order = CRM_ARENA_ARRAY(scratch, int32_t, count);
    crm_mark mark = crm_arena_mark(scratch);
    int32_t *other = CRM_ARENA_ARRAY(scratch, int32_t, count);
    int32_t *start = CRM_ARENA_ARRAY(scratch, int32_t, (ptrdiff_t)bound + 1);
    if (order == NULL || other == NULL || start == NULL) return NULL;
    for (int i = 0; i < count; i++) order[i] = i;
    for (int column = columns - 1; column >= 0; column--) {
        pass(count, columns, rows, column, bound, start, order, other);
        memcpy(order, other, (size_t)count * sizeof *order);
    }
    crm_arena_release(scratch, mark);
    return order;
}

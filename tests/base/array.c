// SPDX-License-Identifier: MIT
// Growable arrays: growth, refusals that change nothing, no leak.
#include <limits.h>
#include <stdint.h>

#include "base/array.h"
#include "carom/types.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

typedef CRM_ARRAY(int) int_array;
typedef CRM_ARRAY(carom_vec3) vec3_array;

typedef struct terabyte {
    char bytes[(size_t)1 << 40];
} terabyte;
typedef CRM_ARRAY(terabyte) terabyte_array;

TEST(pushed_items_stay_in_order) {
    enum { ITEMS = 100000 };
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    int_array list = {0};
    for (int i = 0; i < ITEMS; i++)
        if (!CHECK(CRM_ARRAY_PUSH(&hook, &list, 3 * i))) break;
    CHECK_INT(list.count, ITEMS);
    for (int i = 0; i < list.count; i++)
        if (!CHECK_INT(list.items[i], 3 * i)) break;
    CHECK(probe.calls <= 15); // 8 2^14 > 100000: geometric growth
    CHECK_INT(probe.live_blocks, 1);
    CHECK_INT(probe.live_bytes, (long long)list.capacity * (long long)sizeof(int));
    CRM_ARRAY_FREE(&hook, &list);
    CHECK_INT(probe.live_bytes, 0);
    CHECK(list.items == NULL && list.count == 0 && list.capacity == 0);
    CRM_ARRAY_FREE(&hook, &list); // of an empty one
}

// Of a large array no more than an eighth is empty, and pushes still move few items.
TEST(large_arrays_grow_by_an_eighth) {
    enum { ITEMS = 4000000 };
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    int_array list = {0};
    for (int i = 0; i < ITEMS; i++)
        if (!CHECK(CRM_ARRAY_PUSH(&hook, &list, i))) break;
    CHECK_INT(list.items[ITEMS - 1], ITEMS - 1);
    CHECK(list.capacity <= ITEMS + ITEMS / 8);
    CHECK(probe.calls <= 50); // 15, then 1.125^30 > 32
    CRM_ARRAY_FREE(&hook, &list);
}

TEST(push_takes_literals_and_its_own_items) {
    carom_allocator hook = carom_allocator_default();
    vec3_array points = {0};
    CHECK(CRM_ARRAY_PUSH(&hook, &points, (carom_vec3){1, 2, 3}));
    while (points.count < 100) CHECK(CRM_ARRAY_PUSH(&hook, &points, points.items[points.count - 1]));
    CHECK(points.items[99].x == 1 && points.items[99].y == 2 && points.items[99].z == 3);
    CRM_ARRAY_FREE(&hook, &points);
}

TEST(resize_zeroes_what_is_new) {
    carom_allocator hook = carom_allocator_default();
    int_array list = {0};
    CHECK(CRM_ARRAY_RESIZE(&hook, &list, 0));
    CHECK(list.items == NULL);
    CHECK(CRM_ARRAY_RESIZE(&hook, &list, 5));
    for (int i = 0; i < 5; i++) list.items[i] = 7;
    CHECK(CRM_ARRAY_RESIZE(&hook, &list, 2));
    CHECK(CRM_ARRAY_RESIZE(&hook, &list, 50));
    CHECK_INT(list.count, 50);
    for (int i = 0; i < 50; i++) CHECK_INT(list.items[i], i < 2 ? 7 : 0);
    CRM_ARRAY_FREE(&hook, &list);
}

TEST(reserved_pushes_allocate_nothing) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    int_array list = {0};
    CHECK(CRM_ARRAY_RESERVE(&hook, &list, 1000));
    CHECK_INT(list.count, 0);
    for (int i = 0; i < 1000; i++) CHECK(CRM_ARRAY_PUSH(&hook, &list, i));
    CHECK(CRM_ARRAY_RESERVE(&hook, &list, 10));
    CHECK_INT(probe.calls, 1);
    CHECK_INT(list.count, 1000);
    CRM_ARRAY_FREE(&hook, &list);
}

// The array after a refused call is bit for bit the one before.
#define CHECK_REFUSED(call, array)                                                \
    do {                                                                          \
        void *items_before = (array)->items;                                      \
        int count_before = (array)->count, capacity_before = (array)->capacity;   \
        CHECK(!(call));                                                           \
        CHECK((array)->items == items_before && (array)->count == count_before && \
              (array)->capacity == capacity_before);                              \
    } while (0)

TEST(impossible_sizes_are_refused) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    int_array list = {0};
    CHECK(CRM_ARRAY_PUSH(&hook, &list, 42));
    long long calls = probe.calls;
    CHECK_REFUSED(CRM_ARRAY_RESERVE(&hook, &list, -1), &list);
    CHECK_REFUSED(CRM_ARRAY_RESIZE(&hook, &list, -1), &list);
    CHECK_REFUSED(CRM_ARRAY_RESIZE(&hook, &list, (ptrdiff_t)INT_MAX + 1), &list);
    CHECK_REFUSED(CRM_ARRAY_RESERVE(&hook, &list, PTRDIFF_MAX), &list);
    CHECK_INT(list.items[0], 42);

    terabyte_array disks = {0};
    CHECK_REFUSED(CRM_ARRAY_RESERVE(&hook, &disks, 1 << 23), &disks); // 2^63 bytes
    CHECK_REFUSED(CRM_ARRAY_RESIZE(&hook, &disks, 1 << 24), &disks);  // 2^64, which is 0 in a size_t
    CHECK_REFUSED(CRM_ARRAY_RESIZE(&hook, &disks, INT_MAX), &disks);
    CHECK_INT(probe.calls, calls); // nobody was even asked

    int *item = list.items;
    int_array full = {.items = item, .count = INT_MAX, .capacity = INT_MAX};
    CHECK_REFUSED(CRM_ARRAY_PUSH(&hook, &full, 1), &full);
    CRM_ARRAY_FREE(&hook, &list);
    CHECK_INT(probe.live_bytes, 0);
}

TEST(any_refused_allocation_changes_nothing_and_leaks_nothing) {
    for (int n = 1; n <= 10; n++) { // 8 2^9 > 3000: ten growths
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        int_array list = {0};
        int refusals = 0;
        for (int i = 0; i < 3000; i++) {
            int_array before = list;
            if (CRM_ARRAY_PUSH(&hook, &list, i)) continue;
            refusals++;
            CHECK(list.items == before.items && list.count == before.count && list.capacity == before.capacity);
            CHECK(CRM_ARRAY_PUSH(&hook, &list, i));
        }
        CHECK_INT(refusals, 1);
        CHECK_INT(list.count, 3000);
        for (int i = 0; i < list.count; i++)
            if (!CHECK_INT(list.items[i], i)) break;
        CRM_ARRAY_FREE(&hook, &list);
        CHECK_INT(probe.live_blocks, 0);
        CHECK_INT(probe.live_bytes, 0);
    }
}

TEST_MAIN(CASE(pushed_items_stay_in_order), CASE(large_arrays_grow_by_an_eighth),
          CASE(push_takes_literals_and_its_own_items), CASE(resize_zeroes_what_is_new),
          CASE(reserved_pushes_allocate_nothing), CASE(impossible_sizes_are_refused),
          CASE(any_refused_allocation_changes_nothing_and_leaks_nothing))

// SPDX-License-Identifier: MIT
#include "contact/pair_cache.h"

#include <limits.h>

#include "support/harness/bounded_allocator.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/sample.h"

// Meetings of ids i and i + 1 ... i + 3, with gaps in between, as many as are asked for.
static void fill(crm_pair_cache *cache, const carom_allocator *allocator, int count) {
    CHECK(crm_pair_cache_resize(cache, allocator, (crm_pair_cache_counts){count, count, 0, count}));
    for (int i = 0; i < count; i++) {
        int32_t a = 5 * (i / 3), b = a + 1 + i % 3;
        cache->meetings.items[i] = (crm_meeting){.id_a = a, .id_b = b, .first = i, .count = 1};
        cache->keys.items[i] = (crm_pair_key){a, b, i % 2, 0};
        cache->memory.items[i] = (crm_pair_memory){0};
        cache->places.items[i] = (crm_place){.pose = {{i, 0.0, 0.0}, {1.0, 0.0, 0.0, 0.0}}, .id = 2 * i};
    }
}

TEST(meetings_are_found_and_others_are_not) {
    const carom_allocator allocator = carom_allocator_default();
    crm_pair_cache cache = {0};
    CHECK(crm_find_meeting(&cache, 0, 1) == NULL);
    for (int count = 0; count < 3000; count = 2 * count + 1) {
        fill(&cache, &allocator, count);
        for (int i = 0; i < count; i++) {
            crm_meeting m = cache.meetings.items[i];
            const crm_meeting *found = crm_find_meeting(&cache, m.id_a, m.id_b);
            if (!CHECK(found != NULL && found->first == i)) break;
            CHECK(crm_find_meeting(&cache, m.id_a, m.id_b + 4) == NULL);
            CHECK_INT(crm_first_meeting(&cache, m.id_a, m.id_b), i);
            CHECK_INT(crm_first_key(&cache, &cache.keys.items[i]), i);
        }
        CHECK_INT(crm_first_meeting(&cache, INT32_MAX, 0), count);
        CHECK_INT(crm_first_meeting(&cache, -1, 0), 0);
    }
    crm_pair_cache_free(&cache, &allocator);
}

TEST(copies_are_the_same_and_smaller_fillings_take_no_memory) {
    probe_allocator probe = {0};
    carom_allocator allocator = probe_allocator_hook(&probe);
    crm_pair_cache cache = {0}, copy = {0};
    fill(&cache, &allocator, 1000);
    CHECK(crm_pair_cache_copy(&cache, &allocator, &copy));
    const crm_meeting *found = crm_find_meeting(&copy, cache.meetings.items[500].id_a, cache.meetings.items[500].id_b);
    CHECK(found != NULL && found->first == 500);
    for (int i = 0; i < 1000; i++) // wherever it is looked for first
        CHECK_NEAR(crm_former_pose(&copy, 2 * i, i % 3 == 0 ? i : i % 7)->position.x, i, 0.0);
    CHECK_INT(crm_pair_cache_bytes(&cache) + crm_pair_cache_bytes(&copy), probe.live_bytes);
    long long calls = probe.calls;
    fill(&cache, &allocator, 900);
    CHECK_INT(probe.calls, calls);
    CHECK_INT(cache.keys.count, 900);
    CHECK(crm_find_meeting(&cache, 5 * 320, 5 * 320 + 1) == NULL); // of the former filling
    crm_pair_cache_free(&cache, &allocator);
    crm_pair_cache_free(&copy, &allocator);
    CHECK_INT(probe.live_bytes, 0);
}

TEST(counts_beyond_all_memory_are_refused) {
    bounded_allocator bounds = {.most = 1 << 20};
    carom_allocator allocator = bounded_allocator_hook(&bounds);
    crm_pair_cache cache = {0};
    fill(&cache, &allocator, 10);
    CHECK(!crm_pair_cache_resize(&cache, &allocator, (crm_pair_cache_counts){INT_MAX, 0, 0, 0}));
    CHECK(!crm_pair_cache_resize(&cache, &allocator, (crm_pair_cache_counts){(int64_t)INT_MAX + 1, 0, 0, 0}));
    CHECK(!crm_pair_cache_resize(&cache, &allocator, (crm_pair_cache_counts){10, 10, (int64_t)1 << 40, 0}));
    CHECK(!crm_pair_cache_resize(&cache, &allocator, (crm_pair_cache_counts){10, 10, 0, INT_MAX}));
    CHECK_INT(cache.keys.count, 10);
    CHECK(crm_find_meeting(&cache, 0, 2) != NULL);
    crm_pair_cache_free(&cache, &allocator);
}

TEST_MAIN(CASE(meetings_are_found_and_others_are_not), CASE(copies_are_the_same_and_smaller_fillings_take_no_memory),
          CASE(counts_beyond_all_memory_are_refused))

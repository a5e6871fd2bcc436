// SPDX-License-Identifier: MIT
// Arenas: alignment, marks, reuse without allocation, refusals that change nothing.
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/poison.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

// Hands out blocks at an odd multiple of 16 bytes: all that the hook promises, and less than malloc often gives.
static void *allocate_barely_aligned(void *user, size_t bytes) {
    carom_allocator *inner = user;
    unsigned char *block = inner->allocate(inner->user, bytes + 128);
    if (block == NULL) return NULL;
    size_t shift = 64 - (uintptr_t)block % 64 + 16;
    memcpy(block + shift - 16, &block, sizeof block);
    return block + shift;
}

static void release_barely_aligned(void *user, void *block, size_t bytes) {
    carom_allocator *inner = user;
    memset(block, 0xdd, bytes); // it is ours again: must not be poisoned
    unsigned char *original;
    memcpy(&original, (unsigned char *)block - 16, sizeof original);
    inner->release(inner->user, original, bytes + 128);
}

TEST(pieces_start_on_a_cache_line_and_do_not_overlap) {
    enum { PIECES = 600 };
    probe_allocator probe = {0};
    carom_allocator inner = probe_allocator_hook(&probe);
    carom_allocator barely = {allocate_barely_aligned, release_barely_aligned, &inner};
    crm_arena arena;
    crm_arena_init(&arena, &barely);

    unsigned char *pieces[PIECES];
    for (int i = 0; i < PIECES; i++) {
        pieces[i] = crm_arena_take(&arena, (size_t)i);
        CHECK(pieces[i] != NULL);
        CHECK_INT((uintptr_t)pieces[i] % CRM_ARENA_ALIGNMENT, 0);
        memset(pieces[i], i % 251, (size_t)i);
    }
    for (int i = 0; i < PIECES; i++)
        for (int j = 0; j < i; j++)
            if (!CHECK_INT(pieces[i][j], i % 251)) return;

    CHECK(probe.calls > 1);
    crm_arena_free(&arena);
    CHECK_INT(probe.live_blocks, 0);
    CHECK_INT(probe.live_bytes, 0);
}

TEST(null_allocator_means_the_default_one) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    CHECK(crm_arena_take(&arena, 0) != NULL);
    CHECK(CRM_ARENA_ARRAY(&arena, double, 100000) != NULL);
    crm_arena_free(&arena);
    CHECK(CRM_ARENA_ARRAY(&arena, double, 10) != NULL); // empty, and usable again
    crm_arena_free(&arena);
}

TEST(release_gives_the_same_memory_again) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    void *kept = crm_arena_take(&arena, 100);
    memset(kept, 7, 100);
    crm_mark mark = crm_arena_mark(&arena);
    void *first = crm_arena_take(&arena, 1000);
    crm_arena_take(&arena, 1000000); // lies in a block of its own
    crm_arena_release(&arena, mark);
    CHECK(crm_arena_take(&arena, 1000) == first);
    for (int i = 0; i < 100; i++) CHECK_INT(((unsigned char *)kept)[i], 7);
    crm_arena_free(&arena);
}

TEST(zeroed_memory_is_zero_even_when_it_was_used) {
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_mark mark = crm_arena_mark(&arena);
    memset(crm_arena_take(&arena, 4096), 0xff, 4096);
    crm_arena_release(&arena, mark);
    const int *zeros = CRM_ARENA_ZEROED(&arena, int, 1024);
    for (int i = 0; i < 1024; i++)
        if (!CHECK_INT(zeros[i], 0)) break;
    crm_arena_free(&arena);
}

// Work with inner marks and pieces of very different sizes, `variant` of an endless family with the same bounds.
static bool work(crm_arena *arena, unsigned variant) {
    crm_mark all = crm_arena_mark(arena);
    for (int i = 0; i < 30; i++) {
        variant = variant * 1664525u + 1013904223u;
        size_t length = (size_t)1 << (variant >> 8) % 17;
        unsigned char *piece = crm_arena_take(arena, length);
        if (piece == NULL) return false;
        memset(piece, 1, length);
        crm_mark inner = crm_arena_mark(arena);
        for (int j = 0; j < 4; j++)
            if (crm_arena_take(arena, 3 * length) == NULL) return false;
        crm_arena_release(arena, inner);
    }
    crm_arena_release(arena, all);
    return true;
}

TEST(repeated_work_allocates_nothing_without_reset) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena arena;
    crm_arena_init(&arena, &hook);
    CHECK(work(&arena, 1));
    CHECK(work(&arena, 1));
    long long calls = probe.calls;
    for (int i = 0; i < 50; i++) CHECK(work(&arena, 1));
    CHECK_INT(probe.calls, calls);
    crm_arena_free(&arena);
}

// 30 pieces of at most 64 KiB and 12 times that above the last: 2.75 MB. Blocks start at 16 KiB and double the sum, so
// one block holds the peak after at most 2 + log2(2.75 MB / 16 KiB) = 9.4 of them; then no order of pieces needs more.
TEST(any_order_of_work_allocates_a_bounded_number_of_times) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena arena;
    crm_arena_init(&arena, &hook);
    for (unsigned variant = 0; variant < 2000; variant++) CHECK(work(&arena, variant));
    CHECK(probe.calls <= 9);
    CHECK_INT(probe.calls, probe.live_blocks);
    crm_arena_free(&arena);
    CHECK_INT(probe.live_blocks, 0);
}

TEST(reset_joins_all_blocks_into_one) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena arena;
    crm_arena_init(&arena, &hook);
    crm_arena_reset(&arena); // of nothing
    CHECK_INT(probe.calls, 0);

    for (int i = 0; i < 100; i++) CHECK(crm_arena_take(&arena, 5000) != NULL);
    CHECK(probe.live_blocks > 1);
    crm_arena_reset(&arena);
    CHECK_INT(probe.live_blocks, 1);

    long long calls = probe.calls;
    CHECK(crm_arena_take(&arena, 100 * 5000) != NULL); // as one piece now
    crm_arena_reset(&arena);
    CHECK_INT(probe.calls, calls);
    crm_arena_free(&arena);
    CHECK_INT(probe.live_blocks, 0);
}

// Growing work of a frugal arena that is reset each time: little more than the work needs is held, and repeated work
// allocates nothing.
TEST(frugal_arenas_hold_little_more_than_they_need) {
    enum { PIECE = 50000, MOST = 200 };
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena arena;
    crm_arena_init(&arena, &hook);
    arena.frugal = true;
    for (int pieces = 1; pieces <= MOST; pieces++) {
        crm_arena_reset(&arena);
        for (int i = 0; i < pieces; i++) CHECK(crm_arena_take(&arena, PIECE) != NULL);
    }
    CHECK(arena.capacity <= (size_t)(1.2 * PIECE * MOST));
    crm_arena_reset(&arena);
    long long calls = probe.calls;
    for (int i = 0; i < MOST; i++) CHECK(crm_arena_take(&arena, PIECE) != NULL);
    CHECK_INT(probe.calls, calls);
    crm_arena_free(&arena);
    CHECK_INT(probe.live_bytes, 0);
}

TEST(refused_reset_keeps_the_blocks) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena arena;
    crm_arena_init(&arena, &hook);
    for (int i = 0; i < 100; i++) crm_arena_take(&arena, 5000);
    long long blocks = probe.live_blocks;
    probe.refused_call = probe.calls + 1;
    crm_arena_reset(&arena);
    CHECK_INT(probe.live_blocks, blocks);
    long long calls = probe.calls;
    for (int i = 0; i < 100; i++) CHECK(crm_arena_take(&arena, 5000) != NULL);
    CHECK_INT(probe.calls, calls);
    crm_arena_free(&arena);
    CHECK_INT(probe.live_blocks, 0);
}

TEST(reserved_memory_is_there_in_any_pieces) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    for (size_t piece = 0; piece <= 4096; piece += 64) {
        crm_arena arena;
        crm_arena_init(&arena, &hook);
        crm_arena_take(&arena, 10000);
        crm_mark mark = crm_arena_mark(&arena);
        crm_arena_take(&arena, 40000); // leaves a spare block that is too small for what follows
        crm_arena_release(&arena, mark);
        CHECK(crm_arena_reserve(&arena, 100 * piece));
        long long calls = probe.calls;
        for (int i = 0; i < 100; i++) CHECK(crm_arena_take(&arena, piece) != NULL);
        CHECK_INT(probe.calls, calls);
        crm_arena_free(&arena);
    }
    crm_arena empty;
    crm_arena_init(&empty, &hook);
    CHECK(crm_arena_reserve(&empty, 0));
    long long calls = probe.calls;
    CHECK(crm_arena_take(&empty, 0) != NULL);
    CHECK_INT(probe.calls, calls);
    crm_arena_free(&empty);
}

TEST(impossible_sizes_are_refused) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_arena arena;
    crm_arena_init(&arena, &hook);
    CHECK(!crm_arena_refused(&arena));
    CHECK(crm_arena_take_array(&arena, -1, 8) == NULL);
    CHECK(crm_arena_refused(&arena));
    CHECK(crm_arena_take_array(&arena, -1, 0) == NULL);
    CHECK(crm_arena_take_array(&arena, PTRDIFF_MIN, 1) == NULL);
    CHECK(crm_arena_take_array(&arena, PTRDIFF_MAX, 8) == NULL);
    CHECK(crm_arena_take_array(&arena, PTRDIFF_MAX / 4, 8) == NULL);
    CHECK(crm_arena_take_array(&arena, (ptrdiff_t)1 << 32, (size_t)1 << 32) == NULL); // the product is 0 modulo 2^64
    CHECK(crm_arena_take_zeroed(&arena, PTRDIFF_MAX, 16) == NULL);
    for (size_t slack = 0; slack < 300; slack++) {
        CHECK(crm_arena_take(&arena, SIZE_MAX - slack) == NULL);
        CHECK(!crm_arena_reserve(&arena, SIZE_MAX - slack));
        CHECK(crm_arena_take(&arena, (size_t)PTRDIFF_MAX - slack) == NULL);
    }
    CHECK_INT(probe.calls, 0); // nobody was even asked
    CHECK(crm_arena_take_array(&arena, 0, 8) != NULL);
    CHECK(crm_arena_take_array(&arena, 8, 0) != NULL);
    crm_arena_free(&arena);
}

TEST(any_refused_allocation_leaves_the_arena_usable_and_no_leak) {
    bool finished = false;
    for (int n = 1; !finished; n++) {
        probe_allocator probe = {.refused_call = n};
        carom_allocator hook = probe_allocator_hook(&probe);
        crm_arena arena;
        crm_arena_init(&arena, &hook);
        unsigned char *kept = crm_arena_take(&arena, 64);
        if (kept != NULL) memset(kept, 5, 64);
        crm_mark mark = crm_arena_mark(&arena);
        finished = kept != NULL && work(&arena, 3);
        crm_arena_release(&arena, mark);
        CHECK_INT(crm_arena_refused(&arena), !finished);
        CHECK(work(&arena, 3)); // the refusal is over
        for (int i = 0; kept != NULL && i < 64; i++) CHECK_INT(kept[i], 5);
        crm_arena_free(&arena);
        CHECK_INT(probe.live_blocks, 0);
        CHECK_INT(probe.live_bytes, 0);
        if (!CHECK(n < 100)) break;
    }
}

TEST(released_memory_is_poisoned) {
#ifdef CRM_POISONS
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    char *kept = crm_arena_take(&arena, 100);
    crm_mark mark = crm_arena_mark(&arena);
    char *near = crm_arena_take(&arena, 100);
    char *far = crm_arena_take(&arena, 100000);
    CHECK(!__asan_address_is_poisoned(near + 99));
    CHECK(__asan_address_is_poisoned(near + 104)); // the rounding; the sanitizer sees groups of 8 bytes
    CHECK(!__asan_address_is_poisoned(far + 99999));
    crm_arena_release(&arena, mark);
    CHECK(!__asan_address_is_poisoned(kept + 99));
    CHECK(__asan_address_is_poisoned(near));
    CHECK(__asan_address_is_poisoned(far + 99999));
    crm_arena_reset(&arena);
    crm_arena_free(&arena);
#else
    skip();
#endif
}

TEST_MAIN(CASE(pieces_start_on_a_cache_line_and_do_not_overlap), CASE(null_allocator_means_the_default_one),
          CASE(release_gives_the_same_memory_again), CASE(zeroed_memory_is_zero_even_when_it_was_used),
          CASE(repeated_work_allocates_nothing_without_reset),
          CASE(any_order_of_work_allocates_a_bounded_number_of_times), CASE(reset_joins_all_blocks_into_one),
          CASE(frugal_arenas_hold_little_more_than_they_need), CASE(refused_reset_keeps_the_blocks),
          CASE(reserved_memory_is_there_in_any_pieces), CASE(impossible_sizes_are_refused),
          CASE(any_refused_allocation_leaves_the_arena_usable_and_no_leak), CASE(released_memory_is_poisoned))

// SPDX-License-Identifier: MIT
// Heaps end in the same bits for any number of threads, and when they are saved and go on elsewhere.
#include <stdlib.h>

#include "support/harness/check.h"
#include "support/scene/heap.h"

#define DEFAULT "{}"
#define FAST "{\"accuracy\": \"fast\"}"

static const char *const heaps[] = {"cards", "rubble", "sledges"};
enum { heap_count = sizeof heaps / sizeof heaps[0] };

static void go(heap *h, int steps) {
    carom_step_report report;
    for (int i = 0; i < steps; i++)
        if (!heap_step(h, &report)) return;
}

static uint64_t hash_after(const char *name, const char *settings, int threads, int steps) {
    heap h = heap_begin(name, settings, threads);
    go(&h, steps);
    uint64_t hash = carom_state_hash(h.state);
    heap_end(&h);
    return hash;
}

static void check_threads(const char *settings, int steps) {
    for (int i = 0; i < heap_count; i++) {
        uint64_t one = hash_after(heaps[i], settings, 1, steps);
        CHECK(hash_after(heaps[i], settings, 2, steps) == one);
        CHECK(hash_after(heaps[i], settings, 4, steps) == one);
    }
}

// The most contacts of a step; the hash at the end.
static int most_contacts(const char *name, int threads, int steps, uint64_t *hash) {
    heap h = heap_begin(name, FAST, threads);
    carom_step_report report;
    int most = 0;
    for (int i = 0; i < steps && heap_step(&h, &report); i++) most = report.contacts > most ? report.contacts : most;
    *hash = carom_state_hash(h.state);
    heap_end(&h);
    return most;
}

// Saves after some steps, loads into a new state, and goes on there: with nothing but what was saved.
static void check_resume(const char *name, const char *settings, int before, int after) {
    heap whole = heap_begin(name, settings, 1), resumed = heap_begin(name, settings, 2);
    go(&whole, before);
    size_t size = carom_state_size(whole.state);
    void *bytes = malloc(size);
    carom_state_save(whole.state, bytes);
    CHECK_INT(carom_state_load(resumed.state, bytes, size, NULL), CAROM_OK);
    free(bytes);
    CHECK(carom_state_hash(whole.state) == carom_state_hash(resumed.state));
    for (int i = 0; i < after; i++) {
        carom_step_report one, other;
        if (!heap_step(&whole, &one) || !heap_step(&resumed, &other)) break;
        CHECK(one.residual == other.residual && one.contacts == other.contacts);
        if (!CHECK(carom_state_hash(whole.state) == carom_state_hash(resumed.state))) break;
    }
    heap_end(&whole);
    heap_end(&resumed);
}

static void check_resumes(const char *settings, int before, int after) {
    for (int i = 0; i < heap_count; i++) check_resume(heaps[i], settings, before, after);
}

TEST(heaps_have_the_same_bits_for_any_threads) {
    check_threads(DEFAULT, 60);
    check_threads(FAST, 60);
}

// An island that all threads solve together.
TEST(a_large_heap_has_the_same_bits_for_any_threads) {
    uint64_t one, more;
    CHECK(most_contacts("large/pile", 1, 4, &one) > 10000);
    for (int threads = 2; threads <= 4; threads += 2) {
        most_contacts("large/pile", threads, 4, &more);
        CHECK(more == one);
    }
}

TEST(heaps_that_go_on_elsewhere_have_the_same_bits) {
    check_resumes(DEFAULT, 40, 15);
    check_resumes(FAST, 40, 15);
}

TEST(heaps_have_the_same_bits_for_any_threads_to_their_end) {
    check_threads(DEFAULT, 700);
    check_threads(FAST, 700);
}

TEST(heaps_that_go_on_elsewhere_have_the_same_bits_at_rest) {
    check_resumes(DEFAULT, 500, 100);
    check_resumes(FAST, 500, 100);
}

TEST_MAIN(CASE(heaps_have_the_same_bits_for_any_threads), CASE(a_large_heap_has_the_same_bits_for_any_threads),
          CASE(heaps_that_go_on_elsewhere_have_the_same_bits),
          LONG_CASE(heaps_have_the_same_bits_for_any_threads_to_their_end),
          LONG_CASE(heaps_that_go_on_elsewhere_have_the_same_bits_at_rest))

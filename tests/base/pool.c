// SPDX-License-Identifier: MIT
// The thread pool: chunks as promised, the same bits for any number of threads, no deadlock, no leak.
//
// Also built with the thread sanitizer, where every case must be free of data races.
#include <errno.h>
#include <fenv.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <string.h>
#include <time.h>

#include "base/arena.h"
#include "base/clock.h"
#include "base/pool.h"
#include "base/processor.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

static const int thread_counts[] = {1, 2, 3, 8};
enum { THREAD_COUNTS = sizeof thread_counts / sizeof thread_counts[0] };

static crm_pool *pool_of(int threads) {
    crm_pool *pool;
    carom_error error;
    if (!CHECK_INT(crm_pool_create(NULL, threads, &pool, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return pool;
}

// ---- a system that refuses a thread: the linker sends the calls of pthread_create here (--wrap)

static atomic_int threads_started;
static atomic_int refused_start; // 1 refuses the first; 0 refuses none

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *), void *argument) {
    if (atomic_fetch_add(&threads_started, 1) + 1 == refused_start) return EAGAIN;
    return __real_pthread_create(thread, attributes, run, argument);
}

TEST(refused_threads_are_cleaned_up_with_a_sentence) {
    for (int n = 1; n <= 7; n++) {
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        crm_pool *pool = (crm_pool *)&probe;
        carom_error error;
        threads_started = 0;
        refused_start = n;
        CHECK_INT(crm_pool_create(&hook, 8, &pool, &error), CAROM_ERR_SYSTEM);
        refused_start = 0;
        CHECK(pool == NULL);
        CHECK_INT(error.status, CAROM_ERR_SYSTEM);
        CHECK_CONTAINS(error.text, "of 8");
        CHECK_INT(threads_started, n);
        CHECK_INT(probe.live_blocks, 0); // a thread that was not joined is found by the sanitizers
    }
}

TEST(bad_sizes_and_missing_memory_are_refused_with_a_sentence) {
    static const int bad[] = {0, -1, INT_MIN, CRM_POOL_MOST_THREADS + 1, INT_MAX};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        crm_pool *pool = (crm_pool *)&bad;
        carom_error error;
        CHECK_INT(crm_pool_create(NULL, bad[i], &pool, &error), CAROM_ERR_BAD_INPUT);
        CHECK(pool == NULL);
        CHECK_CONTAINS(error.text, "1 to 1024");
        CHECK_INT(crm_pool_create(NULL, bad[i], &pool, NULL), CAROM_ERR_BAD_INPUT);
    }
    probe_allocator probe = {.refused_call = 1};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_pool *pool;
    carom_error error;
    CHECK_INT(crm_pool_create(&hook, 4, &pool, &error), CAROM_ERR_NO_MEMORY);
    CHECK_CONTAINS(error.text, "thread pool");
    CHECK_INT(probe.live_blocks, 0);
    crm_pool_destroy(NULL);
}

// ---- chunks

enum { MOST_CHUNKS = 4096 };

typedef struct chunk_record {
    int count, grain, threads;
    atomic_int visits[MOST_CHUNKS];
    atomic_int wrong;                              // chunks with other bounds than promised
    atomic_int at_work[CRM_POOL_MOST_THREADS + 1]; // by worker
    atomic_int clashes;                            // two chunks with the same worker at the same time
} chunk_record;

static void record_chunk(void *context, int begin, int end, int worker) {
    chunk_record *record = context;
    int chunk = begin / record->grain;
    long long wanted_end = (long long)begin + record->grain;
    if (wanted_end > record->count) wanted_end = record->count;
    if (begin < 0 || begin >= end || begin % record->grain != 0 || end != wanted_end) record->wrong++;
    if (worker < 0 || worker >= record->threads) record->wrong++;
    if (atomic_exchange(&record->at_work[worker], 1) != 0) record->clashes++;
    record->visits[chunk]++;
    atomic_store(&record->at_work[worker], 0);
}

static void check_chunks(crm_pool *pool, int count, int grain) {
    static chunk_record record;
    memset(&record, 0, sizeof record);
    record.count = count;
    record.grain = grain < 1 ? 1 : grain;
    record.threads = crm_pool_threads(pool);
    crm_pool_for(pool, count, grain, record_chunk, &record);
    int chunks = count < 1 ? 0 : (int)(((long long)count + record.grain - 1) / record.grain);
    CHECK_INT(crm_pool_chunks(count, grain), chunks);
    CHECK_INT(record.wrong, 0);
    CHECK_INT(record.clashes, 0);
    for (int i = 0; i < MOST_CHUNKS; i++)
        if (!CHECK_INT(record.visits[i], i < chunks ? 1 : 0)) return;
}

TEST(every_chunk_runs_once_with_the_promised_bounds) {
    static const struct {
        int count, grain;
    } loops[] = {
        {0, 1},
        {-1, 5},
        {INT_MIN, 1},
        {1, 1},
        {1, 100},
        {2, 1},
        {7, 3},
        {9, 3},
        {1000, 1},
        {1000, 0},
        {1000, -7},
        {1000, INT_MIN},
        {4096, 1},
        {4095, 64},
        {100, 99},
        {100, 100},
        {100, INT_MAX},
        {INT_MAX, INT_MAX},
        {INT_MAX, INT_MAX - 1},
        {INT_MAX, 1 << 20},
        {INT_MAX, 1 << 30},
        {INT_MAX - 1, (1 << 19) + 1},
    };
    for (int t = -1; t < THREAD_COUNTS; t++) {
        crm_pool *pool = t < 0 ? NULL : pool_of(thread_counts[t]);
        CHECK_INT(crm_pool_threads(pool), t < 0 ? 1 : thread_counts[t]);
        for (size_t i = 0; i < sizeof loops / sizeof loops[0]; i++) check_chunks(pool, loops[i].count, loops[i].grain);
        crm_pool_destroy(pool);
    }
}

// Pauses of all lengths between loops: threads that look out, that fall asleep, that wake too late.
TEST(many_short_loops_in_a_row_are_complete) {
    for (int t = 1; t < THREAD_COUNTS; t++) {
        crm_pool *pool = pool_of(thread_counts[t]);
        for (int i = 0; i < 300; i++) {
            check_chunks(pool, 1 + i % 17, 1);
            if (i % 10 == 0) nanosleep(&(struct timespec){.tv_nsec = 1000 * (i % 100)}, NULL);
        }
        crm_pool_destroy(pool);
    }
}

TEST(a_pool_that_never_worked_can_be_destroyed) {
    for (int i = 0; i < 20; i++) {
        crm_pool_destroy(pool_of(1 + i % 5));
    }
    crm_pool *most = pool_of(64);
    check_chunks(most, 1000, 3);
    crm_pool_destroy(most);
}

// ---- threads take part

typedef struct meeting {
    atomic_uint present; // bit per worker
    atomic_int unblocked_signals;
    double deadline;
    double third[2]; // by worker
    volatile double one, three;
} meeting;

// Returns when both workers are inside, or far too late.
static void meet(void *context, int begin, int end, int worker) {
    meeting *both = context;
    (void)begin;
    (void)end;
    atomic_fetch_or(&both->present, 1u << worker);
    while (both->present != 3 && crm_clock_seconds() < both->deadline) sched_yield();
    both->third[worker] = both->one / both->three;
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, NULL, &blocked);
    if (worker > 0 && (!sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGTERM))) both->unblocked_signals++;
}

static meeting hold_meeting(crm_pool *pool) {
    meeting both = {.deadline = crm_clock_seconds() + 60.0, .one = 1.0, .three = 3.0};
    crm_pool_for(pool, 2, 1, meet, &both);
    CHECK_INT(both.present, 3);
    return both;
}

TEST(chunks_run_at_the_same_time) {
    crm_pool *pool = pool_of(2);
    for (int i = 0; i < 20; i++) {
        hold_meeting(pool);
        nanosleep(&(struct timespec){.tv_nsec = 20000 * i}, NULL); // asleep or not
    }
    crm_pool_destroy(pool);
}

TEST(threads_compute_in_the_callers_floating_point_environment) {
    crm_pool *pool = pool_of(2);
    meeting nearest = hold_meeting(pool);
    fesetround(FE_UPWARD);
    meeting upward = hold_meeting(pool);
    fesetround(FE_TONEAREST);
    meeting nearest_again = hold_meeting(pool);
    CHECK(upward.third[0] > nearest.third[0]);
    CHECK(upward.third[1] == upward.third[0]);
    CHECK(nearest.third[1] == nearest.third[0]);
    CHECK(nearest_again.third[1] == nearest.third[0]);
    crm_pool_destroy(pool);
}

TEST(threads_leave_signals_to_the_program) {
    sigset_t before, after;
    pthread_sigmask(SIG_SETMASK, NULL, &before);
    crm_pool *pool = pool_of(2);
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    meeting both = hold_meeting(pool);
    CHECK_INT(both.unblocked_signals, 0);
    CHECK_INT(sigismember(&after, SIGINT), sigismember(&before, SIGINT));
    crm_pool_destroy(pool);
}

// ---- the same bits

// A sum whose last bits depend on its order, with work that differs a thousandfold from item to item.
static double uneven_term(void *context, int begin, int end) {
    const double *offset = context;
    double sum = 0.0;
    for (int i = begin; i < end; i++) {
        double value = 1.0 / (i + *offset);
        int rounds = i % 97 == 0 ? 1000 : 1;
        for (int r = 0; r < rounds; r++) value += 1e-3 * sin(value);
        sum += i % 3 == 0 ? -value * 1e8 : value;
    }
    return sum;
}

enum { SUM_ITEMS = 3001, SUM_GRAIN = 7 };

static void reduce_uneven(void *context, int begin, int end, int worker, void *slot) {
    (void)worker;
    *(double *)slot = uneven_term(context, begin, end);
}

static void add_slot(void *context, void *total, const void *slot) {
    (void)context;
    *(double *)total += *(const double *)slot;
}

static double uneven_sum(crm_pool *pool, double offset) {
    enum { CHUNKS = (SUM_ITEMS + SUM_GRAIN - 1) / SUM_GRAIN, LINE = 64 };
    _Alignas(LINE) unsigned char slots[CHUNKS * LINE];
    crm_pool_reduction reduction = {sizeof(double), reduce_uneven, add_slot, &offset};
    double sum = 0.0;
    CHECK_INT(crm_pool_chunks(SUM_ITEMS, SUM_GRAIN), CHUNKS);
    CHECK(crm_pool_slots_bytes(SUM_ITEMS, SUM_GRAIN, sizeof sum) == sizeof slots);
    crm_pool_reduce(pool, SUM_ITEMS, SUM_GRAIN, &reduction, slots, &sum);
    return sum;
}

static double ordered_sum(double offset) {
    double sum = 0.0;
    for (int i = 0; i < SUM_ITEMS; i += SUM_GRAIN)
        sum += uneven_term(&offset, i, i + SUM_GRAIN < SUM_ITEMS ? i + SUM_GRAIN : SUM_ITEMS);
    return sum;
}

TEST(sum_has_the_same_bits_for_any_number_of_threads) {
    enum { OFFSETS = 10 };
    double ordered[OFFSETS];
    int other_bits = 0;
    for (int i = 0; i < OFFSETS; i++) {
        double offset = i + 1.0;
        ordered[i] = ordered_sum(offset);
        CHECK(uneven_sum(NULL, offset) == ordered[i]);
        other_bits += uneven_term(&offset, 0, SUM_ITEMS) != ordered[i];
    }
    CHECK(other_bits > 0); // the order of the sum shows
    for (int t = 0; t < THREAD_COUNTS; t++) {
        crm_pool *pool = pool_of(thread_counts[t]);
        for (int i = 0; i < 2 * OFFSETS; i++) CHECK(uneven_sum(pool, i % OFFSETS + 1.0) == ordered[i % OFFSETS]);
        crm_pool_destroy(pool);
    }
}

typedef struct nested_run {
    crm_pool *pool;
    double sums[40];
} nested_run;

static void nested_sum(void *context, int begin, int end, int worker) {
    nested_run *run = context;
    (void)worker;
    for (int i = begin; i < end; i++) run->sums[i] = uneven_sum(run->pool, i + 1.0);
}

TEST(nested_loops_have_the_same_bits_and_end) {
    for (int t = 0; t < THREAD_COUNTS; t++) {
        nested_run run = {.pool = pool_of(thread_counts[t])};
        crm_pool_for(run.pool, 40, 3, nested_sum, &run);
        for (int i = 0; i < 40; i += 13) CHECK(run.sums[i] == uneven_sum(NULL, i + 1.0));
        memset(run.sums, 0, sizeof run.sums);
        crm_pool_for(run.pool, 40, 40, nested_sum, &run); // one chunk: the inner loops have the pool to themselves
        for (int i = 0; i < 40; i += 13) CHECK(run.sums[i] == uneven_sum(NULL, i + 1.0));
        crm_pool_destroy(run.pool);
    }
}

typedef struct visitor {
    crm_pool *pool;
    double offset, wanted;
    int wrong;
} visitor;

static void *visit(void *argument) {
    visitor *self = argument;
    for (int i = 0; i < 20; i++) self->wrong += uneven_sum(self->pool, self->offset) != self->wanted;
    return NULL;
}

TEST(a_pool_shared_by_several_threads_gives_each_its_bits) {
    enum { VISITORS = 4 };
    crm_pool *pool = pool_of(3);
    visitor visitors[VISITORS];
    pthread_t threads[VISITORS];
    for (int i = 0; i < VISITORS; i++) {
        visitors[i] = (visitor){.pool = pool, .offset = i + 1.0, .wanted = uneven_sum(NULL, i + 1.0)};
        if (!CHECK_INT(pthread_create(&threads[i], NULL, visit, &visitors[i]), 0)) return;
    }
    for (int i = 0; i < VISITORS; i++) {
        pthread_join(threads[i], NULL);
        CHECK_INT(visitors[i].wrong, 0);
    }
    crm_pool_destroy(pool);
}

// ---- reductions of any kind

// A slot larger than a cache line and a combination that does not commute: x -> a x + b, applied item after item.
typedef struct affine {
    uint64_t factor, shift;
    char padding[100];
} affine;

static void follow(affine *map, uint64_t factor, uint64_t shift) {
    map->shift = factor * map->shift + shift;
    map->factor *= factor;
}

static void reduce_maps(void *context, int begin, int end, int worker, void *slot) {
    affine *map = slot;
    atomic_int *dirty = context;
    (void)worker;
    if (map->factor != 0 || map->shift != 0 || map->padding[99] != 0) (*dirty)++;
    map->factor = 1;
    map->padding[99] = 1;
    for (int i = begin; i < end; i++) follow(map, 2 * (uint64_t)i + 3, (uint64_t)i * i);
}

static void combine_maps(void *context, void *total, const void *slot) {
    const affine *map = slot;
    (void)context;
    follow(total, map->factor, map->shift);
}

TEST(reduction_combines_slots_in_the_order_of_the_chunks) {
    static const int grains[] = {0, 1, 7, 999, 1000, 5000};
    affine wanted = {.factor = 1};
    for (int i = 0; i < 1000; i++) follow(&wanted, 2 * (uint64_t)i + 3, (uint64_t)i * i);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    atomic_int dirty = 0;
    crm_pool_reduction reduction = {sizeof(affine), reduce_maps, combine_maps, &dirty};
    for (int t = -1; t < THREAD_COUNTS; t++) {
        crm_pool *pool = t < 0 ? NULL : pool_of(thread_counts[t]);
        for (size_t g = 0; g < sizeof grains / sizeof grains[0]; g++) {
            crm_mark mark = crm_arena_mark(&arena);
            void *slots = crm_arena_take(&arena, crm_pool_slots_bytes(1000, grains[g], sizeof(affine)));
            affine total = {.factor = 1};
            crm_pool_reduce(pool, 1000, grains[g], &reduction, slots, &total);
            CHECK(total.factor == wanted.factor && total.shift == wanted.shift);
            crm_arena_release(&arena, mark);
        }
        affine none = {.factor = 5, .shift = 6};
        crm_pool_reduce(pool, 0, 1, &reduction, NULL, &none);
        CHECK(none.factor == 5 && none.shift == 6);
        crm_pool_destroy(pool);
    }
    CHECK_INT(dirty, 0);
    crm_arena_free(&arena);
}

TEST(slots_that_cannot_be_counted_are_refused) {
    CHECK_INT(crm_pool_slots_bytes(0, 1, 100), 0);
    CHECK_INT(crm_pool_slots_bytes(-5, 1, SIZE_MAX / 2), 0);
    CHECK_INT(crm_pool_slots_bytes(10, 3, 1), 4 * 64);
    CHECK_INT(crm_pool_slots_bytes(10, 3, 65), 4 * 128);
    CHECK(crm_pool_slots_bytes(10, 3, SIZE_MAX) == SIZE_MAX);
    CHECK(crm_pool_slots_bytes(INT_MAX, 1, (size_t)1 << 34) == SIZE_MAX);
    CHECK(crm_pool_slots_bytes(2, 1, (size_t)1 << 63) == SIZE_MAX);
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    CHECK(crm_arena_take(&arena, SIZE_MAX) == NULL);
    crm_arena_free(&arena);
}

TEST(loops_allocate_nothing) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    crm_pool *pool;
    CHECK_INT(crm_pool_create(&hook, 8, &pool, NULL), CAROM_OK);
    long long calls = probe.calls;
    for (int i = 0; i < 50; i++) uneven_sum(pool, 1.0);
    nested_run run = {.pool = pool};
    crm_pool_for(pool, 40, 1, nested_sum, &run);
    CHECK_INT(probe.calls, calls);
    crm_pool_destroy(pool);
    CHECK_INT(probe.live_blocks, 0);
    CHECK_INT(probe.live_bytes, 0);
}

TEST(there_is_a_processor) {
    CHECK(crm_processor_count() >= 1);
    CHECK(crm_processor_count() <= 1 << 20);
}

TEST_MAIN(CASE(refused_threads_are_cleaned_up_with_a_sentence),
          CASE(bad_sizes_and_missing_memory_are_refused_with_a_sentence),
          CASE(every_chunk_runs_once_with_the_promised_bounds), CASE(many_short_loops_in_a_row_are_complete),
          CASE(a_pool_that_never_worked_can_be_destroyed), CASE(chunks_run_at_the_same_time),
          CASE(threads_compute_in_the_callers_floating_point_environment), CASE(threads_leave_signals_to_the_program),
          CASE(sum_has_the_same_bits_for_any_number_of_threads), CASE(nested_loops_have_the_same_bits_and_end),
          CASE(a_pool_shared_by_several_threads_gives_each_its_bits),
          CASE(reduction_combines_slots_in_the_order_of_the_chunks), CASE(slots_that_cannot_be_counted_are_refused),
          CASE(loops_allocate_nothing), CASE(there_is_a_processor))

// SPDX-License-Identifier: MIT
// The pool: a loop at a time. Each thread has a range of its chunks, the same one in every loop of as many, handed out
// by an atomic counter: what a thread worked on in the last loop is still in its cache. Who is done with its own range
// helps with those of others.
//
// A thread joins a loop under the mutex, and only while chunks are left; the loop ends, under the same mutex, when
// nobody is inside. So a thread that wakes late finds nothing and sleeps on, and the caller never waits for one that
// has not joined.
//
// Latency: to wake a sleeping thread costs the system some 5 to 50 microseconds, as long as many a loop of a step. So
// threads that run out of work, and a caller that runs out of chunks, look out for a while before they sleep. The while
// is about what a wake-up costs: waiting then is never more than twice as dear as the better of the two choices. Where
// there are more threads than processors looking out would only keep others from working, and they sleep at once.
#include "base/pool.h"

#include <fenv.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/processor.h"

static const double lookout_seconds = 30e-6;

// Pauses between two looks at the clock, which takes about as long as one of them.
enum { PAUSES_PER_LOOK = 16 };

// Keeps words that different threads hammer on apart.
enum { CACHE_LINE = 64 };

typedef struct loop {
    crm_pool_work *work;
    void *context;
    int count;
    int grain;
    int chunks;
    fenv_t environment; // of the caller
} loop;

typedef struct worker {
    crm_pool *pool;
    pthread_t thread; // of all but the first, which is the caller's
    int number;       // 0 ... threads - 1
    char apart_before[CACHE_LINE];
    atomic_llong next_chunk; // of its range; grows past the end when they run out: wider than an int
    char apart_behind[CACHE_LINE];
} worker;

struct crm_pool {
    carom_allocator allocator;
    size_t bytes; // of this block
    int threads;
    double lookout; // s
    atomic_flag busy;

    pthread_mutex_t mutex;
    pthread_cond_t loop_began;
    pthread_cond_t loop_ended;
    // The mutex guards what follows; the atomic ones are also looked at without it.
    loop current;
    bool stopping;
    int sleepers;           // threads that wait for loop_began
    atomic_uint generation; // grows with every loop
    atomic_uint inside;     // threads that have joined the current loop, without the caller

    worker workers[]; // (threads)
};

static int at_least_one(int grain) {
    return grain < 1 ? 1 : grain;
}

int crm_pool_chunks(int count, int grain) {
    return count < 1 ? 0 : 1 + (count - 1) / at_least_one(grain);
}

static void run_chunk(const loop *loop, int chunk, int worker) {
    int begin = chunk * loop->grain;
    int left = loop->count - begin;
    loop->work(loop->context, begin, begin + (left < loop->grain ? left : loop->grain), worker);
}

// The first chunk of a thread's range, which ends where that of the next one begins.
static long long range_begin(const crm_pool *pool, const loop *loop, int number) {
    return (long long)loop->chunks * number / pool->threads;
}

static void run_range(crm_pool *pool, const loop *loop, int range, int worker) {
    long long end = range_begin(pool, loop, range + 1);
    for (;;) {
        long long chunk = atomic_fetch_add_explicit(&pool->workers[range].next_chunk, 1, memory_order_relaxed);
        if (chunk >= end) return;
        run_chunk(loop, (int)chunk, worker);
    }
}

static void run_chunks(crm_pool *pool, const loop *loop, int worker) {
    for (int range = worker; range < pool->threads; range++) run_range(pool, loop, range, worker);
    for (int range = 0; range < worker; range++) run_range(pool, loop, range, worker);
}

static bool has_chunks_left(crm_pool *pool) {
    for (int i = 0; i < pool->threads; i++)
        if (pool->workers[i].next_chunk < range_begin(pool, &pool->current, i + 1)) return true;
    return false;
}

static void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

// Waits for the word to take another value than `old`; false when it has not done so in time.
static bool look_out(const crm_pool *pool, const atomic_uint *word, unsigned old) {
    if (pool->lookout == 0.0) return false;
    double end = crm_clock_seconds() + pool->lookout;
    do {
        for (int i = 0; i < PAUSES_PER_LOOK; i++) {
            if (atomic_load_explicit(word, memory_order_relaxed) != old) return true;
            pause_briefly();
        }
    } while (crm_clock_seconds() < end);
    return false;
}

// Waits for a loop newer than `*seen` that has chunks left, and joins it. False when the pool ends.
static bool join_loop(crm_pool *pool, unsigned *seen, loop *out) {
    bool joined = false, stopping = false;
    while (!joined && !stopping) {
        look_out(pool, &pool->generation, *seen);
        pthread_mutex_lock(&pool->mutex);
        while (pool->generation == *seen && !pool->stopping) {
            pool->sleepers++;
            pthread_cond_wait(&pool->loop_began, &pool->mutex);
            pool->sleepers--;
        }
        *seen = pool->generation;
        stopping = pool->stopping;
        joined = !stopping && has_chunks_left(pool);
        if (joined) {
            pool->inside++;
            *out = pool->current;
        }
        pthread_mutex_unlock(&pool->mutex);
    }
    return joined;
}

static void leave_loop(crm_pool *pool) {
    pthread_mutex_lock(&pool->mutex);
    pool->inside--;
    if (pool->inside == 0) pthread_cond_signal(&pool->loop_ended);
    pthread_mutex_unlock(&pool->mutex);
}

static void *run_worker(void *argument) {
    const worker *self = argument;
    crm_pool *pool = self->pool;
    unsigned seen = 0;
    loop loop;
    while (join_loop(pool, &seen, &loop)) {
        fesetenv(&loop.environment);
        run_chunks(pool, &loop, self->number);
        leave_loop(pool);
    }
    return NULL;
}

static void begin_loop(crm_pool *pool, const loop *loop) {
    pthread_mutex_lock(&pool->mutex);
    pool->current = *loop;
    for (int i = 0; i < pool->threads; i++) pool->workers[i].next_chunk = range_begin(pool, loop, i);
    pool->generation++;
    int helpers = loop->chunks - 1; // no use in waking more
    for (int i = 0; i < pool->sleepers && i < helpers; i++) pthread_cond_signal(&pool->loop_began);
    pthread_mutex_unlock(&pool->mutex);
}

static void end_loop(crm_pool *pool) {
    unsigned inside;
    do {
        inside = atomic_load_explicit(&pool->inside, memory_order_relaxed);
    } while (inside > 0 && look_out(pool, &pool->inside, inside));
    // What was seen from outside is a hint only: a thread may have been about to join.
    pthread_mutex_lock(&pool->mutex);
    while (pool->inside > 0) pthread_cond_wait(&pool->loop_ended, &pool->mutex);
    pthread_mutex_unlock(&pool->mutex);
}

void crm_pool_for(crm_pool *pool, int count, int grain, crm_pool_work *work, void *context) {
    loop loop = {.work = work, .context = context, .count = count, .grain = at_least_one(grain)};
    loop.chunks = crm_pool_chunks(count, grain);
    bool alone = pool == NULL || pool->threads == 1 || loop.chunks < 2 ||
                 atomic_flag_test_and_set_explicit(&pool->busy, memory_order_acquire);
    if (alone) {
        for (int chunk = 0; chunk < loop.chunks; chunk++) run_chunk(&loop, chunk, 0);
        return;
    }
    fegetenv(&loop.environment);
    begin_loop(pool, &loop);
    run_chunks(pool, &loop, 0);
    end_loop(pool);
    atomic_flag_clear_explicit(&pool->busy, memory_order_release);
}

int crm_pool_threads(const crm_pool *pool) {
    return pool == NULL ? 1 : pool->threads;
}

// Ends the first `started` threads that were started.
static void stop_workers(crm_pool *pool, int started) {
    pthread_mutex_lock(&pool->mutex);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->loop_began);
    pthread_mutex_unlock(&pool->mutex);
    for (int i = 1; i <= started; i++) pthread_join(pool->workers[i].thread, NULL);
}

static int start_worker(crm_pool *pool, int number) {
    worker *worker = &pool->workers[number];
    worker->pool = pool;
    worker->number = number;
    return pthread_create(&worker->thread, NULL, run_worker, worker);
}

// A thread inherits the signals that its creator blocks: all of them, so that the program's own threads get them.
static carom_status start_workers(crm_pool *pool, carom_error *error) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int started = 0, refusal = 0;
    while (started < pool->threads - 1 && refusal == 0) {
        refusal = start_worker(pool, started + 1);
        if (refusal == 0) started++;
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (refusal == 0) return CAROM_OK;
    stop_workers(pool, started);
    return crm_fail(error, CAROM_ERR_SYSTEM,
                    "thread pool: the system refused thread %d of %d (error %d); ask for fewer threads", started + 2,
                    pool->threads, refusal);
}

static carom_status make_locks(crm_pool *pool, carom_error *error) {
    int refusal = pthread_mutex_init(&pool->mutex, NULL);
    if (refusal == 0) {
        refusal = pthread_cond_init(&pool->loop_began, NULL);
        if (refusal == 0) {
            refusal = pthread_cond_init(&pool->loop_ended, NULL);
            if (refusal == 0) return CAROM_OK;
            pthread_cond_destroy(&pool->loop_began);
        }
        pthread_mutex_destroy(&pool->mutex);
    }
    return crm_fail(error, CAROM_ERR_SYSTEM, "thread pool: the system refused a lock (error %d)", refusal);
}

static void free_locks(crm_pool *pool) {
    pthread_cond_destroy(&pool->loop_ended);
    pthread_cond_destroy(&pool->loop_began);
    pthread_mutex_destroy(&pool->mutex);
}

static void free_pool(crm_pool *pool) {
    carom_allocator allocator = pool->allocator;
    allocator.release(allocator.user, pool, pool->bytes);
}

carom_status crm_pool_create(const carom_allocator *allocator, int threads, crm_pool **out, carom_error *error) {
    *out = NULL;
    if (threads < 1 || threads > CRM_POOL_MOST_THREADS)
        return crm_refuse(error, "thread pool: %d threads asked for, must be 1 to %d", threads, CRM_POOL_MOST_THREADS);
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    size_t bytes = sizeof(crm_pool) + (size_t)threads * sizeof(worker);
    crm_pool *pool = hook.allocate(hook.user, bytes);
    if (pool == NULL) return crm_fail_memory(error, "thread pool", bytes);

    *pool = (crm_pool){.allocator = hook, .bytes = bytes, .threads = threads, .busy = ATOMIC_FLAG_INIT};
    for (int i = 0; i < threads; i++) pool->workers[i].next_chunk = 0;
    pool->lookout = threads <= crm_processor_count() ? lookout_seconds : 0.0;
    carom_status status = make_locks(pool, error);
    if (status == CAROM_OK) {
        status = start_workers(pool, error);
        if (status != CAROM_OK) free_locks(pool);
    }
    if (status != CAROM_OK) {
        free_pool(pool);
        return status;
    }
    *out = pool;
    return CAROM_OK;
}

void crm_pool_destroy(crm_pool *pool) {
    if (pool == NULL) return;
    stop_workers(pool, pool->threads - 1);
    free_locks(pool);
    free_pool(pool);
}

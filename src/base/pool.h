// SPDX-License-Identifier: MIT
// A thread pool whose loops give the same bits for any number of threads.
//
// A loop over `count` items is cut into chunks of `grain` items (the last may be shorter). The cut depends on count and
// grain alone. Which thread runs which chunk is left to chance; as a rule it is the same one in every loop of as many
// chunks, whose cache has what it worked on. So a loop is deterministic when its chunks write to different places, and
// a reduction is when every chunk has a slot of its own and the slots are combined in order.
//
// The caller takes part in its loop. A pool that is busy, with a loop that this call is nested in or with the loop of
// another thread, runs the new loop on the caller alone, with the same chunks: nothing ever waits for a pool. NULL
// stands for a pool of one thread. Nothing is allocated after crm_pool_create.
//
// The threads compute in the caller's floating-point environment (rounding, treatment of denormals) and leave all
// signals to the threads of the program.
#ifndef CRM_BASE_POOL_H
#define CRM_BASE_POOL_H

#include <stddef.h>

#include "carom/allocator.h"
#include "carom/status.h"

typedef struct crm_pool crm_pool;

enum { CRM_POOL_MOST_THREADS = 1024 };

// Starts `threads` - 1 threads (the caller is the first one). A NULL allocator means the default one.
//
// Fails with CAROM_ERR_BAD_INPUT unless 1 <= threads <= CRM_POOL_MOST_THREADS, with CAROM_ERR_NO_MEMORY, or with
// CAROM_ERR_SYSTEM when the system refuses a thread; `out` is then NULL.
carom_status crm_pool_create(const carom_allocator *allocator, int threads, crm_pool **out, carom_error *error);

// Ends the threads. No loop may be running. `pool` may be NULL.
void crm_pool_destroy(crm_pool *pool);

// Threads of the pool, the caller's included.
int crm_pool_threads(const crm_pool *pool);

// Work on the items begin ... end - 1. `worker` is in 0 ... crm_pool_threads - 1 and differs between chunks of a loop
// that run at the same time: an index into scratch that belongs to this loop. A nested loop counts from 0 again.
typedef void crm_pool_work(void *context, int begin, int end, int worker);

// Calls `work` for every chunk and returns when all are done. A count below 1 does nothing; a grain below 1 means 1.
// A chunk should take some microseconds at least: handing one out costs tens of nanoseconds, starting a loop about a
// microsecond when the threads are still awake and some twenty when they sleep.
void crm_pool_for(crm_pool *pool, int count, int grain, crm_pool_work *work, void *context);

// Into how many chunks a loop is cut.
int crm_pool_chunks(int count, int grain);

// ---- reductions

typedef struct crm_pool_reduction {
    size_t slot_bytes;
    // Reduces the items begin ... end - 1 into `slot`, which starts as zero bytes.
    void (*reduce)(void *context, int begin, int end, int worker, void *slot);
    // Joins the slot of the next chunk to `total`. Called by the caller's thread, in the order of the chunks.
    void (*combine)(void *context, void *total, const void *slot);
    void *context;
} crm_pool_reduction;

// How many bytes of slots a reduction needs; SIZE_MAX, which no arena gives, when they cannot be counted.
size_t crm_pool_slots_bytes(int count, int grain, size_t slot_bytes);

// Reduces all items into `total`, which the caller has set to its neutral element. `slots` is scratch of
// crm_pool_slots_bytes, aligned as the slot's type is (best to a cache line, as an arena's pieces are).
void crm_pool_reduce(crm_pool *pool, int count, int grain, const crm_pool_reduction *reduction, void *slots,
                     void *total);

#endif

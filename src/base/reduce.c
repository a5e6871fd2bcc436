// SPDX-License-Identifier: MIT
// Reductions on a pool: a slot for every chunk, combined in the order of the chunks.
//
// Floating-point addition does not associate, so the order of the sum must not depend on which thread was faster. It
// depends on count and grain instead.
#include <stdint.h>
#include <string.h>

#include "base/pool.h"

typedef struct reduction_run {
    const crm_pool_reduction *reduction;
    unsigned char *slots;
    size_t stride;
    int grain;
} reduction_run;

// Slots of neighbouring chunks are written at the same time: a cache line each.
static const size_t slot_alignment = 64;

static size_t stride_of(size_t slot_bytes) {
    return (slot_bytes + slot_alignment - 1) / slot_alignment * slot_alignment;
}

size_t crm_pool_slots_bytes(int count, int grain, size_t slot_bytes) {
    size_t chunks = (size_t)crm_pool_chunks(count, grain);
    if (slot_bytes > SIZE_MAX - slot_alignment) return SIZE_MAX;
    size_t stride = stride_of(slot_bytes);
    return chunks != 0 && stride > SIZE_MAX / chunks ? SIZE_MAX : chunks * stride;
}

static void reduce_chunk(void *context, int begin, int end, int worker) {
    const reduction_run *run = context;
    const crm_pool_reduction *reduction = run->reduction;
    void *slot = run->slots + (size_t)(begin / run->grain) * run->stride;
    memset(slot, 0, reduction->slot_bytes);
    reduction->reduce(reduction->context, begin, end, worker, slot);
}

void crm_pool_reduce(crm_pool *pool, int count, int grain, const crm_pool_reduction *reduction, void *slots,
                     void *total) {
    if (grain < 1) grain = 1;
    reduction_run run = {reduction, slots, stride_of(reduction->slot_bytes), grain};
    int chunks = crm_pool_chunks(count, grain);
    if (chunks == 1) // as of few bodies, where starting a loop is much of the work
        reduce_chunk(&run, 0, count, 0);
    else
        crm_pool_for(pool, count, grain, reduce_chunk, &run);
    for (int chunk = 0; chunk < chunks; chunk++)
        reduction->combine(reduction->context, total, run.slots + (size_t)chunk * run.stride);
}

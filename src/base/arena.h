// SPDX-License-Identifier: MIT
// Arenas: memory that is taken piece by piece and given back all at once, down to a mark.
//
// An arena is a list of blocks from the allocator. Pointers into it stay valid until they are released. Released blocks
// are kept as spares, and a new block is at least as large as all older ones together. So work whose pieces never
// exceed `peak` bytes at once (each rounded up to CRM_ARENA_ALIGNMENT) allocates some log2(peak) times in all, however
// often and in whatever order it is repeated; exactly the same takes and releases once more usually allocate nothing.
// After a reset one block is left, as large as all of them: then nothing up to that size allocates.
//
// Under the address sanitizer released memory is poisoned. One thread at a time.
#ifndef CRM_BASE_ARENA_H
#define CRM_BASE_ARENA_H

#include <stdbool.h>
#include <stddef.h>

#include "carom/allocator.h"

// Every piece starts on a cache line, which is also enough for any vector type.
enum { CRM_ARENA_ALIGNMENT = 64 };

typedef struct crm_arena_block crm_arena_block;

typedef struct crm_arena {
    carom_allocator allocator;
    crm_arena_block *top;   // block in use; older ones are linked below it
    crm_arena_block *spare; // empty blocks; the one released last, so the first that was needed, comes first
    size_t capacity;        // bytes of all blocks, in use and spare
    bool refused;           // a piece could not be had
    bool frugal;            // a new block is at least a sixteenth of all older ones, not all: to be set where pieces
                            // stay, or where the arena is reset before it is used again
} crm_arena;

// Where an arena stands; taken by crm_arena_mark, used by crm_arena_release.
typedef struct crm_mark {
    crm_arena_block *block;
    size_t used;
} crm_mark;

// Starts empty; allocates nothing yet. A NULL allocator means the default one.
void crm_arena_init(crm_arena *arena, const carom_allocator *allocator);

// Gives all memory back to the allocator. The arena is then empty and may be used again.
void crm_arena_free(crm_arena *arena);

// Uninitialised memory, or NULL when the allocator has none (the arena is then unchanged). 0 bytes give a valid
// pointer and use up nothing.
void *crm_arena_take(crm_arena *arena, size_t bytes);

// `count` elements of `size` bytes; NULL also for a negative count or a product that overflows.
void *crm_arena_take_array(crm_arena *arena, ptrdiff_t count, size_t size);

// The same, filled with zero bytes.
void *crm_arena_take_zeroed(crm_arena *arena, ptrdiff_t count, size_t size);

#define CRM_ARENA_ARRAY(arena, type, count) ((type *)crm_arena_take_array((arena), (count), sizeof(type)))
#define CRM_ARENA_ZEROED(arena, type, count) ((type *)crm_arena_take_zeroed((arena), (count), sizeof(type)))

// Whether a piece was refused since the arena was made or freed: who takes many may look once, after the last.
static inline bool crm_arena_refused(const crm_arena *arena) {
    return arena->refused;
}

// An allocator that takes from the arena; what it is given back stays taken until the arena is released.
carom_allocator crm_arena_allocator(crm_arena *arena);

// Makes sure that pieces of `bytes` in all (each rounded up to CRM_ARENA_ALIGNMENT) can be taken without allocating.
// False when the allocator has no memory for them.
bool crm_arena_reserve(crm_arena *arena, size_t bytes);

// Marks nest: release them in the opposite order. Releasing keeps the memory for later.
crm_mark crm_arena_mark(const crm_arena *arena);
void crm_arena_release(crm_arena *arena, crm_mark mark);

// Releases everything and joins the blocks into one (which may allocate once; if that fails the blocks stay apart).
void crm_arena_reset(crm_arena *arena);

#endif

// SPDX-License-Identifier: MIT
// Arenas as two stacks of blocks: those in use and the spare ones.
//
// Why a step allocates nothing once warm: a block that does not fit anywhere is at least as large as all others
// together, so after some log2(peak) of them one holds the whole peak by itself. From then on a piece that misses the
// top block always finds a spare, at the latest that one, and within it everything fits.
#include "base/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/assert.h"
#include "base/poison.h"

// The header lies at the start of the allocator's block, the pieces behind it from the next multiple of the alignment.
struct crm_arena_block {
    crm_arena_block *below; // next in its list
    unsigned char *pieces;
    size_t capacity;  // of `pieces`; a multiple of the alignment
    size_t used;      // of `pieces`; a multiple of the alignment
    size_t allocated; // what the allocator was asked for
};

// The allocator aligns to 16 only: the pieces may have to start this much behind the header.
static const size_t block_overhead = sizeof(crm_arena_block) + CRM_ARENA_ALIGNMENT - 1;

// Below this a block is not worth a call: four pages.
static const size_t smallest_block = 16384;

// No object may be larger: the difference of pointers into it must fit ptrdiff_t. Leaves room for what is added above.
static const size_t largest_block = (size_t)PTRDIFF_MAX - 4096;

static size_t round_up(size_t bytes) {
    return (bytes + CRM_ARENA_ALIGNMENT - 1) / CRM_ARENA_ALIGNMENT * CRM_ARENA_ALIGNMENT;
}

static size_t room(const crm_arena_block *block) {
    return block->capacity - block->used;
}

static void push(crm_arena_block **list, crm_arena_block *block) {
    block->below = *list;
    *list = block;
}

static crm_arena_block *pop(crm_arena_block **list) {
    crm_arena_block *block = *list;
    *list = block->below;
    return block;
}

static void empty_down_to(crm_arena_block *block, size_t used) {
    CRM_POISON(block->pieces + used, block->used - used);
    block->used = used;
}

// An empty block in no list, all poisoned. `capacity` is a multiple of the alignment.
static crm_arena_block *new_block(crm_arena *arena, size_t capacity) {
    size_t bytes = capacity + block_overhead;
    crm_arena_block *block = arena->allocator.allocate(arena->allocator.user, bytes);
    if (block == NULL) return NULL;

    unsigned char *behind_header = (unsigned char *)(block + 1);
    size_t excess = (uintptr_t)behind_header % CRM_ARENA_ALIGNMENT;
    unsigned char *pieces = behind_header + (excess == 0 ? 0 : CRM_ARENA_ALIGNMENT - excess);
    *block = (crm_arena_block){.pieces = pieces, .capacity = capacity, .allocated = bytes};
    CRM_POISON(pieces, capacity);
    arena->capacity += capacity;
    return block;
}

static void free_block(crm_arena *arena, crm_arena_block *block) {
    CRM_UNPOISON(block->pieces, block->capacity);
    arena->capacity -= block->capacity;
    arena->allocator.release(arena->allocator.user, block, block->allocated);
}

static void free_list(crm_arena *arena, crm_arena_block **list) {
    while (*list != NULL) free_block(arena, pop(list));
}

// The link to the first spare block that holds `bytes`; NULL when there is none.
static crm_arena_block **find_spare(crm_arena *arena, size_t bytes) {
    for (crm_arena_block **link = &arena->spare; *link != NULL; link = &(*link)->below)
        if ((*link)->capacity >= bytes) return link;
    return NULL;
}

static bool add_spare(crm_arena *arena, size_t bytes) {
    if (bytes > largest_block) return false;
    size_t capacity = bytes;
    if (capacity < smallest_block) capacity = smallest_block;
    size_t least = arena->frugal ? round_up(arena->capacity / 16) : arena->capacity;
    if (capacity < least && least <= largest_block) capacity = least;
    crm_arena_block *block = new_block(arena, capacity);
    if (block == NULL) return false;
    push(&arena->spare, block);
    return true;
}

// `bytes` may be 0 here and below: any block will do then, but there must be one.
static bool fits_top(const crm_arena *arena, size_t bytes) {
    return arena->top != NULL && bytes <= room(arena->top);
}

void crm_arena_init(crm_arena *arena, const carom_allocator *allocator) {
    *arena = (crm_arena){.allocator = allocator != NULL ? *allocator : carom_allocator_default()};
}

void crm_arena_free(crm_arena *arena) {
    free_list(arena, &arena->top);
    free_list(arena, &arena->spare);
    arena->refused = false;
}

static void *take_piece(void *user, size_t bytes) {
    return crm_arena_take(user, bytes);
}

static void leave_piece(void *user, void *memory, size_t bytes) {
    (void)user, (void)memory, (void)bytes;
}

carom_allocator crm_arena_allocator(crm_arena *arena) {
    return (carom_allocator){.user = arena, .allocate = take_piece, .release = leave_piece};
}

bool crm_arena_reserve(crm_arena *arena, size_t bytes) {
    if (bytes > largest_block) return false;
    bytes = round_up(bytes);
    return fits_top(arena, bytes) || find_spare(arena, bytes) != NULL || add_spare(arena, bytes);
}

static void *refuse(crm_arena *arena) {
    arena->refused = true;
    return NULL;
}

void *crm_arena_take(crm_arena *arena, size_t bytes) {
    if (!crm_arena_reserve(arena, bytes)) return refuse(arena);
    size_t length = round_up(bytes);
    if (!fits_top(arena, length)) push(&arena->top, pop(find_spare(arena, length)));

    crm_arena_block *block = arena->top;
    unsigned char *piece = block->pieces + block->used;
    block->used += length;
    CRM_UNPOISON(piece, bytes); // not `length`: reading past the end is caught even inside the rounding
    return piece;
}

void *crm_arena_take_array(crm_arena *arena, ptrdiff_t count, size_t size) {
    if (count < 0 || (size != 0 && (size_t)count > SIZE_MAX / size)) return refuse(arena);
    return crm_arena_take(arena, (size_t)count * size);
}

void *crm_arena_take_zeroed(crm_arena *arena, ptrdiff_t count, size_t size) {
    void *items = crm_arena_take_array(arena, count, size);
    if (items != NULL) memset(items, 0, (size_t)count * size);
    return items;
}

crm_mark crm_arena_mark(const crm_arena *arena) {
    return (crm_mark){.block = arena->top, .used = arena->top != NULL ? arena->top->used : 0};
}

void crm_arena_release(crm_arena *arena, crm_mark mark) {
    while (arena->top != mark.block) {
        CRM_ASSERT(arena->top != NULL); // the mark is of another arena, or was released before
        crm_arena_block *block = pop(&arena->top);
        empty_down_to(block, 0);
        push(&arena->spare, block);
    }
    if (mark.block == NULL) return;
    CRM_ASSERT(mark.used <= mark.block->used);
    empty_down_to(mark.block, mark.used);
}

void crm_arena_reset(crm_arena *arena) {
    crm_arena_release(arena, (crm_mark){0});
    if (arena->spare == NULL || arena->spare->below == NULL || arena->capacity > largest_block) return;
    size_t all = arena->capacity;
    if (arena->frugal) free_list(arena, &arena->spare); // so that nothing is held twice
    crm_arena_block *joined = new_block(arena, all);
    if (joined == NULL) return;
    free_list(arena, &arena->spare);
    push(&arena->spare, joined);
}

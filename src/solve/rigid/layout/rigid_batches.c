// SPDX-License-Identifier: MIT
// Who shares a batch: each contact goes into the oldest of 64 open batches that has room and none of its bodies.
#include <stdint.h>
#include <string.h>

#include "solve/rigid/layout/rigid_layout.h"

// The open batches are base ... base + 63. A body remembers in which of them it is, relative to the base of its last
// contact.
typedef struct body_mask {
    uint64_t in;
    int base;
} body_mask;

typedef struct open_batches {
    int base, used; // used: batches that have a contact
    uint64_t room;
    unsigned char lanes[64]; // filled, by batch % 64
    body_mask *body;         // by slot
} open_batches;

static uint64_t taken(const open_batches *open, const body_mask *body) {
    int moved = open->base - body->base;
    return moved < 64 ? body->in >> moved : 0;
}

static void enter(const open_batches *open, body_mask *body, uint64_t bit) {
    body->in = taken(open, body) | bit;
    body->base = open->base;
}

// Closes the oldest.
static void move_on(open_batches *open) {
    open->lanes[open->base % 64] = 0;
    open->base++;
    open->room = open->room >> 1 | (uint64_t)1 << 63;
}

static int lowest_bit(uint64_t bits) {
    return __builtin_ctzll(bits);
}

// batch * CRM_RIGID_LANES + lane.
static int put(open_batches *open, int a, int b) {
    uint64_t free;
    // Slot 0 may be there as often as it likes.
    while ((free = open->room &
                   ~((a > 0 ? taken(open, &open->body[a]) : 0) | (b > 0 ? taken(open, &open->body[b]) : 0))) == 0)
        move_on(open);
    int bit = lowest_bit(free), batch = open->base + bit, lane = open->lanes[batch % 64]++;
    uint64_t mask = (uint64_t)1 << bit;
    if (a > 0) enter(open, &open->body[a], mask);
    if (b > 0) enter(open, &open->body[b], mask);
    if (lane + 1 == CRM_RIGID_LANES) open->room &= ~mask;
    while ((open->room & 1) == 0) move_on(open);
    if (batch >= open->used) open->used = batch + 1;
    return batch * CRM_RIGID_LANES + lane;
}

// With a batch of its own: no body is in any that is open then.
static void begin_section(open_batches *open) {
    open->base = open->used;
    open->room = ~(uint64_t)0;
    memset(open->lanes, 0, sizeof open->lanes);
}

static void fill_section(const double *impulse, const crm_rigid_layout *layout, const crm_rigid_section *section,
                         open_batches *open) {
    const int *order = layout->order + section->first_contact;
    for (int pass = 0; pass < 2; pass++) {
        for (int n = 0; n < section->contacts; n++) {
            int k = order[n];
            bool presses = impulse[3 * (ptrdiff_t)layout->contact[k]] > 0.0;
            if (presses == (pass == 0)) layout->lane[k] = put(open, layout->ends[k].a, layout->ends[k].b);
        }
    }
}

int crm_rigid_fill_batches(const double *impulse, const crm_rigid_layout *layout, const crm_rigid_share *share,
                           crm_arena *arena) {
    open_batches open = {.body = CRM_ARENA_ZEROED(arena, body_mask, (ptrdiff_t)share->bodies + 1)};
    if (open.body == NULL) return 0;
    for (int s = 0; s < share->sections; s++) {
        crm_rigid_section *section = &layout->section[share->first_section + s];
        begin_section(&open);
        section->begin = open.used;
        fill_section(impulse, layout, section, &open);
        section->end = open.used;
    }
    return open.used;
}

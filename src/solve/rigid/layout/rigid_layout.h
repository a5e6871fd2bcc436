// SPDX-License-Identifier: MIT
// Where everything goes: islands, which of them are solved together, the slots of bodies, and who shares a batch.
//
// Contacts and blocks that share a body that can move are one island (bodies are joined in a forest). Islands are
// numbered by their lowest contact, those without by their lowest block. A large one is solved alone; small ones are
// gathered in sweep groups, as lanes are better filled so. Nothing here depends on the number of threads.
#ifndef CRM_SOLVE_RIGID_LAYOUT_H
#define CRM_SOLVE_RIGID_LAYOUT_H

#include "base/arena.h"
#include "solve/rigid/rigid_island.h"

// Contacts and blocks from which on an island is solved alone. Islands that are solved together have no fewer, but for
// one group of them.
enum { CRM_RIGID_LARGE_ISLAND = 64 };

// Islands place[first] ... are solved together.
typedef struct crm_rigid_share {
    int first_place, islands;
    int first_contact, contacts; // in `contact` below
    int first_block, blocks;
    int first_body, bodies;
    int first_batch, batches;
    int first_section, sections;
} crm_rigid_share;

// Slots of a contact's bodies.
typedef struct crm_rigid_ends {
    int a, b;
} crm_rigid_ends;

// Some contacts of a share, and their batches begin ... end - 1 of the share's, which have no others. A large island
// has several sections, cut so that k and k + 2, k + 4, ... have no body in common that can move (rigid_sections.c);
// all other shares have one.
typedef struct crm_rigid_section {
    int first_contact, contacts; // in `order` below
    int begin, end;
} crm_rigid_section;

// A *place* is the position of an island when those that are solved together follow each other.
typedef struct crm_rigid_layout {
    int island_count, share_count, batch_count, section_count;
    int *island_of_contact, *island_of_block, *island_of_body; // of a body in none: -1
    int *island_at;                                            // (places) the island there
    int *place_of;                                             // (islands)
    crm_rigid_members *members;                                // (places)
    crm_rigid_share *share;                                    // (share_count)
    crm_rigid_section *section;                                // (section_count)
    int *contact, *block, *body;                               // of the problem, place after place, ascending in each
    crm_rigid_ends *ends;                                      // (contacts) of each in `contact`
    int *order;        // (contacts) places in `contact`, section after section, ascending in each
    int *lane;         // (contacts) batch * CRM_RIGID_LANES + lane, of each in `contact`
    int *rows;         // (blocks) of each in `block`, from 0 in each share
    int *slots;        // (bodies) of each in `body`
    int *row_of_block; // (block_count) its first, in impulses and velocities
    int *slot_of_body; // (body_count); 0: in no island
} crm_rigid_layout;

// False when there is no memory.
bool crm_rigid_lay_out(const crm_rigid_problem *problem, const double *impulse, crm_arena *arena,
                       crm_rigid_layout *out);

// The most sections of an island with so many contacts.
int crm_rigid_most_sections(int contacts);

// Cuts a share into sections, from share->first_section on. How many; 0 when there is no memory.
int crm_rigid_cut_share(const crm_rigid_layout *layout, const crm_rigid_share *share, crm_arena *arena);

// Puts the contacts of a share into batches, section after section, in each those that press in the guess first. The
// number of batches.
int crm_rigid_fill_batches(const double *impulse, const crm_rigid_layout *layout, const crm_rigid_share *share,
                           crm_arena *arena);

#endif

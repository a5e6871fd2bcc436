// SPDX-License-Identifier: MIT
#include "solve/rigid/layout/rigid_layout.h"

#include <string.h>

#include "base/forest.h"

// A sweep group of small islands takes no more once it has so many: what is solved together should stay in the cache,
// and several groups can be shared out to threads.
static const int full_group = 128;

// The vertex of what cannot move comes last; it joins nobody, but gives contacts between fixed bodies an island.
static int vertex(const crm_rigid_problem *problem, int a, int b) {
    return a >= 0 ? a : b >= 0 ? b : problem->body_count;
}

static void join_bodies(const crm_rigid_problem *problem, int *forest) {
    for (int i = 0; i <= problem->body_count; i++) forest[i] = i;
    int a = -1, b = -1;
    for (int k = 0; k < problem->contact_count; k++) {
        const crm_rigid_contact *contact = &problem->contacts[k];
        if (contact->a == a && contact->b == b) continue;
        a = contact->a, b = contact->b;
        if (a >= 0 && b >= 0) crm_forest_join(forest, a, b);
    }
    for (int k = 0; k < problem->block_count; k++) {
        const crm_rigid_block *block = &problem->blocks[k];
        if (block->a >= 0 && block->b >= 0) crm_forest_join(forest, block->a, block->b);
    }
}

typedef struct island_size {
    int contacts, blocks, bodies, share;
} island_size;

static int number(int vertex_number, int *forest, int *island, int *count, island_size *size) {
    int root = crm_forest_root(forest, vertex_number);
    if (island[root] < 0) {
        size[*count] = (island_size){0};
        island[root] = (*count)++;
    }
    return island[root];
}

// `island` (body_count + 1) gets the number of a root's island, then of every body's.
static int number_islands(const crm_rigid_problem *problem, int *forest, int *island, crm_rigid_layout *out,
                          island_size *size) {
    int count = 0;
    for (int i = 0; i <= problem->body_count; i++) island[i] = -1;
    for (int k = 0; k < problem->contact_count; k++) {
        const crm_rigid_contact *contact = &problem->contacts[k];
        int i = number(vertex(problem, contact->a, contact->b), forest, island, &count, size);
        out->island_of_contact[k] = i;
        size[i].contacts++;
    }
    for (int k = 0; k < problem->block_count; k++) {
        const crm_rigid_block *block = &problem->blocks[k];
        int i = number(vertex(problem, block->a, block->b), forest, island, &count, size);
        out->island_of_block[k] = i;
        size[i].blocks++;
    }
    for (int i = 0; i < problem->body_count; i++) {
        out->island_of_body[i] = island[crm_forest_root(forest, i)];
        if (out->island_of_body[i] >= 0) size[out->island_of_body[i]].bodies++;
    }
    return count;
}

// Which islands are solved together; place_of gets the share of each for now.
static int share_islands(int island_count, island_size *size, crm_rigid_share *share) {
    int count = 0, common = -1, filled = 0;
    for (int i = 0; i < island_count; i++) {
        int members = size[i].contacts + size[i].blocks, to = common;
        if (members >= CRM_RIGID_LARGE_ISLAND || common < 0 || filled >= full_group) {
            to = count++;
            share[to] = (crm_rigid_share){0};
            if (members < CRM_RIGID_LARGE_ISLAND) common = to, filled = 0;
        }
        if (members < CRM_RIGID_LARGE_ISLAND) filled += members;
        size[i].share = to;
        share[to].islands++;
        share[to].contacts += size[i].contacts;
        share[to].blocks += size[i].blocks;
        share[to].bodies += size[i].bodies;
    }
    crm_rigid_share *last = NULL;
    for (int s = 0; s < count; last = &share[s], s++) {
        if (last == NULL) continue;
        share[s].first_place = last->first_place + last->islands;
        share[s].first_contact = last->first_contact + last->contacts;
        share[s].first_block = last->first_block + last->blocks;
        share[s].first_body = last->first_body + last->bodies;
    }
    return count;
}

typedef struct island_cursor {
    int contact, block, body; // where the next one of the island goes
} island_cursor;

static void place_islands(crm_rigid_layout *out, const island_size *size, int *next_place, island_cursor *cursor) {
    for (int s = 0; s < out->share_count; s++) next_place[s] = out->share[s].first_place;
    for (int i = 0; i < out->island_count; i++) {
        out->place_of[i] = next_place[size[i].share]++;
        out->island_at[out->place_of[i]] = i;
    }
    island_cursor at = {0, 0, 0};
    for (int p = 0; p < out->island_count; p++) {
        int i = out->island_at[p];
        cursor[i] = at;
        out->members[p] = (crm_rigid_members){.contact_count = size[i].contacts,
                                              .block_count = size[i].blocks,
                                              .body_count = size[i].bodies,
                                              .lane = out->lane + at.contact,
                                              .rows = out->rows + at.block,
                                              .slots = out->slots + at.body};
        at.contact += size[i].contacts, at.block += size[i].blocks, at.body += size[i].bodies;
    }
}

static void sort_members(const crm_rigid_problem *problem, crm_rigid_layout *out, const island_size *size,
                         island_cursor *cursor) {
    for (int k = 0; k < problem->contact_count; k++) out->contact[cursor[out->island_of_contact[k]].contact++] = k;
    for (int k = 0, row = 3 * problem->contact_count; k < problem->block_count; k++) {
        int i = out->island_of_block[k], at = cursor[i].block++;
        out->block[at] = k;
        out->rows[at] = at - out->share[size[i].share].first_block;
        out->row_of_block[k] = row;
        row += problem->blocks[k].rows;
    }
    for (int k = 0; k < problem->body_count; k++) {
        int i = out->island_of_body[k];
        out->slot_of_body[k] = 0;
        if (i < 0) continue;
        int at = cursor[i].body++;
        out->body[at] = k;
        out->slots[at] = out->slot_of_body[k] = 1 + at - out->share[size[i].share].first_body;
    }
}

static int slot_of(const crm_rigid_layout *out, int body) {
    return body >= 0 ? out->slot_of_body[body] : 0;
}

static void find_ends(const crm_rigid_problem *problem, crm_rigid_layout *out) {
    for (int k = 0; k < problem->contact_count; k++) {
        const crm_rigid_contact *contact = &problem->contacts[out->contact[k]];
        out->ends[k] = (crm_rigid_ends){slot_of(out, contact->a), slot_of(out, contact->b)};
    }
}

bool crm_rigid_lay_out(const crm_rigid_problem *problem, const double *impulse, crm_arena *arena,
                       crm_rigid_layout *out) {
    int contacts = problem->contact_count, blocks = problem->block_count, bodies = problem->body_count;
    ptrdiff_t islands = bodies + 1; // at most: those of bodies, and that of fixed ones
    if (islands > (ptrdiff_t)contacts + blocks) islands = (ptrdiff_t)contacts + blocks;
    *out = (crm_rigid_layout){
        .island_of_contact = CRM_ARENA_ARRAY(arena, int, contacts),
        .island_of_block = CRM_ARENA_ARRAY(arena, int, blocks),
        .island_of_body = CRM_ARENA_ARRAY(arena, int, bodies),
        .island_at = CRM_ARENA_ARRAY(arena, int, islands),
        .place_of = CRM_ARENA_ARRAY(arena, int, islands),
        .members = CRM_ARENA_ARRAY(arena, crm_rigid_members, islands),
        .share = CRM_ARENA_ARRAY(arena, crm_rigid_share, islands),
        .section = CRM_ARENA_ARRAY(arena, crm_rigid_section, islands + crm_rigid_most_sections(contacts)),
        .contact = CRM_ARENA_ARRAY(arena, int, contacts),
        .block = CRM_ARENA_ARRAY(arena, int, blocks),
        .body = CRM_ARENA_ARRAY(arena, int, bodies),
        .ends = CRM_ARENA_ARRAY(arena, crm_rigid_ends, contacts),
        .order = CRM_ARENA_ARRAY(arena, int, contacts),
        .lane = CRM_ARENA_ARRAY(arena, int, contacts),
        .rows = CRM_ARENA_ARRAY(arena, int, blocks),
        .slots = CRM_ARENA_ARRAY(arena, int, bodies),
        .row_of_block = CRM_ARENA_ARRAY(arena, int, blocks),
        .slot_of_body = CRM_ARENA_ARRAY(arena, int, bodies)};
    crm_mark mark = crm_arena_mark(arena);
    int *forest = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)bodies + 1);
    int *island = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)bodies + 1), *next = CRM_ARENA_ARRAY(arena, int, islands);
    island_size *size = CRM_ARENA_ARRAY(arena, island_size, islands);
    island_cursor *cursor = CRM_ARENA_ARRAY(arena, island_cursor, islands);
    if (crm_arena_refused(arena)) return false;
    join_bodies(problem, forest);
    out->island_count = number_islands(problem, forest, island, out, size);
    out->share_count = share_islands(out->island_count, size, out->share);
    place_islands(out, size, next, cursor);
    sort_members(problem, out, size, cursor);
    find_ends(problem, out);
    for (int s = 0; s < out->share_count; s++) {
        crm_mark inner = crm_arena_mark(arena);
        crm_rigid_share *share = &out->share[s];
        share->first_batch = out->batch_count;
        share->first_section = out->section_count;
        share->sections = crm_rigid_cut_share(out, share, arena);
        share->batches = crm_rigid_fill_batches(impulse, out, share, arena);
        out->batch_count += share->batches;
        out->section_count += share->sections;
        crm_arena_release(arena, inner);
    }
    crm_arena_release(arena, mark);
    return !crm_arena_refused(arena);
}

// SPDX-License-Identifier: MIT
// Where searches on several threads put the pairs that they find: pages of one array. A writer, one a thread, fills its
// page and takes the next one. Which page holds what is left to chance, so that the pairs must be sorted afterwards.
#ifndef CRM_CONTACT_BROAD_PHASE_PAGES_H
#define CRM_CONTACT_BROAD_PHASE_PAGES_H

#include <stdatomic.h>

#include "base/array.h"
#include "contact/item.h"

typedef CRM_ARRAY(crm_item_pair) crm_pair_list;

enum {
    CRM_PAGE_PAIRS = 512,
    CRM_PAGE_ROOM = 68, // what a writer offers at a time: 8 x 8 pairs, and four that may be written but not kept
};

typedef struct crm_pair_pages {
    crm_pair_list pairs;     // its capacity counts, in whole pages
    CRM_ARRAY(int32_t) fill; // pairs in a page
    int page_count;
    atomic_int taken; // may exceed page_count: then there were too few
} crm_pair_pages;

typedef struct crm_pair_writer {
    crm_pair_pages *pages;
    crm_item_pair *at, *end;
    int page;       // -1: none yet
    int64_t effort; // pairs of blocks of items that were held against each other
} crm_pair_writer;

// Room for so many pages, which are then empty. False: no memory.
bool crm_pages_reserve(crm_pair_pages *pages, int64_t count, const carom_allocator *allocator);
void crm_pages_free(crm_pair_pages *pages, const carom_allocator *allocator);

crm_pair_writer crm_pair_writer_of(crm_pair_pages *pages);
// Leaves the page; the writer may go on with another.
void crm_pair_writer_close(crm_pair_writer *writer);
bool crm_pair_writer_next_page(crm_pair_writer *writer);

// Makes sure that CRM_PAGE_ROOM pairs can be written at `at`. False: there are no pages left.
static inline bool crm_pair_writer_room(crm_pair_writer *writer) {
    return writer->end - writer->at >= CRM_PAGE_ROOM || crm_pair_writer_next_page(writer);
}

#endif

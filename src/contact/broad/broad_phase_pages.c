// SPDX-License-Identifier: MIT
#include "contact/broad/broad_phase_pages.h"

#include <limits.h>

bool crm_pages_reserve(crm_pair_pages *pages, int64_t count, const carom_allocator *allocator) {
    if (count > INT_MAX / CRM_PAGE_PAIRS) return false;
    pages->pairs.count = pages->fill.count = 0; // nothing in them is to be kept
    if (!CRM_ARRAY_RESERVE(allocator, &pages->pairs, (ptrdiff_t)count * CRM_PAGE_PAIRS)) return false;
    int room = pages->pairs.capacity / CRM_PAGE_PAIRS;
    if (!CRM_ARRAY_RESERVE(allocator, &pages->fill, room)) return false;
    pages->page_count = room;
    atomic_store(&pages->taken, 0);
    return true;
}

void crm_pages_free(crm_pair_pages *pages, const carom_allocator *allocator) {
    CRM_ARRAY_FREE(allocator, &pages->pairs);
    CRM_ARRAY_FREE(allocator, &pages->fill);
}

crm_pair_writer crm_pair_writer_of(crm_pair_pages *pages) {
    return (crm_pair_writer){.pages = pages, .page = -1};
}

void crm_pair_writer_close(crm_pair_writer *writer) {
    crm_pair_pages *pages = writer->pages;
    if (writer->page >= 0)
        pages->fill.items[writer->page] =
            (int32_t)(writer->at - (pages->pairs.items + (ptrdiff_t)writer->page * CRM_PAGE_PAIRS));
    writer->page = -1;
    writer->at = writer->end = NULL;
}

bool crm_pair_writer_next_page(crm_pair_writer *writer) {
    crm_pair_pages *pages = writer->pages;
    crm_pair_writer_close(writer);
    // Looked at first, so that the number taken stays near the number there is.
    if (atomic_load_explicit(&pages->taken, memory_order_relaxed) > pages->page_count) return false;
    int page = atomic_fetch_add_explicit(&pages->taken, 1, memory_order_relaxed);
    if (page >= pages->page_count) return false;
    writer->page = page;
    writer->at = pages->pairs.items + (ptrdiff_t)page * CRM_PAGE_PAIRS;
    writer->end = writer->at + CRM_PAGE_PAIRS;
    return true;
}

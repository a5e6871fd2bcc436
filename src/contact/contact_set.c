// SPDX-License-Identifier: MIT
// Contact sets: making, asking, ending. Their update is in contact_update.c, saving in saved.c.
#include "contact/contact_set.h"

#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "contact/contact_check.h"

carom_contact_options carom_contact_options_default(void) {
    return (carom_contact_options){.struct_size = sizeof(carom_contact_options),
                                   .measure = CAROM_MEASURE_FEATURES,
                                   .threads = 1,
                                   .limits = carom_limits_none()};
}

const char *carom_contact_kind_name(carom_contact_kind kind) {
    switch (kind) {
    case CAROM_CONTACT_KIND_NEAREST:
        return "nearest";
    case CAROM_CONTACT_KIND_CORNER_A:
        return "corner of a";
    case CAROM_CONTACT_KIND_CORNER_B:
        return "corner of b";
    case CAROM_CONTACT_KIND_EDGES:
        return "edges";
    case CAROM_CONTACT_KIND_CONTINUOUS:
        return "continuous";
    }
    return "?";
}

carom_status carom_contact_set_create(const carom_contact_options *options, const carom_allocator *allocator,
                                      carom_contact_set **out, carom_error *error) {
    CRM_NEED(out, error);
    *out = NULL;
    carom_status status = CRM_CHECK_OPTIONS(options, carom_contact_options, error);
    if (status != CAROM_OK) return status;
    carom_contact_options chosen = options != NULL ? *options : carom_contact_options_default();
    status = crm_limits_take(&chosen.limits, carom_limits_none(), &chosen.limits, error);
    if (status == CAROM_OK) status = crm_check_contact_options(&chosen, error);
    if (status != CAROM_OK) return status;

    carom_allocator memory = allocator != NULL ? *allocator : carom_allocator_default();
    carom_contact_set *set = memory.allocate(memory.user, sizeof *set);
    if (set == NULL) return crm_fail_memory(error, "a contact set", sizeof *set);
    *set = (carom_contact_set){.allocator = memory, .options = chosen};
    crm_arena_init(&set->scratch, &memory);
    size_t bytes = (size_t)chosen.threads * sizeof *set->workers;
    set->workers = memory.allocate(memory.user, bytes);
    if (set->workers == NULL) {
        status = crm_fail_memory(error, "the workers of a contact set", bytes);
    } else {
        memset(set->workers, 0, bytes);
        for (int w = 0; w < chosen.threads; w++) crm_arena_init(&set->workers[w].scratch, &memory);
    }
    if (status == CAROM_OK && chosen.threads > 1) status = crm_pool_create(&memory, chosen.threads, &set->pool, error);
    if (status == CAROM_OK) status = crm_broad_phase_create(&memory, &set->broad, error);
    if (status == CAROM_OK) crm_broad_phase_limit(set->broad, chosen.limits.pairs);
    if (status == CAROM_OK)
        *out = set;
    else
        carom_contact_set_destroy(set);
    return status;
}

void carom_contact_set_destroy(carom_contact_set *set) {
    if (set == NULL) return;
    carom_allocator memory = set->allocator;
    crm_pool_destroy(set->pool);
    crm_broad_phase_destroy(set->broad);
    for (int w = 0; set->workers != NULL && w < set->options.threads; w++) {
        CRM_ARRAY_FREE(&memory, &set->workers[w].found);
        crm_arena_free(&set->workers[w].scratch);
    }
    memory.release(memory.user, set->workers, (size_t)set->options.threads * sizeof *set->workers);
    crm_arena_free(&set->scratch);
    CRM_ARRAY_FREE(&memory, &set->runs);
    CRM_ARRAY_FREE(&memory, &set->chunks);
    crm_pair_cache_free(&set->now, &memory);
    crm_pair_cache_free(&set->next, &memory);
    memory.release(memory.user, set, sizeof *set);
}

const carom_contact *carom_contact_set_list(const carom_contact_set *set, int *count) {
    *count = set->listed ? set->now.contacts.count : 0;
    return *count > 0 ? set->now.contacts.items : NULL;
}

const carom_contact *carom_contact_set_find(const carom_contact_set *set, int32_t id_a, int32_t id_b, int *count) {
    bool swapped = id_a > id_b;
    const crm_meeting *meeting = NULL;
    if (set->listed) meeting = crm_find_meeting(&set->now, swapped ? id_b : id_a, swapped ? id_a : id_b);
    *count = meeting != NULL ? meeting->count : 0;
    return meeting != NULL ? &set->now.contacts.items[meeting->first] : NULL;
}

void carom_contact_set_store(carom_contact_set *set, const double *impulses) {
    carom_contact *list = set->now.contacts.items;
    for (int i = 0; set->listed && i < set->now.contacts.count; i++)
        memcpy(list[i].impulse, impulses + 3 * (size_t)i, sizeof list[i].impulse);
}

void crm_contact_set_remember(carom_contact_set *set, int count, const int *places, const double *impulses) {
    carom_contact *list = set->now.contacts.items;
    for (int i = 0; i < count; i++) memcpy(list[places[i]].impulse, impulses + 3 * (size_t)i, sizeof list[i].impulse);
}

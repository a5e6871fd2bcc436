// SPDX-License-Identifier: MIT
// The inside of a contact set.
//
// The room contact: proxies enter (shape, pose, motion, margin, groups), the ordered list of contacts leaves, with what
// is remembered of them. Called by the public functions of carom/contact.h and by every method with contact, once or
// more a step. An update (contact_update.c) goes through broad/, narrow/ and compound/, then reduces manifolds and
// matches contacts with the former ones.
#ifndef CRM_CONTACT_CONTACT_SET_H
#define CRM_CONTACT_CONTACT_SET_H

#include <stdatomic.h>

#include "base/arena.h"
#include "base/pool.h"
#include "contact/broad/broad_phase.h"
#include "contact/pair_cache.h"

// All pairs of items of two proxies: a run in the list of pairs.
typedef struct crm_pair_run {
    int first_pair, pair_count;
    int contact_count; // that are left
} crm_pair_run;

// Runs that one thread works on: a cut of the list that depends on the list alone.
typedef struct crm_run_chunk {
    int first_run, run_count;
    int worker, first_contact, contact_count; // where what was found lies: in the contacts of this worker
    int listed_from;                          // where it goes in the list
    int meeting_from;                         // number of its first meeting
    crm_narrow_counts counts;
    int64_t left_out;
    bool failed; // for want of memory
} crm_run_chunk;

// What belongs to one thread of the pool during an update.
typedef struct crm_contact_worker {
    crm_contact_array found; // not used by a single one, which finds all contacts in order: into the list
    crm_arena scratch;
} crm_contact_worker;

struct carom_contact_set {
    carom_allocator allocator;
    carom_contact_options options;
    crm_pool *pool; // NULL: one thread
    crm_broad_phase *broad;
    crm_contact_worker *workers; // (options.threads)
    crm_arena scratch;           // of the update itself
    CRM_ARRAY(crm_pair_run) runs;
    CRM_ARRAY(crm_run_chunk) chunks;

    crm_pair_cache now, next; // remembered, the list among it; being filled
    atomic_bool ended;        // the update that goes on was interrupted
    bool listed;              // the contacts of `now` are those of an update: not after reading a saved state
};

// Stores impulses as carom_contact_set_store does, also after a read: of the contacts that were listed when the set was
// saved, which are remembered in their order.
// `places` are of the contacts in the list (count); the others keep what they have.
void crm_contact_set_remember(carom_contact_set *set, int count, const int *places, const double *impulses);

// For how long contacts of `continuous` that are listed from now on hold, s: steps need not be of one length.
static inline void crm_contact_set_last(carom_contact_set *set, double duration) {
    set->options.duration = duration;
}

// Whether what is listed holds for this long: all but lists of `continuous` hold as long as margins last.
static inline bool crm_contact_set_lasts(const carom_contact_set *set, double duration) {
    return !set->options.continuous || set->options.duration == duration;
}

// What whoever knows the shapes asks of contacts that are read.
typedef struct crm_contact_check {
    // Whether two proxies of these ids can have the contact.
    bool (*fits)(void *user, int32_t id_a, int32_t id_b, const carom_contact *contact);
    void *user;
    int64_t listed; // so many are remembered, as they are in a list that lies beside; -1: any number
} crm_contact_check;

// carom_contact_set_load; `check` may be NULL. With one the set may have been saved with another duration, which it
// then has.
carom_status crm_contact_set_load(carom_contact_set *set, const void *bytes, size_t size,
                                  const crm_contact_check *check, carom_error *error);

#endif

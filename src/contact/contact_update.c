// SPDX-License-Identifier: MIT
// The update of a contact set.
//
// The broad phase lists pairs of items; those of the same two proxies stand together and make a run. Runs are cut into
// chunks by their number of pairs alone, and each chunk is worked on by one thread from memory of the last step to
// contacts that have tangents and impulses. Which thread that was shows nowhere: chunks are put together in order.
//
// Two proxies that rest are not asked about: their contacts are taken over as they were.
//
// All that is new goes into `next`, which takes the place of the former one when nothing can fail any more.
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "base/clock.h"
#include "base/fail.h"
#include "base/limits/limit.h"
#include "contact/compound/internal_edges.h"
#include "contact/contact_check.h"
#include "contact/contact_set.h"
#include "contact/narrow/manifold_reduction.h"
#include "contact/tangent_basis.h"

enum {
    CHUNK_PAIRS = 256, // a chunk has at least this many, but for the last one: some 50 microseconds of work
    SLICE_PAIRS = 64,  // that the narrow phase is given at once
};

typedef struct update {
    carom_contact_set *set;
    const crm_item *items;
    const crm_item_pair *pairs;
    int pair_count;
} update;

// ---- runs and chunks

// The end of the run that begins with pair i.
static int run_end(const crm_item *items, int pair_count, const crm_item_pair *pairs, int i) {
    int32_t a = items[pairs[i].a].rank, b = items[pairs[i].b].rank;
    int end = i + 1;
    while (end < pair_count && items[pairs[end].b].rank == b && items[pairs[end].a].rank == a) end++;
    return end;
}

static bool find_runs(carom_contact_set *set, const crm_item *items, bool compounds, int pair_count,
                      const crm_item_pair *pairs) {
    set->runs.count = set->chunks.count = 0;
    if (!CRM_ARRAY_RESERVE(&set->allocator, &set->runs, pair_count)) return false;
    for (int i = 0, end; i < pair_count; i = end) {
        end = compounds ? run_end(items, pair_count, pairs, i) : i + 1;
        set->runs.items[set->runs.count++] = (crm_pair_run){.first_pair = i, .pair_count = end - i};
    }
    int pairs_in_chunk = CHUNK_PAIRS;
    for (int r = 0; r < set->runs.count; r++) {
        if (pairs_in_chunk >= CHUNK_PAIRS) {
            if (!CRM_ARRAY_PUSH(&set->allocator, &set->chunks, (crm_run_chunk){.first_run = r})) return false;
            pairs_in_chunk = 0;
        }
        set->chunks.items[set->chunks.count - 1].run_count++;
        pairs_in_chunk += set->runs.items[r].pair_count;
    }
    return true;
}

// ---- one chunk: from memory to contacts

static crm_pair_key key_of(const crm_item *items, crm_item_pair pair) {
    const crm_item *a = &items[pair.a], *b = &items[pair.b];
    return (crm_pair_key){a->id, b->id, a->part, b->part};
}

// Items of B are all over memory: told to the processor some pairs before they are asked for.
enum { PAIRS_AHEAD = 12 };

static void fetch_item(const crm_item *item) {
    for (size_t at = 0; at < offsetof(crm_item, posed.centre); at += 64) __builtin_prefetch((const char *)item + at);
}

// Keys of the pairs first ... first + count - 1, and what is remembered of them.
static void recall(const update *u, int first, int count) {
    const crm_pair_cache *now = &u->set->now;
    crm_pair_cache *next = &u->set->next;
    crm_pair_key key = key_of(u->items, u->pairs[first]);
    int known = crm_first_key(now, &key);
    for (int i = first; i < first + count; i++) {
        if (i + PAIRS_AHEAD < u->pair_count) fetch_item(&u->items[u->pairs[i + PAIRS_AHEAD].b]);
        key = key_of(u->items, u->pairs[i]);
        while (known < now->keys.count && crm_compare_keys(&now->keys.items[known], &key) < 0) known++;
        bool found = known < now->keys.count && crm_compare_keys(&now->keys.items[known], &key) == 0;
        next->keys.items[i] = key;
        next->memory.items[i] = found ? now->memory.items[known] : (crm_pair_memory){0};
        if (next->memory.items[i].has_cache) next->caches.items[i] = now->caches.items[known];
    }
}

// Whether somebody wants the update to end: from then on it does, and what it has found is dropped.
static bool ask_end(void *user) {
    carom_contact_set *set = user;
    if (set->options.interrupt.asked == NULL) return false;
    if (!atomic_load_explicit(&set->ended, memory_order_relaxed) && crm_interrupted(&set->options.interrupt))
        atomic_store_explicit(&set->ended, true, memory_order_relaxed);
    return atomic_load_explicit(&set->ended, memory_order_relaxed);
}

// ---- pairs that rest

static bool pair_rests(const update *u, int pair) {
    return u->items[u->pairs[pair].a].proxy->resting && u->items[u->pairs[pair].b].proxy->resting;
}

// The former contacts of the proxies of a run, found by a walk along the meetings; NULL: they had none.
static const crm_meeting *former_meeting(const update *u, const crm_pair_run *run, int *meeting) {
    const crm_pair_cache *now = &u->set->now;
    crm_pair_key key = u->set->next.keys.items[run->first_pair];
    uint64_t ids = crm_join_ints(key.id_a, key.id_b);
    for (; *meeting < now->meetings.count; (*meeting)++) {
        const crm_meeting *former = &now->meetings.items[*meeting];
        uint64_t at = crm_join_ints(former->id_a, former->id_b);
        if (at >= ids) return at == ids ? former : NULL;
    }
    return NULL;
}

// Appends the contacts that the proxies of a run had.
static bool keep_contacts(const update *u, crm_pair_run *run, int *meeting, crm_contact_array *found) {
    const crm_meeting *former = former_meeting(u, run, meeting);
    if (former == NULL) return true;
    if (!CRM_ARRAY_RESERVE(&u->set->allocator, found, (ptrdiff_t)found->count + former->count)) return false;
    crm_item_pair pair = u->pairs[run->first_pair];
    for (int k = 0; k < former->count; k++) {
        carom_contact *contact = &found->items[found->count++];
        *contact = u->set->now.contacts.items[former->first + k];
        contact->a = u->items[pair.a].place;
        contact->b = u->items[pair.b].place;
        contact->fresh = false;
    }
    run->contact_count = former->count;
    return true;
}

// ---- pairs that are asked about

// As many pairs from `begin` on as are asked about together: none of them rests.
static int slice_size(const update *u, int begin, int end) {
    int size = 1;
    while (size < SLICE_PAIRS && begin + size < end && !pair_rests(u, begin + size)) size++;
    return size;
}

// Appends the contacts of a chunk's pairs to those of the worker. `contact_count` gets how many each run has.
static bool ask(const update *u, crm_run_chunk *chunk, int first, int count, crm_contact_array *found) {
    carom_contact_set *set = u->set;
    crm_narrow_options options = {.measure = set->options.measure,
                                  .continuous = set->options.continuous,
                                  .duration = set->options.duration,
                                  .interrupt = {ask_end, set}};
    int counts[SLICE_PAIRS], run = chunk->first_run, run_end = first + set->runs.items[run].pair_count;
    crm_pair_key key = set->next.keys.items[first];
    int slice, meeting = crm_first_meeting(&set->now, key.id_a, key.id_b);
    crm_narrow_counts of_slice;
    for (int r = 0; r < chunk->run_count; r++) set->runs.items[run + r].contact_count = 0;
    for (int begin = first; begin < first + count; begin += slice) {
        if (begin == run_end) run_end += set->runs.items[++run].pair_count;
        if (pair_rests(u, begin)) { // with all others of its run
            slice = set->runs.items[run].pair_count;
            if (!keep_contacts(u, &set->runs.items[run], &meeting, found)) return false;
            continue;
        }
        slice = slice_size(u, begin, first + count);
        if (!crm_narrow_phase(u->items, slice, &u->pairs[begin], &set->next.memory.items[begin],
                              &set->next.caches.items[begin], &options, &set->allocator, found, counts, &of_slice))
            return false;
        chunk->counts.asked += of_slice.asked;
        chunk->counts.undecided += of_slice.undecided;
        for (int k = 0; k < slice; k++) {
            if (begin + k == run_end) run_end += set->runs.items[++run].pair_count;
            set->runs.items[run].contact_count += counts[k];
        }
    }
    return true;
}

// The contacts of two proxies put in order, after some have been replaced. Nearly always they are.
static void put_in_order(int count, carom_contact *contacts) {
    for (int i = 1; i < count; i++) {
        if (crm_compare_contacts(&contacts[i - 1], &contacts[i]) <= 0) continue;
        carom_contact moved = contacts[i];
        int k = i;
        for (; k > 0 && crm_compare_contacts(&contacts[k - 1], &moved) > 0; k--) contacts[k] = contacts[k - 1];
        contacts[k] = moved;
    }
}

// What is left of a run's contacts, with tangents and impulses; -1 without memory.
static int finish_run(const update *u, const crm_pair_run *run, int *meeting, carom_contact *contacts,
                      crm_arena *scratch) {
    const carom_contact_set *set = u->set;
    const crm_pair_cache *now = &set->now;
    const crm_item_pair *pairs = &u->pairs[run->first_pair];
    const crm_item *a = &u->items[pairs[0].a], *b = &u->items[pairs[0].b];
    double size = a->size < b->size ? a->size : b->size;
    int count = run->contact_count;
    if (count == 0 || pair_rests(u, run->first_pair)) return count;
    if (run->pair_count > 1) {
        bool by_ray = set->options.measure == CAROM_MEASURE_RAY;
        count = crm_remove_internal_edges(u->items, run->pair_count, pairs, by_ray, count, contacts, scratch);
        if (count < 0) return -1;
        put_in_order(count, contacts);
    }
    if (count > 1 && (!set->options.all_contacts || run->pair_count > 1)) {
        count = crm_reduce_manifold(count, contacts, size, set->options.all_contacts, scratch);
        if (count < 0) return -1;
    }
    const crm_meeting *at = former_meeting(u, run, meeting);
    crm_former former = {0};
    if (at != NULL)
        former = (crm_former){at->count, &now->contacts.items[at->first], now, a->id, a->rank, b->id, b->rank};
    return crm_take_over(count, contacts, &former, &a->proxy->view.pose, &b->proxy->view.pose, size, scratch) ? count
                                                                                                              : -1;
}

// Where a worker puts the contacts that it finds.
static crm_contact_array *found_by(carom_contact_set *set, int worker) {
    return set->options.threads == 1 ? &set->next.contacts : &set->workers[worker].found;
}

static bool work_on_chunk(const update *u, crm_run_chunk *chunk, crm_contact_array *found, crm_arena *scratch) {
    carom_contact_set *set = u->set;
    crm_pair_run *runs = &set->runs.items[chunk->first_run];
    const crm_pair_run *last = &runs[chunk->run_count - 1];
    int first = runs[0].first_pair, count = last->first_pair + last->pair_count - first;
    chunk->first_contact = found->count;
    recall(u, first, count);
    if (!ask(u, chunk, first, count, found)) return false;

    crm_pair_key key = set->next.keys.items[first];
    int meeting = crm_first_meeting(&set->now, key.id_a, key.id_b);
    int taken = chunk->first_contact, kept = chunk->first_contact;
    for (int r = 0; r < chunk->run_count; r++) {
        carom_contact *contacts = CRM_ARRAY_FROM(found, taken);
        if (ask_end(set)) return true;
        int asked = runs[r].contact_count, left = finish_run(u, &runs[r], &meeting, contacts, scratch);
        if (left < 0) return false;
        if (kept < taken && left > 0) memmove(found->items + kept, contacts, (size_t)left * sizeof *contacts);
        taken += asked;
        kept += left;
        runs[r].contact_count = left;
    }
    chunk->left_out = taken - kept;
    chunk->contact_count = kept - chunk->first_contact;
    found->count = kept;
    return true;
}

static void find_contacts(void *context, int begin, int end, int worker) {
    const update *u = context;
    for (int c = begin; c < end; c++) {
        crm_run_chunk *chunk = &u->set->chunks.items[c];
        chunk->worker = worker;
        // What is left undone of an interrupted update is dropped with the rest.
        if (ask_end(u->set)) return;
        chunk->failed = !work_on_chunk(u, chunk, found_by(u->set, worker), &u->set->workers[worker].scratch);
    }
}

// ---- limits

// s of a reference machine: of a pair of parts, of the edges of one and the other of two polytopes, whose features are
// compared and reduced (power 1.5 of their product), and of two parts of the same two bodies, which are held against
// each other (square of their number).
static const double pair_seconds = 1e-6, edges_seconds = 1e-9, parts_seconds = 2.5e-9;

static double edges_of(const crm_item *item) {
    return item->is_box || item->view.shape == NULL ? 0.0 : item->view.shape->polytope.edge_count;
}

// What finding the contacts of these pairs takes, about.
static double seconds_of(const update *u) {
    const carom_contact_set *set = u->set;
    double seconds = pair_seconds * u->pair_count;
    for (int i = 0; i < u->pair_count; i++) {
        double edges = edges_of(&u->items[u->pairs[i].a]) * edges_of(&u->items[u->pairs[i].b]);
        if (edges > 0.0) seconds += edges_seconds * edges * sqrt(edges);
    }
    for (int r = 0; r < set->runs.count; r++) {
        double pairs = set->runs.items[r].pair_count;
        if (pairs > 1.0) seconds += parts_seconds * pairs * pairs;
    }
    return seconds;
}

static carom_status check_limits(const update *u, carom_error *error) {
    const carom_limits *limits = &u->set->options.limits;
    char asked[32], most[32];
    if (u->pair_count > limits->pairs)
        return crm_fail(error, CAROM_ERR_TOO_LARGE,
                        "%d pairs of parts can touch, and the limit is %s; put bodies farther apart, or allow it by "
                        "--limit pairs=%d",
                        u->pair_count, crm_limit_text(limits->pairs, most), u->pair_count);
    if (isinf(limits->seconds)) return CAROM_OK;
    double seconds = seconds_of(u);
    if (seconds <= limits->seconds) return CAROM_OK;
    return crm_fail(
        error, CAROM_ERR_TOO_LARGE,
        "finding contacts would take about %s s a step, and the limit is %s; use shapes with fewer edges or "
        "parts, or allow it by --limit seconds=%.0f",
        crm_limit_text(ceil(seconds), asked), crm_limit_text(limits->seconds, most), ceil(seconds));
}

static carom_status check_contacts(const carom_contact_set *set, int64_t contacts, carom_error *error) {
    char most[32];
    if ((double)contacts <= set->options.limits.contacts) return CAROM_OK;
    return crm_fail(
        error, CAROM_ERR_TOO_LARGE,
        "there are %lld contacts, and the limit is %s; use fewer bodies, or allow it by --limit contacts=%lld",
        (long long)contacts, crm_limit_text(set->options.limits.contacts, most), (long long)contacts);
}

// ---- putting together

// Where the chunks go in the lists, and room for it.
static carom_status make_room(carom_contact_set *set, carom_error *error) {
    int64_t contacts = 0, meetings = 0;
    if (atomic_load(&set->ended)) return crm_fail_interrupted(error);
    for (int c = 0; c < set->chunks.count; c++) {
        crm_run_chunk *chunk = &set->chunks.items[c];
        if (chunk->failed) return crm_fail_memory(error, "contacts of pairs", sizeof(carom_contact));
        if (contacts + chunk->contact_count > INT_MAX)
            return crm_fail(error, CAROM_ERR_TOO_LARGE, "there are more than %d contacts", INT_MAX);
        chunk->listed_from = (int)contacts;
        chunk->meeting_from = (int)meetings;
        contacts += chunk->contact_count;
        for (int r = 0; r < chunk->run_count; r++) meetings += set->runs.items[chunk->first_run + r].contact_count > 0;
    }
    carom_status status = check_contacts(set, contacts, error);
    if (status != CAROM_OK) return status;
    crm_pair_cache_counts counts = {set->next.keys.count, meetings, contacts, set->next.places.count};
    if (!crm_pair_cache_resize(&set->next, &set->allocator, counts))
        return crm_fail_memory(error, "the list of contacts", (size_t)contacts * sizeof(carom_contact));
    return CAROM_OK;
}

static void put_together(void *context, int begin, int end, int worker) {
    (void)worker;
    const update *u = context;
    carom_contact_set *set = u->set;
    for (int c = begin; c < end; c++) {
        const crm_run_chunk *chunk = &set->chunks.items[c];
        int place = chunk->listed_from, meeting = chunk->meeting_from;
        const carom_contact *found = found_by(set, chunk->worker)->items;
        carom_contact *list = set->next.contacts.items;
        if (chunk->contact_count > 0 && found != list)
            memcpy(list + place, found + chunk->first_contact, (size_t)chunk->contact_count * sizeof *found);
        for (int r = 0; r < chunk->run_count; r++) {
            const crm_pair_run *run = &set->runs.items[chunk->first_run + r];
            if (run->contact_count == 0) continue;
            crm_pair_key key = set->next.keys.items[run->first_pair];
            set->next.meetings.items[meeting++] = (crm_meeting){key.id_a, key.id_b, place, run->contact_count};
            place += run->contact_count;
        }
    }
}

// Of every proxy, from its first item.
static void take_places(carom_contact_set *set, int item_count, const crm_item *items) {
    for (int i = 0; i < item_count; i++)
        if (items[i].part == 0)
            set->next.places.items[items[i].rank] = (crm_place){items[i].proxy->view.pose, items[i].id, 0};
}

static void swap_in(carom_contact_set *set) {
    crm_pair_cache_swap(&set->now, &set->next);
    set->listed = true;
}

// ---- the report

static size_t bytes_of(const carom_contact_set *set) {
    size_t bytes = sizeof *set + crm_broad_phase_bytes(set->broad) + crm_pair_cache_bytes(&set->now) +
                   crm_pair_cache_bytes(&set->next) + set->scratch.capacity;
    bytes += (size_t)set->runs.capacity * sizeof(crm_pair_run) + (size_t)set->chunks.capacity * sizeof(crm_run_chunk);
    for (int w = 0; w < set->options.threads; w++)
        bytes += sizeof set->workers[w] + (size_t)set->workers[w].found.capacity * sizeof(carom_contact) +
                 set->workers[w].scratch.capacity;
    return bytes;
}

static void report_on(const carom_contact_set *set, int proxies, int items, int64_t pairs, double broad, double narrow,
                      carom_contact_report *out) {
    *out = (carom_contact_report){.proxies = proxies,
                                  .items = items,
                                  .pairs = pairs,
                                  .contacts = set->now.contacts.count,
                                  .broad_seconds = broad,
                                  .narrow_seconds = narrow,
                                  .bytes = bytes_of(set)};
    for (int c = 0; c < set->chunks.count; c++) {
        out->asked += set->chunks.items[c].counts.asked;
        out->undecided += set->chunks.items[c].counts.undecided;
        out->left_out += set->chunks.items[c].left_out;
    }
}

carom_status carom_contact_set_update(carom_contact_set *set, int count, const carom_proxy *proxies,
                                      carom_contact_report *report, carom_error *error) {
    CRM_NEED(set, error);
    double start = crm_clock_seconds();
    carom_status status = crm_check_proxies(count, proxies, &set->scratch, error);
    if (status != CAROM_OK) return status;
    status = crm_broad_phase_update(set->broad, count, proxies, set->options.filter, set->options.filter_user,
                                    set->pool, error);
    if (status != CAROM_OK) return status;

    int item_count;
    int64_t pair_count;
    update u = {.set = set};
    u.items = crm_broad_phase_items(set->broad, &item_count);
    u.pairs = crm_broad_phase_pairs(set->broad, &pair_count);
    double middle = crm_clock_seconds();
    if (pair_count > INT_MAX)
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "%lld pairs of parts can touch, at most %d are handled",
                        (long long)pair_count, INT_MAX);
    if (!find_runs(set, u.items, item_count > count, (int)pair_count, u.pairs) ||
        !crm_pair_cache_resize(&set->next, &set->allocator, (crm_pair_cache_counts){pair_count, 0, 0, count}))
        return crm_fail_memory(error, "pairs of parts", (size_t)pair_count * sizeof(crm_pair_memory));
    u.pair_count = (int)pair_count;
    status = check_limits(&u, error);
    if (status != CAROM_OK) return status;
    for (int w = 0; w < set->options.threads; w++) set->workers[w].found.count = 0;
    atomic_store(&set->ended, false);

    crm_pool_for(set->pool, set->chunks.count, 1, find_contacts, &u);
    status = make_room(set, error);
    if (status != CAROM_OK) return status;
    crm_pool_for(set->pool, set->chunks.count, 1, put_together, &u);
    take_places(set, item_count, u.items);
    swap_in(set);
    if (report != NULL)
        report_on(set, count, item_count, pair_count, middle - start, crm_clock_seconds() - middle, report);
    return CAROM_OK;
}

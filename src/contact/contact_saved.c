// SPDX-License-Identifier: MIT
// Saving and reading what a contact set remembers.
//
// A head that tells what the bytes are, the six lists of the cache, and a hash over all of it. Of contacts what makes
// them the same ones again is written, and of pairs without a cache zeros for it; else all is as in memory. Meant for
// going on with a run on the same kind of machine: another byte order or layout is noticed and refused.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/hash.h"
#include "contact/contact_set.h"

enum { SAVED_VERSION = 2, LISTS = 6 };
static const char saved_mark[8] = "caromcs"; // contact set

typedef struct saved_head {
    char mark[8];
    uint32_t version;
    uint32_t order; // 0x01020304: the byte order
    uint32_t sizes[LISTS];
    int32_t counts[LISTS];
    int32_t measure, all, continuous;
    int32_t unused; // 0
    double duration;
    uint64_t hash; // of everything, with a 0 in its place
} saved_head;

// No pointers and no padding.
typedef struct saved_contact {
    int32_t part_a, part_b, kind, feature_a, feature_b;
    int32_t unused; // 0
    carom_vec3 normal, tangent, point_a, point_b;
    double gap; // resting proxies have their contacts from here
    double impulse[3];
} saved_contact;

static saved_head head_of(const carom_contact_set *set) {
    const crm_pair_cache *now = &set->now;
    saved_head head = {
        .version = SAVED_VERSION,
        .order = 0x01020304u,
        .sizes = {sizeof *now->keys.items, sizeof *now->memory.items, sizeof *now->meetings.items,
                  sizeof(saved_contact), sizeof *now->places.items, sizeof *now->caches.items},
        .counts = {now->keys.count, now->memory.count, now->meetings.count, now->contacts.count, now->places.count,
                   now->caches.count},
        .measure = (int32_t)set->options.measure,
        .all = set->options.all_contacts,
        .continuous = set->options.continuous,
        .duration = set->options.duration,
    };
    memcpy(head.mark, saved_mark, sizeof head.mark);
    return head;
}

static size_t bytes_after_head(const saved_head *head) {
    size_t bytes = 0;
    for (int k = 0; k < LISTS; k++) bytes += head->sizes[k] * (size_t)head->counts[k];
    return bytes;
}

size_t carom_contact_set_size(const carom_contact_set *set) {
    saved_head head = head_of(set);
    return sizeof head + bytes_after_head(&head);
}

// ---- writing

static unsigned char *put(unsigned char *to, const void *items, size_t size) {
    if (size > 0) memcpy(to, items, size);
    return to + size;
}

static void put_caches(unsigned char *to, int count, const crm_pair_memory *memory,
                       const carom_distance_cache *caches) {
    const carom_distance_cache none = {0};
    for (int i = 0; i < count; i++) to = put(to, memory[i].has_cache ? &caches[i] : &none, sizeof none);
}

static unsigned char *put_contacts(unsigned char *to, int count, const carom_contact *contacts) {
    for (int i = 0; i < count; i++) {
        const carom_contact *c = &contacts[i];
        saved_contact one = {c->part_a, c->part_b,  (int32_t)c->kind, c->feature_a, c->feature_b, 0,
                             c->normal, c->tangent, c->point_a,       c->point_b,   c->gap,       {0}};
        memcpy(one.impulse, c->impulse, sizeof one.impulse);
        to = put(to, &one, sizeof one);
    }
    return to;
}

void carom_contact_set_save(const carom_contact_set *set, void *bytes) {
    saved_head head = head_of(set);
    const crm_pair_cache *now = &set->now;
    unsigned char *to = (unsigned char *)bytes + sizeof head;
    to = put(to, now->keys.items, head.sizes[0] * (size_t)head.counts[0]);
    to = put(to, now->memory.items, head.sizes[1] * (size_t)head.counts[1]);
    to = put(to, now->meetings.items, head.sizes[2] * (size_t)head.counts[2]);
    to = put_contacts(to, now->contacts.count, now->contacts.items);
    to = put(to, now->places.items, head.sizes[4] * (size_t)head.counts[4]);
    put_caches(to, now->memory.count, now->memory.items, now->caches.items);
    uint64_t hash = crm_hash(0, &head, sizeof head);
    head.hash = crm_hash(hash, (unsigned char *)bytes + sizeof head, bytes_after_head(&head));
    memcpy(bytes, &head, sizeof head);
}

// ---- reading

static bool have_same_options(const saved_head *a, const saved_head *b) {
    return a->measure == b->measure && a->all == b->all && a->continuous == b->continuous &&
           memcmp(&a->duration, &b->duration, sizeof a->duration) == 0;
}

static bool has_right_hash(const saved_head *head, const unsigned char *bytes, size_t size) {
    saved_head blank = *head;
    blank.hash = 0;
    return crm_hash(crm_hash(0, &blank, sizeof blank), bytes + sizeof *head, size - sizeof *head) == head->hash;
}

static carom_status check_head(const carom_contact_set *set, const saved_head *head, size_t size, bool any_duration,
                               carom_error *error) {
    saved_head own = head_of(set);
    if (any_duration && head->duration >= 0.0 && isfinite(head->duration)) own.duration = head->duration;
    if (memcmp(head->mark, saved_mark, sizeof head->mark) != 0)
        return crm_refuse(error, "saved contacts: the bytes are no saved contact set");
    if (head->order != own.order || head->version != own.version ||
        memcmp(head->sizes, own.sizes, sizeof own.sizes) != 0)
        return crm_refuse(
            error,
            "saved contacts: version %u of another machine or build, this one reads version %u of its own; "
            "start without them",
            (unsigned)head->version, (unsigned)own.version);
    for (int k = 0; k < LISTS; k++)
        if (head->counts[k] < 0)
            return crm_refuse(error, "saved contacts: a count is %d, the bytes are damaged", (int)head->counts[k]);
    if (head->counts[0] != head->counts[1] || head->counts[0] != head->counts[5] ||
        size != sizeof *head + bytes_after_head(head))
        return crm_refuse(error, "saved contacts: %zu bytes are given, %zu are needed; cut off?", size,
                          sizeof *head + bytes_after_head(head));
    if (!have_same_options(head, &own))
        return crm_refuse(error,
                          "saved contacts: they were made with other options (measure, all, continuous or duration)");
    return CAROM_OK;
}

// A hash guards against accidents only, so what a hostile file could say is looked at number by number.

// Lengths of unit vectors are right to rounding.
static bool is_unit(double length_squared) {
    return fabs(length_squared - 1.0) <= 1e-6;
}

static bool place_fits(const crm_place *place) {
    carom_quat q = place->pose.attitude;
    return place->id >= 0 && crm_vec3_finite(place->pose.position) &&
           is_unit(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
}

static bool pair_fits(const crm_pair_key *key, const crm_pair_memory *memory, const carom_distance_cache *cache) {
    if (key->id_a < 0 || key->id_b <= key->id_a || key->part_a < 0 || key->part_b < 0) return false;
    if (!crm_vec3_finite(memory->apart) || (memory->has_cache != 0 && memory->has_cache != 1)) return false;
    // Vertices are held against the shapes when the cache is used: a wrong one costs time only.
    return !memory->has_cache || (cache->ray_count >= 0 && cache->ray_count <= 3 && cache->gap_count >= 0 &&
                                  cache->gap_count <= 3 && cache->parts[0] >= 0 && cache->parts[1] >= 0 &&
                                  crm_vec3_finite(cache->ray_normal) && crm_vec3_finite(cache->gap_normal));
}

static bool contact_fits(const crm_meeting *of, const carom_contact *c, const crm_contact_check *check) {
    bool good = c->part_a >= 0 && c->part_b >= 0 && (int)c->kind >= 0 && c->kind <= CAROM_CONTACT_KIND_CONTINUOUS &&
                c->feature_a >= 0 && c->feature_b >= 0 && is_unit(crm_length_squared(c->normal)) &&
                is_unit(crm_length_squared(c->tangent)) && crm_vec3_finite(c->point_a) && crm_vec3_finite(c->point_b) &&
                isfinite(c->gap);
    for (int i = 0; i < 3; i++) good &= (bool)isfinite(c->impulse[i]);
    return good && (check == NULL || check->fits(check->user, of->id_a, of->id_b, c));
}

static bool items_fit(const crm_pair_cache *cache, const crm_contact_check *check) {
    if (check != NULL && check->listed >= 0 && check->listed != cache->contacts.count) return false;
    for (int i = 0; i < cache->places.count; i++)
        if (!place_fits(&cache->places.items[i])) return false;
    for (int i = 0; i < cache->keys.count; i++)
        if (!pair_fits(&cache->keys.items[i], &cache->memory.items[i], &cache->caches.items[i])) return false;
    for (int i = 0; i < cache->meetings.count; i++) {
        const crm_meeting *meeting = &cache->meetings.items[i];
        for (int k = 0; k < meeting->count; k++)
            if (!contact_fits(meeting, &cache->contacts.items[meeting->first + k], check)) return false;
    }
    return true;
}

// Whether the lists fit together: keys and places ascend, and meetings, of proxies that have places, share out the
// contacts. What reads them relies on that.
static bool fits_together(const crm_pair_cache *cache) {
    for (int i = 1; i < cache->places.count; i++)
        if (cache->places.items[i - 1].id >= cache->places.items[i].id) return false;
    for (int i = 1; i < cache->keys.count; i++)
        if (crm_compare_keys(&cache->keys.items[i - 1], &cache->keys.items[i]) >= 0) return false;
    int64_t contacts = 0;
    for (int i = 0; i < cache->meetings.count; i++) {
        const crm_meeting *m = &cache->meetings.items[i], *before = i > 0 ? m - 1 : m;
        bool ascends = i == 0 || before->id_a < m->id_a || (before->id_a == m->id_a && before->id_b < m->id_b);
        if (!ascends || m->id_a < 0 || m->id_b <= m->id_a || m->first != contacts || m->count < 1) return false;
        if (!crm_has_place(cache, m->id_a) || !crm_has_place(cache, m->id_b)) return false;
        contacts += m->count;
    }
    return contacts == cache->contacts.count;
}

// What has been read or copied into `next` is what is remembered from now on.
static void take_next(carom_contact_set *set) {
    crm_pair_cache_swap(&set->now, &set->next);
    set->listed = false;
}

static const unsigned char *get(void *items, const unsigned char *from, size_t size) {
    if (size > 0) memcpy(items, from, size);
    return from + size;
}

static const unsigned char *get_contacts(int count, carom_contact *contacts, const unsigned char *from) {
    for (int i = 0; i < count; i++) {
        saved_contact one;
        from = get(&one, from, sizeof one);
        contacts[i] = (carom_contact){.part_a = one.part_a,
                                      .part_b = one.part_b,
                                      .kind = (carom_contact_kind)one.kind,
                                      .feature_a = one.feature_a,
                                      .feature_b = one.feature_b,
                                      .normal = one.normal,
                                      .tangent = one.tangent,
                                      .point_a = one.point_a,
                                      .point_b = one.point_b,
                                      .gap = one.gap};
        memcpy(contacts[i].impulse, one.impulse, sizeof one.impulse);
    }
    return from;
}

carom_status carom_contact_set_load(carom_contact_set *set, const void *bytes, size_t size, carom_error *error) {
    CRM_NEED(set, error);
    return crm_contact_set_load(set, bytes, size, NULL, error);
}

carom_status crm_contact_set_load(carom_contact_set *set, const void *bytes, size_t size,
                                  const crm_contact_check *check, carom_error *error) {
    saved_head head;
    if (bytes == NULL || size < sizeof head)
        return crm_refuse(error, "saved contacts: %zu bytes are given, at least %zu are needed", size, sizeof head);
    memcpy(&head, bytes, sizeof head);
    carom_status status = check_head(set, &head, size, check != NULL, error);
    if (status != CAROM_OK) return status;
    if (check == NULL && !has_right_hash(&head, bytes, size))
        return crm_refuse(error, "saved contacts: the bytes are damaged, their hash is wrong");

    crm_pair_cache *next = &set->next;
    crm_pair_cache_counts counts = {head.counts[0], head.counts[2], head.counts[3], head.counts[4]};
    if (!crm_pair_cache_resize(next, &set->allocator, counts)) return crm_fail_memory(error, "saved contacts", size);
    const unsigned char *from = (const unsigned char *)bytes + sizeof head;
    from = get(next->keys.items, from, head.sizes[0] * (size_t)head.counts[0]);
    from = get(next->memory.items, from, head.sizes[1] * (size_t)head.counts[1]);
    from = get(next->meetings.items, from, head.sizes[2] * (size_t)head.counts[2]);
    from = get_contacts(next->contacts.count, next->contacts.items, from);
    from = get(next->places.items, from, head.sizes[4] * (size_t)head.counts[4]);
    get(next->caches.items, from, head.sizes[5] * (size_t)head.counts[5]);
    if (!fits_together(next)) return crm_refuse(error, "saved contacts: pairs and contacts do not fit together");
    if (!items_fit(next, check))
        return crm_refuse(error, "saved contacts: the bytes are damaged, a number in them is out of range");
    take_next(set);
    set->options.duration = head.duration;
    return CAROM_OK;
}

carom_status carom_contact_set_copy(const carom_contact_set *from, carom_contact_set *to, carom_error *error) {
    CRM_NEED(from, error);
    CRM_NEED(to, error);
    saved_head a = head_of(from), b = head_of(to);
    if (!have_same_options(&a, &b))
        return crm_refuse(error, "the two contact sets have different options (measure, all, continuous or duration)");
    if (from == to) return CAROM_OK;
    if (!crm_pair_cache_copy(&from->now, &to->allocator, &to->next))
        return crm_fail_memory(error, "a copy of contacts", carom_contact_set_size(from));
    take_next(to);
    return CAROM_OK;
}

// SPDX-License-Identifier: MIT
// A state as a whole: its hash, its bytes, and copies of it.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/hash.h"
#include "contact/contact_set.h"
#include "model/proxies.h"
#include "model/saved/saved_check.h"
#include "model/saved/saved_switches.h"

// Arrays that have the same size in every state of one model and method with the same joints closed.
enum { START_CENTRES = 1, OWN_ARRAYS = 4 };

static crm_kept array_of(const carom_state *state, int i) {
    int bodies = state->model->bodies.count, joints = state->model->joints.count;
    const crm_kept own[OWN_ARRAYS] = {
        {"motions", state->motions, bodies, sizeof *state->motions, crm_motion_fits, .of_contacts = false},
        [START_CENTRES] = {"centres", state->start_centre, bodies, sizeof *state->start_centre, crm_numbers_fit,
                           .of_contacts = false},
        {"joints", state->configs, joints, sizeof *state->configs, crm_numbers_fit, .of_contacts = false},
        // Of joints first the mean, then that at the end.
        {"reactions", state->reaction, joints, 2 * sizeof *state->reaction, crm_numbers_fit, .of_contacts = false}};
    return i < OWN_ARRAYS ? own[i] : state->kept[i - OWN_ARRAYS];
}

static int array_count(const carom_state *state) {
    return OWN_ARRAYS + state->kept_count;
}

// The numbers and words of a contact, without what the compiler leaves between them.
static uint64_t hash_contact(uint64_t hash, const carom_contact *c) {
    const int32_t words[] = {c->a, c->b, c->part_a, c->part_b, (int32_t)c->kind, c->feature_a, c->feature_b, c->fresh};
    const carom_vec3 vectors[] = {c->normal, c->point_a, c->point_b, c->tangent};
    hash = crm_hash(crm_hash(hash, words, sizeof words), &c->gap, sizeof c->gap);
    return crm_hash(crm_hash(hash, vectors, sizeof vectors), c->impulse, sizeof c->impulse);
}

// Whether the number of steps does not tell the time.
static bool has_varied(const carom_state *state) {
    return state->clock.since_count > 0 || state->clock.step != state->method.step;
}

uint64_t carom_state_hash(const carom_state *state) {
    uint64_t hash = crm_hash(0, &state->step_count, sizeof state->step_count);
    hash = crm_hash(hash, &state->method.step, sizeof state->method.step);
    if (has_varied(state)) hash = crm_hash(hash, &state->clock, sizeof state->clock);
    if (state->plan.count > 0)
        hash = crm_hash(hash, state->plan.piece, (size_t)state->plan.count * sizeof *state->plan.piece);
    hash = crm_saved_switches_hash(hash, state);
    for (int i = 0; i < array_count(state); i++) {
        crm_kept array = array_of(state, i);
        bool unknown = array.of_contacts && !state->contacts_known;
        size_t bytes = crm_kept_bytes(&array);
        if (i == START_CENTRES || (bytes == 0 && i > 0) || unknown || array.of_certificates) continue;
        hash = crm_hash(hash, array.start, bytes);
    }
    if (!state->contacts_known) return hash;
    for (int i = 0; i < state->contact_list.count; i++) hash = hash_contact(hash, &state->contact_list.items[i]);
    return hash;
}

// How a saved state begins. The values of settings, which joints are closed where they switch, motions, centres,
// configurations of joints, reactions, what the method keeps, the list of contacts and what the contact set remembers
// follow; `digest` is of all that, and tells damage.
typedef struct saved_header {
    char mark[8];
    int32_t format;
    int32_t method;
    int32_t body_count;
    int32_t setting_count;
    double step;
    uint64_t plan; // of steps that vary: crm_step_plan_hash
    int64_t step_count;
    crm_step_clock clock;
    int64_t contact_count; // -1: the list is not known
    int64_t table_count;
    uint64_t set_bytes;
    uint64_t fingerprint;
    uint64_t digest;
} saved_header;

enum { SAVED_FORMAT = 7 };
static const char saved_mark[8] = "caromst";

static size_t settings_size(const carom_state *state) {
    return (size_t)state->setting_count * sizeof state->settings[0].value;
}

// Of what has the same size in every state of this model and method with the same joints closed.
static size_t plain_size(const carom_state *state) {
    size_t size = settings_size(state) + crm_saved_switches_size(state);
    for (int i = 0; i < array_count(state); i++) {
        crm_kept array = array_of(state, i);
        size += crm_kept_bytes(&array);
    }
    return size;
}

static size_t set_size(const carom_state *state) {
    return state->contact_set != NULL ? carom_contact_set_size(state->contact_set) : 0;
}

static size_t table_size(const carom_state *state) {
    return (size_t)state->contact_table.count * sizeof *state->contact_table.items;
}

size_t carom_state_size(const carom_state *state) {
    size_t contacts = state->contacts_known ? (size_t)state->contact_list.count : 0;
    return sizeof(saved_header) + plain_size(state) + contacts * sizeof(carom_contact) + table_size(state) +
           set_size(state);
}

static unsigned char *put(unsigned char *to, const void *from, size_t size) {
    if (size > 0) memcpy(to, from, size);
    return to + size;
}

static const unsigned char *get(const unsigned char *from, void *to, size_t size) {
    if (size > 0) memcpy(to, from, size);
    return from + size;
}

// All bytes set, those between the members too.
static unsigned char *put_contact(unsigned char *to, const carom_contact *c) {
    carom_contact clean;
    memset(&clean, 0, sizeof clean);
    clean.a = c->a, clean.b = c->b, clean.part_a = c->part_a, clean.part_b = c->part_b, clean.kind = c->kind;
    clean.feature_a = c->feature_a, clean.feature_b = c->feature_b, clean.fresh = c->fresh;
    clean.gap = c->gap, clean.normal = c->normal, clean.point_a = c->point_a, clean.point_b = c->point_b;
    clean.tangent = c->tangent;
    memcpy(clean.impulse, c->impulse, sizeof clean.impulse);
    return put(to, &clean, sizeof clean);
}

// Of everything but the digest itself.
static uint64_t digest_of(saved_header header, const void *rest, size_t size) {
    header.digest = 0;
    return crm_hash(crm_hash(0, &header, sizeof header), rest, size);
}

void carom_state_save(const carom_state *state, void *bytes) {
    saved_header header = {.format = SAVED_FORMAT,
                           .method = (int32_t)state->method.method,
                           .body_count = state->model->bodies.count,
                           .setting_count = state->setting_count,
                           .step = state->method.step,
                           .plan = crm_step_plan_hash(&state->plan),
                           .step_count = state->step_count,
                           .clock = state->clock,
                           .contact_count = state->contacts_known ? state->contact_list.count : -1,
                           .table_count = state->contact_table.count,
                           .set_bytes = set_size(state),
                           .fingerprint = crm_model_fingerprint(state->whole)};
    memcpy(header.mark, saved_mark, sizeof header.mark);
    unsigned char *start = (unsigned char *)bytes + sizeof header, *to = start;
    for (int i = 0; i < state->setting_count; i++) to = put(to, &state->settings[i].value, sizeof(double));
    to = crm_saved_switches_put(state, to);
    for (int i = 0; i < array_count(state); i++) {
        crm_kept array = array_of(state, i);
        to = put(to, array.start, crm_kept_bytes(&array));
    }
    for (int64_t i = 0; i < header.contact_count; i++) to = put_contact(to, &state->contact_list.items[i]);
    to = put(to, state->contact_table.items, table_size(state));
    if (state->contact_set != NULL) carom_contact_set_save(state->contact_set, to);
    header.digest = digest_of(header, start, carom_state_size(state) - sizeof header);
    memcpy(bytes, &header, sizeof header);
}

// A value in words: "0.1", "rk4", "true".
static const char *value_text(const carom_setting *setting, double value, char out[32]) {
    bool is_word = setting->type == CAROM_SETTING_WORD && value >= 0.0 && value < setting->word_count;
    if (setting->type == CAROM_SETTING_TRUTH) return value != 0.0 ? "true" : "false";
    if (is_word) return setting->word((int)value);
    snprintf(out, 32, "%.12g", value);
    return out;
}

static carom_status check_settings(const carom_state *state, const unsigned char *values, carom_error *error) {
    for (int i = 0; i < state->setting_count; i++) {
        const carom_setting *setting = state->settings[i].setting;
        double then, now = state->settings[i].value;
        memcpy(&then, values + (size_t)i * sizeof then, sizeof then);
        if (then == now) continue;
        char text_then[32], text_now[32];
        return crm_refuse(
            error, "saved state: it was made with method.%s%s%s %s, this state has %s, which may change later bits",
            setting->group, setting->group[0] != '\0' ? "." : "", setting->key, value_text(setting, then, text_then),
            value_text(setting, now, text_now));
    }
    return CAROM_OK;
}

// Takes `count` items off what is left; none for -1, which says that a list is not known.
static bool take_off(size_t *rest, int64_t count, size_t item_size) {
    if (count < -1 || count > INT32_MAX) return false;
    size_t items = count > 0 ? (size_t)count : 0;
    if (item_size > 0 && items > *rest / item_size) return false;
    *rest -= items * item_size;
    return true;
}

static carom_status check_size(const carom_state *state, const saved_header *header, size_t size, carom_error *error) {
    size_t rest = size - sizeof *header, plain = plain_size(state);
    // What is left over is asked for, never what sums come to: a sum of a file's numbers can wrap round.
    bool whole = take_off(&rest, 1, plain) && take_off(&rest, header->contact_count, sizeof(carom_contact)) &&
                 take_off(&rest, header->table_count, sizeof(carom_contact_state)) && rest == header->set_bytes;
    // Methods without a set have a table all the same: it is saved, and made anew by the next step.
    bool with_contacts = header->contact_count > 0 || header->set_bytes > 0;
    if (whole && (!with_contacts || state->contact_set != NULL)) return CAROM_OK;
    return crm_refuse(error, "saved state: it is cut off, or bytes were added: it has %zu", size);
}

static carom_status check_header(const carom_state *state, const saved_header *header, size_t size,
                                 carom_error *error) {
    if (size < sizeof *header || memcmp(header->mark, saved_mark, sizeof header->mark) != 0)
        return crm_refuse(error, "saved state: these %zu bytes are no saved state of carom", size);
    if (header->format != SAVED_FORMAT)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "saved state: its format is %d, this carom reads %d",
                        header->format, SAVED_FORMAT);
    if (header->body_count != state->model->bodies.count || header->fingerprint != crm_model_fingerprint(state->whole))
        return crm_refuse(error, "saved state: it belongs to another model (%d bodies, here %d)", header->body_count,
                          state->model->bodies.count);
    if (header->method != (int32_t)state->method.method || header->setting_count != state->setting_count ||
        header->step != state->method.step)
        return crm_refuse(error, "saved state: it was made by %s with step %g s, this state is %s with step %g s",
                          carom_method_name((carom_method)header->method), header->step,
                          carom_method_name(state->method.method), state->method.step);
    if (header->plan != crm_step_plan_hash(&state->plan))
        return crm_refuse(error, "saved state: it was made with other method.steps than this state has");
    if (!crm_clock_fits(&state->plan, &header->clock, header->step_count))
        return crm_refuse(error, "saved state: its contents are damaged: its time cannot be");
    if (header->step_count < 0 || header->step_count > CRM_MOST_STEPS)
        return crm_refuse(error, "saved state: its contents are damaged: it has made %lld steps",
                          (long long)header->step_count);
    return CAROM_OK;
}

static carom_status check_arrays(const carom_state *state, const unsigned char *from, carom_error *error) {
    for (int i = 0; i < array_count(state); i++) {
        crm_kept array = array_of(state, i);
        int bad = 0;
        if (!crm_kept_fits(state, &array, from, &bad))
            return crm_refuse(error, "saved state: its contents are damaged: number %d of its %s cannot be", bad,
                              array.what);
        from += crm_kept_bytes(&array);
    }
    return CAROM_OK;
}

// The bodies of proxies, into scratch.
static int list_proxies(carom_state *state) {
    int count = 0;
    for (int b = 0; b < state->model->bodies.count; b++)
        if (crm_is_proxy(&state->model->bodies.items[b], state->nodes_touch)) state->groups[count++] = b;
    return count;
}

// The list is in the order of its proxies (carom_contact_set_list).
static bool list_fits(carom_state *state, const unsigned char *from, int64_t count) {
    int proxies = list_proxies(state), last_a = 0, last_b = 0;
    for (int64_t i = 0; i < count; i++, from += sizeof(carom_contact)) {
        carom_contact c;
        if (!crm_is_truth(from, offsetof(carom_contact, fresh))) return false;
        memcpy(&c, from, sizeof c);
        if (c.a < 0 || c.a >= proxies || c.b < 0 || c.b >= proxies) return false;
        if (c.a < last_a || (c.a == last_a && c.b < last_b)) return false;
        if (!crm_saved_contact_fits(state->model, state->groups[c.a], state->groups[c.b], &c)) return false;
        last_a = c.a, last_b = c.b;
    }
    return true;
}

static bool table_fits(const carom_state *state, const unsigned char *from, int64_t count) {
    for (int64_t i = 0; i < count; i++, from += sizeof(carom_contact_state)) {
        carom_contact_state row;
        memcpy(&row, from, sizeof row);
        if (!crm_saved_row_fits(state->model, &row)) return false;
    }
    return true;
}

static bool remembered_contact_fits(void *model, int32_t a, int32_t b, const carom_contact *contact) {
    return crm_saved_contact_fits(model, a, b, contact);
}

// Room for a list of the state's own, and for rows of its table. The list that there is moves with its memory.
static bool make_room(carom_state *state, int contacts, int rows) {
    const carom_allocator *allocator = &state->model->allocator;
    bool own = state->contact_list.items == state->loaded.items;
    bool room = CRM_ARRAY_RESERVE(allocator, &state->loaded, contacts);
    if (own) state->contact_list.items = state->loaded.items;
    return room && CRM_ARRAY_RESERVE(allocator, &state->contact_table, rows);
}

static void list_loaded(carom_state *state, const void *contacts, int count) {
    get(contacts, state->loaded.items, (size_t)count * sizeof(carom_contact));
    state->loaded.count = count;
    state->contact_list = (crm_contact_list){state->loaded.items, count};
}

static carom_status load_contacts(carom_state *state, const saved_header *header, const unsigned char *from,
                                  carom_error *error) {
    if (state->contact_set == NULL) return CAROM_OK;
    int count = header->contact_count > 0 ? (int)header->contact_count : 0;
    int rows = header->table_count > 0 ? (int)header->table_count : 0;
    if (!make_room(state, count, rows))
        return crm_fail_memory(error, "contacts", (size_t)count * sizeof(carom_contact));
    const unsigned char *table = from + (size_t)count * sizeof(carom_contact);
    const unsigned char *set = table + (size_t)rows * sizeof(carom_contact_state);
    if (!list_fits(state, from, count) || !table_fits(state, table, rows))
        return crm_refuse(error, "saved state: its contents are damaged: a contact is of bodies or parts that are not "
                                 "there, or not finite");
    crm_contact_check check = {remembered_contact_fits, (void *)(uintptr_t)state->model, header->contact_count};
    carom_status status = crm_contact_set_load(state->contact_set, set, header->set_bytes, &check, error);
    if (status != CAROM_OK) return status;
    list_loaded(state, from, count);
    state->contact_table.count = rows;
    get(table, state->contact_table.items, (size_t)rows * sizeof(carom_contact_state));
    return CAROM_OK;
}

// All but the settings and the joints that are closed.
static carom_status load_rest(carom_state *state, const saved_header *header, const unsigned char *rest, size_t size,
                              carom_error *error) {
    const unsigned char *arrays = rest + settings_size(state) + crm_saved_switches_size(state);
    carom_status status = check_size(state, header, size, error);
    if (status == CAROM_OK) status = check_arrays(state, arrays, error);
    if (status == CAROM_OK) status = load_contacts(state, header, rest + plain_size(state), error);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < array_count(state); i++) {
        crm_kept array = array_of(state, i);
        arrays = get(arrays, array.start, crm_kept_bytes(&array));
    }
    state->contacts_known = header->contact_count >= 0;
    state->step_count = header->step_count;
    state->clock = header->clock;
    state->collisions.count = 0;
    return CAROM_OK;
}

carom_status carom_state_load(carom_state *state, const void *bytes, size_t size, carom_error *error) {
    CRM_NEED(state, error);
    CRM_NEED(bytes, error);
    saved_header header = {.mark = ""};
    if (size >= sizeof header) memcpy(&header, bytes, sizeof header);
    carom_status status = check_header(state, &header, size, error);
    if (status != CAROM_OK) return status;
    const unsigned char *from = (const unsigned char *)bytes + sizeof header;
    size_t settings = settings_size(state);
    if (size - sizeof header >= settings) status = check_settings(state, from, error);
    // How long the rest is depends on the joints: these are believed once the digest is right.
    bool whole = size - sizeof header >= settings + crm_saved_switches_size(state);
    if (status == CAROM_OK && (!whole || state->switches == NULL)) status = check_size(state, &header, size, error);
    if (status != CAROM_OK) return status;
    if (digest_of(header, from, size - sizeof header) != header.digest)
        return crm_refuse(error, "saved state: its contents are damaged");
    crm_former *former;
    status = crm_saved_switches_take(state, from + settings, &former, error);
    if (status != CAROM_OK) return status;
    status = load_rest(state, &header, from, size, error);
    crm_saved_switches_end(state, former, status == CAROM_OK);
    return status;
}

static carom_status copy_contacts(const carom_state *from, carom_state *to, carom_error *error) {
    if (from->contact_set == NULL) return CAROM_OK;
    if (!make_room(to, from->contact_list.count, from->contact_table.count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", from->contact_list.count);
    crm_contact_set_last(to->contact_set, from->contact_set->options.duration);
    carom_status status = carom_contact_set_copy(from->contact_set, to->contact_set, error);
    if (status != CAROM_OK) return status;
    list_loaded(to, from->contact_list.items, from->contact_list.count);
    to->contacts_known = from->contacts_known;
    to->contact_table.count = from->contact_table.count;
    if (from->contact_table.count > 0) memcpy(to->contact_table.items, from->contact_table.items, table_size(from));
    return CAROM_OK;
}

// Those of one method, so that both have the same number of them; the step is one.
static bool same_settings(const carom_state *a, const carom_state *b) {
    for (int i = 0; i < a->setting_count; i++)
        if (a->settings[i].value != b->settings[i].value) return false;
    return true;
}

carom_status carom_state_copy(const carom_state *from, carom_state *to, carom_error *error) {
    CRM_NEED(from, error);
    CRM_NEED(to, error);
    if (from->whole != to->whole || from->method.method != to->method.method ||
        crm_step_plan_hash(&from->plan) != crm_step_plan_hash(&to->plan) || !same_settings(from, to))
        return crm_refuse(error, "copy state: both must be of the same model and method");
    crm_former *former;
    carom_status status = crm_saved_switches_follow(from, to, &former, error);
    if (status != CAROM_OK) return status;
    status = copy_contacts(from, to, error);
    crm_saved_switches_end(to, former, status == CAROM_OK);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < array_count(from); i++) {
        crm_kept array = array_of(from, i);
        put(array_of(to, i).start, array.start, crm_kept_bytes(&array));
    }
    to->step_count = from->step_count;
    to->clock = from->clock;
    to->collisions.count = 0;
    return CAROM_OK;
}

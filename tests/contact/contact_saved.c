// SPDX-License-Identifier: MIT
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "carom/contact.h"
#include "support/geometry/contact_world.h"
#include "support/harness/check.h"

static void store_something(carom_contact_set *set) {
    int count;
    const carom_contact *list = carom_contact_set_list(set, &count);
    double *impulses = calloc(3 * (size_t)count + 1, sizeof *impulses);
    for (int i = 0; i < 3 * count; i++) impulses[i] = 0.9 * list[i / 3].impulse[i % 3] + list[i / 3].gap + i % 3;
    carom_contact_set_store(set, impulses);
    free(impulses);
}

static void *saved_bytes(const carom_contact_set *set, size_t *size) {
    *size = carom_contact_set_size(set);
    void *bytes = malloc(*size);
    carom_contact_set_save(set, bytes);
    return bytes;
}

static void step(carom_contact_set *set, drifting_world *world, int number) {
    drift(world, number);
    update_contacts(set, world->count, world->proxies, NULL);
}

// Half of a run, saved, read by a new set, copied to another one: all three go on with the same bits.
TEST(saved_sets_go_on_bit_for_bit) {
    drifting_world world;
    make_drifting_world(101, 80, 2.5, &world);
    carom_contact_options other = carom_contact_options_default();
    other.threads = 3; // threads may differ
    carom_contact_set *set = contact_set_of(NULL), *read = contact_set_of(&other), *copy = contact_set_of(NULL);
    for (int i = 0; i < 25; i++) {
        step(set, &world, i);
        store_something(set);
    }
    step(read, &world, 3); // something else to forget
    size_t size;
    void *bytes = saved_bytes(set, &size);
    carom_error error = {0};
    CHECK_INT(carom_contact_set_load(read, bytes, size, &error), CAROM_OK);
    CHECK_INT(carom_contact_set_copy(set, copy, &error), CAROM_OK);
    int count, none;
    CHECK(carom_contact_set_list(read, &none) == NULL && none == 0);
    CHECK(carom_contact_set_find(read, 1, 4, &none) == NULL && none == 0);
    carom_contact_set_store(read, NULL); // nothing is listed, so nothing is read
    size_t again;
    void *same = saved_bytes(read, &again);
    CHECK(again == size && memcmp(bytes, same, size) == 0);

    int old = 0;
    for (int i = 25; i < 50; i++) {
        carom_contact_set *sets[3] = {set, read, copy};
        const carom_contact *list[3];
        int counts[3];
        for (int k = 0; k < 3; k++) {
            step(sets[k], &world, i);
            list[k] = carom_contact_set_list(sets[k], &counts[k]);
        }
        for (int k = 1; k < 3; k++) CHECK(same_contacts(counts[0], list[0], counts[k], list[k]));
        count = counts[0];
        for (int k = 0; k < count; k++) old += !list[0][k].fresh && list[0][k].impulse[1] != 0.0;
        for (int k = 0; k < 3; k++) store_something(sets[k]);
    }
    CHECK(old > 100); // impulses were taken over
    free(bytes);
    free(same);
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(read);
    carom_contact_set_destroy(copy);
    free_drifting_world(&world);
}

static void refuse(carom_contact_set *set, const void *bytes, size_t size, const char *part) {
    carom_error error = {0};
    CHECK_INT(carom_contact_set_load(set, bytes, size, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, part);
}

TEST(damaged_and_foreign_bytes_are_refused) {
    drifting_world world;
    make_drifting_world(102, 30, 2.5, &world);
    carom_contact_set *set = contact_set_of(NULL);
    step(set, &world, 0);
    size_t size;
    unsigned char *bytes = saved_bytes(set, &size);
    refuse(set, NULL, 0, "0 bytes are given");
    refuse(set, bytes, 20, "20 bytes are given");
    refuse(set, bytes, size - 1, "cut off?");
    // Whatever byte is changed.
    for (size_t i = 0; i < size; i += i < 200 ? 1 : 97) {
        bytes[i] ^= 0x10;
        refuse(set, bytes, size, "saved contacts");
        bytes[i] ^= 0x10;
    }
    bytes[0] ^= 1;
    refuse(set, bytes, size, "no saved contact set");
    bytes[0] ^= 1;
    bytes[8] ^= 1;
    refuse(set, bytes, size, "version 3");
    bytes[8] ^= 1;
    bytes[size - 1] ^= 1;
    refuse(set, bytes, size, "hash");
    bytes[size - 1] ^= 1;

    carom_contact_options options = carom_contact_options_default();
    options.measure = CAROM_MEASURE_GAP;
    carom_contact_set *other = contact_set_of(&options);
    refuse(other, bytes, size, "other options");
    CHECK_INT(carom_contact_set_copy(set, other, NULL), CAROM_ERR_BAD_INPUT);

    int count; // a failed read has changed nothing
    CHECK(carom_contact_set_list(set, &count) != NULL);
    CHECK_INT(carom_contact_set_load(set, bytes, size, NULL), CAROM_OK);
    CHECK_INT(carom_contact_set_copy(set, set, NULL), CAROM_OK);
    free(bytes);
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(other);
    free_drifting_world(&world);
}

// Bytes with a right hash whose lists contradict each other must not lead astray either.
TEST(lists_that_do_not_fit_together_are_refused) {
    drifting_world world;
    make_drifting_world(103, 14, 2.5, &world);
    carom_contact_set *set = contact_set_of(NULL);
    size_t size, head = carom_contact_set_size(set); // of a new set: nothing but the head, which ends in the hash
    step(set, &world, 0);
    unsigned char *bytes = saved_bytes(set, &size), *sound = malloc(size);
    memcpy(sound, bytes, size);
    int refused = 0;
    for (size_t i = head; i + 4 <= size; i += i < head + 4000 ? 4 : 52) {
        memcpy(bytes, sound, size);
        bytes[i] ^= 1;
        uint64_t hash = 0;
        memcpy(bytes + head - sizeof hash, &hash, sizeof hash);
        hash = crm_hash(crm_hash(0, bytes, head), bytes + head, size - head);
        memcpy(bytes + head - sizeof hash, &hash, sizeof hash);
        carom_error error = {0};
        if (carom_contact_set_load(set, bytes, size, &error) == CAROM_OK) {
            step(set, &world, 1); // another impulse or normal, perhaps, but sound lists
        } else {
            CHECK(strstr(error.text, "do not fit together") != NULL || strstr(error.text, "out of range") != NULL);
            refused++;
        }
    }
    CHECK(refused > 10);
    free(bytes);
    free(sound);
    carom_contact_set_destroy(set);
    free_drifting_world(&world);
}

TEST(a_new_set_can_be_saved) {
    carom_contact_set *set = contact_set_of(NULL);
    size_t size;
    void *bytes = saved_bytes(set, &size);
    CHECK_INT(carom_contact_set_load(set, bytes, size, NULL), CAROM_OK);
    free(bytes);
    carom_contact_set_destroy(set);
}

TEST_MAIN(CASE(saved_sets_go_on_bit_for_bit), CASE(damaged_and_foreign_bytes_are_refused),
          CASE(lists_that_do_not_fit_together_are_refused), CASE(a_new_set_can_be_saved))

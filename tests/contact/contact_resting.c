// SPDX-License-Identifier: MIT
// Proxies that rest keep the contacts that they have with each other, and lose nothing else.
#include <math.h>
#include <stdlib.h>

#include "carom/contact.h"
#include "support/geometry/contact_world.h"
#include "support/harness/check.h"

enum { BODIES = 80 };

static void store_something(carom_contact_set *set) {
    int count;
    const carom_contact *list = carom_contact_set_list(set, &count);
    double *impulses = calloc(3 * (size_t)count + 1, sizeof *impulses);
    for (int i = 0; i < 3 * count; i++) impulses[i] = 1.0 + list[i / 3].gap + i % 3;
    carom_contact_set_store(set, impulses);
    free(impulses);
}

static carom_contact *copy_of(const carom_contact_set *set, int *count) {
    const carom_contact *list = carom_contact_set_list(set, count);
    carom_contact *copy = calloc((size_t)*count + 1, sizeof *copy);
    for (int i = 0; i < *count; i++) copy[i] = list[i];
    return copy;
}

static bool rests(const drifting_world *world, const carom_contact *contact) {
    return world->proxies[contact->a].resting && world->proxies[contact->b].resting;
}

// Every other proxy rests from the tenth step on: contacts of two that rest stay what they were, all others are those
// of a set that knows of no rest.
static void check_run(int threads) {
    drifting_world world;
    make_drifting_world(7, BODIES, 2.0, &world);
    carom_contact_options options = carom_contact_options_default();
    options.threads = threads;
    carom_contact_set *set = contact_set_of(&options), *every = contact_set_of(NULL);
    carom_proxy *held = calloc(BODIES + 1, sizeof *held);
    int kept = 0, asked = 0;
    for (int i = 0; i < 10; i++) {
        drift(&world, i);
        update_contacts(set, world.count, world.proxies, NULL);
        store_something(set);
    }
    for (int p = 0; p < world.count; p++) held[p] = world.proxies[p];
    for (int i = 10; i < 14; i++) {
        int before, now, fresh;
        carom_contact *former = copy_of(set, &before);
        drift(&world, i);
        for (int p = 0; p < world.count; p++) {
            if (p % 3 == 0) continue;
            world.proxies[p] = held[p];
            world.proxies[p].view.pose.position.x += 1e-9 * (i - 9);
            world.proxies[p].resting = true;
        }
        update_contacts(set, world.count, world.proxies, NULL);
        for (int p = 0; p < world.count; p++) world.proxies[p].resting = false;
        update_contacts(every, world.count, world.proxies, NULL);
        for (int p = 0; p < world.count; p++) world.proxies[p].resting = p % 3 != 0;
        const carom_contact *list = carom_contact_set_list(set, &now), *all = carom_contact_set_list(every, &fresh);
        int f = 0, a = 0;
        for (int c = 0; c < now; c++) {
            if (rests(&world, &list[c])) {
                while (f < before && !rests(&world, &former[f])) f++;
                CHECK(f < before);
                if (f >= before) break;
                CHECK(list[c].a == former[f].a && list[c].b == former[f].b && list[c].gap == former[f].gap);
                CHECK(list[c].point_a.x == former[f].point_a.x && list[c].normal.z == former[f].normal.z);
                CHECK(list[c].impulse[1] == former[f].impulse[1] && !list[c].fresh);
                f++, kept++;
            } else {
                while (a < fresh && rests(&world, &all[a])) a++;
                CHECK(a < fresh);
                if (a >= fresh) break;
                CHECK(list[c].a == all[a].a && list[c].b == all[a].b && fabs(list[c].gap - all[a].gap) < 1e-9);
                a++, asked++;
            }
        }
        store_something(set);
        free(former);
    }
    CHECK(kept > 100 && asked > 100);
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(every);
    free_drifting_world(&world);
    free(held);
}

TEST(contacts_of_resting_proxies_stay_as_they_were) {
    check_run(1);
    check_run(3);
}

TEST(saved_sets_keep_what_rests) {
    drifting_world world;
    make_drifting_world(8, BODIES, 2.0, &world);
    carom_contact_set *set = contact_set_of(NULL), *read = contact_set_of(NULL);
    update_contacts(set, world.count, world.proxies, NULL);
    store_something(set);
    size_t size = carom_contact_set_size(set);
    void *bytes = malloc(size);
    carom_error error = {0};
    carom_contact_set_save(set, bytes);
    CHECK_INT(carom_contact_set_load(read, bytes, size, &error), CAROM_OK);
    drift(&world, 1);
    for (int p = 0; p < world.count; p++) world.proxies[p].resting = true;
    update_contacts(set, world.count, world.proxies, NULL);
    update_contacts(read, world.count, world.proxies, NULL);
    int count, same;
    const carom_contact *list = carom_contact_set_list(set, &count), *other = carom_contact_set_list(read, &same);
    CHECK(count > 20 && same_contacts(count, list, same, other));
    free(bytes);
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(read);
    free_drifting_world(&world);
}

TEST_MAIN(CASE(contacts_of_resting_proxies_stay_as_they_were), CASE(saved_sets_keep_what_rests))

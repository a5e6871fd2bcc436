// SPDX-License-Identifier: MIT
// Proxies, compounds and small worlds for tests of contact sets. Shapes are destroyed by the caller.
#ifndef TEST_SUPPORT_CONTACT_WORLD_H
#define TEST_SUPPORT_CONTACT_WORLD_H

#include "carom/contact.h"
#include "support/harness/sample.h"

// A compound of boxes: edges and centres.
typedef struct box_part {
    carom_vec3 size, centre;
} box_part;
carom_shape *compound_of_boxes(int count, const box_part *parts);

carom_proxy proxy_of(int32_t id, carom_view view, double margin);

carom_contact_set *contact_set_of(const carom_contact_options *options); // NULL: defaults; fails the test
// Updates, or fails the test.
void update_contacts(carom_contact_set *set, int count, const carom_proxy *proxies, carom_contact_report *report);

// A world of moving shapes of all kinds, two compounds among them, over a floor: its proxies drift and rotate, step by
// step, as a function of seed and step alone.
enum { WORLD_SHAPES = 8 };
typedef struct drifting_world {
    int count;
    carom_shape *shapes[WORLD_SHAPES], *floor;
    carom_proxy *proxies;
    carom_proxy *at_start;
} drifting_world;
void make_drifting_world(uint64_t seed, int count, double crowding, drifting_world *out);
void drift(drifting_world *world, int step);
void free_drifting_world(drifting_world *world);

// Bits of two lists.
bool same_contacts(int count_a, const carom_contact *a, int count_b, const carom_contact *b);

#endif

// SPDX-License-Identifier: MIT
// Large islands are cut into sections that several threads can work on at once.
#include <stdlib.h>

#include "solve/rigid/layout/rigid_layout.h"
#include "support/harness/check.h"
#include "support/problem/rigid_heap.h"

// Every batch is in one section, and every contact in a batch of its own section.
static void check_batches(const crm_rigid_layout *layout, const crm_rigid_share *share) {
    int batch = 0, contact = share->first_contact;
    for (int s = 0; s < share->sections; s++) {
        const crm_rigid_section *section = &layout->section[share->first_section + s];
        CHECK_INT(section->begin, batch);
        CHECK_INT(section->first_contact, contact);
        CHECK(section->contacts > 0 && section->end > section->begin);
        for (int n = 0; n < section->contacts; n++) {
            int at = layout->order[contact + n], in = layout->lane[at] / CRM_RIGID_LANES;
            CHECK(section->begin <= in && in < section->end);
            CHECK(n == 0 || layout->order[contact + n - 1] < at);
        }
        batch = section->end;
        contact += section->contacts;
    }
    CHECK_INT(batch, share->batches);
    CHECK_INT(contact, share->first_contact + share->contacts);
}

static void meet(int *met, int body, int section) {
    if (body < 0) return;
    int *last = &met[2 * body + section % 2];
    CHECK(*last < 0 || *last == section);
    *last = section;
}

// No body that can move has contacts in two sections of even number, nor in two of odd number.
static void check_bodies(const crm_rigid_problem *problem, const crm_rigid_layout *layout,
                         const crm_rigid_share *share) {
    int *met = malloc(sizeof *met * 2 * (size_t)problem->body_count);
    if (met == NULL) abort();
    for (int i = 0; i < 2 * problem->body_count; i++) met[i] = -1;
    for (int s = 0; s < share->sections; s++) {
        const crm_rigid_section *section = &layout->section[share->first_section + s];
        for (int n = 0; n < section->contacts; n++) {
            const crm_rigid_contact *contact =
                &problem->contacts[layout->contact[layout->order[section->first_contact + n]]];
            meet(met, contact->a, s);
            meet(met, contact->b, s);
        }
    }
    free(met);
}

// The most sections of an island.
static int check(rigid_heap *heap) {
    crm_arena arena;
    crm_rigid_layout layout;
    double *impulse = calloc((size_t)heap_rows(heap) + 1, sizeof *impulse);
    int most = 0;
    for (int k = 0; k < heap->problem.contact_count; k += 3) impulse[3 * k] = 1.0;
    crm_arena_init(&arena, NULL);
    CHECK(crm_rigid_lay_out(&heap->problem, impulse, &arena, &layout));
    for (int i = 0; i < layout.share_count; i++) {
        check_batches(&layout, &layout.share[i]);
        check_bodies(&heap->problem, &layout, &layout.share[i]);
        if (layout.share[i].sections > most) most = layout.share[i].sections;
    }
    crm_arena_free(&arena);
    free(impulse);
    heap_destroy(heap);
    return most;
}

TEST(small_islands_are_whole) {
    sampler s = {.seed = 41};
    CHECK_INT(check(heap_towers(&s, 300, 3, 0.4, 0.3)), 1);
    CHECK_INT(check(heap_wall(&s, 8, 8, 0.4, 0.3)), 1);
}

TEST(long_islands_have_many_sections) {
    sampler s = {.seed = 42};
    CHECK(check(heap_wall(&s, 60, 16, 0.4, 0.3)) >= 8);
    CHECK(check(heap_wall(&s, 50, 50, 0.4, 0.3)) >= 16); // a level is a section there
    CHECK(check(heap_random(&s, 1500, 6000, 60)) >= 8);
}

// A body that all others touch puts them all into three levels.
TEST(a_plate_under_all_is_not_cut_through) {
    sampler s = {.seed = 43};
    rigid_heap *heap = heap_create(6000);
    crm_vec6 still = crm_vec6_zero();
    carom_quat upright = {1.0, 0.0, 0.0, 0.0};
    carom_vec3 moments = {1.0, 1.0, 1.0}, up = {0.0, 0.0, 1.0};
    int plate = heap_add_body(heap, HEAP_FREE, 100.0, moments, upright, still);
    for (int i = 0; i < 1250; i++) {
        int box = heap_add_body(heap, HEAP_FREE, 1.0, moments, upright, still);
        for (int corner = 0; corner < 4; corner++)
            heap_add_contact(heap, plate, box, sample_vec3(&s, 1.0), sample_vec3(&s, 1.0), up, 0.5);
    }
    CHECK(check(heap) <= 3);
}

TEST_MAIN(CASE(small_islands_are_whole), CASE(long_islands_have_many_sections),
          CASE(a_plate_under_all_is_not_cut_through))

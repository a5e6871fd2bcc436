// SPDX-License-Identifier: MIT
#include "carom/contact.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "support/geometry/contact_world.h"
#include "support/geometry/convex_shapes.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

// ---- what is promised

// Every pair whose gap is at most the sum of the margins has a contact, found by asking all with all; and contacts are
// what they say.
TEST(no_pair_that_can_touch_is_missed) {
    for (int measure = 0; measure < CAROM_MEASURE_COUNT; measure++) {
        drifting_world world;
        make_drifting_world(91 + (uint64_t)measure, 60, 2.0, &world);
        carom_contact_options options = carom_contact_options_default();
        options.measure = (carom_contact_measure)measure;
        carom_contact_set *set = contact_set_of(&options);
        int touching = 0;
        for (int step = 0; step < 6; step++) {
            drift(&world, 10 * step);
            carom_contact_report report;
            update_contacts(set, world.count, world.proxies, &report);
            for (int i = 0; i < world.count; i++)
                for (int j = i + 1; j < world.count; j++) {
                    const carom_proxy *a = &world.proxies[i], *b = &world.proxies[j];
                    carom_gap_witness gap;
                    int count;
                    if (carom_gap_find(&a->view, &b->view, NULL, NULL, &gap, NULL) != CAROM_OK) continue;
                    carom_contact_set_find(set, a->id, b->id, &count);
                    if (gap.gap > a->margin + b->margin - 1e-12) continue;
                    touching++;
                    if (!CHECK(count > 0))
                        print_error("measure %d, proxies %d and %d, gap %g\n", measure, i, j, gap.gap);
                }
            int count;
            const carom_contact *list = carom_contact_set_list(set, &count);
            CHECK_INT(report.contacts, count);
            CHECK_INT(report.proxies, world.count);
            CHECK(report.bytes > 0 && report.items > world.count && report.asked <= report.pairs);
            for (int k = 0; k < count; k++) {
                const carom_contact *c = &list[k];
                carom_vec3 across = crm_sub(crm_sub(c->point_b, c->point_a), crm_scale(c->gap, c->normal));
                CHECK(crm_length(across) < 1e-9);
                CHECK_NEAR(crm_length(c->normal), 1.0, 1e-12);
                CHECK_NEAR(crm_dot(c->normal, c->tangent), 0.0, 1e-15);
                CHECK(world.proxies[c->a].id < world.proxies[c->b].id);
            }
        }
        CHECK(touching > 100);
        carom_contact_set_destroy(set);
        free_drifting_world(&world);
    }
}

TEST(find_gives_the_contacts_of_a_pair) {
    drifting_world world;
    make_drifting_world(92, 100, 2.0, &world);
    carom_contact_set *set = contact_set_of(NULL);
    int count, found = 0;
    CHECK(carom_contact_set_list(set, &count) == NULL && count == 0);
    CHECK(carom_contact_set_find(set, 1, 2, &count) == NULL && count == 0);
    update_contacts(set, world.count, world.proxies, NULL);
    const carom_contact *list = carom_contact_set_list(set, &count);
    for (int i = 0; i < world.count; i++)
        for (int j = i + 1; j < world.count; j++) {
            int one, other;
            const carom_contact *a = carom_contact_set_find(set, world.proxies[i].id, world.proxies[j].id, &one);
            CHECK(carom_contact_set_find(set, world.proxies[j].id, world.proxies[i].id, &other) == a && one == other);
            for (int k = 0; k < one; k++) CHECK(a[k].a == i && a[k].b == j);
            found += one;
        }
    CHECK_INT(found, count);
    CHECK(list != NULL && carom_contact_set_find(set, 1000000, 2, &count) == NULL && count == 0);
    update_contacts(set, 0, NULL, NULL); // all are gone
    CHECK(carom_contact_set_list(set, &count) == NULL && count == 0);
    CHECK(carom_contact_set_find(set, 1, 4, &count) == NULL);
    carom_contact_set_destroy(set);
    free_drifting_world(&world);
}

// Boxes that stand on an edge: their bounding boxes and balls meet, but they do not. The plane between them is
// remembered, until they have not met for a step.
TEST(what_is_remembered_of_a_pair_saves_asking) {
    carom_shape *box = box_of(1, 1, 1);
    carom_contact_set *set = contact_set_of(NULL);
    carom_proxy proxies[] = {proxy_of(0, place(box, 0, 0, 0), 0.01), proxy_of(1, place(box, 0.9, 0.9, 0.0), 0.01),
                             proxy_of(2, place(box, 5, 0, 0), 0.01)};
    for (int k = 0; k < 3; k++)
        proxies[k].view.pose.attitude = crm_quat_from_axis_angle(crm_vec3(0, 0, 1), 0.25 * 3.14159265358979323846);
    carom_contact_report report;
    for (int round = 0; round < 2; round++) {
        proxies[1].view.pose.position.x = 0.9;
        update_contacts(set, 3, proxies, &report);
        CHECK(report.pairs == 1 && report.asked == 1 && report.contacts == 0);
        update_contacts(set, 3, proxies, &report);
        CHECK(report.pairs == 1 && report.asked == 0 && report.contacts == 0);
        proxies[1].view.pose.position.x = 3.0;
        update_contacts(set, 3, proxies, &report);
        CHECK(report.pairs == 0 && report.asked == 0);
    }
    carom_contact_set_destroy(set);
    carom_shape_destroy(box);
}

// ---- what changes nothing

static void store_something(carom_contact_set *set) {
    int count;
    const carom_contact *list = carom_contact_set_list(set, &count);
    double *impulses = calloc(3 * (size_t)count + 1, sizeof *impulses);
    for (int i = 0; i < 3 * count; i++) impulses[i] = list[i / 3].gap + 0.5 * list[i / 3].impulse[i % 3] + i % 3;
    carom_contact_set_store(set, impulses);
    free(impulses);
}

TEST(threads_and_the_order_of_proxies_change_no_bit) {
    const int threads[] = {1, 2, 3, 8, 1};
    drifting_world world;
    make_drifting_world(93, 150, 2.5, &world);
    carom_contact_set *sets[5];
    for (int k = 0; k < 5; k++) {
        carom_contact_options options = carom_contact_options_default();
        options.threads = threads[k];
        sets[k] = contact_set_of(&options);
    }
    carom_proxy *shuffled = calloc((size_t)world.count, sizeof *shuffled);
    for (int step = 0; step < 12; step++) {
        drift(&world, step);
        int count[5];
        const carom_contact *list[5];
        for (int i = 0; i < world.count; i++) shuffled[(7 * i + 3) % world.count] = world.proxies[i];
        for (int k = 0; k < 5; k++) {
            update_contacts(sets[k], world.count, k == 4 ? shuffled : world.proxies, NULL);
            list[k] = carom_contact_set_list(sets[k], &count[k]);
        }
        for (int k = 1; k < 4; k++) CHECK(same_contacts(count[0], list[0], count[k], list[k]));
        // Places differ in another order, nothing else does.
        carom_contact *posed = calloc((size_t)count[4] + 1, sizeof *posed);
        for (int i = 0; i < count[4]; i++) {
            posed[i] = list[4][i];
            posed[i].a = (shuffled[posed[i].a].id - 1) / 3;
            posed[i].b = (shuffled[posed[i].b].id - 1) / 3;
        }
        CHECK(count[0] > 50 && same_contacts(count[0], list[0], count[4], posed));
        free(posed);
        for (int k = 0; k < 5; k++) store_something(sets[k]);
    }
    for (int k = 0; k < 5; k++) carom_contact_set_destroy(sets[k]);
    free(shuffled);
    free_drifting_world(&world);
}

// The contact of `list` nearest to the wanted one, which has its two bodies exchanged when `swapped`.
static double distance_to_nearest(int count, const carom_contact *list, const carom_contact *wanted, bool rotated) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) {
        const carom_contact *c = &list[i];
        if (rotated ? (c->a != wanted->b || c->b != wanted->a) : (c->a != wanted->a || c->b != wanted->b)) continue;
        carom_vec3 normal = rotated ? crm_negate(c->normal) : c->normal;
        double off = crm_distance(rotated ? c->point_b : c->point_a, wanted->point_a) +
                     crm_distance(rotated ? c->point_a : c->point_b, wanted->point_b) +
                     crm_distance(normal, wanted->normal) + fabs(c->gap - wanted->gap);
        least = fmin(least, off);
    }
    return least;
}

// With ids in the opposite order A and B are exchanged everywhere: the same contacts as a set.
TEST(exchanged_ids_give_the_same_contacts) {
    drifting_world world;
    make_drifting_world(94, 120, 2.0, &world);
    carom_contact_set *set = contact_set_of(NULL), *rotated = contact_set_of(NULL);
    update_contacts(set, world.count, world.proxies, NULL);
    for (int i = 0; i < world.count; i++) world.proxies[i].id = 1000 - world.proxies[i].id;
    update_contacts(rotated, world.count, world.proxies, NULL);
    int count, swapped_count;
    const carom_contact *list = carom_contact_set_list(set, &count);
    const carom_contact *other = carom_contact_set_list(rotated, &swapped_count);
    CHECK_INT(count, swapped_count);
    double worst = 0.0;
    for (int i = 0; i < count; i++) worst = fmax(worst, distance_to_nearest(swapped_count, other, &list[i], true));
    CHECK_NEAR(worst, 0.0, 1e-12);
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(rotated);
    free_drifting_world(&world);
}

// Boxes of the broad phase stand along the axes of the world, and so meet or not in another frame; contacts do not.
TEST(rigid_motions_move_the_contacts) {
    drifting_world world;
    make_drifting_world(95, 120, 2.0, &world);
    sampler s = {.seed = 96};
    carom_quat rotation = sample_attitude(&s);
    carom_vec3 shift = sample_vec3(&s, 2.0);
    carom_contact_set *set = contact_set_of(NULL), *moved = contact_set_of(NULL);
    int compared = 0;
    for (int step = 0; step < 3; step++) {
        drift(&world, step);
        update_contacts(set, world.count, world.proxies, NULL);
        for (int i = 0; i < world.count; i++)
            world.proxies[i].view = moved_view(world.proxies[i].view, rotation, shift);
        update_contacts(moved, world.count, world.proxies, NULL);
        double worst = 0.0, worst_tangent = 0.0;
        for (int i = 0; i < world.count; i++)
            for (int j = i + 1; j < world.count; j++) {
                const carom_proxy *a = &world.proxies[i], *b = &world.proxies[j];
                int count, moved_count;
                const carom_contact *list = carom_contact_set_find(set, a->id, b->id, &count);
                const carom_contact *other = carom_contact_set_find(moved, a->id, b->id, &moved_count);
                if (!CHECK_INT(count, moved_count)) continue;
                for (int k = 0; k < count; k++) {
                    carom_contact wanted = list[k];
                    wanted.point_a = crm_add(shift, crm_quat_rotate(rotation, wanted.point_a));
                    wanted.point_b = crm_add(shift, crm_quat_rotate(rotation, wanted.point_b));
                    wanted.normal = crm_quat_rotate(rotation, wanted.normal);
                    carom_vec3 tangent = crm_quat_rotate(rotation, wanted.tangent);
                    worst = fmax(worst, distance_to_nearest(1, &other[k], &wanted, false));
                    worst_tangent = fmax(worst_tangent, crm_distance(tangent, other[k].tangent));
                    compared++;
                }
            }
        CHECK_NEAR(worst, 0.0, 1e-12);
        CHECK_NEAR(worst_tangent, 0.0, 1e-12);
    }
    CHECK(compared > 1000);
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(moved);
    free_drifting_world(&world);
}

// A stack of equal boxes: four corners each, symmetric; `all` has them too, and its rows are implied.
TEST(stack_has_the_corners_of_its_faces) {
    carom_shape *box = box_of(1, 1, 1), *wide = box_of(3, 3, 1);
    carom_proxy proxies[] = {proxy_of(0, place(wide, 0, 0, 0), 0), proxy_of(1, place(box, 0, 0, 1), 0.01),
                             proxy_of(2, place(box, 0.2, 0.1, 2), 0.01)};
    proxies[0].fixed = true;
    for (int all = 0; all < 2; all++) {
        carom_contact_options options = carom_contact_options_default();
        options.all_contacts = all;
        carom_contact_set *set = contact_set_of(&options);
        update_contacts(set, 3, proxies, NULL);
        int count;
        const carom_contact *list = carom_contact_set_find(set, 0, 1, &count);
        CHECK(all ? count >= 4 : count == 4);
        carom_vec3 sum = crm_vec3_zero();
        for (int i = 0; i < count; i++) sum = crm_add(sum, list[i].point_a);
        CHECK_NEAR(sum.x, 0.0, 1e-12);
        CHECK_NEAR(sum.y, 0.0, 1e-12);
        carom_contact_set_find(set, 1, 2, &count);
        CHECK(all ? count >= 4 : count == 4);
        carom_contact_set_destroy(set);
    }
    carom_shape_destroy(box);
    carom_shape_destroy(wide);
}

// ---- what goes wrong

static void refuse(carom_contact_set *set, int count, const carom_proxy *proxies, const char *part) {
    carom_error error = {0};
    CHECK_INT(carom_contact_set_update(set, count, proxies, NULL, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, part);
}

TEST(bad_input_is_refused_with_a_sentence) {
    carom_error error = {0};
    carom_contact_set *set;
    carom_contact_options options = carom_contact_options_default();
    options.threads = 0;
    CHECK_INT(carom_contact_set_create(&options, NULL, &set, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "threads is 0");
    options.threads = 1025;
    CHECK_INT(carom_contact_set_create(&options, NULL, &set, &error), CAROM_ERR_BAD_INPUT);
    options = carom_contact_options_default();
    options.duration = NAN;
    CHECK_INT(carom_contact_set_create(&options, NULL, &set, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "duration is nan");
    options = carom_contact_options_default();
    options.measure = CAROM_MEASURE_COUNT;
    CHECK_INT(carom_contact_set_create(&options, NULL, &set, &error), CAROM_ERR_BAD_INPUT);
    CHECK(set == NULL);

    set = contact_set_of(NULL);
    carom_shape *ball = sphere_of(0.5), *floor;
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    assert_int_equal(carom_shape_create(&def, NULL, &floor, NULL), CAROM_OK);
    carom_proxy good[3] = {proxy_of(4, place(ball, 0, 0, 0), 0.1), proxy_of(7, place(ball, 0.9, 0, 0), 0.1),
                           proxy_of(5, place(ball, 0, 3, 0), 0.1)};
    update_contacts(set, 3, good, NULL);
    carom_proxy bad[3];
#define WITH(change, part)             \
    do {                               \
        memcpy(bad, good, sizeof bad); \
        change;                        \
        refuse(set, 3, bad, part);     \
    } while (0)
    WITH(bad[1].id = -1, "proxy 1: id is -1");
    WITH(bad[2].id = 4, "proxies 0 and 2 have the same id 4");
    WITH(bad[1].view.pose.position.x = NAN, "proxy 1 (id 7)");
    WITH(bad[1].view.pose.attitude.w = 2.0, "proxy 1 (id 7): pose.attitude");
    WITH(bad[0].view.shape = NULL, "neither a shape nor vertices");
    WITH(bad[2].margin = -1e-9, "margin of proxy 2 (id 5) is -1e-09");
    WITH(bad[2].margin = INFINITY, "margin of proxy 2");
    WITH(bad[0].motion.spin.y = INFINITY, "motion of proxy 0 (id 4)");
    WITH(bad[0].motion.velocity.y = NAN, "motion of proxy 0 (id 4)");
    WITH((bad[0].view.shape = floor, bad[1].view.shape = floor, bad[0].fixed = true), "are both unbounded");
#undef WITH
    refuse(set, -1, good, "must not be negative");
    refuse(set, 2, NULL, "without an array");
    int count; // the set is as before
    CHECK(carom_contact_set_find(set, 4, 7, &count) != NULL && count == 1);
    CHECK_TEXT(carom_contact_kind_name(CAROM_CONTACT_KIND_EDGES), "edges");
    CHECK_TEXT(carom_contact_kind_name((carom_contact_kind)77), "?");
    carom_contact_set_destroy(set);
    carom_contact_set_destroy(NULL);
    carom_shape_destroy(ball);
    carom_shape_destroy(floor);
}

// Whatever allocation is refused, the update fails or does as it would, the set stays as it was, and goes on.
TEST(want_of_memory_leaves_the_set_as_it_was) {
    drifting_world world;
    make_drifting_world(97, 40, 2.5, &world);
    carom_contact_set *examine = contact_set_of(NULL);
    int wanted_count, before_count;
    update_contacts(examine, world.count / 2, world.proxies, NULL);
    const carom_contact *examined = carom_contact_set_list(examine, &before_count);
    carom_contact *before = calloc((size_t)before_count + 1, sizeof *before);
    memcpy(before, examined, (size_t)before_count * sizeof *before);
    update_contacts(examine, world.count, world.proxies, NULL);
    const carom_contact *wanted = carom_contact_set_list(examine, &wanted_count);

    bool done = false;
    for (long long refused = 1; !done && refused < 400; refused++) {
        probe_allocator probe = {.refused_call = refused};
        carom_allocator hook = probe_allocator_hook(&probe);
        carom_contact_set *set;
        carom_error error = {0};
        carom_status status = carom_contact_set_create(NULL, &hook, &set, &error);
        if (status != CAROM_OK) {
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            CHECK_INT(probe.live_blocks, 0);
            continue;
        }
        int count;
        status = carom_contact_set_update(set, world.count / 2, world.proxies, NULL, &error);
        if (status != CAROM_OK) {
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            CHECK(carom_contact_set_list(set, &count) == NULL && count == 0);
            update_contacts(set, world.count / 2, world.proxies, NULL);
        }
        status = carom_contact_set_update(set, world.count, world.proxies, NULL, &error);
        if (status != CAROM_OK) {
            CHECK_INT(status, CAROM_ERR_NO_MEMORY);
            const carom_contact *list = carom_contact_set_list(set, &count);
            CHECK(same_contacts(count, list, before_count, before));
            update_contacts(set, world.count, world.proxies, NULL);
        }
        const carom_contact *list = carom_contact_set_list(set, &count);
        CHECK(same_contacts(count, list, wanted_count, wanted));
        done = probe.calls < refused; // it was never refused
        carom_contact_set_destroy(set);
        CHECK_INT(probe.live_blocks, 0);
        CHECK_INT(probe.live_bytes, 0);
    }
    CHECK(done);
    free(before);
    carom_contact_set_destroy(examine);
    free_drifting_world(&world);
}

TEST(updates_of_a_warm_set_allocate_nothing) {
    drifting_world world;
    make_drifting_world(98, 80, 2.0, &world);
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_contact_set *set;
    assert_int_equal(carom_contact_set_create(NULL, &hook, &set, NULL), CAROM_OK);
    carom_contact_report report = {0};
    for (int round = 0; round < 3; round++)
        for (int step = 0; step < 20; step++) {
            long long calls = probe.calls;
            drift(&world, step);
            update_contacts(set, world.count, world.proxies, &report);
            if (round == 2) CHECK_INT(probe.calls - calls, 0);
        }
    CHECK(report.bytes <= (size_t)probe.live_bytes); // the allocator knows of every byte that is reported
    CHECK((double)report.bytes > 0.9 * (double)probe.live_bytes);
    carom_contact_set_destroy(set);
    free_drifting_world(&world);
}

// Groups, filter and fixed proxies.
static bool only_even_sums(void *user, int32_t a, int32_t b) {
    (void)user;
    return (a + b) % 2 == 0 && a < b;
}

TEST(filters_and_groups_decide_who_meets) {
    carom_shape *ball = sphere_of(0.5);
    carom_contact_options options = carom_contact_options_default();
    options.filter = only_even_sums;
    carom_contact_set *all = contact_set_of(NULL), *filtered = contact_set_of(&options);
    carom_proxy proxies[3];
    for (int i = 0; i < 3; i++) proxies[i] = proxy_of(i, place(ball, 0.1 * i, 0, 0), 0.0);
    int count;
    update_contacts(all, 3, proxies, NULL);
    update_contacts(filtered, 3, proxies, NULL);
    CHECK((carom_contact_set_list(all, &count), count == 3));
    CHECK((carom_contact_set_list(filtered, &count), count == 1));
    proxies[0].fixed = proxies[1].fixed = true;
    update_contacts(all, 3, proxies, NULL);
    CHECK((carom_contact_set_list(all, &count), count == 2));
    proxies[2].meets = 2;
    update_contacts(all, 3, proxies, NULL);
    CHECK((carom_contact_set_list(all, &count), count == 0));
    carom_contact_set_destroy(all);
    carom_contact_set_destroy(filtered);
    carom_shape_destroy(ball);
}

TEST_MAIN(CASE(no_pair_that_can_touch_is_missed), CASE(find_gives_the_contacts_of_a_pair),
          CASE(what_is_remembered_of_a_pair_saves_asking), CASE(threads_and_the_order_of_proxies_change_no_bit),
          CASE(exchanged_ids_give_the_same_contacts), CASE(rigid_motions_move_the_contacts),
          CASE(stack_has_the_corners_of_its_faces), CASE(bad_input_is_refused_with_a_sentence),
          CASE(want_of_memory_leaves_the_set_as_it_was), CASE(updates_of_a_warm_set_allocate_nothing),
          CASE(filters_and_groups_decide_who_meets))

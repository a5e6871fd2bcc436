// SPDX-License-Identifier: MIT
// What must not matter: which body is A, where the pair is, what is remembered, which pairs are asked about with it.
#include "contact/narrow_pair.h"

// Points and gaps are known to this share of sizes and places of some metres. Edges are crossed down to a sine of 1e-3,
// which is how much worse their crossing is known.
static const double place_error = 1e-12, crossing_error = 1e-9;

static bool same_place(const carom_contact *a, const carom_contact *b) {
    double limit =
        a->kind == CAROM_CONTACT_KIND_EDGES || a->kind == CAROM_CONTACT_KIND_NEAREST ? crossing_error : place_error;
    return a->part_a == b->part_a && fabs(a->gap - b->gap) <= place_error * 10.0 &&
           crm_distance(a->normal, b->normal) <= limit * 10.0 && crm_distance(a->point_a, b->point_a) <= limit * 10.0 &&
           crm_distance(a->point_b, b->point_b) <= limit * 10.0;
}

// Every contact of one list has its like in the other one, by its place.
static bool check_same(const found_contacts *a, const found_contacts *b) {
    if (!CHECK_INT(b->count, a->count)) return false;
    for (int i = 0; i < a->count; i++) {
        bool found = false;
        for (int k = 0; k < b->count && !found; k++) found = same_place(&a->at[i], &b->at[k]);
        if (!CHECK(found)) return false;
    }
    return true;
}

static void exchange(found_contacts *found) {
    for (int i = 0; i < found->count; i++) {
        carom_contact *c = &found->at[i];
        carom_vec3 point = c->point_a;
        c->point_a = c->point_b;
        c->point_b = point;
        c->normal = crm_negate(c->normal);
        if (c->kind == CAROM_CONTACT_KIND_CORNER_A)
            c->kind = CAROM_CONTACT_KIND_CORNER_B;
        else if (c->kind == CAROM_CONTACT_KIND_CORNER_B)
            c->kind = CAROM_CONTACT_KIND_CORNER_A;
    }
}

static void move(found_contacts *found, carom_quat rotation, carom_vec3 shift) {
    for (int i = 0; i < found->count; i++) {
        carom_contact *c = &found->at[i];
        c->normal = crm_quat_rotate(rotation, c->normal);
        c->point_a = crm_add(shift, crm_quat_rotate(rotation, c->point_a));
        c->point_b = crm_add(shift, crm_quat_rotate(rotation, c->point_b));
    }
}

// Calls `check` with pairs of every two kinds. One is enough to fail.
typedef bool check_pair(sampler *s, const moving_pair *pair, const crm_narrow_options *options);
static void check_pairs(uint64_t seed, int count, check_pair *check) {
    sampler s = {.seed = seed};
    for (int a = 0; a < BODY_KINDS; a++)
        for (int b = 0; b < BODY_KINDS; b++) {
            if (a >= BODY_HALF_SPACE && b >= BODY_HALF_SPACE) continue;
            for (int i = 0; i < count; i++) {
                moving_pair pair;
                const crm_narrow_options options = {.measure = (carom_contact_measure)(i % CAROM_MEASURE_COUNT)};
                bool near = make_moving_pair(&s, (body_kind)a, (body_kind)b, 0.02, i & 4, &pair);
                // Every other pair overlaps.
                if (i & 8) pair.b.view.pose.position = crm_scale(0.99, pair.b.view.pose.position);
                bool good = !near || check(&s, &pair, &options);
                free_moving_pair(&pair);
                if (good) continue;
                print_message("kinds %d and %d, number %d\n", a, b, i);
                return;
            }
        }
}

static bool is_the_same_exchanged(sampler *s, const moving_pair *pair, const crm_narrow_options *options) {
    (void)s;
    static found_contacts one, other;
    find_contacts_of(&pair->a, &pair->b, options, NULL, &one);
    find_contacts_of(&pair->b, &pair->a, options, NULL, &other);
    if (!check_contacts(&one, pair->a.margin + pair->b.margin, 8.0)) return false;
    exchange(&other);
    return check_same(&one, &other);
}

TEST(exchanged_bodies_have_the_same_contacts) {
    check_pairs(11, 24, is_the_same_exchanged);
}

static bool is_the_same_elsewhere(sampler *s, const moving_pair *pair, const crm_narrow_options *options) {
    static found_contacts here, there;
    carom_quat rotation = sample_attitude(s);
    carom_vec3 shift = sample_vec3(s, 5.0);
    moving_body a = pair->a, b = pair->b;
    a.view = moved_view(a.view, rotation, shift);
    b.view = moved_view(b.view, rotation, shift);
    find_contacts_of(&pair->a, &pair->b, options, NULL, &here);
    find_contacts_of(&a, &b, options, NULL, &there);
    move(&here, rotation, shift);
    return check_same(&here, &there);
}

TEST(moved_pairs_have_the_same_contacts) {
    check_pairs(12, 24, is_the_same_elsewhere);
}

// On its way through ten steps a pair finds with its memory what it finds without.
static bool is_the_same_remembered(sampler *s, const moving_pair *pair, const crm_narrow_options *options) {
    (void)s;
    static found_contacts with, without;
    pair_memory memory = {0};
    moving_body a = pair->a, b = pair->b;
    b.view.pose.position = crm_madd(b.view.pose.position, -5.0 * pair->duration, b.motion.velocity);
    for (int i = 0; i < 10; i++) {
        find_contacts_of(&a, &b, options, &memory, &with);
        find_contacts_of(&a, &b, options, NULL, &without);
        if (!check_same(&without, &with)) return false;
        b.view.pose.position = crm_madd(b.view.pose.position, pair->duration, b.motion.velocity);
        b.view.pose.attitude = crm_quat_step(b.view.pose.attitude, b.motion.spin, pair->duration);
    }
    return true;
}

TEST(what_is_remembered_does_not_change_the_contacts) {
    check_pairs(13, 24, is_the_same_remembered);
}

// What another pair, of any kinds, has left behind.
static pair_memory foreign;
static bool is_the_same_with_foreign_memory(sampler *s, const moving_pair *pair, const crm_narrow_options *options) {
    static found_contacts with, without;
    pair_memory memory = foreign;
    if (sample_between(s, 0.0, 1.0) < 0.5) memory.memory.apart = sample_unit(s);
    find_contacts_of(&pair->a, &pair->b, options, &memory, &with);
    find_contacts_of(&pair->a, &pair->b, options, NULL, &without);
    foreign = memory;
    return check_same(&without, &with);
}

TEST(the_memory_of_another_pair_does_no_harm) {
    foreign = (pair_memory){0};
    check_pairs(14, 24, is_the_same_with_foreign_memory);
}

// ---- what is left out at once

// A pair whose gap is at most the joint margin has a contact, one farther apart has none and remembers why.
static bool is_decided_by_the_gap(sampler *s, const moving_pair *pair, const crm_narrow_options *options) {
    static found_contacts found;
    carom_gap_witness gap;
    carom_error error;
    if (carom_gap_find(&pair->a.view, &pair->b.view, NULL, NULL, &gap, &error) != CAROM_OK) fail_msg("%s", error.text);
    if (gap.gap <= 1e-4 || options->measure == CAROM_MEASURE_RAY) return true;
    for (int i = 0; i < 20; i++) {
        // From clearly apart to barely within the margin, and back.
        double share = fabs(i - 10.0) / 10.0, less = share * 0.9 + 1e-6;
        moving_body a = pair->a, b = pair->b;
        pair_memory memory = {.memory.apart = i % 2 ? sample_unit(s) : gap.normal};
        a.margin = 0.3 * gap.gap * (1.0 - less);
        b.margin = 0.7 * gap.gap * (1.0 - less);
        for (int again = 0; again < 2; again++) {
            find_contacts_of(&a, &b, options, &memory, &found);
            if (!CHECK_INT(found.count, 0)) return false;
        }
        a.margin = 0.3 * gap.gap;
        b.margin = 0.7 * gap.gap;
        find_contacts_of(&a, &b, options, &memory, &found);
        if (!CHECK(found.count > 0)) return false;
    }
    return true;
}

TEST(pairs_within_their_margins_and_no_others_have_contacts) {
    check_pairs(15, 12, is_decided_by_the_gap);
}

// But for feature contacts, which have gaps along normals of their own, nothing is nearer than the nearest points.
static bool has_the_nearest_points(sampler *s, const moving_pair *pair, const crm_narrow_options *options) {
    (void)s, (void)options;
    static found_contacts found;
    carom_gap_witness gap;
    carom_error error;
    if (carom_gap_find(&pair->a.view, &pair->b.view, NULL, NULL, &gap, &error) != CAROM_OK) fail_msg("%s", error.text);
    find_contacts_of(&pair->a, &pair->b, &by_features, NULL, &found);
    bool features = false;
    for (int i = 0; i < found.count; i++) features = features || found.at[i].kind != CAROM_CONTACT_KIND_NEAREST;
    bool wall = !isfinite(pair->of_a.size) || !isfinite(pair->of_b.size);
    if (gap.gap > pair->a.margin + pair->b.margin || (features && !wall)) return true;
    return CHECK_NEAR(lowest_gap(&found), gap.gap, 1e-11);
}

TEST(the_nearest_points_are_among_the_contacts) {
    check_pairs(17, 24, has_the_nearest_points);
}

TEST(a_plane_between_two_bodies_saves_the_question) {
    carom_shape *box = box_of(1.0, 1.0, 1.0), *egg = ellipsoid_of(0.9, 0.5, 0.4);
    const carom_shape *const shapes[] = {box, egg};
    for (int i = 0; i < 2; i++) {
        // Their balls meet, they do not.
        moving_body a = {.view = place(shapes[i], 0.0, 0.0, 0.0), .margin = 0.01};
        moving_body b = {.view = place(shapes[i], 0.3, 0.2, 1.1), .margin = 0.01};
        pair_memory memory = {0};
        found_contacts found;
        find_contacts_of(&a, &b, &by_features, &memory, &found);
        CHECK_INT(found.counts.asked, 1);
        CHECK_INT(found.count, 0);
        for (int k = 0; k < 5; k++) {
            b.view.pose.position.x += 0.01;
            find_contacts_of(&a, &b, &by_features, &memory, &found);
            CHECK_INT(found.counts.asked, 0);
        }
        b.view.pose.position.z = i == 0 ? 1.01 : 0.75;
        find_contacts_of(&a, &b, &by_features, &memory, &found);
        CHECK_INT(found.counts.asked, 1);
        CHECK(found.count > 0);
        CHECK(crm_length(memory.memory.apart) == 0.0);
    }
    carom_shape_destroy(box);
    carom_shape_destroy(egg);
}

// ---- many at once

enum { MANY = 300 };

// The same bits whichever pairs are asked about together.
TEST(pairs_do_not_see_each_other) {
    sampler s = {.seed = 16};
    static moving_pair pairs[MANY];
    static carom_proxy proxies[2 * MANY];
    static crm_item items[2 * MANY];
    static crm_item_pair numbers[MANY];
    static crm_pair_memory memory[MANY];
    static carom_distance_cache caches[MANY];
    static int counts[MANY];
    for (int i = 0; i < MANY; i++) {
        // Mostly ellipsoids, which are measured in lanes.
        bool mixed = i % 7 == 0;
        body_kind kind_a = mixed ? (body_kind)(i % BODY_HALF_SPACE) : BODY_ELLIPSOID;
        body_kind kind_b = mixed ? (body_kind)(i / 7 % BODY_KINDS) : i % 5 ? BODY_ELLIPSOID : BODY_SPHERE;
        while (!make_moving_pair(&s, kind_a, kind_b, 0.02, false, &pairs[i])) free_moving_pair(&pairs[i]);
        if (i % 3 == 0) pairs[i].b.margin = pairs[i].a.margin = 0.0;
        const moving_body *of[2] = {&pairs[i].a, &pairs[i].b};
        for (int k = 0; k < 2; k++) {
            proxies[2 * i + k] = (carom_proxy){.view = of[k]->view, .motion = of[k]->motion, .margin = of[k]->margin};
            items[2 * i + k] = (crm_item){.proxy = &proxies[2 * i + k], .place = k, .view = of[k]->view};
            crm_make_item_ready(&items[2 * i + k]);
        }
        numbers[i] = (crm_item_pair){2 * i, 2 * i + 1};
        memory[i] = (crm_pair_memory){0};
    }
    crm_contact_array out = {0};
    carom_allocator allocator = carom_allocator_default();
    crm_narrow_counts sum;
    CHECK(crm_narrow_phase(items, MANY, numbers, memory, caches, &by_features, &allocator, &out, counts, &sum));
    int at = 0;
    for (int i = 0; i < MANY; i++) {
        static found_contacts alone;
        pair_memory own = {0};
        find_contacts_of(&pairs[i].a, &pairs[i].b, &by_features, &own, &alone);
        if (!CHECK_INT(counts[i], alone.count)) break;
        for (int k = 0; k < counts[i]; k++) {
            const carom_contact *one = &alone.at[k], *other = &out.items[at + k];
            CHECK(one->gap == other->gap && crm_distance(one->normal, other->normal) == 0.0 &&
                  crm_distance(one->point_a, other->point_a) == 0.0 && one->feature_a == other->feature_a);
        }
        CHECK(memcmp(&own.memory, &memory[i], sizeof own.memory) == 0);
        CHECK(!own.memory.has_cache || memcmp(&own.cache, &caches[i], sizeof own.cache) == 0);
        at += counts[i];
        free_moving_pair(&pairs[i]);
    }
    CHECK_INT(at, out.count);
    CRM_ARRAY_FREE(&allocator, &out);
}

TEST_MAIN(CASE(exchanged_bodies_have_the_same_contacts), CASE(moved_pairs_have_the_same_contacts),
          CASE(what_is_remembered_does_not_change_the_contacts), CASE(the_memory_of_another_pair_does_no_harm),
          CASE(pairs_within_their_margins_and_no_others_have_contacts), CASE(the_nearest_points_are_among_the_contacts),
          CASE(a_plane_between_two_bodies_saves_the_question), CASE(pairs_do_not_see_each_other))

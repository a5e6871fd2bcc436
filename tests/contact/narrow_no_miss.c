// SPDX-License-Identifier: MIT
// Moving pairs of every two kinds: who meets within the step has a contact, and the contacts' rows know of it.
//
// A row says gap + t n.(u_b - u_a) >= 0. When the bodies first touch after t, the true gap is 0, and what the rows have
// left then is of second order: it is measured in units of r^2 / size, with the joint margin r and the smaller body.
#include "contact/narrow_pair.h"

static carom_vec3 velocity_at(const moving_body *m, carom_vec3 point) {
    return crm_add(m->motion.velocity, crm_cross(m->motion.spin, crm_sub(point, m->view.pose.position)));
}

// What the strictest row has left after a time.
static double least_left(const moving_pair *t, const found_contacts *found, double time) {
    double least = INFINITY;
    for (int i = 0; i < found->count; i++) {
        const carom_contact *c = &found->at[i];
        carom_vec3 u = crm_sub(velocity_at(&t->b, c->point_b), velocity_at(&t->a, c->point_a));
        least = fmin(least, c->gap + time * crm_dot(c->normal, u));
    }
    return least;
}

typedef struct tally {
    int hits;
    double worst; // r^2 / size
    double contacts;
} tally;

static bool check_trial(const moving_pair *t, tally *sum) {
    carom_toi_options options = carom_toi_options_default();
    options.duration = t->duration;
    carom_toi_result impact;
    carom_error error;
    if (carom_toi_find(&t->a.view, &t->a.motion, &t->b.view, &t->b.motion, &options, &impact, &error) != CAROM_OK)
        fail_msg("%s", error.text);
    static found_contacts found;
    find_contacts_of(&t->a, &t->b, &by_features, NULL, &found);
    sum->contacts += found.count;
    double margin = t->a.margin + t->b.margin;
    if (!check_contacts(&found, margin, 8.0)) return false;
    if (impact.outcome != CAROM_TOI_FOUND) return true;
    sum->hits++;
    sum->worst = fmax(sum->worst, least_left(t, &found, impact.time) * t->small / (margin * margin));
    // Rows of bodies apart ask for nothing when nothing moves.
    return CHECK(found.count > 0) && CHECK(lowest_gap(&found) >= -1e-3 * margin);
}

static tally try_pairs(body_kind kind_a, body_kind kind_b, double share, bool aligned, int count) {
    sampler s = {.seed = 100 + 10 * (uint64_t)kind_a + (uint64_t)kind_b};
    tally sum = {.worst = -INFINITY};
    for (int i = 0; i < count; i++) {
        moving_pair t;
        bool good = !make_moving_pair(&s, kind_a, kind_b, share, aligned, &t) || check_trial(&t, &sum);
        free_moving_pair(&t);
        if (!good) break;
    }
    return sum;
}

// Both rotate by an angle of up to r / size: what a row leaves out is half of its square times the size, and where the
// normal rotates with an ellipsoid of aspect 1:4, or with edges that cross at a small angle, more. Bodies without
// facets, of bare vertices, have one contact, which does not know of the others that can come down.
static void check_all_kinds(int count) {
    static const double shares[] = {1e-3, 1e-2, 1e-1};
    for (int a = 0; a < BODY_KINDS; a++)
        for (int b = 0; b < BODY_KINDS; b++) {
            if (a >= BODY_HALF_SPACE && b >= BODY_HALF_SPACE) continue;
            bool bare = a == BODY_VERTICES || b == BODY_VERTICES, curved = a == BODY_ELLIPSOID || b == BODY_ELLIPSOID;
            for (int i = 0; i < 6; i++) {
                tally sum = try_pairs((body_kind)a, (body_kind)b, shares[i / 2], i % 2, count);
                CHECK(sum.hits > count / 8);
                if (!bare && !CHECK(sum.worst <= (curved ? 2.0 : 1.0)))
                    print_message("kinds %d, %d: %g\n", a, b, sum.worst);
            }
        }
}

TEST(pairs_that_meet_have_contacts_that_know_of_it) {
    check_all_kinds(20);
}

TEST(many_pairs_that_meet_have_contacts_that_know_of_it) {
    check_all_kinds(150);
}

TEST_MAIN(CASE(pairs_that_meet_have_contacts_that_know_of_it),
          LONG_CASE(many_pairs_that_meet_have_contacts_that_know_of_it))

// SPDX-License-Identifier: MIT
// The contact step that methods share: what it finds of bodies whose contacts are known, the rows, the table, overlaps,
// and how often it is tried again.
#include "step/contacts/contact_step.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/proxies.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { FLOOR, CUBE, BALL, BODIES };

static const double step_length = 1.0 / 60.0, depth = 0.01, height = 2e-4, radius = 0.2, friction = 0.4, bounce = 0.3;

// A cube of 1 m in a floor by `depth`, and a ball above it by `height` that comes nearly down within the step.
static carom_state *cube_and_ball(carom_method method) {
    carom_model *model = world_starting(crm_vec3(0.0, 0.0, 0.0), CAROM_START_KEEP);
    carom_material material = touching_material(model, friction, bounce);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    touching_add(model, touching_box(model, 1.0, 1.0, 1.0), material, 2.0, crm_vec3(0.0, 0.0, 0.5 - depth));
    carom_body_def ball =
        touching_def(model, touching_sphere(model, radius), material, 1.0, crm_vec3(3.0, 0.0, radius + height));
    ball.velocity = crm_vec3(0.0, 0.0, -0.01);
    world_add(model, &ball);
    carom_method_def def = touching_method(step_length, 1e-8);
    def.method = method;
    def.lcp.gamma = 0.0; // overlaps stay
    def.potential.stiffness = 100.0;
    return touching_state(model, &def);
}

static crm_contact_step found_at(carom_state *state) {
    crm_contact_step step = {0};
    carom_error error = {.text = ""};
    carom_contact_options options = crm_contact_options(state);
    CHECK_INT(crm_contact_step_create(state, &options, false, &step, &error), CAROM_OK);
    crm_contact_step_expect(&step, state->motions, step_length, 1.5);
    CHECK_INT(crm_contact_step_find(&step, &error), CAROM_OK);
    CHECK(crm_contact_step_take_sites(&step, step.found, step.found_count));
    return step;
}

TEST(contacts_are_sites_with_what_two_bodies_have_in_common) {
    carom_state *state = cube_and_ball(CAROM_METHOD_LCP);
    crm_contact_step step = found_at(state);
    CHECK_INT(step.proxy_count, BODIES);
    CHECK_INT(step.found_count, 5); // four corners and the ball
    for (int i = 0; i < step.found_count; i++) {
        const crm_contact_site *site = &step.sites.items[i];
        bool cube = i < 4;
        CHECK_INT(site->a, FLOOR);
        CHECK_INT(site->b, cube ? CUBE : BALL);
        CHECK_NEAR(site->gap, cube ? -depth : height, 1e-15);
        CHECK_NEAR(site->point.z, cube ? -0.5 * depth : 0.5 * height, 1e-15);
        CHECK_NEAR(site->size, cube ? sqrt(3.0) : 2.0 * radius, 1e-15);
        CHECK_NEAR(site->friction, friction, 0.0);
        CHECK_NEAR(site->restitution, bounce, 0.0);
        CHECK_NEAR(site->direction[0].z, 1.0, 1e-15);
        CHECK_NEAR(crm_distance(crm_cross(site->direction[0], site->direction[1]), site->direction[2]), 0.0, 1e-15);
    }
    int first = crm_contact_step_next_pair(&step, 0), second = crm_contact_step_next_pair(&step, first + 1);
    CHECK_INT(first, 0);
    CHECK_INT(second, 4);
    CHECK_INT(crm_contact_step_next_pair(&step, second + 1), step.found_count);
    crm_contact_step_release(&step);
    world_destroy(state);
}

// The relative velocity of the points is what the rows make of the twists.
TEST(rows_and_velocities_agree) {
    carom_state *state = cube_and_ball(CAROM_METHOD_LCP);
    crm_contact_step step = found_at(state);
    sampler s = {.seed = 5};
    crm_vec6 twist[BODIES], on_a[3], on_b[3];
    for (int b = 0; b < BODIES; b++) twist[b] = crm_vec6_of(sample_vec3(&s, 1.0), sample_vec3(&s, 3.0));
    for (int i = 0; i < step.found_count; i++) {
        const crm_contact_site *site = &step.sites.items[i];
        carom_vec3 u = crm_contact_velocity(site, state->motions, twist);
        crm_contact_rows(site, state->motions, on_a, on_b);
        for (int k = 0; k < 3; k++) {
            double by_rows = crm_vec6_dot(on_a[k], twist[site->a]) + crm_vec6_dot(on_b[k], twist[site->b]);
            CHECK_NEAR(by_rows, crm_dot(site->direction[k], u), 1e-14);
        }
    }
    crm_contact_step_release(&step);
    world_destroy(state);
}

TEST(a_line_of_the_table_is_what_was_added) {
    carom_state *state = cube_and_ball(CAROM_METHOD_LCP);
    crm_contact_step step = found_at(state);
    const crm_contact_site *site = &step.sites.items[4];
    const double impulse[3] = {1.0, 2.0, 3.0}, velocity[3] = {4.0, 5.0, 6.0};
    CHECK(crm_contact_table_add(state, site, impulse, velocity, CAROM_CONTACT_STATUS_SLIDES));
    int count;
    const carom_contact_state *line = carom_state_contacts(state, &count);
    CHECK_INT(count, 1);
    CHECK_INT(line->a.index, FLOOR);
    CHECK_INT(line->b.index, BALL);
    CHECK_INT(line->status, CAROM_CONTACT_STATUS_SLIDES);
    CHECK_NEAR(line->gap, site->gap, 0.0);
    CHECK_NEAR(line->friction, friction, 0.0);
    CHECK_NEAR(line->normal_impulse, 1.0, 0.0);
    CHECK_NEAR(line->tangent_impulse[1], 3.0, 0.0);
    CHECK_NEAR(line->normal_velocity, 4.0, 0.0);
    CHECK_NEAR(line->slip[0], 5.0, 0.0);
    crm_contact_step_release(&step);
    world_destroy(state);
}

// Four corners of a cube are one overlap, and a ball that comes near is a pair without.
TEST(the_mean_overlap_is_over_pairs_of_bodies) {
    carom_state *state = cube_and_ball(CAROM_METHOD_LCP);
    crm_contact_step step = found_at(state);
    crm_overlaps overlaps = crm_overlaps_of(&step, step.found, step.found_count);
    carom_step_report report = {0};
    crm_overlaps_report(&overlaps, &report);
    CHECK_NEAR(report.infeasibility, depth / sqrt(3.0), 1e-15);
    CHECK_NEAR(report.mean_infeasibility, 0.5 * depth / sqrt(3.0), 1e-15);
    crm_contact_step_release(&step);
    world_destroy(state);
}

TEST(methods_report_the_mean_over_pairs) {
    const carom_method methods[] = {CAROM_METHOD_LCP, CAROM_METHOD_PENALTY, CAROM_METHOD_POTENTIAL};
    for (int m = 0; m < 3; m++) {
        carom_state *state = cube_and_ball(methods[m]);
        carom_step_report report = world_run(state, 1);
        CHECK(report.infeasibility > 0.1 * depth);
        CHECK_NEAR(report.mean_infeasibility, 0.5 * report.infeasibility, 1e-15);
        world_destroy(state);
    }
}

// ---- lists of states that are copied and loaded

// Balls that come down one after the other: the list grows.
static carom_model *falling_balls(void) {
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material material = touching_material(model, friction, 0.0);
    carom_model_shape ball = touching_sphere(model, radius);
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    for (int i = 0; i < 30; i++) touching_add(model, ball, material, 1.0, crm_vec3(i, 0.0, radius + 0.05 * i));
    return model;
}

static void load_from(carom_state *to, const carom_state *from) {
    size_t size = carom_state_size(from);
    void *bytes = malloc(size);
    carom_state_save(from, bytes);
    CHECK_INT(carom_state_load(to, bytes, size, NULL), CAROM_OK);
    free(bytes);
}

// Over lists that are the set's own, over those of an earlier copy or load, shorter and longer ones.
TEST(copies_and_loads_go_on_as_the_state_that_they_are_of) {
    carom_model *model = falling_balls();
    carom_method_def def = touching_method(step_length, 1e-8);
    carom_state *first = touching_state(model, &def), *second = touching_state(model, &def);
    for (int round = 0; round < 4; round++) {
        world_run(first, 5);
        CHECK_INT(carom_state_copy(first, second, NULL), CAROM_OK);
        world_run(first, 3);
        if (round % 2 == 1) world_run(second, 2);
        load_from(second, first);
        CHECK(carom_state_hash(first) == carom_state_hash(second));
        world_run(first, 2);
        world_run(second, 2);
        CHECK(carom_state_hash(first) == carom_state_hash(second));
        CHECK_INT(carom_state_copy(second, first, NULL), CAROM_OK);
    }
    CHECK(first->contact_list.count > 10);
    carom_state_destroy(second);
    world_destroy(first);
}

// ---- attempts

typedef struct counted {
    int attempts, asked;
    int beyond; // so often a body gets beyond its margin
    int fails;  // the attempt that fails
} counted;

static carom_status count_attempt(void *context, int round, carom_error *error) {
    counted *c = context;
    (void)error;
    CHECK_INT(round, c->attempts);
    c->attempts++;
    return round == c->fails ? CAROM_ERR_NO_MEMORY : CAROM_OK;
}

static carom_status count_beyond(void *context, bool *beyond, carom_error *error) {
    counted *c = context;
    (void)error;
    *beyond = c->asked++ < c->beyond;
    return CAROM_OK;
}

static bool make_attempts(counted *c, int most, carom_status wanted) {
    const crm_attempts attempts = {most, count_attempt, count_beyond, c};
    carom_error error = {.text = ""};
    bool covered;
    CHECK_INT(crm_attempts_make(&attempts, &covered, &error), wanted);
    return covered;
}

TEST(attempts_are_made_until_margins_cover_them) {
    counted none = {.fails = -1}, two = {.beyond = 2, .fails = -1}, many = {.beyond = 100, .fails = -1},
            refused = {.beyond = 2, .fails = 1};
    CHECK(make_attempts(&none, 4, CAROM_OK));
    CHECK_INT(none.attempts, 1);
    CHECK(make_attempts(&two, 4, CAROM_OK));
    CHECK_INT(two.attempts, 3);
    CHECK(!make_attempts(&many, 4, CAROM_OK));
    CHECK_INT(many.attempts, 4);
    CHECK_INT(many.asked, 3);
    CHECK(!make_attempts(&refused, 4, CAROM_ERR_NO_MEMORY));
    CHECK_INT(refused.attempts, 2);
}

TEST_MAIN(CASE(contacts_are_sites_with_what_two_bodies_have_in_common), CASE(rows_and_velocities_agree),
          CASE(a_line_of_the_table_is_what_was_added), CASE(the_mean_overlap_is_over_pairs_of_bodies),
          CASE(methods_report_the_mean_over_pairs), CASE(copies_and_loads_go_on_as_the_state_that_they_are_of),
          CASE(attempts_are_made_until_margins_cover_them))

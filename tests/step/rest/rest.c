// SPDX-License-Identifier: MIT
// Islands that take their impulses over: the bound against the true residual, what wakes them, what is kept.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/proxies.h"
#include "step/integrate/free_spin.h"
#include "step/lcp/lcp.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

static const double g = 9.81, h = 1.0 / 240.0;
static const carom_vec3 down = {0.0, 0.0, -9.81}, origin = {0.0, 0.0, 0.0};
enum { PILES = 3, HIGH = 4, BODIES = 1 + PILES * HIGH };

// Piles of boxes of random sizes, masses and headings, each a little beside the one below; a ball lies on the floor.
static carom_model *piles(uint64_t seed) {
    sampler s = {.seed = seed};
    carom_model *model = world_model(down, 0.0);
    carom_material material = touching_material(model, 0.6, 0.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    for (int p = 0; p < PILES; p++) {
        double z = 0.0;
        for (int k = 0; k < HIGH; k++) {
            carom_vec3 size = crm_add(crm_vec3(0.3, 0.25, 0.15), sample_vec3(&s, 0.05));
            carom_vec3 aside = sample_vec3(&s, 0.04);
            carom_model_shape box = touching_box(model, size.x, size.y, size.z);
            carom_vec3 x = {2.0 * p + aside.x, aside.y, z + 0.5 * size.z};
            carom_body_def def = touching_def(model, box, material, 0.5 + 0.7 * (k + p), x);
            double half = 0.1 * aside.z / 0.04;
            def.attitude = (carom_quat){cos(half), 0.0, 0.0, sin(half)};
            world_add(model, &def);
            z += size.z;
        }
    }
    return model;
}

static carom_state *state_of(carom_model *model, bool rest, int threads) {
    carom_method_def method = carom_method_def_default();
    method.method = CAROM_METHOD_LCP;
    method.step = h;
    method.lcp.rest = rest;
    method.threads = threads;
    return touching_state(model, &method);
}

static const crm_rest *rest_of(const carom_state *state) {
    const crm_lcp *lcp = state->method_data;
    return &lcp->rest;
}

static carom_step_report step_with(carom_state *state, const carom_wrench *wrench) {
    carom_step_report report = {0};
    carom_error error = {0};
    carom_input input = {.wrench_count = wrench != NULL, .wrench = wrench};
    if (!CHECK_INT(carom_step(state->model, state, &input, &report, &error), CAROM_OK)) CHECK_TEXT(error.text, "");
    return report;
}

// Steps until all bodies rest; false: they do not.
static bool run_to_rest(carom_state *state) {
    for (int i = 0; i < 400; i++) {
        step_with(state, NULL);
        if (rest_of(state)->count == BODIES - 1) return true;
    }
    return false;
}

// ---- the true residual

// The problem of a step as it is built of contacts that are found anew where bodies were when it began.
typedef struct anew {
    crm_rigid_body bodies[BODIES];
    crm_rigid_contact contacts[512];
    double impulse[3 * 512], velocity[3 * 512];
    crm_vec6 change[BODIES];
    int count;
    bool known; // every line of the table that pushes has its contact
} anew;

static void set_body(const carom_model *model, const crm_motion *at, const carom_wrench *push, int b,
                     crm_rigid_body *out) {
    const crm_body *body = &model->bodies.items[b];
    double root = sqrt(body->inverse_mass);
    carom_mat3 axes = crm_quat_to_mat3(at->q);
    crm_motion pushed = *at;
    pushed.p = crm_madd(pushed.p, h * body->mass, down);
    if (push != NULL && push->body.index == b) {
        pushed.p = crm_madd(pushed.p, h, push->force);
        pushed.l = crm_madd(pushed.l, h, push->torque);
    }
    out->linear = crm_vec3(root, root, root);
    out->angular[0] = crm_scale(sqrt(body->inverse_inertia.x), axes.x);
    out->angular[1] = crm_scale(sqrt(body->inverse_inertia.y), axes.y);
    out->angular[2] = crm_scale(sqrt(body->inverse_inertia.z), axes.z);
    out->free = crm_vec6_of(crm_motion_velocity(body, &pushed), crm_free_spin(body, 0.0, pushed.q, pushed.l, h));
}

// The force of the table's line nearest to a contact, if it is one of the same place.
static bool find_force(const carom_state *state, bool *taken, int a, int b, carom_vec3 point, carom_vec3 *force) {
    int count, best = -1;
    double nearest = 1e-6;
    const carom_contact_state *lines = carom_state_contacts(state, &count);
    for (int i = 0; i < count; i++) {
        double far = crm_distance(lines[i].point, point);
        if (taken[i] || lines[i].a.index != a || lines[i].b.index != b || !(far < nearest)) continue;
        nearest = far;
        best = i;
    }
    if (best < 0) return false;
    taken[best] = true;
    carom_vec3 second = crm_cross(lines[best].normal, lines[best].tangent);
    *force = crm_scale(lines[best].normal_impulse, lines[best].normal);
    *force = crm_madd(*force, lines[best].tangent_impulse[0], lines[best].tangent);
    *force = crm_madd(*force, lines[best].tangent_impulse[1], second);
    return true;
}

static void build(const carom_state *state, const crm_motion *start, const carom_wrench *push, anew *out) {
    const carom_model *model = state->model;
    carom_proxy proxies[BODIES];
    carom_contact_set *set = NULL;
    carom_contact_options options = crm_contact_options(state);
    carom_error error = {0};
    bool taken[512] = {false};
    crm_fill_proxies(model, false, start, 0.0, 1.0, proxies);
    for (int i = 0; i < BODIES; i++) proxies[i].margin = 1.5 * g * h * h;
    CHECK_INT(carom_contact_set_create(&options, NULL, &set, &error), CAROM_OK);
    CHECK_INT(carom_contact_set_update(set, BODIES, proxies, NULL, &error), CAROM_OK);
    const carom_contact *list = carom_contact_set_list(set, &out->count);
    out->known = out->count <= 512;
    for (int b = 1; b < BODIES; b++) set_body(model, &start[b], push, b, &out->bodies[b - 1]);
    for (int c = 0; out->known && c < out->count; c++) {
        int a = (int)proxies[list[c].a].id, b = (int)proxies[list[c].b].id;
        carom_vec3 point = crm_scale(0.5, crm_add(list[c].point_a, list[c].point_b)), force = origin;
        crm_rigid_contact *contact = &out->contacts[c];
        *contact = (crm_rigid_contact){.a = a - 1, .b = b - 1, .offset = list[c].gap / h};
        contact->arm_a = crm_sub(point, start[a].x);
        contact->arm_b = crm_sub(point, start[b].x);
        contact->direction[0] = list[c].normal;
        contact->direction[1] = list[c].tangent;
        contact->direction[2] = crm_cross(list[c].normal, list[c].tangent);
        contact->friction = 0.6;
        find_force(state, taken, a, b, point, &force);
        for (int k = 0; k < 3; k++) out->impulse[3 * c + k] = crm_dot(contact->direction[k], force);
    }
    int lines;
    const carom_contact_state *line = carom_state_contacts(state, &lines);
    for (int i = 0; i < lines; i++) out->known &= taken[i] || line[i].normal_impulse == 0.0;
    carom_contact_set_destroy(set);
}

static double true_residual(crm_rigid_solver *solver, anew *at) {
    crm_rigid_problem problem = {
        .body_count = BODIES - 1, .contact_count = at->count, .bodies = at->bodies, .contacts = at->contacts};
    crm_rigid_options options = {.tolerance = 1.0, .velocity_scale = g * h, .work = 1e12, .threads = 1};
    crm_rigid_report report;
    carom_error error = {0};
    CHECK_INT(crm_rigid_evaluate(solver, &problem, &options, at->impulse, at->velocity, at->change, &report, &error),
              CAROM_OK);
    return report.residual;
}

// Steps of piles that rest, some of them pushed a little; the bound of those with all bodies at rest all along.
static void check_bounds(int wanted) {
    crm_rigid_solver *solver = NULL;
    carom_error error = {0};
    anew *at = calloc(1, sizeof *at);
    int checked = 0, other = 0;
    double closest = 0.0;
    CHECK_INT(crm_rigid_solver_create(NULL, &solver, &error), CAROM_OK);
    for (uint64_t seed = 1; checked < wanted && seed < (uint64_t)wanted; seed++) {
        sampler s = {.seed = 1000 + seed};
        carom_state *state = state_of(piles(seed), true, 1);
        run_to_rest(state);
        for (int i = 0; i < 600 && checked < wanted; i++) {
            crm_motion start[BODIES];
            crm_rest_body before[BODIES];
            memcpy(start, state->motions, sizeof start);
            memcpy(before, rest_of(state)->bodies, sizeof before);
            int pushed = 1 + i % (BODIES - 1);
            double size = 2e-7 * g * state->model->bodies.items[pushed].mass;
            carom_wrench push = {
                .body = {pushed}, .force = sample_vec3(&s, size), .torque = sample_vec3(&s, 0.1 * size)};
            const carom_wrench *given = i % 8 == 0 ? &push : NULL;
            carom_step_report report = step_with(state, given);
            bool all =
                rest_of(state)->count == BODIES - 1 && memcmp(before, rest_of(state)->bodies, sizeof before) == 0;
            if (!all) continue;
            CHECK(report.residual == rest_of(state)->bound && report.residual <= 1e-5);
            CHECK(report.momentum_balance <= 1e-12);
            build(state, start, given, at);
            other += !at->known;
            if (!at->known) continue;
            double residual = true_residual(solver, at);
            if (!(residual <= report.residual)) CHECK_NEAR(residual, 0.0, report.residual);
            closest = fmax(closest, residual / report.residual);
            checked++;
        }
        world_destroy(state);
    }
    CHECK(checked >= wanted);
    CHECK(other <= checked / 2); // places at which features change are another problem with the same motion
    CHECK(closest > 0.1);        // the bound is worth something
    crm_rigid_solver_destroy(solver);
    free(at);
}

TEST(the_bound_is_above_the_true_residual) {
    check_bounds(1000);
}

TEST(the_bound_is_above_the_true_residual_in_many_steps) {
    check_bounds(100000);
}

// ---- what wakes

static bool pile_rests(const carom_state *state, int pile) {
    return crm_rests(rest_of(state), 1 + HIGH * pile);
}

TEST(forces_wake_the_island_they_act_on_in_the_same_step) {
    carom_state *state = state_of(piles(2), true, 1);
    CHECK(run_to_rest(state));
    crm_rest_body before[BODIES];
    memcpy(before, rest_of(state)->bodies, sizeof before);
    carom_wrench push = {.body = {1 + HIGH + 2}, .force = {0.0, 0.0, 1.0}}; // lifts a little: contacts stay closed
    carom_step_report report = step_with(state, &push);
    CHECK(report.residual <= 1e-3);
    // It may rest again at once, but by impulses of this step.
    for (int b = 1; b < BODIES; b++) {
        bool same = memcmp(&before[b], &rest_of(state)->bodies[b], sizeof before[b]) == 0;
        CHECK(same == (b <= HIGH || b > 2 * HIGH));
    }
    world_destroy(state);
}

TEST(a_push_that_slides_moves_a_body_as_if_it_had_not_rested) {
    carom_state *state = state_of(piles(2), true, 1), *other = state_of(piles(2), false, 1);
    CHECK(run_to_rest(state));
    while (state->step_count > other->step_count) step_with(other, NULL);
    int top = HIGH;
    carom_wrench push = {.body = {top}, .force = {8.0 * g, 0.0, 0.0}};
    for (int i = 0; i < 5; i++) {
        step_with(state, &push);
        step_with(other, &push);
        CHECK(!pile_rests(state, 0));
    }
    double speed = world_body(other, top).velocity.x;
    CHECK(speed > 0.1);
    CHECK_NEAR(world_body(state, top).velocity.x, speed, 2e-3 * speed);
    world_destroy(state);
    world_destroy(other);
}

TEST(states_that_are_set_wake_everything) {
    carom_state *state = state_of(piles(4), true, 1);
    CHECK(run_to_rest(state));
    carom_body_state top = world_body(state, HIGH);
    carom_error error = {0};
    crm_rest_body before[BODIES];
    memcpy(before, rest_of(state)->bodies, sizeof before);
    top.position.z += 0.1;
    CHECK_INT(carom_state_set_body(state, (carom_body){HIGH}, &top, &error), CAROM_OK);
    step_with(state, NULL);
    for (int b = 1; b < BODIES; b++) CHECK(memcmp(&before[b], &rest_of(state)->bodies[b], sizeof before[b]) != 0);
    CHECK(world_body(state, HIGH).velocity.z < -0.9 * g * h); // it falls
    world_destroy(state);
}

// A ball falls on a pile: in the step that lists the pair the pile is awake, before anything has touched it.
TEST(new_pairs_wake_the_island_they_are_of) {
    carom_model *model = piles(4);
    carom_model_shape ball = touching_sphere(model, 0.1);
    carom_material material = touching_material(model, 0.5, 0.0);
    carom_body thrown = touching_add(model, ball, material, 0.2, crm_vec3(0.0, 0.0, 2.5));
    carom_state *state = state_of(model, true, 1);
    bool rested = false, met = false;
    for (int i = 0; i < 400 && !met; i++) {
        bool before = pile_rests(state, 0);
        step_with(state, NULL);
        int count;
        const carom_contact_state *lines = carom_state_contacts(state, &count);
        for (int c = 0; c < count; c++) met |= lines[c].b.index == thrown.index || lines[c].a.index == thrown.index;
        rested |= before;
        if (met) {
            CHECK(before && !pile_rests(state, 0));
            CHECK(pile_rests(state, 1) && pile_rests(state, 2));
        }
    }
    CHECK(rested && met);
    world_destroy(state);
}

// ---- what is kept

TEST(tables_are_whole_and_balance_the_weights) {
    carom_state *state = state_of(piles(5), true, 1);
    CHECK(run_to_rest(state));
    for (int i = 0; i < 20; i++) {
        carom_step_report report = step_with(state, NULL);
        carom_vec3 sum[BODIES] = {{0}};
        int count;
        const carom_contact_state *lines = carom_state_contacts(state, &count);
        CHECK(count == report.contacts && count > 20 && report.friction_work == 0.0);
        for (int c = 0; c < count; c++) {
            carom_vec3 force = crm_scale(lines[c].normal_impulse, lines[c].normal);
            force = crm_madd(force, lines[c].tangent_impulse[0], lines[c].tangent);
            force = crm_madd(force, lines[c].tangent_impulse[1], crm_cross(lines[c].normal, lines[c].tangent));
            sum[lines[c].a.index] = crm_sub(sum[lines[c].a.index], force);
            sum[lines[c].b.index] = crm_add(sum[lines[c].b.index], force);
        }
        for (int b = 1; b < BODIES; b++) {
            double weight = g * h * state->model->bodies.items[b].mass;
            CHECK(crm_distance(sum[b], crm_vec3(0.0, 0.0, weight)) <= 1e-6 * weight);
        }
    }
    world_destroy(state);
}

TEST(saved_and_copied_states_go_on_to_the_same_bits_with_any_threads) {
    carom_model *model = piles(5);
    carom_state *state = state_of(model, true, 1), *loaded = state_of(model, true, 3), *copy = state_of(model, true, 1);
    carom_error error = {0};
    CHECK(run_to_rest(state));
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_state_save(state, bytes);
    CHECK_INT(carom_state_load(loaded, bytes, size, &error), CAROM_OK);
    CHECK_INT(carom_state_copy(state, copy, &error), CAROM_OK);
    for (int i = 0; i < 60; i++) {
        carom_wrench push = {.body = {2}, .force = {i == 30 ? 20.0 : 0.0, 0.0, 0.0}};
        step_with(state, &push);
        step_with(loaded, &push);
        step_with(copy, &push);
        if (i == 20) CHECK(rest_of(loaded)->count > 0);
        CHECK(carom_state_hash(state) == carom_state_hash(loaded));
        CHECK(carom_state_hash(state) == carom_state_hash(copy));
    }
    free(bytes);
    carom_state_destroy(loaded);
    carom_state_destroy(copy);
    world_destroy(state);
}

TEST(nothing_rests_without_the_setting) {
    carom_state *state = state_of(piles(7), false, 1);
    CHECK(rest_of(state)->model == NULL && !run_to_rest(state));
    world_destroy(state);
}

TEST_MAIN(CASE(the_bound_is_above_the_true_residual), LONG_CASE(the_bound_is_above_the_true_residual_in_many_steps),
          CASE(forces_wake_the_island_they_act_on_in_the_same_step),
          CASE(a_push_that_slides_moves_a_body_as_if_it_had_not_rested), CASE(states_that_are_set_wake_everything),
          CASE(new_pairs_wake_the_island_they_are_of), CASE(tables_are_whole_and_balance_the_weights),
          CASE(saved_and_copied_states_go_on_to_the_same_bits_with_any_threads),
          CASE(nothing_rests_without_the_setting))

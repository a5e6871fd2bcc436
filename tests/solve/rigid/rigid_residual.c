// SPDX-License-Identifier: MIT
// The residual of packed islands against the general evaluator, and velocities and changes of momentum by hand.
#include <math.h>
#include <stdlib.h>

#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/problem/rigid_heap.h"

static const crm_rigid_options plain_options = {.tolerance = 1e-3, .velocity_scale = 0.05, .work = 1e9, .threads = 1};

static double *numbers(int count) {
    double *out = calloc((size_t)count + 1, sizeof *out);
    if (out == NULL) abort();
    return out;
}

// Impulses of one sign or another, some zero, some outside of their cones.
static double *sample_impulses(sampler *s, const rigid_heap *heap) {
    double *r = numbers(heap_rows(heap));
    for (int i = 0; i < heap_rows(heap); i++)
        if (sample_between(s, 0.0, 1.0) < 0.7) r[i] = sample_between(s, -0.5, 1.0);
    for (int k = 0; k < heap->problem.contact_count; k++)
        if (heap->contacts[k].friction == 0.0) r[3 * k + 1] = r[3 * k + 2] = 0.0;
    return r;
}

// One island: what is said of the whole is said of it.
static void compare(sampler *s, rigid_heap *heap) {
    heap_general *general = heap_as_general(heap);
    double *r = sample_impulses(s, heap), *other = numbers(general->rows), *u = numbers(general->rows);
    double *velocity = numbers(heap_rows(heap)), *relative = numbers(heap_rows(heap));
    crm_vec6 *change = calloc((size_t)heap->problem.body_count, sizeof *change);
    crm_rigid_solver *solver;
    carom_solver_state *state;
    crm_rigid_report report;
    carom_residual_report wanted;
    CHECK_INT(crm_rigid_solver_create(NULL, &solver, NULL), CAROM_OK);
    CHECK_INT(carom_solver_state_create(NULL, &state, NULL), CAROM_OK);
    heap_to_general(heap, r, other);
    CHECK_INT(crm_rigid_evaluate(solver, &heap->problem, &plain_options, r, velocity, change, &report, NULL), CAROM_OK);
    CHECK_INT(carom_residual_evaluate(state, &general->problem, plain_options.velocity_scale, other, u, &wanted, NULL),
              CAROM_OK);
    if (report.islands == 1) {
        CHECK_NEAR(report.residual, wanted.residual, 1e-12 * wanted.residual);
        CHECK_NEAR(report.island[0].scale, wanted.scale, 1e-12 * wanted.scale);
    } else {
        CHECK(report.residual >= wanted.residual * (1.0 - 1e-12));
    }
    heap_from_general(heap, u, relative);
    for (int k = 0; k < heap->problem.contact_count; k++) {
        const crm_rigid_contact *contact = &heap->contacts[k];
        relative[3 * k] -= contact->offset;
        int rows = contact->friction == 0.0 ? 1 : 3;
        for (int i = 0; i < rows; i++)
            if (!CHECK_NEAR(velocity[3 * k + i], relative[3 * k + i], 1e-11)) break;
    }
    for (int k = 0, row = 3 * heap->problem.contact_count; k < heap->problem.block_count; k++)
        for (int i = 0; i < heap->blocks[k].rows; i++, row++)
            CHECK_NEAR(velocity[row], relative[row] - heap->blocks[k].offset[i], 1e-11);
    carom_solver_state_destroy(state);
    crm_rigid_solver_destroy(solver);
    heap_general_destroy(general);
    free(r), free(other), free(u), free(velocity), free(relative), free(change);
}

TEST(as_the_general_evaluator) {
    sampler s = {.seed = 11};
    for (int i = 0; i < 200; i++) {
        rigid_heap *heap = heap_random(&s, 2 + i % 9, 3 + i % 37, i % 5);
        heap->problem.relaxed = i % 4 == 3;
        compare(&s, heap);
        heap_destroy(heap);
    }
}

TEST(of_a_wall) {
    sampler s = {.seed = 12};
    rigid_heap *heap = heap_wall(&s, 9, 8, 0.6, 0.3);
    compare(&s, heap);
    heap_destroy(heap);
}

// J^T r: the impulse and its moment about the centre of mass; the velocity of every direction, also without friction.
TEST(change_of_a_body) {
    rigid_heap *heap = heap_create(4);
    carom_quat attitude = {0.5, 0.5, -0.5, 0.5};
    int body = heap_add_body(heap, HEAP_FREE, 2.0, (carom_vec3){1, 2, 4}, attitude, crm_vec6_zero());
    carom_vec3 arm = {0.1, 0.2, -0.5}, fixed = {NAN, NAN, NAN};
    heap_add_contact(heap, -1, body, fixed, arm, (carom_vec3){0, 0, 1}, 0.5);
    double r[3] = {3.0, 0.25, -0.5}, velocity[3];
    crm_vec6 change;
    crm_rigid_solver *solver;
    crm_rigid_report report;
    CHECK_INT(crm_rigid_solver_create(NULL, &solver, NULL), CAROM_OK);
    CHECK_INT(crm_rigid_evaluate(solver, &heap->problem, &plain_options, r, velocity, &change, &report, NULL),
              CAROM_OK);
    carom_vec3 force = crm_vec3_zero();
    for (int i = 0; i < 3; i++) force = crm_madd(force, r[i], heap->contacts[0].direction[i]);
    CHECK_NEAR(crm_distance(change.linear, force), 0.0, 1e-14);
    CHECK_NEAR(crm_distance(change.angular, crm_cross(arm, force)), 0.0, 1e-14);
    double with_friction[2] = {velocity[1], velocity[2]};
    heap->contacts[0].friction = 0.0;
    CHECK_INT(
        crm_rigid_evaluate(solver, &heap->problem, &plain_options, (double[3]){3.0}, velocity, &change, &report, NULL),
        CAROM_OK);
    heap->contacts[0].friction = 0.5;
    double same[3];
    CHECK_INT(
        crm_rigid_evaluate(solver, &heap->problem, &plain_options, (double[3]){3.0}, same, &change, &report, NULL),
        CAROM_OK);
    for (int i = 0; i < 3; i++) CHECK_NEAR(velocity[i], same[i], 1e-14);
    CHECK(with_friction[0] != same[1] && with_friction[1] != same[2]);
    crm_rigid_solver_destroy(solver);
    heap_destroy(heap);
}

// Nothing can move along the normal of the first contact, or through the second at all.
TEST(contacts_that_move_nothing) {
    rigid_heap *heap = heap_create(4);
    carom_quat none = {1, 0, 0, 0};
    crm_vec6 free_velocity = crm_vec6_of((carom_vec3){1, 0.5, 0}, crm_vec3_zero());
    int flat = heap_add_body(heap, HEAP_PLANAR, 2.0, (carom_vec3){1, 1, 1}, none, free_velocity);
    heap_add_contact(heap, -1, flat, crm_vec3_zero(), (carom_vec3){0.1, 0.3, 0}, (carom_vec3){0, 0, 1}, 0.5);
    heap->contacts[heap_add_contact(heap, -1, -1, crm_vec3_zero(), crm_vec3_zero(), (carom_vec3){0, 0, 1}, 0.5)]
        .offset = 0.25;
    sampler s = {.seed = 13};
    compare(&s, heap);
    heap_destroy(heap);
}

TEST_MAIN(CASE(as_the_general_evaluator), CASE(of_a_wall), CASE(change_of_a_body), CASE(contacts_that_move_nothing))

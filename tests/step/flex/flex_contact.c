// SPDX-License-Identifier: MIT
// Contact of pieces of flexible bodies under newmark: momenta exact, forces that are the gradient of an energy, energy
// errors that fall with the step, floors and bodies of all shapes, what a step promises.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "math/quat.h"
#include "step/flex/soft_impact.h"
#include "step/potential/newmark.h"
#include "support/geometry/touching.h"
#include "support/harness/probe_allocator.h"
#include "support/harness/refused_allocations.h"
#include "support/model/flexible.h"

// ---- two bodies

static impact oblique_impact(carom_flex_pieces pieces, int order, double step) {
    carom_model *model = world_model(origin, 0.0);
    carom_flex_def one = leaning(crm_vec3(0.3, -0.2, 0.5), crm_vec3(0.5, 0.1, 0.0));
    carom_flex_def other = at(crm_vec3(0.44, -0.17, 0.52), crm_vec3(-0.5, 0.0, 0.1));
    one.pieces = other.pieces = pieces;
    flexible_box(model, cube, 2, order, &one);
    flexible_box(model, cube, 2, order, &other);
    carom_method_def def = steps_of(step, 100.0);
    carom_state *state = flexible_state(model, &def);
    carom_momentum before = carom_state_momentum(state);
    impact out = run_impact(state, (int)lround(0.1 / step));
    CHECK(out.touching * step > 0.02);
    check_momenta(state, &before, 1e-13);
    world_destroy(state);
    return out;
}

TEST(an_oblique_impact_changes_no_momentum) {
    for (int pieces = 0; pieces < CAROM_FLEX_PIECES_COUNT; pieces++)
        for (int order = 1; order <= 2; order++) {
            impact of = oblique_impact((carom_flex_pieces)pieces, order, order == 1 ? 2e-4 : 1e-4);
            CHECK(of.overlap > 1e-3 && of.overlap < 0.5);
            CHECK(of.energy_error < (pieces == CAROM_FLEX_PIECES_WHOLE ? 5e-2 : 2e-3)); // more kinks of more weight
        }
}

// Values have kinks: the error falls with the step, not always by its square.
TEST(energy_errors_of_impacts_fall_with_the_step) {
    double coarse = oblique_impact(CAROM_FLEX_PIECES_ELEMENTS, 1, 8e-4).energy_error;
    double middle = oblique_impact(CAROM_FLEX_PIECES_ELEMENTS, 1, 2e-4).energy_error;
    double fine = oblique_impact(CAROM_FLEX_PIECES_ELEMENTS, 1, 5e-5).energy_error;
    CHECK(middle < 0.4 * coarse);
    CHECK(fine < 0.4 * middle);
    CHECK(fine < 1e-3);
}

// A impact straight on is the same seen from both sides, to rounding, also face on face.
TEST(symmetric_impacts_stay_symmetric) {
    for (int pieces = 0; pieces < CAROM_FLEX_PIECES_COUNT; pieces++) {
        carom_model *model = world_model(origin, 0.0);
        carom_flex_def one = at(crm_vec3(-0.06, 0.0, 0.0), crm_vec3(0.5, 0.0, 0.0));
        carom_flex_def other = at(crm_vec3(0.06, 0.0, 0.0), crm_vec3(-0.5, 0.0, 0.0));
        one.pieces = other.pieces = (carom_flex_pieces)pieces;
        carom_flex first = flexible_box(model, cube, 2, 1, &one), second = flexible_box(model, cube, 2, 1, &other);
        carom_method_def def = steps_of(2e-4, 100.0);
        carom_state *state = flexible_state(model, &def);
        CHECK(run_impact(state, 300).touching > 50);
        carom_vec3 x[27], y[27];
        carom_state_get_nodes(state, first, x, NULL, NULL);
        carom_state_get_nodes(state, second, y, NULL, NULL);
        double off = 0.0;
        for (int i = 0; i < 27; i++) {
            double nearest = INFINITY;
            for (int k = 0; k < 27; k++)
                nearest = fmin(nearest, crm_length(crm_sub(crm_vec3(-x[i].x, x[i].y, x[i].z), y[k])));
            off = fmax(off, nearest);
        }
        CHECK_NEAR(off, 0.0, 1e-12);
        world_destroy(state);
    }
}

// Faces that stay in a plane, or nearly: weights of least norm over all of their corners.
TEST(faces_on_faces_change_no_momentum) {
    for (int pieces = 0; pieces < CAROM_FLEX_PIECES_COUNT; pieces++)
        for (int bent = 0; bent < 6; bent++) {
            carom_model *model = world_model(origin, 0.0);
            double lean = bent == 0 ? 0.0 : pow(10.0, -13.0 + bent);
            carom_flex_def one = at(crm_vec3(-0.049, 0.0, 0.0), crm_vec3(0.5, 0.0, 0.0));
            carom_flex_def other = at(crm_vec3(0.049, 0.013, 0.021), crm_vec3(-0.5, 0.0, 0.0));
            other.attitude = crm_quat_normalised((carom_quat){1.0, 0.0, lean, -0.7 * lean});
            one.pieces = other.pieces = (carom_flex_pieces)pieces;
            flexible_box(model, cube, 2, 1, &one);
            flexible_box(model, cube, 2, 1, &other);
            carom_method_def def = steps_of(2e-4, 500.0);
            carom_state *state = flexible_state(model, &def);
            carom_momentum before = carom_state_momentum(state);
            CHECK(run_impact(state, 50).touching > 20);
            check_momenta(state, &before, 1e-14);
            world_destroy(state);
        }
}

// ---- forces

// dV along a direction of all nodes, by central differences of the energy of the state.
static double slope_of_energy(carom_state *state, const carom_flex *flex, int count, carom_vec3 (*x)[27],
                              carom_vec3 (*along)[27], double by) {
    double energy[2];
    for (int end = 0; end < 2; end++) {
        for (int f = 0; f < count; f++) {
            carom_vec3 moved[27], still[27] = {{0}};
            for (int i = 0; i < 27; i++) moved[i] = crm_madd(x[f][i], end == 0 ? -by : by, along[f][i]);
            carom_error error = {.text = ""};
            if (carom_state_set_nodes(state, flex[f], moved, still, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
        }
        energy[end] = carom_state_energy(state).potential;
    }
    return (energy[1] - energy[0]) / (2.0 * by);
}

TEST(forces_are_the_gradient_of_the_energy) {
    carom_model *model = world_model(origin, 0.0);
    carom_flex_def one = leaning(crm_vec3(0.0, 0.0, 0.0), origin), other = at(crm_vec3(0.095, 0.02, 0.01), origin);
    const carom_flex flex[2] = {flexible_box(model, cube, 2, 1, &one), flexible_box(model, cube, 2, 1, &other)};
    carom_method_def def = steps_of(1e-5, 100.0);
    carom_state *state = flexible_state(model, &def);
    crm_newmark *newmark = state->method_data;
    static carom_vec3 x[2][27], along[2][27];
    crm_random random = {.seed = 7};
    for (int trial = 0; trial < 20; trial++) {
        for (int f = 0; f < 2; f++) {
            carom_state_get_nodes(state, flex[f], x[f], NULL, NULL);
            for (int i = 0; i < 27; i++) along[f][i] = crm_random_direction(&random);
        }
        for (int f = 0; f < 2; f++) // not where they began: lattices have kinks
            for (int i = 0; i < 27; i++) x[f][i] = crm_madd(x[f][i], 1e-3, along[f][i]);
        for (int f = 0; f < 2; f++) carom_state_set_nodes(state, flex[f], x[f], along[f], NULL);
        crm_vec6 wrench[54], damped[54];
        memset(wrench, 0, sizeof wrench);
        memset(damped, 0, sizeof damped);
        CHECK_INT(crm_piece_contact_forces(state, &newmark->contact.pieces, state->motions, wrench, damped, NULL), 0);
        crm_flex_forces_add(model, state->motions, NULL, 0, wrench, damped);
        double work = 0.0, size = 0.0;
        for (int i = 0; i < 54; i++) {
            carom_vec3 d = along[i / 27][i % 27];
            work += crm_dot(wrench[i].linear, d);
            size += crm_length(wrench[i].linear);
        }
        CHECK(newmark->contact.pieces.found[newmark->contact.pieces.last].touches.list.count > 10);
        CHECK_NEAR(slope_of_energy(state, flex, 2, x, along, 1e-8), -work, 1e-5 * size);
    }
    world_destroy(state);
}

// ---- shapes

TEST(bodies_of_all_shapes_are_hit_without_a_change_of_momenta) {
    for (int kind = 0; kind < 4; kind++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.0, 1.0);
        carom_model_shape shapes[4] = {touching_box(model, 0.1, 0.15, 0.1),
                                       touching_sphere(model, 0.06),
                                       touching_ellipsoid(model, 0.08, 0.05, 0.06),
                                       {0}};
        const carom_vec3 corners[] = {{0.1, 0, 0}, {-0.05, 0.1, 0}, {-0.05, -0.1, 0}, {0, 0, 0.1}, {0, 0.02, -0.1}};
        carom_shape_def hull = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
        hull.polytope.vertex_count = 5;
        hull.polytope.vertices = corners;
        shapes[3] = touching_shape(model, &hull);
        carom_body_def body = touching_def(model, shapes[kind], material, 0.3, crm_vec3(0.16, 0.03, 0.02));
        body.velocity = crm_vec3(-0.8, 0.0, 0.1);
        body.spin = crm_vec3(1.0, -2.0, 3.0);
        body.attitude = (carom_quat){0.96, 0.0, 0.28, 0.0};
        world_add(model, &body);
        carom_flex_def soft = leaning(origin, crm_vec3(0.2, 0.0, 0.0));
        flexible_box(model, cube, 2, 1, &soft);
        carom_method_def def = steps_of(2e-4, 200.0);
        carom_state *state = flexible_state(model, &def);
        carom_momentum before = carom_state_momentum(state);
        impact of = run_impact(state, 500);
        CHECK(of.touching > 20);
        CHECK(of.energy_error < 2e-2);
        check_momenta(state, &before, 1e-13);
        world_destroy(state);
    }
}

// Thrown on a floor without gravity, a cube comes back with what its elements do not keep swinging, and the floor has
// what it lost of momentum.
TEST(floors_throw_bodies_back) {
    for (int fixed_box = 0; fixed_box < 2; fixed_box++) {
        carom_model *model = world_model(origin, 0.0);
        carom_material material = touching_material(model, 0.0, 1.0);
        carom_model_shape shape = fixed_box ? touching_box(model, 2.0, 2.0, 0.2) : touching_floor(model);
        touching_add(model, shape, material, 0.0, crm_vec3(0.0, 0.0, fixed_box ? -0.1 : 0.0));
        carom_flex_def soft = at(crm_vec3(0.01, 0.0, 0.06), crm_vec3(0.1, 0.0, -0.5));
        carom_flex flex = flexible_box(model, cube, 2, 1, &soft);
        carom_method_def def = steps_of(2e-4, 100.0);
        carom_state *state = flexible_state(model, &def);
        carom_momentum before = carom_state_momentum(state);
        impact of = run_impact(state, 500);
        CHECK(of.touching > 50 && of.overlap > 1e-3 && of.energy_error < 2e-2);
        carom_momentum after = carom_state_momentum(state);
        CHECK(after.linear.z > 0.5 * -before.linear.z);
        if (!fixed_box) CHECK_NEAR(after.linear.x, before.linear.x, 1e-14); // a box has a beta that leans
        carom_vec3 x[27];
        carom_state_get_nodes(state, flex, x, NULL, NULL);
        for (int i = 0; i < 27; i++) CHECK(x[i].z > 0.0);
        world_destroy(state);
    }
}

// ---- a step's promises

TEST(damping_takes_energy_and_no_momentum) {
    double left[2];
    for (int damped = 0; damped < 2; damped++) {
        carom_model *model = world_model(origin, 0.0);
        carom_flex_def one = leaning(origin, crm_vec3(0.5, 0.0, 0.0)), other = at(crm_vec3(0.14, 0.02, 0.0), origin);
        flexible_box(model, cube, 2, 1, &one);
        flexible_box(model, cube, 2, 1, &other);
        carom_method_def def = steps_of(2e-4, 100.0);
        def.potential.damping = damped ? 0.3 : 0.0;
        carom_state *state = flexible_state(model, &def);
        carom_momentum before = carom_state_momentum(state);
        double energy = world_energy(state), remainder = 0.0;
        for (int i = 0; i < 500; i++) remainder += world_run(state, 1).ledger.remainder;
        left[damped] = world_energy(state) / energy;
        CHECK_NEAR(remainder / energy, 0.0, 2e-2);
        check_momenta(state, &before, 1e-13);
        world_destroy(state);
    }
    CHECK_NEAR(left[0], 1.0, 2e-2);
    CHECK(left[1] < 0.95);
}

// Without a given stiffness the step resolves the contacts; with one that is too large a step says so.
TEST(stiffness_is_what_the_step_resolves) {
    for (int given = 0; given < 2; given++) {
        carom_model *model = world_model(origin, 0.0);
        carom_flex_def one = leaning(origin, crm_vec3(0.5, 0.0, 0.0)), other = at(crm_vec3(0.14, 0.02, 0.0), origin);
        flexible_box(model, cube, 2, 1, &one);
        flexible_box(model, cube, 2, 1, &other);
        carom_method_def def = steps_of(2e-4, given ? 1e5 : 0.0);
        carom_state *state = flexible_state(model, &def);
        carom_step_report report = {.outcome = CAROM_STEP_GOOD};
        double share = 0.0;
        for (int i = 0; i < 500 && report.outcome == CAROM_STEP_GOOD; i++) {
            CHECK_INT(carom_step(model, state, NULL, &report, NULL), CAROM_OK);
            share = fmax(share, report.flex_limit_share);
        }
        CHECK_INT(report.outcome, given ? CAROM_STEP_BROKEN : CAROM_STEP_GOOD);
        CHECK((share > 1.0) == given);
        if (given) CHECK_CONTAINS(report.text, "that are stable for flexible bodies that touch");
        world_destroy(state);
    }
}

static carom_state *two_on_a_floor(const carom_allocator *allocator, int threads) {
    carom_model_def model_def = carom_model_def_default();
    carom_model *model = NULL;
    model_def.allocator = allocator;
    carom_error error = {.text = ""};
    if (carom_model_create(&model_def, &model, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    carom_material material = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_floor(model), material, 0.0, origin);
    touching_add(model, touching_sphere(model, 0.03), material, 0.1, crm_vec3(0.0, 0.0, 0.25));
    carom_flex_def one = at(crm_vec3(0.0, 0.0, 0.0495), origin), other = leaning(crm_vec3(0.02, 0.0, 0.16), origin);
    flexible_box(model, cube, 2, 1, &one);
    flexible_box(model, cube, 2, 1, &other);
    carom_method_def def = steps_of(2e-4, 200.0);
    def.threads = threads;
    return flexible_state(model, &def);
}

TEST(steps_in_contact_allocate_nothing_once_warm) {
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_state *state = two_on_a_floor(&hook, 1);
    world_run(state, 1200);
    long long calls = probe.calls;
    carom_step_report report = world_run(state, 100);
    CHECK(report.contacts > 5);
    CHECK(probe.calls - calls <= 0);
    world_destroy(state);
    CHECK_INT(probe.live_blocks, 0);
}

TEST(a_saved_state_goes_on_to_the_same_bits) {
    carom_state *state = two_on_a_floor(NULL, 1), *other = two_on_a_floor(NULL, 2);
    world_run(state, 300);
    world_run(other, 300);
    CHECK(carom_state_hash(state) == carom_state_hash(other));
    size_t size = carom_state_size(state);
    void *bytes = malloc(size);
    carom_error error = {.text = ""};
    CHECK(bytes != NULL);
    carom_state_save(state, bytes);
    world_run(state, 200);
    if (carom_state_load(other, bytes, size, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    world_run(other, 200);
    CHECK(carom_state_hash(state) == carom_state_hash(other));
    free(bytes);
    world_destroy(state);
    world_destroy(other);
}

static carom_model *touching_cubes(const carom_allocator *hook, bool whole) {
    carom_model_def def = carom_model_def_default();
    def.gravity = origin;
    def.allocator = hook;
    carom_model *model = NULL;
    CHECK_INT(carom_model_create(&def, &model, NULL), CAROM_OK);
    carom_material material = touching_material(model, 0.0, 1.0);
    touching_add(model, touching_sphere(model, 0.03), material, 0.1, crm_vec3(-0.079, 0.0, 0.0));
    carom_flex_def one = at(origin, crm_vec3(0.5, 0.0, 0.0)), other = leaning(crm_vec3(0.12, 0.01, 0.0), origin);
    one.pieces = other.pieces = whole ? CAROM_FLEX_PIECES_WHOLE : CAROM_FLEX_PIECES_ELEMENTS;
    one.self_contact = true;
    flexible_box(model, cube, 1, 1, &one);
    flexible_box(model, cube, 1, 1, &other);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    return model;
}

TEST(any_refused_allocation_is_said_and_leaks_nothing) {
    carom_method_def method = steps_of(5e-4, 100.0);
    for (int whole = 0; whole < 2; whole++) check_refused_allocations(&method, touching_cubes, whole == 1);
}

TEST(groups_with_substeps_are_refused) {
    carom_model *model = world_model(origin, 0.0);
    flexible_box(model, cube, 2, 1, NULL);
    carom_method_def def = steps_of(2e-4, 100.0);
    def.potential.contact_substeps = 4;
    carom_error error = {.text = ""};
    carom_state *state = NULL;
    CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
    CHECK_INT(carom_state_create(model, &def, &state, &error), CAROM_ERR_UNSUPPORTED);
    CHECK_CONTAINS(error.text, "contact_substeps is 4");
    carom_model_destroy(model);
}

// What can touch nothing takes any member.
TEST(implicit_members_have_no_contact) {
    for (int alone = 0; alone < 2; alone++) {
        carom_model *model = world_model(origin, 0.0);
        carom_flex_def def = at(crm_vec3(0.2, 0.0, 0.0), origin);
        if (alone) def.meets = 0;
        flexible_box(model, cube, 2, 1, NULL);
        flexible_box(model, cube, 2, 1, &def);
        carom_method_def method = steps_of(2e-4, 100.0);
        method.potential.beta = 0.25;
        carom_error error = {.text = ""};
        carom_state *state = NULL;
        CHECK_INT(carom_model_freeze(model, &error), CAROM_OK);
        CHECK_INT(carom_state_create(model, &method, &state, &error), alone ? CAROM_OK : CAROM_ERR_UNSUPPORTED);
        if (!alone) CHECK_CONTAINS(error.text, "has contacts of flexible bodies, and flexible body 0 can touch");
        carom_state_destroy(state);
        carom_model_destroy(model);
    }
}

TEST_MAIN(CASE(an_oblique_impact_changes_no_momentum), CASE(energy_errors_of_impacts_fall_with_the_step),
          CASE(symmetric_impacts_stay_symmetric), CASE(faces_on_faces_change_no_momentum),
          CASE(forces_are_the_gradient_of_the_energy), CASE(bodies_of_all_shapes_are_hit_without_a_change_of_momenta),
          CASE(floors_throw_bodies_back), CASE(damping_takes_energy_and_no_momentum),
          CASE(stiffness_is_what_the_step_resolves), CASE(steps_in_contact_allocate_nothing_once_warm),
          CASE(a_saved_state_goes_on_to_the_same_bits), CASE(any_refused_allocation_is_said_and_leaks_nothing),
          CASE(groups_with_substeps_are_refused), CASE(implicit_members_have_no_contact))

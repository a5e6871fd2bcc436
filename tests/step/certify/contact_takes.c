// SPDX-License-Identifier: MIT
// Friction never adds energy, and impacts in runs never do, whatever restitution and friction their bodies have: the
// lines of the ledger in every step of random scenes in rooms.
#include <math.h>
#include <stdio.h>

#include "carom/carom.h"
#include "support/harness/check.h"
#include "support/model/joints.h"
#include "support/scene/structure_scene.h"

typedef struct most {
    double friction, contact; // work in a step, of the scale of energy
    double taken;             // over the run, the same
} most;

static most watch(carom_method_def method, uint64_t seed) {
    structure_scene made =
        structure_scene_make(&(structure_scene_def){.seed = seed, .gravity = true, .room = true, .materials = true});
    carom_error error = {.text = ""};
    carom_state *state = NULL;
    method.step = 0.01 * made.time;
    CHECK_INT(carom_model_freeze(made.model, &error), CAROM_OK);
    if (!CHECK_INT(carom_state_create(made.model, &method, &state, &error), CAROM_OK)) return (most){0.0, 0.0, 0.0};
    carom_energy energy = carom_state_energy(state);
    double kinetic = energy.kinetic, low = energy.potential, high = low;
    most m = {0.0, 0.0, 0.0};
    for (int i = 0; i < 150; i++) {
        carom_step_report r;
        CHECK_INT(carom_step(made.model, state, NULL, &r, &error), CAROM_OK);
        if (r.outcome == CAROM_STEP_IMPOSSIBLE) break;
        kinetic = fmax(kinetic, r.energy.kinetic);
        low = fmin(low, r.energy.potential), high = fmax(high, r.energy.potential);
        m.friction = fmax(m.friction, r.ledger.friction);
        m.contact = fmax(m.contact, r.ledger.impacts + r.ledger.friction);
        m.taken -= r.ledger.impacts + r.ledger.friction;
    }
    double scale = kinetic + high - low;
    world_destroy(state);
    return (most){m.friction / scale, m.contact / scale, m.taken / scale};
}

// `allowed`: of contacts in a step; what forces of the same step do to velocities is not in their work.
static void check(carom_method kind, carom_impulse_variant variant, double allowed) {
    carom_method_def method = carom_method_def_default();
    most worst = {0.0, 0.0, 0.0};
    method.method = kind;
    method.impulse.variant = variant;
    for (uint64_t seed = 0; seed < 20; seed++) {
        most m = watch(method, seed);
        CHECK(m.friction <= 0.0);
        CHECK(m.contact <= allowed);
        worst.contact = fmax(worst.contact, m.contact);
        worst.taken = fmax(worst.taken, m.taken);
    }
    CHECK(worst.taken > 0.01 || kind == CAROM_METHOD_EXACT); // there is something to see
    printf("  %s: contacts give at most %.1e of the energy in a step\n", carom_method_name(kind), worst.contact);
}

TEST(where_collisions_are_found_in_time) {
    check(CAROM_METHOD_IMPULSE, CAROM_IMPULSE_EVENTS, 1e-14);
    check(CAROM_METHOD_EXACT, CAROM_IMPULSE_AUTO, 1e-14);
    check(CAROM_METHOD_DCR, CAROM_IMPULSE_AUTO, 1e-14);
}

TEST(in_fixed_steps) {
    check(CAROM_METHOD_LCP, CAROM_IMPULSE_AUTO, 1e-5);
    check(CAROM_METHOD_IMPULSE, CAROM_IMPULSE_FIXED, 1e-5);
    check(CAROM_METHOD_PENALTY, CAROM_IMPULSE_AUTO, 1e-3);
}

TEST_MAIN(CASE(where_collisions_are_found_in_time), CASE(in_fixed_steps))

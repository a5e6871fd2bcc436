// SPDX-License-Identifier: MIT
// What was wrong with an island stays wrong when it becomes part of a larger one.
#include <math.h>

#include "carom/carom.h"
#include "step/certify/accounts.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/model/joints.h"

// Two bodies, each an island that has run for a while: the first has gained and lost half of its energy.
static carom_state *two_islands(void) {
    carom_model *model = world_model(crm_vec3_zero(), 0.0);
    carom_material material = touching_material(model, 0.0, 0.0);
    for (int i = 0; i < 2; i++) {
        carom_body_def def =
            touching_def(model, touching_sphere(model, 0.1), material, 1.0, crm_vec3(3.0 * i, 0.0, 0.0));
        world_add(model, &def);
    }
    carom_method_def method = carom_method_def_default();
    carom_state *state = touching_state(model, &method);
    crm_island_account *small = &state->accounts.island[0], *large = &state->accounts.island[1];
    small->begun = large->begun = true;
    small->kinetic_most = 2.0, large->kinetic_most = 1e9;
    const crm_swing half = {.largest = 1.0, .step = 7};
    small->balance = small->passive = small->unexplained = half;
    small->step_gain = (crm_share){1.0, 7};
    return state;
}

TEST(what_an_island_has_gained_and_lost_stays_when_it_is_joined) {
    static const carom_rule rules[] = {CAROM_RULE_ENERGY_GAIN, CAROM_RULE_STEP_ENERGY_GAIN, CAROM_RULE_PASSIVE_GAIN,
                                       CAROM_RULE_ENERGY_LOSS};
    carom_state *state = two_islands();
    carom_finding before[CAROM_RULE_COUNT], after[CAROM_RULE_COUNT];
    carom_state_findings(state, before);
    crm_accounts_join(state, 0, 1);
    carom_state_findings(state, after);
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        CHECK_NEAR(before[rules[i]].value, 0.5, 1e-15);
        CHECK_NEAR(after[rules[i]].value, 0.5, 1e-15);
        CHECK_INT(after[rules[i]].step, 7);
    }
    world_destroy(state);
}

TEST_MAIN(CASE(what_an_island_has_gained_and_lost_stays_when_it_is_joined))

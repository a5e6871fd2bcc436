// SPDX-License-Identifier: MIT
// The table of the rules of verdicts, with the bounds that were measured on right and wrong runs (docs/verdict.md).
#include <math.h>
#include <stddef.h>

#include "carom/verdict.h"

#define NEVER INFINITY

// clang-format off
static const carom_rule_def rules[CAROM_RULE_COUNT] = {
    [CAROM_RULE_NOT_FINITE] = {"not_finite", "steps with numbers that are not finite", 0.0, 0.0,
        "Energies or momenta were not finite in %s or more steps", false},
    [CAROM_RULE_BROKEN_STEPS] = {"broken_steps", "share of the steps whose contract broke", 0.0, 0.05,
        "The contract broke in %s of the steps", true},
    [CAROM_RULE_MISSED_STEPS] = {"missed_steps", "share of the steps that were solved less far than asked for", 0.05, NEVER,
        "%s of the steps were solved less far than asked for", true},
    [CAROM_RULE_MISSED_RESIDUAL] = {"missed_residual", "largest residual of those over what was asked for", 10.0, NEVER,
        "A step was solved to %s times the residual that was asked for, and no further", false},
    [CAROM_RULE_ENERGY_GAIN] = {"energy_gain", "largest rise of the energy beyond the work of inputs, of its scale", 0.05, 0.20,
        "Energy came from nowhere, %s of its scale over the run", true},
    [CAROM_RULE_STEP_ENERGY_GAIN] = {"step_energy_gain", "the same in one step", 0.02, 0.10,
        "Energy came from nowhere in one step, %s of its scale", true},
    [CAROM_RULE_PASSIVE_GAIN] = {"passive_gain", "largest rise of the work of drag and dampers, of the scale of energy", 1e-3, 0.05,
        "Drag or dampers, which only take energy, gave %s of its scale", true},
    [CAROM_RULE_ENERGY_LOSS] = {"energy_loss", "largest fall of the energy that no force explains, of its scale", 0.20, NEVER,
        "Energy went that nothing took, %s of its scale", true},
    [CAROM_RULE_JOINT_OPEN] = {"joint_open", "opening of a joint over the size of the smaller joined body, or rad", 5e-3, 0.05,
        "A joint was open by %s of the smaller body's size", true},
    [CAROM_RULE_OVERLAP] = {"overlap", "depth of an overlap over the size of the smaller body", 0.05, 0.50,
        "Bodies overlap by up to %s of the smaller one's size", true},
    [CAROM_RULE_START_OVERLAP] = {"start_overlap", "the same at the start", 1e-6, NEVER,
        "Bodies started inside each other, by %s of the smaller one's size", true},
    [CAROM_RULE_SOFT_CONTACT] = {"soft_contact", "what contacts of `penalty` give way under a body that stands on another at the start, over the thickness of the thinner one", 3e-3, NEVER,
        "Bodies that touch at the start sink into each other by %s of the thinner one's thickness or more: contacts are soft", true},
    [CAROM_RULE_PASSED_THROUGH] = {"passed_through", "steps in which a body's centre passed through another body", NEVER, 0.0,
        "A body passed through another one, in %s steps or more", false},
    [CAROM_RULE_WAY] = {"way", "relative way of a pair in a step over its mean thickness, where they meet", 1.0, NEVER,
        "Bodies moved %s times their mean thickness against each other in a step, and may pass through", false},
    [CAROM_RULE_NO_CONTACT] = {"no_contact", "steps in which bodies overlap under a method without contact", 0.0, NEVER,
        "Bodies are inside each other, in %s steps or more, as this method has no contact", false},
    [CAROM_RULE_IGNORED_MATERIAL] = {"ignored_material", "steps in which bodies touch whose friction or restitution the method does not look at", 0.0, NEVER,
        "Contacts of this method are elastic and smooth, whatever materials say: bodies touch in %s steps or more", false},
    [CAROM_RULE_SPRING_RATE] = {"spring_rate", "step times the frequency of a spring that is taken explicitly", 1.0, 2.0,
        "A spring is too stiff for the step: step times frequency is %s", false},
    [CAROM_RULE_DAMPING_RATE] = {"damping_rate", "step times the rate of decay of damping that is taken explicitly", 1.0, 2.0,
        "Damping is too strong for the step: step times rate of decay is %s", false},
    [CAROM_RULE_GYROSCOPIC_RATE] = {"gyroscopic_rate", "step times the rate at which an uneven body tumbles", 0.5, 2.0,
        "A body tumbles too fast for the step: step times rate is %s", false},
    [CAROM_RULE_CHARGE_RATE] = {"charge_rate", "step times the rate at which charges fall together, or that of a pair law or a field", 1.0, NEVER,
        "Charges come too close, or a pair law or a field is too stiff, for the step: step times rate is %s", false},
    [CAROM_RULE_JOINT_RATE] = {"joint_rate", "step times the rate at which joined bodies rotate or swing", 1.0, NEVER,
        "Joined bodies swing or rotate too fast for the step: step times rate is %s", false},
    [CAROM_RULE_CONE] = {"cone", "tangential impulses outside of the friction cone, of the normal ones", 1e-3, NEVER,
        "Friction is outside of its cone by %s of the normal impulses", true},
    [CAROM_RULE_FRICTION_DIRECTION] = {"friction_direction", "friction across the slip, of what friction may be", 0.2, NEVER,
        "Friction acts across the slip, by %s of what it may be", true},
    [CAROM_RULE_IMPULSE_APART] = {"impulse_apart", "impulses between bodies that end apart, of all", 0.05, NEVER,
        "%s of the impulses act between bodies that are apart", true},
    [CAROM_RULE_UNEXPLAINED_WAY] = {"unexplained_way", "displacement that no velocity explains, over the size of the body", 1e-2, NEVER,
        "A body moved by %s of its size without a velocity", true},
    [CAROM_RULE_SMOOTH_SPIN] = {"smooth_spin", "spin that smooth contacts gave to a ball, over its speed", 1e-3, NEVER,
        "Smooth contacts made a body spin, by %s of its speed", true},
    [CAROM_RULE_REBOUND] = {"rebound", "rebound beyond the restitution", 0.1, NEVER,
        "Bodies rebound by %s more than their restitution", true},
    [CAROM_RULE_LIMITED_IMPACT] = {"limited_impact", "impacts that were limited, as their law would have made energy", 0.0, NEVER,
        "The law of impact would have made energy: %s impacts were limited to what keeps it", false},
    [CAROM_RULE_UNCONFIRMED] = {"unconfirmed", "difference to the run at half the step, over 2 % of way and size", 1.0, NEVER,
        "The run at half the step differs, by %s times 2 %% of way and size", false},
    [CAROM_RULE_PLAN_BOUND] = {"plan_bound", "of a plan, the worst line of its certificate over its bound", NEVER, 1.0,
        "The plan misses what it promises: a line of its certificate is %s times its bound", false},
    [CAROM_RULE_PLAN_OPTIMUM] = {"plan_optimum", "of a plan that is not proven to be a local optimum: its first-order error over the bound, at least 1", 0.0, NEVER,
        "The plan keeps what it promises, but is not proven to be a local optimum: its first-order error is %s of the bound, or its inertia is wrong", false},
};
// clang-format on

const carom_rule_def *carom_rule_get(carom_rule rule) {
    return (int)rule >= 0 && rule < CAROM_RULE_COUNT ? &rules[rule] : NULL;
}

carom_colour carom_rule_colour(carom_rule rule, double value) {
    const carom_rule_def *def = carom_rule_get(rule);
    if (def == NULL || isnan(value)) return CAROM_COLOUR_RED;
    return value > def->red ? CAROM_COLOUR_RED : value > def->amber ? CAROM_COLOUR_AMBER : CAROM_COLOUR_GREEN;
}

const char *carom_colour_name(carom_colour colour) {
    switch (colour) {
    case CAROM_COLOUR_GREEN:
        return "green";
    case CAROM_COLOUR_AMBER:
        return "amber";
    case CAROM_COLOUR_RED:
        return "red";
    }
    return "?";
}

// SPDX-License-Identifier: MIT
/// @file
/// Verdicts: what a run is worth, in one colour and one sentence. Every rule is a line of one table
/// (src/record/verdict_rules.c), told in docs/verdict.md; terminal, JSON, pages, the gallery and exit codes follow it.
#ifndef CAROM_VERDICT_H
#define CAROM_VERDICT_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/api.h"
#include "carom/types.h"

/// How a run is to be taken.
typedef enum carom_colour {
    CAROM_COLOUR_GREEN, ///< It reached its end, and no rule found anything.
    CAROM_COLOUR_AMBER, ///< Something is worth a look: see the sentence.
    CAROM_COLOUR_RED,   ///< Not to be trusted, or the run could not go on.
} carom_colour;

/// What is looked at. docs/verdict.md has the definition of each number.
typedef enum carom_rule {
    CAROM_RULE_NOT_FINITE,         ///< Steps with a number that is none, or infinite.
    CAROM_RULE_BROKEN_STEPS,       ///< Share of the steps whose contract broke.
    CAROM_RULE_MISSED_STEPS,       ///< Share of the steps that were solved less far than asked for.
    CAROM_RULE_MISSED_RESIDUAL,    ///< Largest residual of those over what was asked for.
    CAROM_RULE_ENERGY_GAIN,        ///< Largest rise of the energy balance of an island, of its scale.
    CAROM_RULE_STEP_ENERGY_GAIN,   ///< The same in one step.
    CAROM_RULE_PASSIVE_GAIN,       ///< Largest rise of the work of drag and dampers, of the scale.
    CAROM_RULE_ENERGY_LOSS,        ///< Largest fall beyond friction, impacts, limits and dampers, of the scale.
    CAROM_RULE_JOINT_OPEN,         ///< Opening of a joint over the size of the smaller joined body, or rad.
    CAROM_RULE_OVERLAP,            ///< Depth over the size of the smaller body.
    CAROM_RULE_START_OVERLAP,      ///< The same at the start, before anything was done about it.
    CAROM_RULE_SOFT_CONTACT,       ///< How far springs of contacts give way under what stands on them at the start.
    CAROM_RULE_PASSED_THROUGH,     ///< Steps in which a body's centre passed through another body.
    CAROM_RULE_WAY,                ///< Relative way of a pair in a step over its mean thickness, where they meet.
    CAROM_RULE_NO_CONTACT,         ///< Steps in which bodies overlap under a method without contact.
    CAROM_RULE_IGNORED_MATERIAL,   ///< Steps in which bodies touch whose friction or restitution the method ignores.
    CAROM_RULE_SPRING_RATE,        ///< h times the frequency of springs that are taken explicitly.
    CAROM_RULE_DAMPING_RATE,       ///< h times the rate of decay by dampers, drag and fluids that are taken explicitly.
    CAROM_RULE_GYROSCOPIC_RATE,    ///< h times the rate at which an uneven body tumbles.
    CAROM_RULE_CHARGE_RATE,        ///< h times the rate of falling together of charges, or of a pair law or a field.
    CAROM_RULE_JOINT_RATE,         ///< h times the rate at which joined bodies rotate or swing.
    CAROM_RULE_CONE,               ///< Tangential impulses outside of the friction cone, of the normal ones.
    CAROM_RULE_FRICTION_DIRECTION, ///< Friction across the slip, of what friction may be.
    CAROM_RULE_IMPULSE_APART,      ///< Impulses between bodies that end apart, of all.
    CAROM_RULE_UNEXPLAINED_WAY,    ///< Displacement that no velocity explains, over the size of the body.
    CAROM_RULE_SMOOTH_SPIN,        ///< Spin that smooth contacts gave to a ball, over its speed.
    CAROM_RULE_REBOUND,            ///< Rebound beyond the restitution.
    CAROM_RULE_LIMITED_IMPACT,     ///< Impacts whose law would have made energy, and were limited.
    CAROM_RULE_UNCONFIRMED,        ///< Difference to the run at half the step, of 2 % of way and size.
    CAROM_RULE_PLAN_BOUND,         ///< Of a plan: the worst line of its certificate over its bound.
    CAROM_RULE_PLAN_OPTIMUM,       ///< Of a plan that is not proven to be a local optimum: 1 or more.
    CAROM_RULE_COUNT
} carom_rule;

/// The worst that a rule has seen of a run. Starts as {0, -1, -1, -1}: nothing.
typedef struct carom_finding {
    double value;
    int64_t body, other; ///< Whose it is; -1: nobody's, or the whole system's.
    int64_t step;        ///< -1: none, or the whole run.
} carom_finding;

/// A rule as the table has it.
typedef struct carom_rule_def {
    const char *name;    ///< As JSON and tables have it, such as "energy_gain".
    const char *text;    ///< What the number is.
    double amber, red;   ///< Values above are of that colour; infinite: none is.
    const char *finding; ///< The sentence of a finding, with one %s for the number.
    bool percent;        ///< The number is told in %.
} carom_rule_def;

typedef struct carom_verdict {
    carom_colour colour;
    char sentence[512];
    int64_t step; ///< To look at; -1: none.
    double time;  ///< Of it, s.
} carom_verdict;

CAROM_BEGIN_C

CAROM_API const char *carom_colour_name(carom_colour colour);    ///< "green", "amber", "red"; "?" for no colour.
CAROM_API const carom_rule_def *carom_rule_get(carom_rule rule); ///< NULL for a number that is none.
CAROM_API carom_colour carom_rule_colour(carom_rule rule, double value); ///< Of a value that is no number: red.
CAROM_API carom_finding carom_finding_none(void);

CAROM_END_C

#endif

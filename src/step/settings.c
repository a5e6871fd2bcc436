// SPDX-License-Identifier: MIT
// The table of settings, and all that follows from it: defaults, checks, what a state is compared by.
//
// Scenes are read and written by this table, too, and the schema and the tables of docs/scene.md come from it: a new
// setting is a line here, a member of its definition in carom/step.h, and a run of build/settings_tables.
#include "step/settings.h"

#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/pool.h"
#include "carom/tools.h"
#include "model/step_plan.h"

// ---- words

#define WORDS(name, ...)                                  \
    static const char *name(int index) {                  \
        static const char *const words[] = {__VA_ARGS__}; \
        return words[index];                              \
    }

WORDS(form, [CAROM_EULER_MOMENTUM] = "momentum", [CAROM_EULER_VELOCITY] = "velocity")
WORDS(integrator, [CAROM_INTEGRATOR_DP54] = "dp54", [CAROM_INTEGRATOR_RK4] = "rk4", [CAROM_INTEGRATOR_EULER] = "euler")
WORDS(stabilisation, [CAROM_STABILISATION_PROJECTION] = "projection", [CAROM_STABILISATION_BAUMGARTE] = "baumgarte")
WORDS(accuracy, [CAROM_ACCURACY_DEFAULT] = "default", [CAROM_ACCURACY_FAST] = "fast",
      [CAROM_ACCURACY_PRECISE] = "precise")
WORDS(friction, [CAROM_FRICTION_CONE] = "cone", [CAROM_FRICTION_RELAXED] = "relaxed",
      [CAROM_FRICTION_PYRAMID] = "pyramid")
WORDS(restitution, [CAROM_RESTITUTION_NEWTON] = "newton", [CAROM_RESTITUTION_POISSON] = "poisson")
WORDS(measure, [CAROM_MEASURE_FEATURES] = "features", [CAROM_MEASURE_GAP] = "gap", [CAROM_MEASURE_RAY] = "ray")
WORDS(variant, [CAROM_IMPULSE_AUTO] = "auto", [CAROM_IMPULSE_EVENTS] = "events", [CAROM_IMPULSE_FIXED] = "fixed")
WORDS(simultaneous, [CAROM_SIMULTANEOUS_SEQUENCE] = "sequence", [CAROM_SIMULTANEOUS_TOGETHER] = "together")
WORDS(penalty_friction, [CAROM_PENALTY_SPRING] = "spring", [CAROM_PENALTY_VISCOUS] = "viscous")
WORDS(jump, [CAROM_JUMP_HAMILTONIAN] = "hamiltonian", [CAROM_JUMP_DISCRETE] = "discrete")

WORDS(flex_scheme, [CAROM_FLEX_SCHEME_ENERGY_MOMENTUM] = "energy_momentum", [CAROM_FLEX_SCHEME_MIDPOINT] = "midpoint")

static const char *method(int index) {
    return carom_method_name((carom_method)index);
}

static const char *solver(int index) {
    return carom_solver_name((carom_solver)index);
}

static const char *law(int index) {
    return carom_impact_law_name((carom_impact_law)index);
}

// ---- the table

// A member has the name of its key; in a group, of the definition that has the name of the group.
#define TOP(key) "", #key, offsetof(carom_method_def, key)
#define OF(group, key) #group, #key, offsetof(carom_method_def, group) + offsetof(carom_##group##_def, key)

#define ABOVE(low) \
    { low, INFINITY, true, true }
#define FROM(low) \
    { low, INFINITY, false, true }
#define FROM_TO(low, high) \
    { low, high, false, false }
#define FROM_BELOW(low, high) \
    { low, high, false, true }
#define BETWEEN(low, high) \
    { low, high, true, true }
#define ABOVE_TO(low, high) \
    { low, high, true, false }
#define AT_LEAST(low) \
    { low, INT_MAX, false, false }

#define NUMBER(unit, range, fallback) CAROM_SETTING_NUMBER, unit, range, fallback, 0, NULL
#define WHOLE(range, fallback) CAROM_SETTING_WHOLE, "", range, fallback, 0, NULL
#define EVEN(range, fallback) CAROM_SETTING_EVEN, "", range, fallback, 0, NULL
#define WORD(word, count, fallback) CAROM_SETTING_WORD, "", FROM_TO(0, (count)-1), fallback, count, word
#define TRUTH(fallback) CAROM_SETTING_TRUTH, "", FROM_TO(0, 1), fallback, 0, NULL

// clang-format off
static const carom_setting settings[] = {
    {"", "name", offsetof(carom_method_def, method), WORD(method, CAROM_METHOD_COUNT, CAROM_METHOD_LCP),
     "The method: [which to take](#which-method)."},
    {TOP(step), NUMBER("s", ABOVE(0), 1.0 / 240.0),
     "Time from one state to the next."},
    {TOP(form), WORD(form, 2, CAROM_EULER_MOMENTUM),
     "Of `euler`: which quantities are integrated."},
    {TOP(tolerance), NUMBER("", BETWEEN(0, 1), 1e-13),
     "Of `variational` and `potential`: residual of the equations, relative."},
    {TOP(iteration_limit), WHOLE(FROM_TO(1, 1000000), 50),
     "Of `variational` and `potential`: Newton iterations before a step is given up."},
    {TOP(integrator), WORD(integrator, CAROM_INTEGRATOR_COUNT, CAROM_INTEGRATOR_DP54),
     "Of `multiplier` and `reduced`: how a step is gone through."},
    {TOP(relative_tolerance), NUMBER("", FROM_BELOW(1e-15, 1), 1e-9),
     "Of `dp54`: error of a substep relative to each position, attitude (1 rad) and velocity."},
    {TOP(absolute_tolerance), NUMBER("m, rad, m/s, rad/s", ABOVE(0), 1e-12),
     "Of `dp54`: error of a substep that is always allowed."},
    {TOP(substep_limit), WHOLE(FROM_TO(1, 1000000000), 10000),
     "Of `dp54`: substeps, tried ones included, before a step is given up."},
    {TOP(stabilisation), WORD(stabilisation, CAROM_STABILISATION_COUNT, CAROM_STABILISATION_PROJECTION),
     "Of `multiplier`: what keeps joints from drifting apart."},
    {TOP(baumgarte_alpha), NUMBER("1/s", FROM(0), 20),
     "Of `baumgarte`: joints close by c'' = -2 alpha c' - beta^2 c."},
    {TOP(baumgarte_beta), NUMBER("1/s", FROM(0), 20),
     "Of `baumgarte`: the same."},

    {OF(variational, elastic), WORD(flex_scheme, CAROM_FLEX_SCHEME_COUNT, CAROM_FLEX_SCHEME_ENERGY_MOMENTUM),
     "Forces of the elements of flexible bodies: those that keep the energy exactly, or those at mean positions."},

    {OF(variational, whole_steps), TRUTH(false),
     "Trees are moved by whole steps or not at all; else steps too long for them are divided."},
    {OF(lcp, accuracy), WORD(accuracy, CAROM_ACCURACY_COUNT, CAROM_ACCURACY_DEFAULT),
     "How far steps are solved: 20 sweeps; 1e-3 of what moves and 1e-5 of what rests; 1e-8."},
    {OF(lcp, tolerance), NUMBER("", FROM_BELOW(0, 1), 0),
     "Residual that every step is solved to, scale-free; 0 leaves it to `accuracy`, which is refused beside another."},
    {OF(lcp, budget), NUMBER("s", FROM(0), 0),
     "Work that a step may take for 1,000 contacts; 0 leaves it to `accuracy`: 0.25, of `precise` 20; 0.005 counts at "
     "least."},
    {OF(lcp, gamma), NUMBER("", FROM_TO(0, 1), 1),
     "Share of an overlap or of a joint's error that is undone in a step."},
    {OF(lcp, barrier), NUMBER("m", FROM(0), 0),
     "Contacts act this far before touch."},
    {OF(lcp, push_out), NUMBER("m/s", ABOVE_TO(0, INFINITY), INFINITY),
     "Largest speed at which overlaps, open joints and violated limits are undone."},
    {OF(lcp, friction), WORD(friction, CAROM_FRICTION_COUNT, CAROM_FRICTION_CONE),
     "The law of friction."},
    {OF(lcp, pyramid_sides), EVEN(FROM_TO(4, 64), 8),
     "Of `pyramid`."},
    {OF(lcp, restitution), WORD(restitution, CAROM_RESTITUTION_COUNT, CAROM_RESTITUTION_NEWTON),
     "The law of restitution."},
    {OF(lcp, measure), WORD(measure, CAROM_MEASURE_COUNT, CAROM_MEASURE_FEATURES),
     "What a contact is: every feature of two bodies that meets another, or one point of the gap or of the ray."},
    {OF(lcp, all_contacts), TRUTH(false),
     "Contacts that others stand for have rows, too."},
    {OF(lcp, continuous), TRUTH(false),
     "Fast bodies touch at their time of impact, so that they do not pass through thin ones."},
    {OF(lcp, rest), TRUTH(true),
     "What stands still takes the impulses of an earlier step over, while a bound on their residual allows it."},
    {OF(lcp, solver), WORD(solver, CAROM_SOLVER_COUNT, CAROM_SOLVER_AUTO),
     "The [solver](solvers.md)."},
    {OF(lcp, iterations), WHOLE(AT_LEAST(0), 0),
     "Of the solver on each island of a step, at most; 0 leaves it to the solver."},

    {OF(impulse, variant), WORD(variant, CAROM_IMPULSE_VARIANT_COUNT, CAROM_IMPULSE_AUTO),
     "Steps cut at the times of impacts, or fixed ones; `auto` is `fixed` with joints, else `events`."},
    {OF(impulse, law), WORD(law, CAROM_IMPACT_LAW_COUNT, CAROM_IMPACT_LAW_STRONGE),
     "The law of impact."},
    {OF(impulse, tangential_restitution), NUMBER("", FROM_TO(-1, 1), 0),
     "Of `algebraic`."},
    {OF(impulse, simultaneous), WORD(simultaneous, CAROM_SIMULTANEOUS_COUNT, CAROM_SIMULTANEOUS_SEQUENCE),
     "Several contacts at once one after the other, or, of `newton` and `poisson`, as one problem."},
    {OF(impulse, tolerance), NUMBER("", BETWEEN(0, 1), 1e-6),
     "Residual that contacts and joints are solved to, scale-free."},
    {OF(impulse, joint_tolerance), NUMBER("", BETWEEN(0, 1), 1e-8),
     "Largest error of a joint at the end of a step: a share of the size of the jointed system, or rad."},
    {OF(impulse, rest_speed), NUMBER("m/s", FROM(0), 0),
     "Contacts that close more slowly rest; 0 is the variant's own choice."},
    {OF(impulse, push_out), NUMBER("m/s", ABOVE_TO(0, INFINITY), INFINITY),
     "Largest speed at which overlaps are undone."},
    {OF(impulse, iterations), WHOLE(AT_LEAST(1), 10000),
     "Over all contacts and joints of a phase, at most."},
    {OF(impulse, event_limit), WHOLE(AT_LEAST(1), 1000),
     "Of `events`: impacts in a step, at most."},

    {OF(penalty, stiffness), NUMBER("N/m", FROM(0), 0),
     "Of a pair of bodies, which its contacts share; 0 has it proposed."},
    {OF(penalty, damping), NUMBER("N s/m", FROM(0), 0),
     "Of a pair of bodies; 0 has it proposed, from the restitution of its materials."},
    {OF(penalty, penetration), NUMBER("", ABOVE(0), 0.01),
     "What proposals allow at rest, over the size of the smaller body."},
    {OF(penalty, tangent_stiffness), NUMBER("", ABOVE(0), 2.0 / 7.0),
     "Stiffness and damping along the surface over those along the normal."},
    {OF(penalty, friction), WORD(penalty_friction, CAROM_PENALTY_FRICTION_COUNT, CAROM_PENALTY_SPRING),
     "What holds bodies that do not slide: a spring and damper, or a damper alone."},

    {OF(potential, stiffness), NUMBER("N/m", FROM(0), 0),
     "Of the contact potential; 0 is the stiffest that the step resolves."},
    {OF(potential, overlap), NUMBER("", BETWEEN(0, 1), 0.02),
     "Allowed, relative to the size of the smallest body: a proposed stiffness that cannot keep to it is refused."},
    {OF(potential, damping), NUMBER("N s/m", FROM(0), 0),
     "Of `newmark`: force against the rate of an overlap; 0 is elastic."},
    {OF(potential, contact_substeps), WHOLE(AT_LEAST(1), 1),
     "Of groups of bodies that touch or can touch in a step, at most; all others are moved by one."},
    {OF(potential, contact_tolerance), NUMBER("", FROM(0), 0),
     "Of the change of a group's energy in a step, relative: substeps are doubled until it is met; 0 takes all of them."},
    {OF(potential, all_parts), TRUTH(false),
     "Every two parts of compounds that overlap have a potential, not the deepest two alone."},
    {OF(potential, beta), NUMBER("", FROM_TO(0, 0.5), 0),
     "Of `newmark`: how much of the force at the end moves places; 0 is explicit, 0.25 stable at any step."},
    {OF(potential, gamma), NUMBER("", FROM_TO(0.5, 1), 0.5),
     "Of `newmark`: share of the force at the end in velocities; above 0.5 it damps, at order 1."},
    {OF(potential, implicit_contact), TRUTH(false),
     "Of `newmark`: contacts have one force over a step, by which their potential changes as it does: stable at any "
     "step; all else is as `beta` says."},

    {OF(exact, jump), WORD(jump, CAROM_JUMP_COUNT, CAROM_JUMP_HAMILTONIAN),
     "The energy that a collision keeps."},
    {OF(exact, event_limit), WHOLE(AT_LEAST(1), 1000),
     "Collisions in a step before it is given up."},

    {OF(dcr, tolerance), NUMBER("", BETWEEN(0, 1), 1e-6),
     "Residual that impacts with friction are solved to, scale-free; others to rounding."},
    {OF(dcr, budget), NUMBER("s", ABOVE(0), 1),
     "As that of `lcp`, for all impacts and projections of a step; 0.025 counts at least."},
    {OF(dcr, potential), TRUTH(false),
     "Projections weigh changes of the potential energy, too."},
    {OF(dcr, contact_substeps), WHOLE(AT_LEAST(1), 1),
     "Of groups of bodies that touch or can touch in a step, at most; all others are moved by one."},
    {OF(dcr, contact_tolerance), NUMBER("", FROM(0), 0),
     "Of the change of a group's energy in a step beyond that of impacts, relative: substeps are doubled until it is "
     "met; 0 takes all of them."},
};
// clang-format on

enum { SETTING_COUNT = sizeof settings / sizeof settings[0] };

// Words are kept as enumerations, which are read and written as int.
_Static_assert(sizeof(carom_method) == sizeof(int) && sizeof(carom_solver) == sizeof(int), "enumerations are no int");

int carom_setting_count(void) {
    return SETTING_COUNT;
}

const carom_setting *carom_setting_at(int index) {
    return index >= 0 && index < SETTING_COUNT ? &settings[index] : NULL;
}

double carom_setting_get(const carom_setting *setting, const carom_method_def *def) {
    const char *at = (const char *)def + setting->offset;
    double number;
    int whole;
    bool truth;
    switch (setting->type) {
    case CAROM_SETTING_NUMBER:
        memcpy(&number, at, sizeof number);
        return number;
    case CAROM_SETTING_TRUTH:
        memcpy(&truth, at, sizeof truth);
        return truth;
    default:
        memcpy(&whole, at, sizeof whole);
        return whole;
    }
}

void carom_setting_set(const carom_setting *setting, double value, carom_method_def *def) {
    char *at = (char *)def + setting->offset;
    int whole;
    bool truth;
    switch (setting->type) {
    case CAROM_SETTING_NUMBER:
        memcpy(at, &value, sizeof value);
        return;
    case CAROM_SETTING_TRUTH:
        truth = value != 0.0;
        memcpy(at, &truth, sizeof truth);
        return;
    default:
        whole = (int)value;
        memcpy(at, &whole, sizeof whole);
    }
}

bool carom_setting_allows(const carom_setting *setting, double value) {
    bool above = setting->range.low_is_out ? value > setting->range.low : value >= setting->range.low;
    bool below = setting->range.high_is_out ? value < setting->range.high : value <= setting->range.high;
    if (!above || !below) return false; // nor is what is no number
    return setting->type == CAROM_SETTING_NUMBER || fmod(value, setting->type == CAROM_SETTING_EVEN ? 2.0 : 1.0) == 0.0;
}

// ---- what a value must be

static void words_wanted(const carom_setting *setting, char *out, size_t room) {
    size_t used = 0;
    for (int i = 0; i < setting->word_count && used < room; i++) {
        const char *between = i == 0 ? "" : i + 1 == setting->word_count ? " or " : ", ";
        used += (size_t)snprintf(out + used, room - used, "%s\"%s\"", between, setting->word(i));
    }
}

void carom_setting_wanted(const carom_setting *setting, char out[CAROM_SETTING_TEXT_SIZE]) {
    enum { ROOM = CAROM_SETTING_TEXT_SIZE };
    double low = setting->range.low, high = setting->range.high;
    bool no_end = !(high < INT_MAX), above = setting->range.low_is_out, below = setting->range.high_is_out;
    const char *what = setting->type == CAROM_SETTING_NUMBER  ? "a number"
                       : setting->type == CAROM_SETTING_WHOLE ? "a whole number"
                                                              : "an even number";
    if (setting->type == CAROM_SETTING_TRUTH)
        snprintf(out, ROOM, "true or false");
    else if (setting->type == CAROM_SETTING_WORD)
        words_wanted(setting, out, ROOM);
    else if (no_end && above && low == 0.0)
        snprintf(out, ROOM, "a positive number");
    else if (no_end)
        snprintf(out, ROOM, "%s %s %.10g", what, above ? "above" : "of at least", low);
    else if (above && below)
        snprintf(out, ROOM, "%s between %.10g and %.10g", what, low, high);
    else if (above)
        snprintf(out, ROOM, "%s above %.10g and at most %.10g", what, low, high);
    else
        snprintf(out, ROOM, "%s from %.10g to %s%.10g", what, low, below ? "below " : "", high);
}

// ---- definitions

carom_method_def carom_method_def_default(void) {
    carom_method_def def;
    memset(&def, 0, sizeof def);
    def.struct_size = sizeof def;
    for (int i = 0; i < SETTING_COUNT; i++) carom_setting_set(&settings[i], settings[i].fallback, &def);
    def.threads = 1;
    return def;
}

static carom_status check_setting(const carom_setting *setting, const carom_method_def *def, carom_error *error) {
    double value = carom_setting_get(setting, def);
    if (carom_setting_allows(setting, value)) return CAROM_OK;
    char wanted[CAROM_SETTING_TEXT_SIZE];
    carom_setting_wanted(setting, wanted);
    return crm_refuse(error, "method.%s%s%s is %g%s%s, must be %s", setting->group,
                      setting->group[0] != '\0' ? "." : "", setting->key, value, setting->unit[0] != '\0' ? " " : "",
                      setting->unit, wanted);
}

carom_status crm_settings_check(const carom_method_def *def, carom_error *error) {
    for (int i = 0; i < SETTING_COUNT; i++) {
        carom_status status = check_setting(&settings[i], def, error);
        if (status != CAROM_OK) return status;
    }
    carom_status planned = crm_step_plan_check(def, error);
    if (planned != CAROM_OK) return planned;
    if (def->lcp.tolerance > 0.0 && def->lcp.accuracy != CAROM_ACCURACY_DEFAULT)
        return crm_refuse(
            error,
            "method.lcp.accuracy is \"%s\" beside a method.lcp.tolerance of %g: both say how far steps are "
            "solved, give one of them",
            accuracy((int)def->lcp.accuracy), def->lcp.tolerance);
    carom_impact_law with = def->impulse.law;
    if (def->impulse.simultaneous == CAROM_SIMULTANEOUS_TOGETHER && with != CAROM_IMPACT_LAW_NEWTON &&
        with != CAROM_IMPACT_LAW_POISSON)
        return crm_refuse(error,
                          "the law %s of impulse is for one contact at a time; with contacts together take newton or "
                          "poisson",
                          carom_impact_law_name(with));
    if (def->threads < 1 || def->threads > CRM_POOL_MOST_THREADS)
        return crm_refuse(error, "%d threads, must be 1 to %d", def->threads, CRM_POOL_MOST_THREADS);
    return CAROM_OK;
}

int crm_settings_list(const carom_method_def *def, const char *group, crm_setting_value *out) {
    int count = 0;
    for (int i = 0; i < SETTING_COUNT; i++) {
        bool its = settings[i].group[0] == '\0' || (group != NULL && strcmp(settings[i].group, group) == 0);
        if (!its) continue;
        if (out != NULL) out[count] = (crm_setting_value){&settings[i], carom_setting_get(&settings[i], def)};
        count++;
    }
    return count;
}

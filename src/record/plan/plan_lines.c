// SPDX-License-Identifier: MIT
// What plans promise, line by line, with the bounds; names of what is in them; their hash.
#include <math.h>
#include <stddef.h>

#include "base/hash.h"
#include "record/plan/plan_tables.h"

// clang-format off
static const carom_plan_line lines[] = {
#define LINE(field, label, unit, bound, is_gap, contract, text) \
    {#field, label, unit, text, offsetof(carom_plan_certificate, field), bound, is_gap, contract}
    LINE(violation, "rows", "", 1e-8, false, true,
         "Largest violation of a row of the program, in its units."),
    LINE(violation_si, "rows, SI", "", INFINITY, false, false,
         "The same in SI units."),
    LINE(consistency, "momentum consistency", "", 1e-9, false, true,
         "Momenta of an interval less those of the one before and the impulses between, relative."),
    LINE(length, "size", "m", INFINITY, false, false,
         "Of the largest body: the unit of length."),
    LINE(margin, "margin", "m", INFINITY, false, false,
         "The least gap that was asked for."),
    LINE(gap_at_nodes, "gap at nodes", "m", 1e-9, true, true,
         "Least gap of the pairs that are kept apart, at nodes; touching ends excepted."),
    LINE(gap_between, "gap between nodes", "m", 1e-9, true, true,
         "The same on the ways between nodes, proved, not sampled."),
    LINE(optimality, "optimality", "", 1e-6, false, false,
         "First-order error of the optimum, scaled."),
    LINE(touch_overlap, "overlap in touch", "", 1e-9, false, true,
         "Largest overlap of bodies that touch where they are told to, over the plan's largest body."),
    LINE(complementarity, "complementarity", "", 1e-8, false, true,
         "Largest product of impulse and gap, or impulse and velocity, of a contact, scaled."),
    LINE(cone, "friction cones", "", 1e-8, false, true,
         "By how much an impulse is outside of its cone, relative."),
    LINE(limits, "limits of controls", "", 1e-8, false, true,
         "By how much a number is beyond its limit, relative."),
    LINE(rotation, "rotation in an interval", "rad", 1.2, false, true,
         "Largest rotation of a body from node to node: what is proved between nodes holds up to this."),
    LINE(replay, "replay", "", 1e-10, false, true,
         "Largest difference of a run of the simulator at the plan's steps, of a body's size or rad."),
    LINE(replay_fine, "replay at h/16", "", INFINITY, false, false,
         "The same of the end of a run at 1/16 of the step: what the intervals cost in accuracy."),
    LINE(effort, "effort", "", INFINITY, false, false,
         "Of the plan: the weighted squares of its controls over the time, N^2 s with weights of 1."),
    LINE(guess_effort, "effort of the guess", "", INFINITY, false, false,
         "Of the motion that it began with, by forces of least norm."),
    LINE(recursion_effort, "effort by recursion", "", INFINITY, false, false,
         "Of the same motion by the forces of the recursion, node by node."),
    LINE(coarse_effort, "effort of the level before", "", INFINITY, false, false,
         "With half the intervals."),
#undef LINE
};
// clang-format on

const carom_plan_line *carom_plan_lines(int *count) {
    *count = (int)(sizeof lines / sizeof lines[0]);
    return lines;
}

double carom_plan_line_value(const carom_plan_line *line, const carom_plan_certificate *certificate) {
    return *(const double *)((const char *)certificate + line->offset);
}

double carom_plan_line_bound(const carom_plan_line *line, const carom_plan_certificate *certificate) {
    return line->is_gap ? certificate->margin - line->bound * certificate->length : line->bound;
}

bool carom_plan_line_keeps(const carom_plan_line *line, const carom_plan_certificate *certificate) {
    double value = carom_plan_line_value(line, certificate), bound = carom_plan_line_bound(line, certificate);
    if (isinf(bound)) return true;
    return line->is_gap ? value >= bound : value <= bound;
}

// ---- what rules of verdicts find

// How many times its bound a line is.
static double over_bound(const carom_plan_line *line, const carom_plan_certificate *certificate) {
    double value = carom_plan_line_value(line, certificate);
    return (line->is_gap ? (certificate->margin - value) / certificate->length : value) / line->bound;
}

void crm_plan_find(const carom_plan_data *plan, carom_finding finding[CAROM_RULE_COUNT]) {
    for (int r = 0; r < CAROM_RULE_COUNT; r++) finding[r] = carom_finding_none();
    if (plan->interval_count == 0) return;
    double worst = 0.0, error = 0.0;
    int count;
    const carom_plan_line *all = carom_plan_lines(&count);
    for (int i = 0; i < count; i++) {
        double over = isinf(all[i].bound) ? 0.0 : over_bound(&all[i], &plan->certificate);
        double *to = all[i].contract ? &worst : &error;
        if (!(over <= *to)) *to = isnan(over) ? INFINITY : over;
    }
    finding[CAROM_RULE_PLAN_BOUND].value = worst;
    if (!plan->certificate.strict || !(error <= 1.0) || plan->outcome != CAROM_PLAN_SOLVED)
        finding[CAROM_RULE_PLAN_OPTIMUM].value = fmax(error, 1.0);
}

// ---- names

const char *carom_plan_outcome_name(carom_plan_outcome outcome) {
    static const char *const names[CAROM_PLAN_OUTCOME_COUNT] = {[CAROM_PLAN_UNFINISHED] = "unfinished",
                                                                [CAROM_PLAN_SOLVED] = "solved",
                                                                [CAROM_PLAN_FEASIBLE] = "feasible",
                                                                [CAROM_PLAN_IMPOSSIBLE] = "impossible",
                                                                [CAROM_PLAN_STUCK] = "stuck"};
    return (int)outcome >= 0 && outcome < CAROM_PLAN_OUTCOME_COUNT ? names[outcome] : "?";
}

const char *carom_control_kind_name(carom_control_kind kind) {
    static const char *const names[CAROM_CONTROL_KIND_COUNT] = {[CAROM_CONTROL_WRENCH] = "wrench",
                                                                [CAROM_CONTROL_FORCE] = "force",
                                                                [CAROM_CONTROL_THRUSTER] = "thruster",
                                                                [CAROM_CONTROL_MOTOR] = "motor"};
    return (int)kind >= 0 && kind < CAROM_CONTROL_KIND_COUNT ? names[kind] : "?";
}

const char *carom_plan_number_name(const carom_plan_control *control, int number) {
    static const char *const forces[] = {"fx", "fy", "fz"}, *const torques[] = {"tx", "ty", "tz"};
    int torque_count = control->size - control->force_count;
    if (number < 0 || number >= control->size) return "?";
    if (number < control->force_count) {
        if (control->force_count == 3) return forces[number];
        return control->kind == CAROM_CONTROL_THRUSTER ? "thrust" : "force";
    }
    return torque_count == 3 ? torques[number - control->force_count] : "torque";
}

// ---- the hash

static uint64_t hash_numbers(uint64_t hash, const double *x, int64_t count) {
    return count > 0 ? crm_hash(hash, x, (size_t)count * sizeof *x) : hash;
}

// Member by member, as there may be gaps between them.
static uint64_t hash_state(uint64_t hash, const carom_body_state *s) {
    const double x[] = {s->position.x, s->position.y, s->position.z, s->attitude.w, s->attitude.x,
                        s->attitude.y, s->attitude.z, s->velocity.x, s->velocity.y, s->velocity.z,
                        s->spin.x,     s->spin.y,     s->spin.z};
    return crm_hash(hash, x, sizeof x);
}

static uint64_t hash_impulse(uint64_t hash, const carom_plan_impulse *i) {
    const double x[] = {i->node,      i->a.index,   i->b.index,   i->point.x,  i->point.y,  i->point.z,
                        i->impulse.x, i->impulse.y, i->impulse.z, i->couple.x, i->couple.y, i->couple.z};
    return crm_hash(hash, x, sizeof x);
}

uint64_t carom_plan_hash(const carom_plan_data *plan) {
    uint64_t hash = crm_hash(0, &(int32_t){plan->outcome}, sizeof(int32_t));
    if (plan->interval_count == 0) return hash;
    int64_t nodes = plan->interval_count + 1;
    hash = hash_numbers(hash, plan->time, nodes);
    hash = hash_numbers(hash, plan->value, (int64_t)plan->interval_count * plan->number_count);
    for (int64_t i = 0; i < nodes * plan->body_count; i++) hash = hash_state(hash, &plan->motion[i]);
    for (int i = 0; i < plan->impulse_count; i++) hash = hash_impulse(hash, &plan->impulse[i]);
    return hash;
}

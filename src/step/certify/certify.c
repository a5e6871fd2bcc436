// SPDX-License-Identifier: MIT
// The certificate, the same for every method: it knows the motions before and after and the impulses that the method
// says it applied, and nothing of how it did so.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "model/force/acting.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "step/certify/accounts.h"
#include "step/certify/contact_sums.h"
#include "step/certify/contact_work.h"
#include "step/certify/displacement.h"
#include "step/certify/ignored_material.h"
#include "step/certify/joint_open.h"
#include "step/certify/momentum_balance.h"
#include "step/certify/passage.h"
#include "step/certify/rates.h"
#include "step/certify/rebound.h"
#include "step/flex/flex_balance.h"
#include "step/flex/flex_passage.h"
#include "step/integrate/discrete.h"
#include "step/method.h"

// The contract: friction takes energy, but for this share of the energies.
static const double friction_contract = 1e-12;

// Sums over bodies; zero bytes are the empty sum.
typedef struct body_sums {
    carom_momentum momentum;    // after the step
    carom_energy before, after; // without pairs and callbacks
    double work;                // of what has no potential
    double action;              // h^2 times the kinetic share of E_d, of methods that have one
} body_sums;

_Static_assert(sizeof(body_sums) <= CRM_BODY_SLOT, "the sums of a chunk must fit into a state's slot");

typedef struct certified_step {
    const carom_model *model;
    const carom_state *state;
    const crm_external_balance *external_balance; // NULL: every body has its impulses
    double impulse_at;                            // share of the step's displacement after which they act
    bool discrete;                                // there is an E_d to be found
} certified_step;

static double gravity_energy(const carom_model *model, const crm_body *body, const crm_motion *m) {
    return body->kind == CAROM_BODY_FIXED ? 0.0 : -body->mass * crm_dot(model->gravity, m->x);
}

// By the mean velocities over the step; `active` is an impulse.
static double mean_work(const crm_body *body, const crm_motion *before, const crm_motion *after, const crm_vec6 *active,
                        double step) {
    carom_vec3 velocity = crm_scale(1.0 / step, crm_sub(after->x, before->x));
    carom_vec3 spin = crm_scale(0.5, crm_add(crm_motion_spin(body, before), crm_motion_spin(body, after)));
    return crm_dot(active->linear, velocity) + crm_dot(active->angular, spin);
}

// Most bodies have nothing such acting on them: that is asked where it costs no call.
static inline bool has_no_work(const crm_vec6 *active) {
    return crm_length_squared(active->linear) + crm_length_squared(active->angular) == 0.0;
}

static double active_work(const crm_body *body, const crm_motion *before, const crm_motion *after,
                          const crm_vec6 *active, double step) {
    return has_no_work(active) ? 0.0 : mean_work(body, before, after, active, step);
}

// After which share of the body's way its impulse acts.
static inline double impulse_place(const certified_step *step, int body) {
    const carom_state *state = step->state;
    if (state->impulse_midway != NULL && state->impulse_midway[body]) return 0.5;
    bool own = state->node_impulse_place != NULL && step->model->bodies.items[body].flex >= 0;
    return own ? *state->node_impulse_place : step->impulse_at;
}

// A node whose momentum its places cannot tell from none rests: elements that bear nothing push it by roundings of
// these.
static void allow_for_places(const crm_body *body, const crm_motion *after, double step, crm_momentum_balance *of) {
    const double place_rounding = 1e-16;
    if (body->flex < 0) return;
    double momentum = place_rounding * crm_length(after->x) * body->mass / step;
    of->linear.size += momentum;
    of->angular.size += crm_length(after->x) * momentum;
}

static void sum_bodies(void *context, int begin, int end, int worker, void *slot) {
    (void)worker;
    const certified_step *step = context;
    const carom_model *model = step->model;
    const carom_state *state = step->state;
    // By themselves rather than in the slot, which the motions might lie in for all that the compiler knows.
    carom_momentum momentum = {crm_vec3_zero(), crm_vec3_zero()};
    carom_energy energy_before = {0.0, 0.0}, energy_after = {0.0, 0.0};
    double work = 0.0, action = 0.0;
    for (int b = begin; b < end; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *before = &state->motions[b], *after = &state->next[b];
        const crm_vec6 none = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
        crm_impulse_size terms = state->impulse_size != NULL ? state->impulse_size[b] : (crm_impulse_size){0.0, 0.0};
        state->balances[b] = crm_momentum_of_body(
            before, after, step->external_balance != NULL ? &none : &state->impulse[b], impulse_place(step, b), terms);
        allow_for_places(body, after, state->method.step, &state->balances[b]);
        carom_vec3 moment = crm_cross(after->x, after->p);
        momentum.linear = crm_add(momentum.linear, after->p);
        momentum.angular = crm_add(momentum.angular, crm_add(after->l, moment));
        crm_step_energy energy = {{crm_motion_kinetic_energy(body, before), crm_motion_kinetic_energy(body, after)},
                                  {gravity_energy(model, body, before), gravity_energy(model, body, after)}};
        state->accounts.energy[b] = energy;
        energy_before.kinetic += energy.kinetic[0];
        energy_before.potential += energy.potential[0];
        energy_after.kinetic += energy.kinetic[1];
        energy_after.potential += energy.potential[1];
        if (step->external_balance == NULL && !has_no_work(&state->active[b]))
            work += mean_work(body, before, after, &state->active[b], state->method.step);
        if (step->discrete) action += crm_discrete_body_action(body, before, after);
    }
    body_sums *sums = slot;
    sums->momentum = momentum;
    sums->before = energy_before;
    sums->after = energy_after;
    sums->work = work;
    sums->action = action;
}

static void join_sums(void *context, void *total, const void *slot) {
    (void)context;
    body_sums *to = total;
    const body_sums *from = slot;
    to->momentum.linear = crm_add(to->momentum.linear, from->momentum.linear);
    to->momentum.angular = crm_add(to->momentum.angular, from->momentum.angular);
    to->before.kinetic += from->before.kinetic;
    to->before.potential += from->before.potential;
    to->after.kinetic += from->after.kinetic;
    to->after.potential += from->after.potential;
    to->work += from->work;
    to->action += from->action;
}

static body_sums sum_all(certified_step *step) {
    const carom_state *state = step->state;
    int bodies = step->model->bodies.count;
    body_sums sums;
    sums.momentum = (carom_momentum){crm_vec3_zero(), crm_vec3_zero()};
    sums.before = sums.after = (carom_energy){0.0, 0.0};
    sums.work = sums.action = 0.0;
    crm_pool_reduction reduction = {sizeof(body_sums), sum_bodies, join_sums, step};
    if (bodies <= CRM_BODY_GRAIN) // one chunk: joining it would cost an isolated body more than its energies
        sum_bodies(step, 0, bodies, 0, &sums);
    else
        crm_pool_reduce(state->pool, bodies, CRM_BODY_GRAIN, &reduction, state->slots, &sums);
    return sums;
}

static void check_drift(const carom_model *model, const carom_state *state, double bound, carom_step_report *report) {
    if (model->joints.count == 0) return;
    crm_worst_joint worst = crm_joints_worst(model, state->next);
    report->joint_drift = worst.share;
    if (worst.share <= bound) return;
    char name[CRM_BODY_TEXT];
    report->outcome = CAROM_STEP_BROKEN;
    snprintf(
        report->text, sizeof report->text,
        "%.90s is open by %.1e m and %.1e rad, %.1e of its mechanism's size; the contract is %.0e: make method.step "
        "smaller",
        crm_joint_text(model, worst.joint, name), worst.linear, worst.angular, worst.share, bound);
}

enum { WHOSE = CRM_BODY_TEXT + 24 };

// "body 'x' and what it meets", or all of it where no body is known.
static const char *whose_text(const carom_model *model, int body, char out[WHOSE]) {
    char name[CRM_BODY_TEXT];
    if (body >= 0)
        snprintf(out, WHOSE, "%s and what it meets", crm_body_text(model, body, name));
    else
        snprintf(out, WHOSE, "the step");
    return out;
}

// `unbalanced`: a body of the group whose momenta are off most; `unbalanced_flex`: the flexible body whose energy is.
static void check(const carom_model *model, const carom_contract *contract, int unbalanced, int unbalanced_flex,
                  carom_step_report *report) {
    char whose[WHOSE];
    if (!(report->momentum_balance <= contract->momentum_balance)) {
        report->outcome = CAROM_STEP_BROKEN;
        snprintf(report->text, sizeof report->text,
                 "the momentum of %.90s changed by %.1e of its size beyond the impulses of the forces; the contract is "
                 "%.0e: make method.step smaller",
                 whose_text(model, unbalanced, whose), report->momentum_balance, contract->momentum_balance);
    }
    if (!(report->elastic_balance <= contract->elastic_balance)) {
        char name[CRM_BODY_TEXT];
        report->outcome = CAROM_STEP_BROKEN;
        snprintf(report->text, sizeof report->text,
                 "the energy of %.90s changed by %.1e of it beyond the work of all forces; the contract is %.0e: make "
                 "method.tolerance smaller",
                 crm_flex_text(model, unbalanced_flex, name), report->elastic_balance, contract->elastic_balance);
    }
    double energies = report->energy.kinetic + fabs(report->energy.potential);
    if (!(report->friction_work <= friction_contract * energies)) {
        report->outcome = CAROM_STEP_BROKEN;
        snprintf(report->text, sizeof report->text, "friction did work of %.1e J, which is above %.0e of the energies",
                 report->friction_work, friction_contract);
    }
    if (!(report->residual <= contract->residual) && report->outcome == CAROM_STEP_GOOD) {
        report->outcome = CAROM_STEP_MISSED;
        snprintf(report->text, sizeof report->text, "the equations of %s are solved to %.1e only; the contract is %.1e",
                 whose_text(model, report->residual_body.index, whose), report->residual, contract->residual);
    }
}

static void check_contract(const carom_model *model, const carom_state *state, int unbalanced, int unbalanced_flex,
                           carom_step_report *report) {
    // What the method itself says of a broken step knows more of its cause.
    char told[sizeof report->text];
    bool keeps = report->outcome != CAROM_STEP_GOOD && report->text[0] != '\0';
    if (keeps) memcpy(told, report->text, sizeof told);
    check_drift(model, state, state->contract.joint_drift, report);
    check(model, &state->contract, unbalanced, unbalanced_flex, report);
    if (keeps) memcpy(report->text, told, sizeof told);
}

// Of a node that nothing else slows down its viscosity has the passive forces.
static crm_ledger_line passive_line(const crm_body *body) {
    const unsigned others = CRM_ACTS_DRAG | CRM_ACTS_DAMPER | CRM_ACTS_FIELD;
    bool viscous = body->flex >= 0 && (body->acting & CRM_ACTS_VISCOUS) != 0u && (body->acting & others) == 0u;
    return viscous ? CRM_LINE_VISCOSITY : CRM_LINE_PASSIVE;
}

// What methods tell of it themselves.
static double told_work(carom_state *state) {
    double work = 0.0;
    for (int b = 0; state->told_work != NULL && b < state->model->bodies.count; b++) {
        const crm_told_work *own = &state->told_work[b];
        crm_ledger_add(state, b, -1, passive_line(&state->model->bodies.items[b]), own->passive);
        crm_ledger_add(state, b, -1, CRM_LINE_ACTIVE, own->active);
        work += own->passive + own->active;
    }
    return work;
}

// Work of what has no potential, body by body.
static void add_force_work(const carom_model *model, carom_state *state) {
    double h = state->method.step;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_vec6 *contact_active = state->contact_active != NULL ? &state->contact_active[b] : NULL;
        if (has_no_work(&state->active[b]) && has_no_work(&state->passive[b]) &&
            (contact_active == NULL || has_no_work(contact_active)))
            continue;
        double all = active_work(body, &state->motions[b], &state->next[b], &state->active[b], h);
        double passive = active_work(body, &state->motions[b], &state->next[b], &state->passive[b], h);
        if (contact_active != NULL) // in the lines of contacts
            all -= active_work(body, &state->motions[b], &state->next[b], contact_active, h);
        if (all != 0.0 || passive != 0.0) {
            crm_ledger_add(state, b, -1, passive_line(body), passive);
            crm_ledger_add(state, b, -1, CRM_LINE_ACTIVE, all - passive);
        }
    }
}

static void add_external_work(carom_state *state, int body, const crm_external_balance *balance) {
    crm_ledger_add(state, body, -1, CRM_LINE_PASSIVE, balance->passive);
    crm_ledger_add(state, body, -1, CRM_LINE_LIMITS, balance->limits);
    crm_ledger_add(state, body, -1, CRM_LINE_ACTIVE, balance->work - balance->passive - balance->limits);
}

// Integrals of the whole system belong to the one island of all that forces without a potential act on.
static void add_integrated_work(const carom_model *model, carom_state *state) {
    if (state->externals == NULL) add_external_work(state, state->accounts.driven, &state->external_balance);
    for (int b = 0; state->externals != NULL && b < model->bodies.count; b++)
        add_external_work(state, b, &state->externals[b]);
}

static void join_islands(carom_state *state) {
    const carom_contact_state *contact = state->contact_table.items;
    for (int i = 0; i < state->contact_table.count; i++)
        if (contact[i].normal_impulse > 0.0) crm_accounts_join(state, contact[i].a.index, contact[i].b.index);
}

// Energies that no single body has are told with the first body of the pair, which is one island with the other.
static void add_coupling_energies(const carom_model *model, carom_state *state, body_sums *sums) {
    crm_step_energy *energy = state->accounts.energy;
    if (crm_model_is_coupled(model)) {
        double time = carom_state_time(state);
        sums->before.potential +=
            crm_coupling_energy(model, time, state->motions, state->configs, &energy[0].potential[0], sizeof *energy);
        sums->after.potential += crm_coupling_energy(model, time + state->method.step, state->next, state->configs,
                                                     &energy[0].potential[1], sizeof *energy);
    }
    if (state->stored_energy == NULL) return;
    sums->before.potential += state->stored_energy(state, state->motions, &energy[0].potential[0], sizeof *energy);
    sums->after.potential += state->stored_energy(state, state->next, &energy[0].potential[1], sizeof *energy);
}

// Of flexible bodies before and after the step; returns what their energy has lost.
static double add_elastic_energies(const carom_model *model, carom_state *state, body_sums *sums,
                                   carom_step_report *report) {
    crm_step_energy *energy = state->accounts.energy;
    if (model->flexes.count == 0) return 0.0;
    crm_flex_sum before = crm_flex_energy(model, state->motions, &energy[0].potential[0], sizeof *energy);
    crm_flex_sum after = crm_flex_energy(model, state->next, &energy[0].potential[1], sizeof *energy);
    sums->before.potential += before.energy;
    sums->after.potential += after.energy;
    report->elastic_energy = after.energy;
    report->least_determinant = after.least_determinant;
    report->inverted_elements = after.inverted_count;
    report->determinant_flex = after.flex;
    report->determinant_element = after.element;
    return before.energy - after.energy;
}

// E_d but for contact potentials: gravity in the middle of the step is the mean of what it is at its ends.
static double discrete_energy(const carom_model *model, const carom_state *state, const body_sums *sums) {
    double h = state->method.step;
    double energy = sums->action / (h * h) + 0.5 * (sums->before.potential + sums->after.potential);
    if (model->joints.count + model->pair_potentials.count == 0) return energy;
    const crm_interval interval = {state->motions, state->next, h};
    return energy + crm_discrete_coupling_energy(model, &interval, state->configs);
}

// No interval is all bodies' where groups have substeps of their own, and what potentials of callbacks are in the
// middle of it is not asked for.
static bool tells_discrete_energy(const carom_model *model, const carom_state *state, const carom_step_report *report) {
    return (state->divide == NULL || report->substeps == 1) &&
           model->callbacks.count + model->system_callbacks.count == 0;
}

void crm_certify(const carom_model *model, carom_state *state, const crm_method *method, carom_step_report *report) {
    const crm_external_balance *external_balance = method->keeps_external_balance ? &state->external_balance : NULL;
    certified_step step = {model, state, external_balance, method->impulses_first ? 0.0 : 0.5, method->discrete_energy};
    body_sums sums = sum_all(&step);
    if (method->discrete_energy) {
        bool told = tells_discrete_energy(model, state, report);
        report->discrete_energy = told ? report->discrete_energy + discrete_energy(model, state, &sums) : NAN;
    }
    if (external_balance != NULL) sums.work = external_balance->work;
    if (model->bodies.count > 0) add_coupling_energies(model, state, &sums);
    double elastic = add_elastic_energies(model, state, &sums, report);
    if (atomic_load(&state->interruption.happened)) return; // energies are not whole: the accounts stay as they were
    sums.work += state->spent + told_work(state);
    report->energy = sums.after;
    report->momentum = sums.momentum;
    int unbalanced;
    report->momentum_balance = crm_momentum_worst(model, state, external_balance, &unbalanced);
    report->energy_balance =
        sums.after.kinetic + sums.after.potential - sums.before.kinetic - sums.before.potential - sums.work;
    if (external_balance == NULL)
        add_force_work(model, state);
    else
        add_integrated_work(model, state);
    bool has_contact = (method->features & CRM_FEATURE_CONTACT) != 0;
    if (has_contact) {
        join_islands(state);
        crm_contact_twists(model, state);
    }
    if (method->works_by_table && !state->accounts.contacts_told) crm_contact_work(model, state);
    int unbalanced_flex = -1;
    if (method->balances_elastic) report->elastic_balance = crm_flex_balance(model, state, &unbalanced_flex);
    crm_accounts_close(state, elastic, report);
    crm_joint_open(model, state);
    if (has_contact) crm_contact_sums_add(model, state, method->works_by_table);
    if ((method->features & CRM_FEATURE_MATERIAL) != 0)
        crm_rebound_check(model, state, method->hits_last);
    else if (has_contact)
        crm_ignored_material_check(model, state);
    crm_displacement_check(model, state);
    crm_rates_check(model, state, state->next);
    crm_passage_check(model, state, has_contact);
    crm_flex_passage_check(model, state, has_contact);
    crm_finding_raise(state, CAROM_RULE_OVERLAP, report->infeasibility, -1, -1);
    check_contract(model, state, unbalanced, unbalanced_flex, report);
}

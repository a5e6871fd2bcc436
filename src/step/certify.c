// SPDX-License-Identifier: MIT
// The certificate, the same for every method: it knows the motions before and after and the impulses that the method
// says it applied, and nothing of how it did so.
#include <math.h>
#include <stdio.h>

#include "model/evaluate.h"
#include "step/method.h"

// DESIGN of the contract: the momentum balance holds to this share of the momenta.
static const double momentum_contract = 1e-12;

typedef struct balance {
    carom_vec3 change; // what should be zero
    double size;       // of what it is made
} balance;

static void add(balance *b, double sign, carom_vec3 v) {
    b->change = crm_madd(b->change, sign, v);
    b->size += crm_length(v);
}

static double relative(const balance *b) {
    double off = crm_length(b->change);
    return off > 0.0 ? off / b->size : 0.0;
}

// Change of P and L (about the origin) less the impulses, which act where the body is on average.
static double momentum_balance(const carom_model *model, const carom_state *state) {
    balance linear = {.size = 0.0}, angular = {.size = 0.0};
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_motion *before = &state->motions[b], *after = &state->next[b];
        const crm_vec6 *impulse = &state->impulse[b];
        carom_vec3 middle = crm_scale(0.5, crm_add(before->x, after->x));
        add(&linear, 1.0, after->p);
        add(&linear, -1.0, before->p);
        add(&linear, -1.0, impulse->linear);
        add(&angular, 1.0, after->l);
        add(&angular, -1.0, before->l);
        add(&angular, -1.0, impulse->angular);
        add(&angular, 1.0, crm_cross(after->x, after->p));
        add(&angular, -1.0, crm_cross(before->x, before->p));
        add(&angular, -1.0, crm_cross(middle, impulse->linear));
        // A cross product of large arms and momenta loses digits of these, however small it is itself.
        angular.size += crm_length(middle) * crm_length(before->p);
    }
    return fmax(relative(&linear), relative(&angular));
}

// Work of what has no potential, by the mean velocities over the step.
static double active_work(const carom_model *model, const carom_state *state) {
    double work = 0.0;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_vec6 *active = &state->active[b];
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *before = &state->motions[b], *after = &state->next[b];
        carom_vec3 velocity = crm_scale(1.0 / state->method.step, crm_sub(after->x, before->x));
        carom_vec3 spin = crm_scale(0.5, crm_add(crm_motion_spin(body, before), crm_motion_spin(body, after)));
        work += crm_dot(active->linear, velocity) + crm_dot(active->angular, spin);
    }
    return work;
}

void crm_certify(const carom_model *model, const carom_state *state, carom_step_report *report) {
    double step = state->method.step, time = carom_state_time(state);
    carom_energy before = crm_energy(model, time, state->motions);
    report->energy = crm_energy(model, time + step, state->next);
    report->momentum = crm_momentum(model, state->next);
    report->momentum_balance = momentum_balance(model, state);
    report->energy_balance = report->energy.kinetic + report->energy.potential - before.kinetic - before.potential -
                             active_work(model, state);
    if (!(report->momentum_balance <= momentum_contract)) {
        report->outcome = CAROM_STEP_BROKEN;
        snprintf(report->text, sizeof report->text,
                 "momentum changed by %.1e of its size beyond the impulses of the forces; the contract is %.0e",
                 report->momentum_balance, momentum_contract);
    }
    if (!(report->residual <= state->method.tolerance)) {
        report->outcome = CAROM_STEP_BROKEN;
        snprintf(report->text, sizeof report->text,
                 "the equations of the step are solved to %.1e only; asked for was %.1e", report->residual,
                 state->method.tolerance);
    }
}

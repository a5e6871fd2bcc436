// SPDX-License-Identifier: MIT
// Limits of controls, effort, and how far bodies rotate in an interval: what holds between nodes holds to 1.2 rad.
#include <math.h>

#include "control/certificate/plan_facts.h"
#include "control/motion/control_wrench.h"
#include "math/order.h"
#include "math/so3.h"

// How far a number is beyond its bounds, as a share of the larger of the limit and a force of order 1.
static void check_number(crm_plan_facts *f, int control, int interval, double number, double limit, double unit) {
    bool one_sided = f->def->control[control].kind == CAROM_CONTROL_THRUSTER;
    double beyond = crm_larger(number - limit, one_sided ? -number : -limit - number);
    double share = beyond > 0.0 ? beyond / (limit > 0.0 && isfinite(limit) ? limit : unit) : 0.0;
    if (!(share > f->out->certificate.limits)) return;
    f->out->certificate.limits = share;
    f->out->limit_control = control;
    f->out->limit_interval = interval;
}

static void check_interval(crm_plan_facts *f, int k) {
    const double *number = f->motion->control + (ptrdiff_t)k * f->motion->control_number_count;
    double force = f->mass * f->length / (f->time * f->time);
    for (int c = 0; c < f->def->control_count; c++) {
        const carom_control_def *control = &f->def->control[c];
        crm_control_numbers numbers = crm_control_numbers_of(f->model, control);
        for (int i = 0; i < numbers.forces + numbers.torques; i++, number++) {
            bool is_force = i < numbers.forces;
            double weight = is_force ? control->force_weight : control->torque_weight;
            check_number(f, c, k, *number, is_force ? control->force_limit : control->torque_limit,
                         is_force ? force : force * f->length);
            f->out->certificate.effort += f->motion->length[k] * weight * *number * *number;
        }
    }
}

static void check_rotation(crm_plan_facts *f, int k, int b) {
    carom_quat from = f->at[crm_fact_at(f, k, b)].q, to = f->at[crm_fact_at(f, k + 1, b)].q;
    double angle = crm_quat_angle(from, to);
    if (!(angle > f->out->certificate.rotation)) return;
    f->out->certificate.rotation = angle;
    f->out->rotation_body = b;
    f->out->rotation_interval = k;
}

void crm_check_limits(crm_plan_facts *f) {
    for (int k = 0; k < f->intervals; k++) {
        check_interval(f, k);
        for (int b = 0; b < f->bodies; b++)
            if (crm_fact_moves(f, b)) check_rotation(f, k, b);
    }
}

// SPDX-License-Identifier: MIT
// What comes into the whole system from outside, as numbers that an integrator adds up: impulse, its moment about the
// origin, work, the sizes of all impulses and moments, whose roundings count, and what of the work is of drag and
// dampers, and of limits (crm_external_balance).
#ifndef CRM_STEP_EXTERNAL_IMPULSE_H
#define CRM_STEP_EXTERNAL_IMPULSE_H

#include "model/model_state.h"

enum { CRM_EXTERNAL_NUMBERS = 11 };

static inline void crm_external_accumulate(double *to, carom_vec3 v) {
    to[0] += v.x, to[1] += v.y, to[2] += v.z;
}

// A wrench about a point at `x`.
static inline void crm_external_add(double *external, carom_vec3 x, double sign, crm_vec6 w) {
    crm_external_accumulate(external, crm_scale(sign, w.linear));
    crm_external_accumulate(external + 3, crm_scale(sign, crm_add(w.angular, crm_cross(x, w.linear))));
}

static inline void crm_external_add_work(double *external, double work) {
    external[6] += work;
}

// Of drag and dampers, in the work already.
static inline void crm_external_add_passive(double *external, double work) {
    external[9] += work;
}

// Of an impact at limits and velocity motors, which is added to the work. Limits only take energy: what is gained is
// the motors'.
static inline void crm_external_add_limits(double *external, double work) {
    external[6] += work;
    if (work < 0.0) external[10] += work;
}

// Sums of absolute components: their roundings only matter.
static inline void crm_external_add_size(double *external, carom_vec3 x, crm_vec6 w) {
    double force = fabs(w.linear.x) + fabs(w.linear.y) + fabs(w.linear.z);
    double torque = fabs(w.angular.x) + fabs(w.angular.y) + fabs(w.angular.z);
    external[7] += force;
    external[8] += torque + (fabs(x.x) + fabs(x.y) + fabs(x.z)) * force;
}

static inline crm_vec6 crm_external_vec6(const double *v) {
    return crm_vec6_of(crm_vec3(v[0], v[1], v[2]), crm_vec3(v[3], v[4], v[5]));
}

static inline crm_external_balance crm_external_sum(const double *external) {
    crm_vec6 w = crm_external_vec6(external);
    return (crm_external_balance){w.linear,     w.angular,   external[6], external[9],
                                  external[10], external[7], external[8]};
}

#endif

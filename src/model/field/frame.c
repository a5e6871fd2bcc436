// SPDX-License-Identifier: MIT
// The force of Hill's frame on an element of mass at x with velocity v is
//   -2 n z x v + n^2 (3 x, 0, -z):
// Coriolis', which does no work, and what gravity and rotation leave of each other, which has the potential
// -n^2 (3 x^2 - z^2)/2. That is quadratic, so that points with a body's moments of inertia have its moments exactly.
#include "model/field/frame.h"

#include <math.h>

#include "base/fail.h"
#include "math/vec3.h"

// Two points of mass m/6 at +-d on an axis have the second moment m d^2 / 3 along it, which is C = (tr I)/2 - I.
int crm_body_mass_points(const carom_model *model, int body, bool extended, crm_point point[CRM_MASS_POINTS]) {
    const crm_body *of = &model->bodies.items[body];
    if (!extended || of->kind != CAROM_BODY_FREE) {
        point[0] = (crm_point){body, crm_vec3_zero()};
        return 1;
    }
    double half = 0.5 * (of->inertia.x + of->inertia.y + of->inertia.z);
    for (int k = 0; k < CRM_MASS_POINTS; k++) {
        // Rounding may take the moment of a plate below zero.
        double moment = fmax(0.0, half - crm_component(of->inertia, k / 2));
        double way = sqrt(3.0 * moment * of->inverse_mass);
        point[k] = (crm_point){body, crm_with_component(crm_vec3_zero(), k / 2, k % 2 == 0 ? way : -way)};
    }
    return CRM_MASS_POINTS;
}

carom_status crm_frame_freeze(carom_model *model, carom_error *error) {
    double n = model->mean_motion;
    for (int b = 0; n > 0.0 && b < model->bodies.count; b++) {
        if (!crm_body_moves(model, b)) continue;
        crm_point point[CRM_MASS_POINTS];
        int points = crm_body_mass_points(model, b, true, point);
        crm_pair_potential tide = {.b = {.body = -1},
                                   .kind = CRM_PAIR_POTENTIAL_TIDAL,
                                   .strength = model->bodies.items[b].mass / points * n * n};
        crm_field coriolis = {.kind = CRM_FIELD_CORIOLIS, .body = b, .of.mean_motion = n};
        bool room = CRM_ARRAY_PUSH(&model->allocator, &model->fields, coriolis);
        for (int k = 0; k < points && room; k++) {
            tide.a = point[k];
            room = CRM_ARRAY_PUSH(&model->allocator, &model->pair_potentials, tide);
        }
        if (!room)
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the frame's terms of %d bodies",
                            model->bodies.count);
    }
    return CAROM_OK;
}

// SPDX-License-Identifier: MIT
// What leaves: impulses, velocities of rows, and what the impulses do to the bodies.
#include <string.h>

#include "solve/rigid/rigid_group.h"
#include "solve/rigid/rigid_rows.h"

// M (v - v_free) = (dz / linear, sum of dz_i F_i / |F_i|^2); nothing along and about what the body cannot do.
static crm_vec6 change_of(const crm_rigid_body *body, const double *z, const double *free) {
    crm_vec6 out = crm_vec6_zero();
    if (body->linear.x > 0.0) out.linear.x = (z[0] - free[0]) / body->linear.x;
    if (body->linear.y > 0.0) out.linear.y = (z[1] - free[1]) / body->linear.y;
    if (body->linear.z > 0.0) out.linear.z = (z[2] - free[2]) / body->linear.z;
    for (int i = 0; i < 3; i++) {
        double square = crm_dot(body->angular[i], body->angular[i]);
        if (square > 0.0) out.angular = crm_madd(out.angular, (z[3 + i] - free[3 + i]) / square, body->angular[i]);
    }
    return out;
}

static double side_velocity(const crm_rigid_group *group, int body, int slot, carom_vec3 arm, carom_vec3 direction) {
    if (body < 0) return 0.0;
    double row[6], sum = 0.0;
    crm_rigid_scale_row(&group->problem->bodies[body], crm_vec6_of(direction, crm_cross(arm, direction)), row);
    for (int m = 0; m < 6; m++) sum += row[m] * group->system.z[CRM_RIGID_STRIDE * slot + m];
    return sum;
}

// Tangential velocities of contacts without friction, whose records have no such rows.
static void write_slip(const crm_rigid_group *group, const crm_rigid_batch *k, int l, double *velocity) {
    const crm_rigid_contact *contact = &group->problem->contacts[k->contact[l]];
    for (int m = 1; m < 3; m++)
        velocity[m] = side_velocity(group, contact->b, k->b[l], contact->arm_b, contact->direction[m]) -
                      side_velocity(group, contact->a, k->a[l], contact->arm_a, contact->direction[m]);
}

void crm_rigid_group_write(const crm_rigid_group *group, double *impulse, double *velocity, crm_vec6 *change) {
    const crm_rigid_system *system = &group->system;
    for (int i = 0; i < system->batch_count; i++) {
        const crm_rigid_batch *k = &system->batch[i];
        for (int l = 0; l < CRM_RIGID_LANES && k->contact[l] >= 0; l++) {
            ptrdiff_t at = 3 * (ptrdiff_t)k->contact[l];
            if (impulse != NULL)
                for (int m = 0; m < 3; m++) impulse[at + m] = k->impulse[m][l];
            if (!(k->friction[l] > 0.0)) write_slip(group, k, l, velocity + at);
        }
    }
    for (int i = 0; i < system->rows_count; i++) {
        const crm_rigid_rows *k = &system->rows[i];
        double *u = velocity + group->layout->row_of_block[k->block];
        crm_rigid_rows_velocity(k, system->z, u);
        for (int m = 0; m < k->rows; m++) u[m] -= k->offset[m];
        if (impulse != NULL)
            memcpy(impulse + group->layout->row_of_block[k->block], k->impulse, sizeof(double) * (size_t)k->rows);
    }
    for (int n = 0; n < group->share->bodies; n++) {
        int body = group->layout->body[group->share->first_body + n];
        ptrdiff_t at = CRM_RIGID_STRIDE * ((ptrdiff_t)n + 1);
        change[body] = change_of(&group->problem->bodies[body], system->z + at, system->free + at);
    }
}

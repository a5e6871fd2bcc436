// SPDX-License-Identifier: MIT
// What leaves: impulses, velocities of rows, and what the impulses do to the bodies.
#include <string.h>

#include "solve/rigid/rigid_group.h"
#include "solve/rigid/rigid_rows.h"

static void add_wrench(int body, carom_vec3 arm, double sign, carom_vec3 force, crm_vec6 *change) {
    if (body < 0) return;
    change[body].linear = crm_madd(change[body].linear, sign, force);
    change[body].angular = crm_madd(change[body].angular, sign, crm_cross(arm, force));
}

// J^T r from the impulses themselves, not as M (v - v_free) from velocities: what acts on both bodies is opposite to
// the bit, so that momenta are kept.
static void add_contact(const crm_rigid_contact *contact, const crm_rigid_batch *k, int l, crm_vec6 *change) {
    if (!(k->impulse[0][l] > 0.0)) return;
    carom_vec3 force = crm_scale(k->impulse[0][l], contact->direction[0]);
    force = crm_madd(force, k->impulse[1][l], contact->direction[1]);
    force = crm_madd(force, k->impulse[2][l], contact->direction[2]);
    add_wrench(contact->a, contact->arm_a, -1.0, force, change);
    add_wrench(contact->b, contact->arm_b, 1.0, force, change);
}

static void add_block(const crm_rigid_block *block, const double *impulse, crm_vec6 *change) {
    for (int m = 0; m < block->rows; m++) {
        if (block->a >= 0)
            change[block->a] = crm_vec6_add(change[block->a], crm_vec6_scale(impulse[m], block->on_a[m]));
        if (block->b >= 0)
            change[block->b] = crm_vec6_add(change[block->b], crm_vec6_scale(impulse[m], block->on_b[m]));
    }
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

void crm_rigid_group_write_section(const crm_rigid_group *group, const crm_rigid_section *section, double *impulse,
                                   double *velocity, crm_vec6 *change) {
    for (int i = section->begin; i < section->end; i++) {
        const crm_rigid_batch *k = &group->system.batch[i];
        for (int l = 0; l < CRM_RIGID_LANES && k->contact[l] >= 0; l++) {
            ptrdiff_t at = 3 * (ptrdiff_t)k->contact[l];
            if (impulse != NULL)
                for (int m = 0; m < 3; m++) impulse[at + m] = k->impulse[m][l];
            add_contact(&group->problem->contacts[k->contact[l]], k, l, change);
            if (!(k->friction[l] > 0.0)) write_slip(group, k, l, velocity + at);
        }
    }
}

void crm_rigid_group_write(crm_rigid_group *group, double *impulse, double *velocity, crm_vec6 *change) {
    const crm_rigid_system *system = &group->system;
    for (int n = 0; n < group->share->bodies; n++)
        change[group->layout->body[group->share->first_body + n]] = crm_vec6_zero();
    crm_rigid_group_write_contacts(group, impulse, velocity, change);
    for (int i = 0; i < system->rows_count; i++) {
        const crm_rigid_rows *k = &system->rows[i];
        double *u = velocity + group->layout->row_of_block[k->block];
        crm_rigid_rows_velocity(k, system->z, u);
        for (int m = 0; m < k->rows; m++) u[m] -= k->offset[m];
        add_block(&group->problem->blocks[k->block], k->impulse, change);
        if (impulse != NULL)
            memcpy(impulse + group->layout->row_of_block[k->block], k->impulse, sizeof(double) * (size_t)k->rows);
    }
}

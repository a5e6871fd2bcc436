// SPDX-License-Identifier: MIT
#include "model/mechanism/whole.h"

crm_whole crm_whole_of(const carom_model *model, const int *body, int count, const crm_motion *motions) {
    crm_whole all = {0};
    for (int i = 0; i < count; i++) {
        const crm_body *of = &model->bodies.items[body[i]];
        all.mass += of->mass;
        all.centre = crm_madd(all.centre, of->mass, motions[body[i]].x);
        all.planar |= of->kind == CAROM_BODY_PLANAR;
    }
    all.centre = crm_scale(1.0 / all.mass, all.centre);
    for (int i = 0; i < count; i++) {
        const crm_body *of = &model->bodies.items[body[i]];
        const crm_motion *at = &motions[body[i]];
        carom_mat3 arm = crm_skew(crm_sub(at->x, all.centre));
        all.inertia = crm_mat3_add(all.inertia, crm_mat3_scale(of->mass, crm_mat3_mul_nt(arm, arm)));
        if (of->kind == CAROM_BODY_PLANAR) // about the world's z, whatever its attitude
            all.inertia.z.z += of->inertia.z;
        else if (of->kind != CAROM_BODY_POINT)
            all.inertia = crm_mat3_add(all.inertia, crm_congruence_diagonal(crm_quat_to_mat3(at->q), of->inertia));
    }
    return all;
}

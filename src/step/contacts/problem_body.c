// SPDX-License-Identifier: MIT
#include "step/contacts/problem_body.h"

#include <string.h>

int crm_problem_body_size(carom_body_kind kind) {
    return kind == CAROM_BODY_FREE ? 6 : 3;
}

void crm_problem_body_pack(carom_body_kind kind, crm_vec6 v, double *to) {
    to[0] = v.linear.x, to[1] = v.linear.y;
    to[2] = kind == CAROM_BODY_PLANAR ? v.angular.z : v.linear.z;
    if (kind == CAROM_BODY_FREE) to[3] = v.angular.x, to[4] = v.angular.y, to[5] = v.angular.z;
}

void crm_problem_body_unpack_add(carom_body_kind kind, const double *from, double factor, crm_vec6 *to) {
    to->linear.x += factor * from[0], to->linear.y += factor * from[1];
    if (kind == CAROM_BODY_PLANAR)
        to->angular.z += factor * from[2];
    else
        to->linear.z += factor * from[2];
    if (kind != CAROM_BODY_FREE) return;
    to->angular = crm_madd(to->angular, factor, crm_vec3(from[3], from[4], from[5]));
}

void crm_problem_body_fill(const crm_body *body, const crm_motion *m, crm_vec6 velocity, carom_problem_node *node) {
    node->size = crm_problem_body_size(body->kind);
    memset(node->mass, 0, sizeof node->mass);
    int size = node->size;
    for (int i = 0; i < size && i < 3; i++) node->mass[i * size + i] = body->mass;
    if (body->kind == CAROM_BODY_PLANAR) node->mass[8] = body->inertia.z;
    if (body->kind == CAROM_BODY_FREE) {
        carom_mat3 inertia = crm_congruence_diagonal(crm_quat_to_mat3(m->q), body->inertia);
        const double *columns = &inertia.x.x;
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) node->mass[(3 + i) * 6 + 3 + j] = columns[3 * j + i];
        }
    }
    crm_problem_body_pack(body->kind, velocity, node->free);
}

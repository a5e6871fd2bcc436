// SPDX-License-Identifier: MIT
// Sums of inertias and 6x6 matrices.
#include "math/spatial.h"

// About the common centre c = (m_a c_a + m_b c_b)/m the parallel-axis terms of both are together that of the reduced
// mass m_a m_b/m at the distance d = c_b - c_a: no difference of large numbers when the bodies are far from the origin.
crm_inertia crm_inertia_sum(const crm_inertia *a, const crm_inertia *b) {
    double mass = a->mass + b->mass;
    double share = mass > 0.0 ? b->mass / mass : 0.5; // without mass the centre is no matter
    carom_vec3 d = crm_sub(b->centre, a->centre);
    carom_mat3 spread = crm_mat3_scale(-a->mass * share, crm_mat3_mul(crm_skew(d), crm_skew(d)));
    return (crm_inertia){mass, crm_madd(a->centre, share, d),
                         crm_mat3_add(crm_mat3_add(a->inertia, b->inertia), spread)};
}

static void put_block(crm_mat6 *a, int row, int column, carom_mat3 block) {
    const carom_vec3 columns[3] = {block.x, block.y, block.z};
    for (int j = 0; j < 3; j++) {
        double *e = &a->e[row + 6 * (column + j)];
        e[0] = columns[j].x;
        e[1] = columns[j].y;
        e[2] = columns[j].z;
    }
}

crm_mat6 crm_mat6_zero(void) {
    return (crm_mat6){{0.0}};
}

crm_mat6 crm_mat6_from_blocks(const crm_mat6_blocks *blocks) {
    crm_mat6 a;
    put_block(&a, 0, 0, blocks->linear_linear);
    put_block(&a, 0, 3, blocks->linear_angular);
    put_block(&a, 3, 0, blocks->angular_linear);
    put_block(&a, 3, 3, blocks->angular_angular);
    return a;
}

static void unpack(crm_vec6 v, double e[6]) {
    e[0] = v.linear.x;
    e[1] = v.linear.y;
    e[2] = v.linear.z;
    e[3] = v.angular.x;
    e[4] = v.angular.y;
    e[5] = v.angular.z;
}

static crm_vec6 pack(const double e[6]) {
    return crm_vec6_of(crm_vec3(e[0], e[1], e[2]), crm_vec3(e[3], e[4], e[5]));
}

crm_vec6 crm_mat6_apply(const crm_mat6 *a, crm_vec6 v) {
    double x[6], y[6] = {0.0};
    unpack(v, x);
    for (int j = 0; j < 6; j++)
        for (int i = 0; i < 6; i++) y[i] += a->e[i + 6 * j] * x[j];
    return pack(y);
}

crm_mat6 crm_inertia_to_mat6(const crm_inertia *body) {
    carom_mat3 c = crm_skew(body->centre);
    carom_mat3 coupling = crm_mat3_scale(body->mass, c);
    return crm_mat6_from_blocks(&(crm_mat6_blocks){
        .linear_linear = crm_mat3_diagonal(crm_vec3(body->mass, body->mass, body->mass)),
        .linear_angular = crm_mat3_transpose(coupling),
        .angular_linear = coupling,
        .angular_angular = crm_mat3_sub(body->inertia, crm_mat3_scale(body->mass, crm_mat3_mul(c, c))),
    });
}

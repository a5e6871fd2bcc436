// SPDX-License-Identifier: MIT
// Gradient and stresses of every quadrature point.
#include "flex/element/material.h"

// sqrt(3/2 dev : dev)
static double von_mises(carom_mat3 s) {
    double mean = crm_mat3_trace(s) / 3.0;
    carom_mat3 deviator = crm_mat3_sub(s, crm_mat3_diagonal(crm_vec3(mean, mean, mean)));
    return sqrt(1.5) * crm_mat3_norm(deviator);
}

static carom_elastic_point point_at(const carom_elastic_def *def, carom_mat3 f) {
    crm_stress stress;
    carom_elastic_point point = {.gradient = f};
    bool whole = crm_material_stress(def, f, &stress);
    point.determinant = stress.determinant;
    if (whole) point.piola = stress.piola;
    if (whole && stress.determinant != 0.0) {
        point.cauchy = crm_mat3_scale(1.0 / stress.determinant, crm_mat3_mul_nt(stress.piola, f));
        point.von_mises = von_mises(point.cauchy);
    }
    return point;
}

void crm_elastic_points(const crm_elastic *elastic, crm_node_view position, carom_elastic_point *out) {
    for (int e = 0; e < elastic->mesh->element_count; e++) {
        carom_vec3 d[CRM_ELEMENT_NODES_MOST];
        crm_element_differences(crm_mesh_element(elastic->mesh, e), elastic->nodes, position, d);
        for (int q = 0; q < elastic->points; q++) {
            const double *gradient = crm_element_gradient(elastic, e, q);
            carom_mat3 f = crm_element_deformation(gradient, elastic->nodes, elastic->width, d);
            out[(ptrdiff_t)e * elastic->points + q] = point_at(&elastic->def, f);
        }
    }
}

// SPDX-License-Identifier: MIT
// Forces of a step between two configurations, and their derivative, element by element.
#include "flex/element/material_discrete.h"

// Where an element's nodes are before the step, and how far each goes, all less its first node.
typedef struct element_step {
    carom_vec3 before[CRM_ELEMENT_NODES_MOST], change[CRM_ELEMENT_NODES_MOST];
} element_step;

// Differences of each node's two positions come first: they are exact where a step is short.
static void read_step(const crm_elastic *elastic, int element, const crm_elastic_step *step, element_step *out) {
    const int32_t *node = crm_mesh_element(elastic->mesh, element);
    crm_element_differences(node, elastic->nodes, step->before, out->before);
    carom_vec3 origin = crm_sub(crm_node_at(step->after, node[0]), crm_node_at(step->before, node[0]));
    out->change[0] = crm_vec3_zero();
    for (int a = 1; a < elastic->nodes; a++) {
        carom_vec3 own = crm_sub(crm_node_at(step->after, node[a]), crm_node_at(step->before, node[a]));
        out->change[a] = crm_sub(own, origin);
    }
}

static double determinant(carom_mat3 f) {
    return crm_dot(f.x, crm_cross(f.y, f.z));
}

// The gradients of a point; false where the material's energy is no function of C there: an inverted element of all
// materials but stvk. *least receives det F1.
static bool gradients_at(const crm_elastic *elastic, int element, int point, const element_step *at, double duration,
                         double *least, crm_gradients *out) {
    const double *gradient = crm_element_gradient(elastic, element, point);
    carom_mat3 before = crm_element_deformation(gradient, elastic->nodes, elastic->width, at->before);
    carom_mat3 change = crm_element_deformation(gradient, elastic->nodes, elastic->width, at->change);
    *out = crm_gradients_of(before, change, duration);
    double after = determinant(out->after);
    *least = after == after ? after : -INFINITY;
    return elastic->def.model == CAROM_ELASTIC_STVK || (after > 0.0 && determinant(before) > 0.0);
}

static void add_element(const crm_elastic *elastic, int element, const crm_elastic_step *step, crm_node_sum sum,
                        crm_elastic_result *result) {
    carom_vec3 force[CRM_ELEMENT_NODES_MOST] = {{0.0, 0.0, 0.0}};
    element_step at;
    read_step(elastic, element, step, &at);
    for (int q = 0; q < elastic->points; q++) {
        crm_gradients g;
        crm_discrete_stress stress;
        double least, weight = crm_element_weight(elastic, element, q);
        bool whole = gradients_at(elastic, element, q, &at, step->duration, &least, &g);
        if (least < result->least_determinant) {
            result->least_determinant = least;
            result->worst_element = element;
        }
        result->inverted |= !whole;
        if (!whole) continue;
        crm_material_discrete_stress(&elastic->def, &g, step->midpoint, &stress);
        result->energy += weight * stress.work;
        result->dissipated += weight * stress.power;
        crm_element_push(crm_element_gradient(elastic, element, q), elastic->nodes, elastic->width, weight,
                         crm_mat3_mul_sym(g.mean, stress.stress), force);
    }
    crm_element_scatter(crm_mesh_element(elastic->mesh, element), elastic->nodes, force, sum);
}

crm_elastic_result crm_elastic_discrete_forces(const crm_elastic *elastic, const crm_elastic_step *step,
                                               crm_node_sum force) {
    crm_elastic_result result = {.least_determinant = INFINITY, .worst_element = -1};
    for (int e = 0; e < elastic->mesh->element_count; e++) add_element(elastic, e, step, force, &result);
    return result;
}

void crm_elastic_add_discrete_stiffness(const crm_elastic *elastic, const crm_elastic_step *step, double scale,
                                        crm_elastic_place place) {
    for (int e = 0; e < elastic->mesh->element_count; e++) {
        element_step at;
        crm_element_blocks blocks;
        read_step(elastic, e, step, &at);
        crm_element_clear_blocks(elastic, &blocks);
        for (int q = 0; q < elastic->points; q++) {
            crm_gradients g;
            crm_discrete_stress stress;
            crm_tangent tangent;
            double least, weight = crm_element_weight(elastic, e, q);
            if (!gradients_at(elastic, e, q, &at, step->duration, &least, &g)) continue;
            crm_material_discrete_stress(&elastic->def, &g, step->midpoint, &stress);
            crm_material_discrete_tangent(&elastic->def, &g, step->midpoint, &stress, &tangent);
            crm_element_contract(elastic, e, q, scale * weight, &tangent, false, &blocks);
        }
        crm_element_scatter_blocks(elastic, e, &blocks, false, place);
    }
}

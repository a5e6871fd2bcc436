// SPDX-License-Identifier: MIT
// Energy, forces and the forces of viscosity, element by element.
#include "flex/element/material.h"

// What one element came to.
typedef struct element_sum {
    double energy, power; // J, W
    double least;         // J, the determinant
    bool inverted;
    carom_vec3 force[CRM_ELEMENT_NODES_MOST]; // of all nodes but the first
} element_sum;

static inline void start_sum(element_sum *sum, int nodes) {
    sum->energy = sum->power = 0.0;
    sum->least = INFINITY;
    sum->inverted = false;
    for (int a = 1; a < nodes; a++) sum->force[a] = crm_vec3_zero();
}

// What of it is wanted, constants to the compiler: it unrolls the loops over nodes and points, and leaves out stresses
// where no forces come of them.
typedef struct element_kind {
    int nodes, points, width;
    bool forces;
} element_kind;

static inline void elastic_sum(const crm_elastic *elastic, int element, element_kind kind, crm_node_view position,
                               element_sum *sum) {
    const int nodes = kind.nodes, points = kind.points, width = kind.width;
    carom_vec3 d[CRM_ELEMENT_NODES_MOST];
    start_sum(sum, nodes);
    crm_element_differences(elastic->mesh->element + (ptrdiff_t)element * nodes, nodes, position, d);
    for (int q = 0; q < points; q++) {
        ptrdiff_t at = (ptrdiff_t)element * points + q;
        const double *gradient = elastic->gradient + at * 3 * width;
        crm_stress stress;
        bool whole = crm_material_stress(&elastic->def, crm_element_deformation(gradient, nodes, width, d), &stress);
        // Not a number counts as the worst there can be.
        double determinant = stress.determinant == stress.determinant ? stress.determinant : -INFINITY;
        if (determinant < sum->least) sum->least = determinant;
        sum->inverted |= !whole;
        if (!whole) continue;
        sum->energy += elastic->weight[at] * stress.energy;
        if (kind.forces) crm_element_push(gradient, nodes, width, elastic->weight[at], stress.piola, sum->force);
    }
}

// P = F S with S = viscosity (lambda tr(dE/dt) 1 + 2 mu dE/dt); its power is -S : dE/dt.
static inline void viscous_sum(const crm_elastic *elastic, int element, element_kind kind, crm_node_view position,
                               crm_node_view velocity, element_sum *sum) {
    carom_vec3 x[CRM_ELEMENT_NODES_MOST], v[CRM_ELEMENT_NODES_MOST];
    const carom_elastic_def *m = &elastic->def;
    const int nodes = kind.nodes, points = kind.points, width = kind.width;
    const int32_t *node = elastic->mesh->element + (ptrdiff_t)element * nodes;
    start_sum(sum, nodes);
    crm_element_differences(node, nodes, position, x);
    crm_element_differences(node, nodes, velocity, v);
    for (int q = 0; q < points; q++) {
        ptrdiff_t at = (ptrdiff_t)element * points + q;
        const double *gradient = elastic->gradient + at * 3 * width;
        carom_mat3 f = crm_element_deformation(gradient, nodes, width, x);
        crm_sym3 rate = crm_symmetric_product(f, crm_element_deformation(gradient, nodes, width, v));
        crm_sym3 stress = crm_lame_stress(m->viscosity * m->lambda, m->viscosity * m->mu, rate);
        sum->power -= elastic->weight[at] * crm_sym3_dot(stress, rate);
        crm_element_push(gradient, nodes, width, elastic->weight[at], crm_mat3_mul_sym(f, stress), sum->force);
    }
}

static inline void add_viscosity(const crm_elastic *elastic, element_kind kind, crm_node_view position,
                                 crm_node_view velocity, crm_node_sum viscous, crm_elastic_result *result) {
    for (int e = 0; e < elastic->mesh->element_count; e++) {
        element_sum sum;
        viscous_sum(elastic, e, kind, position, velocity, &sum);
        result->dissipated += sum.power;
        if (viscous.first != NULL)
            crm_element_scatter(elastic->mesh->element + (ptrdiff_t)e * kind.nodes, kind.nodes, sum.force, viscous);
    }
}

static inline void add_elastic(const crm_elastic *elastic, element_kind kind, crm_node_view position,
                               crm_node_sum force, crm_elastic_result *result) {
    for (int e = 0; e < elastic->mesh->element_count; e++) {
        element_sum sum;
        elastic_sum(elastic, e, kind, position, &sum);
        result->energy += sum.energy;
        result->inverted |= sum.inverted;
        result->inverted_count += !(sum.least > 0.0);
        if (sum.least < result->least_determinant) {
            result->least_determinant = sum.least;
            result->worst_element = e;
        }
        if (kind.forces)
            crm_element_scatter(elastic->mesh->element + (ptrdiff_t)e * kind.nodes, kind.nodes, sum.force, force);
    }
}

static inline void add_all(const crm_elastic *elastic, int nodes, int points, int width, crm_node_view position,
                           crm_node_view velocity, crm_node_sum force, crm_node_sum viscous,
                           crm_elastic_result *result) {
    if (force.first != NULL)
        add_elastic(elastic, (element_kind){nodes, points, width, true}, position, force, result);
    else
        add_elastic(elastic, (element_kind){nodes, points, width, false}, position, force, result);
    if (elastic->def.viscosity > 0.0 && velocity.first != NULL)
        add_viscosity(elastic, (element_kind){nodes, points, width, true}, position, velocity, viscous, result);
}

crm_elastic_result crm_elastic_evaluate(const crm_elastic *elastic, crm_node_view position, crm_node_view velocity,
                                        crm_node_sum force, crm_node_sum viscous) {
    crm_elastic_result result = {.least_determinant = INFINITY, .worst_element = -1};
    if (elastic->nodes == 4)
        add_all(elastic, 4, 1, 4, position, velocity, force, viscous, &result);
    else
        add_all(elastic, 10, 4, 12, position, velocity, force, viscous, &result);
    return result;
}

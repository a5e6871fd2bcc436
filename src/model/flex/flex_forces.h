// SPDX-License-Identifier: MIT
// Forces and energies of the elements of all flexible bodies of a model.
#ifndef CRM_MODEL_FLEX_FORCES_H
#define CRM_MODEL_FLEX_FORCES_H

#include "math/spatial.h"
#include "model/motion.h"

// What flexible bodies come to at some motions, or {.flex = -1} without any.
typedef struct crm_flex_sum {
    double energy;            // J; infinite where an element has none
    double least_determinant; // of F over all quadrature points
    int flex, element;        // that have it; of what is inverted the first flexible body that is
    bool inverted;            // an element has no energy
    int inverted_count;       // elements that are inside out
} crm_flex_sum;

static inline crm_node_view crm_flex_positions(const crm_flex *flex, const crm_motion *motions) {
    return (crm_node_view){&motions[flex->first_body].x, sizeof *motions};
}

static inline bool crm_flex_is_viscous(const crm_flex *flex) {
    return flex->def.elastic.viscosity > 0.0;
}

// How a flexible body is called in messages: "flexible body 'cube'".
const char *crm_flex_text(const carom_model *model, int flex, char text[CRM_BODY_TEXT]);

// Puts nodes that bodies carry where these have them, with their velocities.
void crm_flex_carry(const carom_model *model, const crm_flex *flex, crm_motion *motions);

// The body that the first node of an element is.
int crm_flex_element_body(const crm_flex *flex, int element);

// Adds elastic forces to wrench[body].linear and viscous ones to passive[body].linear of all flexible bodies whose
// first node that moves is in group `of` (`group` NULL: of all). The angular parts of `passive` of their nodes are
// left zero.
crm_flex_sum crm_flex_forces_add(const carom_model *model, const crm_motion *motions, const int *group, int of,
                                 crm_vec6 *wrench, crm_vec6 *passive);

// Each energy is added to the first node that moves: *(of_body + body * stride bytes); of_body may be NULL.
crm_flex_sum crm_flex_energy(const carom_model *model, const crm_motion *motions, double *of_body, size_t stride);

#endif

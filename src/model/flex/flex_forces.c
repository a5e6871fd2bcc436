// SPDX-License-Identifier: MIT
#include "model/flex/flex_forces.h"

#include <math.h>

static const crm_flex_sum nothing = {.least_determinant = INFINITY, .flex = -1, .element = -1};

// What cannot be told apart from a number that is none counts as the least.
static void join(crm_flex_sum *sum, const crm_elastic_result *result, int flex) {
    sum->energy += result->inverted ? INFINITY : result->energy;
    sum->inverted_count += result->inverted_count;
    bool worse = !(result->least_determinant >= sum->least_determinant);
    if (sum->inverted || (!worse && !result->inverted)) return;
    sum->least_determinant = result->least_determinant;
    sum->flex = flex;
    sum->element = result->worst_element;
    sum->inverted = result->inverted;
}

const char *crm_flex_text(const carom_model *model, int flex, char text[CRM_BODY_TEXT]) {
    return crm_item_text("flexible body", model->flexes.items[flex].def.name, flex, text);
}

void crm_flex_carry(const carom_model *model, const crm_flex *flex, crm_motion *motions) {
    for (int i = 0; i < flex->attachment_count; i++) {
        const crm_flex_attachment *a = &flex->attachment[i];
        const crm_body *body = &model->bodies.items[a->body];
        const crm_motion *m = &motions[a->body];
        carom_vec3 arm = crm_quat_rotate(m->q, a->at);
        carom_vec3 velocity = crm_add(crm_motion_velocity(body, m), crm_cross(crm_motion_spin(body, m), arm));
        motions[a->node].x = crm_add(m->x, arm);
        motions[a->node].p = crm_scale(model->bodies.items[a->node].mass, velocity);
    }
}

int crm_flex_element_body(const crm_flex *flex, int element) {
    const int32_t *nodes = carom_mesh_elements(flex->def.mesh);
    int order = carom_mesh_order(flex->def.mesh);
    return flex->first_body + nodes[(ptrdiff_t)element * CAROM_ELEMENT_NODES(order)];
}

// Velocities are read from where moments would be, which a node has none of.
static crm_elastic_result evaluate_viscous(const carom_model *model, const crm_flex *flex, const crm_motion *motions,
                                           crm_vec6 *wrench, crm_vec6 *passive) {
    crm_vec6 *first = &passive[flex->first_body];
    for (int n = 0; n < flex->node_count; n++) {
        int b = flex->first_body + n;
        passive[b].angular = crm_motion_velocity(&model->bodies.items[b], &motions[b]);
    }
    crm_elastic_result result = crm_elastic_evaluate(flex->elastic, crm_flex_positions(flex, motions),
                                                     (crm_node_view){&first->angular, sizeof *first},
                                                     (crm_node_sum){&wrench[flex->first_body].linear, sizeof *wrench},
                                                     (crm_node_sum){&first->linear, sizeof *first});
    for (int n = 0; n < flex->node_count; n++) first[n].angular = crm_vec3_zero();
    return result;
}

crm_flex_sum crm_flex_forces_add(const carom_model *model, const crm_motion *motions, const int *group, int of,
                                 crm_vec6 *wrench, crm_vec6 *passive) {
    crm_flex_sum sum = nothing;
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        if (group != NULL && (flex->first_moving < 0 || group[flex->first_moving] != of)) continue;
        crm_elastic_result result;
        if (crm_flex_is_viscous(flex))
            result = evaluate_viscous(model, flex, motions, wrench, passive);
        else
            result = crm_elastic_evaluate(flex->elastic, crm_flex_positions(flex, motions), (crm_node_view){0},
                                          (crm_node_sum){&wrench[flex->first_body].linear, sizeof *wrench},
                                          (crm_node_sum){0});
        join(&sum, &result, f);
    }
    return sum;
}

crm_flex_sum crm_flex_energy(const carom_model *model, const crm_motion *motions, double *of_body, size_t stride) {
    crm_flex_sum sum = nothing;
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        crm_elastic_result result = crm_elastic_evaluate(flex->elastic, crm_flex_positions(flex, motions),
                                                         (crm_node_view){0}, (crm_node_sum){0}, (crm_node_sum){0});
        join(&sum, &result, f);
        if (of_body != NULL && flex->first_moving >= 0)
            *(double *)(void *)((char *)of_body + (size_t)flex->first_moving * stride) += result.energy;
    }
    return sum;
}

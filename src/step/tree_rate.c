// SPDX-License-Identifier: MIT
#include "step/tree_rate.h"

#include <math.h>
#include <string.h>

// A force f that keeps its direction while its point at the arm r turns with the body by w has the torque
// (w x r) x f: about principal axis k it is turned back by f.r - f_k r_k a radian.
static void pull(const crm_joint_side *side, const crm_joint_graph *graph, const crm_motion *motions, carom_vec3 force,
                 carom_vec3 *stiffness) {
    int link = side->body < 0 ? -1 : graph->link_of_body[side->body];
    if (link < 0) return;
    carom_vec3 product = crm_vec3_mul(crm_quat_rotate_inverse(motions[side->body].q, force), side->at);
    double sum = product.x + product.y + product.z;
    stiffness[link] = crm_add(stiffness[link], crm_sub(crm_vec3(sum, sum, sum), product));
}

double crm_tree_fastest_rate(const carom_model *model, const crm_motion *motions, const crm_vec6 *reaction,
                             carom_vec3 *stiffness) {
    const crm_joint_graph *graph = &model->graph;
    memset(stiffness, 0, (size_t)graph->link_count * sizeof *stiffness);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        pull(&joint->b, graph, motions, reaction[j].linear, stiffness);
        pull(&joint->a, graph, motions, crm_negate(reaction[j].linear), stiffness);
    }
    double square = 0.0;
    for (int i = 0; i < graph->link_count; i++) {
        const crm_body *body = &model->bodies.items[graph->link[i].body];
        square = fmax(square, 4.0 * crm_length_squared(crm_motion_spin(body, &motions[graph->link[i].body])));
        square = fmax(square, crm_max_component(crm_vec3_mul(stiffness[i], body->inverse_inertia)));
    }
    return sqrt(square);
}

// SPDX-License-Identifier: MIT
#include "step/tree/tree_rate.h"

#include <math.h>

void crm_rate_links_fill(const carom_model *model, crm_rate_link *links) {
    for (int i = 0; i < model->graph.link_count; i++) {
        const crm_tree_link *link = &model->graph.link[i];
        links[i] = (crm_rate_link){.body = link->body,
                                   .parent = link->parent,
                                   .joint = link->joint,
                                   .sign = link->reversed ? -1.0 : 1.0,
                                   .inverse_inertia = model->bodies.items[link->body].inverse_inertia};
        if (link->joint < 0) continue;
        const crm_joint *joint = &model->joints.items[link->joint];
        links[i].child_at = link->reversed ? joint->a.at : joint->b.at;
        links[i].parent_at = link->reversed ? joint->b.at : joint->a.at;
    }
}

// A force f that keeps its direction while its point at the arm r rotates with the body by w has the torque
// (w x r) x f: about principal axis k it is rotated back by f.r - f_k r_k a radian.
static void pull(crm_rate_link *link, const crm_motion *motions, carom_vec3 at, carom_vec3 force) {
    carom_vec3 product = crm_vec3_mul(crm_quat_rotate_inverse(motions[link->body].q, force), at);
    double sum = product.x + product.y + product.z;
    link->stiffness = crm_add(link->stiffness, crm_sub(crm_vec3(sum, sum, sum), product));
}

double crm_tree_fastest_rate(crm_rate_link *links, int count, const crm_motion *motions, const crm_vec6 *reaction) {
    double square = 0.0;
    for (int i = 0; i < count; i++) {
        crm_rate_link *link = &links[i];
        link->stiffness = crm_vec3_zero();
        if (link->joint < 0) continue;
        carom_vec3 force = crm_scale(link->sign, reaction[link->joint].linear);
        pull(link, motions, link->child_at, force);
        if (link->parent >= 0) pull(&links[link->parent], motions, link->parent_at, crm_negate(force));
    }
    for (int i = 0; i < count; i++) {
        const crm_motion *m = &motions[links[i].body];
        carom_vec3 spin = crm_vec3_mul(links[i].inverse_inertia, crm_quat_rotate_inverse(m->q, m->l));
        double swing = crm_max_component(crm_vec3_mul(links[i].stiffness, links[i].inverse_inertia));
        double rotation = 4.0 * crm_length_squared(spin);
        if (!(square >= rotation)) square = rotation;
        if (!(square >= swing)) square = swing;
    }
    return sqrt(square);
}

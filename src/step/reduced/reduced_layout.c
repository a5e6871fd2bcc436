// SPDX-License-Identifier: MIT
// Which number of the problem's state is what, and what its error is relative to.
#include <math.h>

#include "base/fail.h"
#include "step/reduced/reduced.h"

// ---- numbers

static void count_coordinates(const carom_model *model, int i, crm_reduced_offsets *place, int *rotations) {
    const crm_tree_link *link = &model->graph.link[i];
    *place = (crm_reduced_offsets){.rotation = -1};
    if (link->joint >= 0) {
        const crm_joint *joint = &model->joints.items[link->joint];
        place->slide_count = joint->linear->free;
        place->angular_count = joint->angular->free;
        if (joint->angular->free == 3)
            place->rotation = (*rotations)++;
        else
            place->angle_count = joint->angular->free;
    } else {
        carom_body_kind kind = model->bodies.items[link->body].kind;
        place->slide_count = kind == CAROM_BODY_PLANAR ? 2 : 3;
        place->angular_count = kind == CAROM_BODY_PLANAR ? 1 : kind == CAROM_BODY_POINT ? 0 : 3;
        if (kind != CAROM_BODY_POINT) place->rotation = (*rotations)++;
    }
}

// Numbers and error blocks of a kind, in the order of links.
typedef struct layout {
    crm_error_block *error_block;
    int error_block_count, next;
} layout;

static int take_numbers(layout *l, int count, double least) {
    int first = l->next;
    l->next += count;
    if (count > 0) l->error_block[l->error_block_count++] = (crm_error_block){count, 1.0, least};
    return first;
}

carom_status crm_reduced_lay_out(crm_reduced *m, crm_arena *arena, carom_error *error) {
    const crm_joint_graph *graph = &m->model->graph;
    int links = graph->link_count;
    layout l = {.error_block = CRM_ARENA_ARRAY(arena, crm_error_block, 4 * (ptrdiff_t)links + 2)};
    m->place = CRM_ARENA_ZEROED(arena, crm_reduced_offsets, links);
    m->weight = CRM_ARENA_ZEROED(arena, crm_reduced_weight, links);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "reduced", (size_t)links * sizeof *m->place);
    for (int i = 0; i < links; i++) {
        count_coordinates(m->model, i, &m->place[i], &m->problem.rotation_count);
        m->place[i].slide = take_numbers(&l, m->place[i].slide_count, graph->link[i].joint >= 0 ? m->bounds.size : 0.0);
        m->place[i].angle = take_numbers(&l, m->place[i].angle_count, 1.0);
    }
    m->problem.position_count = l.next;
    l.next = 0;
    for (int i = 0; i < links; i++) {
        m->weight[i].linear = l.error_block + l.error_block_count;
        m->place[i].linear_rate = take_numbers(&l, m->place[i].slide_count, 0.0);
        m->weight[i].angular = l.error_block + l.error_block_count;
        m->place[i].angular_rate = take_numbers(&l, m->place[i].angular_count, 0.0);
    }
    m->external_block = l.error_block + l.error_block_count;
    for (int k = 0; k < 2; k++) take_numbers(&l, 3, 0.0);
    m->problem.velocity_count = l.next;
    m->problem.error_block = l.error_block;
    m->problem.error_block_count = l.error_block_count;
    return CAROM_OK;
}

// ---- what errors are relative to

static double kinetic_energy_of(const crm_reduced *m, int i) {
    const crm_articulated_link *link = &m->tree.link[i];
    const crm_motion *motion = &m->motions[link->tree->body];
    crm_vec6 twist = crm_articulated_at_centre(link, link->twist);
    return 0.5 * (crm_dot(motion->p, twist.linear) + crm_dot(motion->l, twist.angular));
}

// Mass of each link and all that hangs on it, and their moment of inertia about the link's origin, whatever the axis.
static void weigh_branches(crm_reduced *m) {
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_articulated_link *link = &m->tree.link[i];
        double mass = link->body->mass;
        m->weight[i].mass = mass;
        m->weight[i].first = crm_scale(mass, link->centre);
        m->weight[i].second = mass * crm_length_squared(link->centre) + 0.5 * crm_mat3_trace(link->inertia);
        m->weight[i].energy = kinetic_energy_of(m, i);
    }
    for (int i = m->tree.link_count - 1; i >= 0; i--) {
        const crm_articulated_link *link = &m->tree.link[i];
        if (link->tree->parent < 0) continue;
        const crm_reduced_weight *from = &m->weight[i];
        crm_reduced_weight *to = &m->weight[link->tree->parent];
        carom_vec3 d = link->offset;
        to->mass += from->mass;
        to->first = crm_add(to->first, crm_madd(from->first, from->mass, d));
        to->second += from->second + 2.0 * crm_dot(d, from->first) + from->mass * crm_length_squared(d);
        to->energy += from->energy;
    }
}

// A rate is measured by the one at which its branch, were it rigid, would have the kinetic energy of the whole tree: a
// joint at rest in a tree that moves needs no better, and errors near the root, which move much, are not hidden by fast
// tips.
void crm_reduced_weigh(void *context) {
    crm_reduced *m = context;
    weigh_branches(m);
    for (int i = 0; i < m->tree.link_count; i++) {
        crm_reduced_weight *weight = &m->weight[i];
        int parent = m->model->graph.link[i].parent;
        if (parent >= 0) weight->energy = m->weight[parent].energy;
        if (m->place[i].slide_count > 0) weight->linear->least = sqrt(2.0 * weight->energy / weight->mass);
        if (m->place[i].angular_count > 0) weight->angular->least = sqrt(2.0 * weight->energy / weight->second);
    }
}

// SPDX-License-Identifier: MIT
#include "step/integrate/discrete.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/pair_potential.h"

// Sine of the angle below which two axes of a joint count as one.
static const double same_axis = 1e-8;

// ---- momenta between nodes

// (s, a) of the rotation from one attitude to the other, s >= 0.
static carom_quat rotation_between(const crm_motion *from, const crm_motion *to) {
    carom_quat rotation = crm_quat_mul(to->q, crm_quat_conjugate(from->q));
    return rotation.w < 0.0 ? crm_quat_negate(rotation) : rotation;
}

crm_vec6 crm_discrete_kinetic(const crm_body *body, const crm_motion *from, const crm_motion *to, double h) {
    if (body->kind == CAROM_BODY_FIXED) return crm_vec6_zero();
    carom_quat rotation = rotation_between(from, to);
    carom_vec3 a = crm_quat_vector(rotation), ja = crm_mat3_apply(crm_body_inertia(body, from->q), a);
    crm_vec6 kinetic = crm_vec6_of(crm_scale(body->mass / h, crm_sub(to->x, from->x)),
                                   crm_scale(2.0 / h, crm_madd(crm_cross(a, ja), rotation.w, ja)));
    return crm_wrench_projected(body->kind, kinetic);
}

static crm_vec6 wrench_of(const carom_model *model, crm_point point, const crm_motion *motions, carom_vec3 force) {
    carom_vec3 arm = crm_quat_rotate(motions[point.body].q, point.at);
    return crm_wrench_projected(model->bodies.items[point.body].kind, crm_vec6_of(force, crm_cross(arm, force)));
}

static carom_vec3 middle_of(crm_point point, const crm_interval *i) {
    return crm_scale(0.5, crm_add(crm_point_position(point, i->from), crm_point_position(point, i->to)));
}

void crm_discrete_impulses(const carom_model *model, const crm_interval *i, crm_vec6 *before, crm_vec6 *after) {
    double half = 0.5 * i->h;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_vec6 weight = crm_vec6_of(crm_scale(half * body->mass, model->gravity), crm_vec3_zero());
        before[b] = after[b] = crm_wrench_projected(body->kind, weight);
    }
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        crm_pair_potential_value value =
            crm_pair_potential_evaluate(pair, middle_of(pair->a, i), middle_of(pair->b, i));
        const crm_point ends[2] = {pair->a, pair->b};
        for (int e = 0; e < 2; e++) {
            int b = ends[e].body;
            if (b < 0) continue;
            carom_vec3 force = crm_scale(e == 0 ? -half : half, value.gradient);
            before[b] = crm_vec6_add(before[b], wrench_of(model, ends[e], i->from, force));
            after[b] = crm_vec6_add(after[b], wrench_of(model, ends[e], i->to, force));
        }
    }
}

void crm_discrete_legendre(const carom_model *model, const crm_interval *i, crm_vec6 *minus, crm_vec6 *plus) {
    crm_discrete_impulses(model, i, minus, plus);
    for (int b = 0; b < model->bodies.count; b++) {
        crm_vec6 kinetic = crm_discrete_kinetic(&model->bodies.items[b], &i->from[b], &i->to[b], i->h);
        minus[b] = crm_vec6_sub(kinetic, minus[b]);
        plus[b] = crm_vec6_add(kinetic, plus[b]);
    }
}

// ---- energies

// 1/(2 h^2) dq^T M dq of the directors is m |d|^2 / (2 h^2) + 2 a.J a / h^2.
static double kinetic_energy(const crm_body *body, const crm_motion *from, const crm_motion *to, double h) {
    if (body->kind == CAROM_BODY_FIXED) return 0.0;
    carom_vec3 a = crm_quat_vector(rotation_between(from, to));
    double linear = 0.5 * body->mass * crm_length_squared(crm_sub(to->x, from->x));
    return (linear + 2.0 * crm_dot(a, crm_mat3_apply(crm_body_inertia(body, from->q), a))) / (h * h);
}

// Adds the springs of a joint, by the mean of their values.
static double add_springs(double energy, const crm_joint *joint, const crm_joint_config *from,
                          const crm_joint_config *to) {
    double start[6], end[6];
    crm_joint_values(joint, from, start);
    crm_joint_values(joint, to, end);
    for (int k = 0; k < joint->free; k++) {
        double stretch = 0.5 * (start[k] + end[k]) - joint->def.coordinate[k].rest;
        energy += 0.5 * joint->def.coordinate[k].stiffness * stretch * stretch;
    }
    return energy;
}

double crm_discrete_body_energy(const carom_model *model, int b, const crm_interval *i) {
    const crm_body *body = &model->bodies.items[b];
    if (body->kind == CAROM_BODY_FIXED) return 0.0;
    carom_vec3 middle = crm_scale(0.5, crm_add(i->from[b].x, i->to[b].x));
    double kinetic = crm_discrete_body_action(body, &i->from[b], &i->to[b]) / (i->h * i->h);
    return kinetic - body->mass * crm_dot(model->gravity, middle);
}

// Adds those of pairs. A charge with all others stands one after the other: where the first point is, is asked once.
static double add_pairs(double energy, const carom_model *model, const crm_interval *i) {
    carom_vec3 a = crm_vec3_zero();
    for (int p = 0; p < model->pair_potentials.count; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        if (p == 0 || !crm_same_point(&pair->a, &pair[-1].a)) a = middle_of(pair->a, i);
        energy += crm_pair_potential_evaluate(pair, a, middle_of(pair->b, i)).energy;
    }
    return energy;
}

double crm_discrete_coupling_energy(const carom_model *model, const crm_interval *i, const crm_joint_config *from) {
    double energy = 0.0;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!joint->driven) continue;
        crm_joint_pose pose = crm_joint_evaluate(joint, i->to);
        crm_joint_config to = crm_joint_config_of(joint, &pose, &from[j]);
        energy = add_springs(energy, joint, &from[j], &to);
    }
    return add_pairs(energy, model, i);
}

double crm_discrete_energy(const carom_model *model, const crm_interval *i, const crm_joint_config *from,
                           const crm_joint_config *to) {
    double energy = 0.0;
    for (int j = 0; j < model->joints.count; j++)
        if (model->joints.items[j].driven) energy = add_springs(energy, &model->joints.items[j], &from[j], &to[j]);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        carom_vec3 middle = crm_scale(0.5, crm_add(i->from[b].x, i->to[b].x));
        energy += kinetic_energy(body, &i->from[b], &i->to[b], i->h) - body->mass * crm_dot(model->gravity, middle);
    }
    return add_pairs(energy, model, i);
}

double crm_discrete_hamiltonian(const carom_model *model, const crm_motion *motions, const crm_joint_config *configs) {
    carom_energy energy = crm_energy(model, 0.0, motions, configs);
    return energy.kinetic + energy.potential;
}

// ---- the null space of joints

carom_status crm_null_space_create(const carom_model *model, crm_arena *arena, crm_null_space *space,
                                   carom_error *error) {
    int links = model->graph.link_count, coordinates = model->graph.free_count;
    crm_null_space s = {.model = model};
    carom_status status = crm_tree_system_create(&model->graph, arena, &s.system, error);
    if (status != CAROM_OK) return status;
    // Both null spaces are the one at the node, and nobody needs the masses after they are factored.
    s.system.right = s.system.left;
    s.system.right_arm = s.system.left_arm;
    s.system.articulated = s.system.block;
    s.start = CRM_ARENA_ZEROED(arena, crm_link_start, links);
    s.twist = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    s.inputs = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    s.rate = CRM_ARENA_ARRAY(arena, double, coordinates);
    s.nothing = CRM_ARENA_ZEROED(arena, double, coordinates);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the null space of %d links", links);
    *space = s;
    return CAROM_OK;
}

static void set_masses(const carom_model *model, const crm_motion *motions, crm_mat6 *block) {
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        const crm_body *body = &model->bodies.items[b];
        crm_inertia inertia = {body->mass, crm_vec3_zero(), crm_body_inertia(body, motions[b].q)};
        block[i] = crm_inertia_to_mat6(&inertia);
    }
}

bool crm_tree_factor_masses(const carom_model *model, const crm_motion *motions, crm_tree_system *system) {
    memset(system->joint_block, 0, (size_t)system->square[model->graph.link_count] * sizeof *system->joint_block);
    set_masses(model, motions, system->block);
    return crm_tree_factor(system);
}

bool crm_null_space_at(crm_null_space *space, const crm_motion *motions) {
    crm_tree_start(space->model, motions, space->start, &space->system);
    return crm_tree_factor_masses(space->model, motions, &space->system);
}

// From bodies to links.
static void take_links(crm_null_space *space, const crm_vec6 *p) {
    const crm_joint_graph *graph = &space->model->graph;
    for (int i = 0; i < graph->link_count; i++) space->inputs[i] = p[graph->link[i].body];
}

void crm_null_space_reduce(crm_null_space *space, const crm_vec6 *p, double *reduced) {
    const crm_joint_graph *graph = &space->model->graph;
    take_links(space, p);
    crm_tree_gather(graph, space->system.left_arm, space->inputs, space->inputs);
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        for (int k = 0; k < link->free; k++)
            reduced[link->first + k] = crm_vec6_dot(space->system.left[link->first + k], space->inputs[i]);
    }
}

void crm_null_space_twists(crm_null_space *space, const crm_vec6 *p, crm_vec6 *twist) {
    const crm_joint_graph *graph = &space->model->graph;
    take_links(space, p);
    crm_tree_solve(&space->system, space->inputs, space->nothing, space->rate, space->twist);
    for (int b = 0; b < space->model->bodies.count; b++) {
        int link = graph->link_of_body[b];
        twist[b] = link < 0 ? crm_vec6_zero() : space->twist[link];
    }
}

void crm_null_space_project(crm_null_space *space, const crm_motion *motions, const crm_vec6 *p, crm_vec6 *projected) {
    crm_null_space_twists(space, p, projected);
    for (int b = 0; b < space->model->bodies.count; b++) {
        const crm_body *body = &space->model->bodies.items[b];
        projected[b].linear = crm_scale(body->mass, projected[b].linear);
        projected[b].angular = crm_motion_angular_momentum(body, motions[b].q, projected[b].angular);
    }
}

// Without what the joint's free motions would feel, which is rounding where `projected` is Q p: a wrench about B's
// origin, where free motions are either slides or rotations.
static crm_vec6 blocked_part(const crm_null_space *space, int i, crm_vec6 wrench) {
    const crm_tree_link *link = &space->model->graph.link[i];
    crm_vec6 basis[6];
    int count = 0;
    for (int k = 0; k < link->free; k++) {
        crm_vec6 column = crm_motion_shift(space->system.left[link->first + k], space->start[i].child_arm);
        double size = crm_vec6_dot(column, column);
        for (int n = 0; n < count; n++) column = crm_vec6_madd(column, -crm_vec6_dot(column, basis[n]), basis[n]);
        double left = crm_vec6_dot(column, column);
        if (!(left > same_axis * same_axis * size)) continue;
        basis[count] = crm_vec6_scale(1.0 / sqrt(left), column);
        wrench = crm_vec6_madd(wrench, -crm_vec6_dot(wrench, basis[count]), basis[count]);
        count++;
    }
    return wrench;
}

void crm_null_space_multipliers(crm_null_space *space, const crm_vec6 *p, const crm_vec6 *projected,
                                crm_vec6 *impulse) {
    const crm_joint_graph *graph = &space->model->graph;
    for (int j = 0; j < space->model->joints.count; j++) impulse[j] = crm_vec6_zero();
    for (int i = 0; i < graph->link_count; i++) {
        int b = graph->link[i].body;
        space->inputs[i] = crm_vec6_sub(projected[b], p[b]);
    }
    crm_tree_gather(graph, space->system.left_arm, space->inputs, space->inputs);
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        if (link->joint < 0) continue;
        crm_vec6 taken = blocked_part(space, i, crm_force_shift(space->inputs[i], space->start[i].child_arm));
        impulse[link->joint] = link->reversed ? crm_vec6_negate(taken) : taken;
    }
}

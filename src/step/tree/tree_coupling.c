// SPDX-License-Identifier: MIT
#include "step/tree/tree_coupling.h"

#include <math.h>
#include <string.h>

#include "model/force/evaluate.h"
#include "model/force/pair_potential.h"

// Of a place, relative to its size: some sums of a few numbers, each rounded to 1.1e-16.
static const double place_rounding = 1e-15;

int crm_tree_spring_only_count(const carom_model *model) {
    int count = 0;
    for (int j = 0; j < model->joints.count; j++) count += crm_tree_is_spring_only(model, j);
    return count;
}

static int link_of(const carom_model *model, int body) {
    return body < 0 ? -1 : model->graph.link_of_body[body];
}

void crm_tree_couplings_list(crm_tree_equations *e) {
    const carom_model *model = e->model;
    for (int p = 0; p < model->pair_potentials.count; p++) {
        int a = link_of(model, model->pair_potentials.items[p].a.body),
            b = link_of(model, model->pair_potentials.items[p].b.body);
        e->pair[p].link[0] = a;
        e->pair[p].link[1] = b;
        if (a >= 0 && b >= 0) e->crossed = true;
    }
    for (int j = 0; j < model->joints.count; j++) {
        if (!crm_tree_is_spring_only(model, j)) continue;
        const crm_joint *joint = &model->joints.items[j];
        int a = link_of(model, joint->a.body), b = link_of(model, joint->b.body);
        e->spring_only[e->spring_only_count++] = (crm_tree_spring_only){.joint = j, .link = {a, b}};
        if (a >= 0 && b >= 0) e->crossed = true;
    }
}

// ---- forces

// The mean place of a point, and its arms at both ends.
static carom_vec3 evaluate_end(crm_tree_equations *e, crm_point point, crm_tree_pair_potential *pair, int end) {
    int i = pair->link[end];
    if (i < 0) return crm_point_position(point, e->from);
    const crm_motion *m = &e->from[point.body];
    carom_vec3 arm = crm_quat_rotate(m->q, point.at), rotated = crm_vec3_zero();
    // What a mass point carries is at its centre: its rotation, which stands for that of its parent, does nothing to
    // it.
    if (e->model->bodies.items[point.body].kind != CAROM_BODY_POINT) rotated = crm_rotated_by(e->move[i].rotation, arm);
    pair->before[end] = arm;
    pair->after[end] = crm_add(arm, rotated);
    carom_vec3 middle = crm_scale(0.5, crm_add(e->move[i].displacement, rotated));
    return crm_add(crm_add(m->x, arm), middle);
}

static crm_vec6 wrench_at(carom_vec3 arm, carom_vec3 force) {
    return crm_vec6_of(force, crm_cross(arm, force));
}

// What the kind of a link's body admits. There are many pairs where bodies have many charges, and most bodies admit
// all.
static inline crm_vec6 projected_on(const crm_tree_equations *e, int link, crm_vec6 wrench) {
    carom_body_kind kind = e->model->bodies.items[e->model->graph.link[link].body].kind;
    return kind == CAROM_BODY_FREE ? wrench : crm_wrench_projected(kind, wrench);
}

static void pull_end(crm_tree_equations *e, const crm_tree_pair_potential *pair, int end, double blur) {
    int i = pair->link[end];
    if (i < 0) return;
    double half = 0.5 * e->h, arm = crm_length(pair->before[end]);
    carom_vec3 force = end == 0 ? pair->gradient : crm_negate(pair->gradient);
    crm_vec6 wrench = projected_on(e, i, wrench_at(pair->before[end], force));
    e->pull[i] = crm_vec6_add(e->pull[i], wrench);
    e->pull_after[i] = crm_vec6_add(e->pull_after[i], projected_on(e, i, wrench_at(pair->after[end], force)));
    e->taken[i] = crm_vec6_madd(e->taken[i], half, wrench);
    e->size[2 * i] += half * crm_length(force);
    e->size[2 * i + 1] += half * arm * crm_length(force);
    e->blur[2 * i] += half * blur;
    e->blur[2 * i + 1] += half * arm * blur;
}

static void evaluate_potentials(crm_tree_equations *e) {
    for (int p = 0; p < e->model->pair_potentials.count; p++) {
        const crm_pair_potential *what = &e->model->pair_potentials.items[p];
        crm_tree_pair_potential *pair = &e->pair[p];
        carom_vec3 a = evaluate_end(e, what->a, pair, 0), b = evaluate_end(e, what->b, pair, 1);
        crm_pair_potential_value value = crm_pair_potential_evaluate(what, a, b);
        pair->gradient = value.gradient;
        pair->hessian = value.hessian;
        double blur = place_rounding * crm_mat3_norm(value.hessian) * (crm_length(a) + crm_length(b));
        pull_end(e, pair, 0, blur);
        pull_end(e, pair, 1, blur);
    }
}

static void pull_spring_only(crm_tree_equations *e, const crm_tree_spring_only *spring_only, int end) {
    int i = spring_only->link[end], free = e->model->joints.items[spring_only->joint].free;
    if (i < 0) return;
    crm_vec6 before =
        projected_on(e, i, crm_tree_spring_only_wrench(spring_only->before, spring_only->drive.before, free, end));
    crm_vec6 after =
        projected_on(e, i, crm_tree_spring_only_wrench(spring_only->after, spring_only->drive.after, free, end));
    crm_vec6 blur = crm_tree_spring_only_wrench(spring_only->before, spring_only->drive.blur, free, end);
    double half = 0.5 * e->h;
    e->pull[i] = crm_vec6_sub(e->pull[i], before);
    e->pull_after[i] = crm_vec6_sub(e->pull_after[i], after);
    e->taken[i] = crm_vec6_madd(e->taken[i], -half, before);
    e->size[2 * i] += half * crm_length(before.linear);
    e->size[2 * i + 1] += half * crm_length(before.angular);
    e->blur[2 * i] += half * crm_length(blur.linear);
    e->blur[2 * i + 1] += half * crm_length(blur.angular);
}

static void evaluate_spring_only(crm_tree_equations *e) {
    for (int l = 0; l < e->spring_only_count; l++) {
        crm_tree_spring_only *spring_only = &e->spring_only[l];
        const crm_joint *joint = &e->model->joints.items[spring_only->joint];
        for (int end = 0; end < 2; end++) {
            int body = end == 0 ? joint->a.body : joint->b.body, i = spring_only->link[end];
            if (body < 0) continue;
            e->after[body] = e->from[body];
            if (i < 0) continue;
            e->after[body].x = crm_add(e->from[body].x, e->move[i].displacement);
            if (e->model->bodies.items[body].kind != CAROM_BODY_POINT)
                e->after[body].q = crm_quat_mul(e->move[i].rotation, e->from[body].q);
        }
        crm_tree_spring_only_evaluate(e->model, e->input, &e->configs[spring_only->joint], e->from, e->after, e->h,
                                      spring_only);
        pull_spring_only(e, spring_only, 0);
        pull_spring_only(e, spring_only, 1);
    }
}

// ---- discrete forces

static void push_link(crm_tree_equations *e, int i) {
    const crm_discrete_forces *forces = &e->forces;
    int b = e->model->graph.link[i].body;
    crm_vec6 before = crm_discrete_forces_before(forces, b);
    e->pull[i] = crm_vec6_madd(e->pull[i], -2.0 / e->h, before);
    e->pull_after[i] = crm_vec6_madd(e->pull_after[i], -2.0 / e->h, crm_discrete_forces_after(forces, b));
    e->taken[i] = crm_vec6_sub(e->taken[i], before);
    e->size[2 * i] += crm_length(before.linear);
    e->size[2 * i + 1] += crm_length(before.angular);
    const double *slope = crm_discrete_forces_block(forces, b); // of the iteration before
    for (int k = 0; k < 18; k++)
        e->blur[2 * i + k % 6 / 3] += place_rounding * crm_length(e->from[b].x) * fabs(slope[k]);
}

static bool evaluate_forces(crm_tree_equations *e) {
    const crm_joint_graph *graph = &e->model->graph;
    for (int i = 0; i < graph->link_count; i++)
        crm_discrete_forces_place(&e->forces, graph->link[i].body, e->move[i].displacement, e->move[i].rotation);
    if (!crm_discrete_forces_evaluate(&e->forces)) return false;
    for (int i = 0; i < graph->link_count; i++) push_link(e, i);
    return true;
}

bool crm_tree_couplings_evaluate(crm_tree_equations *e) {
    if (e->model->pair_potentials.count + e->spring_only_count == 0 && !e->forces.any) return true;
    memset(e->pull, 0, (size_t)e->model->graph.link_count * sizeof *e->pull);
    memset(e->pull_after, 0, (size_t)e->model->graph.link_count * sizeof *e->pull_after);
    evaluate_potentials(e);
    evaluate_spring_only(e);
    return !e->forces.any || evaluate_forces(e);
}

// ---- derivatives

// How the mean place of a pair's end changes with its body's step.
static carom_vec3 end_rate(const crm_tree_pair_potential *pair, int end, crm_vec6 twist) {
    return crm_scale(0.5, crm_add(twist.linear, crm_cross(twist.angular, pair->after[end])));
}

// The change of `taken` of the body at `end` by the relative displacement of the two mean places.
static crm_vec6 end_effect(const crm_tree_equations *e, const crm_tree_pair_potential *pair, int end,
                           carom_vec3 relative) {
    carom_vec3 force = crm_scale(end == 0 ? 0.5 * e->h : -0.5 * e->h, crm_mat3_apply(pair->hessian, relative));
    return projected_on(e, pair->link[end], wrench_at(pair->before[end], force));
}

// The same for a spring-only joint, by a step of the body at `by`.
static crm_vec6 spring_only_effect(const crm_tree_equations *e, const crm_tree_spring_only *spring_only, int end,
                                   int by, crm_vec6 twist) {
    int free = e->model->joints.items[spring_only->joint].free;
    crm_vec6 slope = crm_tree_spring_only_slope(spring_only, free, end, by, twist);
    return projected_on(e, spring_only->link[end], crm_vec6_scale(-0.5 * e->h, slope));
}

// By a step of the body at `by`.
static crm_vec6 potential_effect(const crm_tree_equations *e, const crm_tree_pair_potential *pair, int end, int by,
                                 crm_vec6 twist) {
    carom_vec3 relative = end_rate(pair, by, twist);
    return end_effect(e, pair, end, by == 0 ? relative : crm_negate(relative));
}

static crm_vec6 unit_twist(int k) {
    crm_vec6 unit = crm_vec6_zero();
    carom_vec3 *half = k < 3 ? &unit.linear : &unit.angular;
    *half = crm_with_component(*half, k % 3, 1.0);
    return unit;
}

static void add_to_column(crm_mat6 *block, int k, crm_vec6 effect) {
    double *out = block->e + 6 * k;
    out[0] += effect.linear.x, out[1] += effect.linear.y, out[2] += effect.linear.z;
    out[3] += effect.angular.x, out[4] += effect.angular.y, out[5] += effect.angular.z;
}

// potential_effect of all unit twists: h/4 [1; [before]x] H [1, -[after]x], the same at both ends.
static void add_own_of_potential(crm_tree_equations *e, const crm_tree_pair_potential *pair, int end) {
    int i = pair->link[end];
    carom_mat3 slide = crm_mat3_scale(0.25 * e->h, pair->hessian);
    carom_mat3 rotation = crm_mat3_mul(slide, crm_skew(crm_negate(pair->after[end])));
    const carom_vec3 force[6] = {slide.x, slide.y, slide.z, rotation.x, rotation.y, rotation.z};
    for (int k = 0; k < 6; k++)
        add_to_column(&e->system.block[i], k, projected_on(e, i, wrench_at(pair->before[end], force[k])));
}

static void add_own_of_forces(crm_tree_equations *e) {
    crm_discrete_forces_differentiate(&e->forces);
    for (int i = 0; i < e->model->graph.link_count; i++) {
        const double *slope = crm_discrete_forces_block(&e->forces, e->model->graph.link[i].body);
        for (int k = 0; k < 36; k++) e->system.block[i].e[k] -= slope[k];
    }
}

void crm_tree_couplings_add_own(crm_tree_equations *e) {
    if (e->forces.any) add_own_of_forces(e);
    for (int end = 0; end < 2; end++) {
        for (int p = 0; p < e->model->pair_potentials.count; p++)
            if (e->pair[p].link[end] >= 0) add_own_of_potential(e, &e->pair[p], end);
        for (int l = 0; l < e->spring_only_count; l++) {
            const crm_tree_spring_only *spring_only = &e->spring_only[l];
            if (spring_only->link[end] < 0) continue;
            for (int k = 0; k < 6; k++)
                add_to_column(&e->system.block[spring_only->link[end]], k,
                              spring_only_effect(e, spring_only, end, end, unit_twist(k)));
        }
    }
}

static void add_effect(crm_tree_equations *e, int link, crm_vec6 effect) {
    e->effect[link] = crm_vec6_add(e->effect[link], effect);
}

// What a step of the link of one body does to the other: a block of an edge, column-major.
static void take_crossed(crm_tree_equations *e, const double *block, int body, int by, const crm_vec6 *twist) {
    int i = link_of(e->model, body), j = link_of(e->model, by);
    if (i < 0 || j < 0) return;
    crm_mat6 slope;
    memcpy(slope.e, block, sizeof slope.e);
    add_effect(e, i, crm_vec6_negate(crm_mat6_apply(&slope, twist[j])));
}

static void add_crossed_of_forces(crm_tree_equations *e, const crm_vec6 *twist) {
    const crm_block_matrix *slopes = &e->forces.slopes.stiffness;
    for (int k = 0; k < slopes->graph.edge_count; k++) {
        crm_block_edge edge = slopes->graph.edge[k];
        take_crossed(e, slopes->edges + slopes->edge_block[k], edge.row, edge.column, twist);
        take_crossed(e, slopes->mirror + slopes->edge_block[k], edge.column, edge.row, twist);
    }
}

void crm_tree_couplings_add_crossed(crm_tree_equations *e, const crm_vec6 *twist) {
    if (e->forces.any) add_crossed_of_forces(e, twist);
    for (int end = 0; end < 2; end++) {
        int by = 1 - end;
        for (int p = 0; p < e->model->pair_potentials.count; p++) {
            const crm_tree_pair_potential *pair = &e->pair[p];
            if (pair->link[0] < 0 || pair->link[1] < 0) continue;
            add_effect(e, pair->link[end], potential_effect(e, pair, end, by, twist[pair->link[by]]));
        }
        for (int l = 0; l < e->spring_only_count; l++) {
            const crm_tree_spring_only *spring_only = &e->spring_only[l];
            if (spring_only->link[0] < 0 || spring_only->link[1] < 0) continue;
            add_effect(e, spring_only->link[end],
                       spring_only_effect(e, spring_only, end, by, twist[spring_only->link[by]]));
        }
    }
}

// SPDX-License-Identifier: MIT
// A part of a step of mechanisms that no way was found for, as two of their joints say nearly the same or one stands at
// a dead point: bodies go straight on, and poses are then moved to where the joints are closed (docs/math.md 8.6).
#include <math.h>

#include "model/force/evaluate.h"
#include "model/mechanism/whole.h"
#include "step/glide/glide.h"

enum { MOST_PROJECTIONS = 60 };
// Joints that are open by no more are closed: where two say the same, no more can be had than the root of rounding.
static const double projected_share = 1e-6;

// ---- poses

static void shift(const crm_body *body, crm_vec6 impulse, crm_motion *m) {
    if (crm_length_squared(impulse.linear) + crm_length_squared(impulse.angular) == 0.0) return;
    const crm_motion change = {.q = m->q, .l = impulse.angular};
    m->x = crm_madd(m->x, body->inverse_mass, impulse.linear);
    if (body->kind != CAROM_BODY_POINT) m->q = crm_quat_step(m->q, crm_motion_spin(body, &change), 1.0);
}

// In the metric of the masses, one step of Gauss and Newton's after the other.
void crm_glide_project(crm_glide *g) {
    crm_joint_projection *p = &g->projection;
    const crm_joint_graph *graph = &g->model->graph;
    for (int i = 0; i < MOST_PROJECTIONS; i++) {
        double worst = 0.0;
        for (int m = 0; m < graph->mechanism_count; m++) {
            if (!crm_glide_has_part(g, m, true)) continue;
            g->mechanisms[m].error = crm_glide_error(g, m);
            worst = fmax(worst, g->mechanisms[m].error / g->mechanisms[m].enough);
        }
        if (worst <= 1.0) return;
        crm_glide_evaluate_end(g);
        for (int j = 0; j < g->model->joints.count; j++)
            for (int r = p->system.first_row[j]; r < p->system.first_row[j + 1]; r++)
                p->lambda[r] = crm_glide_has_part(g, graph->mechanism[j], true) ? -p->system.residual[r] : 0.0;
        crm_glide_solve(g);
        crm_glide_push(g, p->lambda, false, g->pushed);
        for (int m = 0; m < graph->mechanism_count; m++)
            for (int b = g->first[m]; crm_glide_has_part(g, m, true) && b < g->first[m + 1]; b++)
                shift(&g->model->bodies.items[g->body[b]], g->pushed[g->body[b]], &g->to[g->body[b]]);
    }
}

// ---- momenta

static bool is_grounded(const crm_glide *g, int m) {
    const crm_joint_graph *graph = &g->model->graph;
    for (int i = graph->mechanism_start[m]; i < graph->mechanism_start[m + 1]; i++) {
        const crm_joint *joint = &g->model->joints.items[graph->mechanism_joint[i]];
        if (!crm_body_moves(g->model, joint->a.body) || !crm_body_moves(g->model, joint->b.body)) return true;
    }
    return false;
}

// The spin, of all bodies as one, that has this angular momentum; false: there is none.
static bool spin_of(const crm_whole *all, carom_vec3 momentum, carom_vec3 *spin) {
    if (!all->planar) return crm_mat3_solve(all->inertia, momentum, spin);
    *spin = crm_vec3(0.0, 0.0, momentum.z / all->inertia.z.z);
    return all->inertia.z.z > 0.0;
}

// Poses that are moved by dx change angular momentum by dx x p. What floats gets it back as a spin of the whole, which
// no joint blocks; elsewhere the ground bears it.
static carom_vec3 return_momentum(crm_glide *g, const carom_state *state, int m) {
    crm_glide_mechanism *of = &g->mechanisms[m];
    carom_vec3 moved = crm_vec3_zero(), spin;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        carom_vec3 own = crm_cross(crm_sub(g->to[b].x, g->middle[b].x), g->to[b].p);
        moved = crm_add(moved, own);
        g->sum[b].angular = crm_add(g->sum[b].angular, own);
        g->outside[b].angular = crm_add(g->outside[b].angular, own);
    }
    const crm_whole all = crm_whole_of(g->model, &g->body[g->first[m]], g->first[m + 1] - g->first[m], g->to);
    if (is_grounded(g, m) || !spin_of(&all, crm_negate(moved), &spin)) return moved;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        const crm_body *body = &g->model->bodies.items[b];
        crm_vec6 given = {.linear = crm_scale(body->mass, crm_cross(spin, crm_sub(g->to[b].x, all.centre)))};
        if (body->kind != CAROM_BODY_POINT)
            given.angular = crm_mat3_apply(crm_congruence_diagonal(crm_quat_to_mat3(g->to[b].q), body->inertia), spin);
        given = crm_wrench_projected(body->kind, given);
        of->work += crm_glide_work_at_end(body, &g->to[b], given);
        g->to[b].p = crm_add(g->to[b].p, given.linear);
        g->to[b].l = crm_add(g->to[b].l, given.angular);
        crm_glide_add_impulse(state, b, g->to[b].x, given, &g->sum[b]);
        crm_glide_add_impulse(state, b, g->to[b].x, given, &g->outside[b]);
        moved = crm_add(moved, crm_add(given.angular, crm_cross(g->to[b].x, given.linear)));
    }
    return moved;
}

// ---- the part

// What moving poses does to the potential of gravity is work of the joints.
static void finish(crm_glide *g, const carom_state *state, int m) {
    crm_glide_mechanism *of = &g->mechanisms[m];
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        const crm_vec6 weight = crm_vec6_scale(1.0 / of->parts, g->weight[b]);
        carom_vec3 moved = crm_sub(g->to[b].x, g->middle[b].x);
        of->work -= g->model->bodies.items[b].mass * crm_dot(g->model->gravity, moved);
        g->to[b].p = crm_add(g->from[b].p, weight.linear);
        g->to[b].l = crm_add(g->from[b].l, weight.angular);
        carom_vec3 place = crm_scale(0.5, crm_add(g->from[b].x, g->middle[b].x));
        crm_glide_add_impulse(state, b, place, weight, &g->sum[b]);
        crm_glide_add_impulse(state, b, place, weight, &g->outside[b]);
    }
    g->moved = crm_add(g->moved, return_momentum(g, state, m));
}

void crm_glide_project_part(crm_glide *g, const carom_state *state) {
    bool any = false;
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        if (!crm_glide_has_part(g, m, true)) continue;
        for (int i = g->first[m]; i < g->first[m + 1]; i++) g->middle[g->body[i]] = g->to[g->body[i]];
        any = true;
    }
    if (!any) return;
    crm_glide_project(g);
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        if (!crm_glide_has_part(g, m, true)) continue;
        g->mechanisms[m].failed = !(g->mechanisms[m].error <= projected_share);
        if (!g->mechanisms[m].failed) finish(g, state, m);
    }
}

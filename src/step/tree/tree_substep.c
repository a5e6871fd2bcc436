// SPDX-License-Identifier: MIT
#include "step/tree/tree_substep.h"

#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/integrate/discrete.h"

carom_status crm_tree_substep_create(const carom_model *model, crm_arena *arena, crm_tree_substep *substep,
                                     carom_error *error) {
    crm_tree_substep p = {0};
    carom_status status = crm_tree_newton_create(model, arena, &p.newton, error);
    if (status != CAROM_OK) return status;
    p.motions = CRM_ARENA_ZEROED(arena, crm_motion, model->bodies.count);
    p.configs = CRM_ARENA_ZEROED(arena, crm_joint_config, model->joints.count);
    p.taken_after = CRM_ARENA_ARRAY(arena, crm_vec6, model->graph.link_count);
    p.joint_wrench = CRM_ARENA_ZEROED(arena, crm_vec6, model->joints.count);
    p.rate = CRM_ARENA_ARRAY(arena, double, model->graph.free_count);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for %d bodies and %d joints",
                        model->bodies.count, model->joints.count);
    *substep = p;
    return CAROM_OK;
}

static crm_vec6 root_residual(const crm_tree_equations *e, int i) {
    return crm_wrench_projected(e->model->bodies.items[e->model->graph.link[i].body].kind, e->taken[i]);
}

// Momenta M P nu from p+, and the impulses of the joints that make them of it.
static bool project_momenta(crm_tree_substep *substep) {
    crm_tree_equations *e = &substep->newton.equations;
    const crm_joint_graph *graph = &e->model->graph;
    crm_tree_system system = e->system; // both null spaces at the end
    system.left = system.right;
    system.left_arm = system.right_arm;
    double half = 0.5 * e->h;
    crm_vec6 *plus = substep->taken_after, *twist = substep->newton.twist;
    for (int i = 0; i < graph->link_count; i++) {
        plus[i] = crm_vec6_madd(crm_vec6_add(e->kinetic[i], e->pushed_after[i]), -half, e->pull_after[i]);
        // A root takes nothing from anybody: what is left of its equations would be lost to the momentum of its tree.
        if (graph->link[i].joint < 0) plus[i] = crm_vec6_sub(plus[i], root_residual(e, i));
    }
    for (int k = 0; k < graph->free_count; k++) substep->rate[k] = half * e->drive_after[k];
    if (!crm_tree_factor_masses(e->model, substep->motions, &system)) return false;
    crm_tree_solve(&system, plus, substep->rate, substep->rate, twist);
    for (int i = 0; i < graph->link_count; i++) {
        crm_motion *m = &substep->motions[graph->link[i].body];
        const crm_body *body = &e->model->bodies.items[graph->link[i].body];
        m->p = crm_scale(body->mass, twist[i].linear);
        m->l = crm_motion_angular_momentum(body, m->q, twist[i].angular);
        plus[i] = crm_vec6_sub(crm_vec6_of(m->p, m->l), plus[i]);
    }
    crm_tree_gather(graph, system.right_arm, plus, plus);
    return true;
}

crm_vec6 crm_tree_driven_child(const crm_joint *joint, const crm_vec6 *column, const double *force, double factor) {
    crm_vec6 sum = crm_vec6_zero();
    for (int k = 0; k < joint->free; k++) {
        if (k < joint->linear->free)
            sum.linear = crm_madd(sum.linear, factor * force[k], column[k].linear);
        else
            sum.angular = crm_madd(sum.angular, factor * force[k], column[k].angular);
    }
    return sum;
}

// What a joint bears is what its child takes, less what acts on its coordinates.
static void find_joint_wrenches(crm_tree_substep *substep) {
    const crm_tree_equations *e = &substep->newton.equations;
    for (int i = 0; i < e->model->graph.link_count; i++) {
        const crm_tree_link *link = &e->model->graph.link[i];
        if (link->joint < 0) continue;
        const crm_joint *joint = &e->model->joints.items[link->joint];
        crm_vec6 sum = crm_vec6_add(crm_force_shift(e->taken[i], e->start[i].child_arm),
                                    crm_force_shift(substep->taken_after[i], e->move[i].child_arm));
        sum = crm_vec6_scale(1.0 / e->h, sum);
        if (joint->driven) {
            int first = link->first;
            sum = crm_vec6_sub(sum, crm_tree_driven_child(joint, e->system.left + first, e->drive + first, 0.5));
            sum = crm_vec6_sub(sum, crm_tree_driven_child(joint, e->system.right + first, e->drive_after + first, 0.5));
        }
        substep->joint_wrench[link->joint] = link->reversed ? crm_vec6_negate(sum) : sum;
    }
}

bool crm_tree_substep_make(crm_tree_substep *substep, const carom_method_def *method, const crm_motion *from,
                           const crm_joint_config *configs, const crm_tree_external *external, double h,
                           crm_tree_newton_report *report) {
    crm_tree_equations *e = &substep->newton.equations;
    crm_tree_equations_begin(e, from, configs, external, h);
    if (!crm_tree_newton_solve(&substep->newton, method->tolerance, method->iteration_limit, report)) return false;
    memcpy(substep->motions, from, (size_t)e->model->bodies.count * sizeof *from);
    memcpy(substep->configs, configs, (size_t)e->model->joints.count * sizeof *configs);
    crm_tree_put(e->model, substep->newton.change, substep->configs, substep->motions);
    crm_tree_equations_follow(e, substep->motions);
    if (!project_momenta(substep)) return false;
    find_joint_wrenches(substep);
    return true;
}

void crm_tree_substep_add_work(crm_tree_substep *substep) {
    crm_tree_equations *e = &substep->newton.equations;
    for (int i = 0; e->forces.any && i < e->model->graph.link_count; i++)
        crm_discrete_forces_add_work(&e->forces, e->model->graph.link[i].body);
}

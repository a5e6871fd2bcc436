// SPDX-License-Identifier: MIT
// Discrete forces in the equations of a group of bodies coupled by potentials (coupling.c).
#include <math.h>

#include "base/fail.h"
#include "model/force/system_callback.h"
#include "step/variational/variational.h"

// Of a place, relative to its size: some sums of a few numbers, each rounded to 1.1e-16.
static const double place_rounding = 1e-15;

// Bodies in the forces' matrix and slots here ascend alike: an edge has the same row in both.
carom_status crm_coupling_forces_prepare(const carom_model *model, crm_arena *arena, crm_coupling *coupling,
                                         carom_error *error) {
    const crm_discrete_forces *forces = &coupling->forces;
    carom_status status = crm_discrete_forces_create(model, arena, &coupling->forces, error);
    if (status != CAROM_OK || !forces->any) return status;
    coupling->force_edge = CRM_ARENA_ARRAY(arena, int, forces->slopes.stiffness.graph.edge_count);
    if (coupling->force_edge == NULL)
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for the forces on %d bodies",
                        coupling->count);
    for (int e = 0; e < forces->slopes.stiffness.graph.edge_count; e++) coupling->force_edge[e] = -1;
    for (int p = 0; p < model->pair_potentials.count; p++)
        if (forces->slopes.pair_edge[p] >= 0)
            coupling->force_edge[forces->slopes.pair_edge[p]] = coupling->pair_edge[p];
    for (int64_t s = 0; s < crm_system_pair_count(model); s++)
        if (forces->slopes.system_edge[s] >= 0)
            coupling->force_edge[forces->slopes.system_edge[s]] = coupling->system_edge[s];
    return CAROM_OK;
}

// block -= forces [1, 2 (s + [a]x + a a^T / s)]: of corrections of a rather than of small rotations.
static void take_forces(double *block, const double *forces, carom_vec3 a) {
    double s = sqrt(1.0 - crm_length_squared(a));
    carom_mat3 rotate = crm_mat3_add(crm_skew(a), crm_outer(crm_scale(1.0 / s, a), a));
    rotate = crm_mat3_scale(2.0, crm_mat3_add(rotate, crm_mat3_scale(s, crm_mat3_identity())));
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0.0;
            for (int j = 0; j < 3; j++) sum += forces[i + 6 * (3 + j)] * crm_mat3_get(rotate, j, k);
            block[i + 6 * k] -= forces[i + 6 * k];
            block[i + 6 * (3 + k)] -= sum;
        }
    }
}

static void add_forces_to_residual(const carom_state *state, crm_coupling *c, int slot) {
    int b = c->body[slot];
    double *r = c->residual + 6 * slot;
    const double *slope = crm_discrete_forces_block(&c->forces, b);
    crm_vec6 own = crm_discrete_forces_before(&c->forces, b);
    r[0] -= own.linear.x, r[1] -= own.linear.y, r[2] -= own.linear.z;
    r[3] -= own.angular.x, r[4] -= own.angular.y, r[5] -= own.angular.z;
    c->scale[2 * slot] += crm_length(own.linear);
    c->scale[2 * slot + 1] += crm_length(own.angular);
    for (int k = 0; k < 18; k++)
        c->rounding[2 * slot + k % 6 / 3] += place_rounding * crm_length(state->motions[b].x) * fabs(slope[k]);
}

bool crm_coupling_forces_add(const carom_state *state, crm_coupling *c) {
    crm_discrete_forces *forces = &c->forces;
    if (!forces->any) return true;
    for (int slot = 0; slot < c->count; slot++) {
        carom_vec3 a = c->increment[slot].a;
        carom_quat rotation = {sqrt(1.0 - crm_length_squared(a)), a.x, a.y, a.z};
        crm_discrete_forces_place(forces, c->body[slot], c->increment[slot].displacement, rotation);
    }
    if (!crm_discrete_forces_evaluate(forces)) return false;
    crm_discrete_forces_differentiate(forces);
    const crm_block_matrix *to = &c->matrix, *from = &forces->slopes.stiffness;
    for (int slot = 0; slot < c->count; slot++) {
        add_forces_to_residual(state, c, slot);
        take_forces(to->diagonal + to->node_block[slot], crm_discrete_forces_block(forces, c->body[slot]),
                    c->increment[slot].a);
    }
    for (int e = 0; e < from->graph.edge_count; e++) {
        if (c->force_edge[e] < 0) continue;
        crm_block_edge edge = to->graph.edge[c->force_edge[e]];
        ptrdiff_t at = to->edge_block[c->force_edge[e]], of = from->edge_block[e];
        take_forces(to->edges + at, from->edges + of, c->increment[edge.column].a);
        take_forces(to->mirror + at, from->mirror + of, c->increment[edge.row].a);
    }
    return true;
}

// SPDX-License-Identifier: MIT
// Flexible bodies over an implicit step (docs/math.md 15.8): the unknowns are the velocities v by which all nodes go
// their way,
//
//   m (v1 - v0) = h F + h f + r + m (w x (x1 - c)),   x1 = x0 + h v,   v = theta v1 + (1 - theta) v0
//
// F what depends on no unknown, f elastic and viscous forces, r impulses of contacts and joints on nodes. v is the
// velocity at the end of the step where theta = 1, and f the force there; below that f is 2 theta - 1 times this and
// 2 - 2 theta times the force of the energy-momentum step. The term with w, three numbers a body that nothing holds,
// takes off what f would otherwise change of its angular momentum: f has a moment at x0 + (1 - theta) h v, where
// impulses act.
//
//   enters    motions, impulses of given forces; impulses on nodes from whoever solves for them
//   leaves    residuals, a factor of A = M + h^2 K + h C that is kept from step to step, velocities without impulses
//   callers   lcp
#ifndef CRM_STEP_FLEX_IMPLICIT_H
#define CRM_STEP_FLEX_IMPLICIT_H

#include "model/flex/flex_forces.h"
#include "model/model_state.h"
#include "solve/coupled/coupled_problem.h"

// What velocities of nodes are worth.
typedef struct crm_flex_sums {
    double residual;  // of the equations, relative to the largest impulse or momentum of a node; of the worst body
    double floor;     // what rounding of positions makes of it
    double missing;   // N s: the largest of all nodes, not relative to anything
    double potential; // J: |v - v_free|^2_M / (2 theta) + V(x1) - r.v, which a step of Newton's method should lower
    double size;      // J: of what that is a sum of
    double least_determinant; // of all elements
    bool possible;            // all elements have an energy, and none is inverted that was not before, unless it may
    bool folded;              // that is all that makes it impossible
    int body;                 // that has the residual
} crm_flex_sums;

// One flexible body.
typedef struct crm_flex_part {
    const crm_flex *flex;
    int first_node, first_edge; // among all
    bool held;                  // by fixed nodes: what holds it takes momenta
    bool upright;               // no element was inverted where the step begins
    carom_vec3 centre;          // where the step begins, m
    double mass;
    double energy_before, energy; // J: elastic, where the step begins, and at the velocities evaluated last
    double dissipated;            // J: by viscosity in the step there, never above 0
    double floor;                 // N s: what rounding of positions makes of impulses
    carom_vec3 shift; // N m s: what impulses of contacts have as moments beyond those at nodes; 0 with theta = 1
    // The factor is of another configuration, which has rotated since: A^-1 is taken to have rotated with it.
    carom_vec3 factored_centre;
    carom_mat3 rotated;
} crm_flex_part;

typedef struct crm_flex_implicit {
    const carom_model *model;
    const crm_motion *motions; // where the step begins
    double step;               // s
    double theta;              // above 0.5, 1 unless it is set
    bool folding;              // elements may be inverted in this step, of materials that have an energy then
    int part_count, node_count;
    crm_flex_part *parts; // (part_count)
    int *body_of;         // of a node (node_count)
    int *node_of;         // of a body; -1: none (body_count)
    bool *fixed;          // (node_count)
    double *mass;         // kg (node_count)
    carom_vec3 *x, *v0;   // where the step begins; 0 of what is fixed
    carom_vec3 *given;    // h F, N s
    carom_vec3 *impulse;  // h f at the velocities evaluated last, N s
    carom_vec3 *couple;   // m (w x (x+ - c)) there
    carom_vec3 *rest;     // what is missing there: the right-hand side less the left-hand side, without r, N s
    carom_vec3 *viscous, *end, *end_velocity; // scratch
    // A, and what becomes of it.
    crm_block_graph graph;
    crm_block_matrix matrix;
    crm_coupled_mass factor;
    crm_coupled_nodes nodes;
    int *start, *component; // of nodes
    bool *late;             // nodes that the factor was ordered for
    double *factored_step;  // 0: there is no factor (1)
    carom_vec3 *live; // positions that the numbers at hand are of; others where the state was changed from outside
    double live_step;
    carom_vec3 *factored; // positions that it is of
    int factorizations;
    bool clipped; // it is that of a stiffness that was made definite
} crm_flex_implicit;

// Memory from the arena; to be released, whatever the status.
carom_status crm_flex_implicit_create(const carom_model *model, crm_arena *arena, crm_flex_implicit *flex,
                                      carom_error *error);
void crm_flex_implicit_release(crm_flex_implicit *flex);

// Declares what later steps depend on: which configuration is factored, and in which order.
void crm_flex_implicit_keep(carom_state *state, crm_flex_implicit *flex);
// Factors that configuration again where the numbers at hand are of another one.
carom_status crm_flex_implicit_restore(crm_flex_implicit *flex, carom_error *error);

// Begins a step of that length: `given` are impulses of all forces but those of elements (body_count).
void crm_flex_implicit_begin(crm_flex_implicit *flex, const crm_motion *motions, double step, const crm_vec6 *given);
// Velocities to start from: what nothing holds goes on as a rigid body and, if `bending`, bends on; what is held stays
// or, if `bending`, goes on as it does.
void crm_flex_implicit_start(const crm_flex_implicit *flex, bool bending, carom_vec3 *v);

// Evaluates velocities v with impulses r on nodes (node_count each).
crm_flex_sums crm_flex_implicit_evaluate(crm_flex_implicit *flex, const carom_vec3 *v, const carom_vec3 *r);

// Factors A at the velocities evaluated last, `touched` (node_count) being nodes that rows act on.
carom_status crm_flex_implicit_factor(crm_flex_implicit *flex, const bool *touched, carom_error *error);
// A step of Newton's method without r: free = v + A^-1 rest, for v that was evaluated last. Finds part->rotated.
void crm_flex_implicit_free(crm_flex_implicit *flex, const carom_vec3 *v, carom_vec3 *free);
// A share of the way from v to next. What nothing holds rotates as a rigid body and bends beside that: straight ways of
// nodes would strain it by the square of its rotation.
void crm_flex_implicit_go(crm_flex_implicit *flex, const carom_vec3 *v, const carom_vec3 *next, double share,
                          carom_vec3 *out);

// Moves what nothing holds rigidly, so that its momenta are those of the start and of all impulses to rounding; with
// theta < 1 to the square of what is missing.
void crm_flex_implicit_balance(const crm_flex_implicit *flex, const carom_vec3 *r, carom_vec3 *v);

// The velocity at the end of the step of a node that goes its way with v.
static inline carom_vec3 crm_flex_implicit_end(const crm_flex_implicit *flex, int node, carom_vec3 v) {
    carom_vec3 from = flex->v0[node];
    return flex->theta == 1.0 ? v : crm_madd(from, 1.0 / flex->theta, crm_sub(v, from));
}

#endif

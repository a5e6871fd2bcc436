// SPDX-License-Identifier: MIT
// Linear systems on trees of links, in O(links): (P^T D P' + K) w = P^T b + f.
//
// P and P' compose motion subspaces along the tree, t_i = X_i t_parent + S_i w_i (docs/math.md 10.4), X the rigid
// transport from the parent's centre of mass; they may belong to different configurations, so that nothing here is
// symmetric. D has one 6x6 block per link, K one small block per joint. Elimination goes from the leaves to the roots
// as in the articulated-body algorithm: a link's block, what is left of its children's added, is reduced by the link's
// own freedom and handed to the parent.
#ifndef CRM_STEP_TREE_SOLVE_H
#define CRM_STEP_TREE_SOLVE_H

#include "math/spatial.h"
#include "model/mechanism/joint_graph.h"

// Arrays by link have link_count items, those by coordinate free_count, a link's first at link.first.
typedef struct crm_tree_system {
    const crm_joint_graph *graph;
    // To be filled in by the caller:
    crm_vec6 *left, *right;           // columns of S in P and in P' (by coordinate)
    carom_vec3 *left_arm, *right_arm; // from the parent's centre of mass to the link's, in P and P'; of the ground: any
    crm_mat6 *block;                  // D (by link)
    double *joint_block;              // K, column-major, of link i from square[i] on
    // The factors:
    int *square;           // (link_count + 1)
    crm_mat6 *articulated; // D and what the children left; may be `block` itself where that is not needed again
    crm_vec6 *gain;        // columns of U = A S' (by coordinate)
    crm_vec6 *row;         // rows of W = (S^T A S' + K)^-1 S^T A (by coordinate)
    double *pivot_block;   // S^T A S' + K, factored, from square[i] on
    int *pivot;            // (by coordinate)
    crm_vec6 *carried;     // scratch of solves (by link)
} crm_tree_system;

carom_status crm_tree_system_create(const crm_joint_graph *graph, crm_arena *arena, crm_tree_system *system,
                                    carom_error *error);

// False when the system is singular or not finite.
bool crm_tree_factor(crm_tree_system *system);

// w (by coordinate) and t = P' w (by link) for b (by link) and f (by coordinate). Needs the factors. `w` may be `f`,
// `t` may be `b`.
void crm_tree_solve(crm_tree_system *system, const crm_vec6 *b, const double *f, double *w, crm_vec6 *t);

// t = P' w.
void crm_tree_twists(const crm_tree_system *system, const double *w, crm_vec6 *t);

// The wrench that each link takes from its parent so that the links get b: b of its whole subtree about its own centre
// of mass, by the arms `arm` (left_arm or right_arm). `sum` may be `b`.
void crm_tree_gather(const crm_joint_graph *graph, const carom_vec3 *arm, const crm_vec6 *b, crm_vec6 *sum);

#endif

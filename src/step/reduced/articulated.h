// SPDX-License-Identifier: MIT
// Accelerations of trees of joints in O(n): the articulated-body algorithm (docs/math.md 8.4; Featherstone 1983).
//
// Each link has an origin: that of frame B of its joint, the centre of mass of a root. Motions and forces of a link are
// world-axes 6-vectors about its origin, where the columns of its motion subspace S are bare axes:
//     t = X t_parent + S rate,   a = X a_parent + bias + S acceleration,   f = I a + p
// with X the rigid transport between origins, f the wrench of the joint on the link, I and p the articulated inertia
// and the force that it needs without acceleration: those of the body and of all that hangs on it. Eliminating the
// link's own acceleration gives what it is to its parent, from the leaves inward.
//
// Rows are linear conditions on the accelerations of one link's coordinates, C acceleration = wanted, that are held
// by forces C^T lambda: limits and velocity motors. They stay within their link, so that the cost stays O(n).
#ifndef CRM_STEP_ARTICULATED_H
#define CRM_STEP_ARTICULATED_H

#include "base/arena.h"
#include "model/joint/joint.h"

// A symmetric map from motions to forces: f = linear v + coupling w, moment = coupling^T v + angular w.
typedef struct crm_articulated_inertia {
    carom_mat3 linear, coupling, angular;
} crm_articulated_inertia;

typedef struct crm_articulated_link crm_articulated_link;

struct crm_articulated_link {
    const crm_tree_link *tree;
    const crm_body *body;
    const crm_joint *joint; // NULL: a root
    int linear_free;        // the first columns of S; the others are angular
    int first_row, row_count;

    // At the present coordinates:
    carom_vec3 centre;  // of mass, from the origin
    carom_vec3 offset;  // of the origin, from the parent's
    carom_mat3 axes;    // of the joint's frame A, with the sign of S
    carom_mat3 inertia; // of the body about its centre of mass
    crm_vec6 twist, bias;
    carom_vec3 gyroscopic; // w x I w
    bool plain_ball;       // three free angles and no row that is held

    // After factoring: what is left of the articulated inertia for the parent. Of a plain ball only `linear` is, and
    // the others hold what its solution needs, I_va I_aa^-1 and I_aa^-1.
    crm_articulated_inertia rest;

    // After solving:
    crm_vec6 force;        // of the joint on the link, with the forces on its coordinates; of a root 0
    crm_vec6 acceleration; // moved rigidly from the centre of mass, as the bias
};

// Of one coordinate of a link that is no plain ball.
typedef struct crm_articulated_column {
    carom_vec3 axis;   // of S: linear or angular
    crm_vec6 momentum; // column of I S
    double inverse[6]; // row of (S^T I S)^-1 among the accelerations that the rows leave free
    double driving;    // force on the coordinate that S^T I S times its acceleration balances
} crm_articulated_column;

enum { CRM_ARTICULATED_MOST_ROWS = 12 };

typedef struct crm_articulated_row {
    bool on;
    double gradient[6]; // by the link's coordinates
    double wanted;
    double lambda; // 0 when off, and where other rows of the link make it redundant

    double response[6];                          // of the coordinates to `wanted`
    double stiffness[CRM_ARTICULATED_MOST_ROWS]; // row of (C (S^T I S)^-1 C^T)^-1, by the rows of the link
} crm_articulated_row;

typedef struct crm_articulated {
    const carom_model *model;
    int link_count;
    crm_articulated_link *link;     // (link_count)
    crm_articulated_column *column; // (free_count)
    int row_count;
    crm_articulated_row *row; // those of a link together (row_count)
    double *acceleration;     // of the coordinates, after solving (free_count)
} crm_articulated;

// Memory from the arena; the model must be frozen. rows[link]: how many rows each link has (NULL: none); links keep
// them in their order.
carom_status crm_articulated_create(const carom_model *model, const int *rows, crm_arena *arena, crm_articulated *tree,
                                    carom_error *error);

// Motions of all links from configurations and rates of their coordinates (free_count). Poses of roots are read from
// `motions`, all else of it that moves is written.
void crm_articulated_move(crm_articulated *tree, const crm_joint_config *configs, const double *rate,
                          crm_motion *motions);

// Inertias at the place of the last move, with the rows that are on. -1, or the link that has no inertia against one of
// its free motions beside roundings.
int crm_articulated_factor(crm_articulated *tree);

// Accelerations, and forces of joints. `wrench` acts on the bodies about their centres of mass (body_count), `force` on
// coordinates (free_count; NULL: none).
void crm_articulated_accelerate(crm_articulated *tree, const crm_vec6 *wrench, const double *force);

// The same for impulses at rest: changes of rates and twists by the rows, whose `wanted` are changes as well.
void crm_articulated_impact(crm_articulated *tree);

// What a body of a link has of the above, about its centre of mass.
static inline crm_vec6 crm_articulated_at_centre(const crm_articulated_link *link, crm_vec6 motion) {
    return crm_motion_shift(motion, link->centre);
}

// The wrench of the joint of a link on its b, about B's origin.
static inline crm_vec6 crm_articulated_reaction(const crm_articulated_link *link) {
    return link->tree->reversed ? crm_vec6_negate(link->force) : link->force;
}

// ---- inside

// Links that are no plain balls (articulated_columns.c).
bool crm_articulated_columns_factor(crm_articulated *tree, crm_articulated_link *link);
void crm_articulated_columns_begin(crm_articulated *tree, crm_articulated_link *link, const double *force);
void crm_articulated_columns_end(crm_articulated *tree, crm_articulated_link *link, crm_vec6 carried);

#endif

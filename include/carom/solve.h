// SPDX-License-Identifier: MIT
/// @file
/// Contact problems as data, and solvers for them. Knows no bodies, only rows: docs/solvers.md.
///
/// One problem is one step's impulses: unknown velocities v and impulses r with
///
///     M v = M v_free + H r,    u = H^T v + w    (or u = W r + q, with W = H^T M^-1 H, q = H^T v_free + w)
///
/// and for every *group* of rows a law between its r and its u' = u + c r, with c the compliance of the row:
///
///     equality     u' = 0                               joints
///     unilateral   0 <= u'  _|_  r >= 0                 contact without friction, limits
///     box          lower <= r <= upper; u' is >= 0 at lower, <= 0 at upper, 0 between     motors, clipped rows
///     cone         exact Coulomb friction: r in K = {|r_t| <= mu r_n}, u' + mu |u'_t| n in K*, both orthogonal;
///                  *relaxed*: without the term mu |u'_t| n, which makes it convex
///
/// A cone has its normal row first and one (planar) or two tangential rows.
/// Units: u and w are velocities, r impulses, M masses; nothing depends on the unit chosen.
#ifndef CAROM_SOLVE_H
#define CAROM_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/allocator.h"
#include "carom/api.h"
#include "carom/limits.h"
#include "carom/status.h"

typedef enum carom_law { CAROM_LAW_EQUALITY, CAROM_LAW_UNILATERAL, CAROM_LAW_BOX, CAROM_LAW_CONE } carom_law;

enum { CAROM_GROUP_ROWS = 6, CAROM_NODE_SIZE = 6, CAROM_TRIED_TEXT = 1024 };

/// Rows that obey one law together. Groups take up the rows 0 ... row_count - 1 in order, without gaps.
typedef struct carom_row_group {
    carom_law law;
    int rows;            ///< Equality: 1 to 6. Unilateral, box: 1. Cone: 2 or 3.
    double friction;     ///< Cone: mu >= 0.
    bool relaxed;        ///< Cone: convex relaxation.
    double lower, upper; ///< Box: lower <= upper, may be infinite.
} carom_row_group;

/// How the mass enters.
typedef enum carom_problem_form {
    CAROM_FORM_BODIES,   ///< `nodes` with their mass matrices, perhaps `couplings`, and `entries` of H.
    CAROM_FORM_MOBILITY, ///< As before, with an operator in place of the masses.
    CAROM_FORM_DELASSUS, ///< W and q given. W may be unsymmetric and rank-deficient.
} carom_problem_form;

/// Up to six velocities that have one mass matrix: a body.
typedef struct carom_problem_node {
    int size;                                       ///< 1 to 6.
    double mass[CAROM_NODE_SIZE * CAROM_NODE_SIZE]; ///< size x size, symmetric positive definite, row by row.
    double free[CAROM_NODE_SIZE];                   ///< v_free.
} carom_problem_node;

/// The rows of one group on one node: rows x size numbers of H^T.
typedef struct carom_entry {
    int group, node;
    double rows[CAROM_GROUP_ROWS * CAROM_NODE_SIZE]; ///< Row by row, `size` numbers each.
} carom_entry;

/// What couples the velocities of two nodes in M, beside their own masses: a block and its mirror. The nodes of a body
/// that bends are coupled by its stiffness times the square of the step.
typedef struct carom_coupling {
    int a, b;                                        ///< Nodes, different.
    double block[CAROM_NODE_SIZE * CAROM_NODE_SIZE]; ///< M between them: size of a x size of b, row by row.
} carom_coupling;

/// v = M^-1 f for a vector of all velocities; linear, symmetric positive definite. Thread-safe.
typedef void carom_problem_mobility(void *user, const double *force, double *velocity);

/// A sparse matrix by rows.
typedef struct carom_sparse {
    int rows, columns;
    const int *start;  ///< (rows + 1)
    const int *column; ///< (start[rows]) ascending in a row
    const double *value;
} carom_sparse;

/// The problem. Arrays are the caller's and are only read.
typedef struct carom_problem {
    carom_problem_form form;
    int group_count;
    const carom_row_group *groups;
    const double *offset;     ///< w, or q for CAROM_FORM_DELASSUS (rows).
    const double *compliance; ///< c >= 0 (rows); NULL: none.
    // CAROM_FORM_BODIES, CAROM_FORM_MOBILITY
    int node_count;
    const carom_problem_node *nodes;
    int entry_count;
    const carom_entry *entries; ///< At most one for each pair of group and node.
    carom_problem_mobility *mobility;
    void *mobility_user;
    // CAROM_FORM_BODIES
    int coupling_count;
    const carom_coupling *couplings; ///< At most one for each pair of nodes; M is positive definite as a whole.
    // CAROM_FORM_DELASSUS
    carom_sparse delassus;
} carom_problem;

typedef enum carom_solver {
    CAROM_SOLVER_AUTO,         ///< Islands, each by warm or cold Newton, then a fallback cascade.
    CAROM_SOLVER_LEMKE,        ///< Pivoting; cones as pyramids of `pyramid_sides`, exact for planar ones. Dense: an
                               ///< island of more than 1,000 unknowns (a spatial cone has `pyramid_sides` + 2) is
                               ///< CAROM_ERR_UNSUPPORTED. Needs no guess.
    CAROM_SOLVER_MIN_MAP,      ///< Newton on min(z, Az + q) with GMRES, the same pyramids and the same limit.
    CAROM_SOLVER_GAUSS_SEIDEL, ///< Nonsmooth Gauss-Seidel, each group solved exactly.
    CAROM_SOLVER_SEMISMOOTH,   ///< Newton on the natural map.
    CAROM_SOLVER_SMOOTHING,    ///< Newton along a smooth path.
    CAROM_SOLVER_INTERIOR,     ///< Interior point.
    CAROM_SOLVER_COUNT
} carom_solver;

typedef struct carom_solve_options {
    uint32_t struct_size;  ///< Set by carom_solve_options_default; leave it.
    carom_solver solver;   ///< Default CAROM_SOLVER_AUTO.
    double tolerance;      ///< Of the residual, scale-free. Default 1e-8.
    double velocity_scale; ///< Added to the residual's scale, e.g. gravity times step, m/s. Default 0.
    int iterations;        ///< At most on each island, of the one solver chosen. Default 0: the solver's own limit,
                           ///< which Lemke and min-map always keep.
    int pyramid_sides;     ///< For Lemke and min-map: even, at least 4. Default 8.
    bool warm;             ///< `impulse` holds a guess. Default false.
    double work;           ///< What a solution may take, in units of work; counted, not timed, so that results do not
                           ///< depend on the machine: a unit is what takes a nanosecond of the machine that prices were
    ///< measured on. Islands share it by their groups, of AUTO those whose guess is not met. 1,500 units a
    ///< group are taken in any case; Lemke and min-map keep their own limits instead, and count
    ///< no more. Default 2e10, some 20 s.
    int threads;               ///< Over islands. Default 1.
    carom_interrupt interrupt; ///< Ends the solution early, with the best impulses so far. Default {0}.
} carom_solve_options;

typedef enum carom_solve_outcome {
    CAROM_SOLVE_OUTCOME_MET,        ///< residual <= tolerance, by carom_residual_evaluate from the impulses alone.
    CAROM_SOLVE_OUTCOME_AT_FLOOR,   ///< Not met, but the residual is at the rounding floor: nobody can do better in
                                    ///< double.
    CAROM_SOLVE_OUTCOME_NOT_MET,    ///< The best iterate is returned, with its true residual.
    CAROM_SOLVE_OUTCOME_INFEASIBLE, ///< Proved: no impulses satisfy the laws, as no velocities do (rows that contradict
                                    ///< each other; `tried` names the groups). Looked for where nothing else is said
                                    ///< and `iterations` is 0.
} carom_solve_outcome;

/// How far impulses are from satisfying the laws (docs/solvers.md; docs/math.md 6.6), independent of every solver: of
/// the worst island, measured by its own velocities and impulses.
typedef struct carom_residual_report {
    double residual; ///< The larger of the next two: what is compared with the tolerance.
    double velocity; ///< max_i s_i |r_i - P(r_i - w_i/s_i)| over max(max |q_i|, max s_i |r_i|, velocity_scale).
    double energy;   ///< The same in the energy norm: |sqrt(s) e| over |q / sqrt(s)|, velocity_scale added to every q.
    double floor;    ///< Rounding alone makes this much.
    double scale;    ///< What `velocity` is relative to, in the unit of u.
    int worst_group;
} carom_residual_report;

typedef struct carom_solve_report {
    carom_solve_outcome outcome;
    carom_residual_report residual;
    carom_solver solver; ///< Who finished the worst island; of equally bad ones, that which took most trying.
    int fallbacks;       ///< Of `auto`: solvers that had given up on that island, beyond the one that ought to do.
    bool jammed;         ///< Not met, and wherever so it was found that friction holds against the offsets: exact cones
                         ///< have a solution for sure without those that drive rows apart, with them as a rule none.
    int islands;
    int iterations, factorizations; ///< Over all islands and stages.
    double work;                    ///< Units of work taken, over all islands.
    double pyramids;                ///< Of Lemke and min-map: relative residual of their own problem, with pyramids in
                                    ///< place of cones. 0 for others.
    char tried[CAROM_TRIED_TEXT];   ///< What was tried, in order, in words.
} carom_solve_report;

/// A dense linear complementarity problem: find z >= 0 with w = A z + q >= 0 and z_i w_i = 0 for every i.
typedef struct carom_dense_lcp {
    int size;
    const double *matrix; ///< A, row by row (size * size)
    const double *offset; ///< q (size)
} carom_dense_lcp;

/// A problem from a file, with the memory that it lives in.
typedef struct carom_stored_problem {
    carom_problem problem;      ///< Empty when `lcp` is there.
    const carom_dense_lcp *lcp; ///< A dense complementarity problem, or NULL.
    const char *name;           ///< What the file calls it; may be "".
    const double *impulse;      ///< Impulses that came with it (rows), or z (size) of a dense problem, or NULL.
} carom_stored_problem;

typedef enum carom_dense_lcp_outcome {
    CAROM_DENSE_LCP_SOLVED,
    CAROM_DENSE_LCP_INFEASIBLE, ///< Proved: no z >= 0 has A z + q >= 0.
    CAROM_DENSE_LCP_UNSOLVABLE, ///< Proved to rounding, case by case: feasible points there are, complementary ones
                                ///< not.
    CAROM_DENSE_LCP_RAY,        ///< Every path of Lemke's method ended on a ray, which proves nothing here.
    CAROM_DENSE_LCP_GAVE_UP,    ///< Steps, pivots or cases ran out, or no step led down.
} carom_dense_lcp_outcome;

typedef struct carom_dense_lcp_report {
    carom_dense_lcp_outcome outcome;
    carom_solver solver; ///< Who had the last word: min-map or Lemke; AUTO for the case by case search and for z = 0.
    double residual;     ///< max |min(z_i, w_i)| of the z returned, whatever the outcome.
    double relative;     ///< The same with rows and columns equilibrated and relative to q: what has to be met.
    int pivots;          ///< Of Lemke's method and of linear programs.
    int steps;           ///< Of Newton's method.
    int cases;           ///< Of the search case by case.
} carom_dense_lcp_report;

/// Everything a solver needs to remember; one per thread of callers. Allocates only when a problem is larger, or
/// needs more of the fallbacks, than any before.
typedef struct carom_solver_state carom_solver_state;

CAROM_BEGIN_C

CAROM_API const char *carom_solver_name(carom_solver solver); ///< "?" for a number that is none.
CAROM_API carom_solve_options carom_solve_options_default(void);
CAROM_API int carom_problem_row_count(const carom_problem *problem);
/// CAROM_OK, or CAROM_ERR_BAD_INPUT with a sentence: sizes, finite numbers, mu >= 0, symmetric positive definite
/// masses.
CAROM_API carom_status carom_problem_check(const carom_problem *problem, carom_error *error);

CAROM_API carom_status carom_solver_state_create(const carom_allocator *allocator, carom_solver_state **out,
                                                 carom_error *error);
CAROM_API void carom_solver_state_destroy(carom_solver_state *state); ///< May be NULL.

/// Finds the impulses r (rows) and the velocities v (all nodes; NULL for CAROM_FORM_DELASSUS or when not wanted). A
/// failure to converge is in the report, not in the status.
CAROM_API carom_status carom_solve(carom_solver_state *state, const carom_problem *problem,
                                   const carom_solve_options *options, double *impulse, double *velocity,
                                   carom_solve_report *report, carom_error *error);

/// Evaluates the residual from the impulses alone, whoever found them. `relative` (rows) gets u, may be NULL.
CAROM_API carom_status carom_residual_evaluate(carom_solver_state *state, const carom_problem *problem,
                                               double velocity_scale, const double *impulse, double *relative,
                                               carom_residual_report *out, carom_error *error);

/// Reads a problem from a JSON file (docs/solvers.md): local (W, q), global (M, H, f, w), bodies, or a dense
/// complementarity problem. A mass matrix that couples more than six velocities is taken by its W and q.
///
/// Fails with CAROM_ERR_FILE and a sentence for a file that is not such a problem, CAROM_ERR_UNSUPPORTED for rolling
/// friction, CAROM_ERR_NO_MEMORY; `out` is then NULL. What is read has passed carom_problem_check.
CAROM_API carom_status carom_problem_read(const char *path, const carom_allocator *allocator,
                                          carom_stored_problem **out, carom_error *error);
CAROM_API void carom_stored_problem_destroy(carom_stored_problem *stored); ///< May be NULL.

/// Writes a problem, and impulses (rows; may be NULL) beside it, so that reading it gives the same bits. Replaces the
/// file. A mobility cannot be written: CAROM_ERR_UNSUPPORTED.
CAROM_API carom_status carom_problem_write(const carom_problem *problem, const char *name, const double *impulse,
                                           const char *path, carom_error *error);

/// The same for a dense problem and z (size; may be NULL).
CAROM_API carom_status carom_dense_lcp_write(const carom_dense_lcp *lcp, const char *name, const double *z,
                                             const char *path, carom_error *error);

/// "solved", "infeasible", ...; "?" for a number that is none.
CAROM_API const char *carom_dense_lcp_outcome_name(carom_dense_lcp_outcome outcome);

/// Solves a dense problem until `relative` <= tolerance; allocates. `solver`:
/// - CAROM_SOLVER_LEMKE: from several covering vectors, and a linear program that names what is infeasible;
/// - CAROM_SOLVER_MIN_MAP: Newton's method alone, which knows of no proof: solved, or given up;
/// - CAROM_SOLVER_AUTO: the second from z = 0, then the first, then case by case.
/// Others are CAROM_ERR_UNSUPPORTED. `z` (size) gets the solution, or the best point met. `proof` (size; may be NULL)
/// gets y >= 0 with A^T y <= 0 and q.y < 0, to rounding, when the outcome is CAROM_DENSE_LCP_INFEASIBLE, and else
/// zeros.
CAROM_API carom_status carom_dense_lcp_solve(const carom_dense_lcp *lcp, carom_solver solver, double tolerance,
                                             const carom_allocator *allocator, double *z, double *proof,
                                             carom_dense_lcp_report *report, carom_error *error);

CAROM_END_C

#endif

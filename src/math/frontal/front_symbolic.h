// SPDX-License-Identifier: MIT
// Everything about a frontal factorization that depends on the pattern of the matrix alone.
//
// The room frontal/: sparse symmetric matrices of any inertia enter, by the entries of their lower triangle; their
// factors L D L^T with 1 x 1 and 2 x 2 pivots, inertia and solutions leave. Called by control/solver/interior. It
// differs from the room block/ in that pivots are chosen by size: for matrices that are not quasi-definite.
//
// Unknowns come in groups, such as a row with the unknown that it determines, which follow each other in the order: so a
// zero on the diagonal has its partner beside it. Groups are ordered by stages and minimum degree; unknowns one above
// the other in the elimination tree with nearly the same rows below become a front (Duff and Reid 1983; Liu, The
// multifrontal method for sparse matrix solution: theory and practice, 1992).
#ifndef CRM_MATH_FRONT_SYMBOLIC_H
#define CRM_MATH_FRONT_SYMBOLIC_H

#include <stddef.h>

#include "base/arena.h"
#include "carom/status.h"

typedef struct crm_front_pattern {
    int size;
    int entry_count;
    const int *row, *column; // of entries, each pair at most once, either the larger (entry_count)
    int group_count;
    const int *group; // of unknowns (size)
    const int *stage; // of groups, those of a lower one are eliminated first (group_count)
} crm_front_pattern;

typedef struct crm_front {
    int first, width;             // own positions
    int border_begin, border_end; // into border and place
    int parent;                   // -1 of a root
    int child_count;
    int entry_begin, entry_end; // into entry
} crm_front;

// Entry `entry` of the matrix stands there in its front, whose rows are own ones, then the border.
typedef struct crm_front_entry {
    int entry, row, column; // row >= column
} crm_front_entry;

typedef struct crm_front_symbolic {
    int size, entry_count, front_count, largest_front;
    const int *row, *column;      // of entries: the caller's
    const int *unknown;           // by position (size)
    const crm_front *front;       // children before parents, each parent after the last of its children
    const int *border;            // positions of rows below a front's own, ascending
    const int *place;             // row of the parent's front that a border row is
    const crm_front_entry *entry; // by fronts
    double flop_count;            // multiplications and additions where no pivot is put off
} crm_front_symbolic;

// The result lives in `arena`, and borrows the pattern's rows and columns; `scratch` is another one, used and released.
carom_status crm_front_analyse(const crm_front_pattern *pattern, crm_arena *arena, crm_arena *scratch,
                               crm_front_symbolic *symbolic, carom_error *error);

#endif

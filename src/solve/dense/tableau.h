// SPDX-License-Identifier: MIT
// Pivoting on s = G x + h with x >= 0, s >= 0: the basic variables in terms of the others, by Jordan exchanges.
//
// Leaving variables are chosen lexicographically: as if h had (e, e^2, e^3, ...) added for a vanishing e, which no two
// rows survive as a tie. So a method that never returns to a basis of the perturbed problem cannot cycle. The inverse
// of the basis this asks for is in the table already: the columns of the slacks, unit vectors for the basic ones.
#ifndef CRM_SOLVE_TABLEAU_H
#define CRM_SOLVE_TABLEAU_H

#include <stdbool.h>

#include "base/arena.h"
#include "carom/limits.h"
#include "carom/status.h"

// Variable j < columns is x_j, variable columns + i is s_i.
typedef struct crm_tableau {
    int rows, columns;
    const double *g;           // G by columns (rows * columns), the caller's
    const double *h;           // (rows), the caller's
    double *table;             // T by columns: basic + T nonbasic = value (rows * columns)
    double *value;             // (rows)
    int *basic;                // variable of a row
    int *nonbasic;             // variable of a column
    int *place;                // of a variable: its row, or -1 - its column (rows + columns)
    double *inverse;           // room for a basis (rows * rows)
    int *pivots;               // and its row exchanges (rows)
    int *tied;                 // (rows)
    int exchanges;             // since the start
    carom_interrupt interrupt; // ends refreshes, and what its users do with it; nobody at first
} crm_tableau;

// Starts with all slacks basic.
carom_status crm_tableau_init(crm_tableau *tableau, int rows, int columns, const double *g, const double *h,
                              crm_arena *arena, carom_error *error);

static inline bool crm_tableau_is_basic(const crm_tableau *tableau, int variable) {
    return tableau->place[variable] >= 0;
}

// The variable's value: its row's, or zero.
double crm_tableau_value(const crm_tableau *tableau, int variable);

// The row whose variable reaches zero first when the nonbasic variable of `column` grows; -1 when none does. Of several
// that tie, the one of the variable `preferred` (-1: none) if it is among them.
int crm_tableau_leaving(const crm_tableau *tableau, int column, int preferred);

// The row that has to leave for x_`cover`, whose column of G is positive, so that every value becomes >= 0: the first
// exchange of methods that start from an h with negative entries. -1 when h has none.
int crm_tableau_cover(const crm_tableau *tableau, int cover);

// Exchanges the variables of a row and a column; now and then computes the table afresh from G and h.
void crm_tableau_exchange(crm_tableau *tableau, int row, int column);

// Computes the table afresh. False when the basis is singular in double precision; the table is then as it was.
bool crm_tableau_refresh(crm_tableau *tableau);

#endif

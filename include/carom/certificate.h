// SPDX-License-Identifier: MIT
/// @file
/// The quantities of certificates, each described once. The columns of recordings and exports, the summaries of runs,
/// reports with their plots, and comparisons are made from this table: src/record/quantities.c.
#ifndef CAROM_CERTIFICATE_H
#define CAROM_CERTIFICATE_H

#include "carom/step.h"

/// What a number is: in carom_step_report, and as columns.
typedef enum carom_quantity_type {
    CAROM_QUANTITY_REAL,    ///< double
    CAROM_QUANTITY_COUNT,   ///< int; int64_t in carom_summary
    CAROM_QUANTITY_VECTOR,  ///< carom_vec3: three columns
    CAROM_QUANTITY_OUTCOME, ///< carom_step_outcome: 0 where the contract was broken, else 1
    CAROM_QUANTITY_SOLVER,  ///< carom_solver: its number
} carom_quantity_type;

/// Which runs a quantity tells something about.
typedef enum carom_quantity_scope {
    CAROM_SCOPE_ALL,
    CAROM_SCOPE_EQUATIONS, ///< Those whose steps solve equations, and so have iterations.
    CAROM_SCOPE_JOINTS,
    CAROM_SCOPE_CONTACTS,
} carom_quantity_scope;

/// What a summary keeps of a quantity over the steps of a run.
typedef enum carom_summary_rule {
    CAROM_SUMMARY_NONE,
    CAROM_SUMMARY_LARGEST,      ///< The largest value, not below zero.
    CAROM_SUMMARY_LARGEST_SIZE, ///< The largest absolute value, or length of a vector.
    CAROM_SUMMARY_LEAST,        ///< The least value of the steps in which it is not 0.
    CAROM_SUMMARY_SUM,
    CAROM_SUMMARY_MEAN,  ///< Kept as the sum over the steps.
    CAROM_SUMMARY_STEPS, ///< In how many steps it was above its usual value.
} carom_summary_rule;

/// A field of carom_summary.
typedef struct carom_summary_item {
    carom_summary_rule rule;
    const char *name;
    carom_quantity_type type;
    size_t offset;
} carom_summary_item;

enum { CAROM_QUANTITY_MOST_COLUMNS = 3, CAROM_QUANTITY_MOST_ITEMS = 2 };

typedef struct carom_quantity {
    const char *name;
    const char *label;                               ///< For people.
    const char *unit;                                ///< "" when it has none.
    const char *text;                                ///< What it is, in a sentence.
    const char *column[CAROM_QUANTITY_MOST_COLUMNS]; ///< Names of its columns: of a vector three, else the name.
    carom_quantity_type type;
    size_t offset; ///< In carom_step_report.
    carom_quantity_scope scope;
    bool rare;        ///< Told only of runs in which it differs from its usual value.
    double usual;     ///< The value of a step in which nothing of the kind happened.
    bool of_state;    ///< Of the state at the end of the step: the tolerance of a comparison is for such quantities.
    bool compared;    ///< Comparisons of methods tell it, as the first of its summary items has it.
    bool worst;       ///< Reports tell its worst value,
    bool least;       ///< which is the least, else that furthest from zero,
    size_t bound;     ///< against this bound: 1 + its offset in carom_contract; 0: it is only reported.
    const char *plot; ///< The plot of reports that shows it, NULL: none. Quantities of one plot follow each other, and
                      ///< the first one tells:
    const char *title;
    bool logarithmic;   ///< Small values matter.
    bool summed;        ///< A line of the energy ledger: reports show what it has come to since the start, stacked.
    const char *series; ///< Its name in the legend; of a vector the axes are.
    carom_summary_item summary[CAROM_QUANTITY_MOST_ITEMS];
} carom_quantity;

CAROM_BEGIN_C

/// All of them, in the order of the columns.
CAROM_API const carom_quantity *carom_quantities(int *count);
CAROM_API int carom_quantity_column_count(const carom_quantity *quantity);
/// The number in a column, from 0.
CAROM_API double carom_quantity_get(const carom_quantity *quantity, const carom_step_report *report, int column);
CAROM_API void carom_quantity_set(const carom_quantity *quantity, carom_step_report *report, int column, double value);
/// What the contract allows; infinite when it says nothing of the quantity.
CAROM_API double carom_quantity_bound(const carom_quantity *quantity, const carom_contract *contract);

/// The summary of no steps, begun at this state.
CAROM_API carom_summary carom_summary_begin(const carom_state *state);
CAROM_API void carom_summary_add(carom_summary *summary, const carom_step_report *report);
/// Takes over what the rules of verdicts have found, of the state and of the summary itself. What came of a run at half
/// the step (CAROM_RULE_UNCONFIRMED) stays as it is.
CAROM_API void carom_summary_conclude(carom_summary *summary, const carom_state *state);
/// The scale of energy that a run reached, J: largest kinetic energy and range of the potential energy. Unlike the
/// energy itself it does not depend on where potentials are zero; 0 of what never moved.
CAROM_API double carom_summary_energy_scale(const carom_summary *summary);
/// An item as a number, of a vector one of three; of a mean the mean, not the sum.
CAROM_API double carom_summary_get(const carom_summary *summary, const carom_summary_item *item, int column);

CAROM_END_C

#endif

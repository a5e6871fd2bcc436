// SPDX-License-Identifier: MIT
// The line search along a step: a trial must lessen the violation or the barrier function, and no entry of the filter
// may be better in both (WB, sections 2.3 and 2.4).
#ifndef CRM_CONTROL_SEARCH_H
#define CRM_CONTROL_SEARCH_H

#include "control/solver/interior/phase.h"

typedef struct crm_search {
    double most_violation, small_violation; // by the phase's first iterate; -1: not known yet
    double length;                          // of the step that was taken
    int tiny;                               // tiny steps one after the other
} crm_search;

typedef enum crm_search_outcome {
    CRM_SEARCH_MOVED,
    CRM_SEARCH_TINY,  // moved by a step of the size of rounding
    CRM_SEARCH_FAILED, // no share of the step is acceptable
} crm_search_outcome;

// Moves the iterate along phase->step, which the matrix at hand has given for phase->mu.
crm_search_outcome crm_search_along(crm_phase *phase, crm_search *search);

// Whether a pair would be accepted from the iterate, as by restoration.
bool crm_search_would_accept(const crm_phase *phase, double violation, double value);

// Notes the iterate in the filter, as what later ones must be better than.
void crm_search_note(crm_phase *phase);

#endif

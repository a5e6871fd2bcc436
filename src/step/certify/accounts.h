// SPDX-License-Identifier: MIT
// The energy ledger of a step, and what it comes to over a run, island by island (docs/math.md 12).
//
//   enters    work of a step's forces and impulses, from the methods; energies before and after it
//   leaves    carom_step_report.ledger; the findings of the rules about energy
//   callers   methods, while they make a step; the certificate; carom_state_findings
#ifndef CRM_STEP_ACCOUNTS_H
#define CRM_STEP_ACCOUNTS_H

#include "model/model_state.h"

// Memory from the state's arena, declared as kept; islands of what joints, pair potentials and fluids connect.
bool crm_accounts_create(carom_state *state);

// Of methods that integrate the work of the whole system: makes one island of all that is driven or damped.
void crm_accounts_join_driven(carom_state *state);

// Those of the same run before joints switched, in a state whose joints are others now.
void crm_accounts_carry(carom_state *state, const crm_accounts *former);

// Energy, J, that closing a joint between two bodies has added to their island before the step that is being made: by
// its impact, and by moving them.
void crm_accounts_add_closing(carom_state *state, int a, int b, double impact, double projection);

// Before a method makes a step.
void crm_accounts_begin(carom_state *state);

// Adds work, J, to a line of the step that is being made. Of the two bodies that it is done on one may be -1 or fixed.
// One thread at a time.
void crm_ledger_add(carom_state *state, int a, int b, crm_ledger_line line, double work);

// Work of a contact along its normal and of its friction, J. What friction seems to give, where the normal impulse
// reverses the slip within the step, belongs to the impact. With a restitution of 1 impacts should do none.
void crm_ledger_add_contact(carom_state *state, int a, int b, double restitution, double normal, double friction);

// How much of it, J, >= 0, a contact seems to give only because other forces reverse its velocity within the step:
// bodies that part at the start have to be brought back together before they can press. That is the method's error.
void crm_ledger_note_reversed(carom_state *state, int a, int b, double work);

// Two bodies press on each other; islands are joined. Either may be -1 or fixed.
void crm_accounts_join(carom_state *state, int a, int b);

// The step is made: the energies of bodies are in accounts->energy. Fills the report's ledger.
// `elastic`: what the elastic energy of flexible bodies has lost, J.
void crm_accounts_close(carom_state *state, double elastic, carom_step_report *report);

// A value of a rule; the worst is kept. One that is no number is infinite.
void crm_finding_raise(carom_state *state, carom_rule rule, double value, int body, int other);

// One more step in which something was seen.
void crm_finding_count(carom_state *state, carom_rule rule, int body, int other);

// Impacts of a step whose law would have made energy, and which were limited to what keeps it.
typedef struct crm_limited_impacts {
    int count;
    int a, b; // bodies of the first
} crm_limited_impacts;

void crm_limited_impacts_add(crm_limited_impacts *limited, int a, int b);

// The step is made: their finding, and a sentence unless there is one.
void crm_limited_impacts_tell(carom_state *state, const crm_limited_impacts *limited, carom_step_report *report);

#endif

// SPDX-License-Identifier: MIT
// What bytes of a stranger may say of a state: every number is held against its own bounds, as digests tell accidents
// and no intentions.
//
//   enters    saved items and contacts, copied to where they are aligned
//   leaves    whether a state of this model can have them
//   callers   saved_state.c; methods, for what they keep
#ifndef CRM_MODEL_SAVED_CHECK_H
#define CRM_MODEL_SAVED_CHECK_H

#include "carom/contact.h"
#include "model/model_state.h"

// Steps that a state can have made: time is their number times the step, which is exact up to there.
#define CRM_MOST_STEPS (INT64_C(1) << 53)

// ---- items of arrays (crm_kept_check)

bool crm_motion_fits(const carom_state *state, const crm_kept *kept, int index, const void *item);
// A shape of this body has the part and the feature that both sides of a contact name; the numbers are finite and the
// directions unit vectors. `a` and `b` are bodies.
bool crm_saved_contact_fits(const carom_model *model, int a, int b, const carom_contact *contact);
bool crm_saved_row_fits(const carom_model *model, const carom_contact_state *row);

// A truth value as bytes: others than 0 and 1 must not even be read as one.
bool crm_is_truth(const void *item, size_t offset);

// Whether all items of an array fit; `saved` need not be aligned. `bad` gets the first that does not.
bool crm_kept_fits(const carom_state *state, const crm_kept *kept, const void *saved, int *bad);

#endif

// SPDX-License-Identifier: MIT
// Which joints are closed, as a part of saved states, hashes and copies.
//
// What a state keeps depends on the joints that it runs on; so a state that is loaded or copied to goes over to these
// first (crm_remake_calls), and back where what follows turns out to be wrong.
#ifndef CRM_MODEL_SAVED_SWITCHES_H
#define CRM_MODEL_SAVED_SWITCHES_H

#include "model/model_state.h"

// All of them do nothing for states whose joints do not switch.
size_t crm_saved_switches_size(const carom_state *state);
unsigned char *crm_saved_switches_put(const carom_state *state, unsigned char *to);
uint64_t crm_saved_switches_hash(uint64_t hash, const carom_state *state);

// Goes over to the joints that these bytes say, as many as the size is, or refuses them. `former` becomes NULL when
// they are the state's own.
carom_status crm_saved_switches_take(carom_state *state, const unsigned char *from, crm_former **former,
                                     carom_error *error);
// The same with the joints of another state of this model.
carom_status crm_saved_switches_follow(const carom_state *from, carom_state *to, crm_former **former,
                                       carom_error *error);
// What came after was good, or was not. `former` may be NULL.
void crm_saved_switches_end(carom_state *state, crm_former *former, bool good);

#endif

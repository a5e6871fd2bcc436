// SPDX-License-Identifier: MIT
// The settings of methods as a whole: definitions in, refusals and lists of values out. The table itself is public, for
// tools: carom/tools.h.
#ifndef CRM_STEP_SETTINGS_H
#define CRM_STEP_SETTINGS_H

#include "model/model_state.h"

// Refuses the first setting that is out of its range, with a sentence.
carom_status crm_settings_check(const carom_method_def *def, carom_error *error);

// The settings that influence the bits of a method that has those of `group` (NULL: none) for itself: how many, and
// unless `out` is NULL which.
int crm_settings_list(const carom_method_def *def, const char *group, crm_setting_value *out);

#endif

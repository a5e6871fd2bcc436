// SPDX-License-Identifier: MIT
// Flexible bodies for tests in a few words. A call that should not fail and does is a failed check with its sentence.
#ifndef TEST_SUPPORT_FLEXIBLE_H
#define TEST_SUPPORT_FLEXIBLE_H

#include "carom/flex.h"

// Adds a flexible box of so many cells; `def` may be NULL, its mesh is left out of account.
carom_flex flexible_box(carom_model *model, carom_vec3 size, int cells, int order, const carom_flex_def *def);

// A soft cube of 0.2 m at the origin, 270 kg/m^3 (lambda 1e4 Pa, mu 5e3 Pa).
carom_flex_def flexible_soft(void);

// State of a model whose method is chosen with all its settings; freezes the model.
carom_state *flexible_state(carom_model *model, const carom_method_def *def);

#endif

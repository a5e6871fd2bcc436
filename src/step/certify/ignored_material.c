// SPDX-License-Identifier: MIT
#include "step/certify/ignored_material.h"

#include "step/certify/accounts.h"

// Bodies that were given no material ask for nothing.
static bool asks_for_more(const carom_model *model, int a, int b) {
    carom_material of_a = model->bodies.items[a].def.material, of_b = model->bodies.items[b].def.material;
    if (of_a.index < 0 && of_b.index < 0) return false;
    double friction = 0.0, restitution = 1.0;
    // Bodies of a frozen model have materials that are there: this cannot fail.
    (void)carom_model_get_material_pair(model, of_a, of_b, &friction, &restitution, NULL);
    return friction != 0.0 || restitution != 1.0;
}

void crm_ignored_material_check(const carom_model *model, carom_state *state) {
    for (int i = 0; i < state->contact_table.count; i++) {
        const carom_contact_state *c = &state->contact_table.items[i];
        if (!(c->normal_impulse > 0.0) || !asks_for_more(model, c->a.index, c->b.index)) continue;
        crm_finding_count(state, CAROM_RULE_IGNORED_MATERIAL, c->a.index, c->b.index);
        return;
    }
}

// SPDX-License-Identifier: MIT
// Impacts of a run make no energy: where the law that was asked for would (Newton's, with friction), they have the
// largest restitution that keeps it.
#include "step/impulse/impulse_limit.h"

// Halvings of the restitution that is looked for.
enum { MOST_HALVINGS = 48 };

carom_status crm_impact_resolve_limited(const carom_impact *impact, carom_impact_law law, carom_impact_result *result,
                                        bool *limited, carom_error *error) {
    carom_status status = carom_impact_resolve(impact, law, result, error);
    *limited = status == CAROM_OK && result->gains_energy;
    if (!*limited) return status;
    // Up to the greatest compression impulses act against the velocities, and take energy.
    carom_impact less = *impact;
    double kept = 0.0, made = impact->restitution;
    for (int i = 0; i < MOST_HALVINGS && status == CAROM_OK; i++) {
        less.restitution = 0.5 * (kept + made);
        status = carom_impact_resolve(&less, law, result, error);
        if (result->work > 0.0)
            made = less.restitution;
        else
            kept = less.restitution;
    }
    less.restitution = kept;
    return status == CAROM_OK ? carom_impact_resolve(&less, law, result, error) : status;
}

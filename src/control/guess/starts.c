// SPDX-License-Identifier: MIT
// Other beginnings: every body bulges to a side of its own and rotates on the way, by numbers of the seed and the
// start.
#include <math.h>

#include "base/random.h"
#include "control/guess/guess.h"
#include "math/so3.h"

// Of bulges, in lengths of the plan and rad.
static const double widest = 1.0, most_rotated = 0.6;

void crm_path_perturb(const crm_draft *draft, uint64_t seed, int start, crm_path *path) {
    for (int s = 0; s < draft->moving_count; s++) {
        int body = draft->body[s];
        crm_random random = {.seed = seed, .stream = (uint64_t)start * (uint64_t)draft->moving_count + (uint64_t)s};
        carom_vec3 side = crm_random_direction(&random), axis = crm_random_direction(&random);
        double width = crm_random_between(&random, 0.0, widest) * draft->units.length;
        double angle = crm_random_between(&random, 0.0, most_rotated);
        const crm_body *b = crm_draft_body(draft, body);
        if (b->kind == CAROM_BODY_PLANAR) side.z = 0.0, axis = crm_vec3(0.0, 0.0, 1.0);
        for (int node = 0; node < path->nodes; node++) {
            crm_motion *m = crm_path_at(path, node, body);
            double height = sin(3.14159265358979323846 * node / (path->nodes - 1));
            m->x = crm_madd(m->x, width * height, side);
            if (crm_has_directors(b))
                m->q = crm_quat_normalised(crm_quat_mul(crm_so3_exp(crm_scale(angle * height, axis)), m->q));
        }
    }
}

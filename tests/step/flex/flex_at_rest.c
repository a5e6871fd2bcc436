// SPDX-License-Identifier: MIT
// Bodies that nothing moves: what roundings of their places do is no motion, and no reason for a verdict.
#include <math.h>
#include <stdio.h>

#include "support/harness/check.h"
#include "support/model/flexible.h"
#include "support/model/world.h"

static void rest(carom_method method, double young, carom_vec3 position, int order) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    carom_flex_def def = flexible_soft();
    carom_elastic_from_young(young, 0.3, &def.elastic.lambda, &def.elastic.mu);
    def.position = position;
    def.attitude = (carom_quat){0.9, 0.1, 0.3, -0.2};
    if (position.x == 0.1) def.attitude = (carom_quat){1.0, 0.0, 0.0, 0.0}; // a node at the origin
    carom_flex flex = flexible_box(model, (carom_vec3){0.2, 0.2, 0.2}, 2, order, &def);
    carom_method_def steps = carom_method_def_default();
    steps.method = method;
    steps.step = method == CAROM_METHOD_NEWMARK ? 1e-6 : 1e-3;
    carom_state *state = flexible_state(model, &steps);
    carom_step_report report = world_run(state, 5); // all of them good
    bool good = CHECK(report.momentum_balance <= 1e-12);
    good &= CHECK(report.substeps <= 1);
    carom_vec3 velocity[200];
    int count = carom_mesh_node_count(carom_model_flex_def(model, flex)->mesh);
    CHECK_INT(carom_state_get_nodes(state, flex, NULL, velocity, NULL), CAROM_OK);
    for (int n = 0; n < count; n++)
        good &= CHECK(fabs(velocity[n].x) + fabs(velocity[n].y) + fabs(velocity[n].z) < 1e-6);
    if (!good) fprintf(stderr, "%s, %g Pa, at %g m\n", carom_method_name(method), young, position.x);
    world_destroy(state);
}

TEST(what_rests_goes_on_resting) {
    static const carom_method methods[] = {CAROM_METHOD_NEWMARK, CAROM_METHOD_VARIATIONAL, CAROM_METHOD_LCP};
    static const carom_vec3 positions[] = {{0.0, 0.0, 0.0}, {0.1, 0.1, 0.1}, {0.21, 0.0, 0.0}, {30.0, -4.0, 5.0}};
    for (int m = 0; m < 3; m++)
        for (int p = 0; p < 4; p++)
            for (int order = 1; order <= 2; order++)
                for (int e = 0; e < (p < 3 ? 3 : 2); e++) // far away a stiff one is not known to rest
                    rest(methods[m], pow(10.0, 4 + 3 * e), positions[p], order);
}

TEST_MAIN(CASE(what_rests_goes_on_resting))

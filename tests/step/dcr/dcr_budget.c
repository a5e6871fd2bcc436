// SPDX-License-Identifier: MIT
// What steps of dcr may take: all projections and impacts of a step draw on one budget, and what is not met is said.
#include <math.h>
#include <stdio.h>

#include "carom/tools.h"
#include "math/vec3.h"
#include "support/geometry/touching.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { SIDE = 3, LAYERS = 3 };

// Boxes that fall on a floor in three layers, each turned and spinning a little: many impacts of many contacts at once.
static carom_state *falling_boxes(double budget, double restitution, double friction) {
    carom_method_def method = carom_method_def_default();
    carom_model *model = world_model(crm_vec3(0.0, 0.0, -9.81), 0.0);
    carom_material material = touching_material(model, friction, restitution);
    carom_model_shape box = touching_box(model, 1.0, 1.0, 1.0);
    sampler s = {.seed = 41};
    method.method = CAROM_METHOD_DCR;
    method.step = 0.01;
    method.dcr.budget = budget;
    touching_add(model, touching_floor(model), material, 0.0, crm_vec3_zero());
    for (int i = 0; i < SIDE * SIDE * LAYERS; i++) {
        double x = 1.02 * (i % SIDE), y = 1.02 * (i / SIDE % SIDE), z = 0.51 + 1.02 * (i / (SIDE * SIDE));
        x += sample_between(&s, -0.005, 0.005);
        touching_add(model, box, material, 1.0, crm_vec3(x, y, z));
    }
    return touching_state(model, &method);
}

// The largest share of its budget that a step took.
static double run(double budget, double restitution, double friction, int steps) {
    carom_state *state = falling_boxes(budget, restitution, friction);
    double bound = carom_method_contract(carom_state_method(state)).residual, worst = 0.0;
    for (int i = 0; i < steps; i++) {
        carom_step_report report;
        CHECK_INT(carom_step(carom_state_model(state), state, NULL, &report, NULL), CAROM_OK);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) break;
        carom_step_work work = carom_state_work(state);
        worst = fmax(worst, work.taken > 0.0 ? work.taken / work.allowed : 0.0);
        bool counted = report.contacts == 0 || work.taken > 0.0;
        bool told = isfinite(report.residual) && (report.residual <= bound || report.outcome != CAROM_STEP_GOOD);
        if (CHECK(work.taken <= work.allowed) && CHECK(counted) && CHECK(told)) continue;
        fprintf(stderr, "budget %g, step %d: %g units of %g\n", budget, i + 1, work.taken, work.allowed);
        break;
    }
    world_destroy(state);
    return worst;
}

TEST(no_step_takes_more_than_its_budget) {
    static const double budget[] = {1e-9, 0.03, 0.1, 0.3, 1.0};
    double least = 1.0, most = 0.0;
    for (size_t i = 0; i < sizeof budget / sizeof *budget; i++)
        for (int k = 0; k < 4; k++) {
            double worst = run(budget[i], k % 2 == 0 ? 0.0 : 0.5, k < 2 ? 0.0 : 0.5, 12);
            least = fmin(least, worst), most = fmax(most, worst);
        }
    CHECK(least > 0.0 && most > 0.5); // the count can tell
}

TEST_MAIN(CASE(no_step_takes_more_than_its_budget))

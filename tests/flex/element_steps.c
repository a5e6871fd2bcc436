// SPDX-License-Identifier: MIT
// The energy-momentum step's forces: their work is the change of energy, their moment about the mean positions none.
#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "support/flex/elastic_body.h"
#include "support/harness/check.h"

enum { NODES_MOST = 70 };

static const carom_mat3 moderate = {{0.9, 0.5, -0.1}, {-0.6, 1.1, 0.2}, {0.2, 0.1, 1.2}};

typedef struct work_case {
    double work, change, moment, scale; // J, J, N m, N
    crm_elastic_result result;
} work_case;

static work_case take_step(carom_elastic_model model, int order, double size, bool midpoint, double viscosity) {
    elastic_body body = elastic_body_make(model, order, viscosity);
    carom_vec3 before[NODES_MOST], force[NODES_MOST] = {{0}}, moment = crm_vec3_zero();
    work_case w = {0};
    elastic_body_deform(&body, moderate, 0.01, 3);
    memcpy(before, body.position, (size_t)body.count * sizeof *before);
    double energy = elastic_body_energy(&body);
    for (int i = 0; i < 3 * body.count; i++) *elastic_body_number(body.position, i) += size * sin(5.0 * i);
    w.change = elastic_body_energy(&body) - energy;
    crm_elastic_step step = {elastic_body_view(before), elastic_body_view(body.position), 0.7, midpoint};
    w.result = crm_elastic_discrete_forces(body.elastic, &step, elastic_body_sum(force));
    for (int n = 0; n < body.count; n++) {
        carom_vec3 mean = crm_scale(0.5, crm_add(before[n], body.position[n]));
        w.work += crm_dot(force[n], crm_sub(body.position[n], before[n]));
        moment = crm_add(moment, crm_cross(mean, force[n]));
        w.scale = fmax(w.scale, crm_length(force[n]));
    }
    w.moment = crm_length(moment);
    elastic_body_free(&body);
    return w;
}

TEST(work_is_the_change_of_energy) {
    const double sizes[] = {0.04, 1e-2, 1e-3, 1e-5, 1e-8, 1e-11};
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++)
            for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
                work_case w = take_step(model, order, sizes[i], false, 0.0);
                CHECK(!w.result.inverted);
                // The difference of the two energies has their rounding, the work its own alone.
                CHECK_NEAR(w.work, -w.change, 2e-15);
                CHECK_NEAR(w.work, -w.result.energy, 2e-14 * fmax(fabs(w.work), sizes[i] * 0.01));
                CHECK_NEAR(w.moment, 0.0, 2e-15 * w.scale);
            }
}

TEST(midpoint_forces_lose_energy_of_third_order) {
    for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
        work_case coarse = take_step(model, 1, 4e-4, true, 0.0), fine = take_step(model, 1, 2e-4, true, 0.0);
        double ratio = (coarse.work + coarse.change) / (fine.work + fine.change);
        CHECK_NEAR(ratio, 8.0, 0.4);
        CHECK_NEAR(coarse.moment, 0.0, 2e-15 * coarse.scale);
    }
}

// Viscosity takes its power times the step, beyond the change of energy.
TEST(viscosity_takes_its_share) {
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            work_case w = take_step(model, order, 1e-2, false, 0.3);
            CHECK(w.result.dissipated < -1e-5);
            CHECK_NEAR(w.work, -w.change + 0.7 * w.result.dissipated, 2e-15);
            CHECK_NEAR(w.moment, 0.0, 2e-15 * w.scale);
        }
}

// A step that inverts an element has no energy to conserve, but for stvk.
TEST(steps_that_invert_are_told) {
    for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
        elastic_body body = elastic_body_make(model, 1, 0.0);
        carom_vec3 after[NODES_MOST], force[NODES_MOST] = {{0}};
        for (int n = 0; n < body.count; n++)
            after[n] = crm_vec3(body.position[n].x, body.position[n].y, -0.8 * body.position[n].z);
        crm_elastic_step step = {elastic_body_view(body.position), elastic_body_view(after), 0.1, false};
        crm_elastic_result result = crm_elastic_discrete_forces(body.elastic, &step, elastic_body_sum(force));
        CHECK(result.least_determinant < -0.79);
        CHECK(result.inverted == (model != CAROM_ELASTIC_STVK));
        elastic_body_free(&body);
    }
}

TEST_MAIN(CASE(work_is_the_change_of_energy), CASE(midpoint_forces_lose_energy_of_third_order),
          CASE(viscosity_takes_its_share), CASE(steps_that_invert_are_told))

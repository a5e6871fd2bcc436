// SPDX-License-Identifier: MIT
// Every derivative of the elements against differences: forces of energies, stiffness of forces, damping of viscous
// forces, and the unsymmetric stiffness of steps.
#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "support/flex/elastic_body.h"
#include "support/harness/check.h"

enum { NUMBERS_MOST = 200 };

// A turned, stretched and sheared body, no element of which is inverted.
static const carom_mat3 moderate = {{0.9, 0.5, -0.1}, {-0.6, 1.1, 0.2}, {0.2, 0.1, 1.2}};
// Turned inside out.
static const carom_mat3 inside_out = {{0.8, 0.1, 0.0}, {0.2, 0.9, 0.1}, {0.1, 0.0, -0.4}};

// Differences of fourth order: (8 (f(h) - f(-h)) - (f(2h) - f(-2h)))/(12 h).
static const double spacing = 1e-4;
static const double offset[4] = {1.0, -1.0, 2.0, -2.0}, share[4] = {8.0, -8.0, -1.0, 1.0};

typedef void vector_function(void *context, carom_vec3 *out);

// Column `index` of the derivative of f by the numbers in `at`.
static void difference(vector_function *f, void *context, carom_vec3 *at, int index, int count, double *column) {
    double *number = elastic_body_number(at, index), kept = *number;
    for (int i = 0; i < 3 * count; i++) column[i] = 0.0;
    for (int s = 0; s < 4; s++) {
        carom_vec3 value[NUMBERS_MOST];
        *number = kept + offset[s] * spacing;
        f(context, value);
        for (int i = 0; i < 3 * count; i++) column[i] += share[s] / (12.0 * spacing) * *elastic_body_number(value, i);
    }
    *number = kept;
}

static void compare_matrix(const crm_block_matrix *matrix, int count, vector_function *minus_f, void *context,
                           carom_vec3 *at, double tolerance) {
    for (int column = 0; column < 3 * count; column++) {
        double wanted[3 * NUMBERS_MOST];
        difference(minus_f, context, at, column, count, wanted);
        for (int row = 0; row < 3 * count; row++)
            if (!CHECK_NEAR(elastic_body_entry(matrix, row, column), -wanted[row], tolerance)) return;
    }
}

static void elastic_forces(void *context, carom_vec3 *out) {
    elastic_body_forces(context, out);
}

static void check_forces(carom_elastic_model model, int order, carom_mat3 f) {
    elastic_body body = elastic_body_make(model, order, 0.0);
    carom_vec3 force[NUMBERS_MOST];
    elastic_body_deform(&body, f, 0.01, 3);
    elastic_body_forces(&body, force);
    for (int i = 0; i < 3 * body.count; i++) {
        double *number = elastic_body_number(body.position, i), kept = *number, slope = 0.0;
        for (int s = 0; s < 4; s++) {
            *number = kept + offset[s] * spacing;
            slope += share[s] * elastic_body_energy(&body) / (12.0 * spacing);
        }
        *number = kept;
        if (!CHECK_NEAR(*elastic_body_number(force, i), -slope, 1e-10)) break;
    }
    elastic_body_free(&body);
}

TEST(forces_are_minus_the_gradient_of_the_energy) {
    for (int order = 1; order <= 2; order++) {
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) check_forces(model, order, moderate);
        check_forces(CAROM_ELASTIC_STVK, order, inside_out);
        check_forces(CAROM_ELASTIC_COROTATED, order, inside_out);
    }
}

static void check_stiffness(carom_elastic_model model, int order, carom_mat3 f, double spread) {
    elastic_body body = elastic_body_make(model, order, 0.0);
    elastic_body_deform(&body, f, spread, 3);
    crm_block_matrix matrix = elastic_body_matrix(&body, true);
    crm_elastic_add_stiffness(body.elastic, elastic_body_view(body.position), 1.0, 0.0, false,
                              (crm_elastic_place){&matrix, 0, 0});
    compare_matrix(&matrix, body.count, elastic_forces, &body, body.position, 2e-9);
    elastic_body_free(&body);
}

TEST(stiffness_is_minus_the_derivative_of_the_forces) {
    for (int order = 1; order <= 2; order++) {
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            check_stiffness(model, order, moderate, 0.01);
            check_stiffness(model, order, crm_mat3_identity(), 0.0); // equal stretches
            check_stiffness(model, order, crm_mat3_scale(0.8, crm_mat3_identity()), 0.0);
        }
        check_stiffness(CAROM_ELASTIC_STVK, order, inside_out, 0.01);
        check_stiffness(CAROM_ELASTIC_COROTATED, order, inside_out, 0.01);
    }
}

typedef struct viscous_case {
    elastic_body *body;
    carom_vec3 *velocity;
} viscous_case;

static void viscous_forces(void *context, carom_vec3 *out) {
    viscous_case *c = context;
    crm_node_sum nobody = {0};
    memset(out, 0, (size_t)c->body->count * sizeof *out);
    (void)crm_elastic_evaluate(c->body->elastic, elastic_body_view(c->body->position), elastic_body_view(c->velocity),
                               nobody, elastic_body_sum(out));
}

TEST(damping_is_minus_the_derivative_of_the_viscous_forces) {
    for (int order = 1; order <= 2; order++) {
        elastic_body body = elastic_body_make(CAROM_ELASTIC_NEO_HOOKEAN, order, 0.3);
        carom_vec3 velocity[NUMBERS_MOST];
        for (int n = 0; n < body.count; n++) velocity[n] = crm_vec3(sin(n), cos(3.0 * n), sin(2.0 * n));
        viscous_case c = {&body, velocity};
        elastic_body_deform(&body, moderate, 0.01, 3);
        crm_block_matrix matrix = elastic_body_matrix(&body, true);
        crm_elastic_add_stiffness(body.elastic, elastic_body_view(body.position), 0.0, 1.0, false,
                                  (crm_elastic_place){&matrix, 0, 0});
        compare_matrix(&matrix, body.count, viscous_forces, &c, velocity, 1e-10);
        elastic_body_free(&body);
    }
}

typedef struct step_case {
    elastic_body *body;
    crm_elastic_step step;
} step_case;

static void step_forces(void *context, carom_vec3 *out) {
    step_case *c = context;
    memset(out, 0, (size_t)c->body->count * sizeof *out);
    (void)crm_elastic_discrete_forces(c->body->elastic, &c->step, elastic_body_sum(out));
}

static void check_step(carom_elastic_model model, int order, bool midpoint, double viscosity, double spread,
                       double tolerance) {
    elastic_body body = elastic_body_make(model, order, viscosity);
    carom_vec3 before[NUMBERS_MOST];
    elastic_body_deform(&body, moderate, 0.01, 3);
    memcpy(before, body.position, (size_t)body.count * sizeof *before);
    for (int i = 0; i < 3 * body.count; i++) *elastic_body_number(body.position, i) += spread * sin(5.0 * i);
    step_case c = {&body, {elastic_body_view(before), elastic_body_view(body.position), 0.7, midpoint}};
    crm_block_matrix matrix = elastic_body_matrix(&body, false);
    crm_elastic_add_discrete_stiffness(body.elastic, &c.step, 1.0, (crm_elastic_place){&matrix, 0, 0});
    compare_matrix(&matrix, body.count, step_forces, &c, body.position, tolerance);
    elastic_body_free(&body);
}

TEST(stiffness_of_steps_is_minus_the_derivative_of_their_forces) {
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            check_step(model, order, false, 0.0, 0.04, 2e-9);
            check_step(model, order, false, 0.4, 0.04, 2e-9);
            check_step(model, order, true, 0.4, 0.04, 2e-9);
            check_step(model, order, false, 0.0, 0.0, 2e-9);
            // What the correction of such a step contributes is of its own size, and its differences are as wrong.
            check_step(model, order, false, 0.0, 1e-6, 1e-5);
        }
}

TEST_MAIN(CASE(forces_are_minus_the_gradient_of_the_energy), CASE(stiffness_is_minus_the_derivative_of_the_forces),
          CASE(damping_is_minus_the_derivative_of_the_viscous_forces),
          CASE(stiffness_of_steps_is_minus_the_derivative_of_their_forces))

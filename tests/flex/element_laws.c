// SPDX-License-Identifier: MIT
// What the elements must obey, whatever the numbers: no net force or moment, the same in every frame, symmetry, closed
// forms of stretches, and the energy of small strains.
#include <math.h>
#include <string.h>

#include "math/mat3.h"
#include "math/svd3.h"
#include "support/algebra/lapack.h"
#include "support/flex/elastic_body.h"
#include "support/harness/check.h"

enum { NODES_MOST = 70, NUMBERS_MOST = 3 * NODES_MOST };

static const carom_mat3 moderate = {{0.9, 0.5, -0.1}, {-0.6, 1.1, 0.2}, {0.2, 0.1, 1.2}};
static const carom_mat3 inside_out = {{0.8, 0.1, 0.0}, {0.2, 0.9, 0.1}, {0.1, 0.0, -0.4}};
static const carom_mat3 rotation = {{0.36, 0.48, -0.8}, {-0.8, 0.6, 0.0}, {0.48, 0.64, 0.6}};

static double largest_force(const carom_vec3 *force, int count) {
    double largest = 0.0;
    for (int n = 0; n < count; n++) largest = fmax(largest, crm_length(force[n]));
    return largest;
}

static void check_balance(const elastic_body *body, const carom_vec3 *force, const carom_vec3 *arm) {
    carom_vec3 sum = crm_vec3_zero(), moment = crm_vec3_zero();
    double scale = largest_force(force, body->count);
    for (int n = 0; n < body->count; n++) {
        sum = crm_add(sum, force[n]);
        moment = crm_add(moment, crm_cross(arm[n], force[n]));
    }
    CHECK(scale > 1e-3);
    CHECK_NEAR(crm_length(sum), 0.0, 1e-14 * scale);
    CHECK_NEAR(crm_length(moment), 0.0, 1e-14 * scale);
}

TEST(forces_have_neither_sum_nor_moment) {
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            elastic_body body = elastic_body_make(model, order, 0.2);
            carom_vec3 force[NODES_MOST] = {{0}}, viscous[NODES_MOST] = {{0}}, velocity[NODES_MOST];
            for (int n = 0; n < body.count; n++) velocity[n] = crm_vec3(sin(n), cos(3.0 * n), sin(2.0 * n));
            elastic_body_deform(&body, moderate, 0.01, 3);
            crm_elastic_result result =
                crm_elastic_evaluate(body.elastic, elastic_body_view(body.position), elastic_body_view(velocity),
                                     elastic_body_sum(force), elastic_body_sum(viscous));
            check_balance(&body, force, body.position);
            check_balance(&body, viscous, body.position);
            // The power of the viscous forces is what they do to the velocities.
            double power = 0.0;
            for (int n = 0; n < body.count; n++) power += crm_dot(viscous[n], velocity[n]);
            CHECK(result.dissipated < -1e-3);
            CHECK_NEAR(result.dissipated, power, 1e-13 * fabs(power));
            elastic_body_free(&body);
        }
}

// Turned and moved far away: the same energy, turned forces; and the viscous forces of a rigid motion are none.
TEST(nothing_depends_on_the_frame) {
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            elastic_body body = elastic_body_make(model, order, 0.2);
            carom_vec3 here[NODES_MOST], there[NODES_MOST], viscous[NODES_MOST] = {{0}}, velocity[NODES_MOST];
            elastic_body_deform(&body, moderate, 0.01, 3);
            double energy = elastic_body_energy(&body);
            elastic_body_forces(&body, here);
            for (int n = 0; n < body.count; n++) {
                body.position[n] = crm_add(crm_mat3_apply(rotation, body.position[n]), crm_vec3(64.0, -32.0, 128.0));
                velocity[n] = crm_cross(crm_vec3(3.0, -2.0, 1.0), body.position[n]);
            }
            elastic_body_forces(&body, there);
            CHECK_NEAR(elastic_body_energy(&body), energy, 1e-12 * energy);
            for (int n = 0; n < body.count; n++)
                CHECK_NEAR(crm_distance(there[n], crm_mat3_apply(rotation, here[n])), 0.0, 1e-12);
            crm_node_sum nobody = {0};
            (void)crm_elastic_evaluate(body.elastic, elastic_body_view(body.position), elastic_body_view(velocity),
                                       nobody, elastic_body_sum(viscous));
            CHECK_NEAR(largest_force(viscous, body.count), 0.0, 1e-11);
            elastic_body_free(&body);
        }
}

// psi of three stretches, in the words of the table of docs/math.md 15.2.
static double energy_of_stretches(const carom_elastic_def *m, carom_vec3 s) {
    double j = s.x * s.y * s.z, l = log(j);
    carom_vec3 e = {0.5 * (s.x * s.x - 1.0), 0.5 * (s.y * s.y - 1.0), 0.5 * (s.z * s.z - 1.0)};
    carom_vec3 one = {s.x - 1.0, s.y - 1.0, s.z - 1.0};
    double t = e.x + e.y + e.z;
    if (m->model == CAROM_ELASTIC_NEO_HOOKEAN)
        return 0.5 * m->mu * (crm_dot(s, s) - 3.0) - m->mu * l + 0.5 * m->lambda * l * l;
    if (m->model == CAROM_ELASTIC_STVK) return m->mu * crm_dot(e, e) + 0.5 * m->lambda * t * t;
    return m->mu * crm_dot(one, one) + 0.5 * m->lambda * (j - 1.0) * (j - 1.0);
}

// Every point of a body in uniform strain has its F, and its energy is psi times the volume: a patch test. Inner nodes
// feel no force.
TEST(uniform_strain_is_uniform) {
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            elastic_body body = elastic_body_make(model, order, 0.0);
            carom_elastic_point point[64];
            carom_mat3 u, v;
            carom_vec3 s;
            elastic_body_deform(&body, moderate, 0.0, 1);
            crm_elastic_points(body.elastic, elastic_body_view(body.position), point);
            int points = carom_mesh_element_count(body.mesh) * CAROM_ELEMENT_POINTS(order);
            for (int q = 0; q < points; q++) {
                CHECK_NEAR(crm_mat3_norm(crm_mat3_sub(point[q].gradient, moderate)), 0.0, 1e-13);
                CHECK_NEAR(crm_mat3_norm(crm_mat3_sub(point[q].piola, point[0].piola)), 0.0, 1e-11);
                // A Cauchy stress is symmetric, and von Mises' is that of its principal values.
                carom_mat3 c = point[q].cauchy;
                CHECK_NEAR(crm_length(crm_unskew(c)), 0.0, 1e-12);
            }
            (void)crm_svd3(moderate, &u, &s, &v);
            double energy = energy_of_stretches(&body.def, s) * carom_mesh_get_quality(body.mesh).volume;
            CHECK_NEAR(elastic_body_energy(&body), energy, 1e-12 * energy);
            elastic_body_free(&body);
        }
}

// Simple tension s along x, nothing sideways: P_xx = psi'(s), von Mises = |sigma_xx - sigma_yy|.
TEST(stress_of_one_stretch_is_known) {
    const double s = 1.3;
    for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
        elastic_body body = elastic_body_make(model, 1, 0.0);
        carom_elastic_point point[64];
        double lambda = body.def.lambda, mu = body.def.mu, e = 0.5 * (s * s - 1.0);
        double along = model == CAROM_ELASTIC_NEO_HOOKEAN ? mu * (s - 1.0 / s) + lambda * log(s) / s
                       : model == CAROM_ELASTIC_STVK      ? s * (lambda + 2.0 * mu) * e
                                                          : (2.0 * mu + lambda) * (s - 1.0);
        double across = model == CAROM_ELASTIC_NEO_HOOKEAN ? lambda * log(s)
                        : model == CAROM_ELASTIC_STVK      ? lambda * e
                                                           : lambda * (s - 1.0) * s;
        elastic_body_deform(&body, crm_mat3_diagonal(crm_vec3(s, 1.0, 1.0)), 0.0, 1);
        crm_elastic_points(body.elastic, elastic_body_view(body.position), point);
        CHECK_NEAR(point[0].determinant, s, 1e-14);
        CHECK_NEAR(point[0].piola.x.x, along, 1e-13);
        CHECK_NEAR(point[0].piola.y.y, across, 1e-13);
        CHECK_NEAR(point[0].cauchy.x.x, along, 1e-13);
        CHECK_NEAR(point[0].cauchy.y.y, across / s, 1e-13);
        CHECK_NEAR(point[0].von_mises, fabs(along - across / s), 1e-13);
        elastic_body_free(&body);
    }
}

// V = v' K v/2 with the K of rest, at a strain of 1e-6 and turned: the textbook's energy is wrong by 2e-5 there.
TEST(energy_of_small_strains_has_its_digits) {
    const double strain = 1e-6;
    carom_mat3 stretch = {
        {1.0 + 3.0 * strain, 0.5 * strain, 0.0}, {0.5 * strain, 1.0 - strain, strain}, {0.0, strain, 1.0 + strain}};
    for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
        elastic_body body = elastic_body_make(model, 1, 0.0);
        double trace = 3.0 * strain, squares = (9.0 + 1.0 + 1.0 + 2.0 * 0.25 + 2.0) * strain * strain;
        double density = body.def.mu * squares + 0.5 * body.def.lambda * trace * trace;
        double energy = density * carom_mesh_get_quality(body.mesh).volume;
        elastic_body_deform(&body, crm_mat3_mul(rotation, stretch), 0.0, 1);
        // The quadratic form is the energy up to the strain itself.
        CHECK_NEAR(elastic_body_energy(&body), energy, 5.0 * strain * energy);
        double first = elastic_body_energy(&body);
        elastic_body_deform(&body, crm_mat3_mul(crm_mat3_transpose(rotation), stretch), 0.0, 1);
        CHECK_NEAR(elastic_body_energy(&body), first, 2e-8 * energy);
        elastic_body_free(&body);
    }
}

// The dense matrix, exact or without negative eigenvalues.
static void dense_stiffness(elastic_body *body, bool definite, double *out) {
    crm_block_matrix matrix = elastic_body_matrix(body, true);
    int size = 3 * body->count;
    crm_elastic_add_stiffness(body->elastic, elastic_body_view(body->position), 1.0, 0.0, definite,
                              (crm_elastic_place){&matrix, 0, 0});
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++) out[i + j * size] = elastic_body_entry(&matrix, i, j);
}

static void eigenvalues(int size, double *a, double *values) {
    double work[8 * NUMBERS_MOST];
    int length = 8 * NUMBERS_MOST, info = 0;
    dsyev_("N", "L", &size, a, &size, values, work, &length, &info);
    CHECK_INT(info, 0);
}

// Clipped, nothing is negative; where nothing was, nothing changes; and what is left out is not more than needed: the
// clipped matrix is above the exact one.
TEST(clipped_stiffness_is_semidefinite) {
    static double exact[NUMBERS_MOST * NUMBERS_MOST], clipped[NUMBERS_MOST * NUMBERS_MOST];
    double values[NUMBERS_MOST];
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
            elastic_body body = elastic_body_make(model, order, 0.0);
            int size = 3 * body.count;
            elastic_body_deform(&body, crm_mat3_scale(1.4, rotation), 0.0, 1);
            // corotated's stress at equal stretches above 1 and stvk's are stable; neo_hookean's too.
            dense_stiffness(&body, false, exact);
            dense_stiffness(&body, true, clipped);
            double largest = 0.0, change = 0.0;
            for (int i = 0; i < size * size; i++) {
                largest = fmax(largest, fabs(exact[i]));
                change = fmax(change, fabs(exact[i] - clipped[i]));
            }
            eigenvalues(size, exact, values);
            if (values[0] > -1e-12 * largest) CHECK_NEAR(change, 0.0, 1e-12 * largest);
            bool upright = model == CAROM_ELASTIC_NEO_HOOKEAN;
            elastic_body_deform(&body, upright ? crm_mat3_diagonal(crm_vec3(0.3, 2.0, 0.9)) : inside_out, 0.01, 3);
            dense_stiffness(&body, false, exact);
            dense_stiffness(&body, true, clipped);
            for (int i = 0; i < size * size; i++) {
                double value = exact[i];
                exact[i] = clipped[i] - value;
            }
            eigenvalues(size, exact, values);
            CHECK(values[0] > -1e-11);
            CHECK(values[size - 1] > 1e-3);
            eigenvalues(size, clipped, values);
            CHECK(values[0] > -1e-11);
            elastic_body_free(&body);
        }
}

// Inverted elements: neo_hookean says so and names the worst, the others go on with det R = +1.
TEST(inverted_elements_are_named) {
    for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++) {
        elastic_body body = elastic_body_make(model, 1, 0.0);
        crm_node_view none = {0};
        crm_node_sum nobody = {0};
        elastic_body_deform(&body, crm_mat3_identity(), 0.0, 1);
        const int32_t *node = carom_mesh_elements(body.mesh) + 4 * 7;
        carom_vec3 *top = &body.position[node[0]], base = body.position[node[1]];
        *top = crm_add(base, crm_scale(-0.5, crm_sub(*top, base)));
        crm_elastic_result result =
            crm_elastic_evaluate(body.elastic, elastic_body_view(body.position), none, nobody, nobody);
        CHECK(result.least_determinant < 0.0);
        CHECK(result.inverted == (model == CAROM_ELASTIC_NEO_HOOKEAN));
        carom_error error = {.text = ""};
        double energy;
        carom_status status = carom_mesh_evaluate(body.mesh, &body.def, body.position, &energy, NULL, NULL, &error);
        CHECK_INT(status, model == CAROM_ELASTIC_NEO_HOOKEAN ? CAROM_ERR_BAD_INPUT : CAROM_OK);
        if (status != CAROM_OK) CHECK_CONTAINS(error.text, "is inverted, det F = -");
        elastic_body_free(&body);
    }
}

// A mirror image: the nearest rotation of diag(1, 1, -s) is 1, so that corotated's energy is mu (1 + s)^2 + ...
TEST(corotated_has_a_proper_rotation_inside_out) {
    const double s = 0.5;
    elastic_body body = elastic_body_make(CAROM_ELASTIC_COROTATED, 1, 0.0);
    elastic_body_deform(&body, crm_mat3_mul(rotation, crm_mat3_diagonal(crm_vec3(1.0, 1.0, -s))), 0.0, 1);
    double wanted = body.def.mu * (1.0 + s) * (1.0 + s) + 0.5 * body.def.lambda * (1.0 + s) * (1.0 + s);
    double volume = carom_mesh_get_quality(body.mesh).volume;
    CHECK_NEAR(elastic_body_energy(&body), wanted * volume, 1e-13);
    elastic_body_free(&body);
}

TEST(nothing_is_left_without_memory_or_numbers) {
    elastic_body body = elastic_body_make(CAROM_ELASTIC_NEO_HOOKEAN, 1, 0.0);
    carom_error error = {.text = ""};
    double energy;
    body.position[3].y = NAN;
    CHECK_INT(carom_mesh_evaluate(body.mesh, &body.def, body.position, &energy, NULL, NULL, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "positions[3] is (");
    elastic_body_free(&body);
}

TEST_MAIN(CASE(forces_have_neither_sum_nor_moment), CASE(nothing_depends_on_the_frame), CASE(uniform_strain_is_uniform),
          CASE(stress_of_one_stretch_is_known), CASE(energy_of_small_strains_has_its_digits),
          CASE(clipped_stiffness_is_semidefinite), CASE(inverted_elements_are_named),
          CASE(corotated_has_a_proper_rotation_inside_out), CASE(nothing_is_left_without_memory_or_numbers))

// SPDX-License-Identifier: MIT
// Natural rates: against LAPACK on small bodies, held or not, whole or in pieces, and against a bar's theory.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/mat3.h"
#include "support/algebra/lapack.h"
#include "support/flex/elastic_body.h"
#include "support/harness/check.h"

static const double two_pi = 6.283185307179586;

// All eigenvalues of M^-1/2 K M^-1/2 of the nodes that are not held, ascending.
static int dense_values(elastic_body *body, int held_count, const int32_t *held, double *values) {
    int number[600], size = 0, info;
    const double *mass = crm_elastic_masses(body->elastic);
    crm_block_matrix matrix = elastic_body_matrix(body, true);
    crm_elastic_add_stiffness(body->elastic, elastic_body_view(body->position), 1.0, 0.0, false,
                              (crm_elastic_place){&matrix, 0, 0});
    for (int i = 0; i < 3 * body->count; i++) {
        bool left_out = false;
        for (int h = 0; h < held_count; h++) left_out |= held[h] == i / 3;
        if (!left_out) number[size++] = i;
    }
    int length = 40 * size;
    double *a = calloc((size_t)size * (size_t)size, sizeof *a), *work = calloc((size_t)length, sizeof *work);
    for (int j = 0; j < size; j++)
        for (int i = 0; i < size; i++)
            a[i + j * size] =
                elastic_body_entry(&matrix, number[i], number[j]) / sqrt(mass[number[i] / 3] * mass[number[j] / 3]);
    dsyev_("N", "L", &size, a, &size, values, work, &length, &info);
    CHECK_INT(info, 0);
    free(a);
    free(work);
    return size;
}

static void check_modes(elastic_body *body, int held_count, const int32_t *held, int zeros) {
    double values[600], *got = calloc(600, sizeof *got);
    carom_error error = {.text = ""};
    int rigid = -1, size = dense_values(body, held_count, held, values);
    CHECK_INT(carom_mesh_modes(body->mesh, &body->def, held_count, held, size - zeros, &rigid, got, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(rigid, zeros);
    for (int i = 0; i < size - zeros; i++) {
        double wanted = sqrt(values[zeros + i]) / two_pi;
        if (!CHECK_NEAR(got[i], wanted, 1e-10 * wanted)) break;
    }
    // A few of the lowest, which do not need the whole space.
    CHECK_INT(carom_mesh_modes(body->mesh, &body->def, held_count, held, 3, &rigid, got, &error), CAROM_OK);
    CHECK_INT(rigid, zeros);
    for (int i = 0; i < 3; i++) {
        double wanted = sqrt(values[zeros + i]) / two_pi;
        CHECK_NEAR(got[i], wanted, 1e-9 * wanted);
    }
    CHECK_INT(carom_mesh_modes(body->mesh, &body->def, held_count, held, size - zeros + 1, &rigid, got, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "natural frequencies above its");
    free(got);
}

// Free; held at a point, about which it rotates; at two, about whose line it rotates; at three.
TEST(modes_are_those_of_the_dense_matrix) {
    const int32_t held[3] = {0, 5, 10};
    const int zeros[4] = {6, 3, 1, 0};
    for (int order = 1; order <= 2; order++)
        for (int count = 0; count <= 3; count++) {
            elastic_body body = elastic_body_make(CAROM_ELASTIC_COROTATED, order, 0.0);
            check_modes(&body, count, held, zeros[count]);
            elastic_body_free(&body);
        }
}

// More equal frequencies than a block has vectors: some of them would be passed over without the count of pivots.
TEST(modes_of_several_pieces_are_all_found) {
    enum { PIECES = 12 };
    carom_mesh *box, *mesh;
    carom_error error;
    CHECK_INT(carom_mesh_create_box(crm_vec3(1.0, 0.8, 0.6), (int[]){1, 1, 1}, 1, NULL, &box, &error), CAROM_OK);
    int nodes = carom_mesh_node_count(box), elements = carom_mesh_element_count(box), rigid;
    carom_vec3 node[PIECES * 8];
    int32_t element[PIECES * 5 * 4];
    for (int p = 0; p < PIECES; p++) {
        for (int n = 0; n < nodes; n++) node[p * nodes + n] = crm_madd(carom_mesh_nodes(box)[n], p, crm_vec3(3, 0, 0));
        for (int i = 0; i < 4 * elements; i++) element[4 * elements * p + i] = carom_mesh_elements(box)[i] + p * nodes;
    }
    carom_mesh_def def = carom_mesh_def_default();
    def.node_count = PIECES * nodes;
    def.nodes = node;
    def.element_count = PIECES * elements;
    def.elements = element;
    CHECK_INT(carom_mesh_create(&def, NULL, &mesh, &error), CAROM_OK);
    double one[2], all[2 * PIECES];
    carom_elastic_def elastic = carom_elastic_def_default();
    CHECK_INT(carom_mesh_modes(box, &elastic, 0, NULL, 2, &rigid, one, &error), CAROM_OK);
    CHECK_INT(rigid, 6);
    CHECK_INT(carom_mesh_modes(mesh, &elastic, 0, NULL, 2 * PIECES, &rigid, all, &error), CAROM_OK);
    CHECK_INT(rigid, 6 * PIECES);
    for (int i = 0; i < 2 * PIECES; i++) CHECK_NEAR(all[i] / one[i / PIECES], 1.0, 1e-10);
    carom_mesh_destroy(mesh);
    carom_mesh_destroy(box);
}

// The frequency nearest to that of waves along a free bar without Poisson's effect, sqrt(young/density)/(2 length).
static double bar_error(int order, int cells) {
    const double young = 8e4, density = 50.0, length = 2.0;
    carom_mesh *mesh;
    carom_error error;
    carom_elastic_def elastic = carom_elastic_def_default();
    double found[20], wanted = sqrt(young / density) / (2.0 * length), nearest = INFINITY;
    int rigid;
    carom_elastic_from_young(young, 0.0, &elastic.lambda, &elastic.mu);
    elastic.density = density;
    CHECK_INT(carom_mesh_create_box(crm_vec3(length, 0.3, 0.3), (int[]){cells, 2, 2}, order, NULL, &mesh, &error),
              CAROM_OK);
    CHECK_INT(carom_mesh_modes(mesh, &elastic, 0, NULL, 20, &rigid, found, &error), CAROM_OK);
    CHECK_INT(rigid, 6);
    for (int i = 0; i < 20; i++) nearest = fmin(nearest, fabs(found[i] / wanted - 1.0));
    carom_mesh_destroy(mesh);
    return nearest;
}

TEST(waves_along_a_bar_have_their_frequency) {
    double coarse = bar_error(1, 8), fine = bar_error(1, 16);
    CHECK_NEAR(coarse, 0.0, 1e-2);
    CHECK_NEAR(fine, 0.0, 0.3 * coarse); // of second order
    CHECK_NEAR(bar_error(2, 8), 0.0, 3e-3);
}

TEST(the_stable_step_is_that_of_the_largest_rate) {
    const carom_mat3 stretched = {{1.3, 0.2, 0.0}, {-0.1, 0.8, 0.1}, {0.2, 0.1, 1.1}};
    const int32_t held[2] = {3, 7};
    double values[600], step;
    carom_error error;
    for (int order = 1; order <= 2; order++)
        for (int model = 0; model < CAROM_ELASTIC_MODEL_COUNT; model++)
            for (int count = 0; count <= 2; count += 2) {
                elastic_body body = elastic_body_make(model, order, 0.0);
                elastic_body_deform(&body, stretched, 0.01, 7);
                int size = dense_values(&body, count, held, values);
                CHECK_INT(carom_mesh_stable_step(body.mesh, &body.def, body.position, count, held, &step, &error),
                          CAROM_OK);
                double wanted = 2.0 / sqrt(values[size - 1]);
                CHECK_NEAR(step, wanted, 1e-9 * wanted);
                elastic_body_free(&body);
            }
}

TEST(a_body_that_is_held_has_no_limit) {
    elastic_body body = elastic_body_make(CAROM_ELASTIC_STVK, 1, 0.0);
    int32_t all[64];
    double step = 0.0, none;
    int rigid = -1;
    carom_error error;
    for (int n = 0; n < body.count; n++) all[n] = n;
    CHECK_INT(carom_mesh_stable_step(body.mesh, &body.def, body.position, body.count, all, &step, &error), CAROM_OK);
    CHECK(step == INFINITY);
    CHECK_INT(carom_mesh_modes(body.mesh, &body.def, body.count, all, 0, &rigid, NULL, &error), CAROM_OK);
    CHECK_INT(rigid, 0);
    CHECK_INT(carom_mesh_modes(body.mesh, &body.def, body.count, all, 1, &rigid, &none, &error), CAROM_ERR_BAD_INPUT);
    all[1] = body.count;
    CHECK_INT(carom_mesh_stable_step(body.mesh, &body.def, body.position, 2, all, &step, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "fixed[1] is node");
    elastic_body_free(&body);
}

TEST_MAIN(CASE(modes_are_those_of_the_dense_matrix), CASE(modes_of_several_pieces_are_all_found),
          CASE(waves_along_a_bar_have_their_frequency), CASE(the_stable_step_is_that_of_the_largest_rate),
          CASE(a_body_that_is_held_has_no_limit))

// SPDX-License-Identifier: MIT
// The blocks of four contacts at a time: the derivative, the system they add up to, and the same bits for every
// instruction set.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/rigid/newton/rigid_blocks.h"
#include "support/harness/check.h"
#include "support/harness/sample.h"

enum { LANES = CRM_RIGID_LANES, STRIDE = CRM_RIGID_STRIDE, SLOTS = 2 * LANES + 1 };

typedef struct four_contacts {
    crm_rigid_batch batch;
    crm_rigid_visit visit;
    _Alignas(64) double z[SLOTS * STRIDE], dz[SLOTS * STRIDE], force[SLOTS * STRIDE];
    double tile[4 * LANES][36];
} four_contacts;

static void mean_diagonals(crm_rigid_batch *b, int l) {
    double w[9] = {0};
    for (int i = 0; i < 9; i++)
        for (int k = 0; k < 6; k++)
            w[i] += b->row_a[6 * (i / 3) + k][l] * b->row_a[6 * (i % 3) + k][l] +
                    b->row_b[6 * (i / 3) + k][l] * b->row_b[6 * (i % 3) + k][l];
    b->normal[l] = w[0], b->normal_inverse[l] = 1.0 / w[0];
    b->lean[0][l] = w[3], b->lean[1][l] = w[6];
    b->schur[0][l] = w[4] - w[3] * w[3] / w[0], b->schur[2][l] = w[8] - w[6] * w[6] / w[0];
    b->scale[l] = (w[0] + w[4] + w[8]) / 3.0;
}

// Two bodies a contact, at times one; some without friction; impulses inside and outside of their cones.
static void sample_contacts(sampler *s, four_contacts *c) {
    memset(c, 0, sizeof *c);
    crm_rigid_batch *b = &c->batch;
    c->visit.batch = b;
    c->visit.lanes = 15u;
    for (int i = STRIDE; i < SLOTS * STRIDE; i++)
        if (i % STRIDE < 6) c->z[i] = sample_between(s, -1.0, 1.0), c->dz[i] = sample_between(s, -1.0, 1.0);
    for (int l = 0; l < LANES; l++) {
        bool rubs = crm_random_below(s, 4) > 0, alone = crm_random_below(s, 4) == 0;
        b->friction[l] = rubs ? sample_between(s, 0.05, 1.5) : 0.0;
        b->offset[l] = sample_between(s, -0.3, 0.3);
        b->a[l] = alone ? 0 : 1 + l, b->b[l] = 1 + LANES + l;
        for (int k = 0; k < (rubs ? 18 : 6); k++) {
            b->row_a[k][l] = alone ? 0.0 : sample_between(s, -1.0, 1.0);
            b->row_b[k][l] = sample_between(s, -1.0, 1.0);
        }
        b->impulse[0][l] = sample_between(s, -0.2, 1.0);
        for (int k = 1; k < 3 && rubs; k++) b->impulse[k][l] = sample_between(s, -0.5, 0.5);
        mean_diagonals(b, l);
        c->visit.a[l] = b->a[l], c->visit.b[l] = b->b[l];
        c->visit.member[l] = 1.0;
        c->visit.tile_b[l] = c->tile[4 * l];
        if (alone) continue;
        c->visit.tile_a[l] = c->tile[4 * l + 1];
        c->visit.tile_ab[l] = c->tile[4 * l + 2];
        c->visit.tile_ba[l] = c->tile[4 * l + 3];
    }
}

static double square_at(const crm_rigid_block_kernels *kernels, four_contacts *c, const crm_rigid_linear *linear,
                        double length) {
    _Alignas(64) double z[SLOTS * STRIDE];
    for (int i = 0; i < SLOTS * STRIDE; i++) z[i] = c->z[i] + length * c->dz[i];
    return kernels->map_square(&c->visit, 1, linear, z, length);
}

// Along dz and the dr that goes with it the map falls like 1 - t: |F|^2 has the slope -2 |F|^2.
TEST(the_direction_is_that_of_newton) {
    const crm_rigid_block_kernels *kernels = crm_rigid_block_kernels_best();
    sampler s = {.seed = 1};
    for (int k = 0; k < 2000; k++) {
        four_contacts c;
        sample_contacts(&s, &c);
        crm_rigid_linear linear = {.width = exp2(sample_between(&s, -4.0, 2.0)), .shift = k % 2};
        kernels->linearise(&c.visit, 1, &linear, c.z, c.force);
        kernels->direct(&c.visit, 1, c.dz);
        double here = square_at(kernels, &c, &linear, 0.0), step = 1e-5;
        double slope = (square_at(kernels, &c, &linear, step) - square_at(kernels, &c, &linear, -step)) / (2.0 * step);
        CHECK_NEAR(slope / here, -2.0, 1e-3);
    }
}

// Rows of one lane on its two bodies.
static void lane_rows(const four_contacts *c, int l, double a[3][6], double b[3][6]) {
    for (int k = 0; k < 18; k++) a[k / 6][k % 6] = c->batch.row_a[k][l], b[k / 6][k % 6] = c->batch.row_b[k][l];
}

static void check_tile(const double *tile, double x[3][6], const four_contacts *c, int l, double y[3][6]) {
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int p = 0; p < 3; p++)
                for (int q = 0; q < 3; q++) sum += x[p][i] * c->visit.stiffness[3 * p + q][l] * y[q][j];
            CHECK_NEAR(tile[6 * j + i], sum, 1e-12 * (1.0 + fabs(sum)) + 1e-9 * fabs(c->visit.stiffness[0][l]));
        }
}

TEST(tiles_are_products_of_rows_and_stiffness) {
    const crm_rigid_block_kernels *kernels = crm_rigid_block_kernels_best();
    sampler s = {.seed = 2};
    for (int k = 0; k < 100; k++) {
        four_contacts c;
        sample_contacts(&s, &c);
        crm_rigid_linear linear = {.width = 0.1, .prox = 1e-3, .shift = 1.0};
        kernels->linearise(&c.visit, 1, &linear, c.z, c.force);
        kernels->assemble(&c.visit, 1);
        for (int l = 0; l < LANES; l++) {
            double a[3][6], b[3][6];
            lane_rows(&c, l, a, b);
            check_tile(c.visit.tile_b[l], b, &c, l, b);
            if (c.visit.tile_a[l] == NULL) continue;
            check_tile(c.visit.tile_a[l], a, &c, l, a);
            check_tile(c.visit.tile_ab[l], a, &c, l, b);
            check_tile(c.visit.tile_ba[l], b, &c, l, a);
        }
    }
}

// Impulses end inside their cones; those that are there stay, to the bit; velocities get J^T r.
TEST(impulses_are_put_into_their_cones) {
    const crm_rigid_block_kernels *kernels = crm_rigid_block_kernels_best();
    sampler s = {.seed = 3};
    for (int k = 0; k < 200; k++) {
        four_contacts c, before;
        sample_contacts(&s, &c);
        before = c;
        c.visit.batch = &c.batch;
        kernels->confine(&c.visit, 1, c.force);
        for (int l = 0; l < LANES; l++) {
            double n = c.batch.impulse[0][l], t = hypot(c.batch.impulse[1][l], c.batch.impulse[2][l]);
            double was_n = before.batch.impulse[0][l];
            double was_t = hypot(before.batch.impulse[1][l], before.batch.impulse[2][l]), mu = c.batch.friction[l];
            CHECK(n >= 0.0 && t <= mu * n * (1.0 + 1e-14));
            bool inside = was_n >= 0.0 && was_t <= 0.999 * mu * was_n;
            for (int i = 0; i < 3 && inside; i++) CHECK(c.batch.impulse[i][l] == before.batch.impulse[i][l]);
            double sum = 0.0;
            for (int i = 0; i < 3; i++) sum += c.batch.row_b[6 * i + 2][l] * c.batch.impulse[i][l];
            CHECK_NEAR(c.force[STRIDE * c.batch.b[l] + 2], sum, 1e-14);
        }
    }
}

// Lanes of other islands keep their impulses and add nothing.
TEST(lanes_of_others_are_left_alone) {
    const crm_rigid_block_kernels *kernels = crm_rigid_block_kernels_best();
    sampler s = {.seed = 4};
    four_contacts c, before;
    sample_contacts(&s, &c);
    c.visit.lanes = 5u;
    for (int l = 1; l < LANES; l += 2) {
        c.visit.a[l] = c.visit.b[l] = 0;
        c.visit.member[l] = 0.0;
        c.visit.tile_a[l] = c.visit.tile_b[l] = c.visit.tile_ab[l] = c.visit.tile_ba[l] = NULL;
    }
    before = c;
    crm_rigid_linear linear = {.width = 0.1, .shift = 1.0};
    kernels->linearise(&c.visit, 1, &linear, c.z, c.force);
    kernels->assemble(&c.visit, 1);
    kernels->direct(&c.visit, 1, c.dz);
    kernels->take(&c.visit, 1, 1.0);
    kernels->confine(&c.visit, 1, c.force);
    for (int l = 0; l < LANES; l++) {
        bool same = true, quiet = true;
        for (int i = 0; i < 3; i++) same &= c.batch.impulse[i][l] == before.batch.impulse[i][l];
        for (int i = 0; i < 6; i++) quiet &= c.force[STRIDE * c.batch.b[l] + i] == 0.0;
        CHECK_INT(same, l % 2);
        CHECK_INT(quiet, l % 2);
    }
}

TEST(every_instruction_set_gives_the_same_bits) {
    const crm_rigid_block_kernels *plain = crm_rigid_block_kernels_variant(0);
    const crm_rigid_block_kernels *fast = crm_rigid_block_kernels_variant(1);
    if (fast == NULL) skip();
    sampler s = {.seed = 5};
    for (int k = 0; k < 500; k++) {
        four_contacts *c = aligned_alloc(64, sizeof *c * 2);
        sample_contacts(&s, &c[0]);
        memcpy(&c[1], &c[0], sizeof *c);
        crm_rigid_linear linear = {.width = exp2(sample_between(&s, -30.0, 3.0)), .prox = 1e-7, .shift = 1.0};
        double square[2];
        for (int i = 0; i < 2; i++) {
            const crm_rigid_block_kernels *kernels = i == 0 ? plain : fast;
            c[i].visit.batch = &c[i].batch;
            for (int l = 0; l < LANES; l++) {
                double **tiles[] = {&c[i].visit.tile_a[l], &c[i].visit.tile_b[l], &c[i].visit.tile_ab[l],
                                    &c[i].visit.tile_ba[l]};
                for (int n = 0; n < 4; n++)
                    if (*tiles[n] != NULL) *tiles[n] = c[i].tile[4 * l + n];
            }
            kernels->linearise(&c[i].visit, 1, &linear, c[i].z, c[i].force);
            kernels->assemble(&c[i].visit, 1);
            kernels->direct(&c[i].visit, 1, c[i].dz);
            square[i] = kernels->map_square(&c[i].visit, 1, &linear, c[i].z, 0.5);
            kernels->take(&c[i].visit, 1, 0.25);
            kernels->confine(&c[i].visit, 1, c[i].force);
        }
        CHECK(square[0] == square[1]);
        CHECK(memcmp(c[0].tile, c[1].tile, sizeof c->tile) == 0);
        CHECK(memcmp(c[0].force, c[1].force, sizeof c->force) == 0);
        CHECK(memcmp(c[0].visit.push, c[1].visit.push, sizeof c->visit.push) == 0);
        CHECK(memcmp(c[0].batch.impulse, c[1].batch.impulse, sizeof c->batch.impulse) == 0);
        CHECK_INT(c[0].visit.active, c[1].visit.active);
        free(c);
    }
}

TEST_MAIN(CASE(the_direction_is_that_of_newton), CASE(tiles_are_products_of_rows_and_stiffness),
          CASE(impulses_are_put_into_their_cones), CASE(lanes_of_others_are_left_alone),
          CASE(every_instruction_set_gives_the_same_bits))

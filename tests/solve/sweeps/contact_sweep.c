// SPDX-License-Identifier: MIT
// The inner loop of Gauss-Seidel: the same bits from every instruction set, and, of a contact alone, Coulomb's law.
#include "solve/sweeps/contact_sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "math/vec3.h"
#include "solve/sweeps/group_solve.h"
#include "solve/sweeps/group_sweep.h"
#include "support/harness/check.h"
#include "support/problem/contact_problem.h"

// Packs a whole problem; the arena is the caller's.
static void pack(const contact_problem *p, crm_arena *arena, double *r, crm_operator *op, crm_sweep *sweep) {
    crm_layout layout;
    CHECK_INT(crm_problem_lay_out(&p->problem, arena, &layout, NULL), CAROM_OK);
    CHECK_INT(crm_operator_build(&p->problem, &layout, NULL, arena, op, NULL), CAROM_OK);
    CHECK_INT(crm_sweep_prepare(op, arena, r, sweep, NULL), CAROM_OK);
    crm_sweep_refresh(sweep);
}

TEST(every_instruction_set_gives_the_same_bits) {
    contact_problem *p = box_tower(20, 0.4, 1.3, crm_vec3(0.4, 0.1, 0));
    double *r = calloc((size_t)p->rows, sizeof *r), *reference = calloc((size_t)p->rows, sizeof *r);
    for (int variant = 0; crm_contact_sweep_variant(variant) != NULL; variant++) {
        crm_arena arena;
        crm_operator op;
        crm_sweep sweep;
        crm_arena_init(&arena, NULL);
        memset(r, 0, sizeof(double) * (size_t)p->rows);
        pack(p, &arena, r, &op, &sweep);
        CHECK_INT(sweep.run_count, 1);
        CHECK_INT(sweep.run[0].contact, 0);
        for (int k = 0; k < 30; k++)
            crm_contact_sweep_variant(variant)(sweep.contact, p->problem.group_count, sweep.z, r);
        if (variant == 0) memcpy(reference, r, sizeof(double) * (size_t)p->rows);
        CHECK(memcmp(r, reference, sizeof(double) * (size_t)p->rows) == 0);
        crm_arena_free(&arena);
    }
    free(r), free(reference);
    contact_problem_destroy(p);
}

// A few visits find the direction of slip to rounding: then it is the exact solution of group_solve.h.
TEST(a_contact_alone_converges_to_coulombs_law) {
    sampler s = {.seed = 5};
    int open = 0, sticking = 0, sliding = 0;
    for (int k = 0; k < 2000; k++) {
        contact_problem *p = contact_problem_create();
        for (int body = 0; body < 2; body++)
            add_body(p, sample_between(&s, 0.1, 10), sample_between(&s, 0.1, 10),
                     crm_vec3(sample_between(&s, -1, 1), sample_between(&s, -1, 1), sample_between(&s, -1, 1)),
                     crm_vec3(sample_between(&s, -1, 1), sample_between(&s, -1, 1), sample_between(&s, -1, 1)));
        double mu = sample_between(&s, 0.05, 4), r[3] = {0}, exact[3], multiplier = 0.0;
        carom_vec3 arm = crm_vec3(sample_between(&s, -1, 1), sample_between(&s, -1, 1), sample_between(&s, -1, 1));
        add_contact(p, k % 2 == 0 ? -1 : 0, 1, crm_negate(arm), arm, crm_vec3(0, 0, 1), mu);
        crm_arena arena;
        crm_operator op;
        crm_sweep sweep;
        crm_arena_init(&arena, NULL);
        pack(p, &arena, r, &op, &sweep);
        for (int visit = 0; visit < 6; visit++) crm_sweep_once(&sweep);
        crm_cone_solve(&p->groups[0], op.block, op.q, exact, &multiplier);
        double size = fabs(exact[0]) + fabs(exact[1]) + fabs(exact[2]);
        for (int i = 0; i < 3; i++) CHECK_NEAR(r[i], exact[i], 1e-12 * size);
        open += size == 0.0, sticking += size > 0.0 && multiplier == 0.0, sliding += multiplier > 0.0;
        crm_arena_free(&arena);
        contact_problem_destroy(p);
    }
    CHECK(open > 200 && sticking > 200 && sliding > 200);
}

TEST_MAIN(CASE(every_instruction_set_gives_the_same_bits), CASE(a_contact_alone_converges_to_coulombs_law))

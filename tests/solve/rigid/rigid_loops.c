// SPDX-License-Identifier: MIT
// Every instruction set gives the same bits: packing, residual, sweeps with momentum.
#include <stdlib.h>
#include <string.h>

#include "solve/rigid/rigid_group.h"
#include "support/harness/check.h"
#include "support/problem/rigid_heap.h"

typedef struct packed {
    crm_arena arena;
    crm_rigid_layout layout;
    crm_rigid_group group;
} packed;

static const crm_rigid_options options = {.tolerance = 1e-6, .velocity_scale = 0.1, .work = 1e9, .threads = 1};

// The first share of a heap, by one of the variants.
static packed *pack(const rigid_heap *heap, const crm_rigid_loops *loops, const double *impulse) {
    packed *p = calloc(1, sizeof *p);
    if (p == NULL) abort();
    crm_arena_init(&p->arena, NULL);
    CHECK(crm_rigid_lay_out(&heap->problem, impulse, &p->arena, &p->layout));
    p->group = (crm_rigid_group){.loops = loops,
                                 .problem = &heap->problem,
                                 .options = &options,
                                 .layout = &p->layout,
                                 .share = &p->layout.share[0],
                                 .members = p->layout.members,
                                 .island_count = p->layout.share[0].islands,
                                 .budget = 1e9};
    CHECK(crm_rigid_group_take(&p->group, &p->arena));
    if (p->group.system.batch_count > 0)
        memset(p->group.system.batch, 0, sizeof *p->group.system.batch * (size_t)p->group.system.batch_count);
    crm_rigid_group_pack(&p->group, impulse);
    crm_rigid_group_evaluate(&p->group, NULL);
    return p;
}

static void packed_free(packed *p) {
    crm_arena_free(&p->arena);
    free(p);
}

static bool same(const packed *a, const packed *b) {
    const crm_rigid_system *x = &a->group.system, *y = &b->group.system;
    return memcmp(x->batch, y->batch, sizeof *x->batch * (size_t)x->batch_count) == 0 &&
           memcmp(x->z, y->z, sizeof(double) * CRM_RIGID_STRIDE * (size_t)x->slot_count) == 0 &&
           memcmp(a->group.residual, b->group.residual, sizeof(double) * (size_t)a->group.island_count) == 0;
}

TEST(bits_of_all_instruction_sets) {
    const crm_rigid_loops *plain = crm_rigid_loops_variant(0), *fast = crm_rigid_loops_variant(1);
    if (fast == NULL) return;
    sampler s = {.seed = 31};
    for (int i = 0; i < 30; i++) {
        rigid_heap *heap = i % 3 == 0   ? heap_wall(&s, 6, 5, 0.4, 0.5)
                           : i % 3 == 1 ? heap_towers(&s, 9, 3, 0.3, 0.5)
                                        : heap_random(&s, 20, 90, 30);
        double *impulse = calloc((size_t)heap_rows(heap) + 1, sizeof *impulse);
        for (int k = 0; k < heap->problem.contact_count; k += 2) impulse[3 * k] = sample_between(&s, 0.0, 1.0);
        packed *a = pack(heap, plain, impulse), *b = pack(heap, fast, impulse);
        CHECK(same(a, b));
        for (int n = 0; n < 40; n++) {
            double x = crm_rigid_group_sweep(&a->group), y = crm_rigid_group_sweep(&b->group);
            if (!CHECK(x == y && same(a, b))) break;
        }
        crm_rigid_group_refresh(&a->group);
        crm_rigid_group_refresh(&b->group);
        CHECK(same(a, b));
        packed_free(a);
        packed_free(b);
        free(impulse);
        heap_destroy(heap);
    }
}

// Every contact has a lane of its own, no batch has a body twice.
TEST(batches_share_no_body) {
    sampler s = {.seed = 32};
    for (int i = 0; i < 60; i++) {
        rigid_heap *heap = heap_random(&s, 2 + i, 3 + 11 * i, 0);
        double *impulse = calloc((size_t)heap_rows(heap) + 1, sizeof *impulse);
        for (int k = 0; k < heap->problem.contact_count; k += 2) impulse[3 * k] = 1.0;
        packed *p = pack(heap, crm_rigid_loops_best(), impulse);
        int found = 0;
        for (int k = 0; k < p->group.system.batch_count; k++) {
            const crm_rigid_batch *batch = &p->group.system.batch[k];
            int slots[8], count = 0;
            for (int l = 0; l < CRM_RIGID_LANES; l++) {
                found += batch->contact[l] >= 0;
                slots[count++] = batch->a[l], slots[count++] = batch->b[l];
            }
            for (int x = 0; x < 8; x++)
                for (int y = 0; y < x; y++) CHECK(slots[x] == 0 || slots[x] != slots[y]);
            CHECK(batch->contact[0] >= 0);
        }
        CHECK_INT(found, p->layout.share[0].contacts);
        packed_free(p);
        free(impulse);
        heap_destroy(heap);
    }
}

TEST_MAIN(CASE(bits_of_all_instruction_sets), CASE(batches_share_no_body))

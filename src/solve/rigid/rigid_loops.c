// SPDX-License-Identifier: MIT
// The loops that run everywhere, and the choice at run time.
#include "solve/rigid/rigid_loops.h"

#include <stddef.h>

#include "solve/rigid/rigid_pack_body.h"
#include "solve/rigid/rigid_residual_body.h"
#include "solve/rigid/rigid_rows_body.h"
#include "solve/rigid/rigid_sweep_body.h"

static const crm_rigid_loops plain = {.pack = pack_batches,
                                      .sweep = sweep_batches,
                                      .sweep_rows = sweep_rows,
                                      .push = push_batches,
                                      .residual = residual_batches,
                                      .restart = restart_product,
                                      .extrapolate = extrapolate};

#if defined(__x86_64__)
extern const crm_rigid_loops crm_rigid_loops_avx2;
#endif

const crm_rigid_loops *crm_rigid_loops_variant(int index) {
    if (index == 0) return &plain;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return &crm_rigid_loops_avx2;
#endif
    return NULL;
}

const crm_rigid_loops *crm_rigid_loops_best(void) {
    const crm_rigid_loops *fast = crm_rigid_loops_variant(1);
    return fast != NULL ? fast : &plain;
}

// SPDX-License-Identifier: MIT
// The loops for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include "solve/rigid/rigid_pack_body.h"
#include "solve/rigid/rigid_residual_body.h"
#include "solve/rigid/rigid_rows_body.h"
#include "solve/rigid/rigid_sweep_body.h"

extern const crm_rigid_loops crm_rigid_loops_avx2;

const crm_rigid_loops crm_rigid_loops_avx2 = {.pack = pack_batches,
                                              .sweep = sweep_batches,
                                              .sweep_rows = sweep_rows,
                                              .push = push_batches,
                                              .residual = residual_batches,
                                              .restart = restart_product,
                                              .extrapolate = extrapolate};
#else
typedef int no_rigid_loops_for_this_processor;
#endif

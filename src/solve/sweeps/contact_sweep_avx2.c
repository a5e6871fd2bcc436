// SPDX-License-Identifier: MIT
// The sweep for processors with 256-bit vectors; compiled without fused operations, which would round differently.
#if defined(__AVX2__)
#include "solve/sweeps/contact_sweep_body.h"

crm_contact_sweep crm_contact_sweep_avx2;

double crm_contact_sweep_avx2(crm_sweep_contact *contacts, int count, double *z, double *r) {
    return sweep_contacts(contacts, count, z, r);
}
#else
typedef int no_sweep_for_this_processor;
#endif

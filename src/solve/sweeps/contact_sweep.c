// SPDX-License-Identifier: MIT
// The sweep that runs everywhere, and the choice at run time.
#include "solve/sweeps/contact_sweep.h"

#include <stddef.h>

#include "solve/sweeps/contact_sweep_body.h"

#if defined(__x86_64__)
extern crm_contact_sweep crm_contact_sweep_avx2;
#endif

crm_contact_sweep *crm_contact_sweep_variant(int index) {
    if (index == 0) return sweep_contacts;
#if defined(__x86_64__)
    if (index == 1 && __builtin_cpu_supports("avx2")) return crm_contact_sweep_avx2;
#endif
    return NULL;
}

double crm_sweep_contacts(crm_sweep_contact *contacts, int count, double *z, double *r) {
    crm_contact_sweep *fast = crm_contact_sweep_variant(1);
    return (fast != NULL ? fast : sweep_contacts)(contacts, count, z, r);
}

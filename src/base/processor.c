// SPDX-License-Identifier: MIT
#ifdef __linux__
#define _GNU_SOURCE // sched_getaffinity
#endif
#include "base/processor.h"

#include <limits.h>
#include <sched.h>
#include <unistd.h>

// A container or `taskset` often leaves fewer processors than the machine has. 0 when the system does not say.
static int allowed_count(void) {
#ifdef __linux__
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0) return CPU_COUNT(&allowed);
#endif
    return 0;
}

int crm_processor_count(void) {
    long count = allowed_count();
    if (count < 1) count = sysconf(_SC_NPROCESSORS_ONLN);
    if (count < 1) return 1;
    return count > INT_MAX ? INT_MAX : (int)count;
}

// SPDX-License-Identifier: MIT
// Clocks, in seconds. Results never depend on them; reports, budgets and benchmarks do.
#ifndef CRM_BASE_CLOCK_H
#define CRM_BASE_CLOCK_H

// Time that only goes forward, from an arbitrary start.
double crm_clock_seconds(void);

// Processor time spent by the calling thread: what benchmarks compare on a shared machine.
double crm_clock_thread_seconds(void);

#endif

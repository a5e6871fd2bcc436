// SPDX-License-Identifier: MIT
// What the machine offers.
#ifndef CRM_BASE_PROCESSOR_H
#define CRM_BASE_PROCESSOR_H

// How many processors this process may run on, at least 1: the natural size of a thread pool.
int crm_processor_count(void);

#endif

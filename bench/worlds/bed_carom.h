// SPDX-License-Identifier: MIT
// carom's contact set on a moving bed.
#ifndef BENCH_SUPPORT_BED_CAROM_H
#define BENCH_SUPPORT_BED_CAROM_H

#include "carom/contact.h"
#include "worlds/bed_run.h"

typedef struct bench_bed_carom bench_bed_carom;

// Stops the program with a sentence when it cannot.
bench_bed_carom *bench_bed_carom_make(const bench_bed *bed, int threads);
void bench_bed_carom_free(bench_bed_carom *carom);

// The same steps as the peers'. With one thread times are processor time, with more wall time; broad and narrow have
// the shares of it that the set reports. `report` is that of the last step.
bench_bed_result bench_bed_carom_run(bench_bed_carom *carom, int steps, carom_contact_report *report);
// The contacts of the last step.
void bench_bed_carom_list(const bench_bed_carom *carom, bench_bed_list *list);

#endif

// SPDX-License-Identifier: MIT
// How many of the feature contacts of a pair are needed: each gives one condition on the next motion, and some follow
// from others.
//
// With the relative twist (v, w) of B about a point o, a contact at o + r asks for n.(v + w x r) >= -gap/h, or
// J u >= -gap/h with the row J = (n, r x n). The rows of all others imply it if J = sum l_i J_i with l >= 0 and
// sum l_i gap_i <= gap, whatever the step h (Farkas): a linear program of six rows.
#ifndef BENCH_EXACT_NEEDED_FEATURES_H
#define BENCH_EXACT_NEEDED_FEATURES_H

#include "carom/features.h"

enum { BENCH_NEEDED_MOST = 1024 };

// What is left when every one that those left imply is dropped, one after the other, from the last on. At most
// BENCH_NEEDED_MOST of them, of bodies about 1 m in size; -1 when a program cannot be solved.
int bench_needed_features(int count, const carom_feature_contact *features);

#endif

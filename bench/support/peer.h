// SPDX-License-Identifier: MIT
// Running a peer's program and reading the one JSON line that it prints.
#ifndef BENCH_SUPPORT_PEER_H
#define BENCH_SUPPORT_PEER_H

#include <stdbool.h>

enum { BENCH_PEER_ANSWER = 4096 };

// Starts bench/peers/NAME, which stands beside this program's folder, with the given arguments, on one thread; its
// first line of output goes to `answer`. False when the program is not there or fails: the figures then have no peer.
bool bench_peer_run(const char *name, const char *const *arguments, char answer[BENCH_PEER_ANSWER]);

// The number after "key": in the line; NaN when it is not there.
double bench_peer_number(const char *answer, const char *key);

#endif

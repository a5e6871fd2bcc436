// SPDX-License-Identifier: MIT
// Running a peer's program and reading the one JSON line that it prints.
#ifndef BENCH_SUPPORT_PEER_H
#define BENCH_SUPPORT_PEER_H

#include <stdbool.h>

enum { BENCH_PEER_ANSWER = 4096 };

// Whether bench/peers/NAME is there.
bool bench_peer_built(const char *name);

// Starts bench/peers/NAME, which stands beside this program's folder, with the given arguments, on one thread; its
// first line of output goes to `answer`. False when the program is not there or fails: the figures then have no peer.
bool bench_peer_run(const char *name, const char *const *arguments, char answer[BENCH_PEER_ANSWER]);

// A peer that runs beside us and answers, line by line: engines that take turns step by step see the same noise.
typedef struct bench_peer {
    int process, to, from;
} bench_peer;

// As bench_peer_run; false when the program is not there.
bool bench_peer_start(const char *name, const char *const *arguments, bench_peer *out);
// Sends a line, and waits for its answer, one line without its end; false when the peer has ended.
bool bench_peer_ask(bench_peer *peer, const char *line, char answer[BENCH_PEER_ANSWER]);
// Closes its input, reads what it says to that, and waits for its end; false when it has failed.
bool bench_peer_end(bench_peer *peer, char answer[BENCH_PEER_ANSWER]);

// The number after "key": in the line; NaN when it is not there.
double bench_peer_number(const char *answer, const char *key);

#endif

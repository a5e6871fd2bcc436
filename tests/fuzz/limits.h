// SPDX-License-Identifier: MIT
// What an input may use up before it is left alone: the fuzzers look for crashes, leaks and endless loops, not for
// problems that are honestly large.
#ifndef FUZZ_LIMITS_H
#define FUZZ_LIMITS_H

enum {
    FUZZ_BYTES = 64 * 1024 * 1024, // for models and readers; counts that ask for gigabytes are refused by the allocator
    FUZZ_BODIES = 24,              // of scenes that are run
    FUZZ_CORNERS = 64,             // of all their shapes
    FUZZ_STEPS = 3,
    FUZZ_ROWS = 60, // of problems that are solved
};

#endif

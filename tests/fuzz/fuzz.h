// SPDX-License-Identifier: MIT
// What the entries of the fuzzer share. Each NAME_fuzz.c has one entry, LLVMFuzzerTestOneInput; clang's fuzzer calls it
// (make fuzz), or driver.c with seeds and changes of them that depend on nothing but their number (ctest).
#ifndef FUZZ_FUZZ_H
#define FUZZ_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include "base/random.h"

// clang's names for what it calls and offers.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

// What does not hold is a finding.
#define FUZZ_CHECK(holds) ((holds) ? (void)0 : fuzz_fail(#holds, __FILE__, __LINE__))
void fuzz_fail(const char *what, const char *file, int line);

// The input with a zero behind it; freed by the caller.
char *fuzz_text(const uint8_t *data, size_t size);

// A file of this process alone, the same one every time, with these bytes in it.
const char *fuzz_file(const void *bytes, size_t size);

// Numbers at which programs break.
enum { FUZZ_NUMBERS = 34 };
extern const char *const fuzz_numbers[FUZZ_NUMBERS];
const char *fuzz_number(crm_random *random);

#endif

// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *fuzz_text(const uint8_t *data, size_t size) {
    char *text = malloc(size + 1);
    if (text == NULL) abort();
    if (size > 0) memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void fuzz_fail(const char *what, const char *file, int line) {
    fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

static char scratch[256];

static void remove_scratch(void) {
    unlink(scratch);
}

const char *fuzz_file(const void *bytes, size_t size) {
    struct stat about;
    if (scratch[0] == '\0') {
        const char *folder = getenv("TMPDIR");
        if (folder == NULL) folder = stat("/dev/shm", &about) == 0 ? "/dev/shm" : "/tmp";
        snprintf(scratch, sizeof scratch, "%.200s/carom-fuzz-%ld", folder, (long)getpid());
        atexit(remove_scratch);
    }
    unlink(scratch); // it may have become a folder's or a link's name
    FILE *file = fopen(scratch, "wb");
    if (file == NULL || fwrite(bytes, 1, size, file) != size || fclose(file) != 0) abort();
    return scratch;
}

const char *const fuzz_numbers[FUZZ_NUMBERS] = {
    "0",    "-0",    "1",     "-1",     "2",      "3",           "7",         "0.5",     "0.1",
    "1e-3", "1e-9",  "1e-30", "1e-160", "5e-324", "-5e-324",     "1e3",       "1000000", "1e9",
    "1e30", "1e150", "1e300", "1e308",  "-1e308", "1e999",       "127",       "65535",   "65536",
    "-65",  "12",    "255",   "256",    "-2",     "-2147483648", "2147483647"};

const char *fuzz_number(crm_random *random) {
    return fuzz_numbers[crm_random_below(random, FUZZ_NUMBERS)];
}

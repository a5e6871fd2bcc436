// SPDX-License-Identifier: MIT
// Runs a fuzzing entry over files and over changes of them, for compilers without a fuzzer of their own and to replay
// what one has found. Changes depend on their number alone.
//
//   fuzz_NAME ROUNDS FILE|FOLDER...
//
// An input that takes longer than a minute is a finding, as one that crashes is: FUZZ_LAST names a file that then holds
// it.
#define _GNU_SOURCE // scandir
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz/fuzz.h"

enum { MOST_SEEDS = 1024, LONGEST = 65536, SECONDS = 60 };

typedef struct seed {
    uint8_t *bytes;
    size_t size;
} seed;

typedef struct corpus {
    seed seeds[MOST_SEEDS];
    int count;
} corpus;

static crm_random bytes_random = {.seed = 3};

// What clang's fuzzer has, in small.
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
    size_t at = (size_t)crm_random_below(&bytes_random, size + 1);
    uint8_t byte = (uint8_t)crm_random_below(&bytes_random, 256);
    switch (crm_random_below(&bytes_random, 3)) {
    case 0:
        if (size == most) return size;
        memmove(data + at + 1, data + at, size - at);
        data[at] = byte;
        return size + 1;
    case 1:
        if (at == size) return size;
        memmove(data + at, data + at + 1, size - at - 1);
        return size - 1;
    default:
        if (at < size) data[at] = byte;
        return size;
    }
}

static void run(const uint8_t *data, size_t size) {
    const char *last = getenv("FUZZ_LAST");
    FILE *file = last != NULL ? fopen(last, "wb") : NULL;
    if (file != NULL) {
        fwrite(data, 1, size, file);
        fclose(file);
    }
    alarm(SECONDS);
    LLVMFuzzerTestOneInput(data, size);
    alarm(0);
}

static int no_dots(const struct dirent *entry) {
    return entry->d_name[0] != '.';
}

static bool add(corpus *c, const char *path) {
    struct dirent **entries;
    int count = scandir(path, &entries, no_dots, alphasort);
    if (count >= 0) {
        bool good = true;
        for (int i = 0; i < count; i++) {
            char inside[8192];
            snprintf(inside, sizeof inside, "%s/%s", path, entries[i]->d_name);
            good &= add(c, inside);
            free(entries[i]);
        }
        free(entries);
        return good;
    }
    FILE *file = c->count < MOST_SEEDS ? fopen(path, "rb") : NULL;
    if (file == NULL) return fprintf(stderr, "%s cannot be opened\n", path), false;
    seed *s = &c->seeds[c->count++];
    s->bytes = malloc(LONGEST);
    s->size = s->bytes != NULL ? fread(s->bytes, 1, LONGEST, file) : 0;
    fclose(file);
    return s->bytes != NULL;
}

int main(int argc, char **argv) {
    static corpus c;
    int rounds = argc > 1 ? atoi(argv[1]) : 0;
    for (int i = 2; i < argc; i++)
        if (!add(&c, argv[i])) return 2;
    if (c.count == 0) return fputs("usage: fuzz_NAME ROUNDS FILE|FOLDER...\n", stderr), 2;
    for (int i = 0; i < c.count; i++) run(c.seeds[i].bytes, c.seeds[i].size);
    uint8_t *data = malloc(LONGEST);
    crm_random random = {.seed = 4};
    for (int round = 0; round < rounds && data != NULL; round++) {
        const seed *from = &c.seeds[crm_random_below(&random, (uint64_t)c.count)];
        size_t size = from->size;
        memcpy(data, from->bytes, size);
        for (uint64_t times = 1 + crm_random_below(&random, 3); times > 0; times--)
            size = LLVMFuzzerCustomMutator(data, size, LONGEST, (unsigned)crm_random_below(&random, 1u << 31));
        run(data, size);
    }
    free(data);
    for (int i = 0; i < c.count; i++) free(c.seeds[i].bytes);
    printf("%d inputs and %d changes of them\n", c.count, rounds);
    return 0;
}

// SPDX-License-Identifier: MIT
// Changes of texts that are lines of words and numbers: numbers and words exchanged, lines copied, moved and left out.
// One in eight is a change of bytes.
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/mutate/pool.h"

typedef struct text {
    char *bytes;
    size_t size, most;
} text;

static void replace(text *t, size_t at, size_t cut, const char *put, size_t size) {
    if (at + cut > t->size || t->size - cut + size > t->most) return;
    memmove(t->bytes + at + size, t->bytes + at + cut, t->size - at - cut);
    if (size > 0) memcpy(t->bytes + at, put, size);
    t->size += size - cut;
}

// The token at or behind a random place: from *at, its length; 0: none.
static size_t any_token(const text *t, crm_random *random, int (*belongs)(int), size_t *at) {
    size_t begin = (size_t)crm_random_below(random, t->size + 1);
    while (begin > 0 && belongs((unsigned char)t->bytes[begin - 1])) begin--;
    while (begin < t->size && !belongs((unsigned char)t->bytes[begin])) begin++;
    size_t end = begin;
    while (end < t->size && belongs((unsigned char)t->bytes[end])) end++;
    *at = begin;
    return end - begin;
}

static int of_number(int c) {
    return isdigit(c) || c == '-' || c == '.' || c == '+' || c == 'e';
}

static int of_word(int c) {
    return isalpha(c) || c == '_';
}

static int of_line(int c) {
    return c != '\n';
}

static void copy_line(text *t, crm_random *random) {
    char line[512];
    size_t from, to, size = any_token(t, random, of_line, &from);
    if (size == 0 || size >= sizeof line) return;
    memcpy(line, t->bytes + from, size);
    line[size++] = '\n';
    any_token(t, random, of_line, &to);
    replace(t, to, 0, line, size);
}

static void change(text *t, crm_random *random) {
    size_t at, size;
    const char *put;
    switch (crm_random_below(random, 6)) {
    case 0:
        copy_line(t, random);
        break;
    case 1:
        size = any_token(t, random, of_line, &at);
        replace(t, at, size + (at + size < t->size), "", 0);
        break;
    case 2:
        size = any_token(t, random, of_word, &at);
        put = crm_random_below(random, 2) == 0 ? pool_word(random) : pool_key(random);
        if (put != NULL) replace(t, at, size, put, strlen(put));
        break;
    default:
        size = any_token(t, random, of_number, &at);
        put = fuzz_number(random);
        replace(t, at, size, put, strlen(put));
        break;
    }
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    crm_random random = {.seed = seed, .stream = 2};
    if (crm_random_below(&random, 8) == 0) return LLVMFuzzerMutate(data, size, most);
    text t = {(char *)data, size, most};
    for (uint64_t changes = 1 + crm_random_below(&random, 4); changes > 0; changes--) change(&t, &random);
    return t.size;
}

// SPDX-License-Identifier: MIT
// Held against jansson's own parser, which is right as long as there is memory.
#include "base/text/json_parse.h"

#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "support/harness/check.h"

typedef struct variant {
    unsigned options;
    size_t flags; // jansson's
} variant;

static const variant variants[] = {
    {0, 0},
    {CRM_JSON_ANY_ROOT, JSON_DECODE_ANY},
    {CRM_JSON_UNIQUE_KEYS, JSON_REJECT_DUPLICATES},
    {CRM_JSON_ANY_ROOT | CRM_JSON_REALS, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL},
};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

// Both give the same tree, or none.
static void check_same(const char *text, size_t size) {
    for (int v = 0; v < VARIANTS; v++) {
        crm_json_error why;
        json_t *tree = crm_json_parse(text, size, variants[v].options, &why);
        json_t *expected = json_loadb(text, size, variants[v].flags, NULL);
        CHECK((tree == NULL) == (expected == NULL));
        if (tree != NULL && expected != NULL) CHECK(json_equal(tree, expected));
        if (tree == NULL) CHECK(!why.no_memory && why.line >= 1 && why.column >= 0 && why.text[0] != '\0');
        json_decref(tree);
        json_decref(expected);
    }
}

static const char *const texts[] = {
    "{}",
    "[]",
    " [ 1 , -0, 2.5e-3,1E+2,\t-17.25 ]\r\n",
    "{\"a\": {\"b\": [true, false, null]}, \"c\": \"\"}",
    "{\"a\": 1, \"a\": 2}",
    "\"\\u00e4\\n\\\\\\\"\\/\\ud83d\\ude00 \xc3\xa4 \xf0\x9f\x98\x80\"",
    "[0.1, 0.30000000000000004, 1e-320, 1.7976931348623157e308, 9223372036854775807, -9223372036854775808]",
    "9223372036854775808",
    "1e400",
    "[1, 2,]",
    "{\"a\" 1}",
    "{\"a\":}",
    "{,}",
    "[01]",
    "[1.]",
    "[.5]",
    "[-]",
    "[1e]",
    "\"\\u0000\"",
    "\"\\ud800\"",
    "\"\\udc00\\ud800\"",
    "\"\xff\"",
    "\"\x01\"",
    "\"open",
    "[nul]",
    "{\"a\":1}x",
    "",
    "   ",
    "{\"key\\u0041\": [[[[]]]]}",
};
enum { TEXTS = sizeof texts / sizeof texts[0] };

TEST(trees_are_those_of_jansson) {
    for (int i = 0; i < TEXTS; i++) check_same(texts[i], strlen(texts[i]));
}

TEST(changed_texts_are_read_or_refused_alike) {
    crm_random random = {.seed = 20, .stream = 1};
    static const char bytes[] = "{}[],:\"\\u0019.eE+-tfn \n\xc3\xa4\xff";
    for (int round = 0; round < 60000; round++) {
        const char *from = texts[crm_random_below(&random, TEXTS)];
        char text[256];
        size_t size = strlen(from);
        memcpy(text, from, size);
        for (uint64_t changes = 1 + crm_random_below(&random, 3); changes > 0; changes--) {
            size_t at = (size_t)crm_random_below(&random, size + 1);
            char byte = bytes[crm_random_below(&random, sizeof bytes - 1)];
            if (at < size && crm_random_below(&random, 3) == 0) {
                memmove(text + at, text + at + 1, size - at - 1);
                size--;
            } else if (at < size && crm_random_below(&random, 2) == 0) {
                text[at] = byte;
            } else if (size + 1 < sizeof text) {
                memmove(text + at + 1, text + at, size - at);
                text[at] = byte;
                size++;
            }
        }
        check_same(text, size);
    }
}

TEST(nesting_has_an_end) {
    enum { DEEP = CRM_JSON_DEPTH + 1 };
    char *text = malloc(2 * DEEP);
    memset(text, '[', DEEP);
    memset(text + DEEP, ']', DEEP);
    check_same(text, 2 * DEEP);
    check_same(text + 1, 2 * DEEP - 2);
    free(text);
}

TEST(errors_name_line_and_column) {
    crm_json_error why;
    CHECK(crm_json_parse("{\n\"\xc3\xa4\": 1,\n \"b\" 2}", 18, 0, &why) == NULL);
    CHECK_INT(why.line, 3);
    CHECK_INT(why.column, 6);
    CHECK(strcmp(why.text, "a colon is expected here") == 0);
    CHECK(crm_json_parse("[1,\n2", 5, 0, &why) == NULL);
    CHECK_INT(why.line, 2);
    CHECK_INT(why.column, 1);
    CHECK(strcmp(why.text, "the text ends too early") == 0);
}

// ---- memory

static long refuse_at, asked;

static void *refusing_malloc(size_t size) {
    return ++asked == refuse_at ? NULL : malloc(size);
}

TEST(a_refused_allocation_is_told_apart_from_a_wrong_text) {
    static const char text[] =
        "{\"a name of more than sixteen bytes\": [1.234567890123456789, {\"b\": \"\\u00e4\"}, true]}";
    json_set_alloc_funcs(refusing_malloc, free);
    long count = 1;
    for (refuse_at = 1; refuse_at <= count; refuse_at++) {
        asked = 0;
        crm_json_error why;
        json_t *tree = crm_json_parse(text, sizeof text - 1, 0, &why);
        CHECK((tree == NULL) == why.no_memory);
        if (tree == NULL) CHECK(asked == refuse_at);
        if (refuse_at <= asked) count = refuse_at + 1;
        json_decref(tree);
    }
    CHECK(count > 10);
    json_set_alloc_funcs(malloc, free);
}

TEST_MAIN(CASE(trees_are_those_of_jansson), CASE(changed_texts_are_read_or_refused_alike), CASE(nesting_has_an_end),
          CASE(errors_name_line_and_column), CASE(a_refused_allocation_is_told_apart_from_a_wrong_text))

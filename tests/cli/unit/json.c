// SPDX-License-Identifier: MIT
// What cli/base/json.c writes is read back by jansson, which refuses wrong UTF-8 and bare control characters.
#include "base/json.h"

#include <jansson.h>
#include <math.h>
#include <stdlib.h>

#include "base/random.h"
#include "support/harness/check.h"

// The object that `write` writes, read back; NULL when it cannot be read. Released by json_decref.
static json_t *read_back(void (*write)(jsonl_writer *json, const void *value), const void *value) {
    char *text = NULL;
    size_t size = 0;
    FILE *to = open_memstream(&text, &size);
    jsonl_writer json = jsonl_begin(to);
    write(&json, value);
    jsonl_end(&json);
    fclose(to);
    json_error_t error;
    json_t *object = json_loadb(text, size, 0, &error);
    if (object == NULL) print_message("%s: %s\n", error.text, text);
    free(text);
    return object;
}

static void write_text(jsonl_writer *json, const void *value) {
    jsonl_text(json, "text", value);
}

// The text as it is read back must be `wanted`.
static void check_back(const char *text, const char *wanted) {
    json_t *object = read_back(write_text, text);
    CHECK(object != NULL);
    const char *got = json_string_value(json_object_get(object, "text"));
    CHECK_TEXT(got, wanted);
    json_decref(object);
}

#define REPLACED "\xef\xbf\xbd" // U+FFFD

TEST(texts_come_back_as_they_were) {
    static const char *const texts[] = {
        "", "plain", "\"quoted\" \\ back", "\n\t\r\b\f\x01\x1f\x7f", "h\xc3\xbcpf", "\xe2\x82\xac \xf0\x9f\x8e\xb1"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) check_back(texts[i], texts[i]);
}

TEST(what_is_no_utf8_is_replaced) {
    check_back("a\xff"
               "b",
               "a" REPLACED "b");
    check_back("\xc3", REPLACED);                                        // cut short by the end
    check_back("\xe2\x82", REPLACED REPLACED);                           // likewise
    check_back("\xc0\xaf", REPLACED REPLACED);                           // overlong
    check_back("\xed\xa0\x80", REPLACED REPLACED REPLACED);              // half of a surrogate pair
    check_back("\xf4\x90\x80\x80", REPLACED REPLACED REPLACED REPLACED); // above U+10FFFF
}

TEST(any_bytes_give_valid_json) {
    crm_random random = {.seed = 20};
    for (int trial = 0; trial < 2000; trial++) {
        char text[17];
        for (int i = 0; i < 16; i++) text[i] = (char)crm_random_below(&random, 256);
        text[16] = '\0';
        json_t *object = read_back(write_text, text);
        CHECK(object != NULL);
        json_decref(object);
    }
}

static void write_number(jsonl_writer *json, const void *value) {
    jsonl_number(json, "number", *(const double *)value);
}

TEST(numbers_come_back_to_the_bit_and_others_are_null) {
    static const double numbers[] = {0.0, -0.1, 1.0 / 3.0, 5e-324, 1.7976931348623157e308, 1e22, -123456789.125};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        json_t *object = read_back(write_number, &numbers[i]);
        CHECK(json_number_value(json_object_get(object, "number")) == numbers[i]);
        json_decref(object);
    }
    static const double others[] = {NAN, INFINITY, -INFINITY};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        json_t *object = read_back(write_number, &others[i]);
        CHECK(json_is_null(json_object_get(object, "number")));
        json_decref(object);
    }
}

static void write_all(jsonl_writer *json, const void *value) {
    (void)value;
    jsonl_open_list(json, "list");
    jsonl_int(json, NULL, INT64_MIN);
    jsonl_bool(json, NULL, true);
    jsonl_close_list(json);
    jsonl_open(json, "inner");
    jsonl_close(json);
    jsonl_open(json, "other");
    jsonl_null(json, "nothing");
    jsonl_hash(json, "hash", 0xabc);
    jsonl_close(json);
}

TEST(lists_and_objects_nest) {
    json_t *object = read_back(write_all, NULL);
    CHECK(object != NULL && json_object_size(object) == 3);
    json_t *list = json_object_get(object, "list"), *other = json_object_get(object, "other");
    CHECK(json_array_size(list) == 2 && json_integer_value(json_array_get(list, 0)) == INT64_MIN);
    CHECK(json_is_null(json_object_get(other, "nothing")));
    const char *hash = json_string_value(json_object_get(other, "hash"));
    CHECK_TEXT(hash, "0000000000000abc");
    json_decref(object);
}

TEST_MAIN(CASE(texts_come_back_as_they_were), CASE(what_is_no_utf8_is_replaced), CASE(any_bytes_give_valid_json),
          CASE(numbers_come_back_to_the_bit_and_others_are_null), CASE(lists_and_objects_nest))

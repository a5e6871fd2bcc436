// SPDX-License-Identifier: MIT
// The parts that a reading stands on: numbers as text, nearest names, names in tables, lines of places.
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "scene/scene_names.h"
#include "scene/source/locate.h"
#include "scene/write/scene_text.h"
#include "support/harness/check.h"

TEST(numbers_read_back_to_the_same_bits) {
    crm_random random = {.seed = 11};
    for (int i = 0; i < 200000; i++) {
        uint64_t bits = crm_random_below(&random, UINT64_MAX);
        double x, back;
        memcpy(&x, &bits, sizeof x);
        if (!isfinite(x)) continue;
        char digits[CRM_SCENE_NUMBER_SIZE];
        crm_scene_number_text(x, digits);
        back = strtod(digits, NULL);
        if (!CHECK(memcmp(&x, &back, sizeof x) == 0)) return;
    }
}

TEST(numbers_have_few_digits) {
    static const struct {
        double x;
        const char *text;
    } cases[] = {{0.0, "0"},      {-0.0, "-0"},   {0.1, "0.1"},    {1.0 / 3.0, "0.3333333333333333"},
                 {1e22, "1e+22"}, {100.0, "100"}, {1e-7, "1e-07"}, {5e-324, "4.94065645841247e-324"},
                 {-9.81, "-9.81"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char digits[CRM_SCENE_NUMBER_SIZE];
        crm_scene_number_text(cases[i].x, digits);
        CHECK_TEXT(digits, cases[i].text);
    }
}

TEST(numbers_have_a_point_in_every_locale) {
    // Where the machine has such a locale, the point of printf is a comma.
    if (setlocale(LC_NUMERIC, "de_DE.UTF-8") == NULL && setlocale(LC_NUMERIC, "fr_FR.UTF-8") == NULL) return;
    char digits[CRM_SCENE_NUMBER_SIZE];
    crm_scene_number_text(-12.5, digits);
    setlocale(LC_NUMERIC, "C");
    CHECK_TEXT(digits, "-12.5");
}

TEST(nearest_names) {
    static const char *const known[] = {"mass", "material", "position", "velocity", "spin", "shape"};
    CHECK_INT(crm_scene_edit_distance("mass", "mass"), 0);
    CHECK_INT(crm_scene_edit_distance("mass", "mas"), 1);
    CHECK_INT(crm_scene_edit_distance("mass", "amss"), 1); // a swap of neighbours
    CHECK_INT(crm_scene_edit_distance("kitten", "sitting"), 3);
    CHECK_INT(crm_scene_edit_distance("", "abc"), 3);
    CHECK_TEXT(crm_scene_nearest("pos", known, 6) == NULL ? "none" : "some", "none");
    CHECK_TEXT(crm_scene_nearest("veloctiy", known, 6), "velocity");
    CHECK_TEXT(crm_scene_nearest("posision", known, 6), "position");
    CHECK(crm_scene_nearest("colour", known, 6) == NULL);
    char long_word[200];
    memset(long_word, 'x', sizeof long_word);
    long_word[199] = '\0';
    CHECK(crm_scene_nearest(long_word, known, 6) == NULL);
}

TEST(tables_find_every_name) {
    enum { COUNT = 5000 };
    static char name[COUNT][20];
    crm_arena arena;
    crm_arena_init(&arena, NULL);
    crm_scene_names names = {0};
    CHECK_INT(crm_scene_names_find(&names, "x", 1), -1);
    for (int i = 0; i < COUNT; i++) {
        snprintf(name[i], sizeof name[i], "body-%d", i);
        CHECK_INT(crm_scene_names_find(&names, name[i], strlen(name[i])), -1);
        CHECK(crm_scene_names_add(&names, &arena, name[i], strlen(name[i]), i));
    }
    for (int i = 0; i < COUNT; i++) CHECK_INT(crm_scene_names_find(&names, name[i], strlen(name[i])), i);
    CHECK_INT(crm_scene_names_find(&names, "body", 4), -1);
    crm_arena_free(&arena);
}

TEST(lines_of_places) {
    static const char text[] = "\n{ \"a\": [1, {\"x]\\\"\": \"}\"},\n [2,\n 3]],\n\"b\\u0063\":\n {\"d\": {}}}";
    crm_scene_span span = {text, sizeof text - 1};
    json_t *tree = json_loads(text, 0, NULL);
    if (!CHECK(tree != NULL)) return;
    crm_json_node root = crm_scene_root(NULL, tree), a = crm_scene_member(&root, "a"), first = crm_scene_item(&a, 1),
                  odd = crm_scene_member(&first, "x]\""), pair = crm_scene_item(&a, 2),
                  three = crm_scene_item(&pair, 1), bc = crm_scene_member(&root, "bc"), d = crm_scene_member(&bc, "d"),
                  none = crm_scene_member(&d, "e"), beyond = crm_scene_item(&pair, 7);
    CHECK_INT(crm_scene_locate(span, &root), 2);
    CHECK_INT(crm_scene_locate(span, &a), 2);
    CHECK_INT(crm_scene_locate(span, &odd), 2);
    CHECK_INT(crm_scene_locate(span, &pair), 3);
    CHECK_INT(crm_scene_locate(span, &three), 4);
    CHECK_INT(crm_scene_locate(span, &bc), 5);
    CHECK_INT(crm_scene_locate(span, &d), 6);
    CHECK_INT(crm_scene_locate(span, &none), 6);   // nothing there: its parent
    CHECK_INT(crm_scene_locate(span, &beyond), 3); // its array
    char path[CRM_SCENE_PATH_SIZE];
    crm_scene_path(&three, path);
    CHECK_TEXT(path, "a[2][1]");
    crm_scene_path(&odd, path);
    CHECK_TEXT(path, "a[1][\"x]\"\"]");
    json_decref(tree);
}

TEST(shown_text_is_safe) {
    char out[12];
    crm_scene_show("a\x1b[31m", 6, out, sizeof out);
    CHECK_TEXT(out, "a?[31m");
    crm_scene_show("123456789012345", 15, out, sizeof out);
    CHECK_TEXT(out, "12345678...");
    crm_scene_show("1234567\xc3\xa9zzz", 12, out, sizeof out); // no character is cut in two
    CHECK_TEXT(out, "1234567...");
    crm_scene_show("\xff\xfe", 2, out, sizeof out);
    CHECK_TEXT(out, "??");
}

TEST_MAIN(CASE(numbers_read_back_to_the_same_bits), CASE(numbers_have_few_digits),
          CASE(numbers_have_a_point_in_every_locale), CASE(nearest_names), CASE(tables_find_every_name),
          CASE(lines_of_places), CASE(shown_text_is_safe))

// SPDX-License-Identifier: MIT
// Characters that are not shown as they stand.
#include "carom/tools.h"
#include "support/harness/check.h"

TEST(controls_ends_of_lines_and_marks_of_direction_are_hidden) {
    CHECK_INT(carom_hidden_character("\n"), 1);
    CHECK_INT(carom_hidden_character("\x7f"), 1);
    CHECK_INT(carom_hidden_character("\xc2\x85"), 2);         // next line
    CHECK_INT(carom_hidden_character("\xd8\x9c"), 2);         // U+061C
    CHECK_INT(carom_hidden_character("\xe2\x80\xa8 "), 3);    // U+2028
    CHECK_INT(carom_hidden_character("\xe2\x80\xae"), 3);     // U+202E
    CHECK_INT(carom_hidden_character("\xe2\x81\xa9"), 3);     // U+2069
    CHECK_INT(carom_hidden_character("\xef\xbb\xbf"), 3);     // U+FEFF
    CHECK_INT(carom_hidden_character("\xf3\xa0\x81\x81"), 4); // U+E0041
}

TEST(letters_and_what_is_no_text_are_not) {
    static const char *const shown[] = {"",
                                        "a",
                                        " ",
                                        "\xc3\xa4",
                                        "\xe6\x97\xa5",
                                        "\xe2\x80\x8d", // joins letters
                                        "\xf0\x9f\x8e\xb1",
                                        "\xe2\x80", // cut off
                                        "\xff",
                                        "\x80"};
    for (size_t i = 0; i < sizeof shown / sizeof shown[0]; i++) CHECK_INT(carom_hidden_character(shown[i]), 0);
}

TEST_MAIN(CASE(controls_ends_of_lines_and_marks_of_direction_are_hidden), CASE(letters_and_what_is_no_text_are_not))

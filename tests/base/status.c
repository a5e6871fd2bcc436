// SPDX-License-Identifier: MIT
// Status sentences, errors cut to size, the version.
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "carom/carom.h"
#include "support/harness/check.h"

TEST(every_status_has_a_sentence) {
#define CHECK_SENTENCE(name, sentence) CHECK_TEXT(carom_status_text(name), sentence);
    CAROM_STATUS_LIST(CHECK_SENTENCE)
#undef CHECK_SENTENCE
    CHECK_TEXT(carom_status_text((carom_status)9999), "unknown status");
}

TEST(fail_fills_the_error_and_returns_the_status) {
    carom_error error;
    CHECK_INT(crm_fail(&error, CAROM_ERR_BAD_INPUT, "mass is %g kg", -1.0), CAROM_ERR_BAD_INPUT);
    CHECK_INT(error.status, CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "mass is -1 kg");
    CHECK_INT(crm_fail(NULL, CAROM_ERR_SYSTEM, "nobody listens"), CAROM_ERR_SYSTEM);
}

TEST(long_sentence_is_cut_and_terminated) {
    char name[2 * CAROM_ERROR_TEXT_SIZE];
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    carom_error error;
    crm_fail(&error, CAROM_ERR_BAD_INPUT, "body '%s'", name);
    CHECK_INT(strlen(error.text), CAROM_ERROR_TEXT_SIZE - 1);
}

TEST(version_agrees_with_the_header) {
    int major, minor, patch;
    char rest;
    CHECK_INT(sscanf(carom_version(), "%d.%d.%d%c", &major, &minor, &patch, &rest), 3);
    CHECK_INT(major, CAROM_VERSION_MAJOR);
    CHECK_INT(minor, CAROM_VERSION_MINOR);
    CHECK_INT(patch, CAROM_VERSION_PATCH);
    CHECK_CONTAINS(carom_build_description(), "C17");
}

TEST_MAIN(CASE(every_status_has_a_sentence), CASE(fail_fills_the_error_and_returns_the_status),
          CASE(long_sentence_is_cut_and_terminated), CASE(version_agrees_with_the_header))

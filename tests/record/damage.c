// SPDX-License-Identifier: MIT
// Damaged files: a sentence or the true data, never anything else.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/random.h"
#include "record/file/row_digest.h"
#include "support/harness/check.h"
#include "support/scene/recorded_run.h"

static const double step = 1.0 / 240;

// Three checkpoints were written, so that two rows are there and free pages too.
static void record_some(const char *path) {
    small_run run = small_run_make(5, step);
    carom_recorder_def def = recorder_to(path);
    carom_recorder *recorder;
    carom_error error = {0};
    assert_int_equal(carom_recorder_create(&def, NULL, run.state, &recorder, &error), CAROM_OK);
    for (int i = 1; i <= 3; i++) {
        CHECK(small_run_record(&run, recorder, 400 * i, &error));
        CHECK_INT(carom_recorder_checkpoint(recorder, run.state, &error), CAROM_OK);
    }
    CHECK_INT(carom_recorder_finish(recorder, run.state, NULL, &error), CAROM_OK);
    carom_recorder_destroy(recorder);
    small_run_free(&run);
}

typedef struct damage_count {
    int refused, unharmed;
} damage_count;

// What may be read of a damaged file: nothing, or all of it.
static void check_damaged(const char *path, uint64_t truth, const char *what, damage_count *count) {
    carom_error error = {0};
    uint64_t digest = 0;
    if (!read_whole(path, &digest, &error)) {
        count->refused++;
        CHECK(error.text[0] != '\0');
    } else {
        count->unharmed++;
        if (!CHECK(digest == truth)) print_message("%s: other data was read than written\n", what);
    }
}

TEST(digest_finds_every_single_change) {
    unsigned char bytes[75];
    crm_random random = {.seed = 3};
    for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)crm_random_below(&random, 256);
    uint64_t truth = crm_digest_bytes(CRM_DIGEST_START, bytes, sizeof bytes);
    for (size_t i = 0; i < 8 * sizeof bytes; i++) {
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
        CHECK(crm_digest_bytes(CRM_DIGEST_START, bytes, sizeof bytes) != truth);
        // Two changes of the highest bits of words: what a plain product would not see.
        for (size_t j = 7; j < sizeof bytes; j += 8) {
            if (j == i / 8) continue;
            bytes[j] ^= 0x80;
            if (!CHECK(crm_digest_bytes(CRM_DIGEST_START, bytes, sizeof bytes) != truth)) return;
            bytes[j] ^= 0x80;
        }
        bytes[i / 8] ^= (unsigned char)(1u << i % 8);
    }
    CHECK(crm_digest_bytes(CRM_DIGEST_START, bytes, sizeof bytes - 1) != truth);
    bytes[74] = 0;
    CHECK(crm_digest_bytes(CRM_DIGEST_START, bytes, 74) != crm_digest_bytes(CRM_DIGEST_START, bytes, 75));
}

static void flip_bytes(int trials, uint64_t seed) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_some(path);
    carom_error error = {0};
    uint64_t truth;
    assert_true(read_whole(path, &truth, &error));
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    crm_random random = {.seed = seed};
    damage_count count = {0};
    for (int i = 0; i < trials; i++) {
        // Half of them where the file tells about itself: its first two pages.
        size_t range = i % 2 == 0 ? size : 2 * 8192;
        size_t at = (size_t)crm_random_below(&random, range);
        unsigned char change = (unsigned char)(1 + crm_random_below(&random, 255));
        bytes[at] ^= change;
        write_bytes(path, bytes, size);
        char what[64];
        snprintf(what, sizeof what, "byte %zu changed by %d", at, change);
        check_damaged(path, truth, what, &count);
        bytes[at] ^= change;
    }
    print_message("%d refused, %d unharmed\n", count.refused, count.unharmed);
    CHECK(count.refused > trials / 4);
    free(bytes);
    scratch_folder_remove(&folder);
}

TEST(changed_bytes_are_found) {
    flip_bytes(300, 1);
}

TEST(many_changed_bytes_are_found) {
    flip_bytes(1500, 2);
}

TEST(cut_files_are_refused) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_some(path);
    size_t size;
    unsigned char *bytes = read_bytes(path, &size);
    crm_random random = {.seed = 5};
    for (int i = 0; i < 200; i++) {
        size_t length = i < 20 ? (size_t)(i * 40) : (size_t)crm_random_below(&random, size - 1);
        if (i % 3 == 0) length -= length % 8192;
        write_bytes(path, bytes, length);
        uint64_t digest;
        carom_error error = {0};
        if (!CHECK(!read_whole(path, &digest, &error))) print_message("cut to %zu of %zu bytes\n", length, size);
        CHECK(error.text[0] != '\0');
        small_run run = small_run_make(5, step);
        carom_recorder_def def = recorder_to(path);
        carom_recorder *recorder;
        bool finished;
        CHECK_INT(carom_recorder_resume(&def, run.state, &finished, &recorder, &error), CAROM_ERR_FILE);
        small_run_free(&run);
    }
    free(bytes);
    scratch_folder_remove(&folder);
}

// Pages exchanged, zeroed or overwritten by others: what a failing disk does.
TEST(misplaced_pages_are_found) {
    scratch_folder folder = scratch_folder_make();
    const char *path = in_folder(&folder, "x.carom");
    record_some(path);
    carom_error error = {0};
    uint64_t truth;
    assert_true(read_whole(path, &truth, &error));
    size_t size;
    unsigned char *bytes = read_bytes(path, &size), *copy = malloc(size);
    int pages = (int)(size / 8192);
    crm_random random = {.seed = 7};
    damage_count count = {0};
    for (int i = 0; i < 300; i++) {
        memcpy(copy, bytes, size);
        size_t to = 8192 * (size_t)crm_random_below(&random, (uint64_t)pages);
        size_t from = 8192 * (size_t)crm_random_below(&random, (uint64_t)pages);
        if (i % 2 == 0)
            memset(copy + to, 0, 8192);
        else
            memcpy(copy + to, bytes + from, 8192);
        write_bytes(path, copy, size);
        char what[64];
        snprintf(what, sizeof what, "page at %zu from %zu", to, i % 2 == 0 ? 0 : from);
        check_damaged(path, truth, what, &count);
    }
    CHECK(count.refused > 100);
    free(bytes);
    free(copy);
    scratch_folder_remove(&folder);
}

TEST_MAIN(CASE(digest_finds_every_single_change), CASE(changed_bytes_are_found),
          LONG_CASE(many_changed_bytes_are_found), CASE(cut_files_are_refused), CASE(misplaced_pages_are_found))

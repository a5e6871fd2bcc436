// SPDX-License-Identifier: MIT
// Errors that only a finer step can show: `carom run --confirm` names them, in every run of the campaign whose frames
// have nothing wrong but which half the step leads elsewhere. Left out while the program has no such option.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/scene/recorded_run.h"
#include "verdict/run/evaluation.h"

static const double clear = 1.5; // differences at the bound of 1 depend on what is compared in detail

// What a command prints, up to the size; its exit code is not looked at.
static void printed_by(const char *command, char *out, size_t size) {
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    size_t length = fread(out, 1, size - 1, pipe);
    out[length] = '\0';
    for (char rest[256]; fread(rest, 1, sizeof rest, pipe) > 0;) continue;
    pclose(pipe);
}

static bool can_confirm(void) {
    char help[8192];
    printed_by(CAROM_PROGRAM " run --help 2>&1", help, sizeof help);
    return strstr(help, "--confirm") != NULL;
}

static void check_named(const scratch_folder *folder, const verdict_case *c) {
    const char *scene = in_folder(folder, "scene.json"), *run = in_folder(folder, "run.carom");
    char command[1024], summary[16384];
    write_bytes(scene, c->text, strlen(c->text));
    int length = snprintf(command, sizeof command, CAROM_PROGRAM " run %s --set method.name=%s -o %s --force --json",
                          scene, c->method, run);
    if (c->until > 0.0)
        length += snprintf(command + length, sizeof command - (size_t)length, " --until %.17g", c->until);
    snprintf(command + length, sizeof command - (size_t)length, " --no-report --confirm 2>&1");
    printed_by(command, summary, sizeof summary);
    bool named = strstr(summary, "\"verdict\":\"green\"") == NULL && strstr(summary, "half the step") != NULL;
    if (!CHECK(named)) printf("%s, %s: %s\n", c->name, c->method, summary);
}

// Half the step changes nothing in methods whose substeps are chosen by tolerances.
static bool chooses_steps(const verdict_case *c) {
    return strcmp(c->method, "multiplier") == 0 || strcmp(c->method, "reduced") == 0;
}

TEST(truncation_is_named_where_confirmation_is_asked_for) {
    if (!can_confirm()) skip();
    scratch_folder folder = scratch_folder_make();
    case_list list = wrong_cases();
    int found = 0;
    for (int i = 0; i < list.count; i++) {
        evaluation e = evaluate_wrong(&list.of[i]);
        if (e.outcome != OUTCOME_TRUNCATION || e.difference < clear || chooses_steps(&list.of[i])) continue;
        check_named(&folder, &list.of[i]);
        found++;
    }
    CHECK(found > 0);
    case_list_free(&list);
    scratch_folder_remove(&folder);
}

TEST_MAIN(LONG_CASE(truncation_is_named_where_confirmation_is_asked_for))

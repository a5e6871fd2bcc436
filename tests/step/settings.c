// SPDX-License-Identifier: MIT
// The table of settings: what it says holds for definitions, checks and states.
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "carom/tools.h"
#include "support/harness/check.h"
#include "support/model/world.h"
#include "support/scene/scene_file.h"

TEST(every_setting_has_a_key_of_its_own_and_a_sentence) {
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *s = carom_setting_at(i);
        CHECK(s->key[0] != '\0' && strlen(s->text) > 8 && s->text[strlen(s->text) - 1] == '.');
        CHECK(s->offset < sizeof(carom_method_def) && (s->type == CAROM_SETTING_WORD) == (s->word_count > 0));
        for (int k = 0; k < i; k++) {
            const carom_setting *other = carom_setting_at(k);
            CHECK(other->offset != s->offset);
            CHECK(strcmp(other->key, s->key) != 0 || strcmp(other->group, s->group) != 0);
            // A group is in one piece.
            CHECK(strcmp(other->group, s->group) != 0 || strcmp(carom_setting_at(i - 1)->group, s->group) == 0);
        }
    }
    CHECK(carom_setting_at(-1) == NULL && carom_setting_at(carom_setting_count()) == NULL);
}

TEST(defaults_are_those_of_the_table_and_allowed) {
    carom_method_def def = carom_method_def_default();
    CHECK_INT(def.method, CAROM_METHOD_LCP);
    CHECK_NEAR(def.step, 1.0 / 240.0, 0.0);
    CHECK_INT(def.lcp.accuracy, CAROM_ACCURACY_DEFAULT);
    CHECK_NEAR(def.dcr.budget, 1.0, 0.0);
    CHECK_INT(def.exact.event_limit, 1000);
    CHECK_INT(def.threads, 1);
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *s = carom_setting_at(i);
        CHECK(carom_setting_get(s, &def) == s->fallback && carom_setting_allows(s, s->fallback));
    }
}

// A value outside, at or inside of a bound, of each setting.
static double beyond(const carom_setting *s, bool high, bool allowed) {
    double bound = high ? s->range.high : s->range.low, out = high ? INFINITY : -INFINITY;
    bool is_out = high ? s->range.high_is_out : s->range.low_is_out;
    if (s->type != CAROM_SETTING_NUMBER) return allowed ? bound : high ? bound + 1.0 : bound - 1.0;
    if (!allowed) return is_out ? bound : nextafter(bound, out);
    return is_out ? nextafter(bound, -out) : bound;
}

static void check_refused(const carom_model *model, const carom_setting *s, double value) {
    carom_method_def def = carom_method_def_default();
    if (s->type == CAROM_SETTING_TRUTH || fabs(value) > INT_MAX) return; // no other value can be put there
    CHECK(!carom_setting_allows(s, value));
    carom_setting_set(s, value, &def);
    carom_error error = {.text = ""};
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    char path[128], wanted[CAROM_SETTING_TEXT_SIZE];
    snprintf(path, sizeof path, "method.%s%s%s is ", s->group, s->group[0] != '\0' ? "." : "", s->key);
    carom_setting_wanted(s, wanted);
    CHECK_CONTAINS(error.text, path);
    if (strlen(wanted) < 100) CHECK_CONTAINS(error.text, wanted);
}

TEST(each_setting_is_refused_just_outside_of_its_bounds_and_nowhere_else) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *s = carom_setting_at(i);
        for (int high = 0; high < 2; high++) {
            double inside = beyond(s, high == 1, true);
            CHECK(carom_setting_allows(s, inside));
            carom_method_def def = carom_method_def_default();
            carom_setting_set(s, inside, &def);
            CHECK(carom_setting_get(s, &def) == inside);
            if (!(high == 1 && s->range.high == INFINITY && !s->range.high_is_out))
                check_refused(model, s, beyond(s, high == 1, false));
        }
        if (s->type == CAROM_SETTING_NUMBER) check_refused(model, s, NAN);
        if (s->type == CAROM_SETTING_EVEN) check_refused(model, s, s->range.low + 1.0);
        CHECK(s->type == CAROM_SETTING_NUMBER || !carom_setting_allows(s, s->range.low + 0.5));
    }
    carom_model_destroy(model);
}

TEST(what_a_value_must_be_is_said_in_words) {
    static const struct {
        const char *group, *key, *wanted;
    } cases[] = {{"", "step", "a positive number"},
                 {"", "relative_tolerance", "a number from 1e-15 to below 1"},
                 {"", "iteration_limit", "a whole number from 1 to 1000000"},
                 {"lcp", "tolerance", "a number from 0 to below 1"},
                 {"lcp", "gamma", "a number from 0 to 1"},
                 {"lcp", "barrier", "a number of at least 0"},
                 {"lcp", "budget", "a number of at least 0"},
                 {"lcp", "accuracy", "\"default\", \"fast\" or \"precise\""},
                 {"lcp", "pyramid_sides", "an even number from 4 to 64"},
                 {"lcp", "iterations", "a whole number of at least 0"},
                 {"lcp", "continuous", "true or false"},
                 {"lcp", "measure", "\"features\", \"gap\" or \"ray\""}};
    for (size_t c = 0; c < sizeof cases / sizeof cases[0]; c++) {
        bool found = false;
        for (int i = 0; i < carom_setting_count(); i++) {
            const carom_setting *s = carom_setting_at(i);
            if (strcmp(s->group, cases[c].group) != 0 || strcmp(s->key, cases[c].key) != 0) continue;
            char wanted[CAROM_SETTING_TEXT_SIZE];
            carom_setting_wanted(s, wanted);
            CHECK_TEXT(wanted, cases[c].wanted);
            found = true;
        }
        CHECK(found);
    }
}

// What steps are solved to is said once; the contract is what was said.
TEST(an_accuracy_beside_a_tolerance_is_refused) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def def = carom_method_def_default();
    carom_error error = {.text = ""};
    CHECK_NEAR(carom_method_contract(&def).residual, 1e-3, 0.0);
    def.lcp.tolerance = 1e-7;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_OK);
    CHECK_NEAR(carom_method_contract(&def).residual, 1e-7, 0.0);
    def.lcp.accuracy = CAROM_ACCURACY_PRECISE;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "method.lcp.accuracy is \"precise\" beside a method.lcp.tolerance of 1e-07");
    def.lcp.tolerance = 0.0;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_OK);
    CHECK_NEAR(carom_method_contract(&def).residual, 1e-8, 0.0);
    def.lcp.accuracy = CAROM_ACCURACY_FAST;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_OK);
    CHECK(isinf(carom_method_contract(&def).residual));
    carom_model_destroy(model);
}

TEST(a_law_of_single_contacts_is_refused_for_contacts_together) {
    carom_model *model = world_model((carom_vec3){0.0, 0.0, 0.0}, 0.0);
    CHECK_INT(carom_model_freeze(model, NULL), CAROM_OK);
    carom_method_def def = carom_method_def_default();
    carom_error error = {.text = ""};
    def.impulse.simultaneous = CAROM_SIMULTANEOUS_TOGETHER;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "the law stronge of impulse is for one contact at a time");
    def.impulse.law = CAROM_IMPACT_LAW_POISSON;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_OK);
    def.threads = 0;
    CHECK_INT(carom_method_supports(model, &def, &error), CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text, "0 threads");
    carom_model_destroy(model);
}

// ---- the header

// What stands behind "Default" in the comment of a member of the struct that `text` begins with.
static const char *default_in(const char *text, const char *key) {
    const char *end = strstr(text, "\n}");
    for (const char *at = text; (at = strstr(at, key)) != NULL && at < end; at++) {
        char after = at[strlen(key)];
        if (at[-1] != ' ' || (after != ';' && after != ',')) continue;
        const char *said = strstr(at, "Default");
        return said != NULL && said < end ? said + strlen("Default") + strspn(said + strlen("Default"), " \n/<") : NULL;
    }
    return NULL;
}

// Of "1e-6", "1/240", "infinite" or "false".
static double value_of(const char *text) {
    char *end;
    double x = strtod(text, &end);
    if (strncmp(text, "infinite", 8) == 0) return INFINITY;
    return end == text ? strncmp(text, "true", 4) == 0 : *end == '/' ? x / strtod(end + 1, NULL) : x;
}

TEST(the_header_says_the_defaults_of_the_table) {
    char *header = read_test_file(CAROM_SOURCE_DIR "/include/carom/step.h", NULL);
    if (!CHECK(header != NULL)) return;
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *s = carom_setting_at(i);
        if (s->type == CAROM_SETTING_WORD) continue; // an enumerator
        char name[64];
        snprintf(name, sizeof name, "typedef struct carom_%s_def {", s->group[0] != '\0' ? s->group : "method");
        const char *definition = strstr(header, name);
        const char *said = definition != NULL ? default_in(definition, s->key) : NULL;
        if (!CHECK(said != NULL) || !CHECK(value_of(said) == s->fallback))
            fprintf(stderr, "%s.%s: the header says %.12s, the table %g\n", s->group, s->key,
                    said != NULL ? said : "nothing", s->fallback);
    }
    free(header);
}

TEST_MAIN(CASE(every_setting_has_a_key_of_its_own_and_a_sentence), CASE(defaults_are_those_of_the_table_and_allowed),
          CASE(each_setting_is_refused_just_outside_of_its_bounds_and_nowhere_else),
          CASE(what_a_value_must_be_is_said_in_words), CASE(an_accuracy_beside_a_tolerance_is_refused),
          CASE(a_law_of_single_contacts_is_refused_for_contacts_together),
          CASE(the_header_says_the_defaults_of_the_table))

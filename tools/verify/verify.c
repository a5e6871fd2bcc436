// SPDX-License-Identifier: MIT
// A file of reference data: which set it is, its cases one by one, and the sum of the verdicts.
#include "verify/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "verify/checker.h"

static const struct {
    const char *name;
    crm_case_function *verify;
} sets[] = {
    {"dynamics", crm_verify_dynamics},
    {"mass", crm_verify_mass},
    {"ssh", crm_verify_ssh},
    {"ratio_metric", crm_verify_ratio_metric},
    {"ellipsoid_ellipsoid", crm_verify_ellipsoid_ellipsoid},
    {"ellipsoid_plane", crm_verify_ellipsoid_plane},
    {"ellipsoid_in_sphere", crm_verify_ellipsoid_in_sphere},
    {"lcp", crm_verify_lcp},
    {"lcp_contact", crm_verify_lcp_contact},
    {"impulse", crm_verify_impulse},
    {"flex_newmark", crm_verify_flex_newmark},
    {"flex_implicit", crm_verify_flex_implicit},
    {"flex_element", crm_verify_flex_element},
    {"flex_ssh", crm_verify_flex_ssh},
    {"flex_modes", crm_verify_flex_modes},
    {"flex_patch", crm_verify_flex_patch},
    {"flex_static", crm_verify_flex_static},
    {"flex_hertz", crm_verify_flex_hertz},
    {"flex_bar", crm_verify_flex_bar},
    {"control_lq", crm_verify_control_lq},
    {"control_spin", crm_verify_control_spin},
    {"control_attitude", crm_verify_control_attitude},
    {"control_pendulum", crm_verify_control_pendulum},
    {"control_del", crm_verify_control_del},
    {"control_avoid", crm_verify_control_avoid},
    {"control_bounce", crm_verify_control_bounce},
};

static crm_case_function *find_set(const char *name) {
    for (size_t i = 0; i < sizeof sets / sizeof sets[0]; i++)
        if (strcmp(sets[i].name, name) == 0) return sets[i].verify;
    return NULL;
}

// Is `name` one of the entries of the list "a, b, c"?
static bool is_listed(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at += length) {
        bool begins = at == list || at[-1] == ' ', ends = at[length] == '\0' || at[length] == ',';
        if (begins && ends) return true;
    }
    return false;
}

// Adds a name to the list "a, b, c", once; one that has no room left ends in "...".
static void add_name(char *list, size_t room, const char *name) {
    size_t used = strlen(list);
    static const char more[] = ", ...";
    if (name[0] == '\0' || is_listed(list, name)) return;
    if (used + strlen(name) + sizeof ", " + sizeof more > room) {
        if (!is_listed(list, "...")) strcat(list, more);
        return;
    }
    snprintf(list + used, room - used, "%s%s", used > 0 ? ", " : "", name);
}

static void note_unsupported(carom_verify_report *report, const char *name) {
    report->unsupported++;
    add_name(report->unsupported_kinds, sizeof report->unsupported_kinds, name);
}

static void note_not_compared(void *report, const char *name) {
    carom_verify_report *r = report;
    add_name(r->not_compared, sizeof r->not_compared, name);
}

static void note_worst(carom_verify_report *report, const char *id, const crm_verdict *verdict) {
    bool first = report->worst_id[0] == '\0';
    if (!first && verdict->error * report->worst_tolerance <= report->worst_error * verdict->tolerance) return;
    snprintf(report->worst_id, sizeof report->worst_id, "%s", id);
    snprintf(report->worst_quantity, sizeof report->worst_quantity, "%s", verdict->quantity);
    report->worst_error = verdict->error;
    report->worst_tolerance = verdict->tolerance;
}

static void tell_failure(carom_verify_failure *on_failure, void *user, const char *id, const crm_verdict *verdict) {
    if (on_failure == NULL) return;
    char text[512];
    if (verdict->obstacle[0] != '\0')
        snprintf(text, sizeof text, "%s: %s", verdict->quantity, verdict->obstacle);
    else
        snprintf(text, sizeof text, "%s is off by %.2e, allowed is %.2e", verdict->quantity, verdict->error,
                 verdict->tolerance);
    on_failure(user, id, text);
}

typedef struct listener {
    carom_verify_failure *on_failure;
    void *user;
} listener;

// Runs one case; what it expects and was not asked for is noted.
static void check_case(crm_reference *reference, const crm_case *what, crm_case_function *verify,
                       carom_verify_report *report, crm_verdict *verdict) {
    crm_arena arena;
    crm_field_list fields;
    if (reference->status != CAROM_OK) return;
    crm_arena_init(&arena, what->allocator);
    if (crm_field_list_make(&fields, what->expected, &arena)) {
        reference->fields = &fields;
        verify(reference, what, verdict);
        reference->fields = NULL;
        if (reference->status == CAROM_OK && verdict->unsupported[0] == '\0')
            crm_field_list_unread(&fields, note_not_compared, report);
    } else {
        crm_reference_refuse_memory(reference, "fields of a reference file", sizeof *fields.field);
    }
    crm_arena_free(&arena);
}

static void run_case(crm_reference *reference, const json_t *tree, const json_t *entry, size_t index,
                     crm_case_function *verify, const carom_allocator *allocator, listener listener,
                     carom_verify_report *report) {
    char where[64];
    snprintf(where, sizeof where, "cases[%zu]", index);
    const char *id = crm_reference_text(reference, entry, where, "id");
    if (reference->status != CAROM_OK) return;
    reference->id = id;
    crm_case what = {.input = crm_reference_object(reference, entry, "the case", "input"),
                     .expected = crm_reference_object(reference, entry, "the case", "expected"),
                     .tolerance = json_object_get(tree, "tolerance"),
                     .allocator = allocator};
    crm_verdict verdict = {.quantity = ""};
    check_case(reference, &what, verify, report, &verdict);
    reference->id = NULL;
    if (reference->status != CAROM_OK) return;
    report->cases++;
    if (verdict.unsupported[0] != '\0') {
        note_unsupported(report, verdict.unsupported);
        return;
    }
    note_worst(report, id, &verdict);
    if (crm_verdict_passed(&verdict)) {
        report->passed++;
    } else {
        report->failed++;
        tell_failure(listener.on_failure, listener.user, id, &verdict);
    }
}

static void run_file(crm_reference *reference, const json_t *tree, const carom_allocator *allocator, listener listener,
                     carom_verify_report *report) {
    const char *name = crm_reference_text(reference, tree, "the file", "name");
    const json_t *cases = crm_reference_array(reference, tree, "the file", "cases");
    if (reference->status != CAROM_OK) return;
    snprintf(report->name, sizeof report->name, "%s", name);
    crm_case_function *verify = find_set(name);
    if (verify == NULL) {
        note_unsupported(report, name);
        report->cases = report->unsupported = (int)json_array_size(cases);
        return;
    }
    (void)crm_reference_object(reference, tree, "the file", "tolerance");
    for (size_t i = 0; i < json_array_size(cases) && reference->status == CAROM_OK; i++)
        run_case(reference, tree, json_array_get(cases, i), i, verify, allocator, listener, report);
}

carom_status carom_verify_file(const char *path, const carom_allocator *allocator, carom_verify_failure *on_failure,
                               void *user, carom_verify_report *out, carom_error *error) {
    crm_reference reference = {.path = path, .error = error, .status = CAROM_OK};
    *out = (carom_verify_report){.name = ""};
    json_t *tree = crm_reference_load(&reference);
    if (tree == NULL) return reference.status;
    run_file(&reference, tree, allocator, (listener){on_failure, user}, out);
    json_decref(tree);
    return reference.status;
}

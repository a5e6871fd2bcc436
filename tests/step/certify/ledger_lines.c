// SPDX-License-Identifier: MIT
// No line of the ledger is what the others leave over (docs/math.md 12): each in turn is made to read something wrong,
// and the remainder shows just that, while all other lines stay what they are.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "step/certify/accounts.h"
#include "step/method.h"
#include "support/harness/check.h"
#include "support/scene/text_scene.h"

// ---- scenes

typedef struct subject {
    const char *method; // as in a scene
    const crm_method *table;
    bool contact, drag;
} subject;

static const subject subjects[] = {
    {"{\"name\": \"lcp\", \"step\": 0.002}", &crm_method_lcp, true, true},
    {"{\"name\": \"impulse\", \"step\": 0.002}", &crm_method_impulse, true, true},
    {"{\"name\": \"impulse\", \"step\": 0.002, \"impulse\": {\"variant\": \"fixed\"}}", &crm_method_impulse, true,
     true},
    {"{\"name\": \"penalty\", \"step\": 0.002}", &crm_method_penalty, true, true},
    {"{\"name\": \"dcr\", \"step\": 0.002}", &crm_method_dcr, true, false},
    {"{\"name\": \"exact\", \"step\": 0.002}", &crm_method_exact, true, false},
    {"{\"name\": \"potential\", \"step\": 0.0005, \"potential\": {\"overlap\": 0.5}}", &crm_method_potential, true,
     false},
    {"{\"name\": \"newmark\", \"step\": 0.0005, \"potential\": {\"overlap\": 0.5}}", &crm_method_newmark, true, false},
    {"{\"name\": \"euler\", \"step\": 0.002}", &crm_method_euler, false, true},
    {"{\"name\": \"variational\", \"step\": 0.002}", &crm_method_variational, false, false},
    {"{\"name\": \"multiplier\", \"step\": 0.002}", &crm_method_multiplier, false, true},
    {"{\"name\": \"reduced\", \"step\": 0.002}", &crm_method_reduced, false, true},
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0], BALL = 1 };

// A ball that falls and slides, and has hit the floor when the step that is looked at begins.
static text_scene make(const subject *who) {
    char text[2048];
    snprintf(text, sizeof text,
             "{\"carom\": 1, \"until\": 1, \"method\": %s, \"shapes\": {\"floor\": {\"kind\": \"half_space\", "
             "\"normal\": [0, 0, 1]}, \"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}}, \"materials\": {\"m\": "
             "{\"friction\": 0.3}}, %s \"bodies\": [{\"kind\": \"fixed\", \"shape\": \"floor\", \"material\": \"m\"}, "
             "{\"name\": \"ball\", \"shape\": \"ball\", \"mass\": 2, \"material\": \"m\", \"position\": [0, 0, %s], "
             "\"velocity\": [2, 0, -0.5]}]}",
             who->method,
             who->drag ? "\"forces\": [{\"kind\": \"drag\", \"body\": \"ball\", \"linear\": 3}, {\"kind\": \"wrench\", "
                         "\"body\": \"ball\", \"force\": [0, 4, 0]}],"
                       : "",
             who->contact ? "0.1005" : "1");
    return text_scene_begin(text, NULL);
}

// ---- breaking

// Between what a method has done and the certificate of it.
typedef void (*breaking)(carom_state *state, int line);

static void add_to_line(carom_state *state, int line, double work) {
    crm_ledger_add(state, BALL, -1, (crm_ledger_line)line, work);
}

static void break_line(carom_state *state, int line) {
    add_to_line(state, line, 0.125);
}

// As if a force were told wrong: all of what has no potential, or what of it drag makes.
static void misread_force(carom_state *state, int line) {
    const crm_vec6 wrong = crm_vec6_of(crm_vec3(0.01, 0.0, 0.0), crm_vec3_zero());
    bool passive = line == CRM_LINE_PASSIVE;
    state->active[BALL] = crm_vec6_add(state->active[BALL], wrong);
    if (passive) state->passive[BALL] = crm_vec6_add(state->passive[BALL], wrong);
    state->external_balance.work += 0.01;
    if (passive) state->external_balance.passive += 0.01;
    if (state->externals == NULL) return;
    state->externals[BALL].work += 0.01;
    if (passive) state->externals[BALL].passive += 0.01;
}

static void misread_friction(carom_state *state, int line) {
    (void)line;
    for (int i = 0; i < state->contact_table.count; i++)
        for (int k = 0; k < 2; k++) state->contact_table.items[i].tangent_impulse[k] *= 1.5;
}

static void misread_normals(carom_state *state, int line) {
    (void)line;
    for (int i = 0; i < state->contact_table.count; i++) state->contact_table.items[i].normal_impulse *= 1.5;
}

// In place of what the method stores itself.
static double one_joule_more_at_the_end(const carom_state *state, const crm_motion *motions, double *of_body,
                                        size_t stride) {
    double more = motions == state->next ? 1.0 : 0.0;
    *(double *)(void *)((char *)of_body + BALL * stride) += more;
    return more;
}

static void misread_potential(carom_state *state, int line) {
    (void)line;
    state->stored_energy = one_joule_more_at_the_end;
}

// The certificate of a step, with something broken; NULL: nothing. *contacts: that pushed.
static carom_ledger certify(const subject *who, breaking what, int line, int *contacts) {
    text_scene w = make(who);
    carom_step_report report = {.outcome = CAROM_STEP_GOOD, .residual_body = {-1}, .body = {-1}};
    crm_accounts_begin(w.state);
    who->table->advance(w.state->model, w.state, NULL, &report);
    CHECK(report.outcome != CAROM_STEP_IMPOSSIBLE);
    *contacts = 0;
    for (int i = 0; i < w.state->contact_table.count; i++)
        *contacts += w.state->contact_table.items[i].normal_impulse > 0.0;
    if (what != NULL) what(w.state, line);
    crm_certify(w.state->model, w.state, who->table, &report);
    text_scene_end(&w);
    return report.ledger;
}

// ---- what it shows

typedef struct ledger_field {
    const char *name;
    size_t offset;
} ledger_field;

#define FIELD(name) \
    { #name, offsetof(carom_ledger, name) }
static const ledger_field fields[] = {FIELD(conservative), FIELD(passive), FIELD(active),        FIELD(limits),
                                      FIELD(friction),     FIELD(impacts), FIELD(stabilisation), FIELD(projection)};
enum { FIELDS = sizeof fields / sizeof fields[0] };

static double value(const carom_ledger *ledger, int field) {
    double v;
    memcpy(&v, (const char *)ledger + fields[field].offset, sizeof v);
    return v;
}

// Only the fields among `meant` differ, at least one does, and the remainder by as much.
static void check_break(const subject *who, breaking what, int line, const char *meant) {
    int contacts;
    carom_ledger right = certify(who, NULL, 0, &contacts), wrong = certify(who, what, line, &contacts);
    double change = 0.0;
    for (int f = 0; f < FIELDS; f++) {
        double by = value(&wrong, f) - value(&right, f);
        if (!CHECK(fabs(by) <= 1e-15 || strstr(meant, fields[f].name) != NULL))
            fprintf(stderr, "%s: %s changed with %s\n", who->method, fields[f].name, meant);
        change += by;
    }
    if (!CHECK(fabs(change) > 1e-6)) fprintf(stderr, "%s: nothing is broken in %s\n", who->method, meant);
    CHECK_NEAR(wrong.remainder - right.remainder, -change, 1e-13);
}

TEST(a_broken_line_shows_in_the_remainder) {
    static const struct {
        crm_ledger_line line;
        const char *name;
    } lines[] = {
        {CRM_LINE_PASSIVE, "passive"},       {CRM_LINE_ACTIVE, "active"},
        {CRM_LINE_LIMITS, "limits"},         {CRM_LINE_FRICTION, "friction"},
        {CRM_LINE_IMPACTS, "impacts"},       {CRM_LINE_ELASTIC, "impacts"},
        {CRM_LINE_PROJECTION, "projection"}, {CRM_LINE_STABILISATION, "stabilisation"},
    };
    for (int s = 0; s < SUBJECTS; s++)
        for (size_t k = 0; k < sizeof lines / sizeof lines[0]; k++)
            check_break(&subjects[s], break_line, lines[k].line, lines[k].name);
}

TEST(forces_that_are_told_wrong_show_in_the_remainder) {
    for (int s = 0; s < SUBJECTS; s++) {
        check_break(&subjects[s], misread_force, CRM_LINE_ACTIVE, "active");
        check_break(&subjects[s], misread_force, CRM_LINE_PASSIVE, "passive");
    }
}

// Of methods whose contacts' work is found from the table of contacts.
TEST(impulses_of_contacts_that_are_told_wrong_show_in_the_remainder) {
    int looked_at = 0;
    for (int s = 0; s < SUBJECTS; s++) {
        if (!subjects[s].table->works_by_table) continue;
        int contacts;
        (void)certify(&subjects[s], NULL, 0, &contacts);
        CHECK(contacts > 0);
        check_break(&subjects[s], misread_friction, 0, "friction");
        check_break(&subjects[s], misread_normals, 0, "impacts stabilisation");
        looked_at++;
    }
    CHECK(looked_at > 0);
}

TEST(a_potential_that_is_told_wrong_shows_in_the_remainder) {
    for (int s = 0; s < SUBJECTS; s++) check_break(&subjects[s], misread_potential, 0, "conservative");
}

TEST_MAIN(CASE(a_broken_line_shows_in_the_remainder), CASE(forces_that_are_told_wrong_show_in_the_remainder),
          CASE(impulses_of_contacts_that_are_told_wrong_show_in_the_remainder),
          CASE(a_potential_that_is_told_wrong_shows_in_the_remainder))

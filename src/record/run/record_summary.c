// SPDX-License-Identifier: MIT
#include "record/run/record_summary.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fail.h"
#include "record/file/database.h"
#include "record/file/format.h"

void crm_summary_start(crm_summary *summary, const carom_state *state) {
    *summary = (crm_summary){
        .step = carom_state_step_count(state),
        .time = carom_state_time(state),
        .certificates = carom_summary_begin(state),
    };
}

// ---- the columns

#define COLUMN(type_, field_) \
    { #field_, CRM_COLUMN_##type_, offsetof(crm_summary, field_) }
#define SUMMED(type_, field_) SUMMED_AS(type_, #field_, field_)
#define SUMMED_AS(type_, name_, field_) \
    { name_, CRM_COLUMN_##type_, offsetof(crm_summary, certificates.field_) }

static const crm_summary_column first_columns[] = {
    COLUMN(INT, step),
    COLUMN(REAL, time),
    COLUMN(INT, hash),
    COLUMN(INT, finished),
    COLUMN(TEXT, end_text),
    COLUMN(INT, frame_count),
    COLUMN(INT, extra_frame),
    COLUMN(INT, collision_count),
    SUMMED(INT, broken_steps),
    SUMMED(INT, missed_steps),
    SUMMED(INT, first_broken_step),
    SUMMED(TEXT, first_broken_text),
    SUMMED(REAL, first_energy),
    SUMMED(REAL, last_energy),
    SUMMED(REAL, largest_energy_change),
    SUMMED(INT, unbounded_residual),
    SUMMED(REAL, first_kinetic),
    SUMMED(REAL, largest_kinetic),
    SUMMED(REAL, least_potential),
    SUMMED(REAL, largest_potential),
    SUMMED_AS(REAL, "first_px", first_momentum.linear.x),
    SUMMED_AS(REAL, "first_py", first_momentum.linear.y),
    SUMMED_AS(REAL, "first_pz", first_momentum.linear.z),
    SUMMED_AS(REAL, "first_lx", first_momentum.angular.x),
    SUMMED_AS(REAL, "first_ly", first_momentum.angular.y),
    SUMMED_AS(REAL, "first_lz", first_momentum.angular.z),
};
static const crm_summary_column last_column = COLUMN(INT, state_digest);

// A vector has a column for each component.
static int add_item(const carom_summary_item *item, crm_summary_column *to) {
    size_t offset = offsetof(crm_summary, certificates) + item->offset;
    bool vector = item->type == CAROM_QUANTITY_VECTOR;
    for (int i = 0; i < (vector ? 3 : 1); i++) {
        to[i].type = item->type == CAROM_QUANTITY_COUNT ? CRM_COLUMN_INT : CRM_COLUMN_REAL;
        to[i].offset = offset + (size_t)i * sizeof(double);
        snprintf(to[i].name, sizeof to[i].name, vector ? "%s_%c" : "%s", item->name, "xyz"[i]);
    }
    return vector ? 3 : 1;
}

// A finding has its value, its bodies and its step.
static int add_finding(carom_rule rule, crm_summary_column *to) {
    static const struct {
        const char *ending;
        crm_column_type type;
        size_t offset;
    } fields[] = {{"", CRM_COLUMN_REAL, offsetof(carom_finding, value)},
                  {"_body", CRM_COLUMN_INT, offsetof(carom_finding, body)},
                  {"_other", CRM_COLUMN_INT, offsetof(carom_finding, other)},
                  {"_step", CRM_COLUMN_INT, offsetof(carom_finding, step)}};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    size_t offset = offsetof(crm_summary, certificates.finding) + (size_t)rule * sizeof(carom_finding);
    for (int i = 0; i < FIELDS; i++) {
        to[i].type = fields[i].type;
        to[i].offset = offset + fields[i].offset;
        snprintf(to[i].name, sizeof to[i].name, "found_%s%s", carom_rule_get(rule)->name, fields[i].ending);
    }
    return FIELDS;
}

int crm_summary_columns(crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS]) {
    int used = (int)(sizeof first_columns / sizeof first_columns[0]), quantity_count;
    memcpy(column, first_columns, sizeof first_columns);
    const carom_quantity *quantity = carom_quantities(&quantity_count);
    for (int q = 0; q < quantity_count; q++)
        for (int i = 0; i < CAROM_QUANTITY_MOST_ITEMS && quantity[q].summary[i].rule != CAROM_SUMMARY_NONE; i++)
            used += add_item(&quantity[q].summary[i], &column[used]);
    for (int r = 0; r < CAROM_RULE_COUNT; r++) used += add_finding((carom_rule)r, &column[used]);
    column[used++] = last_column;
    return used;
}

const char *crm_summary_names(crm_arena *arena) {
    crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS];
    int count = crm_summary_columns(column);
    char *names = crm_arena_take(arena, CRM_SUMMARY_NAMES_SIZE + 1), *to = names;
    if (names == NULL) return NULL;
    *to = '\0';
    for (int i = 0; i < count; i++) to += sprintf(to, "%s ", column[i].name);
    return names;
}

static bool is_shown(const crm_summary_column *column) {
    return strcmp(column->name, "extra_frame") != 0 && strcmp(column->name, "state_digest") != 0;
}

static const char *const column_types[] = {
    [CRM_COLUMN_INT] = "INTEGER NOT NULL", [CRM_COLUMN_REAL] = "REAL", [CRM_COLUMN_TEXT] = "TEXT NOT NULL"};

// The state comes last in its table, so that the summary is read without it.
char *crm_summary_schema(void) {
    static const char begin[] = "CREATE TABLE checkpoints (step INTEGER PRIMARY KEY",
                      middle[] = ", digest INTEGER NOT NULL, state BLOB NOT NULL); CREATE VIEW summary AS SELECT step",
                      end[] = " FROM checkpoints ORDER BY checkpoints.step DESC LIMIT 1;",
                      of_hash[] = ", printf('%%016x', hash) AS hash";
    crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS];
    int count = crm_summary_columns(column);
    size_t size = sizeof begin + sizeof middle + sizeof end + sizeof of_hash;
    for (int i = 1; i < count; i++) size += 2 * strlen(column[i].name) + strlen(column_types[column[i].type]) + 5;
    char *text = malloc(size), *to = text;
    if (text == NULL) return NULL;
    to += sprintf(to, "%s", begin);
    for (int i = 1; i < count; i++) to += sprintf(to, ", %s %s", column[i].name, column_types[column[i].type]);
    to += sprintf(to, "%s", middle);
    for (int i = 1; i < count; i++) {
        if (strcmp(column[i].name, "hash") == 0)
            to += sprintf(to, of_hash);
        else if (is_shown(&column[i]))
            to += sprintf(to, ", %s", column[i].name);
    }
    sprintf(to, "%s", end);
    return text;
}

char *crm_summary_insertion(void) {
    static const char beginning[] = "INSERT OR REPLACE INTO checkpoints VALUES (?, ?";
    crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS];
    int count = crm_summary_columns(column); // and the digest and the state, which are in the beginning already
    char *text = malloc(sizeof beginning + 3 * (size_t)count + 1);
    if (text == NULL) return NULL;
    strcpy(text, beginning);
    for (int i = 0; i < count; i++) strcat(text, ", ?");
    return strcat(text, ")");
}

// ---- writing and reading

void crm_summary_put(const crm_summary *summary, crm_row *row) {
    crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS];
    int count = crm_summary_columns(column);
    for (int i = 0; i < count; i++) {
        const void *from = (const char *)summary + column[i].offset;
        if (column[i].type == CRM_COLUMN_INT)
            crm_row_put_int(row, *(const int64_t *)from);
        else if (column[i].type == CRM_COLUMN_REAL)
            crm_row_put_real(row, *(const double *)from);
        else
            crm_row_put_text(row, from);
    }
}

// `*next` is where it stands in a file of this carom, which has them all in their order: there is looked first.
static const crm_summary_column *find_column(const crm_summary_column *column, int count, const char *name, int *next) {
    for (int i = 0; i < count; i++) {
        int at = (*next + i) % count;
        if (strcmp(column[at].name, name) != 0) continue;
        *next = at + 1;
        return &column[at];
    }
    return NULL;
}

// Of a recording of a carom that kept less.
static crm_summary unknown_summary(void) {
    const carom_vec3 unknown = {NAN, NAN, NAN};
    crm_summary summary = {.certificates = {.first_kinetic = NAN,
                                            .largest_kinetic = NAN,
                                            .least_potential = NAN,
                                            .largest_potential = NAN,
                                            .first_momentum = {unknown, unknown}}};
    for (int r = 0; r < CAROM_RULE_COUNT; r++) summary.certificates.finding[r] = carom_finding_none();
    return summary;
}

void crm_summary_get(crm_summary *summary, const crm_run *run, crm_row *row) {
    crm_summary_column column[CRM_SUMMARY_MOST_COLUMNS];
    int count = crm_summary_columns(column), next = 0;
    *summary = unknown_summary();
    const char *names = run->checkpoint_columns;
    for (const char *name; (name = crm_row_next_name(row)) != NULL && names[0] != '\0';) {
        size_t length = strlen(name);
        if (strncmp(names, name, length) != 0 || names[length] != ' ') break;
        names += length + 1;
        const crm_summary_column *known = find_column(column, count, name, &next);
        void *to = known != NULL ? (char *)summary + known->offset : NULL;
        if (known == NULL)
            crm_row_pass(row);
        else if (known->type == CRM_COLUMN_INT)
            *(int64_t *)to = crm_row_get_int(row);
        else if (known->type == CRM_COLUMN_REAL)
            *(double *)to = crm_row_get_real(row);
        else
            snprintf(to, sizeof summary->end_text, "%s", crm_row_get_text(row));
    }
    if (names[0] != '\0') row->well_kept = false;
    summary->certificates.steps = summary->step - run->first_step;
}

// Steps are counted exactly in times up to here, which is what sums of counts have room above.
static const int64_t most_steps = INT64_C(1) << 53;

static bool is_finding(const carom_finding *finding, const crm_run *run) {
    return finding->body >= -1 && finding->body < run->body_count && finding->other >= -1 &&
           finding->other < run->body_count && finding->step >= -1 && finding->step <= most_steps;
}

bool crm_summary_plausible(const crm_summary *summary, const crm_run *run) {
    if (run->first_step > most_steps || summary->step < run->first_step || summary->step > most_steps) return false;
    int64_t steps = summary->step - run->first_step;
    const carom_summary *sums = &summary->certificates;
    for (int r = 0; r < CAROM_RULE_COUNT; r++)
        if (!is_finding(&sums->finding[r], run)) return false;
    // A frame a step, that of the start, and one more where a run ends early.
    return summary->frame_count >= 1 && summary->frame_count - 1 <= steps && summary->collision_count >= 0 &&
           sums->broken_steps >= 0 && sums->broken_steps <= steps && sums->missed_steps >= 0 &&
           sums->missed_steps <= steps && sums->first_broken_step >= -1 && sums->first_broken_step <= summary->step;
}

carom_status crm_summary_check_rows(sqlite3 *database, const char *path, const crm_summary *summary, const crm_run *run,
                                    carom_error *error) {
    int64_t steps = summary->step - run->first_step;
    carom_status status = crm_run_check_rows(database, path, "frames", summary->frame_count, error);
    if (status == CAROM_OK) status = crm_run_check_rows(database, path, "collisions", summary->collision_count, error);
    if (status != CAROM_OK) return status;
    return crm_run_check_rows(database, path, "certificates",
                              steps / CRM_RECORD_CHUNK + (steps % CRM_RECORD_CHUNK != 0), error);
}

// All columns but the state: SQLite would copy it, however large it is, to show a row in which nobody looks at it.
carom_status crm_summary_prepare_last(sqlite3 *database, const char *path, sqlite3_stmt **out, carom_error *error) {
    sqlite3_stmt *all;
    carom_status status = crm_database_prepare(database, path, "SELECT * FROM checkpoints", &all, error);
    if (status != CAROM_OK) return status;
    sqlite3_str *text = sqlite3_str_new(database);
    for (int i = 0, shown = 0; i < sqlite3_column_count(all); i++) {
        const char *name = sqlite3_column_name(all, i);
        if (name == NULL || strcmp(name, "state") == 0) continue;
        sqlite3_str_appendf(text, "%s\"%w\"", shown++ > 0 ? ", " : "SELECT ", name);
    }
    sqlite3_finalize(all);
    sqlite3_str_appendall(text, " FROM checkpoints ORDER BY step DESC LIMIT 1");
    char *statement = sqlite3_str_finish(text);
    if (statement == NULL) return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a checkpoint's summary");
    status = crm_database_prepare(database, path, statement, out, error);
    sqlite3_free(statement);
    return status;
}

carom_status crm_summary_read_last(sqlite3_stmt *statement, const char *path, const crm_run *run, crm_summary *out,
                                   carom_error *error) {
    carom_status status = CAROM_OK;
    int code = sqlite3_step(statement);
    if (code == SQLITE_ROW) {
        crm_row row = crm_row_read(statement);
        crm_summary_get(out, run, &row);
        if (!crm_row_sound(&row) || !crm_summary_plausible(out, run))
            status = crm_database_damaged(path, "its last checkpoint is not what was written", error);
    } else if (code == SQLITE_DONE) {
        status = crm_database_damaged(path, "it has no checkpoint", error);
    } else {
        status = crm_database_fail(sqlite3_db_handle(statement), code, path, error);
    }
    sqlite3_reset(statement);
    return status;
}

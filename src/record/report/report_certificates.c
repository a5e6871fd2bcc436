// SPDX-License-Identifier: MIT
// Certificates for plots: a row of the start, then one a step, or of long runs the smallest and the largest value of
// every so many steps. And what they come to: the table of the certificate, and the steps that broke their contract.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/fail.h"
#include "record/report/run_report.h"

// docs/report.md: up to so many steps have a row each; beyond there are so many buckets.
enum { MOST_ROWS = 4096, MOST_BUCKETS = 2048, MOST_BROKEN = 1000, AT_ONCE = 256 };

// The columns: the step, then those of the table of quantities, of which the time is the first, then the total energy.
enum { STEP, TIME };

// The value furthest from zero, of a vector its length, of some the least, and its step; NAN and -1 when there is none.
typedef struct worst_value {
    double value;
    int64_t step;
} worst_value;

// What is gathered while certificates are read.
typedef struct gathering {
    int quantity_count;
    const carom_quantity *quantities;
    worst_value *worst; // (quantity_count)
    int column_count;
    double *values;              // column by column (rows each)
    double *now;                 // of the certificate at hand (column_count)
    double *sum;                 // of lines of the ledger, so far (quantity_count)
    int64_t *smallest, *largest; // steps in the bucket at hand where the extremes are; -1: none yet (column_count)
    int64_t bucket;              // steps; 1: every step has its row
    int64_t rows;
    crm_tree *tree; // that gets all of it
    json_t *broken_steps, *broken_times;
    int64_t broken_count, broken_stride;
} gathering;

static double *row_of(const gathering *g, int column, int64_t row) {
    return &g->values[(int64_t)column * g->rows + row];
}

static void take_numbers(gathering *g, const carom_step_report *c) {
    int used = 0;
    g->now[used++] = (double)c->step;
    for (int q = 0; q < g->quantity_count; q++) {
        double squares = 0.0, value = 0.0;
        int count = carom_quantity_column_count(&g->quantities[q]);
        for (int k = 0; k < count; k++) {
            value = g->now[used++] = carom_quantity_get(&g->quantities[q], c, k);
            squares += value * value;
        }
        if (count > 1) value = sqrt(squares);
        const worst_value *worst = &g->worst[q];
        bool no_worse = g->quantities[q].least ? value >= worst->value : fabs(value) <= fabs(worst->value);
        if (!no_worse) g->worst[q] = (worst_value){value, c->step};
        if (g->quantities[q].summed) g->now[used - 1] = g->sum[q] += value;
    }
    g->now[used] = c->energy.kinetic + c->energy.potential;
}

// Before the first step: energies and momenta are known, sums are zero, the rest is of steps only.
static void gather_start(const crm_report *report, gathering *g) {
    const carom_summary *summary = &report->info.summary;
    int64_t made = report->info.certificate_count;
    double time = 0.0;
    carom_error ignored;
    (void)carom_recording_step_time(report->recording, report->info.step_count - made, &time, &ignored);
    carom_step_report start = {.time = time,
                               .energy = {summary->first_kinetic, summary->first_energy - summary->first_kinetic},
                               .discrete_energy = NAN, // of steps, as are the next two
                               .elastic_energy = NAN,
                               .least_determinant = NAN,
                               .momentum = summary->first_momentum};
    int used = 0;
    *row_of(g, used++, 0) = (double)(report->info.step_count - made);
    for (int q = 0; q < g->quantity_count; q++)
        for (int k = 0; k < carom_quantity_column_count(&g->quantities[q]); k++) {
            bool known = g->quantities[q].of_state;
            *row_of(g, used++, 0) = known ? carom_quantity_get(&g->quantities[q], &start, k)
                                          : (g->quantities[q].summed ? 0.0 : (double)NAN);
        }
    *row_of(g, used, 0) = summary->first_energy;
}

// The bucket's two rows: first and last of step and time, of the others the extremes. While the bucket is filled, they
// are smallest and largest; afterwards in the order in which they occur.
static void widen_bucket(gathering *g, int64_t row, int64_t place) {
    bool first = place == 0;
    for (int i = 0; i < g->column_count; i++) {
        double value = g->now[i], *low = row_of(g, i, row), *high = low + 1;
        if (i == STEP || i == TIME) {
            if (first) *low = value;
            *high = value;
            continue;
        }
        if (first) {
            *low = *high = NAN;
            g->smallest[i] = g->largest[i] = -1;
        }
        if (isnan(value)) continue;
        if (g->smallest[i] < 0 || value < *low) *low = value, g->smallest[i] = place;
        if (g->largest[i] < 0 || value > *high) *high = value, g->largest[i] = place;
    }
}

static void order_bucket(gathering *g, int64_t row) {
    for (int i = TIME + 1; i < g->column_count; i++) {
        if (g->smallest[i] <= g->largest[i]) continue;
        double *low = row_of(g, i, row), swap = low[0];
        low[0] = low[1];
        low[1] = swap;
    }
}

static void note_broken(gathering *g, const carom_step_report *c) {
    if (c->outcome == CAROM_STEP_GOOD) return;
    if (g->broken_count++ % g->broken_stride != 0) return;
    crm_tree_append(g->tree, g->broken_steps, json_integer(c->step));
    crm_tree_append(g->tree, g->broken_times, crm_tree_number(c->time));
}

static void gather(gathering *g, int64_t index, int64_t count, const carom_step_report *c) {
    take_numbers(g, c);
    note_broken(g, c);
    if (g->bucket == 1) {
        for (int i = 0; i < g->column_count; i++) *row_of(g, i, 1 + index) = g->now[i];
        return;
    }
    int64_t row = 1 + 2 * (index / g->bucket), place = index % g->bucket;
    widen_bucket(g, row, place);
    if (place == g->bucket - 1 || index == count - 1) order_bucket(g, row);
}

static carom_status gather_all(const crm_report *report, gathering *g, carom_error *error) {
    int64_t count = report->info.certificate_count;
    carom_step_report *some = malloc(AT_ONCE * sizeof *some);
    if (some == NULL) return crm_fail_memory(error, "report", AT_ONCE * sizeof *some);
    carom_status status = CAROM_OK;
    for (int64_t first = 0; first < count && status == CAROM_OK;) {
        int got = 0;
        status = carom_recording_get_certificates(report->recording, first, AT_ONCE, some, &got, error);
        for (int i = 0; i < got && first + i < count && status == CAROM_OK; i++) gather(g, first + i, count, &some[i]);
        first += got;
        if (got == 0) break;
    }
    free(some);
    return status;
}

// Whether the quantity tells anything of this run.
static bool is_told(const crm_report *report, const gathering *g, int q) {
    const carom_quantity *quantity = &g->quantities[q];
    if (quantity->scope == CAROM_SCOPE_JOINTS && report->info.joint_count == 0) return false;
    if (quantity->scope == CAROM_SCOPE_CONTACTS && report->info.summary.most_contacts == 0) return false;
    return !quantity->rare || g->worst[q].value != quantity->usual;
}

// ---- columns and the plots that show them

// Tells the page how to show a quantity.
static void add_entry(crm_tree *tree, json_t *catalogue, const carom_quantity *quantity, int columns) {
    static const char *const axes[] = {"x", "y", "z"};
    json_t *entry = json_object(), *names = json_array(), *series = json_array();
    crm_tree_set(tree, entry, "name", json_string(quantity->name));
    crm_tree_set(tree, entry, "unit", json_string(quantity->unit));
    crm_tree_set(tree, entry, "text", json_string(quantity->text));
    for (int k = 0; k < columns; k++) {
        crm_tree_append(tree, names, json_string(quantity->column[k]));
        crm_tree_append(tree, series, json_string(columns > 1 ? axes[k] : quantity->series));
    }
    crm_tree_set(tree, entry, "columns", names);
    crm_tree_set(tree, entry, "series", series);
    crm_tree_set(tree, entry, "plot", json_string(quantity->plot));
    if (quantity->title != NULL) crm_tree_set(tree, entry, "title", json_string(quantity->title));
    crm_tree_set(tree, entry, "log", json_boolean(quantity->logarithmic));
    crm_tree_set(tree, entry, "stacked", json_boolean(quantity->summed));
    crm_tree_set(tree, entry, "usual", json_real(quantity->usual));
    crm_tree_append(tree, catalogue, entry);
}

// What the table has not, as it is the sum of two of its quantities.
static const carom_quantity total_energy = {.name = "total",
                                            .unit = "J",
                                            .text = "Kinetic and potential energy.",
                                            .column = {"total"},
                                            .of_state = true,
                                            .plot = "energy",
                                            .series = "total"};

// The same once more, beside E_d, where the run has that.
static const carom_quantity hamiltonian = {.name = "hamiltonian",
                                           .unit = "J",
                                           .text = "H_d: kinetic and potential energy at the nodes, by the momenta.",
                                           .column = {"total"},
                                           .plot = "discrete_energy",
                                           .series = "H_d"};

static carom_status add_blob(crm_report *report, const gathering *g, const char *name, bool exact, int column,
                             carom_error *error) {
    char full_name[CRM_BLOB_NAME];
    snprintf(full_name, sizeof full_name, "certificate_%s", name);
    return (exact ? crm_blobs_add_f64 : crm_blobs_add_f32)(&report->blobs, full_name, g->rows, row_of(g, column, 0),
                                                           error);
}

static carom_status add_quantity(crm_report *report, const gathering *g, const carom_quantity *quantity, int column,
                                 json_t *catalogue, carom_error *error) {
    int count = carom_quantity_column_count(quantity);
    carom_status status = CAROM_OK;
    for (int k = 0; k < count && status == CAROM_OK; k++)
        status = add_blob(report, g, quantity->column[k], quantity->of_state, column + k, error);
    if (quantity->plot != NULL) add_entry(&report->tree, catalogue, quantity, count);
    return status;
}

static carom_status add_columns(crm_report *report, const gathering *g, carom_error *error) {
    json_t *catalogue = json_array();
    carom_status status = add_blob(report, g, "step", true, STEP, error);
    int column = STEP + 1;
    for (int q = 0; q < g->quantity_count && status == CAROM_OK; q++) {
        bool told = is_told(report, g, q);
        if (told) status = add_quantity(report, g, &g->quantities[q], column, catalogue, error);
        if (told && g->quantities[q].offset == offsetof(carom_step_report, discrete_energy))
            add_entry(&report->tree, catalogue, &hamiltonian, 1);
        column += carom_quantity_column_count(&g->quantities[q]);
    }
    if (status == CAROM_OK) status = add_quantity(report, g, &total_energy, column, catalogue, error);
    crm_tree_set(&report->tree, report->tree.header, "certificate_quantities", catalogue);
    return status;
}

// ---- the table of the worst values

// A row of the table; `bound` infinite: reported only.
static void add_row(crm_tree *tree, json_t *table, const char *name, const char *label, const char *unit,
                    worst_value worst, double bound, const char *beyond) {
    json_t *row = json_object();
    const char *verdict = isinf(bound) ? "reported" : worst.value <= bound ? "kept" : beyond;
    crm_tree_set(tree, row, "name", json_string(name));
    crm_tree_set(tree, row, "quantity", json_string(label));
    crm_tree_set(tree, row, "worst", crm_tree_number(worst.value));
    crm_tree_set(tree, row, "bound", crm_tree_number(bound));
    crm_tree_set(tree, row, "unit", json_string(unit));
    crm_tree_set(tree, row, "verdict", json_string(verdict));
    crm_tree_set(tree, row, "step", worst.step >= 0 ? json_integer(worst.step) : json_null());
    crm_tree_append(tree, table, row);
}

static void add_table(crm_report *report, const gathering *g) {
    const carom_summary *summary = &report->info.summary;
    // Without the scene nobody knows the tolerances that were asked for.
    carom_contract contract = {INFINITY, INFINITY, INFINITY, INFINITY};
    if (report->scene != NULL) contract = carom_method_contract(carom_scene_method(report->scene));
    json_t *table = json_array();
    add_row(&report->tree, table, "energy_change", "change of energy", "J",
            (worst_value){summary->largest_energy_change, -1}, INFINITY, "");
    for (int q = 0; q < g->quantity_count; q++) {
        const carom_quantity *quantity = &g->quantities[q];
        if (!quantity->worst || !is_told(report, g, q)) continue;
        if (quantity->scope == CAROM_SCOPE_EQUATIONS && summary->most_iterations == 0) continue;
        // A step whose residual is too large is made less well than asked for; it breaks no contract by that.
        add_row(&report->tree, table, quantity->name, quantity->label, quantity->unit, g->worst[q],
                carom_quantity_bound(quantity, &contract),
                quantity->offset == offsetof(carom_step_report, residual) ? "missed" : "broken");
    }
    crm_tree_set(&report->tree, report->tree.header, "certificate", table);
}

// ---- all of it

static carom_status begin_gathering(gathering *g, carom_error *error) {
    g->quantities = carom_quantities(&g->quantity_count);
    CRM_ASSERT(strcmp(g->quantities[0].name, "time") == 0);
    g->column_count = 2;
    for (int q = 0; q < g->quantity_count; q++) g->column_count += carom_quantity_column_count(&g->quantities[q]);
    size_t columns = (size_t)g->column_count, rows = (size_t)g->rows + 1;
    g->worst = malloc((size_t)g->quantity_count * sizeof *g->worst);
    g->values = malloc(rows * columns * sizeof *g->values);
    g->now = malloc(columns * sizeof *g->now);
    g->sum = calloc((size_t)g->quantity_count, sizeof *g->sum);
    g->smallest = malloc(columns * sizeof *g->smallest);
    g->largest = malloc(columns * sizeof *g->largest);
    if (g->worst == NULL || g->values == NULL || g->now == NULL || g->sum == NULL || g->smallest == NULL ||
        g->largest == NULL)
        return crm_fail_memory(error, "report", rows * columns * sizeof *g->values);
    for (int q = 0; q < g->quantity_count; q++) g->worst[q] = (worst_value){NAN, -1};
    return CAROM_OK;
}

static void end_gathering(gathering *g) {
    free(g->worst);
    free(g->values);
    free(g->now);
    free(g->sum);
    free(g->smallest);
    free(g->largest);
}

static void add_broken_steps(crm_report *report, gathering *g) {
    json_t *about = json_object();
    crm_tree_set(&report->tree, about, "count", json_integer(report->info.summary.broken_steps));
    crm_tree_set(&report->tree, about, "steps", g->broken_steps);
    crm_tree_set(&report->tree, about, "times", g->broken_times);
    crm_tree_set(&report->tree, report->tree.header, "broken_steps", about);
}

carom_status crm_report_certificates(crm_report *report, carom_error *error) {
    int64_t count = report->info.certificate_count, broken = report->info.summary.broken_steps;
    gathering g = {.bucket = 1,
                   .tree = &report->tree,
                   .rows = 1 + count,
                   .broken_stride = broken > MOST_BROKEN ? (broken - 1) / MOST_BROKEN + 1 : 1};
    if (count > MOST_ROWS) {
        g.bucket = (count + MOST_BUCKETS - 1) / MOST_BUCKETS;
        g.rows = 1 + 2 * ((count + g.bucket - 1) / g.bucket);
        crm_tree_set(&report->tree, report->tree.header, "certificate_bucket", json_integer(g.bucket));
    }
    if (count == 0) g.rows = 0;
    report->rows = g.rows;
    carom_status status = begin_gathering(&g, error);
    if (status == CAROM_OK) {
        g.broken_steps = json_array();
        g.broken_times = json_array();
        if (count > 0) gather_start(report, &g);
        status = gather_all(report, &g, error);
        if (status == CAROM_OK && count > 0) status = add_columns(report, &g, error);
        add_table(report, &g);
        add_broken_steps(report, &g);
    }
    end_gathering(&g);
    return status;
}

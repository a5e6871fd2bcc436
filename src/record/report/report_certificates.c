// SPDX-License-Identifier: MIT
// Certificates for plots: a row a step, or of long runs the smallest and the largest value of every so many steps. And
// what they come to: the table of the certificate, and the steps that broke their contract.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/fail.h"
#include "record/report/json_tree.h"
#include "record/report/run_report.h"

// docs/report.md: up to so many steps have a row each; beyond there are so many buckets.
enum { MOST_ROWS = 4096, MOST_BUCKETS = 2048, MOST_BROKEN = 1000, AT_ONCE = 1024 };

enum quantity {
    STEP,
    TIME,
    KINETIC,
    POTENTIAL,
    TOTAL,
    PX,
    PY,
    PZ,
    LX,
    LY,
    LZ,
    MOMENTUM_BALANCE,
    ENERGY_BALANCE,
    RESIDUAL,
    JOINT_DRIFT,
    ITERATIONS,
    SUBSTEPS,
    GOOD,
    CONTACTS, // from here on of runs with contacts
    INFEASIBILITY,
    MEAN_INFEASIBILITY,
    FRICTION_WORK,
    SOLVER,
    FALLBACKS,
    PROJECTION_ENERGY, // from here on of runs where they are not all zero
    PROJECTION_LX,
    PROJECTION_LY,
    PROJECTION_LZ,
    IMPACT_ENERGY,
    QUANTITIES
};

static const struct {
    const char *name;
    bool exact; // as double, else as float
} quantity[QUANTITIES] = {
    [STEP] = {"step", true},
    [TIME] = {"time", true},
    [KINETIC] = {"kinetic", true},
    [POTENTIAL] = {"potential", true},
    [TOTAL] = {"total", true},
    [PX] = {"px", true},
    [PY] = {"py", true},
    [PZ] = {"pz", true},
    [LX] = {"lx", true},
    [LY] = {"ly", true},
    [LZ] = {"lz", true},
    [MOMENTUM_BALANCE] = {"momentum_balance", false},
    [ENERGY_BALANCE] = {"energy_balance", false},
    [RESIDUAL] = {"residual", false},
    [JOINT_DRIFT] = {"joint_drift", false},
    [ITERATIONS] = {"iterations", false},
    [SUBSTEPS] = {"parts", false},
    [GOOD] = {"good", false},
    [CONTACTS] = {"contacts", false},
    [INFEASIBILITY] = {"infeasibility", false},
    [MEAN_INFEASIBILITY] = {"mean_infeasibility", false},
    [FRICTION_WORK] = {"friction_work", false},
    [SOLVER] = {"solver", false},
    [FALLBACKS] = {"fallbacks", false},
    [PROJECTION_ENERGY] = {"projection_energy", false},
    [PROJECTION_LX] = {"projection_lx", false},
    [PROJECTION_LY] = {"projection_ly", false},
    [PROJECTION_LZ] = {"projection_lz", false},
    [IMPACT_ENERGY] = {"impact_energy", false},
};

static void numbers_of(const carom_certificate *c, double out[QUANTITIES]) {
    out[STEP] = (double)c->step;
    out[TIME] = c->time;
    out[KINETIC] = c->kinetic;
    out[POTENTIAL] = c->potential;
    out[TOTAL] = c->kinetic + c->potential;
    out[PX] = c->linear_momentum.x, out[PY] = c->linear_momentum.y, out[PZ] = c->linear_momentum.z;
    out[LX] = c->angular_momentum.x, out[LY] = c->angular_momentum.y, out[LZ] = c->angular_momentum.z;
    out[MOMENTUM_BALANCE] = c->momentum_balance;
    out[ENERGY_BALANCE] = c->energy_balance;
    out[RESIDUAL] = c->residual;
    out[JOINT_DRIFT] = c->joint_drift;
    out[ITERATIONS] = c->iterations;
    out[SUBSTEPS] = c->substeps;
    out[GOOD] = c->good;
    out[CONTACTS] = c->contacts;
    out[INFEASIBILITY] = c->infeasibility;
    out[MEAN_INFEASIBILITY] = c->mean_infeasibility;
    out[FRICTION_WORK] = c->friction_work;
    out[SOLVER] = c->solver;
    out[FALLBACKS] = c->fallbacks;
    out[PROJECTION_ENERGY] = c->projection_energy;
    out[PROJECTION_LX] = c->projection_momentum.x;
    out[PROJECTION_LY] = c->projection_momentum.y;
    out[PROJECTION_LZ] = c->projection_momentum.z;
    out[IMPACT_ENERGY] = c->impact_energy;
}

// The value furthest from zero, and its step; NAN and -1 when there is none.
typedef struct worst_value {
    double value;
    int64_t step;
} worst_value;

// What is gathered while certificates are read.
typedef struct gathering {
    int64_t bucket; // steps; 1: every step has its row
    int64_t rows;
    double *values;               // quantity by quantity (rows each)
    int64_t smallest[QUANTITIES]; // steps in the bucket at hand where the extremes are; -1: none yet
    int64_t largest[QUANTITIES];
    worst_value worst[QUANTITIES];
    json_t *broken_steps, *broken_times;
    int64_t broken_count, broken_stride;
} gathering;

static double *row_of(const gathering *g, int q, int64_t row) {
    return &g->values[(int64_t)q * g->rows + row];
}

// The bucket's two rows: first and last of step and time, of the others the extremes. While the bucket is filled, they
// are smallest and largest; afterwards in the order in which they occur.
static void widen_bucket(gathering *g, int64_t row, int64_t place, const double value[QUANTITIES]) {
    bool first = place == 0;
    for (int q = 0; q < QUANTITIES; q++) {
        double *low = row_of(g, q, row), *high = low + 1;
        if (q == STEP || q == TIME) {
            if (first) *low = value[q];
            *high = value[q];
            continue;
        }
        if (first) {
            *low = *high = NAN;
            g->smallest[q] = g->largest[q] = -1;
        }
        if (isnan(value[q])) continue;
        if (g->smallest[q] < 0 || value[q] < *low) *low = value[q], g->smallest[q] = place;
        if (g->largest[q] < 0 || value[q] > *high) *high = value[q], g->largest[q] = place;
    }
}

static void order_bucket(gathering *g, int64_t row) {
    for (int q = TIME + 1; q < QUANTITIES; q++) {
        if (g->smallest[q] <= g->largest[q]) continue;
        double *low = row_of(g, q, row), swap = low[0];
        low[0] = low[1];
        low[1] = swap;
    }
}

static void note_broken(gathering *g, const carom_certificate *c) {
    if (c->good) return;
    if (g->broken_count++ % g->broken_stride != 0) return;
    json_array_append_new(g->broken_steps, json_integer(c->step));
    json_array_append_new(g->broken_times, crm_tree_number(c->time));
}

static void gather(gathering *g, int64_t index, int64_t count, const carom_certificate *c) {
    double value[QUANTITIES];
    numbers_of(c, value);
    for (int q = 0; q < QUANTITIES; q++)
        if (!(fabs(value[q]) <= fabs(g->worst[q].value))) g->worst[q] = (worst_value){value[q], c->step};
    note_broken(g, c);
    if (g->bucket == 1) {
        for (int q = 0; q < QUANTITIES; q++) *row_of(g, q, index) = value[q];
        return;
    }
    int64_t row = 2 * (index / g->bucket), place = index % g->bucket;
    widen_bucket(g, row, place, value);
    if (place == g->bucket - 1 || index == count - 1) order_bucket(g, row);
}

static carom_status gather_all(const crm_report *report, gathering *g, carom_error *error) {
    int64_t count = report->info.certificate_count;
    carom_certificate *some = malloc(AT_ONCE * sizeof *some);
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

// Of most methods, and of all before format 4, nothing is known of projections and impacts.
static bool is_known(const gathering *g, int q) {
    if (q < PROJECTION_ENERGY) return true;
    if (q == IMPACT_ENERGY) return g->worst[q].value != 0.0;
    for (int p = PROJECTION_ENERGY; p <= PROJECTION_LZ; p++)
        if (g->worst[p].value != 0.0) return true;
    return false;
}

static carom_status add_blobs(crm_report *report, const gathering *g, carom_error *error) {
    carom_status status = CAROM_OK;
    for (int q = 0; q < QUANTITIES && status == CAROM_OK; q++) {
        char name[CRM_BLOB_NAME];
        snprintf(name, sizeof name, "certificate_%s", quantity[q].name);
        if (q == JOINT_DRIFT && report->info.joint_count == 0) continue;
        if (q >= CONTACTS && report->info.most_contacts == 0) continue;
        if (!is_known(g, q)) continue;
        status = (quantity[q].exact ? crm_blobs_add_f64 : crm_blobs_add_f32)(&report->blobs, name, g->rows,
                                                                             row_of(g, q, 0), error);
    }
    return status;
}

// A row of the table; `bound` infinite: reported only.
static void add_row(json_t *table, const char *name, const char *unit, worst_value worst, double bound) {
    json_t *row = json_object();
    const char *verdict = isinf(bound) ? "reported" : worst.value <= bound ? "kept" : "broken";
    json_object_set_new(row, "quantity", json_string(name));
    json_object_set_new(row, "worst", crm_tree_number(worst.value));
    json_object_set_new(row, "bound", crm_tree_number(bound));
    json_object_set_new(row, "unit", json_string(unit));
    json_object_set_new(row, "verdict", json_string(verdict));
    json_object_set_new(row, "step", worst.step >= 0 ? json_integer(worst.step) : json_null());
    json_array_append_new(table, row);
}

static void add_table(crm_report *report, const gathering *g) {
    const carom_recording_info *info = &report->info;
    // Without the scene nobody knows the tolerances that were asked for.
    carom_contract contract = {INFINITY, INFINITY, INFINITY};
    if (report->scene != NULL) contract = carom_method_contract(carom_scene_method(report->scene));
    json_t *table = json_array();
    add_row(table, "momentum balance", "", g->worst[MOMENTUM_BALANCE], contract.momentum_balance);
    if (info->most_iterations > 0) add_row(table, "residual", "", g->worst[RESIDUAL], contract.residual);
    if (info->joint_count > 0) add_row(table, "joint drift", "", g->worst[JOINT_DRIFT], contract.joint_drift);
    add_row(table, "energy balance of a step", "J", g->worst[ENERGY_BALANCE], INFINITY);
    add_row(table, "change of energy", "J", (worst_value){info->largest_energy_change, -1}, INFINITY);
    add_row(table, "iterations of a step", "", g->worst[ITERATIONS], INFINITY);
    if (info->divided_steps > 0) add_row(table, "parts of a step", "", g->worst[SUBSTEPS], INFINITY);
    if (info->most_contacts > 0) {
        add_row(table, "contacts of a step", "", g->worst[CONTACTS], INFINITY);
        add_row(table, "infeasibility", "", g->worst[INFEASIBILITY], INFINITY);
        add_row(table, "mean infeasibility of a step", "", g->worst[MEAN_INFEASIBILITY], INFINITY);
        add_row(table, "work of friction in a step", "J", g->worst[FRICTION_WORK], INFINITY);
        if (is_known(g, PROJECTION_ENERGY)) {
            add_row(table, "projection energy of a step", "J", g->worst[PROJECTION_ENERGY], INFINITY);
            add_row(table, "projection momentum of a step", "kg m\u00b2/s",
                    (worst_value){info->largest_projection_momentum, -1}, INFINITY);
        }
        if (is_known(g, IMPACT_ENERGY))
            add_row(table, "impact energy of a step", "J", g->worst[IMPACT_ENERGY], INFINITY);
    }
    json_object_set_new(report->header, "certificate", table);
}

carom_status crm_report_certificates(crm_report *report, carom_error *error) {
    int64_t count = report->info.certificate_count, broken = report->info.broken_steps;
    gathering g = {
        .bucket = 1, .rows = count, .broken_stride = broken > MOST_BROKEN ? (broken - 1) / MOST_BROKEN + 1 : 1};
    if (count > MOST_ROWS) {
        g.bucket = (count + MOST_BUCKETS - 1) / MOST_BUCKETS;
        g.rows = 2 * ((count + g.bucket - 1) / g.bucket);
        json_object_set_new(report->header, "certificate_bucket", json_integer(g.bucket));
    }
    for (int q = 0; q < QUANTITIES; q++) g.worst[q] = (worst_value){NAN, -1};
    g.values = malloc((size_t)(g.rows + 1) * QUANTITIES * sizeof *g.values);
    if (g.values == NULL) return crm_fail_memory(error, "report", (size_t)g.rows * QUANTITIES * sizeof *g.values);
    g.broken_steps = json_array();
    g.broken_times = json_array();
    carom_status status = gather_all(report, &g, error);
    if (status == CAROM_OK && count > 0) status = add_blobs(report, &g, error);
    add_table(report, &g);
    report->rows = g.rows;
    json_t *about = json_object();
    json_object_set_new(about, "count", json_integer(broken));
    json_object_set_new(about, "steps", g.broken_steps);
    json_object_set_new(about, "times", g.broken_times);
    json_object_set_new(report->header, "broken_steps", about);
    free(g.values);
    return status;
}

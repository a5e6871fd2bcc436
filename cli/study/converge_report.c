// SPDX-License-Identifier: MIT
#include "study/converge_report.h"

#include <math.h>
#include <stdlib.h>

#include "run/run_summary.h"
#include "study/convergence.h"
#include "verb/verb.h"

// ---- before the runs

static int begin_rows(converge_report *report, converge_curve *curve) {
    curve->rows = calloc((size_t)report->row_count, sizeof *curve->rows);
    if (curve->rows == NULL) return refuse_memory("the study");
    const study *s = &report->study;
    int code = EXIT_GOOD;
    for (int i = 0; i < report->row_count && code == EXIT_GOOD; i++) {
        converge_row *row = &curve->rows[i];
        row->step = ldexp(s->step, -i);
        row->compared = report->def->reference != NULL || i + 1 < report->row_count;
        row->bodies = malloc((size_t)s->body_count * sizeof *row->bodies);
        if (row->bodies == NULL) return refuse_memory("the study");
        code = begin_trial(&row->trial, curve->course.scene, row->step, (int64_t)1 << i);
    }
    return code;
}

static int begin_curves(converge_report *report) {
    int count = report->methods.count, refused = 0, code = EXIT_GOOD;
    report->curves = calloc((size_t)count, sizeof *report->curves);
    if (report->curves == NULL) return refuse_memory("the study");
    for (int i = 0; i < count && code == EXIT_GOOD; i++) {
        converge_curve *curve = &report->curves[i];
        const method_choice *choice = &report->methods.items[i];
        if (choice->step > 0.0)
            return refuse("--methods %s: the steps are those of --halvings; '--set method.step=%g' sets the longest",
                          choice->title, choice->step);
        code = begin_course(&curve->course, &report->study, choice);
        refused += curve->course.refusal[0] != '\0';
        if (code == EXIT_GOOD && curve->course.scene != NULL) code = begin_rows(report, curve);
        if (curve->rows != NULL && report->first == NULL) report->first = curve;
    }
    if (code == EXIT_GOOD && refused == count)
        return refuse("%s: no method takes the scene: %s", report->study.file, report->curves[0].course.refusal);
    return code;
}

static int begin_samples(converge_report *report) {
    study *s = &report->study;
    const converge_def *def = report->def;
    double finest = ldexp(s->step, -def->halvings);
    if (steps_a_step(s, "--halvings", finest) == 0) return EXIT_BAD_INPUT;
    int code =
        def->reference != NULL ? begin_reference(&report->reference, def->reference, s, finest) : sample_evenly(s);
    if (code != EXIT_GOOD || !def->at_end) return code;
    s->sample[0] = s->sample[s->sample_count - 1];
    if (report->reference.frame != NULL) report->reference.frame[0] = report->reference.frame[s->sample_count - 1];
    s->sample_count = 1;
    return EXIT_GOOD;
}

// ---- at each common time

static void compare_curve(converge_report *report, converge_curve *curve, int64_t index) {
    const study *s = &report->study;
    double time = sample_time(s, index);
    for (int i = 0; i < report->row_count; i++)
        read_bodies(curve->rows[i].trial.state, s->body_count, curve->rows[i].bodies);
    for (int i = 0; i < report->row_count; i++) {
        converge_row *row = &curve->rows[i], *next = i + 1 < report->row_count ? row + 1 : NULL;
        bool self = report->def->reference == NULL;
        if (row->trial.stopped || (self && (next == NULL || next->trial.stopped))) row->compared = false;
        if (!row->compared) continue;
        widen(&row->spread, time, s->body_count, row->bodies, self ? next->bodies : report->reference.bodies);
    }
}

static int compare_all(void *context, int64_t index) {
    converge_report *report = context;
    const study *s = &report->study;
    int last = report->row_count - 1;
    if (report->def->reference != NULL) {
        int code = read_reference(&report->reference, s, index);
        if (code != EXIT_GOOD) return code;
    }
    for (int i = 0; i < report->methods.count; i++) {
        converge_curve *curve = &report->curves[i];
        if (curve->rows == NULL) continue;
        compare_curve(report, curve, index);
        const converge_row *finest = &curve->rows[last], *first = &report->first->rows[last];
        if (curve == report->first || finest->trial.stopped || first->trial.stopped) curve->to_first_known = false;
        if (!curve->to_first_known) continue;
        widen(&curve->to_first, sample_time(s, index), s->body_count, finest->bodies, first->bodies);
    }
    return EXIT_GOOD;
}

static int run_all(converge_report *report) {
    int count = 0;
    trial **trials = calloc((size_t)(report->methods.count * report->row_count + 1), sizeof *trials);
    if (trials == NULL) return refuse_memory("the study");
    for (int i = 0; i < report->methods.count; i++) {
        converge_curve *curve = &report->curves[i];
        curve->to_first_known = true;
        for (int k = 0; curve->rows != NULL && k < report->row_count; k++) trials[count++] = &curve->rows[k].trial;
    }
    if (report->reference.trial.state != NULL) trials[count++] = &report->reference.trial;
    int code = run_study(&report->study, trials, count, compare_all, report, report->def->show_progress);
    free(trials);
    return code;
}

// ---- after the runs

// Orders and errors of one quantity down the rows.
static int conclude(converge_report *report, converge_curve *curve, quantity what) {
    int count = report->row_count;
    double *difference = malloc(2 * (size_t)count * sizeof *difference), *error = difference + count, size = 0.0;
    if (difference == NULL) return refuse_memory("the study");
    for (int i = 0; i < count; i++) {
        const converge_row *row = &curve->rows[i];
        difference[i] = row->compared ? row->spread.largest[what] : NAN;
        if (row->compared) size = row->spread.size[what]; // the finest: a run that runs away says nothing about it
    }
    double floor = ROUNDING_SHARE * size;
    report->rounding[what] = fmax(report->rounding[what], floor);
    if (report->def->reference == NULL) estimate_errors(difference, count, floor, error);
    for (int i = 0; i < count; i++) {
        converge_row *row = &curve->rows[i];
        row->difference[what] = difference[i];
        row->order[what] = i > 0 ? observed_order(difference[i - 1], difference[i], floor) : NAN;
        row->error[what] = report->def->reference == NULL ? error[i] : difference[i];
        if (difference[i] > floor) curve->exact = false;
        if (difference[i] > 0.0) report->differs[what] = true;
    }
    bool steady;
    curve->order[what] = final_order(difference, count, floor, &steady);
    if (!isnan(curve->order[what]) && !steady) curve->steady = false;
    curve->least_order = fmin(curve->least_order, curve->order[what]); // which passes NAN over
    free(difference);
    return EXIT_GOOD;
}

int make_converge_report(converge_report *report, const converge_def *def) {
    *report = (converge_report){.def = def, .row_count = def->halvings + 1};
    int code = read_methods(def->methods, &report->methods);
    if (code == EXIT_GOOD) code = begin_study(&report->study, def->scene_file, &def->set, def->limit, def->until, 0.0);
    if (code == EXIT_GOOD) code = begin_samples(report);
    if (code == EXIT_GOOD) code = begin_curves(report);
    if (code == EXIT_GOOD) code = run_all(report);
    for (int i = 0; i < report->methods.count && code == EXIT_GOOD; i++) {
        converge_curve *curve = &report->curves[i];
        curve->least_order = NAN;
        curve->exact = curve->steady = true;
        for (int what = 0; what < QUANTITY_COUNT && curve->rows != NULL && code == EXIT_GOOD; what++)
            code = conclude(report, curve, (quantity)what);
    }
    return code;
}

void free_converge_report(converge_report *report) {
    for (int i = 0; report->curves != NULL && i < report->methods.count; i++) {
        converge_curve *curve = &report->curves[i];
        for (int k = 0; curve->rows != NULL && k < report->row_count; k++) {
            end_trial(&curve->rows[k].trial);
            free(curve->rows[k].bodies);
        }
        free(curve->rows);
        end_course(&curve->course);
    }
    free(report->curves);
    end_reference(&report->reference);
    free_methods(&report->methods);
    end_study(&report->study);
}

const trial *finest_run(const converge_report *report, const converge_curve *curve) {
    return curve->rows != NULL ? &curve->rows[report->row_count - 1].trial : NULL;
}

static bool has_two_ends(const converge_report *report, const converge_curve *curve) {
    int finished = 0;
    for (int k = 0; curve->rows != NULL && k < report->row_count; k++) finished += !curve->rows[k].trial.stopped;
    return finished >= 2;
}

int conclude_converge_report(const converge_report *report) {
    int code = EXIT_NOT_TRUSTWORTHY;
    for (int i = 0; i < report->methods.count; i++)
        if (has_two_ends(report, &report->curves[i])) code = EXIT_GOOD;
    for (int i = 0; i < report->methods.count && code == EXIT_GOOD; i++) {
        const trial *finest = finest_run(report, &report->curves[i]);
        if (finest != NULL) code = exit_code_of(trial_verdict(finest).colour, report->def->strict);
    }
    return code;
}

// SPDX-License-Identifier: MIT
// The tables of a study of convergence, for a person with a hundred columns.
#include <math.h>
#include <stdlib.h>

#include "base/text.h"
#include "study/converge_report.h"

static void print_order(FILE *to, double order) {
    if (isnan(order))
        fprintf(to, "%6s", "-");
    else
        fprintf(to, "%6.2f", order);
}

static void print_head(FILE *to, const bool *shown, bool joints) {
    fprintf(to, "%12s", "");
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (shown[i]) fprintf(to, "%9s%6s", quantity_names[i], "");
    fprintf(to, "%9s%s%9s\n%12s", "energy", joints ? "    joint" : "", "time", "step s");
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (shown[i]) fprintf(to, "%9s%6s", quantity_units[i], "order");
    fprintf(to, "%9s%s%9s\n", "drift", joints ? "    drift" : "", "a step");
}

static void print_row(FILE *to, const bool *shown, const converge_row *row) {
    fprintf(to, "%12.6g", row->step);
    if (row->trial.stopped) {
        char text[400];
        snprintf(text, sizeof text, "stopped at t = %.6g s: %s", carom_state_time(row->trial.state), row->trial.why);
        fputs("  ", to);
        print_wrapped(to, 14, text);
        return;
    }
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        if (!shown[i]) continue;
        print_cell(to, 9, 2, row->difference[i]);
        print_order(to, row->order[i]);
    }
    char time[SHOWN_TIME];
    print_cell(to, 9, 1, energy_drift(&row->trial));
    if (has_joints(row->trial.scene)) print_cell(to, 9, 1, joint_drift(&row->trial));
    fprintf(to, "%9s\n", show_time(seconds_a_step(&row->trial), time));
}

static bool has_contacts(const converge_report *report, const converge_curve *curve) {
    for (int i = 0; curve->rows != NULL && i < report->row_count; i++)
        if (curve->rows[i].trial.summary.most_contacts > 0) return true;
    return false;
}

static void print_final_order(FILE *to, const converge_report *report, const converge_curve *curve) {
    if (isnan(curve->least_order)) {
        bool known = false;
        for (int i = 0; i < report->row_count; i++) known |= curve->rows[i].compared;
        fprintf(to, "order -: %s\n",
                !known         ? "no two runs reached the end"
                : curve->exact ? "the runs agree to rounding at every step"
                               : "needs three runs whose differences are above rounding");
        return;
    }
    fprintf(to, "order %.2f", curve->least_order);
    const char *separator = ": ";
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        if (isnan(curve->order[i])) continue;
        fprintf(to, "%s%s %.2f", separator, quantity_names[i], curve->order[i]);
        separator = ", ";
    }
    fputs(curve->steady ? "\n"
          : report->def->reference != NULL
              ? "; not steady, the steps are too long, or the reference is not exact enough\n"
              : "; not steady, the steps are still too long for this time\n",
          to);
    if (curve->steady || !has_contacts(report, curve)) return;
    fputs("  impacts fall at other times in every run, between which velocities differ by all of the impact:\n"
          "  --until can end before them",
          to);
    fputs(report->def->at_end ? "\n" : ", --at-end compares after them\n", to);
}

// That of the shortest step is the method's.
static void print_verdicts(FILE *to, const converge_report *report, const converge_curve *curve) {
    carom_verdict finest = trial_verdict(finest_run(report, curve));
    bool same = true;
    for (int i = 0; i < report->row_count; i++) same &= trial_verdict(&curve->rows[i].trial).colour == finest.colour;
    fputs("verdict ", to);
    for (int i = 0; i < report->row_count && !same; i++)
        fprintf(to, "%s%s", i > 0 ? ", " : "", carom_colour_name(trial_verdict(&curve->rows[i].trial).colour));
    fprintf(to, "%s\n", same ? carom_colour_name(finest.colour) : " from the longest step to the shortest");
    if (finest.colour == CAROM_COLOUR_GREEN) return;
    fputs("  ", to);
    print_wrapped(to, 2, finest.sentence);
}

static void print_curve(FILE *to, const converge_report *report, const converge_curve *curve) {
    fputc('\n', to);
    if (curve->rows == NULL) {
        char text[CAROM_ERROR_TEXT_SIZE + 256];
        snprintf(text, sizeof text, "%.200s: %s", curve->course.choice->title, curve->course.refusal);
        print_wrapped(to, 2, text);
        return;
    }
    print_clean(to, curve->course.choice->title);
    if (report->def->reference != NULL)
        fputs(": errors against the reference\n", to);
    else
        fputs(": differences to the run with half the step\n", to);
    print_head(to, report->differs, has_joints(report->study.scene));
    for (int i = 0; i < report->row_count; i++) print_row(to, report->differs, &curve->rows[i]);
    print_verdicts(to, report, curve);
    print_final_order(to, report, curve);
}

// ---- error against cost

typedef struct cost_row {
    const char *title;
    const converge_row *row;
} cost_row;

static int by_cost(const void *a, const void *b) {
    double of_a = seconds_in_all(&((const cost_row *)a)->row->trial);
    double of_b = seconds_in_all(&((const cost_row *)b)->row->trial);
    return (of_a > of_b) - (of_a < of_b);
}

// Whether `a` is at least as exact as `b` in every quantity, but for rounding. What is not known is never exact.
static bool as_exact(const converge_report *report, const converge_row *a, const converge_row *b) {
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (!(a->error[i] <= fmax(b->error[i], report->rounding[i]))) return false;
    return true;
}

static void print_cost(FILE *to, const converge_report *report) {
    int count = 0;
    cost_row *rows = calloc((size_t)(report->methods.count * report->row_count), sizeof *rows);
    if (rows == NULL) return;
    for (int i = 0; i < report->methods.count; i++) {
        const converge_curve *curve = &report->curves[i];
        for (int k = 0; curve->rows != NULL && k < report->row_count; k++)
            if (!curve->rows[k].trial.stopped) rows[count++] = (cost_row){curve->course.choice->title, &curve->rows[k]};
    }
    qsort(rows, (size_t)count, sizeof *rows, by_cost);
    fprintf(to, "\n%s against cost, cheapest first; * nothing cheaper here is as exact\n",
            report->def->reference != NULL ? "error" : "estimated error");
    fprintf(to, "  %-24s%12s%16s", "method", "step s", "processor time");
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (report->differs[i]) fprintf(to, "%11s", quantity_names[i]);
    fputc('\n', to);
    for (int i = 0; i < count; i++) {
        const converge_row *row = rows[i].row;
        bool beaten = false, known = true;
        for (int k = 0; k < i; k++) beaten |= as_exact(report, rows[k].row, row);
        for (int k = 0; k < QUANTITY_COUNT; k++) known &= !isnan(row->error[k]);
        char title[25], time[SHOWN_TIME];
        snprintf(title, sizeof title, "%-24.23s", rows[i].title);
        fprintf(to, "%c ", known && !beaten ? '*' : ' ');
        print_clean(to, title);
        fprintf(to, "%12.6g%16s", row->step, show_time(seconds_in_all(&row->trial), time));
        for (int k = 0; k < QUANTITY_COUNT; k++)
            if (report->differs[k]) print_cell(to, 11, 2, row->error[k]);
        fputc('\n', to);
    }
    free(rows);
}

// ---- do the methods agree?

// Differences above this multiple of the estimated errors are not explained by them.
static const double explained_factor = 2.0;

static void print_agreement(FILE *to, const converge_report *report, const converge_curve *curve) {
    const converge_row *own = &curve->rows[report->row_count - 1], *first = &report->first->rows[report->row_count - 1];
    bool explained = true, known = true, same = true;
    char text[512];
    int used = snprintf(text, sizeof text, "finest runs of %.100s and %.100s", report->first->course.choice->title,
                        curve->course.choice->title);
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        double gap = curve->to_first.largest[i], errors = own->error[i] + first->error[i];
        if (!(gap > 0.0)) continue;
        used += snprintf(text + used, sizeof text - (size_t)used, "%s%.1e %s", same ? " differ by " : ", ", gap,
                         quantity_units[i]);
        same = false;
        known &= !isnan(errors);
        explained &= gap <= fmax(explained_factor * errors, ROUNDING_SHARE * curve->to_first.size[i]);
    }
    snprintf(text + used, sizeof text - (size_t)used, "%s", same ? " are the same to the bit" : ":");
    fputc('\n', to);
    print_broken(to, ',', 0, 2, text);
    if (same) return;
    fprintf(to, "  %s\n",
            explained ? "as their estimated errors let expect"
            : known   ? "more than their estimated errors explain; they tend to different motions"
                      : "the order of one is not steady, so its error is not known");
}

// Quantities that are the same everywhere have no columns.
static void print_sameness(FILE *to, const converge_report *report) {
    const char *separator = "the same to the bit in all runs that are compared: ";
    bool any = false;
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        if (report->differs[i]) continue;
        fprintf(to, "%s%s", separator, quantity_names[i]);
        separator = ", ";
        any = true;
    }
    if (any) fputc('\n', to);
}

void print_converge_text(FILE *to, const converge_report *report) {
    const study *s = &report->study;
    print_clean(to, s->file);
    fprintf(to, " to t = %.6g s, %d bod%s\nthe largest difference over the bodies ", study_end(s), s->body_count,
            s->body_count == 1 ? "y" : "ies");
    if (report->def->at_end)
        fputs("at the end\n", to);
    else
        fprintf(to, "and %lld common time%s\n", (long long)s->sample_count, s->sample_count == 1 ? "" : "s");
    if (report->def->reference != NULL) {
        fputs("reference: ", to);
        print_clean(to, report->reference.title);
        fputc('\n', to);
    }
    print_sameness(to, report);
    bool contacts = false;
    for (int i = 0; i < report->methods.count; i++) contacts |= has_contacts(report, &report->curves[i]);
    if (contacts) fputs("bodies touch: energy drift counts what impacts and friction take\n", to);
    for (int i = 0; i < report->methods.count; i++) print_curve(to, report, &report->curves[i]);
    print_cost(to, report);
    if (report->def->reference != NULL) return;
    for (int i = 0; i < report->methods.count; i++)
        if (report->curves[i].rows != NULL && report->curves[i].to_first_known)
            print_agreement(to, report, &report->curves[i]);
}

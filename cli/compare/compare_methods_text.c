// SPDX-License-Identifier: MIT
// Methods side by side, for a person with a hundred columns.
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "compare/compare_methods.h"
#include "run/summary_items.h"

enum { LABEL_WIDTH = 22, LEAST_SIDE_WIDTH = 20, MOST_SIDE_WIDTH = 80, SIDES_WIDTH = 80 };

// ---- what each certifies

// Rows of the table: facts of the run, the quantities of certificates that are compared, and again facts.
typedef enum fact {
    FACT_STEP,
    FACT_STEPS,
    FACT_ENERGY,
    FACT_QUANTITIES,
    FACT_CONTRACT,
    FACT_VERDICT,
    FACT_TIME,
    FACT_STEP_TIME,
    FACT_HASH,
    FACT_COUNT
} fact;

static const char *const fact_labels[FACT_COUNT] = {
    [FACT_STEP] = "step",         [FACT_STEPS] = "steps",     [FACT_ENERGY] = "energy drift",
    [FACT_CONTRACT] = "contract", [FACT_VERDICT] = "verdict", [FACT_TIME] = "processor time",
    [FACT_STEP_TIME] = "a step",  [FACT_HASH] = "hash"};

static void show_fact(fact what, const method_side *side, char shown[SHOWN_FACT]) {
    const trial *t = &side->trial;
    int64_t broken = t->summary.broken_steps;
    char time[SHOWN_TIME];
    switch (what) {
    case FACT_STEP:
        snprintf(shown, SHOWN_FACT, "%.6g s", side->step);
        return;
    case FACT_STEPS:
        snprintf(shown, SHOWN_FACT, "%" PRId64 "%s", carom_state_step_count(t->state), t->stopped ? ", stopped" : "");
        return;
    case FACT_ENERGY:
        snprintf(shown, SHOWN_FACT, isnan(energy_drift(t)) ? "-" : "%.1e", energy_drift(t));
        return;
    case FACT_CONTRACT:
        snprintf(shown, SHOWN_FACT, broken > 0 ? "BROKEN in %" PRId64 : "kept", broken);
        return;
    case FACT_VERDICT:
        snprintf(shown, SHOWN_FACT, "%s", carom_colour_name(trial_verdict(t).colour));
        return;
    case FACT_TIME:
        snprintf(shown, SHOWN_FACT, "%s", show_time(seconds_in_all(t), time));
        return;
    case FACT_STEP_TIME:
        snprintf(shown, SHOWN_FACT, "%s", show_time(seconds_a_step(t), time));
        return;
    default:
        snprintf(shown, SHOWN_FACT, "%016" PRIx64, carom_state_hash(t->state));
        return;
    }
}

void show_quantity(const carom_quantity *quantity, const method_side *side, char shown[SHOWN_FACT]) {
    const carom_summary *summary = &side->trial.summary;
    double value = compared_value(quantity, summary);
    bool count = quantity->summary[0].type == CAROM_QUANTITY_COUNT;
    bool contacts = quantity->scope == CAROM_SCOPE_CONTACTS;
    bool equations = quantity->scope == CAROM_SCOPE_EQUATIONS;
    if (contacts && count && !carom_method_has_contact(side->course.choice->method))
        snprintf(shown, SHOWN_FACT, "knows none");
    else if ((equations && summary->most_iterations == 0) || (quantity->rare && value == quantity->usual))
        snprintf(shown, SHOWN_FACT, "-");
    else if (count)
        snprintf(shown, SHOWN_FACT, "%.0f at most", value);
    else
        snprintf(shown, SHOWN_FACT, "%.1e%s%s", value, quantity->unit[0] != '\0' ? " " : "", quantity->unit);
}

bool tells_of(const carom_quantity *quantity, const method_side *side) {
    const trial *t = &side->trial;
    if (quantity->scope == CAROM_SCOPE_JOINTS && !has_joints(t->scene)) return false;
    if (quantity->scope == CAROM_SCOPE_CONTACTS && t->summary.most_contacts == 0) return false;
    return !quantity->rare || compared_value(quantity, &t->summary) != quantity->usual;
}

static void print_label(FILE *to, const char *label) {
    fprintf(to, "  %-*s", LABEL_WIDTH - 2, label);
}

static void print_quantities(FILE *to, int width, const method_side *const *sides, int side_count) {
    int count;
    const carom_quantity *quantities = carom_quantities(&count);
    for (int q = 0; q < count; q++) {
        bool told = false;
        for (int i = 0; i < side_count && quantities[q].compared; i++) told |= tells_of(&quantities[q], sides[i]);
        if (!told) continue;
        print_label(to, quantities[q].label);
        for (int i = 0; i < side_count; i++) {
            char shown[SHOWN_FACT];
            show_quantity(&quantities[q], sides[i], shown);
            fprintf(to, "%*s", width, shown);
        }
        fputc('\n', to);
    }
}

static void print_facts(FILE *to, int width, const method_side *const *sides, int count) {
    fprintf(to, "\n%*s", LABEL_WIDTH, "");
    for (int i = 0; i < count; i++) {
        char title[MOST_SIDE_WIDTH + 1];
        snprintf(title, sizeof title, "%*.*s", width, width - 1, sides[i]->course.choice->title);
        print_clean(to, title);
    }
    fputc('\n', to);
    for (int what = 0; what < FACT_COUNT; what++) {
        if (what == FACT_QUANTITIES) {
            print_quantities(to, width, sides, count);
            continue;
        }
        print_label(to, fact_labels[what]);
        for (int i = 0; i < count; i++) {
            char shown[SHOWN_FACT];
            show_fact((fact)what, sides[i], shown);
            fprintf(to, "%*s", width, shown);
        }
        fputc('\n', to);
    }
}

// ---- differences over time

static void print_period(FILE *to, const char *label, const period *p) {
    fprintf(to, "%12s", label);
    for (int i = 0; i < QUANTITY_COUNT; i++) print_cell(to, 12, 2, p->known ? p->spread.largest[i] : NAN);
    print_cell(to, 12, 2, p->known ? p->energy : NAN);
    print_cell(to, 12, 2, p->known ? p->momentum : NAN);
    print_cell(to, 12, 2, p->known ? p->angular_momentum : NAN);
    fputc('\n', to);
}

static void print_where(FILE *to, const methods_comparison *c, const spread *s) {
    for (int i = 0; i < QUANTITY_COUNT; i++) {
        if (!(s->largest[i] > 0.0)) continue;
        const char *name = carom_model_body_name(carom_scene_model(c->study.scene), (carom_body){s->body[i]});
        fprintf(to, "  largest %s difference: body '", quantity_names[i]);
        print_clean(to, name != NULL ? name : "");
        fprintf(to, "' at t = %.6g s\n", s->time[i]);
    }
}

static void print_stop(FILE *to, const method_side *side) {
    if (!side->trial.stopped) return;
    char text[512];
    snprintf(text, sizeof text, "%.60s stopped at t = %.6g s: %s", side->course.choice->title,
             carom_state_time(side->trial.state), side->trial.why);
    fputs("  ", to);
    print_wrapped(to, 2, text);
}

static bool is_zero(const period *p) {
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (p->spread.largest[i] != 0.0) return false;
    return p->energy == 0.0 && p->momentum == 0.0 && p->angular_momentum == 0.0;
}

static void print_periods(FILE *to, const method_side *side) {
    fputs(": the largest differences in each tenth of the time\n", to);
    fprintf(to, "%12s%12s%12s%12s%12s%12s%12s%12s\n", "", "position", "attitude", "velocity", "spin", "energy",
            "momentum", "ang. mom.");
    fprintf(to, "%12s%12s%12s%12s%12s%12s%12s%12s\n", "to t, s", "m", "rad", "m/s", "rad/s", "J", "kg m/s", "kg m^2/s");
    for (int i = 0; i < PERIOD_COUNT; i++) {
        const period *p = &side->periods[i];
        char label[32];
        snprintf(label, sizeof label, "%.6g", p->until);
        if (p->until > 0.0) print_period(to, label, p);
    }
    print_period(to, "all", &side->all);
}

static void print_side(FILE *to, const methods_comparison *c, const method_side *side) {
    fputc('\n', to);
    print_clean(to, side->course.choice->title);
    fputs(" against ", to);
    print_clean(to, c->first->course.choice->title);
    if (side_agrees(c, side) && is_zero(&side->all)) {
        fputs(": no difference at all\n", to);
        return;
    }
    print_periods(to, side);
    print_where(to, c, &side->all.spread);
    print_stop(to, c->first);
    print_stop(to, side);
    fprintf(to, "  %s", side_agrees(c, side) ? "agrees" : "differs");
    if (c->def->tolerance > 0.0)
        fprintf(to, side_agrees(c, side) ? " within the tolerance of %g" : " by more than the tolerance of %g",
                c->def->tolerance);
    fputc('\n', to);
}

// As many methods in a table as their names leave room for.
static void print_certificates(FILE *to, const methods_comparison *c) {
    int width = LEAST_SIDE_WIDTH, grouped = 0;
    for (int i = 0; i < c->methods.count; i++) {
        int length = (int)strlen(c->methods.items[i].title) + 2;
        if (length > width) width = length < MOST_SIDE_WIDTH ? length : MOST_SIDE_WIDTH;
    }
    const method_side *columns[SIDES_WIDTH / LEAST_SIDE_WIDTH];
    for (int i = 0; i < c->methods.count; i++) {
        if (c->sides[i].trial.state != NULL) columns[grouped++] = &c->sides[i];
        if (grouped == 0 || (grouped < SIDES_WIDTH / width && i + 1 < c->methods.count)) continue;
        print_facts(to, width, columns, grouped);
        grouped = 0;
    }
}

// The sentences of verdicts that are not green.
static void print_verdicts(FILE *to, const methods_comparison *c) {
    for (int i = 0; i < c->methods.count; i++) {
        const method_side *side = &c->sides[i];
        if (side->trial.state == NULL) continue;
        carom_verdict verdict = trial_verdict(&side->trial);
        if (verdict.colour == CAROM_COLOUR_GREEN) continue;
        char text[sizeof verdict.sentence + 100];
        snprintf(text, sizeof text, "%.60s is %s: %s", side->course.choice->title, carom_colour_name(verdict.colour),
                 verdict.sentence);
        fputs("  ", to);
        print_wrapped(to, 2, text);
    }
}

void print_methods_text(FILE *to, const methods_comparison *c) {
    const study *s = &c->study;
    print_clean(to, s->file);
    fprintf(to, " to t = %.6g s, %d bod%s, compared at %lld common times\n", study_end(s), s->body_count,
            s->body_count == 1 ? "y" : "ies", (long long)s->sample_count);
    for (int i = 0; i < c->methods.count; i++) {
        if (!c->sides[i].interpolated) continue;
        print_clean(to, c->sides[i].course.choice->title);
        fputs(" is interpolated between its steps, by cubics of pose and velocity\n", to);
    }
    print_certificates(to, c);
    print_verdicts(to, c);
    for (int i = 0; i < c->methods.count; i++) {
        const method_side *side = &c->sides[i];
        if (side->trial.state != NULL && side != c->first) print_side(to, c, side);
        if (side->trial.state != NULL) continue;
        fputc('\n', to);
        print_clean(to, side->course.choice->title);
        fputs(": ", to);
        print_wrapped(to, 2, side->course.refusal);
    }
}

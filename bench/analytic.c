// SPDX-License-Identifier: MIT
// Experiments with a closed form, by every method that takes them: what each answers, how far that is off, and which
// colour the verdict on the run has. Prints the tables of docs/analytic.md. A wrong answer may not be green: exit code
// 1 if one is. --short takes less time of each; --only WORD those experiments whose name has the word.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analytic/experiment.h"
#include "support/report.h"

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- one run

typedef struct choice {
    const char *title;
    bool springs; // its contacts are springs that keep energy, as well as the step resolves them
    const char *overrides[2];
    int count;
} choice;

// Those with friction first.
enum { WITH_FRICTION = 5 };
static const choice of_contact[] = {
    {"lcp", false, {"method.name=lcp"}, 1},
    {"dcr", false, {"method.name=dcr"}, 1},
    {"impulse, events", false, {"method.name=impulse", "method.impulse.variant=events"}, 2},
    {"impulse, fixed", false, {"method.name=impulse", "method.impulse.variant=fixed"}, 2},
    {"penalty", false, {"method.name=penalty"}, 1},
    {"exact", false, {"method.name=exact"}, 1},
    // Their contacts are springs that these steps resolve; the usual one is refused.
    {"potential, 0.2 ms", true, {"method.name=potential", "method.step=2e-4"}, 2},
    {"newmark, 0.2 ms", true, {"method.name=newmark", "method.step=2e-4"}, 2},
};
static const choice of_joints[] = {
    {"lcp", false, {"method.name=lcp"}, 1},
    {"dcr", false, {"method.name=dcr"}, 1},
    {"impulse, fixed", false, {"method.name=impulse", "method.impulse.variant=fixed"}, 2},
    {"multiplier", false, {"method.name=multiplier"}, 1},
    {"reduced", false, {"method.name=reduced"}, 1},
    {"variational", false, {"method.name=variational"}, 1},
};

typedef struct outcome {
    bool taken; // the method takes the scene
    double figure;
    carom_verdict verdict;
} outcome;

static carom_verdict verdict_on(const carom_state *state, carom_summary *summary, bool stopped, const char *why) {
    carom_recording_info info = {.step = carom_state_method(state)->step,
                                 .time = carom_state_time(state),
                                 .step_count = carom_state_step_count(state),
                                 .finished = !stopped};
    snprintf(info.end_text, sizeof info.end_text, "%.200s", why);
    carom_summary_conclude(summary, state);
    info.summary = *summary;
    return carom_recording_verdict(&info, NULL);
}

static void go(const carom_scene *scene, carom_state *state, const analytic_experiment *e, double until, outcome *out) {
    const carom_model *model = carom_scene_model(scene);
    analytic_run run = {.model = model, .state = state};
    carom_summary summary = carom_summary_begin(state);
    double step = carom_state_method(state)->step;
    char why[256] = "";
    bool stopped = false;
    while (!stopped && carom_state_time(state) < until - 0.5 * step) {
        carom_step_report report;
        carom_error error;
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) {
            stopped = true;
            snprintf(why, sizeof why, "%.255s", error.text);
        } else if (report.outcome == CAROM_STEP_IMPOSSIBLE) {
            stopped = true;
            snprintf(why, sizeof why, "%s", report.text);
        } else {
            carom_summary_add(&summary, &report);
            if (e->watch != NULL) e->watch(&run);
        }
    }
    out->figure = stopped ? NAN : e->measure(&run);
    out->verdict = verdict_on(state, &summary, stopped, why);
}

static outcome run(const analytic_experiment *e, const choice *c, double until) {
    static char text[ANALYTIC_SCENE_SIZE];
    outcome out = {.taken = false};
    e->scene(text, until);
    const char *overrides[4] = {c->overrides[0], c->overrides[1], NULL, NULL};
    int count = c->count;
    if (e->setting != NULL) overrides[count++] = e->setting;
    if (e->springs != NULL && c->springs) overrides[count++] = e->springs;
    carom_scene_source source = carom_scene_source_default();
    source.file = e->name;
    source.text = text;
    source.override_count = count;
    source.overrides = overrides;
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_error error;
    // What a method does not take is refused when the scene is read, or when its state is made.
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) == CAROM_OK &&
        carom_state_create(carom_scene_model(scene), carom_scene_method(scene), &state, &error) == CAROM_OK) {
        out.taken = true;
        go(scene, state, e, until, &out);
    }
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return out;
}

// ---- the page

static void print_object(const analytic_experiment *e, const choice *c, double error) {
    char name[160];
    snprintf(name, sizeof name, "%s: %s", e->name, c->title);
    bench_row row = bench_row_of("analytic", name, e->relative ? "of the exact value" : "as the figure");
    row.carom = row.error = fabs(error);
    row.target_kind = BENCH_VALUE_AT_MOST;
    row.target = e->allowed;
    bench_print_row(true, &row);
}

// False: wrong, and green.
static bool print_row(const analytic_experiment *e, const choice *c, const outcome *o, double exact, bool json) {
    double error = o->figure - exact;
    if (e->relative) error /= fabs(exact);
    bool right = fabs(error) <= e->allowed, green = o->verdict.colour == CAROM_COLOUR_GREEN;
    if (json) {
        print_object(e, c, error);
    } else {
        printf("| `%s` | %.7g | %.1e | %s | %s", c->title, o->figure, error, right ? "right" : "**wrong**",
               carom_colour_name(o->verdict.colour));
        if (!green) printf(": %s", o->verdict.sentence);
        printf(" |\n");
    }
    fflush(stdout);
    return right || !green;
}

// How many wrong answers are green.
static int print_experiment(const analytic_experiment *e, bool is_short, bool json) {
    const choice *list = e->kind == ANALYTIC_JOINT ? of_joints : of_contact;
    size_t count = sizeof of_contact / sizeof of_contact[0];
    if (e->kind == ANALYTIC_JOINT) count = sizeof of_joints / sizeof of_joints[0];
    if (e->kind == ANALYTIC_FRICTION) count = WITH_FRICTION;
    double until = is_short ? e->short_until : e->until, exact = e->exact(until);
    char refused[256] = "";
    int unnoticed = 0;
    if (!json)
        printf("\n## %s\n\n%s. Figure: %s; exact: %.7g; right within %g%s.\n\n", e->name, e->formula, e->figure, exact,
               e->allowed, e->relative ? " of it" : "");
    if (!json) printf("| method | figure | error | | verdict |\n|---|---|---|---|---|\n");
    for (size_t i = 0; i < count; i++) {
        if (e->only != NULL && strcmp(list[i].title, e->only) != 0) continue;
        outcome o = run(e, &list[i], until);
        size_t used = strlen(refused);
        if (!o.taken)
            snprintf(refused + used, sizeof refused - used, "%s`%s`", used > 0 ? ", " : "", list[i].title);
        else
            unnoticed += !print_row(e, &list[i], &o, exact, json);
    }
    if (refused[0] != '\0' && !json) printf("\nDo not take it: %s.\n", refused);
    return unnoticed;
}

static void print_head(void) {
    printf(
        "# Closed forms\n\n"
        "Experiments whose outcome is known, by every method that takes them, at its own settings and, unless the\n"
        "row says another, the usual step of 1/240 s: what it answers, how far that is off, and the verdict on the\n"
        "run. This page is what\n\n"
        "```\n$ carom bench analytic > docs/analytic.md\n```\n\n"
        "prints; it exits 1 when a wrong answer has a green verdict. `--short` takes less time of each (a test does),\n"
        "`--only WORD` only experiments with the word in their name. Motions are right within 2 %%, which is what a\n"
        "[verdict](verdict.md) takes for the same motion, too; what is kept or at rest has a limit of its own.\n\n"
        "`exact`, `potential` and `newmark` know no friction and are not asked where there is some. Where a row is\n"
        "wrong, the verdict's sentence tells the method's limit; rows that are wrong and green are counted at the "
        "end.\n");
}

int main(int argc, char **argv) {
    bool is_short = false, json = false;
    const char *only = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--short") == 0)
            is_short = true;
        else if (strcmp(argv[i], "--only") == 0 && i + 1 < argc)
            only = argv[++i];
        else if (strcmp(argv[i], "--json") == 0)
            json = true;
        else
            stop("'bench analytic' takes --short, --only WORD and --json");
    }
    const struct {
        const analytic_experiment *list;
        int count;
    } chapters[] = {{analytic_contacts, analytic_contact_count},
                    {analytic_impacts, analytic_impact_count},
                    {analytic_joints, analytic_joint_count}};
    int unnoticed = 0;
    if (!json) print_head();
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < chapters[k].count; i++) {
            const analytic_experiment *e = &chapters[k].list[i];
            if (only == NULL || strstr(e->name, only) != NULL) unnoticed += print_experiment(e, is_short, json);
        }
    if (!json) printf("\nWrong answers with a green verdict: %d.\n", unnoticed);
    return unnoticed > 0 ? 1 : 0;
}

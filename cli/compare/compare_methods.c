// SPDX-License-Identifier: MIT
#include "compare/compare_methods.h"

#include <math.h>
#include <stdlib.h>

#include "carom/flex.h"
#include "run/run_summary.h"
#include "verb/verb.h"

// ---- before the runs

static int begin_side(methods_comparison *c, method_side *side) {
    const study *s = &c->study;
    side->bodies = malloc((size_t)s->body_count * sizeof *side->bodies);
    if (side->bodies == NULL) return refuse_memory("the comparison");
    if (c->first == NULL) c->first = side;
    if (side->interpolated) return begin_trial_between(&side->trial, side->course.scene, side->step, s->step);
    int64_t ratio = steps_a_step(s, side->course.choice->title, side->step);
    if (ratio == 0) return EXIT_BAD_INPUT;
    side->step = s->step / (double)ratio;
    return begin_trial(&side->trial, side->course.scene, side->step, ratio);
}

// The scene under each method, and the steps of those that take it.
static int begin_courses(methods_comparison *c) {
    int count = c->methods.count, running = 0, code = EXIT_GOOD;
    const char *refusal = "";
    for (int i = 0; i < count && code == EXIT_GOOD; i++) {
        method_side *side = &c->sides[i];
        const method_choice *choice = &c->methods.items[i];
        code = begin_course(&side->course, &c->study, choice);
        if (side->course.refusal[0] != '\0') refusal = side->course.refusal;
        if (code != EXIT_GOOD || side->course.scene == NULL) continue;
        side->step = choice->step > 0.0 ? choice->step : carom_scene_method(side->course.scene)->step;
        running++;
    }
    if (code == EXIT_GOOD && running < 2)
        return refuse("%s: fewer than two methods take the scene: %s", c->study.file, refusal);
    return code;
}

// When they are compared.
static int choose_times(methods_comparison *c) {
    int count = 0;
    double *steps = calloc((size_t)c->methods.count, sizeof *steps);
    bool *step_ends = calloc((size_t)c->methods.count, sizeof *step_ends);
    int code = steps != NULL && step_ends != NULL ? EXIT_GOOD : refuse_memory("the comparison");
    for (int i = 0; i < c->methods.count && code == EXIT_GOOD; i++)
        if (c->sides[i].course.scene != NULL) steps[count++] = c->sides[i].step;
    if (code == EXIT_GOOD) code = meet_steps(&c->study, count, steps, step_ends);
    count = 0;
    for (int i = 0; i < c->methods.count && code == EXIT_GOOD; i++)
        if (c->sides[i].course.scene != NULL) c->sides[i].interpolated = !step_ends[count++];
    free(steps);
    free(step_ends);
    return code == EXIT_GOOD ? sample_evenly(&c->study) : code;
}

static int begin_sides(methods_comparison *c) {
    c->sides = calloc((size_t)c->methods.count, sizeof *c->sides);
    if (c->sides == NULL) return refuse_memory("the comparison");
    int code = begin_courses(c);
    if (code == EXIT_GOOD) code = choose_times(c);
    for (int i = 0; i < c->methods.count && code == EXIT_GOOD; i++)
        if (c->sides[i].course.scene != NULL) code = begin_side(c, &c->sides[i]);
    return code;
}

// ---- whose paths are kept

// Numbers of all paths together that a page bears: some 12 MB.
static const int64_t most_numbers = 1500000;

static int choose_paths(methods_comparison *c) {
    const carom_model *model = carom_scene_model(c->study.scene);
    int64_t of_a_body = 3 * c->study.sample_count * c->methods.count;
    int64_t most = of_a_body > 0 ? most_numbers / of_a_body : 0;
    c->path_body = malloc((size_t)c->study.body_count * sizeof *c->path_body + 1);
    if (c->path_body == NULL) return refuse_memory("the comparison");
    int last = -1; // flexible body that has its path: that of the first node that moves stands for it
    for (int b = 0; b < c->study.body_count; b++) {
        carom_body_def def;
        bool moves =
            carom_model_get_body(model, (carom_body){b}, &def, NULL) == CAROM_OK && def.kind != CAROM_BODY_FIXED;
        int flex = carom_model_body_flex(model, (carom_body){b}, NULL).index;
        if (!moves || (flex >= 0 && flex == last)) continue;
        last = flex >= 0 ? flex : last;
        if (c->path_count < most)
            c->path_body[c->path_count++] = b;
        else
            c->path_left_out++;
    }
    return EXIT_GOOD;
}

// ---- at each common time

static void widen_period(period *p, double time, int count, const method_side *side, const method_side *first) {
    const moment *a = &side->sums, *b = &first->sums;
    p->known = true;
    p->until = time;
    widen(&p->spread, time, count, side->bodies, first->bodies);
    p->energy =
        fmax(p->energy, fabs(a->energy.kinetic + a->energy.potential - b->energy.kinetic - b->energy.potential));
    p->momentum = fmax(p->momentum, distance_between(a->momentum.linear, b->momentum.linear));
    p->angular_momentum = fmax(p->angular_momentum, distance_between(a->momentum.angular, b->momentum.angular));
}

static int follow(const methods_comparison *c, double time, method_side *side) {
    const carom_energy *energy = &side->sums.energy;
    return add_to_path(&side->path, time, energy->kinetic + energy->potential, c->path_count, c->path_body,
                       side->bodies);
}

static int look(methods_comparison *c, double time) {
    int code = EXIT_GOOD;
    for (int i = 0; i < c->methods.count && code == EXIT_GOOD; i++) {
        method_side *side = &c->sides[i];
        if (side->trial.state == NULL) continue;
        side->sums = trial_at(&side->trial, c->study.body_count, side->bodies);
        if (c->def->keep_paths && !side->trial.stopped) code = follow(c, time, side);
    }
    return code;
}

static int compare_sides(void *context, int64_t index) {
    methods_comparison *c = context;
    const study *s = &c->study;
    int code = look(c, sample_time(s, index));
    if (code != EXIT_GOOD) return code;
    for (int i = 0; i < c->methods.count; i++) {
        method_side *side = &c->sides[i];
        period *current = &side->periods[index * PERIOD_COUNT / s->sample_count];
        if (side->trial.state == NULL || side == c->first) continue;
        if (side->trial.stopped || c->first->trial.stopped) {
            current->known = false;
            continue;
        }
        double time = sample_time(s, index);
        widen_period(current, time, s->body_count, side, c->first);
        widen_period(&side->all, time, s->body_count, side, c->first);
        code = add_difference(&side->curve, time, s->body_count, side->bodies, c->first->bodies);
        if (code != EXIT_GOOD) return code;
    }
    return EXIT_GOOD;
}

static int run_sides(methods_comparison *c) {
    int count = 0;
    trial **trials = calloc((size_t)c->methods.count, sizeof *trials);
    if (trials == NULL) return refuse_memory("the comparison");
    for (int i = 0; i < c->methods.count; i++)
        if (c->sides[i].trial.state != NULL) trials[count++] = &c->sides[i].trial;
    int code = look(c, 0.0);
    if (code == EXIT_GOOD) code = run_study(&c->study, trials, count, compare_sides, c, c->def->show_progress);
    free(trials);
    return code;
}

int compare_methods(methods_comparison *c, const compare_methods_def *def) {
    *c = (methods_comparison){.def = def};
    int code = read_methods(def->methods, &c->methods);
    if (code == EXIT_GOOD && c->methods.count < 2)
        code = refuse("--methods needs two methods or more with commas between them, not '%s'", def->methods);
    double longest = 0.0;
    for (int i = 0; i < c->methods.count; i++) longest = fmax(longest, c->methods.items[i].step);
    if (code == EXIT_GOOD) code = begin_study(&c->study, def->scene_file, &def->set, def->limit, def->until, longest);
    if (code == EXIT_GOOD) code = begin_sides(c);
    if (code == EXIT_GOOD) code = choose_paths(c);
    if (code == EXIT_GOOD) code = run_sides(c);
    return code;
}

void free_methods_comparison(methods_comparison *c) {
    for (int i = 0; c->sides != NULL && i < c->methods.count; i++) {
        end_trial(&c->sides[i].trial);
        end_course(&c->sides[i].course);
        free(c->sides[i].bodies);
        free_difference_curve(&c->sides[i].curve);
        free_path_curve(&c->sides[i].path);
    }
    free(c->path_body);
    free(c->sides);
    free_methods(&c->methods);
    end_study(&c->study);
}

bool side_agrees(const methods_comparison *c, const method_side *side) {
    if (side->trial.stopped || c->first->trial.stopped) return false;
    for (int i = 0; i < QUANTITY_COUNT; i++)
        if (!(side->all.spread.largest[i] <= c->def->tolerance)) return false;
    return true;
}

int conclude_methods(const methods_comparison *c) {
    int code = EXIT_GOOD;
    for (int i = 0; i < c->methods.count && code == EXIT_GOOD; i++) {
        const method_side *side = &c->sides[i];
        if (side->trial.state == NULL) continue;
        code = exit_code_of(trial_verdict(&side->trial).colour, c->def->strict);
        if (!side_agrees(c, side)) code = EXIT_NOT_TRUSTWORTHY;
    }
    return code;
}

// SPDX-License-Identifier: MIT
#include "run/job.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "run/run_summary.h"
#include "run/scene_input.h"
#include "verb/verb.h"

// "folder/block.json": "block.carom".
static char *recording_name(const job_def *def) {
    if (def->out != NULL) return strdup(def->out);
    const char *slash = strrchr(def->scene_file, '/'), *base = slash != NULL ? slash + 1 : def->scene_file;
    const char *ending = strrchr(base, '.');
    size_t length = ending != NULL && strcmp(ending, ".json") == 0 ? (size_t)(ending - base) : strlen(base);
    char *name = malloc(length + sizeof ".carom");
    if (name != NULL) snprintf(name, length + sizeof ".carom", "%.*s.carom", (int)length, base);
    return name;
}

// Reads the scene with the overrides of the command line and, unless negative, another end.
static int read_with_end(job *job, double until, carom_scene_messages **warnings) {
    const text_list *set = &job->def->set;
    text_list all = {.count = set->count, .items = calloc((size_t)set->count + 1, sizeof *all.items)};
    if (all.items == NULL) return refuse_memory("the run");
    for (int i = 0; i < set->count; i++) all.items[i] = set->items[i];
    char end[48];
    snprintf(end, sizeof end, "until=%.17g", until);
    if (until >= 0.0) all.items[all.count++] = end;
    int code = EXIT_GOOD;
    job->scene = read_scene(job->def->scene_file, &all, job->def->limit, warnings, &code);
    free(all.items);
    return code;
}

static int find_end_step(job *job, const carom_method_def *method) {
    return count_steps(job->def->scene_file, method, job->end_time, &job->end_step);
}

static int make_state(job *job) {
    carom_error error;
    carom_method_def method = *carom_scene_method(job->scene);
    bool planned = job->replay.plan != NULL;
    int code = planned ? plan_replay_method(&job->replay, &job->def->set, &method) : EXIT_GOOD;
    if (code == EXIT_GOOD) code = hard_steps_begin(&job->hard, job->def->dump_hard, method.method);
    if (code == EXIT_GOOD) code = find_end_step(job, &method);
    if (code != EXIT_GOOD) return code;
    method.threads = job->def->threads;
    carom_status status = carom_state_create(carom_scene_model(job->scene), &method, &job->state, &error);
    if (status == CAROM_OK && planned) status = carom_plan_place(job->replay.plan, 0, job->state, &error);
    return status == CAROM_OK ? EXIT_GOOD : refuse_error(&error);
}

static carom_recorder_def recorder_def(const job *job) {
    carom_recorder_def def = carom_recorder_def_default();
    def.path = job->path;
    def.overwrite = job->def->force;
    def.frame_rate = carom_scene_frame_rate(job->scene);
    def.every = job->def->every;
    def.contacts = job->def->contacts || carom_scene_record_contacts(job->scene);
    if (job->def->checkpoint >= 0.0) def.checkpoint_seconds = job->def->checkpoint;
    def.scene = job->scene;
    def.plan = job->replay.plan;
    def.replayed = job->replay.plan != NULL;
    return def;
}

// The recorder refuses existing files itself, but does not know the options.
static int begin_new(job *job) {
    struct stat about;
    if (!job->def->force && stat(job->path, &about) == 0 && S_ISREG(about.st_mode))
        return refuse("%s exists already; --resume goes on with it, --force replaces it, -o names another file",
                      job->path);
    int code = job->def->plan != NULL ? begin_plan_replay(job->def->plan, &job->replay) : EXIT_GOOD;
    if (code != EXIT_GOOD) return code;
    bool to_end_of_plan = job->replay.plan != NULL && job->def->until < 0.0;
    code = read_with_end(job, to_end_of_plan ? plan_replay_end(&job->replay) : job->def->until, &job->warnings);
    if (code != EXIT_GOOD) return code;
    job->scene_until = job->end_time = carom_scene_until(job->scene);
    code = make_state(job);
    if (code != EXIT_GOOD) return code;
    carom_error error;
    carom_recorder_def def = recorder_def(job);
    if (carom_recorder_create(&def, job->scene, job->state, &job->recorder, &error) != CAROM_OK)
        return refuse_error(&error);
    return EXIT_GOOD;
}

static int begin_again(job *job) {
    run_summary old;
    int code = read_summary(job->path, &old);
    if (code != EXIT_GOOD) return code;
    // With the end that was recorded: another one does not make it another scene, anything else does.
    job->scene_until = old.info.until;
    code = read_with_end(job, job->scene_until, NULL);
    job->end_time = job->def->until >= 0.0 ? job->def->until : job->scene_until;
    // The recording has the plan whose controls it began with.
    if (code == EXIT_GOOD && old.info.replayed) code = begin_plan_replay(job->path, &job->replay);
    if (code == EXIT_GOOD && job->def->plan != NULL && job->replay.plan == NULL)
        code = refuse("%s: was begun without a plan; --force begins anew", job->path);
    if (code == EXIT_GOOD) code = make_state(job);
    if (code != EXIT_GOOD) return code;
    carom_error error;
    carom_recorder_def def = recorder_def(job);
    if (carom_recorder_resume(&def, job->state, &job->complete, &job->recorder, &error) != CAROM_OK)
        return refuse_error(&error);
    job->resumed = true;
    job->first_step = carom_state_step_count(job->state);
    job->first_time = carom_state_time(job->state);
    if (job->complete && job->def->confirm && old.info.summary.finding[CAROM_RULE_UNCONFIRMED].step < 0)
        return refuse("%s: is finished and was not confirmed; run the scene again with --force --confirm", job->path);
    if (!job->complete && job->end_step < job->first_step)
        return refuse("%s: is at t = %g s already; --until must not be less", job->path, carom_state_time(job->state));
    if (job->complete && job->end_step > job->first_step)
        return refuse("%s: is finished at t = %g s and cannot be made longer; run the scene again with --force",
                      job->path, carom_state_time(job->state));
    return EXIT_GOOD;
}

int begin_job(job *job, const job_def *def) {
    *job = (struct job){.def = def};
    if (def->force && def->resume)
        return refuse("--force and --resume do not go together: one begins anew, the other goes on");
    if (def->plan != NULL && def->confirm)
        return refuse("--plan and --confirm do not go together: at half the step, the controls would act elsewhere");
    job->path = recording_name(def);
    if (job->path == NULL) return refuse_memory("the run");
    // What was never begun is begun: a script may always say --resume.
    if (def->resume && access(job->path, F_OK) == 0) return begin_again(job);
    return begin_new(job);
}

void end_job(job *job) {
    carom_recorder_destroy(job->recorder);
    carom_state_destroy(job->state);
    end_plan_replay(&job->replay);
    carom_scene_destroy(job->scene);
    carom_scene_messages_destroy(job->warnings);
    free(job->path);
    *job = (struct job){.def = job->def};
}

void print_resume_command(FILE *to, const job *job) {
    fputs("carom run ", to);
    print_shell_word(to, job->def->scene_file);
    for (int i = 0; i < job->def->set.count; i++) {
        fputs(" --set ", to);
        print_shell_word(to, job->def->set.items[i]);
    }
    if (job->def->limit != NULL) {
        fputs(" --limit ", to);
        print_shell_word(to, job->def->limit);
    }
    fputs(" -o ", to);
    print_shell_word(to, job->path);
    // The recording knows the end that it was begun with.
    if (job->resumed && job->def->until >= 0.0) fprintf(to, " --until %.17g", job->def->until);
    if (job->def->plan != NULL) {
        fputs(" --plan ", to);
        print_shell_word(to, job->def->plan);
    }
    if (job->def->confirm) fputs(" --confirm", to);
    fputs(" --resume\n", to);
}

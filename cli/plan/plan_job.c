// SPDX-License-Identifier: MIT
#include "plan/plan_job.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/interrupt.h"
#include "base/text.h"
#include "plan/plan_guess.h"
#include "plan/plan_progress.h"
#include "plan/plan_recording.h"
#include "run/scene_input.h"
#include "verb/verb.h"

// "folder/block.json": "block-plan.carom".
static char *recording_name(const plan_job_def *def) {
    if (def->out != NULL) return strdup(def->out);
    const char *slash = strrchr(def->scene_file, '/'), *base = slash != NULL ? slash + 1 : def->scene_file;
    const char *ending = strrchr(base, '.');
    size_t length = ending != NULL && strcmp(ending, ".json") == 0 ? (size_t)(ending - base) : strlen(base);
    char *name = malloc(length + sizeof "-plan.carom");
    if (name != NULL) snprintf(name, length + sizeof "-plan.carom", "%.*s-plan.carom", (int)length, base);
    return name;
}

// ---- beginning

static int make_plan(plan_job *job) {
    const carom_plan_def *asked = carom_scene_plan(job->scene);
    if (asked == NULL)
        return refuse("%s: has no \"plan\": give it one, with \"intervals\" and \"time\" at least (docs/plan.md)",
                      job->def->scene_file);
    carom_plan_def def = *asked;
    const carom_model *model = carom_scene_model(job->scene);
    const char *recording = carom_scene_plan_recording(job->scene);
    if (recording[0] != '\0') {
        def.motion_count = def.intervals + 1;
        int code = read_plan_guess(job->def->scene_file, recording, model, def.motion_count, &job->guess);
        if (code != EXIT_GOOD) return code;
        def.motion = job->guess;
    }
    carom_error error;
    if (carom_plan_create(model, &def, NULL, &job->plan, &error) == CAROM_OK) return EXIT_GOOD;
    return error.status == CAROM_ERR_NO_MEMORY ? refuse_error(&error)
                                               : refuse("%s: %s", job->def->scene_file, error.text);
}

static int keep_finished(plan_job *job, bool overwrite) {
    int code = record_unfinished_plan(job->path, overwrite, job->scene, job->start, job->plan);
    if (code == EXIT_GOOD) job->kept = carom_plan_solve_count(job->plan);
    return code;
}

static int read_plan_scene(plan_job *job) {
    int code = EXIT_GOOD;
    carom_scene_messages **warnings = job->def->resume ? NULL : &job->warnings;
    job->scene = read_scene(job->def->scene_file, &job->def->set, job->def->limit, warnings, &code);
    if (code == EXIT_GOOD) code = make_plan(job);
    carom_error error;
    if (code != EXIT_GOOD || make_plan_state(job->scene, &job->start, &error) == CAROM_OK) return code;
    return refuse_error(&error);
}

static int begin_new(plan_job *job) {
    struct stat about;
    if (!job->def->force && stat(job->path, &about) == 0 && S_ISREG(about.st_mode))
        return refuse("%s exists already; --resume goes on with it, --force replaces it, -o names another file",
                      job->path);
    int code = read_plan_scene(job);
    return code == EXIT_GOOD ? keep_finished(job, job->def->force) : code;
}

// Takes over what the recording has finished.
static int load_plan(plan_job *job, const carom_recording *recording) {
    carom_recording_info info;
    carom_error error;
    size_t size;
    const void *saved = carom_recording_plan_saved(recording, &size);
    if (carom_recording_get_info(recording, &info, &error) != CAROM_OK) return refuse_error(&error);
    if (!info.plan || info.replayed || saved == NULL)
        return refuse("%s: is no recording of a plan that could go on; --force replaces it", job->path);
    if (strcmp(carom_recording_scene(recording), carom_scene_resolved(job->scene)) != 0)
        return refuse("%s: is a plan of another scene; give that scene, or --force for a new plan", job->path);
    if (carom_plan_load(job->plan, saved, size, &job->done, &error) != CAROM_OK) return refuse_error(&error);
    job->kept = carom_plan_solve_count(job->plan);
    job->complete = info.finished || info.end_text[0] != '\0';
    return EXIT_GOOD;
}

static int begin_again(plan_job *job) {
    int code = read_plan_scene(job);
    if (code != EXIT_GOOD) return code;
    carom_error error;
    carom_recording *recording = NULL;
    if (carom_recording_open(job->path, &recording, &error) != CAROM_OK) return refuse_error(&error);
    code = load_plan(job, recording);
    carom_recording_close(recording);
    job->resumed = code == EXIT_GOOD;
    return code;
}

int begin_plan_job(plan_job *job, const plan_job_def *def) {
    *job = (plan_job){.def = def};
    if (def->force && def->resume)
        return refuse("--force and --resume do not go together: one begins anew, the other goes on");
    job->path = recording_name(def);
    if (job->path == NULL) return refuse_memory("the plan");
    // What was never begun is begun: a script may always say --resume.
    if (def->resume && access(job->path, F_OK) == 0) return begin_again(job);
    return begin_new(job);
}

void end_plan_job(plan_job *job) {
    carom_plan_destroy(job->plan);
    carom_state_destroy(job->start);
    carom_scene_destroy(job->scene);
    carom_scene_messages_destroy(job->warnings);
    free(job->guess);
    free(job->path);
    *job = (plan_job){.def = job->def};
}

// ---- solving

static bool on_iteration(void *user, const carom_plan_progress *at) {
    plan_progress_at(user, at);
    return !was_interrupted();
}

// Level by level and start by start, until all is solved, a signal comes or something fails.
static carom_status solve_all(plan_job *job, plan_progress *progress, int *code, carom_error *error) {
    carom_status status = CAROM_OK;
    while (!job->done && !was_interrupted() && status == CAROM_OK && *code == EXIT_GOOD) {
        status = carom_plan_solve_next(job->plan, job->def->threads, on_iteration, progress, &job->done, error);
        carom_plan_solve solve;
        int count = carom_plan_solve_count(job->plan);
        if (count == job->kept || carom_plan_get_solve(job->plan, count - 1, &solve) != CAROM_OK) continue;
        plan_progress_solved(progress, &solve);
        if (!job->done || status != CAROM_OK) *code = keep_finished(job, true);
    }
    return status;
}

int solve_plan_job(plan_job *job, bool show_progress) {
    plan_progress progress = plan_progress_begin(show_progress, carom_scene_plan(job->scene)->intervals);
    carom_error error = {.status = CAROM_OK};
    int code = EXIT_GOOD;
    carom_status status = solve_all(job, &progress, &code, &error);
    plan_progress_end(&progress);
    if (code != EXIT_GOOD) return code;
    if (status != CAROM_OK && status != CAROM_ERR_INTERRUPTED) {
        refuse_error(&error);
        return EXIT_INTERNAL; // the input was good enough to begin with
    }
    if (!job->done || status != CAROM_OK) return EXIT_INTERRUPTED;
    return job->complete ? EXIT_GOOD : record_whole_plan(job->path, job->scene, job->plan);
}

void print_plan_resume_command(FILE *to, const plan_job *job) {
    fputs("carom plan ", to);
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
    fputs(" --resume\n", to);
}

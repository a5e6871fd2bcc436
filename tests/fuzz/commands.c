// SPDX-License-Identifier: MIT
// Random command lines: verbs and options as `carom help --json` tells them, with words, numbers, shapes, paths and
// files that may or may not fit. Each must end with an exit code of the program's own, within seconds when it is asked
// to, without a complaint of the sanitizers.
//
//   fuzz_commands PROGRAM INPUTS AMOUNT SEED [FOUND]      AMOUNT: so many commands, or so many seconds with an s behind
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/trial.h"
#include "fuzz/fuzz.h"
#include "fuzz/mutate/pool.h"

enum { MOST_VERBS = 32, MOST_OPTIONS = 32, MOST_WORDS_OF_A_LINE = 14, WORD = 256, A_PLACE = 40 };
enum { PATIENCE = 1, MOST_SECONDS = 30, MOST_FILE = 256 << 20 }; // s until it is interrupted, and killed; bytes

typedef struct verb_words {
    char name[32];
    char option[MOST_OPTIONS][32];
    int options;
} verb_words;

typedef struct command_line {
    char word[MOST_WORDS_OF_A_LINE][WORD];
    int count;
} command_line;

// ---- what there is to say

// Verbs that start other programs are left alone.
static bool is_alone(const char *verb) {
    return strcmp(verb, "bench") != 0 && strcmp(verb, "render") != 0 && strcmp(verb, "gallery") != 0;
}

static void take_options(verb_words *verb, const char *text) {
    while ((text = strchr(text, '-')) != NULL && verb->options < MOST_OPTIONS) {
        size_t size = strcspn(text, " ]|\n");
        if (size > 1 && size < sizeof verb->option[0])
            snprintf(verb->option[verb->options++], sizeof verb->option[0], "%.*s", (int)size, text);
        text += size;
    }
}

static int read_verbs(const trial_place *place, verb_words *verbs) {
    if (trial_command(place, (const char *[]){"help", "--json", NULL}) != 0) return 0;
    FILE *file = fopen("out", "r");
    int count = 0;
    json_t *line;
    while (file != NULL && count < MOST_VERBS && (line = json_loadf(file, JSON_DISABLE_EOF_CHECK, NULL)) != NULL) {
        const char *name = json_string_value(json_object_get(line, "verb"));
        if (name != NULL && is_alone(name)) {
            verbs[count] = (verb_words){.options = 0};
            snprintf(verbs[count].name, sizeof verbs[count].name, "%s", name);
            take_options(&verbs[count++], json_string_value(json_object_get(line, "arguments")));
        }
        json_decref(line);
    }
    if (file != NULL) fclose(file);
    return count;
}

static const char *any_of(crm_random *random, const char *const *list, size_t count) {
    return list[crm_random_below(random, count)];
}
#define ANY_OF(random, list) any_of(random, list, sizeof(list) / sizeof *(list))

static const char *const files[] = {
    "scene.json",  "soft.json",  "soft.carom", "made.pvd", "problem.json", "dense.json", "pair.json", "collision.json",
    "whole.carom", "made.carom", "made.html",  "made.csv", "none",         "",           ".",         "-"};
static const char *const shapes[] = {"sphere:0.5",
                                     "sphere:0.5@2,0,0",
                                     "box:1,1,1",
                                     "ellipsoid:1,2,3@4,0,0,0.5,0.5,0.5,0.5",
                                     "capsule:1,2",
                                     "prism:6,1,1",
                                     "pyramid:3,1,1@0,0,9",
                                     "tetrahedron:1",
                                     "half-space:0,0,1,0",
                                     "container:5",
                                     "prism:1000000000,1,1",
                                     "box:1,-1"};
static const char *const changes[] = {"until=0.02",
                                      "method.step=1e-3",
                                      "bodies[0].mass=-1",
                                      "method.name=dcr",
                                      "bodies[1].position=[0,0,2]",
                                      "shapes.s.radius=1e308",
                                      "joints[0]=1",
                                      "a=",
                                      "method.name=impulse",
                                      "method.name=penalty",
                                      "gravity=[0,0,1e9]",
                                      "bodies[2].velocity=[1e6,0,0]",
                                      "method.step=10",
                                      "joints=[]",
                                      "method.name=variational",
                                      "flexible=[]",
                                      "flexible[1].mesh.order=1",
                                      "flexible[1].mesh.file=soft.json",
                                      "materials.gel.elastic.young=1e12",
                                      "record_contacts=false"};
static const char *const methods[] = {"lcp", "lcp,dcr:0.01", "lcp:1e-3", "impulse:fixed",
                                      "dcr", "penalty",      "newmark",  "x"};

// What fits an option; anything where nothing is known.
static const struct {
    const char *option;
    const char *values[6];
} fitting[] = {
    {"--until", {"0.01", "0.02", "1e-9", "1e9", "0", "-1"}},
    {"--every", {"1", "2", "7", "1000000", "0", "x"}},
    {"--checkpoint", {"0", "0.001", "1", "1e9", "-1", "x"}},
    {"--threads", {"1", "2", "3", "64", "0", "1000000"}},
    {"--tolerance", {"1e-6", "0", "1", "1e300", "-1", "x"}},
    {"-o", {"made.carom", "made.html", "made.csv", "made.pvd", "scene.json", "."}},
    {"--report", {"made.html", "made.csv", "whole.carom", "", ".", "-"}},
    {"--dump-hard", {".", "hard", "scene.json", "", "made.csv", "-"}},
    {"--what", {"frames", "joints", "collisions", "certificates", "joint_events", "x"}},
    {"--solver", {"auto", "lemke,auto", "gauss-seidel", "interior", "min-map", "x"}},
    {"--iterations", {"1", "10", "1000", "0", "-1", "x"}},
    {"--sides", {"4", "8", "3", "64", "0", "100000"}},
    {"--velocity-scale", {"0", "1", "1e300", "-1", "1e-300", "x"}},
    {"--direction", {"0,0,1", "1,1,1", "0,0,0", "1e308,1,0", "1,2", "x"}},
    {"--halvings", {"1", "2", "3", "0", "100", "x"}},
    {"--reference", {"lcp:1e-3", "whole.carom", "dcr", "made.carom", "x", ""}},
};

static const char *any_word(crm_random *random) {
    const char *word = NULL;
    switch (crm_random_below(random, 6)) {
    case 0:
        return ANY_OF(random, shapes);
    case 1:
        return ANY_OF(random, changes);
    case 2:
        return fuzz_number(random);
    case 3:
        return ANY_OF(random, methods);
    case 4:
        word = pool_word(random);
        break;
    default:
        break;
    }
    return word != NULL ? word : ANY_OF(random, files);
}

static const char *value_for(const char *option, crm_random *random) {
    if (crm_random_below(random, 6) == 0) return any_word(random);
    if (strcmp(option, "--set") == 0) return ANY_OF(random, changes);
    if (strcmp(option, "--methods") == 0) return ANY_OF(random, methods);
    for (size_t i = 0; i < sizeof fitting / sizeof *fitting; i++)
        if (strcmp(option, fitting[i].option) == 0) return ANY_OF(random, fitting[i].values);
    return crm_random_below(random, 12) == 0 ? any_word(random) : NULL; // most of the others take none
}

// ---- a command line

// A word of ours, now and then with another one inside it; nothing that leads out of the folder.
static void add(command_line *line, const char *word, crm_random *random) {
    if (line->count == MOST_WORDS_OF_A_LINE) return;
    char *to = line->word[line->count++];
    size_t size = strlen(word), cut = size;
    if (crm_random_below(random, 40) == 0) cut = (size_t)crm_random_below(random, size + 1);
    const char *inside = cut < size ? any_word(random) : "";
    snprintf(to, WORD, "%.*s%.60s%.100s", (int)(cut < 100 ? cut : 100), word, inside, word + cut);
    if (strchr(to, '/') != NULL) snprintf(to, WORD, "scene.json");
}

static const char *usual_input(const char *verb, crm_random *random) {
    bool soft = crm_random_below(random, 3) == 0;
    if (strcmp(verb, "run") == 0 || strcmp(verb, "check") == 0 || strcmp(verb, "converge") == 0)
        return soft ? "soft.json" : "scene.json";
    if (strcmp(verb, "distance") == 0) return "pair.json";
    if (strcmp(verb, "impact") == 0) return "collision.json";
    return strcmp(verb, "solve") == 0 ? "problem.json" : soft ? "soft.carom" : "whole.carom";
}

static void make_line(command_line *line, const verb_words *verbs, int count, crm_random *random) {
    const verb_words *verb = &verbs[crm_random_below(random, (uint64_t)count)];
    line->count = 0;
    add(line, verb->name, random);
    if (strcmp(verb->name, "distance") == 0 && crm_random_below(random, 2) == 0) {
        add(line, ANY_OF(random, shapes), random);
        add(line, ANY_OF(random, shapes), random);
    } else if (crm_random_below(random, 12) > 0) {
        add(line, crm_random_below(random, 12) > 0 ? usual_input(verb->name, random) : any_word(random), random);
    }
    if (strcmp(verb->name, "compare") == 0 && crm_random_below(random, 2) == 0) add(line, "made.carom", random);
    for (uint64_t more = crm_random_below(random, 5); more > 0 && verb->options > 0; more--) {
        const char *option = verb->option[crm_random_below(random, (uint64_t)verb->options)];
        const char *value = value_for(option, random);
        add(line, option, random);
        if (value != NULL) add(line, value, random);
    }
    if (verb->options > 0 && strcmp(verb->name, "run") == 0) add(line, "--force", random);
    if (crm_random_below(random, 16) == 0) add(line, any_word(random), random);
}

// ---- running it

static void become(const trial_place *place, command_line *line) {
    char *words[MOST_WORDS_OF_A_LINE + 2] = {(char *)place->program};
    for (int i = 0; i < line->count; i++) words[i + 1] = line->word[i];
    int null = open("/dev/null", O_RDWR), err = open("err", O_WRONLY | O_CREAT | O_TRUNC, 0666);
    dup2(null, STDIN_FILENO);
    dup2(null, STDOUT_FILENO);
    dup2(err, STDERR_FILENO);
    setenv("ASAN_OPTIONS", "exitcode=99:allocator_may_return_null=1:hard_rss_limit_mb=2048", 1);
    setenv("UBSAN_OPTIONS", "exitcode=99", 1);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){MOST_FILE, MOST_FILE});
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    execv(place->program, words);
    _exit(127);
}

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// What is wrong with how it ended; NULL when nothing is.
static const char *run(const trial_place *place, command_line *line) {
    pid_t child = fork();
    if (child == 0) become(place, line);
    double begin = now();
    bool interrupted = false;
    int status;
    while (waitpid(child, &status, WNOHANG) == 0) {
        double seconds = now() - begin;
        if (seconds > PATIENCE && !interrupted) interrupted = kill(child, SIGINT) == 0;
        if (seconds > MOST_SECONDS) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            return "it does not end when it is interrupted";
        }
        nanosleep(&(struct timespec){.tv_nsec = seconds < 0.1 ? 1000000 : 20000000}, NULL);
    }
    if (WIFSIGNALED(status)) return WTERMSIG(status) == SIGINT && interrupted ? NULL : "it is killed by a signal";
    int code = WEXITSTATUS(status);
    bool known = (code >= 0 && code <= 3) || (code == 130 && interrupted);
    return known ? NULL : code == 99 ? "the sanitizers complain" : "its exit code is none of the program's";
}

static void tell(const command_line *line, const char *wrong, const char *found, int number) {
    char path[8192];
    snprintf(path, sizeof path, "%s/command-%d", found != NULL ? found : "/dev", number);
    FILE *file = found != NULL ? fopen(path, "w") : NULL;
    printf("%s:", wrong);
    for (int i = 0; i < line->count; i++) {
        printf(" '%s'", line->word[i]);
        if (file != NULL) fprintf(file, "%s\n", line->word[i]);
    }
    puts("");
    FILE *err = fopen("err", "r");
    for (int c, left = 2000; err != NULL && left > 0 && (c = fgetc(err)) != EOF; left--) putchar(c);
    if (err != NULL) fclose(err);
    if (file != NULL) fclose(file);
}

static bool settle(trial_place *place, const char *program, const char *inputs) {
    return trial_begin(place, program, inputs) &&
           trial_command(place, (const char *[]){"run", "scene.json", "--until", "0.02", "--no-report", "--quiet", "-o",
                                                 "whole.carom", NULL}) >= 0 &&
           trial_command(place,
                         (const char *[]){"run", "soft.json", "--no-report", "--quiet", "-o", "soft.carom", NULL}) >= 0;
}

int main(int argc, char **argv) {
    if (argc < 5) return fputs("usage: fuzz_commands PROGRAM INPUTS AMOUNT SEED [FOUND]\n", stderr), 2;
    char program[4096], inputs[4096], found[4096] = "";
    if (realpath(argv[1], program) == NULL || realpath(argv[2], inputs) == NULL ||
        (argc > 5 && realpath(argv[5], found) == NULL))
        return perror("fuzz_commands"), 2;
    bool timed = strchr(argv[3], 's') != NULL;
    double amount = atof(argv[3]), begin = now();
    signal(SIGINT, SIG_DFL); // shells let what runs in the background ignore it
    crm_random random = {.seed = strtoull(argv[4], NULL, 10), .stream = 5};
    static verb_words verbs[MOST_VERBS];
    trial_place place;
    command_line line;
    int count = 0, made = 0, findings = 0;
    for (; timed ? now() - begin < amount : made < amount; made++) {
        if (made % A_PLACE == 0) {
            if (made > 0) trial_end(&place);
            if (!settle(&place, program, inputs) || (count = read_verbs(&place, verbs)) == 0) return 2;
        }
        make_line(&line, verbs, count, &random);
        const char *wrong = run(&place, &line);
        if (wrong != NULL) tell(&line, wrong, found[0] != '\0' ? found : NULL, ++findings);
    }
    trial_end(&place);
    printf("%d commands, %d findings\n", made, findings);
    return findings == 0 ? 0 : 1;
}

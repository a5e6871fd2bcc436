// SPDX-License-Identifier: MIT
// What the energy ledger of the gallery's scenes leaves over (docs/math.md 12): the largest sum of remainders on the
// way, over the scale of the energy, at the scene's own step and at half of it; of methods whose error follows a
// tolerance, at that and at a hundredth of it. Prints the table of docs/verdict.md.
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "carom/carom.h"
#include "math/vec3.h"
#include "model/model.h"
#include "support/report.h"

static const double longest = 2.0, longest_of_heaps = 0.5; // s: what follows is chaos
enum { MOST_SCENES = 100, MOST_BODIES_OF_EVENTS = 30, FEW_BODIES = 12 };

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

typedef struct left_over {
    bool made;           // the method takes the scene, and the run reached its end
    double largest;      // of the sums of remainders on the way, of the scale
    double friction;     // largest work of friction in a step, and of contacts, of the scale
    double contact;      //
    carom_method method; // of the scene
    double step;         // s
    bool by_tolerance, by_events;
} left_over;

static bool follows_a_tolerance(const carom_method_def *def) {
    bool integrates = def->method == CAROM_METHOD_MULTIPLIER || def->method == CAROM_METHOD_REDUCED;
    return integrates && def->integrator == CAROM_INTEGRATOR_DP54;
}

static void refine(carom_method_def *def) {
    if (follows_a_tolerance(def)) {
        def->relative_tolerance *= 0.01;
        def->absolute_tolerance *= 0.01;
    } else {
        def->step *= 0.5;
    }
}

// 1e-3 of the weight times the size of all bodies, as in the scale of an island; m |g| l, J.
static double weight_of(const carom_model *model) {
    double sum = 0.0;
    for (int b = 0; b < model->bodies.count; b++)
        if (crm_body_moves(model, b)) sum += model->bodies.items[b].mass * crm_body_extent(&model->bodies.items[b]);
    return 1e-3 * sum * crm_length(model->gravity);
}

static void follow(const carom_model *model, carom_state *state, double until, left_over *r) {
    carom_energy energy = carom_state_energy(state);
    double kinetic = energy.kinetic, low = energy.potential, high = low, sum = 0.0;
    carom_step_report report = {.time = 0.0};
    carom_error error;
    while (report.time < until - 1e-9) {
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) stop(error.text);
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) return;
        sum += report.ledger.remainder;
        r->largest = fmax(r->largest, fabs(sum));
        r->friction = fmax(r->friction, report.ledger.friction);
        r->contact = fmax(r->contact, report.ledger.friction + report.ledger.impacts);
        kinetic = fmax(kinetic, report.energy.kinetic);
        low = fmin(low, report.energy.potential), high = fmax(high, report.energy.potential);
    }
    double scale = kinetic + high - low + weight_of(model);
    r->made = scale > 0.0;
    r->largest /= scale, r->friction /= scale, r->contact /= scale;
}

// By the scene's own method where `method` is none.
static left_over run(const char *file, int method, bool finer) {
    carom_scene *scene = NULL;
    carom_state *state = NULL;
    carom_error error;
    carom_scene_source source = carom_scene_source_default();
    left_over r = {.made = false};
    source.file = file;
    if (carom_scene_read(&source, NULL, &scene, NULL, &error) != CAROM_OK) stop(error.text);
    const carom_model *model = carom_scene_model(scene);
    carom_method_def def = *carom_scene_method(scene);
    bool own = method < 0;
    if (!own) def.method = (carom_method)method;
    if (finer) refine(&def);
    r.method = def.method;
    r.step = def.step;
    r.by_events = def.method == CAROM_METHOD_IMPULSE && carom_model_joint_count(model) == 0;
    r.by_tolerance = follows_a_tolerance(&def);
    if ((own || carom_model_body_count(model) <= MOST_BODIES_OF_EVENTS) &&
        carom_state_create(model, &def, &state, &error) == CAROM_OK) {
        double most = carom_model_body_count(model) <= FEW_BODIES ? longest : longest_of_heaps;
        follow(model, state, fmin(carom_scene_until(scene), most), &r);
        carom_state_destroy(state);
    }
    carom_scene_destroy(scene);
    return r;
}

static void print(bool json, const char *scene, int method) {
    char file[512], text[128];
    snprintf(file, sizeof file, CAROM_SOURCE_DIR "/scenes/%s.json", scene);
    left_over r = run(file, method, false);
    if (!r.made || (method >= 0 && r.method == run(file, -1, false).method)) return;
    left_over finer = run(file, method, true);
    if (!finer.made) return;
    const char *name = carom_method_name(r.method);
    if (json) {
        snprintf(text, sizeof text, "%s, %s", scene, name);
        bench_row row = bench_row_of("ledger", text, "");
        row.carom = r.largest;
        bench_print_row(json, &row);
        return;
    }
    printf("| `%s` | `%s`%s | %g | %.1e | %.1e | ", scene, name, r.by_events ? " by events" : "", r.step, r.largest,
           finer.largest);
    if (r.largest < 1e-12)
        printf("rounding");
    else
        printf("%.2g%s", r.largest / finer.largest, r.by_tolerance ? ", tolerance / 100" : "");
    printf(" | %.0e |\n", fmax(0.0, fmax(r.friction, r.contact)));
    fflush(stdout);
}

static int by_name(const void *a, const void *b) {
    return strcmp(a, b);
}

int main(int argc, char **argv) {
    static char name[MOST_SCENES][128];
    static const carom_method others[] = {CAROM_METHOD_IMPULSE, CAROM_METHOD_EXACT};
    bool json = bench_wants_json(argc, argv);
    int count = 0;
    DIR *scenes = opendir(CAROM_SOURCE_DIR "/scenes");
    if (scenes == NULL) stop("the scenes of the gallery are not here");
    for (struct dirent *e = readdir(scenes); e != NULL; e = readdir(scenes)) {
        size_t length = strlen(e->d_name);
        if (length < 6 || length > 120 || strcmp(e->d_name + length - 5, ".json") != 0 || count == MOST_SCENES)
            continue;
        memcpy(name[count], e->d_name, length - 5);
        name[count++][length - 5] = '\0';
    }
    closedir(scenes);
    qsort(name, (size_t)count, sizeof *name, by_name);
    if (!json)
        printf("| scene | method | step, s | remainder | at half the step | falls by | contacts give |\n"
               "|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < count; i++) {
        print(json, name[i], -1);
        for (size_t k = 0; k < sizeof others / sizeof others[0]; k++) print(json, name[i], (int)others[k]);
    }
    return 0;
}

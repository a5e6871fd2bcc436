// SPDX-License-Identifier: MIT
// What substeps of groups in contact are worth: the energy of elastic worlds by uniform steps of ever shorter lengths,
// and by long steps that only groups in contact divide, at what each costs in processor time. Errors are means over the
// run of |E - E0| relative to the first kinetic and the largest stored energy; beside each divided run stands what
// uniform steps have at the same cost, interpolated between theirs. Prints the tables of docs/method-potential.md and
// docs/method-dcr.md.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/random.h"
#include "carom/carom.h"
#include "support/report.h"

enum { TEXT_SIZE = 65536, UNIFORM = 6 };

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// ---- worlds

typedef struct world {
    const char *name, *method;
    double step, until;
    void (*write)(char *text); // bodies, shapes and joints
} world;

static void add(char *text, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

static void add(char *text, const char *format, ...) {
    size_t used = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + used, TEXT_SIZE - used, format, arguments);
    va_end(arguments);
}

static void write_room(char *text) {
    static const char *const side[] = {"1, 0, 0", "-1, 0, 0", "0, 1, 0", "0, -1, 0", "0, 0, 1", "0, 0, -1"};
    add(text, "\"shapes\": {");
    for (int i = 0; i < 6; i++)
        add(text, "\"w%d\": {\"kind\": \"half_space\", \"normal\": [%s], \"offset\": -1.5}, ", i, side[i]);
}

// 24 bodies of 1 kg that fly about in a room of 3 m, without gravity.
static void write_gas(char *text, const char *shape) {
    crm_random random = {.seed = 7};
    add(text, "\"gravity\": [0, 0, 0], ");
    write_room(text);
    add(text, "\"body\": %s}, \"bodies\": [", shape);
    for (int i = 0; i < 6; i++) add(text, "{\"kind\": \"fixed\", \"shape\": \"w%d\", \"material\": \"elastic\"}, ", i);
    for (int i = 0; i < 24; i++) {
        double v[3], w[3];
        for (int k = 0; k < 3; k++) v[k] = crm_random_between(&random, -1.0, 1.0);
        for (int k = 0; k < 3; k++) w[k] = crm_random_between(&random, -2.0, 2.0);
        add(text, "%s{\"shape\": \"body\", \"material\": \"elastic\", \"mass\": 1, \"position\": [%g, %g, %g], ",
            i > 0 ? ", " : "", -0.9 + 0.9 * (i % 3), -0.9 + 0.9 * (i / 3 % 3), -0.9 + 0.9 * (double)(i / 9));
        add(text, "\"velocity\": [%g, %g, %g], \"spin\": [%g, %g, %g]}", v[0], v[1], v[2], w[0], w[1], w[2]);
    }
    add(text, "]");
}

static void write_balls(char *text) {
    write_gas(text, "{\"kind\": \"sphere\", \"radius\": 0.12}");
}

static void write_cubes(char *text) {
    write_gas(text, "{\"kind\": \"box\", \"size\": [0.2, 0.2, 0.2]}");
}

// Six double pendulums that swing against walls of their own, each at its times.
static void write_pendulums(char *text) {
    add(text, "\"gravity\": [0, 0, -9.81], \"shapes\": {\"arm\": {\"kind\": \"box\", \"size\": [0.1, 0.1, 0.4]}, "
              "\"wall\": {\"kind\": \"box\", \"size\": [0.1, 0.6, 2]}}, \"bodies\": [");
    for (int i = 0; i < 6; i++) {
        double y = 2.0 * i, x = 0.4 + 0.06 * i;
        add(text,
            "{\"name\": \"wall%d\", \"kind\": \"fixed\", \"shape\": \"wall\", \"material\": \"elastic\", \"position\": "
            "[%g, %g, -0.6]}, ",
            i, x, y);
        add(text,
            "{\"name\": \"upper%d\", \"shape\": \"arm\", \"material\": \"elastic\", \"mass\": 1, \"position\": [0, %g, "
            "-0.2]}, ",
            i, y);
        add(text,
            "{\"name\": \"lower%d\", \"shape\": \"arm\", \"material\": \"elastic\", \"mass\": 1, \"position\": [0, %g, "
            "-0.62], ",
            i, y);
        add(text, "\"velocity\": [%g, 0, 0]}%s", 2.0 + 0.2 * i, i < 5 ? ", " : "");
    }
    add(text, "], \"joints\": [");
    for (int i = 0; i < 6; i++) {
        double y = 2.0 * i;
        add(text, "{\"kind\": \"hinge\", \"a\": \"world\", \"b\": \"upper%d\", \"point\": [0, %g, 0], ", i, y);
        add(text, "\"axis\": [0, 1, 0]}, {\"kind\": \"hinge\", \"a\": \"upper%d\", \"b\": \"lower%d\", ", i, i);
        add(text, "\"point\": [0, %g, -0.41], \"axis\": [0, 1, 0]}%s", y, i < 5 ? ", " : "");
    }
    add(text, "]");
}

static const world worlds[] = {
    {"24 balls in a room", "potential", 8e-3, 8.0, write_balls},
    {"24 cubes in a room", "potential", 4e-3, 8.0, write_cubes},
    {"six double pendulums and walls", "dcr", 1e-2, 6.0, write_pendulums},
};

// ---- runs

typedef struct run {
    double cost, error, balance; // s of processor time, mean share, worst balance of momenta
} run;

static carom_scene *read(const world *w, double step, int substeps, double tolerance) {
    static char text[TEXT_SIZE];
    text[0] = '\0';
    add(text, "{\"carom\": 1, \"until\": %g, \"method\": {\"name\": \"%s\", \"step\": %.17g, ", w->until, w->method,
        step);
    if (strcmp(w->method, "potential") == 0)
        add(text, "\"potential\": {\"stiffness\": 3e4, \"contact_substeps\": %d, \"contact_tolerance\": %g}", substeps,
            tolerance);
    else
        add(text, "\"dcr\": {\"contact_substeps\": %d, \"contact_tolerance\": %g}", substeps, tolerance);
    add(text, "}, \"materials\": {\"elastic\": {\"friction\": 0, \"restitution\": 1}}, ");
    w->write(text);
    add(text, "}");
    carom_scene_source source = carom_scene_source_default();
    source.text = text;
    carom_scene *scene = NULL;
    carom_scene_messages *messages = NULL;
    carom_error error = {.text = ""};
    if (carom_scene_read(&source, NULL, &scene, &messages, &error) != CAROM_OK)
        stop(messages != NULL && messages->count > 0 ? messages->message[0].text : error.text);
    carom_scene_messages_destroy(messages);
    return scene;
}

static run measure(const world *w, double step, int substeps, double tolerance) {
    carom_scene *scene = read(w, step, substeps, tolerance);
    const carom_model *model = carom_scene_model(scene);
    carom_state *state = NULL;
    carom_error error;
    if (carom_state_create(model, carom_scene_method(scene), &state, &error) != CAROM_OK) stop(error.text);
    carom_energy first = carom_state_energy(state);
    double sum = 0.0, scale = first.kinetic, steps = carom_method_step_count(carom_scene_method(scene), w->until);
    run out = {0};
    for (int64_t i = 0; i < (int64_t)steps; i++) {
        carom_step_report report;
        double begun = crm_clock_thread_seconds();
        if (carom_step(model, state, NULL, &report, &error) != CAROM_OK) stop(error.text);
        out.cost += crm_clock_thread_seconds() - begun;
        if (report.outcome == CAROM_STEP_IMPOSSIBLE) stop(report.text);
        sum += fabs(report.energy.kinetic + report.energy.potential - first.kinetic - first.potential);
        scale = fmax(scale, report.energy.kinetic);
        out.balance = fmax(out.balance, report.momentum_balance);
    }
    out.error = sum / steps / scale;
    carom_state_destroy(state);
    carom_scene_destroy(scene);
    return out;
}

// What uniform steps have at this cost: straight between their runs in logarithms, and on beyond the last ones.
static double at_cost(const run *uniform, double cost) {
    int i = 0;
    while (i + 2 < UNIFORM && uniform[i + 1].cost < cost) i++;
    double x0 = log(uniform[i].cost), x1 = log(uniform[i + 1].cost), y0 = log(uniform[i].error),
           y1 = log(uniform[i + 1].error);
    return exp(y0 + (y1 - y0) * (log(cost) - x0) / (x1 - x0));
}

// ---- the table

static void print(bool json, const world *w, const char *steps, const run *r, double uniform) {
    if (json) {
        char text[160];
        snprintf(text, sizeof text, "%s, %s", w->name, steps);
        bench_row row = bench_row_of("adaptive", text, "share");
        row.carom = r->error;
        if (isfinite(uniform)) row.peer = "uniform", row.peer_value = uniform;
        bench_print_row(json, &row);
        return;
    }
    printf("| %s | %s | %.0f | %.1e | ", w->name, steps, 1e3 * r->cost, r->error);
    if (isfinite(uniform))
        printf("%.1e | %.1f | ", uniform, uniform / r->error);
    else
        printf("| | ");
    printf("%.0e |\n", r->balance);
    fflush(stdout);
}

static void compare(bool json, const world *w) {
    static const struct {
        int substeps;
        double tolerance;
    } divided[] = {{2, 0.0}, {4, 0.0}, {8, 0.0}, {16, 0.0}, {32, 1e-3}, {32, 1e-4}, {32, 1e-5}};
    run uniform[UNIFORM];
    char text[64];
    for (int i = 0; i < UNIFORM; i++) {
        uniform[i] = measure(w, ldexp(w->step, -i), 1, 0.0);
        snprintf(text, sizeof text, "%g ms", 1e3 * ldexp(w->step, -i));
        print(json, w, text, &uniform[i], NAN);
    }
    for (size_t i = 0; i < sizeof divided / sizeof divided[0]; i++) {
        run r = measure(w, w->step, divided[i].substeps, divided[i].tolerance);
        if (divided[i].tolerance > 0.0)
            snprintf(text, sizeof text, "%g ms, in contact to %.0e", 1e3 * w->step, divided[i].tolerance);
        else
            snprintf(text, sizeof text, "%g ms, in contact %d", 1e3 * w->step, divided[i].substeps);
        print(json, w, text, &r, at_cost(uniform, r.cost));
    }
}

int main(int argc, char **argv) {
    bool json = bench_wants_json(argc, argv);
    if (!json)
        printf("| | steps | cost, ms | energy error | of uniform steps at that cost | times less | momentum balance |\n"
               "|---|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < sizeof worlds / sizeof worlds[0]; i++) compare(json, &worlds[i]);
    return 0;
}

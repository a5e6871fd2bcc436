// SPDX-License-Identifier: MIT
// Random scenes in sensible steps: bodies tied by springs, chains that swing, bodies that land on a floor. Seeds were
// kept whose runs agree with those of an eighth of the step within 2 % of way, size and energy: the campaign checks it.
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/harness/check.h"
#include "support/harness/sample.h"
#include "verdict/run/verdict_case.h"

// A text that grows.
typedef struct draft {
    size_t length;
    char text[8192];
} draft;

static void write(draft *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void write(draft *d, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    int more = vsnprintf(d->text + d->length, sizeof d->text - d->length, format, arguments);
    va_end(arguments);
    d->length += (size_t)more;
    assert_true(d->length < sizeof d->text);
}

static void write_vector(draft *d, const char *key, carom_vec3 v) {
    write(d, ", '%s': [%.6f, %.6f, %.6f]", key, v.x, v.y, v.z);
}

static carom_vec3 random_inertia(sampler *s, double scale) {
    double a = sample_between(s, 0.5, 1.0), b = sample_between(s, 0.5, 1.0);
    return (carom_vec3){scale * a, scale * b, scale * sample_between(s, 0.5, a + b > 1.2 ? 1.2 : a + b)};
}

// Some bodies in a row, each tied to the next one by a spring of some 1 Hz.
static void write_flyers(draft *d, sampler *s) {
    int count = 2 + (int)sample_between(s, 0, 4);
    double mass[8];
    write(d, "{'carom': 1, 'until': 1, 'method': {'step': %.6f}, 'bodies': [", sample_between(s, 0.0005, 0.02));
    for (int i = 0; i < count; i++) {
        mass[i] = sample_between(s, 0.5, 3);
        write(d, "%s{'mass': %.6f", i > 0 ? ", " : "", mass[i]);
        write_vector(d, "inertia", random_inertia(s, 0.2 * mass[i]));
        double x = i + sample_between(s, -0.1, 0.1);
        write_vector(d, "position", (carom_vec3){x, sample_between(s, -0.2, 0.2), 0});
        write_vector(d, "velocity", sample_vec3(s, 1));
        write_vector(d, "spin", sample_vec3(s, 2));
        write(d, "}");
    }
    write(d, "], 'forces': [");
    for (int i = 0; i + 1 < count; i++) {
        double least = mass[i] < mass[i + 1] ? mass[i] : mass[i + 1];
        write(d, "%s{'kind': 'spring', 'a': 'body-%d', 'b': 'body-%d', 'stiffness': %.6f, 'rest_length': %.6f",
              i > 0 ? ", " : "", i, i + 1, least * sample_between(s, 5, 40), sample_between(s, 0.7, 1.1));
        write_vector(d, "point_a", sample_vec3(s, 0.1));
        write(d, "}");
    }
    write(d, "]}");
}

// Links of uneven length on hinges and ball joints, let go level.
static void write_chain(draft *d, sampler *s) {
    int count = 1 + (int)sample_between(s, 0, 3);
    double end[8] = {0};
    write(d, "{'carom': 1, 'until': 0.8, 'method': {'step': %.6f}, 'bodies': [", sample_between(s, 0.0003, 0.008));
    for (int i = 0; i < count; i++) {
        double length = sample_between(s, 0.3, 0.8), mass = sample_between(s, 0.5, 2);
        end[i + 1] = end[i] + length;
        write(d, "%s{'mass': %.6f", i > 0 ? ", " : "", mass);
        write_vector(d, "inertia", random_inertia(s, mass * length * length / 8));
        write_vector(d, "position", (carom_vec3){end[i] + 0.5 * length, 0, 0});
        write(d, "}");
    }
    write(d, "], 'joints': [");
    for (int i = 0; i < count; i++) {
        bool hinge = sample_between(s, 0, 1) < 0.7;
        write(d, "%s{'kind': '%s', 'a': '", i > 0 ? ", " : "", hinge ? "hinge" : "ball");
        write(d, i > 0 ? "body-%d" : "world", i - 1);
        write(d, "', 'b': 'body-%d', 'point': [%.6f, 0, 0]", i, end[i]);
        if (hinge) write(d, ", 'axis': [0, 1, %.6f]", sample_between(s, -0.2, 0.2));
        write(d, "}");
    }
    write(d, "]}");
}

// Boxes and balls that fall a little way on to a floor, side by side, and slide to rest.
static void write_landing(draft *d, sampler *s) {
    int count = 1 + (int)sample_between(s, 0, 4);
    write(d, "{'carom': 1, 'until': 0.6, 'method': {'step': %.6f}", sample_between(s, 0.001, 0.015));
    write(d, ", 'materials': {'m': {'friction': %.3f}}", sample_between(s, 0.2, 0.8));
    write(d, ", 'shapes': {'f': {'kind': 'half_space', 'normal': [0, 0, 1]}");
    double size[8];
    for (int i = 0; i < count; i++) {
        size[i] = sample_between(s, 0.1, 0.3);
        if (sample_between(s, 0, 1) < 0.5)
            write(d, ", 's%d': {'kind': 'sphere', 'radius': %.6f}", i, size[i]);
        else
            write(d, ", 's%d': {'kind': 'box', 'size': [%.6f, %.6f, %.6f]}", i, 2.5 * size[i], 3 * size[i],
                  2 * size[i]);
    }
    write(d, "}, 'bodies': [{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'}");
    for (int i = 0; i < count; i++) {
        write(d, ", {'shape': 's%d', 'density': %.1f, 'material': 'm'", i, sample_between(s, 300, 3000));
        write_vector(d, "position", (carom_vec3){2.0 * i, 0, size[i] + sample_between(s, 0.01, 0.1)});
        double vx = sample_between(s, -1, 1), vy = sample_between(s, -1, 1);
        write_vector(d, "velocity", (carom_vec3){vx, vy, 0});
        write(d, "}");
    }
    write(d, "]}");
}

// Balls that meet off their line of centres.
static void write_meeting(draft *d, sampler *s) {
    int count = 2 + (int)sample_between(s, 0, 2);
    write(d, "{'carom': 1, 'until': 0.5, 'gravity': [0, 0, 0], 'method': {'step': %.6f}",
          sample_between(s, 0.0003, 0.004));
    double friction = sample_between(s, 0, 0.5);
    write(d, ", 'materials': {'m': {'friction': %.3f, 'restitution': %.3f}}, 'shapes': {", friction,
          sample_between(s, 0, 1));
    for (int i = 0; i < count; i++)
        write(d, "%s's%d': {'kind': 'sphere', 'radius': %.6f}", i > 0 ? ", " : "", i, sample_between(s, 0.1, 0.2));
    write(d, "}, 'bodies': [");
    for (int i = 0; i < count; i++) {
        write(d, "%s{'shape': 's%d', 'density': %.1f, 'material': 'm'", i > 0 ? ", " : "", i,
              sample_between(s, 300, 3000));
        double y = sample_between(s, -0.1, 0.1);
        write_vector(d, "position", (carom_vec3){0.8 * i, y, 0});
        write_vector(d, "velocity", (carom_vec3){1.5 * (1 - i), sample_between(s, -0.1, 0.1), 0});
        write_vector(d, "spin", sample_vec3(s, 2));
        write(d, "}");
    }
    write(d, "]}");
}

// One or two bodies of any shape, in any attitude, that fall on to a floor and tumble for a moment.
static void write_tumbling(draft *d, sampler *s) {
    static const char *const shapes[] = {"'kind': 'box', 'size': [0.3, 0.2, 0.15]",
                                         "'kind': 'capsule', 'radius': 0.08, 'length': 0.25",
                                         "'kind': 'ellipsoid', 'half_axes': [0.2, 0.15, 0.1]",
                                         "'kind': 'prism', 'sides': 5, 'radius': 0.15, 'height': 0.2"};
    int count = 1 + (int)sample_between(s, 0, 2);
    write(d, "{'carom': 1, 'until': %.6f, 'method': {'step': %.6f}", sample_between(s, 0.15, 0.3),
          sample_between(s, 0.0002, 0.003));
    write(d, ", 'materials': {'m': {'friction': %.3f}}", sample_between(s, 0.1, 1));
    write(d, ", 'shapes': {'f': {'kind': 'half_space', 'normal': [0, 0, 1]}");
    for (int i = 0; i < count; i++) write(d, ", 's%d': {%s}", i, shapes[(int)sample_between(s, 0, 4)]);
    write(d, "}, 'bodies': [{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'}");
    for (int i = 0; i < count; i++) {
        carom_quat q = sample_attitude(s);
        write(d, ", {'shape': 's%d', 'density': 1000, 'material': 'm', 'attitude': [%.6f, %.6f, %.6f, %.6f]", i, q.w,
              q.x, q.y, q.z);
        write_vector(d, "position", (carom_vec3){2.0 * i, 0, 0.25 + sample_between(s, 0, 0.05)});
        write_vector(d, "velocity", sample_vec3(s, 0.5));
        write_vector(d, "spin", sample_vec3(s, 2));
        write(d, "}");
    }
    write(d, "]}");
}

static void add_family(case_list *list, const char *name, const char *const *methods, int method_count,
                       void (*write_scene)(draft *, sampler *), uint64_t first, int count, const char *without) {
    for (int i = 0; i < count; i++) {
        char number[32], title[64];
        snprintf(number, sizeof number, " %d ", i);
        if (strstr(without, number) != NULL) continue;
        draft *d = calloc(1, sizeof *d);
        assert_non_null(d);
        sampler s = {.seed = first + (uint64_t)i};
        write_scene(d, &s);
        snprintf(title, sizeof title, "%s %d", name, i);
        add_right(list, title, "random", methods[i % method_count], scene_text("%s", d->text));
        free(d);
    }
}

void add_random(case_list *list) {
    static const char *const flying[] = {"variational", "lcp", "multiplier", "impulse", "dcr", "reduced", "potential"};
    static const char *const jointed[] = {"multiplier", "reduced", "lcp", "variational", "dcr", "impulse"};
    static const char *const landing[] = {"lcp", "impulse", "dcr", "lcp"};
    add_family(list, "springs", flying, 7, write_flyers, 7100, 42, " 20 31 ");
    add_family(list, "links", jointed, 6, write_chain, 7200, 42, "");
    static const char *const meeting[] = {"lcp", "impulse", "dcr"};
    add_family(list, "meeting", meeting, 3, write_meeting, 7400, 36, "");
    static const char *const tumbling[] = {"lcp", "dcr", "impulse"};
    add_family(list, "tumbling", tumbling, 3, write_tumbling, 7500, 60, " 25 ");
    add_family(list, "landing", landing, 4, write_landing, 7300, 40, "");
}

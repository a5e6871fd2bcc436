// SPDX-License-Identifier: MIT
// Contacts whose motion has a closed form: what rests, slides, rolls, bounces and collides, in fine steps.
#include <math.h>
#include <stdio.h>

#include "verdict/run/verdict_case.h"

#define FLOOR "'f': {'kind': 'half_space', 'normal': [0, 0, 1]}"
#define ON_FLOOR "{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'}"

static const double g = 9.81;

// A box on a slope: it stays, or slides at g (sin a - mu cos a).
static void add_slopes(case_list *list) {
    static const struct {
        double angle, friction;
        const char *methods;
    } slopes[] = {{0.3, 0.5, "lcp impulse penalty"},
                  {0.1, 0.2, "lcp impulse penalty"},
                  {0.5, 0.3, "lcp impulse dcr penalty"},
                  {0.3, 0.1, "lcp impulse dcr penalty"},
                  {0.4, 0, "lcp impulse dcr penalty"}};
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
        double s = sin(slopes[i].angle), c = cos(slopes[i].angle), t = 0.8;
        double way = 0.5 * t * t * fmax(0, g * (s - slopes[i].friction * c));
        char name[64];
        snprintf(name, sizeof name, "box on a slope of %g rad, mu %g", slopes[i].angle, slopes[i].friction);
        add_analytic(
            list, name, slopes[i].methods, (carom_vec3){0.05 * s + way * c, 0, 0.05 * c - way * s}, 0.02 * way + 0.005,
            scene_text("{'carom': 1, 'until': %g, 'method': {'step': 0.001}, 'materials': {'m': {'friction': %g}},"
                       "'shapes': {'b': {'kind': 'box', 'size': [0.4, 0.3, 0.1]}, 'g': {'kind': 'half_space',"
                       "'normal': [%.17g, 0, %.17g]}}, 'bodies': [{'name': 'b', 'shape': 'b', 'mass': 2,"
                       "'position': [%.17g, 0, %.17g], 'attitude': {'axis': [0, 1, 0], 'angle': %g}, 'material': 'm'},"
                       "{'name': 'g', 'kind': 'fixed', 'shape': 'g', 'material': 'm'}]}",
                       t, slopes[i].friction, s, c, 0.05 * s, 0.05 * c, slopes[i].angle));
    }
}

// Slides to rest after v^2 / (2 mu g), whatever the direction.
static void add_slides(case_list *list) {
    static const double directions[] = {0, 0.6, 2};
    for (size_t i = 0; i < 3; i++) {
        double v = 2, mu = 0.4, way = v * v / (2 * mu * g), c = cos(directions[i]), s = sin(directions[i]);
        char name[64];
        snprintf(name, sizeof name, "box slides to rest along %g rad", directions[i]);
        add_analytic(list, name, "lcp impulse dcr penalty", (carom_vec3){way * c, way * s, 0.05}, 0.02 * way + 0.005,
                     scene_text("{'carom': 1, 'until': 0.8, 'method': {'step': 0.001}, 'materials': {'m': {'friction': "
                                "%g}}, 'shapes': {"
                                "'b': {'kind': 'box', 'size': [0.4, 0.4, 0.1]}, " FLOOR
                                "}, 'bodies': [{'name': 'b', 'shape': 'b', 'mass': 1,"
                                "'position': [0, 0, 0.05], 'velocity': [%.17g, %.17g, 0], 'material': 'm'}, " ON_FLOOR
                                "]}",
                                mu, v * c, v * s));
    }
}

// Dropped from 0.5 m: down after sqrt(2 z / g), and up again at e times the speed.
static void add_bounces(case_list *list) {
    static const double coefficients[] = {0, 0.5, 0.9, 1};
    for (size_t i = 0; i < 4; i++) {
        double e = coefficients[i], down = sqrt(2 * 0.5 / g), t = 0.5, up = t - down;
        double z = e > 0 ? e * g * down * up - 0.5 * g * up * up : 0;
        char name[64];
        snprintf(name, sizeof name, "ball bounces, e = %g", e);
        add_analytic(list, name, e == 1 ? "lcp impulse dcr exact potential newmark" : "lcp impulse dcr",
                     (carom_vec3){0, 0, 0.1 + z}, 0.03,
                     scene_text("{'carom': 1, 'until': %g, 'method': {'step': %g}, 'materials': {'m': {'friction': 0, "
                                "'restitution': %g}},"
                                "'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}, " FLOOR
                                "}, 'bodies': [{'name': 'b', 'shape': 's', 'mass': 1,"
                                "'position': [0, 0, 0.6], 'material': 'm'}, " ON_FLOOR "]}",
                                t, e == 1 ? 1e-4 : 5e-4, e));
    }
}

// A ball that rolls from the start, one that slides first (5/7 of its speed in the end), one on a slope (5/7 g sin a).
static void add_rolls(case_list *list) {
    double v = 1, mu = 0.3, slide = 2 * v / (7 * mu * g), t = 1;
    double way = v * slide - 0.5 * mu * g * slide * slide + 5.0 / 7 * v * (t - slide);
    add_analytic(
        list, "ball rolls", "lcp impulse dcr penalty", (carom_vec3){1, 0, 0.2}, 0.03,
        scene_text(
            "{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'materials': {'m': {'friction': 0.5}}, 'shapes': {'s':"
            "{'kind': 'sphere', 'radius': 0.2}, " FLOOR "}, 'bodies': [{'name': 'b', 'shape': 's', 'mass': 1,"
            "'position': [0, 0, 0.2], 'velocity': [1, 0, 0], 'spin': [0, 5, 0], 'material': 'm'}, " ON_FLOOR "]}"));
    add_analytic(
        list, "ball slides, then rolls", "lcp impulse dcr penalty", (carom_vec3){way, 0, 0.2}, 0.03,
        scene_text(
            "{'carom': 1, 'until': %g, 'method': {'step': 0.001}, 'materials': {'m': {'friction': %g}}, 'shapes': {'s':"
            "{'kind': 'sphere', 'radius': 0.2}, " FLOOR "}, 'bodies': [{'name': 'b', 'shape': 's', 'mass': 1,"
            "'position': [0, 0, 0.2], 'velocity': [%g, 0, 0], 'material': 'm'}, " ON_FLOOR "]}",
            t, mu, v));
    double s = sin(0.3), c = cos(0.3), down = 0.5 * 5.0 / 7 * g * s;
    add_analytic(
        list, "ball rolls down a slope", "lcp impulse penalty", (carom_vec3){0.2 * s + down * c, 0, 0.2 * c - down * s},
        0.03,
        scene_text(
            "{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'materials': {'m': {'friction': 0.6}}, 'shapes': {'s':"
            "{'kind': 'sphere', 'radius': 0.2}, 'g': {'kind': 'half_space', 'normal': [%.17g, 0, %.17g]}}, 'bodies': ["
            "{'name': 'b', 'shape': 's', 'mass': 1, 'position': [%.17g, 0, %.17g], 'material': 'm'},"
            "{'name': 'g', 'kind': 'fixed', 'shape': 'g', 'material': 'm'}]}",
            s, c, 0.2 * s, 0.2 * c));
}

// Two balls on a line: v1 = (m1 - e m2) / (m1 + m2) v, after a gap of 0.3 m.
static void add_collisions(case_list *list) {
    static const struct { double mass, restitution; } pairs[] = {{1, 1}, {3, 1}, {1, 0.5}, {4, 0}, {0.5, 0.8}};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        double m = pairs[i].mass, e = pairs[i].restitution, v = 2, hit = 0.3 / v;
        double after = (1 - e * m) / (1 + m) * v;
        char name[64];
        snprintf(name, sizeof name, "balls of 1 and %g kg, e = %g", m, e);
        add_analytic(list, name, e == 1 ? "lcp impulse dcr exact potential newmark penalty" : "lcp impulse dcr penalty",
                     (carom_vec3){0.3 + after * (0.5 - hit), 0, 0}, 0.03,
                     scene_text("{'carom': 1, 'until': 0.5, 'gravity': [0, 0, 0], 'method': {'step': %g}, 'materials': "
                                "{'m': {'friction': 0,"
                                "'restitution': %g}}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}}, 'bodies': ["
                                "{'name': 'a', 'shape': 's', 'mass': 1, 'material': 'm', 'velocity': [%g, 0, 0]},"
                                "{'name': 'b', 'shape': 's', 'mass': %g, 'material': 'm', 'position': [0.5, 0, 0]}]}",
                                e == 1 ? 1e-4 : 5e-4, e, v, m));
    }
}

// What stands: shapes on a floor, stacks, a push below what friction bears and one above.
static void add_rest(case_list *list) {
    static const struct {
        const char *name, *shape;
        double height;
    } shapes[] = {{"box", "'kind': 'box', 'size': [0.4, 0.3, 0.2]", 0.1},
                  {"ball", "'kind': 'sphere', 'radius': 0.2", 0.2},
                  {"prism", "'kind': 'prism', 'sides': 6, 'radius': 0.3, 'height': 0.4", 0.2},
                  {"ellipsoid", "'kind': 'ellipsoid', 'half_axes': [0.3, 0.25, 0.1]", 0.1}};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s at rest", shapes[i].name);
        add_analytic(list, name, "lcp impulse penalty", (carom_vec3){0, 0, shapes[i].height}, 0.005,
                     scene_text("{'carom': 1, 'until': 1, 'method': {'step': 0.004}, 'materials': {'m': {}}, 'shapes': "
                                "{'b': {%s}, " FLOOR "},"
                                "'bodies': [{'name': 'b', 'shape': 'b', 'density': 800, 'position': [0, 0, %g], "
                                "'material': 'm'}, " ON_FLOOR "]}",
                                shapes[i].shape, shapes[i].height));
    }
    static const int levels[] = {2, 5, 10};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "stack of %d boxes", levels[i]);
        add_analytic(list, name, "lcp", (carom_vec3){0, 0, 0.1}, 0.005,
                     scene_text("{'carom': 1, 'until': 1, 'method': {'step': 0.004}, 'materials': {'m': {}}, 'shapes': "
                                "{'b': {'kind': 'box',"
                                "'size': [0.4, 0.3, 0.2]}, " FLOOR
                                "}, 'bodies': [{'name': 'b', 'shape': 'b', 'density': 800,"
                                "'position': [0, 0, 0.1], 'material': 'm', 'repeat': {'lattice': {'count': [1, 1, %d], "
                                "'spacing': [0, 0, 0.2]}}}," ON_FLOOR "]}",
                                levels[i]));
    }
    static const double pushes[] = {3, 8};
    for (size_t i = 0; i < 2; i++) {
        double a = fmax(0, pushes[i] - 0.5 * g);
        add_analytic(list, i == 0 ? "box pushed in vain" : "box pushed along", "lcp impulse penalty",
                     (carom_vec3){0.5 * a, 0, 0.1}, 0.02 * a + 0.005,
                     scene_text("{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'materials': {'m': {'friction': "
                                "0.5}}, 'shapes': {'b':"
                                "{'kind': 'box', 'size': [0.6, 0.6, 0.2]}, " FLOOR
                                "}, 'bodies': [{'name': 'b', 'shape': 'b', 'mass': 1,"
                                "'position': [0, 0, 0.1], 'material': 'm'}, " ON_FLOOR
                                "], 'forces': [{'kind': 'wrench', 'body': 'b',"
                                "'point': [0, 0, -0.1], 'force': [%g, 0, 0]}]}",
                                pushes[i]));
    }
}

void add_analytic_contacts(case_list *list) {
    add_slopes(list);
    add_slides(list);
    add_bounces(list);
    add_rolls(list);
    add_collisions(list);
    add_rest(list);
}

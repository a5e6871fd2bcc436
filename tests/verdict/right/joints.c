// SPDX-License-Identifier: MIT
// Mechanisms whose motion has a closed form, in fine steps.
#include <math.h>
#include <stdio.h>

#include "verdict/run/verdict_case.h"

// Hinged at the origin, its centre 1 m below, inertia 0.02 kg m^2 about it: w^2 = m g l / (m l^2 + I) for small angles.
static void add_pendulums(case_list *list) {
    static const double amplitudes[] = {0.05, 0.15};
    for (size_t i = 0; i < 2; i++) {
        double a = amplitudes[i], w = sqrt(9.81 / 1.02) * (1 - a * a / 16), angle = a * cos(w * 2);
        char name[64];
        snprintf(name, sizeof name, "pendulum of %g rad", a);
        add_analytic(
            list, name, "*", (carom_vec3){sin(angle), 0, -cos(angle)}, 0.02 * a + 0.002,
            scene_text("{'carom': 1, 'until': 2, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'mass': 1,"
                       "'inertia': [0.02, 0.02, 0.02], 'position': [%.17g, 0, %.17g]}], 'joints': [{'kind': 'hinge',"
                       "'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'axis': [0, 1, 0]}]}",
                       sin(a), -cos(a)));
    }
    // A cone of half angle 0.5 rad: w^2 = g / (l cos 0.5).
    double w = sqrt(9.81 / cos(0.5)), r = sin(0.5), t = 1.5;
    add_analytic(
        list, "conical pendulum", "*", (carom_vec3){r * cos(w * t), r * sin(w * t), -cos(0.5)}, 0.05,
        scene_text(
            "{'carom': 1, 'until': %g, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'kind': 'point', 'mass': 2,"
            "'position': [%.17g, 0, %.17g], 'velocity': [0, %.17g, 0]}], 'joints': [{'kind': 'distance', 'a': 'world',"
            "'b': 'a', 'point_a': [0, 0, 0]}]}",
            t, r, -cos(0.5), r * w));
}

// Angles that grow evenly: without torque, by a motor; by a spring and a damper.
static void add_hinges(case_list *list) {
    static const struct {
        const char *name, *coordinate;
        double rate, angle; // at the start, and after 1 s
    } hinges[] = {{"hinge without torque", "", 4, 4},
                  {"hinge by a velocity motor", "'motor': {'kind': 'velocity', 'target_rate': 3}", 3, 3},
                  {"hinge with a damper", "'damping': 0.27", 4, 0},
                  {"hinge with a spring", "'stiffness': 10.8", 4, 0},
                  {"hinge by a torque", "'motor': {'kind': 'force', 'force': 0.54}", 0, 0.5}};
    for (size_t i = 0; i < sizeof hinges / sizeof hinges[0]; i++) {
        // m l^2 + I = 2 * 0.25 + 0.04 kg m^2.
        double inertia = 0.54, angle = hinges[i].angle, rate = hinges[i].rate;
        if (i == 2) angle = rate * inertia / 0.27 * (1 - exp(-0.27 / inertia));
        if (i == 3) angle = rate / sqrt(10.8 / inertia) * sin(sqrt(10.8 / inertia));
        add_analytic(
            list, hinges[i].name, "*", (carom_vec3){0.5 * cos(angle), 0.5 * sin(angle), 0}, 0.03,
            scene_text(
                "{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'mass': 2,"
                "'inertia': [0.04, 0.04, 0.04], 'position': [0.5, 0, 0], 'velocity': [0, %.17g, 0], 'spin': [0, 0, "
                "%.17g]}],"
                "'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'coordinates': [{%s}]}]}",
                0.5 * rate, rate, hinges[i].coordinate));
    }
}

// A slider down a line of 0.4 rad; two bodies on a ball joint, whose common centre flies on a parabola.
static void add_others(case_list *list) {
    double a = 0.5 * 9.81 * sin(0.4);
    add_analytic(
        list, "slider on a slope", "*", (carom_vec3){a * cos(0.4), 0, -a * sin(0.4)}, 0.03,
        scene_text(
            "{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'mass': 3}], 'joints': ["
            "{'kind': 'slider', 'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'axis': [%.17g, 0, %.17g]}]}",
            cos(0.4), -sin(0.4)));
    add_right(
        list, "two bodies on a ball joint", "analytic", "*",
        scene_text(
            "{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'mass': 1, 'inertia': [0.1, "
            "0.1, 0.1],"
            "'position': [-0.5, 0, 0], 'velocity': [1, 0, 4]}, {'name': 'b', 'mass': 1, 'inertia': [0.1, 0.1, 0.1],"
            "'position': [0.5, 0, 0], 'velocity': [1, 0, 4]}], 'joints': [{'kind': 'ball', 'a': 'a', 'b': 'b', "
            "'point': [0, 0, 0]}]}"));
    add_right(list, "double pendulum in fine steps", "analytic", "*",
              scene_text("{'carom': 1, 'until': 1, 'method': {'step': 0.0005}, 'bodies': ["
                         "{'name': 'a', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [0.5, 0, 0]},"
                         "{'name': 'b', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [1.5, 0, 0]}],"
                         "'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'axis': [0, 1, 0]},"
                         "{'kind': 'hinge', 'a': 'a', 'b': 'b', 'point': [1, 0, 0], 'axis': [0, 1, 0]}]}"));
    add_right(list, "door on two hinges", "analytic", "*",
              scene_text("{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'bodies': [{'name': 'a', 'mass': 20, "
                         "'inertia': [7, 8, 1.5],"
                         "'position': [0.45, 0, 1], 'velocity': [0, 0.9, 0], 'spin': [0, 0, 2]}], 'joints': ["
                         "{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 0.2]},"
                         "{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 1.8]}]}"));
}

void add_analytic_joints(case_list *list) {
    add_pendulums(list);
    add_hinges(list);
    add_others(list);
}

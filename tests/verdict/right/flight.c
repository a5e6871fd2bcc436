// SPDX-License-Identifier: MIT
// Free bodies under forces whose motion has a closed form, in steps that are fine for every method.
#include <math.h>
#include <stdio.h>

#include "verdict/run/verdict_case.h"

#define BODY "'name': 'a', 'mass': 2, 'inertia': [0.1, 0.2, 0.25]"

static const double pi = 3.14159265358979323846;

static void add_falls(case_list *list) {
    static const struct { double vx, vz, spin, step; } throws[] = {{0, 0, 0, 0.005}, {3, 6, 2, 0.002}};
    for (size_t i = 0; i < 2; i++)
        add_analytic(
            list, i == 0 ? "free fall" : "throw", "*", (carom_vec3){throws[i].vx, 0, throws[i].vz - 0.5 * 9.81}, 0.03,
            scene_text("{'carom': 1, 'until': 1, 'method': {'step': %g}, 'bodies': [{" BODY ", 'velocity': [%g, 0, %g],"
                       "'spin': [0, %g, 0]}]}",
                       throws[i].step, throws[i].vx, throws[i].vz, throws[i].spin));
}

// Symmetric about z, tilted spin: the axis goes round the angular momentum at L/I; the centre stays on its line.
static void add_tops(case_list *list) {
    static const char *const inertia[] = {"1, 1, 1.8", "1, 1, 0.2", "1, 1.5, 2"};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "top without torque, %s", inertia[i]);
        add_analytic(
            list, name, "*", (carom_vec3){1, 0, 0}, 0.02,
            scene_text(
                "{'carom': 1, 'until': 2, 'gravity': [0, 0, 0], 'method': {'step': 0.0005}, 'bodies': [{'name': 'a',"
                "'mass': 1, 'inertia': [%s], 'velocity': [0.5, 0, 0], 'spin': [1, 0.5, 3]}]}",
                inertia[i]));
    }
}

// 1 kg on a spring of 4 pi^2 N/m: it swings once a second.
static void add_oscillators(case_list *list) {
    double t = 1.7;
    add_analytic(
        list, "mass on a spring", "*", (carom_vec3){1 + 0.2 * cos(2 * pi * t), 0, 0}, 0.03,
        scene_text("{'carom': 1, 'until': %g, 'gravity': [0, 0, 0], 'method': {'step': 0.0005}, 'bodies': [{'name': "
                   "'a', 'mass': 1,"
                   "'inertia': [0.1, 0.1, 0.1], 'position': [1.2, 0, 0]}], 'forces': [{'kind': 'spring', 'a': 'world',"
                   "'b': 'a', 'stiffness': %.17g, 'rest_length': 1}]}",
                   t, 4 * pi * pi));
    // Weakly damped: x = exp(-t/2) (cos w t + sin w t / (2 w)), w^2 = 4 pi^2 - 1/4.
    double w = sqrt(4 * pi * pi - 0.25), x = 0.2 * exp(-0.5 * t) * (cos(w * t) + sin(w * t) / (2 * w));
    add_analytic(
        list, "mass on a damped spring", "*", (carom_vec3){1 + x, 0, 0}, 0.03,
        scene_text("{'carom': 1, 'until': %g, 'gravity': [0, 0, 0], 'method': {'step': 0.0005}, 'bodies': [{'name': "
                   "'a', 'mass': 1,"
                   "'inertia': [0.1, 0.1, 0.1], 'position': [1.2, 0, 0]}], 'forces': [{'kind': 'spring', 'a': 'world',"
                   "'b': 'a', 'stiffness': %.17g, 'damping': 1, 'rest_length': 1}]}",
                   t, 4 * pi * pi));
    // Two masses of 1 and 3 kg: reduced mass 3/4 kg; their centre stays.
    double distance = 1 + 0.2 * cos(2 * pi * t);
    add_analytic(list, "two masses and a spring", "*", (carom_vec3){-0.75 * distance, 0, 0}, 0.03,
                 scene_text("{'carom': 1, 'until': %g, 'gravity': [0, 0, 0], 'method': {'step': 0.0005}, 'bodies': "
                            "[{'name': 'a', 'mass': 1,"
                            "'inertia': [0.1, 0.1, 0.1], 'position': [-0.9, 0, 0]}, {'name': 'b', 'mass': 3, "
                            "'inertia': [0.1, 0.1, 0.1],"
                            "'position': [0.3, 0, 0]}], 'forces': [{'kind': 'spring', 'a': 'a', 'b': 'b', 'stiffness': "
                            "%.17g, 'rest_length': 1}]}",
                            t, 3 * pi * pi));
}

// Charges of unit strength and a Coulomb constant of 1: a circle of radius 1 at 1 m/s; an ellipse of half axis a is
// closed after 2 pi a^1.5.
static void add_orbits(case_list *list) {
    static const double speeds[] = {1, 1.1, 0.8};
    for (size_t i = 0; i < 3; i++) {
        double axis = 1 / (2 - speeds[i] * speeds[i]), until = speeds[i] == 1 ? 2 : 2 * pi * pow(axis, 1.5);
        carom_vec3 end = speeds[i] == 1 ? (carom_vec3){cos(until), sin(until), 0} : (carom_vec3){1, 0, 0};
        char name[64];
        snprintf(name, sizeof name, "orbit begun at %g m/s", speeds[i]);
        add_analytic(
            list, name, "*", end, 0.06,
            scene_text(
                "{'carom': 1, 'until': %.17g, 'gravity': [0, 0, 0], 'coulomb_constant': 1, 'method': {'step': %.17g},"
                "'bodies': [{'name': 'a', 'kind': 'point', 'mass': 1, 'position': [1, 0, 0], 'velocity': [0, %g, 0]},"
                "{'name': 's', 'kind': 'fixed'}], 'forces': [{'kind': 'charge', 'body': 'a', 'charge': 1},"
                "{'kind': 'charge', 'body': 's', 'charge': -1}]}",
                until, until / 8192, speeds[i]));
    }
}

// Drag c on mass m: v = v0 exp(-c t/m); and a constant force: F t^2/(2 m).
static void add_drags(case_list *list) {
    double t = 1, rate = 1.5 / 2;
    add_analytic(
        list, "drag", "*", (carom_vec3){2 / rate * (1 - exp(-rate * t)), 0, 0}, 0.03,
        scene_text("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'method': {'step': 0.001}, 'bodies': [{" BODY ","
                   "'velocity': [2, 0, 0], 'spin': [0, 0, 1]}], 'forces': [{'kind': 'drag', 'body': 'a', 'linear': "
                   "1.5, 'angular': 0.1}]}"));
    add_analytic(
        list, "constant force", "*", (carom_vec3){0.5 * 3 / 2, 0, 0}, 0.02,
        scene_text("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'method': {'step': 0.001}, 'bodies': [{" BODY "}],"
                   "'forces': [{'kind': 'wrench', 'body': 'a', 'force': [3, 0, 0], 'torque': [0, 0.1, 0]}]}"));
}

void add_analytic_flight(case_list *list) {
    add_falls(list);
    add_tops(list);
    add_oscillators(list);
    add_orbits(list);
    add_drags(list);
}

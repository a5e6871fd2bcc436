// SPDX-License-Identifier: MIT
// Forces and spins that are too fast for the step: springs, dampers, drag, charges, flat bodies.
#include <stdio.h>

#include "verdict/run/verdict_case.h"

// Two bodies of 1 kg, 1 m apart, one of which leaves at 1 m/s.
static char *pair(const char *force, double until) {
    return scene_text(
        "{'carom': 1, 'until': %g, 'gravity': [0, 0, 0], 'method': {'step': 0.005}, 'bodies': ["
        "{'name': 'a', 'mass': 1, 'inertia': [0.1, 0.1, 0.1]},"
        "{'name': 'b', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [1, 0, 0], 'velocity': [1, 0, 0],"
        "'spin': [0, 3, 0]}], 'forces': [%s]}",
        until, force);
}

static void add_pairs(case_list *list) {
    static const struct {
        const char *name, *kind, *force;
    } forces[] = {
        {"dashpot of 250 N s/m", "damper", "{'kind': 'spring', 'a': 'a', 'b': 'b', 'stiffness': 0, 'damping': 250}"},
        {"dashpot of 1e4 N s/m", "damper", "{'kind': 'spring', 'a': 'a', 'b': 'b', 'stiffness': 0, 'damping': 1e4}"},
        {"dashpot to the world", "damper",
         "{'kind': 'spring', 'a': 'world', 'b': 'b', 'stiffness': 10, 'damping': 500}"},
        {"drag of 500 N s/m", "damper", "{'kind': 'drag', 'body': 'b', 'linear': 500}"},
        {"drag of 900 N s^2/m^2", "damper", "{'kind': 'drag', 'body': 'b', 'quadratic': 900}"},
        {"angular drag of 60 N m s", "damper", "{'kind': 'drag', 'body': 'b', 'angular': 60}"},
        {"spring of 1e5 N/m", "spring",
         "{'kind': 'spring', 'a': 'a', 'b': 'b', 'stiffness': 1e5, 'rest_length': 0.95}"},
        {"spring of 1e6 N/m", "spring", "{'kind': 'spring', 'a': 'a', 'b': 'b', 'stiffness': 1e6, 'rest_length': 1}"},
        {"spring of 2e4 N/m", "spring", "{'kind': 'spring', 'a': 'a', 'b': 'b', 'stiffness': 2e4, 'rest_length': 0.9}"},
        {"spring on a long arm", "spring",
         "{'kind': 'spring', 'a': 'world', 'b': 'b', 'point_a': [1, 0, 1], 'point_b': [0.5, 0, 0],"
         "'stiffness': 5e4, 'rest_length': 0.5}"},
        {"charges that attract", "charge",
         "{'kind': 'charge', 'body': 'a', 'charge': 1e-4}, {'kind': 'charge', 'body': 'b', 'charge': -1e-4}"},
        {"charges that repel", "charge",
         "{'kind': 'charge', 'body': 'a', 'charge': 1e-2}, {'kind': 'charge', 'body': 'b', 'charge': 1e-2}"},
        {"magnets close by", "charge",
         "{'kind': 'magnet', 'body': 'a', 'axis': [1, 0, 0], 'length': 1.98, 'strength': 1e-4},"
         "{'kind': 'magnet', 'body': 'b', 'axis': [0, 1, 0], 'length': 0.1, 'strength': 1e-4}"},
    };
    for (size_t i = 0; i < sizeof forces / sizeof forces[0]; i++)
        add_wrong(list, forces[i].name, forces[i].kind, "*", pair(forces[i].force, 1));
}

// A charge on an ellipse about one of the other sign: it passes at v^2/2 of its distance.
static void add_orbits(case_list *list) {
    static const struct { double speed, step; } orbits[] = {{0.03, 1.0 / 240}, {0.2, 0.02}, {0.4, 0.05}, {0.1, 0.002}};
    for (size_t i = 0; i < sizeof orbits / sizeof orbits[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "orbit begun at %g m/s", orbits[i].speed);
        add_wrong(list, name, "charge", "*",
                  scene_text(
                      "{'carom': 1, 'until': 6, 'gravity': [0, 0, 0], 'coulomb_constant': 1, 'method': {'step': %.17g},"
                      "'bodies': [{'name': 'a', 'kind': 'point', 'mass': 1, 'position': [1, 0, 0],"
                      "'velocity': [0, %g, 0]}, {'name': 's', 'kind': 'fixed'}], 'forces': ["
                      "{'kind': 'charge', 'body': 'a', 'charge': 1}, {'kind': 'charge', 'body': 's', 'charge': -1}]}",
                      orbits[i].step, orbits[i].speed));
    }
    add_wrong(
        list, "charges a micrometre apart", "charge", "*",
        scene_text(
            "{'carom': 1, 'until': 0.5, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 1},"
            "{'name': 'b', 'mass': 1, 'position': [1e-6, 0, 0]}], 'forces': ["
            "{'kind': 'charge', 'body': 'a', 'charge': 1e-4}, {'kind': 'charge', 'body': 'b', 'charge': 1e-4}]}"));
}

// A body without torque keeps its energy and its angular momentum, whatever its inertia.
static void add_spins(case_list *list) {
    static const struct {
        const char *name, *inertia;
        double rate, step;
    } spins[] = {{"plate", "0.5, 0.5, 0.999", 400, 1.0 / 240},
                 {"block", "1, 2, 2.5", 250, 1.0 / 240},
                 {"block", "1, 2, 2.5", 60, 0.02},
                 {"needle", "1, 1, 0.001", 100, 0.01},
                 {"plate", "0.5, 0.5, 0.999", 2000, 0.001},
                 {"uneven one", "0.2, 1, 1.1", 1000, 0.002}};
    for (size_t i = 0; i < sizeof spins / sizeof spins[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s at %g rad/s, %.2g s", spins[i].name, spins[i].rate, spins[i].step);
        add_wrong(list, name, "gyro", "*",
                  scene_text("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'method': {'step': %.17g}, 'bodies': ["
                             "{'name': 'a', 'mass': 1, 'inertia': [%s], 'spin': [%g, %g, %g]}]}",
                             spins[i].step, spins[i].inertia, 0.1 * spins[i].rate, spins[i].rate,
                             0.05 * spins[i].rate));
    }
}

// In a fluid without inertia a spring relaxes at k times the mobility, exponentially.
static void add_fluids(case_list *list) {
    static const double stiffness[] = {100, 5e4};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "spring of %g N/m in a fluid", stiffness[i]);
        add_wrong(list, name, "fluid", "lcp",
                  scene_text(
                      "{'carom': 1, 'until': 0.5, 'gravity': [0, 0, 0], 'mobility': {'kind': 'stokes', 'viscosity': 1},"
                      "'shapes': {'s': {'kind': 'sphere', 'radius': 0.02}}, 'bodies': ["
                      "{'name': 'a', 'shape': 's', 'mass': 1}, {'name': 'b', 'shape': 's', 'mass': 1,"
                      "'position': [0.3, 0, 0]}], 'forces': [{'kind': 'spring', 'a': 'a', 'b': 'b',"
                      "'stiffness': %g, 'rest_length': 0.2}]}",
                      stiffness[i]));
    }
}

void add_wrong_forces(case_list *list) {
    add_pairs(list);
    add_orbits(list);
    add_spins(list);
    add_fluids(list);
}

// SPDX-License-Identifier: MIT
// Mechanisms that steps of the given length cannot follow: heavy ends, fast rotation, stiff motors, long steps.
#include <stdio.h>

#include "verdict/run/verdict_case.h"

// n links of 1 kg and 0.2 m, let go level, with a load at the end.
static void add_chains(case_list *list) {
    static const struct {
        int links;
        double load, step;
        const char *methods;
    } chains[] = {{3, 300, 0.01, "* -impulse"},
                  {6, 1e4, 1.0 / 240, "* -impulse -multiplier"},
                  {12, 1e3, 1.0 / 240, "* -impulse -multiplier"},
                  {2, 1e6, 1.0 / 240, "* -impulse -multiplier -reduced"},
                  {4, 50, 0.05, "*"}};
    for (size_t i = 0; i < sizeof chains / sizeof chains[0]; i++) {
        int n = chains[i].links;
        char name[64];
        snprintf(name, sizeof name, "chain of %d, load %g kg", n, chains[i].load);
        add_wrong(list, name, "chain", chains[i].methods,
                  scene_text("{'carom': 1, 'until': 2, 'method': {'step': %.17g}, 'bodies': ["
                             "{'name': 'link', 'mass': 1, 'inertia': [0.001, 0.004, 0.004], 'position': [0.1, 0, 0],"
                             " 'repeat': {'lattice': {'count': [%d, 1, 1], 'spacing': [0.2, 0, 0]}}},"
                             "{'name': 'load', 'mass': %g, 'inertia': [%g, %g, %g], 'position': [%g, 0, 0]}],"
                             "'joints': [{'kind': 'ball', 'a': 'world', 'b': 'link-0', 'point': [0, 0, 0]},"
                             "{'kind': 'ball', 'chain': 'link-*', 'point_a': [0.1, 0, 0]},"
                             "{'kind': 'ball', 'a': 'link-%d', 'b': 'load', 'point': [%g, 0, 0]}]}",
                             chains[i].step, n, chains[i].load, 1e-3 * chains[i].load, 1e-3 * chains[i].load,
                             1e-3 * chains[i].load, 0.2 * n + 0.1, n - 1, 0.2 * n));
    }
}

// A rod that rotates about its end without torque: its energy and its distance stay.
static void add_fast_hinges(case_list *list) {
    static const double rates[] = {60, 150, 600, 3000};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "hinge at %g rad/s", rates[i]);
        add_wrong(list, name, "hinge", "*",
                  scene_text("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': [{'name': 'rod', 'mass': 2,"
                             "'inertia': [0.001, 0.06, 0.06], 'position': [0.3, 0, 0], 'velocity': [0, %g, 0],"
                             "'spin': [0, 0, %g]}],"
                             "'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'rod', 'point': [0, 0, 0]}]}",
                             0.3 * rates[i], rates[i]));
    }
}

static char *pendulum(const char *settings, double step, double until) {
    return scene_text("{'carom': 1, 'until': %g, 'method': {'step': %.17g%s}, 'bodies': [{'name': 'bob', 'mass': 1,"
                      "'inertia': [0.01, 0.01, 0.01], 'position': [1, 0, 0]}],"
                      "'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'bob', 'point': [0, 0, 0], 'axis': [0, 1, 0]}]}",
                      until, step, settings);
}

// 1 m long, let go level: 0 J for ever, 1 m from its hinge, back where it was every 2.369 s.
static void add_pendulums(case_list *list) {
    static const double steps[] = {0.05, 0.15, 0.3, 0.5};
    for (size_t i = 0; i < sizeof steps / sizeof steps[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "pendulum in steps of %g s", steps[i]);
        add_wrong(list, name, "step", "*", pendulum("", steps[i], 12));
        snprintf(name, sizeof name, "the same by rk4, %g s", steps[i]);
        add_wrong(list, name, "step", "multiplier reduced", pendulum(", 'integrator': 'rk4'", steps[i], 12));
        snprintf(name, sizeof name, "the same by euler, %g s", steps[i]);
        add_wrong(list, name, "step", "multiplier reduced", pendulum(", 'integrator': 'euler'", steps[i], 12));
    }
    add_wrong(list, "two links in steps of 0.1 s", "step", "*",
              scene_text("{'carom': 1, 'until': 5, 'method': {'step': 0.1}, 'bodies': ["
                         "{'name': 'a', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [0.5, 0, 0]},"
                         "{'name': 'b', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [1.5, 0, 0]}],"
                         "'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 0], 'axis': [0, 1, 0]},"
                         "{'kind': 'hinge', 'a': 'a', 'b': 'b', 'point': [1, 0, 0], 'axis': [0, 1, 0]}]}"));
    add_wrong(list, "heavy bead on a line in steps of 0.2 s", "step", "*",
              scene_text("{'carom': 1, 'until': 8, 'method': {'step': 0.2}, 'bodies': [{'name': 'bob', 'kind': 'point',"
                         "'mass': 3, 'position': [0.6, 0, -0.8]}, {'name': 'other', 'kind': 'point', 'mass': 1,"
                         "'position': [1.2, 0, -0.8]}], 'joints': [{'kind': 'distance', 'a': 'world', 'b': 'bob',"
                         "'point_a': [0, 0, 0]}, {'kind': 'distance', 'a': 'bob', 'b': 'other'}]}"));
}

// Feedback without gains, or by an integrator that is too rough for it.
static void add_stabilisation(case_list *list) {
    static const struct {
        const char *name, *settings;
        double step;
    } feedback[] = {
        {"no gains by rk4", "'integrator': 'rk4', 'baumgarte_alpha': 0, 'baumgarte_beta': 0", 0.05},
        {"no gains by euler", "'integrator': 'euler', 'baumgarte_alpha': 0, 'baumgarte_beta': 0", 0.005},
        {"no gains by dp54",
         "'relative_tolerance': 0.1, 'absolute_tolerance': 1, 'baumgarte_alpha': 0, 'baumgarte_beta': 0", 0.1},
        {"euler of 20 ms", "'integrator': 'euler'", 0.02},
        {"euler of 10 ms", "'integrator': 'euler'", 0.01},
        {"euler of 5 ms", "'integrator': 'euler'", 0.005},
        {"euler of 2 ms", "'integrator': 'euler'", 0.002},
        {"large gains by euler", "'integrator': 'euler', 'baumgarte_alpha': 150, 'baumgarte_beta': 150", 0.01},
        {"large gains by rk4", "'integrator': 'rk4', 'baumgarte_alpha': 300, 'baumgarte_beta': 300", 0.01},
        {"beta only", "'integrator': 'rk4', 'baumgarte_alpha': 0, 'baumgarte_beta': 5", 0.05},
        {"alpha only", "'integrator': 'rk4', 'baumgarte_alpha': 5, 'baumgarte_beta': 0", 0.05},
    };
    for (size_t i = 0; i < sizeof feedback / sizeof feedback[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "baumgarte: %s", feedback[i].name);
        add_wrong(list, name, "stabilisation", "multiplier",
                  scene_text("{'carom': 1, 'until': 8, 'method': {'step': %.17g, 'stabilisation': 'baumgarte', %s},"
                             "'bodies': [{'name': 'a', 'mass': 1, 'inertia': [0.01, 0.01, 0.01], 'position': [1, 0, 0],"
                             "'spin': [0, 8, 0], 'velocity': [0, 0, -8]}], 'joints': [{'kind': 'hinge', 'a': 'world',"
                             "'b': 'a', 'point': [0, 0, 0], 'axis': [0, 1, 0]}]}",
                             feedback[i].step, feedback[i].settings));
    }
    static const double tolerances[] = {0.9, 0.5, 0.1};
    for (size_t i = 0; i < sizeof tolerances / sizeof tolerances[0]; i++) {
        char name[64], settings[256];
        snprintf(name, sizeof name, "relative tolerance %g", tolerances[i]);
        snprintf(settings, sizeof settings, ", 'relative_tolerance': %g, 'absolute_tolerance': 10", tolerances[i]);
        add_wrong(list, name, "tolerance", "multiplier reduced", pendulum(settings, 0.4, 16));
    }
    static const double residuals[] = {0.9, 0.1, 0.01};
    for (size_t i = 0; i < sizeof residuals / sizeof residuals[0]; i++) {
        char name[64], settings[256];
        snprintf(name, sizeof name, "residual of %g", residuals[i]);
        snprintf(settings, sizeof settings,
                 ", 'tolerance': %g, 'lcp': {'tolerance': %g}, 'impulse': {'tolerance': %g,"
                 "'joint_tolerance': %g}",
                 residuals[i], residuals[i], residuals[i], residuals[i]);
        add_wrong(list, name, "tolerance", "variational potential lcp impulse", pendulum(settings, 0.02, 8));
    }
}

static char *driven_arm(const char *coordinate) {
    return scene_text("{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'method': {'step': 0.005}, 'bodies': ["
                      "{'name': 'arm', 'mass': 1, 'inertia': [0.02, 0.02, 0.02], 'position': [0.4, 0, 0],"
                      "'velocity': [0, 0.4, 0], 'spin': [0, 0, 1]}], 'joints': [{'kind': 'hinge', 'a': 'world',"
                      "'b': 'arm', 'point': [0, 0, 0], 'coordinates': [{%s}]}]}",
                      coordinate);
}

static void add_drives(case_list *list) {
    static const struct {
        const char *name, *kind, *methods, *coordinate;
    } drives[] = {
        {"position motor, 2e4 N m/rad", "motor", "*", "'motor': {'kind': 'position', 'target': 1, 'stiffness': 2e4}"},
        {"position motor, 1e5 N m/rad", "motor", "*",
         "'motor': {'kind': 'position', 'target': 1, 'stiffness': 1e5, 'damping': 10}"},
        {"position motor, damping 200", "motor", "*",
         "'motor': {'kind': 'position', 'target': 1, 'stiffness': 10, 'damping': 200}"},
        {"spring of a joint, 1e5 N m/rad", "spring", "*", "'stiffness': 1e5, 'rest': 0.5"},
        {"damper of a joint, 150 N m s/rad", "damper", "*", "'damping': 150"},
        {"damper of a joint, 5000 N m s/rad", "damper", "*", "'damping': 5000"},
        {"velocity motor against a limit", "limit", "*",
         "'lower': -0.5, 'upper': 0.5, 'motor': {'kind': 'velocity', 'target_rate': 4}"},
        {"velocity motor far from a limit", "limit", "*",
         "'upper': 0.3, 'motor': {'kind': 'velocity', 'target_rate': 60}"},
        {"limit at a fast start", "limit", "*", "'lower': -0.001, 'upper': 0.001"},
        {"starts beyond its limit", "limit", "*", "'lower': 0.6, 'upper': 2"},
        {"velocity motor at 300 rad/s", "motor", "*", "'motor': {'kind': 'velocity', 'target_rate': 300}"},
        {"velocity motor at 3000 rad/s", "motor", "*", "'motor': {'kind': 'velocity', 'target_rate': 3000}"},
    };
    for (size_t i = 0; i < sizeof drives / sizeof drives[0]; i++)
        add_wrong(list, drives[i].name, drives[i].kind, drives[i].methods, driven_arm(drives[i].coordinate));
}

// Joints that block what others block already: right where nothing else is wrong.
static void add_redundant(case_list *list) {
    static const double rates[] = {2, 100, 500};
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "door on three hinges at %g rad/s", rates[i]);
        add_wrong(list, name, "redundant", "*",
                  scene_text("{'carom': 1, 'until': 1, 'bodies': [{'name': 'door', 'mass': 20, 'inertia': [7, 8, 1.5],"
                             "'position': [0.45, 0, 1], 'velocity': [0, %g, 0], 'spin': [0, 0, %g]}], 'joints': ["
                             "{'kind': 'hinge', 'a': 'world', 'b': 'door', 'point': [0, 0, 0.2]},"
                             "{'kind': 'hinge', 'a': 'world', 'b': 'door', 'point': [0, 0, 1]},"
                             "{'kind': 'hinge', 'a': 'world', 'b': 'door', 'point': [0, 0, 1.8]}]}",
                             0.45 * rates[i], rates[i]));
    }
    // A parallelogram: four hinges about the same axis in space are three too many.
    for (size_t i = 0; i < 2; i++) {
        double rate = i == 0 ? 1 : 80;
        char name[64];
        snprintf(name, sizeof name, "parallelogram at %g rad/s", rate);
        add_wrong(
            list, name, "redundant", "*",
            scene_text(
                "{'carom': 1, 'until': 1, 'gravity': [0, 0, 0], 'bodies': ["
                "{'name': 'a', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [0, 0.5, 0], 'spin': [0, 0, %g], "
                "'velocity': [%g, 0, 0]},"
                "{'name': 'b', 'mass': 1, 'inertia': [0.1, 0.1, 0.1], 'position': [1, 0.5, 0], 'spin': [0, 0, %g], "
                "'velocity': [%g, 0, 0]},"
                "{'name': 'c', 'mass': 5, 'inertia': [1, 1, 1], 'position': [0.5, 1, 0], 'velocity': [%g, 0, 0]}],"
                "'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 0]},"
                "{'kind': 'hinge', 'a': 'world', 'b': 'b', 'point': [1, 0, 0]},"
                "{'kind': 'hinge', 'a': 'a', 'b': 'c', 'point': [0, 1, 0]},"
                "{'kind': 'hinge', 'a': 'b', 'b': 'c', 'point': [1, 1, 0]}]}",
                rate, -0.5 * rate, rate, -0.5 * rate, -rate));
    }
}

void add_wrong_joints(case_list *list) {
    add_chains(list);
    add_fast_hinges(list);
    add_pendulums(list);
    add_stabilisation(list);
    add_drives(list);
    add_redundant(list);
}

// SPDX-License-Identifier: MIT
// Contacts that a run misses, invents or gets wrong: bodies that start inside each other or fly through each other,
// approximations of friction, impacts that make energy, potentials that are too soft.
#include <math.h>
#include <stdio.h>

#include "verdict/run/verdict_case.h"

#define FLOOR "'f': {'kind': 'half_space', 'normal': [0, 0, 1]}"
#define ON_FLOOR "{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'}"

// A ball flies at a fixed plate: its centre never gets to the other side.
static void add_bullets(case_list *list) {
    static const struct {
        double speed, radius, plate;
    } bullets[] = {{60, 0.02, 0.01}, {300, 0.05, 0.05}, {1000, 0.1, 0.2}, {40, 0.01, 0.002}};
    for (size_t i = 0; i < sizeof bullets / sizeof bullets[0]; i++) {
        char name[64];
        snprintf(name, sizeof name, "ball at %g m/s, plate of %g m", bullets[i].speed, bullets[i].plate);
        double step = 1.0 / 240, before = (3.5 * bullets[i].speed * step);
        add_wrong(list, name, "tunnel", "*",
                  scene_text("{'carom': 1, 'until': 0.04, 'gravity': [0, 0, 0], 'materials': {'m': {'friction': 0,"
                             "'restitution': 1}}, 'shapes': {'s': {'kind': 'sphere', 'radius': %g},"
                             "'w': {'kind': 'box', 'size': [%g, 2, 2]}}, 'bodies': ["
                             "{'name': 'w', 'kind': 'fixed', 'shape': 'w', 'material': 'm'},"
                             "{'name': 'b', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [%.17g, 0, 0],"
                             "'velocity': [%g, 0, 0]}]}",
                             bullets[i].radius, bullets[i].plate, -before, bullets[i].speed));
    }
    // Two small bodies that meet in the air, one of them free.
    add_wrong(
        list, "balls at 200 m/s against each other", "tunnel", "*",
        scene_text(
            "{'carom': 1, 'until': 0.05, 'gravity': [0, 0, 0], 'materials': {'m': {'friction': 0,"
            "'restitution': 1}}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.05}}, 'bodies': ["
            "{'name': 'a', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [-3, 0, 0], 'velocity': [200, 0, 0]},"
            "{'name': 'b', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [3.1, 0, 0], 'velocity': [-200, 0, "
            "0]}]}"));
}

// At rest and without gravity there is no energy: what starts inside another body cannot begin to move.
static void add_starts(case_list *list) {
    static const struct {
        const char *name, *shape;
        double apart, height;
    } starts[] = {{"boxes, 0.6 deep", "'kind': 'box', 'size': [1, 1, 1]", 0.4, 0.5},
                  {"balls, 0.1 deep", "'kind': 'sphere', 'radius': 0.5", 0.9, 0.5},
                  {"balls of 1 mm", "'kind': 'sphere', 'radius': 0.0005", 0.0007, 0.0005},
                  {"capsules in the floor", "'kind': 'capsule', 'radius': 0.2, 'length': 0.5", 2, 0.3},
                  {"boxes, 1e-3 deep", "'kind': 'box', 'size': [1, 1, 1]", 0.999, 0.5}};
    for (size_t i = 0; i < sizeof starts / sizeof starts[0]; i++)
        add_wrong(list, starts[i].name, "start", "*",
                  scene_text("{'carom': 1, 'until': 0.3, 'gravity': [0, 0, 0], 'materials': {'m': {'friction': 0.5}},"
                             "'shapes': {'b': {%s}, " FLOOR "}, 'bodies': [" ON_FLOOR ","
                             "{'name': 'x', 'shape': 'b', 'density': 1000, 'position': [0, 0, %g], 'material': 'm'},"
                             "{'name': 'y', 'shape': 'b', 'density': 1000, 'position': [%g, 0, %g], 'material': 'm'}]}",
                             starts[i].shape, starts[i].height, starts[i].apart, starts[i].height));
}

// Methods without contact let bodies fall through floors and each other.
static void add_ghosts(case_list *list) {
    add_wrong(
        list, "ball over a floor", "ghost", "variational euler multiplier reduced",
        scene_text(
            "{'carom': 1, 'until': 1, 'materials': {'m': {}}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}, " FLOOR
            "},"
            "'bodies': [" ON_FLOOR ", {'name': 'b', 'shape': 's', 'density': 1000, 'position': [0, 0, 1]}]}"));
    add_wrong(
        list, "pendulum through a post", "ghost", "variational euler multiplier reduced",
        scene_text(
            "{'carom': 1, 'until': 1, 'method': {'step': 0.001}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.1},"
            "'p': {'kind': 'box', 'size': [0.1, 0.1, 1]}}, 'bodies': ["
            "{'name': 'p', 'kind': 'fixed', 'shape': 'p', 'position': [0, 0, -1]},"
            "{'name': 'b', 'shape': 's', 'mass': 1, 'position': [1, 0, 0]}], 'joints': ["
            "{'kind': 'ball', 'a': 'world', 'b': 'b', 'point': [0, 0, 0]}]}"));
    add_wrong(
        list, "balls that are to collide", "ghost", "variational euler multiplier reduced",
        scene_text("{'carom': 1, 'until': 2, 'gravity': [0, 0, 0], 'shapes': {'s': {'kind': 'sphere', 'radius': 0.2}},"
                   "'bodies': [{'name': 'a', 'shape': 's', 'mass': 1, 'position': [-1, 0, 0], 'velocity': [1, 0, 0]},"
                   "{'name': 'b', 'shape': 's', 'mass': 1, 'position': [1, 0, 0]}]}"));
}

// Elastic balls in a container: their energy stays.
static void add_elastic(case_list *list) {
    static const double steps[] = {1.0 / 240, 0.02};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "gas of 8 balls, %.2g s", steps[i]);
        add_wrong(
            list, name, "elastic", "lcp impulse dcr exact potential penalty",
            scene_text(
                "{'carom': 1, 'until': 1.5, 'gravity': [0, 0, 0], 'method': {'step': %.17g}, 'materials': {'m':"
                "{'friction': 0, 'restitution': 1}}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.2},"
                "'c': {'kind': 'container', 'radius': 1}}, 'bodies': [{'name': 'c', 'kind': 'fixed', 'shape': 'c',"
                "'material': 'm'}, {'name': 's', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [-0.25, -0.25, "
                "-0.25],"
                "'repeat': {'lattice': {'count': [2, 2, 2], 'spacing': [0.5, 0.5, 0.5], 'speed': 5}}}]}",
                steps[i]));
    }
    static const double coarse[] = {0.004, 0.03, 0.1};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "elastic ball on a floor, %g s", coarse[i]);
        add_wrong(
            list, name, "elastic", "lcp impulse dcr exact potential penalty newmark",
            scene_text(
                "{'carom': 1, 'until': 15, 'method': {'step': %g, 'impulse': {'variant': 'fixed'}}, 'materials': {'m':"
                "{'friction': 0, 'restitution': 1}}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}, " FLOOR "},"
                "'bodies': [" ON_FLOOR
                ", {'name': 'b', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [0, 0, 0.4]}]}",
                coarse[i]));
    }
}

// A box that slides: friction acts against its motion, and it stays on the floor.
static void add_friction(case_list *list) {
    static const struct {
        const char *name, *settings;
        double speed, angle;
    } laws[] = {{"pyramid of 4 sides", "'friction': 'pyramid', 'pyramid_sides': 4", 20, 0.4},
                {"pyramid of 6 sides", "'friction': 'pyramid', 'pyramid_sides': 6", 20, 0.3},
                {"relaxed, 20 m/s", "'friction': 'relaxed'", 20, 0.4},
                {"relaxed, 60 m/s", "'friction': 'relaxed'", 60, 0},
                {"fast, 0 sweeps worth", "'solver': 'gauss-seidel', 'iterations': 1, 'tolerance': 0.5", 5, 0.1}};
    for (size_t i = 0; i < sizeof laws / sizeof laws[0]; i++)
        add_wrong(
            list, laws[i].name, "friction", "lcp",
            scene_text("{'carom': 1, 'until': 1.5, 'method': {'lcp': {%s}}, 'materials': {'m': {'friction': 1}},"
                       "'shapes': {'b': {'kind': 'box', 'size': [0.4, 0.4, 0.1]}, " FLOOR "}, 'bodies': [" ON_FLOOR ","
                       "{'name': 'b', 'shape': 'b', 'mass': 1, 'position': [0, 0, 0.05], 'velocity': [%.17g, %.17g, 0],"
                       "'material': 'm'}]}",
                       laws[i].settings, laws[i].speed * cos(laws[i].angle), laws[i].speed * sin(laws[i].angle)));
}

// A box at rest on a slope that is not steeper than its friction: it stays.
static void add_creep(case_list *list) {
    static const struct {
        const char *name, *settings;
        double angle, friction, step;
    } slopes[] = {{"slope of 0.5 rad, 5 ms", "", 0.5, 0.8, 0.005},
                  {"slope of 0.2 rad, 20 ms", "", 0.2, 0.3, 0.02},
                  {"slope of 0.3 rad, viscous", ", 'penalty': {'friction': 'viscous'}", 0.3, 0.5, 0.001}};
    for (size_t i = 0; i < sizeof slopes / sizeof slopes[0]; i++) {
        double s = sin(slopes[i].angle), c = cos(slopes[i].angle);
        int first = list->count;
        add_wrong(
            list, slopes[i].name, "creep", i == 2 ? "penalty" : "lcp impulse dcr penalty",
            scene_text(
                "{'carom': 1, 'until': 3, 'method': {'step': %g%s}, 'materials': {'m': {'friction': %g}},"
                "'shapes': {'b': {'kind': 'box', 'size': [0.4, 0.3, 0.1]}, 'g': {'kind': 'half_space',"
                "'normal': [%.17g, 0, %.17g]}}, 'bodies': [{'name': 'g', 'kind': 'fixed', 'shape': 'g', 'material': "
                "'m'},"
                "{'name': 'b', 'shape': 'b', 'mass': 2, 'position': [%.17g, 0, %.17g], 'attitude': {'axis': [0, 1, 0],"
                "'angle': %g}, 'material': 'm'}]}",
                slopes[i].step, slopes[i].settings, slopes[i].friction, s, c, 0.05 * s, 0.05 * c, slopes[i].angle));
        for (int k = first; k < list->count; k++) list->of[k].stays = 0.01;
    }
}

// A leaning rod meets a floor with friction: energy cannot grow, whatever the law.
static void add_impacts(case_list *list) {
    static const struct {
        const char *law;
        double degrees, friction, vx;
    } rods[] = {{"newton", 20, 1, 2},
                {"newton", 50, 0.8, 4},
                {"poisson", 40, 1.5, -2},
                {"poisson", 55, 1, -4},
                {"newton", 35, 2, 1}};
    for (size_t i = 0; i < sizeof rods / sizeof rods[0]; i++) {
        char name[64];
        double angle = rods[i].degrees * acos(-1.0) / 180;
        snprintf(name, sizeof name, "rod at %g degrees, %s", rods[i].degrees, rods[i].law);
        add_wrong(
            list, name, "impact", "lcp impulse penalty dcr",
            scene_text(
                "{'carom': 1, 'until': 0.15, 'gravity': [0, 0, 0], 'method': {'lcp': {'restitution': '%s'},"
                "'impulse': {'law': '%s'}}, 'materials': {'m': {'friction': %g, 'restitution': 0.9}},"
                "'shapes': {'r': {'kind': 'capsule', 'radius': 0.01, 'length': 1}, " FLOOR "}, 'bodies': [" ON_FLOOR ","
                "{'name': 'r', 'shape': 'r', 'density': 1000, 'material': 'm', 'position': [0, 0, %.17g],"
                "'attitude': {'axis': [0, 1, 0], 'degrees': %g}, 'velocity': [%g, 0, -3]}]}",
                rods[i].law, rods[i].law, rods[i].friction, 0.5 * cos(angle) + 0.06, rods[i].degrees, rods[i].vx));
    }
    // Restitution 0 at the tip of a rod: it does not rebound.
    static const double leaning[] = {20, 60};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        double angle = leaning[i] * acos(-1.0) / 180;
        snprintf(name, sizeof name, "tip of a rod at %g degrees", leaning[i]);
        add_wrong(list, name, "rebound", "penalty",
                  scene_text(
                      "{'carom': 1, 'until': 0.06, 'gravity': [0, 0, 0], 'method': {'step': 1e-4}, 'materials': {'m':"
                      "{'friction': 1}}, 'shapes': {'r': {'kind': 'capsule', 'radius': 0.005, 'length': 1}, " FLOOR "},"
                      "'bodies': [" ON_FLOOR ", {'name': 'r', 'shape': 'r', 'mass': 1, 'material': 'm',"
                      "'position': [0, 0, %.17g], 'attitude': {'axis': [0, 1, 0], 'degrees': %g}, 'velocity': [0, 0, "
                      "-0.5]}]}",
                      0.5 * cos(angle) + 0.01, leaning[i]));
    }
}

// Smooth balls that meet off their line of centres: no torque, no spin.
static void add_smooth(case_list *list) {
    static const double off[] = {0.05, 0.12};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "smooth balls, %g m off", off[i]);
        add_wrong(list, name, "spin", "dcr lcp impulse exact",
                  scene_text("{'carom': 1, 'until': 0.6, 'gravity': [0, 0, 0], 'materials': {'m': {'friction': 0, "
                             "'restitution': 0.8}},"
                             "'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}}, 'bodies': ["
                             "{'name': 'a', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [-0.5, 0, 0], "
                             "'velocity': [6, 0, 0]},"
                             "{'name': 'b', 'shape': 's', 'mass': 2, 'material': 'm', 'position': [0, %g, 0]}]}",
                             off[i]));
    }
}

// Contact by a potential that is too soft: bodies sink into each other, or through.
static void add_soft(case_list *list) {
    static const struct { double stiffness, step; } soft[] = {{1, 1e-4}, {1, 1.5e-3}, {30, 1.5e-3}};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "metronome of %g N/m, %g s", soft[i].stiffness, soft[i].step);
        add_wrong(
            list, name, "soft", "potential",
            scene_text(
                "{'carom': 1, 'until': 3, 'gravity': [0, 0, 0], 'method': {'step': %g, 'potential': {'stiffness': %g}},"
                "'materials': {'m': {'friction': 0, 'restitution': 1}}, 'shapes': {'p': {'kind': 'prism', 'sides': 8,"
                "'radius': 0.4526066876907429, 'height': 0.4}}, 'bodies': ["
                "{'name': 'lower', 'shape': 'p', 'material': 'm', 'density': 270, 'position': [0, 0, -0.3], 'spin': "
                "[0, 1, 0]},"
                "{'name': 'upper', 'shape': 'p', 'material': 'm', 'density': 270, 'position': [0, 0, 0.3],"
                "'attitude': {'axis': [0, 0, 1], 'angle': 0.39269908169872414}, 'spin': [0, -1, 0]}], 'joints': ["
                "{'kind': 'ball', 'a': 'lower', 'b': 'upper', 'point': [0, 0, 0], 'bodies_touch': true}]}",
                soft[i].step, soft[i].stiffness));
    }
    static const double stiffness[] = {3, 40};
    for (size_t i = 0; i < 2; i++) {
        char name[64];
        snprintf(name, sizeof name, "balls of %g N/m", stiffness[i]);
        add_wrong(
            list, name, "soft", "potential newmark penalty",
            scene_text(
                "{'carom': 1, 'until': 1.5, 'gravity': [0, 0, 0], 'method': {'step': 0.002, 'potential': {'stiffness': "
                "%g},"
                "'penalty': {'stiffness': %g}}, 'materials': {'m': {'friction': 0, 'restitution': 1}}, 'shapes': {'s':"
                "{'kind': 'sphere', 'radius': 0.1}}, 'bodies': [{'name': 'a', 'shape': 's', 'mass': 1, 'material': 'm',"
                "'position': [-0.4, 0, 0], 'velocity': [1, 0, 0]}, {'name': 'b', 'shape': 's', 'mass': 1, 'material': "
                "'m'}]}",
                stiffness[i], stiffness[i]));
    }
}

// Steps in which a ball falls farther than it measures.
static void add_long_steps(case_list *list) {
    static const double steps[] = {0.05, 0.1, 0.25};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "drop in steps of %g s", steps[i]);
        add_wrong(list, name, "step", "lcp impulse dcr penalty",
                  scene_text("{'carom': 1, 'until': 3, 'method': {'step': %g}, 'materials': {'m': {'friction': 0.4, "
                             "'restitution': 0.7}},"
                             "'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}, " FLOOR "}, 'bodies': [" ON_FLOOR ","
                             "{'name': 'b', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [0, 0, 1.1], "
                             "'velocity': [0.5, 0, 0]}]}",
                             steps[i]));
        snprintf(name, sizeof name, "slide in steps of %g s", steps[i]);
        add_wrong(list, name, "step", "lcp impulse dcr penalty",
                  scene_text("{'carom': 1, 'until': 1, 'method': {'step': %g}, 'materials': {'m': {'friction': 0.5}},"
                             "'shapes': {'b': {'kind': 'box', 'size': [0.4, 0.4, 0.1]}, " FLOOR
                             "}, 'bodies': [" ON_FLOOR ","
                             "{'name': 'b', 'shape': 'b', 'mass': 1, 'material': 'm', 'position': [0, 0, 0.05], "
                             "'velocity': [1.3, 0, 0]}]}",
                             steps[i]));
    }
}

// Contacts that act before touch: a ball that enters the barrier within a step is not to be thrown out of it.
static void add_barriers(case_list *list) {
    static const double heights[] = {0.05, 0.3, 1};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "ball falls %g m on to a barrier", heights[i]);
        add_wrong(
            list, name, "barrier", "lcp",
            scene_text(
                "{'carom': 1, 'until': 1, 'method': {'step': 0.001, 'lcp': {'barrier': 0.01}}, 'materials': {'m': {}},"
                "'shapes': {'s': {'kind': 'sphere', 'radius': 0.1}, " FLOOR "}, 'bodies': [" ON_FLOOR ","
                "{'name': 'b', 'shape': 's', 'mass': 1, 'material': 'm', 'position': [0, 0, %g]}]}",
                0.1 + heights[i]));
    }
}

void add_wrong_contacts(case_list *list) {
    add_bullets(list);
    add_starts(list);
    add_ghosts(list);
    add_elastic(list);
    add_friction(list);
    add_creep(list);
    add_impacts(list);
    add_smooth(list);
    add_soft(list);
    add_long_steps(list);
    add_barriers(list);
}

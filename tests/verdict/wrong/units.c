// SPDX-License-Identifier: MIT
// Units that were mixed: millimetres, grams or newtons per millimetre beside metres and kilograms; and fast bodies far
// away, whose scale hides what the others do.
#include <stdio.h>

#include "verdict/run/verdict_case.h"

static void add_slips(case_list *list) {
    // Gravity in mm/s^2, lengths in m.
    add_wrong(list, "ball falls at 9810 m/s^2", "units", "lcp impulse dcr penalty",
              scene_text("{'carom': 1, 'until': 0.3, 'gravity': [0, 0, -9810], 'materials': {'m': {'restitution': "
                         "0.5}}, 'shapes': {'s':"
                         "{'kind': 'sphere', 'radius': 0.05}, 'f': {'kind': 'box', 'size': [4, 4, 0.1]}}, 'bodies': ["
                         "{'name': 'f', 'kind': 'fixed', 'shape': 'f', 'material': 'm'},"
                         "{'name': 'b', 'shape': 's', 'density': 1000, 'position': [0, 0, 1], 'material': 'm'}]}"));
    add_wrong(
        list, "pendulum of 0.25 m at 9810 m/s^2", "units", "*",
        scene_text(
            "{'carom': 1, 'until': 1, 'gravity': [0, 0, -9810], 'bodies': [{'name': 'b', 'mass': 1,"
            "'inertia': [0.001, 0.001, 0.001], 'position': [0.25, 0, 0]}], 'joints': [{'kind': 'hinge', 'a': 'world',"
            "'b': 'b', 'point': [0, 0, 0], 'axis': [0, 1, 0]}]}"));
    // A chain in mm with gravity in m/s^2: what hangs is right; in m with masses in g and a load in kg it is not.
    add_wrong(
        list, "links in grams, load in kilograms", "units", "* -impulse",
        scene_text("{'carom': 1, 'until': 2, 'bodies': [{'name': 'l', 'mass': 0.001, 'inertia': [1e-6, 4e-6, 4e-6],"
                   "'position': [0.1, 0, 0], 'repeat': {'lattice': {'count': [4, 1, 1], 'spacing': [0.2, 0, 0]}}},"
                   "{'name': 'w', 'mass': 5, 'inertia': [0.01, 0.01, 0.01], 'position': [0.9, 0, 0]}], 'joints': ["
                   "{'kind': 'ball', 'a': 'world', 'b': 'l-0', 'point': [0, 0, 0]}, {'kind': 'ball', 'chain': 'l-*',"
                   "'point_a': [0.1, 0, 0]}, {'kind': 'ball', 'a': 'l-3', 'b': 'w', 'point': [0.8, 0, 0]}]}"));
    // N/mm for N/m, and grams for kilograms with forces as they were.
    add_wrong(list, "spring in N/mm on grams", "units", "*",
              scene_text("{'carom': 1, 'until': 0.5, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 0.002,"
                         "'inertia': [1e-6, 1e-6, 1e-6], 'position': [0.12, 0, 0]}], 'forces': [{'kind': 'spring', "
                         "'a': 'world', 'b': 'a',"
                         "'stiffness': 500, 'rest_length': 0.1}]}"));
    add_wrong(list, "servo in N mm on grams", "units", "*",
              scene_text(
                  "{'carom': 1, 'until': 0.5, 'bodies': [{'name': 'a', 'mass': 0.01, 'inertia': [1e-5, 1e-5, 1e-5],"
                  "'position': [0.05, 0, 0]}], 'joints': [{'kind': 'hinge', 'a': 'world', 'b': 'a', 'point': [0, 0, 0],"
                  "'axis': [0, 1, 0], 'coordinates': [{'motor': {'kind': 'position', 'target': 0.5, 'stiffness': 20, "
                  "'damping': 1}}]}]}"));
    add_wrong(list, "drag of a ship on a toy", "units", "lcp euler newmark variational",
              scene_text("{'carom': 1, 'until': 0.5, 'gravity': [0, 0, 0], 'bodies': [{'name': 'a', 'mass': 0.05,"
                         "'inertia': [1e-5, 1e-5, 1e-5], 'velocity': [0.5, 0, 0]}], 'forces': [{'kind': 'drag', "
                         "'body': 'a', 'linear': 100}]}"));
    // Sizes in mm read as m: a bolt of 8 m meets a plate of 2 mm.
    add_wrong(
        list, "plate of 2 mm, ball of 8 m", "units", "lcp impulse dcr penalty",
        scene_text(
            "{'carom': 1, 'until': 2, 'materials': {'m': {}}, 'shapes': {'s': {'kind': 'sphere', 'radius': 0.004},"
            "'p': {'kind': 'box', 'size': [1, 1, 0.002]}}, 'bodies': [{'name': 'p', 'kind': 'fixed', 'shape': 'p',"
            "'material': 'm'}, {'name': 'b', 'shape': 's', 'density': 7800, 'position': [0, 0, 8], 'material': "
            "'m'}]}"));
    add_wrong(
        list, "spin in rpm", "units", "*",
        scene_text("{'carom': 1, 'until': 0.5, 'bodies': [{'name': 'rotor', 'mass': 2, 'inertia': [0.01, 0.012, 0.02],"
                   "'spin': [100, 20, 3000]}]}"));
}

// A tower that stands, and a ball that meets nothing.
static void add_distant(case_list *list) {
    static const double speeds[] = {100, 3000, 1e5};
    for (size_t i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "tower beside a ball at %g m/s", speeds[i]);
        add_wrong(
            list, name, "scale", "lcp",
            scene_text(
                "{'carom': 1, 'until': 1.5, 'method': {'step': 0.004, 'lcp': {'tolerance': 0.001, 'solver': "
                "'gauss-seidel',"
                "'iterations': 12}}, 'materials': {'m': {'friction': 0.32}, 'ice': {'friction': 0}}, 'shapes': {"
                "'b': {'kind': 'box', 'size': [0.8, 0.5, 0.2]}, 'g': {'kind': 'half_space', 'normal': "
                "[0.29552020666133955, 0,"
                "0.955336489125606]}, 's': {'kind': 'sphere', 'radius': 0.1}, 'f': {'kind': 'half_space', 'normal': "
                "[0, 0, 1],"
                "'offset': -50}}, 'bodies': [{'name': 'g', 'kind': 'fixed', 'shape': 'g', 'material': 'm'},"
                "{'name': 'b0', 'shape': 'b', 'density': 500, 'material': 'm', 'position': [0.029552020666133955, 0,"
                "0.09553364891256061], 'attitude': {'axis': [0, 1, 0], 'angle': 0.3}},"
                "{'name': 'b1', 'shape': 'b', 'density': 500, 'material': 'm', 'position': [0.08865606199840188, 0,"
                "0.2866009467376818], 'attitude': {'axis': [0, 1, 0], 'angle': 0.3}},"
                "{'name': 'b2', 'shape': 'b', 'density': 500, 'material': 'm', 'position': [0.14776010333066977, 0,"
                "0.477668244562803], 'attitude': {'axis': [0, 1, 0], 'angle': 0.3}},"
                "{'name': 'b3', 'shape': 'b', 'density': 500, 'material': 'm', 'position': [0.2068641446629377, 0,"
                "0.6687355423879242], 'attitude': {'axis': [0, 1, 0], 'angle': 0.3}},"
                "{'name': 'b4', 'shape': 'b', 'density': 500, 'material': 'm', 'position': [0.2659681859952056, 0,"
                "0.8598028402130454], 'attitude': {'axis': [0, 1, 0], 'angle': 0.3}},"
                "{'name': 'far', 'kind': 'fixed', 'shape': 'f', 'material': 'ice', 'groups': ['far'], 'meets': "
                "['far']},"
                "{'name': 'ball', 'shape': 's', 'density': 500, 'material': 'ice', 'position': [0, 20, -49.9],"
                "'velocity': [0, %g, 0], 'groups': ['far'], 'meets': ['far']}]}",
                speeds[i]));
    }
}

void add_wrong_units(case_list *list) {
    add_slips(list);
    add_distant(list);
}

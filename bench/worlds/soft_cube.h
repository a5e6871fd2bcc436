// SPDX-License-Identifier: MIT
// An elastic cube that falls on a floor, flat or on a corner. Every engine gets the same nodes, elements, masses and
// Lame constants, and is measured here by the same code: cost of a step of 4 ms, energy, stretches and overlaps found
// from its positions and velocities.
#ifndef BENCH_WORLDS_SOFT_CUBE_H
#define BENCH_WORLDS_SOFT_CUBE_H

#include "carom/mesh.h"

#ifdef __cplusplus
extern "C" {
#endif

// Of edge 0.2 m, gel of 1,000 kg/m^3; 0.2 m under its lowest node is a floor, z = 0.
#define BENCH_CUBE_STEP 0.004
#define BENCH_CUBE_EDGE 0.2
#define BENCH_CUBE_DROP 0.2
#define BENCH_CUBE_YOUNG 1e5
#define BENCH_CUBE_POISSON 0.3
#define BENCH_CUBE_DENSITY 1000.0
#define BENCH_CUBE_FRICTION 0.5
#define BENCH_CUBE_GRAVITY 9.81
// Steps of a run, and between two looks at it.
enum { BENCH_CUBE_STEPS = 200, BENCH_CUBE_STRIDE = 10 };

typedef struct bench_cube {
    carom_mesh *mesh;
    carom_elastic_def elastic;
    carom_quat attitude; // of the mesh at the start
    carom_vec3 position;
    double *masses;    // kg (nodes)
    carom_vec3 *start; // positions (nodes)
} bench_cube;

typedef struct bench_cube_kind {
    const char *model; // "corotated" or "neo_hookean"
    double viscosity;  // s
    int cells;         // along an edge
    bool on_corner;    // or flat
} bench_cube_kind;

// Exits without memory.
bench_cube bench_cube_make(bench_cube_kind kind);
void bench_cube_free(bench_cube *cube);

typedef struct bench_cube_engine {
    void *engine;
    void (*step)(void *engine);                                                // BENCH_CUBE_STEP
    void (*read)(void *engine, carom_vec3 *positions, carom_vec3 *velocities); // (nodes)
} bench_cube_engine;

typedef struct bench_cube_result {
    double seconds;     // of a step, mean of all: processor time of this thread
    double height;      // m, of the centre of mass at the end
    double energy;      // J, at the end, with the cube's own elastic energy; 0 J on the floor at rest
    double energy_rise; // J, most that two looks at it are apart upwards
    double stretch;     // the largest of an element that was seen
    double determinant; // the least of an element that was seen: below 0 it is inside out
    double overlap;     // m, the deepest node that was seen
    int looks;          // so far
} bench_cube_result;

// Some steps, and a look.
void bench_cube_advance(const bench_cube *cube, const bench_cube_engine *engine, int steps, bench_cube_result *result);

// The one line that a peer prints, and back.
void bench_cube_print(const bench_cube_result *result);
bench_cube_result bench_cube_read(const char *line);

#ifdef __cplusplus
}
#endif

#endif

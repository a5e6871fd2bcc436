// SPDX-License-Identifier: MIT
#include "worlds/soft_cube.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "math/quat.h"
#include "math/svd3.h"
#include "support/peer.h"

static void stop(const char *why) {
    fprintf(stderr, "carom: %s\n", why);
    exit(3);
}

// A rotation that puts the corner (-1, -1, -1) downwards, but not quite: the cube falls over.
static carom_quat corner_attitude(void) {
    carom_quat about_x = crm_quat_from_axis_angle(crm_vec3(1.0, 0.0, 0.0), 0.7);
    return crm_quat_mul(about_x, crm_quat_from_axis_angle(crm_vec3(0.0, 1.0, 0.0), -0.5));
}

bench_cube bench_cube_make(bench_cube_kind kind) {
    carom_error error;
    const double edge = BENCH_CUBE_EDGE;
    bench_cube cube = {.elastic = carom_elastic_def_default(), .attitude = {1.0, 0.0, 0.0, 0.0}};
    if (strcmp(kind.model, "corotated") == 0) cube.elastic.model = CAROM_ELASTIC_COROTATED;
    cube.elastic.viscosity = kind.viscosity;
    carom_elastic_from_young(BENCH_CUBE_YOUNG, BENCH_CUBE_POISSON, &cube.elastic.lambda, &cube.elastic.mu);
    cube.elastic.density = BENCH_CUBE_DENSITY;
    if (kind.on_corner) cube.attitude = corner_attitude();
    const int counts[3] = {kind.cells, kind.cells, kind.cells};
    if (carom_mesh_create_box((carom_vec3){edge, edge, edge}, counts, 1, NULL, &cube.mesh, &error) != CAROM_OK)
        stop(error.text);
    int nodes = carom_mesh_node_count(cube.mesh);
    cube.masses = malloc(sizeof *cube.masses * (size_t)nodes);
    cube.start = malloc(sizeof *cube.start * (size_t)nodes);
    if (cube.masses == NULL || cube.start == NULL) stop("no memory");
    carom_mesh_masses(cube.mesh, cube.elastic.density, cube.masses);
    double lowest = 0.0;
    for (int n = 0; n < nodes; n++) {
        cube.start[n] = crm_quat_rotate(cube.attitude, carom_mesh_nodes(cube.mesh)[n]);
        lowest = fmin(lowest, cube.start[n].z);
    }
    cube.position = crm_vec3(0.0, 0.0, BENCH_CUBE_DROP - lowest);
    for (int n = 0; n < nodes; n++) cube.start[n] = crm_add(cube.position, cube.start[n]);
    return cube;
}

void bench_cube_free(bench_cube *cube) {
    free(cube->masses);
    free(cube->start);
    carom_mesh_destroy(cube->mesh);
}

// ---- a look

typedef struct scratch {
    carom_vec3 *positions, *velocities;
    carom_elastic_point *points;
} scratch;

static scratch make_scratch(const carom_mesh *mesh) {
    size_t nodes = (size_t)carom_mesh_node_count(mesh), elements = (size_t)carom_mesh_element_count(mesh);
    scratch s = {malloc(sizeof(carom_vec3) * nodes), malloc(sizeof(carom_vec3) * nodes),
                 malloc(sizeof(carom_elastic_point) * elements)};
    if (s.positions == NULL || s.velocities == NULL || s.points == NULL) stop("no memory");
    return s;
}

static void free_scratch(scratch *s) {
    free(s->positions);
    free(s->velocities);
    free(s->points);
}

// Energy with gravity's from where the centre of a cube at rest is.
static double find_energy(const bench_cube *cube, const scratch *s, bench_cube_result *result) {
    double elastic = NAN, mass = 0.0, moment = 0.0, kinetic = 0.0, lowest = INFINITY;
    carom_error error;
    bool whole =
        carom_mesh_evaluate(cube->mesh, &cube->elastic, s->positions, &elastic, NULL, s->points, &error) == CAROM_OK;
    for (int n = 0; n < carom_mesh_node_count(cube->mesh); n++) {
        mass += cube->masses[n];
        moment += cube->masses[n] * s->positions[n].z;
        kinetic += 0.5 * cube->masses[n] * crm_length_squared(s->velocities[n]);
        lowest = fmin(lowest, s->positions[n].z);
    }
    result->height = moment / mass;
    result->overlap = fmax(result->overlap, -lowest);
    if (!whole) {
        result->determinant = fmin(result->determinant, 0.0);
        return INFINITY;
    }
    return elastic + kinetic + BENCH_CUBE_GRAVITY * (moment - 0.5 * BENCH_CUBE_EDGE * mass);
}

static void find_stretches(const bench_cube *cube, const scratch *s, bench_cube_result *result) {
    for (int e = 0; e < carom_mesh_element_count(cube->mesh); e++) {
        carom_mat3 u, v;
        carom_vec3 stretches;
        result->determinant = fmin(result->determinant, s->points[e].determinant);
        if (crm_svd3(s->points[e].gradient, &u, &stretches, &v)) result->stretch = fmax(result->stretch, stretches.x);
    }
}

static void look(const bench_cube *cube, const bench_cube_engine *engine, bench_cube_result *result) {
    scratch s = make_scratch(cube->mesh);
    engine->read(engine->engine, s.positions, s.velocities);
    if (result->looks == 0) result->stretch = result->determinant = 1.0;
    double energy = find_energy(cube, &s, result);
    if (isfinite(energy)) find_stretches(cube, &s, result);
    if (result->looks++ > 0) result->energy_rise = fmax(result->energy_rise, energy - result->energy);
    result->energy = energy;
    free_scratch(&s);
}

void bench_cube_advance(const bench_cube *cube, const bench_cube_engine *engine, int steps, bench_cube_result *result) {
    if (result->looks == 0) look(cube, engine, result);
    double start = crm_clock_thread_seconds();
    for (int i = 0; i < steps; i++) engine->step(engine->engine);
    result->seconds += (crm_clock_thread_seconds() - start) / BENCH_CUBE_STEPS;
    look(cube, engine, result);
}

// ---- as a line

void bench_cube_print(const bench_cube_result *r) {
    printf("{\"seconds\":%.9g,\"height\":%.9g,\"energy\":%.9g,\"energy_rise\":%.9g,\"stretch\":%.9g,"
           "\"determinant\":%.9g,\"overlap\":%.9g}\n",
           r->seconds, r->height, r->energy, r->energy_rise, r->stretch, r->determinant, r->overlap);
}

bench_cube_result bench_cube_read(const char *line) {
    return (bench_cube_result){.seconds = bench_peer_number(line, "seconds"),
                               .height = bench_peer_number(line, "height"),
                               .energy = bench_peer_number(line, "energy"),
                               .energy_rise = bench_peer_number(line, "energy_rise"),
                               .stretch = bench_peer_number(line, "stretch"),
                               .determinant = bench_peer_number(line, "determinant"),
                               .overlap = bench_peer_number(line, "overlap")};
}

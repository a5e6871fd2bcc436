// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/quat.h"
#include "settle/settle.h"

static const double pi = 3.14159265358979323846;

// Vigna's xorshift64*: with it the states are those of the figures that bench/pile.c has from elsewhere.
typedef struct source {
    uint64_t state;
} source;

static double draw(source *s, double low, double high) {
    s->state ^= s->state >> 12;
    s->state ^= s->state << 25;
    s->state ^= s->state >> 27;
    double unit = (double)((s->state * 2685821657736338717u) >> 11) / 9007199254740992.0;
    return low + (high - low) * unit;
}

// About any axis, by at most this angle.
static carom_quat draw_tilt(source *s, double most) {
    double z = draw(s, -1.0, 1.0), around = draw(s, 0.0, 2.0 * pi), r = sqrt(1.0 - z * z);
    double half = 0.5 * draw(s, 0.0, most), sine = sin(half);
    return (carom_quat){cos(half), sine * r * cos(around), sine * r * sin(around), sine * z};
}

static carom_quat draw_rotation(source *s) {
    double a = draw(s, 0.0, 1.0), b = draw(s, 0.0, 2.0 * pi), c = draw(s, 0.0, 2.0 * pi);
    return (carom_quat){sqrt(1.0 - a) * sin(b), sqrt(1.0 - a) * cos(b), sqrt(a) * sin(c), sqrt(a) * cos(c)};
}

// Filled evenly: m/3 of squared half edges for a box, m/5 of squared half axes for an ellipsoid.
static bench_settle_body body_of(bool is_box, carom_vec3 half, double mass) {
    double share = mass / (is_box ? 3.0 : 5.0), x = half.x * half.x, y = half.y * half.y, z = half.z * half.z;
    return (bench_settle_body){.is_box = is_box,
                               .half = half,
                               .mass = mass,
                               .inertia = {share * (y + z), share * (x + z), share * (x + y)},
                               .start = {.attitude = crm_quat_identity()}};
}

static const carom_vec3 half_cube = {0.5, 0.5, 0.5};
static const double cube_mass = 1.0;

// Ten layers of ten by ten, 1.1 m apart.
static carom_vec3 lattice(int index) {
    int i = index % 10, j = index / 10 % 10, k = index / 100;
    return crm_vec3((i - 4.5) * 1.1, (j - 4.5) * 1.1, 0.6 + 1.1 * k);
}

static void make_pile(bench_settle_scene *scene) {
    source random = {0x9E3779B97F4A7C15u};
    scene->steps = 600;
    scene->count = 1000;
    for (int i = 0; i < scene->count; i++) {
        scene->bodies[i] = body_of(true, half_cube, cube_mass);
        scene->bodies[i].start = (carom_pose){lattice(i), draw_tilt(&random, 0.1)};
    }
}

// Courses of 20, 19, ... 1 cubes, each over the joints of the one below.
static void make_wall(bench_settle_scene *scene) {
    scene->steps = 2400;
    for (int course = 0; course < 20; course++) {
        for (int i = 0; i < 20 - course; i++) {
            bench_settle_body *cube = &scene->bodies[scene->count++];
            *cube = body_of(true, half_cube, cube_mass);
            cube->start.position = crm_vec3(i - 0.5 * (19 - course), 0.0, course + 0.5);
        }
    }
}

static void make_ellipsoids(bench_settle_scene *scene) {
    source random = {0x9E3779B97F4A7C15u};
    const carom_vec3 half = {0.5, 0.35, 0.25};
    const double density = 1000.0;
    scene->steps = 600;
    scene->walls = 6.0;
    scene->count = 1000;
    for (int i = 0; i < scene->count; i++) {
        scene->bodies[i] = body_of(false, half, density * 4.0 / 3.0 * pi * half.x * half.y * half.z);
        scene->bodies[i].start = (carom_pose){lattice(i), draw_rotation(&random)};
    }
}

bool bench_settle_make(const char *name, bench_settle_scene *scene) {
    static const struct {
        const char *name;
        void (*make)(bench_settle_scene *scene);
    } makers[] = {{"pile", make_pile}, {"wall", make_wall}, {"ellipsoids", make_ellipsoids}};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        if (strcmp(name, makers[i].name) != 0) continue;
        scene->name = makers[i].name;
        scene->walls = 0.0;
        scene->count = 0;
        makers[i].make(scene);
        return true;
    }
    return false;
}

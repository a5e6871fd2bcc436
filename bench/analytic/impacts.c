// SPDX-License-Identifier: MIT
// Collisions that lose nothing.
#include <math.h>

#include "analytic/experiment.h"
#include "base/random.h"
#include "math/vec3.h"

static const double g = 9.81;

static double nothing(double until) {
    (void)until;
    return 0.0;
}

// The energy at the first step is that of the start: nothing has hit anything yet.
static void keep_first_energy(analytic_run *run) {
    if (run->number[0] == 0.0) run->number[0] = analytic_energy(run);
}

static double energy_change(const analytic_run *run) {
    return run->number[0] != 0.0 ? analytic_energy(run) / run->number[0] - 1.0 : NAN;
}

// ---- Newton's cradle: five balls in a line, 5 mm apart

enum { BALLS = 5 };

static void cradle(char *text, double until) {
    analytic_begin(text, "cradle", until, crm_vec3_zero(), 0.0, 1.0);
    analytic_write(text, "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}}, \"bodies\": [");
    for (int i = 0; i < BALLS; i++)
        analytic_write(text,
                       "%s{\"name\": \"ball-%d\", \"shape\": \"ball\", \"material\": \"m\", \"density\": 1000, "
                       "\"position\": [%.17g, 0, 0], \"velocity\": [%d, 0, 0]}",
                       i > 0 ? ", " : "", i, i == 0 ? -0.5 : 0.205 * i, i == 0);
    analytic_write(text, "]}");
}

static double one(double until) {
    (void)until;
    return 1.0;
}

// The last ball's speed, less what the others still have.
static double speed_passed_on(const analytic_run *run) {
    double speed = analytic_body(run, BALLS - 1).velocity.x;
    for (int i = 0; i + 1 < BALLS; i++) speed -= crm_length(analytic_body(run, i).velocity);
    return speed;
}

// ---- a ball that bounces for ever: period 2 sqrt(2 h / g)

static const double drop = 0.05, ball_radius = 0.1;

static void bouncing_ball(char *text, double until) {
    analytic_begin(text, "bouncing-ball", until, crm_vec3(0.0, 0.0, -g), 0.0, 1.0);
    analytic_write(text,
                   "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                   "\"ball\": {\"kind\": \"sphere\", \"radius\": %.17g}}, \"bodies\": ["
                   "{\"name\": \"ball\", \"shape\": \"ball\", \"material\": \"m\", \"density\": 1000, "
                   "\"position\": [0, 0, %.17g]}, %s]}",
                   ball_radius, ball_radius + drop, analytic_floor);
}

// The energy of the flight that the ball is in, or was in last: where springs make contacts a part of it is in them for
// as long as a bounce lasts.
static void keep_flight_energy(analytic_run *run) {
    keep_first_energy(run);
    if (analytic_body(run, 0).position.z > ball_radius + 0.5 * drop) run->number[1] = analytic_energy(run);
}

// How much higher the last bounce is than the drop, of the drop.
static double bounce_change(const analytic_run *run) {
    const double mass = 1000.0 * 4.0 / 3.0 * 3.14159265358979323846 * ball_radius * ball_radius * ball_radius;
    return (run->number[1] - run->number[0]) / (mass * g * drop);
}

// ---- 27 balls in a cube

static void gas(char *text, double until) {
    static const char *const walls[] = {"[1, 0, 0]",  "[-1, 0, 0]", "[0, 1, 0]",
                                        "[0, -1, 0]", "[0, 0, 1]",  "[0, 0, -1]"};
    crm_random random = {.seed = 27};
    const double speed = 0.2; // m/s
    analytic_begin(text, "gas", until, crm_vec3_zero(), 0.0, 1.0);
    analytic_write(text, "\"shapes\": {\"ball\": {\"kind\": \"sphere\", \"radius\": 0.05}");
    for (int i = 0; i < 6; i++)
        analytic_write(text, ", \"wall-%d\": {\"kind\": \"half_space\", \"normal\": %s, \"offset\": -0.5}", i,
                       walls[i]);
    analytic_write(text, "}, \"bodies\": [");
    for (int i = 0; i < 27; i++) {
        carom_vec3 v = crm_random_direction(&random);
        analytic_write(text,
                       "{\"name\": \"ball-%d\", \"shape\": \"ball\", \"material\": \"m\", \"density\": 1000, "
                       "\"position\": [%.17g, %.17g, %.17g], \"velocity\": [%.17g, %.17g, %.17g]}, ",
                       i, 0.3 * (i % 3 - 1), 0.3 * (i / 3 % 3 - 1), 0.3 * (i / 9 - 1), speed * v.x, speed * v.y,
                       speed * v.z);
    }
    for (int i = 0; i < 6; i++)
        analytic_write(text,
                       "%s{\"name\": \"wall-%d\", \"kind\": \"fixed\", \"shape\": \"wall-%d\", \"material\": \"m\"}",
                       i > 0 ? ", " : "", i, i);
    analytic_write(text, "]}");
}

const analytic_experiment analytic_impacts[] = {
    {"Newton's cradle", "of equal elastic balls the last leaves with the speed of the first, the others rest",
     "speed of the last less those of the others, m/s", ANALYTIC_SMOOTH, NULL, NULL, NULL, 1.5, 1.5, 1e-3, true, cradle,
     one, NULL, speed_passed_on},
    {"elastic ball, 10,000 bounces",
     "every bounce is as high as the first: period 2 sqrt(2 h / g). Of `potential` and `newmark` a contact of 100 "
     "kN/m, "
     "which lasts for 100 steps; at the stiffness that they propose, for ten, a bounce is higher or lower by some per "
     "cent ([energy](method-potential.md#what-is-promised))",
     "change of the bounces' height, of the whole", ANALYTIC_SMOOTH, NULL, NULL, "method.potential.stiffness=1e5",
     2020.0, 20.2, 1e-3, false, bouncing_ball, nothing, keep_flight_energy, bounce_change},
    {"elastic gas, 27 balls in a cube", "energy is kept", "change of energy in 50 s, of the whole", ANALYTIC_SMOOTH,
     NULL, NULL, NULL, 50.0, 5.0, 1e-3, false, gas, nothing, keep_first_energy, energy_change},
};
const int analytic_impact_count = sizeof analytic_impacts / sizeof analytic_impacts[0];

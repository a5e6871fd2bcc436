// SPDX-License-Identifier: MIT
// Rest, sliding and rolling under friction. Inclines are level floors under a gravity that leans.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "analytic/experiment.h"
#include "math/vec3.h"

static const double g = 9.81, pi = 3.14159265358979323846;

// ---- a box on an incline

static const double mu = 0.5;

static carom_vec3 leaning(double angle) {
    return crm_vec3(g * sin(angle), 0.0, -g * cos(angle));
}

static void box_on_incline(char *text, double until, double share) {
    analytic_begin(text, "incline", until, leaning(atan(share * mu)), mu, 0.0);
    analytic_write(text,
                   "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                   "\"box\": {\"kind\": \"box\", \"size\": [0.3, 0.2, 0.1]}}, \"bodies\": ["
                   "{\"name\": \"box\", \"shape\": \"box\", \"material\": \"m\", \"density\": 500, "
                   "\"position\": [0, 0, 0.05]}, %s]}",
                   analytic_floor);
}

static void below_slipping(char *text, double until) {
    box_on_incline(text, until, 0.999);
}

static void above_slipping(char *text, double until) {
    box_on_incline(text, until, 1.01);
}

static double nothing(double until) {
    (void)until;
    return 0.0;
}

static double way_down(const analytic_run *run) {
    return analytic_body(run, 0).position.x;
}

static double way_of_slipping(double until) {
    double angle = atan(1.01 * mu);
    return 0.5 * g * (sin(angle) - mu * cos(angle)) * until * until;
}

// ---- a ball that slides until it rolls, and one that rolls down

static const double ball_speed = 4.0, roll_angle = 0.3;

static void write_ball(char *text, double speed) {
    analytic_write(text,
                   "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                   "\"ball\": {\"kind\": \"sphere\", \"radius\": 0.1}}, \"bodies\": ["
                   "{\"name\": \"ball\", \"shape\": \"ball\", \"material\": \"m\", \"density\": 500, "
                   "\"position\": [0, 0, 0.1], \"velocity\": [%.17g, 0, 0]}, %s]}",
                   speed, analytic_floor);
}

static void sliding_ball(char *text, double until) {
    analytic_begin(text, "sliding-ball", until, leaning(0.0), 0.3, 0.0);
    write_ball(text, ball_speed);
}

static double rolling_speed(double until) {
    (void)until;
    return 5.0 / 7.0 * ball_speed;
}

static double speed_of_ball(const analytic_run *run) {
    return analytic_body(run, 0).velocity.x;
}

static void rolling_ball(char *text, double until) {
    analytic_begin(text, "rolling-ball", until, leaning(roll_angle), 0.5, 0.0);
    write_ball(text, 0.0);
}

static double way_of_rolling(double until) {
    return 0.5 * 5.0 / 7.0 * g * sin(roll_angle) * until * until;
}

// ---- bricks that overhang: the k-th from above may stand out by L / 2 k

enum { BRICKS = 5 };

static void bricks(char *text, double until, double share) {
    analytic_begin(text, "bricks", until, leaning(0.0), 0.6, 0.0);
    analytic_write(text, "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                         "\"brick\": {\"kind\": \"box\", \"size\": [0.24, 0.11, 0.07]}}, \"bodies\": [");
    double x = 0.0;
    for (int i = 0; i < BRICKS; i++) { // from below
        analytic_write(text,
                       "{\"name\": \"brick-%d\", \"shape\": \"brick\", \"material\": \"m\", \"density\": 1900, "
                       "\"position\": [%.17g, 0, %.17g]}, ",
                       i, x, 0.07 * (i + 0.5));
        if (i + 1 < BRICKS) x += share * 0.24 / (2.0 * (BRICKS - 1 - i));
    }
    analytic_write(text, "%s]}", analytic_floor);
}

static void standing_bricks(char *text, double until) {
    bricks(text, until, 0.99);
}

static void falling_bricks(char *text, double until) {
    bricks(text, until, 1.02);
}

// How far the highest brick has come down.
static double drop_of_bricks(const analytic_run *run) {
    return 0.07 * (BRICKS - 0.5) - analytic_body(run, BRICKS - 1).position.z;
}

static double falls(const analytic_run *run) {
    return drop_of_bricks(run) > 0.03 ? 1.0 : 0.0;
}

static double one(double until) {
    (void)until;
    return 1.0;
}

// ---- a ladder against a smooth wall: it slips when (L/2) cos a = mu (L sin a + r), L between the centres of its round
// ends of radius r, whose friction acts below them

static const double ladder_length = 2.0, ladder_radius = 0.02;

static double slipping_angle(void) {
    double low = 0.1, high = 1.5;
    for (int i = 0; i < 100; i++) {
        double a = 0.5 * (low + high);
        bool slips = 0.5 * ladder_length * cos(a) > mu * (ladder_length * sin(a) + ladder_radius);
        if (slips)
            low = a;
        else
            high = a;
    }
    return low;
}

static void ladder(char *text, double until, double beyond) {
    double a = slipping_angle() + beyond, r = ladder_radius, c = cos(a), s = sin(a);
    analytic_begin(text, "ladder", until, leaning(0.0), mu, 0.0);
    analytic_write(text,
                   "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                   "\"wall\": {\"kind\": \"half_space\", \"normal\": [1, 0, 0]}, "
                   "\"ladder\": {\"kind\": \"capsule\", \"radius\": %.17g, \"length\": %.17g}}, \"bodies\": ["
                   "{\"name\": \"ladder\", \"shape\": \"ladder\", \"material\": \"m\", \"mass\": 10, "
                   "\"inertia\": [%.17g, %.17g, 0.002], \"position\": [%.17g, 0, %.17g], "
                   "\"attitude\": {\"axis\": [0, 1, 0], \"degrees\": %.17g}}, %s, "
                   "{\"name\": \"wall\", \"kind\": \"fixed\", \"shape\": \"wall\", \"material\": \"smooth\"}]}",
                   r, ladder_length, 10.0 / 12.0 * ladder_length * ladder_length,
                   10.0 / 12.0 * ladder_length * ladder_length, r + 0.5 * ladder_length * c,
                   r + 0.5 * ladder_length * s, (a - 0.5 * pi) * 180.0 / pi, analytic_floor);
}

// A smooth material beside the first.
static void with_smooth(char *text) {
    static const char end[] = "}}, \"shapes\"", more[] = "}, \"smooth\": {\"friction\": 0, \"restitution\": 0}}, ";
    char *at = strstr(text, end);
    if (at == NULL) return;
    char rest[ANALYTIC_SCENE_SIZE];
    snprintf(rest, sizeof rest, "%s", at + 4);
    snprintf(at, ANALYTIC_SCENE_SIZE - (size_t)(at - text), "%s%s", more, rest);
}

static void standing_ladder(char *text, double until) {
    ladder(text, until, 0.01);
    with_smooth(text);
}

static void slipping_ladder(char *text, double until) {
    ladder(text, until, -0.01);
    with_smooth(text);
}

static double ladder_way(const analytic_run *run) {
    double a = slipping_angle() + 0.01;
    return analytic_body(run, 0).position.x - (ladder_radius + 0.5 * ladder_length * cos(a));
}

static double ladder_slips(const analytic_run *run) {
    double a = slipping_angle() - 0.01;
    double start = ladder_radius + 0.5 * ladder_length * sin(a);
    return start - analytic_body(run, 0).position.z > 0.1 ? 1.0 : 0.0;
}

// ---- Painleve's rod: its tip slides, and friction drives it into the floor. No force will do; an impulse stops the
// tip, and the rod rotates about it: w = 3 v sin a / (4 l), l half of its length

static const double rod_half = 0.5, rod_radius = 0.001, rod_angle = 1.0471975511965976, rod_speed = 2.0;

static void painleve_rod(char *text, double until) {
    double c = cos(rod_angle), s = sin(rod_angle), l = rod_half, r = rod_radius;
    analytic_begin(text, "painleve-rod", until, leaning(0.0), 2.0, 0.0);
    analytic_write(text,
                   "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                   "\"rod\": {\"kind\": \"capsule\", \"radius\": %.17g, \"length\": %.17g}}, \"bodies\": ["
                   "{\"name\": \"rod\", \"shape\": \"rod\", \"material\": \"m\", \"mass\": 1, "
                   "\"inertia\": [%.17g, %.17g, 1e-5], \"position\": [%.17g, 0, %.17g], "
                   "\"attitude\": {\"axis\": [0, 1, 0], \"degrees\": %.17g}, \"velocity\": [%.17g, 0, 0]}, %s]}",
                   r, 2.0 * l, l * l / 3.0, l * l / 3.0, l * c, r + l * s, 90.0 - rod_angle * 180.0 / pi, -rod_speed,
                   analytic_floor);
}

static double spin_of_jam(double until) {
    (void)until;
    return 0.75 * rod_speed * sin(rod_angle) / rod_half;
}

static double spin_of_rod(const analytic_run *run) {
    return crm_length(analytic_body(run, 0).spin);
}

// ---- a box that spins on a smooth floor

static void smooth_spin(char *text, double until) {
    analytic_begin(text, "smooth-spin", until, leaning(0.0), 0.0, 0.0);
    analytic_write(text,
                   "\"shapes\": {\"floor\": {\"kind\": \"half_space\", \"normal\": [0, 0, 1]}, "
                   "\"box\": {\"kind\": \"box\", \"size\": [0.3, 0.2, 0.1]}}, \"bodies\": ["
                   "{\"name\": \"box\", \"shape\": \"box\", \"material\": \"m\", \"density\": 500, "
                   "\"position\": [0, 0, 0.05], \"spin\": [0, 0, 10]}, %s]}",
                   analytic_floor);
}

static double spin_kept(double until) {
    (void)until;
    return 10.0;
}

static double spin_about_z(const analytic_run *run) {
    return analytic_body(run, 0).spin.z;
}

// ----

const analytic_experiment analytic_contacts[] = {
    {"box on an incline, just below slipping", "at rest while tan a < mu; here tan a = 0.999 mu, mu = 0.5",
     "creep in 10 s, m", ANALYTIC_FRICTION, NULL, NULL, NULL, 10.0, 1.0, 1e-6, false, below_slipping, nothing, NULL,
     way_down},
    {"box on an incline, solved to 1e-8", "at rest", "creep in 10 s, m", ANALYTIC_FRICTION, "method.lcp.tolerance=1e-8",
     "lcp", NULL, 10.0, 1.0, 1e-9, false, below_slipping, nothing, NULL, way_down},
    {"box on an incline, just above slipping", "s = g (sin a - mu cos a) t^2 / 2, tan a = 1.01 mu, t = 4 s", "way, m",
     ANALYTIC_FRICTION, NULL, NULL, NULL, 4.0, 4.0, ANALYTIC_SAME, true, above_slipping, way_of_slipping, NULL,
     way_down},
    {"sliding ball", "rolls at 5/7 of its speed once slip has stopped, after 2 v / (7 mu g)", "speed after 2 s, m/s",
     ANALYTIC_FRICTION, NULL, NULL, NULL, 2.0, 2.0, ANALYTIC_SAME, true, sliding_ball, rolling_speed, NULL,
     speed_of_ball},
    {"rolling ball", "s = 5/14 g sin a t^2, a = 0.3, t = 2 s", "way, m", ANALYTIC_FRICTION, NULL, NULL, NULL, 2.0, 2.0,
     ANALYTIC_SAME, true, rolling_ball, way_of_rolling, NULL, way_down},
    {"five bricks, overhangs 1 % below L / 2 k", "they stand", "sinking of the highest in 10 s, m", ANALYTIC_FRICTION,
     NULL, NULL, NULL, 10.0, 2.0, 1e-4, false, standing_bricks, nothing, NULL, drop_of_bricks},
    {"five bricks, overhangs 2 % beyond L / 2 k", "they fall", "fallen within 4 s", ANALYTIC_FRICTION, NULL, NULL, NULL,
     4.0, 4.0, 0.5, false, falling_bricks, one, NULL, falls},
    {"ladder, 0.01 rad steeper than it must be", "stands while (L/2) cos a < mu (L sin a + r)", "way in 10 s, m",
     ANALYTIC_FRICTION, NULL, NULL, NULL, 10.0, 1.0, 1e-4, false, standing_ladder, nothing, NULL, ladder_way},
    {"ladder, 0.01 rad flatter than it may be", "slips", "slipped within 4 s", ANALYTIC_FRICTION, NULL, NULL, NULL, 4.0,
     4.0, 0.5, false, slipping_ladder, one, NULL, ladder_slips},
    {"Painleve's rod, mu = 2, 60 degrees", "jams: its tip stops at once, w = 3 v sin a / (4 l)",
     "spin after 10 ms, rad/s", ANALYTIC_FRICTION, NULL, NULL, NULL, 0.01, 0.01, 0.05, true, painleve_rod, spin_of_jam,
     NULL, spin_of_rod},
    {"box that spins on a smooth floor", "nothing changes its spin", "spin after 10 s, rad/s", ANALYTIC_SMOOTH, NULL,
     NULL, NULL, 10.0, 1.0, 1e-6, true, smooth_spin, spin_kept, NULL, spin_about_z},
};
const int analytic_contact_count = sizeof analytic_contacts / sizeof analytic_contacts[0];

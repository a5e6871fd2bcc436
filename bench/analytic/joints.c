// SPDX-License-Identifier: MIT
// A top and a pendulum, whose motions are in books.
#include <math.h>

#include "analytic/experiment.h"
#include "math/carlson.h"
#include "math/quat.h"
#include "math/vec3.h"

static const double g = 9.81, pi = 3.14159265358979323846;

// ---- a heavy top in steady precession: I1 cos(a) W^2 - I3 w W + m g l = 0

static const double top_mass = 0.5, top_arm = 0.06, top_across = 0.00205, top_along = 0.0004, lean = 0.6981317007977318,
                    top_spin = 150.0;

// The slow root; top_across is about the tip.
static double precession(double until) {
    (void)until;
    double a = top_across * cos(lean), b = top_along * top_spin, c = top_mass * g * top_arm;
    // w is all of the spin along the axis, with that of the precession.
    return (b - sqrt(b * b - 4.0 * a * c)) / (2.0 * a);
}

static void heavy_top(char *text, double until) {
    double w = precession(0.0), s = sin(lean), c = cos(lean), l = top_arm;
    carom_vec3 axis = {s, 0.0, c}, spin = crm_madd(crm_vec3(0.0, 0.0, w), top_spin - w * c, axis);
    carom_vec3 at = crm_scale(l, axis), v = crm_cross(spin, at);
    double across = top_across - top_mass * l * l;
    analytic_begin(text, "heavy-top", until, crm_vec3(0.0, 0.0, -g), 0.0, 0.0);
    analytic_write(text,
                   "\"bodies\": [{\"name\": \"top\", \"mass\": %.17g, \"inertia\": [%.17g, %.17g, %.17g], "
                   "\"position\": [%.17g, 0, %.17g], \"attitude\": {\"axis\": [0, 1, 0], \"degrees\": 40}, "
                   "\"velocity\": [%.17g, %.17g, %.17g], \"spin\": [%.17g, %.17g, %.17g]}], \"joints\": ["
                   "{\"name\": \"tip\", \"kind\": \"ball\", \"a\": \"world\", \"b\": \"top\", \"point\": [0, 0, 0]}]}",
                   top_mass, across, across, top_along, at.x, at.z, v.x, v.y, v.z, spin.x, spin.y, spin.z);
}

// The azimuth with all its rounds in number 0, the last one in number 1, when in number 2.
static void follow_azimuth(analytic_run *run) {
    carom_vec3 at = analytic_body(run, 0).position;
    double azimuth = atan2(at.y, at.x);
    run->number[0] += remainder(azimuth - run->number[1], 2.0 * pi);
    run->number[1] = azimuth;
}

static double rate_of_azimuth(const analytic_run *run) {
    return run->number[0] / carom_state_time(run->state);
}

// How far the axis has risen or fallen, by its height.
static double nutation(const analytic_run *run) {
    return acos(fmin(1.0, analytic_body(run, 0).position.z / top_arm)) - lean;
}

static double nothing(double until) {
    (void)until;
    return 0.0;
}

// ---- a pendulum let go at 90 degrees: period 4 sqrt(I / (m g l)) K(sin 45)

static const double rod_length = 1.0;

static void pendulum(char *text, double until) {
    analytic_begin(text, "pendulum", until, crm_vec3(0.0, 0.0, -g), 0.0, 0.0);
    analytic_write(text,
                   "\"bodies\": [{\"name\": \"rod\", \"mass\": 1, \"inertia\": [%.17g, %.17g, 0.001], "
                   "\"position\": [%.17g, 0, 0], \"attitude\": {\"axis\": [0, 1, 0], \"degrees\": 90}}], \"joints\": ["
                   "{\"name\": \"hinge\", \"kind\": \"hinge\", \"a\": \"world\", \"b\": \"rod\", \"point\": [0, 0, 0], "
                   "\"axis\": [0, 1, 0]}]}",
                   rod_length * rod_length / 12.0, rod_length * rod_length / 12.0, 0.5 * rod_length);
}

static double elliptic_period(double until) {
    (void)until;
    double quarter = crm_carlson_rf(0.0, 0.5, 1.0); // K(k) = R_F(0, 1 - k^2, 1), k^2 = 1/2
    return 4.0 * sqrt(2.0 * rod_length / (3.0 * g)) * quarter;
}

// Passages of the lowest point: 0 their number, 1 the first, 2 the last, 3 and 4 place and time of the step before.
static void follow_passages(analytic_run *run) {
    double x = analytic_body(run, 0).position.x, time = carom_state_time(run->state), *n = run->number;
    if (n[4] > 0.0 && x * n[3] <= 0.0 && x != n[3]) {
        double at = n[4] + (time - n[4]) * n[3] / (n[3] - x);
        if (n[0] == 0.0) n[1] = at;
        n[2] = at;
        n[0] += 1.0;
    }
    n[3] = x;
    n[4] = time;
}

static double mean_period(const analytic_run *run) {
    const double *n = run->number;
    return n[0] > 1.0 ? 2.0 * (n[2] - n[1]) / (n[0] - 1.0) : NAN;
}

const analytic_experiment analytic_joints[] = {
    {"heavy top, steady precession", "I1 cos a W^2 - I3 w W + m g l = 0", "W over 10 s, rad/s", ANALYTIC_JOINT, NULL,
     NULL, NULL, 10.0, 1.0, ANALYTIC_SAME, true, heavy_top, precession, follow_azimuth, rate_of_azimuth},
    {"heavy top, its lean", "it neither rises nor falls", "change of its lean in 10 s, rad", ANALYTIC_JOINT, NULL, NULL,
     NULL, 10.0, 1.0, 0.02, false, heavy_top, nothing, NULL, nutation},
    {"pendulum, 90 degrees", "T = 4 sqrt(I / (m g l)) K(sin 45)", "mean period over 20 s, s", ANALYTIC_JOINT, NULL,
     NULL, NULL, 20.0, 8.0, ANALYTIC_SAME, true, pendulum, elliptic_period, follow_passages, mean_period},
};
const int analytic_joint_count = sizeof analytic_joints / sizeof analytic_joints[0];

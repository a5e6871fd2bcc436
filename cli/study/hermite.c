// SPDX-License-Identifier: MIT
#include "study/hermite.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

// ---- vectors and rotations

static carom_vec3 sum(carom_vec3 a, double s, carom_vec3 b) {
    return (carom_vec3){a.x + s * b.x, a.y + s * b.y, a.z + s * b.z};
}

static carom_vec3 cross(carom_vec3 a, carom_vec3 b) {
    return (carom_vec3){a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

static double dot(carom_vec3 a, carom_vec3 b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static carom_quat product(carom_quat p, carom_quat q) {
    return (carom_quat){p.w * q.w - p.x * q.x - p.y * q.y - p.z * q.z, p.w * q.x + p.x * q.w + p.y * q.z - p.z * q.y,
                        p.w * q.y - p.x * q.z + p.y * q.w + p.z * q.x, p.w * q.z + p.x * q.y - p.y * q.x + p.z * q.w};
}

static carom_quat inverse(carom_quat q) {
    return (carom_quat){q.w, -q.x, -q.y, -q.z};
}

// From body to world axes.
static carom_vec3 rotate(carom_quat q, carom_vec3 v) {
    carom_vec3 u = {q.x, q.y, q.z}, t = cross(u, v);
    return sum(sum(v, 2.0 * q.w, t), 2.0, cross(u, t));
}

static carom_quat exponential(carom_vec3 phi) {
    double angle = sqrt(dot(phi, phi)), s = angle > 1e-8 ? sin(0.5 * angle) / angle : 0.5;
    return (carom_quat){cos(0.5 * angle), s * phi.x, s * phi.y, s * phi.z};
}

// The rotation vector of q that is nearest to `expected`: a fast body makes more than half a rotation in a step.
static carom_vec3 logarithm(carom_quat q, carom_vec3 expected) {
    carom_vec3 v = {q.x, q.y, q.z};
    double sine = sqrt(dot(v, v)), angle = 2.0 * atan2(sine, q.w);
    if (!(sine > 0.0)) {
        // No axis: as many full rotations about the expected one as fit.
        double length = sqrt(dot(expected, expected)), full = 2.0 * pi * round(length / (2.0 * pi));
        return length > 0.0 ? sum((carom_vec3){0}, full / length, expected) : expected;
    }
    carom_vec3 axis = sum((carom_vec3){0}, 1.0 / sine, v);
    angle += 2.0 * pi * round((dot(axis, expected) - angle) / (2.0 * pi));
    return sum((carom_vec3){0}, angle, axis);
}

// The spin, in body axes, of exp(phi) whose phi changes by `rate`, and the rate for a spin. The two series keep their
// digits where phi is small.
static carom_vec3 spin_of_rate(carom_vec3 phi, carom_vec3 rate) {
    double s = dot(phi, phi), angle = sqrt(s);
    double first = s > 1e-4 ? (1.0 - cos(angle)) / s : 0.5 - s / 24.0 + s * s / 720.0;
    double second = s > 1e-4 ? (angle - sin(angle)) / (s * angle) : 1.0 / 6.0 - s / 120.0 + s * s / 5040.0;
    carom_vec3 across = cross(phi, rate);
    return sum(sum(rate, -first, across), second, cross(phi, across));
}

static carom_vec3 rate_of_spin(carom_vec3 phi, carom_vec3 spin) {
    double s = dot(phi, phi), angle = sqrt(s);
    double second = s > 1e-4 ? (1.0 - 0.5 * angle / tan(0.5 * angle)) / s : 1.0 / 12.0 + s / 720.0 + s * s / 30240.0;
    carom_vec3 across = cross(phi, spin);
    return sum(sum(spin, 0.5, across), second, cross(phi, across));
}

// ---- the polynomial

typedef struct curve {
    carom_vec3 value, rate;
} curve;

// From 0 by `way` in `step`, with these rates at both ends, at `s` of it. What does not move stays to the bit.
static curve hermite(carom_vec3 way, carom_vec3 rate0, carom_vec3 rate1, double step, double s) {
    double w = s * s * (3.0 - 2.0 * s), a = step * s * (1.0 - s) * (1.0 - s), b = -step * s * s * (1.0 - s);
    double dw = 6.0 * s * (1.0 - s) / step, da = (1.0 - s) * (1.0 - 3.0 * s), db = s * (3.0 * s - 2.0);
    const carom_vec3 zero = {0.0, 0.0, 0.0};
    return (curve){sum(sum(sum(zero, w, way), a, rate0), b, rate1), sum(sum(sum(zero, dw, way), da, rate0), db, rate1)};
}

double number_between(int count, const double *nodes, double share) {
    // From the step's beginning by differences, so that what is constant stays to the bit. Times count from there.
    double from = nodes[count - 2], out = from, at = share - 1.0;
    for (int i = 0; i < count; i++) {
        double weight = 1.0;
        for (int k = 0; k < count; k++)
            if (k != i) weight *= (at + (double)(count - 1 - k)) / (double)(i - k);
        out += weight * (nodes[i] - from);
    }
    return out;
}

static carom_vec3 vector_between(int count, const carom_vec3 *nodes, double share) {
    double x[MOST_NODES] = {0.0}, y[MOST_NODES] = {0.0}, z[MOST_NODES] = {0.0};
    for (int i = 0; i < count; i++) x[i] = nodes[i].x, y[i] = nodes[i].y, z[i] = nodes[i].z;
    return (carom_vec3){number_between(count, x, share), number_between(count, y, share),
                        number_between(count, z, share)};
}

carom_body_state body_between(int count, const carom_body_state *const nodes[], double step, double share) {
    const carom_body_state *from = nodes[count - 2], *to = nodes[count - 1];
    carom_vec3 way = sum(to->position, -1.0, from->position);
    curve x = hermite(way, from->velocity, to->velocity, step, share);
    carom_vec3 spin0 = rotate(inverse(from->attitude), from->spin), spin1 = rotate(inverse(to->attitude), to->spin);
    carom_vec3 mean = sum(spin0, 1.0, spin1);
    carom_quat between = product(inverse(from->attitude), to->attitude);
    carom_vec3 phi1 = logarithm(between, sum((carom_vec3){0}, 0.5 * step, mean));
    // Past a full rotation a step rates of phi may not exist; no method follows a body that spins so fast.
    curve phi = hermite(phi1, spin0, rate_of_spin(phi1, spin1), step, share);
    carom_quat q = product(from->attitude, exponential(phi.value));
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    carom_body_state out = {.position = sum(from->position, 1.0, x.value),
                            .velocity = x.rate,
                            .attitude = {q.w / length, q.x / length, q.y / length, q.z / length}};
    out.spin = rotate(out.attitude, spin_of_rate(phi.value, phi.rate));
    if (count == 2) return out;
    carom_vec3 velocities[MOST_NODES], spins[MOST_NODES];
    for (int i = 0; i < count; i++) velocities[i] = nodes[i]->velocity, spins[i] = nodes[i]->spin;
    out.velocity = vector_between(count, velocities, share);
    out.spin = vector_between(count, spins, share);
    return out;
}

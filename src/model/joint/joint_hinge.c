// SPDX-License-Identifier: MIT
// B rotates about the common z axis. With n = z_B seen from A and t the angle between the axes, the residual is the
// rotation vector that takes z_A to z_B, which has no z part: t/sin(t) (-n_y, n_x). Large errors count in full; at
// opposite axes, where every normal would do, one is taken.
#include <math.h>

#include "model/joint/joint_component.h"

static const double pi = 3.14159265358979323846;

// Sine of the angle from the opposite direction below which a normal is made up. The gradient is of the size of its
// inverse there, as it must be: the normal rotates that fast.
static const double opposite_sine = 1e-8;

// Below this 1 - c the closed forms below lose more than a digit or two to cancellation.
static const double series_end = 0.1;

// f(c) = t/sin(t) with c = cos(t), and its first two derivatives by c.
typedef struct angle_over_sine {
    double f, first, second;
} angle_over_sine;

// f = sum of k!/(2k+1)!! x^k in x = 1 - c: 16 terms leave 0.05^16.
static angle_over_sine near_one(double x) {
    enum { TERMS = 16 };
    angle_over_sine sum = {0.0, 0.0, 0.0};
    double coefficient[TERMS] = {1.0};
    for (int k = 1; k < TERMS; k++) coefficient[k] = coefficient[k - 1] * k / (2.0 * k + 1.0);
    for (int k = TERMS - 1; k >= 0; k--) {
        sum.second = sum.second * x + 2.0 * sum.first;
        sum.first = sum.first * x + sum.f;
        sum.f = sum.f * x + coefficient[k];
    }
    sum.first = -sum.first;
    return sum;
}

// f' = (c f - 1)/(1 - c^2), f'' = (f + 3 c f')/(1 - c^2).
static angle_over_sine evaluate(carom_vec3 n) {
    double square = n.x * n.x + n.y * n.y, sine = sqrt(square), c = n.z;
    if (c > 1.0 - series_end) return near_one(square / (1.0 + c));
    angle_over_sine value = {.f = atan2(sine, c) / sine};
    value.first = (c * value.f - 1.0) / square;
    value.second = (value.f + 3.0 * c * value.first) / square;
    return value;
}

static carom_vec3 axis_of_b(const crm_joint_relation *relation) {
    carom_vec3 n = crm_quat_rotate(relation->rotation, crm_vec3(0.0, 0.0, 1.0));
    bool opposite = n.z < 0.0 && n.x * n.x + n.y * n.y < opposite_sine * opposite_sine;
    return opposite ? crm_vec3(0.0, -opposite_sine, -1.0) : n;
}

// d n/dt = u x n, so that the gradient of n_k is n x e_k.
static void rows(const crm_joint *joint, const crm_joint_relation *relation, double *residual, carom_vec3 *gradient) {
    (void)joint;
    carom_vec3 n = axis_of_b(relation);
    angle_over_sine g = evaluate(n);
    carom_vec3 by_x = crm_cross(n, crm_vec3(1.0, 0.0, 0.0)), by_y = crm_cross(n, crm_vec3(0.0, 1.0, 0.0));
    carom_vec3 by_z = crm_cross(n, crm_vec3(0.0, 0.0, 1.0));
    residual[0] = -g.f * n.y;
    residual[1] = g.f * n.x;
    gradient[0] = crm_madd(crm_scale(-g.f, by_y), -g.first * n.y, by_z);
    gradient[1] = crm_madd(crm_scale(g.f, by_x), g.first * n.x, by_z);
}

static double second_rate(angle_over_sine g, double value, double rate, double second, carom_vec3 n_rate,
                          carom_vec3 n_second) {
    return g.f * second + 2.0 * g.first * n_rate.z * rate +
           (g.second * n_rate.z * n_rate.z + g.first * n_second.z) * value;
}

static void curvature(const crm_joint *joint, const crm_joint_relation *relation, carom_vec3 rate, double *out) {
    (void)joint;
    carom_vec3 n = axis_of_b(relation), n_rate = crm_cross(rate, n), n_second = crm_cross(rate, n_rate);
    angle_over_sine g = evaluate(n);
    out[0] = -second_rate(g, n.y, n_rate.y, n_second.y, n_rate, n_second);
    out[1] = second_rate(g, n.x, n_rate.x, n_second.x, n_rate, n_second);
}

static void axes(const crm_joint_relation *relation, carom_vec3 *axis) {
    (void)relation;
    axis[0] = crm_vec3(0.0, 0.0, 1.0);
}

// The rotation about z that is nearest to the relation.
static void to_config(const crm_joint_relation *relation, crm_joint_config *config) {
    double angle = 2.0 * atan2(relation->rotation.z, relation->rotation.w);
    config->angle[0] = angle > pi ? angle - 2.0 * pi : angle <= -pi ? angle + 2.0 * pi : angle;
}

static void from_config(const crm_joint_config *config, crm_joint_relation *relation) {
    relation->rotation = crm_quat_from_axis_angle(crm_vec3(0.0, 0.0, 1.0), config->angle[0]);
}

const crm_joint_component crm_joint_hinge = {.blocked = 2,
                                             .free = 1,
                                             .rows = rows,
                                             .curvature = curvature,
                                             .axes = axes,
                                             .to_config = to_config,
                                             .from_config = from_config};

// SPDX-License-Identifier: MIT
// Springs and dampers between bodies by the force at the end of the step (docs/math.md 13.3). With n the unit vector
// from b's point to a's, L their distance and T = k (L - rest) what the spring pulls with,
//
//   along n    r = -h k (L + h u - rest) - h d u
//   across n   r = -h^2 (T / L) u, where T > 0: as a string pulls back; what a spring that pushes bends away by is left
//
// which is the positive part of the second derivative of its energy. A spring of rest length 0 is the same all round.
#include <math.h>

#include "step/implicit/implicit.h"

static carom_vec3 arm_of(crm_point point, const crm_motion *motions) {
    return point.body >= 0 ? crm_quat_rotate(motions[point.body].q, point.at) : crm_vec3_zero();
}

static crm_force_row row_along(carom_vec3 d, carom_vec3 arm_a, carom_vec3 arm_b) {
    return (crm_force_row){.on_a = crm_vec6_of(d, crm_cross(arm_a, d)),
                           .on_b = crm_vec6_of(crm_negate(d), crm_cross(d, arm_b))};
}

// Between the points of a spring at the start of the step.
typedef struct spring_line {
    carom_vec3 n, t[2], arm_a, arm_b;
    double length, tension; // m, N
    bool directed;          // n is its direction
} spring_line;

static spring_line line_of(const crm_spring *spring, const crm_motion *motions) {
    spring_line line = {.arm_a = arm_of(spring->a, motions), .arm_b = arm_of(spring->b, motions)};
    carom_vec3 between = crm_sub(crm_point_position(spring->a, motions), crm_point_position(spring->b, motions));
    line.length = crm_normalise(between, &line.n);
    line.directed = line.length > 0.0;
    if (!line.directed) line.n = crm_vec3(1.0, 0.0, 0.0);
    line.tension = spring->stiffness * (line.length - spring->rest_length);
    crm_tangents(line.n, &line.t[0], &line.t[1]);
    return line;
}

// The row along the line and, with `across` N/m, two across it.
static crm_force_rows rows_of(const crm_spring *spring, const spring_line *line, double across, double step) {
    crm_force_rows out = {.a = spring->a.body, .b = spring->b.body, .most = INFINITY};
    double damping = line->directed ? step * spring->damping : 0.0;
    crm_force_row along = row_along(line->n, line->arm_a, line->arm_b);
    along.impulse = -step * line->tension;
    along.slope = damping + step * step * spring->stiffness;
    along.damping = damping;
    if (along.slope > 0.0) out.row[out.count++] = along;
    for (int i = 0; i < 2 && across > 0.0; i++) {
        out.row[out.count] = row_along(line->t[i], line->arm_a, line->arm_b);
        out.row[out.count++].slope = step * step * across;
    }
    return out;
}

// |e| <= 1.62 t rho, so that 2 k |e|^2 <= 5.3 k t^2 rho^2 (docs/math.md 13.3).
static const double far_rotation = 5.3;

static crm_force_rows rows_about(int body, double stiffness, double step) {
    const carom_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    crm_force_rows out = {.a = body, .b = -1, .most = INFINITY, .count = body >= 0 && stiffness > 0.0 ? 3 : 0};
    for (int k = 0; k < out.count; k++)
        out.row[k] = (crm_force_row){
            .on_a = crm_vec6_of(crm_vec3_zero(), axis[k]), .on_b = crm_vec6_zero(), .slope = step * step * stiffness};
    return out;
}

void crm_spring_forces(const crm_spring *spring, const crm_motion *motions, crm_spring_brake brake, double step,
                       crm_force_rows out[CRM_SPRING_FORCES]) {
    spring_line line = line_of(spring, motions);
    for (int i = 0; i < CRM_SPRING_FORCES; i++) out[i] = (crm_force_rows){.a = -1, .b = -1, .most = INFINITY};
    if (!line.directed && spring->rest_length > 0.0) return; // ends that meet have no line, and it pulls no way
    double k = spring->stiffness, across = line.directed ? fmax(line.tension, 0.0) / line.length : k;
    out[0] = rows_of(spring, &line, brake == CRM_BRAKE_ALL ? k : across, step);
    if (brake == CRM_BRAKE_NONE) return;
    double arm[2] = {crm_length(line.arm_a), crm_length(line.arm_b)}, pull = 0.5 * fabs(line.tension);
    double far = brake == CRM_BRAKE_ALL ? far_rotation * k : 0.0;
    out[1] = rows_about(spring->a.body, (pull + far * arm[0]) * arm[0], step);
    out[2] = rows_about(spring->b.body, (pull + far * arm[1]) * arm[1], step);
}

double crm_spring_energy(const crm_spring *spring, carom_vec3 a, carom_vec3 b) {
    double stretch = crm_distance(a, b) - spring->rest_length;
    return 0.5 * spring->stiffness * stretch * stretch;
}

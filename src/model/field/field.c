// SPDX-License-Identifier: MIT
#include "model/field/field.h"

#include <math.h>

#include "model/field/grid.h"

// ---- an atmosphere

// What drag needs of a place and a velocity: k = density drag_area / 2, kg/m.
typedef struct drag {
    carom_vec3 up, wind; // from the centre, unit; u, the velocity against the atmosphere, m/s
    double k, speed;
} drag;

static drag drag_of(const crm_body *body, const carom_atmosphere_def *a, const crm_motion *m) {
    drag d;
    carom_vec3 r = crm_sub(m->x, a->centre);
    double height = crm_normalise(r, &d.up) - a->radius;
    d.wind = crm_sub(crm_motion_velocity(body, m), crm_cross(a->rotation, r));
    d.speed = crm_length(d.wind);
    d.k = 0.5 * a->density * exp(-height / a->scale_height) * a->drag_area;
    return d;
}

// ---- light

// In the cylinder behind the sphere.
static bool in_shadow(const carom_sunlight_def *s, carom_vec3 at) {
    carom_vec3 r = crm_sub(at, s->centre);
    double behind = crm_dot(r, s->direction);
    return behind > 0.0 && crm_length(crm_madd(r, -behind, s->direction)) < s->shadow_radius;
}

static carom_vec3 light_force(const carom_sunlight_def *s, carom_vec3 at) {
    if (in_shadow(s, at)) return crm_vec3_zero();
    return crm_scale(s->pressure * s->area * (1.0 + s->reflectivity), s->direction);
}

// ---- a rotating frame

// Second moments of the mass, C = (tr I)/2 1 - I, times z: int z.s s dm over the places s from the centre of mass.
static carom_vec3 moments_along_z(const crm_body *body, carom_quat q) {
    carom_vec3 i = body->inertia, z = crm_vec3(0.0, 0.0, 1.0);
    double half = 0.5 * (i.x + i.y + i.z);
    carom_vec3 c = crm_vec3(half - i.x, half - i.y, half - i.z);
    return crm_quat_rotate(q, crm_vec3_mul(c, crm_quat_rotate_inverse(q, z)));
}

// -2 n z x v of every element of mass: a force m 2n (v_y, -v_x, 0) and about the centre of mass the torque
// 2n w x C z, docs/math.md 14.4.
static crm_vec6 coriolis(const crm_body *body, double n, const crm_motion *m) {
    crm_vec6 wrench = crm_vec6_of(crm_vec3(2.0 * n * m->p.y, -2.0 * n * m->p.x, 0.0), crm_vec3_zero());
    if (body->kind == CAROM_BODY_FREE)
        wrench.angular = crm_scale(2.0 * n, crm_cross(crm_motion_spin(body, m), moments_along_z(body, m->q)));
    return wrench;
}

// ---- a grid

// With the derivatives of force and torque by the place.
static crm_vec6 grid_wrench(const crm_grid *grid, carom_vec3 at, carom_mat3 *of_force, carom_mat3 *of_torque) {
    crm_vec6 wrench = crm_vec6_of(crm_grid_vector(grid, grid->force, at, of_force), crm_vec3_zero());
    *of_torque = crm_mat3_zero();
    if (grid->torque != NULL) wrench.angular = crm_grid_vector(grid, grid->torque, at, of_torque);
    return wrench;
}

// ---- all

crm_vec6 crm_field_wrench(const carom_model *model, const crm_field *field, const crm_motion *motion) {
    const crm_body *body = &model->bodies.items[field->body];
    carom_mat3 unused;
    drag d;
    switch (field->kind) {
    case CRM_FIELD_ATMOSPHERE:
        d = drag_of(body, &field->of.atmosphere, motion);
        return crm_vec6_of(crm_scale(-d.k * d.speed, d.wind), crm_vec3_zero());
    case CRM_FIELD_SUNLIGHT:
        return crm_vec6_of(light_force(&field->of.sunlight, motion->x), crm_vec3_zero());
    case CRM_FIELD_GRID:
        return grid_wrench(field->of.grid, motion->x, &unused, &unused);
    case CRM_FIELD_CORIOLIS:
        return coriolis(body, field->of.mean_motion, motion);
    }
    return crm_vec6_zero();
}

bool crm_field_is_passive(const crm_field *field) {
    return field->kind == CRM_FIELD_ATMOSPHERE && crm_length(field->of.atmosphere.rotation) == 0.0;
}

// Adds a 3x3 matrix to rows 0 or 3 and columns 0 or 3.
static void add_block(double *to, int row, int column, carom_mat3 m) {
    const carom_vec3 columns[3] = {m.x, m.y, m.z};
    for (int j = 0; j < 3; j++) {
        double *out = to + row + 6 * (column + j);
        out[0] += columns[j].x, out[1] += columns[j].y, out[2] += columns[j].z;
    }
}

// F = -k |u| u: dF/du = -k (|u| 1 + u u^T/|u|), du/dv = 1, du/dx = -[rotation]x, dk/dx = -k/H up^T.
static void add_atmosphere(const crm_body *body, const carom_atmosphere_def *a, const crm_motion *m, double *stiffness,
                           double *damping) {
    drag d = drag_of(body, a, m);
    carom_mat3 by_wind = crm_mat3_scale(-d.k * d.speed, crm_mat3_identity());
    if (d.speed > 0.0) by_wind = crm_mat3_add(by_wind, crm_outer(crm_scale(-d.k / d.speed, d.wind), d.wind));
    carom_mat3 by_height = crm_outer(crm_scale(d.k * d.speed / a->scale_height, d.wind), d.up);
    add_block(damping, 0, 0, by_wind);
    add_block(stiffness, 0, 0, crm_mat3_sub(by_height, crm_mat3_mul(by_wind, crm_skew(a->rotation))));
}

// C rotates with the body: d(C z) = theta x C z - C (theta x z) = (C [z]x - [C z]x) theta.
static void add_coriolis(const crm_body *body, double n, const crm_motion *m, double *stiffness, double *damping) {
    carom_vec3 z = crm_vec3(0.0, 0.0, 1.0);
    add_block(damping, 0, 0, crm_mat3_scale(-2.0 * n * body->mass, crm_skew(z)));
    if (body->kind != CAROM_BODY_FREE) return;
    carom_vec3 i = body->inertia, cz = moments_along_z(body, m->q);
    double half = 0.5 * (i.x + i.y + i.z);
    carom_mat3 c = crm_congruence_diagonal(crm_quat_to_mat3(m->q), crm_vec3(half - i.x, half - i.y, half - i.z));
    carom_mat3 turned = crm_mat3_sub(crm_mat3_mul(c, crm_skew(z)), crm_skew(cz));
    add_block(damping, 3, 3, crm_mat3_scale(-2.0 * n, crm_skew(cz)));
    add_block(stiffness, 3, 3, crm_mat3_scale(2.0 * n, crm_mat3_mul(crm_skew(crm_motion_spin(body, m)), turned)));
}

void crm_field_add_derivatives(const carom_model *model, const crm_field *field, const crm_motion *motion,
                               double *stiffness, double *damping) {
    const crm_body *body = &model->bodies.items[field->body];
    carom_mat3 gradient, twist;
    switch (field->kind) {
    case CRM_FIELD_ATMOSPHERE:
        add_atmosphere(body, &field->of.atmosphere, motion, stiffness, damping);
        break;
    case CRM_FIELD_SUNLIGHT:
        break;
    case CRM_FIELD_GRID:
        grid_wrench(field->of.grid, motion->x, &gradient, &twist);
        add_block(stiffness, 0, 0, gradient);
        add_block(stiffness, 3, 0, twist);
        break;
    case CRM_FIELD_CORIOLIS:
        add_coriolis(body, field->of.mean_motion, motion, stiffness, damping);
        break;
    }
}

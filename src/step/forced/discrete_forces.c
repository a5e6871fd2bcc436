// SPDX-License-Identifier: MIT
#include "step/forced/discrete_forces.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/method.h"

carom_status crm_discrete_forces_create(const carom_model *model, crm_arena *arena, crm_discrete_forces *forces,
                                        carom_error *error) {
    int bodies = model->bodies.count;
    *forces = (crm_discrete_forces){.model = model, .any = crm_model_has_unpaired_forces(model)};
    if (!forces->any) return CAROM_OK;
    forces->middle = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    forces->rotation = CRM_ARENA_ZEROED(arena, carom_quat, bodies);
    forces->quarter = CRM_ARENA_ZEROED(arena, carom_vec3, bodies);
    forces->wrench = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    forces->active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    forces->passive = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    forces->work = CRM_ARENA_ZEROED(arena, crm_told_work, bodies);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the forces on %d bodies", bodies);
    return crm_force_derivatives_create(model, arena, &forces->slopes, error);
}

// ---- the middle

void crm_discrete_forces_begin(crm_discrete_forces *f, const crm_motion *from, double time, double h) {
    f->from = from;
    f->time = time;
    f->h = h;
    for (int b = 0; b < f->model->bodies.count; b++) {
        f->middle[b] = from[b];
        f->middle[b].p = f->middle[b].l = crm_vec3_zero();
        f->rotation[b] = crm_quat_identity();
        f->quarter[b] = crm_vec3_zero();
    }
    crm_block_matrix_clear(&f->slopes.stiffness); // of another interval
}

void crm_discrete_forces_place(crm_discrete_forces *f, int b, carom_vec3 displacement, carom_quat rotation) {
    const crm_body *body = &f->model->bodies.items[b];
    const crm_motion *from = &f->from[b];
    crm_motion *m = &f->middle[b];
    m->x = crm_madd(from->x, 0.5, displacement);
    m->p = crm_scale(body->mass / f->h, displacement);
    if (body->kind == CAROM_BODY_POINT) return; // its rotation stands for that of a parent
    carom_vec3 a = crm_quat_vector(rotation), ja = crm_mat3_apply(crm_body_inertia(body, from->q), a);
    carom_quat half = crm_quat_normalised((carom_quat){1.0 + rotation.w, a.x, a.y, a.z});
    f->rotation[b] = rotation;
    f->quarter[b] = crm_scale(1.0 / (1.0 + rotation.w), a);
    m->q = crm_quat_mul(half, from->q);
    m->l = crm_scale(2.0 / f->h, crm_madd(crm_cross(a, ja), rotation.w, ja));
}

bool crm_discrete_forces_evaluate(crm_discrete_forces *f) {
    f->answer =
        crm_unpaired_forces_evaluate(f->model, f->time + 0.5 * f->h, f->middle, f->wrench, f->active, f->passive);
    return f->answer.body < 0;
}

double crm_discrete_forces_energy(const crm_discrete_forces *f) {
    return f->any ? crm_unpaired_energy(f->model, f->time + 0.5 * f->h, f->middle) : 0.0;
}

static crm_vec6 end_impulse(const crm_discrete_forces *f, int b, double sign) {
    crm_vec6 w = f->wrench[b];
    w.angular = crm_madd(w.angular, sign, crm_cross(f->quarter[b], w.angular));
    return crm_wrench_projected(f->model->bodies.items[b].kind, crm_vec6_scale(0.5 * f->h, w));
}

crm_vec6 crm_discrete_forces_before(const crm_discrete_forces *f, int b) {
    return end_impulse(f, b, -1.0);
}

crm_vec6 crm_discrete_forces_after(const crm_discrete_forces *f, int b) {
    return end_impulse(f, b, 1.0);
}

// ---- its derivative

// By a small rotation eta of the end: the middle rotates by half eta, its spin changes by spin eta, c by quarter eta.
typedef struct middle_slope {
    carom_mat3 half, spin, quarter;
} middle_slope;

static carom_mat3 inverse_inertia(const crm_body *body, carom_quat q) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_mat3_diagonal(crm_vec3(0.0, 0.0, body->inverse_inertia.z));
    return crm_congruence_diagonal(crm_quat_to_mat3(q), body->inverse_inertia);
}

// Of w = I^-1 l in the middle, where I rotates with it: dw = psi x w - I^-1 (psi x l) + I^-1 dl. Of c = a / (1 + s):
// da = 1/2 (s eta - a x eta), ds = -1/2 a.eta.
static middle_slope slope_of(const crm_discrete_forces *f, int b) {
    const crm_body *body = &f->model->bodies.items[b];
    const crm_motion *m = &f->middle[b];
    if (body->kind == CAROM_BODY_POINT) return (middle_slope){crm_mat3_zero(), crm_mat3_zero(), crm_mat3_zero()};
    carom_vec3 a = crm_quat_vector(f->rotation[b]), c = f->quarter[b], w = crm_motion_spin(body, m);
    double s = f->rotation[b].w;
    carom_mat3 inverse = inverse_inertia(body, m->q);
    carom_mat3 half = crm_mat3_scale(0.5, crm_mat3_sub(crm_mat3_identity(), crm_skew(c)));
    carom_mat3 by_rotation = crm_mat3_sub(crm_mat3_mul(inverse, crm_skew(m->l)), crm_skew(w));
    carom_mat3 kinetic = crm_kinetic_slope(crm_body_inertia(body, f->from[b].q), f->rotation[b], f->h);
    carom_mat3 spin = crm_mat3_add(crm_mat3_mul(by_rotation, half), crm_mat3_mul(inverse, kinetic));
    carom_mat3 by_a = crm_mat3_scale(0.5, crm_mat3_sub(crm_mat3_scale(s, crm_mat3_identity()), crm_skew(a)));
    carom_mat3 quarter = crm_mat3_add(by_a, crm_outer(crm_scale(0.5 / (1.0 + s), a), a));
    return (middle_slope){half, spin, crm_mat3_scale(1.0 / (1.0 + s), quarter)};
}

static carom_mat3 get_quarter(const double *block, int row, int column) {
    const double *m = block + row + 6 * column;
    return crm_mat3_columns(crm_vec3(m[0], m[1], m[2]), crm_vec3(m[6], m[7], m[8]), crm_vec3(m[12], m[13], m[14]));
}

static void put_quarter(double *block, int row, int column, carom_mat3 m) {
    const carom_vec3 columns[3] = {m.x, m.y, m.z};
    for (int j = 0; j < 3; j++) {
        double *out = block + row + 6 * (column + j);
        out[0] = columns[j].x, out[1] = columns[j].y, out[2] = columns[j].z;
    }
}

static bool is_zero(const double *block) {
    for (int k = 0; k < 36; k++)
        if (block[k] != 0.0) return false;
    return true;
}

// block = h/2 [1; 1 - c x] (stiffness [1/2, half] + damping [1/h, spin]), c of the body that the impulse acts on, the
// rest of the one whose end varies.
static void carry_block(const crm_discrete_forces *f, double *block, const double *damping, int row, int column) {
    if (is_zero(block) && is_zero(damping)) return;
    middle_slope slope = slope_of(f, column);
    carom_mat3 out[2][2];
    for (int r = 0; r < 2; r++) {
        carom_mat3 by_place = get_quarter(block, 3 * r, 0), by_rotation = get_quarter(block, 3 * r, 3);
        carom_mat3 by_speed = get_quarter(damping, 3 * r, 0), by_spin = get_quarter(damping, 3 * r, 3);
        out[r][0] = crm_mat3_add(crm_mat3_scale(0.5, by_place), crm_mat3_scale(1.0 / f->h, by_speed));
        out[r][1] = crm_mat3_add(crm_mat3_mul(by_rotation, slope.half), crm_mat3_mul(by_spin, slope.spin));
    }
    carom_mat3 bend = crm_mat3_sub(crm_mat3_identity(), crm_skew(f->quarter[row]));
    for (int k = 0; k < 2; k++) {
        put_quarter(block, 0, 3 * k, crm_mat3_scale(0.5 * f->h, out[0][k]));
        put_quarter(block, 3, 3 * k, crm_mat3_scale(0.5 * f->h, crm_mat3_mul(bend, out[1][k])));
    }
}

// The moment of the start is -c x tau less, which changes with c: by tau x dc.
static void add_bend(const crm_discrete_forces *f, int b, double *block) {
    carom_vec3 tau = f->wrench[b].angular;
    if (crm_length_squared(tau) == 0.0) return;
    carom_mat3 bend = crm_mat3_scale(0.5 * f->h, crm_mat3_mul(crm_skew(tau), slope_of(f, b).quarter));
    put_quarter(block, 3, 3, crm_mat3_add(get_quarter(block, 3, 3), bend));
}

void crm_discrete_forces_differentiate(crm_discrete_forces *f) {
    crm_unpaired_derivatives_evaluate(f->model, f->time + 0.5 * f->h, f->middle, &f->slopes);
    const crm_block_matrix *stiffness = &f->slopes.stiffness, *damping = &f->slopes.damping;
    for (int b = 0; b < f->model->bodies.count; b++) {
        ptrdiff_t at = stiffness->node_block[b];
        if (!crm_body_moves(f->model, b)) continue;
        carry_block(f, stiffness->diagonal + at, damping->diagonal + at, b, b);
        add_bend(f, b, stiffness->diagonal + at);
    }
    for (int e = 0; e < stiffness->graph.edge_count; e++) {
        crm_block_edge edge = stiffness->graph.edge[e];
        ptrdiff_t at = stiffness->edge_block[e];
        if (!crm_body_moves(f->model, edge.row) || !crm_body_moves(f->model, edge.column)) continue;
        carry_block(f, stiffness->edges + at, damping->edges + at, edge.row, edge.column);
        carry_block(f, stiffness->mirror + at, damping->mirror + at, edge.column, edge.row);
    }
}

// ---- what is told

void crm_discrete_forces_clear_work(crm_discrete_forces *f) {
    if (f->any) memset(f->work, 0, (size_t)f->model->bodies.count * sizeof *f->work);
}

static double work_of(const crm_discrete_forces *f, int b, const crm_vec6 *wrench) {
    const crm_body *body = &f->model->bodies.items[b];
    crm_vec6 twist = crm_vec6_of(crm_motion_velocity(body, &f->middle[b]), crm_motion_spin(body, &f->middle[b]));
    return f->h * crm_vec6_dot(*wrench, twist);
}

void crm_discrete_forces_add_work(crm_discrete_forces *f, int b) {
    double passive = work_of(f, b, &f->passive[b]);
    f->work[b].passive += passive;
    f->work[b].active += work_of(f, b, &f->active[b]) - passive;
}

void crm_discrete_forces_refuse(const crm_discrete_forces *f, carom_step_report *report) {
    crm_step_callback_refused(f->model, &f->answer, f->time + 0.5 * f->h, report);
}

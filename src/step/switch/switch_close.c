// SPDX-License-Identifier: MIT
// Closing one joint. With J the rows of all joints of its mechanism, M the masses, t the twists:
//
//   impact       t+ = t - M^-1 J^T (J M^-1 J^T)^-1 J t     at the poses where the frames met: plastic, 1/2 t^T M t falls
//   poses        min d^T M d with all joints closed        repeated; velocities and spins as they are
//   velocities   t+ again at the new poses, then a rotation as one body about the centre of mass, which no joint blocks,
//                that gives back the L that moving the bodies has changed
//
// Impulses of joints act on both bodies at the same point, so that the impact keeps P and L to rounding; the last line
// does so for what it moved. A mechanism that is held by the ground keeps neither.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "math/eigen3.h"
#include "model/force/evaluate.h"
#include "model/mechanism/assemble.h"
#include "step/switch/switch.h"

// What a closing works on, in an arena of its own.
typedef struct closing {
    const carom_model *whole;
    crm_switches *switches;
    crm_arena arena;
    crm_closed_model *closed; // of the joints of its mechanism only
    bool *member;             // bodies that move in it (body_count)
    crm_motion *motions;      // (body_count)
    bool grounded;            // something that cannot move holds it
    bool planar;              // one of its bodies is
} closing;

static bool has_member(const closing *c, int body) {
    return crm_body_moves(c->whole, body) && c->member[body];
}

// ---- its mechanism

// Marks the joints that are closed with it, and the bodies that they connect.
static void find_mechanism(closing *c, int joint, int *forest, bool *only) {
    const carom_model *whole = c->whole;
    for (int b = 0; b < whole->bodies.count; b++) forest[b] = b;
    for (int j = 0; j < whole->joints.count; j++) {
        const crm_joint *of = &whole->joints.items[j];
        bool both = crm_body_moves(whole, of->a.body) && crm_body_moves(whole, of->b.body);
        if (both && c->switches->next[j].status == CRM_SWITCH_CLOSED) crm_forest_join(forest, of->a.body, of->b.body);
    }
    const crm_joint *first = &whole->joints.items[joint];
    int root = crm_forest_root(forest, crm_body_moves(whole, first->a.body) ? first->a.body : first->b.body);
    for (int b = 0; b < whole->bodies.count; b++) {
        c->member[b] = crm_body_moves(whole, b) && crm_forest_root(forest, b) == root;
        c->planar |= c->member[b] && whole->bodies.items[b].kind == CAROM_BODY_PLANAR;
    }
    for (int j = 0; j < whole->joints.count; j++) {
        const crm_joint *of = &whole->joints.items[j];
        only[j] = has_member(c, of->a.body) || has_member(c, of->b.body);
        bool held = !crm_body_moves(whole, of->a.body) || !crm_body_moves(whole, of->b.body);
        c->grounded |= only[j] && held && c->switches->next[j].status == CRM_SWITCH_CLOSED;
    }
}

static carom_status open_closing(carom_state *state, int joint, closing *c, carom_error *error) {
    const carom_model *whole = state->whole;
    int bodies = whole->bodies.count;
    *c = (closing){.whole = whole, .switches = state->switches};
    crm_arena_init(&c->arena, &whole->allocator);
    c->member = CRM_ARENA_ARRAY(&c->arena, bool, bodies);
    c->motions = CRM_ARENA_ARRAY(&c->arena, crm_motion, bodies);
    int *forest = CRM_ARENA_ARRAY(&c->arena, int, bodies);
    bool *only = CRM_ARENA_ARRAY(&c->arena, bool, whole->joints.count);
    if (crm_arena_refused(&c->arena)) return crm_fail_memory(error, "closing a joint", sizeof(crm_motion));
    memcpy(c->motions, c->switches->next_base, (size_t)bodies * sizeof *c->motions);
    find_mechanism(c, joint, forest, only);
    return crm_closed_model_create(whole, c->switches->next, only, &c->closed, error);
}

// ---- its momenta and energies

static double kinetic_energy(const closing *c) {
    double sum = 0.0;
    for (int b = 0; b < c->whole->bodies.count; b++)
        if (c->member[b]) sum += crm_motion_kinetic_energy(&c->whole->bodies.items[b], &c->motions[b]);
    return sum;
}

// About `centre`; `size` gets what the terms add up to.
static carom_vec3 angular_momentum(const closing *c, const crm_motion *motions, carom_vec3 centre, double *size) {
    carom_vec3 sum = crm_vec3_zero();
    *size = 0.0;
    for (int b = 0; b < c->whole->bodies.count; b++) {
        if (!c->member[b]) continue;
        carom_vec3 moment = crm_cross(crm_sub(motions[b].x, centre), motions[b].p);
        sum = crm_add(sum, crm_add(moment, motions[b].l));
        *size += crm_length(moment) + crm_length(motions[b].l);
    }
    return sum;
}

static carom_vec3 momentum(const closing *c, const crm_motion *motions, double *size) {
    carom_vec3 sum = crm_vec3_zero();
    *size = 0.0;
    for (int b = 0; b < c->whole->bodies.count; b++)
        if (c->member[b]) sum = crm_add(sum, motions[b].p), *size += crm_length(motions[b].p);
    return sum;
}

static carom_vec3 centre_of(const closing *c, const crm_motion *motions) {
    carom_vec3 sum = crm_vec3_zero();
    double mass = 0.0;
    for (int b = 0; b < c->whole->bodies.count; b++)
        if (c->member[b]) {
            sum = crm_madd(sum, c->whole->bodies.items[b].mass, motions[b].x);
            mass += c->whole->bodies.items[b].mass;
        }
    return crm_scale(1.0 / mass, sum);
}

static carom_mat3 body_inertia(const crm_body *body, const crm_motion *m) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_mat3_diagonal(crm_vec3(0.0, 0.0, body->inertia.z));
    return crm_mat3_columns(crm_motion_angular_momentum(body, m->q, crm_vec3(1.0, 0.0, 0.0)),
                            crm_motion_angular_momentum(body, m->q, crm_vec3(0.0, 1.0, 0.0)),
                            crm_motion_angular_momentum(body, m->q, crm_vec3(0.0, 0.0, 1.0)));
}

// Of the mechanism as one body about its centre of mass.
static carom_mat3 inertia_of(const closing *c, carom_vec3 centre) {
    carom_mat3 sum = crm_mat3_zero();
    for (int b = 0; b < c->whole->bodies.count; b++) {
        if (!c->member[b]) continue;
        const crm_body *body = &c->whole->bodies.items[b];
        carom_mat3 arm = crm_skew(crm_sub(c->motions[b].x, centre));
        sum = crm_mat3_add(sum, crm_mat3_add(body_inertia(body, &c->motions[b]),
                                             crm_mat3_scale(body->mass, crm_mat3_mul_tn(arm, arm))));
    }
    return sum;
}

// The spin whose angular momentum this is; none about axes that nothing can rotate about.
static carom_vec3 spin_of(carom_mat3 inertia, carom_vec3 l, bool planar) {
    const double nothing = 1e-12;
    if (planar) return crm_vec3(0.0, 0.0, inertia.z.z > 0.0 ? l.z / inertia.z.z : 0.0);
    carom_vec3 values, along, spin = crm_vec3_zero();
    carom_mat3 axes;
    if (!crm_eigen3(inertia, &values, &axes)) return spin;
    along = crm_mat3_apply_t(axes, l);
    for (int k = 0; k < 3; k++) {
        double value = crm_component(values, k);
        if (value > nothing * values.z) spin = crm_with_component(spin, k, crm_component(along, k) / value);
    }
    return crm_mat3_apply(axes, spin);
}

// Rotates the mechanism as one body so that its angular momentum is `wanted` again.
static void give_back(closing *c, const crm_motion *before, carom_vec3 centre) {
    double size;
    carom_vec3 wanted = angular_momentum(c, before, centre, &size);
    carom_vec3 lacking = crm_sub(wanted, angular_momentum(c, c->motions, centre, &size));
    carom_vec3 now = centre_of(c, c->motions), spin = spin_of(inertia_of(c, now), lacking, c->planar);
    for (int b = 0; b < c->whole->bodies.count; b++) {
        if (!c->member[b]) continue;
        const crm_body *body = &c->whole->bodies.items[b];
        crm_motion *m = &c->motions[b];
        carom_vec3 velocity = crm_cross(spin, crm_sub(m->x, now));
        m->p = crm_madd(m->p, body->mass, velocity);
        m->l = crm_add(m->l, crm_motion_angular_momentum(body, m->q, spin));
    }
}

// How much P and L have changed, relative to their terms.
static double imbalance(const closing *c, const crm_motion *before) {
    double size[4];
    carom_vec3 centre = centre_of(c, before);
    double linear = crm_distance(momentum(c, before, &size[0]), momentum(c, c->motions, &size[1]));
    double angular =
        crm_distance(angular_momentum(c, before, centre, &size[2]), angular_momentum(c, c->motions, centre, &size[3]));
    double linear_size = fmax(size[0], size[1]), angular_size = fmax(size[2], size[3]);
    return fmax(linear_size > 0.0 ? linear / linear_size : 0.0, angular_size > 0.0 ? angular / angular_size : 0.0);
}

// ---- the closing

static carom_status close_mechanism(closing *c, carom_joint_event *event, double *balance, carom_error *error) {
    const crm_motion *before = c->switches->next_base;
    crm_joint_projection projection;
    carom_status status = crm_joint_projection_create(&c->closed->model, &c->arena, &projection, error);
    if (status != CAROM_OK) return status;
    projection.system.factor.interrupt = c->whole->interrupt;
    double kinetic = kinetic_energy(c);
    int iterations;
    status = crm_assemble_velocities(&projection, c->motions, error);
    event->impact_energy = kinetic_energy(c) - kinetic;
    for (int b = 0; b < c->whole->bodies.count; b++)
        if (c->member[b]) event->impulse = fmax(event->impulse, crm_distance(c->motions[b].p, before[b].p));
    if (status == CAROM_OK) status = crm_assemble_poses(&projection, c->motions, &iterations, error);
    // To the last digit: methods that put links where coordinates say would move them by the rest.
    if (status == CAROM_OK) crm_joint_projection_move(&projection, c->motions);
    if (status == CAROM_OK) status = crm_assemble_velocities(&projection, c->motions, error);
    if (status != CAROM_OK || c->grounded) return status;
    give_back(c, before, centre_of(c, before));
    *balance = fmax(*balance, imbalance(c, before));
    return CAROM_OK;
}

static double potential_energy(const carom_state *state, const crm_motion *motions) {
    return crm_energy(state->model, carom_state_time(state), motions, state->configs).potential;
}

// Takes the members over, and tells what moving them has added: all but what the impact has taken.
static void take_over(carom_state *state, closing *c, double kinetic, carom_joint_event *event) {
    crm_motion *base = c->switches->next_base;
    double energy = kinetic + event->impact_energy + potential_energy(state, base);
    for (int b = 0; b < c->whole->bodies.count; b++) {
        if (!c->member[b]) continue;
        event->moved = fmax(event->moved, crm_distance(base[b].x, c->motions[b].x));
        event->rotated = fmax(event->rotated, crm_quat_angle(base[b].q, c->motions[b].q));
        base[b] = c->motions[b];
    }
    event->projection_energy = kinetic_energy(c) + potential_energy(state, base) - energy;
}

carom_status crm_switch_close(carom_state *state, int joint, carom_joint_event *event, double *momentum_balance,
                              carom_error *error) {
    crm_joint_switch *at = &state->switches->next[joint], before = *at;
    closing c;
    at->status = CRM_SWITCH_CLOSED;
    carom_status status = open_closing(state, joint, &c, error);
    double kinetic = status == CAROM_OK ? kinetic_energy(&c) : 0.0;
    if (status == CAROM_OK) status = close_mechanism(&c, event, momentum_balance, error);
    if (status == CAROM_OK)
        take_over(state, &c, kinetic, event);
    else
        *at = before;
    crm_closed_model_destroy(c.closed);
    crm_arena_free(&c.arena);
    return status;
}

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
#include "model/body_groups.h"
#include "model/force/evaluate.h"
#include "model/mechanism/assemble.h"
#include "model/mechanism/whole.h"
#include "step/switch/switch.h"

// What a closing works on, in an arena of its own.
typedef struct closing {
    const carom_model *whole;
    crm_switches *switches;
    crm_arena arena;
    crm_closed_model *closed; // of the joints of its mechanism only
    int *body;                // that move in it
    int count;                // of these
    crm_motion *motions;      // (body_count)
    bool grounded;            // something that cannot move holds it
} closing;

// ---- its mechanism

// Joins what the joints connect that are closed with it.
static void join_bodies(const closing *c, int *forest) {
    const carom_model *whole = c->whole;
    for (int b = 0; b < whole->bodies.count; b++) forest[b] = b;
    for (int j = 0; j < whole->joints.count; j++)
        if (c->switches->next[j].status == CRM_SWITCH_CLOSED)
            crm_body_groups_join(whole, forest, whole->joints.items[j].a.body, whole->joints.items[j].b.body);
}

// Lists the bodies that hang on the joint, and marks their joints.
static void find_mechanism(closing *c, int joint, int *forest, bool *only) {
    const carom_model *whole = c->whole;
    const crm_joint *first = &whole->joints.items[joint];
    join_bodies(c, forest);
    int root = crm_forest_root(forest, crm_body_moves(whole, first->a.body) ? first->a.body : first->b.body);
    for (int b = 0; b < whole->bodies.count; b++)
        if (crm_body_moves(whole, b) && crm_forest_root(forest, b) == root) c->body[c->count++] = b;
    for (int j = 0; j < whole->joints.count; j++) {
        const crm_joint *of = &whole->joints.items[j];
        bool a = crm_body_moves(whole, of->a.body), b = crm_body_moves(whole, of->b.body);
        only[j] = crm_forest_root(forest, a ? of->a.body : of->b.body) == root;
        c->grounded |= only[j] && !(a && b) && c->switches->next[j].status == CRM_SWITCH_CLOSED;
    }
}

static carom_status open_closing(carom_state *state, int joint, closing *c, carom_error *error) {
    const carom_model *whole = state->whole;
    int bodies = whole->bodies.count;
    *c = (closing){.whole = whole, .switches = state->switches};
    crm_arena_init(&c->arena, &whole->allocator);
    c->body = CRM_ARENA_ARRAY(&c->arena, int, bodies);
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
    for (int i = 0; i < c->count; i++)
        sum += crm_motion_kinetic_energy(&c->whole->bodies.items[c->body[i]], &c->motions[c->body[i]]);
    return sum;
}

typedef struct momenta {
    carom_vec3 linear, angular;       // the latter about a centre
    double linear_size, angular_size; // what the terms add up to
} momenta;

static momenta momenta_of(const closing *c, const crm_motion *motions, carom_vec3 centre) {
    momenta sum = {.linear_size = 0.0};
    for (int i = 0; i < c->count; i++) {
        const crm_motion *m = &motions[c->body[i]];
        carom_vec3 moment = crm_cross(crm_sub(m->x, centre), m->p);
        sum.linear = crm_add(sum.linear, m->p);
        sum.angular = crm_add(sum.angular, crm_add(moment, m->l));
        sum.linear_size += crm_length(m->p);
        sum.angular_size += crm_length(moment) + crm_length(m->l);
    }
    return sum;
}

// The spin whose angular momentum this is; none about axes that nothing can rotate about.
static carom_vec3 spin_of(const crm_whole *all, carom_vec3 l) {
    const double nothing = 1e-12;
    carom_vec3 values, spin = crm_vec3_zero();
    carom_mat3 axes;
    if (all->planar) return crm_vec3(0.0, 0.0, all->inertia.z.z > 0.0 ? l.z / all->inertia.z.z : 0.0);
    if (!crm_eigen3(all->inertia, &values, &axes)) return spin;
    carom_vec3 along = crm_mat3_apply_t(axes, l);
    for (int k = 0; k < 3; k++) {
        double value = crm_component(values, k);
        if (value > nothing * values.z) spin = crm_with_component(spin, k, crm_component(along, k) / value);
    }
    return crm_mat3_apply(axes, spin);
}

// Rotates the mechanism as one body so that its angular momentum is what it was.
static void give_back(closing *c, const crm_motion *before) {
    const crm_whole all = crm_whole_of(c->whole, c->body, c->count, c->motions);
    momenta was = momenta_of(c, before, all.centre), is = momenta_of(c, c->motions, all.centre);
    carom_vec3 spin = spin_of(&all, crm_sub(was.angular, is.angular));
    for (int i = 0; i < c->count; i++) {
        const crm_body *body = &c->whole->bodies.items[c->body[i]];
        crm_motion *m = &c->motions[c->body[i]];
        m->p = crm_madd(m->p, body->mass, crm_cross(spin, crm_sub(m->x, all.centre)));
        m->l = crm_add(m->l, crm_motion_angular_momentum(body, m->q, spin));
    }
}

static double share_of(carom_vec3 was, carom_vec3 is, double size) {
    return size > 0.0 ? crm_distance(was, is) / size : 0.0;
}

// How much P and L have changed, relative to their terms.
static double imbalance(const closing *c, const crm_motion *before) {
    carom_vec3 centre = crm_whole_of(c->whole, c->body, c->count, before).centre;
    momenta was = momenta_of(c, before, centre), is = momenta_of(c, c->motions, centre);
    return fmax(share_of(was.linear, is.linear, fmax(was.linear_size, is.linear_size)),
                share_of(was.angular, is.angular, fmax(was.angular_size, is.angular_size)));
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
    for (int i = 0; i < c->count; i++)
        event->impulse = fmax(event->impulse, crm_distance(c->motions[c->body[i]].p, before[c->body[i]].p));
    if (status == CAROM_OK) status = crm_assemble_poses(&projection, c->motions, &iterations, error);
    // To the last digit: methods that put links where coordinates say would move them by the rest.
    if (status == CAROM_OK) crm_joint_projection_move(&projection, c->motions);
    if (status == CAROM_OK) status = crm_assemble_velocities(&projection, c->motions, error);
    if (status != CAROM_OK || c->grounded) return status;
    give_back(c, before);
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
    for (int i = 0; i < c->count; i++) {
        int b = c->body[i];
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

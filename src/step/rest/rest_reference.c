// SPDX-License-Identifier: MIT
// Which islands come to rest, and what is kept of them: poses, velocities, sums of impulses, and how much rows and
// velocities can change with the poses (docs/math.md 6.11). Only islands all of whose bodies hardly moved in the step
// are looked at, so that what moves costs a comparison a body.
#include <math.h>
#include <string.h>

#include "step/rest/rest.h"

// A reference is worth its price when the bound of the next step is at most this share of the tolerance.
static const double entering_share = 0.8;

// What rows that change do to s |r|, against what they do to velocities: s is a third of the squares of three rows, or
// the square of one (docs/math.md 6.11).
static const double cone_weight = 2.0, row_weight = 6.0;

// ---- islands of bodies that stand still

enum { MOVES = -1 }; // rest->parent of bodies that do, or cannot move, or rest already

static int root_of(int *parent, int body) {
    while (parent[body] != body) body = parent[body] = parent[parent[body]];
    return body;
}

static double speed_of(crm_vec6 twist, double radius) {
    return crm_length(twist.linear) + radius * crm_length(twist.angular);
}

static crm_vec6 gained(const carom_state *state, const crm_velocity_step *motion, int body) {
    crm_vec6 before = crm_twist_of(state->model, state->motions, body), after = motion->free[body];
    return crm_vec6_of(crm_sub(after.linear, before.linear), crm_sub(after.angular, before.angular));
}

// How far a body is from its reference after one more step: what the bound of that step is foretold from.
static crm_rest_motion next_motion(const carom_state *state, const crm_velocity_step *motion, int body, double radius) {
    crm_vec6 twist = motion->free[body];
    double h = state->method.step, speed = speed_of(twist, radius), spin = crm_length(twist.angular);
    double change = speed_of(gained(state, motion, body), radius);
    return (crm_rest_motion){
        h * speed, h * spin, change, spin, speed + change, speed, crm_length(state->motions[body].x)};
}

static bool stands(const carom_state *state, const crm_velocity_step *motion, const crm_rest *rest, int body) {
    double velocity = crm_rest_velocity(&rest->scale, crm_length(state->motions[body].x));
    double most = entering_share * rest->scale.tolerance * velocity;
    if (rest->resting[body] || rest->jointed[body] || !(rest->radius[body] > 0.0)) return false;
    return 2.0 * speed_of(motion->free[body], rest->radius[body]) <= most &&
           2.0 * speed_of(gained(state, motion, body), rest->radius[body]) <= most;
}

static int find_standing(const carom_state *state, const crm_velocity_step *motion, crm_rest *rest) {
    int count = 0;
    for (int b = 0; b < rest->model->bodies.count; b++) {
        bool is = stands(state, motion, rest, b);
        rest->parent[b] = is ? b : MOVES;
        count += is;
    }
    return count;
}

// Bodies of the problem's slots; MOVES for none.
static int body_of(const crm_rest_solved *solved, int slot) {
    return slot >= 0 ? solved->body_of[slot] : MOVES;
}

// Joins bodies in contact; islands with one that moves are left out.
static void join(const crm_rest_solved *solved, crm_rest *rest) {
    int *parent = rest->parent;
    for (int c = 0; c < solved->count; c++) {
        int a = body_of(solved, solved->contacts[c].a), b = body_of(solved, solved->contacts[c].b);
        if (a < 0 || b < 0 || parent[a] == MOVES || parent[b] == MOVES) continue;
        int root_a = root_of(parent, a), root_b = root_of(parent, b);
        if (root_a < root_b)
            parent[root_b] = root_a;
        else
            parent[root_a] = root_b;
    }
}

static void leave_out(crm_rest *rest, int root) {
    rest->next[root].residual = INFINITY;
}

static void leave_out_neighbours(const crm_rest_solved *solved, crm_rest *rest) {
    for (int c = 0; c < solved->count; c++) {
        int a = body_of(solved, solved->contacts[c].a), b = body_of(solved, solved->contacts[c].b);
        if (a < 0 || b < 0 || (rest->parent[a] == MOVES) == (rest->parent[b] == MOVES)) continue;
        leave_out(rest, root_of(rest->parent, rest->parent[a] == MOVES ? b : a));
    }
}

// ---- what rows are

// k^2: all three rows of a contact on a body in velocities of unit mass, squared and summed.
static double square_on(const crm_rigid_body *body, carom_vec3 arm) {
    double sum = crm_length_squared(body->linear);
    for (int f = 0; f < 3; f++) sum += crm_length_squared(crm_cross(body->angular[f], arm));
    return sum;
}

// The root of the largest inverse moment of inertia.
static double compliance_of(const crm_rigid_body *body) {
    double largest = 0.0;
    for (int f = 0; f < 3; f++) largest = fmax(largest, crm_length_squared(body->angular[f]));
    return sqrt(largest);
}

// The offset that the gap of a contact has without restitution.
static double gap_offset(const crm_rest_solved *solved, const crm_contact_site *site, double h) {
    double gap = site->gap - solved->barrier;
    return gap > 0.0 ? gap / h : fmax(solved->gamma * gap / h, -solved->push_out);
}

// ---- sums

// Adds a contact to its island and to the sums of its bodies.
static void add_contact(const crm_rest_solved *solved, int c, int root, crm_rest *rest) {
    const crm_rigid_contact *contact = &solved->contacts[c];
    const crm_contact_site *site = &solved->sites[c];
    const double *r = solved->impulse + 3 * (ptrdiff_t)c;
    crm_rest_island *island = &rest->next[root];
    const int slot[2] = {contact->a, contact->b};
    const carom_vec3 arm[2] = {contact->arm_a, contact->arm_b};
    double square = 0.0, pressure = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
    for (int k = 0; k < 2; k++)
        if (slot[k] >= 0) square += square_on(&solved->bodies[slot[k]], arm[k]);
    rest->row_length.items[c] = sqrt(square);
    for (int k = 0; k < 2; k++) {
        if (slot[k] < 0) continue;
        int body = solved->body_of[slot[k]];
        rest->pressure[body] += pressure;
        rest->press[body] += sqrt(square) * pressure;
        rest->arm[body] = fmax(rest->arm[body], crm_length(arm[k]) + fabs(site->gap));
    }
    const crm_rigid_island *of = &solved->report->island[solved->report->island_of_contact[c]];
    island->residual = fmax(island->residual, of->residual);
    island->weight = fmax(island->weight, contact->friction > 0.0 ? cone_weight : row_weight);
    island->friction = fmax(island->friction, contact->friction);
    island->restitution = fmax(island->restitution, site->restitution);
    if (!(site->restitution > 0.0 && r[0] > 0.0)) return;
    // Either offset may come in place of the other.
    double switched = gap_offset(solved, site, rest->scale.step) - contact->offset;
    island->rebound = fmax(island->rebound, fmax(fabs(switched), fabs(contact->offset)));
}

// What the rows of a contact can change, when all sums are there.
static void add_changes(const crm_rest_solved *solved, int c, crm_rest_island *island, const crm_rest *rest) {
    const crm_rigid_contact *contact = &solved->contacts[c];
    const int slot[2] = {contact->a, contact->b};
    double length = rest->row_length.items[c], press = 0.0, torque = 0.0, square = 0.0, mobility = 0.0;
    for (int k = 0; k < 2; k++) {
        if (slot[k] < 0) continue;
        double compliance = compliance_of(&solved->bodies[slot[k]]);
        int body = solved->body_of[slot[k]];
        press += rest->press[body];
        torque += compliance * rest->pressure[body];
        square += compliance * compliance;
        mobility += solved->bodies[slot[k]].linear.x * solved->bodies[slot[k]].linear.x;
    }
    island->rotate = fmax(island->rotate, length * press);
    island->shift = fmax(island->shift, length * torque);
    island->sway = fmax(island->sway, sqrt(2.0 * square / mobility));
    island->stretch = fmax(island->stretch, length / sqrt(mobility));
}

// The island of a contact of bodies that stand; below 0: it is of others.
static int island_of(const crm_rest_solved *solved, int c, const crm_rest *rest) {
    int a = body_of(solved, solved->contacts[c].a), b = body_of(solved, solved->contacts[c].b), body = a < 0 ? b : a;
    if (body < 0 || rest->parent[body] == MOVES) return -1;
    int root = root_of(rest->parent, body);
    return rest->next[root].residual < INFINITY ? root : -1;
}

static bool sum_contacts(const crm_rest_solved *solved, crm_rest *rest) {
    if (!CRM_ARRAY_RESIZE(&rest->model->allocator, &rest->row_length, solved->count)) return false;
    for (int c = 0; c < solved->count; c++) {
        int root = island_of(solved, c, rest);
        if (root >= 0) add_contact(solved, c, root, rest);
    }
    for (int c = 0; c < solved->count; c++) {
        int root = island_of(solved, c, rest);
        if (root >= 0) add_changes(solved, c, &rest->next[root], rest);
    }
    return true;
}

// ---- references

static void begin_sums(crm_rest *rest) {
    for (int b = 0; b < rest->model->bodies.count; b++) {
        rest->next[b] = (crm_rest_island){.radius = INFINITY};
        rest->motion[b] = (crm_rest_motion){0};
        rest->pressure[b] = rest->press[b] = 0.0;
        rest->arm[b] = rest->radius[b];
    }
}

static void sum_bodies(const carom_state *state, const crm_velocity_step *motion, crm_rest *rest) {
    for (int b = 0; b < rest->model->bodies.count; b++) {
        if (rest->parent[b] == MOVES) continue;
        int root = root_of(rest->parent, b);
        crm_rest_motion of = next_motion(state, motion, b, rest->arm[b]);
        crm_rest_island *island = &rest->next[root];
        rest->motion[root] = crm_rest_motion_join(&rest->motion[root], &of);
        island->radius = fmin(island->radius, rest->radius[b]);
        island->speed = rest->motion[root].speed;
    }
}

static void take_reference(const carom_state *state, const crm_velocity_step *motion, int body, int root,
                           crm_rest *rest) {
    const crm_motion *at = &state->motions[body];
    rest->bodies[body] = (crm_rest_body){.x = at->x,
                                         .q = at->q,
                                         .velocity = motion->free[body],
                                         .impulse = motion->change[body],
                                         .radius = rest->arm[body],
                                         .island = root + 1};
    rest->resting[body] = true;
    rest->awake--;
    rest->count++;
}

bool crm_rest_enter(const carom_state *state, const crm_velocity_step *motion, const crm_rest_solved *solved,
                    crm_rest *rest) {
    if (rest->model == NULL || rest->awake == 0 || find_standing(state, motion, rest) == 0) return true;
    begin_sums(rest);
    join(solved, rest);
    leave_out_neighbours(solved, rest);
    if (!sum_contacts(solved, rest)) return false;
    sum_bodies(state, motion, rest);
    double most = entering_share * rest->scale.tolerance;
    for (int b = 0; b < rest->model->bodies.count; b++) {
        if (rest->parent[b] == MOVES) continue;
        int root = root_of(rest->parent, b); // not above b: islands are decided when their first body comes
        if (root == b && !(crm_rest_bound(&rest->next[b], &rest->motion[b], &rest->scale) <= most)) leave_out(rest, b);
        if (!(rest->next[root].residual < INFINITY)) continue;
        if (root == b) rest->islands[b] = rest->next[b];
        take_reference(state, motion, b, root, rest);
    }
    return true;
}

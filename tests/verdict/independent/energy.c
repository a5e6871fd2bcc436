// SPDX-License-Identifier: MIT
// Energy of every island from poses and velocities: B = E less the work of motors and wrenches. Nothing that is left
// (gravity, springs, charges, contacts, joints, drag, dampers) can make B rise.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "verdict/independent/independent.h"

static const double most_gain = 0.05;      // of S, over the run
static const double most_step_gain = 0.02; // of S, in a step
static const double most_loss = 0.2;       // of S, where nothing takes energy

typedef struct island_energy {
    double kinetic, potential;           // of the frame
    double work;                         // of what drives it, from the start on
    double contact_work;                 // of contacts, from the start on
    double first, lowest, highest, last; // B
    double largest_kinetic, least_potential, most_potential, weight;
    double rise, step_rise, fall;
} island_energy;

static carom_vec3 wrench_force(const physics_wrench *w, const carom_body_state *frame, carom_vec3 v) {
    return w->in_body_axes ? crm_quat_rotate(frame[w->body].attitude, v) : v;
}

static void add_bodies(const followed_run *run, const physics *p, const carom_body_state *frame, island_energy *e) {
    for (int i = 0; i < run->bodies; i++) {
        if (!can_move(p, i)) continue;
        island_energy *own = &e[p->island[i]];
        carom_vec3 v = centre_velocity_of(p, frame, i);
        carom_vec3 w = crm_quat_rotate_inverse(frame[i].attitude, frame[i].spin);
        double rotation = p->body[i].kind == CAROM_BODY_POINT ? 0.0 : crm_dot(w, crm_mat3_apply(p->body[i].inertia, w));
        if (!p->fluid) own->kinetic += 0.5 * (p->body[i].mass * crm_dot(v, v) + rotation);
        own->potential -= p->body[i].mass * crm_dot(p->gravity, centre_of(p, frame, i));
    }
}

static island_energy *island_of(const physics *p, island_energy *e, int a, int b) {
    return can_move(p, a) ? &e[p->island[a]] : can_move(p, b) ? &e[p->island[b]] : NULL;
}

static void add_pairs(const physics *p, const carom_body_state *frame, island_energy *e) {
    for (int i = 0; i < p->spring_count; i++) {
        const physics_spring *s = &p->spring[i];
        island_energy *own = island_of(p, e, s->a, s->b);
        double length = crm_distance(place_of(frame, s->a, s->point_a), place_of(frame, s->b, s->point_b));
        if (own != NULL) own->potential += 0.5 * s->stiffness * (length - s->rest_length) * (length - s->rest_length);
    }
    for (int i = 0; i < p->charge_count; i++)
        for (int k = 0; k < i; k++) {
            const physics_charge *a = &p->charge[i], *b = &p->charge[k];
            island_energy *own = island_of(p, e, a->body, b->body);
            if (own == NULL || a->body == b->body) continue;
            double r = crm_distance(place_of(frame, a->body, a->point), place_of(frame, b->body, b->point));
            own->potential += p->coulomb * a->charge * b->charge / r;
        }
}

// A position motor of a target at rest is a spring with a damper; its bound and what is fed forward make it a drive.
static bool is_spring(const carom_motor_def *m) {
    return m->kind == CAROM_MOTOR_POSITION && isinf(m->max_force) && m->target_rate == 0.0 && m->force == 0.0;
}

static void add_joints(const followed_run *run, const physics *p, const carom_joint_state *joints, island_energy *e) {
    for (int i = 0; i < run->joints; i++) {
        island_energy *own = island_of(p, e, p->joint[i].a.index, p->joint[i].b.index);
        for (int k = 0; own != NULL && k < joints[i].coordinate_count; k++) {
            const carom_coordinate_def *q = &p->joint[i].coordinate[k];
            double off = joints[i].coordinate[k] - q->rest, missing = joints[i].coordinate[k] - q->motor.target;
            own->potential += 0.5 * q->stiffness * off * off;
            if (is_spring(&q->motor)) own->potential += 0.5 * q->motor.stiffness * missing * missing;
        }
    }
}

static double motor_force(const carom_motor_def *m, double coordinate, double rate) {
    double force = m->force;
    if (m->kind == CAROM_MOTOR_POSITION)
        force += m->stiffness * (m->target - coordinate) + m->damping * (m->target_rate - rate);
    return fmax(-m->max_force, fmin(m->max_force, force));
}

// Work of a velocity motor on the only coordinate of a hinge or slider: the joint's mean force along A's z axis.
static double velocity_motor_work(const followed_run *run, const physics *p, int64_t frame, int joint) {
    const carom_joint_def *def = &p->joint[joint];
    const carom_joint_state *before = &joints_of(run, frame - 1)[joint], *after = &joints_of(run, frame)[joint];
    carom_vec3 axis = crm_quat_rotate(def->attitude_a, crm_vec3(0, 0, 1));
    if (def->a.index >= 0) axis = crm_quat_rotate(frame_of(run, frame - 1)[def->a.index].attitude, axis);
    carom_vec3 force = def->linear_free == 1 ? after->force : after->torque;
    return crm_dot(force, axis) * 0.5 * (before->rate[0] + after->rate[0]) * run->method->step;
}

static void add_work(const followed_run *run, const physics *p, int64_t i, island_energy *e) {
    const carom_body_state *before = frame_of(run, i - 1), *after = frame_of(run, i);
    for (int k = 0; k < p->wrench_count; k++) {
        const physics_wrench *w = &p->wrench[k];
        if (!can_move(p, w->body)) continue;
        carom_vec3 way = crm_sub(place_of(after, w->body, w->point), place_of(before, w->body, w->point));
        carom_vec3 spin = crm_scale(0.5 * run->method->step, crm_add(before[w->body].spin, after[w->body].spin));
        carom_vec3 force = crm_add(wrench_force(w, before, w->force), wrench_force(w, after, w->force));
        carom_vec3 torque = crm_add(wrench_force(w, before, w->torque), wrench_force(w, after, w->torque));
        e[p->island[w->body]].work += 0.5 * (crm_dot(force, way) + crm_dot(torque, spin));
    }
    for (int k = 0; k < run->joints; k++) {
        const carom_joint_def *def = &p->joint[k];
        island_energy *own = island_of(p, e, def->a.index, def->b.index);
        const carom_joint_state *a = &joints_of(run, i - 1)[k], *b = &joints_of(run, i)[k];
        for (int q = 0; own != NULL && q < a->coordinate_count; q++) {
            const carom_motor_def *m = &def->coordinate[q].motor;
            if (m->kind == CAROM_MOTOR_NONE || is_spring(m)) continue;
            if (m->kind == CAROM_MOTOR_VELOCITY) {
                own->work += velocity_motor_work(run, p, i, k);
                continue;
            }
            double force =
                0.5 * (motor_force(m, a->coordinate[q], a->rate[q]) + motor_force(m, b->coordinate[q], b->rate[q]));
            own->work += force * (b->coordinate[q] - a->coordinate[q]);
        }
    }
}

// Of contacts that take energy: impulse times the mean of the velocities before and after, with the arms of the start
// of the step. Elastic ones only rub.
static bool add_contact_work(const followed_run *run, const physics *p, int64_t i, island_energy *e) {
    int64_t count;
    const carom_contact_state *contacts = contacts_of(run, i, &count);
    const carom_body_state *before = frame_of(run, i - 1);
    bool touched = false;
    for (int64_t k = 0; k < count; k++) {
        const carom_contact_state *c = &contacts[k];
        island_energy *own = island_of(p, e, c->a.index, c->b.index);
        if (own == NULL || c->normal_impulse == 0.0) continue;
        touched = true;
        carom_vec3 u = crm_sub(velocity_at(before, c->b.index, c->point), velocity_at(before, c->a.index, c->point));
        carom_vec3 second = crm_cross(c->normal, c->tangent);
        double normal = 0.5 * (crm_dot(u, c->normal) + c->normal_velocity) * c->normal_impulse;
        if (material_of(run, p, c).restitution == 1.0) normal = 0.0;
        double along = 0.5 * (crm_dot(u, c->tangent) + c->slip[0]) * c->tangent_impulse[0];
        double across = 0.5 * (crm_dot(u, second) + c->slip[1]) * c->tangent_impulse[1];
        own->contact_work += normal + along + across;
    }
    return touched;
}

static void note_scale(island_energy *e) {
    e->largest_kinetic = fmax(e->largest_kinetic, e->kinetic);
    e->least_potential = fmin(e->least_potential, e->potential);
    e->most_potential = fmax(e->most_potential, e->potential);
}

// Contact by springs keeps energy that is not seen from without: then B is compared with its first value only.
static void note_balance(island_energy *e, bool by_springs, bool touched) {
    double b = e->kinetic + e->potential - e->work;
    double from = by_springs ? e->first : e->lowest;
    e->rise = fmax(e->rise, b - from);
    if (!by_springs) e->step_rise = fmax(e->step_rise, b - e->last);
    double without = b - e->contact_work;
    if (!by_springs || !touched) e->fall = fmax(e->fall, e->highest - without);
    e->highest = fmax(e->highest, without);
    e->lowest = fmin(e->lowest, b);
    e->last = b;
}

// Whether contacts may have taken energy that `contact_work` does not have.
static bool contacts_dissipate(const followed_run *run, const physics *p) {
    carom_method method = run->method->method;
    if (method == CAROM_METHOD_LCP || method == CAROM_METHOD_EXACT || method == CAROM_METHOD_POTENTIAL) return false;
    for (int64_t i = 0; i < run->contact_end[run->frames - 1]; i++) {
        const carom_contact_state *c = &run->contact[i];
        pair_material material = material_of(run, p, c);
        if (c->normal_impulse != 0.0 && (material.friction > 0.0 || material.restitution < 1.0)) return true;
    }
    return false;
}

static island_energy *energies(const followed_run *run, const physics *p) {
    island_energy *e = calloc((size_t)p->island_count + 1, sizeof *e);
    assert_non_null(e);
    for (int i = 0; i < run->bodies; i++)
        if (can_move(p, i)) e[p->island[i]].weight += p->body[i].mass * crm_length(p->gravity) * p->size[i];
    bool by_springs = has_contact_springs(run->method->method);
    for (int64_t i = 0; i < run->frames; i++) {
        for (int k = 0; k < p->island_count; k++) e[k].kinetic = e[k].potential = 0.0;
        const carom_body_state *frame = frame_of(run, i);
        add_bodies(run, p, frame, e);
        add_pairs(p, frame, e);
        add_joints(run, p, joints_of(run, i), e);
        if (i > 0) add_work(run, p, i, e);
        bool touched = i > 0 && add_contact_work(run, p, i, e);
        for (int k = 0; k < p->island_count; k++) {
            if (i == 0) {
                e[k].first = e[k].lowest = e[k].highest = e[k].last = e[k].kinetic + e[k].potential;
                e[k].least_potential = e[k].most_potential = e[k].potential;
            }
            if (run->method->method != CAROM_METHOD_LCP) e[k].contact_work = 0.0;
            note_scale(&e[k]);
            note_balance(&e[k], by_springs, touched);
        }
    }
    return e;
}

static double scale_of(const island_energy *e) {
    return e->largest_kinetic + (e->most_potential - e->least_potential) + 1e-3 * e->weight;
}

// Work of a velocity motor is known from the ends of steps only where little happens in between.
static bool work_is_known(const followed_run *run, const physics *p) {
    for (int i = 0; i < run->joints; i++)
        for (int k = 0; k < CAROM_JOINT_MOST_COORDINATES; k++) {
            const carom_motor_def *m = &p->joint[i].coordinate[k].motor;
            if (m->kind == CAROM_MOTOR_VELOCITY && fabs(m->target_rate) * run->method->step > 0.1) return false;
        }
    return true;
}

// Bodies that begin inside each other have energy in their contact springs, which is not known.
static bool begins_loaded(const followed_run *run) {
    if (!has_contact_springs(run->method->method) || run->frames < 2) return false;
    int64_t count;
    const carom_contact_state *contacts = contacts_of(run, 1, &count);
    for (int64_t i = 0; i < count; i++)
        if (contacts[i].gap < 0.0) return true;
    return false;
}

void find_energy(const followed_run *run, const physics *p, finding *f) {
    if (!work_is_known(run, p) || begins_loaded(run)) return;
    island_energy *e = energies(run, p);
    bool lossless = !p->dissipates && !p->fluid && !contacts_dissipate(run, p) &&
                    run->method->method != CAROM_METHOD_PENALTY && run->method->potential.damping == 0.0;
    for (int k = 0; k < p->island_count; k++) {
        double s = scale_of(&e[k]);
        if (s == 0.0) continue;
        find(f, "energy grew, of S", e[k].rise / s, most_gain);
        find(f, "energy grew in a step, of S", e[k].step_rise / s, most_step_gain);
        if (lossless) find(f, "energy was lost, of S", e[k].fall / s, most_loss);
    }
    free(e);
}

void energy_scales(const followed_run *run, const physics *p, double **scale, double **last) {
    island_energy *e = energies(run, p);
    *scale = calloc((size_t)p->island_count + 1, sizeof **scale);
    *last = calloc((size_t)p->island_count + 1, sizeof **last);
    for (int k = 0; k < p->island_count; k++) (*scale)[k] = scale_of(&e[k]), (*last)[k] = e[k].last;
    free(e);
}

// SPDX-License-Identifier: MIT
// What velocities should explain and do not: displacements, spins of smooth balls, and rebounds.
#include <math.h>
#include <stdlib.h>

#include "math/quat.h"
#include "support/harness/check.h"
#include "verdict/independent/independent.h"

static const double most_unexplained = 1e-2; // of the body's size
static const double most_smooth_spin = 1e-3; // of the body's largest speed
static const double most_rebound = 0.1;      // of the approach, beyond the coefficient

static double outside(double way, double a, double b) {
    return way > fmax(a, b) ? way - fmax(a, b) : way < fmin(a, b) ? way - fmin(a, b) : 0.0;
}

// The largest normal impulse that the body had in the step, N s.
static double pressed(const followed_run *run, int64_t frame, int body) {
    int64_t count;
    double most = 0.0;
    const carom_contact_state *contacts = contacts_of(run, frame, &count);
    for (int64_t k = 0; k < count; k++)
        if (contacts[k].a.index == body || contacts[k].b.index == body)
            most = fmax(most, fabs(contacts[k].normal_impulse));
    return most;
}

// Bodies that dcr lets rebound within a step go to and fro in it: what is pressed by more than ten weights is hit.
static bool is_touched(const followed_run *run, const physics *p, int64_t frame, int body) {
    double impulse = pressed(run, frame, body);
    double weight = p->body[body].mass * crm_length(p->gravity) * run->method->step;
    return impulse > 0.0 && (run->method->method != CAROM_METHOD_DCR || impulse <= 10.0 * weight);
}

// The part of a step's way that is in no box of the velocities at its ends, where that is most of it: what contacts
// move without a velocity. Not of methods that divide steps at impacts, in which velocities go to and fro.
void find_unexplained(const followed_run *run, const physics *p, finding *f) {
    double h = run->method->step;
    carom_method method = run->method->method;
    if (method != CAROM_METHOD_LCP && method != CAROM_METHOD_PENALTY && method != CAROM_METHOD_DCR) return;
    for (int k = 0; k < run->bodies; k++) {
        if (!can_move(p, k) || p->size[k] == 0.0) continue;
        carom_vec3 sum = {0};
        for (int64_t i = 1; i < run->frames; i++) {
            if (!is_touched(run, p, i, k)) continue;
            const carom_body_state *before = frame_of(run, i - 1), *after = frame_of(run, i);
            carom_vec3 way = crm_sub(centre_of(p, after, k), centre_of(p, before, k));
            carom_vec3 a = crm_scale(h, centre_velocity_of(p, before, k));
            carom_vec3 b = crm_scale(h, centre_velocity_of(p, after, k));
            carom_vec3 rest = {outside(way.x, a.x, b.x), outside(way.y, a.y, b.y), outside(way.z, a.z, b.z)};
            if (crm_length(rest) > 0.5 * crm_length(way)) sum = crm_add(sum, rest);
        }
        find(f, "way that no velocity explains, of the size", crm_length(sum) / p->size[k], most_unexplained);
    }
}

static bool all_smooth(const followed_run *run, int body) {
    bool touched = false;
    for (int64_t i = 0; i < run->contact_end[run->frames - 1]; i++) {
        const carom_contact_state *c = &run->contact[i];
        if ((c->a.index != body && c->b.index != body) || c->normal_impulse == 0.0) continue;
        if (c->friction > 0.0) return false;
        touched = true;
    }
    return touched;
}

static bool is_jointed(const followed_run *run, const physics *p, int body) {
    for (int i = 0; i < run->joints; i++)
        if (p->joint[i].a.index == body || p->joint[i].b.index == body) return true;
    return false;
}

// Forces through the centre rotate no ball.
void find_smooth_spin(const followed_run *run, const physics *p, finding *f) {
    for (int k = 0; k < run->bodies; k++) {
        const carom_shape *shape = carom_model_get_shape(run->model, p->body[k].shape);
        if (!can_move(p, k) || shape == NULL || carom_shape_get_kind(shape) != CAROM_SHAPE_SPHERE) continue;
        if (p->charge_count + p->spring_count + p->wrench_count > 0 || p->dissipates) continue;
        if (crm_length(p->body[k].centre) > 0.0 || is_jointed(run, p, k) || !all_smooth(run, k)) continue;
        double fastest = 0.0, spin = 0.0;
        for (int64_t i = 0; i < run->frames; i++) {
            const carom_body_state *b = &frame_of(run, i)[k];
            fastest = fmax(fastest, crm_length(b->velocity));
            spin = fmax(spin, crm_distance(b->spin, frame_of(run, 0)[k].spin));
        }
        if (fastest > 0.0)
            find(f, "spin of a smooth ball, of its speed", 0.5 * p->size[k] * spin / fastest, most_smooth_spin);
    }
}

// Where a body met another at one point, after a flight of both.
typedef struct meeting {
    bool on, single;
    double approach, restitution;
    carom_vec3 normal, point; // of b's frame; a's is at rest or taken at the same place
    int a, b;
} meeting;

static double closing(const carom_body_state *frame, const meeting *m) {
    carom_vec3 place = place_of(frame, m->b, m->point);
    return crm_dot(m->normal, crm_sub(velocity_at(frame, m->b, place), velocity_at(frame, m->a, place)));
}

static int acting(const followed_run *run, int64_t frame, int body, const carom_contact_state **one) {
    int64_t count;
    int found = 0;
    const carom_contact_state *contacts = contacts_of(run, frame, &count);
    for (int64_t k = 0; k < count; k++) {
        if (contacts[k].normal_impulse == 0.0 || (contacts[k].a.index != body && contacts[k].b.index != body)) continue;
        *one = &contacts[k];
        found++;
    }
    return found;
}

// Restitution of meetings at one point: what leaves is not faster than the coefficient allows. With friction a tip may
// leave somewhat faster than Newton's law has it, without any gain of energy: only where most must be lost is it wrong.
void find_rebounds(const followed_run *run, const physics *p, finding *f) {
    carom_method method = run->method->method;
    if (method != CAROM_METHOD_PENALTY && method != CAROM_METHOD_DCR) return;
    double least = 4.0 * crm_length(p->gravity) * run->method->step;
    for (int body = 0; body < run->bodies; body++) {
        if (!can_move(p, body) || is_jointed(run, p, body) || p->spring_count + p->charge_count > 0) continue;
        meeting m = {0};
        for (int64_t i = 1; i < run->frames; i++) {
            const carom_contact_state *c = NULL;
            int count = acting(run, i, body, &c);
            if (count > 0 && !m.on) {
                m = (meeting){.on = true, .single = count == 1, .normal = c->normal, .a = c->a.index, .b = c->b.index};
                m.restitution = material_of(run, p, c).restitution;
                const carom_body_state *b = &frame_of(run, i - 1)[m.b];
                m.point = crm_quat_rotate_inverse(b->attitude, crm_sub(c->point, b->position));
                m.approach = -closing(frame_of(run, i - 1), &m);
            } else if (count > 0) {
                m.single = m.single && count == 1 && c->a.index == m.a && c->b.index == m.b;
            } else if (m.on) {
                m.on = false;
                double leaving = closing(frame_of(run, i), &m);
                if (m.single && m.restitution <= 0.5 && m.approach > least && m.approach > 0.0)
                    find(f, "rebound beyond the coefficient", leaving / m.approach - m.restitution, most_rebound);
            }
        }
    }
}

// SPDX-License-Identifier: MIT
// Collisions (docs/math.md 7): one after the other by a law of two bodies (carom/impact.h), or all as one problem.
#include <math.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "carom/impact.h"
#include "math/mat3.h"
#include "model/force/evaluate.h"
#include "step/contacts/collision_list.h"
#include "step/impulse/impulse_events.h"
#include "step/impulse/impulse_limit.h"

// Bounces end when one would rise no higher than this many resolutions of its gap: it could hardly be told from rest.
static const double rest_rise = 20.0;

// Velocities of several impacts at once are solved to this.
static const double together_tolerance = 1e-12;

// Their energies are known to this share of the terms that they are sums of.
static const double energy_rounding = 1e-11;
// Of the share of restitution that is looked for where a law makes energy.
enum { MOST_HALVINGS = 20 };

void crm_events_give(crm_impulse_events *e, crm_touch *t, carom_vec3 impulse, double *sums) {
    crm_vec6 on[2];
    crm_events_wrenches(e, t, impulse, &on[0], &on[1]);
    const int body[2] = {t->a, t->b};
    for (int k = 0; k < 2; k++) {
        if (e->model->graph.link_of_body[body[k]] < 0) continue;
        crm_vec6 projected = crm_wrench_projected(e->model->bodies.items[body[k]].kind, on[k]);
        crm_motion *m = &e->motions[body[k]];
        m->p = crm_add(m->p, projected.linear);
        m->l = crm_add(m->l, projected.angular);
    }
    t->impulse = crm_add(t->impulse, impulse);
    t->hit_at = t->geometry;
    crm_events_add_external(e, t, impulse, sums);
}

// The relative collision matrix K of the two bodies.
static carom_mat3 collision_matrix(const crm_impulse_events *e, const crm_touch *t) {
    carom_vec3 column[3];
    for (int k = 0; k < 3; k++) {
        carom_vec3 push = crm_with_component(crm_vec3_zero(), k, 1.0);
        crm_vec6 on_a, on_b;
        crm_events_wrenches(e, t, push, &on_a, &on_b);
        column[k] = crm_point_velocity(t->geometry.point, &e->motions[t->a], &e->motions[t->b],
                                       crm_events_response(e, t->a, on_a), crm_events_response(e, t->b, on_b));
    }
    return (carom_mat3){column[0], column[1], column[2]};
}

static double free_acceleration(const crm_impulse_events *e, int body) {
    return e->model->bodies.items[body].inverse_mass * crm_length(e->wrench[body].linear);
}

static bool approaches(const crm_touch *t) {
    return t->closed && crm_dot(t->geometry.normal, t->velocity) < -t->noise;
}

double crm_events_rest_speed(const crm_impulse_events *e, const crm_touch *t) {
    double pressed = fmax(free_acceleration(e, t->a), free_acceleration(e, t->b));
    return sqrt(2.0 * pressed * rest_rise * t->resolution);
}

// The rule by which endless bounces end. Three ways to rest: slower than the speed that the user gave; a rebound that
// forces undo before it has risen beyond the resolution; more than half the impacts that a step may have, which are
// then shorter than the step by that number.
static double restitution_of(const crm_impulse_events *e, const crm_touch *t) {
    double speed = -crm_dot(t->geometry.normal, t->velocity);
    bool low = t->restitution * speed <= crm_events_rest_speed(e, t);
    bool often = t->restitution < 1.0 && 2 * t->impact_count > e->def.impulse.event_limit;
    return low || often || speed < e->def.impulse.rest_speed ? 0.0 : e->restitution_share * t->restitution;
}

static void refresh(crm_impulse_events *e) {
    crm_events_twists(e);
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        t->velocity =
            crm_point_velocity(t->geometry.point, &e->motions[t->a], &e->motions[t->b], e->twist[t->a], e->twist[t->b]);
    }
}

// ---- what impacts do

// All impacts of a time act at the same poses: together they do what the sums of their impulses do by the mean of the
// velocities before the first and after the last one.
static void begin_work(crm_impulse_events *e) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        t->impulse_before = t->impulse;
        t->velocity_before = t->velocity;
        t->impact_count_before = t->impact_count;
    }
}

static void add_work(crm_impulse_events *e) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        carom_vec3 impulse = crm_sub(t->impulse, t->impulse_before), n = t->geometry.normal;
        carom_vec3 mean = crm_scale(0.5, crm_add(t->velocity_before, t->velocity));
        double normal = crm_dot(n, impulse) * crm_dot(n, mean);
        t->normal_work += normal;
        t->friction_work += crm_dot(impulse, mean) - normal;
    }
}

// ---- what is told of them

// `impulse` has made the touch's velocity of `before`; the two bodies had this kinetic energy.
static bool tell(crm_impulse_events *e, const crm_touch *t, carom_vec3 impulse, carom_vec3 before, double energy,
                 carom_error *error) {
    carom_collision *c = crm_collision_add(e->state, e->impact_time, t->a, t->b, &t->geometry);
    if (c == NULL) return crm_fail_memory(error, "collisions", sizeof *c), false;
    c->impulse = impulse;
    c->approach = crm_dot(t->geometry.normal, before);
    c->separation = crm_dot(t->geometry.normal, t->velocity);
    c->energy_before = energy;
    c->energy_jump = 0.5 * crm_dot(impulse, crm_add(before, t->velocity));
    return true;
}

// Of impacts together, what they begin with; and, of those that have had impulses, what they have come to.
static void begin_telling(crm_impulse_events *e) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        t->impulse_told = t->impulse;
        t->velocity_told = t->velocity;
        t->energy_told = crm_collision_energy(e->model, e->motions, t->a, t->b);
    }
}

static carom_status tell_all(crm_impulse_events *e, carom_error *error) {
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        carom_vec3 impulse = crm_sub(t->impulse, t->impulse_told);
        if (crm_length_squared(impulse) == 0.0) continue;
        if (!tell(e, t, impulse, t->velocity_told, t->energy_told, error)) return CAROM_ERR_NO_MEMORY;
    }
    return CAROM_OK;
}

// ---- one after the other

static bool resolve_one(crm_impulse_events *e, crm_touch *t, double *sums, carom_error *error) {
    double energy = crm_collision_energy(e->model, e->motions, t->a, t->b);
    carom_vec3 before = t->velocity;
    carom_impact impact = {.matrix = collision_matrix(e, t),
                           .normal = t->geometry.normal,
                           .velocity = t->velocity,
                           .friction = t->friction,
                           .restitution = restitution_of(e, t),
                           .tangential = e->def.impulse.tangential_restitution};
    carom_impact_result result;
    bool limited;
    if (crm_impact_resolve_limited(&impact, e->def.impulse.law, &result, &limited, error) != CAROM_OK) return false;
    if (limited) t->limited++;
    crm_events_give(e, t, result.impulse, sums);
    e->now.friction_work += result.friction_work;
    t->impact_count++;
    e->impact_count++;
    refresh(e);
    return tell(e, t, result.impulse, before, energy, error);
}

// In the order of the list, as often as some touch is approached. False: a law refused.
static bool resolve_in_sequence(crm_impulse_events *e, double *sums, bool *ended, carom_error *error) {
    *ended = false;
    for (int sweep = 0; sweep < e->def.impulse.iterations && !*ended; sweep++) {
        if (crm_state_interrupted(e->state)) {
            crm_fail_interrupted(error);
            return false;
        }
        *ended = true;
        for (int i = 0; i < e->touches.count; i++) {
            crm_touch *t = &e->touches.items[i];
            if (!approaches(t)) continue;
            *ended = false;
            if (!resolve_one(e, t, sums, error)) return false;
        }
    }
    return true;
}

// ---- together

// Impulses of all closed touches such that none is approached; `bounce`: by Newton's law, else to a stop.
static carom_status solve_together(crm_impulse_events *e, bool bounce, carom_error *error) {
    crm_event_rows_clear(&e->rows);
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (!t->closed) continue;
        carom_vec3 frame[3] = {t->geometry.normal};
        crm_tangents(t->geometry.normal, &frame[1], &frame[2]);
        carom_row_group group = {.law = CAROM_LAW_CONE, .rows = 3, .friction = t->friction};
        if (t->friction == 0.0) group = (carom_row_group){.law = CAROM_LAW_UNILATERAL, .rows = 1};
        double offset[3];
        for (int k = 0; k < 3; k++) offset[k] = crm_dot(frame[k], t->velocity);
        if (bounce && approaches(t)) offset[0] *= 1.0 + restitution_of(e, t);
        if (!crm_event_rows_add(e, t, group, frame, frame, offset, NULL))
            return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for an impact");
    }
    return crm_event_rows_solve(e, together_tolerance, 0.0, false, error);
}

static void give_all(crm_impulse_events *e, double *sums) {
    int r = 0, g = 0;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (!t->closed) continue;
        carom_vec3 impulse = crm_vec3_zero();
        for (int k = 0; k < e->rows.groups.items[g].rows; k++, r++)
            impulse = crm_madd(impulse, e->rows.force.items[r], e->rows.rows.items[r].push_b.linear);
        g++;
        t->impact_impulse = impulse;
        if (crm_length_squared(impulse) > 0.0) t->impact_count++, e->impact_count++;
        crm_events_give(e, t, impulse, sums);
    }
}

// Velocities after; of friction the work as lcp counts it, by the slip that is left.
static void move_on(crm_impulse_events *e) {
    refresh(e);
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        if (!t->closed) continue;
        carom_vec3 n = t->geometry.normal, sideways = crm_madd(t->impact_impulse, -crm_dot(n, t->impact_impulse), n);
        carom_vec3 slip = crm_madd(t->velocity, -crm_dot(n, t->velocity), n);
        if (crm_length(slip) > t->slip_known) e->now.friction_work += crm_dot(sideways, slip);
    }
}

// Poisson's law: the normal impulses of compression, times e, once more.
static void restitute(crm_impulse_events *e, double *sums) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        double share = t->bounce;
        if (!t->closed || share == 0.0) continue;
        carom_vec3 normal = t->geometry.normal;
        crm_events_give(e, t, crm_scale(share * crm_dot(normal, t->impact_impulse), normal), sums);
    }
    refresh(e);
}

static carom_status impact_together(crm_impulse_events *e, double *sums, carom_error *error) {
    bool poisson = e->def.impulse.law == CAROM_IMPACT_LAW_POISSON;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        t->bounce = approaches(t) ? restitution_of(e, t) : 0.0;
    }
    carom_status status = solve_together(e, !poisson, error);
    if (status != CAROM_OK) return status;
    give_all(e, sums);
    move_on(e);
    if (!poisson) return CAROM_OK;
    restitute(e, sums);
    status = solve_together(e, false, error);
    if (status != CAROM_OK) return status;
    give_all(e, sums);
    move_on(e);
    return CAROM_OK;
}

// ---- together, without making energy

// By all impacts since begin_work, J; *size: of the terms that it is a sum of.
static double work_done(const crm_impulse_events *e, double *size) {
    double work = *size = 0.0;
    for (int i = 0; i < e->touches.count; i++) {
        const crm_touch *t = &e->touches.items[i];
        carom_vec3 impulse = crm_sub(t->impulse, t->impulse_before);
        double before = crm_dot(impulse, t->velocity_before), after = crm_dot(impulse, t->velocity);
        work += 0.5 * (before + after);
        *size += 0.5 * (fabs(before) + fabs(after));
    }
    return work;
}

static void take_back(crm_impulse_events *e, double *sums) {
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        carom_vec3 impulse = crm_sub(t->impulse_before, t->impulse);
        if (crm_length_squared(impulse) > 0.0) crm_events_give(e, t, impulse, sums);
        t->impulse = t->impulse_before;
        e->impact_count -= t->impact_count - t->impact_count_before;
        t->impact_count = t->impact_count_before;
    }
    refresh(e);
}

// Where the law makes energy all restitution is taken times a share, which is halved down to: without restitution
// impulses act against velocities, and take energy.
static carom_status resolve_together(crm_impulse_events *e, double *sums, carom_error *error) {
    double friction_work = e->now.friction_work, size, kept = 0.0, made = 1.0;
    e->restitution_share = 1.0;
    carom_status status = impact_together(e, sums, error);
    if (status != CAROM_OK || !(work_done(e, &size) > energy_rounding * size)) return status;
    for (int i = 0; i <= MOST_HALVINGS && status == CAROM_OK; i++) {
        if (crm_state_interrupted(e->state)) return crm_fail_interrupted(error);
        take_back(e, sums);
        e->now.friction_work = friction_work;
        e->restitution_share = i < MOST_HALVINGS ? 0.5 * (kept + made) : kept;
        status = impact_together(e, sums, error);
        if (work_done(e, &size) > 0.0)
            made = e->restitution_share;
        else
            kept = e->restitution_share;
    }
    e->restitution_share = 1.0;
    for (int i = 0; i < e->touches.count; i++) {
        crm_touch *t = &e->touches.items[i];
        if (t->bounce == 0.0) continue;
        t->limited++;
        break;
    }
    return status;
}

// ---- all

crm_answer crm_events_impact(crm_impulse_events *e, double time, double *sums) {
    bool any = false, ended = true;
    for (int i = 0; i < e->touches.count && !any; i++) any = approaches(&e->touches.items[i]);
    if (!any) return CRM_ANSWER_GOOD;
    begin_work(e);
    e->impact_time = time;
    carom_error error;
    carom_status status = CAROM_OK;
    if (e->def.impulse.simultaneous == CAROM_SIMULTANEOUS_SEQUENCE) {
        if (!resolve_in_sequence(e, sums, &ended, &error)) {
            e->report->no_memory = error.status == CAROM_ERR_NO_MEMORY;
            return crm_events_stop(e, "at t = %.9g s an impact has no answer: %.150s", time, error.text);
        }
    } else {
        begin_telling(e);
        status = resolve_together(e, sums, &error);
        if (status == CAROM_OK) status = tell_all(e, &error);
    }
    if (!ended) { // what is left of a sequence without end is stopped at once
        e->now.cut_off = true;
        begin_telling(e);
        status = solve_together(e, false, &error);
        if (status == CAROM_OK) give_all(e, sums), move_on(e);
        if (status == CAROM_OK) status = tell_all(e, &error);
    }
    if (status != CAROM_OK) {
        e->report->no_memory = status == CAROM_ERR_NO_MEMORY;
        return crm_events_stop(e, "at t = %.9g s impacts have no answer together: %.150s", time, error.text);
    }
    add_work(e);
    return CRM_ANSWER_GOOD;
}

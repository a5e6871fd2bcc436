// SPDX-License-Identifier: MIT
// Limits and velocity motors of `multiplier`: rows whose force has bounds.
//
//   limit   lambda >= 0 at the lower one, <= 0 at the upper one, and only there
//   motor   |lambda| <= max_force; where it is less, the rate is the target
//
// Between events each row is either held, an equation like those of joints, or open, with a known force. Events are: a
// limit is reached, a held limit would have to pull, a motor reaches its largest force, an overpowered motor gets to
// its target. There the rows are sorted anew: first velocities (a limit that is reached takes the approaching velocity
// away at once: inelastic; a motor of unlimited force gives its rate at once), then accelerations. Both are
// complementarity problems with bounds, solved by exchanging rows between held and open; every trial is one O(n)
// factorization.
#include <float.h>
#include <math.h>
#include <stdio.h>

#include "step/method.h"
#include "step/multiplier.h"

// How precisely events are found: share of the system's size (or rad) of a coordinate, the same per second of a rate,
// share of the largest force of a force.
static const double place_tolerance = 1e-11, rate_tolerance = 1e-10, force_tolerance = 1e-9;
// Limits that a state may be beyond of without being refused: more than events leave, less than anyone would see.
static const double most_beyond = 1e-8;

static double length_scale(const crm_multiplier *m, const crm_extra_row *extra) {
    return extra->coordinate < m->model->joints.items[extra->joint].linear->free ? m->size : 1.0;
}

static const carom_coordinate_def *coordinate_of(const crm_multiplier *m, const crm_extra_row *extra) {
    return &m->model->joints.items[extra->joint].def.coordinate[extra->coordinate];
}

void crm_bounds_begin(crm_multiplier *m) {
    for (int i = 0; i < m->system.extra_count; i++) {
        const crm_extra_row *extra = &m->system.extra[i];
        if (!extra->is_motor) continue;
        carom_motor_def motor = crm_joint_motor(m->model, extra->joint, extra->coordinate, m->input);
        m->bound[i].level = motor.target_rate;
        m->bound[i].max_force = motor.max_force;
    }
}

static void hold(crm_multiplier *m, int i, bool held, double known) {
    m->bound[i].mode = held ? CRM_BOUND_HELD : CRM_BOUND_OPEN;
    m->bound[i].known = held ? 0.0 : known;
    crm_joint_system_switch(&m->system, i, held);
}

// ---- choosing rows

// lambda, and the row's motion less what it should be, of one candidate at the last solution.
typedef struct trial {
    double lambda, slack;
} trial;

static trial trial_of(const crm_multiplier *m, int i, bool accelerations) {
    const crm_extra_row *extra = &m->system.extra[i];
    const crm_joint *joint = &m->model->joints.items[extra->joint];
    double motion = 0.0;
    if (accelerations) {
        crm_joint_twists t = {crm_vec6_zero(), crm_vec6_zero()};
        if (joint->a.body >= 0) t.a = m->twist[joint->a.body];
        if (joint->b.body >= 0) t.b = m->twist[joint->b.body];
        motion = crm_joint_row_rate(&m->system.row[extra->row], &t) + m->product[extra->row];
    } else {
        motion = crm_multiplier_rate(m, i) - (extra->is_motor ? m->bound[i].level : 0.0);
    }
    return (trial){m->lambda[extra->row], motion};
}

// Whether the row must change sides, and then changes it.
static bool exchange(crm_multiplier *m, int i, const trial *t, double lambda_zero, double slack_zero) {
    crm_bound *bound = &m->bound[i];
    if (bound->mode == CRM_BOUND_HELD) {
        if (t->lambda < bound->lo - lambda_zero)
            hold(m, i, false, bound->lo);
        else if (t->lambda > bound->hi + lambda_zero)
            hold(m, i, false, bound->hi);
        else
            return false;
        return true;
    }
    bool wrong =
        (bound->known == bound->lo && t->slack < -slack_zero) || (bound->known == bound->hi && t->slack > slack_zero);
    if (wrong) hold(m, i, true, 0.0);
    return wrong;
}

static double largest_lambda(const crm_multiplier *m) {
    double largest = 0.0;
    for (int r = 0; r < m->system.row_count; r++) largest = fmax(largest, fabs(m->lambda[r]));
    return largest;
}

// Exchanges candidates until all agree with their bounds: all at once at first, then only the first that does not,
// which ends for every positive-definite problem (Murty). False when it does not end. `start` are the momenta to start
// from, for velocities; accelerations take the forces found before.
static bool choose(crm_multiplier *m, bool accelerations, const crm_motion *start) {
    enum { AT_ONCE = 10 };
    int most = AT_ONCE + 20 * m->system.extra_count;
    for (int iteration = 0; iteration < most; iteration++) {
        if (accelerations) {
            crm_multiplier_accelerate(m);
        } else {
            for (int b = 0; b < m->model->bodies.count; b++) m->motions[b].p = start[b].p, m->motions[b].l = start[b].l;
            crm_multiplier_project_momenta(m);
        }
        double lambda_zero = 1e-12 * largest_lambda(m), slack_zero = rate_tolerance;
        bool changed = false;
        for (int i = 0; i < m->system.extra_count; i++) {
            if (!m->bound[i].candidate) continue;
            trial t = trial_of(m, i, accelerations);
            changed |= exchange(m, i, &t, lambda_zero, slack_zero * length_scale(m, &m->system.extra[i]));
            if (changed && iteration >= AT_ONCE) break;
        }
        if (!changed) return true;
    }
    return false;
}

// ---- events

typedef enum touching { TOUCHES_NONE, TOUCHES_LOWER, TOUCHES_UPPER } touching;

static touching touching_of(const crm_multiplier *m, const crm_extra_row *extra) {
    double value = m->system.residual[extra->row], near = 2.0 * place_tolerance * length_scale(m, extra);
    const carom_coordinate_def *coordinate = coordinate_of(m, extra);
    if (value <= coordinate->lower + near) return TOUCHES_LOWER;
    return value >= coordinate->upper - near ? TOUCHES_UPPER : TOUCHES_NONE;
}

static crm_answer refuse(crm_multiplier *m, const crm_extra_row *extra, const char *what, double number,
                         const char *remedy) {
    char name[CRM_BODY_TEXT];
    m->report->outcome = CAROM_STEP_IMPOSSIBLE;
    snprintf(m->report->text, sizeof m->report->text, "%s: coordinate %d %s %g; %s",
             crm_joint_text(m->model, extra->joint, name), extra->coordinate, what, number, remedy);
    return CRM_ANSWER_STOP;
}

// A state must not start beyond a limit.
static crm_answer check_limits(crm_multiplier *m) {
    for (int i = 0; i < m->system.extra_count; i++) {
        const crm_extra_row *extra = &m->system.extra[i];
        if (extra->is_motor) continue;
        double value = m->system.residual[extra->row], slack = most_beyond * length_scale(m, extra);
        const carom_coordinate_def *coordinate = coordinate_of(m, extra);
        if (value < coordinate->lower - slack)
            return refuse(m, extra, "is below its lower limit by", coordinate->lower - value,
                          "start the bodies within the limits");
        if (value > coordinate->upper + slack)
            return refuse(m, extra, "is beyond its upper limit by", value - coordinate->upper,
                          "start the bodies within the limits");
    }
    return CRM_ANSWER_GOOD;
}

static void open_all(crm_multiplier *m) {
    for (int i = 0; i < m->system.extra_count; i++) {
        m->bound[i].candidate = false;
        hold(m, i, false, 0.0);
    }
}

// Makes a limit a candidate to be held where it is touched.
static void offer_limit(crm_multiplier *m, int i, touching side, bool held) {
    crm_bound *bound = &m->bound[i];
    const carom_coordinate_def *coordinate = coordinate_of(m, &m->system.extra[i]);
    bound->candidate = true;
    bound->level = side == TOUCHES_LOWER ? coordinate->lower : coordinate->upper;
    bound->lo = side == TOUCHES_LOWER ? 0.0 : -INFINITY;
    bound->hi = side == TOUCHES_LOWER ? INFINITY : 0.0;
    hold(m, i, held, 0.0);
}

// How fast a coordinate approaches the limit it touches.
static double approach(const crm_multiplier *m, int i, touching side) {
    double rate = crm_multiplier_rate(m, i);
    return side == TOUCHES_LOWER ? -rate : rate;
}

static double work_of_impulses(const crm_multiplier *m, const crm_motion *start) {
    double work = 0.0;
    for (int b = 0; b < m->model->bodies.count; b++) {
        crm_motion before = m->motions[b];
        before.p = start[b].p, before.l = start[b].l;
        work += crm_motion_kinetic_energy(&m->model->bodies.items[b], &m->motions[b]) -
                crm_motion_kinetic_energy(&m->model->bodies.items[b], &before);
    }
    return work;
}

// The first held row that does not do what it should: another row says the opposite.
static int conflict_of(const crm_multiplier *m, bool accelerations) {
    for (int i = 0; i < m->system.extra_count; i++) {
        if (m->bound[i].mode != CRM_BOUND_HELD) continue;
        trial t = trial_of(m, i, accelerations);
        double size = length_scale(m, &m->system.extra[i]) * (accelerations ? 1e-4 : 1e-6);
        if (!(fabs(t.slack) <= size * (1.0 + fabs(m->bound[i].level)))) return i;
    }
    return -1;
}

static crm_answer refuse_conflict(crm_multiplier *m, int i) {
    const crm_extra_row *extra = &m->system.extra[i];
    return refuse(
        m, extra,
        extra->is_motor ? "has a motor of unlimited force that cannot keep the rate" : "cannot be held at its limit",
        m->bound[i].level, "something else forbids it; give the motor a max_force, or its target another value");
}

// Velocities: limits that are run into, motors without bounds.
static crm_answer change_velocities(crm_multiplier *m, double *y) {
    bool needed = false;
    open_all(m);
    for (int i = 0; i < m->system.extra_count; i++) {
        const crm_extra_row *extra = &m->system.extra[i];
        double slow = rate_tolerance * length_scale(m, extra);
        if (extra->is_motor) {
            if (m->bound[i].max_force < INFINITY) continue;
            hold(m, i, true, 0.0);
            needed |= fabs(crm_multiplier_rate(m, i) - m->bound[i].level) > slow;
        } else {
            touching side = touching_of(m, extra);
            if (side == TOUCHES_NONE) continue;
            bool approaches = approach(m, i, side) > slow;
            offer_limit(m, i, side, approaches);
            needed |= approaches;
        }
    }
    if (!needed) return CRM_ANSWER_GOOD;
    const crm_motion *start = m->before_impact;
    for (int b = 0; b < m->model->bodies.count; b++) m->before_impact[b] = m->motions[b];
    bool ended = choose(m, false, start);
    int conflict = conflict_of(m, false);
    if (!ended || conflict >= 0) return refuse_conflict(m, conflict >= 0 ? conflict : 0);
    double *sums = crm_multiplier_sums(m, y);
    crm_multiplier_add_lambda(m, sums);
    sums[6 * (ptrdiff_t)m->model->joints.count + 6] += work_of_impulses(m, start);
    crm_multiplier_pack(m, y);
    return CRM_ANSWER_GOOD;
}

// Accelerations: what stays held.
static crm_answer change_forces(crm_multiplier *m, double time) {
    crm_answer answer = crm_multiplier_forces(m, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    open_all(m);
    for (int i = 0; i < m->system.extra_count; i++) {
        const crm_extra_row *extra = &m->system.extra[i];
        crm_bound *bound = &m->bound[i];
        double slow = 2.0 * rate_tolerance * length_scale(m, extra);
        if (extra->is_motor) {
            double lag = bound->level - crm_multiplier_rate(m, i);
            bound->lo = -bound->max_force, bound->hi = bound->max_force;
            bound->candidate = fabs(lag) <= slow;
            bool held = bound->candidate || bound->max_force == INFINITY;
            hold(m, i, held, copysign(bound->max_force, lag));
        } else {
            touching side = touching_of(m, extra);
            if (side != TOUCHES_NONE && approach(m, i, side) >= -slow) offer_limit(m, i, side, true);
        }
    }
    bool ended = choose(m, true, NULL);
    int conflict = conflict_of(m, true);
    return ended && conflict < 0 ? CRM_ANSWER_GOOD : refuse_conflict(m, conflict >= 0 ? conflict : 0);
}

crm_answer crm_bounds_event(void *context, double time, double *y) {
    crm_multiplier *m = context;
    crm_multiplier_unpack(m, y);
    crm_joint_system_place(&m->system, m->motions, m->configs);
    crm_answer answer = check_limits(m);
    if (answer == CRM_ANSWER_GOOD) answer = change_velocities(m, y);
    if (answer == CRM_ANSWER_GOOD) answer = change_forces(m, time);
    return answer;
}

static double margin_of(const crm_multiplier *m, int i, double force_scale) {
    const crm_extra_row *extra = &m->system.extra[i];
    const crm_bound *bound = &m->bound[i];
    double lambda = m->lambda[extra->row], scale = length_scale(m, extra);
    if (bound->mode == CRM_BOUND_HELD) {
        double room = fmin(lambda - bound->lo, bound->hi - lambda);
        return room < INFINITY ? room / (force_tolerance * force_scale) : INFINITY;
    }
    if (extra->is_motor) {
        double lag = copysign(1.0, bound->known) * (bound->level - crm_multiplier_rate(m, i));
        return lag / (rate_tolerance * scale);
    }
    double value = m->system.residual[extra->row];
    const carom_coordinate_def *coordinate = coordinate_of(m, extra);
    return fmin(value - coordinate->lower, coordinate->upper - value) / (place_tolerance * scale);
}

double crm_bounds_margin(void *context, double time, const double *y) {
    crm_multiplier *m = context;
    bool any_held = false;
    for (int i = 0; i < m->system.extra_count; i++) any_held |= m->bound[i].mode == CRM_BOUND_HELD;
    crm_multiplier_unpack(m, y);
    crm_joint_system_place(&m->system, m->motions, m->configs);
    double force_scale = 1.0;
    if (any_held && crm_multiplier_forces(m, time) == CRM_ANSWER_GOOD) {
        crm_multiplier_accelerate(m);
        force_scale = fmax(largest_lambda(m), DBL_MIN);
    }
    double nearest = INFINITY;
    for (int i = 0; i < m->system.extra_count; i++) nearest = fmin(nearest, margin_of(m, i, force_scale));
    return nearest;
}

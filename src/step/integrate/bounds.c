// SPDX-License-Identifier: MIT
#include "step/integrate/bounds.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "base/limits/limit.h"
#include "model/joint/joint_limits.h"

// How precisely events are found: share of the system's size (or rad) of a coordinate, the same per second of a rate,
// share of the largest force of a force.
static const double place_tolerance = 1e-11, rate_tolerance = 1e-10, force_tolerance = 1e-9;
// Limits are found late by up to place_tolerance, and then are hit at some sqrt(2 acceleration place_tolerance):
// what is slower than this, in sizes or rad per second, is no impact.
static const double impact_rate = 3e-5;

static double length_scale(const crm_bounds *m, const crm_limit_motor_row *limit_motor) {
    return limit_motor->coordinate < m->model->joints.items[limit_motor->joint].linear->free ? m->size : 1.0;
}

static const carom_coordinate_def *coordinate_of(const crm_bounds *m, const crm_limit_motor_row *limit_motor) {
    return &m->model->joints.items[limit_motor->joint].def.coordinate[limit_motor->coordinate];
}

static double rate_of(const crm_bounds *m, int i) {
    return m->table->rate(m->context, i);
}

void crm_bounds_begin(crm_bounds *m, const carom_input *input, carom_step_report *report) {
    m->report = report;
    for (int i = 0; i < m->count; i++) {
        const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
        if (!limit_motor->is_motor) continue;
        carom_motor_def motor = crm_joint_motor(m->model, limit_motor->joint, limit_motor->coordinate, input);
        m->bound[i].level = motor.target_rate;
        m->bound[i].max_force = motor.max_force;
    }
}

static void hold(crm_bounds *m, int i, bool held, double known) {
    m->bound[i].mode = held ? CRM_BOUND_HELD : CRM_BOUND_OPEN;
    m->bound[i].known = held ? 0.0 : known;
    m->table->hold(m->context, i, held);
}

// ---- choosing rows

// lambda, and the row's motion less what it should be, of one candidate at the last solution.
typedef struct trial {
    double lambda, slack;
} trial;

static trial trial_of(const crm_bounds *m, int i, bool accelerations) {
    double lambda = m->table->lambda(m->context, i);
    if (accelerations) return (trial){lambda, m->table->acceleration(m->context, i)};
    return (trial){lambda, rate_of(m, i) - (m->limit_motor[i].is_motor ? m->bound[i].level : 0.0)};
}

// Whether the row must change sides, and then changes it.
static bool exchange(crm_bounds *m, int i, const trial *t, double lambda_zero, double slack_zero) {
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

// Exchanges candidates until all agree with their bounds: all at once at first, then only the first that does not,
// which ends for every positive-definite problem (Murty). False when it does not end. Velocities start from those that
// were kept, accelerations take the forces found before.
static bool choose(crm_bounds *m, bool accelerations) {
    enum { AT_ONCE = 10 };
    int most = AT_ONCE + 20 * m->count;
    for (int iteration = 0; iteration < most && !crm_interrupted(&m->interrupt); iteration++) {
        if (accelerations)
            m->table->accelerate(m->context);
        else
            m->table->impact(m->context);
        double lambda_zero = 1e-12 * m->table->largest_lambda(m->context), slack_zero = rate_tolerance;
        bool changed = false;
        for (int i = 0; i < m->count; i++) {
            if (!m->bound[i].candidate) continue;
            trial t = trial_of(m, i, accelerations);
            changed |= exchange(m, i, &t, lambda_zero, slack_zero * length_scale(m, &m->limit_motor[i]));
            if (changed && iteration >= AT_ONCE) break;
        }
        if (!changed) return true;
    }
    return false;
}

// ---- events

typedef enum touching { TOUCHES_NONE, TOUCHES_LOWER, TOUCHES_UPPER } touching;

static touching touching_of(const crm_bounds *m, int i) {
    const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
    double value = m->table->value(m->context, i), near = 2.0 * place_tolerance * length_scale(m, limit_motor);
    const carom_coordinate_def *coordinate = coordinate_of(m, limit_motor);
    if (value <= coordinate->lower + near) return TOUCHES_LOWER;
    return value >= coordinate->upper - near ? TOUCHES_UPPER : TOUCHES_NONE;
}

// A state must not start beyond a limit, also when it was set since it was made.
static crm_answer check_limits(crm_bounds *m) {
    for (int i = 0; i < m->count; i++) {
        const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
        crm_limited_coordinate at = {limit_motor->joint, limit_motor->coordinate, m->table->value(m->context, i)};
        if (limit_motor->is_motor || !crm_beyond_limit(m->model, at, m->size)) continue;
        m->report->outcome = CAROM_STEP_IMPOSSIBLE;
        crm_beyond_limit_text(m->model, at, m->report->text, sizeof m->report->text);
        return CRM_ANSWER_STOP;
    }
    return CRM_ANSWER_GOOD;
}

static void open_all(crm_bounds *m) {
    for (int i = 0; i < m->count; i++) {
        m->bound[i].candidate = false;
        hold(m, i, false, 0.0);
    }
}

// Makes a limit a candidate to be held where it is touched.
static void offer_limit(crm_bounds *m, int i, touching side, bool held) {
    crm_bound *bound = &m->bound[i];
    const carom_coordinate_def *coordinate = coordinate_of(m, &m->limit_motor[i]);
    bound->candidate = true;
    bound->level = side == TOUCHES_LOWER ? coordinate->lower : coordinate->upper;
    bound->lo = side == TOUCHES_LOWER ? 0.0 : -INFINITY;
    bound->hi = side == TOUCHES_LOWER ? INFINITY : 0.0;
    hold(m, i, held, 0.0);
}

// How fast a coordinate approaches the limit it touches.
static double approach(const crm_bounds *m, int i, touching side) {
    double rate = rate_of(m, i);
    return side == TOUCHES_LOWER ? -rate : rate;
}

// The first held row that does not do what it should: another row says the opposite.
static int conflict_of(const crm_bounds *m, bool accelerations) {
    for (int i = 0; i < m->count; i++) {
        if (m->bound[i].mode != CRM_BOUND_HELD) continue;
        trial t = trial_of(m, i, accelerations);
        double size = length_scale(m, &m->limit_motor[i]) * (accelerations ? 1e-4 : 1e-6);
        if (!(fabs(t.slack) <= size * (1.0 + fabs(m->bound[i].level)))) return i;
    }
    return -1;
}

static crm_answer refuse_conflict(crm_bounds *m, int i) {
    const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
    bool linear = limit_motor->coordinate < m->model->joints.items[limit_motor->joint].linear->free;
    char name[CRM_BODY_TEXT];
    m->report->outcome = CAROM_STEP_IMPOSSIBLE;
    if (limit_motor->is_motor)
        crm_stopped_motor_text(m->model, limit_motor->joint, limit_motor->coordinate, m->bound[i].level, NAN,
                               m->report->text, sizeof m->report->text);
    else
        snprintf(m->report->text, sizeof m->report->text,
                 "%s: coordinate %d cannot be held at its limit of %g %s: another joint, limit or motor forbids it; "
                 "give motors a max_force, or move the limit",
                 crm_joint_text(m->model, limit_motor->joint, name), limit_motor->coordinate, m->bound[i].level,
                 linear ? "m" : "rad");
    return CRM_ANSWER_STOP;
}

// Where nothing is hit but at rates that the finding of events makes itself, all limits that are touched come to
// rest together. Else two of them could throw each other off in alternation, without end. Not where a motor without
// bound may want another rate than rest.
static void rest_together(crm_bounds *m) {
    for (int i = 0; i < m->count; i++)
        if (m->limit_motor[i].is_motor && m->bound[i].max_force == INFINITY) return;
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < m->count; i++) {
            if (!m->bound[i].candidate) continue;
            double rate = fabs(rate_of(m, i));
            if (pass == 1)
                m->bound[i].candidate = false, hold(m, i, true, 0.0);
            else if (rate > impact_rate * length_scale(m, &m->limit_motor[i]))
                return;
        }
    }
}

// Velocities: limits that are hit, motors without bounds.
static crm_answer change_velocities(crm_bounds *m, double *y) {
    bool needed = false;
    open_all(m);
    for (int i = 0; i < m->count; i++) {
        const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
        double slow = rate_tolerance * length_scale(m, limit_motor);
        if (limit_motor->is_motor) {
            if (m->bound[i].max_force < INFINITY) continue;
            hold(m, i, true, 0.0);
            needed |= fabs(rate_of(m, i) - m->bound[i].level) > slow;
        } else {
            touching side = touching_of(m, i);
            if (side == TOUCHES_NONE) continue;
            bool approaches = approach(m, i, side) > slow;
            offer_limit(m, i, side, approaches);
            needed |= approaches;
        }
    }
    if (!needed) return CRM_ANSWER_GOOD;
    rest_together(m);
    m->table->begin_impact(m->context);
    bool ended = choose(m, false);
    int conflict = conflict_of(m, false);
    if (!ended || conflict >= 0) return refuse_conflict(m, conflict >= 0 ? conflict : 0);
    m->table->end_impact(m->context, y);
    return CRM_ANSWER_GOOD;
}

// Accelerations: what stays held.
static crm_answer change_forces(crm_bounds *m, double time) {
    crm_answer answer = m->table->forces(m->context, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    open_all(m);
    for (int i = 0; i < m->count; i++) {
        const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
        crm_bound *bound = &m->bound[i];
        double slow = 2.0 * rate_tolerance * length_scale(m, limit_motor);
        if (limit_motor->is_motor) {
            double lag = bound->level - rate_of(m, i);
            bound->lo = -bound->max_force, bound->hi = bound->max_force;
            bound->candidate = fabs(lag) <= slow;
            bool held = bound->candidate || bound->max_force == INFINITY;
            hold(m, i, held, copysign(bound->max_force, lag));
        } else {
            touching side = touching_of(m, i);
            if (side != TOUCHES_NONE && approach(m, i, side) >= -slow) offer_limit(m, i, side, true);
        }
    }
    bool ended = choose(m, true);
    int conflict = conflict_of(m, true);
    return ended && conflict < 0 ? CRM_ANSWER_GOOD : refuse_conflict(m, conflict >= 0 ? conflict : 0);
}

crm_answer crm_bounds_event(crm_bounds *m, double time, double *y) {
    crm_answer answer = m->table->evaluate(m->context, y);
    if (answer == CRM_ANSWER_GOOD) answer = check_limits(m);
    if (answer == CRM_ANSWER_GOOD) answer = change_velocities(m, y);
    if (answer == CRM_ANSWER_GOOD) answer = change_forces(m, time);
    return answer;
}

static double margin_of(const crm_bounds *m, int i, double force_scale) {
    const crm_limit_motor_row *limit_motor = &m->limit_motor[i];
    const crm_bound *bound = &m->bound[i];
    double lambda = m->table->lambda(m->context, i), scale = length_scale(m, limit_motor);
    if (bound->mode == CRM_BOUND_HELD) {
        double room = fmin(lambda - bound->lo, bound->hi - lambda);
        return room < INFINITY ? room / (force_tolerance * force_scale) : INFINITY;
    }
    if (limit_motor->is_motor) {
        double lag = copysign(1.0, bound->known) * (bound->level - rate_of(m, i));
        return lag / (rate_tolerance * scale);
    }
    double value = m->table->value(m->context, i);
    const carom_coordinate_def *coordinate = coordinate_of(m, limit_motor);
    return fmin(value - coordinate->lower, coordinate->upper - value) / (place_tolerance * scale);
}

double crm_bounds_margin(const crm_bounds *m, double time, const double *y) {
    bool any_held = false;
    for (int i = 0; i < m->count; i++) any_held |= m->bound[i].mode == CRM_BOUND_HELD;
    // Where there is no place or no force there is no rate either, which says why.
    if (m->table->evaluate(m->context, y) != CRM_ANSWER_GOOD) return INFINITY;
    double force_scale = 1.0;
    if (any_held && m->table->forces(m->context, time) == CRM_ANSWER_GOOD) {
        m->table->accelerate(m->context);
        force_scale = fmax(m->table->largest_lambda(m->context), DBL_MIN);
    }
    double nearest = INFINITY;
    for (int i = 0; i < m->count; i++) nearest = fmin(nearest, margin_of(m, i, force_scale));
    return nearest;
}

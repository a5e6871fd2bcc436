// SPDX-License-Identifier: MIT
// Follows a curve of zeros of the smoothed natural map by its length, also where the parameter decreases.
//
// The parameter p narrows the smoothed projection and brings in De Saxce's term:
//
//     width = w0 exp(-p),    shift = 1 - exp(-p)
//
// At p = 0 the problem is convex and smooth and has one zero. The curve of zeros that begins there ends at no finite p
// and does not come back to p = 0, so that, unless the impulses run away, it leads to a solution with exact friction.
// On the way p does decrease where many contacts slide, and a method that narrows at every step gets stuck there.
//
// The curve must be kept to closely: impulses that the velocities do not determine are fixed by the smoothing alone,
// and an error that looks small beside the width moves them far. Lengths count every group against its own size.
#include <math.h>
#include <string.h>

#include "base/limits/limit.h"
#include "solve/newton/newton.h"

enum { START_STEPS = 100, START_HALVINGS = 10, CORRECTIONS = 6 };

// Errors that are allowed at the start and later on, against the width.
// |u_t| has no derivative at 0; a curve has to have one.
static const double round_off = 0.01;
static const double close_start = 1e-5, close = 2e-4;
// A correction that makes the error so much larger goes nowhere.
static const double most_growth = 10.0;
static const double first_stride = 0.3, least_stride = 1e-6, most_stride = 2.0, stride_cut = 0.25;
// A compliance around the iterate, against the scaled W: it moves no zero.
static const double prox = 1e-6;

typedef struct follower {
    crm_newton *n;
    int steps;        // left
    double width0, p; // parameter
    double width, width_rate, shift, shift_rate, round_off;
    double path_p; // the tangent's component along p; the rest is in n->path_v, path_r, path_u
} follower;

static bool is_exact(const carom_row_group *group) {
    return group->law == CAROM_LAW_CONE && !group->relaxed;
}

static void set_parameter(follower *f, double p) {
    crm_newton_system *s = &f->n->system;
    double fading = exp(-p);
    f->p = p;
    f->width = f->width0 * fading, f->width_rate = -f->width;
    f->shift = 1.0 - fading, f->shift_rate = fading;
    for (int g = 0; g < s->op->group_count; g++)
        if (is_exact(&s->op->groups[g])) s->law[g].shift = f->shift, s->law[g].round_off = f->round_off;
}

static double map_norm(const follower *f, const double *u, const double *r, double width) {
    const crm_newton_system *s = &f->n->system;
    return sqrt(crm_newton_map_square(s, u, r, width) / s->op->group_count);
}

static void find_direction(follower *f) {
    crm_newton *n = f->n;
    crm_newton_system *s = &n->system;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        crm_natural_block(&s->law[g], n->u + first, n->r + first, f->width, prox, &s->block[g]);
    }
    crm_newton_step(n);
    f->steps--;
}

// Derivative of the zero with respect to p, with the factors of find_direction.
static void find_slope(follower *f) {
    crm_newton *n = f->n;
    crm_newton_system *s = &n->system;
    for (int g = 0; g < s->op->group_count; g++) {
        int first = s->op->row_start[g];
        double shift_rate = is_exact(&s->op->groups[g]) ? f->shift_rate : 0.0;
        crm_natural_path(&s->law[g], n->u + first, n->r + first, f->width, f->width_rate, shift_rate, &s->block[g]);
    }
    memset(n->rest, 0, sizeof(double) * (size_t)s->op->velocity_count);
    crm_newton_direction(s, n->rest, n->slope_v, n->slope_r, n->slope_u);
}

static void set_metric(follower *f) {
    crm_newton *n = f->n;
    const crm_operator *op = n->system.op;
    for (int g = 0; g < op->group_count; g++) {
        double sum = f->width * f->width;
        for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++) sum += n->r[i] * n->r[i] + n->u[i] * n->u[i];
        n->weight[g] = 1.0 / (op->group_count * sum);
    }
}

// Scalar product of two directions without their components along p.
static double product(const crm_newton *n, const double *r, const double *u, const double *other_r,
                      const double *other_u) {
    const crm_operator *op = n->system.op;
    double sum = 0.0;
    for (int g = 0; g < op->group_count; g++)
        for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++)
            sum += n->weight[g] * (r[i] * other_r[i] + u[i] * other_u[i]);
    return sum;
}

// The slope made a unit tangent, on the same side as the last one.
static void set_tangent(follower *f) {
    crm_newton *n = f->n;
    const crm_operator *op = n->system.op;
    double length = sqrt(product(n, n->slope_r, n->slope_u, n->slope_r, n->slope_u) + 1.0);
    double onwards = product(n, n->slope_r, n->slope_u, n->path_r, n->path_u) + f->path_p;
    double factor = onwards >= 0.0 ? 1.0 / length : -1.0 / length;
    for (int i = 0; i < op->row_count; i++) {
        n->path_r[i] = factor * n->slope_r[i];
        n->path_u[i] = factor * n->slope_u[i];
    }
    for (int i = 0; i < op->velocity_count; i++) n->path_v[i] = factor * n->slope_v[i];
    f->path_p = factor;
}

// iterate = from + length * direction
static void move(crm_newton *n, const double *from_v, const double *from_r, double length, const double *dv,
                 const double *dr) {
    const crm_operator *op = n->system.op;
    for (int i = 0; i < op->row_count; i++) n->r[i] = from_r[i] + length * dr[i];
    for (int i = 0; i < op->velocity_count; i++) n->v[i] = from_v[i] + length * dv[i];
    crm_newton_relative(&n->system, n->v, n->r, n->u);
}

// Newton's method with a line search at p = 0.
static bool find_start(follower *f) {
    crm_newton *n = f->n;
    double norm = map_norm(f, n->u, n->r, f->width);
    for (int k = 0; k < START_STEPS && f->steps > 0 && norm > close_start * f->width; k++) {
        if (crm_interrupted(&n->interrupt)) return false;
        find_direction(f);
        double length = 1.0, found = INFINITY;
        int halving = 0;
        for (; halving <= START_HALVINGS; halving++, length *= 0.5) {
            crm_newton_set_trial(n, length);
            found = map_norm(f, n->trial_u, n->trial_r, f->width);
            if (found <= (1.0 - 1e-4 * length) * norm) break;
        }
        if (halving > START_HALVINGS) return false;
        crm_newton_take_trial(n);
        norm = found;
    }
    return norm <= close_start * f->width;
}

// Back to the curve, across the tangent. The number of corrections that it took, or -1.
static int correct(follower *f) {
    crm_newton *n = f->n;
    const crm_operator *op = n->system.op;
    double last = INFINITY;
    for (int k = 0;; k++) {
        double norm = map_norm(f, n->u, n->r, f->width);
        if (!isfinite(norm) || norm > most_growth * last || crm_interrupted(&n->interrupt)) return -1;
        if (k > 0 && norm <= close * f->width) return k;
        if (k == CORRECTIONS || f->steps <= 0) return -1;
        last = norm;
        find_direction(f);
        find_slope(f);
        double across = product(n, n->dr, n->du, n->path_r, n->path_u);
        double along = product(n, n->slope_r, n->slope_u, n->path_r, n->path_u) + f->path_p;
        double change = -across / along;
        if (!isfinite(change)) return -1;
        for (int i = 0; i < op->row_count; i++) n->dr[i] += change * n->slope_r[i];
        for (int i = 0; i < op->velocity_count; i++) n->dv[i] += change * n->slope_v[i];
        move(n, n->v, n->r, 1.0, n->dv, n->dr);
        set_parameter(f, f->p + change);
    }
}

static bool follow(follower *f) {
    crm_newton *n = f->n;
    const crm_operator *op = n->system.op;
    if (!find_start(f)) return false;
    find_direction(f);
    find_slope(f);
    set_metric(f);
    memset(n->path_r, 0, sizeof(double) * (size_t)op->row_count);
    memset(n->path_u, 0, sizeof(double) * (size_t)op->row_count);
    f->path_p = 1.0; // towards larger p
    set_tangent(f);
    double stride = first_stride;
    while (f->steps > 0 && stride > least_stride && !crm_interrupted(&n->interrupt)) {
        double p = f->p;
        memcpy(n->trial_r, n->r, sizeof(double) * (size_t)op->row_count);
        memcpy(n->kept_v, n->v, sizeof(double) * (size_t)op->velocity_count);
        move(n, n->kept_v, n->trial_r, stride, n->path_v, n->path_r);
        set_parameter(f, p + stride * f->path_p);
        int corrections = correct(f);
        if (corrections < 0) { // back
            move(n, n->kept_v, n->trial_r, 0.0, n->path_v, n->path_r);
            set_parameter(f, p);
            stride *= stride_cut;
            continue;
        }
        if (crm_newton_evaluate(n) <= n->tolerance) return true;
        set_metric(f);
        set_tangent(f);
        if (corrections <= 2) stride = fmin(2.0 * stride, most_stride);
        if (corrections >= 4) stride *= 0.7;
    }
    return false;
}

bool crm_path(crm_newton *n, int steps, double width) {
    follower f = {.n = n, .steps = steps, .round_off = round_off};
    crm_newton_start(n, NULL);
    f.width0 = width * map_norm(&f, n->u, n->r, 0.0);
    if (!(f.width0 > 0.0)) return false;
    set_parameter(&f, 0.0);
    bool met = follow(&f);
    f.round_off = 0.0;
    set_parameter(&f, INFINITY); // the laws as they were
    return met;
}

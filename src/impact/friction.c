// SPDX-License-Identifier: MIT
// Regimes of friction, and the pieces that they make.
#include "impact/friction.h"

#include <float.h>
#include <math.h>

// Slip below this part of |u-| is none: it is what rounding leaves of velocities that cancel.
static const double no_slip = 1e-14;
// Slip rotates at less than this part of the rates that there are: the rounding of those rates.
static const double straight_rate = 4e-16;
// Eigenvalues of A below this part of the largest are those of directions in which nothing can move.
static const double singular_share = 1e-12;

static crm_tangential a_times(const crm_friction *f, crm_tangential x) {
    return (crm_tangential){f->a_xx * x.x + f->a_xy * x.y, f->a_xy * x.x + f->a_yy * x.y};
}

static double dot(crm_tangential a, crm_tangential b) {
    return a.x * b.x + a.y * b.y;
}

static crm_tangential scaled(double s, crm_tangential a) {
    return (crm_tangential){s * a.x, s * a.y};
}

// A = Q diag(values) Q^T, values[0] the smaller one; Q's first column.
static void eigen(const crm_friction *f, double values[2], crm_tangential *first) {
    double half_difference = 0.5 * (f->a_xx - f->a_yy), mean = 0.5 * (f->a_xx + f->a_yy);
    double radius = hypot(half_difference, f->a_xy);
    values[1] = mean + radius;
    // The determinant over the larger one: the difference would lose the digits of a small one.
    values[0] = values[1] > 0.0 ? (f->a_xx * f->a_yy - f->a_xy * f->a_xy) / values[1] : 0.0;
    // The eigenvector of the larger one has the angle phi with tan 2 phi = a_xy / half_difference.
    double angle = 0.5 * atan2(f->a_xy, half_difference);
    *first = (crm_tangential){-sin(angle), cos(angle)};
}

// (c A + l)^-1 b, in the eigenvectors of A; directions that cannot move are left out.
static crm_tangential shifted_solve(const double values[2], crm_tangential first, crm_tangential b, double c,
                                    double l) {
    double floor = singular_share * values[1];
    double along = dot(first, b), across = first.x * b.y - first.y * b.x;
    double u = values[0] > floor ? along / (c * values[0] + l) : 0.0;
    double w = values[1] > 0.0 ? across / (c * values[1] + l) : 0.0;
    return (crm_tangential){u * first.x - w * first.y, u * first.y + w * first.x};
}

// The direction in which slip begins when sticking is not possible: (mu A + l) s = b with |s| = 1. |s| falls as l
// grows, from more than 1 at l = 0 to less than 1 at l = |b|; 1/|s| is nearly linear in l, so that Newton's method on
// it from the left converges without overshooting (More and Sorensen).
static crm_tangential slide_off_direction(const crm_friction *f) {
    double values[2], l = 0.0;
    crm_tangential first, s;
    eigen(f, values, &first);
    for (int i = 0;; i++) {
        s = shifted_solve(values, first, f->b, f->mu, l);
        double size = sqrt(dot(s, s));
        crm_tangential ds = shifted_solve(values, first, s, f->mu, l); // -ds/dl
        double change = (size - 1.0) * dot(s, s) / dot(s, ds);
        if (i == 60 || !(change > DBL_EPSILON * l)) return scaled(1.0 / size, s);
        l += change;
    }
}

// How fast slip along the unit vector s changes its size, |x| per p, and its direction, |x| times the angle per p.
static void slip_rates(const crm_friction *f, crm_tangential s, double *growth, double *rotation) {
    crm_tangential as = a_times(f, s);
    double x = f->b.x - f->mu * as.x, y = f->b.y - f->mu * as.y;
    *growth = s.x * x + s.y * y;
    *rotation = s.x * y - s.y * x;
}

crm_regime crm_friction_regime(const crm_friction *f, crm_tangential slip) {
    if (f->mu == 0.0) return (crm_regime){.phase = CAROM_IMPACT_PHASE_FRICTIONLESS};
    if (hypot(slip.x, slip.y) > no_slip) return (crm_regime){.phase = CAROM_IMPACT_PHASE_SLIDE, .rotating = true};
    double values[2];
    crm_tangential first;
    eigen(f, values, &first);
    crm_tangential needed = shifted_solve(values, first, f->b, 1.0, 0.0);
    if (hypot(needed.x, needed.y) <= f->mu)
        return (crm_regime){.phase = CAROM_IMPACT_PHASE_STICK, .rate = scaled(-1.0, needed)};
    return (crm_regime){.phase = CAROM_IMPACT_PHASE_SLIDE_OFF, .rate = scaled(-f->mu, slide_off_direction(f))};
}

// Slip along x that keeps its direction, to rounding: because it began so, or because it has come into the direction
// in which it stays; or slip that stops soon, and is so little that its rotation no longer matters. (Where slip grows,
// a wrong direction matters however little there is.)
static bool is_straight(const crm_friction *f, crm_tangential slip, double speed) {
    double growth, rotation;
    slip_rates(f, scaled(1.0 / speed, slip), &growth, &rotation);
    double rate = hypot(f->b.x, f->b.y) + f->mu * (f->a_xx + f->a_yy);
    double length = growth < 0.0 ? fmin(1.0, speed / -growth) : 1.0; // in p; an impact is of size 1
    return fabs(rotation) * length <= straight_rate * rate;
}

// In a mechanism sticking may lock the normal direction too: K is singular, and dv/dp is what rounding leaves of zero.
static const double wedged_slope = 1e-12;

static void straight_piece(const crm_friction *f, crm_tangential rate, crm_piece *piece) {
    crm_tangential at = a_times(f, rate);
    piece->rotating = piece->stops = false;
    piece->length = INFINITY;
    piece->rate = rate;
    piece->slip_rate = (crm_tangential){f->b.x + at.x, f->b.y + at.y};
    piece->slope = 1.0 + dot(f->b, rate);
    if (fabs(piece->slope) < wedged_slope) piece->slope = 0.0;
}

// The coefficients of t^(k+1), from those up to t^k.
static void rotating_term(const crm_friction *f, crm_piece *c, int k) {
    double next = 1.0 / (k + 1), work = 0.0;
    double x = c->slip_x[k], y = c->slip_y[k], r = c->speed[k];
    c->slip_x[k + 1] = next * (r * f->b.x - f->mu * (f->a_xx * x + f->a_xy * y));
    c->slip_y[k + 1] = next * (r * f->b.y - f->mu * (f->a_xy * x + f->a_yy * y));
    c->approach[k + 1] = next * (r - f->mu * (f->b.x * x + f->b.y * y));
    c->normal[k + 1] = next * r;
    c->impulse_x[k + 1] = -next * f->mu * x;
    c->impulse_y[k + 1] = -next * f->mu * y;
    for (int i = 0; i <= k; i++) work += c->approach[i] * c->speed[k - i];
    c->work[k + 1] = next * work;
    // |x|^2 = x.x, term by term.
    double square = 0.0;
    for (int i = 0; i <= k + 1; i++)
        square += c->slip_x[i] * c->slip_x[k + 1 - i] + c->slip_y[i] * c->slip_y[k + 1 - i];
    for (int i = 1; i <= k; i++) square -= c->speed[i] * c->speed[k + 1 - i];
    c->speed[k + 1] = square / (2.0 * c->speed[0]);
}

// Jorba and Zou, "A software package for the numerical integration of ODEs by means of high-order Taylor methods"
// (2005): the radius of convergence from the last two terms, and 1/e^2 of it.
static double rotating_length(const crm_piece *c) {
    double radius = INFINITY;
    for (int k = CRM_SLIDE_ORDER - 1; k <= CRM_SLIDE_ORDER; k++) {
        double term = fmax(hypot(c->slip_x[k], c->slip_y[k]), fabs(c->speed[k]));
        radius = fmin(radius, pow(c->speed[0] / term, 1.0 / k));
    }
    return radius * exp(-2.0);
}

static void rotating_piece(const crm_friction *f, const crm_impact_state *state, crm_piece *piece) {
    piece->rotating = true;
    piece->stops = false;
    piece->slip_x[0] = state->slip.x;
    piece->slip_y[0] = state->slip.y;
    piece->speed[0] = hypot(state->slip.x, state->slip.y);
    piece->approach[0] = state->approach;
    piece->normal[0] = state->normal;
    piece->work[0] = state->work;
    piece->impulse_x[0] = state->impulse.x;
    piece->impulse_y[0] = state->impulse.y;
    for (int k = 0; k < CRM_SLIDE_ORDER; k++) rotating_term(f, piece, k);
    piece->length = rotating_length(piece);
}

// Slip that keeps its direction s = -rate/mu, until it stops: at once, when a goal was reached where nothing is left of
// it.
static void sliding_piece(const crm_friction *f, crm_tangential slip, crm_tangential rate, crm_piece *piece) {
    straight_piece(f, rate, piece);
    double left = -dot(slip, rate), growth = -dot(piece->slip_rate, rate);
    piece->stops = left <= 0.0 || growth < 0.0;
    if (piece->stops) piece->length = left <= 0.0 ? 0.0 : left / -growth;
}

void crm_friction_piece(const crm_friction *f, const crm_impact_state *state, crm_regime *regime, crm_piece *piece) {
    if (regime->phase != CAROM_IMPACT_PHASE_SLIDE) {
        straight_piece(f, regime->rate, piece);
        return;
    }
    double speed = hypot(state->slip.x, state->slip.y);
    if (regime->rotating && speed > 0.0) {
        if (!is_straight(f, state->slip, speed)) {
            rotating_piece(f, state, piece);
            return;
        }
        regime->rotating = false;
        regime->rate = scaled(-f->mu / speed, state->slip);
    }
    sliding_piece(f, state->slip, regime->rate, piece);
}

static double value_at(const double *c, double t) {
    double value = c[CRM_SLIDE_ORDER];
    for (int k = CRM_SLIDE_ORDER - 1; k >= 0; k--) value = value * t + c[k];
    return value;
}

crm_impact_state crm_piece_at(const crm_piece *piece, const crm_impact_state *start, double t) {
    if (piece->rotating)
        return (crm_impact_state){
            .slip = {value_at(piece->slip_x, t), value_at(piece->slip_y, t)},
            .approach = value_at(piece->approach, t),
            .normal = value_at(piece->normal, t),
            .impulse = {value_at(piece->impulse_x, t), value_at(piece->impulse_y, t)},
            .work = value_at(piece->work, t),
        };
    crm_impact_state s = *start;
    bool stopped = piece->stops && t >= piece->length;
    s.slip.x = stopped ? 0.0 : s.slip.x + t * piece->slip_rate.x;
    s.slip.y = stopped ? 0.0 : s.slip.y + t * piece->slip_rate.y;
    s.work += t * (s.approach + 0.5 * t * piece->slope);
    s.approach += t * piece->slope;
    s.normal += t;
    s.impulse.x += t * piece->rate.x;
    s.impulse.y += t * piece->rate.y;
    return s;
}

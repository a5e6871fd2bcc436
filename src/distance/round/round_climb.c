// SPDX-License-Identifier: MIT
// Newton steps with active vertices (docs/math.md 4.5). At n with v = F/N, F - v N is climbed: by second
// derivatives of the smooth part, by a few of the linear pieces n.(c + b - a) for the rest. A step that ends below its
// promise because of a vertex that was not known adds it; otherwise it is halved.
//
// The chart. F - v N is of degree 1, so that one unknown of the three is idle. The other two run in the plane through n
// that is normal to n in the metric M = Q_A/a_A + Q_B/a_B + radius, n = G m with |m| = 1, G^T M G = 1. In it the round
// part of a single ellipsoid is a ball, and a needle is as easy to climb as a marble. The gap of bodies that are
// apart adds itself to the radius.
#include "distance/round/round_climb.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

// Largest step of m, whose length is 1.
static const double largest_step = 1.0;

// The error after a step of this length is of the order of its square.
static const double last_step = 1e-9;

// A step may bring n.beta down to this share of itself: |alpha| grows tenfold in a step at most.
static const double least_share = 0.1;

// Beyond this |alpha| the ray counts as passing by: less than half of the digits of its value would be right.
static const double largest_alpha = 1e9;

enum { ITERATION_LIMIT = 200, HALVING_LIMIT = 40 };

// So many steps may end at unknown vertices before steps are made shorter.
enum { FREE_MISSES = 3 };

// ---- the problem

// Upper triangular G with G^T M G = 1 from M = L L^T: G = L^-T. A metric that is singular to rounding is made definite.
static carom_mat3 chart_of(carom_mat3 m) {
    double least = 1e-15 * crm_mat3_trace(m);
    double l11 = sqrt(m.x.x), l21 = m.x.y / l11, l31 = m.x.z / l11;
    double d22 = m.y.y - l21 * l21, l22 = sqrt(d22 > least ? d22 : least), l32 = (m.y.z - l31 * l21) / l22;
    double d33 = m.z.z - l31 * l31 - l32 * l32, l33 = sqrt(d33 > least ? d33 : least);
    double g11 = 1.0 / l11, g22 = 1.0 / l22, g33 = 1.0 / l33;
    double g12 = -l21 * g11 * g22, g23 = -l32 * g22 * g33, g13 = -(l31 * g11 + l32 * g12) * g33;
    return crm_mat3_columns(crm_vec3(g11, 0.0, 0.0), crm_vec3(g12, g22, 0.0), crm_vec3(g13, g23, g33));
}

static carom_mat3 add_metric(carom_mat3 m, const crm_side *side) {
    if (side->roundness != CRM_ELLIPSOID) return m;
    carom_vec3 squares = crm_vec3_mul(side->half_axes, side->half_axes);
    double scale = 1.0 / crm_max_component(side->half_axes);
    return crm_mat3_add(m, crm_congruence_diagonal(side->rotation, crm_scale(scale, squares)));
}

static carom_mat3 chart_with(const crm_round_problem *p, double radius) {
    if (p->a->roundness != CRM_ELLIPSOID && p->b->roundness != CRM_ELLIPSOID) return crm_mat3_identity();
    return chart_of(add_metric(add_metric(crm_mat3_diagonal(crm_vec3(radius, radius, radius)), p->a), p->b));
}

crm_round_problem crm_round_problem_of(const crm_side *a, const crm_side *b, const carom_vec3 *beta) {
    carom_vec3 c = crm_sub(b->centre, a->centre);
    crm_round_problem p = {.a = a, .b = b, .ray = beta != NULL, .offset = c, .size = a->size + b->size};
    p.radius = a->radius + b->radius;
    if (p.ray) {
        p.beta = *beta;
        double along = crm_dot(c, *beta);
        p.offset = crm_madd(c, -along, *beta);
        // From centre to centre: what is left is rounding of beta.
        if (crm_length(p.offset) <= 4.0 * DBL_EPSILON * fabs(along)) p.offset = crm_vec3_zero();
    }
    p.slack = 4.0 * DBL_EPSILON * (p.size + crm_length(p.offset));
    p.chart = chart_with(&p, p.radius);
    return p;
}

// m from n, by the triangular G.
static carom_vec3 to_chart(const carom_mat3 *g, carom_vec3 n) {
    double z = n.z / g->z.z, y = (n.y - g->z.y * z) / g->y.y;
    return crm_vec3((n.x - g->y.x * y - g->z.x * z) / g->x.x, y, z);
}

// ---- F and its pieces

typedef struct sample {
    carom_vec3 n, m; // |m| = 1
    double f, norm, value;
    crm_round_piece piece;
    carom_vec3 round_a, round_b;
} sample;

static carom_vec3 difference(const crm_round_piece *piece) {
    return crm_sub(piece->arm_b, piece->arm_a);
}

static crm_round_piece make_piece(const crm_round_problem *p, int a, int b) {
    return (crm_round_piece){.a = a, .b = b, .arm_a = crm_core_arm(p->a, a), .arm_b = crm_core_arm(p->b, b)};
}

static sample sample_at(crm_round_problem *p, carom_vec3 m, int guess_a, int guess_b) {
    sample s;
    s.m = crm_scale(1.0 / crm_length(m), m);
    s.n = crm_mat3_apply(p->chart, s.m);
    s.piece = make_piece(p, p->a->vertex_count == 1 ? 0 : crm_core_support(p->a, s.n, guess_a),
                         p->b->vertex_count == 1 ? 0 : crm_core_support(p->b, crm_negate(s.n), guess_b));
    double round = crm_round_support(p->a, s.n, &s.round_a) + crm_round_support(p->b, s.n, &s.round_b);
    s.f = crm_dot(s.n, crm_add(p->offset, difference(&s.piece))) - round;
    s.norm = p->ray ? crm_dot(s.n, p->beta) : crm_length(s.n);
    s.value = s.f / s.norm;
    p->supports++;
    return s;
}

// A gap that is positive adds its ball, value |n|, to the round part, and to the chart.
static void take_chart_of_gap(crm_round_problem *p, sample *s) {
    p->chart = chart_with(p, p->radius + fabs(s->value));
    double scale = 1.0 / crm_normalise(to_chart(&p->chart, s->n), &s->m);
    s->n = crm_scale(scale, s->n);
    s->f *= scale;
    s->norm *= scale;
}

// ---- the model

// Adds weight (u_i x n).(u_j x n)/|n|^3, the second derivative of weight |n|, to K.
static void add_curvature(double weight, carom_vec3 n, carom_vec3 u1, carom_vec3 u2, crm_bundle *model) {
    double square = crm_length_squared(n), scale = weight / (square * sqrt(square));
    carom_vec3 c1 = crm_cross(u1, n), c2 = crm_cross(u2, n);
    model->k11 += scale * crm_dot(c1, c1);
    model->k12 += scale * crm_dot(c1, c2);
    model->k22 += scale * crm_dot(c2, c2);
}

// The same of sqrt(n.Q n) = |a R^T n|.
static void add_ellipsoid_curvature(const crm_side *side, carom_vec3 n, carom_vec3 u1, carom_vec3 u2,
                                    crm_bundle *model) {
    if (side->roundness != CRM_ELLIPSOID) return;
    add_curvature(1.0, crm_vec3_mul(side->half_axes, crm_mat3_apply_t(side->rotation, n)),
                  crm_vec3_mul(side->half_axes, crm_mat3_apply_t(side->rotation, u1)),
                  crm_vec3_mul(side->half_axes, crm_mat3_apply_t(side->rotation, u2)), model);
}

// Makes K definite. Of the gap of overlapping bodies it need not be; where two pieces are active it must be along their
// edge only, and is changed across it only. `floor` is small against a usual K.
static void make_definite(crm_bundle *model, double floor, const crm_round_summit *at) {
    double half = 0.5 * (model->k11 - model->k22);
    double least = 0.5 * (model->k11 + model->k22) - sqrt(half * half + model->k12 * model->k12);
    if (least >= floor) return;
    double square = INFINITY;
    for (int i = 0; i < model->count; i++) {
        double g = model->g[i][0] * model->g[i][0] + model->g[i][1] * model->g[i][1];
        square = g < square ? g : square;
    }
    // A maximum whose curvature nearly vanishes would be approached by ever smaller steps if it were shifted: leave it.
    if (least > 0.0 && square < 0.01 * least * least) return;
    int first = -1, second = -1, active = 0;
    for (int i = 0; i < at->count; i++) {
        if (!(at->piece[i].weight > 0.0)) continue;
        second = first;
        first = i;
        active++;
    }
    if (active == 2) {
        double x = model->g[first][0] - model->g[second][0], y = model->g[first][1] - model->g[second][1];
        double length = sqrt(x * x + y * y);
        x /= length;
        y /= length;
        double along = y * y * model->k11 - 2.0 * x * y * model->k12 + x * x * model->k22;
        double mixed = x * y * (model->k22 - model->k11) + (x * x - y * y) * model->k12;
        if (along > floor) {
            double across = x * x * model->k11 + 2.0 * x * y * model->k12 + y * y * model->k22;
            double wanted = floor + 2.0 * mixed * mixed / along;
            double more = across < wanted ? wanted - across : 0.0;
            model->k11 += more * x * x;
            model->k12 += more * x * y;
            model->k22 += more * y * y;
            return;
        }
    }
    model->k11 += floor - least;
    model->k22 += floor - least;
}

// The model of F - value N around `s` on the tangents t1, t2 of m.
static void build_model(const crm_round_problem *p, const sample *s, const crm_round_summit *at, carom_vec3 t1,
                        carom_vec3 t2, crm_bundle *model) {
    carom_vec3 u1 = crm_mat3_apply(p->chart, t1), u2 = crm_mat3_apply(p->chart, t2);
    carom_vec3 unit = p->ray ? p->beta : crm_scale(1.0 / s->norm, s->n);
    carom_vec3 rest = crm_sub(p->offset, crm_add(s->round_a, s->round_b));
    rest = crm_madd(rest, -s->value, unit);
    model->count = at->count;
    for (int i = 0; i < at->count; i++) {
        carom_vec3 g = crm_add(rest, difference(&at->piece[i]));
        // Against the piece at hand, whose e is 0: the difference of vertices has no rounding of the sizes.
        model->e[i] = crm_dot(s->n, crm_sub(difference(&at->piece[i]), difference(&s->piece)));
        model->g[i][0] = crm_dot(u1, g);
        model->g[i][1] = crm_dot(u2, g);
    }
    model->k11 = model->k12 = model->k22 = 0.0;
    double radius = p->ray ? p->radius : p->radius + s->value;
    if (radius != 0.0) add_curvature(radius, s->n, u1, u2, model);
    add_ellipsoid_curvature(p->a, s->n, u1, u2, model);
    add_ellipsoid_curvature(p->b, s->n, u1, u2, model);
    if (!p->ray && s->value < 0.0)
        make_definite(model, 1e-3 * (fabs(s->f) + crm_dot(s->n, crm_add(s->round_a, s->round_b))), at);
}

// Shorter steps: K grows fourfold each time.
static void stiffen(crm_bundle *model, int times) {
    double more = ldexp(0.25 * (model->k11 + model->k22), 2 * times);
    model->k11 += more;
    model->k22 += more;
}

// ---- climbing

// Keeps the pieces with weight and adds one.
static void renew_pieces(crm_round_summit *at, const crm_round_piece *piece) {
    bool known = crm_round_knows(at, piece->a, piece->b);
    int kept = 0;
    for (int i = 0; i < at->count; i++) {
        bool same = at->piece[i].a == piece->a && at->piece[i].b == piece->b;
        if (at->piece[i].weight > 0.0 || same) at->piece[kept++] = at->piece[i];
    }
    at->count = kept;
    if (!known && kept < CRM_BUNDLE_PIECES) at->piece[at->count++] = *piece;
}

// How far offset + sum of weighted pieces - round parts is from value times beta or n.
static double residual_of(const crm_round_problem *p, const sample *s, const crm_round_summit *at) {
    carom_vec3 x = crm_sub(p->offset, crm_add(s->round_a, s->round_b));
    for (int i = 0; i < at->count; i++) x = crm_madd(x, at->piece[i].weight, difference(&at->piece[i]));
    return crm_length(crm_madd(x, -s->value / (p->ray ? 1.0 : s->norm), p->ray ? p->beta : s->n));
}

// Shortens a step of the ray that would lead beyond n.beta = 0 and looks there whether the line passes by.
static bool stay_before_horizon(crm_round_problem *p, const sample *s, carom_vec3 *step, crm_round_summit *at) {
    double change = crm_dot(crm_mat3_apply(p->chart, *step), p->beta);
    if (s->norm + change >= least_share * s->norm) return true;
    carom_vec3 there = crm_madd(s->m, -s->norm / change, *step);
    sample horizon = sample_at(p, there, s->piece.a, s->piece.b);
    double longest = largest_alpha * s->norm;
    if (horizon.f > p->slack * crm_length(horizon.n) || longest < crm_length(s->n)) {
        // What rounding left of n.beta is taken away.
        at->n = crm_madd(horizon.n, -crm_dot(horizon.n, p->beta), p->beta);
        at->misses = true;
        return false;
    }
    *step = crm_scale((1.0 - least_share) * -s->norm / change, *step);
    return true;
}

static void finish(const crm_round_problem *p, const sample *s, crm_round_summit *at) {
    at->n = s->n;
    at->value = s->value;
    at->round_a = s->round_a;
    at->round_b = s->round_b;
    at->residual = residual_of(p, s, at);
}

// After a step of this length: the points agree with n and the value, which proves all three, or it was so short that
// another one would change nothing. A short step alone tells little where K had to be made definite: `left`, what the
// step before has left of the residual, must not have been much more.
static bool is_last(const crm_round_problem *p, const sample *s, const crm_round_summit *at, double length,
                    double *left) {
    if (length > 1e-4) return false;
    double before = *left;
    *left = residual_of(p, s, at);
    return *left <= p->slack || (length <= last_step && *left > 0.5 * before);
}

void crm_round_climb(crm_round_problem *p, crm_round_summit *at) {
    at->misses = false;
    at->iterations = 0;
    for (int i = 0; i < at->count; i++) at->piece[i] = make_piece(p, at->piece[i].a, at->piece[i].b);
    int guess_a = at->count > 0 ? at->piece[0].a : -1, guess_b = at->count > 0 ? at->piece[0].b : -1;
    sample s = sample_at(p, to_chart(&p->chart, at->n), guess_a, guess_b);
    if (!p->ray) take_chart_of_gap(p, &s);
    if (!crm_round_knows(at, s.piece.a, s.piece.b)) {
        if (at->count == CRM_BUNDLE_PIECES) at->count--;
        at->piece[at->count++] = s.piece;
    }
    int misses = 0; // steps that ended at a vertex that was not known, less those that moved
    double left = INFINITY;
    while (at->iterations++ < ITERATION_LIMIT) {
        carom_vec3 t1, t2;
        crm_tangents(s.m, &t1, &t2);
        crm_bundle model;
        build_model(p, &s, at, t1, t2, &model);
        if (misses > FREE_MISSES) stiffen(&model, misses - FREE_MISSES);
        crm_bundle_solve(&model);
        for (int i = 0; i < at->count; i++) at->piece[i].weight = model.weight[i];
        carom_vec3 step = crm_add(crm_scale(model.w[0], t1), crm_scale(model.w[1], t2));
        double length = crm_length(step);
        if (!(length <= largest_step)) step = crm_scale(largest_step / length, step);
        if (p->ray && !stay_before_horizon(p, &s, &step, at)) return;

        bool moved = false, cut = false;
        for (int k = 0; k < HALVING_LIMIT && !moved && !cut; k++, step = crm_scale(0.5, step)) {
            sample next = sample_at(p, crm_add(s.m, step), s.piece.a, s.piece.b);
            double rise = next.value - s.value;
            // At the end the value grows by no more than its rounding: small steps are taken on trust.
            moved = rise > 0.0 || (length < 1e-4 && rise >= -16.0 * p->slack * crm_length(s.n) / s.norm);
            if (moved || !crm_round_knows(at, next.piece.a, next.piece.b)) {
                cut = !crm_round_knows(at, next.piece.a, next.piece.b);
                if (moved) s = next;
                renew_pieces(at, &next.piece);
            }
        }
        misses = moved ? misses / 2 : misses + 1;
        if ((!moved && !cut) || (moved && !cut && is_last(p, &s, at, length, &left))) break;
    }
    finish(p, &s, at);
}

// SPDX-License-Identifier: MIT
// Least sum of squares of all weights w >= 0 with sum 1 on each body and the two weighted means on each other. With g =
// (x, y, 1, 0) for a vertex of A and (-x, -y, 0, 1) for one of B, (x, y) its arm from the anchor in the face, this asks
// for G w = (0, 0, 1, 1). The conditions of optimality are w = max(0, G^T m): four unknowns, whatever the number of
// vertices, and the equations are the gradient of the convex, piecewise quadratic
//   F(m) = 1/2 sum of max(0, g.m)^2 - m_3 - m_4.
// Newton's method on it, the Hessian shifted a little where vertices are too few to make it definite, ends after
// finitely many steps; further ones take off what the shift has left. docs/math.md 3.6.
#include "distance/ties/least_weights.h"

#include <float.h>

// Carriers are kept in lists of this length; of longer ones only a part at a time.
enum { LIST_LENGTH = 64, MOST_STEPS = 60, MOST_CUTS = 60 };

// Relative to the Hessian with all vertices.
static const double shift = 1e-14;
// Errors of sums that are 1 and of means relative to the arms: nothing is left to be gained; good enough to be used.
static const double exact = 4e-15, usable = 1e-12;
// Weights below are the rounding of zero.
static const double weight_floor = 1e-12;
// Least over largest moment of vertices that do not lie on a line.
static const double flat = 1e-14;
// The same of a face so thin that its axes matter.
static const double thin = 1e-6;

typedef struct carriers {
    const crm_weighting *of;
    double sign; // -1 for B
    bool whole;  // the list has all of them
    int count;
    int vertex[LIST_LENGTH];
    double x[LIST_LENGTH], y[LIST_LENGTH]; // times the sign
} carriers;

// Sums over the vertices of one side with positive weight: of 1, the arms and their products, of the weights and their
// products with the arms.
typedef struct sums {
    double n, x, y, xx, xy, yy, w, wx, wy;
} sums;

typedef struct point4 {
    double x, y, a, b; // slope, level of A, level of B
} point4;

typedef struct iterate {
    point4 m, missing; // of the four equations
    sums sum[2];
} iterate;

typedef struct search {
    carriers list[2];
    double shift_x, shift_y, level_shift, arm; // arm: typical length, m
} search;

bool crm_arm_in_face(const crm_weighting *w, int vertex, double *x, double *y) {
    carom_vec3 arm = crm_sub(w->side->vertex[vertex], w->anchor);
    *x = *y = 0.0;
    if (w->dimension == 2) {
        if (!(fabs(crm_dot(w->axis[2], arm)) <= w->off_plane)) return false;
        *x = crm_dot(w->axis[0], arm);
        *y = crm_dot(w->axis[1], arm);
        return true;
    }
    if (w->dimension == 1) {
        *x = crm_dot(w->axis[0], arm);
        arm = crm_madd(arm, -*x, w->axis[0]);
    }
    return crm_length_squared(arm) <= w->off_plane * w->off_plane;
}

double crm_weight_of(const crm_weighting *weighting, int vertex) {
    double x, y;
    if (!crm_arm_in_face(weighting, vertex, &x, &y)) return 0.0;
    double weight = weighting->level + weighting->slope[0] * x + weighting->slope[1] * y;
    return weight > weight_floor ? weight : 0.0;
}

// Lists carriers from vertex `from` on and gives the vertex to go on from. A list that has all is left as it is.
static int load(carriers *c, int from) {
    const crm_weighting *w = c->of;
    if (c->whole) return w->side->vertex_count;
    int vertex = from;
    for (c->count = 0; vertex < w->side->vertex_count && c->count < LIST_LENGTH; vertex++) {
        double x, y;
        if (!crm_arm_in_face(w, vertex, &x, &y)) continue;
        c->vertex[c->count] = vertex;
        c->x[c->count] = c->sign * x;
        c->y[c->count++] = c->sign * y;
    }
    c->whole = from == 0 && vertex == w->side->vertex_count;
    return vertex;
}

static void add(sums *s, double x, double y, double w) {
    s->n += 1.0;
    s->x += x;
    s->y += y;
    s->xx += x * x;
    s->xy += x * y;
    s->yy += y * y;
    s->w += w;
    s->wx += w * x;
    s->wy += w * y;
}

// At the slope and level of `m`; NULL: all vertices count, with no weight.
static sums sum_up(carriers *c, const point4 *m, double level) {
    sums s = {0};
    for (int from = 0; from < c->of->side->vertex_count;) {
        from = load(c, from);
        for (int i = 0; i < c->count; i++) {
            double w = m == NULL ? 0.0 : level + m->x * c->x[i] + m->y * c->y[i];
            if (w > 0.0 || m == NULL) add(&s, c->x[i], c->y[i], w);
        }
    }
    return s;
}

static iterate evaluate(search *s, point4 m) {
    iterate i = {.m = m, .sum = {sum_up(&s->list[0], &m, m.a), sum_up(&s->list[1], &m, m.b)}};
    const sums *a = &i.sum[0], *b = &i.sum[1];
    i.missing = (point4){-(a->wx + b->wx), -(a->wy + b->wy), 1.0 - a->w, 1.0 - b->w};
    return i;
}

static double error_of(const search *s, point4 r) {
    double mean = s->arm > 0.0 ? (fabs(r.x) + fabs(r.y)) / s->arm : 0.0;
    return fmax(mean, fmax(fabs(r.a), fabs(r.b)));
}

static double dot4(point4 p, point4 q) {
    return p.x * q.x + p.y * q.y + p.a * q.a + p.b * q.b;
}

static point4 along4(point4 p, double s, point4 d) {
    return (point4){p.x + s * d.x, p.y + s * d.y, p.a + s * d.a, p.b + s * d.b};
}

// (H + shift) d = r, the levels eliminated first.
static point4 newton_step(const search *s, const sums *a, const sums *b, point4 r) {
    double na = 1.0 / (a->n + s->level_shift), nb = 1.0 / (b->n + s->level_shift);
    double xx = a->xx + b->xx - na * a->x * a->x - nb * b->x * b->x + s->shift_x;
    double xy = a->xy + b->xy - na * a->x * a->y - nb * b->x * b->y;
    double yy = a->yy + b->yy - na * a->y * a->y - nb * b->y * b->y + s->shift_y;
    double rx = r.x - na * a->x * r.a - nb * b->x * r.b, ry = r.y - na * a->y * r.a - nb * b->y * r.b;
    double determinant = xx * yy - xy * xy;
    point4 d = {0.0, 0.0, 0.0, 0.0};
    if (determinant > 0.0) {
        d.x = (yy * rx - xy * ry) / determinant;
        d.y = (xx * ry - xy * rx) / determinant;
    }
    d.a = na * (r.a - a->x * d.x - a->y * d.y);
    d.b = nb * (r.b - b->x * d.x - b->y * d.y);
    return d;
}

// Moments of one side's vertices about their mean.
static void central(const sums *s, double *xx, double *xy, double *yy) {
    *xx = s->xx - s->x * s->x / s->n;
    *xy = s->xy - s->x * s->y / s->n;
    *yy = s->yy - s->y * s->y / s->n;
}

static int span_of(const sums *s, double off_plane) {
    double xx, xy, yy;
    central(s, &xx, &xy, &yy);
    if (!(xx + yy > s->n * off_plane * off_plane)) return 0;
    return xx * yy - xy * xy > flat * (xx + yy) * (xx + yy) ? 2 : 1;
}

// Rotates the axes of a face to its principal ones, so that a thin one has its short side to itself.
static void align(search *s, crm_weighting out[2], const sums all[2]) {
    double moment[2][3];
    for (int k = 0; k < 2; k++) central(&all[k], &moment[k][0], &moment[k][1], &moment[k][2]);
    double angle =
        0.5 * atan2(2.0 * (moment[0][1] + moment[1][1]), moment[0][0] + moment[1][0] - moment[0][2] - moment[1][2]);
    double c = cos(angle), d = sin(angle);
    for (int k = 0; k < 2; k++) {
        carom_vec3 x = out[k].axis[0], y = out[k].axis[1];
        out[k].axis[0] = crm_madd(crm_scale(c, x), d, y);
        out[k].axis[1] = crm_madd(crm_scale(c, y), -d, x);
        s->list[k].whole = false;
    }
}

// Starts with the weights of least squares that may be negative.
static point4 start(search *s, crm_weighting out[2]) {
    sums all[2] = {sum_up(&s->list[0], NULL, 0.0), sum_up(&s->list[1], NULL, 0.0)};
    for (int k = 0; k < 2; k++) {
        out[k].vertex_count = (int)all[k].n;
        out[k].span = span_of(&all[k], out[k].off_plane);
    }
    double xx = all[0].xx + all[1].xx, xy = all[0].xy + all[1].xy, yy = all[0].yy + all[1].yy;
    if (out[0].dimension == 2 && xx * yy - xy * xy < thin * (xx + yy) * (xx + yy)) {
        align(s, out, all);
        for (int k = 0; k < 2; k++) all[k] = sum_up(&s->list[k], NULL, 0.0);
        xx = all[0].xx + all[1].xx;
        yy = all[0].yy + all[1].yy;
    }
    double n = all[0].n + all[1].n;
    s->arm = sqrt((xx + yy) / n);
    s->shift_x = xx > 0.0 ? shift * xx : 1.0;
    s->shift_y = yy > 0.0 ? shift * yy : 1.0;
    s->level_shift = shift * n;
    return newton_step(s, &all[0], &all[1], (point4){0.0, 0.0, 1.0, 1.0});
}

// Goes along `d`, a direction in which F falls. The whole step unless F rises at its end by half as much as it falls at
// the start; then to a point where its slope is smaller than that, between what is too short and what is too far.
static iterate go(search *s, const iterate *from, point4 d) {
    double fall = dot4(from->missing, d), low = 0.0, high = 1.0, low_fall = fall, high_fall = 0.0, length = 1.0;
    iterate next = evaluate(s, along4(from->m, 1.0, d));
    for (int k = 0; k < MOST_CUTS; k++) {
        double here = dot4(next.missing, d);
        if (here >= -0.5 * fall && (here <= 0.9 * fall || length == 1.0)) break;
        if (here < 0.0) {
            high = length;
            high_fall = here;
        } else {
            low = length;
            low_fall = here;
        }
        double part = k % 3 == 2 ? 0.5 : low_fall / (low_fall - high_fall);
        length = low + part * (high - low);
        next = evaluate(s, along4(from->m, length, d));
    }
    return next;
}

// The touch and the mean that belong to the weights. The mean stays in the face, whatever the vertices are off it: the
// difference of both is that of the anchors.
static void write_touch(carriers *c, crm_weighting *w, carom_touch *touch) {
    double sx = c->sign * w->slope[0], sy = c->sign * w->slope[1], x = 0.0, y = 0.0;
    touch->vertex_count = 0;
    for (int from = 0; from < w->side->vertex_count;) {
        from = load(c, from);
        for (int i = 0; i < c->count; i++) {
            double weight = w->level + sx * c->x[i] + sy * c->y[i];
            if (!(weight > weight_floor)) continue;
            x += weight * c->x[i];
            y += weight * c->y[i];
            if (touch->vertex_count < CAROM_TOUCH_VERTICES) {
                touch->vertices[touch->vertex_count] = c->vertex[i];
                touch->weights[touch->vertex_count] = weight;
            }
            touch->vertex_count++;
        }
    }
    w->mean = w->anchor;
    if (w->dimension > 0) w->mean = crm_madd(w->mean, c->sign * x, w->axis[0]);
    if (w->dimension > 1) w->mean = crm_madd(w->mean, c->sign * y, w->axis[1]);
}

void crm_weighting_begin(const crm_side *side, const crm_pierced_face *face, int number, crm_weighting *out) {
    out->side = side;
    out->anchor = face->anchor[number];
    out->dimension = face->dimension;
    out->off_plane = face->off_plane[number];
    int axes = face->dimension == 2 ? 3 : face->dimension;
    for (int k = 0; k < axes; k++) out->axis[k] = crm_mat3_apply_t(side->rotation, face->axis[k]);
}

static void begin_list(const crm_weighting *w, int number, carriers *list) {
    list->of = w;
    list->sign = number == 0 ? 1.0 : -1.0;
    list->whole = false;
}

bool crm_find_least_weights(const crm_side *a, const crm_side *b, const crm_pierced_face *face, crm_weighting out[2],
                            carom_touch *const touch[2]) {
    search s;
    crm_weighting_begin(a, face, 0, &out[0]);
    crm_weighting_begin(b, face, 1, &out[1]);
    for (int k = 0; k < 2; k++) begin_list(&out[k], k, &s.list[k]);
    iterate now = evaluate(&s, start(&s, out));
    double error = error_of(&s, now.missing), last = INFINITY;
    for (int k = 0; k < MOST_STEPS && error > exact && !(error <= usable && error > 0.5 * last); k++) {
        now = go(&s, &now, newton_step(&s, &now.sum[0], &now.sum[1], now.missing));
        last = error;
        error = error_of(&s, now.missing);
    }
    for (int k = 0; k < 2; k++) {
        out[k].level = k == 0 ? now.m.a : now.m.b;
        out[k].slope[0] = s.list[k].sign * now.m.x;
        out[k].slope[1] = s.list[k].sign * now.m.y;
    }
    if (!(error <= usable)) return false;
    for (int k = 0; k < 2 && touch != NULL; k++) write_touch(&s.list[k], &out[k], touch[k]);
    return true;
}

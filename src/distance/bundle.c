// SPDX-License-Identifier: MIT
// With K = L L^T and y = L^T w the quadratic becomes |y|^2/2. Every set of one, two or three pieces has one candidate,
// where the pieces of the set are equal and y is their weighted mean; the answer is the candidate with the largest
// model among those whose weights are not negative. The model is a minimum over all pieces, so that no candidate looks
// better than it is.
#include "distance/bundle.h"

#include <math.h>
#include <stdbool.h>

// Weights that are negative by no more than this are zeros with rounding.
static const double weight_slack = 1e-12;

typedef struct scaled {
    int count;
    double e[CRM_BUNDLE_PIECES], x[CRM_BUNDLE_PIECES], y[CRM_BUNDLE_PIECES];
} scaled;

typedef struct candidate {
    int piece[3];
    double weight[3];
    int count;
    double x, y;
} candidate;

static double model_at(const scaled *s, double x, double y) {
    double least = s->e[0] + s->x[0] * x + s->y[0] * y;
    for (int i = 1; i < s->count; i++) {
        double value = s->e[i] + s->x[i] * x + s->y[i] * y;
        least = value < least ? value : least;
    }
    return least - 0.5 * (x * x + y * y);
}

static candidate of_one(const scaled *s, int i) {
    return (candidate){.piece = {i}, .weight = {1.0}, .count = 1, .x = s->x[i], .y = s->y[i]};
}

// The foot of the origin on the line through both slopes p_i, p_j, moved along it until e_i + p_i.y = e_j + p_j.y. The
// two parts are kept apart: slopes may be many times as long as y, and their rounding must not turn it across the edge.
static bool of_two(const scaled *s, int i, int j, candidate *out) {
    double dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j], square = dx * dx + dy * dy;
    if (!(square > 0.0)) return false;
    double along = -(s->e[i] - s->e[j]) / square, across = (s->y[j] * dx - s->x[j] * dy) / square;
    double t = along - (dx * s->x[j] + dy * s->y[j]) / square;
    if (!(t >= -weight_slack && t <= 1.0 + weight_slack)) return false;
    *out = (candidate){.piece = {i, j},
                       .weight = {t, 1.0 - t},
                       .count = 2,
                       .x = along * dx - across * dy,
                       .y = along * dy + across * dx};
    return true;
}

// y where the three planes meet, and its weights in the triangle of the slopes.
static bool of_three(const scaled *s, int i, int j, int k, candidate *out) {
    double ax = s->x[i] - s->x[k], ay = s->y[i] - s->y[k], bx = s->x[j] - s->x[k], by = s->y[j] - s->y[k];
    double area = ax * by - ay * bx;
    if (area == 0.0) return false;
    double ea = s->e[k] - s->e[i], eb = s->e[k] - s->e[j];
    double x = (ea * by - ay * eb) / area, y = (ax * eb - ea * bx) / area;
    double px = x - s->x[k], py = y - s->y[k];
    double u = (px * by - py * bx) / area, v = (ax * py - ay * px) / area;
    if (!(u >= -weight_slack && v >= -weight_slack && u + v <= 1.0 + weight_slack)) return false;
    *out = (candidate){.piece = {i, j, k}, .weight = {u, v, 1.0 - u - v}, .count = 3, .x = x, .y = y};
    return true;
}

static void take(crm_bundle *b, const scaled *s, const candidate *c) {
    double value = model_at(s, c->x, c->y);
    if (!(value > b->gain)) return;
    b->gain = value;
    b->w[0] = c->x;
    b->w[1] = c->y;
    double sum = 0.0;
    for (int i = 0; i < b->count; i++) b->weight[i] = 0.0;
    for (int i = 0; i < c->count; i++) sum += c->weight[i] > 0.0 ? c->weight[i] : 0.0;
    for (int i = 0; i < c->count; i++) b->weight[c->piece[i]] = c->weight[i] > 0.0 ? c->weight[i] / sum : 0.0;
}

void crm_bundle_solve(crm_bundle *b) {
    double l11 = sqrt(b->k11), l21 = b->k12 / l11, l22 = sqrt(b->k22 - l21 * l21);
    scaled s = {.count = b->count};
    for (int i = 0; i < b->count; i++) {
        s.e[i] = b->e[i];
        s.x[i] = b->g[i][0] / l11;
        s.y[i] = (b->g[i][1] - l21 * s.x[i]) / l22;
    }
    b->gain = -INFINITY;
    candidate c;
    for (int i = 0; i < b->count; i++) {
        c = of_one(&s, i);
        take(b, &s, &c);
        for (int j = i + 1; j < b->count; j++) {
            if (of_two(&s, i, j, &c)) take(b, &s, &c);
            for (int k = j + 1; k < b->count; k++)
                if (of_three(&s, i, j, k, &c)) take(b, &s, &c);
        }
    }
    b->w[1] /= l22;
    b->w[0] = (b->w[0] - l21 * b->w[1]) / l11;
}

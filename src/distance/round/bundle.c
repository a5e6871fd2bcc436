// SPDX-License-Identifier: MIT
// With K = L L^T and y = L^T w the quadratic becomes |y|^2/2. Every set of one, two or three pieces has one candidate,
// where the pieces of the set are equal and y is their weighted mean; the answer is the candidate with the largest
// model among those whose weights are not negative. The model is a minimum over all pieces, so that no candidate looks
// better than it is.
#include "distance/round/bundle.h"

#include <math.h>
#include <stdbool.h>

// Weights that are negative by no more than this are zeros with rounding.
static const double weight_slack = 1e-12;

// Weights must give y as their mean to this share of the slopes' differences. Of slopes on a line, as those of parallel
// edges, the area is rounding, and the weights are anything.
static const double mean_slack = 1e-8;

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
// two parts are kept apart: slopes may be many times as long as y, and their rounding must not tip it across the edge.
static bool of_two(const scaled *s, int i, int j, candidate *out) {
    double dx = s->x[i] - s->x[j], dy = s->y[i] - s->y[j], square = dx * dx + dy * dy;
    if (!(square > 0.0)) return false;
    double scale = 1.0 / square;
    double along = (s->e[j] - s->e[i]) * scale, across = (s->y[j] * dx - s->x[j] * dy) * scale;
    double t = along - (dx * s->x[j] + dy * s->y[j]) * scale;
    if (!(t >= -weight_slack && t <= 1.0 + weight_slack)) return false;
    *out = (candidate){.piece = {i, j},
                       .weight = {t, 1.0 - t},
                       .count = 2,
                       .x = along * dx - across * dy,
                       .y = along * dy + across * dx};
    return true;
}

static void exchange(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

// a x + b y = r, c x + d y = s. By elimination with complete pivoting, which leaves a small residual even where the
// rows are parallel to rounding; determinants would not.
static bool solve_two(double a, double b, double c, double d, double r, double s, double *x, double *y) {
    if (fmax(fabs(c), fabs(d)) > fmax(fabs(a), fabs(b))) exchange(&a, &c), exchange(&b, &d), exchange(&r, &s);
    bool swapped = fabs(b) > fabs(a);
    if (swapped) exchange(&a, &b), exchange(&c, &d);
    double factor = c / a, pivot = d - factor * b;
    if (!(fabs(pivot) > 0.0)) return false;
    *y = (s - factor * r) / pivot;
    *x = (r - b * *y) / a;
    if (swapped) exchange(x, y);
    return true;
}

// y where the three planes meet, and its weights in the triangle of the slopes.
static bool of_three(const scaled *s, int i, int j, int k, candidate *out) {
    double ax = s->x[i] - s->x[k], ay = s->y[i] - s->y[k], bx = s->x[j] - s->x[k], by = s->y[j] - s->y[k];
    double x, y, u, v;
    if (!solve_two(ax, ay, bx, by, s->e[k] - s->e[i], s->e[k] - s->e[j], &x, &y)) return false;
    double px = x - s->x[k], py = y - s->y[k];
    if (!solve_two(ax, bx, ay, by, px, py, &u, &v)) return false;
    if (!(u >= -weight_slack && v >= -weight_slack && u + v <= 1.0 + weight_slack)) return false;
    double off = fabs(u * ax + v * bx - px) + fabs(u * ay + v * by - py);
    if (!(off <= mean_slack * (fabs(ax) + fabs(ay) + fabs(bx) + fabs(by)))) return false;
    *out = (candidate){.piece = {i, j, k}, .weight = {u, v, 1.0 - u - v}, .count = 3, .x = x, .y = y};
    return true;
}

static void keep_better(const scaled *s, const candidate *c, candidate *best, double *value) {
    double here = model_at(s, c->x, c->y);
    if (!(here > *value)) return;
    *value = here;
    *best = *c;
}

static candidate find_best(const scaled *s, double *value) {
    candidate best = of_one(s, 0), c;
    *value = model_at(s, best.x, best.y);
    for (int i = 1; i < s->count; i++) {
        c = of_one(s, i);
        keep_better(s, &c, &best, value);
        for (int j = 0; j < i; j++) {
            if (of_two(s, i, j, &c)) keep_better(s, &c, &best, value);
            for (int k = 0; k < j; k++)
                if (of_three(s, i, j, k, &c)) keep_better(s, &c, &best, value);
        }
    }
    return best;
}

void crm_bundle_solve(crm_bundle *b) {
    double l11 = sqrt(b->k11), r11 = 1.0 / l11, l21 = b->k12 * r11, r22 = 1.0 / sqrt(b->k22 - l21 * l21);
    scaled s = {.count = b->count};
    for (int i = 0; i < b->count; i++) {
        s.e[i] = b->e[i];
        s.x[i] = b->g[i][0] * r11;
        s.y[i] = (b->g[i][1] - l21 * s.x[i]) * r22;
    }
    if (b->count == 1) { // smooth: a plain Newton step
        b->gain = b->e[0] + 0.5 * (s.x[0] * s.x[0] + s.y[0] * s.y[0]);
        b->weight[0] = 1.0;
        b->w[1] = s.y[0] * r22;
        b->w[0] = (s.x[0] - l21 * b->w[1]) * r11;
        return;
    }
    candidate best = find_best(&s, &b->gain);
    b->w[1] = best.y * r22;
    b->w[0] = (best.x - l21 * b->w[1]) * r11;
    double sum = 0.0;
    for (int i = 0; i < best.count; i++) {
        best.weight[i] = best.weight[i] > 0.0 ? best.weight[i] : 0.0;
        sum += best.weight[i];
    }
    for (int i = 0; i < b->count; i++) b->weight[i] = 0.0;
    for (int i = 0; i < best.count; i++) b->weight[best.piece[i]] = best.weight[i] / sum;
}

// SPDX-License-Identifier: MIT
// The part of a kernel table that is the same text for every instruction set, compiled once for each. The file that
// includes it has defined KERNELS, the name of the table, and KERNELS_TEXT, what it is called.
//
// Candidates are taken in panels of columns. Inside a panel every pivot changes all columns at once, so that pivots can
// be chosen by whole columns; what lies behind the panel is changed by all its pivots together, as a product.
#include <math.h>
#include <string.h>

#include "math/block/tile_vectors.h"
#include "math/frontal/front_eliminate.h"

// Columns of a panel: a panel of a front of 200 rows stays in the first cache.
enum { PANEL = 24 };

// First those pivots are taken that are good, then those that refinement can live with; others wait.
static const double good_threshold = 1e-2, least_threshold = 1e-8;

// An equilibrated matrix has entries near 1: a column of a last front below this is a zero.
static const double zero_size = 1e-30;

typedef struct panel_state {
    const crm_front_block *front;
    crm_front_pivots *pivots;
    int begin;     // first pivot of the panel: column 0 of `work`
    int next;      // where the next pivot goes
    int end;       // columns next ... end - 1 can become pivots
    double threshold;
} panel_state;

static double *column_of(const crm_front_block *front, int j) {
    return front->a + front->stride * j;
}

static double *work_of(const panel_state *p, int pivot) {
    return p->front->work + p->front->stride * (pivot - p->begin);
}

// Entry (i, j) of what is left, whichever is larger.
static double entry_of(const crm_front_block *front, int i, int j) {
    return i > j ? column_of(front, j)[i] : column_of(front, i)[j];
}

// Four running maxima in pairs: the compiler makes vectors of them. NaN entries are passed over.
static double largest_of(int count, const double *x) {
    double m[4] = {0.0, 0.0, 0.0, 0.0};
    int i = 0;
    for (; i + 4 <= count; i += 4)
        for (int l = 0; l < 4; l++) {
            double v = fabs(x[i + l]);
            m[l] = v > m[l] ? v : m[l];
        }
    for (; i < count; i++) m[0] = fabs(x[i]) > m[0] ? fabs(x[i]) : m[0];
    m[0] = m[1] > m[0] ? m[1] : m[0];
    m[2] = m[3] > m[2] ? m[3] : m[2];
    return m[2] > m[0] ? m[2] : m[0];
}

// Largest entry of column c of what is left, without its diagonal and the row `without`.
static double largest_beside(const panel_state *p, int c, int without) {
    const crm_front_block *front = p->front;
    double largest = 0.0;
    for (int i = p->next; i < c; i++)
        if (i != without) largest = fmax(largest, fabs(entry_of(front, c, i)));
    const double *column = column_of(front, c);
    int cut = without > c ? without : front->size;
    largest = fmax(largest, largest_of(cut - c - 1, column + c + 1));
    if (cut < front->size) largest = fmax(largest, largest_of(front->size - cut - 1, column + cut + 1));
    return largest;
}

// The other column of the panel that column c is coupled to most; c itself when to none.
static int partner_of(const panel_state *p, int c) {
    int best = c;
    double largest = 0.0;
    for (int i = p->next; i < p->end; i++) {
        double size = i == c ? 0.0 : fabs(entry_of(p->front, c, i));
        if (size > largest) {
            largest = size;
            best = i;
        }
    }
    return best;
}

static void exchange(double *x, double *y) {
    double kept = *x;
    *x = *y;
    *y = kept;
}

// Exchanges rows and columns i < j of what is left, and rows i and j of the columns of L.
static void exchange_symmetric(const panel_state *p, int i, int j) {
    const crm_front_block *front = p->front;
    if (i == j) return;
    double *low = column_of(front, i), *high = column_of(front, j);
    for (int k = 0; k < i; k++) exchange(column_of(front, k) + i, column_of(front, k) + j);
    for (int k = i + 1; k < j; k++) exchange(low + k, column_of(front, k) + j);
    for (int k = j + 1; k < front->size; k++) exchange(low + k, high + k);
    exchange(low + i, high + j);
    for (int k = p->begin; k < p->next; k++) exchange(work_of(p, k) + i, work_of(p, k) + j);
    int row = front->row[i];
    front->row[i] = front->row[j];
    front->row[j] = row;
}

// Brings column c to place `next`, for 2 x 2 pivots also its partner to the place behind.
static void bring_forward(const panel_state *p, int c, int partner) {
    exchange_symmetric(p, p->next, c);
    if (partner < 0) return;
    if (partner == p->next) partner = c; // it stood where c stands now
    exchange_symmetric(p, p->next + 1, partner);
}

static bool one_is_good(const panel_state *p, int c) {
    double diagonal = fabs(column_of(p->front, c)[c]);
    if (!(diagonal > zero_size)) return false;
    return diagonal >= p->threshold * largest_beside(p, c, -1);
}

// |D^-1| times the largest entries beside both columns bounds the entries of L.
static bool two_is_good(const panel_state *p, int c, int r) {
    double a = column_of(p->front, c)[c], b = entry_of(p->front, c, r), d = column_of(p->front, r)[r];
    if (!(fabs(b) > zero_size)) return false;
    double determinant = (a / b) * (d / b) - 1.0; // of D by b^2
    // Cancellation would leave a determinant of rounding only.
    if (!(fabs(determinant) > 1e-8 * (1.0 + fabs((a / b) * (d / b))))) return false;
    double beside_c = largest_beside(p, c, r), beside_r = largest_beside(p, r, c);
    double size = fabs(b) * fabs(determinant);
    double first = fabs(d / b) * beside_c + beside_r, second = beside_c + fabs(a / b) * beside_r;
    return size >= p->threshold * fmax(first, second);
}

// Column `next` becomes a pivot; the panel's other columns change.
static void eliminate_one(panel_state *p) {
    const crm_front_block *front = p->front;
    int k = p->next, size = (int)front->stride;
    double *restrict l = column_of(front, k), *restrict w = work_of(p, k);
    double d = l[k], inverse = 1.0 / d;
    for (int i = k + 1; i < size; i++) {
        w[i] = l[i];
        l[i] *= inverse;
    }
    for (int j = k + 1; j < p->end; j++) {
        double *restrict target = column_of(front, j);
        double factor = w[j];
        if (factor == 0.0) continue;
        for (int i = j; i < size; i++) target[i] -= l[i] * factor;
    }
    front->inverse[2 * k] = inverse;
    front->inverse[2 * k + 1] = 0.0;
    if (d > 0.0)
        p->pivots->positive++;
    else
        p->pivots->negative++;
    p->next++;
}

// The same for columns `next` and `next` + 1. D^-1 is formed from entries divided by the one off the diagonal.
static void eliminate_two(panel_state *p) {
    const crm_front_block *front = p->front;
    int k = p->next, size = (int)front->stride;
    double *restrict l1 = column_of(front, k), *restrict l2 = column_of(front, k + 1);
    double *restrict w1 = work_of(p, k), *restrict w2 = work_of(p, k + 1);
    double a = l1[k], b = l1[k + 1], d = l2[k + 1];
    double scale = 1.0 / (b * ((a / b) * (d / b) - 1.0));
    double i11 = d / b * scale, i12 = -scale, i22 = a / b * scale;
    for (int i = k + 2; i < size; i++) {
        w1[i] = l1[i];
        w2[i] = l2[i];
        l1[i] = i11 * w1[i] + i12 * w2[i];
        l2[i] = i12 * w1[i] + i22 * w2[i];
    }
    for (int j = k + 2; j < p->end; j++) {
        double *restrict target = column_of(front, j);
        double f1 = w1[j], f2 = w2[j];
        if (f1 == 0.0 && f2 == 0.0) continue;
        for (int i = j; i < size; i++) target[i] -= l1[i] * f1 + l2[i] * f2;
    }
    l1[k + 1] = 0.0; // L has a unit block there
    front->inverse[2 * k] = i11;
    front->inverse[2 * k + 1] = i12;
    front->inverse[2 * k + 2] = i22;
    front->inverse[2 * k + 3] = 0.0;
    // i11 i22 - i12^2 has the sign of the determinant.
    int negative = i11 * i22 - i12 * i12 < 0.0 ? 1 : i11 < 0.0 ? 2 : 0;
    p->pivots->negative += negative;
    p->pivots->positive += 2 - negative;
    p->next += 2;
}

// Takes the first pivot that is good enough; false when the panel has none.
static bool take_a_pivot(panel_state *p) {
    for (int c = p->next; c < p->end; c++) {
        if (one_is_good(p, c)) {
            bring_forward(p, c, -1);
            eliminate_one(p);
            return true;
        }
        int partner = partner_of(p, c);
        if (partner != c && two_is_good(p, c, partner)) {
            bring_forward(p, c, partner);
            eliminate_two(p);
            return true;
        }
    }
    return false;
}

// target (eight rows, some columns) -= L W^T over `depth` pivots.
static inline __attribute__((always_inline)) void take_off_tile(int columns, ptrdiff_t stride, int depth,
                                                                const double *restrict l, const double *restrict w,
                                                                double *restrict target) {
    four sum[4][2] = {{{0}}};
    for (int q = 0; q < depth; q++, l += stride, w += stride) {
        four upper = *(const four_anywhere *)l, lower = *(const four_anywhere *)(l + 4);
#pragma GCC unroll 4
        for (int j = 0; j < columns; j++) {
            four factor = {w[j], w[j], w[j], w[j]};
            sum[j][0] += upper * factor;
            sum[j][1] += lower * factor;
        }
    }
#pragma GCC unroll 4
    for (int j = 0; j < columns; j++) {
        *(four_anywhere *)(target + stride * j) -= sum[j][0];
        *(four_anywhere *)(target + stride * j + 4) -= sum[j][1];
    }
}

// Everything behind the panel: a(i, j) -= sum over the panel's pivots of l_iq w_jq, for i >= j >= end. Tiles that reach
// over the diagonal or the last row are done whole.
static void take_off_behind(const panel_state *p) {
    const crm_front_block *front = p->front;
    int depth = p->next - p->begin, j = p->end;
    if (depth == 0) return;
    const double *l = column_of(front, p->begin), *w = work_of(p, p->begin);
    for (; j + 4 <= front->size; j += 4)
        for (int i = j / CRM_FRONT_LANES * CRM_FRONT_LANES; i < front->size; i += CRM_FRONT_LANES)
            take_off_tile(4, front->stride, depth, l + i, w + j, column_of(front, j) + i);
    for (; j < front->size; j++)
        for (int i = j / CRM_FRONT_LANES * CRM_FRONT_LANES; i < front->size; i += CRM_FRONT_LANES)
            take_off_tile(1, front->stride, depth, l + i, w + j, column_of(front, j) + i);
}

// Goes over the candidates in panels; those without a good pivot are put behind the others. Again as long as that
// finds more.
static int eliminate_by(const crm_front_block *front, int next, int width, double threshold, crm_front_pivots *pivots) {
    for (int before = -1; before < next && next < front->candidates;) {
        before = next;
        for (int fresh = front->candidates; next < fresh;) {
            int end = next + width < fresh ? next + width : fresh;
            panel_state p = {front, pivots, next, next, end, threshold};
            while (p.next < p.end && take_a_pivot(&p)) continue;
            take_off_behind(&p);
            next = p.next;
            p.begin = p.next; // exchanges no longer touch the work
            for (int c = p.end - 1; c >= next; c--) exchange_symmetric(&p, c, --fresh);
        }
    }
    return next;
}

static void eliminate_front(const crm_front_block *front, crm_front_pivots *pivots) {
    *pivots = (crm_front_pivots){0};
    int next = eliminate_by(front, 0, PANEL, good_threshold, pivots);
    next = eliminate_by(front, next, PANEL, least_threshold, pivots);
    if (front->forced) {
        next = eliminate_by(front, next, front->candidates, least_threshold, pivots);
        for (; next < front->candidates; next++) {
            double *l = column_of(front, next);
            memset(l + next, 0, (size_t)(front->size - next) * sizeof(double));
            front->inverse[2 * next] = front->inverse[2 * next + 1] = 0.0;
            pivots->zero++;
        }
    }
    pivots->eliminated = next;
}

const crm_front_kernels KERNELS = {.name = KERNELS_TEXT, .eliminate = eliminate_front};

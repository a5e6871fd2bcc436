// SPDX-License-Identifier: MIT
// Front by front: the matrix' entries and what the children left are added up, the front's own pivots are eliminated,
// and the rest goes on a stack for the parent.
#include "math/frontal/front_factor.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"

// ---- memory

static carom_status no_memory(carom_error *error, ptrdiff_t numbers) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "frontal factorization: no memory for %td numbers", numbers);
}

// Room for `count` more; what is used stays. Half as much again, so that growth ends.
static bool grow_numbers(crm_arena *arena, crm_front_numbers *n, ptrdiff_t count) {
    if (n->used + count <= n->capacity) return true;
    ptrdiff_t capacity = n->used + count + (n->used + count) / 2;
    double *at = CRM_ARENA_ARRAY(arena, double, capacity);
    if (at == NULL) return false;
    if (n->used > 0) memcpy(at, n->at, (size_t)n->used * sizeof *at);
    n->at = at;
    n->capacity = capacity;
    return true;
}

static bool grow_labels(crm_arena *arena, crm_front_labels *n, ptrdiff_t count) {
    if (n->used + count <= n->capacity) return true;
    ptrdiff_t capacity = n->used + count + (n->used + count) / 2;
    int *at = CRM_ARENA_ARRAY(arena, int, capacity);
    if (at == NULL) return false;
    if (n->used > 0) memcpy(at, n->at, (size_t)n->used * sizeof *at);
    n->at = at;
    n->capacity = capacity;
    return true;
}

static ptrdiff_t triangle(ptrdiff_t rows) {
    return rows * (rows + 1) / 2;
}

// Takes what a factorization without put-off pivots needs; the numbers are counts of doubles.
static bool take_expected(crm_front_factor *f) {
    const crm_front_symbolic *s = f->symbolic;
    ptrdiff_t values = 0, labels = 0, rests = 0, most = 0, rest_labels = 0, most_labels = 0;
    int *open = CRM_ARENA_ARRAY(f->arena, int, s->front_count);
    if (open == NULL) return false;
    for (int i = 0, depth = 0; i < s->front_count; i++) {
        const crm_front *front = &s->front[i];
        ptrdiff_t border = front->border_end - front->border_begin, rows = front->width + border;
        values += rows * front->width;
        labels += rows;
        for (int c = 0; c < front->child_count; c++) {
            const crm_front *child = &s->front[open[--depth]];
            rests -= triangle(child->border_end - child->border_begin);
            rest_labels -= child->border_end - child->border_begin;
        }
        if (border > 0) open[depth++] = i;
        rests += triangle(border);
        rest_labels += border;
        if (rests > most) most = rests;
        if (rest_labels > most_labels) most_labels = rest_labels;
    }
    ptrdiff_t side = crm_front_stride(s->largest_front);
    return grow_numbers(f->arena, &f->values, values) && grow_numbers(f->arena, &f->inverses, 2 * (ptrdiff_t)s->size) &&
           grow_labels(f->arena, &f->labels, labels) && grow_numbers(f->arena, &f->rests, most) &&
           grow_labels(f->arena, &f->rest_labels, most_labels) && grow_numbers(f->arena, &f->block, side * side) &&
           grow_numbers(f->arena, &f->work, side * side) && grow_numbers(f->arena, &f->gathered, side);
}

carom_status crm_front_factor_create(const crm_front_symbolic *symbolic, crm_arena *arena, crm_front_factor *factor,
                                     carom_error *error) {
    *factor = (crm_front_factor){.symbolic = symbolic, .kernels = crm_front_kernels_best(), .arena = arena};
    factor->scale = CRM_ARENA_ARRAY(arena, double, symbolic->size);
    factor->solution = CRM_ARENA_ARRAY(arena, double, symbolic->size);
    factor->fronts = CRM_ARENA_ARRAY(arena, crm_front_factored, symbolic->front_count);
    factor->rest = CRM_ARENA_ARRAY(arena, crm_front_rest, symbolic->front_count);
    if (factor->scale == NULL || factor->solution == NULL || factor->fronts == NULL || factor->rest == NULL ||
        !take_expected(factor))
        return no_memory(error, 2 * (ptrdiff_t)symbolic->size);
    return CAROM_OK;
}

// ---- equilibration

// One step of Ruiz' scaling, by the roots of the rows' largest entries (A scaling algorithm to equilibrate both rows
// and columns norms in matrices, 2001). False where an entry is not finite.
static bool equilibrate(const crm_front_symbolic *s, const double *value, double *scale, double *largest) {
    bool finite = true;
    for (int i = 0; i < s->size; i++) largest[i] = 0.0;
    for (int e = 0; e < s->entry_count; e++) {
        int i = s->row[e], j = s->column[e];
        double size = fabs(value[e]) * scale[i] * scale[j];
        if (!(size <= 1e300)) finite = false;
        if (size > largest[i]) largest[i] = size;
        if (size > largest[j]) largest[j] = size;
    }
    for (int i = 0; i < s->size; i++)
        if (largest[i] > 0.0) scale[i] /= sqrt(largest[i]);
    return finite;
}

// Two steps bring the largest entry of every row between 1/2 and 2 in all but contrived cases.
static bool find_scale(const crm_front_symbolic *s, const double *value, double *scale, double *scratch) {
    for (int i = 0; i < s->size; i++) scale[i] = 1.0;
    return equilibrate(s, value, scale, scratch) && equilibrate(s, value, scale, scratch);
}

// ---- one front

typedef struct front_at_hand {
    int number, width, put_off, size; // rows: own ones, those that children put off, the border
    int *row;
    crm_front_block block;
} front_at_hand;

static bool begin_front(crm_front_factor *f, int number, front_at_hand *h) {
    const crm_front *front = &f->symbolic->front[number];
    int border = front->border_end - front->border_begin;
    *h = (front_at_hand){.number = number, .width = front->width};
    for (int c = 0; c < front->child_count; c++) h->put_off += f->rest[f->rest_count - 1 - c].put_off;
    h->size = h->width + h->put_off + border;
    if (h->size > f->largest) f->largest = h->size;
    ptrdiff_t stride = crm_front_stride(h->size);
    int candidates = h->width + h->put_off;
    if (!grow_numbers(f->arena, &f->block, stride * stride) ||
        !grow_numbers(f->arena, &f->work, stride * (candidates + 1)) || !grow_labels(f->arena, &f->labels, h->size) ||
        !grow_numbers(f->arena, &f->inverses, 2 * (ptrdiff_t)candidates))
        return false;
    memset(f->block.at, 0, (size_t)(stride * stride) * sizeof(double));
    h->row = f->labels.at + f->labels.used;
    for (int i = 0; i < h->width; i++) h->row[i] = front->first + i;
    for (int i = 0; i < border; i++)
        h->row[candidates + i] = f->symbolic->border[front->border_begin + i];
    h->block = (crm_front_block){.size = h->size,
                                 .candidates = candidates,
                                 .forced = border == 0,
                                 .stride = stride,
                                 .a = f->block.at,
                                 .row = h->row,
                                 .inverse = f->inverses.at + f->inverses.used,
                                 .work = f->work.at};
    return true;
}

static void add_entries(const crm_front_factor *f, const front_at_hand *h, const double *value) {
    const crm_front_symbolic *s = f->symbolic;
    const crm_front *front = &s->front[h->number];
    for (int k = front->entry_begin; k < front->entry_end; k++) {
        crm_front_entry e = s->entry[k];
        double scale = f->scale[s->row[e.entry]] * f->scale[s->column[e.entry]];
        int row = e.row < h->width ? e.row : e.row + h->put_off;
        h->block.a[row + h->block.stride * e.column] += value[e.entry] * scale;
    }
}

// Adds what a child left; its put-off pivots become rows from `first` on.
static void add_rest(const crm_front_factor *f, const front_at_hand *h, const crm_front_rest *rest, int first) {
    const crm_front *child = &f->symbolic->front[rest->front];
    const int *place = f->symbolic->place + child->border_begin - rest->put_off;
    const double *from = f->rests.at + rest->values;
    int *to = (int *)f->gathered.at; // room for a front's doubles is room for its ints
    for (int i = 0; i < rest->put_off; i++) {
        to[i] = first + i;
        h->row[to[i]] = f->rest_labels.at[rest->labels + i];
    }
    for (int i = rest->put_off; i < rest->rows; i++)
        to[i] = place[i] < h->width ? place[i] : place[i] + h->put_off;
    for (int j = 0; j < rest->rows; j++) {
        double *column = h->block.a + h->block.stride * to[j];
        if (j >= rest->put_off) { // border rows keep their order
            for (int i = j; i < rest->rows; i++) column[to[i]] += *from++;
            continue;
        }
        for (int i = j; i < rest->rows; i++) {
            if (to[i] >= to[j])
                column[to[i]] += *from++;
            else
                h->block.a[to[j] + h->block.stride * to[i]] += *from++;
        }
    }
}

static void add_rests(crm_front_factor *f, const front_at_hand *h) {
    int children = f->symbolic->front[h->number].child_count, first = h->width;
    for (int c = 0; c < children; c++) {
        const crm_front_rest *rest = &f->rest[f->rest_count - children + c];
        add_rest(f, h, rest, first);
        first += rest->put_off;
    }
    if (children == 0) return;
    f->rest_count -= children;
    f->rests.used = f->rest[f->rest_count].values;
    f->rest_labels.used = f->rest[f->rest_count].labels;
}

// Keeps the columns of L, and puts what is left on the stack.
static bool end_front(crm_front_factor *f, const front_at_hand *h, int eliminated) {
    ptrdiff_t stride = h->block.stride;
    int left = h->size - eliminated;
    if (!grow_numbers(f->arena, &f->values, (ptrdiff_t)h->size * eliminated) ||
        !grow_numbers(f->arena, &f->rests, triangle(left)) ||
        !grow_labels(f->arena, &f->rest_labels, h->block.candidates - eliminated))
        return false;
    f->fronts[h->number] = (crm_front_factored){.size = h->size,
                                                .eliminated = eliminated,
                                                .values = f->values.used,
                                                .labels = f->labels.used,
                                                .inverse = f->inverses.used};
    double *l = f->values.at + f->values.used;
    for (int q = 0; q < eliminated; q++)
        memcpy(l + (ptrdiff_t)h->size * q + q, h->block.a + stride * q + q, (size_t)(h->size - q) * sizeof *l);
    f->values.used += (ptrdiff_t)h->size * eliminated;
    f->inverses.used += 2 * (ptrdiff_t)eliminated;
    f->labels.used += h->size;
    if (left == 0) return true;
    crm_front_rest *rest = &f->rest[f->rest_count++];
    *rest = (crm_front_rest){.front = h->number,
                             .rows = left,
                             .put_off = h->block.candidates - eliminated,
                             .values = f->rests.used,
                             .labels = f->rest_labels.used};
    double *to = f->rests.at + rest->values;
    for (int j = eliminated; j < h->size; to += h->size - j, j++)
        memcpy(to, h->block.a + stride * j + j, (size_t)(h->size - j) * sizeof *to);
    for (int i = 0; i < rest->put_off; i++) f->rest_labels.at[rest->labels + i] = h->row[eliminated + i];
    f->rests.used += triangle(left);
    f->rest_labels.used += rest->put_off;
    return true;
}

carom_status crm_front_factor_compute(crm_front_factor *f, const double *value, crm_front_report *report,
                                      carom_error *error) {
    const crm_front_symbolic *s = f->symbolic;
    *report = (crm_front_report){0};
    f->values.used = f->inverses.used = f->labels.used = f->rests.used = f->rest_labels.used = 0;
    f->rest_count = 0;
    report->finite = find_scale(s, value, f->scale, f->solution);
    for (int i = 0; i < s->front_count; i++) {
        front_at_hand hand;
        if (!begin_front(f, i, &hand) || !grow_numbers(f->arena, &f->gathered, hand.size + 1))
            return no_memory(error, f->values.used);
        add_entries(f, &hand, value);
        add_rests(f, &hand);
        crm_front_pivots pivots;
        f->kernels->eliminate(&hand.block, &pivots);
        report->positive += pivots.positive;
        report->negative += pivots.negative;
        report->zero += pivots.zero;
        report->put_off += hand.block.candidates - pivots.eliminated;
        if (!end_front(f, &hand, pivots.eliminated)) return no_memory(error, f->values.used);
    }
    return CAROM_OK;
}

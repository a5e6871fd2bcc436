// SPDX-License-Identifier: MIT
// From the pattern to fronts: an order by groups, the elimination tree of unknowns, these joined to fronts, places of
// entries.
#include "math/frontal/front_symbolic.h"

#include <stdlib.h>

#include "base/fail.h"
#include "math/frontal/front_order.h"

typedef struct analysis {
    const crm_front_pattern *pattern;
    crm_arena *arena, *scratch;
    crm_block_order order; // of unknowns
    // By place in that order:
    int *below_start, *below; // rows of L below each, ascending
    int *front_of;            // the place of the front's last unknown, by union of children with their parent
    int *front_width;         // of the front that ends there
    int *number;              // of the front that ends there
    // By position, in which a front's unknowns are one behind the other:
    int *position; // of unknowns
    int *owner;    // front
} analysis;

static carom_status no_memory(const analysis *a, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "frontal analysis: no memory for a matrix of %d rows and %d entries",
                    a->pattern->size, a->pattern->entry_count);
}

// The neighbours of every class of unknowns, each once: `class_of` is the identity or the groups.
static bool list_neighbours(const analysis *a, int classes, const int *class_of, crm_block_adjacency *adjacency) {
    const crm_front_pattern *p = a->pattern;
    int *start = CRM_ARENA_ZEROED(a->scratch, int, (ptrdiff_t)classes + 2);
    int *listed = CRM_ARENA_ARRAY(a->scratch, int, 2 * (ptrdiff_t)p->entry_count);
    int *mark = CRM_ARENA_ARRAY(a->scratch, int, classes);
    adjacency->start = CRM_ARENA_ARRAY(a->scratch, int, (ptrdiff_t)classes + 1);
    if (start == NULL || listed == NULL || mark == NULL || adjacency->start == NULL) return false;
    int *end = start + 1;
    for (int e = 0; e < p->entry_count; e++) {
        int i = class_of[p->row[e]], j = class_of[p->column[e]];
        if (i == j) continue;
        end[i + 1]++;
        end[j + 1]++;
    }
    for (int c = 0; c < classes; c++) end[c + 1] += end[c];
    for (int e = 0; e < p->entry_count; e++) {
        int i = class_of[p->row[e]], j = class_of[p->column[e]];
        if (i == j) continue;
        listed[end[i]++] = j; // moves every end to the beginning of the next
        listed[end[j]++] = i;
    }
    int count = 0, from = 0;
    for (int c = 0; c < classes; c++) mark[c] = -1;
    for (int c = 0; c < classes; c++) {
        adjacency->start[c] = count;
        for (int k = from; k < end[c]; k++) {
            if (mark[listed[k]] == c) continue;
            mark[listed[k]] = c;
            listed[count++] = listed[k];
        }
        from = end[c];
    }
    adjacency->start[classes] = count;
    adjacency->neighbour = listed;
    return true;
}

// Groups in their order, and the unknowns of each in theirs.
static carom_status order_by_groups(const analysis *a, int *given, carom_error *error) {
    const crm_front_pattern *p = a->pattern;
    crm_block_adjacency groups;
    int *order = CRM_ARENA_ARRAY(a->scratch, int, p->group_count), *size = CRM_ARENA_ZEROED(a->scratch, int, p->group_count);
    int *place = CRM_ARENA_ARRAY(a->scratch, int, p->group_count);
    if (order == NULL || size == NULL || place == NULL || !list_neighbours(a, p->group_count, p->group, &groups))
        return no_memory(a, error);
    int next = 0;
    for (int i = 0; i < p->size; i++) size[p->group[i]]++;
    carom_status status = crm_front_order(p->group_count, &groups, size, p->stage, a->scratch, order, error);
    if (status != CAROM_OK) return status;
    for (int k = 0; k < p->group_count; k++) {
        place[order[k]] = next;
        next += size[order[k]];
    }
    for (int i = 0; i < p->size; i++) given[place[p->group[i]]++] = i;
    return CAROM_OK;
}

static carom_status order_unknowns(analysis *a, crm_block_adjacency *adjacency, carom_error *error) {
    const crm_front_pattern *p = a->pattern;
    int *given = CRM_ARENA_ARRAY(a->scratch, int, p->size), *itself = CRM_ARENA_ARRAY(a->scratch, int, p->size);
    if (given == NULL || itself == NULL) return no_memory(a, error);
    for (int i = 0; i < p->size; i++) itself[i] = i;
    carom_status status = order_by_groups(a, given, error);
    if (status != CAROM_OK) return status;
    if (!list_neighbours(a, p->size, itself, adjacency)) return no_memory(a, error);
    crm_block_graph graph = {.node_count = p->size, .edge_count = adjacency->start[p->size] / 2};
    return crm_block_order_create(&graph, adjacency, given, a->arena, a->scratch, &a->order, error);
}

// Rows below every unknown: row i stands below all on the way from its earlier neighbours up to it. Counts them, or
// writes them to `rows` from count[k] on.
static void walk_rows(const analysis *a, const crm_block_adjacency *adjacency, int *mark, int *count, int *rows) {
    int size = a->pattern->size;
    for (int i = 0; i < size; i++) mark[i] = -1;
    for (int i = 0; i < size; i++) {
        mark[i] = i;
        int unknown = a->order.order[i];
        for (int n = adjacency->start[unknown]; n < adjacency->start[unknown + 1]; n++) {
            int k = a->order.position[adjacency->neighbour[n]];
            for (; k < i && mark[k] != i; k = a->order.parent[k]) {
                mark[k] = i;
                if (rows != NULL) rows[count[k]] = i;
                count[k]++;
            }
        }
    }
}

static bool list_rows_below(analysis *a, const crm_block_adjacency *adjacency) {
    int size = a->pattern->size;
    int *mark = CRM_ARENA_ARRAY(a->scratch, int, size);
    int *count = CRM_ARENA_ZEROED(a->scratch, int, size);
    a->below_start = CRM_ARENA_ARRAY(a->scratch, int, (ptrdiff_t)size + 1);
    if (mark == NULL || count == NULL || a->below_start == NULL) return false;
    walk_rows(a, adjacency, mark, count, NULL);
    int total = 0;
    for (int k = 0; k < size; k++) {
        a->below_start[k] = total;
        total += count[k];
        count[k] = a->below_start[k];
    }
    a->below_start[size] = total;
    a->below = CRM_ARENA_ARRAY(a->scratch, int, total);
    if (a->below == NULL) return false;
    walk_rows(a, adjacency, mark, count, a->below);
    return true;
}

static int rows_below(const analysis *a, int place) {
    return a->below_start[place + 1] - a->below_start[place];
}

// What a front takes, in multiplications: its elimination, its assembly by entries, and itself.
static double front_cost(double width, double below) {
    double rows = width + below;
    return width * rows * rows - width * width * rows + width * width * width / 3.0 + 4.0 * rows * rows + 5e3;
}

// Joins children to their parents, from the leaves up, where one front takes less than two.
static bool join_fronts(analysis *a) {
    int size = a->pattern->size;
    a->front_of = CRM_ARENA_ARRAY(a->scratch, int, size);
    a->front_width = CRM_ARENA_ARRAY(a->scratch, int, size);
    int *child = CRM_ARENA_ARRAY(a->scratch, int, size), *sibling = CRM_ARENA_ARRAY(a->scratch, int, size);
    if (a->front_of == NULL || a->front_width == NULL || child == NULL || sibling == NULL) return false;
    for (int k = 0; k < size; k++) child[k] = -1;
    for (int k = 0; k < size; k++) {
        a->front_of[k] = k;
        a->front_width[k] = 1;
        for (int c = child[k]; c >= 0; c = sibling[c]) {
            double width = a->front_width[k], below = rows_below(a, k), child_width = a->front_width[c];
            double apart = front_cost(width, below) + front_cost(child_width, rows_below(a, c));
            if (front_cost(width + child_width, below) > apart) continue;
            a->front_of[c] = k;
            a->front_width[k] += a->front_width[c];
        }
        int parent = a->order.parent[k];
        if (parent < 0) continue;
        sibling[k] = child[parent];
        child[parent] = k;
    }
    // A parent comes after its children: from the last on, every unknown learns its front's last one.
    for (int k = size - 1; k >= 0; k--) a->front_of[k] = a->front_of[a->front_of[k]];
    return true;
}

// Numbers fronts in the order of their last unknowns, which is a postorder.
static bool number_fronts(analysis *a, crm_front_symbolic *s, crm_front *fronts) {
    int size = a->pattern->size;
    int *unknown = CRM_ARENA_ARRAY(a->arena, int, size), *next = CRM_ARENA_ARRAY(a->scratch, int, size);
    a->position = CRM_ARENA_ARRAY(a->scratch, int, size);
    a->owner = CRM_ARENA_ARRAY(a->scratch, int, size);
    a->number = CRM_ARENA_ARRAY(a->scratch, int, size);
    if (unknown == NULL || next == NULL || a->position == NULL || a->owner == NULL || a->number == NULL) return false;
    for (int k = 0, first = 0; k < size; k++) {
        if (a->front_of[k] != k) continue;
        a->number[k] = s->front_count;
        fronts[s->front_count++] = (crm_front){.first = first, .width = a->front_width[k], .parent = -1};
        next[k] = first;
        first += a->front_width[k];
    }
    for (int k = 0; k < size; k++) {
        int top = a->front_of[k], position = next[top]++;
        unknown[position] = a->order.order[k];
        a->position[a->order.order[k]] = position;
        a->owner[position] = a->number[top];
    }
    s->unknown = unknown;
    return true;
}

static int compare_ints(const void *x, const void *y) {
    int a = *(const int *)x, b = *(const int *)y;
    return (a > b) - (a < b);
}

// Rows below every front, and which row of its parent's front each is.
static bool find_borders(analysis *a, crm_front_symbolic *s, crm_front *fronts) {
    int size = a->pattern->size, total = 0;
    for (int k = 0; k < size; k++)
        if (a->front_of[k] == k) total += rows_below(a, k);
    int *border = CRM_ARENA_ARRAY(a->arena, int, total), *place = CRM_ARENA_ARRAY(a->arena, int, total);
    if (border == NULL || place == NULL) return false;
    int count = 0;
    for (int k = 0; k < size; k++) {
        if (a->front_of[k] != k) continue;
        crm_front *front = &fronts[a->number[k]];
        front->border_begin = count;
        for (int r = a->below_start[k]; r < a->below_start[k + 1]; r++)
            border[count++] = a->position[a->order.order[a->below[r]]];
        front->border_end = count;
        qsort(border + front->border_begin, (size_t)(count - front->border_begin), sizeof *border, compare_ints);
    }
    for (int f = 0; f < s->front_count; f++) {
        crm_front *front = &fronts[f];
        if (front->border_begin == front->border_end) continue;
        front->parent = a->owner[border[front->border_begin]];
        crm_front *parent = &fronts[front->parent];
        parent->child_count++;
        for (int b = front->border_begin, above = parent->border_begin; b < front->border_end; b++) {
            if (a->owner[border[b]] == front->parent) {
                place[b] = border[b] - parent->first;
                continue;
            }
            while (border[above] != border[b]) above++;
            place[b] = parent->width + above - parent->border_begin;
        }
    }
    s->border = border;
    s->place = place;
    return true;
}

static int place_in_front(const analysis *a, const crm_front_symbolic *s, int front, int position) {
    const crm_front *f = &s->front[front];
    if (a->owner[position] == front) return position - f->first;
    int low = f->border_begin, high = f->border_end - 1;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (s->border[middle] < position)
            low = middle + 1;
        else
            high = middle;
    }
    return f->width + low - f->border_begin;
}

static bool place_entries(analysis *a, crm_front_symbolic *s, crm_front *fronts) {
    const crm_front_pattern *p = a->pattern;
    crm_front_entry *entries = CRM_ARENA_ARRAY(a->arena, crm_front_entry, p->entry_count);
    if (entries == NULL) return false;
    for (int pass = 0; pass < 2; pass++) {
        for (int e = 0; e < p->entry_count; e++) {
            int i = a->position[p->row[e]], j = a->position[p->column[e]];
            int late = i > j ? i : j, early = i > j ? j : i, front = a->owner[early];
            if (pass == 1)
                entries[fronts[front].entry_end] =
                    (crm_front_entry){e, place_in_front(a, s, front, late), early - fronts[front].first};
            fronts[front].entry_end++;
        }
        for (int f = 0, begin = 0; f < s->front_count && pass == 0; f++) {
            int count = fronts[f].entry_end;
            fronts[f].entry_begin = fronts[f].entry_end = begin;
            begin += count;
        }
    }
    s->entry = entries;
    return true;
}

static void measure_fronts(crm_front_symbolic *s) {
    for (int f = 0; f < s->front_count; f++) {
        double width = s->front[f].width, rows = width + s->front[f].border_end - s->front[f].border_begin;
        s->flop_count += width * rows * rows - width * width * rows + width * width * width / 3.0;
        if (rows > s->largest_front) s->largest_front = (int)rows;
    }
}

carom_status crm_front_analyse(const crm_front_pattern *pattern, crm_arena *arena, crm_arena *scratch,
                               crm_front_symbolic *symbolic, carom_error *error) {
    analysis a = {.pattern = pattern, .arena = arena, .scratch = scratch};
    crm_mark used = crm_arena_mark(scratch);
    *symbolic = (crm_front_symbolic){.size = pattern->size, .entry_count = pattern->entry_count};
    symbolic->row = pattern->row;
    symbolic->column = pattern->column;
    crm_block_adjacency adjacency;
    carom_status status = order_unknowns(&a, &adjacency, error);
    crm_front *fronts = CRM_ARENA_ARRAY(arena, crm_front, pattern->size);
    symbolic->front = fronts;
    if (status == CAROM_OK &&
        !(fronts != NULL && list_rows_below(&a, &adjacency) && join_fronts(&a) && number_fronts(&a, symbolic, fronts) &&
          find_borders(&a, symbolic, fronts) && place_entries(&a, symbolic, fronts)))
        status = no_memory(&a, error);
    crm_arena_release(scratch, used);
    if (status == CAROM_OK) measure_fronts(symbolic);
    return status;
}

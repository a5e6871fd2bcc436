// SPDX-License-Identifier: MIT
// From the pattern to fronts: the graph of groups, its elimination tree, nodes joined to fronts, places of entries.
#include "math/frontal/front_symbolic.h"

#include <stdlib.h>

#include "base/fail.h"
#include "math/block/block_order.h"

typedef struct analysis {
    const crm_front_pattern *pattern;
    crm_arena *arena, *scratch;
    int *weight; // scalars of each group
    crm_block_adjacency adjacency;
    crm_block_order order;
    // By position of groups:
    int *below_start, *below; // rows of L below each, ascending
    int *below_weight;        // scalars of these
    int *front_of;            // the position of the front's last group, by union of children with their parent
    int *front_width;         // of the front that ends there, scalars
    double *front_zeros;      // entries of it that are stored for nothing
    int *number;              // of the front that ends there
    // By scalars:
    int *position; // of unknowns
    int *owner;    // front by position
} analysis;

static carom_status no_memory(const analysis *a, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "frontal analysis: no memory for a matrix of %d rows and %d entries",
                    a->pattern->size, a->pattern->entry_count);
}

// Each group's neighbours once.
static bool list_neighbours(analysis *a) {
    const crm_front_pattern *p = a->pattern;
    int *start = CRM_ARENA_ZEROED(a->scratch, int, (ptrdiff_t)p->group_count + 2);
    int *listed = CRM_ARENA_ARRAY(a->scratch, int, 2 * (ptrdiff_t)p->entry_count);
    int *mark = CRM_ARENA_ARRAY(a->scratch, int, p->group_count);
    a->adjacency.start = CRM_ARENA_ARRAY(a->scratch, int, (ptrdiff_t)p->group_count + 1);
    if (crm_arena_refused(a->scratch)) return false;
    int *end = start + 1;
    for (int e = 0; e < p->entry_count; e++) {
        int i = p->group[p->row[e]], j = p->group[p->column[e]];
        if (i == j) continue;
        end[i + 1]++;
        end[j + 1]++;
    }
    for (int g = 0; g < p->group_count; g++) end[g + 1] += end[g];
    for (int e = 0; e < p->entry_count; e++) {
        int i = p->group[p->row[e]], j = p->group[p->column[e]];
        if (i == j) continue;
        listed[end[i]++] = j; // moves every end to the beginning of the next
        listed[end[j]++] = i;
    }
    int count = 0, from = 0;
    for (int g = 0; g < p->group_count; g++) mark[g] = -1;
    for (int g = 0; g < p->group_count; g++) {
        a->adjacency.start[g] = count;
        for (int k = from; k < end[g]; k++) {
            if (mark[listed[k]] == g) continue;
            mark[listed[k]] = g;
            listed[count++] = listed[k];
        }
        from = end[g];
    }
    a->adjacency.start[p->group_count] = count;
    a->adjacency.neighbour = listed;
    return true;
}

// Calls for the rows below every node: row i stands below all nodes on the way from its earlier neighbours up to it.
static void walk_rows(const analysis *a, int *mark, int *count, int *rows) {
    int groups = a->pattern->group_count;
    for (int i = 0; i < groups; i++) mark[i] = -1;
    for (int i = 0; i < groups; i++) {
        mark[i] = i;
        int group = a->order.order[i];
        for (int n = a->adjacency.start[group]; n < a->adjacency.start[group + 1]; n++) {
            int k = a->order.position[a->adjacency.neighbour[n]];
            for (; k < i && mark[k] != i; k = a->order.parent[k]) {
                mark[k] = i;
                if (rows != NULL) rows[count[k]] = i;
                count[k]++;
            }
        }
    }
}

static bool list_rows_below(analysis *a) {
    int groups = a->pattern->group_count;
    int *mark = CRM_ARENA_ARRAY(a->scratch, int, groups);
    int *count = CRM_ARENA_ZEROED(a->scratch, int, groups);
    a->below_start = CRM_ARENA_ARRAY(a->scratch, int, (ptrdiff_t)groups + 1);
    a->below_weight = CRM_ARENA_ZEROED(a->scratch, int, groups);
    if (crm_arena_refused(a->scratch)) return false;
    walk_rows(a, mark, count, NULL);
    int total = 0;
    for (int k = 0; k < groups; k++) {
        a->below_start[k] = total;
        total += count[k];
        count[k] = a->below_start[k];
    }
    a->below_start[groups] = total;
    a->below = CRM_ARENA_ARRAY(a->scratch, int, total);
    if (a->below == NULL) return false;
    walk_rows(a, mark, count, a->below);
    for (int k = 0; k < groups; k++)
        for (int r = a->below_start[k]; r < a->below_start[k + 1]; r++)
            a->below_weight[k] += a->weight[a->order.order[a->below[r]]];
    return true;
}

// Whether a front of that width may have so many zeros among its entries: small ones cost more as a front of their own.
static bool may_be_joined(int width, double zeros, double entries) {
    if (width <= 4) return true;
    double share = zeros / entries;
    return width <= 16 ? share < 0.8 : width <= 48 ? share < 0.1 : share < 0.05;
}

// Joins children to their parents, from the leaves up.
static bool join_fronts(analysis *a) {
    int groups = a->pattern->group_count;
    a->front_of = CRM_ARENA_ARRAY(a->scratch, int, groups);
    a->front_width = CRM_ARENA_ARRAY(a->scratch, int, groups);
    a->front_zeros = CRM_ARENA_ZEROED(a->scratch, double, groups);
    int *child = CRM_ARENA_ARRAY(a->scratch, int, groups), *sibling = CRM_ARENA_ARRAY(a->scratch, int, groups);
    if (crm_arena_refused(a->scratch)) return false;
    for (int k = 0; k < groups; k++) child[k] = -1;
    for (int k = 0; k < groups; k++) {
        a->front_of[k] = k;
        a->front_width[k] = a->weight[a->order.order[k]];
        for (int c = child[k]; c >= 0; c = sibling[c]) {
            double width = a->front_width[k], joined = width + a->front_width[c];
            double zeros = a->front_zeros[k] + a->front_zeros[c] +
                           a->front_width[c] * (width + a->below_weight[k] - a->below_weight[c]);
            if (!may_be_joined((int)joined, zeros, joined * (0.5 * joined + a->below_weight[k]))) continue;
            a->front_of[c] = k;
            a->front_width[k] = (int)joined;
            a->front_zeros[k] = zeros;
        }
        int parent = a->order.parent[k];
        if (parent < 0) continue;
        sibling[k] = child[parent];
        child[parent] = k;
    }
    // A parent comes after its children: from the last on, every node learns its front's last one.
    for (int k = groups - 1; k >= 0; k--) a->front_of[k] = a->front_of[a->front_of[k]];
    return true;
}

// Numbers fronts in the order of their last groups, which is a postorder, and their scalars one behind the other.
static bool number_fronts(analysis *a, crm_front_symbolic *s, crm_front *fronts) {
    const crm_front_pattern *p = a->pattern;
    int groups = p->group_count;
    int *unknown = CRM_ARENA_ARRAY(a->arena, int, p->size), *member_start = CRM_ARENA_ZEROED(a->scratch, int, groups + 1);
    int *member = CRM_ARENA_ARRAY(a->scratch, int, p->size), *next = CRM_ARENA_ARRAY(a->scratch, int, groups + 1);
    a->position = CRM_ARENA_ARRAY(a->scratch, int, p->size);
    a->owner = CRM_ARENA_ARRAY(a->scratch, int, p->size);
    a->number = CRM_ARENA_ARRAY(a->scratch, int, groups);
    if (crm_arena_refused(a->scratch) || unknown == NULL) return false;
    for (int g = 0; g < groups; g++) member_start[g + 1] = member_start[g] + a->weight[g];
    for (int g = 0; g < groups; g++) next[g] = member_start[g];
    for (int i = 0; i < p->size; i++) member[next[p->group[i]]++] = i;
    for (int k = 0, first = 0; k < groups; k++) {
        if (a->front_of[k] != k) continue;
        a->number[k] = s->front_count;
        fronts[s->front_count++] = (crm_front){.first = first, .width = a->front_width[k], .parent = -1};
        first += a->front_width[k];
        next[k] = first - a->front_width[k];
    }
    for (int k = 0; k < groups; k++) {
        int top = a->front_of[k], group = a->order.order[k];
        for (int m = member_start[group]; m < member_start[group + 1]; m++) {
            int position = next[top]++;
            unknown[position] = member[m];
            a->position[member[m]] = position;
            a->owner[position] = a->number[top];
        }
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
    int groups = a->pattern->group_count, total = 0;
    for (int k = 0; k < groups; k++)
        if (a->front_of[k] == k) total += a->below_weight[k];
    int *border = CRM_ARENA_ARRAY(a->arena, int, total), *place = CRM_ARENA_ARRAY(a->arena, int, total);
    int *scalar = CRM_ARENA_ARRAY(a->scratch, int, groups); // first position of a group that is in order
    if (border == NULL || place == NULL || scalar == NULL) return false;
    for (int i = a->pattern->size - 1; i >= 0; i--) scalar[a->pattern->group[s->unknown[i]]] = i;
    int count = 0;
    for (int k = 0; k < groups; k++) {
        if (a->front_of[k] != k) continue;
        crm_front *front = &fronts[a->number[k]];
        front->border_begin = count;
        for (int r = a->below_start[k]; r < a->below_start[k + 1]; r++) {
            int group = a->order.order[a->below[r]];
            for (int m = 0; m < a->weight[group]; m++) border[count++] = scalar[group] + m;
        }
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
    crm_front *fronts = CRM_ARENA_ARRAY(arena, crm_front, pattern->group_count);
    a.weight = CRM_ARENA_ZEROED(scratch, int, pattern->group_count);
    bool enough = fronts != NULL && a.weight != NULL;
    for (int i = 0; enough && i < pattern->size; i++) a.weight[pattern->group[i]]++;
    enough = enough && list_neighbours(&a);
    carom_status status = enough ? CAROM_OK : no_memory(&a, error);
    crm_block_graph graph = {.node_count = pattern->group_count};
    if (status == CAROM_OK)
        status = crm_block_order_create(&graph, &a.adjacency, NULL, arena, scratch, &a.order, error);
    symbolic->front = fronts;
    if (status == CAROM_OK &&
        !(list_rows_below(&a) && join_fronts(&a) && number_fronts(&a, symbolic, fronts) &&
          find_borders(&a, symbolic, fronts) && place_entries(&a, symbolic, fronts)))
        status = no_memory(&a, error);
    crm_arena_release(scratch, used);
    if (status == CAROM_OK) measure_fronts(symbolic);
    return status;
}

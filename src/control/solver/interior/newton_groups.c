// SPDX-License-Identifier: MIT
// What is eliminated together: all of a plane; elsewhere each row with an unknown of its place that it can determine, by
// a matching, so that the row's zero on the diagonal has a pivot beside it. Rows for which none is left stand alone: by
// the time of their stage what they hang on is gone, and has left them a pivot.
#include "control/solver/interior/newton_matrix.h"

typedef struct matching {
    const crm_newton_pattern *pattern;
    const int32_t *kept_row;
    int *row_of;     // of unknowns; -1: free
    int *unknown_of; // of kept rows
    int *queue, *came_from, *visited;
} matching;

static bool same_place(crm_place a, crm_place b) {
    return a.kind == b.kind && a.index == b.index && a.part == b.part;
}

// Gives kept row `k` an unknown, by moving others along a shortest path of exchanges (Kuhn).
static void match_row(matching *m, int k) {
    const crm_newton_pattern *p = m->pattern;
    int begin = 0, end = 0;
    m->queue[end++] = k;
    for (; begin < end; begin++) {
        int row = m->kept_row[m->queue[begin]];
        for (int e = p->jacobian_start[row]; e < p->jacobian_start[row + 1]; e++) {
            int u = p->jacobian_column[e];
            if (m->visited[u] == k || !same_place(p->row_place[row], p->unknown_place[u])) continue;
            m->visited[u] = k;
            m->came_from[u] = m->queue[begin];
            if (m->row_of[u] >= 0) {
                m->queue[end++] = m->row_of[u];
                continue;
            }
            while (u >= 0) {
                int taker = m->came_from[u], given_up = m->unknown_of[taker];
                m->row_of[u] = taker;
                m->unknown_of[taker] = u;
                u = given_up;
            }
            return;
        }
    }
}

static bool match(matching *m, int kept, crm_arena *scratch) {
    const crm_newton_pattern *p = m->pattern;
    m->row_of = CRM_ARENA_ARRAY(scratch, int, p->unknowns);
    m->unknown_of = CRM_ARENA_ARRAY(scratch, int, kept);
    m->queue = CRM_ARENA_ARRAY(scratch, int, kept);
    m->came_from = CRM_ARENA_ARRAY(scratch, int, p->unknowns);
    m->visited = CRM_ARENA_ARRAY(scratch, int, p->unknowns);
    if (crm_arena_refused(scratch)) return false;
    for (int u = 0; u < p->unknowns; u++) m->row_of[u] = -1;
    for (int k = 0; k < kept; k++) m->unknown_of[k] = -1;
    for (int u = 0; u < p->unknowns; u++) m->visited[u] = -1;
    for (int k = 0; k < kept; k++) match_row(m, k);
    return true;
}

// Numbers planes by their intervals and parts; -1 of what is no plane's.
static int plane_number(crm_place place, int parts) {
    return place.kind == CRM_PLACE_PLANE ? place.index * parts + place.part : -1;
}

static void widen(crm_place place, int *parts, int *indices) {
    if (place.kind == CRM_PLACE_PLANE && place.part >= *parts) *parts = place.part + 1;
    if (place.kind != CRM_PLACE_WHOLE && place.index >= *indices) *indices = place.index + 1;
}

// Planes, intervals, then one node after the other: least degree would run along the thin chains of momenta through all
// nodes first, and leave them all coupled.
static int stage_of(crm_place place, int nodes) {
    switch (place.kind) {
    case CRM_PLACE_PLANE:
        return 0;
    case CRM_PLACE_INTERVAL:
        return 1;
    case CRM_PLACE_NODE:
        return 2 + place.index;
    default:
        return 2 + nodes;
    }
}

bool crm_newton_groups(const crm_newton_pattern *p, int kept, const int32_t *kept_row, crm_arena *scratch, int *group,
                       int *stage, int *count) {
    matching m = {.pattern = p, .kept_row = kept_row};
    if (!match(&m, kept, scratch)) return false;
    int parts = 1, indices = 1;
    for (int u = 0; u < p->unknowns; u++) widen(p->unknown_place[u], &parts, &indices);
    for (int r = 0; r < p->rows; r++) widen(p->row_place[r], &parts, &indices);
    int *plane_group = CRM_ARENA_ARRAY(scratch, int, (ptrdiff_t)parts * indices);
    if (plane_group == NULL) return false;
    for (int i = 0; i < parts * indices; i++) plane_group[i] = -1;
    *count = 0;
    for (int u = 0; u < p->unknowns; u++) {
        int plane = plane_number(p->unknown_place[u], parts);
        if (plane < 0)
            group[u] = (*count)++;
        else
            group[u] = plane_group[plane] = plane_group[plane] >= 0 ? plane_group[plane] : (*count)++;
        stage[group[u]] = stage_of(p->unknown_place[u], indices);
    }
    for (int k = 0; k < kept; k++) {
        int plane = plane_number(p->row_place[kept_row[k]], parts), partner = m.unknown_of[k];
        if (plane >= 0 && plane_group[plane] >= 0)
            group[p->unknowns + k] = plane_group[plane];
        else
            group[p->unknowns + k] = partner >= 0 ? group[partner] : (*count)++;
        stage[group[p->unknowns + k]] = stage_of(p->row_place[kept_row[k]], indices);
    }
    return true;
}

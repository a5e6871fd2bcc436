// SPDX-License-Identifier: MIT
// What is eliminated together: all of a plane; elsewhere each row with an unknown that it can determine, by a matching,
// so that the row's zero on the diagonal has a pivot beside it. Unknowns of the row's own place come first.
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

static bool may_match(const matching *m, int row, int unknown, bool near) {
    return !near || same_place(m->pattern->row_place[row], m->pattern->unknown_place[unknown]);
}

// Gives kept row `k` an unknown, by moving others along a shortest path of exchanges (Kuhn).
static void match_row(matching *m, int k, bool near) {
    const crm_newton_pattern *p = m->pattern;
    int begin = 0, end = 0;
    m->queue[end++] = k;
    for (; begin < end; begin++) {
        int row = m->kept_row[m->queue[begin]];
        for (int e = p->jacobian_start[row]; e < p->jacobian_start[row + 1]; e++) {
            int u = p->jacobian_column[e];
            if (m->visited[u] == k || !may_match(m, row, u, near)) continue;
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
    for (int pass = 0; pass < 2; pass++) {
        for (int u = 0; u < p->unknowns; u++) m->visited[u] = -1;
        for (int k = 0; k < kept; k++)
            if (m->unknown_of[k] < 0) match_row(m, k, pass == 0);
    }
    return true;
}

// Numbers planes by their intervals and parts; -1 of what is no plane's.
static int plane_number(crm_place place, int parts) {
    return place.kind == CRM_PLACE_PLANE ? place.index * parts + place.part : -1;
}

static void widen(crm_place place, int *parts, int *indices) {
    if (place.kind != CRM_PLACE_PLANE) return;
    if (place.part >= *parts) *parts = place.part + 1;
    if (place.index >= *indices) *indices = place.index + 1;
}

bool crm_newton_groups(const crm_newton_pattern *p, int kept, const int32_t *kept_row, crm_arena *scratch, int *group,
                       int *count) {
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
    }
    for (int k = 0; k < kept; k++) {
        int plane = plane_number(p->row_place[kept_row[k]], parts), partner = m.unknown_of[k];
        if (plane >= 0 && plane_group[plane] >= 0)
            group[p->unknowns + k] = plane_group[plane];
        else
            group[p->unknowns + k] = partner >= 0 ? group[partner] : (*count)++;
    }
    return true;
}

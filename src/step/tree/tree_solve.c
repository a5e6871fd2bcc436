// SPDX-License-Identifier: MIT
#include "step/tree/tree_solve.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"

// Loops over the freedoms of a link get constant lengths where the caller has a constant.
#define ALWAYS_INLINE inline __attribute__((always_inline))

carom_status crm_tree_system_create(const crm_joint_graph *graph, crm_arena *arena, crm_tree_system *system,
                                    carom_error *error) {
    int links = graph->link_count, coordinates = graph->free_count;
    crm_tree_system s = {.graph = graph, .square = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)links + 1)};
    int entries = 0;
    for (int i = 0; s.square != NULL && i < links; i++) {
        s.square[i] = entries;
        entries += graph->link[i].free * graph->link[i].free;
    }
    s.left = CRM_ARENA_ARRAY(arena, crm_vec6, coordinates);
    s.right = CRM_ARENA_ARRAY(arena, crm_vec6, coordinates);
    s.left_arm = CRM_ARENA_ZEROED(arena, carom_vec3, links);
    s.right_arm = CRM_ARENA_ZEROED(arena, carom_vec3, links);
    s.block = CRM_ARENA_ARRAY(arena, crm_mat6, links);
    s.joint_block = CRM_ARENA_ZEROED(arena, double, entries);
    s.articulated = CRM_ARENA_ARRAY(arena, crm_mat6, links);
    s.gain = CRM_ARENA_ARRAY(arena, crm_vec6, coordinates);
    s.row = CRM_ARENA_ARRAY(arena, crm_vec6, coordinates);
    s.pivot_block = CRM_ARENA_ARRAY(arena, double, entries);
    s.pivot = CRM_ARENA_ARRAY(arena, int, coordinates);
    s.carried = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a tree of %d links", links);
    s.square[links] = entries;
    *system = s;
    return CAROM_OK;
}

// ---- the few unknowns of one link: LU with row exchanges; calls of the general one took half the time of a solve

static ALWAYS_INLINE bool factor_small(int n, double *a, int *pivot) {
    for (int j = 0; j < n; j++) {
        int best = j;
        double size = 0.0;
        for (int i = 0; i < n; i++) size = fabs(a[i + n * j]) > size ? fabs(a[i + n * j]) : size;
        for (int i = j + 1; i < n; i++)
            if (fabs(a[i + n * j]) > fabs(a[best + n * j])) best = i;
        pivot[j] = best;
        if (!(fabs(a[best + n * j]) > n * DBL_EPSILON * size)) return false;
        for (int k = 0; best != j && k < n; k++) {
            double kept = a[j + n * k];
            a[j + n * k] = a[best + n * k];
            a[best + n * k] = kept;
        }
        double reciprocal = 1.0 / a[j + n * j];
        a[j + n * j] = reciprocal;
        for (int i = j + 1; i < n; i++) {
            a[i + n * j] *= reciprocal;
            for (int k = j + 1; k < n; k++) a[i + n * k] -= a[i + n * j] * a[j + n * k];
        }
    }
    return true;
}

// For `width` right-hand sides, row i at x + width i. The diagonal of U is kept by its reciprocals.
static ALWAYS_INLINE void solve_small(int n, const double *lu, const int *pivot, int width, double *x) {
    for (int j = 0; j < n; j++) {
        double *row = x + width * j, *taken = x + width * pivot[j];
        for (int c = 0; taken != row && c < width; c++) {
            double kept = taken[c];
            taken[c] = row[c];
            row[c] = kept;
        }
    }
    for (int j = 0; j < n; j++)
        for (int i = j + 1; i < n; i++)
            for (int c = 0; c < width; c++) x[width * i + c] -= lu[i + n * j] * x[width * j + c];
    for (int j = n - 1; j >= 0; j--) {
        for (int c = 0; c < width; c++) x[width * j + c] *= lu[j + n * j];
        for (int i = 0; i < j; i++)
            for (int c = 0; c < width; c++) x[width * i + c] -= lu[i + n * j] * x[width * j + c];
    }
}

// ---- elimination

static inline crm_vec6 load(const double *e) {
    return crm_vec6_of(crm_vec3(e[0], e[1], e[2]), crm_vec3(e[3], e[4], e[5]));
}

static inline crm_vec6 column_of(const crm_mat6 *a, int k) {
    return load(a->e + 6 * k);
}

static inline void store(crm_vec6 v, double *e) {
    e[0] = v.linear.x, e[1] = v.linear.y, e[2] = v.linear.z;
    e[3] = v.angular.x, e[4] = v.angular.y, e[5] = v.angular.z;
}

// A wrench about a link's centre of mass, about its parent's.
static crm_vec6 to_parent(crm_vec6 wrench, carom_vec3 arm) {
    return crm_force_shift(wrench, crm_negate(arm));
}

// to += X^T a X', X of the arm `left` and X' of the arm `right`.
static void add_carried(crm_mat6 *to, const crm_mat6 *a, carom_vec3 left, carom_vec3 right) {
    crm_vec6 x = column_of(a, 0), y = column_of(a, 1), z = column_of(a, 2);
    const crm_vec6 column[6] = {
        x,
        y,
        z,
        crm_vec6_madd(crm_vec6_madd(column_of(a, 3), -right.z, y), right.y, z),
        crm_vec6_madd(crm_vec6_madd(column_of(a, 4), right.z, x), -right.x, z),
        crm_vec6_madd(crm_vec6_madd(column_of(a, 5), -right.y, x), right.x, y),
    };
    for (int k = 0; k < 6; k++) store(crm_vec6_add(column_of(to, k), to_parent(column[k], left)), to->e + 6 * k);
}

// a -= U W
static ALWAYS_INLINE void take_freedom(crm_mat6 *a, int free, const crm_vec6 *gain, const crm_vec6 *row) {
    for (int k = 0; k < free; k++) {
        double w[6], u[6];
        store(row[k], w);
        store(gain[k], u);
        for (int j = 0; j < 6; j++)
            for (int i = 0; i < 6; i++) a->e[i + 6 * j] -= u[i] * w[j];
    }
}

// M, U and W of one link from its articulated block; false when M is singular.
static ALWAYS_INLINE bool eliminate(crm_tree_system *s, int index, int n) {
    const crm_tree_link *link = &s->graph->link[index];
    const crm_mat6 *a = &s->articulated[index];
    const crm_vec6 *left = s->left + link->first, *right = s->right + link->first;
    crm_vec6 *gain = s->gain + link->first;
    double *m = s->pivot_block + s->square[index], w[36];
    for (int k = 0; k < n; k++) {
        double x[6], l[6], u[6] = {0.0};
        store(right[k], x);
        store(left[k], l);
        for (int j = 0; j < 6; j++) {
            double sum = 0.0;
            for (int i = 0; i < 6; i++) {
                u[i] += a->e[i + 6 * j] * x[j];
                sum += a->e[i + 6 * j] * l[i];
            }
            w[6 * k + j] = sum;
        }
        gain[k] = load(u);
    }
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++)
            m[k + n * j] = crm_vec6_dot(left[k], gain[j]) + s->joint_block[s->square[index] + k + n * j];
    if (!factor_small(n, m, s->pivot + link->first)) return false;
    solve_small(n, m, s->pivot + link->first, 6, w);
    for (int k = 0; k < n; k++) s->row[link->first + k] = load(w + 6 * k);
    return true;
}

// One link: what it leaves to its parent. `n` is its freedom, a constant where it is a common one.
static ALWAYS_INLINE bool factor_link(crm_tree_system *s, int index, int n) {
    const crm_tree_link *link = &s->graph->link[index];
    if (n > 0 && !eliminate(s, index, n)) return false;
    if (link->parent < 0) return true;
    crm_mat6 left_over = s->articulated[index];
    take_freedom(&left_over, n, s->gain + link->first, s->row + link->first);
    add_carried(&s->articulated[link->parent], &left_over, s->left_arm[index], s->right_arm[index]);
    return true;
}

bool crm_tree_factor(crm_tree_system *s) {
    int links = s->graph->link_count;
    if (s->articulated != s->block) memcpy(s->articulated, s->block, (size_t)links * sizeof *s->block);
    for (int i = links - 1; i >= 0; i--) {
        int n = s->graph->link[i].free;
        bool regular = n == 3 ? factor_link(s, i, 3) : n == 1 ? factor_link(s, i, 1) : factor_link(s, i, n);
        if (!regular) return false;
    }
    return true;
}

void crm_tree_solve(crm_tree_system *s, const crm_vec6 *b, const double *f, double *w, crm_vec6 *t) {
    int links = s->graph->link_count;
    memmove(s->carried, b, (size_t)links * sizeof *b);
    for (int i = links - 1; i >= 0; i--) {
        const crm_tree_link *link = &s->graph->link[i];
        double *y = w + link->first;
        crm_vec6 wrench = s->carried[i];
        for (int k = 0; k < link->free; k++) y[k] = crm_vec6_dot(s->left[link->first + k], wrench) + f[link->first + k];
        if (link->free == 3)
            solve_small(3, s->pivot_block + s->square[i], s->pivot + link->first, 1, y);
        else
            solve_small(link->free, s->pivot_block + s->square[i], s->pivot + link->first, 1, y);
        if (link->parent < 0) continue;
        for (int k = 0; k < link->free; k++) wrench = crm_vec6_madd(wrench, -y[k], s->gain[link->first + k]);
        s->carried[link->parent] = crm_vec6_add(s->carried[link->parent], to_parent(wrench, s->left_arm[i]));
    }
    for (int i = 0; i < links; i++) {
        const crm_tree_link *link = &s->graph->link[i];
        crm_vec6 twist = crm_vec6_zero();
        if (link->parent >= 0) {
            twist = crm_motion_shift(t[link->parent], s->right_arm[i]);
            for (int k = 0; k < link->free; k++) w[link->first + k] -= crm_vec6_dot(s->row[link->first + k], twist);
        }
        for (int k = 0; k < link->free; k++)
            twist = crm_vec6_madd(twist, w[link->first + k], s->right[link->first + k]);
        t[i] = twist;
    }
}

void crm_tree_twists(const crm_tree_system *s, const double *w, crm_vec6 *t) {
    for (int i = 0; i < s->graph->link_count; i++) {
        const crm_tree_link *link = &s->graph->link[i];
        crm_vec6 twist = link->parent < 0 ? crm_vec6_zero() : crm_motion_shift(t[link->parent], s->right_arm[i]);
        for (int k = 0; k < link->free; k++)
            twist = crm_vec6_madd(twist, w[link->first + k], s->right[link->first + k]);
        t[i] = twist;
    }
}

void crm_tree_gather(const crm_joint_graph *graph, const carom_vec3 *arm, const crm_vec6 *b, crm_vec6 *sum) {
    if (sum != b) memcpy(sum, b, (size_t)graph->link_count * sizeof *b);
    for (int i = graph->link_count - 1; i >= 0; i--) {
        int parent = graph->link[i].parent;
        if (parent >= 0) sum[parent] = crm_vec6_add(sum[parent], to_parent(sum[i], arm[i]));
    }
}

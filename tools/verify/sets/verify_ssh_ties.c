// SPDX-License-Identifier: MIT
#include "verify/sets/verify_ssh_ties.h"

#include <math.h>
#include <string.h>

#include "math/dense/dense.h"

enum { FULL = 5 }; // alpha, a1, a2

// ---- solutions of least norm

// Part of a row that the rows before it leave, relative to the row, below which it is one of their combinations.
static const double dependent = 1e-9;

// The solution of least norm of rows.x = right, n unknowns: sum of c_i e_i, where e_i are the rows made orthonormal and
// c_i what they ask for. Overwrites rows and right.
static void least_norm(int n, int row_count, double *rows, double *right, double *x) {
    memset(x, 0, (size_t)n * sizeof *x);
    for (int i = 0; i < row_count; i++) {
        double *row = rows + (ptrdiff_t)i * n, whole = sqrt(crm_dense_dot(n, row, row));
        for (int pass = 0; pass < 2; pass++) // once more takes away what rounding left
            for (int j = 0; j < i; j++) {
                const double *unit = rows + (ptrdiff_t)j * n;
                double share = crm_dense_dot(n, unit, row);
                crm_dense_add_scaled(n, -share, unit, row);
                right[i] -= share * right[j];
            }
        double left = sqrt(crm_dense_dot(n, row, row));
        bool new_one = left > dependent * whole;
        for (int k = 0; k < n; k++) row[k] = new_one ? row[k] / left : 0.0;
        right[i] = new_one ? right[i] / left : 0.0;
        crm_dense_add_scaled(n, right[i], row, x);
    }
}

static double *take(const crm_ssh_ties *t, ptrdiff_t count) {
    double *numbers = CRM_ARENA_ZEROED(t->arena, double, count);
    if (numbers == NULL) crm_reference_refuse_memory(t->reference, "equations", (size_t)count * sizeof *numbers);
    return numbers;
}

typedef struct active_list {
    int count;
    const double *vertex;
} active_list;

static active_list read_active(const crm_ssh_ties *t, const char *key, int vertices) {
    active_list list;
    list.vertex = crm_reference_numbers(t->reference, t->expected, "expected", key, t->arena, &list.count);
    for (int i = 0; i < list.count; i++)
        if (!(list.vertex[i] >= 0.0 && list.vertex[i] < vertices))
            crm_reference_fail(t->reference, "expected.%s[%d] is %g, and there are %d vertices", key, i, list.vertex[i],
                               vertices);
    return list;
}

// ---- the normals

static double least_along(int count, const carom_vec3 *points, carom_vec3 d) {
    double least = INFINITY;
    for (int i = 0; i < count; i++) least = fmin(least, crm_dot(d, points[i]));
    return least;
}

// alpha, a1, a2 of a normal.
static void full_of(const crm_ssh_ties *t, carom_vec3 alpha, double full[FULL]) {
    full[0] = alpha.x;
    full[1] = alpha.y;
    full[2] = alpha.z;
    full[3] = least_along(t->count1, t->k1, alpha);
    full[4] = -least_along(t->count2, t->k2, crm_negate(alpha));
}

// Each extreme normal is as good as carom's, and carom's is the shortest of all that lie between them: the point of
// their hull that is nearest to the origin.
static void check_extreme(const crm_ssh_ties *t, int count, const carom_vec3 *extreme) {
    for (int i = 0; i < count; i++) {
        double full[FULL];
        full_of(t, extreme[i], full);
        crm_check_error(t->verdict, fabs(crm_dot(t->beta, extreme[i]) - 1.0), t->tolerance, "alpha_extreme[%d].beta",
                        i);
        crm_check_error(t->verdict, fabs(full[3] - full[4] - t->ray->value), t->size * t->tolerance,
                        "alpha_extreme[%d]", i);
    }
    const carom_vec3 origin = crm_vec3_zero();
    carom_view a = carom_view_of_vertices(1, &origin), b = carom_view_of_vertices(count, extreme);
    carom_gap_witness gap;
    carom_error error;
    if (carom_gap_find(&a, &b, NULL, NULL, &gap, &error) != CAROM_OK)
        crm_check_obstacle(t->verdict, t->tolerance, "alpha_extreme", error.text);
    else
        crm_check_vec3(t->verdict, t->tolerance, "alpha_extreme", t->ray->alpha, gap.point_b);
}

// The solution of least norm p: it is optimal, and no way from it to an extreme one makes it shorter, p.(x - p) >= 0.
static void check_full(const crm_ssh_ties *t, const double *p, int count, const carom_vec3 *extreme) {
    double full[FULL], scale = fmax(1.0, crm_dense_dot(FULL, p, p)), lengths = t->size * t->tolerance;
    full_of(t, crm_vec3(p[0], p[1], p[2]), full);
    crm_check_error(t->verdict, fabs(crm_dot(t->beta, crm_vec3(p[0], p[1], p[2])) - 1.0), t->tolerance,
                    "primal_min_norm_full.beta");
    crm_check_error(t->verdict, fabs(full[3] - full[4] - t->ray->value), lengths, "primal_min_norm_full");
    crm_check_error(t->verdict, fabs(full[3] - p[3]), lengths, "primal_min_norm_full a1");
    crm_check_error(t->verdict, fabs(full[4] - p[4]), lengths, "primal_min_norm_full a2");
    for (int i = 0; i < count; i++) {
        full_of(t, extreme[i], full);
        crm_check_error(t->verdict, fmax(0.0, crm_dense_dot(FULL, p, p) - crm_dense_dot(FULL, p, full)) / scale,
                        t->tolerance, "primal_min_norm_full");
    }
}

// <alpha, x> = a1, <alpha, y> = a2 on the vertices that every optimal alpha touches, <beta, alpha> = 1.
static void check_plain_primal(const crm_ssh_ties *t, const double *p) {
    active_list one = read_active(t, "active1", t->count1), two = read_active(t, "active2", t->count2);
    int row_count = one.count + two.count + 1;
    double *rows = take(t, (ptrdiff_t)row_count * FULL), *right = take(t, row_count), x[FULL];
    bool inside = crm_reference_bool(t->reference, t->expected, "expected", "pinv_primal_inside");
    if (t->reference->status != CAROM_OK) return;
    for (int i = 0; i < row_count; i++) {
        bool first = i < one.count, last = i == row_count - 1;
        carom_vec3 v = t->beta;
        if (!last) v = first ? t->k1[(int)one.vertex[i]] : t->k2[(int)two.vertex[i - one.count]];
        double *row = rows + (ptrdiff_t)i * FULL;
        row[0] = v.x, row[1] = v.y, row[2] = v.z;
        if (!last) row[first ? 3 : 4] = -1.0;
        right[i] = last ? 1.0 : 0.0;
    }
    least_norm(FULL, row_count, rows, right, x);
    double error = 0.0;
    for (int k = 0; k < FULL; k++) error = fmax(error, fabs(x[k] - p[k]));
    crm_check_flag(t->verdict, "pinv_primal_inside", error <= t->size * t->tolerance, inside);
}

// ---- the duals

// Weights of the active vertices: sums of 1, and points apart by the value along beta.
static void check_plain_dual(const crm_ssh_ties *t) {
    enum { ROWS = 5 };
    active_list one = read_active(t, "active1", t->count1), two = read_active(t, "active2", t->count2);
    int n = one.count + two.count;
    double *rows = take(t, (ptrdiff_t)ROWS * n), *x = take(t, n), least = INFINITY, error = 0.0;
    bool wanted = crm_reference_bool(t->reference, t->expected, "expected", "pinv_dual_nonnegative");
    if (t->reference->status != CAROM_OK) return;
    carom_vec3 apart = crm_scale(t->ray->value, t->beta);
    double right[ROWS] = {1.0, 1.0, apart.x, apart.y, apart.z};
    for (int j = 0; j < n; j++) {
        bool first = j < one.count;
        carom_vec3 v = first ? t->k1[(int)one.vertex[j]] : crm_negate(t->k2[(int)two.vertex[j - one.count]]);
        rows[(first ? 0 : 1) * n + j] = 1.0;
        rows[2 * n + j] = v.x, rows[3 * n + j] = v.y, rows[4 * n + j] = v.z;
    }
    least_norm(n, ROWS, rows, right, x);
    for (int j = 0; j < n; j++) {
        double own = j < one.count ? t->weights1[(int)one.vertex[j]] : t->weights2[(int)two.vertex[j - one.count]];
        least = fmin(least, x[j]);
        error = fmax(error, fabs(x[j] - own));
    }
    crm_check_flag(t->verdict, "pinv_dual_nonnegative", least >= -t->tolerance, wanted);
    // Where it is not negative, it is the answer.
    if (wanted) crm_check_error(t->verdict, error, t->tolerance, "pinv_dual_nonnegative");
}

void crm_verify_ssh_ties(const crm_ssh_ties *t) {
    crm_reference *r = t->reference;
    int extremes = 0, numbers = 0;
    const carom_vec3 *extreme = NULL;
    const double *p = NULL;
    if (crm_reference_has(t->expected, "alpha_extreme"))
        extreme = crm_reference_points(r, t->expected, "expected", "alpha_extreme", t->arena, &extremes);
    if (crm_reference_has(t->expected, "primal_min_norm_full"))
        p = crm_reference_numbers(r, t->expected, "expected", "primal_min_norm_full", t->arena, &numbers);
    if (p != NULL && numbers != FULL)
        crm_reference_fail(r, "expected.primal_min_norm_full has %d numbers, must have %d", numbers, FULL);
    if (r->status != CAROM_OK) return;
    if (extreme != NULL) check_extreme(t, extremes, extreme);
    if (p != NULL) check_full(t, p, extremes, extreme);
    if (p != NULL && crm_reference_has(t->expected, "pinv_primal_inside")) check_plain_primal(t, p);
    if (crm_reference_has(t->expected, "pinv_dual_nonnegative")) check_plain_dual(t);
}

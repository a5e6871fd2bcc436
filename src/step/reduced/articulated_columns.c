// SPDX-License-Identifier: MIT
// The elimination of a link with any number of coordinates, and with rows. With U = I S, D = S^T U, and C the rows that
// are held,
//     acceleration = P (g - U^T a') + K d,   lambda = W d - K^T (g - U^T a')
// where a' is what the parent carries along, g = force - S^T p and d = wanted:
//     W = (C D^-1 C^T)^-1,  K = D^-1 C^T W,  P = D^-1 - K C D^-1
// and I - U P U^T is left for the parent. Without rows P = D^-1.
#include <string.h>

#include "step/reduced/articulated.h"

// Shares of pivots below which they are roundings: of S^T I S, and of C D^-1 C^T.
static const double least_pivot = 1e-15, least_row_pivot = 1e-12;

enum { MOST = CRM_ARTICULATED_MOST_ROWS };

static crm_articulated_column *columns_of(const crm_articulated *tree, const crm_articulated_link *link) {
    return tree->column + link->tree->first;
}

static double along(const crm_articulated_link *link, const crm_articulated_column *column, int k, crm_vec6 f) {
    return crm_dot(column[k].axis, k < link->linear_free ? f.linear : f.angular);
}

// The inverse of the n x n symmetric positive definite matrix (rows of MOST numbers), in place, by elimination without
// exchanges. Rows whose pivot is below the share of their diagonal are left out: zero in the inverse. How many are.
static int invert(int n, double a[][MOST], double share) {
    double diagonal[MOST];
    int left_out = 0;
    for (int k = 0; k < n; k++) diagonal[k] = a[k][k];
    for (int k = 0; k < n; k++) {
        if (!(a[k][k] > share * diagonal[k])) {
            for (int j = 0; j < n; j++) a[k][j] = a[j][k] = 0.0;
            left_out++;
            continue;
        }
        double pivot = 1.0 / a[k][k];
        a[k][k] = 1.0;
        for (int j = 0; j < n; j++) a[k][j] *= pivot;
        for (int i = 0; i < n; i++) {
            if (i == k) continue;
            double factor = a[i][k];
            a[i][k] = 0.0;
            for (int j = 0; j < n; j++) a[i][j] -= factor * a[k][j];
        }
    }
    return left_out;
}

// ---- factoring

static bool holds_any(const crm_articulated *tree, const crm_articulated_link *link) {
    for (int r = 0; r < link->row_count; r++)
        if (tree->row[link->first_row + r].on) return true;
    return false;
}

// Columns of U, and D^-1 into the columns' `inverse`.
static bool invert_columns(crm_articulated *tree, crm_articulated_link *link) {
    crm_articulated_column *column = columns_of(tree, link);
    const crm_articulated_inertia *inertia = &link->rest;
    int n = link->tree->free;
    for (int k = 0; k < n; k++) {
        carom_vec3 e = column[k].axis;
        column[k].momentum =
            k < link->linear_free
                ? crm_vec6_of(crm_mat3_apply(inertia->linear, e), crm_mat3_apply_t(inertia->coupling, e))
                : crm_vec6_of(crm_mat3_apply(inertia->coupling, e), crm_mat3_apply(inertia->angular, e));
    }
    if (n == 1) {
        double d = along(link, column, 0, column[0].momentum);
        column[0].inverse[0] = 1.0 / d;
        return d > 0.0;
    }
    double d[6][MOST];
    for (int k = 0; k < n; k++)
        for (int j = 0; j <= k; j++) d[k][j] = d[j][k] = along(link, column, j, column[k].momentum);
    if (invert(n, d, least_pivot) > 0) return false;
    for (int k = 0; k < n; k++) memcpy(column[k].inverse, d[k], (size_t)n * sizeof d[0][0]);
    return true;
}

// W, K, and P in place of D^-1.
static void hold_rows(crm_articulated *tree, crm_articulated_link *link) {
    crm_articulated_column *column = columns_of(tree, link);
    crm_articulated_row *row = tree->row + link->first_row;
    int n = link->tree->free, rows = link->row_count;
    double reply[MOST][6], w[MOST][MOST]; // rows of C D^-1
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++) {
            reply[r][k] = 0.0;
            for (int j = 0; j < n && row[r].on; j++) reply[r][k] += row[r].gradient[j] * column[j].inverse[k];
        }
    for (int r = 0; r < rows; r++)
        for (int s = 0; s < rows; s++) {
            w[r][s] = 0.0;
            for (int k = 0; k < n && row[s].on; k++) w[r][s] += reply[r][k] * row[s].gradient[k];
        }
    invert(rows, w, least_row_pivot); // rows that are off, or that others say already, are left out
    for (int r = 0; r < rows; r++) {
        memcpy(row[r].stiffness, w[r], (size_t)rows * sizeof w[0][0]);
        for (int k = 0; k < n; k++) {
            row[r].response[k] = 0.0;
            for (int s = 0; s < rows; s++) row[r].response[k] += w[r][s] * reply[s][k];
        }
    }
    for (int r = 0; r < rows; r++)
        for (int k = 0; k < n; k++)
            for (int j = 0; j < n; j++) column[k].inverse[j] -= row[r].response[k] * reply[r][j];
}

bool crm_articulated_columns_factor(crm_articulated *tree, crm_articulated_link *link) {
    if (link->tree->free == 0) return true;
    if (!invert_columns(tree, link)) return false;
    if (holds_any(tree, link)) hold_rows(tree, link);
    crm_articulated_column *column = columns_of(tree, link);
    crm_articulated_inertia *rest = &link->rest;
    int n = link->tree->free;
    for (int k = 0; k < n; k++) {
        crm_vec6 u = column[k].momentum, v = crm_vec6_zero();
        for (int j = 0; j < n; j++) v = crm_vec6_madd(v, column[k].inverse[j], column[j].momentum);
        rest->linear = crm_mat3_sub(rest->linear, crm_outer(u.linear, v.linear));
        rest->coupling = crm_mat3_sub(rest->coupling, crm_outer(u.linear, v.angular));
        rest->angular = crm_mat3_sub(rest->angular, crm_outer(u.angular, v.angular));
    }
    return true;
}

// ---- solving

// p + U (P g + K d): the force without what the parent carries along.
void crm_articulated_columns_begin(crm_articulated *tree, crm_articulated_link *link, const double *force) {
    crm_articulated_column *column = columns_of(tree, link);
    const crm_articulated_row *row = tree->row + link->first_row;
    int n = link->tree->free;
    for (int k = 0; k < n; k++) {
        column[k].driving = -along(link, column, k, link->force);
        if (force != NULL) column[k].driving += force[link->tree->first + k];
    }
    for (int k = 0; k < n; k++) {
        double acceleration = 0.0;
        for (int j = 0; j < n; j++) acceleration += column[k].inverse[j] * column[j].driving;
        for (int r = 0; r < link->row_count; r++)
            if (row[r].on) acceleration += row[r].response[k] * row[r].wanted;
        link->force = crm_vec6_madd(link->force, acceleration, column[k].momentum);
    }
}

static void find_lambda(crm_articulated *tree, const crm_articulated_link *link, const double *left) {
    crm_articulated_row *row = tree->row + link->first_row;
    for (int r = 0; r < link->row_count; r++) {
        row[r].lambda = 0.0;
        if (!row[r].on) continue;
        for (int s = 0; s < link->row_count; s++)
            if (row[s].on) row[r].lambda += row[r].stiffness[s] * row[s].wanted;
        for (int k = 0; k < link->tree->free; k++) row[r].lambda -= row[r].response[k] * left[k];
    }
}

void crm_articulated_columns_end(crm_articulated *tree, crm_articulated_link *link, crm_vec6 carried) {
    const crm_articulated_column *column = columns_of(tree, link);
    const crm_articulated_row *row = tree->row + link->first_row;
    const crm_articulated_inertia *rest = &link->rest;
    int n = link->tree->free;
    double left[6]; // g - U^T a'
    for (int k = 0; k < n; k++) left[k] = column[k].driving - crm_vec6_dot(column[k].momentum, carried);
    link->acceleration = carried;
    for (int k = 0; k < n; k++) {
        double own = 0.0;
        for (int j = 0; j < n; j++) own += column[k].inverse[j] * left[j];
        for (int r = 0; r < link->row_count; r++)
            if (row[r].on) own += row[r].response[k] * row[r].wanted;
        carom_vec3 *part = k < link->linear_free ? &link->acceleration.linear : &link->acceleration.angular;
        *part = crm_madd(*part, own, column[k].axis);
        tree->acceleration[link->tree->first + k] = own;
    }
    if (link->row_count > 0) find_lambda(tree, link, left);
    if (link->joint == NULL) {
        link->force = crm_vec6_zero();
        return;
    }
    crm_vec6 joint_force = crm_vec6_of(
        crm_add(crm_mat3_apply(rest->linear, carried.linear), crm_mat3_apply(rest->coupling, carried.angular)),
        crm_add(crm_mat3_apply_t(rest->coupling, carried.linear), crm_mat3_apply(rest->angular, carried.angular)));
    link->force = crm_vec6_add(link->force, joint_force);
}

// SPDX-License-Identifier: MIT
#include "solve/operator.h"

#include <math.h>
#include <string.h>

#include "solve/incidence.h"

int crm_operator_work(const crm_operator *op) {
    return op->form == CAROM_FORM_MOBILITY ? 2 * op->velocity_count : op->velocity_count;
}

static void clear(double *x, int count) {
    if (count > 0) memset(x, 0, sizeof(double) * (size_t)count);
}

void crm_operator_forces(const crm_operator *op, const double *r, double *f) {
    clear(f, op->velocity_count);
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        const double *impulse = r + op->row_start[g];
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int at = op->velocity_start[op->incidence_node[k]],
                size = op->velocity_start[op->incidence_node[k] + 1] - at;
            crm_incidence_add_columns(rows, size, op->jacobian + op->incidence_at[k], impulse, f + at);
        }
    }
}

void crm_operator_divide_mass(const crm_operator *op, double *x) {
    for (int n = 0; n < op->node_count; n++) {
        int at = op->velocity_start[n], size = op->velocity_start[n + 1] - at;
        const double *inverse = op->inverse + op->mass_start[n];
        double force[CAROM_NODE_SIZE];
        for (int i = 0; i < size; i++) {
            force[i] = x[at + i];
            x[at + i] = 0.0;
        }
        for (int j = 0; j < size; j++) {
            for (int i = 0; i < size; i++) x[at + i] += inverse[j * size + i] * force[j];
        }
    }
}

void crm_operator_rows(const crm_operator *op, const double *v, double *u) {
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        double *relative = u + op->row_start[g];
        for (int i = 0; i < rows; i++) relative[i] = 0.0;
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int at = op->velocity_start[op->incidence_node[k]],
                size = op->velocity_start[op->incidence_node[k] + 1] - at;
            crm_incidence_add_rows(rows, size, op->jacobian + op->incidence_at[k], v + at, relative);
        }
    }
}

// M^-1 H r; for a mobility the forces lie in the second half of `work`, and v may be the first.
static void respond(const crm_operator *op, const double *r, double *work, double *v) {
    if (op->form == CAROM_FORM_MOBILITY) {
        double *forces = work + op->velocity_count;
        crm_operator_forces(op, r, forces);
        op->mobility(op->mobility_user, forces, v);
        return;
    }
    crm_operator_forces(op, r, v);
    crm_operator_divide_mass(op, v);
}

void crm_operator_velocity(const crm_operator *op, const double *r, double *work, double *v) {
    respond(op, r, work, v);
    for (int i = 0; i < op->velocity_count; i++) v[i] += op->free[i];
}

void crm_operator_multiply(const crm_operator *op, const double *r, double *work, double *y) {
    if (op->form == CAROM_FORM_DELASSUS) {
        crm_csr_multiply(&op->delassus, r, y);
        return;
    }
    respond(op, r, work, work);
    crm_operator_rows(op, work, y);
}

void crm_operator_relative(const crm_operator *op, const double *r, double *work, double *u) {
    if (op->form == CAROM_FORM_DELASSUS) {
        crm_csr_multiply(&op->delassus, r, u);
    } else {
        crm_operator_velocity(op, r, work, work);
        crm_operator_rows(op, work, u);
    }
    for (int i = 0; i < op->row_count; i++) u[i] += op->offset[i];
}

// ---- what rounding has to work on

static void magnitudes_of_forces(const crm_operator *op, const double *r, double *f) {
    clear(f, op->velocity_count);
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        const double *impulse = r + op->row_start[g];
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int at = op->velocity_start[op->incidence_node[k]],
                size = op->velocity_start[op->incidence_node[k] + 1] - at;
            const double *jacobian = op->jacobian + op->incidence_at[k];
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < size; j++) f[at + j] += fabs(jacobian[i * size + j] * impulse[i]);
            }
        }
    }
}

// |M^-1| |f|, in place.
static void magnitudes_of_velocities(const crm_operator *op, double *x) {
    for (int n = 0; n < op->node_count; n++) {
        int at = op->velocity_start[n], size = op->velocity_start[n + 1] - at;
        const double *inverse = op->inverse + op->mass_start[n];
        double force[CAROM_NODE_SIZE];
        for (int i = 0; i < size; i++) {
            force[i] = x[at + i];
            x[at + i] = 0.0;
        }
        for (int j = 0; j < size; j++) {
            for (int i = 0; i < size; i++) x[at + i] += fabs(inverse[j * size + i]) * force[j];
        }
    }
}

static void magnitudes_of_rows(const crm_operator *op, const double *v, double *terms) {
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        double *sum = terms + op->row_start[g];
        for (int i = 0; i < rows; i++) sum[i] = fabs(op->offset[op->row_start[g] + i]);
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int at = op->velocity_start[op->incidence_node[k]],
                size = op->velocity_start[op->incidence_node[k] + 1] - at;
            const double *jacobian = op->jacobian + op->incidence_at[k];
            for (int i = 0; i < rows; i++) {
                for (int j = 0; j < size; j++) sum[i] += fabs(jacobian[i * size + j]) * v[at + j];
            }
        }
    }
}

// |offset| + |W| |r|, in four sums, which do not wait for each other.
static void magnitudes_of_products(const crm_operator *op, const double *r, double *terms) {
    enum { SUMS = 4 };
    const crm_csr *w = &op->delassus;
    for (int i = 0; i < op->row_count; i++) {
        double sum[SUMS] = {fabs(op->offset[i])};
        int k = w->starts[i], end = w->starts[i + 1];
        for (; k + SUMS <= end; k += SUMS)
            for (int j = 0; j < SUMS; j++) sum[j] += fabs(w->values[k + j] * r[w->columns[k + j]]);
        for (; k < end; k++) sum[0] += fabs(w->values[k] * r[w->columns[k]]);
        terms[i] = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    }
}

void crm_operator_magnitude(const crm_operator *op, const double *r, double *work, double *terms) {
    if (op->form == CAROM_FORM_DELASSUS) {
        magnitudes_of_products(op, r, terms);
        return;
    }
    if (op->form == CAROM_FORM_MOBILITY) {
        // |M^-1| |f| is not at hand; M^-1 |f| has its size unless velocities are coupled strongly.
        double *forces = work + op->velocity_count;
        magnitudes_of_forces(op, r, forces);
        op->mobility(op->mobility_user, forces, work);
        for (int i = 0; i < op->velocity_count; i++) work[i] = fabs(work[i]);
    } else {
        magnitudes_of_forces(op, r, work);
        magnitudes_of_velocities(op, work);
    }
    for (int i = 0; i < op->velocity_count; i++) work[i] += fabs(op->free[i]);
    magnitudes_of_rows(op, work, terms);
}

// ---- to the problem and back

void crm_operator_gather(const crm_operator *op, const double *problem_rows, double *rows) {
    for (int g = 0; g < op->group_count; g++)
        memcpy(rows + op->row_start[g], problem_rows + op->problem_row[g], sizeof(double) * (size_t)op->groups[g].rows);
}

void crm_operator_scatter(const crm_operator *op, const double *rows, double *problem_rows) {
    for (int g = 0; g < op->group_count; g++)
        memcpy(problem_rows + op->problem_row[g], rows + op->row_start[g], sizeof(double) * (size_t)op->groups[g].rows);
}

void crm_operator_scatter_velocity(const crm_operator *op, const double *v, double *problem_velocity) {
    for (int n = 0; n < op->node_count; n++) {
        int at = op->velocity_start[n];
        memcpy(problem_velocity + op->problem_velocity[n], v + at,
               sizeof(double) * (size_t)(op->velocity_start[n + 1] - at));
    }
}

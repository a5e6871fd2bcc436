// SPDX-License-Identifier: MIT
// Packs a problem into an operator.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/dense/dense_cholesky.h"
#include "solve/operator.h"

// Takes arrays until one fails, so that a row of them is checked once.
typedef struct taker {
    crm_arena *arena;
    size_t missing; // bytes of the first that could not be had
} taker;

static void *take(taker *t, ptrdiff_t count, size_t size) {
    void *array = crm_arena_take_array(t->arena, count, size);
    if (array == NULL && t->missing == 0) t->missing = (size_t)count * size;
    return array;
}

#define TAKE(t, type, count) ((type *)take((t), (count), sizeof(type)))

static int selected(const int *list, int k) {
    return list != NULL ? list[k] : k;
}

static void pack_groups(const carom_problem *problem, const crm_layout *layout, const int *list, taker *t,
                        crm_operator *op) {
    int *group_of = TAKE(t, int, op->group_count), *problem_row = TAKE(t, int, op->group_count);
    int *row_start = TAKE(t, int, (ptrdiff_t)op->group_count + 1);
    int *block_start = TAKE(t, int, (ptrdiff_t)op->group_count + 1);
    carom_row_group *groups = TAKE(t, carom_row_group, op->group_count);
    if (t->missing > 0) return;
    row_start[0] = block_start[0] = 0;
    for (int k = 0; k < op->group_count; k++) {
        int g = selected(list, k), rows = problem->groups[g].rows;
        group_of[k] = g;
        problem_row[k] = layout->row_start[g];
        groups[k] = problem->groups[g];
        row_start[k + 1] = row_start[k] + rows;
        block_start[k + 1] = block_start[k] + rows * rows;
    }
    op->row_count = row_start[op->group_count];
    op->group_of = group_of;
    op->problem_row = problem_row;
    op->row_start = row_start;
    op->block_start = block_start;
    op->groups = groups;
    double *offset = TAKE(t, double, op->row_count), *compliance = TAKE(t, double, op->row_count);
    if (t->missing > 0) return;
    crm_operator_gather(op, problem->offset, offset);
    if (problem->compliance != NULL)
        crm_operator_gather(op, problem->compliance, compliance);
    else if (op->row_count > 0)
        memset(compliance, 0, sizeof(double) * (size_t)op->row_count);
    op->offset = offset;
    op->compliance = compliance;
}

// From the Cholesky factor, column by column, each half taken from the other so that both agree to the bit.
static void invert(int size, const double *factor, double *inverse) {
    for (int k = 0; k < size * size; k++) inverse[k] = 0.0;
    for (int k = 0; k < size; k++) inverse[k * size + k] = 1.0;
    crm_cholesky_solve(size, factor, size, size, inverse, size);
    for (int i = 0; i < size; i++) {
        for (int j = 0; j < i; j++) inverse[i * size + j] = inverse[j * size + i];
    }
}

static void pack_nodes(const carom_problem *problem, const crm_layout *layout, const int *list, taker *t,
                       crm_operator *op) {
    int *node_of = TAKE(t, int, op->node_count), *problem_velocity = TAKE(t, int, op->node_count);
    int *velocity_start = TAKE(t, int, (ptrdiff_t)op->node_count + 1);
    int *mass_start = TAKE(t, int, (ptrdiff_t)op->node_count + 1);
    if (t->missing > 0) return;
    velocity_start[0] = mass_start[0] = 0;
    for (int k = 0; k < op->node_count; k++) {
        int n = selected(list, k), size = problem->nodes[n].size;
        node_of[k] = n;
        problem_velocity[k] = layout->velocity_start[n];
        velocity_start[k + 1] = velocity_start[k] + size;
        mass_start[k + 1] = mass_start[k] + size * size;
    }
    op->velocity_count = velocity_start[op->node_count];
    op->node_of = node_of;
    op->problem_velocity = problem_velocity;
    op->velocity_start = velocity_start;
    op->mass_start = mass_start;
    double *free = TAKE(t, double, op->velocity_count);
    double *mass = TAKE(t, double, mass_start[op->node_count]), *factor = TAKE(t, double, mass_start[op->node_count]);
    double *inverse = TAKE(t, double, mass_start[op->node_count]);
    if (t->missing > 0) return;
    for (int k = 0; k < op->node_count; k++) {
        const carom_problem_node *node = &problem->nodes[node_of[k]];
        size_t bytes = sizeof(double) * (size_t)(node->size * node->size);
        memcpy(free + velocity_start[k], node->free, sizeof(double) * (size_t)node->size);
        memcpy(mass + mass_start[k], node->mass, bytes);
        memcpy(factor + mass_start[k], node->mass, bytes);
        crm_cholesky_factor(node->size, factor + mass_start[k], node->size);
        invert(node->size, factor + mass_start[k], inverse + mass_start[k]);
    }
    op->free = free;
    op->mass = mass;
    op->factor = factor;
    op->inverse = inverse;
}

// response = jacobian M^-1
static inline void respond_sized(int rows, int size, const double *restrict jacobian, const double *restrict inverse,
                                 double *restrict response) {
    for (int i = 0; i < rows; i++) {
        for (int k = 0; k < size; k++) response[i * size + k] = 0.0;
        for (int j = 0; j < size; j++) {
            for (int k = 0; k < size; k++) response[i * size + k] += jacobian[i * size + j] * inverse[j * size + k];
        }
    }
}

// A contact on a body, nearly all there is, has loops of known length.
static void respond(int rows, int size, const double *jacobian, const double *inverse, double *response) {
    if (rows == 3 && size == 6)
        respond_sized(3, 6, jacobian, inverse, response);
    else
        respond_sized(rows, size, jacobian, inverse, response);
}

static void pack_incidences(const carom_problem *problem, const crm_layout *layout, taker *t, crm_operator *op) {
    int *place = TAKE(t, int, problem->node_count); // of a problem's node in the operator
    int *incidence_start = TAKE(t, int, (ptrdiff_t)op->group_count + 1);
    if (t->missing > 0) return;
    for (int k = 0; k < op->node_count; k++) place[op->node_of[k]] = k;
    incidence_start[0] = 0;
    ptrdiff_t numbers = 0;
    for (int k = 0; k < op->group_count; k++) {
        int g = op->group_of[k];
        incidence_start[k + 1] = incidence_start[k] + layout->entry_start[g + 1] - layout->entry_start[g];
        for (int e = layout->entry_start[g]; e < layout->entry_start[g + 1]; e++)
            numbers += op->groups[k].rows * problem->nodes[problem->entries[layout->entry[e]].node].size;
    }
    op->incidence_count = incidence_start[op->group_count];
    op->incidence_start = incidence_start;
    int *incidence_node = TAKE(t, int, op->incidence_count),
        *incidence_at = TAKE(t, int, (ptrdiff_t)op->incidence_count + 1);
    double *jacobian = TAKE(t, double, numbers);
    double *response = op->form == CAROM_FORM_BODIES ? TAKE(t, double, numbers) : NULL;
    if (t->missing > 0) return;
    int incidence = 0;
    incidence_at[0] = 0;
    for (int k = 0; k < op->group_count; k++) {
        int g = op->group_of[k], rows = op->groups[k].rows;
        for (int e = layout->entry_start[g]; e < layout->entry_start[g + 1]; e++, incidence++) {
            const carom_entry *entry = &problem->entries[layout->entry[e]];
            int node = place[entry->node], size = problem->nodes[entry->node].size;
            size_t bytes = sizeof(double) * (size_t)(rows * size);
            incidence_node[incidence] = node;
            incidence_at[incidence + 1] = incidence_at[incidence] + rows * size;
            memcpy(jacobian + incidence_at[incidence], entry->rows, bytes);
            if (response == NULL) continue;
            respond(rows, size, entry->rows, op->inverse + op->mass_start[node], response + incidence_at[incidence]);
        }
    }
    op->incidence_node = incidence_node;
    op->incidence_at = incidence_at;
    op->jacobian = jacobian;
    op->response = response;
}

// The rows and columns of W that are selected. Zeros are left out: they are what may lead out of the selection.
static void pack_delassus(const carom_problem *problem, const crm_layout *layout, taker *t, crm_operator *op) {
    const carom_sparse *w = &problem->delassus;
    int *place = TAKE(t, int, layout->row_count); // of a problem's row in the operator
    int *starts = TAKE(t, int, (ptrdiff_t)op->row_count + 1);
    if (t->missing > 0) return;
    starts[0] = 0;
    for (int g = 0; g < op->group_count; g++) {
        for (int i = op->row_start[g]; i < op->row_start[g + 1]; i++) {
            int from = op->problem_row[g] + i - op->row_start[g];
            place[from] = i;
            starts[i + 1] = starts[i];
            for (int k = w->start[from]; k < w->start[from + 1]; k++) starts[i + 1] += w->value[k] != 0.0;
        }
    }
    int *columns = TAKE(t, int, starts[op->row_count]);
    double *values = TAKE(t, double, starts[op->row_count]);
    if (t->missing > 0) return;
    int at = 0;
    for (int g = 0; g < op->group_count; g++) {
        for (int i = 0; i < op->groups[g].rows; i++) {
            int from = op->problem_row[g] + i;
            for (int k = w->start[from]; k < w->start[from + 1]; k++) {
                if (w->value[k] == 0.0) continue;
                columns[at] = place[w->column[k]];
                values[at++] = w->value[k];
            }
        }
    }
    op->delassus = (crm_csr){op->row_count, op->row_count, starts, columns, values};
}

// w += jacobian response^T
static inline void add_block_sized(int rows, int size, const double *restrict jacobian, const double *restrict response,
                                   double *restrict w) {
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < rows; j++) {
            double sum = 0.0;
            for (int m = 0; m < size; m++) sum += jacobian[i * size + m] * response[j * size + m];
            w[i * rows + j] += sum;
        }
    }
}

static void add_block(int rows, int size, const double *jacobian, const double *response, double *w) {
    if (rows == 3 && size == 6)
        add_block_sized(3, 6, jacobian, response, w);
    else
        add_block_sized(rows, size, jacobian, response, w);
}

// W_ii by the form at hand; a mobility is asked once for every row.
static void blocks_of_bodies(const crm_operator *op, double *block) {
    for (int g = 0; g < op->group_count; g++) {
        for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
            int node = op->incidence_node[k], size = op->velocity_start[node + 1] - op->velocity_start[node];
            add_block(op->groups[g].rows, size, op->jacobian + op->incidence_at[k], op->response + op->incidence_at[k],
                      block + op->block_start[g]);
        }
    }
}

static void blocks_of_delassus(const crm_operator *op, double *block) {
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows, first = op->row_start[g];
        for (int i = 0; i < rows; i++) {
            for (int j = 0; j < rows; j++) {
                const double *value = crm_csr_find(&op->delassus, first + i, first + j);
                block[op->block_start[g] + i * rows + j] = value != NULL ? *value : 0.0;
            }
        }
    }
}

static void blocks_of_mobility(const crm_operator *op, taker *t, double *block) {
    double *forces = TAKE(t, double, op->velocity_count), *v = TAKE(t, double, op->velocity_count);
    if (t->missing > 0) return;
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        double *w = block + op->block_start[g];
        for (int j = 0; j < rows; j++) {
            memset(forces, 0, sizeof(double) * (size_t)op->velocity_count);
            for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
                int at = op->velocity_start[op->incidence_node[k]],
                    size = op->velocity_start[op->incidence_node[k] + 1] - at;
                memcpy(forces + at, op->jacobian + op->incidence_at[k] + j * size, sizeof(double) * (size_t)size);
            }
            op->mobility(op->mobility_user, forces, v);
            for (int k = op->incidence_start[g]; k < op->incidence_start[g + 1]; k++) {
                int at = op->velocity_start[op->incidence_node[k]],
                    size = op->velocity_start[op->incidence_node[k] + 1] - at;
                const double *jacobian = op->jacobian + op->incidence_at[k];
                for (int i = 0; i < rows; i++) {
                    for (int m = 0; m < size; m++) w[i * rows + j] += jacobian[i * size + m] * v[at + m];
                }
            }
        }
    }
}

static void pack_blocks(taker *t, crm_operator *op) {
    double *block = crm_arena_take_zeroed(t->arena, op->block_start[op->group_count], sizeof(double));
    double *scale = TAKE(t, double, op->group_count), *q = TAKE(t, double, op->row_count);
    if (block == NULL) t->missing += sizeof(double);
    if (t->missing > 0) return;
    crm_mark mark = crm_arena_mark(t->arena);
    if (op->form == CAROM_FORM_BODIES) blocks_of_bodies(op, block);
    if (op->form == CAROM_FORM_DELASSUS) blocks_of_delassus(op, block);
    if (op->form == CAROM_FORM_MOBILITY) blocks_of_mobility(op, t, block);
    crm_arena_release(t->arena, mark);
    double largest = 0.0;
    for (int g = 0; g < op->group_count; g++) {
        int rows = op->groups[g].rows;
        double trace = 0.0; // of magnitudes: a W from elsewhere may have a negative diagonal
        for (int i = 0; i < rows; i++) {
            double *diagonal = block + op->block_start[g] + i * rows + i;
            *diagonal += op->compliance[op->row_start[g] + i];
            trace += fabs(*diagonal);
        }
        scale[g] = trace / rows;
        if (scale[g] > largest) largest = scale[g];
    }
    // A group that moves nothing has no inverse mass of its own: any of the problem's makes its residual a velocity.
    for (int g = 0; g < op->group_count; g++) {
        if (!(scale[g] > 0.0)) scale[g] = largest > 0.0 ? largest : 1.0;
    }
    if (op->form == CAROM_FORM_DELASSUS) {
        if (op->row_count > 0) memcpy(q, op->offset, sizeof(double) * (size_t)op->row_count);
    } else {
        crm_operator_rows(op, op->free, q);
        for (int i = 0; i < op->row_count; i++) q[i] += op->offset[i];
    }
    op->block = block;
    op->scale = scale;
    op->q = q;
}

carom_status crm_operator_build(const carom_problem *problem, const crm_layout *layout, const crm_selection *selection,
                                crm_arena *arena, crm_operator *out, carom_error *error) {
    crm_selection all = {problem->group_count, problem->form == CAROM_FORM_DELASSUS ? 0 : problem->node_count, NULL,
                         NULL};
    if (selection == NULL) selection = &all;
    taker t = {arena, 0};
    crm_operator op = {.form = problem->form,
                       .group_count = selection->group_count,
                       .node_count = selection->node_count,
                       .mobility = problem->mobility,
                       .mobility_user = problem->mobility_user};
    pack_groups(problem, layout, selection->groups, &t, &op);
    if (t.missing == 0 && op.form != CAROM_FORM_DELASSUS) pack_nodes(problem, layout, selection->nodes, &t, &op);
    if (t.missing == 0 && op.form != CAROM_FORM_DELASSUS) pack_incidences(problem, layout, &t, &op);
    if (t.missing == 0 && op.form == CAROM_FORM_DELASSUS) pack_delassus(problem, layout, &t, &op);
    if (t.missing == 0) pack_blocks(&t, &op);
    if (t.missing > 0) return crm_fail_memory(error, "the packed problem", t.missing);
    *out = op;
    return CAROM_OK;
}

carom_status crm_operator_form_delassus(const crm_operator *op, crm_arena *arena, crm_csr *out, carom_error *error) {
    taker t = {arena, 0};
    ptrdiff_t count = (ptrdiff_t)op->row_count * op->row_count;
    if (count > INT_MAX)
        return crm_fail(error, CAROM_ERR_TOO_LARGE, "%d rows are too many for a dense matrix", op->row_count);
    int *starts = TAKE(&t, int, (ptrdiff_t)op->row_count + 1), *columns = TAKE(&t, int, count);
    double *values = TAKE(&t, double, count), *r = TAKE(&t, double, op->row_count),
           *y = TAKE(&t, double, op->row_count);
    double *work = TAKE(&t, double, crm_operator_work(op));
    if (t.missing > 0) return crm_fail_memory(error, "a dense matrix", t.missing);
    for (int i = 0; i < op->row_count; i++) r[i] = 0.0;
    for (int j = 0; j < op->row_count; j++) {
        r[j] = 1.0;
        crm_operator_multiply(op, r, work, y);
        r[j] = 0.0;
        for (int i = 0; i < op->row_count; i++) {
            values[(ptrdiff_t)i * op->row_count + j] = y[i];
            columns[(ptrdiff_t)i * op->row_count + j] = j;
        }
    }
    for (int i = 0; i <= op->row_count; i++) starts[i] = i * op->row_count;
    *out = (crm_csr){op->row_count, op->row_count, starts, columns, values};
    return CAROM_OK;
}

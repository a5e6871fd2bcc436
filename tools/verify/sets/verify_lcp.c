// SPDX-License-Identifier: MIT
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/dense/dense.h"
#include "verify/sets/verify_lcp.h"

double *crm_lcp_take(crm_reference *r, crm_arena *arena, ptrdiff_t count) {
    double *numbers = CRM_ARENA_ZEROED(arena, double, count);
    if (numbers == NULL) crm_reference_refuse_memory(r, "a complementarity problem", (size_t)count * sizeof(double));
    return numbers;
}

// ---- reading matrices: a list of rows, or {"n": rows, "m": columns, "i": [...], "j": [...], "v": [...]}

static void read_sparse(crm_reference *r, const json_t *value, const char *key, crm_arena *arena, int rows, int columns,
                        double *out) {
    int counts[3];
    const double *i = crm_reference_numbers(r, value, key, "i", arena, &counts[0]);
    const double *j = crm_reference_numbers(r, value, key, "j", arena, &counts[1]);
    const double *v = crm_reference_numbers(r, value, key, "v", arena, &counts[2]);
    if (r->status != CAROM_OK) return;
    if (counts[0] != counts[2] || counts[1] != counts[2]) crm_reference_fail(r, "%s: i, j and v differ in length", key);
    for (int k = 0; k < counts[2] && r->status == CAROM_OK; k++) {
        if (!(i[k] >= 0.0 && i[k] < rows && j[k] >= 0.0 && j[k] < columns))
            crm_reference_fail(r, "%s: entry %d is outside of %d x %d", key, k, rows, columns);
        else
            out[(int)i[k] + (ptrdiff_t)(int)j[k] * rows] = v[k];
    }
}

// By columns; NULL when something is wrong.
double *crm_lcp_read_matrix(crm_reference *r, const json_t *object, const char *key, crm_arena *arena, int rows,
                            int columns) {
    const json_t *value = json_object_get(object, key);
    double *out = crm_lcp_take(r, arena, (ptrdiff_t)rows * columns);
    if (out == NULL) return NULL;
    if (json_is_object(value)) {
        read_sparse(r, value, key, arena, rows, columns, out);
        return r->status == CAROM_OK ? out : NULL;
    }
    bool good = json_is_array(value) && json_array_size(value) == (size_t)rows;
    for (int i = 0; i < rows && good; i++) {
        const json_t *row = json_array_get(value, (size_t)i);
        good = json_array_size(row) == (size_t)columns;
        for (int j = 0; j < columns && good; j++) {
            const json_t *entry = json_array_get(row, (size_t)j);
            good = json_is_number(entry);
            out[i + (ptrdiff_t)j * rows] = json_number_value(entry);
        }
    }
    if (!good) crm_reference_fail(r, "input.%s must be %d rows of %d numbers, or sparse", key, rows, columns);
    return good ? out : NULL;
}

// A list of exactly `count` numbers.
const double *crm_lcp_read_list(crm_reference *r, const json_t *object, const char *where, const char *key,
                                crm_arena *arena, int count) {
    int found;
    const double *list = crm_reference_numbers(r, object, where, key, arena, &found);
    if (list != NULL && found != count) {
        crm_reference_fail(r, "%s.%s has %d numbers, must have %d", where, key, found, count);
        return NULL;
    }
    return list;
}

bool crm_lcp_read_problem(crm_reference *r, const crm_case *what, crm_arena *arena, crm_lcp_case *out) {
    int n = 0;
    out->residual_tolerance = crm_reference_positive(r, what->tolerance, "tolerance", "residual");
    out->z_tolerance = crm_reference_positive(r, what->tolerance, "tolerance", "z");
    out->lcp.offset = crm_reference_numbers(r, what->input, "input", "q", arena, &n);
    if (r->status == CAROM_OK && n == 0) crm_reference_fail(r, "input.q is empty");
    if (r->status != CAROM_OK) return false;
    out->lcp.size = n;
    out->matrix = crm_lcp_take(r, arena, (ptrdiff_t)n * n);
    out->z = crm_lcp_take(r, arena, n);
    out->w = crm_lcp_take(r, arena, n);
    out->proof = crm_lcp_take(r, arena, n);
    out->lcp.matrix = out->matrix;
    if (r->status != CAROM_OK || !crm_reference_has(what->input, "A")) return r->status == CAROM_OK;
    const double *columns = crm_lcp_read_matrix(r, what->input, "A", arena, n, n);
    for (ptrdiff_t i = 0; i < n && columns != NULL; i++)
        for (ptrdiff_t j = 0; j < n; j++) out->matrix[i * n + j] = columns[i + j * n];
    return columns != NULL;
}

// ---- comparing

double crm_lcp_difference(int n, const double *a, const double *b) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= largest)) largest = difference; // NaN stays
    }
    return largest;
}

// max |min(z, w)|, relative as the file says; leaves w behind.
static double residual_of(const crm_lcp_case *p, const double *z) {
    int n = p->lcp.size;
    double worst = 0.0, scale = fmax(1.0, fmax(crm_dense_largest(n, p->lcp.offset), crm_dense_largest(n, z)));
    for (int i = 0; i < n; i++) {
        p->w[i] = crm_dense_dot(n, p->lcp.matrix + (ptrdiff_t)i * n, z) + p->lcp.offset[i];
        double least = fabs(z[i] < p->w[i] ? z[i] : p->w[i]);
        if (!(least <= worst)) worst = least;
    }
    return worst / scale;
}

// y >= 0, A^T y <= 0, q.y < 0, relative to y's largest entry and A's.
static void check_proof(crm_verdict *verdict, const crm_lcp_case *p, const double *y, const char *whose) {
    int n = p->lcp.size;
    double largest = crm_dense_largest(n, y), size = crm_dense_largest(n * n, p->lcp.matrix) * largest, worst = 0.0;
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += p->lcp.matrix[(ptrdiff_t)i * n + j] * y[i];
        worst = fmax(worst, fmax(sum / size, -y[j] / largest));
    }
    crm_check_error(verdict, worst, p->residual_tolerance, "%s", whose);
    if (!(crm_dense_dot(n, p->lcp.offset, y) < 0.0))
        crm_check_obstacle(verdict, p->residual_tolerance, whose, "q.y is not negative");
}

// Proofs are many: the solver's and the file's must each be one, of the problem as it was read.
static void check_proofs(crm_reference *r, const crm_case *what, crm_arena *arena, const crm_lcp_case *p,
                         const char *solver, crm_verdict *verdict) {
    char whose[64];
    snprintf(whose, sizeof whose, "proof of %s", solver);
    check_proof(verdict, p, p->proof, whose);
    if (!crm_reference_has(what->expected, "farkas_y")) return;
    const double *y = crm_lcp_read_list(r, what->expected, "expected", "farkas_y", arena, p->lcp.size);
    if (y != NULL) check_proof(verdict, p, y, "farkas_y");
}

static double nearest_of(crm_reference *r, const json_t *solutions, crm_arena *arena, const crm_lcp_case *p) {
    double nearest = INFINITY;
    for (size_t k = 0; k < json_array_size(solutions) && r->status == CAROM_OK; k++) {
        json_t *holder = json_pack("{sO}", "z", json_array_get(solutions, k));
        const double *z = crm_lcp_read_list(r, holder, "expected.all_solutions", "z", arena, p->lcp.size);
        json_decref(holder);
        if (z != NULL) nearest = fmin(nearest, crm_lcp_difference(p->lcp.size, p->z, z));
    }
    return nearest;
}

// The file's own z: the residual that it says, and its w, which is A z + q.
static void check_files_own(crm_reference *r, const crm_case *what, crm_arena *arena, const crm_lcp_case *p,
                            crm_verdict *verdict) {
    int n = p->lcp.size;
    const double *z = crm_lcp_read_list(r, what->expected, "expected", "z", arena, n);
    const double *w = crm_lcp_read_list(r, what->expected, "expected", "w", arena, n);
    if (r->status != CAROM_OK) return;
    double residual = residual_of(p, z), scale = fmax(1.0, crm_dense_largest(n, w));
    crm_check_error(verdict, crm_lcp_difference(n, p->w, w), p->z_tolerance * scale, "w");
    const json_t *said = crm_reference_optional(r, what->expected, "residual");
    if (said == NULL) return;
    crm_check_error(verdict, fabs(residual - json_number_value(said)), p->residual_tolerance, "residual");
}

static void check_solution(crm_reference *r, const crm_case *what, crm_arena *arena, const crm_lcp_case *p,
                           const char *solver, crm_verdict *verdict) {
    int n = p->lcp.size;
    if (crm_reference_has(what->expected, "z")) check_files_own(r, what, arena, p, verdict);
    crm_check_error(verdict, residual_of(p, p->z), p->residual_tolerance, "residual of %s", solver);
    if (!crm_reference_has(what->expected, "unique")) return;
    const char *unique = crm_reference_text(r, what->expected, "expected", "unique");
    const double *z = crm_lcp_read_list(r, what->expected, "expected", "z", arena, n);
    const double *w = crm_lcp_read_list(r, what->expected, "expected", "w", arena, n);
    if (r->status != CAROM_OK) return;
    double z_tolerance = p->z_tolerance * fmax(1.0, crm_dense_largest(n, z));
    double w_tolerance = p->z_tolerance * fmax(1.0, crm_dense_largest(n, w));
    if (strncmp(unique, "proved", 6) == 0)
        crm_check_error(verdict, crm_lcp_difference(n, p->z, z), z_tolerance, "z of %s", solver);
    else if (strncmp(unique, "w unique", 8) == 0)
        crm_check_error(verdict, crm_lcp_difference(n, p->w, w), w_tolerance, "w of %s", solver);
    else if (strncmp(unique, "no", 2) == 0)
        crm_check_error(verdict, nearest_of(r, crm_reference_optional(r, what->expected, "all_solutions"), arena, p),
                        z_tolerance, "z of %s", solver);
}

// Lemke's method alone may end on a ray where the chain has to prove that there is no solution.
static bool is_named(const char *status, carom_solver solver, carom_dense_lcp_outcome outcome) {
    if (strcmp(status, "solvable") == 0) return outcome == CAROM_DENSE_LCP_SOLVED;
    if (strcmp(status, "infeasible") == 0) return outcome == CAROM_DENSE_LCP_INFEASIBLE;
    if (solver == CAROM_SOLVER_LEMKE) return outcome == CAROM_DENSE_LCP_RAY || outcome == CAROM_DENSE_LCP_GAVE_UP;
    return outcome == CAROM_DENSE_LCP_UNSOLVABLE;
}

const crm_lcp_solver crm_lcp_solvers[CRM_LCP_SOLVERS] = {{CAROM_SOLVER_AUTO, "auto"}, {CAROM_SOLVER_LEMKE, "lemke"}};

// True when there is a solution to look at further.
bool crm_lcp_check_case(crm_reference *r, const crm_case *what, crm_arena *arena, crm_lcp_case *p, int index,
                        crm_verdict *verdict) {
    const char *status = crm_reference_text(r, what->expected, "expected", "status");
    bool known =
        strcmp(status, "solvable") == 0 || strcmp(status, "infeasible") == 0 || strcmp(status, "unsolvable") == 0;
    if (!known) crm_reference_fail(r, "expected.status is '%.40s'", status);
    if (r->status != CAROM_OK) return false;
    carom_dense_lcp_report report;
    carom_error error;
    if (carom_dense_lcp_solve(&p->lcp, crm_lcp_solvers[index].solver, p->residual_tolerance, what->allocator, p->z,
                              p->proof, &report, &error) != CAROM_OK) {
        crm_reference_refuse(r, &error);
        return false;
    }
    if (!is_named(status, crm_lcp_solvers[index].solver, report.outcome)) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "%s says '%s', the file '%s' (residual %.1e)", crm_lcp_solvers[index].name,
                 carom_dense_lcp_outcome_name(report.outcome), status, report.residual);
        crm_check_obstacle(verdict, p->residual_tolerance, "status", sentence);
        return false;
    }
    if (report.outcome == CAROM_DENSE_LCP_INFEASIBLE)
        check_proofs(r, what, arena, p, crm_lcp_solvers[index].name, verdict);
    if (report.outcome == CAROM_DENSE_LCP_SOLVED)
        check_solution(r, what, arena, p, crm_lcp_solvers[index].name, verdict);
    return report.outcome == CAROM_DENSE_LCP_SOLVED;
}

void crm_verify_lcp(crm_reference *r, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    crm_lcp_case p = {0};
    if (crm_lcp_read_problem(r, what, &arena, &p))
        for (int k = 0; k < CRM_LCP_SOLVERS && r->status == CAROM_OK; k++)
            (void)crm_lcp_check_case(r, what, &arena, &p, k, verdict);
    crm_arena_free(&arena);
}

// SPDX-License-Identifier: MIT
// Reference complementarity problems 0 <= z _|_ A z + q >= 0: by Lemke's method, and by the default chain. A solution
// is compared where it is the only one; elsewhere its residual, computed here from the file's numbers, decides.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/solve.h"
#include "math/dense.h"
#include "math/dense_cholesky.h"
#include "verify/judge.h"

typedef struct problem {
    carom_lcp lcp;
    double *matrix, *z, *w, *proof;
    double residual_tolerance, z_tolerance;
} problem;

static double *take(crm_reference *r, crm_arena *arena, ptrdiff_t count) {
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
static double *read_matrix(crm_reference *r, const json_t *object, const char *key, crm_arena *arena, int rows,
                           int columns) {
    const json_t *value = json_object_get(object, key);
    double *out = take(r, arena, (ptrdiff_t)rows * columns);
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
static const double *read_list(crm_reference *r, const json_t *object, const char *where, const char *key,
                               crm_arena *arena, int count) {
    int found;
    const double *list = crm_reference_numbers(r, object, where, key, arena, &found);
    if (list != NULL && found != count) {
        crm_reference_fail(r, "%s.%s has %d numbers, must have %d", where, key, found, count);
        return NULL;
    }
    return list;
}

static bool read_problem(crm_reference *r, const crm_case *what, crm_arena *arena, problem *out) {
    int n = 0;
    out->residual_tolerance = crm_reference_positive(r, what->tolerance, "tolerance", "residual");
    out->z_tolerance = crm_reference_positive(r, what->tolerance, "tolerance", "z");
    out->lcp.offset = crm_reference_numbers(r, what->input, "input", "q", arena, &n);
    if (r->status == CAROM_OK && n == 0) crm_reference_fail(r, "input.q is empty");
    if (r->status != CAROM_OK) return false;
    out->lcp.size = n;
    out->matrix = take(r, arena, (ptrdiff_t)n * n);
    out->z = take(r, arena, n);
    out->w = take(r, arena, n);
    out->proof = take(r, arena, n);
    out->lcp.matrix = out->matrix;
    if (r->status != CAROM_OK || !crm_reference_has(what->input, "A")) return r->status == CAROM_OK;
    const double *columns = read_matrix(r, what->input, "A", arena, n, n);
    for (ptrdiff_t i = 0; i < n && columns != NULL; i++)
        for (ptrdiff_t j = 0; j < n; j++) out->matrix[i * n + j] = columns[i + j * n];
    return columns != NULL;
}

// ---- comparing

static double largest_difference(int n, const double *a, const double *b) {
    double largest = 0.0;
    for (int i = 0; i < n; i++) {
        double difference = fabs(a[i] - b[i]);
        if (!(difference <= largest)) largest = difference; // NaN stays
    }
    return largest;
}

// max |min(z, w)|, relative as the file says; leaves w behind.
static double residual_of(const problem *p) {
    int n = p->lcp.size;
    double worst = 0.0, scale = fmax(1.0, fmax(crm_dense_largest(n, p->lcp.offset), crm_dense_largest(n, p->z)));
    for (int i = 0; i < n; i++) {
        p->w[i] = crm_dense_dot(n, p->lcp.matrix + (ptrdiff_t)i * n, p->z) + p->lcp.offset[i];
        double least = fabs(p->z[i] < p->w[i] ? p->z[i] : p->w[i]);
        if (!(least <= worst)) worst = least;
    }
    return worst / scale;
}

// y >= 0, A^T y <= 0, q.y < 0, relative to y's largest entry and A's.
static void judge_proof(crm_judgement *judgement, const problem *p, const char *solver) {
    int n = p->lcp.size;
    double worst = 0.0, size = crm_dense_largest(n * n, p->lcp.matrix) * crm_dense_largest(n, p->proof);
    for (int j = 0; j < n; j++) {
        double sum = 0.0;
        for (int i = 0; i < n; i++) sum += p->lcp.matrix[(ptrdiff_t)i * n + j] * p->proof[i];
        worst = fmax(worst, fmax(sum / size, -p->proof[j]));
    }
    crm_judge(judgement, worst, p->residual_tolerance, "proof of %s", solver);
    if (!(crm_dense_dot(n, p->lcp.offset, p->proof) < 0.0))
        crm_judge_obstacle(judgement, p->residual_tolerance, "proof", "q.y is not negative");
}

static double nearest_of(crm_reference *r, const json_t *solutions, crm_arena *arena, const problem *p) {
    double nearest = INFINITY;
    for (size_t k = 0; k < json_array_size(solutions) && r->status == CAROM_OK; k++) {
        json_t *holder = json_pack("{sO}", "z", json_array_get(solutions, k));
        const double *z = read_list(r, holder, "expected.all_solutions", "z", arena, p->lcp.size);
        json_decref(holder);
        if (z != NULL) nearest = fmin(nearest, largest_difference(p->lcp.size, p->z, z));
    }
    return nearest;
}

static void judge_solution(crm_reference *r, const crm_case *what, crm_arena *arena, const problem *p,
                           const char *solver, crm_judgement *judgement) {
    int n = p->lcp.size;
    crm_judge(judgement, residual_of(p), p->residual_tolerance, "residual of %s", solver);
    if (!crm_reference_has(what->expected, "unique")) return;
    const char *unique = crm_reference_text(r, what->expected, "expected", "unique");
    const double *z = read_list(r, what->expected, "expected", "z", arena, n);
    const double *w = read_list(r, what->expected, "expected", "w", arena, n);
    if (r->status != CAROM_OK) return;
    double z_tolerance = p->z_tolerance * fmax(1.0, crm_dense_largest(n, z));
    double w_tolerance = p->z_tolerance * fmax(1.0, crm_dense_largest(n, w));
    if (strncmp(unique, "proved", 6) == 0)
        crm_judge(judgement, largest_difference(n, p->z, z), z_tolerance, "z of %s", solver);
    else if (strncmp(unique, "w unique", 8) == 0)
        crm_judge(judgement, largest_difference(n, p->w, w), w_tolerance, "w of %s", solver);
    else if (strncmp(unique, "no", 2) == 0)
        crm_judge(judgement, nearest_of(r, json_object_get(what->expected, "all_solutions"), arena, p), z_tolerance,
                  "z of %s", solver);
}

// Lemke's method alone may end on a ray where the chain has to prove that there is no solution.
static bool is_named(const char *status, carom_solver solver, carom_lcp_outcome outcome) {
    if (strcmp(status, "solvable") == 0) return outcome == CAROM_LCP_SOLVED;
    if (strcmp(status, "infeasible") == 0) return outcome == CAROM_LCP_INFEASIBLE;
    if (solver == CAROM_SOLVER_LEMKE) return outcome == CAROM_LCP_RAY || outcome == CAROM_LCP_GAVE_UP;
    return outcome == CAROM_LCP_UNSOLVABLE;
}

static const struct {
    carom_solver solver;
    const char *name;
} solvers[] = {{CAROM_SOLVER_AUTO, "auto"}, {CAROM_SOLVER_LEMKE, "lemke"}};
enum { SOLVER_COUNT = sizeof solvers / sizeof solvers[0] };

// True when there is a solution to look at further.
static bool solve_and_judge(crm_reference *r, const crm_case *what, crm_arena *arena, problem *p, int index,
                            crm_judgement *judgement) {
    const char *status = crm_reference_text(r, what->expected, "expected", "status");
    bool known =
        strcmp(status, "solvable") == 0 || strcmp(status, "infeasible") == 0 || strcmp(status, "unsolvable") == 0;
    if (!known) crm_reference_fail(r, "expected.status is '%.40s'", status);
    if (r->status != CAROM_OK) return false;
    carom_lcp_report report;
    carom_error error;
    if (carom_lcp_solve(&p->lcp, solvers[index].solver, p->residual_tolerance, what->allocator, p->z, p->proof, &report,
                        &error) != CAROM_OK) {
        crm_reference_refuse(r, &error);
        return false;
    }
    if (!is_named(status, solvers[index].solver, report.outcome)) {
        char sentence[160];
        snprintf(sentence, sizeof sentence, "%s says '%s', the file '%s' (residual %.1e)", solvers[index].name,
                 carom_lcp_outcome_name(report.outcome), status, report.residual);
        crm_judge_obstacle(judgement, p->residual_tolerance, "status", sentence);
        return false;
    }
    if (report.outcome == CAROM_LCP_INFEASIBLE) judge_proof(judgement, p, solvers[index].name);
    if (report.outcome == CAROM_LCP_SOLVED) judge_solution(r, what, arena, p, solvers[index].name, judgement);
    return report.outcome == CAROM_LCP_SOLVED;
}

void crm_verify_lcp(crm_reference *r, const crm_case *what, crm_judgement *judgement) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    problem p = {0};
    if (read_problem(r, what, &arena, &p))
        for (int k = 0; k < SOLVER_COUNT && r->status == CAROM_OK; k++)
            (void)solve_and_judge(r, what, &arena, &p, k, judgement);
    crm_arena_free(&arena);
}

// ---- one step of bodies in contact

typedef struct contact_step {
    int velocities, contacts, directions; // directions: of all contacts
    const double *mass, *normal, *tangent, *friction, *free, *after;
    double *moved; // M^-1 (N D), by columns (velocities * (contacts + directions))
} contact_step;

static bool read_step(crm_reference *r, const crm_case *what, crm_arena *arena, int size, contact_step *s) {
    double contacts = crm_reference_number(r, what->input, "input", "contacts");
    double sides = crm_reference_number(r, what->input, "input", "sides");
    s->free = crm_reference_numbers(r, what->input, "input", "v_free", arena, &s->velocities);
    if (r->status != CAROM_OK) return false;
    double rows = sides > 0.0 ? contacts * (sides + 2.0) : contacts;
    if (!(contacts >= 1.0 && sides >= 0.0 && rows == size)) {
        crm_reference_fail(r, "input: %g contacts with %g sides do not have %d rows", contacts, sides, size);
        return false;
    }
    s->contacts = (int)contacts;
    s->directions = (int)(contacts * sides);
    int nv = s->velocities, columns = s->contacts + s->directions;
    double *factor = read_matrix(r, what->input, "M", arena, nv, nv);
    s->normal = read_matrix(r, what->input, "N", arena, nv, s->contacts);
    s->tangent = s->directions > 0 ? read_matrix(r, what->input, "D", arena, nv, s->directions) : NULL;
    s->friction = read_list(r, what->input, "input", "mu", arena, s->contacts);
    s->after = read_list(r, what->expected, "expected", "v_after", arena, nv);
    s->moved = take(r, arena, (ptrdiff_t)nv * columns);
    if (r->status != CAROM_OK) return false;
    memcpy(s->moved, s->normal, (size_t)nv * (size_t)s->contacts * sizeof(double));
    if (s->directions > 0)
        memcpy(s->moved + (ptrdiff_t)nv * s->contacts, s->tangent, (size_t)nv * (size_t)s->directions * sizeof(double));
    crm_cholesky_report report = crm_cholesky_factor(nv, factor, nv);
    if (report.rank < nv || !report.finite) crm_reference_fail(r, "input.M is not positive definite");
    crm_cholesky_solve(nv, factor, nv, columns, s->moved, nv);
    return r->status == CAROM_OK;
}

static const double *column_of(const contact_step *s, int j) {
    return j < s->contacts ? s->normal + (ptrdiff_t)j * s->velocities
                           : s->tangent + (ptrdiff_t)(j - s->contacts) * s->velocities;
}

// Entry (i, j) of A by the formula: (N D)^T M^-1 (N D), bordered by E, diag(mu) and -E^T.
static double entry_of(const contact_step *s, int i, int j) {
    int forces = s->contacts + s->directions, sides = s->directions / s->contacts;
    if (i < forces && j < forces)
        return crm_dense_dot(s->velocities, column_of(s, i), s->moved + (ptrdiff_t)j * s->velocities);
    if (i < forces) return i >= s->contacts && (i - s->contacts) / sides == j - forces ? 1.0 : 0.0;
    if (j >= forces) return 0.0;
    if (j < s->contacts) return j == i - forces ? s->friction[j] : 0.0;
    return (j - s->contacts) / sides == i - forces ? -1.0 : 0.0;
}

// The matrix of the formula: the problem's where the file gives none, and else compared with the file's.
static void state_step(const contact_step *s, problem *p, bool given, crm_judgement *judgement) {
    int n = p->lcp.size;
    double largest = crm_dense_largest(n * n, p->matrix), worst = 0.0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double *entry = p->matrix + (ptrdiff_t)i * n + j, wanted = entry_of(s, i, j);
            if (given)
                worst = fmax(worst, fabs(*entry - wanted));
            else
                *entry = wanted;
        }
    if (given) crm_judge(judgement, worst / largest, p->residual_tolerance, "A");
}

static void judge_velocities(const contact_step *s, const problem *p, double *v, int index, crm_judgement *judgement) {
    memcpy(v, s->free, (size_t)s->velocities * sizeof *v);
    for (int j = 0; j < s->contacts + s->directions; j++)
        crm_dense_add_scaled(s->velocities, p->z[j], s->moved + (ptrdiff_t)j * s->velocities, v);
    double scale = fmax(1.0, crm_dense_largest(s->velocities, s->after));
    crm_judge(judgement, largest_difference(s->velocities, v, s->after), p->z_tolerance * scale, "v_after of %s",
              solvers[index].name);
}

void crm_verify_lcp_contact(crm_reference *r, const crm_case *what, crm_judgement *judgement) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    problem p = {0};
    contact_step step = {0};
    if (read_problem(r, what, &arena, &p) && read_step(r, what, &arena, p.lcp.size, &step)) {
        bool same_z = crm_reference_bool(r, what->expected, "expected", "z_same_in_all_trials");
        bool same_v = crm_reference_bool(r, what->expected, "expected", "v_same_in_all_trials");
        const double *z = read_list(r, what->expected, "expected", "z", &arena, p.lcp.size);
        double *v = take(r, &arena, step.velocities);
        if (r->status == CAROM_OK) state_step(&step, &p, crm_reference_has(what->input, "A"), judgement);
        for (int k = 0; k < SOLVER_COUNT && r->status == CAROM_OK; k++) {
            if (!solve_and_judge(r, what, &arena, &p, k, judgement)) continue;
            if (same_v) judge_velocities(&step, &p, v, k, judgement);
            // The trials were pivoting paths, which end at vertices: others may have opposite directions pull at once.
            if (same_z && solvers[k].solver == CAROM_SOLVER_LEMKE)
                crm_judge(judgement, largest_difference(p.lcp.size, p.z, z),
                          p.z_tolerance * fmax(1.0, crm_dense_largest(p.lcp.size, z)), "z of %s", solvers[k].name);
        }
    }
    crm_arena_free(&arena);
}

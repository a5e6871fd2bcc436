// SPDX-License-Identifier: MIT
// Reference complementarity problems of one step of bodies in contact: the matrix by the formula
//
//     [ N'M^-1 N   N'M^-1 D   0 ]
//     [ D'M^-1 N   D'M^-1 D   E ]    of z = (c_n, beta, lambda), E a column of ones per contact,
//     [ diag(mu)     -E'      0 ]
//
// and the velocities v_free + M^-1 (N c_n + D beta) after it, which several z may share.
#include <math.h>
#include <string.h>

#include "math/dense/dense.h"
#include "math/dense/dense_cholesky.h"
#include "verify/sets/verify_lcp.h"

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
    double *factor = crm_lcp_read_matrix(r, what->input, "M", arena, nv, nv);
    s->normal = crm_lcp_read_matrix(r, what->input, "N", arena, nv, s->contacts);
    s->tangent = s->directions > 0 ? crm_lcp_read_matrix(r, what->input, "D", arena, nv, s->directions) : NULL;
    s->friction = crm_lcp_read_list(r, what->input, "input", "mu", arena, s->contacts);
    s->after = crm_lcp_read_list(r, what->expected, "expected", "v_after", arena, nv);
    s->moved = crm_lcp_take(r, arena, (ptrdiff_t)nv * columns);
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
static void state_step(const contact_step *s, crm_lcp_case *p, bool given, crm_verdict *verdict) {
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
    if (given) crm_check_error(verdict, worst / largest, p->residual_tolerance, "A");
}

static void check_velocities(const contact_step *s, const crm_lcp_case *p, double *v, int index, crm_verdict *verdict) {
    memcpy(v, s->free, (size_t)s->velocities * sizeof *v);
    for (int j = 0; j < s->contacts + s->directions; j++)
        crm_dense_add_scaled(s->velocities, p->z[j], s->moved + (ptrdiff_t)j * s->velocities, v);
    double scale = fmax(1.0, crm_dense_largest(s->velocities, s->after));
    crm_check_error(verdict, crm_lcp_difference(s->velocities, v, s->after), p->z_tolerance * scale, "v_after of %s",
                    crm_lcp_solvers[index].name);
}

void crm_verify_lcp_contact(crm_reference *r, const crm_case *what, crm_verdict *verdict) {
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    crm_lcp_case p = {0};
    contact_step step = {0};
    if (crm_lcp_read_problem(r, what, &arena, &p) && read_step(r, what, &arena, p.lcp.size, &step)) {
        bool same_z = crm_reference_bool(r, what->expected, "expected", "z_same_in_all_trials");
        bool same_v = crm_reference_bool(r, what->expected, "expected", "v_same_in_all_trials");
        const double *z = crm_lcp_read_list(r, what->expected, "expected", "z", &arena, p.lcp.size);
        double *v = crm_lcp_take(r, &arena, step.velocities);
        if (r->status == CAROM_OK) state_step(&step, &p, crm_reference_has(what->input, "A"), verdict);
        for (int k = 0; k < CRM_LCP_SOLVERS && r->status == CAROM_OK; k++) {
            if (!crm_lcp_check_case(r, what, &arena, &p, k, verdict)) continue;
            if (same_v) check_velocities(&step, &p, v, k, verdict);
            // The trials were pivoting paths, which end at vertices: others may have opposite directions pull at once.
            if (same_z && crm_lcp_solvers[k].solver == CAROM_SOLVER_LEMKE)
                crm_check_error(verdict, crm_lcp_difference(p.lcp.size, p.z, z),
                                p.z_tolerance * fmax(1.0, crm_dense_largest(p.lcp.size, z)), "z of %s",
                                crm_lcp_solvers[k].name);
        }
    }
    crm_arena_free(&arena);
}

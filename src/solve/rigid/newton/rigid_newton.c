// SPDX-License-Identifier: MIT
#include "solve/rigid/newton/rigid_newton.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/block/block_factor.h"
#include "solve/rigid/newton/rigid_blocks.h"
#include "solve/rigid/newton/rigid_pattern.h"
#include "solve/rigid/newton/rigid_row_blocks.h"

// The width of the smoothed laws at first, against the error of the map: wide enough that nearly all contacts press.
// It is narrowed when the error at this width has come close to none, against the width; less after a shortened step.
static const double first_width = 100.0, close = 0.1, narrow = 0.2, narrow_short = 0.5;
// The round ends when the width is so small against the error of the map as the tolerance against the residual, and
// some more.
static const double spare_width = 0.1;
// A compliance around the present impulses, which moves no solution; raised where no step leads down.
static const double first_prox = 1e-7, most_prox = 1.0, prox_up = 10.0;
enum { HALVINGS = 8 };
static const double descent = 1e-4;

struct crm_rigid_newton {
    carom_allocator allocator;
    crm_arena arena; // of the island that is open
    crm_rigid_patterns patterns;
    const crm_rigid_block_kernels *kernels;
    crm_rigid_system system;
    const crm_rigid_members *members;
    crm_rigid_pattern pattern;
    int visit_count;
    crm_rigid_visit *visits;
    crm_rigid_row_block *blocks;
    crm_block_matrix matrix;
    crm_block_factor factor;
    double *force, *change; // right-hand side, dz; eight a slot, of the island's slots and of slot 0
    double *unknown;        // six a node
    double *scratch;
};

carom_status crm_rigid_newton_create(const carom_allocator *allocator, crm_rigid_newton **out, carom_error *error) {
    carom_allocator hook = allocator != NULL ? *allocator : carom_allocator_default();
    crm_rigid_newton *n = hook.allocate(hook.user, sizeof *n);
    *out = n;
    if (n == NULL) return crm_fail_memory(error, "Newton's method", sizeof *n);
    *n = (crm_rigid_newton){.allocator = hook, .kernels = crm_rigid_block_kernels_best()};
    crm_arena_init(&n->arena, &n->allocator);
    n->arena.frugal = true; // reset before every island
    crm_rigid_patterns_init(&n->patterns, &n->allocator);
    return CAROM_OK;
}

void crm_rigid_newton_destroy(crm_rigid_newton *n) {
    if (n == NULL) return;
    carom_allocator hook = n->allocator;
    crm_arena_free(&n->arena);
    crm_rigid_patterns_free(&n->patterns);
    hook.release(hook.user, n, sizeof *n);
}

// ---- opening

typedef struct body_tiles {
    double *a, *b, *ab, *ba;
} body_tiles;

static body_tiles tiles_between(const crm_rigid_newton *n, int slot_a, int slot_b, int edge) {
    const crm_block_matrix *m = &n->matrix;
    const int *node = n->pattern.node;
    body_tiles t = {0};
    if (slot_a != 0) t.a = m->diagonal + m->node_block[node[slot_a]];
    if (slot_b != 0) t.b = m->diagonal + m->node_block[node[slot_b]];
    if (edge < 0) return t;
    double *direct = m->edges + m->edge_block[edge], *mirror = m->mirror + m->edge_block[edge];
    bool as_listed = m->graph.edge[edge].row == node[slot_a];
    t.ab = as_listed ? direct : mirror;
    t.ba = as_listed ? mirror : direct;
    return t;
}

static bool take_memory(crm_rigid_newton *n) {
    const crm_rigid_members *m = n->members;
    ptrdiff_t slots = CRM_RIGID_STRIDE * (ptrdiff_t)n->system.slot_count;
    n->visits = CRM_ARENA_ARRAY(&n->arena, crm_rigid_visit, m->contact_count);
    n->blocks = CRM_ARENA_ARRAY(&n->arena, crm_rigid_row_block, m->block_count);
    n->force = CRM_ARENA_ARRAY(&n->arena, double, slots);
    n->change = CRM_ARENA_ARRAY(&n->arena, double, slots);
    n->unknown = CRM_ARENA_ARRAY(&n->arena, double, 6 * (ptrdiff_t)m->body_count);
    n->scratch = CRM_ARENA_ARRAY(&n->arena, double, crm_block_factor_solve_scratch(&n->factor));
    if (!n->visits || !n->blocks || !n->force || !n->change || !n->unknown || !n->scratch) return false;
    memset(n->change, 0, sizeof(double) * CRM_RIGID_STRIDE);
    memset(n->force, 0, sizeof(double) * CRM_RIGID_STRIDE);
    for (int i = 0; i < m->body_count; i++)
        memset(n->change + CRM_RIGID_STRIDE * m->slots[i], 0, sizeof(double) * CRM_RIGID_STRIDE);
    return true;
}

// The batches of the island's contacts, each once, in the order of their first contact.
static bool make_visits(crm_rigid_newton *n) {
    const crm_rigid_members *m = n->members;
    int first = m->contact_count > 0 ? m->lane[0] / CRM_RIGID_LANES : 0, last = first;
    for (int i = 0; i < m->contact_count; i++) {
        int batch = m->lane[i] / CRM_RIGID_LANES;
        if (batch < first) first = batch;
        if (batch > last) last = batch;
    }
    int *visit_of = CRM_ARENA_ARRAY(&n->arena, int, last - first + 1);
    if (visit_of == NULL) return false;
    for (int i = 0; i <= last - first; i++) visit_of[i] = -1;
    n->visit_count = 0;
    for (int i = 0; i < m->contact_count; i++) {
        int batch = m->lane[i] / CRM_RIGID_LANES, lane = m->lane[i] % CRM_RIGID_LANES;
        if (visit_of[batch - first] < 0) {
            visit_of[batch - first] = n->visit_count;
            n->visits[n->visit_count] = (crm_rigid_visit){.batch = &n->system.batch[batch]};
            n->visit_count++;
        }
        crm_rigid_visit *v = &n->visits[visit_of[batch - first]];
        v->lanes |= 1u << lane;
        v->member[lane] = 1.0;
        v->a[lane] = v->batch->a[lane], v->b[lane] = v->batch->b[lane];
        body_tiles t = tiles_between(n, v->a[lane], v->b[lane], n->pattern.edge_of[i]);
        v->tile_a[lane] = t.a, v->tile_b[lane] = t.b;
        v->tile_ab[lane] = t.ab, v->tile_ba[lane] = t.ba;
    }
    return true;
}

static void make_blocks(crm_rigid_newton *n) {
    const crm_rigid_members *m = n->members;
    for (int i = 0; i < m->block_count; i++) {
        crm_rigid_rows *rows = &n->system.rows[m->rows[i]];
        body_tiles t = tiles_between(n, rows->a, rows->b, n->pattern.edge_of[m->contact_count + i]);
        n->blocks[i] =
            (crm_rigid_row_block){.rows = rows, .tile_a = t.a, .tile_b = t.b, .tile_ab = t.ab, .tile_ba = t.ba};
    }
}

// Measured on walls, towers and blocks of boxes with 256-bit vectors, ns: a symbolic analysis; a contact's share of a
// step; an addition or multiplication of a Cholesky factorization on the same pattern, of which LU takes twice as many.
static const double open_per_contact = 40.0, open_per_body = 500.0, step_per_contact = 200.0, step_per_flop = 0.075;

double crm_rigid_newton_open_price(const crm_rigid_members *m) {
    return open_per_contact * (m->contact_count + m->block_count) + open_per_body * m->body_count;
}

static carom_status make_system(crm_rigid_newton *n, carom_error *error) {
    const crm_rigid_analysis *analysis = n->pattern.analysis;
    crm_block_graph graph = {.node_count = analysis->node_count,
                             .node_size = n->pattern.node_size,
                             .edge_count = analysis->edge_count,
                             .edge = analysis->edge};
    carom_status status = crm_block_matrix_create(&graph, false, &n->arena, &n->matrix, error);
    if (status == CAROM_OK)
        status = crm_block_factor_create(&analysis->symbolic, CRM_BLOCK_LU, &n->arena, &n->factor, error);
    if (status != CAROM_OK) return status;
    n->factor.certainty = 0.0; // the system is regular but for accidents
    n->factor.interrupt = n->system.interrupt;
    if (!take_memory(n) || !make_visits(n)) return crm_fail_memory(error, "Newton's method on an island", 0);
    make_blocks(n);
    return CAROM_OK;
}

carom_status crm_rigid_newton_open(crm_rigid_newton *n, const crm_rigid_system *system,
                                   const crm_rigid_members *members, double dearest, double *price,
                                   carom_error *error) {
    double contacts = step_per_contact * (members->contact_count + members->block_count);
    double most_flops = (dearest - contacts) / step_per_flop;
    crm_arena_reset(&n->arena);
    n->system = *system;
    n->members = members;
    carom_status status =
        crm_rigid_pattern_find(&n->patterns, system, members, most_flops, &n->arena, &n->pattern, error);
    *price = INFINITY;
    if (status != CAROM_OK || n->pattern.analysis->symbolic.flop_count > most_flops) return status;
    *price = contacts + step_per_flop * n->pattern.analysis->symbolic.flop_count;
    return make_system(n, error);
}

// ---- a step

static void load_forces(crm_rigid_newton *n) {
    const crm_rigid_members *m = n->members;
    for (int i = 0; i < m->body_count; i++) {
        int at = CRM_RIGID_STRIDE * m->slots[i];
        for (int k = 0; k < CRM_RIGID_STRIDE; k++) n->force[at + k] = n->system.free[at + k] - n->system.z[at + k];
    }
}

static void load_masses(crm_rigid_newton *n) {
    crm_block_matrix_clear(&n->matrix);
    for (int i = 0; i < n->matrix.graph.node_count; i++)
        for (int k = 0; k < 6; k++) n->matrix.diagonal[n->matrix.node_block[i] + 7 * k] = 1.0;
}

// Solves for dz; false when there is none.
static bool find_change(crm_rigid_newton *n) {
    const crm_rigid_members *m = n->members;
    crm_block_factor_report report;
    crm_block_factor_compute(&n->factor, &n->matrix, &report);
    if (!report.finite) return false;
    for (int i = 0; i < m->body_count; i++)
        memcpy(n->unknown + 6 * i, n->force + CRM_RIGID_STRIDE * m->slots[i], 6 * sizeof(double));
    crm_block_factor_solve(&n->factor, 1, n->unknown, 6 * (ptrdiff_t)m->body_count, n->scratch);
    double sum = 0.0;
    for (int i = 0; i < m->body_count; i++)
        for (int k = 0; k < 6; k++) {
            n->change[CRM_RIGID_STRIDE * m->slots[i] + k] = n->unknown[6 * i + k];
            sum += fabs(n->unknown[6 * i + k]);
        }
    return isfinite(sum);
}

// A direction for the laws as `linear` has them: dz in `change`, dr in place of p. False: there is none.
static bool find_direction(crm_rigid_newton *n, const crm_rigid_linear *linear) {
    const crm_rigid_members *m = n->members;
    const double *z = n->system.z;
    load_forces(n);
    load_masses(n);
    n->kernels->linearise(n->visits, n->visit_count, linear, z, n->force);
    for (int i = 0; i < m->block_count; i++) crm_rigid_row_linearise(&n->blocks[i], linear, z, n->force);
    n->kernels->assemble(n->visits, n->visit_count);
    for (int i = 0; i < m->block_count; i++) crm_rigid_row_assemble(&n->blocks[i]);
    if (!find_change(n)) return false;
    n->kernels->direct(n->visits, n->visit_count, n->change);
    for (int i = 0; i < m->block_count; i++) crm_rigid_row_direct(&n->blocks[i], n->change);
    return true;
}

static void add_change(const crm_rigid_newton *n, double length, const double *z, double *to) {
    const crm_rigid_members *m = n->members;
    for (int i = 0; i < m->body_count; i++)
        for (int k = 0; k < 6; k++) {
            int at = CRM_RIGID_STRIDE * m->slots[i] + k;
            to[at] = z[at] + length * n->change[at];
        }
}

static void take_step(crm_rigid_newton *n, double length) {
    n->kernels->take(n->visits, n->visit_count, length);
    for (int i = 0; i < n->members->block_count; i++) crm_rigid_row_take(&n->blocks[i], length);
    add_change(n, length, n->system.z, n->system.z);
}

// Impulses into their sets, velocities from them.
static void confine(crm_rigid_newton *n) {
    const crm_rigid_members *m = n->members;
    for (int i = 0; i < m->body_count; i++) {
        int at = CRM_RIGID_STRIDE * m->slots[i];
        memcpy(n->force + at, n->system.free + at, sizeof(double) * CRM_RIGID_STRIDE);
    }
    n->kernels->confine(n->visits, n->visit_count, n->force);
    for (int i = 0; i < m->block_count; i++) crm_rigid_row_confine(&n->blocks[i], n->force);
    for (int i = 0; i < m->body_count; i++) {
        int at = CRM_RIGID_STRIDE * m->slots[i];
        memcpy(n->system.z + at, n->force + at, sizeof(double) * CRM_RIGID_STRIDE);
    }
}

// The map's size at a share of the direction.
static double map_size(const crm_rigid_newton *n, const crm_rigid_linear *linear, double length) {
    const crm_rigid_members *m = n->members;
    const double *z = n->system.z;
    if (length > 0.0) {
        add_change(n, length, z, n->force);
        z = n->force;
    }
    double sum = n->kernels->map_square(n->visits, n->visit_count, linear, z, length);
    for (int i = 0; i < m->block_count; i++) sum += crm_rigid_row_map_square(&n->blocks[i], linear, z, length);
    return sqrt(sum / (m->contact_count + m->block_count));
}

// The longest of 1, 1/2, ... that leads down, or leaves the map close enough; 0: none does. `found` gets its size
// there.
static double search_length(const crm_rigid_newton *n, const crm_rigid_linear *linear, double size, double *found) {
    double length = 1.0;
    for (int halving = 0; halving <= HALVINGS; halving++, length *= 0.5) {
        *found = map_size(n, linear, length);
        if (*found <= fmax((1.0 - descent * length) * size, close * linear->width)) return length;
    }
    return 0.0;
}

int crm_rigid_newton_smoothed_round(crm_rigid_newton *n, double residual, double tolerance, int most) {
    crm_rigid_linear linear = {.prox = first_prox, .shift = n->system.relaxed ? 0.0 : 1.0};
    double error = map_size(n, &linear, 0.0), end = spare_width * error * fmin(tolerance / residual, 1.0);
    int steps = 0;
    linear.width = first_width * error;
    while (steps < most && linear.width > end && linear.prox <= most_prox) {
        double size = map_size(n, &linear, 0.0), found;
        if (!find_direction(n, &linear)) break;
        steps++;
        double length = search_length(n, &linear, size, &found);
        if (length == 0.0) {
            linear.prox *= prox_up;
            linear.width *= 2.0;
            continue;
        }
        take_step(n, length);
        if (found <= close * linear.width) linear.width *= length == 1.0 ? narrow : narrow_short;
    }
    if (steps > 0) confine(n);
    return steps;
}

// Polishing: laws are smoothed by so little of the error, and by so much less in every step; it ends when so little of
// the error is left.
static const double polish_width = 0.1, polish_narrow = 0.01, polished = 1e-6;

int crm_rigid_newton_polish(crm_rigid_newton *n, int most) {
    crm_rigid_linear linear = {.prox = first_prox, .shift = n->system.relaxed ? 0.0 : 1.0};
    double error = map_size(n, &linear, 0.0);
    int steps = 0;
    linear.width = polish_width * error;
    for (double left = error; steps < most && left > polished * error; steps++) {
        if (!find_direction(n, &linear)) break;
        take_step(n, 1.0);
        linear.width *= polish_narrow;
        left = map_size(n, &linear, 0.0);
    }
    if (steps > 0) confine(n);
    return steps;
}

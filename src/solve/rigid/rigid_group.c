// SPDX-License-Identifier: MIT
#include "solve/rigid/rigid_group.h"

#include <math.h>
#include <string.h>

#include "solve/residual.h"
#include "solve/rigid/rigid_rows.h"

// Nanoseconds with 256-bit vectors on an idle core (docs/solvers.md); walls, towers and sledges, where few contacts are
// left out of sweeps.
static const double pack_units = 80.0;       // a contact: islands, batches, records, velocities of the guess, results
static const double residual_units = 15.0;   // a contact: residual; or velocities from impulses
static const double sweep_units = 22.0;      // a contact: a visit with momentum
static const double pack_rows_units = 200.0; // a block
static const double rows_units = 30.0;       // a block: a visit; its residual
static const double least_units = 50.0;      // a call

// The largest b: above it walls diverge. For a fixed number of sweeps, some 20, less of it leaves smaller residuals in
// round bodies (hourglass: 9 of 62 steps above 1e-3 instead of 19), the same ones in others.
static const double most_momentum = 0.9, few_sweeps_momentum = 0.7;

static double price(const crm_rigid_group *group, double contact, double block) {
    return least_units + contact * group->share->contacts + block * group->share->blocks;
}

double crm_rigid_pack_price(const crm_rigid_group *group) {
    return price(group, pack_units, pack_rows_units);
}

double crm_rigid_residual_price(const crm_rigid_group *group) {
    return price(group, residual_units, rows_units);
}

double crm_rigid_sweep_price(const crm_rigid_group *group) {
    return price(group, sweep_units, rows_units);
}

// Evaluations and refreshes of a solution that can do nothing: of the guess; of nothing, where that is not finite; of
// what is returned.
enum { LEAST_RESIDUALS = 5 };

double crm_rigid_least_price(const crm_rigid_group *group) {
    return crm_rigid_pack_price(group) + LEAST_RESIDUALS * crm_rigid_residual_price(group);
}

// Of all groups that a problem may be cut into, with so many residuals each.
static double most_price(const crm_rigid_problem *problem, int residuals) {
    int members = problem->contact_count + problem->block_count, groups = 1 + members / CRM_RIGID_LARGE_ISLAND;
    return least_units * (1 + residuals) * groups + (pack_units + residuals * residual_units) * problem->contact_count +
           (pack_rows_units + residuals * rows_units) * problem->block_count;
}

double crm_rigid_least_work(const crm_rigid_problem *problem) {
    return most_price(problem, LEAST_RESIDUALS);
}

double crm_rigid_evaluation_work(const crm_rigid_problem *problem) {
    return most_price(problem, 1);
}

bool crm_rigid_group_take(crm_rigid_group *group, crm_arena *arena) {
    const crm_rigid_share *share = group->share;
    ptrdiff_t numbers = CRM_RIGID_STRIDE * ((ptrdiff_t)share->bodies + 1);
    group->system.batch_count = share->batches;
    group->system.rows_count = share->blocks;
    group->system.slot_count = share->bodies + 1;
    group->system.batch = CRM_ARENA_ARRAY(arena, crm_rigid_batch, share->batches);
    group->system.rows = CRM_ARENA_ARRAY(arena, crm_rigid_rows, share->blocks);
    group->system.z = CRM_ARENA_ARRAY(arena, double, numbers);
    group->system.free = CRM_ARENA_ARRAY(arena, double, numbers);
    group->start = CRM_ARENA_ARRAY(arena, double, numbers);
    group->before = CRM_ARENA_ARRAY(arena, double, numbers);
    group->products = CRM_ARENA_ARRAY(arena, double, crm_pool_chunks(share->bodies + 1, CRM_RIGID_PIECE));
    group->island = CRM_ARENA_ARRAY(arena, crm_rigid_island, share->islands);
    group->free = CRM_ARENA_ARRAY(arena, crm_rigid_free, share->islands);
    group->sums = CRM_ARENA_ARRAY(arena, crm_rigid_sums, share->islands);
    group->residual = CRM_ARENA_ARRAY(arena, double, share->islands);
    group->resting = CRM_ARENA_ARRAY(arena, bool, share->islands);
    group->given_up = CRM_ARENA_ARRAY(arena, bool, share->islands);
    group->part = CRM_ARENA_ARRAY(arena, crm_rigid_part, share->sections);
    group->best = crm_arena_take_array(arena, share->batches, sizeof *group->best);
    group->best_rows = crm_arena_take_array(arena, share->blocks, sizeof *group->best_rows);
    group->sweep.before = crm_arena_take_array(arena, share->batches, sizeof *group->sweep.before);
    group->sweep.rest = CRM_ARENA_ARRAY(arena, unsigned char, share->batches);
    return !crm_arena_refused(arena);
}

// ---- packing

// z = (v / linear, F^-T w); F's rows are orthogonal, so F^-T w has the components F_i . w / |F_i|^2.
static void scale_velocity(const crm_rigid_body *body, double z[CRM_RIGID_STRIDE]) {
    const double linear[3] = {body->linear.x, body->linear.y, body->linear.z};
    const double v[3] = {body->free.linear.x, body->free.linear.y, body->free.linear.z};
    for (int i = 0; i < 3; i++) {
        double square = crm_dot(body->angular[i], body->angular[i]);
        z[i] = linear[i] > 0.0 ? v[i] / linear[i] : 0.0;
        z[3 + i] = square > 0.0 ? crm_dot(body->angular[i], body->free.angular) / square : 0.0;
    }
    z[6] = z[7] = 0.0;
}

static int slot(const crm_rigid_group *group, int body) {
    return body >= 0 ? group->layout->slot_of_body[body] : 0;
}

void crm_rigid_group_address(const crm_rigid_group *group, const crm_rigid_section *section) {
    const crm_rigid_layout *layout = group->layout;
    const int *order = layout->order + section->first_contact;
    for (int i = section->begin; i < section->end; i++) {
        crm_rigid_batch *k = &group->system.batch[i];
        for (int l = 0; l < CRM_RIGID_LANES; l++) {
            k->contact[l] = -1;
            k->a[l] = k->b[l] = k->island[l] = 0;
        }
    }
    for (int n = 0; n < section->contacts; n++) {
        int at = order[n], contact = layout->contact[at], l = layout->lane[at] % CRM_RIGID_LANES;
        crm_rigid_batch *k = &group->system.batch[layout->lane[at] / CRM_RIGID_LANES];
        k->contact[l] = contact;
        k->a[l] = layout->ends[at].a;
        k->b[l] = layout->ends[at].b;
        if (group->island_count > 1)
            k->island[l] = layout->place_of[layout->island_of_contact[contact]] - group->share->first_place;
    }
}

static void pack_rows(crm_rigid_group *group, const double *impulse) {
    const crm_rigid_layout *layout = group->layout;
    for (int i = 0; i < group->island_count; i++) {
        const crm_rigid_members *members = &group->members[i];
        for (int n = 0; n < members->block_count; n++) {
            int block = layout->block[group->share->first_block + members->rows[n]];
            const crm_rigid_block *of = &group->problem->blocks[block];
            crm_rigid_pack_rows(group->problem, block, slot(group, of->a), slot(group, of->b), i,
                                impulse + layout->row_of_block[block], &group->system.rows[members->rows[n]]);
        }
    }
}

static void add_free(crm_rigid_free *free, double square, double s) {
    if (!(square <= free->scale)) free->scale = square;
    free->energy += (square + free->least * free->least) / s;
}

static double square_of(const double *x, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) sum += x[i] * x[i];
    return sum;
}

static void add_free_of_rows(crm_rigid_group *group) {
    for (int i = 0; i < group->system.rows_count; i++) {
        const crm_rigid_rows *k = &group->system.rows[i];
        double q[6];
        crm_rigid_rows_velocity(k, group->system.free, q);
        add_free(&group->free[k->island], square_of(q, k->rows), k->scale);
    }
}

static double lane_row(const crm_rigid_batch *k, int lane, int row, const double *z) {
    const double *za = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->a[lane], *zb = z + (ptrdiff_t)CRM_RIGID_STRIDE * k->b[lane];
    double sum = 0.0;
    for (int m = 0; m < 6; m++) sum += k->row_a[6 * row + m][lane] * za[m] + k->row_b[6 * row + m][lane] * zb[m];
    return sum;
}

// A contact or block that moves nothing has no inverse mass of its own: the largest of its island makes its residual a
// velocity (as solve/operator_build.c does it).
static void lend_scales(crm_rigid_group *group) {
    for (int i = 0; i < group->island_count; i++) {
        const crm_rigid_members *members = &group->members[i];
        double largest = 0.0;
        for (int n = 0; n < members->contact_count; n++)
            largest =
                fmax(largest,
                     group->system.batch[members->lane[n] / CRM_RIGID_LANES].scale[members->lane[n] % CRM_RIGID_LANES]);
        for (int n = 0; n < members->block_count; n++)
            largest = fmax(largest, group->system.rows[members->rows[n]].scale);
        if (!(largest > 0.0)) largest = 1.0;
        group->free[i] = (crm_rigid_free){.least = group->free[i].least};
        for (int n = 0; n < members->contact_count; n++) {
            crm_rigid_batch *k = &group->system.batch[members->lane[n] / CRM_RIGID_LANES];
            int l = members->lane[n] % CRM_RIGID_LANES;
            double q[3] = {lane_row(k, l, 0, group->system.free) + k->offset[l], lane_row(k, l, 1, group->system.free),
                           lane_row(k, l, 2, group->system.free)};
            if (!(k->scale[l] > 0.0)) k->scale[l] = largest;
            add_free(&group->free[i], square_of(q, 3), k->scale[l]);
        }
        for (int n = 0; n < members->block_count; n++) {
            crm_rigid_rows *k = &group->system.rows[members->rows[n]];
            if (!(k->scale > 0.0)) k->scale = largest;
        }
    }
}

// The tolerance of an island that rests; 0: it moves.
static double resting_tolerance(const crm_rigid_group *group, const crm_rigid_members *members, const int *body) {
    const double *resting = group->options->resting;
    double largest = 0.0;
    for (int n = 0; resting != NULL && n < members->body_count; n++) {
        if (!(resting[body[n]] > 0.0)) return 0.0;
        largest = fmax(largest, resting[body[n]]);
    }
    return largest;
}

static double least_scale(const crm_rigid_group *group, const crm_rigid_members *members, const int *body) {
    const double *least = group->options->least_scale;
    double largest = group->options->velocity_scale;
    for (int n = 0; least != NULL && n < members->body_count; n++) largest = fmax(largest, least[body[n]]);
    return largest;
}

void crm_rigid_group_pack(crm_rigid_group *group, const double *impulse) {
    const crm_rigid_problem *problem = group->problem;
    const crm_rigid_layout *layout = group->layout;
    const crm_rigid_share *share = group->share;
    double *free = (double *)group->system.free;
    size_t bytes = sizeof(double) * CRM_RIGID_STRIDE * (size_t)group->system.slot_count;
    memset(free, 0, sizeof(double) * CRM_RIGID_STRIDE);
    for (int n = 0; n < share->bodies; n++)
        scale_velocity(&problem->bodies[layout->body[share->first_body + n]],
                       free + (ptrdiff_t)CRM_RIGID_STRIDE * layout->slots[share->first_body + n]);
    memcpy(group->system.z, free, bytes);
    memset(group->before, 0, bytes);
    if (share->batches > 0) {
        memset(group->sweep.before, 0, sizeof *group->sweep.before * (size_t)share->batches);
        memset(group->sweep.rest, 0, (size_t)share->batches);
    }
    const int *body = layout->body + share->first_body;
    for (int i = 0; i < group->island_count; i++) {
        const crm_rigid_members *members = &group->members[i];
        group->free[i] = (crm_rigid_free){.least = least_scale(group, members, body)};
        double resting = resting_tolerance(group, members, body);
        group->resting[i] = resting > 0.0;
        group->given_up[i] = false;
        group->island[i] = (crm_rigid_island){.residual = INFINITY,
                                              .tolerance = resting > 0.0 ? resting : group->options->tolerance,
                                              .body = members->body_count > 0 ? body[0] : -1,
                                              .contacts = members->contact_count,
                                              .blocks = members->block_count};
        body += members->body_count;
    }
    group->unmet = group->island_count;
    pack_rows(group, impulse);
    bool moved = crm_rigid_group_pack_contacts(group, impulse);
    for (int i = 0; i < group->system.rows_count; i++) moved &= group->system.rows[i].scale > 0.0;
    if (!moved) lend_scales(group);
    add_free_of_rows(group);
    for (int i = 0; i < group->system.rows_count; i++)
        crm_rigid_rows_push(&group->system.rows[i], group->system.rows[i].impulse, group->system.z);
    group->limit = group->options->sweeps > 0 ? few_sweeps_momentum : most_momentum;
    crm_rigid_group_reset(group);
    group->work += crm_rigid_pack_price(group);
}

// ---- residual

// As crm_residual_sums has it; the loops leave squares.
static double conclude(const crm_rigid_sums *sums, const crm_rigid_free *free, double *scale) {
    double square = free->scale >= sums->impulse ? free->scale : sums->impulse; // the latter when it is NaN
    crm_residual_sums gathered = {.worst = sqrt(sums->wrong),
                                  .scale = sqrt(square),
                                  .energy = sums->energy,
                                  .energy_scale = free->energy,
                                  .energy_impulse = sums->energy_impulse};
    carom_residual_report report = crm_residual_conclude(&gathered, free->least);
    *scale = report.scale;
    return report.residual;
}

static void keep_best(crm_rigid_group *group, int island) {
    const crm_rigid_members *members = &group->members[island];
    if (group->island_count == 1) {
        crm_rigid_group_keep_contacts(group);
    } else {
        for (int n = 0; n < members->contact_count; n++) {
            int i = members->lane[n] / CRM_RIGID_LANES, l = members->lane[n] % CRM_RIGID_LANES;
            for (int m = 0; m < 3; m++) group->best[i][m][l] = group->system.batch[i].impulse[m][l];
        }
    }
    for (int n = 0; n < members->block_count; n++)
        memcpy(group->best_rows[members->rows[n]], group->system.rows[members->rows[n]].impulse,
               sizeof *group->best_rows);
}

double crm_rigid_group_weight(const crm_rigid_group *group, int i) {
    const crm_rigid_island *island = &group->island[i];
    return island->met || group->given_up[i] ? 0.0 : 1.0 / (island->scale * island->tolerance);
}

static void weigh(crm_rigid_group *group) {
    crm_rigid_group_weigh_contacts(group);
    for (int i = 0; i < group->system.rows_count; i++)
        group->system.rows[i].weight = crm_rigid_group_weight(group, group->system.rows[i].island);
}

void crm_rigid_group_evaluate(crm_rigid_group *group, double *velocity) {
    memset(group->sums, 0, sizeof *group->sums * (size_t)group->island_count);
    crm_rigid_group_residual_of_contacts(group, velocity);
    crm_rigid_rows_residual(&group->system, group->sums);
    group->work += crm_rigid_residual_price(group);
    group->unmet = 0;
    group->behind = false;
    for (int i = 0; i < group->island_count; i++) {
        crm_rigid_island *island = &group->island[i];
        double scale;
        group->residual[i] = conclude(&group->sums[i], &group->free[i], &scale);
        if (!island->met && (group->residual[i] < island->residual || island->residual == INFINITY)) {
            island->residual = group->residual[i];
            island->scale = scale;
            island->met = island->residual <= island->tolerance;
            keep_best(group, i);
        } else {
            group->behind = true;
        }
        group->unmet += !island->met && !group->given_up[i];
    }
    if (group->unmet > 0) weigh(group);
}

void crm_rigid_group_refresh(crm_rigid_group *group) {
    memcpy(group->system.z, group->system.free, sizeof(double) * CRM_RIGID_STRIDE * (size_t)group->system.slot_count);
    crm_rigid_group_push_contacts(group);
    for (int i = 0; i < group->system.rows_count; i++)
        crm_rigid_rows_push(&group->system.rows[i], group->system.rows[i].impulse, group->system.z);
    group->work += crm_rigid_residual_price(group);
}

void crm_rigid_group_restore(crm_rigid_group *group, int island) {
    const crm_rigid_members *members = &group->members[island];
    group->residual[island] = group->island[island].residual;
    for (int n = 0; n < members->contact_count; n++) {
        int i = members->lane[n] / CRM_RIGID_LANES, l = members->lane[n] % CRM_RIGID_LANES;
        for (int m = 0; m < 3; m++) group->system.batch[i].impulse[m][l] = group->best[i][m][l];
        group->sweep.rest[i] = 0;
    }
    for (int n = 0; n < members->block_count; n++)
        memcpy(group->system.rows[members->rows[n]].impulse, group->best_rows[members->rows[n]],
               sizeof *group->best_rows);
}

void crm_rigid_group_restore_all(crm_rigid_group *group) {
    for (int i = 0; i < group->island_count; i++) crm_rigid_group_restore(group, i);
    group->behind = false;
}

void crm_rigid_group_clear(crm_rigid_group *group, int island) {
    const crm_rigid_members *members = &group->members[island];
    for (int n = 0; n < members->contact_count; n++) {
        int i = members->lane[n] / CRM_RIGID_LANES, l = members->lane[n] % CRM_RIGID_LANES;
        for (int m = 0; m < 3; m++) group->system.batch[i].impulse[m][l] = group->sweep.before[i][m][l] = 0.0;
        group->system.batch[i].multiplier[l] = 0.0;
        group->sweep.rest[i] = 0;
    }
    for (int n = 0; n < members->block_count; n++) {
        crm_rigid_rows *k = &group->system.rows[members->rows[n]];
        memset(k->impulse, 0, sizeof k->impulse);
        memset(k->before, 0, sizeof k->before);
    }
}

// SPDX-License-Identifier: MIT
// What a collision does to the momenta: p- = p+ - 2 p_norm, p_norm being the part of p+ in the span of the gaps'
// gradients, in the metric of the masses. Of the two roots of the jump in the projected Hamiltonian (3.73) it is the
// one that does not pass through. Pairs that touch at the same time jump together, so that what is symmetric stays so;
// pairs that the jump of others drives together jump after them.
#include <math.h>
#include <string.h>

#include "math/dense/dense_ldlt.h"
#include "step/contacts/collision_list.h"
#include "step/exact/exact.h"

// Evaluations of the discrete energy after the jump.
enum { MOST_EVALUATIONS = 30 };
// Of its equation, relative to the energy; and the change of the impulses, as a share, that roundings of short substeps
// may keep from becoming any smaller.
static const double energy_tolerance = 1e-13, rounded_change = 1e-9;

static bool is_hit(const crm_exact *x, const crm_exact_pair *pair) {
    return pair->now.gap <= CRM_EXACT_TOUCH * crm_exact_resolution(pair, x->motions) &&
           crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions) < -crm_exact_still(x, pair, x->motions);
}

// Lists the pairs that jump. Without any, the last list stays: what its jump did may still be changed. -1: no memory.
static int find_hits(crm_exact *x) {
    int found = 0;
    for (int i = 0; i < x->mine.count; i++) {
        if (!is_hit(x, &x->pairs.items[x->mine.items[i]])) continue;
        if (found++ == 0) x->hits.count = 0;
        if (!CRM_ARRAY_PUSH(&x->model->allocator, &x->hits, x->mine.items[i])) return -1;
    }
    return found;
}

// The change of a touch's rate by twists of all bodies.
static double rate_of_twists(const crm_exact *x, const crm_exact_pair *pair, const crm_vec6 *twist) {
    const crm_contact_point *touch = &pair->now;
    carom_vec3 a = crm_sub(touch->point, x->motions[pair->a].x), b = crm_sub(touch->point, x->motions[pair->b].x);
    carom_vec3 of_a = crm_add(twist[pair->a].linear, crm_cross(twist[pair->a].angular, a));
    carom_vec3 of_b = crm_add(twist[pair->b].linear, crm_cross(twist[pair->b].angular, b));
    return crm_dot(touch->normal, crm_sub(of_b, of_a));
}

// Impulses that reverse the rates of all pairs that are hit: G impulse = -2 rate, G = J M^-1 J^T.
// False: interrupted.
static bool solve_impulses(crm_exact *x) {
    int count = x->hits.count, bodies = x->model->bodies.count;
    double *g = x->matrix.items;
    for (int i = 0; i < count; i++) {
        const crm_exact_pair *pair = &x->pairs.items[x->hits.items[i]];
        if (crm_state_interrupted(x->state)) return false;
        x->impulse.items[i] = -2.0 * crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions);
        for (int j = 0; j < count; j++)
            g[i + (ptrdiff_t)j * count] = rate_of_twists(x, pair, x->answers.items + (ptrdiff_t)j * bodies);
    }
    carom_interrupt interrupt = crm_state_interrupt(x->state);
    crm_ldlt_factor_until(count, g, count, &interrupt);
    crm_ldlt_solve(count, g, count, 1, x->impulse.items, count);
    return !crm_state_interrupted(x->state);
}

// Contacts only push: the pair that would pull most is left out. False: none does.
static bool drop_pulling(crm_exact *x) {
    int bodies = x->model->bodies.count, worst = -1;
    for (int i = 0; i < x->hits.count; i++)
        if (x->impulse.items[i] < 0.0 && (worst < 0 || x->impulse.items[i] < x->impulse.items[worst])) worst = i;
    if (worst < 0) return false;
    int after = x->hits.count - worst - 1;
    crm_vec6 *row = x->answers.items + (ptrdiff_t)worst * bodies;
    memmove(x->hits.items + worst, x->hits.items + worst + 1, (size_t)after * sizeof *x->hits.items);
    memmove(row, row + bodies, (size_t)after * (size_t)bodies * sizeof *row);
    x->hits.count--;
    return true;
}

static bool take_memory(crm_exact *x) {
    const carom_allocator *allocator = &x->model->allocator;
    ptrdiff_t count = x->hits.count;
    return CRM_ARRAY_RESIZE(allocator, &x->answers, count * x->model->bodies.count) &&
           CRM_ARRAY_RESIZE(allocator, &x->matrix, count * count) && CRM_ARRAY_RESIZE(allocator, &x->impulse, count);
}

// Twists that the impulses make.
static void sum_answers(crm_exact *x) {
    int bodies = x->model->bodies.count;
    memset(x->answer, 0, (size_t)bodies * sizeof *x->answer);
    for (int i = 0; i < x->hits.count; i++)
        for (int b = 0; b < bodies; b++)
            x->answer[b] =
                crm_vec6_madd(x->answer[b], x->impulse.items[i], x->answers.items[(ptrdiff_t)i * bodies + b]);
}

// Kinetic energy of the motion along the normals.
static double reversed_energy(const crm_exact *x) {
    double sum = 0.0;
    for (int i = 0; i < x->hits.count; i++) {
        const crm_exact_pair *pair = &x->pairs.items[x->hits.items[i]];
        sum -= 0.25 * x->impulse.items[i] * crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions);
    }
    return sum;
}

static bool keep_in_table(crm_exact *x) {
    for (int i = 0; i < x->hits.count; i++) {
        const crm_exact_pair *pair = &x->pairs.items[x->hits.items[i]];
        crm_contact_site site = crm_contact_site_at(pair->a, pair->b, &pair->now);
        double impulse[3] = {x->impulse.items[i]};
        double velocity[3] = {crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions)};
        if (!crm_contact_table_add(x->state, &site, impulse, velocity, CAROM_CONTACT_STATUS_SLIDES)) return false;
    }
    return true;
}

// Before the impulses.
static bool begin_collisions(crm_exact *x) {
    for (int i = 0; i < x->hits.count; i++) {
        const crm_exact_pair *pair = &x->pairs.items[x->hits.items[i]];
        double time = carom_state_time(x->state) + x->done;
        carom_collision *c = crm_collision_add(x->state, time, pair->a, pair->b, &pair->now);
        if (c == NULL) return false;
        c->energy_before = crm_collision_energy(x->model, x->motions, pair->a, pair->b);
        c->approach = crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions);
    }
    return true;
}

// After them, whenever they have changed. They act at one pose: each does its work by the mean of the rates.
static void tell_collisions(crm_exact *x) {
    carom_collision *c = x->state->collisions.items + x->state->collisions.count - x->hits.count;
    for (int i = 0; i < x->hits.count; i++, c++) {
        const crm_exact_pair *pair = &x->pairs.items[x->hits.items[i]];
        double impulse = x->share * x->impulse.items[i];
        c->separation = crm_exact_rate(x, &pair->now, pair->a, pair->b, x->motions);
        c->impulse = crm_scale(impulse, pair->now.normal);
        c->energy_jump = 0.5 * impulse * (c->approach + c->separation);
    }
}

void crm_exact_tell_jump(crm_exact *x, double change) {
    carom_collision *list = x->state->collisions.items;
    int first = x->first_collision, end = x->state->collisions.count;
    double sum = 0.0;
    for (int i = first; i < end; i++) sum += crm_length(list[i].impulse);
    for (int i = first; i < end; i++) list[i].energy_jump = crm_length(list[i].impulse) / sum * change;
}

int crm_exact_jump(crm_exact *x) {
    int found = find_hits(x);
    if (found <= 0) return found;
    if (!take_memory(x)) return -1;
    if (!crm_exact_respond_begin(x)) return -2;
    for (int i = 0; i < x->hits.count; i++) {
        if (crm_state_interrupted(x->state)) return -3;
        crm_exact_respond(x, &x->pairs.items[x->hits.items[i]],
                          x->answers.items + (ptrdiff_t)i * x->model->bodies.count);
    }
    do
        if (!solve_impulses(x)) return -3;
    while (drop_pulling(x));
    sum_answers(x);
    x->reversed_energy = reversed_energy(x);
    x->share = 1.0;
    if (!begin_collisions(x)) return -1;
    crm_exact_apply_impulses(x);
    tell_collisions(x);
    return keep_in_table(x) ? 1 : -1;
}

// ---- the jump in the discrete energy

// Makes the impulses of the last jump `share` of those that reverse the rates.
static void rescale(crm_exact *x, double share) {
    int count = x->hits.count;
    carom_contact_state *table = x->state->contact_table.items + x->state->contact_table.count - count;
    for (int i = 0; i < count; i++) x->impulse.items[i] *= share - x->share;
    sum_answers(x);
    crm_exact_apply_impulses(x);
    for (int i = 0; i < count; i++) {
        x->impulse.items[i] /= share - x->share;
        table[i].normal_impulse = share * x->impulse.items[i];
    }
    x->share = share;
    tell_collisions(x);
}

// With the impulses times c the kinetic energy changes by 4 K (c^2 - c), K that of the motion along the normals: the
// root at c = 0 passes through, that near 1 is found with the slope 4 K, and then with that of the last two values.
bool crm_exact_match_energy(crm_exact *x, double length, carom_step_report *report) {
    double steep = 4.0 * x->reversed_energy, slope = steep, last_share = 0.0, last_wrong = INFINITY;
    bool possible = steep > 0.0 && length >= CRM_EXACT_LEAST_MATCHED * x->state->method.step;
    for (int i = 0; i < MOST_EVALUATIONS && possible; i++) {
        if (crm_state_interrupted(x->state) || !crm_exact_flow(x, length, report)) break;
        double wrong = crm_exact_trial_energy(x, length) - x->last_energy;
        double between = (wrong - last_wrong) / (x->share - last_share);
        if (between > 0.1 * steep && between < 10.0 * steep) slope = between;
        double share = x->share - wrong / slope;
        if (fabs(wrong) <= energy_tolerance * fabs(x->last_energy) || share == x->share) return true;
        if (fabs(wrong) >= fabs(last_wrong) && fabs(share - x->share) <= rounded_change) return true;
        if (!(share > 0.5 && share < 2.0)) break;
        last_share = x->share, last_wrong = wrong;
        rescale(x, share);
    }
    if (x->share != 1.0) rescale(x, 1.0);
    return false;
}

// SPDX-License-Identifier: MIT
// Steps of models with flexible bodies (docs/math.md 15.8): rows as ever, on masses that have the stiffness of elements
// in them. Newton's method around the problem of impulses, from velocities v with impulses r on nodes:
//
//   A (v' - v) = rest(v) + J^T r',   u' = J v' + offset and r' under the laws,   A = M + h^2 K + h C
//
// A is kept from iteration to iteration and from step to step, as long as an iteration gains tenfold by it.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/force/evaluate.h"
#include "step/lcp/flexible/lcp_flex.h"
#include "step/method.h"

enum { MOST_ITERATIONS = 100, MOST_HALVINGS = 12, MOST_BALANCES = 4 };
// A way that is halved so often to keep elements from being inverted is none: they may be, if they have an energy then.
enum { FOLDED_HALVINGS = 4 };

// What an iteration with a factor of another configuration has to gain; with one of this step whose stiffness was made
// definite, than which a new one would be no better.
static const double least_gain = 0.1, clipped_gain = 0.9;
// A residual at so many times what rounding of positions makes of it cannot be made smaller.
static const double at_floor = 2.0;
// Velocities that come nearer to the laws of contact by less are as near as roundings let them.
static const double stalled_share = 0.5;
// What changes of the potential are known to, of the terms that it is the sum of.
static const double potential_rounding = 1e-14;
// Problems of impulses that end above their tolerance mostly do so by less than this factor.
static const double most_missed = 10.0;
// Of an edge: what nodes may get farther in a step than they are expected to.
static const double room_share = 0.1;
// Residual of elements and contacts that is asked for without method.lcp.tolerance.
static const double usual_tolerance = 1e-8;

carom_status crm_lcp_flex_create(carom_state *state, crm_lcp *lcp, carom_error *error) {
    crm_lcp_flex *flex = CRM_ARENA_ZEROED(&state->arena, crm_lcp_flex, 1);
    if (flex == NULL) return crm_fail_memory(error, "flexible bodies", sizeof *flex);
    lcp->flex = flex;
    carom_status status = crm_flex_implicit_create(state->model, &state->arena, &flex->bodies, error);
    if (status != CAROM_OK) return status;
    status = crm_flex_surfaces_create(state, &flex->surfaces, error);
    if (status != CAROM_OK) return status;
    int nodes = flex->bodies.node_count;
    carom_vec3 **vectors[] = {&flex->v,       &flex->trial,  &flex->next,  &flex->r,
                              &flex->r_trial, &flex->r_next, &flex->pushed};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(&state->arena, carom_vec3, nodes);
    flex->bodies.theta = lcp->def.theta;
    flex->impulse_place = 1.0 - lcp->def.theta;
    state->node_impulse_place = &flex->impulse_place;
    flex->touched = CRM_ARENA_ZEROED(&state->arena, bool, nodes);
    flex->coupled = CRM_ARENA_ARRAY(&state->arena, int, state->model->bodies.count);
    flex->velocity = CRM_ARENA_ARRAY(&state->arena, double, 6 * (ptrdiff_t)state->model->bodies.count);
    flex->scale = CRM_ARENA_ZEROED(&state->arena, double, state->model->bodies.count);
    if (crm_arena_refused(&state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d nodes of flexible bodies", nodes);
    crm_flex_implicit_keep(state, &flex->bodies);
    crm_state_keep(state, (crm_kept){"impulses of surfaces", flex->pushed, 3 * nodes, sizeof(double), crm_numbers_fit,
                                     .of_contacts = false});
    return CAROM_OK;
}

void crm_lcp_flex_destroy(crm_lcp *lcp) {
    if (lcp->flex == NULL) return;
    crm_flex_implicit_release(&lcp->flex->bodies);
    crm_flex_surfaces_release(&lcp->flex->surfaces);
}

double crm_lcp_flex_tolerance(const carom_lcp_def *def) {
    return def->tolerance > 0.0 ? def->tolerance : usual_tolerance;
}

// ---- between bodies of the problem and nodes

static bool has_rows(const crm_lcp *lcp) {
    return lcp->problem.impulse.count + lcp->flex->surfaces.found.count > 0;
}

static void find_touched(const crm_lcp *lcp) {
    crm_lcp_flex *flex = lcp->flex;
    const crm_flex_implicit *bodies = &flex->bodies;
    memset(flex->touched, 0, (size_t)bodies->node_count * sizeof *flex->touched);
    const crm_lcp_problem *problem = &lcp->problem;
    for (int c = 0; c < problem->contacts.count; c++) {
        const int slots[2] = {problem->contacts.items[c].a, problem->contacts.items[c].b};
        for (int k = 0; k < 2; k++) {
            int node = slots[k] >= 0 ? bodies->node_of[problem->body_of[slots[k]]] : -1;
            if (node >= 0) flex->touched[node] = true;
        }
    }
    const crm_surface_contacts *found = &flex->surfaces.found;
    for (int c = 0; c < found->count; c++)
        for (int e = 0; e < CRM_SURFACE_ENDS; e++) {
            int body = found->items[c].body[e], node = body >= 0 ? bodies->node_of[body] : -1;
            if (node >= 0) flex->touched[node] = true;
        }
    for (int i = 0; i < problem->blocks.count; i++) {
        const int slots[2] = {problem->blocks.items[i].a, problem->blocks.items[i].b};
        for (int k = 0; k < 2; k++) {
            int node = slots[k] >= 0 ? bodies->node_of[problem->body_of[slots[k]]] : -1;
            if (node >= 0) flex->touched[node] = true;
        }
    }
}

// Impulses of the problem on nodes; lcp->motion.change is used.
static void find_impulses(const carom_model *model, crm_lcp *lcp, carom_vec3 *r) {
    crm_vec6 *change = lcp->motion.change;
    for (int b = 0; b < model->bodies.count; b++) change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, change);
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    for (int n = 0; n < bodies->node_count; n++)
        r[n] = bodies->fixed[n] ? crm_vec3_zero() : change[bodies->body_of[n]].linear;
}

static const crm_flex_part *part_of(const crm_flex_implicit *bodies, int node) {
    const crm_flex_part *part = bodies->parts;
    while (part + 1 < bodies->parts + bodies->part_count && part[1].first_node <= node) part++;
    return part;
}

// The problem in the axes in which A was factored.
static void rotate_problem(crm_lcp *lcp) {
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        if (lcp->flex->coupled[s] < 0) continue;
        double *free = lcp->general.nodes.items[s].free;
        carom_vec3 v =
            crm_mat3_apply_t(part_of(bodies, lcp->flex->coupled[s])->rotated, crm_vec3(free[0], free[1], free[2]));
        free[0] = v.x, free[1] = v.y, free[2] = v.z;
    }
    for (int e = 0; e < lcp->general.entries.count; e++) {
        carom_entry *entry = &lcp->general.entries.items[e];
        int node = lcp->flex->coupled[entry->node];
        if (node < 0) continue;
        const carom_mat3 *rotated = &part_of(bodies, node)->rotated;
        double *row = entry->rows;
        for (int k = 0; k < lcp->general.groups.items[entry->group].rows; k++, row += 3) {
            carom_vec3 v = crm_mat3_apply_t(*rotated, crm_vec3(row[0], row[1], row[2]));
            row[0] = v.x, row[1] = v.y, row[2] = v.z;
        }
    }
}

static void set_free(crm_lcp *lcp, const carom_vec3 *free) {
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    for (int n = 0; n < bodies->node_count; n++) {
        int body = bodies->body_of[n], slot = lcp->problem.slot_of[body];
        lcp->motion.free[body].linear = free[n];
        if (slot >= 0) lcp->problem.bodies.items[slot].free.linear = free[n];
    }
}

// ---- one problem of impulses

static carom_solve_options options_of(const carom_state *state, const crm_lcp *lcp) {
    carom_solve_options options = carom_solve_options_default();
    bool own = lcp->def.solver == CAROM_SOLVER_LEMKE || lcp->def.solver == CAROM_SOLVER_MIN_MAP;
    options.solver = lcp->def.friction == CAROM_FRICTION_PYRAMID && !own ? CAROM_SOLVER_LEMKE : lcp->def.solver;
    options.tolerance = crm_lcp_flex_tolerance(&lcp->def);
    options.velocity_scale = crm_lcp_velocity_scale(state);
    options.pyramid_sides = lcp->def.pyramid_sides;
    options.iterations = lcp->def.iterations;
    options.interrupt = crm_state_interrupt(state);
    options.threads = state->method.threads;
    options.warm = true;
    return options;
}

// Residuals are relative to what moves in their own island.
static void note_scales(const carom_state *state, crm_lcp *lcp) {
    for (int s = 0; s < lcp->problem.bodies.count; s++) lcp->flex->scale[s] = crm_lcp_velocity_scale(state);
    for (int e = 0; e < lcp->general.entries.count; e++) {
        const carom_entry *entry = &lcp->general.entries.items[e];
        lcp->flex->scale[entry->node] = lcp->verdict.items[entry->group].residual.scale;
    }
}

// With free velocities of nodes in lcp->problem: impulses there, velocities of nodes in flex->next.
static carom_status solve_impulses(const carom_state *state, crm_lcp *lcp, const carom_vec3 *free,
                                   carom_step_report *report, carom_error *error) {
    crm_lcp_flex *flex = lcp->flex;
    const crm_flex_implicit *bodies = &flex->bodies;
    flex->contact_residual = 0.0;
    if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
    if (!has_rows(lcp)) {
        memcpy(flex->next, free, (size_t)bodies->node_count * sizeof *free);
        return CAROM_OK;
    }
    set_free(lcp, free);
    if (!crm_lcp_fill_general(state->model, lcp) || !crm_lcp_flex_add_surfaces(state, lcp) ||
        !CRM_ARRAY_RESIZE(&state->model->allocator, &lcp->verdict, lcp->general.groups.count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    carom_problem problem = crm_lcp_general_view(state->model, lcp);
    carom_solve_options options = options_of(state, lcp);
    crm_kept_mass kept = {.mass = &flex->bodies.factor, .nodes = bodies->nodes};
    for (int s = 0; s < lcp->problem.bodies.count; s++) flex->coupled[s] = bodies->node_of[lcp->problem.body_of[s]];
    kept.nodes.node_of = flex->coupled;
    rotate_problem(lcp);
    const crm_island_wishes wishes = {.kept = &kept, .verdict = lcp->verdict.items};
    carom_solve_report solved;
    carom_status status = crm_solve_islands(lcp->solver, &problem, &options, &wishes, lcp->general.impulse.items,
                                            flex->velocity, &solved, error);
    if (status != CAROM_OK) return status;
    crm_lcp_take_general(lcp);
    crm_lcp_flex_take_surfaces(lcp);
    flex->contact_residual = solved.outcome == CAROM_SOLVE_OUTCOME_AT_FLOOR ? 0.0 : solved.residual.residual;
    note_scales(state, lcp);
    lcp->work += solved.work;
    report->solver = solved.solver;
    for (int n = 0; n < bodies->node_count; n++) flex->next[n] = crm_vec3_zero();
    const double *v = flex->velocity;
    for (int s = 0; s < lcp->problem.bodies.count; v += lcp->general.nodes.items[s++].size)
        if (flex->coupled[s] >= 0)
            flex->next[flex->coupled[s]] =
                crm_mat3_apply(part_of(bodies, flex->coupled[s])->rotated, crm_vec3(v[0], v[1], v[2]));
    return CAROM_OK;
}

// ---- Newton's method

// Where it stands.
typedef struct iterate {
    crm_flex_sums sums;
    bool fresh; // the factor is of this configuration
    bool tried; // it is of this step
} iterate;

static bool is_solved(const crm_flex_sums *sums, double tolerance) {
    return sums->possible && (sums->residual <= tolerance || sums->residual <= at_floor * sums->floor);
}

// From v towards next, as far as elements allow and residual or potential falls. The share that was gone; 0: none.
static double go(crm_lcp_flex *flex, iterate *at, double tolerance) {
    crm_flex_implicit *bodies = &flex->bodies;
    int count = bodies->node_count;
    double share = 1.0;
    // The potential is that with the impulses that lead there.
    double here = at->sums.potential;
    for (int n = 0; n < count; n++) here += crm_dot(crm_sub(flex->r[n], flex->r_next[n]), flex->v[n]);
    for (int halved = 0; halved <= MOST_HALVINGS; halved++, share *= 0.5) {
        crm_flex_implicit_go(bodies, flex->v, flex->next, share, flex->trial);
        for (int n = 0; n < count; n++)
            flex->r_trial[n] = crm_madd(flex->r[n], share, crm_sub(flex->r_next[n], flex->r[n]));
        crm_flex_sums sums = crm_flex_implicit_evaluate(bodies, flex->trial, flex->r_trial);
        bodies->folding |= sums.folded && halved == FOLDED_HALVINGS;
        double there = sums.potential;
        for (int n = 0; n < count; n++) there += crm_dot(crm_sub(flex->r_trial[n], flex->r_next[n]), flex->trial[n]);
        bool falls = is_solved(&sums, tolerance) || sums.missing < at->sums.missing ||
                     there < here - potential_rounding * sums.size;
        if (sums.possible && (falls || !at->sums.possible)) {
            at->sums = sums;
            flex->halvings += halved;
            return share;
        }
    }
    return 0.0;
}

static void take_step(crm_lcp_flex *flex) {
    size_t bytes = (size_t)flex->bodies.node_count * sizeof *flex->v;
    memcpy(flex->v, flex->trial, bytes);
    memcpy(flex->r, flex->r_trial, bytes);
}

static carom_status factor(crm_lcp *lcp, iterate *at, carom_error *error) {
    at->fresh = at->tried = true;
    return crm_flex_implicit_factor(&lcp->flex->bodies, lcp->flex->touched, error);
}

// How far the velocities that were reached, with their momenta balanced, are from those that the laws of contact hold
// for: rotations bend the way there. Of nodes that rows act on.
static double find_deviation(const crm_lcp *lcp) {
    crm_lcp_flex *flex = lcp->flex;
    double largest = 0.0;
    memcpy(flex->trial, flex->v, (size_t)flex->bodies.node_count * sizeof *flex->v);
    crm_flex_implicit_balance(&flex->bodies, flex->r, flex->trial);
    for (int n = 0; n < flex->bodies.node_count; n++) {
        if (!flex->touched[n]) continue;
        double scale = flex->scale[lcp->problem.slot_of[flex->bodies.body_of[n]]];
        largest = fmax(largest, crm_distance(flex->trial[n], flex->next[n]) / scale);
    }
    return largest;
}

// Where the problem of impulses ended above what was asked for, what it left moves elements by as much: no iteration
// makes that less.
static double reachable_tolerance(const crm_lcp *lcp) {
    double tolerance = crm_lcp_flex_tolerance(&lcp->def);
    bool missed = lcp->flex->contact_residual > tolerance && lcp->flex->contact_residual <= most_missed * tolerance;
    return missed ? lcp->flex->contact_residual : tolerance;
}

// Whether all laws are kept as far as was asked for, or as far as roundings let them.
static bool is_done(const crm_lcp *lcp, const iterate *at) {
    crm_lcp_flex *flex = lcp->flex;
    double tolerance = reachable_tolerance(lcp), before = flex->deviation;
    if (!flex->whole || !is_solved(&at->sums, tolerance)) return false;
    flex->deviation = find_deviation(lcp);
    return flex->deviation <= tolerance || flex->deviation > stalled_share * before;
}

// One iteration: *moved tells whether it got anywhere.
static carom_status iterate_once(const carom_state *state, crm_lcp *lcp, iterate *at, bool *moved,
                                 carom_step_report *report, carom_error *error) {
    crm_lcp_flex *flex = lcp->flex;
    double before = at->sums.missing, tolerance = crm_lcp_flex_tolerance(&lcp->def);
    crm_flex_implicit_free(&flex->bodies, flex->v, flex->trial);
    memcpy(flex->next, flex->trial, (size_t)flex->bodies.node_count * sizeof *flex->next);
    carom_status status = solve_impulses(state, lcp, flex->trial, report, error);
    if (status != CAROM_OK) return status;
    find_impulses(state->model, lcp, flex->r_next);
    crm_lcp_flex_find_shifts(state->model, lcp, flex->next);
    double share = go(flex, at, tolerance);
    *moved = share > 0.0;
    if (*moved) take_step(flex);
    flex->whole = share == 1.0;
    double gain = flex->bodies.clipped && at->tried ? clipped_gain : least_gain;
    bool slow = share < 1.0 || (at->sums.missing > gain * before && !is_solved(&at->sums, tolerance));
    bool fresh = at->fresh;
    at->fresh = false;
    if (!*moved) at->sums = crm_flex_implicit_evaluate(&flex->bodies, flex->v, flex->r); // where it stands
    if (!slow || (fresh && !*moved)) return CAROM_OK;
    *moved = true;
    return factor(lcp, at, error);
}

// Velocities of rows, from those of nodes and what impulses make of all other bodies.
static void find_row_velocities(const carom_state *state, crm_lcp *lcp) {
    const crm_lcp_flex *flex = lcp->flex;
    for (int s = 0; s < lcp->problem.bodies.count; s++) {
        int b = lcp->problem.body_of[s], node = flex->bodies.node_of[b];
        if (node >= 0)
            lcp->twist[b] = crm_vec6_of(flex->v[node], crm_vec3_zero());
        else
            lcp->twist[b] =
                crm_vec6_add(lcp->motion.free[b], crm_velocity_of(state->model, state, b, lcp->motion.change[b]));
    }
    crm_lcp_row_velocities(lcp->twist, lcp);
}

// Contacts that were found after the last solution may leave it as it is: what has no impulse is not reached.
static bool is_still_solved(const carom_state *state, crm_lcp *lcp, const iterate *at) {
    const crm_lcp_flex *flex = lcp->flex;
    double tolerance = crm_lcp_flex_tolerance(&lcp->def);
    if (!flex->whole || !is_solved(&at->sums, tolerance)) return false;
    find_row_velocities(state, lcp);
    for (int c = 0; c < lcp->problem.contacts.count; c++) {
        ptrdiff_t row = 3 * (ptrdiff_t)c;
        bool presses = lcp->problem.impulse.items[row] > 0.0;
        double u = lcp->velocity.items[row] + lcp->problem.contacts.items[c].offset;
        if (!presses && !(u >= -crm_lcp_contact_noise(lcp, c))) return false;
    }
    return true;
}

// From bodies that go on rigidly, or go on bending as well, whichever is nearer.
static crm_flex_sums choose_start(crm_lcp_flex *flex) {
    crm_flex_implicit *bodies = &flex->bodies;
    crm_flex_implicit_start(bodies, false, flex->trial);
    crm_flex_implicit_start(bodies, true, flex->v);
    crm_flex_sums rigid = crm_flex_implicit_evaluate(bodies, flex->trial, flex->r);
    crm_flex_sums bending = crm_flex_implicit_evaluate(bodies, flex->v, flex->r);
    if (bending.possible && bending.missing < rigid.missing) return bending;
    memcpy(flex->v, flex->trial, (size_t)bodies->node_count * sizeof *flex->v);
    return crm_flex_implicit_evaluate(bodies, flex->v, flex->r);
}

static carom_status find_velocities(const carom_state *state, crm_lcp *lcp, bool again, carom_step_report *report,
                                    carom_error *error) {
    crm_lcp_flex *flex = lcp->flex;
    crm_flex_implicit *bodies = &flex->bodies;
    iterate at = {0};
    find_touched(lcp);
    find_impulses(state->model, lcp, flex->r);
    at.sums = again ? crm_flex_implicit_evaluate(bodies, flex->v, flex->r) : choose_start(flex);
    if (again && is_still_solved(state, lcp, &at)) {
        flex->sums = at.sums;
        return CAROM_OK;
    }
    carom_status status = CAROM_OK;
    flex->whole = !has_rows(lcp);
    flex->deviation = flex->contact_residual = 0.0;
    bool moved = true, solved = flex->whole && is_solved(&at.sums, crm_lcp_flex_tolerance(&lcp->def));
    if (!solved) flex->deviation = INFINITY;
    if (!solved && *bodies->factored_step != bodies->step) status = factor(lcp, &at, error);
    for (int i = 0; status == CAROM_OK && i < MOST_ITERATIONS && moved && !solved; i++) {
        status = iterate_once(state, lcp, &at, &moved, report, error);
        report->iterations++;
        solved = is_done(lcp, &at);
    }
    flex->sums = at.sums;
    return status;
}

// ---- friction along with slip

// It is taken away, as far as the residual allows that there is some (lcp_slip.c).
static void clear_friction(const carom_state *state, crm_lcp *lcp) {
    crm_lcp_flex *flex = lcp->flex;
    if (!has_rows(lcp)) return;
    if (!isfinite(flex->deviation)) flex->deviation = find_deviation(lcp);
    double share = fmax(crm_lcp_flex_tolerance(&lcp->def), flex->contact_residual) + flex->deviation;
    for (int s = 0; s < lcp->problem.bodies.count; s++) lcp->noise[s] = share * flex->scale[s];
    if (lcp->def.friction != CAROM_FRICTION_CONE) return;
    find_row_velocities(state, lcp);
    bool dropped = crm_lcp_drop_backward_friction(lcp);
    dropped |= crm_lcp_flex_drop_friction(state, lcp, lcp->twist);
    if (!dropped) return;
    find_impulses(state->model, lcp, flex->r);
    flex->sums = crm_flex_implicit_evaluate(&flex->bodies, flex->v, flex->r);
}

carom_status crm_lcp_flex_solve(const carom_state *state, crm_lcp *lcp, bool again, carom_step_report *report,
                                carom_error *error) {
    carom_status status = find_velocities(state, lcp, again, report, error);
    if (status == CAROM_OK) clear_friction(state, lcp);
    return status;
}

// ---- what comes of it

// Nodes are expected to go on as they do: what they are given, elements mostly take again, in long steps all of it.
carom_status crm_lcp_flex_begin(carom_state *state, crm_lcp *lcp, carom_error *error) {
    const crm_flex_implicit *bodies = &lcp->flex->bodies;
    carom_status restored = crm_flex_implicit_restore(&lcp->flex->bodies, error);
    if (restored != CAROM_OK) return restored;
    lcp->flex->halvings = 0;
    lcp->flex->factorizations = bodies->factorizations;
    crm_flex_implicit_begin(&lcp->flex->bodies, state->motions, state->method.step, lcp->motion.explicit_impulse);
    for (int n = 0; n < bodies->node_count; n++) {
        int b = bodies->body_of[n];
        state->next[b].p = state->motions[b].p;
        lcp->motion.explicit_impulse[b] = crm_vec6_zero();
        // Some room, so that lists of contacts last: what gravity gives, or a tenth of an edge.
        double room = fmin(state->method.step * crm_length(state->model->gravity),
                           room_share * state->model->bodies.items[b].size / state->method.step);
        lcp->motion.explicit_impulse[b].linear = crm_vec3(bodies->mass[n] * room, 0.0, 0.0);
    }
    crm_flex_surfaces *surfaces = &lcp->flex->surfaces;
    carom_status status = crm_flex_surfaces_find(surfaces, state->motions, state->method.step, error);
    for (int c = 0; status == CAROM_OK && c < surfaces->found.count; c++) {
        crm_surface_contact *contact = &surfaces->found.items[c];
        int node = bodies->node_of[contact->body[0]];
        double share = crm_state_step_ratio(state);
        for (int k = 0; node >= 0 && !contact->of_edges && k < 3; k++)
            contact->impulse[k] = share * crm_dot(contact->direction[k], lcp->flex->pushed[node]);
    }
    return status;
}

void crm_lcp_flex_changes(const carom_state *state, crm_lcp *lcp) {
    crm_lcp_flex *flex = lcp->flex;
    const crm_flex_implicit *bodies = &flex->bodies;
    // With theta < 1 places of impulses depend on the velocities themselves.
    int rounds = bodies->theta == 1.0 ? 1 : MOST_BALANCES;
    for (int i = 0; i < rounds; i++) {
        crm_lcp_flex_find_shifts(state->model, lcp, flex->v);
        crm_flex_implicit_balance(bodies, flex->r, flex->v);
    }
    for (int n = 0; n < bodies->node_count; n++) {
        int b = bodies->body_of[n];
        if (bodies->fixed[n]) continue;
        lcp->motion.change[b] = crm_vec6_zero();
        carom_vec3 end = crm_flex_implicit_end(bodies, n, flex->v[n]);
        lcp->motion.change[b].linear = crm_sub(crm_scale(bodies->mass[n], end), state->next[b].p);
    }
}

void crm_lcp_flex_read_out(carom_state *state, crm_lcp *lcp, carom_step_report *report) {
    crm_lcp_flex *flex = lcp->flex;
    const crm_flex_implicit *bodies = &flex->bodies;
    double elastic = flex->sums.residual, floor = at_floor * flex->sums.floor;
    if (elastic > crm_lcp_flex_tolerance(&lcp->def)) elastic = fmax(elastic - floor, 0.0); // beyond roundings
    crm_lcp_note_residual(fmax(elastic, flex->contact_residual), flex->sums.body, report);
    report->factorizations = bodies->factorizations - flex->factorizations;
    report->halvings = flex->halvings;
    report->residual_floor = floor;
    // What elements do to each other is no impulse from outside; what holds nodes gives whatever there is.
    for (int p = 0; p < bodies->part_count; p++) {
        const crm_flex_part *part = &bodies->parts[p];
        for (int n = part->first_node; n < part->first_node + part->flex->node_count; n++) {
            int b = bodies->body_of[n];
            if (bodies->fixed[n]) continue;
            state->impulse[b].linear =
                part->held ? lcp->motion.change[b].linear : crm_add(bodies->given[n], flex->r[n]);
        }
        if (!part->held) state->impulse[part->flex->first_body].angular = part->shift;
    }
    crm_lcp_flex_tell_work(state, lcp);
}

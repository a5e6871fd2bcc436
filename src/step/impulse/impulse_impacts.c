// SPDX-License-Identifier: MIT
// What is hit in a step, before forces act (docs/math.md 7.3). Contacts without restitution have no impacts: they
// are stopped together with what rests.
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "base/limits/limit.h"
#include "model/body_groups.h"
#include "model/force/evaluate.h"
#include "step/impulse/impulse_fixed.h"
#include "step/impulse/impulse_limit.h"

// Velocities with the impacts so far.
static crm_vec6 twist_now(const carom_model *model, const carom_state *state, const crm_impulse_fixed *fixed,
                          int body) {
    return crm_vec6_add(fixed->start[body], crm_velocity_of(model, state, body, fixed->hit[body]));
}

// What forces add to the velocity of the points in the step.
static carom_vec3 forced_velocity(const carom_state *state, const crm_impulse_fixed *fixed, const crm_lcp *rows,
                                  const crm_contact_site *t) {
    return crm_point_velocity(t->point, &state->motions[t->a], &state->motions[t->b],
                              crm_vec6_sub(rows->motion.free[t->a], fixed->start[t->a]),
                              crm_vec6_sub(rows->motion.free[t->b], fixed->start[t->b]));
}

// Whether the contact is hit with these velocities before forces: it approaches, and the gap does not last the
// step, forces included. *u: of the points.
static bool is_approached(const carom_model *model, const carom_state *state, const crm_impulse_fixed *fixed,
                          const crm_lcp *rows, const crm_contact_site *t, carom_vec3 *u) {
    if (t->restitution == 0.0) return false;
    carom_vec3 n = t->direction[0];
    *u = crm_point_velocity(t->point, &state->motions[t->a], &state->motions[t->b],
                            twist_now(model, state, fixed, t->a), twist_now(model, state, fixed, t->b));
    double approach = crm_dot(n, *u);
    if (!(approach < 0.0 && approach <= -crm_lcp_rest_speed(rows, t))) return false;
    double forced = crm_dot(n, forced_velocity(state, fixed, rows, t));
    return t->gap + state->method.step * (approach + forced) <= 0.0;
}

// ---- one after the other

static crm_vec6 wrench_of(const carom_model *model, const carom_state *state, int body, carom_vec3 point,
                          carom_vec3 impulse) {
    carom_vec3 arm = crm_sub(point, state->motions[body].x);
    return crm_wrench_projected(model->bodies.items[body].kind, crm_vec6_of(impulse, crm_cross(arm, impulse)));
}

static carom_vec3 velocity_at(crm_vec6 twist, carom_vec3 arm) {
    return crm_add(twist.linear, crm_cross(twist.angular, arm));
}

// What an impulse at the point adds to the velocity there.
static carom_vec3 moved(const carom_model *model, const carom_state *state, int body, carom_vec3 point,
                        carom_vec3 impulse) {
    crm_vec6 wrench = wrench_of(model, state, body, point, impulse);
    return velocity_at(crm_velocity_of(model, state, body, wrench), crm_sub(point, state->motions[body].x));
}

// K of both bodies, column by column, so that planar bodies and points have theirs too.
static carom_mat3 collision_matrix(const carom_model *model, const carom_state *state, const crm_contact_site *t) {
    carom_vec3 axis[3] = {crm_vec3(1.0, 0.0, 0.0), crm_vec3(0.0, 1.0, 0.0), crm_vec3(0.0, 0.0, 1.0)}, column[3];
    for (int k = 0; k < 3; k++)
        column[k] = crm_add(moved(model, state, t->a, t->point, axis[k]), moved(model, state, t->b, t->point, axis[k]));
    return crm_mat3_columns(column[0], column[1], column[2]);
}

// An impact at the beginning of a step happens while the gap is open yet: restitution is what leads to the right
// height.
static double restitution_at(const carom_state *state, const crm_impulse_fixed *fixed, const crm_lcp *rows,
                             const crm_contact_site *t, carom_vec3 u) {
    double approach = crm_dot(t->direction[0], u);
    double gained = -crm_dot(t->direction[0], forced_velocity(state, fixed, rows, t));
    return fmin(1.0, crm_lcp_rebound_speed(state, rows, t, approach, gained) / -approach);
}

static carom_status resolve_impact(const carom_model *model, const carom_state *state, crm_impulse_fixed *fixed,
                                   const crm_lcp *rows, const crm_contact_site *t, carom_vec3 u, double *impact_impulse,
                                   bool *limited, carom_error *error) {
    const carom_impulse_def *def = &state->method.impulse;
    carom_impact impact = {.matrix = collision_matrix(model, state, t),
                           .normal = t->direction[0],
                           .velocity = u,
                           .friction = t->friction,
                           .restitution = restitution_at(state, fixed, rows, t, u),
                           .tangential = def->tangential_restitution};
    carom_impact_result result;
    carom_status status = crm_impact_resolve_limited(&impact, def->law, &result, limited, error);
    if (status != CAROM_OK) return status;
    fixed->impacted = true;
    carom_vec3 j = result.impulse, n = t->direction[0], tangent = t->direction[1];
    fixed->hit[t->a] = crm_vec6_sub(fixed->hit[t->a], wrench_of(model, state, t->a, t->point, j));
    fixed->hit[t->b] = crm_vec6_add(fixed->hit[t->b], wrench_of(model, state, t->b, t->point, j));
    impact_impulse[0] += crm_dot(j, n);
    impact_impulse[1] += crm_dot(j, tangent);
    impact_impulse[2] += crm_dot(j, t->direction[2]);
    fixed->impact_work += result.friction_work;
    // What acts on the ground acts on the system from outside.
    bool ground_a = model->bodies.items[t->a].kind == CAROM_BODY_FIXED;
    bool ground_b = model->bodies.items[t->b].kind == CAROM_BODY_FIXED;
    if (ground_a)
        crm_external_add(fixed->external[t->b], state->motions[t->b].x, 1.0,
                         wrench_of(model, state, t->b, t->point, j));
    if (ground_b)
        crm_external_add(fixed->external[t->a], state->motions[t->a].x, -1.0,
                         wrench_of(model, state, t->a, t->point, j));
    return CAROM_OK;
}

// Contacts stand in the order of their bodies. What is left after the last sweep is stopped with what rests.
static carom_status resolve_in_sequence(const carom_model *model, carom_state *state, crm_impulse_fixed *fixed,
                                        const crm_lcp *rows, carom_step_report *report, carom_error *error) {
    bool any = true;
    for (int sweep = 0; any && sweep < state->method.impulse.iterations; sweep++) {
        if (crm_state_interrupted(state)) return crm_fail_interrupted(error);
        any = false;
        for (int c = 0; c < state->contact_list.count; c++) {
            const crm_contact_site *t = &rows->contacts.sites.items[c];
            carom_vec3 u;
            if (!is_approached(model, state, fixed, rows, t, &u)) continue;
            any = true;
            bool limited;
            carom_status status = resolve_impact(model, state, fixed, rows, t, u,
                                                 fixed->impact_impulse.items + 3 * (ptrdiff_t)c, &limited, error);
            if (status != CAROM_OK) return status;
            if (limited) crm_limited_impacts_add(&fixed->limited, t->a, t->b);
        }
        report->iterations += any;
    }
    return CAROM_OK;
}

// ---- all together

// Motors and forces act after impacts, not in them.
static void still_motors(crm_lcp *rows) {
    rows->problem.blocks.count = rows->problem.force_blocks;
    rows->problem.impulse.count = crm_lcp_force_row(rows);
    rows->problem.forces.count = 0;
    for (int i = 0; i < rows->problem.blocks.count; i++) {
        crm_rigid_block *block = &rows->problem.blocks.items[i];
        if (block->law == CAROM_LAW_BOX) block->lower = block->upper = 0.0;
    }
}

// Of what came after the first phase of Poisson's law, or of all.
static double last_work(const crm_lcp *rows) {
    double work = 0.0;
    for (int c = 0, row = 0; c < rows->problem.contacts.count; c++, row += 3) {
        const double *r = rows->problem.impulse.items + row, *u = rows->velocity.items + row;
        if (!(hypot(u[1], u[2]) > crm_lcp_slip_noise(rows, c))) continue;
        const double *first = rows->two_phases ? rows->compression.items + row : NULL;
        for (int k = 1; k < 3; k++) work += (r[k] - (first != NULL ? first[k] : 0.0)) * u[k];
    }
    return work;
}

static void read_impacts(const carom_model *model, const carom_state *state, crm_impulse_fixed *fixed, crm_lcp *rows) {
    crm_lcp_add_impulses(model, rows, fixed->hit);
    for (int b = 0; b < model->bodies.count; b++) rows->twist[b] = twist_now(model, state, fixed, b);
    crm_lcp_row_velocities(rows->twist, rows);
    fixed->impact_work += last_work(rows);
    crm_impulse_add_ground(model, state, rows, fixed->external);
    if (fixed->row_impact.count > 0)
        memcpy(fixed->row_impact.items, crm_lcp_block_impulses(rows), (size_t)fixed->row_impact.count * sizeof(double));
    if (rows->problem.contacts.count > 0)
        memcpy(fixed->impact_impulse.items, rows->problem.impulse.items,
               (size_t)crm_lcp_contact_rows(rows) * sizeof(double));
}

static carom_status resolve_together(const carom_model *model, carom_state *state, const carom_input *input,
                                     crm_impulse_fixed *fixed, crm_lcp *rows, carom_step_report *report,
                                     carom_error *error) {
    bool any = false;
    for (int c = 0; c < state->contact_list.count && !any; c++) {
        carom_vec3 u;
        any = is_approached(model, state, fixed, rows, &rows->contacts.sites.items[c], &u);
    }
    if (!any) return CAROM_OK;
    fixed->impacted = true;
    rows->def.gamma = 0.0;
    if (!crm_lcp_build(model, state, input, rows))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for a problem");
    still_motors(rows);
    // The problem begins with the velocities before forces.
    memset(rows->problem.impulse.items, 0, (size_t)rows->problem.impulse.count * sizeof(double));
    crm_vec6 *forced = rows->motion.free;
    rows->motion.free = fixed->start;
    crm_lcp_shift_free(model, state, rows);
    double before = report->friction_work;
    report->friction_work = 0.0;
    carom_status status = crm_lcp_solve_impacts(model, state, rows, false, report, error);
    fixed->limited = rows->limits.limited;
    fixed->impact_work += report->friction_work;
    report->friction_work = before;
    if (status == CAROM_OK) read_impacts(model, state, fixed, rows);
    rows->motion.free = forced;
    return status;
}

// ---- both

// Contacts that close no faster than this rest: gravity alone makes them approach by its speed after a step, and what
// an earlier step was not solved to, of the fastest body that touches or is joined, is no impact.
static void find_rest_speeds(const carom_model *model, const carom_state *state, const crm_lcp *rows,
                             crm_impulse_fixed *fixed) {
    const carom_impulse_def *def = &state->method.impulse;
    double own = def->rest_speed > 0.0 ? def->rest_speed : crm_length(model->gravity) * state->method.step;
    int bodies = model->bodies.count, *group = state->groups;
    memcpy(group, state->joined, (size_t)bodies * sizeof *group);
    for (int c = 0; c < rows->contacts.sites.count; c++)
        crm_body_groups_join(model, group, rows->contacts.sites.items[c].a, rows->contacts.sites.items[c].b);
    for (int b = 0; b < bodies; b++) fixed->rest_speed[b] = 0.0;
    for (int b = 0; b < bodies; b++) {
        double *largest = &fixed->rest_speed[crm_forest_root(group, b)];
        *largest = fmax(*largest, crm_length(fixed->start[b].linear));
    }
    // From the last to the first: a group's lowest body has its largest speed until all others have read it.
    for (int b = bodies - 1; b >= 0; b--)
        fixed->rest_speed[b] = fmax(own, def->tolerance * fixed->rest_speed[crm_forest_root(group, b)]);
}

carom_status crm_impulse_impacts(const carom_model *model, carom_state *state, const carom_input *input,
                                 crm_impulse_fixed *fixed, crm_lcp *rows, carom_step_report *report,
                                 carom_error *error) {
    const carom_impulse_def *def = &state->method.impulse;
    const carom_allocator *allocator = &model->allocator;
    int contacts = state->contact_list.count;
    if (!CRM_ARRAY_RESIZE(allocator, &fixed->impact_impulse, 3 * (ptrdiff_t)contacts) ||
        !CRM_ARRAY_RESIZE(allocator, &fixed->row_impact, rows->row_impulse_count - rows->force_slots))
        return crm_fail_memory(error, "impacts", 3 * (size_t)contacts * sizeof(double));
    for (int i = 0; i < fixed->impact_impulse.count; i++) fixed->impact_impulse.items[i] = 0.0;
    for (int i = 0; i < fixed->row_impact.count; i++) fixed->row_impact.items[i] = 0.0;
    fixed->impact_work = 0.0;
    fixed->impacted = false;
    fixed->limited.count = 0;
    find_rest_speeds(model, state, rows, fixed);
    rows->rest_speed = fixed->rest_speed;
    rows->no_restitution = false;
    crm_body_drag *drag = state->drag;
    state->drag = NULL; // it acts with the forces
    carom_status status = def->simultaneous == CAROM_SIMULTANEOUS_TOGETHER
                              ? resolve_together(model, state, input, fixed, rows, report, error)
                              : resolve_in_sequence(model, state, fixed, rows, report, error);
    state->drag = drag;
    return status;
}

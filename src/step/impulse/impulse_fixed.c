// SPDX-License-Identifier: MIT
#include "step/impulse/impulse_fixed.h"
#include "step/certify/accounts.h"
#include "step/certify/contact_work.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "step/integrate/free_spin.h"
#include "step/method.h"

// ---- making and releasing

// The settings of rows: what rests is solved by sweeps over one contact and joint after the other, or all together;
// stiff forces, which sweeps are slow at, always so.
static carom_lcp_def row_settings(const carom_model *model, const carom_impulse_def *def) {
    bool together = def->simultaneous == CAROM_SIMULTANEOUS_TOGETHER || crm_lcp_force_slots(model) > 0;
    carom_lcp_def rows = carom_method_def_default().lcp;
    rows.tolerance = def->tolerance;
    rows.push_out = def->push_out;
    rows.restitution = def->law == CAROM_IMPACT_LAW_POISSON ? CAROM_RESTITUTION_POISSON : CAROM_RESTITUTION_NEWTON;
    rows.solver = together ? CAROM_SOLVER_AUTO : CAROM_SOLVER_GAUSS_SEIDEL;
    rows.iterations = together ? 0 : def->iterations;
    return rows;
}

carom_status crm_impulse_fixed_prepare(carom_state *state, crm_impulse *impulse, carom_error *error) {
    int bodies = state->model->bodies.count, joints = state->model->joints.count;
    crm_impulse_fixed *fixed = CRM_ARENA_ZEROED(&state->arena, crm_impulse_fixed, 1);
    if (fixed == NULL) return crm_fail_memory(error, "fixed steps", sizeof *fixed);
    impulse->fixed = fixed;
    fixed->start = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    fixed->external = crm_arena_take_array(&state->arena, bodies, sizeof *fixed->external);
    state->externals = CRM_ARENA_ZEROED(&state->arena, crm_external_balance, bodies);
    fixed->hit = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    fixed->drift = CRM_ARENA_ZEROED(&state->arena, double, joints);
    fixed->given_up = CRM_ARENA_ZEROED(&state->arena, bool, joints);
    fixed->rest_speed = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    fixed->mechanism_size = CRM_ARENA_ZEROED(&state->arena, double, joints);
    if (crm_arena_refused(&state->arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for fixed steps of %d bodies", bodies);
    carom_lcp_def rows = row_settings(state->model, &state->method.impulse);
    carom_status status = crm_lcp_create(state, &rows, &fixed->rows, error);
    if (fixed->rows != NULL) {
        fixed->rows->general_only = true; // joints are closed by rounds of ever finer solutions
        fixed->rows->work_allowed = INFINITY;
        fixed->rows->hits_first = true;
    }
    if (status != CAROM_OK || joints == 0) return status;
    carom_status made = crm_joint_projection_create(state->model, &state->arena, &fixed->projection, error);
    if (made == CAROM_OK) fixed->projection.system.factor.interrupt = crm_state_interrupt(state);
    return made;
}

void crm_impulse_fixed_release(carom_state *state, crm_impulse *impulse) {
    if (impulse->fixed == NULL) return;
    crm_lcp_destroy(state->model, impulse->fixed->rows);
    CRM_ARRAY_FREE(&state->model->allocator, &impulse->fixed->impact_impulse);
    CRM_ARRAY_FREE(&state->model->allocator, &impulse->fixed->row_impact);
    CRM_ARRAY_FREE(&state->model->allocator, &impulse->fixed->best_offset);
    CRM_ARRAY_FREE(&state->model->allocator, &impulse->fixed->best_impulse);
}

// ---- the step

// Momenta and free velocities of the forces and of the impacts.
static void set_free(const carom_model *model, carom_state *state, const crm_impulse_fixed *fixed, crm_lcp *rows) {
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const crm_motion *before = &state->motions[b];
        crm_motion *next = &state->next[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        next->p = crm_add(crm_add(before->p, rows->motion.explicit_impulse[b].linear), fixed->hit[b].linear);
        next->l = crm_add(crm_add(before->l, rows->motion.explicit_impulse[b].angular), fixed->hit[b].angular);
        rows->motion.free[b] = crm_free_velocity(state, b, next);
    }
}

typedef struct attempt {
    const carom_model *model;
    carom_state *state;
    const carom_input *input;
    crm_impulse_fixed *fixed;
    crm_lcp *rows;
    carom_step_report *report;
} attempt;

// Impacts and rest for the contacts that are listed.
static carom_status find_impulses(const attempt *at, carom_error *error) {
    const carom_model *model = at->model;
    crm_impulse_fixed *fixed = at->fixed;
    at->report->residual = 0.0;
    at->report->residual_body = (carom_body){-1};
    memset(fixed->external, 0, (size_t)model->bodies.count * sizeof *fixed->external);
    for (int b = 0; b < model->bodies.count; b++) fixed->hit[b] = crm_vec6_zero();
    if (fixed->impacted) set_free(model, at->state, fixed, at->rows); // in vain, for fewer contacts
    carom_status status = crm_impulse_impacts(model, at->state, at->input, fixed, at->rows, at->report, error);
    if (status != CAROM_OK) return status;
    if (fixed->impacted) set_free(model, at->state, fixed, at->rows);
    status = crm_impulse_rest(model, at->state, at->input, fixed, at->rows, at->report, error);
    for (int i = 0; status == CAROM_OK && i < CRM_MOST_BRAKES; i++) {
        if (!crm_lcp_brake_springs(model, at->state, at->rows)) break;
        status = crm_impulse_rest(model, at->state, at->input, fixed, at->rows, at->report, error);
    }
    return status;
}

static carom_status make_attempt(void *context, int round, carom_error *error) {
    const attempt *at = context;
    if (round == 0) at->fixed->impacted = false;
    carom_status status = find_impulses(at, error);
    if (status == CAROM_OK) crm_lcp_store(at->state, at->rows);
    return status;
}

static void add_external(const carom_state *state, const crm_impulse_fixed *fixed, const crm_lcp *rows, int body,
                         double *external) {
    // Impulses come first; of what flies they act along its way.
    bool flies = rows->flight.flies[body];
    carom_vec3 before = state->motions[body].x,
               x = flies ? crm_scale(0.5, crm_add(before, state->next[body].x)) : before;
    crm_external_add(external, x, 1.0, rows->motion.explicit_impulse[body]);
    crm_external_add_size(external, x, rows->motion.explicit_impulse[body]);
    crm_external_add_size(external, x, fixed->hit[body]);
    crm_external_add_size(external, x, rows->motion.change[body]);
}

// Work of what has no potential, an impulse, by the mean velocities.
static double mean_work(crm_vec6 impulse, const crm_impulse_fixed *fixed, const crm_lcp *rows, int body) {
    carom_vec3 spin = crm_scale(0.5, crm_add(fixed->start[body].angular, rows->motion.free[body].angular));
    return crm_dot(impulse.linear, rows->motion.free[body].linear) + crm_dot(impulse.angular, spin);
}

// Impulses become momenta, momenta velocities (in rows->motion.free), and these the new poses.
// What is hit and not held flies from where it is.
static void fly(const carom_model *model, carom_state *state, const crm_impulse_fixed *fixed, crm_lcp *rows, int body) {
    carom_vec3 force = rows->motion.explicit_impulse[body].linear, hit = fixed->hit[body].linear;
    bool is_hit = crm_length_squared(hit) > 0.0;
    if (is_hit && crm_length_squared(rows->motion.change[body].linear) > 0.0)
        crm_free_flight_hold(&rows->flight, body);
    else if (is_hit)
        crm_free_flight_rebound(model, state, &rows->flight, body, hit, force);
    else if (rows->flight.flies[body])
        crm_free_flight_move(model, state, &rows->flight, body, force);
}

static void move(const carom_model *model, carom_state *state, crm_impulse_fixed *fixed, crm_lcp *rows) {
    double h = state->method.step;
    crm_lcp_find_flying(state, rows);
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        crm_motion *next = &state->next[b];
        crm_vec6 *twist = &rows->motion.free[b], change = rows->motion.change[b];
        if (body->kind == CAROM_BODY_FIXED) continue;
        crm_vec6 given = change, dragged = crm_vec6_zero();
        if (state->drag != NULL) dragged = crm_velocity_step_drag(model, state, b, *twist, given);
        if (state->drag != NULL) change = crm_vec6_add(given, dragged);
        next->p = crm_add(next->p, change.linear);
        next->l = crm_add(next->l, change.angular);
        fly(model, state, fixed, rows, b);
        twist->linear = crm_motion_velocity(body, next);
        if (!rows->flight.flies[b]) next->x = crm_madd(next->x, h, twist->linear);
        if (body->kind != CAROM_BODY_POINT) {
            twist->angular = crm_add(twist->angular, crm_velocity_of(model, state, b, given).angular);
            next->q = crm_quat_step(next->q, crm_bounded_spin(body, next->q, next->l, twist->angular, h), h);
        }
        add_external(state, fixed, rows, b, fixed->external[b]);
        crm_external_add_work(fixed->external[b], mean_work(state->active[b], fixed, rows, b));
        crm_external_add_passive(fixed->external[b], mean_work(state->passive[b], fixed, rows, b));
        crm_external_add(fixed->external[b], state->motions[b].x, 1.0, dragged);
        crm_external_add_size(fixed->external[b], state->motions[b].x, dragged);
        double lost = crm_drag_work(state, b, fixed->start[b], *twist);
        crm_external_add_work(fixed->external[b], lost);
        crm_external_add_passive(fixed->external[b], lost);
    }
}

// Of an impulse that has led to the momenta in state->next.
static double stopping_work(const carom_model *model, const carom_state *state, int b, crm_vec6 impulse) {
    crm_vec6 after = crm_twist_of(model, state->next, b);
    crm_motion before = state->next[b];
    before.p = crm_sub(before.p, impulse.linear), before.l = crm_sub(before.l, impulse.angular);
    const crm_body *body = &model->bodies.items[b];
    carom_vec3 velocity = crm_scale(0.5, crm_add(after.linear, crm_motion_velocity(body, &before)));
    carom_vec3 spin = crm_scale(0.5, crm_add(after.angular, crm_motion_spin(body, &before)));
    return crm_dot(impulse.linear, velocity) + (body->kind == CAROM_BODY_POINT ? 0.0 : crm_dot(impulse.angular, spin));
}

// The velocities that joints block where the bodies are now: further impulses of the joints.
static void post_stabilise(const carom_model *model, carom_state *state, crm_impulse_fixed *fixed) {
    crm_joint_projection *projection = &fixed->projection;
    crm_joint_projection_slow(projection, state->next);
    for (int b = 0; b < model->bodies.count; b++) {
        if (model->bodies.items[b].kind == CAROM_BODY_FIXED) continue;
        crm_external_add(fixed->external[b], state->next[b].x, 1.0, projection->impulse[b]);
        crm_external_add_size(fixed->external[b], state->next[b].x, projection->impulse[b]);
        crm_ledger_add(state, b, -1, CRM_LINE_STABILISATION, stopping_work(model, state, b, projection->impulse[b]));
    }
}

// ---- what the step says

static void add_impacts(const carom_state *state, const crm_impulse_fixed *fixed, const crm_lcp *rows,
                        carom_step_report *report) {
    for (int c = 0; c < state->contact_table.count; c++) {
        const double *impact_impulse = fixed->impact_impulse.items + 3 * (ptrdiff_t)c;
        carom_contact_state *contact = &state->contact_table.items[c];
        if (impact_impulse[0] == 0.0) continue;
        bool slides = hypot(contact->slip[0], contact->slip[1]) > crm_lcp_slip_noise(rows, c);
        contact->normal_impulse += impact_impulse[0];
        contact->tangent_impulse[0] += impact_impulse[1];
        contact->tangent_impulse[1] += impact_impulse[2];
        contact->status = slides ? CAROM_CONTACT_STATUS_SLIDES : CAROM_CONTACT_STATUS_STICKS;
    }
    report->friction_work += fixed->impact_work;
}

// Rest is in the reactions already.
static void add_reactions(const carom_model *model, carom_state *state, const crm_impulse_fixed *fixed,
                          const crm_lcp *rows) {
    double per_step = 1.0 / state->method.step;
    for (int j = 0, row = 0; j < model->joints.count; row += model->joints.items[j++].rows) {
        const crm_joint *joint = &model->joints.items[j];
        const double *impact_impulse = CRM_ARRAY_FROM(&fixed->row_impact, row);
        crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
        crm_vec6 impacted = crm_lcp_joint_impulse(rows, joint, &pose, impact_impulse);
        crm_vec6 after = crm_joint_system_reaction(&fixed->projection.system, j, fixed->projection.lambda);
        state->reaction[j] = crm_vec6_madd(state->reaction[j], per_step, crm_vec6_add(impacted, after));
        state->end_reaction[j] = state->reaction[j];
    }
}

static carom_status finish(const carom_model *model, carom_state *state, crm_impulse_fixed *fixed, crm_lcp *rows,
                           carom_step_report *report, carom_error *error) {
    bool jointed = model->joints.count > 0;
    crm_limited_impacts_tell(state, &fixed->limited, report);
    crm_impulse_add_ground(model, state, rows, fixed->external);
    if (jointed)
        crm_impulse_add_motor_work(model, fixed->start, rows->motion.free, rows, fixed->external);
    else
        crm_lcp_row_velocities(rows->motion.free, rows);
    (void)crm_lcp_force_work(model, state, rows, fixed->external);
    crm_lcp_add_block_work(model, state, rows, CRM_ARRAY_FROM(&fixed->row_impact, 0));
    if (!crm_lcp_read_out(model, state, rows, report))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the table of contacts");
    add_impacts(state, fixed, rows, report);
    crm_contact_twists(model, state);
    crm_contact_work(model, state);
    if (jointed) {
        post_stabilise(model, state, fixed);
        add_reactions(model, state, fixed, rows);
    }
    state->external_balance = (crm_external_balance){.work = 0.0};
    for (int b = 0; b < model->bodies.count; b++) {
        state->externals[b] = crm_external_sum(fixed->external[b]);
        state->external_balance.work += state->externals[b].work;
    }
    crm_free_flight_end(state, &rows->flight);
    return crm_contact_list_look_ahead(state, &rows->contacts, rows->motion.explicit_impulse, report, error);
}

void crm_impulse_fixed_accept(carom_state *state, crm_impulse *impulse) {
    crm_free_flight_accept(state, &impulse->fixed->rows->flight);
}

void crm_impulse_fixed_step(const carom_model *model, carom_state *state, const carom_input *input,
                            crm_impulse *impulse, carom_step_report *report) {
    crm_impulse_fixed *fixed = impulse->fixed;
    crm_lcp *rows = fixed->rows;
    carom_error error;
    if (!crm_velocity_step_begin(model, state, input, &rows->motion, report)) return;
    for (int b = 0; b < model->bodies.count; b++) fixed->start[b] = crm_twist_of(model, state->motions, b);
    crm_lcp_brakes_begin(model, &rows->brakes);
    rows->noise_tolerance = state->method.impulse.tolerance;
    attempt at = {model, state, input, fixed, rows, report};
    const crm_attempts attempts = {.most = CRM_MOST_ATTEMPTS, .attempt = make_attempt, .context = &at};
    carom_status status = crm_contact_list_resolve(state, &rows->contacts, rows->motion.change, &attempts, &error);
    if (status == CAROM_OK) {
        move(model, state, fixed, rows);
        status = finish(model, state, fixed, rows, report, &error);
    }
    if (status == CAROM_OK) return;
    crm_contacts_failed("contacts", &error, report);
}

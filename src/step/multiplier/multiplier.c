// SPDX-License-Identifier: MIT
#include "step/multiplier/multiplier.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "model/mechanism/joint_rank.h"
#include "step/method.h"

// A gap that is closed already: share of the system's size, or rad.
static const double closed = 2e-15;
// Newton iterations of a projection. One is enough after a substep within its tolerances.
enum { MOST_PROJECTIONS = 6 };

// ---- forces and accelerations

crm_answer crm_multiplier_forces(crm_multiplier *m, double time) {
    return crm_integrated_forces(m->state, time, m->motions, m->configs, m->input, m->wrench, m->active, m->report);
}

double crm_multiplier_rate(const crm_multiplier *m, int limit_motor) {
    const crm_limit_motor_row *of = &m->system.limit_motor[limit_motor];
    crm_joint_twists twists = crm_joint_twists_of(m->model, &m->model->joints.items[of->joint], m->motions);
    return crm_joint_row_rate(&m->system.row[of->row], &twists);
}

// What the residual of a limit or motor row should be.
static double wanted(const crm_multiplier *m, int limit_motor) {
    return m->system.limit_motor[limit_motor].is_motor ? 0.0 : m->bounds.bound[limit_motor].level;
}

// Baumgarte's feedback: c'' = -2 alpha c' - beta^2 c.
static void add_feedback(const crm_multiplier *m) {
    const crm_joint_system *s = &m->system;
    double alpha = m->state->method.baumgarte_alpha, beta = m->state->method.baumgarte_beta;
    crm_joint_system_rates(s, m->motions, m->rate);
    for (int r = 0; r < s->row_count; r++) m->lambda[r] -= 2.0 * alpha * m->rate[r] + beta * beta * s->residual[r];
    for (int i = 0; i < s->limit_motor_count; i++) {
        double target = s->limit_motor[i].is_motor ? 2.0 * alpha * m->bounds.bound[i].level
                                                   : beta * beta * m->bounds.bound[i].level;
        m->lambda[s->limit_motor[i].row] += target;
    }
}

// The forces of open rows, which are known, act like any other.
static void add_known(const crm_multiplier *m, crm_vec6 *wrench) {
    for (int i = 0; i < m->system.limit_motor_count; i++) {
        const crm_limit_motor_row *limit_motor = &m->system.limit_motor[i];
        if (limit_motor->on || m->bounds.bound[i].known == 0.0) continue;
        const crm_joint *joint = &m->model->joints.items[limit_motor->joint];
        const crm_joint_row *row = &m->system.row[limit_motor->row];
        if (joint->a.body >= 0)
            wrench[joint->a.body] = crm_vec6_madd(wrench[joint->a.body], m->bounds.bound[i].known, row->a);
        if (joint->b.body >= 0)
            wrench[joint->b.body] = crm_vec6_madd(wrench[joint->b.body], m->bounds.bound[i].known, row->b);
    }
}

void crm_multiplier_accelerate(crm_multiplier *m) {
    crm_joint_system *s = &m->system;
    crm_joint_system_evaluate(s, m->motions, m->configs);
    crm_joint_system_products(s, m->motions, m->product);
    for (int r = 0; r < s->row_count; r++) m->lambda[r] = -m->product[r];
    if (m->baumgarte) add_feedback(m);
    for (int b = 0; b < m->model->bodies.count; b++) {
        const crm_body *body = &m->model->bodies.items[b];
        m->twist[b] = m->wrench[b];
        if (body->kind != CAROM_BODY_FREE) continue;
        carom_vec3 gyroscopic = crm_cross(crm_motion_spin(body, &m->motions[b]), m->motions[b].l);
        m->twist[b].angular = crm_sub(m->twist[b].angular, gyroscopic);
    }
    add_known(m, m->twist);
    crm_joint_system_solve(s, m->twist, m->lambda);
    for (int i = 0; i < s->limit_motor_count; i++)
        if (!s->limit_motor[i].on) m->lambda[s->limit_motor[i].row] = m->bounds.bound[i].known;
}

// ---- what comes from outside

// Joints between moving bodies give nothing to the whole, unless a body does not admit a part: that goes to whatever
// holds it in its plane.
static void add_joint_external(const crm_multiplier *m, int joint, const crm_joint_row *wrenches, double *external) {
    const crm_joint *of = &m->model->joints.items[joint];
    const int body[2] = {of->a.body, of->b.body};
    bool moves[2];
    for (int e = 0; e < 2; e++) moves[e] = body[e] >= 0 && m->model->graph.link_of_body[body[e]] >= 0;
    for (int e = 0; e < 2; e++) {
        if (!moves[e]) continue;
        crm_vec6 w = e == 0 ? wrenches->a : wrenches->b;
        crm_vec6 projected = crm_wrench_projected(m->model->bodies.items[body[e]].kind, w);
        carom_vec3 x = m->motions[body[e]].x;
        crm_external_add_size(external, x, w);
        if (!moves[1 - e])
            crm_external_add(external, x, 1.0, projected);
        else
            crm_external_add(external, x, -1.0, crm_vec6_sub(w, projected));
    }
}

void crm_multiplier_add_lambda(const crm_multiplier *m, double *sums) {
    double *external = sums + 6 * (ptrdiff_t)m->model->joints.count;
    for (int j = 0; j < m->model->joints.count; j++) {
        if (m->system.first_row[j] == m->system.first_row[j + 1]) continue;
        crm_joint_row wrenches = crm_joint_system_wrenches(&m->system, j, m->lambda);
        crm_vec6 reaction = crm_joint_system_reaction(&m->system, j, m->lambda);
        crm_external_accumulate(sums + 6 * (ptrdiff_t)j, reaction.linear);
        crm_external_accumulate(sums + 6 * (ptrdiff_t)j + 3, reaction.angular);
        add_joint_external(m, j, &wrenches, external);
    }
}

// Power of what has no potential.
static double power(const crm_multiplier *m) {
    double sum = 0.0;
    for (int b = 0; b < m->model->bodies.count; b++) {
        const crm_body *body = &m->model->bodies.items[b];
        sum += crm_dot(m->active[b].linear, crm_motion_velocity(body, &m->motions[b])) +
               crm_dot(m->active[b].angular, crm_motion_spin(body, &m->motions[b]));
    }
    for (int i = 0; i < m->system.limit_motor_count; i++) {
        const crm_limit_motor_row *limit_motor = &m->system.limit_motor[i];
        if (limit_motor->is_motor) sum += m->lambda[limit_motor->row] * crm_multiplier_rate(m, i);
    }
    return sum;
}

static double passive_power(const crm_multiplier *m) {
    double sum = 0.0;
    for (int b = 0; b < m->model->bodies.count; b++) {
        const crm_body *body = &m->model->bodies.items[b];
        sum += crm_dot(m->state->passive[b].linear, crm_motion_velocity(body, &m->motions[b])) +
               crm_dot(m->state->passive[b].angular, crm_motion_spin(body, &m->motions[b]));
    }
    return sum;
}

// ---- the problem's functions

static void drift(void *context, const double *y, double *rate) {
    crm_multiplier *m = context;
    crm_link_problem_unpack(&m->links, y, m->motions);
    crm_link_problem_drift(&m->links, m->motions, rate);
}

static crm_answer rate_of(void *context, double time, const double *y, double *rate) {
    crm_multiplier *m = context;
    drift(m, y, rate);
    crm_answer answer = crm_multiplier_forces(m, time);
    if (answer != CRM_ANSWER_GOOD) return answer;
    crm_multiplier_accelerate(m);
    double *sums = crm_link_problem_sum_rates(&m->links, rate);
    double *external = sums + 6 * (ptrdiff_t)m->model->joints.count;
    for (int i = 0; i < m->links.ivp.sum_count; i++) sums[i] = 0.0;
    for (int i = 0; i < m->model->graph.link_count; i++) {
        int b = m->model->graph.link[i].body;
        crm_external_add(external, m->motions[b].x, 1.0, m->wrench[b]);
        crm_external_add_size(external, m->motions[b].x, m->wrench[b]);
    }
    crm_multiplier_add_lambda(m, sums);
    crm_external_add_work(external, power(m));
    crm_external_add_passive(external, passive_power(m));
    crm_joint_system_forces(&m->system, m->lambda, m->twist);
    for (int i = 0; i < m->model->graph.link_count; i++) {
        int b = m->model->graph.link[i].body;
        crm_link_problem_put_force(&m->links, i, crm_vec6_add(m->wrench[b], m->twist[b]), rate);
    }
    return CRM_ANSWER_GOOD;
}

// ---- projection

// What is wrong with the rows that are on goes to lambda, to be made good. The largest of it, as a share of the
// system's size or rad.
static double gaps(const crm_multiplier *m) {
    const crm_joint_system *s = &m->system;
    double worst = 0.0;
    for (int j = 0; j < m->model->joints.count; j++) {
        const crm_joint *joint = &m->model->joints.items[j];
        for (int k = 0; k < joint->rows; k++) {
            int r = s->first_row[j] + k;
            m->lambda[r] = -s->residual[r];
            worst = fmax(worst, fabs(s->residual[r]) / (k < joint->linear->blocked ? m->size : 1.0));
        }
    }
    for (int i = 0; i < s->limit_motor_count; i++) {
        const crm_limit_motor_row *limit_motor = &s->limit_motor[i];
        bool linear = limit_motor->coordinate < m->model->joints.items[limit_motor->joint].linear->free;
        double gap = limit_motor->on ? wanted(m, i) - s->residual[limit_motor->row] : 0.0;
        m->lambda[limit_motor->row] = gap;
        worst = fmax(worst, fabs(gap) / (linear ? m->size : 1.0));
    }
    return worst;
}

static void displace(crm_multiplier *m) {
    for (int i = 0; i < m->model->graph.link_count; i++) {
        int b = m->model->graph.link[i].body;
        crm_motion_displace(&m->motions[b], m->twist[b], m->links.rotation[i] >= 0);
    }
}

// Motors have no place to be at.
static void switch_motors(crm_multiplier *m, bool on) {
    for (int i = 0; i < m->system.limit_motor_count; i++)
        if (m->system.limit_motor[i].is_motor)
            crm_joint_system_switch(&m->system, i, on && m->bounds.bound[i].mode == CRM_BOUND_HELD);
}

static void project_poses(crm_multiplier *m) {
    double last = INFINITY;
    switch_motors(m, false);
    for (int i = 0; i < MOST_PROJECTIONS; i++) {
        crm_joint_system_evaluate(&m->system, m->motions, m->configs);
        double gap = gaps(m);
        // Newton's method squares a gap; where that ends, far from the origin sooner, are the roundings of positions.
        if (gap <= closed || gap > 0.1 * last) break;
        last = gap;
        for (int b = 0; b < m->model->bodies.count; b++) m->twist[b] = crm_vec6_zero();
        crm_joint_system_solve(&m->system, m->twist, m->lambda);
        displace(m);
    }
    switch_motors(m, true);
}

void crm_multiplier_project_momenta(crm_multiplier *m) {
    crm_joint_system *s = &m->system;
    crm_joint_system_evaluate(s, m->motions, m->configs);
    crm_joint_system_rates(s, m->motions, m->lambda);
    for (int r = 0; r < s->row_count; r++) m->lambda[r] = -m->lambda[r];
    for (int i = 0; i < s->limit_motor_count; i++)
        if (s->limit_motor[i].is_motor) m->lambda[s->limit_motor[i].row] += m->bounds.bound[i].level;
    for (int b = 0; b < m->model->bodies.count; b++) m->twist[b] = crm_vec6_zero();
    crm_joint_system_solve(s, m->twist, m->lambda);
    crm_joint_system_forces(s, m->lambda, m->twist);
    for (int b = 0; b < m->model->bodies.count; b++) {
        m->motions[b].p = crm_add(m->motions[b].p, m->twist[b].linear);
        m->motions[b].l = crm_add(m->motions[b].l, m->twist[b].angular);
    }
}

static crm_answer end_substep(void *context, double time, double *y) {
    (void)time;
    crm_multiplier *m = context;
    crm_link_problem_unpack(&m->links, y, m->motions);
    if (!m->baumgarte) {
        project_poses(m);
        crm_multiplier_project_momenta(m);
        crm_multiplier_add_lambda(m, crm_link_problem_sums(&m->links, y));
        crm_link_problem_pack(&m->links, m->motions, y);
    }
    crm_joints_remember(m->model, m->motions, m->configs);
    return CRM_ANSWER_GOOD;
}

static double margin_of_bounds(void *context, double time, const double *y) {
    return crm_bounds_margin(&((crm_multiplier *)context)->bounds, time, y);
}

static crm_answer event_of_bounds(void *context, double time, double *y) {
    return crm_bounds_event(&((crm_multiplier *)context)->bounds, time, y);
}

// ---- the method

static carom_status prepare_problem(crm_multiplier *m, crm_arena *arena, carom_error *error) {
    const carom_model *model = m->model;
    int links = model->graph.link_count, sums = 6 * model->joints.count + CRM_EXTERNAL_NUMBERS;
    if (!crm_link_problem_create(model, sums, true, arena, &m->links))
        return crm_fail_memory(error, "multiplier", (size_t)links * sizeof(crm_error_block));
    m->links.ivp.context = m;
    m->links.ivp.interrupt = m->bounds.interrupt = m->system.factor.interrupt = crm_state_interrupt(m->state);
    m->links.ivp.rate = rate_of;
    m->links.ivp.drift = drift;
    m->links.ivp.end_substep = model->joints.count > 0 ? end_substep : NULL;
    if (m->system.limit_motor_count > 0) {
        m->links.ivp.margin = margin_of_bounds;
        m->links.ivp.event = event_of_bounds;
    }
    m->y = CRM_ARENA_ZEROED(arena, double, crm_ivp_state_size(&m->links.ivp));
    if (m->y == NULL) return crm_fail_memory(error, "multiplier", (size_t)links * sizeof(crm_error_block));
    return crm_integrator_create(&m->links.ivp, &m->state->method, arena, &m->integrator, error);
}

static carom_status prepare(carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    int bodies = model->bodies.count, joints = model->joints.count;
    crm_multiplier *m = CRM_ARENA_ZEROED(arena, crm_multiplier, 1);
    if (m == NULL) return crm_fail_memory(error, "multiplier", sizeof *m);
    state->method_data = m;
    m->model = model;
    m->state = state;
    crm_state_keep(state,
                   (crm_kept){"substep", &m->substep, 1, sizeof m->substep, crm_substep_fits, .of_contacts = false});
    m->baumgarte = state->method.stabilisation == CAROM_STABILISATION_BAUMGARTE;
    m->size = crm_joints_size(model, state->motions);
    carom_status status = crm_joint_system_create(model, arena, &m->system, error);
    if (status != CAROM_OK) return status;
    m->bounds = (crm_bounds){.model = model,
                             .table = &crm_multiplier_bounds,
                             .context = m,
                             .size = m->size,
                             .count = m->system.limit_motor_count,
                             .limit_motor = m->system.limit_motor,
                             .bound = CRM_ARENA_ZEROED(arena, crm_bound, m->system.limit_motor_count)};
    m->motions = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    m->before_impact = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    m->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, joints);
    m->wrench = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    m->active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    m->twist = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    m->lambda = CRM_ARENA_ZEROED(arena, double, m->system.row_count);
    m->product = CRM_ARENA_ZEROED(arena, double, m->system.row_count);
    m->rate = CRM_ARENA_ZEROED(arena, double, m->system.row_count);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "multiplier", (size_t)bodies * sizeof(crm_motion));
    return prepare_problem(m, arena, error);
}

// Reactions, and the external balance.
static void finish(crm_multiplier *m, crm_external_balance *external_balance) {
    carom_state *state = m->state;
    const double *sums = crm_link_problem_sums(&m->links, m->y);
    double step = state->method.step;
    int joints = m->model->joints.count;
    for (int j = 0; j < joints; j++)
        state->reaction[j] = crm_vec6_scale(1.0 / step, crm_external_vec6(sums + 6 * (ptrdiff_t)j));
    *external_balance = crm_external_sum(sums + 6 * (ptrdiff_t)joints);
    if (joints == 0) return;
    crm_multiplier_accelerate(m);
    for (int j = 0; j < joints; j++) state->end_reaction[j] = crm_joint_system_reaction(&m->system, j, m->lambda);
    m->report->redundant_rows = m->system.redundant;
}

// Where substeps become ever smaller at a dead point of a loop, the tolerances are not to blame.
static void blame_dead_point(crm_multiplier *m, const crm_integration *result, carom_step_report *report) {
    if (result->end != CRM_INTEGRATION_SUBSTEPS && result->end != CRM_INTEGRATION_TOO_SMALL) return;
    crm_link_problem_unpack(&m->links, m->y, m->motions);
    int joint = crm_joint_at_dead_point(m->model, m->motions, m->size);
    if (joint < 0) return;
    char name[CRM_BODY_TEXT];
    snprintf(report->text, sizeof report->text,
             "the mechanism is at a dead point at t = %.6g s: the loop that %s closes is stretched or folded, and the "
             "forces that hold it have no bound; make one of its lengths 1 %% longer, or take the method lcp",
             result->reached, crm_joint_text(m->model, joint, name));
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_multiplier *m = state->method_data;
    m->input = input;
    m->report = report;
    m->system.evaluated = false; // the revolutions of angles may be others at the same poses
    memcpy(m->motions, state->motions, (size_t)model->bodies.count * sizeof *m->motions);
    memcpy(m->configs, state->configs, (size_t)model->joints.count * sizeof *m->configs);
    crm_bounds_begin(&m->bounds, input, report);
    crm_link_problem_pack(&m->links, m->motions, m->y);
    memset(crm_link_problem_sums(&m->links, m->y), 0, (size_t)m->links.ivp.sum_count * sizeof(double));
    double substep = m->substep, time = carom_state_time(state);
    crm_integration result = crm_integrate(&m->integrator, time, state->method.step, &substep, m->y);
    crm_integration_report(&state->method, &result, report);
    blame_dead_point(m, &result, report);
    if (result.end != CRM_INTEGRATION_GOOD) return;
    crm_link_problem_unpack(&m->links, m->y, m->motions);
    memcpy(state->next, m->motions, (size_t)model->bodies.count * sizeof *m->motions);
    report->outcome = CAROM_STEP_GOOD; // a callback may have asked for smaller substeps
    report->text[0] = '\0';
    if (!crm_ivp_is_finite(&m->links.ivp, m->y) ||
        crm_multiplier_forces(m, time + state->method.step) != CRM_ANSWER_GOOD)
        return;
    m->substep = substep;
    finish(m, &state->external_balance);
}

static void contract(const carom_method_def *def, carom_contract *contract) {
    if (def->stabilisation == CAROM_STABILISATION_BAUMGARTE) contract->joint_drift = 0.05;
}

const crm_method crm_method_multiplier = {
    .name = "multiplier",
    .contract = contract,
    .variant_key = "integrator",
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD |
                CRM_FEATURE_JOINT | CRM_FEATURE_LOOP | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING |
                CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR | CRM_FEATURE_SWITCH,
    .keeps_external_balance = true,
    .prepare = prepare,
    .advance = advance,
};

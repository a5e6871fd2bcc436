// SPDX-License-Identifier: MIT
#include "step/reduced/reduced.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "step/method.h"

// ---- the state of the problem

static double *positions(const crm_reduced *m, const double *y) {
    return (double *)y + 4 * (ptrdiff_t)m->problem.rotation_count;
}

static double *velocities(const crm_reduced *m, const double *y) {
    return positions(m, y) + m->problem.position_count;
}

double *crm_reduced_external(const crm_reduced *m, double *y) {
    return velocities(m, y) + m->model->graph.free_count;
}

static void copy(double *to, const double *from, int count) {
    for (int k = 0; k < count; k++) to[k] = from[k];
}

static void unpack_link(crm_reduced *m, int i, const double *y) {
    const crm_tree_link *link = &m->model->graph.link[i];
    const crm_reduced_offsets *place = &m->place[i];
    const double *slide = positions(m, y) + place->slide, *angle = positions(m, y) + place->angle;
    carom_quat *rotation = NULL;
    if (link->joint < 0) {
        crm_motion *root = &m->motions[link->body];
        rotation = &root->q;
        root->x = crm_vec3(slide[0], slide[1], place->slide_count > 2 ? slide[2] : root->x.z);
    } else {
        crm_joint_config *config = &m->configs[link->joint];
        rotation = &config->rotation;
        copy(config->slide, slide, place->slide_count);
        copy(config->angle, angle, place->angle_count);
    }
    if (place->rotation >= 0) memcpy(rotation, y + 4 * (ptrdiff_t)place->rotation, sizeof *rotation);
    copy(m->rate + link->first, velocities(m, y) + place->linear_rate, place->slide_count);
    copy(m->rate + link->first + place->slide_count, velocities(m, y) + place->angular_rate, place->angular_count);
}

void crm_reduced_unpack(crm_reduced *m, const double *y) {
    for (int i = 0; i < m->tree.link_count; i++) unpack_link(m, i, y);
    crm_articulated_move(&m->tree, m->configs, m->rate, m->motions);
    m->factored = false;
    if (m->bounds.count > 0) crm_reduced_evaluate_rows(m);
}

void crm_reduced_pack_rates(const crm_reduced *m, double *y) {
    for (int i = 0; i < m->tree.link_count; i++) {
        const double *rate = m->rate + m->model->graph.link[i].first;
        const crm_reduced_offsets *place = &m->place[i];
        copy(velocities(m, y) + place->linear_rate, rate, place->slide_count);
        copy(velocities(m, y) + place->angular_rate, rate + place->slide_count, place->angular_count);
    }
}

void crm_reduced_pack_coordinates(const crm_reduced *m, double *y) {
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_tree_link *link = &m->model->graph.link[i];
        const crm_reduced_offsets *place = &m->place[i];
        double *slide = positions(m, y) + place->slide;
        const carom_quat *rotation = link->joint < 0 ? &m->motions[link->body].q : &m->configs[link->joint].rotation;
        if (place->rotation >= 0) memcpy(y + 4 * (ptrdiff_t)place->rotation, rotation, sizeof *rotation);
        if (link->joint < 0) {
            for (int k = 0; k < place->slide_count; k++) slide[k] = crm_component(m->motions[link->body].x, k);
        } else {
            copy(slide, m->configs[link->joint].slide, place->slide_count);
            copy(positions(m, y) + place->angle, m->configs[link->joint].angle, place->angle_count);
        }
    }
}

// m->rate from the motions.
static void read_rates(crm_reduced *m) {
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_tree_link *link = &m->model->graph.link[i];
        double *rate = m->rate + link->first;
        if (link->joint >= 0) {
            const crm_joint *joint = &m->model->joints.items[link->joint];
            crm_joint_pose place = crm_joint_evaluate(joint, m->motions);
            crm_joint_twists twists = crm_joint_twists_of(m->model, joint, m->motions);
            double own[6];
            crm_joint_rates(joint, &place, &twists, own);
            copy(rate, own, link->free);
        } else {
            const crm_body *body = &m->model->bodies.items[link->body];
            carom_vec3 v = crm_motion_velocity(body, &m->motions[link->body]);
            carom_vec3 w = crm_motion_spin(body, &m->motions[link->body]);
            int linear = m->place[i].slide_count, angular = m->place[i].angular_count;
            for (int k = 0; k < linear; k++) rate[k] = crm_component(v, k);
            for (int k = 0; k < angular; k++) rate[linear + k] = crm_component(w, angular == 1 ? 2 : k);
        }
    }
}

// ---- forces and accelerations

crm_answer crm_reduced_forces(crm_reduced *m, double time) {
    return crm_integrated_forces(m->state, time, m->motions, m->configs, m->input, m->wrench, m->active, m->report);
}

crm_answer crm_reduced_factor(crm_reduced *m) {
    if (m->factored) return CRM_ANSWER_GOOD;
    int bad = crm_articulated_factor(&m->tree);
    m->factored = bad < 0;
    if (m->factored) return CRM_ANSWER_GOOD;
    crm_step_impossible(m->model, m->model->graph.link[bad].body, m->report,
                        "and what hangs on it have no inertia against a free motion of its joint beside roundings, so "
                        "that its acceleration is anything; give it a larger mass or larger moments of inertia");
    return CRM_ANSWER_STOP;
}

crm_answer crm_reduced_accelerate(crm_reduced *m) {
    crm_answer answer = crm_reduced_factor(m);
    if (answer != CRM_ANSWER_GOOD) return answer;
    if (m->bounds.count > 0) crm_reduced_prepare_rows(m);
    crm_articulated_accelerate(&m->tree, m->wrench, m->bounds.count > 0 ? m->force : NULL);
    return CRM_ANSWER_GOOD;
}

// ---- what comes from outside

void crm_reduced_add_reactions(const crm_reduced *m, double *external) {
    double *reactions = external + CRM_EXTERNAL_NUMBERS;
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_articulated_link *link = &m->tree.link[i];
        if (link->joint == NULL) continue;
        double *sum = reactions + 6 * (ptrdiff_t)link->tree->joint;
        crm_vec6 reaction = crm_articulated_reaction(link);
        crm_external_accumulate(sum, reaction.linear);
        crm_external_accumulate(sum + 3, reaction.angular);
        carom_vec3 origin = crm_sub(m->motions[link->tree->body].x, link->centre);
        crm_external_add_size(external, origin, link->force);
        if (link->tree->parent < 0) {
            crm_external_add(external, origin, 1.0, link->force);
            continue;
        }
        crm_external_add_size(external, origin, link->force);
        // What a parent in its plane does not admit goes to whatever holds it there.
        const crm_articulated_link *parent = &m->tree.link[link->tree->parent];
        if (parent->body->kind == CAROM_BODY_FREE) continue;
        carom_vec3 x = m->motions[parent->tree->body].x;
        crm_vec6 on_parent = crm_vec6_negate(crm_force_shift(link->force, crm_sub(x, origin)));
        crm_external_add(external, x, -1.0,
                         crm_vec6_sub(on_parent, crm_wrench_projected(parent->body->kind, on_parent)));
    }
}

static void add_wrenches(const crm_reduced *m, double *external) {
    double power = m->bounds.count > 0 ? crm_reduced_motor_power(m) : 0.0, passive = 0.0;
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_articulated_link *link = &m->tree.link[i];
        int b = link->tree->body;
        crm_external_add(external, m->motions[b].x, 1.0, m->wrench[b]);
        crm_external_add_size(external, m->motions[b].x, m->wrench[b]);
        crm_vec6 twist = crm_articulated_at_centre(link, link->twist);
        power += crm_vec6_dot(m->active[b], twist);
        passive += crm_vec6_dot(m->state->passive[b], twist);
    }
    crm_external_add_work(external, power);
    crm_external_add_passive(external, passive);
}

// ---- the problem's functions

static void drift(void *context, const double *y, double *rate) {
    const crm_reduced *m = context;
    double *position = rate + 3 * (ptrdiff_t)m->problem.rotation_count;
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_reduced_offsets *place = &m->place[i];
        const double *angular = velocities(m, y) + place->angular_rate;
        copy(position + place->slide, velocities(m, y) + place->linear_rate, place->slide_count);
        copy(position + place->angle, angular, place->angle_count);
        if (place->rotation < 0) continue;
        double *spin = rate + 3 * (ptrdiff_t)place->rotation;
        bool planar = place->angular_count == 1;
        spin[0] = planar ? 0.0 : angular[0], spin[1] = planar ? 0.0 : angular[1];
        spin[2] = angular[planar ? 0 : 2];
    }
}

static crm_answer rate_of(void *context, double time, const double *y, double *rate) {
    crm_reduced *m = context;
    drift(m, y, rate);
    crm_reduced_unpack(m, y);
    crm_answer answer = crm_reduced_forces(m, time);
    if (answer == CRM_ANSWER_GOOD) answer = crm_reduced_accelerate(m);
    if (answer != CRM_ANSWER_GOOD) return answer;
    double *second = rate + 3 * (ptrdiff_t)m->problem.rotation_count + m->problem.position_count;
    for (int i = 0; i < m->tree.link_count; i++) {
        const double *own = m->tree.acceleration + m->model->graph.link[i].first;
        const crm_reduced_offsets *place = &m->place[i];
        copy(second + place->linear_rate, own, place->slide_count);
        copy(second + place->angular_rate, own + place->slide_count, place->angular_count);
    }
    double *external = second + m->model->graph.free_count;
    memset(external, 0, (size_t)(CRM_EXTERNAL_NUMBERS + 6 * m->model->joints.count) * sizeof *external);
    crm_reduced_add_reactions(m, external);
    add_wrenches(m, external);
    return CRM_ANSWER_GOOD;
}

static double margin_of_bounds(void *context, double time, const double *y) {
    return crm_bounds_margin(&((crm_reduced *)context)->bounds, time, y);
}

static crm_answer event_of_bounds(void *context, double time, double *y) {
    crm_reduced *m = context;
    crm_answer answer = crm_bounds_event(&m->bounds, time, y);
    if (answer == CRM_ANSWER_GOOD) crm_reduced_snap(m, y);
    return answer;
}

// ---- the method

static carom_status no_memory(const carom_model *model, carom_error *error) {
    return crm_fail(error, CAROM_ERR_NO_MEMORY, "reduced: no memory for %d bodies and %d joints", model->bodies.count,
                    model->joints.count);
}

static carom_status prepare_problem(crm_reduced *m, crm_arena *arena, carom_error *error) {
    carom_status status = crm_reduced_lay_out(m, arena, error);
    if (status != CAROM_OK) return status;
    m->problem.sum_count = 6 * m->model->joints.count + CRM_EXTERNAL_NUMBERS - 6;
    m->problem.context = m;
    m->problem.interrupt = m->bounds.interrupt = crm_state_interrupt(m->state);
    m->problem.rate = rate_of;
    m->problem.drift = drift;
    m->problem.weigh = crm_reduced_weigh;
    if (m->bounds.count > 0) {
        m->problem.margin = margin_of_bounds;
        m->problem.event = event_of_bounds;
    }
    m->y = CRM_ARENA_ZEROED(arena, double, crm_ivp_state_size(&m->problem));
    if (m->y == NULL) return no_memory(m->model, error);
    return crm_integrator_create(&m->problem, &m->state->method, arena, &m->integrator, error);
}

static carom_status prepare_tree(crm_reduced *m, crm_arena *arena, carom_error *error) {
    const carom_model *model = m->model;
    int count = crm_limit_motor_rows_list(model, NULL);
    m->limit_motor = CRM_ARENA_ARRAY(arena, crm_limit_motor_row, count);
    int *rows = CRM_ARENA_ZEROED(arena, int, model->graph.link_count);
    m->curvature = CRM_ARENA_ZEROED(arena, double, count);
    m->bounds = (crm_bounds){.model = model,
                             .table = &crm_reduced_bounds,
                             .context = m,
                             .size = crm_joints_size(model, m->state->motions),
                             .count = count,
                             .limit_motor = m->limit_motor,
                             .bound = CRM_ARENA_ZEROED(arena, crm_bound, count)};
    if (crm_arena_refused(arena)) return no_memory(model, error);
    crm_limit_motor_rows_list(model, m->limit_motor);
    crm_reduced_count_rows(m, rows);
    carom_status status = crm_articulated_create(model, rows, arena, &m->tree, error);
    if (status == CAROM_OK) crm_reduced_number_rows(m);
    return status;
}

static carom_status prepare(carom_state *state, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    int bodies = model->bodies.count, joints = model->joints.count, coordinates = model->graph.free_count;
    crm_reduced *m = CRM_ARENA_ZEROED(arena, crm_reduced, 1);
    if (m == NULL) return no_memory(model, error);
    state->method_data = m;
    m->model = model;
    m->state = state;
    crm_state_keep(state,
                   (crm_kept){"substep", &m->substep, 1, sizeof m->substep, crm_substep_fits, .of_contacts = false});
    carom_status status = prepare_tree(m, arena, error);
    if (status != CAROM_OK) return status;
    m->motions = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    m->configs = CRM_ARENA_ZEROED(arena, crm_joint_config, joints);
    m->rate = CRM_ARENA_ZEROED(arena, double, coordinates);
    m->wrench = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    m->active = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    m->force = CRM_ARENA_ZEROED(arena, double, coordinates);
    m->before_impact = CRM_ARENA_ZEROED(arena, double, coordinates);
    if (crm_arena_refused(arena)) return no_memory(model, error);
    return prepare_problem(m, arena, error);
}

// Reactions, and the external balance.
static void finish(crm_reduced *m, crm_external_balance *external_balance) {
    carom_state *state = m->state;
    const double *external = crm_reduced_external(m, m->y), *reactions = external + CRM_EXTERNAL_NUMBERS;
    int joints = m->model->joints.count;
    for (int j = 0; j < joints; j++) {
        state->reaction[j] = crm_vec6_scale(1.0 / state->method.step, crm_external_vec6(reactions + 6 * (ptrdiff_t)j));
        state->end_reaction[j] = crm_vec6_zero();
    }
    *external_balance = crm_external_sum(external);
    for (int i = 0; i < m->tree.link_count; i++)
        if (m->tree.link[i].joint != NULL)
            state->end_reaction[m->tree.link[i].tree->joint] = crm_articulated_reaction(&m->tree.link[i]);
}

// Nothing has come from outside yet. What comes is relative to the momenta that there are.
static void begin_external(crm_reduced *m) {
    double linear = 0.0, angular = 0.0, mass = 0.0;
    for (int i = 0; i < m->tree.link_count; i++) {
        const crm_motion *motion = &m->motions[m->model->graph.link[i].body];
        double p = crm_length(motion->p);
        linear += p;
        angular += crm_length(motion->l) + crm_length(motion->x) * p;
        mass += m->tree.link[i].body->mass;
    }
    if (mass == 0.0) mass = 1.0; // nothing moves
    m->external_block[0] = (crm_error_block){3, mass, linear};
    m->external_block[1] = (crm_error_block){3, mass, angular};
    memset(crm_reduced_external(m, m->y), 0,
           (size_t)(CRM_EXTERNAL_NUMBERS + 6 * m->model->joints.count) * sizeof(double));
}

void crm_reduced_begin(crm_reduced *m, const carom_input *input, carom_step_report *report) {
    const carom_state *state = m->state;
    m->input = input;
    m->report = report;
    memcpy(m->motions, state->motions, (size_t)m->model->bodies.count * sizeof *m->motions);
    memcpy(m->configs, state->configs, (size_t)m->model->joints.count * sizeof *m->configs);
    crm_bounds_begin(&m->bounds, input, report);
    read_rates(m);
    crm_reduced_pack_coordinates(m, m->y);
    crm_reduced_pack_rates(m, m->y);
    begin_external(m);
}

static void advance(const carom_model *model, carom_state *state, const carom_input *input, carom_step_report *report) {
    crm_reduced *m = state->method_data;
    crm_reduced_begin(m, input, report);
    double substep = m->substep, time = carom_state_time(state);
    crm_integration result = crm_integrate(&m->integrator, time, state->method.step, &substep, m->y);
    crm_integration_report(&state->method, &result, report);
    if (result.end != CRM_INTEGRATION_GOOD) return;
    crm_reduced_unpack(m, m->y);
    memcpy(state->next, m->motions, (size_t)model->bodies.count * sizeof *m->motions);
    report->outcome = CAROM_STEP_GOOD; // a callback may have asked for smaller substeps
    report->text[0] = '\0';
    if (!crm_ivp_is_finite(&m->problem, m->y)) return;
    if (crm_reduced_forces(m, time + state->method.step) != CRM_ANSWER_GOOD) return;
    if (crm_reduced_accelerate(m) != CRM_ANSWER_GOOD) return;
    m->substep = substep;
    finish(m, &state->external_balance);
}

const crm_method crm_method_reduced = {
    .name = "reduced",
    .variant_key = "integrator",
    .features = CRM_FEATURE_DRAG | CRM_FEATURE_DAMPER | CRM_FEATURE_WRENCH | CRM_FEATURE_CALLBACK | CRM_FEATURE_FIELD |
                CRM_FEATURE_JOINT | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING | CRM_FEATURE_JOINT_DAMPER |
                CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR | CRM_FEATURE_SWITCH,
    .keeps_external_balance = true,
    .prepare = prepare,
    .advance = advance,
};

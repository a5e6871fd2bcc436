// SPDX-License-Identifier: MIT
// c(q_k+1) = 0 by Newton's method for the impulses lambda along the rows J_k of the start,
//   J_k+1 X J_k^T d lambda = -c,   X: what an impulse at the start does to the pose at the end.
// That matrix is symmetric only as far as bodies do not rotate in the step. The system of bodies and joints at the end,
// J M^-1 J^T, is it but for that, knows which rows are redundant, and costs what is linear in the joints: GMRES mends
// the rest.
#include "step/potential/newmark_joints.h"

#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "math/krylov/krylov.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "step/integrate/isolated_body.h"

// Of coordinates, relative: a few roundings.
static const double place_rounding = 4e-16;
// Joints that no correction closes any further are closed to this share of their mechanism's size, or not at all.
static const double rough_gap = 1e-11;
enum { MOST_CORRECTIONS = 30, MOST_HALVINGS = 10, KRYLOV_VECTORS = 30 };

static void set_weights(const carom_state *state, crm_newmark_joints *joints) {
    const carom_model *model = state->model;
    const crm_joint_graph *graph = &model->graph;
    for (int m = 0; m < graph->mechanism_count; m++) {
        double size = crm_mechanism_size(model, state->motions, m);
        for (int i = graph->mechanism_start[m]; i < graph->mechanism_start[m + 1]; i++) {
            int j = graph->mechanism_joint[i];
            for (int k = 0; k < model->joints.items[j].linear->blocked; k++)
                joints->weight[joints->projection.system.first_row[j] + k] = 1.0 / size;
        }
    }
}

carom_status crm_newmark_joints_create(carom_state *state, crm_newmark_joints *joints, carom_error *error) {
    const carom_model *model = state->model;
    crm_arena *arena = &state->arena;
    int bodies = model->bodies.count;
    *joints = (crm_newmark_joints){0};
    if (model->joints.count == 0) return CAROM_OK;
    carom_status status = crm_joint_projection_create(model, arena, &joints->projection, error);
    if (status != CAROM_OK) return status;
    int rows = joints->projection.system.row_count;
    joints->projection.system.factor.interrupt = crm_state_interrupt(state);
    joints->start_row = CRM_ARENA_ZEROED(arena, crm_joint_row, rows);
    joints->start = CRM_ARENA_ZEROED(arena, crm_joint_pose, model->joints.count);
    double **numbers[] = {&joints->closing, &joints->change, &joints->right, &joints->weight};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) *numbers[i] = CRM_ARENA_ZEROED(arena, double, rows);
    crm_vec6 **vectors[] = {&joints->impulse, &joints->push, &joints->move};
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++)
        *vectors[i] = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    state->impulse_size = CRM_ARENA_ZEROED(arena, crm_impulse_size, bodies);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "joints", (size_t)rows * sizeof(crm_joint_row));
    for (int r = 0; r < rows; r++) joints->weight[r] = 1.0;
    return CAROM_OK;
}

void crm_newmark_joints_begin(const carom_state *state, crm_newmark_joints *joints) {
    crm_joint_system *system = &joints->projection.system;
    set_weights(state, joints);
    crm_joint_system_evaluate(system, state->motions, joints->projection.configs);
    memcpy(joints->start_row, system->row, (size_t)system->row_count * sizeof *system->row);
    memcpy(joints->start, system->pose, (size_t)state->model->joints.count * sizeof *system->pose);
    memset(joints->closing, 0, (size_t)system->row_count * sizeof *joints->closing);
    double far = 0.0;
    for (int b = 0; b < state->model->bodies.count; b++) far = fmax(far, crm_length(state->motions[b].x));
    joints->rounding = place_rounding * (1.0 + far / crm_joints_size(state->model, state->motions));
}

// J^T lambda of the rows at the start.
static void push_start(const carom_model *model, const crm_newmark_joints *joints, const double *lambda,
                       crm_vec6 *impulse) {
    const int *first = joints->projection.system.first_row;
    for (int b = 0; b < model->bodies.count; b++) impulse[b] = crm_vec6_zero();
    for (int j = 0; j < model->joints.count; j++) {
        const int body[2] = {model->joints.items[j].a.body, model->joints.items[j].b.body};
        for (int r = first[j]; r < first[j + 1]; r++) {
            const crm_vec6 *row[2] = {&joints->start_row[r].a, &joints->start_row[r].b};
            for (int e = 0; e < 2; e++)
                if (body[e] >= 0) impulse[body[e]] = crm_vec6_madd(impulse[body[e]], lambda[r], *row[e]);
        }
    }
    for (int b = 0; b < model->bodies.count; b++)
        impulse[b] = crm_wrench_projected(model->bodies.items[b].kind, impulse[b]);
}

// J t at the end, by weight.
static void rates_of(const carom_model *model, const crm_newmark_joints *joints, const crm_vec6 *twist, double *rate) {
    const crm_joint_system *system = &joints->projection.system;
    for (int j = 0; j < model->joints.count; j++) {
        const int body[2] = {model->joints.items[j].a.body, model->joints.items[j].b.body};
        for (int r = system->first_row[j]; r < system->first_row[j + 1]; r++) {
            double a = body[0] >= 0 ? crm_vec6_dot(system->row[r].a, twist[body[0]]) : 0.0;
            double b = body[1] >= 0 ? crm_vec6_dot(system->row[r].b, twist[body[1]]) : 0.0;
            rate[r] = joints->weight[r] * (a + b);
        }
    }
}

// ---- the linear equations

typedef struct closing_system {
    const carom_state *state;
    crm_newmark_joints *joints;
    const crm_newmark_response *response;
} closing_system;

static void apply_closing(void *context, const double *lambda, double *rate) {
    const closing_system *s = context;
    const carom_model *model = s->state->model;
    push_start(model, s->joints, lambda, s->joints->push);
    for (int b = 0; b < model->bodies.count; b++)
        s->joints->move[b] = crm_newmark_pose_by(&s->response[b], s->joints->push[b]);
    rates_of(model, s->joints, s->joints->move, rate);
}

// Lambda that would make these rates if all happened at the end.
static void apply_system(void *context, const double *rate, double *lambda) {
    const closing_system *s = context;
    crm_joint_system *system = &s->joints->projection.system;
    double per_step = 1.0 / s->state->method.step;
    for (int r = 0; r < system->row_count; r++) lambda[r] = per_step * rate[r] / s->joints->weight[r];
    for (int b = 0; b < s->state->model->bodies.count; b++) s->joints->push[b] = crm_vec6_zero();
    crm_joint_system_solve(system, s->joints->push, lambda);
}

// Impulses along the rows of the start that change the rows at the end by joints->right, to joints->change.
static void solve_closing(carom_state *state, crm_newmark_joints *joints, const crm_newmark_response *response) {
    int rows = joints->projection.system.row_count;
    closing_system context = {state, joints, response};
    crm_operator matrix = {apply_closing, &context, rows}, system = {apply_system, &context, rows};
    crm_krylov_settings settings = crm_krylov_settings_default();
    settings.tolerance = 1e-12;
    settings.restart = KRYLOV_VECTORS;
    settings.iteration_limit = 2 * KRYLOV_VECTORS;
    apply_system(&context, joints->right, joints->change);
    crm_krylov_report report;
    // Short of the tolerance, or without memory, the change is still one that Newton's method makes up for.
    (void)crm_gmres(&matrix, &system, joints->right, joints->change, &settings, &state->arena, &report, NULL);
}

// ---- closing

// How far joints are open at state->next: to joints->right, with the sign of what closes them.
static void find_gaps(const carom_state *state, crm_newmark_joints *joints) {
    crm_joint_system *system = &joints->projection.system;
    crm_joint_system_evaluate(system, state->next, joints->projection.configs);
    joints->gap = 0.0;
    for (int j = 0; j < state->model->joints.count; j++)
        for (int r = system->first_row[j]; r < system->first_row[j + 1]; r++) {
            joints->right[r] = -joints->weight[r] * system->residual[r];
            if (fabs(joints->right[r]) <= joints->gap) continue;
            joints->gap = fabs(joints->right[r]);
            joints->worst = j;
        }
}

static bool move_bodies(carom_state *state, const crm_newmark_joints *joints, const crm_vec6 *before, int *body) {
    for (int b = 0; b < state->model->bodies.count; b++) {
        crm_isolated_report report;
        crm_vec6 impulse = before[b];
        if (crm_state_stays(state, b)) {
            state->next[b] = state->motions[b];
            continue;
        }
        if (crm_newmark_has_joints(joints)) impulse = crm_vec6_add(impulse, joints->impulse[b]);
        if (crm_isolated_step(&state->model->bodies.items[b], &state->motions[b], impulse, crm_vec6_zero(),
                              state->method.step, state->method.iteration_limit, &state->next[b], &report))
            continue;
        *body = b;
        return false;
    }
    return true;
}

// With the impulses that `closing` and a share of the change make; false: a body would rotate too far.
static bool try_closing(carom_state *state, crm_newmark_joints *joints, const crm_vec6 *before, double share,
                        int *body) {
    int rows = joints->projection.system.row_count;
    for (int r = 0; r < rows; r++) joints->closing[r] += share * joints->change[r];
    push_start(state->model, joints, joints->closing, joints->impulse);
    if (move_bodies(state, joints, before, body)) {
        find_gaps(state, joints);
        return true;
    }
    for (int r = 0; r < rows; r++) joints->closing[r] -= share * joints->change[r];
    return false;
}

// Along the change, less far where bodies would rotate too far.
static bool correct(carom_state *state, crm_newmark_joints *joints, const crm_vec6 *before, int *body) {
    double share = 1.0;
    for (int halving = 0; halving < MOST_HALVINGS; halving++, share *= 0.5)
        if (try_closing(state, joints, before, share, body)) return true;
    return false;
}

static bool close_joints(carom_state *state, crm_newmark_joints *joints, const crm_vec6 *before,
                         crm_newmark_response *response, int *body) {
    const carom_model *model = state->model;
    double last = INFINITY;
    if (!try_closing(state, joints, before, 0.0, body)) return false;
    for (int i = 0; i < MOST_CORRECTIONS && !crm_state_interrupted(state); i++) {
        for (int b = 0; b < model->bodies.count; b++) response[b] = crm_newmark_response_of(state, b);
        if (joints->gap <= joints->rounding) return true;
        if (joints->gap <= rough_gap && joints->gap > 0.5 * last) return true; // roundings are all that is left
        last = joints->gap;
        solve_closing(state, joints, response);
        if (!correct(state, joints, before, body)) return false;
    }
    const crm_joint *joint = &model->joints.items[joints->worst];
    *body = joint->b.body >= 0 ? joint->b.body : joint->a.body;
    return false;
}

bool crm_newmark_joints_close(carom_state *state, crm_newmark_joints *joints, crm_vec6 *before,
                              crm_newmark_response *response, int *body) {
    const carom_model *model = state->model;
    if (!crm_newmark_has_joints(joints)) {
        if (!move_bodies(state, joints, before, body)) return false;
        for (int b = 0; b < model->bodies.count; b++) response[b] = crm_newmark_response_of(state, b);
        return true;
    }
    if (!close_joints(state, joints, before, response, body)) return false;
    for (int b = 0; b < model->bodies.count; b++) before[b] = crm_vec6_add(before[b], joints->impulse[b]);
    return true;
}

void crm_newmark_joints_slow(carom_state *state, crm_newmark_joints *joints, crm_vec6 *after) {
    if (!crm_newmark_has_joints(joints)) return;
    crm_joint_projection_slow(&joints->projection, state->next);
    for (int b = 0; b < state->model->bodies.count; b++)
        after[b] = crm_vec6_add(after[b], joints->projection.impulse[b]);
}

// ---- small changes

void crm_newmark_joints_hold(carom_state *state, crm_newmark_joints *joints, const crm_newmark_response *response,
                             crm_vec6 *push, crm_vec6 *move) {
    const carom_model *model = state->model;
    if (!crm_newmark_has_joints(joints)) return;
    rates_of(model, joints, move, joints->right);
    for (int r = 0; r < joints->projection.system.row_count; r++) joints->right[r] = -joints->right[r];
    solve_closing(state, joints, response);
    push_start(model, joints, joints->change, joints->push);
    for (int b = 0; b < model->bodies.count; b++) {
        push[b] = crm_vec6_add(push[b], joints->push[b]);
        move[b] = crm_vec6_add(move[b], crm_newmark_pose_by(&response[b], joints->push[b]));
    }
}

void crm_newmark_joints_hold_twist(carom_state *state, crm_newmark_joints *joints, crm_vec6 *twist) {
    const carom_model *model = state->model;
    crm_joint_system *system = &joints->projection.system;
    if (!crm_newmark_has_joints(joints)) return;
    rates_of(model, joints, twist, joints->change);
    for (int r = 0; r < system->row_count; r++) joints->change[r] /= -joints->weight[r];
    for (int b = 0; b < model->bodies.count; b++) joints->push[b] = crm_vec6_zero();
    crm_joint_system_solve(system, joints->push, joints->change); // its twists are those of the joints' impulses
    for (int b = 0; b < model->bodies.count; b++) twist[b] = crm_vec6_add(twist[b], joints->push[b]);
}

static void add_size(crm_impulse_size *size, crm_vec6 impulse) {
    size->linear += crm_length(impulse.linear);
    size->angular += crm_length(impulse.angular);
}

void crm_newmark_joints_tell(carom_state *state, const crm_newmark_joints *joints) {
    if (!crm_newmark_has_joints(joints)) return;
    for (int b = 0; b < state->model->bodies.count; b++) {
        state->impulse_size[b] = (crm_impulse_size){0.0, 0.0};
        add_size(&state->impulse_size[b], joints->impulse[b]);
        add_size(&state->impulse_size[b], joints->projection.impulse[b]);
    }
    const crm_joint_system *system = &joints->projection.system;
    double per_step = 1.0 / state->method.step;
    for (int j = 0; j < state->model->joints.count; j++) {
        int first = system->first_row[j];
        crm_vec6 start = crm_joint_reaction(&state->model->joints.items[j], &joints->start[j], joints->closing + first);
        crm_vec6 end = crm_joint_system_reaction(system, j, joints->projection.lambda);
        state->reaction[j] = crm_vec6_scale(per_step, crm_vec6_add(start, end));
    }
}

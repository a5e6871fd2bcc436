// SPDX-License-Identifier: MIT
#include "step/glide/glide.h"

#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "model/force/acting.h"
#include "model/force/evaluate.h"
#include "model/mechanism/joint_gaps.h"
#include "step/certify/accounts.h"

// Parts that a step is cut into at most, at first and after failures.
enum { FIRST_PARTS = 16, MOST_PARTS = 64 };
// A part is short enough when bodies that went straight would open joints by no more than this share of the size, and
// for Cayley's map, whose angles are off by the share t^2/12, when none rotates by more than this angle t, rad.
static const double most_open = 0.05, most_angle = 0.25;
// Joints are closed when they are open by no more than this, or less where less is asked for, beside rounding.
static const double closed_share = 1e-10;
// A limit counts as within reach when its coordinate is no farther away than this, rad or of the mechanism's size,
// beside what it goes in two steps.
static const double limit_margin = 0.1;

// ---- making

static void list_bodies(crm_glide *g) {
    const carom_model *model = g->model;
    for (int b = 0; b < model->bodies.count; b++) g->mechanism_of[b] = -1;
    for (int j = 0; j < model->joints.count; j++) {
        const int ends[2] = {model->joints.items[j].a.body, model->joints.items[j].b.body};
        for (int e = 0; e < 2; e++)
            if (crm_body_moves(model, ends[e])) g->mechanism_of[ends[e]] = model->graph.mechanism[j];
    }
    for (int b = 0; b < model->bodies.count; b++)
        if (g->mechanism_of[b] >= 0) g->first[g->mechanism_of[b] + 1]++;
    for (int m = 0; m < model->graph.mechanism_count; m++) g->first[m + 1] += g->first[m];
    for (int m = 0, i = 0; m < model->graph.mechanism_count; m++)
        for (int b = 0; i < g->first[m + 1] && b < model->bodies.count; b++)
            if (g->mechanism_of[b] == m) g->body[i++] = b;
}

static void find_unforced(crm_glide *g) {
    const carom_model *model = g->model;
    for (int m = 0; m < model->graph.mechanism_count; m++) g->mechanisms[m].unforced = true;
    for (int b = 0; b < model->bodies.count; b++)
        if (g->mechanism_of[b] >= 0 && (model->bodies.items[b].acting & ~(unsigned)CRM_ACTS_JOINT) != 0u)
            g->mechanisms[g->mechanism_of[b]].unforced = false;
}

carom_status crm_glide_create(carom_state *state, double push_out, double tolerance, crm_glide *g, carom_error *error) {
    const carom_model *model = state->model;
    int bodies = model->bodies.count, joints = model->joints.count, mechanisms = model->graph.mechanism_count;
    crm_arena *arena = &state->arena;
    *g = (crm_glide){.model = model, .push_out = push_out, .tolerance = fmin(tolerance, closed_share)};
    carom_status status = crm_joint_projection_create(model, arena, &g->projection, error);
    if (status != CAROM_OK) return status;
    g->projection.system.factor.interrupt = crm_state_interrupt(state);
    g->mechanisms = CRM_ARENA_ZEROED(arena, crm_glide_mechanism, mechanisms);
    g->mechanism_of = CRM_ARENA_ZEROED(arena, int, bodies);
    g->first = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)mechanisms + 1);
    g->body = CRM_ARENA_ZEROED(arena, int, bodies);
    g->from = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    g->to = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    g->middle = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    g->weight = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    g->pushed = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    g->velocity = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    g->lacking = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    g->start = CRM_ARENA_ZEROED(arena, crm_joint_pose, joints);
    g->end = CRM_ARENA_ZEROED(arena, crm_joint_pose, joints);
    g->lambda = CRM_ARENA_ZEROED(arena, double, g->projection.system.row_count);
    g->axes = CRM_ARENA_ZEROED(arena, carom_mat3, joints);
    g->pull = CRM_ARENA_ZEROED(arena, crm_impulse_size, bodies);
    g->stiffness = CRM_ARENA_ZEROED(arena, carom_mat3, bodies);
    g->holds = CRM_ARENA_ZEROED(arena, bool, g->projection.system.limit_motor_count);
    g->target = CRM_ARENA_ZEROED(arena, double, g->projection.system.limit_motor_count);
    g->sum = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    g->outside = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    g->terms = CRM_ARENA_ZEROED(arena, crm_impulse_size, bodies);
    g->reaction = CRM_ARENA_ZEROED(arena, crm_vec6, joints);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for the ways of %d joints", joints);
    list_bodies(g);
    find_unforced(g);
    return CAROM_OK;
}

// ---- what falls

static bool limits_are_far(const carom_state *state, const crm_glide *g, int j) {
    const crm_joint *joint = &g->model->joints.items[j];
    double h = state->method.step, value[6], rate[6], size = g->mechanisms[g->model->graph.mechanism[j]].size;
    bool limited = false;
    for (int k = 0; k < joint->free; k++)
        limited |= joint->def.coordinate[k].lower > -INFINITY || joint->def.coordinate[k].upper < INFINITY;
    if (!limited) return true;
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    crm_joint_twists twists = crm_joint_twists_of(g->model, joint, state->motions);
    crm_joint_values(joint, &state->configs[j], value);
    crm_joint_rates(joint, &pose, &twists, rate);
    for (int k = 0; k < joint->free; k++) {
        const carom_coordinate_def *c = &joint->def.coordinate[k];
        double reach = limit_margin * (k < joint->linear->free ? size : 1.0) + 2.0 * h * fabs(rate[k]);
        if (!(value[k] - c->lower > reach) || !(c->upper - value[k] > reach)) return false;
    }
    return true;
}

// Joints that were opened from outside.
static bool is_left_open(const carom_state *state, const crm_glide *g, int j) {
    if (isinf(g->push_out)) return false;
    const crm_joint *joint = &g->model->joints.items[j];
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    double linear, angular, size = g->mechanisms[g->model->graph.mechanism[j]].size;
    crm_joint_drift(joint, &pose, &linear, &angular);
    return fmax(linear, size * angular) > g->push_out * state->method.step;
}

static bool is_pushed(const crm_vec6 *active) {
    return crm_length_squared(active->linear) + crm_length_squared(active->angular) != 0.0;
}

void crm_glide_find_falling(const carom_state *state, const crm_contact_sites *sites, crm_glide *g) {
    const carom_model *model = g->model;
    if (model == NULL) return;
    for (int m = 0; m < model->graph.mechanism_count; m++) {
        g->mechanisms[m].falls = g->mechanisms[m].unforced;
        g->mechanisms[m].left = false;
        g->mechanisms[m].size = crm_mechanism_size(model, state->motions, m);
    }
    for (int b = 0; b < model->bodies.count; b++)
        if (g->mechanism_of[b] >= 0 && is_pushed(&state->active[b])) g->mechanisms[g->mechanism_of[b]].falls = false;
    for (int c = 0; c < sites->count; c++) {
        const int ends[2] = {sites->items[c].a, sites->items[c].b};
        for (int e = 0; e < 2; e++)
            if (g->mechanism_of[ends[e]] >= 0) g->mechanisms[g->mechanism_of[ends[e]]].falls = false;
    }
    for (int j = 0; j < model->joints.count; j++) {
        crm_glide_mechanism *of = &g->mechanisms[model->graph.mechanism[j]];
        of->left |= is_left_open(state, g, j);
        of->falls = of->falls && !of->left && limits_are_far(state, g, j);
    }
}

// ---- motors

void crm_glide_set_motor(crm_glide *g, int joint, int coordinate, bool holds, double rate) {
    for (int i = 0; i < g->projection.system.limit_motor_count; i++) {
        crm_limit_motor_row *row = &g->projection.system.limit_motor[i];
        if (!row->is_motor || row->joint != joint || row->coordinate != coordinate) continue;
        g->holds[i] = holds;
        g->target[i] = rate;
    }
}

// ---- the step

static void begin_bodies(const carom_state *state, const crm_vec6 *gravity, crm_glide *g, int m) {
    bool falls = g->mechanisms[m].falls;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        g->from[b] = state->motions[b];
        g->weight[b] = falls ? gravity[b] : crm_vec6_zero();
        g->sum[b] = g->outside[b] = crm_vec6_zero();
        g->terms[b] = (crm_impulse_size){0.0, 0.0};
        if (falls) continue;
        g->from[b].p = state->next[b].p;
        g->from[b].l = state->next[b].l;
    }
}

// By how much bodies that go straight on open joints, and how far they rotate.
static int first_parts(const carom_state *state, crm_glide *g, int m) {
    const crm_joint_graph *graph = &g->model->graph;
    double h = state->method.step, open = 0.0, angle = 0.0;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        const crm_body *body = &g->model->bodies.items[b];
        crm_motion *to = &g->to[b];
        *to = g->from[b];
        to->x = crm_madd(to->x, h, crm_motion_velocity(body, to));
        if (body->kind == CAROM_BODY_POINT) continue;
        carom_vec3 spin = crm_motion_spin(body, to);
        to->q = crm_quat_step(to->q, spin, h);
        angle = fmax(angle, h * crm_length(spin));
    }
    for (int i = graph->mechanism_start[m]; i < graph->mechanism_start[m + 1]; i++) {
        const crm_joint *joint = &g->model->joints.items[graph->mechanism_joint[i]];
        crm_joint_pose pose = crm_joint_evaluate(joint, g->to);
        double linear, angular;
        crm_joint_drift(joint, &pose, &linear, &angular);
        open = fmax(open, fmax(linear / g->mechanisms[m].size, angular));
    }
    double parts = fmax(sqrt(open / most_open), angle / most_angle);
    return parts > FIRST_PARTS ? FIRST_PARTS : parts > 1.0 ? (int)ceil(parts) : 1;
}

static double farthest_of(const carom_state *state, const crm_glide *g, int m) {
    double far = 0.0;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) far = fmax(far, crm_length(state->motions[g->body[i]].x));
    return far;
}

static void begin(const carom_state *state, const crm_vec6 *gravity, crm_glide *g) {
    for (int b = 0; b < g->model->bodies.count; b++) g->from[b] = g->to[b] = state->motions[b];
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        crm_glide_mechanism *of = &g->mechanisms[m];
        of->pending = !of->left;
        of->failed = of->projected = false;
        of->enough = g->tolerance + 8.0 * DBL_EPSILON * farthest_of(state, g, m) / of->size;
        begin_bodies(state, gravity, g, m);
        of->parts = first_parts(state, g, m);
    }
}

// One try of all that are pending.
static void run_parts(const carom_state *state, const crm_vec6 *gravity, crm_glide *g) {
    int most = 0;
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        crm_glide_mechanism *of = &g->mechanisms[m];
        of->active = of->open = false;
        if (!of->pending) continue;
        of->failed = false;
        begin_bodies(state, gravity, g, m);
        of->error = INFINITY;
        of->work = of->driven = 0.0;
        if (of->parts > most) most = of->parts;
    }
    for (int j = 0; j < g->model->joints.count; j++)
        if (g->mechanisms[g->model->graph.mechanism[j]].pending) g->reaction[j] = crm_vec6_zero();
    for (int part = 0; part < most; part++) {
        for (int m = 0; m < g->model->graph.mechanism_count; m++) {
            crm_glide_mechanism *of = &g->mechanisms[m];
            of->active = of->pending && !of->failed && part < of->parts;
        }
        crm_glide_part(g, state);
        crm_glide_slow(g, state);
        for (int b = 0; b < g->model->bodies.count; b++)
            if (g->mechanism_of[b] >= 0 && g->mechanisms[g->mechanism_of[b]].active &&
                !g->mechanisms[g->mechanism_of[b]].failed)
                g->from[b] = g->to[b];
    }
}

// Whether any has to be tried again, in shorter parts, in the end by projection.
static bool try_again(crm_glide *g) {
    bool any = false;
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        crm_glide_mechanism *of = &g->mechanisms[m];
        of->pending = of->pending && of->failed && !of->projected;
        if (!of->pending) continue;
        of->projected = of->parts >= MOST_PARTS;
        of->parts = of->projected ? FIRST_PARTS : 2 * of->parts;
        any = true;
    }
    return any;
}

static void finish_body(carom_state *state, const crm_vec6 *gravity, const crm_glide *g, int b) {
    const crm_glide_mechanism *of = &g->mechanisms[g->mechanism_of[b]];
    crm_vec6 sum = g->sum[b];
    crm_impulse_size *size = &state->impulse_size[b];
    state->next[b] = g->from[b];
    state->impulse[b] = of->falls ? sum : crm_vec6_add(state->impulse[b], sum);
    if (of->falls) *size = (crm_impulse_size){crm_length(gravity[b].linear), crm_length(gravity[b].angular)};
    size->linear += g->terms[b].linear + crm_length(sum.linear);
    size->angular += g->terms[b].angular + crm_length(sum.angular);
}

int crm_glide_move(carom_state *state, const crm_vec6 *gravity, crm_glide *g) {
    const crm_joint_graph *graph = &g->model->graph;
    int failed = -1;
    g->moved = crm_vec3_zero();
    begin(state, gravity, g);
    do run_parts(state, gravity, g);
    while (try_again(g));
    for (int m = 0; m < graph->mechanism_count; m++) {
        if (g->mechanisms[m].left || g->first[m] == g->first[m + 1]) continue;
        crm_ledger_add(state, g->body[g->first[m]], -1, CRM_LINE_PROJECTION, g->mechanisms[m].work);
        crm_ledger_add(state, g->body[g->first[m]], -1, CRM_LINE_ACTIVE, g->mechanisms[m].driven);
        state->spent += g->mechanisms[m].driven;
        for (int i = g->first[m]; i < g->first[m + 1]; i++) finish_body(state, gravity, g, g->body[i]);
        if (g->mechanisms[m].failed && failed < 0) failed = graph->mechanism_joint[graph->mechanism_start[m]];
    }
    double per_step = 1.0 / state->method.step;
    for (int j = 0; j < g->model->joints.count; j++)
        if (!g->mechanisms[graph->mechanism[j]].left)
            state->reaction[j] = crm_vec6_madd(state->reaction[j], per_step, g->reaction[j]);
    return failed;
}

void crm_glide_close_poses(carom_state *state, crm_glide *g) {
    for (int b = 0; b < g->model->bodies.count; b++) g->to[b] = state->next[b];
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        crm_glide_mechanism *of = &g->mechanisms[m];
        of->size = crm_mechanism_size(g->model, state->motions, m);
        of->enough = g->tolerance + 8.0 * DBL_EPSILON * farthest_of(state, g, m) / of->size;
        of->active = of->projected = true;
        of->failed = false;
    }
    crm_glide_project(g);
    for (int b = 0; b < g->model->bodies.count; b++) {
        state->next[b].x = g->to[b].x;
        state->next[b].q = g->to[b].q;
    }
}

// SPDX-License-Identifier: MIT
// A part of a step: impulses of joints, about the mean of both ends, that lead to closed joints (docs/math.md 8.6).
//
// Rows are those of the middle, and the impulses that they lead to give new ones. Mechanisms do not know of each other:
// each stops by its own errors.
#include <float.h>
#include <math.h>

#include "model/force/evaluate.h"
#include "step/glide/glide.h"

enum { MOST_ITERATIONS = 60, PATIENCE = 8 };
// Errors that no longer shrink are rounding if they are below this.
static const double rounding_share = 1e-9;
// An error that a part is given up at: the mechanism's own size.
static const double hopeless = 1.0;
// What momenta may lack in the end.
static const double balanced_share = 1e-12;

static bool is_joint_of(const crm_glide *g, int joint, bool open) {
    const crm_glide_mechanism *of = &g->mechanisms[g->model->graph.mechanism[joint]];
    return open ? of->open : of->active && !of->failed;
}

// ---- poses and errors

static void throw_bodies(crm_glide *g, int m, double step) {
    const crm_glide_mechanism *of = &g->mechanisms[m];
    double share = 1.0 / of->parts;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        crm_glide_throw(&g->model->bodies.items[b], &g->from[b], crm_vec6_scale(share, g->weight[b]), share * step,
                        &g->to[b]);
    }
}

// What the momenta at the end lack: those that belong to the way less those that impulses lead to.
static double imbalance_of(crm_glide *g, int m, double step) {
    const crm_glide_mechanism *of = &g->mechanisms[m];
    double share = 1.0 / of->parts, worst = 0.0;
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        const crm_body *body = &g->model->bodies.items[b];
        crm_vec6 end, given = crm_vec6_madd(g->pushed[b], share, g->weight[b]);
        if (!crm_glide_way(body, &g->from[b], &g->to[b], share * step, &g->velocity[b], &end)) return INFINITY;
        crm_vec6 led = crm_vec6_add(crm_vec6_of(g->from[b].p, g->from[b].l), given);
        g->lacking[b] = crm_wrench_projected(body->kind, crm_vec6_sub(end, led));
        double linear = crm_length(g->from[b].p) + crm_length(given.linear) + g->pull[b].linear;
        double angular = crm_length(g->from[b].l) + crm_length(given.angular) + g->pull[b].angular;
        // Ways are known no better than poses are rounded.
        double noise = 16.0 * DBL_EPSILON * of->parts / (step * balanced_share);
        linear += noise * body->mass * (crm_length(g->to[b].x) + of->size);
        angular += noise * (crm_max_component(body->inertia) + body->mass * of->size * crm_length(g->to[b].x));
        if (linear > 0.0) worst = fmax(worst, crm_length(g->lacking[b].linear) / linear);
        if (angular > 0.0) worst = fmax(worst, crm_length(g->lacking[b].angular) / angular);
    }
    return worst;
}

double crm_glide_error(crm_glide *g, int m) {
    const crm_joint_graph *graph = &g->model->graph;
    double worst = 0.0, size = g->mechanisms[m].size;
    for (int i = graph->mechanism_start[m]; i < graph->mechanism_start[m + 1]; i++) {
        int j = graph->mechanism_joint[i];
        double linear, angular;
        g->end[j] = crm_joint_evaluate(&g->model->joints.items[j], g->to);
        crm_joint_drift(&g->model->joints.items[j], &g->end[j], &linear, &angular);
        if (isnan(linear + angular)) return INFINITY;
        worst = fmax(worst, fmax(linear / size, angular));
    }
    return worst;
}

// Whether another iteration is worth while.
static void check_way(crm_glide *g, int m, int iteration, double step) {
    crm_glide_mechanism *of = &g->mechanisms[m];
    double before = fmax(of->error, of->unbalanced);
    of->error = crm_glide_error(g, m);
    of->unbalanced = imbalance_of(g, m, step);
    double worst = fmax(of->error, of->unbalanced);
    bool stands = iteration > 4 && worst > 0.5 * before && worst <= rounding_share;
    if (iteration == 0 || worst < of->least) of->least = worst, of->least_at = iteration;
    of->open = (of->error > of->enough || of->unbalanced > balanced_share) && !stands;
    of->failed = of->open && (!isfinite(worst) || (iteration > 0 && of->error > hopeless) ||
                              iteration == MOST_ITERATIONS || iteration - of->least_at > PATIENCE);
    of->open &= !of->failed;
}

// ---- impulses

// The same force in the axes that a joint of three blocked displacements has now.
static void keep_force(crm_glide *g, int j, carom_mat3 axes) {
    double *lambda = g->lambda + g->projection.system.first_row[j];
    if (g->model->joints.items[j].linear->blocked == 3) {
        carom_vec3 now = crm_mat3_apply_t(axes, crm_mat3_apply(g->axes[j], crm_vec3(lambda[0], lambda[1], lambda[2])));
        lambda[0] = now.x, lambda[1] = now.y, lambda[2] = now.z;
    }
    g->axes[j] = axes;
}

// Rows of the middle, with the arms that are the mean of both ends: a force at that point does no work on a joint that
// is closed at both, and has the same moment on both bodies.
static void set_rows(crm_glide *g) {
    const carom_model *model = g->model;
    crm_joint_system *s = &g->projection.system;
    for (int i = 0; i < model->graph.link_count; i++) {
        int b = model->graph.link[i].body;
        const crm_motion *from = &g->from[b], *to = &g->to[b];
        carom_quat q = {from->q.w + to->q.w, from->q.x + to->q.x, from->q.y + to->q.y, from->q.z + to->q.z};
        g->middle[b] = *to;
        if (g->mechanism_of[b] < 0 || !g->mechanisms[g->mechanism_of[b]].active) continue;
        g->middle[b].x = crm_scale(0.5, crm_add(from->x, to->x));
        g->middle[b].q = crm_quat_normalised(q);
    }
    crm_joint_system_evaluate(s, g->middle, g->projection.configs);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!is_joint_of(g, j, false) || joint->rows == 0) continue;
        s->pose[j].arm_a = crm_scale(0.5, crm_add(g->start[j].arm_a, g->end[j].arm_a));
        s->pose[j].arm_b = crm_scale(0.5, crm_add(g->start[j].arm_b, g->end[j].arm_b));
        crm_joint_rows(joint, &s->pose[j], s->residual + s->first_row[j], s->row + s->first_row[j]);
        if (is_joint_of(g, j, true)) keep_force(g, j, s->pose[j].axes);
    }
    s->factored = s->evaluated = false; // these rows are of no pose
}

// Multipliers for the rates of rows in projection.lambda, in their place.
void crm_glide_solve(crm_glide *g) {
    crm_joint_projection *p = &g->projection;
    for (int b = 0; b < g->model->bodies.count; b++) p->impulse[b] = crm_vec6_zero();
    crm_joint_system_solve(&p->system, p->impulse, p->lambda);
}

static void add_wrench(const carom_model *model, int body, crm_vec6 wrench, crm_vec6 *to) {
    if (!crm_body_moves(model, body)) return;
    to[body] = crm_vec6_add(to[body], crm_wrench_projected(model->bodies.items[body].kind, wrench));
}

// J^T lambda on the bodies of mechanisms that are open, or active.
void crm_glide_push(const crm_glide *g, const double *lambda, bool open, crm_vec6 *wrench) {
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        const crm_glide_mechanism *of = &g->mechanisms[m];
        bool pushed = open ? of->open : of->active;
        for (int i = g->first[m]; pushed && i < g->first[m + 1]; i++) wrench[g->body[i]] = crm_vec6_zero();
    }
    for (int j = 0; j < g->model->joints.count; j++) {
        const crm_joint *joint = &g->model->joints.items[j];
        if (!is_joint_of(g, j, open)) continue;
        crm_joint_row w = crm_joint_system_wrenches(&g->projection.system, j, lambda);
        add_wrench(g->model, joint->a.body, w.a, wrench);
        add_wrench(g->model, joint->b.body, w.b, wrench);
    }
}

// A body that is pulled at an arm resists rotation, as the moment of the force grows against it: by f . a about axes
// normal to the arm. What is pushed gives way, which is left to further rounds.
static void stiffen(crm_glide *g, int body, carom_vec3 arm, carom_vec3 force, double time) {
    double pull = crm_dot(force, arm);
    carom_vec3 n;
    if (!crm_body_moves(g->model, body)) return;
    g->pull[body].linear += crm_length(force);
    g->pull[body].angular += crm_length(force) * crm_length(arm);
    if (!(pull > 0.0) || !(crm_normalise(arm, &n) > 0.0)) return;
    double more = 0.25 * time * pull;
    carom_mat3 *to = &g->stiffness[body];
    to->x = crm_madd(crm_madd(to->x, -more * n.x, n), more, crm_vec3(1.0, 0.0, 0.0));
    to->y = crm_madd(crm_madd(to->y, -more * n.y, n), more, crm_vec3(0.0, 1.0, 0.0));
    to->z = crm_madd(crm_madd(to->z, -more * n.z, n), more, crm_vec3(0.0, 0.0, 1.0));
}

static void set_stiffness(crm_glide *g, double step) {
    const crm_joint_system *s = &g->projection.system;
    for (int b = 0; b < g->model->bodies.count; b++) {
        g->stiffness[b] = crm_mat3_zero();
        g->pull[b] = (crm_impulse_size){0.0, 0.0};
    }
    for (int j = 0; j < g->model->joints.count; j++) {
        const crm_joint *joint = &g->model->joints.items[j];
        if (!is_joint_of(g, j, true)) continue;
        double time = step / g->mechanisms[g->model->graph.mechanism[j]].parts;
        crm_joint_row w = crm_joint_system_wrenches(s, j, g->lambda);
        stiffen(g, joint->a.body, s->pose[j].arm_a, w.a.linear, time);
        stiffen(g, joint->b.body, s->pose[j].arm_b, w.b.linear, time);
    }
}

// Bodies after a change of twice their mean velocities.
static void predict(crm_glide *g, const crm_vec6 *change, double step) {
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        const crm_glide_mechanism *of = &g->mechanisms[m];
        double half = 0.5 * step / of->parts;
        for (int i = g->first[m]; of->open && i < g->first[m + 1]; i++) {
            int b = g->body[i];
            g->to[b].x = crm_madd(g->to[b].x, half, change[b].linear);
            if (g->model->bodies.items[b].kind != CAROM_BODY_POINT)
                g->to[b].q = crm_quat_step(g->to[b].q, change[b].angular, half);
        }
    }
}

// Newton's method for ways and impulses at once. A change of mean velocities is twice one of momenta at the end:
// M t = J^T change - what momenta lack, J t = -2 error / time, where M resists the rotation of what is pulled.
static void improve(crm_glide *g, double step) {
    crm_joint_system *s = &g->projection.system;
    double *change = g->projection.lambda;
    crm_vec6 *t = g->projection.impulse;
    for (int b = 0; b < g->model->bodies.count; b++) {
        bool open = g->mechanism_of[b] >= 0 && g->mechanisms[g->mechanism_of[b]].open;
        t[b] = open ? crm_vec6_scale(-1.0, g->lacking[b]) : crm_vec6_zero();
    }
    for (int j = 0; j < g->model->joints.count; j++) {
        const crm_joint *joint = &g->model->joints.items[j];
        double residual[6], share = -2.0 * g->mechanisms[g->model->graph.mechanism[j]].parts / step;
        for (int r = s->first_row[j]; r < s->first_row[j + 1]; r++) change[r] = 0.0;
        if (!is_joint_of(g, j, true)) continue;
        crm_joint_rows(joint, &g->end[j], residual, NULL);
        for (int k = 0; k < joint->rows; k++) change[s->first_row[j] + k] = share * residual[k];
    }
    s->stiffness = g->stiffness;
    crm_joint_system_solve(s, t, change);
    s->stiffness = NULL;
    for (int j = 0; j < g->model->joints.count; j++)
        for (int r = s->first_row[j]; is_joint_of(g, j, true) && r < s->first_row[j + 1]; r++)
            g->lambda[r] += change[r];
    predict(g, t, step);
}

// Rows, impulses and what resists where bodies are now.
static void set_impulses(crm_glide *g, double step) {
    for (int j = 0; j < g->model->joints.count; j++)
        if (is_joint_of(g, j, true)) g->end[j] = crm_joint_evaluate(&g->model->joints.items[j], g->to);
    set_rows(g);
    set_stiffness(g, step);
    crm_glide_push(g, g->lambda, true, g->pushed);
}

// ---- ways

static bool any_open(const crm_glide *g) {
    for (int m = 0; m < g->model->graph.mechanism_count; m++)
        if (g->mechanisms[m].open) return true;
    return false;
}

// Impulses act where bodies are on average; what they do is told about where the body was when the step began.
void crm_glide_add_impulse(const carom_state *state, int body, carom_vec3 place, crm_vec6 impulse, crm_vec6 *sum) {
    sum->linear = crm_add(sum->linear, impulse.linear);
    sum->angular = crm_add(sum->angular, impulse.angular);
    sum->angular = crm_add(sum->angular, crm_cross(crm_sub(place, state->motions[body].x), impulse.linear));
}

static void add_part(crm_glide *g, const carom_state *state, int m) {
    crm_glide_mechanism *of = &g->mechanisms[m];
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        const crm_body *body = &g->model->bodies.items[b];
        carom_vec3 velocity = crm_scale(0.5 * body->inverse_mass, crm_add(g->from[b].p, g->to[b].p));
        carom_vec3 place = crm_scale(0.5, crm_add(g->from[b].x, g->to[b].x));
        of->work += crm_dot(g->pushed[b].linear, velocity) + crm_dot(g->pushed[b].angular, g->velocity[b].angular);
        crm_vec6 weight = crm_vec6_scale(1.0 / of->parts, g->weight[b]);
        crm_glide_add_impulse(state, b, place, crm_vec6_add(g->pushed[b], weight), &g->sum[b]);
        crm_glide_add_impulse(state, b, place, weight, &g->outside[b]);
    }
}

// What the ground gives to a body by a joint, which is there when so much of the part is over.
static void add_ground(crm_glide *g, const carom_state *state, int j, const double *lambda, double share) {
    const crm_joint *joint = &g->model->joints.items[j];
    bool a_moves = crm_body_moves(g->model, joint->a.body), b_moves = crm_body_moves(g->model, joint->b.body);
    if (a_moves == b_moves) return;
    int body = a_moves ? joint->a.body : joint->b.body;
    crm_joint_row w = crm_joint_system_wrenches(&g->projection.system, j, lambda);
    crm_vec6 given = crm_wrench_projected(g->model->bodies.items[body].kind, a_moves ? w.a : w.b);
    carom_vec3 way = crm_sub(g->to[body].x, g->from[body].x);
    crm_glide_add_impulse(state, body, crm_madd(g->from[body].x, share, way), given, &g->outside[body]);
}

static void add_term(crm_glide *g, int body, double lambda, const crm_vec6 *row) {
    if (!crm_body_moves(g->model, body)) return;
    g->terms[body].linear += fabs(lambda) * crm_length(row->linear);
    g->terms[body].angular += fabs(lambda) * crm_length(row->angular);
}

// Rows that say nearly the same bear large impulses against each other, whose roundings count. They act when `share` of
// the part is over.
static void add_reactions(crm_glide *g, const carom_state *state, const double *lambda, double share) {
    const crm_joint_system *s = &g->projection.system;
    for (int j = 0; j < g->model->joints.count; j++) {
        const crm_joint *joint = &g->model->joints.items[j];
        if (!is_joint_of(g, j, false)) continue;
        g->reaction[j] = crm_vec6_add(g->reaction[j], crm_joint_system_reaction(s, j, lambda));
        add_ground(g, state, j, lambda, share);
        for (int r = s->first_row[j]; r < s->first_row[j + 1]; r++) {
            add_term(g, joint->a.body, lambda[r], &s->row[r].a);
            add_term(g, joint->b.body, lambda[r], &s->row[r].b);
        }
    }
}

static void begin_part(crm_glide *g, double step) {
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        crm_glide_mechanism *of = &g->mechanisms[m];
        of->open = of->active && !of->failed;
        if (of->open) throw_bodies(g, m, step);
        of->open &= !of->projected;
    }
    for (int j = 0; j < g->model->joints.count; j++) {
        if (!is_joint_of(g, j, true)) continue;
        g->start[j] = crm_joint_evaluate(&g->model->joints.items[j], g->from);
        g->axes[j] = g->start[j].axes;
    }
    for (int r = 0; r < g->projection.system.row_count; r++) g->lambda[r] = 0.0;
}

static void take_momenta(crm_glide *g, int m) {
    for (int i = g->first[m]; i < g->first[m + 1]; i++) {
        int b = g->body[i];
        crm_vec6 given = crm_vec6_madd(g->pushed[b], 1.0 / g->mechanisms[m].parts, g->weight[b]);
        g->to[b].p = crm_add(g->from[b].p, given.linear);
        g->to[b].l = crm_add(g->from[b].l, given.angular);
    }
}

void crm_glide_part(crm_glide *g, const carom_state *state) {
    double step = state->method.step;
    begin_part(g, step);
    for (int i = 0; any_open(g) && !crm_state_interrupted(state); i++) {
        if (i > 0) improve(g, step);
        set_impulses(g, step);
        for (int m = 0; m < g->model->graph.mechanism_count; m++)
            if (g->mechanisms[m].open) check_way(g, m, i, step);
    }
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        if (!crm_glide_has_part(g, m, false)) continue;
        take_momenta(g, m);
        add_part(g, state, m);
    }
    add_reactions(g, state, g->lambda, 0.5);
    crm_glide_project_part(g, state);
}

// ---- the end of a part

double crm_glide_work_at_end(const crm_body *body, const crm_motion *m, crm_vec6 impulse) {
    crm_motion after = *m;
    after.p = crm_madd(m->p, 0.5, impulse.linear);
    after.l = crm_madd(m->l, 0.5, impulse.angular);
    double work = crm_dot(impulse.linear, crm_motion_velocity(body, &after));
    return body->kind == CAROM_BODY_POINT ? work : work + crm_dot(impulse.angular, crm_motion_spin(body, &after));
}

void crm_glide_evaluate_end(crm_glide *g) {
    crm_joint_system_evaluate(&g->projection.system, g->to, g->projection.configs);
}

// Velocity motors act at the ends of parts alone, where they bring their coordinates back to the rate.
static void switch_motors(crm_glide *g, bool on) {
    crm_joint_system *s = &g->projection.system;
    for (int i = 0; i < s->limit_motor_count; i++)
        crm_joint_system_switch(s, i, on && g->holds[i] && is_joint_of(g, s->limit_motor[i].joint, false));
}

static double driven_work(const crm_glide *g, int limit_motor, double before) {
    const crm_limit_motor_row *row = &g->projection.system.limit_motor[limit_motor];
    return 0.5 * g->projection.lambda[row->row] * (before + g->target[limit_motor]);
}

// Impulses of motors have their work told apart from that of joints; `rate` is that of rows before.
static void tell_driven(crm_glide *g, const double *rate) {
    const crm_joint_system *s = &g->projection.system;
    for (int i = 0; i < s->limit_motor_count; i++) {
        if (!s->limit_motor[i].on) continue;
        crm_glide_mechanism *of = &g->mechanisms[g->model->graph.mechanism[s->limit_motor[i].joint]];
        double work = driven_work(g, i, rate[s->limit_motor[i].row]);
        of->driven += work;
        of->work -= work;
    }
}

void crm_glide_slow(crm_glide *g, const carom_state *state) {
    crm_joint_projection *p = &g->projection;
    double *rate = g->lambda; // free by now
    crm_glide_evaluate_end(g);
    switch_motors(g, true);
    crm_joint_system_rates(&p->system, g->to, rate);
    for (int j = 0; j < g->model->joints.count; j++)
        for (int r = p->system.first_row[j]; r < p->system.first_row[j + 1]; r++)
            p->lambda[r] = is_joint_of(g, j, false) ? -rate[r] : 0.0;
    for (int i = 0; i < p->system.limit_motor_count; i++)
        if (p->system.limit_motor[i].on) p->lambda[p->system.limit_motor[i].row] += g->target[i];
    crm_glide_solve(g);
    crm_glide_push(g, p->lambda, false, g->pushed);
    add_reactions(g, state, p->lambda, 1.0);
    for (int m = 0; m < g->model->graph.mechanism_count; m++) {
        crm_glide_mechanism *of = &g->mechanisms[m];
        for (int i = g->first[m]; of->active && !of->failed && i < g->first[m + 1]; i++) {
            int b = g->body[i];
            of->work += crm_glide_work_at_end(&g->model->bodies.items[b], &g->to[b], g->pushed[b]);
            g->to[b].p = crm_add(g->to[b].p, g->pushed[b].linear);
            g->to[b].l = crm_add(g->to[b].l, g->pushed[b].angular);
            crm_glide_add_impulse(state, b, g->to[b].x, g->pushed[b], &g->sum[b]);
        }
    }
    tell_driven(g, rate);
    switch_motors(g, false);
}

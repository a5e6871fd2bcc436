// SPDX-License-Identifier: MIT
#include "step/tree/tree_equations.h"

#include <math.h>

#include "base/fail.h"
#include "model/force/evaluate.h"
#include "step/integrate/follower_impulse.h"
#include "step/tree/tree_coupling.h"

// Of a move, relative to its size, as a standard deviation; and how many of these count as possible.
static const double move_rounding = 1.1e-16, deviations = 4.0;

carom_status crm_tree_equations_create(const carom_model *model, crm_arena *arena, crm_tree_equations *equations,
                                       carom_error *error) {
    int links = model->graph.link_count, coordinates = model->graph.free_count, pairs = model->pair_potentials.count;
    int spring_only = crm_tree_spring_only_count(model);
    crm_tree_equations e = {.model = model};
    carom_status status = crm_tree_system_create(&model->graph, arena, &e.system, error);
    if (status != CAROM_OK) return status;
    e.start = CRM_ARENA_ZEROED(arena, crm_link_start, links);
    e.pushed = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    e.pushed_after = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    e.move = CRM_ARENA_ARRAY(arena, crm_link_move, links);
    e.kinetic = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    e.pull = CRM_ARENA_ZEROED(arena, crm_vec6, links);
    e.pull_after = CRM_ARENA_ZEROED(arena, crm_vec6, links);
    e.taken = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    e.move_blur = CRM_ARENA_ARRAY(arena, crm_move_blur, links);
    e.size = CRM_ARENA_ARRAY(arena, double, 2 * (ptrdiff_t)links);
    e.blur = CRM_ARENA_ARRAY(arena, double, 2 * (ptrdiff_t)links);
    e.drive = CRM_ARENA_ZEROED(arena, double, coordinates);
    e.drive_after = CRM_ARENA_ZEROED(arena, double, coordinates);
    e.active_drive = CRM_ARENA_ZEROED(arena, double, coordinates);
    e.pair = CRM_ARENA_ZEROED(arena, crm_tree_pair_potential, pairs);
    e.spring_only = CRM_ARENA_ZEROED(arena, crm_tree_spring_only, spring_only);
    e.after = CRM_ARENA_ZEROED(arena, crm_motion, spring_only > 0 ? model->bodies.count : 0);
    e.residual = CRM_ARENA_ARRAY(arena, double, coordinates);
    e.effect = CRM_ARENA_ARRAY(arena, crm_vec6, links);
    if (crm_arena_refused(arena))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "variational: no memory for %d bodies and %d pairs", links, pairs);
    status = crm_discrete_forces_create(model, arena, &e.forces, error);
    if (status != CAROM_OK) return status;
    crm_tree_couplings_list(&e);
    // Only the product, which couplings need, asks for the blocks again: half the memory that a factorization goes
    // through.
    if (!e.crossed) e.system.articulated = e.system.block;
    *equations = e;
    return CAROM_OK;
}

void crm_tree_equations_begin(crm_tree_equations *e, const crm_motion *from, const crm_joint_config *configs,
                              const crm_tree_external *external, double h) {
    e->h = h;
    e->from = from;
    e->configs = configs;
    e->input = external->input;
    e->followers = external->followers;
    if (e->forces.any) crm_discrete_forces_begin(&e->forces, from, external->time, h);
    crm_tree_start(e->model, from, e->start, &e->system);
    for (int i = 0; i < e->model->graph.link_count; i++) {
        int b = e->model->graph.link[i].body;
        const crm_body *body = &e->model->bodies.items[b];
        crm_vec6 gravity = crm_vec6_of(crm_scale(body->mass, e->model->gravity), crm_vec3_zero());
        crm_vec6 projected = crm_wrench_projected(body->kind, crm_vec6_add(external->active[b], gravity));
        e->pushed[i] = e->pushed_after[i] = crm_vec6_scale(0.5 * h, projected);
        if (e->followers != NULL)
            e->pushed[i] = crm_vec6_add(e->pushed[i], crm_follow_half(e->followers, body, b, from[b].q, h));
        if (external->before == NULL) continue;
        e->pushed[i] = crm_vec6_add(e->pushed[i], external->before[b]);
        e->pushed_after[i] = crm_vec6_add(e->pushed_after[i], external->after[b]);
    }
}

void crm_tree_equations_follow(crm_tree_equations *e, const crm_motion *to) {
    for (int i = 0; e->followers != NULL && i < e->model->graph.link_count; i++) {
        int b = e->model->graph.link[i].body;
        crm_vec6 half = crm_follow_half(e->followers, &e->model->bodies.items[b], b, to[b].q, e->h);
        e->pushed_after[i] = crm_vec6_add(e->pushed_after[i], half);
    }
}

// ---- the residual

// Roundings of the rotations of all links above, each at its arm, and of the displacements that were added up.
static crm_move_blur blur_of(const crm_tree_equations *e, int i) {
    static const crm_move_blur none = {0};
    const crm_tree_link *link = &e->model->graph.link[i];
    crm_move_blur blur = link->parent < 0 ? none : e->move_blur[link->parent];
    const crm_link_move *move = &e->move[i];
    double own = move_rounding * move_rounding * 4.0 * crm_length_squared(crm_quat_vector(move->rotation));
    carom_vec3 arm = link->parent < 0 ? crm_vec3_zero() : e->system.right_arm[i];
    carom_vec3 child = link->joint < 0 ? crm_vec3_zero() : move->child_arm;
    blur.displacement += 2.0 * crm_dot(arm, blur.lever) + blur.rotation * crm_length_squared(arm);
    blur.lever = crm_madd(blur.lever, blur.rotation, arm);
    blur.displacement += own * crm_length_squared(child);
    blur.displacement += move_rounding * move_rounding * crm_length_squared(move->displacement);
    blur.lever = crm_madd(blur.lever, -own, child);
    blur.rotation += own;
    return blur;
}

// Kinetic momentum of a link's body, and its own part of `taken`.
static void evaluate_body(crm_tree_equations *e, int i) {
    int b = e->model->graph.link[i].body;
    const crm_body *body = &e->model->bodies.items[b];
    const crm_motion *m = &e->from[b];
    carom_vec3 a = crm_quat_vector(e->move[i].rotation), ja = crm_mat3_apply(e->start[i].inertia, a);
    crm_vec6 kinetic = crm_vec6_of(crm_scale(body->mass / e->h, e->move[i].displacement),
                                   crm_scale(2.0 / e->h, crm_madd(crm_cross(a, ja), e->move[i].rotation.w, ja)));
    crm_vec6 pushed = crm_vec6_add(crm_vec6_of(m->p, m->l), e->pushed[i]);
    e->kinetic[i] = kinetic;
    e->taken[i] = crm_vec6_sub(kinetic, pushed);
    e->size[2 * i] = crm_length(kinetic.linear) + crm_length(pushed.linear);
    e->size[2 * i + 1] = crm_length(kinetic.angular) + crm_length(pushed.angular);
    e->move_blur[i] = blur_of(e, i);
    e->blur[2 * i] = deviations * body->mass / e->h * sqrt(e->move_blur[i].displacement);
    e->blur[2 * i + 1] = deviations / e->h * crm_mat3_norm(e->start[i].inertia) * sqrt(e->move_blur[i].rotation);
}

// Forces on the coordinates of link i; their slopes go to the system's joint block, in which a force counts negative.
static void evaluate_drive(crm_tree_equations *e, int i, const crm_joint_config *change, double blur[6]) {
    const crm_tree_link *link = &e->model->graph.link[i];
    crm_joint_drive drive;
    crm_joint_drive_evaluate(e->model, link->joint, e->input, &e->configs[link->joint], &change[i], e->h, &drive);
    for (int k = 0; k < link->free; k++) {
        e->drive[link->first + k] = drive.before[k];
        e->drive_after[link->first + k] = drive.after[k];
        e->active_drive[link->first + k] = drive.active[k];
        blur[k] = 0.5 * e->h * drive.blur[k];
    }
    double *block = e->system.joint_block + e->system.square[i];
    for (int k = 0; k < link->free * link->free; k++) block[k] = -0.5 * e->h * drive.slope[k];
}

static bool is_driven(const carom_model *model, const crm_tree_link *link) {
    return link->joint >= 0 && model->joints.items[link->joint].driven;
}

// Adds up sizes and blurs as `taken` itself: moments get those of the forces at their arms.
static void carry_to_parent(crm_tree_equations *e, int i, int parent) {
    crm_vec6 to_parent = crm_force_shift(e->taken[i], crm_negate(e->system.left_arm[i]));
    double arm = crm_length(e->system.left_arm[i]);
    e->taken[parent] = crm_vec6_add(e->taken[parent], to_parent);
    e->size[2 * parent] += e->size[2 * i];
    e->size[2 * parent + 1] += e->size[2 * i + 1] + arm * e->size[2 * i];
    e->blur[2 * parent] += e->blur[2 * i];
    e->blur[2 * parent + 1] += e->blur[2 * i + 1] + arm * e->blur[2 * i];
}

static void project(crm_tree_equations *e, const crm_joint_config *change) {
    e->relative = 0.0;
    e->worst = 0;
    for (int i = e->model->graph.link_count - 1; i >= 0; i--) {
        const crm_tree_link *link = &e->model->graph.link[i];
        double blur[6] = {0.0};
        if (is_driven(e->model, link)) evaluate_drive(e, i, change, blur);
        for (int k = 0; k < link->free; k++) {
            const crm_vec6 *column = &e->system.left[link->first + k];
            double linear = crm_length(column->linear), angular = crm_length(column->angular);
            double drive = 0.5 * e->h * e->drive[link->first + k];
            double r = crm_vec6_dot(*column, e->taken[i]) - drive;
            double size = linear * e->size[2 * i] + angular * e->size[2 * i + 1] + fabs(drive);
            double beyond = fabs(r) - (linear * e->blur[2 * i] + angular * e->blur[2 * i + 1] + blur[k]);
            e->residual[link->first + k] = r;
            if (isfinite(r) && beyond <= e->relative * size) continue;
            e->relative = isfinite(r) && isfinite(e->relative) ? beyond / size : INFINITY;
            e->worst = i;
        }
        if (link->parent >= 0) carry_to_parent(e, i, link->parent);
    }
}

int crm_tree_equations_evaluate(crm_tree_equations *e, const crm_joint_config *change) {
    int too_far = crm_tree_move(e->model, e->start, change, e->move, &e->system);
    if (too_far >= 0) return too_far;
    for (int i = 0; i < e->model->graph.link_count; i++) evaluate_body(e, i);
    bool answered = crm_tree_couplings_evaluate(e);
    project(e, change);
    if (!answered) e->relative = INFINITY;
    return -1;
}

// ---- its derivative

static void set_block(crm_mat6 *block, double mass, carom_mat3 rotation) {
    *block = crm_mat6_zero();
    for (int k = 0; k < 3; k++) block->e[7 * k] = mass;
    const carom_vec3 columns[3] = {rotation.x, rotation.y, rotation.z};
    for (int k = 0; k < 3; k++) {
        double *out = block->e + 6 * (3 + k) + 3;
        out[0] = columns[k].x, out[1] = columns[k].y, out[2] = columns[k].z;
    }
}

void crm_tree_equations_differentiate(crm_tree_equations *e) {
    for (int i = 0; i < e->model->graph.link_count; i++) {
        double mass = e->model->bodies.items[e->model->graph.link[i].body].mass;
        set_block(&e->system.block[i], mass / e->h, crm_kinetic_slope(e->start[i].inertia, e->move[i].rotation, e->h));
    }
    crm_tree_couplings_add_own(e);
}

void crm_tree_equations_product(crm_tree_equations *e, const double *w, double *out) {
    const crm_joint_graph *graph = &e->model->graph;
    crm_vec6 *twist = e->system.carried;
    crm_tree_twists(&e->system, w, twist);
    for (int i = 0; i < graph->link_count; i++) e->effect[i] = crm_mat6_apply(&e->system.block[i], twist[i]);
    crm_tree_couplings_add_crossed(e, twist);
    crm_tree_gather(graph, e->system.left_arm, e->effect, e->effect);
    for (int i = 0; i < graph->link_count; i++) {
        const crm_tree_link *link = &graph->link[i];
        const double *block = e->system.joint_block + e->system.square[i];
        for (int k = 0; k < link->free; k++) {
            double sum = crm_vec6_dot(e->system.left[link->first + k], e->effect[i]);
            for (int j = 0; j < link->free; j++) sum += block[k + link->free * j] * w[link->first + j];
            out[link->first + k] = sum;
        }
    }
}

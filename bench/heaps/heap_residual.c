// SPDX-License-Identifier: MIT
// The residual evaluator of docs/math.md 6.6, written once more, for impulses of any engine. It shares no code with the
// library's, which it thereby checks.
#include <math.h>
#include <stdlib.h>

#include "heaps/heap.h"
#include "math/quat.h"

typedef struct twist {
    carom_vec3 v, w;
} twist;

// What is summed over an island.
typedef struct sums {
    double worst, scale, energy, energy_impulse, energy_scale;
} sums;

typedef struct evaluator {
    const bench_heap *heap;
    const bench_heap_view *view;
    double velocity_scale; // gravity times step: residuals are relative to no less, m/s
    twist *change;         // of velocities by all impulses (body_count)
    int *root;             // of the forest of islands (body_count)
    sums *islands;         // of the roots (body_count)
} evaluator;

// ---- masses

static bool moves(const evaluator *e, int body) {
    return body >= 0 && e->heap->bodies[body].moves;
}

// Of an impulse at an arm from the centre of mass.
static twist answer_of(const evaluator *e, int body, carom_vec3 arm, carom_vec3 impulse) {
    const bench_heap_body *own = &e->heap->bodies[body];
    carom_quat q = e->view->before[body].pose.attitude;
    carom_vec3 torque = crm_quat_rotate_inverse(q, crm_cross(arm, impulse));
    torque = crm_vec3(torque.x / own->inertia.x, torque.y / own->inertia.y, torque.z / own->inertia.z);
    return (twist){crm_scale(1.0 / own->mass, impulse), crm_quat_rotate(q, torque)};
}

static carom_vec3 at_arm(twist t, carom_vec3 arm) {
    return crm_add(t.v, crm_cross(t.w, arm));
}

// A contact or a joint: two points, one on each body.
typedef struct couple {
    int a, b;
    carom_vec3 arm_a, arm_b;
} couple;

static carom_vec3 arm_of(const evaluator *e, int body, carom_vec3 point) {
    return moves(e, body) ? crm_sub(point, e->view->before[body].pose.position) : crm_vec3_zero();
}

static couple couple_of(const evaluator *e, int a, int b, carom_vec3 point_a, carom_vec3 point_b) {
    return (couple){a, b, arm_of(e, a, point_a), arm_of(e, b, point_b)};
}

// d . W d of a direction.
static double inverse_mass(const evaluator *e, const couple *c, carom_vec3 d) {
    double sum = 0.0;
    if (moves(e, c->a)) sum += crm_dot(d, at_arm(answer_of(e, c->a, c->arm_a, d), c->arm_a));
    if (moves(e, c->b)) sum += crm_dot(d, at_arm(answer_of(e, c->b, c->arm_b, d), c->arm_b));
    return sum;
}

static void apply(evaluator *e, const couple *c, carom_vec3 impulse) {
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? c->a : c->b;
        if (!moves(e, body)) continue;
        twist t = answer_of(e, body, side == 0 ? c->arm_a : c->arm_b, side == 0 ? crm_negate(impulse) : impulse);
        e->change[body].v = crm_add(e->change[body].v, t.v);
        e->change[body].w = crm_add(e->change[body].w, t.w);
    }
}

// Velocity of b's point against a's: of the step, and the part of it that impulses have made.
static carom_vec3 relative(const evaluator *e, const couple *c, bool change_only) {
    carom_vec3 sum = crm_vec3_zero();
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? c->a : c->b;
        if (!moves(e, body)) continue;
        twist t = change_only ? e->change[body] : (twist){e->view->velocity[body], e->view->spin[body]};
        sum = crm_madd(sum, side == 0 ? -1.0 : 1.0, at_arm(t, side == 0 ? c->arm_a : c->arm_b));
    }
    return sum;
}

// ---- islands

static int root_of(const evaluator *e, int body) {
    while (e->root[body] != body) body = e->root[body] = e->root[e->root[body]];
    return body;
}

static void unite(evaluator *e, int a, int b) {
    if (moves(e, a) && moves(e, b)) e->root[root_of(e, a)] = root_of(e, b);
}

static sums *island_of(const evaluator *e, const couple *c) {
    return &e->islands[root_of(e, moves(e, c->a) ? c->a : c->b)];
}

// `wrong`: s |e|, m/s.
static void add(const evaluator *e, sums *island, double s, double wrong, double free, double impulse) {
    island->worst = fmax(island->worst, isfinite(wrong) ? wrong : INFINITY);
    island->scale = fmax(island->scale, fmax(free, s * impulse));
    island->energy += wrong * wrong / s;
    island->energy_impulse += s * impulse * impulse;
    island->energy_scale += (free * free + e->velocity_scale * e->velocity_scale) / s;
}

static double residual_of(const evaluator *e, const sums *island) {
    if (!(island->worst > 0.0)) return 0.0;
    double scale = island->energy_scale > 0.0 ? island->energy_scale : island->energy_impulse;
    return fmax(island->worst / fmax(island->scale, e->velocity_scale), sqrt(island->energy / scale));
}

// ---- laws

// The nearest point of the cone |r_t| <= mu r_n.
static void project(double mu, double r[3]) {
    double t = hypot(r[1], r[2]);
    if (t <= mu * r[0]) return;
    double n = (r[0] + mu * t) / (1.0 + mu * mu), share = n > 0.0 && t > 0.0 ? mu * n / t : 0.0;
    r[0] = fmax(n, 0.0);
    r[1] *= share, r[2] *= share;
}

static void add_contact(evaluator *e, const bench_heap_contact *contact) {
    couple c = couple_of(e, contact->a, contact->b, contact->point_a, contact->point_b);
    carom_vec3 velocity = relative(e, &c, false), change = relative(e, &c, true);
    const double *r = contact->impulse;
    int rows = contact->friction > 0.0 ? 3 : 1;
    double s = 0.0, u[3] = {0}, free[3] = {0}, moved[3] = {0};
    for (int k = 0; k < rows; k++) {
        s += inverse_mass(e, &c, contact->direction[k]) / rows;
        u[k] = crm_dot(contact->direction[k], velocity) + (k == 0 ? contact->offset : 0.0);
        free[k] = u[k] - crm_dot(contact->direction[k], change);
    }
    double slip = contact->friction * hypot(u[1], u[2]);
    for (int k = 0; k < rows; k++) moved[k] = r[k] - (u[k] + (k == 0 ? slip : 0.0)) / s;
    project(contact->friction, moved);
    double wrong = s * hypot(r[0] - moved[0], hypot(r[1] - moved[1], r[2] - moved[2]));
    add(e, island_of(e, &c), s, wrong, hypot(free[0], hypot(free[1], free[2])), hypot(r[0], hypot(r[1], r[2])));
}

static couple joint_couple(const evaluator *e, int j) {
    const bench_heap_joint_impulse *joint = &e->view->joints[j];
    return couple_of(e, e->heap->joints[j].a, e->heap->joints[j].b, joint->point_a, joint->point_b);
}

static void add_joint(evaluator *e, int j) {
    const bench_heap_joint_impulse *joint = &e->view->joints[j];
    couple c = joint_couple(e, j);
    const carom_vec3 axes[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    double s = 0.0;
    for (int k = 0; k < 3; k++) s += inverse_mass(e, &c, axes[k]) / 3.0;
    carom_vec3 u = crm_add(relative(e, &c, false), joint->offset);
    add(e, island_of(e, &c), s, crm_length(u), crm_length(crm_sub(u, relative(e, &c, true))),
        crm_length(joint->impulse));
}

static void gather_impulses(evaluator *e) {
    for (int i = 0; i < e->view->contact_count; i++) {
        const bench_heap_contact *contact = &e->view->contacts[i];
        couple c = couple_of(e, contact->a, contact->b, contact->point_a, contact->point_b);
        carom_vec3 impulse = crm_vec3_zero();
        for (int k = 0; k < 3; k++) impulse = crm_madd(impulse, contact->impulse[k], contact->direction[k]);
        apply(e, &c, impulse);
        unite(e, contact->a, contact->b);
    }
    for (int j = 0; j < e->heap->joint_count; j++) {
        couple c = joint_couple(e, j);
        apply(e, &c, e->view->joints[j].impulse);
        unite(e, c.a, c.b);
    }
}

double bench_heap_residual(const bench_heap *heap, const bench_heap_view *view) {
    size_t count = (size_t)heap->body_count;
    evaluator e = {.heap = heap,
                   .view = view,
                   .velocity_scale = crm_length(heap->gravity) * heap->method.step,
                   .change = bench_heap_memory(count, sizeof *e.change),
                   .root = bench_heap_memory(count, sizeof *e.root),
                   .islands = bench_heap_memory(count, sizeof *e.islands)};
    for (int i = 0; i < heap->body_count; i++) e.root[i] = i;
    gather_impulses(&e);
    for (int i = 0; i < view->contact_count; i++) add_contact(&e, &view->contacts[i]);
    for (int j = 0; j < heap->joint_count; j++) add_joint(&e, j);
    double residual = 0.0;
    for (int i = 0; i < heap->body_count; i++) residual = fmax(residual, residual_of(&e, &e.islands[i]));
    free(e.change), free(e.root), free(e.islands);
    return residual;
}

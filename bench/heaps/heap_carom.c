// SPDX-License-Identifier: MIT
#include "heaps/heap_carom.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"
#include "math/so3.h"

static void require(carom_status status, const carom_error *error) {
    if (status == CAROM_OK) return;
    fprintf(stderr, "carom: %s\n", error->text);
    exit(3);
}

// What promises nothing is held against what is promised by default.
static const double loosest_tolerance = 1e-3;

bench_heap_carom bench_heap_carom_make(const bench_heap *heap, const carom_lcp_def *settings) {
    bench_heap_carom carom = {.heap = heap};
    carom_error error;
    carom_method_def method = heap->method;
    method.method = CAROM_METHOD_LCP;
    method.lcp = *settings;
    carom.tolerance = fmin(carom_method_contract(&method).residual, loosest_tolerance);
    require(carom_state_create(heap->model, &method, &carom.state, &error), &error);
    return carom;
}

void bench_heap_carom_free(bench_heap_carom *carom) {
    carom_state_destroy(carom->state);
}

static bool step(void *engine) {
    bench_heap_carom *carom = engine;
    carom_error error;
    require(carom_step(carom->heap->model, carom->state, NULL, &carom->report, &error), &error);
    if (carom->report.outcome == CAROM_STEP_IMPOSSIBLE) return false;
    carom->made++;
    carom->above += !(carom->report.residual <= carom->tolerance);
    carom->residual = fmax(carom->residual, carom->report.residual);
    carom_step_work work = carom_state_work(carom->state);
    if (work.taken > 0.0) carom->budget = fmax(carom->budget, work.taken / work.allowed);
    return true;
}

// ---- what it shows

// The spin with which the step was made is the rotation that it has made; at its end the spin is another one, as
// momenta are kept.
static carom_vec3 spin_of_step(carom_quat before, carom_quat after, double step) {
    return crm_scale(1.0 / step, crm_so3_log(crm_quat_mul(after, crm_quat_conjugate(before))));
}

static void read_bodies(const bench_heap_carom *carom, int made, bench_heap_view *view) {
    for (int i = 0; i < carom->heap->body_count; i++) {
        carom_error error;
        carom_body_state own;
        const bench_heap_body *body = &carom->heap->bodies[i];
        require(carom_state_get_body(carom->state, (carom_body){i}, &own, &error), &error);
        view->after[i] = bench_heap_state_of(body, &own);
        if (made == 0 || !body->moves) continue;
        view->velocity[i] = view->after[i].velocity;
        view->spin[i] =
            spin_of_step(view->before[i].pose.attitude, view->after[i].pose.attitude, carom->heap->method.step);
    }
}

static carom_vec3 velocity_at(const bench_heap *heap, const bench_heap_view *view, int body, carom_vec3 point,
                              bool before) {
    if (body < 0 || !heap->bodies[body].moves) return crm_vec3_zero();
    const bench_heap_state *state = &view->before[body];
    carom_vec3 v = before ? state->velocity : view->velocity[body], w = before ? state->spin : view->spin[body];
    return crm_add(v, crm_cross(w, crm_sub(point, state->pose.position)));
}

// Newton's restitution in place of the gap, as docs/math.md 6.1 has it, for a contact that the step has closed.
static double offset_of(const bench_heap_carom *carom, const bench_heap_view *view, const carom_contact_state *c) {
    const bench_heap *heap = carom->heap;
    const carom_method_def *method = carom_state_method(carom->state);
    double gap = c->gap - method->lcp.barrier, h = method->step;
    double offset = gap > 0.0 ? gap / h : fmax(method->lcp.gamma * gap / h, -method->lcp.push_out);
    double e = fmax(heap->bodies[c->a.index].restitution, heap->bodies[c->b.index].restitution);
    carom_vec3 v = crm_sub(velocity_at(heap, view, c->b.index, c->point, true),
                           velocity_at(heap, view, c->a.index, c->point, true));
    double approach = crm_dot(c->normal, v);
    bool rebounds = e > 0.0 && approach < 0.0 && c->normal_impulse > 0.0 && c->normal_velocity >= -0.5 * e * approach;
    return rebounds ? e * approach : offset;
}

static void read_contacts(const bench_heap_carom *carom, bench_heap_view *view) {
    int count;
    const carom_contact_state *list = carom_state_contacts(carom->state, &count);
    for (int i = 0; i < count; i++) {
        const carom_contact_state *c = &list[i];
        *bench_heap_add_contact(view) =
            (bench_heap_contact){.a = c->a.index,
                                 .b = c->b.index,
                                 .point_a = c->point,
                                 .point_b = c->point,
                                 .direction = {c->normal, c->tangent, crm_cross(c->normal, c->tangent)},
                                 .gap = c->gap,
                                 .friction = c->friction,
                                 .offset = offset_of(carom, view, c),
                                 .impulse = {c->normal_impulse, c->tangent_impulse[0], c->tangent_impulse[1]}};
    }
}

static carom_vec3 point_of(const bench_heap_view *view, int body, carom_vec3 at) {
    if (body < 0) return at;
    carom_pose pose = view->before[body].pose;
    return crm_add(pose.position, crm_quat_rotate(pose.attitude, at));
}

// Impulses of joints act at b's point on both bodies.
static void read_joints(const bench_heap_carom *carom, bench_heap_view *view) {
    const bench_heap *heap = carom->heap;
    const carom_method_def *method = carom_state_method(carom->state);
    for (int j = 0; j < heap->joint_count && heap->common; j++) {
        carom_error error;
        carom_joint_state state;
        const bench_heap_joint *joint = &heap->joints[j];
        require(carom_state_get_joint(carom->state, (carom_joint){j}, &state, &error), &error);
        carom_vec3 a = point_of(view, joint->a, joint->at_a), b = point_of(view, joint->b, joint->at_b);
        view->joints[j] = (bench_heap_joint_impulse){b, b, crm_scale(method->step, state.force),
                                                     crm_scale(method->lcp.gamma / method->step, crm_sub(b, a))};
    }
}

// Clocks within a step cost some microseconds: only one step in so many is made with them.
enum { STEPS_PER_PHASES = 4 };

static void time_phases(bench_heap_carom *carom, int made) {
    carom_step_phases step = carom_state_phases(carom->state);
    carom->phases.steps += step.steps;
    carom->phases.total += step.total;
    carom->phases.detection += step.detection;
    carom->phases.solution += step.solution;
    carom_state_time_phases(carom->state, made % STEPS_PER_PHASES == 0);
}

static void read(void *engine, int made, bench_heap_view *view) {
    bench_heap_carom *carom = engine;
    time_phases(carom, made);
    read_bodies(carom, made, view);
    if (made == 0) return;
    read_contacts(carom, view);
    read_joints(carom, view);
}

bench_heap_engine bench_heap_carom_engine(bench_heap_carom *carom) {
    return (bench_heap_engine){carom, step, read};
}

void bench_heap_carom_conclude(const bench_heap_carom *carom, bench_heap_result *result) {
    result->above = carom->above;
    result->largest_stated = carom->residual;
    result->budget = carom->budget;
    double share = result->mean / carom->phases.total;
    result->detection = share * carom->phases.detection;
    result->solving = share * carom->phases.solution;
}

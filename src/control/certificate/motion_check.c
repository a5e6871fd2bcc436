// SPDX-License-Identifier: MIT
// The rows of the discrete Euler-Lagrange equations once more (docs/math.md 16.1), in SI units and from the motion
// alone: momenta of intervals, balances at nodes, directors, joints as the simulator measures them, and whether the
// forces are those of the controls.
#include <math.h>

#include "control/certificate/plan_facts.h"
#include "control/motion/control_wrench.h"
#include "model/force/evaluate.h"
#include "model/joint/joint.h"
#include "model/joint/joint_component.h"

static const carom_body none = {-1};

static void note(crm_plan_facts *f, crm_plan_law law, int body, int node, double value, double unit) {
    crm_violation_note(f, (crm_plan_violation){law, {body}, none, -1, node, value, 0.0}, unit);
}

static carom_vec3 projected(const crm_body *body, carom_vec3 linear) {
    return crm_wrench_projected(body->kind, crm_vec6_of(linear, crm_vec3_zero())).linear;
}

// ---- intervals

// E = tr(J)/2 1 - J in principal axes; of a planar body, whose directors all rotate about z, J_z/2.
static carom_vec3 director_inertia(const crm_body *body) {
    carom_vec3 j = body->inertia;
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.5 * j.z, 0.5 * j.z, 0.5 * j.z);
    double half = 0.5 * (j.x + j.y + j.z);
    return crm_vec3(half - j.x, half - j.y, half - j.z);
}

static void check_interval(crm_plan_facts *f, int k, int b) {
    const crm_body *body = crm_fact_body(f, b);
    const crm_plan_motion *m = f->motion;
    int here = crm_fact_at(f, k, b), there = crm_fact_at(f, k + 1, b), between = k * f->bodies + b;
    double h = m->length[k];
    carom_vec3 way = crm_sub(m->position[there], m->position[here]);
    carom_vec3 off = crm_madd(crm_scale(h, m->momentum[between]), -body->mass, projected(body, way));
    note(f, CRM_LAW_MOMENTUM, b, k, crm_length(off), f->mass * f->length);
    if (body->kind == CAROM_BODY_POINT) return;
    carom_vec3 e = director_inertia(body), sum = crm_vec3_zero();
    const carom_mat3 *d = &f->axes[here], *to = &f->axes[there];
    sum = crm_madd(sum, e.x, crm_cross(d->x, to->x));
    sum = crm_madd(sum, e.y, crm_cross(d->y, to->y));
    sum = crm_madd(sum, e.z, crm_cross(d->z, to->z));
    sum = crm_wrench_projected(body->kind, crm_vec6_of(crm_vec3_zero(), sum)).angular;
    off = crm_sub(crm_scale(h, m->spin_momentum[between]), sum);
    note(f, CRM_LAW_SPIN, b, k, crm_length(off), f->mass * f->length * f->length);
}

// ---- nodes

static void check_balance(crm_plan_facts *f, int node, int b) {
    crm_vec6 before = crm_fact_momenta_before(f, node, b), after = crm_fact_momenta_after(f, node, b);
    crm_vec6 off = crm_vec6_sub(crm_vec6_add(before, f->impulse[crm_fact_at(f, node, b)]), after);
    double momentum = f->mass * f->length / f->time;
    note(f, CRM_LAW_BALANCE, b, node, crm_length(off.linear), momentum);
    if (crm_fact_body(f, b)->kind != CAROM_BODY_POINT)
        note(f, CRM_LAW_SPIN_BALANCE, b, node, crm_length(off.angular), momentum * f->length);
}

static void check_directors(crm_plan_facts *f, int node, int b) {
    const carom_mat3 *r = &f->motion->attitude[crm_fact_at(f, node, b)];
    carom_mat3 off = crm_mat3_sub(crm_mat3_mul_tn(*r, *r), crm_mat3_identity());
    double determinant = crm_dot(crm_cross(r->x, r->y), r->z);
    note(f, CRM_LAW_DIRECTORS, b, node, determinant > 0.0 ? crm_mat3_norm(off) : INFINITY, 1.0);
}

// What does not move is where the model has it; what is planar keeps its height and its normal.
static void check_place(crm_plan_facts *f, int node, int b) {
    const crm_body *body = crm_fact_body(f, b);
    const crm_motion *at = &f->at[crm_fact_at(f, node, b)], *start = &f->start[b];
    if (body->kind == CAROM_BODY_FIXED) {
        note(f, CRM_LAW_PLACE, b, node, crm_distance(at->x, start->x), f->length);
        note(f, CRM_LAW_PLACE, b, node, crm_quat_angle(at->q, start->q), 1.0);
    } else if (body->kind == CAROM_BODY_PLANAR) {
        carom_vec3 normal = crm_quat_rotate_inverse(start->q, crm_vec3(0.0, 0.0, 1.0));
        carom_vec3 now = crm_quat_rotate(at->q, normal);
        note(f, CRM_LAW_PLACE, b, node, fabs(at->x.z - start->x.z), f->length);
        note(f, CRM_LAW_PLACE, b, node, hypot(now.x, now.y), 1.0);
    }
}

static void check_joint(crm_plan_facts *f, int node, int index) {
    const crm_joint *joint = &f->model->joints.items[index];
    crm_joint_pose pose = crm_joint_evaluate(joint, &f->at[node * f->bodies]);
    crm_plan_violation v = {CRM_LAW_JOINT, joint->def.a, joint->def.b, index, node, 0.0, 0.0};
    double linear, angular, value[CAROM_JOINT_MOST_COORDINATES];
    crm_joint_drift(joint, &pose, &linear, &angular);
    v.value = linear;
    crm_violation_note(f, v, f->length);
    v.value = angular;
    crm_violation_note(f, v, 1.0);
    crm_joint_config config = crm_joint_config_of(joint, &pose, NULL);
    crm_joint_values(joint, &config, value);
    int slides = joint->linear->free;
    v.law = CRM_LAW_JOINT_LIMIT;
    for (int i = 0; i < joint->free; i++) {
        const carom_coordinate_def *c = &joint->def.coordinate[i];
        double beyond = fmax(c->lower - value[i], value[i] - c->upper);
        // Angles are told to within a revolution: the nearest one to the limits counts.
        if (i >= slides && isfinite(c->lower) && isfinite(c->upper))
            beyond =
                fabs(remainder(value[i] - 0.5 * (c->lower + c->upper), 2.0 * acos(-1.0))) - 0.5 * (c->upper - c->lower);
        v.value = fmax(beyond, 0.0);
        crm_violation_note(f, v, i < slides ? f->length : 1.0);
    }
}

// Impulses of joints, about B's origin.
static void check_joint_impulse(crm_plan_facts *f, const crm_plan_impulse *impulse) {
    const crm_joint *joint = &f->model->joints.items[impulse->joint];
    const crm_motion *at = &f->at[impulse->node * f->bodies];
    crm_joint_pose pose = crm_joint_evaluate(joint, at);
    carom_vec3 axis[6], origin = pose.arm_b;
    if (joint->b.body >= 0) origin = crm_add(origin, at[joint->b.body].x);
    crm_joint_axes(joint, &pose, axis);
    carom_vec3 couple = crm_add(impulse->couple, crm_cross(crm_sub(impulse->point, origin), impulse->impulse));
    crm_plan_violation v = {CRM_LAW_JOINT_IMPULSE, joint->def.a, joint->def.b, impulse->joint, impulse->node, 0.0, 0.0};
    double momentum = f->mass * f->length / f->time;
    for (int i = 0; i < joint->free; i++) {
        bool slide = i < joint->linear->free;
        v.value = fabs(crm_dot(axis[i], slide ? impulse->impulse : couple));
        crm_violation_note(f, v, slide ? momentum : momentum * f->length);
    }
}

// ---- controls

static void check_controls(crm_plan_facts *f, int k, int end) {
    const crm_plan_motion *m = f->motion;
    double force = f->mass * f->length / (f->time * f->time);
    for (int b = 0; b < f->bodies; b++) {
        int at = 2 * (k * f->bodies + b) + end;
        crm_vec6 sum = crm_vec6_negate(crm_vec6_of(m->force[at], m->torque[at]));
        const double *number = m->control + (ptrdiff_t)k * m->control_number_count;
        for (int c = 0; c < f->def->control_count; c++) {
            carom_body_wrench wrench[2];
            int count = crm_control_wrenches(f->model, &f->def->control[c], number, wrench);
            for (int i = 0; i < count; i++) {
                if (wrench[i].body.index != b) continue;
                const carom_mat3 *attitude = &m->attitude[crm_fact_at(f, k + end, b)];
                sum = crm_vec6_add(sum, crm_control_wrench_at(f->model, &wrench[i], attitude));
            }
            crm_control_numbers numbers = crm_control_numbers_of(f->model, &f->def->control[c]);
            number += numbers.forces + numbers.torques;
        }
        sum = crm_wrench_projected(crm_fact_body(f, b)->kind, sum);
        note(f, CRM_LAW_CONTROL, b, k, crm_length(sum.linear), force);
        note(f, CRM_LAW_CONTROL, b, k, crm_length(sum.angular), force * f->length);
    }
}

void crm_check_motion(crm_plan_facts *f) {
    for (int node = 0; node <= f->intervals; node++) {
        for (int b = 0; b < f->bodies; b++) {
            check_directors(f, node, b);
            check_place(f, node, b);
            if (!crm_fact_moves(f, b)) continue;
            check_balance(f, node, b);
            if (node < f->intervals) check_interval(f, node, b);
        }
        for (int j = 0; j < f->model->joints.count; j++) check_joint(f, node, j);
        for (int end = 0; node < f->intervals && end < 2; end++) check_controls(f, node, end);
    }
    for (int i = 0; i < f->motion->impulse_count; i++)
        if (f->motion->impulse[i].joint >= 0) check_joint_impulse(f, &f->motion->impulse[i]);
}

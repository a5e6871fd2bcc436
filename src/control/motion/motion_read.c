// SPDX-License-Identifier: MIT
#include "control/motion/motion_read.h"

#include <string.h>

#include "base/fail.h"
#include "control/motion/control_wrench.h"
#include "control/rows/plan_pieces.h"
#include "control/rows/touch/planned_contacts.h"
#include "model/force/evaluate.h"

typedef struct reading {
    const crm_draft *draft;
    const double *z;
    crm_motion *pose; // of the present node, and of the next one (body_count each)
    crm_vec6 *wrench; // (body_count)
    crm_plan_motion *out;
} reading;

static carom_vec3 three(const double *z, int32_t first, double unit) {
    return crm_scale(unit, crm_vec3(z[first], z[first + 1], z[first + 2]));
}

// ---- nodes

static void read_pose(const reading *r, int node, int body, crm_motion *pose) {
    const crm_draft *draft = r->draft;
    const crm_body *b = crm_draft_body(draft, body);
    int slot = draft->slot[body];
    *pose = draft->start[body];
    if (slot >= 0) {
        int32_t first = draft->pose[node * draft->moving_count + slot];
        pose->x = three(r->z, first, draft->units.length);
        if (crm_has_directors(b)) {
            carom_mat3 d =
                crm_mat3_columns(three(r->z, first + 3, 1.0), three(r->z, first + 6, 1.0), three(r->z, first + 9, 1.0));
            pose->q = crm_quat_mul(crm_quat_from_mat3(d), crm_quat_conjugate(draft->axes[body]));
        }
    }
    ptrdiff_t at = (ptrdiff_t)node * r->out->body_count + body;
    r->out->position[at] = pose->x;
    r->out->attitude[at] = crm_quat_to_mat3(crm_quat_mul(pose->q, crm_quat_conjugate(b->frame)));
}

static carom_vec3 joint_axis(const reading *r, const crm_joint_side *side, int i) {
    carom_vec3 axis = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    axis = crm_quat_rotate(side->rotation, axis);
    return side->body < 0 ? axis : crm_quat_rotate(r->pose[side->body].q, axis);
}

static carom_vec3 joint_origin(const reading *r, const crm_joint_side *side) {
    return crm_point_position((crm_point){side->body, side->at}, r->pose);
}

// As rows/plan_joints.c has them.
static void read_joint(const reading *r, int node, int index, crm_plan_impulse *out) {
    const crm_draft *draft = r->draft;
    const crm_joint *joint = &draft->model->joints.items[index];
    const crm_joint_def_view view = crm_joint_view(joint);
    int32_t next = draft->impulse[node * draft->model->joints.count + index];
    double spin = draft->units.spin;
    *out = (crm_plan_impulse){.node = node, .a = joint->def.a, .b = joint->def.b, .joint = index, .contact = -1};
    out->point = joint_origin(r, &joint->b);
    if (view.distance > 0.0) {
        carom_vec3 offset = crm_sub(out->point, joint_origin(r, &joint->a));
        out->impulse = crm_scale(draft->units.momentum / draft->units.length * r->z[next++], offset);
    } else {
        for (int i = view.linear_free == 2 ? 2 : 0; i < (view.linear_free == 1 ? 2 : 3) && view.linear_free < 3; i++) {
            carom_vec3 world = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
            carom_vec3 axis = view.linear_free == 0 ? world : joint_axis(r, &joint->a, i);
            out->impulse = crm_madd(out->impulse, draft->units.momentum * r->z[next++], axis);
        }
    }
    for (int i = 0; i < 3 - view.angular_free; i++) {
        carom_vec3 axis = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
        if (view.angular_free == 1) axis = joint_axis(r, &joint->a, i);
        if (view.angular_free == 2) axis = crm_cross(joint_axis(r, &joint->a, 2), joint_axis(r, &joint->b, 0));
        out->couple = crm_madd(out->couple, spin * r->z[next++], axis);
    }
}

// ---- contacts

static void add_contact_impulse(const reading *r, const crm_planned_contact *c, int node, carom_vec3 point,
                                carom_vec3 on_b) {
    const carom_plan_contact *def = &r->draft->def->contact[c->index];
    bool swapped = def->a.index == c->b->body;
    r->out->impulse[r->out->impulse_count++] = (crm_plan_impulse){.node = node,
                                                                  .a = def->a,
                                                                  .b = def->b,
                                                                  .point = point,
                                                                  .impulse = swapped ? on_b : crm_negate(on_b),
                                                                  .joint = -1,
                                                                  .contact = c->index};
}

static carom_vec3 vertex_at(const reading *r, const crm_convex_part *part, int i) {
    const crm_motion *m = &r->pose[part->body];
    return crm_add(m->x, crm_quat_rotate(m->q, part->vertex[i]));
}

// Impulse by impulse on a half-space; of two parts the sum, at the point where it acts.
static void read_half_space(const reading *r, const crm_planned_contact *c) {
    double unit = r->draft->units.momentum;
    carom_vec3 n = c->a->normal, tangent[2];
    crm_tangents(n, &tangent[0], &tangent[1]);
    for (int i = 0; i < c->b->vertex_count; i++) {
        carom_vec3 impulse = crm_scale(unit * r->z[c->push_b + i], n);
        for (int k = 0; k < CRM_PYRAMID && c->slip >= 0; k++) {
            double size = unit * r->z[c->slip + i * (CRM_PYRAMID + 1) + k];
            impulse = crm_madd(impulse, k % 2 == 0 ? size : -size, tangent[k / 2]);
        }
        add_contact_impulse(r, c, c->node, crm_madd(vertex_at(r, c->b, i), -c->b->radius, n), impulse);
    }
}

static void read_between(const reading *r, const crm_planned_contact *c) {
    carom_vec3 alpha = crm_vec3(r->z[c->plane], r->z[c->plane + 1], r->z[c->plane + 2]), point = crm_vec3_zero();
    double total = 0.0;
    for (int i = 0; i < c->b->vertex_count; i++) {
        double size = r->z[c->push_b + i];
        total += size;
        point = crm_madd(point, size, vertex_at(r, c->b, i));
    }
    if (!(total > 0.0)) return;
    point = crm_madd(crm_scale(1.0 / total, point), -c->b->radius, alpha);
    add_contact_impulse(r, c, c->node, point, crm_scale(r->draft->units.momentum * total, alpha));
}

static void read_contact(const reading *r, const crm_planned_contact *c, int node) {
    if (c->at_end || node < c->node || (node > c->node && !c->sticky)) return;
    if (c->sticky) {
        carom_vec3 hold = three(r->z, c->hold + 3 * (node - c->node), r->draft->units.momentum);
        add_contact_impulse(r, c, node, vertex_at(r, c->b, c->corner), hold);
    } else if (c->a->half_space) {
        read_half_space(r, c);
    } else {
        read_between(r, c);
    }
}

static int most_impulses(const crm_draft *draft) {
    int most = 0;
    for (int i = 0; draft->planned != NULL && i < draft->planned->count; i++) {
        const crm_planned_contact *c = &draft->planned->contact[i];
        most += c->sticky ? draft->intervals + 1 : c->b->vertex_count;
    }
    return most;
}

static void read_node(reading *r, int node) {
    const crm_draft *draft = r->draft;
    for (int b = 0; b < r->out->body_count; b++) read_pose(r, node, b, &r->pose[b]);
    for (int j = 0; j < draft->model->joints.count; j++)
        read_joint(r, node, j, &r->out->impulse[r->out->impulse_count++]);
    for (int i = 0; draft->planned != NULL && i < draft->planned->count; i++)
        read_contact(r, &draft->planned->contact[i], node);
}

// ---- intervals

static void read_momenta(const reading *r, int interval) {
    const crm_draft *draft = r->draft;
    for (int s = 0; s < draft->moving_count; s++) {
        int body = draft->body[s];
        int32_t first = draft->momentum[interval * draft->moving_count + s];
        ptrdiff_t at = (ptrdiff_t)interval * r->out->body_count + body;
        r->out->momentum[at] = three(r->z, first, draft->units.momentum);
        if (crm_has_directors(crm_draft_body(draft, body)))
            r->out->spin_momentum[at] = three(r->z, first + 3, draft->units.spin);
    }
}

static void read_controls(const reading *r, int interval) {
    const crm_draft *draft = r->draft;
    double *out = r->out->control + (ptrdiff_t)interval * r->out->control_number_count;
    for (int c = 0; c < draft->def->control_count; c++) {
        int forces = crm_control_numbers_of(draft->model, &draft->def->control[c]).forces;
        for (int i = 0; i < draft->control_size[c]; i++) {
            int at = draft->control_offset[c] + i;
            out[at] = r->z[draft->control[interval] + at] * (i < forces ? draft->units.force : draft->units.torque);
        }
    }
}

// With the poses of the present node, which is one end of the interval.
static void read_forces(const reading *r, int interval, int end) {
    crm_plan_motion *out = r->out;
    const carom_model *model = r->draft->model;
    const double *number = out->control + (ptrdiff_t)interval * out->control_number_count;
    for (int b = 0; b < out->body_count; b++) r->wrench[b] = crm_vec6_zero();
    for (int c = 0; c < r->draft->def->control_count; number += r->draft->control_size[c++]) {
        carom_body_wrench w[2];
        int count = crm_control_wrenches(model, &r->draft->def->control[c], number, w);
        for (int i = 0; i < count; i++) {
            int body = w[i].body.index;
            const carom_mat3 *axes = &out->attitude[(ptrdiff_t)(interval + end) * out->body_count + body];
            r->wrench[body] = crm_vec6_add(r->wrench[body], crm_control_wrench_at(model, &w[i], axes));
        }
    }
    for (int b = 0; b < out->body_count; b++) {
        ptrdiff_t at = 2 * ((ptrdiff_t)interval * out->body_count + b) + end;
        crm_vec6 w = crm_wrench_projected(model->bodies.items[b].kind, r->wrench[b]);
        out->force[at] = w.linear;
        out->torque[at] = w.angular;
    }
}

// ---- ends

// What potentials and constant forces do to a body at one end of an interval, N and N m.
static void add_fields(const reading *r, int interval, crm_vec6 *wrench) {
    const carom_model *model = r->draft->model;
    int pairs = model->pair_potentials.count;
    for (int p = 0; p < pairs; p++) {
        const crm_pair_potential *pair = &model->pair_potentials.items[p];
        carom_vec3 force = three(r->z, r->draft->field[interval * pairs + p] + 3, r->draft->units.force);
        const crm_point *point[2] = {&pair->a, &pair->b};
        for (int i = 0; i < 2; i++) {
            if (point[i]->body < 0) continue;
            carom_vec3 arm = crm_quat_rotate(r->pose[point[i]->body].q, point[i]->at);
            carom_vec3 f = i == 0 ? force : crm_negate(force);
            wrench[point[i]->body] = crm_vec6_add(wrench[point[i]->body], crm_vec6_of(f, crm_cross(arm, f)));
        }
    }
    for (int i = 0; i < model->wrenches.count; i++) {
        const crm_wrench *w = &model->wrenches.items[i];
        wrench[w->point.body].linear = crm_add(wrench[w->point.body].linear, w->force);
    }
}

// The momenta that the forces of an interval leave at one of its nodes, that of the present poses: without impulses.
static void read_side(const reading *r, int interval, int end, carom_vec3 *p, carom_vec3 *l) {
    crm_plan_motion *out = r->out;
    const carom_model *model = r->draft->model;
    double half = (end == 1 ? 0.5 : -0.5) * out->length[interval];
    for (int b = 0; b < out->body_count; b++) {
        ptrdiff_t at = (ptrdiff_t)interval * out->body_count + b;
        carom_vec3 weight = crm_scale(model->bodies.items[b].mass, model->gravity);
        r->wrench[b] = crm_vec6_of(crm_add(weight, out->force[2 * at + end]), out->torque[2 * at + end]);
    }
    add_fields(r, interval, r->wrench);
    for (int b = 0; b < out->body_count; b++) {
        ptrdiff_t at = (ptrdiff_t)interval * out->body_count + b;
        crm_vec6 w = crm_wrench_projected(model->bodies.items[b].kind, r->wrench[b]);
        p[b] = crm_madd(out->momentum[at], half, w.linear);
        l[b] = crm_madd(out->spin_momentum[at], half, w.angular);
    }
}

static void add_impulses(const reading *r, int node, double sign, carom_vec3 *p, carom_vec3 *l) {
    const carom_model *model = r->draft->model;
    for (int i = 0; i < r->out->impulse_count; i++) {
        const crm_plan_impulse *impulse = &r->out->impulse[i];
        if (impulse->node != node) continue;
        for (int side = 0; side < 2; side++) {
            int body = side == 0 ? impulse->a.index : impulse->b.index;
            if (!crm_body_moves(model, body)) continue;
            double s = side == 0 ? sign : -sign;
            carom_vec3 arm = crm_sub(impulse->point, r->pose[body].x);
            carom_vec3 moment = crm_add(crm_cross(arm, impulse->impulse), impulse->couple);
            crm_vec6 push = crm_wrench_projected(model->bodies.items[body].kind, crm_vec6_of(impulse->impulse, moment));
            p[body] = crm_madd(p[body], s, push.linear);
            l[body] = crm_madd(l[body], s, push.angular);
        }
    }
}

// P_0 and P_K are what the first and the last interval have left over, impulses of joints there with it.
static void read_sides(const reading *r, int node, crm_node_momenta *nodes) {
    crm_plan_motion *out = r->out;
    ptrdiff_t at = (ptrdiff_t)node * out->body_count;
    size_t bytes = sizeof(carom_vec3) * (size_t)out->body_count;
    if (node > 0) read_side(r, node - 1, 1, nodes->before + at, nodes->spin_before + at);
    if (node < out->interval_count) read_side(r, node, 0, nodes->after + at, nodes->spin_after + at);
    if (node == 0) {
        memcpy(nodes->before, nodes->after, bytes);
        memcpy(nodes->spin_before, nodes->spin_after, bytes);
        add_impulses(r, node, -1.0, nodes->before, nodes->spin_before);
        memcpy(out->momentum_start, nodes->before, bytes);
        memcpy(out->spin_momentum_start, nodes->spin_before, bytes);
    } else if (node == out->interval_count) {
        memcpy(nodes->after + at, nodes->before + at, bytes);
        memcpy(nodes->spin_after + at, nodes->spin_before + at, bytes);
        add_impulses(r, node, 1.0, nodes->after + at, nodes->spin_after + at);
        memcpy(out->momentum_end, nodes->after + at, bytes);
        memcpy(out->spin_momentum_end, nodes->spin_after + at, bytes);
    }
}

static bool take(const crm_draft *draft, crm_arena *arena, reading *r, crm_node_momenta *nodes) {
    crm_plan_motion *m = r->out;
    ptrdiff_t bodies = m->body_count, intervals = m->interval_count, poses = (intervals + 1) * bodies;
    m->length = CRM_ARENA_ZEROED(arena, double, intervals);
    m->position = CRM_ARENA_ZEROED(arena, carom_vec3, poses);
    m->attitude = CRM_ARENA_ZEROED(arena, carom_mat3, poses);
    m->momentum = CRM_ARENA_ZEROED(arena, carom_vec3, intervals * bodies);
    m->spin_momentum = CRM_ARENA_ZEROED(arena, carom_vec3, intervals * bodies);
    m->momentum_start = CRM_ARENA_ZEROED(arena, carom_vec3, bodies);
    m->spin_momentum_start = CRM_ARENA_ZEROED(arena, carom_vec3, bodies);
    m->momentum_end = CRM_ARENA_ZEROED(arena, carom_vec3, bodies);
    m->spin_momentum_end = CRM_ARENA_ZEROED(arena, carom_vec3, bodies);
    m->force = CRM_ARENA_ZEROED(arena, carom_vec3, 2 * intervals * bodies);
    m->torque = CRM_ARENA_ZEROED(arena, carom_vec3, 2 * intervals * bodies);
    m->control = CRM_ARENA_ZEROED(arena, double, intervals * m->control_number_count);
    m->impulse =
        CRM_ARENA_ZEROED(arena, crm_plan_impulse, (intervals + 1) * draft->model->joints.count + most_impulses(draft));
    nodes->before = CRM_ARENA_ZEROED(arena, carom_vec3, poses);
    nodes->spin_before = CRM_ARENA_ZEROED(arena, carom_vec3, poses);
    nodes->after = CRM_ARENA_ZEROED(arena, carom_vec3, poses);
    nodes->spin_after = CRM_ARENA_ZEROED(arena, carom_vec3, poses);
    r->pose = CRM_ARENA_ZEROED(arena, crm_motion, bodies);
    r->wrench = CRM_ARENA_ZEROED(arena, crm_vec6, bodies);
    return !crm_arena_refused(arena);
}

carom_status crm_plan_motion_read(const crm_draft *draft, const double *z, crm_arena *arena, crm_plan_motion *out,
                                  crm_node_momenta *nodes, carom_error *error) {
    *out = (crm_plan_motion){.body_count = draft->model->bodies.count,
                             .interval_count = draft->intervals,
                             .control_number_count = draft->control_numbers};
    reading r = {.draft = draft, .z = z, .out = out};
    if (!take(draft, arena, &r, nodes)) return crm_fail_memory(error, "the motion of a plan", 0);
    for (int k = 0; k < draft->intervals; k++) {
        out->length[k] = draft->units.time / draft->intervals * z[draft->scale[draft->arc[k]]];
        read_momenta(&r, k);
        read_controls(&r, k);
    }
    for (int node = 0; node <= draft->intervals; node++) {
        read_node(&r, node);
        if (node > 0) read_forces(&r, node - 1, 1);
        if (node < draft->intervals) read_forces(&r, node, 0);
        read_sides(&r, node, nodes);
    }
    return CAROM_OK;
}

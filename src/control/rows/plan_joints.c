// SPDX-License-Identifier: MIT
// Joints: rows that keep them closed at all nodes, impulses in the balances of their bodies, limits of coordinates
// (docs/math.md 16.3). Frames and free motions are those of carom_joint_def. An impulse acts on both bodies at one
// point, B's origin, so that momenta are kept exactly also where the joint is closed to the solver's tolerance only.
#include <math.h>

#include "control/rows/plan_pieces.h"
#include "model/joint/joint_component.h"

typedef struct jointed {
    crm_draft *draft;
    const crm_joint *joint;
    int index, node;
    crm_form3 a[3], b[3]; // axes of both frames, world
    crm_form3 at, offset; // B's origin, and from A's to it
} jointed;

static crm_form3 frame_axis(const crm_draft *draft, int node, const crm_joint_side *side, int i) {
    carom_vec3 axis = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
    return crm_form_axis(draft, node, side->body, crm_quat_rotate(side->rotation, axis));
}

// Of the world a point is given by itself, of a body from its centre of mass.
static crm_form3 frame_origin(const crm_draft *draft, int node, const crm_joint_side *side) {
    return crm_form_point(draft, node, side->body, side->at);
}

static jointed at_node(crm_draft *draft, int index, int node) {
    jointed j = {.draft = draft, .joint = &draft->model->joints.items[index], .index = index, .node = node};
    for (int i = 0; i < 3; i++) {
        j.a[i] = frame_axis(draft, node, &j.joint->a, i);
        j.b[i] = frame_axis(draft, node, &j.joint->b, i);
    }
    crm_form3 origin = frame_origin(draft, node, &j.joint->a);
    j.at = frame_origin(draft, node, &j.joint->b);
    j.offset = crm_form3_difference(j.at, &origin);
    return j;
}

// ---- rows

static int32_t begin_row(const jointed *j, int kind, double lower, double upper) {
    return crm_draft_row(j->draft, lower, upper, crm_node_place(j->node),
                         (crm_row_name){kind, j->joint->a.body, j->joint->b.body, j->index, j->node});
}

static void add_dot_row(const jointed *j, const crm_form3 *a, const crm_form3 *b, double wanted) {
    int terms = j->draft->builder.terms.count;
    int32_t row = begin_row(j, CRM_ROW_JOINT, wanted, wanted);
    crm_add_dot(j->draft, row, 1.0, NULL, a, b);
    crm_draft_drop_constant_row(j->draft, terms);
}

static void add_linear_rows(const jointed *j) {
    const crm_joint_def_view view = crm_joint_view(j->joint);
    if (view.distance > 0.0) {
        double length = view.distance / j->draft->units.length;
        add_dot_row(j, &j->offset, &j->offset, length * length);
        return;
    }
    if (view.linear_free == 0) {
        for (int i = 0; i < 3; i++) {
            int terms = j->draft->builder.terms.count;
            int32_t row = begin_row(j, CRM_ROW_JOINT, 0.0, 0.0);
            crm_add_form(j->draft, row, 1.0, &j->offset.c[i]);
            crm_draft_drop_constant_row(j->draft, terms);
        }
    } else if (view.linear_free == 1) {
        add_dot_row(j, &j->a[0], &j->offset, 0.0);
        add_dot_row(j, &j->a[1], &j->offset, 0.0);
    } else if (view.linear_free == 2) {
        add_dot_row(j, &j->a[2], &j->offset, 0.0);
    }
}

static void add_angular_rows(const jointed *j) {
    const crm_joint_def_view view = crm_joint_view(j->joint);
    if (view.angular_free == 0) {
        for (int i = 0; i < 3; i++) add_dot_row(j, &j->a[i], &j->b[(i + 1) % 3], 0.0);
    } else if (view.angular_free == 1) {
        add_dot_row(j, &j->a[0], &j->b[2], 0.0);
        add_dot_row(j, &j->a[1], &j->b[2], 0.0);
    } else if (view.angular_free == 2) {
        add_dot_row(j, &j->a[2], &j->b[0], 0.0);
    }
}

// ---- velocities that the joint blocks, where they are asked for: at B's origin, as seen from A

typedef struct rates {
    crm_asked_twist a, b;
    crm_form3 arm_a, arm_b; // from where the velocity is told to B's origin
} rates;

// direction . (velocity of b - velocity of a) at B's origin
static void add_linear_rate(const jointed *j, const rates *r, const crm_form3 *direction) {
    int terms = j->draft->builder.terms.count;
    int32_t row = begin_row(j, CRM_ROW_JOINT_RATE, 0.0, 0.0);
    crm_add_dot(j->draft, row, 1.0, NULL, direction, &r->b.velocity);
    crm_add_dot(j->draft, row, -1.0, NULL, direction, &r->a.velocity);
    crm_add_triple(j->draft, row, 1.0, direction, &r->b.spin, &r->arm_b);
    crm_add_triple(j->draft, row, -1.0, direction, &r->a.spin, &r->arm_a);
    crm_draft_drop_constant_row(j->draft, terms);
}

// direction . (spin of b - spin of a), or with `across` (direction x across) . that
static void add_angular_rate(const jointed *j, const rates *r, const crm_form3 *direction, const crm_form3 *across) {
    int terms = j->draft->builder.terms.count;
    int32_t row = begin_row(j, CRM_ROW_JOINT_RATE, 0.0, 0.0);
    for (int side = 0; side < 2; side++) {
        const crm_form3 *spin = side == 0 ? &r->a.spin : &r->b.spin;
        double sign = side == 0 ? -1.0 : 1.0;
        if (across == NULL) {
            crm_add_dot(j->draft, row, sign, NULL, direction, spin);
        } else {
            crm_add_triple(j->draft, row, sign, spin, direction, across);
        }
    }
    crm_draft_drop_constant_row(j->draft, terms);
}

static void add_rates(const jointed *j) {
    const crm_joint_def_view view = crm_joint_view(j->joint);
    int a = j->joint->a.body, b = j->joint->b.body;
    rates r;
    if (!crm_ends_twist(j->draft, j->node, a, &r.a) || !crm_ends_twist(j->draft, j->node, b, &r.b)) return;
    r.arm_a = crm_form3_difference(j->at, &r.a.at);
    r.arm_b = crm_form3_difference(j->at, &r.b.at);
    const crm_form3 world[3] = {crm_form3_vector(crm_vec3(1.0, 0.0, 0.0)), crm_form3_vector(crm_vec3(0.0, 1.0, 0.0)),
                                crm_form3_vector(crm_vec3(0.0, 0.0, 1.0))};
    if (view.distance > 0.0) {
        // The length is between the origins of A and B: that of A moves with a.
        crm_form3 origin = frame_origin(j->draft, j->node, &j->joint->a);
        r.arm_a = crm_form3_difference(origin, &r.a.at);
        add_linear_rate(j, &r, &j->offset);
        return;
    }
    for (int i = 0; i < 3; i++) {
        bool blocked = view.linear_free == 0 || (view.linear_free == 1 && i < 2) || (view.linear_free == 2 && i == 2);
        if (blocked) add_linear_rate(j, &r, view.linear_free == 0 ? &world[i] : &j->a[i]);
    }
    for (int i = 0; i < 3 && view.angular_free < 2; i++)
        if (view.angular_free == 0 || i < 2)
            add_angular_rate(j, &r, view.angular_free == 0 ? &world[i] : &j->a[i], NULL);
    if (view.angular_free == 2) add_angular_rate(j, &r, &j->a[2], &j->b[0]);
}

// ---- limits

static void add_slide_limit(const jointed *j, const crm_form3 *axis, const carom_coordinate_def *c) {
    if (!isfinite(c->lower) && !isfinite(c->upper)) return;
    int terms = j->draft->builder.terms.count;
    double length = j->draft->units.length;
    int32_t row = begin_row(j, CRM_ROW_JOINT_LIMIT, c->lower / length, c->upper / length);
    crm_add_dot(j->draft, row, 1.0, NULL, axis, &j->offset);
    crm_draft_drop_constant_row(j->draft, terms);
}

// |angle - middle| <= half: cos(angle - middle) >= cos(half), of the cosine and the sine that directors make.
static void add_angle_limit(const jointed *j, const carom_coordinate_def *c) {
    if (!isfinite(c->lower) || !isfinite(c->upper)) return;
    double middle = 0.5 * (c->lower + c->upper), half = 0.5 * (c->upper - c->lower);
    int terms = j->draft->builder.terms.count;
    int32_t row = begin_row(j, CRM_ROW_JOINT_LIMIT, cos(half), INFINITY);
    crm_add_dot(j->draft, row, cos(middle), NULL, &j->a[0], &j->b[0]);
    crm_add_dot(j->draft, row, sin(middle), NULL, &j->a[1], &j->b[0]);
    crm_draft_drop_constant_row(j->draft, terms);
}

static void add_limits(const jointed *j) {
    const crm_joint_def_view view = crm_joint_view(j->joint);
    if (view.distance > 0.0) return;
    const carom_coordinate_def *coordinate = j->joint->def.coordinate;
    if (view.linear_free == 1) add_slide_limit(j, &j->a[2], &coordinate[0]);
    for (int i = 0; view.linear_free >= 2 && i < view.linear_free; i++) add_slide_limit(j, &j->a[i], &coordinate[i]);
    if (view.angular_free == 1) add_angle_limit(j, &coordinate[view.linear_free]);
}

// ---- impulses

static void push(const jointed *j, const crm_form *size, const crm_form3 *direction) {
    crm_draft *draft = j->draft;
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? j->joint->a.body : j->joint->b.body;
        if (body < 0 || draft->slot[body] < 0) continue;
        const int32_t *row = draft->balance + 6 * ((ptrdiff_t)j->node * draft->moving_count + draft->slot[body]);
        crm_form3 centre = crm_form_centre(draft, j->node, body), arm = crm_form3_difference(j->at, &centre);
        double sign = side == 0 ? 1.0 : -1.0;
        crm_add_vector(draft, row, sign, size, direction);
        crm_add_cross(draft, row + 3, sign, size, &arm, direction);
    }
}

static void twist(const jointed *j, double sign, const crm_form *size, const crm_form3 *direction,
                  const crm_form3 *across) {
    crm_draft *draft = j->draft;
    for (int side = 0; side < 2; side++) {
        int body = side == 0 ? j->joint->a.body : j->joint->b.body;
        if (body < 0 || draft->slot[body] < 0) continue;
        const int32_t *row = draft->balance + 6 * ((ptrdiff_t)j->node * draft->moving_count + draft->slot[body]);
        double of_side = side == 0 ? sign : -sign;
        if (across == NULL) {
            crm_add_vector(draft, row + 3, of_side, size, direction);
        } else {
            crm_add_cross(draft, row + 3, of_side, size, direction, across);
        }
    }
}

static void add_impulses(const jointed *j) {
    const crm_joint_def_view view = crm_joint_view(j->joint);
    const crm_draft *draft = j->draft;
    int32_t next = draft->impulse[j->node * draft->model->joints.count + j->index];
    crm_form3 world[3] = {crm_form3_vector(crm_vec3(1.0, 0.0, 0.0)), crm_form3_vector(crm_vec3(0.0, 1.0, 0.0)),
                          crm_form3_vector(crm_vec3(0.0, 0.0, 1.0))};
    int forces = view.distance > 0.0 ? 1 : 3 - view.linear_free;
    for (int i = 0; i < forces; i++, next++) {
        crm_form size = crm_form_unknown(draft, next);
        if (view.distance > 0.0) {
            push(j, &size, &j->offset);
        } else {
            push(j, &size, view.linear_free == 0 ? &world[i] : view.linear_free == 1 ? &j->a[i] : &j->a[2]);
        }
    }
    int couples = 3 - view.angular_free;
    for (int i = 0; i < couples; i++, next++) {
        crm_form size = crm_form_unknown(draft, next);
        if (view.angular_free == 2) {
            twist(j, 1.0, &size, &j->a[2], &j->b[0]);
        } else {
            twist(j, 1.0, &size, view.angular_free == 0 ? &world[i] : &j->a[i], NULL);
        }
    }
}

crm_joint_def_view crm_joint_view(const crm_joint *joint) {
    bool distance = joint->def.kind == CAROM_JOINT_DISTANCE;
    return (crm_joint_def_view){.distance = distance ? joint->def.length : 0.0,
                                .linear_free = distance ? 3 : joint->def.linear_free,
                                .angular_free = joint->angular == &crm_joint_no_rotation ? 3 : joint->def.angular_free};
}

void crm_joints_add(crm_draft *draft) {
    for (int node = 0; node <= draft->intervals; node++) {
        for (int index = 0; index < draft->model->joints.count; index++) {
            jointed j = at_node(draft, index, node);
            add_impulses(&j);
            if (crm_seen_pose_is_given(draft, node, j.joint->a.body, j.joint->b.body)) continue;
            add_linear_rows(&j);
            add_angular_rows(&j);
            add_limits(&j);
            if (node == 0 || node == draft->intervals) add_rates(&j);
        }
    }
}

// SPDX-License-Identifier: MIT
// What drives a plan: numbers that are constant in an interval, and the forces and moments that they make at both of
// its nodes, each with the directors of that node.
#include <math.h>

#include "control/motion/control_wrench.h"
#include "control/rows/plan_pieces.h"
#include "model/force/evaluate.h"

void crm_controls_number(crm_draft *draft) {
    for (int c = 0; c < draft->def->control_count; c++) {
        crm_control_numbers shape = crm_control_numbers_of(draft->model, &draft->def->control[c]);
        draft->control_offset[c] = draft->control_numbers;
        draft->control_size[c] = shape.forces + shape.torques;
        draft->control_numbers += draft->control_size[c];
    }
}

// Numbers of a wrench in world axes that the body's kind does not take stay 0.
static bool has_no_effect(const carom_model *model, const carom_control_def *c, int number,
                          const crm_control_numbers *shape) {
    if (c->kind > CAROM_CONTROL_FORCE || c->in_body_axes) return false;
    int component = number < shape->forces ? number : 3 + number - shape->forces;
    // A force beside the centre of a planar body is one in its plane or none.
    return !crm_kind_admits(model->bodies.items[c->body.index].kind, component);
}

int32_t crm_controls_add_unknowns(crm_draft *draft, int interval) {
    int32_t first = draft->builder.lower.count;
    for (int c = 0; c < draft->def->control_count; c++) {
        const carom_control_def *control = &draft->def->control[c];
        crm_control_numbers shape = crm_control_numbers_of(draft->model, control);
        for (int i = 0; i < draft->control_size[c]; i++) {
            bool force = i < shape.forces;
            double most =
                force ? control->force_limit / draft->units.force : control->torque_limit / draft->units.torque;
            double least = control->kind == CAROM_CONTROL_THRUSTER ? 0.0 : -most;
            if (has_no_effect(draft->model, control, i, &shape)) least = most = 0.0;
            (void)crm_program_add_unknown(&draft->builder, least, most, crm_interval_place(interval));
        }
    }
    return first;
}

// ---- forces

typedef struct pushing {
    crm_draft *draft;
    int node;
    crm_form half; // half the interval's length, with the sign
    const int32_t *balance;
} pushing;

static const int32_t no_rows[6] = {CRM_NO_ROW, CRM_NO_ROW, CRM_NO_ROW, CRM_NO_ROW, CRM_NO_ROW, CRM_NO_ROW};

static const int32_t *rows_of(const pushing *p, int body) {
    return body < 0 || p->draft->slot[body] < 0 ? no_rows : p->balance + 6 * p->draft->slot[body];
}

// A vector of three numbers in body axes acts as the sum of directors times them: u_i R e_i, to the rows of `to`; with
// an arm, in principal axes and m, as R (arm x e_i).
static void push_in_body_axes(const pushing *p, int body, const crm_form3 *u, const carom_vec3 *arm,
                              const int32_t *to) {
    const crm_body *b = crm_draft_body(p->draft, body);
    for (int i = 0; i < 3; i++) {
        carom_vec3 axis = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
        axis = crm_quat_rotate_inverse(b->frame, axis);
        if (arm != NULL) axis = crm_scale(1.0 / p->draft->units.length, crm_cross(*arm, axis));
        crm_form3 direction = crm_form_axis(p->draft, p->node, body, axis);
        crm_add_scaled_vector(p->draft, to, 1.0, &p->half, &u->c[i], &direction);
    }
}

static void push_wrench(const pushing *p, const carom_control_def *c, int32_t first) {
    const int32_t *row = rows_of(p, c->body.index);
    bool torques = c->torque && crm_has_directors(crm_draft_body(p->draft, c->body.index));
    if (c->force) {
        crm_form3 f = crm_form3_unknown(p->draft, first);
        if (c->in_body_axes) {
            push_in_body_axes(p, c->body.index, &f, NULL, row);
        } else {
            crm_add_vector(p->draft, row, 1.0, &p->half, &f);
        }
    }
    if (torques) {
        crm_form3 t = crm_form3_unknown(p->draft, first + (c->force ? 3 : 0));
        if (c->in_body_axes) {
            push_in_body_axes(p, c->body.index, &t, NULL, row + 3);
        } else {
            crm_add_vector(p->draft, row + 3, 1.0, &p->half, &t);
        }
    }
}

static void push_at_point(const pushing *p, const carom_control_def *c, int32_t first) {
    int body = c->body.index;
    const int32_t *row = rows_of(p, body);
    crm_form3 f = crm_form3_unknown(p->draft, first);
    carom_vec3 arm = crm_model_point(p->draft->model, c->body, c->point).at;
    if (c->in_body_axes) {
        push_in_body_axes(p, body, &f, NULL, row);
        push_in_body_axes(p, body, &f, &arm, row + 3);
    } else {
        crm_form3 lever = crm_form_arm(p->draft, p->node, body, arm);
        crm_add_vector(p->draft, row, 1.0, &p->half, &f);
        crm_add_cross(p->draft, row + 3, 1.0, &p->half, &lever, &f);
    }
}

static void push_by_thruster(const pushing *p, const carom_control_def *c, int32_t first) {
    int body = c->body.index;
    const int32_t *row = rows_of(p, body);
    carom_vec3 arm = crm_model_point(p->draft->model, c->body, c->point).at, axis;
    (void)crm_normalise(crm_quat_rotate_inverse(crm_draft_body(p->draft, body)->frame, c->direction), &axis);
    crm_form u = crm_form_unknown(p->draft, first);
    crm_form3 along = crm_form_axis(p->draft, p->node, body, axis);
    crm_form3 moment = crm_form_arm(p->draft, p->node, body, crm_cross(arm, axis));
    crm_add_scaled_vector(p->draft, row, 1.0, &p->half, &u, &along);
    crm_add_scaled_vector(p->draft, row + 3, 1.0, &p->half, &u, &moment);
}

// Both bodies of a slider are pushed at the same point, B's origin, so that angular momentum is kept also where the
// joint is closed to the solver's tolerance only.
static void push_by_slider(const pushing *p, const crm_joint *joint, int32_t first) {
    crm_draft *draft = p->draft;
    const int32_t *row_a = rows_of(p, joint->a.body), *row_b = rows_of(p, joint->b.body);
    crm_form u = crm_form_unknown(draft, first);
    carom_vec3 z = crm_quat_rotate(joint->a.rotation, crm_vec3(0.0, 0.0, 1.0));
    crm_form3 along = crm_form_axis(draft, p->node, joint->a.body, z);
    crm_form3 at = crm_form_point(draft, p->node, joint->b.body, joint->b.at);
    crm_form3 centre = crm_form_centre(draft, p->node, joint->a.body);
    crm_form3 arm_a = crm_form3_difference(at, &centre);
    crm_form3 arm_b = crm_form_arm(draft, p->node, joint->b.body, joint->b.at);
    crm_add_scaled_vector(draft, row_b, 1.0, &p->half, &u, &along);
    crm_add_scaled_vector(draft, row_a, -1.0, &p->half, &u, &along);
    crm_add_scaled_cross(draft, row_b + 3, 1.0, &p->half, &u, &arm_b, &along);
    crm_add_scaled_cross(draft, row_a + 3, -1.0, &p->half, &u, &arm_a, &along);
}

static void push_by_motor(const pushing *p, const carom_control_def *c, int32_t first) {
    const crm_joint *joint = &p->draft->model->joints.items[c->joint];
    const int32_t *row_a = rows_of(p, joint->a.body), *row_b = rows_of(p, joint->b.body);
    if (joint->def.linear_free == 1) {
        push_by_slider(p, joint, first);
    } else if (joint->def.angular_free == 1) {
        crm_form u = crm_form_unknown(p->draft, first);
        carom_vec3 z = crm_quat_rotate(joint->a.rotation, crm_vec3(0.0, 0.0, 1.0));
        crm_form3 axis = crm_form_axis(p->draft, p->node, joint->a.body, z);
        crm_add_scaled_vector(p->draft, row_b + 3, 1.0, &p->half, &u, &axis);
        crm_add_scaled_vector(p->draft, row_a + 3, -1.0, &p->half, &u, &axis);
    } else {
        crm_form3 u = crm_form3_unknown(p->draft, first);
        crm_add_vector(p->draft, row_b + 3, 1.0, &p->half, &u);
        crm_add_vector(p->draft, row_a + 3, -1.0, &p->half, &u);
    }
}

void crm_controls_add_forces(crm_draft *draft, int interval, int end, double sign, const int32_t *balance) {
    crm_form length = crm_form_length(draft, interval);
    pushing p = {.draft = draft, .node = interval + end, .balance = balance};
    crm_form_add(&p.half, 0.5 * sign, &length);
    for (int i = 0; i < draft->def->control_count; i++) {
        const carom_control_def *c = &draft->def->control[i];
        int32_t first = draft->control[interval] + draft->control_offset[i];
        if (c->kind == CAROM_CONTROL_WRENCH) push_wrench(&p, c, first);
        if (c->kind == CAROM_CONTROL_FORCE) push_at_point(&p, c, first);
        if (c->kind == CAROM_CONTROL_THRUSTER) push_by_thruster(&p, c, first);
        if (c->kind == CAROM_CONTROL_MOTOR) push_by_motor(&p, c, first);
    }
}

// ---- effort: sum of h weight u^2

void crm_controls_add_effort(crm_draft *draft) {
    const crm_plan_units *u = &draft->units;
    double force = u->force * u->force * u->time / u->effort, torque = u->torque * u->torque * u->time / u->effort;
    for (int k = 0; k < draft->intervals; k++) {
        crm_form length = crm_form_length(draft, k);
        for (int c = 0; c < draft->def->control_count; c++) {
            const carom_control_def *control = &draft->def->control[c];
            crm_control_numbers shape = crm_control_numbers_of(draft->model, control);
            for (int i = 0; i < draft->control_size[c]; i++) {
                crm_form number = crm_form_unknown(draft, draft->control[k] + draft->control_offset[c] + i);
                double weight = i < shape.forces ? control->force_weight * force : control->torque_weight * torque;
                crm_add_product(draft, CRM_OBJECTIVE, weight, 3, (const crm_form *const[]){&length, &number, &number});
            }
        }
    }
}

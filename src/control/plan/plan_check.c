// SPDX-License-Identifier: MIT
// What is refused before anything is solved: numbers that make no sense, and what plans have no rows for.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "control/motion/control_wrench.h"
#include "control/plan/plan_solve.h"
#include "control/rows/pair_curvature.h"
#include "control/rows/plan_pieces.h"
#include "model/joint/joint_switch.h"

enum { MOST_INTERVALS = 2000, MOST_LEVELS = 8, MOST_STARTS = 1000 };

// ---- the model

static carom_status refuse_force(const char *what, const char *instead, carom_error *error) {
    return crm_fail(error, CAROM_ERR_UNSUPPORTED, "plans have no rows for %s; %s", what, instead);
}

static carom_status check_forces(const carom_model *model, carom_error *error) {
    static const char *const leave = "plan without it";
    if (model->flexes.count > 0) return refuse_force("flexible bodies", "plan for rigid ones", error);
    if (model->mobility.kind != CAROM_MOBILITY_NONE) return refuse_force("bodies in a viscous fluid", leave, error);
    if (model->mean_motion != 0.0) return refuse_force("a rotating frame", "plan in an inertial one", error);
    if (model->drags.count > 0) return refuse_force("drag", leave, error);
    if (model->damper_count > 0) return refuse_force("springs with damping", "leave the damping out", error);
    if (model->callbacks.count > 0 || model->system_callbacks.count > 0)
        return refuse_force("functions of the caller", leave, error);
    if (model->fields.count > 0) return refuse_force("atmospheres, sunlight and grids of forces", leave, error);
    for (int p = 0; p < model->pair_potentials.count; p++)
        if (!crm_pair_has_curvature(&model->pair_potentials.items[p]))
            return refuse_force("energies on a grid", leave, error);
    for (int i = 0; i < model->wrenches.count; i++) {
        const crm_wrench *w = &model->wrenches.items[i];
        bool simple = crm_length(w->torque) == 0.0 && crm_length(w->point.at) == 0.0;
        if (!simple || (w->in_body_axes && crm_length(w->force) > 0.0))
            return refuse_force("constant wrenches but forces in world axes at the centre of mass",
                                "make a control of it, or plan without it", error);
    }
    return CAROM_OK;
}

static carom_status check_joint(const carom_model *model, int index, carom_error *error) {
    const crm_joint *joint = &model->joints.items[index];
    char text[CRM_BODY_TEXT];
    crm_joint_text(model, index, text);
    if (carom_model_joint_switches(model, (carom_joint){index}))
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "%s opens and closes, which plans have no rows for; leave its latch and loads out", text);
    if (joint->driven)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "%s has a spring, a damper or a motor of its own, which plans have no rows for; make it a "
                        "control of kind motor",
                        text);
    const crm_joint_def_view view = crm_joint_view(joint);
    for (int i = 0; view.distance <= 0.0 && i < joint->free; i++) {
        const carom_coordinate_def *c = &joint->def.coordinate[i];
        bool angle = i >= view.linear_free, lower = isfinite(c->lower), upper = isfinite(c->upper);
        if (!angle || (!lower && !upper)) continue;
        if (view.angular_free != 1 || !lower || !upper || c->upper - c->lower >= 6.28)
            return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                            "%s: plans have rows for angles of hinges between two limits less than a revolution apart, "
                            "not for these limits; leave them out",
                            text);
    }
    return CAROM_OK;
}

static carom_status check_model(const carom_model *model, carom_error *error) {
    carom_status status = check_forces(model, error);
    bool moves = false;
    for (int b = 0; b < model->bodies.count; b++) moves = moves || crm_body_moves(model, b);
    if (status == CAROM_OK && !moves)
        return crm_refuse(error, "the model has no body that moves; there is nothing to plan");
    for (int j = 0; j < model->joints.count && status == CAROM_OK; j++) status = check_joint(model, j, error);
    return status;
}

// ---- numbers

static carom_status check_numbers(const carom_plan_def *d, carom_error *error) {
    if (d->intervals < 2 || d->intervals > MOST_INTERVALS)
        return crm_refuse(error, "plan: %d intervals; give 2 to %d", d->intervals, MOST_INTERVALS);
    if (!(d->time > 0.0) || !isfinite(d->time))
        return crm_refuse(error, "plan: time is %g s, must be positive", d->time);
    if (d->time_free &&
        !(d->time_least > 0.0 && d->time_least <= d->time && d->time <= d->time_most && isfinite(d->time_most)))
        return crm_refuse(error,
                          "plan: of a free time %g s is least, %g s the guess and %g s most; give three in that order",
                          d->time_least, d->time, d->time_most);
    if (!(d->time_weight >= 0.0) || !isfinite(d->time_weight))
        return crm_refuse(error, "plan: time_weight is %g, must not be negative", d->time_weight);
    if (!(d->tolerance >= 1e-13 && d->tolerance <= 1e-2))
        return crm_refuse(error, "plan: tolerance is %g; give 1e-13 to 1e-2", d->tolerance);
    if (d->starts < 1 || d->starts > MOST_STARTS)
        return crm_refuse(error, "plan: %d starts; give 1 to %d", d->starts, MOST_STARTS);
    if (d->levels < 1 || d->levels > MOST_LEVELS || d->intervals % (1 << (d->levels - 1)) != 0 ||
        d->intervals >> (d->levels - 1) < 2)
        return crm_refuse(error,
                          "plan: %d levels halve %d intervals %d times, which must leave two or more and no rest",
                          d->levels, d->intervals, d->levels - 1);
    return CAROM_OK;
}

static carom_status check_moving(const carom_model *model, carom_body body, const char *what, carom_error *error) {
    carom_status status = crm_model_check_body(model, body, false, what, error);
    char text[CRM_BODY_TEXT];
    if (status != CAROM_OK || crm_body_moves(model, body.index)) return status;
    return crm_refuse(error, "%s: %s does not move; name one that does", what, crm_body_text(model, body.index, text));
}

// ---- controls

static carom_status check_limits(const carom_control_def *c, const char *what, carom_error *error) {
    if (!(c->force_limit >= 0.0) || !(c->torque_limit >= 0.0))
        return crm_refuse(error, "%s: limits are %g N and %g N m, must not be negative", what, c->force_limit,
                          c->torque_limit);
    bool good =
        c->force_weight >= 0.0 && isfinite(c->force_weight) && c->torque_weight >= 0.0 && isfinite(c->torque_weight);
    if (!good)
        return crm_refuse(error, "%s: weights are %g and %g, must be finite and not negative", what, c->force_weight,
                          c->torque_weight);
    return CAROM_OK;
}

static carom_status check_motor(const carom_model *model, const carom_control_def *c, const char *what,
                                carom_error *error) {
    if (c->joint < 0 || c->joint >= model->joints.count)
        return crm_refuse(error, "%s: there is no joint %d; the model has %d", what, c->joint, model->joints.count);
    const crm_joint_def_view view = crm_joint_view(&model->joints.items[c->joint]);
    bool slider = view.linear_free == 1 && view.angular_free == 0,
         hinge = view.linear_free == 0 && view.angular_free == 1;
    bool ball = view.distance <= 0.0 && view.linear_free == 0 && view.angular_free == 3;
    char text[CRM_BODY_TEXT];
    if (!slider && !hinge && !ball)
        return crm_refuse(error, "%s: %s has no motor; hinges, sliders and ball joints do", what,
                          crm_joint_text(model, c->joint, text));
    return CAROM_OK;
}

static carom_status check_control(const carom_model *model, const carom_control_def *c, int index, carom_error *error) {
    char what[40];
    snprintf(what, sizeof what, "plan: control %d", index);
    if ((unsigned)c->kind >= CAROM_CONTROL_KIND_COUNT)
        return crm_refuse(error, "%s: %d is no kind", what, (int)c->kind);
    carom_status status = check_limits(c, what, error);
    if (status != CAROM_OK) return status;
    if (c->kind == CAROM_CONTROL_MOTOR) return check_motor(model, c, what, error);
    status = check_moving(model, c->body, what, error);
    if (status != CAROM_OK) return status;
    if (!crm_vec3_finite(c->point)) return crm_refuse(error, "%s: its point is not finite", what);
    bool point = model->bodies.items[c->body.index].kind == CAROM_BODY_POINT;
    char text[CRM_BODY_TEXT];
    if (point && (c->in_body_axes || (c->kind != CAROM_CONTROL_WRENCH && crm_length(c->point) > 0.0)))
        return crm_refuse(error, "%s: %s is a point, which has neither axes nor other points", what,
                          crm_body_text(model, c->body.index, text));
    crm_control_numbers numbers = crm_control_numbers_of(model, c);
    if (numbers.forces + numbers.torques == 0)
        return crm_refuse(error, "%s: a wrench of %s without force and torque; ask for one of them", what,
                          crm_body_text(model, c->body.index, text));
    if (c->kind != CAROM_CONTROL_THRUSTER) return CAROM_OK;
    if (!isfinite(c->force_limit)) return crm_refuse(error, "%s: a thruster needs a force_limit", what);
    if (!(crm_length(c->direction) > 0.0) || !crm_vec3_finite(c->direction))
        return crm_refuse(error, "%s: a thruster needs a direction that is not zero", what);
    return CAROM_OK;
}

// ---- conditions

static bool is_jointed(const carom_model *model, int body) {
    for (int j = 0; j < model->joints.count; j++)
        if (model->joints.items[j].a.body == body || model->joints.items[j].b.body == body) return true;
    return false;
}

static carom_status check_box(const carom_plan_condition *c, const char *what, carom_error *error) {
    if (!c->has_box) return CAROM_OK;
    for (int i = 0; i < 3; i++) {
        double low = crm_component(c->box_low, i), high = crm_component(c->box_high, i);
        if (!(low <= high))
            return crm_refuse(error, "%s: its box goes from %g to %g m; give the lower end first", what, low, high);
    }
    return CAROM_OK;
}

static carom_status check_directions(const carom_plan_condition *c, const char *what, carom_error *error) {
    if (c->direction_count < 0 || c->direction_count > 3)
        return crm_refuse(error, "%s: %d directions; give at most 3", what, c->direction_count);
    for (int i = 0; i < c->direction_count; i++) {
        bool good = crm_length(c->direction[i].axis) > 0.0 && crm_vec3_finite(c->direction[i].axis) &&
                    crm_length(c->direction[i].toward) > 0.0 && crm_vec3_finite(c->direction[i].toward);
        if (!good) return crm_refuse(error, "%s: direction %d is zero or not finite", what, i);
        if (!(c->direction[i].least <= 1.0))
            return crm_refuse(error, "%s: direction %d shall be at least %g, but no cosine is above 1", what, i,
                              c->direction[i].least);
    }
    return CAROM_OK;
}

static carom_status check_relative(const carom_model *model, const carom_plan_condition *c, const char *what,
                                   carom_error *error) {
    carom_status status = crm_model_check_body(model, c->relative_to, true, what, error);
    if (status != CAROM_OK) return status;
    if (c->relative_to.index == c->body.index)
        return crm_refuse(error, "%s: its body is seen from itself; name another one", what);
    if (c->together && c->relative_to.index < 0)
        return crm_refuse(error, "%s: together with which body? give relative_to", what);
    return CAROM_OK;
}

static carom_status check_kind(const carom_model *model, const carom_plan_condition *c, const char *what,
                               carom_error *error) {
    const crm_body *body = &model->bodies.items[c->body.index];
    bool point = body->kind == CAROM_BODY_POINT;
    if (point && (c->has_attitude || c->has_spin || c->direction_count > 0))
        return crm_refuse(error, "%s: a point has neither attitude nor spin", what);
    if (c->has_velocity || c->has_spin)
        return crm_body_check_kind(what, body->kind, c->has_velocity ? c->velocity : crm_vec3_zero(),
                                   c->has_spin ? c->spin : crm_vec3_zero(), error);
    return CAROM_OK;
}

static carom_status check_condition(const carom_model *model, const carom_plan_def *d, int index, carom_error *error) {
    const carom_plan_condition *c = &d->condition[index];
    char what[48];
    snprintf(what, sizeof what, "plan: condition %d", index);
    int node = c->node < 0 ? d->intervals : c->node, step = 1 << (d->levels - 1);
    if (c->node < -1 || c->node > d->intervals)
        return crm_refuse(error, "%s: node %d is none; give 0 to %d, or -1 for the last", what, c->node, d->intervals);
    if (node % step != 0)
        return crm_refuse(error, "%s: node %d is none of the coarsest level's; give a multiple of %d or fewer levels",
                          what, node, step);
    carom_status status = check_moving(model, c->body, what, error);
    if (status == CAROM_OK) status = check_relative(model, c, what, error);
    if (status == CAROM_OK) status = check_box(c, what, error);
    if (status == CAROM_OK) status = check_directions(c, what, error);
    if (status == CAROM_OK) status = check_kind(model, c, what, error);
    if (status != CAROM_OK) return status;
    carom_quat unit;
    bool finite = (!c->has_position || crm_vec3_finite(c->position)) &&
                  (!c->has_velocity || crm_vec3_finite(c->velocity)) && (!c->has_spin || crm_vec3_finite(c->spin)) &&
                  (!c->has_attitude || crm_quat_normalise(c->attitude, &unit));
    if (!finite) return crm_refuse(error, "%s: a number of it is not finite, or its attitude is zero", what);
    char text[CRM_BODY_TEXT];
    bool inner = node > 0 && node < d->intervals;
    if (inner && (c->has_velocity || c->has_spin || c->together) && is_jointed(model, c->body.index))
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "%s: plans have no rows for velocities at inner nodes of %s, which is jointed; ask at an end",
                        what, crm_body_text(model, c->body.index, text));
    return CAROM_OK;
}

static int node_of(const carom_plan_def *d, const carom_plan_condition *c) {
    return c->node < 0 ? d->intervals : c->node;
}

// The same thing may not be asked twice of a body at a node.
static carom_status check_twice(const carom_model *model, const carom_plan_def *d, int index, carom_error *error) {
    const carom_plan_condition *c = &d->condition[index];
    for (int i = 0; i < index; i++) {
        const carom_plan_condition *o = &d->condition[i];
        if (o->body.index != c->body.index || node_of(d, o) != node_of(d, c)) continue;
        const char *twice = c->has_position && o->has_position   ? "position"
                            : c->has_attitude && o->has_attitude ? "attitude"
                            : c->has_velocity && o->has_velocity ? "velocity"
                            : c->has_spin && o->has_spin         ? "spin"
                            : c->has_box && o->has_box           ? "box"
                                                                 : NULL;
        char text[CRM_BODY_TEXT];
        crm_body_text(model, c->body.index, text);
        if (twice != NULL)
            return crm_refuse(error, "plan: conditions %d and %d both give the %s of %s at node %d; leave one out", i,
                              index, twice, text, node_of(d, c));
        bool relative = o->relative_to.index >= 0 || c->relative_to.index >= 0;
        if (relative && o->relative_to.index != c->relative_to.index)
            return crm_refuse(error, "plan: conditions %d and %d see %s at node %d from two bodies; take one of them",
                              i, index, text, node_of(d, c));
        if (o->direction_count + c->direction_count > 3)
            return crm_refuse(error, "plan: conditions %d and %d together ask for more than 3 directions of %s", i,
                              index, text);
    }
    return CAROM_OK;
}

// Bodies that see each other in a circle leave nothing that the first of them stands on.
static carom_status check_circle(const carom_model *model, const carom_plan_def *d, int index, carom_error *error) {
    int body = d->condition[index].body.index, at = d->condition[index].relative_to.index;
    for (int steps = 0; at >= 0 && steps <= d->condition_count; steps++) {
        char text[CRM_BODY_TEXT];
        if (at == body)
            return crm_refuse(error, "plan: condition %d: %s is seen, by others, from itself; break the circle", index,
                              crm_body_text(model, body, text));
        int next = -1;
        for (int i = 0; i < d->condition_count; i++) {
            const carom_plan_condition *o = &d->condition[i];
            if (o->body.index == at && node_of(d, o) == node_of(d, &d->condition[index]) && o->relative_to.index >= 0)
                next = o->relative_to.index;
        }
        at = next;
    }
    return CAROM_OK;
}

// ---- guess

static carom_status check_guess(const carom_model *model, const carom_plan_def *d, carom_error *error) {
    if (d->guess == CAROM_GUESS_MOTION && (d->motion_count < 2 || d->motion == NULL))
        return crm_refuse(error, "plan: a guess by a motion has %d frames; give 2 or more", d->motion_count);
    carom_quat unit;
    for (ptrdiff_t i = 0; d->guess == CAROM_GUESS_MOTION && i < (ptrdiff_t)d->motion_count * model->bodies.count; i++)
        if (!crm_vec3_finite(d->motion[i].position) || !crm_quat_normalise(d->motion[i].attitude, &unit))
            return crm_refuse(error, "plan: frame %d of the guess has a pose that is not finite, or no attitude",
                              (int)(i / model->bodies.count));
    for (int i = 0; d->guess == CAROM_GUESS_WAY_POINTS && i < d->way_point_count; i++) {
        const carom_way_point *w = &d->way_point[i];
        char what[48];
        snprintf(what, sizeof what, "plan: way point %d", i);
        carom_status status = check_moving(model, w->body, what, error);
        if (status != CAROM_OK) return status;
        if (!(w->share >= 0.0 && w->share <= 1.0))
            return crm_refuse(error, "%s: its share of the time is %g; give 0 to 1", what, w->share);
        if (!crm_vec3_finite(w->pose.position) || !crm_quat_normalise(w->pose.attitude, &unit))
            return crm_refuse(error, "%s: its pose is not finite, or it has no attitude", what);
    }
    if ((unsigned)d->guess > CAROM_GUESS_MOTION)
        return crm_refuse(error, "plan: %d is no kind of guess", (int)d->guess);
    return CAROM_OK;
}

static carom_status check_shaped(const carom_model *model, carom_body body, const char *what, carom_error *error) {
    carom_status status = crm_model_check_body(model, body, false, what, error);
    char text[CRM_BODY_TEXT];
    if (status != CAROM_OK || carom_model_get_shape(model, model->bodies.items[body.index].def.shape) != NULL)
        return status;
    return crm_refuse(error, "%s: %s has no shape; name bodies that have one", what,
                      crm_body_text(model, body.index, text));
}

static carom_status check_avoid(const carom_model *model, const carom_plan_def *d, carom_error *error) {
    const carom_avoid_def *avoid = &d->avoid;
    if (!avoid->on) return CAROM_OK;
    if (!(avoid->margin >= 0.0) || !isfinite(avoid->margin))
        return crm_refuse(error, "plan: avoid.margin is %g m, must not be negative", avoid->margin);
    if (avoid->pair_count < 0 || (avoid->pair_count > 0 && avoid->pair == NULL))
        return crm_refuse(error, "plan: avoid has %d pairs, and no list of them", avoid->pair_count);
    for (int i = 0; i < avoid->pair_count; i++) {
        char what[48];
        snprintf(what, sizeof what, "plan: avoid pair %d", i);
        carom_body a = avoid->pair[i].a, b = avoid->pair[i].b;
        carom_status status = check_shaped(model, a, what, error);
        if (status == CAROM_OK) status = check_shaped(model, b, what, error);
        if (status != CAROM_OK) return status;
        if (a.index == b.index || (!crm_body_moves(model, a.index) && !crm_body_moves(model, b.index)))
            return crm_refuse(error, "%s: name two different bodies, of which one moves", what);
    }
    return CAROM_OK;
}

static carom_status check_contact(const carom_model *model, const carom_plan_def *d, int index, carom_error *error) {
    const carom_plan_contact *c = &d->contact[index];
    char what[48], text[CRM_BODY_TEXT];
    int step = 1 << (d->levels - 1);
    snprintf(what, sizeof what, "plan: contact %d", index);
    if (c->node < 1 || c->node > d->intervals || c->node % step != 0)
        return crm_refuse(error, "%s: node %d; give 1 to %d, of %d levels multiples of %d", what, c->node, d->intervals,
                          d->levels, step);
    if (index > 0 && c->node < d->contact[index - 1].node)
        return crm_refuse(error, "%s: its node %d is before that of the contact before it; give them in order", what,
                          c->node);
    carom_status status = check_shaped(model, c->a, what, error);
    if (status == CAROM_OK) status = check_shaped(model, c->b, what, error);
    if (status != CAROM_OK) return status;
    if (c->a.index == c->b.index || (!crm_body_moves(model, c->a.index) && !crm_body_moves(model, c->b.index)))
        return crm_refuse(error, "%s: name two different bodies, of which one moves", what);
    if (!(c->restitution >= 0.0 && c->restitution <= 1.0) || !(c->friction >= 0.0) || !isfinite(c->friction) ||
        !(c->least_impulse >= 0.0) || !isfinite(c->least_impulse))
        return crm_refuse(error,
                          "%s: restitution %g, friction %g, least_impulse %g; restitution is 0 to 1, the others "
                          "are not negative",
                          what, c->restitution, c->friction, c->least_impulse);
    for (int i = 0; i < 2; i++) {
        int body = i == 0 ? c->a.index : c->b.index;
        if (crm_body_moves(model, body) && is_jointed(model, body))
            return crm_fail(error, CAROM_ERR_UNSUPPORTED, "%s: plans have no rows for contacts of %s, which is jointed",
                            what, crm_body_text(model, body, text));
    }
    return CAROM_OK;
}

static carom_status check_touching(const carom_model *model, const carom_plan_def *d, carom_error *error) {
    const char *what = d->discover.on ? "discovered contacts" : d->penalty.on ? "contact by penalty" : NULL;
    if (what != NULL) return crm_fail(error, CAROM_ERR_UNSUPPORTED, "plan: there are no rows for %s", what);
    if (d->contact_count < 0 || (d->contact_count > 0 && d->contact == NULL))
        return crm_refuse(error, "plan: %d contacts, and no list of them", d->contact_count);
    carom_status status = CAROM_OK;
    for (int i = 0; i < d->contact_count && status == CAROM_OK; i++) status = check_contact(model, d, i, error);
    return status;
}

carom_status crm_plan_check(const carom_model *model, const carom_plan_def *d, carom_error *error) {
    carom_status status = check_numbers(d, error);
    if (status == CAROM_OK) status = check_model(model, error);
    bool lists = (d->control_count == 0 || d->control != NULL) && (d->condition_count == 0 || d->condition != NULL) &&
                 (d->way_point_count == 0 || d->way_point != NULL) && d->control_count >= 0 &&
                 d->condition_count >= 0 && d->way_point_count >= 0;
    if (status == CAROM_OK && !lists)
        return crm_refuse(error,
                          "plan: a list of controls, conditions or way points is NULL, or its count is negative");
    for (int i = 0; i < d->control_count && status == CAROM_OK; i++)
        status = check_control(model, &d->control[i], i, error);
    for (int i = 0; i < d->condition_count && status == CAROM_OK; i++) {
        status = check_condition(model, d, i, error);
        if (status == CAROM_OK) status = check_twice(model, d, i, error);
    }
    for (int i = 0; i < d->condition_count && status == CAROM_OK; i++) status = check_circle(model, d, i, error);
    if (status == CAROM_OK) status = check_guess(model, d, error);
    if (status == CAROM_OK) status = check_avoid(model, d, error);
    return status == CAROM_OK ? check_touching(model, d, error) : status;
}

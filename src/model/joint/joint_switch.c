// SPDX-License-Identifier: MIT
#include "model/joint/joint_switch.h"

#include <math.h>

#include "base/fail.h"
#include "carom/distance.h"

bool crm_joint_switches(const crm_joint *joint) {
    const carom_joint_def *def = &joint->def;
    return def->latch.on || def->by_command || def->break_force < INFINITY || def->break_moment < INFINITY;
}

// ---- what is refused

static bool has_shape(const carom_model *model, int body) {
    return body >= 0 && model->bodies.items[body].def.shape.index >= 0;
}

static bool is_identity(carom_quat q) {
    return q.x == 0.0 && q.y == 0.0 && q.z == 0.0;
}

static carom_status check_sticky(const carom_model *model, const char *text, const crm_joint *joint,
                                 carom_error *error) {
    const carom_joint_def *def = &joint->def;
    if (joint->linear != crm_joint_linear_components[0] || joint->angular->blocked > 0)
        return crm_refuse(error, "%s is sticky: that makes a ball joint where its bodies touch; take the kind ball",
                          text);
    if (!has_shape(model, joint->a.body) || !has_shape(model, joint->b.body))
        return crm_refuse(error, "%s is sticky, but one of its bodies has no shape to touch with", text);
    if (crm_length(def->point_a) + crm_length(def->point_b) > 0.0 || !is_identity(def->attitude_a) ||
        !is_identity(def->attitude_b))
        return crm_refuse(error, "%s is sticky: it is where its bodies touch; leave its points and attitudes out",
                          text);
    if (!(def->latch.distance >= 0.0) || !isfinite(def->latch.distance))
        return crm_refuse(error, "%s: latch.distance is %g m, must be finite and not negative", text,
                          def->latch.distance);
    return CAROM_OK;
}

static carom_status check_latch(const carom_model *model, const char *text, const crm_joint *joint,
                                carom_error *error) {
    const carom_latch_def *latch = &joint->def.latch;
    if (!(latch->speed > 0.0))
        return crm_refuse(error, "%s: latch.speed is %g m/s, must be positive", text, latch->speed);
    if (latch->sticky) return check_sticky(model, text, joint, error);
    if (joint->rows == 0)
        return crm_refuse(error, "%s has a latch but blocks nothing: there is nothing to close", text);
    if (joint->linear->blocked > 0 && (!(latch->distance > 0.0) || !isfinite(latch->distance)))
        return crm_refuse(error, "%s: latch.distance is %g m, must be positive and finite", text, latch->distance);
    if (joint->angular->blocked > 0 && (!(latch->angle > 0.0) || !isfinite(latch->angle)))
        return crm_refuse(error,
                          "%s: latch.angle is %g rad, must be positive and finite, as the joint blocks rotations", text,
                          latch->angle);
    return CAROM_OK;
}

carom_status crm_joint_check_switch(const carom_model *model, const char *text, const crm_joint *joint,
                                    carom_error *error) {
    const carom_joint_def *def = &joint->def;
    if (!(def->break_force > 0.0))
        return crm_refuse(error, "%s: break_force is %g N, must be positive", text, def->break_force);
    if (!(def->break_moment > 0.0))
        return crm_refuse(error, "%s: break_moment is %g N m, must be positive", text, def->break_moment);
    if (def->latch.sticky && !def->latch.on)
        return crm_refuse(error, "%s is sticky without a latch: set latch.on", text);
    return def->latch.on ? check_latch(model, text, joint, error) : CAROM_OK;
}

// ---- in a state

crm_joint_switch crm_joint_switch_initial(const crm_joint *joint) {
    return (crm_joint_switch){.status = joint->def.latch.on ? CRM_SWITCH_OPEN : CRM_SWITCH_CLOSED};
}

crm_joint crm_joint_placed(const crm_joint *joint, const crm_joint_switch *at) {
    crm_joint placed = *joint;
    if (!joint->def.latch.sticky) return placed;
    placed.a.at = at->at_a;
    placed.b.at = at->at_b;
    return placed;
}

static carom_view view_of(const carom_model *model, int index, const crm_motion *motions) {
    const crm_body *body = &model->bodies.items[index];
    carom_body_state own = crm_motion_to_body_state(body, &motions[index]);
    return carom_view_of(model->shapes.items[body->def.shape.index].shape, (carom_pose){own.position, own.attitude});
}

// Where two bodies touch: halfway between the nearest points of their shapes.
static crm_latch_gap gap_of_shapes(const carom_model *model, const crm_joint *joint, const crm_motion *motions,
                                   const carom_contact_state *contacts, int contact_count) {
    int a = joint->a.body, b = joint->b.body;
    crm_latch_gap gap = {.distance = INFINITY};
    for (int i = 0; i < contact_count; i++) {
        int first = contacts[i].a.index, second = contacts[i].b.index;
        bool both = (first == a && second == b) || (first == b && second == a);
        gap.touches |= both && contacts[i].normal_impulse > 0.0;
    }
    carom_view views[2] = {view_of(model, a, motions), view_of(model, b, motions)};
    carom_gap_witness witness;
    if (carom_gap_find(&views[0], &views[1], NULL, NULL, &witness, NULL) != CAROM_OK)
        return (crm_latch_gap){.distance = INFINITY};
    gap.distance = witness.gap;
    gap.point = crm_scale(0.5, crm_add(witness.point_a, witness.point_b));
    carom_vec3 arm_a = crm_sub(gap.point, motions[a].x), arm_b = crm_sub(gap.point, motions[b].x);
    crm_joint_twists t = crm_joint_twists_of(model, joint, motions);
    gap.speed = crm_distance(crm_add(t.a.linear, crm_cross(t.a.angular, arm_a)),
                             crm_add(t.b.linear, crm_cross(t.b.angular, arm_b)));
    return gap;
}

static bool beyond_limits(const crm_joint *joint, const crm_joint_pose *pose) {
    crm_joint_config config = crm_joint_config_of(joint, pose, NULL);
    double value[6];
    crm_joint_values(joint, &config, value);
    for (int k = 0; k < joint->free; k++)
        if (!(value[k] >= joint->def.coordinate[k].lower && value[k] <= joint->def.coordinate[k].upper)) return true;
    return false;
}

crm_latch_gap crm_latch_gap_of(const carom_model *model, const crm_joint *joint, const crm_motion *motions,
                               const carom_contact_state *contacts, int contact_count) {
    if (joint->def.latch.sticky) return gap_of_shapes(model, joint, motions, contacts, contact_count);
    crm_joint_pose pose = crm_joint_evaluate(joint, motions);
    crm_joint_twists twists = crm_joint_twists_of(model, joint, motions);
    crm_latch_gap gap = {.beyond = beyond_limits(joint, &pose)};
    crm_joint_drift(joint, &pose, &gap.distance, &gap.angle);
    double residual[6], square = 0.0;
    crm_joint_row row[6];
    crm_joint_rows(joint, &pose, residual, row);
    for (int k = 0; k < joint->linear->blocked; k++) {
        double rate = crm_joint_row_rate(&row[k], &twists);
        square += rate * rate;
    }
    gap.speed = sqrt(square);
    return gap;
}

bool crm_latch_meets(const crm_joint *joint, const crm_latch_gap *gap) {
    const carom_latch_def *latch = &joint->def.latch;
    if (latch->sticky) return gap->touches || gap->distance <= latch->distance;
    bool near = joint->linear->blocked == 0 || gap->distance <= latch->distance;
    bool aligned = joint->angular->blocked == 0 || gap->angle <= latch->angle;
    return near && aligned && !gap->beyond;
}

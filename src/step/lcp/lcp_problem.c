// SPDX-License-Identifier: MIT
// From motions, joints and contacts to the problem of a step.
#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "model/joint/limit_motor_row.h"
#include "step/lcp/lcp.h"

// ---- joints

// The share of a joint's error that is undone in a second, at no more than push_out: all rows alike, so that the joint
// closes straight.
static double closing_share(const carom_state *state, const crm_lcp *lcp, const crm_joint *joint,
                            const crm_joint_pose *pose) {
    double linear, angular;
    crm_joint_drift(joint, pose, &linear, &angular);
    double share = lcp->def.gamma / state->method.step, error = fmax(linear, crm_lcp_arm(lcp, joint) * angular);
    return share * error > lcp->def.push_out ? lcp->def.push_out / error : share;
}

static int slot_of(const crm_lcp *lcp, int body) {
    return body >= 0 ? lcp->problem.slot_of[body] : -1;
}

// A block of rows on the bodies of a joint, which start from what they had in the last step; what its rows are follows.
// NULL: no memory.
static crm_rigid_block *add_block(const carom_model *model, crm_lcp *lcp, const crm_joint *joint, carom_law law,
                                  int rows) {
    crm_lcp_problem *problem = &lcp->problem;
    if (!CRM_ARRAY_RESERVE(&model->allocator, &problem->blocks, (ptrdiff_t)problem->blocks.count + 1)) return NULL;
    crm_rigid_block *block = &problem->blocks.items[problem->blocks.count++];
    block->law = law;
    block->rows = rows;
    block->a = slot_of(lcp, joint->a.body);
    block->b = slot_of(lcp, joint->b.body);
    block->lower = block->upper = 0.0;
    for (int k = 0; k < rows; k++) block->compliance[k] = 0.0;
    return block;
}

static bool add_joint(const carom_model *model, const carom_state *state, crm_lcp *lcp, int index) {
    const crm_joint *joint = &model->joints.items[index];
    if (joint->rows == 0) return true;
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    double residual[6];
    crm_joint_row rows[6];
    crm_rigid_block *block = add_block(model, lcp, joint, CAROM_LAW_EQUALITY, joint->rows);
    if (block == NULL) return false;
    crm_lcp_joint_rows(lcp, joint, &pose, residual, rows);
    bool has_bodies = block->a >= 0 || block->b >= 0; // none of what falls
    double share = has_bodies ? closing_share(state, lcp, joint, &pose) : 0.0;
    for (int k = 0; k < joint->rows; k++) {
        block->offset[k] = share * residual[k];
        block->on_a[k] = rows[k].a, block->on_b[k] = rows[k].b;
    }
    lcp->problem.joint_rows += joint->rows;
    return true;
}

// ---- nodes of flexible bodies that others carry

// Both are pushed where the node is. Its rows are those of world axes, on the body that carries it.
static bool add_attachment(const carom_model *model, const carom_state *state, crm_lcp *lcp,
                           const crm_flex_attachment *attachment) {
    crm_lcp_problem *problem = &lcp->problem;
    if (!CRM_ARRAY_RESERVE(&model->allocator, &problem->blocks, (ptrdiff_t)problem->blocks.count + 1)) return false;
    crm_rigid_block *block = &problem->blocks.items[problem->blocks.count++];
    const crm_motion *node = &state->motions[attachment->node], *body = &state->motions[attachment->body];
    *block = (crm_rigid_block){
        .law = CAROM_LAW_EQUALITY, .rows = 3, .a = slot_of(lcp, attachment->node), .b = slot_of(lcp, attachment->body)};
    carom_vec3 arm = crm_sub(node->x, body->x);
    carom_vec3 open = crm_sub(crm_add(body->x, crm_quat_rotate(body->q, attachment->at)), node->x);
    double share = lcp->def.gamma / state->method.step, error = crm_length(open);
    if (share * error > lcp->def.push_out) share = lcp->def.push_out / error;
    const carom_vec3 axis[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3; k++) {
        block->on_a[k] = crm_vec6_of(crm_negate(axis[k]), crm_vec3_zero());
        block->on_b[k] = crm_vec6_of(axis[k], crm_cross(arm, axis[k]));
        block->offset[k] = share * crm_dot(axis[k], open);
    }
    problem->joint_rows += 3;
    return true;
}

static bool add_attachments(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    for (int f = 0; f < model->flexes.count; f++) {
        const crm_flex *flex = &model->flexes.items[f];
        for (int i = 0; i < flex->attachment_count; i++)
            if (!add_attachment(model, state, lcp, &flex->attachment[i])) return false;
    }
    return true;
}

// ---- limits and velocity motors

static crm_rigid_block *add_scalar(const carom_model *model, crm_lcp *lcp, const crm_joint *joint, carom_law law,
                                   double offset, double sign, const crm_joint_row *row) {
    crm_rigid_block *block = add_block(model, lcp, joint, law, 1);
    if (block == NULL) return NULL;
    block->offset[0] = offset;
    block->on_a[0] = crm_vec6_scale(sign, row->a), block->on_b[0] = crm_vec6_scale(sign, row->b);
    lcp->problem.limit_motor_rows++;
    return block;
}

static bool add_limit(const carom_model *model, crm_lcp *lcp, const crm_joint *joint, double offset, double sign,
                      const crm_joint_row *row) {
    return add_scalar(model, lcp, joint, CAROM_LAW_UNILATERAL, offset, sign, row) != NULL;
}

// `room`: how far the coordinate is from its limit, m; negative beyond it.
static double limit_offset(const carom_state *state, const crm_lcp *lcp, double room) {
    double h = state->method.step;
    return room > 0.0 ? room / h : fmax(lcp->def.gamma * room / h, -lcp->def.push_out);
}

static bool add_drives(const carom_model *model, const carom_state *state, const carom_input *input, crm_lcp *lcp,
                       int index) {
    const crm_joint *joint = &model->joints.items[index];
    double h = state->method.step, value[6];
    crm_joint_row value_row[6], rate_row[6];
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    crm_joint_values(joint, &state->configs[index], value);
    crm_lcp_value_rows(lcp, joint, &pose, value_row);
    crm_lcp_rate_rows(lcp, joint, &pose, rate_row);
    for (int k = 0; k < joint->free; k++) {
        const carom_coordinate_def *c = &joint->def.coordinate[k];
        double scale = crm_lcp_coordinate_scale(lcp, joint, k);
        double above = limit_offset(state, lcp, scale * (value[k] - c->lower));
        double below = limit_offset(state, lcp, scale * (c->upper - value[k]));
        if (c->lower > -INFINITY && !add_limit(model, lcp, joint, above, 1.0, &value_row[k])) return false;
        if (c->upper < INFINITY && !add_limit(model, lcp, joint, below, -1.0, &value_row[k])) return false;
        if (c->motor.kind != CAROM_MOTOR_VELOCITY) continue;
        carom_motor_def motor = crm_joint_motor(model, index, k, input);
        crm_rigid_block *block =
            add_scalar(model, lcp, joint, CAROM_LAW_BOX, -scale * motor.target_rate, 1.0, &rate_row[k]);
        if (block == NULL) return false;
        block->upper = h * motor.max_force / scale;
        block->lower = -block->upper;
    }
    return true;
}

// ---- contacts

double crm_lcp_rest_speed(const crm_lcp *lcp, const crm_contact_site *site) {
    return lcp->rest_speed != NULL ? fmax(lcp->rest_speed[site->a], lcp->rest_speed[site->b]) : 0.0;
}

// What stands beside the normal velocity: at most the gap may be gone through in the step; an overlap is undone by
// gamma.
static double gap_offset(const carom_state *state, const crm_lcp *lcp, const crm_contact_site *site) {
    const carom_lcp_def *def = &lcp->def;
    double h = state->method.step, gap = site->gap - def->barrier;
    return gap > 0.0 ? gap / h : fmax(def->gamma * gap / h, -def->push_out);
}

// Forces add `gained` to the approach v in a step. What is left of the gap they would still have added to it, and take
// from the rebound w on the way out, which is the gap and, where x + h w is made in the same step, that:
//   e^2 (v^2 + 2 a gap) = w^2 + 2 a (gap + h w),  a = gained / h
// Without forces this is e v. What forces bring back within the step does not rebound. With e v itself a rebound would
// begin too high: what is elastic would gain energy, and the rest be fed and never end.
double crm_lcp_rebound_speed(const carom_state *state, const crm_lcp *lcp, const crm_contact_site *site,
                             double approach, double gained) {
    double e = site->restitution, fed = 2.0 * gained / state->method.step * fmax(0.0, site->gap);
    double on_way = lcp->hits_first ? 0.0 : gained;
    double square = on_way * on_way + e * e * approach * approach - (1.0 - e * e) * fed;
    double speed = square > 0.0 ? sqrt(square) - on_way : 0.0;
    return speed > fmax(0.0, 0.5 * gained) ? speed : 0.0;
}

// Of a contact that is reached with restitution: minus the speed of its rebound, m/s; 0: none.
static double rebound_of(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                         const crm_contact_site *site) {
    if (site->restitution == 0.0 || lcp->no_restitution) return 0.0;
    // What bends rebounds by bending.
    if (model->bodies.items[site->a].flex >= 0 || model->bodies.items[site->b].flex >= 0) return 0.0;
    const crm_motion *motions = state->motions;
    double approach = crm_dot(site->direction[0], crm_contact_approach(model, site, motions));
    double driven = crm_dot(site->direction[0], crm_contact_velocity(site, motions, lcp->motion.free));
    bool reached = site->gap - lcp->def.barrier + state->method.step * driven <= 0.0;
    if (!(approach < 0.0 && approach <= -crm_lcp_rest_speed(lcp, site) && reached)) return 0.0;
    return -crm_lcp_rebound_speed(state, lcp, site, approach, approach - driven);
}

// A contact that is reached with restitution has its rebound in place of the gap (docs/math.md 6.1, never the sum):
// Newton's law asks for it; Poisson's for a stop, from which the second phase leads away.
static void set_contact(const carom_model *model, const carom_state *state, crm_lcp *lcp, int c) {
    const crm_contact_site *site = &lcp->contacts.sites.items[c];
    crm_rigid_contact *contact = &lcp->problem.contacts.items[c];
    bool newton = lcp->def.restitution == CAROM_RESTITUTION_NEWTON;
    double rebound = rebound_of(model, state, lcp, site);
    lcp->limits.rebound.items[c] = rebound;
    lcp->limits.share.items[c] = 1.0;
    lcp->limits.bounces |= rebound < 0.0;
    contact->a = lcp->problem.slot_of[site->a];
    contact->b = lcp->problem.slot_of[site->b];
    contact->arm_a = crm_sub(site->point, state->motions[site->a].x);
    contact->arm_b = crm_sub(site->point, state->motions[site->b].x);
    memcpy(contact->direction, site->direction, sizeof contact->direction);
    contact->offset = rebound == 0.0 ? gap_offset(state, lcp, site) : newton ? rebound : 0.0;
    contact->friction = site->friction;
}

// Forces last longer in a longer step; one that is so much longer begins from nothing.
static double guess_share(const carom_state *state) {
    static const double longest = 1e6;
    double ratio = crm_state_step_ratio(state);
    return ratio <= longest ? ratio : 0.0;
}

// Contacts start from what the set remembers of them.
static bool set_contacts(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    int count = lcp->contacts.sites.count;
    if (!CRM_ARRAY_RESIZE(&model->allocator, &lcp->problem.contacts, count) ||
        !CRM_ARRAY_RESIZE(&model->allocator, &lcp->problem.impulse, 3 * (ptrdiff_t)count) ||
        !CRM_ARRAY_RESIZE(&model->allocator, &lcp->limits.rebound, count) ||
        !CRM_ARRAY_RESIZE(&model->allocator, &lcp->limits.share, count))
        return false;
    lcp->limits.bounces = false;
    double share = guess_share(state);
    double *guess = lcp->problem.impulse.items;
    for (int c = 0; c < count; c++, guess += 3) {
        const crm_contact_site *site = &lcp->contacts.sites.items[c];
        set_contact(model, state, lcp, c);
        memcpy(guess, state->contact_list.items[lcp->contacts.listed.items[c]].impulse, 3 * sizeof *guess);
        for (int k = 0; k < 3; k++) guess[k] *= share;
        if (site->friction == 0.0) guess[1] = guess[2] = 0.0;
    }
    return true;
}

static bool set_blocks(const carom_model *model, const carom_state *state, const carom_input *input, crm_lcp *lcp) {
    crm_lcp_problem *problem = &lcp->problem;
    problem->blocks.count = problem->joint_rows = problem->limit_motor_rows = 0;
    for (int j = 0; j < model->joints.count; j++) {
        if (!add_joint(model, state, lcp, j)) return false;
    }
    problem->attached_blocks = problem->blocks.count;
    if (!add_attachments(model, state, lcp)) return false;
    problem->joint_blocks = problem->blocks.count;
    for (int j = 0; j < model->joints.count; j++) {
        if (!add_drives(model, state, input, lcp, j)) return false;
    }
    if (!crm_lcp_add_forces(model, state, input, lcp)) return false;
    int contact_rows = crm_lcp_contact_rows(lcp), rows = problem->joint_rows + problem->limit_motor_rows;
    CRM_ASSERT(rows == lcp->row_impulse_count - lcp->force_slots);
    if (!CRM_ARRAY_RESIZE(&model->allocator, &problem->impulse, (ptrdiff_t)contact_rows + rows + problem->forces.count))
        return false;
    double *guess = CRM_ARRAY_FROM(&problem->impulse, contact_rows), share = guess_share(state);
    if (rows > 0) memcpy(guess, lcp->row_impulse, (size_t)rows * sizeof(double));
    if (problem->forces.count > 0) crm_lcp_recall_forces(lcp, guess + rows);
    for (int i = 0; i < rows + problem->forces.count; i++) guess[i] *= share;
    return true;
}

// ---- bodies

// Roots of inverse masses and inertias, with drag (NULL: none) in them; 0 where the body cannot move.
static void set_masses(const crm_body *body, carom_quat q, const crm_body_drag *drag, crm_rigid_body *out) {
    double linear = sqrt(drag != NULL ? crm_damped_inverse(body->inverse_mass, drag->linear) : body->inverse_mass);
    carom_vec3 inverse = drag != NULL ? crm_damped_inverses(body, drag) : body->inverse_inertia;
    bool planar = body->kind == CAROM_BODY_PLANAR;
    out->linear = crm_vec3(linear, linear, planar ? 0.0 : linear);
    out->angular[0] = out->angular[1] = out->angular[2] = crm_vec3_zero();
    if (planar) out->angular[2].z = sqrt(inverse.z);
    if (body->kind != CAROM_BODY_FREE) return;
    carom_mat3 axes = crm_quat_to_mat3(q);
    out->angular[0] = crm_scale(sqrt(inverse.x), axes.x);
    out->angular[1] = crm_scale(sqrt(inverse.y), axes.y);
    out->angular[2] = crm_scale(sqrt(inverse.z), axes.z);
}

static bool set_bodies(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    crm_lcp_problem *problem = &lcp->problem;
    problem->bodies.count = 0;
    if (!CRM_ARRAY_RESERVE(&model->allocator, &problem->bodies, model->bodies.count)) return false;
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        bool left_out = body->kind == CAROM_BODY_FIXED || crm_rests(&lcp->rest, b) || crm_glide_falls(&lcp->glide, b);
        problem->slot_of[b] = left_out ? -1 : problem->bodies.count;
        if (left_out) continue;
        problem->body_of[problem->bodies.count] = b;
        crm_rigid_body *out = &problem->bodies.items[problem->bodies.count++];
        set_masses(body, state->motions[b].q, state->drag != NULL ? &state->drag[b] : NULL, out);
        out->free = lcp->motion.free[b];
        lcp->least_scale[problem->bodies.count - 1] =
            crm_gap_noise(crm_length(state->motions[b].x), state->method.step) / lcp->noise_tolerance;
    }
    return true;
}

bool crm_lcp_build(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *lcp) {
    lcp->two_phases = false;
    crm_glide_find_falling(state, &lcp->contacts.sites, &lcp->glide);
    return set_bodies(model, state, lcp) && set_contacts(model, state, lcp) && set_blocks(model, state, input, lcp) &&
           (model->mobility.kind != CAROM_MOBILITY_STOKES || crm_lcp_fluid_resistances(model, state, lcp)) &&
           CRM_ARRAY_RESIZE(&model->allocator, &lcp->velocity, lcp->problem.impulse.count);
}

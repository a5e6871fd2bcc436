// SPDX-License-Identifier: MIT
// Forces that are taken at the end of the step as rows of its problem (docs/math.md 13.1): r + A u = b is u + c r + w =
// 0 with the compliance c = 1/A and the offset w = -b/A.
//
// A soft force has offsets and compliances beyond all velocities that there are. So that its row weighs no more than
// what it does to the bodies, the row is taken times f = W A / (1 + W A), W = J M^-1 J^T: its error is then that of the
// velocity along it, the same for soft and for hard ones.
#include <math.h>

#include "model/force/evaluate.h"
#include "step/certify/accounts.h"
#include "step/lcp/lcp.h"

// ---- what is kept from step to step

enum { SPRING_SLOTS = 3 * CRM_SPRING_FORCES };

int crm_lcp_force_slots(const carom_model *model) {
    int count = SPRING_SLOTS * model->springs.count;
    if (model->mobility.kind != CAROM_MOBILITY_NONE) count += 6 * model->drags.count;
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        for (int k = 0; k < joint->free; k++)
            count += crm_coordinate_is_stiff(&joint->def.coordinate[k]) ? CRM_COORDINATE_FORCES : 0;
    }
    return count;
}

// ---- rows

static crm_vec6 projected(const carom_model *model, int body, crm_vec6 row) {
    return body >= 0 ? crm_wrench_projected(model->bodies.items[body].kind, row) : crm_vec6_zero();
}

// W, 1/kg or 1/(kg m^2).
static double answer_of(const carom_model *model, const carom_state *state, crm_lcp *lcp, const crm_force_rows *force,
                        const crm_force_row *row) {
    crm_vec6 on_a = projected(model, force->a, row->on_a), on_b = projected(model, force->b, row->on_b);
    if (model->mobility.kind != CAROM_MOBILITY_NONE)
        return crm_lcp_fluid_answer(model, state, lcp, force->a, on_a, force->b, on_b);
    double w = 0.0;
    if (force->a >= 0) w += crm_vec6_dot(on_a, crm_velocity_of(model, state, force->a, on_a));
    if (force->b >= 0) w += crm_vec6_dot(on_b, crm_velocity_of(model, state, force->b, on_b));
    return w;
}

// Metres to a unit of the row; f times `arm`, of W A at any size.
static double unit_of(double arm, double w, double slope) {
    double stiff = w * slope;
    return arm * (stiff < 1.0 ? stiff / (1.0 + stiff) : 1.0 / (1.0 + 1.0 / stiff));
}

// A block of the rows that move something; `kept`: impulses of the last step, one for each row.
static bool add_force(const carom_model *model, const carom_state *state, crm_lcp *lcp, const crm_force_rows *force,
                      double arm, int slot) {
    crm_lcp_problem *problem = &lcp->problem;
    if (force->count == 0) return true;
    if (!CRM_ARRAY_RESERVE(&model->allocator, &problem->blocks, (ptrdiff_t)problem->blocks.count + 1) ||
        !CRM_ARRAY_RESERVE(&model->allocator, &problem->forces, (ptrdiff_t)problem->forces.count + 3))
        return false;
    crm_rigid_block *block = &problem->blocks.items[problem->blocks.count];
    *block = (crm_rigid_block){.law = force->most < INFINITY ? CAROM_LAW_BOX : CAROM_LAW_EQUALITY,
                               .a = force->a >= 0 ? problem->slot_of[force->a] : -1,
                               .b = force->b >= 0 ? problem->slot_of[force->b] : -1};
    for (int k = 0; k < force->count; k++) {
        const crm_force_row *row = &force->row[k];
        double unit = unit_of(arm, answer_of(model, state, lcp, force, row), row->slope);
        if (!(unit > 0.0)) continue;
        int at = block->rows++;
        block->on_a[at] = crm_vec6_scale(unit, row->on_a), block->on_b[at] = crm_vec6_scale(unit, row->on_b);
        block->offset[at] = -unit * (row->impulse / row->slope);
        block->compliance[at] = unit * (unit / row->slope);
        block->upper = force->most / unit;
        block->lower = -block->upper;
        problem->forces.items[problem->forces.count++] = (crm_lcp_force){.unit = unit,
                                                                         .damping = row->damping,
                                                                         .drive = row->drive,
                                                                         .drive_slope = row->drive_slope,
                                                                         .slot = slot + k};
    }
    problem->blocks.count += block->rows > 0;
    return true;
}

static bool add_joints(const carom_model *model, const carom_state *state, const carom_input *input, crm_lcp *lcp,
                       int *slot) {
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (!joint->driven) continue;
        crm_joint_coordinates coordinates = crm_joint_coordinates_of(joint, state, j);
        for (int k = 0; k < joint->free; k++) {
            crm_force_rows force[CRM_COORDINATE_FORCES];
            if (!crm_coordinate_is_stiff(&joint->def.coordinate[k])) continue;
            carom_motor_def motor = crm_joint_motor(model, j, k, input);
            crm_coordinate_forces(joint, &coordinates, k, &motor, state->method.step, force);
            for (int i = 0; i < CRM_COORDINATE_FORCES; i++, ++*slot)
                if (!add_force(model, state, lcp, &force[i], crm_lcp_coordinate_scale(lcp, joint, k), *slot))
                    return false;
        }
    }
    return true;
}

static double size_of(const carom_model *model, int body) {
    double size = body >= 0 ? model->bodies.items[body].size : 0.0;
    return size > 0.0 ? size : 1.0;
}

static bool add_spring(const carom_model *model, const carom_state *state, crm_lcp *lcp, int index, int *slot) {
    crm_force_rows force[CRM_SPRING_FORCES];
    crm_spring_forces(&model->springs.items[index], state->motions, lcp->brakes.of[index], state->method.step, force);
    lcp->brakes.first_row[index] = lcp->problem.forces.count;
    for (int i = 0; i < CRM_SPRING_FORCES; i++, *slot += 3)
        if (!add_force(model, state, lcp, &force[i], i == 0 ? 1.0 : size_of(model, force[i].a), *slot)) return false;
    return true;
}

bool crm_lcp_add_forces(const carom_model *model, const carom_state *state, const carom_input *input, crm_lcp *lcp) {
    double h = state->method.step;
    int slot = 0;
    lcp->problem.forces.count = 0;
    lcp->problem.force_blocks = lcp->problem.blocks.count;
    if (lcp->force_slots == 0) return true;
    if (!add_joints(model, state, input, lcp, &slot)) return false;
    for (int i = 0; i < model->springs.count; i++)
        if (!add_spring(model, state, lcp, i, &slot)) return false;
    for (int i = 0; i < model->drags.count && model->mobility.kind != CAROM_MOBILITY_NONE; i++, slot += 6) {
        crm_force_rows force[2];
        crm_drag_rows(model, &model->drags.items[i], state->motions, h, force);
        if (!add_force(model, state, lcp, &force[0], 1.0, slot) ||
            !add_force(model, state, lcp, &force[1], size_of(model, force[1].a), slot + 3))
            return false;
    }
    return true;
}

void crm_lcp_recall_forces(crm_lcp *lcp, double *impulse) {
    const double *kept = lcp->row_impulse + (lcp->row_impulse_count - lcp->force_slots);
    for (int i = 0; i < lcp->problem.forces.count; i++) {
        const crm_lcp_force *force = &lcp->problem.forces.items[i];
        impulse[i] = kept[force->slot] / force->unit;
    }
}

void crm_lcp_keep_forces(crm_lcp *lcp, const double *impulse) {
    double *kept = lcp->row_impulse + (lcp->row_impulse_count - lcp->force_slots);
    for (int i = 0; i < lcp->problem.forces.count; i++) {
        const crm_lcp_force *force = &lcp->problem.forces.items[i];
        kept[force->slot] = impulse[i] * force->unit;
    }
}

// ---- work

// Of a row with the impulse r: what of it dampers and motors do, by the mean of the velocities before and after, which
// is what the kinetic energy changes by. The parts are those at the velocity that belongs to r by the row's law, so
// that they add up to r: next to a stiff row what solvers leave of velocities is much. Where the velocity changes its
// sign in the step a damper's work is that of its impulse and its way: never above 0.
static crm_force_work work_of(const crm_lcp_force *force, carom_law law, double r, double lawful, double mean) {
    double damped = -force->damping * lawful;
    double driven = law == CAROM_LAW_BOX ? r : force->drive - force->drive_slope * lawful;
    return (crm_force_work){.passive = fmin(damped * lawful, damped * mean), .active = driven * mean};
}

static void tell(const carom_model *model, carom_state *state, int a, int b, crm_force_work work,
                 double (*external)[CRM_EXTERNAL_NUMBERS]) {
    if (external == NULL) {
        crm_ledger_add(state, a, b, CRM_LINE_ACTIVE, work.active);
        crm_ledger_add(state, a, b, CRM_LINE_PASSIVE, work.passive);
        return;
    }
    double *of = external[crm_body_moves(model, a) ? a : b];
    crm_external_add_work(of, work.active + work.passive);
    crm_external_add_passive(of, work.passive);
}

crm_force_work crm_lcp_force_work(const carom_model *model, carom_state *state, const crm_lcp *lcp,
                                  double (*external)[CRM_EXTERNAL_NUMBERS]) {
    crm_force_work sum = {0.0, 0.0};
    int row = crm_lcp_force_row(lcp);
    const crm_lcp_force *force = lcp->problem.forces.items;
    bool in_fluid = model->mobility.kind != CAROM_MOBILITY_NONE;
    for (int i = lcp->problem.force_blocks; i < lcp->problem.blocks.count; i++) {
        const crm_rigid_block *block = &lcp->problem.blocks.items[i];
        for (int k = 0; k < block->rows; k++, row++, force++) {
            double after = lcp->velocity.items[row], r = lcp->problem.impulse.items[row], unit = force->unit;
            // In a fluid there is nothing but the way.
            double before = in_fluid ? after : crm_lcp_row_velocity_before(model, state, lcp, block, k);
            double lawful = -(block->offset[k] + block->compliance[k] * r);
            crm_force_work work = work_of(force, block->law, r * unit, lawful / unit, 0.5 * (before + after) / unit);
            sum.active += work.active, sum.passive += work.passive;
            tell(model, state, crm_lcp_body_at(lcp, block->a), crm_lcp_body_at(lcp, block->b), work, external);
        }
    }
    return sum;
}

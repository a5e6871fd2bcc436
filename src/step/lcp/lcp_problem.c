// SPDX-License-Identifier: MIT
// From motions, joints and contacts to the rows of a step's problem.
#include <math.h>
#include <string.h>

#include "model/joint/limit_motor_row.h"
#include "step/contacts/problem_body.h"
#include "step/lcp/lcp.h"

// ---- joints

// The share of a joint's error that is undone in a second, at no more than push_out: all rows alike, so that the joint
// closes straight.
static double closing_share(const carom_state *state, const crm_lcp *lcp, const crm_joint *joint,
                            const crm_joint_pose *pose) {
    double linear, angular;
    crm_joint_drift(joint, pose, &linear, &angular);
    double share = lcp->def.gamma / state->method.step, error = fmax(linear, lcp->arm * angular);
    return share * error > lcp->def.push_out ? lcp->def.push_out / error : share;
}

static bool add_joint(const carom_model *model, const carom_state *state, crm_lcp *lcp, int index, int *row) {
    const crm_joint *joint = &model->joints.items[index];
    if (joint->rows == 0) return true;
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    double residual[6], offset[6];
    crm_joint_row rows[6];
    crm_vec6 on_a[6], on_b[6];
    crm_lcp_joint_rows(lcp, joint, &pose, residual, rows);
    double share = closing_share(state, lcp, joint, &pose);
    for (int k = 0; k < joint->rows; k++) {
        offset[k] = share * residual[k];
        on_a[k] = rows[k].a, on_b[k] = rows[k].b;
    }
    carom_row_group group = {.law = CAROM_LAW_EQUALITY, .rows = joint->rows};
    const double *guess = lcp->row_impulse + *row;
    *row += joint->rows;
    lcp->layout.joint_groups++;
    return crm_step_problem_add_pair(&lcp->problem, group, offset, guess, joint->a.body, on_a, joint->b.body, on_b);
}

// ---- limits and velocity motors

static bool add_scalar(crm_lcp *lcp, const crm_joint *joint, carom_row_group group, double offset, double sign,
                       const crm_joint_row *row, int *number) {
    crm_vec6 on_a = crm_vec6_scale(sign, row->a), on_b = crm_vec6_scale(sign, row->b);
    lcp->layout.limit_motor_groups++;
    const double *guess = &lcp->row_impulse[(*number)++];
    return crm_step_problem_add_pair(&lcp->problem, group, &offset, guess, joint->a.body, &on_a, joint->b.body, &on_b);
}

// `room`: how far the coordinate is from its limit, m; negative beyond it.
static double limit_offset(const carom_state *state, const crm_lcp *lcp, double room) {
    double h = state->method.step;
    return room > 0.0 ? room / h : fmax(lcp->def.gamma * room / h, -lcp->def.push_out);
}

static bool add_drives(const carom_model *model, const carom_state *state, const carom_input *input, crm_lcp *lcp,
                       int index, int *number) {
    const crm_joint *joint = &model->joints.items[index];
    double h = state->method.step, value[6];
    crm_joint_row value_row[6], rate_row[6];
    crm_joint_pose pose = crm_joint_evaluate(joint, state->motions);
    crm_joint_values(joint, &state->configs[index], value);
    crm_lcp_value_rows(lcp, joint, &pose, value_row);
    crm_lcp_rate_rows(lcp, joint, &pose, rate_row);
    carom_row_group limit = {.law = CAROM_LAW_UNILATERAL, .rows = 1};
    for (int k = 0; k < joint->free; k++) {
        const carom_coordinate_def *c = &joint->def.coordinate[k];
        double scale = crm_lcp_coordinate_scale(lcp, joint, k);
        double above = limit_offset(state, lcp, scale * (value[k] - c->lower));
        double below = limit_offset(state, lcp, scale * (c->upper - value[k]));
        if (c->lower > -INFINITY && !add_scalar(lcp, joint, limit, above, 1.0, &value_row[k], number)) return false;
        if (c->upper < INFINITY && !add_scalar(lcp, joint, limit, below, -1.0, &value_row[k], number)) return false;
        if (c->motor.kind != CAROM_MOTOR_VELOCITY) continue;
        carom_motor_def motor = crm_joint_motor(model, index, k, input);
        double most = h * motor.max_force / scale;
        carom_row_group box = {.law = CAROM_LAW_BOX, .rows = 1, .lower = -most, .upper = most};
        if (!add_scalar(lcp, joint, box, -scale * motor.target_rate, 1.0, &rate_row[k], number)) return false;
    }
    return true;
}

// ---- contacts

// What stands beside the normal velocity: at most the gap may be gone through in the step; an overlap is undone by
// gamma. A contact that is reached with restitution has its rebound instead (docs/math.md 6.1, never the sum).
static double normal_offset(const carom_model *model, const carom_state *state, const crm_lcp *lcp,
                            const crm_contact_site *site) {
    const carom_lcp_def *def = &lcp->def;
    const crm_motion *motions = state->motions;
    double h = state->method.step, gap = site->gap - def->barrier;
    double offset = gap > 0.0 ? gap / h : fmax(def->gamma * gap / h, -def->push_out);
    if (site->restitution == 0.0) return offset;
    double approach = crm_dot(site->direction[0], crm_contact_approach(model, site, motions));
    double driven = crm_dot(site->direction[0], crm_contact_velocity(site, motions, lcp->motion.free));
    bool reached = gap + h * driven <= 0.0;
    if (!(approach < 0.0 && approach <= -lcp->rest_speed && reached)) return offset;
    // Newton's law asks for the rebound; Poisson's for a stop, from which the second phase leads away.
    return def->restitution == CAROM_RESTITUTION_NEWTON ? site->restitution * approach : 0.0;
}

// `guess`: impulses that the solver starts from.
static bool add_contact(const carom_model *model, const carom_state *state, crm_lcp *lcp, const crm_contact_site *site,
                        const double *guess) {
    double offset = normal_offset(model, state, lcp, site);
    bool relaxed = lcp->def.friction == CAROM_FRICTION_RELAXED;
    lcp->layout.contact_groups++;
    return crm_step_problem_add_contact(&lcp->problem, site, state->motions, site->friction, relaxed, offset, guess);
}

// In a viscous fluid something else stands for the masses.
static void set_resistances(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    for (int n = 0; n < lcp->problem.nodes.count; n++)
        crm_lcp_fluid_body(model, state, lcp->problem.body_of[n], &lcp->problem.nodes.items[n]);
}

bool crm_lcp_build(const carom_model *model, carom_state *state, const carom_input *input, crm_lcp *lcp) {
    lcp->layout = (crm_lcp_layout){0};
    lcp->two_phases = false;
    if (!crm_step_problem_begin(&lcp->problem, state->motions, lcp->motion.free)) return false;
    if (model->mobility.kind == CAROM_MOBILITY_STOKES) set_resistances(model, state, lcp);
    int number = 0;
    for (int j = 0; j < model->joints.count; j++) {
        if (!add_joint(model, state, lcp, j, &number)) return false;
    }
    lcp->layout.joint_rows = number;
    for (int j = 0; j < model->joints.count; j++) {
        if (!add_drives(model, state, input, lcp, j, &number)) return false;
    }
    lcp->layout.limit_motor_rows = number - lcp->layout.joint_rows;
    for (int c = 0; c < state->contact_list.count; c++) {
        const crm_contact_site *site = &lcp->contacts.sites.items[c];
        if (!add_contact(model, state, lcp, site, state->contact_list.items[c].impulse)) return false;
    }
    return CRM_ARRAY_RESIZE(&model->allocator, &lcp->velocity, lcp->problem.offset.count);
}

carom_problem crm_lcp_problem(const carom_model *model, crm_lcp *lcp) {
    carom_mobility_kind mobility = model->mobility.kind;
    bool coupled = mobility == CAROM_MOBILITY_MATRIX || mobility == CAROM_MOBILITY_FUNCTION;
    lcp->fluid.size = 6 * lcp->problem.nodes.count;
    carom_problem problem = crm_step_problem_view(&lcp->problem);
    if (!coupled) return problem;
    problem.form = CAROM_FORM_MOBILITY;
    problem.mobility = crm_lcp_fluid_mobility;
    problem.mobility_user = &lcp->fluid;
    return problem;
}

bool crm_lcp_without_stabilisation(crm_lcp *lcp) {
    bool any = false;
    double *offset = lcp->problem.offset.items, *impulse = lcp->problem.impulse.items;
    for (int g = 0; g < lcp->problem.groups.count; g++) {
        carom_law law = lcp->problem.groups.items[g].law;
        for (int k = 0; lcp->unmet.items[g] && k < lcp->problem.groups.items[g].rows; k++) {
            bool one_sided = (law == CAROM_LAW_UNILATERAL || law == CAROM_LAW_CONE) && k == 0;
            bool drives = law == CAROM_LAW_EQUALITY ? offset[k] != 0.0 : one_sided && offset[k] < 0.0;
            if (drives) offset[k] = 0.0;
            impulse[k] = 0.0;
            any |= drives;
        }
        offset += lcp->problem.groups.items[g].rows;
        impulse += lcp->problem.groups.items[g].rows;
    }
    return any;
}

// Entries stand in the order of their groups: the first row of each is found in passing.
typedef struct row_finder {
    int group, row;
} row_finder;

static int first_row(const crm_lcp *lcp, const carom_entry *entry, row_finder *finder) {
    while (finder->group < entry->group) finder->row += lcp->problem.groups.items[finder->group++].rows;
    return finder->row;
}

// Whether the group acts on one body only: the other one cannot move.
static bool is_alone(const crm_lcp *lcp, int entry) {
    const carom_entry *e = lcp->problem.entries.items;
    bool before = entry > 0 && e[entry - 1].group == e[entry].group;
    bool after = entry + 1 < lcp->problem.entries.count && e[entry + 1].group == e[entry].group;
    return !before && !after;
}

static bool is_motor(const crm_lcp *lcp, int group) {
    int limit_motor = group - lcp->layout.joint_groups;
    return limit_motor >= 0 && limit_motor < lcp->layout.limit_motor_groups &&
           lcp->problem.groups.items[group].law == CAROM_LAW_BOX;
}

typedef enum whose { OF_ALL, OF_THE_GROUND, OF_MOTORS } whose;

static void add_impulses(const carom_model *model, const crm_lcp *lcp, whose rows, crm_vec6 *wrench) {
    row_finder finder = {0, 0};
    for (int e = 0; e < lcp->problem.entries.count; e++) {
        const carom_entry *entry = &lcp->problem.entries.items[e];
        if (rows == OF_THE_GROUND && !is_alone(lcp, e)) continue;
        if (rows == OF_MOTORS && !is_motor(lcp, entry->group)) continue;
        int body = lcp->problem.body_of[entry->node], size = lcp->problem.nodes.items[entry->node].size;
        const double *r = lcp->problem.impulse.items + first_row(lcp, entry, &finder);
        carom_body_kind kind = model->bodies.items[body].kind;
        for (int k = 0; k < lcp->problem.groups.items[entry->group].rows; k++)
            crm_problem_body_unpack_add(kind, entry->rows + k * size, r[k], &wrench[body]);
    }
}

void crm_lcp_add_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    add_impulses(model, lcp, OF_ALL, wrench);
}

void crm_lcp_add_ground_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    add_impulses(model, lcp, OF_THE_GROUND, wrench);
}

void crm_lcp_add_motor_impulses(const carom_model *model, const crm_lcp *lcp, crm_vec6 *wrench) {
    add_impulses(model, lcp, OF_MOTORS, wrench);
}

void crm_lcp_solved_velocities(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    for (int b = 0; b < model->bodies.count; b++) lcp->motion.change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, lcp->motion.change);
    for (int b = 0; b < model->bodies.count; b++) {
        lcp->motion.change[b] = crm_velocity_of(model, state, b, lcp->motion.change[b]);
        if (lcp->problem.node_of[b] < 0) continue;
        crm_problem_body_unpack_add(model->bodies.items[b].kind, lcp->problem.nodes.items[lcp->problem.node_of[b]].free,
                                    1.0, &lcp->motion.change[b]);
    }
    crm_lcp_row_velocities(model, lcp->motion.change, lcp);
}

void crm_lcp_shift_free(const carom_model *model, const carom_state *state, crm_lcp *lcp) {
    for (int b = 0; b < model->bodies.count; b++) lcp->motion.change[b] = crm_vec6_zero();
    crm_lcp_add_impulses(model, lcp, lcp->motion.change);
    for (int n = 0; n < lcp->problem.nodes.count; n++) {
        int b = lcp->problem.body_of[n];
        crm_vec6 change = crm_velocity_of(model, state, b, lcp->motion.change[b]);
        crm_problem_body_pack(model->bodies.items[b].kind, crm_vec6_add(lcp->motion.free[b], change),
                              lcp->problem.nodes.items[n].free);
    }
}

void crm_lcp_row_velocities(const carom_model *model, const crm_vec6 *twist, crm_lcp *lcp) {
    row_finder finder = {0, 0};
    for (int i = 0; i < lcp->velocity.count; i++) lcp->velocity.items[i] = 0.0;
    for (int e = 0; e < lcp->problem.entries.count; e++) {
        const carom_entry *entry = &lcp->problem.entries.items[e];
        int body = lcp->problem.body_of[entry->node], size = lcp->problem.nodes.items[entry->node].size;
        double v[6], *u = lcp->velocity.items + first_row(lcp, entry, &finder);
        crm_problem_body_pack(model->bodies.items[body].kind, twist[body], v);
        for (int k = 0; k < lcp->problem.groups.items[entry->group].rows; k++) {
            for (int i = 0; i < size; i++) u[k] += entry->rows[k * size + i] * v[i];
        }
    }
}

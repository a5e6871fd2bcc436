// SPDX-License-Identifier: MIT
#include "step/certify/rates.h"

#include <math.h>

#include "carom/tools.h"
#include "math/dense/dense.h"
#include "math/dense/dense_cholesky.h"
#include "model/field/field.h"
#include "model/field/frame.h"
#include "model/field/pair_laws.h"
#include "model/force/evaluate.h"
#include "model/force/mobility.h"
#include "model/force/pair_potential.h"
#include "step/certify/accounts.h"
#include "step/certify/joint_open.h"
#include "step/method.h"

enum {
    SPRINGS = 1,
    DAMPERS = 2,
    GYROSCOPIC = 4,
    CHARGES = 8,
    JOINTS = 16,
    GAINS = 32,  // of position motors alone
    SWINGS = 64, // of those that swing about their target
    FIELDS = 128,
    MIDDLE = 256 // drag and dampers in the middle of a step or at its end
};

// Of steps that are stable at any rate no more is told: what swings faster is not followed, but does no more harm.
static const double stable_rate = 2.0;

typedef struct rate_check {
    const carom_model *model;
    carom_state *state;
    const crm_motion *motions;
    double step;
    unsigned looked_at;
} rate_check;

// Semi-implicit and explicit steps are unstable above a rate of 2; forces that are taken at the end of the step
// (step/implicit) have no such bound, but damp a swing about the target of a motor, whose energy is an input that no
// other rule sees. The midpoint rule of variational methods is stable at any rate, but follows no charges that meet
// within a step, no motor that is too stiff, and reverses velocities where drag and dampers are too strong;
// collisions in time and dp54 choose their own steps.
static unsigned taken_explicitly(const carom_method_def *def) {
    if (carom_method_is_adaptive(def)) return 0u;
    switch (def->method) {
    case CAROM_METHOD_LCP:
    case CAROM_METHOD_IMPULSE:
        return GYROSCOPIC | CHARGES | JOINTS | SWINGS;
    case CAROM_METHOD_EULER:
    case CAROM_METHOD_PENALTY:
        return SPRINGS | DAMPERS | GYROSCOPIC | CHARGES;
    case CAROM_METHOD_NEWMARK: // damping is taken at the end, and members from beta = gamma/2 on are stable
        return (2.0 * def->potential.beta < def->potential.gamma ? SPRINGS : 0u) | CHARGES | MIDDLE;
    case CAROM_METHOD_MULTIPLIER:
    case CAROM_METHOD_REDUCED:
        return SPRINGS | DAMPERS | CHARGES;
    case CAROM_METHOD_VARIATIONAL:
    case CAROM_METHOD_POTENTIAL:
    case CAROM_METHOD_DCR:
        return CHARGES | GAINS | MIDDLE;
    case CAROM_METHOD_EXACT:
        return GAINS | MIDDLE;
    default:
        return 0u;
    }
}

static bool in_fluid(const carom_model *model) {
    return model->mobility.kind != CAROM_MOBILITY_NONE;
}

// Of that, what the model has.
void crm_rates_prepare(carom_state *state) {
    const carom_model *model = state->model;
    unsigned looked_at = taken_explicitly(&state->method);
    if (model->joints.count == 0) looked_at &= ~(unsigned)(JOINTS | GAINS | SWINGS);
    if (model->joints.count == 0 && model->springs.count == 0) looked_at &= ~(unsigned)SPRINGS;
    if (model->drags.count == 0) looked_at &= ~(unsigned)DAMPERS;
    if (model->drags.count + model->damper_count == 0) looked_at &= ~(unsigned)MIDDLE;
    if (model->charges.count == 0 && model->laws.count == 0 && model->mean_motion == 0.0)
        looked_at &= ~(unsigned)CHARGES;
    if (model->fields.count > 0 && !carom_method_is_adaptive(&state->method)) looked_at |= FIELDS;
    if (in_fluid(model)) looked_at &= ~(unsigned)(GYROSCOPIC | JOINTS);
    state->accounts.rates = looked_at;
}

// ---- what forces move

static carom_vec3 spin_by(const crm_body *body, const crm_motion *m, carom_vec3 torque) {
    if (body->kind == CAROM_BODY_PLANAR) return crm_vec3(0.0, 0.0, body->inverse_inertia.z * torque.z);
    return crm_quat_rotate(m->q, crm_vec3_mul(body->inverse_inertia, crm_quat_rotate_inverse(m->q, torque)));
}

// The body's own block of the mobility; what its motion drags along is left out, and that of a function is not known.
static crm_vec6 velocity_in_fluid(const rate_check *c, int body, crm_vec6 wrench) {
    const crm_mobility *mobility = &c->model->mobility;
    double force[6] = {wrench.linear.x,  wrench.linear.y,  wrench.linear.z,
                       wrench.angular.x, wrench.angular.y, wrench.angular.z};
    double v[6] = {0.0};
    if (mobility->kind == CAROM_MOBILITY_STOKES) {
        crm_mat6 resistance = crm_mobility_resistance(c->model, body, &c->motions[body]);
        for (int k = 0; k < 6; k++) v[k] = force[k];
        (void)crm_cholesky_factor(6, resistance.e, 6); // of a body's drag: positive definite
        crm_cholesky_solve(6, resistance.e, 6, 1, v, 6);
    } else if (mobility->kind == CAROM_MOBILITY_MATRIX) {
        int first = 0;
        for (int b = 0; b < body; b++) first += crm_body_moves(c->model, b) ? 6 : 0;
        for (int i = 0; i < 6; i++)
            for (int k = 0; k < 6; k++)
                v[i] += mobility->matrix.items[(ptrdiff_t)(first + i) * mobility->size + first + k] * force[k];
    }
    return crm_vec6_of(crm_vec3(v[0], v[1], v[2]), crm_vec3(v[3], v[4], v[5]));
}

// M^-1 of the body, or its mobility, times a wrench.
static crm_vec6 velocity_by(const rate_check *c, int body, crm_vec6 wrench) {
    if (!crm_body_moves(c->model, body)) return crm_vec6_zero();
    const crm_body *of = &c->model->bodies.items[body];
    crm_vec6 projected = crm_wrench_projected(of->kind, wrench);
    if (in_fluid(c->model)) return velocity_in_fluid(c, body, projected);
    return crm_vec6_of(crm_scale(of->inverse_mass, projected.linear),
                       spin_by(of, &c->motions[body], projected.angular));
}

// ---- springs, dampers and charges between points

// What a unit force along n adds to the velocity of the point along n, per second: its share of 1/m_eff.
static double yield_of_point(const rate_check *c, crm_point point, carom_vec3 n) {
    if (!crm_body_moves(c->model, point.body)) return 0.0;
    carom_vec3 arm = crm_quat_rotate(c->motions[point.body].q, point.at);
    crm_vec6 push = crm_vec6_of(n, crm_cross(arm, n));
    return crm_vec6_dot(push, velocity_by(c, point.body, push));
}

// 1/m_eff along the line of the points, 1/kg, or the mobility along it; *distance between them, m.
static double yield_of_pair(const rate_check *c, crm_point a, crm_point b, double *distance) {
    carom_vec3 n;
    *distance = crm_normalise(crm_sub(crm_point_position(a, c->motions), crm_point_position(b, c->motions)), &n);
    if (*distance == 0.0) n = crm_vec3(1.0, 0.0, 0.0); // any
    return yield_of_point(c, a, n) + yield_of_point(c, b, n);
}

// Of a rate of damping that is told.
static double most_damping(const rate_check *c) {
    return (c->looked_at & MIDDLE) != 0 ? stable_rate : INFINITY;
}

// Stiffness and damping, where a unit of force is answered by `yield`.
static void raise_spring(const rate_check *c, double stiffness, double damping, double yield, int a, int b) {
    double h = c->step;
    crm_finding_raise(c->state, CAROM_RULE_SPRING_RATE, h * sqrt(stiffness * yield), a, b);
    crm_finding_raise(c->state, CAROM_RULE_DAMPING_RATE, fmin(h * damping * yield, most_damping(c)), a, b);
}

static void check_springs(const rate_check *c) {
    for (int i = 0; i < c->model->springs.count; i++) {
        const crm_spring *spring = &c->model->springs.items[i];
        double distance, yield = yield_of_pair(c, spring->a, spring->b, &distance);
        raise_spring(c, spring->stiffness, spring->damping, yield, spring->a.body, spring->b.body);
    }
}

// Dampers alone, where steps are stable with them.
static void check_dampers(const rate_check *c) {
    for (int i = 0; i < c->model->springs.count && c->model->damper_count > 0; i++) {
        const crm_spring *spring = &c->model->springs.items[i];
        if (spring->damping == 0.0) continue;
        double distance, yield = yield_of_pair(c, spring->a, spring->b, &distance);
        crm_finding_raise(c->state, CAROM_RULE_DAMPING_RATE, fmin(c->step * spring->damping * yield, most_damping(c)),
                          spring->a.body, spring->b.body);
    }
}

// No less than yield_of_point along any direction.
static double most_yield(const rate_check *c, crm_point point) {
    if (!crm_body_moves(c->model, point.body)) return 0.0;
    const crm_body *body = &c->model->bodies.items[point.body];
    return body->inverse_mass + crm_length_squared(point.at) * crm_max_component(body->inverse_inertia);
}

// Below the largest rate so far by more than roundings: most pairs of a run are.
static bool is_surely_slow(const rate_check *c, const crm_pair_potential *pair) {
    if (in_fluid(c->model)) return false;
    carom_vec3 apart = crm_sub(crm_point_position(pair->a, c->motions), crm_point_position(pair->b, c->motions));
    double square = crm_length_squared(apart), known = c->state->accounts.finding[CAROM_RULE_CHARGE_RATE].value;
    double most = 2.0 * fabs(pair->strength) * (most_yield(c, pair->a) + most_yield(c, pair->b));
    return c->step * c->step * most < 0.999 * known * known * square * sqrt(square);
}

// The stiffest that a field of a centre, a frame or a grid is: the norm bounds it, and all masses of a body together
// yield no more than the body.
static void check_field(const rate_check *c, const crm_pair_potential *pair) {
    const crm_body *body = &c->model->bodies.items[pair->a.body];
    crm_pair_potential_value value = crm_pair_potential_evaluate(pair, crm_point_position(pair->a, c->motions),
                                                                 crm_point_position(pair->b, c->motions));
    double yield = in_fluid(c->model) ? yield_of_point(c, pair->a, crm_vec3(1.0, 0.0, 0.0)) : body->inverse_mass;
    double points = crm_length(pair->a.at) > 0.0 ? CRM_MASS_POINTS : 1.0;
    crm_finding_raise(c->state, CAROM_RULE_CHARGE_RATE, c->step * sqrt(points * crm_mat3_norm(value.hessian) * yield),
                      pair->a.body, -1);
}

// As charges fall together; by the slope of the law's force at this distance.
static void check_law(const rate_check *c, const crm_pair_potential *pair) {
    double d, yield = yield_of_pair(c, pair->a, pair->b, &d);
    bool power = pair->kind == CRM_PAIR_POTENTIAL_POWER;
    crm_radial_value value =
        power ? crm_power_law_evaluate(pair->law.power, d) : crm_table_law_evaluate(pair->law.table, d);
    if (yield > 0.0)
        crm_finding_raise(c->state, CAROM_RULE_CHARGE_RATE, c->step * sqrt(fabs(value.bend) * yield), pair->a.body,
                          pair->b.body);
}

static void check_charges(const rate_check *c) {
    for (int i = 0; i < c->model->pair_potentials.count; i++) {
        const crm_pair_potential *pair = &c->model->pair_potentials.items[i];
        if (pair->kind == CRM_PAIR_POTENTIAL_POWER || pair->kind == CRM_PAIR_POTENTIAL_TABLE)
            check_law(c, pair);
        else if (pair->kind > CRM_PAIR_POTENTIAL_TABLE)
            check_field(c, pair);
        if (pair->kind != CRM_PAIR_POTENTIAL_CHARGES || is_surely_slow(c, pair)) continue;
        double r, yield = yield_of_pair(c, pair->a, pair->b, &r);
        double rate = sqrt(2.0 * fabs(pair->strength) * yield / (r * r * r));
        if (pair->strength != 0.0 && yield > 0.0)
            crm_finding_raise(c->state, CAROM_RULE_CHARGE_RATE, c->step * rate, pair->a.body, pair->b.body);
    }
}

// ---- drag

// About the axis of the spin; of a body that does not rotate the least, about any axis.
static double angular_yield(const crm_body *body, const crm_motion *m, carom_vec3 spin) {
    carom_vec3 axis;
    if (crm_normalise(spin, &axis) > 0.0) return crm_dot(axis, spin_by(body, m, axis));
    carom_vec3 inverse = body->inverse_inertia;
    return body->kind == CAROM_BODY_PLANAR ? inverse.z : fmin(inverse.x, fmin(inverse.y, inverse.z));
}

static void check_drags(const rate_check *c) {
    for (int i = 0; i < c->model->drags.count; i++) {
        const carom_drag_def *drag = &c->model->drags.items[i];
        int b = drag->body.index;
        const crm_body *body = &c->model->bodies.items[b];
        const crm_motion *m = &c->motions[b];
        double speed = crm_length(crm_motion_velocity(body, m));
        double linear = (drag->linear + drag->quadratic * speed) * body->inverse_mass;
        double angular = drag->angular * angular_yield(body, m, crm_motion_spin(body, m));
        crm_finding_raise(c->state, CAROM_RULE_DAMPING_RATE, fmin(c->step * fmax(linear, angular), most_damping(c)), b,
                          -1);
    }
}

// ---- fields

static double norm_of(const double *block, int row, int column) {
    double sum = 0.0;
    for (int j = 0; j < 3; j++)
        for (int i = 0; i < 3; i++) {
            double e = block[row + i + 6 * (column + j)];
            sum += e * e;
        }
    return sqrt(sum);
}

// All of them are taken explicitly. A frame's rates are the body's 2n, whatever its mass.
static void check_fields(const rate_check *c) {
    for (int i = 0; i < c->model->fields.count; i++) {
        const crm_field *field = &c->model->fields.items[i];
        int b = field->body;
        double inverse = c->model->bodies.items[b].inverse_mass, stiffness[36] = {0.0}, damping[36] = {0.0};
        crm_field_add_derivatives(c->model, field, &c->motions[b], stiffness, damping);
        bool rotates = field->kind == CRM_FIELD_CORIOLIS;
        double rate = rotates ? 2.0 * field->of.mean_motion : norm_of(damping, 0, 0) * inverse;
        crm_finding_raise(c->state, rotates ? CAROM_RULE_GYROSCOPIC_RATE : CAROM_RULE_DAMPING_RATE, c->step * rate, b,
                          -1);
        crm_finding_raise(c->state, CAROM_RULE_CHARGE_RATE, c->step * sqrt(norm_of(stiffness, 0, 0) * inverse), b, -1);
    }
}

// ---- coordinates of joints

static crm_joint_row velocity_by_row(const rate_check *c, const crm_joint *joint, const crm_joint_row *row) {
    return (crm_joint_row){velocity_by(c, joint->a.body, row->a), velocity_by(c, joint->b.body, row->b)};
}

static double row_dot(const crm_joint_row *row, const crm_joint_row *velocity) {
    return crm_vec6_dot(row->a, velocity->a) + crm_vec6_dot(row->b, velocity->b);
}

// 1/m_eff of a coordinate, r M^-1 r^T less what the rows J of the same joint hold:
// r M^-1 J^T (J M^-1 J^T)^-1 J M^-1 r^T. Other joints of both bodies are left out.
static double yield_of_coordinate(const rate_check *c, const crm_joint *joint, const crm_joint_row *row,
                                  const crm_joint_row blocked[6]) {
    crm_joint_row moved = velocity_by_row(c, joint, row);
    double yield = row_dot(row, &moved), matrix[36], held[6];
    int rows = joint->rows;
    for (int i = 0; i < rows; i++) {
        crm_joint_row by = velocity_by_row(c, joint, &blocked[i]);
        for (int k = 0; k < rows; k++) matrix[rows * i + k] = row_dot(&blocked[k], &by);
        held[i] = row_dot(&blocked[i], &moved);
    }
    if (rows == 0) return yield;
    (void)crm_cholesky_factor(rows, matrix, rows); // rows that hold nothing, as of planar bodies, are dropped
    crm_cholesky_solve_lower(rows, matrix, rows, held);
    return fmax(yield - crm_dense_dot(rows, held, held), 0.0);
}

static void check_driven(const rate_check *c) {
    for (int j = 0; j < c->model->joints.count; j++) {
        const crm_joint *joint = &c->model->joints.items[j];
        if (!joint->driven) continue;
        crm_joint_pose pose = crm_joint_evaluate(joint, c->motions);
        crm_joint_row rate_row[6], blocked[6];
        double residual[6];
        crm_joint_rate_rows(joint, &pose, rate_row);
        crm_joint_rows(joint, &pose, residual, blocked);
        for (int k = 0; k < joint->free; k++) {
            const carom_coordinate_def *def = &joint->def.coordinate[k];
            bool position = def->motor.kind == CAROM_MOTOR_POSITION;
            double stiffness = def->stiffness + (position ? def->motor.stiffness : 0.0);
            double damping = def->damping + (position ? def->motor.damping : 0.0);
            if (stiffness == 0.0 && damping == 0.0) continue;
            double yield = yield_of_coordinate(c, joint, &rate_row[k], blocked);
            if ((c->looked_at & SPRINGS) != 0) {
                raise_spring(c, stiffness, damping, yield, joint->a.body, joint->b.body);
                continue;
            }
            bool swings = damping * sqrt(yield) < 2.0 * sqrt(stiffness); // less than critically damped
            if (!position || (!swings && (c->looked_at & GAINS) == 0)) continue;
            double rate = c->step * sqrt(def->motor.stiffness * yield);
            crm_finding_raise(c->state, CAROM_RULE_SPRING_RATE, fmin(rate, stable_rate), joint->a.body, joint->b.body);
        }
    }
}

// ---- rotation and swing

static void check_tumbling(const rate_check *c) {
    const double *worst = &c->state->accounts.finding[CAROM_RULE_GYROSCOPIC_RATE].value;
    for (int b = 0; b < c->model->bodies.count; b++) {
        const crm_body *body = &c->model->bodies.items[b];
        if (body->kind != CAROM_BODY_FREE) continue;
        carom_vec3 i = body->inertia;
        double least = fmin(i.x, fmin(i.y, i.z)), most = fmax(i.x, fmax(i.y, i.z));
        double unevenness = c->step * (most - least) / most;
        // |w| <= |L| / I_min: most bodies are done with.
        if (unevenness * crm_length(c->motions[b].l) <= *worst * least) continue;
        crm_finding_raise(c->state, CAROM_RULE_GYROSCOPIC_RATE,
                          unevenness * crm_length(crm_motion_spin(body, &c->motions[b])), b, -1);
    }
}

static double spin_of(const rate_check *c, int body) {
    if (!crm_body_moves(c->model, body)) return 0.0;
    return crm_length(crm_motion_spin(&c->model->bodies.items[body], &c->motions[body]));
}

static double inverse_mass_of(const rate_check *c, int body) {
    return crm_body_moves(c->model, body) ? c->model->bodies.items[body].inverse_mass : 0.0;
}

// A body on a joint that pulls with F swings at sqrt(F / (m l)): sqrt(g/l) of a pendulum, v/l of what goes round.
// What joints keep from rotating against each other does not.
static double swing_of(const rate_check *c, int j) {
    const crm_joint *joint = &c->model->joints.items[j];
    if (joint->angular == &crm_joint_locked) return 0.0;
    double size = crm_joint_held_size(c->model, joint, crm_length(joint->a.at), crm_length(joint->b.at));
    double yield = inverse_mass_of(c, joint->a.body) + inverse_mass_of(c, joint->b.body);
    return sqrt(crm_length(c->state->reaction[j].linear) * yield / size);
}

static void check_joints(const rate_check *c) {
    for (int j = 0; j < c->model->joints.count; j++) {
        int a = c->model->joints.items[j].a.body, b = c->model->joints.items[j].b.body;
        double rate = fmax(swing_of(c, j), fmax(spin_of(c, a), spin_of(c, b)));
        crm_finding_raise(c->state, CAROM_RULE_JOINT_RATE, c->step * rate, a, b);
    }
}

void crm_rates_check(const carom_model *model, carom_state *state, const crm_motion *motions) {
    unsigned looked_at = state->accounts.rates;
    if (looked_at == 0) return;
    rate_check c = {model, state, motions, state->method.step, looked_at};
    if ((looked_at & SPRINGS) != 0) check_springs(&c);
    if ((looked_at & (SPRINGS | GAINS | SWINGS)) != 0) check_driven(&c); // of SPRINGS their dampers, too
    if ((looked_at & MIDDLE) != 0) check_dampers(&c);
    if ((looked_at & (DAMPERS | MIDDLE)) != 0) check_drags(&c);
    if ((looked_at & CHARGES) != 0) check_charges(&c);
    if ((looked_at & FIELDS) != 0) check_fields(&c);
    if ((looked_at & GYROSCOPIC) != 0) check_tumbling(&c);
    if ((looked_at & JOINTS) != 0) check_joints(&c);
}

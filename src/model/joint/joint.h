// SPDX-License-Identifier: MIT
// What methods ask of a joint: rows, velocity products, motion subspace, coordinates, forces.
//
// Twists are (velocity of the centre of mass, spin), wrenches (force, torque about the centre of mass), both in world
// axes, as everywhere. The twist of the world and of fixed bodies is zero. A point's spin is zero, and a torque on it
// is projected away (crm_wrench_projected); the same for the other motions of planar bodies.
//
// Order of rows: blocked linear motions, then blocked angular ones. Order of coordinates: likewise the free ones.
//
//   residual    c(poses), and d c/dt = J t,  J t = row.a . t_a + row.b . t_b           (any poses and twists)
//               d^2 c/dt^2 = J dt/dt + product                                         (any poses and twists)
//   subspace    t_child = X t_parent + S rate,  dt_child/dt = X dt_parent/dt + S d(rate)/dt + bias    (joint closed)
// with X t = (v + w x (x_child - x_parent), w), the rigid transport. A multiplier of row k acts on a with row.a and on
// b with row.b times it: the two wrenches balance exactly about every point, also where a joint has drifted.
#ifndef CRM_MODEL_JOINT_H
#define CRM_MODEL_JOINT_H

#include "math/spatial.h"
#include "model/joint/joint_component.h"
#include "model/motion.h"

// A joint at given poses: all that the functions below need of them.
typedef struct crm_joint_pose {
    carom_mat3 axes;             // of frame A, in the world
    carom_vec3 arm_a, arm_b;     // from the centres of mass of a and b (of the world: its origin) to B's origin, world
    crm_joint_relation relation; // frame B seen from A
} crm_joint_pose;

// `motions` are those of all bodies; momenta are not read.
crm_joint_pose crm_joint_evaluate(const crm_joint *joint, const crm_motion *motions);

// The twists of a joint's bodies.
typedef struct crm_joint_twists {
    crm_vec6 a, b;
} crm_joint_twists;

crm_joint_twists crm_joint_twists_of(const carom_model *model, const crm_joint *joint, const crm_motion *motions);

// ---- rows

typedef struct crm_joint_row {
    crm_vec6 a, b;
} crm_joint_row;

static inline double crm_joint_row_rate(const crm_joint_row *row, const crm_joint_twists *twists) {
    return crm_vec6_dot(row->a, twists->a) + crm_vec6_dot(row->b, twists->b);
}

// joint->rows of each. `row` may be NULL.
void crm_joint_rows(const crm_joint *joint, const crm_joint_pose *pose, double residual[6], crm_joint_row row[6]);

// J-dot t: joint->rows numbers.
void crm_joint_products(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                        double product[6]);

// Force and torque on b about B's origin, world axes, of these multipliers (joint->rows).
crm_vec6 crm_joint_reaction(const crm_joint *joint, const crm_joint_pose *pose, const double *multiplier);

// Length of the linear and of the angular part of the residual, m and rad.
void crm_joint_drift(const crm_joint *joint, const crm_joint_pose *pose, double *linear, double *angular);

// ---- motion subspace, for trees

// The columns of S, joint->free of them. Not reversed, b is the child; reversed, a is, and the rates are still those of
// B seen from A.
void crm_joint_motion(const crm_joint *joint, const crm_joint_pose *pose, bool reversed, crm_vec6 column[6]);

// The free directions in world axes, joint->free of them. About B's origin the columns of S are bare axes, (axis, 0) of
// linear coordinates and (0, axis) of angular ones, and the bias is that below; reversed, all with the other sign.
void crm_joint_axes(const crm_joint *joint, const crm_joint_pose *pose, carom_vec3 axis[6]);

// The bias is the part of the child's acceleration that is there without accelerations of the parent and of the
// coordinates. Here it is moved rigidly to B's origin, from the spins of both bodies and the rates of the coordinates.
crm_vec6 crm_joint_origin_bias(const crm_joint *joint, const crm_joint_pose *pose, carom_vec3 wa, carom_vec3 wb,
                               const double *rate);

// Rates of the coordinates, joint->free of them; of three free angles the relative spin in A's axes.
void crm_joint_rates(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                     double rate[6]);

// The coordinates at these poses. Angles are the ones nearest to those of `previous`, or in (-pi, pi] without it.
crm_joint_config crm_joint_config_of(const crm_joint *joint, const crm_joint_pose *pose,
                                     const crm_joint_config *previous);

// Goes on by `step` (rates times time, joint->free numbers): a rotation of three free angles by exp(step) from the
// left.
crm_joint_config crm_joint_config_step(const crm_joint *joint, const crm_joint_config *config, const double *step);

// Puts the child where the coordinates say: fills x and q of motions[child] from those of the parent. The joint's pose
// there.
crm_joint_pose crm_joint_put_child(const crm_joint *joint, const crm_joint_config *config, bool reversed,
                                   crm_motion *motions);

// ---- coordinates as numbers, and what acts on them

// joint->free numbers: slides, angles, and for three free angles the rotation vector.
void crm_joint_values(const crm_joint *joint, const crm_joint_config *config, double value[6]);

// rate[k] = row[k] . t: what a damper, a motor of force f on coordinate k acts by on the bodies, f row[k].
void crm_joint_rate_rows(const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]);

// d value[k]/dt = row[k] . t, where the joint is closed: what springs and limits act by. The same as the rows of the
// rates but for three free angles.
void crm_joint_value_rows(const crm_joint *joint, const crm_joint_pose *pose, crm_joint_row row[6]);

// The rest of d^2 value[k]/dt^2 = row[k] dt/dt + product, where the joint is closed and stays so.
void crm_joint_value_products(const crm_joint *joint, const crm_joint_pose *pose, const crm_joint_twists *twists,
                              double product[6]);

// Whether a motor's force depends on value or rate.
bool crm_motor_has_gains(const carom_motor_def *motor);

// Whether something that acts on a coordinate depends on value or rate: a spring, a damper, a motor with gains.
bool crm_coordinate_is_stiff(const carom_coordinate_def *coordinate);

// The motor of a coordinate as it is in this step: its definition, or what the input says.
carom_motor_def crm_joint_motor(const carom_model *model, int joint, int coordinate, const carom_input *input);

// Forces on one coordinate.
typedef struct crm_coordinate_force {
    double spring;  // -stiffness (value - rest): of a potential
    double energy;  // of that potential, J
    double active;  // damper, and motors but velocity motors: those are rows with a bound, value rate = target_rate,
                    // |force| <= max_force, which methods solve; so are limits, lower <= value <= upper
    double passive; // the damper's part of it
} crm_coordinate_force;

crm_coordinate_force crm_joint_coordinate_force(const carom_coordinate_def *coordinate, const carom_motor_def *motor,
                                                double value, double rate);

// ---- all joints of a model; `configs` are their last configurations (joint_count), which say in which full rotation
// an angle is

// Adds the wrenches of springs to wrench[body], those of dampers and motors to active[body] (crm_coordinate_force),
// those of dampers to passive[body], too.
void crm_joints_add_forces(const carom_model *model, const crm_motion *motions, const crm_joint_config *configs,
                           const carom_input *input, crm_vec6 *wrench, crm_vec6 *active, crm_vec6 *passive);

// Of these only the motors whose forces depend on nothing, to active[body].
void crm_joints_add_given_forces(const carom_model *model, const crm_motion *motions, const carom_input *input,
                                 crm_vec6 *active);

// Potential energy of the springs.
// As crm_coupling_energy (model/force/evaluate.h) has it of bodies.
double crm_joints_energy(const carom_model *model, const crm_motion *motions, const crm_joint_config *configs,
                         double *of_body, size_t stride);

// Brings the configurations up to new motions, less than half a rotation away.
void crm_joints_remember(const carom_model *model, const crm_motion *motions, crm_joint_config *configs);

#endif

// SPDX-License-Identifier: MIT
// Forces and energies of a whole model at given motions.
//
// This folder: motions enter, wrenches about the centres of mass, their derivatives, energies and mobilities leave, for
// all methods and the certificate.
#ifndef CRM_MODEL_EVALUATE_H
#define CRM_MODEL_EVALUATE_H

#include "math/spatial.h"
#include "model/flex/flex_forces.h"
#include "model/joint/joint.h"
#include "model/motion.h"

// What a callback answered: the first answer that was not 0 or not a number, and of which body; or which element has no
// energy. The body is -1 when all is well.
typedef struct crm_callback_answer {
    int answer;
    int body;
    bool not_finite; // the answer was 0, but the force or torque is no number
    bool inverted;   // no callback: the body is a node of an element that has no energy
    int element;     // that
} crm_callback_answer;

// wrench[body]: force and torque about the centre of mass, world axes, projected on what the body's kind can do (zero
// of a fixed one). active[body]: the part of it that is not the gradient of a potential; passive[body]: the part of
// that which drag, atmospheres at rest, dampers and the damping of joints make. Springs, dampers, force and position
// motors of joints are in them; what joints block, limits and velocity motors are not. `configs` are the last ones of
// the joints (joint_count); `input` may be NULL.
crm_callback_answer crm_forces_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                        const crm_joint_config *configs, const carom_input *input, crm_vec6 *wrench,
                                        crm_vec6 *active, crm_vec6 *passive);

// Some of a model's bodies that move, with all those that pair potentials and dampers connect them to.
typedef struct crm_body_scope {
    const int *body; // ascending (count)
    int count;
    const int *group; // of every body of the model: `of` for those in the scope (body_count)
    int of;
} crm_body_scope;

// The same for the bodies of a scope alone; those of others stay as they are. Of a model without joints.
crm_callback_answer crm_forces_evaluate_scope(const carom_model *model, const crm_body_scope *scope, double time,
                                              const crm_motion *motions, const carom_input *input, crm_vec6 *wrench,
                                              crm_vec6 *active, crm_vec6 *passive);

// The same of the forces that depend on neither stiffness nor damping: without springs, dampers, drag, and without the
// springs, dampers and position motors of joints, which methods take at the end of the step (step/implicit), and
// without the elements of flexible bodies.
crm_callback_answer crm_given_forces_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                              const carom_input *input, crm_vec6 *wrench, crm_vec6 *active,
                                              crm_vec6 *passive);

// The wrench about the centre of mass of a force at the body frame's origin. `motion` is the body's.
crm_vec6 crm_force_value_about_centre(const crm_body *body, const crm_motion *motion, const carom_force_value *value);
// The same of all forces but weights, pair potentials, elements, those of joints and of the input: drag, dampers of
// springs, wrenches, fields without a potential, callbacks, with one or without. Variational methods take these where a
// step has its middle (step/forced/discrete_forces.h).
crm_callback_answer crm_unpaired_forces_evaluate(const carom_model *model, double time, const crm_motion *motions,
                                                 crm_vec6 *wrench, crm_vec6 *active, crm_vec6 *passive);

// Whether a model has any of these, and which bodies that move they act on (body_count).
static inline bool crm_model_has_unpaired_forces(const carom_model *model) {
    return model->drags.count + model->damper_count + model->wrenches.count + model->callbacks.count +
               model->system_callbacks.count + model->fields.count >
           0;
}
void crm_bodies_with_unpaired_forces(const carom_model *model, bool *unpaired);

// Potential energy of those that have one.
double crm_unpaired_energy(const carom_model *model, double time, const crm_motion *motions);

// The wrench of one callback about its body's centre of mass, and what it answered. `motion` is its body's.
int crm_callback_wrench(const carom_model *model, const carom_callback_def *callback, double time,
                        const crm_motion *motion, crm_vec6 *wrench);

// Whether a body of this kind moves in component 0 ... 5 (linear x, y, z, angular x, y, z).
bool crm_kind_admits(carom_body_kind kind, int component);

// The components in which a body of this kind moves; the others are zero.
crm_vec6 crm_wrench_projected(carom_body_kind kind, crm_vec6 wrench);

// Wrenches of the input alone, those about centres of mass, projected on what bodies can do (body_count). `input` may
// be NULL.
void crm_input_wrenches(const carom_model *model, const carom_input *input, crm_vec6 *wrench);

// Potential energy of springs, those of joints included, of all other pair potentials, and of callbacks at the given
// time: of all but elements and gravity. Each is added to a body that moves and that it is about: *(of_body + body *
// stride bytes); of_body may be NULL.
double crm_coupling_energy(const carom_model *model, double time, const crm_motion *motions,
                           const crm_joint_config *configs, double *of_body, size_t stride);

// Whether a model has anything of that.
static inline bool crm_model_is_coupled(const carom_model *model) {
    return model->joints.count > 0 || model->pair_potentials.count > 0 || model->callbacks.count > 0 ||
           model->system_callbacks.count > 0;
}

// Adds the energy of a pair of bodies, one of which may be -1, to the one that moves.
void crm_energy_add_to_body(const carom_model *model, int a, int b, double energy, double *of_body, size_t stride);

// Potential: of the above, of elements and of gravity, which is zero at the origin.
carom_energy crm_energy(const carom_model *model, double time, const crm_motion *motions,
                        const crm_joint_config *configs);
carom_momentum crm_momentum(const carom_model *model, const crm_motion *motions);

#endif

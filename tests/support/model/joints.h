// SPDX-License-Identifier: MIT
// Jointed models for tests in a few words. A call that should not fail and does is a failed check with its sentence.
#ifndef TEST_SUPPORT_JOINTS_H
#define TEST_SUPPORT_JOINTS_H

#include "support/model/world.h"

// A test of joints that runs under each method that integrates them; `by` is the method.
#define BY_BOTH(name)                       \
    static void name##_by(carom_method by); \
    TEST(name) {                            \
        name##_by(CAROM_METHOD_MULTIPLIER); \
        name##_by(CAROM_METHOD_REDUCED);    \
    }                                       \
    static void name##_by(carom_method by)

// Bars along x hang in a row from the world's origin by joints of this kind, hinges about y; bar k from (k, 0, 0) to
// (k + 1, 0, 0).
carom_model *joints_chain(int links, carom_joint_kind kind, carom_vec3 gravity);

// A bar of length 1 m and mass 2 kg along x with its middle at `middle`, at rest.
carom_body_def joints_bar(carom_vec3 middle);

// Both frames at `point` with z along `axis`.
carom_joint_def joints_def(const carom_model *model, carom_joint_kind kind, carom_body a, carom_body b,
                           carom_vec3 point, carom_vec3 axis);
carom_joint joints_add(carom_model *model, const carom_joint_def *def);

// A state; the method is `multiplier` unless it is given; freezes the model when it is still open.
carom_state *joints_state(carom_model *model, const carom_method_def *def);
carom_method_def joints_method(carom_integrator integrator, double step, double tolerance);
carom_method_def joints_method_by(carom_method by, carom_integrator integrator, double step, double tolerance);
carom_joint_state joints_get(const carom_state *state, int joint);

#endif

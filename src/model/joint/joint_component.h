// SPDX-License-Identifier: MIT
// The table of joints. A joint is a linear component (where B's origin may be) and an angular component (which
// attitudes B may have); each is one file with one crm_joint_component, all of it seen from frame A and in A's axes, so
// that nothing depends on where the joint stands in the world. joint.h composes the two and carries them to the bodies'
// twists.
//
// The `rate` of a linear component is the derivative of the offset, d(offset)/dt; that of an angular component is the
// relative spin u = R_A^T (w_b - w_a), so that rotation <- exp(dt u) rotation.
#ifndef CRM_MODEL_JOINT_COMPONENT_H
#define CRM_MODEL_JOINT_COMPONENT_H

#include "math/quat.h"
#include "model/model.h"

// Frame B seen from frame A.
typedef struct crm_joint_relation {
    carom_vec3 offset;   // B's origin, m
    carom_quat rotation; // B's axes to A's
} crm_joint_relation;

// The coordinates of a joint in the form in which they are stepped. Members that a joint does not have stay zero (the
// identity).
typedef struct crm_joint_config {
    double slide[3];     // linear ones in order, m
    double angle[2];     // of angular_free 1 and 2, rad; counts full rotations
    carom_quat rotation; // of angular_free 3
} crm_joint_config;

typedef struct crm_joint_component {
    int blocked, free; // rows and coordinates

    // residual[k], m or rad, zero exactly where the component allows the relation (the shorter arc counts),
    // and gradient[k], with which d residual[k]/dt = gradient[k] . rate at every relation. NULL without rows.
    void (*rows)(const crm_joint *joint, const crm_joint_relation *relation, double *residual, carom_vec3 *gradient);

    // d^2 residual[k]/dt^2 while the rate is constant. NULL where it is zero.
    void (*curvature)(const crm_joint *joint, const crm_joint_relation *relation, carom_vec3 rate, double *curvature);

    // The free directions: rate = sum of axis[k] times rate k, and rate k = axis[k] . rate, as they are orthonormal
    // where the residual is zero. NULL without coordinates.
    void (*axes)(const crm_joint_relation *relation, carom_vec3 *axis);

    // d(rate)/dt while the rates of the coordinates are constant: the axes that move. NULL where it is zero.
    carom_vec3 (*axes_rate)(const crm_joint_relation *relation, const double *coordinate_rate);

    // Coordinates of a relation near the allowed ones; angles in (-pi, pi]. And the allowed relation of coordinates.
    void (*to_config)(const crm_joint_relation *relation, crm_joint_config *config);
    void (*from_config)(const crm_joint_config *config, crm_joint_relation *relation);
} crm_joint_component;

// By the number of free motions.
extern const crm_joint_component *const crm_joint_linear_components[4];
extern const crm_joint_component *const crm_joint_angular_components[4];

// Linear.
extern const crm_joint_component crm_joint_point;    // 0 free
extern const crm_joint_component crm_joint_line;     // 1
extern const crm_joint_component crm_joint_plane;    // 2
extern const crm_joint_component crm_joint_anywhere; // 3
extern const crm_joint_component crm_joint_distance; // a sphere about A's origin: one row, no coordinates
// Angular.
extern const crm_joint_component crm_joint_locked;       // 0 free
extern const crm_joint_component crm_joint_hinge;        // 1
extern const crm_joint_component crm_joint_universal;    // 2
extern const crm_joint_component crm_joint_any_rotation; // 3
extern const crm_joint_component
    crm_joint_no_rotation; // nothing blocked and no coordinates: mass points, distance joints

#endif

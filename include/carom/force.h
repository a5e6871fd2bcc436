// SPDX-License-Identifier: MIT
/// @file
/// Forces beyond springs, charges and drag: of two points by a law of their distance, of a function that sees several
/// bodies at once, and of fields: central gravity, an atmosphere, sunlight, a grid of values.
///
/// Arrays of definitions are copied. All calls fail with CAROM_ERR_FROZEN once the model is frozen.
#ifndef CAROM_FORCE_H
#define CAROM_FORCE_H

#include "carom/model.h"

// ---- pairs of points

/// The force of two points on each other along their line, by their distance d. Positive: it drives them apart. All
/// laws have a potential.
typedef enum carom_pair_law {
    CAROM_PAIR_LAW_SPRING, ///< -stiffness (d - rest_length): a spring without damping.
    CAROM_PAIR_LAW_CHARGE, ///< coulomb_constant charge_a charge_b / d^2; no other charge feels these two.
    CAROM_PAIR_LAW_POWER,  ///< repulsion / d^repulsion_exponent - attraction / d^attraction_exponent
    CAROM_PAIR_LAW_TABLE,  ///< By points of a table: see carom_pair_def.
    CAROM_PAIR_LAW_COUNT
} carom_pair_law;

/// A force between a point of body `a` and a point of body `b` (either may be CAROM_WORLD, then the point is a world
/// point). Laws that grow without bound at distance 0 give no number there, and the step is refused.
typedef struct carom_pair_def {
    uint32_t struct_size; ///< Set by carom_pair_def_default; leave it.
    carom_body a, b;
    carom_vec3 point_a, point_b; ///< In the body frames, m.
    carom_pair_law law;
    double stiffness;           ///< Spring, N/m, >= 0
    double rest_length;         ///< Spring, m, >= 0
    double charge_a, charge_b;  ///< Charge, C
    double repulsion;           ///< Power, N m^repulsion_exponent. Its energy is zero at infinity where the exponent
                                ///< is above 1, at distance 0 below, and at 1 m where it is 1.
    double repulsion_exponent;  ///< 0 to 100
    double attraction;          ///< Power, N m^attraction_exponent
    double attraction_exponent; ///< 0 to 100
    int count;                  ///< Table: number of its points, 2 or more.
    const double *distance;     ///< Table: m, the first >= 0, rising (count).
    const double *force;        ///< Table: N (count). Nearer than the first point and farther than the last one it is
                                ///< that of this point. The energy is zero at the last point.
    bool smooth;                ///< Table: between points a cubic with a continuous slope that nowhere leaves the
                                ///< values of its two points (Fritsch and Carlson). Default false: linear.
} carom_pair_def;

// ---- functions that see several bodies

/// What a function of several bodies sees, and where it puts its forces. Lives as long as the call.
typedef struct carom_system carom_system;

/// Called once wherever forces are evaluated (a step, or each stage of one): asks carom_system_sample for what it needs
/// and calls carom_system_apply. 0: fine; positive: the step should be smaller; negative: stop the run. States of one
/// model may call it from several threads at a time.
typedef int carom_system_function(void *user, carom_system *system);

typedef struct carom_system_callback_def {
    uint32_t struct_size;   ///< Set by carom_system_callback_def_default; leave it.
    int count;              ///< Number of bodies in the list.
    const carom_body *body; ///< Whom it sees and acts on, each once. NULL (default): all bodies of the model, in their
                            ///< order. What is not in the list stays a run of its own, so list no more than act on
                            ///< each other.
    carom_system_function *function;
    void *user; ///< Must outlive the model.
} carom_system_callback_def;

// ---- fields

/// Gravity of a centre at rest in the world: the potential of a unit mass at r from it, with z = r.axis, is
///   -mu/r (1 - j2 (radius/r)^2 (3 (z/r)^2 - 1)/2).
/// It acts at the centre of mass, without a moment; of an `extended` body at six mass points that have its moments of
/// inertia together, so that the moment of the gradient of gravity (3 mu/r^5 r x I r for j2 = 0) is there with its
/// energy.
typedef struct carom_central_def {
    uint32_t struct_size; ///< Set by carom_central_def_default; leave it.
    carom_body body;      ///< One that moves.
    carom_vec3 centre;    ///< World, m.
    double mu;            ///< m^3/s^2, >= 0. Of the earth 3.986004418e14.
    double j2;            ///< Oblateness. Default 0. Of the earth 1.08263e-3.
    double radius;        ///< To which j2 refers, m, >= 0. Of the earth 6378137.
    carom_vec3 axis;      ///< Of the oblateness; need not be a unit vector. Default z.
    bool extended;        ///< Default false. Of free bodies only.
} carom_central_def;

/// Drag of an atmosphere at the centre of mass: -density exp(-(r - radius)/scale_height)/2 drag_area |u| u, with
/// u = v - rotation x r and r from the centre. Takes energy where the atmosphere does not rotate.
typedef struct carom_atmosphere_def {
    uint32_t struct_size; ///< Set by carom_atmosphere_def_default; leave it.
    carom_body body;
    carom_vec3 centre;   ///< World, m.
    double radius;       ///< Where the density is that given, m, >= 0.
    double density;      ///< kg/m^3, >= 0
    double scale_height; ///< m, positive. Default 1e4.
    double drag_area;    ///< Area times drag coefficient, m^2, >= 0.
    carom_vec3 rotation; ///< Of the atmosphere, rad/s, world axes. Default 0.
} carom_atmosphere_def;

/// Pressure of parallel light at the centre of mass: pressure area (1 + reflectivity) along `direction`; nothing in
/// the cylinder of shadow behind a sphere.
typedef struct carom_sunlight_def {
    uint32_t struct_size; ///< Set by carom_sunlight_def_default; leave it.
    carom_body body;
    carom_vec3 direction; ///< In which the light goes; need not be a unit vector. Default -x.
    double pressure;      ///< N/m^2, >= 0. At the earth 4.54e-6.
    double area;          ///< m^2, >= 0
    double reflectivity;  ///< 0 (all is absorbed) to 1 (all is thrown back). Default 0.
    carom_vec3 centre;    ///< Of the sphere, world, m.
    double shadow_radius; ///< m, >= 0. Default 0: no shadow.
} carom_sunlight_def;

/// A force by position from a grid of values, at the centre of mass. Node (i, j, k) is at origin + (i, j, k) spacing;
/// its number is i + count[0] (j + count[1] k). Outside of the grid the force is that of the nearest point of its
/// surface; along a direction with one node nothing depends on the position.
typedef struct carom_grid_def {
    uint32_t struct_size; ///< Set by carom_grid_def_default; leave it.
    carom_body body;
    carom_vec3 origin, spacing; ///< World axes, m; spacings are positive.
    int count[3];               ///< Nodes along x, y, z, at least 1.
    const carom_vec3 *force;    ///< N, of every node, interpolated linearly along each direction; or NULL:
    const carom_vec3 *torque;   ///< N m, world axes, likewise beside the forces; NULL (default): none.
    const double *energy;       ///< J, of every node: the field is conservative, the energy interpolated by cubics
                                ///< that have quadratic energies exactly (Keys), the force minus its gradient.
} carom_grid_def;

CAROM_BEGIN_C

CAROM_API carom_pair_def carom_pair_def_default(void);
CAROM_API carom_system_callback_def carom_system_callback_def_default(void);
CAROM_API carom_central_def carom_central_def_default(void);
CAROM_API carom_atmosphere_def carom_atmosphere_def_default(void);
CAROM_API carom_sunlight_def carom_sunlight_def_default(void);
CAROM_API carom_grid_def carom_grid_def_default(void);

CAROM_API carom_status carom_model_add_pair(carom_model *model, const carom_pair_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_system_callback(carom_model *model, const carom_system_callback_def *def,
                                                       carom_error *error);
CAROM_API carom_status carom_model_add_central(carom_model *model, const carom_central_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_atmosphere(carom_model *model, const carom_atmosphere_def *def,
                                                  carom_error *error);
CAROM_API carom_status carom_model_add_sunlight(carom_model *model, const carom_sunlight_def *def, carom_error *error);
CAROM_API carom_status carom_model_add_grid(carom_model *model, const carom_grid_def *def, carom_error *error);

CAROM_API double carom_system_time(const carom_system *system);    ///< s
CAROM_API int carom_system_body_count(const carom_system *system); ///< Of the definition's list.
/// The i-th body of the list; {-1} for an i that is none.
CAROM_API carom_body carom_system_body(const carom_system *system, int i);
/// Where it is and how it moves; zeros for an i that is none.
CAROM_API carom_force_sample carom_system_sample(const carom_system *system, int i);
/// Adds a force to the i-th body. Forces with `conservative` are together minus the gradient of the sum of the energies
/// that come with them, which may be told in any shares; those without come beside. Nothing is done for an i that is
/// none, nor to a body that does not move.
CAROM_API void carom_system_apply(carom_system *system, int i, const carom_force_value *value);

CAROM_END_C

#endif

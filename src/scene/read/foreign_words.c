// SPDX-License-Identifier: MIT
#include "scene/read/foreign_words.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <strings.h>

// clang-format off
const crm_foreign_word crm_foreign_words[] = {
    {"a body; a body of a collision", "angular_velocity omega angular_vel rotation_rate w",
     "the angular velocity is \"spin\""},
    {"a body; a body of a collision", "orientation quat quaternion rotation euler_angles",
     "the orientation is \"attitude\""},
    {"a body; a body of a collision", "linear_velocity vel v",
     "the velocity is \"velocity\""},
    {"a body; a body of a collision; a part; a side of a pair", "pos location translation",
     "the position is \"position\""},
    {"a body; a body of a collision", "inertia_tensor moment_of_inertia moi",
     "the inertia is \"inertia\""},
    {"a body", "mu friction friction_coefficient",
     "friction belongs to a material, which is named by \"material\""},
    {"a body", "restitution bounciness",
     "restitution belongs to a material, which is named by \"material\""},
    {"a body", "category categories category_bits layer collision_group",
     "the groups that the body is in are \"groups\""},
    {"a body", "mask mask_bits collision_mask collides_with",
     "the groups that the body can touch are \"meets\""},
    {"a body", "half_extents size extents radius",
     "sizes belong to a shape, which is named by \"shape\""},
    {"a body", "geometry geom collider mesh",
     "the shape is \"shape\""},
    {"a body", "com center center_of_mass centre_of_mass",
     "the centre of mass is \"centre\""},
    {"a body", "type static is_static fixed body_type",
     "how the body can move is \"kind\""},
    {"a body of a collision", "kind type static is_static",
     "whether the body is held is \"fixed\""},
    {"a scene", "force",
     "the list of forces is \"forces\""},
    {"a scene", "t_end duration end_time stop_time t_max tmax",
     "the time at which a run ends is \"until\""},
    {"a scene", "dt timestep time_step step h",
     "the step is \"step\" of \"method\""},
    {"a scene", "integrator solver algorithm",
     "the way of stepping is \"method\""},
    {"a scene", "fps output_rate every stride",
     "the number of frames a second is \"frame_rate\""},
    {"a scene", "body objects rigid_bodies actors",
     "the list of bodies is \"bodies\""},
    {"a scene", "joint constraints",
     "the list of joints is \"joints\""},
    {"a scene", "mu friction friction_coefficient",
     "friction belongs to the \"materials\""},
    {"a scene", "version format",
     "the version of the format is \"carom\""},
    {"a method", "dt timestep time_step h",
     "the step is \"step\""},
    {"a method", "type kind method algorithm",
     "the name of the method is \"name\""},
    {"a method", "t_end duration until end_time",
     "the time at which a run ends is \"until\" of the scene"},
    {"a method", "tol eps",
     "the tolerance is \"tolerance\""},
    {"a method", "max_iterations iterations max_iter",
     "the largest number of iterations is \"iteration_limit\""},
    {"a method", "solver",
     "the solver is \"solver\" of \"lcp\""},
    {"a method", "threads thread_count",
     "threads are an option of the program, --threads"},
    {"the settings of lcp; the settings of dcr", "effort work_limit time_limit",
     "the work that a step may take is \"budget\""},
    {"the settings of lcp", "precision quality",
     "how far steps are solved is \"accuracy\""},
    {"the settings of lcp", "ccd continuous_collision",
     "continuous collision is \"continuous\""},
    {"the settings of lcp", "erp baumgarte",
     "the share of an error that is undone in a step is \"gamma\""},
    {"the settings of lcp", "max_depenetration_velocity max_depenetration_speed",
     "the largest speed at which overlaps are undone is \"push_out\""},
    {"the settings of lcp", "mu friction_coefficient",
     "coefficients of friction belong to the \"materials\" of the scene"},
    {"the settings of lcp; the settings of impulse", "max_iterations max_iter iteration_limit",
     "the largest number of iterations is \"iterations\""},
    {"the settings of impulse", "mu friction friction_coefficient",
     "coefficients of friction belong to the \"materials\" of the scene"},
    {"a material; a pair of materials; a collision", "mu friction_coefficient coefficient_of_friction",
     "the coefficient of friction is \"friction\""},
    {"a material; a pair of materials; a collision", "e cor bounciness elasticity",
     "the coefficient of restitution is \"restitution\""},
    {"a material", "density",
     "the density belongs to a body"},
    {"a box", "half_extents half_size half_sizes extents dimensions edges",
     "the three full lengths of its edges are \"size\""},
    {"an ellipsoid", "half_extents radii semi_axes axes size",
     "half of the three axes is \"half_axes\""},
    {"a sphere", "r diameter",
     "the radius is \"radius\""},
    {"a capsule", "half_length height half_height",
     "the length of its cylinder is \"length\""},
    {"a polytope", "points hull",
     "the list of corners is \"vertices\""},
    {"a polytope", "planes faces",
     "the list of planes is \"half_spaces\""},
    {"a part; a side of a pair", "orientation quat quaternion rotation",
     "the orientation is \"attitude\""},
    {"an attitude", "theta radians",
     "the angle in radians is \"angle\""},
    {"a joint", "type",
     "the kind of joint is \"kind\""},
    {"a joint", "parent body_a body1",
     "the first body is \"a\""},
    {"a joint", "child body_b body2",
     "the second body is \"b\""},
    {"a joint", "anchor pivot position origin",
     "the point that both bodies share is \"point\""},
    {"a joint", "limits lower upper motor",
     "limits and motors belong to the \"coordinates\""},
    {"a joint", "collide_connected collide",
     "whether the two bodies can touch is \"bodies_touch\""},
    {"a coordinate", "min lower_limit",
     "the lower limit is \"lower\""},
    {"a coordinate", "max upper_limit",
     "the upper limit is \"upper\""},
    {"a coordinate; a spring", "k",
     "the stiffness is \"stiffness\""},
    {"a coordinate; a spring", "c",
     "the damping is \"damping\""},
    {"a spring", "length natural_length",
     "the length at rest is \"rest_length\""},
    {"a motor", "type",
     "the kind of motor is \"kind\""},
    {"a motor", "max_torque max_effort",
     "the largest force or torque is \"max_force\""},
    {"a motor", "velocity speed target_velocity",
     "the rate to be reached is \"target_rate\""},
    {"a motor", "position target_position",
     "the coordinate to be reached is \"target\""},
    {"a motor", "kp",
     "the gain of the error is \"stiffness\""},
    {"a motor", "kd",
     "the gain of the rate is \"damping\""},
    {"a motor", "torque",
     "the force or torque is \"force\""},
    {"a wrench", "moment",
     "the torque is \"torque\""},
    {NULL, NULL, NULL},
};
// clang-format on

// Choices, each with the words that stand for it elsewhere.
static const struct {
    const char *word, *others;
} choices[] = {
    {"hinge", "revolute pin rotational pivot"},
    {"slider", "prismatic translational linear"},
    {"ball", "spherical ball_and_socket socket ball_joint"},
    {"fixed", "weld rigid static kinematic locked ground immovable"},
    {"universal", "cardan hooke"},
    {"distance", "rod rope string link"},
    {"free", "dynamic rigid_body rigidbody moving"},
    {"planar", "2d"},
    {"point", "particle point_mass"},
    {"box", "cube cuboid brick block rectangle"},
    {"half_space", "plane ground_plane floor infinite_plane"},
    {"polytope", "mesh convex hull convex_hull polyhedron trimesh"},
    {"capsule", "pill"},
    {"prism", "cylinder"},
    {"sphere", "ball circle"},
    {"drag", "damping air_resistance"},
    {"wrench", "force torque constant"},
    {"charge", "coulomb electric"},
    {"lcp", "contact time_stepping pgs"},
    {"velocity", "speed"},
    {"force", "torque"},
};

static bool has(const char *list, const char *between, const char *item) {
    size_t size = strlen(item), step = strlen(between);
    while (list != NULL) {
        const char *end = strstr(list, between);
        size_t here = end != NULL ? (size_t)(end - list) : strlen(list);
        if (here == size && strncmp(list, item, size) == 0) return true;
        list = end != NULL ? end + step : NULL;
    }
    return false;
}

static const char *among(const char *word, const char *const *words, int word_count) {
    for (int i = 0; i < word_count; i++)
        if (strcasecmp(words[i], word) == 0) return words[i];
    return NULL;
}

const char *crm_foreign_choice(const char *given, const char *const *words, int word_count) {
    const char *same = among(given, words, word_count);
    for (size_t i = 0; same == NULL && i < sizeof choices / sizeof choices[0]; i++)
        if (has(choices[i].others, " ", given)) same = among(choices[i].word, words, word_count);
    return same;
}

const char *crm_foreign_word_answer(const char *what, const char *key) {
    for (const crm_foreign_word *entry = crm_foreign_words; entry->words != NULL; entry++)
        if (has(entry->objects, "; ", what) && has(entry->words, " ", key)) return entry->answer;
    return NULL;
}

// SPDX-License-Identifier: MIT
/// @file
/// Flexible bodies: meshes of tetrahedra that bend, touch, latch and are attached to rigid ones.
///
/// A flexible body is its nodes and the energy of its elements. **Each node is a body** of the model, of kind
/// CAROM_BODY_POINT (CAROM_BODY_FIXED where it is held), numbered one after the other from
/// carom_model_flex_node(model, flex, 0) on: wrenches, springs, callbacks, joints, contact tables and
/// carom_state_get_body know it as any other. docs/flex.md.
#ifndef CAROM_FLEX_H
#define CAROM_FLEX_H

#include "carom/mesh.h"
#include "carom/model.h"
#include "carom/step.h"

typedef struct carom_flex {
    int32_t index; ///< -1: none.
} carom_flex;

/// Which convex pieces the contact potential of `newmark` sees.
typedef enum carom_flex_pieces {
    CAROM_FLEX_PIECES_ELEMENTS, ///< Every element at the surface: for bodies of any form.
    CAROM_FLEX_PIECES_WHOLE,    ///< The hull of all nodes: for bodies that stay convex.
    CAROM_FLEX_PIECES_COUNT
} carom_flex_pieces;

/// What a flexible body begins with.
typedef enum carom_flex_start {
    CAROM_FLEX_START_REST,        ///< Its rest positions, stretched, turned and moved as its definition says.
    CAROM_FLEX_START_EQUILIBRIUM, ///< The static solution under weight, loads and what holds it.
    CAROM_FLEX_START_COUNT
} carom_flex_start;

/// Nodes that are fixed to a rigid body where they are at the start.
typedef struct carom_flex_attachment {
    carom_body body; ///< CAROM_WORLD holds them where they are.
    int node_count;
    const int32_t *nodes; ///< Of the mesh. (node_count)
} carom_flex_attachment;

typedef struct carom_flex_def {
    uint32_t struct_size;      ///< Set by carom_flex_def_default; leave it.
    const char *name;          ///< Unique among bodies and flexible bodies, or NULL (default).
    const carom_mesh *mesh;    ///< Copied.
    carom_elastic_def elastic; ///< Default carom_elastic_def_default.
    carom_vec3 position;       ///< Of the mesh's origin in the world, m. Default 0.
    carom_quat attitude;       ///< Of the mesh's axes. Normalised on entry. Default identity.
    carom_vec3 velocity;       ///< Of the mesh's origin, world axes, m/s. Default 0.
    carom_vec3 spin;           ///< About that origin, world axes, rad/s. Default 0.
    carom_mat3 stretch;        ///< What rest positions are multiplied by at the start; det > 0. Default identity.
    int fixed_count;
    const int32_t *fixed; ///< Nodes that never move. (fixed_count)
    int attachment_count;
    const carom_flex_attachment *attachments; ///< (attachment_count)
    carom_flex_pieces pieces;                 ///< Default CAROM_FLEX_PIECES_ELEMENTS.
    carom_flex_start start;                   ///< Default CAROM_FLEX_START_REST.
    double skin;                              ///< m, >= 0: its surface is rounded by so much. Default 0.
    bool self_contact;                        ///< It touches itself. Default false.
    carom_material material;                  ///< Friction and restitution. Default {-1}: the model's default material.
    uint32_t groups, meets;                   ///< As of bodies. Default 1, all.
} carom_flex_def;

/// A field over a flexible body, for colours and plots.
typedef enum carom_flex_field_kind {
    CAROM_FLEX_FIELD_VON_MISES,    ///< Pa, at nodes: the mean of the quadrature points around by volume.
    CAROM_FLEX_FIELD_DETERMINANT,  ///< J, at nodes: the least of the quadrature points around.
    CAROM_FLEX_FIELD_DISPLACEMENT, ///< m, at nodes: how far from where the rest positions, moved rigidly, fit best.
    CAROM_FLEX_FIELD_COUNT
} carom_flex_field_kind;

CAROM_BEGIN_C

CAROM_API carom_flex_def carom_flex_def_default(void);
CAROM_API carom_status carom_model_add_flex(carom_model *model, const carom_flex_def *def, carom_flex *out,
                                            carom_error *error);
CAROM_API int carom_model_flex_count(const carom_model *model);
CAROM_API const char *carom_model_flex_name(const carom_model *model, carom_flex flex); ///< "" if it has none.
/// False when no flexible body has that name.
CAROM_API bool carom_model_find_flex(const carom_model *model, const char *name, carom_flex *out);
CAROM_API const carom_flex_def *carom_model_flex_def(const carom_model *model, carom_flex flex); ///< NULL for none.
/// The body that a node is; {-1} for none.
CAROM_API carom_body carom_model_flex_node(const carom_model *model, carom_flex flex, int node);
/// The flexible body that this body is a node of, and which (`node` may be NULL); {-1} of all others.
CAROM_API carom_flex carom_model_body_flex(const carom_model *model, carom_body body, int *node);

/// Positions and velocities of all nodes (node_count each); either may be NULL.
CAROM_API carom_status carom_state_get_nodes(const carom_state *state, carom_flex flex, carom_vec3 *positions,
                                             carom_vec3 *velocities, carom_error *error);
/// Fixed nodes must stay where they are, attached ones go where their bodies have them. Refuses positions at which the
/// body has no energy.
CAROM_API carom_status carom_state_set_nodes(carom_state *state, carom_flex flex, const carom_vec3 *positions,
                                             const carom_vec3 *velocities, carom_error *error);
CAROM_API const char *carom_flex_field_name(carom_flex_field_kind field); ///< "von_mises"; "?" for none.
/// A number a node (node_count) of a mesh at these positions.
CAROM_API carom_status carom_mesh_field(const carom_mesh *mesh, const carom_elastic_def *elastic,
                                        const carom_vec3 *positions, carom_flex_field_kind field, double *out,
                                        carom_error *error);
/// The same of a flexible body in a state.
CAROM_API carom_status carom_flex_field(const carom_state *state, carom_flex flex, carom_flex_field_kind field,
                                        double *out, carom_error *error);
/// d2V/dx2 at the state's positions, as carom_mesh_stiffness.
CAROM_API carom_status carom_flex_stiffness(const carom_state *state, carom_flex flex, int64_t *count, int *start,
                                            int *column, double *value, carom_error *error);
/// The longest stable explicit step of the elements of all flexible bodies at the state's positions, s; INFINITY
/// without any. Attached nodes count as free, which is on the safe side.
CAROM_API double carom_flex_limit(const carom_state *state);

CAROM_END_C

#endif

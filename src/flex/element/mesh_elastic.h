// SPDX-License-Identifier: MIT
// What the calls of carom/mesh.h share: a mesh with a material at given positions, for the time of one call.
#ifndef CRM_FLEX_MESH_ELASTIC_H
#define CRM_FLEX_MESH_ELASTIC_H

#include "flex/element/element.h"

typedef struct crm_mesh_elastic {
    crm_arena arena; // owns `elastic`
    crm_elastic *elastic;
    crm_node_view position;
} crm_mesh_elastic;

// Refuses a material that carom_elastic_check does and positions that are not finite.
carom_status crm_mesh_elastic_open(const carom_mesh *mesh, const carom_elastic_def *def, const carom_vec3 *positions,
                                   crm_mesh_elastic *out, carom_error *error);
void crm_mesh_elastic_close(crm_mesh_elastic *open);

// Refuses positions at which an element has no energy.
carom_status crm_mesh_elastic_whole(const crm_mesh_elastic *open, carom_error *error);

// Which nodes are in a list of fixed ones; lives with `open`.
carom_status crm_mesh_elastic_held(crm_mesh_elastic *open, int count, const int32_t *fixed, bool **held,
                                   carom_error *error);

#endif

// SPDX-License-Identifier: MIT
// The inside of a mesh of tetrahedra, for the library's own use (docs/flex.md).
//
// flex/mesh: definitions, boxes and the text of files enter; an immutable mesh leaves, checked, with its surface, its
// quality and its groups. Called by the public functions of carom/mesh.h; read by flex/element/ and model/flex/.
#ifndef CRM_FLEX_MESH_H
#define CRM_FLEX_MESH_H

#include "base/arena.h"
#include "carom/mesh.h"

// A named set of nodes.
typedef struct crm_mesh_group {
    const char *name;
    int node_count;
    const int32_t *node; // ascending (node_count)
} crm_mesh_group;

// Everything is finite, every number names a node, every node is in an element, and every element is positive.
struct carom_mesh {
    crm_arena arena; // owns everything, this struct included; of a copy in somebody else's arena empty
    int order;       // 1 or 2
    int node_count;
    const carom_vec3 *node; // m (node_count)
    int element_count;
    const int32_t *element; // CAROM_ELEMENT_NODES(order) each, in the order of carom/mesh.h
    int triangle_count;
    const carom_mesh_triangle *triangle; // outward (triangle_count)
    int group_count;
    const crm_mesh_group *group; // (group_count)
    carom_mesh_quality quality;
};

// The nodes of an element.
static inline const int32_t *crm_mesh_element(const carom_mesh *mesh, int element) {
    return mesh->element + (ptrdiff_t)CAROM_ELEMENT_NODES(mesh->order) * element;
}

// A copy that lives with `arena`, which frees it, and is not to be destroyed; NULL when there is no memory.
const carom_mesh *crm_mesh_copy(const carom_mesh *mesh, crm_arena *arena);

#endif

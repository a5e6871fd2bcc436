// SPDX-License-Identifier: MIT
// What the versions of gmsh's files share: kinds of elements, keys of physical groups, nodes and elements as they are
// added to a draft.
#ifndef CRM_FLEX_GMSH_H
#define CRM_FLEX_GMSH_H

#include "flex/mesh/file/mesh_draft.h"

// A file that is read.
typedef struct crm_gmsh {
    crm_mesh_text *text;
    crm_mesh_draft *draft;
    bool no_memory;
    bool has_nodes, has_elements, has_names;
    // Version 4: the physical groups of each point, curve, surface and volume.
    bool has_entities;
    crm_mesh_tag_array entity;   // key of each (crm_gmsh_key of its own number)
    crm_mesh_tag_array physical; // keys of their groups
    CRM_ARRAY(int) first;        // of the groups of each; one more at the end
} crm_gmsh;

// A number of a point (0), curve, surface or volume (3), or of a physical group of them. The sign of a group, which is
// a direction, does not count.
int64_t crm_gmsh_key(int dimension, int64_t number);
enum { CRM_GMSH_MOST_KEY = INT32_MAX };

// A kind of element that meshes may have; NULL after a sentence for all others.
typedef struct crm_gmsh_kind {
    int dimension, corners, nodes;
} crm_gmsh_kind;
const crm_gmsh_kind *crm_gmsh_find_kind(crm_gmsh *gmsh, int64_t type);

bool crm_gmsh_add_node(crm_gmsh *gmsh, int64_t tag, int line);
// Reads the nodes of an element and adds it to these groups; without any it is in the mesh alone.
bool crm_gmsh_read_element(crm_gmsh *gmsh, const crm_gmsh_kind *kind, int64_t tag, int group_count,
                           const int64_t *group);

// False, and no memory is left.
bool crm_gmsh_no_memory(crm_gmsh *gmsh);

// What is between $Nodes, $Elements and $Entities and their ends.
bool crm_gmsh2_nodes(crm_gmsh *gmsh);
bool crm_gmsh2_elements(crm_gmsh *gmsh);
bool crm_gmsh4_entities(crm_gmsh *gmsh);
bool crm_gmsh4_nodes(crm_gmsh *gmsh);
bool crm_gmsh4_elements(crm_gmsh *gmsh);

#endif

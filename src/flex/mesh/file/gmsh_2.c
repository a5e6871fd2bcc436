// SPDX-License-Identifier: MIT
// Nodes and elements of version 2.2: a line each, elements with their physical group among their tags.
#include "flex/mesh/file/gmsh.h"

bool crm_gmsh2_nodes(crm_gmsh *gmsh) {
    int count;
    if (!crm_mesh_text_count(gmsh->text, "nodes", 4, CAROM_MESH_MOST_NODES, 8, &count)) return false;
    for (int i = 0; i < count; i++) {
        int64_t tag;
        if (!crm_mesh_text_whole(gmsh->text, "the number of a node", 0, INT64_MAX, &tag) ||
            !crm_gmsh_add_node(gmsh, tag, gmsh->text->line))
            return false;
    }
    return true;
}

// The physical group is the first of the tags; the others, geometry and partitions, are passed over.
static bool read_tags(crm_gmsh *gmsh, int64_t *physical) {
    int64_t count, tag;
    *physical = 0;
    if (!crm_mesh_text_whole(gmsh->text, "the number of tags of an element", 0, 1000, &count)) return false;
    for (int i = 0; i < count; i++) {
        if (!crm_mesh_text_whole(gmsh->text, "a tag of an element", -CRM_GMSH_MOST_KEY, CRM_GMSH_MOST_KEY, &tag))
            return false;
        if (i == 0) *physical = tag;
    }
    return true;
}

bool crm_gmsh2_elements(crm_gmsh *gmsh) {
    int count;
    gmsh->draft->repeats = true;
    if (!crm_mesh_text_count(gmsh->text, "elements", 1, INT32_MAX, 8, &count)) return false;
    for (int i = 0; i < count; i++) {
        int64_t tag, type, physical;
        if (!crm_mesh_text_whole(gmsh->text, "the number of an element", 0, INT64_MAX, &tag) ||
            !crm_mesh_text_whole(gmsh->text, "the type of an element", 0, INT64_MAX, &type))
            return false;
        const crm_gmsh_kind *kind = crm_gmsh_find_kind(gmsh, type);
        if (kind == NULL || !read_tags(gmsh, &physical)) return false;
        int64_t key = crm_gmsh_key(kind->dimension, physical);
        if (!crm_gmsh_read_element(gmsh, kind, tag, physical != 0, &key)) return false;
    }
    return true;
}

// SPDX-License-Identifier: MIT
// Sets of nodes: groups of files, boxes, planes.
#include "flex/mesh/mesh.h"
#include "math/vec3.h"

static const crm_mesh_group *find_group(const carom_mesh *mesh, int group) {
    return group >= 0 && group < mesh->group_count ? &mesh->group[group] : NULL;
}

int carom_mesh_group_count(const carom_mesh *mesh) {
    return mesh->group_count;
}

const char *carom_mesh_group_name(const carom_mesh *mesh, int group) {
    const crm_mesh_group *found = find_group(mesh, group);
    return found == NULL ? NULL : found->name;
}

const int32_t *carom_mesh_group_nodes(const carom_mesh *mesh, int group, int *count) {
    const crm_mesh_group *found = find_group(mesh, group);
    if (count != NULL) *count = found == NULL ? 0 : found->node_count;
    return found == NULL ? NULL : found->node;
}

int carom_mesh_nodes_in_box(const carom_mesh *mesh, carom_vec3 low, carom_vec3 high, int32_t *out) {
    int count = 0;
    for (int i = 0; i < mesh->node_count; i++) {
        carom_vec3 x = mesh->node[i];
        bool above = x.x >= low.x && x.y >= low.y && x.z >= low.z;
        if (above && x.x <= high.x && x.y <= high.y && x.z <= high.z) out[count++] = i;
    }
    return count;
}

int carom_mesh_nodes_beyond(const carom_mesh *mesh, carom_vec3 normal, double offset, int32_t *out) {
    int count = 0;
    for (int i = 0; i < mesh->node_count; i++)
        if (crm_dot(normal, mesh->node[i]) >= offset) out[count++] = i;
    return count;
}

// SPDX-License-Identifier: MIT
// Meshes from arrays; asking a mesh; copies.
#include <string.h>

#include "base/fail.h"
#include "flex/mesh/mesh.h"
#include "flex/mesh/mesh_build.h"

carom_mesh_def carom_mesh_def_default(void) {
    return (carom_mesh_def){.struct_size = sizeof(carom_mesh_def), .order = 1};
}

static carom_status check_count(const char *what, int count, int least, int most, carom_error *error) {
    if (count < least) return crm_refuse(error, "%s is %d, must be at least %d", what, count, least);
    if (count <= most) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_TOO_LARGE, "%s is %d, at most %d are possible; make the mesh coarser", what, count,
                    most);
}

carom_status carom_mesh_create(const carom_mesh_def *def, const carom_allocator *allocator, carom_mesh **out,
                               carom_error *error) {
    CRM_NEED(def, error);
    CRM_NEED(out, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_mesh_def, error);
    if (status != CAROM_OK) return status;
    if (def->order != 1 && def->order != 2) return crm_refuse(error, "order is %d, must be 1 or 2", def->order);
    status = check_count("node_count", def->node_count, CAROM_ELEMENT_NODES(def->order), CAROM_MESH_MOST_NODES, error);
    if (status == CAROM_OK)
        status = check_count("element_count", def->element_count, 1, CAROM_MESH_MOST_ELEMENTS, error);
    if (status != CAROM_OK) return status;
    if (def->nodes == NULL) return crm_refuse(error, "nodes is NULL, must have %d nodes", def->node_count);
    if (def->elements == NULL) return crm_refuse(error, "elements is NULL, must have %d elements", def->element_count);
    crm_mesh_input input = {.order = def->order,
                            .node_count = def->node_count,
                            .node = def->nodes,
                            .element_count = def->element_count,
                            .element = def->elements};
    return crm_mesh_build(&input, def->order, allocator, out, error);
}

void carom_mesh_destroy(carom_mesh *mesh) {
    if (mesh == NULL) return;
    crm_arena arena = mesh->arena; // the mesh lies in it
    crm_arena_free(&arena);
}

// ---- copies

static const void *copy_items(crm_arena *arena, const void *items, ptrdiff_t count, size_t size) {
    void *copy = crm_arena_take_array(arena, count, size);
    if (copy != NULL && count > 0) memcpy(copy, items, (size_t)count * size);
    return copy;
}

static bool copy_groups(const carom_mesh *mesh, crm_arena *arena, carom_mesh *copy) {
    crm_mesh_group *group = CRM_ARENA_ZEROED(arena, crm_mesh_group, mesh->group_count);
    if (group == NULL) return false;
    for (int i = 0; i < mesh->group_count; i++) {
        const crm_mesh_group *from = &mesh->group[i];
        group[i].name = copy_items(arena, from->name, (ptrdiff_t)strlen(from->name) + 1, 1);
        group[i].node_count = from->node_count;
        group[i].node = copy_items(arena, from->node, from->node_count, sizeof *from->node);
        if (group[i].name == NULL || group[i].node == NULL) return false;
    }
    copy->group = group;
    return true;
}

const carom_mesh *crm_mesh_copy(const carom_mesh *mesh, crm_arena *arena) {
    carom_mesh *copy = CRM_ARENA_ARRAY(arena, carom_mesh, 1);
    if (copy == NULL) return NULL;
    *copy = *mesh;
    crm_arena_init(&copy->arena, &arena->allocator);
    ptrdiff_t numbers = (ptrdiff_t)CAROM_ELEMENT_NODES(mesh->order) * mesh->element_count;
    copy->node = copy_items(arena, mesh->node, mesh->node_count, sizeof *mesh->node);
    copy->element = copy_items(arena, mesh->element, numbers, sizeof *mesh->element);
    copy->triangle = copy_items(arena, mesh->triangle, mesh->triangle_count, sizeof *mesh->triangle);
    bool whole = copy->node != NULL && copy->element != NULL && copy->triangle != NULL;
    return whole && copy_groups(mesh, arena, copy) ? copy : NULL;
}

// ---- asking

int carom_mesh_order(const carom_mesh *mesh) {
    return mesh->order;
}

int carom_mesh_node_count(const carom_mesh *mesh) {
    return mesh->node_count;
}

int carom_mesh_element_count(const carom_mesh *mesh) {
    return mesh->element_count;
}

const carom_vec3 *carom_mesh_nodes(const carom_mesh *mesh) {
    return mesh->node;
}

const int32_t *carom_mesh_elements(const carom_mesh *mesh) {
    return mesh->element;
}

const carom_mesh_triangle *carom_mesh_surface(const carom_mesh *mesh, int *count) {
    if (count != NULL) *count = mesh->triangle_count;
    return mesh->triangle;
}

carom_mesh_quality carom_mesh_get_quality(const carom_mesh *mesh) {
    return mesh->quality;
}

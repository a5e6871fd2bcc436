// SPDX-License-Identifier: MIT
// From arrays to a mesh: the checks, the order, the surface, the quality, the groups.
#include "flex/mesh/mesh_build.h"

#include <string.h>

#include "base/fail.h"
#include "flex/mesh/mesh.h"

// A copy of `count` items in the arena; NULL when there is no memory.
static void *keep(crm_arena *arena, const void *items, ptrdiff_t count, size_t size) {
    void *copy = crm_arena_take_array(arena, count, size);
    if (copy != NULL && count > 0) memcpy(copy, items, (size_t)count * size);
    return copy;
}

// The members of each group, ascending, each once.
static carom_status keep_groups(const crm_mesh_input *input, crm_arena *scratch, carom_mesh *mesh, carom_error *error) {
    crm_mesh_group *group = CRM_ARENA_ZEROED(&mesh->arena, crm_mesh_group, input->group_count);
    int32_t *node = CRM_ARENA_ARRAY(&mesh->arena, int32_t, input->member_count);
    int bound = input->node_count > input->group_count ? input->node_count : input->group_count;
    const int32_t *order =
        crm_mesh_sort_rows(input->member_count, 2, (const int32_t *)(const void *)input->member, bound, scratch);
    if (group == NULL || node == NULL || order == NULL) return crm_fail_memory(error, "groups of a mesh", 0);
    int count = 0;
    for (int g = 0, i = 0; g < input->group_count; g++) {
        group[g].node = node + count;
        for (; i < input->member_count && input->member[order[i]].group == g; i++) {
            int32_t member = input->member[order[i]].node;
            if (group[g].node_count > 0 && node[count - 1] == member) continue;
            node[count++] = member, group[g].node_count++;
        }
        group[g].name = keep(&mesh->arena, input->group_name[g], (ptrdiff_t)strlen(input->group_name[g]) + 1, 1);
        if (group[g].name == NULL) return crm_fail_memory(error, "groups of a mesh", 0);
    }
    mesh->group_count = input->group_count;
    mesh->group = group;
    return CAROM_OK;
}

static carom_status keep_arrays(const crm_mesh_input *input, carom_mesh *mesh, carom_error *error) {
    ptrdiff_t numbers = (ptrdiff_t)CAROM_ELEMENT_NODES(input->order) * input->element_count;
    mesh->order = input->order;
    mesh->node_count = input->node_count;
    mesh->node = keep(&mesh->arena, input->node, input->node_count, sizeof *input->node);
    mesh->element_count = input->element_count;
    mesh->element = keep(&mesh->arena, input->element, numbers, sizeof *input->element);
    if (mesh->node == NULL || mesh->element == NULL) return crm_fail_memory(error, "a mesh", 0);
    return CAROM_OK;
}

static carom_status build(const crm_mesh_input *input, int order, crm_arena *scratch, carom_mesh *mesh,
                          carom_error *error) {
    crm_mesh_input raised;
    crm_mesh_edges edges;
    carom_status status = crm_mesh_check(input, scratch, error);
    if (status == CAROM_OK) status = crm_mesh_find_edges(input, scratch, &edges, error);
    if (status == CAROM_OK && input->order == 2) status = crm_mesh_check_middles(input, &edges, scratch, error);
    if (status == CAROM_OK && order > input->order) {
        status = crm_mesh_raise_order(input, &edges, scratch, &raised, error);
        input = &raised;
    }
    if (status == CAROM_OK)
        status = crm_mesh_find_surface(input, scratch, &mesh->arena, &mesh->triangle_count, &mesh->triangle, error);
    if (status == CAROM_OK) status = crm_mesh_measure(input, &edges, scratch, &mesh->quality, error);
    if (status == CAROM_OK) status = keep_arrays(input, mesh, error);
    return status == CAROM_OK ? keep_groups(input, scratch, mesh, error) : status;
}

carom_status crm_mesh_build(const crm_mesh_input *input, int order, const carom_allocator *allocator, carom_mesh **out,
                            carom_error *error) {
    crm_arena arena, scratch;
    crm_arena_init(&arena, allocator);
    carom_mesh *mesh = CRM_ARENA_ZEROED(&arena, carom_mesh, 1);
    if (mesh == NULL) return crm_fail_memory(error, "a mesh", sizeof *mesh);
    mesh->arena = arena;
    mesh->arena.frugal = true;
    crm_arena_init(&scratch, allocator);
    carom_status status = build(input, order, &scratch, mesh, error);
    crm_arena_free(&scratch);
    if (status == CAROM_OK)
        *out = mesh;
    else
        carom_mesh_destroy(mesh);
    return status;
}

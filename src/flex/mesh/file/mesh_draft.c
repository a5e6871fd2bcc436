// SPDX-License-Identifier: MIT
// What a file says of a mesh, collected.
#include "flex/mesh/file/mesh_draft.h"

#include <string.h>

void crm_mesh_draft_start(crm_mesh_draft *draft, const carom_allocator *allocator) {
    *draft = (crm_mesh_draft){.allocator = allocator != NULL ? *allocator : carom_allocator_default()};
}

void crm_mesh_draft_free(crm_mesh_draft *draft) {
    CRM_ARRAY_FREE(&draft->allocator, &draft->node);
    CRM_ARRAY_FREE(&draft->allocator, &draft->node_place);
    CRM_ARRAY_FREE(&draft->allocator, &draft->element);
    CRM_ARRAY_FREE(&draft->allocator, &draft->element_place);
    CRM_ARRAY_FREE(&draft->allocator, &draft->element_key);
    CRM_ARRAY_FREE(&draft->allocator, &draft->part);
    CRM_ARRAY_FREE(&draft->allocator, &draft->part_node);
    CRM_ARRAY_FREE(&draft->allocator, &draft->label);
}

static bool add_tags(crm_mesh_draft *draft, crm_mesh_tag_array *array, int count, const int64_t *tags) {
    if (!CRM_ARRAY_RESERVE(&draft->allocator, array, (ptrdiff_t)array->count + count)) return false;
    memcpy(array->items + array->count, tags, (size_t)count * sizeof *tags);
    array->count += count;
    return true;
}

bool crm_mesh_draft_add_node(crm_mesh_draft *draft, int64_t tag, int line, carom_vec3 x) {
    return CRM_ARRAY_PUSH(&draft->allocator, &draft->node, x) &&
           CRM_ARRAY_PUSH(&draft->allocator, &draft->node_place, (crm_mesh_place){tag, line});
}

bool crm_mesh_draft_add_element(crm_mesh_draft *draft, int order, int64_t key, int64_t tag, int line,
                                const int64_t *nodes) {
    draft->order = order;
    return add_tags(draft, &draft->element, CAROM_ELEMENT_NODES(order), nodes) &&
           CRM_ARRAY_PUSH(&draft->allocator, &draft->element_place, (crm_mesh_place){tag, line}) &&
           CRM_ARRAY_PUSH(&draft->allocator, &draft->element_key, key) &&
           (key == CRM_MESH_NO_GROUP ||
            crm_mesh_draft_add_part(draft, key, line, 4, CAROM_ELEMENT_NODES(order), nodes));
}

bool crm_mesh_draft_add_part(crm_mesh_draft *draft, int64_t key, int line, int corners, int count,
                             const int64_t *nodes) {
    crm_mesh_part part = {key, draft->part_node.count, (int16_t)corners, (int16_t)count, line};
    return add_tags(draft, &draft->part_node, count, nodes) && CRM_ARRAY_PUSH(&draft->allocator, &draft->part, part);
}

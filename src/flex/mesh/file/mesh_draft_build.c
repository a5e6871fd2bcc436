// SPDX-License-Identifier: MIT
// From what a file says to a mesh: numbers of the file become numbers from 0, its groups sets of nodes.
#include <string.h>

#include "base/fail.h"
#include "flex/mesh/file/mesh_draft.h"
#include "flex/mesh/file/mesh_groups.h"

typedef struct resolving {
    crm_mesh_draft *draft;
    crm_arena *scratch;
    carom_error *error;
    crm_mesh_tags tags;
    int32_t *part_node; // (draft->part_node.count), -1: a node that is left out
    int32_t *element;
    crm_mesh_input input;
} resolving;

static carom_status no_memory(carom_error *error) {
    return crm_fail_memory(error, "a mesh of a file", 0);
}

static carom_status sort_nodes(resolving *r) {
    int count = r->draft->node.count;
    int64_t *tag = CRM_ARENA_ARRAY(r->scratch, int64_t, count);
    if (tag == NULL) return no_memory(r->error);
    for (int i = 0; i < count; i++) tag[i] = r->draft->node_place.items[i].tag;
    if (!crm_mesh_tags_sort(count, tag, r->scratch, &r->tags)) return no_memory(r->error);
    for (int i = 1; i < count; i++)
        if (r->tags.tag[i] == r->tags.tag[i - 1])
            return crm_refuse(r->error, "%s is there twice, first in line %d; number nodes differently",
                              crm_mesh_node_words(&r->input.origin, r->tags.index[i]).text,
                              r->draft->node_place.items[r->tags.index[i - 1]].line);
    return CAROM_OK;
}

static carom_status find_nodes(resolving *r) {
    const crm_mesh_draft *draft = r->draft;
    int nodes = CAROM_ELEMENT_NODES(draft->order);
    r->element = CRM_ARENA_ARRAY(r->scratch, int32_t, draft->element.count);
    r->part_node = CRM_ARENA_ARRAY(r->scratch, int32_t, draft->part_node.count);
    if (r->element == NULL || r->part_node == NULL) return no_memory(r->error);
    for (int i = 0; i < draft->element.count; i++) {
        r->element[i] = crm_mesh_tags_find(&r->tags, draft->element.items[i]);
        if (r->element[i] < 0)
            return crm_refuse(r->error, "%s has node %lld, which is not among the nodes",
                              crm_mesh_element_words(&r->input.origin, i / nodes).text,
                              (long long)draft->element.items[i]);
    }
    for (int p = 0; p < draft->part.count; p++) {
        const crm_mesh_part *part = &draft->part.items[p];
        for (int i = part->first; i < part->first + part->nodes; i++) {
            r->part_node[i] = crm_mesh_tags_find(&r->tags, draft->part_node.items[i]);
            if (r->part_node[i] < 0)
                return crm_refuse(r->error,
                                  "%.160s: line %d: a part of the surface has node %lld, which is not among "
                                  "the nodes",
                                  draft->element_file, part->line, (long long)draft->part_node.items[i]);
        }
    }
    return CAROM_OK;
}

// An element that is there again, the same to its last node, for another of its groups, is left out.
static carom_status drop_repeats(resolving *r) {
    crm_mesh_draft *draft = r->draft;
    int count = draft->element_place.count, nodes = CAROM_ELEMENT_NODES(draft->order), kept = 0;
    crm_mark mark = crm_arena_mark(r->scratch);
    bool *again = CRM_ARENA_ZEROED(r->scratch, bool, count);
    const int32_t *order =
        again == NULL ? NULL : crm_mesh_sort_rows(count, nodes, r->element, r->tags.count, r->scratch);
    if (order == NULL) return no_memory(r->error);
    for (int i = 1; i < count; i++) {
        const int32_t *row = r->element + (ptrdiff_t)nodes * order[i],
                      *before = r->element + (ptrdiff_t)nodes * order[i - 1];
        again[order[i]] = memcmp(row, before, (size_t)nodes * sizeof *row) == 0 &&
                          draft->element_key.items[order[i]] != draft->element_key.items[order[i - 1]];
    }
    for (int e = 0; e < count; e++) {
        if (again[e]) continue;
        memmove(r->element + (ptrdiff_t)nodes * kept, r->element + (ptrdiff_t)nodes * e,
                (size_t)nodes * sizeof *r->element);
        draft->element_place.items[kept++] = draft->element_place.items[e];
    }
    draft->element_place.count = kept;
    crm_arena_release(r->scratch, mark);
    return CAROM_OK;
}

// Nodes of parts alone, such as the centre of an arc, are left out; those of nothing stay, and are refused later.
static carom_status drop_nodes(resolving *r) {
    crm_mesh_draft *draft = r->draft;
    int count = draft->node.count, kept = 0;
    ptrdiff_t numbers = (ptrdiff_t)CAROM_ELEMENT_NODES(draft->order) * draft->element_place.count;
    int32_t *number = CRM_ARENA_ZEROED(r->scratch, int32_t, count);
    if (number == NULL) return no_memory(r->error);
    for (int i = 0; i < draft->part_node.count; i++) number[r->part_node[i]] = -1;
    for (ptrdiff_t i = 0; i < numbers; i++) number[r->element[i]] = 0;
    for (int i = 0; i < count; i++) {
        if (number[i] < 0) continue;
        draft->node.items[kept] = draft->node.items[i];
        draft->node_place.items[kept] = draft->node_place.items[i];
        number[i] = kept++;
    }
    draft->node.count = draft->node_place.count = kept;
    for (ptrdiff_t i = 0; i < numbers; i++) r->element[i] = number[r->element[i]];
    for (int i = 0; i < draft->part_node.count; i++) r->part_node[i] = number[r->part_node[i]];
    return CAROM_OK;
}

static carom_status resolve(resolving *r) {
    crm_mesh_draft *draft = r->draft;
    r->input.origin =
        (crm_mesh_origin){draft->node_file, draft->element_file, draft->node_place.items, draft->element_place.items};
    carom_status status = sort_nodes(r);
    if (status == CAROM_OK) status = find_nodes(r);
    if (status == CAROM_OK && draft->repeats) status = drop_repeats(r);
    if (status == CAROM_OK) status = drop_nodes(r);
    if (status != CAROM_OK) return status;
    r->input.order = draft->order;
    r->input.node_count = draft->node.count;
    r->input.node = draft->node.items;
    r->input.element_count = draft->element_place.count;
    r->input.element = r->element;
    return crm_mesh_find_groups(draft, r->part_node, r->scratch, &r->input) ? CAROM_OK : no_memory(r->error);
}

carom_status crm_mesh_draft_build(crm_mesh_draft *draft, int order, const carom_allocator *allocator, carom_mesh **out,
                                  carom_error *error) {
    if (draft->order == 0)
        return crm_refuse(error, "%.160s: it has no tetrahedra; make a mesh of volumes, not of surfaces alone",
                          draft->element_file);
    if (order == 1 && draft->order == 2)
        return crm_refuse(error,
                          "%.160s: its elements have 10 nodes, but order 1 is asked for; take order 2 or a mesh "
                          "of elements with 4",
                          draft->element_file);
    crm_arena scratch;
    crm_arena_init(&scratch, allocator);
    resolving r = {.draft = draft, .scratch = &scratch, .error = error};
    carom_status status = resolve(&r);
    if (status == CAROM_OK) status = crm_mesh_build(&r.input, order > 0 ? order : draft->order, allocator, out, error);
    crm_arena_free(&scratch);
    return status;
}

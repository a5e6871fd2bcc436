// SPDX-License-Identifier: MIT
#include "flex/mesh/file/mesh_groups.h"

#include <stdlib.h>
#include <string.h>

typedef struct grouping {
    const crm_mesh_draft *draft;
    const int32_t *part_node;
    crm_arena *scratch;
    int key_count;
    crm_mesh_tags key;  // of the draft's groups, each once
    crm_mesh_label *is; // their names (key_count)
    int32_t *group;     // which group they are (key_count)
} grouping;

static bool find_keys(grouping *g) {
    int count = 0, parts = g->draft->part.count;
    int64_t *all = CRM_ARENA_ARRAY(g->scratch, int64_t, parts), *once = CRM_ARENA_ARRAY(g->scratch, int64_t, parts);
    crm_mesh_tags sorted;
    if (all == NULL || once == NULL) return false;
    for (int i = 0; i < parts; i++)
        if (g->draft->part.items[i].key != CRM_MESH_NO_GROUP) all[count++] = g->draft->part.items[i].key;
    if (!crm_mesh_tags_sort(count, all, g->scratch, &sorted)) return false;
    for (int i = 0; i < count; i++)
        if (i == 0 || sorted.tag[i] != sorted.tag[i - 1]) once[g->key_count++] = sorted.tag[i];
    return crm_mesh_tags_sort(g->key_count, once, g->scratch, &g->key);
}

static bool find_names(grouping *g) {
    const crm_mesh_draft *draft = g->draft;
    int count = draft->label.count;
    int64_t *key = CRM_ARENA_ARRAY(g->scratch, int64_t, count);
    crm_mesh_tags labels;
    g->is = CRM_ARENA_ZEROED(g->scratch, crm_mesh_label, g->key_count);
    if (key == NULL || g->is == NULL) return false;
    for (int i = 0; i < count; i++) key[i] = draft->label.items[i].key;
    if (!crm_mesh_tags_sort(count, key, g->scratch, &labels)) return false;
    for (int i = 0; i < g->key_count; i++) {
        int label = crm_mesh_tags_find(&labels, g->key.tag[i]);
        if (label >= 0)
            g->is[i] = draft->label.items[label];
        else
            draft->name_group(g->key.tag[i], g->is[i].name);
        g->is[i].key = i;
    }
    return true;
}

static int by_name(const void *a, const void *b) {
    const crm_mesh_label *x = *(const crm_mesh_label *const *)a, *y = *(const crm_mesh_label *const *)b;
    int order = strcmp(x->name, y->name);
    return order != 0 ? order : (x->key > y->key) - (x->key < y->key);
}

// Groups are numbered in the order of their keys, those of one name by the first of them.
static bool number_groups(grouping *g, crm_mesh_input *input) {
    const crm_mesh_label **sorted = CRM_ARENA_ARRAY(g->scratch, const crm_mesh_label *, g->key_count);
    const char **name = CRM_ARENA_ARRAY(g->scratch, const char *, g->key_count);
    g->group = CRM_ARENA_ARRAY(g->scratch, int32_t, g->key_count);
    if (sorted == NULL || name == NULL || g->group == NULL) return false;
    for (int i = 0; i < g->key_count; i++) sorted[i] = &g->is[i];
    if (g->key_count > 0) qsort(sorted, (size_t)g->key_count, sizeof *sorted, by_name);
    int32_t first = 0; // key of the first group of this name
    for (int i = 0; i < g->key_count; i++) {
        if (i == 0 || strcmp(sorted[i]->name, sorted[i - 1]->name) != 0) first = (int32_t)sorted[i]->key;
        g->group[sorted[i]->key] = first;
    }
    int count = 0;
    for (int i = 0; i < g->key_count; i++) {
        if (g->group[i] == i) {
            name[count] = g->is[i].name;
            g->group[i] = count++;
        } else {
            g->group[i] = g->group[g->group[i]];
        }
    }
    input->group_count = count;
    input->group_name = name;
    return true;
}

static int group_of(const grouping *g, const crm_mesh_part *part) {
    return part->key == CRM_MESH_NO_GROUP ? -1 : g->group[crm_mesh_tags_find(&g->key, part->key)];
}

// Nodes of the parts, and the edges between the corners of those that will have middles.
static bool find_members(const grouping *g, crm_mesh_input *input) {
    const crm_mesh_draft *draft = g->draft;
    ptrdiff_t members = draft->part_node.count, links = 0;
    for (int p = 0; p < draft->part.count; p++) {
        int corners = draft->part.items[p].corner;
        links += draft->part.items[p].nodes == corners ? corners * (corners - 1) / 2 : 0;
    }
    crm_mesh_member *member = CRM_ARENA_ARRAY(g->scratch, crm_mesh_member, members);
    crm_mesh_link *link = CRM_ARENA_ARRAY(g->scratch, crm_mesh_link, links);
    if (member == NULL || link == NULL || links > INT32_MAX) return false;
    for (int p = 0; p < draft->part.count; p++) {
        const crm_mesh_part *part = &draft->part.items[p];
        const int32_t *node = g->part_node + part->first;
        int32_t group = group_of(g, part);
        if (group < 0) continue;
        for (int i = 0; i < part->nodes; i++)
            if (node[i] >= 0) member[input->member_count++] = (crm_mesh_member){group, node[i]};
        for (int i = 0; i < part->corner && part->nodes == part->corner; i++)
            for (int k = 0; k < i; k++)
                if (node[i] >= 0 && node[k] >= 0 && node[i] != node[k])
                    link[input->link_count++] = (crm_mesh_link){group, {node[k], node[i]}};
    }
    input->member = member;
    input->link = link;
    return true;
}

// Edges of elements between nodes of one group: their middles, where there are some, and links where not.
static bool join_edges(const grouping *g, crm_mesh_input *input) {
    ptrdiff_t most = 6 * (ptrdiff_t)input->element_count;
    int32_t *of = CRM_ARENA_ARRAY(g->scratch, int32_t, input->node_count);
    crm_mesh_link *link = CRM_ARENA_ARRAY(g->scratch, crm_mesh_link, input->order == 1 ? most : 0);
    crm_mesh_member *member = CRM_ARENA_ARRAY(g->scratch, crm_mesh_member, (ptrdiff_t)input->member_count + most);
    if (of == NULL || link == NULL || member == NULL) return false;
    memcpy(member, input->member, (size_t)input->member_count * sizeof *member);
    for (int i = 0; i < input->node_count; i++) of[i] = -1;
    for (int i = 0; i < input->member_count; i++) of[member[i].node] = member[i].group;
    int links = 0, nodes = CAROM_ELEMENT_NODES(input->order);
    for (int i = 0; i < most; i++) {
        const int32_t *element = input->element + (ptrdiff_t)nodes * (i / 6);
        int32_t a = element[crm_tetrahedron_edge[i % 6][0]], b = element[crm_tetrahedron_edge[i % 6][1]];
        if (of[a] < 0 || of[a] != of[b]) continue;
        if (input->order == 1)
            link[links++] = (crm_mesh_link){of[a], {a, b}};
        else if (of[element[4 + i % 6]] < 0)
            member[input->member_count++] = (crm_mesh_member){of[a], element[4 + i % 6]};
    }
    input->link_count = links;
    input->link = link;
    input->member = member;
    return true;
}

bool crm_mesh_find_groups(const crm_mesh_draft *draft, const int32_t *part_node, crm_arena *scratch,
                          crm_mesh_input *input) {
    grouping g = {.draft = draft, .part_node = part_node, .scratch = scratch};
    return find_keys(&g) && find_names(&g) && number_groups(&g, input) && find_members(&g, input) &&
           (!draft->joins_edges || join_edges(&g, input));
}

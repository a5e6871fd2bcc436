// SPDX-License-Identifier: MIT
// TetGen's files (its manual, "file formats"): NAME.node with a line a node, NAME.ele with a line a tetrahedron.
//
// The middles of 10 nodes are those of edges 23, 03, 01, 12, 13, 02: TetGen 1.5 and later.
#include <stdio.h>

#include "base/fail.h"
#include "flex/mesh/file/mesh_draft.h"

static const int middle_at[6] = {6, 7, 9, 5, 8, 4}; // of edges 01, 12, 02, 03, 13, 23 in a line of the file

// The marker of a group is its key; 0 is none.
static void name_group(int64_t key, char out[CRM_MESH_NAME_BYTES + 1]) {
    snprintf(out, CRM_MESH_NAME_BYTES + 1, "marker %lld", (long long)key);
}

// The next line that is not empty.
static bool begin_line(crm_mesh_text *text, const char *what) {
    if (text->status != CAROM_OK) return false;
    return crm_mesh_text_next_line(text) ||
           crm_mesh_text_refuse(text, "the file ends where %s should be; is it whole?", what);
}

// Whether the line has another word.
static bool goes_on(crm_mesh_text *text) {
    crm_mesh_text ahead = *text;
    const char *word;
    size_t size;
    return crm_mesh_text_word(&ahead, &word, &size);
}

// A number that may be missing at the end of a header, where it is 0 then.
static bool read_more(crm_mesh_text *text, const char *what, int64_t high, int64_t *out) {
    *out = 0;
    return !goes_on(text) || crm_mesh_text_whole(text, what, 0, high, out);
}

static bool read_node(crm_mesh_text *text, crm_mesh_draft *draft, int64_t attributes, bool marked, bool *no_memory) {
    int64_t tag, marker = 0;
    double attribute;
    carom_vec3 x;
    if (!begin_line(text, "a node") || !crm_mesh_text_whole(text, "the number of a node", 0, INT64_MAX, &tag) ||
        !crm_mesh_text_real(text, "the x coordinate of a node", &x.x) ||
        !crm_mesh_text_real(text, "the y coordinate of a node", &x.y) ||
        !crm_mesh_text_real(text, "the z coordinate of a node", &x.z))
        return false;
    for (int64_t i = 0; i < attributes; i++)
        if (!crm_mesh_text_real(text, "an attribute of a node", &attribute)) return false;
    if (marked && !crm_mesh_text_whole(text, "the marker of a node", -INT32_MAX, INT32_MAX, &marker)) return false;
    *no_memory = !crm_mesh_draft_add_node(draft, tag, text->line, x) ||
                 (marker != 0 && !crm_mesh_draft_add_part(draft, marker, text->line, 1, 1, &tag));
    crm_mesh_text_skip_line(text);
    return !*no_memory;
}

static bool read_nodes(crm_mesh_text *text, crm_mesh_draft *draft, bool *no_memory) {
    int count;
    int64_t dimension, attributes, markers;
    if (!begin_line(text, "the number of nodes") ||
        !crm_mesh_text_count(text, "nodes", 4, CAROM_MESH_MOST_NODES, 8, &count) ||
        !crm_mesh_text_whole(text, "the dimension", 3, 3, &dimension) ||
        !read_more(text, "the number of attributes", 1000, &attributes) ||
        !read_more(text, "whether there are markers", 1, &markers))
        return false;
    crm_mesh_text_skip_line(text);
    for (int i = 0; i < count; i++)
        if (!read_node(text, draft, attributes, markers == 1, no_memory)) return false;
    return true;
}

// What follows the nodes on a line is the region, which is not read.
static bool read_element(crm_mesh_text *text, crm_mesh_draft *draft, int nodes, bool *no_memory) {
    int64_t tag, given[10], node[10];
    if (!begin_line(text, "an element") || !crm_mesh_text_whole(text, "the number of an element", 0, INT64_MAX, &tag))
        return false;
    for (int i = 0; i < nodes; i++)
        if (!crm_mesh_text_whole(text, "a node of an element", 0, INT64_MAX, &given[i])) return false;
    for (int i = 0; i < nodes; i++) node[i] = given[i < 4 ? i : middle_at[i - 4]];
    *no_memory = !crm_mesh_draft_add_element(draft, nodes == 10 ? 2 : 1, CRM_MESH_NO_GROUP, tag, text->line, node);
    crm_mesh_text_skip_line(text);
    return !*no_memory;
}

static bool read_elements(crm_mesh_text *text, crm_mesh_draft *draft, bool *no_memory) {
    int count;
    int64_t nodes;
    if (!begin_line(text, "the number of elements") ||
        !crm_mesh_text_count(text, "elements", 1, CAROM_MESH_MOST_ELEMENTS, 10, &count) ||
        !crm_mesh_text_whole(text, "the number of nodes of an element", 4, 10, &nodes))
        return false;
    if (nodes != 4 && nodes != 10)
        return crm_mesh_text_refuse(text, "elements have %d nodes, must have 4 or 10", (int)nodes);
    crm_mesh_text_skip_line(text);
    for (int i = 0; i < count; i++)
        if (!read_element(text, draft, (int)nodes, no_memory)) return false;
    return true;
}

bool crm_mesh_read_tetgen(crm_mesh_text *nodes, crm_mesh_text *elements, crm_mesh_draft *draft) {
    bool no_memory = false;
    draft->name_group = name_group;
    draft->joins_edges = true;
    draft->node_file = nodes->name;
    draft->element_file = elements->name;
    bool good = read_nodes(nodes, draft, &no_memory) && read_elements(elements, draft, &no_memory);
    if (no_memory) nodes->status = crm_fail_memory(nodes->error, "a mesh of a file", 0);
    return good;
}

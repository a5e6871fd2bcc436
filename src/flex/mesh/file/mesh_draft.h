// SPDX-License-Identifier: MIT
// What a file says of a mesh, with nodes by the numbers that the file gives them.
#ifndef CRM_FLEX_MESH_DRAFT_H
#define CRM_FLEX_MESH_DRAFT_H

#include "base/array.h"
#include "flex/mesh/file/mesh_text.h"
#include "flex/mesh/mesh_build.h"

// Names of groups are at most so long, bytes.
enum { CRM_MESH_NAME_BYTES = 127 };

// A point, line, triangle or tetrahedron: its nodes are in the mesh's groups with this key.
typedef struct crm_mesh_part {
    int64_t key;    // CRM_MESH_NO_GROUP: of no group, but in the file
    int32_t first;  // of its nodes in draft.part_node
    int16_t corner; // how many of its nodes are corners, 1 ... 4
    int16_t nodes;
    int32_t line;
} crm_mesh_part;
#define CRM_MESH_NO_GROUP INT64_MIN

// What a group is called; those of the same name are one.
typedef struct crm_mesh_label {
    int64_t key;
    char name[CRM_MESH_NAME_BYTES + 1];
} crm_mesh_label;

typedef CRM_ARRAY(carom_vec3) crm_mesh_vec3_array;
typedef CRM_ARRAY(crm_mesh_place) crm_mesh_place_array;
typedef CRM_ARRAY(int64_t) crm_mesh_tag_array;
typedef CRM_ARRAY(crm_mesh_part) crm_mesh_part_array;
typedef CRM_ARRAY(crm_mesh_label) crm_mesh_label_array;

typedef struct crm_mesh_draft {
    carom_allocator allocator;
    const char *node_file, *element_file;
    crm_mesh_vec3_array node;
    crm_mesh_place_array node_place;
    int order;                  // of the elements; 0 while there are none
    crm_mesh_tag_array element; // nodes of the elements, in the order of carom/mesh.h
    crm_mesh_place_array element_place;
    crm_mesh_tag_array element_key; // of its group
    crm_mesh_part_array part;
    crm_mesh_tag_array part_node;
    crm_mesh_label_array label;
    bool repeats;     // an element may be there once for each of its groups
    bool joins_edges; // the middle of an edge whose ends are in a group is in it; each node is in one at most
    // The name of a group without a label.
    void (*name_group)(int64_t key, char out[CRM_MESH_NAME_BYTES + 1]);
} crm_mesh_draft;

void crm_mesh_draft_start(crm_mesh_draft *draft, const carom_allocator *allocator);
void crm_mesh_draft_free(crm_mesh_draft *draft);

bool crm_mesh_draft_add_node(crm_mesh_draft *draft, int64_t tag, int line, carom_vec3 x);
// Its nodes in the order of carom/mesh.h; they are added to its group, too.
bool crm_mesh_draft_add_element(crm_mesh_draft *draft, int order, int64_t key, int64_t tag, int line,
                                const int64_t *nodes);
bool crm_mesh_draft_add_part(crm_mesh_draft *draft, int64_t key, int line, int corners, int count,
                             const int64_t *nodes);

// Makes the mesh. `order` as in carom_mesh_parse.
carom_status crm_mesh_draft_build(crm_mesh_draft *draft, int order, const carom_allocator *allocator, carom_mesh **out,
                                  carom_error *error);

// ---- numbers that a file gives, in ascending order

typedef struct crm_mesh_tags {
    int count;
    const int64_t *tag;   // ascending
    const int32_t *index; // where each was
} crm_mesh_tags;

bool crm_mesh_tags_sort(int count, const int64_t *tag, crm_arena *scratch, crm_mesh_tags *out);
// Where this one was; -1: there is none.
int crm_mesh_tags_find(const crm_mesh_tags *tags, int64_t tag);

// ---- the readers: text to draft; false after a sentence in text->error, or without memory

bool crm_mesh_read_gmsh(crm_mesh_text *text, crm_mesh_draft *draft);
bool crm_mesh_read_tetgen(crm_mesh_text *nodes, crm_mesh_text *elements, crm_mesh_draft *draft);

#endif

// SPDX-License-Identifier: MIT
// gmsh's files: sections between $NAME and $EndNAME (gmsh's reference manual, "MSH file format").
#include "flex/mesh/file/gmsh.h"

#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/text/utf8.h"

int64_t crm_gmsh_key(int dimension, int64_t number) {
    return ((int64_t)dimension << 40) + (number < 0 ? -number : number);
}

static void name_group(int64_t key, char out[CRM_MESH_NAME_BYTES + 1]) {
    static const char *const kinds[] = {"point", "line", "surface", "volume"};
    snprintf(out, CRM_MESH_NAME_BYTES + 1, "%s %lld", kinds[key >> 40 & 3],
             (long long)(key & ((INT64_C(1) << 40) - 1)));
}

bool crm_gmsh_no_memory(crm_gmsh *gmsh) {
    gmsh->no_memory = true;
    return false;
}

const crm_gmsh_kind *crm_gmsh_find_kind(crm_gmsh *gmsh, int64_t type) {
    static const struct {
        int type;
        crm_gmsh_kind kind;
    } kinds[] = {{1, {1, 2, 2}}, {2, {2, 3, 3}},   {4, {3, 4, 4}}, {8, {1, 2, 3}},
                 {9, {2, 3, 6}}, {11, {3, 4, 10}}, {15, {0, 1, 1}}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (kinds[i].type == type) return &kinds[i].kind;
    crm_mesh_text_refuse(gmsh->text,
                         "elements of type %lld are not read: only tetrahedra of 4 or 10 nodes (4, 11), with triangles "
                         "(2, 9), lines (1, 8) and points (15) on them; mesh without recombination, to order 2 at most",
                         (long long)type);
    return NULL;
}

bool crm_gmsh_add_node(crm_gmsh *gmsh, int64_t tag, int line) {
    carom_vec3 x;
    crm_mesh_text *text = gmsh->text;
    return crm_mesh_text_real(text, "the x coordinate of a node", &x.x) &&
           crm_mesh_text_real(text, "the y coordinate of a node", &x.y) &&
           crm_mesh_text_real(text, "the z coordinate of a node", &x.z) &&
           (crm_mesh_draft_add_node(gmsh->draft, tag, line, x) || crm_gmsh_no_memory(gmsh));
}

static bool add_tetrahedron(crm_gmsh *gmsh, int nodes, int64_t key, int64_t tag, int64_t *node) {
    crm_mesh_draft *draft = gmsh->draft;
    int order = nodes == 10 ? 2 : 1;
    if (order == 2) { // the last two middles are those of edges 23 and 13
        int64_t last = node[9];
        node[9] = node[8], node[8] = last;
    }
    if (draft->order != 0 && draft->order != order)
        return crm_mesh_text_refuse(gmsh->text, "element %lld has %d nodes, those before it have %d; all must be alike",
                                    (long long)tag, nodes, CAROM_ELEMENT_NODES(draft->order));
    if (draft->element_place.count == CAROM_MESH_MOST_ELEMENTS)
        return crm_mesh_text_refuse(gmsh->text, "there are more than %d elements; make the mesh coarser",
                                    CAROM_MESH_MOST_ELEMENTS);
    return crm_mesh_draft_add_element(draft, order, key, tag, gmsh->text->line, node) || crm_gmsh_no_memory(gmsh);
}

bool crm_gmsh_read_element(crm_gmsh *gmsh, const crm_gmsh_kind *kind, int64_t tag, int group_count,
                           const int64_t *group) {
    int64_t node[10];
    for (int i = 0; i < kind->nodes; i++)
        if (!crm_mesh_text_whole(gmsh->text, "a node of an element", 0, INT64_MAX, &node[i])) return false;
    int64_t first = group_count > 0 ? group[0] : CRM_MESH_NO_GROUP;
    bool solid = kind->dimension == 3;
    if (solid && !add_tetrahedron(gmsh, kind->nodes, first, tag, node)) return false;
    for (int i = solid; i < (group_count > 0 ? group_count : 1); i++)
        if (!crm_mesh_draft_add_part(gmsh->draft, group_count > 0 ? group[i] : first, gmsh->text->line, kind->corners,
                                     kind->nodes, node))
            return crm_gmsh_no_memory(gmsh);
    return true;
}

// ---- sections

// The rest of the line up to the second quote: a name of a group.
static bool read_name(crm_gmsh *gmsh, char out[CRM_MESH_NAME_BYTES + 1]) {
    crm_mesh_text *text = gmsh->text;
    while (text->at < text->end && (*text->at == ' ' || *text->at == '\t')) text->at++;
    const char *begin = text->at + 1, *end = begin;
    bool quoted = text->at < text->end && *text->at == '"';
    while (quoted && end < text->end && *end != '"' && *end != '\n') end++;
    if (!quoted || end >= text->end || *end != '"')
        return crm_mesh_text_refuse(text, "the name of a physical group must be in quotes");
    size_t size = (size_t)(end - begin);
    bool plain = size > 0 && size <= CRM_MESH_NAME_BYTES && crm_utf8_is_valid(begin, size);
    for (size_t i = 0; plain && i < size; i++) plain = (unsigned char)begin[i] >= ' ' && begin[i] != 127;
    if (!plain)
        return crm_mesh_text_refuse(text, "the name of a physical group must have 1 to %d bytes of plain text (UTF-8)",
                                    CRM_MESH_NAME_BYTES);
    memcpy(out, begin, size);
    out[size] = '\0';
    text->at = end + 1;
    return true;
}

static bool read_names(crm_gmsh *gmsh) {
    int count;
    if (!crm_mesh_text_count(gmsh->text, "physical names", 0, INT32_MAX, 6, &count)) return false;
    for (int i = 0; i < count; i++) {
        int64_t dimension, number;
        crm_mesh_label label = {0};
        if (!crm_mesh_text_whole(gmsh->text, "the dimension of a physical group", 0, 3, &dimension) ||
            !crm_mesh_text_whole(gmsh->text, "the number of a physical group", -CRM_GMSH_MOST_KEY, CRM_GMSH_MOST_KEY,
                                 &number) ||
            !read_name(gmsh, label.name))
            return false;
        label.key = crm_gmsh_key((int)dimension, number);
        if (!CRM_ARRAY_PUSH(&gmsh->draft->allocator, &gmsh->draft->label, label)) return crm_gmsh_no_memory(gmsh);
    }
    return true;
}

static bool read_header(crm_gmsh *gmsh, bool *fourth) {
    crm_mesh_text *text = gmsh->text;
    double version;
    int64_t binary, bytes;
    if (!crm_mesh_text_has(text, "$MeshFormat"))
        return crm_mesh_text_refuse(text,
                                    "it does not begin with $MeshFormat, so that it is no mesh of gmsh of version "
                                    "2.2 or 4.1; save it as one");
    if (!crm_mesh_text_real(text, "the version of the format", &version) ||
        !crm_mesh_text_whole(text, "the type of the file", 0, 1, &binary) ||
        !crm_mesh_text_whole(text, "the size of a number", 1, 64, &bytes))
        return false;
    *fourth = version == 4.1;
    if (version != 2.2 && version != 4.1)
        return crm_mesh_text_refuse(text,
                                    "the version of the format is %g, must be 2.2 or 4.1; save the mesh with "
                                    "Mesh.MshFileVersion = 4.1",
                                    version);
    if (binary == 1) return crm_mesh_text_refuse(text, "the file is binary; save the mesh with Mesh.Binary = 0");
    return crm_mesh_text_has(text, "$EndMeshFormat") || crm_mesh_text_refuse(text, "$EndMeshFormat is missing");
}

// Goes on behind $EndNAME of a section that is not read.
static bool skip_section(crm_mesh_text *text, const char *name, size_t size) {
    int line = text->line;
    for (; text->at < text->end; crm_mesh_text_skip_line(text)) {
        const char *word;
        size_t length;
        if (*text->at != '$' || !crm_mesh_text_word(text, &word, &length)) continue;
        if (length == size + 3 && memcmp(word, "$End", 4) == 0 && memcmp(word + 4, name + 1, size - 1) == 0)
            return true;
    }
    text->line = line;
    return crm_mesh_text_refuse(text, "the section that begins here has no end; is the file whole?");
}

static bool once(crm_gmsh *gmsh, bool *has, const char *name) {
    if (*has) return crm_mesh_text_refuse(gmsh->text, "%s is there twice; remove one", name);
    return *has = true;
}

static bool ends(crm_gmsh *gmsh, const char *end) {
    return crm_mesh_text_has(gmsh->text, end) ||
           crm_mesh_text_refuse(gmsh->text, "%s should be here; do the numbers before it fit what follows them?", end);
}

static bool is(const char *word, size_t size, const char *name) {
    return size == strlen(name) && memcmp(word, name, size) == 0;
}

static bool read_section(crm_gmsh *gmsh, bool fourth, const char *word, size_t size) {
    if (is(word, size, "$PhysicalNames"))
        return once(gmsh, &gmsh->has_names, "$PhysicalNames") && read_names(gmsh) && ends(gmsh, "$EndPhysicalNames");
    if (is(word, size, "$Nodes"))
        return once(gmsh, &gmsh->has_nodes, "$Nodes") && (fourth ? crm_gmsh4_nodes(gmsh) : crm_gmsh2_nodes(gmsh)) &&
               ends(gmsh, "$EndNodes");
    if (is(word, size, "$Elements"))
        return once(gmsh, &gmsh->has_elements, "$Elements") &&
               (fourth ? crm_gmsh4_elements(gmsh) : crm_gmsh2_elements(gmsh)) && ends(gmsh, "$EndElements");
    if (fourth && is(word, size, "$Entities"))
        return once(gmsh, &gmsh->has_entities, "$Entities") && crm_gmsh4_entities(gmsh) && ends(gmsh, "$EndEntities");
    if (is(word, size, "$PartitionedEntities"))
        return crm_mesh_text_refuse(gmsh->text, "the mesh is partitioned; save it whole");
    if (word[0] != '$' || (size > 4 && memcmp(word, "$End", 4) == 0))
        return crm_mesh_text_refuse(gmsh->text, "a section should begin here with its name, such as $Nodes");
    return skip_section(gmsh->text, word, size);
}

static bool read_sections(crm_gmsh *gmsh) {
    bool fourth = false;
    const char *word;
    size_t size;
    if (!read_header(gmsh, &fourth)) return false;
    while (crm_mesh_text_word(gmsh->text, &word, &size))
        if (!read_section(gmsh, fourth, word, size)) return false;
    if (gmsh->has_nodes && gmsh->has_elements) return true;
    return crm_mesh_text_refuse(gmsh->text, "the file ends without %s; is it whole?",
                                gmsh->has_nodes ? "$Elements" : "$Nodes");
}

bool crm_mesh_read_gmsh(crm_mesh_text *text, crm_mesh_draft *draft) {
    crm_gmsh gmsh = {.text = text, .draft = draft};
    draft->name_group = name_group;
    draft->node_file = draft->element_file = text->name;
    bool good = read_sections(&gmsh);
    CRM_ARRAY_FREE(&draft->allocator, &gmsh.entity);
    CRM_ARRAY_FREE(&draft->allocator, &gmsh.physical);
    CRM_ARRAY_FREE(&draft->allocator, &gmsh.first);
    if (gmsh.no_memory) text->status = crm_fail_memory(text->error, "a mesh of a file", 0);
    return good;
}

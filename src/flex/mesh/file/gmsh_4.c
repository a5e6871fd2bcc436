// SPDX-License-Identifier: MIT
// Version 4.1: nodes and elements in blocks, each of a point, curve, surface or volume (an entity), whose physical
// groups are in a list before them.
#include "flex/mesh/file/gmsh.h"

// Groups of an entity are at most so many: each of its elements is added to each of them.
enum { MOST_GROUPS = 64 };

static bool skip_reals(crm_gmsh *gmsh, int count) {
    double value;
    for (int i = 0; i < count; i++)
        if (!crm_mesh_text_real(gmsh->text, "a coordinate of an entity", &value)) return false;
    return true;
}

// ---- entities

static bool read_groups(crm_gmsh *gmsh, int dimension) {
    int64_t count, group;
    if (!crm_mesh_text_whole(gmsh->text, "the number of physical groups of an entity", 0, MOST_GROUPS, &count))
        return false;
    for (int i = 0; i < count; i++) {
        if (!crm_mesh_text_whole(gmsh->text, "a physical group of an entity", -CRM_GMSH_MOST_KEY, CRM_GMSH_MOST_KEY,
                                 &group))
            return false;
        if (!CRM_ARRAY_PUSH(&gmsh->draft->allocator, &gmsh->physical, crm_gmsh_key(dimension, group)))
            return crm_gmsh_no_memory(gmsh);
    }
    return true;
}

// A point has three coordinates, all others the six of a box about them, and what bounds them.
static bool read_entity(crm_gmsh *gmsh, int dimension) {
    int64_t number, count = 0, bound;
    if (!crm_mesh_text_whole(gmsh->text, "the number of an entity", -CRM_GMSH_MOST_KEY, CRM_GMSH_MOST_KEY, &number) ||
        !skip_reals(gmsh, dimension == 0 ? 3 : 6))
        return false;
    if (!CRM_ARRAY_PUSH(&gmsh->draft->allocator, &gmsh->entity, crm_gmsh_key(dimension, number)) ||
        !CRM_ARRAY_PUSH(&gmsh->draft->allocator, &gmsh->first, gmsh->physical.count))
        return crm_gmsh_no_memory(gmsh);
    if (!read_groups(gmsh, dimension)) return false;
    if (dimension > 0 &&
        !crm_mesh_text_whole(gmsh->text, "the number of bounds of an entity", 0, CRM_GMSH_MOST_KEY, &count))
        return false;
    for (int64_t i = 0; i < count; i++)
        if (!crm_mesh_text_whole(gmsh->text, "a bound of an entity", -CRM_GMSH_MOST_KEY, CRM_GMSH_MOST_KEY, &bound))
            return false;
    return true;
}

bool crm_gmsh4_entities(crm_gmsh *gmsh) {
    static const char *const kinds[] = {"points", "curves", "surfaces", "volumes"};
    int count[4];
    if (gmsh->has_elements) return crm_mesh_text_refuse(gmsh->text, "$Entities must come before $Elements");
    for (int d = 0; d < 4; d++)
        if (!crm_mesh_text_count(gmsh->text, kinds[d], 0, CRM_GMSH_MOST_KEY, 10, &count[d])) return false;
    for (int d = 0; d < 4; d++)
        for (int i = 0; i < count[d]; i++)
            if (!read_entity(gmsh, d)) return false;
    return true;
}

// ---- blocks

typedef struct block {
    int dimension, count;
    int64_t entity, third; // the third number: whether nodes have parameters, or the type of elements
} block;

static bool read_block(crm_gmsh *gmsh, const char *what, const char *third, int least_bytes, block *out) {
    int64_t dimension;
    if (!crm_mesh_text_whole(gmsh->text, "the dimension of a block", 0, 3, &dimension) ||
        !crm_mesh_text_whole(gmsh->text, "the entity of a block", -CRM_GMSH_MOST_KEY, CRM_GMSH_MOST_KEY,
                             &out->entity) ||
        !crm_mesh_text_whole(gmsh->text, third, 0, INT32_MAX, &out->third))
        return false;
    out->dimension = (int)dimension;
    return crm_mesh_text_count(gmsh->text, what, 0, INT32_MAX, least_bytes, &out->count);
}

// The numbers with which nodes and elements begin: of blocks, of all in them, and their smallest and largest tags.
static bool read_counts(crm_gmsh *gmsh, const char *what, int64_t least, int64_t most, int least_bytes, int *blocks,
                        int *all) {
    int64_t tag;
    return crm_mesh_text_count(gmsh->text, "blocks", 1, INT32_MAX, 8, blocks) &&
           crm_mesh_text_count(gmsh->text, what, least, most, least_bytes, all) &&
           crm_mesh_text_whole(gmsh->text, "the smallest tag", 0, INT64_MAX, &tag) &&
           crm_mesh_text_whole(gmsh->text, "the largest tag", 0, INT64_MAX, &tag);
}

// The tags of all nodes of a block, then their coordinates, with parameters on their entity behind them if they say so.
static bool read_node_block(crm_gmsh *gmsh, const block *b) {
    crm_mesh_text *text = gmsh->text;
    crm_mesh_text tags = *text;
    int64_t tag;
    for (int i = 0; i < b->count; i++)
        if (!crm_mesh_text_whole(text, "the number of a node", 0, INT64_MAX, &tag)) return false;
    for (int i = 0; i < b->count; i++) {
        crm_mesh_text_whole(&tags, "", 0, INT64_MAX, &tag); // read before
        if (!crm_gmsh_add_node(gmsh, tag, tags.line) || !skip_reals(gmsh, b->third == 1 ? b->dimension : 0))
            return false;
    }
    return true;
}

bool crm_gmsh4_nodes(crm_gmsh *gmsh) {
    int blocks, all;
    if (!read_counts(gmsh, "nodes", 4, CAROM_MESH_MOST_NODES, 8, &blocks, &all)) return false;
    for (int i = 0; i < blocks; i++) {
        block b;
        if (!read_block(gmsh, "nodes of a block", "whether nodes have parameters", 8, &b)) return false;
        if (b.count > all - gmsh->draft->node.count)
            return crm_mesh_text_refuse(gmsh->text, "the blocks have more nodes than the %d of the section", all);
        if (!read_node_block(gmsh, &b)) return false;
    }
    if (gmsh->draft->node.count == all) return true;
    return crm_mesh_text_refuse(gmsh->text, "the blocks have %d nodes, the section says %d", gmsh->draft->node.count,
                                all);
}

static bool read_element_block(crm_gmsh *gmsh, const block *b, const crm_mesh_tags *entities) {
    int64_t tag;
    const crm_gmsh_kind *kind = crm_gmsh_find_kind(gmsh, b->third);
    if (kind == NULL) return false;
    if (kind->dimension != b->dimension)
        return crm_mesh_text_refuse(gmsh->text, "elements of type %lld are not of dimension %d", (long long)b->third,
                                    b->dimension);
    int entity = crm_mesh_tags_find(entities, crm_gmsh_key(b->dimension, b->entity));
    if (entity < 0 && gmsh->has_entities)
        return crm_mesh_text_refuse(gmsh->text, "entity %lld is not among $Entities", (long long)b->entity);
    int first = entity < 0 ? 0 : gmsh->first.items[entity];
    int last = entity < 0 ? 0 : entity + 1 < gmsh->first.count ? gmsh->first.items[entity + 1] : gmsh->physical.count;
    for (int i = 0; i < b->count; i++)
        if (!crm_mesh_text_whole(gmsh->text, "the number of an element", 0, INT64_MAX, &tag) ||
            !crm_gmsh_read_element(gmsh, kind, tag, last - first, CRM_ARRAY_FROM(&gmsh->physical, first)))
            return false;
    return true;
}

bool crm_gmsh4_elements(crm_gmsh *gmsh) {
    int blocks, all, found = 0;
    crm_arena scratch;
    crm_mesh_tags entities;
    if (!read_counts(gmsh, "elements", 1, INT32_MAX, 4, &blocks, &all)) return false;
    crm_arena_init(&scratch, &gmsh->draft->allocator);
    bool good =
        crm_mesh_tags_sort(gmsh->entity.count, gmsh->entity.items, &scratch, &entities) || crm_gmsh_no_memory(gmsh);
    for (int i = 0; good && i < blocks; i++) {
        block b;
        good = read_block(gmsh, "elements of a block", "the type of elements", 4, &b);
        if (good && b.count > all - found)
            good = crm_mesh_text_refuse(gmsh->text, "the blocks have more elements than the %d of the section", all);
        good = good && read_element_block(gmsh, &b, &entities);
        found += good ? b.count : 0;
    }
    crm_arena_free(&scratch);
    if (!good || found == all) return good;
    return crm_mesh_text_refuse(gmsh->text, "the blocks have %d elements, the section says %d", found, all);
}

// SPDX-License-Identifier: MIT
// Broken files: each is refused with its sentence, which begins with the file and the line.
#include <stdio.h>
#include <string.h>

#include "carom/mesh.h"
#include "math/vec3.h"
#include "support/harness/check.h"
#include "support/harness/probe_allocator.h"

#define HEAD "$MeshFormat\n2.2 0 8\n$EndMeshFormat\n"
#define NODES "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n"
#define ELEMENTS "$Elements\n1\n1 4 2 0 1 1 2 3 4\n$EndElements\n"
#define HEAD4 "$MeshFormat\n4.1 0 8\n$EndMeshFormat\n"
#define NODES4 "$Nodes\n1 4 1 4\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n"
#define ELEMENTS4 "$Elements\n1 1 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n"

typedef struct broken {
    const char *text, *sentence;
} broken;

static const broken gmsh[] = {
    {"",
     "a.msh: line 1: it does not begin with $MeshFormat, so that it is no mesh of gmsh of version 2.2 or 4.1; save it "
     "as one"},
    {"$NOD\n4\n",
     "a.msh: line 1: it does not begin with $MeshFormat, so that it is no mesh of gmsh of version 2.2 or 4.1; "
     "save it as one"},
    {"$MeshFormat\n4 0 8\n", "a.msh: line 2: the version of the format is 4, must be 2.2 or 4.1; save the mesh with "
                             "Mesh.MshFileVersion = 4.1"},
    {"$MeshFormat\n2.2 1 8\n", "a.msh: line 2: the file is binary; save the mesh with Mesh.Binary = 0"},
    {"$MeshFormat\n2.2 0 8\n$Nodes\n", "a.msh: line 2: $EndMeshFormat is missing"},
    {HEAD "4\n", "a.msh: line 4: a section should begin here with its name, such as $Nodes"},
    {HEAD "$Periodic\n1\n", "a.msh: line 4: the section that begins here has no end; is the file whole?"},
    {HEAD NODES, "a.msh: line 11: the file ends without $Elements; is it whole?"},
    {HEAD ELEMENTS, "a.msh: line 8: the file ends without $Nodes; is it whole?"},
    {HEAD NODES NODES ELEMENTS, "a.msh: line 11: $Nodes is there twice; remove one"},
    {HEAD "$Nodes\n3\n", "a.msh: line 5: the number of nodes is 3, must be at least 4"},
    {HEAD "$Nodes\n9000000\n1 0 0 0\n",
     "a.msh: line 5: the number of nodes is 9000000, more than what is left of the file "
     "has room for; is it whole?"},
    {HEAD "$Nodes\n99000000000000000\n",
     "a.msh: line 5: the number of nodes is 99000000000000000, at most 10000000 are "
     "possible; make the mesh coarser"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n",
     "a.msh: line 5: the number of nodes is 4, more than what is left of the "
     "file has room for; is it whole?"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0.000000000000\n",
     "a.msh: line 10: the file ends where the y coordinate "
     "of a node should be; is it whole?"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 one 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
     "a.msh: line 7: the x coordinate of a node must "
     "be a number"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 nan 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
     "a.msh: line 7: the x coordinate of a node must "
     "be a number"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1e999 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
     "a.msh: line 7: the x coordinate of a node is "
     "too large a number"},
    {HEAD "$Nodes\n4\n1 0 0 0\n1.5 1 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n",
     "a.msh: line 7: the number of a node must be a "
     "whole number"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1e10 0 0\n3 0 1 0\n4 0 0 1\n$EndNodes\n" ELEMENTS,
     "a.msh: line 7: node 2 is at (1e+10, 0, 0), its coordinates must be finite and within 1e+09 m"},
    {HEAD "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n4 0 0 2\n$EndNodes\n" ELEMENTS,
     "a.msh: line 10: node 4 is there twice, first in line 9; number nodes differently"},
    {HEAD "$Nodes\n5\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 2\n$EndNodes\n" ELEMENTS,
     "a.msh: line 10: node 5 is in no element; remove it"},
    {HEAD "$Nodes\n4\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 0 0 2\n$EndNodes\n" ELEMENTS,
     "a.msh: line 9: $EndNodes should be here; do the numbers before it fit what follows them?"},
    {HEAD NODES "$Elements\n1\n1 4 2 0 1 1 2 3 5\n$EndElements\n", "a.msh: line 13: element 1 has node 5, which is not "
                                                                   "among the nodes"},
    {HEAD NODES "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 2 2 0 1 1 2 9\n$EndElements\n",
     "a.msh: line 14: a part of the surface has node 9, which is not among the nodes"},
    {HEAD NODES "$Elements\n1\n17 4 2 0 1 1 3 2 4\n$EndElements\n",
     "a.msh: line 13: element 17 is inverted: its volume is -0.166667 m^3; exchange two of its corners"},
    {HEAD NODES "$Elements\n1\n1 4 2 0 1 1 2 3 3\n$EndElements\n",
     "a.msh: line 13: element 1 has node 3 twice; its nodes "
     "must all be different"},
    {HEAD NODES "$Elements\n1\n1 5 2 0 1 1 2 3 4 1 2 3 4\n$EndElements\n",
     "a.msh: line 13: elements of type 5 are not read: only tetrahedra of 4 or 10 nodes (4, 11), with triangles (2, "
     "9), "
     "lines (1, 8) and points (15) on them; mesh without recombination, to order 2 at most"},
    {HEAD NODES "$Elements\n1\n1 2 2 0 1 1 2 3\n$EndElements\n",
     "a.msh: it has no tetrahedra; make a mesh of volumes, not "
     "of surfaces alone"},
    {HEAD NODES "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 11 2 0 1 1 2 3 4 1 2 3 4 1 2\n$EndElements\n",
     "a.msh: line 14: element 2 has 10 nodes, those before it have 4; all must be alike"},
    {HEAD NODES "$Elements\n2\n1 4 2 0 1 1 2 3 4\n2 4 2 0 1 1 2 3 4\n$EndElements\n",
     "a.msh: line 14: element 2 lies on the same side of its face of nodes 1, 2, 3 as an element before it; remove the "
     "one "
     "that is there twice"},
    {HEAD NODES "$Elements\n99\n1 4 2 0 1 1 2 3 4\n$EndElements\n",
     "a.msh: line 12: the number of elements is 99, more than what is left of the file has room for; is it whole?"},
    {HEAD "$PhysicalNames\n1\n2 1 low\n$EndPhysicalNames\n" NODES ELEMENTS,
     "a.msh: line 6: the name of a physical group "
     "must be in quotes"},
    {HEAD "$PhysicalNames\n1\n2 1 \"\xff\"\n$EndPhysicalNames\n" NODES ELEMENTS,
     "a.msh: line 6: the name of a physical group must have 1 to 127 bytes of plain text (UTF-8)"},
    {HEAD "$PhysicalNames\n1\n5 1 \"low\"\n$EndPhysicalNames\n",
     "a.msh: line 6: the dimension of a physical group is 5, "
     "must be between 0 and 3"},
    {HEAD4 "$PartitionedEntities\n", "a.msh: line 4: the mesh is partitioned; save it whole"},
    {HEAD4 NODES4 "$Elements\n1 1 1 1\n2 1 4 1\n1 1 2 3 4\n$EndElements\n",
     "a.msh: line 18: elements of type 4 are not of dimension 2"},
    {HEAD4 NODES4 "$Elements\n1 2 1 1\n3 1 4 1\n1 1 2 3 4\n$EndElements\n",
     "a.msh: line 19: the blocks have 1 elements, "
     "the section says 2"},
    {HEAD4 "$Entities\n0 0 0 1\n2 0 0 0 1 1 1 0 0\n$EndEntities\n" NODES4 ELEMENTS4,
     "a.msh: line 22: entity 1 is not among $Entities"},
    {HEAD4 "$Entities\n0 0 0 1\n2 0 0 0 1 1 1 65 0\n",
     "a.msh: line 6: the number of physical groups of an entity is 65, "
     "must be between 0 and 64"},
    {HEAD4 "$Nodes\n1 4 1 4\n3 1 0 5\n1\n2\n3\n4\n5\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n0 0 2\n$EndNodes\n",
     "a.msh: line 6: the blocks have more nodes than the 4 of the section"},
    {HEAD4 "$Nodes\n1 5 1 5\n3 1 0 4\n1\n2\n3\n4\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n$EndNodes\n",
     "a.msh: line 14: the blocks have 4 nodes, the section says 5"},
};

static carom_status parse(const char *text, const char *elements, int order, carom_error *error) {
    carom_mesh *mesh = NULL;
    probe_allocator probe = {0};
    carom_allocator hook = probe_allocator_hook(&probe);
    carom_mesh_format format = elements == NULL ? CAROM_MESH_GMSH : CAROM_MESH_TETGEN;
    error->text[0] = '\0';
    carom_status status = carom_mesh_parse(format, elements == NULL ? "a.msh" : "a.node", text, strlen(text), elements,
                                           elements == NULL ? 0 : strlen(elements), order, &hook, &mesh, error);
    CHECK((status == CAROM_OK) == (mesh != NULL));
    carom_mesh_destroy(mesh);
    CHECK_INT(probe.live_blocks, 0);
    return status;
}

TEST(the_texts_are_good_where_they_are_not_broken) {
    carom_error error;
    CHECK_INT(parse(HEAD NODES ELEMENTS, NULL, 0, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    CHECK_INT(parse(HEAD4 NODES4 ELEMENTS4, NULL, 0, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
}

TEST(broken_files_of_gmsh_are_refused) {
    carom_error error;
    for (size_t i = 0; i < sizeof gmsh / sizeof *gmsh; i++) {
        carom_status status = parse(gmsh[i].text, NULL, 0, &error);
        CHECK(status == CAROM_ERR_BAD_INPUT || status == CAROM_ERR_TOO_LARGE);
        CHECK_TEXT(error.text, gmsh[i].sentence);
    }
}

TEST(broken_files_of_tetgen_are_refused) {
    static const char good[] = "4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n3 0 1 0 0\n4 0 0 1 0\n";
    static const char element[] = "1 4 0\n1 1 2 3 4\n";
    static const struct {
        const char *nodes, *elements, *sentence;
    } cases[] = {
        {"", element, "a.node: line 1: the file ends where the number of nodes should be; is it whole?"},
        {"# nothing\n", element, "a.node: line 2: the file ends where the number of nodes should be; is it whole?"},
        {"4 2\n", element,
         "a.node: line 1: the number of nodes is 4, more than what is left of the file has room for; is "
         "it whole?"},
        {"4 2\n1 0 0\n2 1 0\n3 0 1\n4 0 0                    \n", element,
         "a.node: line 1: the dimension is 2, must be "
         "between 3 and 3"},
        {"4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n3 0 1\n4 0 0 1 0\n", element,
         "a.node: line 4: the line ends where the z "
         "coordinate of a node should be; is it whole?"},
        {"4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n3 0 1 0\n4 0 0 1 0\n", element,
         "a.node: line 4: the line ends where the marker "
         "of a node should be; is it whole?"},
        {"4 3 0 1\n1 0 0 0 1\n2 1 0 0 1\n3 0 1 0 0\n", element,
         "a.node: line 5: the file ends where a node should be; is "
         "it whole?"},
        {good, "1 5 0\n1 1 2 3 4 1\n", "a.ele: line 1: elements have 5 nodes, must have 4 or 10"},
        {good, "1 4 0\n1 1 2 3 0\n", "a.ele: line 2: element 1 has node 0, which is not among the nodes"},
        {good, "1 4 0\n1 1 2 3\n", "a.ele: line 2: the line ends where a node of an element should be; is it whole?"},
        {good, "1 4 0\n\n1 2 1 3 4\n",
         "a.ele: line 3: element 1 is inverted: its volume is -0.166667 m^3; exchange two of "
         "its corners"},
        {good, "0 4 0\n", "a.ele: line 1: the number of elements is 0, must be at least 1"},
        {"5 3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n4 0 0 1\n5 7 7 7\n", element,
         "a.node: line 6: node 5 is in no element; remove "
         "it"},
    };
    carom_error error;
    CHECK_INT(parse(good, element, 0, &error), CAROM_OK);
    CHECK_TEXT(error.text, "");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        CHECK_INT(parse(cases[i].nodes, cases[i].elements, 0, &error), CAROM_ERR_BAD_INPUT);
        CHECK_TEXT(error.text, cases[i].sentence);
    }
}

TEST(files_that_cannot_be_read_are_refused) {
    carom_error error = {.text = ""};
    carom_mesh *mesh = NULL;
    CHECK_INT(carom_mesh_read("no/such.msh", 0, NULL, &mesh, &error), CAROM_ERR_FILE);
    CHECK_TEXT(error.text, "no/such.msh: cannot be opened: No such file or directory; check the name and the folder");
    CHECK_INT(carom_mesh_read("part.stl", 0, NULL, &mesh, &error), CAROM_ERR_BAD_INPUT);
    CHECK_TEXT(error.text, "part.stl: a mesh is a .msh of gmsh, or a .node and a .ele of TetGen; name one of them");
    CHECK_INT(carom_mesh_read(CAROM_SOURCE_DIR "/tests/data/mesh/bar-2.2-2.msh", 1, NULL, &mesh, &error),
              CAROM_ERR_BAD_INPUT);
    CHECK_CONTAINS(error.text,
                   "its elements have 10 nodes, but order 1 is asked for; take order 2 or a mesh of elements "
                   "with 4");
    CHECK_INT(carom_mesh_read("a.msh", 3, NULL, &mesh, &error), CAROM_ERR_FILE);
    CHECK(mesh == NULL);
}

TEST(memory_that_is_refused_is_given_back) {
    static const char *const files[] = {"bar-2.2-1.msh", "bar-4.1-2.msh", "cube.1.node"};
    for (int i = 0; i < 3; i++) {
        char path[4096];
        carom_error error;
        carom_mesh *mesh = NULL;
        probe_allocator probe = {0};
        carom_allocator hook = probe_allocator_hook(&probe);
        snprintf(path, sizeof path, CAROM_SOURCE_DIR "/tests/data/mesh/%s", files[i]);
        for (probe.refused_call = 1;; probe.refused_call++) {
            probe.calls = 0;
            if (carom_mesh_read(path, 2, &hook, &mesh, &error) == CAROM_OK) break;
            if (!CHECK_INT(error.status, CAROM_ERR_NO_MEMORY)) break;
            CHECK_CONTAINS(error.text, "no memory");
            CHECK_INT(probe.live_blocks, 0);
        }
        CHECK(probe.refused_call > 10);
        carom_mesh_destroy(mesh);
        CHECK_INT(probe.live_bytes, 0);
    }
}

TEST_MAIN(CASE(the_texts_are_good_where_they_are_not_broken), CASE(broken_files_of_gmsh_are_refused),
          CASE(broken_files_of_tetgen_are_refused), CASE(files_that_cannot_be_read_are_refused),
          CASE(memory_that_is_refused_is_given_back))

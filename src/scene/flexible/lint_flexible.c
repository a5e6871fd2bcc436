// SPDX-License-Identifier: MIT
// What is doubtful about flexible bodies before a step is made: meshes that lock or are in pieces, elements nearly
// flat.
#include <math.h>

#include "math/vec3.h"
#include "scene/flexible/flexible.h"

// Elements of 4 nodes bend too stiffly with fewer cells across than this, and the more so the nearer Poisson's ratio is
// to 1/2 (docs/flex.md has the figures).
static const int least_cells = 4;
static const double largest_poisson = 0.4;
// Mean edge of a lattice of cells, of which every face has a diagonal, over that of a cell: (1 + sqrt 2) / 2.
static const double edges_of_cell = 1.2071067811865476;
// Of a regular element it is 1; nearly flat ones make the stable step short and stresses rough.
static const double least_quality = 0.1;

// Cells across the thinnest part, about. Of a ball 6 volume / surface is its diameter, of a cube its edge, of anything
// long or flat it is more than the thickness: no mesh is blamed that has enough.
static double cells_across(const crm_scene_mesh *mesh) {
    if (mesh->kind == CRM_SCENE_MESH_BOX) return fmin(mesh->cells[0], fmin(mesh->cells[1], mesh->cells[2]));
    const carom_vec3 *x = carom_mesh_nodes(mesh->made);
    int count;
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh->made, &count);
    double area = 0.0;
    for (int t = 0; t < count; t++) {
        carom_vec3 corner = x[triangle[t].node[0]];
        area += 0.5 *
                crm_length(crm_cross(crm_sub(x[triangle[t].node[1]], corner), crm_sub(x[triangle[t].node[2]], corner)));
    }
    carom_mesh_quality quality = carom_mesh_get_quality(mesh->made);
    return 6.0 * quality.volume / area / (quality.mean_edge / edges_of_cell);
}

static void lint_locking(const crm_json_node *node, const crm_scene_flex *flex) {
    if (flex->mesh.order == 2) return;
    const carom_elastic_def *elastic = &flex->def.elastic;
    double across = cells_across(&flex->mesh), poisson = 0.5 * elastic->lambda / (elastic->lambda + elastic->mu);
    crm_json_node mesh = crm_scene_member(node, "mesh");
    if (across < least_cells)
        crm_scene_warn(
            &mesh,
            "has elements of 4 nodes, and about %.2g cells across: it will bend too stiffly; make \"order\" 2, or "
            "have at least %d",
            across, least_cells);
    if (poisson > largest_poisson)
        crm_scene_warn(
            &mesh, "has elements of 4 nodes, which lock with a Poisson's ratio of %.3g (above %g); make \"order\" 2",
            poisson, largest_poisson);
}

static void lint_mesh(const crm_json_node *node, const crm_scene_flex *flex) {
    carom_mesh_quality quality = carom_mesh_get_quality(flex->mesh.made);
    crm_json_node mesh = crm_scene_member(node, "mesh");
    if (quality.least_quality < least_quality)
        crm_scene_warn(&mesh,
                       "element %d is nearly flat (quality %.2g of 1): stable steps will be short and stresses rough; "
                       "mend the mesh",
                       quality.worst_element, quality.least_quality);
    if (quality.pieces > 1)
        crm_scene_warn(&mesh, "is in %d pieces that share no node and will fly apart; was one body meant?",
                       quality.pieces);
    lint_locking(node, flex);
    crm_json_node fixed = crm_scene_member(node, "fixed");
    if (flex->def.fixed_count == carom_mesh_node_count(flex->mesh.made))
        crm_scene_warn(&fixed, "has all %d nodes of the body: it neither moves nor bends; was a part of it meant?",
                       flex->def.fixed_count);
}

void crm_scene_lint_flexible(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node list = crm_scene_member(root, "flexible"), materials = crm_scene_member(root, "materials");
    for (int i = 0; i < data->flex_count; i++) {
        crm_json_node node = crm_scene_item(&list, i);
        if (data->flex[i].good) lint_mesh(&node, &data->flex[i]);
    }
    for (int m = 0; m < data->material_count; m++) {
        bool soft = false;
        for (int i = 0; i < data->flex_count; i++) soft |= data->flex[i].material == m;
        if (soft || !data->material[m].is_elastic || !data->material[m].used) continue;
        crm_json_node node = crm_scene_member(&materials, data->material[m].def.name),
                      elastic = crm_scene_member(&node, "elastic");
        crm_scene_warn(&elastic, "has no effect: no flexible body is of this material");
    }
}

// SPDX-License-Identifier: MIT
#include "record/report/report_shape.h"

static void put_polytope(crm_tree *tree, json_t *to, const carom_shape *shape) {
    json_t *vertices = json_array(), *facets = json_array();
    for (int i = 0; i < carom_shape_vertex_count(shape); i++)
        crm_tree_append(tree, vertices, crm_tree_vec3(tree, carom_shape_vertices(shape)[i]));
    for (int i = 0; i < carom_shape_facet_count(shape); i++) {
        carom_facet facet;
        json_t *corners = json_array();
        if (carom_shape_get_facet(shape, i, &facet, NULL) == CAROM_OK)
            for (int k = 0; k < facet.vertex_count; k++)
                crm_tree_append(tree, corners, json_integer(facet.vertices[k]));
        crm_tree_append(tree, facets, corners);
    }
    crm_tree_set(tree, to, "vertices", vertices);
    crm_tree_set(tree, to, "facets", facets);
}

static void put_compound(crm_tree *tree, json_t *to, const carom_shape *shape) {
    json_t *parts = json_array();
    for (int i = 0; i < carom_shape_part_count(shape); i++) {
        carom_pose pose;
        const carom_shape *part = carom_shape_part(shape, i, &pose);
        json_t *about = json_object();
        crm_tree_set(tree, about, "shape", crm_report_shape(tree, part)); // parts are convex: no compounds
        crm_tree_set(tree, about, "position", crm_tree_vec3(tree, pose.position));
        crm_tree_set(tree, about, "attitude", crm_tree_quat(tree, pose.attitude));
        crm_tree_append(tree, parts, about);
    }
    crm_tree_set(tree, to, "parts", parts);
}

json_t *crm_report_shape(crm_tree *tree, const carom_shape *shape) {
    json_t *to = json_object();
    carom_shape_def def;
    carom_shape_get_def(shape, &def);
    crm_tree_set(tree, to, "kind", json_string(carom_shape_kind_name(def.kind)));
    switch (def.kind) {
    case CAROM_SHAPE_SPHERE:
        crm_tree_set(tree, to, "radius", crm_tree_number(def.sphere.radius));
        break;
    case CAROM_SHAPE_ELLIPSOID:
        crm_tree_set(tree, to, "half_axes", crm_tree_vec3(tree, def.ellipsoid.half_axes));
        break;
    case CAROM_SHAPE_BOX:
        crm_tree_set(tree, to, "edges", crm_tree_vec3(tree, def.box.size));
        break;
    case CAROM_SHAPE_CAPSULE:
        crm_tree_set(tree, to, "radius", crm_tree_number(def.capsule.radius));
        crm_tree_set(tree, to, "length", crm_tree_number(def.capsule.length));
        break;
    case CAROM_SHAPE_POLYTOPE:
        put_polytope(tree, to, shape);
        break;
    case CAROM_SHAPE_HALF_SPACE:
        crm_tree_set(tree, to, "normal", crm_tree_vec3(tree, def.half_space.normal));
        crm_tree_set(tree, to, "offset", crm_tree_number(def.half_space.offset));
        break;
    case CAROM_SHAPE_CONTAINER:
        crm_tree_set(tree, to, "radius", crm_tree_number(def.container.radius));
        break;
    case CAROM_SHAPE_COMPOUND:
        put_compound(tree, to, shape);
        break;
    case CAROM_SHAPE_COUNT:
        break;
    }
    return to;
}

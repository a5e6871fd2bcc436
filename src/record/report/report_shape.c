// SPDX-License-Identifier: MIT
#include "record/report/report_shape.h"

#include "record/report/json_tree.h"

static void put_polytope(json_t *to, const carom_shape *shape) {
    json_t *vertices = json_array(), *facets = json_array();
    for (int i = 0; i < carom_shape_vertex_count(shape); i++)
        json_array_append_new(vertices, crm_tree_vec3(carom_shape_vertices(shape)[i]));
    for (int i = 0; i < carom_shape_facet_count(shape); i++) {
        carom_facet facet;
        json_t *corners = json_array();
        if (carom_shape_get_facet(shape, i, &facet, NULL) == CAROM_OK)
            for (int k = 0; k < facet.vertex_count; k++)
                json_array_append_new(corners, json_integer(facet.vertices[k]));
        json_array_append_new(facets, corners);
    }
    json_object_set_new(to, "vertices", vertices);
    json_object_set_new(to, "facets", facets);
}

static void put_compound(json_t *to, const carom_shape *shape) {
    json_t *parts = json_array();
    for (int i = 0; i < carom_shape_part_count(shape); i++) {
        carom_pose pose;
        const carom_shape *part = carom_shape_part(shape, i, &pose);
        json_t *about = json_object();
        json_object_set_new(about, "shape", crm_report_shape(part)); // parts are convex: no compounds
        json_object_set_new(about, "position", crm_tree_vec3(pose.position));
        json_object_set_new(about, "attitude", crm_tree_quat(pose.attitude));
        json_array_append_new(parts, about);
    }
    json_object_set_new(to, "parts", parts);
}

json_t *crm_report_shape(const carom_shape *shape) {
    json_t *to = json_object();
    carom_shape_def def;
    carom_shape_get_def(shape, &def);
    json_object_set_new(to, "kind", json_string(carom_shape_kind_name(def.kind)));
    switch (def.kind) {
    case CAROM_SHAPE_SPHERE:
        json_object_set_new(to, "radius", crm_tree_number(def.sphere.radius));
        break;
    case CAROM_SHAPE_ELLIPSOID:
        json_object_set_new(to, "half_axes", crm_tree_vec3(def.ellipsoid.half_axes));
        break;
    case CAROM_SHAPE_BOX:
        json_object_set_new(to, "edges", crm_tree_vec3(def.box.size));
        break;
    case CAROM_SHAPE_CAPSULE:
        json_object_set_new(to, "radius", crm_tree_number(def.capsule.radius));
        json_object_set_new(to, "length", crm_tree_number(def.capsule.length));
        break;
    case CAROM_SHAPE_POLYTOPE:
        put_polytope(to, shape);
        break;
    case CAROM_SHAPE_HALF_SPACE:
        json_object_set_new(to, "normal", crm_tree_vec3(def.half_space.normal));
        json_object_set_new(to, "offset", crm_tree_number(def.half_space.offset));
        break;
    case CAROM_SHAPE_CONTAINER:
        json_object_set_new(to, "radius", crm_tree_number(def.container.radius));
        break;
    case CAROM_SHAPE_COMPOUND:
        put_compound(to, shape);
        break;
    case CAROM_SHAPE_COUNT:
        break;
    }
    return to;
}

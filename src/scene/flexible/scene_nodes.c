// SPDX-License-Identifier: MIT
// Sets of nodes of a mesh, and targets that are nodes of flexible bodies.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/mat3.h"
#include "math/quat.h"
#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

static const char wanted_set[] =
    "a set of nodes: an array of numbers, {\"box\": [[x, y, z], [x, y, z]]}, {\"plane\": {\"normal\": .., "
    "\"offset\": ..}} or {\"group\": name}";

// ---- sets

// Nodes that are in it, each with its mark.
typedef struct node_set {
    const carom_mesh *mesh;
    bool *in;         // (node_count)
    int32_t *scratch; // (node_count)
} node_set;

static void mark(node_set *set, const int32_t *nodes, int count) {
    for (int i = 0; i < count; i++) set->in[nodes[i]] = true;
}

// Where the mesh is, for a sentence.
static bool refuse_empty(const crm_json_node *node, const carom_mesh *mesh, const char *where) {
    const carom_vec3 *x = carom_mesh_nodes(mesh);
    carom_vec3 low = x[0], high = x[0];
    for (int i = 1; i < carom_mesh_node_count(mesh); i++) {
        low = crm_vec3(fmin(low.x, x[i].x), fmin(low.y, x[i].y), fmin(low.z, x[i].z));
        high = crm_vec3(fmax(high.x, x[i].x), fmax(high.y, x[i].y), fmax(high.z, x[i].z));
    }
    return crm_scene_error(node, "no node is %s; the mesh at rest reaches from [%g, %g, %g] to [%g, %g, %g]", where,
                           low.x, low.y, low.z, high.x, high.y, high.z);
}

static bool add_box(const crm_json_node *node, node_set *set) {
    static const char wanted[] = "two corners, [[x, y, z], [x, y, z]] (m)";
    if (!json_is_array(node->value) || json_array_size(node->value) != 2) return crm_scene_needs(node, wanted);
    double low[3], high[3];
    crm_json_node first = crm_scene_item(node, 0), second = crm_scene_item(node, 1);
    bool good = crm_scene_numbers_of(&first, CRM_SCENE_ANY, "m", 3, low);
    if (!crm_scene_numbers_of(&second, CRM_SCENE_ANY, "m", 3, high) || !good) return false;
    for (int k = 0; k < 3; k++)
        if (low[k] > high[k])
            return crm_scene_error(node,
                                   "its first corner is above its second one along %c: %g and %g m; exchange them",
                                   "xyz"[k], low[k], high[k]);
    int count = carom_mesh_nodes_in_box(set->mesh, crm_vec3(low[0], low[1], low[2]),
                                        crm_vec3(high[0], high[1], high[2]), set->scratch);
    mark(set, set->scratch, count);
    return count > 0 || refuse_empty(node, set->mesh, "in this box");
}

static bool add_plane(const crm_json_node *node, node_set *set) {
    static const char *const keys[] = {"normal", "offset"};
    carom_vec3 normal = crm_vec3_zero(), unit;
    double offset = 0.0;
    if (!crm_scene_is_object(node, "a plane", keys, CRM_SCENE_COUNT(keys)) ||
        !crm_scene_require(node, "normal", "an array of 3 numbers") ||
        !crm_scene_read_vec3(node, "normal", CRM_SCENE_ANY, "", &normal) ||
        !crm_scene_read_number(node, "offset", CRM_SCENE_ANY, "m", &offset))
        return false;
    if (crm_normalise(normal, &unit) == 0.0) {
        crm_json_node at = crm_scene_member(node, "normal");
        return crm_scene_error(&at, "the normal is zero; give a direction, such as [0, 0, 1]");
    }
    int count = carom_mesh_nodes_beyond(set->mesh, unit, offset, set->scratch);
    mark(set, set->scratch, count);
    return count > 0 || refuse_empty(node, set->mesh, "beyond this plane (normal.X >= offset)");
}

static bool add_group(const crm_json_node *node, node_set *set) {
    enum { MOST_LISTED = 12 };
    const char *name = json_string_value(node->value), *names[MOST_LISTED];
    if (name == NULL) return crm_scene_needs(node, "the name of a group of the mesh");
    int groups = carom_mesh_group_count(set->mesh), listed = groups < MOST_LISTED ? groups : MOST_LISTED, count;
    for (int g = 0; g < groups; g++) {
        if (strcmp(carom_mesh_group_name(set->mesh, g), name) != 0) continue;
        const int32_t *nodes = carom_mesh_group_nodes(set->mesh, g, &count);
        mark(set, nodes, count);
        return count > 0 || crm_scene_error(node, "this group of the mesh has no nodes");
    }
    char shown[CRM_SCENE_SHOWN], near[CRM_SCENE_SHOWN];
    crm_scene_show(name, strlen(name), shown, sizeof shown);
    for (int g = 0; g < listed; g++) names[g] = carom_mesh_group_name(set->mesh, g);
    const char *nearest = crm_scene_nearest(name, names, listed);
    if (nearest == NULL)
        return crm_scene_error(node, "\"%s\" is not one of the mesh's %d groups%s", shown, groups,
                               groups == 0 ? "; take a box, a plane or a list of nodes" : "");
    crm_scene_show(nearest, strlen(nearest), near, sizeof near);
    return crm_scene_error(node, "\"%s\" is not a group of the mesh; did you mean \"%s\"?", shown, near);
}

static bool add_object(const crm_json_node *node, node_set *set) {
    static const char *const keys[] = {"box", "plane", "group"};
    static bool (*const add[])(const crm_json_node *, node_set *) = {add_box, add_plane, add_group};
    if (!crm_scene_is_object(node, "a set of nodes", keys, CRM_SCENE_COUNT(keys))) return false;
    if (json_object_size(node->value) != 1)
        return crm_scene_error(node, "needs one of \"box\", \"plane\" and \"group\"; an array has several of them");
    for (int i = 0; i < CRM_SCENE_COUNT(keys); i++) {
        crm_json_node member = crm_scene_member(node, keys[i]);
        if (member.value != NULL) return add[i](&member, set);
    }
    return false;
}

static bool add_number(const crm_json_node *node, node_set *set) {
    double x = json_number_value(node->value);
    int count = carom_mesh_node_count(set->mesh);
    if (!json_is_number(node->value) || x != floor(x) || x < 0.0 || x >= count) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "the number of a node, from 0 to %d", count - 1);
        return crm_scene_needs(node, wanted);
    }
    set->in[(int)x] = true;
    return true;
}

bool crm_scene_read_node_set(const crm_json_node *node, const carom_mesh *mesh, int *count, const int32_t **out) {
    int nodes = carom_mesh_node_count(mesh);
    node_set set = {.mesh = mesh};
    set.in = crm_scene_take(node, nodes, sizeof *set.in);
    set.scratch = crm_scene_take(node, nodes, sizeof *set.scratch);
    if (set.in == NULL || set.scratch == NULL) return false;
    if (json_is_object(node->value)) {
        if (!add_object(node, &set)) return false;
    } else if (!json_is_array(node->value) || json_array_size(node->value) == 0) {
        return crm_scene_needs(node, wanted_set);
    }
    bool good = true;
    for (int i = 0; json_is_array(node->value) && i < (int)json_array_size(node->value); i++) {
        crm_json_node item = crm_scene_item(node, i);
        good &= json_is_object(item.value) ? add_object(&item, &set) : add_number(&item, &set);
    }
    *count = 0;
    for (int32_t i = 0; i < nodes; i++)
        if (set.in[i]) set.scratch[(*count)++] = i;
    *out = set.scratch;
    return good;
}

// ---- targets

bool crm_scene_find_repeated_flex(const crm_scene_data *data, const char *name, size_t size, int *flex, int *instance) {
    int number;
    size_t stem;
    if (!crm_scene_split_name(name, size, &stem, &number)) return false;
    int found = crm_scene_names_find(&data->flex_names, name, stem);
    if (found < 0 || data->flex[found].repeat.kind == CRM_SCENE_ONCE || number >= data->flex[found].count) return false;
    *flex = found, *instance = number;
    return true;
}

static bool refuse_name(const crm_json_node *node, const char *sentence) {
    char shown[CRM_SCENE_SHOWN];
    crm_scene_show(json_string_value(node->value), json_string_length(node->value), shown, sizeof shown);
    return crm_scene_error(node, "\"%s\" %s", shown, sentence);
}

// The flexible body that a name stands for: one, one of a repeated one, or all of that.
static bool find_flex(const crm_json_node *node, const crm_scene_data *data, int *flex, int *instance) {
    const char *name = json_string_value(node->value);
    size_t size = name != NULL ? strlen(name) : 0;
    *instance = 0;
    if (size > 2 && strcmp(name + size - 2, "-*") == 0) {
        *flex = crm_scene_names_find(&data->flex_names, name, size - 2), *instance = -1;
        if (*flex >= 0 && (data->flex[*flex].repeat.kind != CRM_SCENE_ONCE || !data->flex[*flex].good)) return true;
        return refuse_name(node, "stands for a repeated flexible body, and there is none of that name");
    }
    if (name != NULL && crm_scene_find_repeated_flex(data, name, size, flex, instance)) return true;
    if (!crm_scene_reference_of(node, "a flexible body", &data->flex_names, flex)) return false;
    if (data->flex[*flex].repeat.kind == CRM_SCENE_ONCE) return true;
    return refuse_name(node, "is repeated; add \"-0\" to its name for the first, \"-*\" for all");
}

bool crm_scene_read_nodes(const crm_json_node *node, const crm_scene_data *data, crm_scene_target *out) {
    static const char *const keys[] = {"flexible", "nodes"};
    crm_json_node name = crm_scene_member(node, "flexible"), set = crm_scene_member(node, "nodes");
    int flex = -1, instance = 0;
    if (!crm_scene_is_object(node, "nodes of a flexible body", keys, CRM_SCENE_COUNT(keys)) ||
        !crm_scene_require(node, "flexible", "the name of a flexible body") ||
        !find_flex(&name, data, &flex, &instance) || !crm_scene_require(node, "nodes", wanted_set))
        return false;
    crm_scene_nodes *nodes = crm_scene_take(node, 1, sizeof *nodes);
    if (nodes == NULL || data->flex[flex].mesh.made == NULL) return false; // that was reported
    nodes->flex = flex;
    *out = (crm_scene_target){.body = -1, .instance = instance, .nodes = nodes};
    return crm_scene_read_node_set(&set, data->flex[flex].mesh.made, &nodes->count, &nodes->node);
}

int crm_scene_nodes_instance(crm_scene_target target, int n) {
    return target.instance >= 0 ? target.instance : n / target.nodes->count;
}

int32_t crm_scene_nodes_node(crm_scene_target target, int n) {
    return target.nodes->node[n % target.nodes->count];
}

carom_vec3 crm_scene_node_start(const crm_scene_data *data, crm_scene_target target, int n) {
    const crm_scene_flex *flex = &data->flex[target.nodes->flex];
    char name[CRM_SCENE_INSTANCE_NAME];
    carom_flex_def def = crm_scene_flex_instance(flex, crm_scene_nodes_instance(target, n), name);
    carom_vec3 rest = carom_mesh_nodes(flex->mesh.made)[crm_scene_nodes_node(target, n)];
    return crm_add(def.position, crm_quat_rotate(crm_quat_normalised(def.attitude), crm_mat3_apply(def.stretch, rest)));
}

// ---- shares of a load

const double *crm_scene_node_shares(const crm_json_node *node, const carom_mesh *mesh, const crm_scene_nodes *nodes) {
    int count, all = carom_mesh_node_count(mesh);
    const carom_mesh_triangle *triangle = carom_mesh_surface(mesh, &count);
    const carom_vec3 *x = carom_mesh_nodes(mesh);
    double *share = crm_scene_take(node, nodes->count, sizeof *share), total = 0.0;
    int *place = crm_scene_take(node, all, sizeof *place); // in the set, from 1
    if (share == NULL || place == NULL) return NULL;
    for (int i = 0; i < nodes->count; i++) place[nodes->node[i]] = i + 1;
    for (int t = 0; t < count; t++) {
        const int32_t *corner = triangle[t].node;
        if (place[corner[0]] == 0 || place[corner[1]] == 0 || place[corner[2]] == 0) continue;
        carom_vec3 normal = crm_cross(crm_sub(x[corner[1]], x[corner[0]]), crm_sub(x[corner[2]], x[corner[0]]));
        double third = crm_length(normal) / 6.0;
        for (int k = 0; k < 3; k++) share[place[corner[k]] - 1] += third;
        total += 3.0 * third;
    }
    for (int i = 0; i < nodes->count; i++) share[i] = total > 0.0 ? share[i] / total : 1.0 / nodes->count;
    return share;
}

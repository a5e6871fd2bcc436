// SPDX-License-Identifier: MIT
// The parts of a compound, and sentences about shapes as messages about members.
#include <stdlib.h>
#include <string.h>

#include "math/quat.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"
#include "scene/shape_words.h"

// ---- parts

static const carom_shape_def *accept_part(const crm_json_node *node, const crm_scene_shape *shape) {
    carom_shape_kind kind = shape->def.kind;
    if (kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER || kind == CAROM_SHAPE_COMPOUND) {
        crm_scene_error(node, "is a %s; a part must be a sphere, ellipsoid, box, capsule or polytope",
                        crm_scene_shape_word(&shape->def));
        return NULL;
    }
    return shape->good ? &shape->def : NULL; // a wrong one has been reported
}

// The definition of a part: that of a shape of the scene by its name, or one in place. NULL when it is wrong.
static const carom_shape_def *read_part_shape(const crm_json_node *part, crm_scene_data *data) {
    crm_json_node node = crm_scene_member(part, "shape");
    if (data != NULL && !json_is_object(node.value)) {
        int index = -1;
        if (!crm_scene_reference_of(&node, "a shape", &data->shape_names, &index)) return NULL;
        data->shape[index].used = true;
        return accept_part(&node, &data->shape[index]);
    }
    crm_scene_shape *own = crm_scene_take(part, 1, sizeof *own);
    if (own == NULL) return NULL;
    const char *kind = json_string_value(json_object_get(node.value, "kind"));
    if (kind != NULL && strcmp(kind, "compound") == 0)
        own->def.kind = CAROM_SHAPE_COMPOUND; // refused without a look at its parts
    else
        crm_scene_read_shape(&node, NULL, own);
    return accept_part(&node, own);
}

static bool read_part(const crm_json_node *node, crm_scene_data *data, carom_compound_part *part) {
    static const char *const keys[] = {"shape", "position", "attitude", "density"};
    *part = carom_compound_part_default();
    if (!crm_scene_is_object(node, "a part", keys, CRM_SCENE_COUNT(keys)) ||
        !crm_scene_require(node, "shape", "a shape, or the name of one"))
        return false;
    part->shape = read_part_shape(node, data);
    bool good = crm_scene_read_vec3(node, "position", CRM_SCENE_ANY, "m", &part->pose.position);
    good &= crm_scene_read_attitude(node, "attitude", &part->pose.attitude);
    good &= crm_scene_read_number(node, "density", CRM_SCENE_POSITIVE, "", &part->density);
    return good && part->shape != NULL;
}

bool crm_scene_read_parts(const crm_json_node *node, crm_scene_data *data, carom_compound_def *def) {
    crm_json_node list = crm_scene_member(node, "parts");
    int count = (int)json_array_size(list.value);
    if (count < 1) return crm_scene_needs(&list, "an array of at least 1 part");
    if (!crm_scene_within(&list, count, node->context->limits.parts, "parts", "parts of one compound")) return false;
    carom_compound_part *parts = crm_scene_take(node, count, sizeof *parts);
    if (parts == NULL) return false;
    bool good = true;
    for (int i = 0; i < count && !node->context->no_memory; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &= read_part(&item, data, &parts[i]);
    }
    *def = (carom_compound_def){count, parts};
    return good;
}

// ---- sentences

// Fields whose members are called otherwise.
static const char *key_of(const char *field) {
    if (strcmp(field, "edges") == 0) return "size";
    if (strcmp(field, "points") == 0) return "vertices";
    return field;
}

// The next node on the way that a sentence describes, such as ".radius", ".x" or "[2]"; where to go on reading, or NULL
// when the way ends here.
static const char *follow(const crm_json_node *from, const char *text, char *key, size_t room, crm_json_node *out) {
    if (*text == '[') {
        char *end;
        *out = crm_scene_item(from, (int)strtol(text + 1, &end, 10));
        return out->value != NULL && *end == ']' ? end + 1 : NULL;
    }
    size_t size = *text == '.' ? strspn(text + 1, "abcdefghijklmnopqrstuvwxyz_") : 0;
    if (size == 0 || size >= room) return NULL;
    memcpy(key, text + 1, size);
    key[size] = '\0';
    if (strcmp(key, "pose") == 0) // of a part: the file has no level of its own for it
        *out = *from;
    else if (size == 1 && json_is_array(from->value))
        *out = crm_scene_item(from, key[0] - 'x');
    else
        *out = crm_scene_member(from, key_of(key));
    return out->value != NULL ? text + 1 + size : NULL;
}

bool crm_scene_shape_refused(const crm_json_node *node, const char *sentence) {
    enum { DEEPEST = 6 };
    crm_json_node way[DEEPEST + 1] = {*node};
    char key[DEEPEST][32];
    const char *rest = sentence + strspn(sentence, "abcdefghijklmnopqrstuvwxyz_"); // the kind
    int depth = 0;
    for (const char *next = rest; depth < DEEPEST; depth++) {
        next = follow(&way[depth], next, key[depth], sizeof key[depth], &way[depth + 1]);
        if (next == NULL) break;
        rest = next;
    }
    rest += strspn(rest, ": ");
    return crm_scene_error(&way[depth], "%s", rest);
}

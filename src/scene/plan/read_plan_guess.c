// SPDX-License-Identifier: MIT
// What the solution of a plan begins with: straight on, along way points, or as a recording goes.
#include <string.h>

#include "scene/instance.h"
#include "scene/plan/scene_plan.h"
#include "scene/read/fields.h"
#include "scene/read/read_scene.h"

enum { MOST_WAY_POINTS = 1000 };

static bool read_way_point(const crm_plan_reading *r, const crm_json_node *node, carom_way_point *out) {
    static const char *const keys[] = {"body", "share", "position", "attitude"};
    if (!crm_scene_is_object(node, "a way point", keys, CRM_SCENE_COUNT(keys))) return false;
    bool good = crm_scene_require(node, "share", "of the time, a number from 0 to 1");
    good &= crm_scene_read_number(node, "share", CRM_SCENE_FRACTION, "", &out->share);
    if (!crm_plan_read_body(r, node, "body", CRM_PLAN_MOVES, &out->body)) return false;
    char name[CRM_SCENE_INSTANCE_NAME];
    carom_body_def def = crm_plan_body_def(r, out->body, name);
    out->pose = (carom_pose){def.position, def.attitude};
    good &= crm_scene_read_vec3(node, "position", CRM_SCENE_ANY, "m", &out->pose.position);
    good &= crm_scene_read_attitude(node, "attitude", &out->pose.attitude);
    return good;
}

// Those of one body follow each other in time.
static bool follows(const crm_json_node *item, const carom_way_point *way_point, int i) {
    int last = i - 1;
    while (last >= 0 && way_point[last].body.index != way_point[i].body.index) last--;
    if (last < 0 || way_point[i].share > way_point[last].share) return true;
    crm_json_node node = crm_scene_member(item, "share");
    return crm_scene_error(&node, "is not after %g, that of the way point before; give those of a body in their order",
                           way_point[last].share);
}

static bool read_way_points(crm_plan_reading *r, const crm_json_node *guess) {
    crm_json_node list = crm_scene_member(guess, "way_points");
    if (!crm_scene_is_array(&list, "an array of way points")) return false;
    int count = (int)json_array_size(list.value);
    if (count == 0 || count > MOST_WAY_POINTS)
        return crm_scene_error(&list, "has %d way points; give 1 to %d", count, MOST_WAY_POINTS);
    carom_way_point *way_point = crm_scene_take(guess, count, sizeof *way_point);
    if (way_point == NULL) return false;
    bool good = true;
    for (int i = 0; i < count; i++) {
        crm_json_node item = crm_scene_item(&list, i);
        good &= read_way_point(r, &item, &way_point[i]);
        if (good) good = follows(&item, way_point, i);
    }
    r->plan->def.guess = CAROM_GUESS_WAY_POINTS;
    r->plan->def.way_point = way_point;
    r->plan->def.way_point_count = count;
    return good;
}

static bool read_recording(crm_plan_reading *r, const crm_json_node *guess) {
    crm_json_node node = crm_scene_member(guess, "recording");
    if (!crm_scene_read_string(guess, "recording", &r->plan->recording)) return false;
    r->plan->def.guess = CAROM_GUESS_MOTION;
    return r->plan->recording[0] != '\0' || crm_scene_error(&node, "is empty; give the name of a recording");
}

bool crm_plan_read_guess(crm_plan_reading *r, const crm_json_node *plan) {
    static const char wanted[] = "\"straight\", {\"way_points\": [..]} or {\"recording\": \"file.carom\"}";
    static const char *const keys[] = {"way_points", "recording"};
    crm_json_node node = crm_scene_member(plan, "guess");
    if (node.value == NULL) return true;
    if (json_is_string(node.value) && strcmp(json_string_value(node.value), "straight") == 0) return true;
    if (!json_is_object(node.value)) return crm_scene_needs(&node, wanted);
    if (!crm_scene_is_object(&node, "a guess", keys, CRM_SCENE_COUNT(keys))) return false;
    bool points = crm_scene_has(&node, "way_points"), recording = crm_scene_has(&node, "recording");
    if (points == recording) return crm_scene_error(&node, "needs either \"way_points\" or \"recording\"");
    return points ? read_way_points(r, &node) : read_recording(r, &node);
}

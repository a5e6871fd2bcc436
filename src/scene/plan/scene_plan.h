// SPDX-License-Identifier: MIT
// The section `plan` of scenes (docs/scene.md, docs/plan.md): what is asked of a plan, as data.
//
// Json nodes enter, a carom_plan_def leaves, with bodies and joints as the numbers that they have in the model; then
// the resolved text and a copy that lives as long as the scene. Nothing here knows how plans are solved. Called by the
// steps of a reading: read/, write/, scene.c.
#ifndef CRM_SCENE_SCENE_PLAN_H
#define CRM_SCENE_SCENE_PLAN_H

#include "carom/plan.h"
#include "scene/scene_context.h"
#include "scene/scene_data.h"
#include "scene/write/scene_text.h"

struct crm_scene_plan {
    carom_plan_def def;    // its arrays on the arena
    const char *recording; // of the guess; "": none
};

extern const char *const crm_scene_control_words[CAROM_CONTROL_KIND_COUNT];

// The numbers that a control has, by its kind and, of motors, by the kind of its joint.
const crm_member *crm_scene_control_members(carom_control_kind kind, carom_joint_kind joint);
extern const crm_member crm_scene_discover_members[], crm_scene_contact_members[];

// The member "plan", after all else of the scene: data->plan stays NULL where there is none, or it is no object.
void crm_scene_read_plan(const crm_json_node *root, crm_scene_data *data);
// Writes it as a member of the scene, when the model has been built.
void crm_scene_write_plan(const crm_scene_data *data, crm_scene_text *text);
// A copy with its arrays on an arena; false without memory.
bool crm_scene_copy_plan(const carom_plan_def *def, crm_arena *arena, carom_plan_def *out);

// ---- between the files of this folder

// What its readers share.
typedef struct crm_plan_reading {
    const crm_scene_data *data;
    const int *first_body, *first_joint; // of the model, of each of the scene's
    crm_scene_names joint_names;
    crm_scene_plan *plan;
} crm_plan_reading;

typedef enum crm_plan_body {
    CRM_PLAN_ANY,   // a body
    CRM_PLAN_MOVES, // one that can move
    CRM_PLAN_WORLD, // a body, or the world
    CRM_PLAN_SHAPE, // one that has a shape
} crm_plan_body;

// A body that is named at a node, as its number in the model. False, with a message, when it is wrong.
bool crm_plan_body_of(const crm_plan_reading *r, const crm_json_node *node, crm_plan_body which, carom_body *out);
// The member of that name, which must be there.
bool crm_plan_read_body(const crm_plan_reading *r, const crm_json_node *object, const char *key, crm_plan_body which,
                        carom_body *out);
// Two bodies that can touch each other: different ones with shapes, of which one moves; `at` is where they are named.
bool crm_plan_can_touch(const crm_plan_reading *r, const crm_json_node *at, carom_body a, carom_body b);
// The member "joint": a joint that has a motor, with its kind.
bool crm_plan_read_joint(const crm_plan_reading *r, const crm_json_node *object, int *out, carom_joint_kind *kind);
// The definition of a body by its number.
carom_body_def crm_plan_body_def(const crm_plan_reading *r, carom_body body, char name[128]);

// The member "node": a node of all levels, 1 to `most`.
bool crm_plan_read_node(const crm_plan_reading *r, const crm_json_node *object, int most, int *out);

// The members of these names. False when they are wrong.
bool crm_plan_read_controls(crm_plan_reading *r, const crm_json_node *plan);
bool crm_plan_read_conditions(crm_plan_reading *r, const crm_json_node *plan); // start, through, end
bool crm_plan_read_touching(crm_plan_reading *r, const crm_json_node *plan);   // avoid, contacts, discover, penalty
bool crm_plan_read_guess(crm_plan_reading *r, const crm_json_node *plan);

#endif

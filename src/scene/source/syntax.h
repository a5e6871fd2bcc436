// SPDX-License-Identifier: MIT
// Whether a text is JSON, and if not, where and why, in words that help.
#ifndef CRM_SCENE_SYNTAX_H
#define CRM_SCENE_SYNTAX_H

#include "scene/scene_context.h"

// Objects and arrays inside each other. A scene needs six.
enum { CRM_SCENE_DEPTH = 64 };

// Checks context->span. The first breach of the grammar ends the check; keys given twice and numbers beyond the largest
// double are all reported and do not end it. False when it was ended, or without memory.
bool crm_scene_check_syntax(crm_scene_context *context);

#endif

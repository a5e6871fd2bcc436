// SPDX-License-Identifier: MIT
#include <string.h>

#include "scene/plan/scene_plan.h"

// An array by itself; NULL stays NULL. What cannot be had is noted by the arena.
static const void *copy_of(crm_arena *arena, const void *from, int count, size_t size) {
    if (from == NULL || count == 0) return NULL;
    void *to = crm_arena_take_array(arena, count, size);
    return to != NULL ? memcpy(to, from, (size_t)count * size) : NULL;
}

bool crm_scene_copy_plan(const carom_plan_def *def, crm_arena *arena, carom_plan_def *out) {
    *out = *def;
    out->control = copy_of(arena, def->control, def->control_count, sizeof *def->control);
    out->condition = copy_of(arena, def->condition, def->condition_count, sizeof *def->condition);
    out->avoid.pair = copy_of(arena, def->avoid.pair, def->avoid.pair_count, sizeof *def->avoid.pair);
    out->contact = copy_of(arena, def->contact, def->contact_count, sizeof *def->contact);
    out->discover.pair = copy_of(arena, def->discover.pair, def->discover.pair_count, sizeof *def->discover.pair);
    out->way_point = copy_of(arena, def->way_point, def->way_point_count, sizeof *def->way_point);
    return !crm_arena_refused(arena);
}

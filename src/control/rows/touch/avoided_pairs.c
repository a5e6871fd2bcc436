// SPDX-License-Identifier: MIT
// Which pairs of convex parts are avoided.
#include "base/fail.h"
#include "control/rows/touch/avoid.h"

typedef struct pairing {
    const carom_model *model;
    const crm_convex_parts *parts;
    crm_avoided_pair *pair; // NULL: counting
    int count;
} pairing;

static void add_bodies(pairing *p, int a, int b) {
    for (int i = p->parts->first[a]; i < p->parts->first[a + 1]; i++) {
        for (int j = p->parts->first[b]; j < p->parts->first[b + 1]; j++) {
            const crm_convex_part *of_a = &p->parts->part[i], *of_b = &p->parts->part[j];
            if (of_a->half_space && of_b->half_space) continue;
            bool swapped = of_b->half_space;
            if (p->pair != NULL) p->pair[p->count] = (crm_avoided_pair){swapped ? of_b : of_a, swapped ? of_a : of_b};
            p->count++;
        }
    }
}

static void add_all(pairing *p, const carom_plan_def *def) {
    for (int i = 0; i < def->avoid.pair_count; i++)
        add_bodies(p, def->avoid.pair[i].a.index, def->avoid.pair[i].b.index);
    for (int a = 0; def->avoid.pair_count == 0 && a < p->model->bodies.count; a++)
        for (int b = a + 1; b < p->model->bodies.count; b++)
            if (carom_model_bodies_meet(p->model, (carom_body){a}, (carom_body){b})) add_bodies(p, a, b);
}

// Bodies that take part in a pair.
static bool *find_needed(const carom_model *model, const carom_plan_def *def, crm_arena *arena) {
    int bodies = model->bodies.count;
    bool *needed = CRM_ARENA_ZEROED(arena, bool, bodies);
    for (int i = 0; needed != NULL && i < def->avoid.pair_count; i++)
        needed[def->avoid.pair[i].a.index] = needed[def->avoid.pair[i].b.index] = true;
    for (int a = 0; needed != NULL && def->avoid.pair_count == 0 && a < bodies; a++)
        for (int b = 0; b < bodies; b++)
            needed[a] = needed[a] || carom_model_bodies_meet(model, (carom_body){a}, (carom_body){b});
    return needed;
}

carom_status crm_avoided_create(const carom_model *model, const carom_plan_def *def, int intervals,
                                const crm_motion *start, crm_arena *arena, crm_avoided **out, carom_error *error) {
    *out = NULL;
    if (!def->avoid.on) return CAROM_OK;
    crm_avoided *avoided = CRM_ARENA_ZEROED(arena, crm_avoided, 1);
    bool *needed = find_needed(model, def, arena);
    if (avoided == NULL || needed == NULL) return crm_fail_memory(error, "avoided pairs of a plan", sizeof *avoided);
    avoided->between_nodes = def->avoid.between_nodes;
    avoided->margin = def->avoid.margin;
    carom_status status = crm_convex_parts_find(model, start, needed, arena, &avoided->parts, error);
    if (status != CAROM_OK) return status;
    pairing p = {.model = model, .parts = &avoided->parts};
    add_all(&p, def);
    p.pair = CRM_ARENA_ARRAY(arena, crm_avoided_pair, p.count);
    avoided->places = avoided->between_nodes ? intervals : intervals + 1;
    ptrdiff_t planes = (ptrdiff_t)avoided->places * p.count;
    avoided->plane = CRM_ARENA_ZEROED(arena, crm_avoiding_plane, planes);
    avoided->bulge = CRM_ARENA_ARRAY(arena, int32_t, (ptrdiff_t)intervals * model->bodies.count);
    if (crm_arena_refused(arena))
        return crm_fail_memory(error, "avoided pairs of a plan", sizeof *avoided->plane * (size_t)planes);
    p.count = 0;
    add_all(&p, def);
    avoided->pair_count = p.count;
    avoided->pair = p.pair;
    for (int place = 0; place < avoided->places; place++)
        for (int i = 0; i < p.count; i++)
            avoided->plane[place * p.count + i] = (crm_avoiding_plane){.pair = i, .at = place, .unknown = -1};
    *out = avoided;
    return CAROM_OK;
}

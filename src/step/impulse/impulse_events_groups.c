// SPDX-License-Identifier: MIT
// Groups of bodies that a step moves together. Which bodies meet in a step is known when it is made: groups are tried
// by themselves, and joined and tried again where the ways of their bodies came near each other.
//
// A way is the box of all places that the integrator asked for. Bodies that can touch while their boxes, with the
// bodies about them, are apart would have to leave them between two such places.
#include <math.h>
#include <stdlib.h>

#include "base/forest.h"
#include "shape/shape.h"
#include "step/impulse/impulse_events.h"

// By how much of its length a way may go on between the places that were asked for; those of a parabola, by a quarter.
static const double between_places = 0.5;

static const carom_shape *shape_of(const carom_model *model, int body) {
    int shape = model->bodies.items[body].def.shape.index;
    return shape >= 0 ? model->shapes.items[shape].shape : NULL;
}

bool crm_events_groups_create(crm_impulse_events *e, crm_arena *arena) {
    const carom_model *model = e->model;
    crm_event_groups *g = &e->groups;
    int bodies = model->bodies.count;
    int **const arrays[] = {&g->of, &g->next, &g->last, &g->body, &g->shaped, &g->fixed, &g->number};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) *arrays[i] = CRM_ARENA_ZEROED(arena, int, bodies);
    g->way = CRM_ARENA_ZEROED(arena, crm_way, bodies);
    g->covered = CRM_ARENA_ZEROED(arena, crm_covered, bodies);
    g->result = CRM_ARENA_ZEROED(arena, crm_group_result, bodies);
    if (crm_arena_refused(arena)) return false;
    for (int b = 0; b < bodies; b++)
        if (!crm_body_moves(model, b) && shape_of(model, b) != NULL) g->fixed[g->fixed_count++] = b;
    return true;
}

// ---- ways

static void stretch(crm_way *way, carom_vec3 to) {
    way->least = crm_vec3(fmin(way->least.x, to.x), fmin(way->least.y, to.y), fmin(way->least.z, to.z));
    way->most = crm_vec3(fmax(way->most.x, to.x), fmax(way->most.y, to.y), fmax(way->most.z, to.z));
}

void crm_events_note_ways(crm_impulse_events *e) {
    for (int i = 0; i < e->scope.count; i++) {
        int b = e->scope.body[i];
        stretch(&e->groups.way[b], e->motions[b].x);
    }
}

// What a body can reach on its way, however it rotates.
static crm_way covered_by(const crm_impulse_events *e, int body) {
    const carom_shape *shape = shape_of(e->model, body);
    const crm_way *way = &e->groups.way[body];
    double arm = shape->bounding_radius + crm_distance(shape->centre, e->model->bodies.items[body].centre);
    carom_vec3 more = crm_scale(between_places, crm_sub(way->most, way->least));
    more = crm_add(more, crm_vec3(arm, arm, arm));
    return (crm_way){crm_sub(way->least, more), crm_add(way->most, more)};
}

static bool overlap(const crm_way *a, const crm_way *b) {
    return a->least.x <= b->most.x && b->least.x <= a->most.x && a->least.y <= b->most.y && b->least.y <= a->most.y &&
           a->least.z <= b->most.z && b->least.z <= a->most.z;
}

// ---- joining

static int by_place(const void *p, const void *q) {
    const crm_covered *a = p, *b = q;
    return (a->box.least.x > b->box.least.x) - (a->box.least.x < b->box.least.x);
}

static bool join(crm_impulse_events *e, int a, int b) {
    crm_event_groups *g = &e->groups;
    if (crm_forest_root(g->of, a) == crm_forest_root(g->of, b)) return false;
    if (!carom_model_bodies_meet(e->model, (carom_body){a}, (carom_body){b})) return false;
    crm_forest_join(g->of, a, b);
    g->result[crm_forest_root(g->of, a)].moved = false;
    return true;
}

// Bodies in the order of their chains, in which the choice of a group finds its own.
static void link_chains(crm_impulse_events *e) {
    crm_event_groups *g = &e->groups;
    for (int b = 0; b < e->model->bodies.count; b++) {
        g->next[b] = -1;
        int lowest = g->of[b] = crm_forest_root(g->of, b);
        if (lowest != b) g->next[g->last[lowest]] = b;
        g->last[lowest] = b;
    }
}

bool crm_events_groups_join(crm_impulse_events *e) {
    crm_event_groups *g = &e->groups;
    bool any = false;
    int count = 0;
    crm_covered *all = g->covered;
    for (int b = 0; b < e->model->bodies.count; b++)
        if (crm_body_moves(e->model, b) && shape_of(e->model, b) != NULL)
            all[count++] = (crm_covered){covered_by(e, b), b};
    qsort(all, (size_t)count, sizeof *all, by_place);
    for (int i = 0; i < count; i++)
        for (int k = i + 1; k < count && all[k].box.least.x <= all[i].box.most.x; k++)
            if (overlap(&all[i].box, &all[k].box) && join(e, all[i].body, all[k].body)) any = true;
    link_chains(e);
    return any;
}

void crm_events_groups_begin(crm_impulse_events *e) {
    const carom_model *model = e->model;
    crm_event_groups *g = &e->groups;
    double h = e->def.step;
    for (int b = 0; b < model->bodies.count; b++) {
        carom_vec3 x = e->motions[b].x, v = crm_motion_velocity(&model->bodies.items[b], &e->motions[b]);
        g->of[b] = e->state->joined[b];
        g->result[b] = (crm_group_result){.moved = false};
        g->way[b] = (crm_way){x, x};
        stretch(&g->way[b], crm_madd(crm_madd(x, h, v), 0.5 * h * h, model->gravity));
    }
    crm_events_groups_join(e);
}

// ---- the group that moves

// Its bodies with shapes and all fixed ones, in their order.
static int merge_shaped(crm_impulse_events *e) {
    crm_event_groups *g = &e->groups;
    int count = 0, f = 0;
    for (int i = 0; i < e->scope.count; i++) {
        if (shape_of(e->model, g->body[i]) == NULL) continue;
        while (f < g->fixed_count && g->fixed[f] < g->body[i]) g->shaped[count++] = g->fixed[f++];
        g->shaped[count++] = g->body[i];
    }
    if (count == 0) return 0;
    while (f < g->fixed_count) g->shaped[count++] = g->fixed[f++];
    return count;
}

void crm_events_groups_choose(crm_impulse_events *e, int lowest) {
    crm_event_groups *g = &e->groups;
    int count = 0;
    for (int b = lowest; b >= 0; b = g->next[b]) {
        g->number[b] = count;
        g->body[count++] = b;
        e->motions[b] = e->state->motions[b];
        g->way[b] = (crm_way){e->motions[b].x, e->motions[b].x};
    }
    e->scope = (crm_body_scope){g->body, count, g->of, lowest};
    crm_link_problem_choose(&e->links, g->body, count, CRM_EVENTS_SUMS * count);
    crm_contact_step_choose(&e->found, g->shaped, merge_shaped(e));
}

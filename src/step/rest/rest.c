// SPDX-License-Identifier: MIT
// What rests in a step, and what wakes.
//
// Nothing is told that a force, an input or a neighbour has changed: all of that shows in the velocities that the
// impulses of the reference lead to, or in the list of contacts, in the very step in which it acts.
#include "step/rest/rest.h"

#include <math.h>
#include <string.h>

#include "model/proxies.h"

// What breaks the bound by creeping does so by little.
static const double drift = 2.0;

static double radius_of(const carom_model *model, int body) {
    const crm_body *of = &model->bodies.items[body];
    if (of->def.shape.index < 0 || of->kind == CAROM_BODY_FIXED) return 0.0;
    const carom_shape *shape = carom_model_get_shape(model, of->def.shape);
    return carom_shape_bounding_radius(shape) + crm_distance(carom_shape_centre(shape), of->centre);
}

static bool take_memory(carom_state *state, crm_rest *rest) {
    int bodies = state->model->bodies.count;
    rest->bodies = CRM_ARENA_ZEROED(&state->arena, crm_rest_body, bodies);
    rest->islands = CRM_ARENA_ZEROED(&state->arena, crm_rest_island, bodies);
    rest->resting = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    rest->radius = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    rest->jointed = CRM_ARENA_ZEROED(&state->arena, bool, bodies);
    rest->impulse = CRM_ARENA_ZEROED(&state->arena, crm_vec6, bodies);
    rest->motion = CRM_ARENA_ZEROED(&state->arena, crm_rest_motion, bodies);
    rest->parent = CRM_ARENA_ZEROED(&state->arena, int, bodies);
    rest->next = CRM_ARENA_ZEROED(&state->arena, crm_rest_island, bodies);
    rest->arm = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    rest->pressure = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    rest->press = CRM_ARENA_ZEROED(&state->arena, double, bodies);
    return !crm_arena_refused(&state->arena);
}

// The lowest body of an island gives it its number.
static bool resting_body_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)kept;
    const crm_rest_body *body = item;
    const double *numbers = item;
    for (size_t i = 0; i < offsetof(crm_rest_body, island) / sizeof *numbers; i++)
        if (!isfinite(numbers[i])) return false;
    return body->island >= 0 && body->island <= index + 1;
}

bool crm_rest_create(carom_state *state, crm_rest *rest) {
    const carom_model *model = state->model;
    if (!take_memory(state, rest)) return false;
    rest->model = model;
    crm_state_keep(state, (crm_kept){"resting bodies", rest->bodies, model->bodies.count, sizeof *rest->bodies,
                                     resting_body_fits, .of_contacts = true});
    crm_state_keep(state, (crm_kept){"resting islands", rest->islands, model->bodies.count, sizeof *rest->islands,
                                     crm_numbers_fit, .of_contacts = true});
    for (int b = 0; b < model->bodies.count; b++) rest->radius[b] = radius_of(model, b);
    for (int j = 0; j < model->joints.count; j++) {
        const crm_joint *joint = &model->joints.items[j];
        if (joint->a.body >= 0) rest->jointed[joint->a.body] = true;
        if (joint->b.body >= 0) rest->jointed[joint->b.body] = true;
    }
    for (int s = 0; s < model->springs.count; s++) {
        const crm_spring *spring = &model->springs.items[s];
        if (spring->a.body >= 0) rest->jointed[spring->a.body] = true;
        if (spring->b.body >= 0) rest->jointed[spring->b.body] = true;
    }
    return true;
}

void crm_rest_release(const carom_model *model, crm_rest *rest) {
    CRM_ARRAY_FREE(&model->allocator, &rest->row_length);
}

// ---- the bound of every island

// The angle between two attitudes, which differ by little.
static double angle_between(carom_quat a, carom_quat b) {
    double w = a.w - b.w, x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
    return 4.0 * asin(fmin(0.5 * sqrt(w * w + x * x + y * y + z * z), 1.0)); // of unit quaternions
}

static double speed_of(crm_vec6 twist, double radius) {
    return crm_length(twist.linear) + radius * crm_length(twist.angular);
}

// How far a body is from its reference, with the impulses that it would take over.
static crm_rest_motion motion_of(const carom_state *state, const crm_velocity_step *step, int body, crm_rest *rest) {
    const crm_rest_body *at = &rest->bodies[body];
    const crm_motion *motion = &state->motions[body];
    crm_vec6 *impulse = &rest->impulse[body];
    carom_vec3 moved = crm_sub(motion->x, at->x);
    *impulse = at->impulse;
    if (rest->model->bodies.items[body].kind != CAROM_BODY_POINT)
        impulse->angular = crm_sub(impulse->angular, crm_cross(moved, impulse->linear));
    crm_vec6 twist = crm_vec6_add(step->free[body], crm_velocity_of(rest->model, state, body, *impulse));
    double angle = angle_between(motion->q, at->q);
    return (crm_rest_motion){
        .way = crm_length(moved) + at->radius * angle,
        .angle = angle,
        .change = crm_distance(twist.linear, at->velocity.linear) +
                  at->radius * crm_distance(twist.angular, at->velocity.angular),
        .spin = crm_length(twist.angular),
        .speed = speed_of(twist, at->radius),
        .start = speed_of(crm_twist_of(rest->model, state->motions, body), at->radius),
        .far = crm_length(state->motions[body].x),
    };
}

static void wake(crm_rest *rest, int64_t island) {
    for (int b = 0; b < rest->model->bodies.count; b++) {
        if (rest->bodies[b].island != island) continue;
        memset(&rest->bodies[b], 0, sizeof rest->bodies[b]);
        rest->resting[b] = false;
        rest->awake++;
        rest->count--;
    }
    memset(&rest->islands[island - 1], 0, sizeof rest->islands[island - 1]);
    rest->stale = true;
}

// Sets what rests, with how far every island is from its reference. A body that may get out of the margin that its
// contacts were found with does not rest: its island is as far away as can be.
static void measure(const carom_state *state, const crm_velocity_step *step, const double *margin, crm_rest *rest) {
    const carom_model *model = rest->model;
    rest->awake = rest->count = 0;
    for (int b = 0; b < model->bodies.count; b++) rest->motion[b] = (crm_rest_motion){0};
    for (int b = 0; b < model->bodies.count; b++) {
        const crm_body *body = &model->bodies.items[b];
        const double *own = body->def.shape.index >= 0 ? margin++ : NULL;
        bool rests = rest->bodies[b].island > 0;
        rest->resting[b] = rests || body->kind == CAROM_BODY_FIXED;
        rest->awake += !rest->resting[b];
        if (!rests) continue;
        rest->count++;
        crm_rest_motion of = motion_of(state, step, b, rest), *island = &rest->motion[rest->bodies[b].island - 1];
        if (own != NULL && !(of.way + rest->scale.step * of.speed <= *own)) of.way = INFINITY;
        *island = crm_rest_motion_join(island, &of);
    }
}

static void wake_all(crm_rest *rest) {
    size_t bodies = (size_t)rest->model->bodies.count;
    memset(rest->bodies, 0, bodies * sizeof *rest->bodies);
    memset(rest->islands, 0, bodies * sizeof *rest->islands);
}

static bool rests_any(const crm_rest *rest) {
    for (int b = 0; b < rest->model->bodies.count; b++)
        if (rest->bodies[b].island > 0) return true;
    return false;
}

void crm_rest_begin(const carom_state *state, const crm_velocity_step *motion, const double *margin,
                    crm_rest_scale scale, crm_rest *rest) {
    rest->bound = 0.0;
    rest->bound_body = -1;
    rest->drifted = false;
    rest->scale = scale;
    if (rest->model == NULL) return;
    if (!state->contacts_known) wake_all(rest); // somebody has moved bodies
    // Impulses of a reference are for steps of its length.
    rest->stale = crm_state_step_ratio(state) != 1.0 && rests_any(rest);
    if (rest->stale) wake_all(rest);
    measure(state, motion, margin, rest);
    for (int b = 0; rest->count > 0 && b < rest->model->bodies.count; b++) {
        if (rest->bodies[b].island != b + 1) continue;
        double bound = crm_rest_bound(&rest->islands[b], &rest->motion[b], &scale);
        if (bound <= scale.tolerance) {
            if (rest->bound_body < 0 || bound > rest->bound) rest->bound = bound, rest->bound_body = b;
            continue;
        }
        rest->drifted |= bound <= drift * scale.tolerance;
        wake(rest, b + 1);
    }
}

// ---- neighbours

bool crm_rest_wake_neighbours(const crm_contact_step *contacts, const crm_contact_list *list, crm_rest *rest) {
    if (rest->model == NULL) return false;
    for (int c = 0; rest->awake > 0 && rest->count > 0 && c < list->count; c++) {
        int a = crm_contact_body_a(contacts, &list->items[c]), b = crm_contact_body_b(contacts, &list->items[c]);
        if (rest->resting[a] == rest->resting[b]) continue;
        int64_t island = rest->bodies[rest->resting[a] ? a : b].island; // 0 of what cannot move
        if (island > 0) wake(rest, island);
    }
    bool woken = rest->stale;
    rest->stale = false;
    return woken;
}

void crm_rest_take(const crm_rest *rest, crm_vec6 *change) {
    for (int b = 0; rest->model != NULL && rest->count > 0 && b < rest->model->bodies.count; b++)
        if (rest->bodies[b].island > 0) change[b] = rest->impulse[b];
}

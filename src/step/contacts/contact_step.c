// SPDX-License-Identifier: MIT
#include "step/contacts/contact_step.h"

#include <limits.h>
#include <math.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "shape/shape.h"

static crm_contact_side side_of(const carom_model *model, int body) {
    const crm_body *of = &model->bodies.items[body];
    return (crm_contact_side){body, of->def.material.index, of->size, of->def.shape.index < 0 ? of->ball : NULL};
}

static void set_sides(const carom_state *state, crm_contact_side *sides) {
    const carom_model *model = state->model;
    for (int b = 0; b < model->bodies.count; b++)
        if (crm_is_proxy(&model->bodies.items[b], state->nodes_touch)) *sides++ = side_of(model, b);
}

void crm_contact_step_choose(crm_contact_step *step, const int *bodies, int count) {
    for (int i = 0; i < count; i++) step->sides[i] = side_of(step->model, bodies[i]);
    step->proxy_count = count;
}

void crm_contact_step_choose_moving(const carom_state *state, crm_contact_step *step) {
    const carom_model *model = step->model;
    step->proxy_count = 0;
    for (int b = 0; b < model->bodies.count; b++) {
        bool looked_at = !crm_body_moves(model, b) || !crm_state_stays(state, b);
        if (looked_at && model->bodies.items[b].def.shape.index >= 0)
            step->sides[step->proxy_count++] = side_of(model, b);
    }
}

carom_status crm_contact_step_create(carom_state *state, const carom_contact_options *options, bool kept,
                                     crm_contact_step *step, carom_error *error) {
    step->model = state->model;
    step->phases = &state->phases;
    step->proxy_count = crm_proxy_count(state->model, state->nodes_touch);
    step->owns_set = !kept;
    step->proxies = CRM_ARENA_ZEROED(&state->arena, carom_proxy, step->proxy_count);
    step->sides = CRM_ARENA_ARRAY(&state->arena, crm_contact_side, step->proxy_count);
    if (crm_arena_refused(&state->arena))
        return crm_fail_memory(error, "contacts", (size_t)step->proxy_count * sizeof *step->proxies);
    if (step->proxy_count == 0) return CAROM_OK;
    set_sides(state, step->sides);
    crm_fill_proxies(state->model, state->nodes_touch, state->motions, 0.0, 1.0,
                     step->proxies); // lists of loaded states speak of them
    carom_status status = carom_contact_set_create(options, &state->model->allocator, &step->set, error);
    if (kept) state->contact_set = step->set;
    return status;
}

void crm_contact_step_release(crm_contact_step *step) {
    if (step->owns_set) carom_contact_set_destroy(step->set);
    if (step->model == NULL) return;
    CRM_ARRAY_FREE(&step->model->allocator, &step->sites);
    CRM_ARRAY_FREE(&step->model->allocator, &step->listed);
    CRM_ARRAY_FREE(&step->model->allocator, &step->midway);
}

void crm_contact_step_expect(crm_contact_step *step, const crm_motion *motions, double duration, double slack) {
    for (int i = 0; i < step->proxy_count; i++) {
        int body = step->sides[i].body;
        step->proxies[i] = crm_proxy_of(step->model, body, &motions[body], duration, slack);
    }
}

// What the contact set refuses is a body that has left all places where it could touch something: said of the body, as
// proxies mean nothing to people.
static carom_status refuse_flown(const crm_contact_step *step, carom_error *error) {
    for (int i = 0; i < step->proxy_count; i++) {
        const carom_proxy *proxy = &step->proxies[i];
        double away = crm_length(proxy->view.pose.position), speed = crm_length(proxy->motion.velocity);
        bool there = away <= CAROM_SHAPE_MOST_SIZE && proxy->margin >= 0.0 && proxy->margin <= CAROM_SHAPE_MOST_SIZE;
        if (there && isfinite(speed) && isfinite(crm_length(proxy->motion.spin))) continue;
        char name[CRM_BODY_TEXT];
        return crm_refuse(error,
                          "%s flew off: it is %.3g m away, at %.3g m/s and %.3g rad/s, too far or too fast to look "
                          "for contacts (1e9 m); make method.step smaller, or give it less speed or force",
                          crm_body_text(step->model, (int)proxy->id, name), away, speed,
                          crm_length(proxy->motion.spin));
    }
    return error != NULL ? error->status : CAROM_ERR_BAD_INPUT;
}

carom_status crm_contact_step_find(crm_contact_step *step, carom_error *error) {
    step->found_count = 0;
    if (step->proxy_count == 0) return CAROM_OK;
    double start = crm_phase_begin(step->phases);
    carom_status status = carom_contact_set_update(step->set, step->proxy_count, step->proxies, NULL, error);
    crm_phase_end(step->phases, start, &step->phases->sum.detection);
    if (status == CAROM_ERR_BAD_INPUT) return refuse_flown(step, error);
    if (status == CAROM_OK) step->found = carom_contact_set_list(step->set, &step->found_count);
    return status;
}

carom_status crm_contact_step_forget(crm_contact_step *step, carom_error *error) {
    step->found_count = 0;
    return step->set != NULL ? carom_contact_set_update(step->set, 0, step->proxies, NULL, error) : CAROM_OK;
}

int crm_contact_step_next_pair(const crm_contact_step *step, int from) {
    const carom_contact *list = step->found;
    int i = from;
    while (i > 0 && i < step->found_count && list[i].a == list[i - 1].a && list[i].b == list[i - 1].b) i++;
    return i;
}

carom_vec3 crm_contact_step_point(const crm_contact_step *step, const carom_contact *contact) {
    const carom_shape *of_a = step->sides[contact->a].ball, *of_b = step->sides[contact->b].ball;
    if (of_b != NULL) return crm_madd(contact->point_b, of_b->radius, contact->normal);
    if (of_a != NULL) return crm_madd(contact->point_a, -of_a->radius, contact->normal);
    return crm_scale(0.5, crm_add(contact->point_a, contact->point_b));
}

static void set_geometry(const crm_contact_step *step, const carom_contact *contact, crm_contact_site *site) {
    site->a = crm_contact_body_a(step, contact);
    site->b = crm_contact_body_b(step, contact);
    site->gap = contact->gap;
    site->midway = false;
    site->point = crm_contact_step_point(step, contact);
    site->direction[0] = contact->normal;
    site->direction[1] = contact->tangent;
    site->direction[2] = crm_cross(contact->normal, contact->tangent);
}

// What two materials make of each other, found once for all pairs in a row that have them.
typedef struct material_memory {
    int a, b; // INT_MIN: none yet
    double friction, restitution;
} material_memory;

// What the two bodies have in common in all their contacts.
static void set_pair(const crm_contact_step *step, const carom_contact *contact, material_memory *last,
                     crm_contact_site *site) {
    const crm_contact_side *a = &step->sides[contact->a], *b = &step->sides[contact->b];
    if (a->material != last->a || b->material != last->b) {
        // Bodies of a frozen model have materials that are there: this cannot fail.
        (void)carom_model_get_material_pair(step->model, (carom_material){a->material}, (carom_material){b->material},
                                            &last->friction, &last->restitution, NULL);
        last->a = a->material;
        last->b = b->material;
    }
    site->friction = last->friction;
    site->restitution = last->restitution;
    site->size = fmin(a->size, b->size);
}

static void copy_pair(const crm_contact_site *from, crm_contact_site *to) {
    to->friction = from->friction;
    to->restitution = from->restitution;
    to->size = from->size;
}

// The contacts of a list that have sites, into `listed`.
static bool choose_contacts(crm_contact_step *step, const carom_contact *list, int count) {
    const bool *resting = step->resting;
    int chosen = 0;
    if (!CRM_ARRAY_RESIZE(&step->model->allocator, &step->listed, count)) return false;
    for (int i = 0; i < count; i++) {
        step->listed.items[chosen] = i;
        chosen += resting == NULL || !resting[crm_contact_body_a(step, &list[i])] ||
                  !resting[crm_contact_body_b(step, &list[i])];
    }
    step->listed.count = chosen;
    return true;
}

// Tangents stay as far as they can: impulses of the last attempt are along them.
static void set_midway(const crm_midway_contact *midway, crm_contact_site *site) {
    carom_vec3 n = midway->normal, t = site->direction[1];
    site->midway = true;
    site->point = midway->point;
    site->direction[0] = n;
    if (!(crm_normalise(crm_madd(t, -crm_dot(n, t), n), &site->direction[1]) > 0.0))
        site->direction[1] = crm_any_normal(n);
    site->direction[2] = crm_cross(n, site->direction[1]);
}

// Both lists are in the order of the bodies.
static void take_midway(crm_contact_step *step) {
    const crm_midway_contact *midway = step->midway.items, *end = CRM_ARRAY_FROM(&step->midway, step->midway.count);
    for (int i = 0; i < step->sites.count && midway < end; i++) {
        crm_contact_site *site = &step->sites.items[i];
        while (midway < end && (midway->a < site->a || (midway->a == site->a && midway->b < site->b))) midway++;
        if (midway < end && midway->a == site->a && midway->b == site->b) set_midway(midway, site);
    }
}

bool crm_contact_step_take_sites(crm_contact_step *step, const carom_contact *list, int count) {
    if (!choose_contacts(step, list, count)) return false;
    if (!CRM_ARRAY_RESIZE(&step->model->allocator, &step->sites, step->listed.count)) return false;
    crm_contact_site *sites = step->sites.items;
    material_memory last = {.a = INT_MIN, .b = INT_MIN};
    for (int i = 0; i < step->listed.count; i++) {
        const carom_contact *contact = &list[step->listed.items[i]];
        set_geometry(step, contact, &sites[i]);
        if (i > 0 && sites[i].a == sites[i - 1].a && sites[i].b == sites[i - 1].b)
            copy_pair(&sites[i - 1], &sites[i]);
        else
            set_pair(step, contact, &last, &sites[i]);
    }
    take_midway(step);
    return true;
}

crm_contact_site crm_contact_site_at(int a, int b, const crm_contact_point *at) {
    crm_contact_site site = {.a = a, .b = b, .gap = at->gap, .point = at->point};
    site.direction[0] = at->normal;
    crm_tangents(at->normal, &site.direction[1], &site.direction[2]);
    return site;
}

carom_view crm_body_view(const carom_model *model, int body, const crm_motion *motion) {
    const crm_body *of = &model->bodies.items[body];
    carom_body_state own = crm_motion_to_body_state(of, motion);
    return carom_view_of(model->shapes.items[of->def.shape.index].shape, (carom_pose){own.position, own.attitude});
}

static carom_vec3 velocity_at(carom_vec3 point, const crm_motion *motion, crm_vec6 twist) {
    return crm_add(twist.linear, crm_cross(twist.angular, crm_sub(point, motion->x)));
}

carom_vec3 crm_point_velocity(carom_vec3 point, const crm_motion *a, const crm_motion *b, crm_vec6 twist_a,
                              crm_vec6 twist_b) {
    return crm_sub(velocity_at(point, b, twist_b), velocity_at(point, a, twist_a));
}

carom_vec3 crm_contact_velocity(const crm_contact_site *site, const crm_motion *motions, const crm_vec6 *twist) {
    return crm_point_velocity(site->point, &motions[site->a], &motions[site->b], twist[site->a], twist[site->b]);
}

carom_vec3 crm_contact_approach(const carom_model *model, const crm_contact_site *site, const crm_motion *motions) {
    return crm_point_velocity(site->point, &motions[site->a], &motions[site->b], crm_twist_of(model, motions, site->a),
                              crm_twist_of(model, motions, site->b));
}

void crm_contact_rows(const crm_contact_site *site, const crm_motion *motions, crm_vec6 on_a[3], crm_vec6 on_b[3]) {
    const carom_vec3 *direction = site->direction;
    carom_vec3 arm_a = crm_sub(site->point, motions[site->a].x), arm_b = crm_sub(site->point, motions[site->b].x);
    for (int k = 0; k < 3; k++) {
        on_a[k] = crm_vec6_of(crm_negate(direction[k]), crm_cross(direction[k], arm_a));
        on_b[k] = crm_vec6_of(direction[k], crm_cross(arm_b, direction[k]));
    }
}

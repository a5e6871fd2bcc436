// SPDX-License-Identifier: MIT
#include "model/proxies.h"

#include <math.h>

#include "shape/shape.h"

const carom_shape *crm_touching_shape(const carom_model *model, int body) {
    const crm_body *of = &model->bodies.items[body];
    return of->def.shape.index >= 0 ? model->shapes.items[of->def.shape.index].shape : of->ball;
}

int crm_proxy_count(const carom_model *model, bool nodes) {
    int count = model->shaped_count;
    for (int b = 0; nodes && b < model->bodies.count; b++) count += model->bodies.items[b].ball != NULL;
    return count;
}

carom_proxy crm_proxy_of(const carom_model *model, int index, const crm_motion *motion, double duration, double slack) {
    const crm_body *body = &model->bodies.items[index];
    carom_body_state own = crm_motion_to_body_state(body, motion);
    const carom_shape *shape = crm_touching_shape(model, index);
    carom_proxy proxy = {.id = index,
                         .view = carom_view_of(shape, (carom_pose){own.position, own.attitude}),
                         .motion = {own.velocity, own.spin},
                         .fixed = body->kind == CAROM_BODY_FIXED,
                         .groups = body->def.groups,
                         .meets = body->def.meets};
    // It is the centre of mass that goes straight on; the frame's origin, an arm away, leaves its tangent by no more
    // than |exp(i angle) - 1 - i angle| arm <= angle^2/2 arm.
    double angle = duration * crm_length(own.spin);
    double bend = 0.5 * angle * angle * crm_length(body->centre);
    proxy.margin = slack * (carom_proxy_margin(&proxy.view, &proxy.motion, duration) + bend);
    return proxy;
}

void crm_fill_proxies(const carom_model *model, bool nodes, const crm_motion *motions, double duration, double slack,
                      carom_proxy *out) {
    for (int i = 0; i < model->bodies.count; i++)
        if (crm_is_proxy(&model->bodies.items[i], nodes)) *out++ = crm_proxy_of(model, i, &motions[i], duration, slack);
}

// No less than the margin of crm_proxy_of, without its pose: |v - w x arm| t <= |v| t + angle arm, and no chord is
// longer than its arc.
static double margin_bound(const crm_body *body, double farthest, const crm_motion *motion, double duration) {
    const double rounding = 1e-12;
    bool planar = body->kind == CAROM_BODY_PLANAR;
    carom_vec3 l = planar ? motion->l : crm_quat_rotate_inverse(motion->q, motion->l);
    double angle = duration * crm_length(crm_vec3_mul(body->inverse_inertia, l)), arm = crm_length(body->centre);
    double shift = duration * body->inverse_mass * crm_length(motion->p);
    double way = angle > 0.0 ? shift + angle * (farthest + arm + 0.5 * angle * arm) : shift;
    return way * (1.0 + rounding);
}

bool crm_margin_covers(const carom_model *model, int index, const crm_motion *motion, double duration, double margin) {
    const crm_body *body = &model->bodies.items[index];
    const carom_shape *shape = crm_touching_shape(model, index);
    if (margin_bound(body, shape->farthest, motion, duration) <= margin) return true;
    return crm_proxy_of(model, index, motion, duration, 1.0).margin <= margin;
}

carom_contact_options crm_contact_options(const carom_state *state) {
    carom_contact_options options = carom_contact_options_default();
    options.threads = state->method.threads;
    options.filter = crm_model_pair_filter;
    options.filter_user = (void *)state->model; // the filter only reads it
    options.limits = state->model->limits;
    options.interrupt = crm_state_interrupt(state);
    return options;
}

static double thickness_of(const carom_model *model, int body) {
    return 2.0 * crm_shape_thinnest(crm_touching_shape(model, body));
}

double crm_pair_thickness(const carom_model *model, int a, int b) {
    return fmin(thickness_of(model, a), thickness_of(model, b));
}

double crm_pair_size(const carom_model *model, int a, int b) {
    return fmin(model->bodies.items[a].size, model->bodies.items[b].size);
}

// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "math/quat.h"
#include "model/body_groups.h"
#include "model/proxies.h"
#include "step/divide/divide.h"

// By how much bodies may get faster within a step than they were expected to.
static const double margin_slack = 2.0;
// Of a body's size: it has not moved.
static const double still = 1e-12;

carom_status crm_divide_find_groups(carom_state *state, crm_divide *divide, bool *any, carom_error *error) {
    const carom_model *model = state->model;
    crm_contact_step *found = &divide->found;
    double h = state->method.step;
    *any = false;
    for (int b = 0; b < model->bodies.count; b++) {
        divide->group[b] = state->joined[b];
        divide->touches[b] = false;
        divide->ahead[b] = state->motions[b];
        const crm_body *body = &model->bodies.items[b];
        if (!crm_body_moves(model, b)) continue;
        divide->ahead[b].p = crm_madd(divide->ahead[b].p, h * body->mass, model->gravity);
    }
    crm_contact_step_expect(found, divide->ahead, h, margin_slack);
    for (int i = 0; i < found->proxy_count; i++) {
        carom_proxy *proxy = &found->proxies[i];
        if (!proxy->fixed) proxy->margin = fmax(proxy->margin, divide->least[proxy->id]);
        divide->margin[proxy->id] = proxy->margin;
    }
    // Nothing is to depend on the steps before.
    carom_status status = crm_contact_step_forget(found, error);
    if (status == CAROM_OK) status = crm_contact_step_find(found, error);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < found->found_count; i = crm_contact_step_next_pair(found, i + 1))
        crm_body_groups_join(model, divide->group, crm_contact_body_a(found, &found->found[i]),
                             crm_contact_body_b(found, &found->found[i]));
    for (int i = 0; i < found->found_count; i = crm_contact_step_next_pair(found, i + 1)) {
        int a = crm_contact_body_a(found, &found->found[i]), b = crm_contact_body_b(found, &found->found[i]);
        divide->touches[crm_forest_root(divide->group, crm_body_moves(model, a) ? a : b)] = true;
        *any = true;
    }
    return CAROM_OK;
}

bool crm_divide_went_beyond(crm_divide *divide, int body, const crm_motion *at) {
    const crm_motion *from = &divide->start[body];
    if (!(divide->radius[body] > 0.0)) return false;
    double way = crm_distance(at->x, from->x) + divide->radius[body] * crm_quat_angle(at->q, from->q);
    if (way <= divide->margin[body] + still * divide->radius[body]) return false;
    divide->least[body] = 2.0 * way;
    return true;
}

void crm_divide_join_all(const carom_model *model, crm_divide *divide) {
    int first = -1;
    for (int b = 0; b < model->bodies.count; b++) {
        if (!crm_body_moves(model, b)) continue;
        if (first < 0) first = b;
        crm_body_groups_join(model, divide->group, first, b);
    }
    if (first >= 0) divide->touches[crm_forest_root(divide->group, first)] = true;
}

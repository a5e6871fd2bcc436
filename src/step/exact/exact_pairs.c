// SPDX-License-Identifier: MIT
// Which bodies may touch within a step, and how two of them stand to each other: by the centre ray (docs/math.md 3.1),
// whose answer is symmetric where a pair is, and by the Euclidean gap of compounds and containers, which have no ray.
#include <float.h>
#include <math.h>
#include <string.h>

#include "base/fail.h"
#include "base/forest.h"
#include "math/so3.h"
#include "model/force/evaluate.h"
#include "model/proxies.h"
#include "step/exact/exact.h"

// By how much bodies may get faster within the step before pairs are looked for again.
static const double margin_slack = 2.0;
// Of a gap as a share of the size: what queries and variational steps leave uncertain; and of a place.
static const double gap_share = 2e-14, place_rounding = 4.0 * DBL_EPSILON;
// A rate below this share of the speeds is rounding.
static const double still_share = 1e-12;

// ---- who may touch

// The centre of a compound may lie outside of its parts.
static bool has_ray(const carom_model *model, int body) {
    carom_shape_kind kind = carom_shape_get_kind(carom_model_get_shape(model, model->bodies.items[body].def.shape));
    return kind != CAROM_SHAPE_COMPOUND && kind != CAROM_SHAPE_CONTAINER;
}

static bool add_pair(crm_exact *x, int a, int b) {
    crm_exact_pair pair = {
        .a = a, .b = b, .has_ray = has_ray(x->model, a) && has_ray(x->model, b), .size = crm_pair_size(x->model, a, b)};
    return CRM_ARRAY_PUSH(&x->model->allocator, &x->pairs, pair);
}

static bool is_fixed(const crm_exact *x, int body) {
    return x->model->bodies.items[body].kind == CAROM_BODY_FIXED;
}

// Lists of the bodies and pairs of every cluster, in ascending order. A pair belongs to the cluster of the body that
// moves.
static void list_clusters(crm_exact *x) {
    for (int b = 0; b < x->model->bodies.count; b++) x->next[b] = x->first_pair[b] = -1;
    for (int b = x->model->bodies.count - 1; b >= 0; b--) {
        int cluster = x->cluster[b];
        if (b == cluster) continue;
        x->next[b] = x->next[cluster];
        x->next[cluster] = b;
    }
    for (int p = x->pairs.count - 1; p >= 0; p--) {
        crm_exact_pair *pair = &x->pairs.items[p];
        int cluster = x->cluster[is_fixed(x, pair->a) ? pair->b : pair->a];
        pair->next = x->first_pair[cluster];
        x->first_pair[cluster] = p;
    }
}

static void make_clusters(crm_exact *x) {
    int bodies = x->model->bodies.count;
    int coupled = -1;
    for (int b = 0; b < bodies; b++) {
        x->cluster[b] = b;
        if (x->coupled[b] && coupled < 0) coupled = b;
        if (x->coupled[b]) x->cluster[b] = coupled;
    }
    for (int p = 0; p < x->pairs.count; p++) {
        const crm_exact_pair *pair = &x->pairs.items[p];
        if (!is_fixed(x, pair->a) && !is_fixed(x, pair->b)) crm_forest_join(x->cluster, pair->a, pair->b);
    }
    for (int b = 0; b < bodies; b++) x->cluster[b] = crm_forest_root(x->cluster, b);
    list_clusters(x);
}

carom_status crm_exact_find_pairs(crm_exact *x) {
    carom_state *state = x->state;
    x->pairs.count = 0;
    crm_contact_step_expect(&x->found, state->motions, state->method.step, margin_slack);
    for (int i = 0; i < x->found.proxy_count; i++) {
        carom_proxy *proxy = &x->found.proxies[i];
        if (!proxy->fixed) proxy->margin = fmax(proxy->margin, x->least[proxy->id]);
        x->margin[proxy->id] = proxy->margin;
    }
    carom_status status = crm_contact_step_find(&x->found, &x->error);
    if (status != CAROM_OK) return status;
    for (int i = 0; i < x->found.found_count; i = crm_contact_step_next_pair(&x->found, i + 1)) {
        const carom_contact *contact = &x->found.found[i];
        if (!add_pair(x, crm_contact_body_a(&x->found, contact), crm_contact_body_b(&x->found, contact)))
            return crm_fail(&x->error, CAROM_ERR_NO_MEMORY, "no memory for pairs");
    }
    make_clusters(x);
    return CAROM_OK;
}

bool crm_exact_enter_cluster(crm_exact *x, int cluster) {
    x->member_count = 0;
    x->moves_coupled = false;
    for (int b = cluster; b >= 0; b = x->next[b]) {
        x->member[x->member_count++] = b;
        x->moves_coupled |= x->coupled[b];
    }
    x->mine.count = 0;
    for (int p = x->first_pair[cluster]; p >= 0; p = x->pairs.items[p].next)
        if (!CRM_ARRAY_PUSH(&x->model->allocator, &x->mine, p)) return false;
    x->last_energy = NAN;
    return true;
}

// ---- how two stand to each other

static carom_pose pose_of(const crm_exact *x, int body, const crm_motion *motion) {
    carom_body_state own = crm_motion_to_body_state(&x->model->bodies.items[body], motion);
    return (carom_pose){own.position, own.attitude};
}

static carom_view view_at(const crm_exact *x, int body, carom_pose pose) {
    return carom_view_of(carom_model_get_shape(x->model, x->model->bodies.items[body].def.shape), pose);
}

// A body on its way from `motions` to `trial`, as if by a constant twist. Fixed ones stay.
static carom_motion way_of(const crm_exact *x, int body, double length) {
    carom_motion way = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (is_fixed(x, body)) return way;
    carom_pose from = pose_of(x, body, &x->motions[body]), to = pose_of(x, body, &x->trial[body]);
    carom_vec3 rotation = crm_so3_log(crm_quat_mul(to.attitude, crm_quat_conjugate(from.attitude)));
    way.velocity = crm_scale(1.0 / length, crm_sub(to.position, from.position));
    way.spin = crm_scale(1.0 / length, rotation);
    return way;
}

static carom_pose pose_on_way(const crm_exact *x, int body, double s, double length) {
    carom_pose pose = pose_of(x, body, &x->motions[body]);
    carom_motion way = way_of(x, body, length);
    pose.position = crm_madd(pose.position, s, way.velocity);
    pose.attitude = crm_quat_step(pose.attitude, way.spin, s);
    return pose;
}

static crm_contact_point measure(crm_exact *x, crm_exact_pair *pair, const carom_view *a, const carom_view *b) {
    carom_ray_witness ray;
    if (pair->has_ray && carom_ray_find(a, b, NULL, &pair->cache, &ray, NULL) == CAROM_OK &&
        ray.outcome == CAROM_RAY_MEETS)
        return (crm_contact_point){ray.plane_gap, ray.normal, crm_scale(0.5, crm_add(ray.point_a, ray.point_b))};
    carom_gap_witness gap;
    if (carom_gap_find(a, b, NULL, &pair->cache, &gap, &x->error) == CAROM_OK)
        return (crm_contact_point){gap.gap, gap.normal, crm_scale(0.5, crm_add(gap.point_a, gap.point_b))};
    return (crm_contact_point){.gap = NAN};
}

crm_contact_point crm_exact_measure(crm_exact *x, crm_exact_pair *pair, const crm_motion *motions) {
    carom_view a = crm_body_view(x->model, pair->a, &motions[pair->a]);
    carom_view b = crm_body_view(x->model, pair->b, &motions[pair->b]);
    return measure(x, pair, &a, &b);
}

crm_contact_point crm_exact_measure_between(crm_exact *x, crm_exact_pair *pair, double s, double length) {
    carom_view a = view_at(x, pair->a, pose_on_way(x, pair->a, s, length));
    carom_view b = view_at(x, pair->b, pose_on_way(x, pair->b, s, length));
    return measure(x, pair, &a, &b);
}

double crm_exact_time_of_impact(crm_exact *x, const crm_exact_pair *pair, double s, double length, double gap) {
    carom_view a = view_at(x, pair->a, pose_on_way(x, pair->a, s, length));
    carom_view b = view_at(x, pair->b, pose_on_way(x, pair->b, s, length));
    carom_motion way_a = way_of(x, pair->a, length), way_b = way_of(x, pair->b, length);
    carom_toi_options options = carom_toi_options_default();
    options.duration = length - s;
    options.gap = gap;
    carom_toi_result found;
    if (carom_toi_find(&a, &way_a, &b, &way_b, &options, &found, &x->error) != CAROM_OK) return INFINITY;
    return found.outcome == CAROM_TOI_NONE ? INFINITY : s + found.time;
}

double crm_exact_travel(const crm_exact *x, int body) {
    if (is_fixed(x, body) || x->model->bodies.items[body].def.shape.index < 0) return 0.0;
    carom_view view = crm_body_view(x->model, body, &x->motions[body]);
    carom_motion way = way_of(x, body, 1.0);
    return carom_proxy_margin(&view, &way, 1.0);
}

carom_pose crm_exact_end(const crm_exact *x, int body) {
    return pose_of(x, body, &x->trial[body]);
}

double crm_exact_bend(const crm_exact *x, int body, double length) {
    if (is_fixed(x, body) || x->model->bodies.items[body].def.shape.index < 0) return 0.0;
    carom_pose straight = pose_on_way(x, body, 0.5 * length, length), middle = x->middle[body];
    carom_quat rotation = crm_quat_mul(middle.attitude, crm_quat_conjugate(straight.attitude));
    carom_motion aside = {crm_sub(middle.position, straight.position), crm_so3_log(rotation)};
    carom_view view = view_at(x, body, straight);
    return carom_proxy_margin(&view, &aside, 1.0);
}

double crm_exact_rate(const crm_exact *x, const crm_contact_point *touch, int a, int b, const crm_motion *motions) {
    crm_vec6 twist_a = crm_twist_of(x->model, motions, a), twist_b = crm_twist_of(x->model, motions, b);
    return crm_dot(touch->normal, crm_point_velocity(touch->point, &motions[a], &motions[b], twist_a, twist_b));
}

double crm_exact_resolution(const crm_exact_pair *pair, const crm_motion *motions) {
    double place = crm_length(motions[pair->a].x) + crm_length(motions[pair->b].x);
    return gap_share * pair->size + place_rounding * place;
}

double crm_exact_still(const crm_exact *x, const crm_exact_pair *pair, const crm_motion *motions) {
    const int ends[] = {pair->a, pair->b};
    double speed = 0.0;
    for (int e = 0; e < 2; e++) {
        const crm_body *body = &x->model->bodies.items[ends[e]];
        if (body->kind == CAROM_BODY_FIXED) continue;
        const crm_motion *m = &motions[ends[e]];
        speed += crm_length(crm_motion_velocity(body, m));
        if (body->kind != CAROM_BODY_POINT) speed += pair->size * crm_length(crm_motion_spin(body, m));
    }
    return still_share * speed;
}

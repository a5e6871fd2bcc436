// SPDX-License-Identifier: MIT
// What is asked of bodies at nodes (docs/math.md 16.4): poses and velocities that are given, seen from the world or
// from another body, boxes, directions, and bodies that move as one.
#include <math.h>

#include "base/fail.h"
#include "control/rows/plan_pieces.h"
#include "model/force/evaluate.h"

// ---- conditions become what is asked of a body at a node

static crm_asked *asked_at(crm_draft *draft, int node, int slot) {
    crm_asked **at = &draft->asked[node * draft->moving_count + slot];
    if (*at == NULL) {
        *at = CRM_ARENA_ZEROED(draft->arena, crm_asked, 1);
        if (*at != NULL) **at = (crm_asked){.relative_to = -1, .root = -1, .velocity_unknown = -1, .spin_unknown = -1};
    }
    return *at;
}

static void ask_for_start(crm_draft *draft, int slot) {
    crm_asked *asked = asked_at(draft, 0, slot);
    if (asked == NULL) return;
    int body = draft->body[slot];
    carom_body_state s = crm_motion_to_body_state(crm_draft_body(draft, body), &draft->start[body]);
    asked->position = asked->attitude = asked->velocity = asked->spin = true;
    asked->x = s.position, asked->v = s.velocity, asked->w = s.spin;
    asked->q = draft->start[body].q;
}

static void ask_directions(const crm_body *body, const carom_plan_condition *c, crm_asked *asked) {
    for (int i = 0; i < c->direction_count && asked->direction_count < 3; i++, asked->direction_count++) {
        (void)crm_normalise(crm_quat_rotate_inverse(body->frame, c->direction[i].axis),
                            &asked->direction[asked->direction_count].axis);
        (void)crm_normalise(c->direction[i].toward, &asked->direction[asked->direction_count].toward);
        asked->direction[asked->direction_count].least = c->direction[i].least;
    }
}

static void ask(crm_draft *draft, const carom_plan_condition *c) {
    int node = (c->node < 0 ? draft->def->intervals : c->node) * draft->intervals / draft->def->intervals;
    const crm_body *body = crm_draft_body(draft, c->body.index);
    crm_asked *asked = asked_at(draft, node, draft->slot[c->body.index]);
    if (asked == NULL) return;
    bool relative = c->relative_to.index >= 0;
    if (relative) asked->relative_to = c->relative_to.index;
    if (c->has_position) {
        asked->position = !relative, asked->relative_position = relative;
        asked->x = asked->seen = c->position;
    }
    if (c->has_attitude) {
        asked->attitude = !relative, asked->relative_attitude = relative;
        asked->q = crm_quat_mul(crm_quat_normalised(c->attitude), body->frame);
        if (relative)
            asked->q = crm_quat_mul(crm_quat_conjugate(crm_draft_body(draft, c->relative_to.index)->frame), asked->q);
    }
    if (c->has_velocity) asked->velocity = true, asked->v = c->velocity;
    if (c->has_spin) asked->spin = true, asked->w = c->spin;
    if (c->has_box) asked->box = true, asked->low = c->box_low, asked->high = c->box_high;
    asked->together = asked->together || c->together;
    ask_directions(body, c, asked);
}

// ---- relative to something that is known: absolute

// The pose of a body at a node, SI, if it is known; of a position the origin's.
static bool known_pose(const crm_draft *draft, int node, int body, carom_vec3 *origin, carom_quat *principal) {
    if (draft->slot[body] < 0) {
        *principal = draft->start[body].q;
        *origin = crm_motion_to_body_state(crm_draft_body(draft, body), &draft->start[body]).position;
        return true;
    }
    const crm_asked *asked = crm_asked_at(draft, node, draft->slot[body]);
    bool rotates = crm_has_directors(crm_draft_body(draft, body));
    if (asked == NULL || !asked->position || (rotates && !asked->attitude)) return false;
    *origin = asked->x;
    *principal = rotates ? asked->q : draft->start[body].q;
    return true;
}

static bool make_absolute(const crm_draft *draft, int node, crm_asked *asked) {
    carom_vec3 origin;
    carom_quat q;
    if (!asked->relative_position && !asked->relative_attitude) return false;
    if (!known_pose(draft, node, asked->relative_to, &origin, &q)) return false;
    carom_quat frame = crm_draft_body(draft, asked->relative_to)->frame;
    if (asked->relative_position) {
        carom_vec3 seen = crm_quat_rotate(crm_quat_mul(q, crm_quat_conjugate(frame)), asked->seen);
        asked->x = crm_add(origin, seen);
        asked->position = true, asked->relative_position = false;
    }
    if (asked->relative_attitude) {
        asked->q = crm_quat_mul(q, asked->q);
        asked->attitude = true, asked->relative_attitude = false;
    }
    return true;
}

static void resolve_relative(crm_draft *draft, int node) {
    bool changed = true;
    while (changed) {
        changed = false;
        for (int s = 0; s < draft->moving_count; s++) {
            crm_asked *asked = draft->asked[node * draft->moving_count + s];
            if (asked != NULL && make_absolute(draft, node, asked)) changed = true;
        }
    }
}

// ---- unknowns that are given

static carom_vec3 centre_of(const crm_body *body) { // of mass, from the origin, principal axes
    return crm_quat_rotate_inverse(body->frame, body->centre);
}

static bool is_zero(carom_vec3 v) {
    return v.x == 0.0 && v.y == 0.0 && v.z == 0.0;
}

static void fix_vector(crm_draft *draft, int32_t first, carom_vec3 value) {
    for (int i = 0; i < 3; i++)
        if (!crm_is_fixed(draft, first + i)) crm_draft_fix(draft, first + i, crm_component(value, i));
}

static void fix_pose(crm_draft *draft, int node, int slot, crm_asked *asked) {
    int body = draft->body[slot];
    const crm_body *b = crm_draft_body(draft, body);
    int32_t first = draft->pose[node * draft->moving_count + slot];
    bool rotates = crm_has_directors(b);
    if (draft->soft_ends && node > 0) return;
    if (rotates && asked->attitude) {
        carom_mat3 d = crm_quat_to_mat3(crm_quat_mul(asked->q, draft->axes[body]));
        const carom_vec3 columns[3] = {d.x, d.y, d.z};
        for (int i = 0; i < 3; i++) fix_vector(draft, first + 3 + 3 * i, columns[i]);
        asked->fixed_attitude = true;
    }
    carom_vec3 centre = centre_of(b);
    if (!asked->position || (rotates && !asked->attitude && !is_zero(centre))) return;
    carom_vec3 x = asked->x;
    if (asked->attitude) x = crm_add(x, crm_quat_rotate(asked->q, centre));
    fix_vector(draft, first, crm_scale(1.0 / draft->units.length, x));
    asked->fixed_position = true;
}

// A box about the origin that is the centre of mass bounds unknowns; any other is rows.
static bool is_bounds(const crm_draft *draft, int node, int slot, const crm_asked *asked) {
    if (!asked->box || asked->relative_to >= 0 || (draft->soft_ends && node > 0)) return false;
    return is_zero(crm_draft_body(draft, draft->body[slot])->centre);
}

static void bound_position(crm_draft *draft, int node, int slot, const crm_asked *asked) {
    if (!is_bounds(draft, node, slot, asked)) return;
    int32_t first = draft->pose[node * draft->moving_count + slot];
    for (int i = 0; i < 3; i++) {
        if (crm_is_fixed(draft, first + i)) continue;
        draft->builder.lower.items[first + i] = crm_component(asked->low, i) / draft->units.length;
        draft->builder.upper.items[first + i] = crm_component(asked->high, i) / draft->units.length;
    }
}

// ---- velocities that are unknown

static int32_t add_velocities(crm_draft *draft, int node, int count) {
    int32_t first = draft->builder.lower.count;
    for (int i = 0; i < count; i++)
        (void)crm_program_add_unknown(&draft->builder, -INFINITY, INFINITY, crm_node_place(node));
    return first;
}

static void own_velocity(crm_draft *draft, int node, int body, crm_asked *asked) {
    asked->root = body;
    asked->velocity_unknown = add_velocities(draft, node, 6);
    for (int i = 0; i < 6 && !draft->builder.refused; i++)
        if (!crm_kind_admits(crm_draft_body(draft, body)->kind, i))
            crm_draft_fix(draft, asked->velocity_unknown + i, 0.0);
}

// A velocity that may be missed is unknown, and rows ask for it.
static void soften_velocities(crm_draft *draft, int node) {
    for (int s = 0; s < draft->moving_count; s++) {
        crm_asked *asked = draft->asked[node * draft->moving_count + s];
        if (asked == NULL || asked->velocity_unknown >= 0 || (!asked->velocity && !asked->spin)) continue;
        own_velocity(draft, node, draft->body[s], asked);
    }
}

// ---- mechanisms: what moves with an unknown velocity is tied by joints to what moves with a given one

static void spread(const crm_draft *draft, int body, bool *reached) {
    reached[body] = true;
    for (bool changed = true; changed;) {
        changed = false;
        for (int j = 0; j < draft->model->joints.count; j++) {
            int a = draft->model->joints.items[j].a.body, b = draft->model->joints.items[j].b.body;
            if (a < 0 || b < 0 || draft->slot[a] < 0 || draft->slot[b] < 0 || reached[a] == reached[b]) continue;
            reached[a] = reached[b] = changed = true;
        }
    }
}

static bool knows_all(const crm_draft *draft, int body, const crm_asked *asked) {
    return asked != NULL && asked->velocity && (asked->spin || !crm_has_directors(crm_draft_body(draft, body)));
}

// Bodies of a mechanism of which something is asked, but not everything, have unknown velocities: their own, or those
// of bodies that they move with. Without these an impulse of a joint at the end would take what velocities it liked.
static void free_mechanism(crm_draft *draft, int node, const bool *of_mechanism) {
    bool some = false, all = true;
    for (int s = 0; s < draft->moving_count; s++) {
        const crm_asked *asked = crm_asked_at(draft, node, s);
        if (!of_mechanism[draft->body[s]]) continue;
        some = some || (asked != NULL && (asked->velocity || asked->spin || asked->velocity_unknown >= 0));
        all = all && knows_all(draft, draft->body[s], asked);
    }
    for (int s = 0; s < draft->moving_count && some && !all; s++) {
        int body = draft->body[s];
        if (!of_mechanism[body] || knows_all(draft, body, crm_asked_at(draft, node, s))) continue;
        crm_asked *asked = asked_at(draft, node, s);
        if (asked == NULL || asked->velocity_unknown >= 0) continue;
        own_velocity(draft, node, body, asked);
    }
}

static void free_mechanisms(crm_draft *draft, int node) {
    int bodies = draft->model->bodies.count;
    if (draft->model->joints.count == 0 || (node > 0 && node < draft->intervals)) return;
    bool *seen = CRM_ARENA_ZEROED(draft->arena, bool, bodies), *reached = CRM_ARENA_ARRAY(draft->arena, bool, bodies);
    for (int s = 0; s < draft->moving_count && seen != NULL && reached != NULL; s++) {
        if (seen[draft->body[s]]) continue;
        for (int b = 0; b < bodies; b++) reached[b] = false;
        spread(draft, draft->body[s], reached);
        for (int b = 0; b < bodies; b++) seen[b] = seen[b] || reached[b];
        free_mechanism(draft, node, reached);
    }
}

// ---- bodies that move as one

// Gives everybody who moves with `body` its velocity, and those who move with these.
static void join(crm_draft *draft, int node, int root, int32_t unknown) {
    crm_asked *first = asked_at(draft, node, draft->slot[root]);
    if (first == NULL) return;
    first->root = root, first->velocity_unknown = unknown;
    for (bool changed = true; changed;) {
        changed = false;
        for (int s = 0; s < draft->moving_count; s++) {
            crm_asked *asked = draft->asked[node * draft->moving_count + s];
            if (asked == NULL || !asked->together || asked->relative_to < 0 || draft->slot[asked->relative_to] < 0)
                continue;
            crm_asked *other = asked_at(draft, node, draft->slot[asked->relative_to]);
            if (other == NULL || (asked->root == root) == (other->root == root)) continue;
            asked->root = other->root = root;
            asked->velocity_unknown = other->velocity_unknown = unknown;
            changed = true;
        }
    }
}

static void join_all(crm_draft *draft, int node) {
    for (int s = 0; s < draft->moving_count; s++) {
        crm_asked *asked = draft->asked[node * draft->moving_count + s];
        if (asked == NULL || !asked->together || asked->root >= 0) continue;
        if (draft->slot[asked->relative_to] < 0) { // with a fixed body: at rest
            asked->together = false;
            asked->velocity = asked->spin = true;
            asked->v = asked->w = crm_vec3_zero();
        } else {
            join(draft, node, asked->relative_to, add_velocities(draft, node, 6));
        }
    }
    if (draft->soft_ends && node > 0) soften_velocities(draft, node);
    free_mechanisms(draft, node);
    // Given angular velocities are known; a velocity alone of a point beside the centre of mass needs one.
    for (int s = 0; s < draft->moving_count; s++) {
        crm_asked *asked = draft->asked[node * draft->moving_count + s];
        if (asked == NULL) continue;
        const crm_body *b = crm_draft_body(draft, draft->body[s]);
        if (asked->velocity_unknown >= 0 && asked->spin && !(draft->soft_ends && node > 0))
            fix_vector(draft, asked->velocity_unknown + 3, crm_scale(draft->units.time, asked->w));
        if (asked->velocity_unknown < 0 && asked->velocity && !asked->spin && crm_has_directors(b) &&
            !is_zero(b->centre)) {
            asked->spin_unknown = add_velocities(draft, node, 3);
            if (b->kind == CAROM_BODY_PLANAR)
                for (int i = 0; i < 2; i++) crm_draft_fix(draft, asked->spin_unknown + i, 0.0);
        }
    }
}

carom_status crm_ends_prepare(crm_draft *draft, carom_error *error) {
    for (int i = 0; i < draft->def->condition_count; i++) ask(draft, &draft->def->condition[i]);
    for (int s = 0; s < draft->moving_count; s++)
        if (crm_asked_at(draft, 0, s) == NULL) ask_for_start(draft, s);
    for (int node = 0; node <= draft->intervals && !crm_arena_refused(draft->arena); node++) {
        resolve_relative(draft, node);
        for (int s = 0; s < draft->moving_count; s++) {
            crm_asked *asked = draft->asked[node * draft->moving_count + s];
            if (asked == NULL) continue;
            bound_position(draft, node, s, asked);
            fix_pose(draft, node, s, asked);
        }
        join_all(draft, node);
    }
    bool refused = crm_arena_refused(draft->arena) || draft->builder.refused;
    return refused ? crm_fail_memory(error, "conditions of a plan", 0) : CAROM_OK;
}

static bool sees(const crm_draft *draft, int node, int body, int other) {
    if (draft->soft_ends || body < 0 || draft->slot[body] < 0) return false;
    const crm_asked *asked = crm_asked_at(draft, node, draft->slot[body]);
    if (asked == NULL || asked->relative_to != other || !asked->relative_position) return false;
    return asked->relative_attitude || !crm_has_directors(crm_draft_body(draft, body));
}

bool crm_seen_pose_is_given(const crm_draft *draft, int node, int a, int b) {
    return sees(draft, node, a, b) || sees(draft, node, b, a);
}

// ---- momenta that are asked

bool crm_balance_holds(const crm_draft *draft, int node, int slot, int part) {
    if (node > 0 && node < draft->intervals) return true;
    const crm_asked *asked = crm_asked_at(draft, node, slot);
    if (asked == NULL) return false;
    if (asked->velocity_unknown >= 0) return true;
    return part == 0 ? asked->velocity : asked->spin || asked->spin_unknown >= 0;
}

// sign m (v + w x arm)
static void add_momentum(crm_draft *draft, int body, double sign, const crm_form3 *v, const crm_form3 *w,
                         const crm_form3 *arm, const int32_t row[3]) {
    double mass = sign * crm_draft_body(draft, body)->mass / draft->units.mass;
    crm_add_vector(draft, row, mass, NULL, v);
    crm_add_cross(draft, row, mass, NULL, w, arm);
}

// sign (tr(E) w - sum E_I d_I (d_I . w)) = sign R J R^T w
void crm_add_angular_momentum(crm_draft *draft, int node, int body, double sign, const crm_form3 *w,
                              const int32_t row[3]) {
    double unit = draft->units.mass * draft->units.length * draft->units.length;
    carom_vec3 e = crm_scale(sign / unit, crm_director_inertia(crm_draft_body(draft, body)));
    crm_add_vector(draft, row, e.x + e.y + e.z, NULL, w);
    for (int i = 0; i < 3; i++) {
        crm_form3 d = crm_form_director(draft, node, body, i);
        for (int c = 0; c < 3; c++)
            for (int j = 0; j < 3; j++)
                crm_add_product(draft, row[c], -crm_component(e, i), 3,
                                (const crm_form *const[]){&d.c[c], &d.c[j], &w->c[j]});
    }
}

void crm_ends_add_momenta(crm_draft *draft, int node, int slot, double sign, const int32_t *row) {
    const crm_asked *asked = crm_asked_at(draft, node, slot);
    if (asked == NULL) return;
    int body = draft->body[slot];
    const crm_body *b = crm_draft_body(draft, body);
    crm_form3 v = crm_form3_vector(crm_scale(draft->units.time / draft->units.length, asked->v));
    crm_form3 w = crm_form3_vector(crm_scale(draft->units.time, asked->w));
    crm_form3 arm = crm_form_arm(draft, node, body, centre_of(b));
    if (asked->velocity_unknown >= 0) {
        crm_form3 here = crm_form_centre(draft, node, body), root = crm_form_centre(draft, node, asked->root);
        v = crm_form3_unknown(draft, asked->velocity_unknown);
        w = crm_form3_unknown(draft, asked->velocity_unknown + 3);
        arm = crm_form3_difference(here, &root);
    } else if (asked->spin_unknown >= 0) {
        w = crm_form3_unknown(draft, asked->spin_unknown);
    }
    add_momentum(draft, body, sign, &v, &w, &arm, row);
    if (crm_has_directors(b)) crm_add_angular_momentum(draft, node, body, sign, &w, row + 3);
}

static crm_form3 origin_of(const crm_draft *draft, int node, int body) {
    return crm_form_point(draft, node, body, crm_negate(centre_of(crm_draft_body(draft, body))));
}

bool crm_ends_twist(const crm_draft *draft, int node, int body, crm_asked_twist *out) {
    *out = (crm_asked_twist){.velocity = crm_form3_vector(crm_vec3_zero()), .spin = crm_form3_vector(crm_vec3_zero())};
    out->at = crm_form_centre(draft, node, body);
    if (body < 0 || draft->slot[body] < 0) return true;
    const crm_asked *asked = crm_asked_at(draft, node, draft->slot[body]);
    if (asked == NULL) return false;
    if (asked->velocity_unknown >= 0) {
        out->velocity = crm_form3_unknown(draft, asked->velocity_unknown);
        out->spin = crm_form3_unknown(draft, asked->velocity_unknown + 3);
        out->at = crm_form_centre(draft, node, asked->root);
        return true;
    }
    if (!knows_all(draft, body, asked)) return false;
    out->velocity = crm_form3_vector(crm_scale(draft->units.time / draft->units.length, asked->v));
    out->spin = crm_form3_vector(crm_scale(draft->units.time, asked->w));
    out->at = origin_of(draft, node, body);
    return true;
}

// ---- rows of poses

typedef struct place {
    crm_draft *draft;
    int node, slot, body;
    const crm_asked *asked;
} place;

static int32_t begin_row(const place *p, int kind, double lower, double upper) {
    return crm_draft_row(p->draft, lower, upper, crm_node_place(p->node),
                         (crm_row_name){kind, p->body, p->asked->relative_to, -1, p->node});
}

static void add_equations(const place *p, int kind, const crm_form3 *is_zero_vector) {
    for (int i = 0; i < 3; i++) {
        int terms = p->draft->builder.terms.count;
        crm_add_form(p->draft, begin_row(p, kind, 0.0, 0.0), 1.0, &is_zero_vector->c[i]);
        crm_draft_drop_constant_row(p->draft, terms);
    }
}

static void add_position(const place *p) {
    crm_form3 origin = origin_of(p->draft, p->node, p->body), wanted;
    if (p->asked->relative_position) {
        int other = p->asked->relative_to;
        carom_vec3 seen = crm_quat_rotate_inverse(crm_draft_body(p->draft, other)->frame, p->asked->seen);
        crm_form3 away = crm_form_arm(p->draft, p->node, other, seen);
        wanted = origin_of(p->draft, p->node, other);
        crm_form3_add(&wanted, 1.0, &away);
    } else {
        wanted = crm_form3_vector(crm_scale(1.0 / p->draft->units.length, p->asked->x));
    }
    crm_form3 difference = crm_form3_difference(origin, &wanted);
    add_equations(p, CRM_ROW_POSITION, &difference);
}

// Every director of the body is a direction of the other one.
static void add_relative_attitude(const place *p) {
    for (int i = 0; i < 3; i++) {
        carom_vec3 e = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
        carom_vec3 seen = crm_quat_rotate(p->asked->q, crm_quat_rotate(p->draft->axes[p->body], e));
        crm_form3 director = crm_form_director(p->draft, p->node, p->body, i);
        crm_form3 wanted = crm_form_axis(p->draft, p->node, p->asked->relative_to, seen);
        crm_form3 difference = crm_form3_difference(director, &wanted);
        add_equations(p, CRM_ROW_ATTITUDE, &difference);
    }
}

// An attitude that may be missed: every director is where it shall be.
static void add_attitude(const place *p) {
    carom_mat3 d = crm_quat_to_mat3(crm_quat_mul(p->asked->q, p->draft->axes[p->body]));
    const carom_vec3 columns[3] = {d.x, d.y, d.z};
    for (int i = 0; i < 3; i++) {
        crm_form3 director = crm_form_director(p->draft, p->node, p->body, i), wanted = crm_form3_vector(columns[i]);
        crm_form3 difference = crm_form3_difference(director, &wanted);
        add_equations(p, CRM_ROW_ATTITUDE, &difference);
    }
}

static void add_box(const place *p) {
    int other = p->asked->relative_to;
    if (is_bounds(p->draft, p->node, p->slot, p->asked)) return;
    crm_form3 origin = origin_of(p->draft, p->node, p->body);
    if (other >= 0) {
        crm_form3 from = origin_of(p->draft, p->node, other);
        origin = crm_form3_difference(origin, &from);
    }
    for (int i = 0; i < 3; i++) {
        double low = crm_component(p->asked->low, i), high = crm_component(p->asked->high, i);
        if (!isfinite(low) && !isfinite(high)) continue;
        carom_vec3 e = crm_vec3(i == 0 ? 1.0 : 0.0, i == 1 ? 1.0 : 0.0, i == 2 ? 1.0 : 0.0);
        crm_form3 axis = other < 0 ? crm_form3_vector(e)
                                   : crm_form_axis(p->draft, p->node, other,
                                                   crm_quat_rotate_inverse(crm_draft_body(p->draft, other)->frame, e));
        int terms = p->draft->builder.terms.count;
        int32_t row = begin_row(p, CRM_ROW_BOX, low / p->draft->units.length, high / p->draft->units.length);
        crm_add_dot(p->draft, row, 1.0, NULL, &axis, &origin);
        crm_draft_drop_constant_row(p->draft, terms);
    }
}

static void add_directions(const place *p) {
    for (int i = 0; i < p->asked->direction_count; i++) {
        crm_form3 axis = crm_form_axis(p->draft, p->node, p->body, p->asked->direction[i].axis);
        crm_form3 toward = crm_form3_vector(p->asked->direction[i].toward);
        int terms = p->draft->builder.terms.count;
        crm_add_dot(p->draft, begin_row(p, CRM_ROW_DIRECTION, p->asked->direction[i].least, INFINITY), 1.0, NULL, &axis,
                    &toward);
        crm_draft_drop_constant_row(p->draft, terms);
    }
}

// ---- rows of velocities

// A velocity beside the unknown one of all that move together: v + w x (origin - root) = given.
static void add_given_velocity(const place *p) {
    if (p->asked->velocity_unknown < 0 || !p->asked->velocity) return;
    crm_form3 v = crm_form3_unknown(p->draft, p->asked->velocity_unknown);
    crm_form3 w = crm_form3_unknown(p->draft, p->asked->velocity_unknown + 3);
    crm_form3 given = crm_form3_vector(crm_scale(p->draft->units.time / p->draft->units.length, p->asked->v));
    crm_form3 arm = origin_of(p->draft, p->node, p->body), root = crm_form_centre(p->draft, p->node, p->asked->root);
    arm = crm_form3_difference(arm, &root);
    int32_t row[3];
    for (int i = 0; i < 3; i++) row[i] = begin_row(p, CRM_ROW_VELOCITY, 0.0, 0.0);
    crm_add_vector(p->draft, row, 1.0, NULL, &v);
    crm_add_vector(p->draft, row, -1.0, NULL, &given);
    crm_add_cross(p->draft, row, 1.0, NULL, &w, &arm);
}

// A spin that may be missed.
static void add_given_spin(const place *p) {
    if (p->asked->velocity_unknown < 0 || !p->asked->spin || !p->draft->soft_ends) return;
    crm_form3 w = crm_form3_unknown(p->draft, p->asked->velocity_unknown + 3);
    crm_form3 given = crm_form3_vector(crm_scale(p->draft->units.time, p->asked->w));
    crm_form3 difference = crm_form3_difference(w, &given);
    add_equations(p, CRM_ROW_ANGULAR_VELOCITY, &difference);
}

// At an inner node the momenta are those of the interval before it with the second half of its impulses.
static void add_inner_velocity(const place *p, int32_t *balance) {
    bool joined = p->asked->velocity_unknown >= 0, rotates = crm_has_directors(crm_draft_body(p->draft, p->body));
    bool linear = joined || p->asked->velocity, angular = joined || p->asked->spin || p->asked->spin_unknown >= 0;
    if (!linear && !angular) return;
    for (int i = 0; i < 6 * p->draft->moving_count; i++) balance[i] = CRM_NO_ROW;
    int32_t *row = balance + 6 * p->slot;
    for (int i = 0; i < 6; i++) {
        if (p->draft->balance[6 * (p->node * p->draft->moving_count + p->slot) + i] == CRM_NO_ROW) continue;
        if (i < 3 ? linear : angular && rotates) row[i] = begin_row(p, CRM_ROW_TWIST, 0.0, 0.0);
    }
    int32_t first = p->draft->momentum[(p->node - 1) * p->draft->moving_count + p->slot];
    crm_form3 momentum = crm_form3_unknown(p->draft, first);
    crm_add_vector(p->draft, row, 1.0, NULL, &momentum);
    if (rotates) {
        crm_form3 spin = crm_form3_unknown(p->draft, first + 3);
        crm_add_vector(p->draft, row + 3, 1.0, NULL, &spin);
    }
    crm_add_interval_forces(p->draft, p->node - 1, 1, 1.0, balance);
    crm_ends_add_momenta(p->draft, p->node, p->slot, -1.0, row);
}

void crm_ends_add(crm_draft *draft) {
    int32_t *balance = CRM_ARENA_ARRAY(draft->arena, int32_t, 6 * draft->moving_count);
    if (balance == NULL) {
        draft->builder.refused = true;
        return;
    }
    for (int node = 0; node <= draft->intervals; node++) {
        for (int s = 0; s < draft->moving_count; s++) {
            place p = {draft, node, s, draft->body[s], crm_asked_at(draft, node, s)};
            if (p.asked == NULL) continue;
            if (p.asked->relative_position || (p.asked->position && !p.asked->fixed_position)) add_position(&p);
            if (p.asked->relative_attitude) add_relative_attitude(&p);
            if (p.asked->attitude && !p.asked->fixed_attitude) add_attitude(&p);
            if (p.asked->box) add_box(&p);
            add_directions(&p);
            add_given_velocity(&p);
            add_given_spin(&p);
            if (node > 0 && node < draft->intervals) add_inner_velocity(&p, balance);
        }
    }
}

// SPDX-License-Identifier: MIT
#include "scene/check/lint.h"

#include <math.h>

#include "carom/tools.h"
#include "math/eigen3.h"
#include "math/vec3.h"
#include "scene/flexible/flexible.h"
#include "scene/read/fields.h"

// From aerogel to a little above osmium, kg/m^3.
static const double least_density = 1.0, largest_density = 30000.0;
// A length of a scene under gravity beyond this (m) is more often one in millimetres.
static const double largest_length = 1000.0;
// And a mass below this (kg), with gravity, one in tonnes or a slip of units.
static const double least_mass = 1e-6;
// How far a body may rotate, or a spring go through its cycle, in a step (rad): second-order methods err by a percent
// of the angle at this size.
static const double largest_phase = 0.5;
// Moments of inertia that differ from those of the shape by more than this factor.
static const double moment_factor = 3.0;
// A largest principal moment this close to the sum of the other two means a body without thickness.
static const double flat_share = 1e-6;
// A quaternion whose length differs from 1 by more than this was perhaps mistyped.
static const double quaternion_share = 1e-3;

// On Earth, in metres: what makes lengths of a thousand doubtful.
static bool is_on_earth(const crm_scene_data *data) {
    double g = crm_length(data->model.gravity);
    return g > 9.0 && g < 10.5;
}

static double farthest(carom_vec3 v) {
    return crm_max_component(crm_vec3_abs(v));
}

// ---- the top, materials and shapes

// The default gravity of scenes is that of a laboratory, which a scene of orbits hardly means.
static void lint_gravity(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node gravity = crm_scene_member(root, "gravity");
    const char *other = data->model.reference_frame == CAROM_FRAME_HILL ? "Hill's frame" : NULL;
    for (int i = 0; i < data->force_count && other == NULL; i++)
        if (data->force[i].kind == CRM_SCENE_CENTRAL) other = "a central gravity";
    if (gravity.value == NULL && other != NULL)
        crm_scene_warn(
            root,
            "has %s, and the uniform gravity of 9.81 m/s^2 along -z by default; give \"gravity\": [0, 0, 0], or "
            "what is meant",
            other);
}

// Of those that the run gets to.
static double longest_step(const crm_scene_data *data) {
    return carom_method_longest_step(&data->method, data->until);
}

static void lint_top(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node gravity = crm_scene_member(root, "gravity"), until = crm_scene_member(root, "until"),
                  rate = crm_scene_member(root, "frame_rate"), bodies = crm_scene_member(root, "bodies");
    double g = crm_length(data->model.gravity);
    if (g > 1000.0) crm_scene_warn(&gravity, "is %g m/s^2; were mm/s^2 meant? lengths are in metres", g);
    lint_gravity(root, data);
    if (data->body_count + data->flex_count == 0)
        crm_scene_warn(bodies.value != NULL ? &bodies : root, "the scene has no bodies");
    if (!data->method_good) return;
    double first = carom_method_step_time(&data->method, 1), longest = longest_step(data);
    if (data->until < first)
        crm_scene_warn(&until, "is %g s, shorter than one step of %g s; nothing will move", data->until, first);
    if (data->frame_rate * longest > 1.0 + 1e-9)
        crm_scene_warn(&rate, "asks for %g frames a second, but a step of %g s gives %g", data->frame_rate, longest,
                       1.0 / longest);
    crm_json_node method = crm_scene_member(root, "method"), steps = crm_scene_member(&method, "steps");
    for (int i = 1; i < data->method.piece_count; i++) {
        if (data->method.piece[i - 1].until < data->until) continue;
        crm_json_node piece = crm_scene_item(&steps, i);
        crm_scene_warn(&piece, "begins at t = %g s, when the run is over", data->method.piece[i - 1].until);
        break;
    }
}

// A floor or a container is there for contacts: without them bodies fall through.
static void lint_contact(const crm_json_node *root, const crm_scene_data *data, const carom_model *model) {
    if (!data->method_good || carom_method_has_contact(data->method.method) || model == NULL) return;
    crm_json_node method = crm_scene_member(root, "method");
    for (int i = 0; i < data->body_count; i++) {
        const crm_scene_body *body = &data->body[i];
        if (!body->good || body->shape < 0 || data->shape[body->shape].has_mass) continue;
        for (int other = 0; other < carom_model_body_count(model); other++) {
            if (!carom_model_bodies_meet(model, (carom_body){body->first}, (carom_body){other})) continue;
            crm_scene_warn(method.value != NULL ? &method : root,
                           "the method %s knows no contacts: bodies will pass through \"%s\" and each other",
                           carom_method_name(data->method.method), body->def.name);
            return;
        }
    }
}

// Friction and restitution that somebody wrote down, under a method that looks at neither.
static void lint_materials(const crm_json_node *root, const crm_scene_data *data) {
    carom_method method = data->method.method;
    if (!data->method_good || !carom_method_has_contact(method) || carom_method_has_materials(method)) return;
    crm_json_node materials = crm_scene_member(root, "materials");
    for (int i = 0; i < data->material_count; i++) {
        const carom_material_def *def = &data->material[i].def;
        if (!data->material[i].used || (def->friction == 0.0 && def->restitution == 1.0)) continue;
        crm_json_node node = crm_scene_member(&materials, def->name);
        crm_scene_warn(&node,
                       "contacts of the method %s are elastic and without friction, whatever materials say; lcp, "
                       "impulse, penalty and dcr look at them",
                       carom_method_name(method));
        return;
    }
}

// Of those that move; -1: none does.
static int lightest_body(const carom_model *model) {
    int lightest = -1;
    double least = INFINITY;
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_def def;
        if (carom_model_get_body(model, (carom_body){b}, &def, NULL) != CAROM_OK) continue;
        if (def.kind == CAROM_BODY_FIXED || !(def.mass < least)) continue;
        least = def.mass, lightest = b;
    }
    return lightest;
}

// Of all that move, N: no contact of the scene bears more.
static double weight_of_all(const carom_model *model) {
    carom_vec3 g = carom_model_gravity(model);
    double mass = 0.0;
    for (int b = 0; b < carom_model_body_count(model); b++) {
        carom_body_def def;
        if (carom_model_get_body(model, (carom_body){b}, &def, NULL) != CAROM_OK) continue;
        if (def.kind != CAROM_BODY_FIXED) mass += def.mass;
    }
    return mass * sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
}

// The worst among the pairs of the lightest body: the shortest stable step, and the penetration most above what is
// allowed.
static carom_penalty_pair lightest_pair(const crm_scene_data *data, const carom_model *model) {
    carom_penalty_pair worst = {.largest_step = INFINITY, .penetration = 1.0};
    int lightest = lightest_body(model);
    double weight = weight_of_all(model);
    for (int other = 0; other < carom_model_body_count(model) && lightest >= 0; other++) {
        carom_body a = {lightest}, b = {other};
        carom_penalty_pair pair;
        if (!carom_model_bodies_meet(model, a, b)) continue;
        if (carom_penalty_propose(model, &data->method, a, b, &pair, NULL) != CAROM_OK) continue;
        worst.largest_step = fmin(worst.largest_step, pair.largest_step);
        pair.rest_penetration = fmin(pair.rest_penetration, weight / pair.stiffness);
        if (pair.rest_penetration / pair.penetration <= worst.rest_penetration / worst.penetration) continue;
        worst.rest_penetration = pair.rest_penetration, worst.penetration = pair.penetration;
    }
    return worst;
}

// Springs that are too stiff for the step throw off what touches, and those that are stable may be too soft: said
// before the run, of the lightest body.
static void lint_penalty(const crm_json_node *root, const crm_scene_data *data, const carom_model *model) {
    if (!data->method_good || data->method.method != CAROM_METHOD_PENALTY || model == NULL) return;
    const carom_penalty_def *penalty = &data->method.penalty;
    crm_json_node method = crm_scene_member(root, "method"), node = crm_scene_member(&method, "penalty");
    double step = longest_step(data);
    carom_penalty_pair pair = lightest_pair(data, model);
    if (pair.largest_step < step)
        crm_scene_warn(
            &node,
            "this stiffness and damping are unstable with a step of %g s: the largest stable step is %.3g s, "
            "for some contacts less",
            step, pair.largest_step);
    // The largest stable stiffness goes with the inverse square of the step.
    if (penalty->stiffness == 0.0 && pair.rest_penetration > pair.penetration)
        crm_scene_warn(
            node.value != NULL ? &node : &method,
            "no springs that are stable with a step of %g s keep contacts under the weight of all bodies within "
            "%.3g m; with a step of %.3g s some do",
            step, pair.penetration, step * sqrt(pair.penetration / pair.rest_penetration));
}

static void lint_shapes(const crm_json_node *root, const crm_scene_data *data) {
    if (!is_on_earth(data)) return;
    crm_json_node shapes = crm_scene_member(root, "shapes");
    for (int i = 0; i < data->shape_count; i++) {
        const crm_scene_shape *shape = &data->shape[i];
        crm_json_node node = crm_scene_member(&shapes, shape->name);
        if (shape->good && shape->extent > largest_length)
            crm_scene_warn(&node, "is %g m large; were millimetres meant? lengths are in metres", shape->extent);
    }
}

// ---- bodies

static void lint_inertia(const crm_json_node *body_node, const crm_scene_data *data, const crm_scene_body *body) {
    if (!body->inertia_given || body->def.kind == CAROM_BODY_FIXED) return;
    crm_json_node node = crm_scene_member(body_node, "inertia");
    carom_vec3 moments, expected;
    carom_mat3 axes;
    crm_eigen3(body->def.inertia, &moments, &axes);
    if (moments.z > (1.0 - flat_share) * (moments.x + moments.y))
        crm_scene_warn(&node, "the principal moments are %g, %g, %g kg m^2, which only a body without thickness has",
                       moments.x, moments.y, moments.z);
    const crm_scene_shape *shape = body->shape >= 0 ? &data->shape[body->shape] : NULL;
    if (shape == NULL || !shape->has_mass) return;
    crm_eigen3(shape->unit.inertia, &expected, &axes);
    expected = crm_scale(body->def.mass / shape->unit.mass, expected);
    for (int i = 0; i < 3; i++) {
        double ratio = crm_component(moments, i) / crm_component(expected, i);
        if (ratio <= moment_factor && ratio >= 1.0 / moment_factor) continue;
        crm_scene_warn(&node, "the principal moments are %g, %g, %g kg m^2, but its shape of that mass has %g, %g, %g",
                       moments.x, moments.y, moments.z, expected.x, expected.y, expected.z);
        return;
    }
}

static void lint_mass(const crm_json_node *node, const crm_scene_data *data, const crm_scene_body *body) {
    if (body->def.kind == CAROM_BODY_FIXED) return;
    crm_json_node mass = crm_scene_member(node, "mass"), density = crm_scene_member(node, "density");
    const crm_json_node *given = mass.value != NULL ? &mass : density.value != NULL ? &density : node;
    if (!body->mass_given) crm_scene_warn(node, "has no \"mass\"; 1 kg is taken");
    const crm_scene_shape *shape = body->shape >= 0 ? &data->shape[body->shape] : NULL;
    bool extended = body->def.kind != CAROM_BODY_POINT;
    if (extended && !body->inertia_given && (shape == NULL || !shape->has_mass))
        crm_scene_warn(node, "has neither \"inertia\" nor a shape to take it from; 1, 1, 1 kg m^2 is taken");
    if (is_on_earth(data) && body->def.mass < least_mass)
        crm_scene_warn(given, "its mass is %g kg; masses are in kilograms", body->def.mass);
    if (shape != NULL && shape->has_mass && extended) {
        double ratio = body->def.mass / shape->unit.volume;
        if (ratio < least_density || ratio > largest_density)
            crm_scene_warn(given, "its density is %g kg/m^3; solids and liquids have %g to %g", ratio, least_density,
                           largest_density);
    }
}

static bool step_must_be_small(const crm_scene_data *data) {
    return data->method_good && !carom_method_is_adaptive(&data->method);
}

static void lint_motion(const crm_json_node *node, const crm_scene_data *data, const crm_scene_body *body) {
    crm_json_node spin = crm_scene_member(node, "spin"), position = crm_scene_member(node, "position"),
                  attitude = crm_scene_member(node, "attitude");
    double rate = crm_length(body->def.spin) + body->repeat.spin, step = longest_step(data);
    if (step_must_be_small(data) && rate * step > largest_phase)
        crm_scene_warn(spin.value != NULL ? &spin : node,
                       "rotates by %.3g rad in a step of %g s; for good accuracy make the step %.1g s", rate * step,
                       step, 0.1 / rate);
    if (is_on_earth(data) && farthest(body->def.position) > largest_length)
        crm_scene_warn(&position, "is %g m away; were millimetres meant? lengths are in metres",
                       farthest(body->def.position));
    carom_quat q = body->def.attitude;
    double length = sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    if (json_is_array(attitude.value) && fabs(length - 1.0) > quaternion_share)
        crm_scene_warn(&attitude, "has length %g and is normalised; was a unit quaternion meant?", length);
}

static void lint_bodies(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node bodies = crm_scene_member(root, "bodies");
    for (int i = 0; i < data->body_count; i++) {
        if (!data->body[i].good) continue;
        crm_json_node node = crm_scene_item(&bodies, i);
        lint_mass(&node, data, &data->body[i]);
        lint_inertia(&node, data, &data->body[i]);
        lint_motion(&node, data, &data->body[i]);
    }
}

// ---- forces

static double inverse_mass(const crm_scene_data *data, crm_scene_target target) {
    if (target.body < 0 || data->body[target.body].def.kind == CAROM_BODY_FIXED)
        return 0.0; // nodes have stiffer springs
    return 1.0 / data->body[target.body].def.mass;
}

// Whether a spring does not swing: at twice its frequency, times the mass, or more.
static bool is_damped(const crm_scene_data *data, const crm_scene_force *force, double rate) {
    return force->def.spring.damping * (inverse_mass(data, force->a) + inverse_mass(data, force->b)) >= 2.0 * rate;
}

// Of methods that take springs implicitly, and of steps that are short enough for others: stable, but not accurate.
static void lint_forces(const crm_json_node *root, const crm_scene_data *data) {
    crm_json_node forces = crm_scene_member(root, "forces");
    if (!step_must_be_small(data)) return;
    for (int i = 0; i < data->force_count; i++) {
        const crm_scene_force *force = &data->force[i];
        if (!force->good || force->kind != CRM_SCENE_SPRING) continue;
        double rate = sqrt(force->def.spring.stiffness * (inverse_mass(data, force->a) + inverse_mass(data, force->b)));
        crm_json_node node = crm_scene_item(&forces, i), stiffness = crm_scene_member(&node, "stiffness");
        if (!(rate * longest_step(data) > largest_phase) || is_damped(data, force, rate)) continue;
        crm_scene_warn(&stiffness,
                       "swings with %.3g rad/s, too fast for a step of %g s; for good accuracy make the step %.1g s",
                       rate, longest_step(data), 0.1 / rate);
    }
}

void crm_scene_lint(const crm_json_node *root, const crm_scene_data *data, const carom_model *model) {
    lint_top(root, data);
    lint_contact(root, data, model);
    lint_materials(root, data);
    lint_penalty(root, data, model);
    crm_scene_lint_unused(root, data);
    lint_shapes(root, data);
    lint_bodies(root, data);
    crm_scene_lint_flexible(root, data);
    crm_scene_lint_joints(root, data);
    if (!crm_scene_lint_start(root, data, model)) lint_forces(root, data);
}

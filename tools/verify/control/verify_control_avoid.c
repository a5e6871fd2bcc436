// SPDX-License-Identifier: MIT
// Past a fixed ball at the nodes, and round the edge of a fixed box between them, too. Bodies do not rotate: nothing
// drives that.
#include <math.h>
#include <string.h>

#include "carom/distance.h"
#include "carom/shape.h"
#include "math/mat3.h"
#include "math/quat.h"
#include "verify/control/verify_control.h"

// There are other ways, over the box and with the edge beside another chord; the file has the best one.
enum { corner_starts = 3 };

typedef struct avoid_case {
    crm_control_case c;
    bool corner;
    carom_body body;
    carom_vec3 from, to, centre; // of the way; of the obstacle
    int intervals;
} avoid_case;

// ---- the two bodies

static carom_model_shape add_shape(avoid_case *a, const carom_shape_def *def) {
    carom_model_shape shape = {-1};
    carom_error error;
    if (a->c.reference->status == CAROM_OK && carom_model_add_shape(a->c.model, NULL, def, &shape, &error) != CAROM_OK)
        crm_reference_refuse(a->c.reference, &error);
    return shape;
}

static void add_obstacle(avoid_case *a) {
    crm_reference *r = a->c.reference;
    const json_t *input = a->c.what->input;
    carom_body_def def = carom_body_def_default();
    carom_shape_def shape = carom_shape_def_default(a->corner ? CAROM_SHAPE_BOX : CAROM_SHAPE_SPHERE);
    carom_body obstacle;
    if (a->corner) {
        shape.box.size = crm_reference_vec3(r, input, "input", "box_size");
    } else {
        shape.sphere.radius = crm_reference_positive(r, input, "input", "obstacle_radius");
    }
    def.kind = CAROM_BODY_FIXED;
    def.position = a->centre = crm_reference_vec3(r, input, "input", a->corner ? "box_centre" : "obstacle_centre");
    def.shape = add_shape(a, &shape);
    (void)crm_control_add_body(&a->c, &def, &obstacle);
}

static void add_mover(avoid_case *a) {
    crm_reference *r = a->c.reference;
    const json_t *input = a->c.what->input;
    carom_body_def def = carom_body_def_default();
    carom_shape_def shape = carom_shape_def_default(a->corner ? CAROM_SHAPE_BOX : CAROM_SHAPE_SPHERE);
    if (a->corner) {
        double side = crm_reference_positive(r, input, "input", "side");
        shape.box.size = crm_vec3(side, side, side);
    } else {
        shape.sphere.radius = crm_reference_positive(r, input, "input", "radius");
    }
    def.mass = crm_reference_positive(r, input, "input", "mass");
    def.position = a->from;
    def.shape = add_shape(a, &shape);
    (void)crm_control_add_body(&a->c, &def, &a->body);
}

// ---- the guess: the straight line, and a bulge to a side

static carom_vec3 side_of(avoid_case *a) {
    const json_t *input = a->c.what->input;
    carom_vec3 unit, along;
    if (!a->corner) {
        (void)crm_normalise(crm_reference_vec3(a->c.reference, input, "input", "guess_side"), &unit);
        return unit;
    }
    // Away from the middle of the box, across the way.
    (void)crm_normalise(crm_sub(a->to, a->from), &along);
    carom_vec3 out = crm_sub(crm_scale(0.5, crm_add(a->from, a->to)), a->centre);
    (void)crm_normalise(crm_madd(out, -crm_dot(out, along), along), &unit);
    return unit;
}

static carom_vec3 place_of(const avoid_case *a, carom_vec3 side, double height, int node) {
    double t = (double)node / a->intervals;
    return crm_madd(crm_madd(a->from, t, crm_sub(a->to, a->from)), height * sin(3.14159265358979323846 * t), side);
}

// Of a corner the file has no guess: one that is clear of the box on the edge's side.
static double height_of(const avoid_case *a, carom_vec3 side) {
    const carom_shape *box = carom_model_get_shape(a->c.model, (carom_model_shape){0});
    const carom_shape *cube = carom_model_get_shape(a->c.model, (carom_model_shape){1});
    double height = 0.6;
    for (int round = 0; a->corner && round < 20; round++, height *= 1.2) {
        double least = INFINITY;
        for (int k = 1; k < a->intervals; k++) {
            carom_view fixed = carom_view_of(box, (carom_pose){a->centre, crm_quat_identity()});
            carom_view moved = carom_view_of(cube, (carom_pose){place_of(a, side, height, k), crm_quat_identity()});
            carom_gap_witness witness;
            if (carom_gap_find(&fixed, &moved, NULL, NULL, &witness, NULL) == CAROM_OK)
                least = fmin(least, witness.gap);
        }
        if (least > 0.0) break;
    }
    return height;
}

static const carom_pose *guess_of(avoid_case *a) {
    carom_pose *pose = CRM_ARENA_ZEROED(&a->c.arena, carom_pose, 2 * ((ptrdiff_t)a->intervals + 1));
    if (pose == NULL) crm_reference_refuse_memory(a->c.reference, "poses", sizeof *pose * (size_t)a->intervals);
    carom_vec3 side = side_of(a);
    double height = a->c.reference->status == CAROM_OK ? height_of(a, side) : 0.0;
    for (int k = 0; k <= a->intervals && pose != NULL; k++) {
        pose[2 * k].attitude = pose[2 * k + 1].attitude = crm_quat_identity();
        pose[2 * k + 1].position = place_of(a, side, height, k);
    }
    return pose;
}

// ---- comparing

static void compare_touching(avoid_case *a, const double *positions) {
    const json_t *input = a->c.what->input;
    const json_t *list = crm_reference_optional(a->c.reference, a->c.what->expected, "touching_nodes");
    if (list == NULL || a->corner) return;
    double apart = crm_reference_positive(a->c.reference, input, "input", "radius") +
                   crm_reference_positive(a->c.reference, input, "input", "obstacle_radius") +
                   crm_reference_number(a->c.reference, input, "input", "margin");
    int wrong = 0;
    size_t next = 0;
    for (int k = 0; k <= a->intervals; k++) {
        carom_vec3 x = crm_vec3(positions[3 * k], positions[3 * k + 1], positions[3 * k + 2]);
        bool touches = crm_distance(x, a->centre) < apart * (1.0 + 1e-6);
        bool wanted = next < json_array_size(list) && json_integer_value(json_array_get(list, next)) == k;
        next += wanted;
        wrong += touches != wanted;
    }
    crm_check_error(a->c.verdict, wrong, 0.0, "touching_nodes");
}

static void compare(avoid_case *a) {
    crm_control_case *c = &a->c;
    const double *positions = crm_control_positions(c, a->body), *forces = crm_control_numbers(c, 0);
    if (positions == NULL || forces == NULL) return;
    crm_control_compare_number(c, "cost", a->corner ? 1e-6 : crm_control_tolerance(c, "cost"), c->certificate.effort);
    crm_control_compare(c, "positions", crm_control_tolerance(c, "positions"), 3 * (a->intervals + 1), positions,
                        crm_control_expected_vectors(c, "positions", a->intervals + 1));
    crm_control_compare(c, "forces", crm_control_tolerance(c, "forces"), 3 * a->intervals, forces,
                        crm_control_expected_vectors(c, "forces", a->intervals));
    compare_touching(a, positions);
    // Without the obstacle: less, as the plan's own cost shows.
    const json_t *free_cost = crm_reference_optional(c->reference, c->what->expected, "free_cost");
    if (free_cost != NULL)
        crm_check_error(c->verdict, fmax(0.0, json_number_value(free_cost) - c->certificate.effort), 0.0, "free_cost");
    double gap = a->corner ? c->certificate.gap_between : c->certificate.gap_at_nodes;
    crm_check_error(c->verdict, fmax(0.0, c->certificate.margin - gap), 1e-8, "gap");
}

void crm_verify_control_avoid(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    avoid_case a = {.c = crm_control_begin(reference, what, verdict)};
    const json_t *input = what->input;
    const char *kind = crm_reference_text(reference, input, "input", "kind");
    carom_plan_def plan = carom_plan_def_default();
    carom_control_def control = carom_control_def_default();
    carom_plan_condition end = carom_plan_condition_default();
    a.corner = kind != NULL && strcmp(kind, "corner") == 0;
    a.from = crm_reference_vec3(reference, input, "input", "position_start");
    a.to = crm_reference_vec3(reference, input, "input", "position_end");
    a.intervals = plan.intervals = (int)crm_reference_number(reference, input, "input", "intervals");
    plan.time = crm_reference_positive(reference, input, "input", "time");
    plan.avoid.on = true;
    plan.avoid.between_nodes = crm_reference_bool(reference, input, "input", "between_nodes");
    if (crm_reference_has(input, "margin"))
        plan.avoid.margin = crm_reference_number(reference, input, "input", "margin");
    if (crm_control_make_model(&a.c, crm_vec3_zero())) {
        add_obstacle(&a);
        add_mover(&a);
        control.body = end.body = a.body;
        control.torque = false;
        end.has_position = end.has_velocity = true;
        end.position = a.to;
        plan.control = &control, plan.control_count = 1;
        plan.condition = &end, plan.condition_count = 1;
        if (a.corner) plan.starts = corner_starts;
        plan.guess = CAROM_GUESS_MOTION, plan.motion_count = a.intervals + 1;
        plan.motion = guess_of(&a);
        if (crm_control_solve(&a.c, &plan)) compare(&a);
    }
    crm_control_end(&a.c);
}

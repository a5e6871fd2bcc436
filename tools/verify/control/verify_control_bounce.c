// SPDX-License-Identifier: MIT
// Planned contacts: a mass that bounces off a plane, and one that hits another, each once. Masses are balls, which
// touch where points would.
#include <math.h>
#include <string.h>

#include "carom/shape.h"
#include "verify/control/verify_control.h"

// Of the balls, m. Planes and distances are as much farther away.
static const double radius = 0.1;

typedef struct bounce_case {
    crm_control_case c;
    carom_body body[2]; // the one that is driven; the plane's or the other mass
    int intervals[2];
    double mass, time;
    carom_plan_condition end[2];
    int end_count;
} bounce_case;

static carom_model_shape add_shape(bounce_case *b, const carom_shape_def *def) {
    carom_model_shape shape = {-1};
    carom_error error;
    if (b->c.reference->status == CAROM_OK && carom_model_add_shape(b->c.model, NULL, def, &shape, &error) != CAROM_OK)
        crm_reference_refuse(b->c.reference, &error);
    return shape;
}

static carom_body_def ball(bounce_case *b) {
    carom_body_def def = carom_body_def_default();
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    shape.sphere.radius = radius;
    def.mass = b->mass;
    def.shape = add_shape(b, &shape);
    return def;
}

static carom_plan_condition *ask(bounce_case *b, carom_body body) {
    carom_plan_condition *c = &b->end[b->end_count++];
    *c = carom_plan_condition_default();
    c->body = body;
    c->has_position = true;
    return c;
}

static void build_bounce(bounce_case *b) {
    crm_reference *r = b->c.reference;
    const json_t *input = b->c.what->input;
    const json_t *plane = crm_reference_object(r, input, "input", "plane");
    carom_body_def def = ball(b), wall = carom_body_def_default();
    carom_shape_def shape = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    def.position = crm_reference_vec3(r, input, "input", "position_start");
    def.velocity = crm_reference_vec3(r, input, "input", "velocity_start");
    shape.half_space.normal = crm_reference_vec3(r, plane, "input.plane", "normal");
    shape.half_space.offset = crm_reference_number(r, plane, "input.plane", "offset") - radius;
    wall.kind = CAROM_BODY_FIXED;
    wall.shape = add_shape(b, &shape);
    (void)crm_control_add_body(&b->c, &def, &b->body[0]);
    (void)crm_control_add_body(&b->c, &wall, &b->body[1]);
    carom_plan_condition *end = ask(b, b->body[0]);
    end->has_velocity = true;
    end->position = crm_reference_vec3(r, input, "input", "position_end");
    end->velocity = crm_reference_vec3(r, input, "input", "velocity_end");
}

static void build_push(bounce_case *b) {
    crm_reference *r = b->c.reference;
    const json_t *input = b->c.what->input;
    double distance = crm_reference_positive(r, input, "input", "distance") + 2.0 * radius;
    carom_body_def def = ball(b);
    (void)crm_control_add_body(&b->c, &def, &b->body[0]);
    def.position = crm_vec3(distance, 0.0, 0.0);
    (void)crm_control_add_body(&b->c, &def, &b->body[1]);
    ask(b, b->body[0])->has_velocity = true;
    ask(b, b->body[1])->position = crm_vec3(distance + crm_reference_positive(r, input, "input", "goal"), 0.0, 0.0);
}

static void compare(bounce_case *b) {
    crm_control_case *c = &b->c;
    carom_pose pose = {.attitude = {1.0, 0.0, 0.0, 0.0}};
    carom_wrench momentum = {.body = b->body[0]};
    int node = b->intervals[0], all = b->intervals[0] + b->intervals[1];
    (void)carom_plan_get_node(c->plan, node, b->body[0], &pose, &momentum, NULL);
    carom_vec3 velocity = crm_scale(1.0 / b->mass, momentum.force);
    crm_control_compare_number(c, "cost", crm_control_tolerance(c, "cost"), c->certificate.effort);
    crm_control_compare_number(c, "contact_time", crm_control_tolerance(c, "contact_time"),
                               carom_plan_time(c->plan, node));
    const double at[3] = {pose.position.x, pose.position.y, pose.position.z};
    const double before[3] = {velocity.x, velocity.y, velocity.z};
    crm_control_compare(c, "contact_point", crm_control_tolerance(c, "contact_point"), 3, at,
                        crm_control_expected(c, "contact_point", 3));
    crm_control_compare(c, "velocity_before", crm_control_tolerance(c, "velocity_before"), 3, before,
                        crm_control_expected(c, "velocity_before", 3));
    if (crm_reference_has(c->what->expected, "speed_before"))
        crm_control_compare_number(c, "speed_before", crm_control_tolerance(c, "velocity_before"),
                                   crm_length(velocity));
    crm_control_compare(c, "forces", crm_control_tolerance(c, "forces"), 3 * all, crm_control_numbers(c, 0),
                        crm_control_expected_vectors(c, "forces", all));
    // Of the limit of small steps: read, as they tell nothing about this number of intervals.
    (void)crm_reference_optional(c->reference, c->what->expected, "continuous_cost");
    (void)crm_reference_optional(c->reference, c->what->expected, "continuous_contact_time");
    (void)crm_reference_optional(c->reference, c->what->expected, "continuous_speed_before");
}

static int read_intervals(bounce_case *b, int index) {
    const json_t *list = crm_reference_array(b->c.reference, b->c.what->input, "input", "intervals");
    const json_t *number = json_array_get(list, (size_t)index);
    if (!json_is_integer(number) || json_integer_value(number) < 1 || json_integer_value(number) > 1000)
        crm_reference_fail(b->c.reference, "input.intervals[%d] must be 1 to 1000", index);
    return (int)json_integer_value(number);
}

void crm_verify_control_bounce(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    bounce_case b = {.c = crm_control_begin(reference, what, verdict)};
    const json_t *input = what->input;
    const char *kind = crm_reference_text(reference, input, "input", "kind");
    bool bounces = kind != NULL && strcmp(kind, "bounce") == 0;
    carom_plan_def plan = carom_plan_def_default();
    carom_control_def control = carom_control_def_default();
    carom_plan_contact contact = carom_plan_contact_default();
    b.mass = crm_reference_positive(reference, input, "input", "mass");
    b.intervals[0] = read_intervals(&b, 0), b.intervals[1] = read_intervals(&b, 1);
    plan.time = crm_reference_positive(reference, input, "input", "time");
    plan.intervals = b.intervals[0] + b.intervals[1];
    carom_vec3 gravity = crm_reference_has(input, "gravity") ? crm_reference_vec3(reference, input, "input", "gravity")
                                                             : crm_vec3_zero();
    if (crm_control_make_model(&b.c, gravity)) {
        if (bounces) {
            build_bounce(&b);
        } else {
            build_push(&b);
        }
        control.body = b.body[0];
        control.torque = false;
        contact.node = b.intervals[0];
        contact.a = b.body[0], contact.b = b.body[1];
        contact.restitution = crm_reference_number(reference, input, "input", "restitution");
        plan.control = &control, plan.control_count = 1;
        plan.contact = &contact, plan.contact_count = 1;
        plan.condition = b.end, plan.condition_count = b.end_count;
        plan.tolerance = 1e-10;
        if (crm_control_solve(&b.c, &plan)) compare(&b);
    }
    crm_control_end(&b.c);
}

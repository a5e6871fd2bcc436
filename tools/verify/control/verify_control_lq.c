// SPDX-License-Identifier: MIT
// Least-effort transfers of a point mass: rest to rest, with velocities, gravity, way points, limits, and free time.
#include <math.h>
#include <string.h>

#include "verify/control/verify_control.h"

// Of programs: the optimum is told to ten digits and more.
static const double solved_to = 1e-11;

enum { MOST_CONDITIONS = 64 };

static void give(const json_t *input, crm_reference *r, const char *position, const char *velocity,
                 carom_plan_condition *c) {
    if (crm_reference_has(input, position)) {
        c->has_position = true;
        c->position = crm_reference_vec3(r, input, "input", position);
    }
    if (crm_reference_has(input, velocity)) {
        c->has_velocity = true;
        c->velocity = crm_reference_vec3(r, input, "input", velocity);
    }
}

static int read_waypoints(crm_control_case *c, carom_body body, carom_plan_condition *out) {
    const json_t *list = json_object_get(c->what->input, "waypoints"); // often empty
    int count = 0;
    for (size_t i = 0; i < json_array_size(list) && count + 2 < MOST_CONDITIONS; i++) {
        const json_t *w = json_array_get(list, i);
        out[count] = carom_plan_condition_default();
        out[count].body = body;
        out[count].node = (int)crm_reference_number(c->reference, w, "input.waypoints[]", "node");
        out[count].has_position = true;
        out[count++].position = crm_reference_vec3(c->reference, w, "input.waypoints[]", "position");
    }
    return count;
}

static void compare_limits(crm_control_case *c, const double *force, int count, double limit) {
    int reached = 0;
    for (int i = 0; i < count && force != NULL; i++) reached += fabs(force[i]) >= limit * (1.0 - 1e-6);
    double wanted = crm_reference_number(c->reference, c->what->expected, "expected", "limits_reached");
    crm_check_error(c->verdict, fabs(reached - wanted), 0.0, "limits_reached");
}

static void compare(crm_control_case *c, carom_body body, const char *kind, double limit, double weight) {
    bool limits = strcmp(kind, "limits") == 0;
    double cost = limits ? 1e-6 : crm_control_tolerance(c, "cost");
    int intervals = carom_plan_intervals(c->plan);
    double time = carom_plan_time(c->plan, intervals), effort = c->certificate.effort;
    if (crm_reference_has(c->what->expected, "time")) {
        crm_control_compare_number(c, "time", cost, time);
        crm_control_compare_number(c, "effort", cost, effort);
    }
    crm_control_compare_number(c, "cost", cost, effort + weight * time);
    const double *forces = crm_control_numbers(c, 0), *positions = crm_control_positions(c, body);
    double of_forces = limits ? 1e-6 : crm_control_tolerance(c, "forces");
    double of_positions = limits ? 1e-6 : crm_control_tolerance(c, "positions");
    crm_control_compare(c, "forces", of_forces, 3 * intervals, forces,
                        crm_control_expected_vectors(c, "forces", intervals));
    crm_control_compare(c, "positions", of_positions, 3 * (intervals + 1), positions,
                        crm_control_expected_vectors(c, "positions", intervals + 1));
    if (crm_reference_has(c->what->expected, "limits_reached")) compare_limits(c, forces, 3 * intervals, limit);
}

void crm_verify_control_lq(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    crm_control_case c = crm_control_begin(reference, what, verdict);
    const json_t *input = what->input;
    const char *kind = crm_reference_text(reference, input, "input", "kind");
    carom_body_def def = carom_body_def_default();
    carom_plan_condition condition[MOST_CONDITIONS];
    carom_control_def control = carom_control_def_default();
    carom_plan_def plan = carom_plan_def_default();
    carom_body body = {0};
    def.kind = CAROM_BODY_POINT;
    def.mass = crm_reference_positive(reference, input, "input", "mass");
    def.position = crm_reference_vec3(reference, input, "input", "position_start");
    def.velocity = crm_reference_vec3(reference, input, "input", "velocity_start");
    plan.intervals = (int)crm_reference_number(reference, input, "input", "intervals");
    plan.tolerance = solved_to;
    plan.time_free = !crm_reference_has(input, "time");
    if (plan.time_free) {
        plan.time = 1.0, plan.time_least = 1e-2, plan.time_most = 1e2; // s: the file has no guess
        plan.time_weight = crm_reference_positive(reference, input, "input", "time_weight");
    } else {
        plan.time = crm_reference_positive(reference, input, "input", "time");
    }
    if (crm_reference_has(input, "force_limit"))
        control.force_limit = crm_reference_positive(reference, input, "input", "force_limit");
    if (crm_control_make_model(&c, crm_reference_vec3(reference, input, "input", "gravity")) &&
        crm_control_add_body(&c, &def, &body)) {
        int count = read_waypoints(&c, body, condition);
        condition[count] = carom_plan_condition_default();
        condition[count].body = control.body = body;
        give(input, reference, "position_end", "velocity_end", &condition[count]);
        plan.condition = condition, plan.condition_count = count + 1;
        plan.control = &control, plan.control_count = 1;
        if (crm_control_solve(&c, &plan)) compare(&c, body, kind, control.force_limit, plan.time_weight);
    }
    crm_control_end(&c);
}

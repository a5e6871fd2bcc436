// SPDX-License-Identifier: MIT
// The plan that a recording is of, or whose controls it has: docs/report.md.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "record/file/format.h"
#include "record/report/run_report.h"

// Beyond this many planes a page takes too long to load.
enum { MOST_PLANES = 20000, PLANE_NUMBERS = 5, PLANE_REALS = 4, POSE_REALS = 7, NEAREST_NUMBERS = 2 };

// ---- the header

static json_t *describe_control(crm_tree *tree, const carom_plan_control *control) {
    json_t *about = json_object(), *names = json_array();
    for (int i = 0; i < control->size; i++)
        crm_tree_append(tree, names, json_string(carom_plan_number_name(control, i)));
    bool own = control->in_body_axes || control->kind == CAROM_CONTROL_THRUSTER;
    crm_tree_set(tree, about, "kind", json_string(carom_control_kind_name(control->kind)));
    crm_tree_set(tree, about, "body", json_integer(control->body.index));
    crm_tree_set(tree, about, "joint", json_integer(control->joint));
    crm_tree_set(tree, about, "axes", json_string(own ? "body" : "world"));
    crm_tree_set(tree, about, "first", json_integer(control->first));
    crm_tree_set(tree, about, "forces", json_integer(control->force_count));
    crm_tree_set(tree, about, "names", names);
    crm_tree_set(tree, about, "force_limit", crm_tree_number(control->force_limit));
    crm_tree_set(tree, about, "torque_limit", crm_tree_number(control->torque_limit));
    return about;
}

static json_t *describe_line(crm_tree *tree, const carom_plan_line *line, const carom_plan_certificate *certificate) {
    json_t *about = json_object();
    bool told = isinf(line->bound) || isinf(carom_plan_line_value(line, certificate));
    bool keeps = carom_plan_line_keeps(line, certificate);
    crm_tree_set(tree, about, "name", json_string(line->name));
    crm_tree_set(tree, about, "label", json_string(line->label));
    crm_tree_set(tree, about, "unit", json_string(line->unit));
    crm_tree_set(tree, about, "text", json_string(line->text));
    crm_tree_set(tree, about, "value", crm_tree_number(carom_plan_line_value(line, certificate)));
    crm_tree_set(tree, about, "bound",
                 isinf(line->bound) ? json_null() : crm_tree_number(carom_plan_line_bound(line, certificate)));
    crm_tree_set(tree, about, "least", json_boolean(line->is_gap));
    crm_tree_set(tree, about, "verdict",
                 json_string(told             ? "reported"
                             : keeps          ? "kept"
                             : line->contract ? "broken"
                                              : "missed"));
    return about;
}

static json_t *describe_solve(crm_tree *tree, const carom_plan_solve *solve) {
    json_t *about = json_object();
    crm_tree_set(tree, about, "start", json_integer(solve->start));
    crm_tree_set(tree, about, "level", json_integer(solve->level));
    crm_tree_set(tree, about, "intervals", json_integer(solve->intervals));
    crm_tree_set(tree, about, "outcome", json_string(carom_plan_outcome_name(solve->outcome)));
    crm_tree_set(tree, about, "iterations", json_integer(solve->iterations));
    crm_tree_set(tree, about, "effort", crm_tree_number(solve->effort));
    crm_tree_set(tree, about, "violation", crm_tree_number(solve->violation));
    crm_tree_set(tree, about, "optimality", crm_tree_number(solve->optimality));
    crm_tree_set(tree, about, "seconds", crm_tree_number(solve->seconds));
    return about;
}

static json_t *describe_impulse(crm_tree *tree, const carom_plan_data *plan, const carom_plan_impulse *impulse) {
    json_t *about = json_object();
    crm_tree_set(tree, about, "node", json_integer(impulse->node));
    crm_tree_set(tree, about, "time", crm_tree_number(plan->time[impulse->node]));
    crm_tree_set(tree, about, "contact", json_integer(impulse->contact));
    crm_tree_set(tree, about, "a", json_integer(impulse->a.index));
    crm_tree_set(tree, about, "b", json_integer(impulse->b.index));
    crm_tree_set(tree, about, "point", crm_tree_vec3(tree, impulse->point));
    crm_tree_set(tree, about, "impulse", crm_tree_vec3(tree, impulse->impulse));
    return about;
}

static void describe(crm_report *report, const carom_plan_data *plan, int planes) {
    crm_tree *tree = &report->tree;
    json_t *about = json_object(), *controls = json_array(), *certificate = json_array(), *solves = json_array(),
           *impulses = json_array();
    int lines;
    const carom_plan_line *line = carom_plan_lines(&lines);
    for (int i = 0; i < plan->control_count; i++)
        crm_tree_append(tree, controls, describe_control(tree, &plan->control[i]));
    for (int i = 0; i < lines && plan->interval_count > 0; i++)
        crm_tree_append(tree, certificate, describe_line(tree, &line[i], &plan->certificate));
    for (int i = 0; i < plan->solve_count; i++) crm_tree_append(tree, solves, describe_solve(tree, &plan->solve[i]));
    for (int i = 0; i < plan->impulse_count; i++)
        crm_tree_append(tree, impulses, describe_impulse(tree, plan, &plan->impulse[i]));
    crm_tree_set(tree, about, "replayed", json_boolean(report->info.replayed));
    crm_tree_set(tree, about, "outcome", json_string(carom_plan_outcome_name(plan->outcome)));
    crm_tree_set(tree, about, "reason", crm_tree_text(plan->reason));
    crm_tree_set(tree, about, "strict", json_boolean(plan->certificate.strict));
    crm_tree_set(tree, about, "kept", json_boolean(plan->certificate.kept));
    crm_tree_set(tree, about, "intervals", json_integer(plan->interval_count));
    crm_tree_set(tree, about, "numbers", json_integer(plan->number_count));
    crm_tree_set(tree, about, "controls", controls);
    crm_tree_set(tree, about, "certificate", certificate);
    crm_tree_set(tree, about, "solves", solves);
    crm_tree_set(tree, about, "impulses", impulses);
    crm_tree_set(tree, about, "plane_count", json_integer(plan->plane_count));
    crm_tree_set(tree, about, "planes_shown", json_integer(planes));
    crm_tree_set(tree, tree->header, "plan", about);
}

// ---- the blobs

static carom_status add_nearest(crm_blobs *blobs, const char *gaps, const char *bodies, int count,
                                const carom_plan_nearest *nearest, carom_error *error) {
    crm_blob *numbers = NULL;
    double *values = malloc((size_t)count * sizeof *values);
    if (values == NULL) return crm_fail_memory(error, "report", (size_t)count * sizeof *values);
    carom_status status = crm_blobs_add(blobs, bodies, "i32", 4, (int64_t)NEAREST_NUMBERS * count, &numbers, error);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        values[i] = nearest[i].gap;
        crm_put_u32(numbers->bytes + 8 * (ptrdiff_t)i, (uint32_t)nearest[i].a.index);
        crm_put_u32(numbers->bytes + 8 * (ptrdiff_t)i + 4, (uint32_t)nearest[i].b.index);
    }
    if (status == CAROM_OK) status = crm_blobs_add_f64(blobs, gaps, count, values, error);
    free(values);
    return status;
}

static carom_status add_guess(crm_blobs *blobs, const carom_plan_data *plan, carom_error *error) {
    int64_t poses = (int64_t)(plan->interval_count + 1) * plan->body_count;
    double *values = malloc((size_t)(POSE_REALS * poses) * sizeof *values), *to = values;
    if (values == NULL) return crm_fail_memory(error, "report", (size_t)(POSE_REALS * poses) * sizeof *values);
    for (int64_t i = 0; i < poses; i++, to += POSE_REALS) {
        const carom_pose *pose = &plan->guess[i];
        to[0] = pose->position.x, to[1] = pose->position.y, to[2] = pose->position.z;
        to[3] = pose->attitude.w, to[4] = pose->attitude.x, to[5] = pose->attitude.y, to[6] = pose->attitude.z;
    }
    carom_status status = crm_blobs_add_f32(blobs, "plan_guess", POSE_REALS * poses, values, error);
    free(values);
    return status;
}

static carom_status add_planes(crm_blobs *blobs, const carom_plan_data *plan, int count, carom_error *error) {
    crm_blob *numbers = NULL;
    double *reals = malloc((size_t)count * PLANE_REALS * sizeof *reals);
    if (reals == NULL) return crm_fail_memory(error, "report", (size_t)count * PLANE_REALS * sizeof *reals);
    carom_status status =
        crm_blobs_add(blobs, "plan_plane_bodies", "i32", 4, (int64_t)PLANE_NUMBERS * count, &numbers, error);
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        const carom_plan_plane *p = &plan->plane[i];
        const int32_t row[PLANE_NUMBERS] = {p->interval, p->a.index, p->part_a, p->b.index, p->part_b};
        for (int c = 0; c < PLANE_NUMBERS; c++)
            crm_put_u32(numbers->bytes + 4 * ((ptrdiff_t)PLANE_NUMBERS * i + c), (uint32_t)row[c]);
        double *to = reals + (ptrdiff_t)PLANE_REALS * i;
        to[0] = p->normal.x, to[1] = p->normal.y, to[2] = p->normal.z, to[3] = p->offset;
    }
    if (status == CAROM_OK)
        status = crm_blobs_add_f64(blobs, "plan_planes", (int64_t)PLANE_REALS * count, reals, error);
    free(reals);
    return status;
}

static carom_status add_motion(crm_report *report, const carom_plan_data *plan, int planes, carom_error *error) {
    crm_blobs *blobs = &report->blobs;
    int intervals = plan->interval_count, nodes = intervals + 1;
    int64_t numbers = (int64_t)intervals * plan->number_count;
    carom_status status = crm_blobs_add_f64(blobs, "plan_times", nodes, plan->time, error);
    if (status == CAROM_OK) status = crm_blobs_add_f64(blobs, "plan_values", numbers, plan->value, error);
    if (status == CAROM_OK) status = crm_blobs_add_f64(blobs, "plan_guess_values", numbers, plan->guess_value, error);
    if (status == CAROM_OK) status = crm_blobs_add_f64(blobs, "plan_consistency", nodes, plan->consistency, error);
    if (status == CAROM_OK) status = add_nearest(blobs, "plan_gaps", "plan_gap_bodies", nodes, plan->at_node, error);
    if (status == CAROM_OK)
        status = add_nearest(blobs, "plan_between", "plan_between_bodies", intervals, plan->between, error);
    if (status == CAROM_OK) status = add_guess(blobs, plan, error);
    if (status == CAROM_OK && planes > 0) status = add_planes(blobs, plan, planes, error);
    return status;
}

carom_status crm_report_plan(crm_report *report, carom_error *error) {
    const carom_plan_data *plan = carom_recording_plan(report->recording);
    if (plan == NULL) return CAROM_OK;
    int planes = plan->plane_count < MOST_PLANES ? plan->plane_count : MOST_PLANES;
    describe(report, plan, planes);
    return plan->interval_count > 0 ? add_motion(report, plan, planes, error) : CAROM_OK;
}

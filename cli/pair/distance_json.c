// SPDX-License-Identifier: MIT
// The measures of a pair as one object.
#include <stdio.h>

#include "base/json.h"
#include "pair/distance_report.h"

static void write_ints(jsonl_writer *json, const char *key, int count, const int *values) {
    jsonl_open_list(json, key);
    for (int i = 0; i < count; i++) jsonl_int(json, NULL, values[i]);
    jsonl_close_list(json);
}

static void write_numbers(jsonl_writer *json, const char *key, int count, const double *values) {
    jsonl_open_list(json, key);
    for (int i = 0; i < count; i++) jsonl_number(json, NULL, values[i]);
    jsonl_close_list(json);
}

static void write_touch(jsonl_writer *json, const char *key, const carom_view *view, const carom_touch *touch) {
    int listed = touch->vertex_count < CAROM_TOUCH_VERTICES ? touch->vertex_count : CAROM_TOUCH_VERTICES;
    jsonl_open(json, key);
    if (view->shape != NULL) {
        int number = -1;
        jsonl_text(json, "feature", feature_word(carom_touch_feature(view->shape, touch, &number)));
        if (number >= 0) jsonl_int(json, "number", number);
    }
    write_ints(json, "vertices", listed, touch->vertices);
    write_numbers(json, "weights", listed, touch->weights);
    jsonl_close(json);
}

static void write_gradient(jsonl_writer *json, const char *key, const carom_pose_gradient *by) {
    jsonl_open(json, key);
    jsonl_vector(json, "translation_a", by->translation_a);
    jsonl_vector(json, "rotation_a", by->rotation_a);
    jsonl_vector(json, "translation_b", by->translation_b);
    jsonl_vector(json, "rotation_b", by->rotation_b);
    jsonl_close(json);
}

static void write_gap(jsonl_writer *json, const distance_report *report) {
    const carom_gap_witness *gap = &report->gap;
    jsonl_open(json, "gap");
    jsonl_number(json, "value", gap->gap);
    jsonl_vector(json, "normal", gap->normal);
    jsonl_vector(json, "point_a", gap->point_a);
    jsonl_vector(json, "point_b", gap->point_b);
    write_touch(json, "a", &report->a, &gap->a);
    write_touch(json, "b", &report->b, &gap->b);
    jsonl_bool(json, "normal_unique", gap->normal_unique);
    jsonl_bool(json, "points_unique", gap->points_unique);
    jsonl_bool(json, "global", gap->global);
    jsonl_number(json, "accuracy", gap->accuracy);
    write_gradient(json, "gradient", &report->gap_gradient);
    jsonl_close(json);
}

// All optimal answers are mixtures of these.
static void write_optima(jsonl_writer *json, const carom_ray_optima *optima) {
    jsonl_open(json, "optima");
    jsonl_open_list(json, "alphas");
    for (int i = 0; i < optima->alpha_count; i++) jsonl_vector(json, NULL, optima->alphas[i]);
    jsonl_close_list(json);
    jsonl_bool(json, "alphas_all", optima->alphas_all);
    jsonl_open_list(json, "weightings");
    for (int i = 0; i < optima->weighting_count; i++) {
        const carom_weighting *w = &optima->weightings[i];
        jsonl_open(json, NULL);
        write_ints(json, "vertices_a", w->count_a, w->vertices_a);
        write_numbers(json, "weights_a", w->count_a, w->weights_a);
        write_ints(json, "vertices_b", w->count_b, w->vertices_b);
        write_numbers(json, "weights_b", w->count_b, w->weights_b);
        jsonl_close(json);
    }
    jsonl_close_list(json);
    jsonl_bool(json, "weightings_all", optima->weightings_all);
    jsonl_close(json);
}

static void write_ray(jsonl_writer *json, const distance_report *report) {
    static const char *const outcomes[] = {
        [CAROM_RAY_MEETS] = "meets", [CAROM_RAY_MISSES] = "misses", [CAROM_RAY_NO_DIRECTION] = "no_direction"};
    const carom_ray_witness *ray = &report->ray;
    jsonl_open(json, "ray");
    jsonl_text(json, "outcome", outcomes[ray->outcome]);
    jsonl_vector(json, "normal", ray->normal);
    if (ray->outcome != CAROM_RAY_MISSES) {
        jsonl_number(json, "value", ray->value);
        jsonl_number(json, "plane_gap", ray->plane_gap);
        jsonl_number(json, "centre_distance", ray->centre_distance);
        jsonl_number(json, "ratio", ray->ratio);
        jsonl_number(json, "rho", ray->rho);
        jsonl_vector(json, "beta", ray->beta);
        jsonl_vector(json, "alpha", ray->alpha);
        jsonl_vector(json, "point_a", ray->point_a);
        jsonl_vector(json, "point_b", ray->point_b);
        write_touch(json, "a", &report->a, &ray->a);
        write_touch(json, "b", &report->b, &ray->b);
        jsonl_bool(json, "beta_moves", ray->beta_moves);
        jsonl_bool(json, "alpha_unique", ray->alpha_unique);
        jsonl_bool(json, "weights_unique", ray->weights_unique);
        write_optima(json, &report->optima);
        jsonl_number(json, "accuracy", ray->accuracy);
        write_gradient(json, "value_gradient", &report->value_gradient);
        write_gradient(json, "rho_gradient", &report->rho_gradient);
    }
    jsonl_close(json);
}

static void write_feature(jsonl_writer *json, const carom_feature_contact *feature) {
    static const char *const kinds[] = {[CAROM_FEATURE_CONTACT_CORNER_A] = "corner_a",
                                        [CAROM_FEATURE_CONTACT_CORNER_B] = "corner_b",
                                        [CAROM_FEATURE_CONTACT_EDGES] = "edges"};
    jsonl_open(json, NULL);
    jsonl_text(json, "kind", kinds[feature->kind]);
    jsonl_int(json, "feature_a", feature->feature_a);
    jsonl_int(json, "feature_b", feature->feature_b);
    jsonl_number(json, "gap", feature->gap);
    jsonl_number(json, "rho", feature->rho);
    jsonl_vector(json, "normal", feature->normal);
    jsonl_vector(json, "point_a", feature->point_a);
    jsonl_vector(json, "point_b", feature->point_b);
    jsonl_close(json);
}

void print_distances_object(const distance_report *report) {
    jsonl_writer json = jsonl_begin(stdout);
    jsonl_text(&json, "verdict", verdict_of(&report->gap));
    write_gap(&json, report);
    if (report->ray_status == CAROM_OK)
        write_ray(&json, report);
    else
        jsonl_null(&json, "ray");
    if (report->has_features) {
        jsonl_text(&json, "collision", carom_collision_type_name(report->collision));
        jsonl_vector(&json, "contact", report->contact);
        jsonl_open_list(&json, "events");
        for (int i = 0; i < report->feature_count; i++) write_feature(&json, &report->features[i]);
        jsonl_close_list(&json);
    }
    jsonl_end(&json);
}

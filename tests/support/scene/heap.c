// SPDX-License-Identifier: MIT
#include "support/scene/heap.h"

#include <math.h>
#include <stdio.h>

#include "math/quat.h"
#include "support/harness/check.h"

static void find_file(const char *name, size_t size, char *file) {
    snprintf(file, size, CAROM_SOURCE_DIR "/tests/data/heaps/%s.json", name);
    FILE *there = fopen(file, "r");
    if (there == NULL)
        snprintf(file, size, CAROM_SOURCE_DIR "/scenes/%s.json", name);
    else
        fclose(there);
}

heap heap_begin(const char *name, const char *settings, int threads) {
    char file[512], text[256];
    find_file(name, sizeof file, file);
    snprintf(text, sizeof text, "method.lcp=%s", settings);
    const char *const overrides[] = {"method.name=lcp", text};
    heap h = {0};
    carom_error error = {.text = ""};
    carom_scene_source source = carom_scene_source_default();
    source.file = file;
    source.override_count = 2;
    source.overrides = overrides;
    if (carom_scene_read(&source, NULL, &h.scene, NULL, &error) != CAROM_OK) CHECK_TEXT(error.text, "");
    assert_non_null(h.scene);
    h.model = carom_scene_model(h.scene);
    carom_method_def method = *carom_scene_method(h.scene);
    method.threads = threads;
    assert_int_equal(carom_state_create(h.model, &method, &h.state, &error), CAROM_OK);
    return h;
}

void heap_end(heap *h) {
    carom_state_destroy(h->state);
    carom_scene_destroy(h->scene);
}

bool heap_step(heap *h, carom_step_report *report) {
    carom_error error = {0};
    return CHECK_INT(carom_step(h->model, h->state, NULL, report, &error), CAROM_OK) &&
           CHECK(report->outcome != CAROM_STEP_IMPOSSIBLE);
}

int heap_go(heap *h, double until) {
    double step = carom_scene_method(h->scene)->step;
    int missed = 0;
    for (carom_step_report report; carom_state_time(h->state) < until - 0.5 * step;) {
        if (!heap_step(h, &report)) break;
        missed += report.outcome != CAROM_STEP_GOOD;
    }
    return missed;
}

// ---- distances

static carom_body_state body_of(const heap *h, carom_body body) {
    carom_body_state state = {0};
    CHECK_INT(carom_state_get_body(h->state, body, &state, NULL), CAROM_OK);
    return state;
}

// The pose of a body as it is seen from another one.
static carom_body_state seen_from(const heap *h, carom_body body, carom_body frame) {
    carom_body_state at = body_of(h, body);
    if (frame.index == CAROM_WORLD.index) return at;
    carom_body_state from = body_of(h, frame);
    carom_quat back = crm_quat_conjugate(from.attitude);
    at.position = crm_quat_rotate(back, crm_sub(at.position, from.position));
    at.attitude = crm_quat_mul(back, at.attitude);
    return at;
}

static bool can_move(const heap *h, int body, double *radius) {
    carom_body_def def;
    CHECK_INT(carom_model_get_body(h->model, (carom_body){body}, &def, NULL), CAROM_OK);
    if (def.kind == CAROM_BODY_FIXED) return false;
    *radius = carom_shape_bounding_radius(carom_model_get_shape(h->model, def.shape));
    return true;
}

double heap_creep(const heap *h, const heap *first, carom_body frame) {
    double worst = 0.0, radius;
    for (int b = 0; b < carom_model_body_count(h->model); b++) {
        if (!can_move(h, b, &radius)) continue;
        carom_body_state now = seen_from(h, (carom_body){b}, frame), then = seen_from(first, (carom_body){b}, frame);
        carom_quat rotation = crm_quat_mul(now.attitude, crm_quat_conjugate(then.attitude));
        double angle = 2.0 * crm_length(crm_vec3(rotation.x, rotation.y, rotation.z));
        worst = fmax(worst, (crm_distance(now.position, then.position) + radius * angle) / (2.0 * radius));
    }
    return worst;
}

double heap_distance(const heap *h, const heap *other) {
    double sum = 0.0, radius;
    int count = 0;
    for (int b = 0; b < carom_model_body_count(h->model); b++) {
        if (!can_move(h, b, &radius)) continue;
        sum += crm_distance(body_of(h, (carom_body){b}).position, body_of(other, (carom_body){b}).position);
        count++;
    }
    return count > 0 ? sum / count : 0.0;
}

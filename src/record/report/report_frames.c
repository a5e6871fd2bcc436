// SPDX-License-Identifier: MIT
// Poses of all bodies in all frames, as whole numbers whose second differences are small.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "record/report/run_report.h"

// The limits of docs/report.md: what a browser can hold, and what a person can look at.
static const int64_t most_poses = 4000000, most_frames = 20000, most_velocities = 200000;

static int64_t ceil_divide(int64_t a, int64_t b) {
    return a / b + (a % b != 0);
}

static void choose_frames(crm_report *report) {
    int64_t recorded = report->info.frame_count, bodies = report->info.body_count;
    int64_t most = bodies > 0 && most_poses / bodies < most_frames ? most_poses / bodies : most_frames;
    if (most < 1) most = 1;
    report->frame_stride = recorded > most ? ceil_divide(recorded, most) : 1;
    report->frames = ceil_divide(recorded, report->frame_stride);
    if (recorded > 0 && (report->frames - 1) * report->frame_stride != recorded - 1) report->frames++;
}

int64_t crm_report_frame(const crm_report *report, int64_t index) {
    int64_t wanted = index * report->frame_stride, last = report->info.frame_count - 1;
    return wanted < last ? wanted : last;
}

// Six numbers a body: position, or velocity and spin.
typedef struct range {
    double low[CRM_BLOB_COMPONENTS], high[CRM_BLOB_COMPONENTS];
} range;

static void widen(range *r, int component, double value) {
    if (!isfinite(value)) return;
    r->low[component] = fmin(r->low[component], value);
    r->high[component] = fmax(r->high[component], value);
}

static void velocity_numbers(const carom_body_state *body, double out[6]) {
    out[0] = body->velocity.x, out[1] = body->velocity.y, out[2] = body->velocity.z;
    out[3] = body->spin.x, out[4] = body->spin.y, out[5] = body->spin.z;
}

static void position_numbers(const carom_body_state *body, double out[3]) {
    out[0] = body->position.x, out[1] = body->position.y, out[2] = body->position.z;
}

// Numbers of the blob that the values low ... high are brought to.
static void set_scale(crm_blob *blob, const range *r, int components, double numbers) {
    blob->components = components;
    for (int i = 0; i < components; i++) {
        bool known = r->low[i] <= r->high[i];
        double scale = (r->high[i] - r->low[i]) / numbers;
        blob->low[i] = known ? r->low[i] : 0.0;
        blob->scale[i] = known && scale > 0.0 ? scale : 1.0;
    }
}

static uint32_t scaled(const crm_blob *blob, int component, double value, double numbers) {
    double q = rint((value - blob->low[component]) / blob->scale[component]);
    return isfinite(q) ? (uint32_t)fmin(fmax(q, 0.0), numbers) : 0u;
}

// What is at work while frames are read.
typedef struct frame_tables {
    crm_delta_table positions, attitudes, velocities;
    bool with_velocities;
    carom_body_state *bodies;
    carom_quat *last; // attitudes as they were kept in the frame before
    uint32_t *row;    // 6 numbers a body
    double *times, *steps;
} frame_tables;

static const double most16 = 65535.0, most24 = 16777215.0, attitude_scale = 32767.0;

static carom_status find_ranges(const crm_report *report, frame_tables *t, carom_error *error) {
    range positions, velocities;
    for (int i = 0; i < CRM_BLOB_COMPONENTS; i++) {
        positions.low[i] = velocities.low[i] = INFINITY;
        positions.high[i] = velocities.high[i] = -INFINITY;
    }
    for (int64_t f = 0; f < report->frames; f++) {
        int64_t step;
        carom_status status = carom_recording_get_frame(report->recording, crm_report_frame(report, f), &t->times[f],
                                                        &step, t->bodies, error);
        if (status != CAROM_OK) return status;
        t->steps[f] = (double)step;
        for (int b = 0; b < report->info.body_count; b++) {
            double x[3], v[6];
            position_numbers(&t->bodies[b], x);
            for (int i = 0; i < 3; i++) widen(&positions, i, x[i]);
            velocity_numbers(&t->bodies[b], v);
            for (int i = 0; i < 6; i++) widen(&velocities, i, v[i]);
        }
    }
    set_scale(t->positions.blob, &positions, 3, most24);
    if (t->with_velocities) set_scale(t->velocities.blob, &velocities, 6, most16);
    return CAROM_OK;
}

// Of the two quaternions of an attitude the one that is nearer to that of the frame before.
static carom_quat continued(carom_quat q, carom_quat last) {
    bool opposite = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z < 0.0;
    return opposite ? (carom_quat){-q.w, -q.x, -q.y, -q.z} : q;
}

static uint32_t attitude_number(double component) {
    double q = rint(attitude_scale * component);
    return isfinite(q) ? (uint32_t)((int32_t)fmin(fmax(q, -attitude_scale), attitude_scale) & 0xffff) : 0u;
}

static void keep_frame(frame_tables *t, int bodies) {
    for (int b = 0; b < bodies; b++) {
        double x[3];
        position_numbers(&t->bodies[b], x);
        for (int i = 0; i < 3; i++) t->row[(size_t)i * bodies + b] = scaled(t->positions.blob, i, x[i], most24);
    }
    crm_delta_row(&t->positions, t->row);
    for (int b = 0; b < bodies; b++) {
        carom_quat q = continued(t->bodies[b].attitude, t->last[b]);
        const double a[4] = {q.w, q.x, q.y, q.z};
        for (int i = 0; i < 4; i++) t->row[(size_t)i * bodies + b] = attitude_number(a[i]);
        t->last[b] = q;
    }
    crm_delta_row(&t->attitudes, t->row);
    if (!t->with_velocities) return;
    for (int b = 0; b < bodies; b++) {
        double v[6];
        velocity_numbers(&t->bodies[b], v);
        for (int i = 0; i < 6; i++) t->row[(size_t)i * bodies + b] = scaled(t->velocities.blob, i, v[i], most16);
    }
    crm_delta_row(&t->velocities, t->row);
}

static carom_status make_tables(crm_report *report, frame_tables *t, carom_error *error) {
    int64_t bodies = report->info.body_count, frames = report->frames;
    t->bodies = calloc((size_t)bodies + 1, sizeof *t->bodies);
    t->last = calloc((size_t)bodies + 1, sizeof *t->last);
    t->row = calloc(6 * (size_t)bodies + 1, sizeof *t->row);
    t->times = calloc(2 * (size_t)frames + 1, sizeof *t->times);
    if (t->bodies == NULL || t->last == NULL || t->row == NULL || t->times == NULL)
        return crm_fail_memory(error, "report", (size_t)bodies * sizeof *t->bodies);
    t->steps = t->times + frames;
    t->with_velocities = frames * bodies <= most_velocities;
    crm_blobs *blobs = &report->blobs;
    carom_status status = crm_delta_begin(&t->positions, blobs, "positions", 3, frames, 3 * bodies, error);
    if (status == CAROM_OK) status = crm_delta_begin(&t->attitudes, blobs, "attitudes", 2, frames, 4 * bodies, error);
    if (status == CAROM_OK && t->with_velocities)
        status = crm_delta_begin(&t->velocities, blobs, "velocities", 2, frames, 6 * bodies, error);
    return status;
}

carom_status crm_report_frames(crm_report *report, carom_error *error) {
    choose_frames(report);
    frame_tables t = {0};
    carom_status status = make_tables(report, &t, error);
    // Once for the box that all poses are in, once for the poses: a long run need not fit into memory.
    if (status == CAROM_OK) status = find_ranges(report, &t, error);
    for (int64_t f = 0; f < report->frames && status == CAROM_OK; f++) {
        status = carom_recording_get_frame(report->recording, crm_report_frame(report, f), NULL, NULL, t.bodies, error);
        if (status == CAROM_OK) keep_frame(&t, report->info.body_count);
    }
    if (status == CAROM_OK) status = crm_blobs_add_f64(&report->blobs, "frame_times", report->frames, t.times, error);
    if (status == CAROM_OK) status = crm_blobs_add_f64(&report->blobs, "frame_steps", report->frames, t.steps, error);
    crm_delta_end(&t.positions);
    crm_delta_end(&t.attitudes);
    crm_delta_end(&t.velocities);
    free(t.bodies);
    free(t.last);
    free(t.row);
    free(t.times);
    return status;
}

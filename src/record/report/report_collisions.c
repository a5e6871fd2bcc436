// SPDX-License-Identifier: MIT
// The collisions of a report; of too many, every so many-th.
#include <stdlib.h>

#include "base/fail.h"
#include "record/file/format.h"
#include "record/report/run_report.h"

enum { MOST_COLLISIONS = 20000, AT_ONCE = 256 }; // docs/report.md

// What is known of those that are kept, one after the other.
typedef struct collision_lists {
    double *time, *point, *impulse, *speed, *energy;
    crm_blob *bodies;
} collision_lists;

static void keep(collision_lists *l, int64_t at, const carom_collision *c) {
    const double point[3] = {c->point.x, c->point.y, c->point.z},
                 impulse[3] = {c->impulse.x, c->impulse.y, c->impulse.z};
    l->time[at] = c->time;
    for (int i = 0; i < 3; i++) l->point[3 * at + i] = point[i], l->impulse[3 * at + i] = impulse[i];
    l->speed[2 * at] = c->approach, l->speed[2 * at + 1] = c->separation;
    l->energy[2 * at] = c->energy_before, l->energy[2 * at + 1] = c->energy_jump;
    crm_put_u32(l->bodies->bytes + 8 * at, (uint32_t)c->a.index);
    crm_put_u32(l->bodies->bytes + 8 * at + 4, (uint32_t)c->b.index);
}

static carom_status read_all(const crm_report *report, int64_t stride, collision_lists *l, carom_error *error) {
    carom_collision some[AT_ONCE];
    int64_t count = report->info.collision_count;
    for (int64_t first = 0; first < count;) {
        int got;
        carom_status status = carom_recording_get_collisions(report->recording, first, AT_ONCE, some, &got, error);
        if (status != CAROM_OK) return status;
        for (int i = 0; i < got && first + i < count; i++)
            if ((first + i) % stride == 0) keep(l, (first + i) / stride, &some[i]);
        if (got == 0) break;
        first += got;
    }
    return CAROM_OK;
}

static carom_status pack(crm_report *report, int64_t kept, int64_t stride, collision_lists *l, carom_error *error) {
    crm_blobs *blobs = &report->blobs;
    carom_status status = crm_blobs_add(blobs, "collision_bodies", "i32", 4, 2 * kept, &l->bodies, error);
    if (status == CAROM_OK) status = read_all(report, stride, l, error);
    if (status == CAROM_OK) status = crm_blobs_add_f64(blobs, "collision_times", kept, l->time, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "collision_points", 3 * kept, l->point, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "collision_impulses", 3 * kept, l->impulse, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "collision_speeds", 2 * kept, l->speed, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "collision_energies", 2 * kept, l->energy, error);
    return status;
}

carom_status crm_report_collisions(crm_report *report, carom_error *error) {
    int64_t count = report->info.collision_count,
            stride = count > MOST_COLLISIONS ? (count - 1) / MOST_COLLISIONS + 1 : 1;
    if (!report->info.collisions) return CAROM_OK;
    crm_tree_set(&report->tree, report->tree.header, "collision_total", json_integer(count));
    crm_tree_set(&report->tree, report->tree.header, "collision_stride", json_integer(stride));
    if (count == 0) return CAROM_OK;
    int64_t kept = (count + stride - 1) / stride;
    double *numbers = calloc(11 * (size_t)kept, sizeof *numbers);
    if (numbers == NULL) return crm_fail_memory(error, "report", 11 * (size_t)kept * sizeof *numbers);
    collision_lists l = {.time = numbers,
                         .point = numbers + kept,
                         .impulse = numbers + 4 * kept,
                         .speed = numbers + 7 * kept,
                         .energy = numbers + 9 * kept};
    carom_status status = pack(report, kept, stride, &l, error);
    free(numbers);
    return status;
}

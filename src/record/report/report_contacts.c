// SPDX-License-Identifier: MIT
// The contacts in the frames of a report; of too many, those with the largest normal impulses.
#include <math.h>
#include <stdlib.h>

#include "base/fail.h"
#include "math/vec3.h"
#include "record/file/format.h"
#include "record/report/run_report.h"

static const int64_t most_contacts = 100000; // docs/report.md

static int larger_first(const void *a, const void *b) {
    const carom_contact_state *x = a, *y = b;
    return (x->normal_impulse < y->normal_impulse) - (x->normal_impulse > y->normal_impulse);
}

static carom_vec3 impulse_of(const carom_contact_state *c) {
    carom_vec3 other = crm_cross(c->normal, c->tangent);
    carom_vec3 along = crm_madd(crm_scale(c->tangent_impulse[0], c->tangent), c->tangent_impulse[1], other);
    return crm_madd(along, c->normal_impulse, c->normal);
}

// What is known of all kept contacts, one after the other.
typedef struct contact_lists {
    int64_t *total, *first; // of each frame
    int64_t count;
    double *point, *impulse, *gap;
    crm_blob *bodies, *normal, *status;
} contact_lists;

static void keep(contact_lists *l, const carom_contact_state *c) {
    int64_t at = l->count++;
    carom_vec3 impulse = impulse_of(c);
    const double point[3] = {c->point.x, c->point.y, c->point.z}, force[3] = {impulse.x, impulse.y, impulse.z};
    const double normal[3] = {c->normal.x, c->normal.y, c->normal.z};
    for (int i = 0; i < 3; i++) {
        uint32_t q = (uint32_t)(int32_t)rint(32767.0 * fmin(fmax(normal[i], -1.0), 1.0));
        l->point[3 * at + i] = point[i];
        l->impulse[3 * at + i] = force[i];
        l->normal->bytes[6 * at + 2 * i] = (unsigned char)q;
        l->normal->bytes[6 * at + 2 * i + 1] = (unsigned char)(q >> 8);
    }
    l->gap[at] = c->gap;
    crm_put_u32(l->bodies->bytes + 8 * at, (uint32_t)c->a.index);
    crm_put_u32(l->bodies->bytes + 8 * at + 4, (uint32_t)c->b.index);
    l->status->bytes[at] = (unsigned char)c->status;
}

static carom_status read_frames(const crm_report *report, contact_lists *l, int64_t most_a_frame, int room,
                                carom_error *error) {
    carom_contact_state *some = malloc(((size_t)room + 1) * sizeof *some);
    if (some == NULL) return crm_fail_memory(error, "report", (size_t)room * sizeof *some);
    carom_status status = CAROM_OK;
    for (int64_t f = 0; f < report->frames && status == CAROM_OK; f++) {
        int count = 0;
        status = carom_recording_get_frame_contacts(report->recording, crm_report_frame(report, f), room, some, &count,
                                                    error);
        if (count > room) count = room;
        if (count > most_a_frame) qsort(some, (size_t)count, sizeof *some, larger_first);
        l->first[f] = l->count;
        for (int i = 0; i < count && i < most_a_frame && status == CAROM_OK; i++) keep(l, &some[i]);
    }
    l->first[report->frames] = l->count;
    free(some);
    return status;
}

static carom_status add_counts(crm_blobs *blobs, const char *name, const int64_t *values, int64_t count,
                               carom_error *error) {
    crm_blob *blob = NULL;
    carom_status status = crm_blobs_add(blobs, name, "u32", 4, count, &blob, error);
    for (int64_t i = 0; i < count && status == CAROM_OK; i++) crm_put_u32(blob->bytes + 4 * i, (uint32_t)values[i]);
    return status;
}

static carom_status pack(crm_report *report, contact_lists *l, int64_t kept, int64_t most_a_frame, int room,
                         carom_error *error) {
    crm_blobs *blobs = &report->blobs;
    l->point = calloc(7 * (size_t)kept + 1, sizeof *l->point);
    if (l->point == NULL) return crm_fail_memory(error, "report", 7 * (size_t)kept * sizeof *l->point);
    l->impulse = l->point + 3 * kept;
    l->gap = l->impulse + 3 * kept;
    carom_status status = crm_blobs_add(blobs, "contact_bodies", "i32", 4, 2 * kept, &l->bodies, error);
    if (status == CAROM_OK) status = crm_blobs_add(blobs, "contact_normals", "i16", 2, 3 * kept, &l->normal, error);
    if (status == CAROM_OK) status = crm_blobs_add(blobs, "contact_status", "u8", 1, kept, &l->status, error);
    if (status == CAROM_OK) status = read_frames(report, l, most_a_frame, room, error);
    if (status == CAROM_OK) status = add_counts(blobs, "contact_first", l->first, report->frames + 1, error);
    if (status == CAROM_OK) status = add_counts(blobs, "contact_total", l->total, report->frames, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "contact_points", 3 * kept, l->point, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "contact_impulses", 3 * kept, l->impulse, error);
    if (status == CAROM_OK) status = crm_blobs_add_f32(blobs, "contact_gaps", kept, l->gap, error);
    return status;
}

carom_status crm_report_contacts(crm_report *report, carom_error *error) {
    if (!report->info.contacts || report->frames == 0) return CAROM_OK;
    contact_lists l = {.total = calloc(2 * (size_t)report->frames + 1, sizeof *l.total)};
    if (l.total == NULL) return crm_fail_memory(error, "report", 2 * (size_t)report->frames * sizeof *l.total);
    l.first = l.total + report->frames;
    int64_t all = 0, kept = 0;
    int room = 0;
    carom_status status = CAROM_OK;
    for (int64_t f = 0; f < report->frames && status == CAROM_OK; f++) {
        int count = 0;
        status =
            carom_recording_get_frame_contacts(report->recording, crm_report_frame(report, f), 0, NULL, &count, error);
        l.total[f] = count;
        all += count;
        if (count > room) room = count;
    }
    int64_t most_a_frame = all <= most_contacts ? room : most_contacts / report->frames;
    for (int64_t f = 0; f < report->frames; f++) kept += l.total[f] < most_a_frame ? l.total[f] : most_a_frame;
    if (status == CAROM_OK) status = pack(report, &l, kept, most_a_frame, room, error);
    free(l.point);
    free(l.total);
    return status;
}

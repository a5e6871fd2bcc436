// SPDX-License-Identifier: MIT
// Frames, certificates and collisions that wait in memory for the next transaction.
//
// Nothing is forgotten before it is safely written: a transaction that fails can be tried again.
#ifndef CRM_RECORD_RECORD_BUFFER_H
#define CRM_RECORD_RECORD_BUFFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/array.h"
#include "carom/record.h"
#include "record/file/format.h"
#include "record/run/record_run.h"

typedef struct crm_buffer {
    carom_allocator allocator;
    CRM_ARRAY(unsigned char) frames;       // each: step, time, bytes of contacts, packed bodies, joints and contacts
    CRM_ARRAY(unsigned char) certificates; // packed, the first one at the start of a row
    CRM_ARRAY(carom_collision) collisions;
    CRM_ARRAY(carom_joint_event) events; // of joints, that wait
    int64_t first_event;                 // number of the first of these
    int body_count, joint_count;
    bool contacts;                // frames have them
    size_t body_bytes;            // of all bodies in a frame
    int certificate_bytes;        // of one
    size_t frame_bytes;           // of one frame in `frames` but for its contacts
    int64_t frame_count;          // of `frames`
    int64_t first_frame;          // number of the first frame here
    int64_t first_collision;      // number of the first one here
    int64_t first_certificate;    // its place in the run: a multiple of CRM_RECORD_CHUNK
    int64_t written_certificates; // how many of those here are in the file already
} crm_buffer;

enum { CRM_FRAME_HEADER_BYTES = 24 };

void crm_buffer_init(crm_buffer *buffer, const crm_run *run);
void crm_buffer_free(crm_buffer *buffer);

// These fail with CAROM_ERR_NO_MEMORY and then change nothing.
carom_status crm_buffer_add_frame(crm_buffer *buffer, const carom_state *state, carom_error *error);
carom_status crm_buffer_grow(crm_buffer *buffer, carom_error *error);
carom_status crm_buffer_add_collisions(crm_buffer *buffer, const carom_collision *collisions, int count,
                                       carom_error *error);

// Room for one certificate, or NULL when crm_buffer_grow must come first.
static inline unsigned char *crm_buffer_certificate(crm_buffer *buffer) {
    if (buffer->certificates.capacity - buffer->certificates.count < buffer->certificate_bytes) return NULL;
    unsigned char *place = buffer->certificates.items + buffer->certificates.count;
    buffer->certificates.count += buffer->certificate_bytes;
    return place;
}

// The place that was given last is not needed.
static inline void crm_buffer_take_back_certificate(crm_buffer *buffer) {
    buffer->certificates.count -= buffer->certificate_bytes;
}

// The joints that switched in the last step; as they are at the start of a recording.
carom_status crm_buffer_add_events(crm_buffer *buffer, const carom_state *state, carom_error *error);
carom_status crm_buffer_add_open_joints(crm_buffer *buffer, const carom_state *state, carom_error *error);

// Bytes that wait to be written.
size_t crm_buffer_pending(const crm_buffer *buffer);

int64_t crm_buffer_certificate_count(const crm_buffer *buffer);

// All of it is written: forgets it, but for the certificates of a row that is not full yet.
void crm_buffer_forget(crm_buffer *buffer);

#endif

// SPDX-License-Identifier: MIT
#include "record/file/record_buffer.h"

#include <limits.h>

#include "base/fail.h"

void crm_buffer_init(crm_buffer *buffer, const crm_run *run) {
    *buffer = (crm_buffer){.allocator = carom_allocator_default(),
                           .body_count = (int)run->body_count,
                           .joint_count = (int)run->joint_count,
                           .contacts = run->contacts,
                           .body_bytes = (size_t)run->body_count * CRM_FRAME_BODY_BYTES,
                           .certificate_bytes = (int)crm_certificate_bytes(run)};
    buffer->frame_bytes = CRM_FRAME_HEADER_BYTES + buffer->body_bytes + run->joint_bytes;
}

void crm_buffer_free(crm_buffer *buffer) {
    CRM_ARRAY_FREE(&buffer->allocator, &buffer->frames);
    CRM_ARRAY_FREE(&buffer->allocator, &buffer->certificates);
    CRM_ARRAY_FREE(&buffer->allocator, &buffer->collisions);
    CRM_ARRAY_FREE(&buffer->allocator, &buffer->events);
}

carom_status crm_buffer_add_frame(crm_buffer *buffer, const carom_state *state, carom_error *error) {
    int contact_count = 0;
    const carom_contact_state *contact = buffer->contacts ? carom_state_contacts(state, &contact_count) : NULL;
    size_t used = (size_t)buffer->frames.count, contact_bytes = (size_t)contact_count * CRM_CONTACT_BYTES;
    size_t bytes = buffer->frame_bytes + contact_bytes;
    if (bytes > (size_t)INT_MAX - used ||
        !CRM_ARRAY_RESERVE(&buffer->allocator, &buffer->frames, (ptrdiff_t)(used + bytes)))
        return crm_fail_memory(error, "frames that wait to be recorded", used + bytes);
    unsigned char *to = buffer->frames.items + used;
    crm_put_u64(to, (uint64_t)carom_state_step_count(state));
    crm_put_double(to + 8, carom_state_time(state));
    crm_put_u64(to + 16, contact_bytes);
    to += CRM_FRAME_HEADER_BYTES;
    for (int i = 0; i < buffer->body_count; i++, to += CRM_FRAME_BODY_BYTES) {
        carom_body_state body;
        carom_status status = carom_state_get_body(state, (carom_body){i}, &body, error);
        if (status != CAROM_OK) return status;
        crm_pack_body(&body, to);
    }
    for (int i = 0; i < buffer->joint_count; i++) {
        carom_joint_state joint;
        carom_status status = carom_state_get_joint(state, (carom_joint){i}, &joint, error);
        if (status != CAROM_OK) return status;
        to = crm_pack_joint(&joint, to);
    }
    for (int i = 0; i < contact_count; i++) to = crm_pack_contact(&contact[i], to);
    buffer->frames.count += (int)bytes;
    buffer->frame_count++;
    return CAROM_OK;
}

carom_status crm_buffer_add_events(crm_buffer *buffer, const carom_state *state, carom_error *error) {
    int count;
    const carom_joint_event *events = carom_state_joint_events(state, &count);
    if (count == 0) return CAROM_OK;
    if (!CRM_ARRAY_RESERVE(&buffer->allocator, &buffer->events, (ptrdiff_t)buffer->events.count + count))
        return crm_fail_memory(error, "joints that have switched", (size_t)count * sizeof *events);
    for (int i = 0; i < count; i++) buffer->events.items[buffer->events.count++] = events[i];
    return CAROM_OK;
}

carom_status crm_buffer_add_open_joints(crm_buffer *buffer, const carom_state *state, carom_error *error) {
    for (int j = 0; j < buffer->joint_count; j++) {
        if (carom_state_joint_is_closed(state, (carom_joint){j})) continue;
        carom_joint_event event = {.joint = {j},
                                   .reason = CAROM_SWITCH_START,
                                   .time = carom_state_time(state),
                                   .step = carom_state_step_count(state)};
        if (!CRM_ARRAY_PUSH(&buffer->allocator, &buffer->events, event))
            return crm_fail_memory(error, "open joints", sizeof event);
    }
    return CAROM_OK;
}

carom_status crm_buffer_grow(crm_buffer *buffer, carom_error *error) {
    ptrdiff_t wanted = (ptrdiff_t)buffer->certificates.count + CRM_RECORD_CHUNK * buffer->certificate_bytes;
    if (CRM_ARRAY_RESERVE(&buffer->allocator, &buffer->certificates, wanted)) return CAROM_OK;
    return crm_fail_memory(error, "certificates that wait to be recorded", (size_t)wanted);
}

carom_status crm_buffer_add_collisions(crm_buffer *buffer, const carom_collision *collisions, int count,
                                       carom_error *error) {
    int before = buffer->collisions.count;
    if (count > INT_MAX - before || !CRM_ARRAY_RESIZE(&buffer->allocator, &buffer->collisions, before + count))
        return crm_fail_memory(error, "collisions that wait to be recorded", (size_t)count * sizeof *collisions);
    memcpy(buffer->collisions.items + before, collisions, (size_t)count * sizeof *collisions);
    return CAROM_OK;
}

size_t crm_buffer_pending(const crm_buffer *buffer) {
    return (size_t)buffer->frames.count + (size_t)buffer->collisions.count * sizeof *buffer->collisions.items +
           (size_t)buffer->certificates.count -
           (size_t)buffer->written_certificates * (size_t)buffer->certificate_bytes;
}

int64_t crm_buffer_certificate_count(const crm_buffer *buffer) {
    return buffer->certificates.count / buffer->certificate_bytes;
}

void crm_buffer_forget(crm_buffer *buffer) {
    buffer->first_frame += buffer->frame_count;
    buffer->frame_count = 0;
    buffer->frames.count = 0;
    buffer->first_collision += buffer->collisions.count;
    buffer->collisions.count = 0;
    buffer->first_event += buffer->events.count;
    buffer->events.count = 0;
    int64_t count = crm_buffer_certificate_count(buffer), rest = count % CRM_RECORD_CHUNK;
    size_t rest_bytes = (size_t)rest * (size_t)buffer->certificate_bytes;
    if (rest != count) {
        unsigned char *items = buffer->certificates.items;
        memmove(items, items + (size_t)buffer->certificates.count - rest_bytes, rest_bytes);
    }
    buffer->certificates.count = (int)rest_bytes;
    buffer->first_certificate += count - rest;
    buffer->written_certificates = rest;
}

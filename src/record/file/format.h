// SPDX-License-Identifier: MIT
// The numbers of the file format and the packed layouts, as docs/recording.md tells them to other readers.
//
// Everything packed is little-endian, whatever the machine: the shifts below compile to plain loads and stores where
// the machine is so too.
#ifndef CRM_RECORD_FORMAT_H
#define CRM_RECORD_FORMAT_H

#include <stdint.h>
#include <string.h>

#include "carom/record.h"

enum {
    CRM_RECORD_APPLICATION = 0x6361726f, // "caro", in the header of the SQLite file
    CRM_RECORD_FORMAT = 6,               // its user_version
    CRM_RECORD_CHUNK = 1024,             // certificates a row
    CRM_RECORD_MOST_COLUMNS = 1000,      // of certificates: more are not believed
    CRM_FRAME_BODY_BYTES = 104,
    CRM_CONTACT_BYTES = 152,
};

static inline void crm_put_u32(unsigned char *to, uint32_t v) {
    for (int i = 0; i < 4; i++) to[i] = (unsigned char)(v >> 8 * i);
}

static inline void crm_put_u64(unsigned char *to, uint64_t v) {
    for (int i = 0; i < 8; i++) to[i] = (unsigned char)(v >> 8 * i);
}

static inline uint32_t crm_get_u32(const unsigned char *from) {
    uint32_t v = 0;
    for (int i = 0; i < 4; i++) v |= (uint32_t)from[i] << 8 * i;
    return v;
}

static inline uint64_t crm_get_u64(const unsigned char *from) {
    uint64_t v = 0;
    for (int i = 0; i < 8; i++) v |= (uint64_t)from[i] << 8 * i;
    return v;
}

static inline uint64_t crm_bits_of(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static inline double crm_double_of(uint64_t bits) {
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline unsigned char *crm_put_double(unsigned char *to, double value) {
    crm_put_u64(to, crm_bits_of(value));
    return to + 8;
}

static inline unsigned char *crm_put_vec3(unsigned char *to, carom_vec3 v) {
    return crm_put_double(crm_put_double(crm_put_double(to, v.x), v.y), v.z);
}

static inline double crm_take_double(const unsigned char **from) {
    double value = crm_double_of(crm_get_u64(*from));
    *from += 8;
    return value;
}

static inline carom_vec3 crm_take_vec3(const unsigned char **from) {
    double x = crm_take_double(from), y = crm_take_double(from);
    return (carom_vec3){x, y, crm_take_double(from)};
}

static inline void crm_pack_body(const carom_body_state *body, unsigned char *to) {
    to = crm_put_vec3(to, body->position);
    to = crm_put_double(to, body->attitude.w);
    to = crm_put_vec3(to, (carom_vec3){body->attitude.x, body->attitude.y, body->attitude.z});
    to = crm_put_vec3(to, body->velocity);
    crm_put_vec3(to, body->spin);
}

static inline void crm_unpack_body(const unsigned char *from, carom_body_state *out) {
    out->position = crm_take_vec3(&from);
    out->attitude.w = crm_take_double(&from);
    carom_vec3 v = crm_take_vec3(&from);
    out->attitude.x = v.x, out->attitude.y = v.y, out->attitude.z = v.z;
    out->velocity = crm_take_vec3(&from);
    out->spin = crm_take_vec3(&from);
}

// Of one joint in a frame: coordinates, rates, point, force, torque, two drifts.
static inline size_t crm_joint_bytes(int coordinate_count) {
    return 8 * (2 * (size_t)coordinate_count + 11);
}

static inline unsigned char *crm_pack_joint(const carom_joint_state *joint, unsigned char *to) {
    for (int i = 0; i < joint->coordinate_count; i++) to = crm_put_double(to, joint->coordinate[i]);
    for (int i = 0; i < joint->coordinate_count; i++) to = crm_put_double(to, joint->rate[i]);
    to = crm_put_vec3(to, joint->point);
    to = crm_put_vec3(to, joint->end_force);
    to = crm_put_vec3(to, joint->end_torque);
    to = crm_put_double(to, joint->linear_drift);
    return crm_put_double(to, joint->angular_drift);
}

static inline const unsigned char *crm_unpack_joint(const unsigned char *from, int coordinate_count,
                                                    carom_frame_joint *out) {
    *out = (carom_frame_joint){.coordinate_count = coordinate_count};
    for (int i = 0; i < coordinate_count; i++) out->coordinate[i] = crm_take_double(&from);
    for (int i = 0; i < coordinate_count; i++) out->rate[i] = crm_take_double(&from);
    out->point = crm_take_vec3(&from);
    out->force = crm_take_vec3(&from);
    out->torque = crm_take_vec3(&from);
    out->linear_drift = crm_take_double(&from);
    out->angular_drift = crm_take_double(&from);
    return from;
}

static inline unsigned char *crm_pack_contact(const carom_contact_state *contact, unsigned char *to) {
    crm_put_u32(to, (uint32_t)contact->a.index);
    crm_put_u32(to + 4, (uint32_t)contact->b.index);
    to = crm_put_vec3(to + 8, contact->point);
    to = crm_put_vec3(to, contact->normal);
    to = crm_put_vec3(to, contact->tangent);
    const double numbers[] = {contact->gap,
                              contact->friction,
                              contact->normal_impulse,
                              contact->tangent_impulse[0],
                              contact->tangent_impulse[1],
                              contact->normal_velocity,
                              contact->slip[0],
                              contact->slip[1]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) to = crm_put_double(to, numbers[i]);
    crm_put_u64(to, (uint64_t)contact->status);
    return to + 8;
}

static inline void crm_unpack_contact(const unsigned char *from, carom_contact_state *out) {
    out->a.index = (int32_t)crm_get_u32(from);
    out->b.index = (int32_t)crm_get_u32(from + 4);
    from += 8;
    out->point = crm_take_vec3(&from);
    out->normal = crm_take_vec3(&from);
    out->tangent = crm_take_vec3(&from);
    double *const numbers[] = {&out->gap,
                               &out->friction,
                               &out->normal_impulse,
                               &out->tangent_impulse[0],
                               &out->tangent_impulse[1],
                               &out->normal_velocity,
                               &out->slip[0],
                               &out->slip[1]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) *numbers[i] = crm_take_double(&from);
    out->status = (carom_contact_status)crm_get_u64(from);
}

#endif

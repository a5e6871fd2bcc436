// SPDX-License-Identifier: MIT
// Recordings as older versions of carom wrote them.
#ifndef TEST_SUPPORT_OLDER_RECORDING_H
#define TEST_SUPPORT_OLDER_RECORDING_H

// Rewrites a recording in format 3: no projections and impacts in certificates and checkpoints.
void make_recording_of_format_3(const char *path);

// Rewrites a recording without contacts in format 2: no table of shapes, names of bodies only, no contacts in frames,
// certificates and checkpoints.
void make_recording_of_format_2(const char *path);

// Rewrites a recording without joints in format 1: no table of joints, no joints in frames, no drift in certificates
// and checkpoints.
void make_recording_of_format_1(const char *path);

#endif

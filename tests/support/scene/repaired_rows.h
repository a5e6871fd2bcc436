// SPDX-License-Identifier: MIT
// Recordings that somebody has changed by SQL and whose digests he has repaired, as anybody can.
#ifndef TEST_SUPPORT_REPAIRED_ROWS_H
#define TEST_SUPPORT_REPAIRED_ROWS_H

// Runs statements on a recording, and makes the digests of all rows of a table right again; NULL: of no table.
void change_recording(const char *path, const char *sql, const char *table);

#endif

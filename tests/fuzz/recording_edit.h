// SPDX-License-Identifier: MIT
// Recordings with any changes and right digests, as anybody can make them.
#ifndef FUZZ_RECORDING_EDIT_H
#define FUZZ_RECORDING_EDIT_H

#include <stddef.h>

// Changes values of the SQLite file at `path`, a line of `lines` (which is taken apart) a change, then repairs the
// digests of all rows:
//
//   TABLE ROW COLUMN KIND VALUE [OFFSET]
//
// kind 0: a whole number, 1: a number, 2: a text of the value, 3: nothing, 4 and 5: 4 bytes and a double in the bytes
// that are there, at the offset, 6: only so many of these bytes, 7: the row is left out, 8: the row twice. Numbers of
// tables, rows and columns begin again at the end.
void recording_edit(const char *path, char *lines);

#endif

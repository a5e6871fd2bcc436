// SPDX-License-Identifier: MIT
// The joints of a recording as they stand in its last frame.
#ifndef CLI_JOINT_LIST_H
#define CLI_JOINT_LIST_H

#include <stdbool.h>

// A line, or with `json` an object, for each joint on the standard output; the exit code, after a sentence if it is not
// EXIT_GOOD.
int print_joint_list(const char *path, bool json);

#endif

// SPDX-License-Identifier: MIT
// Comparisons as pages. The exit code, after a sentence if it is not EXIT_GOOD.
#ifndef CLI_COMPARE_PAGE_H
#define CLI_COMPARE_PAGE_H

#include "compare/compare_methods.h"
#include "compare/compare_runs.h"

int write_methods_page(const char *path, bool force, const methods_comparison *c);
int write_runs_page(const char *path, bool force, const runs_comparison *c);

#endif

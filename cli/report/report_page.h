// SPDX-License-Identifier: MIT
// The page of reports, built into the program from viewer/; empty in a program that was built without it.
#ifndef CLI_REPORT_PAGE_H
#define CLI_REPORT_PAGE_H

extern const char report_page[];

#endif

// SPDX-License-Identifier: MIT
// What carom_summary_add does, as a list that is made once: a recorder goes through it after every step.
#ifndef CRM_RECORD_CERTIFICATE_H
#define CRM_RECORD_CERTIFICATE_H

#include "carom/certificate.h"

typedef enum crm_summary_action {
    CRM_SUMMARY_LARGEST_REAL,
    CRM_SUMMARY_LARGEST_COUNT,
    CRM_SUMMARY_LARGEST_SIZE,   // of a real
    CRM_SUMMARY_LARGEST_LENGTH, // of a vector
    CRM_SUMMARY_LEAST_REAL,
    CRM_SUMMARY_SUM_REAL,
    CRM_SUMMARY_SUM_COUNT,
    CRM_SUMMARY_SUM_VECTOR,
    CRM_SUMMARY_COUNT_STEPS,
    CRM_SUMMARY_ACTIONS
} crm_summary_action;

typedef struct crm_summary_entry {
    size_t from, to; // offsets in carom_step_report and carom_summary
    int usual;
} crm_summary_entry;

enum { CRM_SUMMARY_MOST_ENTRIES = 96 };

typedef struct crm_summary_list {
    int end[CRM_SUMMARY_ACTIONS]; // the entries of an action end here, and those of the next begin
    crm_summary_entry entry[CRM_SUMMARY_MOST_ENTRIES];
} crm_summary_list;

void crm_summary_list_make(crm_summary_list *list);
void crm_summary_list_add(const crm_summary_list *list, const carom_step_report *report, carom_summary *summary);

#endif

// SPDX-License-Identifier: MIT
// Summaries of certificates, quantity by quantity: as members of an object, and for people.
#ifndef CLI_SUMMARY_ITEMS_H
#define CLI_SUMMARY_ITEMS_H

#include "base/json.h"
#include "carom/certificate.h"

// One item under a key, or all of those that the table of quantities has, each under its name.
void put_summary_item(jsonl_writer *json, const char *key, const carom_summary *summary,
                      const carom_summary_item *item);
void put_summary_items(jsonl_writer *json, const carom_summary *summary);

// The item of a quantity that comparisons tell, as one number: of a vector its length.
double compared_value(const carom_quantity *quantity, const carom_summary *summary);

double mean_infeasibility(const carom_summary *summary);

#endif

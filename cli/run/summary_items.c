// SPDX-License-Identifier: MIT
#include "run/summary_items.h"

#include <math.h>

void put_summary_item(jsonl_writer *json, const char *key, const carom_summary *summary,
                      const carom_summary_item *item) {
    double value[3] = {0.0};
    for (int i = 0; i < (item->type == CAROM_QUANTITY_VECTOR ? 3 : 1); i++)
        value[i] = carom_summary_get(summary, item, i);
    if (item->type == CAROM_QUANTITY_VECTOR)
        jsonl_vector(json, key, (carom_vec3){value[0], value[1], value[2]});
    else if (item->type == CAROM_QUANTITY_COUNT)
        jsonl_int(json, key, (int64_t)value[0]);
    else
        jsonl_number(json, key, value[0]);
}

void put_summary_items(jsonl_writer *json, const carom_summary *summary) {
    int count;
    const carom_quantity *quantity = carom_quantities(&count);
    for (int q = 0; q < count; q++)
        for (int i = 0; i < CAROM_QUANTITY_MOST_ITEMS && quantity[q].summary[i].rule != CAROM_SUMMARY_NONE; i++) {
            const carom_summary_item *item = &quantity[q].summary[i];
            bool mean = item->rule == CAROM_SUMMARY_MEAN; // what is kept is the sum
            put_summary_item(json, mean ? quantity[q].name : item->name, summary, item);
        }
}

double compared_value(const carom_quantity *quantity, const carom_summary *summary) {
    const carom_summary_item *item = &quantity->summary[0];
    double value = carom_summary_get(summary, item, 0);
    if (item->type != CAROM_QUANTITY_VECTOR) return value;
    return hypot(hypot(value, carom_summary_get(summary, item, 1)), carom_summary_get(summary, item, 2));
}

double mean_infeasibility(const carom_summary *summary) {
    return summary->steps > 0 ? summary->mean_infeasibility_sum / (double)summary->steps : 0.0;
}

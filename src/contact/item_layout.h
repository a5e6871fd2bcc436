// SPDX-License-Identifier: MIT
// The order of items: proxies by their ids, then parts. A proxy's place in that order is its *rank*.
#ifndef CRM_CONTACT_ITEM_LAYOUT_H
#define CRM_CONTACT_ITEM_LAYOUT_H

#include "base/arena.h"
#include "contact/item.h"

typedef struct crm_item_layout {
    const carom_proxy *proxies;
    int proxy_count, item_count;
    const int32_t *place; // (proxy_count) of the proxy of a rank in the caller's array
    const int32_t *first; // (proxy_count + 1) item of a rank
    const int32_t *rank;  // (item_count)
} crm_item_layout;

// Lays out proxies whose ids differ; the arrays are on the arena. False: no memory.
bool crm_item_layout_of(int count, const carom_proxy *proxies, crm_arena *arena, crm_item_layout *out);

static inline const carom_proxy *crm_layout_proxy(const crm_item_layout *layout, int item) {
    return &layout->proxies[layout->place[layout->rank[item]]];
}

void crm_layout_item(const crm_item_layout *layout, int item, crm_item *out);

#endif

// SPDX-License-Identifier: MIT
// Items: the convex parts of proxies, which is what pairs are made of.
//
// Items stand in the order of their proxies' ids, then of their parts, whatever the order of the proxies. All that
// follows goes by the numbers of items, and so by ids alone.
#ifndef CRM_CONTACT_ITEM_H
#define CRM_CONTACT_ITEM_H

#include "carom/contact.h"
#include "distance/features/features.h"
#include "shape/shape.h"

typedef struct crm_item {
    const carom_proxy *proxy;
    int32_t place; // of the proxy in the caller's array
    int32_t rank;  // of the proxy in the order of ids
    int32_t part;  // of its shape; 0 when it is no compound

    // What every pair asks for, so that none has to go by way of proxy and shape: crm_make_item_ready.
    int32_t id;            // of the proxy
    carom_shape_kind kind; // of the view
    bool is_box;           // for crm_list_box_features
    double size;           // of the whole proxy: crm_proxy_size, m
    double extent;         // crm_view_extent, m
    double margin;         // of the proxy, m
    crm_posed_box posed;   // of boxes and, with half axes for half edges, of ellipsoids; of others the position alone

    carom_view view; // of the part alone, at its pose in the world, seen from its own centre; of a proxy that is no
                     // compound the proxy's own view
} crm_item;

// Shapes are all over memory: told to the processor some proxies before they are asked for.
enum { CRM_PROXIES_AHEAD = 8 };

static inline void crm_fetch_shape(const carom_shape *shape) {
    if (shape == NULL) return;
    __builtin_prefetch(&shape->kind);
    __builtin_prefetch(&shape->half_axes);
    __builtin_prefetch(&shape->polytope.vertex_count);
    __builtin_prefetch(&shape->polytope.tolerance);
}

// Fills in what follows from proxy and view, which have been checked.
void crm_make_item_ready(crm_item *item);

// An axis-parallel box that an item cannot leave within the step: about the item where it is now, grown by the margin
// on all sides. Of an unbounded item: all of space.
//
// Two items whose gap is at most the sum of their margins have points p and q with |p - q| <= margin_p + margin_q, so
// that in every coordinate the grown boxes meet: no pair that can touch is missed.
typedef struct crm_box {
    double low[3], high[3];
} crm_box;

// A pair of items that can touch: the numbers of A and B. A's proxy has the lower id.
typedef struct crm_item_pair {
    int32_t a, b;
} crm_item_pair;

#endif

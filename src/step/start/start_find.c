// SPDX-License-Identifier: MIT
// Which bodies overlap, by how much and along which normals.
#include <math.h>

#include "base/fail.h"
#include "model/proxies.h"
#include "step/start/start.h"

carom_status crm_start_create(carom_state *state, crm_start *start, carom_error *error) {
    *start = (crm_start){.state = state, .model = state->model, .proxy_count = crm_proxy_count(state->model, false)};
    crm_arena_init(&start->arena, &state->model->allocator);
    if (start->proxy_count == 0) return CAROM_OK;
    start->proxies = CRM_ARENA_ARRAY(&start->arena, carom_proxy, start->proxy_count);
    if (start->proxies == NULL)
        return crm_fail_memory(error, "overlaps at the start", (size_t)start->proxy_count * sizeof *start->proxies);
    carom_contact_options options = crm_contact_options(state);
    return carom_contact_set_create(&options, &state->model->allocator, &start->set, error);
}

void crm_start_release(crm_start *start) {
    carom_contact_set_destroy(start->set);
    CRM_ARRAY_FREE(&start->model->allocator, &start->sites);
    crm_arena_free(&start->arena);
}

// Bodies have the ids of their proxies.
static crm_contact_site site_of(const crm_start *start, const carom_contact *contact) {
    crm_contact_site site = {.a = start->proxies[contact->a].id,
                             .b = start->proxies[contact->b].id,
                             .gap = contact->gap,
                             .point = crm_scale(0.5, crm_add(contact->point_a, contact->point_b))};
    site.direction[0] = contact->normal;
    site.size = crm_pair_size(start->model, site.a, site.b);
    return site;
}

carom_status crm_start_find(crm_start *start, const crm_motion *motions, double margin, carom_error *error) {
    start->sites.count = 0;
    if (start->proxy_count == 0) return CAROM_OK;
    crm_fill_proxies(start->model, false, motions, 0.0, 1.0, start->proxies);
    for (int i = 0; i < start->proxy_count; i++) {
        double size = start->model->bodies.items[start->proxies[i].id].size;
        start->proxies[i].margin = isfinite(size) ? margin * size : 0.0;
    }
    carom_status status = carom_contact_set_update(start->set, start->proxy_count, start->proxies, NULL, error);
    if (status != CAROM_OK) return status;
    int count;
    const carom_contact *list = carom_contact_set_list(start->set, &count);
    if (!CRM_ARRAY_RESIZE(&start->model->allocator, &start->sites, count))
        return crm_fail(error, CAROM_ERR_NO_MEMORY, "no memory for %d contacts", count);
    for (int i = 0; i < count; i++) start->sites.items[i] = site_of(start, &list[i]);
    crm_start_keep_to_plane(start, motions);
    return CAROM_OK;
}

crm_deepest crm_start_deepest(const crm_start *start, double least) {
    crm_deepest deepest = {.a = -1, .b = -1};
    const crm_contact_sites *sites = &start->sites;
    for (int i = 0; i < sites->count;) {
        const crm_contact_site *first = &sites->items[i];
        double depth = 0.0;
        for (; i < sites->count && sites->items[i].a == first->a && sites->items[i].b == first->b; i++)
            depth = fmax(depth, -sites->items[i].gap);
        double share = depth / first->size;
        if (!(share > least)) continue;
        deepest.pairs++;
        if (share > deepest.share) deepest = (crm_deepest){share, depth, first->a, first->b, deepest.pairs};
    }
    return deepest;
}

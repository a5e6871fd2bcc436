// SPDX-License-Identifier: MIT
#include "contact/contact_check.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "base/hash.h"
#include "base/pool.h"
#include "contact/item.h"
#include "distance/side.h"

carom_status crm_check_contact_options(const carom_contact_options *options, carom_error *error) {
    if ((int)options->measure < 0 || options->measure >= CAROM_MEASURE_COUNT)
        return crm_refuse(error, "contact options: measure is %d, must be 0 ... %d", (int)options->measure,
                          CAROM_MEASURE_COUNT - 1);
    if (!(options->duration >= 0.0) || !isfinite(options->duration))
        return crm_refuse(error, "contact options: duration is %g s, must be finite and at least 0", options->duration);
    if (options->threads < 1 || options->threads > CRM_POOL_MOST_THREADS)
        return crm_refuse(error, "contact options: threads is %d, must be 1 ... %d", options->threads,
                          CRM_POOL_MOST_THREADS);
    return CAROM_OK;
}

// ---- one proxy

// A square beyond all numbers needs a closer look.
static bool has_usual_motion(const carom_proxy *proxy) {
    double motion =
        crm_dot(proxy->motion.velocity, proxy->motion.velocity) + crm_dot(proxy->motion.spin, proxy->motion.spin);
    return isfinite(motion) && proxy->margin >= 0.0 && proxy->margin <= CAROM_SHAPE_MOST_SIZE;
}

static carom_status check_proxy(int place, const carom_proxy *proxy, carom_error *error) {
    char name[64] = "";
    bool good = proxy->id >= 0 && crm_check_view(&proxy->view, name, NULL) == CAROM_OK;
    if (good && has_usual_motion(proxy)) return CAROM_OK;
    snprintf(name, sizeof name, "of proxy %d (id %d)", place, (int)proxy->id);
    if (proxy->id < 0) return crm_refuse(error, "proxy %d: id is %d, must not be negative", place, (int)proxy->id);
    carom_status status = crm_check_view(&proxy->view, name, error);
    if (status != CAROM_OK) return status;
    carom_vec3 v = proxy->motion.velocity, w = proxy->motion.spin;
    if (!crm_vec3_finite(v) || !crm_vec3_finite(w))
        return crm_refuse(error, "motion %s: velocity is (%g, %g, %g) and spin (%g, %g, %g), must be finite", name, v.x,
                          v.y, v.z, w.x, w.y, w.z);
    if (!(proxy->margin >= 0.0) || !(proxy->margin <= CAROM_SHAPE_MOST_SIZE))
        return crm_refuse(error,
                          "margin %s is %g m, must be 0 ... 1e9 m; an unbounded shape that rotates has none: fix it",
                          name, proxy->margin);
    return CAROM_OK;
}

static bool is_usual(const carom_proxy *proxy) {
    return crm_view_is_plain(&proxy->view) && proxy->id >= 0 && has_usual_motion(proxy);
}

// ---- all of them

// By a table.
static carom_status check_ids(int count, const carom_proxy *proxies, crm_arena *scratch, carom_error *error) {
    int64_t slots = 8;
    while (slots < 2 * (int64_t)count) slots *= 2;
    crm_mark mark = crm_arena_mark(scratch);
    int *table = CRM_ARENA_ZEROED(scratch, int, slots); // 1 + place of a proxy, 0 empty
    if (table == NULL) return crm_fail_memory(error, "the ids of proxies", (size_t)slots * sizeof *table);
    carom_status status = CAROM_OK;
    for (int i = 0; i < count && status == CAROM_OK; i++) {
        int64_t slot = (int64_t)(crm_hash(0, &proxies[i].id, sizeof proxies[i].id) & (uint64_t)(slots - 1));
        for (; table[slot] != 0 && proxies[table[slot] - 1].id != proxies[i].id; slot = (slot + 1) & (slots - 1)) {
        }
        if (table[slot] != 0)
            status = crm_refuse(error, "proxies %d and %d have the same id %d, ids must be unique", table[slot] - 1, i,
                                (int)proxies[i].id);
        table[slot] = i + 1;
    }
    crm_arena_release(scratch, mark);
    return status;
}

static bool is_unbounded(const carom_proxy *proxy) {
    carom_shape_kind kind = crm_view_kind(&proxy->view);
    return kind == CAROM_SHAPE_HALF_SPACE || kind == CAROM_SHAPE_CONTAINER;
}

static carom_status check_unbounded(int count, const carom_proxy *proxies, carom_error *error) {
    int first = -1, free_one = -1;
    for (int i = 0; i < count; i++) {
        if (!is_unbounded(&proxies[i])) continue;
        if (first >= 0 && (free_one >= 0 || !proxies[i].fixed))
            return crm_refuse(
                error,
                "proxies %d (id %d) and %d (id %d) are both unbounded, and one of them is not fixed: their "
                "distance is not defined; fix both",
                first, (int)proxies[first].id, i, (int)proxies[i].id);
        if (first < 0) first = i;
        if (!proxies[i].fixed) free_one = i;
    }
    return CAROM_OK;
}

carom_status crm_check_proxies(int count, const carom_proxy *proxies, crm_arena *scratch, carom_error *error) {
    if (count < 0 || (count > 0 && proxies == NULL))
        return crm_refuse(error, "%d proxies are given %s", count,
                          count < 0 ? "; the count must not be negative" : "without an array");
    bool ascending = true;
    int unbounded = 0;
    for (int i = 0; i < count; i++) {
        if (i + CRM_PROXIES_AHEAD < count) crm_fetch_shape(proxies[i + CRM_PROXIES_AHEAD].view.shape);
        if (i > 0) ascending &= proxies[i - 1].id < proxies[i].id;
        if (is_usual(&proxies[i])) continue;
        carom_status status = check_proxy(i, &proxies[i], error);
        if (status != CAROM_OK) return status;
        unbounded += is_unbounded(&proxies[i]);
    }
    carom_status status = ascending ? CAROM_OK : check_ids(count, proxies, scratch, error); // ascending ones differ
    return status == CAROM_OK && unbounded > 1 ? check_unbounded(count, proxies, error) : status;
}

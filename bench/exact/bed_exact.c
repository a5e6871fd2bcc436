// SPDX-License-Identifier: MIT
#include "exact/bed_exact.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "math/quat.h"
#include "reference/ellipsoid/ellipsoid_brute.h"

// Starts of the search for the highest of an ellipsoid pair's maxima, besides the axes of both and the line of centres.
enum { ELLIPSOID_STARTS = 8 };

// An overlap that is less deep than this may be passed over without blame, m: single precision cannot tell it.
static const double least_depth = 1e-5;

typedef struct placed {
    int body;
    const bench_bed_body *what;
    double radius;
    carom_pose pose;
    carom_mat3 axes;
} placed;

// ---- exact gaps

static double extent_along(const placed *p, carom_vec3 n) {
    carom_vec3 h = p->what->half;
    carom_vec3 along = {h.x * crm_dot(p->axes.x, n), h.y * crm_dot(p->axes.y, n), h.z * crm_dot(p->axes.z, n)};
    return p->what->is_box ? fabs(along.x) + fabs(along.y) + fabs(along.z) : crm_length(along);
}

// Two boxes overlap by the least of the 15 axes, which are the facets of their difference.
static double box_gap(const placed *a, const placed *b) {
    const carom_vec3 axes_a[3] = {a->axes.x, a->axes.y, a->axes.z}, axes_b[3] = {b->axes.x, b->axes.y, b->axes.z};
    carom_vec3 axes[15], between = crm_sub(b->pose.position, a->pose.position);
    int count = 0;
    for (int i = 0; i < 3; i++) {
        axes[count++] = axes_a[i];
        axes[count++] = axes_b[i];
        for (int j = 0; j < 3; j++) {
            carom_vec3 cross = crm_cross(axes_a[i], axes_b[j]);
            // Of parallel edges there is no such facet.
            if (crm_normalise(cross, &axes[count]) > 1e-8) count++;
        }
    }
    double gap = -INFINITY;
    for (int i = 0; i < count; i++)
        gap = fmax(gap, fabs(crm_dot(axes[i], between)) - extent_along(a, axes[i]) - extent_along(b, axes[i]));
    return gap;
}

static ellipsoid ellipsoid_of(const placed *p) {
    carom_vec3 c = p->pose.position, h = p->what->half;
    carom_quat q = p->pose.attitude;
    return (ellipsoid){{c.x, c.y, c.z}, {h.x, h.y, h.z}, {q.w, q.x, q.y, q.z}};
}

static double ellipsoid_gap(const placed *a, const placed *b) {
    ellipsoid first = ellipsoid_of(a), second = ellipsoid_of(b);
    ellipsoid_result r;
    ellipsoid_brute_distance(&first, &second, ELLIPSOID_STARTS, &r);
    return r.distance;
}

// INFINITY when the balls around them are apart, or when there is no exact value.
static double pair_gap(const placed *a, const placed *b) {
    if (a->what->is_box != b->what->is_box) return INFINITY;
    if (crm_distance(a->pose.position, b->pose.position) >= a->radius + b->radius) return INFINITY;
    return a->what->is_box ? box_gap(a, b) : ellipsoid_gap(a, b);
}

// ---- all of them

static int compare_places(const void *a, const void *b) {
    double x = ((const placed *)a)->pose.position.x, y = ((const placed *)b)->pose.position.x;
    return (x > y) - (x < y);
}

static int compare_contacts(const void *a, const void *b) {
    const bench_bed_contact *x = a, *y = b;
    if (x->a != y->a) return x->a < y->a ? -1 : 1;
    return (x->b > y->b) - (x->b < y->b);
}

static void sort_contacts(bench_bed_list *list) {
    if (list->count > 0) qsort(list->contacts, (size_t)list->count, sizeof *list->contacts, compare_contacts);
}

static placed *place_bodies(const bench_bed *bed, double time, double *largest) {
    placed *all = malloc((size_t)bed->count * sizeof *all);
    if (all == NULL) {
        fprintf(stderr, "carom: no memory for the exact overlaps of a bed\n");
        exit(3);
    }
    *largest = 0.0;
    for (int i = 0; i < bed->count; i++) {
        carom_pose pose = bench_bed_pose(bed, i, time);
        all[i] = (placed){i, &bed->bodies[i], bench_bed_radius(&bed->bodies[i]), pose, crm_quat_to_mat3(pose.attitude)};
        *largest = fmax(*largest, all[i].radius);
    }
    qsort(all, (size_t)bed->count, sizeof *all, compare_places);
    return all;
}

bench_bed_list bench_bed_overlaps(const bench_bed *bed, double time, int bodies) {
    bench_bed_list list = {0};
    double largest;
    placed *all = place_bodies(bed, time, &largest);
    for (int i = 0; i < bed->count; i++) {
        const placed *p = &all[i];
        double floor_gap = p->pose.position.z - extent_along(p, crm_vec3(0.0, 0.0, 1.0));
        if (floor_gap < -least_depth) bench_bed_add(&list, p->body, BENCH_BED_FLOOR, floor_gap);
        double end = p->pose.position.x + p->radius + largest;
        for (int j = i + 1; j < bed->count && all[j].pose.position.x < end; j++) {
            if (p->body >= bodies && all[j].body >= bodies) continue;
            double gap = pair_gap(p, &all[j]);
            if (gap < -least_depth) bench_bed_add(&list, p->body, all[j].body, gap);
        }
    }
    free(all);
    sort_contacts(&list);
    return list;
}

bench_bed_verdict bench_bed_compare(const bench_bed_list *overlaps, bench_bed_list *found) {
    bench_bed_verdict verdict = {.overlaps = overlaps->count};
    sort_contacts(found);
    int next = 0;
    for (int i = 0; i < overlaps->count; i++) {
        const bench_bed_contact *exact = &overlaps->contacts[i];
        while (next < found->count && compare_contacts(&found->contacts[next], exact) < 0) next++;
        double best = INFINITY;
        for (int k = next; k < found->count && compare_contacts(&found->contacts[k], exact) == 0; k++)
            best = fmin(best, fabs(found->contacts[k].gap - exact->gap));
        if (isinf(best))
            verdict.missed++;
        else
            verdict.error = fmax(verdict.error, best);
    }
    return verdict;
}

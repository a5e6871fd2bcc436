// SPDX-License-Identifier: MIT
// The Euclidean gap of two cores, each perhaps with a ball around it: the ray tells whether the cores are apart, and
// its triangle is where the search for the nearest point or for the depth begins. A ball only takes its radius off,
// apart and overlapping: the support function of the difference grows by radius |n|.

// Everything of the witness but the flags, from the cores' own gap.
static inline void finish_gap(const difference *d, int count, const corner *c, const double *w, double core_gap_value,
                              carom_vec3 normal, carom_gap_witness *out) {
    const crm_side *a = d->a.side, *b = d->b.side;
    int vertex_a[3], vertex_b[3];
    double weight[3];
    for (int k = 0; k < 3; k++) {
        vertex_a[k] = c[k < count ? k : 0].a, vertex_b[k] = c[k < count ? k : 0].b;
        weight[k] = k < count ? w[k] : 0.0;
    }
    fill_touch(&out->a, vertex_a, weight);
    fill_touch(&out->b, vertex_b, weight);
    carom_vec3 arm_a = mean_arm(&d->a, vertex_a, weight), arm_b = mean_arm(&d->b, vertex_b, weight);
    out->normal = normal;
    out->gap = core_gap_value - a->radius - b->radius;
    out->point_a = crm_add(a->centre, crm_madd(arm_a, a->radius, out->normal));
    out->point_b = crm_add(b->centre, crm_madd(arm_b, -b->radius, out->normal));
    crm_align_points(crm_scale(out->gap, out->normal), &out->point_a, &out->point_b);
    out->normal_unique = out->points_unique = true;
}

static inline void keep_gap(carom_distance_cache *cache, int count, const corner *c, carom_vec3 normal) {
    if (cache == NULL) return;
    cache->gap_count = count;
    keep_pairs(count, c, cache->gap);
    cache->gap_normal = normal;
}

// Nearest points found: a normal from the sides of a triangle is better than v, whose digits go when the gap is small.
static inline void finish_apart(const difference *d, const simplex *s, double known, double scale,
                                carom_distance_cache *cache, carom_gap_witness *out) {
    carom_vec3 n = crm_scale(1.0 / s->distance, s->v);
    double gap = s->distance;
    if (s->count == 3) {
        const carom_vec3 z[3] = {s->c[0].z, s->c[1].z, s->c[2].z};
        carom_vec3 unit;
        if (crm_normalise(crm_triangle_normal(z), &unit) > 0.0) n = crm_dot(unit, s->v) > 0.0 ? unit : crm_negate(unit);
        gap = crm_dot(n, s->c[0].z);
    }
    finish_gap(d, s->count, s->c, s->w, gap, n, out);
    out->global = true;
    out->accuracy = (known > 0.0 ? known : 0.0) + 8.0 * DBL_EPSILON * scale;
    keep_gap(cache, s->count, s->c, out->normal);
}

// The weights of the origin's foot on a facet; false when it is outside, as on another triangle of the same facet.
static inline bool weigh_facet(const corner c[3], double w[3]) {
    const double rounding = 1e-13;
    const carom_vec3 z[3] = {c[0].z, c[1].z, c[2].z};
    crm_triangle_foot(z, w);
    for (int k = 0; k < 3; k++) {
        if (!(w[k] >= -rounding)) return false;
        w[k] = w[k] > 0.0 ? w[k] : 0.0;
    }
    return true;
}

static inline void corners_about(const difference *d, int count, corner *c) {
    for (int k = 0; k < count; k++) c[k].z = corner_at(d, c[k].a, c[k].b);
}

// Bounds of the depth that are farther apart than this share of the scale are more than roundings of corners.
static const double doubted = 4.0 * DBL_EPSILON;
// How often the facet is looked at along its normal: the second time along the normal that the first has found.
enum { MOST_LOOKS = 2 };

// How far the difference reaches along -m of a cast's portal, m of any length: `back` takes its corners to where the
// origin is the true one.
static inline double extent_along(const portal *p, carom_vec3 back, carom_vec3 *outward) {
    double length = crm_length(p->m), gain = p->gain > 0.0 ? p->gain : 0.0;
    *outward = crm_scale(-1.0 / length, p->m);
    return crm_dot(*outward, crm_add(portal_corner(p, 0).z, back)) + gain / length;
}

// The line along the normal meets the facet where the weights are wanted, in a triangle beyond which nothing is by more
// than rounding: its normal may be better than that of a thin one. False, with nothing changed, when it does not.
static __attribute__((noinline)) bool look_along(difference *d, carom_vec3 c, double size, depth_found *depth,
                                                 double w[3]) {
    carom_vec3 n = crm_negate(depth->normal), outward;
    double along_line = crm_dot(c, n);
    cast along;
    cast_ray(d, n, crm_madd(c, -along_line, n), size, NULL, &along);
    if (along.end != WALK_FOUND) return false;
    double sum = along.w[0] + along.w[1] + along.w[2];
    double extent = extent_along(&along.portal, crm_madd(along.delta, along_line, n), &outward);
    d->shift = c;
    for (int k = 0; k < 3; k++) {
        depth->c[k] = portal_corner(&along.portal, k);
        w[k] = along.w[k] / sum;
    }
    corners_about(d, 3, depth->c);
    if (extent < depth->depth) {
        depth->depth = extent;
        depth->normal = outward;
    }
    return true;
}

// The depth with its bound from below, and weights of the facet's corners; gives the number of supports.
static inline int prove_depth(difference *d, const cast *found, carom_vec3 c, double scale, depth_found *depth,
                              double w[3]) {
    double size = (d->a.side->size - d->a.side->radius) + (d->b.side->size - d->b.side->radius);
    hull h;
    find_depth(d, c, scale, &h, depth);
    bound_depth(&h, scale, depth);
    int supports = d->supports;
    bool weighed =
        depth->on_face && depth->c[0].a >= 0 && depth->c[1].a >= 0 && depth->c[2].a >= 0 && weigh_facet(depth->c, w);
    for (int k = 0; k < MOST_LOOKS && (!weighed || depth->depth - depth->least > doubted * scale); k++) {
        bool met = look_along(d, c, size, depth, w);
        supports += d->supports;
        if (!met) break;
        weighed = true;
        bound_depth(&h, scale, depth);
    }
    if (weighed) return supports;
    for (int k = 0; k < 3; k++) { // what the ray knew
        depth->c[k] = portal_corner(&found->portal, k);
        w[k] = found->w[k];
    }
    return supports;
}

// Overlapping: `found` is a cast whose line is that of the centres, `c` from centre to centre.
static __attribute__((noinline)) void finish_overlap(difference *d, const cast *found, carom_vec3 c, double scale,
                                                     carom_distance_cache *cache, carom_gap_witness *out) {
    depth_found depth = {.on_face = true};
    double w[3];
    depth.depth = extent_along(&found->portal, crm_add(found->delta, c), &depth.normal);
    for (int k = 0; k < 3; k++) depth.c[k] = portal_corner(&found->portal, k);
    if (!d->cold) take_difference(d->a.side, d->b.side, false, d); // the questions to come are far from each other
    d->shift = c;
    d->supports = 0;
    corners_about(d, 3, depth.c);
    int supports = prove_depth(d, found, c, scale, &depth, w);
    finish_gap(d, 3, depth.c, w, -depth.depth, crm_negate(depth.normal), out);
    out->global = depth.depth - depth.least <= 1e-12 * scale;
    out->accuracy = depth.depth - depth.least + 8.0 * DBL_EPSILON * scale;
    out->supports = supports;
    keep_gap(cache, 0, depth.c, out->normal); // the next query begins with the ray: from inside, no simplex leads out
}

// From the simplex of the last query. False when the cores are not apart, or it cannot be seen from there.
static __attribute__((noinline)) bool warm_apart(difference *d, carom_vec3 c, double scale, carom_distance_cache *cache,
                                                 carom_gap_witness *out) {
    corner last[3];
    for (int k = 0; k < cache->gap_count; k++) last[k].a = cache->gap[k][0], last[k].b = cache->gap[k][1];
    d->shift = c;
    corners_about(d, cache->gap_count, last);
    simplex s;
    if (cache->gap_count == 3)
        nearest_of_three(&last[0], &last[1], &last[2], &s);
    else if (cache->gap_count == 2)
        nearest_of_two(&last[0], &last[1], &s);
    else
        s = (simplex){.count = 1, .c = {last[0]}, .w = {1.0}, .v = last[0].z, .distance = crm_length(last[0].z)};
    double known = 0.0;
    if (!find_nearest(d, scale, &s, &known)) return false;
    finish_apart(d, &s, known, scale, cache, out);
    out->supports = d->supports;
    return true;
}

static const double nearly_touching = 1e-12;

// When the ray of the centres finds nothing: cores that make a flat difference, or one so thin that its facets are lost
// in rounding. Apart, the nearest point needs no ray. Overlapping, the best of the rays through the origin along six
// axes is a way out, not proved to be the shortest.
static __attribute__((noinline)) void gap_without_ray(difference *d, const carom_vec3 *between, double scale,
                                                      carom_distance_cache *cache, carom_gap_witness *out) {
    carom_vec3 c = *between, forward = crm_length_squared(c) > 0.0 ? c : crm_vec3(1.0, 0.0, 0.0);
    d->shift = c;
    d->supports = 0; // the rays that failed have used up theirs
    corner first = lowest(d, forward, NULL);
    simplex s = {.count = 1, .c = {first}, .w = {1.0}, .v = first.z, .distance = crm_length(first.z)};
    double known = 0.0;
    if (find_nearest(d, scale, &s, &known)) {
        finish_apart(d, &s, known, scale, cache, out);
        return;
    }
    double best = -HUGE_VAL, weight[3] = {1.0, 0.0, 0.0};
    carom_vec3 normal;
    crm_normalise(forward, &normal);
    corner facet[3] = {first, first, first};
    for (int k = 0; k < 7; k++) {
        // Six axes, and then the way out that they have found, so that the points lie on it.
        double sign = k % 2 ? -1.0 : 1.0;
        carom_vec3 n = k == 6 ? normal : crm_vec3(sign * (k / 2 == 0), sign * (k / 2 == 1), sign * (k / 2 == 2));
        cast along;
        cast_ray(d, n, crm_madd(c, -crm_dot(c, n), n), scale, NULL, &along);
        if (along.end != WALK_FOUND) continue;
        const portal *p = &along.portal;
        double lambda = height_of(&along) / p->along;
        double gap = (crm_dot(c, n) + lambda) * p->along / crm_length(p->m);
        if (!(gap > best) && k < 6) continue;
        best = gap;
        normal = crm_scale(1.0 / crm_length(p->m), p->m);
        for (int i = 0; i < 3; i++) facet[i] = portal_corner(p, i), weight[i] = along.w[i];
    }
    bool found = best > -HUGE_VAL;
    finish_gap(d, 3, facet, weight, found && best < 0.0 ? best : 0.0, normal, out);
    out->global = false;
    out->accuracy = found ? fabs(best) + 1e-12 * scale : scale;
    keep_gap(cache, 0, facet, out->normal);
}

static inline void gap_between(const crm_side *a, const crm_side *b, carom_distance_cache *cache,
                               carom_gap_witness *out) {
    carom_vec3 c = crm_sub(b->centre, a->centre), beta;
    // Of the cores: a large ball around a small one must not hide it.
    double size = (a->size - a->radius) + (b->size - b->radius);
    double centre_distance = crm_normalise(c, &beta), scale = size + centre_distance;
    difference d;
    bool warm =
        cache != NULL && cache->gap_count > 0 && cache->gap_count <= 3 && pairs_fit(cache->gap_count, cache->gap, a, b);
    bool warm_ray = ray_is_warm(cache, a, b);
    take_difference(a, b, warm || warm_ray, &d);
    if (warm && warm_apart(&d, c, scale, cache, out)) return;
    int supports = d.supports;
    // Coincident centres: any direction will do.
    if (centre_distance == 0.0) beta = crm_vec3(1.0, 0.0, 0.0);
    cast found;
    cast_ray(&d, beta, crm_vec3_zero(), size, warm_ray ? cache->ray : NULL, &found);
    supports += d.supports;
    if (found.end != WALK_FOUND) {
        gap_without_ray(&d, &c, scale, cache, out);
        out->supports = supports + d.supports;
        return;
    }
    const portal *p = &found.portal;
    corner start[3] = {portal_corner(p, 0), portal_corner(p, 1), portal_corner(p, 2)};
    if (cache != NULL) {
        cache->ray_count = 3;
        keep_pairs(3, start, cache->ray);
    }
    double lambda = height_of(&found) / p->along;
    double t = centre_distance + lambda, touching = 16.0 * DBL_EPSILON * scale;
    if (t < -touching) {
        finish_overlap(&d, &found, c, scale, cache, out);
        out->supports += supports;
        return;
    }
    d.shift = c;
    d.supports = 0;
    corners_about(&d, 3, start);
    simplex s;
    double known = 0.0;
    nearest_of_three(&start[0], &start[1], &start[2], &s);
    bool proved = t > touching && find_nearest(&d, scale, &s, &known);
    // So close that the direction of the nearest point is all rounding: the ray's normal knows better.
    double plane_gap = t * p->along / crm_length(p->m);
    bool lost = t <= touching || (!proved && (t <= nearly_touching * scale || s.distance <= touching));
    if (!lost) {
        finish_apart(&d, &s, known, scale, cache, out);
    } else {
        // Touching to rounding: the facet that the ray pierced is the contact.
        finish_gap(&d, 3, start, found.w, plane_gap, crm_scale(1.0 / crm_length(p->m), p->m), out);
        out->global = true;
        out->accuracy = fabs(t) + touching;
        keep_gap(cache, 3, start, out->normal);
    }
    out->supports = supports + d.supports;
}

static void core_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    gap_between(a, b, cache, out);
}

static void plain_gap(const carom_view *a, const carom_view *b, carom_distance_cache *cache, carom_gap_witness *out) {
    crm_side side_a, side_b;
    place_plain(a, &side_a);
    place_plain(b, &side_b);
    gap_between(&side_a, &side_b, cache, out);
}

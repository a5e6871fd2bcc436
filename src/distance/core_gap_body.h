// SPDX-License-Identifier: MIT
// The Euclidean gap of two cores, each perhaps with a ball around it: the ray tells whether the cores are apart, and
// its triangle is where the search for the nearest point or for the depth begins. A ball only takes its radius off,
// apart and overlapping: the support function of the difference grows by radius |n|.

// Everything of the witness but the flags, from the cores' own gap.
static inline void finish_gap(const crm_side *a, const crm_side *b, int count, const corner *c, const double *w,
                              double core_gap_value, carom_vec3 normal, carom_gap_witness *out) {
    carom_vec3 arm_a, arm_b;
    weigh(a, b, count, c, w, &out->a, &out->b, &arm_a, &arm_b);
    out->normal = crm_mat3_apply(a->rotation, normal);
    out->gap = core_gap_value - a->radius - b->radius;
    out->point_a = crm_add(a->centre, crm_madd(arm_a, a->radius, out->normal));
    out->point_b = crm_add(b->centre, crm_madd(arm_b, -b->radius, out->normal));
    out->normal_unique = out->points_unique = true;
}

static inline void keep_gap(carom_distance_cache *cache, int count, const corner *c, carom_vec3 normal) {
    if (cache == NULL) return;
    cache->gap_count = count;
    keep_pairs(count, c, cache->gap);
    cache->gap_normal = normal;
}

// Nearest points found: a normal from the sides of a triangle is better than v, whose digits go when the gap is small.
static inline void finish_apart(const crm_side *a, const crm_side *b, const simplex *s, double known, double scale,
                                carom_distance_cache *cache, carom_gap_witness *out) {
    carom_vec3 n = crm_scale(1.0 / s->distance, s->v);
    double gap = s->distance;
    if (s->count == 3) {
        carom_vec3 m = crm_cross(crm_sub(s->c[1].z, s->c[0].z), crm_sub(s->c[2].z, s->c[0].z)), unit;
        if (crm_normalise(m, &unit) > 0.0) n = crm_dot(unit, s->v) > 0.0 ? unit : crm_negate(unit);
        gap = crm_dot(n, s->c[0].z);
    }
    finish_gap(a, b, s->count, s->c, s->w, gap, n, out);
    out->global = true;
    out->accuracy = (known > 0.0 ? known : 0.0) + 4.0 * DBL_EPSILON * scale;
    keep_gap(cache, s->count, s->c, out->normal);
}

// Barycentric coordinates of the origin's projection on a facet with this unit normal; false when it is outside, as on
// another triangle of the same facet.
static inline bool weigh_facet(const corner c[3], carom_vec3 n, double w[3]) {
    double whole = crm_dot(n, crm_cross(crm_sub(c[1].z, c[0].z), crm_sub(c[2].z, c[0].z)));
    for (int k = 0; k < 3; k++) {
        w[k] = crm_dot(n, crm_cross(c[(k + 1) % 3].z, c[(k + 2) % 3].z)) / whole;
        if (!(w[k] >= 0.0)) return false;
    }
    return true;
}

static inline void corners_about(const difference *d, int count, corner *c) {
    for (int k = 0; k < count; k++) c[k].z = corner_at(d, c[k].a, c[k].b);
}

// Overlapping: `found` is a cast whose line is that of the centres, `c` from centre to centre in A's frame.
static inline void finish_overlap(const crm_side *a, const crm_side *b, difference *d, const cast *found, carom_vec3 c,
                                  double scale, carom_distance_cache *cache, carom_gap_witness *out) {
    double size = a->size + b->size;
    corner start[3] = {found->portal.c[0], found->portal.c[1], found->portal.c[2]};
    d->shift = c;
    corners_about(d, 3, start);
    depth_found depth;
    find_depth(d, start, c, scale, &depth);
    int supports = d->supports;
    carom_vec3 n = crm_negate(depth.normal);
    double w[3];
    corner facet[3] = {depth.c[0], depth.c[1], depth.c[2]};
    bool weighed =
        depth.on_face && facet[0].a >= 0 && facet[1].a >= 0 && facet[2].a >= 0 && weigh_facet(facet, depth.normal, w);
    if (!weighed) {
        // The line along the normal meets the facet where the weights are wanted.
        cast along;
        cast_ray(d, n, crm_madd(c, -crm_dot(c, n), n), size, NULL, &along);
        supports += d->supports;
        for (int k = 0; k < 3; k++) facet[k] = along.portal.c[k], w[k] = along.w[k];
    }
    finish_gap(a, b, 3, facet, w, -depth.depth, n, out);
    out->global = depth.depth - depth.least <= 1e-12 * scale;
    out->accuracy = depth.depth - depth.least + 4.0 * DBL_EPSILON * scale;
    out->supports = supports;
    keep_gap(cache, 3, facet, out->normal);
}

// From the simplex of the last query. False when the cores are not apart, or it cannot be seen from there.
static inline bool warm_apart(const crm_side *a, const crm_side *b, difference *d, carom_vec3 c, double scale,
                              carom_distance_cache *cache, carom_gap_witness *out) {
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
    finish_apart(a, b, &s, known, scale, cache, out);
    out->supports = d->supports;
    return true;
}

static void core_gap(const crm_side *a, const crm_side *b, carom_distance_cache *cache, carom_gap_witness *out) {
    carom_vec3 c = crm_sub(b->centre, a->centre), beta;
    double size = a->size + b->size, centre_distance = crm_normalise(c, &beta), scale = size + centre_distance;
    c = crm_mat3_apply_t(a->rotation, c);
    difference d;
    bool warm =
        cache != NULL && cache->gap_count > 0 && cache->gap_count <= 3 && pairs_fit(cache->gap_count, cache->gap, a, b);
    bool warm_ray = ray_is_warm(cache, a, b);
    take_difference(a, b, warm || warm_ray, &d);
    if (warm && warm_apart(a, b, &d, c, scale, cache, out)) return;
    int supports = d.supports;
    // Coincident centres: any direction will do.
    if (centre_distance == 0.0) beta = crm_vec3(1.0, 0.0, 0.0);
    cast found;
    cast_ray(&d, crm_mat3_apply_t(a->rotation, beta), crm_vec3_zero(), size, warm_ray ? cache : NULL, &found);
    supports += d.supports;
    if (cache != NULL && found.end == WALK_FOUND) {
        cache->ray_count = 3;
        keep_pairs(3, found.portal.c, cache->ray);
    }
    const portal *p = &found.portal;
    double lambda = crm_dot(p->m, crm_add(p->c[0].z, found.delta)) / p->along;
    if (centre_distance + lambda < 0.0) {
        finish_overlap(a, b, &d, &found, c, scale, cache, out);
        out->supports += supports;
        return;
    }
    d.shift = c;
    d.supports = 0;
    corner start[3] = {p->c[0], p->c[1], p->c[2]};
    corners_about(&d, 3, start);
    simplex s;
    double known = 0.0;
    nearest_of_three(&start[0], &start[1], &start[2], &s);
    if (find_nearest(&d, scale, &s, &known)) {
        finish_apart(a, b, &s, known, scale, cache, out);
    } else {
        // Touching to rounding: the ray's own facet is the contact.
        carom_vec3 n;
        crm_normalise(p->m, &n);
        finish_gap(a, b, 3, start, found.w, (centre_distance + lambda) * p->along / crm_length(p->m), n, out);
        out->global = true;
        out->accuracy = fabs(out->gap + a->radius + b->radius) + 4.0 * DBL_EPSILON * scale;
        keep_gap(cache, 3, start, out->normal);
    }
    out->supports = supports + d.supports;
}

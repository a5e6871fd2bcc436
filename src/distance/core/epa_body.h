// SPDX-License-Identifier: MIT
// The shortest translation that separates two cores that overlap: the distance from the origin to the surface of the
// difference, by expansion of a polytope inside of it.
//
// The expansion starts from the facet that the centre ray pierced, whose distance is an upper bound, and the centre of
// the difference as an inner apex: the origin lies between them. The nearest face is asked for the lowest corner beyond
// it; every answer is an upper bound of the depth. Bounds from below are made at the end, for any unit vector n: no
// point of a face is nearer to the origin than the least of n.z over the face's corners, and the origin is inside of
// the faces. A face's own normal is not enough where the face is a thin part of its facet: its rounding lifts corners
// far from it off the facet's plane. Such a facet is looked at once more along its normal, through a wider triangle.

// Of the angle between two sides of a face that has a plane.
static const double least_sine = 1e-9;
// Corners count as beyond a face only by more than this share of the size: those of one facet of the difference are on
// the same plane to rounding, and must not be torn from it.
static const double coplanar = 1e-13;
// A corner that is not farther beyond a face than this may be one that is there already, seen by a thin face.
static const double doubtful = 1e-4;

// A closed surface of triangles on V corners has 2 V - 4 faces.
enum { EPA_CORNERS = 124, EPA_FACES = 2 * EPA_CORNERS - 4, APEX = 3 };

typedef struct hull {
    int corner_count, face_count;
    corner c[EPA_CORNERS]; // c[APEX] is no corner of the difference but its centre
    unsigned char face[EPA_FACES][3];
    double nx[EPA_FACES], ny[EPA_FACES], nz[EPA_FACES], distance[EPA_FACES]; // unit, outward; plane n.z = distance
    double square[EPA_FACES]; // of the cross product that the normal was; 0 for corners in a line
    unsigned char left_of[EPA_CORNERS][EPA_CORNERS]; // the face with this directed edge
} hull;

// What the expansion knows: along the unit `normal` (outward) nothing of the difference is beyond `depth`.
typedef struct depth_found {
    double depth;      // upper bound
    double least;      // lower bound
    carom_vec3 normal; // outward
    bool on_face;      // the corners below span the facet
    corner c[3];
} depth_found;

static inline carom_vec3 face_normal(const hull *h, int f) {
    return crm_vec3(h->nx[f], h->ny[f], h->nz[f]);
}

// A face with its normal of any length; make_unit is to follow.
static inline void put_face(hull *h, int f, int p, int q, int r) {
    h->face[f][0] = (unsigned char)p, h->face[f][1] = (unsigned char)q, h->face[f][2] = (unsigned char)r;
    h->left_of[p][q] = h->left_of[q][r] = h->left_of[r][p] = (unsigned char)f;
    const carom_vec3 z[3] = {h->c[p].z, h->c[q].z, h->c[r].z};
    carom_vec3 u = crm_sub(z[1], z[0]), v = crm_sub(z[2], z[0]), n = crm_cross(u, v);
    double square = crm_length_squared(n), sides = crm_length_squared(u) * crm_length_squared(v);
    if (square <= CRM_THIN_SINE * CRM_THIN_SINE * sides) {
        n = crm_triangle_normal(z);
        square = crm_length_squared(n);
    }
    h->nx[f] = n.x, h->ny[f] = n.y, h->nz[f] = n.z;
    h->distance[f] = crm_dot(n, z[0]);
    h->square[f] = square <= least_sine * least_sine * sides ? 0.0 : square;
}

// Normals of length 1 and distances to match, of some faces at once. A face without area, on corners in a line, has no
// plane: it is never the nearest.
static inline void make_unit(hull *h, int count, const int *list) {
    double scale[EPA_FACES];
    for (int i = 0; i < count; i++) scale[i] = h->square[list[i]];
    for (int i = 0; i < count; i++) scale[i] = 1.0 / sqrt(scale[i]);
    for (int i = 0; i < count; i++) {
        int f = list[i];
        bool flat = h->square[f] == 0.0;
        double s = flat ? 0.0 : scale[i];
        h->nx[f] *= s, h->ny[f] *= s, h->nz[f] *= s;
        h->distance[f] = flat ? HUGE_VAL : s * h->distance[f];
    }
}

static inline int nearest_face(const hull *h) {
    int best = 0;
    for (int f = 1; f < h->face_count; f++)
        if (h->distance[f] < h->distance[best]) best = f;
    return best;
}

// A face without a plane goes with its neighbours.
static inline bool sees(const hull *h, int f, carom_vec3 z, double slack) {
    return h->distance[f] == HUGE_VAL || (h->nx[f] * z.x + h->ny[f] * z.y) + h->nz[f] * z.z > h->distance[f] + slack;
}

// Takes away the faces that see the new corner, and closes the hole with faces to it. They are those that are connected
// with `seen`, which sees it for sure: a far sliver of a face, whose normal is all rounding, cannot tear the surface.
// False when there is no room.
static inline bool expand(hull *h, const corner *added, int seen, double slack) {
    if (h->corner_count == EPA_CORNERS) return false;
    int w = h->corner_count++;
    h->c[w] = *added;
    enum { UNKNOWN, GONE, STAYS };
    unsigned char state[EPA_FACES];
    for (int f = 0; f < h->face_count; f++) state[f] = UNKNOWN;
    int gone[EPA_FACES], gone_count = 1, rim[EPA_FACES][2], rim_count = 0;
    gone[0] = seen;
    state[seen] = GONE;
    for (int i = 0; i < gone_count; i++) {
        const unsigned char *v = h->face[gone[i]];
        for (int k = 0; k < 3; k++) {
            int p = v[k], q = v[(k + 1) % 3], f = h->left_of[q][p];
            if (state[f] == UNKNOWN) {
                state[f] = sees(h, f, added->z, slack) ? GONE : STAYS;
                if (state[f] == GONE) gone[gone_count++] = f;
            }
            if (state[f] == GONE) continue;
            if (rim_count == EPA_FACES) return false;
            rim[rim_count][0] = p, rim[rim_count][1] = q;
            rim_count++;
        }
    }
    if (rim_count < 3 || h->face_count - gone_count + rim_count > EPA_FACES) return false;
    int made[EPA_FACES];
    for (int i = 0; i < rim_count; i++) {
        made[i] = i < gone_count ? gone[i] : h->face_count++;
        put_face(h, made[i], rim[i][0], rim[i][1], w);
    }
    make_unit(h, rim_count, made);
    // Fewer faces than before: the last ones move into the places left over.
    for (int i = gone_count - 1; i >= rim_count; i--) {
        int last = --h->face_count;
        if (gone[i] == last) continue;
        const unsigned char *v = h->face[last];
        put_face(h, gone[i], v[0], v[1], v[2]);
        make_unit(h, 1, &gone[i]);
    }
    return true;
}

// A corner that is there already cannot be added: the plane of a face below it is all rounding.
static inline bool has_corner(const hull *h, const corner *c) {
    for (int k = 0; k < h->corner_count; k++)
        if (same_pair(&h->c[k], c)) return true;
    return false;
}

// The start: `out` has the corners of the portal of a ray through the centre of the difference, now about the origin,
// its normal, and how far the difference reaches along it; the centre lies at `apex`.
static inline void start_hull(hull *h, carom_vec3 apex, const depth_found *out) {
    for (int k = 0; k < 3; k++) h->c[k] = out->c[k];
    h->c[APEX] = (corner){apex, -1, -1};
    h->corner_count = 4;
    h->face_count = 4;
    put_face(h, 0, 0, 2, 1); // the portal's corners run the other way round: its normal points inward
    put_face(h, 1, 2, 0, APEX);
    put_face(h, 2, 1, 2, APEX);
    put_face(h, 3, 0, 1, APEX);
    make_unit(h, 4, (const int[]){0, 1, 2, 3});
    h->distance[0] = out->depth;
}

static inline void find_depth(difference *d, carom_vec3 apex, double size, hull *h, depth_found *out) {
    const double slack = coplanar * size;
    start_hull(h, apex, out);
    for (;;) {
        int f = nearest_face(h);
        if (h->distance[f] >= out->depth - 2.0 * DBL_EPSILON * size) return;
        carom_vec3 n = face_normal(h, f);
        corner w = lowest(d, crm_negate(n), NULL); // a guess from the face's corners would be far off
        double height = crm_dot(n, w.z);
        double beyond = height - h->distance[f];
        bool is_facet = beyond <= slack || (beyond <= doubtful * size && has_corner(h, &w));
        if (height < out->depth) {
            out->depth = height;
            out->normal = n;
            out->on_face = is_facet;
            for (int k = 0; k < 3; k++) out->c[k] = h->c[h->face[f][k]];
        }
        if (is_facet) {
            h->distance[f] = height; // nothing is beyond
        } else if (!expand(h, &w, f, slack)) {
            return;
        }
    }
}

static inline double least_height(const hull *h, int f, carom_vec3 n) {
    const unsigned char *v = h->face[f];
    double p = crm_dot(n, h->c[v[0]].z), q = crm_dot(n, h->c[v[1]].z), r = crm_dot(n, h->c[v[2]].z);
    double least = p < q ? p : q;
    return least < r ? least : r;
}

// By the face's own normal, of a face without a plane by the direction of its nearest point.
static __attribute__((noinline)) double own_bound(const hull *h, int f) {
    if (h->square[f] > 0.0) return least_height(h, f, face_normal(h, f));
    simplex s;
    nearest_of_three(&h->c[h->face[f][0]], &h->c[h->face[f][1]], &h->c[h->face[f][2]], &s);
    return s.distance > 0.0 ? least_height(h, f, crm_scale(1.0 / s.distance, s.v)) : 0.0;
}

// The bound from below. Faces that are farther than any doubt of their distance do not matter.
static inline void bound_depth(const hull *h, double size, depth_found *out) {
    const double limit = out->depth + doubtful * size;
    out->least = out->depth;
    for (int f = 0; f < h->face_count; f++) {
        if (h->distance[f] > limit && h->distance[f] < HUGE_VAL) continue;
        double bound = least_height(h, f, out->normal); // a part of the same facet is bound by its normal
        if (bound >= out->least) continue;
        double own = own_bound(h, f);
        bound = own > bound ? own : bound;
        if (bound < out->least) out->least = bound;
    }
}

// SPDX-License-Identifier: MIT
// The list of two boxes, as the same text for every instruction set: what crm_list_features does, by the structure of
// boxes. All that meets is found first; then what is one contact is listed once.
#include "distance/box/box_edges_body.h"

// Numbers of features in the polytope of a box. Facets by axis and sign; edges by direction and signs (edge_class).
static const signed char facet_number[3][2] = {{2, 3}, {0, 4}, {1, 5}};
static const signed char edge_number[3][4] = {{0, 5, 8, 11}, {1, 9, 3, 10}, {2, 4, 6, 7}};

typedef struct box_list {
    const box_pair *pair;
    facet_corners corners[2][3]; // of the guest on the owner's: B's on A's, A's on B's
    unsigned classes;            // bit 4 i + j: class_of has it
    edge_class *class_of[12];
    edge_class class[9];
    int capacity, count;
    carom_feature_contact *out;
} box_list;

static inline unsigned sign_bit(const quad *v, int k) {
    return lane_of(v, k) < 0.0 ? 0 : 1;
}

// ---- one contact, listed once

// Whether facet k of A and facet m of B, those towards the other box, are of one contact.
static bool facets_agree(const box_pair *pair, int k, int m) {
    const box_side *a = &pair->side[0], *b = &pair->side[1];
    const quad *axis = &a->rotation[m];
    double sign_b = sign_bit(&b->towards, m) ? -1.0 : 1.0, sign_a = sign_bit(&a->towards, k) ? 1.0 : -1.0;
    carom_vec3 inward = crm_scale(sign_b, crm_vec3(lane_of(axis, 0), lane_of(axis, 1), lane_of(axis, 2)));
    carom_vec3 outward = crm_vec3(k == 0 ? sign_a : 0.0, k == 1 ? sign_a : 0.0, k == 2 ? sign_a : 0.0);
    return crm_same_normal(inward, outward);
}

// Where a corner of the guest is in the owner's frame, along axis k.
static inline double corner_at(const box_pair *pair, int owner, int corner, int k) {
    const box_side *o = &pair->side[owner], *g = &pair->side[1 - owner];
    double at = lane_of(&o->apart, k);
    for (int i = 0; i < 3; i++) {
        double part = lane_of(&g->half, i) * lane_of(&o->rotation[i], k);
        at += corner >> i & 1 ? part : -part;
    }
    return at;
}

// Whether a corner of B on facet k of A is a corner of A on a facet of B: that one is listed.
static bool corner_is_listed(const box_list *list, int k, int corner) {
    const box_pair *pair = list->pair;
    const box_side *a = &pair->side[0];
    double place = pair->limits.place, square = 0.0;
    int near = (int)sign_bit(&a->towards, k) << k;
    for (int i = 1; i < 3; i++) {
        int axis = (k + i) % 3;
        double at = corner_at(pair, 0, corner, axis), off = fabs(at) - lane_of(&a->half, axis);
        near |= (at < 0.0 ? 0 : 1) << axis;
        square += off * off;
    }
    if (square > place * place) return false;
    for (int m = 0; m < 3; m++)
        if ((list->corners[1][m].met >> near & 1) && facets_agree(pair, k, m)) return true;
    return false;
}

// Where an edge's place on the edge of a class puts it: at its low end, its high end, or between (-1).
static inline int end_at(double at, double half, double place) {
    return fabs(at + half) <= place ? 0 : fabs(at - half) <= place ? 1 : -1;
}

// A class seen from the box `owner`, at one of its pairs of edges.
typedef struct crossing {
    int owner;               // whose edge has the crossing at its end
    int direction, other;    // of the edges of owner and guest
    unsigned signs, others;  // of these edges
    double towards_guest[2]; // normal, along the axes after `direction` of the owner, out of it
    double out_of_guest[2];  // minus the normal, along the axes after `other` of the guest
    double guest_at;         // m
} crossing;

// Whether the part of a unit vector along one axis, with this sign, is nearly all of it: the other two are at right
// angles to it, and one of them is zero.
static inline bool is_normal(double along, double across, bool positive) {
    double off = along - (positive ? 1.0 : -1.0);
    const double same = 1e-6;
    return off * off + across * across <= same * same;
}

static unsigned corner_number(int direction, unsigned signs, int end) {
    return (unsigned)end << direction | (signs & 1) << (direction + 1) % 3 | (signs >> 1) << (direction + 2) % 3;
}

// Whether edges that cross at an end of the owner's edge are a contact that is listed elsewhere. Such a crossing has
// the normal of a facet of one box that is parallel to the edge of the other.
static bool crossing_is_listed(const box_list *list, const crossing *c, int end) {
    const box_pair *pair = list->pair;
    int guest = 1 - c->owner;
    unsigned corner = corner_number(c->direction, c->signs, end);
    for (int f = 0; f < 2; f++) {
        // The end as a corner on the guest's facet.
        int axis = (c->other + 1 + f) % 3;
        unsigned sign = c->others >> f & 1;
        if (is_normal(c->out_of_guest[f], c->out_of_guest[1 - f], sign) &&
            sign == sign_bit(&pair->side[guest].towards, axis) && (list->corners[guest][axis].met >> corner & 1))
            return true;
    }
    for (int f = 0; f < 2; f++) {
        // The guest's edge through a corner of the owner's facet, which it leaves by two of its edges.
        int axis = (c->direction + 1 + f) % 3, leaving = 3 - axis - c->direction;
        if (!is_normal(c->towards_guest[f], c->towards_guest[1 - f], c->signs >> f & 1)) continue;
        unsigned signs = (corner >> (leaving + 1) % 3 & 1) | (corner >> (leaving + 2) % 3 & 1) << 1;
        if (edge_number[leaving][signs] > edge_number[c->direction][c->signs]) continue;
        int at = c->owner == 0 ? 4 * leaving + c->other : 4 * c->other + leaving;
        if (!(list->classes >> at & 1)) continue;
        const edge_class *class = list->class_of[at];
        unsigned both = c->owner == 0 ? 4 * c->others + signs : 4 * signs + c->others;
        const double *guest_at = c->owner == 0 ? class->on_b : class->on_a;
        if ((class->met >> both & 1) && fabs(guest_at[both] - c->guest_at) <= pair->limits.place) return true;
    }
    return false;
}

static bool edges_are_listed(const box_list *list, const edge_class *class, int both) {
    const box_pair *pair = list->pair;
    double place = pair->limits.place;
    unsigned edge_a = (unsigned)both & 3, edge_b = (unsigned)both >> 2;
    int end_b = end_at(class->on_b[both], lane_of(&pair->side[1].half, class->j), place);
    int end_a = end_at(class->on_a[both], lane_of(&pair->side[0].half, class->i), place);
    const double *n_a = class->n_a, *n_b = class->n_b;
    if (end_b >= 0) {
        crossing c = {1, class->j, class->i, edge_b, edge_a, {-n_b[0], -n_b[1]}, {n_a[0], n_a[1]}, class->on_a[both]};
        if (crossing_is_listed(list, &c, end_b)) return true;
    }
    if (end_a < 0) return false;
    crossing c = {0, class->i, class->j, edge_a, edge_b, {n_a[0], n_a[1]}, {-n_b[0], -n_b[1]}, class->on_b[both]};
    return crossing_is_listed(list, &c, end_a);
}

// ---- the list

static inline carom_vec3 world_point(const box_side *side, double x, double y, double z) {
    return crm_add(side->position, rotated_out(side, crm_vec3(x, y, z)));
}

static inline void put_corner_feature(box_list *list, int owner, int k, int corner) {
    if (list->count < list->capacity) {
        const box_pair *pair = list->pair;
        const box_side *o = &pair->side[owner], *g = &pair->side[1 - owner];
        unsigned positive = sign_bit(&o->towards, k);
        // From A to B: out of A's facet, into B's.
        carom_vec3 axis = o->axis[k], normal = positive == (unsigned)(owner == 0) ? axis : crm_negate(axis);
        double hx = lane_of(&g->half, 0), hy = lane_of(&g->half, 1), hz = lane_of(&g->half, 2);
        carom_vec3 point = world_point(g, corner & 1 ? hx : -hx, corner & 2 ? hy : -hy, corner & 4 ? hz : -hz);
        double gap = list->corners[owner][k].gap[corner];
        carom_feature_contact *e = &list->out[list->count];
        e->kind = owner == 1 ? CAROM_FEATURE_CONTACT_CORNER_A : CAROM_FEATURE_CONTACT_CORNER_B;
        e->feature_a = owner == 1 ? corner : facet_number[k][positive];
        e->feature_b = owner == 1 ? facet_number[k][positive] : corner;
        e->gap = gap;
        e->rho = gap / (pair->centre_distance * fabs(lane_of(&o->towards, k)));
        e->normal = normal;
        e->point_a = owner == 1 ? point : crm_madd(point, -gap, normal);
        e->point_b = owner == 1 ? crm_madd(point, gap, normal) : point;
    }
    list->count++;
}

// The axes of the facets towards the guest in the order of their numbers, by the signs of the facets.
static const signed char facet_order[8][3] = {{1, 2, 0}, {1, 2, 0}, {2, 0, 1}, {2, 0, 1},
                                              {1, 0, 2}, {1, 0, 2}, {0, 1, 2}, {0, 1, 2}};

static inline const signed char *facets_in_order(const box_list *list, int owner) {
    const quad *towards = &list->pair->side[owner].towards;
    return facet_order[sign_bit(towards, 0) | sign_bit(towards, 1) << 1 | sign_bit(towards, 2) << 2];
}

static inline void list_corners(box_list *list) {
    const signed char *order = facets_in_order(list, 1);
    const facet_corners *on_b = list->corners[1], *on_a = list->corners[0];
    for (unsigned corners = on_b[0].met | on_b[1].met | on_b[2].met; corners != 0; corners &= corners - 1) {
        int corner = __builtin_ctz(corners);
        for (int f = 0; f < 3; f++)
            if (on_b[order[f]].met >> corner & 1) put_corner_feature(list, 1, order[f], corner);
    }
    order = facets_in_order(list, 0);
    for (int f = 0; f < 3; f++)
        for (unsigned met = on_a[order[f]].met; met != 0; met &= met - 1) {
            int corner = __builtin_ctz(met);
            if (!corner_is_listed(list, order[f], corner)) put_corner_feature(list, 0, order[f], corner);
        }
}

static inline void put_edge_feature(box_list *list, const edge_class *class, int both) {
    if (list->count < list->capacity) {
        const box_pair *pair = list->pair;
        const box_side *a = &pair->side[0];
        int i = class->i, p = (i + 1) % 3, q = (i + 2) % 3, edge_a = both & 3, edge_b = both >> 2;
        double at[3], gap = class->gap[both], half_p = lane_of(&a->half, p), half_q = lane_of(&a->half, q);
        at[i] = class->on_a[both];
        at[p] = edge_a & 1 ? half_p : -half_p;
        at[q] = edge_a & 2 ? half_q : -half_q;
        carom_vec3 normal = crm_add(crm_scale(class->n_a[0], a->axis[p]), crm_scale(class->n_a[1], a->axis[q]));
        carom_feature_contact *e = &list->out[list->count];
        e->kind = CAROM_FEATURE_CONTACT_EDGES;
        e->feature_a = edge_number[i][edge_a];
        e->feature_b = edge_number[class->j][edge_b];
        e->gap = gap;
        e->rho = gap / (pair->centre_distance * class->along);
        e->normal = normal;
        e->point_a = world_point(a, at[0], at[1], at[2]);
        e->point_b = crm_madd(e->point_a, gap, normal);
    }
    list->count++;
}

static inline void list_edges(box_list *list, int class_count) {
    // Pairs of edges by 12 (edge of A) + (edge of B): which there are, and where. The order is that of the bits.
    uint64_t there[3] = {0, 0, 0};
    unsigned char where[144];
    for (int c = 0; c < class_count; c++) {
        const edge_class *class = &list->class[c];
        for (unsigned met = class->met; met != 0; met &= met - 1) {
            int both = __builtin_ctz(met);
            if ((class->at_end >> both & 1) && edges_are_listed(list, class, both)) continue;
            int key = 12 * edge_number[class->i][both & 3] + edge_number[class->j][both >> 2];
            there[key / 64] |= (uint64_t)1 << key % 64;
            where[key] = (unsigned char)(16 * c + both);
        }
    }
    for (int word = 0; word < 3; word++)
        for (uint64_t rest = there[word]; rest != 0; rest &= rest - 1) {
            int at = where[64 * word + __builtin_ctzll(rest)];
            put_edge_feature(list, &list->class[at / 16], at % 16);
        }
}

static bool list_boxes(const crm_posed_box *a, const crm_posed_box *b, double near,
                       const carom_feature_options *options, int capacity, carom_feature_contact *out, int *count,
                       crm_box_plane *plane) {
    box_pair pair;
    *count = 0;
    pose_boxes(a, b, &pair);
    for (int owner = 0; owner < 2; owner++) {
        measure_facets(&pair.side[owner], &pair.side[1 - owner], &pair.facets[owner]);
        if (facet_is_between(&pair, owner, near, plane)) return false;
    }
    for (int i = 0; i < 3; i++) measure_crosses(&pair, i, &pair.crosses[i]);
    for (int i = 0; i < 3; i++)
        if (cross_is_between(&pair, i, near, plane)) return false;
    look_from(a, b, &pair);
    find_value(options, a->plane_to + b->plane_to, &pair, plane);

    box_list list; // large: what is not needed is left alone
    list.pair = &pair;
    list.capacity = capacity;
    list.count = 0;
    list.out = out;
    for (int owner = 0; owner < 2; owner++) meet_corners(&pair, owner, near_facets(&pair, owner), list.corners[owner]);
    int class_count = 0;
    list.classes = near_classes(&pair);
    for (unsigned classes = list.classes; classes != 0; classes &= classes - 1) {
        int at = __builtin_ctz(classes);
        // Kept whether there are contacts or not: classes that do not wait for each other's outcome are faster.
        list.class_of[at] = &list.class[class_count];
        meet_edges(&pair, at / 4, at % 4, &list.class[class_count++]);
    }
    list_corners(&list);
    list_edges(&list, class_count);
    *count = list.count;
    return true;
}

// SPDX-License-Identifier: MIT
#include "model/saved/saved_check.h"

#include <math.h>
#include <string.h>

#include "base/assert.h"
#include "model/proxies.h"
#include "shape/shape.h"

// Lengths of unit vectors and attitudes are right to rounding; a file that is off by more was not written by a run.
static const double unit_tolerance = 1e-6;

enum { LARGEST_ITEM = 512 };

// ---- numbers

static bool is_unit(double length_squared) {
    return fabs(length_squared - 1.0) <= unit_tolerance; // false of NaN
}

bool crm_is_truth(const void *item, size_t offset) {
    return ((const unsigned char *)item)[offset] <= 1;
}

bool crm_numbers_fit(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    (void)state, (void)index;
    const double *numbers = item;
    for (size_t i = 0; i < kept->item_size / sizeof *numbers; i++)
        if (!isfinite(numbers[i])) return false;
    return true;
}

bool crm_motion_fits(const carom_state *state, const crm_kept *kept, int index, const void *item) {
    const crm_motion *m = item;
    double length_squared = m->q.w * m->q.w + m->q.x * m->q.x + m->q.y * m->q.y + m->q.z * m->q.z;
    return crm_numbers_fit(state, kept, index, item) && is_unit(length_squared);
}

bool crm_kept_fits(const carom_state *state, const crm_kept *kept, const void *saved, int *bad) {
    _Alignas(max_align_t) unsigned char item[LARGEST_ITEM];
    CRM_ASSERT(kept->item_size <= sizeof item);
    const unsigned char *from = saved;
    for (int i = 0; i < kept->count; i++, from += kept->item_size) {
        memcpy(item, from, kept->item_size);
        *bad = i;
        if (!kept->fits(state, kept, i, item)) return false;
    }
    return true;
}

// ---- contacts

static const carom_shape *shape_of(const carom_model *model, int body) {
    return body >= 0 && body < model->bodies.count ? crm_touching_shape(model, body) : NULL;
}

// The convex part of a shape; NULL: it has no such part.
static const carom_shape *part_of(const carom_shape *shape, int part) {
    if (part < 0) return NULL;
    if (shape->kind != CAROM_SHAPE_COMPOUND) return part == 0 ? shape : NULL;
    return part < shape->part_count ? shape->part[part].shape : NULL;
}

typedef enum feature_kind { NUMBER, CORNER, EDGE, FACET } feature_kind;

static bool feature_fits(const carom_shape *part, feature_kind kind, int feature) {
    const crm_polytope *polytope = &part->polytope;
    if (feature < 0) return false;
    if (kind == CORNER) return feature < polytope->vertex_count;
    if (kind == EDGE) return feature < polytope->edge_count;
    // The inside of a container and a plane are one facet.
    if (kind == FACET) return feature < (polytope->facet_count > 0 ? polytope->facet_count : 1);
    return true;
}

static bool features_fit(const carom_shape *a, const carom_shape *b, const carom_contact *c) {
    switch (c->kind) {
    case CAROM_CONTACT_KIND_NEAREST:
    case CAROM_CONTACT_KIND_CONTINUOUS:
        return feature_fits(a, NUMBER, c->feature_a) && feature_fits(b, NUMBER, c->feature_b);
    case CAROM_CONTACT_KIND_CORNER_A:
        return feature_fits(a, CORNER, c->feature_a) && feature_fits(b, FACET, c->feature_b);
    case CAROM_CONTACT_KIND_CORNER_B:
        return feature_fits(a, FACET, c->feature_a) && feature_fits(b, CORNER, c->feature_b);
    case CAROM_CONTACT_KIND_EDGES:
        return feature_fits(a, EDGE, c->feature_a) && feature_fits(b, EDGE, c->feature_b);
    }
    return false;
}

bool crm_saved_contact_fits(const carom_model *model, int a, int b, const carom_contact *contact) {
    const carom_shape *shape_a = shape_of(model, a), *shape_b = shape_of(model, b);
    if (a >= b || shape_a == NULL || shape_b == NULL) return false;
    const carom_shape *part_a = part_of(shape_a, contact->part_a), *part_b = part_of(shape_b, contact->part_b);
    if (part_a == NULL || part_b == NULL || !features_fit(part_a, part_b, contact)) return false;
    bool finite = isfinite(contact->gap) && crm_vec3_finite(contact->point_a) && crm_vec3_finite(contact->point_b);
    for (int i = 0; i < 3; i++) finite &= (bool)isfinite(contact->impulse[i]);
    return finite && is_unit(crm_length_squared(contact->normal)) && is_unit(crm_length_squared(contact->tangent));
}

bool crm_saved_row_fits(const carom_model *model, const carom_contact_state *row) {
    const double numbers[] = {
        row->gap,     row->normal_impulse, row->tangent_impulse[0], row->tangent_impulse[1], row->normal_velocity,
        row->slip[0], row->slip[1]};
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (!isfinite(numbers[i])) return false;
    return shape_of(model, row->a.index) != NULL && shape_of(model, row->b.index) != NULL &&
           (unsigned)row->status <= CAROM_CONTACT_STATUS_SLIDES && row->friction >= 0.0 &&
           crm_vec3_finite(row->point) && crm_vec3_finite(row->normal) && crm_vec3_finite(row->tangent);
}

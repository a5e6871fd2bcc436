// SPDX-License-Identifier: MIT
#include "record/file/collision_row.h"

#include <math.h>

#include "math/vec3.h"

// Normals are of length one but for this.
static const double unit_tolerance = 1e-9;

static void put_vec3(crm_row *row, carom_vec3 v) {
    crm_row_put_real(row, v.x);
    crm_row_put_real(row, v.y);
    crm_row_put_real(row, v.z);
}

static carom_vec3 get_vec3(crm_row *row) {
    double x = crm_row_get_real(row), y = crm_row_get_real(row);
    return (carom_vec3){x, y, crm_row_get_real(row)};
}

void crm_collision_put(const carom_collision *c, crm_row *row) {
    crm_row_put_int(row, c->step);
    crm_row_put_real(row, c->time);
    crm_row_put_int(row, c->a.index);
    crm_row_put_int(row, c->b.index);
    put_vec3(row, c->point);
    put_vec3(row, c->normal);
    put_vec3(row, c->impulse);
    crm_row_put_real(row, c->approach);
    crm_row_put_real(row, c->separation);
    crm_row_put_real(row, c->energy_before);
    crm_row_put_real(row, c->energy_jump);
}

// What is no body's number becomes -1, which is none.
static carom_body get_body(crm_row *row) {
    int64_t number = crm_row_get_int(row);
    return (carom_body){number >= 0 && number <= INT32_MAX ? (int32_t)number : -1};
}

void crm_collision_get(carom_collision *c, crm_row *row) {
    c->step = crm_row_get_int(row);
    c->time = crm_row_get_real(row);
    c->a = get_body(row);
    c->b = get_body(row);
    c->point = get_vec3(row);
    c->normal = get_vec3(row);
    c->impulse = get_vec3(row);
    c->approach = crm_row_get_real(row);
    c->separation = crm_row_get_real(row);
    c->energy_before = crm_row_get_real(row);
    c->energy_jump = crm_row_get_real(row);
}

bool crm_collision_plausible(const carom_collision *c, int64_t body_count) {
    return c->a.index >= 0 && c->a.index < body_count && c->b.index >= 0 && c->b.index < body_count &&
           c->a.index != c->b.index && isfinite(c->time) && crm_vec3_finite(c->point) && crm_vec3_finite(c->impulse) &&
           fabs(crm_length(c->normal) - 1.0) <= unit_tolerance && isfinite(c->approach) && isfinite(c->separation) &&
           isfinite(c->energy_before) && isfinite(c->energy_jump);
}

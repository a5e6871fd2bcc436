// SPDX-License-Identifier: MIT
// Reference mass properties. Every case becomes a compound, which a single solid is too: of one part, placed where the
// file has it.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "carom/shape.h"
#include "math/mat3.h"
#include "verify/checker.h"

static double largest(carom_mat3 a) {
    double x = crm_max_component(crm_vec3_abs(a.x)), y = crm_max_component(crm_vec3_abs(a.y));
    return fmax(fmax(x, y), crm_max_component(crm_vec3_abs(a.z)));
}

static void compare_number(crm_verdict *verdict, const char *quantity, double tolerance, double got, double wanted) {
    crm_check_error(verdict, got == wanted ? 0.0 : fabs(got - wanted) / fabs(wanted), tolerance, "%s", quantity);
}

// Relative to the largest entry, as the file asks.
static void compare_mat3(crm_verdict *verdict, const char *quantity, double tolerance, carom_mat3 got,
                         carom_mat3 wanted) {
    double error = largest(crm_mat3_sub(got, wanted)) / largest(wanted);
    crm_check_error(verdict, isfinite(crm_mat3_norm(got)) ? error : INFINITY, tolerance, "%s", quantity);
}

// Relative to the largest entry, or to 1 m where that is larger: a centre at the origin has no size of its own.
static void compare_point(crm_verdict *verdict, const char *quantity, double tolerance, carom_vec3 got,
                          carom_vec3 wanted) {
    double error = crm_max_component(crm_vec3_abs(crm_sub(got, wanted)));
    double scale = fmax(1.0, crm_max_component(crm_vec3_abs(wanted)));
    crm_check_error(verdict, crm_vec3_finite(got) ? error / scale : INFINITY, tolerance, "%s", quantity);
}

// ---- reading solids

// "polyhedron:cube" is a polyhedron.
static bool is_kind(const char *kind, const char *name) {
    size_t length = strcspn(kind, ":");
    return strlen(name) == length && strncmp(kind, name, length) == 0;
}

static void read_ellipsoid(crm_reference *r, const json_t *solid, const char *where, carom_shape_def *shape,
                           carom_compound_part *part) {
    *shape = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    shape->ellipsoid.half_axes = crm_reference_vec3(r, solid, where, "semi_axes");
    double mass = crm_reference_number(r, solid, where, "mass");
    // The file gives the mass, the library wants the density: its own volume tells it.
    carom_mass unit = {.volume = 1.0};
    carom_error error;
    if (r->status == CAROM_OK && carom_mass_of_ellipsoid(shape->ellipsoid.half_axes, 1.0, &unit, &error) != CAROM_OK)
        crm_reference_refuse(r, &error);
    part->density = mass / unit.volume;
}

static void read_polyhedron(crm_reference *r, const json_t *solid, const char *where, crm_arena *arena,
                            carom_shape_def *shape, carom_compound_part *part) {
    int count;
    const carom_vec3 *points = crm_reference_points(r, solid, where, "vertices", arena, &count);
    part->density = crm_reference_number(r, solid, where, "density");
    *shape = carom_shape_def_default(CAROM_SHAPE_POLYTOPE);
    shape->polytope.vertex_count = count;
    shape->polytope.vertices = points;
}

static void read_solid(crm_reference *r, const json_t *solid, const char *where, const char *kind, crm_arena *arena,
                       carom_shape_def *shape, carom_compound_part *part) {
    if (is_kind(kind, "ellipsoid"))
        read_ellipsoid(r, solid, where, shape, part);
    else if (is_kind(kind, "polyhedron"))
        read_polyhedron(r, solid, where, arena, shape, part);
    else
        crm_reference_fail(r, "%s.kind is '%.60s', must be ellipsoid or polyhedron", where, kind);
}

static bool read_parts(crm_reference *r, const json_t *input, crm_arena *arena, carom_compound_def *compound) {
    bool several = is_kind(crm_reference_text(r, input, "input", "kind"), "compound");
    const json_t *list = several ? crm_reference_array(r, input, "input", "parts") : NULL;
    size_t count = several ? json_array_size(list) : 1;
    carom_shape_def *shape = CRM_ARENA_ARRAY(arena, carom_shape_def, (ptrdiff_t)count);
    carom_compound_part *part = CRM_ARENA_ARRAY(arena, carom_compound_part, (ptrdiff_t)count);
    if (shape == NULL || part == NULL)
        crm_reference_refuse_memory(r, "parts of a reference file", count * sizeof *shape);
    if (r->status != CAROM_OK) return false;
    for (size_t i = 0; i < count; i++) {
        char where[64] = "input";
        const json_t *solid = several ? json_array_get(list, i) : input;
        if (several) snprintf(where, sizeof where, "input.parts[%zu]", i);
        part[i] = carom_compound_part_default();
        part[i].shape = &shape[i];
        const char *kind = crm_reference_text(r, solid, where, "kind");
        // A polyhedron by itself has its vertices in the world.
        if (several || is_kind(kind, "ellipsoid")) {
            part[i].pose.position = crm_reference_vec3(r, solid, where, several ? "x" : "centre");
            part[i].pose.attitude = crm_reference_quat(r, solid, where, "q");
        }
        read_solid(r, solid, where, kind, arena, &shape[i], &part[i]);
        if (r->status != CAROM_OK) return false;
    }
    *compound = (carom_compound_def){(int)count, part};
    return r->status == CAROM_OK;
}

// ---- comparing

static void compare(crm_reference *r, const json_t *expected, double tolerance, const carom_mass *got,
                    crm_verdict *verdict) {
    const char *volume_is = json_object_get(expected, "volume_sum") != NULL ? "volume_sum" : "volume";
    double volume = crm_reference_number(r, expected, "expected", volume_is);
    double mass = crm_reference_number(r, expected, "expected", "mass");
    carom_vec3 centre = crm_reference_vec3(r, expected, "expected", "centre_of_mass");
    carom_mat3 com = crm_reference_mat3(r, expected, "expected", "inertia_com");
    carom_mat3 origin = crm_reference_mat3(r, expected, "expected", "inertia_origin");
    carom_vec3 wanted_moments = crm_reference_vec3(r, expected, "expected", "principal_moments");
    if (r->status != CAROM_OK) return;
    // Steiner: I + m (|c|^2 - c c^T)
    carom_vec3 c = got->centre, moments;
    carom_mat3 shift = crm_mat3_sub(crm_mat3_scale(crm_length_squared(c), crm_mat3_identity()), crm_outer(c, c)), axes;
    if (carom_mass_get_principal(got, &moments, &axes, NULL) != CAROM_OK) moments = crm_vec3(NAN, NAN, NAN);
    compare_number(verdict, volume_is, tolerance, got->volume, volume);
    compare_number(verdict, "mass", tolerance, got->mass, mass);
    compare_point(verdict, "centre_of_mass", tolerance, got->centre, centre);
    compare_mat3(verdict, "inertia_com", tolerance, got->inertia, com);
    compare_mat3(verdict, "inertia_origin", tolerance, crm_mat3_add(got->inertia, crm_mat3_scale(got->mass, shift)),
                 origin);
    compare_mat3(verdict, "principal_moments", tolerance, crm_mat3_diagonal(moments),
                 crm_mat3_diagonal(wanted_moments));
}

static void verify_parts(crm_reference *r, const crm_case *what, double tolerance, crm_arena *arena,
                         crm_verdict *verdict) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_COMPOUND);
    if (!read_parts(r, what->input, arena, &def.compound)) return;
    carom_shape *shape;
    carom_error error;
    carom_mass got;
    carom_status status = carom_shape_create(&def, what->allocator, &shape, &error);
    if (status == CAROM_OK) status = carom_shape_get_mass(shape, 1.0, &got, &error);
    if (status == CAROM_OK)
        compare(r, what->expected, tolerance, &got, verdict);
    else
        crm_reference_refuse(r, &error);
    carom_shape_destroy(shape);
}

void crm_verify_mass(crm_reference *reference, const crm_case *what, crm_verdict *verdict) {
    const char *kind = crm_reference_text(reference, what->input, "input", "kind");
    if (!is_kind(kind, "ellipsoid") && !is_kind(kind, "polyhedron") && !is_kind(kind, "compound")) {
        snprintf(verdict->unsupported, sizeof verdict->unsupported, "%.*s", (int)strcspn(kind, ":"), kind);
        return;
    }
    double tolerance = crm_reference_positive(reference, what->tolerance, "tolerance", "all");
    if (reference->status != CAROM_OK) return;
    crm_arena arena;
    crm_arena_init(&arena, what->allocator);
    verify_parts(reference, what, tolerance, &arena, verdict);
    crm_arena_free(&arena);
}

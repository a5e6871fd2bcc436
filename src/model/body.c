// SPDX-License-Identifier: MIT
// Adding a body: what is refused, and the principal frame.
#include <math.h>
#include <stdio.h>

#include "base/fail.h"
#include "math/eigen3.h"
#include "math/quat.h"
#include "math/solid.h"
#include "model/model.h"

// Entries across the diagonal may differ by this share of the largest entry: the rounding of numbers typed or computed.
static const double symmetry_tolerance = 1e-9;

// Twice the kinetic energy that a body may start with, J. Sums over many bodies, and products of what they have with
// their distances, must stay below the largest number, 1.8e308.
static const double most_energy = 2e200;

// No solid has a principal moment larger than the sum of the other two; this share of it is forgiven as rounding, so
// that discs and plates, which reach the bound, are allowed.
static const double triangle_tolerance = 1e-9;

static const char *const kind_names[] = {
    [CAROM_BODY_FREE] = "free",
    [CAROM_BODY_FIXED] = "fixed",
    [CAROM_BODY_PLANAR] = "planar",
    [CAROM_BODY_POINT] = "point",
};

const char *carom_body_kind_name(carom_body_kind kind) {
    return (unsigned)kind < sizeof kind_names / sizeof kind_names[0] ? kind_names[kind] : "?";
}

carom_body_def carom_body_def_default(void) {
    return (carom_body_def){.struct_size = sizeof(carom_body_def),
                            .kind = CAROM_BODY_FREE,
                            .mass = 1.0,
                            .inertia = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}},
                            .attitude = {1.0, 0.0, 0.0, 0.0},
                            .material = {-1},
                            .shape = {-1},
                            .groups = 1,
                            .meets = UINT32_MAX};
}

static carom_status check_vector(const char *body, const char *what, const char *unit, carom_vec3 v,
                                 carom_error *error) {
    if (crm_vec3_finite(v)) return CAROM_OK;
    return crm_refuse(error, "%s: %s is (%g, %g, %g) %s, must be finite", body, what, v.x, v.y, v.z, unit);
}

static carom_status check_numbers(const char *body, const carom_body_def *def, carom_error *error) {
    carom_status status = check_vector(body, "position", "m", def->position, error);
    if (status == CAROM_OK) status = check_vector(body, "velocity", "m/s", def->velocity, error);
    if (status == CAROM_OK) status = check_vector(body, "spin", "rad/s", def->spin, error);
    if (status == CAROM_OK) status = check_vector(body, "centre", "m", def->centre, error);
    if (status != CAROM_OK) return status;
    carom_quat unit;
    if (!crm_quat_normalise(def->attitude, &unit))
        return crm_refuse(error, "%s: attitude is (%g, %g, %g, %g), must be finite and not zero", body, def->attitude.w,
                          def->attitude.x, def->attitude.y, def->attitude.z);
    if (def->kind != CAROM_BODY_FIXED && (!(def->mass > 0.0) || !isfinite(def->mass)))
        return crm_refuse(error, "%s: mass is %g kg, must be positive and finite", body, def->mass);
    return CAROM_OK;
}

carom_status crm_body_check_energy(const char *text, const crm_body *body, carom_vec3 velocity, carom_vec3 spin,
                                   carom_error *error) {
    if (body->kind == CAROM_BODY_FIXED) return CAROM_OK;
    double moment = fmax(fmax(body->inertia.x, body->inertia.y), body->inertia.z);
    double linear = crm_length(velocity), angular = crm_length(spin);
    if (body->mass * linear * linear + moment * angular * angular <= most_energy) return CAROM_OK;
    return crm_refuse(error,
                      "%s: a velocity of (%g, %g, %g) m/s and a spin of (%g, %g, %g) rad/s give it more than %g J, too "
                      "much to compute with; make them smaller",
                      text, velocity.x, velocity.y, velocity.z, spin.x, spin.y, spin.z, 0.5 * most_energy);
}

carom_status crm_body_check_kind(const char *body, carom_body_kind kind, carom_vec3 velocity, carom_vec3 spin,
                                 carom_error *error) {
    switch (kind) {
    case CAROM_BODY_FREE:
        return CAROM_OK;
    case CAROM_BODY_FIXED:
        if (crm_length(velocity) > 0.0 || crm_length(spin) > 0.0)
            return crm_refuse(error, "%s: a fixed body has no velocity and no spin", body);
        return CAROM_OK;
    case CAROM_BODY_POINT:
        if (crm_length(spin) > 0.0) return crm_refuse(error, "%s: a point has no spin", body);
        return CAROM_OK;
    case CAROM_BODY_PLANAR:
        if (velocity.z != 0.0 || spin.x != 0.0 || spin.y != 0.0)
            return crm_refuse(
                error,
                "%s: a planar body moves along x and y and spins about z only; velocity z is %g, spin is (%g, %g, %g)",
                body, velocity.z, spin.x, spin.y, spin.z);
        return CAROM_OK;
    }
    return crm_refuse(error, "%s: %d is no kind of body", body, (int)kind);
}

// Principal moments (ascending) and axes of the given inertia, or why it is impossible.
static carom_status principal_axes(const char *body, carom_mat3 inertia, carom_vec3 *moments, carom_mat3 *axes,
                                   carom_error *error) {
    carom_mat3 difference = crm_mat3_sub(inertia, crm_mat3_transpose(inertia));
    double largest = crm_mat3_norm(inertia);
    if (!isfinite(largest)) return crm_refuse(error, "%s: inertia must be finite", body);
    if (crm_mat3_norm(difference) > symmetry_tolerance * largest)
        return crm_refuse(error, "%s: inertia must be symmetric; entries across the diagonal differ by %g", body,
                          crm_max_component(crm_vec3_abs(crm_unskew(difference))));
    crm_eigen3(inertia, moments, axes);
    if (!(moments->x > 0.0))
        return crm_refuse(
            error,
            "%s: principal moments of inertia are %g, %g, %g kg m^2, must be positive (for a mass without "
            "extension use kind point)",
            body, moments->x, moments->y, moments->z);
    if (moments->z > (1.0 + triangle_tolerance) * (moments->x + moments->y))
        return crm_refuse(error,
                          "%s: principal moments of inertia are %g, %g, %g kg m^2; no body has one larger than the sum "
                          "of the other two",
                          body, moments->x, moments->y, moments->z);
    return CAROM_OK;
}

static carom_vec3 reciprocals(carom_vec3 v) {
    return crm_vec3(1.0 / v.x, 1.0 / v.y, 1.0 / v.z);
}

static carom_status find_inertia(const char *name, crm_body *body, carom_error *error) {
    body->frame = crm_quat_identity();
    if (body->kind == CAROM_BODY_FIXED) return CAROM_OK;
    body->inverse_mass = 1.0 / body->mass;
    if (body->kind == CAROM_BODY_POINT) return CAROM_OK;
    carom_vec3 moments;
    carom_mat3 axes;
    carom_status status = principal_axes(name, body->def.inertia, &moments, &axes, error);
    if (status != CAROM_OK) return status;
    if (body->kind == CAROM_BODY_PLANAR) {
        // It rotates about the world's z axis, which keeps its direction in the body: one moment is all there is.
        carom_vec3 z = crm_quat_rotate_inverse(body->def.attitude, crm_vec3(0.0, 0.0, 1.0));
        body->inertia = crm_vec3(0.0, 0.0, crm_dot(z, crm_mat3_apply(body->def.inertia, z)));
        body->inverse_inertia = crm_vec3(0.0, 0.0, 1.0 / body->inertia.z);
        return CAROM_OK;
    }
    body->inertia = moments;
    body->inverse_inertia = reciprocals(moments);
    // A diagonal tensor keeps its axes: no rotation means no rounding of poses.
    carom_mat3 given = body->def.inertia;
    if (given.x.y == 0.0 && given.x.z == 0.0 && given.y.z == 0.0 && given.y.x == 0.0 && given.z.x == 0.0 &&
        given.z.y == 0.0) {
        body->inertia = crm_vec3(given.x.x, given.y.y, given.z.z);
        body->inverse_inertia = reciprocals(body->inertia);
    } else {
        body->frame = crm_quat_from_mat3(axes);
    }
    return CAROM_OK;
}

// ---- density

// What a density leaves no place for: mass properties that are not those of carom_body_def_default.
static const char *given_beside_density(const carom_body_def *def) {
    const carom_body_def none = carom_body_def_default();
    if (def->mass != none.mass) return "mass";
    if (crm_length(def->centre) > 0.0) return "centre";
    return crm_mat3_norm(crm_mat3_sub(def->inertia, none.inertia)) > 0.0 ? "inertia" : NULL;
}

static carom_status check_density(const carom_model *model, const char *body, const carom_body_def *def,
                                  carom_error *error) {
    if (!(def->density > 0.0) || !isfinite(def->density))
        return crm_refuse(error, "%s: density is %g kg/m^3, must be positive and finite", body, def->density);
    const char *other = given_beside_density(def);
    char amount[48] = "";
    if (def->mass != carom_body_def_default().mass) snprintf(amount, sizeof amount, " (%g kg)", def->mass);
    if (other != NULL)
        return crm_refuse(error,
                          "%s: gives both density (%g kg/m^3) and %s%s; leave mass, centre and inertia as "
                          "carom_body_def_default() has them, or density 0",
                          body, def->density, other, amount);
    carom_status status = crm_model_check_shape(model, body, def->kind, def->shape, error);
    if (status != CAROM_OK) return status;
    if (def->shape.index < 0) return crm_refuse(error, "%s: a density needs a shape; give one, or the mass", body);
    return CAROM_OK;
}

// Mass, centre and inertia of the shape in place of the density.
static carom_status fill_by_density(const carom_model *model, const char *body, carom_body_def *def,
                                    carom_error *error) {
    carom_status status = check_density(model, body, def, error);
    if (status != CAROM_OK) return status;
    const carom_shape *shape = carom_model_get_shape(model, def->shape);
    carom_mass unit;
    if (carom_shape_get_mass(shape, 1.0, &unit, NULL) != CAROM_OK)
        return crm_refuse(error, "%s: its shape, a %s, has no volume; leave density 0", body,
                          carom_shape_kind_name(carom_shape_get_kind(shape)));
    def->mass = def->density * unit.mass;
    def->centre = crm_solid_centre(&unit, crm_length(carom_shape_centre(shape)) + carom_shape_bounding_radius(shape));
    def->inertia = crm_solid_inertia(&unit, def->mass);
    def->density = 0.0;
    return CAROM_OK;
}

carom_status carom_model_add_body(carom_model *model, const carom_body_def *given, carom_body *out,
                                  carom_error *error) {
    CRM_NEED(model, error);
    carom_status status = crm_model_check_open(model, error);
    if (status == CAROM_OK) status = CRM_CHECK_STRUCT(given, carom_body_def, error);
    if (status != CAROM_OK) return status;
    int index = model->bodies.count;
    carom_body_def filled = *given, *def = &filled;
    char text[CRM_BODY_TEXT];
    status = crm_names_check(&model->body_names, "body", def->name, index, text, error);
    if (status == CAROM_OK && def->name != NULL && crm_names_find(&model->flex_names, def->name) >= 0)
        status = crm_refuse(error, "%s: there is a flexible body of that name already", text);
    if (status != CAROM_OK) return status;
    if (def->density != 0.0) status = fill_by_density(model, text, def, error);
    if (status == CAROM_OK) status = check_numbers(text, def, error);
    if (status == CAROM_OK) status = crm_body_check_kind(text, def->kind, def->velocity, def->spin, error);
    if (status == CAROM_OK && def->kind == CAROM_BODY_POINT && crm_length(def->centre) > 0.0)
        status = crm_refuse(error, "%s: a point has its centre of mass at its origin", text);
    if (status == CAROM_OK && (def->material.index < -1 || def->material.index >= model->materials.count))
        status = crm_refuse(error, "%s: there is no material %d; the model has %d", text, def->material.index,
                            model->materials.count);
    if (status == CAROM_OK) status = crm_model_check_shape(model, text, def->kind, def->shape, error);
    if (status != CAROM_OK) return status;

    crm_body body = {.kind = def->kind, .mass = def->mass, .centre = def->centre, .flex = -1, .def = *def};
    body.def.attitude = crm_quat_normalised(def->attitude);
    if (def->shape.index >= 0) body.size = 2.0 * carom_shape_bounding_radius(carom_model_get_shape(model, def->shape));
    status = find_inertia(text, &body, error);
    if (status == CAROM_OK) status = crm_body_check_energy(text, &body, def->velocity, def->spin, error);
    if (status != CAROM_OK) return status;
    // Room first, so that nothing can fail once the name is in the table.
    if (!CRM_ARRAY_RESERVE(&model->allocator, &model->bodies, (ptrdiff_t)index + 1))
        return crm_fail_memory(error, "bodies", ((size_t)index + 1) * sizeof body);
    status = crm_names_add(&model->allocator, &model->body_names, &body.def.name, index, error);
    if (status != CAROM_OK) return status;
    (void)CRM_ARRAY_PUSH(&model->allocator, &model->bodies, body);
    model->shaped_count += def->shape.index >= 0;
    if (out != NULL) *out = (carom_body){index};
    return CAROM_OK;
}

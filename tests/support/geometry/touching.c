// SPDX-License-Identifier: MIT
#include "support/geometry/touching.h"

#include "math/mat3.h"
#include "support/harness/check.h"

static void must(carom_status status, const carom_error *error) {
    if (status != CAROM_OK) CHECK_TEXT(error->text, "");
}

carom_model_shape touching_shape(carom_model *model, const carom_shape_def *def) {
    carom_error error = {0};
    carom_model_shape shape = {-1};
    must(carom_model_add_shape(model, NULL, def, &shape, &error), &error);
    return shape;
}

carom_model_shape touching_sphere(carom_model *model, double radius) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = radius;
    return touching_shape(model, &def);
}

carom_model_shape touching_box(carom_model *model, double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size = crm_vec3(x, y, z);
    return touching_shape(model, &def);
}

carom_model_shape touching_ellipsoid(carom_model *model, double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    def.ellipsoid.half_axes = crm_vec3(x, y, z);
    return touching_shape(model, &def);
}

carom_model_shape touching_floor(carom_model *model) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_HALF_SPACE);
    return touching_shape(model, &def);
}

carom_material touching_material(carom_model *model, double friction, double restitution) {
    carom_error error = {0};
    carom_material_def def = carom_material_def_default();
    def.friction = friction;
    def.restitution = restitution;
    carom_material material = {-1};
    must(carom_model_add_material(model, &def, &material, &error), &error);
    return material;
}

carom_body_def touching_def(const carom_model *model, carom_model_shape shape, carom_material material, double mass,
                            carom_vec3 position) {
    carom_error error = {0};
    carom_body_def def = carom_body_def_default();
    def.shape = shape;
    def.material = material;
    def.position = position;
    if (mass == 0.0) {
        def.kind = CAROM_BODY_FIXED;
        return def;
    }
    carom_mass filled = {0};
    must(carom_shape_get_mass(carom_model_get_shape(model, shape), 1.0, &filled, &error), &error);
    def.mass = mass;
    def.centre = filled.centre;
    def.inertia = crm_mat3_scale(mass / filled.mass, filled.inertia);
    return def;
}

carom_body touching_add(carom_model *model, carom_model_shape shape, carom_material material, double mass,
                        carom_vec3 position) {
    carom_body_def def = touching_def(model, shape, material, mass, position);
    return world_add(model, &def);
}

carom_method_def touching_method(double step, double tolerance) {
    carom_method_def def = carom_method_def_default();
    def.method = CAROM_METHOD_LCP;
    def.step = step;
    def.lcp.tolerance = tolerance;
    def.lcp.budget = 20.0;
    return def;
}

carom_state *touching_state(carom_model *model, const carom_method_def *def) {
    carom_error error = {0};
    carom_state *state = NULL;
    must(carom_model_freeze(model, &error), &error);
    must(carom_state_create(model, def, &state, &error), &error);
    return state;
}

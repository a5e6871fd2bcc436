// SPDX-License-Identifier: MIT
#include "support/geometry/convex_shapes.h"

#include <math.h>

#include "math/quat.h"
#include "support/geometry/polytopes.h"
#include "support/harness/check.h"

static carom_shape *make(const carom_shape_def *def) {
    carom_shape *shape;
    carom_error error = {0};
    if (carom_shape_create(def, NULL, &shape, &error) != CAROM_OK) fail_msg("%s", error.text);
    return shape;
}

carom_shape *sphere_of(double radius) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_SPHERE);
    def.sphere.radius = radius;
    return make(&def);
}

carom_shape *capsule_of(double radius, double length) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_CAPSULE);
    def.capsule.radius = radius;
    def.capsule.length = length;
    return make(&def);
}

carom_shape *ellipsoid_of(double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_ELLIPSOID);
    def.ellipsoid.half_axes = crm_vec3(x, y, z);
    return make(&def);
}

carom_shape *box_of(double x, double y, double z) {
    carom_shape_def def = carom_shape_def_default(CAROM_SHAPE_BOX);
    def.box.size = crm_vec3(x, y, z);
    return make(&def);
}

carom_shape *sample_shape(sampler *s, carom_shape_kind kind, double size, double ratio) {
    double x = size * pow(ratio, -sample_between(s, 0.0, 1.0)), y = size * pow(ratio, -sample_between(s, 0.0, 1.0));
    double z = size * pow(ratio, -sample_between(s, 0.0, 1.0));
    carom_vec3 points[40];
    int count = 4 + (int)sample_between(s, 0.0, 37.0);
    switch (kind) {
    case CAROM_SHAPE_SPHERE:
        return sphere_of(x);
    case CAROM_SHAPE_CAPSULE:
        return capsule_of(x, y);
    case CAROM_SHAPE_ELLIPSOID:
        return ellipsoid_of(x, y, z);
    case CAROM_SHAPE_BOX:
        return box_of(2.0 * x, 2.0 * y, 2.0 * z);
    default:
        for (int i = 0; i < count; i++) points[i] = crm_vec3_mul(crm_vec3(x, y, z), sample_unit(s));
        return polytope_of_points(count, points);
    }
}

carom_view place(const carom_shape *shape, double x, double y, double z) {
    return carom_view_of(shape, (carom_pose){.position = crm_vec3(x, y, z), .attitude = crm_quat_identity()});
}

carom_view sample_view(sampler *s, const carom_shape *shape, carom_vec3 position) {
    return carom_view_of(shape, (carom_pose){.position = position, .attitude = sample_attitude(s)});
}

carom_view moved_view(carom_view view, carom_quat rotation, carom_vec3 shift) {
    view.pose.position = crm_add(shift, crm_quat_rotate(rotation, view.pose.position));
    view.pose.attitude = crm_quat_normalised(crm_quat_mul(rotation, view.pose.attitude));
    return view;
}

// SPDX-License-Identifier: MIT
// Bodies with shapes that touch, for tests of methods with contact, in a few words. A call that should not fail and
// does is a failed check with its sentence.
#ifndef TEST_SUPPORT_TOUCHING_H
#define TEST_SUPPORT_TOUCHING_H

#include "carom/mobility.h"
#include "support/model/world.h"

carom_model_shape touching_sphere(carom_model *model, double radius);
carom_model_shape touching_box(carom_model *model, double x, double y, double z);
carom_model_shape touching_ellipsoid(carom_model *model, double x, double y, double z);
carom_model_shape touching_floor(carom_model *model); // the half-space below z = 0
carom_model_shape touching_shape(carom_model *model, const carom_shape_def *def);
carom_material touching_material(carom_model *model, double friction, double restitution);

// A body of this mass, its inertia that of the shape filled evenly; a mass of 0 is a fixed body.
carom_body_def touching_def(const carom_model *model, carom_model_shape shape, carom_material material, double mass,
                            carom_vec3 position);
carom_body touching_add(carom_model *model, carom_model_shape shape, carom_material material, double mass,
                        carom_vec3 position);

// lcp with this step and tolerance, which a large budget lets it meet; other settings by default.
carom_method_def touching_method(double step, double tolerance);
// Freezes the model when it is still open.
carom_state *touching_state(carom_model *model, const carom_method_def *def);

#endif

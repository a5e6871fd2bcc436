// SPDX-License-Identifier: MIT
// How far the points of a shape get in a step.
//
// A point at r from the position of the pose goes to v t + exp(t [w]) r. The rotation by the angle |w| t moves it along
// a chord of 2 d sin(|w| t / 2), d <= |r| <= R its distance from the axis; the farthest that it has been at any time up
// to t is the chord of min(|w| t, pi), as the sine grows until then. So no point is ever farther from where it was than
//     |v| t + 2 R sin(min(|w| t, pi) / 2),    R the largest distance of a point from the position of the pose.
#include <float.h>
#include <math.h>

#include "carom/contact.h"
#include "distance/side.h"
#include "math/vec3.h"

carom_proxy carom_proxy_default(void) {
    return (carom_proxy){.view.pose.attitude = {1.0, 0.0, 0.0, 0.0}, .groups = 1, .meets = UINT32_MAX};
}

static double farthest_vertex(int count, const carom_vec3 *vertices) {
    double square = 0.0;
    for (int i = 0; i < count; i++) square = fmax(square, crm_length_squared(vertices[i]));
    return sqrt(square);
}

static double farthest_point(const carom_view *view) {
    return view->shape != NULL ? view->shape->farthest : farthest_vertex(view->vertex_count, view->vertices);
}

double carom_proxy_margin(const carom_view *view, const carom_motion *motion, double duration) {
    carom_shape_kind kind = crm_view_kind(view);
    double shift = crm_safe_length(motion->velocity) * duration, angle = crm_safe_length(motion->spin) * duration;
    double chord = 0.0;
    // A container rotates about its own centre and stays what it is.
    if (angle > 0.0 && kind == CAROM_SHAPE_HALF_SPACE) return INFINITY;
    if (angle > 0.0 && kind != CAROM_SHAPE_CONTAINER)
        chord = 2.0 * farthest_point(view) * (angle < 3.14 ? sin(0.5 * angle) : 1.0);
    // Fewer than eight roundings, each of half an epsilon, lie between the arguments and here.
    return (shift + chord) * (1.0 + 4.0 * DBL_EPSILON);
}

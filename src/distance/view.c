// SPDX-License-Identifier: MIT
#include <stddef.h>

#include "carom/distance.h"

carom_view carom_view_of(const carom_shape *shape, carom_pose pose) {
    return (carom_view){.shape = shape, .pose = pose};
}

carom_view carom_view_of_vertices(int vertex_count, const carom_vec3 *vertices) {
    return (carom_view){.pose.attitude = {1.0, 0.0, 0.0, 0.0}, .vertex_count = vertex_count, .vertices = vertices};
}

carom_distance_options carom_distance_options_default(void) {
    return (carom_distance_options){.struct_size = sizeof(carom_distance_options),
                                    .has_direction = false,
                                    .direction = {1.0, 0.0, 0.0},
                                    .any_solution = false};
}

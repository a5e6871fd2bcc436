// SPDX-License-Identifier: MIT
#include "support/geometry/tiled_floors.h"

#include "support/geometry/contact_world.h"

carom_shape *tiled_floor(int kind) {
    static const double cut[] = {-2.5, -1.7, -0.9, -0.6, 0.3, 1.1, 2.5};
    box_part parts[60];
    int count = 0;
    if (kind == FLOOR_SQUARES)
        for (; count < 25; count++) parts[count] = (box_part){{1, 1, 0.5}, {count % 5 - 2.0, count / 5 - 2.0, -0.25}};
    else if (kind == FLOOR_UNEQUAL)
        for (; count < 36; count++) {
            double x0 = cut[count % 6], x1 = cut[count % 6 + 1], y0 = cut[count / 6], y1 = cut[count / 6 + 1];
            double thick = 0.4 + 0.1 * (count % 3);
            parts[count] = (box_part){{x1 - x0, y1 - y0, thick}, {0.5 * (x0 + x1), 0.5 * (y0 + y1), -0.5 * thick}};
        }
    else
        for (; count < 60; count++) {
            int row = count / 6;
            parts[count] = (box_part){{1, 0.5, 0.3}, {count % 6 - 2.5 + 0.5 * (row % 2), 0.5 * row - 2.25, -0.15}};
        }
    return compound_of_boxes(count, parts);
}

// SPDX-License-Identifier: MIT
// Floors of tiles, 5 m by 5 m about the origin, with their top at z = 0. Destroyed by the caller.
#ifndef TEST_SUPPORT_TILED_FLOORS_H
#define TEST_SUPPORT_TILED_FLOORS_H

#include "carom/shape.h"

enum {
    FLOOR_SQUARES, // of 1 m
    FLOOR_UNEQUAL, // widths, lengths and thicknesses that no binary fraction holds
    FLOOR_BRICKS,  // rows of 1 m x 0.5 m, each shifted by half a brick
    FLOOR_KINDS
};
carom_shape *tiled_floor(int kind);

#endif

// SPDX-License-Identifier: MIT
// The searches as the same text for every instruction set. The file that includes it has included math/lanes_two.h or
// math/lanes_four.h and defined SMALL for shape/scan_body.h.
#include <float.h>
#include <stddef.h>

#include "distance/kernels.h"
#include "shape/scan_body.h"
// The order matters: each stands on the ones before.
#include "distance/difference.h"

#include "distance/centre_ray_body.h"

#include "distance/gjk_body.h"

#include "distance/epa_body.h"

#include "distance/core_gap_body.h"

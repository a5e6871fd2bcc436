// SPDX-License-Identifier: MIT
// The searches as the same text for every instruction set. The file that includes it has included math/lanes_two.h or
// math/lanes_four.h and defined SMALL for shape/scan_body.h.
#include <float.h>
#include <stddef.h>

#include "distance/core/core_kernels.h"
#include "shape/support/scan_body.h"
// The order matters: each stands on the ones before.
#include "distance/core/difference.h"

#include "distance/core/centre_ray_body.h"

#include "distance/core/gjk_body.h"

#include "distance/core/epa_body.h"

#include "distance/core/core_gap_body.h"

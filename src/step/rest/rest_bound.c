// SPDX-License-Identifier: MIT
// How wrong impulses can be that were found for poses nearby.
//
// s e = a - P(a - y) with a = s r is nonexpansive in a and in y, so that it changes by no more than these do. The bound
// holds for every problem with the same impulses whose contacts are where bodies can have carried them: points within
// twice the way, directions within the angle and the way over the size, gaps within twice the way (docs/math.md 6.11).
#include <math.h>

#include "step/rest/rest.h"

// Rows that change by more than this share are no small change.
static const double largest_share = 0.01;

crm_rest_motion crm_rest_motion_join(const crm_rest_motion *a, const crm_rest_motion *b) {
    return (crm_rest_motion){fmax(a->way, b->way),   fmax(a->angle, b->angle), fmax(a->change, b->change),
                             fmax(a->spin, b->spin), fmax(a->speed, b->speed), fmax(a->start, b->start),
                             fmax(a->far, b->far)};
}

double crm_rest_bound(const crm_rest_island *island, const crm_rest_motion *motion, const crm_rest_scale *scale) {
    double least_velocity = crm_rest_velocity(scale, motion->far);
    double angle = motion->angle + motion->way / island->radius, shift = 2.0 * motion->way; // of directions, of points
    double share = 2.0 * (island->stretch * angle + island->sway * shift); // of a row, seen from a body
    if (!(share <= largest_share)) return INFINITY;
    // What the same impulses along these other rows would do to the velocity of a contact.
    double rows = island->rotate * angle + island->shift * shift;
    double velocity = (1.0 + largest_share) * rows + 2.0 * motion->change + 6.0 * motion->way * motion->spin +
                      2.0 * angle * island->speed + 2.0 * motion->way / scale->step +
                      crm_gap_noise(motion->far, scale->step);
    if (island->restitution > 0.0)
        velocity += 2.0 * island->restitution * motion->start + 2.0 * motion->speed + island->rebound;
    double error = island->weight * rows + (1.0 + island->friction) * velocity;
    // Scales are made of free velocities, u - W r, and of s.
    double free = velocity + (1.0 + largest_share) * rows + share * island->rotate, of_s = 2.0 * share + share * share;
    double least = 1.0 - of_s - free / least_velocity;
    return least > 0.0 ? (1.0 + 2.0 * of_s) * (island->residual + error / least_velocity) / least : INFINITY;
}

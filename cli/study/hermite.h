// SPDX-License-Identifier: MIT
// A body between two times of its motion, from its poses and velocities there.
//
// Positions are cubic Hermite polynomials. Attitudes are q0 exp(phi(t)) with phi a cubic Hermite polynomial from 0 to
// the rotation vector between both attitudes, whose rates at both ends are those of the spins. Of smooth motions with a
// step h they are off by h^4/384 times the fourth derivative. Velocities and spins are the derivatives of these, or, of
// smooth motions, cubics through four of their own values, off by h^4/25 times the fourth derivative: velocities of
// variational methods are no derivatives of their positions, to order h^2. Where an impact lies between both times,
// nothing is known better than to a share of the step, as by the method itself.
#ifndef CLI_HERMITE_H
#define CLI_HERMITE_H

#include "carom/step.h"

// Bodies and numbers at equal times one `step` (s) apart, the oldest first; what is wanted lies at the `share`, 0 to 1,
// of the last step. Two of them: nothing is known of what was before, or it is not smooth. Four at most.
enum { MOST_NODES = 4 };
carom_body_state body_between(int count, const carom_body_state *const nodes[], double step, double share);
// The polynomial through all.
double number_between(int count, const double *nodes, double share);

#endif

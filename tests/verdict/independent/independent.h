// SPDX-License-Identifier: MIT
// Whether a run is wrong, by computations of their own from its frames: energies, overlaps, joints, Coulomb's law,
// displacements. They share no code with what certificates and verdicts are made of.
//
// What counts as wrong is a share: of the energies that the island has to do with, S = largest kinetic energy + range
// of the potential energy over the run + 1e-3 sum m |g| size; of sizes of bodies; of impulses.
#ifndef TEST_VERDICT_INDEPENDENT_H
#define TEST_VERDICT_INDEPENDENT_H

#include "verdict/independent/physics.h"
#include "verdict/run/followed_run.h"

// The worst that was found of a kind; nothing where `what` is NULL.
typedef struct finding {
    const char *what;
    double value, bound;
} finding;

// Keeps what exceeds its bound by the larger factor, if by a tenth or more. A value that is no number exceeds every
// bound.
void find(finding *f, const char *what, double value, double bound);

// All checks.
finding find_wrong(const followed_run *run);

// ---- one kind each

void find_not_finite(const followed_run *run, finding *f);
void find_energy(const followed_run *run, const physics *p, finding *f);
void find_open_joints(const followed_run *run, const physics *p, finding *f);
void find_overlaps(const followed_run *run, const physics *p, finding *f);
void find_passes(const followed_run *run, const physics *p, finding *f);
void find_friction(const followed_run *run, const physics *p, finding *f);
void find_rebounds(const followed_run *run, const physics *p, finding *f);
void find_unexplained(const followed_run *run, const physics *p, finding *f);
void find_smooth_spin(const followed_run *run, const physics *p, finding *f);

// Largest over bodies and islands of the difference of two runs at their ends, over 2 % of the longest way and of the
// body's size, or of S: above 1 they differ.
double difference_at_end(const followed_run *run, const followed_run *finer);
// S of each island, and B at the end: E less the work of what drives it. To be freed.
void energy_scales(const followed_run *run, const physics *p, double **scale, double **last);

#endif

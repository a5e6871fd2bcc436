// SPDX-License-Identifier: MIT
// What the steps of a run add up to, island by island, and the worst that the rules of verdicts have seen. No motion
// depends on it; it is saved and copied with the state, so that a run that goes on has the verdict of one that was
// never interrupted.
//
// An island of a run: bodies that have pressed on each other since the start, that joints or pair potentials connect,
// or that a fluid couples. It never falls apart again. Energies are told by it, as nothing that is far away may be the
// measure of what is wrong here.
#ifndef CRM_MODEL_ACCOUNT_H
#define CRM_MODEL_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

#include "carom/types.h"
#include "carom/verdict.h"
#include "math/spatial.h"

// The lines of carom_ledger that are work of a step's own forces and impulses.
typedef enum crm_ledger_line {
    CRM_LINE_PASSIVE,
    CRM_LINE_ACTIVE,
    CRM_LINE_LIMITS,
    CRM_LINE_FRICTION,
    CRM_LINE_IMPACTS,
    CRM_LINE_ELASTIC, // of impacts, too: with a restitution of 1, which take nothing
    CRM_LINE_STABILISATION,
    CRM_LINE_PROJECTION,
    CRM_LINE_VISCOSITY,
    CRM_LINE_ATTACHMENTS,
    CRM_LINE_INTEGRATOR,
    CRM_LINE_COUNT
} crm_ledger_line;

// A sum over the steps of which the largest rise, or fall, is told.
typedef struct crm_swing {
    double sum, extreme; // J; the lowest (highest) value so far
    double largest;      // rise above (fall below) it, J
    int64_t step;        // of that
} crm_swing;

// The share of the scale that an island had reached when it became part of a larger one: what was wrong stays wrong.
typedef struct crm_share {
    double value;
    int64_t step;
} crm_share;

// Of contacts over the run, N s.
typedef struct crm_contact_sums {
    double normal;                // impulses along normals
    double outside;               // of the friction cone
    double most_friction, across; // where bodies slip: what friction may be, and what of it is not against the slip
    double apart;                 // normal ones between bodies that end apart
} crm_contact_sums;

// A hit of a body on another one, while it lasts.
typedef struct crm_hit {
    double approach; // largest speed of approach so far, m/s
    int64_t step;    // the last one in which they touched
    int64_t many;    // 1: in some step there was more than one contact
} crm_hit;

// Of one island, where its lowest body is.
typedef struct crm_island_account {
    bool begun;
    double kinetic_most, potential_least, potential_most; // over the run, J
    double weight;                                        // 1e-3 sum of m |g| l, J
    double first_steps;                                   // sum of m (10 |g| h)^2 / 2: of a fall of ten steps, J
    crm_swing balance;                                    // energy less the work of motors and inputs: its rise
    crm_swing passive;                                    // work of drag and dampers: its rise
    crm_swing unexplained; // balance less all lines of the ledger that take energy: its fall
    crm_contact_sums contacts;
    crm_share step_gain; // J: largest rise of the balance in one step
    // Of islands that are part of it by now.
    crm_share former_gain, former_step_gain, former_passive, former_loss;
} crm_island_account;

// Energies of a body at the start and at the end of a step, J.
typedef struct crm_step_energy {
    double kinetic[2], potential[2];
} crm_step_energy;

// Velocity of a body's centre of mass and its spin at the start and at the end of a step, world axes.
typedef struct crm_step_twist {
    crm_vec6 at[2];
} crm_step_twist;

typedef struct crm_accounts {
    // Kept with the state.
    int32_t *root;              // a forest of the bodies (base/forest.h); what cannot move is alone (body_count)
    crm_island_account *island; // (body_count)
    carom_vec3 *unexplained;    // displacement that no velocity explains, m (body_count)
    crm_hit *hit;               // (body_count)
    carom_finding *finding;     // but for those of energies, which are found when they are asked for (CAROM_RULE_COUNT)

    int driven;      // a body that forces without a potential may act on: a drag, a motor, an input; the first if none
    double thinnest; // in-radius of a body with a bounded shape, m
    unsigned rates;  // that the certificate compares with the step: step/certify/rates.h
    bool *spun;      // something else than gravity and contacts may spin the body (body_count)

    // Of the step that is being made.
    double (*line)[CRM_LINE_COUNT]; // at the roots (body_count)
    double *reversed;               // of impacts: where other forces reverse a contact's velocity, J (body_count)
    crm_step_energy *energy;        // (body_count)
    crm_step_twist *twist;          // while there are contacts (body_count)
    bool *marked;                   // scratch of the check that is being made (body_count)
    bool contacts_told;             // the work of contacts is in the lines
} crm_accounts;

#endif

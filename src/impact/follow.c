// SPDX-License-Identifier: MIT
// Newton's, Poisson's and Stronge's laws: the same path of friction, ended by different conditions (docs/math.md 7.3).
//
// In three dimensions slip that rotates can make v fall to zero again in restitution: dv/dp = 1 - mu b.s, and s rotates
// towards b. A second compression then adds to what the first one left. So Poisson's and Stronge's laws keep an account
// of what may still be given back: compression pays in e times its impulse, e^2 times its work; restitution draws; the
// impact is over when the account is empty. With one compression that is p = (1 + e) p_c and W = (1 - e^2) W_c.
#include "impact/follow.h"

#include <math.h>

// More than any impact needs: the most seen is 58 in 10^5 random collisions of boxes, and 85 where the eigenvalues of K
// spread over six decades and mu over ten.
enum { piece_limit = 2000 };

typedef struct stage {
    carom_impact_law law;
    double restitution;
    double rebound;                  // Newton's: -e v-
    bool restituting;                // else compressing
    double account;                  // impulse or work that may still be given back
    double begin_normal, begin_work; // of this compression
    double counted_work;             // up to the last greatest compression
    crm_goal goal;
} stage;

static void begin_compression(stage *s, const crm_impact_state *state) {
    s->restituting = false;
    s->begin_normal = state->normal;
    s->begin_work = state->work;
    s->goal = (crm_goal){CRM_GOAL_APPROACH, 0.0};
}

// False when there is nothing to give back: the impact is over.
//
// Work is counted anew from here: Stronge's end depends on its square root, which magnifies the rounding of a sum.
static bool begin_restitution(stage *s, crm_impact_state *state) {
    double e = s->restitution, paid = s->begin_work - state->work;
    s->restituting = true;
    s->counted_work += state->work;
    state->work = 0.0;
    switch (s->law) {
    case CAROM_IMPACT_LAW_POISSON:
        s->account += e * (state->normal - s->begin_normal);
        s->goal = (crm_goal){CRM_GOAL_IMPULSE, state->normal + s->account};
        break;
    case CAROM_IMPACT_LAW_STRONGE:
        s->account += e * e * paid;
        s->goal = (crm_goal){CRM_GOAL_WORK, s->account};
        break;
    default:
        s->goal = (crm_goal){CRM_GOAL_APPROACH, s->rebound};
        break;
    }
    return e > 0.0;
}

// Newton's law asks for a velocity, however it comes about: it has no account, and no second compression.
static double fall_of(const stage *s, const crm_piece *piece, const crm_impact_state *state) {
    return s->restituting && s->law != CAROM_IMPACT_LAW_NEWTON ? crm_piece_fall(piece, state) : INFINITY;
}

static void leave_restitution(stage *s, const crm_impact_state *state) {
    s->account = s->goal.value - (s->goal.kind == CRM_GOAL_IMPULSE ? state->normal : state->work);
    begin_compression(s, state);
}

static void enter(crm_followed *out, carom_impact_phase phase) {
    if (out->phase_count < CAROM_IMPACT_PHASE_LIMIT) out->phases[out->phase_count++] = phase;
}

void crm_impact_follow(const crm_friction *friction, crm_impact_state start, carom_impact_law law, double restitution,
                       crm_followed *out) {
    crm_impact_state state = start;
    crm_regime regime = crm_friction_regime(friction, state.slip);
    stage stage = {.law = law, .restitution = restitution, .rebound = -restitution * start.approach};
    bool compressed = false;
    *out = (crm_followed){.phase_count = 0};
    enter(out, regime.phase);
    begin_compression(&stage, &state);
    int pieces = 0;
    for (; pieces < piece_limit; pieces++) {
        crm_piece piece;
        crm_friction_piece(friction, &state, &regime, &piece);
        double goal = crm_piece_find_goal(&piece, &state, stage.goal), fall = fall_of(&stage, &piece, &state);
        if (fall < goal) {
            state = crm_piece_at(&piece, &state, fall);
            state.approach = 0.0;
            leave_restitution(&stage, &state);
        } else if (isfinite(goal)) {
            state = crm_piece_at(&piece, &state, goal);
            if (stage.restituting) break;
            state.approach = 0.0;
            if (!compressed) out->compression = state;
            compressed = true;
            if (!begin_restitution(&stage, &state)) break;
        } else if (isfinite(piece.length)) {
            state = crm_piece_at(&piece, &state, piece.length);
            if (piece.stops) {
                regime = crm_friction_regime(friction, state.slip);
                enter(out, regime.phase);
            }
        } else { // stuck, and wedged by it
            out->wedged = true;
            if (!compressed) out->compression = state; // then no work is counted
            break;
        }
    }
    out->unfinished = pieces == piece_limit;
    out->end = state;
    out->end.work += stage.counted_work;
}

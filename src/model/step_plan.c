// SPDX-License-Identifier: MIT
#include "model/step_plan.h"

#include <float.h>
#include <math.h>

#include "base/fail.h"
#include "base/hash.h"
#include "model/saved/saved_check.h"

// A remainder of less than this share of a step is rounding, and gets no step of its own.
static const double step_slack = 1e-6;
// Equal steps that differ from the length that was asked for by less than this share are of that length.
static const double same_length = 1e-12;

static double start_of(const carom_step_piece *pieces, int i) {
    return i > 0 ? pieces[i - 1].until : 0.0;
}

// How many equal steps a piece has.
static double count_of(const carom_step_piece *pieces, int i) {
    double length = pieces[i].until - start_of(pieces, i);
    return fmax(1.0, ceil(length / pieces[i].step * (1.0 - same_length)));
}

// Their length.
static double length_of(const carom_step_piece *pieces, int i) {
    double equal = (pieces[i].until - start_of(pieces, i)) / count_of(pieces, i);
    return fabs(equal - pieces[i].step) <= same_length * pieces[i].step ? pieces[i].step : equal;
}

carom_status crm_step_plan_check(const carom_method_def *def, carom_error *error) {
    if (def->piece_count < 0 || def->piece_count > CRM_MOST_PIECES)
        return crm_refuse(error, "method.steps: has %d pieces, must be 0 to %d", def->piece_count, CRM_MOST_PIECES);
    if (def->piece_count > 0 && def->piece == NULL)
        return crm_refuse(error, "method.steps: has %d pieces, and the list is NULL; give one", def->piece_count);
    for (int i = 0; i < def->piece_count; i++) {
        const carom_step_piece *piece = &def->piece[i];
        double start = start_of(def->piece, i);
        if (!(piece->step > 0.0) || !isfinite(piece->step))
            return crm_refuse(error, "method.steps[%d]: step is %g s, must be positive and finite", i, piece->step);
        if (!(piece->until > start) || !isfinite(piece->until))
            return crm_refuse(error,
                              "method.steps[%d]: until is %g s, must be finite and later than %g s, where the "
                              "piece begins",
                              i, piece->until, start);
        if (!(count_of(def->piece, i) <= (double)CRM_MOST_STEPS))
            return crm_refuse(error, "method.steps[%d]: has %.3g steps of %g s; give a longer step", i,
                              count_of(def->piece, i), piece->step);
        if (!(start + length_of(def->piece, i) > start))
            return crm_refuse(error, "method.steps[%d]: a step of %g s does not move a time of %g s; give a longer one",
                              i, piece->step, start);
    }
    return CAROM_OK;
}

double carom_method_longest_step(const carom_method_def *def, double until) {
    double longest = 0.0, start = 0.0;
    for (int i = 0; i < def->piece_count && (i == 0 || start < until); i++) {
        longest = fmax(longest, length_of(def->piece, i));
        start = def->piece[i].until;
    }
    return def->piece_count == 0 || start < until ? fmax(longest, def->step) : longest;
}

bool crm_step_plan_create(const carom_method_def *def, crm_arena *arena, crm_step_plan *out) {
    *out = (crm_step_plan){
        .count = def->piece_count, .step = def->step, .longest = carom_method_longest_step(def, INFINITY)};
    if (def->piece_count == 0) return true;
    carom_step_piece *pieces = CRM_ARENA_ZEROED(arena, carom_step_piece, def->piece_count);
    if (pieces == NULL) return false;
    carom_method_divide_pieces(def, 1, pieces);
    out->piece = pieces;
    return true;
}

// Steps of this piece that are left at this time.
static double rest_of(const carom_step_piece *piece, double time) {
    return (piece->until - time) / piece->step;
}

static double slack_of(const carom_step_piece *piece) {
    return fmax(step_slack, 8.0 * DBL_EPSILON * piece->until / piece->step); // of times that are rounded
}

double crm_step_plan_next(const crm_step_plan *plan, double time) {
    int low = 0, high = plan->count; // the first piece that is not over
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (rest_of(&plan->piece[middle], time) > slack_of(&plan->piece[middle]))
            high = middle;
        else
            low = middle + 1;
    }
    if (low == plan->count) return plan->step;
    const carom_step_piece *piece = &plan->piece[low];
    double rest = rest_of(piece, time), slack = slack_of(piece);
    if (fabs(rest - round(rest)) <= slack) return piece->step;
    return (piece->until - time) / ceil(rest);
}

uint64_t crm_step_plan_hash(const crm_step_plan *plan) {
    return plan->count > 0 ? crm_hash(1, plan->piece, (size_t)plan->count * sizeof *plan->piece) : 0;
}

bool crm_clock_fits(const crm_step_plan *plan, const crm_step_clock *clock, int64_t step_count) {
    bool finite = isfinite(clock->since) && isfinite(clock->step);
    if (!finite || clock->since < 0.0 || !(clock->step > 0.0)) return false;
    if (clock->since_count < 0 || clock->since_count > step_count) return false;
    if (clock->since_count == 0 && clock->since != 0.0) return false;
    double time = crm_clock_time(clock, step_count);
    return isfinite(time) && crm_step_plan_next(plan, time) > 8.0 * DBL_EPSILON * time;
}

void crm_clock_advance(crm_step_clock *clock, int64_t step_count, double step) {
    if (step == clock->step) return;
    *clock = (crm_step_clock){crm_clock_time(clock, step_count), step_count, step};
}

void carom_method_divide_pieces(const carom_method_def *def, int64_t divisor, carom_step_piece *out) {
    for (int i = 0; i < def->piece_count; i++)
        out[i] = (carom_step_piece){def->piece[i].until, length_of(def->piece, i) / (double)divisor};
}

double carom_method_step_count(const carom_method_def *def, double until) {
    double sum = 0.0, start = 0.0;
    for (int i = 0; i < def->piece_count; i++) {
        double length = length_of(def->piece, i), rest = ceil((until - start) / length - step_slack);
        if (!(rest > count_of(def->piece, i))) return sum + fmax(rest, 0.0);
        sum += count_of(def->piece, i);
        start = def->piece[i].until;
    }
    return sum + fmax(ceil((until - start) / def->step - step_slack), 0.0);
}

double carom_method_step_time(const carom_method_def *def, int64_t step) {
    crm_step_clock clock = {0.0, 0, def->step};
    int64_t made = 0;
    for (int i = 0; i < def->piece_count && made < step; i++) {
        int64_t count = (int64_t)count_of(def->piece, i);
        crm_clock_advance(&clock, made, length_of(def->piece, i));
        made = count < step - made ? made + count : step;
    }
    if (made < step) crm_clock_advance(&clock, made, def->step);
    return crm_clock_time(&clock, step);
}

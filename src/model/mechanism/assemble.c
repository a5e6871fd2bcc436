// SPDX-License-Identifier: MIT
// Assembly: what is closed without a question, what is refused, and what is said about it.
#include "model/mechanism/assemble.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/limits/limit.h"
#include "model/mechanism/joint_gaps.h"
#include "model/mechanism/joint_projection.h"
#include "model/mechanism/joint_rank.h"

// Share of the system's size, or rad, up to which joints are closed without asking: typed numbers, not mistakes.
static const double most_apart = 1e-3;
// Below this share a joint is closed: a few thousand roundings.
static const double closed = 1e-12;
// Joints that end further apart than this share cannot be closed together.
static const double closed_at_last = 1e-10;
enum { MOST_ITERATIONS = 30 };

static carom_status refuse(const carom_model *model, const crm_worst_joint *worst, bool tried, carom_error *error) {
    char joint[CRM_BODY_TEXT];
    crm_joint_text(model, worst->joint, joint);
    if (tried)
        return crm_refuse(error,
                          "%s cannot be closed together with the others: %.3g m and %.3g rad are left; look for loops "
                          "that do not fit",
                          joint, worst->linear, worst->angular);
    bool linear = worst->linear / worst->size > most_apart;
    return crm_refuse(error,
                      "%s is %.3g %s apart, more than the %.3g %s that are closed without asking; move its "
                      "bodies or its %s",
                      joint, linear ? worst->linear : worst->angular, linear ? "m" : "rad",
                      linear ? most_apart * worst->size : most_apart, linear ? "m" : "rad",
                      linear ? "points" : "attitudes");
}

// Whether a projection should be repeated: while what is left shrinks, and once more where it does not, as a first step
// from afar may exchange one joint's error for another's. In the end only roundings are left.
typedef struct progress {
    double least; // of what was left so far
    int stalled;
    int count;
} progress;

static bool goes_on(progress *p, double left, double enough) {
    if (p->count > 0) p->stalled = left < 0.5 * p->least ? 0 : p->stalled + 1;
    if (p->count == 0 || left < p->least) p->least = left;
    if (left <= enough || p->stalled > 1 || p->count >= MOST_ITERATIONS) return false;
    p->count++;
    return true;
}

carom_status crm_assemble_poses(crm_joint_projection *p, crm_motion *motions, int *iterations, carom_error *error) {
    crm_joint_gaps gaps = crm_joint_gaps_of(p->model, motions, closed);
    progress progress = {0};
    while (goes_on(&progress, gaps.worst.share, gaps.enough)) {
        if (crm_interrupted(&p->model->interrupt)) return crm_fail_interrupted(error);
        crm_joint_projection_move(p, motions);
        gaps = crm_joint_gaps_of(p->model, motions, closed);
    }
    *iterations = progress.count;
    if (gaps.worst.share <= fmax(closed_at_last, gaps.enough)) return CAROM_OK;
    return refuse(p->model, &gaps.worst, true, error);
}

carom_status crm_assemble_velocities(crm_joint_projection *p, crm_motion *motions, carom_error *error) {
    crm_joint_gaps gaps = crm_joint_gaps_of(p->model, motions, closed);
    progress progress = {0};
    while (goes_on(&progress, gaps.velocity_share, closed)) {
        if (crm_interrupted(&p->model->interrupt)) return crm_fail_interrupted(error);
        crm_joint_projection_slow(p, motions);
        gaps = crm_joint_gaps_of(p->model, motions, closed);
    }
    return CAROM_OK;
}

static void describe(const carom_model *model, const crm_joint_gaps *gaps, const crm_motion *before,
                     const crm_motion *after, bool apart, bool moving, carom_assembly *report) {
    report->linear_gap = gaps->linear;
    report->angular_gap = gaps->angular;
    report->velocity_gap = gaps->velocity;
    for (int b = 0; b < model->bodies.count; b++) {
        report->moved = fmax(report->moved, crm_distance(before[b].x, after[b].x));
        report->rotated = fmax(report->rotated, crm_quat_angle(before[b].q, after[b].q));
    }
    char joint[CRM_BODY_TEXT];
    int used = 0;
    if (apart)
        used = snprintf(report->text, sizeof report->text,
                        "joints were up to %.3g m and %.3g rad apart (%s): bodies were moved by up to %.3g m and %.3g "
                        "rad to close them",
                        gaps->linear, gaps->angular, crm_joint_text(model, gaps->worst.joint, joint), report->moved,
                        report->rotated);
    if (moving && used < (int)sizeof report->text)
        snprintf(report->text + used, sizeof report->text - (size_t)used,
                 "%svelocities of up to %.3g m/s or rad/s that joints block were taken away", apart ? "; " : "",
                 gaps->velocity);
}

static carom_status project(const carom_model *model, crm_arena *arena, crm_motion *motions, const crm_joint_gaps *gaps,
                            carom_assembly *report, carom_error *error) {
    crm_joint_projection projection;
    carom_status status = crm_joint_projection_create(model, arena, &projection, error);
    if (status != CAROM_OK) return status;
    projection.system.factor.interrupt = model->interrupt;
    if (gaps->worst.share > gaps->enough) status = crm_assemble_poses(&projection, motions, &report->iterations, error);
    if (status == CAROM_OK) status = crm_assemble_velocities(&projection, motions, error);
    return status == CAROM_OK && crm_interrupted(&model->interrupt) ? crm_fail_interrupted(error) : status;
}

carom_status crm_assemble(const carom_model *model, crm_motion *motions, carom_assembly *report, carom_error *error) {
    *report = (carom_assembly){0};
    if (model->joints.count == 0) return CAROM_OK;
    crm_joint_gaps gaps = crm_joint_gaps_of(model, motions, closed);
    if (!(gaps.worst.share <= most_apart)) return refuse(model, &gaps.worst, false, error);
    crm_arena arena;
    crm_arena_init(&arena, &model->allocator);
    size_t bytes = (size_t)model->bodies.count * sizeof *motions;
    crm_motion *before = CRM_ARENA_ARRAY(&arena, crm_motion, model->bodies.count);
    carom_status status = before != NULL ? CAROM_OK : crm_fail_memory(error, "assembling joints", bytes);
    bool apart = gaps.worst.share > gaps.enough, moving = gaps.velocity_share > closed;
    if (status == CAROM_OK) {
        memcpy(before, motions, bytes);
        if (apart || moving) status = project(model, &arena, motions, &gaps, report, error);
        if (status == CAROM_OK)
            status = crm_joint_redundant_rows(model, motions, crm_joints_size(model, motions), &report->redundant_rows,
                                              error);
        if (status == CAROM_OK)
            describe(model, &gaps, before, motions, apart, moving, report);
        else
            memcpy(motions, before, bytes);
    }
    crm_arena_free(&arena);
    return status;
}

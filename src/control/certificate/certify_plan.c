// SPDX-License-Identifier: MIT
#include "control/certificate/certify_plan.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "control/certificate/plan_facts.h"
#include "control/certificate/replay.h"

// A run at this share of the plan's step tells how far the true motion is from the plan.
enum { FINE = 16 };

crm_plan_bounds crm_plan_bounds_default(void) {
    return (crm_plan_bounds){.violation = 1e-8,
                             .consistency = 1e-9,
                             .gap = 1e-9, // of the plan's unit of length
                             .complementarity = 1e-8,
                             .cone = 1e-8,
                             .limits = 1e-8,
                             .rotation = 1.2, // rad: bulges are bounded up to there
                             .replay = 1e-10};
}

// ---- runs

static carom_status check_replay(crm_plan_facts *f, crm_arena *arena, crm_replay *run, carom_error *error) {
    crm_plan_findings *out = f->out;
    const crm_replay_options own = {CAROM_METHOD_VARIATIONAL, 1, true}, fine = {CAROM_METHOD_VARIATIONAL, FINE, true};
    crm_replay finer;
    carom_status status = crm_replay_plan(f->model, f->def, f->motion, &own, arena, run, error);
    if (status == CAROM_OK) status = crm_replay_plan(f->model, f->def, f->motion, &fine, arena, &finer, error);
    if (status != CAROM_OK) return status;
    for (int k = 0; k <= f->intervals; k++) {
        out->replay[k] = run->difference[k];
        if (!(run->difference[k] > out->certificate.replay)) continue;
        out->certificate.replay = run->difference[k];
        out->replay_node = k;
    }
    out->certificate.replay_fine = finer.difference[f->intervals];
    return CAROM_OK;
}

// ---- the verdict

static void say_violation(const crm_plan_facts *f, crm_plan_findings *out) {
    char text[320];
    crm_violation_text(f->model, &out->worst_of_all, text, sizeof text);
    snprintf(out->text, sizeof out->text, "%s, %.1g of the plan's units", text, out->worst_of_all.share);
}

static void say_gap(const crm_plan_facts *f, crm_plan_findings *out, double margin, const char *where) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    const crm_plan_nearest *worst = NULL;
    int at = 0;
    bool between = strcmp(where, "interval") == 0;
    const crm_plan_nearest *list = between ? out->in_interval : out->at_node;
    for (int k = 0; k < f->intervals + (between ? 0 : 1); k++)
        if (worst == NULL || list[k].gap < worst->gap) worst = &list[k], at = k;
    snprintf(out->text, sizeof out->text, "%s and %s come within %.6g m at %s %d; the margin is %g m",
             crm_body_text(f->model, worst->a.index, a), crm_body_text(f->model, worst->b.index, b), worst->gap, where,
             at, margin);
}

static void say_touch(const crm_plan_facts *f, crm_plan_findings *out) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    snprintf(out->text, sizeof out->text, "%s and %s, which touch, overlap by %.2g m there",
             crm_body_text(f->model, out->touch.a.index, a), crm_body_text(f->model, out->touch.b.index, b),
             -out->touch.gap);
}

static void say_contact(const crm_plan_facts *f, crm_plan_findings *out, int contact, const char *what, double by) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    const carom_plan_contact *c = &f->def->contact[contact];
    snprintf(out->text, sizeof out->text, "the contact of %s and %s at node %d %s by %.1e",
             crm_body_text(f->model, c->a.index, a), crm_body_text(f->model, c->b.index, b), c->node, what, by);
}

static void say_rest(const crm_plan_facts *f, const crm_plan_bounds *bound, const crm_replay *run,
                     crm_plan_findings *out) {
    const carom_plan_certificate *c = &out->certificate;
    char name[CRM_BODY_TEXT];
    if (!(c->limits <= bound->limits))
        snprintf(out->text, sizeof out->text, "control %d is beyond its limit in interval %d, by %.1e of it",
                 out->limit_control, out->limit_interval, c->limits);
    else if (!(c->rotation <= bound->rotation))
        snprintf(out->text, sizeof out->text,
                 "%s rotates by %.3g rad in interval %d, and what holds between nodes holds to %g rad; take more "
                 "intervals",
                 crm_body_text(f->model, out->rotation_body, name), c->rotation, out->rotation_interval,
                 bound->rotation);
    else if (run->text[0] != '\0')
        snprintf(out->text, sizeof out->text, "there is no run of the plan: %s", run->text);
    else if (run->substeps > 1)
        snprintf(out->text, sizeof out->text,
                 "a run of the plan divides its steps, by up to %d, and is %.1e off at node %d; take more intervals",
                 run->substeps, c->replay, out->replay_node);
    else
        snprintf(out->text, sizeof out->text, "a run of the plan is %.1e off at node %d", c->replay, out->replay_node);
}

static void conclude(const crm_plan_facts *f, const crm_replay *run, crm_plan_findings *out) {
    const crm_plan_bounds bound = crm_plan_bounds_default();
    carom_plan_certificate *c = &out->certificate;
    double gap = bound.gap * f->length;
    if (!(c->violation <= bound.violation))
        say_violation(f, out);
    else if (!(c->consistency <= bound.consistency))
        snprintf(out->text, sizeof out->text, "the momentum of all bodies is off by %.1e of it", c->consistency);
    else if (!(c->gap_at_nodes >= c->margin - gap))
        say_gap(f, out, c->margin, "node");
    else if (f->def->avoid.between_nodes && !(c->gap_between >= c->margin - gap))
        say_gap(f, out, c->margin, "interval");
    else if (!(out->touch.gap >= -gap))
        say_touch(f, out);
    else if (!(c->complementarity <= bound.complementarity))
        say_contact(f, out, out->product_contact, "has products of impulse and gap or velocity that are not 0,",
                    c->complementarity);
    else if (!(c->cone <= bound.cone))
        say_contact(f, out, out->cone_contact, "is outside of its friction cone", c->cone);
    else if (!(c->limits <= bound.limits) || !(c->rotation <= bound.rotation) || !(c->replay <= bound.replay))
        say_rest(f, &bound, run, out);
    c->kept = out->text[0] == '\0';
}

carom_status crm_certify_plan(const carom_model *model, const carom_plan_def *def, const crm_plan_motion *motion,
                              crm_arena *arena, crm_plan_findings *out, carom_error *error) {
    *out = (crm_plan_findings){.text = ""};
    out->certificate.coarse_effort = NAN;
    ptrdiff_t nodes = (ptrdiff_t)motion->interval_count + 1;
    out->at_node = CRM_ARENA_ZEROED(arena, crm_plan_nearest, nodes);
    out->in_interval = CRM_ARENA_ZEROED(arena, crm_plan_nearest, nodes);
    out->consistency = CRM_ARENA_ZEROED(arena, double, nodes);
    out->replay = CRM_ARENA_ZEROED(arena, double, nodes);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "the certificate of a plan", sizeof(double));
    crm_plan_facts facts;
    crm_replay run;
    carom_status status = crm_plan_facts_of(model, def, motion, arena, out, &facts, error);
    if (status != CAROM_OK) return status;
    crm_check_motion(&facts);
    crm_check_asked(&facts);
    crm_check_momentum(&facts);
    crm_check_limits(&facts);
    crm_check_touches(&facts);
    out->certificate.violation = out->worst_of_all.share;
    for (int law = 0; law < CRM_LAW_COUNT; law++)
        out->certificate.violation_si = fmax(out->certificate.violation_si, out->worst[law].value);
    status = crm_check_gaps(&facts, arena, error);
    if (status == CAROM_OK) status = check_replay(&facts, arena, &run, error);
    if (status == CAROM_OK) conclude(&facts, &run, out);
    return status;
}

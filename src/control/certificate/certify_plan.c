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

// ---- runs

static carom_status check_replay(crm_plan_facts *f, crm_arena *arena, carom_error *error) {
    crm_plan_findings *out = f->out;
    const crm_replay_options own = {CAROM_METHOD_VARIATIONAL, 1, true}, fine = {CAROM_METHOD_VARIATIONAL, FINE, true};
    crm_replay run, finer;
    carom_status status = crm_replay_plan(f->model, f->def, f->motion, &own, arena, &run, error);
    if (status == CAROM_OK) status = crm_replay_plan(f->model, f->def, f->motion, &fine, arena, &finer, error);
    if (status != CAROM_OK) return status;
    for (int k = 0; k <= f->intervals; k++) {
        out->replay[k] = run.difference[k];
        if (!(run.difference[k] > out->certificate.replay)) continue;
        out->certificate.replay = run.difference[k];
        out->replay_node = k;
    }
    out->certificate.replay_fine = finer.difference[f->intervals];
    out->replay_substeps = run.substeps;
    memcpy(out->replay_text, run.text, sizeof out->replay_text);
    return CAROM_OK;
}

// ---- the verdict: a sentence for every line that is a contract

typedef void say(const crm_plan_facts *f, crm_plan_findings *out);

static void say_violation(const crm_plan_facts *f, crm_plan_findings *out) {
    char text[320];
    crm_violation_text(f->model, &out->worst_of_all, text, sizeof text);
    snprintf(out->text, sizeof out->text, "%s, %.1g of the plan's units", text, out->worst_of_all.share);
}

static void say_consistency(const crm_plan_facts *f, crm_plan_findings *out) {
    int worst = 0;
    for (int k = 1; k <= f->intervals; k++)
        if (out->consistency[k] > out->consistency[worst]) worst = k;
    snprintf(out->text, sizeof out->text,
             "the momentum of all bodies changes by %.1e of it beyond all forces from node %d on",
             out->certificate.consistency, worst);
}

static void say_nearest(const crm_plan_facts *f, crm_plan_findings *out, const crm_plan_nearest *list, int count,
                        const char *where) {
    char a[CRM_BODY_TEXT], b[CRM_BODY_TEXT];
    int worst = 0;
    for (int k = 1; k < count; k++)
        if (list[k].gap < list[worst].gap) worst = k;
    snprintf(out->text, sizeof out->text, "%s and %s come within %.6g m at %s %d; the margin is %g m",
             crm_body_text(f->model, list[worst].a.index, a), crm_body_text(f->model, list[worst].b.index, b),
             list[worst].gap, where, worst, out->certificate.margin);
}

static void say_gap_at_nodes(const crm_plan_facts *f, crm_plan_findings *out) {
    say_nearest(f, out, out->at_node, f->intervals + 1, "node");
}

static void say_gap_between(const crm_plan_facts *f, crm_plan_findings *out) {
    say_nearest(f, out, out->in_interval, f->intervals, "interval");
}

static void say_touch_overlap(const crm_plan_facts *f, crm_plan_findings *out) {
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

static void say_complementarity(const crm_plan_facts *f, crm_plan_findings *out) {
    say_contact(f, out, out->product_contact, "has products of impulse and gap or velocity that are off 0",
                out->certificate.complementarity);
}

static void say_cone(const crm_plan_facts *f, crm_plan_findings *out) {
    say_contact(f, out, out->cone_contact, "is outside of its friction cone", out->certificate.cone);
}

static void say_limits(const crm_plan_facts *f, crm_plan_findings *out) {
    (void)f;
    snprintf(out->text, sizeof out->text, "control %d is beyond its limit in interval %d, by %.1e of it",
             out->limit_control, out->limit_interval, out->certificate.limits);
}

static void say_rotation(const crm_plan_facts *f, crm_plan_findings *out) {
    char name[CRM_BODY_TEXT];
    snprintf(out->text, sizeof out->text,
             "%s rotates by %.3g rad in interval %d, beyond what bounds its way between nodes; take more intervals",
             crm_body_text(f->model, out->rotation_body, name), out->certificate.rotation, out->rotation_interval);
}

static void say_replay(const crm_plan_facts *f, crm_plan_findings *out) {
    (void)f;
    double off = out->certificate.replay;
    if (out->replay_text[0] != '\0')
        snprintf(out->text, sizeof out->text, "there is no run of the plan: %s", out->replay_text);
    else if (out->replay_substeps > 1)
        snprintf(out->text, sizeof out->text,
                 "a run of the plan divides its steps, by up to %d, and is %.1e off at node %d; take more intervals",
                 out->replay_substeps, off, out->replay_node);
    else
        snprintf(out->text, sizeof out->text, "a run of the plan is %.1e off at node %d", off, out->replay_node);
}

static void conclude(const crm_plan_facts *f, crm_plan_findings *out) {
    static const struct {
        const char *line;
        say *say;
    } sentences[] = {{"violation", say_violation},
                     {"consistency", say_consistency},
                     {"gap_at_nodes", say_gap_at_nodes},
                     {"gap_between", say_gap_between},
                     {"touch_overlap", say_touch_overlap},
                     {"complementarity", say_complementarity},
                     {"cone", say_cone},
                     {"limits", say_limits},
                     {"rotation", say_rotation},
                     {"replay", say_replay}};
    int count;
    const carom_plan_line *lines = carom_plan_lines(&count);
    out->certificate.kept = true;
    for (int i = 0; i < count && out->certificate.kept; i++) {
        if (!lines[i].contract || carom_plan_line_keeps(&lines[i], &out->certificate)) continue;
        out->certificate.kept = false;
        for (size_t k = 0; k < sizeof sentences / sizeof sentences[0]; k++)
            if (strcmp(sentences[k].line, lines[i].name) == 0) sentences[k].say(f, out);
    }
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
    carom_status status = crm_plan_facts_of(model, def, motion, arena, out, &facts, error);
    if (status != CAROM_OK) return status;
    crm_check_motion(&facts);
    crm_check_asked(&facts);
    crm_check_momentum(&facts);
    crm_check_limits(&facts);
    crm_check_touches(&facts);
    out->certificate.length = facts.length;
    out->certificate.violation = out->worst_of_all.share;
    for (int law = 0; law < CRM_LAW_COUNT; law++)
        out->certificate.violation_si = fmax(out->certificate.violation_si, out->worst[law].value);
    status = crm_check_gaps(&facts, arena, error);
    out->certificate.touch_overlap = fmax(0.0, -out->touch.gap) / facts.length;
    if (status == CAROM_OK) status = check_replay(&facts, arena, error);
    if (status == CAROM_OK) conclude(&facts, out);
    return status;
}

// SPDX-License-Identifier: MIT
// Which contacts are planned, between which convex parts, and the loosening of their products.
#include "control/rows/touch/planned_contacts.h"

#include <math.h>

#include "base/fail.h"

// Of the plan's unit of momentum: what a contact exchanges at least where nothing is asked.
static const double least_exchanged = 1e-4;

static int node_of(const carom_plan_def *def, int intervals, int contact) {
    return def->contact[contact].node * intervals / def->intervals;
}

crm_arc_ends crm_planned_arcs(const carom_plan_def *def, int intervals, int *node) {
    int count = 0;
    for (int i = 0; i < def->contact_count; i++) {
        int at = node_of(def, intervals, i);
        if (at > 0 && at < intervals && (count == 0 || node[count - 1] < at)) node[count++] = at;
    }
    return (crm_arc_ends){count, node};
}

bool crm_planned_touches(const carom_plan_def *def, int intervals, int node, int a, int b) {
    for (int i = 0; i < def->contact_count; i++) {
        const carom_plan_contact *c = &def->contact[i];
        bool these = (c->a.index == a && c->b.index == b) || (c->a.index == b && c->b.index == a);
        int at = node_of(def, intervals, i);
        if (these && (node == at || (c->sticky && node > at))) return true;
    }
    return false;
}

// The one convex part of a body, or why it cannot be planned with.
static carom_status part_of(const carom_model *model, const crm_convex_parts *parts, int contact, carom_body body,
                            const crm_convex_part **out, carom_error *error) {
    char text[CRM_BODY_TEXT];
    int first = parts->first[body.index], count = parts->first[body.index + 1] - first;
    *out = &parts->part[first];
    if (count == 1) return CAROM_OK;
    return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                    "plan: contact %d: %s has %d convex parts; contacts are planned of bodies of one", contact,
                    crm_body_text(model, body.index, text), count);
}

static carom_status take(const carom_model *model, const carom_plan_def *def, int intervals,
                         const crm_plan_units *units, const crm_planned *planned, int index, crm_planned_contact *out,
                         carom_error *error) {
    const carom_plan_contact *c = &def->contact[index];
    const crm_convex_part *a, *b;
    carom_status status = part_of(model, &planned->parts, index, c->a, &a, error);
    if (status == CAROM_OK) status = part_of(model, &planned->parts, index, c->b, &b, error);
    if (status != CAROM_OK) return status;
    bool swapped = b->half_space || (!a->half_space && c->sticky && crm_body_moves(model, c->a.index));
    int node = node_of(def, intervals, index);
    *out = (crm_planned_contact){.index = index,
                                 .node = node,
                                 .at_end = node == intervals,
                                 .sticky = c->sticky,
                                 .a = swapped ? b : a,
                                 .b = swapped ? a : b,
                                 .restitution = c->restitution,
                                 .friction = c->friction,
                                 .least = c->least_impulse > 0.0 ? c->least_impulse / units->momentum : least_exchanged,
                                 .plane = -1,
                                 .push_a = -1,
                                 .push_b = -1,
                                 .slip = -1,
                                 .hold = -1};
    out->single = out->b->vertex_count == 1 && (out->a->half_space || out->a->vertex_count == 1);
    bool plain = out->a->half_space;
    if ((c->friction > 0.0 || c->sticky) && !plain)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED,
                        "plan: contact %d: friction and sticking are planned on half-spaces only; give one body a "
                        "half-space, or leave them out",
                        index);
    if (c->sticky && out->b->radius > 0.0)
        return crm_fail(error, CAROM_ERR_UNSUPPORTED, "plan: contact %d: what sticks has corners, not a round shape",
                        index);
    return CAROM_OK;
}

static int room_for_products(const crm_planned *planned) {
    int room = 0;
    for (int i = 0; i < planned->count; i++) {
        const crm_planned_contact *c = &planned->contact[i];
        room += 2 * c->a->vertex_count + (2 * CRM_PYRAMID + 4) * c->b->vertex_count;
    }
    return room;
}

carom_status crm_planned_create(const carom_model *model, const carom_plan_def *def, int intervals,
                                const crm_plan_units *units, const crm_motion *start, crm_arena *arena,
                                crm_planned **out, carom_error *error) {
    *out = NULL;
    if (def->contact_count == 0) return CAROM_OK;
    crm_planned *planned = CRM_ARENA_ZEROED(arena, crm_planned, 1);
    bool *needed = CRM_ARENA_ZEROED(arena, bool, model->bodies.count);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "planned contacts", sizeof *planned);
    planned->count = def->contact_count;
    planned->contact = CRM_ARENA_ARRAY(arena, crm_planned_contact, planned->count);
    planned->twist = CRM_ARENA_ARRAY(arena, int32_t, (ptrdiff_t)planned->count * model->bodies.count);
    if (crm_arena_refused(arena)) return crm_fail_memory(error, "planned contacts", sizeof *planned->contact);
    for (int i = 0; i < def->contact_count; i++)
        needed[def->contact[i].a.index] = needed[def->contact[i].b.index] = true;
    carom_status status = crm_convex_parts_find(model, start, needed, arena, &planned->parts, error);
    for (int i = 0; i < planned->count && status == CAROM_OK; i++)
        status = take(model, def, intervals, units, planned, i, &planned->contact[i], error);
    if (status != CAROM_OK) return status;
    planned->product_room = room_for_products(planned);
    planned->product = CRM_ARENA_ARRAY(arena, crm_product_row, planned->product_room);
    if (planned->product == NULL) return crm_fail_memory(error, "planned contacts", sizeof *planned->product);
    *out = planned;
    return CAROM_OK;
}

bool crm_planned_has_choices(const crm_planned *planned) {
    return planned != NULL && planned->product_count > 0;
}

void crm_planned_relax(const crm_planned *planned, double epsilon, crm_program *program) {
    for (int i = 0; i < planned->product_count; i++) {
        const crm_product_row *p = &planned->product[i];
        program->row_lower[p->row] = p->both_sides ? -epsilon : -INFINITY;
        program->row_upper[p->row] = epsilon;
    }
}

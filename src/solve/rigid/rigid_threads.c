// SPDX-License-Identifier: MIT
// Loops over a group, cut into pieces for several threads. What the pieces are follows from the problem alone, and what
// they add is joined in their order, so that no bit depends on the number of threads.
#include <string.h>

#include "solve/rigid/rigid_group.h"

typedef struct section_loop {
    crm_rigid_group *group;
    void (*work)(const struct section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part);
    int first, stride;
    const double *guess;
    double *impulse, *velocity; // that are written; may be NULL
    crm_vec6 *change;
} section_loop;

static void work_on_sections(void *context, int begin, int end, int worker) {
    (void)worker;
    const section_loop *loop = context;
    const crm_rigid_group *group = loop->group;
    for (int i = begin; i < end; i++) {
        int s = loop->first + loop->stride * i;
        loop->work(loop, &group->layout->section[group->share->first_section + s], &group->part[s]);
    }
}

static void run_sections(section_loop loop, int first, int stride) {
    int count = (loop.group->share->sections - first + stride - 1) / stride;
    loop.first = first;
    loop.stride = stride;
    crm_pool_for(loop.group->pool, count, 1, work_on_sections, &loop);
}

// Of work that only reads velocities.
static void in_any_order(section_loop loop) {
    run_sections(loop, 0, 1);
}

// Of work that changes velocities, or the impulses on bodies: every other section, then the rest.
static void by_colours(section_loop loop) {
    run_sections(loop, 0, 2);
    run_sections(loop, 1, 2);
}

// ---- over batches

static void pack(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    const crm_rigid_group *group = loop->group;
    bool cut = group->share->sections > 1;
    crm_rigid_group_address(group, section);
    part->free = (crm_rigid_free){.least = group->free->least}; // large islands are alone in their group
    part->moved = group->loops->pack(&group->system, section->begin, section->end, group->problem, loop->guess,
                                     cut ? &part->free : group->free);
}

bool crm_rigid_group_pack_contacts(crm_rigid_group *group, const double *impulse) {
    bool moved = true;
    by_colours((section_loop){.group = group, .work = pack, .guess = impulse});
    for (int s = 0; s < group->share->sections; s++) {
        const crm_rigid_free *free = &group->part[s].free;
        moved &= group->part[s].moved;
        if (group->share->sections == 1) break;
        if (!(free->scale <= group->free->scale)) group->free->scale = free->scale;
        group->free->energy += free->energy;
    }
    return moved;
}

static void sweep(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    const crm_rigid_group *group = loop->group;
    part->change = (group->system.relaxed ? crm_rigid_relaxed_sweep : group->loops->sweep)(
        &group->system, section->begin, section->end, &group->sweep);
}

double crm_rigid_group_sweep_contacts(crm_rigid_group *group) {
    double largest = 0.0;
    by_colours((section_loop){.group = group, .work = sweep});
    for (int s = 0; s < group->share->sections; s++)
        if (!(group->part[s].change <= largest)) largest = group->part[s].change;
    return largest;
}

static void push(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    (void)part;
    loop->group->loops->push(&loop->group->system, section->begin, section->end);
}

void crm_rigid_group_push_contacts(crm_rigid_group *group) {
    by_colours((section_loop){.group = group, .work = push});
}

static void residual(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    const crm_rigid_group *group = loop->group;
    bool cut = group->share->sections > 1;
    part->sums = (crm_rigid_sums){0};
    group->loops->residual(&group->system, section->begin, section->end, cut ? &part->sums : group->sums,
                           loop->velocity);
}

void crm_rigid_group_residual_of_contacts(crm_rigid_group *group, double *velocity) {
    in_any_order((section_loop){.group = group, .work = residual, .velocity = velocity});
    if (group->share->sections == 1) return;
    for (int s = 0; s < group->share->sections; s++) {
        const crm_rigid_sums *part = &group->part[s].sums;
        if (!(part->wrong <= group->sums->wrong)) group->sums->wrong = part->wrong;
        if (!(part->impulse <= group->sums->impulse)) group->sums->impulse = part->impulse;
        group->sums->energy += part->energy;
        group->sums->energy_impulse += part->energy_impulse;
    }
}

static void keep(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    (void)part;
    const crm_rigid_group *group = loop->group;
    for (int i = section->begin; i < section->end; i++)
        memcpy(group->best[i], group->system.batch[i].impulse, sizeof group->best[i]);
}

void crm_rigid_group_keep_contacts(crm_rigid_group *group) {
    in_any_order((section_loop){.group = group, .work = keep});
}

static void weigh(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    (void)part;
    const crm_rigid_group *group = loop->group;
    double own = crm_rigid_group_weight(group, 0);
    for (int i = section->begin; i < section->end; i++) {
        crm_rigid_batch *k = &group->system.batch[i];
        for (int l = 0; l < CRM_RIGID_LANES; l++)
            k->weight[l] = k->island[l] == 0 ? own : crm_rigid_group_weight(group, k->island[l]);
    }
}

void crm_rigid_group_weigh_contacts(crm_rigid_group *group) {
    in_any_order((section_loop){.group = group, .work = weigh});
}

static void write(const section_loop *loop, const crm_rigid_section *section, crm_rigid_part *part) {
    (void)part;
    crm_rigid_group_write_section(loop->group, section, loop->impulse, loop->velocity, loop->change);
}

void crm_rigid_group_write_contacts(crm_rigid_group *group, double *impulse, double *velocity, crm_vec6 *change) {
    by_colours(
        (section_loop){.group = group, .work = write, .impulse = impulse, .velocity = velocity, .change = change});
}

// ---- over velocities

static void extrapolate(void *context, int begin, int end, int worker) {
    (void)worker;
    const crm_rigid_group *group = context;
    ptrdiff_t at = (ptrdiff_t)CRM_RIGID_STRIDE * begin;
    group->loops->extrapolate(CRM_RIGID_STRIDE * (end - begin), group->sweep.momentum, group->start + at,
                              group->system.z + at, group->before + at);
}

void crm_rigid_group_extrapolate(crm_rigid_group *group) {
    crm_pool_for(group->pool, group->system.slot_count, CRM_RIGID_PIECE, extrapolate, group);
}

static void multiply(void *context, int begin, int end, int worker) {
    (void)worker;
    const crm_rigid_group *group = context;
    ptrdiff_t at = (ptrdiff_t)CRM_RIGID_STRIDE * begin;
    group->products[begin / CRM_RIGID_PIECE] = group->loops->restart(
        CRM_RIGID_STRIDE * (end - begin), group->start + at, group->system.z + at, group->before + at);
}

double crm_rigid_group_restart_product(crm_rigid_group *group) {
    int count = group->system.slot_count, pieces = crm_pool_chunks(count, CRM_RIGID_PIECE);
    double sum = 0.0;
    crm_pool_for(group->pool, count, CRM_RIGID_PIECE, multiply, group);
    for (int i = 0; i < pieces; i++) sum += group->products[i];
    return sum;
}

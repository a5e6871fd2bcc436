// SPDX-License-Identifier: MIT
// Large islands in sections, for several threads: sections k and k + 2 share no body that can move, so that those of
// even number can be visited at the same time, then those of odd number, with the same bits in any order.
//
// Bodies are in levels, by how many contacts they are from a body at the rim. A contact is between bodies of one level
// or of two that follow each other, and belongs to the lower one. A section is all contacts of some levels, one after
// the other: it moves bodies of these and of the first level after them, hence none of the section after the next. A
// body at the rim is the last one that is reached from any other: from there the levels are many and small.
#include "solve/rigid/layout/rigid_layout.h"

// Contacts from which on an island is cut, and that a section has at least.
static const int cut_island = 4000, full_section = 250;

int crm_rigid_most_sections(int contacts) {
    return contacts / full_section + 1;
}

// Pairs of bodies in contact: body `slot` meets meets[first[slot]] ... meets[first[slot + 1] - 1].
typedef struct meetings {
    int *first, *meets;
} meetings;

// Pairs of bodies that can move, those of contacts that follow each other once. How many.
static int find_pairs(const crm_rigid_ends *ends, int contacts, crm_rigid_ends *pair) {
    crm_rigid_ends last = {0, 0};
    int count = 0;
    for (int k = 0; k < contacts; k++) {
        crm_rigid_ends p = ends[k];
        if (p.a == 0 || p.b == 0 || (p.a == last.a && p.b == last.b)) continue;
        pair[count++] = last = p;
    }
    return count;
}

static bool find_meetings(const crm_rigid_ends *pair, int count, int bodies, crm_arena *arena, meetings *out) {
    out->first = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)bodies + 3);
    out->meets = CRM_ARENA_ARRAY(arena, int, 2 * (ptrdiff_t)count);
    if (crm_arena_refused(arena)) return false;
    int *start = out->first + 1; // shifted by one while the lists are filled
    for (int k = 0; k < count; k++) start[pair[k].a + 1]++, start[pair[k].b + 1]++;
    for (int i = 0; i <= bodies; i++) start[i + 1] += start[i];
    for (int k = 0; k < count; k++) {
        out->meets[start[pair[k].a]++] = pair[k].b;
        out->meets[start[pair[k].b]++] = pair[k].a;
    }
    return true;
}

// Levels of all bodies that are reached from one, from `level` on; `queue` gets them in the order of being reached.
static int reach(const meetings *of, int from, int base, int *level, int *queue) {
    int count = 0;
    queue[count++] = from;
    level[from] = base;
    for (int i = 0; i < count; i++) {
        int body = queue[i];
        for (int n = of->first[body]; n < of->first[body + 1]; n++) {
            int other = of->meets[n];
            if (level[other] >= 0) continue;
            level[other] = level[body] + 1;
            queue[count++] = other;
        }
    }
    return count;
}

// How many levels there are; `queue` gets the bodies in the order of these. Bodies that only joints connect follow each
// other.
static int find_levels(const meetings *of, int bodies, int *level, int *queue) {
    int levels = 0, *reached = queue;
    for (int i = 1; i <= bodies; i++) level[i] = -1;
    for (int i = 1; i <= bodies; i++) {
        if (level[i] >= 0) continue;
        int count = reach(of, i, 0, level, reached), rim = reached[count - 1];
        for (int n = 0; n < count; n++) level[reached[n]] = -1;
        count = reach(of, rim, levels, level, reached);
        levels = level[reached[count - 1]] + 1;
        reached += count;
    }
    return levels > 0 ? levels : 1; // that of what cannot move
}

// Slots in the order of the levels: the velocities that a section works on lie side by side.
static void renumber_slots(const crm_rigid_layout *layout, const crm_rigid_share *share, const int *queue, int *fresh) {
    crm_rigid_ends *ends = layout->ends + share->first_contact;
    fresh[0] = 0;
    for (int n = 0; n < share->bodies; n++) fresh[queue[n]] = n + 1;
    for (int n = share->first_body; n < share->first_body + share->bodies; n++)
        layout->slots[n] = layout->slot_of_body[layout->body[n]] = fresh[layout->slots[n]];
    for (int k = 0; k < share->contacts; k++) ends[k] = (crm_rigid_ends){fresh[ends[k].a], fresh[ends[k].b]};
}

static int lower_level(crm_rigid_ends pair, const int *level) {
    if (pair.a == 0 || pair.b == 0) return level[pair.a + pair.b];
    return level[pair.a] < level[pair.b] ? level[pair.a] : level[pair.b];
}

// `section` gets the number of contacts of each level, then the section of each.
static int gather_levels(int levels, int *section) {
    int sections = 0, contacts = 0;
    for (int i = 0; i < levels; i++) {
        contacts += section[i];
        section[i] = sections;
        if (contacts >= full_section) sections++, contacts = 0;
    }
    return contacts > 0 || sections == 0 ? sections + 1 : sections;
}

// Sorts the contacts, whose levels are there, by the sections of these.
static void sort_contacts(const crm_rigid_layout *layout, const crm_rigid_share *share, const int *level,
                          const int *section_of, int sections) {
    crm_rigid_section *section = layout->section + share->first_section;
    for (int s = 0; s < sections; s++) section[s] = (crm_rigid_section){0};
    for (int k = 0; k < share->contacts; k++) section[section_of[level[k]]].contacts++;
    for (int s = 0, first = share->first_contact; s < sections; s++) {
        section[s].first_contact = first;
        first += section[s].contacts;
        section[s].contacts = 0;
    }
    for (int k = 0; k < share->contacts; k++) {
        crm_rigid_section *to = &section[section_of[level[k]]];
        layout->order[to->first_contact + to->contacts++] = share->first_contact + k;
    }
}

static int leave_whole(const crm_rigid_layout *layout, const crm_rigid_share *share) {
    for (int k = 0; k < share->contacts; k++) layout->order[share->first_contact + k] = share->first_contact + k;
    layout->section[share->first_section] =
        (crm_rigid_section){.first_contact = share->first_contact, .contacts = share->contacts};
    return 1;
}

int crm_rigid_cut_share(const crm_rigid_layout *layout, const crm_rigid_share *share, crm_arena *arena) {
    int contacts = share->contacts, bodies = share->bodies;
    if (contacts < cut_island) return leave_whole(layout, share);
    const crm_rigid_ends *ends = layout->ends + share->first_contact;
    crm_rigid_ends *pair = CRM_ARENA_ARRAY(arena, crm_rigid_ends, contacts);
    int *of_body = CRM_ARENA_ARRAY(arena, int, (ptrdiff_t)bodies + 1), *queue = CRM_ARENA_ARRAY(arena, int, bodies);
    int *section_of = CRM_ARENA_ZEROED(arena, int, (ptrdiff_t)bodies + 1); // of a level
    int *level = CRM_ARENA_ARRAY(arena, int, contacts);
    meetings met;
    if (crm_arena_refused(arena)) return 0;
    if (!find_meetings(pair, find_pairs(ends, contacts, pair), bodies, arena, &met)) return 0;
    of_body[0] = 0;
    int levels = find_levels(&met, bodies, of_body, queue);
    for (int k = 0; k < contacts; k++) section_of[level[k] = lower_level(ends[k], of_body)]++;
    int sections = gather_levels(levels, section_of);
    sort_contacts(layout, share, level, section_of, sections);
    renumber_slots(layout, share, queue, of_body);
    return sections;
}

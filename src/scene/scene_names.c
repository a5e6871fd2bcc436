// SPDX-License-Identifier: MIT
#include "scene/scene_names.h"

#include <limits.h>
#include <string.h>

#include "base/hash.h"

enum { FIRST_CAPACITY = 16, LONGEST_WORD = 63 };

// The slot that has the name, or the empty one where it belongs.
static crm_scene_name *slot_of(const crm_scene_names *names, const char *start, size_t size) {
    uint32_t mask = (uint32_t)names->capacity - 1, at = (uint32_t)crm_hash(0, start, size) & mask;
    for (;; at = (at + 1) & mask) {
        crm_scene_name *slot = &names->slot[at];
        if (slot->start == NULL || (slot->size == size && memcmp(slot->start, start, size) == 0)) return slot;
    }
}

int crm_scene_names_find(const crm_scene_names *names, const char *start, size_t size) {
    if (names->capacity == 0) return -1;
    const crm_scene_name *slot = slot_of(names, start, size);
    return slot->start == NULL ? -1 : slot->value;
}

static bool grow(crm_scene_names *names, crm_arena *arena) {
    if (names->capacity > INT_MAX / 2) return false;
    crm_scene_names larger = {.capacity = names->capacity == 0 ? FIRST_CAPACITY : 2 * names->capacity,
                              .count = names->count};
    larger.slot = CRM_ARENA_ZEROED(arena, crm_scene_name, larger.capacity);
    if (larger.slot == NULL) return false;
    for (int i = 0; i < names->capacity; i++) {
        const crm_scene_name *old = &names->slot[i];
        if (old->start != NULL) *slot_of(&larger, old->start, old->size) = *old;
    }
    *names = larger;
    return true;
}

bool crm_scene_names_add(crm_scene_names *names, crm_arena *arena, const char *start, size_t size, int value) {
    // At most two thirds full, so that a search ends soon.
    if (names->count >= names->capacity / 3 * 2 && !grow(names, arena)) return false;
    *slot_of(names, start, size) = (crm_scene_name){start, size, value};
    names->count++;
    return true;
}

static int smallest(int a, int b, int c) {
    int least = a < b ? a : b;
    return least < c ? least : c;
}

// Optimal string alignment: row i of the table is the distance of the first i letters of `a` to every start of `b`.
int crm_scene_edit_distance(const char *a, const char *b) {
    size_t m = strlen(a), n = strlen(b);
    if (m > LONGEST_WORD || n > LONGEST_WORD) return INT_MAX;
    int before[LONGEST_WORD + 1] = {0}, last[LONGEST_WORD + 1] = {0}, row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= n; j++) last[j] = (int)j;
    for (size_t i = 1; i <= m; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = smallest(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] && before[j - 2] + 1 < row[j])
                row[j] = before[j - 2] + 1;
        }
        memcpy(before, last, sizeof before);
        memcpy(last, row, sizeof last);
    }
    return last[n];
}

// A third of the letters may be wrong, but in short words one; a single letter is no mistake for another.
bool crm_scene_is_near(const char *word, int distance) {
    size_t allowed = strlen(word) / 3;
    if (strlen(word) < 2) return distance == 0;
    return distance <= (int)(allowed < 1 ? 1 : allowed > 4 ? 4 : allowed);
}

const char *crm_scene_nearest(const char *word, const char *const *known, int count) {
    const char *nearest = NULL;
    int least = INT_MAX;
    for (int i = 0; i < count; i++) {
        int distance = crm_scene_edit_distance(word, known[i]);
        if (distance < least) {
            least = distance;
            nearest = known[i];
        }
    }
    return nearest != NULL && crm_scene_is_near(word, least) ? nearest : NULL;
}

// SPDX-License-Identifier: MIT
// Open addressing, at most half full.
#include "model/model_names.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "base/hash.h"

// The slot that holds the name, or the empty one where it belongs. There is always an empty one.
static int slot_of(const crm_names *names, const char *name) {
    int slot = (int)(crm_hash(0, name, strlen(name)) & (uint64_t)(names->slot_count - 1));
    while (names->name[slot] != NULL && strcmp(names->name[slot], name) != 0)
        slot = (slot + 1) & (names->slot_count - 1);
    return slot;
}

int crm_names_find(const crm_names *names, const char *name) {
    if (names->slot_count == 0) return -1;
    int slot = slot_of(names, name);
    return names->name[slot] == NULL ? -1 : names->index[slot];
}

static void free_slots(const carom_allocator *allocator, crm_names *names) {
    allocator->release(allocator->user, names->name, (size_t)names->slot_count * sizeof *names->name);
    allocator->release(allocator->user, names->index, (size_t)names->slot_count * sizeof *names->index);
}

static bool grow(const carom_allocator *allocator, crm_names *names) {
    crm_names larger = {.slot_count = names->slot_count == 0 ? 16 : 2 * names->slot_count, .used = names->used};
    size_t slots = (size_t)larger.slot_count;
    larger.name = allocator->allocate(allocator->user, slots * sizeof *larger.name);
    larger.index = allocator->allocate(allocator->user, slots * sizeof *larger.index);
    if (larger.name == NULL || larger.index == NULL) {
        free_slots(allocator, &larger);
        return false;
    }
    for (size_t i = 0; i < slots; i++) larger.name[i] = NULL;
    for (int i = 0; i < names->slot_count; i++) {
        if (names->name[i] == NULL) continue;
        int slot = slot_of(&larger, names->name[i]);
        larger.name[slot] = names->name[i];
        larger.index[slot] = names->index[i];
    }
    free_slots(allocator, names);
    *names = larger;
    return true;
}

static const char *add(const carom_allocator *allocator, crm_names *names, const char *name, int index) {
    if (2 * names->used >= names->slot_count && !grow(allocator, names)) return NULL;
    size_t bytes = strlen(name) + 1;
    char *copy = allocator->allocate(allocator->user, bytes);
    if (copy == NULL) return NULL;
    memcpy(copy, name, bytes);
    int slot = slot_of(names, name);
    names->name[slot] = copy;
    names->index[slot] = index;
    names->used++;
    return copy;
}

carom_status crm_names_add(const carom_allocator *allocator, crm_names *names, const char **name, int index,
                           carom_error *error) {
    if (*name == NULL) return CAROM_OK;
    *name = add(allocator, names, *name, index);
    return *name != NULL ? CAROM_OK : crm_fail_memory(error, "names", sizeof(char *) * 2 * (size_t)index);
}

const char *crm_item_text(const char *kind, const char *name, int index, char text[CRM_BODY_TEXT]) {
    if (name != NULL && name[0] != '\0')
        snprintf(text, CRM_BODY_TEXT, "%s '%.100s'", kind, name);
    else
        snprintf(text, CRM_BODY_TEXT, "%s %d", kind, index);
    return text;
}

carom_status crm_names_check(const crm_names *names, const char *kind, const char *name, int index,
                             char text[CRM_BODY_TEXT], carom_error *error) {
    crm_item_text(kind, name, index, text);
    if (name != NULL && name[0] == '\0')
        return crm_refuse(error, "%s: its name is empty; leave it out or give one", text);
    if (name != NULL && crm_names_find(names, name) >= 0)
        return crm_refuse(error, "%s: there is a %s of that name already", text, kind);
    return CAROM_OK;
}

void crm_names_free(const carom_allocator *allocator, crm_names *names) {
    for (int i = 0; i < names->slot_count; i++)
        if (names->name[i] != NULL) allocator->release(allocator->user, names->name[i], strlen(names->name[i]) + 1);
    if (names->slot_count > 0) free_slots(allocator, names);
    *names = (crm_names){0};
}

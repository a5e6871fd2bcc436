// SPDX-License-Identifier: MIT
#include "control/solver/interior/filter.h"

#include <string.h>

bool crm_filter_accepts(const crm_filter *f, double violation, double value) {
    for (int i = 0; i < f->count; i++)
        if (violation >= f->entry[i][0] && value >= f->entry[i][1]) return false;
    return true;
}

void crm_filter_add(crm_filter *f, double violation, double value) {
    int kept = 0;
    for (int i = 0; i < f->count; i++) {
        if (f->entry[i][0] >= violation && f->entry[i][1] >= value) continue;
        memmove(f->entry[kept++], f->entry[i], sizeof *f->entry);
    }
    f->count = kept;
    if (f->count == CRM_FILTER_SIZE) memmove(f->entry[0], f->entry[1], (size_t)--f->count * sizeof *f->entry);
    f->entry[f->count][0] = violation;
    f->entry[f->count++][1] = value;
}

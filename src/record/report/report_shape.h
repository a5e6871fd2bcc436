// SPDX-License-Identifier: MIT
// A shape as a report shows it.
#ifndef CRM_RECORD_REPORT_SHAPE_H
#define CRM_RECORD_REPORT_SHAPE_H

#include "carom/shape.h"
#include "record/report/json_tree.h"

json_t *crm_report_shape(crm_tree *tree, const carom_shape *shape);

#endif

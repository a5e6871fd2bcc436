// SPDX-License-Identifier: MIT
// A shape as a report shows it.
#ifndef CRM_RECORD_REPORT_SHAPE_H
#define CRM_RECORD_REPORT_SHAPE_H

#include <jansson.h>

#include "carom/shape.h"

json_t *crm_report_shape(const carom_shape *shape);

#endif

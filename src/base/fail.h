// SPDX-License-Identifier: MIT
// The one way in which library code refuses input or reports a lack of memory.
//
// The room base: memory, errors, threads, clocks, random numbers; what every other room stands on. It includes public
// headers only.
#ifndef CRM_BASE_FAIL_H
#define CRM_BASE_FAIL_H

#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

// Fills `error` (which may be NULL) with the status and the formatted sentence, cut to its size; returns `status`.
carom_status crm_fail(carom_error *error, carom_status status, const char *format, ...) CAROM_PRINTF_LIKE(3, 4);

// The same for input that is wrong: CAROM_ERR_BAD_INPUT.
carom_status crm_refuse(carom_error *error, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

// The same for an allocation of `bytes` bytes that failed, 0 where nobody knows how many; `what` names what the memory
// was for.
carom_status crm_fail_memory(carom_error *error, const char *what, size_t bytes);

// The status of a call for a file that failed with this errno: opening one takes memory, too.
carom_status crm_file_status(int number);

// Refuses a definition that did not come from the `TYPE_default()` of this library: one that was never filled in, or
// that a program with other headers has made.
carom_status crm_fail_struct(carom_error *error, const char *type, uint32_t given, size_t wanted);
#define CRM_CHECK_STRUCT(def, type, error) \
    ((def)->struct_size == sizeof(type) ? CAROM_OK : crm_fail_struct((error), #type, (def)->struct_size, sizeof(type)))
// The same of options that may be NULL.
#define CRM_CHECK_OPTIONS(options, type, error) ((options) == NULL ? CAROM_OK : CRM_CHECK_STRUCT(options, type, error))

// Refuses a pointer that the call cannot do without: "carom_step: report is NULL; give one".
#define CRM_NEED(pointer_, error_) \
    if ((pointer_) == NULL) return crm_refuse(error_, "%s: %s is NULL; give one", __func__, #pointer_)

#endif

// SPDX-License-Identifier: MIT
// What an update refuses, before it touches anything.
#ifndef CRM_CONTACT_CONTACT_CHECK_H
#define CRM_CONTACT_CONTACT_CHECK_H

#include "base/arena.h"
#include "carom/contact.h"

carom_status crm_check_contact_options(const carom_contact_options *options, carom_error *error);
// `scratch` is left as it was.
carom_status crm_check_proxies(int count, const carom_proxy *proxies, crm_arena *scratch, carom_error *error);

#endif

// SPDX-License-Identifier: MIT
/// @file
/// carom: bodies in contact, with a certificate on every step. This header brings in the whole public API.
#ifndef CAROM_CAROM_H
#define CAROM_CAROM_H

#include "carom/allocator.h"
#include "carom/api.h"
#include "carom/certificate.h"
#include "carom/contact.h"
#include "carom/distance.h"
#include "carom/features.h"
#include "carom/flex.h"
#include "carom/force.h"
#include "carom/impact.h"
#include "carom/joint.h"
#include "carom/limits.h"
#include "carom/mass.h"
#include "carom/mesh.h"
#include "carom/mobility.h"
#include "carom/model.h"
#include "carom/plan.h"
#include "carom/record.h"
#include "carom/report.h"
#include "carom/scene.h"
#include "carom/shape.h"
#include "carom/solve.h"
#include "carom/status.h"
#include "carom/step.h"
#include "carom/time_of_impact.h"
#include "carom/types.h"
#include "carom/version.h"

#endif

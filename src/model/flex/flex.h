// SPDX-License-Identifier: MIT
// Flexible bodies of a model (docs/flex.md, docs/math.md 15): their nodes are bodies of the model, one after the other;
// their elements are one more potential.
//
//   enters    definitions of carom/flex.h; motions of all bodies
//   leaves    elastic and viscous forces, energies, stiffness, how far elements are from being inverted
//   callers   model/force, which adds them to all others; the methods of step/
#ifndef CRM_MODEL_FLEX_H
#define CRM_MODEL_FLEX_H

#include "base/array.h"
#include "carom/flex.h"
#include "flex/elastic.h"

// A node that another body carries.
typedef struct crm_flex_attachment {
    int node;      // the body that it is
    int body;      // that carries it, and can move
    carom_vec3 at; // where, from the centre of mass of that, in its principal axes
} crm_flex_attachment;

typedef struct crm_flex {
    carom_flex_def def; // as given, attitude normalised; name, mesh and lists ours
    const crm_elastic *elastic;
    crm_block_graph graph; // nodes that share an element: sizes of 3, edges {row > column}
    int first_body;        // that node 0 is
    int node_count;
    int first_moving; // body of the first node that moves; -1: none
    int attachment_count;
    const crm_flex_attachment *attachment; // (attachment_count)
    const carom_shape *ball;               // what nodes at the surface touch others with: a ball of the skin
} crm_flex;

typedef CRM_ARRAY(crm_flex) crm_flex_array;

// Refuses an id that names no flexible body. `what` begins the sentence.
carom_status crm_model_check_flex(const carom_model *model, carom_flex flex, const char *what, carom_error *error);

// ---- flex_check.c

// Refuses a definition; `text` begins the sentences.
carom_status crm_flex_check(const carom_model *model, const char *text, const carom_flex_def *def, carom_error *error);

#endif

// SPDX-License-Identifier: MIT
// The text of a file of a mesh, word by word, with the line of each.
//
// flex/mesh/file: the text of files enters, the arrays of a mesh leave, for mesh_build.h. Called by carom_mesh_parse.
#ifndef CRM_FLEX_MESH_TEXT_H
#define CRM_FLEX_MESH_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "carom/status.h"

// Sentences do not quote what is in the file: it may be none that its owner would show.
typedef struct crm_mesh_text {
    const char *name;
    const char *at, *end;
    int line;     // of the word read last, from 1
    bool by_line; // words of one line belong together, and # begins a comment: TetGen's files
    carom_error *error;
    carom_status status; // of the first sentence
} crm_mesh_text;

void crm_mesh_text_start(crm_mesh_text *text, const char *name, const char *begin, size_t size, bool by_line,
                         carom_error *error);

// "part.msh: line 12: ...", unless something has failed before. False.
bool crm_mesh_text_refuse(crm_mesh_text *text, const char *format, ...) CAROM_PRINTF_LIKE(2, 3);

// The next word; false at the end of the text or, by lines, of the line.
bool crm_mesh_text_word(crm_mesh_text *text, const char **word, size_t *size);
// Whether the next word is this one, which is read then.
bool crm_mesh_text_has(crm_mesh_text *text, const char *word);
// Goes on to the next line, or to the next one that is not empty, and says whether there is one.
void crm_mesh_text_skip_line(crm_mesh_text *text);
bool crm_mesh_text_next_line(crm_mesh_text *text);

// A number, of which `what` tells what it is: "the y coordinate of a node". False with a sentence.
bool crm_mesh_text_whole(crm_mesh_text *text, const char *what, int64_t low, int64_t high, int64_t *out);
bool crm_mesh_text_real(crm_mesh_text *text, const char *what, double *out);

// How many of something follow, each of at least `least_bytes`: no more than the file has room for, nor than `most`.
bool crm_mesh_text_count(crm_mesh_text *text, const char *what, int64_t least, int64_t most, int least_bytes, int *out);

#endif

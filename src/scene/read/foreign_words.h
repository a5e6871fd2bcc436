// SPDX-License-Identifier: MIT
// Words of other programs for what scenes have a key for: they are answered with that key.
#ifndef CRM_SCENE_FOREIGN_WORDS_H
#define CRM_SCENE_FOREIGN_WORDS_H

typedef struct crm_foreign_word {
    const char *objects; // in which it is answered, "; " between them: "a body; a part"
    const char *words;   // a space between them
    const char *answer;  // continues "is not a key of a body; "
} crm_foreign_word;

// All of them; ends with an entry without words.
extern const crm_foreign_word crm_foreign_words[];

// The answer to a key in an object, or NULL. `what` names the object, as "a body".
const char *crm_foreign_word_answer(const char *what, const char *key);

// Words of other programs for a choice, such as the kind "revolute" for "hinge": the one of `words` that is meant, or
// NULL. Upper and lower case are the same.
const char *crm_foreign_choice(const char *given, const char *const *words, int word_count);

#endif

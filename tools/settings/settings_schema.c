// SPDX-License-Identifier: MIT
#include <math.h>
#include <string.h>

#include "carom/tools.h"
#include "settings/settings_tables.h"

static void add_bounds(const carom_setting *s, json_t *out) {
    bool whole = s->type != CAROM_SETTING_NUMBER;
    double low = s->range.low, high = s->range.high;
    bool open_end = !(high < 2147483647.0);
    const char *low_key = s->range.low_is_out ? "exclusiveMinimum" : "minimum";
    const char *high_key = s->range.high_is_out ? "exclusiveMaximum" : "maximum";
    json_object_set_new(out, low_key, low == floor(low) ? json_integer((json_int_t)low) : json_real(low));
    if (!open_end)
        json_object_set_new(out, high_key, high == floor(high) ? json_integer((json_int_t)high) : json_real(high));
    if (s->type == CAROM_SETTING_EVEN) json_object_set_new(out, "multipleOf", json_integer(2));
    if (isfinite(s->fallback))
        json_object_set_new(out, "default", whole ? json_integer((json_int_t)s->fallback) : json_real(s->fallback));
}

static json_t *schema_of(const carom_setting *s) {
    json_t *out = json_object(), *words;
    switch (s->type) {
    case CAROM_SETTING_TRUTH:
        json_object_set_new(out, "type", json_string("boolean"));
        json_object_set_new(out, "default", json_boolean(s->fallback != 0.0));
        break;
    case CAROM_SETTING_WORD:
        json_object_set_new(out, "enum", words = json_array());
        for (int i = 0; i < s->word_count; i++) json_array_append_new(words, json_string(s->word(i)));
        json_object_set_new(out, "default", json_string(s->word((int)s->fallback)));
        break;
    default:
        json_object_set_new(out, "type", json_string(s->type == CAROM_SETTING_NUMBER ? "number" : "integer"));
        add_bounds(s, out);
    }
    json_object_set_new(out, "description",
                        s->unit[0] != '\0' ? json_sprintf("%s. %s", s->unit, s->text) : json_string(s->text));
    return out;
}

static json_t *object_with(json_t *properties) {
    return json_pack("{s:s, s:b, s:o}", "type", "object", "additionalProperties", 0, "properties", properties);
}

// Steps that vary, which are no setting of one value.
static json_t *schema_of_steps(void) {
    json_t *number = json_pack("{s:s, s:i, s:s}", "type", "number", "exclusiveMinimum", 0, "description", "s");
    json_t *piece = object_with(json_pack("{s:O, s:o}", "until", number, "step", number));
    json_object_set_new(piece, "required", json_pack("[s, s]", "until", "step"));
    return json_pack("{s:s, s:o, s:s}", "type", "array", "items", piece, "description",
                     "Pieces of time with steps of their own, in order; `step` comes after the last one");
}

void add_settings(json_t *schema) {
    json_t *definitions = json_object_get(schema, "$defs"), *method = json_object(), *group = NULL;
    for (int i = 0; i < carom_setting_count(); i++) {
        const carom_setting *s = carom_setting_at(i);
        bool own = s->group[0] != '\0', begins = own && strcmp(carom_setting_at(i - 1)->group, s->group) != 0;
        if (begins) {
            json_object_set_new(method, s->group, json_pack("{s:o}", "$ref", json_sprintf("#/$defs/%s", s->group)));
            json_object_set_new(definitions, s->group, object_with(group = json_object()));
        }
        json_object_set_new(own ? group : method, s->key, schema_of(s));
    }
    json_object_set_new(method, "steps", schema_of_steps());
    json_object_set_new(definitions, "method", object_with(method));
}

// SPDX-License-Identifier: MIT
// What a run would begin with: joints as they are put together, bodies that overlap, and a step that is too long for
// the forces.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/vec3.h"
#include "scene/check/lint.h"
#include "scene/read/fields.h"

// A proposed step is this share of the longest one that no rule finds anything about.
static const double share_of_step = 0.5;

static const struct {
    carom_rule rule;
    const char *what, *rate;
} rates[] = {
    {CAROM_RULE_SPRING_RATE, "springs or position motors", "frequency"},
    {CAROM_RULE_DAMPING_RATE, "dampers, drag or damping", "rate of decay"},
    {CAROM_RULE_GYROSCOPIC_RATE, "the tumbling", "its rate"},
    {CAROM_RULE_CHARGE_RATE, "charges so close, or a pair law or a field so stiff,", "their rate"},
    {CAROM_RULE_JOINT_RATE, "joints of what rotates", "its rate"},
};

// " of body 'a' and body 'b'"; who does not move is left out.
static void write_bodies(const carom_model *model, const carom_finding *finding, char *text, size_t size) {
    const int64_t body[2] = {finding->body, finding->other};
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < 2; i++) {
        carom_body_def def;
        if (body[i] < 0 || carom_model_get_body(model, (carom_body){(int32_t)body[i]}, &def, NULL) != CAROM_OK ||
            def.kind == CAROM_BODY_FIXED)
            continue;
        const char *joins = used > 0 ? " and" : " of";
        bool named = def.name != NULL && def.name[0] != '\0';
        used += (size_t)(named ? snprintf(text + used, size - used, "%s body '%.60s'", joins, def.name)
                               : snprintf(text + used, size - used, "%s body %lld", joins, (long long)body[i]));
    }
}

// Whether something was said about springs.
static bool lint_rates(const crm_json_node *root, const carom_state *state) {
    crm_json_node method = crm_scene_member(root, "method"), step = crm_scene_member(&method, "step");
    const crm_json_node *node = step.value != NULL ? &step : method.value != NULL ? &method : root;
    carom_finding finding[CAROM_RULE_COUNT];
    carom_state_findings(state, finding);
    bool springs = false;
    double first = carom_state_next_step(state);
    for (size_t i = 0; i < sizeof rates / sizeof rates[0]; i++) {
        const carom_finding *found = &finding[rates[i].rule];
        double amber = carom_rule_get(rates[i].rule)->amber;
        if (!(found->value > amber)) continue;
        springs |= rates[i].rule == CAROM_RULE_SPRING_RATE;
        char bodies[160];
        write_bodies(carom_state_model(state), found, bodies, sizeof bodies);
        crm_scene_warn(node, "a step of %g s is too long for %s%s: step times %s is %.3g; %.1g s would do", first,
                       rates[i].what, bodies, rates[i].rate, found->value,
                       share_of_step * amber / found->value * first);
    }
    return springs;
}

// Nothing else can be found before a step.
static bool is_worth_a_state(const crm_scene_data *data) {
    bool any = data->joint_count > 0 || data->force_count > 0 || data->flex_count > 0;
    for (int i = 0; i < data->body_count && !any; i++)
        any = data->body[i].shape >= 0 || crm_length(data->body[i].def.spin) + fabs(data->body[i].repeat.spin) > 0.0;
    return any;
}

// A state that cannot be made, said of the joint that its sentence begins with, of the step that it names, or of all
// that there is.
static void refuse_start(const crm_json_node *root, const crm_scene_data *data, const carom_model *model,
                         const char *sentence) {
    crm_json_node joints = crm_scene_member(root, "joints"), bodies = crm_scene_member(root, "bodies"),
                  flexible = crm_scene_member(root, "flexible"), method = crm_scene_member(root, "method"),
                  step = crm_scene_member(&method, "step");
    if (step.value != NULL && strstr(sentence, "method.step") != NULL) {
        crm_scene_error(&step, "a run cannot begin: %s", sentence);
        return;
    }
    int first = 0;
    for (int i = 0; i < data->joint_count; i++) {
        crm_json_node node = crm_scene_item(&joints, i);
        for (int n = 0; n < data->joint[i].count; n++) {
            char start[160];
            int size =
                snprintf(start, sizeof start, "joint '%s'", carom_model_joint_name(model, (carom_joint){first + n}));
            if (strncmp(sentence, start, (size_t)size) != 0) continue;
            crm_scene_error(&node, "a run cannot begin: %s", sentence);
            return;
        }
        first += data->joint[i].count;
    }
    crm_scene_error(data->joint_count > 0  ? &joints
                    : data->flex_count > 0 ? &flexible
                                           : &bodies,
                    "a run cannot begin: %s", sentence);
}

bool crm_scene_lint_start(const crm_json_node *root, const crm_scene_data *data, const carom_model *model) {
    if (model == NULL || root->context->log->error_count > 0 || !is_worth_a_state(data)) return false;
    crm_json_node joints = crm_scene_member(root, "joints"), bodies = crm_scene_member(root, "bodies"),
                  choice = crm_scene_member(root, "start_overlaps");
    carom_error error;
    carom_state *state;
    carom_status status = carom_state_create(model, &data->method, &state, &error);
    if (status == CAROM_ERR_NO_MEMORY)
        root->context->no_memory = true;
    else if (status == CAROM_ERR_TOO_LARGE)
        crm_scene_error(&bodies, "%s", error.text);
    else if (status != CAROM_OK)
        refuse_start(root, data, model, error.text);
    if (status != CAROM_OK) return false;
    const char *overlaps = carom_state_start(state)->text;
    if (overlaps[0] != '\0') crm_scene_warn(choice.value != NULL ? &choice : &bodies, "%s", overlaps);
    crm_scene_lint_assembly(&joints, state);
    crm_scene_lint_latches(&joints, data, state);
    bool springs = lint_rates(root, state);
    carom_state_destroy(state);
    return springs;
}

// SPDX-License-Identifier: MIT
// The table of methods: their names, what they promise, and what models they can do.
#include "carom/tools.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/fail.h"
#include "step/method.h"
#include "step/settings.h"

static const crm_method *const methods[CAROM_METHOD_COUNT] = {
    [CAROM_METHOD_VARIATIONAL] = &crm_method_variational,
    [CAROM_METHOD_EULER] = &crm_method_euler,
    [CAROM_METHOD_MULTIPLIER] = &crm_method_multiplier,
    [CAROM_METHOD_REDUCED] = &crm_method_reduced,
    [CAROM_METHOD_LCP] = &crm_method_lcp,
    [CAROM_METHOD_IMPULSE] = &crm_method_impulse,
    [CAROM_METHOD_PENALTY] = &crm_method_penalty,
    [CAROM_METHOD_POTENTIAL] = &crm_method_potential,
    [CAROM_METHOD_NEWMARK] = &crm_method_newmark,
    [CAROM_METHOD_EXACT] = &crm_method_exact,
    [CAROM_METHOD_DCR] = &crm_method_dcr,
};

const crm_method *crm_method_of(const carom_state *state) {
    return methods[state->method.method];
}

static bool is_method(carom_method method) {
    return (int)method >= 0 && method < CAROM_METHOD_COUNT;
}

const char *carom_method_name(carom_method method) {
    return is_method(method) ? methods[method]->name : "?";
}

const char *carom_method_variant_key(carom_method method) {
    return is_method(method) ? methods[method]->variant_key : NULL;
}

const char *carom_method_settings(carom_method method) {
    return is_method(method) ? methods[method]->settings : NULL;
}

bool carom_method_has_contact(carom_method method) {
    return is_method(method) && (methods[method]->features & CRM_FEATURE_CONTACT) != 0;
}

bool carom_method_has_materials(carom_method method) {
    return is_method(method) && (methods[method]->features & CRM_FEATURE_MATERIAL) != 0;
}

bool carom_method_find(const char *name, carom_method *out) {
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) {
        if (strcmp(methods[i]->name, name) != 0) continue;
        *out = (carom_method)i;
        return true;
    }
    return false;
}

carom_contract carom_method_contract(const carom_method_def *def) {
    // The momentum balance holds to this share of the momenta; no joint is open by more than this share of the jointed
    // system's size, or this many rad.
    carom_contract contract = {.momentum_balance = 1e-12,
                               .joint_drift = 1e-8,
                               .residual = fmin(def->tolerance, CRM_COARSEST_EQUATIONS),
                               .elastic_balance = INFINITY};
    // Of methods with integrators: the share that the tolerances of dp54 allow, however loose they are; with a step
    // that nobody controls, what steps that are far too long make of it.
    if (is_method(def->method) && methods[def->method]->keeps_external_balance)
        contract.momentum_balance = def->integrator == CAROM_INTEGRATOR_DP54
                                        ? fmin(fmax(contract.momentum_balance, 10.0 * def->relative_tolerance), 1e-6)
                                        : 1e-2;
    if (is_method(def->method) && methods[def->method]->contract != NULL)
        methods[def->method]->contract(def, &contract);
    return contract;
}

bool carom_method_is_adaptive(const carom_method_def *def) {
    if (def->method == CAROM_METHOD_IMPULSE) return def->impulse.variant != CAROM_IMPULSE_FIXED;
    bool integrates = def->method == CAROM_METHOD_MULTIPLIER || def->method == CAROM_METHOD_REDUCED;
    return integrates && def->integrator == CAROM_INTEGRATOR_DP54;
}

static const struct {
    crm_feature feature;
    const char *text;
} feature_texts[] = {{CRM_FEATURE_DRAG, "drag"},
                     {CRM_FEATURE_DAMPER, "springs with damping"},
                     {CRM_FEATURE_WRENCH, "constant wrenches"},
                     {CRM_FEATURE_CALLBACK, "force callbacks"},
                     {CRM_FEATURE_FIELD, "fields of force without a potential"},
                     {CRM_FEATURE_JOINT, "joints"},
                     {CRM_FEATURE_LOOP, NULL}, // by the joint that needs it
                     {CRM_FEATURE_LIMIT, "joint limits"},
                     {CRM_FEATURE_JOINT_SPRING, "springs in joints"},
                     {CRM_FEATURE_JOINT_DAMPER, "dampers in joints"},
                     {CRM_FEATURE_MOTOR, "force and position motors"},
                     {CRM_FEATURE_VELOCITY_MOTOR, "velocity motors"},
                     {CRM_FEATURE_MOBILITY, "a mobility in place of inertia"},
                     {CRM_FEATURE_CONTAINER, "containers"},
                     {CRM_FEATURE_SWITCH, "joints that open and close"},
                     {CRM_FEATURE_FLEX, "flexible bodies"},
                     {CRM_FEATURE_ATTACHED, "attachments of flexible bodies to bodies that move"}};

static const unsigned joint_features = CRM_FEATURE_LOOP | CRM_FEATURE_LIMIT | CRM_FEATURE_JOINT_SPRING |
                                       CRM_FEATURE_JOINT_DAMPER | CRM_FEATURE_MOTOR | CRM_FEATURE_VELOCITY_MOTOR |
                                       CRM_FEATURE_SWITCH;

// A limit or a velocity motor, which is a row wherever it acts.
static bool holds_coordinate(const carom_model *model, int joint) {
    for (int k = 0; k < model->joints.items[joint].free; k++) {
        const carom_coordinate_def *coordinate = &model->joints.items[joint].def.coordinate[k];
        bool limited = coordinate->lower > -INFINITY || coordinate->upper < INFINITY;
        if (limited || coordinate->motor.kind == CAROM_MOTOR_VELOCITY) return true;
    }
    return false;
}

// What a model needs CRM_FEATURE_LOOP for, with the first joint that does. Not all of it is a loop to who wrote the
// scene: a distance joint hangs in no tree, nor does a joint that blocks nothing but holds a coordinate.
static void loop_text(const carom_model *model, char *out, size_t size) {
    int first[3] = {-1, -1, -1}; // a loop, a distance, a joint that blocks nothing
    static const char *const texts[] = {"joints that close loops", "distance joints",
                                        "limits and velocity motors of joints that block nothing"};
    for (int j = model->joints.count - 1; j >= 0; j--) {
        const crm_joint *joint = &model->joints.items[j];
        if (model->graph.in_tree[j]) continue;
        if (joint->rows > 0)
            first[joint->def.kind == CAROM_JOINT_DISTANCE] = j;
        else if (holds_coordinate(model, j))
            first[2] = j;
    }
    int kind = first[0] >= 0 ? 0 : first[1] >= 0 ? 1 : 2;
    char name[CRM_BODY_TEXT];
    snprintf(out, size, "%s (%.70s)", texts[kind], crm_joint_text(model, first[kind], name));
}

static unsigned features_of_joints(const carom_model *model) {
    unsigned features =
        (model->joints.count > 0 ? CRM_FEATURE_JOINT : 0u) | (model->graph.closing_count > 0 ? CRM_FEATURE_LOOP : 0u);
    for (int j = 0; j < model->joints.count; j++) {
        for (int k = 0; k < model->joints.items[j].free; k++) {
            const carom_coordinate_def *coordinate = &model->joints.items[j].def.coordinate[k];
            carom_motor_kind motor = coordinate->motor.kind;
            bool limited = coordinate->lower > -INFINITY || coordinate->upper < INFINITY;
            bool holds = limited || motor == CAROM_MOTOR_VELOCITY;
            features |= (holds && !model->graph.in_tree[j] ? CRM_FEATURE_LOOP : 0u) |
                        (limited ? CRM_FEATURE_LIMIT : 0u) |
                        (coordinate->stiffness > 0.0 ? CRM_FEATURE_JOINT_SPRING : 0u) |
                        (coordinate->damping > 0.0 ? CRM_FEATURE_JOINT_DAMPER : 0u) |
                        (motor == CAROM_MOTOR_FORCE || motor == CAROM_MOTOR_POSITION ? CRM_FEATURE_MOTOR : 0u) |
                        (motor == CAROM_MOTOR_VELOCITY ? CRM_FEATURE_VELOCITY_MOTOR : 0u);
        }
    }
    return features;
}

static bool has_container(const carom_model *model) {
    for (int b = 0; b < model->bodies.count; b++) {
        const carom_shape *shape = carom_model_get_shape(model, model->bodies.items[b].def.shape);
        if (shape != NULL && carom_shape_get_kind(shape) == CAROM_SHAPE_CONTAINER) return true;
    }
    return false;
}

static unsigned features_of_flexes(const carom_model *model) {
    unsigned features = model->flexes.count > 0 ? CRM_FEATURE_FLEX : 0u;
    for (int f = 0; f < model->flexes.count; f++)
        features |= model->flexes.items[f].attachment_count > 0 ? CRM_FEATURE_ATTACHED : 0u;
    return features;
}

static unsigned features_of(const carom_model *model) {
    return (has_container(model) ? CRM_FEATURE_CONTAINER : 0u) | (model->drags.count > 0 ? CRM_FEATURE_DRAG : 0u) |
           (model->damper_count > 0 ? CRM_FEATURE_DAMPER : 0u) | (model->wrenches.count > 0 ? CRM_FEATURE_WRENCH : 0u) |
           (model->callbacks.count + model->system_callbacks.count > 0 ? CRM_FEATURE_CALLBACK : 0u) |
           (model->fields.count > 0 ? CRM_FEATURE_FIELD : 0u) |
           (model->mobility.kind != CAROM_MOBILITY_NONE ? CRM_FEATURE_MOBILITY : 0u) |
           (model->switching_count > 0 ? CRM_FEATURE_SWITCH : 0u) | features_of_flexes(model) |
           features_of_joints(model);
}

// What of the features that a model asks for this method lacks.
static unsigned lacking_of(int method, unsigned wanted) {
    unsigned features = methods[method]->features;
    if ((features & CRM_FEATURE_CONTACT) == 0) features |= CRM_FEATURE_CONTAINER; // bodies pass through those as well
    return wanted & ~features;
}

carom_status carom_method_supports(const carom_model *model, const carom_method_def *def, carom_error *error) {
    CRM_NEED(model, error);
    CRM_NEED(def, error);
    carom_status status = CRM_CHECK_STRUCT(def, carom_method_def, error);
    if (status == CAROM_OK) status = crm_settings_check(def, error);
    if (status != CAROM_OK) return status;
    unsigned wanted = features_of(model), missing = lacking_of(def->method, wanted);
    if (missing == 0) return CAROM_OK;
    if (missing & CRM_FEATURE_JOINT) missing &= ~joint_features; // of what it has not there is nothing more to say
    char lacking[512] = "", able[128] = "";
    for (size_t i = 0; i < sizeof feature_texts / sizeof feature_texts[0]; i++) {
        if (!(missing & feature_texts[i].feature)) continue;
        if (lacking[0] != '\0') strcat(lacking, ", ");
        if (feature_texts[i].feature == CRM_FEATURE_LOOP)
            loop_text(model, lacking + strlen(lacking), sizeof lacking - strlen(lacking));
        else
            strcat(lacking, feature_texts[i].text);
    }
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) {
        if (lacking_of(i, wanted) != 0) continue;
        if (able[0] != '\0') strcat(able, ", ");
        strcat(able, methods[i]->name);
    }
    return crm_fail(error, CAROM_ERR_UNSUPPORTED, "the method %s has no %s; methods that have all this model needs: %s",
                    methods[def->method]->name, lacking, able[0] != '\0' ? able : "none yet");
}

const char *crm_contact_alternatives(const carom_model *model, carom_method method, char *text, size_t size) {
    unsigned wanted = features_of(model) | CRM_FEATURE_CONTACT;
    size_t used = 0;
    snprintf(text, size, "none yet");
    for (int i = 0; i < CAROM_METHOD_COUNT && used < size; i++)
        if (i != (int)method && (wanted & ~methods[i]->features) == 0)
            used += (size_t)snprintf(text + used, size - used, "%s%s", used > 0 ? ", " : "", methods[i]->name);
    return text;
}

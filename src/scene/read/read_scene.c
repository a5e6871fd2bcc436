// SPDX-License-Identifier: MIT
// The top of a scene: version, method, times, gravity.
#include "scene/read/read_scene.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "scene/read/fields.h"
#include "scene/write/scene_text.h"

static const double default_until = 10.0, default_frame_rate = 60.0;

enum { FORMAT_VERSION = 1 };

const char *const crm_scene_form_words[2] = {
    [CAROM_EULER_MOMENTUM] = "momentum",
    [CAROM_EULER_VELOCITY] = "velocity",
};

const char *const crm_scene_friction_words[CAROM_FRICTION_COUNT] = {
    [CAROM_FRICTION_CONE] = "cone",
    [CAROM_FRICTION_RELAXED] = "relaxed",
    [CAROM_FRICTION_PYRAMID] = "pyramid",
};

const char *const crm_scene_jump_words[CAROM_JUMP_COUNT] = {
    [CAROM_JUMP_HAMILTONIAN] = "hamiltonian",
    [CAROM_JUMP_DISCRETE] = "discrete",
};

const char *const crm_scene_restitution_words[CAROM_RESTITUTION_COUNT] = {
    [CAROM_RESTITUTION_NEWTON] = "newton",
    [CAROM_RESTITUTION_POISSON] = "poisson",
};

const char *const crm_scene_variant_words[CAROM_IMPULSE_VARIANT_COUNT] = {
    [CAROM_IMPULSE_AUTO] = "auto",
    [CAROM_IMPULSE_EVENTS] = "events",
    [CAROM_IMPULSE_FIXED] = "fixed",
};

const char *const crm_scene_simultaneous_words[CAROM_SIMULTANEOUS_COUNT] = {
    [CAROM_SIMULTANEOUS_SEQUENCE] = "sequence",
    [CAROM_SIMULTANEOUS_TOGETHER] = "together",
};

const char *const crm_scene_penalty_words[CAROM_PENALTY_FRICTION_COUNT] = {
    [CAROM_PENALTY_SPRING] = "spring",
    [CAROM_PENALTY_VISCOUS] = "viscous",
};

const char *const crm_scene_measure_words[CAROM_MEASURE_COUNT] = {
    [CAROM_MEASURE_FEATURES] = "events",
    [CAROM_MEASURE_GAP] = "gap",
    [CAROM_MEASURE_RAY] = "ray",
};

const char *const crm_scene_integrator_words[CAROM_INTEGRATOR_COUNT] = {
    [CAROM_INTEGRATOR_DP54] = "dp54",
    [CAROM_INTEGRATOR_RK4] = "rk4",
    [CAROM_INTEGRATOR_EULER] = "euler",
};

const char *const crm_scene_stabilisation_words[CAROM_STABILISATION_COUNT] = {
    [CAROM_STABILISATION_PROJECTION] = "projection",
    [CAROM_STABILISATION_BAUMGARTE] = "baumgarte",
};

const char *const crm_scene_rule_words[CAROM_COMBINE_COUNT] = {
    [CAROM_COMBINE_GEOMETRIC] = "geometric", [CAROM_COMBINE_MEAN] = "mean",       [CAROM_COMBINE_LEAST] = "least",
    [CAROM_COMBINE_LARGEST] = "largest",     [CAROM_COMBINE_PRODUCT] = "product",
};

void *crm_scene_take(crm_scene_context *context, int count, size_t size) {
    void *memory = crm_arena_take_zeroed(&context->arena, count, size);
    if (memory == NULL) context->no_memory = true;
    return memory;
}

// ---- names of other parts

static const char *nearest_name(const crm_scene_names *names, const char *word) {
    const char *nearest = NULL;
    int least = INT_MAX;
    for (int i = 0; i < names->capacity; i++) {
        const crm_scene_name *slot = &names->slot[i];
        if (slot->start == NULL) continue;
        int distance = crm_scene_edit_distance(word, slot->start);
        // The earlier one of two that are equally near, whatever their places in the table.
        bool tie =
            distance == least && nearest != NULL && slot->value < crm_scene_names_find(names, nearest, strlen(nearest));
        if (distance < least || tie) {
            least = distance;
            nearest = slot->start;
        }
    }
    return nearest != NULL && crm_scene_is_near(word, least) ? nearest : NULL;
}

bool crm_scene_reference_of(crm_scene_context *context, const crm_json_node *node, const char *what,
                            const crm_scene_names *names, int *out) {
    const char *name = json_string_value(node->value);
    if (name == NULL) {
        char wanted[64];
        snprintf(wanted, sizeof wanted, "the name of %s", what);
        crm_scene_needs(context, node, wanted);
        return false;
    }
    *out = crm_scene_names_find(names, name, strlen(name));
    if (*out >= 0) return true;
    char shown[CRM_SCENE_SHOWN];
    crm_scene_show(name, strlen(name), shown, sizeof shown);
    const char *nearest = nearest_name(names, name);
    if (nearest != NULL)
        crm_scene_error(context, node, "\"%s\" is not the name of %s; did you mean \"%s\"?", shown, what, nearest);
    else
        crm_scene_error(context, node, "\"%s\" is not the name of %s in this scene", shown, what);
    return false;
}

bool crm_scene_read_reference(crm_scene_context *context, const crm_json_node *object, const char *key,
                              const char *what, const crm_scene_names *names, int *out) {
    crm_json_node node = crm_scene_member(object, key);
    return node.value == NULL || crm_scene_reference_of(context, &node, what, names, out);
}

// ---- the top

void crm_scene_read_version(crm_scene_context *context, const crm_json_node *root) {
    static const char wanted[] = "the version of the format, 1";
    if (!crm_scene_require(context, root, "carom", wanted)) return;
    crm_json_node node = crm_scene_member(root, "carom");
    double version = json_number_value(node.value);
    if (json_is_number(node.value) && version == FORMAT_VERSION) return;
    if (json_is_number(node.value) && version > FORMAT_VERSION && version == floor(version))
        crm_scene_error(context, &node, "this file has format %.0f, and this carom reads format 1; use a newer carom",
                        version);
    else
        crm_scene_needs(context, &node, wanted);
}

static bool read_integrator(crm_scene_context *context, const crm_json_node *node, carom_method_def *method) {
    int integrator = method->integrator, stabilisation = method->stabilisation;
    int64_t limit = method->substep_limit;
    bool good = crm_scene_read_choice(context, node, "integrator", crm_scene_integrator_words, CAROM_INTEGRATOR_COUNT,
                                      &integrator);
    good &=
        crm_scene_read_number(context, node, "relative_tolerance", CRM_SCENE_POSITIVE, "", &method->relative_tolerance);
    good &=
        crm_scene_read_number(context, node, "absolute_tolerance", CRM_SCENE_POSITIVE, "", &method->absolute_tolerance);
    good &= crm_scene_read_whole(context, node, "substep_limit", 1, 1000000000, &limit);
    good &= crm_scene_read_choice(context, node, "stabilisation", crm_scene_stabilisation_words,
                                  CAROM_STABILISATION_COUNT, &stabilisation);
    good &= crm_scene_read_number(context, node, "baumgarte_alpha", CRM_SCENE_NOT_NEGATIVE, "1/s",
                                  &method->baumgarte_alpha);
    good &=
        crm_scene_read_number(context, node, "baumgarte_beta", CRM_SCENE_NOT_NEGATIVE, "1/s", &method->baumgarte_beta);
    method->integrator = (carom_integrator)integrator;
    method->stabilisation = (carom_stabilisation)stabilisation;
    method->substep_limit = (int)limit;
    return good;
}

// Settings of the method lcp.
static bool read_lcp(crm_scene_context *context, const crm_json_node *method, carom_lcp_def *lcp) {
    static const char *const keys[] = {"tolerance",     "gamma",       "barrier",   "push_out",     "friction",
                                       "pyramid_sides", "restitution", "measure",   "all_contacts", "sweep",
                                       "solver",        "effort",      "iterations"};
    crm_json_node node = crm_scene_member(method, "lcp");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(context, &node, "the settings of lcp", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return good;
    int friction = lcp->friction, restitution = lcp->restitution, measure = lcp->measure, solver = lcp->solver;
    int64_t sides = lcp->pyramid_sides, iterations = lcp->iterations;
    const char *solvers[CAROM_SOLVER_COUNT];
    for (int i = 0; i < CAROM_SOLVER_COUNT; i++) solvers[i] = carom_solver_name((carom_solver)i);
    good &= crm_scene_read_number(context, &node, "tolerance", CRM_SCENE_POSITIVE, "", &lcp->tolerance);
    good &= crm_scene_read_number(context, &node, "gamma", CRM_SCENE_NOT_NEGATIVE, "", &lcp->gamma);
    good &= crm_scene_read_number(context, &node, "barrier", CRM_SCENE_NOT_NEGATIVE, "m", &lcp->barrier);
    good &= crm_scene_read_number(context, &node, "push_out", CRM_SCENE_POSITIVE, "m/s", &lcp->push_out);
    good &=
        crm_scene_read_choice(context, &node, "friction", crm_scene_friction_words, CAROM_FRICTION_COUNT, &friction);
    good &= crm_scene_read_whole(context, &node, "pyramid_sides", 4, 64, &sides);
    good &= crm_scene_read_choice(context, &node, "restitution", crm_scene_restitution_words, CAROM_RESTITUTION_COUNT,
                                  &restitution);
    good &= crm_scene_read_choice(context, &node, "measure", crm_scene_measure_words, CAROM_MEASURE_COUNT, &measure);
    good &= crm_scene_read_choice(context, &node, "solver", solvers, CAROM_SOLVER_COUNT, &solver);
    good &= crm_scene_read_number(context, &node, "effort", CRM_SCENE_POSITIVE, "", &lcp->effort);
    good &= crm_scene_read_whole(context, &node, "iterations", 0, INT_MAX, &iterations);
    good &= crm_scene_read_bool(context, &node, "all_contacts", &lcp->all_contacts);
    good &= crm_scene_read_bool(context, &node, "sweep", &lcp->continuous);
    lcp->friction = (carom_friction_model)friction;
    lcp->restitution = (carom_restitution_law)restitution;
    lcp->measure = (carom_contact_measure)measure;
    lcp->solver = (carom_solver)solver;
    lcp->pyramid_sides = (int)sides;
    lcp->iterations = (int)iterations;
    return good;
}

// Settings of the method impulse.
static bool read_impulse(crm_scene_context *context, const crm_json_node *method, carom_impulse_def *impulse) {
    static const char *const keys[] = {"variant",      "law",       "tangential_restitution",
                                       "simultaneous", "tolerance", "joint_tolerance",
                                       "rest_speed",   "push_out",  "sweeps",
                                       "event_limit"};
    crm_json_node node = crm_scene_member(method, "impulse");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(context, &node, "the settings of impulse", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return good;
    int variant = impulse->variant, law = impulse->law, simultaneous = impulse->simultaneous;
    int64_t iterations = impulse->iterations, events = impulse->event_limit;
    const char *laws[CAROM_IMPACT_LAW_COUNT];
    for (int i = 0; i < CAROM_IMPACT_LAW_COUNT; i++) laws[i] = carom_impact_law_name((carom_impact_law)i);
    good &= crm_scene_read_choice(context, &node, "variant", crm_scene_variant_words, CAROM_IMPULSE_VARIANT_COUNT,
                                  &variant);
    good &= crm_scene_read_choice(context, &node, "law", laws, CAROM_IMPACT_LAW_COUNT, &law);
    good &= crm_scene_read_number(context, &node, "tangential_restitution", CRM_SCENE_ANY, "",
                                  &impulse->tangential_restitution);
    good &= crm_scene_read_choice(context, &node, "simultaneous", crm_scene_simultaneous_words,
                                  CAROM_SIMULTANEOUS_COUNT, &simultaneous);
    good &= crm_scene_read_number(context, &node, "tolerance", CRM_SCENE_POSITIVE, "", &impulse->tolerance);
    good &= crm_scene_read_number(context, &node, "joint_tolerance", CRM_SCENE_POSITIVE, "", &impulse->joint_tolerance);
    good &= crm_scene_read_number(context, &node, "rest_speed", CRM_SCENE_NOT_NEGATIVE, "m/s", &impulse->rest_speed);
    good &= crm_scene_read_number(context, &node, "push_out", CRM_SCENE_POSITIVE, "m/s", &impulse->push_out);
    good &= crm_scene_read_whole(context, &node, "sweeps", 1, INT_MAX, &iterations);
    good &= crm_scene_read_whole(context, &node, "event_limit", 1, INT_MAX, &events);
    impulse->variant = (carom_impulse_variant)variant;
    impulse->law = (carom_impact_law)law;
    impulse->simultaneous = (carom_simultaneous)simultaneous;
    impulse->iterations = (int)iterations;
    impulse->event_limit = (int)events;
    return good;
}

// Settings of the method penalty.
static bool read_penalty(crm_scene_context *context, const crm_json_node *method, carom_penalty_def *penalty) {
    static const char *const keys[] = {"stiffness", "damping", "penetration", "tangent_stiffness", "friction"};
    crm_json_node node = crm_scene_member(method, "penalty");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(context, &node, "the settings of penalty", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return good;
    int friction = penalty->friction;
    good &= crm_scene_read_number(context, &node, "stiffness", CRM_SCENE_NOT_NEGATIVE, "N/m", &penalty->stiffness);
    good &= crm_scene_read_number(context, &node, "damping", CRM_SCENE_NOT_NEGATIVE, "N s/m", &penalty->damping);
    good &= crm_scene_read_number(context, &node, "penetration", CRM_SCENE_POSITIVE, "", &penalty->penetration);
    good &=
        crm_scene_read_number(context, &node, "tangent_stiffness", CRM_SCENE_POSITIVE, "", &penalty->tangent_stiffness);
    good &= crm_scene_read_choice(context, &node, "friction", crm_scene_penalty_words, CAROM_PENALTY_FRICTION_COUNT,
                                  &friction);
    penalty->friction = (carom_penalty_friction)friction;
    return good;
}

// Settings of the contact potential.
static bool read_potential(crm_scene_context *context, const crm_json_node *method, carom_potential_def *potential) {
    static const char *const keys[] = {"stiffness", "overlap", "damping"};
    crm_json_node node = crm_scene_member(method, "potential");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(context, &node, "the settings of potential", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return good;
    good &= crm_scene_read_number(context, &node, "stiffness", CRM_SCENE_NOT_NEGATIVE, "N/m", &potential->stiffness);
    good &= crm_scene_read_number(context, &node, "overlap", CRM_SCENE_POSITIVE, "", &potential->overlap);
    good &= crm_scene_read_number(context, &node, "damping", CRM_SCENE_NOT_NEGATIVE, "N s/m", &potential->damping);
    return good;
}

// Settings of the method exact.
static bool read_exact(crm_scene_context *context, const crm_json_node *method, carom_exact_def *exact) {
    static const char *const keys[] = {"jump", "impacts"};
    crm_json_node node = crm_scene_member(method, "exact");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(context, &node, "the settings of exact", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return good;
    int jump = exact->jump;
    int64_t event_limit = exact->event_limit;
    good &= crm_scene_read_choice(context, &node, "jump", crm_scene_jump_words, CAROM_JUMP_COUNT, &jump);
    good &= crm_scene_read_whole(context, &node, "impacts", 1, INT_MAX, &event_limit);
    exact->jump = (carom_energy_jump)jump;
    exact->event_limit = (int)event_limit;
    return good;
}

// Settings of the method dcr.
static bool read_dcr(crm_scene_context *context, const crm_json_node *method, carom_dcr_def *dcr) {
    static const char *const keys[] = {"tolerance", "effort", "potential"};
    crm_json_node node = crm_scene_member(method, "dcr");
    if (node.value == NULL) return true;
    bool good = crm_scene_is_object(context, &node, "the settings of dcr", keys, CRM_SCENE_COUNT(keys));
    if (!json_is_object(node.value)) return good;
    good &= crm_scene_read_number(context, &node, "tolerance", CRM_SCENE_POSITIVE, "", &dcr->tolerance);
    good &= crm_scene_read_number(context, &node, "effort", CRM_SCENE_POSITIVE, "", &dcr->effort);
    good &= crm_scene_read_bool(context, &node, "potential", &dcr->potential);
    return good;
}

static void read_method(crm_scene_context *context, const crm_json_node *root, crm_scene_data *data) {
    static const char *const keys[] = {"name",
                                       "step",
                                       "form",
                                       "tolerance",
                                       "iteration_limit",
                                       "integrator",
                                       "relative_tolerance",
                                       "absolute_tolerance",
                                       "substep_limit",
                                       "stabilisation",
                                       "baumgarte_alpha",
                                       "baumgarte_beta",
                                       "lcp",
                                       "impulse",
                                       "penalty",
                                       "potential",
                                       "exact",
                                       "dcr"};
    carom_method_def *method = &data->method;
    *method = carom_method_def_default();
    data->method_good = true;
    crm_json_node node = crm_scene_member(root, "method");
    if (node.value == NULL) return;
    if (!json_is_object(node.value)) {
        data->method_good = crm_scene_is_object(context, &node, "a method", keys, CRM_SCENE_COUNT(keys));
        return;
    }
    bool good = crm_scene_is_object(context, &node, "a method", keys, CRM_SCENE_COUNT(keys));
    const char *names[CAROM_METHOD_COUNT];
    for (int i = 0; i < CAROM_METHOD_COUNT; i++) names[i] = carom_method_name((carom_method)i);
    int choice = method->method, form = method->form;
    int64_t limit = method->iteration_limit;
    good &= crm_scene_read_choice(context, &node, "name", names, CAROM_METHOD_COUNT, &choice);
    good &= crm_scene_read_number(context, &node, "step", CRM_SCENE_POSITIVE, "s", &method->step);
    good &= crm_scene_read_choice(context, &node, "form", crm_scene_form_words, 2, &form);
    good &= crm_scene_read_number(context, &node, "tolerance", CRM_SCENE_POSITIVE, "", &method->tolerance);
    good &= crm_scene_read_whole(context, &node, "iteration_limit", 1, 1000000, &limit);
    method->method = (carom_method)choice;
    method->form = (carom_euler_form)form;
    method->iteration_limit = (int)limit;
    good &= read_integrator(context, &node, method);
    good &= read_lcp(context, &node, &method->lcp);
    good &= read_impulse(context, &node, &method->impulse);
    good &= read_penalty(context, &node, &method->penalty);
    good &= read_potential(context, &node, &method->potential);
    good &= read_exact(context, &node, &method->exact);
    good &= read_dcr(context, &node, &method->dcr);
    data->method_good = good;
}

static void read_rule(crm_scene_context *context, const crm_json_node *root, const char *key, carom_combination *out) {
    int rule = *out;
    crm_scene_read_choice(context, root, key, crm_scene_rule_words, CAROM_COMBINE_COUNT, &rule);
    *out = (carom_combination)rule;
}

void crm_scene_read_all(crm_scene_context *context, const crm_json_node *root, crm_scene_data *data) {
    static const char *const keys[] = {
        "carom",           "name",           "description",      "method",   "until",         "frame_rate",
        "record_contacts", "gravity",        "coulomb_constant", "mobility", "friction_rule", "restitution_rule",
        "materials",       "material_pairs", "shapes",           "bodies",   "forces",        "joints"};
    *data = (crm_scene_data){.name = "",
                             .description = "",
                             .until = default_until,
                             .frame_rate = default_frame_rate,
                             .model = carom_model_def_default()};
    if (!json_is_object(root->value)) {
        crm_scene_needs(context, root, "an object for a scene, such as {\"carom\": 1, \"bodies\": []}");
        return;
    }
    crm_scene_is_object(context, root, "a scene", keys, CRM_SCENE_COUNT(keys));
    crm_scene_read_version(context, root);
    crm_scene_read_string(context, root, "name", &data->name);
    crm_scene_read_string(context, root, "description", &data->description);
    read_method(context, root, data);
    crm_scene_read_number(context, root, "until", CRM_SCENE_NOT_NEGATIVE, "s", &data->until);
    crm_scene_read_number(context, root, "frame_rate", CRM_SCENE_POSITIVE, "1/s", &data->frame_rate);
    crm_scene_read_bool(context, root, "record_contacts", &data->record_contacts);
    crm_scene_read_vec3(context, root, "gravity", CRM_SCENE_ANY, "m/s^2", &data->model.gravity);
    crm_scene_read_number(context, root, "coulomb_constant", CRM_SCENE_NOT_NEGATIVE, "N m^2/C^2",
                          &data->model.coulomb_constant);
    read_rule(context, root, "friction_rule", &data->model.friction_rule);
    read_rule(context, root, "restitution_rule", &data->model.restitution_rule);
    crm_scene_read_materials(context, root, data);
    if (!context->no_memory) crm_scene_read_shapes(context, root, data);
    if (!context->no_memory) crm_scene_read_bodies(context, root, data);
    if (!context->no_memory) crm_scene_read_mobility(context, root, data);
    if (!context->no_memory) crm_scene_read_forces(context, root, data);
    if (!context->no_memory) crm_scene_read_joints(context, root, data);
}
